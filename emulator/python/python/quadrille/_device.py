"""The default device."""

from __future__ import annotations

import os

from ._quadrille import Device

__all__ = ["Device", "default_device", "set_default_device"]

_default: Device | None = None


def default_device() -> Device:
    """Returns the device that is used if no other is given.

    It is created on first use with the options in the environment. A child of `fork` creates a new one, and so does
    this function if the device was lost to a shader that did not end.

    >>> import quadrille
    >>> quadrille.default_device().lost is None
    True
    """
    global _default
    if _default is None or _default.lost is not None:
        _default = Device()
    return _default


def set_default_device(device: Device | None) -> None:
    """Sets the device that is used if no other is given; with None a new one is created on next use."""
    global _default
    _default = device


# A device belongs to the process that created it.
os.register_at_fork(after_in_child=lambda: set_default_device(None))
