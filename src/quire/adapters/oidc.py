"""OpenID Connect: who somebody is, as a provider says it, by the authorization code flow with PKCE.

Nothing is believed but what the provider signed for this server, for this sign-in, with a key of its own.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from quire.adapters.web import Patience, Web
from quire.domain.errors import InvalidInput, NotSignedIn, QuireError, Unsupported, Upstream
from quire.ports.openid import Flow, Identity

# With keys that only the provider has: `none` is unsigned, and HS256 would be signed with what we know, too.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
SCOPES = "openid email profile"
LIMIT = 1024 * 1024
KEPT_SECONDS = 3600.0
# Keys are asked for again when one is unknown, but not with every token that names a new one.
ASK_AGAIN = 30.0
LEEWAY = 60
LONGEST = 16 * 1024


class OpenIdConnect:
    """One provider, as its settings describe it. What it says of itself is kept for an hour."""

    def __init__(self, issuer: str, client_id: str, secret: str, returns_to: str, *, private: bool = False) -> None:
        parts = urlsplit(issuer)
        if parts.scheme not in ("https", "http") or not parts.hostname or (parts.scheme == "http" and not private):
            raise InvalidInput(
                "The setting 'oidc_issuer' must be an address that begins with https://.",
                hint="One without https, or at a private address, needs oidc_private.",
            )
        self._issuer = issuer
        self._client_id = client_id
        self._secret = secret
        self._returns_to = returns_to
        self._web = Web([parts.hostname] if private else (), LIMIT, Patience(connect=5, silence=10, total=20))
        self._insecure = parts.scheme == "http"
        self._described: tuple[float, dict[str, Any]] | None = None
        self._keys: tuple[float, Any] | None = None

    async def begin(self) -> tuple[str, Flow]:
        """Where a browser signs in, and what it is recognised by when it comes back."""
        description = await self._description()
        flow = Flow(secrets.token_urlsafe(24), secrets.token_urlsafe(24), secrets.token_urlsafe(48))
        challenge = hashlib.sha256(flow.verifier.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": self._returns_to,
            "scope": SCOPES,
            "state": flow.state,
            "nonce": flow.nonce,
            "code_challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        address = description["authorization_endpoint"]
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}", flow

    async def finish(self, flow: Flow, answer: Mapping[str, str]) -> Identity:
        """Who came back with this answer of the provider's."""
        if not hmac.compare_digest(answer.get("state", "").encode(), flow.state.encode()):
            raise NotSignedIn("This is not the sign-in that was begun here.")
        description = await self._description()
        # An answer of another provider's, sent here by whoever stands between (RFC 9207).
        said = answer.get("iss")
        if said != self._issuer and (said or description.get("authorization_response_iss_parameter_supported")):
            raise NotSignedIn("The answer is not of the provider that was asked.")
        if "error" in answer or not answer.get("code"):
            raise NotSignedIn("The provider did not sign you in.")
        granted = await self._granted(description, answer["code"], flow.verifier)
        claims = await self._checked(description, granted.get("id_token"), flow.nonce)
        if "email" not in claims and "userinfo_endpoint" in description and granted.get("access_token"):
            claims |= await self._told(description["userinfo_endpoint"], granted["access_token"], claims["sub"])
        email = claims.get("email")
        if not isinstance(email, str) or not email:
            raise NotSignedIn("The provider tells no e-mail address.")
        if claims.get("email_verified") not in (True, "true"):
            raise NotSignedIn("The provider has not verified your e-mail address.")
        name = claims.get("name")
        return Identity(email, name if isinstance(name, str) and name.strip() else email.partition("@")[0])

    async def _description(self) -> dict[str, Any]:
        if self._described is not None and self._described[0] > time.monotonic():
            return self._described[1]
        found = await self._json(f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
        if found.get("issuer") != self._issuer:
            raise Upstream("The provider describes itself as another one.", hint="oidc_issuer must be its own words.")
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            self._refuse_insecure(name, found.get(name))
        self._described = (time.monotonic() + KEPT_SECONDS, found)
        return found

    def _refuse_insecure(self, name: str, address: object) -> None:
        schemes = ("https", "http") if self._insecure else ("https",)
        if not isinstance(address, str) or urlsplit(address).scheme not in schemes:
            raise Upstream(f"The provider has no {name} that can be used.")

    async def _granted(self, description: Mapping[str, Any], code: str, verifier: str) -> dict[str, Any]:
        given = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._returns_to,
            "client_id": self._client_id,
            "code_verifier": verifier,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        ways = description.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        if self._secret and "client_secret_basic" in ways:
            pair = f"{quote(self._client_id, safe='')}:{quote(self._secret, safe='')}"
            headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
        elif self._secret:
            given["client_secret"] = self._secret
        try:
            return await self._json(description["token_endpoint"], urlencode(given).encode(), headers)
        except QuireError:
            raise NotSignedIn("The provider did not confirm the sign-in.") from None

    async def _told(self, address: str, token: str, subject: object) -> dict[str, Any]:
        self._refuse_insecure("userinfo_endpoint", address)
        told = await self._json(address, headers={"Authorization": f"Bearer {token}"})
        if told.get("sub") != subject:
            raise NotSignedIn("The provider speaks of somebody else.")
        return {name: told[name] for name in ("email", "email_verified", "name") if name in told}

    async def _checked(self, description: Mapping[str, Any], token: object, nonce: str) -> dict[str, Any]:
        """The claims of a token that was made for this server and this sign-in, and has not run out."""
        try:
            from joserfc import jwt
            from joserfc.errors import JoseError
        except ImportError:
            raise Unsupported("Signing in with OpenID Connect needs an extra.", hint="quire extras add oidc") from None
        wrong = NotSignedIn("The provider's answer cannot be believed.")
        if not isinstance(token, str) or len(token) > LONGEST:
            raise wrong
        claims: dict[str, Any] | None = None
        for anew in (False, True):
            keys = await self._key_set(description["jwks_uri"], anew=anew)
            try:
                claims = dict(jwt.decode(token, keys, algorithms=ALGORITHMS).claims)
                break
            except (JoseError, ValueError, KeyError, TypeError):
                continue
        if claims is None:
            raise wrong
        now = time.time()
        audience = claims.get("aud")
        ours = audience if isinstance(audience, list) else [audience]
        times = [claims.get("exp"), claims.get("iat", now), claims.get("nbf", now)]
        if not all(isinstance(one, int | float) and not isinstance(one, bool) for one in times):
            raise wrong
        expires, issued, begins = times
        good = (
            claims.get("iss") == self._issuer
            and self._client_id in ours
            and claims.get("azp", self._client_id) == self._client_id
            and (len(ours) == 1 or "azp" in claims)
            and expires > now - LEEWAY
            and issued < now + LEEWAY
            and begins < now + LEEWAY
            and isinstance(claims.get("nonce"), str)
            and hmac.compare_digest(claims["nonce"].encode(), nonce.encode())
            and isinstance(claims.get("sub"), str)
        )
        if not good:
            raise wrong
        return claims

    async def _key_set(self, address: str, *, anew: bool) -> Any:
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        kept = self._keys
        if kept is not None:
            age = time.monotonic() - kept[0]
            if age < (ASK_AGAIN if anew else KEPT_SECONDS):
                return kept[1]
        found = await self._json(address)
        try:
            keys = KeySet.import_key_set(found)  # type: ignore[arg-type]
        except (JoseError, ValueError, KeyError, TypeError, AttributeError):
            raise Upstream("The provider's keys cannot be read.") from None
        self._keys = (time.monotonic(), keys)
        return keys

    async def _json(
        self, url: str, content: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        try:
            page = await self._web.request(url, content, headers or {})
            data = json.loads(b"".join([chunk async for chunk in page.file.chunks()]))
        except (InvalidInput, Upstream) as error:
            raise Upstream(f"The provider cannot be reached: {error.message}") from None
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise Upstream("The provider answered in a shape that Quire does not know.")
        return data
