//! Features of GLSL and the file tests that demonstrate them. A test names its rows with `feature`. A row counts if
//! each of its tests compares values and passes, or gets the error that it expects.

use std::collections::BTreeMap;

use super::glsl::{COMPATIBILITY, COUNTERS, RECTANGLE};
use super::report::Counted;
use super::{Record, elsewhere, inventory};
use crate::filetest::FileTest;
use crate::table::Counts;
use crate::tools::Ask;

const FEATURES: &str = include_str!("../../inventory/glsl_language_features.csv");

const LAYOUTS: &str = "memory layouts chosen by the implementation: glslang refuses them for SPIR-V";
const SUBROUTINES: &str = "subroutines: SPIR-V has none";
const LOOSE: &str = "uniforms outside of blocks are not in GLSL for Vulkan";
const STRINGS: &str = "several source strings exist only in the OpenGL API: a source is one string here";

const INCLUDES: &str = "includes of host files: a source is one string, and SPIR-V has no includes";

/// Rows that SPIR-V for Vulkan cannot express, with reasons.
const EXCLUDED: &[(&str, &str)] = &[
    ("lexical: multiple source strings concatenated", STRINGS),
    ("types: sampler2DRect / isampler2DRect / usampler2DRect", RECTANGLE),
    ("types: sampler2DRectShadow", RECTANGLE),
    ("types: image2DRect / iimage2DRect / uimage2DRect", RECTANGLE),
    ("types: atomic_uint", COUNTERS),
    ("storage: attribute / varying (compatibility)", COMPATIBILITY),
    ("storage: default-block uniforms", LOOSE),
    ("layout uniform: location on default-block uniforms (OpenGL only)", LOOSE),
    ("layout subroutine: index = on subroutine functions", SUBROUTINES),
    ("layout subroutine: location on subroutine uniforms (4.4.3)", SUBROUTINES),
    ("functions: subroutine types, subroutine functions, subroutine uniforms (arrays)", SUBROUTINES),
    ("layout block: shared (implementation layout)", LAYOUTS),
    ("layout block: packed (implementation layout)", LAYOUTS),
    ("layout atomic counter: binding + offset on atomic_uint, per-binding default offsets", COUNTERS),
    ("builtins: compatibility-profile variables (gl_FragColor, gl_TexCoord, ...)", COMPATIBILITY),
    ("builtins: gl_DepthRange, gl_NumSamples (not when generating SPIR-V)", "not in GLSL for Vulkan"),
    ("extension: GL_GOOGLE_include_directive / GL_ARB_shading_language_include", INCLUDES),
];

/// Names of all rows in the notation of the tests.
pub fn rows() -> impl Iterator<Item = String> {
    FEATURES.lines().skip(1).map(inventory::fields).map(|line| format!("{}: {}", line[0], line[1]))
}

/// Counts the features by row.
pub fn features(files: &[FileTest], record: &Record) -> Counted {
    let mut out = Counted { table: "glsl_language_features.csv".into(), ..Counted::default() };
    let mut passes: BTreeMap<&str, bool> = BTreeMap::new();
    for file in files.iter().filter(|f| !f.features().is_empty()) {
        let right = match file.refuses() {
            true => file.run(Ask::Nothing, &mut Counts::default()).is_empty(),
            false => record.passed.contains(&file.name),
        };
        for feature in file.features() {
            *passes.entry(feature).or_insert(true) &= right;
        }
    }
    for row in rows() {
        if let Some((_, why)) = EXCLUDED.iter().find(|e| e.0 == row) {
            out.excluded.push((row, why));
            continue;
        }
        out.rows += 1;
        out.implemented += 1;
        match passes.get(row.as_str()) {
            Some(true) => out.tested += 1,
            Some(false) => out.missing.push(format!("{row} (a test fails)")),
            None if elsewhere::feature(&row).is_some() => out.tested += 1,
            None => out.missing.push(format!("{row} (no test)")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quadrille::frontend::{Options, Stage, compile_glsl};

    use super::*;
    use crate::filetest;

    /// GLSL 4.60, 3.6: keywords.
    const KEYWORDS: &str = "\
    const uniform buffer shared attribute varying coherent volatile restrict readonly writeonly atomic_uint \
    layout centroid flat smooth noperspective patch sample invariant precise break continue do for while switch \
    case default if else subroutine in out inout int void bool true false float double discard return vec2 vec3 \
    vec4 ivec2 ivec3 ivec4 bvec2 bvec3 bvec4 uint uvec2 uvec3 uvec4 dvec2 dvec3 dvec4 mat2 mat3 mat4 mat2x2 \
    mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 dmat2 dmat3 dmat4 dmat2x2 dmat2x3 dmat2x4 dmat3x2 \
    dmat3x3 dmat3x4 dmat4x2 dmat4x3 dmat4x4 lowp mediump highp precision sampler1D sampler1DShadow \
    sampler1DArray sampler1DArrayShadow isampler1D isampler1DArray usampler1D usampler1DArray sampler2D \
    sampler2DShadow sampler2DArray sampler2DArrayShadow isampler2D isampler2DArray usampler2D usampler2DArray \
    sampler2DRect sampler2DRectShadow isampler2DRect usampler2DRect sampler2DMS isampler2DMS usampler2DMS \
    sampler2DMSArray isampler2DMSArray usampler2DMSArray sampler3D isampler3D usampler3D samplerCube \
    samplerCubeShadow isamplerCube usamplerCube samplerCubeArray samplerCubeArrayShadow isamplerCubeArray \
    usamplerCubeArray samplerBuffer isamplerBuffer usamplerBuffer image1D iimage1D uimage1D image1DArray \
    iimage1DArray uimage1DArray image2D iimage2D uimage2D image2DArray iimage2DArray uimage2DArray image2DRect \
    iimage2DRect uimage2DRect image2DMS iimage2DMS uimage2DMS image2DMSArray iimage2DMSArray uimage2DMSArray \
    image3D iimage3D uimage3D imageCube iimageCube uimageCube imageCubeArray iimageCubeArray uimageCubeArray \
    imageBuffer iimageBuffer uimageBuffer struct";

    /// GLSL 4.60, 3.6: reserved for future use.
    const RESERVED: &str = "\
    common partition active asm class union enum typedef template this resource goto inline noinline public \
    static extern external interface long short half fixed unsigned superp input output hvec2 hvec3 hvec4 fvec2 \
    fvec3 fvec4 filter sizeof cast namespace using sampler3DRect";

    /// Compiles a shader with a variable of this name.
    fn named(name: &str) -> Result<(), String> {
        let text = format!("#version 460\nvoid main() {{ int {name} = 1; }}");
        let options = Options { debug: false, disk_cache: false, ..Options::named(name) };
        compile_glsl(&text, Stage::Compute, &options).map(|_| ()).map_err(|e| e.to_string())
    }

    #[test]
    fn keywords_are_no_names() {
        for word in KEYWORDS.split_whitespace() {
            assert!(named(word).is_err(), "{word} names a variable");
            named(&format!("{word}_")).unwrap();
        }
    }

    #[test]
    fn reserved_words_are_errors() {
        for word in RESERVED.split_whitespace() {
            let error = named(word).expect_err(word);
            assert!(error.contains("eserved"), "{word}: {error}");
            named(&format!("{word}_")).unwrap();
        }
    }

    /// A misspelt row would never count.
    #[test]
    fn features_are_rows() {
        let known: BTreeSet<String> = rows().collect();
        for file in filetest::all() {
            for feature in file.features() {
                assert!(known.contains(feature), "{}: `{feature}` is not a row", file.name);
            }
        }
        let elsewhere = elsewhere::FEATURES.iter().map(|f| f.0);
        for row in EXCLUDED.iter().map(|e| e.0).chain(elsewhere) {
            assert!(known.contains(row), "`{row}` is not a row");
        }
    }
}
