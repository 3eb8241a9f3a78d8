//! WGSL of scenes, assembled by the features of a material.

use quadrille::frontend::{CompileError, Options, compile_wgsl};
use quadrille::{Device, Error, Result, ShaderModule};

use super::{features, slots};

/// Direction to the sun of the built-in sky.
pub(crate) const SUN_DIRECTION: [f32; 3] = [0.424_264_07, 0.707_106_77, 0.565_685_4];

pub(crate) const MATERIAL: &str = include_str!("material.wgsl");
pub(crate) const PUNCTUAL: &str = include_str!("punctual.wgsl");
pub(crate) const CURVE: &str = include_str!("curve.wgsl");
const BINDINGS: &str = include_str!("bindings.wgsl");
const VERTEX: &str = include_str!("vertex.wgsl");
pub(crate) const BRDF: &str = include_str!("brdf.wgsl");
pub(crate) const FILM: &str = include_str!("film.wgsl");
const SURFACE: &str = include_str!("surface.wgsl");
const LIGHT: &str = include_str!("light.wgsl");
pub(crate) const ENVIRONMENT: &str = include_str!("environment.wgsl");
const FRAGMENT: &str = include_str!("fragment.wgsl");
const PREFILTER: &str = include_str!("prefilter.wgsl");
const TONE: &str = include_str!("tone.wgsl");

pub(crate) fn compile(device: &Device, name: &str, parts: &[&str]) -> Result<ShaderModule> {
    let broken = |e: CompileError| Error::Internal(format!("{name}: {e}"));
    let words =
        compile_wgsl(&parts.concat(), &Options { debug: false, ..Options::named(name) }).map_err(broken)?;
    device.create_shader_module(&words)
}

/// Constants for all shaders.
pub(crate) fn constants(sky: bool) -> String {
    let [x, y, z] = SUN_DIRECTION;
    let sky = u32::from(sky);
    format!(
        "const PI = 3.14159265358979;\nconst SUN_DIRECTION = vec3f({x:?}, {y:?}, {z:?});\nconst SKY = {sky}u;\n"
    )
}

/// Compiles the drawing stages: `vertex`, `fragment`, `shadow_fragment`, `background_vertex` and `background_fragment`.
/// Bit `i` of `textures` is set if slot `i` of the material has a texture.
pub(super) fn scene(device: &Device, features: u32, textures: u32, sky: bool) -> Result<ShaderModule> {
    let variant = format!("const FEATURES = {features}u;\nconst TEXTURES = {textures}u;\n");
    let (constants, slots) = (constants(sky), slots::declarations());
    let declared = [&constants, &variant, features::DECLARATIONS, &slots, MATERIAL, PUNCTUAL, BINDINGS];
    let parts = [VERTEX, BRDF, FILM, SURFACE, LIGHT, ENVIRONMENT, FRAGMENT];
    compile(device, "scene.wgsl", &[&declared[..], &parts].concat())
}

/// Compiles the shaders that prepare the environment.
pub(super) fn prefilter(device: &Device, sky: bool) -> Result<ShaderModule> {
    compile(device, "prefilter.wgsl", &[&constants(sky), BRDF, ENVIRONMENT, PREFILTER])
}

/// Compiles the tone mapping shaders: `tone_single` and `tone_multiple`.
pub(super) fn tone(device: &Device) -> Result<ShaderModule> {
    compile(device, "tone.wgsl", &[CURVE, TONE])
}
