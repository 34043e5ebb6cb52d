"""Claims in scripts without spaces: what a text in Chinese and its like bears out."""

from __future__ import annotations

import re
from typing import Literal

from quire.text.meaning_tables import UNSPACED_OPPOSITES

UnspacedFault = Literal["words", "number", "negation", "opposite", "role", "length"]
LONGEST = 300
UNITS = r"[年月日号岁]|[%％]|欧元|美元|英镑|日元|人民币|元|公里|千米|米|厘米|公斤|吨|小时|分钟|秒|天|周|个月|度"
SIGNS = "[零一二两三四五六七八九十百千万]"
# Numbers in figures, and those in signs before a unit: `一月`, `三个月`. A run is tried from its beginning only.
NUMBER = re.compile(rf"\d++(?:[.,]\d++)*+\s?(?:{UNITS})?|(?<!{SIGNS}){SIGNS}++(?:{UNITS})")
CLAUSE = re.compile(r"[^，。；！？,;!?、]+")
NEGATION = re.compile(r"没有|没|未|无|非(?!常)|别|勿|不(?!但|仅|过|同|断)")
SMALL = frozenset("的了是在于和与及都也就把被从到对为有这那它他她们个座条名位其由并而之此该等给里中上着过可以后前")
LEAST = 0.8
LEAST_PART = 2


def unspaced_fault(claim: str, text: str) -> UnspacedFault | None:
    if len(claim) > LONGEST:
        return None if claim.strip() in text else "length"
    text = text[: 10 * LONGEST]
    held = set(_numbers(text))
    if not set(_numbers(claim)) <= held:
        return "number"
    clauses = [found[0] for found in CLAUSE.finditer(text)]
    for clause in CLAUSE.finditer(claim):
        if fault := _clause_fault(clause[0], clauses, text):
            return fault
    return None


def _numbers(text: str) -> list[str]:
    return ["".join(found[0].split()).replace(",", "") for found in NUMBER.finditer(text)]


def _clause_fault(clause: str, clauses: list[str], text: str) -> UnspacedFault | None:
    words = NUMBER.sub("", clause)
    letters = [letter for letter in words if letter.isalnum() and letter not in SMALL]
    if letters and sum(letter in text for letter in letters) / len(letters) < LEAST:
        return _opposed(clause, text) or "words"
    near = max(clauses, key=lambda one: (_shared(clause, one), -len(one)), default="")
    fault = _opposed(clause, near)
    denied, other = len(NEGATION.findall(clause)), len(NEGATION.findall(near))
    if fault is None and (denied + other) % 2:
        return "negation"
    if fault and (denied + other) % 2 == 0:
        return fault
    return "role" if _swapped(words, near) else None


def _shared(one: str, other: str) -> int:
    return sum(one[at : at + 2] in other for at in range(len(one) - 1))


def _opposed(clause: str, text: str) -> UnspacedFault | None:
    for pair in UNSPACED_OPPOSITES:
        for own, others in (pair, pair[::-1]):
            says = any(word in clause for word in own) and not any(word in clause for word in others)
            if says and any(word in text for word in others) and not any(word in text for word in own):
                return "opposite"
    return None


def _swapped(clause: str, text: str) -> bool:
    """Whether the first and the last part have changed places around what is between them."""
    parts: list[tuple[int, str]] = []
    at = 0
    while at < len(clause):
        size = next((size for size in range(min(12, len(clause) - at), 1, -1) if clause[at : at + size] in text), 0)
        if size >= LEAST_PART:
            parts.append((text.find(clause[at : at + size]), clause[at : at + size]))
        at += size or 1
    if len(parts) < LEAST_PART or ("被" in clause) != ("被" in text):
        return False
    (first, _), (last, part) = parts[0], parts[-1]
    return first > last and first >= last + len(part) and len(parts) > LEAST_PART
