//! A device without the loader, and mapped buffers.

#![expect(unsafe_code, reason = "a Vulkan client")]
#![allow(dead_code, reason = "each test uses a part")]

pub mod bench;
pub mod binaries;
pub mod canvas;
pub mod dispatch;
pub mod lab;
#[cfg(unix)]
pub mod outside;
pub mod sets;
pub mod sparse;
pub mod sum;
pub mod triangle;
pub mod window;

use ash::prelude::VkResult;
use ash::vk;

/// Instance, device and queue.
pub struct Gpu {
    pub instance: ash::Instance,
    pub physical: vk::PhysicalDevice,
    pub device: ash::Device,
    pub queue: vk::Queue,
    pub pool: vk::CommandPool,
}

/// Assembles SPIR-V text to words.
pub fn assemble(text: &str) -> Vec<u32> {
    quadrille_jit::spirv::asm::assemble(text).expect("assembles")
}

/// Asserts that the process of a test program ran one test, which passed. A name that no test has runs none, and passes.
pub fn has_run(out: &std::process::Output) {
    let text = [&out.stdout, &out.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat();
    assert!(out.status.success(), "{}: {text}", out.status);
    assert!(text.contains("running 1 test\n"), "no test has this name: {text}");
}

impl Gpu {
    pub fn new(extensions: &[&std::ffi::CStr]) -> Gpu {
        Gpu::try_new(extensions).unwrap()
    }

    pub fn try_new(extensions: &[&std::ffi::CStr]) -> VkResult<Gpu> {
        let mut dynamic = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        Gpu::with(extensions, |info| match extensions.contains(&c"VK_KHR_dynamic_rendering") {
            true => info.push_next(&mut dynamic),
            false => info,
        })
    }

    /// Creates a device; `ask` adds to its create info.
    pub fn with<'a>(
        extensions: &'a [&std::ffi::CStr],
        ask: impl FnOnce(vk::DeviceCreateInfo<'a>) -> vk::DeviceCreateInfo<'a>,
    ) -> VkResult<Gpu> {
        Gpu::with_instance(&[], extensions, ask)
    }

    /// Creates a device with these queues, of which the first is used.
    pub fn with_queues<'a>(
        queues: &'a [vk::DeviceQueueCreateInfo<'a>],
        extensions: &'a [&std::ffi::CStr],
        ask: impl FnOnce(vk::DeviceCreateInfo<'a>) -> vk::DeviceCreateInfo<'a>,
    ) -> VkResult<Gpu> {
        Gpu::with_all(queues, &[], extensions, ask)
    }

    /// Creates a device with instance and device extensions.
    pub fn with_instance<'a>(
        of_instance: &[&std::ffi::CStr],
        extensions: &'a [&std::ffi::CStr],
        ask: impl FnOnce(vk::DeviceCreateInfo<'a>) -> vk::DeviceCreateInfo<'a>,
    ) -> VkResult<Gpu> {
        let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
        Gpu::with_all(&queues, of_instance, extensions, ask)
    }

    pub fn with_all<'a>(
        queues: &[vk::DeviceQueueCreateInfo<'_>],
        of_instance: &[&std::ffi::CStr],
        extensions: &'a [&std::ffi::CStr],
        ask: impl FnOnce(vk::DeviceCreateInfo<'a>) -> vk::DeviceCreateInfo<'a>,
    ) -> VkResult<Gpu> {
        let entry = vk_quadrille::entry();
        let app = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_1);
        let names: Vec<_> = extensions.iter().map(|e| e.as_ptr()).collect();
        // SAFETY: valid usage of Vulkan: all structures outlive the calls, and `drop` destroys the objects.
        unsafe {
            let of_instance: Vec<_> = of_instance.iter().map(|e| e.as_ptr()).collect();
            let info = vk::InstanceCreateInfo::default().application_info(&app);
            let info = info.enabled_extension_names(&of_instance);
            let instance = entry.create_instance(&info, None)?;
            let physical = instance.enumerate_physical_devices()?[0];
            let info = ask(vk::DeviceCreateInfo::default());
            let info = info.queue_create_infos(queues).enabled_extension_names(&names);
            let device = instance.create_device(physical, &info, None)?;
            let queue = device.get_device_queue(queues[0].queue_family_index, 0);
            let info = vk::CommandPoolCreateInfo::default().queue_family_index(queues[0].queue_family_index);
            let pool = device.create_command_pool(&info, None)?;
            Ok(Gpu { instance, physical, device, queue, pool })
        }
    }

    /// Creates a bound and mapped buffer.
    pub fn buffer(&self, size: u64, usage: vk::BufferUsageFlags) -> Mapped {
        self.buffer_with(&vk::BufferCreateInfo::default().size(size).usage(usage))
    }

    /// Creates a bound and mapped buffer.
    pub fn buffer_with(&self, info: &vk::BufferCreateInfo<'_>) -> Mapped {
        // SAFETY: valid usage of Vulkan: all objects belong to this device, and the buffer is bound before it is used.
        unsafe {
            let buffer = self.device.create_buffer(info, None).unwrap();
            let need = self.device.get_buffer_memory_requirements(buffer);
            let allocate = vk::MemoryAllocateInfo::default().allocation_size(need.size);
            let memory = self.device.allocate_memory(&allocate, None).unwrap();
            self.bound(buffer, memory, info.size)
        }
    }

    /// Binds a new buffer to new memory, and maps it.
    ///
    /// # Safety
    /// Both are live, and the memory has room for the buffer of this size.
    pub unsafe fn bound(&self, buffer: vk::Buffer, memory: vk::DeviceMemory, size: u64) -> Mapped {
        // SAFETY: valid usage of Vulkan: the caller promises live objects that fit.
        unsafe {
            self.device.bind_buffer_memory(buffer, memory, 0).unwrap();
            let at = self.device.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default()).unwrap();
            Mapped { buffer, memory, at: at.cast(), size: size as usize }
        }
    }

    /// Creates a 2D colour image with a view.
    pub fn image(&self, format: vk::Format, size: u32, usage: vk::ImageUsageFlags) -> Picture {
        self.try_image(format, size, usage).unwrap()
    }

    pub fn try_image(&self, format: vk::Format, size: u32, usage: vk::ImageUsageFlags) -> VkResult<Picture> {
        self.picture(format, [size; 2], usage, vk::ImageAspectFlags::COLOR)
    }

    /// Creates a 2D image of this width and height, with a view of these aspects.
    pub fn picture(
        &self,
        format: vk::Format,
        [width, height]: [u32; 2],
        usage: vk::ImageUsageFlags,
        aspects: vk::ImageAspectFlags,
    ) -> VkResult<Picture> {
        let extent = vk::Extent3D { width, height, depth: 1 };
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(format)
            .extent(extent)
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage);
        // SAFETY: valid usage of Vulkan: all objects belong to this device, and the image is bound before it is used.
        unsafe {
            let image = self.device.create_image(&info, None)?;
            let need = self.device.get_image_memory_requirements(image);
            let info = vk::MemoryAllocateInfo::default().allocation_size(need.size);
            let memory = self.device.allocate_memory(&info, None)?;
            self.device.bind_image_memory(image, memory, 0)?;
            let info = vk::ImageViewCreateInfo::default()
                .image(image)
                .view_type(vk::ImageViewType::TYPE_2D)
                .format(format)
                .subresource_range(vk::ImageSubresourceRange { aspect_mask: aspects, ..WHOLE });
            let view = self.device.create_image_view(&info, None)?;
            Ok(Picture { image, memory, view, extent })
        }
    }

    pub fn shader(&self, text: &str) -> vk::ShaderModule {
        self.try_shader(text).unwrap()
    }

    pub fn try_shader(&self, text: &str) -> VkResult<vk::ShaderModule> {
        let words = assemble(text);
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        // SAFETY: the driver checks the words of the module.
        unsafe { self.device.create_shader_module(&info, None) }
    }

    /// Records a barrier between all earlier and all later commands, for all accesses.
    pub fn barrier(&self, cmd: vk::CommandBuffer) {
        use vk::AccessFlags as A;
        let memory = vk::MemoryBarrier::default()
            .src_access_mask(A::MEMORY_WRITE)
            .dst_access_mask(A::MEMORY_READ | A::MEMORY_WRITE);
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe {
            self.device.cmd_pipeline_barrier(cmd, all, all, Default::default(), &[memory], &[], &[]);
        }
    }

    /// Records, submits and waits.
    pub fn run(&self, record: impl FnOnce(vk::CommandBuffer)) {
        self.try_run(record).unwrap();
    }

    pub fn try_run(&self, record: impl FnOnce(vk::CommandBuffer)) -> VkResult<()> {
        let info = vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(1);
        // SAFETY: valid usage of Vulkan: the command buffer is recorded here, and freed after the fence is signaled.
        unsafe {
            let cmd = self.device.allocate_command_buffers(&info)?;
            self.device.begin_command_buffer(cmd[0], &Default::default())?;
            record(cmd[0]);
            self.device.end_command_buffer(cmd[0])?;
            let fence = self.device.create_fence(&Default::default(), None)?;
            let submit = vk::SubmitInfo::default().command_buffers(&cmd);
            self.device.queue_submit(self.queue, &[submit], fence)?;
            self.device.wait_for_fences(&[fence], true, u64::MAX)?;
            self.device.destroy_fence(fence, None);
            self.device.free_command_buffers(self.pool, &cmd);
        }
        Ok(())
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: the tests destroy all objects made from these first.
        unsafe {
            let idle = self.device.device_wait_idle();
            assert!(idle.is_ok() || std::thread::panicking(), "{idle:?}");
            self.device.destroy_command_pool(self.pool, None);
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

/// External dependency of a render pass: copies after it wait for the attachments.
pub const COPIED_AFTERWARDS: vk::SubpassDependency = vk::SubpassDependency {
    src_subpass: 0,
    dst_subpass: vk::SUBPASS_EXTERNAL,
    src_stage_mask: vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT,
    dst_stage_mask: vk::PipelineStageFlags::TRANSFER,
    src_access_mask: vk::AccessFlags::COLOR_ATTACHMENT_WRITE,
    dst_access_mask: vk::AccessFlags::TRANSFER_READ,
    dependency_flags: vk::DependencyFlags::empty(),
};

/// Subresource range of a whole colour image with one level.
pub const WHOLE: vk::ImageSubresourceRange = vk::ImageSubresourceRange {
    aspect_mask: vk::ImageAspectFlags::COLOR,
    base_mip_level: 0,
    level_count: 1,
    base_array_layer: 0,
    layer_count: 1,
};

pub struct Mapped {
    pub buffer: vk::Buffer,
    pub memory: vk::DeviceMemory,
    at: *mut u8,
    size: usize,
}

impl Mapped {
    pub fn write<T: Copy>(&self, data: &[T]) {
        assert!(size_of_val(data) <= self.size);
        // SAFETY: callers write at most `size` bytes, which are mapped.
        unsafe { std::ptr::copy_nonoverlapping(data.as_ptr().cast(), self.at, size_of_val(data)) }
    }

    pub fn read<T: Copy>(&self) -> Vec<T> {
        // SAFETY: `size` bytes are mapped at a page-aligned address, and `T` is plain data in all callers.
        unsafe { std::slice::from_raw_parts(self.at.cast::<T>(), self.size / size_of::<T>()) }.to_vec()
    }

    /// Writes a value at a byte.
    pub fn put<T: Copy>(&self, byte: u64, value: T) {
        assert!(byte + size_of::<T>() as u64 <= self.size as u64);
        // SAFETY: the bytes are within the mapped ones.
        unsafe { self.at.add(byte as usize).cast::<T>().write_unaligned(value) }
    }

    /// The value at a byte.
    pub fn at<T: Copy>(&self, byte: u64) -> T {
        assert!(byte + size_of::<T>() as u64 <= self.size as u64);
        // SAFETY: the bytes are within the mapped ones, and `T` is plain data in all callers.
        unsafe { self.at.add(byte as usize).cast::<T>().read_unaligned() }
    }

    pub fn destroy(self, gpu: &Gpu) {
        // SAFETY: the commands that use the buffer are done, and it is not used afterwards.
        unsafe {
            gpu.device.destroy_buffer(self.buffer, None);
            gpu.device.free_memory(self.memory, None);
        }
    }
}

pub struct Picture {
    pub image: vk::Image,
    pub memory: vk::DeviceMemory,
    pub view: vk::ImageView,
    pub extent: vk::Extent3D,
}

impl Picture {
    /// Region of a copy of the whole image.
    pub fn region(&self) -> vk::BufferImageCopy {
        let layers = vk::ImageSubresourceLayers {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            mip_level: 0,
            base_array_layer: 0,
            layer_count: 1,
        };
        vk::BufferImageCopy::default().image_subresource(layers).image_extent(self.extent)
    }

    pub fn destroy(self, gpu: &Gpu) {
        // SAFETY: the commands that use the image are done, and it is not used afterwards.
        unsafe {
            gpu.device.destroy_image_view(self.view, None);
            gpu.device.destroy_image(self.image, None);
            gpu.device.free_memory(self.memory, None);
        }
    }
}
