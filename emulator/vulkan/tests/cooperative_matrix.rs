//! Every product of cooperative matrices that the driver lists can be compiled. Spec: Vulkan,
//! vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::Gpu;
use ash::vk;
use ash::vk::ComponentTypeKHR as Component;

const BFLOAT16: Component = Component::from_raw(1_000_141_000);
const FLOAT8_E4M3: Component = Component::from_raw(1_000_491_002);
const FLOAT8_E5M2: Component = Component::from_raw(1_000_491_003);

/// A shader that multiplies matrices of these sizes and types.
fn product(p: &vk::CooperativeMatrixPropertiesKHR<'_>) -> String {
    let ty = |c: Component| match c {
        Component::FLOAT16 => "%f16",
        Component::FLOAT32 => "%f32",
        Component::SINT8 => "%s8",
        Component::UINT8 => "%u8",
        Component::SINT32 => "%s32",
        Component::UINT32 => "%u32",
        BFLOAT16 => "%bf16",
        FLOAT8_E4M3 => "%e4m3",
        FLOAT8_E5M2 => "%e5m2",
        other => panic!("{other:?}"),
    };
    let signed = |c: Component| matches!(c, Component::SINT8 | Component::SINT32);
    let mut operands = Vec::new();
    for (of, name) in [(p.a_type, "A"), (p.b_type, "B"), (p.c_type, "C"), (p.result_type, "Result")] {
        if signed(of) {
            operands.push(format!("Matrix{name}SignedComponentsKHR"));
        }
    }
    if p.saturating_accumulation != 0 {
        operands.push("SaturatingAccumulationKHR".into());
    }
    let operands = if operands.is_empty() { "NoneKHR".into() } else { operands.join("|") };
    let (m, n, k) = (p.m_size, p.n_size, p.k_size);
    let (a, b, c, r) = (ty(p.a_type), ty(p.b_type), ty(p.c_type), ty(p.result_type));
    assert_eq!(c, r);
    format!(
        "OpCapability Shader
        OpCapability Float16
        OpCapability Int8
        OpCapability VulkanMemoryModel
        OpCapability CooperativeMatrixKHR
        OpCapability BFloat16TypeKHR
        OpCapability BFloat16CooperativeMatrixKHR
        OpCapability Float8EXT
        OpCapability Float8CooperativeMatrixEXT
        OpExtension \"SPV_KHR_cooperative_matrix\"
        OpMemoryModel Logical Vulkan
        OpEntryPoint GLCompute %main \"main\" %out
        OpExecutionMode %main LocalSize 64 1 1
        %void = OpTypeVoid
        %f16 = OpTypeFloat 16
        %f32 = OpTypeFloat 32
        %bf16 = OpTypeFloat 16 BFloat16KHR
        %e4m3 = OpTypeFloat 8 Float8E4M3EXT
        %e5m2 = OpTypeFloat 8 Float8E5M2EXT
        %s8 = OpTypeInt 8 1
        %u8 = OpTypeInt 8 0
        %s32 = OpTypeInt 32 1
        %u32 = OpTypeInt 32 0
        %scope = OpConstant %u32 {scope}
        %m = OpConstant %u32 {m}
        %n = OpConstant %u32 {n}
        %k = OpConstant %u32 {k}
        %zero = OpConstant %u32 0
        %one = OpConstant %u32 1
        %two = OpConstant %u32 2
        %length = OpConstant %u32 1024
        %a_ty = OpTypeCooperativeMatrixKHR {a} %scope %m %k %zero
        %b_ty = OpTypeCooperativeMatrixKHR {b} %scope %k %n %one
        %c_ty = OpTypeCooperativeMatrixKHR {c} %scope %m %n %two
        %array = OpTypeArray {r} %length
        %array_pointer = OpTypePointer Workgroup %array
        %pointer = OpTypePointer Workgroup {r}
        %out = OpVariable %array_pointer Workgroup
        %a = OpConstantNull %a_ty
        %b = OpConstantNull %b_ty
        %c = OpConstantNull %c_ty
        %function = OpTypeFunction %void
        %main = OpFunction %void None %function
        %start = OpLabel
        %sum = OpCooperativeMatrixMulAddKHR %c_ty %a %b %c {operands}
        %at = OpAccessChain %pointer %out %zero
        OpCooperativeMatrixStoreKHR %at %sum %zero %n
        OpReturn
        OpFunctionEnd",
        scope = p.scope.as_raw()
    )
}

#[test]
fn listed_products_compile() {
    let mut matrices = vk::PhysicalDeviceCooperativeMatrixFeaturesKHR::default().cooperative_matrix(true);
    let mut small = vk::PhysicalDeviceVulkan12Features::default()
        .shader_float16(true)
        .shader_int8(true)
        .vulkan_memory_model(true);
    let extensions = [
        c"VK_KHR_cooperative_matrix",
        c"VK_NV_cooperative_matrix2",
        c"VK_EXT_cooperative_matrix_maintenance1",
    ];
    let gpu = Gpu::with(&extensions, |info| info.push_next(&mut matrices).push_next(&mut small)).unwrap();
    let extension = ash::khr::cooperative_matrix::Instance::new(&vk_quadrille::entry(), &gpu.instance);
    let get = extension.fp().get_physical_device_cooperative_matrix_properties_khr;
    let (mut count, mut all) = (0, Vec::new());
    // SAFETY: valid usage of Vulkan: all handles are live, and the structures outlive the calls.
    unsafe {
        assert_eq!(get(gpu.physical, &mut count, std::ptr::null_mut()), vk::Result::SUCCESS);
        all.resize(count as usize, vk::CooperativeMatrixPropertiesKHR::default());
        assert_eq!(get(gpu.physical, &mut count, all.as_mut_ptr()), vk::Result::SUCCESS);
        count -= 1;
        assert_eq!(get(gpu.physical, &mut count, all.as_mut_ptr()), vk::Result::INCOMPLETE);
    }
    // Programs take the first product whose types they have, and llama.cpp needs no more rows than a subgroup has invocations.
    let size = |p: &vk::CooperativeMatrixPropertiesKHR<'_>| (p.m_size, p.n_size, p.k_size);
    assert_eq!(size(&all[0]), (8, 32, 16));
    assert!([(16, 16, 16), (8, 16, 16)].iter().all(|wanted| all.iter().any(|p| size(p) == *wanted)));
    assert_eq!((all[0].a_type, all[0].c_type), (Component::FLOAT16, Component::FLOAT32));
    for p in &all {
        compile(&gpu, p);
    }
    flexible_products_compile(&gpu);
}

/// Compiles products whose sizes are multiples of the granularities that the device lists.
fn flexible_products_compile(gpu: &Gpu) {
    let mut kinds: Vec<Flexible> =
        list(gpu, c"vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV");
    assert!(!kinds.is_empty());
    for kind in &mut kinds {
        let subgroups = kind.workgroup_invocations == 0;
        assert_eq!(kind.scope, if subgroups { vk::ScopeKHR::SUBGROUP } else { vk::ScopeKHR::WORKGROUP });
        if ![0, 64].contains(&kind.workgroup_invocations) {
            continue;
        }
        let sizes = [kind.m_granularity, kind.n_granularity, kind.k_granularity];
        assert!(sizes.iter().all(|n| n.is_power_of_two()));
        let p = vk::CooperativeMatrixPropertiesKHR::default()
            .m_size(3 * sizes[0])
            .n_size(sizes[1])
            .k_size(5 * sizes[2])
            .a_type(kind.a_type)
            .b_type(kind.b_type)
            .c_type(kind.c_type)
            .result_type(kind.result_type)
            .saturating_accumulation(kind.saturating_accumulation != 0)
            .scope(kind.scope);
        compile(gpu, &p);
    }
    // The other query lists the same kinds, in two parts for each scope.
    for (scope, flags) in [vk::ScopeKHR::SUBGROUP, vk::ScopeKHR::WORKGROUP].map(|s| [(s, 0), (s, 1)]).concat()
    {
        let listed = list2(gpu, scope, flags);
        let of_flag = kinds.iter().filter(|kind| {
            kind.scope == scope
                && kind.saturating_accumulation == flags
                && [0, 128].contains(&kind.workgroup_invocations)
        });
        let expected: Vec<_> = of_flag.map(|kind| (kind.a_type, kind.c_type, kind.m_granularity)).collect();
        let listed: Vec<_> =
            listed.iter().map(|kind| (kind.a_type, kind.c_type, kind.m_granularity)).collect();
        assert_eq!(listed, expected);
    }
    assert!(list2(gpu, vk::ScopeKHR::DEVICE, 0).is_empty());
}

/// VkCooperativeMatrixFlexibleDimensionsPropertiesNV.
#[repr(C)]
#[derive(Clone, Copy)]
struct Flexible {
    s_type: vk::StructureType,
    p_next: *mut std::ffi::c_void,
    m_granularity: u32,
    n_granularity: u32,
    k_granularity: u32,
    a_type: Component,
    b_type: Component,
    c_type: Component,
    result_type: Component,
    saturating_accumulation: vk::Bool32,
    scope: vk::ScopeKHR,
    workgroup_invocations: u32,
}

/// VkCooperativeMatrixProperties2EXT.
#[repr(C)]
#[derive(Clone, Copy)]
struct Kind {
    s_type: vk::StructureType,
    p_next: *mut std::ffi::c_void,
    m_granularity: u32,
    n_granularity: u32,
    k_granularity: u32,
    a_type: Component,
    b_type: Component,
    c_type: Component,
    result_type: Component,
}

/// VkPhysicalDeviceCooperativeMatrixInfo2EXT.
#[repr(C)]
struct Info2 {
    s_type: vk::StructureType,
    p_next: *const std::ffi::c_void,
    scope: vk::ScopeKHR,
    invocations: u32,
    subgroup_size: u32,
    flags: u32,
}

/// Kinds of products that a command lists.
fn list(gpu: &Gpu, command: &std::ffi::CStr) -> Vec<Flexible> {
    type Command = unsafe extern "system" fn(vk::PhysicalDevice, *mut u32, *mut Flexible) -> vk::Result;
    let mut count = 0;
    // SAFETY: the command has this type in Vulkan's registry; the structures outlive the calls.
    unsafe {
        let f =
            vk_quadrille::entry().get_instance_proc_addr(gpu.instance.handle(), command.as_ptr()).unwrap();
        let get: Command = std::mem::transmute(f);
        assert_eq!(get(gpu.physical, &mut count, std::ptr::null_mut()), vk::Result::SUCCESS);
        let empty = Flexible { s_type: vk::StructureType::from_raw(1_000_593_001), ..std::mem::zeroed() };
        let mut all = vec![empty; count as usize];
        assert_eq!(get(gpu.physical, &mut count, all.as_mut_ptr()), vk::Result::SUCCESS);
        all
    }
}

/// Kinds of products that vkGetPhysicalDeviceCooperativeMatrixProperties2EXT lists.
fn list2(gpu: &Gpu, scope: vk::ScopeKHR, flags: u32) -> Vec<Kind> {
    type Command =
        unsafe extern "system" fn(vk::PhysicalDevice, *const Info2, *mut u32, *mut Kind) -> vk::Result;
    let name = c"vkGetPhysicalDeviceCooperativeMatrixProperties2EXT";
    let s_type = vk::StructureType::from_raw(1_000_659_001);
    let info = Info2 { s_type, p_next: std::ptr::null(), scope, invocations: 128, subgroup_size: 0, flags };
    let mut count = 0;
    // SAFETY: the command has this type in Vulkan's registry; the structures outlive the calls.
    unsafe {
        let f = vk_quadrille::entry().get_instance_proc_addr(gpu.instance.handle(), name.as_ptr()).unwrap();
        let get: Command = std::mem::transmute(f);
        assert_eq!(get(gpu.physical, &info, &mut count, std::ptr::null_mut()), vk::Result::SUCCESS);
        let empty = Kind { s_type: vk::StructureType::from_raw(1_000_659_002), ..std::mem::zeroed() };
        let mut all = vec![empty; count as usize];
        assert_eq!(get(gpu.physical, &info, &mut count, all.as_mut_ptr()), vk::Result::SUCCESS);
        all
    }
}

/// Compiles a pipeline with a product.
fn compile(gpu: &Gpu, p: &vk::CooperativeMatrixPropertiesKHR<'_>) {
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let d = &gpu.device;
        let module = gpu.shader(&product(p));
        let layout = d.create_pipeline_layout(&vk::PipelineLayoutCreateInfo::default(), None).unwrap();
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main");
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None);
        let pipeline = pipeline.unwrap_or_else(|e| panic!("{p:?}: {e:?}"))[0];
        d.destroy_pipeline(pipeline, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_shader_module(module, None);
    }
}
