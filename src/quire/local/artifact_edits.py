"""What somebody made of an artifact's content: laid over what it said before, and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from quire.domain.artifacts import ArtifactContent, refuse_long_texts
from quire.domain.errors import InvalidInput
from quire.local.artifact_grounds import marked, statements

WHOLE = frozenset(ArtifactContent.model_fields)


def edited_content(given: str, before: BaseModel) -> BaseModel:
    """The content with what was given in place of its own; what was not given stays as it was.

    `given` is the content, parts of it, or all that get_artifact_content tells.
    """
    told = _object(given)
    if told.keys() <= WHOLE and isinstance(told.get("content"), dict):
        told = told["content"]
    try:
        made = type(before).model_validate(before.model_dump(mode="json") | told)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"content.{place}: {first['msg']}.", field="content") from None
    refuse_long_texts(made.model_dump(mode="json"))
    return made


def checked_again(content: Any, before: Any, texts: Mapping[tuple[str, int], str]) -> tuple[Any, bool]:
    """The content as JSON, each statement that was changed checked by what it cites; and whether all are borne out."""
    from quire.studio.support import supported

    known = {one.model_dump_json(exclude={"verified"}): one.verified for one in statements(before)}
    verdicts = [
        known.get(one.model_dump_json(exclude={"verified"})) or supported(one, texts) for one in statements(content)
    ]
    return marked(content, verdicts), all(verdicts)


def _object(given: str) -> dict[str, Any]:
    try:
        told = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"content: is not JSON: {error}.", field="content") from None
    if not isinstance(told, dict):
        raise InvalidInput("content: must be a JSON object.", field="content")
    return told
