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
use quadrille::reserve;
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

/// Dispatches over `values` values and draws an image of `size` pixels, checking every result code.
fn program(values: u32, size: u32) -> VkResult<()> {
    // Objects are leaked until the process ends.
    let gpu = ManuallyDrop::new(Gpu::try_new(&[])?);
    compute(&gpu, values)?;
    draw(&gpu, size)?;
    count(&gpu)
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

fn compute(gpu: &Gpu, values: u32) -> VkResult<()> {
    let d = &gpu.device;
    let recipe = sum::Recipe::new(gpu)?;
    let pipeline = recipe.pipeline(gpu, vk::PipelineCache::null())?;
    let mut buffers = [vk::Buffer::null(); 3];
    for buffer in &mut buffers {
        let info = vk::BufferCreateInfo::default()
            .size(u64::from(values) * 4)
            .usage(vk::BufferUsageFlags::STORAGE_BUFFER);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            *buffer = d.create_buffer(&info, None)?;
            let need = d.get_buffer_memory_requirements(*buffer);
            let info = vk::MemoryAllocateInfo::default().allocation_size(need.size);
            d.bind_buffer_memory(*buffer, d.allocate_memory(&info, None)?, 0)?;
        }
    }
    let (_, set) = recipe.set(gpu, buffers)?;
    gpu.try_run(|c| recipe.record(gpu, c, pipeline, set, values))
}

fn draw(gpu: &Gpu, size: u32) -> VkResult<()> {
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
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { gpu.device.cmd_end_render_pass(c) };
    })
}

/// Exit codes of a process that ran the program under a limit.
const DONE: i32 = 10;
const OUT_OF_MEMORY: i32 = 11;
const OTHER: i32 = 12;

fn limited_to(mib: u64) -> ! {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    let now: u64 = text.split(' ').next().unwrap().parse::<u64>().unwrap() * 4096;
    let limit = Some(now + (mib << 20));
    setrlimit(Resource::As, Rlimit { current: limit, maximum: limit }).unwrap();
    let code = match program(1 << 18, 512) {
        Ok(()) => DONE,
        Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY) => OUT_OF_MEMORY,
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

/// Number of failures that one process tries.
const FAILURES: u32 = 40;
/// Exit code of a process whose program made fewer requests than the number of the failing one.
const ALL: i32 = 13;

/// Fails the requests for memory from `first` on, each in a separate program run.
fn failing_from(first: u32) -> i32 {
    for n in first..first + FAILURES {
        reserve::fail_after(Some(n));
        let result = program(1 << 12, 64);
        let to_come = reserve::fail_after(None);
        let out = [
            vk::Result::ERROR_OUT_OF_HOST_MEMORY,
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
            // The failure occurred while commands ran.
            vk::Result::ERROR_DEVICE_LOST,
        ];
        match result {
            Ok(()) if to_come => return ALL,
            // Some failures are recoverable: for example, a shader stays in the first tier.
            Ok(()) => {}
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
