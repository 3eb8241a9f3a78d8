//! Fragments of density maps at edges: those of framebuffers whose size no fragment divides, and those of viewports with
//! regions of one pixel. Expected values come from the formulas of the specification. Spec: Vulkan, "Fragment Density Map
//! Operations" and "Multisampling". GLSL shaders (feature `glsl`).

#![cfg(feature = "glsl")]

use quadrille::{
    Aspects, DensityMapAttachment, Device, DeviceOptions, Format, GraphicsPipeline, GraphicsPipelineDesc,
    Image, ImageDesc, ImageUsage, ImageView, ImageViewDesc, Rect, RenderingAttachment, RenderingInfo,
    ResolveMode, Result, ShaderStage, Stage, Viewport, frontend,
};

const COLOR: Format = Format::R32G32B32A32_SFLOAT;
const CLEAR: [f32; 4] = [-1.0; 4];

const VERTEX: &str = "#version 450
    void main() {
        gl_Position = vec4(4.0 * vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) - 1.0, 0.0, 1.0);
    }";

const FRAGMENT: &str = "#version 450
    #extension GL_EXT_fragment_invocation_density : require
    layout(location = 0) out vec4 place;
    void main() { place = vec4(gl_FragCoord.xy, gl_FragSizeEXT); }";

struct Bench {
    device: Device,
    /// One pipeline for each number of samples.
    pipelines: Vec<(u32, GraphicsPipeline)>,
}

/// A framebuffer, its map, and the width and height of fragments that every texel of the map allows.
struct Pass {
    framebuffer: [u32; 2],
    map: [u32; 2],
    size: u32,
    samples: u32,
}

impl Bench {
    fn new(options: DeviceOptions) -> Result<Bench> {
        let device = Device::new(options)?;
        let stage = |source: &str, stage: Stage| -> Result<ShaderStage> {
            let words = frontend::compile_glsl(source, stage, &frontend::Options::default())?;
            Ok(ShaderStage::new(&device.create_shader_module(&words)?, "main"))
        };
        let (vertex, fragment) = (stage(VERTEX, Stage::Vertex)?, stage(FRAGMENT, Stage::Fragment)?);
        let layout = device.create_pipeline_layout(&[], 0)?;
        let pipeline = |samples: u32| -> Result<(u32, GraphicsPipeline)> {
            let mut desc = GraphicsPipelineDesc::new(&layout, vertex.clone(), Some(fragment.clone()));
            desc.state.color_formats = vec![Some(COLOR)];
            desc.state.samples = samples;
            Ok((samples, device.create_graphics_pipeline(&desc)?))
        };
        let pipelines = [1, 2, 4, 8].map(pipeline).into_iter().collect::<Result<_>>()?;
        Ok(Bench { device, pipelines })
    }

    fn image(&self, desc: ImageDesc) -> Result<(Image, ImageView)> {
        let image = self.device.create_bound_image(desc)?;
        let view = self.device.create_image_view(&image, ImageViewDesc::new_2d(desc.format))?;
        Ok((image, view))
    }

    /// Returns the place and size of the fragment at each pixel, averaged over the samples.
    fn draw(&self, pass: &Pass, viewport: Rect) -> Result<Vec<[f32; 4]>> {
        let [w, h] = pass.framebuffer;
        let usage = ImageUsage::COLOR_ATTACHMENT;
        let one = self.image(ImageDesc::new_2d(COLOR, w, h, usage))?;
        let many =
            self.image(ImageDesc { samples: pass.samples, ..ImageDesc::new_2d(COLOR, w, h, usage) })?;
        let usage = ImageUsage::FRAGMENT_DENSITY_MAP;
        let map = self.image(ImageDesc::new_2d(Format::R8G8_UNORM, pass.map[0], pass.map[1], usage))?;
        let density = (255 / pass.size) as u8;
        map.0.write_level(Aspects::COLOR, 0, &vec![density; 2 * (pass.map[0] * pass.map[1]) as usize])?;
        let color = match pass.samples {
            1 => RenderingAttachment::clear(&one.1, CLEAR),
            _ => RenderingAttachment {
                resolve: Some(one.1.clone()),
                resolve_mode: ResolveMode::Average,
                ..RenderingAttachment::clear(&many.1, CLEAR)
            },
        };
        let map = DensityMapAttachment {
            view: map.1,
            framebuffer: pass.framebuffer,
            by_layer: false,
            offsets: Vec::new(),
        };
        let info = RenderingInfo { density_map: Some(map), ..RenderingInfo::of_color(w, h, color) };
        let pipeline = self.pipelines.iter().find(|(samples, _)| *samples == pass.samples);
        let seen = Viewport {
            x: viewport.x as f32,
            y: viewport.y as f32,
            width: viewport.width as f32,
            height: viewport.height as f32,
            min_depth: 0.0,
            max_depth: 1.0,
        };
        let mut commands = self.device.create_command_buffer();
        commands
            .begin_rendering(&info)
            .bind_graphics_pipeline(&pipeline.expect("a number of samples with a pipeline").1)
            .set_viewports(0, &[seen])
            .set_scissors(0, &[viewport])
            .draw(3, 1, 0, 0)
            .end_rendering()
            .end()?;
        self.device.queue().run(&commands)?;
        let float = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let bytes = one.0.read_level(Aspects::COLOR, 0)?;
        Ok(bytes.chunks(16).map(|p| [0, 4, 8, 12].map(|i| float(&p[i..]))).collect())
    }
}

fn benches() -> Result<[Bench; 2]> {
    let interpreter = DeviceOptions { interp: true, ..DeviceOptions::default() };
    Ok([Bench::new(DeviceOptions::default())?, Bench::new(interpreter)?])
}

/// Checks a framebuffer that a draw covers: every sample of every pixel belongs to a fragment around the pixel, at a
/// multiple of its size, no larger than the map and 32 samples allow, which ends with the framebuffer. Only fragments of
/// the last region may be smaller than allowed.
fn check(bench: &Bench, pass: &Pass, region: u32) -> Result<()> {
    let [w, h] = pass.framebuffer;
    let drawn = bench.draw(pass, Rect::of_size(w, h))?;
    // 32 samples are 4 x 4 pixels of 2 samples, 4 x 2 of 4, and 2 x 2 of 8.
    let largest = match (pass.size, pass.samples) {
        (4, 4) => [4, 2],
        (4, 8) => [2, 2],
        (size, _) => [size; 2],
    };
    for (i, place) in drawn.iter().enumerate() {
        let at = [i as u32 % w, i as u32 / w];
        let context = format!("{at:?} of {w} x {h} with {} samples: {place:?}", pass.samples);
        let size = [place[2], place[3]].map(|size| size as u32);
        assert!(size[0] * size[1] * pass.samples <= 32, "{context}");
        for k in 0..2 {
            assert!([1, 2, 4].contains(&size[k]) && size[k] <= pass.size, "{context}");
            let corner = at[k] - at[k] % size[k];
            assert_eq!(place[k], corner as f32 + size[k] as f32 / 2.0, "{context}");
            assert!(corner + size[k] <= pass.framebuffer[k], "{context}");
        }
        let in_last = (0..2).any(|k| at[k] / region == (pass.framebuffer[k] - 1) / region);
        assert!(in_last || size == largest, "{context}");
    }
    Ok(())
}

/// The samples of a fragment that reached past the edge of the framebuffer would lie on or beyond it, and the last row
/// and column would stay clear.
#[test]
fn every_pixel_of_odd_framebuffers_is_drawn() -> Result<()> {
    for bench in benches()? {
        for framebuffer in [[33, 33], [35, 34], [37, 39], [31, 38]] {
            // floor(31 / 4) and floor(39 / 4), rounded up to powers of two, are 8 and 16.
            let region = if framebuffer == [33, 33] || framebuffer == [35, 34] { 8 } else { 16 };
            for (size, samples) in [2, 4].into_iter().flat_map(|s| [1, 2, 4, 8].map(|n| (s, n))) {
                check(&bench, &Pass { framebuffer, map: [4, 4], size, samples }, region)?;
            }
        }
    }
    Ok(())
}

/// Regions and fragments are one pixel wide where a framebuffer has fewer than two pixels per texel. The widths of regions are
/// floor(30 / 16), floor(15 / 16) and floor(10 / 16), each at least 1. Viewports cut no fragment of one pixel, so no pixel has
/// samples of both sides.
#[test]
fn regions_of_one_pixel_have_fragments_of_one_pixel() -> Result<()> {
    for bench in benches()? {
        for (width, samples) in [30, 15, 10].into_iter().flat_map(|w| [1, 2, 4].map(|n| (w, n))) {
            // Regions are 4 pixels high.
            let pass = Pass { framebuffer: [width, 64], map: [16, 16], size: 2, samples };
            let half = width / 2;
            for x in [0, half] {
                let viewport = Rect { x: x as i32, y: 32, width: half, height: 32 };
                for (i, place) in bench.draw(&pass, viewport)?.iter().enumerate() {
                    let [px, py] = [i as u32 % width, i as u32 / width];
                    let inside = (x..x + half).contains(&px) && py >= 32;
                    let middle = [px as f32 + 0.5, (py - py % 2) as f32 + 1.0];
                    let expected = if inside { [middle[0], middle[1], 1.0, 2.0] } else { CLEAR };
                    assert_eq!(
                        *place, expected,
                        "[{px}, {py}] of {width} pixels, viewport at {x}, {samples} samples"
                    );
                }
            }
        }
    }
    Ok(())
}
