"""Any text as the address or the name of a page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quire.adapters.page_names import charset_of, name_of
from quire.adapters.web_places import Place, place_of
from quire.domain.errors import InvalidInput

URLS = st.one_of(
    st.text(), st.builds("http://{}/{}".format, st.text(), st.text()), st.from_regex(r"https?://[^/]+(:\d+)?/.*")
)


@given(URLS)
def test_any_text_is_a_place_or_refused(url: str) -> None:
    place = tried(url)
    if isinstance(place, Place):
        line = f"{place.authority} {place.target}"
        assert line.isascii()
        assert line.isprintable()
        assert line.count(" ") == 1
        assert not set("/?#@\\") & set(place.authority)
    else:
        assert place in ("invalid_url", "unsupported_url")


def tried(url: str) -> Place | str:
    try:
        return place_of(url)
    except InvalidInput as error:
        return str(error.details["reason"])


CODES = st.sampled_from(["utf-8", "bad", "hex", "idna", "punycode", "undefined", "utf-16", "zlib"])
DISPOSITIONS = st.one_of(
    st.text(),
    st.builds('attachment; filename="{}"'.format, st.text()),
    st.builds("attachment; filename*={}''{}".format, CODES, st.text(alphabet="%0123456789abcdef\"';* ")),
)


@given(st.text(), DISPOSITIONS, st.text())
def test_any_name_of_a_file_is_a_plain_one(path: str, disposition: str, media_type: str) -> None:
    name = name_of(f"http://host/{path}", {"content-disposition": disposition, "content-type": media_type})
    assert 0 < len(name.encode()) <= 1_000
    assert not set("/\\\0\r\n") & set(name)
    assert name not in (".", "..")


@given(CODES)
def test_only_encodings_of_the_web_are_known(code: str) -> None:
    known = charset_of(f"text/html; charset={code}")
    assert known == ("utf-16" if code == "utf-16" else None)


def test_encodings_are_read_as_browsers_read_them() -> None:
    assert charset_of("text/html; charset=ISO-8859-1") == "cp1252"
    assert charset_of('text/html; charset="gb2312"') == "gb18030"
    assert charset_of("text/plain; charset=windows-1251") == "cp1251"
    assert charset_of("image/png; charset=windows-1251") is None
