"""Tensors that a graph's file only names: their numbers are handed in when the network is loaded."""

from __future__ import annotations

from onnx import TensorProto


def given(name: str, kind: int, *shape: int) -> TensorProto:
    tensor = TensorProto(name=name, data_type=kind, dims=shape, data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="given")
    return tensor
