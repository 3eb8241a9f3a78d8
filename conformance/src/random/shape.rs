//! Units of work for modules of the stages between vertices and rasterization: random numbers of patches, points or
//! primitives, and their records.

use quadrille_jit::abi::interface_words;
use quadrille_jit::ir::{Interface, Stage};

use super::Random;
use crate::lanes::{Records, Work};
use crate::text::Module;

/// Maximum number of vertices per patch that inputs declare.
pub(super) const PATCH: u32 = 32;

/// Units of work of a module of these stages.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Shader stage.
    pub stage: Stage,
    /// Vertices per patch or primitive.
    pub(super) size: u32,
    /// Number of patches, points or primitives.
    pub(super) count: u32,
    /// Invocations per patch, point or primitive.
    pub(super) each: u32,
    /// True in a pipeline: inputs are outputs of the previous stage, and results are only in outputs, because an
    /// invocation does not know whether it is the only one for its unit.
    pub(super) linked: bool,
    /// True for the last stage of a pipeline, whose outputs are captured.
    pub(super) last: bool,
}

impl Shape {
    /// Chooses a random shape.
    pub fn random(r: &mut Random) -> Shape {
        let stage = *r.pick(&[Stage::TessellationControl, Stage::TessellationEvaluation, Stage::Geometry]);
        let count = r.below(5) as u32 + 1;
        let (linked, last) = (false, false);
        match stage {
            Stage::TessellationControl => {
                let each = *r.pick(&[1, 2, 3, 4, 5, 8, 9, 16, 17, PATCH]);
                Shape { stage, size: r.below(PATCH as usize) as u32 + 1, count, each, linked, last }
            }
            Stage::TessellationEvaluation => Shape {
                stage,
                size: r.below(PATCH as usize) as u32 + 1,
                count: r.below(70) as u32 + 1,
                each: 1,
                linked,
                last,
            },
            _ => {
                let size = *r.pick(&[1, 2, 3, 4, 6]);
                Shape {
                    stage,
                    size,
                    count: r.below(40) as u32 + 1,
                    each: *r.pick(&[1, 1, 1, 2, 3, 7]),
                    linked,
                    last,
                }
            }
        }
    }

    /// Shape of a stage in a pipeline.
    pub(super) fn of_pipeline(stage: Stage, size: u32, each: u32, last: bool) -> Shape {
        Shape { stage, size, count: 0, each, linked: true, last }
    }

    /// Total number of invocations.
    pub fn invocations(&self) -> usize {
        (self.count * self.each) as usize
    }

    /// Starts the module.
    pub fn module(&self, r: &mut Random) -> Module {
        match self.stage {
            Stage::Vertex => Module::stage("Vertex", Vec::new()),
            Stage::TessellationControl => {
                Module::stage("TessellationControl", vec![format!("OutputVertices {}", self.each)])
            }
            Stage::TessellationEvaluation => {
                let domain = *r.pick(&["Triangles", "Quads", "Isolines"]);
                let spacing = *r.pick(&["SpacingEqual", "SpacingFractionalEven", "SpacingFractionalOdd"]);
                let order = *r.pick(&["VertexOrderCw", "VertexOrderCcw"]);
                Module::stage("TessellationEvaluation", [domain, spacing, order].map(String::from).into())
            }
            _ => {
                let input = match self.size {
                    1 => "InputPoints",
                    2 => "InputLines",
                    3 => "Triangles",
                    4 => "InputLinesAdjacency",
                    _ => "InputTrianglesAdjacency",
                };
                let output =
                    *r.pick(&["OutputPoints", "OutputPoints", "OutputLineStrip", "OutputTriangleStrip"]);
                let modes = vec![
                    input.into(),
                    output.into(),
                    format!("OutputVertices {}", r.below(12) + 1),
                    format!("Invocations {}", self.each),
                ];
                Module::stage("Geometry", modes)
            }
        }
    }

    /// Makes random records as input.
    pub fn work(&self, inputs: &[Interface], patch: &[Interface], r: &mut Random) -> Work {
        let (count, size) = (self.count, self.size);
        match self.stage {
            Stage::TessellationControl => {
                Work::Patches { size, count, vertices: records(inputs, count * size, r) }
            }
            Stage::TessellationEvaluation => {
                let mut float = || r.below(4097) as f32 / 4096.0;
                // The first coordinate identifies the point.
                let coords = (0..count).map(|i| [i as f32, float(), float()]).collect();
                Work::Points { vertices: records(inputs, size, r), patch: records(patch, 1, r), coords }
            }
            _ => Work::Primitives { count, vertices: records(inputs, count * size, r) },
        }
    }
}

/// Makes `count` records; the previous stage left some words unwritten.
fn records(list: &[Interface], count: u32, r: &mut Random) -> Records {
    let n = interface_words(list) as usize;
    let there = list.iter().flat_map(|i| vec![!r.one_in(8); i.ty.bytes().div_ceil(4) as usize]);
    let there: Vec<bool> = there.collect();
    let mut word = || match r.below(3) {
        0 => r.below(16) as u32,
        1 => (r.below(4096) as f32 / 64.0 - 32.0).to_bits(),
        _ => r.bits() as u32,
    };
    Records { there, words: (0..count).map(|_| (0..n).map(|_| word()).collect()).collect() }
}
