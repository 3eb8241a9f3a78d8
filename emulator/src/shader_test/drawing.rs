//! Inputs of a draw besides the shader under test: other stages, vertices, attachments, fixed-function state.

use bytemuck::Pod;
use quadrille_jit::ir::Stage;
use quadrille_languages as frontend;
use quadrille_raster::format::Format;
use quadrille_raster::state::{
    BlendState, CompareOp, DepthState, DrawStateDesc, Dynamic, StencilDynamic, Topology, VertexRate,
};

use super::ShaderTest;
use super::launch::Launched;
use super::source::{Code, Other};
use crate::error::{Error, Result};

/// A vertex buffer of a test.
#[derive(Clone, Debug)]
pub struct TestVertices {
    /// Contents of the buffer.
    pub bytes: Vec<u8>,
    /// Stride between elements, in bytes.
    pub stride: u32,
    /// Rate at which elements advance: per vertex or per instance.
    pub rate: VertexRate,
    /// Location, format and offset in the element, of each attribute.
    pub attributes: Vec<(u32, Format, u32)>,
}

/// A colour attachment.
#[derive(Clone)]
pub(super) struct Target {
    pub format: Format,
    pub clear: [f32; 4],
    pub blend: BlendState,
}

impl Default for Target {
    fn default() -> Self {
        Target { format: Format::R8G8B8A8_UNORM, clear: [0.0; 4], blend: BlendState::default() }
    }
}

/// Depth and stencil attachment with its contents before the draw.
#[derive(Clone)]
pub(super) struct DepthStencil {
    pub format: Format,
    pub depth: f32,
    pub stencil: u32,
}

/// All inputs of a draw besides the shader under test.
#[derive(Clone)]
pub(super) struct Drawing {
    /// Other stages. Without a vertex or mesh stage, a triangle covers the picture.
    pub others: Vec<Other>,
    /// Number of workgroups of the task stage, or of the mesh stage if there is no task stage.
    pub workgroups: [u32; 3],
    /// Number of vertices or indices; `None` for all, or three if there are none.
    pub vertices: Option<u32>,
    pub instances: u32,
    pub vertex_buffers: Vec<TestVertices>,
    /// Index data, and bytes per index.
    pub indices: Option<(Vec<u8>, usize)>,
    /// Colour attachments, at least one.
    pub targets: Vec<Target>,
    pub depth_stencil: Option<DepthStencil>,
    pub samples: u32,
    pub state: DrawStateDesc,
    pub dynamic: Dynamic,
}

impl Default for Drawing {
    fn default() -> Self {
        let whole = StencilDynamic { compare_mask: 0xff, write_mask: 0xff, reference: 0 };
        Drawing {
            others: Vec::new(),
            workgroups: [1; 3],
            vertices: None,
            instances: 1,
            vertex_buffers: Vec::new(),
            indices: None,
            targets: vec![Target::default()],
            depth_stencil: None,
            samples: 1,
            state: DrawStateDesc::default(),
            dynamic: Dynamic { stencil: [whole; 2], ..Dynamic::default() },
        }
    }
}

/// Settings of a draw.
impl ShaderTest {
    /// Sets a vertex shader, which replaces the triangle over the whole picture, and the number of vertices to draw.
    ///
    /// # Errors
    /// Those of [`wgsl`](Self::wgsl).
    pub fn vertex_wgsl(self, source: &str, vertices: u32) -> Result<Self> {
        self.stage(Stage::Vertex, Code::wgsl("vertex.wgsl", source, &[])?).map(|t| t.vertices(vertices))
    }

    /// Like [`vertex_wgsl`](Self::vertex_wgsl), in GLSL.
    ///
    /// # Errors
    /// Those of [`glsl`](Self::glsl).
    pub fn vertex_glsl(self, source: &str, vertices: u32) -> Result<Self> {
        self.stage(Stage::Vertex, Code::glsl("vertex.glsl", source, Stage::Vertex)?)
            .map(|t| t.vertices(vertices))
    }

    /// Like [`vertex_wgsl`](Self::vertex_wgsl), in SPIR-V text.
    ///
    /// # Errors
    /// Those of [`spirv_text`](Self::spirv_text).
    pub fn vertex_spirv_text(self, source: &str, vertices: u32) -> Result<Self> {
        self.stage(Stage::Vertex, Code::spirv_text("vertex.spvasm", source)?).map(|t| t.vertices(vertices))
    }

    /// Adds a stage in GLSL: vertex, tessellation (which requires [`patches`](Self::patches)), geometry, task or mesh.
    /// A mesh shader replaces the vertex shader, and [`workgroups`](Self::workgroups) sets its number of workgroups. Of
    /// the stages of ray tracing pipelines, a test may have several shaders each.
    ///
    /// # Errors
    /// Those of [`glsl`](Self::glsl); `Invalid` also for the stages fragment and compute.
    pub fn stage_glsl(self, stage: Stage, source: &str) -> Result<Self> {
        self.stage(stage, Code::glsl("stage.glsl", source, stage)?)
    }

    /// Like [`stage_glsl`](Self::stage_glsl), in SPIR-V text.
    ///
    /// # Errors
    /// Those of [`spirv_text`](Self::spirv_text); `Invalid` also for the stages fragment and compute.
    pub fn stage_spirv_text(self, stage: Stage, source: &str) -> Result<Self> {
        self.stage(stage, Code::spirv_text("stage.spvasm", source)?)
    }

    /// Like [`stage_glsl`](Self::stage_glsl), for a source whose name gives its language.
    ///
    /// # Errors
    /// Those of [`source`](Self::source); `Invalid` also for the stages fragment and compute.
    pub fn stage_source(
        self,
        stage: Stage,
        name: &str,
        source: &[u8],
        options: &frontend::Options,
    ) -> Result<Self> {
        self.stage(stage, Code::named(name, source, Some(stage), options)?)
    }

    /// Sets the entry point of another stage, if its module has several of the stage.
    pub fn stage_entry(mut self, stage: Stage, name: &str) -> Self {
        for other in self.drawing.others.iter_mut().filter(|o| o.stage == stage) {
            other.entry = Some(name.into());
        }
        self
    }

    fn stage(mut self, stage: Stage, code: Code) -> Result<Self> {
        if stage.is_of_rays() {
            self.launching.modules.push(Launched { stage: Some(stage), code });
            return Ok(self);
        }
        if matches!(stage, Stage::Fragment | Stage::Compute) {
            return Err(Error::invalid(format!("{stage:?} is not a stage before the fragment stage")));
        }
        self.drawing.others.retain(|other| other.stage != stage);
        self.drawing.others.push(Other { stage, code, entry: None });
        Ok(self)
    }

    /// Draws patches of this number of vertices.
    pub fn patches(mut self, vertices: u32) -> Self {
        self.drawing.dynamic.patch_control_points = vertices;
        self.topology(Topology::PatchList)
    }

    /// Sets the number of workgroups of the task shader, or of the mesh shader if there is no task shader (default:
    /// one).
    pub fn workgroups(mut self, groups: [u32; 3]) -> Self {
        self.drawing.workgroups = groups;
        self
    }

    /// Sets the number of vertices or indices to draw (default: all; three if there are none).
    pub fn vertices(mut self, count: u32) -> Self {
        self.drawing.vertices = Some(count);
        self
    }

    /// Sets the number of instances to draw (default: one).
    pub fn instances(mut self, count: u32) -> Self {
        self.drawing.instances = count;
        self
    }

    /// Adds a vertex attribute in a separate buffer, with one value per vertex.
    pub fn attribute<T: Pod>(self, location: u32, format: Format, values: &[T]) -> Self {
        self.vertex_buffer(TestVertices {
            bytes: bytemuck::cast_slice(values).to_vec(),
            stride: format.bytes(),
            rate: VertexRate::Vertex,
            attributes: vec![(location, format, 0)],
        })
    }

    /// Adds a vertex buffer with any number of attributes.
    pub fn vertex_buffer(mut self, vertices: TestVertices) -> Self {
        self.drawing.vertex_buffers.push(vertices);
        self
    }

    /// Sets the indices of the vertices to draw, of 1, 2 or 4 bytes each.
    pub fn indices<T: Pod>(mut self, indices: &[T]) -> Self {
        self.drawing.indices = Some((bytemuck::cast_slice(indices).to_vec(), size_of::<T>()));
        self
    }

    /// Sets the primitive topology.
    pub fn topology(mut self, topology: Topology) -> Self {
        self.drawing.state.topology = topology;
        self
    }

    /// Sets the format of the first colour attachment (default: R8G8B8A8_UNORM).
    pub fn target(mut self, format: Format) -> Self {
        self.first().format = format;
        self
    }

    /// Sets the clear colour of the first colour attachment (default: zero).
    pub fn clear(mut self, color: [f32; 4]) -> Self {
        self.first().clear = color;
        self
    }

    /// Sets the blending of the first colour attachment (default: none).
    pub fn blend(mut self, blend: BlendState) -> Self {
        self.first().blend = blend;
        self
    }

    /// Returns the first attachment.
    fn first(&mut self) -> &mut Target {
        if self.drawing.targets.is_empty() {
            self.drawing.targets.push(Target::default());
        }
        &mut self.drawing.targets[0]
    }

    /// Adds a colour attachment at the next location, with its clear colour and blending.
    pub fn attachment(mut self, format: Format, clear: [f32; 4], blend: BlendState) -> Self {
        self.drawing.targets.push(Target { format, clear, blend });
        self
    }

    /// Sets the number of samples per pixel (default: 1). The picture is the average of the samples; for integers,
    /// depth and stencil it is the first sample.
    pub fn samples(mut self, samples: u32) -> Self {
        self.drawing.samples = samples;
        self
    }

    /// Adds a depth test against this depth everywhere; fragments that pass write their depth (default: no test).
    /// Without a vertex shader, fragments have depth 0.
    pub fn depth_test(mut self, compare: CompareOp, before: f32) -> Self {
        self.drawing.state.depth = DepthState { test: true, write: true, compare, bounds: false };
        self.depth_stencil(Format::D32_SFLOAT, before, 0)
    }

    /// Adds an attachment for depth and stencil, or for the one that the format has, with its initial values.
    /// [`state`](Self::state) sets the tests.
    pub fn depth_stencil(mut self, format: Format, depth: f32, stencil: u32) -> Self {
        self.drawing.depth_stencil = Some(DepthStencil { format, depth, stencil });
        self
    }

    /// Sets pipeline state that no other method sets. The other methods control formats, blending, samples and vertex
    /// input.
    ///
    /// ```
    /// use quadrille::{CompareOp, Format, ShaderTest, StencilFace, StencilOp};
    /// let source = "@fragment fn main() -> @location(0) vec4f { return vec4f(1.0); }";
    /// let run = ShaderTest::wgsl(source)?
    ///     .depth_stencil(Format::S8_UINT, 0.0, 7)
    ///     .state(|state, _| {
    ///         state.stencil_test = true;
    ///         let pass = StencilOp::IncrementAndClamp;
    ///         state.stencil = [StencilFace { pass, compare: CompareOp::Always, ..StencilFace::default() }; 2];
    ///     })
    ///     .draw(2, 1)?;
    /// assert_eq!(run.read_stencil()?, [8, 8]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn state(mut self, set: impl FnOnce(&mut DrawStateDesc, &mut Dynamic)) -> Self {
        set(&mut self.drawing.state, &mut self.drawing.dynamic);
        self
    }
}
