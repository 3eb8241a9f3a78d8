//! Native tests: a file `NAME.test.toml` beside a shader, with a table for each test.
//!
//! ```toml
//! shader = "blur.comp"                # .comp .frag .glsl, .wgsl, .agsl, .spvasm, .spv; beside this file
//! entry = "main"                      # of a module with several
//! define = { SIZE = 64 }              # GLSL: macros; include = ["lib"]: folders of #include
//! constants = { radius = 2.0 }        # WGSL: overridable constants
//! spec = { 0 = 64 }                   # specialization constants by their ids
//! timeout = 5                         # CPU seconds of a command
//!
//! [[test]]                            # may have any of the above, too
//! name = "adds"
//! dispatch = [1, 1, 1]                # a compute shader, so many workgroups
//! push = ["f32: 0.5", "u32: 3"]
//! bind = { "0.0" = "f32: 1, 2, 3", "0.1" = "zeros: 12", "0.2" = "photo.png", "0.3" = "data.bin" }
//! expect = { "0.1" = "f32: 2, 4, 6" }
//!
//! [[test]]
//! name = "picture"
//! draw = "64x64"                      # a fragment shader, over all of it
//! golden = "blur.png"
//!
//! [[test]]
//! name = "as quadrille render has it"
//! shader = "toy.glsl"                 # Shadertoys and AGSL too
//! render = "320x180"
//! origin = "lower-left"               # where coordinates begin, if not where the text shows: or "upper-left"
//! time = 1.5
//! uniform = { color = "1,0.5,0" }
//! texture = { image = "photo.png" }
//! golden = { picture = "toy.png", flip = 0.01 }
//! ```
//!
//! More of `bind`: `{ format = "R32_SFLOAT", size = [4, 4], texels = "f32: ..." }` is an image, with `dim` (`1D` `2D`
//! `3D` `Cube` `1DArray` `2DArray` `CubeArray` `Buffer`), `layers`, `levels`, `samples`. `texels` may be a file, or a
//! list of texts and files: level by level, with all layers of a level in order. `"0.1[2]"` is an element of an array.
//! `sampler = { "0.4" = "linear repeat" }` takes any of `linear nearest repeat mirror clamp border mirror-once`, or
//! separate settings `mag= min= mip= u= v= w=`, and `compare=less lod=0..4 bias=0.5 anisotropy=4 border=white
//! unnormalized`. `lanes = 16` is the subgroup size.
//!
//! A ray tracing pipeline:
//!
//! ```toml
//! shader = "scene.rgen"               # or SPIR-V with all shaders
//! shaders = ["hit.rchit", "leaf.rahit", "ball.rint", "sky.rmiss", "light.rcall"]
//! launch = [64, 64, 1]
//! group = ["hit.rchit+leaf.rahit", "ball.rint+hit.rchit = f32: 1, 0, 0"]      # with data of the record
//! recursion = 2                       # maximum nesting of traces
//! bind = { "0.0" = "triangles: 0, 0, 0, 1, 0, 0, 0, 1, 0; boxes: -1, -1, -1, 1, 1, 1" }
//! ```
//!
//! Groups are the names of their shaders, or of entry points of SPIR-V; the records are in the order of the list. Shaders
//! that it does not name follow, all hit shaders in one group. A scene is a list of parts: `triangles` of nine numbers,
//! `boxes` of six, `opaque-triangles`, `opaque-boxes`, or with a file instead of numbers (OBJ, or bytes). Part `k` is an
//! instance with custom index `k` and the hit group record `k`, or `n` as in `boxes@n: ...`. Ray queries take scenes too.
//!
//! A kernel of OpenCL:
//!
//! ```toml
//! shader = "vadd.spv"                 # SPIR-V, its text, or OpenCL C (.cl), which `quadrille test` compiles with clang
//! entry = "vadd"                      # of a module with several
//! global = [1024]                     # invocations; local = [64] and offset = [0] are optional
//! args = ["f32: 1*1024", "zeros: 4096", 3.0]      # in order; also a file, local:BYTES, and a list for several numbers
//! expect = { "1" = "f32: 4*1024" }    # buffers by the number of their argument
//! ```
//!
//! More of `draw`:
//!
//! ```toml
//! vertex = "x.vert"                   # or { shader = "x.wgsl", entry = "vs" }, as all of these:
//! tessellation-control = "x.tesc"     # with tessellation-evaluation, and patch = 3: vertices of a patch
//! geometry = "x.geom"
//! mesh = "x.mesh"                     # instead of vertex; with task, and workgroups = [1, 1, 1]
//! attribute = { 0 = { format = "R32G32_SFLOAT", values = "f32: 0, 0, 1, 0" } }    # or a file; by location; has
//!                                     # stride, offset, per-instance = true
//! indices = "u16: 0, 1, 2"            # vertices = 3 and instances = 2 say how many are drawn
//! topology = "triangle-strip"         # with restart = true
//! cull = "back"                       # none front back front-and-back; front-face = "clockwise"; polygon = "line"
//! target = "R16G16B16A16_SFLOAT"
//! clear = [0.0, 0.0, 0.0, 1.0]
//! blend = "alpha"                     # premultiplied add multiply, or { src, dst, op, src-alpha, ..., write = "rgb" }
//! attachment = [{ format = "R8_UNORM", clear = [0, 0, 0, 0] }, {}]    # instead of the three above, where there are several
//! depth = { format = "D32_SFLOAT", clear = 1.0, test = "less", write = true }     # also bias, clamp, bounds
//! stencil = { clear = 0, front = { test = "equal", reference = 1, pass = "replace" } }    # back; fail, depth-fail,
//!                                     # compare-mask, write-mask
//! samples = 4
//! expect = { "color.0" = "u8: ...", depth = "f32: ...", stencil = "u8: ..." }
//! ```
//!
//! Names are the Vulkan names in lower case, with dashes. Files lie in the folder of the test file, or in one that the
//! process allows (`quadrille::files`).
//!
//! More of `expect`: `{ values = "f32: 1", first = 3, tolerance = 1e-3, relative = 1e-6 }` compares values from an
//! element on, `{ members = { count = 3 } }` members of a block by name. For an image, `{ picture = "x.png", component
//! = 1, pixels = 4 }` or `flip = 0.02` compares in 8 bits, and `{ picture = "x.exr", tolerance = 1e-3, pixels = 4 }` as
//! floats. `printed = ["[0, 0, 0] 1"]` is the output of `debugPrintfEXT`. `error = "text"` expects an error that
//! contains the text. `skip = "reason"` skips the test.

mod bind;
mod draw;
mod expect;
mod form;
mod job;
mod kernel;
mod names;
mod run;

use std::collections::HashSet;
use std::path::Path;

use quadrille::files::{Folders, MAX_TEXT_BYTES};
use toml::Spanned;

use crate::outcome::{Failure, Place};

pub(crate) use run::{run, timeout};

/// A test file.
#[derive(Debug)]
pub struct Suite {
    /// Path, as it was found.
    pub file: String,
    /// Byte offset of each line.
    lines: Vec<usize>,
    form: form::File,
}

/// Reads a test file. Errors have the line.
pub fn load(file: &str) -> Result<Suite, Failure> {
    let bytes = Folders::of_file(file).read(file, MAX_TEXT_BYTES);
    let bytes = bytes.map_err(|e| Failure::new(format!("cannot read {file}: {e}"), None))?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::new("not text", Some(whole(file))))?;
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let form = toml::from_str::<form::File>(&text).map_err(|e| {
        let at = e.span().map_or_else(|| whole(file), |span| place(file, &lines, span.start));
        Failure::new(e.message().to_owned(), Some(at))
    })?;
    let suite = Suite { file: file.to_owned(), lines, form };
    let mut names = HashSet::with_capacity(suite.len());
    for i in 0..suite.len() {
        let name = suite.name_of(i);
        if !names.insert(name.clone()) {
            let at = suite.place(suite.form.test[i].span().start);
            return Err(Failure::new(format!("there are two tests `{name}`"), Some(at)));
        }
    }
    if suite.len() == 0 {
        return Err(Failure::new("there is no [[test]]", Some(whole(file))));
    }
    Ok(suite)
}

fn whole(file: &str) -> Place {
    Place { file: file.to_owned(), line: 0, column: 0 }
}

/// Place of a byte in a file with these line offsets.
fn place(file: &str, lines: &[usize], at: usize) -> Place {
    let line = lines.partition_point(|begin| *begin <= at);
    let begin = line.checked_sub(1).and_then(|i| lines.get(i)).copied().unwrap_or(0);
    Place { file: file.to_owned(), line: line as u32, column: (at - begin + 1) as u32 }
}

impl Suite {
    /// Number of tests.
    pub fn len(&self) -> usize {
        self.form.test.len()
    }

    /// Name of a test; those without one are numbered from 1.
    pub fn name_of(&self, i: usize) -> String {
        let named = self.form.test.get(i).and_then(|t| t.get_ref().name.clone());
        named.unwrap_or_else(|| format!("test {}", i + 1))
    }

    fn place(&self, at: usize) -> Place {
        place(&self.file, &self.lines, at)
    }

    /// A failure at a value.
    fn wrong<T>(&self, at: &Spanned<T>, message: impl Into<String>) -> Failure {
        Failure::new(message, Some(self.place(at.span().start)))
    }

    /// The folders in which files may lie that this file names.
    fn folders(&self) -> Folders {
        Folders::of_file(&self.file)
    }

    /// A path in the file, relative to its folder.
    fn beside(&self, path: &str) -> String {
        let folder = Path::new(&self.file).parent().unwrap_or(Path::new(""));
        // Removes `..` where the names alone allow it.
        let mut parts: Vec<std::path::Component<'_>> = Vec::new();
        let whole = folder.join(path);
        for part in whole.components() {
            match (part, parts.last()) {
                (std::path::Component::ParentDir, Some(std::path::Component::Normal(_))) => {
                    parts.pop();
                }
                (std::path::Component::CurDir, _) => {}
                _ => parts.push(part),
            }
        }
        parts.iter().collect::<std::path::PathBuf>().display().to_string()
    }
}
