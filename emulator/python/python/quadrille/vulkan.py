"""The Vulkan driver of Quadrille, for programs that speak Vulkan.

>>> import quadrille
>>> quadrille.vulkan.enable()       # before `import wgpu`
>>> quadrille.vulkan.manifest().name
'quadrille_icd.json'

Such programs need the Vulkan loader (Debian: libvulkan1), which finds the driver by a manifest that is installed with
this package.
"""

from __future__ import annotations

import ctypes
import os
import warnings
from collections.abc import MutableMapping
from pathlib import Path

_FOLDER = Path(__file__).parent / "driver"


def manifest() -> Path:
    """The file by which the Vulkan loader finds the driver."""
    path = _FOLDER / "quadrille_icd.json"
    if not library().is_file():
        raise FileNotFoundError(f"{library()} is missing: this installation was built without the driver")
    return path


def library() -> Path:
    """The driver."""
    return _FOLDER / "libvk_quadrille.so"


def environment() -> dict[str, str]:
    """Variables that make the Vulkan loader use the driver and no other one."""
    path = str(manifest())
    # Older loaders know the second name only; the third keeps a layer of Mesa from choosing another device.
    return {"VK_DRIVER_FILES": path, "VK_ICD_FILENAMES": path, "NODEVICE_SELECT": "1"}


def enable(variables: MutableMapping[str, str] | None = None) -> None:
    """Makes what uses Vulkan in this process, and in those it starts, use Quadrille: wgpu, pygfx, taichi and others.

    To be called before they make their first Vulkan instance; `import wgpu` may do so.
    """
    if not has_loader():
        message = "there is no Vulkan loader (libvulkan.so.1; Debian: libvulkan1), by which programs find drivers"
        warnings.warn(message, stacklevel=2)
    into = os.environ if variables is None else variables
    into.update(environment())


def has_loader() -> bool:
    """True if there is a Vulkan loader on this machine."""
    try:
        ctypes.CDLL("libvulkan.so.1")
    except OSError:
        return False
    return True
