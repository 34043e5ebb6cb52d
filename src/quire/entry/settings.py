"""Settings: a flag wins over the environment, that over quire.toml, that over the default."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, field_validator

from quire.api.rates import Rate
from quire.domain.errors import InvalidInput
from quire.domain.research import MOST_PAGES, MOST_ROUNDS, MOST_SECONDS, Budget

PREFIX = "QUIRE_"
NAME = "quire.toml"
SECRET = ("token", "oidc_secret", "model_key", "embedder_key", "voice_key", "finder_keys", "notebooklm_cookies")
ADDRESSES = ("store", "blobs", "model_url", "embedder_url", "voice_url")
PASSWORDS = ((re.compile(r"(password=)[^&]*"), r"\1***"), (re.compile(r"\A([^:/@]*+://[^:/@]*+:).*@"), r"\1***@"))
PARAMETER = re.compile(r"([?&])([^?=&,]*+)=[^&,]*+")
CREDENTIALS = ("key", "secret", "password", "token", "credential")


class Settings(BaseModel):
    """Each field is a flag, `QUIRE_NAME` in the environment, and `name` in quire.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    home: Path = Field(Path("~/.quire"), validate_default=True, description="Where everything is kept.")
    engine: Literal["local", "notebooklm"] = Field(
        "local", description="What does the work: this machine, or Google NotebookLM for who has an account there."
    )
    store: str = Field("", description="A PostgreSQL URL, `memory`, or a file; quire.db in the home by default.")
    blobs: str = Field("", description="`s3://bucket/prefix?endpoint=URL&region=NAME` for files; the home by default.")
    shelf: str = Field("fs", description="The storage of new books: `fs`, or one that `shelves` names.")
    shelves: str = Field("", description="Storages for books: `fs=FOLDER,s3=s3://bucket/prefix?endpoint=URL`.")
    cdn_url: str = Field(
        "", description="The address under which others serve the assets of books; our own by default."
    )
    host: str = Field("127.0.0.1", description="The address to listen on; other than loopback needs a token.")
    port: int = Field(8765, ge=0, le=65535, description="The port to listen on.")
    token: str = Field("", description="The bearer token that HTTP and MCP callers must send; `auto` makes one.")
    oidc_issuer: str = Field("", description="The OpenID Connect provider that people sign in with: https://....")
    oidc_client: str = Field("", description="The client id that the provider knows this server by.")
    oidc_secret: str = Field("", description="The client secret, where the provider gave one.")
    oidc_name: str = Field("", description="What the sign-in page calls the provider; its host by default.")
    oidc_create: str = Field("", description="Domains whose people are let in when they first sign in, with commas.")
    oidc_private: bool = Field(False, description="Whether the provider may be at a private address, or without TLS.")
    public_url: str = Field("", description="The address in links to files; http://127.0.0.1:PORT by default.")
    toolsets: str = Field("", description="MCP toolsets, with commas; the default tools when empty.")
    workers: int = Field(2, ge=0, le=64, description="How many jobs `quire serve` works on at once.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("warning", description="What is logged.")
    log_file: str = Field("", description="Where logs go; stderr by default.")
    rates: str = Field("", description="Limits per caller, `*` for all calls: `ask=5/60,*=600/60` (calls/seconds).")
    timeout: float = Field(
        0, ge=0, description="Seconds for the tools over notebooks, up to the longest of each; 30 to 90 by default."
    )
    fetch_allow: str = Field("", description="Networks or names that URL sources may be fetched from although private.")
    embedder: str = Field(
        "auto", description="What finds passages by meaning: `auto`, `minilm`, `none`, or a model at `embedder_url`."
    )
    embedder_url: str = Field("", description="A server with OpenAI's /embeddings, such as http://127.0.0.1:11434/v1.")
    embedder_key: str = Field("", description="The key for that server.")
    models: str = Field("", description="Where models' files are kept; ~/.cache/quire/models by default.")
    model: str = Field(
        "", description="What writes answers: `openai:NAME`, `anthropic:NAME`, `google:NAME`, or a name at `model_url`."
    )
    model_url: str = Field("", description="An OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1.")
    model_key: str = Field("", description="The key for the model; OPENAI_API_KEY and its like are known too.")
    voice: Literal["auto", "embedded", "kokoro"] = Field(
        "auto", description="Which voice of this machine speaks; `auto` is `kokoro` where it is here."
    )
    voice_url: str = Field("", description="A server with OpenAI's /audio/speech, in place of this machine's voice.")
    voice_model: str = Field("", description="The model at voice_url; tts-1 by default.")
    voice_names: str = Field("", description="The voices of the two hosts: `alloy,onyx`; Kokoro's `af_heart,am_puck`.")
    voice_key: str = Field("", description="The key for that server.")
    ffmpeg: str = Field("", description="The ffmpeg that encodes videos; by default that of the extra, or PATH's.")
    finders: str = Field(
        "", description="Who is asked for pages, in order: `searxng,brave,wikipedia`; by default all that can be."
    )
    finder_urls: str = Field("", description="Addresses of finders: `searxng=http://127.0.0.1:8888,openapi=URL`.")
    finder_keys: str = Field("", description="Keys of finders: `brave=KEY,tavily=KEY`.")
    finder_contact: str = Field("", description="A mail address that finders are told, for those who ask for one.")
    drive: str = Field("", description="A folder whose files research finds and everyone here may add as sources.")
    research_pages: int = Field(40, ge=1, le=MOST_PAGES, description="How many pages deep research reads at most.")
    research_seconds: int = Field(600, ge=1, le=MOST_SECONDS, description="How long deep research works at most.")
    research_rounds: int = Field(3, ge=1, le=MOST_ROUNDS, description="How often deep research looks for what is open.")
    notebooklm_profile: str = Field("default", description="The account of Google's to use; `quire login` makes one.")
    notebooklm_cookies: str = Field(
        "", description="Cookies of an account, as JSON, in place of a profile (NOTEBOOKLM_AUTH_JSON too)."
    )
    notebooklm_host: Literal["notebook.google.com", "notebooklm.google.com"] = Field(
        "notebook.google.com", description="The name under which NotebookLM is reached."
    )
    notebooklm_inbox: str = Field("Quire inbox", description="The notebook there that holds notes without one.")
    notebooklm_proxy: str = Field("", description="A proxy on the way to Google, such as http://127.0.0.1:8766.")
    notebooklm_ca: str = Field("", description="A file of certificates to trust on the way to Google.")
    scratch_keep: bool = Field(True, description="Whether scratch notebooks outlive the process that made them.")
    scratch_all: bool = Field(False, description="Whether the owner's list of scratch notebooks has everyone's.")
    unsafe_cells: bool = Field(False, description="Run cells although no sandbox can be made. They can do anything.")
    body_limit: int = Field(16 * 1024 * 1024, ge=1024, description="The largest request body in bytes.")
    artifact_quota: int = Field(
        20 * 1024**3, ge=1024, description="How many bytes of files the artifacts of one person may have."
    )
    upload_limit: int = Field(2 * 1024**3, ge=1024, description="The largest uploaded file in bytes.")

    _origins: dict[str, str] = PrivateAttr(default_factory=dict)

    @field_validator("home")
    @classmethod
    def _expanded(cls, home: Path) -> Path:
        return home.expanduser().absolute()

    @field_validator("rates")
    @classmethod
    def _readable(cls, rates: str) -> str:
        parse_rates(rates)
        return rates

    @field_validator("shelves")
    @classmethod
    def _placed(cls, shelves: str) -> str:
        parse_shelves(shelves)
        return shelves

    @field_validator("finder_urls", "finder_keys")
    @classmethod
    def _by_name(cls, text: str) -> str:
        parse_named(text)
        return text

    @property
    def origins(self) -> dict[str, str]:
        """Where each value came from: flag, environment, file or default."""
        return {name: self._origins.get(name, "default") for name in type(self).model_fields}

    @property
    def base_url(self) -> str:
        return (self.public_url or f"http://127.0.0.1:{self.port or 8765}").rstrip("/")

    @property
    def signs_in(self) -> bool:
        """Whether whoever comes in over HTTP must say who they are."""
        return bool(self.token or self.oidc_issuer)

    @property
    def finding(self) -> dict[str, Any]:
        """Who is asked for pages, and how."""
        return {
            "names": [name.strip() for name in self.finders.split(",") if name.strip()],
            "urls": parse_named(self.finder_urls),
            "keys": parse_named(self.finder_keys),
            "drive": self.drive,
            "contact": self.finder_contact,
            "allowed": self.fetch_allow.split(","),
        }

    @property
    def speaking(self) -> dict[str, Any]:
        """What speaks."""
        return {
            "url": self.voice_url,
            "model": self.voice_model,
            "key": self.voice_key,
            "names": self.voice_names,
            "choice": self.voice,
        }

    @property
    def research_budget(self) -> Budget:
        return Budget(pages=self.research_pages, seconds=self.research_seconds, rounds=self.research_rounds)

    @property
    def serves_cells(self) -> bool:
        """Whether those who call over HTTP may run cells."""
        return bool({"scratch", "all"} & {name.strip() for name in self.toolsets.split(",")})

    def shown(self) -> dict[str, Any]:
        """The values as they may be printed: no secrets."""
        values = self.model_dump(mode="json")
        for password, hidden in PASSWORDS:
            values |= {name: password.sub(hidden, values[name]) for name in ADDRESSES}
        values["shelves"] = PARAMETER.sub(_hidden, values["shelves"])
        return {name: "(set)" if name in SECRET and value else value for name, value in values.items()}


def load(flags: Mapping[str, Any] = {}, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings in force; `flags` that are None do not count."""
    given = {name: value for name, value in flags.items() if value is not None}
    from_environment = {
        name: environment[PREFIX + name.upper()]
        for name in Settings.model_fields
        if environment.get(PREFIX + name.upper(), "") != ""
    }
    # The name that the contract of these tools has for it.
    if "timeout" not in from_environment and environment.get("NOTEBOOKLM_TIMEOUT", "") != "":
        from_environment["timeout"] = environment["NOTEBOOKLM_TIMEOUT"]
    if "notebooklm_cookies" not in from_environment and environment.get("NOTEBOOKLM_AUTH_JSON", "") != "":
        from_environment["notebooklm_cookies"] = environment["NOTEBOOKLM_AUTH_JSON"]
    values = read_file(home_of(given, environment) / NAME) | from_environment | given
    settings = checked(values, lambda name: _origin(name, given, from_environment))
    for name in values:
        settings._origins[name] = _origin(name, given, from_environment)
    return settings


def home_of(flags: Mapping[str, Any] = {}, environment: Mapping[str, str] = os.environ) -> Path:
    """Where quire.toml is looked for."""
    return Path(flags.get("home") or environment.get(f"{PREFIX}HOME") or "~/.quire").expanduser()


def checked(values: Mapping[str, Any], origin: Callable[[str], str]) -> Settings:
    """Settings of these values; InvalidInput that names the first that is no good, and where it is from."""
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        name = str(problem["loc"][0])
        raise InvalidInput(
            f"Setting '{name}' ({origin(name)}) is not valid: {problem['msg']}.",
            hint="quire config show NAME tells what one is for.",
        ) from None


def parse_rates(text: str) -> dict[str, Rate]:
    """`add_note=30/60,*=600/60` as rates by tool."""
    rates = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        try:
            tool, _, limit = part.partition("=")
            calls, _, seconds = limit.partition("/")
            rates[tool] = Rate(int(calls), float(seconds))
            if rates[tool].calls < 1 or not rates[tool].seconds > 0:
                raise ValueError
        except ValueError:
            raise ValueError(f"'{part}' is not of the form tool=calls/seconds") from None
    return rates


def parse_shelves(text: str) -> dict[str, str]:
    """`fs=/srv/books,s3=s3://bucket` as places by name; a comma inside a URL is written %2C."""
    places = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, place = part.partition("=")
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,49}", name) or not place:
            raise ValueError(f"'{part}' is not of the form name=place")
        places[name] = place
    return places


def parse_named(text: str) -> dict[str, str]:
    """`searxng=http://127.0.0.1:8888,brave=KEY` as values by name."""
    named = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = part.partition("=")
        if not re.fullmatch(r"[a-z]{1,20}", name) or not value:
            # What stands there may be a key.
            raise ValueError("it must be of the form name=value,name=value")
        named[name] = value
    return named


def _hidden(parameter: re.Match[str]) -> str:
    secret = any(word in parameter[2].lower() for word in CREDENTIALS)
    return f"{parameter[1]}{parameter[2]}=***" if secret else parameter[0]


def _origin(name: str, flags: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    return "flag" if name in flags else "environment" if name in environment else NAME


def read_file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}") from None
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path} cannot be read: {error}") from None
