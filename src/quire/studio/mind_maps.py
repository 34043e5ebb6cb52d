"""Mind maps: the sources' own headings as a tree, and under them what each part speaks of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel, Field

from quire.domain.errors import Conflict, Upstream
from quire.domain.grounding import Statement
from quire.domain.mind_maps import MindMap, MindMapNode
from quire.studio.answers_in_points import term_of
from quire.studio.evidence import Chapter, Evidence
from quire.studio.key_phrases import key_phrases
from quire.studio.kind import Brief
from quire.studio.labels import labels, page_words, remark
from quire.studio.points import Point
from quire.studio.reports import about, wanted_chapters
from quire.studio.writer import Writer
from quire.text.words import tokens

CHAPTERS, PARTS, LEAVES = 12, 10, 5
DEPTH = 3
LONGEST_LEAF = 60
LIST_WORDS = 7
# So many points are shown to a model.
SHOWN_POINTS = 40


class MapOutline(BaseModel):
    about: str
    spoken: str
    root: MindMapNode
    statements: list[Statement] = []
    sources: list[str] = []


class WrittenBranch(BaseModel):
    name: str = Field(description="A few words.")
    leaves: list[str] = Field(description="Two to five sub-topics of a few words, in the passages' words.")


class WrittenMap(BaseModel):
    branches: list[WrittenBranch]


class MindMapKind:
    outline_type = MapOutline
    content_type = MindMap

    def outline(self, evidence: Evidence, brief: Brief) -> MapOutline:
        chapters = wanted_chapters(evidence, CHAPTERS)
        name = about(evidence, brief)
        parts = [part for chapter in chapters for part in _ends(chapter, 1)]
        told = dict(zip((id(part) for part in parts), _leaves(parts), strict=True))
        children = [_node(chapter, told, 1) for chapter in chapters]
        overview = labels(brief.language).overview
        for child in children:
            if child.name.casefold() == name.casefold():
                child.name = overview
        root = MindMapNode(name=name, children=_once(children))
        if not root.children:
            raise Conflict("The sources have too little in them for a mind map.", hint="Add sources with more text.")
        points = [point for chapter in chapters for point in chapter.all_points()]
        statements = [point.statement for point in evidence.choice().best(points, SHOWN_POINTS)]
        return MapOutline(
            about=name,
            spoken=evidence.language,
            root=root,
            statements=statements,
            sources=[source.title for source in evidence.sources],
        )

    def content(self, outline: MapOutline, brief: Brief) -> MindMap:
        return MindMap(
            title=labels(brief.language).mind_map.format(outline.about),
            language=brief.language,
            root=outline.root,
            words=page_words(brief.language),
            sources=outline.sources,
            remark=remark(brief.language, outline.spoken),
        )

    async def written(self, outline: MapOutline, content: MindMap, brief: Brief, writer: Writer) -> MindMap:
        """A model's branches; a leaf stays where the words of one passage hold all of its own."""
        given = outline.statements
        task = (
            f"Group what the passages say about “{outline.about}” into four to eight branches of a mind map, in the "
            f"language “{brief.language}”. {brief.instructions}"
        )
        made = await writer.json(task, given, WrittenMap, tokens=900)
        branches = []
        for branch in made.branches:
            leaves = [node for leaf in branch.leaves if (node := _grounded(leaf, given)) is not None]
            if leaves and branch.name.strip():
                branches.append(MindMapNode(name=branch.name.strip()[:LONGEST_LEAF], children=_once(leaves)))
        if len(branches) < 2:
            raise Upstream("The language model wrote no branches that the sources bear out.")
        return content.model_copy(update={"root": MindMapNode(name=outline.about, children=_once(branches))})

    def title(self, content: MindMap) -> str:
        return content.title


def _grounded(name: str, given: Sequence[Statement]) -> MindMapNode | None:
    name = " ".join(name.split()).strip(" .")
    words = set(tokens(name))
    if not words or len(name) > LONGEST_LEAF:
        return None
    for one in given:
        if words <= set(tokens(one.grounds[0].excerpt)):
            return MindMapNode(name=name, statement=one)
    return None


def _ends(chapter: Chapter, depth: int) -> list[Chapter]:
    """The chapters within that have leaves of their own."""
    if not chapter.parts or depth == DEPTH:
        return [chapter]
    return [end for part in chapter.parts[:PARTS] for end in _ends(part, depth + 1)]


def _node(chapter: Chapter, leaves: dict[int, list[MindMapNode]], depth: int) -> MindMapNode:
    points = chapter.all_points()
    statement = points[0].statement if points else None
    if id(chapter) in leaves:
        return MindMapNode(name=chapter.title, children=_once(leaves[id(chapter)]), statement=statement)
    children = [_node(part, leaves, depth + 1) for part in chapter.parts[:PARTS]]
    return MindMapNode(name=chapter.title, children=_once(children), statement=statement)


def _leaves(parts: Sequence[Chapter]) -> list[list[MindMapNode]]:
    """What each part speaks of: what it defines, its lists and tables, and the words that tell it from the others."""
    texts = [" . ".join(point.text for point in part.all_points()) for part in parts]
    languages = Counter(_language(part) for part in parts)
    told = key_phrases(texts, languages.most_common(1)[0][0] if languages else None, LEAVES)
    return [_leaves_of(part, terms) for part, terms in zip(parts, told, strict=True)]


def _language(part: Chapter) -> str | None:
    points = part.all_points()
    return points[0].source.language if points else None


def _leaves_of(part: Chapter, terms: Sequence[str]) -> list[MindMapNode]:
    found: list[MindMapNode] = []
    points = part.all_points()
    for point in points:
        if term := term_of(point):
            found.append(MindMapNode(name=term, statement=point.statement))
    for listed in part.all_lists():
        for statement in listed.statements():
            name = statement.text.partition(":")[0].rstrip(" .;,")
            if len(name.split()) <= LIST_WORDS and len(name) <= LONGEST_LEAF:
                found.append(MindMapNode(name=name, statement=statement))
    for table in part.all_tables():
        for row in table.rows:
            name = table.said(row.cells[table.key])
            if name and len(name) <= LONGEST_LEAF and not name.isdigit():
                found.append(MindMapNode(name=name, statement=table.row_statement(row)))
    for term in terms:
        if (speaking := _speaks_of(term, points)) is not None:
            found.append(MindMapNode(name=term, statement=speaking.statement))
    title = part.title.casefold()
    return [node for node in _once(found) if node.name.casefold() != title][:LEAVES]


def _speaks_of(term: str, points: Sequence[Point]) -> Point | None:
    for point in points:
        words = tokens(term, point.source.language)
        if words and set(words) <= point.words:
            return point
    return None


def _once(nodes: Sequence[MindMapNode]) -> list[MindMapNode]:
    """Each name once."""
    found: dict[str, MindMapNode] = {}
    for node in nodes:
        found.setdefault(node.name.casefold(), node)
    return list(found.values())
