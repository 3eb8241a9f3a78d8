//! Runs of consecutive scalars of 8 or 16 bits that fill 32-bit words. Memory is accessed by words, which registers
//! hold as vectors; scalars are split from words, and joined to words, for all lanes at once.
//!
//! A word that crosses the end of its buffer is the one case that words cannot express: its scalars in range are still
//! read and written. Such accesses, and those that no lane pattern serves, stay with `crate::runtime`.

use super::{Lanes, Shape};
use crate::codegen::{Buffer, Gen};
use crate::ir::{Mem, Ty};
use crate::lane::Lane;

impl Shape {
    /// The same bytes as consecutive 32-bit words, if the scalars are narrower than a word and fill whole words.
    pub(super) fn as_words(&self) -> Option<Shape> {
        let narrow = matches!(self.ty, Ty::I8 | Ty::I16 | Ty::F16);
        let bytes = self.ty.bytes();
        if !narrow || self.mem.stride != bytes || !(self.n * bytes).is_multiple_of(4) {
            return None;
        }
        Some(Shape { ty: Ty::I32, n: self.n * bytes / 4, mem: Mem { stride: 4, ..self.mem } })
    }

    /// The same for loads. Ordered scalars are loaded one by one.
    pub(super) fn as_loaded_words(&self) -> Option<Shape> {
        self.as_words().filter(|_| !self.mem.ordered)
    }

    /// Returns true for four consecutive words.
    pub(super) fn is_quad(&self) -> bool {
        let words = matches!(self.ty, Ty::I32 | Ty::F32);
        words && self.n == 4 && self.mem.stride == 4 && !self.mem.ordered
    }

    /// Returns true for several rows in which the scalars of all lanes are consecutive.
    pub(super) fn is_rows(&self, stride: i32) -> bool {
        let bytes = self.ty.bytes();
        let apart = self.n > 1 && self.mem.stride != bytes && !self.mem.ordered;
        apart && bytes <= 4 && self.ty != Ty::Bool && stride > 0 && stride.unsigned_abs() == bytes
    }

    /// Returns true for one scalar of 8 or 16 bits per lane, where the scalars of all lanes are consecutive.
    pub(super) fn is_narrow_row(&self, stride: i32) -> bool {
        let narrow = matches!(self.ty, Ty::I8 | Ty::I16 | Ty::F16);
        narrow && self.n == 1 && stride.unsigned_abs() == self.ty.bytes() && stride > 0 && !self.mem.ordered
    }
}

impl Gen<'_, '_, '_> {
    /// Loads the rows of [`Shape::is_rows`].
    pub(super) fn load_matrix_rows(&mut self, at: Lane, shape: Shape) -> Lanes {
        (0..shape.n)
            .map(|k| {
                let (at, near) = shape.place(self.b, at, k);
                match shape.ty {
                    Ty::F16 => self.b.load_row_half(at, near),
                    Ty::I8 | Ty::I16 => {
                        let bits = self.b.load_row_narrow(shape.ty.bytes(), at, near);
                        self.b.word_to(bits, shape.ty)
                    }
                    ty => self.b.load_row(ty, at, near),
                }
            })
            .collect()
    }

    /// Stores the rows of [`Shape::is_rows`].
    pub(super) fn store_matrix_rows(&mut self, at: Lane, shape: Shape, values: &[Lane]) {
        for (k, &v) in (0..).zip(values) {
            let (at, near) = shape.place(self.b, at, k);
            match shape.ty {
                Ty::F16 => self.b.store_row_half(v, at, near),
                Ty::I8 | Ty::I16 => {
                    let (word, at) = (self.b.to_word(v), self.b.offset(at, i64::from(near)));
                    self.b.store_row_narrow(word, shape.ty.bytes(), at);
                }
                _ => {
                    let v = self.b.splat(v);
                    self.b.store_row(v, at, near);
                }
            }
        }
    }

    /// Splits the scalars of a shape from the words that hold them.
    pub(super) fn split_words(&mut self, words: &[Lane], shape: Shape) -> Lanes {
        let bits = 8 * shape.ty.bytes();
        let per_word = 32 / bits;
        if shape.ty == Ty::F16 {
            let halves: Lanes = words.iter().flat_map(|&w| self.b.f16s_of_word(w)).collect();
            return halves.into_iter().map(|f| self.b.retype(f, Ty::F16)).collect();
        }
        (0..shape.n)
            .map(|k| {
                let (word, first) = (words[(k / per_word) as usize], k % per_word * bits);
                let count = self.b.u32(first);
                let mut part = self.b.ushr(word, count);
                // The last part has no bits above it.
                if first + bits < 32 {
                    let mask = self.b.u32(u32::MAX >> (32 - bits));
                    part = self.b.and(part, mask);
                }
                self.b.word_to(part, shape.ty)
            })
            .collect()
    }

    /// Joins values to the words of [`Shape::as_words`].
    pub(super) fn join_to_words(&mut self, values: &[Lane], shape: Shape) -> Lanes {
        let bits = 8 * shape.ty.bytes();
        values
            .chunks(32 / bits as usize)
            .map(|scalars| {
                let (first, others) = scalars.split_first().expect("chunks are not empty");
                let mut word = self.b.to_word(*first);
                for (k, &scalar) in (1..).zip(others) {
                    let scalar = self.b.to_word(scalar);
                    let count = self.b.u32(k * bits);
                    let shifted = self.b.shl(scalar, count);
                    word = self.b.or(word, shifted);
                }
                word
            })
            .collect()
    }

    /// The lanes whose whole run is in range, and the test that in no lane (of `among`) only the first scalars are.
    fn runs_in_range(&mut self, b: Buffer, offset: Lane, shape: Shape, among: Option<Lane>) -> (Lane, Lane) {
        let whole = self.lanes_in_range(b, offset, shape.end(shape.n - 1));
        let first = self.lanes_in_range(b, offset, shape.end(0));
        let cut = self.b.and_not(first, whole);
        let cut = among.map_or(cut, |lanes| self.b.and(cut, lanes));
        let cut = self.b.any(cut);
        (whole, self.b.not(cut))
    }

    /// Gathers one run for each lane, with the words of [`Shape::as_words`].
    pub(super) fn load_runs(&mut self, b: Buffer, offset: Lane, shape: Shape, words: Shape) -> Lanes {
        let (whole, uncut) = self.runs_in_range(b, offset, shape, None);
        self.load_fast_if(
            &[uncut],
            shape,
            |g| {
                let loaded = g.load_whole_runs(b, offset, words, whole);
                g.split_words(&loaded, shape)
            },
            |g| g.load_by_helper(b, offset, shape),
        )
    }

    /// Gathers runs that are known to be in range.
    pub(super) fn load_runs_unchecked(
        &mut self,
        b: Buffer,
        offset: Lane,
        shape: Shape,
        words: Shape,
    ) -> Lanes {
        let loaded = if words.n == 2 {
            let base = self.b.offset(b.base, words.start(0) as i64);
            let (first, second) = self.b.gather_pairs(base, offset);
            Lanes::from_slice(&[first, second])
        } else {
            self.load_unchecked(b, offset, words)
        };
        self.split_words(&loaded, shape)
    }

    /// Gathers the words of the lanes of a mask; the words of other lanes are 0.
    fn load_whole_runs(&mut self, b: Buffer, offset: Lane, words: Shape, whole: Lane) -> Lanes {
        let base = self.b.offset(b.base, words.start(0) as i64);
        if words.n == 2
            && let Some((first, second)) = self.b.gather_pairs_where(base, offset, whole)
        {
            return Lanes::from_slice(&[first, second]);
        }
        match words.is_quad() {
            true => self.load_whole_quads(b, offset, words, whole),
            false => self.load_gather(b, offset, words),
        }
    }

    /// Stores one run for each lane of the mask with the host's scatter.
    pub(super) fn store_runs(
        &mut self,
        b: Buffer,
        offset: Lane,
        shape: Shape,
        words: Shape,
        values: &[Lane],
        mask: Lane,
    ) {
        let (whole, uncut) = self.runs_in_range(b, offset, shape, Some(mask));
        self.fast_if(
            &[uncut],
            |g| {
                let to = g.b.and(whole, mask);
                for (k, word) in (0..).zip(g.join_to_words(values, shape)) {
                    let base = g.b.offset(b.base, words.start(k) as i64);
                    g.b.scatter_where(word, base, offset, to);
                }
            },
            |g| g.store_by_helper(b, offset, shape, values, mask),
        );
    }
}
