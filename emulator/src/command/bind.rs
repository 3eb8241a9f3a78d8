//! Recording of the bindings that draws and dispatches use: pipelines, shader objects, descriptor sets, push constants,
//! vertex and index buffers.

use bytemuck::Pod;
use quadrille_jit::ir::Stage;
use quadrille_jit::spirv::heap::Heap;
use quadrille_raster::buffer::IndexType;

use super::dynamic::put;
use super::list::{BoundSet, BufferSlice, Run, SetPlace};
use super::record::CommandBuffer;
use super::state::BindPoint;
use crate::descriptor::{DescriptorSet, Resource, SetInBuffer};
use crate::error::{Error, Result, ensure};
use crate::flags::BufferUsage;
use crate::limits::{LIMITS, at_most};
use crate::object::same_device;
use crate::pipeline::layout::PipelineLayout;
use crate::pipeline::{ComputePipeline, GraphicsPipeline, ShaderObject, pipeline_of};
use crate::resource::buffer::Buffer;

impl CommandBuffer {
    /// Binds a compute pipeline.
    pub fn bind_compute_pipeline(&mut self, pipeline: &ComputePipeline) -> &mut Self {
        self.step(|c| {
            let pipeline = c.keep(pipeline)?;
            c.state.set_compute(Some(pipeline));
            Ok(())
        })
    }

    /// Binds a graphics pipeline.
    pub fn bind_graphics_pipeline(&mut self, pipeline: &GraphicsPipeline) -> &mut Self {
        self.step(|c| {
            let pipeline = c.keep(pipeline)?;
            c.objects = None;
            c.state.set_graphics(&c.list, pipeline);
            Ok(())
        })
    }

    /// Binds shader objects to stages; `None` unbinds a stage. The shader objects replace the pipeline of the same bind
    /// point.
    pub fn bind_shaders(&mut self, stages: &[(Stage, Option<&ShaderObject>)]) -> &mut Self {
        self.step(|c| {
            for (stage, object) in stages {
                if let Some(object) = object {
                    same_device(*object, c)?;
                    ensure(object.desc().kind == *stage, || {
                        format!("a shader of stage {:?} bound as {stage:?}", object.desc().kind)
                    })?;
                }
                match ShaderObject::slot(*stage) {
                    Some(slot) => {
                        c.objects.get_or_insert_default()[slot] = object.cloned();
                        c.objects_changed = true;
                    }
                    None => {
                        let compute =
                            object.and_then(ShaderObject::compute).map(|p| c.keep(p)).transpose()?;
                        c.state.set_compute(compute);
                    }
                }
            }
            Ok(())
        })
    }

    /// Binds a pipeline made of the bound shader objects, if any are bound and have changed.
    pub(super) fn bind_objects(&mut self) -> Result<()> {
        let Some(bound) = self.objects.as_ref().filter(|_| self.objects_changed) else { return Ok(()) };
        let pipeline = pipeline_of(bound, &self.renders_to)?;
        let pipeline = self.keep(&pipeline)?;
        self.state.set_graphics(&self.list, pipeline);
        self.objects_changed = false;
        Ok(())
    }

    /// Binds descriptor sets from set number `first` on. `offsets` are the dynamic offsets of all dynamic buffers of
    /// the sets, in order.
    pub fn bind_descriptor_sets(
        &mut self,
        point: BindPoint,
        layout: &PipelineLayout,
        first: u32,
        sets: &[&DescriptorSet],
        offsets: &[u32],
    ) -> &mut Self {
        self.step(|c| {
            same_device(layout, c)?;
            let mut offsets = offsets;
            for (i, set) in sets.iter().enumerate() {
                let number = first as usize + i;
                let wanted = layout.sets().get(number);
                let wanted =
                    wanted.ok_or_else(|| Error::invalid(format!("the layout has no set {number}")))?;
                ensure(set.layout().compatible(wanted), || {
                    format!("the descriptor set for set {number} has another layout than the pipeline layout")
                })?;
                let n = wanted.n_dynamic() as usize;
                let mine = offsets.split_at_checked(n);
                let (mine, rest) = mine.ok_or_else(|| Error::invalid("too few dynamic offsets"))?;
                offsets = rest;
                let set = SetPlace::Object(c.keep(*set)?);
                let bound = BoundSet { set, offsets: Run::put(&mut c.list.offsets, mine) };
                c.state.sets(point).bind(number, bound);
            }
            ensure(offsets.is_empty(), || "too many dynamic offsets".into())?;
            c.state.changed(point);
            Ok(())
        })
    }

    /// Binds the bytes of a buffer from an offset on as descriptor set `number`. The bytes are descriptors of
    /// [`Device::descriptor_data`](crate::Device), of the layout's types. Any other bytes, and descriptors of destroyed
    /// objects, act as null descriptors or as descriptors of other resources of the device.
    pub fn bind_set_in_buffer(
        &mut self,
        point: BindPoint,
        layout: &PipelineLayout,
        number: u32,
        (buffer, offset): (&Buffer, u64),
    ) -> &mut Self {
        self.step(|c| {
            same_device(layout, c)?;
            same_device(buffer, c)?;
            let wanted = layout.sets().get(number as usize);
            let wanted = wanted.ok_or_else(|| Error::invalid(format!("the layout has no set {number}")))?;
            let set = c.list.sets_in_buffers.push(SetInBuffer::new(wanted, buffer, offset)?);
            let bound = BoundSet { set: SetPlace::Buffer(set), offsets: Run::default() };
            c.state.sets(point).bind(number as usize, bound);
            c.state.changed(point);
            Ok(())
        })
    }

    /// Binds the resource heap and the sampler heap, in this order, for pipelines of
    /// [`PipelineLayout::of_heaps`]. `Resource::Null` is a heap of null descriptors. The rules for the contents are
    /// those of [`CommandBuffer::bind_set_in_buffer`].
    pub fn bind_descriptor_heaps(&mut self, heaps: [Resource<'_>; 2]) -> &mut Self {
        let mut bound = None;
        self.step(|c| {
            let layout = PipelineLayout::of_heaps(&c.device)?;
            let set = DescriptorSet::new(&layout.sets()[0], true);
            for (heap, resource) in [Heap::Resource, Heap::Sampler].into_iter().zip(heaps) {
                set.write(heap as u32, 0, resource)?;
            }
            bound = Some((layout, set));
            Ok(())
        });
        for point in [BindPoint::Graphics, BindPoint::Compute, BindPoint::RayTracing] {
            if let Some((layout, set)) = &bound {
                self.bind_descriptor_sets(point, layout, 0, &[set], &[]);
            }
        }
        self
    }

    /// Binds one set without dynamic offsets for dispatches.
    pub fn bind_compute_set(
        &mut self,
        layout: &PipelineLayout,
        number: u32,
        set: &DescriptorSet,
    ) -> &mut Self {
        self.bind_descriptor_sets(BindPoint::Compute, layout, number, &[set], &[])
    }

    /// Binds one set without dynamic offsets for draws.
    pub fn bind_graphics_set(
        &mut self,
        layout: &PipelineLayout,
        number: u32,
        set: &DescriptorSet,
    ) -> &mut Self {
        self.bind_descriptor_sets(BindPoint::Graphics, layout, number, &[set], &[])
    }

    /// Sets push constants from byte `offset` on, for draws and dispatches.
    pub fn push_constants<T: Pod>(&mut self, offset: u32, data: &[T]) -> &mut Self {
        self.step(|c| {
            let bytes: &[u8] = bytemuck::cast_slice(data);
            let end = u64::from(offset) + bytes.len() as u64;
            at_most("push constants", end, LIMITS.max_push_constants_size.into())?;
            c.state.push(offset as usize, bytes);
            Ok(())
        })
    }

    /// Binds vertex buffers from binding `first` on. Each element is a buffer and an offset in bytes.
    pub fn bind_vertex_buffers(&mut self, first: u32, buffers: &[(&Buffer, u64)]) -> &mut Self {
        self.step(|c| {
            for (i, (buffer, offset)) in buffers.iter().enumerate() {
                let size = buffer.size().saturating_sub(*offset);
                c.vertex_buffer(first as usize + i, Some((buffer, *offset, size)), None)?;
            }
            Ok(())
        })
    }

    /// Binds a vertex buffer with its size and, as dynamic state, its stride. `None` binds a null buffer, which reads
    /// as zero.
    pub fn bind_vertex_buffer2(
        &mut self,
        binding: u32,
        buffer: Option<(&Buffer, u64)>,
        size: Option<u64>,
        stride: Option<u32>,
    ) -> &mut Self {
        self.step(|c| {
            let slice = buffer.map(|(b, at)| (b, at, size.unwrap_or(b.size().saturating_sub(at))));
            c.vertex_buffer(binding as usize, slice, stride)
        })
    }

    fn vertex_buffer(
        &mut self,
        binding: usize,
        slice: Option<(&Buffer, u64, u64)>,
        stride: Option<u32>,
    ) -> Result<()> {
        at_most("vertex binding", binding as u64, u64::from(LIMITS.max_vertex_input_bindings) - 1)?;
        let slice = match slice {
            None => None,
            Some((buffer, offset, size)) => {
                buffer.need(BufferUsage::VERTEX, "vertex buffer")?;
                buffer.check(offset, size)?;
                Some(BufferSlice { buffer: self.keep(buffer)?, offset, size })
            }
        };
        self.state.set_vertex_buffer(binding, slice);
        if let Some(stride) = stride {
            at_most("vertex stride", stride.into(), LIMITS.max_vertex_input_binding_stride.into())?;
            put(&mut self.state.prepared_for().vertex_strides, binding, &[Some(stride)]);
        }
        Ok(())
    }

    /// Binds an index buffer.
    pub fn bind_index_buffer(&mut self, buffer: &Buffer, offset: u64, ty: IndexType) -> &mut Self {
        self.bind_index_buffer2(buffer, offset, None, ty)
    }

    /// Binds `size` bytes of an index buffer, or all bytes from `offset` on if `size` is `None`.
    pub fn bind_index_buffer2(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        size: Option<u64>,
        ty: IndexType,
    ) -> &mut Self {
        self.step(|c| {
            buffer.need(BufferUsage::INDEX, "index buffer")?;
            buffer.check(offset, size.unwrap_or(0))?;
            let size = size.unwrap_or(buffer.size() - offset);
            let slice = BufferSlice { buffer: c.keep(buffer)?, offset, size };
            c.state.set_index_buffer(Some(slice), ty);
            Ok(())
        })
    }

    /// Binds a null index buffer: every index reads as zero.
    pub fn bind_null_index_buffer(&mut self, ty: IndexType) -> &mut Self {
        self.step(|c| {
            c.state.set_index_buffer(None, ty);
            Ok(())
        })
    }
}
