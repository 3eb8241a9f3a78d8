//! Vulkan's names for image layouts; `quadrille_check::flags` has those for stages and accesses.

/// Values of VkImageLayout, without `VK_IMAGE_LAYOUT_`.
const LAYOUTS: &[(i32, &str)] = &[
    (0, "UNDEFINED"),
    (1, "GENERAL"),
    (2, "COLOR_ATTACHMENT_OPTIMAL"),
    (3, "DEPTH_STENCIL_ATTACHMENT_OPTIMAL"),
    (4, "DEPTH_STENCIL_READ_ONLY_OPTIMAL"),
    (5, "SHADER_READ_ONLY_OPTIMAL"),
    (6, "TRANSFER_SRC_OPTIMAL"),
    (7, "TRANSFER_DST_OPTIMAL"),
    (8, "PREINITIALIZED"),
    (1_000_001_002, "PRESENT_SRC"),
    (1_000_111_000, "SHARED_PRESENT"),
    (1_000_117_000, "DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL"),
    (1_000_117_001, "DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL"),
    (1_000_232_000, "RENDERING_LOCAL_READ"),
    (1_000_241_000, "DEPTH_ATTACHMENT_OPTIMAL"),
    (1_000_241_001, "DEPTH_READ_ONLY_OPTIMAL"),
    (1_000_241_002, "STENCIL_ATTACHMENT_OPTIMAL"),
    (1_000_241_003, "STENCIL_READ_ONLY_OPTIMAL"),
    (1_000_314_000, "READ_ONLY_OPTIMAL"),
    (1_000_314_001, "ATTACHMENT_OPTIMAL"),
    (1_000_339_000, "ATTACHMENT_FEEDBACK_LOOP_OPTIMAL"),
    (1_000_620_000, "ZERO_INITIALIZED"),
];

/// Returns the name of a layout by its number.
pub(crate) fn layout(number: i32) -> String {
    let known = LAYOUTS.iter().find(|(n, _)| *n == number);
    known.map_or_else(|| number.to_string(), |(_, name)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_words() {
        assert_eq!((layout(1_000_001_002).as_str(), layout(77).as_str()), ("PRESENT_SRC", "77"));
    }
}
