"""The client's own model, asked in the middle of a call: pushed in 2025, returned and made again in 2026."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp_serving import HERE, each_once, over_http, over_stdio, refusal, serving
from musing import musing_door

from warm_start import warm_python

pytestmark = pytest.mark.anyio


class Model:
    """A client's model that answers in capitals and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[types.CreateMessageRequestParams] = []

    async def __call__(self, context: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        self.asked.append(params)
        return said(prompt(params).upper())


def prompt(params: types.CreateMessageRequestParams) -> str:
    (message,) = params.messages
    assert isinstance(message.content, types.TextContent)
    return message.content.text


def said(text: str) -> types.CreateMessageResult:
    return types.CreateMessageResult(role="assistant", content=types.TextContent(text=text), model="test")


@asynccontextmanager
async def musing(wire: str, era: str, home: Path, **options: Any) -> AsyncIterator[Client]:
    if wire == "http":
        async with serving(home, musing_door) as (url, _), over_http(url, era, **options) as client:
            yield client
        return
    argv = [*warm_python(), str(HERE / "fixture_process.py"), str(home)]
    async with over_stdio(argv, era, home.parent / "stderr.txt", **options) as client:
        yield client


@each_once
async def test_a_call_that_asks_twice_gets_both_answers(home: Path, wire: str, era: str) -> None:
    model = Model()
    async with musing(wire, era, home, sampling_callback=model) as client:
        result = await client.call_tool("muse", {"topic": "owls"})
        assert result.structured_content == {"first": "ABOUT OWLS", "second": "AGAIN: ABOUT OWLS"}
        assert [prompt(params) for params in model.asked] == ["About owls", "Again: ABOUT OWLS"]
        assert (model.asked[0].system_prompt, model.asked[0].max_tokens) == ("Be short.", 20)


async def test_a_client_without_a_model_gets_a_clear_error(home: Path, era: str) -> None:
    async with musing("http", era, home) as client:
        result = await client.call_tool("muse", {"topic": "owls"})
        assert result.is_error
        assert "This needs a client that lends its model." in str(result.content)
        assert result.structured_content is not None
        assert result.structured_content["code"] == "unsupported"


async def test_a_client_that_refuses_to_sample_ends_the_call_with_an_error(home: Path, era: str) -> None:
    async def refuse(context: Any, params: Any) -> types.ErrorData:
        return types.ErrorData(code=-1, message="The person said no.")

    async with musing("http", era, home, sampling_callback=refuse) as client:
        if era == "2026":
            error = await refusal(client.call_tool("muse", {"topic": "owls"}))
            assert error.message == "The person said no."
            return
        result = await client.call_tool("muse", {"topic": "owls"})
        assert result.is_error
        assert "The person said no." in str(result.content)


async def test_an_answer_that_is_not_text_is_an_error(home: Path, era: str) -> None:
    async def picture(context: Any, params: Any) -> types.CreateMessageResult:
        content = types.ImageContent(data="aGk=", mime_type="image/png")
        return types.CreateMessageResult(role="assistant", content=content, model="test")

    async with musing("http", era, home, sampling_callback=picture) as client:
        result = await client.call_tool("muse", {"topic": "owls"})
        assert result.is_error
        assert "did not answer with text" in str(result.content)


async def test_earlier_answers_travel_in_sealed_state(home: Path) -> None:
    async with musing("http", "2026", home, sampling_callback=Model()) as client:

        async def muse(topic: str, **more: Any) -> Any:
            return await client.session.call_tool("muse", {"topic": topic}, allow_input_required=True, **more)

        first = await muse("owls")
        ((first_key, request),) = first.input_requests.items()
        assert (prompt(request.params), first.request_state) == ("About owls", None)

        second = await muse("owls", input_responses={first_key: said("a secret of owls")})
        ((second_key, request),) = second.input_requests.items()
        assert prompt(request.params) == "Again: a secret of owls"
        assert second_key != first_key
        assert "secret" not in second.request_state

        answers = {second_key: said("more")}
        done = await muse("owls", input_responses=answers, request_state=second.request_state)
        assert done.structured_content == {"first": "a secret of owls", "second": "more"}

        state = second.request_state
        flipped = state[:-6] + ("A" if state[-6] != "A" else "B") + state[-5:]
        for topic, forged in (("owls", flipped), ("owls", state + "x"), ("owls", "{}"), ("owls", ""), ("mice", state)):
            error = await refusal(muse(topic, input_responses=answers, request_state=forged))
            assert error.code == types.INVALID_PARAMS
            assert "requestState" in error.message

        again = await muse("owls", input_responses={"something-else": said("unasked")})
        assert list(again.input_requests) == [first_key]


async def test_state_is_good_after_a_restart(home: Path) -> None:
    async with musing("http", "2026", home, sampling_callback=Model()) as client:
        first = await client.session.call_tool("muse", {"topic": "owls"}, allow_input_required=True)
        assert isinstance(first, types.InputRequiredResult)
        (key,) = first.input_requests or {}
        second = await client.session.call_tool(
            "muse", {"topic": "owls"}, input_responses={key: said("One")}, allow_input_required=True
        )
        assert isinstance(second, types.InputRequiredResult)
    async with musing("http", "2026", home, sampling_callback=Model()) as client:
        (key,) = second.input_requests or {}
        done = await client.call_tool(
            "muse", {"topic": "owls"}, input_responses={key: said("Two")}, request_state=second.request_state
        )
        assert done.structured_content == {"first": "One", "second": "Two"}
