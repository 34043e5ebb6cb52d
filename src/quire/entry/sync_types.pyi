"""Written by scripts/make_stub.py; types only, there is no such module when Quire runs."""

from builtins import list as list_
from collections.abc import Generator
from typing import Literal

from pydantic.types import AwareDatetime

from quire.domain.across import LibraryAnswer, LibraryHits
from quire.domain.archives import BookArchive
from quire.domain.artifacts import Artifact, ArtifactContent, ArtifactLink, SuggestedReport
from quire.domain.assets import Asset, AssetUploaded
from quire.domain.books import (
    AuditEntry,
    AuditVerdict,
    Book,
    BookList,
    Content,
    ContentDeleted,
    ContentDiff,
    ContentEdited,
    ContentMoved,
    ContentVersion,
    ContentWritten,
    Summary,
    SummaryWritten,
)
from quire.domain.builds import BuildPlan
from quire.domain.chat import Answer, AnswerPart, ChatConfiguration, Conversation, Turn
from quire.domain.files import Download, Upload
from quire.domain.health import HealthReport
from quire.domain.jobs import Job
from quire.domain.labels import Collection, Label
from quire.domain.notebooks import Notebook, NotebookSummary, RecentNotebook
from quire.domain.notes import Note, NoteChange, NoteHit, Watched
from quire.domain.overlays import Overlay, OverlayWritten
from quire.domain.pages import Page
from quire.domain.passages import PassageHit
from quire.domain.person_settings import Limits, OutputLanguage, Usage
from quire.domain.research import ListedResearch, ResearchRun
from quire.domain.scratch import (
    CellChange,
    CellCleared,
    CellOutput,
    Execution,
    Exported,
    Saved,
    ScratchNotebook,
    ScratchRun,
)
from quire.domain.searching import LineFound, LinesFound, PathsFound, Scanned
from quire.domain.sharing import NewToken, OpenedNotebook, Person, RemovedPerson, ShareStatus, SharingEntry, Token
from quire.domain.sources import AddedSource, CopiedSource, Freshness, RefreshedSource, Source, SourceGuide, SourceText
from quire.domain.transformations import Transformation, TransformedNote

class Health:
    def check(self, thorough: bool = False) -> HealthReport:
        """Check that Quire works: its store, its files, and what is optional."""

class Notebooks:
    def list(self, limit: int = 200, cursor: str | None = None) -> Page[Notebook]:
        """List your notebooks, newest first."""
    def create(self, title: str) -> Notebook:
        """Make a new, empty notebook."""
    def get(self, notebook_id: str) -> Notebook:
        """Get one notebook."""
    def list_recent(self, limit: int = 20) -> Page[RecentNotebook]:
        """List the notebooks that you opened last, the last first."""
    def remove_from_recent(self, notebook_id: str) -> Notebook:
        """Take a notebook out of your recent ones until you open it again. Nothing is deleted."""
    def get_summary(self, notebook_id: str) -> NotebookSummary:
        """What a notebook's sources are about, with topics and questions."""
    def rename(self, notebook_id: str, title: str) -> Notebook:
        """Give a notebook another title."""
    def set_emoji(self, notebook_id: str, emoji: str) -> Notebook:
        """Give a notebook an emoji, or take it away."""
    def copy(self, notebook_id: str, title: str | None = None) -> Notebook:
        """Copy a notebook of yours or shared with you: sources, labels, notes and chat settings, not conversations."""
    def export(self, notebook_id: str, format: Literal["quire", "markdown"] = "quire") -> Download:
        """Get a whole notebook as one .quire file: sources, notes, artifacts, labels, your conversations."""
    def import_(self, file: Upload) -> Notebook:
        """Make a notebook of a .quire file. It has the same ids where all of them are free, else it is a copy."""
    def delete(self, notebook_id: str) -> Notebook:
        """Delete a notebook with everything in it. The inbox cannot be deleted."""

class Sources:
    def list(self, notebook_id: str | None, limit: int = 200, cursor: str | None = None) -> Page[Source]:
        """List the sources of a notebook in the order they were added, with the state of each."""
    def add(
        self,
        notebook_id: str | None,
        source_type: Literal["url", "text"],
        url: str | None = None,
        text: str | None = None,
        title: str | None = None,
        wait: bool = True,
        whole: bool = False,
    ) -> AddedSource:
        """Add a web page by its URL, or a text, to a notebook. The same again gives the source that is there."""
    def add_file(
        self,
        notebook_id: str | None,
        file: Upload,
        title: str | None = None,
        wait: bool = True,
        source_id: str | None = None,
        whole: bool = False,
    ) -> AddedSource:
        """Add a file: PDF, Office, OpenDocument, EPUB, web page, Markdown, mail, subtitles, image, sound and more."""
    def add_drive(self, notebook_id: str | None, file: str, title: str | None = None, wait: bool = True) -> AddedSource:
        """Add a file of the folder that research finds files in."""
    def get(self, notebook_id: str | None, source_id: str) -> Source:
        """Get one source and its state."""
    def rename(self, notebook_id: str | None, source_id: str, title: str) -> Source:
        """Give a source another title."""
    def copy(self, notebook_id: str | None, source_ids: list_[str], into: str, wait: bool = True) -> Page[CopiedSource]:
        """Copy sources of a notebook into another, with their originals."""
    def delete(self, notebook_id: str | None, source_id: str) -> Source:
        """Delete a source. Answers that cited it keep their excerpts."""
    def get_fulltext(
        self, notebook_id: str | None, source_id: str, start: int = 0, limit: int = 100000, version: int | None = None
    ) -> SourceText:
        """Read a source's text, or the part of it that begins at `start`."""
    def download(self, notebook_id: str | None, source_id: str) -> Download:
        """Get the file that a source was made of, byte for byte. A pasted text has none."""
    def get_guide(self, notebook_id: str | None, source_id: str) -> SourceGuide:
        """What a source is about: a short summary in its own sentences, and keywords."""
    def wait(self, notebook_id: str | None, source_id: str, seconds: float = 120.0) -> Source:
        """Wait until a source has been read, and say how it went."""
    def search(
        self,
        notebook_id: str | None,
        query: str,
        source_ids: list_[str] | None = None,
        limit: int = 10,
        label_ids: list_[str] | None = None,
    ) -> Page[PassageHit]:
        """Find the passages of a notebook's sources that fit a query best, by words and by meaning."""
    def search_across(self, query: str, notebook_ids: list_[str] | None = None, limit: int = 10) -> LibraryHits:
        """Find the passages that fit a query best in several notebooks, or in all that you may read."""
    def refresh(
        self, notebook_id: str | None, source_id: str, wait: bool = True, whole: bool | None = None
    ) -> RefreshedSource:
        """Read a source's web page or file again."""
    def check_freshness(self, notebook_id: str | None, source_id: str) -> Freshness:
        """Compare a source with what it came from: a web page, file, note or book. Nothing but that is kept."""
    def refresh_stale(self, notebook_id: str | None = None, only_check: bool = False, wait: bool = True) -> Job:
        """Compare all sources of a notebook with what they came from, and read those again that have changed."""
    def add_url(self, notebook_id: str | None, url: str) -> AddedSource:
        """Add a web page."""
    def add_text(self, notebook_id: str | None, title: str, content: str) -> AddedSource:
        """Add a text."""

class Labels:
    def list(self, notebook_id: str | None = None, limit: int = 200, cursor: str | None = None) -> Page[Label]:
        """List a notebook's labels with the ids of their sources."""
    def get(self, notebook_id: str | None, label_id: str) -> Label:
        """Get one label."""
    def sources(
        self, notebook_id: str | None, label_id: str, limit: int = 200, cursor: str | None = None
    ) -> Page[Source]:
        """List the sources under a label."""
    def generate(self, notebook_id: str | None = None, scope: Literal["all", "unlabeled"] = "unlabeled") -> Page[Label]:
        """Label sources by topic. Labels that a person made or changed keep their names and sources."""
    def create(self, notebook_id: str | None, name: str, emoji: str = "") -> Label:
        """Make an empty label."""
    def update(
        self, notebook_id: str | None, label_id: str, name: str | None = None, emoji: str | None = None
    ) -> Label:
        """Give a label another name or emoji."""
    def add_sources(self, notebook_id: str | None, label_id: str, source_ids: list_[str]) -> Label:
        """Put sources under a label; they keep their other labels."""
    def remove_sources(self, notebook_id: str | None, label_id: str, source_ids: list_[str]) -> Label:
        """Take sources from under a label. Nothing is deleted."""
    def delete(self, notebook_id: str | None, label_ids: list_[str]) -> Page[Label]:
        """Delete labels; their sources stay."""
    def rename(self, notebook_id: str | None, label_id: str, name: str) -> Label:
        """Give a label another name."""
    def set_emoji(self, notebook_id: str | None, label_id: str, emoji: str) -> Label:
        """Give a label an emoji, or take it away."""

class Collections:
    def list(self, limit: int = 200, cursor: str | None = None) -> Page[Collection]:
        """List your collections with the ids of their notebooks."""
    def get(self, collection_id: str) -> Collection:
        """Get one collection."""
    def notebooks(self, collection_id: str, limit: int = 200, cursor: str | None = None) -> Page[Notebook]:
        """List the notebooks in a collection."""
    def create(self, name: str, emoji: str = "") -> Collection:
        """Make an empty collection."""
    def update(self, collection_id: str, name: str | None = None, emoji: str | None = None) -> Collection:
        """Give a collection another name or emoji."""
    def add_notebooks(self, collection_id: str, notebook_ids: list_[str]) -> Collection:
        """Put notebooks into a collection."""
    def remove_notebooks(self, collection_id: str, notebook_ids: list_[str]) -> Collection:
        """Take notebooks out of a collection. Nothing is deleted."""
    def delete(self, collection_ids: list_[str]) -> Page[Collection]:
        """Delete collections; their notebooks stay."""
    def rename(self, collection_id: str, name: str) -> Collection:
        """Give a collection another name."""
    def set_emoji(self, collection_id: str, emoji: str) -> Collection:
        """Give a collection an emoji, or take it away."""

class Research:
    def start(
        self,
        notebook_id: str | None,
        query: str,
        source: Literal["web", "drive"] = "web",
        mode: Literal["fast", "deep"] = "fast",
        pages: int | None = None,
        seconds: int | None = None,
        rounds: int | None = None,
        wait: bool = False,
    ) -> ResearchRun:
        """Look for sources on a topic or question. It goes on by itself; get_research tells how far it is."""
    def poll(self, notebook_id: str | None, research_id: str) -> ResearchRun:
        """See how far a run is, and what it has found: pages, files, a report."""
    def list(self, notebook_id: str | None = None, limit: int = 20, cursor: str | None = None) -> Page[ListedResearch]:
        """List a notebook's runs, newest first."""
    def wait(self, notebook_id: str | None, research_id: str, seconds: float = 1800.0) -> ResearchRun:
        """Wait until a run is over, with progress. One whose worker died goes on from its last step."""
    def cancel(self, notebook_id: str | None, research_id: str) -> ResearchRun:
        """Stop a run. One that is over stays as it is."""
    def import_sources(
        self,
        notebook_id: str | None,
        research_id: str,
        numbers: list_[int] | None = None,
        cited: bool = False,
        wait: bool = True,
    ) -> Page[AddedSource]:
        """Add what a run found as sources. Each becomes one source, however often it is imported."""
    def discover(self, notebook_id: str | None, query: str = "") -> ResearchRun:
        """Find pages on the web in one call, ranked and described. The run is kept, to import from."""

class Chat:
    def ask(
        self,
        notebook_id: str | None,
        question: str,
        source_ids: list_[str] | None = None,
        conversation_id: str | None = None,
        label_ids: list_[str] | None = None,
    ) -> Answer:
        """Ask a notebook's sources. The answer cites them, and every citation is checked."""
    def ask_across(
        self, question: str, notebook_ids: list_[str] | None = None, conversation_id: str | None = None
    ) -> LibraryAnswer:
        """Ask the sources of several notebooks, or of all that you may read. Each citation names its notebook."""
    def list_conversations(
        self, notebook_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[Conversation]:
        """List your conversations with a notebook, newest first."""
    def get_history(self, conversation_id: str, limit: int = 50, cursor: str | None = None) -> Page[Turn]:
        """The questions and answers of a conversation, newest first."""
    def delete_conversation(self, conversation_id: str) -> Conversation:
        """Delete a conversation with all in it."""
    def configure(
        self,
        notebook_id: str | None = None,
        goal: Literal["default", "learning_guide", "custom"] = "default",
        instructions: str = "",
        length: Literal["default", "longer", "shorter"] = "default",
    ) -> ChatConfiguration:
        """Say how a notebook's chat answers: as a teacher, by your own instructions, at length or shortly."""
    def get_configuration(self, notebook_id: str | None = None) -> ChatConfiguration:
        """How a notebook's chat answers."""
    def save_answer_as_note(self, notebook_id: str | None, answer_id: str, title: str | None = None) -> Note:
        """Keep an answer as a note with its citations. Kept again, it is the same note."""
    def ask_stream(
        self,
        notebook_id: str | None,
        question: str,
        source_ids: list_[str] | None = None,
        conversation_id: str | None = None,
        label_ids: list_[str] | None = None,
    ) -> Generator[AnswerPart | Answer]:
        """Ask a notebook's sources. The answer cites them, and every citation is checked."""
    def ask_across_stream(
        self, question: str, notebook_ids: list_[str] | None = None, conversation_id: str | None = None
    ) -> Generator[AnswerPart | LibraryAnswer]:
        """Ask the sources of several notebooks, or of all that you may read. Each citation names its notebook.

        The conversation is kept in your inbox."""

class Notes:
    def create(self, notebook_id: str | None = None, title: str = "New Note", content: str = "") -> Note:
        """Add a note to a notebook, or to the inbox when none is named."""
    def get(self, notebook_id: str | None, note_id: str) -> Note:
        """Get one note by its id or its short id."""
    def list(self, notebook_id: str | None = None, limit: int = 200, cursor: str | None = None) -> Page[Note]:
        """List the notes of a notebook, newest first."""
    def search(self, notebook_id: str | None, query: str, limit: int = 200, cursor: str | None = None) -> Page[NoteHit]:
        """Find notes whose title or content contains the query, whatever its case, newest first."""
    def update(
        self,
        notebook_id: str | None,
        note_id: str,
        content: str | None = None,
        title: str | None = None,
        revision: int | None = None,
    ) -> Note:
        """Change a note's content, its title or both; what is left out stays as it is."""
    def delete(self, notebook_id: str | None, note_id: str) -> Note:
        """Delete a note for good, and return what it was."""
    def watch(
        self,
        notebook_id: str | None = None,
        after: int | None = None,
        limit: int | None = None,
        seconds: float | None = None,
    ) -> Generator[NoteChange | Watched]:
        """Follow what happens to the notes of a notebook, as it happens."""
    def import_(self, notebook_id: str | None, file: Upload, wait: bool = True) -> Job:
        """Import notes from a Markdown file: each top-level heading begins a note. Runs as a job."""
    def convert_to_source(self, notebook_id: str | None, note_id: str) -> AddedSource:
        """Make a source of a note, so that answers cite it. Converted again, it is a new version of that source."""
    def convert_all_to_sources(self, notebook_id: str | None = None, wait: bool = True) -> Job:
        """Make a source of every note of a notebook, or a new version where its note has changed. Runs as a job."""
    def export(
        self,
        notebook_id: str | None = None,
        wait: bool = True,
        format: Literal["markdown", "docx", "xlsx"] = "markdown",
        note_ids: list_[str] | None = None,
    ) -> Job:
        """Export notes as one file: Markdown, a Word document, or a workbook of their tables."""

class Artifacts:
    def list(
        self,
        notebook_id: str | None = None,
        kind: Literal[
            "audio", "video", "report", "quiz", "flashcards", "mind_map", "data_table", "slide_deck", "infographic"
        ]
        | None = None,
        limit: int = 200,
        cursor: str | None = None,
    ) -> Page[Artifact]:
        """List what was made of a notebook's sources, newest first."""
    def get(self, notebook_id: str | None, artifact_id: str) -> Artifact:
        """See how far an artifact is, and which files it has."""
    def generate(
        self,
        notebook_id: str | None,
        kind: Literal[
            "audio", "video", "report", "quiz", "flashcards", "mind_map", "data_table", "slide_deck", "infographic"
        ],
        instructions: str | None = None,
        format: Literal[
            "briefing_doc",
            "study_guide",
            "blog_post",
            "custom",
            "deep_dive",
            "brief",
            "critique",
            "debate",
            "explainer",
            "cinematic",
            "short",
            "detailed_deck",
            "presenter_slides",
        ]
        | None = None,
        length: Literal["short", "default", "long"] | None = None,
        quantity: Literal["fewer", "standard", "more"] | None = None,
        difficulty: Literal["easy", "medium", "hard"] | None = None,
        orientation: Literal["landscape", "portrait", "square"] | None = None,
        detail: Literal["concise", "standard", "detailed"] | None = None,
        style: str | None = None,
        language: str | None = None,
        source_ids: list_[str] | None = None,
        label_ids: list_[str] | None = None,
        title: str | None = None,
        draft: bool = False,
        wait: bool = True,
    ) -> Artifact:
        """Make something of a notebook's sources, grounded in them: a report, quiz, mind map, slide deck, audio, ..."""
    def wait_for_completion(self, notebook_id: str | None, artifact_id: str, seconds: float = 3600.0) -> Artifact:
        """Wait until an artifact is made, with progress, and say how it went."""
    def download(self, notebook_id: str | None, artifact_id: str, format: str | None = None) -> Download:
        """Get a file of an artifact."""
    def get_content(self, notebook_id: str | None, artifact_id: str) -> ArtifactContent:
        """What an artifact says, each statement with the passages it rests on."""
    def edit(self, notebook_id: str | None, artifact_id: str, content: str, wait: bool = True) -> Artifact:
        """Change what an artifact says, and make its files anew. Statements are checked again."""
    def revise_slide(
        self, notebook_id: str | None, artifact_id: str, slide_index: int, prompt: str, wait: bool = True
    ) -> Artifact:
        """Make one slide or scene of a video anew: shorter, longer, other sentences, title: …; by a model all else."""
    def rename(self, notebook_id: str | None, artifact_id: str, title: str) -> Artifact:
        """Give an artifact another title; files that were made before show the one they had."""
    def retry_failed(self, notebook_id: str | None, artifact_id: str, wait: bool = True) -> Artifact:
        """Make a failed artifact again, under the same id."""
    def copy(self, notebook_id: str | None, artifact_id: str) -> Artifact:
        """Copy an artifact with its files into a notebook."""
    def share(
        self, notebook_id: str | None, artifact_id: str, format: str | None = None, days: int = 30
    ) -> ArtifactLink:
        """Get an address at which anyone who has it can download the file. Mind maps have none."""
    def delete(self, notebook_id: str | None, artifact_id: str) -> Artifact:
        """Delete an artifact and its files."""
    def suggest_reports(self, notebook_id: str | None = None) -> Page[SuggestedReport]:
        """Reports that fit a notebook's sources; make_artifact takes a prompt of theirs as instructions."""
    def poll_status(self, notebook_id: str | None, artifact_id: str) -> Artifact:
        """How far an artifact is."""
    def get_prompt(self, notebook_id: str | None, artifact_id: str) -> str:
        """The instructions that an artifact was made by."""
    def generate_report(
        self,
        notebook_id: str | None,
        report_format: Literal[
            "briefing_doc",
            "study_guide",
            "blog_post",
            "custom",
            "deep_dive",
            "brief",
            "critique",
            "debate",
            "explainer",
            "cinematic",
            "short",
            "detailed_deck",
            "presenter_slides",
        ] = "briefing_doc",
        source_ids: list_[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
    ) -> Artifact:
        """Begin a report."""
    def generate_study_guide(
        self,
        notebook_id: str | None,
        source_ids: list_[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
    ) -> Artifact:
        """Begin a study guide."""
    def generate_quiz(
        self,
        notebook_id: str | None,
        source_ids: list_[str] | None = None,
        instructions: str | None = None,
        quantity: Literal["fewer", "standard", "more"] | None = None,
        difficulty: Literal["easy", "medium", "hard"] | None = None,
        language: str | None = None,
    ) -> Artifact:
        """Begin a quiz."""
    def generate_flashcards(
        self,
        notebook_id: str | None,
        source_ids: list_[str] | None = None,
        instructions: str | None = None,
        quantity: Literal["fewer", "standard", "more"] | None = None,
        difficulty: Literal["easy", "medium", "hard"] | None = None,
        language: str | None = None,
    ) -> Artifact:
        """Begin flashcards."""
    def generate_data_table(
        self,
        notebook_id: str | None,
        source_ids: list_[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
    ) -> Artifact:
        """Begin a data table."""
    def generate_mind_map(
        self,
        notebook_id: str | None,
        source_ids: list_[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
    ) -> Artifact:
        """Begin an interactive mind map."""
    def generate_slide_deck(
        self,
        notebook_id: str | None,
        source_ids: list_[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
        slide_format: Literal[
            "briefing_doc",
            "study_guide",
            "blog_post",
            "custom",
            "deep_dive",
            "brief",
            "critique",
            "debate",
            "explainer",
            "cinematic",
            "short",
            "detailed_deck",
            "presenter_slides",
        ]
        | None = None,
        slide_length: Literal["short", "default", "long"] | None = None,
    ) -> Artifact:
        """Begin a slide deck."""
    def generate_infographic(
        self,
        notebook_id: str | None,
        source_ids: list_[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
        orientation: Literal["landscape", "portrait", "square"] | None = None,
        detail_level: Literal["concise", "standard", "detailed"] | None = None,
        style: str | None = None,
    ) -> Artifact:
        """Begin an infographic."""
    def generate_audio(
        self,
        notebook_id: str | None,
        source_ids: list_[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
        audio_format: Literal[
            "briefing_doc",
            "study_guide",
            "blog_post",
            "custom",
            "deep_dive",
            "brief",
            "critique",
            "debate",
            "explainer",
            "cinematic",
            "short",
            "detailed_deck",
            "presenter_slides",
        ]
        | None = None,
        audio_length: Literal["short", "default", "long"] | None = None,
    ) -> Artifact:
        """Begin an audio overview."""
    def generate_video(
        self,
        notebook_id: str | None,
        source_ids: list_[str] | None = None,
        language: str | None = None,
        instructions: str | None = None,
        video_format: Literal[
            "briefing_doc",
            "study_guide",
            "blog_post",
            "custom",
            "deep_dive",
            "brief",
            "critique",
            "debate",
            "explainer",
            "cinematic",
            "short",
            "detailed_deck",
            "presenter_slides",
        ]
        | None = None,
        video_style: str | None = None,
    ) -> Artifact:
        """Begin a video overview."""
    def export(self, notebook_id: str | None, artifact_id: str) -> Download:
        """The artifact as a file of an office program, where it has one, else its main file."""

class Books:
    def list(self) -> BookList:
        """List the registered books."""
    def create(self, book_id: str, title: str, storage_backend: str | None = None) -> Book:
        """Register a new book; its files can be written from then on."""
    def update(
        self,
        book_id: str,
        title: str | None = None,
        status: Literal["active", "archived", "migrating"] | None = None,
        require_hash: bool | None = None,
        overlays: bool | None = None,
    ) -> Book:
        """Change a book's title, its status, or its rules."""
    def delete(self, book_id: str) -> Book:
        """Delete a book with all of its files and what they were. Its log is kept; its id can be given again."""
    def read_content(self, book_id: str, path: str, overlay: bool = False) -> Content:
        """Read a file of a book, with its hash."""
    def write_content(self, book_id: str, path: str, content: str, file_hash: str | None = None) -> ContentWritten:
        """Create or replace a file of a book; with `file_hash`, only if nobody changed it meanwhile."""
    def delete_content(self, book_id: str, path: str, file_hash: str | None = None) -> ContentDeleted:
        """Delete a file of a book; one that is not there is no error."""
    def edit_content(
        self,
        book_id: str,
        path: str,
        mode: Literal["replace", "append", "section"],
        text: str,
        find: str | None = None,
        heading: str | None = None,
        file_hash: str | None = None,
    ) -> ContentEdited:
        """Change a part of a file without sending all of it, and see the difference."""
    def move_content(self, book_id: str, path: str, new_path: str, file_hash: str | None = None) -> ContentMoved:
        """Move or rename a file within its book; its bytes and hash stay as they are."""
    def read_summary(self, book_id: str, chapter_id: str) -> Summary:
        """Read the summary of a chapter, with its hash."""
    def write_summary(
        self, book_id: str, chapter_id: str, content: str, file_hash: str | None = None
    ) -> SummaryWritten:
        """Create or replace the summary of a chapter."""
    def delete_summary(self, book_id: str, chapter_id: str, file_hash: str | None = None) -> ContentDeleted:
        """Delete the summary of a chapter; one that is not there is an error."""
    def upload_asset(
        self,
        book_id: str,
        asset_type: Literal["images", "slides", "videos", "audio"],
        filename: str,
        binary_data: str | None = None,
        file_size: int | None = None,
        file_hash: str | None = None,
    ) -> AssetUploaded:
        """Add an asset: below 10 MiB with its bytes; up to 100 MiB by its size, for an address to upload to."""
    def add_asset(
        self,
        book_id: str,
        asset_type: Literal["images", "slides", "videos", "audio"],
        file: Upload,
        file_hash: str | None = None,
    ) -> AssetUploaded:
        """Add a file to the assets of a book, up to 100 MiB."""
    def get_asset(
        self, book_id: str, asset_type: Literal["images", "slides", "videos", "audio"], filename: str
    ) -> Asset:
        """Get what is known of an asset, and the address where it can be had."""
    def download_asset(
        self, book_id: str, asset_type: Literal["images", "slides", "videos", "audio"], filename: str
    ) -> Download:
        """Get an asset's bytes, or an address that gives them out for an hour without a token."""
    def list_assets(
        self,
        book_id: str,
        asset_type: Literal["images", "slides", "videos", "audio"] | None = None,
        limit: int = 200,
        cursor: str | None = None,
    ) -> Page[Asset]:
        """List the assets of a book: their names, kinds, sizes and addresses."""
    def delete_asset(
        self,
        book_id: str,
        asset_type: Literal["images", "slides", "videos", "audio"],
        filename: str,
        file_hash: str | None = None,
    ) -> ContentDeleted:
        """Delete an asset; one that is not there is no error. Its history is kept for a while."""
    def content_history(
        self, book_id: str, path: str, limit: int = 50, cursor: str | None = None
    ) -> Page[ContentVersion]:
        """List what a file was, newest first; a deleted file still has its history."""
    def diff_content(self, book_id: str, path: str, from_revision: int, to_revision: int | None = None) -> ContentDiff:
        """Show the difference between two revisions of a file; the newest, when the second is left out."""
    def restore_content(self, book_id: str, path: str, revision: int, file_hash: str | None = None) -> ContentWritten:
        """Make a file again what it was at a revision; that becomes its newest one."""
    def audit(
        self,
        book_id: str,
        path: str = "",
        actor: str = "",
        operation: str = "",
        since: AwareDatetime | None = None,
        until: AwareDatetime | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[AuditEntry]:
        """List what was done to a book, newest first."""
    def verify_audit(self, book_id: str) -> AuditVerdict:
        """Check that each entry of a book's log follows from the one before, and that its files are as it says."""
    def glob_search(
        self,
        book_id: str,
        pattern: str,
        all_books: bool = False,
        limit: int = 1000,
        cursor: str | None = None,
        overlay: bool = False,
    ) -> PathsFound:
        """Find files of a book by a glob such as lessons/**/*.md."""
    def grep_search(
        self,
        book_id: str,
        pattern: str,
        all_books: bool = False,
        max_results: int = 100,
        cursor: str | None = None,
        overlay: bool = False,
    ) -> LinesFound:
        """Find lines of a book's Markdown files by a regular expression."""
    def scan_book(
        self, book_id: str, pattern: str, all_books: bool = False, overlay: bool = False
    ) -> Generator[LineFound | Scanned]:
        """Find every line that a regular expression matches, each told as soon as it is found."""
    def get_book_archive(self, book_id: str, since: str | None = None) -> BookArchive:
        """Make a ZIP of a whole book, with a manifest of hashes, and get an address for it that is good for an hour."""
    def export_book(self, book_id: str) -> Download:
        """Download a ZIP of a whole book, with a manifest of hashes."""
    def plan_build(
        self, book_id: str, manifest_hash: str | None = None, limit: int = 1000, cursor: str | None = None
    ) -> BuildPlan:
        """Tell which files of a book have changed since the state with a manifest hash, and the hash of today's."""
    def write_overlay(self, book_id: str, path: str, content: str, file_hash: str | None = None) -> OverlayWritten:
        """Keep a copy of a file for yourself, which nobody else sees; the book's own file stays as it is."""
    def delete_overlay(self, book_id: str, path: str, file_hash: str | None = None) -> ContentDeleted:
        """Delete your own copy of a file; the book's own is what you read from then on."""
    def list_overlays(self, book_id: str, limit: int = 200, cursor: str | None = None) -> Page[Overlay]:
        """List your own copies of a book's files, and whether the book's have changed since."""
    def add_to_notebook(self, book_id: str, notebook_id: str | None = None, title: str | None = None) -> Source:
        """Add a book to a notebook as a source, which stays in step with the book's files."""

class Scratch:
    def create(
        self, pattern: str | None = None, title: str | None = None, sources_of: str | None = None
    ) -> ScratchNotebook:
        """Make a scratch notebook of cells that run Python or JavaScript, empty or from a template."""
    def list(self) -> Page[ScratchNotebook]:
        """List your scratch notebooks, newest first."""
    def get(self, notebook_id: str) -> ScratchNotebook:
        """Show a scratch notebook: its address, its cells by id and kind, and when it expires."""
    def delete(self, notebook_id: str) -> ScratchNotebook:
        """Delete a scratch notebook, and end all that it runs."""
    def import_(
        self, format: Literal["srcmd", "ipynb", "json"], text: str | None = None, path: str | None = None
    ) -> ScratchNotebook:
        """Make a scratch notebook from srcmd, a Jupyter notebook or JSON."""
    def add_cell(
        self,
        notebook_id: str,
        type: Literal["markdown", "code", "title", "package.json", "raw"],
        source: str,
        language: str | None = None,
        filename: str | None = None,
        index: int | None = None,
        revision: int | None = None,
    ) -> CellChange:
        """Add a cell to a scratch notebook. Code is in the notebook's language unless its file name says otherwise."""
    def update_cell(
        self,
        notebook_id: str,
        cell_id: str,
        source: str | None = None,
        language: str | None = None,
        filename: str | None = None,
        revision: int | None = None,
    ) -> CellChange:
        """Change what stands in a cell, its language or its file name; what is left out stays as it is."""
    def move_cell(self, notebook_id: str, cell_id: str, index: int, revision: int | None = None) -> CellChange:
        """Move a cell to another place in its notebook."""
    def delete_cell(self, notebook_id: str, cell_id: str, revision: int | None = None) -> CellChange:
        """Delete a cell, and return what it was."""
    def run_cell(
        self, notebook_id: str, cell_id: str, timeout: float = 120.0
    ) -> Generator[CellOutput | CellCleared | Execution]:
        """Run a code cell in the notebook's kernel, which keeps its state; what it puts out comes as it does."""
    def run_all(
        self, notebook_id: str, timeout: float = 120.0
    ) -> Generator[CellOutput | CellCleared | Execution | ScratchRun]:
        """Run all code cells from top to bottom; the first that fails ends it."""
    def interrupt(self, notebook_id: str) -> ScratchNotebook:
        """Stop what a scratch notebook is running; its state is kept where that can be done."""
    def restart(self, notebook_id: str) -> ScratchNotebook:
        """End a scratch notebook's kernels; the next cell that runs begins afresh."""
    def export(self, notebook_id: str, format: Literal["srcmd", "ipynb", "json"] = "srcmd") -> Exported:
        """Write a scratch notebook as srcmd, Jupyter notebook or JSON, with a file for each cell beside it."""
    def save(self, notebook_id: str, kind: Literal["source", "note"] = "source", into: str | None = None) -> Saved:
        """Keep a scratch notebook in a notebook for good, with its outputs, so that answers can cite its cells."""

class Transformations:
    def list(self, limit: int = 200, cursor: str | None = None) -> Page[Transformation]:
        """List the built-in transformations and your own."""
    def create(self, name: str, prompt: str) -> Transformation:
        """Keep a prompt under a name, to run it over sources."""
    def update(self, transformation_id: str, name: str | None = None, prompt: str | None = None) -> Transformation:
        """Change the name or the prompt of a transformation of yours."""
    def delete(self, transformation_id: str) -> Transformation:
        """Delete a transformation of yours. The notes that it made stay."""
    def run(
        self,
        notebook_id: str | None,
        transformation_id: str,
        source_ids: list_[str] | None = None,
        label_ids: list_[str] | None = None,
        new_notes: bool = False,
        wait: bool = True,
    ) -> Job:
        """Run a transformation over sources, all of a notebook unless some are named; each result is a note."""
    def results(
        self, notebook_id: str | None = None, limit: int = 200, cursor: str | None = None
    ) -> Page[TransformedNote]:
        """List the notes that transformations made in a notebook, each with its source."""

class Settings:
    def get_output_language(self) -> OutputLanguage:
        """In which language Quire speaks to you. Without one it is the language of each question."""
    def set_output_language(self, language: str) -> OutputLanguage:
        """Have Quire speak in one language, whatever a question's is: in its own words, and in all that is made."""
    def list_output_languages(self) -> Page[OutputLanguage]:
        """List the languages that can be set."""
    def get_account_limits(self) -> Limits:
        """How much there can be of everything here, what is free on the disk, and how often tools may be called."""
    def get_usage(self) -> Usage:
        """How much you have, in the notebooks that are your own."""

class Jobs:
    def list(self, notebook_id: str | None = None, limit: int = 50, cursor: str | None = None) -> Page[Job]:
        """List long-running work, newest first: of one notebook, or of all of yours."""
    def get(self, job_id: str) -> Job:
        """See how far a job is, and what came of it."""
    def wait(self, job_id: str) -> Job:
        """Wait until a job has ended, with progress. A failed job is an error here."""
    def cancel(self, job_id: str) -> Job:
        """Stop a job. What it has done so far is kept."""
    def file(self, job_id: str) -> Download:
        """Get the file that a job made."""

class Sharing:
    def get_status(self, notebook_id: str) -> ShareStatus:
        """With whom a notebook is shared, and its link."""
    def set_public(self, notebook_id: str, public: bool = True, welcome_message: str = "") -> ShareStatus:
        """Let everybody on this server who has a notebook's link open it as a viewer."""
    def set_view_level(self, notebook_id: str, level: Literal["full", "chat"]) -> ShareStatus:
        """Say what viewers see of a notebook: all of it, or only its chat."""
    def add_user(
        self,
        notebook_id: str,
        email: str,
        permission: Literal["viewer", "editor"] = "viewer",
        welcome_message: str = "",
    ) -> ShareStatus:
        """Share a notebook with somebody. One who is not on this server yet is let in once they are."""
    def update_user(self, notebook_id: str, email: str, permission: Literal["viewer", "editor"]) -> ShareStatus:
        """Give somebody another permission."""
    def remove_user(self, notebook_id: str, email: str) -> ShareStatus:
        """Share a notebook with somebody no longer; it ends at once."""
    def open(self, notebook_id: str) -> OpenedNotebook:
        """Open a notebook that is shared with you or public. From then on it is in your list."""
    def leave(self, notebook_id: str) -> OpenedNotebook:
        """Leave a notebook that is shared with you."""
    def log(self, notebook_id: str, limit: int = 50, cursor: str | None = None) -> Page[SharingEntry]:
        """Who shared a notebook with whom, newest first."""

class People:
    def whoami(self) -> Person:
        """Who you are to this server."""
    def add(self, name: str, email: str) -> Person:
        """Let somebody use this server. Notebooks that were shared with the address before are theirs at once."""
    def list(self, limit: int = 200, cursor: str | None = None) -> Page[Person]:
        """List the people of this server."""
    def get(self, person: str | None = None) -> Person:
        """Get one person."""
    def update(self, person: str | None = None, name: str | None = None, email: str | None = None) -> Person:
        """Give somebody another name or address."""
    def remove(
        self, person: str, give_to: str | None = None, export_to: str | None = None, delete_all: bool = False
    ) -> RemovedPerson:
        """Take somebody off this server: their tokens and sessions end at once."""
    def create_token(self, person: str | None = None, label: str = "", days: int = 90) -> NewToken:
        """Make a token, which is shown this once."""
    def list_tokens(self, person: str | None = None) -> Page[Token]:
        """List somebody's tokens: what for, until when, and when last used."""
    def revoke_token(self, token_id: str) -> Token:
        """End a token, and all that runs by it, at once."""
    def log(self, limit: int = 50, cursor: str | None = None) -> Page[SharingEntry]:
        """Who let whom in to what on this server, newest first."""

class Services:
    @property
    def health(self) -> Health: ...
    @property
    def notebooks(self) -> Notebooks: ...
    @property
    def sources(self) -> Sources: ...
    @property
    def labels(self) -> Labels: ...
    @property
    def collections(self) -> Collections: ...
    @property
    def research(self) -> Research: ...
    @property
    def chat(self) -> Chat: ...
    @property
    def notes(self) -> Notes: ...
    @property
    def artifacts(self) -> Artifacts: ...
    @property
    def books(self) -> Books: ...
    @property
    def scratch(self) -> Scratch: ...
    @property
    def transformations(self) -> Transformations: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def sharing(self) -> Sharing: ...
    @property
    def people(self) -> People: ...
