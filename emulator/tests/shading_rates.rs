//! Fragments of several pixels: the result of each covered pixel, with the rates of draw, primitive and attachment, and
//! the number of fragment invocations. Spec: Vulkan, "Fragment Shading Rates". GLSL shaders (feature `glsl`).

#![cfg(feature = "glsl")]

use quadrille::{
    Aspects, BindPoint, Buffer, BufferUsage, CompareOp, DescriptorBinding, DescriptorKind, DescriptorSet,
    Device, DeviceOptions, DynamicStates, Format, GraphicsPipeline, GraphicsPipelineDesc, Image, ImageDesc,
    ImageUsage, ImageView, ImageViewDesc, PipelineLayout, RateCombiner, Rect, RenderingAttachment,
    RenderingInfo, ResolveMode, Result, ShaderStage, ShadingRate, ShadingRateAttachment, Stage, frontend,
};

const SIZE: u32 = 90;
/// Row length of the buffer in which fragments count; some fragment centres are outside of the image.
const STRIDE: u32 = 96;

/// A triangle that covers part of the image; the instance index encodes the rate.
const VERTEX: &str = "#version 450
    #extension GL_EXT_fragment_shading_rate : require
    layout(location = 0) out vec2 at;
    void main() {
        vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
        gl_Position = vec4(p * vec2(2.9, 2.3) - 0.93, p.x * 0.3, 1.0);
        gl_PrimitiveShadingRateEXT = gl_InstanceIndex;
        at = (gl_Position.xy * 0.5 + 0.5) * 90.0;
    }";

const FRAGMENT: &str = "#version 450
    #extension GL_EXT_fragment_shading_rate : require
    layout(binding = 0) buffer B { uint runs[]; };
    EARLY
    layout(location = 0) in vec2 at;
    layout(location = 0) out vec4 place;
    layout(location = 1) out vec4 rate;
    void main() {
        ivec2 pixel = ivec2(gl_FragCoord.xy);
        if (COUNTS) atomicAdd(runs[pixel.y * 96 + pixel.x], 1);
        vec2 offset = interpolateAtOffset(at, vec2(0.25, -0.125)) - at;
        place = vec4(gl_FragCoord.xy, at);
        rate = vec4(gl_ShadingRateEXT, dFdx(gl_FragCoord.x), dFdy(gl_FragCoord.y), offset.x - 2.0 * offset.y);
    }";

struct Bench {
    device: Device,
    layout: PipelineLayout,
    runs: Buffer,
    sets: DescriptorSet,
    rates: (Image, ImageView),
}

/// Result of a draw: two colours per pixel, and the number of fragment invocations at each position.
#[derive(PartialEq)]
struct Drawn {
    place: Vec<[f32; 4]>,
    rate: Vec<[f32; 4]>,
    runs: Vec<u32>,
}

const COLOR: Format = Format::R32G32B32A32_SFLOAT;

/// Decodes the size of a fragment.
fn decode(rate: u32) -> [u32; 2] {
    [1 << (rate >> 2), 1 << (rate & 3)]
}

/// Rate of a pixel in the attachment: all rates, some of them too coarse.
fn texel(x: u32, y: u32) -> u32 {
    [0, 1, 4, 5, 6, 9, 10, 2, 8, 0][((x / 8 + 3 * (y / 16)) % 10) as usize]
}

impl Bench {
    fn new(interp: bool) -> Result<Bench> {
        Bench::of(Device::new(DeviceOptions { interp, ..DeviceOptions::default() })?)
    }

    fn of(device: Device) -> Result<Bench> {
        let bindings = [DescriptorBinding::new(0, DescriptorKind::StorageBuffer)];
        let set_layout = device.create_descriptor_set_layout(&bindings)?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
        let usage = BufferUsage::STORAGE | BufferUsage::TRANSFER_DST;
        let runs = device.create_buffer_with(&vec![0u32; (STRIDE * STRIDE) as usize], usage)?;
        let sets = device.create_descriptor_set(&set_layout)?;
        sets.write_buffer(0, &runs)?;
        let usage = ImageUsage::FRAGMENT_SHADING_RATE_ATTACHMENT;
        let image = device.create_bound_image(ImageDesc::new_2d(Format::R8_UINT, 12, 6, usage))?;
        let texels: Vec<u8> = (0..6 * 12).map(|i| texel(i % 12 * 8, i / 12 * 16) as u8).collect();
        image.write_level(Aspects::COLOR, 0, &texels)?;
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(Format::R8_UINT))?;
        Ok(Bench { device, layout, runs, sets, rates: (image, view) })
    }

    fn stage(&self, source: &str, stage: Stage) -> Result<ShaderStage> {
        let words = frontend::compile_glsl(source, stage, &frontend::Options::default())?;
        Ok(ShaderStage::new(&self.device.create_shader_module(&words)?, "main"))
    }

    fn pipeline(&self, samples: u32, edit: impl Fn(&mut GraphicsPipelineDesc)) -> Result<GraphicsPipeline> {
        // Shaders that write memory run before the depth test, unless they request early tests.
        let [counts, early] = match samples {
            1 => ["true", "layout(early_fragment_tests) in;"],
            _ => ["false", ""],
        };
        let fragment = FRAGMENT.replace("COUNTS", counts).replace("EARLY", early);
        let fragment = self.stage(&fragment, Stage::Fragment)?;
        let vertex = self.stage(VERTEX, Stage::Vertex)?;
        let mut desc = GraphicsPipelineDesc::new(&self.layout, vertex, Some(fragment));
        desc.state.color_formats = vec![Some(COLOR); 2];
        desc.state.samples = samples;
        desc.state.depth_format = Some(Format::D32_SFLOAT);
        desc.state.depth.test = true;
        desc.state.depth.compare = CompareOp::Less;
        desc.dynamic |= DynamicStates::FRAGMENT_SHADING_RATE;
        edit(&mut desc);
        self.device.create_graphics_pipeline(&desc)
    }

    fn image(&self, format: Format, samples: u32) -> Result<(Image, ImageView)> {
        let usage = match format {
            COLOR => ImageUsage::COLOR_ATTACHMENT,
            _ => ImageUsage::DEPTH_STENCIL_ATTACHMENT,
        };
        let desc = ImageDesc { samples, ..ImageDesc::new_2d(format, SIZE, SIZE, usage) };
        let image = self.device.create_bound_image(desc)?;
        let view = self.device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
        Ok((image, view))
    }

    fn draw(&self, pipeline: &GraphicsPipeline, samples: u32, rate: ShadingRate, word: u32) -> Result<Drawn> {
        self.runs.write(0, &vec![0u32; (STRIDE * STRIDE) as usize])?;
        let (many, one) =
            ([(); 2].map(|()| self.image(COLOR, samples)), [(); 2].map(|()| self.image(COLOR, 1)));
        let ([a, b], [c, d]) = (many, one);
        let (many, one) = ([a?, b?], [c?, d?]);
        let depth = self.image(Format::D32_SFLOAT, samples)?;
        let color = |i: usize| {
            let color = RenderingAttachment::clear(&many[i].1, [-1.0; 4]);
            let resolve = (samples > 1).then(|| one[i].1.clone());
            Some(RenderingAttachment { resolve, resolve_mode: ResolveMode::SampleZero, ..color })
        };
        let area = Rect { x: 1, y: 0, width: SIZE - 3, height: SIZE };
        let mut commands = self.device.create_command_buffer();
        commands
            .begin_rendering(&RenderingInfo {
                area,
                colors: vec![color(0), color(1)],
                // The right part of the triangle fails the depth test.
                depth: Some(RenderingAttachment::clear_depth(&depth.1, 0.15)),
                shading_rate: Some(ShadingRateAttachment { view: self.rates.1.clone(), texel_px: [8, 16] }),
                ..RenderingInfo::default()
            })
            .bind_graphics_pipeline(pipeline)
            .bind_descriptor_sets(BindPoint::Graphics, &self.layout, 0, &[&self.sets], &[])
            .set_size(SIZE, SIZE)
            .set_fragment_shading_rate(rate)
            .draw(3, 1, 0, word)
            .end_rendering()
            .end()?;
        self.device.queue().run(&commands)?;
        let from = if samples > 1 { &one } else { &many };
        let read = |i: usize| -> Result<Vec<[f32; 4]>> {
            let bytes = from[i].0.read_level(Aspects::COLOR, 0)?;
            let float = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
            Ok(bytes.chunks(16).map(|p| [0, 4, 8, 12].map(|i| float(&p[i..]))).collect())
        };
        Ok(Drawn { place: read(0)?, rate: read(1)?, runs: self.runs.read(0, (STRIDE * STRIDE) as usize)? })
    }
}

/// Clamps a rate according to the specification. Candidates are sizes with at most 32 samples that are no wider and no
/// higher. The largest area wins, then the smallest sum of width and height, then the greater width.
fn clamp(rate: [u32; 2], samples: u32) -> [u32; 2] {
    let sizes = [4, 2, 1].into_iter().flat_map(|w| [4, 2, 1].map(|h| [w, h]));
    let fits = |s: &[u32; 2]| s[0] <= rate[0] && s[1] <= rate[1] && s[0] * s[1] * samples <= 32;
    sizes.filter(fits).max_by_key(|s| (s[0] * s[1], -((s[0] + s[1]) as i32), s[0])).unwrap()
}

/// Combines two rates according to the specification.
fn combine(op: RateCombiner, a: [u32; 2], b: [u32; 2], samples: u32) -> [u32; 2] {
    let (a, b) = (clamp(a, samples), clamp(b, samples));
    let size = [0, 1].map(|k| match op {
        RateCombiner::Keep => a[k],
        RateCombiner::Replace => b[k],
        RateCombiner::Min => a[k].min(b[k]),
        RateCombiner::Max => a[k].max(b[k]),
        RateCombiner::Mul => a[k] * b[k],
    });
    clamp(size, samples)
}

/// Checks that every covered pixel holds the output of its fragment, that other pixels are unchanged, and that each
/// fragment runs once.
fn check(fine: &Drawn, coarse: &Drawn, size_of: impl Fn(u32, u32) -> [u32; 2], counted: bool) {
    let mut runs = vec![0; (STRIDE * STRIDE) as usize];
    for i in 0..SIZE * SIZE {
        let ([x, y], i) = ([i % SIZE, i / SIZE], i as usize);
        if !(1..SIZE - 2).contains(&x) {
            assert_eq!(coarse.place[i], [0.0; 4], "{x}, {y} is outside of the render area");
            continue;
        }
        if fine.place[i][0] < 0.0 {
            assert_eq!((coarse.place[i], coarse.rate[i]), ([-1.0; 4], [-1.0; 4]), "{x}, {y} is not covered");
            continue;
        }
        assert_eq!(fine.place[i][..2], [x as f32 + 0.5, y as f32 + 0.5]);
        let size = size_of(x, y);
        let first = [x - x % size[0], y - y % size[1]];
        let middle = [0, 1].map(|k| first[k] as f32 + size[k] as f32 * 0.5);
        let word = size[0].ilog2() << 2 | size[1].ilog2();
        let place = coarse.place[i];
        assert_eq!(place[..2], middle, "{x}, {y} with fragments of {size:?}");
        // Vertices are snapped to 1/256 pixel.
        let near = |k: usize| (place[2 + k] - middle[k]).abs() < 1e-2;
        assert!(near(0) && near(1), "{x}, {y}: {place:?}");
        assert_eq!(coarse.rate[i][..3], [word as f32, size[0] as f32, size[1] as f32], "{x}, {y}");
        assert!((coarse.rate[i][3] - 0.5).abs() < 1e-2, "{x}, {y}: {:?}", coarse.rate[i]);
        let [px, py] = [0, 1].map(|k| first[k] + size[k] / 2);
        runs[(py * STRIDE + px) as usize] = 1;
    }
    assert!(!counted || coarse.runs == runs, "fragments run once each");
}

#[test]
fn pixels_get_what_their_fragment_puts_out() -> Result<()> {
    use RateCombiner::{Keep, Max, Min, Mul, Replace};
    let cases = [
        ([2, 2], [Keep, Keep], 0),
        ([4, 1], [Keep, Keep], 5),
        ([1, 4], [Min, Keep], 9),
        ([1, 1], [Replace, Keep], 6),
        ([2, 1], [Mul, Keep], 4),
        ([4, 4], [Keep, Replace], 0),
        ([1, 2], [Max, Max], 4),
        ([2, 2], [Replace, Mul], 1),
        ([4, 2], [Keep, Min], 10),
    ];
    let (generated, interpreted) = (Bench::new(false)?, Bench::new(true)?);
    for samples in [1, 4] {
        let pipelines = [generated.pipeline(samples, |_| {})?, interpreted.pipeline(samples, |_| {})?];
        let fine = generated.draw(&pipelines[0], samples, ShadingRate::default(), 0)?;
        assert!(
            (1000..SIZE * SIZE - 1000).contains(&(fine.place.iter().filter(|p| p[0] < 0.0).count() as u32))
        );
        for (size, combiners, word) in cases {
            let rate = ShadingRate { size, combiners };
            let drawn = generated.draw(&pipelines[0], samples, rate, word)?;
            assert!(drawn == interpreted.draw(&pipelines[1], samples, rate, word)?, "{rate:?} {word}");
            let own = combine(combiners[0], size, decode(word), samples);
            let of = |x, y| combine(combiners[1], own, decode(texel(x, y)), samples);
            check(&fine, &drawn, of, samples == 1);
        }
    }
    Ok(())
}

/// The scalar reference of output merging, and stamps of every size, give the same result.
#[test]
fn merging_and_stamps_of_all_kinds_agree() -> Result<()> {
    let rate = ShadingRate { size: [4, 2], combiners: [RateCombiner::Keep, RateCombiner::Max] };
    let mut first = None;
    for lanes in [4, 8, 16, 32] {
        for scalar in [false, true] {
            let bench = Bench::of(Device::new(DeviceOptions { lanes, ..DeviceOptions::default() })?)?;
            let pipeline = bench.pipeline(4, |desc| desc.state.scalar_merge = scalar)?;
            let drawn = bench.draw(&pipeline, 4, rate, 0)?;
            match &first {
                None => first = Some(drawn),
                Some(first) => assert!(drawn == *first, "{lanes} lanes, scalar {scalar}"),
            }
        }
    }
    Ok(())
}

/// Sample masks have bits for the samples of all pixels of a fragment. The input mask is the coverage, and the output
/// mask selects samples of each pixel. Spec: Vulkan, "Multisampling" (primsrast-multisampling-coverage-mask-vrfs).
#[test]
fn sample_masks_are_of_all_pixels_of_a_fragment() -> Result<()> {
    const OUT: u32 = 0b1011_0010_1110_0100_1001_0110_0100_1101;
    let (generated, interpreted) = (Bench::new(false)?, Bench::new(true)?);
    let source = FRAGMENT.replace("COUNTS", "false").replace("EARLY", "");
    let source =
        source.replace("gl_FragCoord.xy, at)", "gl_FragCoord.xy, vec2(masked & 0xffffu, masked >> 16))");
    let source = source.replace(
        "void main() {",
        &format!("void main() {{ uint masked = gl_SampleMaskIn[0]; gl_SampleMask[0] = int({OUT}u);"),
    );
    for (samples, size) in
        [(1, [4, 4]), (1, [2, 4]), (2, [4, 4]), (4, [2, 2]), (4, [4, 2]), (8, [2, 1]), (16, [1, 2])]
    {
        let pipeline = |bench: &Bench, source: Option<&str>| {
            let fragment = source.map(|source| bench.stage(source, Stage::Fragment)).transpose()?;
            bench.pipeline(samples, |desc| {
                desc.state.depth.test = false;
                desc.fragment = fragment.clone().or(desc.fragment.take());
            })
        };
        let fine = generated.draw(&pipeline(&generated, None)?, samples, ShadingRate::default(), 0)?;
        let rate = ShadingRate { size, ..ShadingRate::default() };
        let drawn = generated.draw(&pipeline(&generated, Some(&source))?, samples, rate, 0)?;
        let same = interpreted.draw(&pipeline(&interpreted, Some(&source))?, samples, rate, 0)?;
        assert!(drawn == same, "{samples} samples, {size:?}");
        let covered = |x: u32, y: u32| {
            x < SIZE
                && y < SIZE
                && (1..SIZE - 2).contains(&x)
                && fine.place[(y * SIZE + x) as usize][0] >= 0.0
        };
        let bit = |x: u32, y: u32| samples * (size[0] * size[1] - 1 - (x % size[0] + y % size[1] * size[0]));
        let (mut partly, mut left_out) = (0, 0);
        for [x, y] in (0..SIZE * SIZE).map(|i| [i % SIZE, i / SIZE]).filter(|&[x, y]| covered(x, y)) {
            let place = drawn.place[(y * SIZE + x) as usize];
            if OUT >> bit(x, y) & 1 == 0 {
                assert_eq!(place, [-1.0; 4], "{x}, {y}: {size:?}, {samples} samples");
                left_out += 1;
                continue;
            }
            let mask = place[2] as u32 | (place[3] as u32) << 16;
            let [left, top] = [x - x % size[0], y - y % size[1]];
            // The images hold the first sample of each pixel.
            for [x, y] in (0..size[0] * size[1]).map(|i| [left + i % size[0], top + i / size[0]]) {
                let read = mask >> bit(x, y) & 1 == 1;
                assert_eq!(read, covered(x, y), "{x}, {y}: {mask:#b} of {size:?}, {samples} samples");
                partly += u32::from(!read);
            }
        }
        assert!(partly > 20 && left_out > 500, "{partly} {left_out}: {size:?}, {samples} samples");
    }
    Ok(())
}

/// With sample shading, fragments are single pixels at any rate.
#[test]
fn some_shaders_see_pixels_only() -> Result<()> {
    let bench = Bench::new(false)?;
    let rate = ShadingRate { size: [4, 4], ..ShadingRate::default() };
    let fine = bench.draw(&bench.pipeline(4, |_| {})?, 4, ShadingRate::default(), 0)?;
    let pipeline = bench.pipeline(4, |desc| desc.state.sample_shading_enable = true)?;
    assert!(bench.draw(&pipeline, 4, rate, 0)? == fine);
    // Unsupported sizes.
    let mut commands = bench.device.create_command_buffer();
    commands.set_fragment_shading_rate(ShadingRate { size: [8, 1], ..ShadingRate::default() });
    assert!(commands.end().is_err());
    Ok(())
}
