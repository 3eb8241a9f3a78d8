//! Permutations of two vectors, whose lanes of 16 bits random programs do not have. Code is called by the convention of System V.

#![cfg(all(target_arch = "x86_64", unix))]

#[path = "support/mod.rs"]
mod support;

use cranelift_codegen::ir::{InstBuilder, types};
use cranelift_codegen::isa::CallConv;
use quadrille_wide::Level;
use quadrille_wide::intrinsics::Intrinsic;
use support::{Code, compiled, flags, function, intrinsic};

/// Halves of two vectors, sorted by an index.
#[test]
fn halves_of_two_vectors_are_sorted() {
    let order: [u16; 16] = [0, 31, 16, 15, 1, 30, 17, 14, 40, 2, 2, 29, 18, 13, 3, 65_535];
    for width in [8, 16, 32u16] {
        let ty = types::I16.by(width.into()).unwrap();
        let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
            let [x, y, index] = [0, 64, 128].map(|at| fb.ins().load(ty, flags(), p[0], at));
            let v = intrinsic(fb, Intrinsic::Permute2, &[x, y, index], ty);
            fb.ins().store(flags(), v, p[0], 192);
            vec![p[1]]
        });
        for level in support::levels() {
            if level == Level::Avx2 {
                assert!(support::compile(&f, level).is_err(), "AVX2 has no such instruction");
                continue;
            }
            let (x, y) = ((0..32).map(|i| 100 + i), (0..32).map(|i| 200 + i));
            let index = order.iter().cycle().take(32).copied();
            let halves: Vec<u16> = x.chain(y).chain(index).chain([0; 32]).collect();
            let mut memory: Vec<u8> = halves.iter().flat_map(|h| h.to_le_bytes()).collect();
            Code::new(&compiled(&f, level).bytes).call(&mut memory, 0, 0);
            for (i, half) in memory[192..].chunks(2).take(width.into()).enumerate() {
                let from = order[i % 16] % (2 * width);
                let wanted = if from < width { 100 + from } else { 200 + from - width };
                assert_eq!(u16::from_le_bytes([half[0], half[1]]), wanted, "{width}: half {i}");
            }
        }
    }
}
