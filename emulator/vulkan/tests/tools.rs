//! Extensions for tools: executables and identifiers of pipelines, identifiers of modules, validation caches, reports about
//! memory and device addresses.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::ffi::{CStr, c_char, c_void};
use std::sync::Mutex;

use ash::vk;
use ash::vk::Handle;
use common::{Gpu, sum};

/// Returns the text in an array of characters.
fn text(chars: &[c_char]) -> String {
    // SAFETY: the driver ends every text in an array with a zero.
    unsafe { CStr::from_ptr(chars.as_ptr()) }.to_str().unwrap().to_owned()
}

/// Creates the pipeline of a sum.
fn pipeline(gpu: &Gpu, recipe: &sum::Recipe) -> vk::Pipeline {
    recipe.pipeline(gpu, vk::PipelineCache::null()).unwrap()
}

fn destroy(gpu: &Gpu, recipe: &sum::Recipe) {
    let d = &gpu.device;
    // SAFETY: valid usage of Vulkan: the objects are live, and nothing uses them any more.
    unsafe {
        d.destroy_shader_module(recipe.module, None);
        d.destroy_pipeline_layout(recipe.layout, None);
        d.destroy_descriptor_set_layout(recipe.set_layout, None);
    }
}

/// Reads all texts of an executable in two calls.
fn texts(
    commands: &ash::khr::pipeline_executable_properties::Device,
    info: &vk::PipelineExecutableInfoKHR<'_>,
) -> Vec<(String, String)> {
    let get = commands.fp().get_pipeline_executable_internal_representations_khr;
    // SAFETY: valid usage of Vulkan: the pipeline is live, and all pointers have room for the sizes beside them.
    unsafe {
        let mut count = 0;
        get(commands.device(), info, &mut count, std::ptr::null_mut()).result().unwrap();
        let mut list = vec![vk::PipelineExecutableInternalRepresentationKHR::default(); count as usize];
        get(commands.device(), info, &mut count, list.as_mut_ptr()).result().unwrap();
        let mut room: Vec<Vec<u8>> = list.iter().map(|r| vec![0; r.data_size]).collect();
        list.iter_mut().zip(&mut room).for_each(|(r, room)| r.p_data = room.as_mut_ptr().cast());
        get(commands.device(), info, &mut count, list.as_mut_ptr()).result().unwrap();
        // A text that does not fit is cut and still ends with a zero. Spec: Vulkan,
        // vkGetPipelineExecutableInternalRepresentationsKHR.
        let mut short = [0xffu8; 8];
        let mut cut = vk::PipelineExecutableInternalRepresentationKHR {
            data_size: short.len(),
            p_data: short.as_mut_ptr().cast(),
            ..Default::default()
        };
        let mut one = 1;
        assert_eq!(get(commands.device(), info, &mut one, &mut cut), vk::Result::INCOMPLETE);
        assert_eq!((one, short[..7] == room[0][..7], short[7]), (1, true, 0));
        cut.data_size = 0;
        assert_eq!(get(commands.device(), info, &mut one, &mut cut), vk::Result::INCOMPLETE);
        assert_eq!(cut.data_size, 0, "the size is that of the written bytes");
        let text_of = |(r, room): (&vk::PipelineExecutableInternalRepresentationKHR<'_>, &Vec<u8>)| {
            assert_eq!((r.is_text, room.len()), (vk::TRUE, r.data_size));
            let body = CStr::from_bytes_with_nul(room).unwrap().to_str().unwrap().to_owned();
            (text(&r.name), body)
        };
        list.iter().zip(&room).map(text_of).collect()
    }
}

#[test]
fn executables_have_texts_and_numbers() {
    let mut features =
        vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default().pipeline_executable_info(true);
    let extensions = [c"VK_KHR_pipeline_executable_properties"];
    let gpu = Gpu::with(&extensions, |info| info.push_next(&mut features)).unwrap();
    let commands = ash::khr::pipeline_executable_properties::Device::new(&gpu.instance, &gpu.device);
    let recipe = sum::Recipe::new(&gpu).unwrap();
    let pipeline = pipeline(&gpu, &recipe);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
        let found = commands.get_pipeline_executable_properties(&info).unwrap();
        assert_eq!(found.len(), 1);
        let mut subgroups = vk::PhysicalDeviceSubgroupProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroups);
        gpu.instance.get_physical_device_properties2(gpu.physical, &mut properties);
        assert_eq!(found[0].subgroup_size, subgroups.subgroup_size);
        assert_eq!(found[0].stages, vk::ShaderStageFlags::COMPUTE);
        assert_eq!(text(&found[0].description), "compute shader, entry point \"main\"");

        let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline);
        let texts = texts(&commands, &info);
        let names: Vec<&str> = texts.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["spirv", "ir", "optimized ir", "clif", "asm"]);
        // The same texts as those of `quadrille inspect`.
        let words = common::assemble(include_str!("shaders/add.comp.spvasm"));
        let ir = quadrille::apps::inspect::ir_text(&words, "main", quadrille::Stage::Compute, &[]).unwrap();
        assert_eq!(texts[0].1, quadrille::apps::inspect::disassemble(&words).unwrap());
        // Checked shaders have notes for the checks.
        if std::env::var_os("QUADRILLE_CHECK").is_none() {
            assert_eq!(texts[1].1, ir);
        }
        assert!(texts[2].1.contains("f.add"), "{}", texts[2].1);
        assert!(texts[3].1.contains("fadd"), "{}", texts[3].1);

        let numbers = commands.get_pipeline_executable_statistics(&info).unwrap();
        let number = |name: &str| {
            let found = numbers.iter().find(|s| text(&s.name) == name).unwrap();
            assert_eq!(found.format, vk::PipelineExecutableStatisticFormatKHR::UINT64);
            found.value.u64
        };
        assert_eq!(number("words of SPIR-V"), words.len() as u64);
        assert_eq!(number("workgroup memory"), 0);
        let lines = texts[4].1.lines().filter(|line| !line.trim().is_empty()).count();
        assert_eq!(number("instructions"), lines as u64);
        assert!(lines > 10, "{}", texts[4].1);
        gpu.device.destroy_pipeline(pipeline, None);
    }
    destroy(&gpu, &recipe);
}

/// Equal pipelines have equal identifiers, different ones different identifiers.
#[test]
fn pipelines_have_identifiers() {
    let mut features =
        vk::PhysicalDevicePipelinePropertiesFeaturesEXT::default().pipeline_properties_identifier(true);
    let gpu = Gpu::with(&[c"VK_EXT_pipeline_properties"], |info| info.push_next(&mut features)).unwrap();
    let commands = ash::ext::pipeline_properties::Device::new(&gpu.instance, &gpu.device);
    let identifier = |pipeline| {
        let info = vk::PipelineInfoEXT::default().pipeline(pipeline);
        let mut out = vk::PipelinePropertiesIdentifierEXT::default();
        // SAFETY: valid usage of Vulkan: the pipeline is live, and the structure is the one that the command fills.
        unsafe {
            let get = commands.fp().get_pipeline_properties_ext;
            get(commands.device(), &info, (&raw mut out).cast()).result().unwrap();
        }
        out.pipeline_identifier
    };
    let recipe = sum::Recipe::new(&gpu).unwrap();
    let [first, second] = [pipeline(&gpu, &recipe), pipeline(&gpu, &recipe)];
    let other = gpu.shader(&include_str!("shaders/add.comp.spvasm").replace("OpFAdd", "OpFSub"));
    let third = sum::Recipe { module: other, ..recipe };
    let different = pipeline(&gpu, &third);
    assert_ne!(identifier(first), [0; vk::UUID_SIZE]);
    assert_eq!(identifier(first), identifier(second));
    assert_ne!(identifier(first), identifier(different));
    // SAFETY: valid usage of Vulkan: the objects are live, and nothing uses them any more.
    unsafe {
        [first, second, different].iter().for_each(|p| gpu.device.destroy_pipeline(*p, None));
        gpu.device.destroy_shader_module(other, None);
    }
    destroy(&gpu, &recipe);
}

/// Spec: Vulkan, "Shader Module Identifiers".
#[test]
fn modules_have_identifiers() {
    let mut features =
        vk::PhysicalDeviceShaderModuleIdentifierFeaturesEXT::default().shader_module_identifier(true);
    let extensions = [c"VK_EXT_pipeline_creation_cache_control", c"VK_EXT_shader_module_identifier"];
    let gpu = Gpu::with(&extensions, |info| info.push_next(&mut features)).unwrap();
    let commands = ash::ext::shader_module_identifier::Device::new(&gpu.instance, &gpu.device);
    let recipe = sum::Recipe::new(&gpu).unwrap();
    let words = common::assemble(include_str!("shaders/add.comp.spvasm"));
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let bytes =
            |id: &vk::ShaderModuleIdentifierEXT<'_>| id.identifier[..id.identifier_size as usize].to_vec();
        let (of_module, of_info) = (
            commands.fp().get_shader_module_identifier_ext,
            commands.fp().get_shader_module_create_info_identifier_ext,
        );
        let identify = |info: &vk::ShaderModuleCreateInfo<'_>| {
            let mut out = vk::ShaderModuleIdentifierEXT::default();
            of_info(commands.device(), info, &mut out);
            bytes(&out)
        };
        let mut out = vk::ShaderModuleIdentifierEXT::default();
        of_module(commands.device(), recipe.module, &mut out);
        let module = bytes(&out);
        assert_eq!(module.len(), 32);
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        assert_eq!(module, identify(&info));
        let other = vk::ShaderModuleCreateInfo::default().code(&words[..words.len() - 1]);
        assert_ne!(module, identify(&other));

        // No compiled pipeline is kept, so that an identifier never suffices.
        let mut named = vk::PipelineShaderStageModuleIdentifierCreateInfoEXT::default().identifier(&module);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .name(c"main")
            .push_next(&mut named);
        let info = vk::ComputePipelineCreateInfo::default()
            .flags(vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED)
            .stage(stage)
            .layout(recipe.layout);
        let made = gpu.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
        assert_eq!(made, Err((vec![vk::Pipeline::null()], vk::Result::PIPELINE_COMPILE_REQUIRED)));
    }
    destroy(&gpu, &recipe);
}

/// Spec: Vulkan, "Validation Cache Header".
#[test]
fn validation_caches_are_their_header() {
    let gpu = Gpu::new(&[c"VK_EXT_validation_cache"]);
    let commands = ash::ext::validation_cache::Device::new(&gpu.instance, &gpu.device);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let info = vk::ValidationCacheCreateInfoEXT::default().initial_data(&[7; 50]);
        let make = || {
            let mut cache = vk::ValidationCacheEXT::null();
            let create = commands.fp().create_validation_cache_ext;
            create(commands.device(), &info, std::ptr::null(), &mut cache).result().unwrap();
            cache
        };
        let [cache, other] = [make(), make()];
        let merge = commands.fp().merge_validation_caches_ext;
        merge(commands.device(), cache, 1, &other).result().unwrap();
        let get = commands.fp().get_validation_cache_data_ext;
        let mut size = 0;
        get(commands.device(), cache, &mut size, std::ptr::null_mut()).result().unwrap();
        let mut data = vec![0u8; size];
        get(commands.device(), cache, &mut size, data.as_mut_ptr().cast()).result().unwrap();
        let word = |at: usize| u32::from_le_bytes(data[at..at + 4].try_into().unwrap());
        assert_eq!([word(0), word(4)], [24, vk::ValidationCacheHeaderVersionEXT::ONE.as_raw() as u32]);
        assert_eq!(data.len(), 24);
        let (mut size, mut out) = (23, [0xabu8; 24]);
        let code = get(commands.device(), cache, &mut size, out.as_mut_ptr().cast());
        assert_eq!((code, size, out), (vk::Result::INCOMPLETE, 0, [0xab; 24]));
        // Modules may name a cache.
        let words = common::assemble(include_str!("shaders/add.comp.spvasm"));
        let mut named = vk::ShaderModuleValidationCacheCreateInfoEXT::default().validation_cache(cache);
        let info = vk::ShaderModuleCreateInfo::default().code(&words).push_next(&mut named);
        let module = gpu.device.create_shader_module(&info, None).unwrap();
        gpu.device.destroy_shader_module(module, None);
        let destroy = commands.fp().destroy_validation_cache_ext;
        [cache, other].iter().for_each(|c| destroy(commands.device(), *c, std::ptr::null()));
    }
}

type Event = (vk::DeviceMemoryReportEventTypeEXT, u64, u64, u64);

/// Stores an event in the list behind `user`.
///
/// # Safety
/// `data` is valid, and `user` is a list that outlives the device.
unsafe extern "system" fn record(data: *const vk::DeviceMemoryReportCallbackDataEXT<'_>, user: *mut c_void) {
    // SAFETY: the driver passes a valid structure, and the pointer of the create info.
    let (data, list) = unsafe { (&*data, &*user.cast::<Mutex<Vec<Event>>>()) };
    assert_eq!((data.object_type, data.heap_index), (vk::ObjectType::DEVICE_MEMORY, 0));
    list.lock().unwrap().push((data.ty, data.memory_object_id, data.size, data.object_handle));
}

/// Every callback receives each event; imported memory has the number of the memory that it shares. Spec: Vulkan,
/// VkDeviceMemoryReportCallbackDataEXT.
#[test]
fn memory_is_reported() {
    use vk::DeviceMemoryReportEventTypeEXT as T;
    let lists: [Mutex<Vec<Event>>; 2] = Default::default();
    let user = |i: usize| std::ptr::from_ref(&lists[i]).cast_mut().cast();
    let mut features = vk::PhysicalDeviceDeviceMemoryReportFeaturesEXT::default().device_memory_report(true);
    let listener = |user| vk::DeviceDeviceMemoryReportCreateInfoEXT {
        pfn_user_callback: Some(record),
        p_user_data: user,
        ..Default::default()
    };
    let (mut first, mut second) = (listener(user(0)), listener(user(1)));
    let extensions = [c"VK_EXT_device_memory_report", c"VK_KHR_external_memory_fd"];
    let gpu = Gpu::with(&extensions, |info| {
        info.push_next(&mut features).push_next(&mut first).push_next(&mut second)
    });
    let gpu = gpu.unwrap();
    let d = &gpu.device;
    let fds = ash::khr::external_memory_fd::Device::new(&gpu.instance, d);
    let kind = vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD;
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    let [plain, shared, import] = unsafe {
        let info = vk::MemoryAllocateInfo::default().allocation_size(12_288);
        let plain = d.allocate_memory(&info, None).unwrap();
        let mut export = vk::ExportMemoryAllocateInfo::default().handle_types(kind);
        let shared = d.allocate_memory(&info.push_next(&mut export), None).unwrap();
        let info = vk::MemoryGetFdInfoKHR::default().memory(shared).handle_type(kind);
        let fd = fds.get_memory_fd(&info).unwrap();
        let mut named = vk::ImportMemoryFdInfoKHR::default().handle_type(kind).fd(fd);
        let info = vk::MemoryAllocateInfo::default().allocation_size(12_288).push_next(&mut named);
        let import = d.allocate_memory(&info, None).unwrap();
        let too_much = vk::MemoryAllocateInfo::default().allocation_size(1 << 60);
        assert!(d.allocate_memory(&too_much, None).is_err());
        [import, shared, plain].iter().for_each(|m| d.free_memory(*m, None));
        [plain, shared, import].map(|m| m.as_raw())
    };
    let events = lists[0].lock().unwrap().clone();
    assert_eq!(events, *lists[1].lock().unwrap());
    let kinds: Vec<T> = events.iter().map(|e| e.0).collect();
    let freed = [T::UNIMPORT, T::FREE, T::FREE];
    assert_eq!(kinds, [&[T::ALLOCATE, T::ALLOCATE, T::IMPORT, T::ALLOCATION_FAILED][..], &freed].concat());
    assert_eq!(
        events.iter().map(|e| e.3).collect::<Vec<_>>(),
        [plain, shared, import, 0, import, shared, plain]
    );
    assert_eq!(events[..4].iter().map(|e| e.2).collect::<Vec<_>>(), [12_288, 12_288, 12_288, 1 << 60]);
    let ids: Vec<u64> = events.iter().map(|e| e.1).collect();
    assert!(ids[0] != 0 && ids[1] != 0 && ids[0] != ids[1], "{ids:?}");
    assert_eq!([ids[2], ids[4], ids[5], ids[6]], [ids[1], ids[1], ids[1], ids[0]]);
}

static BINDINGS: Mutex<Vec<(vk::DeviceAddressBindingTypeEXT, u64, u64, u64)>> = Mutex::new(Vec::new());

/// Stores the binding in a message.
///
/// # Safety
/// `data` is a valid structure.
unsafe extern "system" fn hear(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _: *mut c_void,
) -> vk::Bool32 {
    assert_eq!(severity, vk::DebugUtilsMessageSeverityFlagsEXT::INFO);
    assert_eq!(types, vk::DebugUtilsMessageTypeFlagsEXT::DEVICE_ADDRESS_BINDING);
    // SAFETY: the driver passes a valid structure, whose chain has the only structure of these messages, with an object.
    unsafe {
        let binding = &*(*data).p_next.cast::<vk::DeviceAddressBindingCallbackDataEXT<'_>>();
        assert_eq!(binding.s_type, vk::StructureType::DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT);
        assert_eq!(((*data).object_count, (*(*data).p_objects).object_type), (1, vk::ObjectType::BUFFER));
        let handle = (*(*data).p_objects).object_handle;
        BINDINGS.lock().unwrap().push((binding.binding_type, binding.base_address, binding.size, handle));
    }
    vk::FALSE
}

/// Buffers with a device address are reported when they get and lose it. Spec: Vulkan,
/// VkDeviceAddressBindingCallbackDataEXT.
#[test]
fn device_addresses_are_reported() {
    use vk::DeviceAddressBindingTypeEXT as T;
    let mut reports =
        vk::PhysicalDeviceAddressBindingReportFeaturesEXT::default().report_address_binding(true);
    let mut address = vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
    let extensions = [c"VK_EXT_device_address_binding_report", c"VK_KHR_buffer_device_address"];
    let gpu = Gpu::with_instance(&[c"VK_EXT_debug_utils"], &extensions, |info| {
        info.push_next(&mut reports).push_next(&mut address)
    });
    let gpu = gpu.unwrap();
    let utils = ash::ext::debug_utils::Instance::new(&vk_quadrille::entry(), &gpu.instance);
    let commands = ash::khr::buffer_device_address::Device::new(&gpu.instance, &gpu.device);
    let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::INFO)
        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::DEVICE_ADDRESS_BINDING)
        .pfn_user_callback(Some(hear));
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let messenger = utils.create_debug_utils_messenger(&info, None).unwrap();
        let without = gpu.buffer(256, vk::BufferUsageFlags::TRANSFER_DST);
        let with = gpu.buffer(512, vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS);
        let info = vk::BufferDeviceAddressInfo::default().buffer(with.buffer);
        let (at, handle) = (commands.get_buffer_device_address(&info), with.buffer.as_raw());
        with.destroy(&gpu);
        without.destroy(&gpu);
        utils.destroy_debug_utils_messenger(messenger, None);
        assert_ne!(at, 0);
        assert_eq!(*BINDINGS.lock().unwrap(), [(T::BIND, at, 512, handle), (T::UNBIND, at, 512, handle)]);
    }
}

/// Counters are in the order of the pool, and exact. Spec: Vulkan, "Performance Queries".
#[test]
fn performance_counters_count() {
    let mut features =
        vk::PhysicalDevicePerformanceQueryFeaturesKHR::default().performance_counter_query_pools(true);
    let gpu = Gpu::with(&[c"VK_KHR_performance_query"], |info| info.push_next(&mut features)).unwrap();
    let instance = ash::khr::performance_query::Instance::new(&vk_quadrille::entry(), &gpu.instance);
    let commands = ash::khr::performance_query::Device::new(&gpu.instance, &gpu.device);
    let list = instance.fp().enumerate_physical_device_queue_family_performance_query_counters_khr;
    let d = &gpu.device;
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them, and all arrays have the sizes beside
    // them.
    unsafe {
        let mut n = 0;
        let none = std::ptr::null_mut();
        list(gpu.physical, 0, &mut n, none, std::ptr::null_mut()).result().unwrap();
        let mut counters = vec![vk::PerformanceCounterKHR::default(); n as usize];
        let mut descriptions = vec![vk::PerformanceCounterDescriptionKHR::default(); n as usize];
        list(gpu.physical, 0, &mut n, counters.as_mut_ptr(), descriptions.as_mut_ptr()).result().unwrap();
        let names: Vec<String> = descriptions.iter().map(|d| text(&d.name)).collect();
        let index = |name: &str| names.iter().position(|n| n == name).unwrap() as u32;
        assert!(counters.iter().all(|c| c.storage == vk::PerformanceCounterStorageKHR::UINT64));
        assert!((1..counters.len()).all(|i| counters[..i].iter().all(|c| c.uuid != counters[i].uuid)));
        let mut one = 1;
        let short = list(gpu.physical, 0, &mut one, counters.as_mut_ptr(), descriptions.as_mut_ptr());
        assert_eq!((short, one), (vk::Result::INCOMPLETE, 1));
        // Descriptions alone are counted like counters.
        let mut two = 2;
        let short = list(gpu.physical, 0, &mut two, none, descriptions.as_mut_ptr());
        assert_eq!((short, two), (vk::Result::INCOMPLETE, 2));

        let indices = [index("fragment invocations"), 0, index("vertices"), 0];
        let mut of = vk::QueryPoolPerformanceCreateInfoKHR::default().counter_indices(&indices);
        let mut passes = 0;
        let ask = instance.fp().get_physical_device_queue_family_performance_query_passes_khr;
        ask(gpu.physical, &of, &mut passes);
        assert_eq!(passes, 1);
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::PERFORMANCE_QUERY_KHR)
            .query_count(2)
            .push_next(&mut of);
        let pool = d.create_query_pool(&info, None).unwrap();
        let lock = vk::AcquireProfilingLockInfoKHR::default().timeout(u64::MAX);
        (commands.fp().acquire_profiling_lock_khr)(commands.device(), &lock).result().unwrap();
        let recipe = sum::Recipe::new(&gpu).unwrap();
        let pipeline = pipeline(&gpu, &recipe);
        let buffers = sum::buffers(&gpu, 9);
        let (sets, set) = recipe.set(&gpu, sum::handles(&buffers)).unwrap();
        gpu.run(|c| d.cmd_reset_query_pool(c, pool, 0, 2));
        gpu.run(|c| {
            for (query, values) in [(0, sum::COUNT), (1, sum::COUNT / 2)] {
                d.cmd_begin_query(c, pool, query, Default::default());
                recipe.record(&gpu, c, pipeline, set, values);
                d.cmd_end_query(c, pool, query);
                gpu.barrier(c);
            }
        });
        let mut results = [[u64::MAX; 4]; 2];
        d.get_query_pool_results(pool, 0, &mut results, vk::QueryResultFlags::WAIT).unwrap();
        let [all, half] = [u64::from(sum::COUNT), u64::from(sum::COUNT / 2)];
        assert_eq!(results, [[0, all, 0, all], [0, half, 0, half]]);
        (commands.fp().release_profiling_lock_khr)(commands.device());
        d.destroy_query_pool(pool, None);
        d.destroy_descriptor_pool(sets, None);
        d.destroy_pipeline(pipeline, None);
        buffers.into_iter().for_each(|b| b.destroy(&gpu));
        destroy(&gpu, &recipe);
    }
}
