//! Devices that shader tests run on. Devices are kept between tests, and each runs one test at a time.
//!
//! A shader that does not end thus blocks only its own device and no other test. Shaders compiled by a device remain
//! available to later tests.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quadrille_jit::process::PerProcess;

use crate::device::{Device, DeviceOptions};
use crate::error::Result;
use crate::observation::check;
use crate::observation::check::Session;

/// CPU time after which a test's command is stopped, unless `QUADRILLE_BUDGET` is set.
const BUDGET: Duration = Duration::from_secs(10);

static IDLE: PerProcess<Mutex<Vec<Device>>> = PerProcess::new();

/// A device for the exclusive use of one test. When it is dropped, the device becomes available again unless it was
/// lost.
pub(super) struct Leased(Device);

impl Leased {
    /// Takes an idle device, or creates one.
    pub fn new() -> Result<Leased> {
        let idle = IDLE.get().lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(device) = idle {
            return Ok(Leased(device));
        }
        let budget = quadrille_jit::env::budget().unwrap_or(BUDGET);
        Ok(Leased(Device::new(DeviceOptions { budget, ..DeviceOptions::default() })?))
    }
}

/// Creates a device with checked execution for one test.
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
