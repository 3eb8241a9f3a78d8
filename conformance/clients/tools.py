"""Clients that are tools of graphics programmers: a benchmark with a check of its own, and recorders of vkcube."""

import contextlib
import glob
import hashlib
import json
import math
import os
import re
import shutil
import time

import common
from common import HERE, ZINK, Skipped, in_work, last, need, process, rows_of_png, run, venv, xvfb
from pictures import EXACT, same_file
from screens import a_cube

# The least number of glmark2's scenes that know a pixel of their picture; for the others it says "Unknown".
KNOWN = 25


def glmark2():
    """Runs glmark2's own check of a pixel of each scene, with OpenGL and OpenGL ES by zink."""
    need("glmark2", "glmark2-es2")
    seen = []
    with xvfb() as display:
        for program in ("glmark2", "glmark2-es2"):
            said = run([program, "--validate"], DISPLAY=display, **ZINK)
            assert f"zink ({common.device}" in said or f"zink Vulkan 1.4({common.device}" in said, said[:600]
            outcomes = re.findall(r"Validation: (\w+)", said)
            wrong = [line for line in said.splitlines() if line.endswith("Validation: Failure")]
            assert not wrong and set(outcomes) <= {"Success", "Unknown"}, wrong or set(outcomes)
            assert outcomes.count("Success") >= KNOWN, f"{outcomes.count('Success')} scenes"
            seen.append(f"{outcomes.count('Success')} scenes of {program}")
    return " and ".join(seen)


def gfxreconstruct():
    """Records vkcube and replays it. Two frames must be the same as with lavapipe, since vkcube turns by frames."""
    need("gfxrecon-replay", "vkcube")
    record = {"VK_INSTANCE_LAYERS": "VK_LAYER_LUNARG_gfxreconstruct", "GFXRECON_CAPTURE_FILE_TIMESTAMP": "false"}
    with xvfb() as display:
        for name, device, env in (
            ("gfxrecon", common.device, {}),
            ("gfxrecon-lavapipe", "llvmpipe", common.lavapipe()),
        ):
            shutil.rmtree(in_work(name), ignore_errors=True)
            os.makedirs(in_work(name))
            env = {**env, "DISPLAY": display}
            file = in_work(f"{name}.gfxr")
            said = run(["vkcube", "--c", "40"], GFXRECON_CAPTURE_FILE=file, **record, **env)
            assert f"Recording graphics API capture to {file}" in said and device in said, said[-600:]
            run(["gfxrecon-replay", "--screenshots", "5,30", "--screenshot-dir", in_work(name), file], **env)
    frames = [f"screenshot_frame_{i}.bmp" for i in (5, 30)]
    return " and ".join(same_file(f"gfxrecon/{f}", f"gfxrecon-lavapipe/{f}", EXACT) for f in frames)


def captured(display):
    """Returns the file of a frame of vkcube, which RenderDoc captures while F12 is down."""
    for old in glob.glob(in_work("cube_frame*.rdc")):
        os.remove(old)
    command = ["renderdoccmd", "capture", "-w", "-c", in_work("cube"), "vkcube", "--c", "600"]
    with process(command, DISPLAY=display) as program:
        while program.poll() is None and not glob.glob(in_work("cube_frame*.rdc")):
            for action in ("keydown", "keyup"):
                run(["xdotool", action, "F12"], DISPLAY=display)
                time.sleep(0.5)
        program.wait()
    files = glob.glob(in_work("cube_frame*.rdc"))
    assert files, "nothing was captured"
    return files[0]


def spun_cube(positions):
    """Checks that vertices of vkcube are those of a cube, turned about its axis, before the camera of vkcube."""
    assert len(positions) == 36 and len({tuple(round(c, 3) for c in p) for p in positions}) == 8, "not a cube"
    # The camera is at (0, 3, 5) and sees 45 degrees; each vertex is the root of three from the middle.
    away, scale = math.hypot(0, 3, 5), 1 / math.tan(math.radians(22.5))
    for x, y, _, w in positions:
        far = math.hypot(x / scale, y / scale, w - away)
        assert abs(far - math.sqrt(3)) < 1e-4, f"a vertex is {far} from the middle"


def renderdoc():
    """Captures a frame of vkcube. Checks the picture of the replay, vertices after their shader, and a pixel's past."""
    need("renderdoccmd", "vkcube", "xdotool")
    python, module = "/usr/bin/python3", "/usr/lib/python3/dist-packages/renderdoc.so"
    if not os.path.exists(module):
        raise Skipped("no python3-renderdoc")
    with xvfb() as display:
        file = captured(display)
    picture, thumb = in_work("renderdoc.png"), in_work("renderdoc-thumb.png")
    said = json.loads(last(run([python, os.path.join(HERE, "python", "renderdoc_replay.py"), file, picture])))
    assert said["libraries"] == [common.library()], said["libraries"]
    spun_cube(said["positions"])
    rows = rows_of_png(picture)
    a_cube([[p[:3] for p in row] for row in rows], (51, 51, 51))
    past = [[round(255 * c) for c in value[:3]] for value in said["values"]]
    assert past[0] == [51] * 3 and past[-1] == list(rows[250][250][:3]) != past[0], (past, rows[250][250])
    # The picture in the capture is a little smaller.
    run(["renderdoccmd", "thumb", "-f", "png", "-o", thumb, file])
    run([venv("compare.txt"), "-c", SHRINK, picture, thumb, in_work("renderdoc-small.png")])
    seen = same_file("renderdoc-small.png", "renderdoc-thumb.png", "0.03")
    return f"{len(said['positions'])} vertices, {len(past)} values of a pixel, {seen}"


# Brings a picture to the size of another.
SHRINK = (
    "import sys;from PIL import Image;a,b=map(Image.open,sys.argv[1:3]);"
    "a.convert('RGB').resize(b.size,Image.NEAREST).save(sys.argv[3])"
)


# Words to find, by the number of the kind of hash in hashcat.
HASHES = {"0": "md5", "100": "sha1", "1400": "sha256", "1700": "sha512"}
WORD = "quad"


def hashcat():
    """Finds a word by its hash, of four kinds, with OpenCL of rusticl. hashcat first checks its kernels itself."""
    need("hashcat", "clinfo")
    env = {**ZINK, "RUSTICL_ENABLE": "swrast", "HOME": in_work("hashcat")}
    os.makedirs(env["HOME"], exist_ok=True)
    devices = run(["clinfo", "-l"], **env)
    if "rusticl" not in devices:
        raise Skipped("no rusticl")
    assert common.device in devices, devices
    for kind, name in HASHES.items():
        word = hashlib.new(name, WORD.encode()).hexdigest()
        found = in_work("hashcat-found")
        with contextlib.suppress(FileNotFoundError):
            os.remove(found)
        command = ["hashcat", "-m", kind, "-a", "3", "-D", "1", "--force", "--potfile-disable", "-n", "32", "-u", "32"]
        run([*command, "-T", "64", "-o", found, word, "?l?l?l?l"], **env)
        assert open(found).read().strip() == f"{word}:{WORD}", open(found).read()
    return f"a word by {', '.join(HASHES.values())}"
