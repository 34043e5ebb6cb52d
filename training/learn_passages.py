"""Teaches the judge of passages: `python training/learn_passages.py [--minutes N] [--go-on FILE] [--out FILE]`.

Needs PyTorch, which Quire itself does not. Of each question a window of a passage that answers it is drawn, and one or
two of others that share its words, of one that nothing answers two or three; what is learnt is to give each
answering sentence more than all others, and more than zero, and where none answers, each of them less. Now and then the
answer is taken away, the question is put to another name or day, or question and sentences look as they would word by
word from another language.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path

import numpy
import torch
from torch import Tensor

from garbled import Garbler
from held_out import told
from of_another import of_another
from pages import PageQuestion, questions
from passage_network import PassageNetwork
from quire.adapters.model_files import ModelFolder
from quire.adapters.passage_judge import MODEL, Window, windows_of, words_of
from quire.adapters.passage_judge_weights import LEARNT, LEFT, RIGHT, VOCABULARY, WEIGHTS

OUT = Path(__file__).parent.parent / "src" / "quire" / "adapters" / LEARNT
QUESTIONS = 8
SIZES = (90, 130, 200)
TAKEN_AWAY, SECOND, UNTITLED, PLAIN = 0.06, 0.35, 0.1, 0.05
# So often a question that is answered is shown a first and a second passage that does not, one that nothing answers a
# second and a third; and so often one that is answered is put to another name or day, where it has one.
FIRST_OTHER, SECOND_OTHER, SECOND_OF_NONE, THIRD_OF_NONE, OF_ANOTHER = 0.85, 0.4, 0.95, 0.5, 0.1
# So often one of the likeliest other passages is shown, else any.
LIKELY = 0.85
# Of all questions so many are garbled, so many of them with garbled sentences alone, and with both.
GARBLED, SENTENCES_ALONE, BOTH = 0.1, 0.03, 0.035
NEAR = 5
RATES = {LEFT: 5e-4, RIGHT: 5e-4, "head": 1e-3, "head.bias": 1e-3, "like": 5e-3}
OTHERS, WARMING, LEAST = 2e-4, 40, 0.02
SAVED, TOLD, MEASURED = 100, 20, 100

Drawn = list[tuple[Window, set[int]]]


class Teacher:
    def __init__(self) -> None:
        files = ModelFolder()
        self.words = words_of(files.read(MODEL, VOCABULARY))
        self.garbler = Garbler()
        self.weights = files.root / MODEL / WEIGHTS

    def drawn(self, one: PageQuestion) -> Drawn:
        """Windows to learn from, each with the sentences in it that answer."""
        another = of_another(one) if one.answers and random.random() < OF_ANOTHER else ""
        chance, asked = random.random(), another or one.text
        garbled = chance < GARBLED and chance > GARBLED - SENTENCES_ALONE - BOTH
        if chance < GARBLED - SENTENCES_ALONE:
            asked = self.garbler.garbled(asked)
        if random.random() < PLAIN:
            asked = asked.lower().rstrip("?")
        size = random.choice(SIZES)

        def windows(at: int) -> Drawn:
            passage = one.pages.passages[at]
            head = "" if random.random() < UNTITLED else passage.over
            sentences = [self.garbler.garbled(each) for each in passage.sentences] if garbled else passage.sentences
            answers = one.answers.get(at, set()) if not another else set()
            return [
                (window, {place - window.first for place in answers} & set(range(len(window.sentences))))
                for window in windows_of(self.words, asked, head, sentences, size)
            ]

        others = [at for at in one.pages.likeliest(one.text) if at not in one.answers]
        chosen: Drawn = []
        if another:
            chosen = [random.choice(windows(random.choice(list(one.answers))))]
        elif one.answers and random.random() > TAKEN_AWAY:
            answering = [pair for at in one.answers for pair in windows(at) if pair[1]]
            chosen = random.sample(answering, min(len(answering), 2 if random.random() < SECOND else 1))
        shares = (FIRST_OTHER, SECOND_OTHER) if chosen else (1.0, SECOND_OF_NONE, THIRD_OF_NONE)
        for share in shares:
            if others and random.random() < share:
                likely = others[:NEAR] if random.random() < LIKELY else others
                others.remove(at := random.choice(likely))
                chosen.append(random.choice(windows(at)))
        return chosen


def loss_of(scores: Sequence[Tensor], answers: Sequence[set[int]]) -> Tensor:
    right = [score for own, places in zip(scores, answers, strict=True) for at, score in enumerate(own) if at in places]
    wrong = [
        score for own, places in zip(scores, answers, strict=True) for at, score in enumerate(own) if at not in places
    ]
    others = torch.logsumexp(torch.stack([*wrong, torch.zeros(())]), 0)
    if not right:
        return others
    answering = torch.stack(right)
    return (torch.logaddexp(answering, others) - answering).mean()


@torch.no_grad()
def measured(network: PassageNetwork, teacher: Teacher, held: Sequence[PageQuestion]) -> str:
    """How often the sentence with most of all in the four likeliest passages answers, and whether it tells apart what
    is answered there and what is not."""
    network.eval()
    first: list[bool] = []
    best: dict[bool, list[float]] = {True: [], False: []}
    for one in held[:MEASURED]:
        places = one.pages.likeliest(one.text)[:NEAR]
        windows = [
            (at, window)
            for at in places
            for window in windows_of(
                teacher.words, one.text, one.pages.passages[at].over, one.pages.passages[at].sentences
            )
        ]
        found = [
            (float(score), place + window.first in one.answers.get(at, ()))
            for (at, window), scores in zip(windows, network.scores([window for _, window in windows]), strict=True)
            for place, score in enumerate(scores)
        ]
        top, answers = max(found)
        known = any(answers for _, answers in found)
        best[known].append(top)
        if known:
            first.append(answers)
    network.train()
    return told(first, best)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=90, help="how long to learn (default: 90)")
    parser.add_argument("--go-on", type=Path, metavar="FILE", help="begin with what was learnt before")
    parser.add_argument("--out", type=Path, default=OUT, help="where to write what was learnt")
    parser.add_argument("--often", nargs="*", default=[], metavar="NAME", help="files that make half of what is learnt")
    parser.add_argument("--rates", nargs=2, type=float, default=(1.0, LEAST), help="how fast to learn, first and last")
    parser.add_argument("--seed", type=int, default=1, help="another one draws in another order (default: 1)")
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    first, last = options.rates
    teacher = Teacher()
    asked = list(questions())
    learnt = [one for one in asked if not one.pages.held_out]
    held = [one for one in asked if one.pages.held_out]
    random.shuffle(held)
    network = PassageNetwork(teacher.weights)
    if options.go_on:
        network.go_on_from(options.go_on)
    network.train()
    rates = {
        name: next((rate for end, rate in RATES.items() if name.endswith(end)), OTHERS) for name in network.teachable()
    }
    optimizer = torch.optim.AdamW(
        [{"params": [value], "usual": rates[name]} for name, value in network.teachable().items()],
        betas=(0.9, 0.98),
        weight_decay=0.01,
    )
    print(f"{len(learnt)} questions to learn from, {len(held)} held out", flush=True)
    often = [one for one in learnt if one.pages.name in options.often]
    others = [one for one in learnt if one.pages.name not in options.often]
    began, steps, losses = time.monotonic(), 0, []
    order: list[PageQuestion] = []
    while (gone := (time.monotonic() - began) / (60 * options.minutes)) < 1:
        if len(order) < QUESTIONS:
            order = [*often, *random.sample(others, len(often) or len(others))]
            random.shuffle(order)
        for group in optimizer.param_groups:
            group["lr"] = group["usual"] * min(1.0, (steps + 1) / WARMING) * (first + (last - first) * gone)
        batch = [drawn for _ in range(QUESTIONS) if (drawn := teacher.drawn(order.pop()))]
        scores = iter(network.scores([window for drawn in batch for window, _ in drawn]))
        own = [loss_of([next(scores) for _ in drawn], [answers for _, answers in drawn]) for drawn in batch]
        loss = torch.stack(own).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(network.teachable().values()), 1.0)
        optimizer.step()
        losses.append(loss.item())
        steps += 1
        if steps % TOLD == 0:
            print(f"{steps} steps, {gone:.0%} of the time, loss {numpy.mean(losses[-100:]):.3f}", flush=True)
        if steps % SAVED == 0:
            numpy.savez_compressed(options.out.with_suffix(".part.npz"), **network.learnt())
    print(measured(network, teacher, held))
    numpy.savez_compressed(options.out, **network.learnt())


if __name__ == "__main__":
    main()
