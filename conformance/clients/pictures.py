"""Clients that draw a picture, which another back end of the same program draws too, and layers over vkcube."""

import glob
import time

import common
from common import LLVMPIPE, ZINK, in_work, need, process, run, script, venv, window_dump, xvfb
from screens import a_cube

PINS = "pictures.txt"
ENGINES = "engines.txt"
# Share of the pixels that may differ: those at the edges of shapes, where Mesa 22.3's drivers place samples
# differently.
EDGES = "0.01"
# The same share for back ends that share all code above the driver.
EXACT = "0.001"


def same(got, want):
    return script("same_picture.py", in_work(got), in_work(want), EDGES, pins=PINS)


def same_file(got, want, share, far=3):
    """Compares two pictures in files, of which a share of the pixels may differ by more than `far`."""
    return script("same_picture.py", in_work(got), in_work(want), share, str(far), pins="compare.txt")


def array(png):
    """Writes the colours of a PNG file beside it as an array of numpy."""
    code = (
        "import sys,numpy as n;from PIL import Image;"
        "n.save(sys.argv[2],n.asarray(Image.open(sys.argv[1]).convert('RGB')))"
    )
    run([venv(PINS), "-c", code, png, png.removesuffix(".png") + ".npy"])


def opengl(name, pins=PINS, **env):
    """Runs a script on zink and on Mesa's llvmpipe, which must draw the same picture."""
    said = script(f"{name}.py", in_work(f"{name}.npy"), pins=pins, **ZINK, **env)
    assert "zink" in said and common.device in said, said
    if not common.kept(f"{name}-llvmpipe.npy"):
        reference = script(f"{name}.py", in_work(f"{name}-llvmpipe.npy"), pins=pins, **LLVMPIPE, **env)
        assert "llvmpipe" in reference and "zink" not in reference, reference
    return same(f"{name}.npy", f"{name}-llvmpipe.npy")


def opengl_in_window(name, pins):
    with xvfb() as display:
        return opengl(name, pins, DISPLAY=display)


def qt(name):
    """Runs a script of Qt Quick on Vulkan, and on OpenGL of llvmpipe, which must draw the same picture."""
    with xvfb() as display:
        for api in ("vulkan", "opengl"):
            if api == "opengl" and common.kept(f"{name}-opengl.npy"):
                continue
            env = {
                "QSG_RHI_BACKEND": api,
                "DISPLAY": display,
                "QT_QPA_PLATFORM": "xcb",
                **(LLVMPIPE if api == "opengl" else {}),
            }
            loaded = script(f"{name}.py", in_work(f"{name}-{api}.npy"), pins=PINS, **env)
            assert (common.library() in loaded) == (api == "vulkan"), f"{api}: {loaded}"
    return same(f"{name}-vulkan.npy", f"{name}-opengl.npy")


MODEL = """
difference() { color("gold") cube(10, center = true); color("red") sphere(6.5, $fn = 40); }
translate([12, 0, 0]) color("teal") cylinder(h = 10, r = 4, $fn = 50);
"""


def openscad():
    need("openscad")
    with open(in_work("model.scad"), "w") as f:
        f.write(MODEL)
    with xvfb() as display:
        for name, env in (("zink", ZINK), ("llvmpipe", LLVMPIPE)):
            if name == "llvmpipe" and common.kept("openscad-llvmpipe.npy"):
                continue
            command = [
                "openscad",
                "-q",
                "--preview",
                "--imgsize=400,300",
                "-o",
                in_work(f"openscad-{name}.png"),
                in_work("model.scad"),
            ]
            run(command, DISPLAY=display, **env)
            if name == "zink":
                said = run(["openscad", "--info"], DISPLAY=display, **env)
                renderer = next(line for line in said.splitlines() if line.startswith("GL Renderer"))
                assert "zink" in renderer and common.device in renderer, renderer
            array(in_work(f"openscad-{name}.png"))
    return same("openscad-zink.npy", "openscad-llvmpipe.npy")


# Takes a screenshot of the window once the first frame is on the screen, and ends the program.
SHOT = """
mp.register_event("playback-restart", function()
    mp.add_timeout(1, function()
        mp.commandv("screenshot-to-file", os.getenv("SHOT"), "window")
        mp.command("quit")
    end)
end)
"""


def mpv():
    """Compares a video's frame, enlarged by `gpu-next`, on Vulkan with OpenGL on llvmpipe."""
    need("mpv", "ffmpeg")
    video, lua = in_work("video.mkv"), in_work("shot.lua")
    run(
        ["ffmpeg", "-y", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:d=1:r=5", "-c:v", "ffv1", video]
    )
    with open(lua, "w") as f:
        f.write(SHOT)
    options = [
        "--no-config",
        "--vo=gpu-next",
        "--pause",
        "--start=0.4",
        "--no-audio",
        "--dither-depth=no",
        "--osd-level=0",
    ]
    options += ["--geometry=480x360", "--keep-open=yes", f"--script={lua}", "--msg-level=vo=v", video]
    # mpv takes devices of the kind CPU only by their name.
    vulkan, opengl = ["--gpu-api=vulkan", f"--vulkan-device={common.device}"], ["--gpu-api=opengl", "--gpu-sw=yes"]
    with xvfb() as display:
        for name, back_end, env in (("vulkan", vulkan, {}), ("opengl", opengl, LLVMPIPE)):
            if name == "opengl" and common.kept("mpv-opengl.npy"):
                continue
            picture = in_work(f"mpv-{name}.png")
            said = run(["mpv", *back_end, *options], DISPLAY=display, SHOT=picture, **env)
            assert (common.device if name == "vulkan" else "llvmpipe") in said, said[-300:]
            array(picture)
    return same("mpv-vulkan.npy", "mpv-opengl.npy")


def open3d():
    """Compares Filament's picture by Vulkan with lavapipe's."""
    reference = common.lavapipe()
    for name, env in (("open3d.npy", {}), ("open3d-lavapipe.npy", reference)):
        if env and common.kept(name):
            continue
        loaded = script("open3d_scene.py", in_work(name), pins=ENGINES, **env)
        assert (common.library() in loaded) == (not env) and ("libvulkan_lvp" in loaded) == bool(env), loaded
    return same("open3d.npy", "open3d-lavapipe.npy")


def gstreamer():
    need("gst-launch-1.0")
    elements = run(["gst-inspect-1.0"])
    if "vulkancolorconvert" not in elements:
        raise common.Skipped("no Vulkan elements of gstreamer1.0-plugins-bad")
    return script("gstreamer_colours.py")


def layered(found, layer, **env):
    """Returns the screen with vkcube under a layer, once a test finds the layer's drawing."""
    need("vkcube")
    if not glob.glob(f"/usr/share/vulkan/implicit_layer.d/{layer}*.json"):
        raise common.Skipped(f"no {layer}")
    with xvfb() as display, process(["vkcube"], DISPLAY=display, **env):
        for _ in range(20):
            time.sleep(0.5)
            rows = window_dump(display)
            if found([p for row in rows for p in row]):
                return rows
    raise AssertionError(f"{layer} draws nothing")


# The opposite of each colour, as a table of two by two by two.
INVERTED = "LUT_3D_SIZE 2\n" + "".join(f"{1 - i % 2} {1 - i // 2 % 2} {1 - i // 4}\n" for i in range(8))


def vkbasalt():
    """Checks vkcube in inverted colours."""
    table, settings = in_work("inverted.cube"), in_work("vkbasalt.conf")
    for path, text in ((table, INVERTED), (settings, f"effects = lut\nlutFile = {table}\nenableOnLaunch = True\n")):
        with open(path, "w") as f:
            f.write(text)
    around = (204, 204, 204)
    rows = layered(lambda flat: around in flat, "vkBasalt", ENABLE_VKBASALT="1", VKBASALT_CONFIG_FILE=settings)
    return a_cube(rows, around)


def mangohud():
    """Checks vkcube under an overlay with text and a graph on a colour of our own."""
    ours = (0, 32, 64)
    config = "legacy_layout,fps,frametime,frame_timing,background_alpha=1,background_color=002040,text_color=FFFFFF"
    rows = layered(lambda flat: flat.count(ours) > 20_000, "MangoHud", MANGOHUD="1", MANGOHUD_CONFIG=config)
    flat = [p for row in rows for p in row]
    xs = [x for row in rows for x, p in enumerate(row) if p == ours]
    ys = [y for y, row in enumerate(rows) if ours in row]
    box = [p for row in rows[min(ys) : max(ys)] for p in row[min(xs) : max(xs)]]
    white, green = box.count((255, 255, 255)), sum(p[1] > 200 and p[0] < 50 for p in box)
    assert white > 300 and green > 100, f"{white} pixels of text, {green} of the graph"
    assert 80_000 < flat.count((51, 51, 51)) < 200_000 and len(set(flat)) > 100, "no cube behind it"
    return f"{white} pixels of text, {green} of a graph"
