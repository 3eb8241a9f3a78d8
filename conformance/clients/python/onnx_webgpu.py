"""ONNX Runtime for Python: compares a small network on the WebGPU provider with the CPU provider."""

import sys

import loaded
import numpy as np
import onnxruntime as ort

picture = {"picture": np.random.default_rng(3).random((1, 3, 32, 32), np.float32)}
options = ort.SessionOptions()
options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
webgpu = ort.InferenceSession(sys.argv[1], options, providers=["WebGpuExecutionProvider"])
cpu = ort.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
pairs = list(zip(cpu.run(None, picture), webgpu.run(None, picture), strict=True))
assert len(pairs) == 3 and all(np.ptp(want) > 1e-3 for want, _ in pairs)
off = max(np.abs(want - got).max() / np.ptp(want) for want, got in pairs)
assert off < 1e-4, off
print(f"ONNX Runtime on {loaded.driver()}: three outputs within {off:.1e} of the CPU's")
