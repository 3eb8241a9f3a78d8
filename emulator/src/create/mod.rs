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

    /// Waits until all submissions to all queues are done.
    ///
    /// # Errors
    /// The error by which the device was lost, if it was lost. `Invalid` in a print sink of the device, whose work
    /// waits for the sink.
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

    /// Returns `true` while a submission runs. One that waits, for semaphores, events or other devices, does not run.
    pub fn is_working(&self) -> bool {
        self.running().any()
    }

    /// Creates a buffer, unbound.
    ///
    /// # Errors
    /// `Invalid` for a size of 0, `Limit` above `max_buffer_size` of [`Limits`](crate::Limits).
    pub fn create_buffer(&self, desc: BufferDesc) -> Result<Buffer> {
        Buffer::new(self, desc).made(self)
    }

    /// Creates a sparse buffer, which gets memory page by page: see [`Queue::bind_sparse`].
    ///
    /// # Errors
    /// Those of [`Device::create_buffer`]. `Unsupported` on a host that cannot map sparse resources, `OutOfMemory` if
    /// the host lacks address space, and `Limit` if too many buffers have device addresses.
    pub fn create_sparse_buffer(&self, desc: BufferDesc) -> Result<Buffer> {
        self.check_process()?;
        Buffer::new_sparse(self, desc).made(self)
    }

    /// Creates a buffer whose device address another run of the application may request: `address` is the
    /// [`Buffer::capture_address`] of an earlier run, or `None` for any. The buffer may be sparse. Spec: Vulkan,
    /// VkBufferOpaqueCaptureAddressCreateInfo.
    ///
    /// # Errors
    /// Those of [`Device::create_buffer`], and of [`Device::create_sparse_buffer`] for a sparse buffer. `Invalid` if
    /// another buffer has the address, or if it is not the address of such a buffer. `Limit` if no address is left.
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
    ///
    /// # Errors
    /// Those of [`Device::create_buffer`]. `OutOfMemory` if the heap or the host is full, and `Limit` if too many
    /// buffers have device addresses.
    pub fn create_bound_buffer(&self, desc: BufferDesc) -> Result<Buffer> {
        let buffer = self.create_buffer(desc)?;
        buffer.bind(&self.allocate(buffer.requirements().size)?, 0)?;
        Ok(buffer)
    }

    /// Creates a buffer with the given contents, bound to newly allocated memory.
    ///
    /// # Errors
    /// Those of [`Device::create_bound_buffer`]; empty `data` is `Invalid`, because a buffer has at least one byte.
    pub fn create_buffer_with<T: bytemuck::Pod>(&self, data: &[T], usage: BufferUsage) -> Result<Buffer> {
        let size = size_of_val(data) as u64;
        let buffer = self.create_bound_buffer(BufferDesc { size, usage })?;
        buffer.write(0, data)?;
        Ok(buffer)
    }

    /// Creates an image, unbound.
    ///
    /// # Errors
    /// `Invalid` unless type, extent, levels, layers, samples and flags go together. `Unsupported` for a format without
    /// images, for a usage that the format does not offer, and for sparse residency of such an image. `Unsupported`
    /// also for sparse images on a host that cannot map them. `Limit` for an extent, a number of layers or a size in
    /// bytes that is too large. `OutOfMemory` if the host lacks address space for a sparse image.
    pub fn create_image(&self, desc: ImageDesc) -> Result<Image> {
        guard("image", || Image::new(self, desc, None)).made(self)
    }

    /// Creates an image whose texels lie as `planes` describe, with one layout per plane. The image must have one
    /// level, layer and sample.
    ///
    /// # Errors
    /// Those of [`Device::create_image`]. `Invalid` if the format does not allow that layout. `Unsupported` for several
    /// levels, layers or samples, for an image that is not 2D or is sparse, and for depth and stencil formats.
    pub fn create_image_with_layout(&self, desc: ImageDesc, planes: &[PlaneLayout]) -> Result<Image> {
        guard("image", || Image::new(self, desc, Some(planes))).made(self)
    }

    /// Creates an image of zero bytes, bound to newly allocated memory.
    ///
    /// # Errors
    /// Those of [`Device::create_image`] and of [`Device::allocate`]. `Invalid` for sparse images and for images with
    /// disjoint planes.
    pub fn create_bound_image(&self, desc: ImageDesc) -> Result<Image> {
        let image = self.create_image(desc)?;
        image.bind(&self.allocate(image.requirements().size)?, 0)?;
        Ok(image)
    }

    /// Creates a view of a bound image.
    ///
    /// # Errors
    /// `Invalid` if the image belongs to another device, is not bound, or has freed memory. `Invalid` also unless the
    /// image has the levels, layers and aspect of the view, in a compatible type and format. `Unsupported` for a format
    /// without image views.
    pub fn create_image_view(&self, image: &Image, desc: ImageViewDesc) -> Result<ImageView> {
        self.check_process()?;
        guard("image view", || ImageView::new(self, image, desc)).made(self)
    }

    /// Creates an acceleration structure, empty until a build or a copy writes it.
    ///
    /// # Errors
    /// `Invalid` if the buffer belongs to another device, lacks the usage or does not have the range, and for an offset
    /// that is not a multiple of 256. `OutOfMemory` if the heap or the host is full.
    pub fn create_acceleration_structure(
        &self,
        desc: &AccelerationStructureDesc<'_>,
    ) -> Result<AccelerationStructure> {
        self.check_process()?;
        guard("acceleration structure", || AccelerationStructure::new(self, desc)).made(self)
    }

    /// Creates a view of a buffer as an array of texels.
    ///
    /// # Errors
    /// `Invalid` if the buffer belongs to another device, lacks the usages `UNIFORM_TEXEL` and `STORAGE_TEXEL`, is not
    /// bound, has freed memory or does not have the range. `Unsupported` for a format without texel buffers, `Limit`
    /// above `max_texel_buffer_elements` of [`Limits`](crate::Limits).
    pub fn create_buffer_view(&self, buffer: &Buffer, desc: BufferViewDesc) -> Result<BufferView> {
        self.check_process()?;
        guard("buffer view", || BufferView::new(self, buffer, desc)).made(self)
    }

    /// Creates a sampler.
    ///
    /// # Errors
    /// `Limit` when too many different states are in use, `Invalid` if a lod of the state is NaN, `OutOfMemory` if the
    /// host lacks memory for the state.
    pub fn create_sampler(&self, desc: SamplerDesc) -> Result<Sampler> {
        self.check_process()?;
        let sampler = guard("sampler", || Sampler::new(self, desc))?;
        naming::sampler_made(self, sampler.number(), &desc);
        Ok(sampler)
    }

    /// Creates a sampler for descriptors without an image, which lives as long as the device.
    ///
    /// # Errors
    /// Those of [`Device::create_sampler`].
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
    ///
    /// # Errors
    /// `Invalid` if a binding number occurs twice, if a binding has immutable samplers but not one per descriptor, and
    /// for samplers of another device. `Limit` for too many descriptors, and for an inline uniform block that is too
    /// large. `OutOfMemory` if the host lacks memory.
    pub fn create_descriptor_set_layout(
        &self,
        bindings: &[DescriptorBinding],
    ) -> Result<DescriptorSetLayout> {
        self.check_process()?;
        guard("descriptor set layout", || DescriptorSetLayout::new(self, bindings, false))
    }

    /// Creates a layout of descriptor sets that lie in buffers. Spec:
    /// VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT.
    ///
    /// # Errors
    /// Those of [`Device::create_descriptor_set_layout`]; `Invalid` also for dynamic buffers.
    pub fn create_descriptor_set_layout_in_buffers(
        &self,
        bindings: &[DescriptorBinding],
    ) -> Result<DescriptorSetLayout> {
        self.check_process()?;
        guard("descriptor set layout", || DescriptorSetLayout::new(self, bindings, true))
    }

    /// Creates a descriptor set, which keeps the objects written to it alive.
    ///
    /// # Errors
    /// `Invalid` for a layout of another device, `OutOfMemory` if the host lacks memory for the set.
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
    ///
    /// # Errors
    /// `Invalid` for a set layout of another device. `Limit` above `max_bound_descriptor_sets` or
    /// `max_push_constants_size` of [`Limits`](crate::Limits), and for too many dynamic buffers.
    pub fn create_pipeline_layout(
        &self,
        sets: &[DescriptorSetLayout],
        push_size: u32,
    ) -> Result<PipelineLayout> {
        PipelineLayout::new(self, sets, push_size)
    }

    /// Creates a shader module. Equal words give the same module.
    ///
    /// # Errors
    /// `Invalid` if the words are not valid SPIR-V, `Unsupported` for a capability or another feature of the module
    /// that Quadrille lacks. `Limit` for a module that is too large or exceeds the compile budget, `OutOfMemory` if the
    /// host lacks memory to parse it. Some mistakes inside of functions are found only when a pipeline is created.
    pub fn create_shader_module(&self, words: &[u32]) -> Result<ShaderModule> {
        self.check_process()?;
        self.shaders().module(self, words).made(self)
    }

    /// Returns the interface of an entry point: bindings, inputs, outputs, workgroup size.
    ///
    /// # Errors
    /// `Invalid` if the module belongs to another device, lacks the entry point, or breaks a rule of SPIR-V.
    /// `Unsupported`, `Limit` and `OutOfMemory` as for [`Device::create_shader_module`].
    pub fn reflect(&self, stage: &ShaderStage, kind: Stage) -> Result<Arc<ir::Shader>> {
        self.check_process()?;
        self.shaders().lower(self, stage, kind)
    }

    /// Creates a compute pipeline and compiles its shader.
    ///
    /// # Errors
    /// Those of [`Device::reflect`]. `Invalid` also for a layout of another device, a layout that lacks resources or
    /// push constants of the shader, and a subgroup size other than 4, 8, 16 and 32. `Limit` also for a shader that
    /// exceeds [`Limits`](crate::Limits), such as its workgroup size.
    pub fn create_compute_pipeline(&self, desc: &ComputePipelineDesc) -> Result<ComputePipeline> {
        self.check_process()?;
        guard("compute pipeline", || ComputePipeline::new(self, desc)).made(self)
    }

    /// Creates a graphics pipeline and compiles its shaders.
    ///
    /// # Errors
    /// Those of [`Device::create_compute_pipeline`], for each stage. `Invalid` also if the stages, their interfaces,
    /// the topology or the state do not go together. `Unsupported` for a number of samples, and for formats that cannot
    /// be attachments. `Limit` for too many attachments, viewports, vertex bindings or attributes.
    pub fn create_graphics_pipeline(&self, desc: &GraphicsPipelineDesc) -> Result<GraphicsPipeline> {
        self.check_process()?;
        guard("graphics pipeline", || GraphicsPipeline::new(self, desc)).made(self)
    }

    /// Creates a ray tracing pipeline and compiles its shaders.
    ///
    /// # Errors
    /// Those of [`Device::create_compute_pipeline`], for each stage. `Invalid` also for stages and groups that do not
    /// go together, and for a library with another layout or recursion depth. `Limit` for a recursion depth or a number
    /// of groups that is too large.
    pub fn create_ray_tracing_pipeline(&self, desc: &RayTracingPipelineDesc) -> Result<RayTracingPipeline> {
        self.check_process()?;
        guard("ray tracing pipeline", || RayTracingPipeline::new(self, desc)).made(self)
    }

    /// Creates a shader object and compiles its shader.
    ///
    /// # Errors
    /// Those of [`Device::create_compute_pipeline`]; `Unsupported` also for the stages of ray tracing pipelines.
    pub fn create_shader_object(&self, desc: &ShaderObjectDesc) -> Result<ShaderObject> {
        self.check_process()?;
        guard("shader object", || ShaderObject::new(self, desc))
    }

    /// Creates a render pass.
    ///
    /// # Errors
    /// `Invalid` without subpasses, for an attachment that is not described, and for resolve attachments that are not
    /// one per colour attachment. `Limit` for too many colour attachments.
    pub fn create_render_pass(&self, desc: &RenderPassDesc) -> Result<RenderPass> {
        RenderPass::new(self, desc, None)
    }

    /// Creates a render pass with its subpass dependencies, for the device's watcher: see [`Device::keeps_notes`].
    ///
    /// # Errors
    /// Those of [`Device::create_render_pass`].
    pub fn create_render_pass_in_order(&self, desc: &RenderPassDesc, order: PassOrder) -> Result<RenderPass> {
        RenderPass::new(self, desc, self.is_explicit().then_some(order))
    }

    /// Creates a framebuffer.
    ///
    /// # Errors
    /// `Invalid` for a view of another device, `Limit` for a width, height or number of layers that is too large.
    pub fn create_framebuffer(&self, desc: &FramebufferDesc) -> Result<Framebuffer> {
        Framebuffer::new(self, desc)
    }

    /// Creates a command buffer in the recording state.
    pub fn create_command_buffer(&self) -> CommandBuffer {
        CommandBuffer::new(self)
    }

    /// Creates a query pool.
    ///
    /// # Errors
    /// `OutOfMemory` when the heap or the host has no room for its values.
    pub fn create_query_pool(&self, kind: QueryKind, count: u32) -> Result<QueryPool> {
        self.check_process()?;
        QueryPool::new(self, kind, count)
    }

    /// Creates a fence.
    pub fn create_fence(&self, signaled: bool) -> Fence {
        Fence::new(self, signaled)
    }

    /// Creates a fence whose payload can be exported.
    ///
    /// # Errors
    /// `OutOfMemory` if the system refuses the file that [`Sharing::Reference`] needs.
    pub fn create_shared_fence(&self, signaled: bool, sharing: Sharing) -> Result<Fence> {
        self.check_process()?;
        Fence::shared(self, signaled, sharing)
    }

    /// Creates a semaphore whose payload can be exported: a binary one, or a timeline with an initial value.
    ///
    /// # Errors
    /// `OutOfMemory` if the system refuses the file that [`Sharing::Reference`] needs. `Invalid` for a timeline and
    /// [`Sharing::Copy`].
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
