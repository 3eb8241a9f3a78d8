//! Checked stages: inputs that the previous stage does not provide are reported, and so are state that commands do not
//! set, vertices that a patch does not have, requests of task shaders past the limits or by some invocations only, and meshes
//! whose numbers not all invocations declare.
#![cfg(feature = "glsl")]

use crate::checks::{self, VERTEX};
use quadrille::check::Report;
use quadrille::{ShaderTest, Stage};

/// `kind: message` of each finding when an image is drawn with these stages.
fn found(vertex: &str, fragment: &str) -> Vec<String> {
    let test = ShaderTest::glsl_fragment(fragment).unwrap().vertex_glsl(vertex, 3).unwrap();
    shown(&checks::check(test, |t| t.draw(8, 8)))
}

/// A fragment shader for meshes.
const WHITE: &str = "#version 460
layout(location = 0) out vec4 c;
void main() { c = vec4(1); }";

/// A mesh shader without vertices.
const NO_VERTICES: &str = "#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main() { SetMeshOutputsEXT(0, 0); }";

/// A task shader of 32 invocations with this body.
fn task(body: &str) -> String {
    format!(
        "#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 32) in;
void main() {{ uint i = gl_LocalInvocationIndex; {body} }}"
    )
}

/// Findings when these stages draw so many workgroups of meshes.
fn meshes(stages: &[(Stage, &str)], groups: u32) -> Vec<Report> {
    let test = stages
        .iter()
        .fold(ShaderTest::glsl_fragment(WHITE), |test, &(stage, source)| test?.stage_glsl(stage, source));
    checks::check(test.unwrap().workgroups([groups, 1, 1]), |t| t.draw(8, 8))
}

/// `kind: message` of each finding.
fn shown(found: &[Report]) -> Vec<String> {
    found.iter().map(|r| format!("{}: {}", r.kind, r.message)).collect()
}

/// A fragment shader with these inputs and this colour.
fn color(inputs: &str, value: &str) -> String {
    format!("#version 450\nlayout(location = 0) out vec4 c;\n{inputs}\nvoid main() {{ c = {value}; }}")
}

/// Checks that there is exactly one finding, since each variable has one report.
#[track_caller]
fn finds(found: &[String], start: &str) {
    assert!(found.len() == 1 && found[0].starts_with(start), "{found:#?}");
}

#[test]
fn inputs_have_outputs() {
    let missing = color("layout(location = 2) in vec4 glow;", "glow");
    finds(
        &found(VERTEX, &missing),
        "input-without-output: `glow` (location 2) is read, but the previous stage does not write it",
    );
    // Inputs are checked by component, and only used components count.
    let wide = |use_of: &str| color("layout(location = 1) in vec4 b;", use_of);
    finds(
        &found(VERTEX, &wide("b")),
        "input-without-output: `b.z` and `b.w` (location 1) are read, but the previous stage does not write them",
    );
    let twice = color("layout(location = 2) in vec4 g;", "g.x > 0 ? g.wzyx : vec4(1)");
    finds(&found(VERTEX, &twice), "input-without-output: `g` (location 2) is read");
    assert_eq!(found(VERTEX, &wide("vec4(b.xy, 0, 1)")), [""; 0]);
    assert_eq!(found(VERTEX, &color("layout(location = 0) in vec4 a;", "a")), [""; 0]);
    assert_eq!(
        found(VERTEX, &color("layout(location = 2) in vec4 g;", "gl_FragCoord.x > 99 ? g : vec4(1)")),
        [""; 0]
    );
    // An output that is declared but never written does not count as an output.
    let silent = VERTEX.replace("a = vec4(p, 1, 1);", "");
    finds(
        &found(&silent, &color("layout(location = 0) in vec4 a;", "a")),
        "input-without-output: `a` (location 0)",
    );
    assert_eq!(found(&silent, &color("layout(location = 1) in vec2 b;", "b.xyxy")), [""; 0]);
}

#[test]
fn push_constants_are_set() {
    let source = "#version 450
        layout(local_size_x = 4) in;
        layout(push_constant) uniform P { uint n; uint list[3]; } p;
        layout(set = 0, binding = 0) buffer B { uint b[]; };
        void main() { uint i = gl_LocalInvocationIndex; b[i] = WHAT; }";
    let found = |what: &str, push: &[u32]| {
        let test = ShaderTest::glsl(&source.replace("WHAT", what)).unwrap().loose();
        let test = test.bind(0, 0, &[0u32; 4]).push(push);
        let found = checks::check(test, |t| t.dispatch([1, 1, 1]));
        found.iter().map(|r| format!("{}: {}", r.kind, r.message)).collect::<Vec<_>>()
    };
    finds(
        &found("p.n + p.list[i % 3]", &[1, 2]),
        "unset-push-constant: `p.list[1]` is read, but no command has set it",
    );
    assert_eq!(found("p.n + p.list[i % 3]", &[1, 2, 3, 4]), [""; 0]);
    assert_eq!(found("p.n + p.list[0]", &[1, 2]), [""; 0]);
    finds(&found("p.list[i]", &[1, 2, 3, 4]), "index-out-of-range: index 3 of 3 elements");
}

/// Spec: Vulkan, VUID-RuntimeSpirv-TaskEXT-07299 to -07302: limits per axis, and of the product.
#[test]
fn mesh_workgroups_are_as_many_as_the_device_has() {
    let draw = |groups: &str| {
        let task = task(&format!("EmitMeshTasksEXT({groups});"));
        meshes(&[(Stage::Task, &task), (Stage::Mesh, NO_VERTICES)], 1)
    };
    let most = "of which there are at most 65535 x 65535 x 65535, and 4194304 in all";
    let huge = "4294967295u, 4294967295u, 4294967295u";
    for groups in ["65536, 1, 1", "1, 65536, 0", "2048, 2049, 1", huge] {
        let reports = draw(groups);
        assert_eq!(checks::kinds(&reports), ["too-many-outputs:4"], "{groups}");
        let requested = groups.replace('u', "").replace(", ", " x ");
        assert_eq!(reports[0].message, format!("{requested} mesh workgroups, {most}"));
        assert_eq!(reports[0].count, 1, "{groups}");
    }
    assert_eq!(checks::kinds(&draw("3, 2, 1")), [""; 0]);
}

/// Spec: SPV_EXT_mesh_shader, Universal Validation Rules: all invocations execute OpEmitMeshTasksEXT.
#[test]
fn mesh_workgroups_are_requested_by_all_invocations() {
    let draw = |body: &str| shown(&meshes(&[(Stage::Task, &task(body)), (Stage::Mesh, NO_VERTICES)], 2));
    for (body, who) in [
        ("if (i == 11) EmitMeshTasksEXT(1, 1, 1);", "1 of 32 invocations of the workgroup reaches"),
        ("if (i > 19) return; EmitMeshTasksEXT(0, 1, 1);", "20 of 32 invocations of the workgroup reach"),
    ] {
        finds(&draw(body), &format!("barrier-divergent: {who} the request for mesh workgroups"));
    }
    for body in [
        "EmitMeshTasksEXT(1, 1, 1);",
        "if (gl_WorkGroupID.x == 0) return; EmitMeshTasksEXT(1, 1, 1);",
        "if (gl_WorkGroupID.x == 0) EmitMeshTasksEXT(1, 1, 1); else EmitMeshTasksEXT(2, 1, 1);",
    ] {
        assert_eq!(draw(body), [""; 0], "{body}");
    }
}

/// Spec: SPV_EXT_mesh_shader, TaskPayloadWorkgroupEXT: such variables have no initializers, and mesh shaders only read them.
#[test]
fn payloads_are_written_by_task_shaders() {
    let mesh = "#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
taskPayloadSharedEXT uint n[2];
void main() {
    SetMeshOutputsEXT(0, 0);
    if (n[1] == 7) gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
}";
    let draw = |task: Option<&str>| {
        let Some(body) = task else { return shown(&meshes(&[(Stage::Mesh, mesh)], 1)) };
        let task = format!(
            "#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
taskPayloadSharedEXT uint n[2];
void main() {{ {body} EmitMeshTasksEXT(1, 1, 1); }}"
        );
        shown(&meshes(&[(Stage::Task, &task), (Stage::Mesh, mesh)], 1))
    };
    for task in [None, Some("")] {
        let message = "input-without-output: the payload is read, but no task shader writes it";
        finds(&draw(task), message);
    }
    for body in ["n[1] = 5;", "n[gl_WorkGroupID.x] = 5;", "atomicAdd(n[1], 1);"] {
        assert_eq!(draw(Some(body)), [""; 0], "{body}");
    }
}

/// Spec: SPV_EXT_mesh_shader, OpSetMeshOutputsEXT: all invocations execute it, in uniform control flow.
#[test]
fn numbers_of_meshes_are_declared_by_all_invocations() {
    let draw = |body: &str| {
        let mesh = format!(
            "#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 16) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main() {{ uint i = gl_LocalInvocationIndex; {body} }}"
        );
        shown(&meshes(&[(Stage::Mesh, &mesh)], 1))
    };
    for (body, who) in [
        ("if (i == 3) SetMeshOutputsEXT(0, 0);", "1 of 16 invocations of the workgroup declares"),
        ("if (i < 12) SetMeshOutputsEXT(0, 0);", "12 of 16 invocations of the workgroup declare"),
        (
            "if (i < 5) SetMeshOutputsEXT(0, 0); else SetMeshOutputsEXT(0, 0);",
            "5 of 16 invocations of the workgroup declare",
        ),
    ] {
        let message = format!("too-many-outputs: {who} the numbers of vertices and primitives here");
        finds(&draw(body), &message);
    }
    for body in [
        "SetMeshOutputsEXT(0, 0);",
        "if (gl_NumWorkGroups.x == 1) SetMeshOutputsEXT(0, 0); else SetMeshOutputsEXT(3, 1);",
        "if (gl_NumWorkGroups.x != 1) SetMeshOutputsEXT(3, 1);",
    ] {
        assert_eq!(draw(body), [""; 0], "{body}");
    }
}

/// Spec: SPV_EXT_mesh_shader, OpSetMeshOutputsEXT: behaviour is undefined if a path to an output write lacks it.
#[test]
fn numbers_of_meshes_are_declared_before_outputs() {
    let draw = |body: &str| {
        let mesh = format!(
            "#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 3) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main() {{ uint i = gl_LocalInvocationIndex; {body} }}"
        );
        shown(&meshes(&[(Stage::Mesh, &mesh)], 1))
    };
    let vertex = "gl_MeshVerticesEXT[i].gl_Position = vec4(i & 1, i >> 1, 0, 1);";
    let primitive = "gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);";
    let message =
        "too-many-outputs: an output of the mesh is written before the numbers of vertices and primitives";
    for early in [vertex, primitive] {
        let late = if early == vertex { primitive } else { vertex };
        finds(&draw(&format!("{early} SetMeshOutputsEXT(3, 1); {late}")), message);
    }
    assert_eq!(draw(&format!("SetMeshOutputsEXT(3, 1); {vertex} {primitive}")), [""; 0]);
}

/// Spec: GLSL 4.60, "Tessellation Control Special Variables": an input patch has gl_PatchVerticesIn vertices.
#[test]
fn indices_of_vertices_are_in_the_patch() {
    let control = "#version 450
layout(vertices = 2) out;
layout(location = 0) out float v[];
void main() {
    v[gl_InvocationID] = gl_in[gl_InvocationID + 1].gl_Position.x;
    gl_TessLevelOuter[0] = 1; gl_TessLevelOuter[1] = 1;
}";
    let evaluation = "#version 450
layout(isolines) in;
layout(location = 0) in float v[];
void main() { gl_Position = vec4(v[0], v[1], 0, 1); }";
    let read = "#version 450
layout(location = 0) out vec4 c;
void main() { c = vec4(1); }";
    let draw = |control: &str, evaluation: &str| {
        let test = ShaderTest::glsl_fragment(read).and_then(|t| t.vertex_glsl(VERTEX, 3));
        let test = test.and_then(|t| t.stage_glsl(Stage::TessellationControl, control));
        let test = test.and_then(|t| t.stage_glsl(Stage::TessellationEvaluation, evaluation));
        let found = checks::check(test.unwrap().patches(3), |t| t.draw(8, 8));
        found.iter().map(|r| format!("{}: {}", r.kind, r.message)).collect::<Vec<_>>()
    };
    let past = |n: u32| [format!("index-out-of-range: index {n} of {n} elements")];
    assert_eq!(draw(control, evaluation), [""; 0]);
    assert_eq!(draw(&control.replace("+ 1]", "+ 2]"), evaluation), past(3));
    assert_eq!(draw(control, &evaluation.replace("v[1]", "v[2]")), past(2));
}
