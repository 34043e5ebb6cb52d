"""Web pages, feeds and mail."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any

import pytest
from made_office import container
from made_pages import paragraphs

from quire.domain.errors import InvalidInput

PAGE = """<!doctype html><html><head><title>Herbs &amp; spices</title><style>p{}</style></head><body>
<nav><a href="/">Home</a></nav><script>var x = "no"</script>
<h1>Herbs<a class="headerlink" href="#h">¶</a></h1><p>Green<br>and <b>fresh</b>,<!-- no --> 10<sup>6</sup> leaves.</p>
<ul><li>mint</li><li>thyme<ol start="3"><li>wild</li><li>lemon</li></ol></li></ul>
<table><tr><th rowspan="2">Kind</th><th>Price</th></tr><tr><td>2&nbsp;Euro</td></tr></table>
<pre><code>mix(a,
    b)</code></pre><blockquote>Said so.</blockquote><img alt="A bunch of mint" src="m.png"><img alt="m.png">
<h3><img alt="A drawing"></h3><p hidden>secret</p><div style="display: none">secret</div>
<table role="presentation"><tr><td><h2>Inside</h2><p>layout</p></td></tr></table></body></html>"""


def test_a_page_of_ones_own_is_read_whole(reading: Any) -> None:
    document = reading("html", PAGE)
    assert document.text == (
        "Home\n\n# Herbs\n\nGreen\nand fresh, 10^6 leaves.\n\n- mint\n- thyme\n  3. wild\n  4. lemon\n\n"
        "| Kind | Price |\n| - | - |\n| Kind | 2 Euro |\n\n```\nmix(a,\n    b)\n```\n\n> Said so.\n\n"
        "![A bunch of mint]\n\n![A drawing]\n\n## Inside\n\nlayout"
    )
    assert document.title == "Herbs & spices"
    assert [(mark.label, mark.level) for mark in document.marks] == [("Herbs", 1), ("Inside", 2)]


def test_a_story_in_several_containers_is_read_from_all_of_them(reading: Any) -> None:
    parts = "".join(f'<div class="body">{paragraphs(6, name)}</div><aside>Ad</aside>' for name in "AB")
    page = f"<html><head><title>T</title></head><body><main>{parts}</main></body></html>"
    text = reading("html", page).text
    assert "A 0." in text
    assert "B 5." in text


def test_a_page_from_the_web_without_an_article_is_read_whole(reading: Any) -> None:
    document = reading("html", "<html><body><p>Just a word.</p></body></html>")
    assert document.text == "Just a word."


@pytest.mark.parametrize("element", ["article", "main", "section", "div"])
@pytest.mark.parametrize("whole", [False, True])
def test_a_page_that_leaves_out_its_body_is_read(reading: Any, element: str, whole: bool) -> None:
    page = f"<!doctype html><meta charset=utf-8><title>Plums</title><{element}><p>Plums are drupes.</p></{element}>"
    document = reading("html", page, whole=whole)
    assert (document.text, document.title) == ("Plums are drupes.", "Plums")


def test_pages_are_read_in_the_encoding_that_they_declare(reading: Any) -> None:
    page = '<html><head><meta charset="windows-1251"></head><body>Привет</body></html>'
    assert reading("html", page.encode("cp1251")).text == "Привет"


def test_pages_nested_very_deep_are_read_or_refused_in_words(reading: Any) -> None:
    page = "<div>" * 5_000 + "deep" + "</div>" * 5_000
    try:
        said = reading("html", page).text
    except InvalidInput as error:
        said = error.message
    assert said in ("deep", "The file is nested too deeply to be read.", "There is no text in the file.")


def test_feeds_are_articles(reading: Any) -> None:
    feed = (
        "<?xml version='1.0'?><rss><channel><title>Harbour news</title><item><title>Ships</title>"
        "<pubDate>Mon, 1 Jan 2024</pubDate><description>&lt;p&gt;Seventeen &lt;b&gt;ships&lt;/b&gt;&lt;/p&gt;"
        "</description></item></channel></rss>"
    )
    document = reading("xml", feed)
    assert document.text == "# Harbour news\n\n## Ships\n\nMon, 1 Jan 2024\n\nSeventeen ships"
    assert document.title == "Harbour news"
    assert reading("xml", "<plan><step>one</step></plan>").text == "<plan><step>one</step></plan>"


def test_mail_begins_with_its_headers_and_ends_with_what_is_attached(reading: Any) -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Ada <ada@example.org>", "bo@example.org", "Grüße vom Hafen"
    message["Date"] = "Mon, 01 Jan 2024 10:00:00 +0000"
    message.set_content("Seventeen ships came in.\n")
    message.add_alternative("<p>other</p>", subtype="html")
    message.add_attachment(b"123", maintype="application", subtype="pdf", filename="ships.pdf")
    document = reading("email", message.as_bytes())
    assert document.text == (
        "From: Ada <ada@example.org>\nTo: bo@example.org\nDate: Mon, 01 Jan 2024 10:00:00 +0000\n"
        "Subject: Grüße vom Hafen\n\nSeventeen ships came in.\n\nAttachment: ships.pdf"
    )
    assert document.title == "Grüße vom Hafen"


def test_mail_that_is_only_html_is_read_too(reading: Any) -> None:
    message = EmailMessage()
    message["Subject"] = "Hi"
    message.set_content("<h1>News</h1><p>Ships</p>", subtype="html")
    assert reading("email", message.as_bytes()).text == "Subject: Hi\n\n# News\n\nShips"


def test_something_without_headers_is_no_mail(reading: Any) -> None:
    with pytest.raises(InvalidInput, match="is not an e-mail"):
        reading("email", b"just words")


def test_outlook_messages_are_read(reading: Any) -> None:
    streams = {
        "__substg1.0_0037001F": "Harbour".encode("utf-16-le"),
        "__substg1.0_0C1A001F": "Ada".encode("utf-16-le"),
        "__substg1.0_1000001F": "Seventeen ships.".encode("utf-16-le"),
    }
    document = reading("outlook", container(streams))
    assert document.text == "From: Ada\nSubject: Harbour\n\nSeventeen ships."
    assert document.title == "Harbour"
