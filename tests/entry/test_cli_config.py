"""`quire config`, `quire completion`, and the help of groups."""

from __future__ import annotations

import json
import stat
import tomllib
from pathlib import Path

import click
import pytest
from command_line import quire_here

from quire.domain.errors import InvalidInput
from quire.entry.bootstrap import offered
from quire.entry.cli.program import Program
from quire.entry.settings_file import changed

WRITTEN = """# My settings.
port = 9000  # not the usual # one
"model" = 'llama3.2'
rates = \"\"\"
ask=5/60,
*=600/60\"\"\"
# The end."""


def test_a_setting_is_changed_and_all_else_stays_as_it_is() -> None:
    assert changed(WRITTEN, "port", 8000) == WRITTEN.replace("port = 9000", "port = 8000")
    assert changed(WRITTEN, "model", "openai:x") == WRITTEN.replace("\"model\" = 'llama3.2'", 'model = "openai:x"')
    assert changed(WRITTEN, "rates", "") == WRITTEN.replace('rates = """\nask=5/60,\n*=600/60"""', 'rates = ""')
    assert changed(WRITTEN, "workers", 3) == WRITTEN + "\nworkers = 3\n"
    assert changed(WRITTEN, "port", None) == WRITTEN.replace("port = 9000  # not the usual # one\n", "")
    assert changed(WRITTEN, "host", None) == WRITTEN
    assert changed("", "unsafe_cells", value=True) == "unsafe_cells = true\n"


@pytest.mark.parametrize("value", ['a "quoted" \\ text', "ünï\ttab\nline", "#no comment", "", "'"])
def test_any_text_can_be_set_and_read_again(value: str) -> None:
    assert tomllib.loads(changed(WRITTEN, "model", value))["model"] == value


def test_what_cannot_be_changed_safely_is_refused() -> None:
    with pytest.raises(InvalidInput, match="cannot change"):
        changed("model.name = 'x'\n", "model", "y")
    with pytest.raises(InvalidInput, match="cannot change"):
        changed("", "model", "\x7f")


def test_settings_are_set_shown_and_taken_out(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert quire_here(home, "config", "set", "port", "9000").returncode == 0
    assert quire_here(home, "config", "set", "unsafe_cells", "no").returncode == 0
    assert quire_here(home, "config", "set", "model_key", "-", stdin=b"hush-hush\n").returncode == 0
    path = home / "quire.toml"
    assert tomllib.loads(path.read_text()) == {"port": 9000, "unsafe_cells": False, "model_key": "hush-hush"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    shown = {one["name"]: one for one in json.loads(quire_here(home, "config", "show", "--json").stdout)}
    assert shown["port"] == {"name": "port", "value": 9000, "origin": "quire.toml"}
    assert shown["host"]["origin"] == "default"
    for words in (("config", "show"), ("config", "show", "model_key"), ("config", "show", "--json")):
        ended = quire_here(home, *words)
        assert ended.returncode == 0
        assert b"hush-hush" not in ended.stdout + ended.stderr
        assert b"(set)" in ended.stdout
    assert b"QUIRE_PORT" in quire_here(home, "config", "show", "port").stdout
    over = quire_here(home, "config", "set", "port", "9001", QUIRE_PORT="9002")
    assert over.returncode == 0
    assert b"environment wins over it" in over.stderr
    assert quire_here(home, "config", "unset", "port").returncode == 0
    assert "port" not in tomllib.loads(path.read_text())


def test_a_setting_that_is_no_good_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "quire.toml").write_text("port = 9000\n")
    for words, said in (
        (("set", "modle", "x"), b"Did you mean 'model'?"),
        (("set", "port", "nine"), b"'port'"),
        (("set", "home", "/tmp"), b"QUIRE_HOME"),
        (("unset", "nonsense"), b"There is no setting"),
        (("show", "prot"), b"Did you mean 'port'?"),
    ):
        ended = quire_here(tmp_path, "config", *words)
        assert ended.returncode == 2
        assert said in ended.stderr
    assert (tmp_path / "quire.toml").read_text() == "port = 9000\n"


def test_a_bad_file_can_be_mended_and_a_link_stays_one(tmp_path: Path) -> None:
    kept = tmp_path / "kept.toml"
    kept.write_text("port = 'eight'\n")
    home = tmp_path / "home"
    home.mkdir()
    (home / "quire.toml").symlink_to(kept)
    assert quire_here(home, "config", "set", "port", "8000").returncode == 0
    assert (home / "quire.toml").is_symlink()
    assert kept.read_text() == "port = 8000\n"


def test_shells_get_a_script_that_completes(tmp_path: Path) -> None:
    for shell in ("zsh", "fish"):
        assert b"_QUIRE_COMPLETE" in quire_here(tmp_path, "completion", shell).stdout
    assert b"_QUIRE_COMPLETE" in quire_here(tmp_path, "completion", SHELL="/usr/bin/fish").stdout
    assert quire_here(tmp_path, "completion", SHELL="/bin/odd").returncode == 2
    words = {"COMP_WORDS": "quire sour", "COMP_CWORD": "1", "_QUIRE_COMPLETE": "bash_complete"}
    assert b"source" in quire_here(tmp_path, **words).stdout
    words = {"COMP_WORDS": "quire chat Bees --cont", "COMP_CWORD": "3", "_QUIRE_COMPLETE": "bash_complete"}
    assert b"--continue" in quire_here(tmp_path, **words).stdout


def groups() -> list[str]:
    program = Program(offered())
    context = click.Context(program)
    names = program.list_commands(context)
    return [name for name in names if isinstance(program.get_command(context, name), click.Group)]


@pytest.mark.parametrize("group", ["", *groups()])
def test_the_help_of_a_group_has_one_line_for_each_command(group: str, tmp_path: Path) -> None:
    program: click.Group = Program(offered())
    if group:
        found = program.get_command(click.Context(program), group)
        assert isinstance(found, click.Group)
        program = found
    out = quire_here(tmp_path, *group.split(), "--help", COLUMNS="80").stdout.decode()
    names = program.list_commands(click.Context(program))
    lines = out.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in lines] == names
    assert all(len(line) <= 80 and len(line.split()) > 2 for line in lines)
    assert len(out.splitlines()) <= len(names) + 24
    assert "Everywhere: ;" not in out
    assert not any(line.endswith((",", ".")) for line in lines)
