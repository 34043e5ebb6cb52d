"""Writes the graph of the judge of passages: `python training/passage_judge_graph.py [--out FILE]`. Needs `onnx`.

The file has the steps of the network, and none of its numbers: those are handed in when it is loaded, by the names
that `quire/adapters/passage_judge_weights.py` gives them. What comes out are the states of all pieces.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from onnx import ModelProto, NodeProto, TensorProto, helper

from given_tensors import given
from quire.adapters.passage_judge import GRAPH
from quire.adapters.passage_judge_weights import BIAS, BLOCK, HEADS, INT8, LAYERS, PLACES, SCALE, WEIGHT, WIDTH, WORDS

OUT = Path(__file__).parent.parent / "src" / "quire" / "adapters" / GRAPH
RUNTIMES = "com.microsoft"
SMALL = 1e-5
OPSET, VERSION = 18, 9
# That values are rounded before they are multiplied.
ROUNDED = 4


class Graph:
    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.numbers: list[TensorProto] = []

    def number(self, name: str, kind: int, *shape: int) -> str:
        self.numbers.append(given(name, kind, *shape))
        return name

    def node(self, does: str, inputs: list[str], *outputs: str, domain: str = "", **how: object) -> str:
        self.nodes.append(helper.make_node(does, inputs, list(outputs), domain=domain, **how))
        return outputs[0]

    def matrix(self, values: str, name: str, rows: int, columns: int) -> str:
        numbers = self.number(name + INT8, TensorProto.INT8, rows, columns)
        scale = self.number(name + SCALE, TensorProto.FLOAT, columns)
        bias = self.number(name + BIAS, TensorProto.FLOAT, columns)
        return self.node("DynamicQuantizeMatMul", [values, numbers, scale, "", bias], name, domain=RUNTIMES)

    def matrix_in_blocks(self, values: str, name: str, rows: int, columns: int) -> str:
        """A matrix with a scale for each block of a column. What it is multiplied with is rounded in blocks, too: where
        some values are far larger than all others, one scale for all would round the others away."""
        numbers = self.number(name + INT8, TensorProto.UINT8, columns, rows // BLOCK, BLOCK)
        scale = self.number(name + SCALE, TensorProto.FLOAT, columns * (rows // BLOCK))
        bias = self.number(name + BIAS, TensorProto.FLOAT, columns)
        how = {"K": rows, "N": columns, "bits": 8, "block_size": BLOCK, "accuracy_level": ROUNDED}
        return self.node("MatMulNBits", [values, numbers, scale, "", "", bias], name, domain=RUNTIMES, **how)

    def norm(self, name: str) -> list[str]:
        return [self.number(name + part, TensorProto.FLOAT, WIDTH) for part in (WEIGHT, BIAS)]


def beginning(graph: Graph) -> str:
    rows = graph.node("Gather", [graph.number("words.int8", TensorProto.INT8, WORDS, WIDTH), "ids"], "rows")
    scales = graph.node("Gather", [graph.number("words.scale", TensorProto.FLOAT, WORDS, 1), "ids"], "scales")
    words = graph.node("Mul", [graph.node("Cast", [rows], "floats", to=TensorProto.FLOAT), scales], "words")
    places = graph.node("Gather", [graph.number("places", TensorProto.FLOAT, PLACES, WIDTH), "place"], "at")
    both = graph.node("Add", [words, places], "both")
    return graph.node("LayerNormalization", [both, *graph.norm("begin")], "begin", axis=-1, epsilon=SMALL)


def layer(graph: Graph, number: int, values: str) -> str:
    def own(part: str) -> str:
        return f"{number}.{part}"

    mixed = graph.matrix(values, own("attention"), WIDTH, 3 * WIDTH)
    parts = [own(part) for part in ("query", "key", "value")]
    graph.node("Split", [mixed], *parts, axis=-1, num_outputs=3)
    graph.node("MultiHeadAttention", [*parts, "", "mask", "bias"], own("seen"), domain=RUNTIMES, num_heads=HEADS)
    seen = graph.matrix(own("seen"), own("mixed"), WIDTH, WIDTH)
    kept = {"domain": RUNTIMES, "epsilon": SMALL}
    middle = graph.node("SkipLayerNormalization", [seen, values, *graph.norm(own("first"))], own("middle"), **kept)
    wide = graph.node("Gelu", [graph.matrix(middle, own("wide"), WIDTH, 4 * WIDTH)], own("bent"), domain=RUNTIMES)
    narrow = graph.matrix_in_blocks(wide, own("narrow"), 4 * WIDTH, WIDTH)
    return graph.node("SkipLayerNormalization", [narrow, middle, *graph.norm(own("second"))], own("out"), **kept)


def network() -> ModelProto:
    graph = Graph()
    values = beginning(graph)
    for number in range(LAYERS):
        values = layer(graph, number, values)
    texts = {
        "ids": (TensorProto.INT64, ["texts", "pieces"]),
        "mask": (TensorProto.INT32, ["texts", "pieces"]),
        "place": (TensorProto.INT64, [1, "pieces"]),
        "bias": (TensorProto.FLOAT, [1, HEADS, "pieces", "pieces"]),
    }
    inputs = [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in texts.items()]
    outputs = [helper.make_tensor_value_info(values, TensorProto.FLOAT, ["texts", "pieces", WIDTH])]
    made = helper.make_graph(graph.nodes, "judge of passages", inputs, outputs, graph.numbers)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(RUNTIMES, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=VERSION)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    parser.parse_args().out.write_bytes(network().SerializeToString())
