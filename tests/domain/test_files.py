"""Files on their way in."""

from __future__ import annotations

import pytest

from quire.domain.errors import InvalidInput
from quire.domain.files import Upload


def test_text_that_cannot_be_sent_is_refused() -> None:
    with pytest.raises(InvalidInput, match="Unicode"):
        Upload.of("\ud800", "notes.md")
