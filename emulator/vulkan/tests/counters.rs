//! VK_KHR_performance_query: what each counter counts, by scenes of known size. Each test runs in processes of its own,
//! because a variable of the environment sets the number of threads, and devices that count slow down the others.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::process::Command;

use ash::vk;
use common::triangle::{self, FORMAT};
use common::{Gpu, Mapped, Picture};
use quadrille_jit::sys::clock::process_cpu;

const CHILD: &str = "QUADRILLE_TEST_CHILD";

/// Width and height of the images.
const SIZE: u32 = 200;
/// The rectangle that draws cover. It lies in four tiles of 64x64 pixels, and splits quads at all of its sides.
const RECT: vk::Rect2D =
    vk::Rect2D { offset: vk::Offset2D { x: 3, y: 5 }, extent: vk::Extent2D { width: 101, height: 67 } };
const PIXELS: u64 = 101 * 67;
/// Columns of the rectangle left of column 40, where the fragment stage looks up a second texel.
const LEFT: u64 = 40 - 3;
const LOOKUPS: u64 = PIXELS + LEFT * 67;
const TILES: u64 = 4;

/// Runs a test in processes with one thread, with two, and by the interpreter; `false` in these processes themselves.
fn in_processes(test: &str) -> bool {
    if std::env::var_os(CHILD).is_some() {
        return false;
    }
    for (threads, interpreted) in [("1", "0"), ("2", "0"), ("2", "1")] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", test, "--nocapture"]).env(CHILD, "1");
        command.env("QUADRILLE_THREADS", threads).env("QUADRILLE_INTERP", interpreted);
        common::has_run(&command.output().unwrap());
    }
    true
}

/// A device with a compute pipeline and a graphics pipeline that look texels up, which live as long as the process.
struct Lab {
    gpu: Gpu,
    instance: ash::khr::performance_query::Instance,
    rendering: ash::khr::dynamic_rendering::Device,
    /// Names of the counters of queue family 0.
    names: Vec<String>,
    target: Picture,
    pixels: Mapped,
    layout: vk::PipelineLayout,
    set: vk::DescriptorSet,
    compute: vk::Pipeline,
    graphics: vk::Pipeline,
}

impl Lab {
    fn new() -> Lab {
        let mut features = vk::PhysicalDevicePerformanceQueryFeaturesKHR::default()
            .performance_counter_query_pools(true)
            .performance_counter_multiple_query_pools(true);
        let mut dynamic = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let gpu = Gpu::with(&[c"VK_KHR_performance_query", c"VK_KHR_dynamic_rendering"], |info| {
            info.push_next(&mut features).push_next(&mut dynamic)
        })
        .unwrap();
        let instance = ash::khr::performance_query::Instance::new(&vk_quadrille::entry(), &gpu.instance);
        let commands = ash::khr::performance_query::Device::new(&gpu.instance, &gpu.device);
        let lock = vk::AcquireProfilingLockInfoKHR::default().timeout(u64::MAX);
        // SAFETY: valid usage of Vulkan: the device is live.
        unsafe { (commands.fp().acquire_profiling_lock_khr)(commands.device(), &lock) }.result().unwrap();
        let rendering = ash::khr::dynamic_rendering::Device::new(&gpu.instance, &gpu.device);
        use vk::ImageUsageFlags as U;
        let target = image(&gpu, FORMAT, U::COLOR_ATTACHMENT | U::TRANSFER_SRC);
        let pixels = gpu.buffer(u64::from(SIZE * SIZE * 4), vk::BufferUsageFlags::TRANSFER_DST);
        let (layout, set) = descriptors(&gpu);
        let (compute, graphics) = (compute(&gpu, layout), graphics(&gpu, layout));
        let names = counters(&gpu, &instance, 0).into_iter().map(|c| c.0).collect();
        Lab { gpu, instance, rendering, names, target, pixels, layout, set, compute, graphics }
    }

    /// Index of a counter.
    fn index(&self, name: &str) -> u32 {
        self.names.iter().position(|n| n == name).unwrap_or_else(|| panic!("no counter `{name}`")) as u32
    }

    /// Resets the query of a pool, in a command buffer without its begin. Spec: VUID-vkCmdResetQueryPool-firstQuery-02862.
    fn reset(&self, pool: vk::QueryPool) {
        // SAFETY: valid usage of Vulkan: recording has begun, and the pool has one query.
        self.gpu.run(|c| unsafe { self.gpu.device.cmd_reset_query_pool(c, pool, 0, 1) });
    }

    /// A pool of one query, with these counters, which has been reset.
    fn pool(&self, names: &[&str]) -> vk::QueryPool {
        let indices: Vec<u32> = names.iter().map(|name| self.index(name)).collect();
        let mut of = vk::QueryPoolPerformanceCreateInfoKHR::default().counter_indices(&indices);
        let mut passes = 0;
        // SAFETY: valid usage of Vulkan: the structure and its array are live during the calls.
        unsafe {
            let ask = self.instance.fp().get_physical_device_queue_family_performance_query_passes_khr;
            ask(self.gpu.physical, &of, &mut passes);
            assert_eq!(passes, 1);
            let info = vk::QueryPoolCreateInfo::default()
                .query_type(vk::QueryType::PERFORMANCE_QUERY_KHR)
                .query_count(1)
                .push_next(&mut of);
            let pool = self.gpu.device.create_query_pool(&info, None).unwrap();
            self.reset(pool);
            pool
        }
    }

    /// The values of the query of a pool with `N` counters.
    fn values<const N: usize>(&self, pool: vk::QueryPool) -> [u64; N] {
        let mut values = [[u64::MAX; N]];
        let flags = vk::QueryResultFlags::WAIT;
        // SAFETY: valid usage of Vulkan: the pool has one query of `N` counters.
        unsafe { self.gpu.device.get_query_pool_results(pool, 0, &mut values, flags) }.unwrap();
        values[0]
    }

    /// Records and runs commands between the begin and the end of a query of each pool, and returns its values.
    fn count<const N: usize>(&self, names: [&str; N], record: impl FnOnce(vk::CommandBuffer)) -> [u64; N] {
        let (d, pool) = (&self.gpu.device, self.pool(&names));
        // SAFETY: valid usage of Vulkan: recording has begun, and the pool is live.
        self.gpu.run(|c| unsafe {
            d.cmd_begin_query(c, pool, 0, Default::default());
            record(c);
            d.cmd_end_query(c, pool, 0);
        });
        self.values(pool)
    }

    fn dispatch(&self, cmd: vk::CommandBuffer, groups: u32) {
        let (d, point) = (&self.gpu.device, vk::PipelineBindPoint::COMPUTE);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            d.cmd_bind_pipeline(cmd, point, self.compute);
            d.cmd_bind_descriptor_sets(cmd, point, self.layout, 0, &[self.set], &[]);
            d.cmd_dispatch(cmd, groups, 1, 1);
        }
        self.gpu.barrier(cmd);
    }

    /// Records rendering to the target, which is cleared.
    fn render(&self, cmd: vk::CommandBuffer, draws: impl FnOnce(vk::CommandBuffer)) {
        let color = [vk::RenderingAttachmentInfo::default()
            .image_view(self.target.view)
            .image_layout(vk::ImageLayout::GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)];
        let extent = vk::Extent2D { width: SIZE, height: SIZE };
        let info = vk::RenderingInfo::default()
            .render_area(vk::Rect2D { extent, ..Default::default() })
            .layer_count(1)
            .color_attachments(&color);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            self.rendering.cmd_begin_rendering(cmd, &info);
            draws(cmd);
            self.rendering.cmd_end_rendering(cmd);
        }
    }

    /// Records a draw that covers the rectangle.
    fn draw(&self, cmd: vk::CommandBuffer) {
        let (d, point, side) = (&self.gpu.device, vk::PipelineBindPoint::GRAPHICS, SIZE as f32);
        let viewport = vk::Viewport { width: side, height: side, max_depth: 1.0, ..Default::default() };
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            d.cmd_bind_pipeline(cmd, point, self.graphics);
            d.cmd_bind_descriptor_sets(cmd, point, self.layout, 0, &[self.set], &[]);
            d.cmd_set_viewport(cmd, 0, &[viewport]);
            d.cmd_set_scissor(cmd, 0, &[RECT]);
            d.cmd_draw(cmd, 3, 1, 0, 0);
        }
    }

    /// Number of pixels of the target that are not those of the clear.
    fn drawn(&self) -> u64 {
        self.gpu.run(|c| {
            let region = [self.target.region()];
            let from = self.target.image;
            // SAFETY: valid usage of Vulkan: recording has begun, and the buffer has room for the image.
            unsafe {
                let layout = vk::ImageLayout::GENERAL;
                self.gpu.device.cmd_copy_image_to_buffer(c, from, layout, self.pixels.buffer, &region);
            }
        });
        self.pixels.read::<u32>().iter().filter(|pixel| **pixel != 0).count() as u64
    }
}

/// A cleared image in the general layout.
fn image(gpu: &Gpu, format: vk::Format, usage: vk::ImageUsageFlags) -> Picture {
    let made = gpu.image(format, SIZE, usage | vk::ImageUsageFlags::TRANSFER_DST);
    let barrier = [vk::ImageMemoryBarrier::default()
        .dst_access_mask(vk::AccessFlags::TRANSFER_WRITE)
        .new_layout(vk::ImageLayout::GENERAL)
        .image(made.image)
        .subresource_range(common::WHOLE)];
    let (top, copy) = (vk::PipelineStageFlags::TOP_OF_PIPE, vk::PipelineStageFlags::TRANSFER);
    // SAFETY: valid usage of Vulkan: recording has begun, and the image is live.
    gpu.run(|c| unsafe {
        let (d, none, color) = (&gpu.device, Default::default(), Default::default());
        d.cmd_pipeline_barrier(c, top, copy, none, &[], &[], &barrier);
        let layout = vk::ImageLayout::GENERAL;
        d.cmd_clear_color_image(c, made.image, layout, &color, &[common::WHOLE]);
    });
    made
}

/// A set of a storage image and of a sampled image, with its layout.
fn descriptors(gpu: &Gpu) -> (vk::PipelineLayout, vk::DescriptorSet) {
    use vk::{DescriptorType as T, ImageUsageFlags as U};
    let d = &gpu.device;
    let stored = image(gpu, vk::Format::R32_UINT, U::STORAGE);
    let sampled = image(gpu, FORMAT, U::SAMPLED);
    let kinds = [T::STORAGE_IMAGE, T::COMBINED_IMAGE_SAMPLER];
    let stages = [vk::ShaderStageFlags::COMPUTE, vk::ShaderStageFlags::FRAGMENT];
    let bindings = [0, 1].map(|i| {
        let binding = vk::DescriptorSetLayoutBinding::default().binding(i as u32).descriptor_count(1);
        binding.descriptor_type(kinds[i]).stage_flags(stages[i])
    });
    let sizes = kinds.map(|kind| vk::DescriptorPoolSize::default().ty(kind).descriptor_count(1));
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let layouts = [d.create_descriptor_set_layout(&info, None).unwrap()];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
        let layout = d.create_pipeline_layout(&info, None).unwrap();
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        let set = d.allocate_descriptor_sets(&info).unwrap()[0];
        let sampler = d.create_sampler(&Default::default(), None).unwrap();
        for (i, view) in [stored.view, sampled.view].into_iter().enumerate() {
            let info = [vk::DescriptorImageInfo::default()
                .sampler(sampler)
                .image_view(view)
                .image_layout(vk::ImageLayout::GENERAL)];
            let write = vk::WriteDescriptorSet::default().dst_set(set).dst_binding(i as u32);
            d.update_descriptor_sets(&[write.descriptor_type(kinds[i]).image_info(&info)], &[]);
        }
        (layout, set)
    }
}

fn compute(gpu: &Gpu, layout: vk::PipelineLayout) -> vk::Pipeline {
    let module = gpu.shader(include_str!("shaders/lookups.comp.spvasm"));
    let stage = vk::PipelineShaderStageCreateInfo::default()
        .module(module)
        .stage(vk::ShaderStageFlags::COMPUTE)
        .name(c"main");
    let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
    unsafe { gpu.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) }.unwrap()[0]
}

fn graphics(gpu: &Gpu, layout: vk::PipelineLayout) -> vk::Pipeline {
    let texts = [include_str!("shaders/tri.vert.spvasm"), include_str!("shaders/lookups.frag.spvasm")];
    let input = vk::PipelineVertexInputStateCreateInfo::default();
    triangle::pipeline_with(gpu, vk::RenderPass::null(), texts, &input, layout).unwrap()
}

/// Names and units of the counters of a queue family.
fn counters(
    gpu: &Gpu,
    instance: &ash::khr::performance_query::Instance,
    family: u32,
) -> Vec<(String, vk::PerformanceCounterUnitKHR, vk::PerformanceCounterDescriptionFlagsKHR)> {
    let list = instance.fp().enumerate_physical_device_queue_family_performance_query_counters_khr;
    let (mut n, none) = (0, std::ptr::null_mut());
    // SAFETY: valid usage of Vulkan: all arrays have the sizes beside them.
    unsafe {
        list(gpu.physical, family, &mut n, none, std::ptr::null_mut()).result().unwrap();
        let mut counters = vec![vk::PerformanceCounterKHR::default(); n as usize];
        let mut texts = vec![vk::PerformanceCounterDescriptionKHR::default(); n as usize];
        list(gpu.physical, family, &mut n, counters.as_mut_ptr(), texts.as_mut_ptr()).result().unwrap();
        assert!(counters.iter().all(|c| c.storage == vk::PerformanceCounterStorageKHR::UINT64));
        assert!(counters.iter().all(|c| c.scope == vk::PerformanceCounterScopeKHR::COMMAND));
        let name = |text: &vk::PerformanceCounterDescriptionKHR<'_>| {
            assert!(text.description_as_c_str().is_ok_and(|text| !text.is_empty()));
            text.name_as_c_str().unwrap().to_str().unwrap().to_owned()
        };
        counters.iter().zip(&texts).map(|(c, text)| (name(text), c.unit, text.flags)).collect()
    }
}

/// A lookup and a store are operations of an invocation, also in lane groups that the workgroup does not fill and in
/// branches that a part of it takes.
#[test]
fn dispatches_count_texels() {
    if in_processes("dispatches_count_texels") {
        return;
    }
    let lab = Lab::new();
    let lookups = |groups: u64| groups * (2 * 10 + 3);
    let names = ["texel stores", "compute invocations", "texel lookups", "texel stores", "tiles", "samples"];
    let once = lab.count(names, |c| lab.dispatch(c, 7));
    assert_eq!(once, [70, 70, lookups(7), 70, 0, 0]);
    // A query of several commands has their sum, and commands outside of a query leave no trace.
    lab.gpu.run(|c| lab.dispatch(c, 20));
    let sum = lab.count(names, |c| {
        lab.dispatch(c, 7);
        lab.dispatch(c, 13);
    });
    assert_eq!(sum, [200, 200, lookups(20), 200, 0, 0]);
    // The routines of images change as they are compiled in the background; the counts do not.
    for _ in 0..60 {
        assert_eq!(lab.count(["texel lookups"], |c| lab.dispatch(c, 20)), [lookups(20)]);
    }
    assert_eq!(lab.count(["texel lookups", "texel stores"], |_| {}), [0, 0]);
    // Several pools in one command buffer.
    let (d, pools) = (&lab.gpu.device, [lab.pool(&["texel lookups"]), lab.pool(&["texel stores"])]);
    lab.gpu.run(|c| {
        for (pool, groups) in [(pools[0], 3), (pools[1], 9)] {
            // SAFETY: valid usage of Vulkan: recording has begun, and the pool is live.
            unsafe { d.cmd_begin_query(c, pool, 0, Default::default()) };
            lab.dispatch(c, groups);
            // SAFETY: valid usage of Vulkan: the query has begun.
            unsafe { d.cmd_end_query(c, pool, 0) };
        }
    });
    assert_eq!(pools.map(|pool| lab.values::<1>(pool)), [[lookups(3)], [90]]);
}

/// Helper invocations do not count, and fragments that later draws hide do.
#[test]
fn draws_count_texels_samples_and_tiles() {
    if in_processes("draws_count_texels_samples_and_tiles") {
        return;
    }
    let lab = Lab::new();
    let names = ["tiles", "fragment invocations", "samples", "texel lookups"];
    let expected = |n: u64, tiles: u64| [tiles, n * PIXELS, n * PIXELS, n * LOOKUPS];
    // Around the rendering, in which both draws run together.
    let around = |n: u32| lab.count(names, |c| lab.render(c, |c| (0..n).for_each(|_| lab.draw(c))));
    assert_eq!((around(1), lab.drawn()), (expected(1, TILES), PIXELS));
    // Checks run the draws one by one.
    let two = around(2);
    assert!([TILES, 2 * TILES].contains(&two[0]), "{two:?}");
    assert_eq!(two[1..], expected(2, TILES)[1..]);
    assert_eq!(around(0), [0; 4]);
    // Around one of three draws.
    let (d, pool) = (&lab.gpu.device, lab.pool(&names));
    // SAFETY: valid usage of Vulkan: recording has begun, and the pool is live.
    lab.gpu.run(|c| unsafe {
        lab.render(c, |c| {
            lab.draw(c);
            d.cmd_begin_query(c, pool, 0, Default::default());
            lab.draw(c);
            d.cmd_end_query(c, pool, 0);
            lab.draw(c);
        });
    });
    assert_eq!(lab.values(pool), expected(1, TILES));
    // Draws of a large shader get other lane groups once they are compiled in the background.
    for _ in 0..16 {
        lab.gpu.run(|c| lab.render(c, |c| (0..4).for_each(|_| lab.draw(c))));
        assert_eq!(lab.count(["texel lookups"], |c| lab.render(c, |c| lab.draw(c))), [LOOKUPS]);
    }
    // Each counter alone.
    for (k, name) in names.into_iter().enumerate() {
        let alone = lab.count([name], |c| lab.render(c, |c| lab.draw(c)));
        assert_eq!(alone, [expected(1, TILES)[k]], "{name}");
    }
}

/// An occlusion query and a performance query are active at once, and overlap in part.
#[test]
fn occlusion_queries_count_beside_counters() {
    if in_processes("occlusion_queries_count_beside_counters") {
        return;
    }
    let lab = Lab::new();
    let d = &lab.gpu.device;
    let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::OCCLUSION).query_count(1);
    // SAFETY: valid usage of Vulkan: the create info is live during the call.
    let occlusion = unsafe { d.create_query_pool(&info, None) }.unwrap();
    let counters = lab.pool(&["samples", "texel lookups"]);
    // SAFETY: valid usage of Vulkan: recording has begun, and the pools are live.
    lab.gpu.run(|c| unsafe {
        d.cmd_reset_query_pool(c, occlusion, 0, 1);
        lab.render(c, |c| {
            d.cmd_begin_query(c, counters, 0, Default::default());
            lab.draw(c);
            d.cmd_begin_query(c, occlusion, 0, vk::QueryControlFlags::empty());
            lab.draw(c);
            d.cmd_end_query(c, counters, 0);
            lab.draw(c);
            lab.draw(c);
            d.cmd_end_query(c, occlusion, 0);
            lab.draw(c);
        });
    });
    assert_eq!(lab.values(counters), [2 * PIXELS, 2 * LOOKUPS]);
    let mut passed = [u64::MAX];
    // SAFETY: valid usage of Vulkan: the pool has one query.
    unsafe { d.get_query_pool_results(occlusion, 0, &mut passed, vk::QueryResultFlags::TYPE_64) }.unwrap();
    assert!(passed[0] > 0, "{passed:?}");
    assert_eq!(passed, [3 * PIXELS]);
}

/// The time is that of the threads of the device, which the process has spent, too.
#[test]
fn time_is_that_of_the_commands() {
    if in_processes("time_is_that_of_the_commands") {
        return;
    }
    let lab = Lab::new();
    let before = process_cpu();
    let [many] = lab.count(["CPU time"], |c| (0..400).for_each(|_| lab.dispatch(c, 20)));
    let spent = (process_cpu() - before).as_nanos() as u64;
    assert!(0 < many && many <= spent, "{many} of {spent} ns");
    let [one] = lab.count(["CPU time"], |c| lab.dispatch(c, 20));
    assert!(one < many, "{one} and {many} ns");
}

/// `true` if the processor has a time stamp counter with a constant rate. Spec: Intel SDM 17.17.1, AMD APM 3.12.
#[cfg(target_arch = "x86_64")]
fn has_cycles() -> bool {
    use std::arch::x86_64::__cpuid;
    __cpuid(0x8000_0000).eax >= 0x8000_0007 && __cpuid(0x8000_0007).edx >> 8 & 1 == 1
}

#[cfg(not(target_arch = "x86_64"))]
fn has_cycles() -> bool {
    false
}

/// Cycles are the CPU time, at the rate of the processor's own counter.
#[test]
#[cfg(target_arch = "x86_64")]
fn cycles_are_those_of_the_time() {
    if in_processes("cycles_are_those_of_the_time") {
        return;
    }
    let lab = Lab::new();
    if !has_cycles() {
        assert!(!lab.names.iter().any(|name| name == "reference cycles"));
        return;
    }
    let names = ["CPU time", "reference cycles"];
    let [time, cycles] = lab.count(names, |c| (0..400).for_each(|_| lab.dispatch(c, 20)));
    // SAFETY: every processor of the family has the instruction.
    let counter = || unsafe { std::arch::x86_64::_rdtsc() };
    let (begun, before) = (std::time::Instant::now(), counter());
    std::thread::sleep(std::time::Duration::from_millis(100));
    let (passed, count) = (begun.elapsed().as_nanos() as f64, counter() - before);
    let (rate, found) = (count as f64 / passed, cycles as f64 / time as f64);
    assert!(time > 0 && (rate / found - 1.0).abs() < 0.01, "{time} ns, {cycles} cycles: {found}, not {rate}");
}

/// A query that has been reset is not available, and counts anew. Spec: Vulkan, "Performance Queries".
#[test]
fn queries_are_reset_and_refused() {
    if in_processes("queries_are_reset_and_refused") {
        return;
    }
    let lab = Lab::new();
    let (d, pool) = (&lab.gpu.device, lab.pool(&["compute invocations", "texel stores"]));
    for groups in [3, 5] {
        lab.reset(pool);
        let mut none = [[7u64; 2]];
        // SAFETY: valid usage of Vulkan: the pool has one query of two counters.
        let code = unsafe { d.get_query_pool_results(pool, 0, &mut none, vk::QueryResultFlags::empty()) };
        assert_eq!((code, none), (Err(vk::Result::NOT_READY), [[7; 2]]));
        // SAFETY: valid usage of Vulkan: recording has begun, and the pool is live.
        lab.gpu.run(|c| unsafe {
            d.cmd_begin_query(c, pool, 0, Default::default());
            lab.dispatch(c, groups);
            d.cmd_end_query(c, pool, 0);
        });
        assert_eq!(lab.values(pool), [u64::from(groups) * 10; 2]);
    }
    // An index that the family does not have breaks valid usage (03321): no pool is made, and nothing else happens.
    let beyond = [0, lab.names.len() as u32];
    let mut of = vk::QueryPoolPerformanceCreateInfoKHR::default().counter_indices(&beyond);
    let info = vk::QueryPoolCreateInfo::default()
        .query_type(vk::QueryType::PERFORMANCE_QUERY_KHR)
        .query_count(1)
        .push_next(&mut of);
    // SAFETY: the driver checks the indices.
    assert_eq!(unsafe { d.create_query_pool(&info, None) }, Err(vk::Result::ERROR_UNKNOWN));
}

/// Families without graphics have the counters of all commands; units and impacts are those of the counters.
#[test]
fn counters_are_listed() {
    use vk::PerformanceCounterUnitKHR as Unit;
    let lab = Lab::new();
    let [all, fewer] = [0, 1].map(|family| counters(&lab.gpu, &lab.instance, family));
    let names: Vec<&str> = fewer.iter().map(|c| &*c.0).collect();
    let all_have = ["compute invocations", "texel lookups", "texel stores", "CPU time"];
    let cycles = has_cycles().then_some("reference cycles");
    assert_eq!(names, all_have.into_iter().chain(cycles).collect::<Vec<_>>());
    assert_eq!(fewer, all[..fewer.len()]);
    let unit = |name: &str| all.iter().find(|c| c.0 == name).unwrap().1;
    assert_eq!([unit("CPU time"), unit("tiles")], [Unit::NANOSECONDS, Unit::GENERIC]);
    assert!(cycles.is_none_or(|name| unit(name) == Unit::CYCLES));
    let slow = all.iter().filter(|c| !c.2.is_empty()).map(|c| &*c.0);
    assert_eq!(slow.collect::<Vec<_>>(), ["texel lookups", "texel stores", "samples"]);
}
