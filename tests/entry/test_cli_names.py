"""What people say instead of ids: titles, beginnings of ids; and what they hear when they slip."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import quire_here


class Shelf:
    """A home with two notebooks and three sources, which the tests of this file only read and ask."""

    def __init__(self, home: Path) -> None:
        self.home = home
        home.mkdir()
        (home / "quire.toml").write_text('embedder = "none"\n')
        self.bees = self.made("notebook", "create", "Bees")["id"]
        self.made("notebook", "create", "Wasps of the north")
        text = "A honey bee visits about 100 flowers on a flight."
        self.flights = self.made("source", "add", "--notebook", "Bees", "--title", "Flights", "--text", text)["id"]
        self.made("source", "add", "--notebook", "Bees", "--title", "Twins", "--text", "Twins are two.")
        self.made("source", "add", "--notebook", self.made("notebook", "get", "wasps OF the north")["id"], "--title",
                  "Twins", "--text", "Wasps have twins too.")  # fmt: skip

    def run(self, *words: str, stdin: str = "") -> tuple[int, str, str]:
        ended = quire_here(self.home, *words, stdin=stdin.encode())
        return ended.returncode, ended.stdout.decode(), ended.stderr.decode()

    def made(self, *words: str) -> Any:
        code, out, err = self.run(*words, "--json")
        assert code == 0, err
        return json.loads(out)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return Shelf(tmp_path_factory.mktemp("names") / "home")


def test_a_source_is_found_by_its_title_and_by_the_beginning_of_its_id(shelf: Shelf) -> None:
    for name in ("Flights", " fLIGHTS", shelf.flights[:8], shelf.flights):
        assert shelf.made("source", "get", name)["id"] == shelf.flights
    assert shelf.made("source", "text", "flights", "--notebook", shelf.bees[:6])["text"].startswith("A honey bee")
    found = shelf.made("source", "search", "flowers", "--notebook", "Bees", "--source-ids", "Flights")
    assert [hit["passage"]["source_id"] for hit in found["items"]] == [shelf.flights]


def test_a_notebook_may_come_by_its_place_where_nothing_else_does(shelf: Shelf) -> None:
    code, out, _ = shelf.run("source", "list", "Bees")
    assert code == 0
    assert "Flights" in out
    assert shelf.flights not in out
    assert shelf.flights[:8] in out


def test_a_title_that_two_sources_have_is_asked_about(shelf: Shelf) -> None:
    code, out, err = shelf.run("source", "get", "Twins")
    assert (code, out) == (2, "")
    assert "There are 2 sources called 'Twins'." in err
    assert "(Twins in Bees)" in err
    assert "(Twins in Wasps of the north)" in err
    assert shelf.made("source", "get", "Twins", "--notebook", "Bees")["title"] == "Twins"


def test_a_template_has_a_title_and_takes_the_sources_of_a_notebook_by_its_name(shelf: Shelf) -> None:
    made = shelf.made("scratch", "new", "--pattern", "Compare sources", "--sources-of", "bees")
    code, out, _ = shelf.run("scratch", "new", "--pattern", "mcts", "--title", "Nim")
    assert code == 0
    assert "Monte Carlo Tree Search" in out
    code, out, _ = shelf.run("scratch", "list")
    assert code == 0
    assert "Monte Carlo Tree Search" in out
    assert "mcts" not in out
    assert made["warnings"] == []
    text = shelf.made("scratch", "export", made["id"])["text"]
    assert "A honey bee visits about 100 flowers on a flight." in text
    code, out, _ = shelf.run("scratch", "new", "--pattern", "compare_sources")
    assert "It works on an example" in out


SLIPS = [
    (("scratch", "new", "--sources-of", "Beees"), "Did you mean 'Bees'?"),
    (("scratch", "new", "--pattern", "monte carlo"), "mcts (Monte Carlo Tree Search)"),
    (("source", "get", "Flihgts"), "Did you mean 'Flights'?"),
    (("notebook", "get", "Bee"), "Did you mean 'Bees'?"),
    (("notebook", "get", "north"), "Did you mean 'Wasps of the north'?"),
    (("notebook", "delete", "Beees", "--yes"), "Did you mean 'Bees'?"),
    (("ask", "Beees", "Who?"), "Did you mean 'Bees'?"),
    (("source", "add", "--text", "x", "--notebook", "Beees"), "Did you mean 'Bees'?"),
    (("chat", "histroy"), "Did you mean 'quire chat history'?"),
    (("job", "get", "nothing-like-it"), "'quire job list' lists what there is."),
]


@pytest.mark.parametrize(("words", "better"), SLIPS)
def test_a_name_that_is_nobodys_is_not_found_and_gets_a_suggestion(
    words: tuple[str, ...], better: str, shelf: Shelf
) -> None:
    code, out, err = shelf.run(*words)
    assert (code, out) == (4, "")
    assert better in err


FORGOTTEN = [
    (("ask",), "Say what to ask."),
    (("ask", "Bees"), "'Bees' is a notebook, and the question is missing."),
    (("ask", "Bees", "How", "many", "flowers?"), "The question is in several pieces."),
    (("ask", "-c", "--conversation", "x", "Why?"), "cannot go together"),
]


@pytest.mark.parametrize(("words", "said"), FORGOTTEN)
def test_a_question_that_is_forgotten_or_in_pieces_is_a_wrong_use(
    words: tuple[str, ...], said: str, shelf: Shelf
) -> None:
    code, out, err = shelf.run(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert "Hint: " in err or "cannot go together" in err


def test_a_question_to_an_empty_inbox_is_pointed_to_the_notebooks(shelf: Shelf) -> None:
    code, _, err = shelf.run("ask", "How many flowers?")
    assert code == 5
    assert "The inbox has no sources." in err
    assert "'Bees'" in err


def test_asking_on_goes_to_the_last_conversation_without_naming_it(shelf: Shelf) -> None:
    first = shelf.made("ask", "Bees", "How many flowers does a honey bee visit?")
    shelf.made("ask", "Wasps of the north", "Who has twins?")
    again = shelf.made("ask", "-c", "Bees", "And on a flight?")
    assert again["conversation_id"] == first["conversation_id"]
    assert shelf.made("ask", "--continue", "Flowers?")["conversation_id"] == first["conversation_id"]
    short = first["conversation_id"][:8]
    assert shelf.made("ask", "--conversation", short, "A bee?")["conversation_id"] == first["conversation_id"]
    code, out, _ = shelf.run("chat", "conversations", "Bees")
    assert code == 0
    assert "How many flowers does a honey bee visit?" in out
    assert first["conversation_id"] not in out
    assert shelf.made("chat", "history", short)["total"] == 4
    assert shelf.made("chat", "save", again["id"][:8], "--notebook", "Bees")["title"] == "And on a flight?"


def test_there_is_nothing_to_go_on_with_before_the_first_question(tmp_path: Path) -> None:
    ended = quire_here(tmp_path, "ask", "-c", "Why?")
    assert ended.returncode == 2
    assert b"There is no conversation to go on with." in ended.stderr


def test_every_quote_of_an_answer_is_printed_once(shelf: Shelf) -> None:
    code, out, _ = shelf.run("ask", "Bees", "How many flowers does a honey bee visit on a flight?")
    assert code == 0
    assert out.count("A honey bee visits about 100 flowers on a flight.") == 1
    assert "[1] Flights\n" in out
    assert "quire ask -c" in out


def test_a_talk_asks_line_after_line_in_one_conversation(shelf: Shelf) -> None:
    lines = "How many flowers does a honey bee visit on a flight?\n\nAnd who visits them?\n/quit\nnever asked\n"
    code, out, err = shelf.run("chat", "bees", stdin=lines)
    assert (code, err) == (0, "")
    assert out.count("100 flowers") >= 1
    assert "> And who visits them?" in out
    assert "never asked" not in out
    assert "quire ask -c" not in out
    answers = [json.loads(line) for line in shelf.run("chat", "Bees", "--json", stdin=lines)[1].splitlines()]
    assert len(answers) == 2
    assert answers[0]["conversation_id"] == answers[1]["conversation_id"]


def test_a_talk_goes_on_after_what_fails_and_tells_it_by_its_exit_code(shelf: Shelf) -> None:
    code, out, err = shelf.run(
        "chat", "Bees", stdin="/sav\n/save\nWho visits flowers?\n/save Kept\n/new\n/help\n/sources\n"
    )
    assert code == 2
    assert "Did you mean /save?" in err
    assert "There is no answer to keep yet." in err
    assert "'Kept'" in err
    assert "/quit" in err
    assert "Flights" in out


def test_the_first_talk_may_go_on_from_the_last_question(shelf: Shelf) -> None:
    first = shelf.made("ask", "Bees", "Who visits flowers?")
    _, out, _ = shelf.run("chat", "Bees", "-c", "--json", stdin="And why?")
    assert json.loads(out)["conversation_id"] == first["conversation_id"]


def test_roles_are_words_for_people_and_for_programs(shelf: Shelf) -> None:
    assert shelf.made("notebook", "get", "Bees")["role"] == "owner"
    assert "owner" in shelf.run("notebook", "get", "Bees")[1]


def test_a_token_is_revoked_by_the_beginning_that_lists_show(shelf: Shelf) -> None:
    shelf.made("person", "add", "Ada", "ada@example.com")
    token = shelf.made("person", "token", "ada@example.com", "--label", "laptop")["id"]
    code, out, _ = shelf.run("person", "tokens", "ada@example.com")
    assert code == 0
    assert token[:8] in out
    assert shelf.made("person", "revoke", token[:8], "--yes")["id"] == token
    other = shelf.made("person", "token", "ada@example.com", "--label", "phone")["id"]
    assert shelf.made("person", "revoke", "phone", "--yes")["id"] == other
    code, _, err = shelf.run("person", "revoke", "tablet", "--yes")
    assert code == 4
    assert "quire person tokens" in err


def test_the_owners_token_is_printed_in_an_address_and_by_itself(shelf: Shelf) -> None:
    address = shelf.run("token")[1].strip()
    bare = shelf.run("token", "--bare")[1].strip()
    assert address == f"http://127.0.0.1:8765/?token={bare}"
    assert "/" not in bare


def test_an_artifact_is_meant_within_the_notebook_that_is_named_but_copied_from_any(shelf: Shelf) -> None:
    made = [
        shelf.made("artifact", "make", "mind_map", "--draft", "--title", "Twin map", "--notebook", notebook)["id"]
        for notebook in ("Bees", "Wasps of the north")
    ]
    code, _, err = shelf.run("artifact", "get", "Twin map")
    assert code != 0
    assert "2 artifacts called 'Twin map'" in err
    assert shelf.made("artifact", "get", "Twin map", "--notebook", "Bees")["id"] == made[0]
    shelf.made("artifact", "rename", "Twin map", "Map of wasps", "--notebook", "Wasps of the north")
    code, _, err = shelf.run("artifact", "get", "Map of wasps", "--notebook", "Bees")
    assert code != 0
    code, _, err = shelf.run("artifact", "copy", "Map of wasps", "--notebook", "Bees")
    assert "not ready" in err
