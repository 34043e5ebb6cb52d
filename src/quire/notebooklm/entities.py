"""Characters that HTML writes by their names or numbers."""

from __future__ import annotations

import html
import re

# Python reads no number of more than 4,300 digits, and no character has one of eight.
ENDLESS = re.compile(r"&#[0-9]{4000,};?")


def unescape(text: str) -> str:
    return html.unescape(ENDLESS.sub("\ufffd", text))
