//! Emits the code of blend equations in merge kernels, for all lanes at once. Loading and storing texels is left to
//! [`super::surface`].

use quadrille_jit::lane::{Lane, LaneBuilder};

use crate::state::{BlendEquation, BlendFactor, BlendOp};

pub(super) fn blend_rows(
    b: &mut LaneBuilder,
    e: &[BlendEquation; 2],
    src: [Lane; 4],
    src1: [Lane; 4],
    dst: [Lane; 4],
    constants: [Lane; 4],
) -> [Lane; 4] {
    std::array::from_fn(|i| {
        let e = &e[usize::from(i == 3)];
        let (s, d) = (src[i], dst[i]);
        if matches!(e.op, BlendOp::Min | BlendOp::Max) {
            return if e.op == BlendOp::Min { b.fmin(s, d) } else { b.fmax(s, d) };
        }
        let mut product = |v: Lane, f: BlendFactor| match f {
            BlendFactor::Zero => b.f32(0.0),
            BlendFactor::One => v,
            _ => {
                let f = factor(b, f, i, src, src1, dst, constants);
                b.fmul(v, f)
            }
        };
        let (s, d) = (product(s, e.src), product(d, e.dst));
        match e.op {
            BlendOp::Subtract => b.fsub(s, d),
            BlendOp::ReverseSubtract => b.fsub(d, s),
            _ => b.fadd(s, d),
        }
    })
}

fn factor(
    b: &mut LaneBuilder,
    f: BlendFactor,
    i: usize,
    src: [Lane; 4],
    src1: [Lane; 4],
    dst: [Lane; 4],
    constants: [Lane; 4],
) -> Lane {
    use BlendFactor::*;
    let one = b.f32(1.0);
    match f {
        Zero => b.f32(0.0),
        One => one,
        SrcColor => src[i],
        OneMinusSrcColor => b.fsub(one, src[i]),
        DstColor => dst[i],
        OneMinusDstColor => b.fsub(one, dst[i]),
        SrcAlpha => src[3],
        OneMinusSrcAlpha => b.fsub(one, src[3]),
        DstAlpha => dst[3],
        OneMinusDstAlpha => b.fsub(one, dst[3]),
        ConstantColor => constants[i],
        OneMinusConstantColor => b.fsub(one, constants[i]),
        ConstantAlpha => constants[3],
        OneMinusConstantAlpha => b.fsub(one, constants[3]),
        SrcAlphaSaturate if i == 3 => one,
        SrcAlphaSaturate => {
            let room = b.fsub(one, dst[3]);
            b.fmin(src[3], room)
        }
        Src1Color => src1[i],
        OneMinusSrc1Color => b.fsub(one, src1[i]),
        Src1Alpha => src1[3],
        OneMinusSrc1Alpha => b.fsub(one, src1[3]),
    }
}
