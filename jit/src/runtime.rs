//! Host functions that generated code may call: rare or heavy paths, one call per lane group.
//!
//! Rows hold S elements: 32-bit words for types up to 32 bits, 64-bit words for wider types. `place` packs a byte
//! offset (low half) with a stride or an operation code (high half); `form` packs the number of scalars (bits 0..8),
//! bytes per scalar (8..16), S (16..32) and the lane mask (32..64).

#![expect(unsafe_code, reason = "works on addresses that generated code hands over")]

mod absent;
pub(crate) mod matrix;
mod messages;
mod preserving;

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use once_cell::race::OnceBox;

use crate::abi::MAX_LANES;
use crate::ir::operand::Reduction;
use crate::ir::{AtomicOp, Op, Ty};
use crate::missing::MissingPages;

pub use absent::{no_rays, no_tracer};
pub(crate) use messages::{abort_rows, print_rows};
pub(crate) use preserving::Rare;

struct Form {
    n: u32,
    bytes: u32,
    lanes: u32,
    mask: u32,
}

fn unpack(form: u64) -> Form {
    Form {
        n: form as u32 & 0xff,
        bytes: (form >> 8) as u32 & 0xff,
        lanes: (form >> 16) as u32 & 0xffff,
        mask: (form >> 32) as u32,
    }
}

/// Byte position of scalar `k` of a lane, if the scalar lies within `size` bytes.
fn position(offset: u32, place: u64, k: u32, bytes: u32, size: u64) -> Option<usize> {
    let at = u64::from(offset) + (place & 0xffff_ffff) + u64::from(k) * (place >> 32);
    (at + u64::from(bytes) <= size).then_some(at as usize)
}

/// Nanoseconds since the first call in this process.
pub fn clock() -> u64 {
    static START: OnceBox<std::time::Instant> = OnceBox::new();
    START.get_or_init(|| Box::new(std::time::Instant::now())).elapsed().as_nanos() as u64
}

/// [`clock`] for generated code.
///
/// # Safety
/// No requirements; `unsafe` only gives it the type of the other host functions.
pub(crate) unsafe extern "C" fn read_clock(_: u64) -> u64 {
    clock()
}

/// Reduces a row of 64-bit values in place, each lane over the lanes of its mask, ascending. `form`: 1 for floats (bit
/// 0), reduction (8..16), S (16..).
///
/// # Safety
/// `rows` is valid for reads and writes of S elements, `lanes` for reads of S elements.
pub(crate) unsafe extern "C" fn masked_rows(rows: *mut u64, lanes: *const u32, form: u64) {
    let s = ((form >> 16) as usize).min(MAX_LANES);
    let ty = if form & 1 != 0 { Ty::F64 } else { Ty::I64 };
    let Some(&r) = Reduction::ALL.get((form >> 8) as usize & 0xff) else { return };
    let mut x = [0; MAX_LANES];
    for (lane, v) in x.iter_mut().enumerate().take(s) {
        // SAFETY: `rows` has S elements by contract, and `lane` is below S.
        *v = unsafe { rows.add(lane).read_unaligned() };
    }
    for lane in 0..s {
        // SAFETY: `lanes` has S elements by contract, and `lane` is below S.
        let mask = unsafe { lanes.add(lane).read_unaligned() };
        let take = |&l: &usize| mask >> l & 1 == 1;
        let start = crate::ops::identity(r, ty);
        let all = (0..s).filter(take).fold(start, |a, l| crate::ops::eval(r.op(), &[ty, ty], ty, &[a, x[l]]));
        // SAFETY: `rows` has S elements by contract, and `lane` is below S.
        unsafe { rows.add(lane).write_unaligned(all) }
    }
}

/// Fills memory with zeros.
///
/// # Safety
/// `at` is valid for writes of `bytes` bytes.
pub(crate) unsafe extern "C" fn zero_bytes(at: *mut u8, bytes: u64) {
    // SAFETY: generated code passes memory that its call owns (workgroup memory or its frame), with that many bytes.
    unsafe { std::ptr::write_bytes(at, 0, bytes as usize) }
}

/// Loads `n` rows; scalars out of range are zero.
///
/// # Safety
/// `base` is valid for reads of `size` bytes, `offsets` for S elements, and `out` for writes of `n` rows.
pub(crate) unsafe extern "C" fn load_rows(
    base: *const u8,
    size: u64,
    offsets: *const u32,
    out: *mut u8,
    place: u64,
    form: u64,
) {
    let f = unpack(form);
    let held = if f.bytes == 8 { 8 } else { 4 };
    for k in 0..f.n {
        for lane in 0..f.lanes {
            // SAFETY: `lane` is below S and `k` below `n`, so offsets and rows are in range by contract; `position`
            // keeps the read inside the `size` bytes at `base`.
            unsafe {
                let v = match position(*offsets.add(lane as usize), place, k, f.bytes, size) {
                    None => 0,
                    Some(at) => match f.bytes {
                        1 => u64::from(base.add(at).read()),
                        2 => u64::from(base.add(at).cast::<u16>().read_unaligned()),
                        4 => u64::from(base.add(at).cast::<u32>().read_unaligned()),
                        _ => base.add(at).cast::<u64>().read_unaligned(),
                    },
                };
                let to = out.add(((k * f.lanes + lane) * held) as usize);
                if held == 8 {
                    to.cast::<u64>().write_unaligned(v)
                } else {
                    to.cast::<u32>().write_unaligned(v as u32)
                }
            }
        }
    }
}

/// Stores `n` rows for the lanes of the mask, ascending; scalars out of range are dropped.
///
/// # Safety
/// `base` is valid for writes of `size` bytes, `offsets` for S elements, and `rows` for reads of `n` rows and
/// [`MISSING_BYTES`] behind them. All lanes of the mask are below S.
pub(crate) unsafe extern "C" fn store_rows(
    base: *mut u8,
    size: u64,
    offsets: *const u32,
    rows: *const u8,
    place: u64,
    form: u64,
) {
    let f = unpack(form);
    let mut rest = f.mask;
    while rest != 0 {
        let lane = rest.trailing_zeros();
        rest &= rest - 1;
        // SAFETY: lanes of the mask are below S, so the offset is in range; `base` and `rows` fulfil the contract of
        // `store_lane`, which is part of this function's contract.
        unsafe { store_lane(base, size, *offsets.add(lane as usize), rows, place, &f, lane) }
    }
}

/// Rows whose index advances by a constant per lane: a [`crate::lane::Line`] of one word or of consecutive words.
/// `form` packs the number of words (bits 0..8), S (8..16), the step of the index (16..32) and the lane mask (32..64);
/// `place` packs the byte offset (low half) and the stride of the index (high half).
struct Line {
    form: Form,
    first: u32,
    step: u32,
    stride: u64,
    /// `place` in the encoding of [`position`].
    place: u64,
}

const WORD: u64 = 4;

impl Line {
    fn new(first: u32, place: u64, form: u64) -> Line {
        Line {
            form: Form {
                n: form as u32 & 0xff,
                bytes: WORD as u32,
                lanes: (form >> 8) as u32 & 0xff,
                mask: (form >> 32) as u32,
            },
            first,
            step: (form >> 16) as u32 & 0xffff,
            stride: place >> 32,
            place: place & 0xffff_ffff | WORD << 32,
        }
    }

    /// The offset of a lane, with saturation.
    fn offset(&self, lane: u32) -> u32 {
        let index = self.first.wrapping_add(self.step.wrapping_mul(lane));
        u32::try_from(u64::from(index) * self.stride).unwrap_or(u32::MAX)
    }
}

/// Like [`load_rows`], with offsets from a [`Line`].
///
/// # Safety
/// `base` is valid for reads of `size` bytes, and `out` for writes of `n` rows.
pub(crate) unsafe extern "C" fn load_line(
    base: *const u8,
    size: u64,
    first: u32,
    out: *mut u8,
    place: u64,
    form: u64,
) {
    let line = Line::new(first, place, form);
    for k in 0..line.form.n {
        for lane in 0..line.form.lanes {
            let at = position(line.offset(lane), line.place, k, line.form.bytes, size);
            // SAFETY: `lane` is below S and `k` below `n`, so the row element is in range by contract; `position` keeps
            // the read inside the `size` bytes at `base`.
            unsafe {
                let v = at.map_or(0, |at| base.add(at).cast::<u32>().read_unaligned());
                out.cast::<u32>().add((k * line.form.lanes + lane) as usize).write_unaligned(v);
            }
        }
    }
}

/// Like [`store_rows`], with offsets from a [`Line`].
///
/// # Safety
/// `base` is valid for writes of `size` bytes, and `rows` for reads of `n` rows and [`MISSING_BYTES`] behind them.
pub(crate) unsafe extern "C" fn store_line(
    base: *mut u8,
    size: u64,
    first: u32,
    rows: *const u8,
    place: u64,
    form: u64,
) {
    let line = Line::new(first, place, form);
    for lane in (0..line.form.lanes).filter(|l| line.form.mask >> l & 1 != 0) {
        // SAFETY: `base` and `rows` fulfil the contract of `store_lane`, which is this function's contract; `lane` is
        // below S.
        unsafe { store_lane(base, size, line.offset(lane), rows, line.place, &line.form, lane) }
    }
}

/// Bytes behind the rows of stores and atomic operations: the address of the [`MissingPages`] of the device.
pub(crate) const MISSING_BYTES: u32 = 8;

/// Returns the missing pages whose address generated code has put behind `bytes` bytes of rows.
///
/// # Safety
/// Such an address lies there, and is valid as long as the lane function runs.
unsafe fn missing_behind<'a>(rows: *const u8, bytes: u32) -> &'a MissingPages {
    // SAFETY: the contract of this function.
    unsafe { &*rows.add(bytes as usize).cast::<*const MissingPages>().read_unaligned() }
}

/// Stores the scalars of a lane; scalars out of range, and those of missing pages, are dropped.
///
/// # Safety
/// `base` is valid for writes of `size` bytes, `rows` is valid for reads of `n` rows and the missing pages behind them,
/// and `lane` is below S.
unsafe fn store_lane(
    base: *mut u8,
    size: u64,
    offset: u32,
    rows: *const u8,
    place: u64,
    f: &Form,
    lane: u32,
) {
    let held = if f.bytes == 8 { 8 } else { 4 };
    // SAFETY: generated code puts the address behind `n` rows of S elements (`Gen::hand_over_missing`).
    let missing = unsafe { missing_behind(rows, f.n * f.lanes * held) };
    for k in 0..f.n {
        let Some(at) = position(offset, place, k, f.bytes, size) else { continue };
        // SAFETY: `k` is below `n` and `lane` below S, so the read is within the rows; `position` keeps the write
        // within the `size` bytes at `base`.
        unsafe {
            let from = rows.add(((k * f.lanes + lane) * held) as usize);
            let to = base.add(at);
            if !missing.is_there(to as u64, f.bytes) {
                continue;
            }
            match f.bytes {
                1 => to.write(from.read()),
                2 => to.cast::<u16>().write_unaligned(from.cast::<u16>().read_unaligned()),
                4 => to.cast::<u32>().write_unaligned(from.cast::<u32>().read_unaligned()),
                _ => to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned()),
            }
        }
    }
}

/// Like [`store_rows`], with a separate buffer for each lane.
///
/// # Safety
/// `bases`, `sizes` and `offsets` are valid for S elements, and `rows` for reads of `n` rows and [`MISSING_BYTES`]
/// behind them. The base of each lane in the mask is valid for writes of its size.
pub(crate) unsafe extern "C" fn store_lanes(
    bases: *const u64,
    sizes: *const u64,
    offsets: *const u32,
    rows: *const u8,
    place: u64,
    form: u64,
) {
    let f = unpack(form);
    for lane in (0..f.lanes).filter(|l| f.mask >> l & 1 != 0) {
        let at = lane as usize;
        // SAFETY: `at` is below S, so bases, sizes and offsets are in range; the lane is in the mask, so its base and
        // the rows fulfil the contract of `store_lane`.
        unsafe {
            store_lane(*bases.add(at) as *mut u8, *sizes.add(at), *offsets.add(at), rows, place, &f, lane)
        }
    }
}

/// Encodes an atomic operation for [`atomic_rows`].
pub(crate) fn atomic_code(op: AtomicOp, float: bool) -> u32 {
    op as u32 | if float { 0x100 } else { 0 }
}

/// Value that an atomic operation stores in memory. `old`, `value` and the comparator are encodings of `bytes` bytes,
/// zero-extended.
pub fn atomic_result(op: AtomicOp, bytes: u32, old: u64, value: u64, comparator: u64) -> u64 {
    let signed = |x: u64| if bytes == 4 { i64::from(x as u32 as i32) } else { x as i64 };
    let cut = |x: u64| if bytes == 4 { x & 0xffff_ffff } else { x };
    let ty = match bytes {
        2 => Ty::F16,
        4 => Ty::F32,
        _ => Ty::F64,
    };
    let float = |op| crate::ops::eval(op, &[ty, ty], ty, &[old, value]);
    match op {
        AtomicOp::Load => old,
        AtomicOp::Store | AtomicOp::Exchange => value,
        AtomicOp::CompareExchange => {
            if old == comparator {
                value
            } else {
                old
            }
        }
        AtomicOp::IAdd => cut(old.wrapping_add(value)),
        AtomicOp::ISub => cut(old.wrapping_sub(value)),
        AtomicOp::SMin => {
            if signed(value) < signed(old) {
                value
            } else {
                old
            }
        }
        AtomicOp::SMax => {
            if signed(value) > signed(old) {
                value
            } else {
                old
            }
        }
        AtomicOp::UMin => value.min(old),
        AtomicOp::UMax => value.max(old),
        AtomicOp::And => old & value,
        AtomicOp::Or => old | value,
        AtomicOp::Xor => old ^ value,
        AtomicOp::FAdd => float(Op::FAdd),
        AtomicOp::FMin => float(Op::NMin),
        AtomicOp::FMax => float(Op::NMax),
    }
}

const OPS: [AtomicOp; 16] = [
    AtomicOp::Load,
    AtomicOp::Store,
    AtomicOp::Exchange,
    AtomicOp::CompareExchange,
    AtomicOp::IAdd,
    AtomicOp::ISub,
    AtomicOp::SMin,
    AtomicOp::UMin,
    AtomicOp::SMax,
    AtomicOp::UMax,
    AtomicOp::And,
    AtomicOp::Or,
    AtomicOp::Xor,
    AtomicOp::FAdd,
    AtomicOp::FMin,
    AtomicOp::FMax,
];

/// Performs an atomic operation on memory, and returns the old value.
///
/// # Safety
/// `at` is valid for reads and writes of `bytes` (2, 4 or 8) bytes and aligned to that size.
pub unsafe fn atomic_at(op: AtomicOp, at: *mut u8, bytes: u32, value: u64, comparator: u64) -> u64 {
    if bytes == 2 {
        // SAFETY: the caller guarantees that `at` is valid for 2 bytes and aligned to them; all accesses here are
        // atomic.
        let a = unsafe { AtomicU16::from_ptr(at.cast()) };
        let f = |old| Some(atomic_result(op, 2, u64::from(old), value, comparator) as u16);
        u64::from(a.fetch_update(Ordering::SeqCst, Ordering::SeqCst, f).unwrap_or_else(|e| e))
    } else if bytes == 4 {
        // SAFETY: the caller guarantees that `at` is valid for 4 bytes and aligned to them; all accesses here are
        // atomic.
        let a = unsafe { AtomicU32::from_ptr(at.cast()) };
        match op {
            AtomicOp::Load => u64::from(a.load(Ordering::SeqCst)),
            AtomicOp::IAdd => u64::from(a.fetch_add(value as u32, Ordering::SeqCst)),
            AtomicOp::Store | AtomicOp::Exchange => u64::from(a.swap(value as u32, Ordering::SeqCst)),
            _ => {
                let f = |old| Some(atomic_result(op, 4, u64::from(old), value, comparator) as u32);
                u64::from(a.fetch_update(Ordering::SeqCst, Ordering::SeqCst, f).unwrap_or_else(|e| e))
            }
        }
    } else {
        // SAFETY: the caller guarantees that `at` is valid for 8 bytes and aligned to them; all accesses here are
        // atomic.
        let a = unsafe { AtomicU64::from_ptr(at.cast()) };
        let f = |old| Some(atomic_result(op, 8, old, value, comparator));
        a.fetch_update(Ordering::SeqCst, Ordering::SeqCst, f).unwrap_or_else(|e| e)
    }
}

/// Atomic operations for the lanes of the mask, ascending. Operands are in the first rows. Old values go to the first
/// row; it is zero for other lanes, and out of range. Misaligned addresses count as out of range.
///
/// # Safety
/// `base` is valid for atomic accesses to `size` bytes, `offsets` for S elements, and `rows` for two rows and
/// [`MISSING_BYTES`] behind them.
pub(crate) unsafe extern "C" fn atomic_rows(
    base: *mut u8,
    size: u64,
    offsets: *const u32,
    rows: *mut u8,
    place: u64,
    form: u64,
) {
    let f = unpack(form);
    // SAFETY: `rows` has two rows of S elements.
    for lane in unsafe { active(&f, rows) } {
        // SAFETY: `lane` is below S, so the offset is in range; `base` and `rows` fulfil the contract of `atomic_lane`,
        // which is part of this function's contract.
        unsafe { atomic_lane(base, size, *offsets.add(lane as usize), rows, place, &f, lane) }
    }
}

/// Like [`atomic_rows`], with a separate buffer for each lane.
///
/// # Safety
/// `bases`, `sizes` and `offsets` are valid for S elements, and `rows` for two rows and [`MISSING_BYTES`] behind them.
/// The base of each lane in the mask is valid for atomic accesses to its size.
pub(crate) unsafe extern "C" fn atomic_lanes(
    bases: *const u64,
    sizes: *const u64,
    offsets: *const u32,
    rows: *mut u8,
    place: u64,
    form: u64,
) {
    let f = unpack(form);
    // SAFETY: `rows` has two rows of S elements.
    for lane in unsafe { active(&f, rows) } {
        let at = lane as usize;
        // SAFETY: `at` is below S, so bases, sizes and offsets are in range. The lane is in the mask, so its base fulfils
        // the contract of `atomic_lane`.
        unsafe {
            atomic_lane(*bases.add(at) as *mut u8, *sizes.add(at), *offsets.add(at), rows, place, &f, lane)
        }
    }
}

/// The lanes of the mask, ascending. Writes zero to the first row for the other lanes.
///
/// # Safety
/// `rows` is writable for S elements.
unsafe fn active(f: &Form, rows: *mut u8) -> impl Iterator<Item = u32> + use<> {
    let all = u32::MAX >> (MAX_LANES as u32 - f.lanes);
    for lane in bits(all & !f.mask) {
        // SAFETY: `lane` is below S, so the row element is in range.
        unsafe {
            if f.bytes == 8 {
                rows.cast::<u64>().add(lane as usize).write_unaligned(0);
            } else {
                rows.cast::<u32>().add(lane as usize).write_unaligned(0);
            }
        }
    }
    bits(all & f.mask)
}

/// Numbers of the bits that are set, ascending.
fn bits(mut left: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros())?;
        left &= left - 1;
        Some(bit)
    })
}

/// Performs the atomic operation of one lane of the mask.
///
/// # Safety
/// `base` is valid for atomic accesses to `size` bytes. `rows` has two rows of S elements and the missing pages behind
/// them, and `lane` is below S.
unsafe fn atomic_lane(base: *mut u8, size: u64, offset: u32, rows: *mut u8, place: u64, f: &Form, lane: u32) {
    let held = f.bytes.max(4);
    let at = position(offset, place & 0xffff_ffff, 0, f.bytes, size).map(|at| base.wrapping_add(at));
    // SAFETY: generated code puts the address behind two rows of S elements (`Gen::hand_over_missing`).
    let missing = unsafe { missing_behind(rows, 2 * f.lanes * held) };
    // The number of bytes is a power of two.
    let aligned = |at: *mut u8| at as usize & (f.bytes as usize - 1) == 0;
    let at = at.filter(|&at| aligned(at) && missing.is_there(at as u64, f.bytes));
    // SAFETY: `lane` is below S, so both row elements are in range; `position` and the tests above accept the address.
    unsafe {
        let read = |k: u32| {
            let from = rows.add(((k * f.lanes + lane) * held) as usize);
            if f.bytes == 8 {
                from.cast::<u64>().read_unaligned()
            } else {
                u64::from(from.cast::<u32>().read_unaligned())
            }
        };
        let op = OPS[(place >> 32) as usize & 0xff & 15];
        let old = at.map_or(0, |at| atomic_at(op, at, f.bytes, read(0), read(1)));
        let to = rows.add((lane * held) as usize);
        if f.bytes == 8 {
            to.cast::<u64>().write_unaligned(old)
        } else {
            to.cast::<u32>().write_unaligned(old as u32)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows at a constant index step equal rows at the corresponding offsets of each lane.
    #[test]
    fn lines_are_rows() {
        let memory: Vec<u32> = (0..64).map(|i| 0x1000 + i).collect();
        let firsts = [0u32, 1, 13, 30, 0x3fff_fffe, 0x7fff_ffff, u32::MAX - 2, u32::MAX];
        let (steps, strides, places) =
            ([1u64, 2, 3], [1u64, 4, 12, 4096], [0u64, 8, u64::from(u32::MAX) - 3]);
        for case in 0..firsts.len() * 36 {
            let (first, step) = (firsts[case / 36], steps[case / 12 % 3]);
            let (stride, place) = (strides[case / 3 % 4], places[case % 3]);
            let index = |lane: u32| first.wrapping_add(step as u32 * lane);
            let offsets: Vec<u32> =
                (0..8).map(|l| (u64::from(index(l)) * stride).min(u32::MAX.into()) as u32).collect();
            for (n, size, mask) in [(1u64, 256u64, 0xffu64), (2, 256, 0xa5), (1, 100, 0xff), (2, 3, 0xff)] {
                let (mut rows, mut line) = ([0u32; 16], [0u32; 16]);
                let place_of_rows = place | WORD << 32;
                let form_of_rows = n | WORD << 8 | 8 << 16 | mask << 32;
                let (place, form) = (place | stride << 32, n | 8 << 8 | step << 16 | mask << 32);
                let (base, of) = (memory.as_ptr().cast::<u8>(), offsets.as_ptr());
                // SAFETY: the memory has 256 bytes, and the rows have 8 words for each of at most two scalars.
                unsafe {
                    load_rows(base, size, of, rows.as_mut_ptr().cast(), place_of_rows, form_of_rows);
                    load_line(base, size, first, line.as_mut_ptr().cast(), place, form);
                }
                assert_eq!(rows, line, "{first} + {step} * lane, times {stride}");
                let none = &raw const crate::missing::NONE as u64;
                let behind = [none as u32, (none >> 32) as u32];
                let values: Vec<u32> = (1..=8 * n as u32).chain(behind).collect();
                let (mut by_rows, mut by_line) = (memory.clone(), memory.clone());
                let values = values.as_ptr().cast::<u8>();
                // SAFETY: both copies have 256 bytes, and there are 8 values for each scalar, with the address of the
                // missing pages behind them.
                unsafe {
                    let to = by_rows.as_mut_ptr().cast::<u8>();
                    store_rows(to, size, of, values, place_of_rows, form_of_rows);
                    store_line(by_line.as_mut_ptr().cast(), size, first, values, place, form);
                }
                assert_eq!(by_rows, by_line, "{first} + {step} * lane, times {stride}");
            }
        }
    }
}
