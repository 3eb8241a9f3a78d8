//! Descriptors in memory that applications and shaders write: any contents refer to a live resource of the right kind,
//! or to nothing.

#![cfg(feature = "glsl")]

use std::time::{Duration, Instant};

use quadrille::*;
use quadrille_jit::guarded::Guarded;

/// Reads or writes element `index` of the arrays as a buffer, or reads it as an image or as a texel buffer.
const SOURCE: &str = "#version 460
    #extension GL_EXT_nonuniform_qualifier : require
    #extension GL_EXT_samplerless_texture_functions : require
    layout(local_size_x = 8) in;
    layout(push_constant) uniform P { uint index; uint kind; };
    layout(set = 0, binding = 0) buffer Out { uint w[]; } o;
    layout(set = 0, binding = 1) uniform texture2D t[4];
    layout(set = 0, binding = 2) buffer B { uint w[]; } b[4];
    layout(set = 0, binding = 3) uniform utextureBuffer x[4];
    void main() {
        uint i = INDEX;
        if (gl_LocalInvocationIndex != 0u) return;
        if (kind == 0u) {
            o.w[0] = b[WHICH].w[5];
            b[WHICH].w[6] = 0x12345678u;
            o.w[1] = b[WHICH].w.length();
        } else if (kind == 2u) {
            o.w[0] = texelFetch(x[WHICH], 3).x;
            o.w[1] = textureSize(x[WHICH]);
        } else {
            o.w[0] = uint(texelFetch(t[WHICH], ivec2(0), 0).x * 255.0);
            o.w[1] = textureSize(t[WHICH], 0).x;
        }
    }";

/// The index is the same for all invocations, or separate for each.
const INDICES: [[&str; 2]; 2] =
    [["index", "i"], ["index + gl_LocalInvocationIndex * 3u", "nonuniformEXT(i)"]];

/// Kind of the descriptor that a shader uses; the number selects it in the shader.
#[derive(Clone, Copy, Debug)]
enum As {
    Buffer = 0,
    Image = 1,
    Texels = 2,
}

impl As {
    const ALL: [As; 3] = [As::Buffer, As::Image, As::Texels];

    /// The binding of the shader's array.
    fn binding(self) -> u32 {
        match self {
            As::Buffer => 2,
            As::Image => 1,
            As::Texels => 3,
        }
    }
}

/// Size of each buffer, in words.
const WORDS: usize = 64;

struct World {
    device: Device,
    sets: DescriptorSetLayout,
    layout: PipelineLayout,
    pipelines: Vec<ComputePipeline>,
    out: Buffer,
}

impl World {
    fn new(options: DeviceOptions) -> Result<World> {
        let device = Device::new(options)?;
        let binding = |n, kind, count| DescriptorBinding { count, ..DescriptorBinding::new(n, kind) };
        let sets = device.create_descriptor_set_layout_in_buffers(&[
            binding(0, DescriptorKind::StorageBuffer, 1),
            binding(1, DescriptorKind::SampledImage, 4),
            binding(2, DescriptorKind::StorageBuffer, 4),
            binding(3, DescriptorKind::UniformTexelBuffer, 4),
        ])?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&sets), 8)?;
        let pipeline = |[index, which]: [&str; 2]| {
            let source = SOURCE.replace("INDEX", index).replace("WHICH", which);
            let words = frontend::compile_glsl(&source, Stage::Compute, &frontend::Options::default())?;
            let stage = ShaderStage::only(&device.create_shader_module(&words)?, Stage::Compute)?;
            device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })
        };
        let pipelines = INDICES.map(pipeline).into_iter().collect::<Result<Vec<_>>>()?;
        let out = device.create_buffer_with(&[0u32; 4], BufferUsage::STORAGE)?;
        Ok(World { device, sets, layout, pipelines, out })
    }

    /// A storage buffer filled with a word.
    fn buffer(&self, word: u32) -> Result<Buffer> {
        self.device.create_buffer_with(&[word; WORDS], BufferUsage::STORAGE)
    }

    /// An image 4 texels wide, with all texels 51.
    fn image(&self) -> Result<ImageView> {
        let desc = ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 4, 4, ImageUsage::SAMPLED);
        let image = self.device.create_bound_image(desc)?;
        image.write_level(Aspects::COLOR, 0, &[51; 64])?;
        self.device.create_image_view(&image, ImageViewDesc::new_2d(Format::R8G8B8A8_UNORM))
    }

    fn of_buffer(&self, buffer: &Buffer) -> Result<[u8; DESCRIPTOR_BYTES]> {
        let resource = Resource::Buffer { buffer, offset: 0, range: None };
        self.device.descriptor_data(DescriptorKind::StorageBuffer, resource)
    }

    fn of_image(&self, view: &ImageView) -> Result<[u8; DESCRIPTOR_BYTES]> {
        self.device.descriptor_data(DescriptorKind::SampledImage, Resource::Image(view))
    }

    fn of_texels(&self, view: &BufferView) -> Result<[u8; DESCRIPTOR_BYTES]> {
        self.device.descriptor_data(DescriptorKind::UniformTexelBuffer, Resource::TexelBuffer(view))
    }

    /// A descriptor buffer for a set whose last binding lacks `short` records; it contains the descriptor of the
    /// results.
    fn set(&self, short: u64) -> Result<Buffer> {
        let size = self.sets.bytes() - short * DESCRIPTOR_BYTES as u64;
        let set = self.device.create_bound_buffer(BufferDesc { size, usage: BufferUsage::STORAGE })?;
        set.write(0, &self.of_buffer(&self.out)?)?;
        Ok(set)
    }

    fn place(&self, binding: u32, element: u64) -> u64 {
        self.sets.binding_offset(binding).unwrap() + element * DESCRIPTOR_BYTES as u64
    }

    /// Runs all shaders and returns their results, which must agree.
    fn run(&self, (set, offset): (&Buffer, u64), index: u32, kind: As) -> Result<[u32; 2]> {
        let mut found = None;
        for pipeline in &self.pipelines {
            self.out.write(0, &[9u32; 4])?;
            let mut commands = self.device.create_command_buffer();
            commands.bind_compute_pipeline(pipeline);
            commands.bind_set_in_buffer(BindPoint::Compute, &self.layout, 0, (set, offset));
            commands.push_constants(0, &[index, kind as u32]).dispatch(1, 1, 1);
            commands.end()?;
            self.device.queue().run(&commands)?;
            let words = self.out.read_all::<u32>()?;
            let these = [words[0], words[1]];
            assert_eq!(*found.get_or_insert(these), these, "by another way to the same descriptor");
        }
        Ok(found.unwrap_or_default())
    }
}

fn worlds() -> impl Iterator<Item = Result<World>> {
    let interp = DeviceOptions { interp: true, ..DeviceOptions::default() };
    [DeviceOptions::default(), interp].into_iter().map(World::new)
}

#[test]
fn a_descriptor_of_what_is_gone_leads_nowhere() -> Result<()> {
    for world in worlds() {
        let w = world?;
        let (dead, view) = (w.buffer(0x55)?, w.image()?);
        let set = w.set(0)?;
        set.write(w.place(2, 1), &w.of_buffer(&dead)?)?;
        set.write(w.place(1, 2), &w.of_image(&view)?)?;
        assert_eq!(w.run((&set, 0), 1, As::Buffer)?, [0x55, WORDS as u32]);
        assert_eq!(dead.read_all::<u32>()?[6], 0x1234_5678);
        assert_eq!(w.run((&set, 0), 2, As::Image)?, [51, 4]);
        drop((dead, view));
        // The new resources may reuse the same memory and the same slots.
        let secrets = (0..8).map(|_| w.buffer(0x77)).collect::<Result<Vec<_>>>()?;
        for secret in &secrets {
            let _ = w.of_buffer(secret)?;
        }
        let _image = w.image()?;
        assert_eq!(w.run((&set, 0), 1, As::Buffer)?, [0, 0]);
        assert_eq!(w.run((&set, 0), 2, As::Image)?, [0, 0]);
        for secret in &secrets {
            assert_eq!(secret.read_all::<u32>()?, [0x77; WORDS]);
        }
    }
    Ok(())
}

#[test]
fn a_descriptor_of_another_kind_leads_nowhere() -> Result<()> {
    for world in worlds() {
        let w = world?;
        let (buffer, image, set) = (w.buffer(0x55)?, w.image()?, w.set(0)?);
        let words = w.device.create_buffer_with(&[0x66u32; WORDS], BufferUsage::UNIFORM_TEXEL)?;
        let desc = BufferViewDesc { format: Format::R32_UINT, offset: 0, range: None };
        let texels = w.device.create_buffer_view(&words, desc)?;
        let records = [w.of_buffer(&buffer)?, w.of_image(&image)?, w.of_texels(&texels)?];
        let found = [[0x55, WORDS as u32], [51, 4], [0x66, WORDS as u32]];
        for (kind, found) in As::ALL.into_iter().zip(found) {
            for (other, record) in As::ALL.into_iter().zip(&records) {
                set.write(w.place(kind.binding(), 0), record)?;
                let expected = if kind as u32 == other as u32 { found } else { [0, 0] };
                assert_eq!(w.run((&set, 0), 0, kind)?, expected, "{other:?} as {kind:?}");
            }
        }
        let mut written = [0x55; WORDS];
        written[6] = 0x1234_5678;
        assert_eq!(buffer.read_all::<u32>()?, written);
        assert_eq!(words.read_all::<u32>()?, [0x66; WORDS]);
    }
    Ok(())
}

/// A descriptor buffer ends early, and the memory after it belongs to another buffer with valid descriptors.
#[test]
fn descriptors_end_with_their_buffer() -> Result<()> {
    for world in worlds() {
        let w = world?;
        let buffer = w.buffer(0x55)?;
        let size = w.sets.bytes();
        // Two records short, at an offset that lets the next buffer begin where this one ends.
        let unit = u64::from(LIMITS.min_storage_buffer_offset_alignment).max(DESCRIPTOR_BYTES as u64);
        let short = (size - 2 * DESCRIPTOR_BYTES as u64).next_multiple_of(unit);
        let offset = short - (size - 2 * DESCRIPTOR_BYTES as u64);
        let memory = w.device.allocate(short + 4096)?;
        let usage = BufferUsage::STORAGE;
        let set = w.device.create_buffer(BufferDesc { size: short, usage })?;
        set.bind(&memory, 0)?;
        let behind = w.device.create_buffer(BufferDesc { size: 64, usage })?;
        behind.bind(&memory, short)?;
        set.write(offset, &w.of_buffer(&w.out)?)?;
        let good = w.of_buffer(&buffer)?;
        for element in 0..2 {
            set.write(offset + w.place(2, element), &good)?;
            behind.write(element * DESCRIPTOR_BYTES as u64, &good)?;
        }
        for index in 0..8 {
            let want = if index < 2 { [0x55, WORDS as u32] } else { [0, 0] };
            assert_eq!(w.run((&set, offset), index, As::Buffer)?, want, "{index}");
        }
    }
    Ok(())
}

/// A set may begin where its buffer and all memory end. Shaders find null descriptors there.
#[test]
fn sets_at_the_end_of_memory_are_empty() -> Result<()> {
    const BYTES: u64 = 64;
    const SHADER: &str = "#version 460
        #extension GL_EXT_nonuniform_qualifier : require
        layout(local_size_x = 8) in;
        layout(push_constant) uniform P { uint index; };
        layout(set = 0, binding = 0) buffer B { uint w[]; } b[4];
        void main() {
            uint i = INDEX;
            b[WHICH].w[0] = b[WHICH].w[1] + 1u;
        }";
    let end = Guarded::new(BYTES as usize, 0, BYTES as usize).expect("memory for a set is available");
    let interp = DeviceOptions { interp: true, ..DeviceOptions::default() };
    for options in [DeviceOptions::default(), interp] {
        let device = Device::new(options)?;
        let binding =
            DescriptorBinding { count: 4, ..DescriptorBinding::new(0, DescriptorKind::StorageBuffer) };
        let sets = device.create_descriptor_set_layout_in_buffers(&[binding])?;
        let layout = device.create_pipeline_layout(&[sets], 4)?;
        // SAFETY: the pointer is a multiple of 64, and `end` lives until the memory, the buffer and the device are
        // dropped.
        #[expect(unsafe_code, reason = "imports memory with an inaccessible page behind it")]
        let memory = unsafe { Memory::from_raw(end.as_ptr(), BYTES) };
        let set = device.create_buffer(BufferDesc { size: BYTES, usage: BufferUsage::STORAGE })?;
        set.bind(&memory, 0)?;
        for [index, which] in INDICES {
            let source = SHADER.replace("INDEX", index).replace("WHICH", which);
            let words = frontend::compile_glsl(&source, Stage::Compute, &frontend::Options::default())?;
            let stage = ShaderStage::only(&device.create_shader_module(&words)?, Stage::Compute)?;
            let desc = ComputePipelineDesc { stage, layout: layout.clone() };
            let pipeline = device.create_compute_pipeline(&desc)?;
            let mut commands = device.create_command_buffer();
            commands.bind_compute_pipeline(&pipeline);
            commands.bind_set_in_buffer(BindPoint::Compute, &layout, 0, (&set, BYTES));
            commands.push_constants(0, &[1u32]).dispatch(1, 1, 1);
            commands.end()?;
            device.queue().run(&commands)?;
        }
    }
    assert!(!end.is_damaged());
    Ok(())
}

/// Forged words refer only to live buffers of the device, and to bytes inside of them.
#[test]
fn forged_descriptors_lead_to_live_resources_alone() -> Result<()> {
    for world in worlds() {
        let w = world?;
        let live = (0..4).map(|i| w.buffer(0x100 + i)).collect::<Result<Vec<_>>>()?;
        let dead = (0..4).map(|i| w.buffer(0x200 + i)).collect::<Result<Vec<_>>>()?;
        let known = live.iter().chain(&dead).map(|b| w.of_buffer(b)).collect::<Result<Vec<_>>>()?;
        drop(dead);
        let set = w.set(0)?;
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut hits = 0;
        for round in 0..1000 {
            let mut words: [u64; 2] = match round % 4 {
                0 => [random(), random()],
                _ => bytemuck::cast(known[random() as usize % known.len()]),
            };
            if round % 4 == 2 {
                words[random() as usize % 2] ^= 1 << (random() % 64);
            } else if round % 4 == 3 {
                // A range that begins, or would begin, near the end of the buffer.
                words[1] = (random() % 320) | (random() << 40);
            }
            set.write(w.place(2, 0), &words)?;
            set.write(w.place(1, 0), &words)?;
            w.run((&set, 0), 0, As::Image)?;
            let [found, length] = w.run((&set, 0), 0, As::Buffer)?;
            // An earlier round may have written to the word, by a range at another offset.
            let of_live = (0x100..0x104).contains(&found) || found == 0x1234_5678;
            let any = of_live && (6..=WORDS as u32).contains(&length);
            // A range may be too short for the word. The buffer of results is live too.
            let none = found == 0 && length <= WORDS as u32;
            assert!(any || none || length == 4, "{words:x?}: {found:#x}, {length} words");
            hits += u32::from(any);
        }
        assert!(hits > 100, "{hits}");
        for (i, buffer) in live.iter().enumerate() {
            let kept = |word: &u32| [0x100 + i as u32, 0x1234_5678].contains(word);
            assert!(buffer.read_all::<u32>()?.iter().all(kept));
        }
    }
    Ok(())
}

/// The table behind a handle is the device's: what another device wrote leads to nothing of that device.
#[test]
fn descriptors_of_another_device_lead_to_none_of_its_resources() -> Result<()> {
    for (other, own) in worlds().zip(worlds()) {
        let (other, w) = (other?, own?);
        let theirs = (0..8).map(|i| other.buffer(0x700 + i)).collect::<Result<Vec<_>>>()?;
        let ours = (0..4).map(|i| w.buffer(0x100 + i)).collect::<Result<Vec<_>>>()?;
        let set = w.set(0)?;
        for buffer in &theirs {
            let words: [u64; 2] = bytemuck::cast(other.of_buffer(buffer)?);
            set.write(w.place(2, 0), &words)?;
            let [found, _] = w.run((&set, 0), 0, As::Buffer)?;
            assert!(!(0x700..0x708).contains(&found), "{words:x?}: {found:#x}");
        }
        for (i, buffer) in theirs.iter().enumerate() {
            assert!(buffer.read_all::<u32>()?.iter().all(|&word| word == 0x700 + i as u32));
        }
        // The same words of this device reach its buffers.
        set.write(w.place(2, 0), &bytemuck::cast::<_, [u64; 2]>(w.of_buffer(&ours[2])?))?;
        assert_eq!(w.run((&set, 0), 0, As::Buffer)?[0], 0x102);
    }
    Ok(())
}

/// Any number of ranges of a buffer are described with one handle, and views have one each. Spec: Vulkan,
/// vkGetDescriptorEXT, which cannot report that there is no room for another descriptor.
#[test]
fn ranges_of_a_buffer_share_a_handle() -> Result<()> {
    const HANDLES: u32 = 4;
    let interp = DeviceOptions { interp: true, ..DeviceOptions::default() };
    for options in [DeviceOptions::default(), interp] {
        let w = World::new(DeviceOptions { max_handles: HANDLES, ..options })?;
        let words: [u32; WORDS] = std::array::from_fn(|i| i as u32 + 1);
        let buffer =
            w.device.create_buffer_with(&words, BufferUsage::STORAGE | BufferUsage::UNIFORM_TEXEL)?;
        let set = w.set(0)?;
        let describe = |offset, size| {
            let resource = Resource::Buffer { buffer: &buffer, offset, range: Some(size) };
            w.device.descriptor_data(DescriptorKind::StorageBuffer, resource)
        };
        let mut different = std::collections::HashSet::new();
        for offset in (0..4 * WORDS as u64).step_by(16) {
            for size in 1..=4 * WORDS as u64 - offset {
                let bytes = describe(offset, size)?;
                assert_eq!(bytes, describe(offset, size)?);
                assert!(different.insert(bytes), "{offset}, {size}");
            }
        }
        for (offset, size) in [(0, 256), (16, 24), (16, 20), (64, 100), (208, 48), (240, 16)] {
            set.write(w.place(2, 3), &describe(offset, size)?)?;
            buffer.write(0, &words)?;
            let word = if size < 24 { 0 } else { offset as u32 / 4 + 6 };
            assert_eq!(w.run((&set, 0), 3, As::Buffer)?, [word, size as u32 / 4], "{offset}, {size}");
            let mut expected = words;
            if size >= 28 {
                expected[offset as usize / 4 + 6] = 0x1234_5678;
            }
            assert_eq!(buffer.read_all::<u32>()?, expected, "{offset}, {size}");
        }
        // The buffer and that of the results have a handle, so there are two for views.
        let view = |offset| {
            let desc = BufferViewDesc { format: Format::R32_UINT, offset, range: None };
            w.device.create_buffer_view(&buffer, desc)
        };
        let views = (0..3).map(|i| view(16 * i)).collect::<Result<Vec<_>>>()?;
        assert_eq!(views.iter().map(|v| w.of_texels(v).is_ok()).collect::<Vec<_>>(), [true, true, false]);
        assert!(matches!(w.of_texels(&views[2]), Err(Error::Limit(_))));
        // A handle serves again after its view.
        drop(views);
        assert!(w.of_texels(&view(0)?).is_ok());
    }
    Ok(())
}

/// Samples outside of the image at offset 0 of the resource heap, with the sampler at offset 32 of the sampler heap or an
/// embedded one.
fn sample_border(w: &World, heaps: [&Buffer; 2], embedded: Option<u32>) -> Result<f32> {
    use heaps::{DescriptorSource, HeapPlace, Mapping, ResourceTypes, Source};
    const SOURCE: &str = "#version 460
        layout(set = 0, binding = 0) uniform sampler2D t;
        layout(set = 0, binding = 1) buffer Out { vec4 v; } o;
        void main() { o.v = textureLod(t, vec2(-0.5), 0.0); }";
    let words = frontend::compile_glsl(SOURCE, Stage::Compute, &frontend::Options::default())?;
    let mapping = |binding, offset| {
        let place = HeapPlace { offset, ..HeapPlace::default() };
        let sampler = HeapPlace { offset: 32, ..place };
        let source = DescriptorSource { place, sampler, combined_index: false, embedded };
        let (resources, source) = (ResourceTypes(!0), Source::Descriptor(source));
        Mapping { set: 0, first_binding: binding, binding_count: 1, resources, source }
    };
    let mappings = Some([mapping(0, 0), mapping(1, 16)].into());
    let module = w.device.create_shader_module(&words)?;
    let stage = ShaderStage { mappings, ..ShaderStage::only(&module, Stage::Compute)? };
    let layout = PipelineLayout::of_heaps(&w.device)?;
    let pipeline = w.device.create_compute_pipeline(&ComputePipelineDesc { stage, layout })?;
    let mut commands = w.device.create_command_buffer();
    let whole = heaps.map(|buffer| Resource::Buffer { buffer, offset: 0, range: None });
    commands.bind_compute_pipeline(&pipeline).bind_descriptor_heaps(whole).dispatch(1, 1, 1).end()?;
    w.device.queue().run(&commands)?;
    Ok(w.out.read_all::<f32>()?[0])
}

/// Heaps have samplers of their own when there are no more that could stand beside images, in mappings, too, and equal ones
/// have equal descriptors. Spec: Vulkan, vkWriteSamplerDescriptorsEXT.
#[test]
fn heaps_hold_more_samplers_than_combined_descriptors() -> Result<()> {
    let interp = DeviceOptions { interp: true, ..DeviceOptions::default() };
    for options in [DeviceOptions::default(), interp] {
        let w = World::new(DeviceOptions { max_sampler_states: 3, ..options })?;
        let border = |red: u32| SamplerDesc {
            border: BorderColor::Custom([(red as f32).to_bits(), 0, 0, 0]),
            ..SamplerDesc::nearest(AddressMode::ClampToBorder)
        };
        let keep = || (1..9).map(|i| w.device.keep_sampler(border(i))).collect::<Result<Vec<_>>>();
        let samplers = keep()?;
        // A number that stands beside an image does not change that of the heap.
        w.device.create_sampler(border(8))?;
        assert!(matches!(w.device.create_sampler(border(9)), Err(Error::Limit(_))));
        assert_eq!(keep()?, samplers);
        let usage = BufferUsage::STORAGE | BufferUsage::UNIFORM;
        let heap = || w.device.create_bound_buffer(BufferDesc { size: 64, usage });
        let (resources, held, view) = (heap()?, heap()?, w.image()?);
        resources.write(0, &w.of_image(&view)?)?;
        resources.write(16, &w.of_buffer(&w.out)?)?;
        for (sampler, red) in samplers.iter().zip(1..) {
            held.write(32, &w.device.sampler_descriptor_data(*sampler))?;
            for embedded in [None, Some(sampler.number())] {
                let found = sample_border(&w, [&resources, &held], embedded)?;
                assert_eq!(found, red as f32, "{embedded:?}");
            }
        }
    }
    Ok(())
}

/// A read that is concurrent with a descriptor write sees the buffer of either the old or the new descriptor, and a range of
/// either inside of it.
#[test]
fn descriptors_are_read_whole() -> Result<()> {
    use std::sync::atomic::{AtomicBool, Ordering};
    let w = World::new(DeviceOptions::default())?;
    let small = w.device.create_buffer_with(&[0x11u32; 7], BufferUsage::STORAGE)?;
    let large = w.buffer(0x22)?;
    let (set, at) = (w.set(0)?, w.place(2, 0));
    let [small_word, large_word] = [w.of_buffer(&small)?, w.of_buffer(&large)?];
    set.write(at, &small_word)?;
    let done = AtomicBool::new(false);
    let found = std::thread::scope(|scope| {
        let writer = scope.spawn(|| -> Result<()> {
            while !done.load(Ordering::Relaxed) {
                set.write(at, &small_word)?;
                set.write(at, &large_word)?;
            }
            Ok(())
        });
        let read = || -> Result<[u32; 2]> {
            let mut commands = w.device.create_command_buffer();
            commands.bind_compute_pipeline(&w.pipelines[0]);
            commands.bind_set_in_buffer(BindPoint::Compute, &w.layout, 0, (&set, 0));
            commands.push_constants(0, &[0u32, 0]).dispatch(1, 1, 1);
            commands.end()?;
            w.device.queue().run(&commands)?;
            let words = w.out.read_all::<u32>()?;
            Ok([words[0], words[1]])
        };
        let found: Result<Vec<[u32; 2]>> = (0..500).map(|_| read()).collect();
        done.store(true, Ordering::Relaxed);
        writer.join().unwrap()?;
        found
    })?;
    // Each access sees one of the two descriptors: the word and the length of an access may come from different ones.
    for [word, length] in found {
        assert!([0x11, 0x22].contains(&word) && [7, WORDS as u32].contains(&length), "{word:#x}, {length}");
    }
    Ok(())
}

/// Stores whose descriptors differ by lane reach the live image alone, and with the lane's own value: the lanes of a
/// null descriptor come first. Spec: Vulkan, "Null Descriptors".
#[test]
fn stores_through_null_descriptors_leave_other_lanes() -> Result<()> {
    const SOURCE: &str = "#version 460
        #extension GL_EXT_nonuniform_qualifier : require
        layout(local_size_x = 8) in;
        layout(set = 0, binding = 0, r32ui) uniform uimage2D s[2];
        void main() {
            int i = int(gl_LocalInvocationIndex);
            imageStore(s[nonuniformEXT(i & 1)], ivec2(i, 0), uvec4(100 + i));
            imageAtomicAdd(s[nonuniformEXT(i & 1)], ivec2(i, 1), uint(200 + i));
        }";
    for world in worlds() {
        let device = world?.device;
        let images =
            DescriptorBinding { count: 2, ..DescriptorBinding::new(0, DescriptorKind::StorageImage) };
        let sets = device.create_descriptor_set_layout(&[images])?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&sets), 0)?;
        let words = frontend::compile_glsl(SOURCE, Stage::Compute, &frontend::Options::default())?;
        let stage = ShaderStage::only(&device.create_shader_module(&words)?, Stage::Compute)?;
        let pipeline =
            device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
        let image =
            device.create_bound_image(ImageDesc::new_2d(Format::R32_UINT, 8, 2, ImageUsage::STORAGE))?;
        image.write_level(Aspects::COLOR, 0, &[0; 64])?;
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(Format::R32_UINT))?;
        let set = device.create_descriptor_set(&sets)?;
        set.write(0, 0, Resource::Null)?;
        set.write(0, 1, Resource::Image(&view))?;
        let mut commands = device.create_command_buffer();
        commands.bind_compute_pipeline(&pipeline);
        commands.bind_descriptor_sets(BindPoint::Compute, &layout, 0, &[&set], &[]).dispatch(1, 1, 1);
        commands.end()?;
        device.queue().run(&commands)?;
        let texels: Vec<u32> = bytemuck::pod_collect_to_vec(&image.read_level(Aspects::COLOR, 0)?);
        let row = |first: u32| [0, 1, 0, 3, 0, 5, 0, 7].map(|i| if i == 0 { 0 } else { first + i });
        assert_eq!(texels, [row(100), row(200)].concat());
    }
    Ok(())
}

/// Objects that are dropped while submissions wait, for a semaphore or an event, are freed: no shader of these submissions runs.
#[test]
fn submissions_that_wait_keep_nothing_alive() -> Result<()> {
    let device = Device::with_queues(DeviceOptions::default(), 2)?;
    let queues = [0, 1].map(|number| device.queue_at(number).unwrap());
    let (counter, event) = (device.create_timeline_semaphore(0), device.create_event());
    let waits = [(&counter, 1)];
    queues[1].submit(&[Submit { waits: &waits, ..Submit::default() }], None)?;
    let usage = BufferUsage::TRANSFER_DST | BufferUsage::SHADER_DEVICE_ADDRESS;
    let addressed = || -> Result<Buffer> {
        let buffer = device.create_bound_buffer(BufferDesc { size: 64, usage })?;
        buffer.device_address()?;
        Ok(buffer)
    };
    let begun = addressed()?;
    let mut commands = device.create_command_buffer();
    commands.fill_buffer(&begun, 0, None, 7).wait_events(&[&event]);
    commands.end()?;
    queues[0].submit(&[Submit { commands: &[&commands], ..Submit::default() }], None)?;
    let start = Instant::now();
    let reach = |what: &str, is_done: &dyn Fn() -> bool| {
        while !is_done() {
            assert!(start.elapsed() < Duration::from_secs(60), "{what}");
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    reach("the commands have begun", &|| begun.read_all::<u32>().is_ok_and(|words| words == [7; 16]));
    let used = device.heap_used();
    for _ in 0..4 {
        drop(addressed()?);
    }
    reach("nothing is alive for waits", &|| device.heap_used() == used);
    event.set();
    queues[0].wait_idle()?;
    drop(addressed()?);
    reach("nothing is alive for the wait for a semaphore", &|| device.heap_used() == used);
    counter.signal(1);
    queues[1].wait_idle()?;
    drop((begun, commands));
    assert_eq!(device.heap_used(), 0);
    Ok(())
}
