//! Calls that create the objects of a device.
//!
//! `naming` enters new objects into the names of the device, with their descriptions.
//!
//! Left to others: each object checks its own description, in the room of its type.

pub(crate) mod naming;

use std::sync::Arc;

use quadrille_check::events::Submit;
use quadrille_jit::ir::{self, Stage};
use quadrille_raster::image::PlaneLayout;

use crate::command::CommandBuffer;
use crate::descriptor::{DescriptorBinding, DescriptorPool, DescriptorSet, DescriptorSetLayout};
use crate::device::Device;
use crate::error::{Result, guard};
use crate::flags::BufferUsage;
use crate::object::same_device;
use crate::pipeline::layout::PipelineLayout;
use crate::pipeline::{
    ComputePipeline, ComputePipelineDesc, GraphicsPipeline, GraphicsPipelineDesc, RayTracingPipeline,
    RayTracingPipelineDesc, ShaderObject, ShaderObjectDesc,
};
use crate::query::{QueryKind, QueryPool};
use crate::queue::Queue;
use crate::rays::{AccelerationStructure, AccelerationStructureDesc};
use crate::render_pass::order::PassOrder;
use crate::render_pass::{Framebuffer, FramebufferDesc, RenderPass, RenderPassDesc};
use crate::resource::buffer::{Buffer, BufferDesc};
use crate::resource::buffer_view::{BufferView, BufferViewDesc};
use crate::resource::image::{Image, ImageDesc, ImageView, ImageViewDesc};
use crate::resource::sampler::{KeptSampler, Sampler, SamplerDesc};
use crate::shader::{ShaderModule, ShaderStage};
use crate::sync::{Event, Fence, Semaphore, Sharing};
use naming::Made;

impl Device {
    /// Returns the first queue: graphics, compute and transfer.
    pub fn queue(&self) -> Queue {
        Queue::new(self)
    }

    /// Returns a queue by its number, or `None` beyond the number of queues of the device. Only semaphores and fences
    /// order the work of several queues, which share the device's threads.
    pub fn queue_at(&self, number: usize) -> Option<Queue> {
        Queue::numbered(self, number)
    }

    /// Waits until all submissions to all queues are done. Returns the error by which the device was lost.
    pub fn wait_idle(&self) -> Result<()> {
        self.check_process()?;
        for executor in self.executors() {
            if !executor.is_idle() {
                self.signal().refuse_in_sink()?;
            }
            executor.wait_idle();
            self.tell_order(|| Submit::SeenIdle(Arc::as_ptr(executor).addr() as u64));
        }
        self.check_lost()
    }

    /// Creates a buffer, unbound.
    pub fn create_buffer(&self, desc: BufferDesc) -> Result<Buffer> {
        Buffer::new(self, desc).made(self)
    }

    /// Creates a sparse buffer, which gets memory page by page: see [`Queue::bind_sparse`].
    pub fn create_sparse_buffer(&self, desc: BufferDesc) -> Result<Buffer> {
        self.check_process()?;
        Buffer::new_sparse(self, desc).made(self)
    }

    /// Creates a buffer whose device address another run of the application may request: `address` is the
    /// [`Buffer::capture_address`] of an earlier run, or `None` for any. The buffer may be sparse. `Invalid` if another
    /// buffer has the address, or if it is the address of no such buffer. Spec: Vulkan,
    /// VkBufferOpaqueCaptureAddressCreateInfo.
    pub fn create_replayable_buffer(
        &self,
        desc: BufferDesc,
        sparse: bool,
        address: Option<u64>,
    ) -> Result<Buffer> {
        self.check_process()?;
        Buffer::new_replayable(self, desc, sparse, address).made(self)
    }

    /// Creates a buffer of zeros, bound to newly allocated memory.
    pub fn create_bound_buffer(&self, desc: BufferDesc) -> Result<Buffer> {
        let buffer = self.create_buffer(desc)?;
        buffer.bind(&self.allocate(buffer.requirements().size)?, 0)?;
        Ok(buffer)
    }

    /// Creates a buffer with the given contents, bound to newly allocated memory.
    pub fn create_buffer_with<T: bytemuck::Pod>(&self, data: &[T], usage: BufferUsage) -> Result<Buffer> {
        let size = size_of_val(data) as u64;
        let buffer = self.create_bound_buffer(BufferDesc { size, usage })?;
        buffer.write(0, data)?;
        Ok(buffer)
    }

    /// Creates an image, unbound.
    pub fn create_image(&self, desc: ImageDesc) -> Result<Image> {
        guard("image", || Image::new(self, desc, None)).made(self)
    }

    /// Creates an image whose texels lie as `planes` describe, with one layout per plane; `Invalid` if the format does
    /// not allow that layout. The image must have one level, layer and sample.
    pub fn create_image_with_layout(&self, desc: ImageDesc, planes: &[PlaneLayout]) -> Result<Image> {
        guard("image", || Image::new(self, desc, Some(planes))).made(self)
    }

    /// Creates an image of zero bytes, bound to newly allocated memory.
    pub fn create_bound_image(&self, desc: ImageDesc) -> Result<Image> {
        let image = self.create_image(desc)?;
        image.bind(&self.allocate(image.requirements().size)?, 0)?;
        Ok(image)
    }

    /// Creates a view of a bound image.
    pub fn create_image_view(&self, image: &Image, desc: ImageViewDesc) -> Result<ImageView> {
        self.check_process()?;
        guard("image view", || ImageView::new(self, image, desc)).made(self)
    }

    /// Creates an acceleration structure, empty until a build or a copy writes it.
    pub fn create_acceleration_structure(
        &self,
        desc: &AccelerationStructureDesc<'_>,
    ) -> Result<AccelerationStructure> {
        self.check_process()?;
        guard("acceleration structure", || AccelerationStructure::new(self, desc)).made(self)
    }

    /// Creates a view of a buffer as an array of texels.
    pub fn create_buffer_view(&self, buffer: &Buffer, desc: BufferViewDesc) -> Result<BufferView> {
        self.check_process()?;
        guard("buffer view", || BufferView::new(self, buffer, desc)).made(self)
    }

    /// Creates a sampler. `Limit` when too many different states are in use.
    pub fn create_sampler(&self, desc: SamplerDesc) -> Result<Sampler> {
        self.check_process()?;
        let sampler = guard("sampler", || Sampler::new(self, desc))?;
        naming::sampler_made(self, sampler.number(), &desc);
        Ok(sampler)
    }

    /// Creates a sampler for descriptors without an image, which lives as long as the device.
    pub fn keep_sampler(&self, desc: SamplerDesc) -> Result<KeptSampler> {
        self.check_process()?;
        let sampler = guard("sampler", || KeptSampler::new(self, desc))?;
        naming::sampler_made(self, sampler.number(), &desc);
        Ok(sampler)
    }

    /// Ends the use of a sampler, so that its number can serve another state. Samplers that are not released live as
    /// long as the device.
    pub fn release_sampler(&self, sampler: Sampler) {
        sampler.release(self);
    }

    /// Creates a descriptor set layout.
    pub fn create_descriptor_set_layout(
        &self,
        bindings: &[DescriptorBinding],
    ) -> Result<DescriptorSetLayout> {
        self.check_process()?;
        guard("descriptor set layout", || DescriptorSetLayout::new(self, bindings, false))
    }

    /// Creates a layout of descriptor sets that lie in buffers. Spec:
    /// VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT.
    pub fn create_descriptor_set_layout_in_buffers(
        &self,
        bindings: &[DescriptorBinding],
    ) -> Result<DescriptorSetLayout> {
        self.check_process()?;
        guard("descriptor set layout", || DescriptorSetLayout::new(self, bindings, true))
    }

    /// Creates a descriptor set, which keeps the objects written to it alive.
    pub fn create_descriptor_set(&self, layout: &DescriptorSetLayout) -> Result<DescriptorSet> {
        self.check_process()?;
        same_device(layout, self)?;
        guard("descriptor set", || Ok(DescriptorSet::new(layout, true)))
    }

    /// Creates a pool of at most `max_sets` sets, for drivers.
    pub fn create_descriptor_pool(&self, max_sets: u32) -> DescriptorPool {
        DescriptorPool::new(self, max_sets)
    }

    /// Creates a pipeline layout of these sets and `push_size` bytes of push constants.
    pub fn create_pipeline_layout(
        &self,
        sets: &[DescriptorSetLayout],
        push_size: u32,
    ) -> Result<PipelineLayout> {
        PipelineLayout::new(self, sets, push_size)
    }

    /// Creates a shader module. Equal words give the same module.
    pub fn create_shader_module(&self, words: &[u32]) -> Result<ShaderModule> {
        self.check_process()?;
        self.shaders().module(self, words).made(self)
    }

    /// Returns the interface of an entry point: bindings, inputs, outputs, workgroup size.
    pub fn reflect(&self, stage: &ShaderStage, kind: Stage) -> Result<Arc<ir::Shader>> {
        self.check_process()?;
        self.shaders().lower(self, stage, kind)
    }

    /// Creates a compute pipeline and compiles its shader.
    pub fn create_compute_pipeline(&self, desc: &ComputePipelineDesc) -> Result<ComputePipeline> {
        self.check_process()?;
        guard("compute pipeline", || ComputePipeline::new(self, desc)).made(self)
    }

    /// Creates a graphics pipeline and compiles its shaders.
    pub fn create_graphics_pipeline(&self, desc: &GraphicsPipelineDesc) -> Result<GraphicsPipeline> {
        self.check_process()?;
        guard("graphics pipeline", || GraphicsPipeline::new(self, desc)).made(self)
    }

    /// Creates a ray tracing pipeline and compiles its shaders.
    pub fn create_ray_tracing_pipeline(&self, desc: &RayTracingPipelineDesc) -> Result<RayTracingPipeline> {
        self.check_process()?;
        guard("ray tracing pipeline", || RayTracingPipeline::new(self, desc)).made(self)
    }

    /// Creates a shader object and compiles its shader.
    pub fn create_shader_object(&self, desc: &ShaderObjectDesc) -> Result<ShaderObject> {
        self.check_process()?;
        guard("shader object", || ShaderObject::new(self, desc))
    }

    /// Creates a render pass.
    pub fn create_render_pass(&self, desc: &RenderPassDesc) -> Result<RenderPass> {
        RenderPass::new(self, desc, None)
    }

    /// Creates a render pass with its subpass dependencies, for the device's watcher: see [`Device::keeps_notes`].
    pub fn create_render_pass_in_order(&self, desc: &RenderPassDesc, order: PassOrder) -> Result<RenderPass> {
        RenderPass::new(self, desc, self.is_explicit().then_some(order))
    }

    /// Creates a framebuffer.
    pub fn create_framebuffer(&self, desc: &FramebufferDesc) -> Result<Framebuffer> {
        Framebuffer::new(self, desc)
    }

    /// Creates a command buffer in the recording state.
    pub fn create_command_buffer(&self) -> CommandBuffer {
        CommandBuffer::new(self)
    }

    /// Creates a query pool. `OutOfMemory` when the heap has no room for its values.
    pub fn create_query_pool(&self, kind: QueryKind, count: u32) -> Result<QueryPool> {
        self.check_process()?;
        QueryPool::new(self, kind, count)
    }

    /// Creates a fence.
    pub fn create_fence(&self, signaled: bool) -> Fence {
        Fence::new(self, signaled)
    }

    /// Creates a fence whose payload can be exported.
    pub fn create_shared_fence(&self, signaled: bool, sharing: Sharing) -> Result<Fence> {
        self.check_process()?;
        Fence::shared(self, signaled, sharing)
    }

    /// Creates a semaphore whose payload can be exported: a binary one, or a timeline with an initial value.
    pub fn create_shared_semaphore(&self, timeline: Option<u64>, sharing: Sharing) -> Result<Semaphore> {
        self.check_process()?;
        Semaphore::shared(self, timeline, sharing)
    }

    /// Creates a binary semaphore.
    pub fn create_semaphore(&self) -> Semaphore {
        Semaphore::new(self, None)
    }

    /// Creates a timeline semaphore with an initial value.
    pub fn create_timeline_semaphore(&self, value: u64) -> Semaphore {
        Semaphore::new(self, Some(value))
    }

    /// Creates an event.
    pub fn create_event(&self) -> Event {
        Event::new(self)
    }
}
