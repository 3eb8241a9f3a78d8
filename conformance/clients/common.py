"""Code that the clients share: paths, execution of programs, displays, packages of PyPI and npm."""

import contextlib
import ctypes.util
import glob
import json
import os
import shutil
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WORK = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "clients")

# Part of the name of the device that the clients must run on.
device = "Quadrille"
# True if only the driver is measured: pictures of another back end are kept from an earlier run.
measuring = False


class Skipped(Exception):
    """Raised if a required program is not installed."""


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skipped(f"no {program}")


def need_library(name):
    """Returns the file name of a shared library."""
    library = ctypes.util.find_library(name)
    if not library:
        raise Skipped(f"no lib{name}")
    return library


def library():
    """Returns the file name of the driver."""
    with open(os.environ["VK_DRIVER_FILES"]) as f:
        return os.path.basename(json.load(f)["ICD"]["library_path"])


def run(command, cwd=WORK, **env):
    """Runs a program and returns its output. It must succeed within 20 minutes."""
    env = {**os.environ, **env}
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1200)
    text = done.stdout.decode(errors="replace")
    if done.returncode:
        raise AssertionError(f"{command[0]} ends with {done.returncode}: ...{text[-600:]}")
    return text


def last(text):
    return text.strip().splitlines()[-1]


@contextlib.contextmanager
def process(command, **env):
    """Runs a program in the background until the context ends."""
    env = {**os.environ, **env}
    child = subprocess.Popen(command, cwd=WORK, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield child
    finally:
        child.terminate()
        child.wait()


@contextlib.contextmanager
def xvfb():
    """Starts a virtual X server, and yields the name of its display."""
    need("Xvfb")
    screen = ["-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"]
    with process(["Xvfb", "-displayfd", "1", *screen]) as server:
        yield ":" + server.stdout.readline().decode().strip()


def window_dump(display):
    """Returns the colours of the whole screen, row by row, from xwd."""
    need("xwd")
    dump = subprocess.run(["xwd", "-root", "-silent", "-display", display], stdout=subprocess.PIPE, check=True).stdout
    head = struct.unpack(">25I", dump[:100])
    width, height, step, line, colours = head[4], head[5], head[11] // 8, head[12], head[19]
    pixels = dump[head[0] + 12 * colours :]
    return [[tuple(pixels[y * line + step * x + i] for i in (2, 1, 0)) for x in range(width)] for y in range(height)]


def rows_of_png(path):
    python = venv("compare.txt")
    code = (
        "import sys,json;from PIL import Image;i=Image.open(sys.argv[1]).convert('RGBA');"
        "print(i.width);print(json.dumps(list(i.getdata())))"
    )
    width, data = subprocess.run(
        [python, "-c", code, path], stdout=subprocess.PIPE, check=True, text=True
    ).stdout.splitlines()
    data = [tuple(p) for p in json.loads(data)]
    return [data[i : i + int(width)] for i in range(0, len(data), int(width))]


@contextlib.contextmanager
def once(folder, pins):
    """Yields True if a folder lacks the packages that a file pins, and records success at the end of the context."""
    wanted, mark = open(pins).read(), os.path.join(folder, "installed")
    missing = not os.path.exists(mark) or open(mark).read() != wanted
    yield missing
    if missing:
        with open(mark, "w") as f:
            f.write(wanted)


def venv(pins="requirements.txt", python="python3"):
    """Returns the path of a Python interpreter that has the packages of PyPI that a file pins."""
    need(python)
    # Each file has an environment of its own.
    folder = os.path.join(WORK, "python" if pins == "requirements.txt" else "python-" + pins.removesuffix(".txt"))
    pins = os.path.join(HERE, "python", pins)
    interpreter = os.path.join(folder, "bin", "python")
    with once(folder, pins) as missing:
        if missing:
            run([python, "-m", "venv", folder])
            run([interpreter, "-m", "pip", "install", "-q", "-r", pins])
    return interpreter


def script_said(name, *arguments, pins="requirements.txt", python="python3", **env):
    """Runs a Python client with the device name in CLIENT_DEVICE, and returns its output."""
    return run([venv(pins, python), os.path.join(HERE, "python", name), *arguments], CLIENT_DEVICE=device, **env)


def script(name, *arguments, **options):
    """Runs a Python client, and returns the last line of its output."""
    return last(script_said(name, *arguments, **options))


def node_folder():
    """Returns a folder with the JavaScript clients and the packages of npm that they pin."""
    need("node")
    folder = os.path.join(WORK, "node")
    os.makedirs(folder, exist_ok=True)
    ours = os.path.join(HERE, "node")
    # Also copy the module that the clients share with the Chromium page.
    for file in [*(os.path.join(ours, name) for name in os.listdir(ours)), os.path.join(HERE, "web", "discs.mjs")]:
        shutil.copy(file, folder)
    with once(folder, os.path.join(ours, "package.json")) as missing:
        if missing:
            need("npm")
            # Install scripts would build or download more, and optional packages are for other platforms.
            run(["npm", "install", "--silent", "--no-audit", "--ignore-scripts", "--omit=optional"], cwd=folder)
    return folder


def node_said(name, *arguments, **env):
    """Runs a JavaScript client with the device name in CLIENT_DEVICE, and returns its output."""
    return run(["node", name, *arguments], cwd=node_folder(), CLIENT_DEVICE=device, **env)


def node(name, *arguments, **env):
    """Runs a JavaScript client, and returns the last line of its output."""
    return last(node_said(name, *arguments, **env))


def in_work(name):
    return os.path.join(WORK, name)


def kept(name):
    """Returns True if a reference of an earlier run is there and can serve again."""
    return measuring and os.path.exists(in_work(name))


def lavapipe():
    """Returns the environment for Mesa's software driver of Vulkan, whose pictures the driver's are compared with."""
    manifest = next(iter(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")), None)
    if not manifest:
        raise Skipped("no lavapipe to compare with")
    return {"VK_DRIVER_FILES": manifest, "VK_ICD_FILENAMES": manifest}


# Environment for OpenGL on Vulkan through Mesa's zink.
ZINK = {"MESA_LOADER_DRIVER_OVERRIDE": "zink", "GALLIUM_DRIVER": "zink", "LIBGL_ALWAYS_SOFTWARE": "1"}
# Environment for OpenGL on Mesa's own software renderer.
LLVMPIPE = {"GALLIUM_DRIVER": "llvmpipe", "LIBGL_ALWAYS_SOFTWARE": "1"}
