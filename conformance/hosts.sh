#!/usr/bin/env bash
# Other hosts on a Debian machine of the family x86-64, as root: builds, and runs what was built.
#   hosts.sh setup DIR              makes a folder with Debian sid, cross compilers, qemu and wine (7 GB, 10 minutes)
#   hosts.sh aarch64 DIR [--all]    Linux on aarch64, by qemu-user: unit tests, file tests, determinism, scenes, random
#                                   modules, the library, the driver, the command, the README's picture; with pages of 16 and of
#                                   64 KiB by kernels that have them
#   hosts.sh windows DIR [--all]    Windows on x86-64, by wine: the same with pages of 4 KiB, the driver's registration, wgpu
#   hosts.sh macos DIR              macOS on arm64 and x86-64: type-checks the library, the driver and the command
#   hosts.sh HOST DIR --build       builds the tests only
#   hosts.sh aarch64 DIR --pages    runs only the tests with larger pages; with `16` or `64` after it, with these
#   hosts.sh HOST DIR COMMAND...    runs a command with the environment of a host
# A sample of the tests runs, and with `--all` every test program.
# The folder's `root/target` holds what is built, by host. Crates come from the caller's registry (`cargo fetch --locked` first);
# `-Zbuild-std` needs the crates of the standard library once, from the network.
#
# qemu executes one thread's memory accesses in order, so it shows results and faults, but not caches or weak
# ordering of memory: PORTING.md has the argument for these.
set -euo pipefail
usage() { sed -n '2,15p' "$0"; exit 2; }
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
    gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user qemu-system-arm cpio \
    gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 wine wine64 xvfb xauth
# Libraries that programs of the host load, and a program that asks its Vulkan loader.
apt-get install -y --no-install-recommends {libc6,libstdc++6,libvulkan1,libxcb-shm0,libx11-xcb1,libwayland-client0,vulkan-tools}:arm64
cd /root
apt-get download libstd-rust-dev:arm64 busybox-static:arm64
dpkg-deb -x libstd-rust-dev_*_arm64.deb arm64std
cp -rn arm64std/usr/lib/rustlib/aarch64-unknown-linux-gnu /usr/lib/rustlib/
# A kernel with pages of 16 KiB.
kernel=$(apt-cache depends --important linux-image-arm64-16k:arm64 | sed -n 's/.*Depends: linux-image-\(.*16k\).*/\1/p')
apt-get download "linux-binary-$kernel:arm64"
dpkg-deb -x linux-binary-*_arm64.deb pages && dpkg-deb -x busybox-static_*_arm64.deb pages
IN
    inside_folder bash /root/setup.sh
}

mount_once() { mountpoint -q "$2" || mount "${@:3}" "$1" "$2"; }

# A folder that was removed and made again has another identity than the one that is mounted.
bind() {
    mkdir -p "$2"
    [ ! "$1" -ef "$2" ] || return 0
    ! mountpoint -q "$2" || umount "$2"
    mount --bind "$1" "$2"
}

inside_folder() {
    mount_once proc "$dir/proc" -t proc
    bind /dev "$dir/dev"
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
    bind "$repository" "$dir$repository"
    bind "$registry" "$dir/root/.cargo/registry"
    local env=(HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "CARGO_TARGET_DIR=/root/target/$host"
        CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 CARGO_HTTP_CAINFO=/root/ca.pem SSL_CERT_FILE=/root/ca.pem)
    case $host in
    aarch64) env+=(CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
        CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64
        CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc CXX_aarch64_unknown_linux_gnu=aarch64-linux-gnu-g++) ;;
    windows) env+=(RUSTC_BOOTSTRAP=1 CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine WINEDEBUG=-all "WINEDLLOVERRIDES=mscoree,mshtml,winedbg.exe="
        "WINEPATH=$(echo "$dir"/usr/lib/gcc/x86_64-w64-mingw32/*-win32 | sed "s|$dir||")"
        CC_x86_64_pc_windows_gnu=x86_64-w64-mingw32-gcc CXX_x86_64_pc_windows_gnu=x86_64-w64-mingw32-g++) ;;
    macos) env+=(RUSTC_BOOTSTRAP=1) ;;
    esac
    # shellcheck disable=SC2016 # the inner shell expands them
    inside_folder env -i "${env[@]}" bash -c 'cd "$0" && exec "$@"' "$repository" "$@"
}

# Cargo for the host's target, with all crates but the Python module, which links with the host's Python: one selection of
# crates has one selection of features, so that each step uses what the one before has built.
everything=(--workspace --exclude quadrille-python)
std=-Zbuild-std=std,panic_abort,panic_unwind,test
# Crates that drive the others are not optimized: they take most of a build's time, and little of the tests'.
drivers=(quadrille{,-amber,-check,-cli,-conformance,-debug,-languages,-profile,-scene,-suite,-vulkan}
    basisu clap clap_builder clap_complete clap_mangen console dashu-base dashu-float dashu-int draco-core gif image indicatif miette
    proptest quick-junit quick-xml rand ruzstd textwrap toml)
for crate in "${drivers[@]}"; do
    everything+=(--config "profile.dev.package.$crate.opt-level=0")
done
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
    # The emulator takes longer than shaders may.
    aarch64) run env QUADRILLE_BUDGET=0 qemu-aarch64 "${built[0]}/quadrille" "$@" ;;
    windows) run wine "${built[1]}/quadrille.exe" "$@" ;;
    esac
}

# Builds every test program.
build() {
    step "build"
    cross test --no-run --lib --bins --tests "$@"
}

# Tests that the sample leaves out on aarch64, because its emulator takes minutes for each. The gallery is left out of all tests
# there: its shaders exceed their time limit.
gallery=() slow=()
if [ "$host" = aarch64 ]; then
    gallery=(--skip=the_gallery_is_what)
    slow=("${gallery[@]}" --skip={all_levels_of_all_spacings,random_levels_cover,what_waits_looks_as_if}
        --skip={pictures_are_the_same_in_every,wrong_shaders_show})
fi

# Modules of the driver's tests. Windows maps no files over parts of a mapping, so it offers no sparse resources.
driver=(triangle:: compute:: descriptors::)
[ "$host" = windows ] || driver+=(sparse::)

# A sample of every part, and all that compares what the host draws and computes with the goldens of x86-64.
sample() {
    step "unit tests"
    cross test --lib -- "${slow[@]}"
    step "scenes"
    cross test --test scenes
    step "file tests"
    cross test --test filetests -- atomics builtins control image packing
    step "determinism, random modules"
    cross test --test determinism --test differential -- --skip scenes
    step "the library"
    cross test --test library -- compute:: draw:: kernels:: textures::
    step "the driver"
    cross test --test driver -- "${driver[@]}"
    step "the command"
    cross test --test command -- cli:: vulkan:: "${slow[@]}"
}

# Every test program.
all() {
    step "all tests"
    cross test --no-fail-fast --lib --bins --tests -- "${gallery[@]}"
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

# Builds a small kernel with pages of 64 KiB, which Debian does not have, from Debian's source.
kernel_64() {
    [ ! -f "$dir/root/pages64/Image" ] || return 0
    step "a kernel with pages of 64 KiB"
    mkdir -p "$dir/root/pages64"
    cp "$repository/conformance/kernel_64k.config" "$dir/root/pages64/"
    cat >"$dir/root/pages64/build.sh" <<'IN'
set -e
export DEBIAN_FRONTEND=noninteractive ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- KCONFIG_ALLCONFIG=/root/pages64/kernel_64k.config
apt-get install -y --no-install-recommends bc flex bison libc6-dev xz-utils
cd /root/pages64
apt-get download "$(apt-cache depends --important linux-source | sed -n 's/.*Depends: //p')"
dpkg-deb -x linux-source-*.deb . && tar -xf usr/src/linux-source-*.tar.xz && rm -r usr ./linux-source-*.deb
cd linux-source-*
make allnoconfig
grep '=y' "$KCONFIG_ALLCONFIG" | while read -r option; do
    grep -qx "$option" .config || { echo "the kernel does not take $option" >&2; exit 1; }
done
make -j"$(nproc)" Image
cp arch/arm64/boot/Image /root/pages64/
IN
    inside_folder bash /root/pages64/build.sh
}

# Boots a kernel with pages of 16 or 64 KiB, and runs there the tests of what depends on pages: code, guards, mappings, files, stacks.
pages() {
    local size=$1 image=$dir/root/image log=$dir/root/pages$1.log kernel=/root/pages64/Image
    local name filters passed='echo "all passed"'
    case $size in
    16) kernel=$(inside_folder sh -c 'echo /root/pages/usr/lib/modules/*/vmlinuz') ;;
    64) kernel_64 ;;
    *) usage ;;
    esac
    step "pages of $size KiB"
    cross test --no-run --lib --test memory --test sharing --test driver
    rm -rf "$image" && mkdir -p "$image"/{bin,lib,proc,dev,tmp}
    cp "$dir/root/pages/usr/bin/busybox" "$image/bin/"
    cp -L "$dir"/usr/lib/aarch64-linux-gnu/{ld-linux-aarch64.so.1,libc.so.6,libm.so.6,libgcc_s.so.1,libstdc++.so.6} "$image/lib/"
    while read -r name filters; do
        run aarch64-linux-gnu-strip -o "/root/image/bin/$name" "$(run find "${built[0]}/deps" -name "$name-*" ! -name '*.*' \
            -printf '%T@ %p\n' | sort -n | sed -n '$s/.* //p')"
        passed="$name $filters && $passed"
    done <<'IN'
quadrille_jit sys:: guarded:: memory process placed runtime::matrix --skip sys::clock
memory
sharing
driver sparse
IN
    cat >"$image/init" <<IN
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t devtmpfs dev /dev; mount -t tmpfs tmp /tmp
export LD_LIBRARY_PATH=/lib
grep -m 1 KernelPageSize /proc/self/smaps
$passed
poweroff -f
IN
    chmod +x "$image/init"
    inside_folder sh -c 'cd /root/image && find . | cpio -o -H newc | gzip -1 >../image.gz'
    inside_folder timeout 1800 qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -smp 2 -m 3000 -nographic -no-reboot \
        -kernel "$kernel" -initrd /root/image.gz -append "console=ttyAMA0 panic=-1 quiet" | tee "$log"
    grep -q "KernelPageSize: *$size kB" "$log" && grep -q 'all passed' "$log"
}

# wgpu computes and draws on the driver, in a program that links it.
wgpu() {
    step "wgpu"
    run cargo run --locked --target x86_64-pc-windows-gnu $std --manifest-path conformance/clients/Cargo.toml \
        -p quadrille-client-wgpu -- /root/wgpu.png
}

case $host in
setup) setup && exit ;;
aarch64 | windows | macos) ;;
*) usage ;;
esac
tests=sample
case ${1-} in
'') ;;
--all) tests=all ;;
--build) build "${@:2}"; exit ;;
--pages) for size in ${2:-16 64}; do pages "$size"; done; exit ;;
*) run "$@"; exit ;;
esac
case $host in
aarch64)
    $tests
    picture
    pages 16
    pages 64
    ;;
windows)
    $tests
    step "windows of the driver"
    cross test --test win32
    picture
    registration
    wgpu
    ;;
macos)
    # Without glslang, which is C++ and has no compiler for this host here.
    for target in aarch64-apple-darwin x86_64-apple-darwin; do
        step "types for $target"
        run cargo check --locked --target $target $std --no-default-features --lib --bins \
            -p quadrille-jit -p quadrille-raster -p quadrille -p quadrille-vulkan -p quadrille-cli
    done
    ;;
esac
step "done"
