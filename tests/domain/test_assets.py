"""Names and kinds of assets."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.assets import DIRECT_LIMIT, decoded, mime_type, other_name, safe_name
from quire.domain.errors import InvalidInput, TooLarge


@given(st.text(max_size=300))
def test_a_safe_name_is_safe(name: str) -> None:
    for safe in (safe_name(name), other_name(name)):
        assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,149}", safe)
        assert not safe.endswith(".")
    assert safe_name(safe_name(name)) == safe_name(name)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("diagram.png", "diagram.png"),
        ("My Diagram (1).PNG", "My_Diagram_1.PNG"),
        ("über straße.jpeg", "uber_stra_e.jpeg"),
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\y.png", "y.png"),
        (".htaccess", "htaccess"),
        ("archive.tar.gz", "archive.tar.gz"),
        ("a" * 300 + ".png", "a" * 99 + ".png"),
    ],
)
def test_names_stay_readable(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@pytest.mark.parametrize("name", ["漢字.png", "...", "..", "/", "____", "🦜"])
def test_where_nothing_is_left_a_hash_stands(name: str) -> None:
    assert re.fullmatch(r"file-[0-9a-f]{8}(\.png)?", safe_name(name))


def test_another_name_has_a_hash_and_its_ending() -> None:
    assert re.fullmatch(r"a_b-[0-9a-f]{8}\.png", other_name("a b.png"))
    assert other_name("a b.png") != other_name("a?b.png")
    assert re.fullmatch(r"readme-[0-9a-f]{8}", other_name("readme"))


@pytest.mark.parametrize(
    ("name", "beginning", "mime"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("a.png", b"GIF89a", "image/gif"),
        ("a.png", b"anything", "image/png"),
        ("a", b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        ("a.wav", b"RIFF\0\0\0\0WAVEfmt ", "audio/x-wav"),
        ("a.mp4", b"\0\0\0\x18ftypisom", "video/mp4"),
        ("a.m4a", b"\0\0\0\x18ftypM4A ", "audio/mp4"),
        ("a.mov", b"\0\0\0\x18ftypqt  ", "video/quicktime"),
        ("a.mkv", b"\x1aE\xdf\xa3", "video/x-matroska"),
        ("a.webm", b"\x1aE\xdf\xa3", "video/webm"),
        ("a.md", b"# text", "text/markdown"),
        ("a", b"", "application/octet-stream"),
    ],
)
def test_kinds_come_from_name_and_content(name: str, beginning: bytes, mime: str) -> None:
    assert mime_type(name, beginning) == mime


@given(st.binary(min_size=1, max_size=100))
def test_base64_of_anything_is_decoded(data: bytes) -> None:
    import base64

    assert decoded(base64.b64encode(data).decode()) == data


@given(st.text(st.sampled_from("AQgw=+/_- \n"), max_size=12))
def test_base64_has_one_form_only(text: str) -> None:
    import base64

    try:
        data = decoded(text)
    except InvalidInput:
        return
    assert base64.b64encode(data).decode() == text


def test_what_is_too_long_is_not_even_decoded() -> None:
    with pytest.raises(TooLarge):
        decoded("!" * (DIRECT_LIMIT * 2))
