#!/bin/sh
# A compiler wrapper that builds our own crates with the address sanitizer, on stable Rust. Their dependencies are not
# instrumented, but the sanitizer replaces the allocator, so it also watches memory that dependencies allocate.
#
#   RUSTC_WORKSPACE_WRAPPER=$PWD/conformance/fuzz/sanitize.sh ASAN_OPTIONS=detect_leaks=0 cargo test -p quadrille-raster --lib
#
# Generated code is not instrumented: guard pages (QUADRILLE_GUARD) detect its accesses out of bounds.
RUSTC_BOOTSTRAP=1
export RUSTC_BOOTSTRAP
case " $* " in
*" --crate-name build_script_"* | *" --crate-type proc-macro "* | *" --print "* | *" -vV "*) exec "$@" ;;
esac
exec "$@" -Zsanitizer=address -Cunsafe-allow-abi-mismatch=sanitizer
