"""docs/reference.md is what the capabilities say."""

from __future__ import annotations

import re
from pathlib import Path

from quire.entry.bootstrap import offered
from quire.entry.reference import reference

PAGE = Path(__file__).parents[2] / "docs/reference.md"


def test_the_committed_page_is_the_generated_one() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(offered()), "run: make generate"


def test_every_capability_has_a_section_with_all_of_its_doors() -> None:
    sections = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", reference(offered()), re.MULTILINE | re.DOTALL))
    for capability in offered():
        section = sections[capability.tool]
        assert f"`quire {capability.noun} {capability.verb} " in section
        assert f" /api{capability.route}`" in section
        assert f"library.{capability.service}.{capability.method}(" in section
        assert all(f"| `{name}` |" in section for name in capability.declared.parameters)


def test_every_link_in_the_page_leads_somewhere() -> None:
    text = reference(offered())
    anchors = {heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors
    assert all((PAGE.parent / name).exists() for name in re.findall(r"\]\(([\w-]+\.md)\)", text))
