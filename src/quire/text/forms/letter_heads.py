"""Heads of letters: who wrote a mail, to whom, when, and under which subject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from quire.text.asked import Asked
from quire.text.check_citations import Draft
from quire.text.forms.cited import Quote, cited
from quire.text.makers import WritingTask
from quire.text.quotes import quoted
from quire.text.structure.views import SourceView
from quire.text.words import query_tokens, tokens

# Of more letters than these it is not plain which one is meant.
LETTERS = 3
SUPPORT = 0.9
LETTER = re.compile(
    r"\b(?:e-?mails?|mails?|messages?|letters?|nachricht|brief|courriel|mail|lettre|correo|mensaje|carta"
    r"|письмо|сообщение)\b|邮件|信件",
    re.IGNORECASE,
)
# What is asked of a letter, and what the line of its head is called that tells it.
FIELDS = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(rf"(?:{line})\s?[:：] ", re.IGNORECASE))
    for asked, line in (
        (
            r"\b(?:who|whom|qui|quién|wer|кто)\b.*\b(?:to\W*$|addressed|receiv\w+|recipients?|got|bekommen|reçu|recibió"
            r"|получил\w*)|\b(?:to whom|an wen|wem|à qui|a quién|кому|recipients?|empfänger|destinataire"
            r"|destinatario)\b|收件人",
            r"to|an|à|para|кому|收件人",
        ),
        (
            r"\b(?:who|whom|wer|wem|qui|quién|кто|кого)\b.*\b(?:wr[io]te|written|sent|sends?|from|author|sender"
            r"|geschrieben|schrieb|geschickt|gesendet|von|écrite?|envoyée?|escribió|envió|mandó|написал\w*|отправил\w*)\b"
            r"|\bfrom whom\b|\b(?:author|sender|absender|expéditeur|remitente)\b|谁写|谁发|发件人",
            r"from|von|de|от|发件人",
        ),
        (
            r"\b(?:when|(?:what|which) (?:day|date)|wann|quand|cuándo|когда)\b.*\b(?:sent|written|wr[io]te|dated"
            r"|geschrieben|geschickt|gesendet|écrite?|envoyée?|escribió|envió|написан\w*|отправлен\w*)\b|\bdate of\b"
            r"|什么时候[写发]",
            r"date|sent|datum|gesendet|envoyé|fecha|enviado|дата|日期",
        ),
        (
            r"\b(?:subject|betreff|objet|asunto|тема)\b|主题",
            r"subject|betreff|objet|asunto|тема|主题",
        ),
    )
)
HEAD_LINE = re.compile(
    r"(?:from|to|cc|date|sent|subject|von|an|datum|gesendet|betreff|de|à|objet|envoyé|para|fecha|enviado|asunto|от|кому"
    r"|дата|тема|发件人|收件人|日期|主题)\s?[:：] ",
    re.IGNORECASE,
)
# Words that say of a letter only what is asked.
ASKING = re.compile(
    r"\b(?:wr[io]te|written|sent|send|sends|sender|author|receiv\w+|recipients?|addressed|dated?|subject|got|geschrieben|schrieb"
    r"|geschickt|gesendet|gerichtet|bekommen|absender|betreff|écrite?|envoyée?|expéditeur|destinataire|objet|escribió"
    r"|envió|mandó|recibió|remitente|asunto|написал\w*|отправил\w*|получил\w*|тема)\b",
    re.IGNORECASE,
)


class Letter(NamedTuple):
    """A letter in a source: the lines of its head, and where it ends."""

    lines: list[tuple[int, int]]
    end: int


def letter_heads(task: WritingTask, asked: Asked) -> Draft | None:
    """The line of the head that tells what is asked, of each letter that is meant."""
    line = next((line for question, line in FIELDS if question.search(asked.question)), None)
    if line is None or asked.parts or not LETTER.search(asked.question):
        return None
    found: list[Quote] = []
    for view in task.views:
        asking = tokens(" ".join([*LETTER.findall(asked.question), *ASKING.findall(asked.question)]), view.language)
        words = set(query_tokens(asked.question, [view.language])) - set(asking)
        for letter in letters(view):
            said = tokens(f"{view.title} {view.text[letter.lines[0][0] : letter.end]}", view.language)
            told = next((span for span in letter.lines if line.match(view.said(span))), None)
            if told and words <= set(said):
                found.append(Quote(view, *told, quoted(view.said(told))))
    return cited(task, found, SUPPORT) if 1 <= len(found) <= LETTERS else None


def letters(view: SourceView) -> Iterator[Letter]:
    """The letters of a source: two lines of a head or more, one under the other, and what comes until the next head."""
    heads: list[list[tuple[int, int]]] = [[]]
    start = 0
    for text in view.text.splitlines(keepends=True):
        span = start, start + len(text.rstrip())
        start += len(text)
        if HEAD_LINE.match(text):
            heads[-1].append(span)
        elif heads[-1]:
            heads.append([])
    heads = [head for head in heads if len(head) > 1]
    ends = [head[0][0] for head in heads[1:]] + [len(view.text)]
    for head, end in zip(heads, ends, strict=False):
        yield Letter(head, end)
