//! Unit tests of shaders: compares a function of a GLSL file with expected values, and a fragment shader with a
//! picture.
//!
//! `cargo run --example shader_unit_test`; in a real project these would be `#[test]` functions.

use quadrille::{Picture, ShaderTest, Tolerance};

/// The function under test, usually in a separate file.
const SRGB: &str = "
float to_srgb(float linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
}";

fn known_values() -> Result<(), Box<dyn std::error::Error>> {
    let source = format!(
        "#version 450
        layout(local_size_x = 4) in;
        layout(binding = 0) readonly buffer In {{ float linear[]; }};
        layout(binding = 1) writeonly buffer Out {{ float srgb[]; }};
        {SRGB}
        void main() {{
            uint i = gl_GlobalInvocationID.x;
            srgb[i] = to_srgb(linear[i]);
        }}"
    );
    let srgb: Vec<f32> = ShaderTest::glsl(&source)?
        .bind(0, 0, &[0.0f32, 0.0031308, 0.5, 1.0])
        .bind_zeros::<f32>(0, 1, 4)
        .dispatch([1, 1, 1])?
        .read(0, 1)?;
    for (got, expected) in srgb.iter().zip([0.0, 0.04045, 0.735_356_9, 1.0]) {
        assert!((got - expected).abs() < 1e-5, "{got} is not {expected}");
    }
    println!("known values: ok, {srgb:?}");
    Ok(())
}

fn picture() -> Result<(), Box<dyn std::error::Error>> {
    let source = "
        @fragment fn main(@builtin(position) p: vec4f) -> @location(0) vec4f {
            let odd = (u32(p.x) / 4u + u32(p.y) / 4u) % 2u == 1u;
            return select(vec4f(0.0, 0.0, 0.0, 1.0), vec4f(1.0), odd);
        }";
    let picture = ShaderTest::wgsl(source)?.draw(16, 16)?.picture()?;
    let squares: Vec<u8> = (0..256u32)
        .flat_map(|i| if (i % 16 / 4 + i / 64) % 2 == 1 { [255; 4] } else { [0, 0, 0, 255] })
        .collect();
    let expected = Picture::from_bytes(16, 16, &squares)?;
    // The last argument can name a file for a picture of the differences, which is written on failure.
    picture.compare(&expected, Tolerance::EXACT, None)?;
    println!("picture: ok, every byte is as expected");
    Ok(())
}

/// Runs both tests.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    known_values()?;
    picture()
}
