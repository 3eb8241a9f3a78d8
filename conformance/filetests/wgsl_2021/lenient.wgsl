// WGSL as it was written in 2021, beyond the draft's letter: what a source of that time leaves out or has besides.

//# layouts.wgsl
//! row attribute: [[offset(n)]] on member
//! lenient
//! bind 0.0 f32 1 0 0 0 2 3 4 5 6 0 7 0 8 0 0 0
//! expect 0.0 f32 36 _ _ _ 2 3 4 5 6 _ 7 _ 8
# comments of the oldest sources
import "GLSL.std.450" as std;
/* members without offsets /* lie where today's rules put them */ */
type Pair = struct { a: f32; [[span(4)]] b: f32; };
[[block]]
struct Data {
    first: f32;
    pair: vec4<f32>;
    list: [[stride 8]] array<f32, 3>,
    [[align(4)]] last: f32
}
[[set(0), binding(0)]] var<storage, read_write> data: Data;
[[stage(compute), workgroup_size(1)]]
fn main() {
    let p: Pair = Pair(data.pair.x, data.pair.y);
    data.first = data.first + p.a + p.b + data.pair.z + data.pair.w + data.list[0] + data.list[1] + data.list[2];
}

//# names_and_types.wgsl
//! row declaration: type annotation mandatory on var and const
//! lenient
//! bind 0.0 u32 zeros 8
//! expect 0.0 u32 3 5 20 9 6 2 7 1
struct Buffer { v: array<u32>; };
[[group(0), binding(0)]] var<storage> d: [[access(read_write)]] Buffer;
const count = 3;
const twice: u32 = 6u / 2u + 2;
fn halve(n: u32) -> u32 {
    var steps = 0u;
    loop {
        if (n <= 1) { break; }
        n = n / 2;
        steps = steps + 1;
    }
    return steps;
}
[[stage(compute)]]
fn main() {
    d.v[0] = u32(count);
    d.v[1] = twice;
    let v = vec2<f32>(2.0) * 3.0 + 4.0;
    var texture = v * vec2<f32>(1, 1);
    { var texture = texture.x + texture.y; d.v[2] = u32(texture); }
    const in: mat2x2<f32> = mat2x2<f32>(1.0, 2.0, 4.0, 5.0);
    let out = in.x.y + in.y.xy.x + 3.0f;
    d.v[3] = u32(out);
    d.v[4] = halve(64u);
    var i: u32 = 2;
    d.v[5] = i;
    var a: i32 = 7;
    let p = &a;
    d.v[6] = u32(*p);
    d.v[7] = u32(f32(true));
}

//# constants_of_literals.wgsl
//! row declaration: module const with const_expr (literals and constructors only)
//! lenient
//! bind 0.0 i32 zeros 5
//! expect 0.0 i32 8 -2 6 5 3
struct Buffer { v: array<i32>; };
[[group(0), binding(0)]] var<storage> d: [[access(read_write)]] Buffer;
const signed = 1 << 3u;
const literals: i32 = -8 >> 2;
const unsigned = 3u << 1;
const some: u32 = 5;
const float: f32 = 1 + 2;
[[stage(compute)]]
fn main() {
    d.v[0] = signed;
    d.v[1] = literals;
    d.v[2] = i32(unsigned);
    d.v[3] = i32(some);
    d.v[4] = i32(float);
}

//# negative_unsigned_constant.wgsl
//! row declaration: module const with const_expr (literals and constructors only)
//! lenient
//! error expected a value of type `u32`, found one of type `i32`
const wrong: u32 = -1;
[[stage(compute)]]
fn main() {}

//# statements.wgsl
//! row statement: if / elseif / else, parenthesised conditions
//! lenient
//! bind 0.0 u32 zeros 4
//! expect 0.0 u32 1 2 3 5
struct Buffer { v: array<u32>; };
[[group(0), binding(0)]] var<storage> d: [[access(read_write)]] Buffer;
fn pick(i: i32) -> u32 {
    if i == 0 { return 1u; } else if (i == 1) { return 2u; } else { return 3u; }
}
[[stage(compute)]]
fn main() {
    for (var i = 0; i < 3; i = i + 1) { d.v[i] = pick(i); }
    var n = 0u;
    loop { n = n + 1u; break if (n == 5u); }
    switch n { case 5u, { d.v[3] = n; } default { d.v[3] = 9u; } }
    return;
    d.v[3] = 7u;
}

//# break_behind_return.wgsl
//! row statement: break
//! lenient
//! bind 0.0 i32 zeros 4
//! expect 0.0 i32 6 30 10 20
[[block]] struct Data { v: array<i32>; };
[[group(0), binding(0)]] var<storage> d: [[access(read_write)]] Data;
fn first(n: i32) -> i32 {
    var i: i32 = n;
    loop {
        i = i + 1;
        if (i > 5) { return i; break; }
        if (i == 3) { return 30; { break; } }
    }
}
fn chosen(n: i32) -> i32 {
    switch (n) {
        case 1: { return 10; break; }
        default: { return 20; break; }
    }
}
[[stage(compute), workgroup_size(1)]]
fn main() {
    d.v[0] = first(4);
    d.v[1] = first(0);
    d.v[2] = chosen(1);
    d.v[3] = chosen(2);
}

//# vertex_parameters.wgsl
//! row program: entry point: no parameters, returns void
//! lenient
//! vertices 3
//! input 0.0 f32 1 2 3
//! expect out Position.0 f32 2 5 8
//! expect out Position.3 f32 1*3
//! expect out 1.0 u32 0 1 2
struct Output {
    [[builtin(position)]] position: vec4<f32>;
    [[location(1)]] id: u32;
};
[[stage(vertex)]]
fn main([[location(0)]] a: f32, [[builtin(vertex_index)]] i: u32) -> Output {
    var out: Output;
    out.position = vec4<f32>(2.0 * a + f32(i), 0.0, 0.0, 1.0);
    out.id = i;
    return out;
}

//# fragment_parameters.wgsl
//! row program: entry point: no parameters, returns void
//! lenient
//! pixels 8 4
//! plane 0.0 f32 1 0 0
//! plane 1.0 u32 7
//! expect out 0.0 f32 1*32
//! expect out 0.1 f32 7*32
//! expect out 0.3 f32 1*32
struct Input {
    [[location(0)]] a: f32;
    [[location(1), interpolate(flat)]] id: u32;
    [[builtin(position)]] at: vec4<f32>;
};
[[stage(fragment)]]
fn main(in: Input) -> [[location(0)]] vec4<f32> {
    return vec4<f32>(in.a, f32(in.id), in.at.x, in.at.w);
}

//# inputs_without_class.wgsl
//! row validation: v-0022 module variables have a storage class
//! lenient
//! vertices 2
//! input 0.0 f32 1 2
//! expect out Position.0 f32 2 4
//! expect out 0.0 f32 1 2
[[location(0)]] var<in> v_uv: f32;
[[location(0)]] var<out> uv_out: f32;
[[builtin(position)]] var gl_Position: vec4<f32>;
[[builtin(vertex_index)]] var gl_VertexIndex: u32;
var scale: f32 = 2.0;
[[stage(vertex)]]
fn main() {
    gl_Position = vec4<f32>(v_uv * scale + 0.0 * f32(gl_VertexIndex), 0.0, 0.0, 1.0);
    uv_out = v_uv;
}
[[location(0)]] var<in> uv_out: f32;
[[location(0)]] var<out> color: vec4<f32>;
[[stage(fragment)]]
fn main() { color = vec4<f32>(uv_out); }

//# resources_without_class.wgsl
//! row program: resources need group+binding, no aliasing inside a stage
//! lenient
//! bind 0.0 u32 zeros 1
//! bind 0.1 u32 5 6
//! image 0.2 R32_SFLOAT 2d 2x1 f32 3 4
//! expect 0.0 u32 15
struct Buffer { v: array<u32>; };
struct Pair { a: u32; b: u32; };
[[group(0), binding(0)]] var<storage> d: [[access(read_write)]] Buffer;
[[group(0), binding(1)]] var pair: Pair;
[[group(0), binding(2)]] var t: texture_sampled_2d<f32>;
fn texel(from: texture_2d<f32>, at: u32) -> f32 { return textureLoad(from, vec2<u32>(at, 0u), 0).x; }
[[stage(compute)]]
fn main() { d.v[0] = pair.a + pair.b + u32(texel(t, 1u)); }

//# errors_stay.wgsl
//! row validation: v-0021 constants are not assigned
//! lenient
//! error cannot be assigned to
[[stage(compute)]]
fn main() { let a = 1; a = 2; }
