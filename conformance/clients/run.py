#!/usr/bin/env python3
"""Programs that nobody here wrote, on the Quadrille driver: each compares values or a picture with what the host
computes, or with what must be seen.

  python3 conformance/clients/run.py [--driver ICD.json --device NAME] [CLIENT...]

Without --driver, the driver is built first. A client whose program is not installed is skipped, and says what is
missing; packages of PyPI and npm are fetched, in the versions that `python/requirements.txt` and `node/package.json`
pin, to `target/clients`. Ends with 1 if a client fails.
"""
import argparse
import contextlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WORK = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "clients")


class Skipped(Exception):
    """A program that is not there."""


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skipped(f"no {program}")


def run(command, cwd=WORK, **env):
    """What a program prints. It must end well, and soon."""
    env = {**os.environ, **env}
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    text = done.stdout.decode(errors="replace")
    if done.returncode:
        raise AssertionError(f"{command[0]} ends with {done.returncode}: ...{text[-600:]}")
    return text


def last(text):
    return text.strip().splitlines()[-1]


@contextlib.contextmanager
def process(command, **env):
    """A program in the background."""
    env = {**os.environ, **env}
    child = subprocess.Popen(command, cwd=WORK, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield child
    finally:
        child.terminate()
        child.wait()


@contextlib.contextmanager
def xvfb():
    """The name of a display of its own."""
    need("Xvfb")
    screen = ["-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"]
    with process(["Xvfb", "-displayfd", "1", *screen]) as server:
        yield ":" + server.stdout.readline().decode().strip()


def window_dump(display):
    """Colours of the whole screen, row by row, by xwd."""
    need("xwd")
    dump = subprocess.run(["xwd", "-root", "-silent", "-display", display], stdout=subprocess.PIPE, check=True).stdout
    head = struct.unpack(">25I", dump[:100])
    width, height, step, line, colours = head[4], head[5], head[11] // 8, head[12], head[19]
    pixels = dump[head[0] + 12 * colours :]
    return [[tuple(pixels[y * line + step * x + i] for i in (2, 1, 0)) for x in range(width)] for y in range(height)]


def rows_of_png(path):
    python = venv()
    code = "import sys,json;from PIL import Image;i=Image.open(sys.argv[1]).convert('RGBA');print(i.width);print(json.dumps(list(i.getdata())))"
    width, data = subprocess.run([python, "-c", code, path], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    data = [tuple(p) for p in json.loads(data)]
    return [data[i : i + int(width)] for i in range(0, len(data), int(width))]


def a_cube(rows, background):
    """vkcube: a window of 500 by 500 of one colour with a cube of many in the middle."""
    flat = [p for row in rows for p in row]
    around = sum(p == background for p in flat)
    # The cube covers a quarter to a half of the window, of which screens cut a part.
    assert 100_000 < around < 200_000, f"{around} pixels of the background"
    xs = [x for row in rows for x, p in enumerate(row) if p == background]
    ys = [y for y, row in enumerate(rows) if background in row]
    middle = rows[(min(ys) + max(ys)) // 2][min(xs) : max(xs)]
    inside = [p for p in middle if p != background]
    assert 150 < len(inside) < 450 and len(set(flat)) > 100, "no cube in the middle"
    return f"{len(set(flat))} colours, a cube in the middle"


def vkcube():
    need("vkcube")
    with xvfb() as display, process(["vkcube"], DISPLAY=display):
        for _ in range(20):
            time.sleep(0.5)
            rows = window_dump(display)
            if any((51, 51, 51) in row for row in rows):
                break
        seen = a_cube(rows, (51, 51, 51))
        run(["vkcube", "--c", "60"], DISPLAY=display)
    return seen


def vkcube_wayland():
    need("vkcube-wayland", "weston", "weston-screenshooter")
    folder = os.path.join(WORK, "wayland")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    env = {"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "quadrille"}
    size = ["--width=800", "--height=600"]
    weston = ["weston", "--debug", "--backend=headless-backend.so", "--use-pixman", "--socket=quadrille", *size]
    with process(weston, XDG_RUNTIME_DIR=folder):
        for _ in range(50):
            if os.path.exists(os.path.join(folder, "quadrille")):
                break
            time.sleep(0.2)
        with process(["vkcube-wayland"], **env):
            time.sleep(4)
            for old in [f for f in os.listdir(folder) if f.endswith(".png")]:
                os.remove(os.path.join(folder, old))
            run(["weston-screenshooter"], cwd=folder, **env)
        picture = [f for f in os.listdir(folder) if f.endswith(".png")][0]
        # The cube's alpha, which the compositor ignores, comes along: the file has colours divided by it.
        rows = rows_of_png(os.path.join(folder, picture))
        seen = a_cube([[tuple(round(c * p[3] / 255) for c in p[:3]) for p in row] for row in rows], (51, 51, 51))
        run(["vkcube-wayland", "--c", "60"], **env)
    return seen


def vulkaninfo():
    need("vulkaninfo")
    text = run(["vulkaninfo"])
    complaints = [line for line in text.splitlines() if re.search(r"\b(error|warning)\b", line, re.I)]
    assert not complaints, complaints[:3]
    assert DEVICE in text, "another device"
    return f"{len(text.splitlines())} lines, no complaint"


def validation():
    """The Khronos layer has nothing to say about vkcube; a wrong call shows that it is there."""
    need("vkcube")
    layer = {"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation"}
    if "VK_LAYER_KHRONOS_validation" not in run(["vulkaninfo", "--summary"]):
        raise Skipped("no validation layer")
    with xvfb() as display:
        text = run(["vkcube", "--c", "60"], DISPLAY=display, **layer)
    assert "VUID" not in text and "Validation" not in text, text[:600]
    return "silent over vkcube"


def cargo(*arguments):
    need("cargo")
    command = ["cargo", "run", "--release", "-q", "-p", "quadrille-client-wgpu", "--", *arguments]
    env = {"CARGO_TARGET_DIR": os.path.join(WORK, "cargo")}
    return last(subprocess.run(command, cwd=HERE, env={**os.environ, **env}, stdout=subprocess.PIPE, check=True, text=True).stdout)


def wgpu():
    if DEVICE != "Quadrille":
        raise Skipped("it has the driver in it")
    return cargo(os.path.join(WORK, "triangle.png"))


def wgpu_by_loader():
    return cargo("--loader", os.path.join(WORK, "triangle-by-loader.png"))


def venv():
    need("python3")
    folder = os.path.join(WORK, "python")
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(os.path.join(folder, "done")):
        run(["python3", "-m", "venv", folder])
        run([python, "-m", "pip", "install", "-q", "-r", os.path.join(HERE, "python", "requirements.txt")])
        open(os.path.join(folder, "done"), "w").close()
    return python


def script(name, *arguments, **env):
    return last(run([venv(), os.path.join(HERE, "python", name), *arguments], CLIENT_DEVICE=DEVICE, **env))


ZINK = {"MESA_LOADER_DRIVER_OVERRIDE": "zink", "GALLIUM_DRIVER": "zink", "LIBGL_ALWAYS_SOFTWARE": "1"}


def glxgears():
    need("glxgears")
    with xvfb() as display, process(["glxgears"], DISPLAY=display, **ZINK):
        time.sleep(5)
        rows = window_dump(display)
        info = subprocess.Popen(["glxgears", "-info"], env={**os.environ, **ZINK, "DISPLAY": display}, stdout=subprocess.PIPE, text=True)
        try:
            name = next(line for line in info.stdout if line.startswith("GL_RENDERER"))
        finally:
            info.kill()
            info.wait()
    assert "zink" in name and DEVICE in name, name
    # A red, a green and a blue wheel on black.
    flat = [p for row in rows[:300] for p in row[:300]]
    wheels = [sum(p[i] > 80 and p[i] > 2 * max(p[:i] + p[i + 1 :]) for p in flat) for i in range(3)]
    assert all(n > 1500 for n in wheels) and wheels[0] > wheels[1], wheels
    return f"red, green and blue wheels of {wheels} pixels"


def node():
    need("node", "npm")
    folder = os.path.join(WORK, "node")
    os.makedirs(folder, exist_ok=True)
    for name in ("package.json", "webgpu.mjs"):
        shutil.copy(os.path.join(HERE, "node", name), folder)
    if not os.path.exists(os.path.join(folder, "node_modules")):
        run(["npm", "install", "--silent"], cwd=folder)
    return last(run(["node", "webgpu.mjs"], cwd=folder, CLIENT_DEVICE=DEVICE))


CLIENTS = {
    "vulkaninfo": vulkaninfo,
    "validation": validation,
    "vkcube": vkcube,
    "vkcube-wayland": vkcube_wayland,
    "wgpu": wgpu,
    "wgpu-by-loader": wgpu_by_loader,
    "wgpu-native": lambda: script("wgpu_native.py"),
    "pygfx": lambda: script("pygfx_scene.py", os.path.join(WORK, "pygfx.png")),
    "webgpu": node,
    "taichi": lambda: script("taichi_fields.py"),
    "ncnn": lambda: script("ncnn_net.py"),
    "moderngl": lambda: script("moderngl_zink.py", **ZINK),
    "glxgears": glxgears,
}


def built():
    """The manifest of a driver that was just built."""
    target = os.path.dirname(WORK)
    subprocess.run(["cargo", "build", "--release", "-q", "-p", "quadrille-vulkan"], cwd=ROOT, check=True)
    path = os.path.join(WORK, "quadrille.json")
    library = os.path.join(target, "release", "libvk_quadrille.so")
    with open(path, "w") as f:
        json.dump({"file_format_version": "1.0.0", "ICD": {"library_path": library, "api_version": "1.4.0"}}, f)
    return path


def main():
    global DEVICE
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("clients", nargs="*", metavar="CLIENT", help=", ".join(CLIENTS))
    a.add_argument("--driver", help="manifest of a driver")
    a.add_argument("--device", default="Quadrille", help="part of the name of its device")
    a = a.parse_args()
    DEVICE = a.device
    unknown = set(a.clients) - set(CLIENTS)
    if unknown:
        sys.exit(f"no such client: {', '.join(unknown)}")
    os.makedirs(WORK, exist_ok=True)
    manifest = os.path.abspath(a.driver) if a.driver else built()
    os.environ.update(VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest, NODEVICE_SELECT="1")
    os.environ.setdefault("XDG_RUNTIME_DIR", WORK)
    failed = 0
    for name in a.clients or CLIENTS:
        began = time.time()
        try:
            outcome = "ok      " + CLIENTS[name]()
        except Skipped as e:
            outcome = f"skipped {e}"
        except Exception as e:
            outcome, failed = f"FAILED  {e}", 1
        print(f"{name:16}{time.time() - began:6.1f} s  {outcome}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
