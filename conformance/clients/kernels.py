"""Clients that compute: compilers of kernels, networks and filters, and WebGPU of JavaScript runtimes."""

import glob
import os
import shutil

import common
from common import ZINK, Skipped, in_work, last, node, node_folder, run, script, venv

PINS = "kernels.txt"


def kernels(name, *arguments):
    return script(f"{name}.py", *arguments, pins=PINS)


def onnx_python():
    model = in_work("small.onnx")
    run([venv(), os.path.join(common.HERE, "python", "small_onnx.py"), model])
    return kernels("onnx_webgpu", model)


def realcugan():
    common.need_library("omp")
    return kernels("realcugan")


def waifu2x():
    common.need_library("omp")
    return kernels("waifu2x")


def vapoursynth():
    """Runs in the newest Python, and on Chromium's loader where the system's is older than version 1.4."""
    python = next((p for p in ("python3.14", "python3.13", "python3.12") if shutil.which(p) and works(p)), None)
    if not python:
        raise Skipped("no Python 3.12 or newer")
    env = {}
    if os.path.exists(CHROMIUMS):
        os.makedirs(in_work("loader"), exist_ok=True)
        shutil.copy(CHROMIUMS, in_work("loader"))
        env["LD_LIBRARY_PATH"] = in_work("loader")
    said = script("vapoursynth_filters.py", pins="vapoursynth.txt", python=python, **env)
    if said.startswith("skipped"):
        raise Skipped(said)
    return said


CHROMIUMS = "/usr/lib/chromium/libvulkan.so.1"


def works(python):
    """Returns True if a Python of this name runs; pyenv has names of versions that are not chosen."""
    try:
        return bool(run([python, "-c", "print(1)"]))
    except AssertionError:
        return False


def runtime(program, *arguments):
    """Runs WebGPU of Deno or Bun, whose programs come from npm."""
    folder = node_folder()
    path = os.path.join(folder, "node_modules", *program)
    os.chmod(path, 0o755)
    return last(run([path, "run", *arguments, "runtimes.mjs"], cwd=folder, CLIENT_DEVICE=common.device))


def deno():
    return runtime(("@deno", "linux-x64-glibc", "deno"), "--unstable-webgpu", "--no-lock", "-A")


def bun():
    return runtime(("@oven", "bun-linux-x64", "bin", "bun"))


def rusticl():
    """OpenCL of Mesa on its Vulkan back end, as the software device that `swrast` names."""
    said = script("opencl_rusticl.py", pins="opencl.txt", **{**ZINK, "RUSTICL_ENABLE": "swrast"})
    if said.startswith("skipped"):
        raise Skipped(said)
    return said


def dxvk():
    """Direct3D 11 by DXVK's native library, without a window."""
    library = next(iter(glob.glob("/usr/lib/*/libdxvk_d3d11.so.0")), None)
    if not library:
        raise Skipped("no libdxvk-d3d11-0")
    common.need("vkd3d-compiler")
    env = {"DXVK_WSI_DRIVER": "SDL3", "SDL_VIDEO_DRIVER": "offscreen", "DXVK_LOG_LEVEL": "none"}
    return script("dxvk_native.py", library, pins="compare.txt", **env)


def tfjs():
    return node("tfjs.mjs")
