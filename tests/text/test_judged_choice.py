"""A judge beside the signs: what it takes for an answer is told, and what it does not is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quire.domain.chat import ChatConfiguration
from quire.domain.errors import Unsupported
from quire.domain.passages import Passage, Place
from quire.text.asked import Asked, asked_of
from quire.text.candidates import ScoredPassage
from quire.text.judging import Judge, Shown
from quire.text.makers import WritingTask
from quire.text.question_making import MadeQuestion
from quire.text.sentence_choice import JUDGED, SKIMMED, SentenceChoice, choose_sentences
from quire.text.suggesting import _holds
from quire.text.suggestions import Suggestion

REGATTA = (
    "The regatta of 1911 was rowed on the Ash. Crowds lined both banks. The cup went to four brothers from Tollbridge."
)


def near(texts: list[str]) -> list[float]:
    return [0.4] * len(texts)


def judged_by(*answers: str, asked: list[tuple[str, Sequence[Shown]]] | None = None) -> Judge:
    """Takes for answers what holds one of these."""

    def judge(question: str, language: str | None, texts: Sequence[Shown]) -> list[float]:
        if asked is not None:
            asked.append((question, texts))
        return [4.0 if any(one in text.text for one in answers) else -5.0 for text in texts]

    return judge


def chosen_by(judge: Judge, question: str | Asked, text: str = REGATTA, language: str = "en") -> SentenceChoice:
    asked = asked_of(question) if isinstance(question, str) else question
    return choose_sentences(asked, [ScoredPassage(text, 1.0, "Club", language, 0.5)], {}, 9, near, judge)


def test_what_the_judge_takes_for_an_answer_is_told() -> None:
    chosen = chosen_by(judged_by("four brothers"), "Who won the regatta of 1911?")
    assert not chosen.refused
    assert REGATTA[chosen.parts[0].start : chosen.parts[0].end].startswith("The cup went")


def test_what_is_far_from_the_questions_words_is_read_where_all_is_skimmed() -> None:
    text = " ".join([*(f"The regatta of 1911 has rule {number}." for number in range(JUDGED + 2)), REGATTA[42:]])
    passages = [ScoredPassage(text, 1.0, "Club", "en", 0.5)]
    brothers = judged_by("four brothers")

    def chosen(skim: Judge | None) -> SentenceChoice:
        return choose_sentences(asked_of("Who won the regatta of 1911?"), passages, {}, 9, near, brothers, skim)

    assert chosen(None).refused
    found = chosen(brothers)
    assert not found.refused
    assert told(found, text) == ["The cup went to four brothers from Tollbridge."]


def test_only_the_best_passages_are_skimmed() -> None:
    passages = [ScoredPassage(f"Rule {at} holds.", 1.0 - at / 100, "Club", "en", 0.5) for at in range(SKIMMED + 3)]
    seen: list[str] = []

    def skim(question: str, language: str | None, texts: Sequence[Shown]) -> list[float]:
        seen.extend(one.text for one in texts)
        return [0.0] * len(texts)

    choose_sentences(asked_of("Which rule holds?"), passages, {}, 20, near, judged_by("Rule"), skim)
    assert seen == [passage.text for passage in passages[:SKIMMED]]


def test_what_cannot_be_skimmed_is_not_put_before_what_was() -> None:
    text = " ".join(f"The regatta of 1911 has rule {number}." for number in range(JUDGED + 2))
    asked: list[tuple[str, Sequence[Shown]]] = []
    judge = judged_by("nobody", asked=asked)

    def skim(question: str, language: str | None, texts: Sequence[Shown]) -> list[float | None]:
        return [None if at < 2 else float(at) for at in range(len(texts))]

    choose_sentences(
        asked_of("Who won the regatta of 1911?"),
        [ScoredPassage(text, 1.0, "Club", "en", 0.5)],
        {},
        9,
        near,
        judge,
        skim,
    )
    ((_, read),) = asked
    assert len(read) == JUDGED
    assert not [one for one in read if one.text.endswith(("rule 0.", "rule 1."))]


def test_where_nothing_answers_the_shared_words_do_not_either() -> None:
    assert chosen_by(judged_by("nobody"), "Where was the regatta of 1911 rowed?").refused
    assert not choose_sentences(
        asked_of("Where was the regatta of 1911 rowed?"), [ScoredPassage(REGATTA, 1.0, "Club", "en", 0.5)], {}, 9, near
    ).refused


def scoring(**verdicts: float) -> Judge:
    """Gives a text what is said of the first of these words that it holds."""

    def judge(question: str, language: str | None, texts: Sequence[Shown]) -> list[float]:
        return [next((own for word, own in verdicts.items() if word in text.text), -5.0) for text in texts]

    return judge


WEIR, MILL = "The shed by the weir is locked by Oduya.", "A shed by the mill is locked by Brandt."
SHEDS = f"{WEIR}\n\nSwans nest on the island.\n\n{MILL}"


def told(chosen: SentenceChoice, text: str) -> list[str]:
    return [text[part.start : part.end] for part in chosen.parts]


def test_where_it_is_hard_to_tell_which_of_two_answers_both_are_told() -> None:
    question = "Whose key opens the boat house?"
    both = chosen_by(scoring(Oduya=2.0, Brandt=1.0), question, SHEDS)
    assert told(both, SHEDS) == [WEIR, MILL]
    one = chosen_by(scoring(Oduya=4.0, Brandt=-1.0), question, SHEDS)
    assert told(one, SHEDS) == [WEIR]


def test_a_long_text_is_not_told_beside_an_answer_that_may_do() -> None:
    long = SHEDS.replace("by Brandt", f"by Brandt, {'who lives there, ' * 20}")
    chosen = chosen_by(scoring(Oduya=2.0, Brandt=1.0), "Whose key opens the boat house?", long)
    assert told(chosen, long) == [WEIR]


def test_an_example_with_its_fences_is_no_number_of_anything() -> None:
    question = "How many stands does the regatta have?"
    shown = "The regatta shows its stands: {}\n1. one of 3 stands\n2. another of 3 stands\n3. the last of 3 stands"
    doubtful = scoring(shows=-0.1)
    assert not chosen_by(doubtful, question, shown.format("")).refused
    assert chosen_by(doubtful, question, shown.format("```")).refused


def test_of_a_list_all_that_answers_is_told() -> None:
    tasks = "Paint the hull is open. Order new ropes is open. Sell the old boat is open. The stove was mended."
    verdicts = {"hull": 6.0, "ropes": 3.0, "boat": 1.0, "stove": -4.0}
    parts = chosen_by(scoring(**verdicts), "Which tasks are open?", tasks).parts
    covered = {word for word in verdicts for part in parts if word in tasks[part.start : part.end]}
    assert covered == {"hull", "ropes", "boat"}


def test_of_a_list_in_prose_neighbours_are_told_together() -> None:
    text = (
        "Prices were agreed in May. Strong flour costs 86 pence. Wholemeal costs 94 pence. Rye costs a pound."
        " Spelt costs two pounds. Carriage is free."
    )
    chosen = chosen_by(judged_by("costs"), "List the price of each kind of flour", text)
    assert told(chosen, text) == [
        "Strong flour costs 86 pence. Wholemeal costs 94 pence. Rye costs a pound. Spelt costs two pounds."
    ]


def test_what_is_far_less_sure_than_a_list_is_not_told_beside_it() -> None:
    text = "Brakes, chains and tyres count as wearing parts.\n\nSwans nest here.\n\nThe chainring was worn by then."
    surely = chosen_by(scoring(Brakes=6.0, chainring=1.0), "Which things count as wearing parts?", text)
    assert told(surely, text) == ["Brakes, chains and tyres count as wearing parts."]
    hardly = chosen_by(scoring(Brakes=2.0, chainring=1.6), "Which things count as wearing parts?", text)
    assert told(hardly, text)[1:] == ["The chainring was worn by then."]


def test_a_question_that_names_what_the_last_one_named_is_read_as_it_is_and_in_full() -> None:
    asked: list[tuple[str, Sequence[Shown]]] = []
    own = replace(
        asked_of("Who locks the first one?"), about="weir or mill", before="Weir or mill?", whole="Who locks it?"
    )
    chosen_by(judged_by("weir", asked=asked), own, SHEDS)
    assert [question for question, _ in asked] == ["Who locks the first one?", "Who locks it?"]


def test_only_the_most_promising_are_read_and_with_what_the_question_goes_on_from() -> None:
    asked: list[tuple[str, Sequence[Shown]]] = []
    text = " ".join(f"The regatta has a stand with number {number}." for number in range(3 * JUDGED))
    chosen_by(
        judged_by("number 3", asked=asked), replace(asked_of("And the stands?"), before="When is the regatta?"), text
    )
    (alone, texts), (joined, _) = asked
    assert (alone, joined) == ("And the stands?", "And the stands? When is the regatta?")
    assert len(texts) == JUDGED
    assert all("Club" in text.around for text in texts)


def test_sentences_that_a_judge_cannot_read_are_chosen_by_their_signs() -> None:
    def unread(question: str, language: str | None, texts: Sequence[Shown]) -> list[float | None]:
        return [None] * len(texts)

    german = "Die Regatta von 1911 gewannen vier Brüder. Am Ufer standen viele Leute."
    chosen = chosen_by(unread, "Wer gewann die Regatta von 1911?", german, "de")
    assert german[chosen.parts[0].start :].startswith("Die Regatta")


def test_a_judge_that_fails_loses_no_suggestion() -> None:
    def broken(question: str, language: str | None, texts: Sequence[Shown]) -> list[float]:
        raise Unsupported("model.onnx of the model judge is not the file that was tested.")

    passage = Passage.model_construct(text=REGATTA, language="en", source_title="Club", place=Place())
    made = MadeQuestion.__new__(MadeQuestion)
    for name, value in {"question": "Where was it rowed?", "start": 0, "end": 41}.items():
        object.__setattr__(made, name, value)
    task = WritingTask("Who?", [], [], ChatConfiguration(), {}, 1, judge=broken)
    assert _holds(task, Suggestion(made, passage, 0))
    assert not _holds(replace(task, judge=judged_by("nobody")), Suggestion(made, passage, 0))


STEPS = "## Wheel\n\n1. Shift to the smallest sprocket.\n2. Open the brake.\n3. Lift the wheel out.\n\nMind the pads."


def test_steps_are_told_whole_where_one_of_them_is_judged_to_answer() -> None:
    chosen = chosen_by(judged_by("Lift the wheel"), "How do I get the back wheel off?", STEPS)
    told = STEPS[chosen.parts[0].start : chosen.parts[0].end]
    assert not chosen.refused
    assert [line[:2] for line in told.splitlines()] == ["1.", "2.", "3."]


def test_what_gives_a_name_to_what_was_said_is_told_with_it() -> None:
    text = (
        "There are points where the water hardly rises at all. They are called amphidromic points. The sea has three."
    )
    chosen = chosen_by(judged_by("They are called"), "amphidromic point - what is that", text)
    assert text[chosen.parts[0].start : chosen.parts[0].end].startswith("There are points where")
