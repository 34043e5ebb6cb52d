"""Writes the graph of the judge of sentences: `python training/judge_graph.py [--out FILE]`. Needs `onnx`.

It has the steps of the model's file, and none of its numbers. Those are handed in when it is loaded, with what was
learnt in them; that takes half of the memory of loading the file itself.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import onnx
from onnx import ModelProto, TensorProto

from given_tensors import given
from quire.adapters.answer_judge import GRAPH
from quire.adapters.model_files import ModelFolder

OUT = Path(__file__).parent.parent / "src" / "quire" / "adapters" / GRAPH
NUMBERS = (TensorProto.FLOAT, TensorProto.UINT8, TensorProto.INT8)


def emptied(model: ModelProto) -> ModelProto:
    graph = model.graph
    for at, tensor in enumerate(graph.initializer):
        if tensor.data_type in NUMBERS:
            graph.initializer[at].CopyFrom(given(tensor.name, tensor.data_type, *tensor.dims))
    for node in graph.node:
        node.ClearField("name")
        node.ClearField("doc_string")
    del graph.value_info[:]
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    fetched = onnx.load_from_string(ModelFolder().read("judge", "model.onnx"))
    parser.parse_args().out.write_bytes(emptied(fetched).SerializeToString())
