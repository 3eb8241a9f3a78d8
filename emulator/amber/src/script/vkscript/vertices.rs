//! Parses the sections `vertex data` and `indices`.

use std::sync::Arc;

use quadrille::{Numeric, VertexRate};

use super::PIPELINE;
use crate::layout::{DataType, Layout, Standard, Value, format_named};
use crate::script::amber::color_buffer;
use crate::script::lexer::{Kind, Parse};
use crate::script::model::{BufferId, Initial, VertexData};
use crate::script::parser::Parser;

/// Parses integers up to the end of the section.
pub fn indices(p: &mut Parser<'_>) -> Parse<()> {
    let mut values = Vec::new();
    loop {
        let token = p.lexer.next();
        match token.kind {
            Kind::EndOfLine => {}
            Kind::End => break,
            _ => {
                let index = token.as_u32().filter(|i| *i <= u16::MAX.into());
                values.push(Value::Int(index.ok_or_else(|| token.wanted("an index of 16 bits"))?.into()));
            }
        }
    }
    if values.is_empty() {
        return Ok(());
    }
    let start = p.lexer.peek();
    let layout = Layout::new(DataType::scalar(Numeric::Uint, 32), Standard::Std430);
    let id = add(p, "indices", layout.map_err(|e| start.problem(e))?, &values);
    p.model.pipelines[PIPELINE.0].indices = Some(id);
    Ok(())
}

fn add(p: &mut Parser<'_>, name: &str, layout: Layout, values: &[Value]) -> BufferId {
    let id = BufferId(p.model.buffers.len());
    let mut buffer = color_buffer(name, quadrille::Format::R8_UINT);
    buffer.elements = (values.len() / layout.components.len()) as u32;
    buffer.initial = Initial::Bytes(layout.bytes(values).into());
    buffer.layout = Arc::new(layout);
    p.model.buffers.push(buffer);
    id
}

/// Parses a line of locations and formats, then lines of values.
pub fn vertex_data(p: &mut Parser<'_>) -> Parse<()> {
    while p.lexer.peek().kind == Kind::EndOfLine {
        p.lexer.next();
    }
    if p.lexer.peek().kind == Kind::End {
        return Ok(());
    }
    let mut columns: Vec<(u32, Layout, Vec<Value>)> = Vec::new();
    loop {
        let token = p.lexer.next();
        if token.is_end() {
            break;
        }
        let location = token.as_u32().ok_or_else(|| token.wanted("LOCATION/FORMAT"))?;
        let token = p.word("a format")?;
        let name = token.text.strip_prefix('/').unwrap_or_default();
        let layout = format_of(name).ok_or_else(|| token.problem(format!("`{name}` is not a format")))?;
        if columns.iter().any(|(other, ..)| *other == location) {
            return Err(token.problem(format!("location {location} is given twice")));
        }
        columns.push((location, layout, Vec::new()));
    }
    loop {
        let token = p.lexer.peek();
        match token.kind {
            Kind::EndOfLine => {
                p.lexer.next();
            }
            Kind::End => break,
            _ => row(p, &mut columns)?,
        }
    }
    for (location, layout, values) in columns {
        let id = add(p, &format!("vertex data {location}"), layout, &values);
        let layout = p.model.buffers[id.0].layout.clone();
        let (rate, offset, stride) = (VertexRate::Vertex, 0, layout.stride);
        let data = VertexData { buffer: id, location, rate, layout, offset, stride };
        p.model.pipelines[PIPELINE.0].vertices.push(data);
    }
    Ok(())
}

fn row(p: &mut Parser<'_>, columns: &mut [(u32, Layout, Vec<Value>)]) -> Parse<()> {
    for (_, layout, values) in columns {
        for _ in 0..layout.components.len() {
            let token = p.lexer.next();
            values.push(p.value(layout, values.len(), &token)?);
        }
    }
    p.end()
}

/// Parses an image format, or a pair of an OpenGL type and a GLSL type.
fn format_of(name: &str) -> Option<Layout> {
    let Some((stored, seen)) = name.split_once('/') else {
        return format_named(name).map(Layout::of_format);
    };
    let (numeric, bits) = match stored {
        "byte" => (Numeric::Sint, 8),
        "ubyte" => (Numeric::Uint, 8),
        "short" => (Numeric::Sint, 16),
        "ushort" => (Numeric::Uint, 16),
        "int" => (Numeric::Sint, 32),
        "uint" => (Numeric::Uint, 32),
        "half" => (Numeric::Sfloat, 16),
        "float" => (Numeric::Sfloat, 32),
        "double" => (Numeric::Sfloat, 64),
        _ => return None,
    };
    let rows = match seen.trim_start_matches(['d', 'i', 'u']) {
        "vec" | "vec4" => 4,
        "vec3" => 3,
        "vec2" => 2,
        // The rest of `double`, `int`, `uint` and `float`.
        "ouble" | "nt" | "float" => 1,
        _ => return None,
    };
    let number = crate::layout::Number { numeric, bits };
    let format = Layout::new(DataType::Plain { number, columns: 1, rows, array: false }, Standard::Std430);
    // Three-component types have no padding for a fourth component.
    format.ok()?.format().map(Layout::of_format)
}
