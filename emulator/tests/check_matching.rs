//! Checked types and declarations: type mismatches between stages, attributes and attachments are reported, and so are
//! writes to variables that are declared as read-only.
#![cfg(feature = "glsl")]

use crate::checks::{self, check};
use quadrille::{
    DeviceOptions, DynamicStates, Format, GraphicsPipelineDesc, ImageDesc, ImageUsage, ImageViewDesc,
    RenderingAttachment, RenderingInfo, ShaderStage, ShaderTest, Stage, TestImage, frontend, fullscreen,
};

/// A vertex shader with these declarations and this body; its triangle covers the image.
fn vertex(declared: &str, body: &str) -> String {
    format!(
        "#version 450\n{declared}
        void main() {{
            vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4 - 1;
            gl_Position = vec4(p, 0, 1);
            {body}
        }}"
    )
}

/// A fragment shader with these declarations and this colour.
fn fragment(declared: &str, value: &str) -> String {
    format!("#version 450\nlayout(location = 0) out vec4 c;\n{declared}\nvoid main() {{ c = {value}; }}")
}

/// `kind: message` of each finding in an image of 8 by 8 pixels.
fn found(vertex: &str, fragment: &str, with: impl FnOnce(ShaderTest) -> ShaderTest) -> Vec<String> {
    let test = ShaderTest::glsl_fragment(fragment).unwrap().vertex_glsl(vertex, 3).unwrap();
    let found = check(with(test), |t| t.draw(8, 8));
    found.iter().map(|r| format!("{}: {}", r.kind, r.message)).collect()
}

/// Spec: Vulkan, "Interface Matching".
#[test]
fn stages_agree_about_types() {
    let stages = |out: &str, value: &str, take: &str, color: &str| {
        let v = vertex(&format!("layout(location = 1) {out} b;"), &format!("b = {value};"));
        found(&v, &fragment(&format!("layout(location = 1) {take} b;"), color), |t| t)
    };
    let ints = stages("flat out ivec2", "ivec2(p)", "in vec2", "vec4(b, 0, 1)");
    assert_eq!(
        ints,
        [
            "interface-type-mismatch: `b` (location 1) is float in the fragment shader, but the vertex shader outputs int there"
        ]
    );
    let floats = stages("out vec2", "p", "flat in uvec2", "vec4(b, 0, 1)");
    assert!(
        floats.len() == 1
            && floats[0]
                .ends_with("is uint in the fragment shader, but the vertex shader outputs float there"),
        "{floats:#?}"
    );
    let signs = stages("flat out uint", "uint(gl_VertexIndex)", "flat in int", "vec4(b)");
    assert!(
        signs.len() == 1 && signs[0].contains("is int") && signs[0].ends_with("outputs uint there"),
        "{signs:#?}"
    );
    let none: [&str; 0] = [];
    assert_eq!(stages("out vec2", "p", "in vec2", "vec4(b, 0, 1)"), none);
    assert_eq!(stages("out vec4", "p.xyxy", "in vec2", "vec4(b, 0, 1)"), none);
    assert_eq!(stages("flat out ivec2", "ivec2(p)", "flat in ivec2", "vec4(b, 0, 1)"), none);
    // An input of another type is allowed if it is not used.
    assert_eq!(stages("flat out ivec2", "ivec2(p)", "in vec2", "vec4(1)"), none);
    // Block members match by location.
    let blocks = |member: &str| {
        let v = vertex(
            "layout(location = 0) out B { vec4 a; flat ivec4 n; } v;",
            "v.a = p.xyxy; v.n = ivec4(p.xyxy);",
        );
        found(
            &v,
            &fragment(&format!("layout(location = 0) in B {{ vec4 a; {member}; }} v;"), "v.a + vec4(v.n)"),
            |t| t,
        )
    };
    assert_eq!(blocks("flat ivec4 n"), none);
    let wrong = blocks("flat uvec4 n");
    assert!(
        wrong.len() == 1 && wrong[0].starts_with("interface-type-mismatch: `v.n` (location 1) is uint"),
        "{wrong:#?}"
    );
}

/// Spec: Vulkan, VUID-VkGraphicsPipelineCreateInfo-Input-07904, Input-08733.
#[test]
fn attributes_are_there_and_of_the_type_of_inputs() {
    let color = fragment("layout(location = 0) in vec4 a;", "a");
    let with = |input: &str, format: Format, values: &[i32; 12]| {
        let v = vertex(
            &format!("layout(location = 2) in {input} v; layout(location = 0) out vec4 a;"),
            "a = vec4(v);",
        );
        found(&v, &color, |t| t.attribute(2, format, values))
    };
    let none: [&str; 0] = [];
    let values = [1; 12];
    let sint = Format::R32G32B32A32_SINT;
    let wrong = with("vec4", sint, &values);
    assert_eq!(
        wrong,
        [
            "attribute-type-mismatch: `v` (location 2) is float, but the format of the vertex attribute there is int"
        ]
    );
    assert_eq!(with("ivec4", sint, &values), none);
    assert_eq!(with("ivec4", Format::R32G32B32A32_SFLOAT, &values).len(), 1);
    assert_eq!(with("uvec4", sint, &values).len(), 1);
    assert_eq!(with("uvec4", Format::R32G32B32A32_UINT, &values), none);
    assert_eq!(with("vec4", Format::R32G32B32A32_SFLOAT, &values), none);
    assert_eq!(with("vec4", Format::R16G16B16A16_UNORM, &values), none);
    // A matrix takes one location per column; the last column has no attribute.
    let v =
        vertex("layout(location = 0) in mat2 m; layout(location = 0) out vec4 a;", "a = vec4(m[0], m[1]);");
    let two = |t: ShaderTest| {
        t.attribute(0, Format::R32G32_SFLOAT, &[1f32; 6]).attribute(1, Format::R32G32_SFLOAT, &[1f32; 6])
    };
    assert_eq!(found(&v, &color, two), none);
    let dropped = found(&v, &color, |t| t.attribute(0, Format::R32G32_SFLOAT, &[1f32; 6]).loose());
    assert_eq!(
        dropped,
        ["missing-attribute: `m` (location 1) is read, but the pipeline has no vertex attribute there"]
    );
    // An application may ask the device for values of inputs without an attribute.
    let options = DeviceOptions { absent_attributes: true, ..DeviceOptions::default() };
    let (session, device) = checks::device_with(&options);
    let test = ShaderTest::glsl_fragment(&color).unwrap().vertex_glsl(&v, 3).unwrap();
    test.attribute(0, Format::R32G32_SFLOAT, &[1f32; 6]).loose().on(&device).draw(8, 8).unwrap();
    let found = session.reports.take();
    assert!(found.is_empty(), "{}", checks::shown(&found));
}

/// Spec: Vulkan, "Fragment Output Interface".
#[test]
fn attachments_are_of_the_type_of_outputs() {
    let draw = |out: &str, format: Format| {
        let source =
            format!("#version 450\nlayout(location = 0) out {out} c;\nvoid main() {{ c = {out}(1); }}");
        let found = check(ShaderTest::glsl_fragment(&source).unwrap().target(format), |t| t.draw(8, 8));
        found.iter().map(|r| format!("{}: {}", r.kind, r.message)).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(
        draw("vec4", Format::R8G8B8A8_UINT),
        [
            "attachment-type-mismatch: `c` (location 0) is float, but the format of the attachment there is uint"
        ]
    );
    assert_eq!(draw("uvec4", Format::R8G8B8A8_UNORM).len(), 1);
    assert_eq!(draw("ivec4", Format::R32G32B32A32_UINT).len(), 1);
    assert_eq!(draw("uvec4", Format::R8G8B8A8_UINT), none);
    assert_eq!(draw("ivec4", Format::R32G32B32A32_SINT), none);
    assert_eq!(draw("vec4", Format::R8G8B8A8_SRGB), none);
}

/// A draw without rasterization does not hide the formats from a later draw with the same shaders.
#[test]
fn attachments_count_once_primitives_are_rasterized() -> quadrille::Result<()> {
    let (session, device) = checks::device();
    let source = "@fragment fn main() -> @location(0) vec4<f32> { return vec4(1.0); }";
    let words = frontend::compile_wgsl(source, &frontend::Options::default())?;
    let vertex = device.create_shader_module(fullscreen::vertex_words()?)?;
    let fragment = device.create_shader_module(&words)?;
    let layout = device.create_pipeline_layout(&[], 0)?;
    let mut desc = GraphicsPipelineDesc::new(
        &layout,
        ShaderStage::only(&vertex, Stage::Vertex)?,
        Some(ShaderStage::only(&fragment, Stage::Fragment)?),
    );
    let format = Format::R8G8B8A8_UINT;
    desc.state.color_formats = vec![Some(format)];
    desc.dynamic |= DynamicStates::RASTERIZER_DISCARD_ENABLE;
    let pipeline = device.create_graphics_pipeline(&desc)?;
    let image = device.create_bound_image(ImageDesc::new_2d(format, 16, 8, ImageUsage::COLOR_ATTACHMENT))?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    let info = RenderingInfo::of_color(16, 8, RenderingAttachment::clear(&view, [0.0; 4]));
    let mut commands = device.create_command_buffer();
    commands
        .begin_rendering(&info)
        .bind_graphics_pipeline(&pipeline)
        .set_size(16, 8)
        .set_rasterizer_discard_enable(true)
        .draw(3, 1, 0, 0)
        .set_rasterizer_discard_enable(false)
        .draw(3, 1, 0, 0)
        .end_rendering();
    commands.end()?;
    device.queue().run(&commands)?;
    let found = session.reports.take();
    let of_format = found.iter().filter(|r| r.kind.id() == "attachment-type-mismatch").count();
    assert_eq!(of_format, 1, "{}", checks::shown(&found));
    Ok(())
}

/// `kind count` of each finding in one workgroup.
fn counted(test: ShaderTest) -> Vec<String> {
    check(test, |t| t.dispatch([1, 1, 1])).iter().map(|r| format!("{} {}", r.kind, r.count)).collect()
}

/// A module of one invocation with these decorations, these types and variables, and this body. `%one` is a 1.
fn module(decorated: &str, declared: &str, body: &str) -> ShaderTest {
    let text = format!(
        "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %variable DescriptorSet 0
OpDecorate %variable Binding 0
{decorated}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
{declared}
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
"
    );
    ShaderTest::spirv_text(&text).unwrap()
}

/// Findings when an invocation stores to member 1 of a buffer with these decorations. Spec: SPIR-V, NonWritable.
fn stores(decorated: &str) -> Vec<String> {
    let block =
        "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 1 Offset 4";
    let declared = "%block = OpTypeStruct %uint %uint
%pblock = OpTypePointer StorageBuffer %block
%puint = OpTypePointer StorageBuffer %uint
%variable = OpVariable %pblock StorageBuffer";
    let body = "%at = OpAccessChain %puint %variable %one\nOpStore %at %one";
    counted(module(&format!("{block}\n{decorated}"), declared, body).bind(0, 0, &[1u32, 2]))
}

#[test]
fn what_is_not_writable_is_not_written() {
    assert_eq!(stores(""), [""; 0]);
    assert_eq!(stores("OpMemberDecorate %block 0 NonWritable"), [""; 0]);
    assert_eq!(stores("OpMemberDecorate %block 1 NonWritable"), ["readonly-written 1"]);
    assert_eq!(stores("OpDecorate %variable NonWritable"), ["readonly-written 1"]);
}

/// Findings when an invocation writes a texel of an image with these decorations.
fn writes(decorated: &str) -> Vec<String> {
    let declared = "%pair = OpTypeVector %uint 2
%texel = OpTypeVector %uint 4
%at = OpConstantComposite %pair %one %one
%ones = OpConstantComposite %texel %one %one %one %one
%image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%pimage = OpTypePointer UniformConstant %image
%variable = OpVariable %pimage UniformConstant";
    let body = "%of = OpLoad %image %variable\nOpImageWrite %of %at %ones";
    let image = TestImage::new_2d(Format::R32_UINT, (4, 4), vec![1; 64]);
    counted(module(decorated, declared, body).bind_shape(0, 0, 0, image))
}

#[test]
fn images_that_are_not_writable_are_not_written() {
    assert_eq!(writes(""), [""; 0]);
    assert_eq!(writes("OpDecorate %variable NonReadable"), [""; 0]);
    assert_eq!(writes("OpDecorate %variable NonWritable"), ["readonly-written 1"]);
}
