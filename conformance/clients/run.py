#!/usr/bin/env python3
"""Runs third-party programs on the Quadrille driver. Each compares values or a picture with results of the host, or
with a description of the expected picture.

  python3 conformance/clients/run.py [--driver ICD.json --device NAME] [--driver-time] [CLIENT...]

Without --driver, the driver is built first. A client is skipped if its program is not installed, and
names the missing program. Packages of PyPI and npm are downloaded to `target/clients`, in the versions that
`python/*.txt` and `node/package.json` pin. The exit code is 1 if a client fails.

With --driver-time, each client runs under Linux' `perf`, and the CPU time of the driver's own threads and code is
printed too.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time

import common
import desktops
import kernels
import packages
import pictures
import screens
import sharing
import tools
from common import ROOT, WORK, ZINK, Skipped, in_work, node, script

CLIENTS = {
    "vulkaninfo": screens.vulkaninfo,
    "validation": screens.validation,
    "validation-newest": packages.newest_layer,
    "vkcube": screens.vkcube,
    "vkcube-wayland": screens.vkcube_wayland,
    "glxgears": screens.glxgears,
    "vkgears": screens.vkgears,
    "vkd3d": screens.vkd3d,
    "vkmark": screens.vkmark,
    "glmark2": tools.glmark2,
    "gfxreconstruct": tools.gfxreconstruct,
    "renderdoc": tools.renderdoc,
    "wgpu": packages.wgpu,
    "wgpu-by-loader": packages.wgpu_by_loader,
    "wgpu-rays": packages.wgpu_rays,
    "egui": lambda: packages.interface("egui"),
    "vello": lambda: packages.interface("vello"),
    "wgpu-native": lambda: script("wgpu_native.py"),
    "pygfx": lambda: script("pygfx_scene.py", in_work("pygfx.png")),
    "webgpu": lambda: node("webgpu.mjs"),
    "onnxruntime": packages.onnx,
    "llama.cpp": packages.llama,
    "taichi": lambda: script("taichi_fields.py"),
    "slangpy": lambda: script("slangpy_kernels.py"),
    "ncnn": lambda: script("ncnn_net.py"),
    "realesrgan": packages.realesrgan,
    "iree": lambda: kernels.kernels("iree_network"),
    "halide": lambda: kernels.kernels("halide_blur"),
    "tinygrad": lambda: kernels.kernels("tinygrad_step"),
    "vkdispatch": lambda: kernels.kernels("vkdispatch_fft"),
    "onnxruntime-webgpu": kernels.onnx_python,
    "litert": lambda: kernels.kernels("litert_network"),
    "realcugan": kernels.realcugan,
    "waifu2x": kernels.waifu2x,
    "compushady": lambda: kernels.kernels("compushady_kernels"),
    "quadrants": lambda: kernels.kernels("quadrants_kernels"),
    "numba-vulkan": lambda: kernels.kernels("numba_kernels"),
    "vapoursynth": kernels.vapoursynth,
    "rusticl": kernels.rusticl,
    "dxvk": kernels.dxvk,
    "hashcat": tools.hashcat,
    "tfjs": kernels.tfjs,
    "deno": kernels.deno,
    "bun": kernels.bun,
    "moderngl": lambda: script("moderngl_zink.py", **ZINK),
    "mujoco": lambda: pictures.opengl("mujoco_scene"),
    "pyvista": lambda: pictures.opengl("vtk_scene"),
    "openscad": pictures.openscad,
    "datoviz": lambda: script("datoviz_points.py", pins=pictures.PINS),
    "fastplotlib": lambda: script("fastplotlib_blocks.py", pins=pictures.PINS),
    "qt-quick": lambda: pictures.qt("qt_quick"),
    "qt-quick-3d": lambda: pictures.qt("qt_quick_3d"),
    "vispy": lambda: pictures.opengl_in_window("vispy_scene", pictures.ENGINES),
    "arcade": lambda: pictures.opengl_in_window("arcade_shapes", pictures.ENGINES),
    "panda3d": lambda: pictures.opengl("panda_scene", pictures.ENGINES),
    "raylib": lambda: pictures.opengl_in_window("raylib_scene", pictures.ENGINES),
    "polyscope": lambda: pictures.opengl("polyscope_scene", pictures.ENGINES),
    "f3d": lambda: pictures.opengl("f3d_mesh", pictures.ENGINES),
    "open3d": pictures.open3d,
    "sapien": lambda: script("sapien_scene.py", pins=pictures.ENGINES),
    "gtk": desktops.gtk,
    "weston": desktops.weston,
    "godot": desktops.godot,
    "blender": desktops.blender,
    "retroarch": desktops.retroarch,
    "supertuxkart": desktops.supertuxkart,
    "vkbasalt": pictures.vkbasalt,
    "mangohud": pictures.mangohud,
    "gstreamer": pictures.gstreamer,
    "mpv": pictures.mpv,
    "ffmpeg": packages.ffmpeg,
    "ffmpeg-codecs": packages.ffmpeg_codecs,
    "sdl-gpu": packages.sdl_gpu,
    "firefox": packages.firefox,
    "chromium-webgl": lambda: packages.chromium("webgl"),
    "chromium-webgpu": lambda: packages.chromium("webgpu"),
}


def built():
    """Builds the driver, and returns the path of its manifest."""
    target = os.path.dirname(WORK)
    subprocess.run(["cargo", "build", "--release", "-q", "-p", "quadrille-vulkan"], cwd=ROOT, check=True)
    path = os.path.join(WORK, "quadrille.json")
    library = os.path.join(target, "release", "libvk_quadrille.so")
    with open(path, "w") as f:
        json.dump({"file_format_version": "1.0.0", "ICD": {"library_path": library, "api_version": "1.4.0"}}, f)
    return path


def cpu_time():
    """Returns the CPU time of all child processes that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tried(name):
    """Runs a client. Returns its outcome, and if it failed."""
    try:
        return "ok      " + CLIENTS[name](), False
    except Skipped as e:
        return f"skipped {e}", False
    except Exception as e:
        return f"FAILED  {e}", True


def with_driver_time(name, device):
    """Runs a client by this program under `perf`. Returns its outcome, behind the driver's time, and if it failed."""
    command = [
        sys.executable,
        os.path.abspath(__file__),
        "--outcome",
        "--device",
        device,
        "--driver",
        os.environ["VK_DRIVER_FILES"],
        name,
    ]
    said, samples = sharing.recorded(command, in_work("perf.data"))
    outcome = said.rstrip("\n")
    return f"{sharing.driver(samples, common.library()):6.2f} s of the driver  {outcome}", outcome.startswith("FAILED")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("clients", nargs="*", metavar="CLIENT", help=", ".join(CLIENTS))
    a.add_argument("--driver", help="manifest of a driver")
    a.add_argument("--device", default="Quadrille", help="part of the name of its device")
    a.add_argument("--driver-time", action="store_true", help="print the CPU time of the driver too (needs perf)")
    a.add_argument("--outcome", action="store_true", help=argparse.SUPPRESS)
    a = a.parse_args()
    common.device, common.measuring = a.device, a.outcome
    unknown = set(a.clients) - set(CLIENTS)
    if unknown:
        sys.exit(f"no such client: {', '.join(unknown)}")
    if a.driver_time and not sharing.available():
        sys.exit("no perf")
    os.makedirs(WORK, exist_ok=True)
    manifest = os.path.abspath(a.driver) if a.driver else built()
    os.environ.update(VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, NODEVICE_SELECT="1")
    os.environ.setdefault("XDG_RUNTIME_DIR", WORK)
    failures = 0
    for name in a.clients or CLIENTS:
        if a.driver_time:
            # The first run fills the caches of the driver and of the program.
            tried(name)
        began, worked = time.time(), cpu_time()
        outcome, failed = with_driver_time(name, a.device) if a.driver_time else tried(name)
        failures += failed
        times = "" if a.outcome else f"{name:18}{time.time() - began:6.1f} s {cpu_time() - worked:6.1f} s of CPU  "
        print(times + outcome, flush=True)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
