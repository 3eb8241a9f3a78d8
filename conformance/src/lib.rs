//! Proof: file tests, coverage, goldens, oracle runs, benches.
