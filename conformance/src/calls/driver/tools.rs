//! Extensions for tools: validation caches, identifiers of shader modules, reports of memory and of faults. Performance
//! queries are left to `counters`.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::collections::HashMap;
use std::ffi::{CStr, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ash::vk;
use ash::vk::Handle;

use super::super::kernels::KERNELS;
use super::World;
use crate::tools::assemble;

/// Extensions of this file and of `counters`, and later forms of commands.
pub(super) const EXTENSIONS: [&CStr; 13] = [
    ash::khr::maintenance4::NAME,
    ash::khr::map_memory2::NAME,
    ash::ext::validation_cache::NAME,
    ash::ext::shader_module_identifier::NAME,
    ash::ext::pipeline_creation_cache_control::NAME,
    ash::ext::device_memory_report::NAME,
    ash::khr::performance_query::NAME,
    c"VK_KHR_device_fault",
    c"VK_KHR_extended_flags",
    c"VK_EXT_shader_split_barrier",
    c"VK_KHR_shader_constant_data",
    ash::khr::dynamic_rendering_local_read::NAME,
    c"VK_EXT_custom_resolve",
];

/// Structure of features with up to four members.
#[repr(C)]
pub(super) struct Feature {
    ty: vk::StructureType,
    next: *const c_void,
    on: [vk::Bool32; 4],
}

/// Features of the extensions, of `placed` and of `presentations` in front of a chain. They must stay where they are.
pub(super) fn features(next: *const c_void) -> Box<[Feature]> {
    use vk::StructureType as T;
    // The bindings lack those of faults, of 64-bit flags, of barriers in two halves, of constants as data, of custom
    // resolves, of present ids and of the times of presentations.
    let newer = [
        1_000_573_000,
        1_000_668_004,
        1_000_305_000,
        1_000_231_000,
        1_000_628_000,
        1_000_479_002,
        1_000_208_000,
    ];
    let known = [
        T::PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
        T::PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT,
        T::PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
        T::PHYSICAL_DEVICE_DEVICE_MEMORY_REPORT_FEATURES_EXT,
        T::PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
        T::PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
    ];
    let rows = newer.map(T::from_raw).into_iter().chain(known);
    let places = T::PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT;
    let rows = rows.chain(super::placed::OFFERED.then_some(places));
    // All members of maps at places and of the times of presentations, the first one of the others.
    let feature = |ty| match [places, T::from_raw(1_000_208_000)].contains(&ty) {
        true => Feature { ty, next, on: [1, 1, 1, 0] },
        false => Feature { ty, next, on: [1, 0, 0, 0] },
    };
    let mut all: Box<[Feature]> = rows.map(feature).collect();
    for i in 1..all.len() {
        all[i - 1].next = (&raw const all[i]).cast();
    }
    all
}

/// VkImageCreateFlags2CreateInfoKHR.
#[repr(C)]
pub(super) struct WideFlags {
    ty: vk::StructureType,
    next: *const c_void,
    flags: u64,
}

impl WideFlags {
    pub(super) fn new(flags: vk::ImageCreateFlags, next: *const c_void) -> WideFlags {
        let ty = vk::StructureType::from_raw(1_000_668_001);
        WideFlags { ty, next, flags: flags.as_raw().into() }
    }
}

/// VkImageUsageFlags2CreateInfoKHR.
#[repr(C)]
pub(super) struct WideUsage {
    ty: vk::StructureType,
    next: *const c_void,
    usage: u64,
}

impl WideUsage {
    pub(super) fn new(usage: vk::ImageUsageFlags, next: *const c_void) -> WideUsage {
        let ty = vk::StructureType::from_raw(1_000_668_002);
        WideUsage { ty, next, usage: usage.as_raw().into() }
    }
}

/// Live memory of a device, as its reports tell: sizes by number and handle; and the first report that was wrong.
#[derive(Default)]
pub(super) struct Reports(Mutex<(HashMap<(u64, u64), u64>, Option<String>)>);

impl Reports {
    fn lock(&self) -> MutexGuard<'_, (HashMap<(u64, u64), u64>, Option<String>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, data: &vk::DeviceMemoryReportCallbackDataEXT<'_>) {
        use vk::DeviceMemoryReportEventTypeEXT as T;
        let (mut state, key) = (self.lock(), (data.memory_object_id, data.object_handle));
        let right = match data.ty {
            T::ALLOCATE => state.0.insert(key, data.size).is_none() && data.size > 0 && key.1 != 0,
            T::FREE => state.0.remove(&key).is_some(),
            T::ALLOCATION_FAILED => data.size > 0,
            // Nothing is imported.
            _ => false,
        };
        if !right {
            state.1.get_or_insert(format!("report {:?} of memory {key:x?}, {} bytes", data.ty, data.size));
        }
    }

    /// Size of memory, by its handle.
    fn size(&self, memory: vk::DeviceMemory) -> Option<u64> {
        let handle = memory.as_raw();
        self.lock().0.iter().find(|(key, _)| key.1 == handle).map(|(_, size)| *size)
    }
}

/// Hears a report.
///
/// # Safety
/// `data` is valid, and `user` is a [`Reports`] that outlives the device.
unsafe extern "system" fn hear(data: *const vk::DeviceMemoryReportCallbackDataEXT<'_>, user: *mut c_void) {
    // SAFETY: the driver passes a valid structure, and the pointer of the create info.
    unsafe { (*user.cast::<Reports>()).hear(&*data) };
}

/// Create info by which these reports are heard.
pub(super) fn listener(reports: &Reports) -> vk::DeviceDeviceMemoryReportCreateInfoEXT<'static> {
    vk::DeviceDeviceMemoryReportCreateInfoEXT {
        pfn_user_callback: Some(hear),
        p_user_data: std::ptr::from_ref(reports).cast_mut().cast(),
        ..Default::default()
    }
}

type Faults = unsafe extern "system" fn(vk::Device, u64, *mut u32, *mut c_void) -> vk::Result;

/// Commands of the extensions.
pub(super) struct Tools {
    caches: ash::ext::validation_cache::Device,
    identifiers: ash::ext::shader_module_identifier::Device,
    faults: Faults,
    requirements: ash::khr::maintenance4::Device,
    pub(super) maps: ash::khr::map_memory2::Device,
    /// The device hears into this, so that it is dropped later.
    pub reports: Box<Reports>,
}

impl Tools {
    pub(super) fn new(
        instance: &ash::Instance,
        device: &ash::Device,
        reports: Box<Reports>,
    ) -> Option<Tools> {
        // SAFETY: the handles are live, and the device has the extension, whose command has this type.
        let faults = unsafe {
            let found =
                instance.get_device_proc_addr(device.handle(), c"vkGetDeviceFaultReportsKHR".as_ptr());
            found.map(|get| std::mem::transmute::<unsafe extern "system" fn(), Faults>(get))
        };
        Some(Tools {
            caches: ash::ext::validation_cache::Device::new(instance, device),
            identifiers: ash::ext::shader_module_identifier::Device::new(instance, device),
            faults: faults?,
            requirements: ash::khr::maintenance4::Device::new(instance, device),
            maps: ash::khr::map_memory2::Device::new(instance, device),
            reports,
        })
    }
}

impl World<'_> {
    /// Calls a command of an extension for tools, moves a map, or runs what has objects of its own.
    pub(super) fn tool(&mut self) {
        match self.r.below(20) {
            0..3 => self.validation_caches(),
            3..5 => self.identify(),
            5..7 => self.look_for_faults(),
            7..9 => self.move_map(),
            9..12 => self.resolve_by_shader(),
            12..14 => self.present_some(),
            14..17 => self.abort_some(),
            _ => self.count_a_dispatch(),
        }
    }

    /// Creates a cache and another one from its data, merges them, and creates a module with the result.
    fn validation_caches(&mut self) {
        let Some(one) = self.validation_cache(&[]) else { return };
        let other = self.validation_data(one).and_then(|data| self.validation_cache(&data));
        if let Some(other) = other {
            let [to, from] = if self.r.one_in(2) { [one, other] } else { [other, one] };
            self.merge_validation_caches(to, from);
            self.destroy_validation_cache(other);
        }
        self.destroy_validation_cache(one);
    }

    fn validation_cache(&mut self, data: &[u8]) -> Option<vk::ValidationCacheEXT> {
        let caches = &self.shared.client.tools.caches;
        let info = vk::ValidationCacheCreateInfoEXT::default().initial_data(data);
        let mut cache = vk::ValidationCacheEXT::null();
        // SAFETY: the device is live, and the data comes from a cache of it.
        let made = unsafe {
            let create = caches.fp().create_validation_cache_ext;
            create(caches.device(), &info, std::ptr::null(), &mut cache)
        };
        self.judge("vkCreateValidationCacheEXT", made.result()).map(|()| cache)
    }

    fn destroy_validation_cache(&mut self, cache: vk::ValidationCacheEXT) {
        let caches = &self.shared.client.tools.caches;
        // SAFETY: the cache is live, and nothing uses it.
        unsafe {
            (caches.fp().destroy_validation_cache_ext)(caches.device(), cache, std::ptr::null());
        }
        self.tally.count("vkDestroyValidationCacheEXT", true, 1);
    }

    /// The data of a cache, which has a header.
    fn validation_data(&mut self, cache: vk::ValidationCacheEXT) -> Option<Vec<u8>> {
        let caches = &self.shared.client.tools.caches;
        let get = caches.fp().get_validation_cache_data_ext;
        let (mut size, mut data) = (0, Vec::new());
        // SAFETY: the cache is live, and the data has as many bytes as `size` says.
        let code = unsafe {
            let first = get(caches.device(), cache, &mut size, std::ptr::null_mut()).result();
            data.resize(size, 0);
            first.and_then(|()| get(caches.device(), cache, &mut size, data.as_mut_ptr().cast()).result())
        };
        self.judge("vkGetValidationCacheDataEXT", code)?;
        let header = data.get(..4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        if size != data.len() || header.is_none_or(|header| header as usize > size) {
            self.fail(format!("validation cache: {size} bytes, header {header:?}"));
        }
        Some(data)
    }

    fn merge_validation_caches(&mut self, to: vk::ValidationCacheEXT, from: vk::ValidationCacheEXT) {
        let caches = &self.shared.client.tools.caches;
        // SAFETY: the caches are live, and differ.
        let merged = unsafe {
            let merge = caches.fp().merge_validation_caches_ext;
            merge(caches.device(), to, 1, &from)
        };
        self.judge("vkMergeValidationCachesEXT", merged.result());
        self.validation_data(to);
        let words = self.some_words();
        let mut with = vk::ShaderModuleValidationCacheCreateInfoEXT::default().validation_cache(to);
        let info = vk::ShaderModuleCreateInfo::default().code(&words).push_next(&mut with);
        // SAFETY: the cache is live, and the words are valid SPIR-V.
        let module = unsafe { self.device().create_shader_module(&info, None) };
        if let Some(module) = self.judge("vkCreateShaderModule", module) {
            // SAFETY: nothing uses the module.
            unsafe { self.device().destroy_shader_module(module, None) };
        }
    }

    /// Words of a valid module.
    fn some_words(&mut self) -> Vec<u32> {
        let kernel = *self.r.pick(&KERNELS);
        let text = format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"{kernel:?}\"\n\
             OpExecutionMode %main LocalSize {} 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
             %main = OpFunction %void None %fn\n%begin = OpLabel\nOpReturn\nOpFunctionEnd\n",
            1 + self.r.below(8)
        );
        assemble(&text, false).expect("a module assembles")
    }

    /// The identifier of a module is that of its create info, and not that of other words. Spec: Vulkan, "Shader Module
    /// Identifiers".
    fn identify(&mut self) {
        let [one, mut other] = [self.some_words(), self.some_words()];
        other.push(1 << 16);
        let info = |words| vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the words are valid SPIR-V.
        let module = unsafe { self.device().create_shader_module(&info(&one), None) };
        let Some(module) = self.judge("vkCreateShaderModule", module) else { return };
        let identifiers = &self.shared.client.tools.identifiers;
        let mut found: [vk::ShaderModuleIdentifierEXT<'_>; 3] = Default::default();
        let [a, b, c] = &mut found;
        // SAFETY: the module is live, and the structures are valid.
        unsafe {
            let (fp, device) = (identifiers.fp(), identifiers.device());
            (fp.get_shader_module_identifier_ext)(device, module, a);
            (fp.get_shader_module_create_info_identifier_ext)(device, &info(&one), b);
            (fp.get_shader_module_create_info_identifier_ext)(device, &info(&other), c);
            self.device().destroy_shader_module(module, None);
        }
        let [a, b, c] = found.map(|of| of.identifier[..(of.identifier_size as usize).min(32)].to_vec());
        let right = a == b && a != c && !a.is_empty();
        self.tally.count("vkGetShaderModuleIdentifierEXT", right, 1);
        if !right {
            self.fail(format!("identifiers of a module, its words and others: {a:x?} {b:x?} {c:x?}"));
        }
    }

    /// Programs have no faults, unless a request for memory failed.
    fn look_for_faults(&mut self) {
        let (mut count, get) = (u32::MAX, self.shared.client.tools.faults);
        // SAFETY: the device is live; a null pointer asks for the number.
        let code = unsafe { get(self.device().handle(), 0, &mut count, std::ptr::null_mut()) };
        let right = (code, count) == (vk::Result::TIMEOUT, 0);
        self.tally.count("vkGetDeviceFaultReportsKHR", right, 1);
        if !right {
            // SAFETY: the device is live, and its queues are synchronized by the driver.
            let lost = unsafe { self.device().device_wait_idle() }.err();
            let lost = lost.map_or_else(String::new, |code| format!(", {code}"));
            self.fail(format!("vkGetDeviceFaultReportsKHR: {code}, {count} faults{lost}"));
        }
    }

    /// The requirements of a create info are those of its buffer. Spec: Vulkan, vkGetDeviceBufferMemoryRequirements.
    pub(super) fn expect_requirements(
        &mut self,
        info: &vk::BufferCreateInfo<'_>,
        of: &vk::MemoryRequirements,
    ) {
        let requirements = &self.shared.client.tools.requirements;
        let (info, mut out) = (
            vk::DeviceBufferMemoryRequirements::default().create_info(info),
            vk::MemoryRequirements2::default(),
        );
        // SAFETY: the structures are valid.
        unsafe {
            let get = requirements.fp().get_device_buffer_memory_requirements_khr;
            get(requirements.device(), &info, &mut out);
        }
        let words = |m: &vk::MemoryRequirements| (m.size, m.alignment, m.memory_type_bits);
        let right = words(&out.memory_requirements) == words(of);
        self.tally.count("vkGetDeviceBufferMemoryRequirementsKHR", right, 1);
        if !right {
            self.fail(format!("requirements of a buffer: {of:?}, of its create info: {out:?}"));
        }
    }

    /// Maps new memory by vkMapMemory2KHR.
    pub(super) fn map_by_structure(&mut self, memory: vk::DeviceMemory) -> Option<*mut u8> {
        let maps = &self.shared.client.tools.maps;
        let info = vk::MemoryMapInfoKHR::default().memory(memory).size(vk::WHOLE_SIZE);
        let mut at = std::ptr::null_mut();
        // SAFETY: the memory was just allocated from a host-visible type, and is not mapped yet.
        let mapped = unsafe { (maps.fp().map_memory2_khr)(maps.device(), &info, &mut at) };
        self.judge("vkMapMemory2KHR", mapped.result()).map(|()| at.cast())
    }

    /// Compares a report with new memory.
    pub(super) fn expect_reported(&mut self, memory: vk::DeviceMemory, size: u64) {
        let reported = self.shared.client.tools.reports.size(memory);
        let right = reported.is_some_and(|reported| reported >= size);
        self.tally.count("memory reports", right, 1);
        if !right {
            self.fail(format!("memory of {size} bytes is reported with {reported:?}"));
        }
    }

    /// Fails if a report was wrong.
    pub(super) fn judge_reports(&mut self) {
        let wrong = self.shared.client.tools.reports.lock().1.clone();
        wrong.into_iter().for_each(|text| self.fail(text));
    }
}
