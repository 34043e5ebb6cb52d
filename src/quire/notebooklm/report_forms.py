"""The forms of reports: how each is called on the wire, and what NotebookLM is told to write."""

from __future__ import annotations

from dataclasses import dataclass

from quire.domain.artifacts import ArtifactForm


@dataclass(frozen=True, slots=True)
class ReportForm:
    title: str
    description: str
    directive: str


CUSTOM: ArtifactForm = "custom"
FORMS: dict[ArtifactForm, ReportForm] = {
    "briefing_doc": ReportForm(
        "Briefing Doc",
        "The main points of the sources, section by section",
        "Write a briefing document: begin with a summary, then go through the main themes of the sources one by one, "
        "with telling quotations, and end with what follows from them.",
    ),
    "study_guide": ReportForm(
        "Study Guide",
        "Key terms, questions and answers",
        "Write a study guide: the key ideas of the sources, short questions with their answers, topics for essays, "
        "and a glossary.",
    ),
    "blog_post": ReportForm(
        "Blog Post",
        "A text to read, made of what the sources say",
        "Write a blog post about what the sources say, for readers who are new to it: a beginning that makes curious, "
        "clear sections, and an end that sums up.",
    ),
    CUSTOM: ReportForm("Custom Report", "A report of one's own", "Write a report on what the sources say."),
}


def form_of(title: str) -> ArtifactForm:
    """The form that a title on the wire means; one of one's own where it is none of them."""
    name = title.casefold().replace("_", " ")
    return next((form for form, row in FORMS.items() if form != CUSTOM and row.title.casefold() in name), CUSTOM)


def prompt_of(form: ArtifactForm, instructions: str) -> str:
    """What NotebookLM is told: the form's own words, and then the caller's; of a custom report these alone."""
    directive = FORMS[form].directive
    if form == CUSTOM:
        return instructions or directive
    return f"{directive}\n\n{instructions}" if instructions else directive


def instructions_in(form: ArtifactForm, prompt: str) -> str:
    """The caller's own words in a prompt."""
    return prompt.removeprefix(FORMS[form].directive).strip()
