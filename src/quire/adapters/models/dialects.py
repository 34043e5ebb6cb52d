"""How the three kinds of endpoints are asked, and how their answers read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote

from quire.domain.errors import Upstream

# Hosted models think before they write, and what they think counts.
THINKING_TOKENS = 4_000


@dataclass(frozen=True)
class Piece:
    """What one event of a stream says: more text, or that this was the end."""

    text: str = ""
    last: bool = False


class Dialect(Protocol):
    """`path`, `headers` and `body` make the request; `piece` reads an event, `whole` an answer that was not streamed.

    An event of another form raises LookupError, TypeError or AttributeError.
    """

    def path(self, model: str) -> str: ...

    def check_path(self, model: str) -> str:
        """What can be asked for nothing, to see whether key and model are good."""
        ...

    def headers(self, key: str) -> dict[str, str]: ...

    def body(self, model: str, system: str, prompt: str, max_tokens: int) -> dict[str, Any]: ...

    def piece(self, event: Any) -> Piece: ...

    def whole(self, answer: Any) -> str: ...


class OpenAi:
    """OpenAI's chat completions, as many servers speak them. `own` is OpenAI itself, which has newer names."""

    def __init__(self, *, own: bool) -> None:
        self._own = own

    def path(self, model: str) -> str:
        return "/chat/completions"

    def check_path(self, model: str) -> str:
        return f"/models/{quote(model, safe='')}" if self._own else "/models"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, model: str, system: str, prompt: str, max_tokens: int) -> dict[str, Any]:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        body: dict[str, Any] = {"model": model, "messages": messages, "stream": True}
        if self._own:
            return body | {"max_completion_tokens": max_tokens + THINKING_TOKENS}
        return body | {"max_tokens": max_tokens, "temperature": 0.1}

    def piece(self, event: Any) -> Piece:
        if event.get("error"):
            raise failed()
        if not event["choices"]:
            return Piece()
        choice = event["choices"][0]
        if choice.get("finish_reason") == "content_filter":
            raise declined()
        return Piece((choice.get("delta") or {}).get("content") or "", bool(choice.get("finish_reason")))

    def whole(self, answer: Any) -> str:
        return str(answer["choices"][0]["message"]["content"] or "")


class Anthropic:
    def path(self, model: str) -> str:
        return "/messages"

    def check_path(self, model: str) -> str:
        return f"/models/{quote(model, safe='')}"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}

    def body(self, model: str, system: str, prompt: str, max_tokens: int) -> dict[str, Any]:
        messages = [{"role": "user", "content": prompt}]
        return {"model": model, "system": system, "messages": messages, "max_tokens": max_tokens, "stream": True}

    def piece(self, event: Any) -> Piece:
        match event["type"]:
            case "error":
                raise failed()
            case "content_block_delta" if event["delta"]["type"] == "text_delta":
                return Piece(event["delta"]["text"])
            case "message_delta" if event["delta"].get("stop_reason") == "refusal":
                raise declined()
            case kind:
                return Piece(last=kind == "message_stop")

    def whole(self, answer: Any) -> str:
        return "".join(block["text"] for block in answer["content"] if block["type"] == "text")


class Google:
    def path(self, model: str) -> str:
        return f"/models/{quote(model, safe='')}:streamGenerateContent?alt=sse"

    def check_path(self, model: str) -> str:
        return f"/models/{quote(model, safe='')}"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-goog-api-key": key}

    def body(self, model: str, system: str, prompt: str, max_tokens: int) -> dict[str, Any]:
        return {
            "systemInstruction": {"parts": [{"text": system}]},
            "contents": [{"role": "user", "parts": [{"text": prompt}]}],
            "generationConfig": {"maxOutputTokens": max_tokens + THINKING_TOKENS},
        }

    def piece(self, event: Any) -> Piece:
        if event.get("error"):
            raise failed()
        if (event.get("promptFeedback") or {}).get("blockReason"):
            raise declined()
        candidates = event.get("candidates")
        if not candidates:
            return Piece()
        reason = candidates[0].get("finishReason")
        if reason not in (None, "STOP", "MAX_TOKENS"):
            raise declined()
        parts = (candidates[0].get("content") or {}).get("parts") or []
        return Piece("".join(part.get("text", "") for part in parts if not part.get("thought")), reason is not None)

    def whole(self, answer: Any) -> str:
        events = answer if isinstance(answer, list) else [answer]
        return "".join(self.piece(event).text for event in events)


def failed() -> Upstream:
    return Upstream("The language model's endpoint broke off with an error of its own.")


def declined() -> Upstream:
    return Upstream("The language model's endpoint declined to answer this.")
