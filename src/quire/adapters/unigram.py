"""SentencePiece's way of cutting text into pieces: of all ways to cut a word, the likeliest."""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Iterator

UNKNOWN, OPENING, CLOSING = 0, 1, 2
SPACE = "\u2581"
# How much less likely an unknown letter is than the least likely piece.
UNKNOWN_COST = 10.0
LONGEST_REMEMBERED, REMEMBERED = 30, 50_000
# Letters without width, which separate rather than join.
BLANK = dict.fromkeys((0x200B, 0x200E, 0x200F, 0xFEFF, 0xFFFD), " ")


class Unigram:
    """The pieces of a model and how likely each is. No piece goes beyond a word, so words are cut one by one."""

    def __init__(self, model: bytes) -> None:
        self._pieces: dict[str, int] = {}
        self._scores: list[float] = []
        for number, field in _fields(model):
            if number == 1 and isinstance(field, bytes):
                piece = dict(_fields(field))
                self._pieces[_text(piece[1])] = len(self._scores)
                self._scores.append(_number(piece.get(2)))
        self._longest = max(map(len, self._pieces))
        self._unknown = min(self._scores) - UNKNOWN_COST
        self._words: dict[str, list[int]] = {}

    def ids(self, text: str, limit: int) -> list[int]:
        """The numbers of a text's pieces, opening and closing marks included, at most `limit` of them."""
        found = [OPENING]
        for word in unicodedata.normalize("NFKC", text.translate(BLANK)).split():
            known = self._words.get(word)
            if known is None:
                known = self._cut(SPACE + word[: limit * self._longest])
                if len(word) <= LONGEST_REMEMBERED:
                    if len(self._words) >= REMEMBERED:
                        self._words.clear()
                    self._words[word] = known
            found += known
            if len(found) >= limit:
                break
        return [*(found[: limit - 1] if len(found) > 1 else [OPENING, UNKNOWN]), CLOSING]

    def _cut(self, word: str) -> list[int]:
        """The pieces of a word whose likelihoods have the greatest product."""
        best = [0.0] + [float("-inf")] * len(word)
        came_by: list[tuple[int, int]] = [(0, UNKNOWN)] * (len(word) + 1)
        for start in range(len(word)):
            for end in range(start + 1, min(start + self._longest, len(word)) + 1):
                piece = self._pieces.get(word[start:end])
                if piece is None and end > start + 1:
                    continue
                score = best[start] + (self._unknown if piece is None else self._scores[piece])
                if score > best[end]:
                    best[end], came_by[end] = score, (start, UNKNOWN if piece is None else piece)
        found = []
        at = len(word)
        while at:
            at, piece = came_by[at]
            found.append(piece)
        return found[::-1]


def _fields(message: bytes) -> Iterator[tuple[int, bytes | int]]:
    """The fields of a message in the form of Protocol Buffers."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        if tag & 7 == 0:
            value, at = _varint(message, at)
            yield tag >> 3, value
            continue
        if tag & 7 == 2:
            length, at = _varint(message, at)
        else:
            length = 8 if tag & 7 == 1 else 4
        yield tag >> 3, message[at : at + length]
        at += length


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _text(value: bytes | int) -> str:
    assert isinstance(value, bytes)
    return value.decode()


def _number(value: bytes | int | None) -> float:
    return float(struct.unpack("<f", value)[0]) if isinstance(value, bytes) else 0.0
