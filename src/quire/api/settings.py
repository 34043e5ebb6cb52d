"""Settings of a person: the language in which Quire speaks to them; and what may be and is used."""

from __future__ import annotations

from quire.api.capability import capability
from quire.api.noun import Noun
from quire.domain.pages import Page
from quire.domain.person_settings import LanguageCode, Limits, OutputLanguage, Usage


class Settings(Noun):
    """What you set for yourself, in all notebooks."""

    noun = "setting"
    toolset = "settings"

    @capability("get_output_language", "read", verb="language")
    async def get_output_language(self) -> OutputLanguage:
        """In which language Quire speaks to you. Without one it is the language of each question."""

    @capability("set_output_language", "write", verb="set-language", idempotent=True)
    async def set_output_language(self, language: LanguageCode) -> OutputLanguage:
        """Have Quire speak in one language, whatever a question's is: in its own words, and in all that is made.

        What is quoted from sources stays as it is.
        """

    @capability("list_output_languages", "read", verb="languages")
    async def list_output_languages(self) -> Page[OutputLanguage]:
        """List the languages that can be set."""

    @capability("get_limits", "read", verb="limits")
    async def get_account_limits(self) -> Limits:
        """How much there can be of everything here, what is free on the disk, and how often tools may be called."""

    @capability("get_usage", "read", verb="usage")
    async def get_usage(self) -> Usage:
        """How much you have, in the notebooks that are your own."""
