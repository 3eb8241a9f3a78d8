//! Texture slots of a material, one row each. A slot's number is the position of its row; the numbers, textures and
//! samplers in WGSL are derived from the rows. The textures themselves are left to [`super::materials`].

use std::fmt::Write;

use super::features;
use crate::model::{Material, TextureRef};

/// Materials that use a slot.
#[derive(Clone, Copy)]
enum Use {
    /// All.
    Always,
    /// All but unlit ones.
    Lit,
    /// Those with a feature.
    With(u32),
}

/// A texture slot.
pub(crate) struct Slot {
    /// Name in WGSL, where the slot has the constant `NAME_SLOT`, the texture `name_map` and the sampler
    /// `name_sampler`.
    name: &'static str,
    used_by: Use,
    /// `true` if the texels are sRGB colours.
    pub srgb: bool,
    /// Texture of a material in this slot.
    pub texture: fn(&Material) -> Option<TextureRef>,
}

/// Number of slots.
pub(crate) const SLOTS: usize = TABLE.len();

const LINEAR: bool = false;
const SRGB: bool = true;

const fn slot(
    name: &'static str,
    used_by: Use,
    srgb: bool,
    texture: fn(&Material) -> Option<TextureRef>,
) -> Slot {
    Slot { name, used_by, srgb, texture }
}

/// All slots.
pub(crate) const TABLE: [Slot; 18] = [
    slot("base_color", Use::Always, SRGB, |m| m.base_color_texture),
    slot("metallic_roughness", Use::Lit, LINEAR, |m| m.metallic_roughness_texture),
    slot("normal", Use::Lit, LINEAR, |m| m.normal_texture),
    slot("occlusion", Use::Lit, LINEAR, |m| m.occlusion_texture),
    slot("emissive", Use::Always, SRGB, |m| m.emissive_texture),
    slot("clearcoat", Use::With(features::CLEARCOAT), LINEAR, |m| m.clearcoat.texture),
    slot("clearcoat_roughness", Use::With(features::CLEARCOAT), LINEAR, |m| m.clearcoat.roughness_texture),
    slot("clearcoat_normal", Use::With(features::CLEARCOAT), LINEAR, |m| m.clearcoat.normal_texture),
    slot("transmission", Use::With(features::TRANSMISSION), LINEAR, |m| m.transmission_texture),
    slot("sheen_color", Use::With(features::SHEEN), SRGB, |m| m.sheen.color_texture),
    slot("sheen_roughness", Use::With(features::SHEEN), LINEAR, |m| m.sheen.roughness_texture),
    slot("specular", Use::Lit, LINEAR, |m| m.specular.texture),
    slot("specular_color", Use::Lit, SRGB, |m| m.specular.color_texture),
    slot("thickness", Use::With(features::VOLUME), LINEAR, |m| m.volume.thickness_texture),
    slot("specular_glossiness", Use::With(features::SPECULAR_GLOSSINESS), SRGB, |m| {
        m.specular_glossiness.as_ref().and_then(|g| g.texture)
    }),
    slot("iridescence", Use::With(features::IRIDESCENCE), LINEAR, |m| m.iridescence.texture),
    slot("iridescence_thickness", Use::With(features::IRIDESCENCE), LINEAR, |m| {
        m.iridescence.thickness_texture
    }),
    slot("anisotropy", Use::With(features::ANISOTROPY), LINEAR, |m| m.anisotropy.texture),
];

impl Slot {
    /// Returns true if a material with these features uses the slot.
    pub fn is_used(&self, features: u32) -> bool {
        match self.used_by {
            Use::Always => true,
            Use::Lit => features & features::UNLIT == 0,
            Use::With(feature) => features & (feature | features::UNLIT) == feature,
        }
    }
}

/// Binding of the texture in slot `i`. Binding 0 is the uniform block.
pub(super) fn texture_binding(i: usize) -> u32 {
    1 + i as u32
}

/// Binding of the sampler of slot `i`.
pub(super) fn sampler_binding(i: usize) -> u32 {
    texture_binding(SLOTS + i)
}

/// Declarations of the slots' numbers in WGSL.
pub(crate) fn numbers() -> String {
    let mut all = format!("const SLOTS = {SLOTS}u;\n");
    for (i, Slot { name, .. }) in TABLE.iter().enumerate() {
        let _ = writeln!(all, "const {} = {i}u;", constant(name));
    }
    all
}

/// Declarations of the slots in WGSL: their numbers, and the texture and sampler of each.
pub(super) fn declarations() -> String {
    let mut all = numbers();
    for (i, Slot { name, .. }) in TABLE.iter().enumerate() {
        let (texture, sampler) = (texture_binding(i), sampler_binding(i));
        let _ = write!(
            all,
            "@group(1) @binding({texture}) var {name}_map: texture_2d<f32>;
@group(1) @binding({sampler}) var {name}_sampler: sampler;
"
        );
    }
    all
}

/// Name of a slot's constant in WGSL.
fn constant(name: &str) -> String {
    format!("{}_SLOT", name.to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A texture is sampled with the texture, the sampler and the coordinates of one slot, and if this slot has one.
    #[test]
    fn shaders_name_the_slots() {
        let wgsl: String = include_str!("surface.wgsl").split_whitespace().collect();
        for Slot { name, .. } in &TABLE {
            let constant = constant(name);
            assert!(wgsl.contains(&format!("ifhas_texture({constant}){{")), "{constant}");
            let sampled = format!("textureSample({name}_map,{name}_sampler,");
            let (_, rest) = wgsl.split_once(&sampled).unwrap_or_else(|| panic!("{sampled}"));
            let inside = format!("coordinates(v,{constant})");
            let before = format!("letuv={inside};");
            assert!(rest.starts_with(&inside) || wgsl.contains(&before), "coordinates for {sampled}");
        }
        assert_eq!(wgsl.matches("has_texture(").count(), SLOTS);
        assert_eq!(wgsl.matches("textureSample(").count(), SLOTS);
        let numbered = |call: &str| wgsl.split(call).skip(1).any(|rest| rest.starts_with(char::is_numeric));
        assert!(!numbered("has_texture(") && !numbered("coordinates(v,") && !numbered("frame_of(v,"));
    }

    #[test]
    fn features_select_slots() {
        let used =
            |features| TABLE.iter().filter(|s| s.is_used(features)).map(|s| s.name).collect::<Vec<_>>();
        assert_eq!(used(features::UNLIT), ["base_color", "emissive"]);
        let lit = [
            "base_color",
            "metallic_roughness",
            "normal",
            "occlusion",
            "emissive",
            "specular",
            "specular_color",
        ];
        assert_eq!(used(0), lit);
        let more = used(features::CLEARCOAT | features::VOLUME);
        let more: Vec<_> = more.into_iter().filter(|name| !lit.contains(name)).collect();
        assert_eq!(more, ["clearcoat", "clearcoat_roughness", "clearcoat_normal", "thickness"]);
    }
}
