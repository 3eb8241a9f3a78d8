//! The stages between the vertex stage and rasterization: which there are, and how the records of one become
//! the inputs of the next.

use quadrille_jit::abi::{NO_WORD, interface_words};
use quadrille_jit::error::{Error, Result};
use quadrille_jit::ir::{BuiltIn, MAX_GEOMETRY_INVOCATIONS, MAX_GEOMETRY_VERTICES};
use quadrille_jit::ir::{
    GeometryInput, GeometryModes, GeometryOutput, Interface, MAX_PATCH_VERTICES, MAX_STREAMS, Slot,
    StageKind, TessellationDomain, TessellationModes, TessellationSpacing, VertexOrder,
};

use crate::interface::word_offsets;
use crate::state::{DomainOrigin, DrawStateDesc, StageInfo, Topology};

/// What primitives are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Primitives {
    Points,
    Lines,
    #[default]
    Triangles,
}

impl Primitives {
    /// Vertices of one.
    pub fn vertices(self) -> u32 {
        match self {
            Primitives::Points => 1,
            Primitives::Lines => 2,
            Primitives::Triangles => 3,
        }
    }
}

/// The stages after the vertex stage.
#[derive(Clone, Debug)]
pub(crate) struct LaterStages {
    pub tessellation: Option<Tessellation>,
    pub geometry: Option<Geometry>,
}

/// Both stages of tessellation.
#[derive(Clone, Debug)]
pub(crate) struct Tessellation {
    pub domain: TessellationDomain,
    pub spacing: TessellationSpacing,
    /// What the tessellator puts out.
    pub output: Primitives,
    /// The last two vertices of each triangle change places.
    pub reversed: bool,
    /// Vertices of the control stage's patches.
    pub output_vertices: u32,
    /// Word of the vertex record for each word of the control stage's inputs.
    pub control_words: Vec<u32>,
    /// Words per vertex that the control stage puts out.
    pub vertex_words: u32,
    /// Words per patch that it puts out besides.
    pub patch_words: u32,
    /// Words of the patch: TessLevelOuter, then TessLevelInner.
    levels: [Option<u32>; 6],
    /// Word of the control stage's vertex for each word of the evaluation stage's inputs.
    pub evaluation_words: Vec<u32>,
    /// Word of the patch for each word of the evaluation stage's patch inputs.
    pub evaluation_patch_words: Vec<u32>,
    /// Words of the evaluation stage's records.
    pub output_words: u32,
}

impl Tessellation {
    fn new(
        d: &DrawStateDesc,
        control: (&StageInfo, TessellationModes),
        evaluation: (&StageInfo, TessellationModes),
    ) -> Result<Self> {
        let modes = evaluation.1.merge(control.1);
        let (vertex, control, evaluation) = (d.vertex(), control.0, evaluation.0);
        let missing = |mode: &str| Error::invalid(format!("tessellation without {mode}"));
        let domain = modes.domain.ok_or_else(|| missing("Triangles, Quads or Isolines"))?;
        let order = modes.order.unwrap_or_default();
        let output_vertices = modes.output_vertices.unwrap_or(0);
        if !(1..=MAX_PATCH_VERTICES).contains(&output_vertices) {
            return Err(Error::Limit(format!("patches of {output_vertices} vertices")));
        }
        let slot = |i: u32| match i {
            0..4 => Slot::BuiltIn(BuiltIn::TessLevelOuter, i),
            _ => Slot::BuiltIn(BuiltIn::TessLevelInner, i - 4),
        };
        let word = |i| word_offsets(&control.patch_outputs).find(|(_, o)| o.slot == slot(i)).map(|(w, _)| w);
        // Positive area in (u, v) is counter-clockwise where the origin is below.
        let positive = (order == VertexOrder::Ccw) == (d.domain_origin == DomainOrigin::LowerLeft);
        Ok(Tessellation {
            domain,
            spacing: modes.spacing.unwrap_or_default(),
            output: match (modes.point_mode, domain) {
                (true, _) => Primitives::Points,
                (_, TessellationDomain::Isolines) => Primitives::Lines,
                _ => Primitives::Triangles,
            },
            reversed: !positive,
            output_vertices,
            control_words: links(vertex.outputs.iter(), &control.inputs),
            vertex_words: interface_words(&control.outputs),
            patch_words: interface_words(&control.patch_outputs),
            levels: [0, 1, 2, 3, 4, 5].map(word),
            evaluation_words: links(control.outputs.iter(), &evaluation.inputs),
            evaluation_patch_words: links(control.patch_outputs.iter(), &evaluation.patch_inputs),
            output_words: interface_words(&evaluation.outputs),
        })
    }

    /// Words from one patch to the next.
    pub fn patch_stride(&self) -> u32 {
        self.patch_words + self.output_vertices * self.vertex_words
    }

    /// TessLevelOuter and TessLevelInner of a patch; 0 where the control stage writes none.
    pub fn levels(&self, patch: &[u32]) -> ([f32; 4], [f32; 2]) {
        let [a, b, c, d, e, f] = self.levels.map(|w| w.map_or(0.0, |w| f32::from_bits(patch[w as usize])));
        ([a, b, c, d], [e, f])
    }
}

/// The geometry stage.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    pub modes: GeometryModes,
    /// Word of the record before for each word of the stage's inputs.
    pub words: Vec<u32>,
    /// Words per record of each stream.
    pub stream_words: [u32; MAX_STREAMS],
    /// What it puts out.
    pub output: Primitives,
}

impl Geometry {
    fn new(
        d: &DrawStateDesc,
        before: &StageInfo,
        tessellated: Option<Primitives>,
        info: &StageInfo,
        modes: GeometryModes,
    ) -> Result<Self> {
        let given = match tessellated {
            Some(Primitives::Points) => GeometryInput::Points,
            Some(Primitives::Lines) => GeometryInput::Lines,
            Some(Primitives::Triangles) => GeometryInput::Triangles,
            None => input_of(d.topology),
        };
        if given != modes.input {
            return Err(Error::invalid(format!("a geometry stage for {:?} gets {given:?}", modes.input)));
        }
        if modes.max_vertices > MAX_GEOMETRY_VERTICES || modes.invocations > MAX_GEOMETRY_INVOCATIONS {
            return Err(Error::Limit(format!(
                "a geometry stage of {} vertices and {} invocations",
                modes.max_vertices, modes.invocations
            )));
        }
        let modes = GeometryModes { invocations: modes.invocations.max(1), ..modes };
        let words = |s: usize| {
            let of_stream: Vec<Interface> = of_stream(info, s as u32).copied().collect();
            interface_words(&of_stream)
        };
        Ok(Geometry {
            modes,
            words: links(before.outputs.iter(), &info.inputs),
            stream_words: [0, 1, 2, 3].map(words),
            output: match modes.output {
                GeometryOutput::Points => Primitives::Points,
                GeometryOutput::LineStrip => Primitives::Lines,
                GeometryOutput::TriangleStrip => Primitives::Triangles,
            },
        })
    }
}

impl LaterStages {
    /// Links the stages after the vertex stage, if there are any.
    pub fn new(d: &DrawStateDesc) -> Result<Option<Self>> {
        let (mut tessellation, mut geometry, mut control) = (None, None, None);
        let mut before = d.vertex();
        for s in &d.stages {
            match s.kind {
                StageKind::TessellationControl(modes) => control = Some((&s.info, modes)),
                StageKind::TessellationEvaluation(modes) => {
                    let control =
                        control.ok_or_else(|| Error::invalid("evaluation without control stage"))?;
                    tessellation = Some(Tessellation::new(d, control, (&s.info, modes))?);
                }
                StageKind::Geometry(modes) => {
                    let output = tessellation.as_ref().map(|t: &Tessellation| t.output);
                    geometry = Some(Geometry::new(d, before, output, &s.info, modes)?);
                }
                _ => {}
            }
            before = &s.info;
        }
        let any = tessellation.is_some() || geometry.is_some();
        Ok(any.then_some(LaterStages { tessellation, geometry }))
    }
}

/// The outputs of a stage on a stream, in the order of its records.
pub(crate) fn of_stream(info: &StageInfo, stream: u32) -> impl Iterator<Item = &Interface> {
    info.outputs.iter().filter(move |o| o.stream == stream)
}

/// What the geometry stage gets from a topology.
fn input_of(topology: Topology) -> GeometryInput {
    match topology {
        Topology::PointList => GeometryInput::Points,
        Topology::LineList | Topology::LineStrip => GeometryInput::Lines,
        Topology::LineListWithAdjacency | Topology::LineStripWithAdjacency => GeometryInput::LinesAdjacency,
        Topology::TriangleListWithAdjacency | Topology::TriangleStripWithAdjacency => {
            GeometryInput::TrianglesAdjacency
        }
        _ => GeometryInput::Triangles,
    }
}

/// For each 32-bit word of the inputs the word of the outputs that it is, or [`NO_WORD`].
fn links<'a>(outputs: impl Iterator<Item = &'a Interface> + Clone, inputs: &[Interface]) -> Vec<u32> {
    let outputs: Vec<Interface> = outputs.copied().collect();
    let mut words = Vec::with_capacity(inputs.len());
    for i in inputs {
        let source = word_offsets(&outputs).find(|(_, o)| o.slot == i.slot && o.stream == 0);
        let wide = i.ty.bytes() == 8;
        let word = source.filter(|(_, o)| (o.ty.bytes() == 8) == wide).map(|(w, _)| w);
        words.push(word.unwrap_or(NO_WORD));
        if wide {
            words.push(word.map_or(NO_WORD, |w| w + 1));
        }
    }
    words
}
