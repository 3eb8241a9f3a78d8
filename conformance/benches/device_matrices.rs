//! Speed of cooperative matrices of any Vulkan driver, by one Vulkan program.
//!
//! `VK_DRIVER_FILES=DRIVER.json cargo bench -p quadrille-conformance --features benchmarks --bench device_matrices [-- [SECONDS] [ROW...]]`.
//! A row is the product of two matrices of 1024 rows and columns, by square matrices at subgroup scope, of the first of 16,
//! 8 and 32 rows that the driver offers. Each subgroup computes a block of 2 by 2 or of 4 by 4 matrices. A row is run for at
//! least SECONDS (default 1) and prints medians of its submissions: thousands of millions of multiplications and additions
//! per second, and per second of CPU time. Factors are small integers, so products are exact in all types; 1,000 elements
//! are compared. A row that the driver cannot run says so.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod gpu;

use ash::vk;
use gpu::{Buffer, Gpu, Host, Options};
use quadrille::Stage;
use quadrille::frontend::{Options as SourceOptions, compile_glsl};
use vk::ComponentTypeKHR as Component;

/// Rows and columns of the matrices.
const SIDE: usize = 1024;
/// Invocations of a workgroup in the shader.
const INVOCATIONS: usize = 32;
/// Rows and columns of matrices in the block of a subgroup.
const BLOCKS: [usize; 2] = [2, 4];
/// Rows and columns of cooperative matrices, by preference.
const SHAPES: [u32; 3] = [16, 8, 32];

/// A row: its name, the types of factors and sums in GLSL, the same for Vulkan.
type Row = (&'static str, [&'static str; 2], [Component; 2]);

/// `VK_COMPONENT_TYPE_BFLOAT16_KHR`.
const BFLOAT16: Component = Component::from_raw(1_000_141_000);

const ROWS: [Row; 4] = [
    ("f16", ["float16_t", "float"], [Component::FLOAT16, Component::FLOAT32]),
    ("bf16", ["bfloat16_t", "float"], [BFLOAT16, Component::FLOAT32]),
    ("f32", ["float", "float"], [Component::FLOAT32, Component::FLOAT32]),
    ("s8", ["int8_t", "int"], [Component::SINT8, Component::SINT32]),
];

/// VkPhysicalDeviceShaderBfloat16FeaturesKHR.
#[repr(C)]
struct Bfloat16Features {
    s_type: vk::StructureType,
    next: *mut std::ffi::c_void,
    bfloat16_type: vk::Bool32,
    bfloat16_dot_product: vk::Bool32,
    bfloat16_cooperative_matrix: vk::Bool32,
}

// SAFETY: the structure begins as the header does, and the specification lets it extend VkPhysicalDeviceFeatures2.
unsafe impl vk::ExtendsPhysicalDeviceFeatures2 for Bfloat16Features {}

/// The device, if it has cooperative matrices.
fn device() -> Option<Gpu> {
    let host = Host::new();
    if !host.offers(c"VK_KHR_cooperative_matrix") {
        return None;
    }
    let mut v11 = vk::PhysicalDeviceVulkan11Features::default().storage_buffer16_bit_access(true);
    let mut v12 = vk::PhysicalDeviceVulkan12Features::default()
        .buffer_device_address(true)
        .shader_float16(true)
        .shader_int8(true)
        .storage_buffer8_bit_access(true)
        .vulkan_memory_model(true);
    let mut matrices = vk::PhysicalDeviceCooperativeMatrixFeaturesKHR::default().cooperative_matrix(true);
    let mut features = vk::PhysicalDeviceFeatures2::default()
        .push_next(&mut v11)
        .push_next(&mut v12)
        .push_next(&mut matrices);
    features.features.shader_int16 = vk::TRUE;
    let mut extensions = vec![c"VK_KHR_cooperative_matrix"];
    let mut bfloat16 = Bfloat16Features {
        s_type: vk::StructureType::from_raw(1_000_141_000),
        next: std::ptr::null_mut(),
        bfloat16_type: vk::TRUE,
        bfloat16_dot_product: vk::FALSE,
        bfloat16_cooperative_matrix: vk::TRUE,
    };
    if host.offers(c"VK_KHR_shader_bfloat16") {
        extensions.push(c"VK_KHR_shader_bfloat16");
        features = features.push_next(&mut bfloat16);
    }
    Some(host.open(&extensions, &mut features, vk::BufferUsageFlags::empty()))
}

/// Products of square matrices at subgroup scope: number of rows, types of factors and sums.
fn products(gpu: &Gpu) -> Vec<(u32, [Component; 2])> {
    let commands = ash::khr::cooperative_matrix::Instance::new(&gpu.entry, &gpu.instance);
    // SAFETY: the physical device belongs to the live instance.
    let all = unsafe { commands.get_physical_device_cooperative_matrix_properties(gpu.physical) };
    let all = all.expect("the properties of matrices").into_iter();
    all.filter(|p| {
        [p.n_size, p.k_size] == [p.m_size; 2]
            && p.scope == vk::ScopeKHR::SUBGROUP
            && (p.a_type, p.c_type) == (p.b_type, p.result_type)
            && p.saturating_accumulation == vk::FALSE
    })
    .map(|p| (p.m_size, [p.a_type, p.c_type]))
    .collect()
}

fn subgroup_size(gpu: &Gpu) -> usize {
    let mut subgroups = vk::PhysicalDeviceSubgroupProperties::default();
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroups);
    // SAFETY: the physical device belongs to the live instance, and the structures are live.
    unsafe { gpu.instance.get_physical_device_properties2(gpu.physical, &mut all) };
    subgroups.subgroup_size as usize
}

/// Element (`row`, `column`) of the factor with this number: a small integer.
fn factor(number: usize, row: usize, column: usize) -> i32 {
    ((row * 7 + column * 3 + number * 5 + row * column) % 7) as i32 - 3
}

/// A factor in memory.
fn matrix(gpu: &Gpu, number: usize, ty: Component) -> Buffer {
    let elements = (0..SIDE * SIDE).map(|at| factor(number, at / SIDE, at % SIDE));
    match ty {
        Component::FLOAT16 => {
            gpu.buffer_with(&elements.map(|x| half::f16::from_f32(x as f32).to_bits()).collect::<Vec<_>>())
        }
        BFLOAT16 => {
            gpu.buffer_with(&elements.map(|x| half::bf16::from_f32(x as f32).to_bits()).collect::<Vec<_>>())
        }
        Component::FLOAT32 => gpu.buffer_with(&elements.map(|x| x as f32).collect::<Vec<_>>()),
        Component::SINT8 => gpu.buffer_with(&elements.map(|x| x as i8).collect::<Vec<_>>()),
        other => panic!("no row has factors of type {other:?}"),
    }
}

/// Panics unless 1,000 elements of the product are right.
fn check(product: &Buffer, ty: Component) {
    let words = product.read::<u32>();
    for n in 0..1000 {
        let (row, column) = (n * 613 % SIDE, n * 389 % SIDE);
        let expected: i32 = (0..SIDE).map(|k| factor(0, row, k) * factor(1, k, column)).sum();
        let word = words[row * SIDE + column];
        let found = if ty == Component::FLOAT32 { f32::from_bits(word) as i32 } else { word as i32 };
        assert_eq!(found, expected, "element ({row}, {column}) of the product");
    }
}

/// Records the product of the first two buffers into the third, in blocks of `side` rows and columns.
fn record(gpu: &Gpu, words: &[u32], side: usize, buffers: [&Buffer; 3]) -> vk::CommandBuffer {
    let d = &gpu.device;
    let binding = |n| {
        vk::DescriptorSetLayoutBinding::default()
            .binding(n)
            .descriptor_count(1)
            .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
            .stage_flags(vk::ShaderStageFlags::COMPUTE)
    };
    let bindings = [0, 1, 2].map(binding);
    let groups = (SIDE / side).pow(2) * subgroup_size(gpu) / INVOCATIONS;
    // SAFETY: valid usage of Vulkan: each structure and each handle is live during the calls that use it, and buffers have
    // the sizes of the matrices in the shader.
    unsafe {
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let sets = [d.create_descriptor_set_layout(&info, None).expect("a layout of sets")];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
        let layout = d.create_pipeline_layout(&info, None).expect("a layout");
        let info = vk::ShaderModuleCreateInfo::default().code(words);
        let module = d.create_shader_module(&info, None).expect("a module");
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main");
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
        let made = d.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
        let pipeline = made.map_err(|(_, e)| e).expect("a pipeline")[0];

        let sizes = [vk::DescriptorPoolSize { ty: vk::DescriptorType::STORAGE_BUFFER, descriptor_count: 3 }];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).expect("a pool");
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&sets);
        let set = d.allocate_descriptor_sets(&info).expect("a set")[0];
        for (n, buffer) in buffers.into_iter().enumerate() {
            let info = [vk::DescriptorBufferInfo { buffer: buffer.buffer, offset: 0, range: vk::WHOLE_SIZE }];
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(n as u32)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .buffer_info(&info);
            d.update_descriptor_sets(&[write], &[]);
        }
        gpu.record(|list| {
            let point = vk::PipelineBindPoint::COMPUTE;
            d.cmd_bind_pipeline(list, point, pipeline);
            d.cmd_bind_descriptor_sets(list, point, layout, 0, &[set], &[]);
            d.cmd_dispatch(list, groups as u32, 1, 1);
        })
    }
}

fn main() {
    let options = Options::parse();
    let Some(gpu) = device() else {
        println!("the device has no VK_KHR_cooperative_matrix");
        return;
    };
    println!("{}\n{:24} {:>9} {:>9}", gpu.name(), "", "G/s", "G/CPU s");
    let offered = products(&gpu);
    let rows = ROWS.into_iter().flat_map(|row| BLOCKS.map(|block| (row, block)));
    for ((name, [factor, sum], types), block) in rows {
        let name = format!("{name}_{block}x{block}");
        if !options.selects(&name) {
            continue;
        }
        let Some(shape) = SHAPES.into_iter().find(|&rows| offered.contains(&(rows, types))) else {
            println!("{name:24} not supported by the driver");
            continue;
        };
        let text = include_str!("../assets/gemm.comp");
        let text = format!(
            "#version 450\n#define N {SIDE}\n#define SHAPE {shape}\n#define BLOCK {block}\n#define FACTOR {factor}\n#define SUM {sum}\n{text}"
        );
        let words = compile_glsl(&text, Stage::Compute, &SourceOptions::named("gemm.comp"));
        let words = words.expect("the shader is valid");
        let [a, b] = [0, 1].map(|number| matrix(&gpu, number, types[0]));
        let product = gpu.buffer((SIDE * SIDE * 4) as u64);
        let list = record(&gpu, &words, block * shape as usize, [&a, &b, &product]);
        // Counted in thousands, so that millions of them are thousands of millions.
        let rate = options.rate(2 * SIDE.pow(3) / 1000, || gpu.submit(list));
        check(&product, types[1]);
        println!("{name:24} {rate}   {shape} rows");
    }
}
