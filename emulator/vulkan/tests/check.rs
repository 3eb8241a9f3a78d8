//! Checked execution of programs: messengers of VK_EXT_debug_utils receive the reports, including missing barriers.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::ffi::{CStr, c_void};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use ash::vk;
use common::Gpu;
use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
use vk::DebugUtilsMessageTypeFlagsEXT as Type;

const CHILD: &str = "QUADRILLE_TEST_CHILD";
/// Number of words of each buffer.
const N: u32 = 64;

/// Number of messages that messengers have received.
static HEARD: AtomicUsize = AtomicUsize::new(0);

/// Prints the messages that a messenger receives.
///
/// # Safety
/// `data` is a valid structure with a message name and a message.
unsafe extern "system" fn hear(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the driver passes a valid structure with a name and a message.
    let [id, text] = unsafe { [(*data).p_message_id_name, (*data).p_message] }
        .map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
    assert_eq!(types, Type::VALIDATION);
    HEARD.fetch_add(1, Ordering::Relaxed);
    println!("heard {severity:?} {id}: {}", text.lines().next().unwrap_or_default());
    vk::FALSE
}

/// A compute shader that adds two buffers into a third: `c = a + b`.
struct Sum {
    gpu: Gpu,
    utils: ash::ext::debug_utils::Instance,
    messenger: vk::DebugUtilsMessengerEXT,
    buffers: [(vk::Buffer, vk::DeviceMemory); 3],
    set_layout: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    pipeline: vk::Pipeline,
    pool: vk::DescriptorPool,
    set: vk::DescriptorSet,
}

impl Sum {
    /// Creates a device with a messenger. No memory is mapped.
    fn new() -> Sum {
        let gpu = Gpu::with_instance(&[c"VK_EXT_debug_utils"], &[], |info| info).unwrap();
        let utils = ash::ext::debug_utils::Instance::new(&vk_quadrille::entry(), &gpu.instance);
        let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(Severity::ERROR | Severity::WARNING)
            .message_type(Type::VALIDATION)
            .pfn_user_callback(Some(hear));
        let d = &gpu.device;
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let messenger = utils.create_debug_utils_messenger(&info, None).unwrap();
            let buffers = [(); 3].map(|()| {
                let usage = vk::BufferUsageFlags::STORAGE_BUFFER
                    | vk::BufferUsageFlags::INDIRECT_BUFFER
                    | vk::BufferUsageFlags::TRANSFER_SRC
                    | vk::BufferUsageFlags::TRANSFER_DST;
                let info = vk::BufferCreateInfo::default().size(u64::from(N) * 4).usage(usage);
                let buffer = d.create_buffer(&info, None).unwrap();
                let size = d.get_buffer_memory_requirements(buffer).size;
                let info = vk::MemoryAllocateInfo::default().allocation_size(size);
                let memory = d.allocate_memory(&info, None).unwrap();
                d.bind_buffer_memory(buffer, memory, 0).unwrap();
                (buffer, memory)
            });
            let bindings = [0, 1, 2].map(|i| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(i)
                    .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            });
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let set_layout = d.create_descriptor_set_layout(&info, None).unwrap();
            let push = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(4)];
            let layouts = [set_layout];
            let info =
                vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(&push);
            let layout = d.create_pipeline_layout(&info, None).unwrap();
            let module = gpu.shader(include_str!("shaders/add.comp.spvasm"));
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::COMPUTE)
                .module(module)
                .name(c"main");
            let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
            let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None).unwrap()[0];
            d.destroy_shader_module(module, None);
            let sizes = [vk::DescriptorPoolSize::default()
                .ty(vk::DescriptorType::STORAGE_BUFFER)
                .descriptor_count(3)];
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = d.create_descriptor_pool(&info, None).unwrap();
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let set = d.allocate_descriptor_sets(&info).unwrap()[0];
            let infos =
                buffers.map(|b| vk::DescriptorBufferInfo::default().buffer(b.0).range(vk::WHOLE_SIZE));
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .buffer_info(&infos);
            d.update_descriptor_sets(&[write], &[]);
            Sum { utils, messenger, buffers, set_layout, layout, pipeline, pool, set, gpu }
        }
    }

    fn fill(&self, cmd: vk::CommandBuffer, buffer: usize) {
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { self.gpu.device.cmd_fill_buffer(cmd, self.buffers[buffer].0, 0, vk::WHOLE_SIZE, 0) };
    }

    /// Records the sum; `n` words are added if `n` is pushed.
    fn dispatch(&self, cmd: vk::CommandBuffer, n: Option<u32>) {
        let d = &self.gpu.device;
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, self.pipeline);
            let (layout, set) = (self.layout, [self.set]);
            d.cmd_bind_descriptor_sets(cmd, vk::PipelineBindPoint::COMPUTE, layout, 0, &set, &[]);
            if let Some(n) = n {
                d.cmd_push_constants(cmd, layout, vk::ShaderStageFlags::COMPUTE, 0, &n.to_ne_bytes());
            }
            d.cmd_dispatch(cmd, 1, 1, 1);
        }
    }
}

impl Drop for Sum {
    fn drop(&mut self) {
        let d = &self.gpu.device;
        // SAFETY: all submitted commands are done, and the objects are not used afterwards.
        unsafe {
            d.destroy_pipeline(self.pipeline, None);
            d.destroy_descriptor_pool(self.pool, None);
            d.destroy_pipeline_layout(self.layout, None);
            d.destroy_descriptor_set_layout(self.set_layout, None);
            for (buffer, memory) in self.buffers {
                d.destroy_buffer(buffer, None);
                d.free_memory(memory, None);
            }
            self.utils.destroy_debug_utils_messenger(self.messenger, None);
        }
    }
}

/// Returns the messages of a test that runs in a separate process with checked shaders.
fn heard(test: &str, case: &str) -> Vec<String> {
    heard_by(test, case, "1")
}

/// Returns the messages of a test that runs in a separate process, with this value of `QUADRILLE_CHECK`.
fn heard_by(test: &str, case: &str, check: &str) -> Vec<String> {
    let out = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, case)
        .env("QUADRILLE_CHECK", check)
        .output()
        .unwrap();
    let lines = String::from_utf8_lossy(&out.stdout).into_owned();
    common::has_run(&out);
    lines.lines().filter_map(|l| l.split_once("heard ")).map(|(_, heard)| heard.to_owned()).collect()
}

#[test]
fn messengers_hear_of_mistakes() {
    if let Some(case) = std::env::var_os(CHILD) {
        let sum = Sum::new();
        // Each fill is a separate submission.
        let filled = if case == "right" { 2 } else { 1 };
        (0..filled).for_each(|i| sum.gpu.run(|cmd| sum.fill(cmd, i)));
        return sum.gpu.run(|cmd| sum.dispatch(cmd, (case != "not pushed").then_some(N)));
    }
    let test = "messengers_hear_of_mistakes";
    assert_eq!(heard(test, "right"), [""; 0]);
    let found = heard(test, "not filled");
    assert!(found.len() == 1 && found[0].starts_with("ERROR uninitialized-buffer: "), "{found:?}");
    let found = heard(test, "not pushed");
    assert!(found.iter().any(|f| f.starts_with("ERROR unset-push-constant: ")), "{found:?}");
}

/// A program that gives up waiting hears first what was found until then.
#[test]
fn waits_that_time_out_tell_what_was_found() {
    let test = "waits_that_time_out_tell_what_was_found";
    if std::env::var_os(CHILD).is_none() {
        let found = heard(test, "event");
        let [first, last] = &found[..] else { panic!("{found:?}") };
        assert!(first.starts_with("ERROR uninitialized-buffer: ") && last == "the timeout", "{found:?}");
        return;
    }
    let sum = Sum::new();
    let d = &sum.gpu.device;
    sum.gpu.run(|cmd| sum.fill(cmd, 0));
    // SAFETY: valid usage of Vulkan: the host sets the event, and destroys both objects when the commands are done.
    unsafe {
        let event = d.create_event(&Default::default(), None).unwrap();
        let (host, all) = (vk::PipelineStageFlags::HOST, vk::PipelineStageFlags::ALL_COMMANDS);
        let info =
            vk::CommandBufferAllocateInfo::default().command_pool(sum.gpu.pool).command_buffer_count(1);
        let cmd = d.allocate_command_buffers(&info).unwrap();
        d.begin_command_buffer(cmd[0], &Default::default()).unwrap();
        sum.dispatch(cmd[0], Some(N));
        d.cmd_wait_events(cmd[0], &[event], host, all, &[], &[], &[]);
        d.end_command_buffer(cmd[0]).unwrap();
        let fence = d.create_fence(&Default::default(), None).unwrap();
        d.queue_submit(sum.gpu.queue, &[vk::SubmitInfo::default().command_buffers(&cmd)], fence).unwrap();
        // The shader runs while the host waits, possibly more than once.
        for _ in 0..60 {
            assert_eq!(d.wait_for_fences(&[fence], true, 1_000_000_000), Err(vk::Result::TIMEOUT));
            if HEARD.load(Ordering::Relaxed) > 0 {
                break;
            }
        }
        println!("heard the timeout");
        d.set_event(event).unwrap();
        d.wait_for_fences(&[fence], true, u64::MAX).unwrap();
        d.destroy_fence(fence, None);
        d.destroy_event(event, None);
    }
}

/// With `fail`, exactly the submissions with mistakes fail.
#[test]
fn submissions_with_mistakes_fail_where_they_shall() {
    if std::env::var_os(CHILD).is_some() {
        let sum = std::mem::ManuallyDrop::new(Sum::new());
        (0..2).for_each(|i| sum.gpu.run(|cmd| sum.fill(cmd, i)));
        for pushed in [Some(N), None] {
            println!("heard {:?}", sum.gpu.try_run(|cmd| sum.dispatch(cmd, pushed)));
        }
        return;
    }
    let results = |check| {
        let mut found = heard_by("submissions_with_mistakes_fail_where_they_shall", "both", check);
        found.retain(|f| f.starts_with("Ok") || f.starts_with("Err"));
        found
    };
    assert_eq!(results("1"), ["Ok(())"; 2]);
    assert_eq!(results("fail"), ["Ok(())", "Err(ERROR_DEVICE_LOST)"]);
}

/// Copies half of the words of a sum to the other half, with or without a barrier between the commands.
fn copy_behind_a_sum(case: &str) {
    use vk::{AccessFlags as A, PipelineStageFlags as S};
    let sum = Sum::new();
    (0..3).for_each(|i| sum.gpu.run(|cmd| sum.fill(cmd, i)));
    let right = ((S::COMPUTE_SHADER, A::SHADER_WRITE), (S::TRANSFER, A::TRANSFER_READ));
    let (from, to) = match case {
        "another stage" => ((S::FRAGMENT_SHADER, A::SHADER_WRITE), right.1),
        "nothing made visible" => ((S::COMPUTE_SHADER, A::empty()), (S::TRANSFER, A::empty())),
        "everything" => ((S::ALL_COMMANDS, A::MEMORY_WRITE), (S::ALL_COMMANDS, A::MEMORY_READ)),
        _ => right,
    };
    let d = &sum.gpu.device;
    let result = sum.buffers[2].0;
    // SAFETY: valid usage of Vulkan, except for the missing barriers that the checks must find.
    sum.gpu.run(|cmd| unsafe {
        if case == "filled before" {
            sum.fill(cmd, 2);
        }
        sum.dispatch(cmd, Some(N / 2));
        let of = if case == "another buffer" { sum.buffers[0].0 } else { result };
        let barrier = vk::BufferMemoryBarrier::default()
            .src_access_mask(from.1)
            .dst_access_mask(to.1)
            .buffer(of)
            .size(vk::WHOLE_SIZE);
        match case {
            "nothing" => {}
            "an event" => {
                let event = d.create_event(&Default::default(), None).unwrap();
                d.cmd_set_event(cmd, event, from.0);
                d.cmd_wait_events(cmd, &[event], from.0, to.0, &[], &[barrier], &[]);
            }
            "a chain" => {
                let middle = S::VERTEX_SHADER;
                let read = barrier.dst_access_mask(A::SHADER_READ);
                d.cmd_pipeline_barrier(cmd, from.0, middle, Default::default(), &[], &[read], &[]);
                let rest = barrier.src_access_mask(A::empty());
                d.cmd_pipeline_barrier(cmd, middle, to.0, Default::default(), &[], &[rest], &[]);
            }
            _ => d.cmd_pipeline_barrier(cmd, from.0, to.0, Default::default(), &[], &[barrier], &[]),
        }
        let half = u64::from(N) * 2;
        let region = vk::BufferCopy { src_offset: 0, dst_offset: half, size: half };
        d.cmd_copy_buffer(cmd, result, result, &[region]);
    });
}

#[test]
fn commands_are_ordered_by_barriers() {
    if let Some(case) = std::env::var_os(CHILD) {
        return copy_behind_a_sum(&case.to_string_lossy());
    }
    let test = "commands_are_ordered_by_barriers";
    for case in ["right", "everything", "an event", "a chain"] {
        assert_eq!(heard(test, case), [""; 0], "{case}");
    }
    for case in ["nothing", "another stage", "nothing made visible", "another buffer"] {
        let found = heard(test, case);
        assert!(found.len() == 1 && found[0].starts_with("ERROR race-commands: "), "{case}: {found:?}");
        assert!(found[0].contains("`vkCmdCopyBuffer`"), "{case}: {found:?}");
    }
    // The barrier after the sum does not order the fill before later commands.
    let found = heard(test, "filled before");
    assert!(found.iter().all(|f| f.starts_with("ERROR race-commands: ")), "{found:?}");
    let words = ["`c[0]`", "is written here by `vkCmdDispatch`", "was written earlier by `vkCmdFillBuffer`"];
    let by_shader = |f: &String| words.iter().all(|word| f.contains(word));
    assert!(found.iter().any(by_shader), "{found:?}");
}

/// Commands that use a destroyed buffer must not be submitted. Spec: Vulkan, "Command Buffer Lifecycle".
#[test]
fn what_is_submitted_is_there() {
    if let Some(case) = std::env::var_os(CHILD) {
        let sum = std::mem::ManuallyDrop::new(Sum::new());
        let (d, buffer) = (&sum.gpu.device, sum.buffers[0].0);
        if case == "before" {
            // SAFETY: the destroyed buffer is invalid usage, which the checks must find. Its memory stays allocated
            // while the commands write it.
            return sum.gpu.run(|cmd| unsafe {
                sum.fill(cmd, 0);
                d.destroy_buffer(buffer, None);
            });
        }
        sum.gpu.run(|cmd| sum.fill(cmd, 0));
        // SAFETY: the commands that use the buffer are done.
        unsafe { d.destroy_buffer(buffer, None) };
        return sum.gpu.run(|cmd| sum.fill(cmd, 1));
    }
    let test = "what_is_submitted_is_there";
    assert_eq!(heard(test, "behind"), [""; 0]);
    let found = heard(test, "before");
    assert!(found.len() == 1 && found[0].starts_with("ERROR destroyed-object: "), "{found:?}");
}
