//! What a script asks for: shaders, buffers, samplers, pipelines, and commands in order.

use std::sync::Arc;

use quadrille::{BlendState, CompareOp, DescriptorKind, DrawStateDesc, Dynamic, ImageType, Stage};
use quadrille::{SamplerDesc, StencilDynamic, Topology, VertexRate, Viewport};

use crate::layout::{Layout, Value};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])* #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub usize);)*
    };
}

ids! {
    /// Number of a shader.
    ShaderId;
    /// Number of a buffer or image.
    BufferId;
    /// Number of a sampler.
    SamplerId;
    /// Number of a pipeline.
    PipelineId;
}

/// What the script needs besides what every device has.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    /// Names of features, with those of properties.
    pub features: Vec<String>,
    /// Names of extensions.
    pub extensions: Vec<String>,
    /// What is not to be had here, whatever the device: another compiler, ray tracing.
    pub foreign: Vec<String>,
}

/// A text that a script has or names.
#[derive(Clone, Debug)]
pub enum Text {
    /// In the script, be it in one of its virtual files.
    Inline {
        /// The text.
        text: Arc<str>,
        /// Lines of the script before it.
        lines_before: u32,
    },
    /// In a file.
    File(String),
}

/// What a shader is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaderFormat {
    /// GLSL.
    Glsl,
    /// SPIR-V as text.
    SpirvText,
    /// SPIR-V as words in hexadecimal digits.
    SpirvHex,
    /// SPIR-V.
    SpirvBinary,
    /// The vertex shader that passes on its position.
    Passthrough,
    /// Needs a compiler that is not there.
    Foreign,
}

/// Which stage a shader is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaderKind {
    /// One.
    Stage(Stage),
    /// Several, in one module.
    Multi,
    /// Of ray tracing.
    RayTracing,
}

/// A shader.
#[derive(Clone, Debug)]
pub struct Shader {
    /// Name.
    pub name: String,
    /// Stage.
    pub kind: ShaderKind,
    /// Language.
    pub format: ShaderFormat,
    /// Source.
    pub source: Text,
    /// SPIR-V version of the target environment.
    pub spirv: Option<(u8, u8)>,
}

/// How a file holds data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// As numbers.
    Text,
    /// As bytes.
    Binary,
    /// As a picture.
    Png,
}

/// What a buffer holds at first.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Zeros.
    Zero,
    /// Whole elements.
    Bytes(Arc<[u8]>),
    /// Each component has this value.
    Fill(Value),
    /// From a value, in steps.
    Series(Value, Value),
    /// What a file holds.
    File(FileKind, String),
}

/// A buffer or image.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Name.
    pub name: String,
    /// Its elements.
    pub layout: Arc<Layout>,
    /// At first.
    pub initial: Initial,
    /// Number of elements.
    pub elements: u32,
    /// Width, height and depth as an image; 1 where nothing is said.
    pub extent: [u32; 3],
    /// Dimensionality of images.
    pub dim: ImageType,
    /// Levels as an image.
    pub levels: u32,
    /// Samples as an image.
    pub samples: u32,
    /// Line of its declaration.
    pub line: u32,
}

/// Which subgroups a stage has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubgroupSize {
    /// Least that is offered.
    Least,
    /// Greatest that is offered.
    Greatest,
    /// This one.
    Exactly(u32),
}

/// A shader in a pipeline.
#[derive(Clone, Debug)]
pub struct StageUse {
    /// The shader.
    pub shader: ShaderId,
    /// Stage.
    pub stage: Stage,
    /// Entry point.
    pub entry: String,
    /// Specialization constants: id and bits.
    pub spec: Vec<(u32, u32)>,
    /// Subgroup size asked for.
    pub subgroup: Option<SubgroupSize>,
}

/// A colour attachment.
#[derive(Clone, Copy, Debug)]
pub struct Color {
    /// The image.
    pub buffer: BufferId,
    /// Output of the fragment stage.
    pub location: u32,
    /// Level that is drawn to.
    pub level: u32,
}

/// What a descriptor names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The buffer or image; none for samplers.
    pub buffer: Option<BufferId>,
    /// The sampler.
    pub sampler: Option<SamplerId>,
    /// First level.
    pub level: u32,
    /// Dynamic offset.
    pub dynamic_offset: u32,
    /// First byte.
    pub offset: u64,
    /// Bytes; `None` up to the end.
    pub range: Option<u64>,
}

/// A binding, with what each of its descriptors names.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Set.
    pub set: u32,
    /// Number.
    pub binding: u32,
    /// Type.
    pub kind: DescriptorKind,
    /// By element.
    pub bound: Vec<Bound>,
}

/// A vertex attribute, with a buffer of its own.
#[derive(Clone, Debug)]
pub struct VertexData {
    /// The buffer.
    pub buffer: BufferId,
    /// Input of the vertex stage.
    pub location: u32,
    /// When it advances.
    pub rate: VertexRate,
    /// Its format in memory.
    pub layout: Arc<Layout>,
    /// First byte.
    pub offset: u32,
    /// Bytes from element to element.
    pub stride: u32,
}

/// Fixed-function state.
#[derive(Clone, Debug)]
pub struct State {
    /// Without formats, vertex input and blending.
    pub desc: DrawStateDesc,
    /// Without viewports and scissors.
    pub dynamic: Dynamic,
    /// Of every colour attachment.
    pub blend: BlendState,
    /// `None`: all of the framebuffer.
    pub viewport: Option<Viewport>,
    /// Depth bounds are stated.
    pub has_bounds: bool,
}

impl Default for State {
    fn default() -> Self {
        let stencil = StencilDynamic { compare_mask: u32::MAX, write_mask: u32::MAX, reference: 0 };
        let face = quadrille::StencilFace { compare: CompareOp::Always, ..Default::default() };
        let one = quadrille::BlendEquation { src: quadrille::BlendFactor::One, ..Default::default() };
        State {
            desc: DrawStateDesc {
                logic_op: quadrille::LogicOp::Clear,
                stencil: [face; 2],
                ..DrawStateDesc::default()
            },
            dynamic: Dynamic { patch_control_points: 3, stencil: [stencil; 2], ..Dynamic::default() },
            blend: BlendState { equations: [one; 2], ..BlendState::default() },
            viewport: None,
            has_bounds: false,
        }
    }
}

/// What a pipeline does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipelineKind {
    /// Draws.
    Graphics,
    /// Dispatches.
    Compute,
    /// Traces rays.
    RayTracing,
}

/// A pipeline.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Name.
    pub name: String,
    /// What it does.
    pub kind: PipelineKind,
    /// Its shaders.
    pub stages: Vec<StageUse>,
    /// Colour attachments.
    pub colors: Vec<Color>,
    /// Depth and stencil attachment.
    pub depth_stencil: Option<BufferId>,
    /// What colour attachments of several samples are resolved to, in their order.
    pub resolves: Vec<BufferId>,
    /// Push constants.
    pub push_constants: Option<BufferId>,
    /// Descriptors.
    pub bindings: Vec<Binding>,
    /// Vertex attributes.
    pub vertices: Vec<VertexData>,
    /// Indices.
    pub indices: Option<BufferId>,
    /// Width and height of the framebuffer.
    pub size: [u32; 2],
    /// Fixed-function state.
    pub state: Arc<State>,
    /// Line of its declaration.
    pub line: u32,
}

impl Pipeline {
    /// Without anything.
    pub fn new(name: &str, kind: PipelineKind, line: u32) -> Self {
        Pipeline {
            name: name.into(),
            kind,
            stages: Vec::new(),
            colors: Vec::new(),
            depth_stencil: None,
            resolves: Vec::new(),
            push_constants: None,
            bindings: Vec::new(),
            vertices: Vec::new(),
            indices: None,
            size: [250, 250],
            state: Arc::default(),
            line,
        }
    }

    /// The binding of this number.
    pub fn binding(&self, set: u32, binding: u32) -> Option<&Binding> {
        self.bindings.iter().find(|b| b.set == set && b.binding == binding)
    }

    /// Puts a binding in the place of what the number had.
    pub fn bind(&mut self, new: Binding) {
        self.bindings.retain(|b| (b.set, b.binding) != (new.set, new.binding));
        self.bindings.push(new);
    }
}

/// How far a value may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// How far.
    pub value: f64,
    /// In percent of what is expected.
    pub percent: bool,
}

/// How a value must compare to what is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparator {
    /// The same.
    Eq,
    /// Not the same.
    Ne,
    /// Less.
    Lt,
    /// Less or the same.
    Le,
    /// Greater.
    Gt,
    /// Greater or the same.
    Ge,
    /// The same but for tolerances.
    Near,
}

/// Texels that are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Area {
    /// All.
    All,
    /// A rectangle in texels: x, y, width, height.
    Texels([f32; 4]),
    /// A rectangle in parts of the image.
    Relative([f32; 4]),
    /// A texel at a place in parts of the image.
    RelativeTexel([f32; 2]),
}

/// How buffers are compared as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Likeness {
    /// The same bytes.
    Equal,
    /// Root of the mean of squared differences at most.
    Rmse(f64),
    /// Distance of histograms at most.
    HistogramEmd(f64),
}

/// What must hold.
#[derive(Clone, Debug)]
pub enum Expect {
    /// Texels have a colour.
    Texels {
        /// The image.
        buffer: BufferId,
        /// Which.
        area: Area,
        /// R, G, B and, if it counts, A.
        color: [f64; 4],
        /// Alpha counts.
        alpha: bool,
        /// None: the usual one.
        tolerances: Vec<Tolerance>,
    },
    /// Values from a byte on.
    Values {
        /// The buffer.
        buffer: BufferId,
        /// How its values lie.
        layout: Arc<Layout>,
        /// First byte.
        offset: u64,
        /// How they compare.
        comparator: Comparator,
        /// To what.
        values: Vec<Value>,
        /// Of `Near`.
        tolerances: Vec<Tolerance>,
    },
    /// Two buffers are alike.
    Buffers(BufferId, BufferId, Likeness),
}

/// A draw.
#[derive(Clone, Debug)]
pub enum Draw {
    /// Vertices of the pipeline.
    Array {
        /// What they make.
        topology: Topology,
        /// By the indices of the pipeline.
        indexed: bool,
        /// First vertex; with indices, what is added to each.
        first: u32,
        /// Vertices or indices; `None`: all from the first on.
        count: Option<u32>,
        /// First instance.
        first_instance: u32,
        /// Instances.
        instances: u32,
    },
    /// A rectangle: x, y, width, height.
    Rect {
        /// In pixels if `ortho`, else in the coordinates of the view volume.
        rect: [f32; 4],
        /// In pixels.
        ortho: bool,
        /// As a patch of four vertices.
        patch: bool,
    },
    /// A grid of rectangles.
    Grid {
        /// In pixels.
        rect: [f32; 4],
        /// Columns and rows.
        cells: [u32; 2],
    },
}

/// What is done.
#[derive(Clone, Debug)]
pub enum Action {
    /// Clears the attachments.
    Clear(PipelineId),
    /// Sets the colour of clears.
    ClearColor(PipelineId, [f32; 4]),
    /// Sets the depth of clears.
    ClearDepth(PipelineId, f32),
    /// Sets the stencil value of clears.
    ClearStencil(PipelineId, u32),
    /// Copies contents.
    Copy(BufferId, BufferId),
    /// Runs workgroups.
    Compute(PipelineId, [u32; 3]),
    /// Draws with this state, or with the pipeline's.
    Draw(PipelineId, Option<Arc<State>>, Draw),
    /// Does commands several times.
    Repeat(u32, Vec<Command>),
    /// Looks at contents.
    Expect(Expect),
    /// Sets the entry point of a stage.
    EntryPoint(PipelineId, Stage, String),
    /// Sets the vertices of a patch.
    PatchVertices(PipelineId, u32),
    /// Sets bytes of a buffer.
    Write(BufferId, u64, Arc<[u8]>),
    /// Sets bytes of push constants.
    Push(PipelineId, u32, Arc<[u8]>),
}

/// A command and its line.
#[derive(Clone, Debug)]
pub struct Command {
    /// Line.
    pub line: u32,
    /// What is done.
    pub action: Action,
}

/// A file within a script.
#[derive(Clone, Debug)]
pub struct VirtualFile {
    /// What it is called.
    pub path: String,
    /// The text.
    pub text: Arc<str>,
    /// Lines of the script before it.
    pub lines_before: u32,
}

/// Everything that a script asks for.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// What it needs.
    pub needs: Needs,
    /// How long a submission may take, in milliseconds.
    pub fence_timeout_ms: Option<u32>,
    /// Files within the script.
    pub virtual_files: Vec<VirtualFile>,
    /// Shaders.
    pub shaders: Vec<Shader>,
    /// Buffers and images.
    pub buffers: Vec<Buffer>,
    /// Samplers, with their names.
    pub samplers: Vec<(String, SamplerDesc)>,
    /// Pipelines.
    pub pipelines: Vec<Pipeline>,
    /// Commands.
    pub commands: Vec<Command>,
}
