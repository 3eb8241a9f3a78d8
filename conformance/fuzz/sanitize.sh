#!/bin/sh
# A compiler wrapper that builds our own crates with the address sanitizer, on stable Rust. The crates that they
# depend on stay as they are; what these allocate is watched too, since the sanitizer takes over the allocator.
#
#   RUSTC_WORKSPACE_WRAPPER=$PWD/conformance/fuzz/sanitize.sh ASAN_OPTIONS=detect_leaks=0 cargo test -p quadrille-raster --lib
#
# Generated code is not instrumented: guard pages (QUADRILLE_GUARD) watch what it reaches.
RUSTC_BOOTSTRAP=1
export RUSTC_BOOTSTRAP
case " $* " in
*" --crate-name build_script_"* | *" --crate-type proc-macro "* | *" --print "* | *" -vV "*) exec "$@" ;;
esac
exec "$@" -Zsanitizer=address -Cunsafe-allow-abi-mismatch=sanitizer
