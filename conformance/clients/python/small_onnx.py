"""Writes a model for ONNX Runtime: two convolutions, normalization, attention and a softmax, with random weights."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

rng = np.random.default_rng(5)
weights, nodes = [], []


def weight(name, *shape, scale=None):
    values = rng.standard_normal(shape) * (scale or 1 / np.sqrt(np.prod(shape[1:])))
    weights.append(numpy_helper.from_array(values.astype(np.float32), name))
    return name


def shape(name, *dimensions):
    weights.append(numpy_helper.from_array(np.array(dimensions, np.int64), name))
    return name


def node(kind, out, *inputs, **attributes):
    nodes.append(helper.make_node(kind, inputs, [out], **attributes))
    return out


x = node("Conv", "c1", "picture", weight("w1", 16, 3, 3, 3), weight("b1", 16, scale=0.1), pads=[1, 1, 1, 1])
x = node("Relu", "r1", x)
x = node("Conv", "c2", x, weight("w2", 32, 16, 3, 3), weight("b2", 32, scale=0.1), strides=[2, 2], pads=[1, 1, 1, 1])
x = node("Sigmoid", "g2", x)
x = node("MaxPool", "p2", x, kernel_shape=[2, 2], strides=[2, 2])
# Reshape 32 channels of 8x8 into 64 tokens of width 32.
x = node("Transpose", "t", node("Reshape", "flat", x, shape("s1", 1, 32, 64)), perm=[0, 2, 1])
x = node("LayerNormalization", "n", x, weight("scale", 32, scale=1), weight("shift", 32, scale=0.1))
q, k, v = (node("MatMul", name, x, weight("w" + name, 32, 32)) for name in "qkv")
scores = node("MatMul", "scores", q, node("Transpose", "kt", k, perm=[0, 2, 1]))
a = node("Softmax", "a", scores, axis=-1)
x = node("Add", "sum", node("MatMul", "mixed", a, v), x)
x = node(
    "Gemm",
    "head",
    node("Reshape", "row", x, shape("s2", 1, 2048)),
    weight("wh", 2048, 40, scale=0.05),
    weight("bh", 40),
)
node("Softmax", "likely", x, axis=-1)
picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, 32, 32])
shapes = {"likely": [1, 40], "a": [1, 64, 64], "head": [1, 40]}
outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, s) for name, s in shapes.items()]
graph = helper.make_graph(nodes, "small", [picture], outputs, weights)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
onnx.checker.check_model(model)
onnx.save(model, sys.argv[1])
