"""Full text across notebooks on SQLite, at a bounded cost whatever the words are.

FTS5 would score every passage that has any of the words, which is most of a library. Here the passages that
have the rarest of them are found first, and only the most promising are scored, by all words.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Sequence
from heapq import nlargest

from quire.adapters.sql.bm25 import Words, pair_scores, rarity, repeats, word_scores
from quire.adapters.sql.fts5 import any_of, connection_of, table_of, visible, words_of
from quire.ports.search import WordHit
from quire.ports.store import Tx

# Of each word no more passages than this are looked at, the newest; a word that has more is not what a search turns on.
MOST = 10_000
# So many times the passages that are wanted are scored.
CLOSER = 2
# So few notebooks are asked one by one.
FEW = 16

# One row of all numbers: to fetch them one by one takes three times as long.
IN_ONE = f"""
    SELECT json_group_array(rowid) FROM (
        SELECT rowid FROM {{table}} WHERE {{table}} MATCH ? {{visible}} ORDER BY rowid DESC LIMIT {MOST}
    )
"""  # noqa: S608
IN_MANY = f"""
    SELECT json_group_array(found) FROM (
        SELECT library_words.rowid AS found FROM library_words CROSS JOIN passage ON seq = library_words.rowid
        WHERE library_words MATCH ? {{visible}} AND notebook_id IN (SELECT value FROM json_each(?))
        ORDER BY 1 DESC LIMIT {MOST}
    )
"""  # noqa: S608
NOTEBOOKS = """
    SELECT p.seq, n.seq FROM json_each(?) CROSS JOIN passage p ON p.seq = value JOIN notebook n ON n.id = p.notebook_id
"""

Passages = Callable[[str], list[int]]


def across(tx: Tx, notebook_ids: Sequence[str], words: Sequence[str], limit: int, also: Sequence[int]) -> list[WordHit]:
    known = tx.all("generations_of", notebook_ids=json.dumps(list(notebook_ids)))
    passages, length = sum(row["passages"] for row in known), sum(row["words"] for row in known)
    if not passages or not words:
        return []
    connection = connection_of(tx)
    with_word = _with_word(tx, connection, [row["notebook_id"] for row in known if row["passages"]])
    times = repeats(words)
    found = {word: with_word(word) for word in times}
    counts = {word: _count(seqs, passages) for word, seqs in found.items() if seqs}
    weights = {word: times[word] * rarity(count, passages) for word, count in counts.items()}
    promise = _promise(found, weights, limit)
    promising = nlargest(limit * CLOSER, promise, key=promise.__getitem__)
    rows = _words_of(connection, list({*promising, *also}))
    scores = word_scores(rows, weights, length / passages)
    pairs = pair_scores(rows, words, passages, length / passages)
    hits = [WordHit(seq, score, pairs.get(seq, 0.0)) for seq, score in scores.items() if score]
    hits.sort(key=lambda hit: (-hit.score, hit.seq))
    wanted = set(also)
    return [hit for place, hit in enumerate(hits) if place < limit or hit.seq in wanted]


def _with_word(tx: Tx, connection: sqlite3.Connection, notebook_ids: Sequence[str]) -> Passages:
    """Finds the newest passages that have a word, in these notebooks only."""
    shown = visible(tx)
    if len(notebook_ids) <= FEW:
        queries = [IN_ONE.format(table=table_of(tx, id), visible=shown) for id in notebook_ids]
        return lambda word: sorted(
            (seq for query in queries for seq in _numbers(connection, query, any_of([word]))), reverse=True
        )[:MOST]
    total = tx.one("count_generations")
    if total is not None and total["total"] == len(notebook_ids):
        in_all = IN_ONE.format(table="library_words", visible=shown)
        return lambda word: _numbers(connection, in_all, any_of([word]))
    wanted = json.dumps(list(notebook_ids))
    in_many = IN_MANY.format(visible=shown.replace("+rowid", "+library_words.rowid"))
    return lambda word: _numbers(connection, in_many, any_of([word]), wanted)


def _numbers(connection: sqlite3.Connection, query: str, *parameters: str) -> list[int]:
    found: list[int] = json.loads(connection.execute(query, parameters).fetchone()[0])
    return found


def _count(seqs: Sequence[int], passages: int) -> float:
    """How many passages have a word; of a common one only the newest are known, and the rest is like them."""
    if len(seqs) < MOST:
        return len(seqs)
    return min(float(passages), max(MOST, MOST * seqs[0] / (seqs[0] - seqs[-1] + 1)))


def _promise(found: dict[str, list[int]], weights: dict[str, float], limit: int) -> dict[int, float]:
    """How much the words weigh together that a passage has. Common words only help out where others are too few."""
    together: dict[int, float] = defaultdict(float)
    for word in sorted(weights, key=lambda word: -weights[word]):
        seqs = found[word]
        if len(seqs) >= MOST and len(together) >= limit:
            break
        weight = weights[word]
        for seq in seqs:
            together[seq] += weight
    return together


def _words_of(connection: sqlite3.Connection, seqs: Sequence[int]) -> list[Words]:
    by_table: dict[int, list[int]] = defaultdict(list)
    for seq, number in connection.execute(NOTEBOOKS, (json.dumps(seqs),)):
        by_table[number].append(seq)
    return [row for number, own in by_table.items() for row in words_of(connection, f"notebook_words_{number}", own)]
