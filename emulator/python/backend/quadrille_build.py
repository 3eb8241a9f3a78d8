"""Build backend: builds the Vulkan driver into the package, then runs maturin.

Cargo options are passed like maturin's: `pip install . --config-settings build-args="--profile dev"`, or
`MATURIN_PEP517_ARGS`. The driver is built with the same profile.
"""

from __future__ import annotations

import ctypes
import json
import os
import shlex
import shutil
import subprocess
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


def _build_driver(config_settings: dict[str, Any] | None) -> None:
    profile = _profile(config_settings)
    cargo = os.environ.get("CARGO", "cargo")
    at = ["--manifest-path", str(HERE / "Cargo.toml")]
    subprocess.run([cargo, "build", "--locked", "--profile", profile, "-p", "quadrille-vulkan", *at], check=True)
    told = subprocess.run(
        [cargo, "metadata", "--no-deps", "--format-version", "1", *at], check=True, stdout=subprocess.PIPE
    )
    folder = Path(json.loads(told.stdout)["target_directory"]) / ("debug" if profile == "dev" else profile)
    DRIVER.mkdir(exist_ok=True)
    built = folder / LIBRARY
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
    _build_driver(config_settings)
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _build_driver(config_settings)
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    raise NotImplementedError("the sources are those of the whole repository: build a wheel from a clone of it")
