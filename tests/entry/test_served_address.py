"""Links of other processes name the server that runs on the same home."""

from __future__ import annotations

from pathlib import Path

from command_line import quire_here

from quire.entry.served_address import ServedAddress, address_in_links
from quire.entry.settings import load


def test_an_address_is_told_only_while_the_server_runs(tmp_path: Path) -> None:
    address = ServedAddress(tmp_path)
    assert address.current() == ""
    with address.told("http://127.0.0.1:9000"):
        assert address.current() == "http://127.0.0.1:9000"
        with ServedAddress(tmp_path).told("http://127.0.0.1:9001"):
            assert address.current() == "http://127.0.0.1:9000"
        assert address.current() == "http://127.0.0.1:9000"
    assert address.current() == ""
    (tmp_path / "served_at").write_text("http://evil.example")
    assert address.current() == "", "what a dead server has left behind is not believed"


def test_a_link_in_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("x")
    (tmp_path / "served_at").symlink_to(tmp_path / "elsewhere")
    assert ServedAddress(tmp_path).current() == ""


def test_what_was_set_comes_before_what_is_served(tmp_path: Path) -> None:
    with ServedAddress(tmp_path).told("http://127.0.0.1:9000"):
        assert address_in_links(load({"home": tmp_path})) == "http://127.0.0.1:9000"
        assert address_in_links(load({"home": tmp_path, "port": 9009})) == "http://127.0.0.1:9009"
        public = load({"home": tmp_path, "public_url": "https://notes.example.com/"})
        assert address_in_links(public) == "https://notes.example.com"
        assert address_in_links(load({"home": tmp_path, "store": "memory"})) == "http://127.0.0.1:8765"
    assert address_in_links(load({"home": tmp_path})) == "http://127.0.0.1:8765"


def test_a_command_names_the_server_of_its_home(tmp_path: Path) -> None:
    with ServedAddress(tmp_path).told("http://127.0.0.1:9000"):
        assert quire_here(tmp_path, "token").stdout.decode().startswith("http://127.0.0.1:9000/?token=")
