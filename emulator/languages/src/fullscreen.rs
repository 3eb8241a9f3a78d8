//! A vertex shader that covers the whole viewport with one triangle.

use once_cell::race::OnceBox;

/// Source of the shader: three vertices without vertex buffers, counter-clockwise on the screen, which makes the triangle
/// a front face where pipelines say nothing else; location 0 is a `vec2` from (0, 0) in the upper left corner to (1, 1) in
/// the lower right one.
const SOURCE: &str = "
struct Out {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn main(@builtin(vertex_index) i: u32) -> Out {
    let uv = vec2<f32>(f32(i & 2u), f32((i << 1u) & 2u));
    return Out(vec4<f32>(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.0, 1.0), uv);
}
";

/// Returns the SPIR-V of a vertex shader whose entry point `main` covers the viewport with vertices 0, 1 and 2.
///
/// Its output at location 0 is a `vec2` from (0, 0) in the upper left corner of the viewport to (1, 1) in the lower
/// right one. Draw three vertices; they are a front face where that is counter-clockwise, as it is by default.
pub fn vertex_words() -> quadrille_jit::Result<&'static [u32]> {
    static WORDS: OnceBox<quadrille_jit::Result<Vec<u32>>> = OnceBox::new();
    let words = WORDS.get_or_init(|| {
        // No debug information: the source belongs to no user.
        let named = crate::Options::named("fullscreen.wgsl");
        let options = crate::Options { debug: false, ..named };
        // In WGSL, +y points up; the front end converts to Vulkan's coordinates.
        Box::new(crate::compile_wgsl(SOURCE, &options).map_err(crate::Error::from))
    });
    words.as_deref().map_err(Clone::clone)
}
