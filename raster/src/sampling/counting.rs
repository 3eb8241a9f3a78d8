//! Counts of the texels that shaders look up and store, while somebody asks for them.
//!
//! While a device counts, its tables lead to a routine that counts and then calls the routine of the combination; the
//! tables are in [`super::table`]. At other times nothing is counted, and calls cost what they always do. The lanes that
//! count are left to [`crate::counted`].

use std::sync::atomic::{AtomicU64, Ordering};

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::ir::{AtomicOp, ImageOpKind};

use crate::counted;

/// Texels that shaders have looked up and stored. Each operation of an invocation is one texel, whatever its filter.
#[derive(Debug, Default)]
pub(super) struct Texels([AtomicU64; 2]);

impl Texels {
    /// Counts a call.
    pub fn count(&self, kind: ImageOpKind, args: &ImageArgs) {
        let which = match kind {
            ImageOpKind::Sample
            | ImageOpKind::Gather
            | ImageOpKind::Fetch
            | ImageOpKind::Read
            | ImageOpKind::Atomic(AtomicOp::Load) => 0,
            ImageOpKind::Write | ImageOpKind::Atomic(_) => 1,
            ImageOpKind::QuerySize
            | ImageOpKind::QueryLevels
            | ImageOpKind::QuerySamples
            | ImageOpKind::QueryLod => return,
        };
        let n = (args.mask & counted::lanes()).count_ones();
        self.0[which].fetch_add(n.into(), Ordering::Relaxed);
    }

    /// The counts so far: lookups, then stores.
    pub fn get(&self) -> [u64; 2] {
        [0, 1].map(|k| self.0[k].load(Ordering::Relaxed))
    }
}
