"""The machine's own: the time, the secret, and tokens signed with it."""

from __future__ import annotations

import base64
import hmac
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from itsdangerous import URLSafeSerializer

from quire.adapters.machine import HmacSigner, SystemClock, read_secret
from quire.adapters.memory import FixedClock
from quire.domain.errors import NotAllowed, Unsupported
from quire.ports.machine import Purpose

LINK = Purpose.FILE_LINK
CLAIMS = {"name": "ä.md", "size": 5, "deep": {"list": [1, None]}}


def signer(clock: FixedClock | None = None, secret: bytes = b"k" * 32) -> HmacSigner:
    return HmacSigner(secret, clock or FixedClock())


def test_a_token_brings_its_claims_back() -> None:
    token = signer().sign(LINK, CLAIMS, 60)
    assert signer().verify(LINK, token) == CLAIMS
    assert token.replace(".", "").replace("-", "").replace("_", "").isalnum()
    assert token.isascii()


def test_a_token_expires() -> None:
    clock = FixedClock()
    token = signer(clock).sign(LINK, CLAIMS, 60)
    clock.move(seconds=60)
    assert signer(clock).verify(LINK, token) == CLAIMS
    clock.move(seconds=0.000001)
    with pytest.raises(NotAllowed, match="expired"):
        signer(clock).verify(LINK, token)


def test_a_token_of_another_secret_is_refused() -> None:
    with pytest.raises(NotAllowed, match="not valid"):
        signer(secret=b"x" * 32).verify(LINK, signer().sign(LINK, CLAIMS, 60))


def test_every_change_of_a_token_is_refused() -> None:
    token = signer().sign(LINK, CLAIMS, 60)
    for place in range(len(token)):
        for character in "A.=\n":
            changed = token[:place] + character + token[place + 1 :]
            if changed != token:
                with pytest.raises(NotAllowed):
                    signer().verify(LINK, changed)
    for changed in (token + "=", token + "A", token + ".", " " + token, token[:-1], token.partition(".")[0]):
        with pytest.raises(NotAllowed):
            signer().verify(LINK, changed)


def test_claims_cannot_be_changed_under_their_signature() -> None:
    head, _, mac = signer().sign(LINK, {"a": 1}, 60).partition(".")
    expires, _ = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    forged = base64.urlsafe_b64encode(json.dumps([expires + 10**12, {"a": 2}]).encode()).rstrip(b"=").decode()
    with pytest.raises(NotAllowed, match="not valid"):
        signer().verify(LINK, f"{forged}.{mac}")


@given(st.text(st.characters()))
def test_any_text_that_is_no_token_is_refused(text: str) -> None:
    with pytest.raises(NotAllowed):
        signer().verify(LINK, text)


def test_signatures_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    token = signer().sign(LINK, CLAIMS, 60)
    compared: list[bool] = []
    compare = hmac.compare_digest

    def spied(one: bytes, other: bytes) -> bool:
        compared.append(compare(one, other))
        return compared[-1]

    monkeypatch.setattr(hmac, "compare_digest", spied)
    signer().verify(LINK, token)
    for place in range(token.rindex(".") + 1, len(token) - 1):
        with pytest.raises(NotAllowed):
            signer().verify(LINK, token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :])
    assert compared[0]
    assert len(compared) > 40
    assert not any(compared[1:])


@pytest.mark.parametrize("other", Purpose)
@pytest.mark.parametrize("purpose", Purpose)
def test_what_is_for_one_purpose_serves_no_other(purpose: Purpose, other: Purpose) -> None:
    token, key = signer().sign(purpose, CLAIMS, 60), signer().derived(purpose)
    if purpose is other:
        assert signer().verify(other, token) == CLAIMS
        assert signer().derived(other) == key
        return
    with pytest.raises(NotAllowed, match="not valid"):
        signer().verify(other, token)
    assert signer().derived(other) != key


@pytest.mark.parametrize("purpose", Purpose)
def test_a_derived_key_tells_nothing_and_signs_nothing(purpose: Purpose) -> None:
    key = signer().derived(purpose)
    assert len(key) == 32
    assert key not in (b"k" * 32, signer(secret=b"x" * 32).derived(purpose))
    forged = URLSafeSerializer(key).dumps([2**60, CLAIMS])
    for made in (HmacSigner(key, FixedClock()).sign(purpose, CLAIMS, 60), forged):
        with pytest.raises(NotAllowed, match="not valid"):
            signer().verify(purpose, made)


def test_nobody_is_handed_the_secret_itself() -> None:
    assert [name for name in dir(HmacSigner) if not name.startswith("_")] == ["derived", "sign", "verify"]


def test_the_secret_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "home" / "secret"
    secret = read_secret(path)
    assert len(secret) == 32
    assert read_secret(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == ["secret"]


def test_the_secret_is_read_when_it_is_first_needed(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    first = HmacSigner(path, FixedClock())
    assert not path.exists()
    token = first.sign(LINK, CLAIMS, 60)
    assert HmacSigner(path, FixedClock()).verify(LINK, token) == CLAIMS


@pytest.mark.parametrize("content", [b"", b"short"])
def test_a_damaged_secret_is_told_and_not_signed_with(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret").write_bytes(content)
    with pytest.raises(Unsupported, match="damaged"):
        HmacSigner(tmp_path / "secret", FixedClock()).sign(LINK, CLAIMS, 60)


def test_a_secret_that_cannot_be_kept_is_told_clearly(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("I was here first")
    with pytest.raises(Unsupported, match="not a place where files can be kept"):
        read_secret(tmp_path / "home" / "secret")


RACE = """
import sys
from pathlib import Path
from quire.adapters.machine import read_secret
print("ready", flush=True)
sys.stdin.readline()
print(read_secret(Path(sys.argv[1])).hex())
"""


def test_of_many_processes_that_make_the_secret_one_wins(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RACE, str(tmp_path / "home" / "secret")]
    racers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    secrets = {racer.communicate("go\n", timeout=60)[0] for racer in racers}
    assert [racer.returncode for racer in racers] == [0] * 6
    assert secrets == {(tmp_path / "home" / "secret").read_bytes().hex() + "\n"}


def test_the_systems_clock_tells_microseconds_of_now() -> None:
    before = time.time_ns() // 1000
    now = SystemClock().now()
    assert before <= now <= time.time_ns() // 1000
