//! Vertex input and the vertex stage: attributes to rows, rows to records.
//!
//! [`Fetch`] is made once per draw state. Its scalar loops are right for every format; for formats
//! made of 32-bit words there are generated kernels, one per attribute. Reads are robust: an element
//! that is not wholly inside its buffer reads as zeros.

mod kernel;

use quadrille_jit::abi::interface_words;
use quadrille_jit::error::{Error, Result};
use quadrille_jit::ir::Slot;
use quadrille_jit::lane::Kernel;

use crate::buffer::BufferRange;
use crate::draw_state::word_offsets;
use crate::format::{Format, FormatFeatures};
use crate::state::{DrawStateDesc, VertexRate};

/// Marks a component that the shader does not read.
const UNUSED: u32 = u32::MAX;

/// An attribute with the rows its components go to.
#[derive(Clone)]
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
    /// Kernel for the lane group size that was prepared.
    kernel: Option<(kernel::Key, Kernel)>,
}

impl std::fmt::Debug for Attribute {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {} of binding {}", self.format.name(), self.offset, self.binding)
    }
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
                kernel: None,
            });
        }
        for i in inputs.iter().filter(|_| !d.vertex_input_later) {
            if let Slot::Location { location, .. } = i.slot
                && !d.vertex_attributes.iter().any(|a| a.location == location)
            {
                return Err(Error::invalid(format!("vertex input at location {location} has no attribute")));
            }
        }
        let words = interface_words(inputs);
        if !d.scalar_merge {
            let lanes = if d.lanes == 0 { 8 } else { d.lanes };
            for a in &mut attributes {
                let key = kernel::Key { format: a.format, rows: a.rows, words, lanes };
                a.kernel = kernel::make(key)?.map(|k| (key, k));
            }
        }
        Ok(Fetch { attributes, words })
    }

    /// Reads the inputs of all vertices into rows of `lanes` words, as the vertex stage wants them.
    /// Ids fill whole groups.
    pub fn run(
        &self,
        buffers: &[BufferRange],
        vertex_ids: &[u32],
        instance_ids: &[u32],
        first_instance: u32,
        lanes: usize,
        rows: &mut [u32],
    ) {
        let mut stepped = Vec::new();
        for a in &self.attributes {
            let buffer = buffers.get(a.binding).copied().unwrap_or(BufferRange::EMPTY);
            let elements = match a.rate {
                VertexRate::Vertex => vertex_ids,
                VertexRate::Instance(1) => instance_ids,
                VertexRate::Instance(d) => {
                    stepped.clear();
                    stepped.extend(instance_ids.iter().map(|i| {
                        let step = i.wrapping_sub(first_instance).checked_div(d).unwrap_or(0);
                        first_instance.wrapping_add(step)
                    }));
                    &stepped
                }
            };
            let valid = buffer.whole_elements(a.offset, a.stride, a.format.bytes());
            match &a.kernel {
                Some((key, k)) if valid > 0 && key.lanes as usize == lanes => {
                    let base = buffer.at(a.offset);
                    // SAFETY: `whole_elements` counts those that lie inside the buffer, which
                    // `BufferRange::new` promises to be readable, below 2^32 bytes from the base.
                    #[expect(unsafe_code, reason = "calls a kernel on device memory")]
                    unsafe {
                        kernel::call(k, key, base, a.stride as u32, valid, elements, rows);
                    }
                }
                _ => a.scalar(&buffer, elements, lanes, self.words as usize * lanes, rows),
            }
        }
    }
}

impl Attribute {
    /// Reads an attribute vertex by vertex.
    fn scalar(
        &self,
        buffer: &BufferRange,
        elements: &[u32],
        lanes: usize,
        group_words: usize,
        rows: &mut [u32],
    ) {
        let one = self.format.info().one();
        let read = |element: u32| {
            let at = u64::from(element) * self.stride + self.offset;
            match self.plain {
                1 => words::<4, 1>(buffer, at, one),
                2 => words::<8, 2>(buffer, at, one),
                3 => words::<12, 3>(buffer, at, one),
                4 => words::<16, 4>(buffer, at, one),
                _ => convert(buffer, at, self.format),
            }
        };
        for (group, ids) in rows.chunks_exact_mut(group_words).zip(elements.chunks(lanes)) {
            for (lane, &id) in ids.iter().enumerate() {
                let texel = read(id);
                for (&word, &row) in texel.iter().zip(&self.rows) {
                    if row != UNUSED {
                        group[row as usize * lanes + lane] = word;
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

#[cfg(test)]
mod tests {
    use quadrille_jit::ir::{Interface, Ty};

    use super::*;
    use crate::format::FORMATS;
    use crate::state::{StageInfo, VertexAttribute, VertexBinding};

    #[test]
    fn kernels_match_the_scalar_loops() {
        let bytes: Vec<u8> = (0..1024u32).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
        let ids: Vec<u32> = (0..32).map(|i| if i % 5 == 4 { u32::MAX - i } else { i * 7 % 60 }).collect();
        let mut kernels = 0;
        for info in FORMATS.iter().filter(|f| f.format.features().contains(FormatFeatures::VERTEX_BUFFER)) {
            for lanes in [8, 16] {
                let ty = if info.format.is_integer() { Ty::I32 } else { Ty::F32 };
                let input = |component: u32| Interface {
                    slot: Slot::Location { location: 3, component, index: 0 },
                    ty,
                    interpolation: Default::default(),
                    sampling: Default::default(),
                };
                let mut d = DrawStateDesc {
                    vertex: StageInfo { inputs: (0..4).map(input).collect(), ..Default::default() },
                    vertex_bindings: vec![VertexBinding { binding: 0, stride: 20, ..Default::default() }],
                    vertex_attributes: vec![VertexAttribute {
                        location: 3,
                        binding: 0,
                        format: info.format,
                        offset: 3,
                    }],
                    lanes,
                    ..Default::default()
                };
                // SAFETY: the bytes outlive the fetches.
                #[expect(unsafe_code, reason = "binds test memory")]
                let buffer = unsafe { BufferRange::new(bytes.as_ptr(), 1024) };
                let results = [false, true].map(|scalar| {
                    d.scalar_merge = scalar;
                    let f = Fetch::new(&d).unwrap();
                    kernels += u32::from(f.attributes[0].kernel.is_some());
                    let mut rows = vec![0xdead_beef; 4 * 32];
                    f.run(&[buffer], &ids, &ids, 0, lanes as usize, &mut rows);
                    rows
                });
                let nan = |w: &u32| ty == Ty::F32 && f32::from_bits(*w).is_nan();
                for (a, b) in results[0].iter().zip(&results[1]) {
                    assert!(a == b || (nan(a) && nan(b)), "{}: {a:x} {b:x}", info.name);
                }
            }
        }
        assert!(kernels > 40, "{kernels}");
    }
}
