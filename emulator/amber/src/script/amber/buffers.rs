//! Parses `BUFFER`, `IMAGE` and `STRUCT`.

use std::collections::HashMap;
use std::sync::Arc;

use quadrille::ImageType;

use super::declare_buffer;
use crate::layout::{DataType, Layout, Member, Standard, StructType, Value, format_named};
use crate::script::lexer::{Kind, Lexer, Parse, Problem, Token};
use crate::script::model::{Buffer, FileKind, Initial};
use crate::script::parser::{Parser, declare};

/// Largest size of a buffer, in bytes.
const MAX_BYTES: u64 = 1 << 30;
/// Message about a larger buffer.
const TOO_LARGE: &str = "the buffer would be larger than a gibibyte";

/// Parses a data type: a plain type, an image format or a structure.
fn data_type(p: &mut Parser<'_>) -> Parse<DataType> {
    let token = p.word("a data type")?;
    if let Some(ty) = p.types.get(token.text) {
        return Ok(ty.clone());
    }
    DataType::of_amber(token.text)
        .ok_or_else(|| token.problem(format!("`{}` is not a data type", token.text)))
}

fn format(p: &mut Parser<'_>) -> Parse<Layout> {
    let token = p.word("an image format")?;
    let format = format_named(token.text);
    let format = format.ok_or_else(|| token.problem(format!("`{}` is not an image format", token.text)))?;
    Ok(Layout::of_format(format))
}

/// Parses `BUFFER` after the keyword.
pub fn buffer(p: &mut Parser<'_>) -> Parse<()> {
    let line = p.lexer.line();
    let name = p.word("the name of the buffer")?;
    let token = p.word("DATA_TYPE or FORMAT")?;
    let mut buffer = Buffer { line, ..super::color_buffer(name.text, quadrille::Format::R8_UINT) };
    match token.text {
        "DATA_TYPE" => {
            let at = p.lexer.peek();
            let ty = data_type(p)?;
            let standard = match () {
                () if p.takes("STD140") => Standard::Std140,
                () if p.takes("STD430") => Standard::Std430,
                () => Standard::default(),
            };
            let layout = Layout::new(ty, standard).map_err(|e| at.problem(e))?;
            buffer.layout = Arc::new(layout);
            data_initial(p, &mut buffer)?;
        }
        "FORMAT" => {
            buffer.layout = Arc::new(format(p)?);
            loop {
                let token = p.lexer.next();
                if token.is_end() {
                    break;
                }
                match token.text {
                    "MIP_LEVELS" => buffer.levels = positive(p, "how many levels")?,
                    "SAMPLES" => buffer.samples = samples(p)?,
                    "FILE" => file(p, &mut buffer, FileKind::Png)?,
                    _ => return Err(token.wanted("MIP_LEVELS, SAMPLES or FILE")),
                }
            }
        }
        other => return Err(token.problem(format!("`{other}` stands where DATA_TYPE or FORMAT should be"))),
    }
    declare_buffer(p, &name, buffer)
}

/// Parses the initial contents and the size of a buffer with a data type.
fn data_initial(p: &mut Parser<'_>, buffer: &mut Buffer) -> Parse<()> {
    let token = p.word("SIZE, WIDTH or DATA")?;
    match token.text {
        "SIZE" => {
            let at = p.lexer.peek();
            buffer.elements = p.uint("how many elements")?;
            check_size(buffer, &at)?;
            initial(p, buffer, &["FILL", "SERIES_FROM", "FILE", "DATA"])?;
        }
        "WIDTH" => {
            let at = p.lexer.peek();
            let width = positive(p, "the width")?;
            p.expect("HEIGHT")?;
            let height = positive(p, "the height")?;
            buffer.extent = [width, height, 1];
            buffer.elements =
                width.checked_mul(height).ok_or_else(|| at.problem("the buffer would be too large"))?;
            check_size(buffer, &at)?;
            if p.lexer.peek().is_end() {
                return p.end();
            }
            initial(p, buffer, &["FILL", "SERIES_FROM", "DATA"])?;
        }
        "DATA" => data(p, buffer, &token)?,
        other => return Err(token.problem(format!("`{other}` stands where SIZE, WIDTH or DATA should be"))),
    }
    p.end()
}

fn initial(p: &mut Parser<'_>, buffer: &mut Buffer, allowed: &[&str]) -> Parse<()> {
    let token = p.word(&allowed.join(", "))?;
    if !allowed.contains(&token.text) {
        return Err(token.wanted(&allowed.join(", ")));
    }
    match token.text {
        "FILL" => {
            // The components may have any type, several ones too.
            let token = p.lexer.next();
            let (int, float) = token.as_both().ok_or_else(|| token.wanted("a number"))?;
            buffer.initial = Initial::Fill { int, float };
        }
        "SERIES_FROM" => {
            if buffer.layout.components.len() != 1 {
                return Err(token.problem("a series requires scalars"));
            }
            let start = p.lexer.next();
            let start = p.value(&buffer.layout, 0, &start)?;
            p.expect("INC_BY")?;
            let step = p.lexer.next();
            buffer.initial = Initial::Series(start, p.value(&buffer.layout, 0, &step)?);
        }
        "FILE" => file(p, buffer, FileKind::Png)?,
        _ => {
            let elements = buffer.elements;
            data(p, buffer, &token)?;
            check_count(elements, buffer, &token)?;
        }
    }
    Ok(())
}

fn check_count(elements: u32, buffer: &Buffer, token: &Token<'_>) -> Parse<()> {
    if elements == buffer.elements {
        return Ok(());
    }
    Err(token.problem(format!("{elements} elements are declared, {} are given", buffer.elements)))
}

fn check_size(buffer: &Buffer, at: &Token<'_>) -> Parse<()> {
    if u64::from(buffer.elements) * u64::from(buffer.layout.stride) > MAX_BYTES {
        return Err(at.problem(TOO_LARGE));
    }
    Ok(())
}

/// Parses values up to `END`.
fn data(p: &mut Parser<'_>, buffer: &mut Buffer, at: &Token<'_>) -> Parse<()> {
    let mut lexer = p.lexer.clone();
    let values = listed(&mut lexer, &buffer.layout, true, at);
    p.lexer = lexer;
    (buffer.elements, buffer.initial) = elements(&buffer.layout, &values?).map_err(|e| at.problem(e))?;
    Ok(())
}

fn elements(layout: &Layout, values: &[Value]) -> Result<(u32, Initial), String> {
    let n = layout.components.len();
    if !values.len().is_multiple_of(n) {
        return Err(format!("{} values do not fill elements of {n}", values.len()));
    }
    // A structure may state a stride far beyond its members.
    if (values.len() / n) as u64 * u64::from(layout.stride) > MAX_BYTES {
        return Err(TOO_LARGE.into());
    }
    let bytes = layout.bytes(values);
    Ok(((values.len() / n) as u32, Initial::Bytes(bytes.into())))
}

/// Parses values up to `END` or to the end of the text.
fn listed(lexer: &mut Lexer<'_>, layout: &Layout, has_end: bool, at: &Token<'_>) -> Parse<Vec<Value>> {
    let mut values = Vec::new();
    let mut wrong = None;
    loop {
        let token = lexer.next();
        match token.kind {
            Kind::EndOfLine => {}
            Kind::End if has_end => return Err(at.problem("the data have no END")),
            Kind::End => break,
            Kind::Word if has_end && token.text == "END" => break,
            _ => {
                let float = layout.number(values.len()).is_float();
                let what = if float { "a number" } else { "an integer" };
                match token.as_value(float) {
                    Some(value) => values.push(value),
                    // Read the rest of the list, so that it is not parsed as commands.
                    None => wrong = wrong.or_else(|| Some(token.wanted(what))),
                }
            }
        }
    }
    wrong.map_or(Ok(values), Err)
}

/// Parses a text of numbers into elements.
pub fn elements_of_text(text: &str, layout: &Layout) -> Result<(u32, Initial), String> {
    let mut lexer = Lexer::new(text);
    let start = lexer.peek();
    let values = listed(&mut lexer, layout, false, &start);
    let line = |problem: &Problem| 1 + text[..problem.start.min(text.len())].matches('\n').count();
    let values = values.map_err(|problem| format!("line {}: {}", line(&problem), problem.message))?;
    elements(layout, &values)
}

/// Parses `FILE` after the keyword.
fn file(p: &mut Parser<'_>, buffer: &mut Buffer, default: FileKind) -> Parse<()> {
    let kind = match () {
        () if p.takes("TEXT") => FileKind::Text,
        () if p.takes("BINARY") => FileKind::Binary,
        () if p.takes("PNG") => FileKind::Png,
        () => default,
    };
    buffer.initial = Initial::File(kind, p.path("the name of a file")?);
    Ok(())
}

fn positive(p: &mut Parser<'_>, what: &str) -> Parse<u32> {
    let token = p.lexer.peek();
    let value = p.uint(what)?;
    if value == 0 { Err(token.wanted("a positive number")) } else { Ok(value) }
}

fn samples(p: &mut Parser<'_>) -> Parse<u32> {
    let token = p.lexer.peek();
    let n = p.uint("how many samples")?;
    if n.is_power_of_two() && n <= 64 { Ok(n) } else { Err(token.wanted("1, 2, 4, 8, 16, 32 or 64")) }
}

/// Parses `IMAGE` after the keyword.
pub fn image(p: &mut Parser<'_>) -> Parse<()> {
    let line = p.lexer.line();
    let name = p.word("the name of the image")?;
    let mut image = Buffer { line, ..super::color_buffer(name.text, quadrille::Format::R8_UINT) };
    let (mut has_format, mut dim, mut given) = (false, None, [false; 3]);
    let has_initial = loop {
        let token = p.lexer.peek();
        if token.is_end() || ["DATA", "FILL", "SERIES_FROM", "FILE"].contains(&token.text) {
            break !token.is_end();
        }
        p.lexer.next();
        let mut size = |p: &mut Parser<'_>, axis: usize| {
            given[axis] = true;
            image.extent[axis] = positive(p, "a positive number")?;
            Ok(())
        };
        match token.text {
            "DATA_TYPE" => {
                let ty = data_type(p)?;
                image.layout = Arc::new(Layout::new(ty, Standard::default()).map_err(|e| token.problem(e))?);
                has_format = true;
            }
            "FORMAT" => {
                image.layout = Arc::new(format(p)?);
                has_format = true;
            }
            "MIP_LEVELS" => image.levels = positive(p, "how many levels")?,
            "SAMPLES" => image.samples = samples(p)?,
            "DIM_1D" => dim = Some(ImageType::D1),
            "DIM_2D" => dim = Some(ImageType::D2),
            "DIM_3D" => dim = Some(ImageType::D3),
            "WIDTH" => size(p, 0)?,
            "HEIGHT" => size(p, 1)?,
            "DEPTH" => size(p, 2)?,
            other => return Err(token.problem(format!("an image has no `{other}`"))),
        }
    };
    let wanted: &[&str] = match dim {
        Some(ImageType::D3) => &["WIDTH", "HEIGHT", "DEPTH"],
        Some(ImageType::D1) => &["WIDTH"],
        _ => &["WIDTH", "HEIGHT"],
    };
    if let Some((missing, _)) = wanted.iter().zip(given).find(|(_, given)| !given) {
        return Err(name.problem(format!("the image has no {missing}")));
    }
    if !has_format {
        return Err(name.problem("the image has neither FORMAT nor DATA_TYPE"));
    }
    image.dim = dim.unwrap_or(ImageType::D2);
    let elements = image.extent.iter().try_fold(1u32, |n, &e| n.checked_mul(e));
    image.elements = elements.ok_or_else(|| name.problem("the image would be too large"))?;
    check_size(&image, &name)?;
    if has_initial {
        initial(p, &mut image, &["DATA", "FILL", "SERIES_FROM", "FILE"])?;
    }
    p.end()?;
    declare_buffer(p, &name, image)
}

/// Parses `STRUCT` after the keyword.
pub fn structure(p: &mut Parser<'_>) -> Parse<()> {
    let name = p.word("the name of the structure")?;
    let stride = if p.takes("STRIDE") { Some(p.uint("bytes")?) } else { None };
    p.end()?;
    let mut members = Vec::new();
    let mut names = HashMap::new();
    loop {
        let token = p.lexer.peek();
        match token.kind {
            Kind::EndOfLine => {
                p.lexer.next();
                continue;
            }
            Kind::End => return Err(name.problem("the structure has no END")),
            Kind::Word if token.text == "END" => {
                p.lexer.next();
                break;
            }
            _ => {}
        }
        if token.text == name.text {
            return Err(token.problem("a structure cannot contain itself"));
        }
        match member(p) {
            Ok((member, token)) if names.insert(member.name.clone(), ()).is_some() => {
                p.recover(Err(token.problem(format!("there are two members `{}`", member.name))));
            }
            Ok((member, _)) => members.push(member),
            Err(problem) => p.recover(Err(problem)),
        }
    }
    let of = StructType::new(stride, members).map_err(|e| name.problem(e))?;
    let ty = DataType::Struct(Arc::new(of));
    Layout::new(ty.clone(), Standard::Std430).map_err(|e| name.problem(e))?;
    declare(&mut p.types, name.text.to_string(), ty, &name)?;
    p.end()
}

fn member<'t>(p: &mut Parser<'t>) -> Parse<(Member, Token<'t>)> {
    let ty = data_type(p)?;
    let name = p.word("the name of the member")?;
    let mut member =
        Member { name: name.text.into(), ty, offset: None, array_stride: None, matrix_stride: None };
    let (is_array, is_matrix) = match &member.ty {
        DataType::Plain { array, columns, .. } => (*array, *columns > 1),
        _ => (false, false),
    };
    loop {
        let token = p.lexer.next();
        match token.text {
            _ if token.is_end() => return Ok((member, name)),
            "OFFSET" => member.offset = Some(p.uint("bytes")?),
            "ARRAY_STRIDE" if is_array => member.array_stride = Some(p.uint("bytes")?),
            "ARRAY_STRIDE" => return Err(token.problem("the member is not an array")),
            "MATRIX_STRIDE" if is_matrix => member.matrix_stride = Some(p.uint("bytes")?),
            "MATRIX_STRIDE" => return Err(token.problem("the member is not a matrix")),
            _ => return Err(token.wanted("OFFSET, ARRAY_STRIDE or MATRIX_STRIDE")),
        }
    }
}
