//! Outputs that transform feedback captures: decorations XfbBuffer, XfbStride and Offset.
//!
//! Scalars are noted as variables are met; where they are in a vertex is known once outputs are in order.
//! Spec: Vulkan, "Transform Feedback" (vertexpostproc-transform-feedback).

use spirv::Decoration;

use super::Lower;
use crate::abi::interface_words;
use crate::error::{Error, Result};
use crate::ir::{Interface, MAX_STREAMS, Shader, Slot, XfbOutput};
use crate::spirv::module::Deco;

/// Most bytes from one vertex to the next in a buffer.
pub const MAX_STRIDE: u32 = 2048;

/// What decorations of a variable or of a member say.
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
    /// Notes the leaves of a variable or of a member.
    pub(super) fn capture(&mut self, decorated: Decorated, leaves: &[(Interface, usize)]) -> Result<()> {
        let Decorated { buffer: Some(buffer), stride, offset } = decorated else { return Ok(()) };
        if buffer as usize >= MAX_STREAMS {
            return Err(Error::Limit(format!("XfbBuffer {buffer}, of {MAX_STREAMS}")));
        }
        let (Some(stride), Some(&(first, _))) = (stride, leaves.first()) else { return Ok(()) };
        if stride > MAX_STRIDE {
            return Err(Error::Limit(format!("XfbStride {stride}, at most {MAX_STRIDE}")));
        }
        let known = std::mem::replace(&mut self.sh.xfb.strides[buffer as usize], stride);
        if known != 0 && known != stride {
            return Err(Error::invalid(format!("two strides of buffer {buffer}")));
        }
        // Without Offset nothing is captured, and nothing said of the buffer's stream.
        let Some(mut at) = offset else { return Ok(()) };
        let captured = self.io.captured.iter().any(|c| c.buffer == buffer);
        let known = std::mem::replace(&mut self.sh.xfb.streams[buffer as usize], first.stream);
        if captured && known != first.stream {
            return Err(Error::invalid(format!("two streams of buffer {buffer}")));
        }
        for (interface, _) in leaves {
            let bytes = interface.ty.bytes();
            // Spec: VUID-StandaloneSpirv-Offset-04692.
            if bytes < 4 {
                let ty = interface.ty;
                return Err(Error::invalid(format!("a captured output of {ty}: of 32 or 64 bits it may be")));
            }
            at = at.next_multiple_of(bytes);
            if at.checked_add(bytes).is_none_or(|end| end > stride) {
                return Err(Error::invalid(format!("a captured output is not within XfbStride {stride}")));
            }
            self.io.captured.push(Captured { slot: interface.slot, buffer, offset: at });
            at += bytes;
        }
        Ok(())
    }

    /// Whether a scalar is captured.
    pub(super) fn is_captured(&self, interface: &Interface) -> bool {
        self.io.captured.iter().any(|c| c.slot == interface.slot)
    }
}

/// Lists the words that are captured, once outputs are in order.
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
