"""Any model behind an OpenAI-compatible endpoint, streamed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import httpx2

from quire.domain.errors import LimitReached, NotSignedIn, Upstream

SECONDS = 120.0


class ChatCompletions:
    """`url` ends before `/chat/completions`. The key goes into the header and nowhere else."""

    def __init__(self, url: str, model: str, key: str = "") -> None:
        self._url = url.rstrip("/")
        self._model = model
        self._key = key
        self.name = model

    async def generate(self, system: str, prompt: str, max_tokens: int) -> AsyncIterator[str]:
        body = {
            "model": self._model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt}],
            "max_tokens": max_tokens,
            "temperature": 0.1,
            "stream": True,
        }
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        try:
            async with (
                httpx2.AsyncClient(timeout=SECONDS) as client,
                client.stream("POST", f"{self._url}/chat/completions", json=body, headers=headers) as response,
            ):
                if response.status_code in (401, 403):
                    raise NotSignedIn("The language model's endpoint refused the key.", hint="See model_key.")
                if response.status_code == 429:
                    raise LimitReached("The language model's endpoint is asked too often.")
                if response.status_code >= 400:
                    raise Upstream(f"The language model's endpoint answered {response.status_code}.")
                async for line in response.aiter_lines():
                    piece = _piece(line)
                    if piece:
                        yield piece
        except httpx2.TimeoutException:
            raise Upstream("The language model took too long.") from None
        except httpx2.TransportError:
            raise Upstream("The language model's endpoint cannot be reached.", hint="See model_url.") from None


def _piece(line: str) -> str:
    if not line.startswith("data:") or line.removeprefix("data:").strip() == "[DONE]":
        return ""
    try:
        choices = json.loads(line.removeprefix("data:"))["choices"]
        return str(choices[0]["delta"].get("content") or "") if choices else ""
    except (ValueError, KeyError, IndexError, TypeError):
        raise Upstream("The language model's endpoint answered in an unknown form.") from None
