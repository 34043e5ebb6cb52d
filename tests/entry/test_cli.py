"""The command line in this process: every capability, every exit code, and how it refuses."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import re
import shlex
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click
import jsonschema
import pytest

from quire.api.capability import Capability
from quire.domain.sharing import Actor
from quire.entry.bootstrap import build, offered
from quire.entry.cli import adding, main
from quire.entry.cli.commands import Flags
from quire.entry.cli.examples import examples as written
from quire.entry.cli.parameters import example
from quire.entry.cli.program import Program
from quire.entry.cli.wording import in_commands
from quire.entry.settings import load

CAPABILITIES = {capability.tool: capability for capability in offered()}

# Command lines that are about something; the names in braces are made by `seeded`.
EXAMPLES = {
    "list_notebooks": "notebook list",
    "create_notebook": "notebook create 'Second notebook'",
    "get_notebook": "notebook get {notebook}",
    "get_notebook_summary": "notebook summary {notebook}",
    "rename_notebook": "notebook rename {notebook} 'Another title'",
    "set_notebook_emoji": "notebook emoji {notebook} 🐝",
    "delete_notebook": "notebook delete {spare_notebook} --yes",
    "remove_notebook_from_recent": "notebook forget {notebook}",
    "copy_notebook": "notebook copy {notebook}",
    "export_notebook": "notebook export {notebook} --force -o {folder}/first.quire",
    "import_notebook": "notebook import {notebook_file}",
    "copy_sources": "source copy {source} {spare_notebook} --notebook {notebook}",
    "health_check": "health check",
    "list_sources": "source list --notebook {notebook}",
    "add_source": "source add --notebook {notebook} --text 'Bees make honey.'",
    "upload_source": "source upload --notebook {notebook} {file}",
    "get_source": "source get --notebook {notebook} {source}",
    "rename_source": "source rename --notebook {notebook} {source} 'Another title'",
    "delete_source": "source delete --notebook {notebook} {spare_source} --yes",
    "get_source_text": "source text --notebook {notebook} {source}",
    "download_source": "source download bees.txt -o {folder}/original.txt",
    "get_source_guide": "source guide --notebook {notebook} {source}",
    "wait_for_source": "source wait --notebook {notebook} {source}",
    "search_sources": "source search --notebook {notebook} honey",
    "refresh_source": "source refresh --notebook {notebook} {file_source}",
    "check_source": "source check {file_source}",
    "refresh_stale_sources": "source refresh-stale {notebook}",
    "list_labels": "label list {notebook}",
    "get_label": "label get {label}",
    "list_label_sources": "label sources {label}",
    "generate_labels": "label generate {notebook} --scope all",
    "create_label": "label create Hives --notebook {notebook}",
    "update_label": "label update {label} --name Hives",
    "add_sources_to_label": "label add {label} {source} {file_source}",
    "remove_sources_from_label": "label remove {label} {source}",
    "get_share_status": "share status {notebook}",
    "set_notebook_public": "share public {notebook}",
    "set_view_level": "share view {notebook} chat",
    "share_notebook": "share add {notebook} ada@example.com --permission editor",
    "update_share": "share update {notebook} eve@example.com editor",
    "unshare_notebook": "share remove {notebook} eve@example.com --yes",
    "open_shared_notebook": "share open {notebook}",
    "leave_notebook": "share leave {foreign} --yes",
    "list_sharing_log": "share log {notebook}",
    "add_person": "person add Fay fay@example.com",
    "get_person": "person show",
    "update_person": "person update ada@example.com --name Countess",
    "remove_person": "person remove spare@example.com --yes",
    "create_token": "person token ada@example.com --label laptop",
    "list_tokens": "person tokens ada@example.com",
    "revoke_token": "person revoke {token} --yes",
    "delete_labels": "label delete {spare_label} --notebook {notebook} --yes",
    "add_drive_source": "source add-drive --notebook {notebook} honey.txt",
    "start_research": "research start --source drive --notebook {notebook} 'bees and honey'",
    "get_research": "research status {research}",
    "list_research": "research list {notebook}",
    "wait_for_research": "research wait {queued_research}",
    "cancel_research": "research cancel {queued_research}",
    "import_research": "research import {research}",
    "discover_sources": "research discover {notebook} --query honey",
    "list_collections": "collection list",
    "get_collection": "collection get {collection}",
    "list_collection_notebooks": "collection notebooks {collection}",
    "create_collection": "collection create Gardening",
    "update_collection": "collection update {collection} --emoji 🌱",
    "add_notebooks_to_collection": "collection add {collection} {notebook}",
    "remove_notebooks_from_collection": "collection remove {collection} {notebook}",
    "delete_collections": "collection delete {spare_collection} --yes",
    "ask": "chat ask --notebook {notebook} 'Who makes honey?'",
    "ask_across": "chat ask-across 'Who makes honey?'",
    "search_across": "source search-across honey",
    "list_conversations": "chat conversations --notebook {notebook}",
    "get_history": "chat history {conversation}",
    "delete_conversation": "chat forget {spare_conversation} --yes",
    "configure_chat": "chat configure --notebook {notebook} --length shorter",
    "get_chat_configuration": "chat configuration --notebook {notebook}",
    "save_answer": "chat save --notebook {notebook} {answer}",
    "add_note": "note add Title 'Some content' --notebook {notebook}",
    "get_note": "note get {note}",
    "list_notes": "note list --limit 2",
    "search_notes": "note search roadmap",
    "update_note": "note update {note} --title 'New title' --content 'The roadmap again'",
    "delete_note": "note delete {spare_note} --yes",
    "watch_notes": "note watch --after 0 --limit 2",
    "import_notes": "note import {file}",
    "convert_note": "note to-source {note}",
    "convert_all_notes": "note all-to-sources",
    "export_notes": "note export --force -o {folder}/exported.md",
    "list_books": "book list",
    "create_book": "book create second-book 'The second book'",
    "update_book": "book update {book} --title 'Another title'",
    "delete_book": "book delete-book {book} --yes",
    "read_content": "book read {book} lessons/one.md",
    "write_content": "book write {book} lessons/three.md '# Three'",
    "delete_content": "book delete {book} lessons/two.md --yes",
    "edit_content": "book edit {book} lessons/one.md append 'the end'",
    "move_content": "book move {book} lessons/two.md lessons/four.md",
    "read_summary": "book read-summary {book} chapter-01",
    "write_summary": "book write-summary {book} chapter-02 'What it says'",
    "delete_summary": "book delete-summary {book} chapter-01 --yes",
    "upload_asset": "book upload-asset {book} images dot.png --binary-data iVBORw0KGgo=",
    "add_asset": "book add-asset {book} images {file}",
    "get_asset": "book get-asset {book} images picture.png",
    "download_asset": "book download-asset {book} images picture.png --force -o {folder}/picture.png",
    "list_assets": "book list-assets {book}",
    "delete_asset": "book delete-asset {book} images picture.png --yes",
    "get_content_history": "book history {book} lessons/one.md",
    "diff_content": "book diff {book} lessons/one.md 1",
    "restore_content": "book restore {book} lessons/one.md 1",
    "query_book_audit": "book audit {book}",
    "verify_book_audit": "book verify {book}",
    "glob_search": "book glob {book} '**/*.md'",
    "grep_search": "book grep {book} roadmap",
    "add_book_source": "book add-source {book} --notebook {notebook}",
    "scan_book": "book scan {book} roadmap",
    "plan_build": "book plan {book}",
    "write_overlay": "book write-overlay {book} lessons/one.md 'My own roadmap'",
    "delete_overlay": "book delete-overlay {book} lessons/one.md --yes",
    "list_overlays": "book list-overlays {book}",
    "get_book_archive": "book archive {book}",
    "export_book": "book export {book} --force -o {folder}/book.zip",
    "create_scratch": "scratch new --title Thoughts --pattern mcts",
    "list_scratch": "scratch list",
    "get_scratch": "scratch show {scratch}",
    "delete_scratch": "scratch delete {spare_scratch} --yes",
    "import_scratch": 'scratch import json --text \'{{"id":"nb-1","sessionId":"s","cells":[]}}\'',
    "add_cell": "scratch add {scratch} code 'print(1)'",
    "update_cell": "scratch update {scratch} cell-2 --source 'print(2)'",
    "move_cell": "scratch move {scratch} cell-2 0",
    "delete_cell": "scratch delete-cell {scratch} cell-2 --yes",
    "run_cell": "scratch run-cell {scratch} cell-2",
    "run_all": "scratch run {scratch}",
    "interrupt_scratch": "scratch interrupt {scratch}",
    "restart_scratch": "scratch restart {scratch}",
    "export_scratch": "scratch export {scratch} --format ipynb",
    "save_scratch": "scratch save {scratch} --kind note",
    "list_transformations": "transformation list",
    "create_transformation": "transformation create 'In short' 'Sum it up.'",
    "update_transformation": "transformation update {transformation} --prompt 'Sum it up again.'",
    "delete_transformation": "transformation delete {spare_transformation} --yes",
    "run_transformation": "transformation run outline --notebook {notebook}",
    "list_transformed_notes": "transformation results {notebook}",
    "get_output_language": "setting language",
    "set_output_language": "setting set-language de",
    "list_output_languages": "setting languages",
    "get_limits": "setting limits",
    "get_usage": "setting usage",
    "list_artifacts": "artifact list {notebook}",
    "get_artifact": "artifact get {artifact}",
    "make_artifact": "artifact make report --notebook {notebook} --format study_guide",
    "wait_for_artifact": "artifact wait {artifact}",
    "download_artifact": "artifact download {artifact} --force -o {folder}/report.md",
    "get_artifact_content": "artifact content {artifact}",
    "edit_artifact": 'artifact edit {artifact} \'{{"title":"Hives"}}\'',
    "revise_slide": "artifact revise {deck} 0 'title: Hives'",
    "rename_artifact": "artifact rename {artifact} Hives",
    "retry_artifact": "artifact retry {failed_artifact}",
    "copy_artifact": "artifact copy {artifact}",
    "share_artifact": "artifact share {artifact}",
    "delete_artifact": "artifact delete {spare_artifact} --yes",
    "suggest_reports": "artifact suggest {notebook}",
    "list_jobs": "job list",
    "get_job": "job get {job}",
    "wait_for_job": "job wait {queued_job}",
    "cancel_job": "job cancel {spare_job}",
    "get_job_file": "job file {job} --force -o {folder}/file.md",
}


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Quire = Callable[..., Ended]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def quire(home: Path, capsys: pytest.CaptureFixture[str]) -> Quire:
    def run(line: str, *more: str) -> Ended:
        code = main(["--home", str(home), *shlex.split(line), *more])
        return Ended(code, *capsys.readouterr())

    return run


async def foreign_notebook(home: Path) -> str:
    """One of somebody else's, which is shared with the owner."""
    async with build(load({"home": home})) as library:
        await library.people.update("owner", email="owner@example.com")
        ada = library.as_actor(Actor(id=(await library.people.get("ada@example.com")).id))
        notebook = await ada.notebooks.create("Foreign")
        await ada.sharing.add_user(notebook.id, "owner@example.com")
        return notebook.id


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A home with something of everything, and what it is called."""
    folder = tmp_path_factory.mktemp("original")
    (folder / "home").mkdir()
    (folder / "drive").mkdir()
    (folder / "drive" / "honey.txt").write_text("Bees make honey out of nectar.")
    finding = f'drive = "{folder}/drive"\nfinders = "searxng"\nfinder_urls = "searxng=http://127.0.0.1:9"\n'
    (folder / "home" / "quire.toml").write_text(f'embedder = "none"\n{finding}')

    def made(line: str) -> dict[str, Any]:
        out = io.BytesIO()
        with contextlib.redirect_stdout(io.TextIOWrapper(out, encoding="utf-8")):
            assert main(["--home", str(folder / "home"), "--json", *shlex.split(line)]) == 0
            data: dict[str, Any] = json.loads(out.getvalue())
        return data

    names = {name: made("note add Roadmap 'The roadmap of next year'")["short_id"] for name in ("note", "spare_note")}
    names |= {name: made("notebook create First")["id"] for name in ("notebook", "spare_notebook")}
    names["book"] = made("book create first-book 'The first book'")["book_id"]
    for lesson in ("one", "two"):
        made(f"book write first-book lessons/{lesson}.md 'The roadmap of {lesson}'")
    made("book write first-book lessons/one.md 'The roadmap again'")
    made("book update first-book --overlays")
    made("book write-summary first-book chapter-01 'In short'")
    made("book upload-asset first-book images picture.png --binary-data iVBORw0KGgo=")
    in_first = shlex.quote(names["notebook"])
    for name in ("source", "spare_source"):
        names[name] = made(f"source add --notebook {in_first} --text 'Bees make honey.' --title Bees")["id"]
    text = folder / "bees.txt"
    text.write_text("Bees live in hives.")
    names["file_source"] = made(f"source upload --notebook {in_first} {text}")["id"]
    names["label"] = made(f"label create Bees --notebook {in_first}")["id"]
    names["spare_label"] = made(f"label create Wasps --notebook {in_first}")["id"]
    made(f"label add {names['label']} {names['source']}")
    names["research"] = made(f"research start 'bees and honey' --source drive --notebook {in_first}")["id"]
    looking = f"research start nectar --source drive --no-wait --notebook {in_first}"
    names["queued_research"] = made(looking)["id"]
    for name in ("collection", "spare_collection"):
        names[name] = made("collection create Animals")["id"]
        made(f"collection add {names[name]} {in_first}")
    for name in ("transformation", "spare_transformation"):
        names[name] = made(f"transformation create {name} 'Say it plainly.'")["id"]
    for name in ("artifact", "spare_artifact"):
        names[name] = made(f"artifact make report --notebook {in_first}")["id"]
    names["deck"] = made(f"artifact make slide_deck --notebook {in_first} --length short")["id"]
    failed = made(f"artifact make report --notebook {in_first} --no-wait")
    made(f"job cancel {failed['job_id']}")
    names["failed_artifact"] = failed["id"]
    for kind in ("", "spare_"):
        answer = made(f"chat ask --notebook {in_first} 'Who makes honey?'")
        names |= {f"{kind}answer": answer["id"], f"{kind}conversation": answer["conversation_id"]}
    for name in ("scratch", "spare_scratch"):
        names[name] = made("scratch new --title Thoughts")["id"]
        made(f"scratch add {names[name]} code 'print(6 * 7)'")
    made(f"share add {in_first} eve@example.com")
    for name in ("ada", "spare"):
        made(f"person add {name.title()} {name}@example.com")
    names["token"] = made("person token ada@example.com")["id"]
    names["foreign"] = asyncio.run(foreign_notebook(folder / "home"))
    names["notebook_file"] = f"{folder}/first.quire"
    made(f"notebook export {in_first} -o {folder}/first.quire")
    names["job"] = made(f"note export -o {folder}/first.md")["id"]
    names |= {name: made("note export --no-wait")["id"] for name in ("queued_job", "spare_job")}
    return folder / "home", names


@pytest.fixture
def seeded(original: tuple[Path, dict[str, str]], home: Path, tmp_path: Path) -> dict[str, str]:
    """A copy of it for one test."""
    shutil.copytree(original[0], home)
    file = tmp_path / "notes.md"
    file.write_text("# One\n\nfirst\n\n# Two\n\nsecond\n")
    return original[1] | {"file": str(file), "folder": str(tmp_path)}


@pytest.mark.parametrize("tool", CAPABILITIES)
def test_every_capability_runs_as_a_command_and_answers_programs_in_json(
    tool: str, quire: Quire, seeded: dict[str, str]
) -> None:
    ended = quire(line_of(tool).format(**seeded), "--json", "-v")
    assert ended.code == 0, ended.err
    *_, last = (json.loads(line) for line in ended.out.splitlines())
    jsonschema.validate(last, CAPABILITIES[tool].output_schema)
    calls = [json.loads(line) for line in ended.err.splitlines()]
    assert (tool, "cli", "ok") in {(call.get("tool"), call.get("door"), call.get("outcome")) for call in calls}


@pytest.mark.parametrize("tool", CAPABILITIES)
def test_every_capability_shows_people_something_readable(tool: str, quire: Quire, seeded: dict[str, str]) -> None:
    ended = quire(line_of(tool).format(**seeded))
    assert ended.code == 0
    assert ended.err == ""
    assert ended.out.strip()
    assert "{" not in ended.out


def test_a_command_fails_when_the_cell_that_it_ran_did(quire: Quire) -> None:
    id = quire("--json scratch new").data["id"]
    quire(f"scratch add {id} code 'throw 1' --filename a.js")
    quire(f"scratch add {id} code 1 --filename b.js")
    assert quire(f"scratch run {id}").code == 1
    assert quire(f"--json scratch run-cell {id} cell-2").code == 1
    assert quire(f"scratch run-cell {id} cell-3").code == 0


def line_of(tool: str) -> str:
    """A line about what `seeded` made, or else the one that the command's own help shows."""
    return EXAMPLES.get(tool) or example(CAPABILITIES[tool])[0].removeprefix("quire ")


def test_the_examples_name_only_capabilities_that_exist() -> None:
    assert set(EXAMPLES) <= set(CAPABILITIES)


@pytest.mark.parametrize("tool", CAPABILITIES)
def test_every_command_teaches_itself(tool: str, quire: Quire) -> None:
    capability = CAPABILITIES[tool]
    ended = quire(f"{capability.noun} {capability.verb} --help")
    assert ended.code == 0
    summary = in_commands(capability.summary, capability.declared.parameters)
    assert "".join(summary.split()) in "".join(ended.out.split())
    assert f"Examples:\n  {examples(capability)[0]}\n" in ended.out
    for parameter in command(capability).get_params(context(capability)):
        assert getattr(parameter, "help", None), f"{parameter.name} of {tool} is not explained"


@pytest.mark.parametrize("tool", CAPABILITIES)
def test_the_examples_in_the_help_can_be_parsed(tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.md").touch()
    for line in examples(CAPABILITIES[tool]):
        words = shlex.split(re.split(" [<>] ", line)[0])
        if words[-1] == "--help":
            continue
        (meant,) = [one for one in CAPABILITIES.values() if words[1:3] == [one.noun, one.verb]]
        assert command(meant).make_context(words[2], words[3:], obj=Flags()).params is not None


def examples(capability: Capability) -> list[str]:
    """Those of the command; one that is made by hand has its own."""
    if capability.tool == "add_source":
        return [line.strip() for line in adding.EXAMPLES.splitlines()[1:]]
    return written(capability)


def command(capability: Capability) -> click.Command:
    """As the program has it."""
    program = Program(offered())
    noun = program.get_command(click.Context(program), capability.noun)
    assert isinstance(noun, click.Group)
    found = noun.get_command(click.Context(noun), capability.verb)
    assert found is not None
    return found


def context(capability: Capability) -> click.Context:
    return click.Context(command(capability), info_name=capability.verb)


def test_no_option_of_a_command_has_the_name_of_another() -> None:
    for capability in CAPABILITIES.values():
        names = [
            name
            for parameter in command(capability).get_params(context(capability))
            if isinstance(parameter, click.Option)
            for name in [*parameter.opts, *parameter.secondary_opts]
        ]
        assert len(names) == len(set(names)), capability.tool


def test_the_top_of_the_help_names_everything_and_explains_the_exit_codes(quire: Quire) -> None:
    out = quire("--help").out
    for word in ("note", "notebook", "job", "serve", "mcp", "doctor", "--home", "--json"):
        assert word in out
    assert "4 not found" in out
    assert "130 interrupted" in out


def test_the_help_names_what_an_argument_may_be(quire: Quire) -> None:
    out = " ".join(quire("artifact make --help").out.split())
    assert "One of: audio, video, report, quiz" in out


def test_commands_made_by_hand_stay_few() -> None:
    assert len(Program(offered()).commands) <= 14


def test_the_version_is_printed(quire: Quire) -> None:
    from quire import __version__

    assert quire("--version") == Ended(0, f"quire {__version__}\n", "")


def test_a_bare_group_shows_its_help_and_fails(quire: Quire) -> None:
    ended = quire("note")
    assert (ended.code, ended.out) == (2, "")
    assert "search" in ended.err


REFUSED = [
    ("note get zzz", 4, "not_found"),
    ("note add ' '", 2, "invalid_input"),
    ("note get", 2, "invalid_input"),
    ("note frobnicate", 2, "invalid_input"),
    ("frobnicate", 2, "invalid_input"),
    ("note list --frobnicate", 2, "invalid_input"),
    ("note list --limit 0", 2, "invalid_input"),
    ("note list --limit x", 2, "invalid_input"),
    ("note list superfluous", 4, "not_found"),
    ("note list one superfluous", 2, "invalid_input"),
    ("note import /no/such/file", 2, "invalid_input"),
    ("note list --input /no/such/file", 2, "invalid_input"),
    ("note delete {note}", 2, "invalid_input"),
    ("note update {note} --title x --revision 99", 5, "conflict"),
    ("job file {queued_job} -o {folder}/none", 5, "conflict"),
    ("note list --store postgres://nobody@127.0.0.1:1/none", 9, "upstream"),
    ("serve --port nine", 2, "invalid_input"),
]


@pytest.mark.parametrize(("line", "code", "name"), REFUSED)
def test_what_is_refused_says_why_on_stderr_alone(
    line: str, code: int, name: str, quire: Quire, seeded: dict[str, str]
) -> None:
    ended = quire(line.format(**seeded))
    assert (ended.code, ended.out) == (code, "")
    assert ended.err.startswith("Error: ")

    ended = quire(line.format(**seeded), "--json")
    assert (ended.code, ended.out) == (code, "")
    body = json.loads(ended.err)
    assert body["code"] == name
    assert body["message"]
    assert isinstance(body["retriable"], bool)


def test_a_home_of_a_newer_quire_is_refused_with_its_own_code(quire: Quire, home: Path) -> None:
    quire("note add x")
    change(home, "PRAGMA user_version = 999")
    ended = quire("note list")
    assert ended.code == 8
    assert "newer Quire" in ended.err


def test_what_nobody_foresaw_is_masked_and_can_be_found_in_the_log(quire: Quire, home: Path) -> None:
    quire("note add x")
    change(home, "DROP TABLE note")
    ended = quire("note list", "--json")
    assert (ended.code, ended.out) == (1, "")
    logged, body = (json.loads(line) for line in ended.err.splitlines())
    assert body["code"] == "internal"
    assert body["log_id"] in logged["message"]
    assert "no such table" in logged["traceback"]
    assert "no such table" not in body["message"]


def change(home: Path, statement: str) -> None:
    connection = sqlite3.connect(home / "quire.db")
    connection.execute(statement)
    connection.commit()
    connection.close()


SUGGESTIONS = [
    ("note serch x", "quire note search"),
    ("notes list", "quire note"),
    ("add x", "quire source add"),
    ("add_note x", "quire note add"),
    ("doktor", "quire doctor"),
    ("note list --limt 3", "--limit"),
]


@pytest.mark.parametrize(("line", "better"), SUGGESTIONS)
def test_a_slip_gets_a_suggestion(line: str, better: str, quire: Quire) -> None:
    ended = quire(line)
    assert ended.code == 2
    assert "Did you mean" in ended.err
    assert better in ended.err


def test_a_value_that_begins_with_a_dash_goes_after_a_bare_one(quire: Quire) -> None:
    assert "goes after a bare --" in quire("note add List '- milk'").err
    assert quire("note add --json -- List '- milk'").data["content"] == "- milk"


def test_global_options_stand_before_or_after_the_command(quire: Quire, tmp_path: Path) -> None:
    quire("note add x")
    assert quire("--json note list").data == quire("note --json list").data == quire("note list --json").data
    elsewhere = str(tmp_path / "elsewhere")
    assert quire("note list --json --home", elsewhere).data["total"] == 0


def test_a_title_and_a_content_are_given_by_place_or_by_name(quire: Quire) -> None:
    by_place = quire("note add 'A title' 'A text' --json").data
    by_name = quire("note add --content 'A text' --title 'A title' --json").data
    assert (by_place["title"], by_place["content"]) == (by_name["title"], by_name["content"]) == ("A title", "A text")
    assert quire("note add --content 'A text' --json").data["title"] == "New Note"
    nothing = quire("note add")
    assert nothing.code == 2
    assert "TITLE and CONTENT" in nothing.err
    assert quire("note list --json").data["total"] == 3
    twice = quire("note add one --title two")
    assert twice.code == 2
    assert "TITLE is given twice" in twice.err


def test_input_gives_arguments_as_json_and_the_command_line_wins(quire: Quire, tmp_path: Path) -> None:
    file = tmp_path / "note.json"
    file.write_text(json.dumps({"title": "from the file", "content": "also"}))
    note = quire(f"note add --input {file} --title mine --json").data
    assert (note["title"], note["content"]) == ("mine", "also")
    file.write_text(json.dumps({"note_id": note["short_id"]}))
    assert quire(f"note get --input {file} --json").data["id"] == note["id"]


@pytest.mark.parametrize(
    "text", ["[1]", "{", "nul", "[" * 100_000, '{"limit": "ten"}', '{"nonsense": 1}', '{"self": 1}']
)
def test_input_that_is_no_good_is_refused(text: str, quire: Quire, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text)
    ended = quire(f"note list --input {file}")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("Error: ")


def test_a_file_may_be_given_by_path_or_text_inside_input(quire: Quire, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# From a path\n")
    file = tmp_path / "input.json"
    for upload in ({"path": str(tmp_path / "a.md")}, {"text": "# From a text\n", "name": "b.md"}):
        file.write_text(json.dumps({"file": upload}))
        assert quire(f"note import --input {file} --json").data["result"] == {"notes": 1}
    file.write_text(json.dumps({"file": {"path": "/no/such/file"}}))
    assert quire(f"note import --input {file}").code == 2
    titles = [note["title"] for note in quire("note list --json").data["items"]]
    assert sorted(titles) == ["From a path", "From a text"]


def test_a_list_that_goes_on_says_how(quire: Quire) -> None:
    for title in ("one", "two", "three"):
        quire("note add", title)
    first = quire("note list --limit 2")
    assert "2 of 3 notes. The next ones: --cursor " in first.out
    cursor = first.out.split()[-1]
    rest = quire(f"note list --limit 2 --cursor {cursor}").out
    assert "one" in rest
    assert "two" not in rest


def test_a_bad_settings_file_is_named(quire: Quire, home: Path) -> None:
    home.mkdir()
    (home / "quire.toml").write_text("port = ")
    ended = quire("note list")
    assert ended.code == 2
    assert "quire.toml cannot be read" in ended.err
    (home / "quire.toml").write_text("prot = 1")
    ended = quire("note list")
    assert ended.code == 2
    assert "Setting 'prot' (quire.toml)" in ended.err


def test_a_stream_prints_a_line_for_each_event(quire: Quire) -> None:
    note = quire("note add One --json").data
    quire(f"note delete {note['short_id']} --yes")
    lines = [json.loads(line) for line in quire("note watch --after 0 --limit 2 --json").out.splitlines()]
    assert [line.get("change") for line in lines] == ["created", "deleted", None]
    assert lines[-1]["changes"] == 2
    people = quire("note watch --after 0 --limit 2").out.splitlines()
    assert len(people) == 3
    assert f"created  {note['short_id']}" in people[0]
