//! Dynamic state of vendor extensions that are not supported.
//!
//! With shader objects, programs may set all state that a shader object can need, and the conformance suite
//! (`shader_object.api.get_device_proc_addr`) requires the commands. Without their extensions they have no effect.

use ash::vk;

use crate::interface::guard::commands;

commands! {
    fn cmd_set_viewport_w_scaling_enable(_buffer: vk::CommandBuffer, _enable: vk::Bool32) {}

    fn cmd_set_viewport_swizzle(
        _buffer: vk::CommandBuffer,
        _first: u32,
        _n: u32,
        _swizzles: *const vk::ViewportSwizzleNV,
    ) {}

    fn cmd_set_coverage_to_color_enable(_buffer: vk::CommandBuffer, _enable: vk::Bool32) {}

    fn cmd_set_coverage_to_color_location(_buffer: vk::CommandBuffer, _location: u32) {}

    fn cmd_set_coverage_modulation_mode(_buffer: vk::CommandBuffer, _mode: vk::CoverageModulationModeNV) {}

    fn cmd_set_coverage_modulation_table_enable(_buffer: vk::CommandBuffer, _enable: vk::Bool32) {}

    fn cmd_set_coverage_modulation_table(_buffer: vk::CommandBuffer, _n: u32, _table: *const f32) {}

    fn cmd_set_shading_rate_image_enable(_buffer: vk::CommandBuffer, _enable: vk::Bool32) {}

    fn cmd_set_representative_fragment_test_enable(_buffer: vk::CommandBuffer, _enable: vk::Bool32) {}

    fn cmd_set_coverage_reduction_mode(_buffer: vk::CommandBuffer, _mode: vk::CoverageReductionModeNV) {}
}
