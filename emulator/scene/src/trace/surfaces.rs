//! Materials and texels in buffers, from which one shader reads those of all surfaces.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use quadrille::{Buffer, BufferUsage, Device, Error, Result};

use crate::draw::gpu;
use crate::draw::materials::{Uniform, features_of, uniform};
use crate::draw::slots::TABLE;
use crate::model::{Filter, Image, Material, Sampler, Scene, TextureRef, Wrap};

/// A texture in the buffer of texels; `bindings.wgsl` declares the same.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Picture {
    offset: u32,
    width: u32,
    height: u32,
    sampler: u32,
}

/// Bit of [`Picture::sampler`] for texels in sRGB.
const SRGB: u32 = 32;
/// Number of texels whose brightness is averaged, at most.
const AVERAGED: usize = 1 << 22;

/// The materials of a scene on the device.
pub(super) struct Surfaces {
    pub materials: Buffer,
    pub pictures: Buffer,
    pub texels: Buffer,
    /// Mean brightness of the light that each material emits.
    pub emission: Vec<f64>,
}

impl Surfaces {
    pub fn new(device: &Device, scene: &Scene) -> Result<Self> {
        let linear: [f32; 256] = std::array::from_fn(|i| decoded(i as u8));
        let mut textures = Textures {
            scene,
            texels: linear.iter().map(|x| x.to_bits()).collect(),
            pictures: Vec::new(),
            offsets: HashMap::new(),
            numbers: HashMap::new(),
        };
        let mut materials: Vec<Uniform> = Vec::with_capacity(scene.materials.len());
        for material in &scene.materials {
            let features = features_of(material);
            let mut of = uniform(material);
            for (slot, place) in TABLE.iter().zip(&mut of.slots) {
                let reference = (slot.texture)(material).filter(|_| slot.is_used(features));
                place.v[3] = reference.map_or(Ok(0), |r| textures.number(r.texture, slot.srgb))? as f32;
            }
            materials.push(of);
        }
        let usage = BufferUsage::STORAGE;
        Ok(Surfaces {
            materials: gpu::buffer_of(device, &materials, usage)?,
            pictures: gpu::buffer_of(device, &textures.pictures, usage)?,
            texels: device.create_buffer_with(&textures.texels, usage)?,
            emission: scene.materials.iter().map(|m| emission(scene, m, &linear)).collect(),
        })
    }
}

/// Linear value of an sRGB byte.
fn decoded(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { libm::powf((c + 0.055) / 1.055, 2.4) }
}

fn luminance([r, g, b]: [f64; 3]) -> f64 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Mean brightness of what a material emits.
fn emission(scene: &Scene, m: &Material, linear: &[f32; 256]) -> f64 {
    let factor = m.emissive.to_array().map(f64::from);
    if m.unlit || luminance(factor) <= 0.0 {
        return 0.0;
    }
    let Some(TextureRef { texture, .. }) = m.emissive_texture else { return luminance(factor) };
    let image = &scene.images[scene.textures[texture].image];
    let step = (image.pixels.len() / 4).div_ceil(AVERAGED).max(1);
    let (mut sum, mut count) = (0.0, 0.0f64);
    for texel in image.pixels.chunks_exact(4).step_by(step) {
        let light = [0, 1, 2].map(|i| factor[i] * f64::from(linear[usize::from(texel[i])]));
        sum += luminance(light);
        count += 1.0;
    }
    sum / count.max(1.0)
}

fn sampler_bits(s: &Sampler) -> u32 {
    let wrap = |w| match w {
        Wrap::ClampToEdge => 0,
        Wrap::MirroredRepeat => 1,
        Wrap::Repeat => 2,
    };
    let nearest = match s.mag {
        Filter::Nearest => 1,
        Filter::Linear => 0,
    };
    nearest | wrap(s.wrap[0]) << 1 | wrap(s.wrap[1]) << 3
}

/// Textures that materials use. An image is stored once.
struct Textures<'a> {
    scene: &'a Scene,
    texels: Vec<u32>,
    pictures: Vec<Picture>,
    offsets: HashMap<usize, u32>,
    numbers: HashMap<(usize, bool), u32>,
}

impl Textures<'_> {
    /// Number of a texture, from 1.
    fn number(&mut self, texture: usize, srgb: bool) -> Result<u32> {
        if let Some(number) = self.numbers.get(&(texture, srgb)) {
            return Ok(*number);
        }
        let of = self.scene.textures[texture];
        let image = &self.scene.images[of.image];
        let offset = match self.offsets.get(&of.image) {
            Some(offset) => *offset,
            None => {
                let offset = self.store(image)?;
                self.offsets.insert(of.image, offset);
                offset
            }
        };
        let sampler = sampler_bits(&self.scene.samplers[of.sampler]) | if srgb { SRGB } else { 0 };
        self.pictures.push(Picture { offset, width: image.width, height: image.height, sampler });
        let number = self.pictures.len() as u32;
        self.numbers.insert((texture, srgb), number);
        Ok(number)
    }

    fn store(&mut self, image: &Image) -> Result<u32> {
        let offset = self.texels.len();
        let n = image.pixels.len() / 4;
        // A storage buffer has at most 2^31 bytes.
        if offset + n > 1 << 29 {
            return Err(Error::Limit(format!("{} texels: at most {} can be traced", offset + n, 1 << 29)));
        }
        self.texels.try_reserve(n).map_err(|_| Error::OutOfMemory(format!("{n} texels")))?;
        let word = |texel: &[u8]| texel.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        self.texels.extend(image.pixels.chunks_exact(4).map(word));
        Ok(offset as u32)
    }
}
