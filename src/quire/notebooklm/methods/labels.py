"""Labels of sources, and collections of notebooks, which are labels without a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quire.notebooklm.kinds import anything, integer, text
from quire.notebooklm.methods.method import COLLECTION_OPTIONS, OPTIONS, Method, Repeat, Timing
from quire.notebooklm.wire import At, Done, Each, Either, Get, Maybe, Node, Record, Slot, Sole

COLLECTION = 3


@dataclass(slots=True)
class Label:
    """`members` are ids of sources, or of notebooks for a collection, whose row is written in another way."""

    id: str
    name: str = ""
    members: tuple[str, ...] = ()
    emoji: str = ""
    collection: bool = False


@dataclass(slots=True)
class NewLabel:
    name: str = ""
    emoji: str | None = None


NOTEBOOK_ID = Slot("notebook_id", text)
TYPE = Maybe(Slot("type", integer))
MEMBER: Node = Either([Slot("", text, needed=True)], Slot("", text, needed=True))


def label(member: Node) -> Record:
    return Record(
        Label,
        [
            Slot("name", text, needed=True),
            Each("members", member),
            Slot("id", text, needed=True),
            Slot("emoji", text),
        ],
    )


LABEL, COLLECTION_ROW = label(MEMBER), label(Either(*reversed(MEMBER.layouts)))  # type: ignore[attr-defined]
ONE_ID = [Slot("", text, needed=True)]
COLLECTIONS = Sole([None, Each("", COLLECTION_ROW, needed=True)], ())


class LabelSet(Either):
    """Labels in the method's own layout; collections stand second in the list, whichever the method."""

    def wire(self, value: Any) -> Any:
        return COLLECTIONS.wire(value) if value and value[0].collection else super().wire(value)


LISTED: Node = LabelSet(
    Sole([Each("", LABEL, needed=True)], ()),
    Sole([None, Each("", LABEL, needed=True)], ()),
    Sole([Each("", LABEL)], ()),
)
MADE: Node = LabelSet(
    Sole([None, Each("", LABEL, needed=True)], ()),
    Sole([Each("", LABEL, needed=True)], ()),
    Sole([Each("", LABEL)], ()),
)


class LabelOptions(Node):
    """Collections have options of their own, and where one is made a mark among them."""

    def __init__(self, making: bool = False) -> None:
        self._mark = [1] if making else None

    def write(self, get: Get) -> Any:
        first, second, _, *rest = COLLECTION_OPTIONS
        return [first, second, self._mark, *rest] if get("type") == COLLECTION else OPTIONS


class OfCollections(Node):
    """A place that is there only where a collection is changed."""

    def write(self, get: Get) -> Any:
        return [] if get("type") == COLLECTION else None


METHODS = (
    Method(
        "agX4Bc",
        "CREATE_LABEL",
        # Sorting by topic has its scope at 4 ([] or [true]: all; [0] or [false]: only what has no label);
        # labels made by hand are at 5.
        Record(
            dict,
            [
                LabelOptions(making=True),
                NOTEBOOK_ID,
                None,
                None,
                Maybe(Slot("scope", anything)),
                Maybe(Each("labels", Record(NewLabel, [Slot("name", text), Maybe(Slot("emoji", text))]))),
                TYPE,
            ],
        ),
        MADE,
        repeat=Repeat.TWICE,
        timing=Timing.PROCESSING,
    ),
    Method("I3xc3c", "LIST_LABELS", Record(dict, [LabelOptions(), NOTEBOOK_ID, TYPE]), LISTED),
    Method(
        "le8sX",
        "UPDATE_LABEL",
        Record(
            dict,
            [
                LabelOptions(),
                NOTEBOOK_ID,
                Slot("label_id", text, needed=True),
                [
                    At(
                        {
                            0: [Slot("name", text), Maybe(Slot("emoji", text))],
                            1: Each("add_sources", ONE_ID),
                            2: Each("remove_sources", ONE_ID),
                            3: Each("add_notebooks", ONE_ID),
                            4: Each("remove_notebooks", ONE_ID),
                        }
                    ),
                    Maybe(OfCollections()),
                ],
                TYPE,
            ],
        ),
        Done(),
        repeat=Repeat.SAME,
    ),
    Method(
        "GyzE7e",
        "DELETE_LABEL",
        Record(dict, [LabelOptions(), NOTEBOOK_ID, Each("label_ids", Slot("", text, needed=True), needed=True), TYPE]),
        Done(),
        repeat=Repeat.SAME,
    ),
)


def covers_all(scope: object) -> bool:
    """Whether sorting by topic was asked for all sources, rather than for those without a label."""
    return not (isinstance(scope, list) and scope and not scope[0])


SCOPE_ALL: list[bool] = [True]
SCOPE_UNLABELLED: list[bool] = [False]
