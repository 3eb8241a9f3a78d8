"""tinygrad on WebGPU (Dawn): a product, a softmax, and the gradient of a convolution, against numpy."""

import os
import platform
import sysconfig

dawn = os.path.join(sysconfig.get_paths()["purelib"], "pydawn", "lib", f"libwebgpu_dawn_{platform.machine()}.so")
os.environ.update(DEV="WEBGPU", WEBGPU_BACKEND="WGPUBackendType_Vulkan", WEBGPU_PATH=dawn, CACHELEVEL="0")
import loaded  # noqa: E402
import numpy as np  # noqa: E402
from tinygrad import Device, Tensor  # noqa: E402

assert Device.DEFAULT == "WEBGPU", Device.DEFAULT
rng = np.random.default_rng(3)
a, b = rng.random((96, 64), np.float32) - 0.5, rng.random((64, 80), np.float32) - 0.5
got = (Tensor(a) @ Tensor(b)).relu().softmax().numpy()
want = np.exp(np.maximum(a @ b, 0))
want /= want.sum(1, keepdims=True)
off = np.abs(got / want - 1).max()
assert off < 1e-5, off
picture, kernel = rng.random((2, 3, 32, 32), np.float32), rng.random((8, 3, 3, 3), np.float32) - 0.5
variable = Tensor(kernel)
loss = Tensor(picture).conv2d(variable).square().mean()
(gradient,) = loss.gradient(variable)
windows = np.lib.stride_tricks.sliding_window_view(picture.astype(np.float64), (3, 3), (2, 3))
folded = np.einsum("bcyxij,fcij->bfyx", windows, kernel)
assert abs(loss.item() / (folded**2).mean() - 1) < 1e-5, loss.item()
want = 2 / folded.size * np.einsum("bcyxij,bfyx->fcij", windows, folded)
off = max(off, np.abs(gradient.numpy() - want).max() / np.abs(want).max())
assert off < 1e-5, off
print(f"tinygrad on {loaded.driver()}: values and gradients within {off:.1e}")
