//! Standard inputs of a picture shader: time, resolution, frame, mouse and others.
//!
//! `quadrille render` passes them to every fragment shader that declares them in one of these ways:
//!
//! * a uniform block or push constants, in any set and binding, whose members have the names
//!   below, at any offset;
//! * GLSL uniforms outside blocks (`uniform float time;`), see
//!   [`frontend::Options::relaxed`](crate::frontend::Options::relaxed);
//! * Shadertoy's inputs, with [`compile_shadertoy`](crate::frontend::compile_shadertoy).
//!
//! Members are matched by name without regard to case, underscores and the prefixes `i` and `u`: `time`, `iTime`,
//! `u_time` and `uTime` are the same name. Unknown members are zero. If no member has a name (a stripped module), the
//! block is filled by [`Inputs::default_block`].
//!
//! | name | type | meaning |
//! |---|---|---|
//! | `time` | float | seconds |
//! | `resolution`, `size` | vec2 or vec3 | width and height in pixels, 1 |
//! | `frame` | int, uint or float | number of the frame, from 0 |
//! | `mouse` | vec2 or vec4 | pixels, as in Shadertoy; 0 |
//! | `time_delta`, `dt` | float | seconds from frame to frame |
//! | `frame_rate`, `fps` | float | frames in a second |
//! | `date` | vec4 | year, month, day, second; 0 |
//! | `sample_rate` | float | 44100 |
//! | `channel_resolution` | vec3\[4\] | size of each texture |
//! | `channel_time` | float\[4\] | `time` |

use quadrille_jit::reserve;

use crate::error::{Error, Result};
use crate::frontend::Shadertoy;

/// The values of the inputs for one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// Width and height in pixels, then 1.
    pub resolution: [f32; 3],
    /// Time in seconds.
    pub time: f32,
    /// Seconds between frames.
    pub time_delta: f32,
    /// Frames per second.
    pub frame_rate: f32,
    /// Number of the frame.
    pub frame: i32,
    /// Position of the mouse in pixels, then position of the click.
    pub mouse: [f32; 4],
    /// Year, month, day, and second of the day.
    pub date: [f32; 4],
    /// Sound samples per second.
    pub sample_rate: f32,
    /// Width, height and depth of each texture, in texels.
    pub channel_resolution: [[f32; 3]; 4],
    /// Playback time of each texture, in seconds.
    pub channel_time: [f32; 4],
}

impl Default for Inputs {
    fn default() -> Self {
        Inputs {
            resolution: [1.0, 1.0, 1.0],
            time: 0.0,
            time_delta: 1.0 / 60.0,
            frame_rate: 60.0,
            frame: 0,
            mouse: [0.0; 4],
            date: [0.0; 4],
            sample_rate: 44100.0,
            channel_resolution: [[0.0; 3]; 4],
            channel_time: [0.0; 4],
        }
    }
}

/// Type of the components of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// 32-bit float.
    F32,
    /// 32-bit integer, signed or not.
    I32,
}

/// A member of a block as reflection reports it: a scalar, a vector, or an array of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// Name; empty if the module has none.
    pub name: &'a str,
    /// Offset in the block, in bytes.
    pub offset: usize,
    /// Type of the components.
    pub scalar: Scalar,
    /// Number of components: 1 to 4.
    pub components: usize,
    /// Number of array elements; 1 if the member is not an array.
    pub len: usize,
    /// Stride of the array in bytes; ignored if the member is not an array.
    pub stride: usize,
}

impl Inputs {
    /// Creates the inputs for a picture of the given size, at a time in seconds, as frame `frame`.
    pub fn new(width: u32, height: u32, time: f32, frame: i32) -> Self {
        Inputs {
            resolution: [width as f32, height as f32, 1.0],
            time,
            frame,
            channel_time: [time; 4],
            ..Inputs::default()
        }
    }

    /// Returns an error if a value is not finite, because the shader could not render a meaningful picture.
    pub(super) fn check(&self) -> Result<()> {
        let values = [
            ("time", &[self.time][..]),
            ("time_delta", &[self.time_delta]),
            ("frame_rate", &[self.frame_rate]),
            ("mouse", &self.mouse),
            ("date", &self.date),
            ("resolution", &self.resolution),
        ];
        let wrong = values.iter().find(|(_, values)| values.iter().any(|v| !v.is_finite()));
        wrong.map_or(Ok(()), |(name, values)| {
            Err(Error::invalid(format!("the input `{name}` is {values:?}: inputs are finite numbers")))
        })
    }

    /// Returns the block for a module without names: `{ vec2 resolution; float time; int frame; vec4 mouse; }`.
    pub fn default_block(&self) -> [u8; 32] {
        let mut block = [0; 32];
        let [w, h, _] = self.resolution;
        put(&mut block, 0, &[w, h, self.time]);
        block[12..16].copy_from_slice(&self.frame.to_le_bytes());
        put(&mut block, 16, &self.mouse);
        block
    }

    /// Returns the contents of the uniform block of [`wrap_shadertoy`](crate::frontend::wrap_shadertoy).
    pub fn shadertoy_block(&self) -> [u8; Shadertoy::BLOCK_BYTES] {
        let mut block = [0; Shadertoy::BLOCK_BYTES];
        put(&mut block, 0, &self.resolution);
        put(&mut block, 12, &[self.time]);
        put(&mut block, 16, &self.mouse);
        put(&mut block, 32, &self.date);
        put(&mut block, 48, &[self.time_delta, self.frame_rate]);
        block[56..60].copy_from_slice(&self.frame.to_le_bytes());
        put(&mut block, 60, &[self.sample_rate]);
        for n in 0..4 {
            put(&mut block, 64 + 16 * n, &self.channel_resolution[n]);
            put(&mut block, 128 + 16 * n, &[self.channel_time[n]]);
        }
        block
    }

    /// Fills a block of `size` bytes by the names of its members. Members outside `size` are skipped; a block without
    /// names gets [`Inputs::default_block`].
    ///
    /// # Errors
    /// `OutOfMemory` if the host lacks memory for the block.
    pub fn fill(&self, members: &[Member<'_>], size: usize) -> Result<Vec<u8>> {
        let mut block = reserve::zeroed(size)?;
        if members.iter().all(|m| m.name.is_empty()) {
            let default = self.default_block();
            let n = size.min(default.len());
            block[..n].copy_from_slice(&default[..n]);
            return Ok(block);
        }
        for member in members {
            for element in 0..member.len {
                let Some(values) = self.values(member.name, element) else { break };
                for (n, value) in values.iter().take(member.components).enumerate() {
                    let bits = match member.scalar {
                        Scalar::F32 => value.to_bits(),
                        Scalar::I32 => *value as i32 as u32,
                    };
                    let at = element
                        .saturating_mul(member.stride)
                        .saturating_add(member.offset)
                        .saturating_add(4 * n);
                    if let Some(place) = at.checked_add(4).and_then(|end| block.get_mut(at..end)) {
                        place.copy_from_slice(&bits.to_le_bytes());
                    }
                }
            }
        }
        Ok(block)
    }

    /// True if a member of this name is an input.
    pub fn knows(name: &str) -> bool {
        Inputs::default().values(name, 0).is_some()
    }

    /// Returns the components of array element `element` of the input called `name`.
    fn values(&self, name: &str, element: usize) -> Option<Vec<f32>> {
        let only = |values: &[f32]| (element == 0).then(|| values.to_vec());
        match plain(name).as_str() {
            "time" | "globaltime" | "seconds" => only(&[self.time]),
            "resolution" | "size" | "viewport" => only(&self.resolution),
            "frame" | "framecount" | "frameindex" => only(&[self.frame as f32]),
            "mouse" => only(&self.mouse),
            "timedelta" | "deltatime" | "dt" => only(&[self.time_delta]),
            "framerate" | "fps" => only(&[self.frame_rate]),
            "date" => only(&self.date),
            "samplerate" => only(&[self.sample_rate]),
            "channelresolution" => self.channel_resolution.get(element).map(|r| r.to_vec()),
            "channeltime" => self.channel_time.get(element).map(|t| vec![*t]),
            _ => None,
        }
    }
}

fn put(block: &mut [u8], at: usize, values: &[f32]) {
    for (place, value) in block[at..].chunks_exact_mut(4).zip(values) {
        place.copy_from_slice(&value.to_le_bytes());
    }
}

/// Normalizes a name: `u_time`, `uTime`, `iTime` and `TIME` become `time`, and so does `child.time` of a child program.
fn plain(name: &str) -> String {
    let name = name.rsplit('.').next().unwrap_or(name);
    let stripped = match name.as_bytes() {
        [b'u' | b'i', b'_' | b'A'..=b'Z', ..] => &name[1..],
        _ => name,
    };
    stripped.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, offset: usize, scalar: Scalar, components: usize) -> Member<'_> {
        Member { name, offset, scalar, components, len: 1, stride: 0 }
    }

    #[test]
    fn names() {
        for name in ["time", "iTime", "u_time", "uTime", "TIME", "iGlobalTime", "child.iTime"] {
            assert!(Inputs::knows(name), "{name}");
        }
        assert!(!Inputs::knows("color"));
    }

    #[test]
    fn fills_by_name() {
        let inputs = Inputs { mouse: [1.0, 2.0, 3.0, 4.0], ..Inputs::new(320, 200, 1.5, 7) };
        let members = [
            member("u_frame", 0, Scalar::I32, 1),
            member("iResolution", 4, Scalar::F32, 2),
            member("other", 12, Scalar::F32, 1),
            member("time", 16, Scalar::F32, 1),
            member("mouse", 24, Scalar::F32, 4),
        ];
        let block = inputs.fill(&members, 32).unwrap();
        let word = |n: usize| u32::from_le_bytes(block[4 * n..4 * n + 4].try_into().unwrap());
        assert_eq!(word(0), 7);
        assert_eq!(f32::from_bits(word(1)), 320.0);
        assert_eq!(f32::from_bits(word(2)), 200.0);
        assert_eq!(word(3), 0);
        assert_eq!(f32::from_bits(word(4)), 1.5);
        // The second half of `mouse` lies outside the block.
        assert_eq!(f32::from_bits(word(7)), 2.0);
    }

    #[test]
    fn without_names() {
        let block = Inputs::new(2, 3, 0.5, 1).fill(&[member("", 0, Scalar::F32, 4)], 20).unwrap();
        assert_eq!(block[..4], 2.0f32.to_le_bytes());
        assert_eq!(block[12..16], 1i32.to_le_bytes());
    }
}
