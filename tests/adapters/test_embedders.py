"""Texts into vectors: the embedder of this machine where it is installed, and servers on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from loopback import Loopback, loopback, page
from quire.adapters.embedders import MiniLm
from quire.adapters.embedding_endpoint import EmbeddingEndpoint, endpoint_of
from quire.adapters.model_files import ModelFolder
from quire.adapters.wordpiece import WordPiece
from quire.domain.errors import InvalidInput, QuireError, Unsupported, Upstream
from quire.entry.bootstrap_models import make_embedder
from quire.entry.settings import load

numpy = pytest.importorskip("numpy", reason="numpy comes with the extra embedder")

here = pytest.mark.skipif(not ModelFolder().runs("minilm"), reason="the model minilm is not here")
SECRET = "sk-planted-0123456789"
WORDS = {word: number for number, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "moon", "##light", "s", "!"])}


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with loopback() as made:
        yield made


@pytest.fixture(scope="module")
def minilm() -> MiniLm:
    return MiniLm(ModelFolder())


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", [2, 3]),
        ("Moonlight!", [2, 4, 5, 7, 3]),
        ("MÖÖN moon", [2, 4, 4, 3]),
        ("unknown moon", [2, 1, 4, 3]),
        ("moon\u200b\x00light", [2, 4, 5, 3]),
        ("x" * 101, [2, 1, 3]),
        ("moon " * 50, [2, 4, 4, 4, 4, 4, 4, 3]),
    ],
)
def test_words_are_cut_into_known_pieces(text: str, ids: list[int]) -> None:
    assert WordPiece(WORDS).ids(text, 8) == ids


@here
def test_what_means_the_same_is_near_in_other_words(minilm: MiniLm) -> None:
    vectors = minilm.embed(["The cat sat on the mat.", "A kitten rests on a rug.", "Stocks fell on Monday."])
    assert vectors.shape == (3, 384)
    assert vectors.dtype == numpy.float32
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    near, far = vectors[0] @ vectors[1], vectors[0] @ vectors[2]
    assert near > 0.5 > 0.2 > far


@here
def test_a_vector_does_not_hang_on_what_it_is_embedded_with(minilm: MiniLm) -> None:
    texts = ["Short.", "A text of a few more words about the moon.", "moon " * 400, "", "é\u4e2d!"]
    together = minilm.embed(texts)
    alone = numpy.vstack([minilm.embed([text], "query") for text in texts])
    assert float(numpy.sum(together * alone, axis=1).min()) > 0.98
    assert minilm.embed([]).shape == (0, 384)


@here
def test_many_threads_get_the_same_vectors() -> None:
    fresh = MiniLm(ModelFolder())
    texts = [f"Sentence number {number} about tides." for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: fresh.embed([text])[0], texts))
    expected = [fresh.embed([text])[0] for text in texts]
    assert numpy.allclose(found, expected, atol=1e-5)


@here
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells")
def test_full_passages_need_little_memory(run: Callable[..., str]) -> None:
    used = run(
        "import re\n"
        "from pathlib import Path\n"
        "from quire.adapters.embedders import MiniLm\n"
        "from quire.adapters.model_files import ModelFolder\n"
        "MiniLm(ModelFolder()).embed(['tide ' * 400] * 6)\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])\n"
    )
    assert int(used) < 400 * 1024


MISSING = """
import sys
from pathlib import Path
for name in sys.argv[2:]:
    sys.modules[name] = None
from quire.adapters.embedders import MiniLm
from quire.adapters.model_files import ModelFolder
from quire.domain.errors import Unsupported
embedder = MiniLm(ModelFolder(Path(sys.argv[1]) if sys.argv[1] else None))
for call in (embedder.check, lambda: embedder.embed(["x"])):
    try:
        call()
    except Unsupported as error:
        print(error)
"""


@here
@pytest.mark.parametrize("package", ["numpy", "onnxruntime"])
def test_a_package_that_is_missing_is_named(run: Callable[..., str], package: str) -> None:
    assert run(MISSING, "", package).count(f"needs the package {package}.") == 2


@here
def test_weights_that_are_not_here_or_not_the_tested_ones_are_refused(run: Callable[..., str], tmp_path: Path) -> None:
    assert run(MISSING, tmp_path).count("The model minilm is not on this machine.") == 2
    (tmp_path / "minilm").mkdir()
    (tmp_path / "minilm/model.onnx").write_bytes(b"other weights")
    assert run(MISSING, tmp_path).count("model.onnx of the model minilm is not the file that was tested.") == 2


def answered(*rows: Any) -> bytes:
    data = [{"index": index, "embedding": row} for index, row in enumerate(rows)]
    return page(json.dumps({"data": data[::-1]}).encode(), media_type="application/json")


def endpoint(server: Loopback, **options: Any) -> EmbeddingEndpoint:
    return EmbeddingEndpoint(server.url("/v1/"), "nomic", SECRET, **options)


async def embedded(embedder: EmbeddingEndpoint, texts: list[str], kind: Any = "passage") -> Any:
    return await asyncio.to_thread(embedder.embed, texts, kind)


@pytest.mark.anyio
async def test_a_server_gives_vectors_in_the_order_of_the_texts(server: Loopback) -> None:
    server.paths["/v1/embeddings"] = answered([3, 4], [0, 2.0])
    embedder = endpoint(server)
    vectors = await embedded(embedder, ["one", "two"])
    assert vectors.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0, 1]]
    assert (vectors.dtype, embedder.dimensions) == (numpy.float32, 2)
    (seen,) = server.seen
    assert json.loads(seen.body) == {"model": "nomic", "input": ["one", "two"]}
    assert seen.headers["authorization"] == f"Bearer {SECRET}"


@pytest.mark.anyio
async def test_many_texts_are_sent_in_parts(server: Loopback) -> None:
    server.paths["/v1/embeddings"] = [answered(*[[1, 0]] * 64), answered(*[[0, 1]] * 6)]
    vectors = await embedded(endpoint(server), ["text"] * 70)
    assert vectors.sum(axis=0).tolist() == [64, 6]


@pytest.mark.anyio
async def test_a_connection_that_closed_without_an_answer_is_tried_once_more(server: Loopback) -> None:
    server.paths["/v1/embeddings"] = [answered(*[[1, 0]] * 64), b"", answered(*[[0, 1]] * 6)]
    vectors = await embedded(endpoint(server), ["text"] * 70)
    assert vectors.sum(axis=0).tolist() == [64, 6]
    server.paths["/v1/embeddings"] = [b"", b"", answered([1, 0])]
    with pytest.raises(Upstream, match="cannot be reached"):
        await embedded(endpoint(server), ["text"])


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (page(SECRET.encode(), status=401), "refused the key"),
        (page(SECRET.encode(), status=500), "answered 500"),
        (page(b"", "Location: http://127.0.0.1:1/", status=307), "answered 307"),
        (page(b"<html>"), "unknown form"),
        (page(b"[" * 100_000), "unknown form"),
        (page(b'{"data": 5}'), "unknown form"),
        (page(b'{"data": [5]}'), "unknown form"),
        (answered([1, 0], [0, 1]), "unknown form"),
        (answered([]), "unknown form"),
        (answered("text"), "unknown form"),
        (answered([1, "x"]), "unknown form"),
        (answered([1, float("nan")]), "unknown form"),
        (answered([1e39, 1]), "unknown form"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort", "cannot be reached"),
    ],
)
async def test_an_answer_that_is_no_vector_is_an_error(server: Loopback, answer: bytes, words: str) -> None:
    server.paths["/v1/embeddings"] = answer
    with pytest.raises((Upstream, Unsupported), match=words) as caught:
        await embedded(endpoint(server), ["one"])
    assert caught.value.retriable is not (words in ("refused the key", "answered 307"))
    assert SECRET not in f"{caught.value!r} {caught.value.hint} {caught.value.__cause__!r}"


@pytest.mark.anyio
async def test_vectors_of_another_length_are_refused(server: Loopback) -> None:
    server.paths["/v1/embeddings"] = [answered([1, 0]), answered([1, 0, 0])]
    embedder = endpoint(server)
    await embedded(embedder, ["one"])
    with pytest.raises(Upstream, match="another length"):
        await embedded(embedder, ["two"])


@pytest.mark.anyio
async def test_a_question_does_not_wait_for_a_server_that_just_failed(server: Loopback) -> None:
    server.paths["/v1/embeddings"] = [page(b"", status=503), answered([1, 0])]
    embedder = endpoint(server)
    for words in ("answered 503", "failed a moment ago"):
        with pytest.raises(Upstream, match=words):
            await embedded(embedder, ["one"], "query")
    assert len(server.seen) == 1
    await embedded(embedder, ["one"])
    assert (await embedded(embedder, ["one"], "query")).shape == (1, 2)


@pytest.mark.anyio
async def test_a_silent_server_is_given_up(server: Loopback) -> None:
    async def is_silent(writer: asyncio.StreamWriter) -> None:
        while not writer.is_closing():
            await asyncio.sleep(0.02)

    server.paths["/v1/embeddings"] = is_silent
    with pytest.raises(Upstream, match="took too long"):
        await embedded(endpoint(server, seconds={"query": 0.2, "passage": 0.2}), ["one"])


def test_settings_choose_the_embedder(tmp_path: Path) -> None:
    def chosen(**settings: str) -> Any:
        return make_embedder(load({"home": tmp_path, **settings}, {}))

    assert chosen(embedder="none") is None
    assert isinstance(chosen(embedder="minilm"), MiniLm)
    assert isinstance(chosen(), MiniLm) is ModelFolder().runs("minilm")
    local = chosen(embedder="nomic-embed-text", embedder_url="http://127.0.0.1:11434/v1")
    assert local.name.startswith("nomic-embed-text@")
    other = chosen(embedder="nomic-embed-text", embedder_url="http://127.0.0.2:11434/v1")
    assert other.name != local.name
    for wrong in (
        {"embedder": "nomic"},
        {"embedder_url": "http://127.0.0.1/v1"},
        {"embedder": "m", "embedder_url": "127.0.0.1"},
        {"embedder": "m", "embedder_url": f"http://me:{SECRET}@host/"},
        {"embedder": "m", "embedder_url": "http://host/", "embedder_key": f"{SECRET}\n"},
    ):
        with pytest.raises(InvalidInput) as caught:
            chosen(**wrong)
        assert SECRET not in f"{caught.value!r} {caught.value.hint}"


def test_a_key_of_the_environment_goes_to_its_maker_only() -> None:
    environment = {"OPENAI_API_KEY": SECRET}
    assert endpoint_of("openai:small", "", "", environment)._headers == {"Authorization": f"Bearer {SECRET}"}
    assert endpoint_of("openai:small", "http://127.0.0.1/v1", "", environment)._headers == {}
    with pytest.raises(Unsupported, match="needs a key") as caught:
        endpoint_of("openai:small", "", "", {}).check()
    assert isinstance(caught.value, QuireError)
    assert caught.value.hint == "Set embedder_key or OPENAI_API_KEY."
