"""Which tests of capabilities go otherwise where the work is done at Google, and why. All others go as on a store.

What is here must go as it says: a test that passes nevertheless fails the suite.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from quire.domain.errors import Unsupported

LOOP = "notebooklm"
# Parts of the local engine, handed to a test: a clock, jobs of its own, a second person, two libraries on one store.
INSIDE = {"timed", "trials", "clock", "guest", "shared_store"}
# What says in a test's own words that it takes the local engine apart.
PARTS = re.compile(r"\.engine\b|with_parts|\.parts\b|moved\(|Trials|\bbuild\(")
# Nouns that are this machine's own, whoever does the rest; and signed addresses of files, with the edits behind them.
LOCAL = (
    *("test_books", "test_scratch", "test_jobs", "test_people", "test_sweeps", "test_closing", "test_lingering"),
    "test_artifact_links",
)
# What waits for events, of which Google sends none: that they are unsupported is said at once, and tried elsewhere.
WAITING = ("test_watch",)
# How far Google has come at some moment is as it happens.
RACING = ("test_a_source_that_is_not_waited_for_is_processing_until_someone_reads_it",)
# A few that every change is tried with; the rest is for the long rounds.
SMOKE = (
    "test_notebooks::test_a_notebook_is_made_and_read_back",
    "test_notes::test_pages_are_newest_first_and_go_on_where_they_ended",
    "test_labels::test_a_label_is_made_renamed_filled_emptied_and_deleted",
    "test_across_notebooks::test_passages_are_found_in_all_or_in_those_named",
)
# No method of NotebookLM's does it (`NOT_DONE` in coverage.py says why), or an option of one that does not exist there.
UNSUPPORTED = (
    "test_across_notebooks",
    "test_transformations",
    "test_notes_as_sources",
    "test_artifacts::test_a_draft_is_edited_before_its_files_are_made",
    "test_artifacts::test_what_an_edit_leaves_out_stays_and_all_that_was_told_is_taken_back",
    "test_artifacts::test_an_edit_with_a_name_that_is_not_there_is_refused_with_those_that_are",
    "test_artifacts::test_what_no_file_or_later_edit_could_hold_is_refused_in_words",
    "test_artifacts::test_each_artifact_has_a_title_of_its_own_by_its_kind_and_what_it_is_about",
    "test_artifacts::test_there_is_one_title_wherever_it_is_changed",
    "test_audio_artifacts::test_a_draft_is_edited_and_then_spoken",
    "test_labels::test_sources_are_labelled_by_topic_and_again_with_the_same_labels",
    "test_labels::test_without_sources_there_are_no_labels",
    "test_freshness::test_all_stale_sources_of_a_notebook_are_read_again_at_once",
    "test_notebooks::test_a_deleted_notebook_is_gone_with_all_that_was_in_it",
    "test_notes::test_an_update_against_an_old_revision_is_a_conflict",
    "test_notes::test_what_is_too_long_or_untitled_leaves_no_note",
    "test_shares::test_a_member_can_leave",
    "test_shares::test_a_notebook_is_not_found_until_it_is_shared_and_again_afterwards",
    "test_shares::test_a_public_notebook_is_opened_by_its_link_and_in_the_list_from_then_on",
    "test_shares::test_whoever_was_let_in_by_name_stays_when_the_link_is_closed",
    "test_shares::test_a_notebook_keeps_its_owner_and_an_inbox_is_nobody_elses",
    "test_shares::test_only_the_owner_shares",
    "test_shares::test_who_may_only_chat_is_offered_no_passages_beside_an_answer",
    "test_transfer",
    "test_video_artifacts::test_only_decks_and_videos_have_something_to_revise",
    "test_transfer_copies::test_a_copy_of_a_notebook_has_its_sources_labels_notes_and_settings",
    "test_transfer_notebooks",
)
REVISIONS = "Notes have no revisions there."
VERSIONS = "Sources have no versions there."
CONFIDENCE = "NotebookLM does not say how sure it is, and its citations are not looked up."
PLACES = "Passages and citations come without a heading, page or language."
FILES = "NotebookLM has other files, and does not tell who wrote them or what they rest on."
TWICE = "Each upload is a source of its own."
JOBS = "What is worked on is no job of this machine's."
REASON = "Why a file could not be read is not told."
CONVERSATIONS = "A notebook has one conversation there."
WHY = "NotebookLM does not tell why a source is fresh."
# The wire has no place for what the test looks at.
DIFFERENT: dict[str, str] = {
    "test_artifacts::test_a_report_is_made_with_files_that_say_what_its_sources_say": FILES,
    "test_artifacts::test_an_artifact_waits_for_a_worker_and_is_cancelled_with_its_job": JOBS,
    "test_artifacts::test_labels_are_in_the_language_that_a_person_has_set": FILES,
    "test_audio_artifacts::test_what_the_voice_does_not_speak_fails_with_what_to_do_and_keeps_its_script": (
        "NotebookLM does not tell why something failed."
    ),
    "test_artifacts::test_what_cannot_be_made_is_refused_in_words": FILES,
    "test_chat::test_an_answer_quotes_and_cites_what_it_rests_on": CONFIDENCE,
    "test_chat::test_what_the_sources_do_not_hold_is_not_answered": CONFIDENCE,
    "test_chat::test_a_conversation_keeps_its_turns_and_a_follow_up_leans_on_them": CONVERSATIONS,
    "test_chat::test_an_answer_keeps_its_excerpts_when_the_source_goes": "Who was cited is told by the id alone.",
    "test_chat::test_a_stream_ends_with_the_answer": "Follow-up questions are told once, with the answer.",
    "test_chat::test_an_answer_is_kept_as_a_note_with_its_citations": "NotebookLM keeps citations beside the words.",
    "test_chat::test_an_answer_that_is_saved_again_is_the_note_that_is_there": REVISIONS,
    "test_chat::test_many_questions_at_once_get_each_their_own_answer": CONVERSATIONS,
    "test_chat_places::test_a_citation_names_the_heading_of_its_own_words": PLACES,
    "test_freshness::test_a_file_is_compared_where_it_lies": WHY,
    "test_freshness::test_a_page_is_asked_for_only_if_it_changed": WHY,
    "test_freshness::test_a_page_that_only_looks_different_is_fresh": WHY,
    "test_freshness::test_answers_keep_the_text_that_they_cite": VERSIONS,
    "test_labels::test_what_a_person_made_or_changed_is_kept_by_every_labelling": "Who made a label is not told.",
    "test_shares::test_whoever_is_not_there_yet_is_invited_and_let_in_once_they_are": "Who is invited is not told.",
    "test_sharing::test_a_person_that_is_not_there_has_nothing": "The account is one person's.",
    "test_health::test_a_sound_library_is_healthy_and_names_its_parts": "The parts are Google's.",
    "test_notes::test_a_created_note_is_what_was_given": "A note tells one time: that of its last change.",
    "test_notes::test_notes_that_come_in_between_two_pages_move_nothing": "All notes come at once; pages are cut here.",
    "test_notes::test_of_many_updates_against_one_revision_one_wins": REVISIONS,
    "test_notes::test_updates_at_once_are_all_counted": REVISIONS,
    "test_slide_decks::test_a_deck_has_files_that_say_what_its_source_says": FILES,
    "test_slide_decks::test_all_sources_are_told_of": FILES,
    "test_slide_decks::test_an_infographic_shows_figures_charts_steps_and_sentences": FILES,
    "test_slide_decks::test_a_slide_is_revised_by_simple_wishes_and_the_others_stay": FILES,
    "test_slide_decks::test_every_option_of_decks_and_infographics_works": FILES,
    "test_slide_decks::test_headings_are_in_the_wanted_language_and_quoted_text_in_the_sources": FILES,
    "test_slide_decks::test_presenter_slides_say_less_and_have_the_rest_in_their_notes": FILES,
    "test_slide_decks::test_letters_that_no_font_has_are_told_of": FILES,
    "test_sources::test_a_cancelled_reading_leaves_a_source_that_says_so": JOBS,
    "test_sources::test_a_file_that_could_not_be_read_is_read_again_when_it_comes_again": TWICE,
    "test_sources::test_an_address_that_nobody_waits_for_is_the_source_that_is_there": JOBS,
    "test_sources::test_a_long_text_is_read_in_parts_that_join": "How many passages there are is not told.",
    "test_sources::test_a_text_can_be_found_at_once_with_its_place": PLACES,
    "test_sources::test_of_the_same_given_many_times_at_once_one_is_added": TWICE,
    "test_sources::test_the_same_bytes_are_the_source_that_is_there": TWICE,
    "test_sources::test_a_file_that_cannot_be_read_is_kept_with_the_reason_and_hides_no_other[blank": REASON,
    "test_sources::test_a_file_that_cannot_be_read_is_kept_with_the_reason_and_hides_no_other[photos": REASON,
    "test_sources::test_a_file_that_cannot_be_read_is_kept_with_the_reason_and_hides_no_other[program": REASON,
    "test_sources::test_a_page_is_fetched_read_and_read_again_when_it_changed": VERSIONS,
    "test_sources::test_a_source_that_is_deleted_while_it_waits_to_be_read_stays_deleted": JOBS,
    "test_sources_versions::test_a_version_that_nothing_cites_goes_at_once": VERSIONS,
    "test_transfer_copies::test_sources_are_copied_with_text_and_original_and_stay_when_the_first_is_gone": PLACES,
    "test_whole_pages::test_of_a_saved_page_the_article_is_read_until_all_is_wanted": "Warnings are not told.",
    "test_sources_guides::test_a_notebook_is_summed_up_from_all_of_its_sources": "A summary has questions, no topics.",
    "test_sources_versions::test_what_several_add_to_a_pasted_text_at_once_is_all_there": VERSIONS,
}


def is_loop(item: pytest.Item) -> bool:
    call = getattr(item, "callspec", None)
    return call is not None and call.params.get("store") == LOOP


def looks_inside(item: Any) -> bool:
    """Whether a test needs more than a library: parts of the local engine, or settings to build another one with."""
    if item.path.stem.startswith(LOCAL + WAITING) or item.originalname in RACING:
        return True
    fixtures = item._fixtureinfo.name2fixturedefs
    if INSIDE & set(item.fixturenames) or {"settings", "store"} & set(inspect.signature(item.function).parameters):
        return True
    if "library" not in fixtures:
        return True
    own = [one for name, found in fixtures.items() if name not in ("library", "settings", "store") for one in found]
    if any({"settings", "store"} & set(one.argnames) for one in own):
        return True
    return PARTS.search(inspect.getsource(item.function)) is not None


def mark(item: pytest.Item) -> None:
    module = item.path.stem
    name = f"{module}::{item.originalname}"  # type: ignore[attr-defined]
    if name not in SMOKE:
        item.add_marker(pytest.mark.long)
    other = next((why for test, why in DIFFERENT.items() if f"{module}::{item.name}".startswith(test)), None)
    if other:
        item.add_marker(pytest.mark.xfail(strict=True, reason=other))
    elif name in UNSUPPORTED or module in UNSUPPORTED:
        item.add_marker(pytest.mark.xfail(raises=Unsupported, strict=True, reason="No method of NotebookLM's does it."))
