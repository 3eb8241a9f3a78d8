//! Parses the directives of a program.

use quadrille_jit::ir::MAX_STREAMS;

use super::{At, Expect, Program};
use crate::images::{self, Image};
use crate::lanes::{Buffer, InHeap};
use crate::value::{Scalar, Tolerance, tokens};

impl Program {
    pub(super) fn directive(&mut self, line: usize, text: &str) -> Result<(), String> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let mut parts = rest.split_whitespace();
        let mut next = || parts.next().ok_or_else(|| format!("`{word}` ends early"));
        match word {
            "test" => self.tests.extend(rest.split(',').map(|t| t.trim().to_string())),
            "feature" => {
                let (category, rows) = rest.split_once(": ").ok_or("features are CATEGORY: FEATURE")?;
                self.features.extend(rows.split(" | ").map(|row| format!("{category}: {row}")));
            }
            "function" => self.functions.push(rest.into()),
            "row" => self.rows.push(rest.into()),
            "lenient" => self.lenient = true,
            "reshaped" => self.reshaped = true,
            "bind" => {
                let (set, binding, element) = place(next()?)?;
                let ty = scalar(next()?)?;
                let bytes = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                let bytes = bytes.into_iter().flat_map(|v| memory(ty, v.unwrap_or(0))).collect();
                match element {
                    None => self.buffers.push(Buffer { set, binding, bytes }),
                    Some(element) => self.elements.push(((set, binding, element), bytes)),
                }
            }
            "descriptor" => {
                let (heap, at, of) = (pair(next()?)?, next()?, pair(next()?)?);
                let offset = at.strip_prefix('+').ok_or("a descriptor needs `+` and its byte offset")?;
                self.descriptors.push(InHeap { heap, offset: number(offset)? as usize, of });
            }
            "push" => {
                let ty = scalar(next()?)?;
                let list = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                self.push.extend(list.into_iter().flat_map(|v| memory(ty, v.unwrap_or(0))));
            }
            "payload" => {
                let ty = scalar(next()?)?;
                let list = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                self.payload.extend(list.into_iter().flat_map(|v| memory(ty, v.unwrap_or(0))));
            }
            "constant" => {
                let id = number(next()?)?;
                let ty = scalar(next()?)?;
                self.constants.push((id, ty.value(next()?)?));
            }
            "dispatch" => self.dispatch = Some([number(next()?)?, number(next()?)?, number(next()?)?]),
            "vertices" => self.vertices = Some(number(next()?)?),
            "input" => {
                let slot = next()?.to_string();
                let ty = scalar(next()?)?;
                let list = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                self.inputs.push((slot, list.into_iter().map(|v| v.unwrap_or(0)).collect()));
            }
            "patches" => self.patches = Some((number(next()?)?, number(next()?)?)),
            "primitives" => self.primitives = Some(number(next()?)?),
            "patch" => {
                let slot = next()?.to_string();
                let ty = scalar(next()?)?;
                self.patch_inputs.push((slot, ty.value(next()?)?));
            }
            "coords" => {
                let ty = scalar(next()?)?;
                let list = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                let list: Vec<f32> =
                    list.into_iter().map(|v| f32::from_bits(v.unwrap_or(0) as u32)).collect();
                self.coords.extend(list.chunks_exact(3).map(|c| [c[0], c[1], c[2]]));
            }
            "pixels" => self.pixels = Some((number(next()?)?, number(next()?)?)),
            "plane" => {
                let slot = next()?.to_string();
                let ty = scalar(next()?)?;
                let mut plane = [0.0; 3];
                for (p, text) in plane.iter_mut().zip(parts) {
                    *p = f32::from_bits(ty.value(text)? as u32);
                }
                self.planes.push((slot, plane));
            }
            "inv_w" => {
                let mut plane = [0.0; 3];
                for p in &mut plane {
                    *p = next()?.parse().map_err(|_| "a number is required")?;
                }
                self.inv_w = Some(plane);
            }
            "covered" => self.covered = bits(rest)?,
            "lanes" => self.lanes = Some(parts.map(number).collect::<Result<_, _>>()?),
            "image" => {
                let (set, binding, element) = place(next()?)?;
                let format = images::format(next()?)?;
                let mut parts = parts.peekable();
                let mut shape = images::shape(&mut parts, format)?;
                let ty = scalar(parts.next().ok_or("`image` ends early")?)?;
                let list = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                shape.texels = list.into_iter().flat_map(|v| memory(ty, v.unwrap_or(0))).collect();
                self.images.push(Image { place: (set, binding, element.unwrap_or(0)), shape });
            }
            "sampler" => {
                let (set, binding) = pair(next()?)?;
                self.samplers.push((set, binding, images::sampler(parts)?));
            }
            "given" => {
                let name = next()?;
                let value = next()?;
                match self.given.named(name) {
                    Some(to) => *to = number(value)?,
                    None if name == "base_vertex" => {
                        self.given.base_vertex = value.parse().map_err(|_| "a number is required")?;
                    }
                    None => return Err(format!("`{name}` is not a built-in input of a stage")),
                }
            }
            "target" => self.target = Some(images::format(rest)?),
            "depth" => {
                let compare = images::sampler([next()?].into_iter())?.compare.ok_or("no comparison")?;
                let before = next()?.parse().map_err(|_| "a number is required")?;
                self.depth = Some((compare, before));
            }
            "modes" => self.modes.push((line, rest.into())),
            "newer" => self.newer = true,
            "error" if rest.is_empty() => return Err("`error` ends early".into()),
            "error" => self.error = Some(rest.into()),
            "expect" => {
                let (rest, tolerance) = match rest.split_once('~') {
                    Some((rest, t)) => (rest, Tolerance::parse(t.trim())?),
                    None => (rest, Tolerance::Exact),
                };
                let mut parts = rest.split_whitespace().peekable();
                let mut next = || parts.next().ok_or_else(|| "`expect` ends early".to_string());
                let place = next()?;
                if place == "alive" {
                    let rows = rest.trim_start().trim_start_matches("alive");
                    let want = bits(rows)?.into_iter().map(|b| Some(u64::from(b))).collect();
                    self.expects.push(Expect { line, at: At::Alive, ty: Scalar::Bool, want, tolerance });
                    return Ok(());
                }
                let mut word = next()?;
                let at = if place == "out" {
                    let slot = word.to_string();
                    word = next()?;
                    At::Output(slot)
                } else if place == "patch" {
                    let slot = word.to_string();
                    word = next()?;
                    At::Patch(slot)
                } else if place == "primitive" {
                    let slot = word.to_string();
                    word = next()?;
                    At::Primitive(slot)
                } else if place == "groups" {
                    At::Groups
                } else if place == "payload" {
                    At::Payload
                } else if place == "mesh" {
                    At::Mesh
                } else if place == "xfb" {
                    At::Xfb
                } else if place == "xfb_buffers" {
                    At::XfbBuffers
                } else if let Some(stream) = of_stream(place, "count") {
                    At::Count(stream)
                } else if let Some(stream) = of_stream(place, "strips") {
                    At::Strips(stream)
                } else if place == "image" {
                    let (set, binding, element) = self::place(word)?;
                    word = next()?;
                    At::Image(set, binding, element.unwrap_or(0))
                } else if place == "target" {
                    At::Target
                } else {
                    let (set, binding, element) = self::place(place)?;
                    let element = element.unwrap_or(0);
                    let mut offset = 0;
                    if let Some(at) = word.strip_prefix('+') {
                        offset = number(at)? as usize;
                        word = next()?;
                    }
                    At::Buffer(set, binding, element, offset)
                };
                let ty = scalar(word)?;
                let want = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                self.expects.push(Expect { line, at, ty, want, tolerance });
            }
            _ => return Err(format!("`{word}` is not a directive")),
        }
        Ok(())
    }
}

fn pair(text: &str) -> Result<(u32, u32), String> {
    let (a, b) = text.split_once('.').ok_or_else(|| format!("`{text}` is not SET.BINDING"))?;
    Ok((number(a)?, number(b)?))
}

/// `SET.BINDING` or `SET.BINDING[ELEMENT]`.
fn place(text: &str) -> Result<(u32, u32, Option<u32>), String> {
    let (place, element) =
        text.split_once('[').map_or((text, None), |(p, e)| (p, Some(e.trim_end_matches(']'))));
    let (set, binding) = pair(place)?;
    Ok((set, binding, element.map(number).transpose()?))
}

pub(super) fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

fn scalar(text: &str) -> Result<Scalar, String> {
    Scalar::parse(text).ok_or_else(|| format!("`{text}` is not a scalar type"))
}

/// Parses rows of 0 and 1.
fn bits(text: &str) -> Result<Vec<bool>, String> {
    text.chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '0' => Ok(false),
            '1' => Ok(true),
            _ => Err(format!("`{c}` is not 0 or 1")),
        })
        .collect()
}

/// Bytes of a value in memory.
pub(super) fn memory(ty: Scalar, bits: u64) -> Vec<u8> {
    let n = match ty {
        Scalar::Bool => 4,
        _ => ty.bits() as usize / 8,
    };
    bits.to_le_bytes()[..n].to_vec()
}

/// Parses a list: values, `_`, `VALUE*COUNT`, `iota COUNT`, `zeros COUNT`.
fn values(ty: Scalar, text: &str) -> Result<Vec<Option<u64>>, String> {
    const MOST: u32 = 1 << 20;
    let count = |text: Option<&str>| {
        let n = number(text.ok_or("a count is wanted")?)?;
        if n <= MOST { Ok(n) } else { Err(format!("more than {MOST} values")) }
    };
    let mut out = Vec::new();
    let mut list = tokens(text);
    while let Some(token) = list.next() {
        match token {
            "iota" => {
                for i in 0..count(list.next())? {
                    out.push(Some(ty.value(&i.to_string())?));
                }
            }
            "zeros" => out.extend((0..count(list.next())?).map(|_| Some(0))),
            _ => {
                let (value, n) = match token.split_once('*') {
                    Some((value, n)) => (value, count(Some(n))?),
                    None => (token, 1),
                };
                let value = if value == "_" { None } else { Some(ty.value(value)?) };
                out.extend((0..n).map(|_| value));
            }
        }
    }
    Ok(out)
}

/// Returns the stream of `NAME` or `NAME@STREAM`.
fn of_stream(text: &str, name: &str) -> Option<u32> {
    match text.strip_prefix(name)? {
        "" => Some(0),
        rest => rest.strip_prefix('@')?.parse().ok().filter(|s| *s < MAX_STREAMS as u32),
    }
}
