"""BERT's way of cutting text into the pieces that its models know."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

UNKNOWN, OPENING, CLOSING = "[UNK]", "[CLS]", "[SEP]"
LONGEST_WORD = 100
REMEMBERED = 50_000

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
HAN = "\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f"
SPACED = re.compile(rf"([{HAN}!-/:-@\[-`{{-~])")


class WordPiece:
    """Lower case, no accents; a word is cut into the longest known pieces from its beginning on."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._words: dict[str, list[int]] = {}
        self._unknown = vocabulary[UNKNOWN]
        self._opening, self._closing = vocabulary[OPENING], vocabulary[CLOSING]

    def ids(self, text: str, limit: int) -> list[int]:
        """The numbers of a text's pieces, opening and closing marks included, at most `limit` of them."""
        found = [self._opening]
        for word in _words(text):
            known = self._words.get(word)
            if known is None:
                if len(self._words) >= REMEMBERED:
                    self._words.clear()
                known = self._words[word] = self._pieces(word)
            found += known
            if len(found) >= limit:
                break
        return [*found[: limit - 1], self._closing]

    def _pieces(self, word: str) -> list[int]:
        if len(word) > LONGEST_WORD:
            return [self._unknown]
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self._vocabulary.get(("##" if start else "") + word[start:end])
                if number is not None:
                    break
            else:
                return [self._unknown]
            found.append(number)
            start = end
        return found


def _words(text: str) -> list[str]:
    """Lower-case words, with punctuation and Chinese characters as words of their own."""
    text = CONTROL.sub("", text)
    if not text.isascii():
        visible = (letter for letter in text if letter in "\t\n\r" or unicodedata.category(letter)[0] != "C")
        kept = []
        for letter in unicodedata.normalize("NFD", "".join(visible)):
            category = unicodedata.category(letter)
            if category != "Mn" and letter != "\ufffd":
                kept.append(f" {letter} " if category[0] == "P" else letter)
        text = "".join(kept)
    return SPACED.sub(r" \1 ", text.lower()).split()
