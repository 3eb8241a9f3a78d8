//! Shader objects: single stages without fixed-function state. Spec: Vulkan, "Shader Objects".
//!
//! A draw with shader objects uses a pipeline whose state is all dynamic. The pipeline is created when a draw first
//! needs it. The shader object of the first stage caches it; the key consists of the other stages and the attachments
//! rendered to.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use quadrille_jit::ir::{Stage, StageKind};
use quadrille_raster::state::{DrawStateDesc, Dynamic};

use super::compute::{ComputePipeline, ComputePipelineDesc};
use super::graphics::{GraphicsPipeline, GraphicsPipelineDesc};
use super::layout::PipelineLayout;
use super::states::{DynamicStates, STATES};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::object::{objects, same_device};
use crate::render_pass::TargetFormats;
use crate::shader::{ShaderStage, Variant};

/// Creation parameters of a shader object.
#[derive(Clone, Debug)]
pub struct ShaderObjectDesc {
    /// The entry point.
    pub stage: ShaderStage,
    /// The pipeline stage.
    pub kind: Stage,
    /// Layout of descriptors and push constants.
    pub layout: PipelineLayout,
}

/// Graphics stages to which shader objects can be bound.
pub(crate) const SLOTS: [Stage; 7] = [
    Stage::Vertex,
    Stage::TessellationControl,
    Stage::TessellationEvaluation,
    Stage::Geometry,
    Stage::Task,
    Stage::Mesh,
    Stage::Fragment,
];

/// Bound shader objects of the graphics stages, by slot.
pub(crate) type BoundObjects = [Option<ShaderObject>; SLOTS.len()];

/// Properties of the attachments rendered to that pipelines depend on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RendersTo {
    pub formats: TargetFormats,
    /// Colour attachment locations as in [`DrawStateDesc`].
    pub color_locations: Vec<Option<u32>>,
}

type Key = ([Option<u64>; SLOTS.len()], RendersTo);

/// Number of pipelines that an object keeps.
const KEPT: usize = 32;

struct Inner {
    device: Device,
    /// Number of the object, never reused.
    number: u64,
    desc: ShaderObjectDesc,
    /// Keeps the compiled stage alive.
    _variant: Option<Arc<Variant>>,
    compute: Option<ComputePipeline>,
    /// Pipelines that draw with the object as first stage, least recently used first.
    pipelines: Mutex<VecDeque<(Key, GraphicsPipeline)>>,
}

/// A compiled shader stage. Clones are the same object.
#[derive(Clone)]
pub struct ShaderObject(Arc<Inner>);

objects! { ShaderObject: "shader object" = |s| s.0.device.device_id(); }

impl std::fmt::Debug for ShaderObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ShaderObject({:?} {})", self.0.desc.kind, self.0.desc.stage.entry)
    }
}

impl ShaderObject {
    pub(crate) fn new(device: &Device, desc: &ShaderObjectDesc) -> Result<Self> {
        same_device(&desc.layout, device)?;
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let ShaderObjectDesc { stage, kind, layout } = desc.clone();
        let shaders = device.shaders();
        let (mut variant, mut compute) = (None, None);
        if kind == Stage::Compute {
            compute = Some(ComputePipeline::new(device, &ComputePipelineDesc { stage, layout })?);
        } else if !SLOTS.contains(&kind) {
            return Err(Error::unsupported(format!("shader objects of stage {kind:?}")));
        } else {
            // If a control stage does not declare the number of output vertices, the evaluation stage must.
            let known = match shaders.lower(device, &stage, kind)?.kind {
                StageKind::TessellationControl(modes) => modes.output_vertices.is_some(),
                _ => true,
            };
            variant = known.then(|| shaders.variant(device, &stage, kind, &layout)).transpose()?;
        }
        Ok(ShaderObject(Arc::new(Inner {
            device: device.clone(),
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            desc: desc.clone(),
            _variant: variant,
            compute,
            pipelines: Mutex::default(),
        })))
    }

    /// Creation parameters of the object.
    pub fn desc(&self) -> &ShaderObjectDesc {
        &self.0.desc
    }

    /// Slot of a graphics stage; `None` for compute.
    pub(crate) fn slot(kind: Stage) -> Option<usize> {
        SLOTS.iter().position(|s| *s == kind)
    }

    /// Pipeline for dispatches, if the stage is compute.
    pub(crate) fn compute(&self) -> Option<&ComputePipeline> {
        self.0.compute.as_ref()
    }
}

/// Returns the pipeline that draws with these objects.
pub(crate) fn pipeline_of(bound: &BoundObjects, to: &RendersTo) -> Result<GraphicsPipeline> {
    let first = bound.iter().flatten().next();
    let first = &first.ok_or_else(|| Error::invalid("draw without shaders"))?.0;
    let key = (std::array::from_fn(|i| bound[i].as_ref().map(|s| s.0.number)), to.clone());
    let mut pipelines = first.pipelines.lock().unwrap_or_else(|e| e.into_inner());
    let known = pipelines.iter().rposition(|(of, _)| *of == key);
    let entry = match known.and_then(|at| pipelines.remove(at)) {
        Some(entry) => entry,
        None => (key, GraphicsPipeline::new(&first.device, &describe(bound, to, &first.device)?)?),
    };
    if pipelines.len() >= KEPT {
        pipelines.pop_front();
    }
    let pipeline = entry.1.clone();
    pipelines.push_back(entry);
    Ok(pipeline)
}

fn describe(bound: &BoundObjects, to: &RendersTo, device: &Device) -> Result<GraphicsPipelineDesc> {
    let stage =
        |kind| ShaderObject::slot(kind).and_then(|i| bound[i].as_ref().map(|s| s.0.desc.stage.clone()));
    let layouts: Vec<_> = bound.iter().flatten().map(|s| s.0.desc.layout.clone()).collect();
    let formats = &to.formats;
    let state = DrawStateDesc {
        color_formats: formats.colors.clone(),
        color_locations: to.color_locations.clone(),
        depth_format: formats.depth,
        stencil_format: formats.stencil,
        ..DrawStateDesc::default()
    };
    Ok(GraphicsPipelineDesc {
        vertex: stage(Stage::Vertex),
        tessellation_control: stage(Stage::TessellationControl),
        tessellation_evaluation: stage(Stage::TessellationEvaluation),
        geometry: stage(Stage::Geometry),
        task: stage(Stage::Task),
        mesh: stage(Stage::Mesh),
        fragment: stage(Stage::Fragment),
        layout: PipelineLayout::joined(device, &layouts)?,
        state,
        fixed: Dynamic::default(),
        dynamic: STATES.iter().fold(DynamicStates::NONE, |all, row| all | row.dynamic),
        view_mask: formats.view_mask,
    })
}
