"""`python -m quadrille vulkan -- PROGRAM`: runs a program on the Vulkan driver of Quadrille."""

from __future__ import annotations

import argparse
import os
import sys

from . import __version__, vulkan


def main(arguments: list[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    program: list[str] = []
    if "--" in given:
        at = given.index("--")
        given, program = given[:at], given[at + 1 :]
    parser = argparse.ArgumentParser(prog="python -m quadrille", description="A GPU in software")
    parser.add_argument("--version", action="version", version=f"quadrille {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("vulkan", help="run a Vulkan program on Quadrille: vulkan -- PROGRAM ARGUMENT...")
    run.add_argument("--print-env", action="store_true", help="print variables for the shell instead: export $(...)")
    options = parser.parse_args(given)
    if options.print_env == bool(program):
        run.error("give a program after `--`, or --print-env")
    if options.print_env:
        print("\n".join(f"{name}={value}" for name, value in vulkan.environment().items()))
        return 0
    try:
        os.execvpe(program[0], program, {**os.environ, **vulkan.environment()})
    except OSError as error:
        print(f"cannot start {program[0]}: {error.strerror}", file=sys.stderr)
        return 127


if __name__ == "__main__":
    sys.exit(main())
