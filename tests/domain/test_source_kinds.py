"""The table of source kinds: nothing that Quire reads, NotebookLM sends or a contract lists is missing in it."""

from __future__ import annotations

from collections import Counter

import pytest

from quire.adapters.readers import sniffing
from quire.domain.source_kinds import KINDS, kind_of, known
from quire.notebooklm.codes import SourceKind

# The `type` that contract 1 lets a source have.
LISTED = {"url", "text", "pdf", "gdoc", "gslides", "youtube", "audio", "unknown"}


def test_every_code_of_notebooklm_is_one_kinds_own() -> None:
    own = Counter(kind.wire for kind in KINDS.values() if kind.wire)
    assert own == Counter(code.name for code in SourceKind if code is not SourceKind.UNKNOWN)


def test_every_kind_can_be_told_to_a_client_of_notebooklm() -> None:
    for name, kind in KINDS.items():
        assert kind.wire_code in SourceKind.__members__, name
    assert [KINDS[name].wire_code for name in ("odt", "html", "video", "captions")] == [
        "DOCX", "WEB_PAGE", "MEDIA", "TEXT",
    ]  # fmt: skip


def test_every_type_of_the_contract_is_one_kinds_own() -> None:
    own = Counter(kind.listed_as for kind in KINDS.values() if kind.listed_as)
    assert own == Counter(LISTED - {"unknown"})


def test_everything_that_files_are_taken_for_is_a_kind() -> None:
    found = [*sniffing.ODF_TYPES.values(), *sniffing.RIFF_KINDS.values(), *sniffing.BRANDS.values()]
    assert set(found) <= KINDS.keys()
    assert {kind_of(name, "https://example.com/") for name in KINDS if KINDS[name].reader} <= KINDS.keys()


def test_only_files_have_readers_and_signs() -> None:
    for name, kind in KINDS.items():
        if not kind.media_types:
            assert (kind.extensions, kind.magic, kind.reader, kind.refusal) == ((), (), "", ""), name


@pytest.mark.parametrize(
    ("kind", "label"), [("text", "text"), ("markdown", "Markdown"), ("pdf", "PDF"), ("url", "web page")]
)
def test_labels_are_what_people_say(kind: str, label: str) -> None:
    assert KINDS[kind].label == label
    assert all(one.label and not one.label.startswith(("a ", "an ")) for one in KINDS.values())


def test_a_page_of_the_web_is_one_whatever_it_is_written_in() -> None:
    assert kind_of("markdown", None) == "markdown"
    assert kind_of("markdown", "https://example.com/a.md") == "url"
    assert kind_of("pdf", "https://example.com/a.pdf") == "pdf"
    assert kind_of("captions", "https://youtu.be/dQw4w9WgXcQ") == "youtube"


def test_a_kind_that_another_engine_made_up_is_unknown() -> None:
    assert known("made up") is KINDS["unknown"]
