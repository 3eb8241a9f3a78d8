//! Vertex attributes of 64-bit components through the full API, on GLSL shaders (feature `glsl`).

#![cfg(feature = "glsl")]

use quadrille::{
    BufferDesc, BufferUsage, DescriptorBinding, DescriptorKind, Device, DeviceOptions, Error, Format,
    GraphicsPipelineDesc, ImageDesc, ImageUsage, ImageViewDesc, RenderingAttachment, RenderingInfo, Result,
    ShaderStage, Stage, Topology, VertexAttribute, VertexBinding, VertexRate, frontend,
};

/// Number of vertices: two lane groups and part of a third.
const VERTICES: u32 = 19;
/// Size of a vertex in bytes; the last vertex is shorter, and its `last` reads zero.
const STRIDE: u32 = 136;

const VERTEX: &str = "#version 450
    #extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
    layout(location = 0) in double one;
    layout(location = 1) in dvec3 three;
    layout(location = 3) in u64vec4 four;
    layout(location = 5) in i64vec2 two;
    layout(location = 6) in float narrow;
    layout(location = 7) in dmat2 matrix;
    layout(location = 9) in double last;
    layout(location = 0) out dvec3 passed;
    struct V { dvec4 a; u64vec4 b; i64vec4 c; dvec4 d; };
    layout(binding = 0) buffer B { V v[]; };
    void main() {
        v[gl_VertexIndex] = V(dvec4(three, one), four, i64vec4(two, int64_t(narrow), 0L),
            dvec4(matrix[0], matrix[1].y, last));
        passed = three * 2.0LF;
        gl_PointSize = 1.0;
        gl_Position = vec4((gl_VertexIndex + 0.5) / 16.0 - 1.0, 0.0, 0.0, 1.0);
    }";

const FRAGMENT: &str = "#version 450
    layout(location = 0) flat in dvec3 passed;
    layout(binding = 1) buffer B { dvec4 p[]; };
    layout(location = 0) out vec4 color;
    void main() {
        p[int(gl_FragCoord.x)] = dvec4(passed, 1.0LF);
        color = vec4(1.0);
    }";

/// The 64-bit word `k` of a vertex.
fn word(vertex: u32, k: u32) -> u64 {
    let n = u64::from(vertex * 31 + k + 1);
    match k {
        // Words that are read as doubles have many significant bits.
        0..4 | 10..16 => (n as f64 / 7.0).to_bits(),
        _ => n.wrapping_mul(0x9e37_79b9_7f4a_7c15),
    }
}

fn attributes() -> Vec<VertexAttribute> {
    let at = |location, format, word: u32| VertexAttribute { location, binding: 0, format, offset: 8 * word };
    vec![
        at(0, Format::R64_SFLOAT, 0),
        at(1, Format::R64G64B64_SFLOAT, 1),
        at(3, Format::R64G64B64A64_UINT, 4),
        at(5, Format::R64G64_SINT, 8),
        at(6, Format::R8_USCALED, 9),
        at(7, Format::R64G64_SFLOAT, 10),
        at(8, Format::R64G64_SFLOAT, 12),
        at(9, Format::R64_SFLOAT, 16),
    ]
}

/// Returns the values that the vertex and the fragment shader wrote.
fn draw(interp: bool, lanes: u32) -> Result<(Vec<u64>, Vec<f64>)> {
    let device = Device::new(DeviceOptions { interp, lanes, ..DeviceOptions::default() })?;
    let options = frontend::Options::default();
    let module = |text, stage| -> Result<_> {
        device.create_shader_module(&frontend::compile_glsl(text, stage, &options)?)
    };
    let (vertex, fragment) = (module(VERTEX, Stage::Vertex)?, module(FRAGMENT, Stage::Fragment)?);
    let bindings = [0, 1].map(|b| DescriptorBinding::new(b, DescriptorKind::StorageBuffer));
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let set = device.create_descriptor_set(&set_layout)?;
    let out = device.create_buffer_with(&[0u64; VERTICES as usize * 16], BufferUsage::STORAGE)?;
    let passed = device.create_buffer_with(&[0f64; 32 * 4], BufferUsage::STORAGE)?;
    set.write_buffer(0, &out)?;
    set.write_buffer(1, &passed)?;
    let layout = device.create_pipeline_layout(&[set_layout], 0)?;
    let vertex = ShaderStage::only(&vertex, Stage::Vertex)?;
    let fragment = ShaderStage::only(&fragment, Stage::Fragment)?;
    let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
    let format = Format::R8G8B8A8_UNORM;
    desc.state.color_formats = vec![Some(format)];
    desc.state.topology = Topology::PointList;
    desc.state.vertex_bindings = vec![VertexBinding { binding: 0, stride: STRIDE, rate: VertexRate::Vertex }];
    desc.state.vertex_attributes = attributes();
    let pipeline = device.create_graphics_pipeline(&desc)?;

    let mut data: Vec<u64> = Vec::new();
    for v in 0..VERTICES {
        data.extend((0..STRIDE / 8).map(|k| word(v, k)));
    }
    // All but the last word of the last vertex.
    data.pop();
    let size = 8 * data.len() as u64;
    let vertices = device.create_bound_buffer(BufferDesc { size, usage: BufferUsage::VERTEX })?;
    vertices.write(0, &data)?;
    let image = ImageDesc::new_2d(format, 32, 1, ImageUsage::COLOR_ATTACHMENT);
    let image = device.create_bound_image(image)?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    let color = RenderingAttachment::clear(&view, [0.0; 4]);
    let area = quadrille::Rect::of_size(32, 1);
    let mut commands = device.create_command_buffer();
    commands
        .begin_rendering(&RenderingInfo { area, colors: vec![Some(color)], ..RenderingInfo::default() })
        .bind_graphics_pipeline(&pipeline)
        .bind_graphics_set(&layout, 0, &set)
        .set_size(32, 1)
        .bind_vertex_buffers(0, &[(&vertices, 0)])
        .draw(VERTICES, 1, 0, 0)
        .end_rendering()
        .end()?;
    device.queue().run(&commands)?;
    Ok((out.read_all()?, passed.read_all()?))
}

#[test]
fn attributes_of_64_bits_reach_the_shader() -> Result<()> {
    for (interp, lanes) in [(false, 8), (false, 4), (false, 16), (true, 8)] {
        let (out, passed) = draw(interp, lanes)?;
        for (v, got) in (0..VERTICES).zip(out.chunks(16)) {
            let narrow = word(v, 9) & 255;
            let last = if v == VERTICES - 1 { 0 } else { word(v, 16) };
            let want = [
                [word(v, 1), word(v, 2), word(v, 3), word(v, 0)],
                [word(v, 4), word(v, 5), word(v, 6), word(v, 7)],
                [word(v, 8), word(v, 9), narrow, 0],
                [word(v, 10), word(v, 11), word(v, 13), last],
            ];
            assert_eq!(got, want.concat(), "vertex {v}, interpreter {interp}, {lanes} lanes");
            let doubled = [1, 2, 3].map(|k| 2.0 * f64::from_bits(word(v, k)));
            assert_eq!(passed[4 * v as usize..][..3], doubled, "vertex {v}");
        }
    }
    Ok(())
}

/// Formats of 64-bit components are only for vertices: images and views of such formats are refused.
#[test]
fn images_of_64_bit_floats_are_refused() -> Result<()> {
    let device = Device::new(DeviceOptions::default())?;
    for format in [Format::R64_SFLOAT, Format::R64G64B64A64_UINT] {
        let mut desc = ImageDesc::new_2d(format, 4, 4, ImageUsage::TRANSFER_SRC);
        assert!(matches!(device.create_image(desc), Err(Error::Unsupported { .. })));
        desc.flags.extended_usage = true;
        assert!(matches!(device.create_image(desc), Err(Error::Unsupported { .. })));
    }
    let image = ImageDesc::new_2d(Format::R32G32_UINT, 4, 4, ImageUsage::SAMPLED);
    let image = device.create_bound_image(image)?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(Format::R64_SFLOAT));
    assert!(matches!(view, Err(Error::Unsupported { .. })));
    Ok(())
}
