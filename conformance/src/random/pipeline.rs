//! Random pipelines: vertex, tessellation and geometry stages with matching interfaces, whose outputs transform
//! feedback captures.

use quadrille::Topology;
use quadrille_jit::ir::Stage;

use super::shape::Shape;
use super::stages::Ports;
use super::{INPUTS, RECORDS, Random, bounds, generate};

/// A stage of a pipeline.
pub struct Part {
    /// Shader stage.
    pub stage: Stage,
    /// SPIR-V text; its buffers are in the descriptor set with its index in the pipeline.
    pub text: String,
    record_bytes: usize,
}

/// A pipeline and its draw.
pub struct Pipeline {
    /// Its stages, in order.
    pub parts: Vec<Part>,
    /// Topology of the vertices.
    pub topology: Topology,
    /// Vertices per patch.
    pub patch: u32,
    /// Vertices of a draw.
    pub vertices: u32,
    /// Instances of a draw.
    pub instances: u32,
    /// Stride in the transform feedback buffer of each stream in bytes; 0 if nothing is captured.
    pub strides: [u32; 4],
    seed: u64,
}

/// Makes the pipeline of a seed; each stage has at most `limit` statements.
pub fn make(seed: u64, limit: usize) -> Pipeline {
    let mut r = Random::new(seed ^ 0x7069_7065);
    let (tessellated, with_geometry) = *r.pick(&[(true, false), (true, true), (false, true), (false, false)]);
    let patch = r.below(6) as u32 + 1;
    let each = *r.pick(&[1, 2, 3, 4, 9]);
    let mut parts: Vec<Part> = Vec::new();
    let mut ports = Ports::default();
    let add = |shape: Shape, number: u64, ports: &mut Ports, parts: &mut Vec<Part>| {
        let (made, own) = generate(r.fork(number), seed, limit, Some(shape), ports.next());
        let set = format!("DescriptorSet {}\n", parts.len());
        let text = made.text.replace("DescriptorSet 0\n", &set);
        parts.push(Part { stage: shape.stage, text, record_bytes: made.record_bytes });
        *ports = own;
    };
    let shape = |stage, size, each, last| Shape::of_pipeline(stage, size, each, last);
    add(shape(Stage::Vertex, 1, 1, !tessellated && !with_geometry), 1, &mut ports, &mut parts);
    let mut input = *Random::new(seed).pick(&[1u32, 2, 3, 4, 6]);
    let mut topology = match input {
        1 => Topology::PointList,
        2 => Topology::LineStrip,
        3 => Topology::TriangleStrip,
        4 => Topology::LineListWithAdjacency,
        _ => Topology::TriangleListWithAdjacency,
    };
    if tessellated {
        topology = Topology::PatchList;
        add(shape(Stage::TessellationControl, patch, each, false), 2, &mut ports, &mut parts);
        let last = !with_geometry;
        add(shape(Stage::TessellationEvaluation, each, 1, last), 3, &mut ports, &mut parts);
        let isolines = parts.iter().any(|p| p.text.contains(" Isolines\n"));
        input = if isolines { 2 } else { 3 };
    }
    if with_geometry {
        add(shape(Stage::Geometry, input, 1 + (seed % 3) as u32, true), 4, &mut ports, &mut parts);
    }
    let mut r = Random::new(!seed);
    let vertices = if tessellated { patch * (1 + r.below(4) as u32) } else { 1 + r.below(40) as u32 };
    let instances = 1 + r.below(2) as u32;
    Pipeline { parts, topology, patch, vertices, instances, strides: ports.strides, seed }
}

impl Pipeline {
    /// Contents of the buffers of a stage, by binding, for input set `k`.
    pub fn buffers(&self, part: usize, k: u64) -> Vec<Vec<u8>> {
        let mut r = Random::new(self.seed ^ (k * 8 + part as u64).wrapping_mul(0xd134_2543_de82_ef95));
        let mut words = |n: usize| -> Vec<u8> {
            let word = |_| {
                let bits = r.bits();
                let word = match r.below(4) {
                    0 => (bits % 16) as u32,
                    1 => ((bits % 4096) as f32 / 64.0 - 32.0).to_bits(),
                    2 => *r.pick(&super::SPECIAL),
                    _ => bits as u32,
                };
                word.to_le_bytes()
            };
            (0..n).flat_map(word).collect()
        };
        let record = self.parts[part].record_bytes;
        vec![
            words(INPUTS),
            vec![0; 256],
            vec![0; 64],
            words(INPUTS),
            words(RECORDS * record / 4),
            vec![0; record],
            words(bounds::FAR_WORDS),
        ]
    }
}
