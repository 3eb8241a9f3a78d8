//! Vertex input: reads attributes into rows, the inputs of the vertex stage.
//!
//! [`Fetch`] is made once per draw state. Its scalar loops handle every format; formats made of 32-bit words have
//! generated kernels, one per attribute. Reads are robust: an element that is not wholly inside its buffer reads as
//! zeros.
//!
//! A shader reads an attribute as words, four per location: 64-bit components take two words, the low one first, and
//! three or four such components take two locations. Running the vertex stage is left to [`super::vertices`].
//!
//! Spec: Vulkan, "Vertex Attributes" (fxvertex-attrib).

mod kernel;

pub(crate) use kernel::Key;

use quadrille_jit::abi::interface_words;
use quadrille_jit::error::{Error, Result};
use quadrille_jit::ir::Slot;
use quadrille_jit::lane::Kernel;

use crate::interface::word_offsets;
use crate::kernels::KernelTable;
use crate::memory::buffer::BufferRange;
use crate::memory::format::{Format, FormatFeatures, FormatInfo};
use crate::state::{DrawStateDesc, VertexAttribute, VertexRate};

/// Row of a word that the shader does not read.
const UNUSED: u32 = u32::MAX;

/// Maximum number of words of an attribute.
const WORDS: usize = 8;

/// An attribute with the rows of its components.
#[derive(Clone)]
struct Attribute {
    binding: usize,
    stride: u64,
    offset: u64,
    rate: VertexRate,
    format: Format,
    /// Number of words that are copied unchanged; 0 for formats that need conversion.
    plain: u32,
    /// Row of each word.
    rows: [u32; WORDS],
    /// Kernel for the lane group size of the draw state.
    kernel: Option<(Key, Kernel)>,
}

impl std::fmt::Debug for Attribute {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {} of binding {}", self.format.name(), self.offset, self.binding)
    }
}

/// Number of words of an element that are copied unchanged; 0 if components need conversion.
fn plain_words(info: &FormatInfo) -> u32 {
    let plain = info.is_64_bit() || info.is_plain(32);
    if plain { info.bytes / 4 } else { 0 }
}

/// The word of attribute `all[n]` at a location and component; `None` if they belong to no word of that attribute.
fn word_of(all: &[VertexAttribute], n: usize, location: u32, component: u32) -> Option<usize> {
    let a = &all[n];
    let second = match location.checked_sub(a.location)? {
        0 => false,
        // An attribute declared at the location takes precedence.
        1 => plain_words(a.format.info()) > 4 && all.iter().all(|o| o.location != location),
        _ => return None,
    };
    (second || location == a.location).then_some(4 * usize::from(second) + (component as usize & 3))
}

impl DrawStateDesc {
    /// The attributes that inputs of the vertex stage read. Others need no vertex buffer.
    pub fn attributes_read(&self) -> impl Iterator<Item = &VertexAttribute> {
        let (inputs, all) = (&self.vertex().inputs, &self.vertex_attributes);
        let read = move |n: usize| {
            word_offsets(inputs).any(|(_, input)| match input.slot {
                Slot::Location { location, component, .. } => word_of(all, n, location, component).is_some(),
                _ => false,
            })
        };
        all.iter().enumerate().filter(move |&(n, _)| read(n)).map(|(_, attribute)| attribute)
    }
}

/// Prepared vertex input of a draw state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fetch {
    attributes: Vec<Attribute>,
    /// 32-bit words per vertex.
    pub words: u32,
    /// `true` if some words belong to no attribute and read as zero.
    gaps: bool,
}

impl Fetch {
    /// Matches shader inputs to attributes. Inputs without one are zero.
    pub fn new(d: &DrawStateDesc, kernels: &KernelTable<Key>) -> Result<Self> {
        let inputs = &d.vertex().inputs;
        let mut attributes = Vec::new();
        for (n, a) in d.vertex_attributes.iter().enumerate() {
            let info = a.format.info();
            let mut rows = [UNUSED; WORDS];
            for (row, i) in word_offsets(inputs) {
                let Slot::Location { location, component, .. } = i.slot else { continue };
                let Some(k) = word_of(&d.vertex_attributes, n, location, component) else { continue };
                let wide = i.ty.bytes() == 8;
                if wide != info.is_64_bit() {
                    let (ty, name) = (i.ty, info.name);
                    return Err(Error::invalid(format!(
                        "vertex input of type {ty:?} at location {location}, whose attribute is {name}"
                    )));
                }
                rows[k] = row;
                if let Some(high) = rows.get_mut(k + 1).filter(|_| wide) {
                    *high = row + 1;
                }
            }
            if rows == [UNUSED; WORDS] {
                continue;
            }
            if !a.format.features().contains(FormatFeatures::VERTEX_BUFFER) {
                return Err(Error::unsupported(format!("vertex attributes of format {}", a.format.name())));
            }
            let binding = d.vertex_bindings.iter().find(|b| b.binding == a.binding);
            let binding = binding.ok_or_else(|| {
                Error::invalid(format!(
                    "attribute {} refers to binding {}, which does not exist",
                    a.location, a.binding
                ))
            })?;
            attributes.push(Attribute {
                binding: a.binding as usize,
                stride: u64::from(d.stride(binding)),
                offset: u64::from(a.offset),
                rate: binding.rate,
                format: a.format,
                plain: plain_words(info),
                rows,
                kernel: None,
            });
        }
        let all = &d.vertex_attributes;
        let gaps = inputs.iter().any(|i| match i.slot {
            Slot::Location { location, component, .. } => {
                (0..all.len()).all(|n| word_of(all, n, location, component).is_none())
            }
            _ => false,
        });
        let words = interface_words(inputs);
        if !d.scalar_merge {
            let lanes = if d.lanes == 0 { 8 } else { d.lanes };
            for a in &mut attributes {
                let key = Key { format: a.format, rows: a.rows, words, lanes };
                a.kernel = kernel::make(kernels, key)?.map(|k| (key, k));
            }
        }
        Ok(Fetch { attributes, words, gaps })
    }

    /// Reads the inputs of all vertices into rows of `lanes` words, the layout of the vertex stage. `vertex_ids` and
    /// `instance_ids` hold whole lane groups.
    pub fn run(
        &self,
        buffers: &[BufferRange],
        vertex_ids: &[u32],
        instance_ids: &[u32],
        first_instance: u32,
        lanes: usize,
        rows: &mut [u32],
    ) {
        if self.gaps {
            rows.fill(0);
        }
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
            // Elements of the buffer that `valid` does not count, because kernels compare 32 bits.
            let far = buffer.size() > u64::from(u32::MAX) || a.stride == 0;
            let beyond = far && elements.iter().any(|&element| element >= valid);
            match &a.kernel {
                Some((key, k)) if valid > 0 && !beyond && key.lanes as usize == lanes => {
                    let base = buffer.at(a.offset);
                    // SAFETY: `whole_elements` counts the elements that lie inside the buffer, less than 2^32 bytes
                    // from the base. The caller of `BufferRange::new` promised that the buffer is readable. The match
                    // guard excludes `valid == 0`.
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
        let one = one(self.format.info());
        let read = |element: u32| {
            let at = u64::from(element) * self.stride + self.offset;
            match self.plain {
                1 => words::<4>(buffer, at, one),
                2 => words::<8>(buffer, at, one),
                3 => words::<12>(buffer, at, one),
                4 => words::<16>(buffer, at, one),
                6 => words::<24>(buffer, at, one),
                8 => words::<32>(buffer, at, one),
                _ => {
                    let [x, y, z, w] = convert(buffer, at, self.format);
                    [x, y, z, w, 0, 0, 0, 0]
                }
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

/// Value of a missing fourth component; 0 for 64-bit formats, whose missing components are undefined.
fn one(info: &FormatInfo) -> u32 {
    if info.is_64_bit() { 0 } else { info.one() }
}

/// Reads words unchanged; missing components are 0, 0, 1.
#[inline]
fn words<const BYTES: usize>(buffer: &BufferRange, at: u64, one: u32) -> [u32; WORDS] {
    let bytes = buffer.read::<BYTES>(at).unwrap_or([0; BYTES]);
    let mut out = [0, 0, 0, one, 0, 0, 0, 0];
    for (to, word) in out.iter_mut().zip(bytes.chunks_exact(4)) {
        *to = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
    }
    out
}

/// Reads and converts an element of any format.
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
    use quadrille_jit::cpu::CpuLevel;
    use quadrille_jit::ir::{Interface, Ty};

    use super::*;
    use crate::memory::format::FORMATS;
    use crate::state::{PreRasterStage, StageInfo, VertexBinding};

    #[test]
    fn kernels_match_the_scalar_loops() {
        let bytes: Vec<u8> = (0..1024u32).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
        let ids: Vec<u32> = (0..32).map(|i| if i % 5 == 4 { u32::MAX - i } else { i * 7 % 60 }).collect();
        let (mut kernels, table) = (0, KernelTable::new("vertex fetch", CpuLevel::current()));
        for info in FORMATS.iter().filter(|f| f.format.features().contains(FormatFeatures::VERTEX_BUFFER)) {
            for lanes in [8, 16] {
                let wide = info.is_64_bit();
                let ty = match (info.format.is_integer(), wide) {
                    (true, false) => Ty::I32,
                    (false, false) => Ty::F32,
                    (true, true) => Ty::I64,
                    (false, true) => Ty::F64,
                };
                // Four components per input: 64-bit components take two locations.
                let input = |c: u32| {
                    let (location, component) =
                        (3 + u32::from(wide) * c / 2, if wide { c % 2 * 2 } else { c });
                    Interface::new(Slot::Location { location, component, index: 0 }, ty)
                };
                let n_inputs = if wide { info.bytes / 8 } else { 4 };
                let mut d = DrawStateDesc {
                    stages: vec![PreRasterStage::vertex(StageInfo {
                        inputs: (0..n_inputs).map(input).collect(),
                        ..Default::default()
                    })],
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
                // SAFETY: `bytes` has 1024 bytes and outlives the fetches below.
                #[expect(unsafe_code, reason = "binds test memory")]
                let buffer = unsafe { BufferRange::new(bytes.as_ptr(), 1024) };
                let results = [false, true].map(|scalar| {
                    d.scalar_merge = scalar;
                    let f = Fetch::new(&d, &table).unwrap();
                    kernels += u32::from(f.attributes[0].kernel.is_some());
                    let mut rows = vec![0xdead_beef; f.words as usize * 32];
                    f.run(&[buffer], &ids, &ids, 0, lanes as usize, &mut rows);
                    rows
                });
                if wide {
                    check_words(&results[1], &bytes, &ids, lanes as usize, info.bytes as usize / 4);
                }
                let nan = |w: &u32| ty == Ty::F32 && f32::from_bits(*w).is_nan();
                for (a, b) in results[0].iter().zip(&results[1]) {
                    assert!(a == b || (nan(a) && nan(b)), "{}: {a:x} {b:x}", info.name);
                }
            }
        }
        assert!(kernels > 60, "{kernels}");
    }

    /// Rows hold the words of each element, in memory order; elements beyond the end are 0.
    fn check_words(rows: &[u32], bytes: &[u8], ids: &[u32], lanes: usize, n_words: usize) {
        for (i, &id) in ids.iter().enumerate() {
            for k in 0..n_words {
                let element = (id as usize).wrapping_mul(20).wrapping_add(3);
                let inside = element.checked_add(4 * n_words).is_some_and(|end| end <= bytes.len());
                let word = if inside { bytes[element + 4 * k..][..4].try_into().unwrap() } else { [0; 4] };
                let row = i / lanes * n_words + k;
                assert_eq!(rows[row * lanes + i % lanes], u32::from_le_bytes(word), "vertex {i} word {k}");
            }
        }
    }

    /// Elements that a kernel cannot count: more than 4 GiB after the first one, and number 2^32 - 1 without a stride.
    #[test]
    fn far_elements_are_read() {
        let far = (1u32 << 28) + 1;
        // Pages that nothing is written to take no memory.
        let mut bytes = vec![0u8; (far as usize + 1) * 16];
        bytes[..4].copy_from_slice(&5u32.to_le_bytes());
        bytes[far as usize * 16..][..4].copy_from_slice(&7u32.to_le_bytes());
        // SAFETY: `bytes` has this size, and outlives the fetches below.
        #[expect(unsafe_code, reason = "binds test memory")]
        let buffer = unsafe { BufferRange::new(bytes.as_ptr(), bytes.len() as u64) };
        let table = KernelTable::new("vertex fetch", CpuLevel::current());
        for (stride, ids, wanted) in
            [(16, [0, far, far + 1, 1], [5, 7, 0, 0]), (0, [0, u32::MAX, far, 1], [5, 5, 5, 5])]
        {
            let slot = Slot::Location { location: 0, component: 0, index: 0 };
            let inputs = vec![Interface::new(slot, Ty::I32)];
            let attribute = VertexAttribute { location: 0, binding: 0, format: Format::R32_UINT, offset: 0 };
            let d = DrawStateDesc {
                stages: vec![PreRasterStage::vertex(StageInfo { inputs, ..Default::default() })],
                vertex_bindings: vec![VertexBinding { binding: 0, stride, ..Default::default() }],
                vertex_attributes: vec![attribute],
                lanes: 8,
                ..Default::default()
            };
            let f = Fetch::new(&d, &table).unwrap();
            assert!(f.attributes[0].kernel.is_some());
            let ids: Vec<u32> = ids.into_iter().cycle().take(8).collect();
            let mut rows = vec![0xdead_beef; f.words as usize * 8];
            f.run(&[buffer], &ids, &ids, 0, 8, &mut rows);
            assert_eq!(rows[..4], wanted, "stride {stride}");
        }
    }

    /// An attribute also provides its second location, unless another attribute is declared there.
    #[test]
    fn wide_attributes_take_two_locations() {
        let attribute = |location, format| VertexAttribute { location, binding: 0, format, offset: 0 };
        let all = [
            attribute(1, Format::R64G64B64_SFLOAT),
            attribute(4, Format::R64G64B64A64_UINT),
            attribute(5, Format::R64_SINT),
            attribute(7, Format::R64G64_SFLOAT),
            attribute(u32::MAX, Format::R32_UINT),
        ];
        assert_eq!(word_of(&all, 0, 1, 2), Some(2));
        assert_eq!(word_of(&all, 0, 2, 0), Some(4));
        assert_eq!(word_of(&all, 0, 3, 0), None);
        assert_eq!(word_of(&all, 0, 0, 0), None);
        assert_eq!(word_of(&all, 1, 5, 0), None);
        assert_eq!(word_of(&all, 2, 5, 0), Some(0));
        assert_eq!(word_of(&all, 3, 8, 0), None);
        assert_eq!(word_of(&all, 4, u32::MAX, 3), Some(3));
    }

    /// The component widths of shader input and attribute must agree.
    #[test]
    fn widths_do_not_mix() {
        let table = KernelTable::new("vertex fetch", CpuLevel::current());
        for (ty, format, works) in [
            (Ty::F64, Format::R64_SFLOAT, true),
            (Ty::F64, Format::R32G32_SFLOAT, false),
            (Ty::I32, Format::R64_UINT, false),
        ] {
            let slot = Slot::Location { location: 0, component: 0, index: 0 };
            let input = Interface::new(slot, ty);
            let d = DrawStateDesc {
                stages: vec![PreRasterStage::vertex(StageInfo { inputs: vec![input], ..Default::default() })],
                vertex_bindings: vec![VertexBinding { binding: 0, stride: 8, ..Default::default() }],
                vertex_attributes: vec![VertexAttribute { location: 0, binding: 0, format, offset: 0 }],
                ..Default::default()
            };
            assert_eq!(Fetch::new(&d, &table).is_ok(), works, "{ty:?} {}", format.name());
        }
    }
}
