"""Full text on PostgreSQL: its own vectors of words and their index, scored as FTS5 does.

PostgreSQL's ranks do not know how rare a word is. But the rank of a single word grows by a known step with each of
its occurrences, so it tells how often the word occurs, and BM25 is reckoned from that.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, cast

from quire.adapters.sql.bm25 import K1, LEAST, B, repeats
from quire.adapters.sql.notebook_languages import NotebookLanguages
from quire.adapters.sql.postgres import Connection, PostgresTx
from quire.ports.search import WordHit
from quire.ports.store import Tx
from quire.text.ranking import TITLE_WEIGHT

# The sum of 1/n² goes to π²/6, which PostgreSQL divides by; a count begins halfway from the one before.
RANKS = [0.0, *accumulate(1 / number**2 / 1.64493406685 for number in range(1, 61))]
STEPS = [(low + high) / 2 for low, high in pairwise(RANKS)]
# A title's words stand apart from the text's, so that no phrase reaches from one into the other.
GAP = 3
# A lexeme may have 2,046 bytes.
LONGEST = 400

INSERT = """
INSERT INTO passage_words (passage_seq, notebook_id, length, words) VALUES (%s, %s, %s, CAST(%s AS tsvector))
"""
# Stands where the passages of hidden versions are left out; nothing comes there while there are none.
VISIBLE = "/* visible */"
NOT_HIDDEN = """WHERE w.passage_seq NOT IN (
    SELECT p.seq FROM hidden_version h JOIN passage p ON p.source_id = h.source_id AND p.version = h.version
)"""
COUNTS = f"""
SELECT a.number, count(*) AS passages
FROM unnest(CAST(%(queries)s AS text[])) WITH ORDINALITY AS a (query, number)
JOIN passage_words w ON w.words @@ CAST(a.query AS tsquery) {VISIBLE} GROUP BY a.number
"""  # noqa: S608
SCORES = f"""
WITH asked AS MATERIALIZED (
    SELECT number, times, CAST(query AS tsquery) AS query, CAST(title AS tsquery) AS title
    FROM unnest(
        CAST(%(numbers)s AS int[]), CAST(%(times)s AS int[]), CAST(%(queries)s AS text[]), CAST(%(titles)s AS text[])
    ) AS a (number, times, query, title)
), hit AS MATERIALIZED (
    SELECT a.number, a.times, w.passage_seq, CAST(w.length AS float8) AS length,
        CAST({{frequency}} AS float8) AS frequency
    FROM asked a JOIN passage_words w ON w.words @@ a.query {VISIBLE}
), weight AS (
    SELECT number, greatest({LEAST}, ln(
        greatest(CAST(%(passages)s AS float8) - count(*) + 0.5, 0.5) / (count(*) + 0.5)
    )) AS rarity
    FROM hit GROUP BY number
), scored AS (
    SELECT passage_seq, sum(
        times * rarity * frequency * {K1 + 1}::float8
        / (frequency + {K1}::float8 * ({1 - B}::float8 + {B}::float8 * length / CAST(%(average)s AS float8)))
    ) AS score
    FROM hit JOIN weight USING (number)
    WHERE CAST(%(sources)s AS text) IS NULL OR passage_seq IN (
        SELECT seq FROM passage WHERE source_id IN (SELECT jsonb_array_elements_text(CAST(%(sources)s AS jsonb)))
    )
    GROUP BY passage_seq
), placed AS (
    SELECT passage_seq, score, row_number() OVER (ORDER BY score DESC, passage_seq) AS place FROM scored
)
SELECT passage_seq, score FROM placed
WHERE place <= %(limit)s OR passage_seq = ANY(CAST(%(also)s AS bigint[])) ORDER BY place
"""  # noqa: S608
WORD_SCORES = SCORES.format(
    frequency=f"""
    width_bucket(CAST(ts_rank('{{1, 1, 1, 1}}', w.words, a.query) AS float8), CAST(%(steps)s AS float8[])) + CASE
    WHEN w.words @@ a.title THEN {TITLE_WEIGHT - 1} * width_bucket(
        CAST(ts_rank('{{0, 0, 0, 1}}', w.words, a.query) AS float8), CAST(%(steps)s AS float8[])
    ) ELSE 0 END"""
)
# PostgreSQL does not tell how often a phrase occurs.
PAIR_SCORES = SCORES.format(frequency=f"CASE WHEN w.words @@ a.title THEN {TITLE_WEIGHT} ELSE 1.0 END")


class PostgresIndex:
    def __init__(self) -> None:
        self._languages = NotebookLanguages()

    def add(self, tx: Tx, notebook_id: str, rows: Sequence[tuple[int, str, str]]) -> None:
        if not rows:
            return
        number = _number(tx, notebook_id)
        made = []
        for seq, title, text in rows:
            titled, told = title.split(), text.split()
            made.append((seq, notebook_id, len(titled) + len(told), vector(number, titled, told)))
        with _connection(tx).cursor() as cursor:
            cursor.executemany(INSERT, made)
        words = sum(length for _, _, length, _ in made)
        tx.run("add_to_totals", notebook_id=notebook_id, passages=len(made), words=words)

    def remove(self, tx: Tx, notebook_id: str, seqs: Sequence[int]) -> None:
        gone = _connection(tx).execute(
            "DELETE FROM passage_words WHERE passage_seq = ANY(%s) AND notebook_id = %s RETURNING length",
            [list(seqs), notebook_id],
        )
        if lengths := [row["length"] for row in gone]:
            tx.run("add_to_totals", notebook_id=notebook_id, passages=-len(lengths), words=-sum(lengths))

    def drop(self, tx: Tx, notebook_id: str) -> None:
        _connection(tx).execute("DELETE FROM passage_words WHERE notebook_id = %s", [notebook_id])
        tx.run("no_totals", notebook_id=notebook_id)

    def match(
        self,
        tx: Tx,
        notebook_id: str,
        words: Sequence[str],
        *,
        sources: Sequence[str] | None,
        limit: int,
        also: Sequence[int] = (),
    ) -> list[WordHit]:
        return self._match(tx, [notebook_id], words, sources, limit, also)

    def match_across(
        self, tx: Tx, notebook_ids: Sequence[str], words: Sequence[str], *, limit: int, also: Sequence[int] = ()
    ) -> list[WordHit]:
        return self._match(tx, notebook_ids, words, None, limit, also)

    def languages(self, tx: Tx, notebook_ids: Sequence[str]) -> list[str]:
        return self._languages.of(tx, notebook_ids)

    def frequencies(self, tx: Tx, notebook_id: str, words: Sequence[str]) -> tuple[dict[str, int], int]:
        known = tx.one("generation_of", notebook_id=notebook_id)
        if known is None:
            return {}, 0
        number = _number(tx, notebook_id)
        wanted = list(dict.fromkeys(words))
        queries = [lexeme(number, word) for word in wanted]
        rows = _connection(tx).execute(visible(tx, COUNTS), {"queries": queries}).fetchall()
        return dict.fromkeys(wanted, 0) | {wanted[row["number"] - 1]: row["passages"] for row in rows}, known[
            "passages"
        ]

    def _match(
        self,
        tx: Tx,
        notebook_ids: Sequence[str],
        words: Sequence[str],
        sources: Sequence[str] | None,
        limit: int,
        also: Sequence[int],
    ) -> list[WordHit]:
        known = tx.all("generations_of", notebook_ids=json.dumps(list(notebook_ids)))
        passages, length = sum(row["passages"] for row in known), sum(row["words"] for row in known)
        if not words or not passages:
            return []
        numbers = [_number(tx, row["notebook_id"]) for row in known if row["passages"]]
        common = {
            "passages": passages,
            "average": length / passages or 1,
            "sources": None if sources is None else json.dumps(list(sources)),
            "steps": STEPS,
        }
        best = {"limit": limit, "also": list(also)}
        times: dict[tuple[str, ...], int] = {(word,): count for word, count in repeats(words).items()}
        found = self._scores(tx, WORD_SCORES, numbers, times, common | best)
        pairs: dict[int, float] = {}
        both: dict[tuple[str, ...], int] = dict.fromkeys(pairwise(words), 1)
        if found and both:
            those = {"limit": 0, "also": [seq for seq, _ in found]}
            pairs = dict(self._scores(tx, PAIR_SCORES, numbers, both, common | those))
        return [WordHit(seq, score, pairs.get(seq, 0.0)) for seq, score in found]

    def _scores(
        self, tx: Tx, query: str, notebooks: Sequence[int], times: Mapping[tuple[str, ...], int], common: dict[str, Any]
    ) -> list[tuple[int, float]]:
        """Passages by phrases, each of which counts so many times."""
        asked = [
            (number, count, " <-> ".join(lexemes), " <-> ".join(f"{one}:A" for one in lexemes))
            for number, (phrase, count) in enumerate(times.items())
            for notebook in notebooks
            if (lexemes := [lexeme(notebook, word) for word in phrase])
        ]
        columns = dict(zip(("numbers", "times", "queries", "titles"), map(list, zip(*asked, strict=True)), strict=True))
        rows = _connection(tx).execute(visible(tx, query), common | columns).fetchall()
        return [(row["passage_seq"], float(row["score"])) for row in rows]


def visible(tx: Tx, query: str) -> str:
    return query.replace(VISIBLE, NOT_HIDDEN if tx.one("any_hidden_version") else "")


def lexeme(notebook: int, word: str) -> str:
    """A word as tsvector and tsquery write it, with the number of its notebook before it."""
    return f"'{notebook}/" + word[:LONGEST].replace("\\", "\\\\").replace("'", "''") + "'"


def vector(notebook: int, title: Sequence[str], text: Sequence[str]) -> str:
    """The words of a passage as a tsvector is written."""
    places: dict[str, list[str]] = defaultdict(list)
    for place, word in enumerate(title, 1):
        places[word].append(f"{place}A")
    for place, word in enumerate(text, len(title) + GAP):
        places[word].append(str(place))
    return " ".join(f"{lexeme(notebook, word)}:{','.join(where)}" for word, where in places.items())


def _number(tx: Tx, notebook_id: str) -> int:
    row = tx.one("notebook_number", notebook_id=notebook_id)
    return row["seq"] if row else 0


def _connection(tx: Tx) -> Connection:
    return cast(PostgresTx, tx).connection
