"""Flashcards as a deck for Anki: a zip of an SQLite file in the form that all its versions import (schema 11).

Written by ourselves: the one library for it (genanki) brings four packages for what is one table of notes, one of
cards and two JSON texts.
"""

from __future__ import annotations

import hashlib
import html
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from quire.domain.quizzes import Flashcard, Flashcards
from quire.ports.artifact_files import Progress

# Moments are only told for order; the same cards give the same deck.
MADE = 1_700_000_000
MODEL_ID = 1_607_392_319_001
SEPARATOR = "\x1f"
SCHEMA = """
CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null,
  ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null,
  models text not null, decks text not null, dconf text not null, tags text not null);
CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null,
  usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null,
  flags integer not null, data text not null);
CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null,
  mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null,
  ivl integer not null, factor integer not null, reps integer not null, lapses integer not null, left integer not null,
  odue integer not null, odid integer not null, flags integer not null, data text not null);
CREATE TABLE revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null,
  ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null,
  type integer not null);
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_notes_csum ON notes (csum);
"""
STYLE = ".card{font-family:system-ui,sans-serif;font-size:20px;text-align:center}.source{font-size:13px;color:#667}"
CONFIGURATION = {
    "curDeck": 1,
    "activeDecks": [1],
    "nextPos": 1,
    "sortType": "noteFld",
    "newSpread": 0,
    "collapseTime": 1200,
}


def make(cards: Flashcards, path: Path, progress: Progress) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "collection.anki2"
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(SCHEMA)
            _fill(connection, cards)
            connection.commit()
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as deck:
            deck.writestr(zipfile.ZipInfo("collection.anki2", (2024, 1, 1, 0, 0, 0)), file.read_bytes())
            deck.writestr(zipfile.ZipInfo("media", (2024, 1, 1, 0, 0, 0)), "{}")


def check(path: Path, cards: Flashcards) -> None:
    with TemporaryDirectory() as folder, zipfile.ZipFile(path) as deck:
        file = Path(deck.extract("collection.anki2", folder))
        with closing(sqlite3.connect(file)) as connection:
            fields = [row[0].split(SEPARATOR)[0] for row in connection.execute("SELECT flds FROM notes ORDER BY id")]
            made = connection.execute("SELECT count(*) FROM cards JOIN notes ON notes.id = cards.nid").fetchone()[0]
    if fields != [_html(card.front) for card in cards.cards] or made != len(cards.cards):
        raise ValueError("a card is missing")


def _fill(connection: sqlite3.Connection, cards: Flashcards) -> None:
    deck_id = 1_000_000_000_000 + int.from_bytes(hashlib.sha256(cards.title.encode()).digest()[:5], "big")
    models, decks = (
        {str(MODEL_ID): _model(deck_id)},
        {"1": _deck(1, "Default"), str(deck_id): _deck(deck_id, cards.title)},
    )
    options = {"1": {"id": 1, "name": "Default", "mod": 0, "usn": 0, "maxTaken": 60, "autoplay": True, "timer": 0,
                     "replayq": True, "new": {"bury": True, "delays": [1, 10], "initialFactor": 2500,
                                              "ints": [1, 4, 7], "order": 1, "perDay": 20, "separate": True},
                     "rev": {"bury": True, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "minSpace": 1,
                             "perDay": 200},
                     "lapse": {"delays": [10], "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0}}}  # fmt: skip
    kept = [json.dumps(one) for one in (CONFIGURATION, models, decks, options)]
    connection.execute(
        "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')", (MADE, MADE * 1000, MADE * 1000, *kept)
    )
    for number, card in enumerate(cards.cards):
        id = MADE * 1000 + number
        front, back = _html(card.front), _back(card)
        guid = hashlib.sha256(f"{cards.title}\0{card.front}".encode()).hexdigest()[:16]
        checksum = int(hashlib.sha1(front.encode(), usedforsecurity=False).hexdigest()[:8], 16)
        fields = front + SEPARATOR + back
        connection.execute(
            "INSERT INTO notes VALUES (?, ?, ?, ?, -1, '', ?, ?, ?, 0, '')",
            (id, guid, MODEL_ID, MADE, fields, front, checksum),
        )
        connection.execute(
            "INSERT INTO cards VALUES (?, ?, ?, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')",
            (id, id, deck_id, MADE, number),
        )


def _html(text: str) -> str:
    return html.escape(text, quote=False).replace("\n", "<br>")


def _back(card: Flashcard) -> str:
    source = ", ".join(dict.fromkeys(grounds.source_title for grounds in card.explanation.grounds))
    proof = "" if card.explanation.text == card.back else f"<br><br>{_html(card.explanation.text)}"
    return f'{_html(card.back)}{proof}<br><br><span class="source">{_html(source)}</span>'


def _model(deck_id: int) -> dict[str, Any]:
    field = {"font": "Arial", "media": [], "rtl": False, "size": 20, "sticky": False}
    return {
        "id": MODEL_ID,
        "name": "Quire",
        "type": 0,
        "mod": MADE,
        "usn": -1,
        "sortf": 0,
        "did": deck_id,
        "tags": [],
        "vers": [],
        "css": STYLE,
        "latexPre": "",
        "latexPost": "",
        "req": [[0, "all", [0]]],
        "flds": [{"name": name, "ord": place, **field} for place, name in enumerate(("Front", "Back"))],
        "tmpls": [
            {
                "name": "Card",
                "ord": 0,
                "qfmt": "{{Front}}",
                "afmt": "{{FrontSide}}<hr id=answer>{{Back}}",
                "bqfmt": "",
                "bafmt": "",
                "did": None,
            }
        ],
    }


def _deck(id: int, name: str) -> dict[str, Any]:
    today = {name: [0, 0] for name in ("newToday", "revToday", "lrnToday", "timeToday")}
    return {"id": id, "name": name.replace("::", ": "), "desc": "", "mod": MADE, "usn": -1, "collapsed": False,
            "browserCollapsed": False, "dyn": 0, "conf": 1, "extendNew": 10, "extendRev": 50, **today}  # fmt: skip
