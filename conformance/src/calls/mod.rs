//! Random calls: of the safe Rust API (`api`), valid and invalid ones, and of the Vulkan driver (`driver`), valid ones
//! only; both also on a host where requests for memory fail (`scarce`). Damaged binary data for the driver (`returned`),
//! and hostile descriptors for both (`hostile`).
//!
//! A generator tracks live objects, so that most of its calls are accepted. A model ([`model`]) predicts the bytes of
//! buffers. All other results are compared between two runs of the same program, on devices that must agree: with other
//! thread counts, another tier, or the interpreter. A seed determines the program; a fuzzer's bytes can replace the
//! seed.

pub mod api;
pub mod driver;
pub mod heaps;
pub mod hostile;
pub mod kernels;
pub mod model;
pub mod resident;
pub mod returned;
mod scarce;
pub mod shaders;
pub mod structures;
mod trust;

use std::collections::BTreeMap;

/// Counts of calls and their outcomes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of programs.
    pub programs: u64,
    /// Accepted and refused calls, by kind.
    pub calls: BTreeMap<&'static str, [u64; 2]>,
    /// Number of submissions.
    pub submissions: u64,
    /// Number of bytes compared with the model.
    pub compared: u64,
}

impl Tally {
    /// Counts `n` calls of a kind.
    pub fn count(&mut self, kind: &'static str, accepted: bool, n: u64) {
        self.calls.entry(kind).or_default()[usize::from(!accepted)] += n;
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        self.programs += other.programs;
        self.submissions += other.submissions;
        self.compared += other.compared;
        for (kind, [accepted, refused]) in &other.calls {
            let mine = self.calls.entry(kind).or_default();
            mine[0] += accepted;
            mine[1] += refused;
        }
    }

    /// Returns the numbers of accepted calls and of all calls.
    pub fn sum(&self) -> [u64; 2] {
        let accepted = self.calls.values().map(|c| c[0]).sum();
        [accepted, self.calls.values().map(|c| c[0] + c[1]).sum()]
    }

    /// Returns a table of the kinds of calls, one per line, with the share of accepted ones.
    pub fn table(&self) -> String {
        let line = |(kind, [accepted, refused]): (&&str, &[u64; 2])| {
            let all = accepted + refused;
            format!("  {kind:<28} {all:>9}  {:>5.1} %\n", percent(*accepted, all))
        };
        self.calls.iter().map(line).collect()
    }

    /// Returns a line with the numbers of programs, submissions, calls and compared bytes, and the share accepted.
    pub fn summary(&self) -> String {
        let [accepted, all] = self.sum();
        format!(
            "{} programs, {} submissions, {all} calls, {:.1} % accepted, {} bytes compared",
            self.programs,
            self.submissions,
            percent(accepted, all),
            self.compared
        )
    }
}

/// Returns a share in percent; 0 if `all` is 0.
pub fn percent(part: u64, all: u64) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}
