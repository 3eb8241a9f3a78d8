"""Build backend: builds the Vulkan driver into the package, then runs maturin.

Cargo options are passed like maturin's: `pip install . --config-settings build-args="--profile dev"`, or
`MATURIN_PEP517_ARGS`. The driver is built with the same profile, unless `--config-settings driver=FILE` names a library
that has been built before.
"""

from __future__ import annotations

import ctypes
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import maturin
from maturin import (  # noqa: F401
    get_requires_for_build_editable,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
DRIVER = HERE / "python" / "quadrille" / "driver"
LIBRARY = "libvk_quadrille.so"


def _profile(config_settings: dict[str, Any] | None) -> str:
    settings = config_settings or {}
    given = (
        settings.get("build-args") or settings.get("maturin.build-args") or os.environ.get("MATURIN_PEP517_ARGS", "")
    )
    words = given if isinstance(given, list) else shlex.split(given)
    for at, word in enumerate(words):
        if word == "--profile":
            return str(words[at + 1])
        if word.startswith("--profile="):
            return str(word.split("=", 1)[1])
    return "release"


def _version(library: Path) -> str:
    """Returns the Vulkan version that the driver supports."""
    driver = ctypes.CDLL(str(library))
    driver.vk_icdGetInstanceProcAddr.restype = ctypes.c_void_p
    driver.vk_icdGetInstanceProcAddr.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    address = driver.vk_icdGetInstanceProcAddr(None, b"vkEnumerateInstanceVersion")
    number = ctypes.c_uint32()
    ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(ctypes.c_uint32))(address)(ctypes.byref(number))
    return f"{number.value >> 22 & 127}.{number.value >> 12 & 1023}.{number.value & 4095}"


def _built_driver(profile: str) -> Path:
    """Builds the driver with a profile and returns the path of its library."""
    cargo = os.environ.get("CARGO", "cargo")
    at = ["--manifest-path", str(HERE / "Cargo.toml")]
    subprocess.run([cargo, "build", "--locked", "--profile", profile, "-p", "quadrille-vulkan", *at], check=True)
    told = subprocess.run(
        [cargo, "metadata", "--no-deps", "--format-version", "1", *at], check=True, stdout=subprocess.PIPE
    )
    return Path(json.loads(told.stdout)["target_directory"]) / ("debug" if profile == "dev" else profile) / LIBRARY


def _put_driver(config_settings: dict[str, Any] | None) -> None:
    profile = _profile(config_settings)
    given = (config_settings or {}).get("driver")
    built = Path(given).resolve() if given else _built_driver(profile)
    DRIVER.mkdir(exist_ok=True)
    # Write a new file first, because a program may have loaded the old one.
    new = DRIVER / f"{LIBRARY}.new.so"
    shutil.copy(built, new)
    # Strip only the library: as an option of the profile it would rebuild all dependencies. Every C++ toolchain has
    # the strip command.
    strip = shutil.which("strip")
    if strip and profile != "dev":
        subprocess.run([strip, "--strip-all", str(new)], check=True)
    os.replace(new, DRIVER / LIBRARY)
    manifest = {
        "file_format_version": "1.0.1",
        # Relative to the manifest: the package may be installed anywhere.
        "ICD": {"library_path": f"./{LIBRARY}", "library_arch": "64", "api_version": _version(built)},
    }
    (DRIVER / "quadrille_icd.json").write_text(json.dumps(manifest, indent=2) + "\n")


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _put_driver(config_settings)
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _put_driver(config_settings)
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def _sources() -> list[str]:
    """Returns the files of the repository that the package is built from, as paths from its root."""
    command = ["git", "ls-files", "--", "Cargo.*", "LICENSE-*", "jit", "raster", "emulator", "examples/*.rs"]
    listed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return [path for path in listed if "/tests/" not in path and not path.startswith("emulator/npm/")]


def _project(text: str) -> str:
    """Returns pyproject.toml for the root of the source distribution."""
    for key, old, new in (
        ("backend-path", "backend", "emulator/python/backend"),
        ("readme", "README.md", "emulator/python/README.md"),
        ("python-source", "python", "emulator/python/python"),
    ):
        text, count = re.subn(rf'(?m)^({key} = \[?)"{old}"', rf'\1"{new}"', text)
        assert count == 1, key
    text = text.replace('{ path = "python/', '{ path = "emulator/python/python/')
    return text.replace("[tool.maturin]\n", '[tool.maturin]\nmanifest-path = "emulator/python/Cargo.toml"\n')


def _lock(contents: dict[str, bytes]) -> bytes:
    """Returns Cargo.lock without the packages that only crates outside of the source distribution need."""
    with tempfile.TemporaryDirectory() as folder:
        for path, data in contents.items():
            # Cargo looks for the files of targets, and reads only manifests.
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        command = [os.environ.get("CARGO", "cargo"), "metadata", "--format-version", "1"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return (Path(folder) / "Cargo.lock").read_bytes()


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """Writes the sources of the package and of all crates that it is built from."""
    with tempfile.TemporaryDirectory() as folder:
        about = Path(folder) / prepare_metadata_for_build_wheel(folder, config_settings) / "METADATA"
        told = about.read_bytes()
    version = re.search(rb"^Version: (.*)$", told, re.M)
    assert version
    name = f"quadrille_gpu-{version[1].decode()}"
    contents = {path: (ROOT / path).read_bytes() for path in _sources()}
    # The conformance crate is not part of the package.
    contents["Cargo.toml"] = contents["Cargo.toml"].replace(b', "conformance"]', b"]")
    contents["Cargo.lock"] = _lock(contents)
    contents["pyproject.toml"] = _project((HERE / "pyproject.toml").read_text()).encode()
    contents["PKG-INFO"] = told
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path, data in sorted(contents.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(data)
            entry.mtime = int(os.environ.get("SOURCE_DATE_EPOCH", "1000000000"))
            archive.addfile(entry, io.BytesIO(data))
    return f"{name}.tar.gz"
