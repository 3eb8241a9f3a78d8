//! Tests of waits, losses and payloads.

use super::*;
use crate::{DeviceOptions, Error};

#[test]
fn waits_time_out_and_wake() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    let fence = device.create_fence(false);
    assert!(!fence.wait(Some(Duration::ZERO)).unwrap());
    let other = fence.clone();
    let t = std::thread::spawn(move || other.signal());
    assert!(fence.wait(None).unwrap());
    t.join().unwrap();

    let counter = device.create_timeline_semaphore(3);
    assert!(counter.wait(3, None).unwrap());
    assert!(!counter.wait(4, Some(Duration::from_millis(1))).unwrap());
    counter.signal(7);
    assert_eq!(counter.value().unwrap(), 7);
    let binary = device.create_semaphore();
    assert!(Semaphore::wait_many(&device, &[(&binary, 0), (&counter, 5)], false, None).unwrap());
}

/// None of no objects is ever signaled, but all of them are.
#[test]
fn waits_for_any_of_nothing_are_refused() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    for timeout in [Some(Duration::ZERO), None] {
        let fences = Fence::wait_many(&device, &[], false, timeout);
        assert!(matches!(fences, Err(Error::Invalid { .. })), "{fences:?}");
        let semaphores = Semaphore::wait_many(&device, &[], false, timeout);
        assert!(matches!(semaphores, Err(Error::Invalid { .. })), "{semaphores:?}");
    }
    assert!(Fence::wait_many(&device, &[], true, None).unwrap());
    assert!(Semaphore::wait_many(&device, &[], true, None).unwrap());
}

#[test]
fn a_lost_device_wakes_waiters_with_the_reason() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    device.signal().lose(Error::DeviceLost("`main` ran too long".into()));
    let e = device.create_fence(false).wait(None).unwrap_err();
    assert!(matches!(e, Error::DeviceLost(m) if m.contains("main")));
}
