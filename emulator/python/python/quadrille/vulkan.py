"""The Vulkan driver of Quadrille, for Vulkan programs.

>>> import quadrille
>>> quadrille.vulkan.enable()       # before `import wgpu`
>>> quadrille.vulkan.manifest().name
'quadrille_icd.json'

Such programs need the Vulkan loader (Debian: libvulkan1), which finds the driver by a manifest in this package. The
driver is the native extension of this package: one library, with one copy of the device.
"""

from __future__ import annotations

import ctypes
import os
import warnings
from collections.abc import MutableMapping
from pathlib import Path

from . import _quadrille


def manifest() -> Path:
    """Returns the path of the manifest by which the Vulkan loader finds the driver."""
    path = library().with_name("quadrille_icd.json")
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: this installation was not built by its build backend")
    return path


def library() -> Path:
    """Returns the path of the driver."""
    return Path(_quadrille.__file__)


def environment() -> dict[str, str]:
    """Returns environment variables that make the Vulkan loader use only this driver."""
    path = str(manifest())
    if os.pathsep in path:
        raise ValueError(f"VK_DRIVER_FILES cannot name {path}: its value is a list")
    # Older loaders read only the second variable; the third keeps Mesa's device selection layer from interfering.
    return {"VK_DRIVER_FILES": path, "VK_ICD_FILENAMES": path, "NODEVICE_SELECT": "1"}


def enable(variables: MutableMapping[str, str] | None = None) -> None:
    """Makes Vulkan libraries (wgpu, pygfx, taichi and others) in this process and its child processes use Quadrille.

    Call it before such a library creates its first Vulkan instance, which `import wgpu` may do.
    """
    if not has_loader():
        message = "there is no Vulkan loader (libvulkan.so.1; Debian: libvulkan1), by which programs find drivers"
        warnings.warn(message, stacklevel=2)
    into = os.environ if variables is None else variables
    into.update(environment())


def has_loader() -> bool:
    """Returns True if a Vulkan loader is installed."""
    try:
        ctypes.CDLL("libvulkan.so.1")
    except OSError:
        return False
    return True
