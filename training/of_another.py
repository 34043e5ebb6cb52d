"""Questions put to another name, day or year: they look as if they were answered, and are not."""

from __future__ import annotations

import random
import re

from pages import PageQuestion

GROUPS = [
    frozenset(group.split())
    for group in (
        "monday tuesday wednesday thursday friday saturday sunday weekday weekend",
        "january february march april june july august september october november december",
        "spring summer autumn winter",
        "first second third fourth fifth last",
        "morning afternoon evening night",
        "north south east west northern southern eastern western",
        "2017 2018 2019 2020 2021 2022 2023 2024 2025 2026",
        "bedroom kitchen bathroom cellar garage attic garden roof hall",
    )
]
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")


def of_another(one: PageQuestion) -> str:
    """A question with another name, day or the like, one that stands in none of the passages that answer it; nothing
    where it has none."""
    told = " ".join(sentence for at in one.answers for sentence in one.pages.passages[at].sentences).casefold()
    names = NAME.findall(one.text)
    everywhere = " ".join(sentence for passage in one.pages.passages for sentence in passage.sentences)
    others = sorted({name for name in NAME.findall(everywhere) if name.casefold() not in told} - set(names))
    if names and others:
        return one.text.replace(random.choice(names), random.choice(others))
    for word in one.text.split():
        small = word.strip(".,?!'").casefold()
        others = sorted(
            other for group in GROUPS if small in group for other in group if other not in told and other != small
        )
        if others:
            return re.sub(rf"\b{re.escape(small)}\b", random.choice(others), one.text, flags=re.IGNORECASE)
    return ""
