"""Markdown of strangers as a page shows it."""

from __future__ import annotations

import pytest

from quire.entry.http.rendered_markdown import rendered_markdown

HERE = "127.0.0.1:8000"


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1:8000", "127.1:8000", "2130706433:8000", "0x7f.1:8000", "127.0.0.1.:8000", "%31%32%37.0.0.1:8000"],
)
def test_no_spelling_of_this_servers_address_is_a_link(address: str) -> None:
    shown = rendered_markdown(f"[a](http://{address}/x) <http://{address}/x>", HERE)
    assert shown is not None
    assert "<a " not in shown


def test_default_ports_and_long_forms_are_the_same_place_too() -> None:
    assert "<a " not in str(rendered_markdown("[a](http://notes.example:80/)", "notes.example"))
    assert "<a " not in str(rendered_markdown("[a](http://[0:0:0:0:0:0:0:1]:8000/)", "[::1]:8000"))
    assert "<a " in str(rendered_markdown("[a](http://notes.example:81/)", "notes.example"))


@pytest.mark.parametrize("named", ["https://example.com/{}", '<https://example.com/> "{}"'])
def test_what_is_named_once_and_led_to_often_does_not_swell_the_page(named: str) -> None:
    told = f"[a]: {named.format('x' * 20_000)}\n\n"
    assert "<a " in str(rendered_markdown(told + "[a]", HERE))
    assert rendered_markdown(told + "[a]" * 5_000, HERE) is None
