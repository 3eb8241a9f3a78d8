//! Parses the directives of a program.

use std::str::SplitWhitespace;

use super::kernel::Argument;
use super::rays::{Instance, Scene, Shape};
use super::words::{bits, memory, number, pair, place, scalar, values};
use super::{Program, expect};
use crate::images::{self, Image};
use crate::lanes::{Buffer, InHeap};
use crate::value::Scalar;

/// A directive: its name, and the words after it.
struct Words<'a> {
    name: &'a str,
    rest: &'a str,
    parts: SplitWhitespace<'a>,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Result<&'a str, String> {
        self.parts.next().ok_or_else(|| format!("`{}` ends early", self.name))
    }

    fn number(&mut self) -> Result<u32, String> {
        number(self.next()?)
    }

    fn float(&mut self) -> Result<f32, String> {
        self.next()?.parse().map_err(|_| "a number is required".to_owned())
    }

    /// A type and all further words as its values.
    fn list(&mut self) -> Result<(Scalar, Vec<Option<u64>>), String> {
        let ty = scalar(self.next()?)?;
        Ok((ty, values(ty, &self.parts.by_ref().collect::<Vec<_>>().join(" "))?))
    }

    /// The bytes in memory of a list.
    fn bytes(&mut self) -> Result<Vec<u8>, String> {
        let (ty, list) = self.list()?;
        Ok(list.into_iter().flat_map(|v| memory(ty, v.unwrap_or(0))).collect())
    }
}

impl Program {
    /// Adds a directive to the program.
    pub(super) fn directive(&mut self, line: usize, text: &str) -> Result<(), String> {
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let mut words = Words { name, rest, parts: rest.split_whitespace() };
        if name == "expect" {
            self.expects.push(expect::parse(line, rest)?);
            return Ok(());
        }
        let is_known = self.about_test(line, &words)?
            || self.about_resources(&mut words)?
            || self.about_work(&mut words)?
            || self.about_kernels(&mut words)?
            || self.about_fragments(&mut words)?;
        if is_known { Ok(()) } else { Err(format!("`{name}` is not a directive")) }
    }

    /// Directives about the test itself. Returns `false` for others.
    fn about_test(&mut self, line: usize, words: &Words<'_>) -> Result<bool, String> {
        let rest = words.rest;
        match words.name {
            "test" => self.tests.extend(rest.split(',').map(|t| t.trim().to_string())),
            "feature" => {
                let (category, rows) = rest.split_once(": ").ok_or("features are CATEGORY: FEATURE")?;
                self.features.extend(rows.split(" | ").map(|row| format!("{category}: {row}")));
            }
            "function" => self.functions.push(rest.into()),
            "row" => self.rows.push(rest.into()),
            "lenient" => self.lenient = true,
            "reshaped" => self.reshaped = true,
            "modes" => self.modes.push((line, rest.into())),
            "aborts" if rest.is_empty() => return Err("`aborts` ends early".into()),
            "aborts" => self.aborts = Some((line, rest.into())),
            "newer" => self.newer = true,
            "wide" => self.wide_indexing = true,
            "error" if rest.is_empty() => return Err("`error` ends early".into()),
            "error" => self.error = Some(rest.into()),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Directives about memory, images and constants. Returns `false` for others.
    fn about_resources(&mut self, words: &mut Words<'_>) -> Result<bool, String> {
        match words.name {
            "bind" => {
                let (set, binding, element) = place(words.next()?)?;
                let bytes = words.bytes()?;
                match element {
                    None => self.buffers.push(Buffer { set, binding, bytes }),
                    Some(element) => self.elements.push(((set, binding, element), bytes)),
                }
            }
            "descriptor" => {
                let (heap, at, of) = (pair(words.next()?)?, words.next()?, pair(words.next()?)?);
                let offset = at.strip_prefix('+').ok_or("a descriptor needs `+` and its byte offset")?;
                self.descriptors.push(InHeap { heap, offset: number(offset)? as usize, of });
            }
            "push" => self.push.extend(words.bytes()?),
            "payload" => self.payload.extend(words.bytes()?),
            "constant" => {
                let id = words.number()?;
                let ty = scalar(words.next()?)?;
                self.constants.push((id, ty.value(words.next()?)?));
            }
            "image" => {
                let (set, binding, element) = place(words.next()?)?;
                let format = images::format(words.next()?)?;
                let mut parts = words.parts.clone().peekable();
                let mut shape = images::shape(&mut parts, format)?;
                let ty = scalar(parts.next().ok_or("`image` ends early")?)?;
                let list = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                shape.texels = list.into_iter().flat_map(|v| memory(ty, v.unwrap_or(0))).collect();
                self.images.push(Image { place: (set, binding, element.unwrap_or(0)), shape });
            }
            "scene" => {
                let place = pair(words.next()?)?;
                let shape = match words.next()? {
                    "triangles" => Shape::Triangles,
                    "boxes" => Shape::Boxes,
                    other => return Err(format!("`{other}` is neither `triangles` nor `boxes`")),
                };
                let opaque = words.next()? == "opaque";
                let (_, list) = words.list()?;
                let floats = list.into_iter().map(|v| f32::from_bits(v.unwrap_or(0) as u32)).collect();
                let instance = Instance { shape, opaque, floats };
                match self.scenes.iter_mut().find(|s| s.place == place) {
                    Some(scene) => scene.instances.push(instance),
                    None => self.scenes.push(Scene { place, instances: vec![instance] }),
                }
            }
            "sampler" => {
                let (set, binding) = pair(words.next()?)?;
                self.samplers.push((set, binding, images::sampler(words.parts.clone())?));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Directives about the amount of work, and the inputs of vertices, patches and primitives. Returns `false` for
    /// others.
    fn about_work(&mut self, words: &mut Words<'_>) -> Result<bool, String> {
        match words.name {
            "dispatch" => self.dispatch = Some([words.number()?, words.number()?, words.number()?]),
            "rays" => self.rays = Some([words.number()?, words.number()?, words.number()?]),
            "vertices" => self.vertices = Some(words.number()?),
            "input" => {
                let slot = words.next()?.to_string();
                let (_, list) = words.list()?;
                self.inputs.push((slot, list.into_iter().map(|v| v.unwrap_or(0)).collect()));
            }
            "patches" => self.patches = Some((words.number()?, words.number()?)),
            "primitives" => self.primitives = Some(words.number()?),
            "patch" => {
                let slot = words.next()?.to_string();
                let ty = scalar(words.next()?)?;
                self.patch_inputs.push((slot, ty.value(words.next()?)?));
            }
            "coords" => {
                let (_, list) = words.list()?;
                let list: Vec<f32> =
                    list.into_iter().map(|v| f32::from_bits(v.unwrap_or(0) as u32)).collect();
                self.coords.extend(list.chunks_exact(3).map(|c| [c[0], c[1], c[2]]));
            }
            "lanes" => self.lanes = Some(words.parts.clone().map(number).collect::<Result<_, _>>()?),
            "given" => {
                let name = words.next()?;
                let value = words.next()?;
                match self.given.named(name) {
                    Some(to) => *to = number(value)?,
                    None if name == "base_vertex" => {
                        self.given.base_vertex = value.parse().map_err(|_| "a number is required")?;
                    }
                    None => return Err(format!("`{name}` is not a built-in input of a stage")),
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Directives about launches of kernels. Returns `false` for others.
    fn about_kernels(&mut self, words: &mut Words<'_>) -> Result<bool, String> {
        let three = |words: &mut Words<'_>| -> Result<[u32; 3], String> {
            Ok([words.number()?, words.number()?, words.number()?])
        };
        let range = match words.name {
            "global" | "local" | "offset" | "dimensions" => self.launch.get_or_insert_default(),
            "argument" => {
                let mut first = words.parts.clone();
                let argument = match first.next() {
                    Some("local") => Argument::Local(number(first.next().ok_or("`local` without bytes")?)?),
                    Some("null") => Argument::Null,
                    Some(text) if text.starts_with("image:") || text.starts_with("sampler:") => {
                        let more: Vec<&str> = [text].into_iter().chain(first).collect();
                        Argument::Text(more.join(" "))
                    }
                    _ => Argument::Bytes(words.bytes()?),
                };
                self.arguments.push(argument);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        match words.name {
            "global" => range.global = three(words)?,
            "local" => range.local = Some(three(words)?),
            "offset" => range.offset = three(words)?,
            _ => range.dimensions = words.number()?,
        }
        Ok(true)
    }

    /// Directives about fragments and attachments. Returns `false` for others.
    fn about_fragments(&mut self, words: &mut Words<'_>) -> Result<bool, String> {
        match words.name {
            "pixels" => self.pixels = Some((words.number()?, words.number()?)),
            "plane" => {
                let slot = words.next()?.to_string();
                let ty = scalar(words.next()?)?;
                let mut plane = [0.0; 3];
                for (p, text) in plane.iter_mut().zip(words.parts.clone()) {
                    *p = f32::from_bits(ty.value(text)? as u32);
                }
                self.planes.push((slot, plane));
            }
            "inv_w" => self.inv_w = Some([words.float()?, words.float()?, words.float()?]),
            "covered" => self.covered = bits(words.rest)?,
            "target" => self.target = Some(images::format(words.rest)?),
            "depth" => {
                let compare = images::sampler([words.next()?].into_iter())?.compare.ok_or("no comparison")?;
                self.depth = Some((compare, words.float()?));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
