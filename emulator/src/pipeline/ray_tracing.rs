//! Ray tracing pipelines: shaders of rays, and the groups by which shader binding tables name them.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use once_cell::race::OnceBox;
use quadrille_jit::ir::Stage;
use quadrille_jit::reserve;
use quadrille_raster::ray_tracing::{
    GroupKind, HANDLE_BYTES, Handle, Handles, TraceGroup, TracePipeline, TraceShader,
};
use quadrille_rays::RayFlags;

use super::compile::Wanted;
use super::layout::PipelineLayout;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::limits::{LIMITS, at_most};
use crate::object::{objects, same_device, shared};
use crate::shader::{ShaderStage, Variant};

/// A shader group; shaders are indices into [`RayTracingPipelineDesc::stages`], followed by the shaders of the libraries.
/// Spec: Vulkan, VkRayTracingShaderGroupCreateInfoKHR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaderGroup {
    /// A ray generation, miss or callable shader.
    General(usize),
    /// Shaders for hits on triangles.
    Triangles {
        /// Closest hit shader.
        closest_hit: Option<usize>,
        /// Any-hit shader.
        any_hit: Option<usize>,
    },
    /// Shaders for hits in boxes.
    Procedural {
        /// Intersection shader.
        intersection: usize,
        /// Closest hit shader.
        closest_hit: Option<usize>,
        /// Any-hit shader.
        any_hit: Option<usize>,
    },
}

/// A shader of a shader group. Spec: Vulkan, VkShaderGroupShaderKHR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupShader {
    /// Ray generation, miss or callable shader.
    General,
    /// Closest hit shader.
    ClosestHit,
    /// Any-hit shader.
    AnyHit,
    /// Intersection shader.
    Intersection,
}

/// Creation parameters of a ray tracing pipeline. Spec: Vulkan, VkRayTracingPipelineCreateInfoKHR.
#[derive(Clone, Debug)]
pub struct RayTracingPipelineDesc {
    /// The shaders with their stages.
    pub stages: Vec<(Stage, ShaderStage)>,
    /// The shader groups.
    pub groups: Vec<ShaderGroup>,
    /// Pipelines whose shaders and groups follow those of this one, in order.
    pub libraries: Vec<RayTracingPipeline>,
    /// Maximum nesting of traces, at most `max_ray_recursion_depth` of [`LIMITS`]: 1 if only ray generation shaders trace. Deeper
    /// traces do nothing.
    pub max_recursion_depth: u32,
    /// Layout of descriptors and push constants.
    pub layout: PipelineLayout,
    /// `true` if rays miss all triangles.
    pub skip_triangles: bool,
    /// `true` if rays miss all boxes.
    pub skip_aabbs: bool,
    /// `true` for a pipeline that only others use, as one of their `libraries`.
    pub is_library: bool,
    /// `true` if groups of pipelines of other processes may get the handles of the new groups.
    pub can_be_replayed: bool,
    /// Handles for the groups, from [`RayTracingPipeline::group_handle`] of a pipeline with `can_be_replayed`; `None` and
    /// missing elements are new handles.
    pub handles: Vec<Option<Handle>>,
}

impl RayTracingPipelineDesc {
    /// A pipeline without shaders, whose shaders may trace rays from ray generation shaders only.
    pub fn new(layout: &PipelineLayout) -> RayTracingPipelineDesc {
        RayTracingPipelineDesc {
            stages: Vec::new(),
            groups: Vec::new(),
            libraries: Vec::new(),
            max_recursion_depth: 1,
            layout: layout.clone(),
            skip_triangles: false,
            skip_aabbs: false,
            is_library: false,
            can_be_replayed: false,
            handles: Vec::new(),
        }
    }
}

/// Size of the handle of a shader group, in bytes. Spec: Vulkan, shaderGroupHandleSize.
pub const SHADER_GROUP_HANDLE_BYTES: u32 = HANDLE_BYTES as u32;
/// Maximum number of shader groups of a pipeline, with those of its libraries.
const MAX_GROUPS: usize = 1 << 20;

struct Inner {
    device: Device,
    layout: PipelineLayout,
    variants: Vec<Arc<Variant>>,
    trace: TracePipeline,
    is_library: bool,
}

/// Compiled shaders of rays. Spec: Vulkan, "Ray Tracing Pipelines".
#[derive(Clone)]
pub struct RayTracingPipeline(Arc<Inner>);

objects! { RayTracingPipeline: "ray tracing pipeline" = |p| p.0.device.device_id(); }
shared!(RayTracingPipeline);

impl std::fmt::Debug for RayTracingPipeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.variants().iter().map(|v| &v.shader.name).collect();
        f.debug_tuple("RayTracingPipeline").field(&names).finish()
    }
}

impl RayTracingPipeline {
    pub(crate) fn new(device: &Device, desc: &RayTracingPipelineDesc) -> Result<Self> {
        same_device(&desc.layout, device)?;
        at_most("recursion depth", desc.max_recursion_depth.into(), LIMITS.max_ray_recursion_depth.into())?;
        for (stage, _) in &desc.stages {
            ensure(stage.is_of_rays(), || format!("a {} shader in a ray tracing pipeline", stage.name()))?;
        }
        let wanted: Vec<Wanted<'_>> = desc
            .stages
            .iter()
            .map(|(kind, stage)| Wanted { stage, kind: *kind, output_vertices: None })
            .collect();
        let mut variants = device.shaders().variants(device, &wanted, &desc.layout)?;
        let own = variants.len();
        for library in &desc.libraries {
            check_library(device, desc, library)?;
            variants.extend(library.variants().iter().cloned());
        }
        let (groups, handles) = groups(desc, &variants, own)?;
        let flag = |on, flag| if on { flag } else { RayFlags::NONE };
        let trace = TracePipeline {
            shaders: variants.iter().map(|v| TraceShader::new(&v.shader, v.lane_fn().clone())).collect(),
            groups,
            handles: Handles::new(handles)?,
            max_depth: desc.max_recursion_depth,
            flags: flag(desc.skip_triangles, RayFlags::SKIP_TRIANGLES)
                | flag(desc.skip_aabbs, RayFlags::SKIP_AABBS),
        };
        let (device, layout, is_library) = (device.clone(), desc.layout.clone(), desc.is_library);
        Ok(RayTracingPipeline(Arc::new(Inner { device, layout, variants, trace, is_library })))
    }

    /// Layout of the pipeline.
    pub fn layout(&self) -> &PipelineLayout {
        &self.0.layout
    }

    /// Number of shader groups, with those of libraries.
    pub fn group_count(&self) -> u32 {
        self.0.trace.groups.len() as u32
    }

    /// Returns the bytes that name a shader group in a shader binding table. Other bytes name no group of this
    /// pipeline; zeros name none of any pipeline. Groups of libraries keep their handles. Spec: Vulkan,
    /// vkGetRayTracingShaderGroupHandlesKHR.
    ///
    /// # Errors
    /// `Invalid` if the pipeline has no such group.
    pub fn group_handle(&self, group: u32) -> Result<[u8; SHADER_GROUP_HANDLE_BYTES as usize]> {
        let handle = self.0.trace.handles.all().get(group as usize);
        handle.map(|handle| handle.bytes()).ok_or_else(|| self.no_group(group))
    }

    /// Returns the stack that a shader of a group takes at most, in bytes; 0 if the group has no such shader. Spec:
    /// Vulkan, vkGetRayTracingShaderGroupStackSizeKHR.
    ///
    /// # Errors
    /// `Invalid` if the pipeline has no such group.
    pub fn group_stack_bytes(&self, group: u32, shader: GroupShader) -> Result<u64> {
        let of = self.0.trace.groups.get(group as usize).ok_or_else(|| self.no_group(group))?;
        let shader = match shader {
            GroupShader::General => of.general,
            GroupShader::ClosestHit => of.closest_hit,
            GroupShader::AnyHit => of.any_hit,
            GroupShader::Intersection => of.intersection,
        };
        let shader = shader.and_then(|shader| self.0.trace.shaders.get(shader));
        Ok(shader.map_or(0, |shader| shader.stack_bytes() as u64))
    }

    fn no_group(&self, group: u32) -> Error {
        Error::invalid(format!("shader group {group} of {}", self.group_count()))
    }

    /// `true` for pipelines that cannot be bound.
    pub fn is_library(&self) -> bool {
        self.0.is_library
    }

    pub(crate) fn variants(&self) -> &[Arc<Variant>] {
        &self.0.variants
    }

    pub(crate) fn trace(&self) -> &TracePipeline {
        &self.0.trace
    }
}

/// `Invalid` unless the pipeline can use a library: its shaders find their resources where the pipeline has them. Spec:
/// Vulkan, VkRayTracingPipelineCreateInfoKHR.
fn check_library(device: &Device, desc: &RayTracingPipelineDesc, library: &RayTracingPipeline) -> Result<()> {
    same_device(library, device)?;
    ensure(library.0.is_library, || "a library that is a complete pipeline".into())?;
    ensure(library.0.trace.max_depth == desc.max_recursion_depth, || {
        "a library with another recursion depth".into()
    })?;
    ensure(desc.layout.abi() == library.layout().abi(), || "a library with another pipeline layout".into())?;
    library.variants().iter().try_for_each(|v| desc.layout.check(&v.shader))
}

/// The groups of a pipeline with their handles: its own, then those of its libraries. `own` is the number of shaders that
/// are not of libraries.
fn groups(
    desc: &RayTracingPipelineDesc,
    shaders: &[Arc<Variant>],
    own: usize,
) -> Result<(Vec<TraceGroup>, Vec<Handle>)> {
    let count =
        desc.libraries.iter().fold(desc.groups.len(), |n, l| n.saturating_add(l.0.trace.groups.len()));
    at_most("shader groups", count as u64, MAX_GROUPS as u64)?;
    let (mut groups, mut handles) = (reserve::with_room(count)?, reserve::with_room(count)?);
    static NEXT: AtomicU64 = AtomicU64::new(1);
    static PROCESS: OnceBox<u64> = OnceBox::new();
    let of_process = || *PROCESS.get_or_init(|| Box::new(RandomState::new().hash_one(0u64) | 1));
    let process = if desc.can_be_replayed { of_process() } else { 0 };
    let generation = NEXT.fetch_add(1, Ordering::Relaxed);
    for (number, of) in (0..).zip(&desc.groups) {
        groups.push(group(shaders, of)?);
        handles.push(match desc.handles.get(number as usize).copied().flatten() {
            Some(handle) => handle,
            None => Handle::new(process, generation, number),
        });
    }
    let mut first = own;
    for library in &desc.libraries {
        groups.extend(library.0.trace.groups.iter().map(|group| after(group, first)));
        handles.extend_from_slice(library.0.trace.handles.all());
        first += library.variants().len();
    }
    Ok((groups, handles))
}

/// Returns a shader group whose shaders come after `first` others.
fn after(group: &TraceGroup, first: usize) -> TraceGroup {
    let moved = |shader: Option<usize>| shader.map(|i| i + first);
    TraceGroup {
        kind: group.kind,
        general: moved(group.general),
        closest_hit: moved(group.closest_hit),
        any_hit: moved(group.any_hit),
        intersection: moved(group.intersection),
    }
}

/// Checks the stages of a group's shaders. Spec: Vulkan, VkRayTracingShaderGroupCreateInfoKHR.
fn group(shaders: &[Arc<Variant>], group: &ShaderGroup) -> Result<TraceGroup> {
    let of = |shader: Option<usize>, stages: &[Stage]| -> Result<Option<usize>> {
        let Some(shader) = shader else { return Ok(None) };
        let stage = shaders.get(shader).map(|v| v.shader.stage);
        match stage {
            Some(stage) if stages.contains(&stage) => Ok(Some(shader)),
            Some(stage) => {
                Err(Error::invalid(format!("shader {shader} of a group is a {} shader", stage.name())))
            }
            None => Err(Error::invalid(format!("shader {shader} of a group, of {}", shaders.len()))),
        }
    };
    let (general, closest, any) =
        ([Stage::RayGeneration, Stage::Miss, Stage::Callable], [Stage::ClosestHit], [Stage::AnyHit]);
    let none = TraceGroup {
        kind: GroupKind::General,
        general: None,
        closest_hit: None,
        any_hit: None,
        intersection: None,
    };
    Ok(match *group {
        ShaderGroup::General(shader) => TraceGroup { general: of(Some(shader), &general)?, ..none },
        ShaderGroup::Triangles { closest_hit, any_hit } => TraceGroup {
            kind: GroupKind::Triangles,
            closest_hit: of(closest_hit, &closest)?,
            any_hit: of(any_hit, &any)?,
            ..none
        },
        ShaderGroup::Procedural { intersection, closest_hit, any_hit } => TraceGroup {
            kind: GroupKind::Procedural,
            closest_hit: of(closest_hit, &closest)?,
            any_hit: of(any_hit, &any)?,
            intersection: of(Some(intersection), &[Stage::Intersection])?,
            ..none
        },
    })
}
