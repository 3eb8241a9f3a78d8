//! The shaders and shader groups of a pipeline.

use quadrille_jit::call::LaneFn;
use quadrille_jit::ir::{self, BuiltIn, Imm, RayCall, RaySlot, Slot, Stage, each_inst};
use quadrille_rays::RayFlags;

use super::table::{Handle, Handles};

/// Maximum of [`TracePipeline::max_depth`]. Spec: Vulkan, maxRayRecursionDepth.
pub const MAX_RECURSION_DEPTH: u32 = 31;
/// Nesting of callable shaders for which there is always stack, and the largest for which an application can set one.
const CALLABLE_DEPTH: std::ops::RangeInclusive<u32> = 31..=4096;
/// Stack that the code of this folder takes between two shaders, in bytes: several times what it needs in any build.
const HOST_STACK_BYTES: usize = 24 << 10;

/// A word of the input of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// Word of the payload or of the callable data.
    Payload(u32),
    /// Word of the hit attribute.
    Attribute(u32),
    /// Low (0) or high (1) word of the address of the data in the shader record.
    Record(u32),
    /// Component of a built-in.
    BuiltIn(BuiltIn, u32),
}

/// A word of the output of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// Word of the payload or of the callable data.
    Payload(u32),
    /// End of an any-hit invocation ([`ir::HitEnd`]).
    End,
}

/// A shader of a pipeline.
pub struct TraceShader {
    pub(super) lane_fn: LaneFn,
    /// Size of its lane groups.
    pub(super) lanes: usize,
    /// Name of the entry point, for messages.
    pub(super) name: String,
    pub(super) stage: Stage,
    pub(super) inputs: Vec<Input>,
    /// Words of a record of the output; `None` for words that have no meaning.
    pub(super) outputs: Vec<Option<Output>>,
    traces: bool,
    executes: bool,
}

impl TraceShader {
    /// Stack that a call of the shader takes at most, with the code that calls it, in bytes.
    pub fn stack_bytes(&self) -> usize {
        self.lane_fn.meta().stack_bytes as usize + HOST_STACK_BYTES
    }

    /// A compiled shader of a ray tracing stage.
    pub fn new(shader: &ir::Shader, lane_fn: LaneFn) -> TraceShader {
        let (mut traces, mut executes) = (false, false);
        each_inst(&shader.body, &mut |inst| {
            traces |= matches!(inst.imm, Imm::Call(RayCall::Trace | RayCall::HitTrace | RayCall::HitExecute));
            executes |= matches!(inst.imm, Imm::Call(RayCall::Execute));
        });
        let parts = |i: &ir::Interface| 0..i.ty.bytes().div_ceil(4);
        let input = |i: &ir::Interface, part: u32| match i.slot {
            Slot::Ray(RaySlot::Payload(word)) => Input::Payload(word + part),
            Slot::Ray(RaySlot::Attribute(word)) => Input::Attribute(word + part),
            Slot::Ray(RaySlot::Record) => Input::Record(part),
            Slot::BuiltIn(b, component) => Input::BuiltIn(b, component),
            // No ray tracing stage has such inputs; they read as a word of no payload.
            Slot::Ray(RaySlot::End) | Slot::Location { .. } => Input::Payload(u32::MAX),
        };
        let output = |i: &ir::Interface, part: u32| match i.slot {
            Slot::Ray(RaySlot::Payload(word)) => Some(Output::Payload(word + part)),
            Slot::Ray(RaySlot::End) => Some(Output::End),
            Slot::Ray(RaySlot::Attribute(_) | RaySlot::Record)
            | Slot::BuiltIn(..)
            | Slot::Location { .. } => None,
        };
        TraceShader {
            lanes: lane_fn.meta().lanes as usize,
            lane_fn,
            name: shader.name.clone(),
            stage: shader.stage,
            inputs: shader.inputs.iter().flat_map(|i| parts(i).map(move |part| input(i, part))).collect(),
            outputs: shader.outputs.iter().flat_map(|o| parts(o).map(move |part| output(o, part))).collect(),
            traces,
            executes,
        }
    }
}

/// Kind of a shader group. Spec: Vulkan, VkRayTracingShaderGroupTypeKHR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// A single ray generation, miss or callable shader.
    General,
    /// Shaders for hits on triangles.
    Triangles,
    /// Shaders for hits in boxes.
    Procedural,
}

/// A shader group; shaders are indices into the pipeline's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceGroup {
    /// The kind.
    pub kind: GroupKind,
    /// Ray generation, miss or callable shader.
    pub general: Option<usize>,
    /// Closest hit shader.
    pub closest_hit: Option<usize>,
    /// Any-hit shader.
    pub any_hit: Option<usize>,
    /// Intersection shader.
    pub intersection: Option<usize>,
}

/// The shaders of a ray tracing pipeline.
pub struct TracePipeline {
    /// The shaders.
    pub shaders: Vec<TraceShader>,
    /// The shader groups.
    pub groups: Vec<TraceGroup>,
    /// Handles of the shader groups.
    pub handles: Handles,
    /// Maximum nesting of traces: 1 if only ray generation shaders trace. Deeper traces do nothing.
    pub max_depth: u32,
    /// Flags that all rays have besides their own: [`RayFlags::SKIP_TRIANGLES`] and [`RayFlags::SKIP_AABBS`].
    pub flags: RayFlags,
}

impl TracePipeline {
    /// The group of a handle. `None` for null, and for the handles of other pipelines.
    pub(super) fn group(&self, handle: Handle) -> Option<&TraceGroup> {
        self.numbered(self.handles.group(handle)?)
    }

    /// The number of the group of a handle, for [`TracePipeline::numbered`].
    pub(super) fn number(&self, handle: Handle) -> Option<u32> {
        self.handles.group(handle)
    }

    /// A group by its number.
    pub(super) fn numbered(&self, group: u32) -> Option<&TraceGroup> {
        self.groups.get(group as usize)
    }

    /// The general shader of a group, if it is of this stage.
    pub(super) fn general(&self, handle: Handle, stage: Stage) -> Option<usize> {
        self.of_stage(self.group(handle)?.general, stage)
    }

    /// A shader by its index, if it is of this stage.
    pub(super) fn of_stage(&self, shader: Option<usize>, stage: Stage) -> Option<usize> {
        shader.filter(|&i| self.shaders.get(i).is_some_and(|s| s.stage == stage))
    }

    /// Maximum nesting of callable shaders, if the application sets so many bytes of stack. Deeper calls execute nothing.
    /// Spec: Vulkan, "Ray Tracing Pipeline Stack": only the stack limits the nesting.
    pub(super) fn callable_depth(&self, stack: u64) -> u32 {
        let callables = || self.shaders.iter().filter(|s| s.stage == Stage::Callable);
        if !callables().any(|s| s.executes) {
            return 1;
        }
        let least = callables().map(TraceShader::stack_bytes).min().unwrap_or(HOST_STACK_BYTES);
        let depth = u32::try_from(stack / least as u64).unwrap_or(u32::MAX);
        depth.clamp(*CALLABLE_DEPTH.start(), *CALLABLE_DEPTH.end())
    }

    /// Stack that the deepest nesting of shaders takes at most, in bytes, with so many callable shaders.
    ///
    /// A ray generation shader is at the bottom. Each trace adds at most one closest hit or miss shader, and shaders of
    /// the last trace may execute callable shaders; or an intersection shader and the any-hit shader of its report come
    /// last, which call nothing else.
    pub(super) fn stack_bytes(&self, callables: u32) -> usize {
        let any = |f: fn(&TraceShader) -> bool| self.shaders.iter().any(f);
        let depth = match any(|s| s.traces && s.stage != Stage::RayGeneration) {
            true => self.max_depth,
            false => self.max_depth.min(1),
        };
        let levels = 1 + depth as usize + callables.max(2) as usize;
        levels * self.shaders.iter().map(TraceShader::stack_bytes).max().unwrap_or(HOST_STACK_BYTES)
    }
}
