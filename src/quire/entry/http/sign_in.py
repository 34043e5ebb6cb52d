"""Signing in and out with a browser: by a token, or at a provider of OpenID Connect."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import ClassVar
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quire.api.library import Library
from quire.domain.email_addresses import email_address
from quire.domain.errors import InvalidInput, NotAllowed, NotFound, NotSignedIn, QuireError, Unsupported
from quire.entry.bootstrap import make_provider
from quire.entry.extras import EXTRAS
from quire.entry.http.arguments import pairs
from quire.entry.http.callers import COOKIE, SESSION_SECONDS, Callers
from quire.entry.http.forms import form
from quire.entry.http.safety import OPEN, Access, address_of
from quire.entry.http.templates import Templates
from quire.entry.settings import Settings
from quire.ports.machine import Purpose
from quire.ports.openid import Flow, OpenIdProvider

SIGN_IN, SIGN_OUT = "/sign-in", "/sign-out"
PROVIDER, RETURN = SIGN_IN + "/provider", SIGN_IN + "/return"
BEGUN = "quire_sign_in"
BEGUN_SECONDS = 600
# A path of ours, in plain characters: no host, no scheme, and nothing that a browser would make one of.
PLACE = re.compile(r"/(?![/\\])[\w.~/?=&%+,:@-]{0,2000}", re.ASCII)


class SignIn:
    access: ClassVar[dict[str, Access]] = {SIGN_IN: OPEN, SIGN_OUT: OPEN, PROVIDER: OPEN, RETURN: OPEN}

    def __init__(self, library: Library, settings: Settings, callers: Callers, rendered: Templates) -> None:
        self._library = library
        self._settings = settings
        self._callers = callers
        self._rendered = rendered
        self._known: OpenIdProvider | None = None

    def routes(self) -> list[Route]:
        return [
            Route(SIGN_IN, self.page, methods=["GET"]),
            Route(SIGN_IN, self.sign_in, methods=["POST"]),
            Route(SIGN_OUT, self.sign_out, methods=["POST"]),
            Route(PROVIDER, self.begin, methods=["GET"]),
            Route(RETURN, self.come_back, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        after = place(_query(request).get("next", ""))
        if request.scope["quire.actor"] is not None:
            return RedirectResponse(after, 303)
        return self._shown(after)

    async def sign_in(self, request: Request) -> Response:
        given = await form(request)
        return await self.by_token(request, given.get("token", ""), place(given.get("next", "")))

    async def by_token(self, request: Request, token: str, after: str) -> Response:
        """The token stays out of the cookie and, by the redirect, out of the address."""
        given = token.strip().encode()
        caller = await self._callers.admitted(given, address_of(request.scope))
        response = RedirectResponse(after, 303)
        self._keep(request, response, COOKIE, self._callers.session(caller, given), SESSION_SECONDS)
        return response

    async def sign_out(self, request: Request) -> Response:
        if session := request.cookies.get(COOKIE):
            await self._callers.end(session)
        response = RedirectResponse("/", 303)
        self._keep(request, response, COOKIE, "", 0)
        return response

    async def begin(self, request: Request) -> Response:
        """To the provider. What this sign-in is recognised by stays in a cookie of the browser that began it."""
        address, flow = await self._provider().begin()
        claims = asdict(flow) | {"next": place(_query(request).get("next", ""))}
        begun = self._library.engine.signer.sign(Purpose.PAGE_SIGN_IN, claims, BEGUN_SECONDS)
        response = RedirectResponse(address, 303, {"Cache-Control": "no-store"})
        self._keep(request, response, BEGUN, begun, BEGUN_SECONDS, strict=False)
        return response

    async def come_back(self, request: Request) -> Response:
        """From the provider: who that is, and a session of their own, whatever the browser had before.

        The session's cookie is not sent along when another site leads here, so a page of ours leads on.
        """
        provider, query = self._provider(), _query(request)
        try:
            claims = self._library.engine.signer.verify(Purpose.PAGE_SIGN_IN, request.cookies.get(BEGUN, ""))
        except NotAllowed:
            raise NotSignedIn("This sign-in was not begun here, or took too long.") from None
        flow = Flow(claims["state"], claims["nonce"], claims["verifier"])
        identity = await provider.finish(flow, query)
        token = await self._admitted(identity.email, identity.name)
        caller = await self._callers.of_token(token.encode())
        assert caller is not None
        response = self._rendered("signed_in.html", after=place(claims["next"]))
        self._keep(request, response, COOKIE, self._callers.session(caller, token.encode()), SESSION_SECONDS)
        self._keep(request, response, BEGUN, "", 0, strict=False)
        return response

    def asked_for(self, request: Request, error: QuireError) -> Response:
        """The page instead of another that only those see who are signed in."""
        wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        leads_back = request.method == "GET" and not request.url.path.startswith(SIGN_IN) and "token=" not in wanted
        return self._shown(place(wanted) if leads_back else "/", error.status, "" if leads_back else error.message)

    def _shown(self, after: str, status: int = 200, problem: str = "") -> Response:
        return self._rendered(
            "sign_in.html",
            status,
            problem=problem,
            after=after,
            provider=self._provider_name() if self._settings.oidc_issuer else "",
            provider_link=f"{PROVIDER}?{urlencode({'next': after})}",
        )

    async def _admitted(self, email: str, name: str) -> str:
        """A token for the session of somebody who is known, or whose domain is let in."""
        try:
            address = email_address(email)
        except InvalidInput:
            raise NotAllowed("Your e-mail address cannot be used here.") from None
        domains = {one.strip().lower() for one in self._settings.oidc_create.split(",") if one.strip()}
        new = " ".join(name.split())[:200] if address.rpartition("@")[2] in domains else None
        label = f"Sign-in with {self._provider_name()}"
        token = await self._library.engine.people.admitted(address, label, SESSION_SECONDS, new)
        if token is None:
            raise NotAllowed(f"Nobody here has the address {address}.", hint="Ask whoever runs this server to add you.")
        return token

    def _provider(self) -> OpenIdProvider:
        if not self._settings.oidc_issuer:
            raise NotFound("page", PROVIDER)
        if self._known is None:
            self._known = provider_of(self._settings)
        return self._known

    def _provider_name(self) -> str:
        return self._settings.oidc_name or urlsplit(self._settings.oidc_issuer).hostname or ""

    def _keep(
        self, request: Request, response: Response, name: str, value: str, seconds: int, *, strict: bool = True
    ) -> None:
        secure = "https" in (request.url.scheme, self._settings.base_url.partition(":")[0])
        site = "strict" if strict else "lax"
        response.set_cookie(name, value, max_age=seconds, secure=secure, httponly=True, samesite=site)  # type: ignore[arg-type]


def provider_of(settings: Settings) -> OpenIdProvider:
    """Settings that cannot work are refused."""
    if not settings.oidc_client:
        raise InvalidInput("The setting 'oidc_client' is missing.", hint="It is the client id that the provider gave.")
    return make_provider(settings, settings.base_url + RETURN)


def refuse_bad_provider(settings: Settings) -> None:
    """Before anybody tries to sign in."""
    if settings.oidc_issuer:
        provider_of(settings)
        if not EXTRAS["oidc"].installed:
            raise Unsupported("Signing in with OpenID Connect needs an extra.", hint="quire extras add oidc")


def place(text: str) -> str:
    """A path of ours to go on to; the start page in place of anything else."""
    return text if PLACE.fullmatch(text) and not text.startswith((SIGN_IN, SIGN_OUT, "/api", "/mcp")) else "/"


def _query(request: Request) -> dict[str, str]:
    return dict(pairs(request.scope["query_string"]))
