//! Descriptors of another kind than the shader expects.

use quadrille::*;

/// Accesses of shaders to a descriptor of each kind; binding 1 has two words of results.
const BUFFER: &str = "@group(0) @binding(0) var<storage, read_write> it: array<u32>;
    fn access() -> vec2u { let first = it[0]; it[0] = 0x42u; it[1] = 0x43u; return vec2u(arrayLength(&it), first); }";
const UNIFORM: &str = "@group(0) @binding(0) var<uniform> it: vec4u;
    fn access() -> vec2u { return vec2u(0u, it.x); }";
const STORAGE_IMAGE: &str = "@group(0) @binding(0) var it: texture_storage_2d<rgba8unorm, write>;
    fn access() -> vec2u { textureStore(it, vec2i(0), vec4f(1.0)); return vec2u(textureDimensions(it).x, 0u); }";
const SAMPLED_IMAGE: &str = "@group(0) @binding(0) var it: texture_2d<f32>;
    fn access() -> vec2u { return vec2u(textureDimensions(it).x, u32(textureLoad(it, vec2i(0), 0).x * 255.0)); }";
const SAMPLER: &str = "@group(0) @binding(0) var it: sampler; @group(0) @binding(2) var image: texture_2d<f32>;
    fn access() -> vec2u { return vec2u(0u, u32(textureSampleLevel(image, it, vec2f(0.5), 0.0).x * 255.0)); }";

struct World {
    device: Device,
    buffer: Buffer,
    texels: BufferView,
    image: Image,
    view: ImageView,
    sampler: Sampler,
    results: Buffer,
    sets: DescriptorSetLayout,
    layout: PipelineLayout,
}

impl World {
    fn new(kind: DescriptorKind) -> Result<World> {
        let device = Device::new(DeviceOptions::default())?;
        let usage = BufferUsage::STORAGE | BufferUsage::UNIFORM | BufferUsage::UNIFORM_TEXEL;
        let buffer = device.create_bound_buffer(BufferDesc { size: 512, usage })?;
        let texels = BufferViewDesc { format: Format::R8G8B8A8_UNORM, offset: 0, range: None };
        let usage = ImageUsage::STORAGE | ImageUsage::SAMPLED;
        let image = device.create_bound_image(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 4, 4, usage))?;
        // Many sampler states, so that the number of the last could pass for a buffer size.
        let mut sampler = device.create_sampler(SamplerDesc::default())?;
        for i in 0..40u32 {
            sampler = device
                .create_sampler(SamplerDesc { min_lod: (i as f32).to_bits(), ..SamplerDesc::default() })?;
        }
        let results = device.create_bound_buffer(BufferDesc { size: 16, usage: BufferUsage::STORAGE })?;
        let bindings = [
            DescriptorBinding { count: 2, ..DescriptorBinding::new(0, kind) },
            DescriptorBinding::new(1, DescriptorKind::StorageBuffer),
            DescriptorBinding::new(2, DescriptorKind::SampledImage),
        ];
        let sets = device.create_descriptor_set_layout(&bindings)?;
        Ok(World {
            texels: device.create_buffer_view(&buffer, texels)?,
            view: device.create_image_view(&image, ImageViewDesc::new_2d(Format::R8G8B8A8_UNORM))?,
            layout: device.create_pipeline_layout(std::slice::from_ref(&sets), 0)?,
            device,
            buffer,
            image,
            sampler,
            results,
            sets,
        })
    }

    fn fill(&self) -> Result<()> {
        self.buffer.write(0, &[0x41u8; 512])?;
        self.results.write(0, &[0xeeeeu32; 4])?;
        self.image.write_level(Aspects::COLOR, 0, &[0x51; 64])
    }

    /// Runs a shader on a set, and returns its results.
    fn run(&self, set: &DescriptorSet, access: &str) -> Result<[u32; 2]> {
        let source = format!(
            "{access}\n@group(0) @binding(1) var<storage, read_write> results: array<u32>;
             @compute @workgroup_size(1) fn main() {{
                 let r = access(); results[0] = r.x; results[1] = r.y;
             }}"
        );
        let words = frontend::compile_wgsl(&source, &frontend::Options::default())?;
        let module = self.device.create_shader_module(&words)?;
        let stage = ShaderStage::new(&module, "main");
        let desc = ComputePipelineDesc { stage, layout: self.layout.clone() };
        let pipeline = self.device.create_compute_pipeline(&desc)?;
        set.write_buffer(1, &self.results)?;
        set.write(2, 0, Resource::Image(&self.view))?;
        let mut c = self.device.create_command_buffer();
        c.bind_compute_pipeline(&pipeline).bind_compute_set(&self.layout, 0, set).dispatch(1, 1, 1).end()?;
        self.device.queue().run(&c)?;
        let r = self.results.read::<u32>(0, 2)?;
        Ok([r[0], r[1]])
    }

    /// Everything that can be written to a descriptor.
    fn all(&self) -> [(DescriptorKind, Resource<'_>); 12] {
        use DescriptorKind as K;
        let buffer = Resource::Buffer { buffer: &self.buffer, offset: 0, range: None };
        [
            (K::StorageBuffer, buffer),
            (K::UniformBuffer, buffer),
            (K::StorageBuffer, Resource::Null),
            (K::UniformBuffer, Resource::Null),
            (K::StorageImage, Resource::Image(&self.view)),
            (K::SampledImage, Resource::Image(&self.view)),
            (K::StorageImage, Resource::Null),
            (K::CombinedImageSampler, Resource::Combined(&self.view, &self.sampler)),
            (K::Sampler, Resource::Sampler(&self.sampler)),
            (K::Sampler, Resource::Null),
            (K::UniformTexelBuffer, Resource::TexelBuffer(&self.texels)),
            (K::UniformTexelBuffer, Resource::Null),
        ]
    }

    /// Runs every shader on a set whose first descriptor is of kind `kind`, and checks the results of each.
    fn check(&self, set: &DescriptorSet, kind: DescriptorKind, resource: Resource<'_>) -> Result<()> {
        use DescriptorKind as K;
        let what = format!("{kind:?}, {resource:?}");
        let is_null = matches!(resource, Resource::Null);
        let is_buffer = matches!(kind, K::StorageBuffer | K::UniformBuffer) && !is_null;
        let is_image =
            matches!(kind, K::StorageImage | K::SampledImage | K::CombinedImageSampler) && !is_null;
        let is_texels = kind == K::UniformTexelBuffer && !is_null;
        for access in [BUFFER, UNIFORM, STORAGE_IMAGE, SAMPLED_IMAGE, SAMPLER] {
            self.fill()?;
            let got = self.run(set, access)?;
            let buffer: Vec<u32> = self.buffer.read_all()?;
            let texel = self.image.read_level(Aspects::COLOR, 0)?[0];
            match access {
                BUFFER if is_buffer => {
                    assert_eq!((got, buffer[0], buffer[1]), ([128, 0x4141_4141], 0x42, 0x43), "{what}");
                }
                UNIFORM if is_buffer => assert_eq!(got, [0, 0x4141_4141], "{what}"),
                STORAGE_IMAGE if is_image => assert_eq!((got, texel), ([4, 0], 255), "{what}"),
                SAMPLED_IMAGE if is_image => assert_eq!(got, [4, 0x51], "{what}"),
                // A sampler access may use any sampler, on any view.
                SAMPLER => assert!(got[1] <= 255, "{what}"),
                STORAGE_IMAGE | SAMPLED_IMAGE if is_texels => {}
                _ => assert_eq!(got, [0, 0], "{access} of {what}"),
            }
            let written = (access == BUFFER && is_buffer) || (access == STORAGE_IMAGE && is_texels);
            assert!(written || buffer == [0x4141_4141; 128], "{access} of {what}");
            assert!(texel == 0x51 || (access == STORAGE_IMAGE && is_image), "{access} of {what}");
        }
        Ok(())
    }
}

#[test]
fn mutable_descriptors_are_null_for_other_kinds() -> Result<()> {
    let w = World::new(DescriptorKind::Mutable)?;
    let set = w.device.create_descriptor_set(&w.sets)?;
    w.check(&set, DescriptorKind::Sampler, Resource::Null)?;
    for (kind, resource) in w.all() {
        set.write_as(0, 0, kind, resource)?;
        // The adjacent descriptor is of another kind.
        set.write_as(0, 1, DescriptorKind::StorageImage, Resource::Image(&w.view))?;
        w.check(&set, kind, resource)?;
    }
    set.write(0, 0, Resource::Null)?;
    w.check(&set, DescriptorKind::StorageBuffer, Resource::Null)
}

/// Copies to the second element of an array, and from set to set, over every previous descriptor.
#[test]
#[expect(unsafe_code, reason = "allocates sets from a pool")]
fn copies_of_mutable_descriptors_are_what_the_source_is() -> Result<()> {
    let w = World::new(DescriptorKind::Mutable)?;
    let mut pool = w.device.create_descriptor_pool(3);
    // SAFETY: all resources written to the sets live to the end of the test.
    let (from, to) = unsafe { (pool.allocate(&w.sets)?, pool.allocate(&w.sets)?) };
    for (kind, resource) in w.all() {
        for (before, old) in w.all() {
            to.write_as(0, 0, before, old)?;
            from.write_as(0, 1, kind, resource)?;
            to.copy(0, 0, (&from, 0, 1))?;
        }
        w.check(&to, kind, resource)?;
    }
    // Copies to and from a descriptor with a fixed kind.
    let plain = DescriptorBinding { count: 2, ..DescriptorBinding::new(0, DescriptorKind::StorageBuffer) };
    let plain = w.device.create_descriptor_set_layout(&[plain])?;
    // SAFETY: all resources written to the set live to the end of the test.
    let buffers = unsafe { pool.allocate(&plain)? };
    let (buffer, null) = (Resource::Buffer { buffer: &w.buffer, offset: 0, range: None }, Resource::Null);
    buffers.write(0, 1, buffer)?;
    to.write_as(0, 0, DescriptorKind::StorageImage, Resource::Image(&w.view))?;
    to.copy(0, 0, (&buffers, 0, 1))?;
    w.check(&to, DescriptorKind::StorageBuffer, buffer)?;
    from.write_as(0, 1, DescriptorKind::StorageImage, Resource::Image(&w.view))?;
    buffers.copy(0, 1, (&from, 0, 1))?;
    to.copy(0, 0, (&buffers, 0, 1))?;
    w.check(&to, DescriptorKind::StorageBuffer, null)
}

/// Copies to combined image samplers change the image only, where the sampler is immutable. The records of the source
/// and of the destination have both forms. Spec: Vulkan, VkDescriptorSetLayoutBinding.
#[test]
#[cfg(feature = "glsl")]
#[expect(unsafe_code, reason = "allocates sets from a pool")]
fn copies_keep_immutable_samplers() -> Result<()> {
    const SOURCE: &str = "#version 450
        layout(local_size_x = 1) in;
        layout(binding = 0) uniform sampler2D it;
        layout(binding = 1) buffer Results { float found; };
        void main() { found = textureLod(it, vec2(1.25, 0.5), 0.0).x; }";
    let device = Device::new(DeviceOptions { threads: 1, ..DeviceOptions::default() })?;
    let format = Format::R32_SFLOAT;
    let image = device.create_bound_image(ImageDesc::new_2d(format, 2, 1, ImageUsage::SAMPLED))?;
    image.write_level(Aspects::COLOR, 0, &[1.0f32, 2.0].map(f32::to_le_bytes).concat())?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    // At 1.25, the first sampler sees the first texel, and the second one the last.
    let [repeats, clamps] = [AddressMode::Repeat, AddressMode::ClampToEdge].map(|mode| {
        device.create_sampler(SamplerDesc { address: [mode; 3], ..SamplerDesc::default() }).unwrap()
    });
    let results = device.create_bound_buffer(BufferDesc { size: 16, usage: BufferUsage::STORAGE })?;
    let words = frontend::compile_glsl(SOURCE, Stage::Compute, &frontend::Options::default())?;
    let module = device.create_shader_module(&words)?;
    for partial in [[false, false], [false, true], [true, false], [true, true]] {
        let [plain, immutable] = partial.map(|partially_bound| DescriptorBinding {
            partially_bound,
            ..DescriptorBinding::new(0, DescriptorKind::CombinedImageSampler)
        });
        let immutable = DescriptorBinding { immutable_samplers: vec![repeats], ..immutable };
        let out = DescriptorBinding::new(1, DescriptorKind::StorageBuffer);
        let plain = device.create_descriptor_set_layout(&[plain])?;
        let sets = device.create_descriptor_set_layout(&[immutable, out])?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&sets), 0)?;
        let stage = ShaderStage::new(&module, "main");
        let desc = ComputePipelineDesc { stage, layout: layout.clone() };
        let pipeline = device.create_compute_pipeline(&desc)?;
        let mut pool = device.create_descriptor_pool(2);
        // SAFETY: all resources written to the sets live to the end of the test.
        let (from, to) = unsafe { (pool.allocate(&plain)?, pool.allocate(&sets)?) };
        from.write(0, 0, Resource::Combined(&view, &clamps))?;
        to.copy(0, 0, (&from, 0, 0))?;
        to.write_buffer(1, &results)?;
        let mut c = device.create_command_buffer();
        c.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &to).dispatch(1, 1, 1).end()?;
        device.queue().run(&c)?;
        assert_eq!(results.read::<f32>(0, 1)?, [1.0], "{partial:?}");
    }
    Ok(())
}

/// A set has as many elements of a binding of variable count as were asked for; shaders find nothing behind them. Spec:
/// Vulkan, VkDescriptorSetVariableDescriptorCountAllocateInfo.
#[test]
#[cfg(feature = "glsl")]
#[expect(unsafe_code, reason = "allocates sets from a pool")]
fn sets_have_variable_counts() -> Result<()> {
    const SOURCE: &str = "#version 450
        layout(local_size_x = 1) in;
        layout(binding = 0) buffer Results { uint found[4]; };
        layout(binding = 1) buffer Words { uint word; } words[1000];
        void main() { for (uint i = 0u; i < 4u; i++) found[i] = words[i].word; }";
    let device = Device::new(DeviceOptions { threads: 1, ..DeviceOptions::default() })?;
    let buffer = || device.create_bound_buffer(BufferDesc { size: 16, usage: BufferUsage::STORAGE });
    let (results, words) = (buffer()?, buffer()?);
    words.write(0, &[7u32])?;
    let words = Resource::Buffer { buffer: &words, offset: 0, range: None };
    let module = frontend::compile_glsl(SOURCE, Stage::Compute, &frontend::Options::default())?;
    let module = device.create_shader_module(&module)?;
    for variable_count in [true, false] {
        let storage = |number| DescriptorBinding::new(number, DescriptorKind::StorageBuffer);
        let many = DescriptorBinding { count: 1000, variable_count, ..storage(1) };
        let sets = device.create_descriptor_set_layout(&[storage(0), many])?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&sets), 0)?;
        let stage = ShaderStage::new(&module, "main");
        let desc = ComputePipelineDesc { stage, layout: layout.clone() };
        let pipeline = device.create_compute_pipeline(&desc)?;
        let mut pool = device.create_descriptor_pool(2);
        // SAFETY: all resources written to the sets live to the end of the test.
        let (few, all) = unsafe { (pool.allocate_with(&sets, 2)?, pool.allocate(&sets)?) };
        all.write(1, 999, words)?;
        few.write_buffer(0, &results)?;
        few.write(1, 0, words)?;
        few.write(1, 1, words)?;
        assert_eq!(few.write(1, 2, words).is_err(), variable_count);
        assert_eq!(few.copy(1, 999, (&all, 1, 999)).is_err(), variable_count);
        results.write(0, &[9u32; 4])?;
        let mut c = device.create_command_buffer();
        c.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &few).dispatch(1, 1, 1).end()?;
        device.queue().run(&c)?;
        let third = if variable_count { 0 } else { 7 };
        assert_eq!(results.read::<u32>(0, 4)?, [7, 7, third, 0], "{variable_count}");
    }
    Ok(())
}

/// Inline uniform blocks are written under the same rules as descriptors.
#[test]
fn inline_blocks_in_use_are_not_written() -> Result<()> {
    let device = Device::new(DeviceOptions { threads: 1, ..DeviceOptions::default() })?;
    let inline = DescriptorKind::InlineUniformBlock;
    let bindings = [DescriptorBinding { count: 16, ..DescriptorBinding::new(0, inline) }];
    let sets = device.create_descriptor_set_layout(&bindings)?;
    let set = device.create_descriptor_set(&sets)?;
    set.write_inline(0, 4, &7u32.to_le_bytes())?;
    set.write_inline(0, 16, &[])?;
    assert!(set.write_inline(0, 16, &[1]).is_err());
    assert!(set.write_inline(0, u32::MAX, &[1]).is_err());
    assert!(set.write_inline(1, 0, &[1]).is_err());
    let source = "@group(0) @binding(0) var<uniform> n: vec4u;
        @compute @workgroup_size(1) fn main() { if n.x == 1u { workgroupBarrier(); } }";
    let words = frontend::compile_wgsl(source, &frontend::Options::default())?;
    let module = device.create_shader_module(&words)?;
    let layout = device.create_pipeline_layout(&[sets], 0)?;
    let stage = ShaderStage::new(&module, "main");
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
    let mut c = device.create_command_buffer();
    c.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set).dispatch(1, 1, 1).end()?;
    let (fence, go) = (device.create_fence(false), device.create_timeline_semaphore(0));
    let submit = Submit { waits: &[(&go, 1)], commands: &[&c], ..Submit::default() };
    device.queue().submit(&[submit], Some(&fence))?;
    let early = set.write_inline(0, 0, &[1; 16]);
    go.signal(1);
    fence.wait(None)?;
    assert!(matches!(early, Err(Error::Invalid { .. })), "written while a submission uses it");
    set.write_inline(0, 0, &[1; 16])
}

/// Applications describe thousands of ranges of one buffer and of layers of one image. A description takes the same time
/// however many there are, and an equal one is the same descriptor.
#[test]
fn descriptors_of_many_ranges_cost_the_same_each() -> Result<()> {
    const MANY: u64 = 24 << 10;
    const SOME: u64 = 2 << 10;
    let device = Device::new(DeviceOptions { threads: 1, ..DeviceOptions::default() })?;
    let usage = BufferUsage::UNIFORM_TEXEL;
    let buffer = device.create_bound_buffer(BufferDesc { size: 16 * MANY, usage })?;
    let format = Format::R32_UINT;
    let of_buffer = |i: u64| {
        let desc = BufferViewDesc { format, offset: 16 * i, range: Some(16) };
        let view = BufferView::kept(&device, &buffer, desc)?;
        device.descriptor_data(DescriptorKind::UniformTexelBuffer, Resource::TexelBuffer(&view))
    };
    let desc = ImageDesc { layers: 2048, ..ImageDesc::new_2d(format, 16, 16, ImageUsage::SAMPLED) };
    let image = device.create_bound_image(desc)?;
    let of_image = |i: u64| {
        let (base_layer, layers) = ((i % 2048) as u32, 1);
        let [r, g, b] =
            [i / 2048 % 4, i / 8192, 0].map(|i| [Swizzle::R, Swizzle::G, Swizzle::B, Swizzle::A][i as usize]);
        let swizzle = [r, g, b, Swizzle::A];
        let view = ImageView::kept(
            &device,
            &image,
            ImageViewDesc { base_layer, layers, swizzle, ..ImageViewDesc::new_2d(format) },
        )?;
        device.descriptor_data(DescriptorKind::SampledImage, Resource::Image(&view))
    };
    let describes: [&dyn Fn(u64) -> Result<[u8; DESCRIPTOR_BYTES]>; 2] = [&of_buffer, &of_image];
    for describe in describes {
        let first = describe(0)?;
        let time = |range: std::ops::Range<u64>| -> Result<std::time::Duration> {
            let start = std::time::Instant::now();
            range.clone().try_for_each(|i| describe(i).map(|_| ()))?;
            Ok(start.elapsed())
        };
        let early = time(0..SOME)?;
        time(SOME..MANY - SOME)?;
        let late = time(MANY - SOME..MANY)?;
        assert!(late < 4 * early + std::time::Duration::from_millis(20), "{late:?} after {early:?}");
        assert_eq!(describe(0)?, first);
        assert_ne!(describe(MANY - 1)?, first);
    }
    Ok(())
}

/// Sets in buffers have no dynamic offsets, and no records for shaders that read dynamic buffers. Spec: Vulkan,
/// VUID-VkDescriptorSetLayoutCreateInfo-flags-08000.
#[test]
fn sets_in_buffers_have_no_dynamic_buffers() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    for kind in [DescriptorKind::UniformBufferDynamic, DescriptorKind::StorageBufferDynamic] {
        let bindings = [DescriptorBinding::new(0, kind)];
        assert!(device.create_descriptor_set_layout(&bindings).is_ok());
        let refused = device.create_descriptor_set_layout_in_buffers(&bindings);
        assert!(matches!(&refused, Err(Error::Invalid { .. })), "{refused:?}");
    }
}
