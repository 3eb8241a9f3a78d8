"""`python -m quadrille`, or `quadrille`: the command, with the driver of this package.

It renders, runs, tests, checks, profiles and debugs shaders, and runs Vulkan programs on the driver. `quadrille help`
lists its subcommands.
"""

from __future__ import annotations

import signal
import sys

from . import _quadrille, vulkan


def main(arguments: list[str] | None = None) -> int:
    """Runs the command with these arguments, or those of the process, and returns its exit code."""
    # Ctrl-C ends the command at once, as it ends the program that is built from Rust alone.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    given = sys.argv[1:] if arguments is None else arguments
    return _quadrille.command(["quadrille", *given], vulkan.library())


if __name__ == "__main__":
    sys.exit(main())
