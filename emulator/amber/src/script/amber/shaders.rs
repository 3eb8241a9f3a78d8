//! Parses `SHADER` and `SAMPLER`.

use quadrille::{AddressMode, BorderColor, Filter, SamplerDesc, Stage};

use crate::script::lexer::{Kind, Parse, Token};
use crate::script::model::{SamplerId, Shader, ShaderFormat, ShaderId, ShaderKind, Text};
use crate::script::names::{COMPARE_OPS, Names, find};
use crate::script::parser::{Parser, declare};

/// Shader stages by name.
const KINDS: &Names<ShaderKind> = &[
    ("vertex", ShaderKind::Stage(Stage::Vertex)),
    ("fragment", ShaderKind::Stage(Stage::Fragment)),
    ("geometry", ShaderKind::Stage(Stage::Geometry)),
    ("tessellation_evaluation", ShaderKind::Stage(Stage::TessellationEvaluation)),
    ("tessellation_control", ShaderKind::Stage(Stage::TessellationControl)),
    ("compute", ShaderKind::Stage(Stage::Compute)),
    ("multi", ShaderKind::Multi),
    ("ray_generation", ShaderKind::RayTracing),
    ("any_hit", ShaderKind::RayTracing),
    ("closest_hit", ShaderKind::RayTracing),
    ("miss", ShaderKind::RayTracing),
    ("intersection", ShaderKind::RayTracing),
    ("callable", ShaderKind::RayTracing),
];

const FORMATS: &Names<ShaderFormat> = &[
    ("GLSL", ShaderFormat::Glsl),
    ("SPIRV-ASM", ShaderFormat::SpirvText),
    ("SPIRV-HEX", ShaderFormat::SpirvHex),
    ("SPIRV-BIN", ShaderFormat::SpirvBinary),
    ("PASSTHROUGH", ShaderFormat::Passthrough),
    ("HLSL", ShaderFormat::Foreign),
    ("OPENCL-C", ShaderFormat::Foreign),
];

/// Parses the name of a stage.
pub fn kind(p: &mut Parser<'_>) -> Parse<ShaderKind> {
    p.choice(KINDS, "a stage")
}

/// Parses `SHADER` after the keyword.
pub fn shader(p: &mut Parser<'_>) -> Parse<()> {
    let at = p.lexer.peek();
    let kind = kind(p)?;
    let name = p.word("the name of the shader")?;
    let token = p.lexer.peek();
    let format = p.choice(FORMATS, "a shader format")?;
    match format {
        ShaderFormat::Foreign => {
            let compiler = if token.text == "HLSL" { "an HLSL compiler" } else { "an OpenCL C compiler" };
            p.model.needs.foreign.push(compiler.into());
        }
        ShaderFormat::Passthrough if kind != ShaderKind::Stage(Stage::Vertex) => {
            return Err(token.problem("only vertex shaders can be PASSTHROUGH"));
        }
        _ if kind == ShaderKind::RayTracing => p.model.needs.foreign.push("ray tracing".into()),
        _ => {}
    }
    if kind == ShaderKind::Multi && matches!(format, ShaderFormat::Glsl | ShaderFormat::Foreign) {
        return Err(token.problem("shaders of several stages are SPIR-V"));
    }
    let spirv = if p.takes("TARGET_ENV") { target(p)? } else { None };
    let source = source(p, format, &token, &at)?;
    let id = ShaderId(p.model.shaders.len());
    declare(&mut p.shaders, name.text.to_string(), id, &name)?;
    p.model.shaders.push(Shader { name: name.text.into(), kind, format, source, spirv });
    p.end()
}

/// Parses the text after the format: the source itself, or the name of its file.
fn source(p: &mut Parser<'_>, format: ShaderFormat, token: &Token<'_>, at: &Token<'_>) -> Parse<Text> {
    if format == ShaderFormat::Passthrough {
        return Ok(Text::Inline { text: "".into(), lines_before: 0 });
    }
    if p.takes("VIRTUAL_FILE") {
        let at = p.lexer.peek();
        let path = p.path("the path of a virtual file")?;
        let Some(file) = p.model.virtual_files.iter().find(|file| file.path == path) else {
            return Err(at.problem(format!("there is no virtual file `{path}`")));
        };
        return Ok(Text::Inline { text: file.text.clone(), lines_before: file.lines_before });
    }
    if p.takes("FILE") {
        return Ok(Text::File(p.path("the path of a file")?));
    }
    if format == ShaderFormat::SpirvBinary {
        return Err(token.problem("SPIRV-BIN is read from a FILE"));
    }
    p.end()?;
    let Some((text, first)) = p.lexer.block() else { return Err(at.problem("the shader has no END")) };
    if text.trim().is_empty() {
        return Err(at.problem("the shader is empty"));
    }
    Ok(Text::Inline { text: text.into(), lines_before: first - 1 })
}

/// Parses a target environment into its SPIR-V version.
fn target(p: &mut Parser<'_>) -> Parse<Option<(u8, u8)>> {
    let token = p.lexer.peek();
    let name = p.path("a target environment")?;
    let version = match &*name {
        "vulkan1.0" => (1, 0),
        "vulkan1.1" => (1, 3),
        "vulkan1.1spv1.4" => (1, 4),
        "vulkan1.2" => (1, 5),
        "vulkan1.3" | "vulkan1.4" => (1, 6),
        _ => {
            let minor = name.strip_prefix("spv1.").and_then(|minor| minor.parse().ok());
            let minor = minor.filter(|minor| *minor <= 6);
            (1, minor.ok_or_else(|| token.problem(format!("`{name}` is not a target environment")))?)
        }
    };
    Ok(Some(version))
}

const FILTERS: &Names<Filter> = &[("nearest", Filter::Nearest), ("linear", Filter::Linear)];

const ADDRESS_MODES: &Names<AddressMode> = &[
    ("repeat", AddressMode::Repeat),
    ("mirrored_repeat", AddressMode::MirroredRepeat),
    ("clamp_to_edge", AddressMode::ClampToEdge),
    ("clamp_to_border", AddressMode::ClampToBorder),
    ("mirror_clamp_to_edge", AddressMode::MirrorClampToEdge),
    ("mirrored_clamp_to_edge", AddressMode::MirrorClampToEdge),
];

const BORDER_COLORS: &Names<BorderColor> = &[
    ("float_transparent_black", BorderColor::TransparentBlack),
    ("int_transparent_black", BorderColor::TransparentBlack),
    ("float_opaque_black", BorderColor::OpaqueBlack),
    ("int_opaque_black", BorderColor::OpaqueBlack),
    ("float_opaque_white", BorderColor::OpaqueWhite),
    ("int_opaque_white", BorderColor::OpaqueWhite),
];

const SWITCH: &Names<bool> = &[("on", true), ("off", false)];

/// Parses `on` or `off`.
pub fn switch(p: &mut Parser<'_>) -> Parse<bool> {
    p.choice(SWITCH, "`on` or `off`")
}

/// Parses `SAMPLER` after the keyword.
pub fn sampler(p: &mut Parser<'_>) -> Parse<()> {
    let name = p.word("the name of the sampler")?;
    let mut desc = SamplerDesc { min_lod: 0f32.to_bits(), max_lod: 1f32.to_bits(), ..SamplerDesc::default() };
    let (mut compare, mut op) = (false, quadrille::CompareOp::Never);
    loop {
        let token = p.lexer.next();
        if token.is_end() {
            break;
        }
        if token.kind != Kind::Word {
            return Err(token.wanted("a setting of the sampler"));
        }
        match token.text {
            "MAG_FILTER" => desc.mag_filter = p.choice(FILTERS, "a filter")?,
            "MIN_FILTER" => desc.min_filter = p.choice(FILTERS, "a filter")?,
            "ADDRESS_MODE_U" => desc.address[0] = p.choice(ADDRESS_MODES, "an address mode")?,
            "ADDRESS_MODE_V" => desc.address[1] = p.choice(ADDRESS_MODES, "an address mode")?,
            "ADDRESS_MODE_W" => desc.address[2] = p.choice(ADDRESS_MODES, "an address mode")?,
            "BORDER_COLOR" => desc.border = p.choice(BORDER_COLORS, "a border colour")?,
            "MIN_LOD" => desc.min_lod = (p.float("a level")? as f32).to_bits(),
            "MAX_LOD" => desc.max_lod = (p.float("a level")? as f32).to_bits(),
            "NORMALIZED_COORDS" => desc.unnormalized = false,
            "UNNORMALIZED_COORDS" => desc.unnormalized = true,
            "COMPARE" => compare = switch(p)?,
            "COMPARE_OP" => {
                let token = p.word("a comparison")?;
                op = find(COMPARE_OPS, token.text)
                    .ok_or_else(|| token.problem(format!("`{}` is not a comparison", token.text)))?;
            }
            other => return Err(token.problem(format!("a sampler has no setting `{other}`"))),
        }
    }
    if desc.unnormalized {
        (desc.min_lod, desc.max_lod) = (0, 0);
    }
    if f32::from_bits(desc.max_lod) < f32::from_bits(desc.min_lod) {
        return Err(name.problem("MAX_LOD is less than MIN_LOD"));
    }
    desc.compare = compare.then_some(op);
    let id = SamplerId(p.model.samplers.len());
    declare(&mut p.samplers, name.text.to_string(), id, &name)?;
    p.model.samplers.push((name.text.into(), desc));
    Ok(())
}
