"""Questions and sentences as they look word by word: `python training/garbled.py CANDIDATES... --out FILE`.

A question in another language than its sources is put to the judge in English words, one for each of its own
(`quire/text/glosses.py`), and so is a sentence in another language. That reads badly: articles are missing or too
many, verbs stand elsewhere, words are near the right ones rather than right. Of some of the questions that
candidates.py wrote this makes copies with such a question, such sentences, or both, so that the judge learns to make
sense of them.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from pathlib import Path

import numpy

from quire.adapters.glossary import english_words
from quire.adapters.model_files import ModelFolder
from quire.adapters.multilingual import MultilingualEncoder

# Of all questions so many are copied; a third each with a garbled question, garbled sentences, and both.
SHARE = 0.16
NEIGHBOURS, NEAR = 5, 0.6
REPLACED, STRANGE, SWAPPED, DROPPED, LAST = 0.35, 0.05, 0.08, 0.3, 0.15
ARTICLES = frozenset({"a", "an", "the", "of", "to", "at"})
STRAY = ("the", "of", "itself", "to", "-", "'", "that")
WORD = re.compile(r"\d[\d.,:%-]*|\w+|[^\w\s]")


class Garbler:
    def __init__(self) -> None:
        words = list(english_words())
        vectors = MultilingualEncoder(ModelFolder()).embed(words)
        self._words = words
        self._near: dict[str, list[str]] = {}
        for at, word in enumerate(words):
            cosines = vectors @ vectors[at]
            best = numpy.argsort(-cosines)[1 : NEIGHBOURS + 1]
            self._near[word] = [words[other] for other in best if cosines[other] >= NEAR]

    def garbled(self, text: str) -> str:
        found = [said for word in WORD.findall(text) if (said := self._word(word))]
        for at in range(len(found) - 1):
            if random.random() < SWAPPED:
                found[at], found[at + 1] = found[at + 1], found[at]
        if len(found) > 3 and random.random() < LAST:
            found.append(found.pop(random.randrange(1, len(found) - 1)))
        return " ".join(found)

    def _word(self, word: str) -> str:
        small = word.lower()
        if small in ARTICLES:
            chance = random.random()
            return "" if chance < DROPPED else random.choice(STRAY) if chance < 1.5 * DROPPED else small
        if small not in self._near or random.random() > REPLACED + STRANGE:
            return word
        near = self._near[small]
        return random.choice(near) if near and random.random() > STRANGE else random.choice(self._words)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("candidates", type=Path, nargs="+", help="what candidates.py wrote")
    parser.add_argument("--out", type=Path, required=True, help="where the copies are written")
    options = parser.parse_args()
    random.seed(1)
    garbler = Garbler()
    with options.out.open("w", encoding="utf-8") as out:
        for file in options.candidates:
            for line in file.read_text(encoding="utf-8").splitlines():
                if random.random() > SHARE:
                    continue
                row = json.loads(line)
                which = random.choice(("question", "sentences", "both"))
                if which != "sentences":
                    row["question"] = garbler.garbled(row["question"])
                if which != "question":
                    for one in row["texts"]:
                        one["text"] = garbler.garbled(one["text"])
                        one["around"] = garbler.garbled(one["around"])
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
