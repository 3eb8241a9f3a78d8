//! Ray tracing pipelines: created with their shader binding tables, used by traces and destroyed.

use quadrille::*;

use super::super::structures::{RAYS, pipeline};
use super::{MOST, World, pipelines};

/// Bytes from one record of a table to the next.
const STRIDE: u64 = 64;

/// A pipeline and its tables.
#[derive(Clone)]
pub(super) struct Tracer {
    pub pipeline: RayTracingPipeline,
    pub tables: Buffer,
}

impl World<'_> {
    /// Creates a pipeline with tables, or drops one.
    pub(super) fn make_tracer(&mut self) {
        if self.tracers.len() >= MOST / 6 {
            self.tracers.swap_remove(0);
            self.tally.count("drop", true, 1);
        }
        let device = self.device().clone();
        let layout = device.create_pipeline_layout(&[], 32);
        let Some(layout) = self.judge("create_pipeline_layout", layout) else { return };
        let mut desc = RayTracingPipelineDesc::new(&layout);
        for (stage, text) in pipeline() {
            let module = device.create_shader_module(&pipelines::shader(stage, &text));
            let Some(module) = self.judge("create_shader_module", module) else { return };
            desc.stages.push((stage, ShaderStage::new(&module, "main")));
        }
        // A wrong index selects a shader of another stage, or none.
        let boxes = self.num(4) as usize;
        desc.groups = vec![
            ShaderGroup::General(0),
            ShaderGroup::General(1),
            ShaderGroup::Triangles { closest_hit: Some(2), any_hit: None },
            ShaderGroup::Procedural { intersection: boxes, closest_hit: Some(3), any_hit: None },
        ];
        let made = device.create_ray_tracing_pipeline(&desc);
        let Some(pipeline) = self.judge("create_ray_tracing_pipeline", made) else { return };
        let usage = BufferUsage::SHADER_BINDING_TABLE | BufferUsage::SHADER_DEVICE_ADDRESS;
        let tables = device.create_bound_buffer(BufferDesc { size: 4 * STRIDE, usage });
        let Some(tables) = self.judge("create_bound_buffer", tables) else { return };
        for group in 0..4 {
            let handle = pipeline.group_handle(group);
            let Some(handle) = self.judge("group_handle", handle) else { return };
            let done = tables.write(u64::from(group) * STRIDE, &handle);
            self.judge("write buffer bytes", done);
        }
        self.tracers.push(Tracer { pipeline, tables });
    }
}

impl Tracer {
    /// Records rays.
    pub fn trace(&self, c: &mut CommandBuffer, push: &[u32; 8]) -> Result<()> {
        let base = self.tables.device_address()?;
        let region =
            |first: u64, n: u64| Region { address: base + first * STRIDE, stride: STRIDE, size: n * STRIDE };
        let tables = ShaderBindingTables {
            raygen: region(0, 1),
            miss: region(1, 1),
            hit: region(2, 2),
            callable: Region::default(),
        };
        c.bind_ray_tracing_pipeline(&self.pipeline).push_constants(0, push);
        c.trace_rays(&tables, [8, RAYS / 8, 1]);
        Ok(())
    }
}
