//! Random programs at every level and width, compared with Cranelift's own back end. Code is called by the
//! convention of System V.

#![cfg(all(target_arch = "x86_64", unix))]

#[path = "random/mod.rs"]
mod random;
#[path = "support/mod.rs"]
mod support;

use random::program::{self, ROWS};

/// Tests every operation alone first, so that a failure names its operation.
#[test]
fn each_operation_alone() {
    let isa = support::cranelift();
    for (i, row) in ROWS.iter().enumerate() {
        for seed in 0..6u64 {
            let kinds =
                |r: &program::Row| r.name == "load" || std::ptr::eq(r, row) || sources(row).contains(&r.name);
            let p = program::make(seed * 1000 + i as u64, 30, kinds);
            if let Err(e) = random::check(&p, seed, 4, &isa) {
                panic!("{} {:?} -> {:?}: {e}", row.name, row.args, row.out);
            }
        }
    }
}

/// Operations that produce values of the types that cannot be loaded.
fn sources(row: &program::Row) -> &'static [&'static str] {
    use program::Ty::*;
    match row.args.iter().any(|t| matches!(t, Bool | M32 | M64 | F64)) {
        true => &["icmp", "fcmp", "fconst"],
        false => &[],
    }
}

#[test]
fn random_programs() {
    let isa = support::cranelift();
    for seed in 0..300 {
        let p = random::of_seed(seed);
        if let Err(e) = random::check(&p, seed, 4, &isa) {
            panic!("{e}");
        }
    }
}
