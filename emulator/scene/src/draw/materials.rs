//! Materials on the device: factors, textures with their levels, samplers. The list of texture slots is left to
//! [`super::slots`].

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use quadrille::{
    AddressMode, Aspects, BufferUsage, DescriptorKind, DescriptorSet, DescriptorSetLayout, Device, Filter,
    Format, ImageDesc, ImageUsage, ImageView, Resource, Result, Sampler, SamplerDesc, ViewDim,
};

use super::features;
use super::gpu::{self, Target};
use super::slots::{self, SLOTS};
use crate::model::{self, AlphaMode, Scene, TextureRef};

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Transform {
    pub u: [f32; 4],
    pub v: [f32; 4],
}

/// Factors of a material; `material.wgsl` declares the same.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Uniform {
    base_color: [f32; 4],
    emissive: [f32; 4],
    sheen: [f32; 4],
    specular: [f32; 4],
    surface: [f32; 4],
    clearcoat: [f32; 4],
    volume: [f32; 4],
    absorption: [f32; 4],
    reflection: [f32; 4],
    film: [f32; 4],
    anisotropy: [f32; 4],
    pub slots: [Transform; SLOTS],
}

/// A material on the device.
pub(crate) struct Material {
    pub set: DescriptorSet,
    pub features: u32,
    /// Bit `i` is set if slot `i` has a texture.
    pub textures: u32,
    pub double_sided: bool,
}

impl Material {
    pub fn has(&self, feature: u32) -> bool {
        self.features & feature != 0
    }
}

/// Features of a material.
pub(crate) fn features_of(m: &model::Material) -> u32 {
    let mut all = match m.alpha {
        AlphaMode::Opaque => 0,
        AlphaMode::Mask { .. } => features::MASK,
        AlphaMode::Blend => features::BLEND,
    };
    if m.unlit {
        return all | features::UNLIT;
    }
    if m.clearcoat.factor > 0.0 {
        all |= features::CLEARCOAT;
    }
    if m.sheen.color.max_element() > 0.0 {
        all |= features::SHEEN;
    }
    if m.transmission > 0.0 {
        all |= features::TRANSMISSION;
        if m.volume.thickness > 0.0 {
            all |= features::VOLUME;
            if m.dispersion > 0.0 {
                all |= features::DISPERSION;
            }
        }
    }
    if m.specular_glossiness.is_some() {
        all |= features::SPECULAR_GLOSSINESS;
    }
    if m.iridescence.factor > 0.0 {
        all |= features::IRIDESCENCE;
    }
    if m.anisotropy.strength > 0.0 {
        all |= features::ANISOTROPY;
    }
    all
}

/// Rows of the matrix that transforms texture coordinates. Spec: KHR_texture_transform.
fn transform(reference: Option<&TextureRef>) -> Transform {
    let Some(t) = reference else { return Transform { u: [1.0, 0.0, 0.0, 0.0], v: [0.0, 1.0, 0.0, 0.0] } };
    let Vec2 { x, y } = t.scale;
    let (sin, cos) = (libm::sinf(t.rotation), libm::cosf(t.rotation));
    Transform { u: [cos * x, sin * y, t.offset.x, t.uv_set as f32], v: [-sin * x, cos * y, t.offset.y, 0.0] }
}

/// Factors of a material.
pub(crate) fn uniform(m: &model::Material) -> Uniform {
    let cutoff = if let AlphaMode::Mask { cutoff } = m.alpha { cutoff } else { 0.0 };
    let absorption = match m.volume.attenuation_distance {
        Some(distance) => m.volume.attenuation_color.to_array().map(|c| -libm::logf(c.max(1e-6)) / distance),
        None => [0.0; 3],
    };
    let [a, b, c] = absorption;
    let reflection =
        m.specular_glossiness.as_ref().map_or([0.0; 4], |g| g.specular.extend(g.glossiness).to_array());
    let (film, turn) = (&m.iridescence, m.anisotropy.rotation);
    Uniform {
        base_color: m.base_color.to_array(),
        // Unlit materials emit no light; lines and points without normals do.
        emissive: if m.unlit { [0.0; 4] } else { m.emissive.extend(0.0).to_array() },
        sheen: m.sheen.color.extend(m.sheen.roughness).to_array(),
        specular: m.specular.color.extend(m.specular.factor).to_array(),
        surface: [m.metallic, m.roughness, m.normal_scale, m.occlusion_strength],
        clearcoat: [m.clearcoat.factor, m.clearcoat.roughness, m.clearcoat.normal_scale, 0.0],
        volume: [m.transmission, m.ior, cutoff, m.volume.thickness],
        absorption: [a, b, c, 0.0],
        reflection,
        film: [film.factor, film.ior, film.thickness_minimum, film.thickness_maximum],
        anisotropy: [m.anisotropy.strength, libm::cosf(turn), libm::sinf(turn), m.dispersion],
        slots: slots::TABLE.each_ref().map(|slot| transform((slot.texture)(m).as_ref())),
    }
}

fn sampler_desc(s: &model::Sampler) -> SamplerDesc {
    let filter = |f| match f {
        model::Filter::Nearest => Filter::Nearest,
        model::Filter::Linear => Filter::Linear,
    };
    let address = |w| match w {
        model::Wrap::ClampToEdge => AddressMode::ClampToEdge,
        model::Wrap::MirroredRepeat => AddressMode::MirroredRepeat,
        model::Wrap::Repeat => AddressMode::Repeat,
    };
    let mut desc = SamplerDesc {
        mag_filter: filter(s.mag),
        min_filter: filter(s.min),
        mipmap_mode: s.mip.map_or(Filter::Nearest, filter),
        address: [address(s.wrap[0]), address(s.wrap[1]), AddressMode::Repeat],
        ..SamplerDesc::default()
    };
    if s.mip.is_none() {
        // Emulates a filter without mip levels, as the Vulkan specification suggests.
        desc.max_lod = 0.25f32.to_bits();
    }
    desc
}

/// Descriptor set layout of a material.
pub(super) fn layout(device: &Device) -> Result<DescriptorSetLayout> {
    let mut kinds = vec![DescriptorKind::UniformBuffer];
    kinds.extend([DescriptorKind::SampledImage; SLOTS]);
    kinds.extend([DescriptorKind::Sampler; SLOTS]);
    gpu::set_layout(device, &kinds)
}

/// Uploads the materials of a scene.
pub(super) fn upload(device: &Device, scene: &Scene, layout: &DescriptorSetLayout) -> Result<Vec<Material>> {
    let mut textures = Textures::new(device, scene)?;
    let made = scene.materials.iter().map(|m| {
        let features = features_of(m);
        let set = device.create_descriptor_set(layout)?;
        set.write_buffer(0, &device.create_buffer_with(&[uniform(m)], BufferUsage::UNIFORM)?)?;
        let mut present = 0;
        for (i, slot) in slots::TABLE.iter().enumerate() {
            let reference = (slot.texture)(m).filter(|_| slot.is_used(features));
            let (view, sampler) = textures.of(reference.map(|r| r.texture), slot.srgb)?;
            set.write(slots::texture_binding(i), 0, Resource::Image(&view))?;
            set.write(slots::sampler_binding(i), 0, Resource::Sampler(&sampler))?;
            present |= u32::from(reference.is_some()) << i;
        }
        Ok(Material { set, features, textures: present, double_sided: m.double_sided })
    });
    let made = made.collect::<Result<Vec<_>>>()?;
    textures.finish()?;
    Ok(made)
}

/// Images on the device, one for each combination of image and colour space.
struct Textures<'a> {
    device: &'a Device,
    scene: &'a Scene,
    none: ImageView,
    default: Sampler,
    made: HashMap<(usize, bool), Target>,
}

impl<'a> Textures<'a> {
    fn new(device: &'a Device, scene: &'a Scene) -> Result<Self> {
        let none = Target::flat(device, Format::R8G8B8A8_UNORM, [1, 1], 1, ImageUsage::SAMPLED)?;
        none.image.write_level(Aspects::COLOR, 0, &[255; 4])?;
        let default = device.create_sampler(SamplerDesc::nearest(AddressMode::ClampToEdge))?;
        Ok(Textures { device, scene, none: none.view, default, made: HashMap::new() })
    }

    /// View and sampler of a texture; white if there is none.
    fn of(&mut self, texture: Option<usize>, srgb: bool) -> Result<(ImageView, Sampler)> {
        let Some(texture) = texture else { return Ok((self.none.clone(), self.default)) };
        let model::Texture { image, sampler } = self.scene.textures[texture];
        let sampler = self.device.create_sampler(sampler_desc(&self.scene.samplers[sampler]))?;
        if let Some(target) = self.made.get(&(image, srgb)) {
            return Ok((target.view.clone(), sampler));
        }
        let picture = &self.scene.images[image];
        let format = if srgb { Format::R8G8B8A8_SRGB } else { Format::R8G8B8A8_UNORM };
        let usage = ImageUsage::SAMPLED | ImageUsage::TRANSFER_SRC | ImageUsage::TRANSFER_DST;
        let levels = gpu::levels_of(picture.width, picture.height);
        let desc = ImageDesc { levels, ..ImageDesc::new_2d(format, picture.width, picture.height, usage) };
        let target = Target::new(self.device, desc, ViewDim::D2)?;
        target.image.write_level(Aspects::COLOR, 0, &picture.pixels)?;
        let view = target.view.clone();
        self.made.insert((image, srgb), target);
        Ok((view, sampler))
    }

    /// Makes the smaller levels of all images.
    fn finish(self) -> Result<()> {
        let mut commands = self.device.create_command_buffer();
        for target in self.made.values() {
            gpu::record_levels(&mut commands, &target.image);
        }
        commands.end()?;
        self.device.queue().run(&commands)
    }
}
