"""Every pass of ours over a caller's text takes a time that grows only with the text."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

from hostile_texts import Growth, Trial
from quire.domain.errors import QuireError
from quire.text import asked
from quire.text.headings import LONGEST, plain

ROOMS = (
    "quire.domain",
    "quire.text",
    "quire.text.forms",
    "quire.text.structure",
    "quire.adapters.cells.blocks",
    "quire.adapters.cells.srcmd",
    "quire.entry.render",
)
UNITS = (
    *(
        " ",
        "\n",
        "\t",
        "\r\n",
        " \n",
        "a",
        "0",
        "ß",
        "a\u0301",
        "中",
        "。",
        "a ",
        "A a",
        "A. ",
        "a.\n",
        "a\n\n",
        "0,",
        "a,",
    ),
    *("# a\n", "- a\n", "1. ", "> ", "| a |\n", "a\n=\n", "```\n", "###### a\n\n```\nx\n```\n", "<!-- ", "<a>", "[a]("),
    *("#", "*", "**a ", "[", "](", "`", "<", "|", "\\", "{", "(", "'", "a-", "/", "&"),
)
THOROUGH = Trial((25, 200, 20_000), 0.015)
# Given no longer text than this.
BOUNDED = {plain: LONGEST, asked._single: asked.LONGEST}


@pytest.mark.parametrize("trial", [Trial(), pytest.param(THOROUGH, marks=pytest.mark.long)], ids=["quick", "thorough"])
def test_no_pass_over_a_text_takes_long(trial: Trial) -> None:
    units = UNITS if trial is THOROUGH else UNITS[::4]
    slow = {}
    for function, count in passes():
        for shape in range(count * 2 - 1):
            growth = Growth(taking(function, count, shape), trial)
            for unit, prefix in product(units, ("", "a") if trial is THOROUGH else ("",)):

                def made(size: int, function: Any = function, unit: str = unit, prefix: str = prefix) -> str:
                    return (prefix + unit * (size // len(unit)))[: BOUNDED.get(function)]

                if grew := growth.beyond(made):
                    slow[f"{function.__module__}.{function.__name__}"] = f"{grew}: {unit!r}"
                    break
    assert slow == {}


def passes() -> Iterator[tuple[Callable[..., Any], int]]:
    """The functions that take one text or two, and need nothing else."""
    for name in modules():
        for function in vars(importlib.import_module(name)).values():
            own = inspect.isfunction(function) and function.__module__ == name and function.__name__ != "__getattr__"
            if not own or inspect.iscoroutinefunction(function):
                continue
            parameters = inspect.signature(function).parameters.values()
            needed = [
                one.annotation
                for one in parameters
                if one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
            ]
            if needed in (["str"], ["str", "str"]):
                yield function, len(needed)


def modules() -> Iterator[str]:
    for room in ROOMS:
        yield room
        for found in pkgutil.iter_modules(getattr(importlib.import_module(room), "__path__", ()), f"{room}."):
            yield found.name


def taking(function: Callable[..., Any], count: int, shape: int) -> Callable[[str], None]:
    """The function on a text, or on two of which the first, the second or both are large."""

    def work(text: str) -> None:
        given = (text,) if count == 1 else ((text, "a"), ("a", text), (text, text))[shape]
        with suppress(QuireError, ValueError, LookupError):
            result = function(*given)
            if inspect.isgenerator(result):
                for _ in result:
                    pass

    return work
