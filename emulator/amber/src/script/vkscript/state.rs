//! Parses commands that set the state of the following draws.

use quadrille::{BlendFactor, BlendOp, CompareOp, CullMode, FrontFace, PolygonMode, StencilOp, Topology};

use crate::script::lexer::Parse;
use crate::script::model::State;
use crate::script::names::{
    BLEND_FACTORS, BLEND_OPS, COMPARE_OPS, LOGIC_OPS, Names, STENCIL_OPS, TOPOLOGIES, find,
};
use crate::script::parser::Parser;

/// Parses a name with a prefix, in capitals, and looks up the rest in lower case.
fn named<T: Copy>(p: &mut Parser<'_>, prefix: &str, names: &Names<T>, what: &str) -> Parse<T> {
    let token = p.word(what)?;
    let name = token.text.strip_prefix(prefix).map(str::to_ascii_lowercase);
    // Names of advanced operations end in `_EXT`.
    let name = name.as_deref().map(|n| n.strip_suffix("_ext").unwrap_or(n));
    let found = name.and_then(|n| find(names, n));
    found.ok_or_else(|| token.problem(format!("`{}` is not {what}", token.text)))
}

fn compare(p: &mut Parser<'_>) -> Parse<CompareOp> {
    named(p, "VK_COMPARE_OP_", COMPARE_OPS, "a VkCompareOp")
}

fn stencil(p: &mut Parser<'_>) -> Parse<StencilOp> {
    named(p, "VK_STENCIL_OP_", STENCIL_OPS, "a VkStencilOp")
}

fn factor(p: &mut Parser<'_>) -> Parse<BlendFactor> {
    named(p, "VK_BLEND_FACTOR_", BLEND_FACTORS, "a VkBlendFactor")
}

fn blend_op(p: &mut Parser<'_>) -> Parse<BlendOp> {
    named(p, "VK_BLEND_OP_", BLEND_OPS, "a VkBlendOp")
}

fn boolean(p: &mut Parser<'_>) -> Parse<bool> {
    let token = p.word("true or false")?;
    match &*token.text.to_ascii_lowercase() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(token.wanted("true or false")),
    }
}

fn number(p: &mut Parser<'_>) -> Parse<f32> {
    Ok(p.float("a number")? as f32)
}

/// Parses bits separated by `|`, up to the end of the line.
fn bits(p: &mut Parser<'_>, names: &Names<u8>, what: &str) -> Parse<u8> {
    let mut bits = p.choice(names, what)?;
    while !p.lexer.peek().is_end() {
        p.takes("|");
        bits |= p.choice(names, what)?;
    }
    Ok(bits)
}

const POLYGON_MODES: &Names<PolygonMode> =
    &[("fill", PolygonMode::Fill), ("line", PolygonMode::Line), ("point", PolygonMode::Point)];
const FRONT_FACES: &Names<FrontFace> =
    &[("counter_clockwise", FrontFace::CounterClockwise), ("clockwise", FrontFace::Clockwise)];
const CULL_MODES: &Names<u8> = &[
    ("VK_CULL_MODE_NONE", 0),
    ("VK_CULL_MODE_FRONT_BIT", 1),
    ("VK_CULL_MODE_BACK_BIT", 2),
    ("VK_CULL_MODE_FRONT_AND_BACK", 3),
];
const COLOR_COMPONENTS: &Names<u8> = &[
    ("VK_COLOR_COMPONENT_R_BIT", 1),
    ("VK_COLOR_COMPONENT_G_BIT", 2),
    ("VK_COLOR_COMPONENT_B_BIT", 4),
    ("VK_COLOR_COMPONENT_A_BIT", 8),
];

/// Sets the state called `name`; returns false if there is none.
pub fn set(p: &mut Parser<'_>, state: &mut State, name: &str) -> Parse<bool> {
    if let Some((face, rest)) = name.split_once('.') {
        let side = match face {
            "front" => 0,
            "back" => 1,
            _ => return Ok(false),
        };
        return stencil_face(p, state, side, rest);
    }
    let [color, alpha] = &mut state.blend.equations;
    let (desc, dynamic) = (&mut state.desc, &mut state.dynamic);
    match name {
        "primitiveRestartEnable" => desc.primitive_restart = boolean(p)?,
        "depthClampEnable" => desc.depth_clamp = boolean(p)?,
        "rasterizerDiscardEnable" => desc.rasterizer_discard = boolean(p)?,
        "depthBiasEnable" => desc.depth_bias = boolean(p)?,
        "logicOpEnable" => desc.logic_op_enable = boolean(p)?,
        "blendEnable" => state.blend.enable = boolean(p)?,
        "depthTestEnable" => desc.depth.test = boolean(p)?,
        "depthWriteEnable" => desc.depth.write = boolean(p)?,
        "depthBoundsTestEnable" => desc.depth.bounds = boolean(p)?,
        "stencilTestEnable" => desc.stencil_test = boolean(p)?,
        // The value has no effect, because each draw states its topology.
        "topology" => {
            let token = p.word("a VkPrimitiveTopology")?;
            let name = token.text.strip_prefix("VK_PRIMITIVE_TOPOLOGY_").filter(|n| !n.starts_with("GL_"));
            let topology: Option<Topology> = name.and_then(|n| find(TOPOLOGIES, n));
            topology.ok_or_else(|| token.wanted("a VkPrimitiveTopology"))?;
        }
        "polygonMode" => {
            desc.polygon_mode = named(p, "VK_POLYGON_MODE_", POLYGON_MODES, "a VkPolygonMode")?;
        }
        "logicOp" => desc.logic_op = named(p, "VK_LOGIC_OP_", LOGIC_OPS, "a VkLogicOp")?,
        "frontFace" => {
            desc.front_face = named(p, "VK_FRONT_FACE_", FRONT_FACES, "a VkFrontFace")?;
        }
        "cullMode" => {
            let bits = bits(p, CULL_MODES, "a VkCullMode")?;
            desc.cull = CullMode { front: bits & 1 != 0, back: bits & 2 != 0 };
        }
        "depthBiasConstantFactor" => dynamic.depth_bias.constant = number(p)?,
        "depthBiasClamp" => dynamic.depth_bias.clamp = number(p)?,
        "depthBiasSlopeFactor" => dynamic.depth_bias.slope = number(p)?,
        "lineWidth" => dynamic.line_width = number(p)?,
        "minDepthBounds" => dynamic.depth_bounds[0] = number(p)?,
        "maxDepthBounds" => dynamic.depth_bounds[1] = number(p)?,
        "srcColorBlendFactor" => color.src = factor(p)?,
        "dstColorBlendFactor" => color.dst = factor(p)?,
        "srcAlphaBlendFactor" => alpha.src = factor(p)?,
        "dstAlphaBlendFactor" => alpha.dst = factor(p)?,
        "colorBlendOp" => color.op = blend_op(p)?,
        "alphaBlendOp" => alpha.op = blend_op(p)?,
        "depthCompareOp" => desc.depth.compare = compare(p)?,
        "colorWriteMask" => {
            state.blend.write_mask = bits(p, COLOR_COMPONENTS, "a VkColorComponent")?;
        }
        _ => return Ok(false),
    }
    p.end()?;
    Ok(true)
}

fn stencil_face(p: &mut Parser<'_>, state: &mut State, side: usize, name: &str) -> Parse<bool> {
    let (face, masks) = (&mut state.desc.stencil[side], &mut state.dynamic.stencil[side]);
    match name {
        "compareOp" => face.compare = compare(p)?,
        "failOp" => face.fail = stencil(p)?,
        "passOp" => face.pass = stencil(p)?,
        "depthFailOp" => face.depth_fail = stencil(p)?,
        "compareMask" => masks.compare_mask = p.uint("a mask")?,
        "writeMask" => masks.write_mask = p.uint("a mask")?,
        "reference" => masks.reference = p.uint("a reference")?,
        _ => return Ok(false),
    }
    p.end()?;
    Ok(true)
}
