//! Entries of host functions that preserve all registers.
//!
//! Owns the entries, which save whatever the functions behind them may change. A call of one costs the code around it no
//! register, so that values which are live across a rare case stay in the registers of the usual case. Leaves the call
//! itself to [`crate::lane`].
//!
//! On x86-64 an entry takes up to six integers in the registers of System V, on every system, and returns nothing. On
//! other processors it is the function itself.

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
use x86::entry;

use super::{load_line, load_rows, store_line, store_rows};
use crate::cpu::CpuLevel;

/// Host functions that have entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rare {
    LoadRows,
    LoadLine,
    StoreRows,
    StoreLine,
}

impl Rare {
    /// Address of the entry. It saves the registers of the host's level, which is at least the level in force.
    pub fn entry(self) -> *const u8 {
        self.entry_for(CpuLevel::host())
    }

    fn entry_for(self, level: CpuLevel) -> *const u8 {
        match self {
            Rare::LoadRows => entry!(load_rows, level),
            Rare::LoadLine => entry!(load_line, level),
            Rare::StoreRows => entry!(store_rows, level),
            Rare::StoreLine => entry!(store_line, level),
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
macro_rules! entry {
    ($function:ident, $level:ident) => {{
        let _ = $level;
        $function as *const u8
    }};
}
#[cfg(not(target_arch = "x86_64"))]
use entry;
