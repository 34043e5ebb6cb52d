"""From settings to a language model: `anthropic:NAME`, `google:NAME`, `openai:NAME`, or a name at an address."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from quire.adapters.models.dialects import Anthropic, Dialect, Google, OpenAi
from quire.adapters.models.endpoint import Endpoint
from quire.domain.errors import InvalidInput

# The makers' own addresses, and where their keys are usually kept.
KINDS: dict[str, tuple[Callable[[bool], Dialect], str, tuple[str, ...]]] = {
    "openai": (lambda own: OpenAi(own=own), "https://api.openai.com/v1", ("OPENAI_API_KEY",)),
    "anthropic": (lambda own: Anthropic(), "https://api.anthropic.com/v1", ("ANTHROPIC_API_KEY",)),
    "google": (
        lambda own: Google(),
        "https://generativelanguage.googleapis.com/v1beta",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    ),
}


def model_of(model: str, url: str = "", key: str = "", environment: Mapping[str, str] = os.environ) -> Endpoint | None:
    """The model that the settings name, if they do.

    A key of the environment goes to its maker's own address only: whoever is asked at another would learn it.
    """
    if not model and not url:
        return None
    kind, _, name = model.partition(":")
    if kind not in KINDS or not name:
        kind, name = "openai", model
        if not url:
            raise InvalidInput(
                "The setting 'model' must say whose model it is.",
                hint="Write openai:NAME, anthropic:NAME or google:NAME, or set model_url.",
            )
    make, own_url, variables = KINDS[kind]
    if url:
        return Endpoint(make(False), url, name, key, name=model)
    key = key or next(filter(None, (environment.get(variable, "").strip() for variable in variables)), "")
    return Endpoint(make(True), own_url, name, key, name=model, key_needed=f"Set model_key or {variables[0]}.")
