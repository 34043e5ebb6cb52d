"""From settings to a library; the only file that knows all the parts."""

from __future__ import annotations

import secrets
import shutil
import tempfile
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quire.adapters.book_storage.registry_file import YamlRegistry
from quire.adapters.book_storage.upload_spool import UploadFolder
from quire.adapters.disk import make_private
from quire.adapters.machine import HmacSigner, SystemClock
from quire.api.context import Context
from quire.api.rates import Rates
from quire.domain.artifacts import ArtifactKind
from quire.domain.errors import InvalidInput, Unsupported
from quire.domain.sharing import LOCAL_OWNER
from quire.entry.bootstrap_models import knowledge, make_index, model_folder
from quire.entry.home import is_ours_alone
from quire.entry.served_address import address_in_links
from quire.entry.settings import Settings, parse_rates, parse_shelves
from quire.entry.token_file import OwnersTokenMark, TokenFile
from quire.local.books.storages import BookPorts, BookStorages
from quire.local.parts import Parts
from quire.local.people import add_person
from quire.local.scratch.ports import ScratchPorts
from quire.local.source_versions import index_again
from quire.ports.artifact_files import ArtifactFiles
from quire.ports.blobs import Blobs
from quire.ports.books import BookStorage
from quire.ports.machine import Clock, Signer
from quire.ports.office import OfficeFiles
from quire.ports.openid import OpenIdProvider
from quire.ports.store import Store, Tx

if TYPE_CHECKING:
    from quire.api.capability import Capability
    from quire.api.library import Library

library_backup = partial(import_module, "quire.adapters.library_backup")


def build(settings: Settings, clock: Clock | None = None, *, lingers: bool = False) -> Library:
    """A library on these settings. Nothing is opened or made before it is first used."""
    if settings.engine == "notebooklm":
        return google_library(settings, lambda: make_parts(settings, clock), clock, lingers=lingers)
    return library_of(make_parts(settings, clock), settings, lingers=lingers)


def library_of(parts: Parts, settings: Settings, *, lingers: bool = False) -> Library:
    """The library over these parts; all declarations load with it. Where it `lingers`, calls wait for no vectors."""
    from quire.api.library import Library
    from quire.local.engine import LocalEngine

    if settings.engine == "notebooklm":
        return google_library(settings, lambda: parts, parts.clock, lingers=lingers)
    return Library(LocalEngine(parts, lingers=lingers), Context(local=True))


def google_library(
    settings: Settings, parts: Callable[[], Parts], clock: Clock | None, *, lingers: bool = False
) -> Library:
    """A library at Google. The parts of this machine's own are made when one of its nouns is first used."""
    from quire.api.library import Library
    from quire.entry.bootstrap_google import LaterFiles, contract_rates, make_notebooklm
    from quire.local.engine import LocalEngine

    files, rates = LaterFiles(lambda: made.local.files), contract_rates(settings)
    google = make_notebooklm(settings, clock or SystemClock(), make_signer(settings, clock), files, rates)
    made = engine_of("notebooklm")(google, lambda: LocalEngine(parts(), lingers=lingers), rates)
    return Library(made, Context(local=True))


def offered(engine: str = "local") -> tuple[Capability, ...]:
    """What an engine of this installation can do; known before a library is built."""
    from quire.api.library import Library

    return Library.offered_by(engine_of(engine))


def engine_of(name: str) -> type[Any]:
    """The class of an engine by its name."""
    from quire.local.engine import LocalEngine

    if name == "local":
        return LocalEngine
    from quire.entry.two_engines import ALWAYS_LOCAL, TwoEngines
    from quire.notebooklm.engine.engine import NotebookLmEngine

    kept = {noun: LocalEngine.nouns[noun] for noun in ALWAYS_LOCAL}
    return type("NotebookLm", (TwoEngines,), {"name": name, "nouns": {**NotebookLmEngine.nouns, **kept}})


def make_parts(settings: Settings, clock: Clock | None = None) -> Parts:
    """Settings that cannot work are refused here."""
    if is_ours_alone(settings):
        with suppress(OSError):
            make_private(settings.home, 0o700)
    clock = clock or SystemClock()
    signer = make_signer(settings, clock)
    return Parts(
        store=make_store(settings, clock),
        blobs=make_blobs(settings),
        clock=clock,
        signer=signer,
        owners_token=OwnersTokenMark(settings.token, TokenFile(settings.home), signer),
        rates=Rates(parse_rates(settings.rates)),
        books=make_book_ports(settings),
        public_url=address_in_links(settings),
        upload_limit=settings.upload_limit,
        scratch=make_scratch(settings),
        research_budget=settings.research_budget,
        artifact_files=make_artifact_files(settings),
        artifact_quota=settings.artifact_quota,
        office=make_office(),
        **knowledge(settings),
    )


def make_signer(settings: Settings, clock: Clock | None = None) -> Signer:
    """Signs with the home's secret; a store in memory has one for its time."""
    secret = secrets.token_bytes(32) if settings.store == "memory" else settings.home / "secret"
    return HmacSigner(secret, clock or SystemClock())


def make_provider(settings: Settings, returns_to: str) -> OpenIdProvider:
    """Where people sign in, if that is set."""
    from quire.adapters.oidc import OpenIdConnect

    return OpenIdConnect(
        settings.oidc_issuer, settings.oidc_client, settings.oidc_secret, returns_to, private=settings.oidc_private
    )


def make_store(settings: Settings, clock: Clock) -> Store:
    def prepare(tx: Tx) -> None:
        add_person(tx, LOCAL_OWNER.id, LOCAL_OWNER.name, None, clock.now())
        index_again(tx, make_index(settings)["index"])

    if settings.store.startswith(("postgres://", "postgresql://")):
        try:
            from quire.adapters.sql.postgres import PostgresStore
        except ImportError:
            raise Unsupported("PostgreSQL needs an extra.", hint="quire extras add postgres") from None
        return PostgresStore(settings.store, prepare)
    from quire.adapters.sql.sqlite import SqliteStore

    if settings.store == "memory":
        return SqliteStore(":memory:", prepare)
    if "://" in settings.store:
        raise InvalidInput("The setting 'store' must be a PostgreSQL URL, `memory` or a file.")
    return SqliteStore(Path(settings.store).expanduser() if settings.store else settings.home / "quire.db", prepare)


def newest_schema() -> int:
    """The number of the last migration; a store that opens is at it."""
    from quire.adapters.sql.named import migrations

    return migrations({})[-1][0]


def make_blobs(settings: Settings) -> Blobs:
    if settings.blobs:
        from quire.adapters.remote_blobs import RemoteBlobs

        return RemoteBlobs(settings.blobs, settings.home / "blobs")
    if settings.store == "memory":
        from quire.adapters.memory import MemoryBlobs

        return MemoryBlobs()
    from quire.adapters.blobs import FileBlobs

    return FileBlobs(settings.home / "blobs")


def make_book_ports(settings: Settings) -> BookPorts:
    """The folder `shelf` in the home, and whatever the setting names. A store in memory has a folder for its time."""
    from quire.adapters.search.texts import TextSearch

    home = settings.home
    if settings.store == "memory":
        home = Path(tempfile.gettempdir()) / f"quire-{secrets.token_hex(8)}"
    places = {"fs": str(home / "shelf")} | parse_shelves(settings.shelves)
    if settings.shelf not in places:
        raise InvalidInput(f"The setting 'shelf' names '{settings.shelf}', which 'shelves' does not know.")
    makers = {name: partial(make_book_storage, name, place) for name, place in places.items()}
    ports = BookPorts(
        BookStorages(makers, settings.shelf),
        YamlRegistry(Path(places["fs"]).expanduser() / "registry.yaml"),
        UploadFolder(home / "uploads"),
        TextSearch(home / "words.db"),
        settings.cdn_url,
    )
    if home != settings.home:
        weakref.finalize(ports.storages, shutil.rmtree, home, ignore_errors=True)
    return ports


def make_book_storage(name: str, place: str) -> BookStorage:
    if "://" in place:
        from quire.adapters.book_storage.remote import RemoteStorage

        return RemoteStorage(name, place)
    from quire.adapters.book_storage.folder import FolderStorage

    return FolderStorage(name, Path(place).expanduser())


def make_scratch(settings: Settings) -> ScratchPorts:
    """What scratch notebooks are made of. Their kernels begin with the first cell that runs."""
    from quire.adapters.cells.exports import ExportFolder
    from quire.adapters.cells.formats import CellFormats
    from quire.adapters.cells.kernels import SandboxedKernels
    from quire.adapters.cells.markup import sanitised

    home = settings.home
    return ScratchPorts(
        formats=CellFormats(),
        kernels=SandboxedKernels(hidden=home, unsafe=settings.unsafe_cells),
        exports=ExportFolder(None if settings.store == "memory" else home / "scratch"),
        sanitised=sanitised,
        boot=None if settings.scratch_keep else secrets.token_hex(8),
        everyone=settings.scratch_all,
        served=settings.serves_cells,
    )


def make_artifact_files(settings: Settings) -> ArtifactFiles:
    """What makes the files of artifacts; formats whose extra is not installed say so."""
    from quire.adapters.artifact_files import FileMakers
    from quire.adapters.video.ffmpeg_program import Ffmpeg
    from quire.adapters.voices import voice_of
    from quire.entry.extras import EXTRAS

    ffmpeg = Ffmpeg(settings.ffmpeg)

    def installed(extra: str) -> bool:
        return EXTRAS[extra].installed if extra != "video" else ffmpeg.there

    voice = partial(voice_of, **settings.speaking, models=partial(model_folder, settings))
    return FileMakers(installed, voice, ffmpeg)


def artifact_formats(kind: ArtifactKind) -> list[str]:
    """The files that a kind of artifacts comes as, the main one first."""
    from quire.adapters.artifact_files import FORMATS

    return list(FORMATS[kind])


def make_office() -> OfficeFiles:
    """What writes files of office programs."""
    from quire.adapters.office.writer import OfficeWriter

    return OfficeWriter()


async def how_cells_run(settings: Settings) -> str:
    """How cells are kept apart on this machine; Unsupported where they cannot be."""
    from quire.adapters.cells.sandbox import tried

    return await tried(settings.home)
