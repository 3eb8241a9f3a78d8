//! Commands that fail: messengers of VK_EXT_debug_utils receive the command, its result code, the reason, and the
//! objects involved, with the names that applications gave them.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::ffi::{CStr, c_void};
use std::process::Command;
use std::sync::Mutex;

use ash::prelude::VkResult;
use ash::vk;
use ash::vk::Handle;
use common::{Gpu, sum};
use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
use vk::DebugUtilsMessageTypeFlagsEXT as Type;

/// Messages received so far.
static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Objects in the messages: types, handles, names.
static OBJECTS: Mutex<Vec<(vk::ObjectType, u64, String)>> = Mutex::new(Vec::new());

/// Serializes the tests, which share the messenger.
static ALONE: Mutex<()> = Mutex::new(());

/// Stores a message and its objects.
///
/// # Safety
/// `data` is a valid structure.
unsafe extern "system" fn hear(
    _: Severity,
    _: Type,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the driver passes a valid structure.
    let data = unsafe { &*data };
    let text = |text| match text {
        text if std::ptr::eq(text, std::ptr::null()) => String::new(),
        // SAFETY: the text is not null, and the driver passes C strings.
        text => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
    };
    HEARD.lock().unwrap().push(text(data.p_message));
    let objects = match data.object_count {
        0 => &[][..],
        // SAFETY: the driver passes an array of `n` objects.
        n => unsafe { std::slice::from_raw_parts(data.p_objects, n as usize) },
    };
    let objects = objects.iter().map(|o| (o.object_type, o.object_handle, text(o.p_object_name)));
    OBJECTS.lock().unwrap().extend(objects);
    vk::FALSE
}

/// A device with a messenger.
struct Listening {
    gpu: Gpu,
    utils: ash::ext::debug_utils::Instance,
    names: ash::ext::debug_utils::Device,
    messenger: vk::DebugUtilsMessengerEXT,
}

impl Listening {
    fn new() -> Listening {
        Listening::with(&[])
    }

    /// Creates a device with these extensions.
    fn with(extensions: &[&CStr]) -> Listening {
        let gpu = Gpu::with_instance(&[c"VK_EXT_debug_utils"], extensions, |info| info).unwrap();
        let utils = ash::ext::debug_utils::Instance::new(&vk_quadrille::entry(), &gpu.instance);
        let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(Severity::ERROR | Severity::WARNING)
            .message_type(Type::GENERAL)
            .pfn_user_callback(Some(hear));
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        let messenger = unsafe { utils.create_debug_utils_messenger(&info, None) }.unwrap();
        let names = ash::ext::debug_utils::Device::new(&gpu.instance, &gpu.device);
        Listening { gpu, utils, names, messenger }
    }

    /// Names an object.
    fn name<T: Handle>(&self, object: T, name: &CStr) -> T {
        let raw = object.as_raw();
        let mut info = vk::DebugUtilsObjectNameInfoEXT::default().object_name(name);
        (info.object_type, info.object_handle) = (T::TYPE, raw);
        // SAFETY: the tests pass live objects of the device.
        unsafe { self.names.set_debug_utils_object_name(&info) }.unwrap();
        T::from_raw(raw)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // SAFETY: valid usage of Vulkan: submitted work is done, and the objects are not used afterwards.
        unsafe { self.utils.destroy_debug_utils_messenger(self.messenger, None) };
    }
}

/// Checks that the call fails with the code, and that the messages contain all of these words.
fn fails<T>(code: vk::Result, words: &[&str], call: impl FnOnce() -> VkResult<T>) {
    let result = tells(words, || call().err());
    assert_eq!(result, Some(code), "{words:?}");
}

/// Checks that the messages of the call contain all of these words.
fn tells<T>(words: &[&str], call: impl FnOnce() -> T) -> T {
    HEARD.lock().unwrap().clear();
    OBJECTS.lock().unwrap().clear();
    let result = call();
    let heard = HEARD.lock().unwrap().join("\n");
    for word in words {
        assert!(heard.contains(word), "nothing of {word:?} in {heard:?}");
    }
    result
}

fn device_with(extensions: &[&CStr], change: impl FnOnce(&mut vk::DeviceCreateInfo<'_>)) -> VkResult<()> {
    Gpu::with(extensions, |mut info| {
        change(&mut info);
        info
    })
    .map(drop)
}

/// Requests for instances and devices that the driver cannot satisfy. Spec: Vulkan, "Return Codes".
fn instances_and_devices() {
    let missing = vk::Result::ERROR_EXTENSION_NOT_PRESENT;
    fails(missing, &["VK_KHR_nonsense", "vkCreateInstance", "ERROR_EXTENSION_NOT_PRESENT"], || {
        Gpu::with_instance(&[c"VK_KHR_nonsense"], &[], |info| info).map(drop)
    });
    fails(missing, &["VK_EXT_no_such_thing", "vkCreateDevice"], || {
        device_with(&[c"VK_EXT_no_such_thing"], |_| ())
    });
    // A forgotten dependency is enabled, with a warning.
    let words = ["VK_EXT_border_color_swizzle needs VK_EXT_custom_border_color, which is enabled, too"];
    tells(&words, || device_with(&[c"VK_EXT_border_color_swizzle"], |_| ())).unwrap();
    let features = vk::PhysicalDeviceFeatures::default().sparse_residency4_samples(true);
    fails(vk::Result::ERROR_FEATURE_NOT_PRESENT, &["sparse_residency4_samples", "vkCreateDevice"], || {
        device_with(&[], |info| info.p_enabled_features = &features)
    });
    let fault = vk::PhysicalDeviceFaultFeaturesEXT::default().device_fault_vendor_binary(true);
    let words = ["device_fault_vendor_binary of PhysicalDeviceFaultFeaturesEXT"];
    fails(vk::Result::ERROR_FEATURE_NOT_PRESENT, &words, || {
        device_with(&[c"VK_EXT_device_fault"], |info| info.p_next = (&raw const fault).cast())
    });
    let priorities = [1.0; 100];
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&priorities)];
    fails(vk::Result::ERROR_INITIALIZATION_FAILED, &["100 queues of family 0", "vkCreateDevice"], || {
        Gpu::with_queues(&queues, &[], |info| info).map(drop)
    });
}

/// Invalid SPIR-V is an error when the module is created, and the message says where.
fn shaders(gpu: &Gpu) {
    let d = &gpu.device;
    // SAFETY: the driver checks the words of modules.
    let module = |words: &[u32]| unsafe {
        d.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(words), None)
    };
    let unknown = vk::Result::ERROR_UNKNOWN;
    fails(unknown, &["vkCreateShaderModule", "magic"], || module(&[1, 2, 3, 4, 5]));
    let right = include_str!("shaders/add.comp.spvasm");
    let words = common::assemble(right);
    // Truncated in the middle of an instruction.
    fails(unknown, &["vkCreateShaderModule"], || module(&words[..words.len() - 3]));
    // Types of operands are checked when the pipeline is created.
    let mut recipe = sum::Recipe::new(gpu).unwrap();
    let right = std::mem::replace(&mut recipe.module, {
        let wrong = right.replace("%50 = OpFAdd %29 %42 %49", "%50 = OpIAdd %29 %42 %49");
        module(&common::assemble(&wrong)).unwrap()
    });
    fails(unknown, &["vkCreateComputePipelines", "OpIAdd"], || {
        recipe.pipeline(gpu, vk::PipelineCache::null())
    });
    let wrong = std::mem::replace(&mut recipe.module, right);
    let stage = vk::PipelineShaderStageCreateInfo::default()
        .module(recipe.module)
        .stage(vk::ShaderStageFlags::COMPUTE)
        .name(c"nowhere");
    let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(recipe.layout);
    // SAFETY: the missing entry point is invalid usage, which the driver checks; the pipeline is not used afterwards.
    unsafe {
        fails(unknown, &["vkCreateComputePipelines", "nowhere"], || {
            let made = d.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
            made.map_err(|(_, code)| code)
        });
        d.destroy_shader_module(wrong, None);
        d.destroy_shader_module(recipe.module, None);
        d.destroy_pipeline_layout(recipe.layout, None);
        d.destroy_descriptor_set_layout(recipe.set_layout, None);
    }
}

/// Spec: Vulkan, "Device Memory", and `maxMemoryAllocationSize`.
fn memory(gpu: &Gpu) {
    let d = &gpu.device;
    // SAFETY: the calls are invalid usage, which the driver checks.
    unsafe {
        let huge = vk::MemoryAllocateInfo::default().allocation_size(1 << 60);
        fails(vk::Result::ERROR_OUT_OF_DEVICE_MEMORY, &["vkAllocateMemory"], || {
            d.allocate_memory(&huge, None)
        });
        let memory = d.allocate_memory(&huge.allocation_size(64), None).unwrap();
        fails(vk::Result::ERROR_MEMORY_MAP_FAILED, &["vkMapMemory"], || {
            d.map_memory(memory, 1 << 20, vk::WHOLE_SIZE, Default::default())
        });
        d.free_memory(memory, None);
    }
}

/// Memory, buffers, images and views that do not fit together. Spec: Vulkan, "Debugging", `pObjects`.
fn named_resources(to: &Listening) {
    let (gpu, d, unknown) = (&to.gpu, &to.gpu.device, vk::Result::ERROR_UNKNOWN);
    let buffer = gpu.buffer(64, vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER);
    to.name(buffer.buffer, c"vertices");
    to.name(buffer.memory, c"pool");
    let picture = gpu.image(vk::Format::R8G8B8A8_UNORM, 4, vk::ImageUsageFlags::SAMPLED);
    to.name(picture.image, c"shadows");
    // SAFETY: the calls are invalid usage, which the driver checks.
    unsafe {
        let words = ["vkBindBufferMemory: ", "bound already", "\"vertices\"", "VkDeviceMemory", "\"pool\""];
        fails(unknown, &words, || d.bind_buffer_memory(buffer.buffer, buffer.memory, 0));
        let about = OBJECTS.lock().unwrap().clone();
        assert!(
            about.contains(&(vk::ObjectType::BUFFER, buffer.buffer.as_raw(), "vertices".into())),
            "{about:?}"
        );
        assert!(about.contains(&(vk::ObjectType::DEVICE_MEMORY, buffer.memory.as_raw(), "pool".into())));
        // Messages identify an object without a name by its handle.
        let nameless = format!("VkDeviceMemory {:#x}", picture.memory.as_raw());
        fails(unknown, &["vkBindImageMemory", "VkImage", "\"shadows\"", &nameless], || {
            d.bind_image_memory(picture.image, picture.memory, 0)
        });
        let view = vk::BufferViewCreateInfo::default().format(vk::Format::R32_UINT).range(vk::WHOLE_SIZE);
        fails(unknown, &["vkCreateBufferView", "past the buffer's end", "VkBuffer", "\"vertices\""], || {
            d.create_buffer_view(&view.buffer(buffer.buffer).offset(1 << 20), None)
        });
        let mut range = common::WHOLE;
        range.base_mip_level = 7;
        let view = vk::ImageViewCreateInfo::default().image(picture.image).subresource_range(range);
        let view = view.view_type(vk::ImageViewType::TYPE_2D).format(vk::Format::R8G8B8A8_UNORM);
        fails(unknown, &["vkCreateImageView", "\"shadows\""], || d.create_image_view(&view, None));
        // Names are dropped with their objects, and can be removed.
        to.name(picture.image, c"");
        fails(unknown, &["vkBindImageMemory"], || d.bind_image_memory(picture.image, picture.memory, 0));
        assert!(!HEARD.lock().unwrap().join(" ").contains("shadows"));
    }
    picture.destroy(gpu);
    buffer.destroy(gpu);
}

/// Commands report their own errors at once; pipelines, sets and command buffers appear with their names.
fn named_commands(to: &Listening) {
    let (gpu, d, unknown) = (&to.gpu, &to.gpu.device, vk::Result::ERROR_UNKNOWN);
    let mut recipe = sum::Recipe::new(gpu).unwrap();
    to.name(recipe.layout, c"three buffers");
    let pipeline = to.name(recipe.pipeline(gpu, vk::PipelineCache::null()).unwrap(), c"sums");
    let buffers = sum::buffers(gpu, 1);
    to.name(buffers[0].buffer, c"first");
    let (pool, set) = recipe.set(gpu, sum::handles(&buffers)).unwrap();
    to.name(set, c"numbers");
    // SAFETY: the calls are invalid usage, which the driver checks.
    unsafe {
        let region = vk::BufferCopy::default().size(1 << 20);
        let copy = ["vkCmdCopyBuffer: ", "VkCommandBuffer", "\"frame\"", "VkBuffer", "\"first\""];
        let buffer = buffers.map(|b| b.buffer);
        let end = ["vkEndCommandBuffer fails"];
        fails(unknown, &end, || {
            gpu.try_run(|c| {
                to.name(c, c"frame");
                tells(&copy, || d.cmd_copy_buffer(c, buffer[0], buffer[1], &[region]));
                // Only the first error is reported, by the command that caused it.
                tells(&[], || d.cmd_copy_buffer(c, buffer[1], buffer[2], &[region]));
                assert_eq!(HEARD.lock().unwrap().len(), 0);
            })
        });
        let words = ["vkCmdDispatch: ", "uses set 0", "compute pipeline \"sums\""];
        fails(unknown, &end, || {
            gpu.try_run(|c| {
                d.cmd_bind_pipeline(c, vk::PipelineBindPoint::COMPUTE, pipeline);
                tells(&words, || d.cmd_dispatch(c, 1, 1, 1));
            })
        });
        let plain = gpu.buffer(64, vk::BufferUsageFlags::TRANSFER_SRC);
        to.name(plain.buffer, c"plain");
        let write = |binding, words: &[&str]| {
            let range = [vk::DescriptorBufferInfo::default().buffer(plain.buffer).range(vk::WHOLE_SIZE)];
            let write = vk::WriteDescriptorSet::default().dst_set(set).dst_binding(binding);
            let write = write.descriptor_type(vk::DescriptorType::STORAGE_BUFFER).buffer_info(&range);
            tells(words, || d.update_descriptor_sets(&[write], &[]));
        };
        write(9, &["vkUpdateDescriptorSets: ", "no binding 9", "VkDescriptorSet", "\"numbers\""]);
        write(1, &["lacks usage", "VkDescriptorSet", "\"numbers\"", "VkBuffer", "\"plain\""]);
        plain.destroy(gpu);
        recipe.module = to.name(recipe.module, c"add.comp");
        fails(
            unknown,
            &["vkCreateComputePipelines: ", "VkShaderModule", "\"add.comp\"", "\"three buffers\""],
            || recipe.pipeline_of(gpu, vk::PipelineCache::null(), c"nowhere"),
        );
        d.destroy_pipeline(pipeline, None);
        d.destroy_descriptor_pool(pool, None);
    }
}

#[test]
fn failures_say_what_and_why() {
    let _alone = ALONE.lock();
    let listening = Listening::new();
    instances_and_devices();
    shaders(&listening.gpu);
    memory(&listening.gpu);
}

/// Messengers in the chain hear what happens while an instance is created, and nothing later. Spec: Vulkan,
/// VkDebugUtilsMessengerCreateInfoEXT.
#[test]
fn messengers_of_instances_hear_of_their_creation() {
    let _alone = ALONE.lock();
    let entry = vk_quadrille::entry();
    for heard in [true, false] {
        let mut messenger = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(Severity::ERROR | Severity::WARNING)
            .message_type(Type::GENERAL)
            .pfn_user_callback(Some(hear));
        let names = [c"VK_EXT_debug_utils".as_ptr(), c"VK_EXT_nowhere".as_ptr()];
        let info = vk::InstanceCreateInfo::default().enabled_extension_names(&names);
        let info = if heard { info.push_next(&mut messenger) } else { info };
        let words = if heard { &["VK_EXT_nowhere", "vkCreateInstance fails"][..] } else { &[] };
        // SAFETY: valid usage of Vulkan, but for the extension, which the driver checks.
        fails(vk::Result::ERROR_EXTENSION_NOT_PRESENT, words, || unsafe {
            entry.create_instance(&info, None).map(drop)
        });
        assert_eq!(HEARD.lock().unwrap().is_empty(), !heard);
    }
}

#[test]
fn objects_at_fault_are_named() {
    let _alone = ALONE.lock();
    let listening = Listening::new();
    named_resources(&listening);
    named_commands(&listening);
}

/// Sets have the counts that they were allocated with. Spec: Vulkan, VkDescriptorSetVariableDescriptorCountAllocateInfo.
#[test]
fn elements_beyond_variable_counts_are_told() {
    let _alone = ALONE.lock();
    let to = Listening::with(&[c"VK_EXT_descriptor_indexing", c"VK_KHR_maintenance3"]);
    let (gpu, d) = (&to.gpu, &to.gpu.device);
    let buffer = gpu.buffer(64, vk::BufferUsageFlags::STORAGE_BUFFER);
    let (ty, count) = (vk::DescriptorType::STORAGE_BUFFER, 1 << 10);
    // SAFETY: valid usage of Vulkan, but for the writes of elements beyond the count, which the driver checks.
    unsafe {
        let binding = vk::DescriptorSetLayoutBinding::default().descriptor_type(ty).descriptor_count(count);
        let bindings = [binding.stage_flags(vk::ShaderStageFlags::COMPUTE)];
        let flags = [vk::DescriptorBindingFlags::VARIABLE_DESCRIPTOR_COUNT];
        let mut flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings).push_next(&mut flags);
        let layout = d.create_descriptor_set_layout(&info, None).unwrap();
        let sizes = [vk::DescriptorPoolSize { ty, descriptor_count: 2 * count }];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(2).pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let (layouts, counts) = ([layout; 2], [2, count]);
        let mut counts =
            vk::DescriptorSetVariableDescriptorCountAllocateInfo::default().descriptor_counts(&counts);
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        let sets = d.allocate_descriptor_sets(&info.push_next(&mut counts)).unwrap();
        let write = |set: usize, element| {
            let range = [vk::DescriptorBufferInfo::default().buffer(buffer.buffer).range(vk::WHOLE_SIZE)];
            let write = vk::WriteDescriptorSet::default().dst_set(sets[set]).dst_array_element(element);
            d.update_descriptor_sets(&[write.descriptor_type(ty).buffer_info(&range)], &[]);
        };
        tells(&["vkUpdateDescriptorSets: ", "element 2 of binding 0 with 2"], || write(0, 2));
        tells(&[], || {
            for (set, element) in [(0, 1), (1, 2), (1, count - 1)] {
                write(set, element);
            }
        });
        assert_eq!(HEARD.lock().unwrap().len(), 0);
        d.destroy_descriptor_pool(pool, None);
        d.destroy_descriptor_set_layout(layout, None);
    }
    buffer.destroy(gpu);
}

/// VK_EXT_debug_marker sets the same names, with the object types of VK_EXT_debug_report.
#[test]
fn names_of_debug_markers_are_told() {
    use vk::DebugReportObjectTypeEXT as Reported;
    let _alone = ALONE.lock();
    let to = Listening::with(&[c"VK_EXT_debug_marker"]);
    let (gpu, d) = (&to.gpu, &to.gpu.device);
    let markers = ash::ext::debug_marker::Device::new(&gpu.instance, d);
    let buffer = gpu.buffer(64, vk::BufferUsageFlags::STORAGE_BUFFER);
    for (ty, raw, name) in [
        (Reported::BUFFER, buffer.buffer.as_raw(), c"marked"),
        (Reported::DEVICE_MEMORY, buffer.memory.as_raw(), c"heap"),
    ] {
        let mut info = vk::DebugMarkerObjectNameInfoEXT::default().object_name(name);
        (info.object_type, info.object) = (ty, raw);
        #[expect(deprecated, reason = "older programs use it")]
        // SAFETY: the objects are live objects of the device.
        unsafe { markers.debug_marker_set_object_name(&info) }.unwrap();
    }
    fails(vk::Result::ERROR_UNKNOWN, &["VkBuffer", "\"marked\"", "VkDeviceMemory", "\"heap\""], || {
        // SAFETY: the second bind is invalid usage, which the driver checks.
        unsafe { d.bind_buffer_memory(buffer.buffer, buffer.memory, 0) }
    });
    buffer.destroy(gpu);
}

/// Runs a test in a separate process with these variables; returns `false` in that process.
fn in_a_process(test: &str, variables: &[(&str, &str)]) -> bool {
    const CHILD: &str = "QUADRILLE_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        return false;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(CHILD, "1").envs(variables.iter().copied());
    common::has_run(&command.output().unwrap());
    true
}

/// Shader dumps begin with the name of their module.
#[test]
fn dumps_have_names_of_modules() {
    let folder = std::env::temp_dir().join(format!("quadrille-named-dump-{}", std::process::id()));
    let folder = folder.to_str().unwrap();
    // Shaders that checks interpret are not dumped.
    let variables =
        [("QUADRILLE_DUMP", "ir,spirv"), ("QUADRILLE_DUMP_DIR", folder), ("QUADRILLE_CHECK", "0")];
    if in_a_process("dumps_have_names_of_modules", &variables) {
        let mut n = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.to_str().unwrap().contains(".compute.") {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(text.starts_with("; shader module \"add.comp\"\n"), "{path:?}: {text}");
                n += 1;
            }
        }
        assert!(n >= 2, "{n} texts");
        std::fs::remove_dir_all(folder).unwrap();
        return;
    }
    let listening = Listening::new();
    let recipe = sum::Recipe::new(&listening.gpu).unwrap();
    listening.name(recipe.module, c"add.comp");
    recipe.pipeline(&listening.gpu, vk::PipelineCache::null()).unwrap();
}

/// Runs in a separate process, in which a shader may run for one second.
#[test]
fn a_lost_device_says_which_shader_did_not_end() {
    if in_a_process("a_lost_device_says_which_shader_did_not_end", &[("QUADRILLE_BUDGET", "1")]) {
        return;
    }
    let listening = Listening::new();
    let gpu = &listening.gpu;
    let mut recipe = sum::Recipe::new(gpu).unwrap();
    recipe.module = gpu.shader(include_str!("shaders/endless.comp.spvasm"));
    let buffers = sum::buffers(gpu, 3);
    let (_, set) = recipe.set(gpu, sum::handles(&buffers)).unwrap();
    let pipeline = recipe.pipeline_of(gpu, vk::PipelineCache::null(), c"never_ends").unwrap();
    listening.name(pipeline, c"treadmill");
    let words = ["never_ends", "compute pipeline \"treadmill\"", "command buffer \"frame\""];
    fails(vk::Result::ERROR_DEVICE_LOST, &words, || {
        gpu.try_run(|c| {
            listening.name(c, c"frame");
            recipe.record(gpu, c, pipeline, set, sum::COUNT);
        })
    });
    // The device is lost; the process exits without cleanup.
    std::process::exit(0);
}

/// Runs in a separate process. The numbers of workgroups are the limits of the device, of which a second runs only some.
#[test]
fn dispatches_without_end_lose_the_device_in_either_form() {
    if in_a_process("dispatches_without_end_lose_the_device_in_either_form", &[("QUADRILLE_BUDGET", "1")]) {
        return;
    }
    for is_indirect in [false, true] {
        let gpu = Gpu::new(&[]);
        // SAFETY: the physical device is one of the live instance.
        let properties = unsafe { gpu.instance.get_physical_device_properties(gpu.physical) };
        let [x, y, z] = properties.limits.max_compute_work_group_count;
        let recipe = sum::Recipe::new(&gpu).unwrap();
        let buffers = sum::buffers(&gpu, 3);
        let (_, set) = recipe.set(&gpu, sum::handles(&buffers)).unwrap();
        let pipeline = recipe.pipeline(&gpu, vk::PipelineCache::null()).unwrap();
        let numbers = gpu.buffer(12, vk::BufferUsageFlags::INDIRECT_BUFFER);
        numbers.write(&[x, y, z]);
        let lost = gpu.try_run(|c| {
            recipe.record(&gpu, c, pipeline, set, sum::COUNT);
            // SAFETY: recording has begun, the pipeline and its set are bound, and the buffer has three words.
            unsafe {
                match is_indirect {
                    true => gpu.device.cmd_dispatch_indirect(c, numbers.buffer, 0),
                    false => gpu.device.cmd_dispatch(c, x, y, z),
                }
            }
        });
        assert_eq!(lost, Err(vk::Result::ERROR_DEVICE_LOST), "indirect: {is_indirect}");
        std::mem::forget(gpu);
    }
    // The devices are lost; the process exits without cleanup.
    std::process::exit(0);
}

/// Programs show at most a result code, so a variable with a wrong value is named on standard error.
#[test]
fn a_wrong_variable_is_named_on_standard_error() {
    const CHILD: &str = "QUADRILLE_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        let code = Gpu::try_new(&[]).map(drop).unwrap_err();
        assert_eq!(code, vk::Result::ERROR_INITIALIZATION_FAILED);
        return;
    }
    for log in ["0", "1"] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "a_wrong_variable_is_named_on_standard_error", "--nocapture"]);
        command.env(CHILD, "1").env("QUADRILLE_THREADS", "several").env("QUADRILLE_LOG", log);
        let out = command.output().unwrap();
        common::has_run(&out);
        let text = String::from_utf8_lossy(&out.stderr);
        assert_eq!(text.matches("QUADRILLE_THREADS is `several`").count(), 1, "{text}");
    }
}
