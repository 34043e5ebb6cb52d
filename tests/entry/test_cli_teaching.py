"""The command line speaks of commands, and tells what comes next."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import get_args

import click
import pytest

from quire.domain.artifacts import Artifact, ArtifactState
from quire.domain.errors import NotReady
from quire.domain.infographics import Style
from quire.domain.video_overviews import LOOKS
from quire.entry.artifact_views import next_step
from quire.entry.bootstrap import offered
from quire.entry.cli.calls import failed
from quire.entry.cli.program import Program

TOOLS = {one.tool for one in offered()}


def help_of(*words: str) -> str:
    """What `--help` after these words prints, in one line."""
    command: click.Command = Program(offered())
    context = click.Context(command, info_name="quire")
    for word in words[:2]:
        assert isinstance(command, click.Group)
        found = command.get_command(context, word)
        assert found is not None
        command, context = found, click.Context(found, info_name=word, parent=context)
    command.parse_args(context, list(words[2:]))
    return " ".join(command.get_help(context).split())


@pytest.mark.parametrize("noun", sorted({one.noun for one in offered()}))
def test_no_help_of_a_command_names_a_tool(noun: str) -> None:
    for one in offered():
        if one.noun == noun:
            named = set(re.findall(r"[a-z_]+", help_of(noun, one.verb))) & TOOLS
            assert all("_" not in name for name in named), (one.verb, named)


def test_the_help_of_a_kind_tells_of_its_own_options_and_files_alone() -> None:
    every, video, quiz = (
        help_of("artifact", "make"),
        help_of("artifact", "make", "video"),
        help_of("artifact", "make", "quiz"),
    )
    for style in (*LOOKS, *get_args(Style)):
        assert style in every
    for style in LOOKS:
        assert style in video
        assert style not in quiz
    assert "bento_grid" not in video
    assert "--quantity NAME fewer, standard, more. Default: standard." in quiz
    assert "--style" not in quiz
    assert "quire artifact make video --notebook Bees --format brief" in video
    assert "video mp4, vtt, md, json" in video
    assert "pptx" in every
    assert "pptx" not in video


@pytest.mark.parametrize(("tool", "wrong"), [("artifact download", "notes.md"), ("notebook export", "notes.md")])
def test_examples_save_files_of_the_right_kind(tool: str, wrong: str) -> None:
    assert wrong not in help_of(*tool.split())


def test_a_hint_names_the_command_and_not_the_tool(capsys: pytest.CaptureFixture[str]) -> None:
    failed(NotReady("It is not ready.", hint="get_artifact tells how far it is; see artifact_quota."), as_json=False)
    assert "Hint: 'quire artifact get' tells how far it is; see artifact_quota." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("ready", "quire artifact download 0b275dbf [--format pdf]"),
        ("draft", "quire artifact edit 0b275dbf - < draft.json"),
        ("pending", "quire artifact wait 0b275dbf"),
        ("failed", "quire artifact retry 0b275dbf"),
    ],
)
def test_an_artifact_is_told_of_with_the_command_that_comes_next(state: ArtifactState, words: str) -> None:
    now = datetime.now(UTC)
    made = Artifact(
        id="0b275dbf-55a9-4b2c-82c9-65fd5fcb8da7",
        notebook_id="1",
        kind="report",
        title="Bees",
        state=state,
        formats=["md", "pdf"],
        created_at=now,
        updated_at=now,
    )
    assert words in next_step(made)
