//! Rows that tests other than the file tests check, because a shader alone cannot show them.
//!
//! Each row names its test, as file and function; a unit test checks that the function exists.

use super::facts::Table;

/// Rows (in the notation of [`super::inventory::grammar_name`]), each with the test that checks its results.
pub const ROWS: &[(Table, &str, &str, &str)] = &[
    (Table::BuiltIn, "PointCoord", "emulator/tests/samples.rs", "points_have_a_size_and_coordinates"),
    (Table::Mode, "PostDepthCoverage", "emulator/tests/samples.rs", "sample_masks_after_the_depth_test"),
    (
        Table::Capability,
        "SampleMaskPostDepthCoverage",
        "emulator/tests/samples.rs",
        "sample_masks_after_the_depth_test",
    ),
    (Table::Instruction, "OpAbortKHR", "emulator/vulkan/tests/faults.rs", "aborts_have_messages"),
    (Table::BuiltIn, "PointSize", "emulator/tests/samples.rs", "points_have_a_size_and_coordinates"),
    (Table::Instruction, "OpBeginInvocationInterlockEXT", SAMPLES, INTERLOCK),
    (Table::Instruction, "OpEndInvocationInterlockEXT", SAMPLES, INTERLOCK),
    (Table::Capability, "FragmentShaderPixelInterlockEXT", SAMPLES, INTERLOCK),
    (Table::Capability, "FragmentShaderSampleInterlockEXT", SAMPLES, INTERLOCK),
    (Table::Mode, "PixelInterlockOrderedEXT", SAMPLES, INTERLOCK),
    (Table::Mode, "PixelInterlockUnorderedEXT", SAMPLES, INTERLOCK),
    (Table::Mode, "SampleInterlockOrderedEXT", SAMPLES, INTERLOCK),
    (Table::Mode, "SampleInterlockUnorderedEXT", SAMPLES, INTERLOCK),
    (Table::Instruction, "OpColorAttachmentReadEXT", LOCAL_READ, IN_ORDER),
    (Table::Instruction, "OpDepthAttachmentReadEXT", LOCAL_READ, IN_ORDER),
    (Table::Instruction, "OpStencilAttachmentReadEXT", LOCAL_READ, IN_ORDER),
    (Table::Capability, "TileImageColorReadAccessEXT", LOCAL_READ, IN_ORDER),
    (Table::Capability, "TileImageDepthReadAccessEXT", LOCAL_READ, IN_ORDER),
    (Table::Capability, "TileImageStencilReadAccessEXT", LOCAL_READ, IN_ORDER),
    (Table::StorageClass, "TileImageEXT", LOCAL_READ, IN_ORDER),
    (Table::Dim, "DimTileImageDataEXT", LOCAL_READ, IN_ORDER),
    (Table::Mode, "NonCoherentColorAttachmentReadEXT", LOCAL_READ, "of_one_sample"),
    (Table::Mode, "NonCoherentDepthAttachmentReadEXT", LOCAL_READ, "of_one_sample"),
    (Table::Mode, "NonCoherentStencilAttachmentReadEXT", LOCAL_READ, "of_one_sample"),
    (Table::BuiltIn, "BaryCoordKHR", SAMPLES, BARYCENTRIC),
    (Table::BuiltIn, "BaryCoordNoPerspKHR", SAMPLES, BARYCENTRIC),
    (Table::Decoration, "PerVertexKHR", SAMPLES, BARYCENTRIC),
    (Table::Capability, "FragmentBarycentricKHR", SAMPLES, BARYCENTRIC),
    (Table::BuiltIn, "PrimitiveShadingRateKHR", RATES, RATE),
    (Table::BuiltIn, "ShadingRateKHR", RATES, RATE),
    (Table::Capability, "FragmentShadingRateKHR", RATES, RATE),
    (Table::BuiltIn, "FragSizeEXT", DENSITY, ONE_SET),
    (Table::BuiltIn, "FragInvocationCountEXT", DENSITY, "samples_of_fragments_are_shaded_one_by_one"),
    (Table::Capability, "FragmentDensityEXT", DENSITY, ONE_SET),
    (Table::Capability, "RayTraversalPrimitiveCullingKHR", PIPELINES, SKIPPED),
    (Table::Instruction, "OpConvertUToAccelerationStructureKHR", RAYS, REFERENCE),
    (Table::Instruction, "OpTypeHitObjectEXT", HIT_OBJECTS, FILLED),
    (Table::Instruction, "OpHitObjectTraceRayEXT", HIT_OBJECTS, FILLED),
    (Table::Instruction, "OpHitObjectTraceReorderExecuteEXT", HIT_OBJECTS, FILLED),
    (Table::Instruction, "OpHitObjectExecuteShaderEXT", HIT_OBJECTS, FILLED),
    (Table::Instruction, "OpHitObjectReorderExecuteShaderEXT", HIT_OBJECTS, FILLED),
    (Table::Instruction, "OpHitObjectRecordEmptyEXT", HIT_OBJECTS, RECORDED),
    (Table::Instruction, "OpHitObjectRecordMissEXT", HIT_OBJECTS, RECORDED),
    (Table::Instruction, "OpHitObjectRecordFromQueryEXT", HIT_OBJECTS, RECORDED),
    (Table::Instruction, "OpHitObjectSetShaderBindingTableRecordIndexEXT", HIT_OBJECTS, RECORDED),
    (Table::Instruction, "OpHitObjectGetAttributesEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpReorderThreadWithHintEXT", HIT_OBJECTS, FILLED),
    (Table::Instruction, "OpReorderThreadWithHitObjectEXT", HIT_OBJECTS, FILLED),
    (Table::Instruction, "OpHitObjectIsEmptyEXT", HIT_OBJECTS, FILLED),
    (Table::Instruction, "OpHitObjectIsHitEXT", HIT_OBJECTS, FILLED),
    (Table::Instruction, "OpHitObjectIsMissEXT", HIT_OBJECTS, FILLED),
    (Table::Instruction, "OpHitObjectGetRayTMinEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetRayTMaxEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetRayFlagsEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetWorldRayOriginEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetWorldRayDirectionEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetInstanceIdEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetGeometryIndexEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetPrimitiveIndexEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetHitKindEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetShaderBindingTableRecordIndexEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetInstanceCustomIndexEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetObjectRayOriginEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetObjectRayDirectionEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetObjectToWorldEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetWorldToObjectEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetIntersectionTriangleVertexPositionsEXT", HIT_OBJECTS, KNOWN),
    (Table::Instruction, "OpHitObjectGetShaderRecordBufferHandleEXT", HIT_OBJECTS, KNOWN),
    (Table::Decoration, "HitObjectShaderRecordBufferEXT", HIT_OBJECTS, KNOWN),
    (Table::StorageClass, "HitObjectAttributeEXT", HIT_OBJECTS, KNOWN),
    (Table::Capability, "ShaderInvocationReorderEXT", HIT_OBJECTS, FILLED),
    (
        Table::Capability,
        "RayTracingOpacityMicromapEXT",
        "emulator/tests/micromaps.rs",
        "parts_of_triangles_have_states",
    ),
    (
        Table::Capability,
        "RayTracingOpacityMicromapExecutionModeKHR",
        "jit/src/spirv/tests.rs",
        "the_mode_of_micromaps_is_accepted_with_a_constant",
    ),
    (Table::Capability, "AbortKHR", "emulator/vulkan/tests/faults.rs", "aborts_have_messages"),
    (Table::Capability, "Kernel", KERNELS, "vectors_are_added_and_scaled"),
    (Table::Capability, "Addresses", KERNELS, "vectors_are_added_and_scaled"),
    (Table::Capability, "Linkage", MODULES, "refusals_name_their_reason"),
    (Table::Decoration, "LinkageAttributes", MODULES, "decorations_of_kernels_act"),
    (Table::Capability, "Vector16", KERNELS, "vectors_have_up_to_16_components"),
    (Table::Capability, "Float16Buffer", KERNELS, "halves_are_rounded_as_asked"),
    (Table::Capability, "GenericPointer", KERNELS, "private_memory_has_bytes"),
    (Table::Capability, "Groups", KERNELS, "groups_reduce_and_scan"),
    (Table::Instruction, "OpInBoundsPtrAccessChain", KERNELS, "vectors_are_added_and_scaled"),
    (Table::Instruction, "OpPtrCastToGeneric", KERNELS, "private_memory_has_bytes"),
    (Table::Instruction, "OpGenericCastToPtr", KERNELS, "private_memory_has_bytes"),
    (Table::Instruction, "OpGenericCastToPtrExplicit", KERNELS, "private_memory_has_bytes"),
    (Table::Instruction, "OpGenericPtrMemSemantics", KERNELS, "private_memory_has_bytes"),
    (Table::Instruction, "OpLifetimeStart", KERNELS, "private_memory_has_bytes"),
    (Table::Instruction, "OpLifetimeStop", KERNELS, "private_memory_has_bytes"),
    (Table::Instruction, "OpGroupAsyncCopy", KERNELS, "groups_copy_asynchronously"),
    (Table::Instruction, "OpGroupWaitEvents", KERNELS, "groups_copy_asynchronously"),
    (Table::Instruction, "OpTypeEvent", KERNELS, "groups_copy_asynchronously"),
    (Table::Instruction, "OpAtomicFlagTestAndSet", KERNELS, "atomics_count"),
    (Table::Instruction, "OpAtomicFlagClear", KERNELS, "atomics_count"),
    (Table::Instruction, "OpAtomicCompareExchangeWeak", KERNELS, "atomics_count"),
    (Table::StorageClass, "CrossWorkgroup", KERNELS, "vectors_are_added_and_scaled"),
    (Table::StorageClass, "Generic", KERNELS, "private_memory_has_bytes"),
    (Table::Instruction, "OpGroupAll", KERNELS, "groups_reduce_and_scan"),
    (Table::Instruction, "OpGroupAny", KERNELS, "groups_reduce_and_scan"),
    (Table::Instruction, "OpGroupBroadcast", KERNELS, "groups_reduce_and_scan"),
    (Table::Instruction, "OpGroupIAdd", KERNELS, "groups_reduce_and_scan"),
    (Table::Instruction, "OpGroupFAdd", KERNELS, "groups_reduce_and_scan"),
    (Table::Instruction, "OpGroupFMin", KERNELS, "groups_reduce_and_scan"),
    (Table::Instruction, "OpGroupUMin", KERNELS, "groups_reduce_and_scan"),
    (Table::Instruction, "OpGroupSMin", KERNELS, "groups_reduce_and_scan"),
    (Table::Instruction, "OpGroupFMax", KERNELS, "groups_reduce_and_scan"),
    (Table::Instruction, "OpGroupUMax", KERNELS, "groups_reduce_and_scan"),
    (Table::Instruction, "OpGroupSMax", KERNELS, "groups_reduce_and_scan"),
    (Table::BuiltIn, "GlobalSize", KERNELS, "built_ins_know_the_launch"),
    (Table::BuiltIn, "GlobalOffset", KERNELS, "built_ins_know_the_launch"),
    (Table::BuiltIn, "GlobalLinearId", KERNELS, "built_ins_know_the_launch"),
    (Table::BuiltIn, "WorkDim", KERNELS, "built_ins_know_the_launch"),
    (Table::BuiltIn, "EnqueuedWorkgroupSize", KERNELS, "built_ins_know_the_launch"),
    (Table::BuiltIn, "SubgroupMaxSize", MODULES, "subgroups_have_sizes"),
    (Table::BuiltIn, "NumEnqueuedSubgroups", MODULES, "subgroups_have_sizes"),
    (Table::Capability, "SubgroupDispatch", MODULES, "subgroups_have_sizes"),
    (Table::Decoration, "FuncParamAttr", MODULES, "decorations_of_kernels_act"),
    (Table::Decoration, "CPacked", MODULES, "decorations_of_kernels_act"),
    (Table::Decoration, "SaturatedConversion", MODULES, "decorations_of_kernels_act"),
    (Table::Decoration, "Alignment", MODULES, "decorations_of_kernels_act"),
    (Table::Decoration, "AlignmentId", MODULES, "decorations_of_kernels_act"),
    (Table::Decoration, "MaxByteOffset", MODULES, "decorations_of_kernels_act"),
    (Table::Decoration, "MaxByteOffsetId", MODULES, "decorations_of_kernels_act"),
    (Table::Decoration, "Constant", MODULES, "decorations_of_kernels_act"),
    (Table::Mode, "LocalSizeHint", MODULES, "modes_of_kernels_act"),
    (Table::Mode, "LocalSizeHintId", MODULES, "modes_of_kernels_act"),
    (Table::Mode, "ContractionOff", MODULES, "modes_of_kernels_act"),
    (Table::Mode, "VecTypeHint", MODULES, "modes_of_kernels_act"),
    (Table::OpenCl, "vloadn", KERNELS, "vectors_have_up_to_16_components"),
    (Table::OpenCl, "vstoren", KERNELS, "vectors_have_up_to_16_components"),
    (Table::OpenCl, "vload_half", KERNELS, "halves_are_rounded_as_asked"),
    (Table::OpenCl, "vload_halfn", KERNELS, "halves_are_rounded_as_asked"),
    (Table::OpenCl, "vloada_halfn", KERNELS, "halves_are_rounded_as_asked"),
    (Table::OpenCl, "vstore_half", KERNELS, "halves_are_rounded_as_asked"),
    (Table::OpenCl, "vstore_half_r", KERNELS, "halves_are_rounded_as_asked"),
    (Table::OpenCl, "vstore_halfn", KERNELS, "halves_are_rounded_as_asked"),
    (Table::OpenCl, "vstore_halfn_r", KERNELS, "halves_are_rounded_as_asked"),
    (Table::OpenCl, "vstorea_halfn", KERNELS, "halves_are_rounded_as_asked"),
    (Table::OpenCl, "vstorea_halfn_r", KERNELS, "halves_are_rounded_as_asked"),
    (Table::OpenCl, "fract", KERNELS, "functions_store_second_results"),
    (Table::OpenCl, "frexp", KERNELS, "functions_store_second_results"),
    (Table::OpenCl, "modf", KERNELS, "functions_store_second_results"),
    (Table::OpenCl, "remquo", KERNELS, "functions_store_second_results"),
    (Table::OpenCl, "lgamma_r", KERNELS, "functions_store_second_results"),
    (Table::OpenCl, "sincos", KERNELS, "functions_store_second_results"),
    (Table::OpenCl, "printf", MODULES, "printf_prints"),
    (Table::OpenCl, "prefetch", MODULES, "printf_prints"),
];

const FILLED: &str = "traces_fill_hit_objects_and_shaders_run_later";
const KNOWN: &str = "hit_objects_know_their_hits";
const RECORDED: &str = "hit_objects_are_recorded";
const BARYCENTRIC: &str = "fragments_know_their_vertices";
const SKIPPED: &str = "flags_skip_triangles_and_boxes";
const REFERENCE: &str = "null_and_wrong_references_are_empty_scenes";
const MISSED: &str = "rays_hit_triangles_or_miss";
const RATE: &str = "pixels_get_what_their_fragment_puts_out";
const LOCAL_READ: &str = "emulator/vulkan/tests/local_read.rs";
const IN_ORDER: &str = "of_primitives_of_one_draw_in_order";
const INTERLOCK: &str = "interlocked_fragments_keep_the_order_of_primitives";

/// Features of GLSL (in the notation of [`super::language`]), each with the test that checks its results.
pub const FEATURES: &[(&str, &str, &str)] = &[
    ("lexical: keywords (all core keywords)", LANGUAGE, "keywords_are_no_names"),
    ("lexical: reserved keywords are errors", LANGUAGE, "reserved_words_are_errors"),
    ("interpolation: sample", SAMPLES, "inputs_are_evaluated_at_centroids_samples_and_offsets"),
    (
        "builtins: static use of gl_SampleID/gl_SamplePosition forces per-sample",
        SAMPLES,
        "shaders_that_ask_for_the_sample_run_for_each",
    ),
    ("extension: GL_EXT_debug_printf", "conformance/tests/printf.rs", "shaders_print_to_the_sink"),
    ("extension: GL_EXT_fragment_shader_barycentric", SAMPLES, BARYCENTRIC),
    ("extension: GL_EXT_ray_tracing / GL_EXT_ray_query", PIPELINES, MISSED),
];

const HIT_OBJECTS: &str = "emulator/tests/hit_objects.rs";
const LANGUAGE: &str = "conformance/src/coverage/language.rs";
const PIPELINES: &str = "emulator/tests/ray_tracing.rs";
const MODULES: &str = "emulator/tests/kernels/modules.rs";
const KERNELS: &str = "emulator/tests/kernels.rs";
const RAYS: &str = "emulator/tests/ray_query.rs";
const RATES: &str = "emulator/tests/shading_rates.rs";
const DENSITY: &str = "emulator/tests/density_maps.rs";
const ONE_SET: &str = "fragments_have_one_set_of_samples";
const SAMPLES: &str = "emulator/tests/samples.rs";

/// Returns the test that checks a feature of GLSL.
pub fn feature(row: &str) -> Option<(&'static str, &'static str)> {
    FEATURES.iter().find(|r| r.0 == row).map(|r| (r.1, r.2))
}

/// Returns the test that checks a row.
pub fn find(table: Table, name: &str) -> Option<(&'static str, &'static str)> {
    ROWS.iter().find(|r| r.0 == table && r.1 == name).map(|r| (r.2, r.3))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn the_tests_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let rows = super::ROWS.iter().map(|r| (r.1, r.2, r.3));
        for (name, file, function) in rows.chain(super::FEATURES.iter().copied()) {
            let text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
            assert!(text.contains(&format!("fn {function}(")), "{name}: {file} has no {function}");
        }
    }
}
