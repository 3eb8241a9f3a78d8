//! The devices that shader tests run on: kept between tests, and one test on each at a time.
//!
//! So a shader that does not end takes its own device along and no other test's, and none waits for it; what a
//! device has compiled stays for the tests after.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quadrille_jit::process::PerProcess;

use crate::check::{self, Session};
use crate::device::{Device, DeviceOptions};
use crate::error::Result;

/// CPU time of a test's command before it is stopped, unless `QUADRILLE_BUDGET` says otherwise.
const BUDGET: Duration = Duration::from_secs(10);

static IDLE: PerProcess<Mutex<Vec<Device>>> = PerProcess::new();

/// A device that nobody else uses meanwhile. Dropped, it is there for the next one, unless it was lost.
pub(super) struct Leased(Device);

impl Leased {
    /// An idle device, or a new one.
    pub fn new() -> Result<Leased> {
        let idle = IDLE.get().lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(device) = idle {
            return Ok(Leased(device));
        }
        let budget = quadrille_jit::env::budget().unwrap_or(BUDGET);
        Ok(Leased(Device::new(DeviceOptions { budget, ..DeviceOptions::default() })?))
    }
}

/// A device that checks shaders, for one test.
pub(super) fn checked(session: &Arc<Session>) -> Result<Device> {
    let budget = quadrille_jit::env::budget().unwrap_or(6 * BUDGET);
    Device::new(DeviceOptions { budget, watch: Some(check::watching(session)), ..DeviceOptions::default() })
}

impl Deref for Leased {
    type Target = Device;
    fn deref(&self) -> &Device {
        &self.0
    }
}

impl Drop for Leased {
    fn drop(&mut self) {
        if self.0.check_lost().is_ok() {
            self.0.set_print_sink(None);
            IDLE.get().lock().unwrap_or_else(PoisonError::into_inner).push(self.0.clone());
        }
    }
}
