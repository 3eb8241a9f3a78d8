//! Host feature levels and the Cranelift ISAs for them.
//!
//! A level fixes which host instructions generated code and Rust dispatch may use. Results are the same at every level;
//! only speed differs.

use std::sync::{Arc, OnceLock};

use cranelift_codegen::isa::{self, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use once_cell::race::OnceBox;

use crate::env::{self, Host};
use crate::error::{Error, Result};
use crate::process::PerProcess;

/// `true` on processors of the family x86-64, whose instructions some rules of the lane builder know.
pub const IS_X86: bool = cfg!(target_arch = "x86_64");

/// Target of generated code. Its system determines the calling convention, which must be that of `extern "C"`; a target
/// without a system has that of System V.
const TARGET: &str = if cfg!(windows) {
    "x86_64-pc-windows-msvc"
} else if cfg!(all(target_os = "macos", target_arch = "aarch64")) {
    "aarch64-apple-darwin"
} else {
    std::env::consts::ARCH
};

/// Host feature level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CpuLevel {
    /// x86-64-v2: SSE4.2. The minimum host.
    V2,
    /// x86-64-v3: AVX2, FMA.
    V3,
    /// x86-64-v4: AVX-512 F, VL, BW, DQ and CD.
    V4,
}

/// Compilation effort of the code generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tier {
    /// No optimization, single-pass register allocation: the shortest compilation.
    First,
    /// Optimized code, with backtracking register allocation.
    Optimized,
}

impl CpuLevel {
    /// All levels, lowest first.
    pub const ALL: [CpuLevel; 3] = [CpuLevel::V2, CpuLevel::V3, CpuLevel::V4];

    /// The level in force: `QUADRILLE_CPU`, limited to the level of the host.
    pub fn current() -> CpuLevel {
        static LEVEL: OnceBox<CpuLevel> = OnceBox::new();
        *LEVEL.get_or_init(|| {
            let asked = match env::CPU.get().unwrap_or(Host::Native) {
                Host::V2 => CpuLevel::V2,
                Host::V3 => CpuLevel::V3,
                Host::V4 | Host::Native => CpuLevel::V4,
            };
            Box::new(asked.min(CpuLevel::host()))
        })
    }

    /// The highest level that the host supports.
    pub fn host() -> CpuLevel {
        static HOST: OnceBox<CpuLevel> = OnceBox::new();
        let found = || match (host_has_v3(), host_has_v4()) {
            (true, true) => CpuLevel::V4,
            (true, false) => CpuLevel::V3,
            _ => CpuLevel::V2,
        };
        *HOST.get_or_init(|| Box::new(found()))
    }

    /// Level of the wide back end: `None` below [`CpuLevel::V3`], and at most the level of the host.
    pub(crate) fn wide(self) -> Option<quadrille_wide::Level> {
        match self.min(CpuLevel::host()) {
            _ if !IS_X86 => None,
            CpuLevel::V2 => None,
            CpuLevel::V3 => Some(quadrille_wide::Level::Avx2),
            CpuLevel::V4 => Some(quadrille_wide::Level::Avx512),
        }
    }

    /// Width in bits of the widest vectors that generated code uses.
    pub(crate) fn vector_bits(self, tier: Tier) -> u32 {
        match self.wide().filter(|_| tier == Tier::Optimized) {
            None => 128,
            Some(quadrille_wide::Level::Avx2) => 256,
            Some(quadrille_wide::Level::Avx512) => 512,
        }
    }

    /// `true` if generated code may use fused multiply-add instructions.
    pub fn has_fma(self) -> bool {
        self.min(CpuLevel::host()) >= CpuLevel::V3
    }
}

/// Cranelift's flag names that each level adds, each with the feature name of `is_x86_feature_detected`.
#[cfg(target_arch = "x86_64")]
macro_rules! flags {
    ($($flag:literal $host:tt,)*) => { &[$(($flag, || std::arch::is_x86_feature_detected!($host)),)*] };
}
#[cfg(target_arch = "x86_64")]
type Flags = &'static [(&'static str, fn() -> bool)];
#[cfg(target_arch = "x86_64")]
const V2_FLAGS: Flags = flags!["has_sse3" "sse3", "has_ssse3" "ssse3", "has_sse41" "sse4.1", "has_sse42" "sse4.2",
    "has_popcnt" "popcnt",];
#[cfg(target_arch = "x86_64")]
const V3_FLAGS: Flags = flags!["has_avx" "avx", "has_avx2" "avx2", "has_fma" "fma", "has_bmi1" "bmi1",
    "has_bmi2" "bmi2", "has_lzcnt" "lzcnt",];
#[cfg(target_arch = "x86_64")]
const V4_FLAGS: Flags =
    flags!["has_avx512f" "avx512f", "has_avx512dq" "avx512dq", "has_avx512vl" "avx512vl",];
/// Further features that code of level v4 uses if the host has them.
#[cfg(target_arch = "x86_64")]
const MORE_FLAGS: Flags = flags!["has_avx512bitalg" "avx512bitalg", "has_avx512vbmi" "avx512vbmi",];

#[cfg(target_arch = "x86_64")]
fn host_has_v3() -> bool {
    V3_FLAGS.iter().all(|(_, has)| has())
        && std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("f16c")
}

/// A feature is only reported if the operating system also saves the wide registers and the mask registers.
#[cfg(target_arch = "x86_64")]
fn host_has_v4() -> bool {
    V4_FLAGS.iter().all(|(_, has)| has())
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512cd")
}

/// Returns true if the host multiplies bytes with the encodings of a level of the wide back end.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_vnni(level: quadrille_wide::Level) -> bool {
    match level {
        quadrille_wide::Level::Avx2 => std::arch::is_x86_feature_detected!("avxvnni"),
        quadrille_wide::Level::Avx512 => std::arch::is_x86_feature_detected!("avx512vnni"),
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn has_vnni(_: quadrille_wide::Level) -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
fn host_has_v3() -> bool {
    true
}

#[cfg(not(target_arch = "x86_64"))]
fn host_has_v4() -> bool {
    false
}

/// The ISA for a level and a tier; created once.
pub(crate) fn isa(level: CpuLevel, tier: Tier) -> Result<Arc<dyn TargetIsa>> {
    made(level, tier, cfg!(debug_assertions))
}

/// Like [`isa`], without Cranelift's self-checks in debug builds: for large functions, since the checks take quadratic
/// time.
pub(crate) fn unchecked_isa(level: CpuLevel, tier: Tier) -> Result<Arc<dyn TargetIsa>> {
    made(level, tier, false)
}

fn made(level: CpuLevel, tier: Tier, checked: bool) -> Result<Arc<dyn TargetIsa>> {
    type Made = std::result::Result<Arc<dyn TargetIsa>, String>;
    static ISAS: PerProcess<[OnceLock<Made>; 12]> = PerProcess::new();
    let slot = &ISAS.get()[level as usize * 4 + tier as usize * 2 + usize::from(checked)];
    slot.get_or_init(|| make_isa(level, tier, checked)).clone().map_err(Error::Internal)
}

fn make_isa(level: CpuLevel, tier: Tier, checked: bool) -> std::result::Result<Arc<dyn TargetIsa>, String> {
    let mut shared = settings::builder();
    let mut set = |name: &str, value: &str| shared.set(name, value).map_err(|e| e.to_string());
    match tier {
        Tier::First => {
            set("opt_level", "none")?;
            set("regalloc_algorithm", "single_pass")?;
        }
        // Cranelift's mid-end stays off: it moves pure code into every branch that uses it, which recomputes shared
        // values several times where lanes diverge. Quadrille's passes share and hoist values instead.
        Tier::Optimized => {
            set("opt_level", "none")?;
            set("regalloc_algorithm", "backtracking")?;
        }
    }
    set("enable_verifier", if checked { "true" } else { "false" })?;
    set("unwind_info", "false")?;
    set("is_pic", "false")?;
    set("use_colocated_libcalls", "false")?;
    set("enable_probestack", "true")?;
    set("probestack_strategy", "inline")?;
    let mut builder = isa::lookup_by_name(TARGET).map_err(|e| e.to_string())?;
    #[cfg(target_arch = "x86_64")]
    {
        let levels: [&[Flags]; 3] = [&[V2_FLAGS], &[V3_FLAGS], &[V4_FLAGS, MORE_FLAGS]];
        for (flag, host_has) in levels[..=level as usize].iter().copied().flatten().copied().flatten() {
            if host_has() {
                builder.enable(flag).map_err(|e| e.to_string())?;
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (level, &mut builder);
    builder.finish(settings::Flags::new(shared)).map_err(|e| e.to_string())
}
