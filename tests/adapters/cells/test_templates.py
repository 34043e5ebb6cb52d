"""Templates do what their text says: what they find follows what is put in, and is not there to be read off."""

from __future__ import annotations

import contextlib
import io
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from quire.api.library import Library
from quire.domain.cells import Cell
from quire.domain.scratch import PATTERNS, Execution, ScratchRun
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.scratch.templates import name_of, template


class Ran(NamedTuple):
    """The names that a template has left behind, and what each of its cells has printed."""

    names: dict[str, Any]
    printed: dict[str, str]


def code(pattern: str) -> dict[str, str]:
    return {str(cell.filename): cell.source for cell in template(pattern).cells if cell.type == "code"}


def ran(pattern: str, changes: Mapping[str, str] = {}, until: str = "") -> Ran:
    """A template from its top to its bottom, with some of its text changed, or up to a cell."""
    names: dict[str, Any] = {"__name__": "__main__"}
    printed: dict[str, str] = {}
    left = dict(changes)
    for name, source in code(pattern).items():
        if name == until:
            break
        for old in [old for old in left if old in source]:
            source = source.replace(old, left.pop(old))
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(source, name, "exec", dont_inherit=True), names)
        printed[name] = out.getvalue()
    assert not left
    return Ran(names, printed)


@pytest.mark.parametrize("strength", [3.7, 4.0, 6.5, 9.0])
def test_the_ooda_loop_estimates_the_heaters_strength_and_acts_on_it(strength: float) -> None:
    names, printed = ran("ooda_loop", {"STRENGTH = 4.0": f"STRENGTH = {strength}"})
    found = re.search(r"strength is estimated at ([\d.]+)", printed["rounds.py"])
    assert found is not None
    assert float(found[1]) == pytest.approx(strength, rel=0.1)
    log = names["log"]
    assert log[0]["strength"] == names["FIRST_BELIEF"]["strength"] != strength
    late = [entry for entry in log if entry["hour"] in range(12, 20) or entry["hour"] >= 30]
    assert sum(abs(entry["inside"] - names["GOAL"]) for entry in late) / len(late) < 0.3
    assert len({round(entry["heating"], 2) for entry in log}) > 5


def test_the_ooda_loop_sees_no_more_than_it_observes_and_its_check_notices_who_does_not_learn() -> None:
    loop = code("ooda_loop")["loop.py"]
    assert "STRENGTH" not in loop
    assert "room._" not in loop
    with pytest.raises(AssertionError):
        ran("ooda_loop", {"            belief = orient(log, now)": "            belief = FIRST_BELIEF"})


TOOLS = {
    "one link is missing": (["a: x -> y", "b: y z -> w"], "x", "w", [{"z"}]),
    "what is wanted is unknown": (["a: x -> y"], "x", "y film", [{"film"}]),
    "nothing is missing": (["a: x -> y"], "x", "y", [set()]),
    "the way that lacks least": (["a: p q -> w", "b: r -> w"], "x", "w", [{"r"}]),
    "two tools wait for each other": (["a: c -> d", "b: d -> c"], "x", "d", [{"c"}, {"d"}]),
    "a leaf rather than what is wanted": (["a: x u -> y", "b: y v -> w"], "x", "w", [{"u", "v"}]),
}


@pytest.mark.parametrize("case", TOOLS)
def test_the_orchestration_finds_what_no_tool_can_give(case: str) -> None:
    names, _ = ran("orchestration_suggest", until="check.py")
    table, have, want, expected = TOOLS[case]
    tools = []
    for line in table:
        name, needs, gives = re.split(": | -> ", line)
        tools.append(names["tool"](name, needs, gives, 1))
    lacking = names["missing"](set(have.split()), set(want.split()), tools)
    assert lacking in expected
    assert names["suggest"](set(have.split()) | lacking, set(want.split()), tools) is not None


def test_the_orchestration_says_it_of_its_own_tools() -> None:
    _, printed = ran("orchestration_suggest")
    assert "from links to report: no tool gives question\n" in printed["missing.py"]
    assert "from question to booklet: no tool gives paper\n" in printed["missing.py"]
    _, printed = ran(
        "orchestration_suggest", {'    tool("print_it"': '    tool("mill", "wood", "paper", 1),\n    tool("print_it"'}
    )
    assert "from question to booklet: no tool gives wood\n" in printed["missing.py"]


@pytest.mark.parametrize("hidden", [1, 36, 37, 100])
def test_the_ulysses_protocol_finds_what_only_runs_can_tell(hidden: int) -> None:
    _, printed = ran("ulysses_protocol", {"BROKEN_SINCE = 37": f"BROKEN_SINCE = {hidden}"})
    first, *others = printed["attempts.py"].splitlines()
    assert re.fullmatch(rf"halve, budget 8, with gates: found {hidden} with [78] of 8 runs", first)
    assert all("ended:" in line for line in others)


def test_the_ulysses_protocol_checks_its_goal_and_reads_no_answer() -> None:
    for name, source in code("ulysses_protocol").items():
        if name not in ("history.py", "check.py"):
            assert "BROKEN_SINCE" not in source
            assert "broken_since" not in source
    names, _ = ran("ulysses_protocol")
    runs: list[int] = []

    class Watched(names["History"]):  # type: ignore[misc]
        def fails(self, commit: int) -> bool:
            runs.append(commit)
            return bool(super().fails(commit))

    def claim(answer: int) -> Any:
        return lambda fails, low, high: (answer, answer)

    for answer, hidden, right in ((37, 37, True), (38, 37, False), (36, 37, False), (0, 0, True)):
        claims = claim(answer)
        claims.__name__ = "claim"
        runs.clear()
        told = names["attempt"](claims, 8, False, Watched(hidden))
        assert told.startswith(f"found {answer} " if right else f"ended: {answer} does not reach the goal")
        assert answer in runs
        assert names["attempt"](claims, 8, True, Watched(hidden)).startswith("ended: 'runs show both ends'")
    with pytest.raises(AssertionError):
        ran("ulysses_protocol", {"        if not self.goal(answer):": "        if False:"})


@pytest.mark.parametrize("seed", [1, 2, 40])
def test_the_graph_of_thought_improves_its_score_by_each_operation(seed: int) -> None:
    names, printed = ran("graph_of_thought", {"SEED = 1": f"SEED = {seed}"}, until="compare.py")

    def wrong(thought: Any) -> int:
        there, wanted = Counter(thought.content), Counter(thought.given)
        return (there - wanted).total() + (wanted - there).total()

    graph, answer = names["graph"], names["answer"]
    assert all(-one.score == wrong(one) for one in graph.thoughts if one.made_by not in ("problem", "split"))
    attempts, merges = graph.made_by("sort"), graph.made_by("merge")
    assert (len(attempts), len(merges)) == (24, 7)
    best = [one for merge in merges for one in merge.parents if one in attempts]
    for piece in graph.made_by("split"):
        mine = [one for one in attempts if one.parents == [piece]]
        (chosen,) = (one for one in best if one in mine)
        assert wrong(chosen) == min(map(wrong, mine))
    assert all(wrong(merge) == sum(map(wrong, merge.parents)) for merge in merges)
    repairs = [one for one in [*graph.ancestors(answer), answer] if one.made_by == "repair"]
    assert repairs
    assert all(wrong(one) < wrong(one.parents[0]) for one in repairs)
    average = 8 * sum(map(wrong, attempts)) / len(attempts)
    assert average > sum(map(wrong, best)) > wrong(answer)
    assert sorted(answer.content) == answer.content
    assert f"repairs lead to {answer.score}" in printed["one.py"]


def test_the_graph_of_thought_notices_operations_that_do_nothing() -> None:
    for old, new in (
        ("        thought = max(thought, repaired, key=lambda one: one.score)", "        pass"),
        ("    return max(attempts, key=lambda attempt: attempt.score)", "    return attempts[0]"),
    ):
        with pytest.raises(AssertionError):
            ran("graph_of_thought", {old: new, "rounds=60": "rounds=15"})


def test_the_tree_of_thought_says_no_only_where_it_has_dropped_nothing() -> None:
    names, printed = ran("tree_of_thought")
    assert "[1, 2, 3, 13] -> none found, but 21 of" in printed["search.py"]
    assert "[1, 1, 1, 1] -> no solution" in printed["search.py"]
    for numbers in ([1, 1, 2, 8], [5, 5, 5, 9], [1, 1, 1, 2], [7, 7, 7, 7]):
        solvable = names["search"](numbers, 10**6)[0] is not None
        told = names["verdict"](numbers, width=2)
        assert not (solvable and told.startswith("no solution"))
        assert solvable == (not names["verdict"](numbers, width=36).startswith("no solution"))


def test_sources_are_compared_by_their_own_words() -> None:
    names, printed = ran("compare_sources")
    assert "differ in 4 places" in printed["compare.py"]
    assert "agree in 3 places" in printed["compare.py"]
    differing, agreeing = printed["compare.py"].split("sources agree")
    assert "25 kg in [1]" in differing
    assert "2,000 eggs in [2]" in agreeing
    _, printed = ran("compare_sources", {"gives 40 kg of honey": "gives 25 kg of honey"})
    assert "differ in 3 places" in printed["compare.py"]
    assert "agree in 4 places" in printed["compare.py"]
    number_of, date_of = names["number_of"], names["date_of"]
    written = {"50,000": 50_000, "1.234,5": 1_234.5, "1,234.5": 1_234.5, "0.125": 0.125, "17.2": 17.2, "-3": -3}
    assert {text: number_of(text) for text in written} == written
    assert number_of("1.2.3") is None
    assert {date_of("1927-03-05"), date_of("5 March 1927"), date_of("March 5, 1927")} == {"1927-03-05"}
    assert date_of("1927-13-45") is None


@pytest.mark.parametrize("texts", [["nothing at all"], ["", "…", "蜜蜂。蜂蜜！"], ["a 5 b", "1" * 5_000, "\n" * 300]])
def test_sources_without_figures_are_no_error(texts: list[str]) -> None:
    sources = [{"id": "x", "title": "T", "characters": len(text), "text": text} for text in texts]
    old = code("compare_sources")["sources.py"]
    _, printed = ran("compare_sources", {old: f"SOURCES = {sources!r}"})
    assert printed["check.py"].endswith("to the character\n")


def test_templates_are_called_as_people_call_them() -> None:
    for name, title in PATTERNS.items():
        assert template(name).cells[0] == Cell(type="title", source=title)
        assert name_of(title) == name_of(name) == name
        assert not re.search(r"_|\b(Of|The|And)\b|\bMcts\b|\bOoda\b", title)


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path, "embedder": "none"}, {})) as library:
        yield library


async def outputs(library: Library, scratch_id: str) -> list[str]:
    last = [event async for event in library.scratch.run_all(scratch_id)][-1]
    assert isinstance(last, ScratchRun)
    assert last.status == "ok", last.executions[-1].outputs
    return [
        "".join(output.text or "" for output in one.outputs) for one in last.executions if isinstance(one, Execution)
    ]


@pytest.mark.anyio
async def test_the_sources_of_a_notebook_are_compared_in_a_kernel(library: Library) -> None:
    notebook = await library.notebooks.create("Towers")
    await library.sources.add_text(notebook.id, "Guide", 'The "iron" tower in Paris is 330 m high. 🗼\n')
    await library.sources.add_text(notebook.id, "Old book", "The iron tower in Paris is 312 m high.\\n It's tall.")
    made = await library.scratch.create("compare_sources", sources_of=notebook.id)
    assert made.warnings == []
    printed = await outputs(library, made.id)
    assert "[1] Guide (8 words): " in printed[1]
    told = printed[-2]
    assert "sources differ in 1 place\n" in told
    assert '330 m in [1]: “The "iron" tower in Paris is 330 m high.”' in told
    assert "312 m in [2]: “The iron tower in Paris is 312 m high.\\n It's tall.”" in told


@pytest.mark.anyio
@pytest.mark.long
@pytest.mark.parametrize("pattern", PATTERNS)
async def test_every_template_prints_in_a_kernel_what_it_prints_here(library: Library, pattern: str) -> None:
    made = await library.scratch.create(pattern)
    assert await outputs(library, made.id) == list(ran(pattern).printed.values())
