//! Extensions of shaders through Vulkan: modules of the file tests, on devices with the feature and its extension.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};

use crate::common::Gpu;
use crate::common::dispatch::run;
use crate::common::sets::{Bound, Extra, Sets};
use ash::vk;

/// A structure of features.
#[repr(C)]
struct Features<const N: usize> {
    ty: vk::StructureType,
    next: *mut c_void,
    on: [vk::Bool32; N],
}

/// Creates a device with an extension and its only feature, whose structure has this type.
fn gpu(extension: &CStr, ty: i32) -> Gpu {
    gpu_with::<1>(extension, ty)
}

/// Creates a device with an extension and all of its features, whose structure has this type.
fn gpu_with<const N: usize>(extension: &CStr, ty: i32) -> Gpu {
    let ty = vk::StructureType::from_raw(ty);
    let mut feature = Features { ty, next: std::ptr::null_mut(), on: [vk::FALSE; N] };
    let plain = Gpu::new(&[]);
    let mut all = vk::PhysicalDeviceFeatures2 { p_next: (&raw mut feature).cast(), ..Default::default() };
    // SAFETY: valid usage of Vulkan: the chain is a live structure.
    unsafe { plain.instance.get_physical_device_features2(plain.physical, &mut all) };
    assert_eq!(feature.on, [vk::TRUE; N], "{extension:?}");
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
    let mut limit = Features { ty, next: std::ptr::null_mut(), on: [0] };
    let mut all = vk::PhysicalDeviceProperties2 { p_next: (&raw mut limit).cast(), ..Default::default() };
    // SAFETY: valid usage of Vulkan: the chain is a live structure, of the layout of one word.
    unsafe { gpu.instance.get_physical_device_properties2(gpu.physical, &mut all) };
    assert!(limit.on[0] >= 1024, "maxVectorComponents {}", limit.on[0]);

    let module = include_str!("../../../conformance/filetests/composite/OpTypeVectorIdEXT.spvasm");
    let expected = module.lines().find_map(|line| line.strip_prefix(";! expect 0.1 u32 ")).unwrap();
    let expected: Vec<u32> = expected.split(' ').map(|word| word.parse().unwrap()).collect();
    let storage = vk::DescriptorType::STORAGE_BUFFER;
    let found = run(&gpu, module, &[(storage, vec![300, 4]), (storage, vec![0; expected.len()])]);
    assert_eq!(found, expected);
}

/// The words that a file test binds.
fn bound(module: &str, binding: &str) -> Vec<String> {
    let list = module.lines().find_map(|line| line.strip_prefix(&format!(";! bind {binding} "))).unwrap();
    list.split(' ').skip(1).map(String::from).collect()
}

/// Spec: SPV_INTEL_shader_integer_functions2, with mathematical integers.
#[test]
fn integers_saturate_and_have_averages() {
    let gpu = gpu(c"VK_INTEL_shader_integer_functions2", 1_000_209_000);
    let module = include_str!("../../../conformance/filetests/arithmetic/integer_functions2.spvasm");
    let words: Vec<u32> = bound(module, "0.0").iter().map(|word| word.parse().unwrap()).collect();
    let clamp = |v: i64, low: i64, high: i64| v.clamp(low, high) as u32;
    let [low, high, most] = [i32::MIN.into(), i32::MAX.into(), u32::MAX.into()];
    let expected: Vec<u32> = words
        .chunks(2)
        .flat_map(|pair| {
            let (x, y): (i64, i64) = (pair[0].into(), pair[1].into());
            let (a, b): (i64, i64) = ((pair[0] as i32).into(), (pair[1] as i32).into());
            let is_one = |bit: &u32| pair[0] >> bit & 1 != 0;
            let leading = (0..32).rev().find(is_one).map_or(32, |bit| 31 - bit);
            let trailing = (0..32).find(is_one).unwrap_or(32);
            let half = i64::from(pair[1] as u16);
            [
                leading,
                trailing,
                (a - b).unsigned_abs() as u32,
                (x - y).unsigned_abs() as u32,
                clamp(a + b, low, high),
                clamp(x + y, 0, most),
                (a + b).div_euclid(2) as u32,
                (x + y).div_euclid(2) as u32,
                (a + b + 1).div_euclid(2) as u32,
                (x + y + 1).div_euclid(2) as u32,
                clamp(a - b, low, high),
                clamp(x - y, 0, most),
                (a * if half < 0x8000 { half } else { half - 0x1_0000 }) as u32,
                (x * half) as u32,
            ]
        })
        .collect();
    let storage = vk::DescriptorType::STORAGE_BUFFER;
    let found = run(&gpu, module, &[(storage, words), (storage, vec![0; expected.len()])]);
    assert_eq!(found, expected);
}

/// A finite number with this many bits of exponent and mantissa.
fn number(bits: u32, [exponent, mantissa]: [u32; 2]) -> f64 {
    let field = |at: u32, n: u32| (bits >> at & ((1 << n) - 1)) as i32;
    let (power, part) =
        (field(mantissa, exponent), f64::from(field(0, mantissa)) / 2f64.powi(mantissa as i32));
    let bias = (1 << (exponent - 1)) - 1;
    let size = if power == 0 { part * 2f64.powi(1 - bias) } else { (1.0 + part) * 2f64.powi(power - bias) };
    if field(mantissa + exponent, 1) != 0 { -size } else { size }
}

/// Bits of the exponent and of the mantissa.
const F16: [u32; 2] = [5, 10];
const BFLOAT16: [u32; 2] = [8, 7];
const E4M3: [u32; 2] = [4, 3];
const E5M2: [u32; 2] = [5, 2];

/// Products and sums of the file test are exact in the type of the result, in any order.
/// Spec: SPV_VALVE_mixed_float_dot_product.
#[test]
fn dot_products_have_small_floats() {
    let gpu = gpu_with::<4>(c"VK_VALVE_shader_mixed_float_dot_product", 1_000_673_000);
    let module = include_str!("../../../conformance/filetests/arithmetic/OpFDotMix.spvasm");
    let words: Vec<u32> = bound(module, "0.0").iter().map(|word| word.parse().unwrap()).collect();
    let sums: Vec<f32> = bound(module, "0.1").iter().map(|sum| sum.parse().unwrap()).collect();
    let expected: Vec<f32> = words
        .chunks(8)
        .zip(&sums)
        .flat_map(|(w, &sum)| {
            let parts = |word: u32, ty: [u32; 2]| -> Vec<f64> {
                let bits = 1 + ty[0] + ty[1];
                (0..32 / bits).map(|i| number((word >> (i * bits)) & ((1 << bits) - 1), ty)).collect()
            };
            let dot =
                |a: Vec<f64>, b: Vec<f64>, sum: f64| a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() + sum;
            let of = |at: usize, ty: [u32; 2]| dot(parts(w[at], ty), parts(w[at + 1], ty), sum.into());
            let mixed = dot(parts(w[4], E4M3), parts(w[7], E5M2), sum.into());
            let constant = dot(vec![1.5, -2.0], parts(w[1], F16), 0.5);
            let (half, brain) = (of(0, F16), of(2, BFLOAT16));
            [half, brain, half, brain, of(4, E4M3), of(6, E5M2), mixed, constant].map(|v| v as f32)
        })
        .collect();
    let storage = vk::DescriptorType::STORAGE_BUFFER;
    let sums = sums.into_iter().map(f32::to_bits).collect();
    let found = run(&gpu, module, &[(storage, words), (storage, sums), (storage, vec![0; expected.len()])]);
    let found: Vec<f32> = found.into_iter().map(f32::from_bits).collect();
    assert_eq!(found, expected);
}

/// Pipelines choose the size of subgroups, among all powers of two of a range. Spec: Vulkan,
/// VkPipelineShaderStageRequiredSubgroupSizeCreateInfo.
#[test]
fn subgroups_have_the_required_size() {
    let mut feature = vk::PhysicalDeviceSubgroupSizeControlFeatures::default().subgroup_size_control(true);
    let extensions = [c"VK_EXT_subgroup_size_control", c"VK_NV_shader_subgroup_partitioned"];
    let gpu = Gpu::with(&extensions, |info| info.push_next(&mut feature)).unwrap();
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut sizes);
    // SAFETY: valid usage of Vulkan: the structures are live during the call.
    unsafe { gpu.instance.get_physical_device_properties2(gpu.physical, &mut all) };
    let (least, most) = (sizes.min_subgroup_size, sizes.max_subgroup_size);
    assert!(least.is_power_of_two() && most.is_power_of_two() && least <= most);
    assert!(sizes.required_subgroup_size_stages.contains(vk::ShaderStageFlags::COMPUTE));
    let module = include_str!("shaders/sets.comp.spvasm")
        .replace("SPV_EXT_shader_subgroup_partitioned", "SPV_NV_shader_subgroup_partitioned");
    let out = gpu.buffer(1024, vk::BufferUsageFlags::STORAGE_BUFFER);
    let bound = [Bound::Buffers(vk::DescriptorType::STORAGE_BUFFER, &[out.buffer])];
    let sets = Sets::new(&gpu, vk::ShaderStageFlags::COMPUTE, &bound);
    for size in (0..8).map(|n| 1 << n).filter(|size| (least..=most).contains(size)) {
        let required =
            vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default().required_subgroup_size(size);
        let extra = Extra { of_stage: (&raw const required).cast(), ..Extra::default() };
        sets.dispatch_with(&gpu, &module, 0, [1; 3], &extra);
        let seen: Vec<[u32; 4]> = out.read();
        for (id, [mask, _, _, of]) in (0..).zip(seen) {
            let expected: u64 =
                (0..size).filter(|i| (id / size * size + i) % 3 == id % 3).map(|i| 1 << i).sum();
            assert_eq!((of, mask), (size, expected as u32), "invocation {id}");
        }
    }
    sets.destroy(&gpu);
    out.destroy(&gpu);
}
