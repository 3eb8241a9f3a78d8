//! Ray tracing pipelines: shaders of rays, and the groups by which shader binding tables name them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quadrille_jit::ir::Stage;
use quadrille_raster::ray_tracing::{
    GroupKind, HANDLE_BYTES, MAX_RECURSION_DEPTH, TraceGroup, TracePipeline, TraceShader,
};
use quadrille_rays::RayFlags;

use super::compile::Wanted;
use super::layout::PipelineLayout;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::limits::at_most;
use crate::object::{objects, same_device, shared};
use crate::shader::{ShaderStage, Variant};

/// A shader group; shaders are indices into [`RayTracingPipelineDesc::stages`].
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

/// Creation parameters of a ray tracing pipeline. Spec: Vulkan, VkRayTracingPipelineCreateInfoKHR.
#[derive(Clone, Debug)]
pub struct RayTracingPipelineDesc {
    /// The shaders with their stages.
    pub stages: Vec<(Stage, ShaderStage)>,
    /// The shader groups.
    pub groups: Vec<ShaderGroup>,
    /// Pipelines whose shaders and groups follow those of this one, in order.
    pub libraries: Vec<RayTracingPipeline>,
    /// Maximum nesting of traces, at most [`MAX_RAY_RECURSION_DEPTH`]: 1 if only ray generation shaders trace. Deeper
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
        }
    }
}

/// Maximum of [`RayTracingPipelineDesc::max_recursion_depth`]. Spec: Vulkan, maxRayRecursionDepth.
pub const MAX_RAY_RECURSION_DEPTH: u32 = MAX_RECURSION_DEPTH;
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
        at_most("recursion depth", desc.max_recursion_depth.into(), MAX_RAY_RECURSION_DEPTH.into())?;
        for (stage, _) in &desc.stages {
            ensure(stage.is_of_rays(), || format!("a {} shader in a ray tracing pipeline", stage.name()))?;
        }
        let mut groups = desc.groups.iter().map(|g| group(desc, g)).collect::<Result<Vec<_>>>()?;
        let wanted: Vec<Wanted<'_>> = desc
            .stages
            .iter()
            .map(|(kind, stage)| Wanted { stage, kind: *kind, output_vertices: None })
            .collect();
        let mut variants = device.shaders().variants(device, &wanted, &desc.layout)?;
        for library in &desc.libraries {
            same_device(library, device)?;
            ensure(library.0.is_library, || "a library that is a complete pipeline".into())?;
            ensure(library.0.trace.max_depth == desc.max_recursion_depth, || {
                "a library with another recursion depth".into()
            })?;
            check_library(&desc.layout, library)?;
            let first = variants.len();
            variants.extend(library.variants().iter().cloned());
            groups.extend(library.0.trace.groups.iter().map(|g| after(g, first)));
        }
        at_most("shader groups", groups.len() as u64, MAX_GROUPS as u64)?;
        let flag = |on, flag| if on { flag } else { RayFlags::NONE };
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let trace = TracePipeline {
            generation: NEXT.fetch_add(1, Ordering::Relaxed),
            shaders: variants.iter().map(|v| TraceShader::new(&v.shader, v.lane_fn().clone())).collect(),
            groups,
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

    /// The bytes that name a shader group in a shader binding table. Other bytes name no group of this pipeline; zeros
    /// name none of any pipeline. Spec: Vulkan, vkGetRayTracingShaderGroupHandlesKHR.
    pub fn group_handle(&self, group: u32) -> Result<[u8; SHADER_GROUP_HANDLE_BYTES as usize]> {
        let count = self.group_count();
        ensure(group < count, || format!("shader group {group} of {count}"))?;
        Ok(self.0.trace.handle(group).bytes())
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

/// `Invalid` unless the shaders of a library find their resources where the pipeline has them. Spec: Vulkan,
/// VkRayTracingPipelineCreateInfoKHR: the layouts are equal.
fn check_library(layout: &PipelineLayout, library: &RayTracingPipeline) -> Result<()> {
    ensure(layout.abi() == library.layout().abi(), || "a library with another pipeline layout".into())?;
    library.variants().iter().try_for_each(|v| layout.check(&v.shader))
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
fn group(desc: &RayTracingPipelineDesc, group: &ShaderGroup) -> Result<TraceGroup> {
    let of = |shader: Option<usize>, stages: &[Stage]| -> Result<Option<usize>> {
        let Some(shader) = shader else { return Ok(None) };
        match desc.stages.get(shader) {
            Some((stage, _)) if stages.contains(stage) => Ok(Some(shader)),
            Some((stage, _)) => {
                Err(Error::invalid(format!("shader {shader} of a group is a {} shader", stage.name())))
            }
            None => Err(Error::invalid(format!("shader {shader} of a group, of {}", desc.stages.len()))),
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
