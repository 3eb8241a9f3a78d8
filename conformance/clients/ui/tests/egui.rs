//! egui by egui_kittest: shapes of exact colours, a blended one, text, and a button that is clicked.

use egui::{Color32, Rect, Vec2, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_kittest::wgpu::WgpuTestRenderer;
use quadrille_client_ui::device;

const RED: Color32 = Color32::from_rgb(200, 40, 10);
const GREEN: Color32 = Color32::from_rgb(10, 180, 90);
const BACK: Color32 = Color32::from_rgb(20, 30, 60);

fn interface(ui: &mut egui::Ui, clicked: &mut bool) {
    let whole = Rect::from_min_size(pos2(0.0, 0.0), Vec2::new(200.0, 150.0));
    let painter = ui.painter().clone();
    painter.rect_filled(whole, 0.0, BACK);
    painter.rect_filled(Rect::from_min_max(pos2(10.0, 60.0), pos2(70.0, 100.0)), 0.0, RED);
    let over = Color32::from_rgba_unmultiplied(255, 255, 255, 128);
    painter.rect_filled(Rect::from_min_max(pos2(40.0, 80.0), pos2(100.0, 120.0)), 0.0, over);
    let colour = if *clicked { GREEN } else { RED };
    painter.circle_filled(pos2(150.0, 100.0), 30.0, colour);
    *clicked |= ui.button("Press").clicked();
    ui.colored_label(Color32::WHITE, "Quadrille");
}

#[test]
fn an_interface_is_drawn_and_answers() {
    // egui_kittest chooses its adapter by itself, among the same ones.
    device();
    let mut clicked = false;
    let mut harness = Harness::builder()
        .with_size(Vec2::new(200.0, 150.0))
        .renderer(WgpuTestRenderer::new())
        .build_ui(|ui| interface(ui, &mut clicked));
    harness.run();
    let label = harness.get_by_label("Quadrille").rect();
    let before = harness.render().expect("egui draws");
    harness.get_by_label("Press").click();
    harness.run();
    let after = harness.render().expect("egui draws");
    assert_eq!(after.dimensions(), (200, 150));
    let at = |x: u32, y: u32| after.get_pixel(x, y).0;
    let opaque = |c: Color32| [c.r(), c.g(), c.b(), 255];
    assert_eq!((at(5, 145), at(20, 70)), (opaque(BACK), opaque(RED)));
    assert_eq!((before.get_pixel(150, 100).0, at(150, 100)), (opaque(RED), opaque(GREEN)));
    // egui blends in sRGB: the colour below has 127 of 255 parts.
    for (x, y, below) in [(50, 90, RED), (90, 110, BACK)] {
        for (channel, value) in opaque(below)[..3].iter().enumerate() {
            let want = 128.0 + f64::from(*value) * 127.0 / 255.0;
            let got = f64::from(at(x, y)[channel]);
            assert!((got - want).abs() <= 1.5, "channel {channel} of {x}, {y} is {got}, not {want}");
        }
    }
    let disc = after.pixels().filter(|p| p.0 == opaque(GREEN)).count() as f64;
    let area = std::f64::consts::PI * 30.0 * 30.0;
    assert!((disc / area - 1.0).abs() < 0.07, "the disc has {disc} pixels");
    let inside = |x: u32, y: u32| label.contains(pos2(x as f32, y as f32));
    let white = after
        .enumerate_pixels()
        .filter(|(x, y, p)| inside(*x, *y) && p.0[..3].iter().all(|&c| c > 200))
        .count();
    assert!((60..600).contains(&white), "{white} pixels of text");
    println!("egui: colours, a disc of {disc} pixels and text right");
}
