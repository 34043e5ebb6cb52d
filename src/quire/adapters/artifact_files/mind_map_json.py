"""Mind maps as a tree of names and children."""

from __future__ import annotations

import json
from pathlib import Path

from quire.domain.mind_maps import MindMap
from quire.ports.artifact_files import Progress


def make(map: MindMap, path: Path, progress: Progress) -> None:
    path.write_text(json.dumps(map.root.plain(), ensure_ascii=False, indent=2), encoding="utf-8")


def check(path: Path, map: MindMap) -> None:
    if json.loads(path.read_text(encoding="utf-8")) != map.root.plain():
        raise ValueError("it is another tree")
