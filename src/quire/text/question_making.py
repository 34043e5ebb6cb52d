"""Questions that a text answers, made from what stands in it: its own questions, sentences, rows and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from quire.text.blocks import TextBlock, blocks
from quire.text.openings import ROW, RULE, cells, is_head, plain_line
from quire.text.question_patterns import (
    COLUMN,
    COLUMN_OF,
    HOW_TO,
    NAME,
    NO_COLUMN,
    NOT_A_SUBJECT,
    NOT_IN_A_SUBJECT,
    PERSON,
    QUESTION_WORD,
    RESPONSIBLE,
    RESPONSIBLE_FOR,
    ROW_QUESTIONS,
    RULES,
    SECTION_QUESTIONS,
    WHO,
    QuestionForm,
)
from quire.text.section_names import NUMBERING
from quire.text.telling_words import ABOUT_ITSELF, BOILERPLATE, EMPTY_HEADING
from quire.text.words import is_piece, language_code, tokens

LONGEST_SENTENCE, LONGEST_QUESTION, SHORTEST_QUESTION = 400, 130, 8
LONGEST_CELL, LONGEST_HEADING = 40, 60
# So many rows of a table are asked about.
ROWS = 3
ASKED = re.compile(r"(?:q|question|frage)\s?\d*[:.]\s*", re.IGNORECASE)
ARTICLE = re.compile(r"(?:the|an?|der|die|das|ein|eine|le|la|les|une?|el|los|las|una)\s|l['’]", re.IGNORECASE)
REFERENCE = re.compile(r"\s?\[\d{1,3}\]")
ODD = re.compile(r"[*_`#|<>{}\[\]=\\\u2190-\u2bff\U0001f000-\U0001ffff]|https?:|\d{5,}")
TWO_NAMES = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ]+ [A-ZÀ-Þ][a-zà-ÿ]+$")
# Inside a list of questions these are plain; by themselves they are not.
NOT_ALONE = re.compile(r"\b(?:it|this|that|these|those|they|them|he|she|else)\b|[它他她这那]", re.IGNORECASE)
COUNTER = re.compile(r"(?:#|no\.?|nr\.?|index|pos\.?|\d+|(?:.* )?id)$", re.IGNORECASE)
YEAR = re.compile(r"(?:year|jahr|année|año|год|年份?)$", re.IGNORECASE)
NAME_IN_TWO = (
    re.compile(r"first name|vorname|prénom|nombre|имя", re.IGNORECASE),
    re.compile(r"last name|surname|nachname|nom|apellidos?|фамилия", re.IGNORECASE),
)
# A word for what the rows of a table are that goes behind their names: "the Eco programme".
ROW_NOUN = re.compile(
    r"(?:programme|program|mode|plan|model|option|package|tariff|level|course|room|course)$", re.IGNORECASE
)
UNIT = re.compile(r"\s(?:\([^()]{1,8}\)|in [a-z]{1,4}|[A-Z]{2,4}|[€$£%°]C?)$")
IDENTIFIER = re.compile(r"(?=\w*\d)(?=\w*[^\W\d])\w{7,}$")
FEWEST_ROWS = 2
# How much a question of each form is worth showing: one that the text asks itself, most.
WORTH: dict[QuestionForm, float] = {
    "faq": 3.0,
    "steps": 2.6,
    "amount": 2.5,
    "reason": 2.5,
    "time": 2.4,
    "definition": 2.2,
    "row": 2.0,
    "place": 2.0,
    "parts": 1.8,
    "case": 1.8,
    "section": 1.6,
}


@dataclass(frozen=True)
class MadeQuestion:
    """A question, and where the text answers it."""

    question: str
    form: QuestionForm
    start: int
    end: int

    @property
    def worth(self) -> float:
        return WORTH[self.form]


@lru_cache(500)
def questions_of(text: str, title: str, heading: str | None, language: str | None) -> tuple[MadeQuestion, ...]:
    """Questions that a passage answers, in its order. `heading` is what it stands under."""
    code = language_code(language) or "en"
    parts = blocks(text, language)
    made = [
        *_asked_by_itself(text, parts),
        *_of_sentences(text, parts, code),
        *_of_rows(text, parts, code),
        *_of_sections(text, parts, title, heading, code),
    ]
    fit: dict[str, MadeQuestion] = {}
    for one in made:
        if SHORTEST_QUESTION <= len(one.question) <= LONGEST_QUESTION and not BOILERPLATE.search(one.question):
            fit.setdefault(one.question.casefold(), one)
    return tuple(fit.values())


def _asked_by_itself(text: str, parts: Sequence[TextBlock]) -> Iterator[MadeQuestion]:
    """Questions that a text asks and then answers, as lists of questions and answers do."""
    for place, block in enumerate(parts[:-1]):
        if not text[block.start : block.end].endswith(("?", "？", "?**", "？**")):
            continue
        after = parts[place + 1]
        question = ASKED.sub("", NUMBERING.sub("", plain_line(text[block.start : block.end]), count=1), count=1).strip()
        answer = text[after.start : after.end]
        alone = text[max(0, block.start - 1) : block.start] in ("", "\n") and text[block.end : block.end + 1] == "\n"
        if not alone or not question.endswith(("?", "？")) or ODD.search(question) or "\n" in question:
            continue
        if (len(question.split()) < 4 and not is_piece(question[:1])) or not QUESTION_WORD.match(question.lstrip("¿")):
            continue
        if (
            after.kind in ("sentence", "item", "lead")
            and not answer.endswith(("?", "？"))
            and not NOT_ALONE.search(question)
        ):
            yield MadeQuestion(question, "faq", after.start, after.end)


def _of_sentences(text: str, parts: Sequence[TextBlock], language: str) -> Iterator[MadeQuestion]:
    for block in parts:
        written = text[block.start : block.end]
        if block.kind != "sentence" or len(written) > LONGEST_SENTENCE or written[0] in "|#>!":
            continue
        sentence = REFERENCE.sub("", " ".join(written.split()))
        for rule in RULES.get(language, ()):
            found = rule.pattern.match(sentence)
            if found is None:
                continue
            question = _filled(rule.question, found, text, language, rule.form)
            if question:
                yield MadeQuestion(question, rule.form, block.start, block.end)
            break


def _filled(template: str, found: re.Match[str], text: str, language: str, form: QuestionForm) -> str:
    """A rule's question for one sentence; empty where the sentence speaks of nothing that can be named by itself."""
    groups = {name: group for name, group in found.groupdict().items() if group is not None}
    subject = groups["x"]
    if form not in ("steps", "case"):
        if NOT_A_SUBJECT.match(subject) or NOT_IN_A_SUBJECT.search(subject) or not tokens(subject, language):
            return ""
        named = not ARTICLE.match(subject) and NAME.match(subject) is not None
        verb, rest = groups.get("v", "").casefold(), groups.get("r", "")
        if form == "definition" and named and PERSON.search(rest[:80]):
            template = WHO.get(language, {}).get(verb, "")
            return template.format(x=subject) if template else ""
        if form == "definition" and named and TWO_NAMES.match(subject):
            return ""
    if ODD.search(subject) or ODD.search(groups.get("r", "") if "{r}" in template else ""):
        return ""
    inside = subject if form in ("steps", "case") else _as_inside(subject, text)
    if inside is None:
        return ""
    bare = form == "definition" and language == "en" and inside.islower() and groups.get("v", "").lower() == "is"
    if bare and not ARTICLE.match(inside):
        inside = next((f"{article} {inside}" for article in ("a", "an") if f" {article} {inside}" in text), inside)
    groups |= {"x": inside, "v": groups.get("v", "").lower()}
    return template.format(**groups) if template else ""


def _as_inside(phrase: str, text: str) -> str | None:
    """A phrase as it stands within a sentence: small but for names; None where none can tell."""
    first, _, rest = phrase.partition(" ")
    if ARTICLE.match(phrase):
        return phrase[:1].lower() + phrase[1:]
    if not first[:1].isupper() or not first[1:].islower():
        return phrase
    if re.search(rf"\b{re.escape(first.lower())}\b", text):
        return phrase[:1].lower() + phrase[1:]
    return (
        phrase
        if re.search(rf"(?<=[a-zà-ÿ,;] ){re.escape(first)}\b", text) or rest[:1].isupper() or rest[:1].isdigit()
        else None
    )


def _of_rows(text: str, parts: Sequence[TextBlock], language: str) -> Iterator[MadeQuestion]:
    """What a table gives in a column of a row that its first words name."""
    for head, rows in tables(text, parts):
        keys = _key_columns(head)
        for number, (block, values) in enumerate(rows[:ROWS] if len(rows) >= FEWEST_ROWS else []):
            name = " ".join(values[at] for at in keys) if len(values) == len(head) else ""
            # Each row is asked about another column.
            choices = [
                at
                for at, column in enumerate(head)
                if at not in keys and _names_column(column) and values[at : at + 1] > [""]
            ]
            if choices and _names_row(name, head[keys[0]]):
                good = [at for at in choices if COLUMN.match(head[at]) or RESPONSIBLE.match(head[at])] or choices
                good = [at for at in good if head[at].casefold() != "date"] or good
                column = head[good[number % len(good)]]
                question = (
                    _row_question(column, name, head[keys[0]], language)
                    if head[keys[0]]
                    else _turned(column, name, language)
                )
                yield MadeQuestion(question, "row", block.start, block.end)


def tables(text: str, parts: Sequence[TextBlock]) -> Iterator[tuple[list[str], list[tuple[TextBlock, list[str]]]]]:
    """The tables that name their columns: the names, and the rows with their cells."""
    place = 0
    while place < len(parts) - 1:
        row, rule = (text[block.start : block.end] for block in parts[place : place + 2])
        place += 1
        if not (ROW.match(row) and RULE.match(rule) and "|" in rule and is_head(row)):
            continue
        rows = []
        place += 1
        while place < len(parts) and ROW.match(text[parts[place].start : parts[place].end]):
            rows.append((parts[place], cells(text[parts[place].start : parts[place].end])))
            place += 1
        yield cells(row), rows


def _key_columns(head: Sequence[str]) -> list[int]:
    """The columns that name a row: the first that is no number of it, or a first and a last name."""
    first, last = NAME_IN_TWO
    for at, (one, other) in enumerate(pairwise(head)):
        if first.match(one) and last.match(other):
            return [at, at + 1]
    return [next((at for at, name in enumerate(head) if not COUNTER.match(name)), 0)]


def _names_row(name: str, column: str) -> bool:
    if YEAR.match(column):
        return name.isdigit() and len(name) == 4
    if (
        not 2 <= len(name) <= LONGEST_CELL
        or ODD.search(name)
        or IDENTIFIER.match(name)
        or "," in name
        or name[-1] == ":"
    ):
        return False
    return any(letter.isalpha() for letter in name)


def _names_column(name: str) -> bool:
    if not name or ODD.search(name) or NO_COLUMN.match(name) or (name.isupper() and " " in name):
        return False
    return not any(letter.isdigit() for letter in name)


def _row_question(column: str, row: str, rows: str, language: str) -> str:
    if language == "en" and RESPONSIBLE.match(column):
        return RESPONSIBLE_FOR.format(row=f"“{row}”" if " " in row else row)
    if language == "en" and COLUMN.match(column):
        named = f"the {row} {rows.lower()}" if ROW_NOUN.match(rows) and " " not in row else row
        called = UNIT.sub("", column)
        return COLUMN_OF.format(column=called if called.isupper() else called.lower(), row=named)
    return ROW_QUESTIONS.get(language, ROW_QUESTIONS["en"]).format(column=column, row=row)


def _turned(column: str, row: str, language: str) -> str:
    """The question where rows name properties and columns name things."""
    if language == "en" and COLUMN.match(row):
        return COLUMN_OF.format(column=row[:1].lower() + row[1:], row=column)
    return _row_question(column, row, "", language)


def _of_sections(
    text: str, parts: Sequence[TextBlock], title: str, heading: str | None, language: str
) -> Iterator[MadeQuestion]:
    """What a source says under one of its headings; its own title is none of them."""
    outer, _, above = (heading or "").rpartition(" > ")
    under = next((block for block in parts if block.kind in ("sentence", "item", "lead")), None)
    found = [(above, under)] if above and outer and under is not None and text[0] != "#" else []
    found += [
        (plain_line(text[block.start : block.end]), parts[place + 1])
        for place, block in enumerate(parts[:-1])
        if text[block.start : block.start + 2] == "##" and parts[place + 1].kind in ("sentence", "item", "lead")
    ]
    template = SECTION_QUESTIONS.get(language)
    for name, first in found:
        name = NUMBERING.sub("", name, count=1).strip()
        how_to = HOW_TO.match(name)
        if how_to and language == "en" and not NOT_ALONE.search(name):
            yield MadeQuestion(f"How do I {how_to['x']}?", "steps", first.start, first.end)
        if template is None or not _names_section(name, title, language):
            continue
        titled = any(word[:1].isupper() for word in name.split()[1:])
        inside = None if titled or NOT_A_SUBJECT.match(name) else _as_inside(name, text)
        shown = (inside or f"“{name}”") if language == "en" else name
        yield MadeQuestion(template.format(title=title, heading=shown), "section", first.start, first.end)


def _names_section(name: str, title: str, language: str) -> bool:
    words = set(tokens(name, language))
    if not words or EMPTY_HEADING.match(name) or ABOUT_ITSELF.match(name) or ODD.search(name):
        return False
    if len(name) > LONGEST_HEADING or name.endswith(("?", "？", "!", ".")) or ":" in name or QUESTION_WORD.match(name):
        return False
    return not words <= set(tokens(title, language))
