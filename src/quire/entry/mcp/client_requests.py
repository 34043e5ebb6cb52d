"""The client on the other side, asked for something in the middle of a call.

In the 2025 era the server sends a request and waits. In the 2026 era the call ends with the
requests as its result and is made again with the answers; those of earlier rounds travel in
the sealed request state. `ask` looks the same in both.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, cast

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from quire.api.context import InputNeeded
from quire.domain.errors import Unsupported, Upstream

RESULTS: dict[str, type[BaseModel]] = {
    "sampling/createMessage": types.CreateMessageResult,
    "elicitation/create": types.ElicitResult,
    "roots/list": types.ListRootsResult,
}
CAPABILITIES = {"sampling/createMessage": "sampling", "elicitation/create": "elicitation", "roots/list": "roots"}


class ClientRequests:
    """The requests of one call; `answers` are those that came so far, with what else must outlast a round."""

    def __init__(self, context: ServerRequestContext[Any, Any], params: Any) -> None:
        self._context = context
        self.modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        self.answers: dict[str, Any] = {}
        if self.modern:
            self._recall(params)

    def can(self, method: str) -> bool:
        """Whether the client said that it answers such requests."""
        capabilities = self._context.session.client_capabilities
        return capabilities is not None and getattr(capabilities, CAPABILITIES[method], None) is not None

    async def ask(self, requests: Mapping[str, types.InputRequest]) -> dict[str, Any]:
        """The answers by key. In the 2026 era this may end the call with InputNeeded instead."""
        for request in requests.values():
            if not self.can(request.method):
                raise self._unable(request.method)
        if not self.modern:
            return {key: await self._push(request) for key, request in requests.items()}
        answers = {key: self._answer(key, request.method) for key, request in requests.items()}
        missing = {key: request for key, request in requests.items() if answers[key] is None}
        if missing:
            raise InputNeeded(dict(missing))
        return answers

    def state(self) -> str | None:
        """What must travel to the next round; the server seals it."""
        return json.dumps({key: _dumped(answer) for key, answer in self.answers.items()}) if self.answers else None

    async def _push(self, request: types.InputRequest) -> Any:
        try:
            return await self._context.session.send_request(
                cast(Any, request),
                RESULTS[request.method],
                metadata=ServerMessageMetadata(related_request_id=self._context.request_id),
            )
        except MCPError as error:
            raise Upstream(f"Your client refused the request: {error.error.message[:200]}") from None
        except ValidationError:
            raise Upstream("Your client's answer is not valid.") from None

    def _answer(self, key: str, method: str) -> Any:
        """None where there is none yet; one that is not valid is asked for again."""
        if key not in self.answers:
            return None
        try:
            return RESULTS[method].model_validate(_dumped(self.answers[key]))
        except ValidationError:
            del self.answers[key]
            return None

    def _unable(self, method: str) -> Exception:
        """The 2026 era has a JSON-RPC error for this; before, it is the tool's own."""
        missing = CAPABILITIES[method]
        message = f"Your client does not offer {missing}, which this needs."
        if self.modern:
            return MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, message, {"requiredCapabilities": {missing: {}}})
        return Unsupported(message)

    def _recall(self, params: Any) -> None:
        state = getattr(params, "request_state", None)
        if state:
            self.answers.update(json.loads(state))
        self.answers.update(getattr(params, "input_responses", None) or {})


class ClientSampler:
    """The client's own language model."""

    def __init__(self, client: ClientRequests) -> None:
        self._client = client

    async def sample(self, prompt: str, *, system: str | None = None, max_tokens: int = 1000) -> str:
        key = "sample-" + hashlib.sha256(json.dumps([system, prompt, max_tokens]).encode()).hexdigest()[:24]
        request = types.CreateMessageRequest(
            params=types.CreateMessageRequestParams(
                messages=[types.SamplingMessage(role="user", content=types.TextContent(text=prompt))],
                system_prompt=system,
                max_tokens=max_tokens,
            )
        )
        answers = await self._client.ask({key: request})
        content = answers[key].content
        if not isinstance(content, types.TextContent):
            raise Upstream("Your client's model did not answer with text.")
        return content.text


def _dumped(answer: Any) -> Any:
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True) if isinstance(answer, BaseModel) else answer
