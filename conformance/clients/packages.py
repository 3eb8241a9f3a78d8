"""Clients that are libraries: crates, packages of PyPI and npm, ffmpeg, and Chromium with its validation layer."""

import contextlib
import json
import os
import shutil
import subprocess

import common
import kernels
import pictures
from common import (
    HERE,
    WORK,
    ZINK,
    Skipped,
    in_work,
    last,
    need,
    need_library,
    node,
    node_said,
    run,
    script,
    script_said,
    venv,
    xvfb,
)


def cargo(*arguments, action=("run",), package="quadrille-client-wgpu"):
    need("cargo")
    command = ["cargo", *action, "--release", "-q", "-p", package, "--", *arguments]
    env = {"CARGO_TARGET_DIR": os.path.join(WORK, "cargo"), "CLIENT_DEVICE": common.device}
    return last(
        subprocess.run(
            command, cwd=HERE, env={**os.environ, **env}, stdout=subprocess.PIPE, check=True, text=True
        ).stdout
    )


def wgpu():
    if common.device != "Quadrille":
        raise Skipped("it has the driver in it")
    return cargo(in_work("triangle.png"))


def wgpu_by_loader():
    return cargo("--loader", in_work("triangle-by-loader.png"))


def wgpu_rays():
    if common.device != "Quadrille":
        raise Skipped("it has the driver in it")
    return cargo(action=("test", "--test", "rays"))


def interface(test):
    """Runs a test of user interfaces on the driver that the loader finds."""
    return cargo("--nocapture", action=("test", "--test", test), package="quadrille-client-ui")


def llama():
    model = in_work("tiny.gguf")
    run([venv(), os.path.join(HERE, "python", "tiny_llama.py"), model])
    # Without this, ggml ignores devices of type CPU.
    return node("llama.mjs", model, GGML_VK_VISIBLE_DEVICES="0")


def onnx():
    model = in_work("small.onnx")
    run([venv(), os.path.join(HERE, "python", "small_onnx.py"), model])
    return node("onnx.mjs", model)


def ffmpeg():
    need("ffmpeg")
    return script("ffmpeg_filters.py")


def ffmpeg_codecs():
    need("ffmpeg")
    if "ffv1_vulkan" not in run(["ffmpeg", "-hide_banner", "-encoders"]):
        raise Skipped("no ffmpeg 8 or newer")
    return script("ffmpeg_codecs.py", WORK, pins="compare.txt")


def realesrgan():
    need_library("omp")
    return script("realesrgan.py")


def sdl_gpu():
    return script("sdl_gpu.py", need_library("SDL3"), pins="compare.txt")


def chromium(test):
    need("chromium")
    arguments = [test, os.path.join(HERE, "web", "page.html"), in_work(f"chromium-{test}.png")]
    with xvfb() if test == "webgpu" else contextlib.nullcontext("") as display:
        return script("chromium_page.py", *arguments, DISPLAY=display)


def firefox():
    program = next((p for p in ("firefox", "firefox-esr") if shutil.which(p)), None)
    if not program:
        raise Skipped("no firefox")
    # Its sandbox would hide the driver.
    env = {"MOZ_DISABLE_CONTENT_SANDBOX": "1", "MOZ_DISABLE_GMP_SANDBOX": "1", **ZINK}
    with xvfb() as display:
        page = os.path.join(HERE, "web", "page.html")
        return script("firefox_page.py", program, page, pins="compare.txt", DISPLAY=display, **env)


LAYER = "/usr/lib/chromium/libVkLayer_khronos_validation.so"


def newest_layer():
    """Runs libraries under Chromium's Khronos validation layer, which is recent enough for this driver: no messages.
    For vkcube of Debian 12 it must report a semaphore that is signaled while a presentation may still wait for it."""
    need("vkcube")
    if not os.path.exists(LAYER):
        raise Skipped(f"no {LAYER}")
    folder, name = in_work("layer"), "VK_LAYER_KHRONOS_validation"
    os.makedirs(folder, exist_ok=True)
    layer = {"name": name, "type": "GLOBAL", "library_path": LAYER, "api_version": "1.4.0"}
    layer |= {"implementation_version": "1", "description": "of Chromium"}
    with open(os.path.join(folder, "layer.json"), "w") as f:
        json.dump({"file_format_version": "1.2.0", "layer": layer}, f)
    env = {"VK_LAYER_PATH": folder, "VK_INSTANCE_LAYERS": name, "VK_LOADER_DEBUG": "layer"}
    programs = {
        "webgpu": lambda: node_said("webgpu.mjs", **env),
        "wgpu-native": lambda: script_said("wgpu_native.py", **env),
        "pygfx": lambda: script_said("pygfx_scene.py", in_work("pygfx-validated.png"), **env),
        "taichi": lambda: script_said("taichi_fields.py", **env),
        "ncnn": lambda: script_said("ncnn_net.py", **env),
        "slangpy": lambda: script_said("slangpy_kernels.py", **env),
        "moderngl": lambda: script_said("moderngl_zink.py", **ZINK, **env),
        "tfjs": lambda: node_said("tfjs.mjs", **env),
        "iree": lambda: script_said("iree_network.py", pins=kernels.PINS, **env),
        "litert": lambda: script_said("litert_network.py", pins=kernels.PINS, **env),
        "datoviz": lambda: script_said("datoviz_points.py", pins=pictures.PINS, **env),
        "fastplotlib": lambda: script_said("fastplotlib_blocks.py", pins=pictures.PINS, **env),
    }
    for program, said in programs.items():
        text = said()
        assert f'Insert instance layer "{name}" ({LAYER})' in text, f"{program} ran without it"
        assert "VUID-" not in text and "UNASSIGNED-" not in text, (
            f"{program}: {text[max(text.find('VUID-'), 0) :][:600]}"
        )
    with xvfb() as display:
        assert "VUID-vkQueueSubmit-pSignalSemaphores-00067" in run(["vkcube", "--c", "60"], DISPLAY=display, **env), (
            "it is dumb"
        )
    return f"silent over {', '.join(programs)}"
