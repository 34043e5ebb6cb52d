"""Language models behind servers on loopback that speak each protocol, and fail in every way."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

import pytest
from loopback import Loopback, loopback, page

from quire.adapters.models.choice import KINDS, model_of
from quire.adapters.models.dialects import OpenAi
from quire.adapters.models.endpoint import Endpoint, Patience
from quire.domain.errors import InvalidInput, LimitReached, QuireError, Unsupported, Upstream
from quire.entry.settings import load

pytestmark = pytest.mark.anyio

SECRET = "sk-planted-0123456789"
HASTE = Patience(connect=5, silence=5, total=5, rests=(0.0, 0.0))


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with loopback() as made:
        yield made


def events(*data: Any, done: str = "") -> bytes:
    text = "".join(f"data: {json.dumps(one)}\r\n\r\n" for one in data) + done
    return page(text.encode(), media_type="text/event-stream")


def openai(*texts: str) -> bytes:
    said = [{"choices": [{"delta": {"content": text}, "finish_reason": None}]} for text in texts]
    first = {"choices": [{"delta": {"role": "assistant", "content": None}}]}
    last = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    return events(first, *said, last, {"choices": [], "usage": {}}, done="data: [DONE]\n\n")


def anthropic(*texts: str) -> bytes:
    said = [{"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}} for text in texts]
    thought = {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}}
    ending = [{"type": "message_delta", "delta": {"stop_reason": "end_turn"}}, {"type": "message_stop"}]
    return events({"type": "message_start"}, {"type": "ping"}, thought, *said, *ending)


def google(*texts: str) -> bytes:
    said = [{"candidates": [{"content": {"parts": [{"text": text}]}}]} for text in texts]
    thought = {"candidates": [{"content": {"parts": [{"text": "hm", "thought": True}]}}]}
    return events(thought, *said, {"candidates": [{"finishReason": "STOP"}]})


WAYS: dict[str, tuple[str, Callable[..., bytes]]] = {
    "openai:gpt": ("/v1/chat/completions", openai),
    "anthropic:claude": ("/v1/messages", anthropic),
    "google:gemini": ("/v1/models/gemini:streamGenerateContent", google),
}


def made(server: Loopback, model: str = "openai:gpt", key: str = SECRET) -> Endpoint:
    """The model of the settings, with less patience."""
    kind, _, name = model.partition(":")
    return Endpoint(KINDS[kind][0](False), server.url("/v1"), name, key, name=model, patience=HASTE)


async def said(model: Endpoint) -> list[str]:
    return [piece async for piece in model.generate("Be brief.", "Why?", 50)]


async def failure(model: Endpoint) -> QuireError:
    with pytest.raises(QuireError) as caught:
        await said(model)
    return caught.value


@pytest.mark.parametrize("model", WAYS)
async def test_an_answer_comes_in_pieces_over_each_protocol(server: Loopback, model: str) -> None:
    path, speak = WAYS[model]
    server.paths[path] = speak("Because ", "of the moon. [1]", " é")
    assert await said(made(server, model)) == ["Because ", "of the moon. [1]", " é"]
    assert server.seen[0].line.startswith(f"POST {path}")


async def test_each_protocol_is_asked_in_its_own_words(server: Loopback) -> None:
    for model, (path, speak) in WAYS.items():
        server.paths[path] = speak("Yes.")
        await said(made(server, model))
    first, second, third = server.seen
    assert first.headers["authorization"] == f"Bearer {SECRET}"
    assert json.loads(first.body) == {
        "model": "gpt",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}],
        "max_tokens": 50,
        "temperature": 0.1,
        "stream": True,
    }
    assert (second.headers["x-api-key"], second.headers["anthropic-version"]) == (SECRET, "2023-06-01")
    told = json.loads(second.body)
    assert (told["system"], told["max_tokens"], told["messages"][0]["content"]) == ("Be brief.", 50, "Why?")
    assert third.headers["x-goog-api-key"] == SECRET
    assert "alt=sse" in third.line
    told = json.loads(third.body)
    assert told["systemInstruction"]["parts"] == [{"text": "Be brief."}]
    assert not any(SECRET in seen.line for seen in server.seen)


async def test_openai_itself_is_asked_with_its_newer_names() -> None:
    body = OpenAi(own=True).body("gpt", "s", "p", 50)
    assert body["max_completion_tokens"] > 50
    assert not {"max_tokens", "temperature"} & body.keys()


@pytest.mark.parametrize(
    ("model", "answer"),
    [
        ("openai:gpt", {"choices": [{"message": {"content": "Whole."}}]}),
        ("anthropic:claude", {"content": [{"type": "thinking"}, {"type": "text", "text": "Whole."}]}),
        ("google:gemini", [{"candidates": [{"content": {"parts": [{"text": "Whole."}]}, "finishReason": "STOP"}]}]),
    ],
)
async def test_a_server_that_does_not_stream_is_understood_too(server: Loopback, model: str, answer: Any) -> None:
    server.paths[WAYS[model][0]] = page(json.dumps(answer).encode(), media_type="application/json")
    assert await said(made(server, model)) == ["Whole."]


@pytest.mark.parametrize(
    ("model", "event"),
    [
        ("openai:gpt", {"error": {"message": f"bad key {SECRET}"}}),
        ("openai:gpt", {"choices": [{"delta": {}, "finish_reason": "content_filter"}]}),
        ("anthropic:claude", {"type": "error", "error": {"type": "overloaded_error", "message": SECRET}}),
        ("anthropic:claude", {"type": "message_delta", "delta": {"stop_reason": "refusal"}}),
        ("google:gemini", {"error": {"code": 500, "message": SECRET}}),
        ("google:gemini", {"promptFeedback": {"blockReason": "SAFETY"}}),
        ("google:gemini", {"candidates": [{"finishReason": "SAFETY"}]}),
        ("openai:gpt", []),
        ("openai:gpt", {"choices": 5}),
        ("openai:gpt", {"choices": [{"delta": "x"}]}),
        ("anthropic:claude", {"type": "content_block_delta"}),
        ("google:gemini", {"candidates": [3]}),
    ],
)
async def test_an_error_inside_a_stream_is_an_error(server: Loopback, model: str, event: Any) -> None:
    server.paths[WAYS[model][0]] = events(event)
    error = await failure(made(server, model))
    assert isinstance(error, Upstream)
    assert SECRET not in f"{error.message} {error.hint} {error.details}"


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (400, Upstream, "answered 400"),
        (401, Upstream, "refused the key. See the setting model_key."),
        (403, Upstream, "refused the key"),
        (404, Upstream, "knows no such model. See the settings model and model_url."),
        (413, Upstream, "passages too long"),
        (429, LimitReached, "asked too often"),
        (302, Upstream, "answered 302"),
        (529, Upstream, "answered 529"),
    ],
)
async def test_a_refusal_says_what_to_do_and_repeats_nothing(
    server: Loopback, status: int, kind: type[QuireError], words: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    body = json.dumps({"error": {"message": f"Incorrect API key provided: {SECRET}"}}).encode()
    server.paths["/v1/chat/completions"] = page(body, f"Location: {server.url('/else')}", status=status)
    error = await failure(made(server))
    assert isinstance(error, kind)
    assert words in f"{error.message} {error.hint}"
    assert SECRET not in f"{error!r} {error.hint} {error.details} {error.__cause__!r} {caplog.text}"
    assert not any("/else" in seen.line for seen in server.seen)


async def test_what_may_pass_is_tried_again_and_no_longer_than_wise(server: Loopback) -> None:
    busy = page(b"", status=503)
    server.paths["/v1/chat/completions"] = [busy, busy, openai("At last.")]
    assert await said(made(server)) == ["At last."]
    assert len(server.seen) == 3
    server.paths["/v1/chat/completions"] = busy
    assert "503" in (await failure(made(server))).message
    assert len(server.seen) == 6
    server.paths["/v1/chat/completions"] = page(b"", "Retry-After: 3600", status=429)
    assert isinstance(await failure(made(server)), LimitReached)
    assert len(server.seen) == 7
    server.paths["/v1/chat/completions"] = page(b"", status=400)
    await failure(made(server))
    assert len(server.seen) == 8


async def breaks_off(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\n")
    writer.write(b'data: {"choices": [{"delta": {"content": "Half"}}]}\n\n')


async def drips(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
    while not writer.is_closing():
        writer.write(b": still here\n\n")
        await writer.drain()
        await asyncio.sleep(0.02)


async def floods(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ")
    while not writer.is_closing():
        writer.write(b"x" * 65_536)
        await writer.drain()


async def is_silent(writer: asyncio.StreamWriter) -> None:
    while not writer.is_closing():
        await asyncio.sleep(0.02)


async def test_an_answer_that_breaks_off_is_not_begun_again(server: Loopback) -> None:
    server.paths["/v1/chat/completions"] = breaks_off
    pieces = made(server).generate("s", "p", 5)
    assert await anext(pieces) == "Half"
    with pytest.raises(Upstream, match="broke off in the middle"):
        await anext(pieces)
    assert len(server.seen) == 1


async def test_a_stream_without_an_end_is_no_answer(server: Loopback) -> None:
    server.paths["/v1/chat/completions"] = events({"choices": [{"delta": {"content": "Half"}}]})
    assert "broke off" in (await failure(made(server))).message


@pytest.mark.parametrize(
    ("answer", "patience", "words"),
    [
        (drips, Patience(silence=5, total=0.3), "took too long"),
        (is_silent, Patience(silence=0.2), "took too long"),
        (floods, Patience(), "does not come to an end"),
    ],
)
async def test_an_endpoint_that_never_ends_is_given_up(
    server: Loopback, answer: Any, patience: Patience, words: str
) -> None:
    server.paths["/v1/chat/completions"] = answer
    error = await failure(Endpoint(OpenAi(own=False), server.url("/v1"), "m", patience=patience))
    assert words in error.message


async def test_an_endpoint_that_nobody_runs_says_which_setting(server: Loopback) -> None:
    nobody = Endpoint(OpenAi(own=False), f"http://127.0.0.99:{server.port}/v1", "m", SECRET, patience=HASTE)
    error = await failure(nobody)
    assert error.message == "The language model's endpoint cannot be reached."
    assert error.hint == "See the settings model and model_url."


async def test_closing_an_answer_ends_the_request(server: Loopback) -> None:
    closed = asyncio.Event()

    async def goes_on(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        try:
            while not writer.is_closing():
                writer.write(b'data: {"choices": [{"delta": {"content": "more "}}]}\n\n')
                await writer.drain()
                await asyncio.sleep(0.01)
        except ConnectionError:
            pass
        closed.set()

    server.paths["/v1/chat/completions"] = goes_on
    async with aclosing(made(server).generate("s", "p", 5)) as pieces:  # type: ignore[type-var]
        assert await anext(pieces) == "more "
    await asyncio.wait_for(closed.wait(), 10)


async def test_a_cancelled_answer_ends_the_request(server: Loopback) -> None:
    server.paths["/v1/chat/completions"] = is_silent
    asking = asyncio.create_task(said(made(server)))
    while not server.seen:
        await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


@pytest.mark.parametrize(
    ("model", "url", "environment", "name", "address", "key"),
    [
        ("openai:gpt-5", "", {"OPENAI_API_KEY": "a"}, "gpt-5", "https://api.openai.com/v1", "a"),
        ("anthropic:claude", "", {"ANTHROPIC_API_KEY": "b"}, "claude", "https://api.anthropic.com/v1", "b"),
        ("google:g", "", {"GOOGLE_API_KEY": "c"}, "g", "https://generativelanguage.googleapis.com/v1beta", "c"),
        ("google:g", "", {"GOOGLE_API_KEY": "c", "GEMINI_API_KEY": "d"}, "g", KINDS["google"][1], "d"),
        ("llama3.2:3b", "http://127.0.0.1:11434/v1/", {}, "llama3.2:3b", "http://127.0.0.1:11434/v1", ""),
        ("", "http://127.0.0.1:8080/v1", {}, "", "http://127.0.0.1:8080/v1", ""),
        ("openai:gpt", "https://proxy.example/v1", {"OPENAI_API_KEY": "a"}, "gpt", "https://proxy.example/v1", ""),
    ],
)
async def test_settings_choose_the_model(
    model: str, url: str, environment: dict[str, str], name: str, address: str, key: str
) -> None:
    """A key of the environment goes to its maker only."""
    chosen = model_of(model, url, "", environment)
    assert chosen is not None
    assert (chosen._model, chosen._url, chosen._key) == (name, address, key)
    assert chosen.name == (model or "127.0.0.1")


async def test_the_setting_wins_over_the_environment_and_no_setting_is_no_model() -> None:
    chosen = model_of("openai:gpt", "", "mine", {"OPENAI_API_KEY": "a"})
    assert chosen is not None
    assert chosen._key == "mine"
    assert model_of("", "", "", {"OPENAI_API_KEY": "a"}) is None


@pytest.mark.parametrize(
    ("model", "url", "key", "words"),
    [
        ("gpt-5", "", "", "must say whose model it is"),
        ("m", "127.0.0.1:8080", "", "must begin with http"),
        ("m", "http://[::1", "", "must begin with http"),
        ("m", f"http://me:{SECRET}@host/v1", "", "must hold no password"),
        ("m", "http://host/v1", f"{SECRET}\r\nX: y", "characters that no key has"),
        ("m", "http://host/v1", "kéy", "characters that no key has"),
    ],
)
async def test_settings_that_cannot_be_are_refused_without_showing_them(
    model: str, url: str, key: str, words: str
) -> None:
    with pytest.raises(InvalidInput, match=words) as caught:
        model_of(model, url, key, {})
    assert SECRET not in f"{caught.value!r} {caught.value.hint}"


async def test_settings_are_shown_without_keys() -> None:
    address = f"http://me:{SECRET}@host/v1"
    secret = {"model_url": address, "embedder_url": address, "model_key": SECRET, "embedder_key": SECRET}
    shown = load({"model": "m", **secret}, {}).shown()
    assert SECRET not in str(shown)
    assert (shown["model_url"], shown["model_key"]) == ("http://me:***@host/v1", "(set)")


async def test_a_model_without_its_key_says_where_to_put_it() -> None:
    for kind, variable in (
        ("openai", "OPENAI_API_KEY"),
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("google", "GEMINI_API_KEY"),
    ):
        chosen = model_of(f"{kind}:m", "", "", {})
        assert chosen is not None
        error = await failure(chosen)
        assert isinstance(error, Unsupported)
        assert error.hint == f"Set model_key or {variable}."
        with pytest.raises(Unsupported):
            await chosen.check()


async def test_a_check_tells_whether_endpoint_key_and_model_are_good(server: Loopback) -> None:
    good = page(b"{}", media_type="application/json")
    server.paths["/v1/models"] = good
    assert await made(server).check() == "openai:gpt"
    server.paths["/v1/models"] = page(b"", status=404)
    assert await made(server).check() == "openai:gpt"
    server.paths["/v1/models/claude"] = [good, page(b"", status=401), page(b"", status=404)]
    assert await made(server, "anthropic:claude").check() == "anthropic:claude"
    with pytest.raises(Upstream, match="refused the key"):
        await made(server, "anthropic:claude").check()
    with pytest.raises(Upstream, match="no such model"):
        await made(server, "anthropic:claude").check()
    with pytest.raises(Upstream, match="cannot be reached"):
        await Endpoint(OpenAi(own=False), f"http://127.0.0.99:{server.port}/v1", "m").check()
