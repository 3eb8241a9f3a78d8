#!/usr/bin/env bash
# Installs a wheel in a new environment of a Python interpreter, runs the examples of the documents with it, and prints how long
# the way to the first picture took. Needs neither a compiler nor the repository.
#
#   emulator/python/smoke.sh WHEEL [PYTHON]      PYTHON is the interpreter (default: python3)
set -euo pipefail
wheel=$(realpath "$1")
python=${2:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$python" -m venv venv
begin=$(date +%s%N)
venv/bin/python -m pip install -q --disable-pip-version-check "$wheel"
installed=$(date +%s%N)
cat >picture.frag <<'SHADER'
#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_FragCoord.xy / 64.0, 0.5, 1.0); }
SHADER
venv/bin/quadrille render picture.frag --size 64x64 -o command.png
drawn=$(date +%s%N)
echo "installed in $(((installed - begin) / 1000000)) ms, first picture after $(((drawn - begin) / 1000000)) ms"

venv/bin/python -m quadrille --version
venv/bin/python -m quadrille check picture.frag --size 64x64
cat >smoke.py <<'PYTHON'
import numpy as np
import quadrille

double = quadrille.compile("""
    @group(0) @binding(0) var<storage, read_write> v: array<f32>;
    @compute @workgroup_size(4)
    fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2.0; }""", "wgsl")
v = np.array([1, 2, 3, 4], np.float32)
double.run(1, {"v": v})
assert v.tolist() == [2, 4, 6, 8]
with open("picture.frag") as file:
    shader = quadrille.compile(file.read(), "glsl", stage="fragment")
picture = shader.render(64, 64)
assert (picture == quadrille.read_picture("command.png")).all(), "the command drew another picture"
assert quadrille.vulkan.manifest().is_file()
PYTHON
venv/bin/python smoke.py
if grep -q 'libvulkan\.so\.1' <<<"$(ldconfig -p)" && command -v vulkaninfo >/dev/null; then
    venv/bin/quadrille vulkan -- vulkaninfo --summary | grep deviceName
fi
code=0
venv/bin/quadrille render missing.frag -o missing.png 2>/dev/null || code=$?
[[ $code == 1 ]] || { echo "a failure ended with exit code $code" >&2; exit 1; }
echo "the wheel works"
