"""What a client is told names no tool that it is not offered."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from quire.entry.bootstrap import offered
from quire.entry.mcp.instructions import ADVICE, INSTRUCTIONS, instructions
from quire.entry.mcp.selection import Selection
from quire.entry.mcp.toolbox import Toolbox, all_tools

EVERY = [*all_tools(offered())]
NAMES = {tool.name for tool in EVERY}
TOOLSETS = sorted({tool.toolset for tool in EVERY})
WORD = re.compile(r"[a-z_]+")


def box(toolsets: str = "", **more: Any) -> Toolbox:
    return Toolbox(Selection.of(toolsets, **more), lambda: EVERY)


def named(text: str) -> set[str]:
    """The tools that a text names; `ask` and the like are words, too."""
    return {word for word in WORD.findall(text) if word in NAMES and "_" in word}


@pytest.mark.parametrize("more", [{}, {"read_only": True}], ids=["all", "read-only"])
@pytest.mark.parametrize("toolsets", ["", "all", *TOOLSETS])
def test_instructions_and_descriptions_name_only_what_is_offered(toolsets: str, more: dict[str, Any]) -> None:
    chosen = box(toolsets, **more)
    told = instructions(chosen.names)
    assert named(told) <= set(chosen.names)
    if not more:
        shown = json.dumps([[tool.description, tool.input_schema] for tool in chosen.declarations])
        assert named(shown) <= set(chosen.names)


@pytest.mark.parametrize("engine", ["local", "notebooklm"])
def test_a_plain_server_says_at_once_what_it_would_say_of_its_tools(engine: str) -> None:
    default = Toolbox(Selection.of(), lambda: all_tools(offered(engine)))
    assert instructions(default.names) == INSTRUCTIONS


def test_all_tools_that_are_named_exist_and_stand_beside_their_sentence() -> None:
    for one in ADVICE:
        assert set(one.tools) <= NAMES
        assert named(one.text) <= set(one.tools)


def test_a_studio_client_hears_of_the_studio_and_not_of_notes() -> None:
    told = instructions(box("studio").names)
    assert "make_artifact" in told
    assert "list_notebooks" not in told
    assert "inbox" not in told
