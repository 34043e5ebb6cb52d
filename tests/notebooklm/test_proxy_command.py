"""`quire proxy` as it is typed: the variables, the files it writes, and a whole round as processes."""

from __future__ import annotations

import base64
import json
import os
import signal
import ssl
import stat
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from quire.entry.bootstrap import make_signer
from quire.entry.cli.program import main
from quire.entry.settings import Settings
from quire.notebooklm.envelope import call_body, reply_to
from quire.notebooklm.replay import BATCH_PATH
from quire.notebooklm.sessions import proxy_key
from quire.notebooklm.stream import CHAT_PATH, ask_body
from quire.notebooklm.upload import URL, Announced, start_body, start_headers
from serving import until
from warm_start import warm_python


def environment(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "QUIRE_HOME": str(home / "q home")}


def test_env_prints_what_a_shell_can_read_and_writes_files_that_only_the_owner_can(tmp_path: Path) -> None:
    script = 'eval "$("$0" -m quire proxy env --port 9123)" && env'
    done = subprocess.run(
        ["sh", "-c", script, sys.executable], env=environment(tmp_path), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    found = dict(line.split("=", 1) for line in done.stdout.splitlines())
    folder = tmp_path / "q home/notebooklm"
    assert (found["HTTPS_PROXY"], found["https_proxy"]) == ("http://127.0.0.1:9123",) * 2
    assert (found["NO_PROXY"], found["SSL_CERT_FILE"]) == ("", str(folder / "tls/ca.pem"))
    assert found["NOTEBOOKLM_HOME"] == str(folder / "notebooklm-py")
    assert found["NOTEBOOKLM_MCP_CLI_PATH"] == str(folder / "nlm")
    state = json.loads((folder / "notebooklm-py/profiles/default/storage_state.json").read_text())
    assert {"SID", "__Secure-1PSIDTS", "OSID"} <= {cookie["name"] for cookie in state["cookies"]}
    assert "SID" in json.loads((folder / "nlm/profiles/default/cookies.json").read_text())
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 6
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert "SID" not in done.stdout


def test_env_as_json_and_its_refusals(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["proxy", "env", "--home", str(tmp_path), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["HTTPS_PROXY"] == "http://127.0.0.1:8766"
    assert main(["proxy", "env", "--store", "memory"]) == 8
    assert main(["proxy", "--upstream", "http://example.com", "--home", str(tmp_path)]) == 2
    assert "on this machine" in capfd.readouterr().err


@contextmanager
def both(chosen: dict[str, str], *arguments: str) -> Iterator[dict[str, str]]:
    """`quire serve` and `quire proxy` as processes; yields what `quire proxy env` tells, and ends them with SIGINT."""
    running: list[subprocess.Popen[str]] = []

    def started(*command: str) -> str:
        process = subprocess.Popen(
            [*warm_python(), "-m", "quire", *command, *arguments], env=chosen, stderr=subprocess.PIPE, text=True
        )
        running.append(process)
        assert process.stderr is not None
        while " http://" not in (line := process.stderr.readline()):
            assert line, "it ended"
        return line.split()[-1]

    try:
        url = started("serve", "--port", "0")
        address = started("proxy", "--port", "0", "--upstream", url)
        port = address.rpartition(":")[2]
        told = [*warm_python(), "-m", "quire", "proxy", "env", "--port", port, "--json"]
        done = subprocess.run(told, env=chosen, capture_output=True, text=True, timeout=60)
        yield json.loads(done.stdout)
    finally:
        for process in reversed(running):
            process.send_signal(signal.SIGINT)
            until(lambda process=process: process.poll() is not None)
            assert process.stderr is not None
            process.stderr.close()
        assert [process.returncode for process in running] == [0] * len(running)


def cookies_of(variables: dict[str, str]) -> dict[str, str]:
    state = json.loads((Path(variables["NOTEBOOKLM_HOME"]) / "profiles/default/storage_state.json").read_text())
    return {cookie["name"]: cookie["value"] for cookie in state["cookies"]}


def signed_in(variables: dict[str, str], cookies: dict[str, str]) -> httpx.Client:
    context = ssl.create_default_context(cafile=variables["SSL_CERT_FILE"])
    return httpx.Client(proxy=variables["HTTPS_PROXY"], verify=context, cookies=cookies, trust_env=False, timeout=30)


def test_serve_and_proxy_run_side_by_side_and_end_when_told(tmp_path: Path) -> None:
    with both(environment(tmp_path)) as variables, signed_in(variables, cookies_of(variables)) as client:
        assert "SNlM0e" in client.get("https://notebook.google.com/").text


def test_no_secret_is_found_in_the_logs_of_either_process_or_in_what_they_say(tmp_path: Path) -> None:
    """Every kind of call is made with all that can be logged; then logs and answers are searched for each secret."""
    chosen = environment(tmp_path) | {"QUIRE_LOG_LEVEL": "debug", "QUIRE_LOG_FILE": str(tmp_path / "log.jsonl")}
    app, home = "https://notebooklm.google.com", tmp_path / "q home"
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    with both(chosen) as variables:
        cookies = cookies_of(variables)
        with signed_in(variables, cookies) as client:
            token = client.get(app).text.split('"SNlM0e":"')[1].split('"')[0]

            def call(rpc_id: str, params: Any, token: str = token) -> str:
                body = call_body(rpc_id, params, token)
                return client.post(f"{app}{BATCH_PATH}?rpcids={rpc_id}", content=body, headers=form).text

            said = [call("CCqFvf", ["Orchard"]), call("wXbhsf", [None, 1]), call("rLM1Ne", ["missing"])]
            said += [call("zzzzzz", []), call("rLM1Ne", 7), call("wXbhsf", [], "wrong")]
            said.append(client.post(app + BATCH_PATH, content=b"f.req=%5B&at=" + token.encode()).text)
            said.append(client.post(app + CHAT_PATH, content=ask_body({"question": "Why?"}, token), headers=form).text)
            notebook = reply_to("CCqFvf", said[0]).result[2]
            file = Announced(notebook, "a.md", str(uuid.uuid4()), 3)
            headers = start_headers(file)
            place = client.post(f"{app}/upload/_/", content=start_body(file), headers=headers).headers[URL]
            sending = {"x-goog-upload-command": "upload, finalize", "x-goog-upload-offset": "0"}
            said += [client.post(place, content=b"# A", headers=sending).text for _ in range(2)]
            said.append(client.post(f"{app}/upload/_/?upload_id=forged", content=b"x", headers=sending).text)
        expired = cookies["SID"][:-4] + "0000"
        with signed_in(variables, {"SID": expired}) as stranger:
            said += [stranger.get(app).text, stranger.post(app + BATCH_PATH, content=b"x").text]
            with pytest.raises(httpx.ProxyError):
                stranger.get("https://example.com/")
    signer, kept = make_signer(Settings.model_validate({"home": home})), (home / "secret").read_bytes()
    keys = [line for line in (home / "notebooklm/tls/front.key").read_text().splitlines() if "-----" not in line]
    secrets = [cookies["SID"], expired, token, proxy_key(signer), kept.hex(), *keys]
    secrets.append(place.partition("upload_id=")[2])
    secrets.append(base64.b64encode(kept).decode())
    logged = (tmp_path / "log.jsonl").read_text()
    assert "quire.calls" in logged
    told = "\n".join([*said, logged])
    assert [secret for secret in secrets if not secret or secret in told] == []
    assert "PRIVATE KEY" not in told
    assert not any("PRIVATE KEY" in path.read_text() for path in (home / "notebooklm/tls").glob("ca*"))
