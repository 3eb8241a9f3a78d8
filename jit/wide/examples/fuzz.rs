//! `fuzz FROM COUNT INPUTS`: compares random programs at every level and width with Cranelift's own back
//! end, each on `INPUTS` inputs.

#[path = "../tests/random/mod.rs"]
mod random;
#[path = "../tests/support/mod.rs"]
mod support;

use random::program;

fn main() {
    let arg =
        |n: usize, default: u64| std::env::args().nth(n).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (from, count, inputs) = (arg(1, 0), arg(2, 1000), arg(3, 64) as usize);
    let isa = support::cranelift();
    let (mut runs, mut failed) = (0, 0);
    for seed in from..from + count {
        let p = random::of_seed(seed);
        match random::check(&p, seed, inputs, &isa) {
            Ok(n) => runs += n,
            Err(e) => {
                failed += 1;
                println!("{e}");
                if failed == 1 {
                    println!("{}", random::reduced(&p, seed, inputs, &isa));
                }
            }
        }
        if (seed + 1 - from).is_multiple_of(1000) {
            println!("{} programs, {runs} executions, {failed} failed", seed + 1 - from);
        }
    }
    println!("{count} programs of {} operations, {runs} executions, {failed} failed", program::ROWS.len());
    assert_eq!(failed, 0, "programs that differ");
}
