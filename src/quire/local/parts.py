"""What the local engine is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from quire.api.rates import Rates
from quire.domain.research import Budget
from quire.local.scratch.ports import ScratchPorts
from quire.ports.artifact_files import ArtifactFiles
from quire.ports.blobs import Blobs
from quire.ports.documents import Reader, WebPages
from quire.ports.finders import Finders
from quire.ports.machine import Clock, OwnersToken, Signer
from quire.ports.office import OfficeFiles
from quire.ports.search import AnswerJudge, Embedder, Glossary, Index, PassageJudge, QuestionKinds, Vectors
from quire.ports.store import Store

if TYPE_CHECKING:
    from quire.local.books.storages import BookPorts
    from quire.text.makers import ModelMaker


@dataclass(frozen=True)
class Parts:
    """Shared by all callers. Only the engine hands these out; nothing else sees the store."""

    store: Store
    blobs: Blobs
    clock: Clock
    signer: Signer
    owners_token: OwnersToken
    rates: Rates
    books: BookPorts
    public_url: str
    upload_limit: int
    index: Index
    vectors: Vectors
    reader: Reader
    web: WebPages
    embedder: Embedder | None
    multilingual: Embedder | None
    judge: AnswerJudge | None
    passage_judge: PassageJudge | None
    glossary: Glossary | None
    kinds: QuestionKinds | None
    model_maker: ModelMaker | None
    scratch: ScratchPorts
    finders: Finders
    research_budget: Budget
    artifact_files: ArtifactFiles
    artifact_quota: int
    office: OfficeFiles
