//! The front's part of a draw state: vertex input, the layout of the vertex record, and links to the fragment stage.
//! The tiles' part is left to [`crate::tiles`].

use std::ops::Range;
use std::sync::Arc;

use quadrille_jit::abi::interface_words;
use quadrille_jit::error::Result;
use quadrille_jit::ir::{BuiltIn, Interface, Interpolation, Slot};

use super::fetch::{Fetch, Key};
use super::stages::{LaterStages, Mesh, Primitives, of_stream, shading_rate_word};
use crate::feedback::Capture;
use crate::interface::word_offsets;
use crate::kernels::KernelTable;
use crate::limits::UNIT_VERTICES;
use crate::memory::format::Format;
use crate::state::{DrawStateDesc, Topology};

/// Source of a plane of the fragment stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Word in the vertex record, or behind it: see [`Barycentric`]; `None` for a plane of zeros.
    pub word: Option<u32>,
    /// Component of PointCoord, which set-up computes.
    pub point_coord: Option<u32>,
    /// Interpolation mode.
    pub interpolation: Interpolation,
}

/// Built-in outputs in the vertex record, as word numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordLayout {
    /// Words per record.
    pub words: u32,
    /// Components of Position.
    pub position: [Option<u32>; 4],
    /// First word of Position, if its four components are contiguous.
    pub whole_position: Option<u32>,
    /// PointSize.
    pub point_size: Option<u32>,
    /// Layer.
    pub layer: Option<u32>,
    /// ViewportIndex.
    pub viewport: Option<u32>,
    /// Clip distances.
    pub clip: Vec<u32>,
    /// Cull distances.
    pub cull: Vec<u32>,
    /// PrimitiveId, if the geometry stage writes it.
    pub primitive_id: Option<u32>,
}

impl RecordLayout {
    /// True if vertices select the layer or the viewport.
    #[inline]
    pub fn selects(&self) -> bool {
        self.viewport.is_some() || self.layer.is_some()
    }
}

/// Additional data of primitives whose fragment stage reads barycentric coordinates (BaryCoord) or the values of each
/// vertex (PerVertexKHR).
///
/// The vertex's weights follow each vertex record, once interpolated with perspective and once without. The records of
/// all vertices follow the flat record, which is that of the provoking vertex. Clipping interpolates the weights. Spec:
/// Vulkan, "Barycentric Interpolation".
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barycentric;

impl Barycentric {
    /// Number of words of the weights behind a record.
    pub const WORDS: u32 = 6;

    /// Word of component `c` of a barycentric built-in, for records of `words` words.
    fn weight(words: u32, b: BuiltIn, c: u32) -> Option<u32> {
        match b {
            BuiltIn::BaryCoord => Some(words + c),
            BuiltIn::BaryCoordNoPersp => Some(words + 3 + c),
            _ => None,
        }
    }

    /// Word number, relative to the flat record, of a word of vertex `vertex`.
    fn of_vertex(words: u32, vertex: u8, word: u32) -> u32 {
        (1 + u32::from(vertex)) * words + word
    }

    /// The weights of vertex `i`: 1 for itself, 0 for the other vertices.
    pub fn weights(i: usize) -> [u32; Self::WORDS as usize] {
        std::array::from_fn(|k| f32::from(u8::from(k % 3 == i)).to_bits())
    }

    /// The flat record, followed by the records of all vertices.
    pub fn flat<'a>(flat: &[u32], all: impl IntoIterator<Item = &'a [u32]>) -> Vec<u32> {
        let mut record = flat.to_vec();
        all.into_iter().for_each(|r| record.extend_from_slice(r));
        record
    }
}

/// Phases in which a unit runs. After a first phase that determines the amount of work, the unit is divided into new
/// pieces of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phases {
    /// A single phase, all the way to the bins.
    One,
    /// The first phase ends with patches and their levels of tessellation.
    Patches,
    /// The first phase ends with task workgroups that have set their number of mesh workgroups.
    Tasks,
}

/// The front's part of a draw state.
#[derive(Debug)]
pub(crate) struct FrontState {
    pub desc: Arc<DrawStateDesc>,
    /// The stream that is binned, if it is the rasterized one: stream 0, unless there is a geometry stage.
    pub stream: u32,
    /// Layout of that stream's records.
    pub record: RecordLayout,
    /// Words per record of the vertex stage.
    pub vertex_words: u32,
    /// The stages after the vertex stage, if there are any.
    pub later: Option<LaterStages>,
    /// The mesh stage, which replaces all other stages before rasterization.
    pub mesh: Option<Mesh>,
    pub links: Vec<Link>,
    /// Words of contiguous links; see [`together`].
    pub together: Option<Range<usize>>,
    /// `true` if primitives carry the data of [`Barycentric`].
    pub barycentric: bool,
    /// Plane with PrimitiveShadingRate, behind those of the fragment stage, if a stage writes it.
    pub rate_plane: Option<usize>,
    /// Outputs that transform feedback captures.
    pub capture: Option<Capture>,
    pub fetch: Fetch,
    /// Format that defines the unit of depth bias, if depth or depth bounds are tested.
    pub bias_format: Option<Format>,
}

impl FrontState {
    /// Primitives that the last stage before rasterization emits.
    pub fn output(&self) -> Primitives {
        if let Some(mesh) = &self.mesh {
            return mesh.output;
        }
        match &self.later {
            Some(LaterStages { geometry: Some(g), .. }) => g.output,
            Some(LaterStages { tessellation: Some(t), .. }) => t.output,
            _ => match self.desc.topology {
                Topology::PointList => Primitives::Points,
                t if t.is_line() => Primitives::Lines,
                _ => Primitives::Triangles,
            },
        }
    }

    /// Cost of a vertex when draws are divided into units, with patches of `patch` control points.
    pub fn weight(&self, patch: u32) -> u32 {
        let Some(later) = &self.later else { return 1 };
        let per_vertex = match (&later.tessellation, &later.geometry) {
            // Patches are kept in memory until they are evaluated.
            (Some(t), _) => (t.patch_stride() / patch + self.vertex_words) / 32,
            // A strip has about as many triangles as vertices, a list a third as many.
            (None, Some(g)) => 3 * g.modes.emitted_at_most() / (2 * g.modes.input.vertices().min(3)),
            (None, None) => 1,
        };
        per_vertex.clamp(1, UNIT_VERTICES)
    }

    /// Phases in which the units of a draw run.
    pub fn phases(&self) -> Phases {
        match (&self.later, &self.mesh) {
            (Some(LaterStages { tessellation: Some(_), .. }), _) => Phases::Patches,
            (_, Some(Mesh { has_task: true, .. })) => Phases::Tasks,
            _ => Phases::One,
        }
    }

    /// True if primitives select their viewport.
    pub fn names_viewports(&self) -> bool {
        self.record.viewport.is_some() || self.mesh.as_ref().is_some_and(|m| m.primitive.viewport.is_some())
    }

    /// Prepares `desc`. Fails with `Invalid` or `Unsupported` if the vertex input does not match the vertex stage.
    pub fn new(
        desc: &Arc<DrawStateDesc>,
        bias_format: Option<Format>,
        kernels: &KernelTable<Key>,
    ) -> Result<Self> {
        let inputs = desc.fragment.as_ref().map(|f| &f.inputs[..]);
        let later = LaterStages::new(desc)?;
        let geometry = later.as_ref().is_some_and(|l| l.geometry.is_some());
        let stream = if geometry { desc.rasterization_stream } else { 0 };
        let outputs: Vec<Interface> = of_stream(desc.last(), stream).copied().collect();
        let mut links = inputs.map_or(Vec::new(), |inputs| link(&outputs, inputs));
        let of_primitive = shading_rate_word(&desc.last().primitive_outputs).is_some();
        let word = shading_rate_word(&outputs);
        let says_rate = inputs.is_some() && (of_primitive || word.is_some());
        let rate_plane = says_rate.then_some(links.len());
        if says_rate {
            links.push(Link { word, point_coord: None, interpolation: Interpolation::Flat });
        }
        let of_vertices =
            |i: &Interface| i.vertex.is_some() || matches!(i.slot, Slot::BuiltIn(b, _) if b.is_barycentric());
        Ok(FrontState {
            stream,
            record: record_layout(&outputs),
            capture: Capture::new(&desc.last().xfb),
            vertex_words: interface_words(&desc.vertex().outputs),
            later,
            mesh: Mesh::new(desc)?,
            together: together(&links),
            barycentric: inputs.is_some_and(|inputs| inputs.iter().any(of_vertices)),
            links,
            rate_plane,
            fetch: Fetch::new(desc, kernels)?,
            desc: desc.clone(),
            bias_format,
        })
    }
}

fn record_layout(outputs: &[Interface]) -> RecordLayout {
    let mut r = RecordLayout { words: interface_words(outputs), ..Default::default() };
    for (word, i) in word_offsets(outputs) {
        match i.slot {
            Slot::BuiltIn(BuiltIn::Position, c) => r.position[c as usize & 3] = Some(word),
            Slot::BuiltIn(BuiltIn::PointSize, _) => r.point_size = Some(word),
            Slot::BuiltIn(BuiltIn::Layer, _) => r.layer = Some(word),
            Slot::BuiltIn(BuiltIn::ViewportIndex, _) => r.viewport = Some(word),
            Slot::BuiltIn(BuiltIn::PrimitiveId, _) => r.primitive_id = Some(word),
            Slot::BuiltIn(BuiltIn::ClipDistance, _) => r.clip.push(word),
            Slot::BuiltIn(BuiltIn::CullDistance, _) => r.cull.push(word),
            _ => {}
        }
    }
    r.whole_position = r.position[0].filter(|first| (0..4).all(|c| r.position[c] == Some(first + c as u32)));
    r
}

/// Range of the record words of the links, if they are contiguous, in order, and all interpolated with perspective (the
/// common case).
pub(super) fn together(links: &[Link]) -> Option<Range<usize>> {
    let first = links.first()?.word?;
    let fits = |(word, l): (u32, &Link)| {
        l.word == Some(word) && l.point_coord.is_none() && l.interpolation == Interpolation::Perspective
    };
    let words = first..first.checked_add(u32::try_from(links.len()).ok()?)?;
    words.clone().zip(links).all(fits).then_some(words.start as usize..words.end as usize)
}

/// Returns one link per plane of the fragment stage, in order; 64-bit scalars have two.
fn link(outputs: &[Interface], inputs: &[Interface]) -> Vec<Link> {
    let mut links = Vec::with_capacity(inputs.len());
    let words = interface_words(outputs);
    for i in inputs {
        let source = word_offsets(outputs).find(|(_, o)| o.slot == i.slot);
        let source = source.filter(|_| !i.per_primitive);
        let at = |word: u32| match i.vertex {
            Some(vertex) => Barycentric::of_vertex(words, vertex, word),
            None => word,
        };
        let word = match i.slot {
            Slot::BuiltIn(b, c) if b.is_barycentric() => Barycentric::weight(words, b, c),
            _ => source.map(|(w, _)| at(w)),
        };
        let wide = i.ty.bytes() == 8;
        let interpolation = if wide || !i.ty.is_float() { Interpolation::Flat } else { i.interpolation };
        let point_coord = match i.slot {
            Slot::BuiltIn(BuiltIn::PointCoord, c) => Some(c),
            _ => None,
        };
        links.push(Link { word, point_coord, interpolation });
        if wide {
            let word = source.filter(|(_, o)| o.ty.bytes() == 8).map(|(w, _)| at(w + 1));
            links.push(Link { word, point_coord, interpolation });
        }
    }
    links
}
