//! Which places of the source machine code is from, for those who look at where a processor is.
//!
//! Only shaders with debug information ([`Module::lower_placed`](crate::spirv::Module::lower_placed)) have it.

use std::ops::Range;
use std::sync::Arc;

use crate::ir::debug::Debug;
use crate::ir::{Shader, Stage};
use crate::memory::CodeBlock;

/// The code of a lane function with its places. The code stays where it is as long as this lives.
pub struct PlacedCode {
    code: Arc<CodeBlock>,
    debug: Arc<Debug>,
    stage: Stage,
    /// Offsets, ascending, and the places from which the code is from there on.
    places: Vec<(u32, u32)>,
}

impl PlacedCode {
    /// `None` if the shader has no debug information.
    pub(crate) fn new(code: Arc<CodeBlock>, shader: &Shader, places: Vec<(u32, u32)>) -> Option<PlacedCode> {
        Some(PlacedCode { code, debug: shader.debug.clone()?, stage: shader.stage, places })
    }

    /// The stage that it runs.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Where the code is.
    pub fn addresses(&self) -> Range<usize> {
        self.code.addresses()
    }

    /// What its places are of.
    pub fn debug(&self) -> &Arc<Debug> {
        &self.debug
    }

    /// Index into [`Debug::places`] of the instruction at an address; 0: it is from none.
    pub fn place(&self, address: usize) -> u32 {
        let Some(offset) = address.checked_sub(self.addresses().start) else { return 0 };
        let behind = self.places.partition_point(|(at, _)| *at as usize <= offset);
        behind.checked_sub(1).map_or(0, |i| self.places[i].1)
    }
}

impl std::fmt::Debug for PlacedCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlacedCode").field("addresses", &self.addresses()).finish_non_exhaustive()
    }
}

/// Is told what code is made, and when a device works.
pub trait Placing: Send + Sync {
    /// Code has been made.
    fn placed(&self, code: &Arc<PlacedCode>);

    /// A device begins to execute commands, or has ended. Several may, and then end as often as they began.
    fn works(&self, begins: bool);
}

/// Whether generated code that is alive, of whatever kind, is at an address.
pub fn is_generated(address: usize) -> bool {
    crate::memory::is_code(address)
}
