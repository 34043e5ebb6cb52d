"""Every regular expression of ours, texts that are bad for it, and how the time of work grows with its input."""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from quire.entry.http.notebook_views import MARK
from quire.text import question_tables
from quire.text.forms.letter_heads import FIELDS
from quire.text.question_patterns import RULES
from quire.text.restated import ALIKE
from quire.text.words import _pattern

PACKAGE = Path(__file__).parents[1] / "src" / "quire"
FUNCTIONS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
POOL = " \t\n\ra0A_.,;:!?'\"()[]{}<>*#-+|`~=\\/&@^$%é\u00a0中。"
KILLERS = ("", "\x00", "\n", "a")
GROWTH, MOST = 4, 10


class Trial(NamedTuple):
    """How hard one tries: how large texts are, from what time on they are looked into, and how many there are."""

    sizes: tuple[int, ...] = (25, 200, 1_500)
    floor: float = 0.0015
    prefixes: int = 3
    pumps: int = 14
    killers: int = 2


THOROUGH = Trial((25, 300, 6_000), 0.003, 8, 24, 4)


OF_SENTENCES = [rule.pattern for rules in RULES.values() for rule in rules]
OF_QUESTIONS = [
    pattern
    for pattern in (*vars(question_tables).values(), *(one for _, one in question_tables.WANTED))
    if isinstance(pattern, re.Pattern)
] + [asked for asked, _ in FIELDS]
# Patterns that a function makes, as it makes them, and how they are applied.
USED = {"quire.text.question_patterns": frozenset({"match"})}
MADE: dict[str, Any] = {
    "quire.text.question_patterns": OF_SENTENCES,
    "quire.text.question_tables": OF_QUESTIONS,
    "quire.text.forms.letter_heads": [pattern for pair in FIELDS for pattern in pair],
    "quire.adapters.readers.sniffing": rb"PK\x03\x04.{26}word/",
    "quire.entry.http.notebook_views": MARK.format(7),
    "quire.entry.settings_file": r"(?:port|\"port\"|'port')\s*=",
    "quire.text.question_making": r"(?<=[a-zà-ÿ,;] )Name\b",
    "quire.text.restated": list(ALIKE),
    "quire.text.words": _pattern(ascii_only=False).pattern,
}


class Expression(NamedTuple):
    """A pattern, where it stands, and the ways in which it is applied."""

    where: str
    pattern: re.Pattern[Any]
    used: frozenset[str]


def expressions() -> Iterator[Expression]:
    """All that is compiled or applied in the package; what is only made inside a function is there as an example."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    uses = _uses(trees)
    for path, tree in trees.items():
        module = ".".join(("quire", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        chained = {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        names = {id(node.value): node.targets[0].id for node in tree.body if _assigns(node)}  # type: ignore[attr-defined]
        for node in ast.walk(tree):
            if not _of_re(node):
                continue
            assert isinstance(node, ast.Call)
            assert isinstance(node.func, ast.Attribute)
            where = f"{module}:{node.lineno}"
            space = vars(importlib.import_module(module))
            flags = [word.value for word in node.keywords if word.arg == "flags"]
            place = {"compile": 1, "match": 2, "fullmatch": 2, "search": 2}.get(node.func.attr)
            if place is not None and len(node.args) > place:
                flags.append(node.args[place])
            try:
                given = [eval(compile(ast.Expression(node.args[0]), where, "eval"), space)]
                flag = eval(compile(ast.Expression(flags[0]), where, "eval"), space) if flags else 0
            except NameError:
                made, flag = MADE[module], 0
                given = made if isinstance(made, list) else [made]
            name = names.get(id(node), "")
            if node.func.attr != "compile" or id(node) in chained:
                used = frozenset({chained.get(id(node), node.func.attr)})
            else:
                used = uses.get((module, name), USED.get(module, frozenset({"search", "finditer"})))
            for pattern in given:
                yield Expression(f"{where} {name}".rstrip(), re.compile(pattern, flag), used)


def _assigns(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)


def _of_re(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in ("compile", *FUNCTIONS)
    )


def _uses(trees: dict[Path, ast.Module]) -> dict[tuple[str, str], frozenset[str]]:
    """The methods that are called on a pattern, by the module that it stands in and its name."""
    found: dict[tuple[str, str], set[str]] = {}
    for path, tree in trees.items():
        module = ".".join(("quire", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        homes = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in FUNCTIONS:
                found.setdefault(homes.get(node.value.id, (module, node.value.id)), set()).add(node.attr)
        handed = _handed_on(tree)
        for node in ast.walk(tree) if handed else ():
            for given in node.args if isinstance(node, ast.Call) else ():
                if isinstance(given, ast.Name):
                    found.setdefault(homes.get(given.id, (module, given.id)), set()).update(handed)
    return {key: frozenset(methods) for key, methods in found.items()}


def _handed_on(tree: ast.Module) -> set[str]:
    """How patterns are applied that a function is given."""
    patterns = {
        node.arg
        for node in ast.walk(tree)
        if isinstance(node, ast.arg) and node.annotation and "re.Pattern" in ast.unparse(node.annotation)
    }
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in patterns
    }


def apply(pattern: re.Pattern[Any], method: str, text: Any) -> None:
    if method in ("match", "fullmatch", "search"):
        getattr(pattern, method)(text)
    else:
        deque(pattern.finditer(text), maxlen=0)


def hostile(pattern: re.Pattern[Any], trial: Trial) -> Iterator[Callable[[int], Any]]:
    """Texts of any size: a beginning that fits, something that may be repeated, and an end that does not fit.

    A pattern that fits only so many characters takes no more than so long at any place: it needs none.
    """
    wide = isinstance(pattern.pattern, str)
    source = pattern.pattern if wide else pattern.pattern.decode("latin-1")
    tree = parser.parse(source, pattern.flags if wide else pattern.flags & ~re.UNICODE)
    if tree.getwidth()[1] < codes.MAXREPEAT and "{0," not in source:
        return
    characters: dict[str, None] = {}
    bodies: dict[str, None] = {}
    prefixes: dict[str, None] = {}
    whole = _sample(tree, characters, bodies, prefixes)
    singles = list(characters)
    pairs = ["".join(pair) for pair in product(singles[:4], repeat=2)]
    pumps = dict.fromkeys([*singles[:6], *bodies, whole or "a", whole[:-1] or "a", *pairs, *singles])
    begun = dict.fromkeys(["", whole[:-1], whole, *prefixes])
    few = product(list(begun)[: trial.prefixes], list(pumps)[: trial.pumps], KILLERS[: trial.killers])
    for prefix, pump, killer in few:

        def made(size: int, prefix: str = prefix, pump: str = pump, killer: str = killer) -> Any:
            text = prefix + pump * (size // len(pump)) + killer
            return text if wide else text.encode("latin-1", "replace")

        yield made


def _sample(tree: Any, characters: dict[str, None], bodies: dict[str, None], prefixes: dict[str, None]) -> str:
    """A text that a pattern begins to fit, with everything in it that may be left out taken once."""
    text = ""
    for kind, value in tree:
        if kind is codes.LITERAL:
            text += chr(value)
            characters[chr(value)] = None
        elif kind in (codes.IN, codes.ANY, codes.NOT_LITERAL, codes.CATEGORY):
            fitting = _fitting(kind, value)
            characters.update(dict.fromkeys(fitting[:3]))
            text += fitting[0] if fitting else ""
        elif kind in REPEATS:
            low, _, inner = value
            body = _sample(inner, characters, bodies, {})
            if body:
                bodies[body] = None
            text += body * max(1, min(low, 4))
        elif kind is codes.SUBPATTERN:
            text += _sample(value[-1], characters, bodies, {})
        elif kind is codes.ATOMIC_GROUP:
            text += _sample(value, characters, bodies, {})
        elif kind is codes.BRANCH:
            options = [_sample(option, characters, bodies, {}) for option in value[1]]
            prefixes.update({text + option: None for option in options[:4]})
            bodies.update({said: None for said, option in zip(options, value[1], strict=True) if _repeats(option)})
            text += next(filter(None, options), "")
        elif kind in (codes.ASSERT, codes.ASSERT_NOT):
            _sample(value[1], characters, bodies, {})
        prefixes[text] = None
    return text


def _repeats(tree: Any) -> bool:
    """Whether a part of a pattern may take any number of characters."""
    return any(kind in REPEATS and value[1] is codes.MAXREPEAT for kind, value in tree)


def _fitting(kind: Any, value: Any) -> list[str]:
    if kind is codes.ANY:
        return ["a", " ", "."]
    if kind is codes.NOT_LITERAL:
        return [one for one in POOL if ord(one) != value]
    if kind is codes.CATEGORY:
        value = [(kind, value)]
    named = [chr(item) for code, item in value if code is codes.LITERAL]
    named += [chr(item[0]) for code, item in value if code is codes.RANGE]
    negated = value[0][0] is codes.NEGATE
    return [one for one in ([] if negated else named) + list(POOL) if _in(value, ord(one)) != negated]


def _in(items: Any, code: int) -> bool:
    one = chr(code)
    categories = {
        codes.CATEGORY_DIGIT: one.isdigit(),
        codes.CATEGORY_NOT_DIGIT: not one.isdigit(),
        codes.CATEGORY_SPACE: one.isspace(),
        codes.CATEGORY_NOT_SPACE: not one.isspace(),
        codes.CATEGORY_WORD: one.isalnum() or one == "_",
        codes.CATEGORY_NOT_WORD: not (one.isalnum() or one == "_"),
    }
    for kind, value in items:
        if kind is codes.LITERAL and code == value:
            return True
        if kind is codes.RANGE and value[0] <= code <= value[1]:
            return True
        if kind is codes.CATEGORY and categories[value]:
            return True
    return False


class Growth:
    """How the time of some work grows with its input."""

    def __init__(self, work: Callable[[Any], object], trial: Trial) -> None:
        self._work = work
        self._trial = trial
        self._floor = trial.floor

    def beyond(self, made: Callable[[int], Any]) -> str | None:
        """How it grew, where that was by far more than the input; what is soon done may grow as it likes."""
        for size in self._trial.sizes:
            if (first := self._spent(made(size))) <= self._floor:
                continue
            more = min(self._spent(made(size * GROWTH)) for _ in range(2))
            spent = min(first, self._spent(made(size)))
            if more > max(self._trial.floor, MOST * spent):
                return f"{spent:.3f} s for {size:,} characters, {more:.3f} s for {size * GROWTH:,}"
            # Now that it is known to be slow but steady, only what is slower still is of interest.
            self._floor = 2 * first
        return None

    def _spent(self, text: Any) -> float:
        """CPU time of this thread, so that what else the machine does counts for nothing."""
        before = time.thread_time()
        self._work(text)
        return time.thread_time() - before
