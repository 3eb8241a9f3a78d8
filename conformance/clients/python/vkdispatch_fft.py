"""vkdispatch: Fourier transforms of kernels that it writes and of VkFFT, and a sum, against numpy."""

import os

import numpy as np
import vkdispatch as vd

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
vd.make_context(use_cpu=True)
name = vd.get_devices()[0].device_name
assert DEVICE in name, name
most = 0
for length in (64, 729, 960, 1024, 2310):
    rng = np.random.default_rng(length)
    signal = (rng.standard_normal((8, length)) + 1j * rng.standard_normal((8, length))).astype(np.complex64)
    want = np.fft.fft(signal)
    for transform in (vd.fft.fft, vd.vkfft.fft):
        buffer = vd.Buffer(signal.shape, vd.complex64)
        buffer.write(signal)
        transform(buffer)
        most = max(most, np.abs(buffer.read(0) - want).max() / np.abs(want).max())
        assert most < 1e-6, (length, transform, most)
print(f"{name}: ten transforms within {most:.1e}")
