//! Headless surfaces: presented images are released at once and shown nowhere.

use std::time::Duration;

use ash::vk;

use super::{Frame, Looks, Screen, Window};
use crate::interface::guard::VkResult;
use crate::newer::FIFO_LATEST_READY;

/// A surface without a window.
pub struct Headless;

impl Window for Headless {
    fn size(&self) -> VkResult<Option<[u32; 2]>> {
        Ok(None)
    }

    fn is_supported(&self) -> bool {
        true
    }

    fn modes(&self) -> &'static [vk::PresentModeKHR] {
        use vk::PresentModeKHR as M;
        &[M::FIFO, M::FIFO_RELAXED, M::MAILBOX, M::IMMEDIATE, FIFO_LATEST_READY]
    }

    fn alpha(&self) -> vk::CompositeAlphaFlagsKHR {
        use vk::CompositeAlphaFlagsKHR as A;
        A::OPAQUE | A::PRE_MULTIPLIED | A::POST_MULTIPLIED | A::INHERIT
    }

    fn open(&self, _looks: &Looks) -> VkResult<Box<dyn Screen>> {
        Ok(Box::new(Nobody))
    }
}

struct Nobody;

impl Screen for Nobody {
    /// `None`: there are no vertical blanks to wait for.
    fn period(&self) -> Option<Duration> {
        None
    }

    fn show(&mut self, _frame: &Frame<'_>) -> VkResult<bool> {
        Ok(true)
    }
}
