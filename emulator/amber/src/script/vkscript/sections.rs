//! Splits a VkScript into sections.

use std::ops::Range;

use quadrille::Stage;

use crate::script::lexer::{Parse, Problem};
use crate::script::model::ShaderFormat;
use crate::script::names::{Names, find};

/// Contents of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content {
    /// A comment.
    Comment,
    /// A shader.
    Shader(Stage, ShaderFormat),
    /// Requirements.
    Require,
    /// Indices.
    Indices,
    /// Vertex attributes.
    VertexData,
    /// Commands.
    Test,
}

/// A section of the script.
#[derive(Clone, Debug)]
pub struct Section {
    /// Contents of the section.
    pub content: Content,
    /// Byte range of the line with its name.
    pub header: Range<usize>,
    /// Byte range of its lines.
    pub range: Range<usize>,
    /// Number of the first of its lines.
    pub first_line: u32,
}

const STAGES: &Names<Stage> = &[
    ("compute shader", Stage::Compute),
    ("fragment shader", Stage::Fragment),
    ("geometry shader", Stage::Geometry),
    ("tessellation control shader", Stage::TessellationControl),
    ("tessellation evaluation shader", Stage::TessellationEvaluation),
    ("vertex shader", Stage::Vertex),
];

fn content(name: &str) -> Option<Content> {
    let formats: &Names<ShaderFormat> = &[
        (" spirv hex", ShaderFormat::SpirvHex),
        (" spirv", ShaderFormat::SpirvText),
        (" passthrough", ShaderFormat::Passthrough),
        ("", ShaderFormat::Glsl),
    ];
    match name {
        "comment" => return Some(Content::Comment),
        "require" => return Some(Content::Require),
        "indices" => return Some(Content::Indices),
        "vertex data" => return Some(Content::VertexData),
        "test" => return Some(Content::Test),
        _ => {}
    }
    let (stage, format) = formats.iter().find_map(|(end, f)| Some((name.strip_suffix(end)?, *f)))?;
    let stage = find(STAGES, stage)?;
    (format != ShaderFormat::Passthrough || stage == Stage::Vertex).then_some(Content::Shader(stage, format))
}

/// Splits a text into sections, in order.
pub fn split(text: &str) -> Parse<Vec<Section>> {
    let mut sections: Vec<Section> = Vec::new();
    let mut at = 0;
    for (line, content_line) in (1..).zip(text.split_inclusive('\n')) {
        let problem = |message: String| Problem { start: at, length: content_line.trim_end().len(), message };
        let end = at + content_line.len();
        if let Some(rest) = content_line.strip_prefix('[') {
            let name = rest.rfind(']').map(|n| &rest[..n]);
            let name = name.ok_or_else(|| problem("the name of the section has no `]`".into()))?;
            let content = content(name).ok_or_else(|| problem(format!("there is no section `{name}`")))?;
            sections.push(Section {
                content,
                header: at..at + 2 + name.len(),
                range: end..end,
                first_line: line + 1,
            });
        } else if let Some(section) = sections.last_mut() {
            section.range.end = end;
        } else if !content_line.trim().is_empty() && !content_line.starts_with('#') {
            return Err(problem(
                "this is outside all sections (an AmberScript begins with `#!amber`)".into(),
            ));
        }
        at = end;
    }
    Ok(sections)
}
