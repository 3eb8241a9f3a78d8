//! Materials, with the textures, pictures and samplers that they use; unused ones are not loaded.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};
use quadrille::{Error, Result};

use super::access::at;
use super::file::embedded;
use super::json::{self, Num, nums};
use super::{Loader, image, within};
use crate::model::{
    AlphaMode, Anisotropy, Clearcoat, Filter, Image, Iridescence, Material, Sampler, Sheen, Specular,
    SpecularGlossiness, Texture, TextureRef, Volume, Wrap,
};

/// Pictures and textures of the materials.
#[derive(Default)]
pub struct Pictures {
    pub textures: Vec<Texture>,
    pub images: Vec<Image>,
    pub samplers: Vec<Sampler>,
    /// Maps from the file's indices of textures and images to those of the scene.
    of_texture: HashMap<usize, usize>,
    of_image: HashMap<usize, usize>,
}

/// Loads all materials, and appends the default material.
pub fn materials(loader: &mut Loader) -> Result<(Vec<Material>, Pictures)> {
    let root = loader.root;
    let mut pictures = Pictures::default();
    for (i, from) in root.samplers.iter().enumerate() {
        pictures.samplers.push(sampler(from).map_err(|e| within(format!("samplers[{i}]"), e))?);
    }
    pictures.samplers.push(Sampler::default());
    let mut materials = Vec::new();
    for (i, from) in root.materials.iter().enumerate() {
        let made = Maker { loader, pictures: &mut pictures }.material(from);
        materials.push(made.map_err(|e| within(format!("materials[{i}]"), e))?);
    }
    materials.push(Material::default());
    Ok((materials, pictures))
}

fn sampler(from: &json::Sampler) -> Result<Sampler> {
    use Filter::{Linear, Nearest};
    let wrong = |what: &str, value: u32| Error::invalid(format!("{what} {value} does not exist"));
    let wrap = |value: Option<u32>| match value.unwrap_or(10497) {
        33071 => Ok(Wrap::ClampToEdge),
        33648 => Ok(Wrap::MirroredRepeat),
        10497 => Ok(Wrap::Repeat),
        other => Err(wrong("the wrapping mode", other)),
    };
    let mag = match from.mag_filter.unwrap_or(9729) {
        9728 => Nearest,
        9729 => Linear,
        other => return Err(wrong("magFilter", other)),
    };
    let (min, mip) = match from.min_filter.unwrap_or(9987) {
        9728 => (Nearest, None),
        9729 => (Linear, None),
        9984 => (Nearest, Some(Nearest)),
        9985 => (Linear, Some(Nearest)),
        9986 => (Nearest, Some(Linear)),
        9987 => (Linear, Some(Linear)),
        other => return Err(wrong("minFilter", other)),
    };
    Ok(Sampler { mag, min, mip, wrap: [wrap(from.wrap_s)?, wrap(from.wrap_t)?] })
}

fn num(value: Option<Num>, default: f32) -> f32 {
    value.map_or(default, |n| n.0)
}

/// Clamps a factor to [0, 1].
fn unit(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}

fn color(value: Option<[Num; 3]>, default: f32) -> Vec3 {
    value.map_or(Vec3::splat(default), |c| Vec3::from(nums(c)).max(Vec3::ZERO))
}

/// Returns a colour of which no component exceeds 1, such as the part of the light that a surface reflects.
fn unit_color(value: Option<[Num; 3]>, default: f32) -> Vec3 {
    color(value, default).min(Vec3::ONE)
}

/// Builds a material.
struct Maker<'a, 'b> {
    loader: &'a mut Loader<'b>,
    pictures: &'a mut Pictures,
}

impl Maker<'_, '_> {
    fn material(&mut self, from: &json::Material) -> Result<Material> {
        let pbr = &from.pbr_metallic_roughness;
        let glossy =
            from.extensions.get::<json::SpecularGlossiness>("KHR_materials_pbrSpecularGlossiness")?;
        let (color_factor, color_texture) = match &glossy {
            Some(glossy) => (glossy.diffuse_factor, &glossy.diffuse_texture),
            None => (pbr.base_color_factor, &pbr.base_color_texture),
        };
        let strength = from.extensions.get::<json::EmissiveStrength>("KHR_materials_emissive_strength")?;
        let strength = num(strength.and_then(|e| e.emissive_strength), 1.0).max(0.0);
        let emissive = color(from.emissive_factor, 0.0) * strength;
        if !emissive.is_finite() {
            return Err(Error::invalid("the emission is infinite"));
        }
        let transmission =
            from.extensions.get::<json::Transmission>("KHR_materials_transmission")?.unwrap_or_default();
        let ior = from.extensions.get::<json::Ior>("KHR_materials_ior")?.and_then(|e| e.ior);
        let ior = num(ior, 1.5);
        if ior != 0.0 && ior < 1.0 {
            return Err(Error::invalid(format!(
                "the index of refraction is {ior}; it must be 0, or at least 1"
            )));
        }
        let normal_scale = num(from.normal_texture.as_ref().and_then(|t| t.scale), 1.0);
        let occlusion = num(from.occlusion_texture.as_ref().and_then(|t| t.strength), 1.0);
        Ok(Material {
            name: from.name.clone(),
            base_color: color_factor.map_or(Vec4::ONE, |c| Vec4::from(nums(c)).clamp(Vec4::ZERO, Vec4::ONE)),
            base_color_texture: self
                .slot(if glossy.is_some() { "diffuseTexture" } else { "baseColorTexture" }, color_texture)?,
            metallic: unit(num(pbr.metallic_factor, 1.0)),
            roughness: unit(num(pbr.roughness_factor, 1.0)),
            metallic_roughness_texture: self
                .slot("metallicRoughnessTexture", &pbr.metallic_roughness_texture)?,
            specular_glossiness: glossy.map(|g| self.specular_glossiness(&g)).transpose()?,
            normal_texture: self.slot("normalTexture", &from.normal_texture)?,
            normal_scale,
            occlusion_texture: self.slot("occlusionTexture", &from.occlusion_texture)?,
            occlusion_strength: unit(occlusion),
            emissive,
            emissive_texture: self.slot("emissiveTexture", &from.emissive_texture)?,
            alpha: alpha(from)?,
            double_sided: from.double_sided,
            unlit: from.extensions.0.contains_key("KHR_materials_unlit"),
            clearcoat: self.clearcoat(&from.extensions)?,
            transmission: unit(transmission.transmission_factor.0),
            transmission_texture: self.slot("transmissionTexture", &transmission.transmission_texture)?,
            sheen: self.sheen(&from.extensions)?,
            ior,
            specular: self.specular(&from.extensions)?,
            volume: self.volume(&from.extensions)?,
            iridescence: self.iridescence(&from.extensions)?,
            anisotropy: self.anisotropy(&from.extensions)?,
            dispersion: from
                .extensions
                .get::<json::Dispersion>("KHR_materials_dispersion")?
                .map_or(0.0, |d| d.dispersion.0.max(0.0)),
        })
    }

    fn specular_glossiness(&mut self, from: &json::SpecularGlossiness) -> Result<SpecularGlossiness> {
        Ok(SpecularGlossiness {
            specular: unit_color(from.specular_factor, 1.0),
            glossiness: unit(num(from.glossiness_factor, 1.0)),
            texture: self.slot("specularGlossinessTexture", &from.specular_glossiness_texture)?,
        })
    }

    fn iridescence(&mut self, from: &json::Extensions) -> Result<Iridescence> {
        let from: json::Iridescence = from.get("KHR_materials_iridescence")?.unwrap_or_default();
        Ok(Iridescence {
            factor: unit(from.iridescence_factor.0),
            texture: self.slot("iridescenceTexture", &from.iridescence_texture)?,
            ior: num(from.iridescence_ior, 1.3).max(1.0),
            thickness_minimum: num(from.iridescence_thickness_minimum, 100.0).max(0.0),
            thickness_maximum: num(from.iridescence_thickness_maximum, 400.0).max(0.0),
            thickness_texture: self
                .slot("iridescenceThicknessTexture", &from.iridescence_thickness_texture)?,
        })
    }

    fn anisotropy(&mut self, from: &json::Extensions) -> Result<Anisotropy> {
        let from: json::Anisotropy = from.get("KHR_materials_anisotropy")?.unwrap_or_default();
        Ok(Anisotropy {
            strength: unit(from.anisotropy_strength.0),
            rotation: from.anisotropy_rotation.0,
            texture: self.slot("anisotropyTexture", &from.anisotropy_texture)?,
        })
    }

    fn clearcoat(&mut self, from: &json::Extensions) -> Result<Clearcoat> {
        let from: json::Clearcoat = from.get("KHR_materials_clearcoat")?.unwrap_or_default();
        Ok(Clearcoat {
            factor: unit(from.clearcoat_factor.0),
            texture: self.slot("clearcoatTexture", &from.clearcoat_texture)?,
            roughness: unit(from.clearcoat_roughness_factor.0),
            roughness_texture: self.slot("clearcoatRoughnessTexture", &from.clearcoat_roughness_texture)?,
            normal_texture: self.slot("clearcoatNormalTexture", &from.clearcoat_normal_texture)?,
            normal_scale: num(from.clearcoat_normal_texture.as_ref().and_then(|t| t.scale), 1.0),
        })
    }

    fn sheen(&mut self, from: &json::Extensions) -> Result<Sheen> {
        let from: json::Sheen = from.get("KHR_materials_sheen")?.unwrap_or_default();
        Ok(Sheen {
            color: unit_color(Some(from.sheen_color_factor), 0.0),
            color_texture: self.slot("sheenColorTexture", &from.sheen_color_texture)?,
            roughness: unit(from.sheen_roughness_factor.0),
            roughness_texture: self.slot("sheenRoughnessTexture", &from.sheen_roughness_texture)?,
        })
    }

    fn specular(&mut self, from: &json::Extensions) -> Result<Specular> {
        let from: json::Specular = from.get("KHR_materials_specular")?.unwrap_or_default();
        Ok(Specular {
            factor: unit(num(from.specular_factor, 1.0)),
            texture: self.slot("specularTexture", &from.specular_texture)?,
            color: color(from.specular_color_factor, 1.0),
            color_texture: self.slot("specularColorTexture", &from.specular_color_texture)?,
        })
    }

    fn volume(&mut self, from: &json::Extensions) -> Result<Volume> {
        let from: json::Volume = from.get("KHR_materials_volume")?.unwrap_or_default();
        let distance = from.attenuation_distance.map(|n| n.0);
        if distance.is_some_and(|d| d <= 0.0) {
            return Err(Error::invalid("attenuationDistance must be greater than 0"));
        }
        Ok(Volume {
            thickness: from.thickness_factor.0.max(0.0),
            thickness_texture: self.slot("thicknessTexture", &from.thickness_texture)?,
            attenuation_distance: distance,
            attenuation_color: unit_color(from.attenuation_color, 1.0),
        })
    }

    fn slot(&mut self, name: &str, from: &Option<json::TextureInfo>) -> Result<Option<TextureRef>> {
        let Some(info) = from else { return Ok(None) };
        self.texture_ref(info).map_err(|e| within(name, e))
    }

    fn texture_ref(&mut self, info: &json::TextureInfo) -> Result<Option<TextureRef>> {
        let Some(texture) = self.texture(info.index)? else { return Ok(None) };
        let transform =
            info.extensions.get::<json::TextureTransform>("KHR_texture_transform")?.unwrap_or_default();
        let mut uv_set = transform.tex_coord.unwrap_or(info.tex_coord);
        if uv_set > 1 {
            self.loader.warn("texture coordinates beyond the second set are ignored; the first set is used");
            uv_set = 0;
        }
        Ok(Some(TextureRef {
            texture,
            uv_set,
            offset: transform.offset.map_or(Vec2::ZERO, |v| Vec2::from(nums(v))),
            rotation: transform.rotation.0,
            scale: transform.scale.map_or(Vec2::ONE, |v| Vec2::from(nums(v))),
        }))
    }

    /// Returns a texture; `None` if it has no usable picture.
    fn texture(&mut self, index: usize) -> Result<Option<usize>> {
        if let Some(known) = self.pictures.of_texture.get(&index) {
            return Ok(Some(*known));
        }
        let from = at(&self.loader.root.textures, index, "texture")?;
        let Some(source) = source(from)? else {
            if let Some(name) = from.extensions.0.keys().next() {
                return Err(Error::unsupported(format!("{name}: textures[{index}] has no other picture")));
            }
            self.loader.warn(format!("textures[{index}] has no picture"));
            return Ok(None);
        };
        let image = self.image(source).map_err(|e| within(format!("images[{source}]"), e))?;
        let sampler = match from.sampler {
            Some(sampler) => {
                at(&self.loader.root.samplers, sampler, "sampler")?;
                sampler
            }
            None => self.loader.root.samplers.len(),
        };
        self.pictures.textures.push(Texture { image, sampler });
        let new = self.pictures.textures.len() - 1;
        self.pictures.of_texture.insert(index, new);
        Ok(Some(new))
    }

    fn image(&mut self, index: usize) -> Result<usize> {
        if let Some(known) = self.pictures.of_image.get(&index) {
            return Ok(*known);
        }
        let loader = &*self.loader;
        let from = at(&loader.root.images, index, "image")?;
        let read;
        let bytes = match (&from.uri, from.buffer_view) {
            (Some(uri), None) => {
                read = loader.files.read(uri)?;
                &read[..]
            }
            (None, Some(view)) => loader.data.view(view)?.0,
            _ => return Err(Error::invalid("an image must have either a URI or a buffer view")),
        };
        let name = match &from.uri {
            Some(uri) if from.name.is_empty() && embedded(uri).is_none() => uri,
            _ => &from.name,
        };
        let image = image::texture(bytes, name, loader.limits, loader.data.budget)?;
        self.pictures.images.push(image);
        let new = self.pictures.images.len() - 1;
        self.pictures.of_image.insert(index, new);
        Ok(new)
    }
}

/// Picture of a texture: that of an extension, if there is one.
fn source(from: &json::Texture) -> Result<Option<usize>> {
    for name in ["KHR_texture_basisu", "EXT_texture_webp"] {
        let other = from.extensions.get::<json::OtherSource>(name)?;
        if let Some(source) = other.and_then(|o| o.source) {
            return Ok(Some(source));
        }
    }
    Ok(from.source)
}

fn alpha(from: &json::Material) -> Result<AlphaMode> {
    match from.alpha_mode.as_deref().unwrap_or("OPAQUE") {
        "OPAQUE" => Ok(AlphaMode::Opaque),
        "MASK" => Ok(AlphaMode::Mask { cutoff: num(from.alpha_cutoff, 0.5) }),
        "BLEND" => Ok(AlphaMode::Blend),
        other => Err(Error::invalid(format!("the alpha mode `{other}` does not exist"))),
    }
}
