"""The device that is used where none is named."""

from __future__ import annotations

import os

from ._quadrille import Device

__all__ = ["Device", "default_device", "set_default_device"]

_default: Device | None = None


def default_device() -> Device:
    """The device that everything uses unless it is told another one: made when it is first needed, with the options
    of the environment; made anew in a child of `fork`, and when a shader that did not end has lost it.

    >>> import quadrille
    >>> quadrille.default_device().lost is None
    True
    """
    global _default
    if _default is None or _default.lost is not None:
        _default = Device()
    return _default


def set_default_device(device: Device | None) -> None:
    """Sets the device that is used where none is named; None makes a new one when it is needed."""
    global _default
    _default = device


# A device belongs to the process that made it.
os.register_at_fork(after_in_child=lambda: set_default_device(None))
