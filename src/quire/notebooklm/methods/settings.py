"""The account on the wire: language, limits, what is left of the quota."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from quire.notebooklm.kinds import boolean, integer, moment, number, text
from quire.notebooklm.methods.method import HOME, OPTIONS, Method, Repeat
from quire.notebooklm.wire import At, Each, Either, Listed, Record, Slot


@dataclass(slots=True)
class UserSettings:
    language: str | None = None
    most_notebooks: int | None = None
    most_sources: int | None = None
    most_characters: int | None = None
    tier: int | None = None


@dataclass(slots=True)
class Account:
    metered: bool = False


@dataclass(slots=True)
class QuotaWindow:
    window: int | None = None
    resets_at: datetime | None = None
    used_percent: float | None = None
    left_percent: float | None = None


@dataclass(slots=True)
class QuotaAction:
    action: int | None = None
    enough: bool | None = None
    deferred: int | None = None
    cost_tier: int | None = None
    cost_percent: float | None = None


@dataclass(slots=True)
class Quota:
    status: int | None = None
    windows: tuple[QuotaWindow, ...] = ()
    actions: tuple[QuotaAction, ...] = ()


SETTINGS: Listed = At(
    {
        1: At(
            {
                1: Slot("most_notebooks", integer),
                2: Slot("most_sources", integer),
                3: Slot("most_characters", integer),
                4: Slot("tier", integer, loose=True),
            }
        ),
        2: At({4: At({0: Slot("language", text)})}),
    }
)
METERED = At({4: At({6: Slot("metered", boolean, needed=True)})})

METHODS = (
    Method("ZwVcOc", "GET_USER_SETTINGS", Record(dict, [OPTIONS]), Record(UserSettings, [SETTINGS]), HOME),
    Method(
        "hT54vc",
        "SET_USER_SETTINGS",
        Record(dict, [[[None, [[None, None, None, None, [Slot("language", text, needed=True)]]]]]]),
        Record(UserSettings, SETTINGS),
        HOME,
        Repeat.SAME,
    ),
    Method(
        "SatQRc",
        "GET_ACCOUNT",
        Record(dict, At({})),
        Either(
            Record(Account, [METERED]), Record(Account, METERED), Record(Account, [[METERED]]), Record(Account, At({}))
        ),
        HOME,
    ),
    Method(
        "EylDcb",
        "LIST_QUOTA_SUMMARY",
        Record(dict, [None]),
        Record(
            Quota,
            At(
                {
                    0: Slot("status", integer),
                    1: Each(
                        "windows",
                        Record(
                            QuotaWindow,
                            At(
                                {
                                    4: Slot("window", integer),
                                    5: Slot("resets_at", moment),
                                    6: Slot("used_percent", number),
                                    7: Slot("left_percent", number),
                                }
                            ),
                        ),
                    ),
                    3: Each(
                        "actions",
                        Record(
                            QuotaAction,
                            At(
                                {
                                    0: Slot("action", integer),
                                    1: Slot("enough", boolean),
                                    2: Slot("deferred", integer),
                                    3: Slot("cost_tier", integer),
                                    5: Slot("cost_percent", number),
                                }
                            ),
                        ),
                    ),
                }
            ),
        ),
        HOME,
    ),
)
