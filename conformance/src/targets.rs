//! Fuzz targets: functions from bytes to a verdict, each with a share of memory and CPU time.
//!
//! `conformance/fuzz` runs them with libFuzzer. `quadrille-conformance fuzz` runs them with random changes to inputs
//! and needs no special compiler flags. `calls`, `random` and `mutate` own the checks; this file owns the list and the
//! shares.

use std::sync::{Mutex, Once, OnceLock, PoisonError};
use std::time::Duration;

use quadrille_jit::spirv;

use crate::calls::returned::Returned;
use crate::calls::{Tally, api, driver};
use crate::cost::{self, Cost, Share};
use crate::differential::{self, Effort};
use crate::mutate;
use crate::random::{self, Random};
use crate::size;

/// A fuzz target.
pub struct Target {
    /// Name, as on the command line.
    pub name: &'static str,
    /// Memory and CPU time that an input may take, by its size.
    share: Share,
    /// Size of an input, in proportion to which it may cost.
    size: fn(&[u8]) -> usize,
    run: fn(&[u8]) -> Result<(), String>,
    /// Creates state that all inputs share, so that no input pays for it.
    begun: Once,
}

/// All targets.
pub static TARGETS: [&Target; 5] = [&API, &DRIVER, &RETURNED, &SPIRV_BYTES, &STRUCTURED];

/// Returns a share, with about five times the cost of inputs of random bytes.
const fn share(free_mib: usize, free_seconds: u64, kib: usize, milliseconds: u64) -> Share {
    Share {
        free: Cost { bytes: free_mib << 20, time: Duration::from_secs(free_seconds) },
        each: Cost { bytes: kib << 10, time: Duration::from_millis(milliseconds) },
    }
}

/// The bytes determine the calls of a program against the safe Rust API.
pub static API: Target = Target {
    name: "api",
    share: share(64, 2, 8, 4),
    size: <[u8]>::len,
    run: |bytes| api::check_bytes(bytes, &mut Tally::default()),
    begun: Once::new(),
};

/// The bytes determine the calls of a program against the Vulkan driver, all of them valid.
pub static DRIVER: Target = Target {
    name: "driver",
    // A submission takes a few bytes and may repeat every draw that was recorded so far.
    share: share(64, 2, 8, 4),
    size: <[u8]>::len,
    run: |bytes| {
        static SHARED: OnceLock<Result<driver::Shared, String>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| driver::Shared::new(vk_quadrille::entry()));
        driver::check_bytes(shared.as_ref()?, bytes, &mut Tally::default())
    },
    begun: Once::new(),
};

/// The bytes determine changes to shader binaries, pipeline binaries and pipeline caches.
pub static RETURNED: Target = Target {
    name: "returned",
    share: share(64, 2, 1, 1),
    size: <[u8]>::len,
    run: |bytes| {
        static SHARED: OnceLock<Result<Mutex<Returned>, String>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| Returned::new(vk_quadrille::entry()).map(Mutex::new));
        let mut returned = shared.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        returned.check(bytes).map(drop)
    },
    begun: Once::new(),
};

/// The bytes are arbitrary SPIR-V. The target parses, lowers, compiles and briefly runs it, or gets an error other than
/// an internal one.
pub static SPIRV_BYTES: Target = Target {
    name: "spirv_bytes",
    // Each entry point takes at least 20 bytes, and may run for 200 ms in two variants.
    share: share(64, 2, 8, 20),
    size: |bytes| size::of(&words(bytes)),
    run: |bytes| mutate::survive(&words(bytes), &mut Random::new(bytes.len() as u64)).map(drop),
    begun: Once::new(),
};

/// The bytes determine a structured module. The target compares the interpreter with generated code.
pub static STRUCTURED: Target = Target {
    name: "structured",
    share: share(64, 2, 8, 1),
    // The module may be larger than the choices that determine it. Text that is not a module has no size: a find
    // anyway.
    size: |bytes| spirv::asm::assemble(&structured(bytes).text).map_or(0, |words| size::of(&words)),
    run: |bytes| {
        let made = structured(bytes);
        let effort = Effort { inputs: 2, variants: Some(2), interpret: 1 };
        let checked = differential::check(&made, effort, &mut differential::Tally::default());
        checked.map(drop).map_err(|e| format!("{e}\n{}", made.text))
    },
    begun: Once::new(),
};

/// The words of a module.
fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// The module that the choices in these bytes determine.
fn structured(bytes: &[u8]) -> random::Made {
    random::make_from(bytes, 40)
}

impl Target {
    /// Memory and CPU time that an input may take.
    pub fn share(&self, bytes: &[u8]) -> Cost {
        self.share.of((self.size)(bytes))
    }

    /// Runs an input and returns its cost. The number of bytes in it is 0 unless [`cost::Counting`] is the global
    /// allocator.
    ///
    /// # Errors
    /// Description of a find: from the target, or of a cost above its share.
    pub fn check(&self, bytes: &[u8]) -> Result<Cost, String> {
        let mut verdict = Ok(());
        // The call below reports the same error again.
        self.begun.call_once(|| drop((self.run)(&[])));
        let cost = cost::of(|| verdict = (self.run)(bytes));
        verdict?;
        self.share.judge((self.size)(bytes), cost)?;
        Ok(cost)
    }
}
