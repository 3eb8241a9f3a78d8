"""Clients that are desktop programs with a Vulkan back end: toolkits, compositors, game engines and players. Their
pictures are compared with those of another back end, of another driver, or with known contents."""

import contextlib
import glob
import os
import shutil
import time

import common
import game_boy
from common import HERE, LLVMPIPE, Skipped, in_work, last, need, process, run, venv, window_dump, xvfb
from pictures import EXACT, same_file


def has_gtk4():
    """Returns True if the system's Python can load GTK 4."""
    code = "import gi; gi.require_version('Gtk', '4.0')"
    try:
        run(["/usr/bin/python3", "-c", code])
    except (AssertionError, OSError):
        return False
    return True


def gtk():
    """Compares GTK's renderer for Vulkan with the one for OpenGL on llvmpipe."""
    if not has_gtk4():
        raise Skipped("no GTK 4 for Python")
    with xvfb() as display:
        for name, env in (("vulkan", {}), ("gl", LLVMPIPE)):
            if name == "gl" and common.kept("gtk-gl.png"):
                continue
            script = os.path.join(HERE, "python", "gtk_scene.py")
            env = {"GSK_RENDERER": name, "GDK_BACKEND": "x11", "DISPLAY": display, **env}
            said = last(run(["/usr/bin/python3", script, in_work(f"gtk-{name}.png")], **env))
            assert said.startswith({"vulkan": "VulkanRenderer", "gl": "GLRenderer"}[name]), said
            assert (common.library() in said) == (name == "vulkan"), said
    return same_file("gtk-vulkan.png", "gtk-gl.png", EXACT)


# Colours that ramp in two directions, and a pattern.
CHART = (
    "import sys,numpy as n;from PIL import Image;y,x=n.mgrid[:240,:320];"
    "Image.fromarray(n.stack([x*255//319,y*255//239,(x*7^y*5)&255],2).astype('u1')).save(sys.argv[1])"
)


@contextlib.contextmanager
def weston_screen(renderer, *options):
    """Starts Weston without a screen. Yields the environment of its clients and the file with its messages."""
    folder = in_work(f"weston-{renderer}")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder, mode=0o700)
    log = os.path.join(folder, "log")
    command = ["weston", "--debug", "--backend=headless", f"--renderer={renderer}", "--socket=quadrille"]
    command += ["--width=640", "--height=480", "--shell=kiosk-shell.so", "--idle-time=0", f"--log={log}", *options]
    with process(command, XDG_RUNTIME_DIR=folder):
        for _ in range(50):
            if os.path.exists(os.path.join(folder, "quadrille")):
                break
            time.sleep(0.2)
        yield {"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "quadrille"}, log


def weston():
    """Compares a window that Weston composes, at scales of 1 and 2, by Vulkan and by pixman."""
    need("weston", "weston-image", "weston-screenshooter")
    if not glob.glob("/usr/lib/*/libweston-*/vulkan-renderer.so"):
        raise Skipped("no Weston 15 or newer")
    chart = in_work("chart.png")
    run([venv("compare.txt"), "-c", CHART, chart])
    seen = []
    for scale in (1, 2):
        for renderer in ("vulkan", "pixman"):
            with weston_screen(renderer, f"--scale={scale}") as (env, log), process(["weston-image", chart], **env):
                time.sleep(4)
                run(["weston-screenshooter"], cwd=os.path.dirname(log), **env)
                said = open(log).read()
            assert (f"Vulkan device: '{common.device}" in said) == (renderer == "vulkan"), said[-600:]
            picture = glob.glob(os.path.join(os.path.dirname(log), "*.png"))[0]
            os.replace(picture, in_work(f"weston-{renderer}-{scale}.png"))
        seen.append(same_file(f"weston-vulkan-{scale}.png", f"weston-pixman-{scale}.png", EXACT))
    return " and ".join(seen)


def on_both(name, draw, share, far=3):
    """Compares pictures that a function draws on this driver and on lavapipe."""
    env = common.lavapipe()
    said = draw(in_work(f"{name}.png"))
    assert common.device in said, said[-600:]
    if not common.kept(f"{name}-lavapipe.png"):
        said = draw(in_work(f"{name}-lavapipe.png"), **env)
        assert "llvmpipe" in said, said[-600:]
    return same_file(f"{name}.png", f"{name}-lavapipe.png", share, far)


def godot():
    """Compares a scene of Godot's two renderers for Vulkan with lavapipe's pictures."""
    need("godot")
    project = in_work("godot")
    shutil.copytree(os.path.join(HERE, "godot"), project, dirs_exist_ok=True)
    with xvfb() as display:

        def draw(method):
            command = ["godot", "--path", project, "--audio-driver", "Dummy", "--rendering-driver", "vulkan"]
            command += ["--rendering-method", method]
            return lambda picture, **env: run([*command, "--", picture], DISPLAY=display, **env)

        return " and ".join(
            on_both(f"godot-{method}", draw(method), EXACT, far)
            for method, far in (("forward_plus", 3), ("mobile", MOBILE))
        )


# Godot's mobile renderer keeps colours in ten bits, which each driver rounds in its own way.
MOBILE = 8


def blender():
    """Compares a scene of EEVEE and of Workbench with lavapipe's pictures."""
    need("blender")
    script = os.path.join(HERE, "python", "blender_scene.py")

    def draw(engine):
        command = ["blender", "-b", "--gpu-backend", "vulkan", "--factory-startup", "--python", script, "--", engine]

        def drawn(picture, **env):
            said = run([*command, picture], **env)
            if "--gpu-backend" in said and "unknown" in said:
                raise Skipped("no Blender with Vulkan")
            return next((line for line in said.splitlines() if line.startswith("renderer: VULKAN")), said)

        return drawn

    return " and ".join(
        on_both(f"blender-{engine}", draw(f"BLENDER_{engine.upper()}"), "0.005") for engine in ("eevee", "workbench")
    )


SETTINGS = """
video_driver = "vulkan"
video_fullscreen = "false"
audio_driver = "null"
input_driver = "x"
menu_driver = "null"
video_smooth = "false"
video_scale = "3"
video_scale_integer = "true"
video_shader_enable = "false"
video_font_enable = "false"
video_window_show_decorations = "false"
pause_nonactive = "false"
config_save_on_exit = "false"
"""


def retroarch():
    """Checks each pixel of a cartridge of our own in an emulator of the Game Boy."""
    need("retroarch")
    core = next(iter(glob.glob("/usr/lib/*/libretro/gambatte_libretro.so")), None)
    if not core:
        raise Skipped("no libretro-gambatte")
    settings, cartridge = in_work("retroarch.cfg"), in_work("cartridge.gb")
    file, shades = game_boy.cartridge()
    for path, contents in ((settings, SETTINGS.encode()), (cartridge, file)):
        with open(path, "wb") as f:
            f.write(contents)
    command = ["retroarch", "-v", "-c", settings, f"--log-file={in_work('retroarch.log')}", "-L", core, cartridge]
    with xvfb() as display, process(command, DISPLAY=display):
        for _ in range(20):
            time.sleep(0.5)
            rows = window_dump(display)
            colours = {p for row in rows for p in row} - {(0, 0, 0)}
            if len(colours) >= 4:
                break
        said = open(in_work("retroarch.log")).read()
    assert f'Using GPU: "{common.device}' in said, said[-600:]
    # Four shades, from light to dark, in blocks of three by three pixels; the window is larger than the picture only
    # where the screen is black.
    palette = sorted({p for row in rows for p in row}, key=sum, reverse=True)
    assert len(palette) == 4 and palette[3] == (0, 0, 0), f"{len(palette)} shades"
    assert all(max(p) - min(p) <= 4 for p in palette), palette
    shown = [[palette.index(p) for p in row] for row in rows]
    wanted = [[shade for shade in row for _ in range(3)] for row in shades for _ in range(3)]
    top = next(y for y, row in enumerate(shown) if set(row) != {3})
    left = next(x for x in range(len(shown[0])) if any(row[x] != 3 for row in shown))
    got = [row[left : left + len(wanted[0])] for row in shown[top : top + len(wanted)]]
    assert got == wanted, "another picture than the cartridge's"
    return f"{len(wanted[0])}x{len(wanted)} pixels"


# Colours of a pixel that differ by more than this are another picture: steam and the clock move, and drivers filter
# textures in their own ways.
STEAM, MOVING = 24, 0.03


def changed(rows, others):
    """Returns the share of the pixels that differ by more than STEAM."""
    pairs = [(p, q) for row, other in zip(rows, others, strict=True) for p, q in zip(row, other, strict=True)]
    return sum(max(abs(a - b) for a, b in zip(p, q, strict=True)) > STEAM for p, q in pairs) / len(pairs)


def at_rest(display, least, most):
    """Returns the screen once it has been at rest for eight seconds, after at least some seconds of the program."""
    began, rows = time.time(), window_dump(display)
    while time.time() - began < most:
        time.sleep(8)
        before, rows = rows, window_dump(display)
        full = len({p for row in rows for p in row}) > 5_000
        if full and time.time() - began > least and changed(before, rows) < MOVING / 2:
            return rows
    raise AssertionError("the picture does not come to rest")


def supertuxkart():
    """Compares the start of a race, in which the player waits, with lavapipe's picture."""
    need("supertuxkart")
    screens = []
    for name, device, env in (("", common.device, {}), ("-lavapipe", "llvmpipe", common.lavapipe())):
        home = in_work(f"supertuxkart{name}")
        shutil.rmtree(home, ignore_errors=True)
        folders = {"HOME": home, "XDG_CONFIG_HOME": f"{home}/config", "XDG_DATA_HOME": f"{home}/data"}
        command = ["supertuxkart", "--render-driver=vulkan", "--windowed", "--screensize=640x480"]
        command += ["--no-start-screen", "--track=hacienda", "--numkarts=1", "--disable-addon-karts"]
        with xvfb() as display, process(command, DISPLAY=display, SDL_AUDIODRIVER="dummy", **folders, **env):
            screens.append(at_rest(display, 25, 180))
        said = open(f"{home}/config/supertuxkart/config-0.10/stdout.log").read()
        assert f"Vulkan renderer: {device}" in said, said[:600]
    share = changed(*screens)
    assert share < MOVING, f"{share:.1%} of the pixels differ"
    return f"{1 - share:.1%} of the pixels"
