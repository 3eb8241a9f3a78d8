//! Checked outputs: outputs that an invocation does not write and that the next stage or fixed function reads are
//! reported.
#![cfg(feature = "glsl")]

use crate::checks::{self, VERTEX};
use quadrille::{
    AdvancedBlend, AdvancedOp, BlendEquation, BlendFactor, BlendOp, BlendOverlap, BlendState, CompareOp,
    Format, LogicOp, Result, ShaderTest, Stage, TestRun, Topology, frontend,
};
use quadrille_check::Report;

/// Findings in an image of 8 by 8 pixels.
fn found(test: Result<ShaderTest>) -> Vec<Report> {
    checks::check(test.unwrap(), |t| t.draw(8, 8))
}

/// `line: message (count)` of reports, which must all be about outputs. The line is that of the entry point, since
/// glslang does not record lines of declarations.
fn texts(found: &[Report]) -> Vec<String> {
    let text = |r: &Report| {
        assert_eq!(r.kind.id(), "unwritten-output", "{}", checks::shown(found));
        format!("{}: {} ({})", r.at.line, r.message, r.count)
    };
    found.iter().map(text).collect()
}

fn vertex(vertex: &str, fragment: &str) -> Vec<Report> {
    found(ShaderTest::glsl_fragment(fragment).and_then(|t| t.vertex_glsl(vertex, 3)))
}

#[test]
fn vertices_write_what_fragments_read() {
    let read = "#version 450
layout(location = 1) in vec2 b; layout(location = 0) out vec4 c;
void main() { c = b.xyxy; }";
    assert_eq!(texts(&vertex(VERTEX, read)), [""; 0]);
    let sometimes = VERTEX.replace("b = p;", "if (gl_VertexIndex < 2) b = p;");
    let reports = vertex(&sometimes, read);
    let expected = "4: `b` (location 1) is not written, but the fragment shader reads it (1)";
    assert_eq!(texts(&reports), [expected]);
    let who = reports[0].invocation.as_ref().unwrap().to_string();
    assert_eq!(who, "vertex shader main, instance 0, vertex 2");
    // A single component is not written.
    let half = VERTEX.replace("b = p;", "b.x = p.x; if (gl_VertexIndex > 0) b.y = p.y;");
    let expected = "4: `b.y` (location 1) is not written, but the fragment shader reads it (1)";
    assert_eq!(texts(&vertex(&half, read)), [expected]);
    // The fragment shader does not read the output.
    let other = read.replace("location = 1", "location = 0").replace("vec2 b", "vec4 b");
    assert_eq!(texts(&vertex(&sometimes, &other)), [""; 0]);
    assert_eq!(texts(&vertex(&half, &read.replace("b.xyxy", "b.xxxx"))), [""; 0]);
    // A read before the first write is a read of an uninitialized variable.
    let early = VERTEX.replace("b = p;", "b.x += p.x; b.y = p.y;");
    let kinds = checks::kinds(&vertex(&early, read));
    assert_eq!(kinds, ["uninitialized-variable:6"]);
}

#[test]
fn positions_are_written() {
    let plain = "#version 450
layout(location = 0) out vec4 c;
void main() { c = vec4(1); }";
    let never = VERTEX.replace("gl_Position = vec4(p, 0, 1);", "");
    let reports = vertex(&never, plain);
    let messages: Vec<&str> = reports.iter().map(|r| &*r.message).collect();
    assert_eq!(messages, ["`Position` is not written, but primitives are rasterized"]);
    assert_eq!(reports[0].count, 3);
    let sometimes =
        VERTEX.replace("gl_Position = vec4(p, 0, 1);", "if (p.x < 0) gl_Position = vec4(p, 0, 1);");
    let reports = vertex(&sometimes, plain);
    assert_eq!((reports.len(), reports[0].count), (1, 1), "{}", checks::shown(&reports));
    assert!(reports[0].message.starts_with("`gl_Position` is not written, but"), "{}", reports[0].message);
    // Rasterization is off.
    let test = ShaderTest::glsl_fragment(plain).and_then(|t| t.vertex_glsl(&never, 3));
    let discarded = test.map(|t| t.state(|state, _| state.rasterizer_discard = true));
    assert_eq!(texts(&found(discarded)), [""; 0]);
}

fn fragment(source: &str, with: impl FnOnce(ShaderTest) -> ShaderTest) -> Vec<String> {
    texts(&found(ShaderTest::glsl_fragment(source).map(with)))
}

#[test]
fn fragments_write_what_attachments_take() {
    let some = "#version 450
layout(location = 0) out vec4 c;
void main() { if (gl_FragCoord.x < 4) c = vec4(1); }";
    let whole = "3: `c` (location 0) is not written, but an attachment uses it (32)";
    assert_eq!(fragment(some, |t| t), [whole]);
    // Discarded fragments output nothing.
    let discarded = some.replace("c = vec4(1);", "c = vec4(1); else discard;");
    assert_eq!(fragment(&discarded, |t| t), [""; 0]);
    let red = "#version 450
layout(location = 0) out vec4 c;
void main() { c.rgb = vec3(1); }";
    let alpha = "3: `c.w` (location 0) is not written, but an attachment uses it (64)";
    assert_eq!(fragment(red, |t| t), [alpha]);
    // The attachment has no alpha, or its write mask excludes alpha.
    assert_eq!(fragment(red, |t| t.target(Format::R16G16_SFLOAT)), [""; 0]);
    let masked = |mask| BlendState { write_mask: mask, ..BlendState::default() };
    assert_eq!(fragment(red, |t| t.blend(masked(7))), [""; 0]);
    assert_eq!(fragment(red, |t| t.blend(masked(15))), [alpha]);
    assert_eq!(fragment(some, |t| t.blend(masked(0))), [""; 0]);
    // Alpha is a blend factor.
    let over = BlendState::default();
    let over = BlendState { enable: true, write_mask: 7, ..over };
    let mut by_alpha = over;
    by_alpha.equations[0].src = BlendFactor::SrcAlpha;
    assert_eq!(fragment(red, |t| t.blend(by_alpha)), [alpha]);
    assert_eq!(fragment(red, |t| t.blend(over)), [""; 0]);
    // Factors of the equation of alpha, which is not written, and of operations without factors do not count.
    let mut of_alpha = over;
    of_alpha.equations[1].src = BlendFactor::SrcAlpha;
    assert_eq!(fragment(red, |t| t.blend(of_alpha)), [""; 0]);
    let mut least = by_alpha;
    least.equations[0].op = BlendOp::Min;
    assert_eq!(fragment(red, |t| t.blend(least)), [""; 0]);
    // Logical operations replace blending; advanced operations take alpha.
    let logic = |t: ShaderTest| t.blend(by_alpha).state(|state, _| state.logic_op_enable = true);
    assert_eq!(fragment(red, logic), [""; 0]);
    let multiply = AdvancedBlend {
        op: AdvancedOp::Multiply,
        src_premultiplied: true,
        dst_premultiplied: true,
        overlap: BlendOverlap::Uncorrelated,
    };
    let mut advanced = over;
    advanced.equations = [BlendEquation { op: BlendOp::Advanced(multiply), ..over.equations[0] }; 2];
    assert_eq!(fragment(red, |t| t.blend(advanced)), [alpha]);
    // The second output is declared, but never written. Without a second attachment, nothing reads it.
    let never = "#version 450
layout(location = 0) out vec4 c; layout(location = 1) out vec4 d;
void main() { c = vec4(1); }";
    let declared = "3: `d` (location 1) is not written, but an attachment uses it (64)";
    let two = |t: ShaderTest| t.attachment(Format::R8G8B8A8_UNORM, [0.0; 4], masked(15));
    assert_eq!(fragment(never, two), [declared]);
    assert_eq!(fragment(never, |t| t), [""; 0]);
    // None of the declared outputs is written, and an attachment reads the value.
    let nothing = "#version 450
layout(location = 0) out vec4 c;
void main() { float x = gl_FragCoord.x; }";
    let whole = "3: `c` (location 0) is not written, but an attachment uses it (64)";
    assert_eq!(fragment(nothing, |t| t), [whole]);
    let part = nothing.replace("float x", "if (gl_FragCoord.y < 6) discard; float x");
    assert_eq!(fragment(&part, |t| t), [whole.replace("64", "16")]);
    // No fragment reaches the end, or the write mask excludes the attachment, or there is no attachment.
    assert_eq!(fragment(&nothing.replace("float x", "discard; float x"), |t| t), [""; 0]);
    assert_eq!(fragment(nothing, |t| t.blend(masked(0))), [""; 0]);
    assert_eq!(fragment(&nothing.replace("location = 0", "location = 1"), |t| t), [""; 0]);
    let hidden = |t: ShaderTest| t.depth_test(CompareOp::Never, 1.0);
    assert_eq!(fragment(nothing, hidden), [""; 0]);
    // Missing declarations are intended.
    let none = "#version 450\nvoid main() { }";
    assert_eq!(fragment(none, |t| t), [""; 0]);
}

/// Some operations make a value without the output of the shader. Spec: Vulkan, "Logical Operations" and "Advanced Blend
/// Operations".
#[test]
fn operations_without_a_source_need_no_output() {
    let never = "#version 450
layout(location = 0) out vec4 c;
void main() { if (gl_FragCoord.x < 4) c = vec4(1); }";
    let report = ["3: `c` (location 0) is not written, but an attachment uses it (32)"];
    let logic =
        |op| move |t: ShaderTest| t.state(|state, _| (state.logic_op_enable, state.logic_op) = (true, op));
    for op in [LogicOp::Clear, LogicOp::NoOp, LogicOp::Invert, LogicOp::Set] {
        assert_eq!(fragment(never, logic(op)), [""; 0], "{op:?}");
        // Formats without these operations are written as if there were none.
        let float = |t: ShaderTest| logic(op)(t.target(Format::R16G16B16A16_SFLOAT));
        assert_eq!(fragment(never, float), report, "{op:?}");
    }
    assert_eq!(fragment(never, logic(LogicOp::Nand)), report);
    let advanced = |op| {
        let (src_premultiplied, dst_premultiplied) = (true, true);
        let overlap = BlendOverlap::Uncorrelated;
        let op = BlendOp::Advanced(AdvancedBlend { op, src_premultiplied, dst_premultiplied, overlap });
        let blend = BlendState { enable: true, ..BlendState::default() };
        let equations = [BlendEquation { op, ..blend.equations[0] }; 2];
        fragment(never, |t| t.blend(BlendState { equations, ..blend }))
    };
    assert_eq!(advanced(AdvancedOp::Zero), [""; 0]);
    assert_eq!(advanced(AdvancedOp::Dst), [""; 0]);
    assert_eq!(advanced(AdvancedOp::Src), report);
}

/// Alpha of the first output is the coverage, except that of integers, and one may replace it. Spec: Vulkan, "Multisample
/// Coverage".
#[test]
fn alpha_is_the_coverage() {
    let masked = |mask| BlendState { write_mask: mask, ..BlendState::default() };
    let coverage = |t: ShaderTest| t.blend(masked(7)).state(|state, _| state.alpha_to_coverage = true);
    let red = "#version 450
layout(location = 0) out vec4 c;
void main() { c.rgb = vec3(1); }";
    let alpha = "3: `c.w` (location 0) is not written, but an attachment uses it (64)";
    assert_eq!(fragment(red, coverage), [alpha]);
    let integers = red.replace("out vec4", "out uvec4").replace("vec3(1)", "uvec3(1)");
    assert_eq!(fragment(&integers, |t| coverage(t).target(Format::R8G8B8A8_UINT)), [""; 0]);
    let second = "layout(location = 1) out vec4 d; void main() { d = vec4(1);";
    let second = integers.replace("void main() {", second);
    let unwritten = |t: ShaderTest| {
        let test = coverage(t).blend(masked(0)).target(Format::R8G8B8A8_UINT);
        test.attachment(Format::R8G8B8A8_UNORM, [0.0; 4], masked(15))
    };
    assert_eq!(fragment(&second, unwritten), [""; 0]);
    let one = |t: ShaderTest| t.state(|state, _| state.alpha_to_one = true);
    assert_eq!(fragment(red, one), [""; 0]);
    assert_eq!(fragment(red, |t| one(coverage(t))), [alpha]);
}

#[test]
fn fragments_write_depth_on_every_path() {
    let source = "#version 450
layout(location = 0) out vec4 c;
void main() { c = vec4(1); if (gl_FragCoord.y < 2) gl_FragDepth = 0.5; }";
    let expected = "`gl_FragDepth` is not written, but depth is tested or written (48)";
    let with = |source: &str| fragment(source, |t| t.depth_test(CompareOp::LessOrEqual, 1.0));
    let reports = with(source);
    assert!(reports.len() == 1 && reports[0].ends_with(expected), "{reports:#?}");
    assert_eq!(fragment(source, |t| t), [""; 0]);
    assert_eq!(with(&source.replace("if (", "gl_FragDepth = 1.0; if (")), [""; 0]);
    // Without the test, depth is not written either.
    let untested = |t: ShaderTest| {
        let test = t.depth_test(CompareOp::LessOrEqual, 1.0);
        test.state(|state, _| state.depth.test = false)
    };
    assert_eq!(fragment(source, untested), [""; 0]);
}

#[test]
fn emitted_vertices_are_whole() {
    let vertex = "#version 450
void main() { gl_Position = vec4(0, 0, 0, 1); }";
    let geometry = "#version 450
layout(points) in; layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) out vec4 color;
void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = vec4(vec2(i & 1, i >> 1) * 4 - 1, 0, 1);
        if (i > 0) color = vec4(1);
        EmitVertex();
    }
}";
    let read = "#version 450
layout(location = 0) in vec4 color; layout(location = 0) out vec4 c;
void main() { c = color; }";
    let drawn = |geometry: &str, read: &str| {
        let test = ShaderTest::glsl_fragment(read).and_then(|t| t.vertex_glsl(vertex, 1));
        let test = test.and_then(|t| t.stage_glsl(Stage::Geometry, geometry));
        texts(&found(test.map(|t| t.topology(Topology::PointList))))
    };
    let draw = |geometry: &str| drawn(geometry, read);
    let expected = |n: u32| {
        format!(
            "4: `color` (location 0) is not written for this vertex, but the fragment shader reads it ({n})"
        )
    };
    assert_eq!(draw(geometry), [expected(1)]);
    // Outputs are undefined after a vertex is emitted.
    assert_eq!(draw(&geometry.replace("i > 0", "i == 0")), [expected(2)]);
    let once =
        geometry.replace("if (i > 0) color = vec4(1);", "").replace("    for", "    color = vec4(1); for");
    assert_eq!(draw(&once), [expected(2)]);
    assert_eq!(draw(&geometry.replace("if (i > 0)", "")), [""; 0]);
    // Vulkan, Flat Shading: the value of the provoking vertex, which is the first one, is that of the triangle.
    let flat = once.replace("out vec4 color", "flat out vec4 color");
    let read_flat = read.replace("in vec4 color", "flat in vec4 color");
    assert_eq!(drawn(&flat, &read_flat), [""; 0]);
    assert_eq!(drawn(&flat.replace("triangle_strip", "points"), &read_flat), [expected(2)]);
}

#[test]
fn vertices_of_a_primitive_have_numbers() {
    let vertex = "#version 450
void main() { gl_Position = vec4(gl_VertexIndex, 0, 0, 1); }";
    let geometry = "#version 450
layout(lines) in; layout(line_strip, max_vertices = 2) out;
void main() {
    for (int i = 0; i < 2; i++) {
        gl_Position = gl_in[i + 1].gl_Position;
        EmitVertex();
    }
}";
    let read = "#version 450
layout(location = 0) out vec4 c;
void main() { c = vec4(1); }";
    let draw = |geometry: &str| {
        let test = ShaderTest::glsl_fragment(read).and_then(|t| t.vertex_glsl(vertex, 2));
        let test = test.and_then(|t| t.stage_glsl(Stage::Geometry, geometry));
        found(test.map(|t| t.topology(Topology::LineList)))
    };
    let reports = draw(geometry);
    assert_eq!(checks::kinds(&reports), ["index-out-of-range:5"]);
    assert_eq!((reports[0].message.as_str(), reports[0].count), ("index 2 of 2 elements", 1));
    assert_eq!(checks::kinds(&draw(&geometry.replace("[i + 1]", "[i]"))), [""; 0]);
}

const CONTROL: &str = "#version 450
layout(vertices = 3) out;
layout(location = 0) out vec4 color[];
layout(location = 1) patch out float size;
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    color[gl_InvocationID] = vec4(1);
    if (gl_InvocationID == 0) {
        gl_TessLevelOuter[0] = 1; gl_TessLevelOuter[1] = 1; gl_TessLevelOuter[2] = 1;
        gl_TessLevelInner[0] = 1; size = 1;
    }
}";

fn patches(control: &str) -> Vec<String> {
    texts(&reports_of_patches(control))
}

fn reports_of_patches(control: &str) -> Vec<Report> {
    let evaluation = "#version 450
layout(triangles) in;
layout(location = 0) in vec4 color[]; layout(location = 1) patch in float size;
layout(location = 0) out vec4 c;
void main() {
    vec3 t = gl_TessCoord;
    gl_Position = t.x * gl_in[0].gl_Position + t.y * gl_in[1].gl_Position + t.z * gl_in[2].gl_Position;
    c = color[0] * size;
}";
    let read = "#version 450
layout(location = 0) in vec4 color; layout(location = 0) out vec4 c;
void main() { c = color; }";
    let test = ShaderTest::glsl_fragment(read).and_then(|t| t.vertex_glsl(VERTEX, 3));
    let test = test.and_then(|t| t.stage_glsl(Stage::TessellationControl, control));
    let test = test.and_then(|t| t.stage_glsl(Stage::TessellationEvaluation, evaluation));
    found(test.map(|t| t.patches(3)))
}

/// No instruction writes the output, so the input counts as one without an output.
#[test]
fn inputs_of_patches_have_outputs() {
    for control in [CONTROL.replace(" size = 1;", ""), CONTROL.replace("location = 1", "location = 2")] {
        let reports = reports_of_patches(&control);
        assert_eq!(reports.len(), 1, "{}", checks::shown(&reports));
        assert_eq!(reports[0].kind.id(), "input-without-output");
        let start = "`size` (location 1) is read, but the previous stage does not write it";
        assert!(reports[0].message.starts_with(start), "{}", reports[0].message);
    }
}

#[test]
fn patches_are_written() {
    assert_eq!(patches(CONTROL), [""; 0]);
    let last = patches(
        &CONTROL.replace("color[gl_InvocationID] =", "if (gl_InvocationID < 2) color[gl_InvocationID] ="),
    );
    let expected = "5: `color` (location 0) is not written for vertex 2, but the tessellation evaluation shader reads it (1)";
    assert_eq!(last, [expected]);
    let size = patches(&CONTROL.replace("size = 1;", "if (gl_in[0].gl_Position.x > 9) size = 1;"));
    assert_eq!(size.len(), 1, "{size:#?}");
    assert!(size[0].contains("`size` (location 1) is not written, but the tessellation"), "{size:#?}");
    // Tessellation levels: the domain has three outer levels.
    let level = patches(&CONTROL.replace("gl_TessLevelOuter[2] = 1;", ""));
    assert_eq!(level.len(), 1, "{level:#?}");
    assert!(
        level[0].contains("`gl_TessLevelOuter[2]` is not written, but tessellation uses it"),
        "{level:#?}"
    );
    // A discarded patch needs no other outputs.
    let dropped =
        CONTROL.replace("gl_TessLevelOuter[1] = 1;", "gl_TessLevelOuter[1] = 0;").replace("size = 1;", "");
    assert_eq!(patches(&dropped), [""; 0]);
}

const MESH: &str = "#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 4) in;
layout(triangles, max_vertices = 4, max_primitives = 2) out;
layout(location = 0) out vec4 color[];
layout(location = 1) perprimitiveEXT out flat uint number[];
void main() {
    uint i = gl_LocalInvocationIndex;
    SetMeshOutputsEXT(4, 2);
    gl_MeshVerticesEXT[i].gl_Position = vec4(vec2(i & 1, i >> 1) * 2 - 1, 0, 1);
    color[i] = vec4(1);
    if (i < 2) { gl_PrimitiveTriangleIndicesEXT[i] = uvec3(i, i + 1, i + 2); number[i] = i; }
}";

fn meshes(mesh: &str) -> Vec<String> {
    texts(&reports_of_meshes(mesh))
}

fn reports_of_meshes(mesh: &str) -> Vec<Report> {
    let read = "#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 0) in vec4 color; layout(location = 1) perprimitiveEXT in flat uint number;
layout(location = 0) out vec4 c;
void main() { c = color * number; }";
    let test = ShaderTest::glsl_fragment(read).and_then(|t| t.stage_glsl(Stage::Mesh, mesh));
    found(test.map(|t| t.workgroups([1, 1, 1])))
}

#[test]
fn outputs_are_as_many_as_declared() {
    let vertex = "#version 450
void main() { gl_Position = vec4(0, 0, 0, 1); }";
    let geometry = "#version 450
layout(points) in; layout(points, max_vertices = 2) out;
void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = vec4(0, 0, 0, 1);
        EmitVertex();
    }
}";
    let read = "#version 450
layout(location = 0) out vec4 c;
void main() { c = vec4(1); }";
    let draw = |geometry: &str| {
        let test = ShaderTest::glsl_fragment(read).and_then(|t| t.vertex_glsl(vertex, 9));
        let test = test.and_then(|t| t.stage_glsl(Stage::Geometry, geometry));
        found(test.map(|t| t.topology(Topology::PointList)))
    };
    let reports = draw(geometry);
    assert_eq!(checks::kinds(&reports), ["too-many-outputs:6"]);
    let message = "vertex 3 of an invocation, which emits at most 2";
    assert_eq!((reports[0].message.as_str(), reports[0].count), (message, 9));
    assert_eq!(checks::kinds(&draw(&geometry.replace("i < 3", "i < 2"))), [""; 0]);

    let mesh = |counts: &str| reports_of_meshes(&MESH.replace("(4, 2);", counts));
    for (counts, message) in [
        ("(5, 2);", "a mesh of 5 vertices, which has at most 4"),
        ("(4, 4000000000u);", "a mesh of 4000000000 primitives, which has at most 2"),
    ] {
        let reports = mesh(counts);
        assert_eq!(checks::kinds(&reports), ["too-many-outputs:9"]);
        assert_eq!(reports[0].message, message);
        assert!(reports[0].kind.clause().contains("MeshEXT-07332 and -07333"), "vertices and primitives");
    }
    let reports = mesh("(3, 2);");
    assert!(reports.len() == 1 && reports[0].kind.id() == "too-many-outputs", "{}", checks::shown(&reports));
    assert!(reports[0].message.ends_with("` has vertex 3 for primitive 1, but the mesh has 3 vertices"));
    let times = |n: u32| {
        let all = format!("for (int k = 0; k < {n}; k++) SetMeshOutputsEXT(4, 2);");
        reports_of_meshes(&MESH.replace("SetMeshOutputsEXT(4, 2);", &all))
    };
    let reports = times(2);
    assert_eq!(checks::kinds(&reports), ["too-many-outputs:9"]);
    assert!(
        reports[0].message.ends_with("a second time") && reports[0].count == 4,
        "{:?}",
        reports[0].message
    );
    assert_eq!(checks::kinds(&times(1)), [""; 0]);
    // The first invocation decides, in whichever subgroup the others are.
    let wide = MESH.replace("local_size_x = 4", "local_size_x = 16");
    let wide = wide.replace("(4, 2);", "(i < 8 ? 4 : 3, 2); if (i > 3) return;");
    assert_eq!(meshes(&wide), [""; 0]);
    let lacking = meshes(&wide.replace("color[i] = vec4(1);", "if (i != 3) color[i] = vec4(1);"));
    assert!(lacking.len() == 1 && lacking[0].contains("not written for vertex 3"), "{lacking:#?}");
}

#[test]
fn meshes_are_written() {
    assert_eq!(meshes(MESH), [""; 0]);
    let vertex = meshes(&MESH.replace("color[i] = vec4(1);", "if (i != 3) color[i] = vec4(1);"));
    let expected =
        "7: `color` (location 0) is not written for vertex 3, but the fragment shader reads it (1)";
    assert_eq!(vertex, [expected]);
    let primitive = meshes(&MESH.replace("number[i] = i;", "if (i == 0) number[i] = i;"));
    let expected =
        "7: `number` (location 1) is not written for primitive 1, but the fragment shader reads it (1)";
    assert_eq!(primitive, [expected]);
    let indices = meshes(&MESH.replace("if (i < 2) {", "number[i & 1] = 0; if (i < 1) {"));
    assert_eq!(indices.len(), 1, "{indices:#?}");
    assert!(
        indices[0].contains("` is not written for primitive 1, but the mesh contains the primitive"),
        "{indices:#?}"
    );
    // No primitive uses the last vertex.
    let unused = MESH.replace("SetMeshOutputsEXT(4, 2)", "SetMeshOutputsEXT(4, 1)");
    assert_eq!(meshes(&unused.replace("color[i] = vec4(1);", "if (i != 3) color[i] = vec4(1);")), [""; 0]);
}

/// Spec: Vulkan, "Flat Shading": a flat input has the value of the provoking vertex.
#[test]
fn provoking_vertices_of_meshes_have_flat_outputs() {
    let read = "#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 0) flat in vec4 color; layout(location = 0) out vec4 c;
void main() { c = color; }";
    let draw = |written: &str, last: bool| {
        let mesh = MESH.replace("out vec4 color[]", "flat out vec4 color[]");
        let mesh = mesh.replace("color[i] =", &format!("if ({written}) color[i] ="));
        let test = ShaderTest::glsl_fragment(read).and_then(|t| t.stage_glsl(Stage::Mesh, &mesh));
        let test = test.map(|t| t.workgroups([1, 1, 1]).state(|state, _| state.provoking_last = last));
        texts(&found(test))
    };
    let expected = |vertex: u32| {
        format!(
            "7: `color` (location 0) is not written for vertex {vertex}, but the fragment shader reads it (1)"
        )
    };
    // The triangles are 0, 1, 2 and 1, 2, 3.
    assert_eq!(draw("i < 2", false), [""; 0]);
    assert_eq!(draw("i > 1", true), [""; 0]);
    assert_eq!(draw("i < 1", false), [expected(1)]);
    assert_eq!(draw("i == 2", true), [expected(3)]);
}

/// Fragment shaders read the number of a primitive as a built-in, which is not among their inputs.
#[test]
fn numbers_of_primitives_are_written() {
    let read = |number: &str| {
        format!(
            "#version 460
layout(location = 0) out vec4 c;
void main() {{ c = vec4({number}); }}"
        )
    };
    let lacks = |found: Vec<String>, place: &str| {
        let expected = format!("is not written for {place}, but the fragment shader reads it (1)");
        assert!(found.len() == 1 && found[0].ends_with(&expected), "{found:#?}");
    };
    let mesh = |written: &str, number: &str| {
        let written = format!("{written} gl_MeshPrimitivesEXT[i].gl_PrimitiveID = 3;");
        let mesh = MESH.replace("number[i] = i;", &written);
        let test = ShaderTest::glsl_fragment(&read(number)).and_then(|t| t.stage_glsl(Stage::Mesh, &mesh));
        texts(&found(test.map(|t| t.workgroups([1, 1, 1]))))
    };
    lacks(mesh("if (i == 0)", "gl_PrimitiveID"), "primitive 1");
    assert_eq!(mesh("if (i == 0)", "2"), [""; 0]);
    assert_eq!(mesh("", "gl_PrimitiveID"), [""; 0]);
    let geometry = |written: &str| {
        let geometry = format!(
            "#version 450
layout(points) in; layout(points, max_vertices = 2) out;
void main() {{
    for (int i = 0; i < 2; i++) {{
        gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 1; {written} gl_PrimitiveID = 3;
        EmitVertex();
    }}
}}"
        );
        let vertex = "#version 450\nvoid main() { gl_Position = vec4(0); }";
        let test = ShaderTest::glsl_fragment(&read("gl_PrimitiveID")).and_then(|t| t.vertex_glsl(vertex, 1));
        let test = test.and_then(|t| t.stage_glsl(Stage::Geometry, &geometry));
        texts(&found(test.map(|t| t.topology(Topology::PointList))))
    };
    lacks(geometry("if (i > 0)"), "this vertex");
    assert_eq!(geometry(""), [""; 0]);
}

/// Reports are the same with alarms in compiled code and with interpretation of everything.
#[test]
fn alarms_leave_no_output_out() {
    let some = "#version 450
layout(location = 0) out vec4 c; layout(location = 1) in vec2 b;
void main() { if (gl_FragCoord.x < 4) c = b.xyxy; }";
    let vertex = VERTEX.replace("b = p;", "if (gl_VertexIndex < 2) b = p;");
    let run = |interp| {
        let options = quadrille::DeviceOptions { interp, ..Default::default() };
        let (session, device) = checks::device_with(&options);
        let test = ShaderTest::glsl_fragment(some).and_then(|t| t.vertex_glsl(&vertex, 3)).unwrap();
        let _: TestRun = test.on(&device).draw(8, 8).unwrap();
        texts(&session.reports.take())
    };
    assert_eq!(run(false), run(true));
    assert_eq!(run(true).len(), 2);
}

/// A declaration with a line is reported at that line.
#[test]
fn declarations_have_lines() {
    let source = "OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main \"main\" %color %glow
        OpExecutionMode %main OriginUpperLeft
        %file = OpString \"glow.frag\"
        OpName %color \"color\"
        OpName %glow \"glow\"
        OpDecorate %color Location 0
        OpDecorate %glow Location 1
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %f32 = OpTypeFloat 32
        %v4 = OpTypeVector %f32 4
        %one = OpConstant %f32 1
        %white = OpConstantComposite %v4 %one %one %one %one
        %pointer = OpTypePointer Output %v4
        %color = OpVariable %pointer Output
        OpLine %file 7 3
        %glow = OpVariable %pointer Output
        OpNoLine
        %main = OpFunction %void None %fn
        %start = OpLabel
        OpStore %color %white
        OpReturn
        OpFunctionEnd";
    let words = frontend::load_spirv(source.as_bytes(), &frontend::Options::default()).unwrap();
    let mask = BlendState { write_mask: 15, ..BlendState::default() };
    let test = ShaderTest::spirv(&words).attachment(Format::R8G8B8A8_UNORM, [0.0; 4], mask);
    let reports = found(Ok(test));
    assert_eq!(texts(&reports), ["7: `glow` (location 1) is not written, but an attachment uses it (64)"]);
    assert_eq!(reports[0].at.file.as_deref(), Some("glow.frag"));
}
