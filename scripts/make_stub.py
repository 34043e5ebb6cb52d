"""Writes src/quire/entry/sync_types.pyi: the services as they look through `quire.open_sync()`."""

from __future__ import annotations

import inspect
import subprocess
import sys
import sysconfig
import types
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from quire.api.capability import Capability, shorthands_of
from quire.api.library import Library
from quire.entry.bootstrap import offered

STUB = Path(__file__).parents[1] / "src/quire/entry/sync_types.pyi"


class Stub:
    """Collects the imports that the types it writes need."""

    def __init__(self) -> None:
        self.imports: set[tuple[str, str]] = set()

    def text(self) -> str:
        by_service: dict[str, list[Capability]] = {}
        for capability in offered():
            by_service.setdefault(capability.service, []).append(capability)
        classes = []
        for service, capabilities in by_service.items():
            methods = [self.method(one.method, one.declared.method, one.summary) for one in capabilities]
            kind = Library.nouns[service]
            for name in shorthands_of(kind):
                methods.append(self.method(name, getattr(kind, name), inspect.getdoc(getattr(kind, name)) or ""))
            classes.append(f"class {service.title().replace('_', '')}:\n" + "".join(methods))
        attributes = "".join(
            f"    @property\n    def {service}(self) -> {service.title().replace('_', '')}: ...\n"
            for service in by_service
        )
        imports = "".join(f"from {module} import {name}\n" for module, name in sorted(self.imports))
        head = '"""Written by scripts/make_stub.py; types only, there is no such module when Quire runs."""\n'
        return "\n".join([head, imports, *classes, f"class Services:\n{attributes}"])

    def method(self, called: str, function: Callable[..., Any], summary: str) -> str:
        hints = get_type_hints(function)
        parts = ["self"]
        for name, parameter in inspect.signature(function).parameters.items():
            if name != "self":
                default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
                parts.append(f"{name}: {self.type(hints[name])}{default}")
        returned = self.type(hints["return"])
        return f'    def {called}({", ".join(parts)}) -> {returned}:\n        """{summary}"""\n'

    def type(self, hint: Any) -> str:
        origin, arguments = get_origin(hint), get_args(hint)
        if inspect.isclass(hint) and issubclass(hint, BaseModel) and hint.__pydantic_generic_metadata__["origin"]:
            generic = hint.__pydantic_generic_metadata__
            origin, arguments = generic["origin"], generic["args"]
        if hint is type(None):
            return "None"
        if origin in (Union, types.UnionType):
            return " | ".join(self.type(argument) for argument in arguments)
        if origin is Literal:
            self.imports.add(("typing", "Literal"))
            return f"Literal[{', '.join(repr(argument) for argument in arguments)}]"
        if origin is AsyncIterator:
            self.imports.add(("collections.abc", "Generator"))
            return f"Generator[{self.type(arguments[0])}]"
        if origin is not None:
            return f"{self.name(origin)}[{', '.join(self.type(argument) for argument in arguments)}]"
        return self.name(hint)

    def name(self, kind: Any) -> str:
        """A class by name; containers by module, since a service may have a method called `list`."""
        if kind.__module__ == "builtins" and kind in (list, dict, set, tuple):
            self.imports.add(("builtins", f"{kind.__name__} as {kind.__name__}_"))
            return f"{kind.__name__}_"
        if kind.__module__ != "builtins":
            self.imports.add((kind.__module__, kind.__name__))
        return str(kind.__name__)


def generate() -> str:
    """The file's text, in the project's style."""
    ruff = Path(sysconfig.get_path("scripts")) / "ruff"
    text = Stub().text()
    for command in (["check", "--select", "I", "--fix-only", "-q"], ["format", "-q"]):
        text = subprocess.run(
            [ruff, *command, "--stdin-filename", STUB, "-"],
            input=text, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
    return text


if __name__ == "__main__":
    STUB.write_text(generate(), encoding="utf-8")
    sys.stdout.write(f"wrote {STUB.name}\n")
