"""Signing in with a browser: by a token, and at a provider of OpenID Connect, honest or not."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from openid_provider import CLIENT, SECRET, Provider, providing
from quire.domain.errors import InvalidInput
from quire.entry.http.safety import refuse_open_door
from quire.entry.http.sign_in import place, refuse_bad_provider
from quire.entry.settings import Settings
from serving import Served, served, until

OWNERS = "the-owners-own-token"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with providing() as made:
        yield made


@pytest.fixture(scope="module")
def server(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(
        tmp_path_factory.mktemp("home"),
        embedder="none",
        oidc_issuer=provider.url,
        oidc_client=CLIENT,
        oidc_secret=SECRET,
        oidc_name="Example",
        oidc_create="new.example, other.example",
        oidc_private=True,
    ) as running:
        running.run(running.library.people.add("Ada", "ada@example.com"))
        yield running


@pytest.fixture
def browser(server: Served, provider: Provider) -> Iterator[httpx.Client]:
    provider.honest()
    provider.person = {"sub": "1", "email": "ada@example.com", "email_verified": True, "name": "Ada"}
    with server.client(headers={"Accept": "text/html"}) as http:
        yield http


def led_back(browser: httpx.Client, after: str = "/") -> httpx.Response:
    """What the server says when the browser comes back from the provider."""
    begun = browser.get("/sign-in/provider", params={"next": after})
    assert begun.status_code == 303, begun.text
    at_provider = httpx.get(begun.headers["location"], trust_env=False)
    return browser.get(at_provider.headers["location"])


def who(browser: httpx.Client) -> Any:
    return browser.get("/api/person/whoami", headers={"Accept": "application/json"}).json().get("email")


def test_somebody_who_is_known_signs_in_at_the_provider_and_out_again(browser: httpx.Client, server: Served) -> None:
    page = browser.get("/notes/abc")
    assert page.status_code == 401
    assert "Sign in with Example" in page.text
    link = re.search(r'href="(/sign-in/provider[^"]+)"', page.text)
    assert link
    assert link[1] == "/sign-in/provider?next=%2Fnotes%2Fabc"
    back = led_back(browser, "/notes/abc")
    assert back.status_code == 200, back.text
    assert 'content="0; url=/notes/abc"' in back.text
    cookies = back.headers.get_list("set-cookie")
    assert any("quire_session=" in one and "HttpOnly" in one and "SameSite=strict" in one for one in cookies)
    assert any(one.startswith('quire_sign_in=""') or "quire_sign_in=;" in one for one in cookies)
    assert who(browser) == "ada@example.com"
    (kept, *_) = server.run(server.library.people.list_tokens("ada@example.com"))
    assert (kept.label, kept.expires_at is not None) == ("Sign-in with Example", True)
    session = dict(browser.cookies)
    browser.post("/sign-out")
    assert browser.get("/").status_code == 401
    assert browser.get("/", headers={"Cookie": f"quire_session={session['quire_session']}"}).status_code == 401


def test_a_sign_in_ends_when_its_token_is_revoked_or_its_person_removed(browser: httpx.Client, server: Served) -> None:
    assert led_back(browser).status_code == 200
    people = server.library.people
    for token in server.run(people.list_tokens("ada@example.com")):
        server.run(people.revoke_token(token.id))
    assert browser.get("/").status_code == 401


def test_whoever_is_unknown_is_let_in_by_their_domain_only(browser: httpx.Client, provider: Provider) -> None:
    for stranger in ("eve@example.com", "eve@sub.new.example", "eve@newexample", "new.example@evil.example"):
        provider.person = {"sub": "2", "email": stranger, "email_verified": True, "name": "Eve"}
        refused = led_back(browser)
        assert (refused.status_code, "Nobody here" in refused.text) == (403, True), stranger
        assert who(browser) is None
    provider.person = {"sub": "3", "email": "Neo@New.Example", "email_verified": True, "name": " Neo \n Newman "}
    assert led_back(browser).status_code == 200
    assert who(browser) == "neo@new.example"
    assert browser.get("/api/person/whoami", headers={"Accept": "application/json"}).json()["name"] == "Neo Newman"


def test_the_servers_owner_signs_in_by_the_address_that_is_theirs(
    browser: httpx.Client, provider: Provider, server: Served
) -> None:
    server.run(server.library.people.update("owner", email="olga@example.com"))
    provider.person = {"sub": "4", "email": "olga@example.com", "email_verified": True}
    assert led_back(browser).status_code == 200
    assert browser.get("/api/person/whoami", headers={"Accept": "application/json"}).json()["owner"] is True


def test_an_address_that_only_the_providers_own_page_tells_is_asked_for(
    browser: httpx.Client, provider: Provider
) -> None:
    provider.claims = {"email": None, "email_verified": None}
    assert led_back(browser).status_code == 200
    assert who(browser) == "ada@example.com"


def others_key(provider: Provider, claims: dict[str, Any]) -> str:
    return jwt.encode({"alg": "RS256", "kid": "one"}, claims, RSAKey.generate_key(2048))


def unsigned(provider: Provider, claims: dict[str, Any]) -> str:
    import base64
    import json

    parts = ({"alg": "none"}, claims)
    return ".".join(base64.urlsafe_b64encode(json.dumps(one).encode()).rstrip(b"=").decode() for one in parts) + "."


def signed_with_what_everyone_knows(provider: Provider, claims: dict[str, Any]) -> str:
    known = OctKey.import_key(provider.key.as_pem(private=False))
    return jwt.encode({"alg": "HS256", "kid": "one"}, claims, known, algorithms=["HS256"])


NOW = int(time.time())
LIES: dict[str, dict[str, Any]] = {
    "of another issuer": {"claims": {"iss": "https://evil.example"}},
    "for another audience": {"claims": {"aud": "somebody-else"}},
    "for several, and meant for another": {"claims": {"aud": [CLIENT, "x"], "azp": "x"}},
    "for several, without saying for whom": {"claims": {"aud": [CLIENT, "x"]}},
    "for nobody": {"claims": {"aud": None}},
    "run out": {"claims": {"exp": NOW - 3600}},
    "without an end": {"claims": {"exp": None}},
    "with an end that is no number": {"claims": {"exp": "never"}},
    "of a time to come": {"claims": {"iat": NOW + 3600}},
    "of another sign-in": {"claims": {"nonce": "another"}},
    "of no sign-in": {"claims": {"nonce": None}},
    "about nobody": {"claims": {"sub": None}},
    "signed by another": {"signs": others_key},
    "not signed": {"signs": unsigned},
    "signed with the public key": {"signs": signed_with_what_everyone_knows},
    "no token": {"signs": lambda provider, claims: "a.b.c"},
    "of an address that is not verified": {"claims": {"email_verified": False}},
    "of an address of which nothing is said": {"claims": {"email_verified": None}},
    "of an address in letters that look alike": {"claims": {"email": "аda@example.com"}},
    "answered by another provider": {"answers": {"iss": "https://evil.example"}},
    "answered to another browser": {"answers": {"state": "another"}},
    "refused": {"answers": {"code": "", "error": "access_denied"}},
    "with a code that was made up": {"answers": {"code": "made-up"}},
}


@pytest.mark.parametrize("lie", LIES)
def test_nothing_is_believed_that_the_provider_did_not_sign_for_this_sign_in(
    browser: httpx.Client, provider: Provider, lie: str
) -> None:
    told = LIES[lie]
    provider.claims, provider.answers = told.get("claims", {}), told.get("answers", {})
    if "signs" in told:
        provider.signs = lambda claims: told["signs"](provider, claims)
    refused = led_back(browser)
    assert refused.status_code in (401, 403), refused.text
    assert "quire_session=" not in str(refused.headers.get_list("set-cookie"))
    assert browser.get("/").status_code == 401


def test_an_answer_is_taken_by_the_browser_that_asked_and_only_once(
    browser: httpx.Client, server: Served, provider: Provider
) -> None:
    begun = browser.get("/sign-in/provider")
    address = httpx.get(begun.headers["location"], trust_env=False).headers["location"]
    with server.client(headers={"Accept": "text/html"}) as victim:
        planted = victim.get(address)
        assert (planted.status_code, "not begun here" in planted.text) == (401, True)
        victim.get("/sign-in/provider")
        assert victim.get(address).status_code == 401
    assert browser.get(address).status_code == 200
    before = browser.cookies["quire_session"]
    browser.cookies.set("quire_session", "fixed.by.another")
    assert led_back(browser).status_code == 200
    assert {one.value for one in browser.cookies.jar if one.name == "quire_session"} - {before, "fixed.by.another"}
    assert browser.get(address).status_code == 401


@pytest.mark.parametrize(
    ("asked", "led"),
    [
        ("/notebooks/abc?conversation=new", "/notebooks/abc?conversation=new"),
        ("https://evil.example/", "/"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("/%0d%0aSet-Cookie:x", "/%0d%0aSet-Cookie:x"),
        ("/\tevil", "/"),
        ("javascript:alert(1)", "/"),
        ("/a\r\nb", "/"),
        ('/"><script>', "/"),
        ("/sign-out", "/"),
        ("", "/"),
        ("/" + "a" * 3000, "/"),
    ],
)
def test_signing_in_leads_to_pages_of_ours_only(asked: str, led: str, tmp_path: Path) -> None:
    assert place(asked) == led


def test_the_form_of_a_token_leads_on_and_only_within(tmp_path: Path) -> None:
    with served(tmp_path, token=OWNERS, embedder="none") as server, server.client() as http:
        page = http.get("/sign-in", params={"next": "/notebooks/x"})
        assert page.status_code == 200
        assert 'name="next" value="/notebooks/x"' in page.text
        assert "Sign in with" not in page.text
        for asked, led in (("/notebooks/x", "/notebooks/x"), ("//evil.example/", "/")):
            answer = http.post("/sign-in", data={"token": OWNERS, "next": asked})
            assert (answer.status_code, answer.headers["location"]) == (303, led)
        assert http.get("/sign-in", params={"next": "/notebooks/x"}).headers["location"] == "/notebooks/x"
        forged = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        assert http.post("/sign-in", data={"token": OWNERS}, headers=forged).status_code == 403
        assert http.post("/sign-out", headers=forged).status_code == 403
        assert http.get("/sign-in/provider").status_code == 404
        assert http.get("/sign-in/return").status_code == 404


def test_a_provider_that_describes_itself_as_another_is_not_asked(tmp_path: Path) -> None:
    with providing() as liar:
        for said in ({"issuer": "https://evil.example"}, {"token_endpoint": "ftp://evil.example"}, {"jwks_uri": None}):
            liar.honest()
            liar.description = said
            known = {"oidc_issuer": liar.url, "oidc_client": CLIENT, "oidc_private": True}
            with served(tmp_path, embedder="none", **known) as server, server.client() as http:
                assert http.get("/sign-in/provider").status_code == 502
        known = {"oidc_issuer": liar.url.replace("http:", "https:"), "oidc_client": CLIENT}
        with served(tmp_path, embedder="none", **known) as server, server.client() as http:
            refused = http.get("/sign-in/provider")
            assert (refused.status_code, "cannot be reached" in refused.text) == (502, True)


def test_settings_that_cannot_work_are_refused_at_the_start(tmp_path: Path) -> None:
    def settings(**given: Any) -> Settings:
        return Settings.model_validate({"home": tmp_path, **given})

    for wrong in ({"oidc_issuer": "http://127.0.0.1:9"}, {"oidc_issuer": "not an address"}):
        with pytest.raises(InvalidInput, match="oidc_issuer"):
            refuse_bad_provider(settings(oidc_client=CLIENT, **wrong))
    with pytest.raises(InvalidInput, match="oidc_client"):
        refuse_bad_provider(settings(oidc_issuer="https://id.example"))
    refuse_bad_provider(settings(oidc_issuer="https://id.example", oidc_client=CLIENT))
    refuse_open_door(settings(oidc_issuer="https://id.example", host="0.0.0.0"))
    assert settings(oidc_secret=SECRET).shown()["oidc_secret"] == "(set)"


def test_a_provider_from_pypi_signs_somebody_in(tmp_path: Path) -> None:
    """Not one of ours: oidc-provider-mock, as a process of its own."""
    with (tmp_path / "said").open("w+") as said:
        command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", "0"]
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        try:
            log = tmp_path / "said"
            found = until(lambda: re.search(r"http://(?:127\.0\.0\.1|localhost):(\d+)", log.read_text()))
            issuer = f"http://localhost:{found[1]}"
            described = httpx.get(f"{issuer}/.well-known/openid-configuration", trust_env=False).json()
            known = {
                "oidc_issuer": described["issuer"],
                "oidc_client": CLIENT,
                "oidc_private": True,
            }
            claims = {"email": "ada@example.com", "email_verified": True}
            httpx.put(f"{issuer}/users/ada", json=claims, trust_env=False).raise_for_status()
            with (
                served(tmp_path / "home", embedder="none", oidc_secret="s", **known) as server,
                server.client() as http,
            ):
                server.run(server.library.people.add("Ada", "ada@example.com"))
                begun = http.get("/sign-in/provider")
                answer = httpx.post(begun.headers["location"], data={"sub": "ada"}, trust_env=False)
                assert http.get(answer.headers["location"]).status_code == 200
                assert http.get("/api/person/whoami").json()["email"] == "ada@example.com"
        finally:
            process.terminate()
            process.wait(10)
