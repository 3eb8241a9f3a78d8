//! Kernels that fetch one attribute for many vertices, cached by the attribute's format and rows.
//!
//! Kernels exist for formats whose components lie in whole 32-bit words. The scalar loops of the parent module handle
//! all other formats, and give the same bits.

use std::ffi::c_void;
use std::mem::offset_of;

use quadrille_jit::error::Result;
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{ICmp, Kernel, Lane, LaneBuilder};

use super::{UNUSED, WORDS, one};
use crate::kernels::KernelTable;
use crate::memory::format::{Field, Format, FormatInfo, Numeric};

/// State that the code of a kernel depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub format: Format,
    /// Row of each word, or [`UNUSED`] for words that the shader does not read.
    pub rows: [u32; WORDS],
    /// Number of rows of a lane group.
    pub words: u32,
    pub lanes: u32,
}

/// Arguments of kernels; generated code takes its offsets from this struct.
#[repr(C)]
struct Args {
    /// Address of the attribute in element 0.
    base: *const u8,
    /// Element of each vertex, in whole lane groups.
    elements: *const u32,
    /// Rows of lane group 0.
    rows: *mut u32,
    groups: u32,
    stride: u32,
    /// Elements below this number lie wholly inside the buffer; the number is at least one.
    valid: u32,
    pad: u32,
}

/// True if kernels support attributes of this format.
fn supports(format: Format) -> bool {
    let info = format.info();
    if info.is_64_bit() {
        return true;
    }
    let fits = |f: &Field| f.bits == 0 || f.shift / 32 == (f.shift + f.bits - 1) / 32;
    let known = match info.numeric {
        Numeric::Unorm | Numeric::Snorm => info.fields.iter().all(|f| f.bits <= 16),
        Numeric::Uscaled | Numeric::Sscaled => info.fields.iter().all(|f| f.bits <= 16),
        Numeric::Uint | Numeric::Sint => true,
        Numeric::Sfloat => info.fields.iter().all(|f| matches!(f.bits, 0 | 16 | 32)),
        Numeric::Ufloat | Numeric::Srgb | Numeric::SharedExp => false,
    };
    info.bytes.is_multiple_of(4) && info.bytes <= 16 && known && info.fields.iter().all(fits)
}

/// Returns the kernel for a key; `None` if only the scalar loops support it.
pub(crate) fn make(table: &KernelTable<Key>, key: Key) -> Result<Option<Kernel>> {
    if !supports(key.format) || !matches!(key.lanes, 4 | 8 | 16 | 32) {
        return Ok(None);
    }
    table.get(key, key.lanes, emit).map(Some)
}

/// Fetches an attribute whose element 0 is at `base` for whole lane groups of vertices.
///
/// # Safety
/// `bytes(format)` bytes at `base + element * stride` must be readable for every element below `valid`, and their end
/// must be less than 2^32 bytes from `base`. `valid` must not be 0.
#[expect(unsafe_code, reason = "calls generated code on device memory")]
pub(crate) unsafe fn call(
    kernel: &Kernel,
    key: &Key,
    base: *const u8,
    stride: u32,
    valid: u32,
    elements: &[u32],
    rows: &mut [u32],
) {
    let groups = elements.len() / key.lanes as usize;
    assert!(rows.len() >= groups * (key.words * key.lanes) as usize, "rows must fill whole lane groups");
    let mut args = Args {
        base,
        elements: elements.as_ptr(),
        rows: rows.as_mut_ptr(),
        groups: groups as u32,
        stride,
        valid,
        pad: 0,
    };
    // SAFETY: `groups` is computed from the length of `elements`, and the assertion above checks that `rows` holds as
    // many. The kernel reads element 0 in place of elements from `valid` on, and the caller promised that elements
    // below `valid` are readable.
    unsafe {
        (kernel.entry())((&raw mut args).cast::<c_void>());
    }
}

/// Bit field of word `word`: a component, or half of a 64-bit component.
fn field(info: &FormatInfo, word: usize) -> Field {
    let absent = Field { shift: 0, bits: 0 };
    if info.is_64_bit() {
        let present = 4 * word < info.bytes as usize;
        return if present { Field { shift: 32 * word as u8, bits: 32 } } else { absent };
    }
    info.fields.get(word).copied().unwrap_or(absent)
}

fn emit(b: &mut LaneBuilder, args: Lane, key: &Key) {
    let info = key.format.info();
    let base = b.load(Ty::I64, args, offset_of!(Args, base) as i32);
    let elements = b.load(Ty::I64, args, offset_of!(Args, elements) as i32);
    let rows = b.load(Ty::I64, args, offset_of!(Args, rows) as i32);
    let groups = b.load(Ty::I32, args, offset_of!(Args, groups) as i32);
    let stride = b.load(Ty::I32, args, offset_of!(Args, stride) as i32);
    let valid = b.load(Ty::I32, args, offset_of!(Args, valid) as i32);
    let zero = b.i32(0);
    b.for_range(zero, groups, |b, g| {
        let at = b.index(elements, g, 4 * key.lanes);
        let element = b.load_row(Ty::I32, at, 0);
        let inside = b.icmp(ICmp::Ult, element, valid);
        let zero = b.i32(0);
        let element = b.select(inside, element, zero);
        let offset = b.imul(element, stride);
        let out = b.index(rows, g, 4 * key.lanes * key.words);
        let mut words: [Option<Lane>; WORDS] = [None; WORDS];
        for (c, &row) in key.rows.iter().enumerate() {
            if row == UNUSED {
                continue;
            }
            let f = field(info, c);
            let value = if f.bits == 0 {
                let v = if c == 3 { one(info) } else { 0 };
                let v = b.u32(v);
                b.splat(v)
            } else {
                let k = (f.shift / 32) as usize;
                let word = *words[k].get_or_insert_with(|| {
                    let from = b.offset(base, 4 * k as i64);
                    let v = b.gather(Ty::I32, from, offset);
                    let zero = b.i32(0);
                    b.select(inside, v, zero)
                });
                let v = convert(b, word, f, info.numeric);
                let v = b.bitcast(v, Ty::I32);
                b.splat(v)
            };
            b.store_row(value, out, (row * key.lanes * 4) as i32);
        }
    });
}

/// Extracts a component from its word and converts it to the shader's type.
fn convert(b: &mut LaneBuilder, word: Lane, f: Field, numeric: Numeric) -> Lane {
    let (shift, bits) = (i32::from(f.shift % 32), i32::from(f.bits));
    let signed = matches!(numeric, Numeric::Snorm | Numeric::Sscaled | Numeric::Sint);
    let up = 32 - shift - bits;
    let v = if signed {
        // Shifts the field to the top of the word, and back down with its sign.
        let (up, down) = (b.i32(up), b.i32(32 - bits));
        let v = b.shl(word, up);
        b.sshr(v, down)
    } else {
        let down = b.i32(shift);
        let v = if shift == 0 { word } else { b.ushr(word, down) };
        let mask = b.u32(u32::MAX >> (32 - bits));
        if up == 0 { v } else { b.and(v, mask) }
    };
    match numeric {
        Numeric::Unorm => {
            let (v, one) = (b.s32_to_f32(v), b.f32(((1u32 << bits) - 1) as f32));
            b.fdiv(v, one)
        }
        Numeric::Snorm => {
            let (v, one) = (b.s32_to_f32(v), b.f32(((1u32 << (bits - 1)) - 1) as f32));
            let (v, least) = (b.fdiv(v, one), b.f32(-1.0));
            b.fmax(v, least)
        }
        Numeric::Uscaled | Numeric::Sscaled => b.s32_to_f32(v),
        Numeric::Sfloat if bits == 16 => b.f16_bits_to_f32(v),
        _ => v,
    }
}
