"""Text as one reads it aloud: no marks, addresses and codes, abbreviations and signs in words.

The words are English; of other languages only what nobody would read is left out. All patterns are linear.
"""

from __future__ import annotations

import re

ADDRESS = re.compile(r"\b(?:https?://|www\.)([^\s/?#<>()\[\]\"]{1,255})[^\s<>()\[\]\"]*", re.IGNORECASE)
MAIL = re.compile(r"\b([\w.+-]{1,64})@((?:[\w-]{1,63}\.){1,8}[a-z]{2,20})\b", re.IGNORECASE)
REFERENCE = re.compile(r"\[(?:\d{1,4}(?:[,–-] ?\d{1,4})*|citation needed|note \d{1,3})\]", re.IGNORECASE)
MARKS = re.compile(r"[*_`#|<>\\^~{}\[\]]+")
# Letters and digits that nobody reads: hashes, keys, identifiers.
CODE = re.compile(r"\b(?=[0-9a-f-]{0,30}[a-f])(?=[a-f-]{0,30}\d)[0-9a-f-]{24,80}\b", re.IGNORECASE)
LONG_NUMBER = re.compile(r"(?<![\d.,])\d{13,40}(?![\d.,]?\d)")
SPACES = re.compile(r"\s+")
NOTHING = re.compile(r"\( ?\)")
SCRIPT = re.compile(
    r"[\u0370-\u03ff\u0400-\u052f\u0590-\u06ff\u0900-\u0dff\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
SIGNS = {
    "&": " and ",
    "≥": " at least ",
    "≤": " at most ",
    "≈": " about ",
    "≠": " is not ",
    "→": " to ",
    "±": " plus or minus ",
    "×": " times ",
    "÷": " divided by ",
    "…": ".",
    "•": ", ",
    "·": " ",
    "©": " ",
    "®": " ",
    "™": " ",
    "″": " inches",
    "′": " feet",
}
SIGN = re.compile("|".join(map(re.escape, SIGNS)))
SHORT = {
    "e.g.": "for example",
    "i.e.": "that is",
    "etc.": "and so on",
    "vs.": "versus",
    "cf.": "compare",
    "ca.": "about",
    "approx.": "about",
    "al.": "others",
    "fig.": "figure",
    "no.": "number",
    "vol.": "volume",
    "pp.": "pages",
    "ed.": "edition",
    "dept.": "department",
    "est.": "estimated",
    "max.": "at most",
    "min.": "at least",
    "incl.": "including",
    "b.c.": "BC",
    "a.d.": "AD",
    "u.s.": "US",
    "u.k.": "UK",
}
# "No." is short for a number only before one.
SHORTENED = re.compile(
    r"(?<![\w.])(?:no\.(?= ?\d)|(?:" + "|".join(re.escape(one) for one in SHORT if one != "no.") + r"))",
    re.IGNORECASE,
)
NAMED = {"/": " slash ", "-": " dash ", ".": " dot ", "_": " underscore ", "+": " plus "}


def read_aloud(text: str, language: str = "en") -> str:
    """A text as a voice is to be given it."""
    text = REFERENCE.sub("", text)
    if language != "en":
        return _tidy(ADDRESS.sub(lambda found: found[1].removeprefix("www."), text))
    text = ADDRESS.sub(lambda found: _dotted(found[1]), text)
    text = MAIL.sub(lambda found: f"{_dotted(found[1])} at {_dotted(found[2])}", text)
    text = CODE.sub("a code", text)
    text = LONG_NUMBER.sub(lambda found: " ".join(found[0]), text)
    text = SHORTENED.sub(_in_words, text)
    text = SIGN.sub(lambda found: SIGNS[found[0]], text)
    # A word in another script would be passed over, and nobody would know.
    return _tidy(SCRIPT.sub(" ", text))


def _tidy(text: str) -> str:
    text = NOTHING.sub("", SPACES.sub(" ", MARKS.sub(" ", text)))
    return SPACES.sub(" ", text).replace("( ", "(").replace(" ,", ",").replace(" .", ".").strip()


def _dotted(name: str) -> str:
    name = name.lower().removeprefix("www.").rstrip(".")
    return SPACES.sub(" ", "".join(NAMED.get(letter, letter) for letter in name)).strip()


def _in_words(found: re.Match[str]) -> str:
    words = SHORT[found[0].lower()]
    end = found.end()
    ends = not found.string[end:].strip(" \"'”’)")
    return words + "." if ends else words
