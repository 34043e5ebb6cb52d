"""Books: a store of files that many write at once, with hashes, history and a log."""

from __future__ import annotations

from operator import attrgetter

from quire.local.books.archives import Archives
from quire.local.books.assets import Assets
from quire.local.books.audit_log import Audit, AuditLogs
from quire.local.books.book_source import BookSource
from quire.local.books.builds import Builds
from quire.local.books.catalogue import Catalogue
from quire.local.books.contents import Contents
from quire.local.books.file_records import FileRecords
from quire.local.books.files import BookFiles
from quire.local.books.history import History
from quire.local.books.links import BookLinks
from quire.local.books.overlays import Overlays
from quire.local.books.registry_sync import RegistrySync
from quire.local.books.search import BookSearch
from quire.local.books.settling import Settling
from quire.local.books.storages import BookPorts
from quire.local.books.summaries import Summaries
from quire.local.books.sweeping import BookSweeper
from quire.local.books.uploads import AssetUploads
from quire.local.file_links import FileLinks
from quire.local.job_queue import JobQueue
from quire.local.removal import Removal
from quire.local.scope import SystemScope
from quire.local.sources import LocalSources
from quire.ports.machine import Signer


class LocalBooks:
    """Puts the parts together; what is declared of books is done by the part that stands beside its name."""

    def __init__(
        self,
        ports: BookPorts,
        system: SystemScope,
        jobs: JobQueue,
        sources: LocalSources,
        removal: Removal,
        links: FileLinks,
        signer: Signer,
        public_url: str,
    ) -> None:
        logs = AuditLogs(ports.storages)
        registry = RegistrySync(system, ports.registry, ports.storages, logs)
        records = FileRecords(system, jobs, ports.texts, logs)
        settling = Settling(system, records, logs)
        files = BookFiles(ports.storages, registry, records, settling, jobs.workers.wake)
        self.files = files
        self.links = BookLinks(ports.storages, links)
        self.catalogue = Catalogue(files, records, registry, ports.registry, ports.storages, logs, removal)
        self.contents = Contents(files)
        self.summaries = Summaries(files)
        self.assets = Assets(files, self.links, ports.uploads, signer, public_url, ports.cdn_url)
        self.uploads = AssetUploads(system, self.assets, ports.uploads)
        self.history = History(files)
        self.audits = Audit(logs)
        self.search = BookSearch(files, ports.storages, ports.texts)
        self.builds = Builds(files)
        self.archives = Archives(system, files, self.builds, jobs)
        self.overlays = Overlays(files)
        self.source = BookSource(files, registry, sources)
        self.sweeper = BookSweeper(system, ports, registry, settling, logs)

    list = property(attrgetter("catalogue.list"))
    create = property(attrgetter("catalogue.create"))
    update = property(attrgetter("catalogue.update"))
    delete = property(attrgetter("catalogue.delete"))
    read_content = property(attrgetter("contents.read_content"))
    write_content = property(attrgetter("contents.write_content"))
    delete_content = property(attrgetter("contents.delete_content"))
    edit_content = property(attrgetter("contents.edit_content"))
    move_content = property(attrgetter("contents.move_content"))
    read_summary = property(attrgetter("summaries.read_summary"))
    write_summary = property(attrgetter("summaries.write_summary"))
    delete_summary = property(attrgetter("summaries.delete_summary"))
    upload_asset = property(attrgetter("assets.upload_asset"))
    add_asset = property(attrgetter("assets.add_asset"))
    get_asset = property(attrgetter("assets.get_asset"))
    download_asset = property(attrgetter("assets.download_asset"))
    list_assets = property(attrgetter("assets.list_assets"))
    delete_asset = property(attrgetter("assets.delete_asset"))
    content_history = property(attrgetter("history.content_history"))
    diff_content = property(attrgetter("history.diff_content"))
    restore_content = property(attrgetter("history.restore_content"))
    audit = property(attrgetter("audits.audit"))
    verify_audit = property(attrgetter("audits.verify_audit"))
    glob_search = property(attrgetter("search.glob_search"))
    grep_search = property(attrgetter("search.grep_search"))
    scan_book = property(attrgetter("search.scan_book"))
    plan_build = property(attrgetter("builds.plan_build"))
    get_book_archive = property(attrgetter("archives.get_book_archive"))
    export_book = property(attrgetter("archives.export_book"))
    write_overlay = property(attrgetter("overlays.write_overlay"))
    delete_overlay = property(attrgetter("overlays.delete_overlay"))
    list_overlays = property(attrgetter("overlays.list_overlays"))
    add_to_notebook = property(attrgetter("source.add_to_notebook"))
