//! Whole Shadertoys: passes that read each other, textures, feedback from frame to frame, sound.
//!
//! ```text
//!   project   a Shadertoy: passes, sources and channels
//!     load      ... read from a path, which is one of:
//!     folder    ... a folder of files
//!     json      ... JSON of Shadertoy's API
//!     media     textures: files and generated noise
//!   picture   draws frames    } use `pass`, a pass that is ready to run,
//!   sound     makes samples   } and `textures`, images of the device
//! ```
//!
//! Frames are as on the site: buffers A to D are drawn first, then the cube map, then the picture. A pass that reads an
//! earlier pass sees its current frame; a pass that reads itself or a later pass sees the previous frame. Buffers hold
//! 32-bit floats, cube maps of 1024x1024 texels 16-bit floats; both begin as zeros. Missing inputs cause warnings: the
//! keyboard has no keys down, sound inputs are silent, and videos and cameras are black.

mod folder;
mod json;
mod load;
mod media;
mod pass;
mod picture;
mod project;
mod sound;
mod textures;

pub use picture::{Renderer, RendererDesc};
pub use project::{
    Channel, ChannelFilter, ChannelInput, ChannelSampler, ChannelWrap, Pass, PassId, ShadertoyProject, Volume,
};
pub use sound::{SAMPLE_RATE, SoundRenderer};

use crate::error::Error;
use crate::frontend::CompileError;

/// Error from compiling or running a Shadertoy.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ShadertoyError {
    /// The text of a pass does not compile.
    #[error(transparent)]
    Compile(#[from] Box<CompileError>),
    /// The device reported an error.
    #[error(transparent)]
    Device(#[from] Error),
}

impl From<CompileError> for ShadertoyError {
    fn from(error: CompileError) -> Self {
        ShadertoyError::Compile(Box::new(error))
    }
}

impl From<ShadertoyError> for Error {
    fn from(error: ShadertoyError) -> Self {
        match error {
            ShadertoyError::Compile(error) => (*error).into(),
            ShadertoyError::Device(error) => error,
        }
    }
}
