//! Tests of waits, losses and payloads.

use super::*;
use crate::sys::{AsFd, mapping};
use crate::{DeviceOptions, Submit as Batch};

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

/// A copy of a shared payload resets it, and importers still share it. Spec: Vulkan, "Exporting Fence Payloads".
#[test]
fn a_copy_of_a_shared_payload_leaves_it_shared() {
    if !mapping::OFFERED {
        return;
    }
    let device = Device::new(DeviceOptions::default()).unwrap();
    let fence = device.create_shared_fence(true, Sharing::Reference).unwrap();
    let other = device.create_fence(false);
    other.import(&Import::Reference(fence.share().unwrap().as_fd()), false).unwrap();
    assert!(fence.copy().unwrap().is_none() && !fence.status().unwrap() && !other.status().unwrap());
    other.signal();
    assert!(fence.status().unwrap());
    assert!(fence.share().is_ok());
}

/// Only binary states are copied. Spec: Vulkan, VkSemaphoreGetFdInfoKHR, valid usage of `handleType`.
#[test]
fn counters_are_not_copied() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    let refused = |e: Error| assert!(matches!(&e, Error::Invalid { .. }), "{e}");
    refused(device.create_shared_semaphore(Some(5), Sharing::Copy).unwrap_err());
    let counter = device.create_timeline_semaphore(5);
    refused(counter.import(&Import::Copy(None), true).unwrap_err());
    assert_eq!(counter.value().unwrap(), 5);
    if mapping::OFFERED {
        let shared = device.create_shared_semaphore(Some(5), Sharing::Reference).unwrap();
        refused(shared.copy().unwrap_err());
        shared.signal(7);
        assert!(shared.wait(7, Some(Duration::ZERO)).unwrap());
    }
}

/// A submission that is refused leaves imported payloads to the next wait. Spec: Vulkan, "Queue Submission".
#[test]
fn refused_submissions_take_no_payloads() {
    let [device, other] = [(); 2].map(|()| Device::new(DeviceOptions::default()).unwrap());
    let (queue, semaphore) = (device.queue(), device.create_semaphore());
    semaphore.import(&Import::Copy(None), true).unwrap();
    let waits = [(&semaphore, 0)];
    let waiting = Batch { waits: &waits, ..Batch::default() };
    let recording = device.create_command_buffer();
    let refused = Batch { commands: &[&recording], ..Batch::default() };
    assert!(queue.submit(&[waiting, refused], None).is_err());
    assert!(queue.submit(&[waiting], Some(&other.create_fence(false))).is_err());
    assert_eq!(semaphore.value().unwrap(), 1);
    queue.submit(&[waiting], None).unwrap();
    queue.wait_idle().unwrap();
    assert_eq!(semaphore.value().unwrap(), 0);
}
