"""The codes on the wire, by name. UNKNOWN stands for a code that these tables do not hold."""

from __future__ import annotations

from enum import IntEnum


class ArtifactKind(IntEnum):
    """`APP` is a quiz, flashcards or an interactive mind map (see `AppVariant`); `MIND_MAP` is kept as a note."""

    UNKNOWN = -1
    UNSPECIFIED = 0
    AUDIO = 1
    REPORT = 2
    VIDEO = 3
    APP = 4
    MIND_MAP = 5
    INFOGRAPHIC = 7
    SLIDE_DECK = 8
    DATA_TABLE = 9
    FILE = 10


class AppVariant(IntEnum):
    UNKNOWN = -1
    UNSPECIFIED = 0
    FLASHCARDS = 1
    QUIZ = 2
    MIND_MAP = 4


class ArtifactState(IntEnum):
    UNKNOWN = -1
    UNSPECIFIED = 0
    PENDING = 1
    IN_PROGRESS = 2
    READY = 3
    FAILED = 4
    SUGGESTED = 5
    IN_REVIEW = 6


class SourceKind(IntEnum):
    """`SHEET` came first as 14, which now is any file of Google Drive; its media type tells which."""

    UNKNOWN = -1
    UNSPECIFIED = 0
    GOOGLE_DOC = 1
    GOOGLE_SLIDES = 2
    PDF = 3
    TEXT = 4
    WEB_PAGE = 5
    PPTX = 6
    SHEET = 7
    MARKDOWN = 8
    YOUTUBE = 9
    MEDIA = 10
    DOCX = 11
    XLSX = 12
    IMAGE = 13
    DRIVE_FILE = 14
    GMAIL = 15
    CSV = 16
    EPUB = 17
    GEMINI_CHAT = 18
    AI_MODE = 19
    PLAY_BOOK = 20


class SourceState(IntEnum):
    UNKNOWN = -1
    UNSPECIFIED = 0
    PROCESSING = 1
    READY = 2
    FAILED = 3
    PREPARING = 5


class DriveState(IntEnum):
    UNKNOWN = -1
    UNSPECIFIED = 0
    INACCESSIBLE = 1
    SYNCING = 2
    ACTIVE = 3
    DELETED = 4


class ChatGoal(IntEnum):
    UNKNOWN = -1
    DEFAULT = 1
    CUSTOM = 2
    LEARNING_GUIDE = 3


class ChatLength(IntEnum):
    UNKNOWN = -1
    DEFAULT = 1
    LONGER = 4
    SHORTER = 5


class AudioFormat(IntEnum):
    UNKNOWN = -1
    DEEP_DIVE = 1
    BRIEF = 2
    CRITIQUE = 3
    DEBATE = 4


class AudioLength(IntEnum):
    UNKNOWN = -1
    SHORT = 1
    DEFAULT = 2
    LONG = 3


class VideoFormat(IntEnum):
    UNKNOWN = -1
    EXPLAINER = 1
    BRIEF = 2
    CINEMATIC = 3
    SHORT = 4


class VideoStyle(IntEnum):
    """`CUSTOM` is nought, so it is sent as nothing, with a prompt behind it."""

    UNKNOWN = -1
    CUSTOM = 0
    AUTO = 1
    CLASSIC = 2
    WHITEBOARD = 3
    HERITAGE = 4
    PAPER_CRAFT = 5
    WATERCOLOR = 6
    ANIME = 7
    RETRO_PRINT = 8
    KAWAII = 9


class InfographicOrientation(IntEnum):
    UNKNOWN = -1
    LANDSCAPE = 1
    PORTRAIT = 2
    SQUARE = 3


class InfographicDetail(IntEnum):
    UNKNOWN = -1
    CONCISE = 1
    STANDARD = 2
    DETAILED = 3


class InfographicStyle(IntEnum):
    UNKNOWN = -1
    AUTO = 1
    SKETCH_NOTE = 2
    PROFESSIONAL = 3
    BENTO_GRID = 4
    EDITORIAL = 5
    INSTRUCTIONAL = 6
    BRICKS = 7
    CLAY = 8
    ANIME = 9
    KAWAII = 10
    SCIENTIFIC = 11


class SlideFormat(IntEnum):
    UNKNOWN = -1
    DETAILED = 1
    PRESENTER = 2


class SlideLength(IntEnum):
    UNKNOWN = -1
    DEFAULT = 1
    SHORT = 2


class Quantity(IntEnum):
    UNKNOWN = -1
    FEWER = 1
    STANDARD = 2
    MORE = 3


class Difficulty(IntEnum):
    UNKNOWN = -1
    EASY = 1
    MEDIUM = 2
    HARD = 3


class ExportKind(IntEnum):
    UNKNOWN = -1
    DOCS = 1
    SHEETS = 2


class AudienceLevel(IntEnum):
    UNKNOWN = -1
    BEGINNER = 1
    INTERMEDIATE = 2
    ADVANCED = 3


class Permission(IntEnum):
    UNKNOWN = -1
    OWNER = 1
    EDITOR = 2
    VIEWER = 3
    REMOVE = 4


class Access(IntEnum):
    UNKNOWN = -1
    RESTRICTED = 0
    LINK = 1


class ViewLevel(IntEnum):
    UNKNOWN = -1
    FULL = 0
    CHAT_ONLY = 1


class NoteKind(IntEnum):
    """How a note came to be. Mind maps and notes saved from chat are `GENERATED`."""

    UNKNOWN = -1
    WRITTEN = 1
    GENERATED = 2


class TurnRole(IntEnum):
    UNKNOWN = -1
    QUESTION = 1
    ANSWER = 2


class SessionState(IntEnum):
    UNKNOWN = -1
    IDLE = 1
    BUSY = 2


class ResearchSource(IntEnum):
    UNKNOWN = -1
    WEB = 1
    DRIVE = 2


class DiscoveryMode(IntEnum):
    UNKNOWN = -1
    UNSPECIFIED = 0
    FAST = 1
    RAW = 2
    CURIOUS = 3
    CURIOUS_RAW = 4
    DEEP = 5


class ResearchState(IntEnum):
    """6 is in the contract as done; it was never seen. 5 is ours: clients take what they do not know for a failure."""

    UNKNOWN = -1
    UNSPECIFIED = 0
    RUNNING = 1
    DONE = 2
    NO_RESULTS = 3
    CANCELLED = 4
    FAILED = 5
    DONE_DEEP = 6


class Provider(IntEnum):
    UNKNOWN = -1
    PLAY_BOOKS = 1


class Status(IntEnum):
    """The codes of google.rpc."""

    UNKNOWN = -1
    OK = 0
    CANCELLED = 1
    UNEXPLAINED = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16
