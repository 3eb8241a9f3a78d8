//! Modules of the GLSL, HLSL and Slang compilers, with their debug info and non-semantic instructions. All of them load
//! and lower, and their results are right. `quadrille-conformance modules FILES` loads and lowers any number of files.

use quadrille::{Result, ShaderTest};
use quadrille_conformance::assets::words;
use quadrille_jit::spirv::Module;

macro_rules! modules {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../assets/modules/", $name, ".spv")) as &[u8])),*]
    };
}

const MODULES: &[(&str, &[u8])] = modules!("glsl_debug.comp" "hlsl_integrate.comp" "hlsl_pbr.frag" "hlsl_toon.vert"
    "slang_integrate.comp" "slang_pbr.frag" "slang_toon.vert");

fn module(name: &str) -> Vec<u32> {
    words(MODULES.iter().find(|m| m.0 == name).unwrap().1)
}

#[test]
fn modules_of_every_compiler_load() {
    for (name, bytes) in MODULES {
        let module = Module::parse(&words(bytes)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!module.entry_points().is_empty(), "{name}");
        for e in module.entry_points() {
            module.lower(&e.name, e.stage, &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
}

/// The same program by two compilers: each particle moves by half its velocity.
#[test]
fn programs_in_hlsl_and_slang_compute() -> Result<()> {
    let particles: Vec<[f32; 8]> = (0..256)
        .map(|i| std::array::from_fn(|k| (i * 8 + k) as f32 * if k < 4 { 1.0 } else { -0.25 }))
        .collect();
    for name in ["hlsl_integrate.comp", "slang_integrate.comp"] {
        let moved: Vec<[f32; 8]> = ShaderTest::spirv(&module(name))
            .bind(0, 0, &particles)
            .bind(0, 1, &[0.5f32.to_bits(), 256])
            .dispatch([1, 1, 1])?
            .read(0, 0)?;
        for (after, before) in moved.iter().zip(&particles) {
            let want: [f32; 8] =
                std::array::from_fn(|k| before[k] + if k < 4 { 0.5 * before[k + 4] } else { 0.0 });
            assert_eq!(*after, want, "{name}");
        }
    }
    Ok(())
}

/// NonSemantic.Shader.DebugInfo.100 does not change the results.
#[test]
fn debug_info_is_skipped() -> Result<()> {
    let got: Vec<f32> = ShaderTest::spirv(&module("glsl_debug.comp"))
        .bind(0, 0, &[1.0f32, 2.0, 3.0])
        .dispatch([1, 1, 1])?
        .read(0, 0)?;
    // The weight comes from the first two numbers before the loop: (1 + 4) * 2.
    assert_eq!(got, [11.0, 12.0, 13.0]);
    Ok(())
}
