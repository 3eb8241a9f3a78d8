//! Commands that fail: messengers of VK_EXT_debug_utils hear which, with which code, and why.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::ffi::{CStr, c_void};
use std::process::Command;
use std::sync::Mutex;

use ash::prelude::VkResult;
use ash::vk;
use common::{Gpu, sum};
use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
use vk::DebugUtilsMessageTypeFlagsEXT as Type;

/// What messengers have heard.
static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());

unsafe extern "system" fn hear(
    _: Severity,
    _: Type,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: a valid structure with a message.
    let text = unsafe { CStr::from_ptr((*data).p_message) }.to_string_lossy().into_owned();
    HEARD.lock().unwrap().push(text);
    vk::FALSE
}

/// A device with a messenger.
struct Listening {
    gpu: Gpu,
    utils: ash::ext::debug_utils::Instance,
    messenger: vk::DebugUtilsMessengerEXT,
}

impl Listening {
    fn new() -> Listening {
        let gpu = Gpu::with_instance(&[c"VK_EXT_debug_utils"], &[], |info| info).unwrap();
        let utils = ash::ext::debug_utils::Instance::new(&vk_quadrille::entry(), &gpu.instance);
        let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(Severity::ERROR | Severity::WARNING)
            .message_type(Type::GENERAL)
            .pfn_user_callback(Some(hear));
        // SAFETY: valid usage of Vulkan.
        let messenger = unsafe { utils.create_debug_utils_messenger(&info, None) }.unwrap();
        Listening { gpu, utils, messenger }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // SAFETY: valid usage of Vulkan.
        unsafe { self.utils.destroy_debug_utils_messenger(self.messenger, None) };
    }
}

/// The call fails with the code, and what is heard has all of these words.
fn fails<T>(code: vk::Result, words: &[&str], call: impl FnOnce() -> VkResult<T>) {
    HEARD.lock().unwrap().clear();
    let result = call().err();
    assert_eq!(result, Some(code), "{words:?}");
    let heard = HEARD.lock().unwrap().join("\n");
    for word in words {
        assert!(heard.contains(word), "nothing of {word:?} in {heard:?}");
    }
}

fn device_with(extensions: &[&CStr], change: impl FnOnce(&mut vk::DeviceCreateInfo<'_>)) -> VkResult<()> {
    Gpu::with(extensions, |mut info| {
        change(&mut info);
        info
    })
    .map(drop)
}

/// Spec: Vulkan, "Return Codes": what a program asks for in vain when it starts.
fn instances_and_devices() {
    let missing = vk::Result::ERROR_EXTENSION_NOT_PRESENT;
    fails(missing, &["VK_KHR_nonsense", "vkCreateInstance", "ERROR_EXTENSION_NOT_PRESENT"], || {
        Gpu::with_instance(&[c"VK_KHR_nonsense"], &[], |info| info).map(drop)
    });
    fails(missing, &["VK_EXT_no_such_thing", "vkCreateDevice"], || {
        device_with(&[c"VK_EXT_no_such_thing"], |_| ())
    });
    fails(missing, &["VK_EXT_border_color_swizzle needs VK_EXT_custom_border_color"], || {
        device_with(&[c"VK_EXT_border_color_swizzle"], |_| ())
    });
    let features = vk::PhysicalDeviceFeatures::default().sparse_residency_aliased(true);
    fails(vk::Result::ERROR_FEATURE_NOT_PRESENT, &["sparse_residency_aliased", "vkCreateDevice"], || {
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

/// Wrong SPIR-V is an error when it is given, and says where it is wrong.
fn shaders(gpu: &Gpu) {
    let d = &gpu.device;
    // SAFETY: the driver checks modules.
    let module = |words: &[u32]| unsafe {
        d.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(words), None)
    };
    let unknown = vk::Result::ERROR_UNKNOWN;
    fails(unknown, &["vkCreateShaderModule", "magic"], || module(&[1, 2, 3, 4, 5]));
    let right = include_str!("shaders/add.comp.spvasm");
    let words = common::assemble(right);
    // In the middle of an instruction.
    fails(unknown, &["vkCreateShaderModule"], || module(&words[..words.len() - 3]));
    // What instructions compute is checked with the pipeline.
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
    // SAFETY: the driver looks for the entry point; nothing is used afterwards.
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

#[test]
fn failures_say_what_and_why() {
    let listening = Listening::new();
    instances_and_devices();
    shaders(&listening.gpu);
}

/// In a process of its own, whose shaders may take a second.
#[test]
fn a_lost_device_says_which_shader_did_not_end() {
    const CHILD: &str = "QUADRILLE_TEST_CHILD";
    let test = "a_lost_device_says_which_shader_did_not_end";
    if std::env::var_os(CHILD).is_none() {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", test, "--nocapture"]).env(CHILD, "1").env("QUADRILLE_BUDGET", "1");
        let out = command.output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        return;
    }
    let listening = Listening::new();
    let gpu = &listening.gpu;
    let mut recipe = sum::Recipe::new(gpu).unwrap();
    recipe.module = gpu.shader(include_str!("shaders/endless.comp.spvasm"));
    let buffers = sum::buffers(gpu, 3);
    let (_, set) = recipe.set(gpu, sum::handles(&buffers)).unwrap();
    let pipeline = recipe.pipeline_of(gpu, vk::PipelineCache::null(), c"never_ends").unwrap();
    fails(vk::Result::ERROR_DEVICE_LOST, &["never_ends"], || {
        gpu.try_run(|c| recipe.record(gpu, c, pipeline, set, sum::COUNT))
    });
    // The device cannot do anything any more; the process ends without giving things back.
    std::process::exit(0);
}
