"""`quire proxy` as it is typed: the variables, the files it writes, and a whole round as processes."""

from __future__ import annotations

import json
import os
import signal
import ssl
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from quire.entry.cli.program import main
from serving import until

QUIRE = [sys.executable, "-m", "quire"]


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


def test_serve_and_proxy_run_side_by_side_and_end_when_told(tmp_path: Path) -> None:
    chosen = environment(tmp_path)

    def started(*arguments: str) -> tuple[subprocess.Popen[str], str]:
        process = subprocess.Popen([*QUIRE, *arguments], env=chosen, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        return process, process.stderr.readline().split()[-1]

    server, url = started("serve", "--port", "0")
    front, address = started("proxy", "--port", "0", "--upstream", url)
    try:
        port = address.rpartition(":")[2]
        done = subprocess.run(
            [*QUIRE, "proxy", "env", "--port", port, "--json"], env=chosen, capture_output=True, text=True, timeout=60
        )
        variables = json.loads(done.stdout)
        context = ssl.create_default_context(cafile=variables["SSL_CERT_FILE"])
        state = json.loads((Path(variables["NOTEBOOKLM_HOME"]) / "profiles/default/storage_state.json").read_text())
        cookies = {cookie["name"]: cookie["value"] for cookie in state["cookies"]}
        with httpx.Client(
            proxy=variables["HTTPS_PROXY"], verify=context, cookies=cookies, trust_env=False, timeout=30
        ) as client:
            assert "SNlM0e" in client.get("https://notebook.google.com/").text
    finally:
        for process in (front, server):
            process.send_signal(signal.SIGINT)
            until(lambda process=process: process.poll() is not None)
            assert process.stderr is not None
            process.stderr.close()
    assert (front.returncode, server.returncode) == (0, 0)
