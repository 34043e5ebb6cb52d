"""Full text of every database: what is found, in which order, and that nothing else is."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from filled import add_notebook, add_passages, add_source, add_texts, index_of

from quire.adapters.sql.bm25 import MOST_REPEATS, rarity, word_scores
from quire.adapters.sql.postgres import PostgresStore
from quire.ports.search import Index, WordHit
from quire.ports.store import Store, Tx

pytestmark = pytest.mark.anyio

TEXTS = [
    "boundary layer flow plate",
    "layer boundary heat heat heat",
    "heat transfer plate",
    "shock wave",
    "flow flow flow wave tunnel test long text about wind",
]


@pytest.fixture
def index(store: Store) -> Index:
    return index_of(store)


async def fill(
    store: Store, index: Index, notebook_id: str, texts: Sequence[str] = TEXTS, title: str = ""
) -> list[int]:
    def work(tx: Tx) -> list[int]:
        add_notebook(tx, notebook_id)
        return add_texts(tx, index, notebook_id, f"source of {notebook_id}", texts, title)

    return await store.write(work)


async def match(
    store: Store, index: Index, notebook_id: str, words: str, sources: list[str] | None = None, limit: int = 100
) -> list[WordHit]:
    return await store.read(lambda tx: index.match(tx, notebook_id, words.split(), sources=sources, limit=limit))


async def test_any_of_the_words_is_enough_and_the_best_come_first(store: Store, index: Index) -> None:
    seqs = await fill(store, index, "one")
    found = [seqs.index(hit.seq) for hit in await match(store, index, "one", "shock plate")]
    assert found == [3, 2, 0]
    assert await match(store, index, "one", "nowhere") == []
    assert await match(store, index, "one", "") == []
    assert len(await match(store, index, "one", "shock plate", limit=2)) == 2


async def test_scores_are_those_of_bm25_with_a_weighty_title(store: Store, index: Index) -> None:
    def work(tx: Tx) -> tuple[list[int], list[int]]:
        add_notebook(tx, "one")
        plain = add_texts(tx, index, "one", "plain", TEXTS)
        titled = add_texts(tx, index, "one", "titled", [*TEXTS[:2], "other words " * 9], "shock shock layer")
        return plain, titled

    plain, titled = await store.write(work)
    rows = [(seq, "", text) for seq, text in zip(plain, TEXTS, strict=True)]
    rows += [
        (seq, "shock shock layer", text) for seq, text in zip(titled, [*TEXTS[:2], "other words " * 9], strict=True)
    ]
    words = ["layer", "shock", "heat"]
    counts = {word: sum(word in f"{title} {text}".split() for _, title, text in rows) for word in words}
    average = sum(len(f"{title} {text}".split()) for _, title, text in rows) / len(rows)
    scores = word_scores(rows, {word: rarity(count, len(rows)) for word, count in counts.items()}, average)
    expected = {seq: score for seq, score in scores.items() if score}
    found = {hit.seq: hit.score for hit in await match(store, index, "one", " ".join(words))}
    assert found == pytest.approx(expected, rel=1e-5)


async def test_a_word_that_is_asked_again_counts_again_up_to_a_bound(store: Store, index: Index) -> None:
    seqs = await fill(store, index, "one")

    async def scores(words: str, *, across: bool) -> dict[int, float]:
        def work(tx: Tx) -> list[WordHit]:
            if across:
                return index.match_across(tx, ["one"], words.split(), limit=100)
            return index.match(tx, "one", words.split(), sources=None, limit=100)

        return {seqs.index(hit.seq): hit.score for hit in await store.read(work)}

    for across in (False, True):
        shock, plate = [await scores(word, across=across) for word in ("shock", "plate")]
        both = await scores("plate shock plate", across=across)
        assert both == pytest.approx({3: shock[3], 2: 2 * plate[2], 0: 2 * plate[0]}, rel=1e-5)
        assert await scores("plate " * 50, across=across) == pytest.approx(
            {at: MOST_REPEATS * score for at, score in plate.items()}, rel=1e-5
        )


async def test_passages_that_are_named_are_scored_beside_the_best(store: Store, index: Index) -> None:
    seqs = await fill(store, index, "one")

    def both(tx: Tx, limit: int, also: list[int]) -> list[list[WordHit]]:
        words = ["heat", "transfer", "plate"]
        alone = index.match(tx, "one", words, sources=None, limit=limit, also=also)
        return [alone, index.match_across(tx, ["one"], words, limit=limit, also=also)]

    everything = await store.read(lambda tx: both(tx, 100, []))
    named = await store.read(lambda tx: both(tx, 1, [seqs[0], seqs[2], seqs[3]]))
    for full, few in zip(everything, named, strict=True):
        assert [seqs.index(hit.seq) for hit in full] == [2, 1, 0]
        assert [seqs.index(hit.seq) for hit in few] == [2, 0]
        kept = {hit.seq: hit for hit in full}
        assert [hit.score for hit in few] == pytest.approx([kept[hit.seq].score for hit in few], rel=1e-5)
        assert few[0].pairs > few[1].pairs == 0


async def test_neighbours_that_are_neighbours_count_as_pairs(store: Store, index: Index) -> None:
    seqs = await fill(store, index, "one")
    found = {seqs.index(hit.seq): hit.pairs for hit in await match(store, index, "one", "boundary layer")}
    assert found[0] > 0
    assert found[1] == 0


async def test_no_pair_reaches_from_the_title_into_the_text(store: Store, index: Index) -> None:
    await fill(store, index, "one", ["layer flow", "x y", "a b", "c d"], "the boundary")
    assert {hit.pairs for hit in await match(store, index, "one", "boundary layer")} == {0}
    assert all(hit.pairs > 0 for hit in await match(store, index, "one", "the boundary"))


async def test_how_often_a_word_occurs_is_counted(store: Store, index: Index) -> None:
    for times in (1, 2, 7, 40, 58):
        seqs = await fill(store, index, str(times), ["word " * times + "end", "a b", "c d", "e f"])
        (hit,) = await match(store, index, str(times), "word")
        length, average = times + 1, (times + 7) / 4
        expected = math.log(3.5 / 1.5) * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / average))
        assert (hit.seq, hit.score) == (seqs[0], pytest.approx(expected, rel=1e-5))


async def test_words_of_most_passages_find_some_where_others_find_none(store: Store, index: Index) -> None:
    texts = [f"common {'often' if number % 3 else 'seldom'} text{number}" for number in range(60)]
    seqs = await fill(store, index, "one", texts)
    rare = await match(store, index, "one", "common often seldom", limit=20)
    assert len(rare) == 20
    assert {texts[seqs.index(hit.seq)].split()[1] for hit in rare} == {"seldom"}
    assert len(await match(store, index, "one", "common often text7", limit=20)) == 20
    assert (await match(store, index, "one", "common often text7", limit=20))[0].seq == seqs[7]
    assert len(await match(store, index, "one", "common", limit=20)) == 20


async def test_sources_narrow_a_search_but_not_its_statistics(store: Store, index: Index) -> None:
    def work(tx: Tx) -> tuple[list[int], list[int]]:
        add_notebook(tx, "one")
        add_notebook(tx, "two")
        add_texts(tx, index, "two", "other", TEXTS)
        return add_texts(tx, index, "one", "first", TEXTS[:3]), add_texts(tx, index, "one", "second", TEXTS[3:])

    first, second = await store.write(work)
    everything = {hit.seq: hit.score for hit in await match(store, index, "one", "flow heat")}
    narrowed = {hit.seq: hit.score for hit in await match(store, index, "one", "flow heat", ["second"])}
    assert narrowed == {second[1]: everything[second[1]]}
    both = await match(store, index, "one", "flow heat", ["first", "second"])
    assert {hit.seq for hit in both} == everything.keys() == {*first, second[1]}
    assert await match(store, index, "one", "flow heat", []) == []
    assert await match(store, index, "one", "flow heat", ["other"]) == []
    assert await match(store, index, "one", "flow heat", ["no'; DROP TABLE passage"]) == []


async def test_statistics_are_the_notebooks_own(store: Store, index: Index) -> None:
    await fill(store, index, "one")
    alone = await match(store, index, "one", "flow plate")
    await fill(store, index, "two", ["flow"] * 50)
    assert await match(store, index, "one", "flow plate") == alone
    counts = await store.read(lambda tx: index.frequencies(tx, "one", ["flow", "plate", "flow", "nowhere"]))
    assert counts == ({"flow": 2, "plate": 2, "nowhere": 0}, 5)
    assert await store.read(lambda tx: index.frequencies(tx, "none", ["flow"])) == ({}, 0)


HOSTILE = """' " '' \\ a'b a"b a\\ a:b a* (a a) & | !a <-> NEAR(a AND OR a-b ^a {a} + %s %(steps)s 1/a 😀 ؟ \u0301"""


async def test_whatever_is_asked_is_only_a_word(store: Store, index: Index) -> None:
    for number, word in enumerate([*HOSTILE.split(), "x" * 3_000, "字" * 900]):
        notebook = str(number)
        seqs = await fill(store, index, notebook, [f"before {word} after", "other", "b c"])
        assert [hit.seq for hit in await match(store, index, notebook, "before after")] == seqs[:1]
        assert seqs[1] in {hit.seq for hit in await match(store, index, notebook, f"{word} other")} <= set(seqs[:2])

        def work(tx: Tx, notebook: str = notebook, word: str = word) -> tuple[list[WordHit], dict[str, int]]:
            counts, _ = index.frequencies(tx, notebook, [word])
            return index.match_across(tx, [notebook], [word, "other"], limit=9), counts

        hits, counts = await store.read(work)
        assert seqs[1] in {hit.seq for hit in hits} <= set(seqs[:2])
        assert counts in ({word: 0}, {word: 1})


async def test_a_word_in_any_writing_is_found_whole(store: Store, index: Index) -> None:
    for word in ("हिन्दी", "ไทย", "中国", "größe", "δοκιμή", "123point4", "c" * 300):
        seqs = await fill(store, index, word, [f"a {word} b", f"a {word[:-1]} b", "a b", "c"])
        assert [hit.seq for hit in await match(store, index, word, word)] == [seqs[0]]
        assert [hit.seq for hit in await match(store, index, word, word[:-1])] == [seqs[1]]


async def test_what_was_removed_is_not_found_and_what_never_was_does_no_harm(store: Store, index: Index) -> None:
    seqs = await fill(store, index, "one")
    others = await fill(store, index, "two")

    def work(tx: Tx) -> None:
        index.remove(tx, "one", [seqs[0], seqs[0], 10**9, others[1]])
        index.remove(tx, "none", [seqs[1]])
        index.remove(tx, "one", [])

    await store.write(work)
    assert {seqs.index(hit.seq) for hit in await match(store, index, "one", "plate boundary")} == {1, 2}
    assert len(await match(store, index, "two", "plate boundary")) == 3
    assert await store.read(lambda tx: index.frequencies(tx, "one", ["plate"])) == ({"plate": 1}, 4)


async def test_a_notebook_that_is_dropped_leaves_nothing(store: Store, index: Index) -> None:
    await store.read(lambda tx: None)
    before = await held(store)
    await fill(store, index, "one")

    def work(tx: Tx) -> None:
        index.drop(tx, "one")
        tx.run("delete_notebook", id="one")
        index.drop(tx, "never")

    await store.write(work)
    assert await held(store) == before
    assert await match(store, index, "one", "plate") == []
    assert await store.read(lambda tx: index.match_across(tx, ["one"], ["plate"], limit=9)) == []


async def held(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """All there is in tables of search, tables of this database included."""
    names = ["passage", "passage_vector", "generation", "source"]

    def work(tx: Any) -> dict[str, list[tuple[Any, ...]]]:
        if isinstance(store, PostgresStore):
            rows = {
                name: tx.connection.execute(f"SELECT count(*) AS n FROM {name}").fetchone()["n"]
                for name in [*names, "passage_words"]
            }
            return {name: [(count,)] for name, count in rows.items()}
        every = [tuple(row) for row in tx.connection.execute("SELECT name FROM sqlite_master ORDER BY name")]
        counts = {name: tx.connection.execute(f"SELECT count(*) FROM {name}").fetchall() for name in names}
        plain = {name: [tuple(row) for row in rows] for name, rows in counts.items()}
        words = tx.connection.execute("SELECT rowid FROM library_words WHERE library_words MATCH 'plate OR heat'")
        return plain | {"schema": every, "words": [tuple(row) for row in words]}

    return await store.read(work)


async def test_across_finds_in_the_notebooks_asked_for_and_in_no_other(store: Store, index: Index) -> None:
    notebooks = {name: await fill(store, index, name) for name in ("one", "two", "three")}

    async def across(*names: str) -> set[int]:
        hits = await store.read(lambda tx: index.match_across(tx, names, ["shock", "tunnel"], limit=100))
        assert hits == sorted(hits, key=lambda hit: -hit.score)
        return {hit.seq for hit in hits}

    for names in (("one",), ("one", "three"), ("two", "none"), ("one", "two", "three")):
        assert await across(*names) == {notebooks[name][at] for name in names if name in notebooks for at in (3, 4)}
    assert await across() == set()


async def test_across_many_notebooks_is_the_same_as_across_few(store: Store, index: Index) -> None:
    """More than are asked one by one; of these all that there are, or all but some."""
    random_words = random.Random(7)
    vocabulary = [f"word{number}" for number in range(40)]
    texts = {
        f"notebook {number}": [" ".join(random_words.choices(vocabulary, k=12)) for _ in range(5)]
        for number in range(24)
    }
    passages = {}
    for name, own in texts.items():
        passages |= dict(zip(await fill(store, index, name, own), own, strict=True))
    for names in (list(texts), list(texts)[:20]):
        wanted = {seq: text for seq, text in passages.items() if any(text in texts[name] for name in names)}
        words = vocabulary[:4]
        counts = {word: sum(word in text.split() for text in wanted.values()) for word in words}
        weights = {word: rarity(count, len(wanted)) for word, count in counts.items()}
        scores = word_scores([(seq, "", text) for seq, text in wanted.items()], weights, 12)
        best = sorted((seq for seq in scores if scores[seq]), key=lambda seq: (-scores[seq], seq))[:10]

        def work(tx: Tx, names: list[str] = names, words: list[str] = words) -> list[WordHit]:
            return index.match_across(tx, names, words, limit=100)

        hits = (await store.read(work))[:10]
        assert [hit.score for hit in hits] == pytest.approx([scores[seq] for seq in best], rel=1e-5)
        assert all(hit.score == pytest.approx(scores[hit.seq], rel=1e-5) for hit in hits)


@pytest.mark.parametrize("seed", range(3))
async def test_after_any_changes_an_index_equals_a_fresh_one(make_store: Callable[..., Store], seed: int) -> None:
    """Adds, removals, drops and transactions that fail, in any order."""
    chance = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(15)]
    present: dict[str, dict[int, tuple[str, str]]] = {"one": {}, "two": {}}
    changed = make_store()
    index = index_of(changed)

    def words(most: int) -> str:
        return " ".join(chance.choices(vocabulary, k=chance.randint(0, most)))

    def begin(tx: Tx) -> list[int]:
        seqs = []
        for name in present:
            add_notebook(tx, name)
            add_source(tx, name, f"source of {name}")
            seqs += add_passages(tx, name, f"source of {name}", 60)
        return seqs

    free = await changed.write(begin)
    owners = dict(zip(free, ["one"] * 60 + ["two"] * 60, strict=True))
    for _ in range(25):
        name = chance.choice(["one", "one", "two"])
        own = present[name]
        kind = chance.choice(["add", "add", "add", "remove", "remove", "drop", "fail"])
        fresh = [seq for seq in free if owners[seq] == name and seq not in own]
        added = {seq: (words(3), words(20)) for seq in chance.sample(fresh, min(len(fresh), chance.randint(1, 8)))}
        gone = chance.sample(sorted(own), min(len(own), chance.randint(0, 6)))

        def work(
            tx: Tx, name: str = name, kind: str = kind, added: dict[int, Any] = added, gone: list[int] = gone
        ) -> None:
            if kind == "drop":
                index.drop(tx, name)
            if kind in ("add", "fail"):
                index.add(tx, name, [(seq, *row) for seq, row in added.items()])
            if kind in ("remove", "fail"):
                index.remove(tx, name, gone)
            if kind == "fail":
                raise LookupError

        if kind == "fail":
            with pytest.raises(LookupError):
                await changed.write(work)
            continue
        await changed.write(work)
        if kind == "drop" and chance.random() < 0.7:
            own.clear()
        elif kind == "drop":
            kept = dict(own)
            await changed.write(
                lambda tx, kept=kept, name=name: index.add(tx, name, [(s, *r) for s, r in kept.items()])
            )
        elif kind == "add":
            own.update(added)
        else:
            for seq in gone:
                del own[seq]
    same = await everything(changed, index, vocabulary)
    for name in present:
        await changed.write(lambda tx, name=name: index.drop(tx, name))
    for name, own in present.items():
        await changed.write(lambda tx, name=name, own=own: index.add(tx, name, [(s, *r) for s, r in own.items()]))
    assert same == await everything(changed, index_of(changed), vocabulary)
    assert {name: total for name, (total, *_) in same.items() if name in present} == {
        name: len(own) for name, own in present.items()
    }
    await changed.close()


async def everything(store: Store, index: Index, vocabulary: list[str]) -> dict[str, Any]:
    """All that an index answers about two notebooks."""

    def rounded(hits: list[WordHit]) -> list[tuple[int, float, float]]:
        return sorted((hit.seq, round(hit.score, 6), round(hit.pairs, 6)) for hit in hits)

    def work(tx: Tx) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for name in ("one", "two"):
            counts, total = index.frequencies(tx, name, vocabulary)
            asked = [vocabulary[at : at + 3] for at in range(len(vocabulary))]
            hits = [rounded(index.match(tx, name, words, sources=None, limit=1_000)) for words in asked]
            told[name] = (total, {word: count for word, count in counts.items() if count}, hits)
        across = index.match_across(tx, ["one", "two"], vocabulary[:3], limit=1_000)
        return told | {"across": rounded(across)}

    return await store.read(work)


async def test_readers_of_another_process_see_what_was_committed_and_no_more(
    make_lasting: Callable[..., Store],
) -> None:
    here, there = make_lasting(), make_lasting()
    index, other = index_of(here), index_of(there)
    await fill(here, index, "one", TEXTS[:2])
    assert len(await match(there, other, "one", "boundary")) == 2

    def fails(tx: Tx) -> None:
        add_texts(tx, index, "one", "more", ["boundary"] * 3)
        assert len(index.match(tx, "one", ["boundary"], sources=None, limit=9)) == 5
        raise LookupError

    with pytest.raises(LookupError):
        await here.write(fails)
    assert len(await match(there, other, "one", "boundary")) == len(await match(here, index, "one", "boundary")) == 2
    await here.write(lambda tx: add_texts(tx, index, "one", "more", ["boundary"] * 3))
    assert len(await match(there, other, "one", "boundary")) == 5
    await here.close()
    await there.close()
