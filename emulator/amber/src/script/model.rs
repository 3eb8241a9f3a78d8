//! Model of a script: shaders, buffers, samplers, pipelines, and commands in order.

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

/// Requirements of the script beyond those that every device meets.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    /// Names of required features and properties.
    pub features: Vec<String>,
    /// Names of required extensions.
    pub extensions: Vec<String>,
    /// Requirements that no device here meets, such as another compiler or ray tracing.
    pub foreign: Vec<String>,
}

/// A text that the script contains or names.
#[derive(Clone, Debug)]
pub enum Text {
    /// In the script itself, or in one of its virtual files.
    Inline {
        /// The text.
        text: Arc<str>,
        /// Number of lines of the script before the text.
        lines_before: u32,
    },
    /// In the file of this name.
    File(String),
}

/// Language of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaderFormat {
    /// GLSL.
    Glsl,
    /// SPIR-V assembly text.
    SpirvText,
    /// SPIR-V words in hexadecimal digits.
    SpirvHex,
    /// Binary SPIR-V.
    SpirvBinary,
    /// A vertex shader that passes on the position.
    Passthrough,
    /// A language whose compiler is not available.
    Foreign,
}

/// Stages of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaderKind {
    /// A single stage.
    Stage(Stage),
    /// Several stages in one module.
    Multi,
    /// A stage of ray tracing.
    RayTracing,
}

/// A shader.
#[derive(Clone, Debug)]
pub struct Shader {
    /// Name of the shader.
    pub name: String,
    /// Stage of the shader.
    pub kind: ShaderKind,
    /// Language of the source.
    pub format: ShaderFormat,
    /// Source of the shader.
    pub source: Text,
    /// SPIR-V version of the target environment.
    pub spirv: Option<(u8, u8)>,
}

/// Format of a data file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Numbers as text.
    Text,
    /// Raw bytes.
    Binary,
    /// A PNG picture.
    Png,
}

/// Initial contents of a buffer.
#[derive(Clone, Debug)]
pub enum Initial {
    /// All bytes zero.
    Zero,
    /// Bytes of whole elements.
    Bytes(Arc<[u8]>),
    /// The same number in each component, whose type selects one of its readings.
    Fill {
        /// The number as an integer.
        int: u64,
        /// The number as a float.
        float: f64,
    },
    /// A series, given by its first value and its step.
    Series(Value, Value),
    /// Contents of a file.
    File(FileKind, String),
}

/// A buffer or image.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Name of the buffer.
    pub name: String,
    /// Layout of its elements.
    pub layout: Arc<Layout>,
    /// Initial contents.
    pub initial: Initial,
    /// Number of elements.
    pub elements: u32,
    /// Width, height and depth of the image; 1 if not given.
    pub extent: [u32; 3],
    /// Dimensionality of the image.
    pub dim: ImageType,
    /// Mip levels of the image.
    pub levels: u32,
    /// Samples per texel of the image.
    pub samples: u32,
    /// Line of its declaration.
    pub line: u32,
}

/// Required subgroup size of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubgroupSize {
    /// The smallest available size.
    Least,
    /// The largest available size.
    Greatest,
    /// This size.
    Exactly(u32),
}

/// A shader in a pipeline.
#[derive(Clone, Debug)]
pub struct StageUse {
    /// The shader.
    pub shader: ShaderId,
    /// Stage of the shader.
    pub stage: Stage,
    /// Name of the entry point.
    pub entry: String,
    /// Specialization constants, as id and bits.
    pub spec: Vec<(u32, u32)>,
    /// Required subgroup size, if any.
    pub subgroup: Option<SubgroupSize>,
}

/// A colour attachment.
#[derive(Clone, Copy, Debug)]
pub struct Color {
    /// Image that is the attachment.
    pub buffer: BufferId,
    /// Output location of the fragment stage.
    pub location: u32,
    /// Mip level to draw to.
    pub level: u32,
}

/// Resource of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Buffer or image; `None` for samplers.
    pub buffer: Option<BufferId>,
    /// Sampler, if any.
    pub sampler: Option<SamplerId>,
    /// First mip level.
    pub level: u32,
    /// Dynamic offset, in bytes.
    pub dynamic_offset: u32,
    /// Offset of the range, in bytes.
    pub offset: u64,
    /// Size of the range in bytes; `None` for the rest of the buffer.
    pub range: Option<u64>,
}

/// A binding with the resources of its descriptors.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Number of the set.
    pub set: u32,
    /// Number of the binding.
    pub binding: u32,
    /// Descriptor type.
    pub kind: DescriptorKind,
    /// Resources by array element.
    pub bound: Vec<Bound>,
}

/// A vertex attribute with a separate buffer.
#[derive(Clone, Debug)]
pub struct VertexData {
    /// Buffer with the values.
    pub buffer: BufferId,
    /// Input location of the vertex stage.
    pub location: u32,
    /// Rate at which it advances.
    pub rate: VertexRate,
    /// Layout of its values in memory.
    pub layout: Arc<Layout>,
    /// Offset of the first value, in bytes.
    pub offset: u32,
    /// Stride between values, in bytes.
    pub stride: u32,
}

/// Fixed-function state.
#[derive(Clone, Debug)]
pub struct State {
    /// Draw state without formats, vertex input and blending.
    pub desc: DrawStateDesc,
    /// Dynamic state without viewports and scissors.
    pub dynamic: Dynamic,
    /// Blending of every colour attachment.
    pub blend: BlendState,
    /// Viewport; `None` for the whole framebuffer.
    pub viewport: Option<Viewport>,
    /// True if the script sets depth bounds.
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

/// Kind of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipelineKind {
    /// Draws.
    Graphics,
    /// Dispatches compute workgroups.
    Compute,
    /// Traces rays.
    RayTracing,
}

/// A pipeline.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Name of the pipeline.
    pub name: String,
    /// Kind of the pipeline.
    pub kind: PipelineKind,
    /// Shaders of its stages.
    pub stages: Vec<StageUse>,
    /// Colour attachments.
    pub colors: Vec<Color>,
    /// Depth and stencil attachment.
    pub depth_stencil: Option<BufferId>,
    /// Resolve targets of the multisampled colour attachments, in attachment order.
    pub resolves: Vec<BufferId>,
    /// Buffer with the push constants.
    pub push_constants: Option<BufferId>,
    /// Descriptor bindings.
    pub bindings: Vec<Binding>,
    /// Vertex attributes.
    pub vertices: Vec<VertexData>,
    /// Index buffer.
    pub indices: Option<BufferId>,
    /// Width and height of the framebuffer.
    pub size: [u32; 2],
    /// Fixed-function state.
    pub state: Arc<State>,
    /// Line of its declaration.
    pub line: u32,
}

impl Pipeline {
    /// Creates an empty pipeline.
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

    /// Returns the binding with these numbers.
    pub fn binding(&self, set: u32, binding: u32) -> Option<&Binding> {
        self.bindings.iter().find(|b| b.set == set && b.binding == binding)
    }

    /// Adds a binding, replacing one with the same numbers.
    pub fn bind(&mut self, new: Binding) {
        self.bindings.retain(|b| (b.set, b.binding) != (new.set, new.binding));
        self.bindings.push(new);
    }
}

/// Allowed difference of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Amount of the difference.
    pub value: f64,
    /// True if `value` is a percentage of the expected value.
    pub percent: bool,
}

/// Required relation of a value to the expected value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparator {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// Equal within the tolerances.
    Near,
}

/// Texels to check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Area {
    /// All texels.
    All,
    /// A rectangle in texels: x, y, width, height.
    Texels([f32; 4]),
    /// A rectangle in fractions of the image size.
    Relative([f32; 4]),
    /// The texel at a position in fractions of the image size.
    RelativeTexel([f32; 2]),
}

/// Comparison of whole buffers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Likeness {
    /// Equal bytes.
    Equal,
    /// Largest root mean square error.
    Rmse(f64),
    /// Largest earth mover's distance of the histograms.
    HistogramEmd(f64),
}

/// An expectation.
#[derive(Clone, Debug)]
pub enum Expect {
    /// Texels have a colour.
    Texels {
        /// The image.
        buffer: BufferId,
        /// Texels to check.
        area: Area,
        /// Expected R, G, B and, if `alpha` is true, A.
        color: [f64; 4],
        /// True if alpha is compared.
        alpha: bool,
        /// Tolerances; if empty, the default one.
        tolerances: Vec<Tolerance>,
    },
    /// The buffer has these values, starting at an offset.
    Values {
        /// The buffer.
        buffer: BufferId,
        /// Layout of the values.
        layout: Arc<Layout>,
        /// Offset of the first value, in bytes.
        offset: u64,
        /// Required relation to the expected values.
        comparator: Comparator,
        /// Expected values.
        values: Vec<Value>,
        /// Tolerances for `Near`.
        tolerances: Vec<Tolerance>,
    },
    /// Two buffers have similar contents.
    Buffers(BufferId, BufferId, Likeness),
}

/// A draw.
#[derive(Clone, Debug)]
pub enum Draw {
    /// Draws vertices of the pipeline.
    Array {
        /// Primitive topology.
        topology: Topology,
        /// True if the pipeline's index buffer is used.
        indexed: bool,
        /// First vertex, or the vertex offset of an indexed draw.
        first: u32,
        /// Number of vertices or indices; `None` for all from `first` on.
        count: Option<u32>,
        /// First instance.
        first_instance: u32,
        /// Number of instances.
        instances: u32,
    },
    /// Draws a rectangle.
    Rect {
        /// x, y, width and height: in pixels if `ortho`, else in normalized device coordinates.
        rect: [f32; 4],
        /// True if `rect` is in pixels.
        ortho: bool,
        /// True to draw a patch of four vertices.
        patch: bool,
    },
    /// Draws a grid of rectangles.
    Grid {
        /// x, y, width and height in pixels.
        rect: [f32; 4],
        /// Numbers of columns and rows.
        cells: [u32; 2],
    },
}

/// Action of a command.
#[derive(Clone, Debug)]
pub enum Action {
    /// Clears the attachments.
    Clear(PipelineId),
    /// Sets the clear colour.
    ClearColor(PipelineId, [f32; 4]),
    /// Sets the clear depth.
    ClearDepth(PipelineId, f32),
    /// Sets the clear stencil value.
    ClearStencil(PipelineId, u32),
    /// Copies the contents of a buffer to another.
    Copy(BufferId, BufferId),
    /// Dispatches compute workgroups.
    Compute(PipelineId, [u32; 3]),
    /// Draws with this state, or with that of the pipeline.
    Draw(PipelineId, Option<Arc<State>>, Draw),
    /// Executes commands several times.
    Repeat(u32, Vec<Command>),
    /// Checks an expectation.
    Expect(Expect),
    /// Sets the entry point of a stage.
    EntryPoint(PipelineId, Stage, String),
    /// Sets the number of vertices per patch.
    PatchVertices(PipelineId, u32),
    /// Writes bytes to a buffer at an offset.
    Write(BufferId, u64, Arc<[u8]>),
    /// Writes bytes to the push constants at an offset.
    Push(PipelineId, u32, Arc<[u8]>),
}

/// A command with its line.
#[derive(Clone, Debug)]
pub struct Command {
    /// Line of the script, from 1.
    pub line: u32,
    /// Action of the command.
    pub action: Action,
}

/// A virtual file: a named text inside the script.
#[derive(Clone, Debug)]
pub struct VirtualFile {
    /// Path by which the script refers to the file.
    pub path: String,
    /// Text of the file.
    pub text: Arc<str>,
    /// Number of lines of the script before the text.
    pub lines_before: u32,
}

/// Everything that a script declares and does.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Requirements of the script.
    pub needs: Needs,
    /// Timeout of a submission, in milliseconds.
    pub fence_timeout_ms: Option<u32>,
    /// Virtual files.
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
