"""Sentences made shorter by leaving out whole clauses, so that what is left is still what the source says."""

from __future__ import annotations

import re

from quire.domain.grounding import Statement
from quire.studio.writer import bears_out

BRACKETS = re.compile(r"\s?[(（][^()（）]{1,200}[)）]")
# Words that tie a sentence to the one before it.
TIES = re.compile(
    r"(?:however|moreover|furthermore|in addition|additionally|therefore|thus|consequently|nevertheless|in fact|indeed"
    r"|of course|overall|in general|jedoch|allerdings|außerdem|zudem|daher|tatsächlich|cependant|toutefois|de plus"
    r"|sin embargo|además|por lo tanto),\s+",
    re.IGNORECASE,
)
# A clause after a comma that adds something to a sentence which is whole without it.
ADDED = re.compile(
    r",\s(?:which|where|while|although|though|whereas|wobei|während|obwohl|ce qui|lo que)\s[^,;:]{8,300}?(?=[.!]?$)"
)
SAY_NOT = re.compile(r"\b(?:not|no|never|only|nicht|kein\w{0,2}|nur|ne|pas|no|solo|sólo)\b", re.IGNORECASE)
LEAST = 25


def shorter(statement: Statement, enough: int) -> Statement:
    """The statement in at most `enough` characters, as far as leaving out clauses takes it there."""
    text = statement.text
    for rule, put in ((TIES, ""), (BRACKETS, ""), (ADDED, "")):
        if len(text) <= enough:
            break
        made = rule.sub(put, text, count=1) if rule is not TIES else _untied(text)
        left_out = text[len(made) :] if text.startswith(made[:-1]) else ""
        if len(made) >= LEAST and not SAY_NOT.search(left_out):
            text = made
    if text == statement.text:
        return statement
    made_of = statement.model_copy(update={"text": text})
    return made_of if bears_out(text, statement) else statement


def _untied(text: str) -> str:
    found = TIES.match(text)
    if found is None:
        return text
    rest = text[found.end() :]
    return rest[:1].upper() + rest[1:]
