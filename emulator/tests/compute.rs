//! Compute through the full API.

use quadrille::{
    AddressMode, Aspects, BindPoint, BufferDesc, BufferUsage, ComputePipelineDesc, DescriptorBinding,
    DescriptorKind, Device, DeviceOptions, Error, Format, ImageDesc, ImageUsage, ImageViewDesc, LIMITS, Opt,
    Resource, Result, SamplerDesc, ShaderStage, ShaderTest, Stage, Submit, frontend,
};
use quadrille_jit::testing::{self, Requirement};

const ADD: &str = "
    @group(0) @binding(0) var<storage, read> a: array<f32>;
    @group(0) @binding(1) var<storage, read> b: array<f32>;
    @group(0) @binding(2) var<storage, read_write> sum: array<f32>;
    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        if (id.x < arrayLength(&sum)) { sum[id.x] = a[id.x] + b[id.x]; }
    }";

fn words(source: &str) -> Vec<u32> {
    frontend::compile_wgsl(source, &frontend::Options::default()).expect("the source is valid")
}

/// Creates every object explicitly: one memory allocation for three buffers, dynamic offsets, fence and semaphore.
#[test]
fn add_two_buffers() -> Result<()> {
    let device = Device::new(DeviceOptions::default())?;
    let n = 1000usize;
    let size = (n * 4) as u64;
    let usage = BufferUsage::STORAGE | BufferUsage::TRANSFER_SRC | BufferUsage::TRANSFER_DST;
    let memory = device.allocate(3 * 4096)?;
    let buffers: Vec<_> = (0..3)
        .map(|i| {
            let buffer = device.create_buffer(BufferDesc { size, usage })?;
            buffer.bind(&memory, i * 4096)?;
            Ok(buffer)
        })
        .collect::<Result<_>>()?;
    let a: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let b: Vec<f32> = (0..n).map(|i| 0.5 * i as f32).collect();
    buffers[0].write(0, &a)?;
    buffers[1].write(0, &b)?;

    let bindings: Vec<_> = (0..3).map(|i| DescriptorBinding::new(i, DescriptorKind::StorageBuffer)).collect();
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
    let set = device.create_descriptor_set(&set_layout)?;
    for (i, buffer) in buffers.iter().enumerate() {
        set.write_buffer(i as u32, buffer)?;
    }
    let module = device.create_shader_module(&words(ADD))?;
    let stage = ShaderStage::only(&module, Stage::Compute)?;
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;

    let mut commands = device.create_command_buffer();
    commands
        .bind_compute_pipeline(&pipeline)
        .bind_descriptor_sets(BindPoint::Compute, &layout, 0, &[&set], &[])
        .dispatch(n.div_ceil(64) as u32, 1, 1);
    commands.end()?;

    let (fence, semaphore) = (device.create_fence(false), device.create_timeline_semaphore(0));
    let submit = Submit { commands: &[&commands], signals: &[(&semaphore, 1)], ..Submit::default() };
    device.queue().submit(&[submit], Some(&fence))?;
    assert!(fence.wait(None)?);
    assert_eq!(semaphore.value()?, 1);
    let sum: Vec<f32> = buffers[2].read_all()?;
    assert!((0..n).all(|i| sum[i] == a[i] + b[i]));
    Ok(())
}

#[test]
fn a_shader_test_is_short() -> Result<()> {
    let sum: Vec<f32> = ShaderTest::wgsl(ADD)?
        .bind(0, 0, &[1.0f32, 2.0, 3.0])
        .bind(0, 1, &[10.0f32, 20.0, 30.0])
        .bind_zeros::<f32>(0, 2, 3)
        .dispatch([1, 1, 1])?
        .read(0, 2)?;
    assert_eq!(sum, [11.0, 22.0, 33.0]);
    Ok(())
}

/// Dynamic offsets, push constants and null descriptors.
#[test]
fn dynamic_offsets_push_constants_and_null() -> Result<()> {
    let device = Device::new(DeviceOptions::default())?;
    let source = "
        @group(0) @binding(0) var<storage, read> a: array<u32>;
        @group(0) @binding(1) var<storage, read> none: array<u32>;
        @group(0) @binding(2) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(1)
        fn main() { out[0] = a[0]; out[1] = none[5]; out[2] = arrayLength(&a); out[100] = 7u; }";
    let bindings = [
        DescriptorBinding::new(0, DescriptorKind::StorageBufferDynamic),
        DescriptorBinding::new(1, DescriptorKind::StorageBuffer),
        DescriptorBinding::new(2, DescriptorKind::StorageBuffer),
    ];
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
    let set = device.create_descriptor_set(&set_layout)?;
    let a: Vec<u32> = (100..200).collect();
    let a = device.create_buffer_with(&a, BufferUsage::STORAGE)?;
    let out = device.create_buffer_with(&[1u32; 3], BufferUsage::STORAGE)?;
    set.write_buffer(0, &a)?;
    set.write(1, 0, Resource::Null)?;
    set.write_buffer(2, &out)?;
    let module = device.create_shader_module(&words(source))?;
    let stage = ShaderStage::only(&module, Stage::Compute)?;
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
    let mut commands = device.create_command_buffer();
    commands
        .bind_compute_pipeline(&pipeline)
        .bind_descriptor_sets(BindPoint::Compute, &layout, 0, &[&set], &[64])
        .dispatch(1, 1, 1);
    commands.end()?;
    device.queue().run(&commands)?;
    assert_eq!(out.read_all::<u32>()?, [116, 0, 84]);
    Ok(())
}

/// Invalid commands are errors with a description, at recording.
#[test]
fn mistakes_are_errors() -> Result<()> {
    let device = Device::new(DeviceOptions::default())?;
    let mut commands = device.create_command_buffer();
    commands.dispatch(1, 1, 1);
    assert!(matches!(commands.end(), Err(Error::Invalid { .. })));
    assert!(device.queue().submit(&[Submit { commands: &[&commands], ..Submit::default() }], None).is_err());
    let test = ShaderTest::wgsl(ADD)?.bind(0, 0, &[1.0f32]);
    let e = test.dispatch([1, 1, 1]).unwrap_err().to_string();
    assert!(e.contains("set 0, binding 1 (b)"), "{e}");
    let e = ShaderTest::wgsl("fn main() { let x: u32 = 1.5; }").unwrap_err();
    assert!(matches!(e, Error::Invalid { place, .. } if place.line == Some(1)));
    Ok(())
}

/// An endless shader only causes the loss of its device.
#[test]
fn endless_shaders_lose_the_device() -> Result<()> {
    let source = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(1)
        fn forever() { loop { out[0] += 1u; if (out[0] == 0xffffffffu) { out[0] = 1u; } } }";
    let budget = std::time::Duration::from_millis(50);
    let device = Device::new(DeviceOptions { budget, ..DeviceOptions::default() })?;
    let test = ShaderTest::wgsl(source)?.bind(0, 0, &[0u32]).on(&device);
    let e = test.clone().dispatch([1, 1, 1]).unwrap_err();
    assert!(matches!(&e, Error::DeviceLost(m) if m.contains("forever")), "{e}");
    assert!(test.dispatch([1, 1, 1]).is_err());
    assert!(
        ShaderTest::wgsl(ADD)?
            .bind(0, 0, &[1.0f32])
            .bind(0, 1, &[1.0f32])
            .bind_zeros::<f32>(0, 2, 1)
            .dispatch([1, 1, 1])
            .is_ok()
    );
    Ok(())
}

/// Many threads, each with its own queue, fence and shader, share one device.
#[test]
fn submissions_from_many_threads() -> Result<()> {
    let device = Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() })?;
    std::thread::scope(|scope| {
        for t in 0..4u32 {
            let device = &device;
            scope.spawn(move || {
                for i in 0..8 {
                    let n = 64 << i;
                    let a = vec![t as f32; n];
                    let sum: Vec<f32> = ShaderTest::wgsl(ADD)
                        .and_then(|s| {
                            s.bind(0, 0, &a).bind(0, 1, &a).bind_zeros::<f32>(0, 2, n).on(device).dispatch([
                                n as u32 / 64,
                                1,
                                1,
                            ])
                        })
                        .and_then(|r| r.read(0, 2))
                        .expect("the dispatch works");
                    assert!(sum.iter().all(|s| *s == 2.0 * t as f32));
                }
            });
        }
    });
    device.wait_idle()
}

/// GLSL source, with the feature `glsl`.
#[cfg(feature = "glsl")]
#[test]
fn glsl() -> Result<()> {
    let source = "#version 450
        layout(local_size_x = 4) in;
        layout(constant_id = 7) const float SCALE = 1.0;
        layout(binding = 0) uniform U { vec4 bias; };
        layout(binding = 1) buffer B { float data[]; };
        layout(push_constant) uniform P { float add; };
        void main() { uint i = gl_GlobalInvocationID.x; data[i] = data[i] * SCALE + bias[i & 3] + add; }";
    let data: Vec<f32> = ShaderTest::glsl(source)?
        .spec(7, 3f32.to_bits().into())
        .bind(0, 0, &[0.0f32, 10.0, 20.0, 30.0])
        .bind(0, 1, &[1.0f32, 2.0, 3.0, 4.0, 5.0])
        .push(&[0.5f32])
        .dispatch([2, 1, 1])?
        .read(0, 1)?;
    assert_eq!(data, [3.5, 16.5, 29.5, 42.5, 15.5]);
    Ok(())
}

#[test]
fn spirv_text() -> Result<()> {
    let source = r#"
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %id
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %id BuiltIn GlobalInvocationId
               OpDecorate %array ArrayStride 4
               OpDecorate %block BufferBlock
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %data DescriptorSet 0
               OpDecorate %data Binding 3
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
        %u32 = OpTypeInt 32 0
         %v3 = OpTypeVector %u32 3
      %in_v3 = OpTypePointer Input %v3
     %in_u32 = OpTypePointer Input %u32
      %array = OpTypeRuntimeArray %u32
      %block = OpTypeStruct %array
    %p_block = OpTypePointer Uniform %block
      %p_u32 = OpTypePointer Uniform %u32
         %id = OpVariable %in_v3 Input
       %data = OpVariable %p_block Uniform
       %zero = OpConstant %u32 0
          %three = OpConstant %u32 3
       %main = OpFunction %void None %fn
      %entry = OpLabel
         %px = OpAccessChain %in_u32 %id %zero
          %x = OpLoad %u32 %px
         %at = OpAccessChain %p_u32 %data %zero %x
        %old = OpLoad %u32 %at
        %new = OpIMul %u32 %old %three
               OpStore %at %new
               OpReturn
               OpFunctionEnd
    "#;
    let run = ShaderTest::spirv_text(source)?.bind(0, 3, &[1u32, 2, 3]).dispatch([2, 1, 1])?;
    assert_eq!(run.read::<u32>(0, 3)?, [3, 6, 3]);
    Ok(())
}

/// Resources bound without a copy: the shader uses the buffer, the image and the sampler that it is given.
#[test]
fn the_app_works_on_objects_in_place() {
    use quadrille::apps::compute::{Compute, ComputeDesc};
    let device = Device::new(DeviceOptions::default()).unwrap();
    let words = frontend::compile_wgsl(
        "@group(0) @binding(0) var<storage, read_write> b: array<f32>;
         @group(0) @binding(1) var source: texture_2d<f32>;
         @group(0) @binding(2) var by: sampler;
         @group(0) @binding(3) var target_: texture_storage_2d<r32float, write>;
         @compute @workgroup_size(1) fn main() {
             b[0] += 1.0;
             let v = textureSampleLevel(source, by, vec2f(-0.25, 0.5), 0.0);
             textureStore(target_, vec2u(1, 0), v);
         }",
        &frontend::Options::named("place.wgsl"),
    )
    .unwrap();
    let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
    let mut compute = Compute::new(&device, &desc).unwrap();
    let buffer = device.create_buffer_with(&[5.0f32, 6.0], BufferUsage::STORAGE).unwrap();
    let image = |usage, texels: &[f32]| {
        let desc = ImageDesc::new_2d(Format::R32_SFLOAT, 2, 1, usage);
        let image = device.create_bound_image(desc).unwrap();
        image.write_level(Aspects::COLOR, 0, bytemuck::cast_slice(texels)).unwrap();
        device.create_image_view(&image, ImageViewDesc::new_2d(Format::R32_SFLOAT)).unwrap()
    };
    let from = image(ImageUsage::SAMPLED, &[1.0, 3.0]);
    let to = image(ImageUsage::STORAGE, &[7.0, 7.0]);
    let clamp = SamplerDesc { address: [AddressMode::ClampToEdge; 3], ..SamplerDesc::default() };
    compute.bind_buffer_at(0, 0, 0, &buffer, 8).unwrap();
    compute.bind_view_at(0, 1, 0, &from, None).unwrap();
    compute.bind_sampler_at(0, 2, 0, device.create_sampler(clamp).unwrap()).unwrap();
    compute.bind_view_at(0, 3, 0, &to, None).unwrap();
    assert_eq!(compute.declared_format(0, 3).unwrap(), Some(Format::R32_SFLOAT));
    assert_eq!(compute.declared_format(0, 1).unwrap(), None);
    compute.submit([1, 1, 1]).unwrap().wait(None).unwrap();
    assert_eq!(buffer.read_all::<f32>().unwrap(), [6.0, 6.0]);
    let texels = to.image().read_level(Aspects::COLOR, 0).unwrap();
    assert_eq!(bytemuck::pod_collect_to_vec::<u8, f32>(&texels), [7.0, 1.0]);
    // Nothing of this stays: a sampler that is not bound again is the default, which repeats.
    compute.unbind().unwrap();
    assert_eq!(compute.unbound().count(), 3);
    assert!(compute.read(0, 0).is_err());
    compute.bind_buffer_at(0, 0, 0, &buffer, 8).unwrap();
    compute.bind_view_at(0, 1, 0, &from, None).unwrap();
    compute.bind_view_at(0, 3, 0, &to, None).unwrap();
    compute.submit([1, 1, 1]).unwrap().wait(None).unwrap();
    assert_eq!(buffer.read_all::<f32>().unwrap(), [7.0, 6.0]);
    let texels = to.image().read_level(Aspects::COLOR, 0).unwrap();
    assert_eq!(bytemuck::pod_collect_to_vec::<u8, f32>(&texels), [7.0, 3.0]);
    // Objects of a kind other than the binding's, and too many push constants.
    assert!(compute.bind_buffer_at(0, 1, 0, &buffer, 8).is_err());
    assert!(compute.bind_view_at(0, 0, 0, &from, None).is_err());
    let repeat = device.create_sampler(SamplerDesc::default()).unwrap();
    assert!(compute.bind_sampler_at(0, 1, 0, repeat).is_err());
    assert!(compute.set_push(&[0; 4]).is_err());
    assert!(compute.bind_buffer_at(0, 0, 0, &buffer, 12).is_err());
}

/// Constants that a lane group stores partly past the end of a buffer, at any lane group size: the words in range are
/// stored, and no other memory is written.
#[test]
fn constants_are_stored_up_to_the_end_of_a_buffer() -> Result<()> {
    let source = "
        @group(0) @binding(0) var<storage, read_write> rows: array<vec4<u32>>;
        @group(0) @binding(1) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            let i = id.x;
            var sum = i * 7u;
            var product = i ^ 0x55u;
            rows[i] = vec4(1u, 2u, 3u, 4u);
            sum += product;
            rows[i * 3u] = vec4(1u, 2u, 3u, 4u);
            out[i] = sum + product * i;
        }";
    for opt in [Opt::Speed, Opt::None] {
        let device = Device::new(DeviceOptions { opt, threads: 1, ..DeviceOptions::default() })?;
        let run = ShaderTest::wgsl(source)?.on(&device).bind_zeros::<u32>(0, 0, 100 * 4);
        let run = run.bind_zeros::<u32>(0, 1, 256).dispatch([4, 1, 1])?;
        assert_eq!(run.read::<[u32; 4]>(0, 0)?, vec![[1, 2, 3, 4]; 100]);
        let expected = |i: u32| (i * 7 + (i ^ 0x55)) + (i ^ 0x55) * i;
        assert_eq!(run.read::<u32>(0, 1)?, (0..256).map(expected).collect::<Vec<_>>(), "{opt:?}");
    }
    Ok(())
}

/// The greatest range of a storage buffer: words behind 2 GiB, the last word, and indices behind it, of which those from 2^30 on
/// wrap 32 bits as offsets. Only the pages that the test touches take memory of the host.
#[test]
fn a_range_of_the_greatest_size_is_reached_as_a_whole() -> Result<()> {
    use quadrille::apps::compute::{Compute, ComputeDesc};
    let most = u64::from(LIMITS.max_storage_buffer_range);
    let last = (most / 4 - 1) as u32;
    let indices = [0, 1 << 29, (1 << 29) + 3, last, last + 1, last + 17, 1 << 30, (1 << 30) + last, u32::MAX];
    // The first indices, which are in range.
    let inside = 4;
    let source = "
        @group(0) @binding(0) var<storage, read_write> big: array<u32>;
        @group(0) @binding(1) var<storage, read_write> list: array<u32>;
        @compute @workgroup_size(9) fn main(@builtin(local_invocation_index) i: u32) {
            let at = list[i];
            list[i] = big[at];
            big[at] = 50u + i;
        }";
    for (interp, opt) in [(false, Opt::Speed), (false, Opt::None), (true, Opt::None)] {
        let device = Device::new(DeviceOptions { interp, opt, ..DeviceOptions::default() })?;
        if device.heap_size() < most + (1 << 28) {
            testing::skipped(Requirement::Memory, "the device has less than 4.3 GiB of memory");
            return Ok(());
        }
        let (words, usage) = (words(source), BufferUsage::STORAGE);
        let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
        let mut compute = Compute::new(&device, &desc)?;
        let big = device.create_buffer(BufferDesc { size: most + 128, usage })?;
        big.bind(&device.allocate(most + 128)?, 0)?;
        for (k, &at) in indices.iter().enumerate().take(6) {
            big.write(4 * u64::from(at), &[10 + k as u32])?;
        }
        let list = device.create_buffer_with(&indices, usage)?;
        compute.bind_buffer_at(0, 0, 0, &big, most as usize)?;
        compute.bind_buffer_at(0, 1, 0, &list, 36)?;
        compute.submit([1, 1, 1])?.wait(None)?;
        assert_eq!(list.read_all::<u32>()?, [10, 11, 12, 13, 0, 0, 0, 0, 0], "{interp} {opt:?}");
        for (k, &at) in (0..).zip(&indices).take(6) {
            let written = if k < inside { 50 + k } else { 10 + k };
            assert_eq!(big.read::<u32>(4 * u64::from(at), 1)?, [written], "{interp} {opt:?}, word {at}");
        }
    }
    Ok(())
}
