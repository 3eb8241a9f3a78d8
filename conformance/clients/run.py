#!/usr/bin/env python3
"""Runs third-party programs on the Quadrille driver. Each compares values or a picture with results of the host, or
with a description of the expected picture.

  python3 conformance/clients/run.py [--driver ICD.json --device NAME] [CLIENT...]

Without --driver, the driver is built first. A client is skipped if its program is not installed, and
names the missing program. Packages of PyPI and npm are downloaded to `target/clients`, in the versions that
`python/requirements.txt` and `node/package.json` pin. The exit code is 1 if a client fails.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import time

import common
import packages
import screens
from common import ROOT, WORK, ZINK, Skipped, in_work, node, script

CLIENTS = {
    "vulkaninfo": screens.vulkaninfo,
    "validation": screens.validation,
    "validation-newest": packages.newest_layer,
    "vkcube": screens.vkcube,
    "vkcube-wayland": screens.vkcube_wayland,
    "glxgears": screens.glxgears,
    "vkd3d": screens.vkd3d,
    "vkmark": screens.vkmark,
    "wgpu": packages.wgpu,
    "wgpu-by-loader": packages.wgpu_by_loader,
    "wgpu-rays": packages.wgpu_rays,
    "wgpu-native": lambda: script("wgpu_native.py"),
    "pygfx": lambda: script("pygfx_scene.py", in_work("pygfx.png")),
    "webgpu": lambda: node("webgpu.mjs"),
    "onnxruntime": packages.onnx,
    "llama.cpp": packages.llama,
    "taichi": lambda: script("taichi_fields.py"),
    "slangpy": lambda: script("slangpy_kernels.py"),
    "ncnn": lambda: script("ncnn_net.py"),
    "realesrgan": packages.realesrgan,
    "moderngl": lambda: script("moderngl_zink.py", **ZINK),
    "ffmpeg": packages.ffmpeg,
    "ffmpeg-codecs": packages.ffmpeg_codecs,
    "sdl-gpu": packages.sdl_gpu,
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


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("clients", nargs="*", metavar="CLIENT", help=", ".join(CLIENTS))
    a.add_argument("--driver", help="manifest of a driver")
    a.add_argument("--device", default="Quadrille", help="part of the name of its device")
    a = a.parse_args()
    common.device = a.device
    unknown = set(a.clients) - set(CLIENTS)
    if unknown:
        sys.exit(f"no such client: {', '.join(unknown)}")
    os.makedirs(WORK, exist_ok=True)
    manifest = os.path.abspath(a.driver) if a.driver else built()
    os.environ.update(VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, NODEVICE_SELECT="1")
    os.environ.setdefault("XDG_RUNTIME_DIR", WORK)
    failed = 0
    for name in a.clients or CLIENTS:
        began, worked = time.time(), cpu_time()
        try:
            outcome = "ok      " + CLIENTS[name]()
        except Skipped as e:
            outcome = f"skipped {e}"
        except Exception as e:
            outcome, failed = f"FAILED  {e}", 1
        print(f"{name:16}{time.time() - began:6.1f} s {cpu_time() - worked:6.1f} s of CPU  {outcome}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
