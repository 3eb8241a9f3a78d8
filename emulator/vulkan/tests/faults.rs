//! VK_KHR_device_fault: the loss of a device, and the mistakes of shaders that checks find. Each test runs in a process of
//! its own, because variables of the environment set budgets and checks.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::ffi::{CStr, c_char, c_void};
use std::process::Command;
use std::time::{Duration, Instant};

use ash::vk;
use common::{Gpu, sum};

const CHILD: &str = "QUADRILLE_TEST_CHILD";

const LOST: u32 = 1;
const VENDOR: u32 = 1 << 3;
const TIMEOUT: u32 = 1 << 4;

/// VkDeviceFaultAddressInfoKHR.
#[repr(C)]
#[derive(Clone, Copy)]
struct Address {
    ty: i32,
    address: u64,
    precision: u64,
}

/// VkDeviceFaultInfoKHR.
#[repr(C)]
#[derive(Clone, Copy)]
struct Fault {
    ty: i32,
    /// Null.
    next: usize,
    flags: u32,
    group: u64,
    description: [c_char; 256],
    memory: Address,
    instruction: Address,
    vendor: [c_char; 256],
    vendor_code: u64,
    vendor_data: u64,
}

/// VkDeviceFaultDebugInfoKHR.
#[repr(C)]
struct DebugInfo {
    ty: i32,
    next: *mut c_void,
    size: u32,
    data: *mut c_void,
}

const NONE: Address = Address { ty: 0, address: 0, precision: 0 };
const EMPTY: Fault = Fault {
    ty: 1_000_573_002,
    next: 0,
    flags: 0,
    group: 0,
    description: [0; 256],
    memory: NONE,
    instruction: NONE,
    vendor: [0; 256],
    vendor_code: 0,
    vendor_data: 0,
};

type Reports = unsafe extern "system" fn(vk::Device, u64, *mut u32, *mut Fault) -> vk::Result;
type Debug = unsafe extern "system" fn(vk::Device, *mut DebugInfo) -> vk::Result;

/// VkPhysicalDeviceFaultFeaturesKHR with its first and third feature.
#[repr(C)]
struct Features {
    ty: vk::StructureType,
    next: *mut c_void,
    on: [vk::Bool32; 4],
}

/// VkPhysicalDeviceShaderAbortFeaturesKHR or VkPhysicalDeviceShaderConstantDataFeaturesKHR.
#[repr(C)]
struct Feature {
    ty: vk::StructureType,
    next: *mut c_void,
    on: vk::Bool32,
}

fn gpu() -> Gpu {
    let one = |ty, next| Feature { ty: vk::StructureType::from_raw(ty), next, on: vk::TRUE };
    let mut data = one(1_000_231_000, std::ptr::null_mut());
    let mut abort = one(1_000_233_000, (&raw mut data).cast());
    let mut features = Features {
        ty: vk::StructureType::from_raw(1_000_573_000),
        next: (&raw mut abort).cast(),
        on: [vk::TRUE, vk::FALSE, vk::TRUE, vk::FALSE],
    };
    let extensions = [c"VK_KHR_device_fault", c"VK_KHR_shader_constant_data", c"VK_KHR_shader_abort"];
    let gpu = Gpu::with(&extensions, |mut info| {
        info.p_next = (&raw mut features).cast();
        info
    });
    gpu.unwrap()
}

fn command(gpu: &Gpu, name: &CStr) -> unsafe extern "system" fn() {
    // SAFETY: valid usage of Vulkan: the device is live, and the name is a C string.
    unsafe { gpu.instance.get_device_proc_addr(gpu.device.handle(), name.as_ptr()) }.unwrap()
}

/// Returns the code of vkGetDeviceFaultReportsKHR and the faults, of which there is room for `room`.
fn faults(gpu: &Gpu, timeout: u64, room: usize) -> (vk::Result, Vec<Fault>) {
    // SAFETY: the command has this type in the specification.
    let get: Reports = unsafe { std::mem::transmute(command(gpu, c"vkGetDeviceFaultReportsKHR")) };
    let (mut count, mut list) = (room as u32, vec![EMPTY; room]);
    // SAFETY: valid usage of Vulkan: the list has room for as many structures as `count` says.
    let code = unsafe { get(gpu.device.handle(), timeout, &mut count, list.as_mut_ptr()) };
    list.truncate(count as usize);
    (code, list)
}

fn text(chars: &[c_char]) -> &str {
    // SAFETY: the driver ends the text with a zero.
    unsafe { CStr::from_ptr(chars.as_ptr()) }.to_str().unwrap()
}

/// Runs a test in a separate process with a variable; `false` in that process itself.
fn in_a_process(test: &str, (name, value): (&str, &str)) -> bool {
    if std::env::var_os(CHILD).is_some() {
        return false;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(CHILD, "1").env(name, value);
    common::has_run(&command.output().unwrap());
    true
}

/// The loss is reported once, to a thread that waits for it. Spec: Vulkan, vkGetDeviceFaultReportsKHR.
#[test]
fn the_loss_of_the_device_is_a_fault() {
    if in_a_process("the_loss_of_the_device_is_a_fault", ("QUADRILLE_BUDGET", "1")) {
        return;
    }
    let gpu = gpu();
    // Without a fault, the command returns at once, or after the timeout.
    let (code, none) = faults(&gpu, 0, 4);
    assert_eq!((code, none.len()), (vk::Result::TIMEOUT, 0));
    let started = Instant::now();
    assert_eq!(faults(&gpu, 30_000_000, 4).0, vk::Result::TIMEOUT);
    assert!(started.elapsed() >= Duration::from_millis(30));

    let mut recipe = sum::Recipe::new(&gpu).unwrap();
    recipe.module = gpu.shader(include_str!("shaders/endless.comp.spvasm"));
    let buffers = sum::buffers(&gpu, 3);
    let (_, set) = recipe.set(&gpu, sum::handles(&buffers)).unwrap();
    let pipeline = recipe.pipeline_of(&gpu, vk::PipelineCache::null(), c"never_ends").unwrap();
    let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(1);
    // SAFETY: valid usage of Vulkan: the create info is live during the call.
    let pool = unsafe { gpu.device.create_query_pool(&info, None) }.unwrap();
    // SAFETY: valid usage of Vulkan: recording has begun, and the pool is live.
    gpu.run(|c| unsafe { gpu.device.cmd_reset_query_pool(c, pool, 0, 1) });
    let result = || {
        let flags = vk::QueryResultFlags::TYPE_64;
        // SAFETY: valid usage of Vulkan: the pool is live, and its query has been reset.
        unsafe { gpu.device.get_query_pool_results(pool, 0, &mut [0u64], flags) }
    };
    assert_eq!(result(), Err(vk::Result::NOT_READY));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| faults(&gpu, u64::MAX, 4));
        let lost = gpu.try_run(|c| recipe.record(&gpu, c, pipeline, set, sum::COUNT));
        assert_eq!(lost, Err(vk::Result::ERROR_DEVICE_LOST));
        let (code, list) = waiting.join().unwrap();
        assert_eq!((code, list.len()), (vk::Result::SUCCESS, 1));
        assert_eq!((list[0].flags, list[0].group), (LOST | TIMEOUT, 1));
        assert!(text(&list[0].description).contains("never_ends"), "{}", text(&list[0].description));
    });
    // No subsequent entries are returned.
    assert_eq!(faults(&gpu, 0, 4).0, vk::Result::TIMEOUT);
    // Hosts that ask for a query until it is available end, too.
    assert_eq!(result(), Err(vk::Result::ERROR_DEVICE_LOST));
    // SAFETY: the command has this type in the specification, and the structure is valid.
    unsafe {
        let get: Debug = std::mem::transmute(command(&gpu, c"vkGetDeviceFaultDebugInfoKHR"));
        let mut info =
            DebugInfo { ty: 1_000_573_003, next: std::ptr::null_mut(), size: 9, data: std::ptr::null_mut() };
        assert_eq!((get(gpu.device.handle(), &mut info), info.size), (vk::Result::SUCCESS, 0));
    }
    // The device is lost; the process exits without cleanup.
    std::process::exit(0);
}

/// VkDeviceFaultShaderAbortMessageInfoKHR.
#[repr(C)]
struct AbortInfo {
    ty: i32,
    next: *mut c_void,
    size: u64,
    data: *mut u8,
}

/// The messages of aborts, with room for `room` bytes.
fn messages(gpu: &Gpu, room: usize) -> (vk::Result, Vec<u8>) {
    let mut bytes = vec![0xaa; room];
    let data = if room == 0 { std::ptr::null_mut() } else { bytes.as_mut_ptr() };
    let mut info = AbortInfo { ty: 1_000_233_001, next: std::ptr::null_mut(), size: room as u64, data };
    let mut debug =
        DebugInfo { ty: 1_000_573_003, next: (&raw mut info).cast(), size: 0, data: std::ptr::null_mut() };
    // SAFETY: the command has this type in the specification, and the structures are valid.
    let code = unsafe {
        let get: Debug = std::mem::transmute(command(gpu, c"vkGetDeviceFaultDebugInfoKHR"));
        get(gpu.device.handle(), &mut debug)
    };
    bytes.resize(info.size as usize, 0);
    (code, bytes)
}

/// The message of an abort has the layout of its type. Spec: Vulkan, "Shader Abort Messages".
#[test]
fn aborts_have_messages() {
    if in_a_process("aborts_have_messages", ("QUADRILLE_BUDGET", "60")) {
        return;
    }
    let gpu = gpu();
    assert_eq!(messages(&gpu, 8), (vk::Result::SUCCESS, Vec::new()));
    let mut recipe = sum::Recipe::new(&gpu).unwrap();
    recipe.module = gpu.shader(include_str!("shaders/abort.comp.spvasm"));
    let buffers = sum::buffers(&gpu, 3);
    let (_, set) = recipe.set(&gpu, sum::handles(&buffers)).unwrap();
    let pipeline = recipe.pipeline_of(&gpu, vk::PipelineCache::null(), c"aborts").unwrap();
    let lost = gpu.try_run(|c| recipe.record(&gpu, c, pipeline, set, sum::COUNT));
    assert_eq!(lost, Err(vk::Result::ERROR_DEVICE_LOST));
    let (_, list) = faults(&gpu, u64::MAX, 4);
    assert_eq!((list.len(), list[0].flags), (1, LOST));
    let said = text(&list[0].description);
    assert!(said.contains("`aborts` aborted: [3, 0, 0] bad"), "{said}");

    let mut message = vec![0; 16 + 69 * 8 + 4];
    message[..4].copy_from_slice(b"bad\0");
    message[4..8].copy_from_slice(&15u32.to_le_bytes());
    message[8..16].copy_from_slice(&(3u64 << 40).to_le_bytes());
    for (place, k) in message[16..].chunks_mut(8).zip(3u32..) {
        place[..4].copy_from_slice(&k.to_le_bytes());
    }
    let mut all = (message.len() as u64).to_le_bytes().to_vec();
    all.extend(&message);
    assert_eq!(messages(&gpu, 0), (vk::Result::SUCCESS, vec![0; all.len()]));
    assert_eq!(messages(&gpu, all.len()), (vk::Result::SUCCESS, all.clone()));
    assert_eq!(messages(&gpu, all.len() - 1), (vk::Result::INCOMPLETE, Vec::new()));
    // The device is lost; the process exits without cleanup.
    std::process::exit(0);
}

/// Mistakes that checks find are faults that do not lose the device, with the place and the invocation.
#[test]
fn mistakes_of_shaders_are_faults() {
    if in_a_process("mistakes_of_shaders_are_faults", ("QUADRILLE_CHECK", "1")) {
        return;
    }
    let gpu = gpu();
    let recipe = sum::Recipe::new(&gpu).unwrap();
    let pipeline = recipe.pipeline(&gpu, vk::PipelineCache::null()).unwrap();
    let buffers = sum::buffers(&gpu, 3);
    let (sets, set) = recipe.set(&gpu, sum::handles(&buffers)).unwrap();
    // The buffers have half as many numbers.
    gpu.run(|c| recipe.record(&gpu, c, pipeline, set, 2 * sum::COUNT));
    let (code, list) = faults(&gpu, 20_000_000_000, 1);
    assert!(matches!(code, vk::Result::SUCCESS | vk::Result::INCOMPLETE), "{code:?}");
    assert_eq!((list[0].flags, list[0].group), (VENDOR, 1));
    assert_eq!(text(&list[0].vendor), "buffer-out-of-bounds");
    assert!(list[0].vendor_data >= 1);
    assert!(text(&list[0].description).contains("invocation"), "{}", text(&list[0].description));
    let d = &gpu.device;
    // SAFETY: valid usage of Vulkan: the objects are live, and nothing uses them any more.
    unsafe {
        d.device_wait_idle().expect("the device is not lost");
        d.destroy_descriptor_pool(sets, None);
        d.destroy_pipeline(pipeline, None);
        d.destroy_shader_module(recipe.module, None);
        d.destroy_pipeline_layout(recipe.layout, None);
        d.destroy_descriptor_set_layout(recipe.set_layout, None);
    }
    buffers.into_iter().for_each(|b| b.destroy(&gpu));
}

/// The shader of the sum with another entry point, and with lines: two reads and a write.
fn sum_with_lines() -> String {
    let mut text = include_str!("shaders/add.comp.spvasm").to_owned();
    let edits = [
        ("OpEntryPoint GLCompute %4 \"main\"", "OpEntryPoint GLCompute %4 \"adds\""),
        ("OpName %4 \"main\"", "%file = OpString \"sum.comp\"\nOpName %4 \"adds\""),
        ("%42 = OpLoad %29 %41", "OpLine %file 12 5\n%42 = OpLoad %29 %41"),
        ("%49 = OpLoad %29 %48", "OpLine %file 13 7\n%49 = OpLoad %29 %48"),
        ("OpStore %51 %50", "OpLine %file 14 9\nOpStore %51 %50"),
    ];
    for (from, to) in edits {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    text
}

/// The description of a fault has what the checks know: the line, the entry point, the bytes of the access, the size of the
/// buffer, and the first invocation.
#[test]
fn faults_name_line_bytes_and_invocation() {
    if in_a_process("faults_name_line_bytes_and_invocation", ("QUADRILLE_CHECK", "1")) {
        return;
    }
    let gpu = gpu();
    let mut recipe = sum::Recipe::new(&gpu).unwrap();
    recipe.module = gpu.shader(&sum_with_lines());
    let pipeline = recipe.pipeline_of(&gpu, vk::PipelineCache::null(), c"adds").unwrap();
    let buffers = sum::buffers(&gpu, 3);
    let (_, set) = recipe.set(&gpu, sum::handles(&buffers)).unwrap();
    // The buffers have half as many numbers, so that the second half of the invocations is outside of them.
    gpu.run(|c| recipe.record(&gpu, c, pipeline, set, 2 * sum::COUNT));
    let mut list = Vec::new();
    while list.len() < 3 {
        let (code, some) = faults(&gpu, 20_000_000_000, 4);
        assert!(!some.is_empty(), "{code:?} after {} faults", list.len());
        list.extend(some);
    }
    let size = sum::COUNT * 4;
    // Invocations in workgroups of 64.
    let workgroup = sum::COUNT / 64;
    for (line, column, block, does) in [(12, 5, "A", "read"), (13, 7, "B", "read"), (14, 9, "C", "written")] {
        let place = format!("sum.comp:{line}:{column}");
        let of_line: Vec<&Fault> = list.iter().filter(|f| text(&f.description).contains(&place)).collect();
        let [fault] = of_line[..] else { panic!("{place}: {} faults of {}", of_line.len(), list.len()) };
        assert_eq!((fault.flags, text(&fault.vendor)), (VENDOR, "buffer-out-of-bounds"));
        assert_eq!((fault.vendor_code, fault.vendor_data), (0, u64::from(sum::COUNT)), "{place}");
        let parts = [
            format!("bytes {size}..{}", size + 4),
            format!("`{block}`"),
            format!("{does}, but its size is {size}"),
            format!("compute shader adds, workgroup ({workgroup}, 0, 0), local invocation (0, 0, 0)"),
        ];
        let said = text(&fault.description);
        for part in parts {
            assert!(said.contains(&part), "no {part:?}: {said}");
        }
    }
    assert_eq!(list.len(), 3);
    assert_eq!(faults(&gpu, 0, 4).0, vk::Result::TIMEOUT);
    // The objects live as long as the process.
    std::process::exit(0);
}
