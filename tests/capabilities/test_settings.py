"""What each person sets for themselves: the language in which Quire speaks; limits and what is used."""

from __future__ import annotations

import pytest
from trials import on_one_store

from quire.api.library import Library
from quire.domain.errors import InvalidInput
from quire.domain.files import Upload
from quire.domain.output_languages import LANGUAGES, output_language
from quire.entry.bootstrap import build
from quire.entry.settings import Settings, load
from quire.text.prompt import system

pytestmark = pytest.mark.anyio

UNANSWERED = "How many moons does Jupiter have?"


async def test_each_person_has_a_language_of_their_own(library: Library, guest: Library) -> None:
    assert (await library.settings.get_output_language()).code is None
    told = await library.settings.set_output_language("pt-br")
    assert (told.code, told.name) == ("pt_BR", "Português (Brasil)")
    assert await library.settings.get_output_language() == told
    assert (await guest.settings.get_output_language()).code is None
    assert (await library.settings.set_output_language("")).code is None
    assert (await library.settings.get_output_language()).code is None


async def test_what_is_set_is_spoken_whatever_the_question_is_in(library: Library, guest: Library) -> None:
    notebook = (await library.notebooks.create("Bees")).id
    await library.sources.add_text(notebook, "Bees", "Bees make honey. A hive has one queen.")
    await library.sources.add_text(notebook, "Wasps", "Wasps build nests of paper.")
    assert (await library.chat.ask(notebook, UNANSWERED)).text.startswith("The sources of this notebook")
    await library.settings.set_output_language("de")
    refused = await library.chat.ask(notebook, UNANSWERED)
    assert refused.text.startswith("Die Quellen dieses Notizbuchs")
    parts = await library.chat.ask(notebook, "Who makes honey? And how many moons does Jupiter have?")
    assert "Bees make honey." in parts.text
    assert "Dazu sagen die Quellen nichts" in parts.text
    assert "Quellen" in (await library.notebooks.get_summary(notebook)).summary
    await library.settings.set_output_language("")
    assert (await library.chat.ask(notebook, UNANSWERED)).text.startswith("The sources of this notebook")


def test_a_model_is_told_the_language_that_was_set() -> None:
    assert "Answer in Deutsch (de)." in system("de")
    assert "Answer in the question's language." in system(None)


@on_one_store
async def test_languages_are_known_by_code_and_by_name(library: Library) -> None:
    assert [one.code for one in await library.settings.list_output_languages()] == list(LANGUAGES)
    given = {
        "DE": "de",
        "zh": "zh_Hans",
        "zh-TW": "zh_Hant",
        "日本語": "ja",
        "deutsch": "de",
        "ar": "ar_001",
        "de-AT": "de",
    }
    assert {name: output_language(name) for name in given} == given
    for code in LANGUAGES:
        assert output_language(code) == code
    with pytest.raises(InvalidInput, match="not a language"):
        await library.settings.set_output_language("klingon")


async def test_usage_is_counted_in_the_notebooks_that_are_ones_own(library: Library, guest: Library) -> None:
    before = await guest.settings.get_usage()
    assert (before.notebooks, before.sources, before.notes, before.file_size) == (1, 0, 0, 0)
    notebook = (await guest.notebooks.create("Bees")).id
    await guest.sources.add_text(notebook, "Bees", "Bees make honey.")
    await guest.sources.add_file(notebook, Upload.of(b"Bees live in hives.", "hives.txt"))
    await guest.notes.create(notebook, "Note", "text")
    await guest.chat.ask(notebook, "Who makes honey?")
    usage = await guest.settings.get_usage()
    assert (usage.notebooks, usage.sources, usage.notes, usage.conversations) == (2, 2, 1, 1)
    assert (usage.characters, usage.file_size) == (len("Bees make honey.") + len("Bees live in hives."), 19)
    assert (await library.settings.get_usage()).sources == 0


async def test_limits_are_those_in_force(settings: Settings) -> None:
    values = settings.model_dump(include={"home", "store", "embedder"})
    async with build(load(values | {"upload_limit": 5_000, "rates": "add_note=3/60"}, {})) as library:
        await library.notes.create(title="one")
        limits = await library.settings.get_account_limits()
        assert (limits.upload_size, limits.notebooks, limits.characters_per_text) == (5_000, None, 500_000)
        assert [(one.tool, one.calls, one.used) for one in limits.calls] == [("add_note", 3, 1)]
        assert (limits.disk_free is None) == (settings.store == "memory")
