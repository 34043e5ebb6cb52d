"""The one guard around every capability, whichever door it was called through.

Arguments are checked strictly, the rate and the deadline are kept, the call gets its scope, is
logged without its values, and what is not one of our errors is masked and logged with an id.
The role is checked by the scope, inside each transaction.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from quire.api.context import Context, InputNeeded
from quire.api.deadline import by_deadline
from quire.api.engine import Scope, Subject
from quire.domain.errors import InvalidInput, NotAllowed, QuireError, TimedOut, TooLarge, Unsupported
from quire.domain.files import Upload

if TYPE_CHECKING:
    from quire.api.capability import Declared
    from quire.api.library import Library
    from quire.api.noun import Noun

Model = TypeVar("Model", bound=BaseModel)

log = logging.getLogger("quire.calls")

SHOWN_ERRORS = 3


class Adaptation(Protocol):
    """A call in a form that is not the declaration's own: its arguments, its checks, its answer."""

    @property
    def input(self) -> type[BaseModel]:
        """What the form's arguments are checked against; what comes of them is not checked again."""
        ...

    @property
    def required(self) -> tuple[str, ...]:
        """Arguments that a client must give although the model has a default for them."""
        ...

    def reshaped(self, given: Mapping[str, Any]) -> Mapping[str, Any]: ...

    def call(self, library: Library, input: Any) -> partial[Any]:
        """The call of the library that is meant; it is not made here."""
        ...

    def answer(self, result: Any, input: Any) -> tuple[str, dict[str, Any]]: ...


async def value(declared: Declared, noun: Noun, given: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """Runs a capability that returns one value."""
    with Watched(declared, noun.context, named):
        return await result_of(declared, noun, admitted(declared, noun, given, named))


async def adapted(
    form: Adaptation, declared: Declared, library: Library, given: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """Runs a capability in another form; what that refuses counts and is logged as the capability's own refusals."""
    with Watched(declared, library.context, given):
        input = validated(form.input, form.reshaped(given), form.required)
        call = form.call(library, input)
        library.engine.rates.admit(library.context.actor.id, declared.facts.tool, declared.facts.rate)
        meant: Declared = call.func.declared  # type: ignore[attr-defined]
        arguments = meant.defaults | dict(zip(meant.parameters, call.args, strict=False)) | call.keywords
        return form.answer(await result_of(meant, call.func.__self__, arguments), input)  # type: ignore[attr-defined]


async def stream(
    declared: Declared, noun: Noun, given: tuple[Any, ...], named: Mapping[str, Any]
) -> AsyncGenerator[Any, None]:
    """Runs a capability that yields events. Its time-out is for the silence between two of them."""
    with Watched(declared, noun.context, named):
        work, scope, arguments = scoped(declared, noun, admitted(declared, noun, given, named))
        events = work(scope, **arguments)
        try:
            while True:
                try:
                    event = await by_deadline(deadline(declared, noun.context), anext(events))
                except StopAsyncIteration:
                    break
                scope.confirm()
                yield event
        finally:
            await events.aclose()


def admitted(declared: Declared, noun: Noun, given: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
    """The checked arguments of a call that the engine can do and the rate allows."""
    facts = declared.facts
    doing(declared, noun)
    if len(given) > len(declared.parameters):
        raise InvalidInput(f"{facts.tool} takes at most {len(declared.parameters)} arguments.")
    by_name = dict(zip(declared.parameters, given, strict=False)) | dict(named)
    arguments = vars(validated(declared.arguments, by_name))
    noun.engine.rates.admit(noun.context.actor.id, facts.tool, facts.rate)
    return arguments


def scoped(
    declared: Declared, noun: Noun, arguments: dict[str, Any]
) -> tuple[Callable[..., Any], Scope, dict[str, Any]]:
    """What the engine does, the scope of this call, and the arguments that are left for it."""
    facts = declared.facts
    if noun.context.read_only and not facts.reads_only:
        raise NotAllowed(f"{facts.tool} changes something, and you may only read.")
    subject = None
    if facts.of:
        kind, argument = facts.of
        notebook_id = arguments.pop("notebook_id", None)
        if argument in ("notebook_id", ""):
            subject = Subject(kind, notebook_id)
        else:
            subject = Subject(kind, arguments[argument], notebook_id)
    scope = noun.engine.scope(noun.context, subject, facts.needs)
    return doing(declared, noun), scope, arguments


def doing(declared: Declared, noun: Noun) -> Callable[..., Any]:
    """The engine's method, or Unsupported where it has none."""
    work: Callable[..., Any] | None = getattr(noun.done_by, declared.name, None)
    if work is None:
        raise Unsupported(f"{declared.facts.tool} is not there with the engine '{noun.engine.name}'.")
    return work


async def result_of(declared: Declared, noun: Noun, arguments: dict[str, Any]) -> Any:
    work, scope, arguments = scoped(declared, noun, arguments)
    begun = work(scope, **arguments)
    if declared.part is not None:
        begun = last_of(declared, begun, noun.context)
    result = await by_deadline(deadline(declared, noun.context), begun)
    scope.confirm()
    return result


async def last_of(
    declared: Declared,
    events: AsyncGenerator[Any, None],
    context: Context,
    told: Callable[[Any], Any] = lambda event: event,
) -> Any:
    """The value that events end with; those before it travel as progress, as `told` puts them."""
    last, count = None, 0
    async with aclosing(events):
        async for last in events:
            if not declared.ends_with(last):
                count += 1
                await context.report(count, None, told(last).model_dump_json())
    return last


def validated(model: type[Model], arguments: Mapping[str, Any], required: tuple[str, ...] = ()) -> Model:
    """Arguments as a model, valid in type and text, or InvalidInput naming what is wrong.

    None stands for an optional argument that is left out.
    """
    for name, argument in arguments.items():
        refuse_bad_text(name, argument)
    if None in arguments.values():
        fields = model.model_fields
        arguments = {
            name: argument
            for name, argument in arguments.items()
            if argument is not None or name not in fields or fields[name].is_required() or name in required
        }
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        raise invalid(error) from None


def refuse_bad_text(name: str, value: Any) -> None:
    """NUL and lone surrogates cannot be stored or sent on, so they are refused before anything happens."""
    if isinstance(value, str):
        if "\0" in value:
            raise InvalidInput(f"{_safe(name)}: must not contain NUL characters.", field=_safe(name))
        try:
            value.isascii() or value.encode()
        except UnicodeEncodeError:
            raise InvalidInput(f"{_safe(name)}: is not valid Unicode text.", field=_safe(name)) from None
    elif isinstance(value, Upload):
        refuse_bad_text(f"{name}.name", value.name)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            refuse_bad_text(name, key)
            refuse_bad_text(f"{name[:80]}.{str(key)[:80]}", item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            refuse_bad_text(name, item)


def invalid(error: ValidationError) -> InvalidInput:
    """One sentence from pydantic's list; never the value that was given."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    parts = []
    for problem in problems[:SHOWN_ERRORS]:
        where = ".".join(str(part) for part in problem["loc"]) or "input"
        parts.append(f"{_safe(where)}: {_sentence(problem['type'], problem['msg'])}")
    if len(problems) > SHOWN_ERRORS:
        parts.append(f"and {len(problems) - SHOWN_ERRORS} more")
    large = any(problem["type"] in ("string_too_long", "too_long", "bytes_too_long") for problem in problems)
    field = _safe(".".join(str(part) for part in problems[0]["loc"]))
    return (TooLarge if large else InvalidInput)("; ".join(parts) + ".", field=field)


def _sentence(kind: str, message: str) -> str:
    known = {
        "missing": "is required",
        "extra_forbidden": "is not an argument of this call",
        "string_type": "must be a string",
        "int_type": "must be a whole number",
        "float_type": "must be a number",
        "bool_type": "must be true or false",
    }
    return known.get(kind, message[:1].lower() + message[1:])


def _safe(text: str) -> str:
    return text.encode("utf-8", "replace").decode()[:80]


def deadline(declared: Declared, context: Context) -> float:
    """The caller's, which may know better than the capability how long it is worth."""
    if context.deadline is not None:
        return context.deadline
    return asyncio.get_running_loop().time() + declared.facts.timeout


class Watched:
    """Logs how the call ended, and lets nothing out but our own errors."""

    __slots__ = ("_context", "_declared", "_named", "_start")

    def __init__(self, declared: Declared, context: Context, named: Mapping[str, Any]) -> None:
        self._declared = declared
        self._context = context
        self._named = named

    def __enter__(self) -> None:
        self._start = time.perf_counter()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if log.isEnabledFor(logging.INFO):
            log.info("call", extra=self._told(error))
        if isinstance(error, TimeoutError):
            raise TimedOut(
                f"{self._declared.facts.tool} took longer than its time limit.",
                hint="What it had begun may still be completed; look before you repeat it.",
            ) from None
        if isinstance(error, Exception) and not isinstance(error, (QuireError, InputNeeded)):
            raise masked(error, self._context.request_id) from error

    def _told(self, error: BaseException | None) -> dict[str, Any]:
        return {
            "tool": self._declared.facts.tool,
            "door": self._context.door,
            "actor": self._context.actor.id,
            "request": self._context.request_id,
            "arguments": sorted(_safe(name) for name in self._named)[:20],
            "outcome": outcome(error),
            "ms": round((time.perf_counter() - self._start) * 1000, 2),
        }


def outcome(error: BaseException | None) -> str:
    if error is None:
        return "ok"
    if isinstance(error, QuireError):
        return error.code
    if isinstance(error, InputNeeded):
        return "input_needed"
    if isinstance(error, (asyncio.CancelledError, GeneratorExit)):
        return "cancelled"
    return "timed_out" if isinstance(error, TimeoutError) else "internal"


def masked(error: Exception, request_id: str) -> QuireError:
    """An unknown exception as a client may see it: no text of its own, an id to find it in the log."""
    logging.getLogger("quire.errors").error("unexpected error %s", request_id, exc_info=error)
    return QuireError(f"Something went wrong inside Quire (log id {request_id}).", log_id=request_id)
