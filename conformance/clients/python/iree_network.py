"""IREE: a network of MLIR, compiled to SPIR-V and run by the Vulkan HAL, against numpy."""

import os
import subprocess
import sys

import iree.compiler.tools as tools
import iree.runtime as rt
import numpy as np

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
NETWORK = """
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @net(%picture: tensor<1x3x32x32xf32>, %kernel: tensor<16x3x3x3xf32>, %weights: tensor<14400x10xf32>)
    -> tensor<1x10xf32> {
  %zero = arith.constant 0.0 : f32
  %blank = tensor.empty() : tensor<1x16x30x30xf32>
  %cleared = linalg.fill ins(%zero : f32) outs(%blank : tensor<1x16x30x30xf32>) -> tensor<1x16x30x30xf32>
  %folded = linalg.conv_2d_nchw_fchw ins(%picture, %kernel : tensor<1x3x32x32xf32>, tensor<16x3x3x3xf32>)
      outs(%cleared : tensor<1x16x30x30xf32>) -> tensor<1x16x30x30xf32>
  %positive = linalg.generic {indexing_maps = [#all, #all],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%folded : tensor<1x16x30x30xf32>) outs(%blank : tensor<1x16x30x30xf32>) {
    ^bb0(%in: f32, %out: f32):
      %max = arith.maximumf %in, %zero : f32
      linalg.yield %max : f32
  } -> tensor<1x16x30x30xf32>
  %flat = tensor.collapse_shape %positive [[0], [1, 2, 3]] : tensor<1x16x30x30xf32> into tensor<1x14400xf32>
  %row = tensor.empty() : tensor<1x10xf32>
  %start = linalg.fill ins(%zero : f32) outs(%row : tensor<1x10xf32>) -> tensor<1x10xf32>
  %logits = linalg.matmul ins(%flat, %weights : tensor<1x14400xf32>, tensor<14400x10xf32>)
      outs(%start : tensor<1x10xf32>) -> tensor<1x10xf32>
  %odds = linalg.softmax dimension(1) ins(%logits : tensor<1x10xf32>) outs(%row : tensor<1x10xf32>) -> tensor<1x10xf32>
  return %odds : tensor<1x10xf32>
}
"""
names = [device["name"] for device in rt.get_driver("vulkan").query_available_devices()]
assert DEVICE in names[0], names
with open("iree.vmfb", "wb") as f:
    f.write(tools.compile_str(NETWORK, extra_args=["--iree-hal-target-device=vulkan"]))
rng = np.random.default_rng(3)
picture = rng.random((1, 3, 32, 32), np.float32)
kernel = rng.random((16, 3, 3, 3), np.float32) - 0.5
weights = (rng.random((14400, 10), np.float32) - 0.5) * 0.1
inputs = []
for name, data in (("picture", picture), ("kernel", kernel), ("weights", weights)):
    np.save(f"iree-{name}.npy", data)
    inputs.append(f"--input=@iree-{name}.npy")
# Python's `to_host` imports memory of any alignment, which drivers refuse, so that a program of IREE runs the module.
program = os.path.join(os.path.dirname(sys.executable), "iree-run-module")
command = [program, "--device=vulkan", "--module=iree.vmfb", "--function=net", *inputs, "--output=@iree-odds.npy"]
subprocess.run(command, check=True)
got = np.load("iree-odds.npy")
windows = np.lib.stride_tricks.sliding_window_view(picture[0], (3, 3), (1, 2))
folded = np.maximum(np.einsum("cyxij,fcij->fyx", windows, kernel), 0)
logits = folded.reshape(1, -1) @ weights
want = np.exp(logits - logits.max())
want /= want.sum()
off = np.abs(got - want).max()
assert want.std() > 0.01 and off < 1e-5, off
print(f"{names[0]}: a network of four layers within {off:.1e}")
