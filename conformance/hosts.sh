#!/usr/bin/env bash
# Other hosts on a Debian machine of the family x86-64, as root: builds, and runs what was built.
#   hosts.sh setup DIR              makes a folder with Debian sid, cross compilers, qemu-user and wine (6 GB, 10 minutes)
#   hosts.sh aarch64 DIR            Linux on aarch64, by qemu-user: unit tests, file tests, determinism, scenes, random
#                                   modules, the driver, a picture by the command
#   hosts.sh windows DIR            Windows on x86-64, by wine: the same, windows, and the driver's registration
#   hosts.sh macos DIR              macOS on arm64: type-checks the library, the driver and the command
#   hosts.sh HOST DIR COMMAND...    runs a command with the environment of a host
# The folder's `root/target` holds what is built, by host. Crates come from the caller's registry (`cargo fetch --locked` first);
# `-Zbuild-std` needs the crates of the standard library once, from the network.
#
# qemu-user executes one thread's memory accesses in order, so it shows results and faults, but not caches or weak
# ordering of memory: PORTING.md has the argument for these.
set -euo pipefail
usage() { sed -n '2,10p' "$0"; exit 2; }
[ $# -ge 2 ] || usage
host=$1 dir=$(realpath -m "$2"); shift 2
repository=$(cd "$(dirname "$0")/.." && pwd -P)
registry=${CARGO_HOME:-$HOME/.cargo}/registry

setup() {
    command -v debootstrap >/dev/null || apt-get install -y debootstrap
    [ -d "$dir/usr" ] || debootstrap --variant=minbase sid "$dir"
    cp -L "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$dir/root/ca.pem"
    cat >"$dir/root/setup.sh" <<'IN'
set -e
export DEBIAN_FRONTEND=noninteractive
dpkg --add-architecture arm64
apt-get -o Acquire::Check-Valid-Until=false update
apt-get install -y --no-install-recommends rustc cargo rust-src gcc g++ cmake make \
    gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user \
    gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 wine wine64 xvfb xauth
cd /root && apt-get download libstd-rust-dev:arm64 && dpkg-deb -x libstd-rust-dev_*_arm64.deb arm64std
cp -rn arm64std/usr/lib/rustlib/aarch64-unknown-linux-gnu /usr/lib/rustlib/
IN
    inside_folder bash /root/setup.sh
}

mount_once() { mountpoint -q "$2" || mount "${@:3}" "$1" "$2"; }

inside_folder() {
    mount_once proc "$dir/proc" -t proc
    mount_once /dev "$dir/dev" --bind
    chroot "$dir" "$@"
}

# Lets the kernel start programs for aarch64, which tests do that start themselves. `-1` in the file that this makes
# removes the rule.
start_aarch64() {
    local rules=/proc/sys/fs/binfmt_misc
    mount_once binfmt_misc $rules -t binfmt_misc
    [ -e $rules/quadrille-aarch64 ] || inside_folder bash -c "mount -t binfmt_misc binfmt_misc $rules 2>/dev/null
        echo ':quadrille-aarch64:M::\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00:\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff:/usr/bin/qemu-aarch64:F' >$rules/register"
}

# Runs a command in the repository, with the environment of the host.
run() {
    [ "$host" != aarch64 ] || start_aarch64
    mkdir -p "$dir$repository" "$dir/root/.cargo/registry"
    mount_once "$repository" "$dir$repository" --bind
    mount_once "$registry" "$dir/root/.cargo/registry" --bind
    local env=(HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "CARGO_TARGET_DIR=/root/target/$host"
        CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 CARGO_HTTP_CAINFO=/root/ca.pem SSL_CERT_FILE=/root/ca.pem)
    case $host in
    aarch64) env+=(CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
        CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64 QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
        CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc CXX_aarch64_unknown_linux_gnu=aarch64-linux-gnu-g++) ;;
    windows) env+=(RUSTC_BOOTSTRAP=1 CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine WINEDEBUG=-all "WINEDLLOVERRIDES=mscoree,mshtml="
        "WINEPATH=$(echo "$dir"/usr/lib/gcc/x86_64-w64-mingw32/*-win32 | sed "s|$dir||")"
        CC_x86_64_pc_windows_gnu=x86_64-w64-mingw32-gcc CXX_x86_64_pc_windows_gnu=x86_64-w64-mingw32-g++) ;;
    macos) env+=(RUSTC_BOOTSTRAP=1) ;;
    esac
    inside_folder env -i "${env[@]}" bash -c 'cd "$0" && exec "$@"' "$repository" "$@"
}

# Cargo for the host's target, with all crates but the Python module, which links with the host's Python: one selection of
# crates has one selection of features, so that each step uses what the one before has built.
everything=(--workspace --exclude quadrille-python)
std=-Zbuild-std=std,panic_abort,panic_unwind,test
cross() {
    case $host in
    aarch64) run cargo "$1" --locked --offline --target aarch64-unknown-linux-gnu "${everything[@]}" "${@:2}" ;;
    # Windows of the tests need a display.
    windows) run xvfb-run -a cargo "$1" --locked --target x86_64-pc-windows-gnu $std "${everything[@]}" "${@:2}" ;;
    esac
}

step() { printf '\n== %s: %s (%s s)\n' "$host" "$*" "$SECONDS"; }

# Runs the command that the steps before have built, by the emulator that starts the programs of the host.
built=(/root/target/aarch64/aarch64-unknown-linux-gnu/debug /root/target/windows/x86_64-pc-windows-gnu/debug)
command_of_host() {
    case $host in
    aarch64) run qemu-aarch64 "${built[0]}/quadrille" "$@" ;;
    windows) run wine "${built[1]}/quadrille.exe" "$@" ;;
    esac
}

# The tests of every part, and those that compare what the host draws and computes with the goldens of x86-64.
tests() {
    step "unit tests"
    cross test --lib
    step "scenes, file tests, determinism, random modules"
    cross test --test scenes --test filetests --test determinism --test differential
    step "the driver"
    cross test "$@"
}

# Renders the README's picture and compares it with the golden of x86-64.
picture() {
    step "the README's picture"
    local out=$dir/root/picture.png
    command_of_host render assets/shaders/still_life.glsl --size 960x540 --samples 4 -o "${out#"$dir"}"
    cmp "$out" "$repository/assets/gallery/still_life.png"
}

# Registers the driver, reads the entry that the Vulkan loader reads, and removes it.
registration() {
    step "registration of the driver"
    local key='HKCU\SOFTWARE\Khronos\Vulkan\Drivers'
    command_of_host vulkan --install --driver "${built[1]}/deps/vk_quadrille.dll"
    run wine reg query "$key" | grep -F quadrille_icd.json
    command_of_host vulkan --uninstall
    if run wine reg query "$key" | grep -F quadrille_icd.json; then
        echo "the entry is still there" >&2
        return 1
    fi
}

case $host in
setup) setup && exit ;;
aarch64 | windows | macos) ;;
*) usage ;;
esac
if [ $# -ge 1 ]; then
    run "$@"
    exit
fi
case $host in
aarch64)
    tests --test triangle --test compute --test presentation
    picture
    ;;
windows)
    tests --test triangle --test compute --test presentation --test win32
    picture
    registration
    ;;
macos)
    step "types"
    # Without glslang, which is C++ and has no compiler for this host here.
    run cargo check --locked --target aarch64-apple-darwin $std --no-default-features --lib --bins \
        -p quadrille-jit -p quadrille-raster -p quadrille -p quadrille-vulkan -p quadrille-cli
    ;;
esac
step "done"
