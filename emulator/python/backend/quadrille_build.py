"""Build backend: runs maturin, and completes the native extension to a Vulkan driver.

The extension contains the driver, so that both share one copy of the device. Programs that load the driver have no
symbols of Python, so the references to these become weak: in such programs they are null, and nothing uses them. A
manifest beside the extension tells the Vulkan loader about it. The licences of the crates by others that it contains
are one of the licence files.

Cargo options are passed like maturin's: `pip install . --config-settings build-args="--profile dev"`, or
`MATURIN_PEP517_ARGS`.
"""

from __future__ import annotations

import base64
import ctypes
import gzip
import hashlib
import io
import json
import os
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import maturin
from maturin import (  # noqa: F401
    get_requires_for_build_editable,
    get_requires_for_build_wheel,
)

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
PACKAGE = "quadrille"
EXTENSION = "_quadrille.abi3.so"
MANIFEST = "quadrille_icd.json"
NOTICES = "NOTICES.txt"


def weakened(library: bytes) -> bytes:
    """Returns an ELF library of 64 bits whose references to symbols of Python are weak."""
    assert library[:6] == b"\x7fELF\x02\x01", "not an ELF library of 64 bits"
    changed = bytearray(library)
    (headers,) = struct.unpack_from("<Q", library, 40)
    size, count = struct.unpack_from("<HH", library, 58)
    # Of a section: name, type, flags, address, offset, size, link, ...
    sections = [struct.unpack_from("<IIQQQQI", library, headers + size * n) for n in range(count)]
    (symbols,) = (section for section in sections if section[1] == 11)  # SHT_DYNSYM
    names = sections[symbols[6]][4]
    for at in range(symbols[4], symbols[4] + symbols[5], 24):
        name, info, _, section = struct.unpack_from("<IBBH", library, at)
        is_reference = section == 0 and info >> 4 == 1  # SHN_UNDEF, STB_GLOBAL
        if is_reference and re.match(rb"_?Py[A-Z_]", library[names + name : names + name + 8]):
            changed[at + 4] = 2 << 4 | info & 15  # STB_WEAK
    return bytes(changed)


def _version(library: bytes) -> str:
    """Returns the Vulkan version that a driver supports.

    DRIVER_MANIFEST names a manifest with it, for drivers of another processor, which cannot be asked.
    """
    if manifest := os.environ.get("DRIVER_MANIFEST"):
        return str(json.loads(Path(manifest).read_text())["ICD"]["api_version"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / EXTENSION
        path.write_bytes(library)
        driver = ctypes.CDLL(str(path))
    driver.vk_icdGetInstanceProcAddr.restype = ctypes.c_void_p
    driver.vk_icdGetInstanceProcAddr.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    address = driver.vk_icdGetInstanceProcAddr(None, b"vkEnumerateInstanceVersion")
    number = ctypes.c_uint32()
    ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(ctypes.c_uint32))(address)(ctypes.byref(number))
    return f"{number.value >> 22 & 127}.{number.value >> 12 & 1023}.{number.value & 4095}"


def _manifest(library: bytes) -> bytes:
    """Returns the manifest of the driver, with a relative path: the package may be installed anywhere."""
    icd = {"library_path": f"./{EXTENSION}", "library_arch": "64", "api_version": _version(library)}
    return (json.dumps({"file_format_version": "1.0.1", "ICD": icd}, indent=2) + "\n").encode()


def _complete(wheel: Path) -> None:
    """Replaces the extension of a wheel by the driver, and adds the manifest."""
    with zipfile.ZipFile(wheel) as archive:
        files = {entry: archive.read(entry) for entry in archive.infolist()}
    (extension,) = (entry for entry in files if entry.filename == f"{PACKAGE}/{EXTENSION}")
    (record,) = (entry for entry in files if entry.filename.endswith(".dist-info/RECORD"))
    files[extension] = weakened(files[extension])
    manifest = zipfile.ZipInfo(f"{PACKAGE}/{MANIFEST}", extension.date_time)
    manifest.external_attr = 0o644 << 16
    listed = [line for line in files.pop(record).decode().splitlines() if not line.startswith(f"{extension.filename},")]
    files[manifest] = _manifest(files[extension])
    for entry in (extension, manifest):
        data = files[entry]
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        listed.append(f"{entry.filename},sha256={digest},{len(data)}")
    # The record comes last, as in other wheels.
    files[record] = ("\n".join(listed) + "\n").encode()
    new = wheel.with_suffix(".new")
    with zipfile.ZipFile(new, "w") as archive:
        for entry, data in files.items():
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    os.replace(new, wheel)


def _write_notices() -> None:
    """Writes the notices beside pyproject.toml, where maturin finds them; a source distribution has them."""
    script = ROOT / "packaging" / "notices.py"
    if script.is_file():
        command = [sys.executable, str(script), "quadrille-python"]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        # Frontends call the hooks in this folder. Spec: PEP 517.
        Path(NOTICES).write_bytes(printed)


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    _write_notices()
    return str(maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings))


def prepare_metadata_for_build_editable(metadata_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    _write_notices()
    return str(maturin.prepare_metadata_for_build_editable(metadata_directory, config_settings))


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _write_notices()
    name = str(maturin.build_wheel(wheel_directory, config_settings, metadata_directory))
    _complete(Path(wheel_directory) / name)
    return name


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _write_notices()
    name = str(maturin.build_editable(wheel_directory, config_settings, metadata_directory))
    # The extension lies in the source tree.
    path = HERE / "python" / PACKAGE / EXTENSION
    library = weakened(path.read_bytes())
    # A new file, because a program may have loaded the old one.
    new = path.with_suffix(".new")
    new.write_bytes(library)
    os.replace(new, path)
    path.with_name(MANIFEST).write_bytes(_manifest(library))
    return name


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
    contents[NOTICES] = Path(NOTICES).read_bytes()
    time = int(os.environ.get("SOURCE_DATE_EPOCH", "1000000000"))
    archived = io.BytesIO()
    with tarfile.open(fileobj=archived, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in sorted(contents.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(data)
            entry.mtime = time
            archive.addfile(entry, io.BytesIO(data))
    (Path(sdist_directory) / f"{name}.tar.gz").write_bytes(gzip.compress(archived.getvalue(), mtime=time))
    return f"{name}.tar.gz"
