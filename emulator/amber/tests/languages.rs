//! Scripts in both languages that pass, fail, are skipped or cannot be parsed, with the expected messages, and a check
//! that they cover the languages.
//!
//! Every script in `tests/scripts` passes. Comments in the others give the expected messages: `# fails: LINE: TEXT`, `#
//! skipped: REASON`, `# error: LINE:COLUMN: TEXT`.

#![cfg(feature = "glsl")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quadrille::{Device, DeviceOptions, FORMATS, FormatFeatures};
use quadrille_amber::{Options, Outcome, Script};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Returns the names and texts of the scripts in a folder.
fn scripts(name: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder(name)).unwrap().map(|e| e.unwrap().path());
    let is_script = |p: &PathBuf| p.extension().is_some_and(|e| e == "amber" || e == "vkscript");
    let mut list: Vec<_> = entries.filter(is_script).collect();
    list.sort();
    assert!(!list.is_empty());
    list.iter().map(|p| (p.display().to_string(), std::fs::read_to_string(p).unwrap())).collect()
}

/// Returns the texts of the comments that begin with `# WHAT: `.
fn stated<'t>(text: &'t str, what: &str) -> Vec<&'t str> {
    text.lines().filter_map(|l| l.strip_prefix(&format!("# {what}: "))).collect()
}

fn device() -> Device {
    Device::new(DeviceOptions { budget: Duration::from_secs(2), ..Default::default() }).unwrap()
}

fn run(name: &str, text: &str) -> Outcome {
    let script = Script::parse(name, text).unwrap_or_else(|e| panic!("{e}"));
    script.run(&device(), &Options::default())
}

#[test]
fn scripts_pass() {
    for (name, text) in scripts("scripts") {
        assert_eq!(run(&name, &text), Outcome::Passed, "{name}");
    }
}

#[test]
fn scripts_are_skipped_with_the_reason() {
    for (name, text) in scripts("skipped") {
        let reason = stated(&text, "skipped")[0];
        assert_eq!(run(&name, &text), Outcome::Skipped(reason.into()), "{name}");
    }
}

#[test]
fn scripts_fail_where_they_are_wrong() {
    for (name, text) in scripts("failing") {
        let Outcome::Failed(failures) = run(&name, &text) else { panic!("{name} does not fail") };
        let wanted = stated(&text, "fails");
        let lines: BTreeSet<u32> =
            wanted.iter().map(|w| w.split_once(": ").unwrap().0.parse().unwrap()).collect();
        assert_eq!(failures.iter().map(|f| f.line).collect::<BTreeSet<_>>(), lines, "{name}: {failures:#?}");
        for wanted in wanted {
            let (line, message) = wanted.split_once(": ").unwrap();
            let found = failures.iter().any(|f| f.line.to_string() == line && f.message.contains(message));
            assert!(found, "{name}: {wanted}: {failures:#?}");
        }
    }
}

#[test]
fn all_errors_are_told_with_their_places() {
    for (name, text) in scripts("broken") {
        let errors = Script::parse(&name, &text).unwrap_err();
        let told = |e: &quadrille_amber::SyntaxError| format!("{}:{}: {}", e.line, e.column, e.message);
        let told: Vec<String> = errors.errors.iter().map(told).collect();
        let wanted = stated(&text, "error");
        let same = told.len() == wanted.len() && told.iter().zip(&wanted).all(|(t, w)| t.starts_with(w));
        assert!(same, "{name}: {told:#?}");
    }
}

#[test]
fn what_is_no_script_is_an_error() {
    let nested = format!("#!amber\n{}", "REPEAT 2\n".repeat(10_000));
    let long = format!("#!amber\nEXPECT {}", "x ".repeat(100_000));
    for text in [
        "",
        "#!amber x",
        "hello",
        "[test",
        "[nonsense]",
        "[test]\ndraw",
        "[compute shader]\nvoid main() {}\n[test]\nuniform évec4 0 1 2 3 4",
        &nested,
        &long,
        "#!amber\nSHADER compute c GLSL\n",
    ] {
        match Script::parse("a", text) {
            Ok(script) => {
                assert!(matches!(run("a", text), Outcome::Passed | Outcome::Failed(_)), "{script:?}")
            }
            Err(e) => assert!(!e.errors.is_empty() && e.to_string().starts_with("a:"), "{e}"),
        }
    }
    // An empty script passes.
    assert_eq!(run("a", "#!amber\n"), Outcome::Passed);
}

#[test]
fn time_is_limited() {
    let text =
        "#!amber\nBUFFER b DATA_TYPE int32 DATA 1 END\nREPEAT 2000000000\n  EXPECT b IDX 0 EQ 1\nEND\n";
    let options = Options { timeout: Some(Duration::from_millis(50)), ..Options::default() };
    let outcome = Script::parse("a", text).unwrap().run(&device(), &options);
    let Outcome::Failed(failures) = outcome else { panic!("{outcome:?}") };
    assert_eq!((failures[0].line, &*failures[0].message), (4, "the time is up"));
    // Without commands there is nothing to repeat, and nothing that would look at the time.
    let text = format!("#!amber\n{}", "REPEAT 4294967295\nEND\n".repeat(100));
    assert_eq!(Script::parse("a", &text).unwrap().run(&device(), &Options::default()), Outcome::Passed);
}

/// Scripts with exchanged, removed or repeated lines and inserted words cause no panic.
#[test]
fn damaged_scripts_do_no_harm() {
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |n: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % n.max(1) as u64) as usize
    };
    let device = device();
    let options = Options { timeout: Some(Duration::from_secs(5)), folder: Some(folder("scripts")) };
    let mut read = 0;
    for (name, text) in scripts("scripts").iter().chain(&scripts("skipped")) {
        for _ in 0..40 {
            let mut lines: Vec<&str> = text.lines().collect();
            for _ in 0..=next(3) {
                let (a, b) = (next(lines.len()), next(lines.len()));
                match next(3) {
                    0 => lines.swap(a, b),
                    1 => drop(lines.remove(a)),
                    _ => lines.insert(a, lines[b]),
                }
            }
            let mut damaged = lines.join("\n");
            let words = ["-1", "0", "4294967295", "1e30", "END", "99999999999", "NaN", "\"", "(", "\\", "_"];
            if let Some((at, _)) = damaged.char_indices().filter(|(_, c)| *c == ' ').nth(next(400)) {
                damaged.insert_str(at, &format!(" {}", words[next(words.len())]));
            }
            if let Ok(script) = Script::parse(name, &damaged) {
                read += 1;
                script.run(&device, &options);
            }
        }
    }
    assert!(read > 100, "{read} could be read");
}

/// Values of each data type and image format are written to a buffer and found there.
#[test]
fn every_type_of_data() {
    let numbers = [
        "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float",
        "double",
    ];
    let mut shapes = vec![(String::new(), 1)];
    shapes.extend((2..=4).map(|n| (format!("vec{n}"), n)));
    shapes.extend((2..=4).flat_map(|c| (2..=4).map(move |r| (format!("mat{c}x{r}"), c * r))));
    let (mut text, mut n) = (String::from("#!amber\n"), 0);
    for number in numbers {
        for (shape, count) in &shapes {
            let ty = if shape.is_empty() { number.to_string() } else { format!("{shape}<{number}>") };
            for (suffix, standard) in [("", "STD140"), ("[]", "STD140"), ("", "STD430"), ("[]", "")] {
                let values = vec!["7"; 2 * count].join(" ");
                text += &format!("BUFFER b{n} DATA_TYPE {ty}{suffix} {standard} DATA {values} END\n");
                text += &format!("BUFFER c{n} DATA_TYPE {ty}{suffix} {standard} SIZE 2 FILL 7\n");
                text += &format!("EXPECT b{n} IDX 0 EQ {values}\nEXPECT b{n} EQ_BUFFER c{n}\n");
                n += 1;
            }
        }
    }
    for format in IMAGE_FORMATS.split_whitespace() {
        let components = format.split(|c: char| !c.is_ascii_digit()).filter(|d| !d.is_empty()).count();
        let count = if format.contains("PACK") { 1 } else { components };
        let values = vec!["1"; 2 * count].join(" ");
        text += &format!("BUFFER b{n} DATA_TYPE {format} DATA {values} END\nEXPECT b{n} IDX 0 EQ {values}\n");
        text += &format!("BUFFER c{n} DATA_TYPE {format} SIZE 2 FILL 1\nEXPECT b{n} EQ_BUFFER c{n}\n");
        n += 1;
    }
    assert_eq!(run("types.amber", &text), Outcome::Passed);
}

#[test]
fn every_type_of_vkscript() {
    let mut types: Vec<(String, usize)> =
        ["int", "uint", "int8_t", "uint8_t", "int16_t", "uint16_t", "int64_t", "uint64_t", "float", "double"]
            .map(|t| (t.to_string(), 1))
            .to_vec();
    for prefix in ["", "d", "i", "u", "i8", "u8", "i16", "u16", "i64", "u64"] {
        types.push((format!("{prefix}vec"), 4));
        types.extend((2..=4).map(|n| (format!("{prefix}vec{n}"), n)));
    }
    for prefix in ["", "d"] {
        types.push((format!("{prefix}mat"), 16));
        types.extend((2..=4).flat_map(|c| (2..=4).map(move |r| (format!("{prefix}mat{c}x{r}"), c * r))));
    }
    let mut text = String::from("[compute shader]\n#version 450\nvoid main() {}\n[test]\n");
    for (binding, (ty, count)) in types.iter().enumerate() {
        let values = vec!["3"; 2 * count].join(" ");
        text += &format!("ssbo {binding} subdata {ty} 0 {values}\nprobe ssbo {ty} {binding} 0 == {values}\n");
    }
    assert_eq!(run("types.vkscript", &text), Outcome::Passed);
}

/// Attachments of each renderable format are cleared and read back; other formats are skipped.
#[test]
fn every_format_of_attachments() {
    let mut passed = 0;
    for format in IMAGE_FORMATS.split_whitespace() {
        let text = format!(
            "#!amber\nSHADER vertex v PASSTHROUGH\nBUFFER b FORMAT {format}\nPIPELINE graphics p\n  ATTACH v\n  \
             FRAMEBUFFER_SIZE 4 4\n  BIND BUFFER b AS color LOCATION 0\nEND\nCLEAR_COLOR p 255 0 255 0\nCLEAR p\n\
             EXPECT b IDX 0 0 SIZE 4 4 EQ_RGBA 255 0 255 0\n"
        );
        let row = FORMATS.iter().find(|row| row.name == format).unwrap_or_else(|| panic!("{format}"));
        let drawn = row.format.image_features().contains(FormatFeatures::COLOR_ATTACHMENT);
        match run("formats.amber", &text) {
            Outcome::Passed if drawn => passed += 1,
            Outcome::Skipped(why) if !drawn && why.contains("unsupported") => {}
            // Amber clears to 255 by the value 1, which has no meaning in scaled formats.
            other => panic!("{format}: {other:?}"),
        }
    }
    assert!(passed > 50, "{passed}");
}

#[test]
fn every_topology() {
    let amber = "POINT_LIST LINE_LIST LINE_LIST_WITH_ADJACENCY LINE_STRIP LINE_STRIP_WITH_ADJACENCY TRIANGLE_LIST \
                 TRIANGLE_LIST_WITH_ADJACENCY TRIANGLE_STRIP TRIANGLE_STRIP_WITH_ADJACENCY TRIANGLE_FAN TRIANGLE_fan";
    for name in amber.split_whitespace() {
        let text = format!(
            "#!amber\nSHADER vertex v PASSTHROUGH\nSHADER fragment f GLSL\n#version 450\n\
             layout(set = 0, binding = 0) buffer Seen {{ int seen; }};\nvoid main() {{ seen = 1; }}\nEND\n\
             BUFFER seen DATA_TYPE int32 DATA 0 END\n\
             BUFFER b DATA_TYPE vec2<float> DATA -1 -1  1 -1  -1 1  1 1  0 -1  1 0 END\nPIPELINE graphics p\n  ATTACH v\n  \
             ATTACH f\n  VERTEX_DATA b LOCATION 0\n  BIND BUFFER seen AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n\
             EXPECT seen IDX 0 EQ 0\nRUN p DRAW_ARRAY AS {name} START_IDX 0 COUNT 6\nEXPECT seen IDX 0 EQ 1\n"
        );
        assert_eq!(run("topologies.amber", &text), Outcome::Passed, "{name}");
    }
    let gl = "GL_LINE_STRIP_ADJACENCY GL_LINE_STRIP GL_LINES GL_LINES_ADJACENCY GL_POINTS GL_TRIANGLE_STRIP GL_TRIANGLE_FAN \
              GL_TRIANGLES GL_TRIANGLES_ADJACENCY GL_TRIANGLE_STRIP_ADJACENCY";
    for name in gl.split_whitespace().chain(amber.split_whitespace()) {
        let text = format!(
            "[vertex shader passthrough]\n[fragment shader]\n#version 450\n\
             layout(set = 0, binding = 0) buffer Seen {{ int seen; }};\nvoid main() {{ seen = 1; }}\n[vertex data]\n0/float/vec2\n\
             -1 -1\n1 -1\n-1 1\n1 1\n0 -1\n1 0\n[test]\nssbo 0 subdata int 0 0\ndraw arrays {name} 0 6\nprobe ssbo int 0 0 == 1\n"
        );
        assert_eq!(run("topologies.vkscript", &text), Outcome::Passed, "{name}");
    }
}

/// Every keyword of the languages occurs in a test script, and every requirement can be stated.
#[test]
fn every_word_of_the_languages() {
    let all = |ends: &str| -> BTreeSet<String> {
        let lists = ["scripts", "skipped"].map(scripts);
        let texts = lists.iter().flatten().filter(|(name, _)| name.ends_with(ends));
        texts
            .flat_map(|(_, text)| text.split([' ', '\n', '[', ']']).map(str::to_string).collect::<Vec<_>>())
            .collect()
    };
    for (ends, words) in [(".amber", AMBER_WORDS), (".vkscript", VKSCRIPT_WORDS)] {
        let found = all(ends);
        let words: BTreeSet<&str> = words.split_whitespace().collect();
        let missing: Vec<_> = words.iter().filter(|w| !found.contains(**w)).collect();
        assert!(missing.is_empty(), "of {} words of {ends} these are in no script: {missing:?}", words.len());
    }
    for feature in FEATURES.split_whitespace() {
        let script = Script::parse("a", &format!("#!amber\nDEVICE_FEATURE {feature}\n"));
        let outcome = script.unwrap_or_else(|e| panic!("{e}")).run(&device(), &Options::default());
        assert!(matches!(outcome, Outcome::Passed | Outcome::Skipped(_)), "{feature}: {outcome:?}");
    }
    assert!(Script::parse("a", "#!amber\nDEVICE_FEATURE nothing\n").is_err());
}

/// Keywords of AmberScript, except for names of states, whose tables have separate tests.
const AMBER_WORDS: &str = "
    DEVICE_FEATURE DEVICE_PROPERTY DEVICE_EXTENSION INSTANCE_EXTENSION SET ENGINE_DATA fence_timeout_ms VIRTUAL_FILE
    SHADER PASSTHROUGH TARGET_ENV FILE vertex fragment geometry tessellation_evaluation tessellation_control compute
    ray_generation any_hit closest_hit miss intersection callable multi GLSL HLSL SPIRV-ASM SPIRV-HEX SPIRV-BIN OPENCL-C
    BUFFER DATA_TYPE STD140 STD430 SIZE WIDTH HEIGHT FILE BINARY TEXT PNG FORMAT MIP_LEVELS SAMPLES IMAGE DIM_1D DIM_2D DIM_3D
    DEPTH DATA END FILL SERIES_FROM INC_BY COPY TO STRUCT STRIDE OFFSET ARRAY_STRIDE MATRIX_STRIDE
    SAMPLER MAG_FILTER MIN_FILTER nearest linear ADDRESS_MODE_U ADDRESS_MODE_V ADDRESS_MODE_W repeat mirrored_repeat
    clamp_to_edge clamp_to_border mirrored_clamp_to_edge BORDER_COLOR float_transparent_black int_transparent_black
    float_opaque_black int_opaque_black float_opaque_white int_opaque_white MIN_LOD MAX_LOD NORMALIZED_COORDS
    UNNORMALIZED_COORDS COMPARE COMPARE_OP ACCELERATION_STRUCTURE BOTTOM_LEVEL GEOMETRY TRIANGLES AABBS FLAGS OPAQUE
    NO_DUPLICATE_ANY_HIT TOP_LEVEL BLAS_INSTANCE USE BOTTOM_LEVEL_INSTANCE INDEX MASK TRANSFORM TRIANGLE_FACING_CULL_DISABLE
    TRIANGLE_FLIP_FACING FORCE_OPAQUE FORCE_NO_OPAQUE FORCE_OPACITY_MICROMAP_2_STATE DISABLE_OPACITY_MICROMAPS
    PIPELINE graphics raytracing DERIVE_PIPELINE FROM ATTACH ENTRY_POINT TYPE SPECIALIZE AS SHADER_OPTIMIZATION
    COMPILE_OPTIONS POLYGON_MODE fill line point PATCH_CONTROL_POINTS SHADER_GROUP SHADER_BINDING_TABLE LIBRARY USE_LIBRARY
    MAX_RAY_PAYLOAD_SIZE MAX_RAY_HIT_ATTRIBUTE_SIZE MAX_RAY_RECURSION_DEPTH TEST WRITE CLAMP BOUNDS min max BIAS constant clamp
    slope on off STENCIL front back front_and_back FAIL_OP PASS_OP DEPTH_FAIL_OP COMPARE_MASK WRITE_MASK REFERENCE BLEND
    SRC_COLOR_FACTOR DST_COLOR_FACTOR COLOR_OP SRC_ALPHA_FACTOR DST_ALPHA_FACTOR ALPHA_OP FRAMEBUFFER_SIZE VIEWPORT MIN_DEPTH
    MAX_DEPTH SUBGROUP FULLY_POPULATED VARYING_SIZE REQUIRED_SIZE MIN MAX BIND BUFFER_ARRAY SAMPLER_ARRAY color LOCATION
    BASE_MIP_LEVEL depth_stencil resolve push_constant KERNEL ARG_NAME ARG_NUMBER uniform storage uniform_dynamic
    storage_dynamic uniform_texel_buffer storage_texel_buffer storage_image sampled_image combined_image_sampler DESCRIPTOR_SET
    BINDING DESCRIPTOR_OFFSET DESCRIPTOR_RANGE VERTEX_DATA RATE instance INDEX_DATA RUN TIMED_EXECUTION DRAW_RECT POS DRAW_GRID
    CELLS DRAW_ARRAY INDEXED START_IDX COUNT START_INSTANCE INSTANCE_COUNT RAYGEN MISS HIT CALL REPEAT CLEAR CLEAR_COLOR
    CLEAR_DEPTH CLEAR_STENCIL EXPECT IDX EQ NE LT LE GT GE TOLERANCE EQ_RGB EQ_RGBA EQ_BUFFER RMSE_BUFFER
    EQ_HISTOGRAM_EMD_BUFFER";

/// Sections and commands of VkScript.
const VKSCRIPT_WORDS: &str = "
    require framebuffer depthstencil fbsize fence_timeout comment vertex fragment geometry compute tessellation control
    evaluation shader spirv hex passthrough indices data test draw rect ortho patch arrays indexed instanced entrypoint probe
    all rgb rgba relative ssbo subdata uniform ubo parameter vertices tolerance clear color depth stencil == != < > <= >= ~=
    primitiveRestartEnable depthClampEnable rasterizerDiscardEnable depthBiasEnable logicOpEnable blendEnable depthTestEnable
    depthWriteEnable depthBoundsTestEnable stencilTestEnable topology polygonMode logicOp frontFace cullMode
    depthBiasConstantFactor depthBiasClamp depthBiasSlopeFactor lineWidth minDepthBounds maxDepthBounds srcColorBlendFactor
    dstColorBlendFactor srcAlphaBlendFactor dstAlphaBlendFactor colorBlendOp alphaBlendOp depthCompareOp front.compareOp
    back.compareOp front.failOp front.passOp front.depthFailOp back.failOp back.passOp back.depthFailOp front.reference
    back.reference front.compareMask back.compareMask front.writeMask back.writeMask colorWriteMask";

/// Features that scripts may require.
const FEATURES: &str = "
    robustBufferAccess fullDrawIndexUint32 imageCubeArray independentBlend geometryShader tessellationShader sampleRateShading
    dualSrcBlend logicOp multiDrawIndirect drawIndirectFirstInstance depthClamp depthBiasClamp fillModeNonSolid depthBounds
    wideLines largePoints alphaToOne multiViewport samplerAnisotropy textureCompressionETC2 textureCompressionASTC_LDR
    textureCompressionBC occlusionQueryPrecise pipelineStatisticsQuery vertexPipelineStoresAndAtomics fragmentStoresAndAtomics
    shaderTessellationAndGeometryPointSize shaderImageGatherExtended shaderStorageImageExtendedFormats
    shaderStorageImageMultisample shaderStorageImageReadWithoutFormat shaderStorageImageWriteWithoutFormat
    shaderUniformBufferArrayDynamicIndexing shaderSampledImageArrayDynamicIndexing shaderStorageBufferArrayDynamicIndexing
    shaderStorageImageArrayDynamicIndexing shaderClipDistance shaderCullDistance shaderFloat64 shaderInt64 shaderInt16
    shaderResourceResidency shaderResourceMinLod sparseBinding sparseResidencyBuffer sparseResidencyImage2D
    sparseResidencyImage3D sparseResidency2Samples sparseResidency4Samples sparseResidency8Samples sparseResidency16Samples
    sparseResidencyAliased variableMultisampleRate inheritedQueries VariablePointerFeatures.variablePointers
    VariablePointerFeatures.variablePointersStorageBuffer Float16Int8Features.shaderFloat16 Float16Int8Features.shaderInt8
    VulkanMemoryModelFeatures.vulkanMemoryModel VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope
    CooperativeMatrixFeaturesKHR.cooperativeMatrix
    ZeroInitializeWorkgroupMemoryFeatures.shaderZeroInitializeWorkgroupMemory Storage8BitFeatures.storageBuffer8BitAccess
    Storage8BitFeatures.uniformAndStorageBuffer8BitAccess Storage8BitFeatures.storagePushConstant8
    Storage16BitFeatures.storageBuffer16BitAccess Storage16BitFeatures.uniformAndStorageBuffer16BitAccess
    Storage16BitFeatures.storagePushConstant16 Storage16BitFeatures.storageInputOutput16
    SubgroupSizeControl.subgroupSizeControl SubgroupSizeControl.computeFullSubgroups
    DepthClampZeroOneFeatures.depthClampZeroOne SubgroupSupportedOperations.basic SubgroupSupportedOperations.vote
    SubgroupSupportedOperations.arithmetic SubgroupSupportedOperations.ballot SubgroupSupportedOperations.shuffle
    SubgroupSupportedOperations.shuffleRelative SubgroupSupportedOperations.clustered SubgroupSupportedOperations.quad
    SubgroupSupportedStages.vertex SubgroupSupportedStages.tessellationControl SubgroupSupportedStages.tessellationEvaluation
    SubgroupSupportedStages.geometry SubgroupSupportedStages.fragment SubgroupSupportedStages.compute
    RayTracingPipelineFeaturesKHR.rayTracingPipeline AccelerationStructureFeaturesKHR.accelerationStructure
    BufferDeviceAddressFeatures.bufferDeviceAddress ShaderLongVectorFeaturesEXT.longVector";

/// The image formats of both languages.
const IMAGE_FORMATS: &str = "
    A1R5G5B5_UNORM_PACK16 A2B10G10R10_SINT_PACK32 A2B10G10R10_SNORM_PACK32 A2B10G10R10_SSCALED_PACK32 A2B10G10R10_UINT_PACK32
    A2B10G10R10_UNORM_PACK32 A2B10G10R10_USCALED_PACK32 A2R10G10B10_SINT_PACK32 A2R10G10B10_SNORM_PACK32
    A2R10G10B10_SSCALED_PACK32 A2R10G10B10_UINT_PACK32 A2R10G10B10_UNORM_PACK32 A2R10G10B10_USCALED_PACK32
    A8B8G8R8_SINT_PACK32 A8B8G8R8_SNORM_PACK32 A8B8G8R8_SRGB_PACK32 A8B8G8R8_SSCALED_PACK32 A8B8G8R8_UINT_PACK32
    A8B8G8R8_UNORM_PACK32 A8B8G8R8_USCALED_PACK32 B10G11R11_UFLOAT_PACK32 B4G4R4A4_UNORM_PACK16 B5G5R5A1_UNORM_PACK16
    B5G6R5_UNORM_PACK16 B8G8R8A8_SINT B8G8R8A8_SNORM B8G8R8A8_SRGB B8G8R8A8_SSCALED B8G8R8A8_UINT B8G8R8A8_UNORM
    B8G8R8A8_USCALED B8G8R8_SINT B8G8R8_SNORM B8G8R8_SRGB B8G8R8_SSCALED B8G8R8_UINT B8G8R8_UNORM B8G8R8_USCALED
    D16_UNORM D16_UNORM_S8_UINT D24_UNORM_S8_UINT D32_SFLOAT D32_SFLOAT_S8_UINT R16G16B16A16_SFLOAT R16G16B16A16_SINT
    R16G16B16A16_SNORM R16G16B16A16_SSCALED R16G16B16A16_UINT R16G16B16A16_UNORM R16G16B16A16_USCALED R16G16B16_SFLOAT
    R16G16B16_SINT R16G16B16_SNORM R16G16B16_SSCALED R16G16B16_UINT R16G16B16_UNORM R16G16B16_USCALED R16G16_SFLOAT R16G16_SINT
    R16G16_SNORM R16G16_SSCALED R16G16_UINT R16G16_UNORM R16G16_USCALED R16_SFLOAT R16_SINT R16_SNORM R16_SSCALED R16_UINT
    R16_UNORM R16_USCALED R32G32B32A32_SFLOAT R32G32B32A32_SINT R32G32B32A32_UINT R32G32B32_SFLOAT R32G32B32_SINT
    R32G32B32_UINT R32G32_SFLOAT R32G32_SINT R32G32_UINT R32_SFLOAT R32_SINT R32_UINT R4G4B4A4_UNORM_PACK16 R4G4_UNORM_PACK8
    R5G5B5A1_UNORM_PACK16 R5G6B5_UNORM_PACK16 R64G64B64A64_SFLOAT R64G64B64A64_SINT R64G64B64A64_UINT R64G64B64_SFLOAT
    R64G64B64_SINT R64G64B64_UINT R64G64_SFLOAT R64G64_SINT R64G64_UINT R64_SFLOAT R64_SINT R64_UINT R8G8B8A8_SINT
    R8G8B8A8_SNORM R8G8B8A8_SRGB R8G8B8A8_SSCALED R8G8B8A8_UINT R8G8B8A8_UNORM R8G8B8A8_USCALED R8G8B8_SINT R8G8B8_SNORM
    R8G8B8_SRGB R8G8B8_SSCALED R8G8B8_UINT R8G8B8_UNORM R8G8B8_USCALED R8G8_SINT R8G8_SNORM R8G8_SRGB R8G8_SSCALED R8G8_UINT
    R8G8_UNORM R8G8_USCALED R8_SINT R8_SNORM R8_SRGB R8_SSCALED R8_UINT R8_UNORM R8_USCALED S8_UINT X8_D24_UNORM_PACK32";
