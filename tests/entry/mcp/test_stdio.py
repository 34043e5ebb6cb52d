"""stdio with everything that may go wrong on a pipe."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp_serving import HERE, command, environment
from raw_process import INFO, pipe_closed_early, raw_process

from quire.entry.bootstrap import build
from quire.entry.mcp import main
from quire.entry.settings import load
from warm_start import warm_python

pytestmark = pytest.mark.anyio

COLD = (sys.executable,)
PARSE, INVALID, NO_METHOD, PARAMS = -32700, -32600, -32601, -32602
HELLO = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": INFO},
}
ADD = {"name": "add_note", "arguments": {"title": "T", "content": "C"}}


def fixture(home: Path, *more: str) -> list[str]:
    return [*warm_python(), str(HERE / "fixture_process.py"), str(home), *more]


def request(method: str, params: Any, id: Any = 7) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params})


BAD_LINES: dict[str, tuple[bytes | str, int, Any]] = {
    "not JSON": ("hello", PARSE, None),
    "half a message": ('{"jsonrpc": "2.0", "id": 1, "method": "tools/list"', PARSE, None),
    "not UTF-8": (b'{"jsonrpc": "2.0", "id": 1, "method": "\xff"}', PARSE, None),
    "a batch": (f"[{request('ping', {})}]", INVALID, None),
    "an empty batch": ("[]", INVALID, None),
    "a number": ("42", INVALID, None),
    "null": ("null", INVALID, None),
    "an empty object": ("{}", INVALID, None),
    "another protocol": ('{"jsonrpc": "1.0", "id": 5, "method": "ping"}', INVALID, 5),
    "no protocol": ('{"id": "five", "method": "ping"}', INVALID, "five"),
    "a method that is a number": ('{"jsonrpc": "2.0", "id": 5, "method": 5}', INVALID, 5),
    "an id that is an object": ('{"jsonrpc": "2.0", "id": {}, "method": "ping"}', INVALID, None),
    "an id that is null": ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', INVALID, None),
    "an id that is a fraction": ('{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', INVALID, None),
    "an id that is true": ('{"jsonrpc": "2.0", "id": true, "method": "ping"}', INVALID, None),
    "params that are a list": ('{"jsonrpc": "2.0", "id": 5, "method": "ping", "params": [1]}', INVALID, 5),
    "a lone surrogate": (
        '{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": '
        '{"name": "add_note", "arguments": {"title": "\\ud800", "content": "x"}}}',
        INVALID,
        5,
    ),
    "a lone surrogate as id": ('{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', INVALID, "\ud800"),
    "deep nesting": ('{"jsonrpc": "2.0", "id": 5, "params": ' + "[" * 100_000 + "]" * 100_000 + "}", PARSE, None),
    "an unknown method": (request("no/such", {}), NO_METHOD, 7),
    "an unknown tool": (request("tools/call", {"name": "no_such"}), PARAMS, 7),
    "a tool without a name": (request("tools/call", {}), PARAMS, 7),
    "arguments that are a string": (request("tools/call", {"name": "add_note", "arguments": "x"}), PARAMS, 7),
    "a handshake too many eras late": (
        request("tools/list", {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}),
        INVALID,
        7,
    ),
}

BAD_ARGUMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "NUL": ({"title": "a\0b", "content": "x"}, "NUL"),
    "a number": ({"title": 5, "content": "x"}, "title: must be a string"),
    "a list": ({"title": ["a"], "content": "x"}, "title: must be a string"),
    "null": ({"title": None, "content": "x"}, "title: must be a string"),
    "an unknown argument": ({"title": "a", "content": "x", "colour": "red"}, "colour: is not an argument"),
    "ten megabytes": ({"title": "a", "content": "x" * 10_000_000}, "content: "),
    "ten megabytes in the name of an argument": ({"title": "a", "content": "b", "x" * 10_000_000: 1}, "xxx"),
    "deep nesting": ({"title": json.loads("[" * 150 + "]" * 150), "content": "x"}, "title: must be a string"),
}


async def test_every_bad_line_gets_its_error_and_the_server_goes_on(home: Path) -> None:
    async with raw_process(command(home)) as raw:
        for name, (line, code, id) in BAD_LINES.items():
            await raw.send(line)
            answer = await raw.receive()
            assert (answer["error"]["code"], answer["id"]) == (code, id), (name, answer)
            assert answer["error"]["message"], name
        for ignored in (
            b"",
            b"  \t ",
            b"\r",
            '{"jsonrpc": "1.0", "method": "x"}',
            '{"jsonrpc": "2.0", "id": 99, "result": {}}',
        ):
            await raw.send(ignored)
        assert "No notes found" in (await raw.call("list_notes"))["result"]["content"][0]["text"]
        assert await raw.end() == (0, b"", "")


async def test_every_bad_argument_gets_a_clear_error_and_the_server_goes_on(home: Path) -> None:
    async with raw_process(command(home)) as raw:
        for name, (arguments, message) in BAD_ARGUMENTS.items():
            result = (await raw.call("add_note", **arguments))["result"]
            assert result["isError"] is True, name
            text = result["content"][0]["text"]
            assert message in text, name
            assert text.endswith("❌"), name
            assert len(text) < 1000, name
            assert result["structuredContent"]["code"] in ("invalid_input", "too_large"), name
        assert "No notes found" in (await raw.call("list_notes"))["result"]["content"][0]["text"]
        assert await raw.end() == (0, b"", "")


async def test_a_request_before_the_handshake_is_refused_and_the_handshake_still_works(home: Path) -> None:
    async with raw_process(command(home), begun=False) as raw:
        assert (await raw.ask("tools/list"))["error"]["code"] == PARAMS
        assert (await raw.ask("ping"))["result"] == {}
        await raw.initialize()
        assert len((await raw.ask("tools/list"))["result"]["tools"]) >= 6
        assert await raw.end() == (0, b"", "")


async def test_a_line_over_the_limit_is_refused_whole(home: Path) -> None:
    async with raw_process(fixture(home, "2000000")) as raw:
        for size in (2_000_001, 5_000_000):
            await raw.send(b"x" * size)
            answer = await raw.receive()
            assert (answer["error"]["code"], answer["id"]) == (INVALID, None)
            assert "2000000" in answer["error"]["message"]
        fitting = request("ping", {})
        await raw.send(fitting.ljust(2_000_000))
        assert (await raw.receive())["result"] == {}
        assert await raw.end() == (0, b"", "")


async def test_nothing_but_the_protocol_reaches_stdout(home: Path) -> None:
    async with raw_process(fixture(home)) as raw:
        answer = await raw.call("printing")
        assert answer["result"]["content"][0]["text"] == "stdin is empty: True"
        code, rest, errors = await raw.end()
        assert (code, rest) == (0, b"")
        assert errors == "printed\nwritten\nsaid by a child\n"


async def test_what_breaks_inside_is_masked_and_the_server_goes_on(home: Path) -> None:
    async with raw_process(fixture(home)) as raw:
        broken = await raw.call("breaking")
        assert broken["error"]["code"] == -32603
        assert "log id" in broken["error"]["message"]
        assert "secret" not in str(broken)
        unsendable = await raw.call("surrogate")
        assert unsendable["error"]["code"] == -32603
        assert (await raw.ask("ping"))["result"] == {}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_process_cleanly_in_the_middle_of_a_call(home: Path, number: signal.Signals) -> None:
    async with raw_process(fixture(home)) as raw:
        stored = (await raw.call("add_note", title="Kept", content="x"))["result"]["structuredContent"]["note_id"]
        await raw.begin("endless", token="t")
        await raw.progress()
        code, rest, errors = await raw.stopped_by(number)
        assert (code, errors) == (0, "")
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    async with build(load({"home": home}, {})) as library:
        assert (await library.notes.get(None, stored)).title == "Kept"


async def test_stdin_closed_in_the_middle_of_calls_loses_nothing_that_was_acknowledged(home: Path) -> None:
    async with raw_process(fixture(home, "2000000", "1")) as raw:
        await raw.begin("endless")
        for number in range(20):
            await raw.begin("add_note", title=f"Note {number}", content="x")
        code, rest, errors = await raw.end()
        assert (code, errors) == (0, "")
    told = [json.loads(line) for line in rest.splitlines()]
    acknowledged = {one["result"]["structuredContent"]["note_id"] for one in told if "result" in one}
    assert acknowledged
    async with build(load({"home": home}, {})) as library:
        assert {note.id for note in await library.notes.list()} >= acknowledged


async def test_stdin_closed_while_a_job_runs_ends_the_process_and_the_job(home: Path) -> None:
    many = "".join(f"# Note {number}\n\nText\n\n" for number in range(30_000))
    async with raw_process(fixture(home, "2000000", "0.1")) as raw:
        await raw.begin("import_notes", token="t", text=many)
        while not (await raw.progress())["progress"]:
            pass
        code, _, errors = await raw.end()
        assert (code, errors) == (0, "")
    async with build(load({"home": home}, {})) as library:
        (job,) = await library.jobs.list()
        assert job.state == "cancelled"
        assert job.done < 30_000
        assert (await library.notes.list(limit=1)).total == job.done


async def test_stdout_closed_ends_the_process_without_a_traceback(home: Path) -> None:
    lines = [json.dumps(HELLO), request("tools/call", ADD), request("tools/list", {})] * 20
    assert pipe_closed_early(command(home), "\n".join(lines).encode()) == (0, "")


async def test_stdout_closed_in_the_middle_of_a_call_ends_the_process(home: Path) -> None:
    async with raw_process(fixture(home)) as raw:
        await raw.begin("endless", token="t")
        await raw.receive()
        assert raw.process.stdout is not None
        raw.process.stdout._transport.close()  # type: ignore[attr-defined]
        await raw.begin("list_notes")
        assert raw.process.stderr is not None
        assert await raw.process.stderr.read() == b""
        assert await raw.process.wait() == 0


async def test_a_file_as_stdin_is_answered_to_its_end(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "requests.jsonl"
    path.write_text("\n".join([json.dumps(HELLO), *(request("tools/call", ADD, id) for id in range(5))]))
    with path.open("rb") as file:
        done = subprocess.run(
            command(home), stdin=file, capture_output=True, env=environment(), timeout=60, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    assert {message["id"] for message in messages if "result" in message} == {"hello", *range(5)}


@pytest.mark.parametrize("leave", ["control-d", "signal"])
def test_a_terminal_as_stdin_works_and_can_be_left(home: Path, leave: str) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command(home, python=COLD), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    try:
        assert process.stdout is not None
        os.write(ours, request("ping", {}).encode() + b"\n")
        assert json.loads(process.stdout.readline())["result"] == {}
        if leave == "signal":
            process.send_signal(signal.SIGINT)
        else:
            os.write(ours, b"\x04")
        assert process.communicate(timeout=60) == (b"", b"")
        assert process.returncode == 0
    finally:
        process.kill()
        os.close(ours)
        os.close(theirs)


def test_an_empty_stdin_is_a_quiet_end(home: Path) -> None:
    done = subprocess.run(
        command(home, python=COLD),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_stdin_or_stdout_is_told_in_words(home: Path, closed: str) -> None:
    argv = ["sh", "-c", f'exec "$@" {closed}', "sh", *command(home, python=COLD)]
    done = subprocess.run(argv, capture_output=True, env=environment(), timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"Error: stdin and stdout must be open: they are the way to the client.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--toolsets", "nots"], ["There is no toolset 'nots'", "notes"]),
        (["--tools", "import_note"], ["There is no tool 'import_note'", "import_notes"]),
        (["--exclude-tools", "AddNote"], ["There is no tool 'AddNote'"]),
        (["--log-file", "/dev/null/x"], ["log file"]),
    ],
)
def test_a_bad_flag_is_told_in_words(
    home: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], words: list[str]
) -> None:
    assert main(["--home", str(home), *arguments]) == 2
    output, errors = capfd.readouterr()
    assert output == ""
    assert all(word in errors for word in words)
