"""LiteRT (TensorFlow Lite): compares a small network on its WebGPU accelerator with XNNPACK on the CPU."""

import os

import flatbuffers
import loaded
import numpy as np
from ai_edge_litert import schema_py_generated as tflite
from ai_edge_litert.compiled_model import CompiledModel
from ai_edge_litert.hardware_accelerator import HardwareAccelerator

rng = np.random.default_rng(3)
graph = tflite.SubGraphT()
graph.tensors, graph.operators = [], []
model = tflite.ModelT()
model.version, model.buffers, model.operatorCodes, model.subgraphs = 3, [tflite.BufferT()], [], [graph]


def tensor(shape, data=None, kind=tflite.TensorType.FLOAT32):
    t = tflite.TensorT()
    t.name, t.shape, t.type, t.buffer = f"t{len(graph.tensors)}", list(shape), kind, 0
    if data is not None:
        buffer = tflite.BufferT()
        buffer.data = np.frombuffer(data.tobytes(), np.uint8)
        model.buffers.append(buffer)
        t.buffer = len(model.buffers) - 1
    graph.tensors.append(t)
    return len(graph.tensors) - 1


def weights(scale, *shape):
    return tensor(shape, (rng.standard_normal(shape) * scale).astype(np.float32))


def node(name, options, shape, inputs, **fields):
    """Adds an operator, and returns its output."""
    code = tflite.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = getattr(tflite.BuiltinOperator, name)
    code.version = 1
    model.operatorCodes.append(code)
    operator, output = tflite.OperatorT(), tensor(shape)
    operator.opcodeIndex, operator.inputs, operator.outputs = len(model.operatorCodes) - 1, inputs, [output]
    operator.builtinOptionsType = getattr(tflite.BuiltinOptions, options)
    operator.builtinOptions = getattr(tflite, options + "T")()
    for field, value in fields.items():
        assert hasattr(operator.builtinOptions, field), field
        setattr(operator.builtinOptions, field, value)
    graph.operators.append(operator)
    return output


SAME, VALID = tflite.Padding.SAME, tflite.Padding.VALID
RELU, RELU6 = tflite.ActivationFunctionType.RELU, tflite.ActivationFunctionType.RELU6
dense = {"dilationWFactor": 1, "dilationHFactor": 1}
picture = tensor((1, 32, 32, 3))
x = node(
    "CONV_2D",
    "Conv2DOptions",
    (1, 32, 32, 16),
    [picture, weights(0.3, 16, 3, 3, 3), weights(0.1, 16)],
    padding=SAME,
    strideW=1,
    strideH=1,
    fusedActivationFunction=RELU,
    **dense,
)
x = node(
    "DEPTHWISE_CONV_2D",
    "DepthwiseConv2DOptions",
    (1, 16, 16, 16),
    [x, weights(0.3, 1, 3, 3, 16), weights(0.1, 16)],
    padding=SAME,
    strideW=2,
    strideH=2,
    depthMultiplier=1,
    fusedActivationFunction=RELU6,
    **dense,
)
x = node(
    "MAX_POOL_2D",
    "Pool2DOptions",
    (1, 8, 8, 16),
    [x],
    padding=VALID,
    strideW=2,
    strideH=2,
    filterWidth=2,
    filterHeight=2,
)
shape = tensor((2,), np.array([1, 1024], np.int32), tflite.TensorType.INT32)
x = node("RESHAPE", "ReshapeOptions", (1, 1024), [x, shape], newShape=[1, 1024])
x = node("FULLY_CONNECTED", "FullyConnectedOptions", (1, 10), [x, weights(0.05, 10, 1024), weights(0.1, 10)])
graph.inputs, graph.outputs = [picture], [node("SOFTMAX", "SoftmaxOptions", (1, 10), [x], beta=1.0)]
builder = flatbuffers.Builder(1 << 16)
builder.Finish(model.Pack(builder), b"TFL3")
with open("litert.tflite", "wb") as f:
    f.write(builder.Output())
values = rng.random(3 * 32 * 32, np.float32)


def outputs(accelerator):
    compiled = CompiledModel.from_file("litert.tflite", hardware_accel=accelerator)
    given, made = compiled.create_input_buffers(0), compiled.create_output_buffers(0)
    given[0].write(values)
    compiled.run_by_index(0, given, made)
    return np.array(made[0].read(10, np.float32))


want, got = outputs(HardwareAccelerator.CPU), outputs(HardwareAccelerator.GPU)
off = np.abs(want - got).max()
# The accelerator computes with half floats, so that equal results would be the CPU's.
assert want.std() > 0.01 and 0 < off < 4e-3, off
print(f"LiteRT on {loaded.driver()}: odds within {off:.1e} of the CPU's", flush=True)
# At its exit, the library would log more lines.
os._exit(0)
