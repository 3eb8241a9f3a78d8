//! Extensions of shaders through Vulkan: modules of the file tests, on devices with the feature and its extension.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};

use crate::common::Gpu;
use crate::common::dispatch::run;
use ash::vk;

/// A structure with one feature.
#[repr(C)]
struct Feature {
    ty: vk::StructureType,
    next: *mut c_void,
    on: vk::Bool32,
}

/// Creates a device with an extension and its only feature, whose structure has this type.
fn gpu(extension: &CStr, ty: i32) -> Gpu {
    let mut feature =
        Feature { ty: vk::StructureType::from_raw(ty), next: std::ptr::null_mut(), on: vk::FALSE };
    let plain = Gpu::new(&[]);
    let mut all = vk::PhysicalDeviceFeatures2 { p_next: (&raw mut feature).cast(), ..Default::default() };
    // SAFETY: valid usage of Vulkan: the chain is a live structure.
    unsafe { plain.instance.get_physical_device_features2(plain.physical, &mut all) };
    assert_eq!(feature.on, vk::TRUE, "{extension:?}");
    let extensions = [extension];
    let gpu = Gpu::with(&extensions, |mut info| {
        info.p_next = (&raw mut feature).cast();
        info
    });
    gpu.unwrap()
}

/// Invocation i reads in the second half what invocation 63 - i stored before the first, and adds 3 * i.
#[test]
fn barriers_have_two_halves() {
    let gpu = gpu(c"VK_EXT_shader_split_barrier", 1_000_305_000);
    let module = include_str!("../../../conformance/filetests/memory/split_barrier.spvasm");
    let found = run(&gpu, module, &[(vk::DescriptorType::STORAGE_BUFFER, vec![0; 64])]);
    assert_eq!(found, (0..64).map(|i| 63 - i + 3 * i).collect::<Vec<u32>>());
}

/// The length of the last member is that of the buffer.
#[test]
fn uniform_blocks_end_in_arrays_without_a_size() {
    let gpu = gpu(c"VK_EXT_shader_uniform_buffer_unsized_array", 1_000_642_000);
    let module = include_str!("../../../conformance/filetests/memory/uniform_unsized_array.spvasm");
    let uniforms = vec![7, 0, 0, 0, 10, 0, 0, 0, 20, 0, 0, 0, 30, 0, 0, 0, 40, 0, 0, 0];
    let bindings =
        [(vk::DescriptorType::UNIFORM_BUFFER, uniforms), (vk::DescriptorType::STORAGE_BUFFER, vec![0; 4])];
    assert_eq!(run(&gpu, module, &bindings), [17, 27, 37, 47]);
}

/// Invocations whose numbers have the same remainder modulo 3 are a set, within their subgroup. Spec: Vulkan,
/// VK_EXT_shader_subgroup_partitioned; its operations are those of the extension of NVIDIA.
#[test]
fn sets_of_equal_values_are_reduced() {
    let of_nv = Gpu::new(&[c"VK_NV_shader_subgroup_partitioned"]);
    let of_ext = gpu(c"VK_EXT_shader_subgroup_partitioned", 1_000_662_000);
    let text = include_str!("shaders/sets.comp.spvasm");
    let old = text.replace("SPV_EXT_shader_subgroup_partitioned", "SPV_NV_shader_subgroup_partitioned");
    for (gpu, module) in [(of_nv, &*old), (of_ext, text)] {
        let found = run(&gpu, module, &[(vk::DescriptorType::STORAGE_BUFFER, vec![0; 256])]);
        for (id, seen) in (0..64u32).zip(found.chunks(4)) {
            let size = seen[3];
            assert!(size >= 4 && size.is_power_of_two());
            let first = id / size * size;
            let equal = (first..(first + size).min(64)).filter(|other| other % 3 == id % 3);
            let mask = equal.clone().map(|other| 1u64 << (other - first)).sum::<u64>() as u32;
            let before = equal.clone().filter(|&other| other < id).count() as u32;
            assert_eq!(seen[..3], [mask, equal.sum(), before], "invocation {id} of subgroups of {size}");
        }
    }
}

/// The module is a file test, which states what the buffer holds if data of 32 bits replaces a constant; without it, the
/// bytes are those of the module.
#[test]
fn constants_are_arrays_of_data() {
    let gpu = gpu(c"VK_KHR_shader_constant_data", 1_000_231_000);
    let module = include_str!("../../../conformance/filetests/composite/constant_data.spvasm");
    let found = run(&gpu, module, &[(vk::DescriptorType::STORAGE_BUFFER, vec![0; 18])]);
    let expected = [1, 2, 3, 4, 5, 0x1234, 0xffff, 4_000_000_000, 1, 2, 9, 9, 9, 9, 6, 7, 8, 9];
    assert_eq!(found, expected);
}

/// The module is a file test, which states what the last buffer holds.
#[test]
fn vectors_have_any_number_of_components() {
    let gpu = gpu(c"VK_EXT_shader_long_vector", 1_000_635_000);
    let ty = vk::StructureType::from_raw(1_000_635_001);
    let mut limit = Feature { ty, next: std::ptr::null_mut(), on: 0 };
    let mut all = vk::PhysicalDeviceProperties2 { p_next: (&raw mut limit).cast(), ..Default::default() };
    // SAFETY: valid usage of Vulkan: the chain is a live structure, of the layout of one word.
    unsafe { gpu.instance.get_physical_device_properties2(gpu.physical, &mut all) };
    assert!(limit.on >= 1024, "maxVectorComponents {}", limit.on);

    let module = include_str!("../../../conformance/filetests/composite/OpTypeVectorIdEXT.spvasm");
    let expected = module.lines().find_map(|line| line.strip_prefix(";! expect 0.1 u32 ")).unwrap();
    let expected: Vec<u32> = expected.split(' ').map(|word| word.parse().unwrap()).collect();
    let storage = vk::DescriptorType::STORAGE_BUFFER;
    let found = run(&gpu, module, &[(storage, vec![300, 4]), (storage, vec![0; expected.len()])]);
    assert_eq!(found, expected);
}
