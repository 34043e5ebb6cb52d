"""What is loaded once: by one of many, and gone with whoever held it."""

from __future__ import annotations

import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from quire.adapters.answer_judge import AnswerJudge
from quire.adapters.embedders import MiniLm
from quire.adapters.loaded_once import LoadedOnce
from quire.adapters.model_files import ModelFolder
from quire.adapters.multilingual import MultilingualEncoder
from quire.adapters.passage_judge import PassageJudge


def test_many_that_need_it_at_once_have_it_loaded_once() -> None:
    together, loads = threading.Barrier(4), []

    def load() -> list[int]:
        loads.append(1)
        return [len(loads)]

    once = LoadedOnce(load)
    assert once.value is None

    def needed(_: int) -> list[int]:
        together.wait(60)
        return once()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(needed, range(4)))
    assert found == [[1]] * 4
    assert once.value is found[0]


def test_what_could_not_be_loaded_is_tried_again() -> None:
    answers = iter([OSError("gone"), ["here"]])

    def load() -> list[str]:
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    once = LoadedOnce(load)
    with pytest.raises(OSError, match="gone"):
        once()
    assert once() == ["here"]


@pytest.mark.parametrize("kind", [MiniLm, MultilingualEncoder, AnswerJudge, PassageJudge])
def test_a_network_goes_with_the_last_that_needs_it(kind: type) -> None:
    """Its threads would stay until garbage is searched for."""
    network = kind(ModelFolder())
    gone = weakref.ref(network)
    del network
    assert gone() is None
