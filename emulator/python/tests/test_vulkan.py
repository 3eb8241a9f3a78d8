"""The Vulkan driver in the package."""

import ctypes
import json
import os
import subprocess
import sys

import pytest
import quadrille
from quadrille import _quadrille

# Not skipped if the variable requires the loader, as for the tests in Rust (jit/src/testing.rs).
required = {"all", "vulkan-loader"} & set(os.environ.get("QUADRILLE_TEST_REQUIRE", "").replace(" ", "").split(","))
needs_loader = pytest.mark.skipif(
    not quadrille.vulkan.has_loader() and not required, reason="no Vulkan loader (libvulkan1)"
)


def test_the_manifest_names_the_driver_beside_it():
    path = quadrille.vulkan.manifest()
    icd = json.loads(path.read_text())["ICD"]
    assert not os.path.isabs(icd["library_path"])
    assert (path.parent / icd["library_path"]).samefile(quadrille.vulkan.library())
    assert icd["api_version"] == ".".join(map(str, _quadrille.VULKAN_VERSION))
    assert ctypes.CDLL(str(quadrille.vulkan.library())).vk_icdNegotiateLoaderICDInterfaceVersion


def test_programs_without_python_load_the_driver():
    variables = {"LD_BIND_NOW": "1", "LD_PRELOAD": str(quadrille.vulkan.library()), "PATH": os.environ["PATH"]}
    ran = subprocess.run(["true"], env=variables, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_enable_sets_the_environment():
    variables = {}
    quadrille.vulkan.enable(variables)
    assert variables["VK_DRIVER_FILES"] == variables["VK_ICD_FILENAMES"] == str(quadrille.vulkan.manifest())


def test_a_manifest_has_one_name_in_a_list(monkeypatch, tmp_path):
    path = tmp_path / f"a{os.pathsep}b/quadrille_icd.json"
    monkeypatch.setattr(quadrille.vulkan, "manifest", lambda: path)
    with pytest.raises(ValueError, match="its value is a list"):
        quadrille.vulkan.environment()


def test_a_missing_loader_is_said(monkeypatch):
    monkeypatch.setattr(quadrille.vulkan, "has_loader", lambda: False)
    with pytest.warns(UserWarning, match="libvulkan1"):
        quadrille.vulkan.enable({})


def module(*arguments, **options):
    command = [sys.executable, "-m", "quadrille", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def test_the_command_line():
    assert f"VK_DRIVER_FILES={quadrille.vulkan.manifest()}" in module("vulkan", "--print-env").stdout.splitlines()
    show = "import os; print(os.environ['VK_DRIVER_FILES']); raise SystemExit(3)"
    ran = module("vulkan", "--", sys.executable, "-c", show)
    assert ran.stdout.strip() == str(quadrille.vulkan.manifest()) and ran.returncode == 3
    assert module("vulkan").returncode == 2
    assert "cannot start" in module("vulkan", "--", "no-such-program-here").stderr
    assert quadrille.__version__ in module("--version").stdout


WITH_THE_LOADER = """
import ctypes, quadrille
quadrille.vulkan.enable()
vk = ctypes.CDLL("libvulkan.so.1")
info = (ctypes.c_uint64 * 8)(1)
instance = ctypes.c_void_p()
assert vk.vkCreateInstance(info, None, ctypes.byref(instance)) == 0
count = ctypes.c_uint32(4)
devices = (ctypes.c_void_p * 4)()
assert vk.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), devices) == 0
properties = (ctypes.c_uint8 * 4096)()
vk.vkGetPhysicalDeviceProperties(ctypes.c_void_p(devices[0]), properties)
print(count.value, bytes(properties[20:276]).split(b"\\0")[0].decode())
"""


@needs_loader
def test_the_loader_finds_it():
    ran = subprocess.run([sys.executable, "-c", WITH_THE_LOADER], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    count, name = ran.stdout.split(None, 1)
    assert count == "1" and "Quadrille" in name


WGPU = """
import quadrille
quadrille.vulkan.enable()
import numpy as np, wgpu
adapter = wgpu.gpu.request_adapter_sync()
assert "Quadrille" in adapter.info["device"], adapter.info
device = adapter.request_device_sync()
from wgpu.utils.compute import compute_with_buffers
out = compute_with_buffers({0: np.arange(8, dtype=np.int32)}, {1: (8, "i")}, '''
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> b: array<i32>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) { b[id.x] = a[id.x] * 3; }
''', n=8)
print(np.frombuffer(out[1], np.int32).tolist())
"""

PYGFX = """
import quadrille
quadrille.vulkan.enable()
import numpy as np, pygfx as gfx
from rendercanvas.offscreen import RenderCanvas
canvas = RenderCanvas(size=(64, 64), pixel_ratio=1)
renderer = gfx.WgpuRenderer(canvas)
assert "Quadrille" in renderer.device.adapter.info["device"]
scene = gfx.Scene()
scene.add(gfx.Background.from_color((0, 0, 0, 1)))
scene.add(gfx.Mesh(gfx.plane_geometry(30, 30), gfx.MeshBasicMaterial(color=(0, 1, 0, 1))))
camera = gfx.OrthographicCamera(64, 64)
canvas.request_draw(lambda: renderer.render(scene, camera))
picture = np.asarray(canvas.draw())
print(picture[32, 32, :3].tolist(), picture[2, 2, :3].tolist())
"""


@needs_loader
@pytest.mark.parametrize(
    ("package", "program", "expected"),
    [
        ("wgpu", WGPU, "[0, 3, 6, 9, 12, 15, 18, 21]"),
        ("pygfx", PYGFX, "[0, 255, 0] [0, 0, 0]"),
    ],
)
def test_programs_of_others(package, program, expected, tmp_path):
    pytest.importorskip(package)
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, env=env)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip().splitlines()[-1] == expected
