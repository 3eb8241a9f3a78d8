"""The command in the package."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import quadrille

PICTURE = """#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_FragCoord.xy / 8.0, 0.5, 1.0); }
"""
SCRIPT = Path(sys.executable).parent / "quadrille"


def run(folder, *arguments, start=(sys.executable, "-m", "quadrille")):
    return subprocess.run([*start, *arguments], capture_output=True, text=True, timeout=120, cwd=folder)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "picture.frag").write_text(PICTURE)
    return tmp_path


def test_a_picture_is_that_of_the_module(folder):
    ran = run(folder, "render", "picture.frag", "--size", "8x8", "-o", "picture.png")
    assert ran.returncode == 0, ran.stderr
    drawn = quadrille.compile(PICTURE, "glsl", stage="fragment").render(8, 8)
    assert (quadrille.read_picture(folder / "picture.png") == drawn).all()


def test_exit_codes_are_those_of_the_command(folder):
    missing = run(folder, "render", "missing.frag", "-o", "missing.png")
    assert missing.returncode == 1 and "missing.frag" in missing.stderr
    assert run(folder, "render").returncode == 2
    (folder / "nan.frag").write_text(PICTURE.replace("0.5", "sqrt(-gl_FragCoord.x)"))
    assert run(folder, "check", "nan.frag", "--size", "8x8").returncode == 1


def test_output_of_shaders_is_printed(folder):
    source = '#version 450\n#extension GL_EXT_debug_printf : require\nvoid main() { debugPrintfEXT("seven %d", 7); }'
    (folder / "print.comp").write_text(source)
    ran = run(folder, "run", "print.comp", "--dispatch", "1")
    assert ran.returncode == 0 and "seven 7" in ran.stderr


@pytest.mark.skipif(not SCRIPT.is_file(), reason="the package is not installed beside this interpreter")
def test_the_script_is_the_module(folder):
    assert shutil.which("quadrille", path=str(SCRIPT.parent)) == str(SCRIPT)
    assert run(folder, "--version", start=(SCRIPT,)).stdout == run(folder, "--version").stdout
