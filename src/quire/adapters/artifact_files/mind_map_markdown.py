"""Mind maps as an outline in Markdown."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.artifact_files.report_markdown import escaped
from quire.domain.mind_maps import MindMap
from quire.ports.artifact_files import Progress


def make(map: MindMap, path: Path, progress: Progress) -> None:
    lines = [f"# {escaped(map.title)}", ""]
    lines += [f"{'  ' * (depth - 1)}- {escaped(node.name)}" for depth, node in map.root.walk() if depth]
    if map.sources:
        lines += ["", f"## {escaped(map.words.get('sources', 'Sources'))}", ""]
        lines += [f"- {escaped(title)}" for title in map.sources]
    if map.remark:
        lines += ["", f"*{escaped(map.remark)}*"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check(path: Path, map: MindMap) -> None:
    lines = [line.lstrip() for line in path.read_text(encoding="utf-8").splitlines()]
    found = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    wanted = [escaped(node.name) for depth, node in map.root.walk() if depth]
    if found[: len(wanted)] != wanted:
        raise ValueError("a branch is missing")
