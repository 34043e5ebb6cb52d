"""Prompts: ready ways to work with notes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import mcp_types as types

from quire.entry.mcp.client_requests import ClientRequests

# How tools are named in a text.
TOOL = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


class Prompt(Protocol):
    @property
    def arguments(self) -> tuple[types.PromptArgument, ...]: ...

    @property
    def tools(self) -> Collection[str]:
        """The tools that it tells the model to use."""
        ...

    def declaration(self) -> types.Prompt: ...

    async def get(self, client: ClientRequests, arguments: Mapping[str, str]) -> types.GetPromptResult | Any: ...


@dataclass(frozen=True)
class TextPrompt:
    """One message to the model; `{name}` stands for an argument, an optional one has a default."""

    name: str
    description: str
    text: str
    arguments: tuple[types.PromptArgument, ...] = ()
    defaults: tuple[tuple[str, str], ...] = ()

    @property
    def tools(self) -> Collection[str]:
        return TOOL.findall(self.text)

    def declaration(self) -> types.Prompt:
        return types.Prompt(name=self.name, description=self.description, arguments=list(self.arguments))

    async def get(self, client: ClientRequests, arguments: Mapping[str, str]) -> types.GetPromptResult:
        given = dict(self.defaults) | {name: value for name, value in arguments.items() if value}
        text = self.text
        for argument in self.arguments:
            text = text.replace("{" + argument.name + "}", given.get(argument.name, ""))
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=self.description, messages=[message])


def _argument(name: str, description: str, *, required: bool = True) -> types.PromptArgument:
    return types.PromptArgument(name=name, description=description, required=required)


PROMPTS: dict[str, Prompt] = {
    prompt.name: prompt
    for prompt in (
        TextPrompt(
            "quick_note",
            "Turn a thought into a well-titled note.",
            "Write this down as a note with add_note. Give it a short title that will still make sense in a month, "
            "keep my words in the content, and tell me the note's id.\n\n{thought}",
            (_argument("thought", "What to write down."),),
        ),
        TextPrompt(
            "summarize_notes",
            "Summarise all notes, with the open ends.",
            "Read my notes with list_notes, then get_note for those that matter. Summarise them in {style}: the main "
            "themes first, then decisions, then what is still open. Name the id of each note you rely on.",
            (_argument("style", "Such as `five bullet points`.", required=False),),
            (("style", "a few short paragraphs"),),
        ),
        TextPrompt(
            "find_topic_notes",
            "Find what the notes say about a topic.",
            "Find everything in my notes about: {topic}\n\nTry search_notes with the topic itself and with two or "
            "three other words for it, read the hits with get_note, and tell me what they say, each with its id. "
            "Say so plainly if there is nothing.",
            (_argument("topic", "What to look for."),),
        ),
        TextPrompt(
            "meeting_notes",
            "Write up a meeting as a note.",
            "Write up this meeting with add_note, titled '{meeting}'. Sections: who was there ({attendees}), what was "
            "discussed, what was decided, who does what by when. Ask me for what is missing before you save it.",
            (
                _argument("meeting", "What the meeting was about."),
                _argument("attendees", "Who was there.", required=False),
            ),
            (("attendees", "ask me"),),
        ),
        TextPrompt(
            "code_review_note",
            "Keep the findings of a code review as a note.",
            "Review {subject} and keep the findings with add_note, titled 'Code review: {subject}'. For each finding: "
            "where it is, what goes wrong and for whom, how grave it is, what you would change. End with what is good.",
            (_argument("subject", "The file, change or module."),),
        ),
    )
}
