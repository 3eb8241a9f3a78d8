"""Firefox on the driver: checks the results and pixels of a page with WebGL (by zink) and WebGPU, in a window."""

import os
import subprocess
import sys
import tempfile

import served

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import window_dump

DEVICE = os.environ.get("CLIENT_DEVICE", "Quadrille")
FIREFOX, PAGE = sys.argv[1:3]
SETTINGS = {
    "dom.webgpu.enabled": True,
    "gfx.webgpu.ignore-blocklist": True,
    "webgl.force-enabled": True,
    # Otherwise pages see the name of another device.
    "webgl.sanitize-unmasked-renderer": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.aboutwelcome.enabled": False,
    "browser.preonboarding.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "termsofuse.bypassNotification": True,
    "app.update.enabled": False,
}


def loaded(parent):
    """Returns True if a process that Firefox started has the driver in it."""
    with open(os.environ["VK_DRIVER_FILES"]) as f:
        library = os.path.basename(served.json.load(f)["ICD"]["library_path"])
    family = {parent}
    for pid in sorted(int(p) for p in os.listdir("/proc") if p.isdigit()):
        try:
            with open(f"/proc/{pid}/stat") as f:
                if int(f.read().rsplit(")", 1)[1].split()[1]) in family:
                    family.add(pid)
            if pid in family:
                with open(f"/proc/{pid}/maps") as f:
                    if library in f.read():
                        return True
        except OSError:
            continue
    return False


def main():
    url, seen, done = served.serve(PAGE)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        with open(os.path.join(folder, "user.js"), "w") as f:
            f.writelines(f"user_pref({served.json.dumps(k)}, {served.json.dumps(v)});\n" for k, v in SETTINGS.items())
        log = os.path.join(folder, "log")
        command = [FIREFOX, "--no-remote", "--profile", folder, "--kiosk", f"{url}#preferred"]
        with open(log, "w") as said:
            child = subprocess.Popen(command, stdout=said, stderr=said, env={**os.environ, "HOME": folder})
        try:
            assert done.wait(120), f"the page said nothing: {open(log, errors='replace').read()[-800:]}"
            for test in ("webgl", "webgpu"):
                assert "error" not in seen[test], f"{test}: {seen[test]['error']}"
            assert DEVICE.lower() in seen["webgl"]["on"].lower(), seen["webgl"]["on"]
            assert loaded(child.pid), f"WebGPU on another device: {seen['webgpu']['on']}"
            for test in ("webgl", "webgpu"):
                served.shown(test, lambda: window_dump(os.environ["DISPLAY"]))
        finally:
            child.terminate()
            child.wait()
    print(f"{seen['webgl']['on'].strip()}: what is read back and every pixel on the screen are right")


main()
