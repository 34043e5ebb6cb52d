"""What the engine that drives NotebookLM does, as the reference shows it."""

from __future__ import annotations

from collections.abc import Iterable

from quire.api.capability import Capability
from quire.entry.two_engines import ALWAYS_LOCAL
from quire.notebooklm.engine.coverage import DONE_BY, NOT_DONE, OTHERWISE
from quire.notebooklm.methods import BY_NAME

ABOUT = """\
## At Google

With `quire --engine notebooklm` (or `QUIRE_ENGINE=notebooklm`) the same capabilities are done by Google NotebookLM.
What has no method there is not offered by any door, and is `unsupported` when it is called. Books, scratch notebooks
and jobs are this machine's own in any case. All ids and times are Google's.
"""


def google_table(capabilities: Iterable[Capability]) -> str:
    """The part of the reference."""
    lines = ["| capability | done by | |", "|---|---|---|"]
    for capability in capabilities:
        if capability.service in ALWAYS_LOCAL:
            continue
        tool = capability.tool
        methods = ", ".join(f"`{_id(name)}` {name.lower()}" for name in DONE_BY.get(tool, ()))
        done = "*unsupported*" if tool in NOT_DONE else methods or "this machine"
        lines.append(f"| `{tool}` | {done} | {NOT_DONE.get(tool) or OTHERWISE.get(tool, '')} |")
    return "\n".join([ABOUT, *lines, ""])


def _id(name: str) -> str:
    method = BY_NAME.get(name)
    return method.id if method else "chat"
