//! A GPU in software: the same bits everywhere, nothing to install.
//!
//! The device as a Rust library with an API like Vulkan's: a [`Device`] creates [`Memory`], [`Buffer`]s, [`Image`]s,
//! descriptor sets, pipelines and [`CommandBuffer`]s; its [`Queue`] runs them. Shaders are SPIR-V, compiled to SIMD
//! code of the host; [`frontend`] compiles GLSL, WGSL and AGSL to SPIR-V.
//!
//! # Modules
//!
//! | Module | Contents |
//! |---|---|
//! | [`mod@shader_test`] | tests of shaders: from source to typed results and pictures |
//! | [`frontend`] | GLSL, WGSL, AGSL and SPIR-V text to SPIR-V |
//! | [`mod@device`], [`limits`] | the device, its options, its features and limits |
//! | [`memory`], [`mod@descriptor`] | device memory, descriptor sets |
//! | [`mod@shader`], [`mod@pipeline`] | shader modules, pipelines and their state |
//! | [`command`], [`mod@render_pass`], [`query`] | recording of commands, rendering, queries |
//! | [`mod@queue`], [`sync`] | submissions in order; fences, semaphores, events |
//! | [`rays`], [`mod@launch`] | acceleration structures; ray tracing pipelines from few words |
//! | [`mod@check`], [`mod@coverage`] | checked execution, coverage of shader sources |
//! | [`mod@trace`] | traces of the executed commands |
//! | [`data`] | values as text and JSON, and checks against shader declarations |
//! | [`apps`] | small programs that use the device: render, run, inspect |
//! | [`mod@env`] | environment variables |
//! | [`mod@error`] | errors |
//!
//! # Features
//!
//! No feature is on by default.
//!
//! | Feature | Adds |
//! |---|---|
//! | `glsl` | GLSL and Shadertoys, through glslang; building it needs a C++ compiler. Includes `json`. |
//! | `json` | blocks by the names of their members; reports as JSON and SARIF; profiles, descriptions of modules |
//! | `png` | reading and writing of PNG files: golden pictures, textures, pictures of traces |
//! | `pictures` | PNG, and also JPEG, Radiance HDR and OpenEXR files |
//! | `parallel` | builds of acceleration structures on several threads, with the same results |
//! | `tracing` | events of the compiler and of devices for subscribers of the crate `tracing` |
//!
//! # Add two buffers
//!
//! ```
//! use quadrille::*;
//!
//! # fn main() -> Result<()> {
//! let device = Device::new(DeviceOptions::default())?;
//! let words = frontend::compile_wgsl(
//!     "@group(0) @binding(0) var<storage, read_write> a: array<f32>;
//!      @group(0) @binding(1) var<storage, read> b: array<f32>;
//!      @compute @workgroup_size(64)
//!      fn add(@builtin(global_invocation_id) id: vec3<u32>) { a[id.x] += b[id.x]; }",
//!     &frontend::Options::named("add.wgsl"),
//! )?;
//! let stage = ShaderStage::new(&device.create_shader_module(&words)?, "add");
//!
//! // The shader uses two storage buffers in one descriptor set.
//! let bindings = [0, 1].map(|i| DescriptorBinding::new(i, DescriptorKind::StorageBuffer));
//! let set_layout = device.create_descriptor_set_layout(&bindings)?;
//! let layout = device.create_pipeline_layout(&[set_layout.clone()], 0)?;
//! let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
//!
//! let a = device.create_buffer_with(&[1.0f32, 2.0, 3.0], BufferUsage::STORAGE)?;
//! let b = device.create_buffer_with(&[10.0f32, 20.0, 30.0], BufferUsage::STORAGE)?;
//! let set = device.create_descriptor_set(&set_layout)?;
//! set.write_buffer(0, &a)?;
//! set.write_buffer(1, &b)?;
//!
//! let mut commands = device.create_command_buffer();
//! commands.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set).dispatch(1, 1, 1);
//! commands.end()?;
//! device.queue().run(&commands)?;
//! assert_eq!(a.read_all::<f32>()?, [11.0, 22.0, 33.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Draw a picture
//!
//! [`mod@shader_test`] does the same in fewer lines, for tests, and draws:
//!
//! ```
//! use quadrille::{Picture, ShaderTest, Tolerance};
//!
//! # fn main() -> quadrille::Result<()> {
//! let source = "@fragment fn main() -> @location(0) vec4<f32> { return vec4(0.0, 0.5, 1.0, 1.0); }";
//! let picture = ShaderTest::wgsl(source)?.draw(16, 16)?.picture()?;
//! let expected = Picture::filled(16, 16, [0, 128, 255, 255])?;
//! picture.compare(&expected, Tolerance::components(1), None).unwrap();
//! # Ok(())
//! # }
//! ```
//!
//! # Guarantees
//!
//! The same program gives the same bits on any number of threads and on any host. No shader and no safe call can crash
//! the process: out-of-bounds accesses read zero and write nothing, endless shaders lose the device, and every other
//! failure is an [`Error`] whose kind says who is at fault.

// `memory` is where the host accesses device memory. `tables`, `descriptor` and `command::resources` are where
// resources become pointers for shaders. Every module with `unsafe` code says in an `expect` attribute why it needs it.
// No module here uses a Vulkan struct.

pub mod apps;
pub mod command;
mod create;
pub mod data;
pub mod descriptor;
pub mod device;
pub mod error;
mod execution;
pub mod flags;
mod gdeflate;
pub mod image_layouts;
pub mod launch;
pub mod limits;
pub mod memory;
mod object;
mod observation;
pub mod pipeline;
pub mod query;
pub mod queue;
pub mod rays;
pub mod render_pass;
mod resource;
pub mod shader;
pub mod shader_test;
pub mod sync;
mod sys;
mod tables;
pub mod trace;

/// Runs the listings of the page of the crate as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Page;

/// Front ends: shader text or bytes in, SPIR-V words out.
#[doc(inline)]
pub use quadrille_languages as frontend;
// Users of the crate need not know the folders of these modules.
pub use frontend::{files, fullscreen};
pub use observation::{check, coverage};
pub use pipeline::layout as pipeline_layout;
pub use render_pass::order as pass_order;
pub use resource::{buffer, copies, image, residency, sampler, sparse};
pub use trace::page;

pub use command::{
    Barrier, BarrierOf, BeginRenderPass, BindPoint, CommandBuffer, Dependency, Executable, ExecutionSet,
    GeneratedCommands, GeneratedLayout, ShaderBindingTables, Token,
};
pub use create::naming::ObjectRef;
pub use descriptor::{
    DESCRIPTOR_BYTES, DescriptorBinding, DescriptorKind, DescriptorPool, DescriptorSet, DescriptorSetLayout,
    Resource,
};
pub use device::{Device, DeviceOptions, Order};
pub use error::{Error, Place, Result};
pub use flags::{BufferUsage, BuildFlags, GeometryFlags, ImageUsage, PipelineParts, ShaderStages};
pub use limits::{FEATURES, Features, LIMITS, Limits};
pub use memory::{Memory, MemoryRequirements, PLACED_MAPS, PlacedMap, placed_map_alignment};
pub use observation::watching::{Sampling, Watching, recorder, sampler};
pub use pipeline::layout::PipelineLayout;
pub use pipeline::{
    CompiledStage, ComputePipeline, ComputePipelineDesc, DynamicStates, GraphicsPipeline,
    GraphicsPipelineDesc, GroupShader, RayTracingPipeline, RayTracingPipelineDesc, SHADER_GROUP_HANDLE_BYTES,
    STATES, ShaderGroup, ShaderObject, ShaderObjectDesc, StageStatistic, StageText, StateRow,
};
pub use query::{Counter, QueryKind, QueryPool};
pub use queue::{Queue, SparseSubmit, Submit, SubmitStages};
pub use render_pass::order::{AttachmentOrder, AttachmentUse, PassOrder, ScopeOrder, SubpassDependency};
pub use render_pass::{
    AttachmentDesc, AttachmentLoad, DensityMapAttachment, Framebuffer, FramebufferDesc, RenderPass,
    RenderPassDesc, RenderingAttachment, RenderingInfo, ShadingRateAttachment, SubpassDesc, TargetFormats,
};
pub use resource::buffer::{Buffer, BufferDesc};
pub use resource::buffer_view::{BufferView, BufferViewDesc};
pub use resource::copies::{
    BufferCopy, BufferImageCopy, ClearAttachment, ClearRect, DecompressRegion, GDEFLATE_1_0, ImageBlit,
    ImageCopy, ImageResolve, SubresourceLayers, SubresourceRange,
};
pub use resource::image::{Image, ImageDesc, ImageFlags, ImageView, ImageViewDesc};
pub use resource::residency::SPARSE_PAGE;
pub use resource::sampler::{KeptSampler, Sampler, SamplerDesc};
pub use resource::sparse::{SparseBind, SparsePart};
pub use shader::{ShaderModule, ShaderStage};
pub use shader_test::{Mismatch, Picture, Prints, ShaderTest, TestImage, TestRun, TestVertices, Tolerance};
/// Descriptors of files, with which devices share memory and payloads.
pub mod descriptors {
    pub use crate::sys::{AsFd, BorrowedFd, OwnedFd};
}
pub use sync::{Event, Fence, Import, Semaphore, Sharing};

pub use quadrille_check::host_struct;
pub use quadrille_check::layouts::HostStruct;
pub use quadrille_jit::abort::MAX_MESSAGE as MAX_ABORT_MESSAGE;
pub use quadrille_jit::env::Opt;
pub use quadrille_jit::ir::{Shader, Stage};
pub use quadrille_jit::printf::{Sink as PrintSink, set_sink as set_print_sink};
pub use quadrille_jit::spirv::heap as heaps;
pub use quadrille_jit::{CpuLevel, abi, env, events, ir, layout, process, reserve, terminal};
#[doc(hidden)]
pub use quadrille_jit::{similar, testing};
pub use quadrille_raster::KernelInfo;
pub use quadrille_raster::buffer::IndexType;
pub use quadrille_raster::format::{Aspects, FORMATS, Format, FormatFeatures, Numeric};
pub use quadrille_raster::image::{ImageType, PlaneLayout, Subresource};
pub use quadrille_raster::pass::{LoadOp, ResolveMode, StoreOp};
pub use quadrille_raster::ray_tracing::{Handle as GroupHandle, Region};
pub use quadrille_raster::sampling::{
    AddressMode, BorderColor, ChromaLocation, Filter, Reduction, YcbcrConversion, YcbcrModel,
};
pub use quadrille_raster::sampling::{Swizzle, ViewDim};
pub use quadrille_raster::state::{
    AdvancedBlend, AdvancedOp, BlendEquation, BlendFactor, BlendOp, BlendOverlap, BlendState, CompareOp,
    ConservativeMode, CullMode, DepthBias, DepthBiasUnit, DepthState, DiscardRectangles, DomainOrigin,
    DrawStateDesc, Dynamic, FrontFace, LineMode, LineStipple, LogicOp, PolygonMode, RateCombiner, Rect,
    ShadingRate, StencilDynamic, StencilFace, StencilOp, Topology, VertexAttribute, VertexBinding,
    VertexRate, Viewport,
};
