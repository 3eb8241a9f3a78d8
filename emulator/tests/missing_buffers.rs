//! Sparse buffers with unbound pages: writes to unbound pages are dropped, and reads return zero. Spec: Vulkan,
//! "Accessing Unbound Regions" (residencyNonResidentStrict).

mod pages;

#[cfg(target_os = "linux")]
use pages::peak;
use pages::{bind, device};
use quadrille::*;

/// Size in words of a sparse buffer of four pages; the first and the third page are bound.
const WORDS: u32 = 4 << 14;

fn has_memory(word: u32) -> bool {
    (word >> 14).is_multiple_of(2)
}

fn pieces(device: &Device) -> Result<Buffer> {
    let usage = BufferUsage::STORAGE
        | BufferUsage::TRANSFER_SRC
        | BufferUsage::TRANSFER_DST
        | BufferUsage::SHADER_DEVICE_ADDRESS;
    let buffer = device.create_sparse_buffer(BufferDesc { size: u64::from(WORDS) * 4, usage })?;
    let memory = device.allocate_shared(2 * SPARSE_PAGE)?;
    for (page, at) in [(0, 0), (2, SPARSE_PAGE)] {
        let range = page * SPARSE_PAGE..(page + 1) * SPARSE_PAGE;
        bind(device, SparsePart::Buffer(&buffer, range), Some((&memory, at)))?;
    }
    Ok(buffer)
}

/// Runs a body for each word number `i`. The body writes to `data`, `counts` or `rows`, which are the same buffer, and
/// sets `told`. Returns the values of `told`, and the contents of the buffer.
fn run(device: &Device, buffer: &Buffer, body: &str) -> Result<[Vec<u32>; 2]> {
    let source = format!(
        "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
        @group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
        @group(0) @binding(2) var<storage, read_write> rows: array<vec4<u32>>;
        @group(0) @binding(3) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            let i = id.x;
            let far = (i * 40503u) & {}u;
            var told = 0u;
            {body}
            out[i] = told;
        }}",
        WORDS - 1
    );
    let module = device.create_shader_module(&frontend::compile_wgsl(&source, &Default::default())?)?;
    let bindings: Vec<_> = (0..4).map(|i| DescriptorBinding::new(i, DescriptorKind::StorageBuffer)).collect();
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
    let stage = ShaderStage::only(&module, Stage::Compute)?;
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
    let usage = BufferUsage::STORAGE | BufferUsage::TRANSFER_DST;
    let [told, held] = [(); 2].map(|()| device.create_buffer_with(&vec![9u32; WORDS as usize], usage));
    let (told, held) = (told?, held?);
    let set = device.create_descriptor_set(&set_layout)?;
    (0..3).try_for_each(|i| set.write_buffer(i, buffer))?;
    set.write_buffer(3, &told)?;
    let size = u64::from(WORDS) * 4;
    let mut commands = device.create_command_buffer();
    commands.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set).dispatch(WORDS / 64, 1, 1);
    commands.copy_buffer(buffer, &held, &[BufferCopy { src_offset: 0, dst_offset: 0, size }]).end()?;
    device.queue().run(&commands)?;
    Ok([told.read_all()?, held.read_all()?])
}

/// Variants in which shaders run: both tiers, the interpreter, and three lane group sizes.
const EXECUTORS: [(Opt, bool, u32); 4] =
    [(Opt::Speed, false, 8), (Opt::Speed, false, 16), (Opt::None, false, 8), (Opt::None, true, 4)];

/// Stores and atomics to unbound words are not visible, not even to the invocation that executes them.
#[test]
fn shaders_leave_nothing_in_buffers_where_nothing_is_bound() -> Result<()> {
    let far = |i: u32| i.wrapping_mul(40503) & (WORDS - 1);
    type Told = fn(u32) -> u32;
    // A body; the final value of a word, by its number; the word that an invocation reads back, and its value, by the
    // invocation number.
    let cases: [(&str, Told, &dyn Fn(u32) -> u32, Told); 8] = [
        ("data[i] = i + 1u; told = data[i];", |w| w + 1, &|i| i, |i| i + 1),
        (
            "data[far] = far + 2u; told = data[far];",
            |w| w + 2,
            &far,
            |i| (i.wrapping_mul(40503) & (WORDS - 1)) + 2,
        ),
        (
            "if i % 3u == 0u { data[i] = 7u; } told = data[i];",
            |w| u32::from(w % 3 == 0) * 7,
            &|i| i,
            |i| u32::from(i % 3 == 0) * 7,
        ),
        (
            "data[100] = 5u; data[20000] = 6u; told = data[20000] + data[100];",
            |w| u32::from(w == 100) * 5 + u32::from(w == 20000) * 6,
            &|_| 0,
            |_| 5,
        ),
        (
            "if i < 16384u { rows[i] = vec4(i, i + 1u, i + 2u, i + 3u); } told = data[i / 4u * 4u];",
            |w| w / 4 + w % 4,
            &|_| 0,
            |_| !0,
        ),
        ("atomicAdd(&counts[i], 5u); told = atomicAdd(&counts[i], 5u);", |_| 10, &|i| i, |_| 5),
        ("atomicMax(&counts[far], 4u); told = atomicExchange(&counts[far], 9u);", |_| 9, &far, |_| 4),
        ("atomicStore(&counts[i], 3u); told = atomicLoad(&counts[i]);", |_| 3, &|i| i, |_| 3),
    ];
    for (opt, interp, lanes) in EXECUTORS {
        let options =
            DeviceOptions { sparse_buffers: true, opt, interp, lanes, threads: 2, ..Default::default() };
        let device = Device::new(options)?;
        let buffer = pieces(&device)?;
        for (body, last, word, value) in &cases {
            let mut commands = device.create_command_buffer();
            commands.fill_buffer(&buffer, 0, None, 0).end()?;
            device.queue().run(&commands)?;
            let [told, held] = run(&device, &buffer, body)?;
            for i in 0..WORDS {
                let there = |word: u32, value: u32| if has_memory(word) { value } else { 0 };
                assert_eq!(
                    held[i as usize],
                    there(i, last(i)),
                    "{body}: word {i}, {opt:?}, {interp}, {lanes}"
                );
                // Other invocations write rows, so their values are not checked here.
                if value(i) != !0 {
                    assert_eq!(
                        told[i as usize],
                        there(word(i), value(i)),
                        "{body}: told {i}, {opt:?}, {interp}"
                    );
                }
            }
        }
        // When every page is bound, all words are written.
        let memory = device.allocate_shared(2 * SPARSE_PAGE)?;
        for page in [1, 3] {
            let range = page * SPARSE_PAGE..(page + 1) * SPARSE_PAGE;
            bind(&device, SparsePart::Buffer(&buffer, range), Some((&memory, (page - 1) / 2 * SPARSE_PAGE)))?;
        }
        let [_, held] = run(&device, &buffer, "data[i] = i + 1u;")?;
        assert!((0..WORDS).all(|i| held[i as usize] == i + 1));
    }
    Ok(())
}

#[test]
fn transfers_leave_nothing_in_buffers_where_nothing_is_bound() -> Result<()> {
    let device = device()?;
    let buffer = pieces(&device)?;
    let size = u64::from(WORDS) * 4;
    let usage = BufferUsage::TRANSFER_SRC | BufferUsage::TRANSFER_DST;
    let values: Vec<u32> = (1..=WORDS).collect();
    let (from, out) =
        (device.create_buffer_with(&values, usage)?, device.create_buffer_with(&values, usage)?);
    let (size_px, image_usage) = ([256, 256, 1], ImageUsage::TRANSFER_SRC | ImageUsage::TRANSFER_DST);
    let image = device.create_bound_image(ImageDesc::new_2d(Format::R32_UINT, 256, 256, image_usage))?;
    let whole = [BufferCopy { src_offset: 0, dst_offset: 0, size }];
    let check =
        |what: &str, expected: &dyn Fn(u32) -> u32, record: &dyn Fn(&mut CommandBuffer)| -> Result<()> {
            let mut commands = device.create_command_buffer();
            record(&mut commands);
            commands.copy_buffer(&buffer, &out, &whole).end()?;
            device.queue().run(&commands)?;
            for (i, word) in out.read_all::<u32>()?.into_iter().enumerate() {
                let i = i as u32;
                assert_eq!(word, if has_memory(i) { expected(i) } else { 0 }, "{what}: word {i}");
            }
            Ok(())
        };
    check("a copy", &|i| i + 1, &|c| {
        c.copy_buffer(&from, &buffer, &whole);
    })?;
    check("a fill", &|_| 3, &|c| {
        c.fill_buffer(&buffer, 0, None, 3);
    })?;
    check("from an image", &|_| 4, &|c| {
        c.clear_color_image(&image, [4; 4], &[SubresourceRange::all(Aspects::COLOR)]);
        c.copy_image_to_buffer(&image, &buffer, &[BufferImageCopy::whole(size_px)]);
    })?;
    check("an update", &|i| if (16000..17000).contains(&i) { 8 } else { 4 }, &|c| {
        c.update_buffer(&buffer, 16000 * 4, &[8u32; 1000]);
    })?;
    buffer.write(0, &values)?;
    check("the host", &|i| i + 1, &|_| {})
}

/// Stores through addresses, with one address for all invocations or a separate address for each. If a vector begins
/// before an unbound page, its components before the page are stored.
#[test]
#[cfg(feature = "glsl")]
fn shaders_leave_nothing_behind_addresses_where_nothing_is_bound() -> Result<()> {
    type Held = fn(u32) -> u32;
    // A body, and the final value of a bound word.
    let cases: [(&str, Held); 5] = [
        ("to.w[i] = i + 1; told = to.w[i];", |w| w + 1),
        ("Words(at + 4ul * far).w[0] = far + 2; told = Words(at + 4ul * i).w[0];", |w| w + 2),
        (
            "if (i % 4 == 0 && i < last - 2) Four(at + 4ul * i + 8ul).v = uvec4(i, i + 1, i + 2, i + 3);",
            |w| w.saturating_sub(2),
        ),
        ("told = atomicAdd(to.w[i], 5) + atomicAdd(to.w[i], 5);", |_| 10),
        ("atomicMax(Words(at + 4ul * far).w[0], far);", |w| w),
    ];
    for (opt, interp, lanes) in EXECUTORS {
        let options =
            DeviceOptions { sparse_buffers: true, opt, interp, lanes, threads: 2, ..Default::default() };
        let device = Device::new(options)?;
        let buffer = pieces(&device)?;
        let address = buffer.device_address()?;
        let told =
            device.create_buffer_with(&vec![9u32; WORDS as usize], BufferUsage::SHADER_DEVICE_ADDRESS)?;
        let layout = device.create_pipeline_layout(&[], 16)?;
        for (body, held) in &cases {
            let source = format!(
                "#version 450
                #extension GL_EXT_buffer_reference : require
                #extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
                layout(local_size_x = 64) in;
                layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {{ uint w[]; }};
                layout(buffer_reference, std430, buffer_reference_align = 8) buffer Four {{ uvec4 v; }};
                layout(push_constant) uniform P {{ Words to, tell; }};
                void main() {{
                    const uint i = gl_GlobalInvocationID.x, last = {}, far = (i * 40503) & last;
                    const uint64_t at = uint64_t(to);
                    uint told = 0;
                    {body}
                    tell.w[i] = told;
                }}",
                WORDS - 1
            );
            let words = frontend::compile_glsl(&source, Stage::Compute, &frontend::Options::default())?;
            let stage = ShaderStage::only(&device.create_shader_module(&words)?, Stage::Compute)?;
            let layout = layout.clone();
            let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout })?;
            let mut commands = device.create_command_buffer();
            commands.fill_buffer(&buffer, 0, None, 0).bind_compute_pipeline(&pipeline);
            commands
                .push_constants(0, &[address, told.device_address()?])
                .dispatch(WORDS / 64, 1, 1)
                .end()?;
            device.queue().run(&commands)?;
            let (all, told) = (buffer.read_all::<u32>()?, told.read_all::<u32>()?);
            for i in 0..WORDS {
                let what = format!("{body}: word {i}, {opt:?}, {interp}, {lanes}");
                assert_eq!(all[i as usize], if has_memory(i) { held(i) } else { 0 }, "{what}");
                if !has_memory(i) {
                    assert_eq!(told[i as usize], 0, "told of {what}");
                }
            }
        }
    }
    Ok(())
}

/// A buffer of one gigabyte with one bound page in its middle: transfers to unbound pages take no host memory.
#[test]
#[cfg(target_os = "linux")]
fn transfers_take_no_memory_where_nothing_is_bound() -> Result<()> {
    const SIZE: u64 = 1 << 30;
    let device = device()?;
    let usage = BufferUsage::TRANSFER_SRC | BufferUsage::TRANSFER_DST;
    let [from, to] = [(); 2].map(|()| device.create_sparse_buffer(BufferDesc { size: SIZE, usage }));
    let (from, to) = (from?, to?);
    let memory = device.allocate_shared(2 * SPARSE_PAGE)?;
    let middle = SIZE / 2..SIZE / 2 + SPARSE_PAGE;
    bind(&device, SparsePart::Buffer(&from, middle.clone()), Some((&memory, 0)))?;
    bind(&device, SparsePart::Buffer(&to, middle.clone()), Some((&memory, SPARSE_PAGE)))?;
    let before = peak();
    let mut commands = device.create_command_buffer();
    commands.fill_buffer(&from, 0, None, 7).fill_buffer(&to, 0, None, 1);
    let size = SIZE - 4;
    commands.copy_buffer(&from, &to, &[BufferCopy { src_offset: 0, dst_offset: 4, size }]).end()?;
    device.queue().run(&commands)?;
    assert!(peak() < before + SIZE / 4, "{} MiB", (peak() - before) >> 20);
    let words: Vec<u32> = to.read(middle.start - 4, SPARSE_PAGE as usize / 4 + 2)?;
    let (first, rest) = (words[..2].to_vec(), &words[2..]);
    // The first word of the page is copied from an unbound page.
    assert_eq!((first, *rest.last().unwrap()), (vec![0, 0], 0));
    assert!(rest[..rest.len() - 1].iter().all(|word| *word == 7));
    Ok(())
}
