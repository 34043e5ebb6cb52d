"""Sources and answers from the command line: many things in one command, and what people see of an answer."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from command_line import quire_here

from pages import Pages, article, serving_pages
from quire.domain.chat import Answer, AnswerPart, Citation
from quire.domain.documents import Place
from quire.domain.sources import Source
from quire.entry import render
from quire.entry.answer_views import show_answer
from quire.entry.terminal import console
from warm_start import warm_python

MOON = article(
    "The far side of the Moon",
    "The far side of the Moon was first seen in 1959, when the probe Luna 3 took 29 photographs of it by itself.",
)


def quire(home: Path, *arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return quire_here(home, *arguments, stdin=stdin, folder=home.parent, QUIRE_EMBEDDER="none", **environment)


def lines(output: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.fixture
def pages() -> Iterator[Pages]:
    with serving_pages() as pages:
        yield pages


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Beside a folder of papers, in which all of this runs."""
    papers = tmp_path / "papers"
    (papers / "deep").mkdir(parents=True)
    (papers / "bees.txt").write_text("A strong hive holds 50,000 bees in summer.")
    (papers / "deep" / "wasps.md").write_text("# Wasps\n\nThey build their nests of paper.")
    (papers / ".hidden.txt").write_text("Nobody reads this.")
    (papers / "link.txt").symlink_to(papers / "bees.txt")
    (tmp_path / "ants.txt").write_text("Ants live in hills.")
    return tmp_path / "home"


def test_files_folders_patterns_pages_and_standard_input_come_in_one_command(home: Path, pages: Pages) -> None:
    url = pages.put("/moon", MOON)
    done = quire(
        home, "source", "add", "papers", "*ts.txt", url, "-", "papers/bees.txt", "--json",
        stdin=b"Flies have two wings.", QUIRE_FETCH_ALLOW="127.0.0.1",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    added = {one["given"]: one for one in lines(done.stdout)}
    assert {name: (one["title"], one["kind"], one["state"]) for name, one in added.items()} == {
        "papers/bees.txt": ("bees.txt", "text", "ready"),
        "papers/deep/wasps.md": ("Wasps", "markdown", "ready"),
        "ants.txt": ("ants.txt", "text", "ready"),
        url: ("The far side of the Moon", "url", "ready"),
        "-": ("stdin", "text", "ready"),
    }


def test_one_failure_does_not_stop_the_others_and_the_exit_code_tells(home: Path) -> None:
    (home.parent / "papers" / "broken.pdf").write_bytes(b"%PDF-1.7 and then nothing")
    done = quire(home, "source", "add", "nowhere.txt", "papers", "http://127.0.0.1/", "x*.pdf", "--json")
    assert done.returncode == 2
    assert {one["given"] for one in lines(done.stdout)} == {"papers/bees.txt", "papers/deep/wasps.md"}
    *failures, summary = lines(done.stderr)
    assert {one["given"]: one["message"] for one in failures} == {
        "nowhere.txt": "'nowhere.txt': There is no such file or folder.",
        "papers/broken.pdf": failures[1]["message"],
        "http://127.0.0.1/": "url: only public addresses are fetched, on ports of the web.",
        "x*.pdf": "'x*.pdf': No file is called like this.",
    }
    assert failures[1]["message"].startswith("It was added, but could not be read: ")
    assert summary["message"] == "4 of 6 failed."
    shown = quire(home, "source", "add", "nowhere.txt", "papers/bees.txt")
    assert shown.returncode == 2
    assert b"there already" in shown.stdout
    shown = quire(home, "source", "add", "nowhere.txt", "ants.txt")
    assert shown.returncode == 2
    assert b"ants.txt" in shown.stdout
    assert shown.stderr.decode().splitlines() == [
        "Failed: nowhere.txt: 'nowhere.txt': There is no such file or folder.",
        "Error: 1 of 2 failed.",
    ]


def test_failures_of_several_kinds_end_with_the_plain_code(home: Path) -> None:
    nobodys = "00000000-0000-4000-8000-000000000000"
    done = quire(home, "source", "add", "nowhere.txt", "ants.txt", "--notebook", nobodys)
    assert done.returncode == 1
    alone = quire(home, "source", "add", "ants.txt", "--notebook", nobodys)
    assert (alone.returncode, alone.stderr) == (4, f"Error: There is no notebook '{nobodys}'.\n".encode())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Say what to add"),
        (["papers", "--title", "Mine"], "--title is for one thing"),
        (["-", "--text", "-"], "Only one thing can be read from standard input"),
        (["papers/.hidden"], "There is no such file or folder"),
        (["empty"], "There are no files in it"),
    ],
)
def test_what_makes_no_sense_is_refused(home: Path, arguments: list[str], told: str) -> None:
    (home.parent / "empty").mkdir()
    done = quire(home, "source", "add", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert told in done.stderr.decode()


def test_a_notebook_is_known_by_its_title_and_asked_with_numbered_citations(home: Path) -> None:
    assert quire(home, "notebook", "create", "Insects").returncode == 0
    assert quire(home, "source", "add", "papers", "--notebook", "insects").returncode == 0
    asked = quire(home, "ask", "Insects", "How many bees does a strong hive hold?")
    assert asked.returncode == 0, asked.stderr
    shown = asked.stdout.decode()
    assert shown.startswith("A strong hive holds 50,000 bees in summer. [1]\n")
    assert "\n[1] bees.txt\n" in shown
    answer = json.loads(quire(home, "ask", "Insects", "How many bees does a strong hive hold?", "--json").stdout)
    conversation = answer["conversation_id"]
    assert answer["citations"][0]["source_title"] == "bees.txt"
    again = quire(home, "ask", "insects", "-", "--conversation", conversation, "--json", stdin=b"And in summer?")
    assert json.loads(again.stdout)["conversation_id"] == conversation
    assert quire(home, "ask", "How many bees does a hive hold?").stderr.startswith(b"Error: The inbox has no sources")
    assert quire(home, "ask").returncode == 2
    assert quire(home, "notebook", "create", "INSECTS").returncode == 0
    two = quire(home, "ask", "Insects", "How many?")
    assert (two.returncode, b"2 notebooks called 'Insects'" in two.stderr) == (2, True)


def test_the_arguments_of_the_tool_may_come_as_json(home: Path) -> None:
    given = json.dumps({"source_type": "text", "text": "Bees make honey.", "title": "Bees"}).encode()
    done = quire(home, "source", "add", "--input", "-", "--title", "Mine", "--json", stdin=given)
    assert (done.returncode, json.loads(done.stdout)["title"]) == (0, "Mine")
    wrong = quire(home, "source", "add", "--input", "-", stdin=b'{"source_type": "text"}')
    assert (wrong.returncode, wrong.stderr) == (2, b"Error: text: is required when source_type is 'text'.\n")
    assert quire(home, "source", "add", "ants.txt", "--input", "-", stdin=given).returncode == 2


def test_bars_are_drawn_on_a_terminal_and_results_stay_clean(home: Path) -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*warm_python(), "-m", "quire", "source", "add", "papers", "ants.txt", "--json"],
        stdout=subprocess.PIPE,
        stderr=follower,
        cwd=home.parent,
        env=dict(os.environ, QUIRE_HOME=str(home), QUIRE_EMBEDDER="none", TERM="xterm"),
    )
    os.close(follower)
    drawn = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            break
        if not part:
            break
        drawn += part
    os.close(leader)
    assert process.stdout is not None
    with process.stdout:
        assert len(lines(process.stdout.read())) == 3
    assert process.wait(60) == 0
    assert b"3 of 3" in drawn
    assert b"ants.txt" in drawn


AT = datetime(2026, 12, 7, 14, 30, tzinfo=UTC)


def citation(number: int, **facts: Any) -> Citation:
    return Citation.model_validate(
        {
            "number": number,
            "source_id": "s",
            "source_title": "On bees",
            "version": 1,
            "passage_id": 1,
            "start": 0,
            "end": 4,
            "excerpt": "Bees\x1b[2J make\n honey.",
            "place": Place(),
            "answer_start": 0,
            "answer_end": 4,
            "verified": True,
        }
        | facts
    )


def answer(*citations: Citation, **facts: Any) -> Answer:
    return Answer.model_validate(
        {
            "id": "a",
            "conversation_id": "c",
            "question": "Who?",
            "text": "Bees\x1b[2J do. [1][2]",
            "citations": list(citations),
            "confidence": "medium",
            "follow_up_questions": ["What about wax?"],
            "grounded": True,
            "maker": "extractive",
        }
        | facts
    )


def test_an_answer_shows_where_each_citation_stands_and_which_failed(capsys: pytest.CaptureFixture[str]) -> None:
    first = citation(1, place=Place(page="7", heading="Life > Work"))
    second = citation(2, place=Place(slide="3", time="00:03:12"), verified=False, excerpt="word " * 100)
    render.show(answer(first, second, warnings=["The model did not answer."]), noun="chat")
    assert capsys.readouterr().out == (
        "Bees␛[2J do. [1][2]\n\n"
        "[1] On bees, page 7, Life > Work\n    “Bees␛[2J make honey.”\n"
        f"[2] On bees, slide 3, at 00:03:12  not verified\n    “{'word ' * 60}…”\n\n"
        "The model did not answer.\n\n"
        "Confidence: medium\nYou might ask: What about wax?\n"
    )


def test_a_quote_is_printed_once_and_numbers_of_one_place_stand_together(capsys: pytest.CaptureFixture[str]) -> None:
    told = citation(1, excerpt="Bees do."), citation(2, excerpt="Bees\n do."), citation(3), citation(4)
    render.show(answer(*told, text="Bees do. [1][2] And more [3][4]"), noun="chat")
    out = capsys.readouterr().out
    assert "\n[1] [2] On bees\n[3] On bees\n    “Bees␛[2J make honey.”\n[4] On bees\n" in out


def test_passages_beside_an_answer_are_shown_where_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    near = {"source_id": "s", "source_title": "On wax", "version": 1, "start": 0, "end": 4, "excerpt": "Wax\n melts."}
    told = answer(text="Bees do.", more=[near | {"place": Place(page="2")}])
    show_answer(console(), told)
    assert "On wax" not in capsys.readouterr().out
    show_answer(console(), told, more=True)
    assert "More passages\n    On wax, page 2\n    “Wax melts.”\n" in capsys.readouterr().out


def test_an_answer_on_its_way_is_not_printed_into_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    render.show_event(AnswerPart(text="Bees"))
    assert capsys.readouterr().out == ""
    render.show_event(answer(text="Bees do."))
    assert capsys.readouterr().out.startswith("Bees do.\n\nConfidence: medium\n")


def test_a_source_that_failed_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    source = Source(
        id="s", notebook_id="n", title="A", kind="pdf", state="failed", error="Torn.", created_at=AT, updated_at=AT
    )
    render.show(source, noun="source")
    assert "Torn." in capsys.readouterr().out


def test_a_notebook_in_the_place_of_a_file_is_told_apart_and_nothing_is_added(home: Path) -> None:
    assert quire(home, "notebook", "create", "Bees").returncode == 0
    done = quire(home, "source", "add", "ants.txt", "bees")
    assert done.returncode == 2
    assert b"'bees' is a notebook" in done.stderr
    assert b"--notebook bees" in done.stderr
    assert lines(quire(home, "source", "list", "--json").stdout)[0]["items"] == []


def test_an_answer_is_kept_by_its_id_alone_as_the_command_says(home: Path) -> None:
    assert quire(home, "notebook", "create", "Bees").returncode == 0
    assert quire(home, "source", "add", "papers/bees.txt", "--notebook", "Bees").returncode == 0
    (answer,) = lines(quire(home, "ask", "Bees", "How many bees does a hive hold?", "--json").stdout)
    for name in (answer["id"][:8], answer["id"]):
        kept = quire(home, "chat", "save", name, "--json")
        assert kept.returncode == 0, kept.stderr
        assert "50,000" in lines(kept.stdout)[0]["content"]
    shown = quire(home, "ask", "Bees", "How many bees does a hive hold?")
    assert b"To keep it: quire chat save " in shown.stdout


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("notebook", "delete", "Nope"), "There is no notebook 'Nope'."),
        (("notebook", "delete", "My Bees"), "'delete notebook My Bees' cannot be undone"),
        (("book", "delete-book", "my-course"), "'delete book my-course' cannot be undone"),
    ],
)
def test_whether_it_is_meant_is_asked_of_what_is_there(home: Path, given: tuple[str, ...], told: str) -> None:
    assert quire(home, "notebook", "create", "My Bees").returncode == 0
    done = quire(home, *given)
    assert done.returncode != 0
    assert told in done.stderr.decode()


def test_all_of_a_saved_page_is_read_when_that_is_asked_for(home: Path) -> None:
    links = "".join(f"<li><a href='/{n}'>Another story {n}</a></li>" for n in range(60))
    story = "".join(f"<p>In year {n} the harbour got {n} boats, and all of them sailed north.</p>" for n in range(9))
    page = f"<html><body><nav>{links}</nav><article>{story}</article></body></html>"
    (home.parent / "page.html").write_text(page)
    short, long = (
        lines(quire(home, "source", "add", "page.html", "--json", *more).stdout)[0] for more in ((), ("--whole",))
    )
    assert short["id"] == long["id"]
    assert long["characters"] > short["characters"] + 60 * len("Another story")
