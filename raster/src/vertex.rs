//! Vertex input and the vertex stage: attributes to rows, rows to records.
//!
//! [`Fetch`] is made once per draw state. Its scalar loops are right for every format; formats of
//! plain 32-bit components, which most meshes use, take a short cut. Reads are robust: an element
//! that is not wholly inside its buffer reads as zeros.

use quadrille_jit::abi::interface_words;
use quadrille_jit::error::{Error, Result};
use quadrille_jit::ir::Slot;

use crate::buffer::BufferRange;
use crate::draw_state::word_offsets;
use crate::format::{Format, FormatFeatures};
use crate::state::{DrawStateDesc, VertexRate};

/// Marks a component that the shader does not read.
const UNUSED: u32 = u32::MAX;

/// An attribute with the rows its components go to.
#[derive(Clone, Copy, Debug)]
struct Attribute {
    binding: usize,
    stride: u64,
    offset: u64,
    rate: VertexRate,
    format: Format,
    /// Components of 32 bits in memory order, copied as they are; 0 for formats to be converted.
    plain: u32,
    /// Row of each component.
    rows: [u32; 4],
}

/// How vertex inputs are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fetch {
    attributes: Vec<Attribute>,
    /// 32-bit words per vertex.
    pub words: u32,
}

impl Fetch {
    /// Matches shader inputs to attributes. `Invalid` when an input has none.
    pub fn new(d: &DrawStateDesc) -> Result<Self> {
        let inputs = &d.vertex.inputs;
        let mut attributes = Vec::new();
        for a in &d.vertex_attributes {
            let mut rows = [UNUSED; 4];
            for (word, i) in word_offsets(inputs) {
                if let Slot::Location { location, component, .. } = i.slot
                    && location == a.location
                {
                    if i.ty.bytes() == 8 {
                        return Err(Error::unsupported("64-bit vertex inputs"));
                    }
                    rows[component as usize & 3] = word;
                }
            }
            if rows == [UNUSED; 4] {
                continue;
            }
            if !a.format.features().contains(FormatFeatures::VERTEX_BUFFER) {
                return Err(Error::unsupported(format!("vertex attributes of format {}", a.format.name())));
            }
            let binding = d.vertex_bindings.iter().find(|b| b.binding == a.binding);
            let binding = binding.ok_or_else(|| {
                Error::invalid(format!(
                    "attribute {} names binding {}, which is not there",
                    a.location, a.binding
                ))
            })?;
            let info = a.format.info();
            attributes.push(Attribute {
                binding: a.binding as usize,
                stride: u64::from(binding.stride),
                offset: u64::from(a.offset),
                rate: binding.rate,
                format: a.format,
                plain: if info.is_plain(32) { info.components() } else { 0 },
                rows,
            });
        }
        for i in inputs {
            if let Slot::Location { location, .. } = i.slot
                && !d.vertex_attributes.iter().any(|a| a.location == location)
            {
                return Err(Error::invalid(format!("vertex input at location {location} has no attribute")));
            }
        }
        Ok(Fetch { attributes, words: interface_words(inputs) })
    }

    /// Reads the inputs of all vertices into rows of `lanes` words, as the vertex stage wants them.
    pub fn run(
        &self,
        buffers: &[BufferRange],
        vertex_ids: &[u32],
        instance_ids: &[u32],
        first_instance: u32,
        lanes: usize,
        rows: &mut [u32],
    ) {
        let group_words = self.words as usize * lanes;
        if group_words == 0 {
            return;
        }
        for a in &self.attributes {
            let buffer = buffers.get(a.binding).copied().unwrap_or(BufferRange::EMPTY);
            let one = a.format.info().one();
            let read = |element: u32| {
                let at = u64::from(element) * a.stride + a.offset;
                match a.plain {
                    1 => words::<4, 1>(&buffer, at, one),
                    2 => words::<8, 2>(&buffer, at, one),
                    3 => words::<12, 3>(&buffer, at, one),
                    4 => words::<16, 4>(&buffer, at, one),
                    _ => convert(&buffer, at, a.format),
                }
            };
            let ids = if a.rate == VertexRate::Vertex { vertex_ids } else { instance_ids };
            for (group, ids) in rows.chunks_exact_mut(group_words).zip(ids.chunks(lanes)) {
                for (lane, &id) in ids.iter().enumerate() {
                    let element = match a.rate {
                        VertexRate::Vertex | VertexRate::Instance(1) => id,
                        VertexRate::Instance(0) => first_instance,
                        VertexRate::Instance(d) => {
                            first_instance.wrapping_add(id.wrapping_sub(first_instance) / d)
                        }
                    };
                    let texel = read(element);
                    for (&word, &row) in texel.iter().zip(&a.rows) {
                        if row != UNUSED {
                            group[row as usize * lanes + lane] = word;
                        }
                    }
                }
            }
        }
    }
}

/// Plain components, the missing ones 0, 0, 1.
#[inline]
fn words<const BYTES: usize, const N: usize>(buffer: &BufferRange, at: u64, one: u32) -> [u32; 4] {
    let bytes = buffer.read::<BYTES>(at).unwrap_or([0; BYTES]);
    let mut out = [0, 0, 0, one];
    for (c, word) in bytes.chunks_exact(4).take(N).enumerate() {
        out[c] = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
    }
    out
}

/// Any format.
fn convert(buffer: &BufferRange, at: u64, format: Format) -> [u32; 4] {
    let info = format.info();
    let word = match info.bytes {
        1 => buffer.read::<1>(at).map(|b| u128::from(b[0])),
        2 => buffer.read(at).map(|b| u128::from(u16::from_le_bytes(b))),
        3 => buffer.read::<3>(at).map(|b| u128::from(u32::from_le_bytes([b[0], b[1], b[2], 0]))),
        4 => buffer.read(at).map(|b| u128::from(u32::from_le_bytes(b))),
        8 => buffer.read(at).map(|b| u128::from(u64::from_le_bytes(b))),
        16 => buffer.read(at).map(u128::from_le_bytes),
        n => (0..u64::from(n)).try_fold(0, |word, i| {
            buffer.read::<1>(at + i).map(|b| word | u128::from(b[0]) << (8 * i.min(15)))
        }),
    };
    info.unpack_word(word.unwrap_or(0))
}
