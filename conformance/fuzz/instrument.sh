#!/bin/sh
# A compiler wrapper for stable Rust that adds coverage counters to our own crates only.
#
#   cd conformance/fuzz
#   RUSTC_WRAPPER=$PWD/instrument.sh cargo run --bin spirv_bytes -- -max_total_time=300 corpus/spirv_bytes
#
# With cargo-fuzz, `cargo fuzz run --sanitizer none spirv_bytes` also works, and instruments all crates.
# `quadrille-conformance fuzz spirv_bytes` needs no wrapper: it changes inputs at random, without coverage.
# Seeds for the corpus: `cargo run -p quadrille-conformance -- mutate --corpus conformance/fuzz/corpus/spirv_bytes --count 0`.
# A program of `api` or `driver` takes kilobytes of choices, and short inputs reach half of the code: begin with files
# of 64 to 8,192 random bytes, and with `-len_control=0 -max_len=16384`.
rustc=$1
shift
name=
after=
for argument; do
    [ "$after" = --crate-name ] && name=$argument
    after=$argument
done
case $name in
quadrille | quadrille_* | vk_quadrille | spirv_bytes | structured | api | driver | returned)
    exec "$rustc" "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
    ;;
*) exec "$rustc" "$@" ;;
esac
