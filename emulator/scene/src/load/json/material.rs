//! The JSON of materials, with their extensions.

use serde::Deserialize;

use super::{Extensions, Num, name};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    #[serde(default, deserialize_with = "name")]
    pub name: String,
    #[serde(default)]
    pub pbr_metallic_roughness: PbrMetallicRoughness,
    pub normal_texture: Option<TextureInfo>,
    pub occlusion_texture: Option<TextureInfo>,
    pub emissive_texture: Option<TextureInfo>,
    pub emissive_factor: Option<[Num; 3]>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<Num>,
    #[serde(default)]
    pub double_sided: bool,
    #[serde(default)]
    pub extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PbrMetallicRoughness {
    pub base_color_factor: Option<[Num; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: Option<Num>,
    pub roughness_factor: Option<Num>,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureInfo {
    pub index: usize,
    #[serde(default)]
    pub tex_coord: usize,
    /// Only for normal textures.
    pub scale: Option<Num>,
    /// Only for occlusion textures.
    pub strength: Option<Num>,
    #[serde(default)]
    pub extensions: Extensions,
}

/// KHR_texture_transform.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureTransform {
    pub offset: Option<[Num; 2]>,
    #[serde(default)]
    pub rotation: Num,
    pub scale: Option<[Num; 2]>,
    pub tex_coord: Option<usize>,
}

/// KHR_materials_pbrSpecularGlossiness.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SpecularGlossiness {
    pub diffuse_factor: Option<[Num; 4]>,
    pub diffuse_texture: Option<TextureInfo>,
    pub specular_factor: Option<[Num; 3]>,
    pub glossiness_factor: Option<Num>,
    pub specular_glossiness_texture: Option<TextureInfo>,
}

/// KHR_materials_iridescence.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Iridescence {
    #[serde(default)]
    pub iridescence_factor: Num,
    pub iridescence_texture: Option<TextureInfo>,
    pub iridescence_ior: Option<Num>,
    pub iridescence_thickness_minimum: Option<Num>,
    pub iridescence_thickness_maximum: Option<Num>,
    pub iridescence_thickness_texture: Option<TextureInfo>,
}

/// KHR_materials_anisotropy.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Anisotropy {
    #[serde(default)]
    pub anisotropy_strength: Num,
    #[serde(default)]
    pub anisotropy_rotation: Num,
    pub anisotropy_texture: Option<TextureInfo>,
}

/// KHR_materials_dispersion.
#[derive(Debug, Default, Deserialize)]
pub struct Dispersion {
    #[serde(default)]
    pub dispersion: Num,
}

/// KHR_materials_emissive_strength.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmissiveStrength {
    pub emissive_strength: Option<Num>,
}

/// KHR_materials_ior.
#[derive(Debug, Default, Deserialize)]
pub struct Ior {
    pub ior: Option<Num>,
}

/// KHR_materials_clearcoat.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Clearcoat {
    #[serde(default)]
    pub clearcoat_factor: Num,
    pub clearcoat_texture: Option<TextureInfo>,
    #[serde(default)]
    pub clearcoat_roughness_factor: Num,
    pub clearcoat_roughness_texture: Option<TextureInfo>,
    pub clearcoat_normal_texture: Option<TextureInfo>,
}

/// KHR_materials_transmission.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transmission {
    #[serde(default)]
    pub transmission_factor: Num,
    pub transmission_texture: Option<TextureInfo>,
}

/// KHR_materials_sheen.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sheen {
    #[serde(default)]
    pub sheen_color_factor: [Num; 3],
    pub sheen_color_texture: Option<TextureInfo>,
    #[serde(default)]
    pub sheen_roughness_factor: Num,
    pub sheen_roughness_texture: Option<TextureInfo>,
}

/// KHR_materials_specular.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Specular {
    pub specular_factor: Option<Num>,
    pub specular_texture: Option<TextureInfo>,
    pub specular_color_factor: Option<[Num; 3]>,
    pub specular_color_texture: Option<TextureInfo>,
}

/// KHR_materials_volume.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Volume {
    #[serde(default)]
    pub thickness_factor: Num,
    pub thickness_texture: Option<TextureInfo>,
    pub attenuation_distance: Option<Num>,
    pub attenuation_color: Option<[Num; 3]>,
}
