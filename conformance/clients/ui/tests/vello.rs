//! Vello: shapes, strokes, gradients and layers by its compute shaders, against Vello's renderer for the CPU.

use quadrille_client_ui::{device, texels};
use vello::kurbo::{Affine, BezPath, Circle, Point, Rect, RoundedRect, Shape, Stroke};
use vello::peniko::{Color, Fill, Gradient, Mix};
use vello::{AaConfig, AaSupport, RenderParams, Renderer, RendererOptions, Scene};
use vello_cpu::{Pixmap, RenderContext, Resources};

const SIZE: u16 = 256;

/// A drawing that both renderers know.
enum Step {
    Fill(Fill, Color, BezPath),
    Gradient(Gradient, BezPath),
    Stroke(f64, Color, BezPath),
    Push(Mix, f32, BezPath),
    Pop,
}

fn star(centre: Point, radius: f64) -> BezPath {
    let corner = |i: u32| {
        let angle = f64::from(i) * 4.0 * std::f64::consts::PI / 5.0;
        centre + radius * vello::kurbo::Vec2::new(angle.sin(), -angle.cos())
    };
    let mut path = BezPath::new();
    path.move_to(corner(0));
    (1..5).for_each(|i| path.line_to(corner(i)));
    path.close_path();
    path
}

fn steps() -> Vec<Step> {
    let rgba = Color::from_rgba8;
    let square = Rect::new(0.0, 0.0, 256.0, 256.0).to_path(0.1);
    let gradient = Gradient::new_linear((0.0, 0.0), (256.0, 256.0))
        .with_stops([rgba(0, 0, 90, 255), rgba(0, 150, 130, 255)]);
    let mut wave = BezPath::new();
    wave.move_to((20.0, 200.0));
    wave.curve_to((90.0, 80.0), (160.0, 320.0), (236.0, 180.0));
    let ring = Gradient::new_radial((190.0, 70.0), 50.0)
        .with_stops([rgba(255, 255, 255, 255), rgba(255, 0, 120, 60)]);
    vec![
        Step::Gradient(gradient, square),
        Step::Fill(
            Fill::NonZero,
            rgba(240, 90, 60, 255),
            RoundedRect::new(20.5, 20.25, 120.0, 90.0, 20.0).to_path(0.1),
        ),
        Step::Fill(Fill::EvenOdd, rgba(255, 215, 0, 200), star(Point::new(90.0, 130.0), 70.0)),
        Step::Push(Mix::Multiply, 0.7, Circle::new((150.0, 110.0), 60.0).to_path(0.1)),
        Step::Fill(Fill::NonZero, rgba(60, 220, 80, 255), Rect::new(100.0, 60.0, 256.0, 130.0).to_path(0.1)),
        Step::Pop,
        Step::Gradient(ring, Circle::new((190.0, 70.0), 50.0).to_path(0.1)),
        Step::Stroke(9.0, rgba(255, 255, 255, 255), wave),
    ]
}

fn on_device() -> Vec<[u8; 4]> {
    let (device, queue) = device();
    let options = RendererOptions {
        use_cpu: false,
        antialiasing_support: AaSupport::area_only(),
        num_init_threads: None,
        pipeline_cache: None,
    };
    let mut renderer = Renderer::new(&device, options).expect("Vello's shaders compile");
    let mut scene = Scene::new();
    for step in steps() {
        match step {
            Step::Fill(rule, colour, path) => scene.fill(rule, Affine::IDENTITY, colour, None, &path),
            Step::Gradient(brush, path) => scene.fill(Fill::NonZero, Affine::IDENTITY, &brush, None, &path),
            Step::Stroke(width, colour, path) => {
                scene.stroke(&Stroke::new(width), Affine::IDENTITY, colour, None, &path)
            }
            Step::Push(mix, alpha, clip) => {
                scene.push_layer(Fill::NonZero, mix, alpha, Affine::IDENTITY, &clip)
            }
            Step::Pop => scene.pop_layer(),
        }
    }
    let size = u32::from(SIZE);
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let params = RenderParams {
        base_color: Color::BLACK,
        width: size,
        height: size,
        antialiasing_method: AaConfig::Area,
    };
    let view = texture.create_view(&Default::default());
    renderer.render_to_texture(&device, &queue, &scene, &view, &params).expect("Vello draws");
    texels(&device, &queue, &texture)
}

fn on_cpu() -> Vec<[u8; 4]> {
    let mut context = RenderContext::new(SIZE, SIZE);
    for step in steps() {
        match step {
            Step::Fill(rule, colour, path) => {
                context.set_fill_rule(rule);
                context.set_paint(colour);
                context.fill_path(&path);
                context.set_fill_rule(Fill::NonZero);
            }
            Step::Gradient(brush, path) => {
                context.set_paint(brush);
                context.fill_path(&path);
            }
            Step::Stroke(width, colour, path) => {
                context.set_stroke(Stroke::new(width));
                context.set_paint(colour);
                context.stroke_path(&path);
            }
            Step::Push(mix, alpha, clip) => {
                context.push_layer(Some(&clip), Some(mix.into()), Some(alpha), None, None)
            }
            Step::Pop => context.pop_layer(),
        }
    }
    let mut pixels = Pixmap::new(SIZE, SIZE);
    context.flush();
    context.render(&mut pixels, &mut Resources::new());
    pixels.data().iter().map(|p| [p.r, p.g, p.b, p.a]).collect()
}

#[test]
fn shapes_are_those_of_the_cpu() {
    let (got, want) = (on_device(), on_cpu());
    assert_eq!(got.len(), want.len());
    let off = |(a, b): (&[u8; 4], &[u8; 4])| (0..4).map(|i| a[i].abs_diff(b[i])).max().unwrap_or(0);
    let differences: Vec<u8> = got.iter().zip(&want).map(off).collect();
    let mean = differences.iter().map(|&d| f64::from(d)).sum::<f64>() / differences.len() as f64;
    let far = differences.iter().filter(|&&d| d > 8).count();
    println!("vello: mean difference {mean:.3} of 255, {far} pixels differ by more than 8");
    // The renderers cover edges by methods of their own.
    assert!(mean < 1.0 && far < differences.len() / 66, "mean {mean}, {far} pixels");
}
