//! Objects of a device: the calls that make them.

use std::sync::Arc;

use quadrille_jit::interp::events::Submit;
use quadrille_jit::ir::{self, Stage};
use quadrille_raster::image::PlaneLayout;

use crate::buffer::{Buffer, BufferDesc};
use crate::buffer_view::{BufferView, BufferViewDesc};
use crate::command::CommandBuffer;
use crate::descriptor::{
    DescriptorBinding, DescriptorKind, DescriptorPool, DescriptorSet, DescriptorSetLayout,
};
use crate::device::Device;
use crate::error::{Result, guard};
use crate::image::{Image, ImageDesc, ImageView, ImageViewDesc};
use crate::naming::{self, Made};
use crate::object::same_device;
use crate::pass_order::PassOrder;
use crate::pipeline::{
    ComputePipeline, ComputePipelineDesc, GraphicsPipeline, GraphicsPipelineDesc, ShaderObject,
    ShaderObjectDesc,
};
use crate::pipeline_layout::PipelineLayout;
use crate::query::{QueryKind, QueryPool};
use crate::queue::Queue;
use crate::render_pass::{Framebuffer, FramebufferDesc, RenderPass, RenderPassDesc};
use crate::sampler::{Sampler, SamplerDesc};
use crate::shader::{ShaderModule, ShaderStage};
use crate::sync::{Event, Fence, Semaphore, Sharing};

impl Device {
    /// Its first queue: graphics, compute and transfer.
    pub fn queue(&self) -> Queue {
        Queue::new(self)
    }

    /// A queue by its number, as many as the device was made with. Only semaphores and fences order the work of
    /// several; they share the device's threads.
    pub fn queue_at(&self, number: usize) -> Option<Queue> {
        Queue::numbered(self, number)
    }

    /// Waits until everything submitted to any queue is done; the error by which the device was lost.
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

    /// A buffer that is yet to be bound to memory.
    pub fn create_buffer(&self, desc: BufferDesc) -> Result<Buffer> {
        Buffer::new(self, desc, 0).made(self)
    }

    /// A buffer that gets memory in pieces: see [`Queue::bind_sparse`].
    pub fn create_sparse_buffer(&self, desc: BufferDesc) -> Result<Buffer> {
        self.check_process()?;
        Buffer::new_sparse(self, desc).made(self)
    }

    /// The same for memory of the host, of which it needs a little more than it has bytes: shaders may read the
    /// beginning of a range, though never see it, where the range is empty or too short.
    pub fn create_buffer_in_host_memory(&self, desc: BufferDesc) -> Result<Buffer> {
        Buffer::new(self, desc, quadrille_jit::abi::PAD_BYTES).made(self)
    }

    /// A buffer of zeros with memory of its own.
    pub fn create_bound_buffer(&self, desc: BufferDesc) -> Result<Buffer> {
        let buffer = self.create_buffer(desc)?;
        buffer.bind(&self.allocate(buffer.requirements().size)?, 0)?;
        Ok(buffer)
    }

    /// A buffer with memory of its own and these contents.
    pub fn create_buffer_with<T: bytemuck::Pod>(
        &self,
        data: &[T],
        usage: crate::BufferUsage,
    ) -> Result<Buffer> {
        let size = size_of_val(data) as u64;
        let buffer = self.create_bound_buffer(BufferDesc { size, usage })?;
        buffer.write(0, data)?;
        Ok(buffer)
    }

    /// An image that is yet to be bound to memory.
    pub fn create_image(&self, desc: ImageDesc) -> Result<Image> {
        guard("image", || Image::new(self, desc, None)).made(self)
    }

    /// An image that somebody else has laid out, with one layout for each plane: `Invalid` if its texels cannot lie
    /// so. It has one level, layer and sample.
    pub fn create_image_with_layout(&self, desc: ImageDesc, planes: &[PlaneLayout]) -> Result<Image> {
        guard("image", || Image::new(self, desc, Some(planes))).made(self)
    }

    /// An image with memory of its own, all zero bytes.
    pub fn create_bound_image(&self, desc: ImageDesc) -> Result<Image> {
        let image = self.create_image(desc)?;
        image.bind(&self.allocate(image.requirements().size)?, 0)?;
        Ok(image)
    }

    /// A view of an image that is bound to memory.
    pub fn create_image_view(&self, image: &Image, desc: ImageViewDesc) -> Result<ImageView> {
        self.check_process()?;
        guard("image view", || ImageView::new(self, image, desc)).made(self)
    }

    /// A view of a buffer as a list of texels.
    pub fn create_buffer_view(&self, buffer: &Buffer, desc: BufferViewDesc) -> Result<BufferView> {
        self.check_process()?;
        guard("buffer view", || BufferView::new(self, buffer, desc)).made(self)
    }

    /// A sampler. `Limit` when too many different states are in use.
    pub fn create_sampler(&self, desc: SamplerDesc) -> Result<Sampler> {
        self.check_process()?;
        let sampler = guard("sampler", || Sampler::new(self, desc))?;
        naming::sampler_made(self, sampler, &desc);
        Ok(sampler)
    }

    /// Ends the use of a sampler: its number may then serve another state. Samplers that are not released
    /// stay for the life of the device.
    pub fn release_sampler(&self, sampler: Sampler) {
        sampler.release(self);
    }

    /// A descriptor set layout.
    pub fn create_descriptor_set_layout(
        &self,
        bindings: &[DescriptorBinding],
    ) -> Result<DescriptorSetLayout> {
        self.check_process()?;
        guard("descriptor set layout", || DescriptorSetLayout::new(self, bindings, false))
    }

    /// Likewise, of sets that are in buffers. Spec: VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT.
    pub fn create_descriptor_set_layout_in_buffers(
        &self,
        bindings: &[DescriptorBinding],
    ) -> Result<DescriptorSetLayout> {
        self.check_process()?;
        guard("descriptor set layout", || DescriptorSetLayout::new(self, bindings, true))
    }

    /// A descriptor set that keeps alive what is written to it.
    pub fn create_descriptor_set(&self, layout: &DescriptorSetLayout) -> Result<DescriptorSet> {
        self.check_process()?;
        same_device(layout, self)?;
        guard("descriptor set", || Ok(DescriptorSet::new(layout, true)))
    }

    /// A descriptor pool, for drivers.
    pub fn create_descriptor_pool(&self, max_sets: u32, sizes: &[(DescriptorKind, u32)]) -> DescriptorPool {
        DescriptorPool::new(self, max_sets, sizes)
    }

    /// A pipeline layout of these sets and so many bytes of push constants.
    pub fn create_pipeline_layout(
        &self,
        sets: &[DescriptorSetLayout],
        push_size: u32,
    ) -> Result<PipelineLayout> {
        PipelineLayout::new(self, sets, push_size)
    }

    /// A shader module. The same words give the same module.
    pub fn create_shader_module(&self, words: &[u32]) -> Result<ShaderModule> {
        self.check_process()?;
        self.shaders().module(self, words).made(self)
    }

    /// What an entry point uses: bindings, inputs, outputs, workgroup size.
    pub fn reflect(&self, stage: &ShaderStage, kind: Stage) -> Result<Arc<ir::Shader>> {
        self.check_process()?;
        self.shaders().lower(self, stage, kind)
    }

    /// A compute pipeline; compiles its shader.
    pub fn create_compute_pipeline(&self, desc: &ComputePipelineDesc) -> Result<ComputePipeline> {
        self.check_process()?;
        guard("compute pipeline", || ComputePipeline::new(self, desc)).made(self)
    }

    /// A graphics pipeline; compiles its shaders.
    pub fn create_graphics_pipeline(&self, desc: &GraphicsPipelineDesc) -> Result<GraphicsPipeline> {
        self.check_process()?;
        guard("graphics pipeline", || GraphicsPipeline::new(self, desc)).made(self)
    }

    /// A shader object; compiles its shader.
    pub fn create_shader_object(&self, desc: &ShaderObjectDesc) -> Result<ShaderObject> {
        self.check_process()?;
        guard("shader object", || ShaderObject::new(self, desc))
    }

    /// A render pass.
    pub fn create_render_pass(&self, desc: &RenderPassDesc) -> Result<RenderPass> {
        RenderPass::new(self, desc, None)
    }

    /// The same, with what orders its subpasses, for those who watch: see [`Device::keeps_notes`].
    pub fn create_render_pass_in_order(&self, desc: &RenderPassDesc, order: PassOrder) -> Result<RenderPass> {
        RenderPass::new(self, desc, self.is_explicit().then_some(order))
    }

    /// A framebuffer.
    pub fn create_framebuffer(&self, desc: &FramebufferDesc) -> Result<Framebuffer> {
        Framebuffer::new(self, desc)
    }

    /// A command buffer, in the recording state.
    pub fn create_command_buffer(&self) -> CommandBuffer {
        CommandBuffer::new(self)
    }

    /// A query pool. `OutOfMemory` when the heap has no room for its values.
    pub fn create_query_pool(&self, kind: QueryKind, count: u32) -> Result<QueryPool> {
        self.check_process()?;
        QueryPool::new(self, kind, count)
    }

    /// A fence.
    pub fn create_fence(&self, signaled: bool) -> Fence {
        Fence::new(self, signaled)
    }

    /// A fence whose payload others can have.
    pub fn create_shared_fence(&self, signaled: bool, sharing: Sharing) -> Result<Fence> {
        self.check_process()?;
        Fence::shared(self, signaled, sharing)
    }

    /// A semaphore whose payload others can have: binary, or a counter that begins with a value.
    pub fn create_shared_semaphore(&self, timeline: Option<u64>, sharing: Sharing) -> Result<Semaphore> {
        self.check_process()?;
        Semaphore::shared(self, timeline, sharing)
    }

    /// A binary semaphore.
    pub fn create_semaphore(&self) -> Semaphore {
        Semaphore::new(self, None)
    }

    /// A timeline semaphore.
    pub fn create_timeline_semaphore(&self, value: u64) -> Semaphore {
        Semaphore::new(self, Some(value))
    }

    /// An event.
    pub fn create_event(&self) -> Event {
        Event::new(self)
    }
}
