//! Debug information of every front end: lines and functions of instructions, and names of variables and of parts of
//! memory.

use quadrille::frontend::{Options, Stage, compile_agsl, compile_wgsl};
use quadrille_jit::ir::debug::{Class, Debug, Home, Space};
#[cfg(feature = "glsl")]
use quadrille_jit::ir::{BuiltIn, Slot};
use quadrille_jit::ir::{Op, Shader, each_inst};
use quadrille_jit::spirv::{Module, asm};

fn lower(words: &[u32], stage: Stage) -> Shader {
    let module = Module::parse(words).unwrap();
    let entry = module.entry_points().iter().find(|e| e.stage == stage).unwrap().name.clone();
    module.lower_noted(&entry, stage, &[]).unwrap()
}

fn debug(shader: &Shader) -> &Debug {
    shader.debug.as_ref().unwrap()
}

/// Source lines of the instructions with an opcode.
fn lines(shader: &Shader, op: Op) -> Vec<String> {
    let mut out = Vec::new();
    each_inst(&shader.body, &mut |i| {
        if i.op == op {
            out.push(debug(shader).locate(i.src).unwrap().to_string());
        }
    });
    out.dedup();
    out
}

/// The variable with this name and class, and the names of its scalars if it is a private variable.
fn variable(shader: &Shader, class: Class, name: &str) -> (String, Vec<String>) {
    let d = debug(shader);
    let v = d.variables.iter().find(|v| v.class == class && v.name == name);
    let v = v.unwrap_or_else(|| panic!("no {class:?} {name} in {:#?}", d.variables));
    let n = d.types[v.ty as usize].extent;
    let names = match &v.home {
        Home::Var { var, elem, .. } => (0..n).map(|i| d.variable(*var, elem + i).unwrap()).collect(),
        Home::Values(values) => values.iter().map(|&x| d.value(x).unwrap()).collect(),
        _ => Vec::new(),
    };
    (d.type_name(v.ty), names)
}

#[cfg(feature = "glsl")]
const COMPUTE: &str = "#version 450
layout(local_size_x = 4) in;
struct P { vec3 pos; mat2 m; float w[2]; };
layout(std430, set = 0, binding = 1) buffer B { uint n; P list[]; } b;
layout(std430, set = 0, binding = 2) buffer C { layout(row_major) mat2 turn; float direct[]; };
layout(push_constant) uniform Push { vec2 scale; };
shared float first;
shared P tile[4];
float twice(float x) {
    float y = x * 2.0;
    return y;
}
float more(float v) { return twice(v) + scale.y; }
void main() {
    vec3 color = vec3(1.0);
    for (int i = 0; i < 3; i++) {
        color.y += more(color.x);
    }
    first = 1.0;
    tile[gl_LocalInvocationID.x].pos = color;
    barrier();
    b.list[gl_LocalInvocationID.x].pos = tile[1].pos;
    direct[2] = color.z * turn[1][0];
}
";

#[test]
#[cfg(feature = "glsl")]
fn glsl() {
    let options = Options::named("a.comp");
    let words = quadrille::frontend::compile_glsl(COMPUTE, Stage::Compute, &options).unwrap();
    let shader = lower(&words, Stage::Compute);
    let d = debug(&shader);
    assert_eq!(d.files[0].name, "a.comp");

    assert_eq!(lines(&shader, Op::ControlBarrier), ["a.comp:21 in main"]);
    assert_eq!(lines(&shader, Op::StoreBuffer), ["a.comp:22 in main", "a.comp:23 in main"]);
    assert_eq!(lines(&shader, Op::FMul), ["a.comp:10 in twice", "a.comp:23 in main"]);
    // Follow the chain of calls: function and line of each, the innermost first.
    let mut place = 0;
    each_inst(&shader.body, &mut |i| {
        if i.op == Op::FMul && place == 0 {
            place = i.src.place;
        }
    });
    let stack = d.stack(place);
    let stack: Vec<_> = stack.iter().map(|&(c, p)| (d.function_of(c), d.places[p as usize].line)).collect();
    assert_eq!(stack, [("twice", 10), ("more", 13), ("main", 17)]);

    let vec3 = |name: &str| ["x", "y", "z"].map(|c| format!("{name}.{c}")).to_vec();
    assert_eq!(variable(&shader, Class::Local, "color"), ("vec3".into(), vec3("color")));
    assert_eq!(variable(&shader, Class::Local, "y"), ("float".into(), vec!["y".into()]));
    assert_eq!(variable(&shader, Class::Parameter, "x").0, "float");
    assert_eq!(variable(&shader, Class::Workgroup, "tile").0, "P[4]");
    assert_eq!(d.places[d.variables.iter().find(|v| v.name == "y").unwrap().from as usize].line, 10);

    let b = |offset| d.member(Space::Binding { set: 0, binding: 1 }, 0, offset).unwrap();
    // std430: P has 48 bytes: pos at 0, m at 16, w at 32. The list begins at 16.
    assert_eq!(b(0), "b.n");
    assert_eq!(b(16 + 48 * 3 + 4), "b.list[3].pos.y");
    assert_eq!(b(16 + 48 + 16 + 8 + 4), "b.list[1].m[1].y");
    assert_eq!(b(16 + 32 + 4), "b.list[0].w[1]");
    let c = |offset| d.member(Space::Binding { set: 0, binding: 2 }, 0, offset).unwrap();
    assert_eq!([c(0), c(4), c(8), c(12)], ["turn[0].x", "turn[1].x", "turn[0].y", "turn[1].y"]);
    assert_eq!(c(16 + 8), "direct[2]");
    assert_eq!(d.member(Space::Push, 0, 4).unwrap(), "scale.y");
    assert_eq!(d.member(Space::Binding { set: 0, binding: 7 }, 0, 0), None);
    // The front end orders workgroup variables by their first use.
    let shared = |offset| d.member(Space::Shared, 0, offset);
    assert_eq!(shared(0).unwrap(), "first");
    assert_eq!(shared(4 + 36 + 4).unwrap(), "tile[1].pos.y");
    assert_eq!(shared(4 + 36 * 4), None);
    let slot = Slot::BuiltIn(BuiltIn::LocalInvocationId, 1);
    assert_eq!(d.interface(false, slot).unwrap(), "gl_LocalInvocationID.y");
}

#[test]
#[cfg(feature = "glsl")]
fn only_when_asked_and_the_same_otherwise() {
    let options = Options::named("a.comp");
    let words = quadrille::frontend::compile_glsl(COMPUTE, Stage::Compute, &options).unwrap();
    let plain = Module::parse(&words).unwrap().lower("main", Stage::Compute, &[]).unwrap();
    assert!(plain.debug.is_none());
    each_inst(&plain.body, &mut |i| assert_eq!(i.src.place, 0));
    let observed = lower(&words, Stage::Compute);
    assert_eq!((plain.values.len(), &plain.vars), (observed.values.len(), &observed.vars));
}

#[test]
fn wgsl() {
    let source = "struct P { pos: vec3f, m: mat2x2f, w: array<f32, 2> }
@group(0) @binding(1) var<storage, read_write> list: array<P>;
var<workgroup> tile: array<vec4f, 4>;
fn twice(x: f32) -> f32 {
  var y = x * 2.0;
  return y;
}
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) id: u32) {
  var color = vec3f(1.0);
  for (var i = 0; i < 3; i++) {
    color.y += twice(color.x);
  }
  tile[id] = vec4f(color, 1.0);
  workgroupBarrier();
  list[id].pos = tile[1].xyz;
}
";
    let words = compile_wgsl(source, &Options::named("a.wgsl")).unwrap();
    let shader = lower(&words, Stage::Compute);
    let d = debug(&shader);
    assert_eq!(d.files[0].text, source);
    assert_eq!(lines(&shader, Op::FMul), ["a.wgsl:5:11 in twice"]);
    assert_eq!(lines(&shader, Op::ControlBarrier), ["a.wgsl:14:3 in main"]);
    assert!(lines(&shader, Op::VarGet).iter().all(|l| !l.starts_with("a.wgsl:1:1 ")));
    assert_eq!(variable(&shader, Class::Local, "color").1[2], "color.z");
    assert_eq!(variable(&shader, Class::Local, "y").1, ["y"]);
    assert_eq!(variable(&shader, Class::Parameter, "x").1, ["x"]);
    let list = Space::Binding { set: 0, binding: 1 };
    assert_eq!(d.member(list, 0, 48 * 2 + 8).unwrap(), "list[2].pos.z");
    assert_eq!(d.member(list, 0, 16 + 8).unwrap(), "list[0].m[1].x");
    assert_eq!(d.member(Space::Shared, 0, 20).unwrap(), "tile[1].y");
}

#[test]
fn agsl() {
    let source = "uniform float2 gain;
half4 main(float2 p) {
  float2 q = p * gain;
  float s = q.x + q.y;
  return half4(s, 0, 0, 1);
}
";
    let words = compile_agsl(source, &Options::named("a.agsl")).unwrap();
    let shader = lower(&words, Stage::Fragment);
    let d = debug(&shader);
    assert_eq!(lines(&shader, Op::FAdd), ["a.agsl:4:9 in main"]);
    assert_eq!(variable(&shader, Class::Local, "q").1, ["q.x", "q.y"]);
    assert_eq!(variable(&shader, Class::Local, "s"), ("float".into(), vec!["s".into()]));
    assert_eq!(d.member(Space::Binding { set: 0, binding: 0 }, 0, 4).unwrap(), "gain.y");
}

#[test]
fn wgsl_2021() {
    let source = "[[block]] struct Data { [[offset(0)]] values : [[stride(4)]] array<f32>; };
[[group(0), binding(0)]] var<storage> data : [[access(read_write)]] Data;
fn half_of(x : f32) -> f32 {
  var y : f32 = x * 0.5;
  return y;
}
[[stage(compute)]] fn main() -> void {
  data.values[1] = half_of(data.values[0]);
}
";
    let words = compile_wgsl(source, &Options::named("a.wgsl")).unwrap();
    let shader = lower(&words, Stage::Compute);
    let line = &lines(&shader, Op::FMul)[0];
    assert!(line.starts_with("a.wgsl:4:") && line.ends_with(" in half_of"), "{line}");
    assert_eq!(variable(&shader, Class::Local, "y").1, ["y"]);
    let data = Space::Binding { set: 0, binding: 0 };
    assert_eq!(debug(&shader).member(data, 0, 4).unwrap(), "data.values[1]");
}

/// Spec: NonSemantic.Shader.DebugInfo.100. Covers a function inlined by the compiler, and a value without a variable.
#[test]
fn shader_debug_info() {
    let text = r#"
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "shade.hlsl"
%text = OpString "one line"
%n_main = OpString "entry"
%n_inner = OpString "inner"
%n_x = OpString "x"
%n_float = OpString "float"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u7 = OpConstant %uint 7
%u9 = OpConstant %uint 9
%u32 = OpConstant %uint 32
%f2 = OpConstant %float 2
%source = OpExtInst %void %set DebugSource %file %text
%unit = OpExtInst %void %set DebugCompilationUnit %u1 %u1 %source %u1
%t_float = OpExtInst %void %set DebugTypeBasic %n_float %u32 %u3 %u0
%t_fn = OpExtInst %void %set DebugTypeFunction %u0 %void
%d_main = OpExtInst %void %set DebugFunction %n_main %t_fn %source %u7 %u1 %unit %n_main %u0 %u7
%d_inner = OpExtInst %void %set DebugFunction %n_inner %t_fn %source %u2 %u1 %unit %n_inner %u0 %u2
%d_block = OpExtInst %void %set DebugLexicalBlock %source %u3 %u1 %d_inner
%d_x = OpExtInst %void %set DebugLocalVariable %n_x %t_float %source %u3 %u1 %d_block %u0
%d_expr = OpExtInst %void %set DebugExpression
%d_at = OpExtInst %void %set DebugInlinedAt %u9 %d_main
%main = OpFunction %void None %fn
%label = OpLabel
%def = OpExtInst %void %set DebugFunctionDefinition %d_main %main
%s1 = OpExtInst %void %set DebugScope %d_main
%l1 = OpExtInst %void %set DebugLine %source %u7 %u7 %u2 %u3
%a = OpFAdd %float %f2 %f2
%s2 = OpExtInst %void %set DebugScope %d_block %d_at
%l2 = OpExtInst %void %set DebugLine %source %u3 %u3 %u2 %u3
%b = OpFMul %float %a %f2
%v = OpExtInst %void %set DebugValue %d_x %b %d_expr
%s3 = OpExtInst %void %set DebugScope %d_main
%l3 = OpExtInst %void %set DebugLine %source %u9 %u9 %u2 %u3
%c = OpFSub %float %b %f2
OpReturn
OpFunctionEnd
"#;
    let shader = lower(&asm::assemble(text).unwrap(), Stage::Compute);
    let d = debug(&shader);
    assert_eq!((&*d.files[0].name, &*d.files[0].text), ("shade.hlsl", "one line"));
    assert_eq!(lines(&shader, Op::FAdd), ["shade.hlsl:7:2 in entry"]);
    assert_eq!(lines(&shader, Op::FMul), ["shade.hlsl:3:2 in inner"]);
    assert_eq!(lines(&shader, Op::FSub), ["shade.hlsl:9:2 in entry"]);
    assert_eq!(variable(&shader, Class::Local, "x"), ("float".into(), vec!["x".into()]));
    let x = d.variables.iter().find(|v| v.name == "x").unwrap();
    let stack = d.stack(x.from);
    let stack: Vec<_> = stack.iter().map(|&(c, p)| (d.function_of(c), d.places[p as usize].line)).collect();
    assert_eq!(stack, [("inner", 3), ("entry", 9)]);
}
