//! Names of states in both languages, with the corresponding values.

use quadrille::{
    AdvancedBlend, AdvancedOp, BlendFactor, BlendOp, BlendOverlap, CompareOp, LogicOp, StencilOp, Topology,
};

/// Table of names and their values.
pub type Names<T> = [(&'static str, T)];

/// Returns the value of a name.
pub fn find<T: Copy>(names: &Names<T>, name: &str) -> Option<T> {
    names.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
}

/// Comparison operations, without VkScript's prefix.
pub const COMPARE_OPS: &Names<CompareOp> = &[
    ("never", CompareOp::Never),
    ("less", CompareOp::Less),
    ("equal", CompareOp::Equal),
    ("less_or_equal", CompareOp::LessOrEqual),
    ("greater", CompareOp::Greater),
    ("not_equal", CompareOp::NotEqual),
    ("greater_or_equal", CompareOp::GreaterOrEqual),
    ("always", CompareOp::Always),
];

/// Stencil operations.
pub const STENCIL_OPS: &Names<StencilOp> = &[
    ("keep", StencilOp::Keep),
    ("zero", StencilOp::Zero),
    ("replace", StencilOp::Replace),
    ("increment_and_clamp", StencilOp::IncrementAndClamp),
    ("decrement_and_clamp", StencilOp::DecrementAndClamp),
    ("invert", StencilOp::Invert),
    ("increment_and_wrap", StencilOp::IncrementAndWrap),
    ("decrement_and_wrap", StencilOp::DecrementAndWrap),
];

/// Blend factors.
pub const BLEND_FACTORS: &Names<BlendFactor> = &[
    ("zero", BlendFactor::Zero),
    ("one", BlendFactor::One),
    ("src_color", BlendFactor::SrcColor),
    ("one_minus_src_color", BlendFactor::OneMinusSrcColor),
    ("dst_color", BlendFactor::DstColor),
    ("one_minus_dst_color", BlendFactor::OneMinusDstColor),
    ("src_alpha", BlendFactor::SrcAlpha),
    ("one_minus_src_alpha", BlendFactor::OneMinusSrcAlpha),
    ("dst_alpha", BlendFactor::DstAlpha),
    ("one_minus_dst_alpha", BlendFactor::OneMinusDstAlpha),
    ("constant_color", BlendFactor::ConstantColor),
    ("one_minus_constant_color", BlendFactor::OneMinusConstantColor),
    ("constant_alpha", BlendFactor::ConstantAlpha),
    // Misspelled in Amber itself.
    ("costant_alpha", BlendFactor::ConstantAlpha),
    ("one_minus_constant_alpha", BlendFactor::OneMinusConstantAlpha),
    ("src_alpha_saturate", BlendFactor::SrcAlphaSaturate),
    ("src1_color", BlendFactor::Src1Color),
    ("one_minus_src1_color", BlendFactor::OneMinusSrc1Color),
    ("src1_alpha", BlendFactor::Src1Alpha),
    ("one_minus_src1_alpha", BlendFactor::OneMinusSrc1Alpha),
];

const fn advanced(op: AdvancedOp) -> BlendOp {
    let (src_premultiplied, dst_premultiplied) = (true, true);
    BlendOp::Advanced(AdvancedBlend {
        op,
        src_premultiplied,
        dst_premultiplied,
        overlap: BlendOverlap::Uncorrelated,
    })
}

/// Blend operations.
pub const BLEND_OPS: &Names<BlendOp> = &[
    ("add", BlendOp::Add),
    ("subtract", BlendOp::Subtract),
    ("reverse_subtract", BlendOp::ReverseSubtract),
    // Misspelled in AmberScript.
    ("substract", BlendOp::Subtract),
    ("reverse_substract", BlendOp::ReverseSubtract),
    ("min", BlendOp::Min),
    ("max", BlendOp::Max),
    ("zero", advanced(AdvancedOp::Zero)),
    ("src", advanced(AdvancedOp::Src)),
    ("dst", advanced(AdvancedOp::Dst)),
    ("src_over", advanced(AdvancedOp::SrcOver)),
    ("dst_over", advanced(AdvancedOp::DstOver)),
    ("src_in", advanced(AdvancedOp::SrcIn)),
    ("dst_in", advanced(AdvancedOp::DstIn)),
    ("src_out", advanced(AdvancedOp::SrcOut)),
    ("dst_out", advanced(AdvancedOp::DstOut)),
    ("src_atop", advanced(AdvancedOp::SrcAtop)),
    ("dst_atop", advanced(AdvancedOp::DstAtop)),
    ("xor", advanced(AdvancedOp::Xor)),
    ("multiply", advanced(AdvancedOp::Multiply)),
    ("screen", advanced(AdvancedOp::Screen)),
    ("overlay", advanced(AdvancedOp::Overlay)),
    ("darken", advanced(AdvancedOp::Darken)),
    ("lighten", advanced(AdvancedOp::Lighten)),
    ("color_dodge", advanced(AdvancedOp::ColorDodge)),
    ("color_burn", advanced(AdvancedOp::ColorBurn)),
    ("hard_light", advanced(AdvancedOp::HardLight)),
    ("soft_light", advanced(AdvancedOp::SoftLight)),
    ("difference", advanced(AdvancedOp::Difference)),
    ("exclusion", advanced(AdvancedOp::Exclusion)),
    ("invert", advanced(AdvancedOp::Invert)),
    ("invert_rgb", advanced(AdvancedOp::InvertRgb)),
    ("linear_dodge", advanced(AdvancedOp::LinearDodge)),
    ("linear_burn", advanced(AdvancedOp::LinearBurn)),
    ("vivid_light", advanced(AdvancedOp::VividLight)),
    ("linear_light", advanced(AdvancedOp::LinearLight)),
    ("pin_light", advanced(AdvancedOp::PinLight)),
    ("hard_mix", advanced(AdvancedOp::HardMix)),
    ("hsl_hue", advanced(AdvancedOp::HslHue)),
    ("hsl_saturation", advanced(AdvancedOp::HslSaturation)),
    ("hsl_color", advanced(AdvancedOp::HslColor)),
    ("hsl_luminosity", advanced(AdvancedOp::HslLuminosity)),
    ("plus", advanced(AdvancedOp::Plus)),
    ("plus_clamped", advanced(AdvancedOp::PlusClamped)),
    ("plus_clamped_alpha", advanced(AdvancedOp::PlusClampedAlpha)),
    ("plus_darker", advanced(AdvancedOp::PlusDarker)),
    ("minus", advanced(AdvancedOp::Minus)),
    ("minus_clamped", advanced(AdvancedOp::MinusClamped)),
    ("contrast", advanced(AdvancedOp::Contrast)),
    ("invert_ovg", advanced(AdvancedOp::InvertOvg)),
    ("invert_org", advanced(AdvancedOp::InvertOvg)),
    ("red", advanced(AdvancedOp::Red)),
    ("green", advanced(AdvancedOp::Green)),
    ("blue", advanced(AdvancedOp::Blue)),
];

/// Logic operations.
pub const LOGIC_OPS: &Names<LogicOp> = &[
    ("clear", LogicOp::Clear),
    ("and", LogicOp::And),
    ("and_reverse", LogicOp::AndReverse),
    ("copy", LogicOp::Copy),
    ("and_inverted", LogicOp::AndInverted),
    ("no_op", LogicOp::NoOp),
    ("xor", LogicOp::Xor),
    ("or", LogicOp::Or),
    ("nor", LogicOp::Nor),
    ("equivalent", LogicOp::Equivalent),
    ("invert", LogicOp::Invert),
    ("or_reverse", LogicOp::OrReverse),
    ("copy_inverted", LogicOp::CopyInverted),
    ("or_inverted", LogicOp::OrInverted),
    ("nand", LogicOp::Nand),
    ("set", LogicOp::Set),
];

/// Primitive topologies, by the names of both languages.
pub const TOPOLOGIES: &Names<Topology> = &[
    ("PATCH_LIST", Topology::PatchList),
    ("POINT_LIST", Topology::PointList),
    ("LINE_LIST", Topology::LineList),
    ("LINE_LIST_WITH_ADJACENCY", Topology::LineListWithAdjacency),
    ("LINE_STRIP", Topology::LineStrip),
    ("LINE_STRIP_WITH_ADJACENCY", Topology::LineStripWithAdjacency),
    ("TRIANGLE_FAN", Topology::TriangleFan),
    // Spelled this way in AmberScript's list of topologies.
    ("TRIANGLE_fan", Topology::TriangleFan),
    ("TRIANGLE_LIST", Topology::TriangleList),
    ("TRIANGLE_LIST_WITH_ADJACENCY", Topology::TriangleListWithAdjacency),
    ("TRIANGLE_STRIP", Topology::TriangleStrip),
    ("TRIANGLE_STRIP_WITH_ADJACENCY", Topology::TriangleStripWithAdjacency),
    ("GL_PATCHES", Topology::PatchList),
    ("GL_POINTS", Topology::PointList),
    ("GL_LINES", Topology::LineList),
    ("GL_LINES_ADJACENCY", Topology::LineListWithAdjacency),
    ("GL_LINE_STRIP", Topology::LineStrip),
    ("GL_LINE_STRIP_ADJACENCY", Topology::LineStripWithAdjacency),
    ("GL_TRIANGLES", Topology::TriangleList),
    ("GL_TRIANGLES_ADJACENCY", Topology::TriangleListWithAdjacency),
    ("GL_TRIANGLE_STRIP", Topology::TriangleStrip),
    ("GL_TRIANGLE_STRIP_ADJACENCY", Topology::TriangleStripWithAdjacency),
    ("GL_TRIANGLE_FAN", Topology::TriangleFan),
];

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;

    /// Converts `OneMinusSrc1Color` to `one_minus_src1_color`.
    fn snake(name: &str) -> String {
        let mut out = String::new();
        for c in name.chars() {
            if c.is_ascii_uppercase() && !out.is_empty() {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
        }
        out
    }

    /// Checks that names match the states, apart from the spellings in `others`.
    fn check<T: Copy + Debug>(names: &Names<T>, others: &[&str], name_of: impl Fn(T) -> String) {
        let mut named = 0;
        for (name, value) in names.iter().filter(|(n, _)| !others.contains(n)) {
            assert_eq!(name.to_ascii_lowercase(), snake(&name_of(*value)), "{value:?}");
            named += 1;
        }
        assert_eq!(named + others.len(), names.len());
    }

    fn plain<T: Debug>(value: T) -> String {
        format!("{value:?}")
    }

    #[test]
    fn names_are_those_of_the_states() {
        check(COMPARE_OPS, &[], plain);
        check(STENCIL_OPS, &[], plain);
        check(BLEND_FACTORS, &["costant_alpha"], plain);
        check(LOGIC_OPS, &[], plain);
        let other = ["substract", "reverse_substract", "invert_org"];
        check(BLEND_OPS, &other, |op| match op {
            BlendOp::Advanced(advanced) => plain(advanced.op),
            op => plain(op),
        });
        let gl: Vec<&str> = TOPOLOGIES.iter().map(|(n, _)| *n).filter(|n| n.starts_with("GL_")).collect();
        check(TOPOLOGIES, &[&gl[..], &["TRIANGLE_fan"]].concat(), plain);
        assert_eq!(find(BLEND_FACTORS, "costant_alpha"), Some(BlendFactor::ConstantAlpha));
        assert_eq!(find(BLEND_OPS, "substract"), Some(BlendOp::Subtract));
        assert_eq!(find(BLEND_OPS, "reverse_substract"), Some(BlendOp::ReverseSubtract));
        for (gl, plain) in [
            ("GL_LINES_ADJACENCY", "LINE_LIST_WITH_ADJACENCY"),
            ("GL_LINE_STRIP_ADJACENCY", "LINE_STRIP_WITH_ADJACENCY"),
            ("GL_TRIANGLES_ADJACENCY", "TRIANGLE_LIST_WITH_ADJACENCY"),
            ("GL_TRIANGLE_STRIP_ADJACENCY", "TRIANGLE_STRIP_WITH_ADJACENCY"),
            ("GL_POINTS", "POINT_LIST"),
            ("GL_LINES", "LINE_LIST"),
            ("GL_LINE_STRIP", "LINE_STRIP"),
            ("GL_TRIANGLES", "TRIANGLE_LIST"),
            ("GL_TRIANGLE_STRIP", "TRIANGLE_STRIP"),
            ("GL_TRIANGLE_FAN", "TRIANGLE_FAN"),
            ("GL_PATCHES", "PATCH_LIST"),
        ] {
            assert_eq!(find(TOPOLOGIES, gl), find(TOPOLOGIES, plain), "{gl}");
        }
    }
}
