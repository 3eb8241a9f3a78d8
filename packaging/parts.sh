# Shared parts of packages; other scripts source this file. Sets `version`, and functions that fill a folder.
# shellcheck shell=bash

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/.." && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)
# Time of the files in packages, so that the same sources give the same bytes.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export version SOURCE_DATE_EPOCH

# put_command COMMAND GENERATOR FOLDER: the command, stripped, with manual pages and completions, which GENERATOR prints: a
# command of the same version that runs on this host.
put_command() {
    local command=$1 generator=$2 to=$3
    install -D -m 755 "$command" "$to/bin/quadrille"
    ${STRIP:-strip} --strip-unneeded --remove-section=.comment --remove-section=.note "$to/bin/quadrille"
    mkdir -p "$to/share/man/man1" "$to/share/bash-completion/completions" "$to/share/zsh/vendor-completions" \
        "$to/share/fish/vendor_completions.d"
    "$generator" manual "$to/share/man/man1"
    "$generator" completions bash >"$to/share/bash-completion/completions/quadrille"
    "$generator" completions zsh >"$to/share/zsh/vendor-completions/_quadrille"
    "$generator" completions fish >"$to/share/fish/vendor_completions.d/quadrille.fish"
}

# put_driver DRIVER GENERATOR FOLDER LIBRARY NAME: the driver, stripped, as FOLDER/LIBRARY, with a manifest that calls it NAME.
put_driver() {
    local driver=$1 generator=$2 to=$3 library=$4 name=$5 cache
    install -D -m 644 "$driver" "$to/$library"
    ${STRIP:-strip} --strip-unneeded --remove-section=.comment --remove-section=.note "$to/$library"
    cache=$(mktemp -d)
    # The command knows the version of Vulkan.
    XDG_CACHE_HOME=$cache "$generator" vulkan --driver "$to/$library" --print-env >"$cache/env"
    mkdir -p "$to/share/vulkan/icd.d"
    sed "s|\"library_path\": \".*\"|\"library_path\": \"$name\"|" "$(sed -n 's/^VK_DRIVER_FILES=//p' "$cache/env")" \
        >"$to/share/vulkan/icd.d/quadrille_icd.json"
    rm -r "$cache"
}

# Sets the times of all files of a folder.
settle() {
    find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}
