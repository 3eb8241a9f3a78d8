"""Clients with a window, whose pixels on the screen are checked; also vulkaninfo and the validation layer."""

import os
import re
import subprocess
import time

import common
from common import WORK, ZINK, Skipped, need, process, rows_of_png, run, window_dump, xvfb


def a_cube(rows, background):
    """Checks the picture of vkcube: a 500x500 window of one colour, with a cube of many colours in the middle."""
    flat = [p for row in rows for p in row]
    around = sum(p == background for p in flat)
    # The cube covers a quarter to a half of the window; part of the window may lie outside of the screen.
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
            if len({p for row in rows for p in row}) > 100:
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
        picture = next(f for f in os.listdir(folder) if f.endswith(".png"))
        # The compositor ignores the alpha of the cube, but the PNG has colours divided by it: multiply them again.
        rows = rows_of_png(os.path.join(folder, picture))
        seen = a_cube([[tuple(round(c * p[3] / 255) for c in p[:3]) for p in row] for row in rows], (51, 51, 51))
        run(["vkcube-wayland", "--c", "60"], **env)
    return seen


def vulkaninfo():
    need("vulkaninfo")
    text = run(["vulkaninfo"])
    complaints = [line for line in text.splitlines() if re.search(r"\b(error|warning)\b", line, re.I)]
    assert not complaints, complaints[:3]
    assert common.device in text, "another device"
    return f"{len(text.splitlines())} lines, no complaint"


def validation():
    """Runs vkcube under the Khronos validation layer, which must print no messages."""
    need("vkcube")
    layer = {"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation"}
    if "VK_LAYER_KHRONOS_validation" not in run(["vulkaninfo", "--summary"]):
        raise Skipped("no validation layer")
    with xvfb() as display:
        text = run(["vkcube", "--c", "60"], DISPLAY=display, **layer)
    assert "VUID" not in text and "Validation" not in text, text[:600]
    return "silent over vkcube"


def glxgears():
    need("glxgears")
    with xvfb() as display, process(["glxgears"], DISPLAY=display, **ZINK):
        time.sleep(5)
        rows = window_dump(display)
        info = subprocess.Popen(
            ["glxgears", "-info"], env={**os.environ, **ZINK, "DISPLAY": display}, stdout=subprocess.PIPE, text=True
        )
        try:
            name = next(line for line in info.stdout if line.startswith("GL_RENDERER"))
        finally:
            info.kill()
            info.wait()
    assert "zink" in name and common.device in name, name
    return wheels(rows)


def vkgears():
    need("vkgears")
    with xvfb() as display, process(["vkgears", "-info"], DISPLAY=display) as program:
        time.sleep(5)
        rows = window_dump(display)
        program.terminate()
        said = program.stdout.read().decode(errors="replace")
    assert re.search(rf"deviceName += {common.device}", said), said[:600]
    return wheels(rows)


def wheels(rows):
    """Checks a picture of gears."""
    # It has a red, a green and a blue wheel on black.
    flat = [p for row in rows[:300] for p in row[:300]]
    sizes = [sum(p[i] > 80 and p[i] > 2 * max(p[:i] + p[i + 1 :]) for p in flat) for i in range(3)]
    assert all(n > 1500 for n in sizes) and sizes[0] > sizes[1], sizes
    return f"red, green and blue wheels of {sizes} pixels"


def vkd3d():
    """Checks the picture of a Direct3D 12 program: a triangle with a red, a green and a blue corner on dark blue."""
    need("vkd3d-triangle")
    around, black = (0, 51, 102), (0, 0, 0)
    with xvfb() as display, process(["vkd3d-triangle"], DISPLAY=display):
        for _ in range(40):
            time.sleep(0.5)
            rows = window_dump(display)
            inside = [(x, y, p) for y, row in enumerate(rows) for x, p in enumerate(row) if p not in (around, black)]
            if inside:
                break
    shown = sum(row.count(around) for row in rows) + len(inside)
    assert shown == 640 * 480 and 12_000 < len(inside) < 14_000, f"{len(inside)} pixels of {shown}"
    # Barycentric weights of the three corners: their sum is 1 everywhere.
    assert all(abs(sum(p) - 255) <= 2 for _, _, p in inside), "not a mixture of the three"
    pure = [max(inside, key=lambda i: i[2][c]) for c in range(3)]
    assert all(p[c] > 248 for c, (_, _, p) in enumerate(pure)), pure
    (_, top, _), (right, below, _), (left, beside, _) = pure
    assert left < right and top < below and abs(below - beside) <= 1, pure
    return f"a triangle of {len(inside)} pixels"


# Scenes of vkmark, with ranges of the background's share of the window in percent and of the number of colours.
SCENES = {
    "clear": ((100, 100), (1, 1)),
    "cube": ((75, 95), (5_000, 50_000)),
    "desktop": ((40, 75), (1_000, 50_000)),
    "effect2d": ((60, 95), (500, 50_000)),
    "shading:shading=cel": ((75, 95), (3, 8)),
    "texture": ((50, 95), (1_000, 50_000)),
}


def vkmark():
    need("vkmark")
    with xvfb() as display:
        for scene, (shares, counts) in SCENES.items():
            command = ["vkmark", "--winsys", "xcb", "-s", "640x480", "-b", f"{scene}:duration=8"]
            with process(command, DISPLAY=display) as program:
                for _ in range(20):
                    time.sleep(0.4)
                    rows = [row[:640] for row in window_dump(display)[:480]]
                    flat = [p for row in rows for p in row]
                    if any(p != (0, 0, 0) for p in flat):
                        break
                program.terminate()
                said = program.stdout.read().decode(errors="replace")
            assert common.device in said, said[-300:]
            colours = set(flat)
            # The first pixel belongs to the background.
            share = 100 * flat.count(flat[0]) / len(flat)
            assert shares[0] <= share <= shares[1], f"{scene}: {share:.0f} % of background"
            assert counts[0] <= len(colours) <= counts[1], f"{scene}: {len(colours)} colours"
    return f"{len(SCENES)} scenes"
