//! Matrix operations on elements in memory, in row-major order. Each routine has one result for all hosts: [`plain`] states
//! it, and the others use vectors.
//!
//! Elements have 32 bits. If the host multiplies bytes, the factors of integers can have 8 bits instead.
//!
//! `shape` packs the numbers of rows (bits 0..8), columns (8..16) and, for products, inner elements (16..24); all are 8,
//! 16 or 32.

mod halves;
#[cfg(target_arch = "x86_64")]
mod host;
pub(crate) mod pick;
mod plain;
mod rows;

use crate::CpuLevel;

pub(crate) use halves::load_halves;
pub(crate) use plain::{multiply_saturating_signed, multiply_saturating_unsigned, pack_columns, pack_rows};

/// Numbers of rows, columns and inner elements.
#[derive(Clone, Copy)]
struct Shape {
    rows: usize,
    columns: usize,
    inner: usize,
}

/// Packs numbers of rows, columns and inner elements.
pub(crate) fn packed([rows, columns, inner]: [u8; 3]) -> u64 {
    u64::from(rows) | u64::from(columns) << 8 | u64::from(inner) << 16
}

fn unpack(shape: u64) -> Shape {
    let side = |at: u32| (shape >> at) as usize & 0xff;
    Shape { rows: side(0), columns: side(8), inner: side(16) }
}

/// The routine `C += A * B` of F32 at a host level: `(A, B, C, shape)`. `rounded`: results are rounded to half floats, as
/// which C comes, too.
pub(crate) fn multiply_floats(cpu: CpuLevel, rounded: bool) -> *const u8 {
    #[cfg(target_arch = "x86_64")]
    match (cpu.min(CpuLevel::host()), rounded) {
        (CpuLevel::V2, _) => {}
        (CpuLevel::V3, false) => return host::floats_avx2::<false> as *const u8,
        (CpuLevel::V3, true) => return host::floats_avx2::<true> as *const u8,
        (CpuLevel::V4, false) => return host::floats_avx512::<false> as *const u8,
        (CpuLevel::V4, true) => return host::floats_avx512::<true> as *const u8,
    }
    let _ = cpu;
    if rounded {
        rows::multiply_floats::<true> as *const u8
    } else {
        rows::multiply_floats::<false> as *const u8
    }
}

/// The routine `C += A * B` of packed integers at a host level: `(A, B, C, shape)`.
pub(crate) fn multiply_integers(cpu: CpuLevel) -> *const u8 {
    #[cfg(target_arch = "x86_64")]
    match cpu.min(CpuLevel::host()) {
        CpuLevel::V2 => {}
        CpuLevel::V3 => return host::integers_avx2 as *const u8,
        CpuLevel::V4 if is_x86_feature_detected!("avx512vnni") => return host::integers_vnni as *const u8,
        CpuLevel::V4 => return host::integers_avx512 as *const u8,
    }
    let _ = cpu;
    rows::multiply_integers as *const u8
}

/// The routine `C += A * B` of bytes at a host level, `(A, B, C)`, by numbers of rows, columns and inner elements, and signs
/// of the elements of A and B. If the signs are the same, the elements of A have the highest bit flipped. `None` if the
/// host has no such products.
pub(crate) fn multiply_bytes(cpu: CpuLevel, sides: [u8; 3], signs: [bool; 2]) -> Option<*const u8> {
    #[cfg(target_arch = "x86_64")]
    if cpu.min(CpuLevel::host()) == CpuLevel::V4
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("avx512vbmi")
    {
        return host::bytes(sides, signs);
    }
    let _ = (cpu, sides, signs);
    None
}

/// The routine that transposes a matrix at a host level: `(from, to, shape)`.
pub(crate) fn transpose(cpu: CpuLevel) -> *const u8 {
    #[cfg(target_arch = "x86_64")]
    match cpu.min(CpuLevel::host()) {
        CpuLevel::V2 => {}
        CpuLevel::V3 | CpuLevel::V4 => return host::transpose_avx2 as *const u8,
    }
    let _ = cpu;
    plain::transpose as *const u8
}

#[cfg(test)]
mod tests;
