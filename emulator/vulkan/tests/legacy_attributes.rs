//! Vertex attributes with VK_EXT_legacy_vertex_attributes: at any byte offset, and of formats with another numeric type
//! than the shader input, which then reads their bits.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::c_void;

use crate::common::Gpu;
use ash::vk;
use vk::Format as F;

/// VkPhysicalDeviceLegacyVertexAttributesFeaturesEXT, which the bindings lack, with its only feature enabled.
#[repr(C)]
struct Legacy {
    ty: vk::StructureType,
    next: *const c_void,
    on: vk::Bool32,
}

/// Number of vertices of a draw.
const VERTICES: usize = 5;
/// Size of the vertex data from the start of the buffer, in bytes.
const BYTES: usize = 512;

/// Returns a byte of the vertex buffer. No four bytes are the bits of a NaN.
fn byte(at: usize) -> u8 {
    (at * 37 % 101) as u8
}

/// A component, by the numeric type of its format.
#[derive(Clone, Copy, Debug)]
enum Value {
    Bits(u32),
    Number(f32),
}

/// Returns the components of a format, from its first byte on. Spec: Vulkan, "Vertex Input Extraction", "Fixed-Point
/// Data Conversions".
fn components(format: F, at: usize) -> Vec<Value> {
    let word = |n: usize, i: usize| -> u32 {
        (0..n).rev().fold(0, |word, k| word << 8 | u32::from(byte(at + i * n + k)))
    };
    let all = |count: usize, value: &dyn Fn(usize) -> Value| (0..count).map(value).collect();
    match format {
        F::R8G8B8A8_UNORM => all(4, &|i| Value::Number(word(1, i) as f32 / 255.0)),
        F::R8G8B8_UINT => all(3, &|i| Value::Bits(word(1, i))),
        F::R8G8B8A8_SINT => all(4, &|i| Value::Bits(word(1, i) as i8 as i32 as u32)),
        F::R16G16_SSCALED => all(2, &|i| Value::Number(word(2, i) as i16 as f32)),
        F::R16G16B16A16_UINT => all(4, &|i| Value::Bits(word(2, i))),
        F::R32_SFLOAT => all(1, &|i| Value::Bits(word(4, i))),
        F::R32G32B32_SFLOAT => all(3, &|i| Value::Bits(word(4, i))),
        F::R32G32B32A32_UINT | F::R32G32B32A32_SINT | F::R32G32B32A32_SFLOAT => {
            all(4, &|i| Value::Bits(word(4, i)))
        }
        _ => panic!("{format:?}"),
    }
}

/// Formats and offsets of the attributes that the shader declares as `uvec4` and as `vec4`, the vertex stride in bytes,
/// and the offset at which the buffer is bound.
const CASES: [([(F, u32); 2], u32, u64); 7] = [
    // Aligned, with the numeric types of the shader.
    ([(F::R32G32B32A32_UINT, 0), (F::R32G32B32A32_SFLOAT, 16)], 32, 0),
    // At odd byte offsets.
    ([(F::R32G32B32A32_UINT, 1), (F::R32G32B32A32_SFLOAT, 19)], 37, 0),
    ([(F::R16G16B16A16_UINT, 3), (F::R32G32B32_SFLOAT, 2)], 13, 5),
    // With other numeric types.
    ([(F::R32G32B32A32_SFLOAT, 0), (F::R32G32B32A32_SINT, 16)], 32, 0),
    ([(F::R8G8B8A8_UNORM, 0), (F::R8G8B8A8_SINT, 4)], 8, 0),
    // With other numeric types at odd byte offsets.
    ([(F::R16G16_SSCALED, 3), (F::R8G8B8_UINT, 1)], 7, 1),
    ([(F::R32_SFLOAT, 1), (F::R32G32B32A32_UINT, 5)], 1, 3),
];

fn gpu() -> Gpu {
    let features = vk::PhysicalDeviceFeatures::default().vertex_pipeline_stores_and_atomics(true);
    let mut dynamic =
        vk::PhysicalDeviceVertexInputDynamicStateFeaturesEXT::default().vertex_input_dynamic_state(true);
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
    let ty = vk::StructureType::from_raw(1_000_495_000);
    let mut legacy = Legacy { ty, next: std::ptr::null(), on: vk::TRUE };
    let extensions = [
        c"VK_EXT_vertex_input_dynamic_state",
        c"VK_EXT_legacy_vertex_attributes",
        c"VK_KHR_dynamic_rendering",
    ];
    let gpu = Gpu::with(&extensions, |info| {
        let mut info = info.enabled_features(&features).push_next(&mut dynamic).push_next(&mut rendering);
        legacy.next = info.p_next;
        info.p_next = (&raw const legacy).cast();
        info
    });
    gpu.expect("the extension is supported")
}

/// Creates a pipeline that draws points without attachments.
fn pipeline(gpu: &Gpu, layout: vk::PipelineLayout) -> vk::Pipeline {
    let module = gpu.shader(include_str!("shaders/attributes.vert.spvasm"));
    let stage = vk::PipelineShaderStageCreateInfo::default().module(module).name(c"main");
    let stages = [stage.stage(vk::ShaderStageFlags::VERTEX)];
    let assembly =
        vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::POINT_LIST);
    let raster =
        vk::PipelineRasterizationStateCreateInfo::default().rasterizer_discard_enable(true).line_width(1.0);
    let dynamic =
        vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&[vk::DynamicState::VERTEX_INPUT_EXT]);
    let mut rendering = vk::PipelineRenderingCreateInfo::default();
    let info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .input_assembly_state(&assembly)
        .rasterization_state(&raster)
        .dynamic_state(&dynamic)
        .layout(layout)
        .push_next(&mut rendering);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let made = gpu.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None);
        gpu.device.destroy_shader_module(module, None);
        made.unwrap()[0]
    }
}

#[test]
fn attributes_lie_anywhere_and_are_read_as_the_shader_likes() {
    let gpu = gpu();
    let d = &gpu.device;
    let input = ash::ext::vertex_input_dynamic_state::Device::new(&gpu.instance, d);
    let rendering = ash::khr::dynamic_rendering::Device::new(&gpu.instance, d);
    let storage = vk::DescriptorType::STORAGE_BUFFER;
    let vertices = gpu.buffer(BYTES as u64, vk::BufferUsageFlags::VERTEX_BUFFER);
    vertices.write(&(0..BYTES).map(byte).collect::<Vec<_>>());
    let told = gpu.buffer(VERTICES as u64 * 32, vk::BufferUsageFlags::STORAGE_BUFFER);
    let bindings = [vk::DescriptorSetLayoutBinding::default()
        .descriptor_type(storage)
        .descriptor_count(1)
        .stage_flags(vk::ShaderStageFlags::VERTEX)];
    let sizes = [vk::DescriptorPoolSize::default().ty(storage).descriptor_count(1)];
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let layouts = [d.create_descriptor_set_layout(&info, None).unwrap()];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
        let layout = d.create_pipeline_layout(&info, None).unwrap();
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        let set = d.allocate_descriptor_sets(&info).unwrap()[0];
        let range = [vk::DescriptorBufferInfo::default().buffer(told.buffer).range(vk::WHOLE_SIZE)];
        let write = vk::WriteDescriptorSet::default().dst_set(set).descriptor_type(storage);
        d.update_descriptor_sets(&[write.buffer_info(&range)], &[]);
        let pipeline = pipeline(&gpu, layout);
        for (attributes, stride, bound) in CASES {
            told.write(&[[0u32; 8]; VERTICES]);
            gpu.run(|c| {
                let point = vk::PipelineBindPoint::GRAPHICS;
                let binding = vk::VertexInputBindingDescription2EXT::default().stride(stride).divisor(1);
                let described = [0, 1].map(|i| {
                    let (format, offset) = attributes[i as usize];
                    vk::VertexInputAttributeDescription2EXT::default()
                        .location(i)
                        .format(format)
                        .offset(offset)
                });
                let extent = vk::Extent2D { width: 1, height: 1 };
                let info = vk::RenderingInfo::default().render_area(extent.into()).layer_count(1);
                rendering.cmd_begin_rendering(c, &info);
                d.cmd_bind_pipeline(c, point, pipeline);
                d.cmd_bind_descriptor_sets(c, point, layout, 0, &[set], &[]);
                input.cmd_set_vertex_input(c, &[binding], &described);
                d.cmd_bind_vertex_buffers(c, 0, &[vertices.buffer], &[bound]);
                d.cmd_draw(c, VERTICES as u32, 1, 0, 0);
                rendering.cmd_end_rendering(c);
            });
            for (vertex, words) in told.read::<[[u32; 4]; 2]>().iter().enumerate() {
                for (words, (format, offset)) in words.iter().zip(attributes) {
                    let at = bound as usize + vertex * stride as usize + offset as usize;
                    for (i, (value, word)) in components(format, at).iter().zip(words).enumerate() {
                        let right = match value {
                            Value::Bits(bits) => bits == word,
                            Value::Number(number) => {
                                (number - f32::from_bits(*word)).abs() <= number.abs() * 1e-6
                            }
                        };
                        assert!(right, "{format:?} at {at}, component {i}: {word:#x}, not {value:?}");
                    }
                }
            }
        }
        d.destroy_pipeline(pipeline, None);
        d.destroy_descriptor_pool(pool, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_descriptor_set_layout(layouts[0], None);
    }
    vertices.destroy(&gpu);
    told.destroy(&gpu);
}
