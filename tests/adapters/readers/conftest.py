"""Reading bytes as a file, by the reader of a kind, in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quire.adapters.readers import KINDS, LIMITS, Limits, reader_of
from quire.domain.documents import Document

Reading = Callable[..., Document]


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    """`reading(kind, data)` gives the document; limits and what else a reader takes by name."""

    def read(kind: str, data: bytes | str, limits: Limits = LIMITS, **options: Any) -> Document:
        path = tmp_path / f"file.{kind}"
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        document = reader_of(KINDS[kind])(path, limits, **options).document()
        offsets = [mark.offset for mark in document.marks]
        assert offsets == sorted(offsets)
        for mark in document.marks:
            assert 0 <= mark.offset <= len(document.text)
        return document

    return read
