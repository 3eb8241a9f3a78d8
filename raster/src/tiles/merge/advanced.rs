//! Advanced blend operations, one pixel at a time: compositing with modes that mix all components.
//!
//! All operations are exact or correctly rounded, in the order of the specification's formulas. Other blend operations
//! are left to [`super::scalar`].
//!
//! Spec: Vulkan, "Advanced Blend Operations" (framebuffer-blend-advanced).

use crate::state::{AdvancedBlend, AdvancedOp, BlendOverlap};

type Rgb = [f32; 3];

fn min(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

fn max(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

fn rgb([r, g, b, _]: [f32; 4]) -> Rgb {
    [r, g, b]
}

fn zip(a: Rgb, b: Rgb, f: impl Fn(f32, f32) -> f32) -> Rgb {
    std::array::from_fn(|i| f(a[i], b[i]))
}

/// Blends two colours. The result is premultiplied by alpha if the destination is.
pub(super) fn blend(b: &AdvancedBlend, src: [f32; 4], dst: [f32; 4]) -> [f32; 4] {
    let [r, g, bl, a] = multiplied(b, src, dst);
    if b.dst_premultiplied || a <= 0.0 { [r, g, bl, a] } else { [r / a, g / a, bl / a, a] }
}

/// Blends two colours; the result is premultiplied by alpha.
fn multiplied(b: &AdvancedBlend, src: [f32; 4], dst: [f32; 4]) -> [f32; 4] {
    let (sa, da) = (src[3], dst[3]);
    if let Some(out) = additional(b, src, dst) {
        return out;
    }
    let divided = |c: [f32; 4], premultiplied: bool| match (premultiplied, c[3] != 0.0) {
        (false, _) => rgb(c),
        (true, true) => rgb(c).map(|v| v / c[3]),
        (true, false) => [0.0; 3],
    };
    let (s, d) = (divided(src, b.src_premultiplied), divided(dst, b.dst_premultiplied));
    let p = match b.overlap {
        BlendOverlap::Uncorrelated => [sa * da, sa * (1.0 - da), da * (1.0 - sa)],
        BlendOverlap::Disjoint => [max(sa + da - 1.0, 0.0), min(sa, 1.0 - da), min(da, 1.0 - sa)],
        BlendOverlap::Conjoint => [min(sa, da), max(sa - da, 0.0), max(da - sa, 0.0)],
    };
    let [x, y, z] = coverage(b.op);
    let f = mix(b.op, s, d);
    let color = |i: usize| f[i] * p[0] + y * s[i] * p[1] + z * d[i] * p[2];
    [color(0), color(1), color(2), x * p[0] + y * p[1] + z * p[2]]
}

/// X, Y and Z of the specification: weights of the overlap, of the source alone, and of the destination alone.
fn coverage(op: AdvancedOp) -> [f32; 3] {
    use AdvancedOp::*;
    match op {
        Zero => [0.0, 0.0, 0.0],
        Src | DstAtop => [1.0, 1.0, 0.0],
        Dst | SrcAtop | Invert | InvertRgb => [1.0, 0.0, 1.0],
        SrcIn | DstIn => [1.0, 0.0, 0.0],
        SrcOut => [0.0, 1.0, 0.0],
        DstOut => [0.0, 0.0, 1.0],
        Xor => [0.0, 1.0, 1.0],
        _ => [1.0, 1.0, 1.0],
    }
}

/// f of the specification: the colour in the overlap.
fn mix(op: AdvancedOp, s: Rgb, d: Rgb) -> Rgb {
    use AdvancedOp::*;
    match op {
        Src | SrcOver | SrcIn | SrcAtop => s,
        Dst | DstOver | DstIn | DstAtop => d,
        HslHue => set_lum_sat(s, d, d),
        HslSaturation => set_lum_sat(d, s, d),
        HslColor => set_lum(s, d),
        HslLuminosity => set_lum(d, s),
        _ => zip(s, d, |s, d| mix_one(op, s, d)),
    }
}

/// Half a step of an 8-bit destination. A sum that reaches one when the destination is rounded counts as one. Other
/// drivers decide likewise, and Vulkan's conformance suite expects it.
const HALF_STEP: f32 = 0.5 / 255.0;

fn mix_one(op: AdvancedOp, s: f32, d: f32) -> f32 {
    use AdvancedOp::*;
    match op {
        Multiply => s * d,
        Screen => s + d - s * d,
        Overlay => hard_light(d, s),
        Darken => min(s, d),
        Lighten => max(s, d),
        ColorDodge if d <= 0.0 => 0.0,
        ColorDodge if s < 1.0 => min(1.0, d / (1.0 - s)),
        ColorDodge => 1.0,
        ColorBurn if d >= 1.0 => 1.0,
        ColorBurn if s > 0.0 => 1.0 - min(1.0, (1.0 - d) / s),
        ColorBurn => 0.0,
        HardLight => hard_light(s, d),
        SoftLight if s <= 0.5 => d - (1.0 - 2.0 * s) * d * (1.0 - d),
        SoftLight if d <= 0.25 => d + (2.0 * s - 1.0) * d * ((16.0 * d - 12.0) * d + 3.0),
        SoftLight => d + (2.0 * s - 1.0) * (d.sqrt() - d),
        Difference => (d - s).abs(),
        Exclusion => s + d - 2.0 * s * d,
        Invert => 1.0 - d,
        InvertRgb => s * (1.0 - d),
        LinearDodge => min(1.0, s + d),
        LinearBurn => max(0.0, s + d - 1.0),
        VividLight if s <= 0.0 => 0.0,
        VividLight if s < 0.5 => 1.0 - min(1.0, (1.0 - d) / (2.0 * s)),
        VividLight if s < 1.0 => min(1.0, d / (2.0 * (1.0 - s))),
        VividLight => 1.0,
        LinearLight => min(1.0, max(0.0, 2.0 * s + d - 1.0)),
        PinLight if 2.0 * s - 1.0 > d => {
            if s < 0.5 {
                0.0
            } else {
                2.0 * s - 1.0
            }
        }
        PinLight => {
            if s < 0.5 * d {
                2.0 * s
            } else {
                d
            }
        }
        HardMix if s + d < 1.0 - HALF_STEP => 0.0,
        HardMix => 1.0,
        _ => 0.0,
    }
}

fn hard_light(s: f32, d: f32) -> f32 {
    if s <= 0.5 { 2.0 * s * d } else { 1.0 - 2.0 * (1.0 - s) * (1.0 - d) }
}

fn least(c: Rgb) -> f32 {
    min(min(c[0], c[1]), c[2])
}

fn greatest(c: Rgb) -> f32 {
    max(max(c[0], c[1]), c[2])
}

fn lum(c: Rgb) -> f32 {
    c[0] * 0.3 + c[1] * 0.59 + c[2] * 0.11
}

/// Returns `base` with the luminosity of `from`.
fn set_lum(base: Rgb, from: Rgb) -> Rgb {
    let step = lum(from) - lum(base);
    let mut c = base.map(|v| v + step);
    let (l, low, high) = (lum(c), least(c), greatest(c));
    if low < 0.0 {
        c = c.map(|v| l + (v - l) * l / (l - low));
    }
    if high > 1.0 {
        c = c.map(|v| l + (v - l) * (1.0 - l) / (high - l));
    }
    c
}

/// Returns `base` with the saturation of `sat` and the luminosity of `from`.
fn set_lum_sat(base: Rgb, sat: Rgb, from: Rgb) -> Rgb {
    let low = least(base);
    let (own, wanted) = (greatest(base) - low, greatest(sat) - least(sat));
    let c = if own > 0.0 { base.map(|v| (v - low) * wanted / own) } else { [0.0; 3] };
    set_lum(c, from)
}

/// Operations defined on premultiplied colours. Spec: "Additional RGB Blend Operations".
fn additional(b: &AdvancedBlend, src: [f32; 4], dst: [f32; 4]) -> Option<[f32; 4]> {
    use AdvancedOp::*;
    let times = |c: [f32; 4], premultiplied: bool| {
        if premultiplied { c } else { [c[0] * c[3], c[1] * c[3], c[2] * c[3], c[3]] }
    };
    let (s, d) = (times(src, b.src_premultiplied), times(dst, b.dst_premultiplied));
    let (sa, da) = (s[3], d[3]);
    let each = |f: &dyn Fn(f32, f32) -> f32, a: f32| {
        let c = zip(rgb(s), rgb(d), f);
        [c[0], c[1], c[2], a]
    };
    let sum = min(1.0, sa + da);
    Some(match b.op {
        Plus => each(&|s, d| s + d, sa + da),
        PlusClamped => each(&|s, d| min(1.0, s + d), sum),
        PlusClampedAlpha => each(&|s, d| min(sum, s + d), sum),
        PlusDarker => each(&|s, d| max(0.0, sum - ((sa - s) + (da - d))), sum),
        Minus => each(&|s, d| d - s, da - sa),
        MinusClamped => each(&|s, d| max(0.0, d - s), max(0.0, da - sa)),
        Contrast => each(&|s, d| da / 2.0 + 2.0 * (d - da / 2.0) * (s - sa / 2.0), da),
        InvertOvg => each(&|_, d| sa * (1.0 - d) + (1.0 - sa) * d, sa + da - sa * da),
        Red => [s[0], d[1], d[2], da],
        Green => [d[0], s[1], d[2], da],
        Blue => [d[0], d[1], s[2], da],
        _ => return None,
    })
}
