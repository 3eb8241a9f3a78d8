"""Quadrille: a software GPU for numpy.

Shaders in GLSL, WGSL, AGSL and SPIR-V, and OpenCL kernels, run on the CPU. Results are bit-identical on every run, with
every thread count and on every machine.

>>> import numpy as np
>>> import quadrille
>>> double = quadrille.compile('''
... @group(0) @binding(0) var<storage, read_write> v: array<f32>;
... @compute @workgroup_size(4)
... fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2.0; }
... ''', "wgsl")
>>> v = np.array([1, 2, 3, 4], np.float32)
>>> double.run(1, {"v": v})
>>> v
array([2., 4., 6., 8.], dtype=float32)

A fragment shader renders a picture, an array of shape (height, width, 4):

>>> red = quadrille.compile("half4 main(float2 p) { return half4(1, p.x / 8, 0, 1); }", "agsl")
>>> red.render(8, 2)[0, :3]
array([[255,  16,   0, 255],
       [255,  48,   0, 255],
       [255,  80,   0, 255]], dtype=uint8)

Vulkan programs (wgpu, pygfx and others) run on Quadrille after `quadrille.vulkan.enable()`. `quadrille.pytest_plugin`
has fixtures for tests.
"""

from . import vulkan
from ._arrays import array, empty, zeros
from ._device import Device, default_device, set_default_device
from ._errors import (
    CompileError,
    DeviceLostError,
    Diagnostic,
    InternalError,
    InvalidError,
    LimitError,
    OutOfMemoryError,
    QuadrilleError,
    UnsupportedError,
)
from ._kernel import Argument, Kernel, Local, kernel
from ._pictures import compare_pictures, read_picture, write_picture
from ._printf import capture_printf
from ._quadrille import __version__
from ._render import Renderer, Shadertoy
from ._shader import Binding, Shader, compile, load
from ._values import Image, Sampler, Texture

__all__ = [
    "Argument",
    "Binding",
    "CompileError",
    "Device",
    "DeviceLostError",
    "Diagnostic",
    "Image",
    "InternalError",
    "InvalidError",
    "Kernel",
    "LimitError",
    "Local",
    "OutOfMemoryError",
    "QuadrilleError",
    "Renderer",
    "Sampler",
    "Shader",
    "Shadertoy",
    "Texture",
    "UnsupportedError",
    "__version__",
    "array",
    "capture_printf",
    "compare_pictures",
    "compile",
    "default_device",
    "empty",
    "kernel",
    "load",
    "read_picture",
    "set_default_device",
    "vulkan",
    "write_picture",
    "zeros",
]
