//! A device whose commands are checked: buffers, images, pipelines, and short methods to record commands. Reports of
//! races between commands are printed.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod objects;
mod ranges;

use std::ffi::{CStr, c_void};

use ash::vk;
use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
use vk::{AccessFlags as A, ImageLayout as L, PipelineStageFlags as S};

use super::{Gpu, Picture, WHOLE};
use objects::{buffer, draw, sum};

/// Number of words of each buffer.
pub const N: u32 = 64;
/// Width and height of each image, in pixels.
pub const SIZE: u32 = 8;
const FORMAT: vk::Format = vk::Format::R8G8B8A8_UNORM;

/// Stages and accesses of one side of a barrier.
pub type Half = (S, A);

pub const FILL: Half = (S::TRANSFER, A::TRANSFER_WRITE);
pub const COPIED: Half = (S::TRANSFER, A::TRANSFER_READ);
pub const SHADER_READ: Half = (S::COMPUTE_SHADER, A::SHADER_READ);
pub const SHADER_WRITE: Half = (S::COMPUTE_SHADER, A::SHADER_WRITE);
pub const COLOR_WRITE: Half = (S::COLOR_ATTACHMENT_OUTPUT, A::COLOR_ATTACHMENT_WRITE);
pub const COLOR: Half = (
    S::COLOR_ATTACHMENT_OUTPUT,
    A::from_raw(A::COLOR_ATTACHMENT_WRITE.as_raw() | A::COLOR_ATTACHMENT_READ.as_raw()),
);
pub const ALL: Half = (S::ALL_COMMANDS, A::from_raw(A::MEMORY_READ.as_raw() | A::MEMORY_WRITE.as_raw()));

/// Prints the reported races between commands and wrong layouts.
///
/// # Safety
/// `data` is a valid structure with a message name and a message.
unsafe extern "system" fn hear(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the driver passes a valid structure with a name and a message.
    let [id, text] = unsafe { [(*data).p_message_id_name, (*data).p_message] }
        .map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
    let line = text.lines().next().unwrap_or_default();
    match &*id {
        "race-commands" => println!("heard {line}"),
        "wrong-layout" => println!("told {line}"),
        _ => {}
    }
    vk::FALSE
}

/// A checked device with its objects, which live as long as the process.
pub struct Lab {
    pub gpu: Gpu,
    /// Three queues of one family.
    pub queues: [vk::Queue; 3],
    pub utils: ash::ext::debug_utils::Device,
    pub sync2: ash::khr::synchronization2::Device,
    pub rendering: ash::khr::dynamic_rendering::Device,
    pub timeline: ash::khr::timeline_semaphore::Device,
    pub conditional: ash::ext::conditional_rendering::Device,
    pub host_copy: ash::ext::host_image_copy::Device,
    pub buffers: [vk::Buffer; 3],
    pub pictures: [Picture; 2],
    sum: (vk::PipelineLayout, vk::Pipeline, vk::DescriptorSet),
    draws: [vk::Pipeline; 2],
}

const EXTENSIONS: [&CStr; 9] = [
    c"VK_KHR_synchronization2",
    c"VK_KHR_dynamic_rendering",
    c"VK_KHR_timeline_semaphore",
    c"VK_EXT_conditional_rendering",
    c"VK_KHR_copy_commands2",
    c"VK_KHR_format_feature_flags2",
    c"VK_EXT_host_image_copy",
    c"VK_KHR_buffer_device_address",
    c"VK_KHR_device_address_commands",
];

impl Lab {
    pub fn new() -> Lab {
        let mut sync2 = vk::PhysicalDeviceSynchronization2Features::default().synchronization2(true);
        let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let mut timeline = vk::PhysicalDeviceTimelineSemaphoreFeatures::default().timeline_semaphore(true);
        let mut conditional =
            vk::PhysicalDeviceConditionalRenderingFeaturesEXT::default().conditional_rendering(true);
        let mut host_copy = vk::PhysicalDeviceHostImageCopyFeaturesEXT::default().host_image_copy(true);
        let mut address =
            vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
        let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0; 3])];
        let gpu = Gpu::with_all(&queues, &[c"VK_EXT_debug_utils"], &EXTENSIONS, |info| {
            info.push_next(&mut sync2)
                .push_next(&mut rendering)
                .push_next(&mut timeline)
                .push_next(&mut conditional)
                .push_next(&mut host_copy)
                .push_next(&mut address)
        })
        .unwrap();
        let (i, d) = (&gpu.instance, &gpu.device);
        let instance_utils = ash::ext::debug_utils::Instance::new(&vk_quadrille::entry(), i);
        let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(Severity::ERROR | Severity::INFO)
            .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
            .pfn_user_callback(Some(hear));
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        let all = unsafe {
            instance_utils.create_debug_utils_messenger(&info, None).unwrap();
            [0, 1, 2].map(|n| d.get_device_queue(0, n))
        };
        let utils = ash::ext::debug_utils::Device::new(i, d);
        let sync2 = ash::khr::synchronization2::Device::new(i, d);
        let rendering = ash::khr::dynamic_rendering::Device::new(i, d);
        let timeline = ash::khr::timeline_semaphore::Device::new(i, d);
        let conditional = ash::ext::conditional_rendering::Device::new(i, d);
        let host_copy = ash::ext::host_image_copy::Device::new(i, d);
        let buffers = [(); 3].map(|()| buffer(&gpu));
        let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT
            | vk::ImageUsageFlags::TRANSFER_SRC
            | vk::ImageUsageFlags::TRANSFER_DST
            | vk::ImageUsageFlags::INPUT_ATTACHMENT
            | vk::ImageUsageFlags::HOST_TRANSFER_EXT;
        let pictures = [(); 2].map(|()| gpu.image(FORMAT, SIZE, usage));
        let (sum, draws) = (sum(&gpu, &buffers), [draw(&gpu, false), draw(&gpu, true)]);
        Lab {
            queues: all,
            utils,
            sync2,
            rendering,
            timeline,
            conditional,
            host_copy,
            buffers,
            pictures,
            sum,
            draws,
            gpu,
        }
    }

    /// Records a command buffer.
    pub fn record(&self, record: impl FnOnce(vk::CommandBuffer)) -> vk::CommandBuffer {
        let info =
            vk::CommandBufferAllocateInfo::default().command_pool(self.gpu.pool).command_buffer_count(1);
        let d = &self.gpu.device;
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let cmd = d.allocate_command_buffers(&info).unwrap()[0];
            d.begin_command_buffer(cmd, &Default::default()).unwrap();
            record(cmd);
            d.end_command_buffer(cmd).unwrap();
            cmd
        }
    }

    /// Records, submits and waits.
    pub fn run(&self, record: impl FnOnce(vk::CommandBuffer)) {
        self.gpu.run(record);
    }

    /// Records and submits to a queue; the submission waits for a semaphore at a stage, and signals one.
    pub fn submit(
        &self,
        queue: usize,
        wait: Option<(vk::Semaphore, S)>,
        signal: Option<vk::Semaphore>,
        record: impl FnOnce(vk::CommandBuffer),
    ) {
        let cmd = [self.record(record)];
        let (waits, stages): (Vec<_>, Vec<_>) = wait.into_iter().unzip();
        let signals: Vec<_> = signal.into_iter().collect();
        let info = vk::SubmitInfo::default()
            .command_buffers(&cmd)
            .wait_semaphores(&waits)
            .wait_dst_stage_mask(&stages)
            .signal_semaphores(&signals);
        // SAFETY: valid usage of Vulkan: the queue, the command buffers and the semaphores are live.
        unsafe { self.gpu.device.queue_submit(self.queues[queue], &[info], vk::Fence::null()).unwrap() };
    }

    /// Records and submits with values of timeline semaphores and with a fence.
    pub fn submit_counted(
        &self,
        queue: usize,
        semaphore: vk::Semaphore,
        [wait, signal]: [Option<u64>; 2],
        record: impl FnOnce(vk::CommandBuffer),
    ) {
        let cmd = [vk::CommandBufferSubmitInfo::default().command_buffer(self.record(record))];
        let of = |value: u64| {
            let info = vk::SemaphoreSubmitInfo::default().semaphore(semaphore).value(value);
            info.stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)
        };
        let (waits, signals): (Vec<_>, Vec<_>) =
            (wait.map(of).into_iter().collect(), signal.map(of).into_iter().collect());
        let info = vk::SubmitInfo2::default()
            .command_buffer_infos(&cmd)
            .wait_semaphore_infos(&waits)
            .signal_semaphore_infos(&signals);
        // SAFETY: valid usage of Vulkan: the queue, the command buffers and the semaphores are live.
        unsafe { self.sync2.queue_submit2(self.queues[queue], &[info], vk::Fence::null()).unwrap() };
    }

    pub fn semaphore(&self) -> vk::Semaphore {
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        unsafe { self.gpu.device.create_semaphore(&Default::default(), None).unwrap() }
    }

    /// Creates a timeline semaphore with value 0.
    pub fn counter(&self) -> vk::Semaphore {
        let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        unsafe { self.gpu.device.create_semaphore(&info, None).unwrap() }
    }

    pub fn event(&self) -> vk::Event {
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        unsafe { self.gpu.device.create_event(&Default::default(), None).unwrap() }
    }

    /// Fills buffers 0 and 1, which shaders read.
    pub fn ready(&self) {
        self.run(|c| self.fill(c, 0));
        self.run(|c| self.fill(c, 1));
    }

    /// Waits until all queues are idle.
    pub fn idle(&self) {
        // SAFETY: valid usage of Vulkan: the objects to wait for are live.
        unsafe { self.gpu.device.device_wait_idle().unwrap() };
    }

    pub fn wait_counter(&self, semaphore: vk::Semaphore, value: u64) {
        let (semaphores, values) = ([semaphore], [value]);
        let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
        // SAFETY: valid usage of Vulkan: the objects to wait for are live.
        unsafe { self.timeline.wait_semaphores(&info, u64::MAX).unwrap() };
    }

    /// Records a secondary command buffer.
    pub fn secondary(&self, record: impl FnOnce(vk::CommandBuffer)) -> vk::CommandBuffer {
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(self.gpu.pool)
            .level(vk::CommandBufferLevel::SECONDARY)
            .command_buffer_count(1);
        let inheritance = vk::CommandBufferInheritanceInfo::default();
        let begin = vk::CommandBufferBeginInfo::default().inheritance_info(&inheritance);
        let d = &self.gpu.device;
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let cmd = d.allocate_command_buffers(&info).unwrap()[0];
            d.begin_command_buffer(cmd, &begin).unwrap();
            record(cmd);
            d.end_command_buffer(cmd).unwrap();
            cmd
        }
    }

    pub fn execute(&self, cmd: vk::CommandBuffer, secondary: vk::CommandBuffer) {
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_execute_commands(cmd, &[secondary]) };
    }

    /// Records commands within a label.
    pub fn label(&self, cmd: vk::CommandBuffer, label: &str, record: impl FnOnce()) {
        let label = std::ffi::CString::new(label).unwrap();
        let info = vk::DebugUtilsLabelEXT::default().label_name(&label);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            self.utils.cmd_begin_debug_utils_label(cmd, &info);
            record();
            self.utils.cmd_end_debug_utils_label(cmd);
        }
    }

    /// Records an update of two words of a buffer.
    pub fn update(&self, cmd: vk::CommandBuffer, buffer: usize) {
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_update_buffer(cmd, self.buffers[buffer], 0, &[0; 8]) };
    }

    /// Records a copy of a query result to a buffer.
    pub fn query(&self, cmd: vk::CommandBuffer, buffer: usize) {
        let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::OCCLUSION).query_count(1);
        let (d, to, flags) = (&self.gpu.device, self.buffers[buffer], vk::QueryResultFlags::TYPE_64);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let pool = d.create_query_pool(&info, None).unwrap();
            d.cmd_reset_query_pool(cmd, pool, 0, 1);
            d.cmd_copy_query_pool_results(cmd, pool, 0, 1, to, 0, 8, flags);
        }
    }

    /// Records commands that run if the first word of buffer 0 is not zero.
    pub fn condition(&self, cmd: vk::CommandBuffer, record: impl FnOnce()) {
        let info = vk::ConditionalRenderingBeginInfoEXT::default().buffer(self.buffers[0]);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            (self.conditional.fp().cmd_begin_conditional_rendering_ext)(cmd, &info);
            record();
            (self.conditional.fp().cmd_end_conditional_rendering_ext)(cmd);
        }
    }

    /// Records the setting of an event after some stages.
    pub fn set(&self, cmd: vk::CommandBuffer, stages: S) -> vk::Event {
        let event = self.event();
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_set_event(cmd, event, stages) };
        event
    }

    pub fn wait_event(&self, cmd: vk::CommandBuffer, event: vk::Event, src: Half, dst: Half) {
        let barrier = vk::MemoryBarrier::default().src_access_mask(src.1).dst_access_mask(dst.1);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_wait_events(cmd, &[event], src.0, dst.0, &[barrier], &[], &[]) };
    }

    /// Records the setting of an event, the commands of `between`, and a wait for the event.
    pub fn event2(&self, cmd: vk::CommandBuffer, halves: (Half, Half), between: impl FnOnce()) {
        let (event, barrier) = (self.event(), [barrier2(halves)]);
        let info = vk::DependencyInfo::default().memory_barriers(&barrier);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            self.sync2.cmd_set_event2(cmd, event, &info);
            between();
            self.sync2.cmd_wait_events2(cmd, &[event], &[info]);
        }
    }

    /// Records several memory barriers in one command.
    pub fn barriers2(&self, cmd: vk::CommandBuffer, all: &[(Half, Half)]) {
        let barriers: Vec<_> = all.iter().map(|halves| barrier2(*halves)).collect();
        let info = vk::DependencyInfo::default().memory_barriers(&barriers);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.sync2.cmd_pipeline_barrier2(cmd, &info) };
    }

    pub fn fill(&self, cmd: vk::CommandBuffer, buffer: usize) {
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_fill_buffer(cmd, self.buffers[buffer], 0, vk::WHOLE_SIZE, 0) };
    }

    /// Records a copy of `n` words from one buffer to another; `from` and `to` are buffer and first word.
    pub fn copy_words(&self, cmd: vk::CommandBuffer, from: (usize, u32), to: (usize, u32), n: u32) {
        let region = vk::BufferCopy {
            src_offset: u64::from(from.1) * 4,
            dst_offset: u64::from(to.1) * 4,
            size: u64::from(n) * 4,
        };
        let [src, dst] = [from, to].map(|(buffer, _)| self.buffers[buffer]);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_copy_buffer(cmd, src, dst, &[region]) };
    }

    pub fn copy(&self, cmd: vk::CommandBuffer, from: usize, to: usize) {
        self.copy_words(cmd, (from, 0), (to, 0), N);
    }

    /// Records the sum of `n` words of buffers 0 and 1 into buffer 2.
    pub fn sum(&self, cmd: vk::CommandBuffer, n: u32) {
        let (d, (layout, pipeline, set)) = (&self.gpu.device, self.sum);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, pipeline);
            d.cmd_bind_descriptor_sets(cmd, vk::PipelineBindPoint::COMPUTE, layout, 0, &[set], &[]);
            d.cmd_push_constants(cmd, layout, vk::ShaderStageFlags::COMPUTE, 0, &n.to_ne_bytes());
            d.cmd_dispatch(cmd, 1, 1, 1);
        }
    }

    /// Records the sum as an indirect dispatch, with the number of workgroups in buffer 1.
    pub fn sum_indirect(&self, cmd: vk::CommandBuffer) {
        let (d, (layout, pipeline, set)) = (&self.gpu.device, self.sum);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, pipeline);
            d.cmd_bind_descriptor_sets(cmd, vk::PipelineBindPoint::COMPUTE, layout, 0, &[set], &[]);
            d.cmd_push_constants(cmd, layout, vk::ShaderStageFlags::COMPUTE, 0, &N.to_ne_bytes());
            d.cmd_dispatch_indirect(cmd, self.buffers[1], 0);
        }
    }

    /// Records a global memory barrier.
    pub fn barrier(&self, cmd: vk::CommandBuffer, src: Half, dst: Half) {
        let barrier = vk::MemoryBarrier::default().src_access_mask(src.1).dst_access_mask(dst.1);
        let flags = vk::DependencyFlags::empty();
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_pipeline_barrier(cmd, src.0, dst.0, flags, &[barrier], &[], &[]) };
    }

    /// Records an execution barrier, without memory accesses.
    pub fn wait(&self, cmd: vk::CommandBuffer, src: S, dst: S) {
        let flags = vk::DependencyFlags::empty();
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_pipeline_barrier(cmd, src, dst, flags, &[], &[], &[]) };
    }

    /// Records a barrier of some words of a buffer.
    pub fn buffer_barrier(&self, cmd: vk::CommandBuffer, words: (usize, u32, u32), src: Half, dst: Half) {
        let (buffer, first, n) = words;
        let barrier = vk::BufferMemoryBarrier::default()
            .src_access_mask(src.1)
            .dst_access_mask(dst.1)
            .buffer(self.buffers[buffer])
            .offset(u64::from(first) * 4)
            .size(u64::from(n) * 4);
        let flags = vk::DependencyFlags::empty();
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_pipeline_barrier(cmd, src.0, dst.0, flags, &[], &[barrier], &[]) };
    }

    /// Records an image barrier with a layout transition.
    pub fn image_barrier(
        &self,
        cmd: vk::CommandBuffer,
        picture: usize,
        layouts: [L; 2],
        src: Half,
        dst: Half,
    ) {
        let barrier = vk::ImageMemoryBarrier::default()
            .src_access_mask(src.1)
            .dst_access_mask(dst.1)
            .old_layout(layouts[0])
            .new_layout(layouts[1])
            .image(self.pictures[picture].image)
            .subresource_range(WHOLE);
        let flags = vk::DependencyFlags::empty();
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_pipeline_barrier(cmd, src.0, dst.0, flags, &[], &[], &[barrier]) };
    }

    pub fn clear(&self, cmd: vk::CommandBuffer, picture: usize) {
        let (image, color) = (self.pictures[picture].image, vk::ClearColorValue::default());
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_clear_color_image(cmd, image, L::GENERAL, &color, &[WHOLE]) };
    }

    /// Records a copy of some columns of an image to the same place of another image.
    pub fn copy_columns(&self, cmd: vk::CommandBuffer, from: usize, to: usize, columns: [i32; 2]) {
        let region = self.pictures[0].region();
        let offset = |x: i32| vk::Offset3D { x, y: 0, z: 0 };
        let region = vk::ImageCopy::default()
            .src_subresource(region.image_subresource)
            .dst_subresource(region.image_subresource)
            .src_offset(offset(columns[0]))
            .dst_offset(offset(columns[0]))
            .extent(vk::Extent3D { width: (columns[1] - columns[0]) as u32, height: SIZE, depth: 1 });
        let [src, dst] = [from, to].map(|n| self.pictures[n].image);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_copy_image(cmd, src, L::GENERAL, dst, L::GENERAL, &[region]) };
    }

    /// Records a blit of a whole image to another.
    pub fn blit(&self, cmd: vk::CommandBuffer, from: usize, to: usize) {
        let layers = self.pictures[0].region().image_subresource;
        let corners = [vk::Offset3D::default(), vk::Offset3D { x: SIZE as i32, y: SIZE as i32, z: 1 }];
        let region = vk::ImageBlit {
            src_subresource: layers,
            src_offsets: corners,
            dst_subresource: layers,
            dst_offsets: corners,
        };
        let [src, dst] = [from, to].map(|n| self.pictures[n].image);
        let filter = vk::Filter::NEAREST;
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_blit_image(cmd, src, L::GENERAL, dst, L::GENERAL, &[region], filter) };
    }

    /// Records a copy of a whole image to a buffer.
    pub fn copy_out(&self, cmd: vk::CommandBuffer, picture: usize, buffer: usize) {
        let (from, region) = (&self.pictures[picture], [self.pictures[picture].region()]);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe {
            self.gpu.device.cmd_copy_image_to_buffer(
                cmd,
                from.image,
                L::GENERAL,
                self.buffers[buffer],
                &region,
            );
        }
    }

    /// Records rendering to an image.
    pub fn render(
        &self,
        cmd: vk::CommandBuffer,
        picture: usize,
        (load, store): (vk::AttachmentLoadOp, vk::AttachmentStoreOp),
        flags: vk::RenderingFlags,
        draws: impl FnOnce(),
    ) {
        let color = [vk::RenderingAttachmentInfo::default()
            .image_view(self.pictures[picture].view)
            .image_layout(L::GENERAL)
            .load_op(load)
            .store_op(store)];
        let extent = vk::Extent2D { width: SIZE, height: SIZE };
        let info = vk::RenderingInfo::default()
            .render_area(vk::Rect2D { extent, ..Default::default() })
            .layer_count(1)
            .color_attachments(&color)
            .flags(flags);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            self.rendering.cmd_begin_rendering(cmd, &info);
            draws();
            self.rendering.cmd_end_rendering(cmd);
        }
    }

    /// Records rendering to image 1, which no other command of the list accesses.
    pub fn plain(&self, cmd: vk::CommandBuffer, draws: impl FnOnce()) {
        let operations = (vk::AttachmentLoadOp::CLEAR, vk::AttachmentStoreOp::STORE);
        self.render(cmd, 1, operations, vk::RenderingFlags::empty(), draws);
    }

    /// Records a clear of one pixel of the attachment.
    pub fn clear_attachment(&self, cmd: vk::CommandBuffer) {
        let clear = vk::ClearAttachment { aspect_mask: vk::ImageAspectFlags::COLOR, ..Default::default() };
        let extent = vk::Extent2D { width: 1, height: 1 };
        let rect = vk::Rect2D { extent, ..Default::default() };
        let rect = vk::ClearRect { rect, base_array_layer: 0, layer_count: 1 };
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_clear_attachments(cmd, &[clear], &[rect]) };
    }

    fn state(&self, cmd: vk::CommandBuffer, attributes: bool) {
        let (d, side) = (&self.gpu.device, SIZE as f32);
        let viewport =
            vk::Viewport { x: 0.0, y: 0.0, width: side, height: side, min_depth: 0.0, max_depth: 1.0 };
        let extent = vk::Extent2D { width: SIZE, height: SIZE };
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            let pipeline = self.draws[usize::from(attributes)];
            d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
            d.cmd_set_viewport(cmd, 0, &[viewport]);
            d.cmd_set_scissor(cmd, 0, &[vk::Rect2D { offset: Default::default(), extent }]);
        }
    }

    /// Records a draw of a triangle without attributes.
    pub fn draw(&self, cmd: vk::CommandBuffer) {
        self.state(cmd, false);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_draw(cmd, 3, 1, 0, 0) };
    }

    /// Records an indirect draw with the parameters in buffer 1.
    pub fn draw_indirect(&self, cmd: vk::CommandBuffer) {
        self.state(cmd, false);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_draw_indirect(cmd, self.buffers[1], 0, 1, 16) };
    }

    /// Records a draw with vertices of 16 bytes in buffer 0, from vertex `first` on.
    pub fn draw_vertices(&self, cmd: vk::CommandBuffer, first: u32) {
        self.state(cmd, true);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            self.gpu.device.cmd_bind_vertex_buffers(cmd, 0, &[self.buffers[0]], &[0]);
            self.gpu.device.cmd_draw(cmd, 3, 1, first, 0);
        }
    }

    /// Records an indexed draw with vertices in buffer 0 and indices in buffer 1.
    pub fn draw_indexed(&self, cmd: vk::CommandBuffer) {
        self.state(cmd, true);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            self.gpu.device.cmd_bind_vertex_buffers(cmd, 0, &[self.buffers[0]], &[0]);
            self.gpu.device.cmd_bind_index_buffer(cmd, self.buffers[1], 0, vk::IndexType::UINT32);
            self.gpu.device.cmd_draw_indexed(cmd, 3, 1, 0, 0, 0);
        }
    }
}

fn barrier2((src, dst): (Half, Half)) -> vk::MemoryBarrier2<'static> {
    let stages = |s: S| vk::PipelineStageFlags2::from_raw(s.as_raw().into());
    let accesses = |a: A| vk::AccessFlags2::from_raw(a.as_raw().into());
    vk::MemoryBarrier2::default()
        .src_stage_mask(stages(src.0))
        .src_access_mask(accesses(src.1))
        .dst_stage_mask(stages(dst.0))
        .dst_access_mask(accesses(dst.1))
}
