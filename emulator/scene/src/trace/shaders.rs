//! WGSL of the path tracer, assembled with parts of the drawing shaders.

use quadrille::{Device, Result, ShaderModule};

use super::sums::PER_PIXEL;
use crate::draw::shaders::{BRDF, CURVE, ENVIRONMENT, FILM, MATERIAL, PUNCTUAL, compile, constants};
use crate::draw::{features, slots};

const BINDINGS: &str = include_str!("bindings.wgsl");
const RANDOM: &str = include_str!("random.wgsl");
const FACETS: &str = include_str!("facets.wgsl");
const SURFACE: &str = include_str!("surface.wgsl");
const RAYS: &str = include_str!("rays.wgsl");
const SCATTER: &str = include_str!("scatter.wgsl");
const SOURCES: &str = include_str!("sources.wgsl");
const PATH: &str = include_str!("path.wgsl");
const PREPARE: &str = include_str!("prepare.wgsl");
const DEVELOP: &str = include_str!("develop.wgsl");

fn per_pixel() -> String {
    format!("const SUMS = {PER_PIXEL}u;\n")
}

/// Compiles `accumulate`, which traces paths, and `identify`, for scenes with these features.
pub(super) fn path(device: &Device, sky: bool, present: u32) -> Result<ShaderModule> {
    let (constants, numbers, sums) = (constants(sky), slots::numbers(), per_pixel());
    let present = format!("const PRESENT = {present}u;\n");
    let declared =
        ["enable wgpu_ray_query;\n", &constants, features::DECLARATIONS, &numbers, &sums, &present];
    let shared = [MATERIAL, PUNCTUAL, BRDF, FILM, ENVIRONMENT];
    let own = [BINDINGS, RANDOM, FACETS, SURFACE, RAYS, SCATTER, SOURCES, PATH];
    compile(device, "path.wgsl", &[&declared[..], &shared, &own].concat())
}

/// Compiles `weigh` and `measure`, which prepare tables.
pub(super) fn prepare(device: &Device, sky: bool) -> Result<ShaderModule> {
    compile(device, "prepare.wgsl", &[&constants(sky), BRDF, ENVIRONMENT, FACETS, PREPARE])
}

/// Compiles `develop`, which makes a picture of sums.
pub(super) fn develop(device: &Device) -> Result<ShaderModule> {
    compile(device, "develop.wgsl", &[&per_pixel(), CURVE, DEVELOP])
}
