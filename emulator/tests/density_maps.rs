//! Fragment density maps: the size of each fragment, the samples that it covers, and the pixels that it writes. Expected
//! values come from the formulas of the specification. Spec: Vulkan, "Fragment Density Map Operations" and
//! "Multisampling". GLSL shaders (feature `glsl`).

#![cfg(feature = "glsl")]

use quadrille::{
    Aspects, BindPoint, Buffer, BufferUsage, CompareOp, ConservativeMode, DensityMapAttachment,
    DescriptorBinding, DescriptorKind, DescriptorSet, Device, DeviceOptions, Format, GraphicsPipelineDesc,
    Image, ImageDesc, ImageUsage, ImageView, ImageViewDesc, PipelineLayout, QueryKind, Rect,
    RenderingAttachment, RenderingInfo, ResolveMode, Result, ShaderStage, ShadingRate, Stage, Swizzle,
    frontend,
};

const WIDTH: u32 = 40;
const HEIGHT: u32 = 36;
const AREA: Rect = Rect { x: 5, y: 3, width: 30, height: 27 };
/// Corners of the triangle in 1/4 pixels.
const CORNERS: [[i32; 2]; 3] = [[13, 6], [154, 31], [36, 137]];
/// Width and height of the map in texels.
const MAP: [u32; 2] = [5, 4];
/// Width and height of the region of a texel: floor(40 / 5) = 8, and floor(36 / 4) = 9 rounded up to a power of two.
const REGION: [i32; 2] = [8, 16];
const COLOR: Format = Format::R32G32B32A32_SFLOAT;

const VERTEX: &str = "#version 450
    void main() {
        vec2 corners[3] = vec2[](vec2(3.25, 1.5), vec2(38.5, 7.75), vec2(9.0, 34.25));
        gl_Position = vec4(corners[gl_VertexIndex] / vec2(40, 36) * 2.0 - 1.0, 0.25, 1.0);
    }";

const FRAGMENT: &str = "#version 450
    #extension GL_EXT_fragment_invocation_density : require
    layout(binding = 0) buffer B { uint runs; };
    layout(location = 0) out vec4 place;
    layout(location = 1) out vec4 rest;
    void main() {
        atomicAdd(runs, 1);
        place = vec4(gl_FragCoord.xy, gl_FragSizeEXT);
        rest = vec4(gl_FragInvocationCountEXT, gl_SampleMaskIn[0], dFdx(gl_FragCoord.x), dFdy(gl_FragCoord.y));
    }";

/// Density of a texel in x and in y: 0 is undefined, and 128/255 is slightly above 1/2.
fn density(x: u32, y: u32) -> [u8; 2] {
    const ALL: [u8; 7] = [255, 127, 63, 128, 0, 1, 90];
    [ALL[((x + 3 * y) % 7) as usize], ALL[((2 * x + y + 1) % 7) as usize]]
}

/// The size of fragments for a density: at most 1 / density, and at most 32 samples in all pixels. Of the sizes that are
/// no wider and no higher, the largest area wins, then the least sum of width and height, then the greater width.
fn size([x, y]: [u8; 2], samples: u32) -> [i32; 2] {
    let fits = |size: i32, density: u8| size == 1 || (density > 0 && size * i32::from(density) <= 255);
    let sizes = [4, 2, 1].into_iter().flat_map(|w| [4, 2, 1].map(|h| [w, h]));
    let all = sizes.filter(|s| fits(s[0], x) && fits(s[1], y) && s[0] * s[1] * samples as i32 <= 32);
    all.max_by_key(|s| (s[0] * s[1], -(s[0] + s[1]), s[0])).unwrap()
}

/// Size of the fragments at a pixel, with the map moved by an offset.
fn size_at([x, y]: [i32; 2], offset: [i32; 2], samples: u32) -> [i32; 2] {
    let texel = |k: usize, v: i32| {
        let at = (i64::from(v) - i64::from(offset[k])).div_euclid(REGION[k].into());
        at.clamp(0, i64::from(MAP[k]) - 1) as u32
    };
    size(density(texel(0, x), texel(1, y)), samples)
}

/// Standard sample locations in 1/16 pixels.
fn locations(samples: u32) -> &'static [[i32; 2]] {
    if samples == 1 { &[[8, 8]] } else { &[[6, 2], [14, 6], [2, 10], [10, 14]] }
}

fn in_area([x, y]: [i32; 2]) -> bool {
    let inside = |v: i32, from: i32, n: u32| v >= from && v < from + n as i32;
    inside(x, AREA.x, AREA.width) && inside(y, AREA.y, AREA.height)
}

/// `true` if the triangle covers a location in 1/16 pixels inside of the render area.
fn is_covered(at: [i32; 2]) -> bool {
    let edge = |a: [i32; 2], b: [i32; 2]| {
        let [a, b] = [a, b].map(|p| p.map(|v| v * 4));
        (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])
    };
    let edges = [0, 1, 2].map(|i| edge(CORNERS[i], CORNERS[(i + 1) % 3]));
    assert!(!edges.contains(&0), "{at:?} lies on an edge: choose other corners");
    edges.iter().all(|&e| e > 0) && in_area(at.map(|v| v.div_euclid(16)))
}

/// The samples that a fragment covers: one set, at the locations in a pixel times the size of the fragment.
fn covered(first: [i32; 2], size: [i32; 2], samples: u32) -> u32 {
    let at = |l: &[i32; 2]| [0, 1].map(|k| first[k] * 16 + l[k] * size[k]);
    let hits = locations(samples).iter().enumerate().map(|(i, l)| u32::from(is_covered(at(l))) << i);
    hits.sum()
}

struct Bench {
    device: Device,
    layout: PipelineLayout,
    runs: Buffer,
    sets: DescriptorSet,
    map: (Image, ImageView),
    /// `true` if draws use the map.
    mapped: bool,
}

/// Result of a draw: two colours per pixel, the depths, and the numbers of fragment invocations and of samples that
/// passed the depth test.
#[derive(PartialEq)]
struct Drawn {
    place: Vec<[f32; 4]>,
    rest: Vec<[f32; 4]>,
    depth: Vec<f32>,
    runs: u32,
    passed: u64,
}

impl Bench {
    fn new(options: DeviceOptions) -> Result<Bench> {
        let device = Device::new(options)?;
        let bindings = [DescriptorBinding::new(0, DescriptorKind::StorageBuffer)];
        let set_layout = device.create_descriptor_set_layout(&bindings)?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
        let runs = device.create_buffer_with(&[0u32], BufferUsage::STORAGE | BufferUsage::TRANSFER_DST)?;
        let sets = device.create_descriptor_set(&set_layout)?;
        sets.write_buffer(0, &runs)?;
        let texels: Vec<u8> = (0..MAP[0] * MAP[1]).flat_map(|i| density(i % MAP[0], i / MAP[0])).collect();
        let map = map(&device, &texels, [Swizzle::Identity; 4])?;
        Ok(Bench { device, layout, runs, sets, map, mapped: true })
    }

    fn stage(&self, source: &str, stage: Stage) -> Result<ShaderStage> {
        let words = frontend::compile_glsl(source, stage, &frontend::Options::default())?;
        Ok(ShaderStage::new(&self.device.create_shader_module(&words)?, "main"))
    }

    fn image(&self, format: Format, samples: u32) -> Result<(Image, ImageView)> {
        let usage = match format {
            COLOR => ImageUsage::COLOR_ATTACHMENT,
            _ => ImageUsage::DEPTH_STENCIL_ATTACHMENT,
        };
        let desc = ImageDesc { samples, ..ImageDesc::new_2d(format, WIDTH, HEIGHT, usage) };
        let image = self.device.create_bound_image(desc)?;
        let view = self.device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
        Ok((image, view))
    }

    /// The scope of a draw, without its attachments.
    fn scope(&self) -> RenderingInfo {
        let view = self.map.1.clone();
        let map =
            DensityMapAttachment { view, framebuffer: [WIDTH, HEIGHT], by_layer: false, offsets: Vec::new() };
        RenderingInfo { area: AREA, density_map: self.mapped.then_some(map), ..RenderingInfo::default() }
    }

    fn draw(
        &self,
        samples: u32,
        offsets: &[[i32; 2]],
        edit: impl Fn(&mut GraphicsPipelineDesc),
    ) -> Result<Drawn> {
        self.runs.write(0, &[0u32])?;
        let fragment = self.stage(FRAGMENT, Stage::Fragment)?;
        let vertex = self.stage(VERTEX, Stage::Vertex)?;
        let mut desc = GraphicsPipelineDesc::new(&self.layout, vertex, Some(fragment));
        desc.state.color_formats = vec![Some(COLOR); 2];
        desc.state.depth_format = Some(Format::D32_SFLOAT);
        desc.state.samples = samples;
        desc.state.depth.test = true;
        desc.state.depth.write = true;
        desc.state.depth.compare = CompareOp::Less;
        edit(&mut desc);
        let pipeline = self.device.create_graphics_pipeline(&desc)?;
        let many = [self.image(COLOR, samples)?, self.image(COLOR, samples)?];
        let one = [self.image(COLOR, 1)?, self.image(COLOR, 1)?];
        let depths = [self.image(Format::D32_SFLOAT, samples)?, self.image(Format::D32_SFLOAT, 1)?];
        let resolved = |of: RenderingAttachment, to: &ImageView| {
            let resolve = (samples > 1).then(|| to.clone());
            RenderingAttachment { resolve, resolve_mode: ResolveMode::SampleZero, ..of }
        };
        let color = |i: usize| Some(resolved(RenderingAttachment::clear(&many[i].1, [-1.0; 4]), &one[i].1));
        let passed = self.device.create_query_pool(QueryKind::Occlusion, 1)?;
        let mut commands = self.device.create_command_buffer();
        commands
            .reset_query_pool(&passed, 0, 1)
            .begin_rendering(&RenderingInfo {
                colors: vec![color(0), color(1)],
                depth: Some(resolved(RenderingAttachment::clear_depth(&depths[0].1, 1.0), &depths[1].1)),
                ..self.scope()
            })
            .bind_graphics_pipeline(&pipeline)
            .bind_descriptor_sets(BindPoint::Graphics, &self.layout, 0, &[&self.sets], &[])
            .set_size(WIDTH, HEIGHT)
            .begin_query(&passed, 0)
            .draw(3, 1, 0, 0)
            .end_query(&passed, 0)
            .end_rendering_with_offsets(offsets)
            .end()?;
        self.device.queue().run(&commands)?;
        let single = samples == 1;
        let float = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let read = |i: usize| -> Result<Vec<[f32; 4]>> {
            let bytes = if single { &many } else { &one }[i].0.read_level(Aspects::COLOR, 0)?;
            Ok(bytes.chunks(16).map(|p| [0, 4, 8, 12].map(|i| float(&p[i..]))).collect())
        };
        let depth = depths[usize::from(!single)].0.read_level(Aspects::DEPTH, 0)?;
        let depth = depth.chunks(4).map(float).collect();
        let runs = self.runs.read::<u32>(0, 1)?[0];
        let passed = passed.result(0).unwrap_or(u64::MAX);
        Ok(Drawn { place: read(0)?, rest: read(1)?, depth, runs, passed })
    }
}

/// Creates a density map with these texels, and a view of it.
fn map(device: &Device, texels: &[u8], swizzle: [Swizzle; 4]) -> Result<(Image, ImageView)> {
    let usage = ImageUsage::FRAGMENT_DENSITY_MAP;
    let image = device.create_bound_image(ImageDesc::new_2d(Format::R8G8_UNORM, MAP[0], MAP[1], usage))?;
    image.write_level(Aspects::COLOR, 0, texels)?;
    let desc = ImageViewDesc { swizzle, ..ImageViewDesc::new_2d(Format::R8G8_UNORM) };
    let view = device.create_image_view(&image, desc)?;
    Ok((image, view))
}

fn interpreter() -> DeviceOptions {
    DeviceOptions { interp: true, ..DeviceOptions::default() }
}

fn pixels() -> impl Iterator<Item = (usize, [i32; 2])> {
    (0..WIDTH * HEIGHT).map(|i| (i as usize, [i % WIDTH, i / WIDTH].map(|v| v as i32)))
}

/// Checks the pixels of sample 0, and the number of invocations.
fn check(drawn: &Drawn, samples: u32, offset: [i32; 2], per_sample: bool) {
    let (mut fragments, mut written) = (std::collections::HashMap::new(), 0);
    assert_eq!(drawn.passed, passing(offset, samples));
    for (i, at) in pixels() {
        if !in_area(at) {
            assert_eq!(drawn.place[i], [0.0; 4], "{at:?} is outside of the render area");
            continue;
        }
        let size = size_at(at, offset, samples);
        let first = [0, 1].map(|k| at[k] - at[k] % size[k]);
        let mask = covered(first, size, samples);
        fragments.insert(first, mask);
        if mask & 1 == 0 {
            assert_eq!((drawn.place[i], drawn.depth[i]), ([-1.0; 4], 1.0), "{at:?} of {first:?} {size:?}");
            continue;
        }
        written += 1;
        let within = if per_sample { locations(samples)[0] } else { [8; 2] };
        let [x, y] = [0, 1].map(|k| first[k] as f32 + within[k] as f32 / 16.0 * size[k] as f32);
        let [w, h] = size.map(|v| v as f32);
        assert_eq!(drawn.place[i], [x, y, w, h], "{at:?} of {first:?}");
        let (count, seen) = if per_sample { (samples, 1) } else { (1, mask) };
        assert_eq!(drawn.rest[i], [count as f32, seen as f32, w, h], "{at:?} of {first:?}");
        assert_eq!(drawn.depth[i], 0.25, "{at:?} of {first:?}");
    }
    assert!(written > 300, "{written}");
    let runs = fragments.values().map(|mask| if per_sample { mask.count_ones() } else { (*mask).min(1) });
    assert_eq!(drawn.runs, runs.sum::<u32>());
}

/// Number of samples that fragments cover in pixels of the render area.
fn passing(offset: [i32; 2], samples: u32) -> u64 {
    let of = |at: [i32; 2]| {
        let size = size_at(at, offset, samples);
        covered([0, 1].map(|k| at[k] - at[k] % size[k]), size, samples).count_ones()
    };
    pixels().filter(|(_, at)| in_area(*at)).map(|(_, at)| u64::from(of(at))).sum()
}

#[test]
fn fragments_have_one_set_of_samples() -> Result<()> {
    let (generated, interpreted) = (Bench::new(DeviceOptions::default())?, Bench::new(interpreter())?);
    for samples in [1, 4] {
        let drawn = generated.draw(samples, &[], |_| {})?;
        check(&drawn, samples, [0; 2], false);
        assert!(drawn == interpreted.draw(samples, &[], |_| {})?, "{samples} samples");
    }
    Ok(())
}

/// Pixels of fragments outside of the render area do not pass tests.
#[test]
fn samples_outside_of_the_render_area_do_not_count() -> Result<()> {
    let bench = Bench::new(DeviceOptions::default())?;
    for samples in [1, 4] {
        let drawn = bench.draw(samples, &[], |desc| desc.state.depth.test = false)?;
        assert_eq!(drawn.passed, passing([0; 2], samples));
    }
    Ok(())
}

/// Each sample is shaded at its location in the fragment. Spec: Vulkan, "Sample Shading", FragInvocationCountEXT.
#[test]
fn samples_of_fragments_are_shaded_one_by_one() -> Result<()> {
    let (generated, interpreted) = (Bench::new(DeviceOptions::default())?, Bench::new(interpreter())?);
    let edit = |desc: &mut GraphicsPipelineDesc| {
        (desc.state.sample_shading, desc.state.sample_shading_enable) = (true, true);
    };
    let drawn = generated.draw(4, &[], edit)?;
    check(&drawn, 4, [0; 2], true);
    assert!(drawn == interpreted.draw(4, &[], edit)?);
    Ok(())
}

/// The map moves with its offset, and its edge covers the rest. Spec: VkRenderPassFragmentDensityMapOffsetEndInfoEXT.
#[test]
fn offsets_move_the_map() -> Result<()> {
    let bench = Bench::new(DeviceOptions::default())?;
    for offset in [[8, 0], [-8, 24], [16, -16], [-1000, 4000], [i32::MIN, 0x7fff_fff8]] {
        check(&bench.draw(1, &[offset], |_| {})?, 1, offset, false);
    }
    // Offsets of other layers have no effect.
    check(&bench.draw(1, &[[0, 0], [8, 8]], |_| {})?, 1, [0; 2], false);
    assert!(bench.draw(1, &[[8, 4]], |_| {}).is_err(), "not a multiple of the granularity");
    let bench = Bench { mapped: false, ..bench };
    assert!(bench.draw(1, &[[8, 8]], |_| {}).is_err(), "no map");
    // Offsets of 0 are the default.
    assert!(bench.draw(1, &[[0, 0]], |_| {})? == bench.draw(1, &[], |_| {})?);
    Ok(())
}

/// The scalar reference of output merging, stamps of every size and any number of threads give the same result.
#[test]
fn variants_agree() -> Result<()> {
    let mut first = None;
    for (lanes, threads) in [(4, 1), (8, 2), (16, 4), (32, 1)] {
        for scalar in [false, true] {
            let options = DeviceOptions { lanes, threads, ..DeviceOptions::default() };
            let drawn = Bench::new(options)?.draw(4, &[], |desc| desc.state.scalar_merge = scalar)?;
            match &first {
                None => first = Some(drawn),
                Some(first) => assert!(drawn == *first, "{lanes} lanes, {threads} threads, scalar {scalar}"),
            }
        }
    }
    Ok(())
}

/// Draws without a fragment stage cover the same samples.
#[test]
fn depth_alone_has_the_same_coverage() -> Result<()> {
    let bench = Bench::new(DeviceOptions::default())?;
    for samples in [1, 4] {
        let drawn = bench.draw(samples, &[], |desc| {
            desc.fragment = None;
            desc.state.color_formats.clear();
        });
        let drawn = drawn?;
        assert_eq!(drawn.passed, passing([0; 2], samples));
        for (i, at) in pixels().filter(|(_, at)| in_area(*at)) {
            let size = size_at(at, [0; 2], samples);
            let first = [0, 1].map(|k| at[k] - at[k] % size[k]);
            let depth = if covered(first, size, samples) & 1 == 0 { 1.0 } else { 0.25 };
            assert_eq!(drawn.depth[i], depth, "{at:?} of {first:?}");
        }
    }
    Ok(())
}

/// Overestimation covers a fragment if it touches one of its pixels, underestimation if it covers all of them. Spec:
/// Vulkan, "Conservative Rasterization".
#[test]
fn conservative_rasterization_covers_whole_fragments() -> Result<()> {
    let bench = Bench::new(DeviceOptions::default())?;
    let of = |mode| bench.draw(1, &[], move |desc| desc.state.conservative = mode);
    let all = [ConservativeMode::Underestimate, ConservativeMode::Disabled, ConservativeMode::Overestimate];
    let [under, plain, over] = all.map(of);
    let (under, plain, over) = (under?, plain?, over?);
    let mut counts = [0; 3];
    for (i, at) in pixels().filter(|(_, at)| in_area(*at)) {
        let is_in = [&under, &plain, &over].map(|d| d.place[i][0] >= 0.0);
        assert!(is_in[1] >= is_in[0] && is_in[2] >= is_in[1], "{at:?}: {is_in:?}");
        (0..3).for_each(|k| counts[k] += u32::from(is_in[k]));
        let size = size_at(at, [0; 2], 1);
        let first = [0, 1].map(|k| at[k] - at[k] % size[k]);
        if in_area(first) {
            let same = (first[1] as u32 * WIDTH + first[0] as u32) as usize;
            for drawn in [&under, &over] {
                assert_eq!(drawn.place[i], drawn.place[same], "{at:?} and {first:?}");
            }
        }
    }
    assert!(counts[0] + 30 < counts[1] && counts[1] + 30 < counts[2], "{counts:?}");
    Ok(())
}

/// Densities are the first two components of the view.
#[test]
fn densities_are_swizzled() -> Result<()> {
    use Swizzle::{G, Identity, One, R, Zero};
    let mut bench = Bench::new(DeviceOptions::default())?;
    let texels: Vec<u8> = [127, 63].repeat((MAP[0] * MAP[1]) as usize);
    // Blue is 0, which requests nothing; alpha is 1.
    let cases = [
        ([Identity; 4], [2, 4]),
        ([G, R, Identity, Identity], [4, 2]),
        ([One, R, Identity, Identity], [1, 2]),
        ([G, Zero, Identity, Identity], [4, 1]),
        ([Swizzle::B, G, Identity, Identity], [1, 4]),
        ([R, Swizzle::A, Identity, Identity], [2, 1]),
    ];
    for (swizzle, size) in cases {
        bench.map = map(&bench.device, &texels, swizzle)?;
        let drawn = bench.draw(1, &[], |_| {})?;
        let place = drawn.place[(16 * WIDTH + 16) as usize];
        assert_eq!(place[2..], size.map(|v: u32| v as f32), "{swizzle:?}");
    }
    Ok(())
}

/// Shading rates have no effect beside a map. They do not change FragSizeEXT, which is 1 x 1 without a map.
#[test]
fn shading_rates_are_not_densities() -> Result<()> {
    let bench = Bench::new(DeviceOptions::default())?;
    let rate = ShadingRate { size: [2, 4], ..ShadingRate::default() };
    let rated = |desc: &mut GraphicsPipelineDesc| desc.fixed.shading_rate = rate;
    assert!(bench.draw(1, &[], |_| {})? == bench.draw(1, &[], rated)?);
    let bench = Bench { mapped: false, ..bench };
    let drawn = bench.draw(1, &[], rated)?;
    let i = (16 * WIDTH + 16) as usize;
    assert_eq!((drawn.place[i], drawn.rest[i][2..].to_vec()), ([17.0, 18.0, 1.0, 1.0], vec![2.0, 4.0]));
    Ok(())
}
