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
    (Table::BuiltIn, "PointSize", "emulator/tests/samples.rs", "points_have_a_size_and_coordinates"),
    (Table::Instruction, "OpBeginInvocationInterlockEXT", SAMPLES, INTERLOCK),
    (Table::Instruction, "OpEndInvocationInterlockEXT", SAMPLES, INTERLOCK),
    (Table::Capability, "FragmentShaderPixelInterlockEXT", SAMPLES, INTERLOCK),
    (Table::Capability, "FragmentShaderSampleInterlockEXT", SAMPLES, INTERLOCK),
    (Table::Mode, "PixelInterlockOrderedEXT", SAMPLES, INTERLOCK),
    (Table::Mode, "PixelInterlockUnorderedEXT", SAMPLES, INTERLOCK),
    (Table::Mode, "SampleInterlockOrderedEXT", SAMPLES, INTERLOCK),
    (Table::Mode, "SampleInterlockUnorderedEXT", SAMPLES, INTERLOCK),
    (Table::BuiltIn, "BaryCoordKHR", SAMPLES, BARYCENTRIC),
    (Table::BuiltIn, "BaryCoordNoPerspKHR", SAMPLES, BARYCENTRIC),
    (Table::Decoration, "PerVertexKHR", SAMPLES, BARYCENTRIC),
    (Table::Capability, "FragmentBarycentricKHR", SAMPLES, BARYCENTRIC),
    (Table::BuiltIn, "PrimitiveShadingRateKHR", RATES, RATE),
    (Table::BuiltIn, "ShadingRateKHR", RATES, RATE),
    (Table::Capability, "FragmentShadingRateKHR", RATES, RATE),
    (Table::Instruction, "OpTypeAccelerationStructureKHR", RAYS, HIT),
    (Table::Instruction, "OpTypeRayQueryKHR", RAYS, HIT),
    (Table::Instruction, "OpConvertUToAccelerationStructureKHR", RAYS, REFERENCE),
    (Table::Instruction, "OpRayQueryInitializeKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryProceedKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetRayTMinKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetRayFlagsKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetWorldRayDirectionKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetWorldRayOriginKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionCandidateAABBOpaqueKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionTypeKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionTKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionInstanceCustomIndexKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionInstanceIdKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionGeometryIndexKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionPrimitiveIndexKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionFrontFaceKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionObjectRayDirectionKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionObjectRayOriginKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionObjectToWorldKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionWorldToObjectKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGetIntersectionTriangleVertexPositionsKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryGenerateIntersectionKHR", RAYS, HIT),
    (Table::Instruction, "OpRayQueryConfirmIntersectionKHR", RAYS, CONFIRMED),
    (Table::Instruction, "OpRayQueryGetIntersectionBarycentricsKHR", RAYS, CONFIRMED),
    (Table::Instruction, "OpRayQueryTerminateKHR", RAYS, TERMINATED),
    (Table::Capability, "RayQueryKHR", RAYS, HIT),
    (Table::Capability, "RayQueryPositionFetchKHR", RAYS, HIT),
    (Table::Instruction, "OpTraceRayKHR", PIPELINES, MISSED),
    (Table::Instruction, "OpExecuteCallableKHR", PIPELINES, CALLED),
    (Table::Instruction, "OpReportIntersectionKHR", PIPELINES, REPORTED),
    (Table::Instruction, "OpIgnoreIntersectionKHR", PIPELINES, SIFTED),
    (Table::Instruction, "OpTerminateRayKHR", PIPELINES, SIFTED),
    (Table::BuiltIn, "LaunchIdKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "LaunchSizeKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "InstanceId", PIPELINES, TOLD),
    (Table::BuiltIn, "InstanceCustomIndexKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "RayGeometryIndexKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "WorldRayOriginKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "WorldRayDirectionKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "ObjectRayOriginKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "ObjectRayDirectionKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "RayTminKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "RayTmaxKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "IncomingRayFlagsKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "CullMaskKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "HitKindKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "ObjectToWorldKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "WorldToObjectKHR", PIPELINES, TOLD),
    (Table::BuiltIn, "HitTriangleVertexPositionsKHR", PIPELINES, TOLD),
    (Table::StorageClass, "RayPayloadKHR", PIPELINES, MISSED),
    (Table::StorageClass, "IncomingRayPayloadKHR", PIPELINES, MISSED),
    (Table::StorageClass, "HitAttributeKHR", PIPELINES, REPORTED),
    (Table::StorageClass, "CallableDataKHR", PIPELINES, CALLED),
    (Table::StorageClass, "IncomingCallableDataKHR", PIPELINES, CALLED),
    (Table::StorageClass, "ShaderRecordBufferKHR", PIPELINES, RECORDED),
    (Table::Capability, "RayTracingKHR", PIPELINES, TOLD),
    (Table::Capability, "RayTracingPositionFetchKHR", PIPELINES, TOLD),
    (Table::Capability, "RayCullMaskKHR", PIPELINES, TOLD),
    (Table::Capability, "RayTraversalPrimitiveCullingKHR", PIPELINES, SKIPPED),
];

const BARYCENTRIC: &str = "fragments_know_their_vertices";
const HIT: &str = "shaders_read_everything_of_a_hit";
const CONFIRMED: &str = "candidates_are_confirmed_by_the_shader";
const REFERENCE: &str = "null_and_wrong_references_are_empty_scenes";
const TERMINATED: &str = "queries_end_when_the_shader_says";
const MISSED: &str = "rays_hit_triangles_or_miss";
const CALLED: &str = "callable_shaders_call_callable_shaders";
const REPORTED: &str = "intersection_shaders_report_hits_in_boxes";
const SIFTED: &str = "any_hit_shaders_ignore_and_count";
const RECORDED: &str = "records_hold_data_and_offsets_select_them";
const TOLD: &str = "shaders_read_everything_of_a_ray_and_its_hit";
const SKIPPED: &str = "flags_skip_triangles_and_boxes";
const RATE: &str = "pixels_get_what_their_fragment_puts_out";
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

const LANGUAGE: &str = "conformance/src/coverage/language.rs";
const PIPELINES: &str = "emulator/tests/ray_tracing.rs";
const RAYS: &str = "emulator/tests/ray_query.rs";
const RATES: &str = "emulator/tests/shading_rates.rs";
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
