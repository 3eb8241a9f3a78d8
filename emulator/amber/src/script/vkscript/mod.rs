//! Parses VkScript: sections with shaders, vertex data, indices, and the commands of a test on one pipeline.

mod commands;
mod sections;
mod state;
mod vertices;

use std::sync::Arc;

use quadrille::Stage;

use crate::layout::{DataType, Layout, Standard};
use crate::script::amber::color_buffer;
use crate::script::lexer::{Kind, Lexer, Parse, Problem};
use crate::script::model::{
    BufferId, Color, Pipeline, PipelineId, PipelineKind, Shader, ShaderFormat, ShaderId, ShaderKind,
    StageUse, Text,
};
use crate::script::parser::Parser;
use crate::{layout, offers};
use sections::{Content, Section};

/// The only pipeline.
const PIPELINE: PipelineId = PipelineId(0);
/// Colour attachment of the pipeline.
const FRAMEBUFFER: BufferId = BufferId(0);

/// Size of a storage or uniform buffer, as determined by all commands.
#[derive(Clone, Copy, Default)]
struct Size {
    /// Number of elements that commands declare.
    elements: u32,
    /// Number of bytes that commands write or read.
    bytes: u64,
    /// True if a command has set its type.
    typed: bool,
}

/// Parses a script.
pub fn parse<'t>(p: &mut Parser<'t>, text: &'t str) {
    let sections = match sections::split(text) {
        Ok(sections) => sections,
        Err(problem) => return p.problems.push(problem),
    };
    let graphics = |s: &Section| matches!(s.content, Content::Shader(stage, _) if stage != Stage::Compute);
    let kind = if sections.iter().any(graphics) { PipelineKind::Graphics } else { PipelineKind::Compute };
    let mut pipeline = Pipeline::new("pipeline", kind, 1);
    if kind == PipelineKind::Graphics {
        pipeline.colors.push(Color { buffer: FRAMEBUFFER, location: 0, level: 0 });
    }
    p.model.buffers.push(color_buffer("framebuffer", quadrille::Format::B8G8R8A8_UNORM));
    p.model.pipelines.push(pipeline);
    let mut sizes = vec![Size::default()];
    for section in &sections {
        p.lexer = Lexer::within(text, section.range.clone(), section.first_line);
        match section.content {
            Content::Comment => {}
            Content::Shader(stage, format) => {
                let result = shader(p, text, section, stage, format);
                p.recover(result);
            }
            Content::Require => lines(p, require),
            Content::Indices => {
                let result = vertices::indices(p);
                p.recover(result);
            }
            Content::VertexData => {
                let result = vertices::vertex_data(p);
                p.recover(result);
            }
            Content::Test => commands::test(p, &mut sizes),
        }
        if p.gives_up() {
            return;
        }
    }
    finish(p, &sizes, text);
}

/// Parses every non-empty line with `read`.
fn lines(p: &mut Parser<'_>, read: impl Fn(&mut Parser<'_>) -> Parse<()>) {
    while !p.gives_up() {
        match p.lexer.peek().kind {
            Kind::End => return,
            Kind::EndOfLine => {
                p.lexer.next();
            }
            _ => {
                let result = read(p);
                p.recover(result);
            }
        }
    }
}

fn shader(
    p: &mut Parser<'_>,
    text: &str,
    section: &Section,
    stage: Stage,
    format: ShaderFormat,
) -> Parse<()> {
    let problem = |message: &str| Problem {
        start: section.header.start,
        length: section.header.len(),
        message: message.into(),
    };
    let pipeline = &mut p.model.pipelines[PIPELINE.0];
    if pipeline.kind == PipelineKind::Graphics && stage == Stage::Compute {
        return Err(problem("compute shaders cannot be combined with other stages"));
    }
    if pipeline.stages.iter().any(|s| s.stage == stage) {
        return Err(problem("there are two shaders of this stage"));
    }
    let id = ShaderId(p.model.shaders.len());
    pipeline.stages.push(StageUse {
        shader: id,
        stage,
        entry: "main".into(),
        spec: Vec::new(),
        subgroup: None,
    });
    let source = text[section.range.clone()].trim_end_matches(['\r', '\n']);
    if source.trim().is_empty() && format != ShaderFormat::Passthrough {
        return Err(problem("the shader is empty"));
    }
    p.model.shaders.push(Shader {
        name: format!("{} shader", stage.name()),
        kind: ShaderKind::Stage(stage),
        format,
        source: Text::Inline { text: source.into(), lines_before: section.first_line - 1 },
        spirv: None,
    });
    Ok(())
}

fn require(p: &mut Parser<'_>) -> Parse<()> {
    let token = p.word("the name of a feature or extension")?;
    let format = |p: &mut Parser<'_>| {
        let token = p.word("an image format")?;
        let format = layout::format_named(token.text);
        format.ok_or_else(|| token.problem(format!("`{}` is not an image format", token.text)))
    };
    match token.text {
        "framebuffer" => {
            let format = format(p)?;
            p.model.buffers[FRAMEBUFFER.0].layout = Arc::new(Layout::of_format(format));
        }
        "depthstencil" => {
            let format = format(p)?;
            let id = BufferId(p.model.buffers.len());
            if p.model.pipelines[PIPELINE.0].depth_stencil.replace(id).is_some() {
                return Err(token.problem("there can be only one depthstencil"));
            }
            p.model.buffers.push(color_buffer("depthstencil", format));
        }
        "fbsize" => p.model.pipelines[PIPELINE.0].size = [p.uint("the width")?, p.uint("the height")?],
        "fence_timeout" => p.model.fence_timeout_ms = Some(p.uint("milliseconds")?),
        name if offers::feature(name).is_some() => p.model.needs.features.push(name.into()),
        name if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
            p.model.needs.extensions.push(name.into());
        }
        name => return Err(token.problem(format!("`{name}` is neither a feature nor an extension"))),
    }
    p.end()
}

/// Adds a buffer for a descriptor; its elements are bytes until a command sets its type.
fn new_buffer(p: &mut Parser<'_>, sizes: &mut Vec<Size>, name: &str) -> BufferId {
    let id = BufferId(p.model.buffers.len());
    let bytes = DataType::scalar(quadrille::Numeric::Sint, 8);
    let mut buffer = color_buffer(name, quadrille::Format::R8_SINT);
    if let Ok(layout) = Layout::new(bytes, Standard::Std430) {
        buffer.layout = Arc::new(layout);
    }
    p.model.buffers.push(buffer);
    sizes.resize(id.0 + 1, Size::default());
    id
}

/// Sets sizes that depend on all commands.
fn finish(p: &mut Parser<'_>, sizes: &[Size], text: &str) {
    let pipeline = &p.model.pipelines[PIPELINE.0];
    let [width, height] = pipeline.size;
    let elements = u64::from(width) * u64::from(height);
    let at_start = |message: &str| Problem {
        start: 0,
        length: text.lines().next().map_or(0, str::len),
        message: message.into(),
    };
    if elements == 0 || elements > 1 << 28 {
        p.problems.push(at_start("the framebuffer would be empty or too large"));
        return;
    }
    let has = |stage| pipeline.stages.iter().any(|s| s.stage == stage);
    if pipeline.kind == PipelineKind::Compute && !has(Stage::Compute) && !p.model.commands.is_empty() {
        p.problems.push(at_start("there is no shader"));
        return;
    }
    if pipeline.kind == PipelineKind::Graphics && !has(Stage::Vertex) {
        p.problems.push(at_start("there is no vertex shader"));
        return;
    }
    for id in [Some(FRAMEBUFFER), pipeline.depth_stencil].into_iter().flatten() {
        let buffer = &mut p.model.buffers[id.0];
        buffer.extent = [width, height, 1];
        buffer.elements = elements as u32;
    }
    for (size, buffer) in sizes.iter().zip(&mut p.model.buffers).skip(1) {
        let stride = u64::from(buffer.layout.stride);
        if size.elements > 0 || size.bytes > 0 {
            let elements = u64::from(size.elements).max(size.bytes.div_ceil(stride));
            if elements * stride > 1 << 30 {
                p.problems.push(at_start("a buffer would be larger than a gibibyte"));
                return;
            }
            buffer.elements = elements as u32;
        }
    }
}
