//! Renders the sound of a Shadertoy.

use super::ShadertoyError;
use super::pass::{Compiled, Program};
use super::project::{PassId, ShadertoyProject};
use super::textures::Texture;
use crate::apps::inputs::Inputs;
use crate::frontend::{ChannelDim, Options, ShadertoyPass};
use crate::{Device, Error, Format, ImageUsage, ImageView, Result};

/// Samples per second.
pub const SAMPLE_RATE: u32 = 44_100;

/// Samples per row of a block, then rows per block.
const WIDTH: u32 = ShadertoyPass::SOUND_WIDTH;
const ROWS: u32 = 128;

/// The sound of a Shadertoy.
pub struct SoundRenderer {
    device: Device,
    program: Program,
    texture: Texture,
    view: ImageView,
}

impl SoundRenderer {
    /// Compiles the sound pass; `None` if the Shadertoy has none.
    ///
    /// # Errors
    /// Those of compiling a pass and of creating its pipeline and image.
    pub fn new(
        device: &Device,
        project: &ShadertoyProject,
        options: &Options,
    ) -> Result<Option<SoundRenderer>, ShadertoyError> {
        let Some(pass) = project.pass(PassId::Sound) else { return Ok(None) };
        let compiled = Compiled::new(device, project, pass, options)?;
        // Two components: the left and right channels of a sample.
        let format = Format::R32G32_SFLOAT;
        let usage = ImageUsage::COLOR_ATTACHMENT;
        let texture = Texture::new(device, ChannelDim::D2, format, [WIDTH, ROWS, 1], false, usage)?;
        let view = texture.attachment(device, 0)?;
        let program = Program::new(device, &compiled, format, 1, |_| None)?;
        Ok(Some(SoundRenderer { device: device.clone(), program, texture, view }))
    }

    /// Returns the samples `first..first + count`, left and right, unchanged from the shader's output.
    ///
    /// # Errors
    /// `Limit` for samples past number 2147483647, `OutOfMemory` if the host lacks memory for them; those of
    /// [`Queue::run`](crate::Queue::run).
    pub fn samples(&mut self, first: u32, count: u32) -> Result<Vec<[f32; 2]>> {
        let last = first.checked_add(count).filter(|end| i32::try_from(*end).is_ok());
        last.ok_or_else(|| Error::Limit("samples of sound are counted up to 2147483647".into()))?;
        let mut samples = quadrille_jit::reserve::with_room(count as usize)?;
        while samples.len() < count as usize {
            let at = first + samples.len() as u32;
            let time = at as f32 / SAMPLE_RATE as f32;
            let inputs = Inputs { sample_rate: SAMPLE_RATE as f32, ..Inputs::new(WIDTH, ROWS, time, 0) };
            self.program.tell(&inputs, [WIDTH, ROWS])?;
            let mut commands = self.device.create_command_buffer();
            self.program.draw(&mut commands, (&self.view, None), at as i32, 0);
            let done = commands.end().and_then(|()| self.device.queue().run(&commands));
            done.map_err(|e| self.program.error(e))?;
            let left = count as usize - samples.len();
            let float = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
            let texels = self.texture.read()?;
            samples.extend(texels.chunks_exact(8).take(left).map(|b| [float(&b[..4]), float(&b[4..])]));
        }
        Ok(samples)
    }
}
