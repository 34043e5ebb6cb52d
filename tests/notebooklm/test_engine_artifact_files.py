"""Files that are written here of what NotebookLM tells: what is in them, whatever it tells."""

from __future__ import annotations

import csv
import io
import time

import pytest

from quire.domain.errors import WireDrift
from quire.notebooklm.engine.artifact_files import data_in, exported_address, table_csv


def test_a_page_carries_its_data_in_an_attribute() -> None:
    assert data_in('<p data-app-data="{&quot;quiz&quot;: [&quot;&lt;b&gt;&quot;]}">') == '{"quiz": ["<b>"]}'
    assert data_in("<p data-app-data = '{}'>") == "{}"
    assert data_in("<p>nothing") is None


def test_a_page_that_never_ends_its_attribute_is_read_in_no_time() -> None:
    begun = time.perf_counter()
    assert data_in("data-app-data=" * 200_000) is None
    assert data_in('data-app-data="' * 200_000) is not None
    assert time.perf_counter() - begun < 5


def test_no_cell_of_a_table_is_a_formula() -> None:
    rows = [["Topic", "=cmd()"], ["+bees", "-5"], ["@x", 'a "quote", and more\nlines']]
    told = list(csv.reader(io.StringIO(table_csv(rows).removeprefix("\ufeff"))))
    assert told == [["Topic", "'=cmd()"], ["'+bees", "-5"], ["'@x", 'a "quote", and more\nlines']]


def test_an_exported_document_is_downloaded_where_google_gives_it_out() -> None:
    exported = exported_address("https://docs.google.com/document/d/abc/edit?usp=x", "docx")
    assert exported == "https://docs.google.com/document/d/abc/export?format=docx"
    ours = "https://notebooklm.google.com/files/token"
    assert exported_address(ours, "docx") == ours
    with pytest.raises(WireDrift):
        exported_address("https://docs.google.com/else", "xlsx")
