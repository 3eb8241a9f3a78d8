//! A Vulkan device for benchmarks of drivers, with its buffers and submissions. A benchmark chooses extensions, features and
//! usages of buffers.

#![allow(dead_code, reason = "each benchmark uses a part")]

use std::ffi::CStr;
use std::slice;
use std::time::{Duration, Instant};

use ash::vk;

/// The first physical device that the loader lists.
pub struct Host {
    entry: ash::Entry,
    instance: ash::Instance,
    physical: vk::PhysicalDevice,
    offered: Vec<vk::ExtensionProperties>,
}

/// A device. Objects live until the process ends, except for buffers.
pub struct Gpu {
    /// Keeps the library loaded.
    pub entry: ash::Entry,
    pub instance: ash::Instance,
    pub physical: vk::PhysicalDevice,
    pub device: ash::Device,
    queue: vk::Queue,
    commands: vk::CommandPool,
    memory_type: u32,
    usage: vk::BufferUsageFlags,
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

impl Host {
    /// # Panics
    /// Panics if there is no device.
    pub fn new() -> Host {
        // SAFETY: valid usage of Vulkan: each structure and each handle is live during the calls that use it.
        unsafe {
            let entry = ash::Entry::load().expect("a Vulkan loader");
            let app = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let info = vk::InstanceCreateInfo::default().application_info(&app);
            let instance = entry.create_instance(&info, None).expect("an instance");
            let physical = instance.enumerate_physical_devices().expect("devices")[0];
            let offered = instance.enumerate_device_extension_properties(physical).expect("extensions");
            Host { entry, instance, physical, offered }
        }
    }

    /// True if the device has an extension.
    pub fn offers(&self, name: &CStr) -> bool {
        self.offered.iter().any(|e| e.extension_name_as_c_str() == Ok(name))
    }

    /// Creates the device with extensions and features that it offers. `usage` is that of all buffers.
    pub fn open(
        self,
        extensions: &[&CStr],
        features: &mut vk::PhysicalDeviceFeatures2<'_>,
        usage: vk::BufferUsageFlags,
    ) -> Gpu {
        let Host { entry, instance, physical, .. } = self;
        // SAFETY: valid usage of Vulkan: each structure and each handle is live during the calls that use it, and the
        // caller names extensions and features that the device offers.
        unsafe {
            let extensions: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
            let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
            let mut info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&extensions);
            info.p_next = std::ptr::from_mut(features).cast();
            let device = instance.create_device(physical, &info, None).expect("a device");
            let queue = device.get_device_queue(0, 0);
            let commands = device.create_command_pool(&vk::CommandPoolCreateInfo::default(), None);
            let memory = instance.get_physical_device_memory_properties(physical);
            let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let memory_type =
                memory.memory_types_as_slice().iter().position(|t| t.property_flags.contains(wanted));
            Gpu {
                commands: commands.expect("a command pool"),
                memory_type: memory_type.expect("coherent memory") as u32,
                entry,
                instance,
                physical,
                device,
                queue,
                usage: usage
                    | vk::BufferUsageFlags::STORAGE_BUFFER
                    | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS,
            }
        }
    }
}

impl Gpu {
    /// The name of the device.
    pub fn name(&self) -> String {
        // SAFETY: the physical device belongs to the live instance.
        let properties = unsafe { self.instance.get_physical_device_properties(self.physical) };
        properties
            .device_name_as_c_str()
            .map_or_else(|_| String::new(), |name| name.to_string_lossy().into_owned())
    }

    /// A buffer.
    pub fn buffer(&self, size: u64) -> Buffer {
        let d = &self.device;
        // SAFETY: valid usage of Vulkan: the memory is as large as the buffer demands and lives as long as it.
        unsafe {
            let info = vk::BufferCreateInfo::default().size(size.max(4)).usage(self.usage);
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

/// Options of the command line: `[SECONDS] [ROW...]`.
pub struct Options {
    /// Least time for which a row is run (default 1).
    pub seconds: f64,
    /// Parts of the names of rows that are run; all, if there are none.
    pub rows: Vec<String>,
}

impl Options {
    pub fn parse() -> Options {
        let mut options = Options { seconds: 1.0, rows: Vec::new() };
        for argument in std::env::args().skip(1).filter(|a| a != "--bench") {
            match argument.parse() {
                Ok(seconds) => options.seconds = seconds,
                Err(_) => options.rows.push(argument),
            }
        }
        options
    }

    pub fn selects(&self, row: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|part| row.contains(part.as_str()))
    }

    /// Runs calls that do `count` things each. Returns text: millions of things per second, and per second of CPU time of
    /// the process, by the medians of both times. The first call is not counted.
    pub fn rate(&self, count: usize, mut f: impl FnMut()) -> String {
        f();
        let (start, mut times, mut cpu_times) = (Instant::now(), Vec::new(), Vec::new());
        while times.len() < 3 || start.elapsed() < Duration::from_secs_f64(self.seconds) {
            let (before, cpu) = (Instant::now(), cpu_seconds());
            f();
            times.push(before.elapsed().as_secs_f64());
            cpu_times.push(cpu_seconds() - cpu);
        }
        let millions = count as f64 / 1e6;
        format!("{:9.2} {:9.2}", millions / median(times), millions / median(cpu_times))
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// CPU time of the process.
fn cpu_seconds() -> f64 {
    quadrille_jit::sys::clock::process_cpu().as_secs_f64()
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
