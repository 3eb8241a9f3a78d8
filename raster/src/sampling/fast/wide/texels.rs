//! Texels of eight lanes: loads, filters in two dimensions, results. Taking texels apart is left to [`super::host`],
//! texel coordinates to [`super::axes`].

use quadrille_jit::abi::{ImageArgs, MAX_LANES, TEXEL_ROWS};

use super::super::super::coords::{NORM8_HI, NORM8_LO};
use super::super::super::state::CompareOp;
use super::host::{F8, I8, Rare, Values, Vectors, Wide, normalized, vectors};
use super::{FLOAT, HALF4, Plan, ResultRow, SHADOW, SRGB8, UNORM8};

/// Number of bytes of a texel, as a power of two.
pub const fn shift(texels: u8) -> u32 {
    if texels == HALF4 { 3 } else { 2 }
}

/// Number of components of a texel.
pub const fn components(texels: u8) -> usize {
    if matches!(texels, FLOAT | SHADOW) { 1 } else { 4 }
}

/// Converts the weights of eight lanes from 1/256 to floats, in each half.
#[inline(always)]
pub fn weight<W: Vectors>(h: W, w: I8) -> W::F {
    let e = h.eight();
    h.spread(e.float(w) * e.f(1.0 / 256.0))
}

/// Comparison of each texel of [`SHADOW`] with a reference.
#[derive(Clone, Copy)]
pub struct Test {
    pub op: CompareOp,
    pub reference: F8,
}

/// Loads texels at byte offsets, in the domain of filters.
///
/// # Safety
/// The texels must be readable.
#[inline(always)]
pub unsafe fn nearest<W: Wide, const T: u8>(
    h: W,
    base: *const u8,
    at: I8,
    gathers: bool,
    test: Test,
) -> Values<W> {
    // SAFETY: the caller promises readable texels, which have eight bytes for `HALF4` and four otherwise.
    unsafe {
        match T {
            HALF4 => h.halves(h.load_pairs(base, at, gathers)),
            _ => values::<W, T>(h, h.eight().load(base, at, gathers), gathers, test),
        }
    }
}

/// Decodes texels of one word, in the domain of filters.
#[inline(always)]
pub fn values<W: Wide, const T: u8>(h: W, texels: I8, gathers: bool, test: Test) -> Values<W> {
    let e = h.eight();
    match T {
        UNORM8 => h.bytes(texels),
        SRGB8 => h.srgb(texels, gathers),
        SHADOW => {
            let holds = e.compare(test.op, test.reference, e.as_f(texels));
            h.words(e.as_i(e.keep(holds, e.f(1.0))))
        }
        _ => h.words(texels),
    }
}

/// Texels of linear filters.
pub struct Taps {
    pub base: *const u8,
    /// Byte offsets of the texels (0, 0), (1, 0), (0, 1), (1, 1). If `near`, only the first is used.
    pub at: [I8; 4],
    /// `true` if in all lanes the texels of a row are neighbours and the second row is `row_pitch` from the first.
    pub near: bool,
    /// `true` for loads by the host's gathers; see [`super::measure`].
    pub gathers: bool,
    pub row_pitch: usize,
    /// Weights of the second texel along both axes in 1/256.
    pub weights: [I8; 2],
}

/// Texels at arbitrary offsets: a copy of a part of [`Taps`]. Functions that are not inlined take this part, so that the
/// taps of the usual case stay in registers.
struct Far {
    base: *const u8,
    at: [I8; 4],
    gathers: bool,
}

impl Taps {
    #[inline(always)]
    fn far(&self) -> Far {
        Far { base: self.base, at: self.at, gathers: self.gathers }
    }
}

/// Applies a linear filter to two texels in each of two rows.
///
/// # Safety
/// The texels of `taps` must be readable, and the bytes of a texel after them, too: they are in the next row or the
/// image's padding.
#[inline(always)]
pub unsafe fn linear<W: Wide, const T: u8>(h: W, taps: &Taps, test: Test) -> Values<W> {
    if T == HALF4 {
        // SAFETY: the caller promises readable texels, and bytes after them.
        return linear_quads(h, unsafe { quads(h, taps) }, taps.weights);
    }
    // SAFETY: the caller promises readable texels, and bytes after them.
    let rows = unsafe { pairs(h, taps) };
    linear_pairs::<W, T>(h, rows, taps.weights, taps.gathers, test)
}

/// Applies a linear filter to pairs of texels of one word in both rows; see [`Taps`].
#[inline(always)]
pub fn linear_pairs<W: Wide, const T: u8>(
    h: W,
    rows: [W::Pairs; 2],
    weights: [I8; 2],
    gathers: bool,
    test: Test,
) -> Values<W> {
    let [wx, wy] = each!(2, w in weights => weight(h, w));
    match T {
        UNORM8 => h.linear_bytes(rows, weights[0], weights[1]),
        SRGB8 => h.linear_srgb(rows, wx, wy, gathers),
        SHADOW => h.linear_words(rows, wx, wy, Some((test.op, test.reference))),
        _ => h.linear_words(rows, wx, wy, None),
    }
}

/// Applies a linear filter to texels of four 16-bit floats in both rows; see [`Taps`].
#[inline(always)]
pub fn linear_quads<W: Wide>(h: W, rows: W::Quads, weights: [I8; 2]) -> Values<W> {
    let [wx, wy] = each!(2, w in weights => weight(h, w));
    h.linear_halves(rows, wx, wy)
}

/// Loads two texels of four 16-bit floats in both rows.
///
/// # Safety
/// As for [`linear`].
#[inline(always)]
pub unsafe fn quads<W: Wide>(h: W, taps: &Taps) -> W::Quads {
    match taps.near {
        // SAFETY: the caller promises readable texels, whose neighbours and second rows `near` locates.
        true => unsafe { h.load_quads(taps.base, taps.row_pitch, taps.at[0], taps.gathers) },
        false => h.rarely(FarQuads(taps.far())),
    }
}

/// Loads pairs of words of both rows.
///
/// # Safety
/// As for [`linear`].
#[inline(always)]
pub unsafe fn pairs<W: Wide>(h: W, taps: &Taps) -> [W::Pairs; 2] {
    if !taps.near {
        return h.rarely(FarPairs(taps.far()));
    }
    let (base, at) = (taps.base, taps.at[0]);
    // SAFETY: the caller promises readable words, whose neighbours `near` locates.
    unsafe {
        let first = h.load_pairs(base, at, taps.gathers);
        [first, h.load_pairs(base.add(taps.row_pitch), at, taps.gathers)]
    }
}

/// Pairs of words of both rows at arbitrary offsets, which only [`pairs`] makes.
struct FarPairs(Far);

impl Rare for FarPairs {
    type Output<W: Wide> = [W::Pairs; 2];

    #[inline(always)]
    fn run<W: Wide>(self, h: W) -> [W::Pairs; 2] {
        // SAFETY: the caller of `pairs` promises readable words at all four offsets.
        let [a, b, c, d] =
            unsafe { each!(4, at in self.0.at => h.eight().load(self.0.base, at, self.0.gathers)) };
        [h.pairs_of(a, b), h.pairs_of(c, d)]
    }
}

/// Texels of four 16-bit floats of both rows at arbitrary offsets, which only [`quads`] makes.
struct FarQuads(Far);

impl Rare for FarQuads {
    type Output<W: Wide> = W::Quads;

    #[inline(always)]
    fn run<W: Wide>(self, h: W) -> W::Quads {
        // SAFETY: the caller of `quads` promises readable texels at all four offsets.
        unsafe { h.load_far_quads(self.0.base, &self.0.at) }
    }
}

/// Converts from the domain of filters to results. `MIXED` is true if values may be between those of two levels.
#[inline(always)]
pub fn finish<W: Wide, const T: u8, const LINEAR: bool, const MIXED: bool>(
    h: W,
    mut v: Values<W>,
) -> Values<W> {
    if T != UNORM8 {
        return v;
    }
    // In the generated routines the factor is 2^8, with the same products.
    let scale = if LINEAR { 1.0 / W::BYTE_FACTOR } else { 1.0 };
    let (hi, lo) = (h.f(NORM8_HI * scale), h.f(NORM8_LO * scale));
    unroll!(k in 0 1 2 3 => {
        if k < vectors::<W>(4) {
            v[k] = if LINEAR || MIXED { v[k] * hi + v[k] * lo } else { normalized(h, v[k]) };
        }
    });
    v
}

/// Words of all result rows.
const WORDS: usize = TEXEL_ROWS * MAX_LANES;

/// Stores results of the lanes from `first`.
#[inline(always)]
pub fn store<W: Wide, const T: u8>(h: W, args: &mut ImageArgs, first: u32, plan: &Plan, v: &Values<W>) {
    let e = h.eight();
    let words: &mut [u32; WORDS] = bytemuck::cast_mut(&mut args.texel);
    unroll!(i in 0 1 2 3 => {
        if i < components(T) {
            e.put(lanes_at(words, plan.rows[i], first), h.component(v, i));
        }
    });
    for &(row, bits) in &plan.constants {
        e.put(lanes_at(words, row, first), e.as_f(e.i(bits as i32)));
    }
}

/// Stores results of sixteen lanes from `first`, which is a multiple of sixteen. Code for groups of sixteen lanes loads
/// them as one vector, which could not be forwarded from two stores.
#[inline(always)]
pub fn store_sixteen<W: Wide, const T: u8>(
    h: W,
    args: &mut ImageArgs,
    first: u32,
    plan: &Plan,
    v: [&Values<W>; 2],
) {
    let words: &mut [u32; WORDS] = bytemuck::cast_mut(&mut args.texel);
    unroll!(i in 0 1 2 3 => {
        if i < components(T) {
            h.put_sixteen(sixteen_at(words, plan.rows[i], first), v, i);
        }
    });
    for &(row, bits) in &plan.constants {
        sixteen_at(words, row, first).fill(bits);
    }
}

/// Eight lanes of a result row, from a multiple of eight on.
#[inline(always)]
fn lanes_at(words: &mut [u32; WORDS], row: ResultRow, first: u32) -> &mut [u32; 8] {
    let at = row as usize + (first as usize & 24);
    // SAFETY: the last row starts at word 224, and 24 is the largest of the lanes that are added, so that the eight
    // words are among the first 256. The compiler does not see this.
    unsafe { &mut *words.as_mut_ptr().add(at).cast() }
}

/// Sixteen lanes of a result row, from a multiple of sixteen on.
#[inline(always)]
fn sixteen_at(words: &mut [u32; WORDS], row: ResultRow, first: u32) -> &mut [u32; 16] {
    let at = row as usize + (first as usize & 16);
    // SAFETY: the last row starts at word 224, and 16 is the largest of the lanes that are added, so that the sixteen
    // words are among the first 256. The compiler does not see this.
    unsafe { &mut *words.as_mut_ptr().add(at).cast() }
}
