//! Prints and aborts: the scalars that generated code passes, in rows of lanes.

use crate::abort::Part;
use crate::printf::Format;

/// Prints a line for each lane of the mask, ascending. Each scalar of the format has 8 S bytes: a row of S words of its
/// size.
///
/// # Safety
/// `format` is valid, and `rows` is readable for 8 S bytes per scalar of the format.
pub(crate) unsafe extern "C" fn print_rows(format: *const Format, rows: *const u8, mask: u64, lanes: u64) {
    // SAFETY: generated code passes the address of a format that its code block keeps alive.
    let format = unsafe { &*format };
    for lane in (0..lanes as usize).filter(|&l| mask >> l & 1 == 1) {
        let is_wide = format.tys.iter().map(|ty| ty.bytes() == 8);
        // SAFETY: generated code passes 8 S bytes of its stack per scalar, and `lane` is below S.
        let values = unsafe { passed(rows, is_wide, lane, lanes as usize) };
        crate::printf::print(&format.render(&values));
    }
}

/// Takes part of the message of an abort from the lowest lane of the mask. Each scalar has 8 S bytes, as for
/// [`print_rows`].
///
/// # Safety
/// `part` is valid, and `rows` is readable for 8 S bytes per argument of the part.
pub(crate) unsafe extern "C" fn abort_rows(part: *const Part, rows: *const u8, mask: u64, lanes: u64) {
    // SAFETY: generated code passes the address of a part that its code block keeps alive.
    let part = unsafe { &*part };
    let lane = mask.trailing_zeros() as usize;
    if lane >= lanes as usize {
        return;
    }
    let is_wide: Vec<bool> = match part {
        Part::First(_) => Vec::new(),
        Part::Scalars(fields) => fields.iter().map(|field| field.bytes == 8).collect(),
        Part::Last(format) => format.tys.iter().map(|ty| ty.bytes() == 8).collect(),
    };
    // SAFETY: generated code passes 8 S bytes of its stack per argument, and `lane` is below S.
    let values = unsafe { passed(rows, is_wide.into_iter(), lane, lanes as usize) };
    crate::abort::take_part(part, &values);
}

/// The scalars of a lane; `is_wide` is true for those of 64 bits.
///
/// # Safety
/// `rows` is readable for 8 S bytes per scalar, and `lane` is below S.
unsafe fn passed(
    rows: *const u8,
    is_wide: impl Iterator<Item = bool>,
    lane: usize,
    lanes: usize,
) -> Vec<u64> {
    let value = |(k, wide): (usize, bool)| {
        // SAFETY: the caller promises 8 S bytes per scalar; `k` is below their number, and `lane` is below S.
        unsafe {
            let row = rows.add(8 * lanes * k);
            match wide {
                true => row.cast::<u64>().add(lane).read_unaligned(),
                false => u64::from(row.cast::<u32>().add(lane).read_unaligned()),
            }
        }
    };
    is_wide.enumerate().map(value).collect()
}
