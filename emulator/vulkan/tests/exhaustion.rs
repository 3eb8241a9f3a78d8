//! Exhaustion of resources: huge sizes, and a host with little memory. Every call returns, and no process aborts.

#![cfg(unix)]
#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::mem::ManuallyDrop;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use ash::prelude::VkResult;
use ash::vk;
use common::{Gpu, sum, triangle};
use quadrille::env::TEST_CHILD;
use quadrille::rays::{
    AccelerationStructure, AccelerationStructureDesc, BuildRange, GeometryData, HostMemory, StructureBuild,
    StructureGeometry, VERSION_BYTES,
};
use quadrille::{BufferDesc, BufferUsage, BuildFlags, Device, DeviceOptions, GeometryFlags, reserve};
use rustix::process::{Resource, Rlimit, setrlimit};

#[test]
fn query_pools_of_any_size_are_made_or_refused() {
    let gpu = Gpu::new(&[]);
    for (kind, bits) in [(vk::QueryType::OCCLUSION, 0), (vk::QueryType::PIPELINE_STATISTICS, 0x7ff)] {
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(kind)
            .query_count(u32::MAX)
            .pipeline_statistics(vk::QueryPipelineStatisticFlags::from_raw(bits));
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        match unsafe { gpu.device.create_query_pool(&info, None) } {
            // SAFETY: valid usage of Vulkan: the pool was made above, on a host with enough memory.
            Ok(pool) => unsafe { gpu.device.destroy_query_pool(pool, None) },
            Err(code) => assert_eq!(code, vk::Result::ERROR_OUT_OF_DEVICE_MEMORY),
        }
    }
}

#[test]
fn many_small_allocations_are_made_and_freed() {
    let gpu = Gpu::new(&[]);
    let info = vk::MemoryAllocateInfo::default().allocation_size(1024);
    // SAFETY: valid usage of Vulkan: there are fewer allocations than `maxMemoryAllocationCount`.
    unsafe {
        let all: Vec<vk::DeviceMemory> =
            (0..200_000).map(|_| gpu.device.allocate_memory(&info, None).unwrap()).collect();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap().lines().count();
        assert!(maps < 5000, "{maps} mappings");
        all.into_iter().for_each(|memory| gpu.device.free_memory(memory, None));
    }
}

/// Dispatches over `values` values and draws an image of `size` pixels, checking every result code. Returns the sums and the
/// pixels.
fn program(values: u32, size: u32) -> VkResult<(Vec<f32>, Vec<u32>)> {
    // Objects are leaked until the process ends.
    let gpu = ManuallyDrop::new(Gpu::try_new(&[])?);
    let results = (compute(&gpu, values)?, draw(&gpu, size)?);
    count(&gpu)?;
    Ok(results)
}

/// A mapped buffer of `count` values, which are `value` of their number.
fn mapped<T: Copy>(
    gpu: &Gpu,
    usage: vk::BufferUsageFlags,
    count: usize,
    value: impl Fn(usize) -> T,
) -> VkResult<(vk::Buffer, *mut T)> {
    let (d, size) = (&gpu.device, (count * size_of::<T>()) as u64);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them. The map has
    // `count` values.
    unsafe {
        let buffer = d.create_buffer(&vk::BufferCreateInfo::default().size(size).usage(usage), None)?;
        let need = d.get_buffer_memory_requirements(buffer);
        let info = vk::MemoryAllocateInfo::default().allocation_size(need.size);
        let memory = d.allocate_memory(&info, None)?;
        d.bind_buffer_memory(buffer, memory, 0)?;
        let map = d.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default())?.cast::<T>();
        (0..count).for_each(|i| map.add(i).write(value(i)));
        Ok((buffer, map))
    }
}

/// Writes timestamps and reads them.
fn count(gpu: &Gpu) -> VkResult<()> {
    let d = &gpu.device;
    let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(600);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let pool = d.create_query_pool(&info, None)?;
        gpu.try_run(|c| {
            d.cmd_reset_query_pool(c, pool, 0, 600);
            for query in 0..600 {
                d.cmd_write_timestamp(c, vk::PipelineStageFlags::ALL_COMMANDS, pool, query);
            }
        })?;
        let mut times = [0u64; 600];
        d.get_query_pool_results(pool, 0, &mut times, vk::QueryResultFlags::TYPE_64)
    }
}

fn compute(gpu: &Gpu, values: u32) -> VkResult<Vec<f32>> {
    let recipe = sum::Recipe::new(gpu)?;
    let pipeline = recipe.pipeline(gpu, vk::PipelineCache::null())?;
    let (usage, count) = (vk::BufferUsageFlags::STORAGE_BUFFER, values as usize);
    let of = || mapped(gpu, usage, count, |i| i as f32);
    let [(a, _), (b, _), (c, sums)] = [of()?, of()?, of()?];
    let (_, set) = recipe.set(gpu, [a, b, c])?;
    gpu.try_run(|c| recipe.record(gpu, c, pipeline, set, values))?;
    // SAFETY: the map has so many values, and the device is idle.
    Ok(unsafe { std::slice::from_raw_parts(sums, count) }.to_vec())
}

fn draw(gpu: &Gpu, size: u32) -> VkResult<Vec<u32>> {
    let count = (size * size) as usize;
    let (pixels, map) = mapped(gpu, vk::BufferUsageFlags::TRANSFER_DST, count, |_| 0u32)?;
    let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
    let picture = gpu.try_image(triangle::FORMAT, size, usage)?;
    let (pass, framebuffer) = triangle::pass(gpu, &picture, size)?;
    let (pipeline, _) = triangle::pipeline(gpu, pass)?;
    gpu.try_run(|c| {
        let extent = vk::Extent2D { width: size, height: size };
        let clear = [vk::ClearValue::default()];
        let info = vk::RenderPassBeginInfo::default()
            .render_pass(pass)
            .framebuffer(framebuffer)
            .render_area(vk::Rect2D { offset: Default::default(), extent })
            .clear_values(&clear);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { gpu.device.cmd_begin_render_pass(c, &info, vk::SubpassContents::INLINE) };
        triangle::draw(gpu, c, pipeline, size, size);
        let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            gpu.device.cmd_end_render_pass(c);
            gpu.device.cmd_copy_image_to_buffer(c, picture.image, layout, pixels, &[picture.region()]);
        }
    })?;
    // SAFETY: the map has so many pixels, and the device is idle.
    Ok(unsafe { std::slice::from_raw_parts(map, count) }.to_vec())
}

/// Exit codes of a process that ran the program under a limit.
const DONE: i32 = 10;
const OUT_OF_MEMORY: i32 = 11;
const OTHER: i32 = 12;
/// Results that are wrong, of a program whose calls all succeeded.
const WRONG: i32 = 14;

/// The sums of a program.
fn sums_of(values: u32) -> Vec<f32> {
    (0..values).map(|i| 2.0 * i as f32).collect()
}

/// Limits the memory of this process to its current size and so many MiB.
fn limit(mib: u64) {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    let now: u64 = text.split(' ').next().unwrap().parse::<u64>().unwrap() * 4096;
    let limit = Some(now + (mib << 20));
    setrlimit(Resource::As, Rlimit { current: limit, maximum: limit }).unwrap();
}

fn limited_to(mib: u64) -> ! {
    limit(mib);
    let code = match program(1 << 18, 512) {
        Ok((sums, _)) if sums != sums_of(1 << 18) => WRONG,
        Ok(_) => DONE,
        Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY) => OUT_OF_MEMORY,
        // Memory was missing while commands ran.
        Err(vk::Result::ERROR_DEVICE_LOST) => OUT_OF_MEMORY,
        Err(_) => OTHER,
    };
    // SAFETY: `_exit` has no preconditions; the process needs no cleanup.
    unsafe { libc::_exit(code) }
}

#[test]
fn a_host_with_little_memory_is_an_error() {
    // In a child process: the number of MiB that it may use in addition to its initial size.
    if let Some(mib) = TEST_CHILD.get() {
        // SAFETY: `alarm` does not access memory; it ends a process that hangs.
        unsafe { libc::alarm(120) };
        limited_to(mib.parse().unwrap());
    }
    let mut ended = Vec::new();
    for mib in (0..32).chain((32..256).step_by(16)).chain([1024]) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "a_host_with_little_memory_is_an_error", "--test-threads=1", "--nocapture"]);
        let out = command.env(TEST_CHILD.name, mib.to_string()).output().unwrap();
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        println!("{mib} MiB: {:?}, signal {:?} {text}", out.status.code(), out.status.signal());
        ended.push((mib, out.status));
    }
    let bad: Vec<_> =
        ended.iter().filter(|(_, status)| !matches!(status.code(), Some(DONE | OUT_OF_MEMORY))).collect();
    assert!(bad.is_empty(), "{} of {}: {bad:?}", bad.len(), ended.len());
    let code = |(_, status): &(u64, std::process::ExitStatus)| status.code();
    assert_eq!(ended.first().map(code), Some(Some(OUT_OF_MEMORY)), "the limit is felt");
    assert_eq!(ended.last().map(code), Some(Some(DONE)), "with memory it works");
}

/// Memory of a host with triangles of micromaps at address 0, which have 4 MiB of states each, and their states.
struct Finest;

/// Address of the states.
const STATES: u64 = 1 << 40;

impl HostMemory for Finest {
    fn bytes(&self, address: u64, size: u64) -> quadrille::Result<Vec<u8>> {
        if address >= STATES {
            return reserve::zeroed(size as usize);
        }
        let triangle = |i: u64| ((i as u32) << 22).to_le_bytes().into_iter().chain([12, 0, 2, 0]);
        Ok((0..size / 8).flat_map(triangle).collect())
    }

    fn structure(&self, _: u64) -> Option<AccelerationStructure> {
        None
    }
}

/// Builds a micromap of so many triangles and returns its bytes. The memory is limited before the step that is named.
fn micromap(triangles: u32, limited: &str) -> quadrille::Result<Vec<u8>> {
    let device = Device::new(DeviceOptions { threads: 1, ..DeviceOptions::default() })?;
    let data = GeometryData::Micromap { data: STATES, triangles: 0, stride: 8, states: 0 };
    let geometry = StructureGeometry::new(data, GeometryFlags::NONE);
    let size = device.acceleration_structure_sizes(&[(geometry, triangles)]).structure;
    let usage = BufferUsage::ACCELERATION_STRUCTURE_STORAGE | BufferUsage::MICROMAP_STORAGE;
    let buffer = device.create_bound_buffer(BufferDesc { size, usage })?;
    let desc = AccelerationStructureDesc { buffer: &buffer, offset: 0, size };
    let dst = device.create_acceleration_structure(&desc)?;
    let range = BuildRange { primitive_count: triangles, ..BuildRange::default() };
    let build = StructureBuild {
        flags: BuildFlags::NONE,
        update: None,
        dst: dst.clone(),
        geometries: vec![(geometry, range)],
    };
    let before = |step: &str| {
        if step == limited {
            // There is room for the states once.
            limit(u64::from(triangles) * 5);
            // Limits are looked for again after ten milliseconds.
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    };
    before("build");
    device.build_acceleration_structures(&[build], &Finest)?;
    before("bytes");
    dst.to_bytes(&[0; VERSION_BYTES])
}

/// The states of micromaps are in memory of the build and in the micromap; then in its bytes, and in those of the structure.
#[test]
fn micromaps_beyond_memory_are_an_error() {
    if let Some(limited) = TEST_CHILD.get() {
        // SAFETY: `alarm` does not access memory; it ends a process that hangs.
        unsafe { libc::alarm(120) };
        let code = match micromap(16, &limited) {
            Ok(bytes) if bytes.len() > 16 << 22 => DONE,
            Ok(_) => WRONG,
            Err(quadrille::Error::OutOfMemory(_)) => OUT_OF_MEMORY,
            Err(_) => OTHER,
        };
        // SAFETY: `_exit` has no preconditions; the process needs no cleanup.
        unsafe { libc::_exit(code) }
    }
    for (limited, code) in [("nothing", DONE), ("build", OUT_OF_MEMORY), ("bytes", OUT_OF_MEMORY)] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "micromaps_beyond_memory_are_an_error", "--test-threads=1", "--nocapture"]);
        let out = command.env(TEST_CHILD.name, limited).output().unwrap();
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(code), "{limited}, signal {:?} {text}", out.status.signal());
    }
}

/// Number of failures that one process tries.
const FAILURES: u32 = 40;
/// Exit code of a process whose program made fewer requests than the number of the failing one.
const ALL: i32 = 13;

/// Fails the requests for memory from `first` on, each in a separate program run.
fn failing_from(first: u32) -> i32 {
    let (sums, pixels) = program(1 << 12, 64).expect("no request fails");
    assert!(
        sums == sums_of(1 << 12) && pixels.iter().any(|pixel| *pixel != pixels[0]),
        "{sums:?} {pixels:?}"
    );
    for n in first..first + FAILURES {
        reserve::fail_after(Some(n));
        let result = program(1 << 12, 64);
        let to_come = reserve::fail_after(None).is_some();
        let out = [
            vk::Result::ERROR_OUT_OF_HOST_MEMORY,
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
            // The failure occurred while commands ran.
            vk::Result::ERROR_DEVICE_LOST,
        ];
        match result {
            // A failure that nothing reports.
            Ok(found) if found != (sums.clone(), pixels.clone()) => {
                println!("request {n}: wrong results");
                return WRONG;
            }
            Ok(_) if to_come => return ALL,
            // Some failures are recoverable: for example, a shader stays in the first tier.
            Ok(_) => {}
            Err(code) if out.contains(&code) => {}
            Err(code) => {
                println!("request {n}: {code}");
                return OTHER;
            }
        }
    }
    DONE
}

/// Any request for memory may fail: for the device, code, descriptors, commands or queries. All calls return, and the
/// program runs again afterwards.
#[test]
fn each_request_for_memory_may_fail() {
    if let Some(first) = TEST_CHILD.get() {
        // SAFETY: `alarm` does not access memory; it ends a process that hangs.
        unsafe { libc::alarm(120) };
        let code = failing_from(first.parse().unwrap());
        // SAFETY: `_exit` has no preconditions; the process needs no cleanup.
        unsafe { libc::_exit(code) }
    }
    for first in (0..).step_by(FAILURES as usize) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "each_request_for_memory_may_fail", "--test-threads=1", "--nocapture"]);
        let out = command.env(TEST_CHILD.name, first.to_string()).output().unwrap();
        match out.status.code() {
            Some(DONE) => {}
            Some(ALL) => {
                println!("{first} requests and more");
                assert!(first > FAILURES, "the program asks for memory");
                return;
            }
            code => {
                let text = [&out.stdout, &out.stderr].map(|t| String::from_utf8_lossy(t).into_owned());
                panic!("from {first}: {code:?}, signal {:?} {text:?}", out.status.signal())
            }
        }
    }
}

/// The set of a layout for commands that fail: one storage buffer.
fn layout_of_one(gpu: &Gpu, flags: vk::DescriptorSetLayoutCreateFlags) -> vk::DescriptorSetLayout {
    let binding = vk::DescriptorSetLayoutBinding::default()
        .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
        .descriptor_count(1)
        .stage_flags(vk::ShaderStageFlags::COMPUTE);
    let bindings = [binding];
    let info = vk::DescriptorSetLayoutCreateInfo::default().flags(flags).bindings(&bindings);
    // SAFETY: valid usage of Vulkan: the create info is live during the call.
    unsafe { gpu.device.create_descriptor_set_layout(&info, None).unwrap() }
}

/// Results of the end of recording and of a wait for the device after a command that returns no code and has no room for
/// a descriptor.
fn without_room(command: &str) -> (VkResult<()>, VkResult<()>) {
    let mut address = vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
    let mut buffers = vk::PhysicalDeviceDescriptorBufferFeaturesEXT::default().descriptor_buffer(true);
    let extensions = [
        c"VK_KHR_push_descriptor",
        c"VK_EXT_descriptor_indexing",
        c"VK_KHR_maintenance3",
        c"VK_KHR_buffer_device_address",
        c"VK_KHR_synchronization2",
        c"VK_EXT_descriptor_buffer",
    ];
    let gpu = Gpu::with(&extensions, |info| info.push_next(&mut address).push_next(&mut buffers)).unwrap();
    // The device may be lost, which the common end of a test does not allow.
    let gpu = ManuallyDrop::new(gpu);
    let (d, storage) = (&gpu.device, vk::DescriptorType::STORAGE_BUFFER);
    let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
    let buffer = gpu.buffer(64, usage);
    let range = [vk::DescriptorBufferInfo::default().buffer(buffer.buffer).range(64)];
    let write = vk::WriteDescriptorSet::default().descriptor_type(storage).buffer_info(&range);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let sets = [layout_of_one(&gpu, Default::default())];
        let sizes = [vk::DescriptorPoolSize::default().ty(storage).descriptor_count(1)];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&sets);
        let set = d.allocate_descriptor_sets(&info).unwrap()[0];
        let pushed = [layout_of_one(&gpu, vk::DescriptorSetLayoutCreateFlags::PUSH_DESCRIPTOR_KHR)];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&pushed);
        let layout = d.create_pipeline_layout(&info, None).unwrap();
        let push = ash::khr::push_descriptor::Device::new(&gpu.instance, d);
        let bytes = ash::ext::descriptor_buffer::Device::new(&gpu.instance, d);
        let info = vk::BufferDeviceAddressInfo::default().buffer(buffer.buffer);
        let at =
            ash::khr::buffer_device_address::Device::new(&gpu.instance, d).get_buffer_device_address(&info);
        let info = vk::CommandBufferAllocateInfo::default().command_pool(gpu.pool).command_buffer_count(1);
        let cmd = d.allocate_command_buffers(&info).unwrap()[0];
        d.begin_command_buffer(cmd, &Default::default()).unwrap();
        reserve::fail_after(Some(0));
        match command {
            "update" => d.update_descriptor_sets(&[write.dst_set(set)], &[]),
            "push" => push.cmd_push_descriptor_set(cmd, vk::PipelineBindPoint::COMPUTE, layout, 0, &[write]),
            "get" => {
                let info = vk::DescriptorAddressInfoEXT::default().address(at).range(64);
                let data = vk::DescriptorDataEXT { p_storage_buffer: &info };
                let info = vk::DescriptorGetInfoEXT { ty: storage, data, ..Default::default() };
                bytes.get_descriptor(&info, &mut [0; 16]);
            }
            _ => assert_eq!(command, "none"),
        }
        reserve::fail_after(None);
        (d.end_command_buffer(cmd), d.device_wait_idle())
    }
}

/// A command that returns no code reports its failure through its first argument. Spec: Vulkan, "Command Buffer
/// Lifecycle" (vkEndCommandBuffer) and "Lost Device".
#[test]
fn commands_that_return_no_code_report_failures() {
    if let Some(command) = TEST_CHILD.get() {
        // SAFETY: `alarm` does not access memory; it ends a process that hangs.
        unsafe { libc::alarm(120) };
        println!("after {command}: {:?}", without_room(&command));
        // SAFETY: `_exit` has no preconditions; the process needs no cleanup.
        unsafe { libc::_exit(DONE) }
    }
    let lost = "Err(ERROR_DEVICE_LOST)";
    let expected = [
        ("none", "Ok(())", "Ok(())"),
        ("update", "Ok(())", lost),
        ("push", "Err(ERROR_OUT_OF_HOST_MEMORY)", "Ok(())"),
        ("get", "Ok(())", lost),
    ];
    for (command, recorded, idle) in expected {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args([
            "--exact",
            "commands_that_return_no_code_report_failures",
            "--test-threads=1",
            "--nocapture",
        ]);
        let out = child.env(TEST_CHILD.name, command).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(out.status.code(), Some(DONE), "{text}");
        assert!(text.contains(&format!("after {command}: ({recorded}, {idle})")), "{text}");
    }
}

/// Results of a submission whose commands have no memory, and of commands after it.
fn without_memory() -> (VkResult<()>, [VkResult<()>; 5]) {
    // The device is lost, which the common end of a test does not allow.
    let gpu = ManuallyDrop::new(Gpu::new(&[]));
    let (d, buffer) = (&gpu.device, gpu.buffer(64, vk::BufferUsageFlags::TRANSFER_DST));
    let info = vk::CommandBufferAllocateInfo::default().command_pool(gpu.pool).command_buffer_count(1);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let cmd = d.allocate_command_buffers(&info).unwrap();
        d.begin_command_buffer(cmd[0], &Default::default()).unwrap();
        d.cmd_fill_buffer(cmd[0], buffer.buffer, 0, vk::WHOLE_SIZE, 1);
        d.end_command_buffer(cmd[0]).unwrap();
        let signaled = vk::FenceCreateInfo::default().flags(vk::FenceCreateFlags::SIGNALED);
        let before = d.create_fence(&signaled, None).unwrap();
        let fence = d.create_fence(&Default::default(), None).unwrap();
        let submit = [vk::SubmitInfo::default().command_buffers(&cmd)];
        // Requests of the submission itself, which may come first, are errors that leave the device as it is.
        let mut submitted = (0..100).map(|requests| {
            reserve::fail_after(Some(requests));
            let submitted = d.queue_submit(gpu.queue, &submit, fence);
            reserve::fail_after(None);
            submitted
        });
        let submitted = submitted.find(|submitted| submitted.is_ok()).expect("the commands ask for memory");
        let after = [
            d.wait_for_fences(&[fence], true, u64::MAX),
            d.wait_for_fences(&[before], true, u64::MAX),
            d.get_fence_status(before).map(drop),
            d.queue_wait_idle(gpu.queue),
            d.queue_submit(gpu.queue, &submit, vk::Fence::null()),
        ];
        (submitted, after)
    }
}

/// Commands that fail while they run lose the device, whatever the reason. Commands that can tell of the loss do so from
/// then on, even about a fence that was signaled before. Spec: Vulkan, "Lost Device".
#[test]
fn commands_that_fail_while_they_run_lose_the_device() {
    if TEST_CHILD.get().is_some() {
        // SAFETY: `alarm` does not access memory; it ends a process that hangs.
        unsafe { libc::alarm(120) };
        println!("after the failure: {:?}", without_memory());
        // SAFETY: `_exit` has no preconditions; the process needs no cleanup.
        unsafe { libc::_exit(DONE) }
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    let name = "commands_that_fail_while_they_run_lose_the_device";
    child.args(["--exact", name, "--test-threads=1", "--nocapture"]);
    let out = child.env(TEST_CHILD.name, "run").output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(DONE), "{text}");
    let lost = ["Err(ERROR_DEVICE_LOST)"; 5].join(", ");
    assert!(text.contains(&format!("after the failure: (Ok(()), [{lost}])")), "{text}");
}
