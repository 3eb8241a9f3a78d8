//! Races between queues and with the host.

use ash::vk;
use vk::{AccessFlags as A, PipelineStageFlags as S};

use super::case::Case;
use super::case::Heard::{Nothing, Race};
use crate::common::lab::{COPIED, FILL, N};

/// Queues, semaphores, fences, the host.
pub const QUEUES: &[Case] = &[
    ("QSBufferCopyHazards", Race(&["submission"]), |l| {
        l.submit(0, None, None, |c| l.fill(c, 0));
        l.submit(0, None, None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("QSBufferCopyBehindBarrier", Nothing, |l| {
        l.submit(0, None, None, |c| {
            l.fill(c, 0);
            l.barrier(c, FILL, COPIED);
        });
        l.submit(0, None, None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("QSBufferCopyVsIdle", Nothing, |l| {
        l.submit(0, None, None, |c| l.fill(c, 0));
        l.idle();
        l.submit(0, None, None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("QSBufferCopyVsFence", Nothing, |l| {
        l.run(|c| l.fill(c, 0));
        l.submit(1, None, None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("QSWriteRacingWrite", Race(&["no semaphore or fence"]), |l| {
        l.submit(0, None, None, |c| l.copy(c, 0, 2));
        l.submit(1, None, None, |c| l.copy(c, 1, 2));
        l.idle();
    }),
    ("QSWriteRacingRead", Race(&["no semaphore or fence"]), |l| {
        l.submit(0, None, None, |c| l.copy(c, 0, 1));
        l.submit(1, None, None, |c| l.fill(c, 0));
        l.idle();
    }),
    ("SemaphoreScopeIncludesAllAccessesTwoQueues", Nothing, |l| {
        let s = l.semaphore();
        l.submit(0, None, Some(s), |c| l.fill(c, 0));
        l.submit(1, Some((s, S::TRANSFER)), None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("WaitStageMismatchTwoQueues", Race(&["vkCmdCopyBuffer"]), |l| {
        let s = l.semaphore();
        l.submit(0, None, Some(s), |c| l.fill(c, 0));
        l.submit(1, Some((s, S::COMPUTE_SHADER)), None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("BinaryWaitWithTopOfPipeStage", Nothing, |l| {
        let s = l.semaphore();
        l.submit(0, None, Some(s), |c| l.fill(c, 0));
        l.submit(1, Some((s, S::TOP_OF_PIPE)), None, |c| {
            l.barrier(c, (S::ALL_COMMANDS, A::empty()), COPIED);
            l.copy(c, 0, 1);
        });
        l.idle();
    }),
    ("SemaphoreOfAnotherSubmission", Race(&["no semaphore or fence"]), |l| {
        let s = l.semaphore();
        l.submit(0, None, Some(s), |c| l.fill(c, 1));
        l.submit(0, None, None, |c| l.fill(c, 0));
        l.submit(1, Some((s, S::ALL_COMMANDS)), None, |c| l.copy(c, 0, 2));
        l.idle();
    }),
    ("WaitAfterSignalTwoQueues", Nothing, |l| {
        let s = l.counter();
        l.submit_counted(0, s, [None, Some(1)], |c| l.fill(c, 0));
        l.submit_counted(1, s, [Some(1), None], |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("WaitBeforeSignal", Nothing, |l| {
        let s = l.counter();
        l.submit_counted(1, s, [Some(1), None], |c| l.copy(c, 0, 1));
        l.submit_counted(0, s, [None, Some(1)], |c| l.fill(c, 0));
        l.idle();
    }),
    ("WaitInitialValueTwoQueues", Race(&["no semaphore or fence"]), |l| {
        let s = l.counter();
        l.submit_counted(0, s, [None, Some(1)], |c| l.fill(c, 0));
        l.submit_counted(1, s, [Some(0), None], |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("WaitSmallerValue", Race(&["no semaphore or fence"]), |l| {
        let s = l.counter();
        l.submit_counted(0, s, [None, Some(1)], |_| ());
        l.submit_counted(0, s, [None, Some(2)], |c| l.fill(c, 0));
        l.submit_counted(1, s, [Some(1), None], |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("HostWaitsForCounter", Nothing, |l| {
        let s = l.counter();
        l.submit_counted(0, s, [None, Some(1)], |c| l.fill(c, 0));
        l.wait_counter(s, 1);
        l.submit(1, None, None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("WriteSameLocationFromTwoSubmits", Race(&["vkCmdDispatch"]), |l| {
        l.ready();
        l.submit(0, None, None, |c| l.sum(c, N));
        l.submit(0, None, None, |c| l.sum(c, N));
        l.idle();
    }),
    ("BufferCopySecondary", Race(&["of a secondary command buffer"]), |l| {
        let second = l.secondary(|c| l.copy(c, 0, 1));
        l.run(|c| {
            l.fill(c, 0);
            l.execute(c, second);
        });
    }),
    ("BufferCopySecondaryBehindBarrier", Nothing, |l| {
        let second = l.secondary(|c| l.copy(c, 0, 1));
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, COPIED);
            l.execute(c, second);
        });
    }),
];
