// Features of WGSL as drafted in January 2021: every row, with values from the draft or the error that it asks for.

//# comments.wgsl
//! row lexical: comments // only
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 1 2
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = 1u; // d.v[0] = 9u; /* 
  d.v[1] = 2u; // not /* this */
}

//# block_comments.wgsl
//! row lexical: comments // only
//! error comments begin with `//`
/* no */
[[stage(compute)]]
fn main() -> void {}

//# minus_in_literals.wgsl
//! row lexical: INT_LITERAL with optional leading minus, greedy
//! bind 0.0 i32 zeros 5
//! expect 0.0 i32 -5 -16 0 3 -2147483648
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 5>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : i32 = 8;
  d.v[0] = -5;
  d.v[1] = -0x10;
  d.v[2] = 0;
  d.v[3] = a - 5;
  d.v[4] = -2147483648;
}

//# minus_touches.wgsl
//! row lexical: INT_LITERAL with optional leading minus, greedy
//! error a minus that touches a number is part of it
fn f(a : i32) -> i32 { return a -5; }
[[stage(compute)]]
fn main() -> void {}

//# unsigned_literals.wgsl
//! row lexical: UINT_LITERAL suffix u
//! bind 0.0 u32 zeros 4
//! expect 0.0 u32 5 31 0 4294967295
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = 5u;
  d.v[1] = 0x1fu;
  d.v[2] = 0u;
  d.v[3] = 4294967295u;
}

//# unsigned_too_large.wgsl
//! row lexical: UINT_LITERAL suffix u
//! error is not a number that a literal can express
const a : u32 = 4294967296u;
[[stage(compute)]]
fn main() -> void {}

//# float_literals.wgsl
//! row lexical: FLOAT_LITERAL decimal, needs a dot
//! bind 0.0 f32 zeros 6
//! expect 0.0 f32 1.5 0.5 2 -1200 0.00125 3e10
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = 1.5;
  d.v[1] = .5;
  d.v[2] = 2.;
  d.v[3] = -1.2e3;
  d.v[4] = 1.25e-3;
  d.v[5] = 3.0E+10;
}

//# float_without_point.wgsl
//! row lexical: FLOAT_LITERAL decimal, needs a dot
//! error a float literal has a point
const a : f32 = 1e5;
[[stage(compute)]]
fn main() -> void {}

//# float_suffix.wgsl
//! row lexical: FLOAT_LITERAL decimal, needs a dot
//! error a float literal has no suffix
const a : f32 = 1.5f;
[[stage(compute)]]
fn main() -> void {}

//# strings.wgsl
//! row lexical: STRING_LITERAL token (unused by any production)
//! error expected an expression, found `"text"`
const a : i32 = "text";
[[stage(compute)]]
fn main() -> void {}

//# identifiers.wgsl
//! row lexical: IDENT [a-zA-Z][0-9a-zA-Z_]*
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 1 2 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a_B9 : u32 = 1u;
  var abs_ : u32 = 2u;
  var Var : u32 = 3u;
  d.v[0] = a_B9;
  d.v[1] = abs_;
  d.v[2] = Var;
}

//# identifiers_begin_with_letters.wgsl
//! row lexical: IDENT [a-zA-Z][0-9a-zA-Z_]*
//! error an identifier begins with a letter
const _a : i32 = 1;
[[stage(compute)]]
fn main() -> void {}

//# keyword_let.wgsl
//! row lexical: 39 type-defining keywords, 29 other keywords, 35 texel-format keywords, 20 reserved words
//! error is a keyword and cannot be the name
const let : i32 = 1;
[[stage(compute)]]
fn main() -> void {}

//# keyword_texture_2d.wgsl
//! row lexical: 39 type-defining keywords, 29 other keywords, 35 texel-format keywords, 20 reserved words
//! error is a keyword and cannot be the name
const texture_2d : i32 = 1;
[[stage(compute)]]
fn main() -> void {}

//# keyword_rgba8unorm.wgsl
//! row lexical: 39 type-defining keywords, 29 other keywords, 35 texel-format keywords, 20 reserved words
//! error is a keyword and cannot be the name
const rgba8unorm : i32 = 1;
[[stage(compute)]]
fn main() -> void {}

//# keyword_typedef.wgsl
//! row lexical: 39 type-defining keywords, 29 other keywords, 35 texel-format keywords, 20 reserved words
//! error is a keyword and cannot be the name
const typedef : i32 = 1;
[[stage(compute)]]
fn main() -> void {}

//# keyword_in.wgsl
//! row lexical: 39 type-defining keywords, 29 other keywords, 35 texel-format keywords, 20 reserved words
//! error is a keyword and cannot be the name
const in : i32 = 1;
[[stage(compute)]]
fn main() -> void {}

//# keyword_block.wgsl
//! row lexical: 39 type-defining keywords, 29 other keywords, 35 texel-format keywords, 20 reserved words
//! error is a keyword and cannot be the name
const block : i32 = 1;
[[stage(compute)]]
fn main() -> void {}

//# brackets_touch.wgsl
//! row lexical: [[ and ]] are single tokens
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 7 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : array<u32, 4>;
  var b : array<u32, 4>;
  b[0] = 2u;
  a[b[0]] = 7u;
  d.v[0] = a[b[0]];
  var c : vec2<u32>;
  const p : ptr<function, vec2<u32>> = c;
  p.x = 3u;
  d.v[1] = c.x;
}

//# no_shadowing.wgsl
//! row scoping: no shadowing anywhere (v-0001)
//! row validation: v-0001 no redeclaration of a visible name
//! error is already declared
fn f() -> void { var a : i32; { var a : f32; } }
[[stage(compute)]]
fn main() -> void {}

//# no_shadowing_of_functions.wgsl
//! row scoping: no shadowing anywhere (v-0001)
//! error is already declared
var<private> a : i32;
fn a() -> void {}
[[stage(compute)]]
fn main() -> void {}

//# names_end_with_their_block.wgsl
//! row scoping: no shadowing anywhere (v-0001)
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 1 2
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  { var a : u32 = 1u; d.v[0] = a; }
  { var a : u32 = 2u; d.v[1] = a; }
}

//# names_before_declaration.wgsl
//! row scoping: names usable only after declaration
//! error no variable or constant has the name `a`
fn f() -> i32 { return a; }
var<private> a : i32;
[[stage(compute)]]
fn main() -> void {}

//# functions_before_declaration.wgsl
//! row scoping: names usable only after declaration
//! error no function has the name `g`
fn f() -> void { g(); }
fn g() -> void {}
[[stage(compute)]]
fn main() -> void {}

//# void.wgsl
//! row type: void (return type only)
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 4
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
fn set() -> void { d.v[0] = 4u; }
[[stage(compute)]]
fn main() -> void {
  set();
}

//# void_variable.wgsl
//! row type: void (return type only)
//! error `void` is the result of functions alone
var<private> a : void;
[[stage(compute)]]
fn main() -> void {}

//# bool.wgsl
//! row type: bool
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 1 0 1
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : bool = true;
  var b : bool;
  d.v[0] = select(1u, 0u, a);
  d.v[1] = select(1u, 0u, b);
  b = !b;
  d.v[2] = select(1u, 0u, b);
}

//# i32.wgsl
//! row type: i32
//! bind 0.0 i32 zeros 3
//! expect 0.0 i32 -7 2147483647 -2147483648
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : i32 = -7;
  d.v[0] = a;
  var b : i32 = 2147483647;
  d.v[1] = b;
  d.v[2] = b + 1;
}

//# u32.wgsl
//! row type: u32
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 4294967295 0
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : u32 = 4294967295u;
  d.v[0] = a;
  d.v[1] = a + 1u;
}

//# f32.wgsl
//! row type: f32
//! bind 0.0 f32 zeros 2
//! expect 0.0 f32 0.25 -3.5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : f32 = 0.25;
  d.v[0] = a;
  d.v[1] = -3.5;
}

//# vectors.wgsl
//! row type: vec2/3/4<T>, T scalar incl. bool
//! bind 0.0 f32 zeros 6
//! expect 0.0 f32 2 1 6 1 4 9
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : vec2<f32> = vec2<f32>(1.0, 2.0);
  d.v[0] = a.y;
  var b : vec3<bool> = vec3<bool>(true, false, true);
  d.v[1] = select(1.0, 0.0, b.z);
  var c : vec4<i32> = vec4<i32>(3, 4, 5, 6);
  d.v[2] = f32(c.w);
  d.v[3] = select(0.0, 1.0, b.y);
  var e : vec4<u32> = vec4<u32>(3u, 4u, 5u, 6u);
  d.v[4] = f32(e.y);
  d.v[5] = f32(c.x + c[3]);
}

//# vector_of_vectors.wgsl
//! row type: vec2/3/4<T>, T scalar incl. bool
//! error is of scalars
var<private> a : vec2<vec2<f32>>;
[[stage(compute)]]
fn main() -> void {}

//# matrices.wgsl
//! row type: matCxR<f32> (9)
//! bind 0.0 f32 zeros 9
//! expect 0.0 f32 11 12 13 21 22 23 31 32 33
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var m22 : mat2x2<f32> = mat2x2<f32>(vec2<f32>(0.0, 1.0), vec2<f32>(10.0, 11.0));
  d.v[0] = m22[1][1];
  var m23 : mat2x3<f32> = mat2x3<f32>(vec3<f32>(0.0, 1.0, 2.0), vec3<f32>(10.0, 11.0, 12.0));
  d.v[1] = m23[1][2];
  var m24 : mat2x4<f32> = mat2x4<f32>(vec4<f32>(0.0, 1.0, 2.0, 3.0), vec4<f32>(10.0, 11.0, 12.0, 13.0));
  d.v[2] = m24[1][3];
  var m32 : mat3x2<f32> = mat3x2<f32>(vec2<f32>(0.0, 1.0), vec2<f32>(10.0, 11.0), vec2<f32>(20.0, 21.0));
  d.v[3] = m32[2][1];
  var m33 : mat3x3<f32> = mat3x3<f32>(vec3<f32>(0.0, 1.0, 2.0), vec3<f32>(10.0, 11.0, 12.0), vec3<f32>(20.0, 21.0, 22.0));
  d.v[4] = m33[2][2];
  var m34 : mat3x4<f32> = mat3x4<f32>(vec4<f32>(0.0, 1.0, 2.0, 3.0), vec4<f32>(10.0, 11.0, 12.0, 13.0), vec4<f32>(20.0, 21.0, 22.0, 23.0));
  d.v[5] = m34[2][3];
  var m42 : mat4x2<f32> = mat4x2<f32>(vec2<f32>(0.0, 1.0), vec2<f32>(10.0, 11.0), vec2<f32>(20.0, 21.0), vec2<f32>(30.0, 31.0));
  d.v[6] = m42[3][1];
  var m43 : mat4x3<f32> = mat4x3<f32>(vec3<f32>(0.0, 1.0, 2.0), vec3<f32>(10.0, 11.0, 12.0), vec3<f32>(20.0, 21.0, 22.0), vec3<f32>(30.0, 31.0, 32.0));
  d.v[7] = m43[3][2];
  var m44 : mat4x4<f32> = mat4x4<f32>(vec4<f32>(0.0, 1.0, 2.0, 3.0), vec4<f32>(10.0, 11.0, 12.0, 13.0), vec4<f32>(20.0, 21.0, 22.0, 23.0), vec4<f32>(30.0, 31.0, 32.0, 33.0));
  d.v[8] = m44[3][3];
}

//# matrix_of_integers.wgsl
//! row type: matCxR<f32> (9)
//! error matrices are of `f32`
var<private> a : mat2x2<i32>;
[[stage(compute)]]
fn main() -> void {}

//# arrays.wgsl
//! row type: array<E,N> with literal N
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 3 0 9
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : array<u32, 3> = array<u32, 3>(1u, 2u, 3u);
  d.v[0] = a[2];
  var b : array<array<u32, 2>, 2>;
  d.v[1] = b[1][1];
  b[1][0] = 9u;
  var i : i32 = 1;
  d.v[2] = b[i][0];
}

//# array_without_count.wgsl
//! row type: array<E,N> with literal N
//! error the count of an array is an integer literal greater than zero
var<private> a : array<u32, 0>;
[[stage(compute)]]
fn main() -> void {}

//# runtime_array.wgsl
//! row type: array<E> runtime-sized (last member of block struct)
//! row validation: v-0015 runtime array only as last member of a storage block
//! bind 0.0 u32 7 1 2 3
//! expect 0.0 u32 3 1 2 9
[[block]] struct S { [[offset(0)]] n : u32; [[offset(4)]] v : [[stride(4)]] array<u32>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] S;
[[stage(compute)]]
fn main() -> void {
  d.n = arrayLength(d.v);
  d.v[2] = 9u;
}

//# runtime_array_not_last.wgsl
//! row type: array<E> runtime-sized (last member of block struct)
//! row validation: v-0015 runtime array only as last member of a storage block
//! error must be the last member
[[block]] struct S { [[offset(0)]] v : [[stride(4)]] array<u32>; [[offset(4)]] n : u32; };
[[stage(compute)]]
fn main() -> void {}

//# structures.wgsl
//! row type: struct with named members
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 1 2 5 0
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
struct T { e : f32; };
struct S { a : i32; b : vec2<f32>; c : T; };
[[stage(compute)]]
fn main() -> void {
  var s : S = S(1, vec2<f32>(2.0, 3.0), T(5.0));
  d.v[0] = f32(s.a);
  d.v[1] = s.b.x;
  d.v[2] = s.c.e;
  var t : S;
  d.v[3] = t.b.y;
}

//# empty_structure.wgsl
//! row type: struct with named members
//! error a structure has at least one member
struct S { };
[[stage(compute)]]
fn main() -> void {}

//# pointers_to_parts.wgsl
//! row type: ptr<SC,T>
//! bind 0.0 u32 zeros 4
//! expect 0.0 u32 6 9 4 2
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
struct W { m : mat2x2<f32>; };
var<private> w : array<W, 2>;
fn add(a : ptr<function, u32>, by : u32) -> void { a = a + by; }
fn set(m : ptr<private, mat2x2<f32>>, at : i32) -> void { m[at] = vec2<f32>(4.0, 5.0); }
fn first(c : ptr<private, vec2<f32>>) -> f32 { c.y = c.x * 0.5; return c.y; }
[[stage(compute)]]
fn main() -> void {
  var a : array<u32, 3>;
  a[1] = 1u;
  var i : i32 = 1;
  add(a[i], 5u);
  d.v[0] = a[1];
  var v : vec2<u32>;
  const p : ptr<function, u32> = v.y;
  add(p, 9u);
  d.v[1] = v.y;
  set(w[1].m, i);
  d.v[2] = u32(w[1].m[1].x);
  d.v[3] = u32(first(w[1].m[i]));
}

//# pointers.wgsl
//! row type: ptr<SC,T>
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 7 8 5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
var<private> p : u32;
fn add(a : ptr<function, u32>, by : u32) -> void { a = a + by; }
fn addp(a : ptr<private, u32>, by : u32) -> void { a = a + by; }
fn addb(a : ptr<storage, u32>, by : u32) -> void { a = a + by; }
[[stage(compute)]]
fn main() -> void {
  var a : u32 = 6u;
  add(a, 1u);
  d.v[0] = a;
  addp(p, 8u);
  d.v[1] = p;
  d.v[2] = 4u;
  addb(d.v[2], 1u);
}

//# texture_1d.wgsl
//! row texture type: texture_1d<T>
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 1d 4 f32 1 2 3 4
//! expect 0.0 f32 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_1d<f32>;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureLoad(t, 2).x; }

//# texture_2d.wgsl
//! row texture type: texture_2d<T>
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d 4x1 f32 1 2 3 4
//! expect 0.0 f32 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureLoad(t, vec2<i32>(2, 0)).x; }

//# texture_2d_array.wgsl
//! row texture type: texture_2d_array<T>
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d_array 2x1 layers 2 f32 1 2 3 4
//! expect 0.0 f32 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureLoad(t, vec2<i32>(0, 0), 1).x; }

//# texture_3d.wgsl
//! row texture type: texture_3d<T>
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 3d 2x1x2 f32 1 2 3 4
//! expect 0.0 f32 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureLoad(t, vec3<i32>(0, 0, 1)).x; }

//# texture_multisampled_2d.wgsl
//! row texture type: texture_multisampled_2d<T>
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d 1x1 samples 4 f32 1 2 3 4
//! expect 0.0 f32 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_multisampled_2d<f32>;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureLoad(t, vec2<i32>(0, 0), 2).x; }

//# texture_cube.wgsl
//! row texture type: texture_cube<T>
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT cube 1x1 f32 1 2 3 4 5 6
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_cube<f32>;
[[group(0), binding(2)]] var s : sampler;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureSampleLevel(t, s, vec3<f32>(0.0, 1.0, 0.0), 0.0).x; }

//# texture_cube_array.wgsl
//! row texture type: texture_cube_array<T>
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT cube_array 1x1 layers 12 f32 1 2 3 4 5 6 7 8 9 10 11 12
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 9
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_cube_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureSampleLevel(t, s, vec3<f32>(0.0, 1.0, 0.0), 1, 0.0).x; }

//# depth_2d.wgsl
//! row texture type: texture_depth_2d
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d 4x1 f32 0.25 0.5 0.75 1
//! expect 0.0 f32 0.75
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureLoad(t, vec2<i32>(2, 0)); }

//# depth_2d_array.wgsl
//! row texture type: texture_depth_2d_array
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d_array 2x1 layers 2 f32 0.25 0.5 0.75 1
//! expect 0.0 f32 0.75
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureLoad(t, vec2<i32>(0, 0), 1); }

//# depth_cube.wgsl
//! row texture type: texture_depth_cube
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT cube 1x1 f32 0.125 0.25 0.375 0.5 0.625 0.75
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.375
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_depth_cube;
[[group(0), binding(2)]] var s : sampler;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureSampleLevel(t, s, vec3<f32>(0.0, 1.0, 0.0), 0); }

//# depth_cube_array.wgsl
//! row texture type: texture_depth_cube_array
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT cube_array 1x1 layers 12 f32 0.03125 0.0625 0.09375 0.125 0.15625 0.1875 0.21875 0.25 0.28125 0.3125 0.34375 0.375
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.28125
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_depth_cube_array;
[[group(0), binding(2)]] var s : sampler;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureSampleLevel(t, s, vec3<f32>(0.0, 1.0, 0.0), 1, 0); }

//# sampler_type.wgsl
//! row texture type: sampler
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d 4x1 f32 1 2 3 4
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureSampleLevel(t, s, vec2<f32>(0.6, 0.5), 0.0).x; }

//# sampler_comparison.wgsl
//! row texture type: sampler_comparison
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x1 f32 0.25 0.5 0.75 1
//! sampler 0.2 nearest clamp less
//! expect 0.0 f32 1 0
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[group(0), binding(2)]] var s : sampler_comparison;
[[stage(fragment)]]
fn main() -> void {
  d.v[0] = textureSampleCompare(t, s, vec2<f32>(0.6, 0.5), 0.7);
  d.v[1] = textureSampleCompare(t, s, vec2<f32>(0.6, 0.5), 0.8);
}

//# texture_1d_array.wgsl
//! row texture type: texture_1d_array<T>
//! reshaped
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 1d_array 2 layers 2 f32 1 2 3 4
//! expect 0.0 f32 4
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_1d_array<f32>;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureLoad(t, 1, 1).x; }

//# storage_1d.wgsl
//! row texture type: texture_storage_1d/2d/2d_array/3d<F> with [[access(read|write)]]
//! image 0.1 R32_SFLOAT 1d 4 f32 1 2 3 4
//! image 0.2 R32_SFLOAT 1d 4 f32 0 0 0 0
//! expect image 0.2 f32 0 0 30 0
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_1d<r32float>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_1d<r32float>;
[[stage(compute)]]
fn main() -> void { textureStore(b, 2, textureLoad(a, 2) * 10.0); }

//# storage_2d.wgsl
//! row texture type: texture_storage_1d/2d/2d_array/3d<F> with [[access(read|write)]]
//! image 0.1 R32_SFLOAT 2d 4x1 f32 1 2 3 4
//! image 0.2 R32_SFLOAT 2d 4x1 f32 0 0 0 0
//! expect image 0.2 f32 0 0 30 0
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r32float>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<r32float>;
[[stage(compute)]]
fn main() -> void { textureStore(b, vec2<i32>(2, 0), textureLoad(a, vec2<i32>(2, 0)) * 10.0); }

//# storage_2d_array.wgsl
//! row texture type: texture_storage_1d/2d/2d_array/3d<F> with [[access(read|write)]]
//! image 0.1 R32_SFLOAT 2d_array 2x1 layers 2 f32 1 2 3 4
//! image 0.2 R32_SFLOAT 2d_array 2x1 layers 2 f32 0 0 0 0
//! expect image 0.2 f32 0 0 30 0
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d_array<r32float>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d_array<r32float>;
[[stage(compute)]]
fn main() -> void { textureStore(b, vec2<i32>(0, 0), 1, textureLoad(a, vec2<i32>(0, 0), 1) * 10.0); }

//# storage_3d.wgsl
//! row texture type: texture_storage_1d/2d/2d_array/3d<F> with [[access(read|write)]]
//! image 0.1 R32_SFLOAT 3d 2x1x2 f32 1 2 3 4
//! image 0.2 R32_SFLOAT 3d 2x1x2 f32 0 0 0 0
//! expect image 0.2 f32 0 0 30 0
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_3d<r32float>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_3d<r32float>;
[[stage(compute)]]
fn main() -> void { textureStore(b, vec3<i32>(0, 0, 1), textureLoad(a, vec3<i32>(0, 0, 1)) * 10.0); }

//# storage_1d_array.wgsl
//! row texture type: texture_storage_1d_array<F>
//! reshaped
//! image 0.1 R32_SFLOAT 1d_array 2 layers 2 f32 1 2 3 4
//! image 0.2 R32_SFLOAT 1d_array 2 layers 2 f32 0 0 0 0
//! expect image 0.2 f32 0 0 30 0
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_1d_array<r32float>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_1d_array<r32float>;
[[stage(compute)]]
fn main() -> void { textureStore(b, 0, 1, textureLoad(a, 0, 1) * 10.0); }

//# storage_read_and_written.wgsl
//! row texture type: texture_storage_1d/2d/2d_array/3d<F> with [[access(read|write)]]
//! error there is no `textureStore`
[[group(0), binding(0)]] var t : [[access(read)]] texture_storage_2d<r32float>;
fn f() -> void { textureStore(t, vec2<i32>(0, 0), vec4<f32>()); }
[[stage(compute)]]
fn main() -> void {}

//# format_rgba8unorm.wgsl
//! row texel format: rgba8unorm
//! bind 0.0 f32 zeros 4
//! image 0.1 R8G8B8A8_UNORM 2d 1x1 u8 51 102 0 255
//! image 0.2 R8G8B8A8_UNORM 2d 1x1 u8 0 0 0 0
//! expect 0.0 f32 0.2 0.4 0 1 ~ 2ulp
//! expect image 0.2 u8 51 102 0 255
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgba8unorm>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rgba8unorm>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rgba8snorm.wgsl
//! row texel format: rgba8snorm
//! bind 0.0 f32 zeros 4
//! image 0.1 R8G8B8A8_SNORM 2d 1x1 u8 127 0 129 128
//! image 0.2 R8G8B8A8_SNORM 2d 1x1 u8 0 0 0 0
//! expect 0.0 f32 1 0 -1 -1
//! expect image 0.2 u8 127 0 129 129
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgba8snorm>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rgba8snorm>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rgba8uint.wgsl
//! row texel format: rgba8uint
//! bind 0.0 u32 zeros 4
//! image 0.1 R8G8B8A8_UINT 2d 1x1 u8 1 2 3 255
//! image 0.2 R8G8B8A8_UINT 2d 1x1 u8 0 0 0 0
//! expect 0.0 u32 1 2 3 255
//! expect image 0.2 u8 1 2 3 255
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgba8uint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rgba8uint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<u32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rgba8sint.wgsl
//! row texel format: rgba8sint
//! bind 0.0 i32 zeros 4
//! image 0.1 R8G8B8A8_SINT 2d 1x1 u8 1 2 3 255
//! image 0.2 R8G8B8A8_SINT 2d 1x1 u8 0 0 0 0
//! expect 0.0 i32 1 2 3 -1
//! expect image 0.2 u8 1 2 3 255
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgba8sint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rgba8sint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<i32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rgba16uint.wgsl
//! row texel format: rgba16uint
//! bind 0.0 u32 zeros 4
//! image 0.1 R16G16B16A16_UINT 2d 1x1 u16 1 2 3 65535
//! image 0.2 R16G16B16A16_UINT 2d 1x1 u16 0 0 0 0
//! expect 0.0 u32 1 2 3 65535
//! expect image 0.2 u16 1 2 3 65535
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgba16uint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rgba16uint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<u32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rgba16sint.wgsl
//! row texel format: rgba16sint
//! bind 0.0 i32 zeros 4
//! image 0.1 R16G16B16A16_SINT 2d 1x1 u16 1 2 3 65535
//! image 0.2 R16G16B16A16_SINT 2d 1x1 u16 0 0 0 0
//! expect 0.0 i32 1 2 3 -1
//! expect image 0.2 u16 1 2 3 65535
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgba16sint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rgba16sint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<i32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rgba16float.wgsl
//! row texel format: rgba16float
//! bind 0.0 f32 zeros 4
//! image 0.1 R16G16B16A16_SFLOAT 2d 1x1 u16 15360 16384 0 48128
//! image 0.2 R16G16B16A16_SFLOAT 2d 1x1 u16 0 0 0 0
//! expect 0.0 f32 1 2 0 -1
//! expect image 0.2 u16 15360 16384 0 48128
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgba16float>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rgba16float>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_r32uint.wgsl
//! row texel format: r32uint
//! bind 0.0 u32 zeros 4
//! image 0.1 R32_UINT 2d 1x1 u32 7
//! image 0.2 R32_UINT 2d 1x1 u32 0
//! expect 0.0 u32 7 0 0 1
//! expect image 0.2 u32 7
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r32uint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<r32uint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<u32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_r32sint.wgsl
//! row texel format: r32sint
//! bind 0.0 i32 zeros 4
//! image 0.1 R32_SINT 2d 1x1 i32 -7
//! image 0.2 R32_SINT 2d 1x1 i32 0
//! expect 0.0 i32 -7 0 0 1
//! expect image 0.2 i32 -7
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r32sint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<r32sint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<i32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_r32float.wgsl
//! row texel format: r32float
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 1x1 f32 1.5
//! image 0.2 R32_SFLOAT 2d 1x1 f32 0
//! expect 0.0 f32 1.5 0 0 1
//! expect image 0.2 f32 1.5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r32float>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rg32uint.wgsl
//! row texel format: rg32uint
//! bind 0.0 u32 zeros 4
//! image 0.1 R32G32_UINT 2d 1x1 u32 7 8
//! image 0.2 R32G32_UINT 2d 1x1 u32 0 0
//! expect 0.0 u32 7 8 0 1
//! expect image 0.2 u32 7 8
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg32uint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rg32uint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<u32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rg32sint.wgsl
//! row texel format: rg32sint
//! bind 0.0 i32 zeros 4
//! image 0.1 R32G32_SINT 2d 1x1 i32 -7 8
//! image 0.2 R32G32_SINT 2d 1x1 i32 0 0
//! expect 0.0 i32 -7 8 0 1
//! expect image 0.2 i32 -7 8
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg32sint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rg32sint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<i32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rg32float.wgsl
//! row texel format: rg32float
//! bind 0.0 f32 zeros 4
//! image 0.1 R32G32_SFLOAT 2d 1x1 f32 1.5 2.5
//! image 0.2 R32G32_SFLOAT 2d 1x1 f32 0 0
//! expect 0.0 f32 1.5 2.5 0 1
//! expect image 0.2 f32 1.5 2.5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg32float>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rg32float>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rgba32uint.wgsl
//! row texel format: rgba32uint
//! bind 0.0 u32 zeros 4
//! image 0.1 R32G32B32A32_UINT 2d 1x1 u32 7 8 9 10
//! image 0.2 R32G32B32A32_UINT 2d 1x1 u32 0 0 0 0
//! expect 0.0 u32 7 8 9 10
//! expect image 0.2 u32 7 8 9 10
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgba32uint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rgba32uint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<u32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rgba32sint.wgsl
//! row texel format: rgba32sint
//! bind 0.0 i32 zeros 4
//! image 0.1 R32G32B32A32_SINT 2d 1x1 i32 -7 8 9 10
//! image 0.2 R32G32B32A32_SINT 2d 1x1 i32 0 0 0 0
//! expect 0.0 i32 -7 8 9 10
//! expect image 0.2 i32 -7 8 9 10
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgba32sint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rgba32sint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<i32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rgba32float.wgsl
//! row texel format: rgba32float
//! bind 0.0 f32 zeros 4
//! image 0.1 R32G32B32A32_SFLOAT 2d 1x1 f32 1.5 2.5 3.5 4.5
//! image 0.2 R32G32B32A32_SFLOAT 2d 1x1 f32 0 0 0 0
//! expect 0.0 f32 1.5 2.5 3.5 4.5
//! expect image 0.2 f32 1.5 2.5 3.5 4.5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgba32float>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rgba32float>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_r8unorm.wgsl
//! row texel format (grammar only): r8unorm
//! lenient
//! bind 0.0 f32 zeros 4
//! image 0.1 R8_UNORM 2d 1x1 u8 51
//! image 0.2 R8_UNORM 2d 1x1 u8 0
//! expect 0.0 f32 0.2 0 0 1 ~ 2ulp
//! expect image 0.2 u8 51
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r8unorm>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<r8unorm>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_r8unorm_strict.wgsl
//! row texel format (grammar only): r8unorm
//! error `r8unorm` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r8unorm>;
[[stage(compute)]]
fn main() -> void {}

//# format_r8snorm.wgsl
//! row texel format (grammar only): r8snorm
//! lenient
//! bind 0.0 f32 zeros 4
//! image 0.1 R8_SNORM 2d 1x1 u8 129
//! image 0.2 R8_SNORM 2d 1x1 u8 0
//! expect 0.0 f32 -1 0 0 1
//! expect image 0.2 u8 129
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r8snorm>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<r8snorm>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_r8snorm_strict.wgsl
//! row texel format (grammar only): r8snorm
//! error `r8snorm` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r8snorm>;
[[stage(compute)]]
fn main() -> void {}

//# format_r8uint.wgsl
//! row texel format (grammar only): r8uint
//! lenient
//! bind 0.0 u32 zeros 4
//! image 0.1 R8_UINT 2d 1x1 u8 200
//! image 0.2 R8_UINT 2d 1x1 u8 0
//! expect 0.0 u32 200 0 0 1
//! expect image 0.2 u8 200
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r8uint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<r8uint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<u32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_r8uint_strict.wgsl
//! row texel format (grammar only): r8uint
//! error `r8uint` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r8uint>;
[[stage(compute)]]
fn main() -> void {}

//# format_r8sint.wgsl
//! row texel format (grammar only): r8sint
//! lenient
//! bind 0.0 i32 zeros 4
//! image 0.1 R8_SINT 2d 1x1 u8 255
//! image 0.2 R8_SINT 2d 1x1 u8 0
//! expect 0.0 i32 -1 0 0 1
//! expect image 0.2 u8 255
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r8sint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<r8sint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<i32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_r8sint_strict.wgsl
//! row texel format (grammar only): r8sint
//! error `r8sint` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r8sint>;
[[stage(compute)]]
fn main() -> void {}

//# format_r16uint.wgsl
//! row texel format (grammar only): r16uint
//! lenient
//! bind 0.0 u32 zeros 4
//! image 0.1 R16_UINT 2d 1x1 u16 65535
//! image 0.2 R16_UINT 2d 1x1 u16 0
//! expect 0.0 u32 65535 0 0 1
//! expect image 0.2 u16 65535
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r16uint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<r16uint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<u32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_r16uint_strict.wgsl
//! row texel format (grammar only): r16uint
//! error `r16uint` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r16uint>;
[[stage(compute)]]
fn main() -> void {}

//# format_r16sint.wgsl
//! row texel format (grammar only): r16sint
//! lenient
//! bind 0.0 i32 zeros 4
//! image 0.1 R16_SINT 2d 1x1 u16 65535
//! image 0.2 R16_SINT 2d 1x1 u16 0
//! expect 0.0 i32 -1 0 0 1
//! expect image 0.2 u16 65535
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r16sint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<r16sint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<i32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_r16sint_strict.wgsl
//! row texel format (grammar only): r16sint
//! error `r16sint` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r16sint>;
[[stage(compute)]]
fn main() -> void {}

//# format_r16float.wgsl
//! row texel format (grammar only): r16float
//! lenient
//! bind 0.0 f32 zeros 4
//! image 0.1 R16_SFLOAT 2d 1x1 u16 15360
//! image 0.2 R16_SFLOAT 2d 1x1 u16 0
//! expect 0.0 f32 1 0 0 1
//! expect image 0.2 u16 15360
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r16float>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<r16float>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_r16float_strict.wgsl
//! row texel format (grammar only): r16float
//! error `r16float` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<r16float>;
[[stage(compute)]]
fn main() -> void {}

//# format_rg8unorm.wgsl
//! row texel format (grammar only): rg8unorm
//! lenient
//! bind 0.0 f32 zeros 4
//! image 0.1 R8G8_UNORM 2d 1x1 u8 51 255
//! image 0.2 R8G8_UNORM 2d 1x1 u8 0 0
//! expect 0.0 f32 0.2 1 0 1 ~ 2ulp
//! expect image 0.2 u8 51 255
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg8unorm>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rg8unorm>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rg8unorm_strict.wgsl
//! row texel format (grammar only): rg8unorm
//! error `rg8unorm` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg8unorm>;
[[stage(compute)]]
fn main() -> void {}

//# format_rg8snorm.wgsl
//! row texel format (grammar only): rg8snorm
//! lenient
//! bind 0.0 f32 zeros 4
//! image 0.1 R8G8_SNORM 2d 1x1 u8 127 129
//! image 0.2 R8G8_SNORM 2d 1x1 u8 0 0
//! expect 0.0 f32 1 -1 0 1
//! expect image 0.2 u8 127 129
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg8snorm>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rg8snorm>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rg8snorm_strict.wgsl
//! row texel format (grammar only): rg8snorm
//! error `rg8snorm` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg8snorm>;
[[stage(compute)]]
fn main() -> void {}

//# format_rg8uint.wgsl
//! row texel format (grammar only): rg8uint
//! lenient
//! bind 0.0 u32 zeros 4
//! image 0.1 R8G8_UINT 2d 1x1 u8 3 4
//! image 0.2 R8G8_UINT 2d 1x1 u8 0 0
//! expect 0.0 u32 3 4 0 1
//! expect image 0.2 u8 3 4
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg8uint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rg8uint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<u32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rg8uint_strict.wgsl
//! row texel format (grammar only): rg8uint
//! error `rg8uint` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg8uint>;
[[stage(compute)]]
fn main() -> void {}

//# format_rg8sint.wgsl
//! row texel format (grammar only): rg8sint
//! lenient
//! bind 0.0 i32 zeros 4
//! image 0.1 R8G8_SINT 2d 1x1 u8 3 255
//! image 0.2 R8G8_SINT 2d 1x1 u8 0 0
//! expect 0.0 i32 3 -1 0 1
//! expect image 0.2 u8 3 255
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg8sint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rg8sint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<i32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rg8sint_strict.wgsl
//! row texel format (grammar only): rg8sint
//! error `rg8sint` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg8sint>;
[[stage(compute)]]
fn main() -> void {}

//# format_rg16uint.wgsl
//! row texel format (grammar only): rg16uint
//! lenient
//! bind 0.0 u32 zeros 4
//! image 0.1 R16G16_UINT 2d 1x1 u16 3 65535
//! image 0.2 R16G16_UINT 2d 1x1 u16 0 0
//! expect 0.0 u32 3 65535 0 1
//! expect image 0.2 u16 3 65535
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg16uint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rg16uint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<u32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rg16uint_strict.wgsl
//! row texel format (grammar only): rg16uint
//! error `rg16uint` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg16uint>;
[[stage(compute)]]
fn main() -> void {}

//# format_rg16sint.wgsl
//! row texel format (grammar only): rg16sint
//! lenient
//! bind 0.0 i32 zeros 4
//! image 0.1 R16G16_SINT 2d 1x1 u16 3 65535
//! image 0.2 R16G16_SINT 2d 1x1 u16 0 0
//! expect 0.0 i32 3 -1 0 1
//! expect image 0.2 u16 3 65535
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg16sint>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rg16sint>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<i32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rg16sint_strict.wgsl
//! row texel format (grammar only): rg16sint
//! error `rg16sint` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg16sint>;
[[stage(compute)]]
fn main() -> void {}

//# format_rg16float.wgsl
//! row texel format (grammar only): rg16float
//! lenient
//! bind 0.0 f32 zeros 4
//! image 0.1 R16G16_SFLOAT 2d 1x1 u16 15360 16384
//! image 0.2 R16G16_SFLOAT 2d 1x1 u16 0 0
//! expect 0.0 f32 1 2 0 1
//! expect image 0.2 u16 15360 16384
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg16float>;
[[group(0), binding(2)]] var b : [[access(write)]] texture_storage_2d<rg16float>;
[[stage(compute)]]
fn main() -> void {
  const r : vec4<f32> = textureLoad(a, vec2<i32>(0, 0));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
  d.v[3] = r.w;
  textureStore(b, vec2<i32>(0, 0), r);
}

//# format_rg16float_strict.wgsl
//! row texel format (grammar only): rg16float
//! error `rg16float` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg16float>;
[[stage(compute)]]
fn main() -> void {}

//# format_rgb10a2unorm.wgsl
//! row texel format (grammar only): rgb10a2unorm
//! error `rgb10a2unorm` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgb10a2unorm>;
[[stage(compute)]]
fn main() -> void {}

//# format_bgra8unorm.wgsl
//! row texel format (grammar only): bgra8unorm
//! error `bgra8unorm` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<bgra8unorm>;
[[stage(compute)]]
fn main() -> void {}

//# format_rg11b10float.wgsl
//! row texel format (grammar only): rg11b10float
//! error `rg11b10float` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rg11b10float>;
[[stage(compute)]]
fn main() -> void {}

//# format_rgba8unorm_srgb.wgsl
//! row texel format (grammar only): rgba8unorm_srgb
//! error `rgba8unorm_srgb` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<rgba8unorm_srgb>;
[[stage(compute)]]
fn main() -> void {}

//# format_bgra8unorm_srgb.wgsl
//! row texel format (grammar only): bgra8unorm_srgb
//! error `bgra8unorm_srgb` is not a storage texture format
[[group(0), binding(1)]] var a : [[access(read)]] texture_storage_2d<bgra8unorm_srgb>;
[[stage(compute)]]
fn main() -> void {}

//# class_in.wgsl
//! row storage class: in
//! vertices 3
//! input 0.0 f32 1 2 3
//! expect out Position.0 f32 2 4 6
[[location(0)]] var<in> a : f32;
[[builtin(position)]] var<out> p : vec4<f32>;
[[stage(vertex)]]
fn main() -> void { p = vec4<f32>(2.0 * a, 0.0, 0.0, 1.0); }

//# class_in_written.wgsl
//! row storage class: in
//! error of the class `in` and cannot be assigned to
[[location(0)]] var<in> a : f32;
fn f() -> void { a = 1.0; }
[[stage(compute)]]
fn main() -> void {}

//# class_out.wgsl
//! row storage class: out
//! row declaration: variables with in/out/private/function zero-initialised
//! pixels 8 4
//! expect out 0.0 f32 0*32
//! expect out 0.1 f32 0.25*32
//! expect out 1.0 u32 5*32
[[location(0)]] var<out> a : vec4<f32>;
[[location(1)]] var<out> b : u32 = 5u;
[[stage(fragment)]]
fn main() -> void { b = b; a.y = a.x + 0.25; }

//# class_function.wgsl
//! row storage class: function
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 0 0 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var<function> a : u32;
  d.v[0] = a;
  var i : u32 = 0u;
  loop {
  if (i >= 3u) { break; }
  var each : u32;
  d.v[1] = each;
  each = 7u;
  i = i + 1u;
  }
  d.v[2] = i;
}

//# class_private.wgsl
//! row storage class: private
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 0 9 6
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
var<private> a : u32;
var<private> b : u32 = 6u;
fn set() -> void { d.v[1] = a; }
[[stage(compute)]]
fn main() -> void {
  d.v[0] = a;
  a = 9u;
  set();
  d.v[2] = b;
}

//# class_workgroup.wgsl
//! row storage class: workgroup
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 3 4
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
var<workgroup> a : array<u32, 2>;
[[stage(compute)]]
fn main() -> void {
  a[0] = 3u;
  a[1] = 4u;
  d.v[0] = a[0];
  d.v[1] = a[1];
}

//# class_uniform.wgsl
//! row storage class: uniform
//! bind 0.0 u32 zeros 1
//! bind 0.1 u32 3 0 0 0 5 0 0 0
//! expect 0.0 u32 8
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[block]] struct U { [[offset(0)]] a : u32; [[offset(16)]] b : u32; };
[[group(0), binding(1)]] var<uniform> u : U;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = u.a + u.b;
}

//# class_uniform_written.wgsl
//! row storage class: uniform
//! error of the class `uniform` and cannot be assigned to
[[block]] struct U { [[offset(0)]] a : u32; };
[[group(0), binding(1)]] var<uniform> u : U;
fn f() -> void { u.a = 1u; }
[[stage(compute)]]
fn main() -> void {}

//# class_storage.wgsl
//! row storage class: storage
//! bind 0.0 u32 zeros 1
//! bind 0.1 u32 3
//! expect 0.0 u32 6
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[block]] struct Buffer1 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(1)]] var<storage> e : [[access(read)]] Buffer1;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = 2u * e.v[0];
}

//# class_storage_read.wgsl
//! row storage class: storage
//! error whose access is `read` and cannot be assigned to
[[block]] struct Buffer1 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(1)]] var<storage> e : [[access(read)]] Buffer1;
fn f() -> void { e.v[0] = 1u; }
[[stage(compute)]]
fn main() -> void {}

//# class_handle.wgsl
//! row storage class: handle (implicit, token reserved)
//! error a texture or sampler has no storage class
[[group(0), binding(0)]] var<uniform> t : texture_2d<f32>;
[[stage(compute)]]
fn main() -> void {}

//# class_handle_written.wgsl
//! row storage class: handle (implicit, token reserved)
//! error `handle` is not a storage class
var<handle> t : u32;
[[stage(compute)]]
fn main() -> void {}

//# class_handle_used.wgsl
//! row storage class: handle (implicit, token reserved)
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d 4x1 f32 1 2 3 4
//! expect 0.0 f32 4
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[stage(compute)]]
fn main() -> void { d.v[0] = textureLoad(t, vec2<i32>(3, 0)).x; }

//# block_missing.wgsl
//! row attribute: [[block]] on struct
//! error so it has the attribute `block`
struct S { [[offset(0)]] a : u32; };
[[group(0), binding(0)]] var<uniform> u : S;
[[stage(compute)]]
fn main() -> void {}

//# block_nested.wgsl
//! row attribute: [[block]] on struct
//! error cannot be a member of another
[[block]] struct S { [[offset(0)]] a : u32; };
struct T { [[offset(0)]] s : S; };
[[stage(compute)]]
fn main() -> void {}

//# block_in_array.wgsl
//! row attribute: [[block]] on struct
//! error cannot be an element of an array
[[block]] struct S { [[offset(0)]] a : u32; };
var<private> b : array<S, 2>;
[[stage(compute)]]
fn main() -> void {}

//# block.wgsl
//! row attribute: [[block]] on struct
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 1
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = 1u;
}

//# offset.wgsl
//! row attribute: [[offset(n)]] on member
//! row layout: members in declaration order, monotonic offsets
//! bind 0.0 u32 1 0 0 0 0 2 0 0 3 0 0 0 0 0 0 0
//! expect 0.0 u32 6 _ _ _ _ 6 _ _ 6
[[block]] struct S { [[offset(0)]] a : u32; [[offset(20)]] b : u32; [[offset(32)]] c : vec3<u32>; };
[[group(0), binding(0)]] var<storage> s : [[access(read_write)]] S;
[[stage(compute)]]
fn main() -> void { const sum : u32 = s.a + s.b + s.c.x; s.a = sum; s.b = sum; s.c.x = sum; }

//# offset_missing.wgsl
//! row attribute: [[offset(n)]] on member
//! error has an offset
[[block]] struct S { a : u32; };
[[group(0), binding(0)]] var<uniform> u : S;
[[stage(compute)]]
fn main() -> void {}

//# offset_overlaps.wgsl
//! row layout: members in declaration order, monotonic offsets
//! error before the member before it ends
struct S { [[offset(4)]] a : u32; [[offset(0)]] b : u32; };
[[stage(compute)]]
fn main() -> void {}

//# offset_unaligned.wgsl
//! row layout: members in declaration order, monotonic offsets
//! error not a multiple of 16
struct S { [[offset(0)]] a : u32; [[offset(8)]] b : vec4<u32>; };
[[stage(compute)]]
fn main() -> void {}

//# stride.wgsl
//! row attribute: [[stride(n)]] on array type
//! bind 0.0 u32 1 0 0 2 0 0 3 0 0
//! expect 0.0 u32 1 _ _ 7 _ _ 3
[[block]] struct S { [[offset(0)]] v : [[stride(12)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> s : [[access(read_write)]] S;
[[stage(compute)]]
fn main() -> void { var i : i32 = 1; s.v[i] = s.v[0] + s.v[2] * 2u; }

//# stride_of_whole_arrays.wgsl
//! row attribute: [[stride(n)]] on array type
//! bind 0.0 u32 1 0 2 0
//! expect 0.0 u32 2 _ 4
type A = [[stride(8)]] array<u32, 2>;
[[block]] struct S { [[offset(0)]] v : A; };
[[group(0), binding(0)]] var<storage> s : [[access(read_write)]] S;
[[stage(compute)]]
fn main() -> void { var a : A = s.v; s.v = A(a[0] * 2u, a[1] * 2u); }

//# stride_too_small.wgsl
//! row attribute: [[stride(n)]] on array type
//! error cannot be 4 bytes apart
type A = [[stride(4)]] array<vec2<f32>, 2>;
[[stage(compute)]]
fn main() -> void {}

//# stride_zero.wgsl
//! row attribute: [[stride(n)]] on array type
//! error `stride` takes one integer literal that is at least 1
type A = [[stride(0)]] array<f32, 2>;
[[stage(compute)]]
fn main() -> void {}

//# access.wgsl
//! row attribute: [[access(read|write|read_write)]] on store type
//! bind 0.0 u32 zeros 1
//! bind 0.1 u32 3
//! expect 0.0 u32 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[block]] struct Buffer1 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(1)]] var<storage> e : [[access(read)]] Buffer1;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = e.v[0];
}

//# access_missing.wgsl
//! row attribute: [[access(read|write|read_write)]] on store type
//! error says its access
[[block]] struct S { [[offset(0)]] a : u32; };
[[group(0), binding(0)]] var<storage> s : S;
[[stage(compute)]]
fn main() -> void {}

//# access_misplaced.wgsl
//! row attribute: [[access(read|write|read_write)]] on store type
//! error `access` is for variables of the class `storage`
var<private> s : [[access(read)]] array<u32, 2>;
[[stage(compute)]]
fn main() -> void {}

//# access_unknown.wgsl
//! row attribute: [[access(read|write|read_write)]] on store type
//! error is not an access mode
[[block]] struct S { [[offset(0)]] a : u32; };
[[group(0), binding(0)]] var<storage> s : [[access(all)]] S;
[[stage(compute)]]
fn main() -> void {}

//# location.wgsl
//! row attribute: [[location(n)]] on in/out variable
//! vertices 2
//! input 3.0 f32 1 2
//! input 3.1 f32 10 20
//! expect out 5.0 f32 11 22
[[location(3)]] var<in> a : vec2<f32>;
[[location(5)]] var<out> b : f32;
[[builtin(position)]] var<out> p : vec4<f32>;
[[stage(vertex)]]
fn main() -> void { b = a.x + a.y; p = vec4<f32>(); }

//# location_missing.wgsl
//! row attribute: [[location(n)]] on in/out variable
//! error has neither a location nor a `builtin`
var<in> a : f32;
[[stage(compute)]]
fn main() -> void {}

//# location_twice.wgsl
//! row attribute: [[location(n)]] on in/out variable
//! error are location 1
[[location(1)]] var<in> a : f32;
[[location(1)]] var<in> b : f32;
[[stage(vertex)]]
fn f() -> void { const c : f32 = a + b; }
[[stage(compute)]]
fn main() -> void {}

//# builtin.wgsl
//! row attribute: [[builtin(x)]] on in/out variable
//! vertices 3
//! expect out Position.0 f32 0 1 2
[[builtin(vertex_index)]] var<in> i : u32;
[[builtin(position)]] var<out> p : vec4<f32>;
[[stage(vertex)]]
fn main() -> void { p.x = f32(i); }

//# builtin_unknown.wgsl
//! row attribute: [[builtin(x)]] on in/out variable
//! error no input or output with the name `point_size` is built in
[[builtin(point_size)]] var<out> a : f32;
[[stage(compute)]]
fn main() -> void {}

//# group_binding.wgsl
//! row attribute: [[group(n)]] [[binding(n)]]
//! row program: resources need group+binding, no aliasing inside a stage
//! bind 0.0 u32 zeros 1
//! bind 0.1 u32 3
//! bind 1.0 u32 2
//! expect 0.0 u32 5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[block]] struct Buffer1 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(1)]] var<storage> e : [[access(read)]] Buffer1;
[[group(1), binding(0)]] var<storage> f : [[access(read)]] Buffer1;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = e.v[0] + f.v[0];
}

//# group_missing.wgsl
//! row attribute: [[group(n)]] [[binding(n)]]
//! row program: resources need group+binding, no aliasing inside a stage
//! error has both `group` and `binding`
[[binding(0)]] var t : sampler;
[[stage(compute)]]
fn main() -> void {}

//# binding_twice.wgsl
//! row program: resources need group+binding, no aliasing inside a stage
//! error have the same group and binding
[[block]] struct S { [[offset(0)]] a : u32; };
[[group(0), binding(0)]] var<uniform> a : S;
[[group(0), binding(0)]] var<uniform> b : S;
[[stage(compute)]]
fn f() -> void { const c : u32 = a.a + b.a; }
[[stage(compute)]]
fn main() -> void {}

//# constant_id.wgsl
//! row attribute: [[constant_id(n)]] on module const
//! row declaration: pipeline-overridable const, optional initialiser
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 7 1 2.5 -3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[constant_id(0)]] const a : u32 = 7u;
[[constant_id(1200)]] const b : bool = true;
[[constant_id(3)]] const c : f32 = 2.5;
[[constant_id(4)]] const e : i32 = -3;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = f32(a);
  d.v[1] = select(1.0, 0.0, b);
  d.v[2] = c;
  d.v[3] = f32(e);
}

//# constant_id_twice.wgsl
//! row attribute: [[constant_id(n)]] on module const
//! error two constants have the id 1
[[constant_id(1)]] const a : u32 = 1u;
[[constant_id(1)]] const b : u32 = 2u;
[[stage(compute)]]
fn main() -> void {}

//# constant_id_without_value.wgsl
//! row declaration: pipeline-overridable const, optional initialiser
//! error (id 9) has no value
[[constant_id(9)]] const a : u32;
[[stage(compute)]]
fn main() -> void {}

//# constant_id_vector.wgsl
//! row declaration: pipeline-overridable const, optional initialiser
//! error a constant with an id is a scalar
[[constant_id(9)]] const a : vec2<f32> = vec2<f32>(1.0, 2.0);
[[stage(compute)]]
fn main() -> void {}

//# stage.wgsl
//! row attribute: [[stage(vertex|fragment|compute)]]
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 1
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = 1u;
}

//# stage_unknown.wgsl
//! row attribute: [[stage(vertex|fragment|compute)]]
//! error a stage is `vertex`, `fragment` or `compute`
[[stage(kernel)]]
fn f() -> void {}
[[stage(compute)]]
fn main() -> void {}

//# workgroup_size.wgsl
//! row attribute: [[workgroup_size(x[,y[,z]])]]
//! bind 0.0 u32 zeros 12
//! expect 0.0 u32 iota 12
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[builtin(local_invocation_index)]] var<in> i : u32;
[[stage(compute), workgroup_size(3, 2, 2)]]
fn main() -> void { d.v[i] = i; }

//# workgroup_size_zero.wgsl
//! row attribute: [[workgroup_size(x[,y[,z]])]]
//! error greater than zero
[[stage(compute), workgroup_size(0)]]
fn f() -> void {}
[[stage(compute)]]
fn main() -> void {}

//# workgroup_size_of_vertices.wgsl
//! row attribute: [[workgroup_size(x[,y[,z]])]]
//! error is for compute shaders
[[stage(vertex), workgroup_size(1)]]
fn f() -> void {}
[[stage(compute)]]
fn main() -> void {}

//# attribute_lists.wgsl
//! row attribute: comma-separated attribute lists, several lists per declaration
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 1 2
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0)]] [[ binding(0) ]] var<storage> d : [[access(read_write)]] Buffer0;
[[builtin(local_invocation_index)]]
var<in> i : u32;
[[ stage(compute) ]] [[workgroup_size(2)]]
fn main() -> void { d.v[i] = i + 1u; }

//# attribute_twice.wgsl
//! row attribute: comma-separated attribute lists, several lists per declaration
//! error is given twice
[[group(0), group(1), binding(0)]] var t : sampler;
[[stage(compute)]]
fn main() -> void {}

//# attribute_list_empty.wgsl
//! row attribute: comma-separated attribute lists, several lists per declaration
//! error a list of attributes has at least one
[[]] struct S { a : u32; };
[[stage(compute)]]
fn main() -> void {}

//# not_storable.wgsl
//! row layout: storable / IO-shareable / host-shareable type classes
//! error a variable cannot hold a value of type
var<private> a : ptr<function, u32>;
[[stage(compute)]]
fn main() -> void {}

//# not_io_shareable.wgsl
//! row layout: storable / IO-shareable / host-shareable type classes
//! error cannot be inputs or outputs
[[location(0)]] var<in> a : mat2x2<f32>;
[[stage(compute)]]
fn main() -> void {}

//# storable.wgsl
//! row layout: storable / IO-shareable / host-shareable type classes
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 4
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
struct S { m : mat2x2<f32>; b : bool; };
[[stage(compute)]]
fn main() -> void {
  var a : array<S, 2>;
  a[1].m[1].x = 4.0;
  d.v[0] = u32(a[1].m[1].x);
}

//# uniform_layout.wgsl
//! row layout: uniform layout: arrays and structs rounded to 16
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 1 0 0 0 2 0 0 0 3 0 0 0
//! expect 0.0 f32 5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
struct S { [[offset(0)]] a : f32; };
[[block]] struct U { [[offset(0)]] v : [[stride(16)]] array<f32, 2>; [[offset(32)]] s : S; };
[[group(0), binding(1)]] var<uniform> u : U;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = u.v[1] + u.s.a;
}

//# uniform_stride.wgsl
//! row layout: uniform layout: arrays and structs rounded to 16
//! error a multiple of 16
[[block]] struct U { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(1)]] var<uniform> u : U;
[[stage(compute)]]
fn main() -> void {}

//# uniform_structure.wgsl
//! row layout: uniform layout: arrays and structs rounded to 16
//! error a multiple of 16
struct S { [[offset(0)]] a : f32; };
[[block]] struct U { [[offset(0)]] a : f32; [[offset(4)]] s : S; };
[[group(0), binding(1)]] var<uniform> u : U;
[[stage(compute)]]
fn main() -> void {}

//# storage_layout.wgsl
//! row layout: storage layout: natural
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 1 3 0 5
//! expect 0.0 f32 9
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
struct S { [[offset(0)]] a : f32; };
[[block]] struct U { [[offset(0)]] a : f32; [[offset(4)]] s : S; [[offset(8)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(1)]] var<storage> u : [[access(read)]] U;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = u.a + u.s.a + u.v[1];
}

//# matrix_columns.wgsl
//! row layout: matNx2 column stride 8 (not std140)
//! bind 0.0 f32 zeros 2
//! bind 0.1 f32 1 2 3 4 5 0 0 0
//! expect 0.0 f32 4 5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[block]] struct U { [[offset(0)]] m : mat2x2<f32>; [[offset(16)]] after : f32; };
[[group(0), binding(1)]] var<uniform> u : U;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = u.m[1].y;
  d.v[1] = u.after;
}

//# little_endian.wgsl
//! row layout: little-endian storage
//! bind 0.0 u32 zeros 1
//! bind 0.1 u8 1 2 3 4
//! expect 0.0 u32 67305985
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[block]] struct Buffer1 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(1)]] var<storage> e : [[access(read)]] Buffer1;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = e.v[0];
}

//# bool_shared.wgsl
//! row layout: bool never host- or IO-shareable
//! error are not shared with the host
[[block]] struct S { [[offset(0)]] a : bool; };
[[group(0), binding(0)]] var<uniform> u : S;
[[stage(compute)]]
fn main() -> void {}

//# bool_input.wgsl
//! row layout: bool never host- or IO-shareable
//! error cannot be inputs or outputs
[[location(0)]] var<in> a : bool;
[[stage(compute)]]
fn main() -> void {}

//# alias.wgsl
//! row declaration: type alias: type X = T;
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 2 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
type Arr = array<u32, 2>;
type V = vec2<u32>;
[[stage(compute)]]
fn main() -> void {
  var a : Arr = Arr(1u, 2u);
  d.v[0] = a[1];
  var v : V = V(3u, 4u);
  d.v[1] = v.x;
}

//# module_variable.wgsl
//! row declaration: module variable with attributes, storage class, optional const_expr initialiser
//! bind 0.0 f32 zeros 2
//! expect 0.0 f32 2 0.5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
var<private> a : vec2<f32> = vec2<f32>(1.0, 2.0);
var<private> b : array<f32, 2> = array<f32, 2>(f32(), 0.5);
[[stage(compute)]]
fn main() -> void {
  d.v[0] = a.y;
  d.v[1] = b[1];
}

//# module_variable_initial.wgsl
//! row declaration: module variable with attributes, storage class, optional const_expr initialiser
//! error has no initial value
var<workgroup> a : u32 = 1u;
[[stage(compute)]]
fn main() -> void {}

//# module_variable_expression.wgsl
//! row declaration: module variable with attributes, storage class, optional const_expr initialiser
//! error made of literals and types alone
var<private> a : u32 = 1u + 1u;
[[stage(compute)]]
fn main() -> void {}

//# module_constant.wgsl
//! row declaration: module const with const_expr (literals and constructors only)
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 1.5 1 2 7
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
struct S { a : i32; b : array<f32, 2>; };
const golden : f32 = 1.5;
const e2 : vec3<i32> = vec3<i32>(0, 1, 0);
const s : S = S(1, array<f32, 2>(1.0, 2.0));
const conv : f32 = f32(7u);
[[stage(compute)]]
fn main() -> void {
  d.v[0] = golden;
  d.v[1] = f32(e2.y);
  d.v[2] = s.b[1];
  d.v[3] = conv;
}

//# module_constant_without_value.wgsl
//! row declaration: module const with const_expr (literals and constructors only)
//! error has no value
const a : f32;
[[stage(compute)]]
fn main() -> void {}

//# function_variable.wgsl
//! row declaration: function var (zero-initialised when no initialiser)
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 0 4 0
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : vec2<u32>;
  d.v[0] = a.x;
  var b : u32 = 4u;
  d.v[1] = b;
  for (var i : u32 = 0u; i < 2u; i = i + 1u) {
  var c : u32;
  d.v[2] = c;
  c = 5u;
  }
}

//# function_constant.wgsl
//! row declaration: function const (= today let)
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 3 4
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : u32 = 3u;
  const b : u32 = a;
  a = 4u;
  d.v[0] = b;
  const p : ptr<function, u32> = a;
  d.v[1] = p;
}

//# const_is_no_constant_expression.wgsl
//! row declaration: function const (= today let)
//! bind 0.0 i32 zeros 3
//! expect 0.0 i32 -2147483648 2 -3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
const last : i32 = 2147483647;
[[stage(compute)]]
fn main() -> void {
  const most : i32 = 2147483647;
  const two : i32 = 2;
  const more : i32 = last;
  d.v[0] = most + 1;
  d.v[1] = two;
  if (d.v[1] == 0) { d.v[1] = d.v[0] / (two - 2); }
  d.v[2] = more * two - 1;
}

//# annotation_missing.wgsl
//! row declaration: type annotation mandatory on var and const
//! error the type of `a` is missing
fn f() -> void { var a = 1; }
[[stage(compute)]]
fn main() -> void {}

//# annotation_missing_of_constant.wgsl
//! row declaration: type annotation mandatory on var and const
//! error the type of `a` is missing
const a = 1;
[[stage(compute)]]
fn main() -> void {}

//# struct_declaration.wgsl
//! row declaration: struct declaration, members end with ;
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 2
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
struct S { a : u32; };
[[stage(compute)]]
fn main() -> void {
  d.v[0] = S(2u).a;
}

//# struct_without_semicolon.wgsl
//! row declaration: struct declaration, members end with ;
//! error expected `;` after the structure
struct S { a : u32; }
[[stage(compute)]]
fn main() -> void {}

//# struct_with_commas.wgsl
//! row declaration: struct declaration, members end with ;
//! error expected `;` after the member
struct S { a : u32, b : u32; };
[[stage(compute)]]
fn main() -> void {}

//# function_declaration.wgsl
//! row declaration: function declaration with mandatory -> type
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 7
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
fn f(a : u32, b : f32) -> u32 { return a + u32(b); }
[[stage(compute)]]
fn main() -> void {
  d.v[0] = f(3u, 4.0);
}

//# result_missing.wgsl
//! row declaration: function declaration with mandatory -> type
//! error write `-> void`
fn f() {}
[[stage(compute)]]
fn main() -> void {}

//# init_private.wgsl
//! row declaration: variables with in/out/private/function zero-initialised
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 0 0
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
var<private> p : vec2<u32>;
[[stage(compute)]]
fn main() -> void {
  var a : array<u32, 3>;
  d.v[0] = a[2];
  d.v[1] = p.x;
}

//# constructors.wgsl
//! row expression: type constructors (scalars identity, vectors, matrices by column, arrays, structs)
//! bind 0.0 f32 zeros 8
//! expect 0.0 f32 1 2 3 4 6 3 8 9
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
struct S { a : i32; b : vec2<f32>; c : f32; };
[[stage(compute)]]
fn main() -> void {
  const two : vec2<f32> = vec2<f32>(1.0, 2.0);
  const three : vec3<f32> = vec3<f32>(two, 3.0);
  const four : vec4<f32> = vec4<f32>(three, 4.0);
  d.v[0] = vec2<f32>(two).x;
  d.v[1] = vec3<f32>(0.0, two).z;
  d.v[2] = four.z;
  d.v[3] = vec4<f32>(two, two).w * 2.0;
  d.v[4] = vec4<f32>(5.0, vec2<f32>(6.0, 7.0), 8.0).y;
  d.v[5] = mat2x3<f32>(three, three)[1].z;
  d.v[6] = array<f32, 2>(7.0, f32(8.0))[1];
  d.v[7] = S(1, two, 9.0).c;
}

//# constructor_count.wgsl
//! row expression: type constructors (scalars identity, vectors, matrices by column, arrays, structs)
//! error is made of 3 components, not 2
fn f() -> vec3<f32> { return vec3<f32>(1.0, 2.0); }
[[stage(compute)]]
fn main() -> void {}

//# constructor_splat.wgsl
//! row expression: type constructors (scalars identity, vectors, matrices by column, arrays, structs)
//! error expected a value of type `vec3<f32>`
fn f() -> vec3<f32> { return vec3<f32>(1.0); }
[[stage(compute)]]
fn main() -> void {}

//# constructor_types.wgsl
//! row expression: type constructors (scalars identity, vectors, matrices by column, arrays, structs)
//! error expected a value of type `f32`
fn f() -> vec2<f32> { return vec2<f32>(1.0, 2); }
[[stage(compute)]]
fn main() -> void {}

//# zero_values.wgsl
//! row expression: zero values T()
//! bind 0.0 u32 zeros 6
//! expect 0.0 u32 0 0 0 0 0 0
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
struct S { a : u32; };
[[stage(compute)]]
fn main() -> void {
  d.v[0] = u32();
  d.v[1] = u32(f32());
  d.v[2] = select(1u, 0u, bool());
  d.v[3] = vec3<u32>().y;
  d.v[4] = array<u32, 2>()[1];
  d.v[5] = S().a + u32(mat2x2<f32>()[0].x) + u32(i32());
}

//# conversions.wgsl
//! row expression: conversions bool/i32/u32/f32 scalars and vectors
//! bind 0.0 i32 zeros 13
//! bind 0.1 i32 3 -1 2
//! expect 0.0 i32 1 0 1 1 0 1 -1 -3 7 2 5 3 1
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 13>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[block]] struct Buffer1 { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(1)]] var<storage> v : [[access(read)]] Buffer1;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = select(1, 0, bool(v.v[0]));
  d.v[1] = select(1, 0, bool(0.0 * f32(v.v[0])));
  d.v[2] = select(1, 0, bool(bitcast<f32>(2143289344u)));
  d.v[3] = select(1, 0, bool(u32(v.v[0])));
  d.v[4] = select(1, 0, bool(-0.0));
  d.v[5] = select(1, 0, u32(v.v[1]) == 4294967295u);
  d.v[6] = i32(4294967295u);
  d.v[7] = i32(-3.75);
  d.v[8] = i32(u32(7.9));
  d.v[9] = i32(f32(v.v[2]));
  d.v[10] = vec2<i32>(vec2<f32>(5.5, 6.0)).x;
  d.v[11] = vec3<i32>(vec3<u32>(3u, 4u, 5u)).x;
  d.v[12] = i32(vec4<f32>(vec4<i32>(1, 2, 3, 4)).x);
}

//# conversion_of_bool.wgsl
//! row expression: conversions bool/i32/u32/f32 scalars and vectors
//! error expected a value of type `f32`
fn f(a : bool) -> f32 { return f32(a); }
[[stage(compute)]]
fn main() -> void {}

//# bitcast.wgsl
//! row expression: bitcast<T>
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 1069547520 4294967295
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = bitcast<u32>(1.5);
  d.v[1] = bitcast<vec2<u32>>(vec2<i32>(-1, 0)).x;
}

//# bitcast_of_bool.wgsl
//! row expression: bitcast<T>
//! error cannot be taken for
fn f(a : bool) -> u32 { return bitcast<u32>(a); }
[[stage(compute)]]
fn main() -> void {}

//# accesses.wgsl
//! row expression: vector/array/matrix/struct access, swizzles rgba/xyzw
//! bind 0.0 f32 zeros 8
//! expect 0.0 f32 2 3 3 2 1 3 4 2
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : vec3<f32> = vec3<f32>(1.0, 2.0, 3.0);
  d.v[0] = a.y;
  const c : vec2<f32> = a.bb;
  d.v[1] = c.x;
  const e : vec3<f32> = a.zyx;
  d.v[2] = e.x;
  d.v[3] = a[1];
  d.v[4] = a.rgb.r;
  var i : u32 = 2u;
  d.v[5] = a[i];
  var m : mat2x2<f32> = mat2x2<f32>(vec2<f32>(1.0, 2.0), vec2<f32>(3.0, 4.0));
  d.v[6] = m[1].y;
  d.v[7] = a.xyzz.y;
}

//# swizzle_mixed.wgsl
//! row expression: vector/array/matrix/struct access, swizzles rgba/xyzw
//! error has no components `xg`
fn f(a : vec4<f32>) -> vec2<f32> { return a.xg; }
[[stage(compute)]]
fn main() -> void {}

//# swizzle_outside.wgsl
//! row expression: vector/array/matrix/struct access, swizzles rgba/xyzw
//! error has no components `z`
fn f(a : vec2<f32>) -> f32 { return a.z; }
[[stage(compute)]]
fn main() -> void {}

//# index_outside.wgsl
//! row expression: vector/array/matrix/struct access, swizzles rgba/xyzw
//! error has no element 2
fn f(a : vec2<f32>) -> f32 { return a[2]; }
[[stage(compute)]]
fn main() -> void {}

//# swizzle_written.wgsl
//! row expression: vector/array/matrix/struct access, swizzles rgba/xyzw
//! error not several components at once
fn f() -> void { var a : vec3<f32>; a.xy = vec2<f32>(1.0, 2.0); }
[[stage(compute)]]
fn main() -> void {}

//# logic.wgsl
//! row expression: ! && || and non-short-circuit & | on bool and bool vectors
//! bind 0.0 u32 zeros 9
//! expect 0.0 u32 1 0 1 0 2 1 3 1 0
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
var<private> calls : u32;
fn count() -> bool { calls = calls + 1u; return true; }
[[stage(compute)]]
fn main() -> void {
  var t : bool = true;
  var f : bool = false;
  d.v[0] = select(1u, 0u, !f);
  d.v[1] = select(1u, 0u, t && f);
  d.v[2] = select(1u, 0u, f || t);
  if (f && count()) { d.v[3] = 9u; }
  if (t || count()) { d.v[3] = calls; }
  if (t && count()) { calls = calls + 1u; }
  d.v[4] = calls;
  d.v[5] = select(1u, 0u, t | f);
  const both : bool = f & count();
  d.v[6] = calls;
  d.v[7] = select(1u, 0u, all(vec2<bool>(t, f) | vec2<bool>(f, t)));
  d.v[8] = select(1u, 0u, any(vec2<bool>(t, f) & vec2<bool>(f, t)));
}

//# logic_of_writers.wgsl
//! row expression: ! && || and non-short-circuit & | on bool and bool vectors
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 9 7 2 4
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var t : bool = true;
  var whole : f32 = 9.0;
  var exponent : i32 = 7;
  if (!t && modf(2.5, whole) > 0.0) { d.v[3] = 1.0; }
  d.v[0] = whole;
  if (t || frexp(8.0, exponent) > 0.0) { d.v[3] = 2.0; }
  d.v[1] = f32(exponent);
  if (t && modf(2.5, whole) > 0.0) { d.v[2] = whole; }
  if (!t || frexp(8.0, exponent) > 0.0) { d.v[3] = f32(exponent); }
}

//# logic_of_numbers.wgsl
//! row expression: ! && || and non-short-circuit & | on bool and bool vectors
//! error expected a value of type `bool`
fn f(a : i32) -> bool { return a && true; }
[[stage(compute)]]
fn main() -> void {}

//# unary.wgsl
//! row expression: unary - ~
//! bind 0.0 i32 zeros 3
//! expect 0.0 i32 -3 -1 7
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : i32 = 3;
  d.v[0] = -a;
  d.v[1] = ~vec2<i32>(0, 1).x;
  d.v[2] = -vec2<i32>(-7, 1).x;
}

//# unary_of_unsigned.wgsl
//! row expression: unary - ~
//! error there is no `-` for a value of type `u32`
fn f(a : u32) -> u32 { return -a; }
[[stage(compute)]]
fn main() -> void {}

//# arithmetic.wgsl
//! row expression: + - * / on scalars and equal-size vectors
//! bind 0.0 i32 zeros 8
//! expect 0.0 i32 7 -3 10 -2 4 6 8 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : i32 = 2;
  var b : i32 = 5;
  d.v[0] = a + b;
  d.v[1] = a - b;
  d.v[2] = a * b;
  d.v[3] = -b / a;
  var v : vec2<i32> = vec2<i32>(2, 3);
  d.v[4] = (v + v).x;
  d.v[5] = (v * vec2<i32>(3, 3)).x;
  d.v[6] = i32(vec2<f32>(4.0, 2.0).x / 0.5);
  d.v[7] = i32(vec3<u32>(7u, 8u, 9u).x / 2u);
}

//# arithmetic_mixed.wgsl
//! row expression: + - * / on scalars and equal-size vectors
//! error there is no `+`
fn f(a : i32, b : u32) -> void { const c : i32 = a + b; }
[[stage(compute)]]
fn main() -> void {}

//# arithmetic_mixed_2.wgsl
//! row expression: + - * / on scalars and equal-size vectors
//! error there is no `+`
fn f(a : vec2<f32>, b : vec3<f32>) -> void { const c : i32 = a + b; }
[[stage(compute)]]
fn main() -> void {}

//# arithmetic_mixed_3.wgsl
//! row expression: + - * / on scalars and equal-size vectors
//! error there is no `+`
fn f(a : vec2<f32>, b : vec2<i32>) -> void { const c : i32 = a + b; }
[[stage(compute)]]
fn main() -> void {}

//# scalar_and_vector.wgsl
//! row expression: + - * / on scalars and equal-size vectors
//! error there is no `+`
fn f(a : f32, b : vec2<f32>) -> vec2<f32> { return a + b; }
[[stage(compute)]]
fn main() -> void {}

//# division_by_constants.wgsl
//! row expression: + - * / on scalars and equal-size vectors
//! bind 0.0 i32 24 -7 0 0 0
//! expect 0.0 i32 12 1 -8 5 6
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 5>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  const zero : i32 = 0;
  const two : i32 = 2;
  const four : vec2<i32> = vec2<i32>(4, 0);
  if (d.v[0] == zero) {
    d.v[0] = d.v[0] / zero + d.v[1] % zero;
    d.v[1] = (vec2<i32>(3, 3) / vec2<i32>(d.v[1], 0)).y;
  }
  d.v[4] = (vec2<i32>(d.v[0], 1) / four).x;
  d.v[3] = (vec2<i32>(11, d.v[0]) / vec2<i32>(two, 0)).x;
  d.v[2] = d.v[1] - two / two;
  d.v[0] = d.v[0] / two;
  d.v[1] = d.v[1] % two;
}

//# remainder.wgsl
//! row expression: % : unsigned OpUMod, signed OpSMod, float OpFMod (sign of e2)
//! bind 0.0 f32 zeros 8
//! expect 0.0 f32 1 2 -2 -1 0.5 -0.5 2 -2
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : i32 = 7;
  var f : f32 = 7.5;
  d.v[0] = f32(7u % 3u);
  d.v[1] = f32(-a % 3);
  d.v[2] = f32(a % -3);
  d.v[3] = f32(-a % -3);
  d.v[4] = -f % 2.0;
  d.v[5] = f % -2.0;
  d.v[6] = f32((vec2<i32>(-7, 1) % vec2<i32>(3, 3)).x);
  d.v[7] = (vec2<f32>(7.0, 1.0) % vec2<f32>(-3.0, 1.0)).x;
}

//# mixed_products.wgsl
//! row expression: vector*scalar, matrix*scalar, vec*mat, mat*vec, mat*mat
//! bind 0.0 f32 zeros 8
//! expect 0.0 f32 4 6 8 7 10 5 11 7
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  const v : vec2<f32> = vec2<f32>(1.0, 2.0);
  const m : mat2x2<f32> = mat2x2<f32>(vec2<f32>(1.0, 2.0), vec2<f32>(3.0, 4.0));
  d.v[0] = (v * 2.0).y;
  d.v[1] = (3.0 * v).y;
  d.v[2] = (m * 2.0)[1].y;
  d.v[3] = (m * v).x;
  d.v[4] = (m * v).y;
  d.v[5] = (v * m).x;
  d.v[6] = (v * m).y;
  d.v[7] = (m * m)[0].x;
}

//# product_of_shapes.wgsl
//! row expression: vector*scalar, matrix*scalar, vec*mat, mat*vec, mat*mat
//! error there is no `*`
fn f(a : mat2x3<f32>, b : vec3<f32>) -> vec3<f32> { return a * b; }
[[stage(compute)]]
fn main() -> void {}

//# comparisons.wgsl
//! row expression: comparisons incl. == != on bool; f32 != is OpFOrdNotEqual
//! bind 0.0 u32 zeros 11
//! expect 0.0 u32 1 0 1 0 1 1 0 0 1 0 0
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 11>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  const nan : f32 = bitcast<f32>(2143289344u);
  d.v[0] = select(1u, 0u, true == true);
  d.v[1] = select(1u, 0u, true != true);
  d.v[2] = select(1u, 0u, -1 < 1);
  d.v[3] = select(1u, 0u, 4294967295u < 1u);
  d.v[4] = select(1u, 0u, 2.0 >= 2.0);
  d.v[5] = select(1u, 0u, 1.0 != 2.0);
  d.v[6] = select(1u, 0u, nan != 1.0);
  d.v[7] = select(1u, 0u, nan == nan);
  d.v[8] = select(1u, 0u, 3 <= 3);
  d.v[9] = select(1u, 0u, nan > 1.0);
  d.v[10] = select(1u, 0u, nan != nan);
}

//# comparison_of_bools.wgsl
//! row expression: comparisons incl. == != on bool; f32 != is OpFOrdNotEqual
//! error there is no `<`
fn f(a : bool) -> bool { return a < a; }
[[stage(compute)]]
fn main() -> void {}

//# vector_comparisons.wgsl
//! row expression: vector comparisons component-wise
//! bind 0.0 u32 zeros 5
//! expect 0.0 u32 1 0 1 0 1
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 5>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  const r : vec2<bool> = vec2<i32>(1, 2) < vec2<i32>(2, 2);
  d.v[0] = select(1u, 0u, r.x);
  d.v[1] = select(1u, 0u, r.y);
  const s : vec3<bool> = vec3<f32>(1.0, 2.0, 3.0) != vec3<f32>(0.0, 2.0, 3.0);
  d.v[2] = select(1u, 0u, s.x);
  d.v[3] = select(1u, 0u, s.z);
  d.v[4] = select(1u, 0u, (vec2<bool>(true, false) == vec2<bool>(true, true)).x);
}

//# bits.wgsl
//! row expression: | & ^ << >> (u32 shift amount, modulo bit width)
//! bind 0.0 i32 zeros 9
//! expect 0.0 i32 7 1 6 24 -2 2 1 4 6
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 9>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : i32 = 3;
  d.v[0] = a | 4;
  d.v[1] = a & 5;
  d.v[2] = a ^ 5;
  d.v[3] = a << 3u;
  d.v[4] = -8 >> 2u;
  d.v[5] = i32(8u >> 34u);
  d.v[6] = a >> 33u;
  d.v[7] = (vec2<i32>(1, 2) << vec2<u32>(2u, 1u)).x;
  d.v[8] = i32((vec2<u32>(12u, 8u) >> 1u).x);
}

//# shift_by_signed.wgsl
//! row expression: | & ^ << >> (u32 shift amount, modulo bit width)
//! error there is no `<<`
fn f(a : i32) -> i32 { return a << 1; }
[[stage(compute)]]
fn main() -> void {}

//# precedence.wgsl
//! row expression: C-like precedence without mandatory parentheses
//! bind 0.0 u32 zeros 8
//! expect 0.0 u32 7 1 1 6 3 5 0 12
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : u32 = 1u;
  var b : u32 = 2u;
  var c : u32 = 3u;
  d.v[0] = a + b * c;
  d.v[1] = select(1u, 0u, a + b == c);
  d.v[2] = select(1u, 0u, a < b == true);
  d.v[3] = a + b << a;
  d.v[4] = a | b & c;
  d.v[5] = a ^ b << a;
  d.v[6] = select(1u, 0u, a == b & true | false);
  d.v[7] = c * b * b;
}

//# calls.wgsl
//! row expression: function call expressions
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 9 12
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
fn sq(a : u32) -> u32 { return a * a; }
[[stage(compute)]]
fn main() -> void {
  d.v[0] = sq(3u);
  d.v[1] = sq(2u) + sq(sq(1u) + 1u) * 2u;
}

//# call_arguments.wgsl
//! row expression: function call expressions
//! error takes 1 arguments, not 2
fn f(a : u32) -> u32 { return a; }
fn g() -> u32 { return f(1u, 2u); }
[[stage(compute)]]
fn main() -> void {}

//# call_types.wgsl
//! row expression: function call expressions
//! error expected a value of type `u32`
fn f(a : u32) -> u32 { return a; }
fn g() -> u32 { return f(1); }
[[stage(compute)]]
fn main() -> void {}

//# implicit_pointers.wgsl
//! row expression: pointer semantics by context (implicit dereference)
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 12 12 5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
fn id(a : u32) -> u32 { return a; }
fn take(p : ptr<function, u32>) -> u32 { p = 5u; return p; }
[[stage(compute)]]
fn main() -> void {
  var v : u32 = 1u;
  const p : ptr<function, u32> = v;
  p = 12u;
  d.v[0] = v;
  d.v[1] = id(p);
  d.v[2] = take(v);
}

//# pointer_index.wgsl
//! row expression: pointer semantics by context (implicit dereference)
//! bind 0.0 i32 zeros 4
//! expect 0.0 i32 1 5 7 2
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
var<private> calls : i32;
var<private> list : array<i32, 4>;
fn next() -> i32 { calls = calls + 1; return calls; }
[[stage(compute)]]
fn main() -> void {
  const p : ptr<private, i32> = list[next()];
  p = 5;
  d.v[0] = calls;
  d.v[1] = list[1];
  const q : ptr<storage, i32> = d.v[next()];
  q = 7;
  d.v[3] = calls;
}

//# pointer_without_member.wgsl
//! row expression: pointer semantics by context (implicit dereference)
//! error `S` has no member `b`
struct S { a : i32; };
var<private> s : S;
[[stage(compute)]]
fn main() -> void { const p : ptr<private, i32> = s.b; }

//# pointer_without_letter.wgsl
//! row expression: pointer semantics by context (implicit dereference)
//! error a value of type `array<f32, 4>` has no members
var<private> list : array<f32, 4>;
[[stage(compute)]]
fn main() -> void { const p : ptr<private, f32> = list.x; }

//# argument_without_letter.wgsl
//! row expression: pointer semantics by context (implicit dereference)
//! error a value of type `array<f32, 4>` has no members
var<private> list : array<f32, 4>;
fn take(p : ptr<private, f32>) -> f32 { return p; }
[[stage(compute)]]
fn main() -> void { const a : f32 = take(list.x); }

//# pointer_index_of_float.wgsl
//! row expression: pointer semantics by context (implicit dereference)
//! error an index is an `i32` or `u32`, not a `f32`
var<private> list : array<f32, 4>;
[[stage(compute)]]
fn main() -> void { const p : ptr<private, f32> = list[1.0]; }

//# assignment.wgsl
//! row statement: assignment (lvalue = expr)
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 3 4 5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : array<vec2<u32>, 2>;
  a[1].y = 3u;
  d.v[0] = a[1].y;
  a[0] = vec2<u32>(4u, 5u);
  d.v[1] = a[0].x;
  d.v[2] = a[0][1];
}

//# assignment_types.wgsl
//! row statement: assignment (lvalue = expr)
//! error expected a value of type `f32`, found one of type `i32`
fn f() -> void { var a : f32; a = 1; }
[[stage(compute)]]
fn main() -> void {}

//# assignment_operators.wgsl
//! row statement: assignment (lvalue = expr)
//! error expected a statement
fn f() -> void { var a : i32; a += 1; }
[[stage(compute)]]
fn main() -> void {}

//# if_else.wgsl
//! row statement: if / elseif / else, parenthesised conditions
//! bind 0.0 u32 zeros 4
//! expect 0.0 u32 1 2 3 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  for (var i : u32 = 0u; i < 4u; i = i + 1u) {
  if (i == 0u) { d.v[i] = 1u; } elseif (i == 1u) { d.v[i] = 2u; } else { d.v[i] = 3u; }
  }
}

//# if_without_parentheses.wgsl
//! row statement: if / elseif / else, parenthesised conditions
//! error expected `(` after `if`
fn f(a : bool) -> void { if a { } }
[[stage(compute)]]
fn main() -> void {}

//# if_condition.wgsl
//! row statement: if / elseif / else, parenthesised conditions
//! error expected a value of type `bool`
fn f(a : i32) -> void { if (a) { } }
[[stage(compute)]]
fn main() -> void {}

//# else_if.wgsl
//! row statement: if / elseif / else, parenthesised conditions
//! error is written `elseif`
fn f(a : bool) -> void { if (a) { } else if (a) { } }
[[stage(compute)]]
fn main() -> void {}

//# switch.wgsl
//! row statement: switch with case lists, {} bodies, exactly one default
//! bind 0.0 u32 zeros 5
//! expect 0.0 u32 10 20 20 30 40
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 5>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  for (var i : i32 = 0; i < 5; i = i + 1) {
  switch (i) {
  case 0: { d.v[i] = 10u; }
  case 1, 2: { d.v[i] = 20u; }
  default: { d.v[i] = 30u; }
  case 4: { if (i == 4) { d.v[i] = 40u; break; } d.v[i] = 9u; }
  }
  }
}

//# fallthrough.wgsl
//! row statement: fallthrough;
//! bind 0.0 u32 zeros 4
//! expect 0.0 u32 3 2 7 12
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  for (var i : u32 = 0u; i < 4u; i = i + 1u) {
  switch (i) {
  case 0u: { d.v[i] = d.v[i] + 1u; fallthrough; }
  case 1u: { d.v[i] = d.v[i] + 2u; }
  case 3u: { d.v[i] = 5u; fallthrough; }
  default: { d.v[i] = d.v[i] + 7u; }
  }
  }
}

//# fallthrough_early.wgsl
//! row statement: fallthrough;
//! error expected `}` after the statements of the case
fn f(a : i32) -> void { switch (a) { case 0: { fallthrough; a; } default: { } } }
[[stage(compute)]]
fn main() -> void {}

//# loop.wgsl
//! row statement: loop { ... continuing { } }
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 10 5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var i : u32 = 0u;
  var sum : u32 = 0u;
  loop {
  if (i == 5u) { break; }
  const step : u32 = 1u;
  sum = sum + i;
  continuing { i = i + step; }
  }
  d.v[0] = sum;
  d.v[1] = i;
}

//# for.wgsl
//! row statement: for(;;) with block body
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 6 4 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var a : u32 = 0u;
  for (var i : u32 = 0u; i < 4u; i = i + 1u) { a = a + i; }
  d.v[0] = a;
  var n : u32 = 0u;
  for (; n < 4u;) { n = n + 1u; }
  d.v[1] = n;
  var m : u32 = 0u;
  for (;; m = m + 1u) { if (m == 3u) { break; } }
  d.v[2] = m;
}

//# break.wgsl
//! row statement: break
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 2 1
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var i : u32 = 0u;
  loop { if (i == 2u) { break; } i = i + 1u; }
  d.v[0] = i;
  switch (1) { default: { d.v[1] = 1u; if (i == 2u) { break; } d.v[1] = 2u; } }
}

//# break_in_continuing.wgsl
//! row statement: conditional break ending continuing: if (c) { break; } or if (c) {} else { break; }
//! bind 0.0 u32 zeros 2
//! expect 0.0 u32 3 4
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var i : u32 = 0u;
  loop { continuing { i = i + 1u; if (i >= 3u) { break; } } }
  d.v[0] = i;
  var j : u32 = 0u;
  loop { continuing { j = j + 1u; if (j < 4u) {} else { break; } } }
  d.v[1] = j;
}

//# break_misplaced.wgsl
//! row statement: conditional break ending continuing: if (c) { break; } or if (c) {} else { break; }
//! error a `continuing` ends its loop by
fn f() -> void { var i : i32; loop { continuing { break; i = i + 1; } } }
[[stage(compute)]]
fn main() -> void {}

//# break_misplaced_2.wgsl
//! row statement: conditional break ending continuing: if (c) { break; } or if (c) {} else { break; }
//! error a `continuing` ends its loop by
fn f() -> void { var i : i32; loop { continuing { if (i > 1) { i = 2; } else { break; } } } }
[[stage(compute)]]
fn main() -> void {}

//# break_misplaced_3.wgsl
//! row statement: conditional break ending continuing: if (c) { break; } or if (c) {} else { break; }
//! error a `continuing` ends its loop by
fn f() -> void { var i : i32; loop { continuing { if (i > 1) { break; } else { i = 3; } } } }
[[stage(compute)]]
fn main() -> void {}

//# break_misplaced_4.wgsl
//! row statement: conditional break ending continuing: if (c) { break; } or if (c) {} else { break; }
//! error a `continuing` ends its loop by
fn f() -> void { var i : i32; loop { continuing { if (i > 1) { break; } i = i + 1; } } }
[[stage(compute)]]
fn main() -> void {}

//# continue.wgsl
//! row statement: continue (not past a declaration used by continuing)
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 9
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  var sum : u32 = 0u;
  for (var i : u32 = 0u; i < 6u; i = i + 1u) { if (i % 2u == 0u) { continue; } sum = sum + i; }
  d.v[0] = sum;
}

//# continue_bypasses.wgsl
//! row statement: continue (not past a declaration used by continuing)
//! error passes it by
fn f() -> void { var i : i32; loop { if (i > 4) { break; } if (i == 2) { continue; } const step : i32 = 2; continuing { i = i + step; } } }
[[stage(compute)]]
fn main() -> void {}

//# continue_in_continuing.wgsl
//! row statement: continue (not past a declaration used by continuing)
//! error a `continue` cannot go to the `continuing`
fn f() -> void { loop { continuing { continue; } } }
[[stage(compute)]]
fn main() -> void {}

//# return.wgsl
//! row statement: return, must come last in block
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 1 2 5
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
fn f(a : bool) -> u32 { if (a) { return 1u; } return 2u; }
fn g() -> void { d.v[2] = 5u; return; }
[[stage(compute)]]
fn main() -> void {
  d.v[0] = f(true);
  d.v[1] = f(false);
  g();
}

//# return_not_last.wgsl
//! row statement: return, must come last in block
//! row validation: v-0029 return comes last in its block
//! error a `return` is the last statement of its block
fn f() -> i32 { return 1; var a : i32; return 2; }
[[stage(compute)]]
fn main() -> void {}

//# return_of_void.wgsl
//! row statement: return, must come last in block
//! error the function returns nothing
fn f() -> void { return 1; }
[[stage(compute)]]
fn main() -> void {}

//# return_without_value.wgsl
//! row statement: return, must come last in block
//! error the function returns a value of type `i32`
fn f() -> i32 { return; }
[[stage(compute)]]
fn main() -> void {}

//# discard.wgsl
//! row statement: discard
//! pixels 8 4
//! bind 0.0 u32 zeros 8
//! expect 0.0 u32 1 0 1 0 1 0 1 0
//! expect alive 10101010 10101010 10101010 10101010
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[builtin(frag_coord)]] var<in> c : vec4<f32>;
[[location(0)]] var<out> o : vec4<f32>;
fn odd() -> void { if ((u32(c.x) & 1u) == 1u) { discard; } }
[[stage(fragment)]]
fn main() -> void { odd(); d.v[u32(c.x)] = 1u; o = vec4<f32>(1.0, 1.0, 1.0, 1.0); }

//# discard_in_compute.wgsl
//! row statement: discard
//! error `discard` is for fragment shaders
[[stage(compute)]]
fn f() -> void { discard; }
[[stage(compute)]]
fn main() -> void {}

//# call_statement.wgsl
//! row statement: function call statement
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 6
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
fn twice(a : u32) -> u32 { d.v[0] = 2u * a; return 1u; }
[[stage(compute)]]
fn main() -> void {
  twice(3u);
  abs(1.0);
}

//# empty_and_blocks.wgsl
//! row statement: empty statement ; and nested blocks
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 3
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  ;;{ ; { d.v[0] = 3u; } };
}

//# entry_parameters.wgsl
//! row program: entry point: no parameters, returns void
//! row validation: v-0023 entry point has no parameters
//! error has parameters: inputs are variables
[[stage(vertex)]]
fn f(i : u32) -> void {}
[[stage(compute)]]
fn main() -> void {}

//# entry_result.wgsl
//! row program: entry point: no parameters, returns void
//! row validation: v-0024 entry point returns void
//! error has a result: outputs are variables
[[stage(fragment)]]
fn f() -> vec4<f32> { return vec4<f32>(); }
[[stage(compute)]]
fn main() -> void {}

//# entry_point.wgsl
//! row program: entry point: no parameters, returns void
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 1
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = 1u;
}

//# stage_vertex.wgsl
//! row program: stages vertex, fragment, compute
//! vertices 2
//! expect out Position.3 f32 1 1
[[builtin(position)]] var<out> p : vec4<f32>;
[[stage(vertex)]]
fn main() -> void { p.w = 1.0; }

//# stage_fragment.wgsl
//! row program: stages vertex, fragment, compute
//! pixels 8 4
//! expect out 0.1 f32 1*32
[[location(0)]] var<out> o : vec4<f32>;
[[stage(fragment)]]
fn main() -> void { o.y = 1.0; }

//# stage_compute.wgsl
//! row program: stages vertex, fragment, compute
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 1
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[stage(compute)]]
fn main() -> void { d.v[0] = 1u; }

//# default_workgroup_size.wgsl
//! row program: workgroup_size default (1,1,1)
//! dispatch 2 1 1
//! bind 0.0 u32 zeros 3
//! expect 0.0 u32 111 111 0
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[builtin(workgroup_id)]] var<in> i : vec3<u32>;
[[builtin(workgroup_size)]] var<in> s : vec3<u32>;
[[stage(compute)]]
fn main() -> void { d.v[i.x] = s.x + 10u * s.y + 100u * s.z; }

//# interface.wgsl
//! row program: interface = statically accessed in/out/uniform/storage/handle variables
//! bind 0.0 u32 zeros 1
//! expect 0.0 u32 4
[[block]] struct Buffer0 { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Buffer0;
[[group(0), binding(0)]] var unused : sampler;
[[location(0)]] var<in> not_here : f32;
fn never() -> f32 { return not_here; }
fn set() -> void { d.v[0] = 4u; }
[[stage(compute)]]
fn main() -> void { set(); }

//# builtin_io.wgsl
//! row program: built-in inputs/outputs (14)
//! pixels 8 4
//! expect out FragDepth.0 f32 0.0625 0.1875 0.3125 0.4375 0.5625 0.6875 0.8125 0.9375 0.0625 0.1875 0.3125 0.4375 0.5625 0.6875 0.8125 0.9375 0.0625 0.1875 0.3125 0.4375 0.5625 0.6875 0.8125 0.9375 0.0625 0.1875 0.3125 0.4375 0.5625 0.6875 0.8125 0.9375
[[builtin(frag_coord)]] var<in> c : vec4<f32>;
[[builtin(frag_depth)]] var<out> z : f32;
[[stage(fragment)]]
fn main() -> void { z = c.x / 8.0; }

//# user_io.wgsl
//! row program: user IO by location
//! pixels 8 4
//! plane 0.0 f32 1 2 0
//! plane 0.1 f32 0 0 1
//! expect out 0.0 f32 2.0 4.0 6.0 8.0 10.0 12.0 14.0 16.0 2.0 4.0 6.0 8.0 10.0 12.0 14.0 16.0 2.0 4.0 6.0 8.0 10.0 12.0 14.0 16.0 2.0 4.0 6.0 8.0 10.0 12.0 14.0 16.0
//! expect out 0.1 f32 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 3.5 3.5 3.5 3.5 3.5 3.5 3.5 3.5
[[location(0)]] var<in> a : vec2<f32>;
[[location(0)]] var<out> o : vec4<f32>;
[[stage(fragment)]]
fn main() -> void { o = vec4<f32>(a, 0.0, 1.0); }

//# flat_integers.wgsl
//! row program: flat interpolation of integers: unspecified (TODO in draft)
//! pixels 8 4
//! plane 1.0 u32 7
//! expect out 0.0 u32 7*32
[[location(1)]] var<in> a : u32;
[[location(0)]] var<out> o : u32;
[[stage(fragment)]]
fn main() -> void { o = a; }

//# recursion.wgsl
//! row program: no recursion
//! row validation: v-0004 no recursion
//! error `f` calls itself
fn f(a : i32) -> i32 { if (a > 0) { return f(a - 1); } return 0; }
[[stage(compute)]]
fn main() -> void {}

//# no_barriers.wgsl
//! row program: no barriers, no atomics in this draft
//! error no function has the name
fn f() -> void { var a : u32; workgroupBarrier(); }
[[stage(compute)]]
fn main() -> void {}

//# no_barriers_2.wgsl
//! row program: no barriers, no atomics in this draft
//! error no function has the name
fn f() -> void { var a : u32; storageBarrier(); }
[[stage(compute)]]
fn main() -> void {}

//# no_barriers_3.wgsl
//! row program: no barriers, no atomics in this draft
//! error no function has the name
fn f() -> void { var a : u32; atomicAdd(a, 1u); }
[[stage(compute)]]
fn main() -> void {}

//# v_0002.wgsl
//! row validation: v-0002 non-void function ends with return
//! error the last statement of `f` is not a `return`
fn f(a : bool) -> i32 { if (a) { return 1; } else { return 2; } }
[[stage(compute)]]
fn main() -> void {}

//# v_0002_end.wgsl
//! row validation: v-0002 non-void function ends with return
//! error can end here without a `return`
fn f(a : bool) -> i32 { if (a) { return 1; } }
[[stage(compute)]]
fn main() -> void {}

//# v_0003.wgsl
//! row validation: v-0003 module has at least one entry point
//! error the module has no entry point
fn f() -> void {}

//# v_0007.wgsl
//! row validation: v-0007 structures defined before use
//! error no type has the name `S`
var<private> a : S;
struct S { a : i32; };
[[stage(compute)]]
fn main() -> void {}

//# v_0008.wgsl
//! row validation: v-0008 exactly one default per switch
//! error a switch has a `default`
fn f(a : i32) -> void { switch (a) { case 0: { } } }
[[stage(compute)]]
fn main() -> void {}

//# v_0008_two.wgsl
//! row validation: v-0008 exactly one default per switch
//! error a switch has one `default`
fn f(a : i32) -> void { switch (a) { default: { } default: { } } }
[[stage(compute)]]
fn main() -> void {}

//# v_0009.wgsl
//! row validation: v-0009 break only in loop/switch
//! error `break` is in no loop or switch
fn f() -> void { break; }
[[stage(compute)]]
fn main() -> void {}

//# v_0010.wgsl
//! row validation: v-0010 continue only in loop
//! error `continue` is in no loop
fn f(a : i32) -> void { switch (a) { default: { continue; } } }
[[stage(compute)]]
fn main() -> void {}

//# v_0015.wgsl
//! row validation: v-0015 runtime array only as last member of a storage block
//! error must be in the class `storage`
[[block]] struct S { [[offset(0)]] v : [[stride(16)]] array<u32>; };
[[group(0), binding(0)]] var<uniform> u : S;
[[stage(compute)]]
fn main() -> void {}

//# v_0017.wgsl
//! row validation: v-0017 builtin has its required type
//! error `vertex_index` is of type `u32`
[[builtin(vertex_index)]] var<in> a : i32;
[[stage(compute)]]
fn main() -> void {}

//# v_0018.wgsl
//! row validation: v-0018 builtin used with right stage and storage class
//! error its class is `out`
[[builtin(position)]] var<in> a : vec4<f32>;
[[stage(compute)]]
fn main() -> void {}

//# v_0018_stage.wgsl
//! row validation: v-0018 builtin used with right stage and storage class
//! error is for fragment shaders
[[builtin(frag_coord)]] var<in> a : vec4<f32>;
[[stage(compute)]]
fn f() -> void { const b : f32 = a.x; }
[[stage(compute)]]
fn main() -> void {}

//# v_0020.wgsl
//! row validation: v-0020 (entry name, stage) unique
//! error there are two compute entry points with the name `f`
[[stage(compute)]]
fn f() -> void {}
[[stage(compute)]]
fn f() -> void {}
[[stage(compute)]]
fn main() -> void {}

//# v_0021.wgsl
//! row validation: v-0021 constants are not assigned
//! error `a` is a constant and cannot be assigned to
fn f() -> void { const a : i32 = 1; a = 2; }
[[stage(compute)]]
fn main() -> void {}

//# v_0021_module.wgsl
//! row validation: v-0021 constants are not assigned
//! error `a` is a constant and cannot be assigned to
const a : i32 = 1;
fn f() -> void { a = 2; }
[[stage(compute)]]
fn main() -> void {}

//# v_0022.wgsl
//! row validation: v-0022 module variables have a storage class
//! error has no storage class
var a : i32;
[[stage(compute)]]
fn main() -> void {}

//# v_0025.wgsl
//! row validation: v-0025 switch selector is scalar integer
//! error a switch selects by an `i32` or `u32`
fn f(a : f32) -> void { switch (a) { default: { } } }
[[stage(compute)]]
fn main() -> void {}

//# v_0026.wgsl
//! row validation: v-0026 case literals have the selector type
//! error a case's literals are of the selector's type
fn f(a : u32) -> void { switch (a) { case 1: { } default: { } } }
[[stage(compute)]]
fn main() -> void {}

//# v_0027.wgsl
//! row validation: v-0027 case literals unique
//! error there are two cases of 16
fn f(a : i32) -> void { switch (a) { case 16: { } case 0x10: { } default: { } } }
[[stage(compute)]]
fn main() -> void {}

//# v_0028.wgsl
//! row validation: v-0028 fallthrough not last in last clause
//! error no case after this one to fall through to
fn f(a : i32) -> void { switch (a) { case 1: { } default: { fallthrough; } } }
[[stage(compute)]]
fn main() -> void {}

//# v_0030.wgsl
//! row validation: v-0030 no runtime array in other store types
//! error must be in the class `storage`
var<private> a : [[stride(4)]] array<u32>;
[[stage(compute)]]
fn main() -> void {}

//# v_0030_nested.wgsl
//! row validation: v-0030 no runtime array in other store types
//! error an array cannot have elements of type
var<private> a : array<[[stride(4)]] array<u32>, 2>;
[[stage(compute)]]
fn main() -> void {}

//# v_0031.wgsl
//! row validation: v-0031 no expression of runtime-array type
//! error is not a value
[[block]] struct S { [[offset(0)]] v : [[stride(4)]] array<u32>; };
[[group(0), binding(0)]] var<storage> s : [[access(read_write)]] S;
fn f() -> void { const a : u32 = s.v; }
[[stage(compute)]]
fn main() -> void {}

//# v_0032.wgsl
//! row validation: v-0032 runtime array has stride
//! error needs a stride
[[block]] struct S { [[offset(0)]] v : array<u32>; };
[[stage(compute)]]
fn main() -> void {}
