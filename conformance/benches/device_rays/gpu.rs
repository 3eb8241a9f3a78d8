//! A Vulkan device with acceleration structures, its buffers and submissions. Owns nothing of rays.

use std::ffi::CStr;
use std::slice;

use ash::vk;

/// A device. Objects live until the process ends, except for buffers.
pub struct Gpu {
    _entry: ash::Entry,
    pub instance: ash::Instance,
    physical: vk::PhysicalDevice,
    pub device: ash::Device,
    queue: vk::Queue,
    commands: vk::CommandPool,
    memory_type: u32,
    pub rays: ash::khr::acceleration_structure::Device,
    /// `None` if the driver has no ray queries.
    pub queries: bool,
    /// `None` if the driver has no ray tracing pipelines.
    pub pipelines: Option<ash::khr::ray_tracing_pipeline::Device>,
}

/// A buffer in mapped memory, with a device address.
pub struct Buffer {
    device: ash::Device,
    pub buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    pub address: u64,
    at: *mut u8,
    size: usize,
}

const NEEDED: [&CStr; 2] = [c"VK_KHR_deferred_host_operations", c"VK_KHR_acceleration_structure"];

impl Gpu {
    /// The first device that the loader lists.
    ///
    /// # Panics
    /// Panics if there is none with acceleration structures.
    pub fn new() -> Gpu {
        // SAFETY: valid usage of Vulkan: each structure and each handle is live during the calls that use it, and the
        // features are those that the device offers.
        unsafe {
            let entry = ash::Entry::load().expect("a Vulkan loader");
            let app = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_2);
            let info = vk::InstanceCreateInfo::default().application_info(&app);
            let instance = entry.create_instance(&info, None).expect("an instance");
            let physical = instance.enumerate_physical_devices().expect("devices")[0];
            let offered = instance.enumerate_device_extension_properties(physical).expect("extensions");
            let offers = |name: &CStr| offered.iter().any(|e| e.extension_name_as_c_str() == Ok(name));
            assert!(NEEDED.iter().all(|name| offers(name)), "the device has no acceleration structures");
            let (queries, pipelines) = (offers(c"VK_KHR_ray_query"), offers(c"VK_KHR_ray_tracing_pipeline"));
            let mut extensions: Vec<_> = NEEDED.iter().map(|name| name.as_ptr()).collect();
            let mut core = vk::PhysicalDeviceVulkan12Features::default().buffer_device_address(true);
            let mut structures =
                vk::PhysicalDeviceAccelerationStructureFeaturesKHR::default().acceleration_structure(true);
            let mut of_queries = vk::PhysicalDeviceRayQueryFeaturesKHR::default().ray_query(true);
            let mut of_pipelines =
                vk::PhysicalDeviceRayTracingPipelineFeaturesKHR::default().ray_tracing_pipeline(true);
            let queue = vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0]);
            let queues = [queue];
            let mut info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .push_next(&mut core)
                .push_next(&mut structures);
            if queries {
                extensions.push(c"VK_KHR_ray_query".as_ptr());
                info = info.push_next(&mut of_queries);
            }
            if pipelines {
                extensions.push(c"VK_KHR_ray_tracing_pipeline".as_ptr());
                info = info.push_next(&mut of_pipelines);
            }
            let info = info.enabled_extension_names(&extensions);
            let device = instance.create_device(physical, &info, None).expect("a device");
            let queue = device.get_device_queue(0, 0);
            let commands = device.create_command_pool(&vk::CommandPoolCreateInfo::default(), None);
            let memory = instance.get_physical_device_memory_properties(physical);
            let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let memory_type =
                memory.memory_types_as_slice().iter().position(|t| t.property_flags.contains(wanted));
            Gpu {
                rays: ash::khr::acceleration_structure::Device::new(&instance, &device),
                pipelines: pipelines.then(|| ash::khr::ray_tracing_pipeline::Device::new(&instance, &device)),
                queries,
                commands: commands.expect("a command pool"),
                memory_type: memory_type.expect("coherent memory") as u32,
                _entry: entry,
                instance,
                physical,
                device,
                queue,
            }
        }
    }

    /// The name of the device.
    pub fn name(&self) -> String {
        // SAFETY: the physical device belongs to the live instance.
        let properties = unsafe { self.instance.get_physical_device_properties(self.physical) };
        properties
            .device_name_as_c_str()
            .map_or_else(|_| String::new(), |name| name.to_string_lossy().into_owned())
    }

    /// Sizes and alignments of shader binding tables.
    pub fn tables(&self) -> vk::PhysicalDeviceRayTracingPipelinePropertiesKHR<'static> {
        let mut tables = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut tables);
        // SAFETY: the physical device belongs to the live instance, and the structures are live.
        unsafe { self.instance.get_physical_device_properties2(self.physical, &mut all) };
        tables
    }

    /// A buffer of any usage.
    pub fn buffer(&self, size: u64) -> Buffer {
        use vk::BufferUsageFlags as U;
        let mut usage = U::STORAGE_BUFFER
            | U::SHADER_DEVICE_ADDRESS
            | U::ACCELERATION_STRUCTURE_STORAGE_KHR
            | U::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR;
        if self.pipelines.is_some() {
            usage |= U::SHADER_BINDING_TABLE_KHR;
        }
        let d = &self.device;
        // SAFETY: valid usage of Vulkan: the memory is as large as the buffer demands and lives as long as it.
        unsafe {
            let info = vk::BufferCreateInfo::default().size(size.max(4)).usage(usage);
            let buffer = d.create_buffer(&info, None).expect("a buffer");
            let needs = d.get_buffer_memory_requirements(buffer);
            let mut flags =
                vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(self.memory_type)
                .push_next(&mut flags);
            let memory = d.allocate_memory(&info, None).expect("memory");
            d.bind_buffer_memory(buffer, memory, 0).expect("a binding");
            let at = d.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()).expect("a mapping");
            let address = d.get_buffer_device_address(&vk::BufferDeviceAddressInfo::default().buffer(buffer));
            Buffer { device: d.clone(), buffer, memory, address, at: at.cast(), size: size as usize }
        }
    }

    /// A buffer with these values.
    pub fn buffer_with<T: Copy>(&self, data: &[T]) -> Buffer {
        let buffer = self.buffer(size_of_val(data) as u64);
        // SAFETY: the mapping has the size of the data and nothing else uses it yet.
        unsafe { buffer.at.copy_from_nonoverlapping(data.as_ptr().cast(), size_of_val(data)) };
        buffer
    }

    /// Records a command buffer.
    pub fn record(&self, f: impl FnOnce(vk::CommandBuffer)) -> vk::CommandBuffer {
        let info =
            vk::CommandBufferAllocateInfo::default().command_pool(self.commands).command_buffer_count(1);
        // SAFETY: valid usage of Vulkan: one thread records and submits.
        unsafe {
            let list = self.device.allocate_command_buffers(&info).expect("a command buffer")[0];
            let usage = vk::CommandBufferUsageFlags::SIMULTANEOUS_USE;
            let info = vk::CommandBufferBeginInfo::default().flags(usage);
            self.device.begin_command_buffer(list, &info).expect("recording");
            f(list);
            self.device.end_command_buffer(list).expect("a recorded command buffer");
            list
        }
    }

    /// Submits a command buffer, and waits.
    pub fn submit(&self, list: vk::CommandBuffer) {
        let info = vk::SubmitInfo::default().command_buffers(slice::from_ref(&list));
        // SAFETY: valid usage of Vulkan: the command buffer is recorded, and its objects are live until it has ended.
        unsafe {
            self.device.queue_submit(self.queue, &[info], vk::Fence::null()).expect("a submission");
            self.device.queue_wait_idle(self.queue).expect("the end of the submission");
        }
    }
}

impl Buffer {
    /// The contents, as values of a type that has no invalid bytes.
    pub fn read<T: Copy>(&self) -> Vec<T> {
        let count = self.size / size_of::<T>();
        // SAFETY: the mapping has this size, and no submission runs.
        (0..count).map(|i| unsafe { self.at.cast::<T>().add(i).read() }).collect()
    }

    /// Writes values from a byte offset on.
    ///
    /// # Panics
    /// Panics if they do not fit.
    pub fn write<T: Copy>(&self, offset: usize, data: &[T]) {
        assert!(offset + size_of_val(data) <= self.size, "a write past the buffer");
        // SAFETY: the assertion keeps the write inside the mapping, and no submission runs.
        unsafe { self.at.add(offset).copy_from_nonoverlapping(data.as_ptr().cast(), size_of_val(data)) };
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for, so that nothing uses the buffer any more.
        unsafe {
            self.device.destroy_buffer(self.buffer, None);
            self.device.free_memory(self.memory, None);
        }
    }
}
