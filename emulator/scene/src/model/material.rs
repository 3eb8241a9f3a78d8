//! Definition of materials: factors and textures, with those of glTF's extensions.

use glam::{Vec2, Vec3, Vec4};

/// A texture reference of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureRef {
    /// Index of the scene's texture.
    pub texture: usize,
    /// Set of the primitive's texture coordinates, 0 or 1. If a primitive lacks it, coordinates are (0, 0).
    pub uv_set: usize,
    /// KHR_texture_transform: coordinates are scaled by `scale`, rotated counter-clockwise by `rotation` in radians,
    /// then moved by this offset.
    pub offset: Vec2,
    /// See `offset`.
    pub rotation: f32,
    /// See `offset`.
    pub scale: Vec2,
}

/// Meaning of the base colour's alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Alpha has no meaning.
    #[default]
    Opaque,
    /// The surface is transparent below the cutoff, otherwise opaque.
    Mask {
        /// Smallest alpha that is drawn.
        cutoff: f32,
    },
    /// Alpha is coverage, which blends the surface with the background.
    Blend,
}

/// Appearance of a surface. Textures multiply the factors beside them; the comments name the channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name, or empty.
    pub name: String,
    /// Linear colour and alpha.
    pub base_color: Vec4,
    /// RGB in sRGB, alpha linear.
    pub base_color_texture: Option<TextureRef>,
    /// Metalness from 0, dielectric, to 1, metal.
    pub metallic: f32,
    /// Perceptual roughness from 0 to 1.
    pub roughness: f32,
    /// G is roughness, B is metalness; linear.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Normals in tangent space, linear; `normal_scale` scales `x` and `y`.
    pub normal_texture: Option<TextureRef>,
    /// See `normal_texture`.
    pub normal_scale: f32,
    /// R, linear: multiplies indirect light by `1 + strength * (R - 1)`.
    pub occlusion_texture: Option<TextureRef>,
    /// See `occlusion_texture`.
    pub occlusion_strength: f32,
    /// Linear emitted light, multiplied by KHR_materials_emissive_strength.
    pub emissive: Vec3,
    /// RGB in sRGB.
    pub emissive_texture: Option<TextureRef>,
    /// Meaning of alpha.
    pub alpha: AlphaMode,
    /// True to draw back faces, with reversed normals.
    pub double_sided: bool,
    /// KHR_materials_unlit: shows the base colour without lighting.
    pub unlit: bool,
    /// KHR_materials_clearcoat.
    pub clearcoat: Clearcoat,
    /// KHR_materials_transmission: from 0 to 1.
    pub transmission: f32,
    /// R, linear.
    pub transmission_texture: Option<TextureRef>,
    /// KHR_materials_sheen.
    pub sheen: Sheen,
    /// KHR_materials_ior: index of refraction, 1.5 by default, at least 1; 0 means a Fresnel term of 1.
    pub ior: f32,
    /// KHR_materials_specular.
    pub specular: Specular,
    /// KHR_materials_volume.
    pub volume: Volume,
    /// KHR_materials_pbrSpecularGlossiness: replaces metalness and roughness; the base colour is then the diffuse colour.
    pub specular_glossiness: Option<SpecularGlossiness>,
    /// KHR_materials_iridescence.
    pub iridescence: Iridescence,
    /// KHR_materials_anisotropy.
    pub anisotropy: Anisotropy,
    /// KHR_materials_dispersion: 20 divided by the Abbe number; 0 means none.
    pub dispersion: f32,
}

impl Default for Material {
    fn default() -> Self {
        Material {
            name: String::new(),
            base_color: Vec4::ONE,
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: Vec3::ZERO,
            emissive_texture: None,
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
            clearcoat: Clearcoat::default(),
            transmission: 0.0,
            transmission_texture: None,
            sheen: Sheen::default(),
            ior: 1.5,
            specular: Specular::default(),
            volume: Volume::default(),
            specular_glossiness: None,
            iridescence: Iridescence::default(),
            anisotropy: Anisotropy::default(),
            dispersion: 0.0,
        }
    }
}

/// A clear layer over a material.
#[derive(Clone, Debug, PartialEq)]
pub struct Clearcoat {
    /// Strength from 0, no coat, to 1.
    pub factor: f32,
    /// R, linear.
    pub texture: Option<TextureRef>,
    /// Perceptual roughness.
    pub roughness: f32,
    /// G, linear.
    pub roughness_texture: Option<TextureRef>,
    /// Normals of the layer, linear; without it, the normals of the geometry.
    pub normal_texture: Option<TextureRef>,
    /// Scale of the `x` and `y` of the layer's normals.
    pub normal_scale: f32,
}

impl Default for Clearcoat {
    fn default() -> Self {
        Clearcoat {
            factor: 0.0,
            texture: None,
            roughness: 0.0,
            roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
        }
    }
}

/// Sheen of cloth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheen {
    /// Linear colour; black means no sheen.
    pub color: Vec3,
    /// RGB in sRGB.
    pub color_texture: Option<TextureRef>,
    /// Perceptual roughness.
    pub roughness: f32,
    /// Alpha, linear.
    pub roughness_texture: Option<TextureRef>,
}

/// Strength and colour of the reflection of dielectrics.
#[derive(Clone, Debug, PartialEq)]
pub struct Specular {
    /// Strength from 0 to 1.
    pub factor: f32,
    /// Alpha, linear.
    pub texture: Option<TextureRef>,
    /// Linear colour at normal incidence.
    pub color: Vec3,
    /// RGB in sRGB.
    pub color_texture: Option<TextureRef>,
}

impl Default for Specular {
    fn default() -> Self {
        Specular { factor: 1.0, texture: None, color: Vec3::ONE, color_texture: None }
    }
}

/// The interior of a shape that transmits light.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    /// Thickness below the surface, in the mesh's space; 0 means thin-walled, without refraction.
    pub thickness: f32,
    /// G, linear.
    pub thickness_texture: Option<TextureRef>,
    /// Distance after which white light has the attenuation colour; `None` means no attenuation.
    pub attenuation_distance: Option<f32>,
    /// Linear colour; see `attenuation_distance`.
    pub attenuation_color: Vec3,
}

impl Default for Volume {
    fn default() -> Self {
        Volume {
            thickness: 0.0,
            thickness_texture: None,
            attenuation_distance: None,
            attenuation_color: Vec3::ONE,
        }
    }
}

/// Reflection of a surface by its colour at normal incidence.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecularGlossiness {
    /// Linear reflectance at normal incidence.
    pub specular: Vec3,
    /// 1 minus the perceptual roughness.
    pub glossiness: f32,
    /// RGB is the reflectance in sRGB, alpha is the glossiness, linear.
    pub texture: Option<TextureRef>,
}

/// A thin film, whose interference colours the reflection.
#[derive(Clone, Debug, PartialEq)]
pub struct Iridescence {
    /// Strength from 0, no film, to 1.
    pub factor: f32,
    /// R, linear.
    pub texture: Option<TextureRef>,
    /// Index of refraction of the film, at least 1.
    pub ior: f32,
    /// Thickness of the film in nanometres where the texture is 0.
    pub thickness_minimum: f32,
    /// Thickness of the film in nanometres where the texture is 1, or without it.
    pub thickness_maximum: f32,
    /// G, linear.
    pub thickness_texture: Option<TextureRef>,
}

impl Default for Iridescence {
    fn default() -> Self {
        Iridescence {
            factor: 0.0,
            texture: None,
            ior: 1.3,
            thickness_minimum: 100.0,
            thickness_maximum: 400.0,
            thickness_texture: None,
        }
    }
}

/// Roughness that depends on the direction, as of brushed metal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anisotropy {
    /// Strength from 0 to 1; it adds roughness along the direction.
    pub strength: f32,
    /// Direction as an angle from the tangent to the bitangent, in radians.
    pub rotation: f32,
    /// R and G are the direction from -1 to 1, which `rotation` turns; B is a factor of the strength; linear.
    pub texture: Option<TextureRef>,
}
