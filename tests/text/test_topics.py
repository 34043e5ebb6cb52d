"""Topics: which texts are about the same, and what they are called."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import numpy
import pytest

from quire.adapters.sql.sqlite_vectors import SqliteVectors
from quire.domain.errors import Upstream
from quire.text.labelling import Namer, Topic, nearness, prompt
from quire.text.topic_names import names, spoken
from quire.text.topics import topics

SUBJECTS = {
    "bees": "bee hive honey queen pollen comb wax swarm nectar drone",
    "ships": "ship sail harbour captain hull anchor mast sailor tide deck",
    "stars": "star planet galaxy telescope orbit moon comet astronomer nebula eclipse",
    "bread": "bread flour dough oven yeast loaf crust bake knead rye",
}
FILLER = ["time", "people", "place", "thing", "work", "day", "part", "year", "way", "side"]


def texts_of(each: int) -> tuple[list[Counter[str]], list[str]]:
    """Texts of six words on their subject and four on none, one subject after the other in turns."""
    texts, subjects = [], []
    for number in range(each):
        for subject, words in SUBJECTS.items():
            own = words.split()
            chosen = [own[(number + step) % len(own)] for step in range(6)]
            texts.append(Counter([*chosen, *(FILLER[(number * 3 + step) % 10] for step in range(4))]))
            subjects.append(subject)
    return texts, subjects


def subjects_of(groups: list[list[int]], subjects: list[str]) -> list[set[str]]:
    return [{subjects[number] for number in group} for group in groups]


def test_texts_on_the_same_subject_are_one_group() -> None:
    texts, subjects = texts_of(12)
    groups = topics(texts)
    assert sorted(number for group in groups for number in group) == list(range(len(texts)))
    assert all(len(found) == 1 for found in subjects_of(groups, subjects))
    assert 4 <= len(groups) <= 8
    assert topics(texts) == groups


def test_texts_that_share_no_word_are_grouped_by_meaning() -> None:
    axes = numpy.eye(4, 16, dtype="float32")
    noise = numpy.random.default_rng(1).normal(0, 0.1, (40, 16)).astype("float32")
    vectors = [axes[number % 4] + noise[number] for number in range(40)]
    vectors = [vector / numpy.linalg.norm(vector) for vector in vectors]
    texts = [Counter({f"word{number}": 1}) for number in range(40)]
    likeness = SqliteVectors().likeness
    assert topics(texts) == []
    assert sorted(topics(texts, nearness(vectors, likeness))) == [list(range(first, 40, 4)) for first in range(4)]
    some = [vector if number % 4 else None for number, vector in enumerate(vectors)]
    grouped = {number for group in topics(texts, nearness(some, likeness)) for number in group}
    assert grouped == {number for number in range(40) if number % 4}


@pytest.mark.parametrize("texts", [[], [Counter()], [Counter(), Counter()], [Counter(a=1), Counter(b=1)]])
def test_nothing_alike_is_no_group(texts: list[Counter[str]]) -> None:
    assert topics(texts) == []


def test_there_are_neither_too_many_groups_nor_one_of_a_single_text() -> None:
    pairs = [Counter({f"a{number // 2}": 2, f"b{number // 2}": 2, "shared": 1}) for number in range(60)]
    groups = topics(pairs)
    assert all(len(group) > 1 for group in groups)
    assert len({number for group in groups for number in group}) == 60
    everywhere = [Counter(["one", "subject", f"w{number % 7}", f"v{number % 5}"]) for number in range(50)]
    assert 4 <= len(topics(everywhere)) <= 8


def test_a_name_is_what_a_group_speaks_of_and_others_do_not() -> None:
    texts = [
        "The Scottish Parliament met in Edinburgh. A vote in the Scottish Parliament takes place at five.",
        "Members of the Scottish Parliament are elected. The Scottish Parliament has committees.",
        "Members of crews load the packets. A packet network sends packets over a network.",
        "The network drops packets when members of it are busy; a network is made of links.",
    ]
    said = [spoken("", text, "en") for text in texts]
    parliament, network = names([[0, 1], [2, 3]], said)
    assert parliament[0].startswith("Scottish Parliament")
    assert "etwork" in network[0]
    assert "ackets" in network[0]
    assert all(name[0].isupper() and len(name) <= 60 for name in (*parliament, *network))
    assert names([[0, 1], [2, 3]], [spoken("", "", None)] * 4) == [[], []]


def test_names_of_unspaced_scripts_are_pieces_of_more_than_a_character() -> None:
    said = [spoken("", text, "zh") for text in ("蒙古帝国的军队", "蒙古帝国的皇帝", "蒸汽机的发明", "蒸汽机的使用")]
    one, two = names([[0, 1], [2, 3]], said)
    assert all(len(part) > 1 for name in (*one, *two) for part in name.split(" & "))


class Says:
    """A model that says the same to everyone."""

    name = "says"

    def __init__(self, text: str, *, fails: bool = False) -> None:
        self.text = text
        self.fails = fails
        self.asked: list[str] = []

    async def generate(self, system: str, prompt: str, max_tokens: int) -> AsyncIterator[str]:
        self.asked.append(prompt)
        if self.fails:
            raise Upstream("It is down.")
        yield self.text

    async def sample(self, prompt: str, *, system: str | None = None, max_tokens: int = 1000) -> str:
        return "".join([piece async for piece in self.generate("", prompt, max_tokens)])

    async def check(self) -> str:
        return self.name


TOPICS = [Topic([0, 2], ["Hive & honey"]), Topic([1], ["Harbour"]), Topic([3], ["Oven"])]
TITLES = ["On bees", "Ports\nand more", "Wax", "Rye"]


@pytest.mark.parametrize("sampled", [True, False])
def test_a_model_names_topics_and_what_is_no_name_is_passed_over(sampled: bool) -> None:
    model = Says("Here you are:\n1. **Beekeeping**\n2) see https://evil.example\n3. " + "x" * 79 + "\n9. Nothing")
    namer = Namer(None, model) if sampled else Namer(model, None)
    named = asyncio.run(namer.named(TOPICS, TITLES))
    assert [topic.names[0] for topic in named] == ["Beekeeping", "Harbour", "Oven"]
    assert [topic.members for topic in named] == [[0, 2], [1], [3]]
    assert model.asked == [prompt(TOPICS, TITLES)]
    assert "titles: Ports and more" in model.asked[0]


def test_without_a_model_or_with_one_that_fails_words_are_names() -> None:
    for namer in (Namer(None, None), Namer(Says("", fails=True), None)):
        assert asyncio.run(namer.named(TOPICS, TITLES)) == TOPICS
