"""A small provider of OpenID Connect on loopback, with a key of its own; a test can have it lie."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "quire-test", "the client's secret"


class Provider:
    """`claims` are put over those of each token, None takes one away; `person` is who signs in.

    `signs` makes the token of the claims; `description` is put over what the provider says of itself, and `answers`
    over what it sends back by the browser.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self.person: dict[str, Any] = {"sub": "1", "email": "ada@example.com", "email_verified": True, "name": "Ada"}
        self.begun: dict[str, dict[str, str]] = {}
        self.honest()

    def honest(self) -> None:
        self.claims: dict[str, Any] = {}
        self.description: dict[str, Any] = {}
        self.answers: dict[str, str] = {}
        self.signs = self.signed
        self.verifies = True

    def signed(self, claims: dict[str, Any]) -> str:
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.key)

    def described(self) -> dict[str, Any]:
        places = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        found = {name: f"{self.url}/{path}" for name, path in places.items()}
        return {"issuer": self.url, "userinfo_endpoint": f"{self.url}/person", **found} | self.description

    def authorize(self, query: dict[str, str]) -> str:
        """Where the browser goes on: whoever comes is signed in."""
        code = hashlib.sha256(query["state"].encode()).hexdigest()[:20]
        self.begun[code] = query
        sent = {"code": code, "state": query["state"], "iss": self.url} | self.answers
        return f"{query['redirect_uri']}?{urlencode({name: value for name, value in sent.items() if value})}"

    def token(self, given: dict[str, str], authorization: str) -> dict[str, Any] | None:
        begun = self.begun.pop(given.get("code", ""), None)
        basic = "Basic " + base64.b64encode(f"{CLIENT}:the%20client%27s%20secret".encode()).decode()
        if begun is None or authorization != basic or given["redirect_uri"] != begun["redirect_uri"]:
            return None
        digest = hashlib.sha256(given["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != begun["code_challenge"]:
            return None
        now = int(time.time())
        told = {"iss": self.url, "aud": CLIENT, "exp": now + 60, "iat": now, "nonce": begun["nonce"]}
        claims = {name: value for name, value in (told | self.person | self.claims).items() if value is not None}
        return {"id_token": self.signs(claims), "access_token": "access", "token_type": "Bearer"}


class Handler(BaseHTTPRequestHandler):
    provider: Provider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/authorize":
            self.send_response(302)
            self.send_header("Location", self.provider.authorize(query))
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif parts.path == "/.well-known/openid-configuration":
            self.answer(self.provider.described())
        elif parts.path == "/keys":
            self.answer({"keys": [self.provider.key.as_dict(private=False)]})
        elif parts.path == "/person" and self.headers["Authorization"] == "Bearer access":
            self.answer(self.provider.person)
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        given = {name: values[0] for name, values in parse_qs(body).items()}
        granted = self.provider.token(given, self.headers.get("Authorization", ""))
        self.answer(granted or {"error": "invalid_grant"}, 200 if granted else 400)

    def answer(self, data: Any, status: int = 200) -> None:
        body = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


@contextmanager
def providing() -> Iterator[Provider]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider = Provider(f"http://127.0.0.1:{server.server_address[1]}")
    Handler.provider = provider
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
