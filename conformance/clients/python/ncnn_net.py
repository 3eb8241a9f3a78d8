"""ncnn: compares a small network on Vulkan with ncnn's CPU code."""

import os

import ncnn
import numpy as np

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")

PARAM = """7767517
5 5
Input in 0 1 a 0=32 1=32 2=3
Convolution c1 1 1 a b 0=16 1=3 4=1 5=1 6=432 9=1
Convolution c2 1 1 b c 0=24 1=3 3=2 4=1 5=1 6=3456 9=1
Pooling p 1 1 c d 0=0 1=2 2=2
Softmax s 1 1 d e 0=0
"""
index = next(i for i in range(ncnn.get_gpu_count()) if DEVICE in ncnn.get_gpu_info(i).device_name())
rng = np.random.default_rng(3)
picture = rng.random((3, 32, 32), np.float32)
open("net.param", "w").write(PARAM)
with open("net.bin", "wb") as f:
    for weights, biases in ((432, 16), (3456, 24)):
        f.write(b"\0\0\0\0" + ((rng.random(weights, np.float32) - 0.5) * 0.2).tobytes())
        f.write(((rng.random(biases, np.float32) - 0.5) * 0.2).tobytes())


def run(gpu):
    net = ncnn.Net()
    net.opt.use_vulkan_compute = gpu
    for option in ("packed", "storage", "arithmetic"):
        setattr(net.opt, "use_fp16_" + option, False)
    if gpu:
        net.set_vulkan_device(index)
    assert net.load_param("net.param") == 0 and net.load_model("net.bin") == 0
    ex = net.create_extractor()
    ex.input("a", ncnn.Mat(picture))
    return np.array(ex.extract("e")[1])


cpu, gpu = run(False), run(True)
assert cpu.shape == (24, 8, 8) and cpu.std() > 1e-3
difference = np.abs(cpu - gpu).max()
assert difference < 1e-5, difference
print(f"ncnn on {ncnn.get_gpu_info(index).device_name()}: largest difference {difference:.1e}")
