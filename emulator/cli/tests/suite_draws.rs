//! `quadrille test`: draws in native test files with every stage, vertices, attachments, depth and stencil tests, and
//! images of all shapes.

use crate::common::{Folder, quadrille};

/// Draws white.
const WHITE: &str = "#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1); }
";

/// Runs the tests, which must pass.
fn passes(folder: &Folder, test: &str) {
    let test = folder.write("x.test.toml", test);
    let out = quadrille(&["test", &test]);
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{text}\n{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn vertices_and_indices() {
    let folder = Folder::new("draws-vertices");
    folder.write(
        "in.vert",
        "#version 450
layout(location = 0) in vec2 at;
layout(location = 3) in vec3 color;
layout(location = 4) in float shift;
layout(location = 0) flat out vec3 shown;
void main() { gl_Position = vec4(at + vec2(shift, 0), 0, 1); shown = color; }
",
    );
    folder.write(
        "in.frag",
        "#version 450
layout(location = 0) flat in vec3 shown;
layout(location = 0) out vec4 color;
void main() { color = vec4(shown, 1); }
",
    );
    let mut mesh = Vec::new();
    for [x, y] in [[-1.0f32, -1.0], [0.0, -1.0], [-1.0, 0.0], [0.0, 0.0]] {
        mesh.extend([x.to_le_bytes(), y.to_le_bytes(), [255, 0, 0, 0]].concat());
    }
    folder.write("mesh.bin", mesh);
    // A quarter of the picture, drawn twice: on the left in red, and by the second instance on the right.
    let corners = "-1,-1, 0,-1, -1,0, 0,0";
    let (red, none) = ("255,0,0,255", "0,0,0,0");
    let expected = format!("{red},{red},{red},{red}, {none},{none},{none},{none}");
    passes(
        &folder,
        &format!(
            r#"
shader = "in.frag"
[[test]]
name = "indices of a strip"
draw = "4x2"
vertex = "in.vert"
topology = "triangle-strip"
indices = "u16: 0, 1, 2, 3"
instances = 2
[test.attribute]
0 = {{ format = "R32G32_SFLOAT", values = "f32: {corners}" }}
3 = {{ format = "R8G8B8A8_UNORM", values = "u8: 255,0,0,0, 255,0,0,0, 255,0,0,0, 255,0,0,0" }}
4 = {{ format = "R32_SFLOAT", values = "f32: 0, 1", per-instance = true }}
[test.expect]
"color.0" = "u8: {expected}"

[[test]]
name = "a file with both, and a restart"
draw = "4x2"
vertex = "in.vert"
topology = "triangle-strip"
restart = true
indices = "u32: 0, 1, 2, 0xffffffff, 2, 1, 3"
instances = 2
cull = "none"
[test.attribute]
0 = {{ format = "R32G32_SFLOAT", values = "mesh.bin", stride = 12 }}
3 = {{ format = "R8G8B8A8_UNORM", values = "mesh.bin", stride = 12, offset = 8 }}
4 = {{ format = "R32_SFLOAT", values = "f32: 0, 1", per-instance = true }}
[test.expect]
"color.0" = "u8: {expected}"
"#
        ),
    );
}

#[test]
fn every_stage() {
    let folder = Folder::new("draws-stages");
    folder.write("white.frag", WHITE);
    folder.write(
        "corner.vert",
        "#version 450
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
    gl_Position = vec4(at, 0, 1);
}
",
    );
    folder.write(
        "all.tesc",
        "#version 450
layout(vertices = 3) out;
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 2.0;
}
",
    );
    folder.write(
        "all.tese",
        "#version 450
layout(triangles) in;
void main() {
    vec3 t = gl_TessCoord;
    gl_Position =
        t.x * gl_in[0].gl_Position + t.y * gl_in[1].gl_Position + t.z * gl_in[2].gl_Position;
}
",
    );
    folder.write(
        "half.geom",
        "#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(constant_id = 5) const float WIDTH = 1.0;
void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = vec4((gl_in[i].gl_Position.x + 1.0) * WIDTH - 1.0, gl_in[i].gl_Position.yzw);
        EmitVertex();
    }
    EndPrimitive();
}
",
    );
    folder.write(
        "two.task",
        "#version 450
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
taskPayloadSharedEXT float height;
void main() { height = 1.0; EmitMeshTasksEXT(1, 1, 1); }
",
    );
    folder.write(
        "two.mesh",
        "#version 450
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 4, max_primitives = 2) out;
taskPayloadSharedEXT float height;
void main() {
    SetMeshOutputsEXT(4, 2);
    float left = gl_WorkGroupID.x;
    for (int i = 0; i < 4; i++)
        gl_MeshVerticesEXT[i].gl_Position = vec4((i & 1) * 0.5 + left - 1.0, (i >> 1) * height - 1.0, 0, 1);
    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
    gl_PrimitiveTriangleIndicesEXT[1] = uvec3(2, 1, 3);
}
",
    );
    passes(
        &folder,
        r#"
shader = "white.frag"
[[test]]
name = "tessellation"
draw = "2x2"
vertex = "corner.vert"
tessellation-control = "all.tesc"
tessellation-evaluation = "all.tese"
patch = 3
expect = { "color.0" = "u8: 255*16" }

[[test]]
name = "geometry, with a constant of that stage"
draw = "4x1"
vertex = "corner.vert"
geometry = "half.geom"
spec = { 5 = 0.5 }
vertices = 3
expect = { "color.0" = "u8: 255*12, 0*4" }

[[test]]
name = "task and mesh"
draw = "4x2"
task = "two.task"
mesh = "two.mesh"
expect = { "color.0" = "u8: 255*4, 0*28" }

[[test]]
name = "tasks"
draw = "4x2"
task = "two.task"
mesh = "two.mesh"
workgroups = [2]
expect = { "color.0" = "u8: 255*4, 0*28" }
"#,
    );
}

#[test]
fn modules_with_several_entry_points() {
    let folder = Folder::new("draws-entries");
    folder.write(
        "all.wgsl",
        "@vertex fn left(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1) - 1.0, f32(i >> 1) * 4.0 - 3.0, 0.0, 1.0);
}
@vertex fn all(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1) * 4.0 - 1.0, f32(i >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn red() -> @location(0) vec4f { return vec4f(1.0, 0.0, 0.0, 1.0); }
@fragment fn blue() -> @location(0) vec4f { return vec4f(0.0, 0.0, 1.0, 1.0); }
",
    );
    passes(
        &folder,
        r#"
shader = "all.wgsl"
[[test]]
name = "all in blue"
draw = "2x1"
entry = "blue"
vertex = { shader = "all.wgsl", entry = "all" }
expect = { "color.0" = "u8: 0,0,255,255, 0,0,255,255" }
"#,
    );
}

#[test]
fn attachments_depth_and_stencil() {
    let folder = Folder::new("draws-attachments");
    folder.write(
        "two.frag",
        "#version 450
layout(location = 0) out vec4 color;
layout(location = 1) out uint number;
void main() { color = vec4(1, 1, 1, 0.5); number = 7; }
",
    );
    folder.write(
        "near.vert",
        "#version 450
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
    // Nearer on the left.
    gl_Position = vec4(at, 0.25 + (at.x + 1.0) / 4.0, 1);
}
",
    );
    folder.write("white.frag", WHITE);
    passes(
        &folder,
        r#"
shader = "two.frag"
[[test]]
name = "two attachments, one of them blended"
draw = "2x1"
expect = { "color.0" = "u8: 255,128,128,128, 255,128,128,128", "color.1" = "u32: 7, 7" }
[[test.attachment]]
clear = [1.0, 0.0, 0.0, 0.0]
blend = { src = "src-alpha", dst = "one-minus-src-alpha", src-alpha = "one", dst-alpha = "zero" }
[[test.attachment]]
format = "R32_UINT"

[[test]]
name = "what is not written stays"
draw = "1x1"
blend = { write = "rb" }
clear = [0.0, 0.0, 0.0, 0.0]
expect = { "color.0" = "u8: 255, 0, 255, 0" }

[[test]]
name = "depth: the nearer half"
shader = "white.frag"
vertex = "near.vert"
draw = "2x1"
depth = { clear = 0.5, test = "less" }
expect = { "color.0" = "u8: 255,255,255,255, 0,0,0,0", "depth" = "f32: 0.375, 0.5" }

[[test]]
name = "depth and stencil, with four samples"
shader = "white.frag"
vertex = "near.vert"
draw = "2x1"
samples = 4
depth = { format = "D24_UNORM_S8_UINT", clear = 0.5, test = "less-or-equal", write = false }
[test.stencil]
clear = 4
front = { test = "less", reference = 3, pass = "increment-and-clamp", depth-fail = "replace" }
[test.expect]
depth = { values = "f32: 0.5, 0.5", tolerance = 1e-6 }
stencil = "u8: 5, 3"

[[test]]
name = "faces"
shader = "white.frag"
vertex = "near.vert"
draw = "1x1"
cull = "back"
front-face = "clockwise"
stencil = { clear = 9, front = { pass = "zero" }, back = { pass = "invert" } }
expect = { stencil = "u8: 0" }
"#,
    );
}

#[test]
fn images_of_all_shapes() {
    let folder = Folder::new("draws-images");
    folder.write(
        "look.comp",
        "#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler1D line;
layout(binding = 1) uniform sampler3D volume;
layout(binding = 2) uniform samplerCube cube;
layout(binding = 3) uniform sampler2DArray layers;
layout(binding = 4) uniform sampler2DShadow shadow;
layout(binding = 5, r32f) uniform image2DArray written;
layout(binding = 6) uniform sampler2D levels;
layout(binding = 7) uniform usamplerBuffer words;
layout(binding = 8) buffer Out { float o[8]; };
void main() {
    o[0] = texture(line, 0.25).r;
    o[1] = textureLod(volume, vec3(0.5, 0.5, 0.75), 0.0).r;
    o[2] = textureLod(cube, vec3(0, -1, 0), 0.0).r;
    o[3] = textureLod(layers, vec3(0.5, 0.5, 1), 0.0).g;
    o[4] = textureLod(shadow, vec3(0.5, 0.5, 0.5), 0.0);
    o[5] = textureLod(levels, vec2(0.5), 1.0).r;
    o[6] = float(texelFetch(words, 2).r);
    o[7] = float(gl_SubgroupSize);
    imageStore(written, ivec3(0, 0, 1), vec4(4));
}
",
    );
    for (name, green) in [("a.png", 0), ("b.png", 255)] {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let picture = image::RgbaImage::from_pixel(2, 2, image::Rgba([0, green, 0, 255]));
        picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        folder.write(name, bytes.into_inner());
    }
    passes(
        &folder,
        r#"
[[test]]
name = "images"
shader = "look.comp"
dispatch = [1]
lanes = 16
[test.bind]
"0.0" = { dim = "1D", format = "R32_SFLOAT", size = [2], texels = "f32: 3, 5" }
"0.1" = { dim = "3D", format = "R32_SFLOAT", size = [1, 1, 2], texels = "f32: 1, 2" }
"0.2" = { dim = "Cube", format = "R32_SFLOAT", size = [1, 1], texels = "f32: 10, 11, 12, 13, 14, 15" }
"0.3" = { dim = "2DArray", layers = 2, texels = ["a.png", "b.png"] }
"0.4" = { format = "D32_SFLOAT", size = [1, 1], texels = "f32: 0.6" }
"0.5" = { dim = "2DArray", format = "R32_SFLOAT", size = [1, 1], layers = 2 }
"0.6" = { format = "R32_SFLOAT", size = [2, 2], levels = 2, texels = ["f32: 0*4", "f32: 9"] }
"0.7" = { dim = "Buffer", format = "R8_UINT", texels = "u8: 5, 6, 7" }
"0.8" = "zeros: 32"
[test.sampler]
"0.0" = "linear clamp"
"0.4" = "compare=less-or-equal clamp"
"0.6" = "mag=linear min=nearest mip=nearest u=clamp v=mirror lod=0..4"
[test.expect]
"0.8" = "f32: 3, 2, 13, 1, 1, 9, 7, 16"
"0.5" = "f32: 0, 4"
"#,
    );
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let folder = Folder::new("draws-mistakes");
    folder.write("white.frag", WHITE);
    folder.write("wrong.vert", "#version 450\nvoid main() {\n    gl_Position = nowhere;\n}\n");
    let fails = |rest: &str, says: &[&str]| {
        let text = format!("shader = \"white.frag\"\n[[test]]\ndraw = \"1x1\"\n{rest}\n");
        let test = folder.write("x.test.toml", text);
        let out = quadrille(&["test", &test]);
        let text = String::from_utf8_lossy(&out.stdout);
        assert_eq!(out.status.code(), Some(1), "{text}");
        for part in says {
            assert!(text.contains(part), "{part}\n{text}");
        }
    };
    fails("vertex = \"wrong.vert\"", &["wrong.vert:3", "nowhere", "3 |     gl_Position = nowhere;"]);
    fails("geometry = \"none.geom\"", &["x.test.toml:4:12", "cannot read"]);
    fails(
        "topology = \"triangles\"",
        &["x.test.toml:4:12", "`triangles` is not a topology", "triangle-list"],
    );
    fails("blend = \"over\"", &["x.test.toml:4:9", "`over` is not a blend mode"]);
    fails("blend = { src = \"half\" }", &["x.test.toml:4:9", "`half` is not a blend factor"]);
    fails("depth = { test = \"nearer\" }", &["x.test.toml:4:9", "`nearer` is not a comparison"]);
    fails("depth = { tset = \"less\" }", &["x.test.toml:4:11", "unknown field `tset`"]);
    fails(
        "stencil = { front = { pass = \"add\" } }",
        &["x.test.toml:4:11", "`add` is not a stencil operation"],
    );
    fails("depth = { format = \"R8_UNORM\" }", &["R8_UNORM is not a depth or stencil format"]);
    fails("indices = \"f32: 1\"", &["x.test.toml:4:11", "indices are u8, u16 or u32"]);
    fails(
        "attribute = { 0 = { format = \"R32G32_SFLOAT\", values = \"f32: 1\" } }",
        &["x.test.toml:4:19", "4 bytes are not a whole number of R32G32_SFLOAT"],
    );
    fails("attribute = { a = { format = \"R8_UINT\", values = \"u8: 1\" } }", &["a location is a number"]);
    fails(
        "clear = [0.0, 0.0, 0.0, 0.0]\n[[test.attachment]]\nformat = \"R8_UNORM\"",
        &["x.test.toml:5:1", "with several, each has its own"],
    );
    fails(
        "expect = { \"color.1\" = \"u8: 0\" }",
        &["x.test.toml:4:12", "there is no attachment 1: the last is 0"],
    );
    fails("expect = { depth = \"f32: 0\" }", &["x.test.toml:4:12", "there is no depth attachment"]);
    fails(
        "expect = { \"colour\" = \"u8: 0\" }",
        &["x.test.toml:4:12", "neither color.N nor depth nor stencil"],
    );
    fails(
        "expect = { \"color.0\" = { valeus = \"u8: 0\" } }",
        &["x.test.toml:4:26", "unknown field `valeus`; did you mean `values`? expected one of"],
    );
    fails("expect = { depth = { first = 1 } }", &["x.test.toml:4:20", "one of `values`, `members`"]);
    fails("spec = { 3 = 1 }", &["no specialization constant has id 3"]);
    fails("cull = \"both\"", &["x.test.toml:4:8", "`both` is not a cull mode"]);
    fails("sampler = { \"0.0\" = \"smooth\" }", &["x.test.toml:4:21", "`smooth` is none of linear"]);
    for wrong in ["lod=4..0", "anisotropy=0", "bias=nan"] {
        fails(&format!("sampler = {{ \"0.0\" = \"{wrong}\" }}"), &[&format!("`{wrong}` is none of linear")]);
    }
}

/// A key that has no effect would be a test of something else.
#[test]
fn keys_of_other_kinds_of_tests_are_refused() {
    let folder = Folder::new("draws-kinds");
    folder.write("white.frag", WHITE);
    for (keys, message) in [
        ("dispatch = [1]\nvertex = \"x.vert\"", "`vertex` is only for tests with `draw`"),
        ("render = \"1x1\"\nattachment = [{}]", "`attachment` is only for tests with `draw`"),
        ("dispatch = [1]\nsamples = 4", "`samples` is only for tests with `draw` or `render`"),
        ("draw = \"1x1\"\nuniform = { a = 1 }", "`uniform` is only for tests with `render`"),
        ("render = \"1x1\"\npush = [\"f32: 1\"]", "`push` is not for tests with `render`"),
        ("draw = \"1x1\"\nerror = \"x\"\nprinted = []", "`printed` is not compared in a test with `error`"),
    ] {
        let test = folder.write("x.test.toml", format!("shader = \"white.frag\"\n[[test]]\n{keys}\n"));
        let out = quadrille(&["test", &test]);
        let text = String::from_utf8_lossy(&out.stdout);
        assert_eq!(out.status.code(), Some(1), "{text}");
        assert!(text.contains("x.test.toml:2:1") && text.contains(message), "{message}\n{text}");
    }
}

/// Some bytes of a test file are gigabytes of data. They become device memory, whose size limits them.
#[test]
fn data_of_a_test_fit_device_memory() {
    let folder = Folder::new("suite-data");
    folder.write(
        "x.wgsl",
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
         @compute @workgroup_size(1) fn main() { v[0] = 1u; }",
    );
    let slots: Vec<String> = (0..4).map(|n| format!("\"0.{n}\" = \"zeros:30000000\"")).collect();
    let test = format!("shader = \"x.wgsl\"\n[[test]]\ndispatch = [1]\nbind = {{ {} }}\n", slots.join(", "));
    let test = folder.write("x.test.toml", &test);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_quadrille"));
    let out =
        command.args(["test", &test]).env("NO_COLOR", "1").env("QUADRILLE_HEAP", "64").output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{text}");
    assert!(text.contains("do not fit the 67108864 bytes of device memory"), "{text}");
}
