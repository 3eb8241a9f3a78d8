//! Program tests: a whole module with directives in comments that begin with `;!` (GLSL: `//!`).
//!
//! ```text
//! ;! test OpControlBarrier, GLSL Modf   instructions that the file tests
//! ;! feature types: void | main         GLSL features that the file demonstrates: CATEGORY: ROW | ROW; instead of `test`
//! ;! function abs(genIType x)          a function of GLSL that the file calls by this signature
//! ;! row type: bool                     WGSL feature (January 2021) that the file demonstrates; see [`crate::coverage`]
//! ;! lenient                            WGSL of January 2021 that goes beyond the draft
//! ;! reshaped                           the translation to current WGSL has other bindings and does not run
//! ;! bind 0.1 u32 1 2 iota 4 7*3 zeros 8
//! ;! bind 0.1[3] u32 1                 an element of an array; a device runs the program
//! ;! descriptor 0.0 +16 1.0             descriptor of buffer 1.0 at byte 16 of the resource heap (0.0; sampler heap: 0.1)
//! ;! push f32 1.5
//! ;! constant 3 u32 7                   specialization constant by id
//! ;! dispatch 2 1 1                     compute: workgroups
//! ;! vertices 4                         vertex: invocations; inputs: ;! input LOCATION.COMPONENT f32 VALUES
//! ;! patches 2 3                        tessellation control: patches, vertices of each; evaluation: 1 and vertices
//! ;! primitives 2                       geometry; inputs: a value for each vertex, primitive after primitive
//! ;! patch TessLevelOuter.0 f32 VALUE   evaluation: input of the patch
//! ;! payload u32 VALUES                 mesh: payload of the task workgroup; `dispatch`: workgroups, also for task
//! ;! coords f32 U V W U V W ...         evaluation: points of the domain
//! ;! pixels 8 4                         fragment: multiples of 8 and 4
//! ;! plane 0.0 f32 A0 DX DY             fragment input: value at (0, 0), changes; or u32 VALUE if flat
//! ;! inv_w A0 DX DY                     1 / w; default: 1
//! ;! given primitive_id 3               built-in inputs of the stage: see [`crate::lanes::Given`]
//! ;! covered 11110000 ...               pixels that the primitive covers, a word per row
//! ;! image 0.1 R32_SFLOAT 4 2 f32 VALUES a 2D image; a device runs programs with images
//! ;! image 0.1[2] R8_UNORM cube 4x4 levels 3 u8 VALUES   of any shape, in an array: see [`crate::images::shape`]
//! ;! scene 0.1 triangles opaque f32 X Y Z ...   an instance in an acceleration structure: three positions for each
//!                                       triangle; `boxes`: two corners of each; `any`: not opaque. Further lines for
//!                                       the binding add instances, each 4 to the right of the one before
//! ;! rays 8 1 1                         traces rays: the entry points are those of a ray tracing pipeline. Records
//!                                       of each table are in the order of the entry points; hits have one group.
//!                                       Data of the records: the words 100, 101, ..., eight in each
//! ;! global 16 4 1                      launches a kernel with so many invocations, on a device
//! ;! local 8 4 1                        invocations of a workgroup
//! ;! offset 2 0 0                       global id of the first invocation
//! ;! dimensions 2                       number of dimensions that the kernel sees
//! ;! argument f32 1 2 3                 the next argument: a buffer, or a value; `local 64`: workgroup memory; `null`
//! ;! sampler 0.1 linear clamp           of a binding; see [`crate::images::sampler`]
//! ;! target R32G32B32A32_SFLOAT         fragment with images: format of the picture
//! ;! depth less 0.5                     fragment on a device, at depth 0: depth test with this stored depth
//! ;! lanes 4 8 16 32                    lane group sizes if the shader observes the subgroup; default: 8
//! ;! expect 0.1 f32 1 _ 2.5*3 ~ 2ulp    contents of a buffer from its start; `_` is ignored
//! ;! expect 0.1 +16 u32 1               contents from byte 16
//! ;! expect out 0.0 f32 ...             output per vertex or pixel; built-ins: Position.0; index 1: 0.0#1
//! ;! expect out 0.0@1 f32 ...           geometry: output of the vertices emitted on stream 1
//! ;! expect count u32 3 0               geometry: vertices that each invocation emits (`count@1`: on stream 1)
//! ;! expect strips u32 1 0 0            geometry: 1 for vertices that begin strips (`strips@1`: on stream 1)
//! ;! expect patch 0.0 f32 ...           tessellation control: output of each patch
//! ;! expect groups u32 X Y Z ...        task: mesh workgroups that each workgroup launches
//! ;! expect payload u32 ...             task: words of each workgroup's payload
//! ;! expect mesh u32 3 1 ...            mesh: counts of vertices and primitives of each workgroup; `out`: outputs of
//!                                       the vertices, workgroup after workgroup
//! ;! expect primitive 0.0 f32 ...       mesh: output of each primitive
//! ;! expect xfb u32 WORD BUFFER OFFSET ...   words that transform feedback captures
//! ;! expect xfb_buffers u32 STRIDE STREAM ...   stride and stream of each of the four buffers
//! ;! expect argument 1 u32 ...          contents of the buffer that is this argument of a kernel; from byte 16: `1 +16`
//! ;! expect image 0.1 f32 ...           texels of an image
//! ;! expect target f32 ...              the picture
//! ;! expect alive 11110000 ...          fragment: pixels left
//! ;! modes output: LineStrip              the IR's execution modes contain this text
//! ;! newer                              newer than Khronos' tools may know: no second opinion
//! ;! wide                               64-bit indexing, as by the flag of a pipeline
//! ;! error unsupported: text            the front end refuses the module with this message
//! ;! aborts [5, 0, 0] text              an invocation aborts, and the message contains this text
//! ```

mod expect;
mod job;
mod kernel;
mod parse;
mod rays;
mod run;
mod words;

pub(crate) use rays::{Instance, Scene, Shape};
pub use run::{Effort, difference, run, try_run};
use words::memory;

use quadrille::apps::kernel::Range;
use quadrille::{CompareOp, Format, SamplerDesc};

use crate::images::Image;
use crate::lanes::{Buffer, Given, InHeap, Job, Work};
use crate::value::{Scalar, Tolerance};

/// Place of an expected result.
#[derive(Clone, Debug)]
enum At {
    /// Set, binding, element, first byte.
    Buffer(u32, u32, u32, usize),
    Output(String),
    /// Output of a patch.
    Patch(String),
    /// Vertices that each unit emits on a stream, and the vertices that begin strips.
    Count(u32),
    Strips(u32),
    /// Mesh workgroups that task workgroups launch, and their payloads.
    Groups,
    Payload,
    /// Sizes of meshes, and an output of their primitives.
    Mesh,
    Primitive(String),
    /// Words that transform feedback captures, and its buffers.
    Xfb,
    XfbBuffers,
    Alive,
    /// Argument of a kernel, first byte.
    Argument(usize, usize),
    Image(u32, u32, u32),
    Target,
}

#[derive(Clone, Debug)]
struct Expect {
    line: usize,
    at: At,
    ty: Scalar,
    want: Vec<Option<u64>>,
    tolerance: Tolerance,
}

/// A program test file.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Instructions that the file tests: `OpX` or `GLSL X`.
    pub tests: Vec<String>,
    /// Language features that the file demonstrates: `CATEGORY: FEATURE`.
    pub features: Vec<String>,
    /// Functions of GLSL that the file calls, by signature.
    pub functions: Vec<String>,
    /// Rows of WGSL that the file demonstrates: `CATEGORY: FEATURE`, or `NAME SIGNATURE`.
    pub rows: Vec<String>,
    lenient: bool,
    reshaped: bool,
    buffers: Vec<Buffer>,
    /// Descriptors in heaps; if there are any, the shader uses descriptor heaps.
    descriptors: Vec<InHeap>,
    /// Contents of elements of buffer arrays.
    elements: Vec<((u32, u32, u32), Vec<u8>)>,
    push: Vec<u8>,
    constants: Vec<(u32, u64)>,
    dispatch: Option<[u32; 3]>,
    vertices: Option<u32>,
    inputs: Vec<(String, Vec<u64>)>,
    patches: Option<(u32, u32)>,
    primitives: Option<u32>,
    patch_inputs: Vec<(String, u64)>,
    coords: Vec<[f32; 3]>,
    payload: Vec<u8>,
    pixels: Option<(u32, u32)>,
    planes: Vec<(String, [f32; 3])>,
    inv_w: Option<[f32; 3]>,
    covered: Vec<bool>,
    lanes: Option<Vec<u32>>,
    images: Vec<Image>,
    samplers: Vec<(u32, u32, SamplerDesc)>,
    target: Option<Format>,
    depth: Option<(CompareOp, f32)>,
    /// Acceleration structures.
    scenes: Vec<Scene>,
    /// Size of a trace of rays; the entry points are those of a ray tracing pipeline.
    rays: Option<[u32; 3]>,
    /// Launch of a kernel, and its arguments.
    launch: Option<Range>,
    arguments: Vec<kernel::Argument>,
    expects: Vec<Expect>,
    /// Expected text in the message of an abort.
    aborts: Option<(usize, String)>,
    /// Expected texts in the IR's execution modes.
    modes: Vec<(usize, String)>,
    error: Option<String>,
    given: Given,
    newer: bool,
    /// 64-bit indexing, which the module need not request itself.
    wide_indexing: bool,
}

impl Program {
    /// True for WGSL that exceeds the letter of the draft.
    pub fn lenient(&self) -> bool {
        self.lenient
    }

    /// True if the translation into current WGSL has other bindings.
    pub fn reshaped(&self) -> bool {
        self.reshaped
    }

    /// Reads the directives of a file.
    ///
    /// # Errors
    /// The line number, from 1, and the message.
    pub fn parse(text: &str) -> Result<Program, (usize, String)> {
        let mut program = Program::default();
        for (n, line) in text.lines().enumerate() {
            let line = line.trim_start();
            if let Some(directive) = line.strip_prefix(";!").or_else(|| line.strip_prefix("//!")) {
                program.directive(n + 1, directive.trim()).map_err(|e| (n + 1, e))?;
            }
        }
        let about = [&program.tests, &program.features, &program.functions, &program.rows];
        if about.iter().all(|list| list.is_empty()) {
            return Err((1, "no `test`, `feature`, `function` or `row` directive".into()));
        }
        program.shows_something().map_err(|e| (1, e))?;
        Ok(program)
    }

    /// Refuses a file whose test could not fail, and directives that nothing would look at.
    fn shows_something(&self) -> Result<(), String> {
        let values = self.expects.iter().any(|e| e.want.iter().any(Option::is_some));
        let of_lanes = self.aborts.is_some() || !self.modes.is_empty();
        let launched = self.rays.is_some() || self.launch.is_some();
        let resources = !self.images.is_empty() || !self.elements.is_empty() || !self.scenes.is_empty();
        let drawn = self.target.is_some() || self.depth.is_some();
        if self.error.is_some() && (of_lanes || !self.expects.is_empty()) {
            Err("a file with `error` has no results".into())
        } else if of_lanes && (launched || resources || drawn) {
            Err("`modes` and `aborts` are for programs without a device".into())
        } else if self.error.is_none() && !of_lanes && !values {
            Err("no `expect` with a value, `modes`, `aborts` or `error`".into())
        } else {
            Ok(())
        }
    }

    /// True if the module uses features that Khronos' tools may not know yet.
    pub fn newer(&self) -> bool {
        self.newer
    }

    /// The error that the front end must report.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Job of a compute program without images and descriptor heaps.
    pub fn compute_job(&self) -> Option<Job> {
        if !self.images.is_empty()
            || self.target.is_some()
            || self.depth.is_some()
            || self.pixels.is_some()
            || self.vertices.is_some()
            || self.patches.is_some()
            || self.primitives.is_some()
            || !self.descriptors.is_empty()
            || !self.scenes.is_empty()
            || self.rays.is_some()
            || self.launch.is_some()
        {
            return None;
        }
        let work = Work::Compute(self.dispatch.unwrap_or([1, 1, 1]));
        Some(Job {
            buffers: self.buffers.clone(),
            descriptors: Vec::new(),
            push: self.push.clone(),
            work,
            given: self.given,
        })
    }

    /// Specialization constants.
    pub fn constants(&self) -> &[(u32, u64)] {
        &self.constants
    }

    /// Lane group sizes that the file states.
    pub fn lane_sizes(&self) -> Option<&[u32]> {
        self.lanes.as_deref()
    }

    /// Expected values in buffers: number of the buffer, byte offset, type.
    pub fn buffer_values(&self) -> Vec<(usize, usize, Scalar)> {
        let mut list = Vec::new();
        for e in &self.expects {
            let At::Buffer(set, binding, 0, offset) = e.at else { continue };
            let buffer = self.buffers.iter().position(|b| (b.set, b.binding) == (set, binding));
            let Some(buffer) = buffer else { continue };
            let n = memory(e.ty, 0).len();
            let wanted = e.want.iter().enumerate().filter(|(_, w)| w.is_some());
            list.extend(wanted.map(|(i, _)| (buffer, offset + i * n, e.ty)));
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::Program;

    #[test]
    fn files_that_show_nothing_are_refused() {
        let parsed =
            |text: &str| Program::parse(&format!(";! test OpNop\n{text}")).map(drop).map_err(|(_, e)| e);
        for right in
            [";! expect 0.1 u32 _ 2", ";! error a limit", ";! aborts bad", ";! modes output: LineStrip"]
        {
            assert_eq!(parsed(right), Ok(()), "{right}");
        }
        for (wrong, why) in [
            ("", "no `expect` with a value"),
            (";! expect 0.1 u32 _ _*3", "no `expect` with a value"),
            (";! error a limit\n;! expect 0.1 u32 1", "has no results"),
            (";! rays 1 1 1\n;! modes output: LineStrip", "without a device"),
        ] {
            assert!(parsed(wrong).is_err_and(|e| e.contains(why)), "{wrong}");
        }
    }
}
