//! Assigns pictures and samplers to the textures of a shader.

use image::{DynamicImage, RgbaImage};
use quadrille_jit::ir::Binding;

use super::super::texture::{premultiplied, sampler, texture};
use super::{NamedTexture, RendererDesc};
use crate::data::fit::{describe, kind_name};
use crate::frontend::{Origin, Shadertoy};
use crate::{Device, ImageView, Result, Sampler};

/// The given pictures, and which of them are in use.
pub(super) struct Textures<'a> {
    device: &'a Device,
    desc: &'a RendererDesc<'a>,
    /// Samplers of `desc.named`.
    samplers: Vec<Sampler>,
    /// Default sampler.
    sampler: Sampler,
    next: usize,
    positional: Vec<bool>,
    named: Vec<bool>,
    missing: Vec<String>,
    /// Keeps the textures alive that descriptors refer to.
    pub kept: Vec<ImageView>,
}

impl<'a> Textures<'a> {
    pub fn new(device: &'a Device, desc: &'a RendererDesc<'a>) -> Result<Self> {
        let of = |named: &NamedTexture<'_>| match named.sampler {
            Some(desc) => device.create_sampler(desc),
            None => sampler(device),
        };
        Ok(Textures {
            device,
            desc,
            samplers: desc.named.iter().map(of).collect::<Result<_>>()?,
            sampler: sampler(device)?,
            next: 0,
            positional: vec![false; desc.textures.len()],
            named: vec![false; desc.named.len()],
            missing: Vec::new(),
            kept: Vec::new(),
        })
    }

    fn named(&self, name: &str) -> Option<usize> {
        self.desc.named.iter().position(|named| named.name == name)
    }

    pub fn sampler_for(&self, name: &str) -> Sampler {
        *self.named(name).and_then(|at| self.samplers.get(at)).unwrap_or(&self.sampler)
    }

    /// Takes the picture for a texture: by name, else the next unnamed one. Without a picture it is one transparent
    /// texel.
    pub fn take(&mut self, b: &Binding) -> Result<ImageView> {
        let view = match self.named(&b.name) {
            Some(at) => {
                self.named[at] = true;
                let named = &self.desc.named[at];
                self.upload(named.picture, named.raw)?
            }
            None => {
                // Shadertoy's channels are numbered by their bindings, used or not.
                let index = match self.desc.shadertoy {
                    true => b.binding.wrapping_sub(Shadertoy::CHANNEL_BINDING) as usize,
                    false => self.next,
                };
                self.next += 1;
                match self.desc.textures.get(index) {
                    Some(picture) => {
                        self.positional[index] = true;
                        self.upload(picture, false)?
                    }
                    None => {
                        self.missing.push(format!(
                            "no picture is given for the {} at {}: it is transparent black",
                            kind_name(b.kind),
                            describe(b)
                        ));
                        texture(self.device, &RgbaImage::new(1, 1).into(), false)?
                    }
                }
            }
        };
        self.kept.push(view.clone());
        Ok(view)
    }

    fn upload(&self, picture: &DynamicImage, raw: bool) -> Result<ImageView> {
        let from_bottom = self.desc.origin() == Origin::LowerLeft;
        match self.desc.premultiplied && !raw {
            true => texture(self.device, &premultiplied(picture), from_bottom),
            false => texture(self.device, picture, from_bottom),
        }
    }

    /// Warns about textures without a picture, and pictures without a texture.
    pub fn warnings(&self) -> Vec<String> {
        let mut out = self.missing.clone();
        let total = self.positional.len();
        for (at, _) in self.positional.iter().enumerate().filter(|(_, used)| !**used) {
            out.push(format!("picture {} of {total} is not used: the shader has no texture for it", at + 1));
        }
        for (named, _) in self.desc.named.iter().zip(&self.named).filter(|(_, used)| !**used) {
            out.push(format!(
                "the picture for `{}` is not used: the shader has no texture of that name",
                named.name
            ));
        }
        out
    }
}
