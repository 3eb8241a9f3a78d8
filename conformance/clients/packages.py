"""Libraries: crates of crates.io, packages of PyPI and npm, ffmpeg and Chromium."""
import os
import subprocess

import common
from common import HERE, WORK, Skipped, in_work, last, need, node, run, script, venv


def cargo(*arguments):
    need("cargo")
    command = ["cargo", "run", "--release", "-q", "-p", "quadrille-client-wgpu", "--", *arguments]
    env = {"CARGO_TARGET_DIR": os.path.join(WORK, "cargo")}
    return last(subprocess.run(command, cwd=HERE, env={**os.environ, **env}, stdout=subprocess.PIPE, check=True, text=True).stdout)


def wgpu():
    if common.device != "Quadrille":
        raise Skipped("it has the driver in it")
    return cargo(in_work("triangle.png"))


def wgpu_by_loader():
    return cargo("--loader", in_work("triangle-by-loader.png"))


def llama():
    model = in_work("tiny.gguf")
    run([venv(), os.path.join(HERE, "python", "tiny_llama.py"), model])
    # Without this, ggml takes no device of the kind CPU.
    return node("llama.mjs", model, GGML_VK_VISIBLE_DEVICES="0")


def onnx():
    model = in_work("small.onnx")
    run([venv(), os.path.join(HERE, "python", "small_onnx.py"), model])
    return node("onnx.mjs", model)


def ffmpeg():
    need("ffmpeg")
    return script("ffmpeg_filters.py")


def chromium(test):
    need("chromium")
    said = script("chromium_page.py", test, os.path.join(HERE, "web", "page.html"), in_work(f"chromium-{test}.png"))
    if said.startswith("skipped "):
        raise Skipped(said[8:])
    return said
