"""Leads: the sentences by which sources tell what they are, for summaries."""

from __future__ import annotations

from quire.studio.evidence import Evidence
from quire.studio.points import Point
from quire.text.openings import opening_of

OPENING = 8_000
EACH = 3


def leads(evidence: Evidence, limit: int) -> list[Point]:
    """The points that tell what each source is, all first ones first; where nothing tells, where sources begin."""
    by_source: dict[str, list[Point]] = {}
    for point in evidence.points:
        by_source.setdefault(point.source.id, []).append(point)
    found: list[list[Point]] = []
    for source in evidence.sources:
        points = by_source.get(source.id, [])
        if not points:
            continue
        opening = opening_of([source.text[:OPENING]], source.name, source.language)
        told = {span.start: place for place, span in enumerate(opening.telling[:EACH])}
        telling = sorted((point for point in points if point.start in told), key=lambda point: told[point.start])
        found.append([*telling, *(point for point in points[:EACH] if point.start not in told)])
    if len(found) == 1:
        return sorted(found[0][:limit], key=lambda point: point.start)
    return [points[at] for at in range(EACH) for points in found if at < len(points)][: max(limit, len(found))]
