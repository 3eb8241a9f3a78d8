//! Loads at distances from a uniform address that are known when the code is made.
//!
//! Scalars that lie near each other come from one or two vector loads, and a permutation sorts them into lanes. Others are loaded
//! one by one. The functions here access only bytes that their caller declares readable.

use std::ops::Range;

use cranelift_codegen::ir::{InstBuilder, Value, types};
use quadrille_wide::intrinsics::Intrinsic;
use smallvec::{SmallVec, smallvec};

use super::shape::vector_of;
use super::{Lane, LaneBuilder, Parts, Vecs, shape};
use crate::ir::Ty;

/// Scalars at distances from an address.
#[derive(Clone)]
pub(crate) struct Places<'a> {
    /// The distance of each lane, in bytes.
    pub apart: &'a [u32],
    /// Bytes around the address that are readable, among them all of the scalars.
    pub readable: Range<i64>,
}

/// One or two parts of memory that hold the scalars of a vector of lanes.
pub(super) struct Windows {
    /// Distances of the parts from the address.
    pub(super) starts: SmallVec<[i64; 2]>,
    /// Bytes of each part: those of a vector, or 4 or 8.
    pub(super) size: u32,
    /// Bytes of each scalar: 2 or 4.
    unit: u32,
    /// For each scalar, its place in the first part followed by the second.
    pub(super) order: SmallVec<[u32; 32]>,
}

impl Windows {
    /// Parts that hold scalars of `unit` bytes, at most two vectors of `vector` bytes. `None` if there are none.
    pub(super) fn over(apart: &[u32], readable: &Range<i64>, unit: u32, vector: u32) -> Option<Windows> {
        let distances = || apart.iter().map(|&d| i64::from(d));
        let (first, end) = (distances().min()?, distances().max()? + i64::from(unit));
        [4, 8, vector].into_iter().find_map(|size| {
            let last = readable.end - i64::from(size);
            let starts: SmallVec<[i64; 2]> = match end - first <= i64::from(size) {
                true => smallvec![first.min(last)],
                false if size == vector => smallvec![first.min(last), end - i64::from(size)],
                false => return None,
            };
            (starts.iter().all(|&start| start >= readable.start))
                .then(|| Windows::at(starts, size, unit, distances()))?
        })
    }

    /// Parts at these distances; `None` if a scalar is in none of them, or not at a multiple of its size.
    fn at(
        starts: SmallVec<[i64; 2]>,
        size: u32,
        unit: u32,
        distances: impl Iterator<Item = i64>,
    ) -> Option<Windows> {
        let place = |d: i64| {
            (0..).zip(&starts).find_map(|(part, start)| {
                let at = u32::try_from(d - start).ok().filter(|at| at + unit <= size)?;
                at.is_multiple_of(unit).then_some((part * size + at) / unit)
            })
        };
        let order = distances.map(place).collect::<Option<_>>()?;
        Some(Windows { starts, size, unit, order })
    }
}

impl LaneBuilder<'_> {
    /// Loads four consecutive scalars of 32 bits in each lane, `apart` bytes behind a uniform address, and returns a row for each.
    /// Every address must be readable for 16 bytes.
    pub(crate) fn load_quads_apart(&mut self, ty: Ty, at: Lane, apart: &[u32]) -> [Lane; 4] {
        let a = self.scalar(at);
        let flags = Self::access_flags(self.gather_access);
        let mut rows: [Vecs; 4] = Default::default();
        for lanes in apart.chunks(self.per_vec(Ty::I32) as usize) {
            let words = self.transpose_each(lanes.chunks(4), |s, four| {
                [0, 1, 2, 3].map(|k| s.fb.ins().load(types::I32X4, flags, a, four[k] as i32))
            });
            rows.iter_mut().zip(words).for_each(|(row, v)| row.push(v));
        }
        rows.map(|v| {
            let words = self.push(Ty::I32, Parts::Varying(v));
            self.word_to(words, ty)
        })
    }

    /// The same for words that lie in one vector, up to the last that is loaded: a vector load, and a permutation.
    fn load_window(&mut self, ty: Ty, at: Lane, apart: &[u32]) -> Option<Lane> {
        let lanes = self.per_vec(Ty::I32);
        let most = apart.iter().copied().max()? / 4;
        let fits = self.n_vecs(Ty::I32) == 1 && self.has_mask_registers() && most < lanes;
        let words = matches!(ty, Ty::I32 | Ty::F32) && apart.iter().all(|d| d.is_multiple_of(4));
        if !fits || !words {
            return None;
        }
        let (a, vt) = (self.scalar(at), self.int_vector());
        let zero = self.vconst32(vt, &[0]);
        let loaded: Vec<u32> = (0..lanes).map(|l| if l <= most { u32::MAX } else { 0 }).collect();
        let mask = self.vconst32(vt, &loaded);
        let window = self.intrinsic(Intrinsic::LoadMasked, &[a, mask, zero], vt);
        let order: Vec<u32> = apart.iter().map(|d| d / 4).collect();
        let order = self.vconst32(vt, &order);
        let v = self.intrinsic(Intrinsic::Permute, &[window, order], vt);
        let words = self.push(Ty::I32, Parts::Varying([v].into_iter().collect()));
        Some(self.word_to(words, ty))
    }

    /// The parts of memory that hold the scalars of each vector of lanes, by words or by halves; `None` if the host has no
    /// instruction that sorts them.
    fn windows(&self, ty: Ty, places: &Places<'_>) -> Option<Vec<Windows>> {
        let (lanes, size) = (self.per_vec(Ty::I32) as usize, self.vector_bytes());
        let words = matches!(ty, Ty::I32 | Ty::F32);
        let halves =
            self.has_mask_registers() && (words || ty == Ty::I16 || ty == Ty::F16 && self.has_quiet_halves());
        let of_words = |apart| Windows::over(apart, &places.readable, 4, size).filter(|_| words);
        let of_halves = |apart: &[u32]| {
            let parts: SmallVec<[u32; 32]> = match ty {
                Ty::F16 => SmallVec::from_slice(apart),
                // The high half of each word is removed.
                Ty::I16 => apart.iter().flat_map(|&d| [d, d]).collect(),
                _ => apart.iter().flat_map(|&d| [d, d + 2]).collect(),
            };
            Windows::over(&parts, &places.readable, 2, size).filter(|_| halves)
        };
        let chunks = places.apart.chunks(lanes).filter(|_| self.is_wide_code());
        let windows: Vec<Windows> =
            chunks.map(|apart| of_words(apart).or_else(|| of_halves(apart))).collect::<Option<_>>()?;
        (!windows.is_empty()).then_some(windows)
    }

    /// Loads windows: a load or two and a permutation for each vector of lanes.
    fn load_windows(&mut self, ty: Ty, at: Lane, windows: &[Windows]) -> Lane {
        let v: Vecs = windows.iter().map(|windows| self.load_sorted(at, windows)).collect();
        if ty == Ty::F16 {
            let vt = self.vector_type(Ty::F32);
            let v = v.into_iter().map(|v| self.intrinsic(Intrinsic::F16ToF32, &[v], vt)).collect();
            return self.push(Ty::F16, Parts::Varying(v));
        }
        let vt = self.int_vector();
        let v = v.into_iter().map(|v| self.vcast(vt, v)).collect();
        let words = self.push(Ty::I32, Parts::Varying(v));
        if ty != Ty::I16 {
            return self.word_to(words, ty);
        }
        let low = self.u32(0xffff);
        let low = self.and(words, low);
        self.word_to(low, ty)
    }

    /// Loads the parts of memory, and sorts their scalars into a vector.
    fn load_sorted(&mut self, at: Lane, windows: &Windows) -> Value {
        let (a, flags, bits) =
            (self.scalar(at), Self::access_flags(self.gather_access), 8 * self.vector_bytes());
        let vt = vector_of(if windows.unit == 4 { types::I32 } else { types::I16 }, bits);
        let parts: Vecs = windows
            .starts
            .iter()
            .map(|&start| {
                let of = match windows.size {
                    4 => types::I32,
                    8 => types::I64,
                    _ => return self.fb.ins().load(vt, flags, a, start as i32),
                };
                let x = self.fb.ins().load(of, flags, a, start as i32);
                let v = self.fb.ins().scalar_to_vector(vector_of(of, bits), x);
                self.vcast(vt, v)
            })
            .collect();
        let order: SmallVec<[u32; 32]> = match windows.unit {
            4 => windows.order.clone(),
            _ => windows.order.chunks(2).map(|pair| pair[0] | pair[1] << 16).collect(),
        };
        let order = self.vconst32(self.int_vector(), &order);
        let order = self.vcast(vt, order);
        match parts[..] {
            [x, y] => self.intrinsic(Intrinsic::Permute2, &[x, y, order], vt),
            _ => self.intrinsic(Intrinsic::Permute, &[parts[0], order], vt),
        }
    }

    /// Loads words of which eight are side by side: half a vector of 512 bits at a time.
    fn load_eights(&mut self, ty: Ty, at: Lane, apart: &[u32]) -> Option<Lane> {
        let side_by_side =
            |eight: &[u32]| eight.len() == 8 && eight.windows(2).all(|pair| pair[0] + 4 == pair[1]);
        if self.vector_bytes() < 64 || !matches!(ty, Ty::I32 | Ty::F32) || !apart.chunks(8).all(side_by_side)
        {
            return None;
        }
        let (a, flags) = (self.scalar(at), Self::access_flags(self.gather_access));
        let load = |eight: &[u32]| self.fb.ins().load(types::I32X8, flags, a, eight[0] as i32);
        let parts: Vecs = apart.chunks(8).map(load).collect();
        let words = self.push_parts(Ty::I32, &parts);
        Some(self.word_to(words, ty))
    }

    /// Loads a scalar of up to 32 bits in each lane, at distances from a uniform address.
    pub(crate) fn load_apart(&mut self, ty: Ty, at: Lane, places: &Places<'_>) -> Lane {
        let apart = places.apart;
        let in_order = apart.chunks(4).all(|four| {
            let side_by_side = four.windows(2).all(|pair| pair[0] + 4 == pair[1]);
            four.iter().all(|&d| d == four[0]) || side_by_side && matches!(ty, Ty::I32 | Ty::F32)
        });
        // Vectors that are in order need no permutation, but one scalar load is still less.
        let windows = self.windows(ty, places);
        let is_small = |w: &Vec<Windows>| w.iter().all(|w| w.size <= 8);
        if let Some(windows) = windows.filter(|w| !in_order || is_small(w)) {
            return self.load_windows(ty, at, &windows);
        }
        if !in_order && let Some(words) = self.load_window(ty, at, apart) {
            return words;
        }
        if ty == Ty::F16
            && let Some(halves) = self.load_halves_apart(at, apart)
        {
            return halves;
        }
        if in_order && let Some(words) = self.load_eights(ty, at, apart) {
            return words;
        }
        let a = self.scalar(at);
        let held = if ty == Ty::F16 { Ty::I16 } else { ty };
        let flags = Self::access_flags(self.gather_access);
        let quads: shape::Quads = apart
            .chunks(4)
            .map(|four| {
                let scalar = |s: &mut Self, d: u32| match held {
                    Ty::I16 => s.fb.ins().uload16(types::I32, flags, a, d as i32),
                    _ => s.fb.ins().load(types::I32, flags, a, d as i32),
                };
                if four.iter().all(|&d| d == four[0]) {
                    let v = scalar(self, four[0]);
                    return self.fb.ins().splat(types::I32X4, v);
                }
                if held != Ty::I16 && four.windows(2).all(|pair| pair[0] + 4 == pair[1]) {
                    return self.fb.ins().load(types::I32X4, flags, a, four[0] as i32);
                }
                let first = scalar(self, four[0]);
                let mut v = self.fb.ins().scalar_to_vector(types::I32X4, first);
                for (k, &d) in (1..).zip(&four[1..]) {
                    let x = scalar(self, d);
                    v = self.fb.ins().insertlane(v, x, k);
                }
                v
            })
            .collect();
        let words = self.push_quads(Ty::I32, &quads);
        if ty == Ty::I32 { words } else { self.word_to(words, ty) }
    }
}
