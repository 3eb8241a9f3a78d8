//! Description of a Shadertoy: passes, their texts and their channels. Independent of the device.

use std::sync::Arc;

use image::RgbaImage;

use crate::error::{Error, Result};
use crate::frontend::{ChannelDim, PassKind, SourceText};

/// A Shadertoy.
#[derive(Clone, Debug, Default)]
pub struct ShadertoyProject {
    /// Name of the Shadertoy, or of its file.
    pub name: String,
    /// Text that precedes each pass.
    pub common: Option<SourceText>,
    /// Passes in drawing order.
    pub passes: Vec<Pass>,
    /// Differences from the site.
    pub warnings: Vec<String>,
}

/// Identifies a pass; there is at most one of each. Ordered by drawing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PassId {
    /// Buffer A (0) to D (3).
    Buffer(u8),
    /// Cube A.
    Cube,
    /// The picture.
    Image,
    /// The sound.
    Sound,
}

impl PassId {
    /// All passes.
    pub const ALL: [PassId; 7] = [
        PassId::Buffer(0),
        PassId::Buffer(1),
        PassId::Buffer(2),
        PassId::Buffer(3),
        PassId::Cube,
        PassId::Image,
        PassId::Sound,
    ];

    /// Name of the pass on the site.
    pub fn name(self) -> &'static str {
        match self {
            PassId::Buffer(0) => "Buffer A",
            PassId::Buffer(1) => "Buffer B",
            PassId::Buffer(2) => "Buffer C",
            PassId::Buffer(_) => "Buffer D",
            PassId::Cube => "Cube A",
            PassId::Image => "Image",
            PassId::Sound => "Sound",
        }
    }

    /// Name of the pass in files: `buffer_a`.
    pub fn key(self) -> String {
        self.name().to_lowercase().replace(' ', "_")
    }

    /// Kind of output of the pass.
    pub fn kind(self) -> PassKind {
        match self {
            PassId::Buffer(_) => PassKind::Buffer,
            PassId::Cube => PassKind::Cube,
            PassId::Image => PassKind::Image,
            PassId::Sound => PassKind::Sound,
        }
    }

    /// Parses the common spellings of a pass name: `buffer_a`, `Buffer A`, `BufA`, `cubemap-a`.
    pub(super) fn of_name(name: &str) -> Option<PassId> {
        let plain: String =
            name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        Some(match plain.as_str() {
            "image" => PassId::Image,
            "sound" => PassId::Sound,
            "cubea" | "cubemapa" => PassId::Cube,
            _ => match plain.strip_prefix("buffer").or_else(|| plain.strip_prefix("buf"))? {
                "a" => PassId::Buffer(0),
                "b" => PassId::Buffer(1),
                "c" => PassId::Buffer(2),
                "d" => PassId::Buffer(3),
                _ => return None,
            },
        })
    }
}

/// A pass with its text and channels.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Identity of the pass.
    pub id: PassId,
    /// Text of the pass.
    pub source: SourceText,
    /// Channels `iChannel0` to `iChannel3`.
    pub channels: [Option<Channel>; 4],
}

/// Input of a channel, with its sampler settings.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Input that the channel shows.
    pub input: ChannelInput,
    /// Sampler settings of the channel.
    pub sampler: ChannelSampler,
}

/// Input that a channel shows.
#[derive(Clone, Debug)]
pub enum ChannelInput {
    /// A picture, with rows from the top.
    Picture(Arc<RgbaImage>),
    /// Faces of a cube map: +X, -X, +Y, -Y, +Z, -Z, with rows from the top.
    Faces(Arc<[RgbaImage; 6]>),
    /// A 3D texture.
    Volume(Arc<Volume>),
    /// A buffer or the cube map.
    Pass(PassId),
    /// The keyboard, with no key down or pressed.
    Keyboard,
    /// Music or a microphone: a first row of zero frequencies, and a second row with a flat wave.
    Silence,
    /// A video or a camera: one black pixel.
    Black,
}

/// A 3D texture.
#[derive(Clone, Debug)]
pub struct Volume {
    /// Width, height, depth.
    pub size: [u32; 3],
    /// True if texels are 32-bit floats; otherwise they are bytes.
    pub float: bool,
    /// Texels of four components, row by row and slice by slice.
    pub texels: Vec<u8>,
}

/// Sampler settings of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelSampler {
    /// Filter mode.
    pub filter: ChannelFilter,
    /// Address mode.
    pub wrap: ChannelWrap,
    /// True if the first row of the texture is the lowest row of the picture.
    pub vflip: bool,
    /// True if sampling converts colours from sRGB to linear.
    pub srgb: bool,
}

/// Filter mode of a sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChannelFilter {
    /// The nearest texel.
    Nearest,
    /// Linear interpolation of neighbouring texels.
    Linear,
    /// Linear interpolation, in smaller mip levels too.
    Mipmap,
}

/// Address mode of a sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChannelWrap {
    /// Coordinates are clamped to the edge.
    Clamp,
    /// The texture repeats.
    Repeat,
}

impl ChannelInput {
    /// Sampler type of the input in the shader.
    pub fn dim(&self) -> ChannelDim {
        match self {
            ChannelInput::Faces(_) | ChannelInput::Pass(PassId::Cube) => ChannelDim::Cube,
            ChannelInput::Volume(_) => ChannelDim::D3,
            _ => ChannelDim::D2,
        }
    }

    /// Sampler settings that the site uses by default.
    pub fn default_sampler(&self) -> ChannelSampler {
        use ChannelFilter::{Linear, Mipmap, Nearest};
        use ChannelWrap::{Clamp, Repeat};
        let (filter, wrap) = match self {
            ChannelInput::Picture(_) | ChannelInput::Volume(_) => (Mipmap, Repeat),
            ChannelInput::Keyboard => (Nearest, Clamp),
            _ => (Linear, Clamp),
        };
        let vflip = matches!(self, ChannelInput::Picture(_) | ChannelInput::Faces(_));
        ChannelSampler { filter, wrap, vflip, srgb: false }
    }
}

impl Channel {
    /// Creates a channel with the site's default sampler settings.
    pub fn new(input: ChannelInput) -> Channel {
        let sampler = input.default_sampler();
        Channel { input, sampler }
    }
}

impl ShadertoyProject {
    /// Creates a Shadertoy with a single pass and no channels.
    pub fn single(id: PassId, source: SourceText) -> ShadertoyProject {
        let name = source.name.clone();
        let passes = vec![Pass { id, source, channels: [const { None }; 4] }];
        ShadertoyProject { name, passes, ..ShadertoyProject::default() }
    }

    /// Returns a pass, if it exists.
    pub fn pass(&self, id: PassId) -> Option<&Pass> {
        self.passes.iter().find(|p| p.id == id)
    }

    /// Sorts the passes and checks that the passes in their channels exist.
    pub(super) fn checked(mut self) -> Result<ShadertoyProject> {
        self.passes.sort_by_key(|p| p.id);
        if let Some(pair) = self.passes.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(Error::invalid(format!("{}: there are two passes {}", self.name, pair[0].id.name())));
        }
        if self.passes.is_empty() {
            return Err(Error::invalid(format!("{}: there is no pass", self.name)));
        }
        let mut silent = Vec::new();
        for pass in &self.passes {
            for (n, channel) in pass.channels.iter().enumerate() {
                let what = match channel.as_ref().map(|c| &c.input) {
                    Some(ChannelInput::Pass(id)) if self.pass(*id).is_none() => {
                        let message = format!(
                            "{}: iChannel{n} of {} shows {}, which is not there",
                            self.name,
                            pass.id.name(),
                            id.name()
                        );
                        return Err(Error::invalid(message));
                    }
                    Some(ChannelInput::Keyboard) => "a keyboard: no key is down",
                    Some(ChannelInput::Silence) => "sound: it is silent",
                    Some(ChannelInput::Black) => "a video or a camera: it is black",
                    _ => continue,
                };
                silent.push(format!("iChannel{n} of {} is {what}", pass.id.name()));
            }
        }
        self.warnings.extend(silent);
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for id in PassId::ALL {
            assert_eq!(PassId::of_name(id.name()), Some(id));
            assert_eq!(PassId::of_name(&id.key()), Some(id));
        }
        assert_eq!(PassId::of_name("Buf B"), Some(PassId::Buffer(1)));
        assert_eq!(PassId::of_name("cubemap-a"), Some(PassId::Cube));
        for other in ["buffer_e", "buffer", "common", "", "bufferaa"] {
            assert_eq!(PassId::of_name(other), None, "{other}");
        }
        assert!(PassId::ALL.is_sorted());
    }
}
