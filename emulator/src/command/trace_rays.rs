//! Commands that trace rays.

use super::binding_tables::{EVERYTHING_BYTES, ShaderBindingTables, TraceSource};
use super::blamed::of_pipeline;
use super::list::{Command, Ref, TraceSnapshot};
use super::record::CommandBuffer;
use crate::error::{Error, Result, ensure};
use crate::flags::BufferUsage;
use crate::limits::{LIMITS, at_most};
use crate::pipeline::RayTracingPipeline;
use crate::resource::buffer::Buffer;

impl CommandBuffer {
    /// Binds a ray tracing pipeline.
    pub fn bind_ray_tracing_pipeline(&mut self, pipeline: &RayTracingPipeline) -> &mut Self {
        self.step(|c| {
            ensure(!pipeline.is_library(), || "a library is bound as a pipeline".into())?;
            let pipeline = c.keep(pipeline)?;
            c.state.set_ray_tracing(pipeline);
            Ok(())
        })
    }

    /// Sets the stack for nested shaders in bytes, computed from
    /// [`RayTracingPipeline::group_stack_bytes`]. There is stack for the recursion depth of the pipeline and for callable
    /// shaders 31 deep whatever is set; a larger stack lets callable shaders execute others to a greater depth. Spec:
    /// Vulkan, vkCmdSetRayTracingPipelineStackSizeKHR.
    pub fn set_ray_tracing_stack_size(&mut self, bytes: u32) -> &mut Self {
        self.step(|c| {
            c.state.set_ray_tracing_stack(bytes);
            Ok(())
        })
    }

    /// Runs the ray generation shader `width` × `height` × `depth` times. Spec: Vulkan, vkCmdTraceRaysKHR.
    pub fn trace_rays(&mut self, tables: &ShaderBindingTables, size: [u32; 3]) -> &mut Self {
        self.record_trace("trace", |_| {
            tables.check()?;
            let count = size.iter().fold(1u64, |n, &m| n.saturating_mul(m.into()));
            at_most("invocations", count, LIMITS.max_ray_dispatch_invocation_count.into())?;
            Ok(TraceSource::Direct(*tables, size))
        })
    }

    /// Traces rays; their number in x, y and z is read from three words at a device address when the command runs.
    /// Spec: Vulkan, vkCmdTraceRaysIndirectKHR.
    pub fn trace_rays_indirect(&mut self, tables: &ShaderBindingTables, address: u64) -> &mut Self {
        self.record_trace("indirect trace", |c| {
            tables.check()?;
            check_address(c, address, 12)?;
            Ok(TraceSource::Size(*tables, address))
        })
    }

    /// Traces rays; tables and size are read from a device address when the command runs. Spec: Vulkan,
    /// vkCmdTraceRaysIndirect2KHR.
    pub fn trace_rays_indirect2(&mut self, address: u64) -> &mut Self {
        self.record_trace("indirect trace", |c| {
            check_address(c, address, EVERYTHING_BYTES)?;
            Ok(TraceSource::Everything(address))
        })
    }

    fn record_trace(&mut self, what: &str, source: impl FnOnce(&Self) -> Result<TraceSource>) -> &mut Self {
        self.step(|c| {
            c.outside(what)?;
            let source = source(c)?;
            let snapshot = c.trace_snapshot()?;
            let push = c.state.pushed(&mut c.list);
            let source = c.list.parameters.put(source);
            c.add(u64::MAX, Command::TraceRays { snapshot, push, source })
        })
    }

    /// Snapshot of the state for a trace that is recorded now.
    fn trace_snapshot(&mut self) -> Result<Ref<TraceSnapshot>> {
        let snapshot = self.state.trace_snapshot(&mut self.list);
        snapshot.map_err(|e| match self.state.ray_tracing {
            Some(at) => of_pipeline(e, &self.device, &self.list.ray_tracing[at]),
            None => e,
        })
    }
}

/// Checks the address of parameters. Spec: Vulkan, VUID-vkCmdTraceRaysIndirectKHR-indirectBuffer-03633 and -03634.
fn check_address(c: &CommandBuffer, address: u64, bytes: u64) -> Result<()> {
    ensure(address.is_multiple_of(4), || {
        format!("parameters at {address:#x}, which is not a multiple of 4")
    })?;
    let (buffer, offset) = Buffer::at(&c.device, address)?;
    buffer.need(BufferUsage::INDIRECT, "indirect trace")?;
    match offset.checked_add(bytes) {
        Some(end) if end <= buffer.size() => Ok(()),
        _ => Err(Error::invalid(format!("{bytes} bytes of parameters past the end of their buffer"))),
    }
}
