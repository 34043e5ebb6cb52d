"""Text as Quire keeps it: NFC, `\\n` ends, no control characters, no NUL, no lone surrogates."""

from __future__ import annotations

import re
import unicodedata

# C0 and C1 controls but tab and newline, zero-width space, bidirectional controls, soft hyphen, byte
# order mark, non-characters. The zero-width joiners stay: Persian and emoji are spelt with them.
DROPPED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
    "\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff]"
)
NEWLINES = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
SPACES = re.compile("[\u00a0\u2007\u202f]")
SURROGATES = re.compile("[\ud800-\udfff]")
# The escape, behind the backslashes before it, which may be of another.
NUL_IN_JSON = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")
# A run of blanks is only tried from its beginning; from anywhere in it, long runs would take their length squared.
TRAILING = re.compile(r"(?<![ \t])[ \t]++$", re.MULTILINE)
BLANK_LINES = re.compile(r"\n{3,}")
RUN_OF_SPACE = re.compile(r"\s+")


def clean(text: str) -> str:
    """The text in the form that is kept; cleaning it again changes nothing."""
    if not text.isascii():
        text = SURROGATES.sub("\ufffd", text)
        text = SPACES.sub(" ", text)
    text = NEWLINES.sub("\n", text)
    text = DROPPED.sub("", text)
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    text = TRAILING.sub("", text)
    return BLANK_LINES.sub("\n\n", text).strip("\n")


def one_line(text: str) -> str:
    """The text cleaned, on one line, its runs of white space one space each."""
    return RUN_OF_SPACE.sub(" ", clean(text)).strip()
