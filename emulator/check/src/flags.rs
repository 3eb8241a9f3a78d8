//! Vulkan's names for layouts, and for the stages and accesses of barriers.

/// Bits of VkPipelineStageFlagBits2, without `VK_PIPELINE_STAGE_2_` and `_BIT`.
const STAGES: &[(u32, &str)] = &[
    (0, "TOP_OF_PIPE"),
    (1, "DRAW_INDIRECT"),
    (2, "VERTEX_INPUT"),
    (3, "VERTEX_SHADER"),
    (4, "TESSELLATION_CONTROL_SHADER"),
    (5, "TESSELLATION_EVALUATION_SHADER"),
    (6, "GEOMETRY_SHADER"),
    (7, "FRAGMENT_SHADER"),
    (8, "EARLY_FRAGMENT_TESTS"),
    (9, "LATE_FRAGMENT_TESTS"),
    (10, "COLOR_ATTACHMENT_OUTPUT"),
    (11, "COMPUTE_SHADER"),
    (12, "ALL_TRANSFER"),
    (13, "BOTTOM_OF_PIPE"),
    (14, "HOST"),
    (15, "ALL_GRAPHICS"),
    (16, "ALL_COMMANDS"),
    (17, "COMMAND_PREPROCESS"),
    (18, "CONDITIONAL_RENDERING"),
    (19, "TASK_SHADER"),
    (20, "MESH_SHADER"),
    (21, "RAY_TRACING_SHADER"),
    (22, "FRAGMENT_SHADING_RATE_ATTACHMENT"),
    (23, "FRAGMENT_DENSITY_PROCESS"),
    (24, "TRANSFORM_FEEDBACK"),
    (25, "ACCELERATION_STRUCTURE_BUILD"),
    (28, "ACCELERATION_STRUCTURE_COPY"),
    (30, "MICROMAP_BUILD"),
    (32, "COPY"),
    (33, "RESOLVE"),
    (34, "BLIT"),
    (35, "CLEAR"),
    (36, "INDEX_INPUT"),
    (37, "VERTEX_ATTRIBUTE_INPUT"),
    (38, "PRE_RASTERIZATION_SHADERS"),
    (45, "MEMORY_DECOMPRESSION"),
    (46, "COPY_INDIRECT"),
];

/// Bits of VkAccessFlagBits2, without `VK_ACCESS_2_` and `_BIT`.
const ACCESSES: &[(u32, &str)] = &[
    (0, "INDIRECT_COMMAND_READ"),
    (1, "INDEX_READ"),
    (2, "VERTEX_ATTRIBUTE_READ"),
    (3, "UNIFORM_READ"),
    (4, "INPUT_ATTACHMENT_READ"),
    (5, "SHADER_READ"),
    (6, "SHADER_WRITE"),
    (7, "COLOR_ATTACHMENT_READ"),
    (8, "COLOR_ATTACHMENT_WRITE"),
    (9, "DEPTH_STENCIL_ATTACHMENT_READ"),
    (10, "DEPTH_STENCIL_ATTACHMENT_WRITE"),
    (11, "TRANSFER_READ"),
    (12, "TRANSFER_WRITE"),
    (13, "HOST_READ"),
    (14, "HOST_WRITE"),
    (15, "MEMORY_READ"),
    (16, "MEMORY_WRITE"),
    (17, "COMMAND_PREPROCESS_READ"),
    (18, "COMMAND_PREPROCESS_WRITE"),
    (19, "COLOR_ATTACHMENT_READ_NONCOHERENT"),
    (20, "CONDITIONAL_RENDERING_READ"),
    (21, "ACCELERATION_STRUCTURE_READ"),
    (22, "ACCELERATION_STRUCTURE_WRITE"),
    (23, "FRAGMENT_SHADING_RATE_ATTACHMENT_READ"),
    (24, "FRAGMENT_DENSITY_MAP_READ"),
    (25, "TRANSFORM_FEEDBACK_WRITE"),
    (26, "TRANSFORM_FEEDBACK_COUNTER_READ"),
    (27, "TRANSFORM_FEEDBACK_COUNTER_WRITE"),
    (32, "SHADER_SAMPLED_READ"),
    (33, "SHADER_STORAGE_READ"),
    (34, "SHADER_STORAGE_WRITE"),
    (40, "SHADER_BINDING_TABLE_READ"),
    (41, "DESCRIPTOR_BUFFER_READ"),
    (44, "MICROMAP_READ"),
    (45, "MICROMAP_WRITE"),
    (55, "MEMORY_DECOMPRESSION_READ"),
    (56, "MEMORY_DECOMPRESSION_WRITE"),
    (57, "SAMPLER_HEAP_READ"),
    (58, "RESOURCE_HEAP_READ"),
];

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
    (1_000_218_000, "FRAGMENT_DENSITY_MAP_OPTIMAL"),
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

fn bits(table: &[(u32, &str)], mask: u64) -> String {
    let known = table.iter().filter(|(bit, _)| mask >> bit & 1 != 0);
    let mut words: Vec<String> = known.map(|(_, name)| (*name).to_owned()).collect();
    let unknown = table.iter().fold(mask, |mask, (bit, _)| mask & !(1 << bit));
    if unknown != 0 {
        words.push(format!("{unknown:#x}"));
    }
    if words.is_empty() { "NONE".into() } else { words.join("|") }
}

/// Returns the names of the stages in a mask.
pub fn stages(mask: u64) -> String {
    bits(STAGES, mask)
}

/// Returns the names of the accesses in a mask.
pub fn accesses(mask: u64) -> String {
    bits(ACCESSES, mask)
}

/// Returns the name of a layout.
pub fn layout(number: i32) -> String {
    let known = LAYOUTS.iter().find(|(n, _)| *n == number);
    known.map_or_else(|| number.to_string(), |(_, name)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_words() {
        assert_eq!(stages(1 << 11 | 1 << 7), "FRAGMENT_SHADER|COMPUTE_SHADER");
        assert_eq!(stages(1 << 63 | 1), "TOP_OF_PIPE|0x8000000000000000");
        assert_eq!((layout(1_000_001_002).as_str(), layout(77).as_str()), ("PRESENT_SRC", "77"));
        assert_eq!((accesses(0).as_str(), accesses(1 << 34).as_str()), ("NONE", "SHADER_STORAGE_WRITE"));
    }
}
