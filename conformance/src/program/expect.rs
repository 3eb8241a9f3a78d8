//! Parses the directive `expect`: a place, a type, and the values there.

use quadrille_jit::ir::MAX_STREAMS;

use super::words::{bits, number, place, scalar, values};
use super::{At, Expect};
use crate::value::{Scalar, Tolerance};

/// Parses the text after `expect`.
pub(super) fn parse(line: usize, text: &str) -> Result<Expect, String> {
    let (rest, tolerance) = match text.split_once('~') {
        Some((rest, t)) => (rest, Tolerance::parse(t.trim())?),
        None => (text, Tolerance::Exact),
    };
    let mut parts = rest.split_whitespace();
    let first = next(&mut parts)?;
    if first == "alive" {
        let rows = rest.trim_start().trim_start_matches("alive");
        let want = bits(rows)?.into_iter().map(|b| Some(u64::from(b))).collect();
        return Ok(Expect { line, at: At::Alive, ty: Scalar::Bool, want, tolerance });
    }
    let (at, ty) = at(first, &mut parts)?;
    let ty = scalar(ty)?;
    let want = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
    Ok(Expect { line, at, ty, want, tolerance })
}

fn next<'a>(parts: &mut impl Iterator<Item = &'a str>) -> Result<&'a str, String> {
    parts.next().ok_or_else(|| "`expect` ends early".to_string())
}

/// Parses a place that begins with this word. Returns the word after it, too.
fn at<'a>(first: &'a str, parts: &mut impl Iterator<Item = &'a str>) -> Result<(At, &'a str), String> {
    let word = next(parts)?;
    let alone = match first {
        "groups" => Some(At::Groups),
        "payload" => Some(At::Payload),
        "mesh" => Some(At::Mesh),
        "xfb" => Some(At::Xfb),
        "xfb_buffers" => Some(At::XfbBuffers),
        "target" => Some(At::Target),
        _ => of_stream(first, "count").map(At::Count).or(of_stream(first, "strips").map(At::Strips)),
    };
    if let Some(at) = alone {
        return Ok((at, word));
    }
    let at = match first {
        "out" => At::Output(word.to_string()),
        "patch" => At::Patch(word.to_string()),
        "primitive" => At::Primitive(word.to_string()),
        "argument" => {
            let index = number(word)? as usize;
            let word = next(parts)?;
            let offset = word.strip_prefix('+');
            let at = At::Argument(index, offset.map_or(Ok(0), number)? as usize);
            return Ok((at, if offset.is_some() { next(parts)? } else { word }));
        }
        "image" => {
            let (set, binding, element) = place(word)?;
            At::Image(set, binding, element.unwrap_or(0))
        }
        _ => {
            let (set, binding, element) = place(first)?;
            let offset = word.strip_prefix('+');
            let bytes = offset.map_or(Ok(0), number)? as usize;
            let at = At::Buffer(set, binding, element.unwrap_or(0), bytes);
            return Ok((at, if offset.is_some() { next(parts)? } else { word }));
        }
    };
    Ok((at, next(parts)?))
}

/// Returns the stream of `NAME` or `NAME@STREAM`.
fn of_stream(text: &str, name: &str) -> Option<u32> {
    match text.strip_prefix(name)? {
        "" => Some(0),
        rest => rest.strip_prefix('@')?.parse().ok().filter(|s| *s < MAX_STREAMS as u32),
    }
}
