//! Renders a picture written for Shadertoy to `shadertoy.png`.
//!
//! `cargo run --example shadertoy [FILE]`

use quadrille::apps::inputs::Inputs;
use quadrille::apps::picture::{Renderer, RendererDesc};
use quadrille::frontend::{Options, compile_shadertoy};
use quadrille::{Device, DeviceOptions};

/// The default shader, for calls without a file.
pub const SHADER: &str = "
// Pulsating circles.
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    vec2 uv = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    vec3 color = vec3(0.04, 0.05, 0.09);
    for (int i = 0; i < 9; i++) {
        float a = float(i) * 0.698 + 0.3 * iTime;
        vec2 centre = 0.62 * vec2(cos(a), sin(a));
        float d = abs(length(uv - centre) - 0.28 - 0.06 * sin(3.0 * a));
        vec3 hue = 0.55 + 0.45 * cos(a + vec3(0.0, 2.1, 4.2));
        color += hue * 0.012 / (d + 0.008) * exp(-3.0 * d);
    }
    fragColor = vec4(1.0 - exp(-color), 1.0);
}";

/// Renders a shader at time 1 s.
pub fn draw(
    source: &str,
    name: &str,
    width: u32,
    height: u32,
) -> Result<image::RgbaImage, Box<dyn std::error::Error>> {
    let words = compile_shadertoy(source, &Options::named(name))?;
    let device = Device::new(DeviceOptions::default())?;
    let desc = RendererDesc { words: &words, shadertoy: true, width, height, ..RendererDesc::default() };
    let mut renderer = Renderer::new(&device, &desc)?;
    Ok(renderer.render(&Inputs::new(width, height, 1.0, 0))?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (name, source) = match std::env::args().nth(1) {
        Some(path) => (path.clone(), std::fs::read_to_string(&path)?),
        None => ("circles.glsl".to_owned(), SHADER.to_owned()),
    };
    draw(&source, &name, 640, 360)?.save("shadertoy.png")?;
    println!("shadertoy.png: 640 x 360");
    Ok(())
}
