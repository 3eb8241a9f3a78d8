//! Indices of custom border colours. Spec: Vulkan, vkRegisterCustomBorderColorEXT.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use ash::vk;
use quadrille::LIMITS;

use crate::interface::guard::VkResult;

/// Registered indices of custom border colours. The colours themselves are stored in samplers.
#[derive(Default)]
pub struct BorderColors(Mutex<BTreeSet<u32>>);

impl BorderColors {
    /// Registers the requested index, or a free one.
    pub fn register(&self, wanted: Option<u32>) -> VkResult<u32> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let most = LIMITS.max_custom_border_color_samplers;
        match wanted {
            Some(n) if n < most && known.insert(n) => Ok(n),
            Some(_) => Err(vk::Result::ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS),
            None => {
                // The registered indices before the first gap are 0 to n - 1.
                let n = (0..).zip(known.iter()).take_while(|(i, n)| i == *n).count() as u32;
                if n >= most {
                    return Err(vk::Result::ERROR_TOO_MANY_OBJECTS);
                }
                known.insert(n);
                Ok(n)
            }
        }
    }

    /// Frees an index, if it is registered.
    pub fn unregister(&self, n: u32) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Freed indices are reused. Spec: Vulkan, vkRegisterCustomBorderColorEXT.
    #[test]
    fn numbers_of_border_colors_are_given_again_when_they_are_free() {
        let colors = BorderColors::default();
        assert_eq!(
            [colors.register(None), colors.register(None), colors.register(Some(3))],
            [Ok(0), Ok(1), Ok(3)]
        );
        assert_eq!(colors.register(Some(1)), Err(vk::Result::ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS));
        colors.unregister(0);
        colors.unregister(0);
        assert_eq!(
            [colors.register(None), colors.register(None), colors.register(None)],
            [Ok(0), Ok(2), Ok(4)]
        );
        let most = LIMITS.max_custom_border_color_samplers;
        (5..most).for_each(|n| assert_eq!(colors.register(None), Ok(n)));
        assert_eq!(colors.register(None), Err(vk::Result::ERROR_TOO_MANY_OBJECTS));
        assert!(colors.register(Some(most)).is_err());
    }
}
