"""Commands to copy, as the help of each command shows them."""

from __future__ import annotations

from quire.api.capability import Capability
from quire.entry.cli.parameters import example

# Where one that is made of the declaration would teach less.
WRITTEN: dict[str, tuple[str, ...]] = {
    "make_artifact": (
        "quire artifact make report --notebook Bees --format study_guide",
        "quire artifact make quiz --notebook Bees --quantity more --difficulty hard",
        "quire artifact make audio --notebook Bees --instructions 'How bees find honey'",
        "quire artifact make audio --help",
    ),
    "download_artifact": (
        "quire artifact download 'Briefing: Bees'",
        "quire artifact download 'Briefing: Bees' --format pdf -o bees.pdf",
        "quire artifact download 7c9e6679 --notebook Bees",
    ),
    "edit_artifact": (
        """quire artifact edit 'Briefing: Bees' '{"title": "Bees at a glance"}'""",
        "quire artifact content 'Briefing: Bees' --json > bees.json",
        "quire artifact edit 'Briefing: Bees' - < bees.json",
    ),
    "get_artifact_content": (
        "quire artifact content 'Briefing: Bees'",
        "quire artifact content 'Briefing: Bees' --json > bees.json",
    ),
    "revise_slide": (
        "quire artifact revise 'Slides: Bees' 2 shorter",
        "quire artifact revise 'Slides: Bees' 0 'title: Bees at a glance'",
    ),
    "share_artifact": ("quire artifact share 'Briefing: Bees' --format pdf --days 7",),
    "copy_artifact": ("quire artifact copy 'Briefing: Bees' --notebook Gardening",),
    "suggest_reports": (
        "quire artifact suggest Bees",
        "quire artifact make report --notebook Bees --format custom --instructions 'One of the prompts'",
    ),
}
# What a file that a command saves may be called.
SAVED_AS = {
    "export_notebook": "bees.zip",
    "download_source": "copy.pdf",
    "export_notes": "notes.md",
    "download_asset": "hive.png",
    "export_book": "my-book.zip",
    "get_job_file": "notes.md",
}


def examples(capability: Capability) -> list[str]:
    """The first is the plainest."""
    if capability.tool in WRITTEN:
        return list(WRITTEN[capability.tool])
    lines = example(capability)
    if capability.tool in SAVED_AS:
        lines.append(f"{lines[0]} -o {SAVED_AS[capability.tool]}")
    return lines
