//! What a Shadertoy is: passes, their texts and what their channels show. Nothing of the device is here.

use std::sync::Arc;

use image::RgbaImage;

use crate::error::{Error, Result};
use crate::frontend::{ChannelDim, PassKind, SourceText};

/// A Shadertoy.
#[derive(Clone, Debug, Default)]
pub struct ShadertoyProject {
    /// Its name, or that of its file.
    pub name: String,
    /// The text before each pass.
    pub common: Option<SourceText>,
    /// Passes in the order in which they are drawn.
    pub passes: Vec<Pass>,
    /// What is not as on the site.
    pub warnings: Vec<String>,
}

/// Which pass: at most one each. Ordered as they are drawn.
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
    /// All of them.
    pub const ALL: [PassId; 7] = [
        PassId::Buffer(0),
        PassId::Buffer(1),
        PassId::Buffer(2),
        PassId::Buffer(3),
        PassId::Cube,
        PassId::Image,
        PassId::Sound,
    ];

    /// The name on the site.
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

    /// The name in files: `buffer_a`.
    pub fn key(self) -> String {
        self.name().to_lowercase().replace(' ', "_")
    }

    /// What it makes.
    pub fn kind(self) -> PassKind {
        match self {
            PassId::Buffer(_) => PassKind::Buffer,
            PassId::Cube => PassKind::Cube,
            PassId::Image => PassKind::Image,
            PassId::Sound => PassKind::Sound,
        }
    }

    /// The pass of a name as people write it: `buffer_a`, `Buffer A`, `BufA`, `cubemap-a`.
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

/// A pass.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Which one.
    pub id: PassId,
    /// Its text.
    pub source: SourceText,
    /// What `iChannel0` to `iChannel3` show.
    pub channels: [Option<Channel>; 4],
}

/// What a channel shows, and how it is sampled.
#[derive(Clone, Debug)]
pub struct Channel {
    /// What it shows.
    pub input: ChannelInput,
    /// How it is sampled.
    pub sampler: ChannelSampler,
}

/// What a channel shows.
#[derive(Clone, Debug)]
pub enum ChannelInput {
    /// A picture, rows from the top.
    Picture(Arc<RgbaImage>),
    /// Faces of a cube map: +X, -X, +Y, -Y, +Z, -Z; rows from the top.
    Faces(Arc<[RgbaImage; 6]>),
    /// A 3D texture.
    Volume(Arc<Volume>),
    /// A buffer or the cube map.
    Pass(PassId),
    /// Keys: none is down, none was pressed.
    Keyboard,
    /// Music or a microphone: no frequencies above, a flat wave below.
    Silence,
    /// A video or a camera: one black pixel.
    Black,
}

/// A 3D texture.
#[derive(Clone, Debug)]
pub struct Volume {
    /// Width, height, depth.
    pub size: [u32; 3],
    /// Texels are floats of 32 bits; otherwise bytes.
    pub float: bool,
    /// Texels of four components, in rows, in slices.
    pub texels: Vec<u8>,
}

/// How a channel is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelSampler {
    /// Between texels.
    pub filter: ChannelFilter,
    /// Outside of the texture.
    pub wrap: ChannelWrap,
    /// The first row of the texture is the lowest of the picture.
    pub vflip: bool,
    /// Colours of pictures are made linear when they are sampled.
    pub srgb: bool,
}

/// Between texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChannelFilter {
    /// The nearest texel.
    Nearest,
    /// Means of neighbours.
    Linear,
    /// Means of neighbours, on smaller levels too.
    Mipmap,
}

/// Outside of the texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChannelWrap {
    /// Texels of the edge.
    Clamp,
    /// The texture again.
    Repeat,
}

impl ChannelInput {
    /// What it is for the shader.
    pub fn dim(&self) -> ChannelDim {
        match self {
            ChannelInput::Faces(_) | ChannelInput::Pass(PassId::Cube) => ChannelDim::Cube,
            ChannelInput::Volume(_) => ChannelDim::D3,
            _ => ChannelDim::D2,
        }
    }

    /// How the site samples it unless told otherwise.
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
    /// An input, sampled as the site does unless told otherwise.
    pub fn new(input: ChannelInput) -> Channel {
        let sampler = input.default_sampler();
        Channel { input, sampler }
    }
}

impl ShadertoyProject {
    /// A Shadertoy of a single pass without channels.
    pub fn single(id: PassId, source: SourceText) -> ShadertoyProject {
        let name = source.name.clone();
        let passes = vec![Pass { id, source, channels: [const { None }; 4] }];
        ShadertoyProject { name, passes, ..ShadertoyProject::default() }
    }

    /// A pass, if there is one.
    pub fn pass(&self, id: PassId) -> Option<&Pass> {
        self.passes.iter().find(|p| p.id == id)
    }

    /// Sorts the passes and looks whether what they show is there.
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
