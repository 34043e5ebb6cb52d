"""Who may call what, read off the declarations: the table that the reference shows and the tests try, cell by cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from quire.api.capability import Capability, Facts
from quire.domain.sharing import Role

Outcome = Literal["yes", "no", "hidden"]
# What belongs to one person: nobody else finds it, whatever their role in a notebook.
OWN = ("conversation", "answer", "scratch", "session", "collection", "transformation")
# The role in a notebook counts as well.
HELD_WITH_A_NOTEBOOK = ("conversation", "answer")
ABOUT = """\
## Who may do what

Every door calls the same capabilities, NotebookLM's protocol too, and what a caller may do is decided in one place,
inside the transaction of the call. The columns are what the caller is in the notebook (or book) that a call is about:
nothing, a viewer who may only chat with it, a viewer, an editor, its owner; and the owner of the server, who is nothing
in it. **yes**: allowed. **no**: refused (`not_allowed`). **–**: it is *not found*, as if it were not there.
**own**: allowed with what is the caller's own, and what is another's is not found.

Who may only chat sees a notebook's title, its summary, their own conversations, and of its sources what answers cite;
no list of sources, no text of one, no notes, no labels, and not how the chat was told to answer.
"""


@dataclass(frozen=True)
class Standing:
    """What a caller is: in the notebook that a call is about, and to the server."""

    name: str
    role: Role | None
    owns_server: bool = False


STANDINGS = (
    Standing("nothing", None),
    Standing("chat only", Role.CHAT_ONLY),
    Standing("viewer", Role.VIEWER),
    Standing("editor", Role.EDITOR),
    Standing("owner", Role.OWNER),
    Standing("server's owner", None, owns_server=True),
)


def outcome(facts: Facts, standing: Standing, *, own: bool = False) -> Outcome:
    """How a call ends; `own` says that what it is about is the caller's own, where it can be."""
    kind = facts.of[0] if facts.of else None
    if kind is None:
        return "yes"
    role = standing.role
    if kind == "server":
        role = Role.OWNER if standing.owns_server else Role.VIEWER
    elif kind in ("person", "token"):
        role = Role.OWNER if standing.owns_server else Role.EDITOR if own else None
    elif kind in OWN:
        role = None if not own else role if kind in HELD_WITH_A_NOTEBOOK else Role.OWNER
    if role is None:
        return "hidden"
    return "yes" if role >= facts.needs else "no"


def shown(facts: Facts, standing: Standing) -> str:
    """A cell."""
    of_others, of_own = outcome(facts, standing), outcome(facts, standing, own=True)
    if of_others == "hidden" and of_own == "yes":
        return "own"
    return {"yes": "yes", "no": "no", "hidden": "–"}[of_others if of_others != "hidden" else of_own]


def role_table(capabilities: Iterable[Capability]) -> str:
    """The part of the reference."""
    names = [standing.name for standing in STANDINGS]
    lines = [f"| capability | about | {' | '.join(names)} |", f"|---|---|{'---|' * len(names)}"]
    for capability in capabilities:
        about = capability.facts.of[0] if capability.facts.of else ""
        cells = [shown(capability.facts, standing) for standing in STANDINGS]
        lines.append(f"| `{capability.tool}` | {about} | {' | '.join(cells)} |")
    return "\n".join([ABOUT, *lines, ""])
