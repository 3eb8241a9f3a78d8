//! Outputs that transform feedback captures: decorations XfbBuffer, XfbStride and Offset.
//!
//! Captured scalars are recorded while variables are lowered. Their offsets in a vertex are known after the outputs are
//! sorted. Spec: Vulkan, "Transform Feedback" (vertexpostproc-transform-feedback).

use spirv::Decoration;

use super::Lower;
use crate::abi::interface_words;
use crate::error::{Error, Result};
use crate::ir::{Interface, MAX_STREAMS, Shader, Slot, XfbOutput};
use crate::spirv::module::Deco;
use crate::spirv::types::Type;

/// Maximum stride of a transform feedback buffer, in bytes.
pub const MAX_STRIDE: u32 = 2048;

/// Transform feedback decorations of a variable or of a member.
#[derive(Clone, Copy, Default)]
pub(super) struct Decorated {
    pub(super) buffer: Option<u32>,
    stride: Option<u32>,
    offset: Option<u32>,
}

impl Decorated {
    pub(super) fn with(mut self, decos: &[Deco]) -> Decorated {
        for &(kind, arg) in decos {
            match kind {
                Decoration::XfbBuffer => self.buffer = Some(arg),
                Decoration::XfbStride => self.stride = Some(arg),
                Decoration::Offset => self.offset = Some(arg),
                _ => {}
            }
        }
        self
    }
}

/// A scalar that is captured.
pub(super) struct Captured {
    slot: Slot,
    buffer: u32,
    offset: u32,
}

impl Lower<'_> {
    /// Records the leaves of a variable or of a member; `ty` is its type.
    pub(super) fn capture(
        &mut self,
        decorated: Decorated,
        ty: u32,
        leaves: &[(Interface, usize)],
    ) -> Result<()> {
        let Decorated { buffer: Some(buffer), stride, offset } = decorated else { return Ok(()) };
        if buffer as usize >= MAX_STREAMS {
            return Err(Error::Limit(format!("XfbBuffer {buffer}, must be less than {MAX_STREAMS}")));
        }
        let (Some(stride), Some(&(first, _))) = (stride, leaves.first()) else { return Ok(()) };
        if stride > MAX_STRIDE {
            return Err(Error::Limit(format!("XfbStride {stride}, at most {MAX_STRIDE}")));
        }
        let known = std::mem::replace(&mut self.shader.xfb.strides[buffer as usize], stride);
        if known != 0 && known != stride {
            return Err(Error::invalid(format!("buffer {buffer} has two different strides")));
        }
        // Without Offset, nothing is captured, and the buffer has no stream yet.
        let Some(at) = offset else { return Ok(()) };
        let captured = self.io.captured.iter().any(|c| c.buffer == buffer);
        let known = std::mem::replace(&mut self.shader.xfb.streams[buffer as usize], first.stream);
        if captured && known != first.stream {
            return Err(Error::invalid(format!("buffer {buffer} has two different streams")));
        }
        let mut places = Vec::with_capacity(leaves.len());
        self.places_of(ty, at, &mut places)?;
        if places.len() != leaves.len() {
            return Err(Error::Internal("a captured output does not have the scalars of its type".into()));
        }
        for ((interface, _), at) in leaves.iter().zip(places) {
            let bytes = interface.ty.bytes();
            // Spec: VUID-StandaloneSpirv-Offset-04692.
            if bytes < 4 {
                let ty = interface.ty;
                return Err(Error::invalid(format!(
                    "a captured output of type {ty}; it must have 32 or 64 bits"
                )));
            }
            if at.checked_add(bytes).is_none_or(|end| end > stride) {
                return Err(Error::invalid(format!("a captured output is not within XfbStride {stride}")));
            }
            self.io.captured.push(Captured { slot: interface.slot, buffer, offset: at });
        }
        Ok(())
    }

    /// Appends the offset of each scalar of a type that starts at `at`, aligned up, and returns the offset after the
    /// last scalar. A type with 64-bit scalars starts and ends at a multiple of 8; other scalars are packed tightly.
    /// Spec: GLSL 4.60, "Transform Feedback Layout Qualifiers".
    fn places_of(&mut self, ty: u32, at: u32, places: &mut Vec<u32>) -> Result<u32> {
        let m = self.module;
        let unit = if self.is_wide(ty)? { 8 } else { 4 };
        let align = |at: u32| at.checked_next_multiple_of(unit).unwrap_or(u32::MAX - 7);
        let mut at = align(at);
        match m.ty(ty)? {
            Type::Struct { members } => {
                for &member in members {
                    at = self.places_of(member, at, places)?;
                    self.work(1)?;
                }
            }
            Type::Array { elem, .. } => {
                for _ in 0..self.types.array_len(ty)? {
                    at = self.places_of(*elem, at, places)?;
                    self.work(1)?;
                }
            }
            Type::Matrix { column, columns, .. } => {
                for _ in 0..*columns {
                    at = self.places_of(*column, at, places)?;
                }
            }
            Type::Vector { elem, .. } => {
                for _ in 0..self.types.leaves(ty)? {
                    at = self.places_of(*elem, at, places)?;
                }
            }
            _ => {
                places.push(at);
                at = at.saturating_add(unit);
            }
        }
        Ok(align(at))
    }

    /// `true` if the type contains 64-bit scalars.
    fn is_wide(&self, ty: u32) -> Result<bool> {
        Ok(match self.module.ty(ty)? {
            Type::Struct { members } => {
                for &member in members {
                    if self.is_wide(member)? {
                        return Ok(true);
                    }
                }
                false
            }
            Type::Array { elem, .. } | Type::Matrix { elem, .. } | Type::Vector { elem, .. } => {
                self.is_wide(*elem)?
            }
            Type::Int { bits, .. } | Type::Float { bits } => *bits == 64,
            _ => false,
        })
    }

    /// `true` if transform feedback captures a scalar.
    pub(super) fn is_captured(&self, interface: &Interface) -> bool {
        self.io.captured.iter().any(|c| c.slot == interface.slot)
    }
}

/// Lists the captured words of each buffer, after outputs are sorted.
pub(super) fn list(sh: &mut Shader, captured: &[Captured]) {
    for c in captured {
        let stream = sh.xfb.streams[c.buffer as usize];
        let outputs: Vec<Interface> = sh.stream(stream).copied().collect();
        let Some(at) = outputs.iter().position(|o| o.slot == c.slot) else { continue };
        let word = interface_words(&outputs[..at]);
        for k in 0..outputs[at].ty.bytes() / 4 {
            sh.xfb.outputs.push(XfbOutput { word: word + k, buffer: c.buffer, offset: c.offset + 4 * k });
        }
    }
    sh.xfb.outputs.sort_by_key(|o| (o.buffer, o.offset));
}
