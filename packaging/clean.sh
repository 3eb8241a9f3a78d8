#!/usr/bin/env bash
# Installs each package of a release from its file in a folder of Debian that has neither a compiler nor anything else, and runs
# an example with it. Needs root, debootstrap, python3 with pip, and npm.
#
#   packaging/clean.sh OUT FOLDER [SUITE]     OUT has the packages, FOLDER receives Debian (SUITE, default: sid) unless it exists
#
# Suites with other versions of Python: bullseye has 3.9, trixie 3.13. Dawn's `webgpu` needs Node 18, which bullseye lacks.
set -euo pipefail
# shellcheck source=packaging/parts.sh
. "$(dirname "$0")/parts.sh"
out=$(realpath "$1") folder=$(realpath -m "$2") suite=${3:-sid}
step() { printf '\n-- clean: %s (%s s)\n' "$*" "$SECONDS"; }
inside() { chroot "$folder" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }

if [[ ! -d $folder ]]; then
    step "Debian $suite"
    debootstrap --variant=minbase --include=libvulkan1,vulkan-tools,python3-venv,nodejs "$suite" "$folder" >/dev/null
fi
if inside sh -c 'command -v cc || command -v rustc'; then
    echo "$folder has a compiler" >&2
    exit 1
fi
work=$folder/root/packages
rm -rf "$work"
mkdir -p "$work/wheels" "$work/js"
cp "$out"/quadrille* "$work"
cp "$root/assets/shaders/plasma.frag" "$root/assets/gallery/plasma.png" "$here/setup-quadrille/install.sh" \
    "$root/emulator/python/smoke.sh" "$work"
picture='render plasma.frag --size 480x270 --time 1 --samples 16 -o drawn.png'

step "Debian package"
inside sh -ec "cd /root/packages; apt-get install -y -qq --no-install-recommends ./quadrille_${version}_amd64.deb >/dev/null
    vulkaninfo --summary 2>/dev/null | grep 'deviceName.*Quadrille'
    quadrille $picture; cmp drawn.png plasma.png
    apt-get remove -y -qq quadrille >/dev/null"

step "archive, by the action"
inside bash -ec "cd /root/packages
    ARCHIVE=\$PWD/quadrille-$version-x86_64-unknown-linux-gnu.tar.gz RUNNER_TOOL_CACHE=\$PWD/tools REPOSITORY= \
        GITHUB_OUTPUT=\$PWD/output GITHUB_PATH=\$PWD/path GITHUB_ENV=\$PWD/env bash install.sh
    set -a; . ./env; set +a
    vulkaninfo --summary 2>/dev/null | grep 'deviceName.*Quadrille'
    \"\$(cat path)/quadrille\" $picture; cmp drawn.png plasma.png"

step "wheel"
python=$(inside python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
python3 -m pip download -q --disable-pip-version-check --only-binary :all: --python-version "$python" \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux2014_x86_64 -d "$work/wheels" numpy
inside bash -ec 'cd /root/packages; export PIP_NO_INDEX=1 PIP_FIND_LINKS=/root/packages/wheels; bash smoke.sh quadrille_gpu-*_x86_64.whl'

if ! inside node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' 2>/dev/null; then
    rm -rf "$work"
    step "every package works but that for npm, which was not tried: $suite has no Node 18"
    exit
fi
step "npm package, for WebGPU by Dawn"
(cd "$work/js" && npm install --no-audit --no-fund --loglevel=error "$work/quadrille-$version.tgz" webgpu@0.6.2)
cat >"$work/js/double.mjs" <<'JS'
import 'quadrille/enable';
import { create, globals } from 'webgpu';
Object.assign(globalThis, globals);
const navigator = { gpu: create(['backend=vulkan']) };
const device = await (await navigator.gpu.requestAdapter()).requestDevice();
const code = `@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2.0; }`;
const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
const buffer = device.createBuffer({ size: 16, usage: STORAGE | COPY_DST | COPY_SRC });
const out = device.createBuffer({ size: 16, usage: COPY_DST | MAP_READ });
device.queue.writeBuffer(buffer, 0, new Float32Array([1, 2, 3, 4]));
const module = device.createShaderModule({ code });
const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
const entries = [{ binding: 0, resource: { buffer } }];
const encoder = device.createCommandEncoder();
const pass = encoder.beginComputePass();
pass.setPipeline(pipeline);
pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
pass.dispatchWorkgroups(1);
pass.end();
encoder.copyBufferToBuffer(buffer, 0, out, 0, 16);
device.queue.submit([encoder.finish()]);
await out.mapAsync(GPUMapMode.READ);
console.log([...new Float32Array(out.getMappedRange())].join());
process.exit(0);
JS
[[ $(inside sh -c 'cd /root/packages/js && node double.mjs') == 2,4,6,8 ]]
rm -rf "$work"
step "every package works"
