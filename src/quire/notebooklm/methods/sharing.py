"""Sharing on the wire."""

from __future__ import annotations

from dataclasses import dataclass

from quire.notebooklm.codes import Access, Permission
from quire.notebooklm.kinds import boolean, code, integer, text
from quire.notebooklm.methods.method import Method, Repeat
from quire.notebooklm.wire import At, Done, Each, Maybe, Record, Slot


@dataclass(slots=True)
class Person:
    email: str = ""
    permission: Permission | None = None
    name: str | None = None
    avatar_url: str | None = None


@dataclass(slots=True)
class ShareStatus:
    people: tuple[Person, ...] = ()
    public: bool | None = None
    most_people: int | None = None
    public_allowed: bool | None = None


@dataclass(slots=True)
class Grant:
    """`REMOVE` takes the permission away."""

    email: str = ""
    permission: Permission | None = None


@dataclass(slots=True)
class Share:
    """What is to change in one notebook: people, or who may open the link."""

    notebook_id: str
    grants: tuple[Grant, ...] = ()
    access: Access | None = None
    flag: int | None = None
    message: str | None = None


PERSON = Record(
    Person,
    At(
        {
            0: Slot("email", text, needed=True),
            1: Slot("permission", code(Permission), needed=True),
            2: [],
            3: At({0: Slot("name", text, loose=True), 1: Slot("avatar_url", text, loose=True)}, loose=True),
        }
    ),
)

METHODS = (
    Method(
        "QDyure",
        "SHARE_NOTEBOOK",
        Record(
            dict,
            [
                Each(
                    "shares",
                    Record(
                        Share,
                        [
                            Slot("notebook_id", text, needed=True),
                            Each(
                                "grants",
                                Record(
                                    Grant,
                                    [
                                        Slot("email", text, needed=True),
                                        None,
                                        Slot("permission", code(Permission), needed=True),
                                    ],
                                ),
                            ),
                            [Slot("access", code(Access))],
                            [Slot("flag", integer), Slot("message", text, empty="")],
                        ],
                    ),
                    needed=True,
                ),
                Slot("notify", integer, empty=0),
                None,
                [2],
            ],
        ),
        Done(),
        repeat=Repeat.SAME,
    ),
    Method(
        "JFMDGd",
        "GET_SHARE_STATUS",
        Record(dict, [Slot("notebook_id", text, needed=True), [2]]),
        Record(
            ShareStatus,
            At(
                {
                    0: Each("people", PERSON),
                    1: At({0: Slot("public", boolean)}),
                    2: Slot("most_people", integer, loose=True),
                    3: Slot("public_allowed", boolean, loose=True),
                }
            ),
        ),
    ),
    Method(
        "RGP97b",
        "SHARE_ARTIFACT",
        Record(
            dict,
            [[Slot("public", code(Access))], Slot("notebook_id", text, needed=True), Maybe(Slot("artifact_id", text))],
        ),
        Done(),
        repeat=Repeat.SAME,
    ),
)
