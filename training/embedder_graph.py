"""Writes the graph of the embedder: `python training/embedder_graph.py [--out FILE]`. Needs `onnx`.

The model's file has its matrices in eight bits, and steps that make full numbers of all of them when it is loaded: four
times the memory, and slower sums. This has the same steps without those: rows of the table of words are taken first
and made full numbers then, and matrices are multiplied as they are, with what they are multiplied with rounded in
blocks. The numbers themselves stay in the model's file (`quire/adapters/minilm_weights.py`).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import onnx
from onnx import ModelProto, NodeProto, TensorProto, helper

from given_tensors import given
from quire.adapters.minilm_weights import BLOCK, GRAPH, QUANTIZED, SCALE, WORDS
from quire.adapters.model_files import ModelFolder

OUT = Path(__file__).parent.parent / "src" / "quire" / "adapters" / GRAPH
RUNTIMES = "com.microsoft"
ROUNDED = 4
IDS = "input_ids"


def words(output: str) -> list[NodeProto]:
    row, scale, full = f"{WORDS}_row", f"{WORDS}_row_scale", f"{WORDS}_full"
    return [
        helper.make_node("Gather", [WORDS + QUANTIZED, IDS], [row]),
        helper.make_node("Gather", [WORDS + SCALE, IDS], [scale]),
        helper.make_node("Cast", [row], [full], to=TensorProto.FLOAT),
        helper.make_node("Mul", [full, scale], [output]),
    ]


def network(model: ModelProto) -> ModelProto:
    graph = model.graph
    shapes = {tensor.name: list(tensor.dims) for tensor in graph.initializer}
    multiplied = [node for node in graph.node if node.op_type == "MatMul" and node.input[1] + QUANTIZED in shapes]
    matrices = {node.input[1] for node in multiplied}
    nodes: list[NodeProto] = []
    for node in graph.node:
        if node.output[0].removesuffix("_f") in matrices | {WORDS}:
            continue
        if node in multiplied:
            name = node.input[1]
            rows, columns = shapes[name + QUANTIZED]
            how = {"K": rows, "N": columns, "bits": 8, "block_size": BLOCK, "accuracy_level": ROUNDED}
            inputs = [node.input[0], name + QUANTIZED, name + SCALE]
            nodes.append(helper.make_node("MatMulNBits", inputs, node.output, domain=RUNTIMES, **how))
        elif node.op_type == "Gather" and node.input[0] == WORDS:
            nodes += words(node.output[0])
        else:
            nodes.append(node)
    numbers = []
    for tensor in graph.initializer:
        name = tensor.name
        if name.removesuffix(QUANTIZED) in matrices:
            rows, columns = tensor.dims
            numbers.append(given(name, TensorProto.UINT8, columns, rows // BLOCK, BLOCK))
        elif name.removesuffix(SCALE) in matrices:
            columns = tensor.dims[1]
            rows, _ = shapes[name.removesuffix(SCALE) + QUANTIZED]
            numbers.append(given(name, TensorProto.FLOAT, columns * (rows // BLOCK)))
        elif tensor.data_type == TensorProto.INT64 or not tensor.dims:
            numbers.append(tensor)
        else:
            numbers.append(given(name, tensor.data_type, *tensor.dims))
    made = helper.make_graph(nodes, graph.name, list(graph.input), list(graph.output), numbers)
    return helper.make_model(
        made, opset_imports=[*model.opset_import, helper.make_opsetid(RUNTIMES, 1)], ir_version=model.ir_version
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    fetched = onnx.load_from_string(ModelFolder().read("minilm", "model.onnx"))
    parser.parse_args().out.write_bytes(network(fetched).SerializeToString())
