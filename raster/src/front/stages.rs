//! The optional stages before rasterization (tessellation, geometry, task and mesh), with the links from one stage's
//! records to the inputs of the next. Running the stages is left to [`super::patches`], [`super::geometry`],
//! [`super::tasks`] and [`super::mesh`].

use quadrille_jit::abi::{NO_WORD, interface_words};
use quadrille_jit::error::{Error, Result};
use quadrille_jit::ir::{BuiltIn, MAX_GEOMETRY_INVOCATIONS, MAX_GEOMETRY_VERTICES, MAX_MESH_OUTPUTS};
use quadrille_jit::ir::{
    GeometryInput, GeometryModes, GeometryOutput, Interface, MAX_PATCH_VERTICES, MAX_STREAMS, MeshModes,
    MeshOutput, Slot, StageKind, TessellationDomain, TessellationModes, TessellationSpacing, VertexOrder,
};

use crate::interface::word_offsets;
use crate::limits::{MESH_GROUPS, MESH_WORDS, UNIT_VERTICES};
use crate::state::{DomainOrigin, DrawStateDesc, StageInfo, Topology};

/// Kind of primitives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Primitives {
    Points,
    Lines,
    #[default]
    Triangles,
}

impl Primitives {
    /// Vertices per primitive.
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
    /// Primitives that the tessellator emits.
    pub output: Primitives,
    /// `true` if the last two vertices of each triangle are swapped.
    pub reversed: bool,
    /// Number of vertices of the control stage's output patches.
    pub output_vertices: u32,
    /// Word of the vertex record for each word of the control stage's inputs.
    pub control_words: Vec<u32>,
    /// Words per vertex that the control stage writes.
    pub vertex_words: u32,
    /// Words per patch that the control stage writes, besides vertices.
    pub patch_words: u32,
    /// Words of the patch with TessLevelOuter, then TessLevelInner.
    levels: [Option<u32>; 6],
    /// Word of the control stage's vertex for each word of the evaluation stage's inputs.
    pub evaluation_words: Vec<u32>,
    /// Word of the patch for each word of the evaluation stage's patch inputs.
    pub evaluation_patch_words: Vec<u32>,
    /// Words per record of the evaluation stage.
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
        // A positive area in (u, v) is counter-clockwise with a lower-left origin.
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

    /// Number of words from one patch to the next.
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
    /// Word of the previous stage's record for each word of the stage's inputs.
    pub words: Vec<u32>,
    /// Words per record of each stream.
    pub stream_words: [u32; MAX_STREAMS],
    /// Primitives that the stage emits.
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

/// The mesh stage, optionally after a task stage.
#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    pub modes: MeshModes,
    /// Primitives that the stage emits.
    pub output: Primitives,
    /// Words per vertex.
    pub vertex_words: u32,
    /// Words per primitive.
    pub primitive_words: u32,
    /// Layout of a primitive's record.
    pub primitive: PrimitiveLayout,
    /// Planes of the fragment stage with per-primitive values, as pairs of plane number and word number.
    pub planes: Vec<[u32; 2]>,
    /// Invocations per workgroup of the first stage and of the mesh stage.
    pub invocations: [u32; 2],
    /// `true` if a task stage determines the number of mesh workgroups.
    pub has_task: bool,
}

/// Built-in outputs in the record of a mesh shader's primitive, as word numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PrimitiveLayout {
    /// Vertex indices of the primitive.
    pub vertices: [Option<u32>; 3],
    /// PrimitiveId.
    pub id: Option<u32>,
    /// Layer.
    pub layer: Option<u32>,
    /// ViewportIndex.
    pub viewport: Option<u32>,
    /// CullPrimitiveEXT.
    pub cull: Option<u32>,
}

impl Mesh {
    /// Links the mesh stage, if there is one.
    pub fn new(d: &DrawStateDesc) -> Result<Option<Self>> {
        let Some(StageKind::Mesh(modes)) = d.stages.last().map(|s| s.kind) else { return Ok(None) };
        if modes.max_vertices.max(modes.max_primitives) > MAX_MESH_OUTPUTS {
            return Err(Error::Limit(format!(
                "a mesh stage of {} vertices and {} primitives",
                modes.max_vertices, modes.max_primitives
            )));
        }
        let (info, has_task) = (d.last(), d.stages.len() > 1);
        let invocations = |info: &StageInfo| info.local_size.iter().fold(1, |n: u32, s| n.saturating_mul(*s));
        let inputs = d.fragment.as_ref().map_or(&[][..], |f| &f.inputs);
        let mut planes = planes_of_primitive(info, inputs);
        // The plane of the shading rate follows those of the inputs.
        let rate = shading_rate_word(&info.primitive_outputs).filter(|_| d.fragment.is_some());
        planes.extend(rate.map(|word| [interface_words(inputs), word]));
        Ok(Some(Mesh {
            modes,
            output: match modes.output {
                MeshOutput::Points => Primitives::Points,
                MeshOutput::Lines => Primitives::Lines,
                MeshOutput::Triangles => Primitives::Triangles,
            },
            vertex_words: interface_words(&info.outputs),
            primitive_words: interface_words(&info.primitive_outputs),
            primitive: PrimitiveLayout::new(&info.primitive_outputs, modes.output),
            planes,
            invocations: [if has_task { invocations(d.first()) } else { 0 }, invocations(info)],
            has_task,
        }))
    }

    /// Number of words that a workgroup writes.
    pub fn group_words(&self) -> u32 {
        self.modes.output_words(self.vertex_words, self.primitive_words)
    }

    /// Cost of a workgroup, in vertices of a draw, based on its maximum output.
    pub fn weight(&self) -> u32 {
        let MeshModes { max_vertices, max_primitives, .. } = self.modes;
        max_vertices.max(2 * max_primitives).max(self.invocations[1] / 2).clamp(1, UNIT_VERTICES)
    }

    /// Number of workgroups per call.
    pub fn at_once(&self) -> u32 {
        (MESH_WORDS / self.group_words()).clamp(1, MESH_GROUPS)
    }
}

impl PrimitiveLayout {
    fn new(outputs: &[Interface], output: MeshOutput) -> Self {
        let word = |b: BuiltIn, c: u32| {
            word_offsets(outputs).find(|(_, o)| o.slot == Slot::BuiltIn(b, c)).map(|(w, _)| w)
        };
        PrimitiveLayout {
            vertices: [0, 1, 2].map(|c| word(output.indices(), c)),
            id: word(BuiltIn::PrimitiveId, 0),
            layer: word(BuiltIn::Layer, 0),
            viewport: word(BuiltIn::ViewportIndex, 0),
            cull: word(BuiltIn::CullPrimitive, 0),
        }
    }
}

/// Planes of fragment inputs that the mesh stage writes per primitive, as pairs of plane number and word number.
fn planes_of_primitive(mesh: &StageInfo, inputs: &[Interface]) -> Vec<[u32; 2]> {
    let mut planes = Vec::new();
    let of_vertex = |i: &Interface| !i.per_primitive && mesh.outputs.iter().any(|o| o.slot == i.slot);
    for (plane, i) in word_offsets(inputs).filter(|(_, i)| !of_vertex(i)) {
        let wide = i.ty.bytes() == 8;
        let source = word_offsets(&mesh.primitive_outputs).find(|(_, o)| o.slot == i.slot);
        if let Some((word, _)) = source.filter(|(_, o)| (o.ty.bytes() == 8) == wide) {
            planes.push([plane, word]);
            planes.extend(wide.then_some([plane + 1, word + 1]));
        }
    }
    planes
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
                        control.ok_or_else(|| Error::invalid("evaluation without a control stage"))?;
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

/// Word of the output PrimitiveShadingRate.
pub(super) fn shading_rate_word(outputs: &[Interface]) -> Option<u32> {
    let is_rate = |i: &Interface| i.slot == Slot::BuiltIn(BuiltIn::PrimitiveShadingRate, 0);
    word_offsets(outputs).find(|(_, i)| is_rate(i)).map(|(word, _)| word)
}

/// Outputs of a stage on a stream, in the order of its records.
pub(crate) fn of_stream(info: &StageInfo, stream: u32) -> impl Iterator<Item = &Interface> {
    info.outputs.iter().filter(move |o| o.stream == stream)
}

/// Input primitive of a geometry stage that takes this topology.
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

/// For each 32-bit word of the inputs, the matching word of the outputs, or [`NO_WORD`].
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
