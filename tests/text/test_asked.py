"""Asked: what a question asks, of what, and in how many parts."""

from __future__ import annotations

import pytest

from quire.text.asked import asked_of


@pytest.mark.parametrize(
    ("question", "kind", "wanted"),
    [
        ("Who wrote the report?", "fact", "person"),
        ("When did they decide who pays?", "fact", "date"),
        ("How long does the warranty last?", "fact", "duration"),
        ("How long is the bridge?", "fact", "number"),
        ("How much does a ticket cost?", "fact", "money"),
        ("How many rooms are there?", "fact", "count"),
        ("Where is the key kept?", "fact", "place"),
        ("Why was the trip cancelled?", "fact", "reason"),
        ("What happens if I lose my card?", "fact", "thing"),
        ("What is a lanyard?", "definition", "thing"),
        ("Who was Ada Byron?", "definition", "person"),
        ("Lanyard?", "definition", "thing"),
        ("How did they mend it?", "fact", "manner"),
        ("How much was the insurance?", "fact", "money"),
        ("What is all this about?", "overview", "thing"),
        ("When did they resume work?", "fact", "date"),
        ("Haz un resumen de los documentos.", "overview", "thing"),
        ("What can I learn from these papers?", "overview", "thing"),
        ("Tell me what is in the collection.", "overview", "thing"),
        ("Was finde ich in diesen Unterlagen?", "overview", "thing"),
        ("How many documents are there?", "fact", "count"),
        ("What does the fee not cover?", "fact", "thing"),
        ("What is not part of the rent?", "fact", "thing"),
        ("Since when?", "fact", "date"),
        ("Who is behind it?", "fact", "person"),
        ("Which of these mention the ferry?", "documents", "thing"),
        ("What is the price of the ticket?", "fact", "money"),
        ("ferry ticket price", "fact", "money"),
        ("hourly rate of the painter", "fact", "money"),
        ("What is Mr Brandt's phone number?", "fact", "contact"),
        ("Could you look up what number I ring to reach the office?", "fact", "contact"),
        ("Hello, can you tell me when the shop opens?", "fact", "date"),
        ("What does barter actually mean?", "definition", "thing"),
        ("documents about the ferry", "documents", "thing"),
        ("What happens if I miss the date?", "fact", "thing"),
        ("Which documents mention the ferry?", "documents", "thing"),
        ("What documents do I need for a visa?", "list", "thing"),
        ("Which colours does the paint come in?", "list", "thing"),
        ("List the opening hours.", "list", "thing"),
        ("How do I reset the router?", "steps", "manner"),
        ("What is the difference between a ketch and a yawl?", "comparison", "thing"),
        ("Which is faster, the tram or the bus?", "comparison", "thing"),
        ("May we smoke on the balcony?", "yes-no", "permission"),
        ("I have lost my ticket, can I still come in?", "yes-no", "permission"),
        ("Peut-on fumer ici ?", "yes-no", "permission"),
        ("Is the hall open?", "yes-no", "thing"),
        ("Where does the name of the hall come from?", "fact", "origin"),
        ("What happens when it rains?", "fact", "thing"),
        ("since when is it open?", "fact", "date"),
        ("Does it work when it rains?", "yes-no", "thing"),
        ("What is this notebook about?", "overview", "thing"),
        ("Summarise these files.", "overview", "thing"),
        ("I am new here, could you tell me what these papers are about?", "overview", "thing"),
        ("What sort of texts are in this collection?", "overview", "thing"),
        ("Which papers are about bees?", "documents", "thing"),
        ("What do these three documents describe?", "overview", "thing"),
        ("Wer hat das Tor repariert?", "fact", "person"),
        ("Wann beginnt der Kurs?", "fact", "date"),
        ("Was ist ein Schwibbogen?", "definition", "thing"),
        ("Darf man hier parken?", "yes-no", "permission"),
        ("Wie kann ich den Filter reinigen?", "steps", "manner"),
        ("Worum geht es hier?", "overview", "thing"),
        ("Pourquoi le magasin est-il fermé ?", "fact", "reason"),
        ("Qu'est-ce qu'une péniche ?", "definition", "thing"),
        ("¿Cuánto cuesta la entrada?", "fact", "money"),
        ("¿Qué documentos mencionan el puente?", "documents", "thing"),
        ("Кто победил?", "fact", "person"),
        ("Что такое сруб?", "definition", "thing"),
        ("Чем отличается барка от баржи?", "comparison", "thing"),
        ("为什么要关门？", "fact", "reason"),
        ("什么是量子？", "definition", "thing"),
        ("如何更换电池？", "steps", "thing"),
    ],
)
def test_kind_and_wanted_are_told(question: str, kind: str, wanted: str) -> None:
    asked = asked_of(question)
    assert (asked.kind, asked.wanted) == (kind, wanted)
    assert asked.parts == ()


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("invoice 118 total + due date", ["invoice 118 total", "due date"]),
        ("when did i pay and whats still open", ["when did i pay", "whats still open"]),
        ("How much is the fee and when is it due?", ["How much is the fee", "when is it due?"]),
        ("Who built it, and in which year?", ["Who built it", "in which year?"]),
        ("Who is she? Where does she live?", ["Who is she", "Where does she live?"]),
        (
            "What are the width and the height of the door?",
            ["What are the width of the door?", "What are the height of the door?"],
        ),
        ("Wie hoch ist die Miete, und wann ist sie fällig?", ["Wie hoch ist die Miete", "wann ist sie fällig?"]),
        ("When and where did she die?", ["When did she die?", "where did she die?"]),
        ("What do salt and pepper cost?", []),
        ("Who were Gilbert and Sullivan?", []),
        ("Who was the famous doctor and writer in London?", []),
        ("Where did Danes and Frisians settle in England?", []),
        ("Closing speakers have between 5 and how many minutes?", []),
    ],
)
def test_a_question_of_two_is_taken_apart(question: str, parts: list[str]) -> None:
    assert [part.question for part in asked_of(question).parts] == parts


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("What is the difference between a ketch and a yawl?", ("a ketch", "a yawl")),
        ("How does the tram compare with the bus?", ("the tram", "the bus")),
        ("Which is faster, the tram or the bus?", ("the tram", "the bus")),
        ("Compare plan A and plan B.", ("plan A", "plan B")),
        ("Was ist der Unterschied zwischen Moor und Sumpf?", ("Moor", "Sumpf")),
    ],
)
def test_what_is_compared_is_told(question: str, things: tuple[str, ...]) -> None:
    assert asked_of(question).things == things


def test_the_subject_is_what_does_not_ask() -> None:
    assert asked_of("How many rooms does the house have?").subject == "rooms does the house have"
    assert asked_of("Who wrote the report?").subject == "wrote the report"
    assert asked_of("What must not go into the oven?").negated


@pytest.mark.parametrize(
    "unit", ["how ", "and who ", "what is ", "which a ", "between ", "的", "¿", "compare a and ", ", or "]
)
def test_a_very_long_question_is_understood_in_time(unit: str) -> None:
    assert asked_of(unit * (10_000 // len(unit))).kind


def test_what_stands_before_a_colon_belongs_to_both_questions() -> None:
    asked = asked_of("sugar to water: what ratio in spring and what ratio in autumn")
    assert [part.question for part in asked.parts] == ["sugar to water: what ratio in spring", "what ratio in autumn"]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which signs mean that I have to call? All of them please.", "list"),
        ("Can you walk me through the inspection?", "steps"),
        ("They broke in last night! What do I have to do now?", "steps"),
        ("May I keep all of it?", "yes-no"),
        ("Did all of them survive?", "yes-no"),
    ],
)
def test_more_wishes_for_lists_and_steps(question: str, kind: str) -> None:
    assert asked_of(question).kind == kind


def test_a_time_of_day_before_two_questions_hides_none() -> None:
    assert len(asked_of("After 18:00, what is open and when does it close?").parts) == 2
