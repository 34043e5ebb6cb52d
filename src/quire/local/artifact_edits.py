"""What somebody made of an artifact's content: laid over what it said before, and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from quire.api.guard import refuse_bad_text
from quire.domain.artifacts import ArtifactContent, ArtifactKind, refuse_unbounded
from quire.domain.errors import InvalidInput
from quire.local.artifact_grounds import marked, statements

WHOLE = frozenset(ArtifactContent.model_fields)


def edited_content(given: str, before: BaseModel) -> Any:
    """The content with what was given in place of its own; what was not given stays as it was.

    `given` is the content, parts of it, or all that get_artifact_content tells.
    """
    from quire.studio.titles import with_one_title

    told = _object(given)
    if told.keys() <= WHOLE and isinstance(told.get("content"), dict):
        told = told["content"]
    try:
        made = type(before).model_validate(before.model_dump(mode="json") | told)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"content.{place}: {first['msg']}.", field="content") from None
    said = made.model_dump(mode="json")
    _refuse_unknown(told, said, "content")
    refuse_unbounded(said)
    return with_one_title(made, before)


def retitled(kind: ArtifactKind, content: str, title: str) -> str:
    """The content, as JSON, under another title."""
    from quire.studio.kinds import kind_of
    from quire.studio.titles import with_title

    return with_title(kind_of(kind).content_type.model_validate_json(content), title).model_dump_json()


def _refuse_unknown(given: Any, said: Any, place: str) -> None:
    """What was given and is not said afterwards has a name that nothing here goes by."""
    if isinstance(given, dict) and isinstance(said, dict):
        if unknown := next((name for name in given if name not in said), None):
            known = ", ".join(said) or "nothing"
            raise InvalidInput(f"{place}: there is no '{unknown[:80]}'; there is: {known}.", field="content")
        for name, one in given.items():
            _refuse_unknown(one, said[name], f"{place}.{name}")
    elif isinstance(given, list) and isinstance(said, list):
        for number, (one, other) in enumerate(zip(given, said, strict=False)):
            _refuse_unknown(one, other, f"{place}.{number}")


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
        told = from_json(given, allow_inf_nan=False)
    except ValueError as error:
        raise InvalidInput(f"content: is not JSON: {error}.", field="content") from None
    if not isinstance(told, dict):
        raise InvalidInput("content: must be a JSON object.", field="content")
    # Escaped, they have come past where arguments are looked at.
    refuse_bad_text("content", told)
    return told
