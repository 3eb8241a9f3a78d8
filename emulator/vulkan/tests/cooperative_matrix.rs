//! Every product of cooperative matrices that the driver lists can be compiled, and every feature of
//! VK_EXT_cooperative_matrix_maintenance1 works alone. Spec: Vulkan, vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR,
//! VkPhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::Gpu;
use crate::common::dispatch::run_with;
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
    sums_are_wide(&all);
    flexible_products_compile(&gpu);
}

/// Floats of 16 bits without an f16, and of 8 bits, are factors only: all have sums in f32, and none has sums of its own type.
fn sums_are_wide(all: &[vk::CooperativeMatrixPropertiesKHR<'_>]) {
    for small in [BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2] {
        assert!(all.iter().any(|p| (p.a_type, p.result_type) == (small, Component::FLOAT32)), "{small:?}");
        assert!(all.iter().all(|p| ![p.c_type, p.result_type].contains(&small)), "{small:?}");
    }
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

/// Kinds of products that vkGetPhysicalDeviceCooperativeMatrixProperties2EXT lists for any subgroup size.
fn list2(gpu: &Gpu, scope: vk::ScopeKHR, flags: u32) -> Vec<Kind> {
    list2_of(gpu, scope, flags, 0)
}

/// Kinds of products for a subgroup size.
fn list2_of(gpu: &Gpu, scope: vk::ScopeKHR, flags: u32, subgroup_size: u32) -> Vec<Kind> {
    type Command =
        unsafe extern "system" fn(vk::PhysicalDevice, *const Info2, *mut u32, *mut Kind) -> vk::Result;
    let name = c"vkGetPhysicalDeviceCooperativeMatrixProperties2EXT";
    let s_type = vk::StructureType::from_raw(1_000_659_001);
    let info = Info2 { s_type, p_next: std::ptr::null(), scope, invocations: 128, subgroup_size, flags };
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

/// VkPhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT.
#[repr(C)]
struct Maintenance {
    s_type: vk::StructureType,
    p_next: *mut std::ffi::c_void,
    /// cooperativeMatrixProperties2, Reductions, Conversions, PerElementOperations, GetCoordinate.
    bits: [vk::Bool32; 5],
}

const CAPABILITIES: [&str; 5] = [
    "",
    "CooperativeMatrixReductionsEXT",
    "CooperativeMatrixConversionsEXT",
    "CooperativeMatrixPerElementOperationsEXT",
    "CooperativeMatrixGetCoordinateEXT",
];

/// A device with cooperative matrices of both scopes, and these features of the extension.
fn device(bits: [vk::Bool32; 5]) -> Gpu {
    let mut maintenance = Maintenance {
        s_type: vk::StructureType::from_raw(1_000_659_000),
        p_next: std::ptr::null_mut(),
        bits,
    };
    let mut matrices = vk::PhysicalDeviceCooperativeMatrixFeaturesKHR::default().cooperative_matrix(true);
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlFeatures::default().subgroup_size_control(true);
    let mut model = vk::PhysicalDeviceVulkanMemoryModelFeatures::default().vulkan_memory_model(true);
    let extensions = [
        c"VK_KHR_cooperative_matrix",
        c"VK_EXT_cooperative_matrix_maintenance1",
        c"VK_EXT_subgroup_size_control",
        c"VK_KHR_vulkan_memory_model",
    ];
    let gpu = Gpu::with(&extensions, |info| {
        let mut info = info.push_next(&mut matrices).push_next(&mut sizes).push_next(&mut model);
        maintenance.p_next = info.p_next.cast_mut();
        info.p_next = (&raw const maintenance).cast();
        info
    });
    gpu.unwrap()
}

/// A shader that loads `%c`, an accumulator of 16 rows and 24 columns, and stores results at `%to`. Its functions are
/// `functions`.
fn shader(capability: &str, decorations: &str, code: &str, functions: &str) -> String {
    let capability = match capability {
        "" => String::new(),
        name => format!("OpCapability {name}"),
    };
    format!(
        "OpCapability Shader
        OpCapability GroupNonUniform
        OpCapability VulkanMemoryModel
        OpCapability CooperativeMatrixKHR
        {capability}
        OpExtension \"SPV_KHR_cooperative_matrix\"
        OpExtension \"SPV_EXT_cooperative_matrix_maintenance1\"
        OpMemoryModel Logical Vulkan
        OpEntryPoint GLCompute %main \"main\" %size
        OpExecutionMode %main LocalSize 32 1 1
        OpDecorate %size BuiltIn SubgroupSize
        OpDecorate %array ArrayStride 4
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %in DescriptorSet 0
        OpDecorate %in Binding 0
        OpDecorate %out DescriptorSet 0
        OpDecorate %out Binding 1
        {decorations}
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %bool = OpTypeBool
        %u32 = OpTypeInt 32 0
        %v2 = OpTypeVector %u32 2
        %binary = OpTypeFunction %u32 %u32 %u32
        %of_element = OpTypeFunction %u32 %u32 %u32 %u32
        %zero = OpConstant %u32 0
        %one = OpConstant %u32 1
        %two = OpConstant %u32 2
        %scope = OpConstant %u32 3
        %rows = OpConstant %u32 16
        %columns = OpConstant %u32 24
        %last = OpConstant %u32 384
        %C = OpTypeCooperativeMatrixKHR %u32 %scope %rows %columns %two
        %A = OpTypeCooperativeMatrixKHR %u32 %scope %rows %columns %zero
        %turned_B = OpTypeCooperativeMatrixKHR %u32 %scope %columns %rows %one
        %turned_C = OpTypeCooperativeMatrixKHR %u32 %scope %columns %rows %two
        %of_matrix = OpTypePointer Function %C
        %of_word = OpTypePointer Function %u32
        %array = OpTypeRuntimeArray %u32
        %block = OpTypeStruct %array
        %buffer = OpTypePointer StorageBuffer %block
        %word = OpTypePointer StorageBuffer %u32
        %input = OpTypePointer Input %u32
        %size = OpVariable %input Input
        %in = OpVariable %buffer StorageBuffer
        %out = OpVariable %buffer StorageBuffer
        %main = OpFunction %void None %fn
        %start = OpLabel
        %matrix = OpVariable %of_matrix Function
        %index = OpVariable %of_word Function
        %from = OpAccessChain %word %in %zero %zero
        %to = OpAccessChain %word %out %zero %zero
        %c = OpCooperativeMatrixLoadKHR %C %from %zero %columns
        %own = OpLoad %u32 %size
        %size_at = OpAccessChain %word %out %zero %last
        OpStore %size_at %own
        {code}
        OpReturn
        OpFunctionEnd
        {functions}"
    )
}

/// Functions of two elements, and of row, column and element.
const FUNCTIONS: [&str; 2] = [
    "%sum = OpFunction %u32 None %binary
        %p = OpFunctionParameter %u32
        %q = OpFunctionParameter %u32
        %sum_start = OpLabel
        %r = OpIAdd %u32 %p %q
        OpReturnValue %r
        OpFunctionEnd",
    "%place = OpFunction %u32 None %of_element
        %row = OpFunctionParameter %u32
        %column = OpFunctionParameter %u32
        %element = OpFunctionParameter %u32
        %place_start = OpLabel
        %rows_before = OpIMul %u32 %row %columns
        %number = OpIAdd %u32 %rows_before %column
        %r = OpIMul %u32 %number %element
        OpReturnValue %r
        OpFunctionEnd",
];

/// Stores the number of each element's place there.
const COORDINATES: &str = "OpStore %matrix %c
        OpStore %index %zero
        OpBranch %head
        %head = OpLabel
        OpLoopMerge %done %next None
        OpBranch %test
        %test = OpLabel
        %i = OpLoad %u32 %index
        %n = OpCooperativeMatrixLengthKHR %u32 %C
        %more = OpULessThan %bool %i %n
        OpBranchConditional %more %body %done
        %body = OpLabel
        %place = OpCooperativeMatrixGetCoordinateEXT %v2 %c %i
        %row = OpCompositeExtract %u32 %place 0
        %column = OpCompositeExtract %u32 %place 1
        %rows_before = OpIMul %u32 %row %columns
        %number = OpIAdd %u32 %rows_before %column
        %element_at = OpAccessChain %of_word %matrix %i
        %element = OpLoad %u32 %element_at
        %shown = OpAccessChain %word %out %zero %number
        OpStore %shown %element
        OpBranch %next
        %next = OpLabel
        %after = OpIAdd %u32 %i %one
        OpStore %index %after
        OpBranch %head
        %done = OpLabel";

/// Each feature that is reported works on a device that has no other.
#[test]
fn each_feature_of_maintenance1_works() {
    let plain = Gpu::new(&[]);
    let mut found = Maintenance {
        s_type: vk::StructureType::from_raw(1_000_659_000),
        p_next: std::ptr::null_mut(),
        bits: [0; 5],
    };
    let mut all = vk::PhysicalDeviceFeatures2 { p_next: (&raw mut found).cast(), ..Default::default() };
    // SAFETY: valid usage of Vulkan: the chain is a live structure.
    unsafe { plain.instance.get_physical_device_features2(plain.physical, &mut all) };
    assert_eq!(found.bits, [vk::TRUE; 5]);
    let input: Vec<u32> = (0..384).map(|i| i * 7 % 101).collect();
    let element = |row: usize, column: usize| input[row * 24 + column];
    let row_sum = |at: usize| (0..24).map(|column| element(at / 24, column)).sum();
    for (feature, capability) in CAPABILITIES.into_iter().enumerate() {
        let mut bits = [vk::FALSE; 5];
        bits[feature] = vk::TRUE;
        let gpu = device(bits);
        let (decorations, code, functions, expected) = match feature {
            0 => {
                // Nothing depends on the size of the subgroup.
                let kinds = |size| list2_of(&gpu, vk::ScopeKHR::SUBGROUP, 0, size).len();
                assert!([0, 4, 8, 16, 32].map(kinds).iter().all(|n| *n > 0 && *n == kinds(8)));
                continue;
            }
            1 => {
                let code = "%y = OpCooperativeMatrixReduceEXT %C %c Row %sum
                    OpCooperativeMatrixStoreKHR %to %y %zero %columns";
                ("", code, FUNCTIONS[0], (0..384).map(row_sum).collect::<Vec<u32>>())
            }
            2 => {
                let code = "%a = OpCooperativeMatrixConvertUseEXT %A %c
                    %again = OpCooperativeMatrixConvertUseEXT %C %a
                    %b = OpCooperativeMatrixConvertUseEXT %turned_B %again
                    %y = OpCooperativeMatrixConvertUseEXT %turned_C %b
                    OpCooperativeMatrixStoreKHR %to %y %zero %rows";
                let turned = (0..384).map(|at| element(at % 16, at / 16)).collect();
                ("OpDecorate %b CooperativeMatrixTransposeEXT", code, "", turned)
            }
            3 => {
                let code = "%y = OpCooperativeMatrixPerElementOpEXT %C %c %place
                    OpCooperativeMatrixStoreKHR %to %y %zero %columns";
                ("", code, FUNCTIONS[1], (0..384).map(|at| at as u32 * element(at / 24, at % 24)).collect())
            }
            _ => ("", COORDINATES, "", input.clone()),
        };
        let module = shader(capability, decorations, code, functions);
        let storage = vk::DescriptorType::STORAGE_BUFFER;
        for size in [4, 8, 16, 32] {
            let buffers = [(storage, input.clone()), (storage, vec![0; 385])];
            let found = run_with(&gpu, &module, &buffers, Some(size));
            assert_eq!(found[384], size);
            assert_eq!(found[..384], expected, "{capability}, subgroups of {size}");
        }
    }
}

/// Products of matrices of the subgroup, with 32 invocations, and of the workgroup.
#[test]
fn products_are_right_at_both_scopes() {
    let mut matrices = vk::PhysicalDeviceCooperativeMatrixFeaturesKHR::default().cooperative_matrix(true);
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlFeatures::default().subgroup_size_control(true);
    let mut model = vk::PhysicalDeviceVulkanMemoryModelFeatures::default().vulkan_memory_model(true);
    // cooperativeMatrixWorkgroupScope is the first member of VkPhysicalDeviceCooperativeMatrix2FeaturesNV.
    let mut workgroups = Workgroups {
        s_type: vk::StructureType::from_raw(1_000_593_000),
        p_next: std::ptr::null_mut(),
        bits: [vk::TRUE, 0, 0, 0, 0, 0, 0],
    };
    let extensions = [
        c"VK_KHR_cooperative_matrix",
        c"VK_NV_cooperative_matrix2",
        c"VK_EXT_subgroup_size_control",
        c"VK_KHR_vulkan_memory_model",
    ];
    let gpu = Gpu::with(&extensions, |info| {
        let mut info = info.push_next(&mut matrices).push_next(&mut sizes).push_next(&mut model);
        workgroups.p_next = info.p_next.cast_mut();
        info.p_next = (&raw const workgroups).cast();
        info
    });
    let gpu = gpu.unwrap();
    let number = |i: usize| (i * 11 % 17) as f32 - 8.0;
    let input: Vec<u32> = (0..768).map(|i| number(i).to_bits()).collect();
    // A, B and C lie one after another.
    let sum = |at: usize| {
        let (row, column) = (at / 16, at % 16);
        let product = |k| number(row * 16 + k) * number(256 + k * 16 + column);
        number(512 + at) + (0..16).map(product).sum::<f32>()
    };
    let expected: Vec<u32> = (0..256).map(|at| sum(at).to_bits()).collect();
    let code = "%b_at = OpAccessChain %word %in %zero %b_first
        %c_at = OpAccessChain %word %in %zero %c_first
        %x = OpCooperativeMatrixLoadKHR %X %from %zero %rows
        %y = OpCooperativeMatrixLoadKHR %Y %b_at %zero %rows
        %z = OpCooperativeMatrixLoadKHR %Z %c_at %zero %rows
        %sum = OpCooperativeMatrixMulAddKHR %Z %x %y %z
        OpCooperativeMatrixStoreKHR %to %sum %zero %rows";
    let types = "%f32 = OpTypeFloat 32
        %b_first = OpConstant %u32 256
        %c_first = OpConstant %u32 512
        %X = OpTypeCooperativeMatrixKHR %f32 %scope %rows %rows %zero
        %Y = OpTypeCooperativeMatrixKHR %f32 %scope %rows %rows %one
        %Z = OpTypeCooperativeMatrixKHR %f32 %scope %rows %rows %two
        %main = OpFunction";
    let storage = vk::DescriptorType::STORAGE_BUFFER;
    for (scope, invocations, size) in [(3, 32, 32), (3, 64, 32), (2, 32, 32), (2, 64, 32), (2, 256, 8)] {
        let module = shader("", "", code, "").replace("%main = OpFunction", types);
        let module =
            module.replace("%scope = OpConstant %u32 3", &format!("%scope = OpConstant %u32 {scope}"));
        let module = module.replace("LocalSize 32", &format!("LocalSize {invocations}"));
        let buffers = [(storage, input.clone()), (storage, vec![0; 385])];
        let found = run_with(&gpu, &module, &buffers, Some(size));
        assert_eq!(found[384], size);
        assert_eq!(found[..256], expected, "scope {scope}, {invocations} invocations in subgroups of {size}");
    }
}

/// VkPhysicalDeviceCooperativeMatrix2FeaturesNV.
#[repr(C)]
struct Workgroups {
    s_type: vk::StructureType,
    p_next: *mut std::ffi::c_void,
    bits: [vk::Bool32; 7],
}
