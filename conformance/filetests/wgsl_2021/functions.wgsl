// Built-in functions and variables of WGSL as drafted in January 2021: every row, with values from the draft. v is the input, d the output.

//# all.wgsl
//! row all (vecN<bool>) -> bool
//! bind 0.0 u32 zeros 28
//! bind 0.1 u32 0 1
//! expect 0.0 u32 0 0 0 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 28>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = select(1u, 0u, all(vec2<bool>(v.v[0] == 1u, v.v[0] == 1u)));
  d.v[1] = select(1u, 0u, all(vec2<bool>(v.v[1] == 1u, v.v[0] == 1u)));
  d.v[2] = select(1u, 0u, all(vec2<bool>(v.v[0] == 1u, v.v[1] == 1u)));
  d.v[3] = select(1u, 0u, all(vec2<bool>(v.v[1] == 1u, v.v[1] == 1u)));
  d.v[4] = select(1u, 0u, all(vec3<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[5] = select(1u, 0u, all(vec3<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[6] = select(1u, 0u, all(vec3<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[7] = select(1u, 0u, all(vec3<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[8] = select(1u, 0u, all(vec3<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[9] = select(1u, 0u, all(vec3<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[10] = select(1u, 0u, all(vec3<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
  d.v[11] = select(1u, 0u, all(vec3<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
  d.v[12] = select(1u, 0u, all(vec4<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[13] = select(1u, 0u, all(vec4<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[14] = select(1u, 0u, all(vec4<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[15] = select(1u, 0u, all(vec4<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[16] = select(1u, 0u, all(vec4<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[17] = select(1u, 0u, all(vec4<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[18] = select(1u, 0u, all(vec4<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[19] = select(1u, 0u, all(vec4<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[20] = select(1u, 0u, all(vec4<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[21] = select(1u, 0u, all(vec4<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[22] = select(1u, 0u, all(vec4<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[23] = select(1u, 0u, all(vec4<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[24] = select(1u, 0u, all(vec4<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
  d.v[25] = select(1u, 0u, all(vec4<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
  d.v[26] = select(1u, 0u, all(vec4<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
  d.v[27] = select(1u, 0u, all(vec4<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
}


//# any.wgsl
//! row any (vecN<bool>) -> bool
//! bind 0.0 u32 zeros 28
//! bind 0.1 u32 0 1
//! expect 0.0 u32 0 1 1 1 0 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 28>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = select(1u, 0u, any(vec2<bool>(v.v[0] == 1u, v.v[0] == 1u)));
  d.v[1] = select(1u, 0u, any(vec2<bool>(v.v[1] == 1u, v.v[0] == 1u)));
  d.v[2] = select(1u, 0u, any(vec2<bool>(v.v[0] == 1u, v.v[1] == 1u)));
  d.v[3] = select(1u, 0u, any(vec2<bool>(v.v[1] == 1u, v.v[1] == 1u)));
  d.v[4] = select(1u, 0u, any(vec3<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[5] = select(1u, 0u, any(vec3<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[6] = select(1u, 0u, any(vec3<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[7] = select(1u, 0u, any(vec3<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[8] = select(1u, 0u, any(vec3<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[9] = select(1u, 0u, any(vec3<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[10] = select(1u, 0u, any(vec3<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
  d.v[11] = select(1u, 0u, any(vec3<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
  d.v[12] = select(1u, 0u, any(vec4<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[13] = select(1u, 0u, any(vec4<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[14] = select(1u, 0u, any(vec4<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[15] = select(1u, 0u, any(vec4<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[0] == 1u, v.v[0] == 1u)));
  d.v[16] = select(1u, 0u, any(vec4<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[17] = select(1u, 0u, any(vec4<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[18] = select(1u, 0u, any(vec4<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[19] = select(1u, 0u, any(vec4<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[1] == 1u, v.v[0] == 1u)));
  d.v[20] = select(1u, 0u, any(vec4<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[21] = select(1u, 0u, any(vec4<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[22] = select(1u, 0u, any(vec4<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[23] = select(1u, 0u, any(vec4<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[0] == 1u, v.v[1] == 1u)));
  d.v[24] = select(1u, 0u, any(vec4<bool>(v.v[0] == 1u, v.v[0] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
  d.v[25] = select(1u, 0u, any(vec4<bool>(v.v[1] == 1u, v.v[0] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
  d.v[26] = select(1u, 0u, any(vec4<bool>(v.v[0] == 1u, v.v[1] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
  d.v[27] = select(1u, 0u, any(vec4<bool>(v.v[1] == 1u, v.v[1] == 1u, v.v[1] == 1u, v.v[1] == 1u)));
}


//# select.wgsl
//! row select (T, T, bool) -> T
//! bind 0.0 u32 zeros 5
//! bind 0.1 u32 1 2 3
//! expect 0.0 u32 1 2 7 5 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 5>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = select(v.v[0], v.v[1], v.v[2] == 3u);
  d.v[1] = select(v.v[0], v.v[1], v.v[2] == 4u);
  d.v[2] = u32(select(1.5, 7.5, v.v[2] == 4u));
  d.v[3] = u32(select(5, 6, v.v[2] == 3u));
  d.v[4] = select(1u, 0u, select(v.v[0] == 1u, false, v.v[2] == 3u));
}


//# select_2.wgsl
//! row select (vecN<T>, vecN<T>, vecN<bool>) -> vecN<T>
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 1 2 3 4 5 6 7 8
//! expect 0.0 f32 1.0 2.0 1.0 2.0 7.0 1.0 2.0 7.0 8.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = select(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]), vec2<bool>(v.v[0] < 2.5, v.v[1] < 2.5));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = select(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]), vec3<bool>(v.v[0] < 2.5, v.v[1] < 2.5, v.v[2] < 2.5));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = select(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]), vec4<bool>(v.v[0] < 2.5, v.v[1] < 2.5, v.v[2] < 2.5, v.v[3] < 2.5));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# isFinite.wgsl
//! row isFinite (f32) -> bool
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 nan 1.5 inf -inf
//! expect 0.0 u32 0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : bool = isFinite(v.v[0]);
  d.v[0] = select(1u, 0u, r1);
}


//# isFinite_2.wgsl
//! row isFinite (f32) -> bool
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 0.0 9.99994610111476e-41 -2.5 3.3999999521443642e+38
//! expect 0.0 u32 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : bool = isFinite(v.v[0]);
  d.v[0] = select(1u, 0u, r1);
}


//# isFinite_3.wgsl
//! row isFinite (vecN<f32>) -> vecN<bool>
//! bind 0.0 u32 zeros 9
//! bind 0.1 f32 nan 1.5 inf -inf
//! expect 0.0 u32 0 1 0 1 0 0 1 0 0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<bool> = isFinite(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = select(1u, 0u, r2.x);
  d.v[1] = select(1u, 0u, r2.y);
  const r3 : vec3<bool> = isFinite(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = select(1u, 0u, r3.x);
  d.v[3] = select(1u, 0u, r3.y);
  d.v[4] = select(1u, 0u, r3.z);
  const r4 : vec4<bool> = isFinite(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = select(1u, 0u, r4.x);
  d.v[6] = select(1u, 0u, r4.y);
  d.v[7] = select(1u, 0u, r4.z);
  d.v[8] = select(1u, 0u, r4.w);
}


//# isFinite_4.wgsl
//! row isFinite (vecN<f32>) -> vecN<bool>
//! bind 0.0 u32 zeros 9
//! bind 0.1 f32 0.0 9.99994610111476e-41 -2.5 3.3999999521443642e+38
//! expect 0.0 u32 1 1 1 1 1 1 1 1 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<bool> = isFinite(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = select(1u, 0u, r2.x);
  d.v[1] = select(1u, 0u, r2.y);
  const r3 : vec3<bool> = isFinite(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = select(1u, 0u, r3.x);
  d.v[3] = select(1u, 0u, r3.y);
  d.v[4] = select(1u, 0u, r3.z);
  const r4 : vec4<bool> = isFinite(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = select(1u, 0u, r4.x);
  d.v[6] = select(1u, 0u, r4.y);
  d.v[7] = select(1u, 0u, r4.z);
  d.v[8] = select(1u, 0u, r4.w);
}


//# isInf.wgsl
//! row isInf (f32) -> bool
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 nan 1.5 inf -inf
//! expect 0.0 u32 0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : bool = isInf(v.v[0]);
  d.v[0] = select(1u, 0u, r1);
}


//# isInf_2.wgsl
//! row isInf (f32) -> bool
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 0.0 9.99994610111476e-41 -2.5 3.3999999521443642e+38
//! expect 0.0 u32 0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : bool = isInf(v.v[0]);
  d.v[0] = select(1u, 0u, r1);
}


//# isInf_3.wgsl
//! row isInf (vecN<f32>) -> vecN<bool>
//! bind 0.0 u32 zeros 9
//! bind 0.1 f32 nan 1.5 inf -inf
//! expect 0.0 u32 0 0 0 0 1 0 0 1 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<bool> = isInf(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = select(1u, 0u, r2.x);
  d.v[1] = select(1u, 0u, r2.y);
  const r3 : vec3<bool> = isInf(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = select(1u, 0u, r3.x);
  d.v[3] = select(1u, 0u, r3.y);
  d.v[4] = select(1u, 0u, r3.z);
  const r4 : vec4<bool> = isInf(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = select(1u, 0u, r4.x);
  d.v[6] = select(1u, 0u, r4.y);
  d.v[7] = select(1u, 0u, r4.z);
  d.v[8] = select(1u, 0u, r4.w);
}


//# isInf_4.wgsl
//! row isInf (vecN<f32>) -> vecN<bool>
//! bind 0.0 u32 zeros 9
//! bind 0.1 f32 0.0 9.99994610111476e-41 -2.5 3.3999999521443642e+38
//! expect 0.0 u32 0 0 0 0 0 0 0 0 0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<bool> = isInf(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = select(1u, 0u, r2.x);
  d.v[1] = select(1u, 0u, r2.y);
  const r3 : vec3<bool> = isInf(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = select(1u, 0u, r3.x);
  d.v[3] = select(1u, 0u, r3.y);
  d.v[4] = select(1u, 0u, r3.z);
  const r4 : vec4<bool> = isInf(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = select(1u, 0u, r4.x);
  d.v[6] = select(1u, 0u, r4.y);
  d.v[7] = select(1u, 0u, r4.z);
  d.v[8] = select(1u, 0u, r4.w);
}


//# isNan.wgsl
//! row isNan (f32) -> bool
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 nan 1.5 inf -inf
//! expect 0.0 u32 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : bool = isNan(v.v[0]);
  d.v[0] = select(1u, 0u, r1);
}


//# isNan_2.wgsl
//! row isNan (f32) -> bool
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 0.0 9.99994610111476e-41 -2.5 3.3999999521443642e+38
//! expect 0.0 u32 0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : bool = isNan(v.v[0]);
  d.v[0] = select(1u, 0u, r1);
}


//# isNan_3.wgsl
//! row isNan (vecN<f32>) -> vecN<bool>
//! bind 0.0 u32 zeros 9
//! bind 0.1 f32 nan 1.5 inf -inf
//! expect 0.0 u32 1 0 1 0 0 1 0 0 0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<bool> = isNan(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = select(1u, 0u, r2.x);
  d.v[1] = select(1u, 0u, r2.y);
  const r3 : vec3<bool> = isNan(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = select(1u, 0u, r3.x);
  d.v[3] = select(1u, 0u, r3.y);
  d.v[4] = select(1u, 0u, r3.z);
  const r4 : vec4<bool> = isNan(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = select(1u, 0u, r4.x);
  d.v[6] = select(1u, 0u, r4.y);
  d.v[7] = select(1u, 0u, r4.z);
  d.v[8] = select(1u, 0u, r4.w);
}


//# isNan_4.wgsl
//! row isNan (vecN<f32>) -> vecN<bool>
//! bind 0.0 u32 zeros 9
//! bind 0.1 f32 0.0 9.99994610111476e-41 -2.5 3.3999999521443642e+38
//! expect 0.0 u32 0 0 0 0 0 0 0 0 0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<bool> = isNan(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = select(1u, 0u, r2.x);
  d.v[1] = select(1u, 0u, r2.y);
  const r3 : vec3<bool> = isNan(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = select(1u, 0u, r3.x);
  d.v[3] = select(1u, 0u, r3.y);
  d.v[4] = select(1u, 0u, r3.z);
  const r4 : vec4<bool> = isNan(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = select(1u, 0u, r4.x);
  d.v[6] = select(1u, 0u, r4.y);
  d.v[7] = select(1u, 0u, r4.z);
  d.v[8] = select(1u, 0u, r4.w);
}


//# isNormal.wgsl
//! row isNormal (f32) -> bool
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 nan 1.5 inf -inf
//! expect 0.0 u32 0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : bool = isNormal(v.v[0]);
  d.v[0] = select(1u, 0u, r1);
}


//# isNormal_2.wgsl
//! row isNormal (f32) -> bool
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 0.0 9.99994610111476e-41 -2.5 3.3999999521443642e+38
//! expect 0.0 u32 0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : bool = isNormal(v.v[0]);
  d.v[0] = select(1u, 0u, r1);
}


//# isNormal_3.wgsl
//! row isNormal (vecN<f32>) -> vecN<bool>
//! bind 0.0 u32 zeros 9
//! bind 0.1 f32 nan 1.5 inf -inf
//! expect 0.0 u32 0 1 0 1 0 0 1 0 0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<bool> = isNormal(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = select(1u, 0u, r2.x);
  d.v[1] = select(1u, 0u, r2.y);
  const r3 : vec3<bool> = isNormal(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = select(1u, 0u, r3.x);
  d.v[3] = select(1u, 0u, r3.y);
  d.v[4] = select(1u, 0u, r3.z);
  const r4 : vec4<bool> = isNormal(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = select(1u, 0u, r4.x);
  d.v[6] = select(1u, 0u, r4.y);
  d.v[7] = select(1u, 0u, r4.z);
  d.v[8] = select(1u, 0u, r4.w);
}


//# isNormal_4.wgsl
//! row isNormal (vecN<f32>) -> vecN<bool>
//! bind 0.0 u32 zeros 9
//! bind 0.1 f32 0.0 9.99994610111476e-41 -2.5 3.3999999521443642e+38
//! expect 0.0 u32 0 0 0 0 1 0 0 1 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<bool> = isNormal(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = select(1u, 0u, r2.x);
  d.v[1] = select(1u, 0u, r2.y);
  const r3 : vec3<bool> = isNormal(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = select(1u, 0u, r3.x);
  d.v[3] = select(1u, 0u, r3.y);
  d.v[4] = select(1u, 0u, r3.z);
  const r4 : vec4<bool> = isNormal(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = select(1u, 0u, r4.x);
  d.v[6] = select(1u, 0u, r4.y);
  d.v[7] = select(1u, 0u, r4.z);
  d.v[8] = select(1u, 0u, r4.w);
}


//# arrayLength.wgsl
//! row arrayLength (array<E>) -> u32
//! bind 0.0 u32 zeros 2
//! bind 0.1 u32 9 0 0 0 1 0 0 0 2 0 0 0 3 0 0 0
//! expect 0.0 u32 3 3
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[block]] struct A { [[offset(0)]] head : u32; [[offset(16)]] v : [[stride(16)]] array<u32>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] A;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = arrayLength(v.v);
  d.v[1] = v.v[2];
}


//# abs.wgsl
//! row abs (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 -1.5 2.0 -0.0 7.25
//! expect 0.0 f32 1.5
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = abs(v.v[0]);
  d.v[0] = r1;
}


//# abs_2.wgsl
//! row abs (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 -1.5 2.0 -0.0 7.25
//! expect 0.0 f32 1.5 2.0 1.5 2.0 0.0 1.5 2.0 0.0 7.25
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = abs(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = abs(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = abs(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# acos.wgsl
//! row acos (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -0.25 1.0 0.75
//! expect 0.0 f32 1.0471975803375244 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = acos(v.v[0]);
  d.v[0] = r1;
}


//# acos_2.wgsl
//! row acos (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -0.25 1.0 0.75
//! expect 0.0 f32 1.0471975803375244 1.8234765529632568 1.0471975803375244 1.8234765529632568 0.0 1.0471975803375244 1.8234765529632568 0.0 0.722734272480011 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = acos(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = acos(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = acos(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# asin.wgsl
//! row asin (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -0.25 1.0 0.75
//! expect 0.0 f32 0.5235987901687622 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = asin(v.v[0]);
  d.v[0] = r1;
}


//# asin_2.wgsl
//! row asin (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -0.25 1.0 0.75
//! expect 0.0 f32 0.5235987901687622 -0.252680242061615 0.5235987901687622 -0.252680242061615 1.5707963705062866 0.5235987901687622 -0.252680242061615 1.5707963705062866 0.8480620980262756 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = asin(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = asin(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = asin(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# atan.wgsl
//! row atan (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -2.0 10.0 -0.125
//! expect 0.0 f32 0.46364760398864746 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = atan(v.v[0]);
  d.v[0] = r1;
}


//# atan_2.wgsl
//! row atan (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -2.0 10.0 -0.125
//! expect 0.0 f32 0.46364760398864746 -1.1071487665176392 0.46364760398864746 -1.1071487665176392 1.4711276292800903 0.46364760398864746 -1.1071487665176392 1.4711276292800903 -0.12435499578714371 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = atan(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = atan(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = atan(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# atan2.wgsl
//! row atan2 (T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -2.0 1.0 -0.125 1.0 0.5 -2.0 -0.25
//! expect 0.0 f32 0.46364760398864746 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = atan2(v.v[0], v.v[4]);
  d.v[0] = r1;
}


//# atan2_2.wgsl
//! row atan2 (vecN<T>, vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -2.0 1.0 -0.125 1.0 0.5 -2.0 -0.25
//! expect 0.0 f32 0.46364760398864746 -1.3258177042007446 0.46364760398864746 -1.3258177042007446 2.677945137023926 0.46364760398864746 -1.3258177042007446 2.677945137023926 -2.677945137023926 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = atan2(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = atan2(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = atan2(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# ceil.wgsl
//! row ceil (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 -3.25
//! expect 0.0 f32 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = ceil(v.v[0]);
  d.v[0] = r1;
}


//# ceil_2.wgsl
//! row ceil (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 -3.25
//! expect 0.0 f32 1.0 -1.0 1.0 -1.0 2.0 1.0 -1.0 2.0 -3.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = ceil(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = ceil(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = ceil(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# clamp.wgsl
//! row clamp (T, T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -1.0 0.0 -4.0 2.0 1.0 1.5 8.5
//! expect 0.0 f32 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = clamp(v.v[0], v.v[4], v.v[8]);
  d.v[0] = r1;
}


//# clamp_2.wgsl
//! row clamp (vecN<T>, vecN<T>, vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -1.0 0.0 -4.0 2.0 1.0 1.5 8.5
//! expect 0.0 f32 1.0 -1.0 1.0 -1.0 1.5 1.0 -1.0 1.5 8.5
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = clamp(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]), vec2<f32>(v.v[8], v.v[9]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = clamp(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]), vec3<f32>(v.v[8], v.v[9], v.v[10]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = clamp(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]), vec4<f32>(v.v[8], v.v[9], v.v[10], v.v[11]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# cos.wgsl
//! row cos (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 3.0
//! expect 0.0 f32 0.8775825500488281 ~ 0.0005
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = cos(v.v[0]);
  d.v[0] = r1;
}


//# cos_2.wgsl
//! row cos (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 3.0
//! expect 0.0 f32 0.8775825500488281 0.07073719799518585 0.8775825500488281 0.07073719799518585 -0.416146844625473 0.8775825500488281 0.07073719799518585 -0.416146844625473 -0.9899924993515015 ~ 0.0005
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = cos(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = cos(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = cos(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# cosh.wgsl
//! row cosh (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 3.0
//! expect 0.0 f32 1.1276259422302246 ~ 64ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = cosh(v.v[0]);
  d.v[0] = r1;
}


//# cosh_2.wgsl
//! row cosh (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 3.0
//! expect 0.0 f32 1.1276259422302246 2.352409601211548 1.1276259422302246 2.352409601211548 3.762195587158203 1.1276259422302246 2.352409601211548 3.762195587158203 10.067662239074707 ~ 64ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = cosh(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = cosh(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = cosh(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# cross.wgsl
//! row cross (vec3<T>, vec3<T>) -> vec3<T> where T is f32
//! bind 0.0 f32 zeros 3
//! bind 0.1 f32 1 2 3 0 -4 0.5 2 0
//! expect 0.0 f32 2.5 -14.0 8.5
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 3>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r : vec3<f32> = cross(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]));
  d.v[0] = r.x;
  d.v[1] = r.y;
  d.v[2] = r.z;
}


//# distance.wgsl
//! row distance (T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 3.0 -4.0 1.0 0.5 1.0 2.0 -2.0 4.0 0.5 1.0 -1.0 2.0
//! expect 0.0 f32 2.0 ~ 8ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = distance(v.v[0], v.v[4]);
}


//# distance_2.wgsl
//! row distance (vecN<T>, vecN<T>) -> T where T is f32
//! bind 0.0 f32 zeros 3
//! bind 0.1 f32 3.0 -4.0 1.0 0.5 1.0 2.0 -2.0 4.0 0.5 1.0 -1.0 2.0
//! expect 0.0 f32 6.324555397033691 7.0 7.82623815536499 ~ 8ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 3>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = distance(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]));
  d.v[1] = distance(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = distance(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]));
}


//# exp.wgsl
//! row exp (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 0.0
//! expect 0.0 f32 1.6487212181091309 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = exp(v.v[0]);
  d.v[0] = r1;
}


//# exp_2.wgsl
//! row exp (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 0.0
//! expect 0.0 f32 1.6487212181091309 0.22313016653060913 1.6487212181091309 0.22313016653060913 7.389056205749512 1.6487212181091309 0.22313016653060913 7.389056205749512 1.0 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = exp(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = exp(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = exp(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# exp2.wgsl
//! row exp2 (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 10.0
//! expect 0.0 f32 1.4142135381698608 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = exp2(v.v[0]);
  d.v[0] = r1;
}


//# exp2_2.wgsl
//! row exp2 (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 10.0
//! expect 0.0 f32 1.4142135381698608 0.3535533845424652 1.4142135381698608 0.3535533845424652 4.0 1.4142135381698608 0.3535533845424652 4.0 1024.0 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = exp2(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = exp2(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = exp2(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# faceForward.wgsl
//! row faceForward (T, T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 3.0 -4.0 1.0 0.5 1.0 2.0 -2.0 4.0 0.5 1.0 -1.0 2.0
//! expect 0.0 f32 -3.0 ~ 8ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = faceForward(v.v[0], v.v[4], v.v[8]);
  d.v[0] = r1;
}


//# faceForward_2.wgsl
//! row faceForward (vecN<T>, vecN<T>, vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 3.0 -4.0 1.0 0.5 1.0 2.0 -2.0 4.0 0.5 1.0 -1.0 2.0
//! expect 0.0 f32 -3.0 4.0 -3.0 4.0 -1.0 -3.0 4.0 -1.0 -0.5 ~ 8ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = faceForward(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]), vec2<f32>(v.v[8], v.v[9]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = faceForward(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]), vec3<f32>(v.v[8], v.v[9], v.v[10]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = faceForward(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]), vec4<f32>(v.v[8], v.v[9], v.v[10], v.v[11]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# floor.wgsl
//! row floor (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 -0.25
//! expect 0.0 f32 0.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = floor(v.v[0]);
  d.v[0] = r1;
}


//# floor_2.wgsl
//! row floor (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 -0.25
//! expect 0.0 f32 0.0 -2.0 0.0 -2.0 2.0 0.0 -2.0 2.0 -1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = floor(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = floor(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = floor(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# fma.wgsl
//! row fma (T, T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -1.0 3.0 -4.0 2.0 1.0 1.5 8.5
//! expect 0.0 f32 2.5
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = fma(v.v[0], v.v[4], v.v[8]);
  d.v[0] = r1;
}


//# fma_2.wgsl
//! row fma (vecN<T>, vecN<T>, vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -1.0 3.0 -4.0 2.0 1.0 1.5 8.5
//! expect 0.0 f32 2.5 2.5 2.5 2.5 7.5 2.5 2.5 7.5 -27.5
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = fma(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]), vec2<f32>(v.v[8], v.v[9]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = fma(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]), vec3<f32>(v.v[8], v.v[9], v.v[10]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = fma(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]), vec4<f32>(v.v[8], v.v[9], v.v[10], v.v[11]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# fract.wgsl
//! row fract (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.25 2.0 3.75
//! expect 0.0 f32 0.5
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = fract(v.v[0]);
  d.v[0] = r1;
}


//# fract_2.wgsl
//! row fract (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.25 2.0 3.75
//! expect 0.0 f32 0.5 0.75 0.5 0.75 0.0 0.5 0.75 0.0 0.75
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = fract(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = fract(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = fract(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# frexp.wgsl
//! row frexp (T, ptr<I>) -> T where T is f32
//! bind 0.0 f32 zeros 2
//! bind 0.1 f32 3.75 -2.5 0.5 -100.0
//! expect 0.0 f32 0.9375 2.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  var p1 : i32;
  const r1 : f32 = frexp(v.v[0], p1);
  d.v[0] = r1;
  d.v[1] = f32(p1);
}


//# frexp_2.wgsl
//! row frexp (T, ptr<I>) -> T where T is f32
//! bind 0.0 f32 zeros 2
//! bind 0.1 f32 3.75 2.5 0.5 100.0
//! expect 0.0 f32 0.9375 2.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  var p1 : u32;
  const r1 : f32 = frexp(v.v[0], p1);
  d.v[0] = r1;
  d.v[1] = f32(p1);
}


//# frexp_3.wgsl
//! row frexp (vecN<T>, ptr<vecN<I>>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 18
//! bind 0.1 f32 3.75 -2.5 0.5 -100.0
//! expect 0.0 f32 0.9375 2.0 -0.625 2.0 0.9375 2.0 -0.625 2.0 0.5 0.0 0.9375 2.0 -0.625 2.0 0.5 0.0 -0.78125 7.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 18>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  var p2 : vec2<i32>;
  const r2 : vec2<f32> = frexp(vec2<f32>(v.v[0], v.v[1]), p2);
  d.v[0] = r2.x;
  d.v[1] = f32(p2.x);
  d.v[2] = r2.y;
  d.v[3] = f32(p2.y);
  var p3 : vec3<i32>;
  const r3 : vec3<f32> = frexp(vec3<f32>(v.v[0], v.v[1], v.v[2]), p3);
  d.v[4] = r3.x;
  d.v[5] = f32(p3.x);
  d.v[6] = r3.y;
  d.v[7] = f32(p3.y);
  d.v[8] = r3.z;
  d.v[9] = f32(p3.z);
  var p4 : vec4<i32>;
  const r4 : vec4<f32> = frexp(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), p4);
  d.v[10] = r4.x;
  d.v[11] = f32(p4.x);
  d.v[12] = r4.y;
  d.v[13] = f32(p4.y);
  d.v[14] = r4.z;
  d.v[15] = f32(p4.z);
  d.v[16] = r4.w;
  d.v[17] = f32(p4.w);
}


//# frexp_4.wgsl
//! row frexp (vecN<T>, ptr<vecN<I>>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 18
//! bind 0.1 f32 3.75 2.5 0.5 100.0
//! expect 0.0 f32 0.9375 2.0 0.625 2.0 0.9375 2.0 0.625 2.0 0.5 0.0 0.9375 2.0 0.625 2.0 0.5 0.0 0.78125 7.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 18>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  var p2 : vec2<u32>;
  const r2 : vec2<f32> = frexp(vec2<f32>(v.v[0], v.v[1]), p2);
  d.v[0] = r2.x;
  d.v[1] = f32(p2.x);
  d.v[2] = r2.y;
  d.v[3] = f32(p2.y);
  var p3 : vec3<u32>;
  const r3 : vec3<f32> = frexp(vec3<f32>(v.v[0], v.v[1], v.v[2]), p3);
  d.v[4] = r3.x;
  d.v[5] = f32(p3.x);
  d.v[6] = r3.y;
  d.v[7] = f32(p3.y);
  d.v[8] = r3.z;
  d.v[9] = f32(p3.z);
  var p4 : vec4<u32>;
  const r4 : vec4<f32> = frexp(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), p4);
  d.v[10] = r4.x;
  d.v[11] = f32(p4.x);
  d.v[12] = r4.y;
  d.v[13] = f32(p4.y);
  d.v[14] = r4.z;
  d.v[15] = f32(p4.z);
  d.v[16] = r4.w;
  d.v[17] = f32(p4.w);
}


//# inverseSqrt.wgsl
//! row inverseSqrt (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 4.0 0.25 2.0 9.0
//! expect 0.0 f32 0.5 ~ 4ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = inverseSqrt(v.v[0]);
  d.v[0] = r1;
}


//# inverseSqrt_2.wgsl
//! row inverseSqrt (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 4.0 0.25 2.0 9.0
//! expect 0.0 f32 0.5 2.0 0.5 2.0 0.7071067690849304 0.5 2.0 0.7071067690849304 0.3333333432674408 ~ 4ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = inverseSqrt(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = inverseSqrt(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = inverseSqrt(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# ldexp.wgsl
//! row ldexp (T, I) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 3.75 -2.5 0.5 -100.0 3.0 -2.0 0.0 1.0
//! expect 0.0 f32 30.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = ldexp(v.v[0], i32(v.v[4]));
  d.v[0] = r1;
}


//# ldexp_2.wgsl
//! row ldexp (T, I) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 3.75 -2.5 0.5 -100.0 3.0 2.0 0.0 1.0
//! expect 0.0 f32 30.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = ldexp(v.v[0], u32(v.v[4]));
  d.v[0] = r1;
}


//# ldexp_3.wgsl
//! row ldexp (vecN<T>, vecN<I>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 3.75 -2.5 0.5 -100.0 3.0 -2.0 0.0 1.0
//! expect 0.0 f32 30.0 -0.625 30.0 -0.625 0.5 30.0 -0.625 0.5 -200.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = ldexp(vec2<f32>(v.v[0], v.v[1]), vec2<i32>(i32(v.v[4]), i32(v.v[5])));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = ldexp(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<i32>(i32(v.v[4]), i32(v.v[5]), i32(v.v[6])));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = ldexp(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<i32>(i32(v.v[4]), i32(v.v[5]), i32(v.v[6]), i32(v.v[7])));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# ldexp_4.wgsl
//! row ldexp (vecN<T>, vecN<I>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 3.75 -2.5 0.5 -100.0 3.0 2.0 0.0 1.0
//! expect 0.0 f32 30.0 -10.0 30.0 -10.0 0.5 30.0 -10.0 0.5 -200.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = ldexp(vec2<f32>(v.v[0], v.v[1]), vec2<u32>(u32(v.v[4]), u32(v.v[5])));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = ldexp(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<u32>(u32(v.v[4]), u32(v.v[5]), u32(v.v[6])));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = ldexp(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<u32>(u32(v.v[4]), u32(v.v[5]), u32(v.v[6]), u32(v.v[7])));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# length.wgsl
//! row length (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 3.0 -4.0 1.0 0.5 1.0 2.0 -2.0 4.0 0.5 1.0 -1.0 2.0
//! expect 0.0 f32 3.0 ~ 8ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = length(v.v[0]);
}


//# length_2.wgsl
//! row length (vecN<T>) -> T where T is f32
//! bind 0.0 f32 zeros 3
//! bind 0.1 f32 3.0 -4.0 1.0 0.5 1.0 2.0 -2.0 4.0 0.5 1.0 -1.0 2.0
//! expect 0.0 f32 5.0 5.099019527435303 5.123475551605225 ~ 8ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 3>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = length(vec2<f32>(v.v[0], v.v[1]));
  d.v[1] = length(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = length(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
}


//# log.wgsl
//! row log (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 4.0 0.25 1.0 9.0
//! expect 0.0 f32 1.3862943649291992 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = log(v.v[0]);
  d.v[0] = r1;
}


//# log_2.wgsl
//! row log (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 4.0 0.25 1.0 9.0
//! expect 0.0 f32 1.3862943649291992 -1.3862943649291992 1.3862943649291992 -1.3862943649291992 0.0 1.3862943649291992 -1.3862943649291992 0.0 2.1972246170043945 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = log(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = log(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = log(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# log2.wgsl
//! row log2 (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 4.0 0.25 1.0 9.0
//! expect 0.0 f32 2.0 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = log2(v.v[0]);
  d.v[0] = r1;
}


//# log2_2.wgsl
//! row log2 (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 4.0 0.25 1.0 9.0
//! expect 0.0 f32 2.0 -2.0 2.0 -2.0 0.0 2.0 -2.0 0.0 3.1699249744415283 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = log2(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = log2(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = log2(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# max.wgsl
//! row max (T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -2.0 2.0 -4.0
//! expect 0.0 f32 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = max(v.v[0], v.v[4]);
  d.v[0] = r1;
}


//# max_2.wgsl
//! row max (vecN<T>, vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -2.0 2.0 -4.0
//! expect 0.0 f32 1.0 -1.5 1.0 -1.5 2.0 1.0 -1.5 2.0 9.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = max(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = max(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = max(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# min.wgsl
//! row min (T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -2.0 2.0 -4.0
//! expect 0.0 f32 0.5
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = min(v.v[0], v.v[4]);
  d.v[0] = r1;
}


//# min_2.wgsl
//! row min (vecN<T>, vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -2.0 2.0 -4.0
//! expect 0.0 f32 0.5 -2.0 0.5 -2.0 2.0 0.5 -2.0 2.0 -4.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = min(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = min(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = min(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# mix.wgsl
//! row mix (T, T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -2.0 2.0 -4.0 0.5 0.25 1.0 0.0
//! expect 0.0 f32 0.75 ~ 4ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = mix(v.v[0], v.v[4], v.v[8]);
  d.v[0] = r1;
}


//# mix_2.wgsl
//! row mix (vecN<T>, vecN<T>, vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -2.0 2.0 -4.0 0.5 0.25 1.0 0.0
//! expect 0.0 f32 0.75 -1.625 0.75 -1.625 2.0 0.75 -1.625 2.0 9.0 ~ 4ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = mix(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]), vec2<f32>(v.v[8], v.v[9]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = mix(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]), vec3<f32>(v.v[8], v.v[9], v.v[10]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = mix(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]), vec4<f32>(v.v[8], v.v[9], v.v[10], v.v[11]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# modf.wgsl
//! row modf (T, ptr<T>) -> T where T is f32
//! bind 0.0 f32 zeros 2
//! bind 0.1 f32 3.75 -2.5 0.5 -100.0
//! expect 0.0 f32 0.75 3.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  var p1 : f32;
  const r1 : f32 = modf(v.v[0], p1);
  d.v[0] = r1;
  d.v[1] = f32(p1);
}


//# modf_2.wgsl
//! row modf (vecN<T>, ptr<vecN<T>>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 18
//! bind 0.1 f32 3.75 -2.5 0.5 -100.0
//! expect 0.0 f32 0.75 3.0 -0.5 -2.0 0.75 3.0 -0.5 -2.0 0.5 0.0 0.75 3.0 -0.5 -2.0 0.5 0.0 -0.0 -100.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 18>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  var p2 : vec2<f32>;
  const r2 : vec2<f32> = modf(vec2<f32>(v.v[0], v.v[1]), p2);
  d.v[0] = r2.x;
  d.v[1] = f32(p2.x);
  d.v[2] = r2.y;
  d.v[3] = f32(p2.y);
  var p3 : vec3<f32>;
  const r3 : vec3<f32> = modf(vec3<f32>(v.v[0], v.v[1], v.v[2]), p3);
  d.v[4] = r3.x;
  d.v[5] = f32(p3.x);
  d.v[6] = r3.y;
  d.v[7] = f32(p3.y);
  d.v[8] = r3.z;
  d.v[9] = f32(p3.z);
  var p4 : vec4<f32>;
  const r4 : vec4<f32> = modf(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), p4);
  d.v[10] = r4.x;
  d.v[11] = f32(p4.x);
  d.v[12] = r4.y;
  d.v[13] = f32(p4.y);
  d.v[14] = r4.z;
  d.v[15] = f32(p4.z);
  d.v[16] = r4.w;
  d.v[17] = f32(p4.w);
}


//# normalize.wgsl
//! row normalize (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 3.0 -4.0 1.0 0.5 1.0 2.0 -2.0 4.0 0.5 1.0 -1.0 2.0
//! expect 0.0 f32 0.6000000238418579 -0.800000011920929 0.588348388671875 -0.7844645380973816 0.1961161345243454 0.5855400562286377 -0.780720055103302 0.1951800137758255 0.09759000688791275 ~ 8ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = normalize(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = normalize(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = normalize(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# pow.wgsl
//! row pow (T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 2.0 0.5 3.0 9.0 3.0 -2.0 2.0 0.5
//! expect 0.0 f32 8.0 ~ 32ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = pow(v.v[0], v.v[4]);
  d.v[0] = r1;
}


//# pow_2.wgsl
//! row pow (vecN<T>, vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 2.0 0.5 3.0 9.0 3.0 -2.0 2.0 0.5
//! expect 0.0 f32 8.0 4.0 8.0 4.0 9.0 8.0 4.0 9.0 3.0 ~ 32ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = pow(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = pow(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = pow(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# reflect.wgsl
//! row reflect (T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 3.0 -4.0 1.0 0.5 1.0 2.0 -2.0 4.0 0.5 1.0 -1.0 2.0
//! expect 0.0 f32 -3.0 ~ 8ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = reflect(v.v[0], v.v[4]);
  d.v[0] = r1;
}


//# reflect_2.wgsl
//! row reflect (vecN<T>, vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 3.0 -4.0 1.0 0.5 1.0 2.0 -2.0 4.0 0.5 1.0 -1.0 2.0
//! expect 0.0 f32 13.0 16.0 17.0 24.0 -27.0 13.0 16.0 -19.0 40.5 ~ 8ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = reflect(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = reflect(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = reflect(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# round.wgsl
//! row round (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.75 -1.25 2.0 3.5
//! expect 0.0 f32 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = round(v.v[0]);
  d.v[0] = r1;
}


//# round_2.wgsl
//! row round (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.75 -1.25 2.0 3.5
//! expect 0.0 f32 1.0 -1.0 1.0 -1.0 2.0 1.0 -1.0 2.0 4.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = round(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = round(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = round(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# sign.wgsl
//! row sign (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.75 -1.25 0.0 3.5
//! expect 0.0 f32 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = sign(v.v[0]);
  d.v[0] = r1;
}


//# sign_2.wgsl
//! row sign (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.75 -1.25 0.0 3.5
//! expect 0.0 f32 1.0 -1.0 1.0 -1.0 0.0 1.0 -1.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = sign(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = sign(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = sign(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# sin.wgsl
//! row sin (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 3.0
//! expect 0.0 f32 0.4794255495071411 ~ 0.0005
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = sin(v.v[0]);
  d.v[0] = r1;
}


//# sin_2.wgsl
//! row sin (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 3.0
//! expect 0.0 f32 0.4794255495071411 -0.9974949955940247 0.4794255495071411 -0.9974949955940247 0.9092974066734314 0.4794255495071411 -0.9974949955940247 0.9092974066734314 0.14112000167369843 ~ 0.0005
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = sin(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = sin(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = sin(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# sinh.wgsl
//! row sinh (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 3.0
//! expect 0.0 f32 0.5210952758789062 ~ 0.0005
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = sinh(v.v[0]);
  d.v[0] = r1;
}


//# sinh_2.wgsl
//! row sinh (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 3.0
//! expect 0.0 f32 0.5210952758789062 -2.129279375076294 0.5210952758789062 -2.129279375076294 3.6268603801727295 0.5210952758789062 -2.129279375076294 3.6268603801727295 10.017874717712402 ~ 0.0005
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = sinh(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = sinh(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = sinh(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# smoothStep.wgsl
//! row smoothStep (T, T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.0 -1.0 2.0 0.0 1.0 1.0 4.0 8.0 0.5 0.0 3.5 9.0
//! expect 0.0 f32 0.5 ~ 4ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = smoothStep(v.v[0], v.v[4], v.v[8]);
  d.v[0] = r1;
}


//# smoothStep_2.wgsl
//! row smoothStep (vecN<T>, vecN<T>, vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.0 -1.0 2.0 0.0 1.0 1.0 4.0 8.0 0.5 0.0 3.5 9.0
//! expect 0.0 f32 0.5 0.5 0.5 0.5 0.84375 0.5 0.5 0.84375 1.0 ~ 4ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = smoothStep(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]), vec2<f32>(v.v[8], v.v[9]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = smoothStep(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]), vec3<f32>(v.v[8], v.v[9], v.v[10]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = smoothStep(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]), vec4<f32>(v.v[8], v.v[9], v.v[10], v.v[11]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# sqrt.wgsl
//! row sqrt (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 4.0 0.25 2.0 9.0
//! expect 0.0 f32 2.0 ~ 4ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = sqrt(v.v[0]);
  d.v[0] = r1;
}


//# sqrt_2.wgsl
//! row sqrt (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 4.0 0.25 2.0 9.0
//! expect 0.0 f32 2.0 0.5 2.0 0.5 1.4142135381698608 2.0 0.5 1.4142135381698608 3.0 ~ 4ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = sqrt(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = sqrt(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = sqrt(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# step.wgsl
//! row step (T, T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -2.0 2.0 -4.0
//! expect 0.0 f32 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = step(v.v[0], v.v[4]);
  d.v[0] = r1;
}


//# step_2.wgsl
//! row step (vecN<T>, vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 9.0 1.0 -2.0 2.0 -4.0
//! expect 0.0 f32 1.0 0.0 1.0 0.0 1.0 1.0 0.0 1.0 0.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = step(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = step(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = step(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# tan.wgsl
//! row tan (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.0 1.25 0.0
//! expect 0.0 f32 0.5463024973869324 ~ 0.001
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = tan(v.v[0]);
  d.v[0] = r1;
}


//# tan_2.wgsl
//! row tan (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.0 1.25 0.0
//! expect 0.0 f32 0.5463024973869324 -1.5574077367782593 0.5463024973869324 -1.5574077367782593 3.0095696449279785 0.5463024973869324 -1.5574077367782593 3.0095696449279785 0.0 ~ 0.001
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = tan(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = tan(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = tan(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# tanh.wgsl
//! row tanh (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 0.0
//! expect 0.0 f32 0.46211716532707214 ~ 0.0005
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = tanh(v.v[0]);
  d.v[0] = r1;
}


//# tanh_2.wgsl
//! row tanh (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 0.0
//! expect 0.0 f32 0.46211716532707214 -0.9051482677459717 0.46211716532707214 -0.9051482677459717 0.9640275835990906 0.46211716532707214 -0.9051482677459717 0.9640275835990906 0.0 ~ 0.0005
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = tanh(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = tanh(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = tanh(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# trunc.wgsl
//! row trunc (T) -> T where T is f32
//! bind 0.0 f32 zeros 1
//! bind 0.1 f32 0.5 -1.5 2.0 -9.75
//! expect 0.0 f32 0.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : f32 = trunc(v.v[0]);
  d.v[0] = r1;
}


//# trunc_2.wgsl
//! row trunc (vecN<T>) -> vecN<T> where T is f32
//! bind 0.0 f32 zeros 9
//! bind 0.1 f32 0.5 -1.5 2.0 -9.75
//! expect 0.0 f32 0.0 -1.0 0.0 -1.0 2.0 0.0 -1.0 2.0 -9.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<f32> = trunc(vec2<f32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<f32> = trunc(vec3<f32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<f32> = trunc(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# abs_3.wgsl
//! row abs (i32) -> i32
//! bind 0.0 i32 zeros 1
//! bind 0.1 i32 -5 7 0 -2147483647
//! expect 0.0 i32 5
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : i32 = abs(v.v[0]);
  d.v[0] = r1;
}


//# abs_4.wgsl
//! row abs (vecN<i32>) -> vecN<i32>
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 -5 7 0 -2147483647
//! expect 0.0 i32 5 7 5 7 0 5 7 0 2147483647
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<i32> = abs(vec2<i32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<i32> = abs(vec3<i32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<i32> = abs(vec4<i32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# abs_5.wgsl
//! row abs (u32) -> u32
//! bind 0.0 u32 zeros 1
//! bind 0.1 u32 5 7 0 4294967295
//! expect 0.0 u32 5
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : u32 = abs(v.v[0]);
  d.v[0] = r1;
}


//# abs_6.wgsl
//! row abs (vecN<u32>) -> vecN<u32>
//! bind 0.0 u32 zeros 9
//! bind 0.1 u32 5 7 0 4294967295
//! expect 0.0 u32 5 7 5 7 0 5 7 0 4294967295
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<u32> = abs(vec2<u32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<u32> = abs(vec3<u32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<u32> = abs(vec4<u32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# clamp_3.wgsl
//! row clamp (T, T, T) -> T where T is u32
//! bind 0.0 u32 zeros 1
//! bind 0.1 u32 5 4294967295 0 9 6 6 0 1 7 4294967290 2 8
//! expect 0.0 u32 6
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : u32 = clamp(v.v[0], v.v[4], v.v[8]);
  d.v[0] = r1;
}


//# clamp_4.wgsl
//! row clamp (vecN<T>, vecN<T>, vecN<T>) -> vecN<T> where T is u32
//! bind 0.0 u32 zeros 9
//! bind 0.1 u32 5 4294967295 0 9 6 6 0 1 7 4294967290 2 8
//! expect 0.0 u32 6 4294967290 6 4294967290 0 6 4294967290 0 8
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<u32> = clamp(vec2<u32>(v.v[0], v.v[1]), vec2<u32>(v.v[4], v.v[5]), vec2<u32>(v.v[8], v.v[9]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<u32> = clamp(vec3<u32>(v.v[0], v.v[1], v.v[2]), vec3<u32>(v.v[4], v.v[5], v.v[6]), vec3<u32>(v.v[8], v.v[9], v.v[10]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<u32> = clamp(vec4<u32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<u32>(v.v[4], v.v[5], v.v[6], v.v[7]), vec4<u32>(v.v[8], v.v[9], v.v[10], v.v[11]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# clamp_5.wgsl
//! row clamp (T, T, T) -> T where T is i32
//! bind 0.0 i32 zeros 1
//! bind 0.1 i32 5 -7 0 9 6 -6 -2 1 7 -5 2 8
//! expect 0.0 i32 6
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : i32 = clamp(v.v[0], v.v[4], v.v[8]);
  d.v[0] = r1;
}


//# clamp_6.wgsl
//! row clamp (vecN<T>, vecN<T>, vecN<T>) -> vecN<T> where T is i32
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 5 -7 0 9 6 -6 -2 1 7 -5 2 8
//! expect 0.0 i32 6 -6 6 -6 0 6 -6 0 8
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<i32> = clamp(vec2<i32>(v.v[0], v.v[1]), vec2<i32>(v.v[4], v.v[5]), vec2<i32>(v.v[8], v.v[9]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<i32> = clamp(vec3<i32>(v.v[0], v.v[1], v.v[2]), vec3<i32>(v.v[4], v.v[5], v.v[6]), vec3<i32>(v.v[8], v.v[9], v.v[10]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<i32> = clamp(vec4<i32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<i32>(v.v[4], v.v[5], v.v[6], v.v[7]), vec4<i32>(v.v[8], v.v[9], v.v[10], v.v[11]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# countOneBits.wgsl
//! row countOneBits (T) -> T where T is u32 or i32
//! bind 0.0 u32 zeros 1
//! bind 0.1 u32 5 4294967295 0 9
//! expect 0.0 u32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : u32 = countOneBits(v.v[0]);
  d.v[0] = r1;
}


//# countOneBits_2.wgsl
//! row countOneBits (T) -> T where T is u32 or i32
//! bind 0.0 i32 zeros 1
//! bind 0.1 i32 5 -1 0 -9
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : i32 = countOneBits(v.v[0]);
  d.v[0] = r1;
}


//# countOneBits_3.wgsl
//! row countOneBits (vecN<T>) -> vecN<T> where T is u32 or i32
//! bind 0.0 u32 zeros 9
//! bind 0.1 u32 5 4294967295 0 9
//! expect 0.0 u32 2 32 2 32 0 2 32 0 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<u32> = countOneBits(vec2<u32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<u32> = countOneBits(vec3<u32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<u32> = countOneBits(vec4<u32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# countOneBits_4.wgsl
//! row countOneBits (vecN<T>) -> vecN<T> where T is u32 or i32
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 5 -1 0 -9
//! expect 0.0 i32 2 32 2 32 0 2 32 0 31
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<i32> = countOneBits(vec2<i32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<i32> = countOneBits(vec3<i32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<i32> = countOneBits(vec4<i32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# max_3.wgsl
//! row max (T, T) -> T where T is u32
//! bind 0.0 u32 zeros 1
//! bind 0.1 u32 5 4294967295 0 9 6 7 2 1
//! expect 0.0 u32 6
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : u32 = max(v.v[0], v.v[4]);
  d.v[0] = r1;
}


//# max_4.wgsl
//! row max (vecN<T>, vecN<T>) -> vecN<T> where T is u32
//! bind 0.0 u32 zeros 9
//! bind 0.1 u32 5 4294967295 0 9 6 7 2 1
//! expect 0.0 u32 6 4294967295 6 4294967295 2 6 4294967295 2 9
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<u32> = max(vec2<u32>(v.v[0], v.v[1]), vec2<u32>(v.v[4], v.v[5]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<u32> = max(vec3<u32>(v.v[0], v.v[1], v.v[2]), vec3<u32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<u32> = max(vec4<u32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<u32>(v.v[4], v.v[5], v.v[6], v.v[7]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# max_5.wgsl
//! row max (T, T) -> T where T is i32
//! bind 0.0 i32 zeros 1
//! bind 0.1 i32 5 -7 0 9 6 -8 -2 1
//! expect 0.0 i32 6
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : i32 = max(v.v[0], v.v[4]);
  d.v[0] = r1;
}


//# max_6.wgsl
//! row max (vecN<T>, vecN<T>) -> vecN<T> where T is i32
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 5 -7 0 9 6 -8 -2 1
//! expect 0.0 i32 6 -7 6 -7 0 6 -7 0 9
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<i32> = max(vec2<i32>(v.v[0], v.v[1]), vec2<i32>(v.v[4], v.v[5]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<i32> = max(vec3<i32>(v.v[0], v.v[1], v.v[2]), vec3<i32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<i32> = max(vec4<i32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<i32>(v.v[4], v.v[5], v.v[6], v.v[7]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# min_3.wgsl
//! row min (T, T) -> T where T is u32
//! bind 0.0 u32 zeros 1
//! bind 0.1 u32 5 4294967295 0 9 6 7 2 1
//! expect 0.0 u32 5
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : u32 = min(v.v[0], v.v[4]);
  d.v[0] = r1;
}


//# min_4.wgsl
//! row min (vecN<T>, vecN<T>) -> vecN<T> where T is u32
//! bind 0.0 u32 zeros 9
//! bind 0.1 u32 5 4294967295 0 9 6 7 2 1
//! expect 0.0 u32 5 7 5 7 0 5 7 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<u32> = min(vec2<u32>(v.v[0], v.v[1]), vec2<u32>(v.v[4], v.v[5]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<u32> = min(vec3<u32>(v.v[0], v.v[1], v.v[2]), vec3<u32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<u32> = min(vec4<u32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<u32>(v.v[4], v.v[5], v.v[6], v.v[7]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# min_5.wgsl
//! row min (T, T) -> T where T is i32
//! bind 0.0 i32 zeros 1
//! bind 0.1 i32 5 -7 0 9 6 -8 -2 1
//! expect 0.0 i32 5
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : i32 = min(v.v[0], v.v[4]);
  d.v[0] = r1;
}


//# min_6.wgsl
//! row min (vecN<T>, vecN<T>) -> vecN<T> where T is i32
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 5 -7 0 9 6 -8 -2 1
//! expect 0.0 i32 5 -8 5 -8 -2 5 -8 -2 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<i32> = min(vec2<i32>(v.v[0], v.v[1]), vec2<i32>(v.v[4], v.v[5]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<i32> = min(vec3<i32>(v.v[0], v.v[1], v.v[2]), vec3<i32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<i32> = min(vec4<i32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<i32>(v.v[4], v.v[5], v.v[6], v.v[7]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# reverseBits.wgsl
//! row reverseBits (T) -> T where T is u32 or i32
//! bind 0.0 u32 zeros 1
//! bind 0.1 u32 5 4294967295 0 9
//! expect 0.0 u32 2684354560
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : u32 = reverseBits(v.v[0]);
  d.v[0] = r1;
}


//# reverseBits_2.wgsl
//! row reverseBits (T) -> T where T is u32 or i32
//! bind 0.0 i32 zeros 1
//! bind 0.1 i32 5 -1 0 -9
//! expect 0.0 i32 -1610612736
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r1 : i32 = reverseBits(v.v[0]);
  d.v[0] = r1;
}


//# reverseBits_3.wgsl
//! row reverseBits (vecN<T>) -> vecN<T> where T is u32 or i32
//! bind 0.0 u32 zeros 9
//! bind 0.1 u32 5 4294967295 0 9
//! expect 0.0 u32 2684354560 4294967295 2684354560 4294967295 0 2684354560 4294967295 0 2415919104
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<u32> = reverseBits(vec2<u32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<u32> = reverseBits(vec3<u32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<u32> = reverseBits(vec4<u32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# reverseBits_4.wgsl
//! row reverseBits (vecN<T>) -> vecN<T> where T is u32 or i32
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 5 -1 0 -9
//! expect 0.0 i32 -1610612736 -1 -1610612736 -1 0 -1610612736 -1 0 -268435457
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 9>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r2 : vec2<i32> = reverseBits(vec2<i32>(v.v[0], v.v[1]));
  d.v[0] = r2.x;
  d.v[1] = r2.y;
  const r3 : vec3<i32> = reverseBits(vec3<i32>(v.v[0], v.v[1], v.v[2]));
  d.v[2] = r3.x;
  d.v[3] = r3.y;
  d.v[4] = r3.z;
  const r4 : vec4<i32> = reverseBits(vec4<i32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[5] = r4.x;
  d.v[6] = r4.y;
  d.v[7] = r4.z;
  d.v[8] = r4.w;
}


//# determinant.wgsl
//! row determinant (matNxN<T>) -> T where T is f32
//! bind 0.0 f32 zeros 3
//! bind 0.1 f32 2.0 1.0 0.5 3.0 4.0 -1.0 1.5 0.25 -2.0 3.0 1.0 0.5 1.0 2.0 -3.0 4.0
//! expect 0.0 f32 -6.0 -13.0 79.875 ~ 16ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 3>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 16>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = determinant(mat2x2<f32>(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5])));
  d.v[1] = determinant(mat3x3<f32>(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]), vec3<f32>(v.v[8], v.v[9], v.v[10])));
  d.v[2] = determinant(mat4x4<f32>(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]), vec4<f32>(v.v[8], v.v[9], v.v[10], v.v[11]), vec4<f32>(v.v[12], v.v[13], v.v[14], v.v[15])));
}


//# dot.wgsl
//! row dot (vecN<f32>, vecN<f32>) -> f32
//! bind 0.0 f32 zeros 3
//! bind 0.1 f32 3.0 -4.0 1.0 0.5 1.0 2.0 -2.0 4.0 0.5 1.0 -1.0 2.0
//! expect 0.0 f32 -5.0 -7.0 -5.0 ~ 8ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 3>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 12>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = dot(vec2<f32>(v.v[0], v.v[1]), vec2<f32>(v.v[4], v.v[5]));
  d.v[1] = dot(vec3<f32>(v.v[0], v.v[1], v.v[2]), vec3<f32>(v.v[4], v.v[5], v.v[6]));
  d.v[2] = dot(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]), vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]));
}


//# dpdx.wgsl
//! row dpdx (IDENT) -> float
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 2.0 2.0 4.0 0
//! expect out 0.1 f32 -2.0*32
//! expect out 0.3 f32 6.0*32
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[location(0)]] var<out> color : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const f : f32 = coord.x * 2.0 + coord.y * 5.0;
  d.v[0] = dpdx(f);
  const r : vec3<f32> = dpdx(vec3<f32>(f, 2.0 * f, 1.0));
  d.v[1] = r.x;
  d.v[2] = r.y;
  d.v[3] = r.z;
  const s : vec2<f32> = dpdx(vec2<f32>(f, -f));
  const t : vec4<f32> = dpdx(vec4<f32>(f, f, f, 3.0 * f));
  color = vec4<f32>(s, t.zw);
}


//# dpdxCoarse.wgsl
//! row dpdxCoarse (IDENT) -> float
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 2.0 2.0 4.0 0
//! expect out 0.1 f32 -2.0*32
//! expect out 0.3 f32 6.0*32
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[location(0)]] var<out> color : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const f : f32 = coord.x * 2.0 + coord.y * 5.0;
  d.v[0] = dpdxCoarse(f);
  const r : vec3<f32> = dpdxCoarse(vec3<f32>(f, 2.0 * f, 1.0));
  d.v[1] = r.x;
  d.v[2] = r.y;
  d.v[3] = r.z;
  const s : vec2<f32> = dpdxCoarse(vec2<f32>(f, -f));
  const t : vec4<f32> = dpdxCoarse(vec4<f32>(f, f, f, 3.0 * f));
  color = vec4<f32>(s, t.zw);
}


//# dpdxFine.wgsl
//! row dpdxFine (IDENT) -> float
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 2.0 2.0 4.0 0
//! expect out 0.1 f32 -2.0*32
//! expect out 0.3 f32 6.0*32
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[location(0)]] var<out> color : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const f : f32 = coord.x * 2.0 + coord.y * 5.0;
  d.v[0] = dpdxFine(f);
  const r : vec3<f32> = dpdxFine(vec3<f32>(f, 2.0 * f, 1.0));
  d.v[1] = r.x;
  d.v[2] = r.y;
  d.v[3] = r.z;
  const s : vec2<f32> = dpdxFine(vec2<f32>(f, -f));
  const t : vec4<f32> = dpdxFine(vec4<f32>(f, f, f, 3.0 * f));
  color = vec4<f32>(s, t.zw);
}


//# dpdy.wgsl
//! row dpdy (IDENT) -> float
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 5.0 5.0 10.0 0
//! expect out 0.1 f32 -5.0*32
//! expect out 0.3 f32 15.0*32
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[location(0)]] var<out> color : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const f : f32 = coord.x * 2.0 + coord.y * 5.0;
  d.v[0] = dpdy(f);
  const r : vec3<f32> = dpdy(vec3<f32>(f, 2.0 * f, 1.0));
  d.v[1] = r.x;
  d.v[2] = r.y;
  d.v[3] = r.z;
  const s : vec2<f32> = dpdy(vec2<f32>(f, -f));
  const t : vec4<f32> = dpdy(vec4<f32>(f, f, f, 3.0 * f));
  color = vec4<f32>(s, t.zw);
}


//# dpdyCoarse.wgsl
//! row dpdyCoarse (IDENT) -> float
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 5.0 5.0 10.0 0
//! expect out 0.1 f32 -5.0*32
//! expect out 0.3 f32 15.0*32
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[location(0)]] var<out> color : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const f : f32 = coord.x * 2.0 + coord.y * 5.0;
  d.v[0] = dpdyCoarse(f);
  const r : vec3<f32> = dpdyCoarse(vec3<f32>(f, 2.0 * f, 1.0));
  d.v[1] = r.x;
  d.v[2] = r.y;
  d.v[3] = r.z;
  const s : vec2<f32> = dpdyCoarse(vec2<f32>(f, -f));
  const t : vec4<f32> = dpdyCoarse(vec4<f32>(f, f, f, 3.0 * f));
  color = vec4<f32>(s, t.zw);
}


//# dpdyFine.wgsl
//! row dpdyFine (IDENT) -> float
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 5.0 5.0 10.0 0
//! expect out 0.1 f32 -5.0*32
//! expect out 0.3 f32 15.0*32
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[location(0)]] var<out> color : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const f : f32 = coord.x * 2.0 + coord.y * 5.0;
  d.v[0] = dpdyFine(f);
  const r : vec3<f32> = dpdyFine(vec3<f32>(f, 2.0 * f, 1.0));
  d.v[1] = r.x;
  d.v[2] = r.y;
  d.v[3] = r.z;
  const s : vec2<f32> = dpdyFine(vec2<f32>(f, -f));
  const t : vec4<f32> = dpdyFine(vec4<f32>(f, f, f, 3.0 * f));
  color = vec4<f32>(s, t.zw);
}


//# fwidth.wgsl
//! row fwidth (IDENT) -> float
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 7.0 7.0 14.0 0
//! expect out 0.1 f32 7.0*32
//! expect out 0.3 f32 21.0*32
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[location(0)]] var<out> color : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const f : f32 = coord.x * 2.0 + coord.y * 5.0;
  d.v[0] = fwidth(f);
  const r : vec3<f32> = fwidth(vec3<f32>(f, 2.0 * f, 1.0));
  d.v[1] = r.x;
  d.v[2] = r.y;
  d.v[3] = r.z;
  const s : vec2<f32> = fwidth(vec2<f32>(f, -f));
  const t : vec4<f32> = fwidth(vec4<f32>(f, f, f, 3.0 * f));
  color = vec4<f32>(s, t.zw);
}


//# fwidthCoarse.wgsl
//! row fwidthCoarse (IDENT) -> float
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 7.0 7.0 14.0 0
//! expect out 0.1 f32 7.0*32
//! expect out 0.3 f32 21.0*32
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[location(0)]] var<out> color : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const f : f32 = coord.x * 2.0 + coord.y * 5.0;
  d.v[0] = fwidthCoarse(f);
  const r : vec3<f32> = fwidthCoarse(vec3<f32>(f, 2.0 * f, 1.0));
  d.v[1] = r.x;
  d.v[2] = r.y;
  d.v[3] = r.z;
  const s : vec2<f32> = fwidthCoarse(vec2<f32>(f, -f));
  const t : vec4<f32> = fwidthCoarse(vec4<f32>(f, f, f, 3.0 * f));
  color = vec4<f32>(s, t.zw);
}


//# fwidthFine.wgsl
//! row fwidthFine (IDENT) -> float
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 7.0 7.0 14.0 0
//! expect out 0.1 f32 7.0*32
//! expect out 0.3 f32 21.0*32
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[location(0)]] var<out> color : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const f : f32 = coord.x * 2.0 + coord.y * 5.0;
  d.v[0] = fwidthFine(f);
  const r : vec3<f32> = fwidthFine(vec3<f32>(f, 2.0 * f, 1.0));
  d.v[1] = r.x;
  d.v[2] = r.y;
  d.v[3] = r.z;
  const s : vec2<f32> = fwidthFine(vec2<f32>(f, -f));
  const t : vec4<f32> = fwidthFine(vec4<f32>(f, f, f, 3.0 * f));
  color = vec4<f32>(s, t.zw);
}


//# pack4x8snorm.wgsl
//! row pack4x8snorm (vec4<f32>) -> u32
//! bind 0.0 u32 zeros 2
//! bind 0.1 f32 0.5 -1.0 1.0 0.25 2.0 -3.0 0.0 -0.4000000059604645
//! expect 0.0 u32 545227072 3439362431
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = pack4x8snorm(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[1] = pack4x8snorm(vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]));
}


//# pack4x8unorm.wgsl
//! row pack4x8unorm (vec4<f32>) -> u32
//! bind 0.0 u32 zeros 2
//! bind 0.1 f32 0.5 -1.0 1.0 0.25 2.0 -3.0 0.0 -0.4000000059604645
//! expect 0.0 u32 1090453632 255
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = pack4x8unorm(vec4<f32>(v.v[0], v.v[1], v.v[2], v.v[3]));
  d.v[1] = pack4x8unorm(vec4<f32>(v.v[4], v.v[5], v.v[6], v.v[7]));
}


//# pack2x16snorm.wgsl
//! row pack2x16snorm (vec2<f32>) -> u32
//! bind 0.0 u32 zeros 2
//! bind 0.1 f32 0.5 -1.0 1.0 0.25 2.0 -3.0 0.0 -0.4000000059604645
//! expect 0.0 u32 2147565568 2147581951
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = pack2x16snorm(vec2<f32>(v.v[0], v.v[1]));
  d.v[1] = pack2x16snorm(vec2<f32>(v.v[4], v.v[5]));
}


//# pack2x16unorm.wgsl
//! row pack2x16unorm (vec2<f32>) -> u32
//! bind 0.0 u32 zeros 2
//! bind 0.1 f32 0.5 -1.0 1.0 0.25 2.0 -3.0 0.0 -0.4000000059604645
//! expect 0.0 u32 32768 65535
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = pack2x16unorm(vec2<f32>(v.v[0], v.v[1]));
  d.v[1] = pack2x16unorm(vec2<f32>(v.v[4], v.v[5]));
}


//# pack2x16float.wgsl
//! row pack2x16float (vec2<f32>) -> u32
//! bind 0.0 u32 zeros 2
//! bind 0.1 f32 0.5 -1.0 1.0 0.25 2.0 -3.0 0.0 -0.4000000059604645
//! expect 0.0 u32 3154130944 3254796288
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = pack2x16float(vec2<f32>(v.v[0], v.v[1]));
  d.v[1] = pack2x16float(vec2<f32>(v.v[4], v.v[5]));
}


//# unpack4x8snorm.wgsl
//! row unpack4x8snorm (u32) -> vec4<f32>
//! bind 0.0 f32 zeros 8
//! bind 0.1 u32 2139160321 1006682112
//! expect 0.0 f32 0.007874015718698502 -0.007874015718698502 -1.0 1.0 0.0 -0.5039370059967041 0.0 0.4724409580230713 ~ 2ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = unpack4x8snorm(v.v[0]);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = unpack4x8snorm(v.v[1]);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# unpack4x8unorm.wgsl
//! row unpack4x8unorm (u32) -> vec4<f32>
//! bind 0.0 f32 zeros 8
//! bind 0.1 u32 2139160321 1006682112
//! expect 0.0 f32 0.003921568859368563 1.0 0.501960813999176 0.49803921580314636 0.0 0.7529411911964417 0.0 0.23529411852359772 ~ 2ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = unpack4x8unorm(v.v[0]);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = unpack4x8unorm(v.v[1]);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# unpack2x16snorm.wgsl
//! row unpack2x16snorm (u32) -> vec2<f32>
//! bind 0.0 f32 zeros 4
//! bind 0.1 u32 2139160321 1006682112
//! expect 0.0 f32 -0.007782219909131527 0.9961241483688354 -0.5000152587890625 0.4687643051147461 ~ 2ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<f32> = unpack2x16snorm(v.v[0]);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  const r1 : vec2<f32> = unpack2x16snorm(v.v[1]);
  d.v[2] = r1.x;
  d.v[3] = r1.y;
}


//# unpack2x16unorm.wgsl
//! row unpack2x16unorm (u32) -> vec2<f32>
//! bind 0.0 f32 zeros 4
//! bind 0.1 u32 2139160321 1006682112
//! expect 0.0 f32 0.9961242079734802 0.49805447459220886 0.7500114440917969 0.23437857627868652 ~ 2ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<f32> = unpack2x16unorm(v.v[0]);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  const r1 : vec2<f32> = unpack2x16unorm(v.v[1]);
  d.v[2] = r1.x;
  d.v[3] = r1.y;
}


//# unpack2x16float.wgsl
//! row unpack2x16float (u32) -> vec2<f32>
//! bind 0.0 f32 zeros 4
//! bind 0.1 u32 1006682112 2080309249
//! expect 0.0 f32 -2.0 1.0 5.960464477539063e-08 65504.0 ~ 2ulp
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<f32> = unpack2x16float(v.v[0]);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  const r1 : vec2<f32> = unpack2x16float(v.v[1]);
  d.v[2] = r1.x;
  d.v[3] = r1.y;
}


//# bitcast.wgsl
//! row bitcast <T>(e) -> T
//! bind 0.0 u32 zeros 7
//! bind 0.1 u32 1077936128 4294967295
//! expect 0.0 u32 1069547520 1077936128 0 3 1082130432 4294967295 4294967295
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 7>; };
[[block]] struct In { [[offset(0)]] v : [[stride(4)]] array<u32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var<storage> v : [[access(read)]] In;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = bitcast<u32>(1.5);
  d.v[1] = bitcast<u32>(bitcast<f32>(v.v[0]));
  d.v[2] = bitcast<u32>(bitcast<i32>(v.v[1]) + 1);
  const a : vec2<f32> = bitcast<vec2<f32>>(vec2<u32>(v.v[0], v.v[0]));
  d.v[3] = u32(a.y);
  const b : vec3<i32> = bitcast<vec3<i32>>(vec3<f32>(1.0, 2.0, 4.0));
  d.v[4] = bitcast<u32>(b.z);
  const c : vec4<u32> = bitcast<vec4<u32>>(vec4<i32>(-1, 1, 2, 3));
  d.v[5] = c.x;
  d.v[6] = bitcast<u32>(v.v[1]);
}


//# textureDimensions.wgsl
//! row textureDimensions (t : texture_1d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1.0 2.0 3.0 4.0 1001.0 1002.0
//! expect 0.0 i32 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : i32 = textureDimensions(t);
  d.v[0] = r0;
}


//# textureDimensions_2.wgsl
//! row textureDimensions (t : texture_1d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SINT 1d 4 levels 2 i32 1 2 3 4 1001 1002
//! expect 0.0 i32 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : i32 = textureDimensions(t);
  d.v[0] = r0;
}


//# textureDimensions_3.wgsl
//! row textureDimensions (t : texture_1d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_UINT 1d 4 levels 2 u32 1 2 3 4 1001 1002
//! expect 0.0 i32 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : i32 = textureDimensions(t);
  d.v[0] = r0;
}


//# textureDimensions_4.wgsl
//! row textureDimensions (t : texture_1d_array<T>) -> i32
//! reshaped
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! expect 0.0 i32 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : i32 = textureDimensions(t);
  d.v[0] = r0;
}


//# textureDimensions_5.wgsl
//! row textureDimensions (t : texture_1d_array<T>) -> i32
//! reshaped
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : i32 = textureDimensions(t);
  d.v[0] = r0;
}


//# textureDimensions_6.wgsl
//! row textureDimensions (t : texture_1d_array<T>) -> i32
//! reshaped
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : i32 = textureDimensions(t);
  d.v[0] = r0;
}


//# textureDimensions_7.wgsl
//! row textureDimensions (t : texture_2d<T>) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_8.wgsl
//! row textureDimensions (t : texture_2d<T>) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 1001 1002
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_9.wgsl
//! row textureDimensions (t : texture_2d<T>) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 1001 1002
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_10.wgsl
//! row textureDimensions (t : texture_2d<T>, level : i32) -> vec2<i32>
//! bind 0.0 i32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! expect 0.0 i32 4 2 2 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  const r1 : vec2<i32> = textureDimensions(t, 1);
  d.v[2] = r1.x;
  d.v[3] = r1.y;
}


//# textureDimensions_11.wgsl
//! row textureDimensions (t : texture_2d<T>, level : i32) -> vec2<i32>
//! bind 0.0 i32 zeros 4
//! image 0.1 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 1001 1002
//! expect 0.0 i32 4 2 2 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  const r1 : vec2<i32> = textureDimensions(t, 1);
  d.v[2] = r1.x;
  d.v[3] = r1.y;
}


//# textureDimensions_12.wgsl
//! row textureDimensions (t : texture_2d<T>, level : i32) -> vec2<i32>
//! bind 0.0 i32 zeros 4
//! image 0.1 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 1001 1002
//! expect 0.0 i32 4 2 2 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  const r1 : vec2<i32> = textureDimensions(t, 1);
  d.v[2] = r1.x;
  d.v[3] = r1.y;
}


//# textureDimensions_13.wgsl
//! row textureDimensions (t : texture_2d_array<T>) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_14.wgsl
//! row textureDimensions (t : texture_2d_array<T>) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_15.wgsl
//! row textureDimensions (t : texture_2d_array<T>) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_16.wgsl
//! row textureDimensions (t : texture_2d_array<T>, level : i32) -> vec2<i32>
//! bind 0.0 i32 zeros 4
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! expect 0.0 i32 4 2 2 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  const r1 : vec2<i32> = textureDimensions(t, 1);
  d.v[2] = r1.x;
  d.v[3] = r1.y;
}


//# textureDimensions_17.wgsl
//! row textureDimensions (t : texture_2d_array<T>, level : i32) -> vec2<i32>
//! bind 0.0 i32 zeros 4
//! image 0.1 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 4 2 2 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  const r1 : vec2<i32> = textureDimensions(t, 1);
  d.v[2] = r1.x;
  d.v[3] = r1.y;
}


//# textureDimensions_18.wgsl
//! row textureDimensions (t : texture_2d_array<T>, level : i32) -> vec2<i32>
//! bind 0.0 i32 zeros 4
//! image 0.1 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 4 2 2 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  const r1 : vec2<i32> = textureDimensions(t, 1);
  d.v[2] = r1.x;
  d.v[3] = r1.y;
}


//# textureDimensions_19.wgsl
//! row textureDimensions (t : texture_3d<T>) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! expect 0.0 i32 4 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureDimensions_20.wgsl
//! row textureDimensions (t : texture_3d<T>) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1001 1002
//! expect 0.0 i32 4 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureDimensions_21.wgsl
//! row textureDimensions (t : texture_3d<T>) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1001 1002
//! expect 0.0 i32 4 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureDimensions_22.wgsl
//! row textureDimensions (t : texture_3d<T>, level : i32) -> vec3<i32>
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! expect 0.0 i32 4 2 2 2 1 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  const r1 : vec3<i32> = textureDimensions(t, 1);
  d.v[3] = r1.x;
  d.v[4] = r1.y;
  d.v[5] = r1.z;
}


//# textureDimensions_23.wgsl
//! row textureDimensions (t : texture_3d<T>, level : i32) -> vec3<i32>
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1001 1002
//! expect 0.0 i32 4 2 2 2 1 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  const r1 : vec3<i32> = textureDimensions(t, 1);
  d.v[3] = r1.x;
  d.v[4] = r1.y;
  d.v[5] = r1.z;
}


//# textureDimensions_24.wgsl
//! row textureDimensions (t : texture_3d<T>, level : i32) -> vec3<i32>
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1001 1002
//! expect 0.0 i32 4 2 2 2 1 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  const r1 : vec3<i32> = textureDimensions(t, 1);
  d.v[3] = r1.x;
  d.v[4] = r1.y;
  d.v[5] = r1.z;
}


//# textureDimensions_25.wgsl
//! row textureDimensions (t : texture_cube<T>) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0
//! expect 0.0 i32 4 4 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureDimensions_26.wgsl
//! row textureDimensions (t : texture_cube<T>) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_SINT cube 4x4 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024
//! expect 0.0 i32 4 4 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureDimensions_27.wgsl
//! row textureDimensions (t : texture_cube<T>) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_UINT cube 4x4 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024
//! expect 0.0 i32 4 4 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureDimensions_28.wgsl
//! row textureDimensions (t : texture_cube<T>, level : i32) -> vec3<i32>
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0
//! expect 0.0 i32 4 4 4 2 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  const r1 : vec3<i32> = textureDimensions(t, 1);
  d.v[3] = r1.x;
  d.v[4] = r1.y;
  d.v[5] = r1.z;
}


//# textureDimensions_29.wgsl
//! row textureDimensions (t : texture_cube<T>, level : i32) -> vec3<i32>
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SINT cube 4x4 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024
//! expect 0.0 i32 4 4 4 2 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  const r1 : vec3<i32> = textureDimensions(t, 1);
  d.v[3] = r1.x;
  d.v[4] = r1.y;
  d.v[5] = r1.z;
}


//# textureDimensions_30.wgsl
//! row textureDimensions (t : texture_cube<T>, level : i32) -> vec3<i32>
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_UINT cube 4x4 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024
//! expect 0.0 i32 4 4 4 2 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  const r1 : vec3<i32> = textureDimensions(t, 1);
  d.v[3] = r1.x;
  d.v[4] = r1.y;
  d.v[5] = r1.z;
}


//# textureDimensions_31.wgsl
//! row textureDimensions (t : texture_cube_array<T>) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 97.0 98.0 99.0 100.0 101.0 102.0 103.0 104.0 105.0 106.0 107.0 108.0 109.0 110.0 111.0 112.0 113.0 114.0 115.0 116.0 117.0 118.0 119.0 120.0 121.0 122.0 123.0 124.0 125.0 126.0 127.0 128.0 129.0 130.0 131.0 132.0 133.0 134.0 135.0 136.0 137.0 138.0 139.0 140.0 141.0 142.0 143.0 144.0 145.0 146.0 147.0 148.0 149.0 150.0 151.0 152.0 153.0 154.0 155.0 156.0 157.0 158.0 159.0 160.0 161.0 162.0 163.0 164.0 165.0 166.0 167.0 168.0 169.0 170.0 171.0 172.0 173.0 174.0 175.0 176.0 177.0 178.0 179.0 180.0 181.0 182.0 183.0 184.0 185.0 186.0 187.0 188.0 189.0 190.0 191.0 192.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0 1025.0 1026.0 1027.0 1028.0 1029.0 1030.0 1031.0 1032.0 1033.0 1034.0 1035.0 1036.0 1037.0 1038.0 1039.0 1040.0 1041.0 1042.0 1043.0 1044.0 1045.0 1046.0 1047.0 1048.0
//! expect 0.0 i32 4 4 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureDimensions_32.wgsl
//! row textureDimensions (t : texture_cube_array<T>) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_SINT cube_array 4x4 layers 12 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024 1025 1026 1027 1028 1029 1030 1031 1032 1033 1034 1035 1036 1037 1038 1039 1040 1041 1042 1043 1044 1045 1046 1047 1048
//! expect 0.0 i32 4 4 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureDimensions_33.wgsl
//! row textureDimensions (t : texture_cube_array<T>) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_UINT cube_array 4x4 layers 12 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024 1025 1026 1027 1028 1029 1030 1031 1032 1033 1034 1035 1036 1037 1038 1039 1040 1041 1042 1043 1044 1045 1046 1047 1048
//! expect 0.0 i32 4 4 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureDimensions_34.wgsl
//! row textureDimensions (t : texture_cube_array<T>, level : i32) -> vec3<i32>
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 97.0 98.0 99.0 100.0 101.0 102.0 103.0 104.0 105.0 106.0 107.0 108.0 109.0 110.0 111.0 112.0 113.0 114.0 115.0 116.0 117.0 118.0 119.0 120.0 121.0 122.0 123.0 124.0 125.0 126.0 127.0 128.0 129.0 130.0 131.0 132.0 133.0 134.0 135.0 136.0 137.0 138.0 139.0 140.0 141.0 142.0 143.0 144.0 145.0 146.0 147.0 148.0 149.0 150.0 151.0 152.0 153.0 154.0 155.0 156.0 157.0 158.0 159.0 160.0 161.0 162.0 163.0 164.0 165.0 166.0 167.0 168.0 169.0 170.0 171.0 172.0 173.0 174.0 175.0 176.0 177.0 178.0 179.0 180.0 181.0 182.0 183.0 184.0 185.0 186.0 187.0 188.0 189.0 190.0 191.0 192.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0 1025.0 1026.0 1027.0 1028.0 1029.0 1030.0 1031.0 1032.0 1033.0 1034.0 1035.0 1036.0 1037.0 1038.0 1039.0 1040.0 1041.0 1042.0 1043.0 1044.0 1045.0 1046.0 1047.0 1048.0
//! expect 0.0 i32 4 4 4 2 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  const r1 : vec3<i32> = textureDimensions(t, 1);
  d.v[3] = r1.x;
  d.v[4] = r1.y;
  d.v[5] = r1.z;
}


//# textureDimensions_35.wgsl
//! row textureDimensions (t : texture_cube_array<T>, level : i32) -> vec3<i32>
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SINT cube_array 4x4 layers 12 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024 1025 1026 1027 1028 1029 1030 1031 1032 1033 1034 1035 1036 1037 1038 1039 1040 1041 1042 1043 1044 1045 1046 1047 1048
//! expect 0.0 i32 4 4 4 2 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  const r1 : vec3<i32> = textureDimensions(t, 1);
  d.v[3] = r1.x;
  d.v[4] = r1.y;
  d.v[5] = r1.z;
}


//# textureDimensions_36.wgsl
//! row textureDimensions (t : texture_cube_array<T>, level : i32) -> vec3<i32>
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_UINT cube_array 4x4 layers 12 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024 1025 1026 1027 1028 1029 1030 1031 1032 1033 1034 1035 1036 1037 1038 1039 1040 1041 1042 1043 1044 1045 1046 1047 1048
//! expect 0.0 i32 4 4 4 2 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  const r1 : vec3<i32> = textureDimensions(t, 1);
  d.v[3] = r1.x;
  d.v[4] = r1.y;
  d.v[5] = r1.z;
}


//# textureDimensions_37.wgsl
//! row textureDimensions (t : texture_multisampled_2d<T>) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 samples 4 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_multisampled_2d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_38.wgsl
//! row textureDimensions (t : texture_multisampled_2d<T>) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_SINT 2d 4x2 samples 4 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_multisampled_2d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_39.wgsl
//! row textureDimensions (t : texture_multisampled_2d<T>) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_UINT 2d 4x2 samples 4 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_multisampled_2d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_40.wgsl
//! row textureDimensions (t : texture_multisampled_2d_array<T>) -> vec2<i32>
//! error there is no type `texture_multisampled_2d_array`
[[group(0), binding(1)]] var t : texture_multisampled_2d_array<f32>;
[[stage(compute)]]
fn main() -> void {}


//# textureDimensions_41.wgsl
//! row textureDimensions (t : texture_depth_2d) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.48876953125 0.4892578125
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_42.wgsl
//! row textureDimensions (t : texture_depth_2d, level : i32) -> vec2<i32>
//! bind 0.0 i32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.48876953125 0.4892578125
//! expect 0.0 i32 4 2 2 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  const r1 : vec2<i32> = textureDimensions(t, 1);
  d.v[2] = r1.x;
  d.v[3] = r1.y;
}


//# textureDimensions_43.wgsl
//! row textureDimensions (t : texture_depth_2d_array) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_44.wgsl
//! row textureDimensions (t : texture_depth_2d_array, level : i32) -> vec2<i32>
//! bind 0.0 i32 zeros 4
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! expect 0.0 i32 4 2 2 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  const r1 : vec2<i32> = textureDimensions(t, 1);
  d.v[2] = r1.x;
  d.v[3] = r1.y;
}


//# textureDimensions_45.wgsl
//! row textureDimensions (t : texture_depth_cube) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5
//! expect 0.0 i32 4 4 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureDimensions_46.wgsl
//! row textureDimensions (t : texture_depth_cube, level : i32) -> vec3<i32>
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5
//! expect 0.0 i32 4 4 4 2 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  const r1 : vec3<i32> = textureDimensions(t, 1);
  d.v[3] = r1.x;
  d.v[4] = r1.y;
  d.v[5] = r1.z;
}


//# textureDimensions_47.wgsl
//! row textureDimensions (t : texture_depth_cube_array) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.04736328125 0.0478515625 0.04833984375 0.048828125 0.04931640625 0.0498046875 0.05029296875 0.05078125 0.05126953125 0.0517578125 0.05224609375 0.052734375 0.05322265625 0.0537109375 0.05419921875 0.0546875 0.05517578125 0.0556640625 0.05615234375 0.056640625 0.05712890625 0.0576171875 0.05810546875 0.05859375 0.05908203125 0.0595703125 0.06005859375 0.060546875 0.06103515625 0.0615234375 0.06201171875 0.0625 0.06298828125 0.0634765625 0.06396484375 0.064453125 0.06494140625 0.0654296875 0.06591796875 0.06640625 0.06689453125 0.0673828125 0.06787109375 0.068359375 0.06884765625 0.0693359375 0.06982421875 0.0703125 0.07080078125 0.0712890625 0.07177734375 0.072265625 0.07275390625 0.0732421875 0.07373046875 0.07421875 0.07470703125 0.0751953125 0.07568359375 0.076171875 0.07666015625 0.0771484375 0.07763671875 0.078125 0.07861328125 0.0791015625 0.07958984375 0.080078125 0.08056640625 0.0810546875 0.08154296875 0.08203125 0.08251953125 0.0830078125 0.08349609375 0.083984375 0.08447265625 0.0849609375 0.08544921875 0.0859375 0.08642578125 0.0869140625 0.08740234375 0.087890625 0.08837890625 0.0888671875 0.08935546875 0.08984375 0.09033203125 0.0908203125 0.09130859375 0.091796875 0.09228515625 0.0927734375 0.09326171875 0.09375 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5 0.50048828125 0.5009765625 0.50146484375 0.501953125 0.50244140625 0.5029296875 0.50341796875 0.50390625 0.50439453125 0.5048828125 0.50537109375 0.505859375 0.50634765625 0.5068359375 0.50732421875 0.5078125 0.50830078125 0.5087890625 0.50927734375 0.509765625 0.51025390625 0.5107421875 0.51123046875 0.51171875
//! expect 0.0 i32 4 4 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube_array;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureDimensions_48.wgsl
//! row textureDimensions (t : texture_depth_cube_array, level : i32) -> vec3<i32>
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.04736328125 0.0478515625 0.04833984375 0.048828125 0.04931640625 0.0498046875 0.05029296875 0.05078125 0.05126953125 0.0517578125 0.05224609375 0.052734375 0.05322265625 0.0537109375 0.05419921875 0.0546875 0.05517578125 0.0556640625 0.05615234375 0.056640625 0.05712890625 0.0576171875 0.05810546875 0.05859375 0.05908203125 0.0595703125 0.06005859375 0.060546875 0.06103515625 0.0615234375 0.06201171875 0.0625 0.06298828125 0.0634765625 0.06396484375 0.064453125 0.06494140625 0.0654296875 0.06591796875 0.06640625 0.06689453125 0.0673828125 0.06787109375 0.068359375 0.06884765625 0.0693359375 0.06982421875 0.0703125 0.07080078125 0.0712890625 0.07177734375 0.072265625 0.07275390625 0.0732421875 0.07373046875 0.07421875 0.07470703125 0.0751953125 0.07568359375 0.076171875 0.07666015625 0.0771484375 0.07763671875 0.078125 0.07861328125 0.0791015625 0.07958984375 0.080078125 0.08056640625 0.0810546875 0.08154296875 0.08203125 0.08251953125 0.0830078125 0.08349609375 0.083984375 0.08447265625 0.0849609375 0.08544921875 0.0859375 0.08642578125 0.0869140625 0.08740234375 0.087890625 0.08837890625 0.0888671875 0.08935546875 0.08984375 0.09033203125 0.0908203125 0.09130859375 0.091796875 0.09228515625 0.0927734375 0.09326171875 0.09375 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5 0.50048828125 0.5009765625 0.50146484375 0.501953125 0.50244140625 0.5029296875 0.50341796875 0.50390625 0.50439453125 0.5048828125 0.50537109375 0.505859375 0.50634765625 0.5068359375 0.50732421875 0.5078125 0.50830078125 0.5087890625 0.50927734375 0.509765625 0.51025390625 0.5107421875 0.51123046875 0.51171875
//! expect 0.0 i32 4 4 4 2 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 6>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube_array;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t, 0);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  const r1 : vec3<i32> = textureDimensions(t, 1);
  d.v[3] = r1.x;
  d.v[4] = r1.y;
  d.v[5] = r1.z;
}


//# textureDimensions_49.wgsl
//! row textureDimensions (t : texture_storage_1d<F>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 1d 4 f32 1.0 2.0 3.0 4.0
//! expect 0.0 i32 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_1d<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r0 : i32 = textureDimensions(t);
  d.v[0] = r0;
}


//# textureDimensions_50.wgsl
//! row textureDimensions (t : texture_storage_1d_array<F>) -> i32
//! reshaped
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0
//! expect 0.0 i32 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_1d_array<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r0 : i32 = textureDimensions(t);
  d.v[0] = r0;
}


//# textureDimensions_51.wgsl
//! row textureDimensions (t : texture_storage_2d<F>) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_2d<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_52.wgsl
//! row textureDimensions (t : texture_storage_2d_array<F>) -> vec2<i32>
//! bind 0.0 i32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0
//! expect 0.0 i32 4 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_2d_array<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec2<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
}


//# textureDimensions_53.wgsl
//! row textureDimensions (t : texture_storage_3d<F>) -> vec3<i32>
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_SFLOAT 3d 4x2x2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0
//! expect 0.0 i32 4 2 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 3>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_3d<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec3<i32> = textureDimensions(t);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
}


//# textureLoad.wgsl
//! row textureLoad (t : texture_1d<T>, coords : i32) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1.0 2.0 3.0 4.0 1001.0 1002.0
//! expect 0.0 f32 2.0 0.0 0.0 1.0 4.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, 3);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_2.wgsl
//! row textureLoad (t : texture_1d<T>, coords : i32) -> vec4<T>
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 1d 4 levels 2 i32 1 2 3 4 1001 1002
//! expect 0.0 i32 2 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<i32> = textureLoad(t, 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<i32> = textureLoad(t, 3);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_3.wgsl
//! row textureLoad (t : texture_1d<T>, coords : i32) -> vec4<T>
//! bind 0.0 u32 zeros 8
//! image 0.1 R32_UINT 1d 4 levels 2 u32 1 2 3 4 1001 1002
//! expect 0.0 u32 2 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<u32> = textureLoad(t, 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<u32> = textureLoad(t, 3);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_4.wgsl
//! row textureLoad (t : texture_1d_array<T>, coords : i32, array_index : i32) -> vec4<T>
//! reshaped
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! expect 0.0 f32 10.0 0.0 0.0 1.0 8.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, 1, 2);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, 3, 1);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_5.wgsl
//! row textureLoad (t : texture_1d_array<T>, coords : i32, array_index : i32) -> vec4<T>
//! reshaped
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 10 0 0 1 8 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<i32> = textureLoad(t, 1, 2);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<i32> = textureLoad(t, 3, 1);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_6.wgsl
//! row textureLoad (t : texture_1d_array<T>, coords : i32, array_index : i32) -> vec4<T>
//! reshaped
//! bind 0.0 u32 zeros 8
//! image 0.1 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 1001 1002 1003 1004 1005 1006
//! expect 0.0 u32 10 0 0 1 8 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<u32> = textureLoad(t, 1, 2);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<u32> = textureLoad(t, 3, 1);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_7.wgsl
//! row textureLoad (t : texture_2d<T>, coords : vec2<i32>) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! expect 0.0 f32 6.0 0.0 0.0 1.0 4.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, vec2<i32>(1, 1));
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, vec2<i32>(3, 0));
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_8.wgsl
//! row textureLoad (t : texture_2d<T>, coords : vec2<i32>) -> vec4<T>
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 1001 1002
//! expect 0.0 i32 6 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<i32> = textureLoad(t, vec2<i32>(1, 1));
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<i32> = textureLoad(t, vec2<i32>(3, 0));
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_9.wgsl
//! row textureLoad (t : texture_2d<T>, coords : vec2<i32>) -> vec4<T>
//! bind 0.0 u32 zeros 8
//! image 0.1 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 1001 1002
//! expect 0.0 u32 6 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<u32> = textureLoad(t, vec2<i32>(1, 1));
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<u32> = textureLoad(t, vec2<i32>(3, 0));
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_10.wgsl
//! row textureLoad (t : texture_2d<T>, coords : vec2<i32>, level : i32) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! expect 0.0 f32 1001.0 0.0 0.0 1.0 4.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, vec2<i32>(0, 0), 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, vec2<i32>(3, 0), 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_11.wgsl
//! row textureLoad (t : texture_2d<T>, coords : vec2<i32>, level : i32) -> vec4<T>
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 1001 1002
//! expect 0.0 i32 1001 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<i32> = textureLoad(t, vec2<i32>(0, 0), 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<i32> = textureLoad(t, vec2<i32>(3, 0), 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_12.wgsl
//! row textureLoad (t : texture_2d<T>, coords : vec2<i32>, level : i32) -> vec4<T>
//! bind 0.0 u32 zeros 8
//! image 0.1 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 1001 1002
//! expect 0.0 u32 1001 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<u32> = textureLoad(t, vec2<i32>(0, 0), 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<u32> = textureLoad(t, vec2<i32>(3, 0), 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_13.wgsl
//! row textureLoad (t : texture_2d_array<T>, coords : vec2<i32>, array_index : i32) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! expect 0.0 f32 22.0 0.0 0.0 1.0 12.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, vec2<i32>(1, 1), 2);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, vec2<i32>(3, 0), 1);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_14.wgsl
//! row textureLoad (t : texture_2d_array<T>, coords : vec2<i32>, array_index : i32) -> vec4<T>
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 22 0 0 1 12 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<i32> = textureLoad(t, vec2<i32>(1, 1), 2);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<i32> = textureLoad(t, vec2<i32>(3, 0), 1);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_15.wgsl
//! row textureLoad (t : texture_2d_array<T>, coords : vec2<i32>, array_index : i32) -> vec4<T>
//! bind 0.0 u32 zeros 8
//! image 0.1 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 u32 22 0 0 1 12 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<u32> = textureLoad(t, vec2<i32>(1, 1), 2);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<u32> = textureLoad(t, vec2<i32>(3, 0), 1);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_16.wgsl
//! row textureLoad (t : texture_2d_array<T>, coords : vec2<i32>, array_index : i32, level : i32) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! expect 0.0 f32 1005.0 0.0 0.0 1.0 12.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, vec2<i32>(0, 0), 2, 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, vec2<i32>(3, 0), 1, 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_17.wgsl
//! row textureLoad (t : texture_2d_array<T>, coords : vec2<i32>, array_index : i32, level : i32) -> vec4<T>
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 1005 0 0 1 12 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<i32> = textureLoad(t, vec2<i32>(0, 0), 2, 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<i32> = textureLoad(t, vec2<i32>(3, 0), 1, 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_18.wgsl
//! row textureLoad (t : texture_2d_array<T>, coords : vec2<i32>, array_index : i32, level : i32) -> vec4<T>
//! bind 0.0 u32 zeros 8
//! image 0.1 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 u32 1005 0 0 1 12 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<u32> = textureLoad(t, vec2<i32>(0, 0), 2, 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<u32> = textureLoad(t, vec2<i32>(3, 0), 1, 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_19.wgsl
//! row textureLoad (t : texture_3d<T>, coords : vec3<i32>) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! expect 0.0 f32 14.0 0.0 0.0 1.0 4.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, vec3<i32>(1, 1, 1));
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, vec3<i32>(3, 0, 0));
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_20.wgsl
//! row textureLoad (t : texture_3d<T>, coords : vec3<i32>) -> vec4<T>
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1001 1002
//! expect 0.0 i32 14 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<i32> = textureLoad(t, vec3<i32>(1, 1, 1));
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<i32> = textureLoad(t, vec3<i32>(3, 0, 0));
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_21.wgsl
//! row textureLoad (t : texture_3d<T>, coords : vec3<i32>) -> vec4<T>
//! bind 0.0 u32 zeros 8
//! image 0.1 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1001 1002
//! expect 0.0 u32 14 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<u32> = textureLoad(t, vec3<i32>(1, 1, 1));
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<u32> = textureLoad(t, vec3<i32>(3, 0, 0));
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_22.wgsl
//! row textureLoad (t : texture_3d<T>, coords : vec3<i32>, level : i32) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! expect 0.0 f32 1001.0 0.0 0.0 1.0 4.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, vec3<i32>(0, 0, 0), 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, vec3<i32>(3, 0, 0), 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_23.wgsl
//! row textureLoad (t : texture_3d<T>, coords : vec3<i32>, level : i32) -> vec4<T>
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1001 1002
//! expect 0.0 i32 1001 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<i32> = textureLoad(t, vec3<i32>(0, 0, 0), 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<i32> = textureLoad(t, vec3<i32>(3, 0, 0), 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_24.wgsl
//! row textureLoad (t : texture_3d<T>, coords : vec3<i32>, level : i32) -> vec4<T>
//! bind 0.0 u32 zeros 8
//! image 0.1 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1001 1002
//! expect 0.0 u32 1001 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<u32> = textureLoad(t, vec3<i32>(0, 0, 0), 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<u32> = textureLoad(t, vec3<i32>(3, 0, 0), 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_25.wgsl
//! row textureLoad (t : texture_multisampled_2d<T>, coords : vec2<i32>, sample_index : i32) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d 4x2 samples 4 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0
//! expect 0.0 f32 30.0 0.0 0.0 1.0 4.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_multisampled_2d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, vec2<i32>(1, 1), 3);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, vec2<i32>(3, 0), 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_26.wgsl
//! row textureLoad (t : texture_multisampled_2d<T>, coords : vec2<i32>, sample_index : i32) -> vec4<T>
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 2d 4x2 samples 4 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
//! expect 0.0 i32 30 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_multisampled_2d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<i32> = textureLoad(t, vec2<i32>(1, 1), 3);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<i32> = textureLoad(t, vec2<i32>(3, 0), 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_27.wgsl
//! row textureLoad (t : texture_multisampled_2d<T>, coords : vec2<i32>, sample_index : i32) -> vec4<T>
//! bind 0.0 u32 zeros 8
//! image 0.1 R32_UINT 2d 4x2 samples 4 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
//! expect 0.0 u32 30 0 0 1 4 0 0 1
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_multisampled_2d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<u32> = textureLoad(t, vec2<i32>(1, 1), 3);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<u32> = textureLoad(t, vec2<i32>(3, 0), 0);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_28.wgsl
//! row textureLoad (t : texture_multisampled_2d_array<T>, coords : vec2<i32>, array_index : i32, sample_index : i32) -> vec4<T>
//! error there is no type `texture_multisampled_2d_array`
[[group(0), binding(1)]] var t : texture_multisampled_2d_array<f32>;
[[stage(compute)]]
fn main() -> void {}


//# textureLoad_29.wgsl
//! row textureLoad (t : texture_depth_2d, coords : vec2<i32>) -> f32
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.48876953125 0.4892578125
//! expect 0.0 f32 0.0029296875 0.001953125
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = textureLoad(t, vec2<i32>(1, 1));
  d.v[1] = textureLoad(t, vec2<i32>(3, 0));
}


//# textureLoad_30.wgsl
//! row textureLoad (t : texture_depth_2d, coords : vec2<i32>, level : i32) -> f32
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.48876953125 0.4892578125
//! expect 0.0 f32 0.48876953125 0.001953125
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = textureLoad(t, vec2<i32>(0, 0), 1);
  d.v[1] = textureLoad(t, vec2<i32>(3, 0), 0);
}


//# textureLoad_31.wgsl
//! row textureLoad (t : texture_depth_2d_array, coords : vec2<i32>, array_index : i32) -> f32
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! expect 0.0 f32 0.0107421875 0.005859375
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = textureLoad(t, vec2<i32>(1, 1), 2);
  d.v[1] = textureLoad(t, vec2<i32>(3, 0), 1);
}


//# textureLoad_32.wgsl
//! row textureLoad (t : texture_depth_2d_array, coords : vec2<i32>, array_index : i32, level : i32) -> f32
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! expect 0.0 f32 0.49072265625 0.005859375
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[stage(compute)]]
fn main() -> void {
  d.v[0] = textureLoad(t, vec2<i32>(0, 0), 2, 1);
  d.v[1] = textureLoad(t, vec2<i32>(3, 0), 1, 0);
}


//# textureLoad_33.wgsl
//! row textureLoad (t : [[access(read)]] texture_storage_1d_array<F>, coords : i32, array_index : i32) -> vec4<T>
//! reshaped
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0
//! expect 0.0 f32 10.0 0.0 0.0 1.0 8.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_1d_array<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, 1, 2);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, 3, 1);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_34.wgsl
//! row textureLoad (t : [[access(read)]] texture_storage_2d_array<F>, coords : vec2<i32>, array_index : i32) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0
//! expect 0.0 f32 22.0 0.0 0.0 1.0 12.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_2d_array<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, vec2<i32>(1, 1), 2);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, vec2<i32>(3, 0), 1);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureNumLayers.wgsl
//! row textureNumLayers (t : texture_1d_array<T>) -> i32
//! reshaped
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! expect 0.0 i32 3
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_2.wgsl
//! row textureNumLayers (t : texture_1d_array<T>) -> i32
//! reshaped
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 3
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_3.wgsl
//! row textureNumLayers (t : texture_1d_array<T>) -> i32
//! reshaped
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 3
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_4.wgsl
//! row textureNumLayers (t : texture_2d_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! expect 0.0 i32 3
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_5.wgsl
//! row textureNumLayers (t : texture_2d_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 3
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_6.wgsl
//! row textureNumLayers (t : texture_2d_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 3
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_7.wgsl
//! row textureNumLayers (t : texture_cube_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 97.0 98.0 99.0 100.0 101.0 102.0 103.0 104.0 105.0 106.0 107.0 108.0 109.0 110.0 111.0 112.0 113.0 114.0 115.0 116.0 117.0 118.0 119.0 120.0 121.0 122.0 123.0 124.0 125.0 126.0 127.0 128.0 129.0 130.0 131.0 132.0 133.0 134.0 135.0 136.0 137.0 138.0 139.0 140.0 141.0 142.0 143.0 144.0 145.0 146.0 147.0 148.0 149.0 150.0 151.0 152.0 153.0 154.0 155.0 156.0 157.0 158.0 159.0 160.0 161.0 162.0 163.0 164.0 165.0 166.0 167.0 168.0 169.0 170.0 171.0 172.0 173.0 174.0 175.0 176.0 177.0 178.0 179.0 180.0 181.0 182.0 183.0 184.0 185.0 186.0 187.0 188.0 189.0 190.0 191.0 192.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0 1025.0 1026.0 1027.0 1028.0 1029.0 1030.0 1031.0 1032.0 1033.0 1034.0 1035.0 1036.0 1037.0 1038.0 1039.0 1040.0 1041.0 1042.0 1043.0 1044.0 1045.0 1046.0 1047.0 1048.0
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_8.wgsl
//! row textureNumLayers (t : texture_cube_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SINT cube_array 4x4 layers 12 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024 1025 1026 1027 1028 1029 1030 1031 1032 1033 1034 1035 1036 1037 1038 1039 1040 1041 1042 1043 1044 1045 1046 1047 1048
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_9.wgsl
//! row textureNumLayers (t : texture_cube_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_UINT cube_array 4x4 layers 12 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024 1025 1026 1027 1028 1029 1030 1031 1032 1033 1034 1035 1036 1037 1038 1039 1040 1041 1042 1043 1044 1045 1046 1047 1048
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_10.wgsl
//! row textureNumLayers (t : texture_multisampled_2d_array<T>) -> i32
//! error there is no type `texture_multisampled_2d_array`
[[group(0), binding(1)]] var t : texture_multisampled_2d_array<f32>;
[[stage(compute)]]
fn main() -> void {}


//# textureNumLayers_11.wgsl
//! row textureNumLayers (t : texture_depth_2d_array) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! expect 0.0 i32 3
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_12.wgsl
//! row textureNumLayers (t : texture_depth_cube_array) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.04736328125 0.0478515625 0.04833984375 0.048828125 0.04931640625 0.0498046875 0.05029296875 0.05078125 0.05126953125 0.0517578125 0.05224609375 0.052734375 0.05322265625 0.0537109375 0.05419921875 0.0546875 0.05517578125 0.0556640625 0.05615234375 0.056640625 0.05712890625 0.0576171875 0.05810546875 0.05859375 0.05908203125 0.0595703125 0.06005859375 0.060546875 0.06103515625 0.0615234375 0.06201171875 0.0625 0.06298828125 0.0634765625 0.06396484375 0.064453125 0.06494140625 0.0654296875 0.06591796875 0.06640625 0.06689453125 0.0673828125 0.06787109375 0.068359375 0.06884765625 0.0693359375 0.06982421875 0.0703125 0.07080078125 0.0712890625 0.07177734375 0.072265625 0.07275390625 0.0732421875 0.07373046875 0.07421875 0.07470703125 0.0751953125 0.07568359375 0.076171875 0.07666015625 0.0771484375 0.07763671875 0.078125 0.07861328125 0.0791015625 0.07958984375 0.080078125 0.08056640625 0.0810546875 0.08154296875 0.08203125 0.08251953125 0.0830078125 0.08349609375 0.083984375 0.08447265625 0.0849609375 0.08544921875 0.0859375 0.08642578125 0.0869140625 0.08740234375 0.087890625 0.08837890625 0.0888671875 0.08935546875 0.08984375 0.09033203125 0.0908203125 0.09130859375 0.091796875 0.09228515625 0.0927734375 0.09326171875 0.09375 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5 0.50048828125 0.5009765625 0.50146484375 0.501953125 0.50244140625 0.5029296875 0.50341796875 0.50390625 0.50439453125 0.5048828125 0.50537109375 0.505859375 0.50634765625 0.5068359375 0.50732421875 0.5078125 0.50830078125 0.5087890625 0.50927734375 0.509765625 0.51025390625 0.5107421875 0.51123046875 0.51171875
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube_array;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_13.wgsl
//! row textureNumLayers (t : texture_storage_1d_array<F>) -> i32
//! reshaped
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0
//! expect 0.0 i32 3
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_1d_array<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLayers_14.wgsl
//! row textureNumLayers (t : texture_storage_2d_array<F>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0
//! expect 0.0 i32 3
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_2d_array<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLayers(t);
  d.v[0] = r;
}


//# textureNumLevels.wgsl
//! row textureNumLevels (t : texture_2d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_2.wgsl
//! row textureNumLevels (t : texture_2d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 1001 1002
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_3.wgsl
//! row textureNumLevels (t : texture_2d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 1001 1002
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_4.wgsl
//! row textureNumLevels (t : texture_2d_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_5.wgsl
//! row textureNumLevels (t : texture_2d_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_6.wgsl
//! row textureNumLevels (t : texture_2d_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1001 1002 1003 1004 1005 1006
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_7.wgsl
//! row textureNumLevels (t : texture_3d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_8.wgsl
//! row textureNumLevels (t : texture_3d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1001 1002
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_9.wgsl
//! row textureNumLevels (t : texture_3d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1001 1002
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_10.wgsl
//! row textureNumLevels (t : texture_cube<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<f32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_11.wgsl
//! row textureNumLevels (t : texture_cube<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SINT cube 4x4 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<i32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_12.wgsl
//! row textureNumLevels (t : texture_cube<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_UINT cube 4x4 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<u32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_13.wgsl
//! row textureNumLevels (t : texture_cube_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 97.0 98.0 99.0 100.0 101.0 102.0 103.0 104.0 105.0 106.0 107.0 108.0 109.0 110.0 111.0 112.0 113.0 114.0 115.0 116.0 117.0 118.0 119.0 120.0 121.0 122.0 123.0 124.0 125.0 126.0 127.0 128.0 129.0 130.0 131.0 132.0 133.0 134.0 135.0 136.0 137.0 138.0 139.0 140.0 141.0 142.0 143.0 144.0 145.0 146.0 147.0 148.0 149.0 150.0 151.0 152.0 153.0 154.0 155.0 156.0 157.0 158.0 159.0 160.0 161.0 162.0 163.0 164.0 165.0 166.0 167.0 168.0 169.0 170.0 171.0 172.0 173.0 174.0 175.0 176.0 177.0 178.0 179.0 180.0 181.0 182.0 183.0 184.0 185.0 186.0 187.0 188.0 189.0 190.0 191.0 192.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0 1025.0 1026.0 1027.0 1028.0 1029.0 1030.0 1031.0 1032.0 1033.0 1034.0 1035.0 1036.0 1037.0 1038.0 1039.0 1040.0 1041.0 1042.0 1043.0 1044.0 1045.0 1046.0 1047.0 1048.0
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<f32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_14.wgsl
//! row textureNumLevels (t : texture_cube_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SINT cube_array 4x4 layers 12 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024 1025 1026 1027 1028 1029 1030 1031 1032 1033 1034 1035 1036 1037 1038 1039 1040 1041 1042 1043 1044 1045 1046 1047 1048
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<i32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_15.wgsl
//! row textureNumLevels (t : texture_cube_array<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_UINT cube_array 4x4 layers 12 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024 1025 1026 1027 1028 1029 1030 1031 1032 1033 1034 1035 1036 1037 1038 1039 1040 1041 1042 1043 1044 1045 1046 1047 1048
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<u32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_16.wgsl
//! row textureNumLevels (t : texture_depth_2d) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.48876953125 0.4892578125
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_17.wgsl
//! row textureNumLevels (t : texture_depth_2d_array) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_18.wgsl
//! row textureNumLevels (t : texture_depth_cube) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumLevels_19.wgsl
//! row textureNumLevels (t : texture_depth_cube_array) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.04736328125 0.0478515625 0.04833984375 0.048828125 0.04931640625 0.0498046875 0.05029296875 0.05078125 0.05126953125 0.0517578125 0.05224609375 0.052734375 0.05322265625 0.0537109375 0.05419921875 0.0546875 0.05517578125 0.0556640625 0.05615234375 0.056640625 0.05712890625 0.0576171875 0.05810546875 0.05859375 0.05908203125 0.0595703125 0.06005859375 0.060546875 0.06103515625 0.0615234375 0.06201171875 0.0625 0.06298828125 0.0634765625 0.06396484375 0.064453125 0.06494140625 0.0654296875 0.06591796875 0.06640625 0.06689453125 0.0673828125 0.06787109375 0.068359375 0.06884765625 0.0693359375 0.06982421875 0.0703125 0.07080078125 0.0712890625 0.07177734375 0.072265625 0.07275390625 0.0732421875 0.07373046875 0.07421875 0.07470703125 0.0751953125 0.07568359375 0.076171875 0.07666015625 0.0771484375 0.07763671875 0.078125 0.07861328125 0.0791015625 0.07958984375 0.080078125 0.08056640625 0.0810546875 0.08154296875 0.08203125 0.08251953125 0.0830078125 0.08349609375 0.083984375 0.08447265625 0.0849609375 0.08544921875 0.0859375 0.08642578125 0.0869140625 0.08740234375 0.087890625 0.08837890625 0.0888671875 0.08935546875 0.08984375 0.09033203125 0.0908203125 0.09130859375 0.091796875 0.09228515625 0.0927734375 0.09326171875 0.09375 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5 0.50048828125 0.5009765625 0.50146484375 0.501953125 0.50244140625 0.5029296875 0.50341796875 0.50390625 0.50439453125 0.5048828125 0.50537109375 0.505859375 0.50634765625 0.5068359375 0.50732421875 0.5078125 0.50830078125 0.5087890625 0.50927734375 0.509765625 0.51025390625 0.5107421875 0.51123046875 0.51171875
//! expect 0.0 i32 2
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube_array;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumLevels(t);
  d.v[0] = r;
}


//# textureNumSamples.wgsl
//! row textureNumSamples (t : texture_multisampled_2d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 2d 4x2 samples 4 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0
//! expect 0.0 i32 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_multisampled_2d<f32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumSamples(t);
  d.v[0] = r;
}


//# textureNumSamples_2.wgsl
//! row textureNumSamples (t : texture_multisampled_2d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SINT 2d 4x2 samples 4 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
//! expect 0.0 i32 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_multisampled_2d<i32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumSamples(t);
  d.v[0] = r;
}


//# textureNumSamples_3.wgsl
//! row textureNumSamples (t : texture_multisampled_2d<T>) -> i32
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_UINT 2d 4x2 samples 4 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
//! expect 0.0 i32 4
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<i32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_multisampled_2d<u32>;
[[stage(compute)]]
fn main() -> void {
  const r : i32 = textureNumSamples(t);
  d.v[0] = r;
}


//# textureNumSamples_4.wgsl
//! row textureNumSamples (t : texture_multisampled_2d_array<T>) -> i32
//! error there is no type `texture_multisampled_2d_array`
[[group(0), binding(1)]] var t : texture_multisampled_2d_array<f32>;
[[stage(compute)]]
fn main() -> void {}


//# textureSample.wgsl
//! row textureSample (t : texture_1d<f32>, s : sampler, coords : f32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1.0 2.0 3.0 4.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSample(t, s, coord.x / 4.0);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
  }
}


//# textureSample_2.wgsl
//! row textureSample (t : texture_1d_array<f32>, s : sampler, coords : f32, array_index : i32) -> vec4<f32>
//! reshaped
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 5.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_1d_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSample(t, s, coord.x / 4.0, 1);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
  }
}


//# textureSample_3.wgsl
//! row textureSample (t : texture_2d<f32>, s : sampler, coords : vec2<f32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSample(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
  }
}


//# textureSample_4.wgsl
//! row textureSample (t : texture_2d<f32>, s : sampler, coords : vec2<f32>, offset : vec2<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 2.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSample(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
  }
}


//# textureSample_5.wgsl
//! row textureSample (t : texture_2d_array<f32>, s : sampler, coords : vec2<f32>, array_index : i32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 9.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSample(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
  }
}


//# textureSample_6.wgsl
//! row textureSample (t : texture_2d_array<f32>, s : sampler, coords : vec2<f32>, array_index : i32, offset : vec2<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 10.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSample(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
  }
}


//# textureSample_7.wgsl
//! row textureSample (t : texture_3d<f32>, s : sampler, coords : vec3<f32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSample(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
  }
}


//# textureSample_8.wgsl
//! row textureSample (t : texture_3d<f32>, s : sampler, coords : vec3<f32>, offset : vec3<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 2.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSample(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), vec3<i32>(1, 0, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
  }
}


//# textureSample_9.wgsl
//! row textureSample (t : texture_cube<f32>, s : sampler, coords : vec3<f32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSample(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
  }
}


//# textureSample_10.wgsl
//! row textureSample (t : texture_cube_array<f32>, s : sampler, coords : vec3<f32>, array_index : i32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 97.0 98.0 99.0 100.0 101.0 102.0 103.0 104.0 105.0 106.0 107.0 108.0 109.0 110.0 111.0 112.0 113.0 114.0 115.0 116.0 117.0 118.0 119.0 120.0 121.0 122.0 123.0 124.0 125.0 126.0 127.0 128.0 129.0 130.0 131.0 132.0 133.0 134.0 135.0 136.0 137.0 138.0 139.0 140.0 141.0 142.0 143.0 144.0 145.0 146.0 147.0 148.0 149.0 150.0 151.0 152.0 153.0 154.0 155.0 156.0 157.0 158.0 159.0 160.0 161.0 162.0 163.0 164.0 165.0 166.0 167.0 168.0 169.0 170.0 171.0 172.0 173.0 174.0 175.0 176.0 177.0 178.0 179.0 180.0 181.0 182.0 183.0 184.0 185.0 186.0 187.0 188.0 189.0 190.0 191.0 192.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0 1025.0 1026.0 1027.0 1028.0 1029.0 1030.0 1031.0 1032.0 1033.0 1034.0 1035.0 1036.0 1037.0 1038.0 1039.0 1040.0 1041.0 1042.0 1043.0 1044.0 1045.0 1046.0 1047.0 1048.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 97.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 4>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSample(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
  }
}


//# textureSample_11.wgsl
//! row textureSample (t : texture_depth_2d, s : sampler, coords : vec2<f32>) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.48876953125 0.4892578125
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.00048828125
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSample(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
  }
}


//# textureSample_12.wgsl
//! row textureSample (t : texture_depth_2d, s : sampler, coords : vec2<f32>, offset : vec2<i32>) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.48876953125 0.4892578125
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.0009765625
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSample(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
  }
}


//# textureSample_13.wgsl
//! row textureSample (t : texture_depth_2d_array, s : sampler, coords : vec2<f32>, array_index : i32) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.00439453125
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSample(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
  }
}


//# textureSample_14.wgsl
//! row textureSample (t : texture_depth_2d_array, s : sampler, coords : vec2<f32>, array_index : i32, offset : vec2<i32>) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.0048828125
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSample(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
  }
}


//# textureSample_15.wgsl
//! row textureSample (t : texture_depth_cube, s : sampler, coords : vec3<f32>) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.00048828125
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSample(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
  }
}


//# textureSample_16.wgsl
//! row textureSample (t : texture_depth_cube_array, s : sampler, coords : vec3<f32>, array_index : i32) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.04736328125 0.0478515625 0.04833984375 0.048828125 0.04931640625 0.0498046875 0.05029296875 0.05078125 0.05126953125 0.0517578125 0.05224609375 0.052734375 0.05322265625 0.0537109375 0.05419921875 0.0546875 0.05517578125 0.0556640625 0.05615234375 0.056640625 0.05712890625 0.0576171875 0.05810546875 0.05859375 0.05908203125 0.0595703125 0.06005859375 0.060546875 0.06103515625 0.0615234375 0.06201171875 0.0625 0.06298828125 0.0634765625 0.06396484375 0.064453125 0.06494140625 0.0654296875 0.06591796875 0.06640625 0.06689453125 0.0673828125 0.06787109375 0.068359375 0.06884765625 0.0693359375 0.06982421875 0.0703125 0.07080078125 0.0712890625 0.07177734375 0.072265625 0.07275390625 0.0732421875 0.07373046875 0.07421875 0.07470703125 0.0751953125 0.07568359375 0.076171875 0.07666015625 0.0771484375 0.07763671875 0.078125 0.07861328125 0.0791015625 0.07958984375 0.080078125 0.08056640625 0.0810546875 0.08154296875 0.08203125 0.08251953125 0.0830078125 0.08349609375 0.083984375 0.08447265625 0.0849609375 0.08544921875 0.0859375 0.08642578125 0.0869140625 0.08740234375 0.087890625 0.08837890625 0.0888671875 0.08935546875 0.08984375 0.09033203125 0.0908203125 0.09130859375 0.091796875 0.09228515625 0.0927734375 0.09326171875 0.09375 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5 0.50048828125 0.5009765625 0.50146484375 0.501953125 0.50244140625 0.5029296875 0.50341796875 0.50390625 0.50439453125 0.5048828125 0.50537109375 0.505859375 0.50634765625 0.5068359375 0.50732421875 0.5078125 0.50830078125 0.5087890625 0.50927734375 0.509765625 0.51025390625 0.5107421875 0.51123046875 0.51171875
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.04736328125
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 1>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube_array;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSample(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
  }
}


//# textureSampleBias.wgsl
//! row textureSampleBias (t : texture_2d<f32>, s : sampler, coords : vec2<f32>, bias : f32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0 1001.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleBias(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 0.0);
  const r1 : vec4<f32> = textureSampleBias(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1.0);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleBias_2.wgsl
//! row textureSampleBias (t : texture_2d<f32>, s : sampler, coords : vec2<f32>, bias : f32, offset : vec2<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 2.0 0.0 0.0 1.0 1002.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleBias(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 0.0, vec2<i32>(1, 0));
  const r1 : vec4<f32> = textureSampleBias(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1.0, vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleBias_3.wgsl
//! row textureSampleBias (t : texture_2d_array<f32>, s : sampler, coords : vec2<f32>, array_index : i32, bias : f32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 9.0 0.0 0.0 1.0 1003.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleBias(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 0.0);
  const r1 : vec4<f32> = textureSampleBias(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 1.0);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleBias_4.wgsl
//! row textureSampleBias (t : texture_2d_array<f32>, s : sampler, coords : vec2<f32>, array_index : i32, bias : f32, offset : vec2<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 10.0 0.0 0.0 1.0 1004.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleBias(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 0.0, vec2<i32>(1, 0));
  const r1 : vec4<f32> = textureSampleBias(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 1.0, vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleBias_5.wgsl
//! row textureSampleBias (t : texture_3d<f32>, s : sampler, coords : vec3<f32>, bias : f32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0 1001.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleBias(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), 0.0);
  const r1 : vec4<f32> = textureSampleBias(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), 1.0);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleBias_6.wgsl
//! row textureSampleBias (t : texture_3d<f32>, s : sampler, coords : vec3<f32>, bias : f32, offset : vec3<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 2.0 0.0 0.0 1.0 1002.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleBias(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), 0.0, vec3<i32>(1, 0, 0));
  const r1 : vec4<f32> = textureSampleBias(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), 1.0, vec3<i32>(1, 0, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleBias_7.wgsl
//! row textureSampleBias (t : texture_cube<f32>, s : sampler, coords : vec3<f32>, bias : f32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0 1001.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleBias(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 0.0);
  const r1 : vec4<f32> = textureSampleBias(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1.0);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleBias_8.wgsl
//! row textureSampleBias (t : texture_cube_array<f32>, s : sampler, coords : vec3<f32>, array_index : i32, bias : f32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 97.0 98.0 99.0 100.0 101.0 102.0 103.0 104.0 105.0 106.0 107.0 108.0 109.0 110.0 111.0 112.0 113.0 114.0 115.0 116.0 117.0 118.0 119.0 120.0 121.0 122.0 123.0 124.0 125.0 126.0 127.0 128.0 129.0 130.0 131.0 132.0 133.0 134.0 135.0 136.0 137.0 138.0 139.0 140.0 141.0 142.0 143.0 144.0 145.0 146.0 147.0 148.0 149.0 150.0 151.0 152.0 153.0 154.0 155.0 156.0 157.0 158.0 159.0 160.0 161.0 162.0 163.0 164.0 165.0 166.0 167.0 168.0 169.0 170.0 171.0 172.0 173.0 174.0 175.0 176.0 177.0 178.0 179.0 180.0 181.0 182.0 183.0 184.0 185.0 186.0 187.0 188.0 189.0 190.0 191.0 192.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0 1025.0 1026.0 1027.0 1028.0 1029.0 1030.0 1031.0 1032.0 1033.0 1034.0 1035.0 1036.0 1037.0 1038.0 1039.0 1040.0 1041.0 1042.0 1043.0 1044.0 1045.0 1046.0 1047.0 1048.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 97.0 0.0 0.0 1.0 1025.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleBias(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1, 0.0);
  const r1 : vec4<f32> = textureSampleBias(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1, 1.0);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleCompare.wgsl
//! row textureSampleCompare (t : texture_depth_2d, s : sampler_comparison, coords : vec2<f32>, depth_ref : f32) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.48876953125 0.4892578125
//! sampler 0.2 nearest clamp less
//! expect 0.0 f32 1.0 0.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[group(0), binding(2)]] var s : sampler_comparison;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleCompare(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 0.000244140625);
  const r1 : f32 = textureSampleCompare(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 0.000732421875);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureSampleCompare_2.wgsl
//! row textureSampleCompare (t : texture_depth_2d, s : sampler_comparison, coords : vec2<f32>, depth_ref : f32, offset : vec2<i32>) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.48876953125 0.4892578125
//! sampler 0.2 nearest clamp less
//! expect 0.0 f32 1.0 0.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[group(0), binding(2)]] var s : sampler_comparison;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleCompare(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 0.000732421875, vec2<i32>(1, 0));
  const r1 : f32 = textureSampleCompare(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 0.001220703125, vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureSampleCompare_3.wgsl
//! row textureSampleCompare (t : texture_depth_2d_array, s : sampler_comparison, coords : vec2<f32>, array_index : i32, depth_ref : f32) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! sampler 0.2 nearest clamp less
//! expect 0.0 f32 1.0 0.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[group(0), binding(2)]] var s : sampler_comparison;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleCompare(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 0.004150390625);
  const r1 : f32 = textureSampleCompare(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 0.004638671875);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureSampleCompare_4.wgsl
//! row textureSampleCompare (t : texture_depth_2d_array, s : sampler_comparison, coords : vec2<f32>, array_index : i32, depth_ref : f32, offset : vec2<i32>) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! sampler 0.2 nearest clamp less
//! expect 0.0 f32 1.0 0.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[group(0), binding(2)]] var s : sampler_comparison;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleCompare(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 0.004638671875, vec2<i32>(1, 0));
  const r1 : f32 = textureSampleCompare(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 0.005126953125, vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureSampleCompare_5.wgsl
//! row textureSampleCompare (t : texture_depth_cube, s : sampler_comparison, coords : vec3<f32>, depth_ref : f32) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5
//! sampler 0.2 nearest clamp less
//! expect 0.0 f32 1.0 0.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube;
[[group(0), binding(2)]] var s : sampler_comparison;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleCompare(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 0.000244140625);
  const r1 : f32 = textureSampleCompare(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 0.000732421875);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureSampleCompare_6.wgsl
//! row textureSampleCompare (t : texture_depth_cube_array, s : sampler_comparison, coords : vec3<f32>, array_index : i32, depth_ref : f32) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.04736328125 0.0478515625 0.04833984375 0.048828125 0.04931640625 0.0498046875 0.05029296875 0.05078125 0.05126953125 0.0517578125 0.05224609375 0.052734375 0.05322265625 0.0537109375 0.05419921875 0.0546875 0.05517578125 0.0556640625 0.05615234375 0.056640625 0.05712890625 0.0576171875 0.05810546875 0.05859375 0.05908203125 0.0595703125 0.06005859375 0.060546875 0.06103515625 0.0615234375 0.06201171875 0.0625 0.06298828125 0.0634765625 0.06396484375 0.064453125 0.06494140625 0.0654296875 0.06591796875 0.06640625 0.06689453125 0.0673828125 0.06787109375 0.068359375 0.06884765625 0.0693359375 0.06982421875 0.0703125 0.07080078125 0.0712890625 0.07177734375 0.072265625 0.07275390625 0.0732421875 0.07373046875 0.07421875 0.07470703125 0.0751953125 0.07568359375 0.076171875 0.07666015625 0.0771484375 0.07763671875 0.078125 0.07861328125 0.0791015625 0.07958984375 0.080078125 0.08056640625 0.0810546875 0.08154296875 0.08203125 0.08251953125 0.0830078125 0.08349609375 0.083984375 0.08447265625 0.0849609375 0.08544921875 0.0859375 0.08642578125 0.0869140625 0.08740234375 0.087890625 0.08837890625 0.0888671875 0.08935546875 0.08984375 0.09033203125 0.0908203125 0.09130859375 0.091796875 0.09228515625 0.0927734375 0.09326171875 0.09375 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5 0.50048828125 0.5009765625 0.50146484375 0.501953125 0.50244140625 0.5029296875 0.50341796875 0.50390625 0.50439453125 0.5048828125 0.50537109375 0.505859375 0.50634765625 0.5068359375 0.50732421875 0.5078125 0.50830078125 0.5087890625 0.50927734375 0.509765625 0.51025390625 0.5107421875 0.51123046875 0.51171875
//! sampler 0.2 nearest clamp less
//! expect 0.0 f32 1.0 0.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube_array;
[[group(0), binding(2)]] var s : sampler_comparison;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleCompare(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1, 0.047119140625);
  const r1 : f32 = textureSampleCompare(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1, 0.047607421875);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureSampleGrad.wgsl
//! row textureSampleGrad (t : texture_2d<f32>, s : sampler, coords : vec2<f32>, ddx : vec2<f32>, ddy : vec2<f32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0 1001.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleGrad(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), vec2<f32>(0.25, 0.0), vec2<f32>(0.0, 0.0));
  const r1 : vec4<f32> = textureSampleGrad(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), vec2<f32>(0.5, 0.0), vec2<f32>(0.0, 0.0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleGrad_2.wgsl
//! row textureSampleGrad (t : texture_2d<f32>, s : sampler, coords : vec2<f32>, ddx : vec2<f32>, ddy : vec2<f32>, offset : vec2<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 2.0 0.0 0.0 1.0 1002.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleGrad(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), vec2<f32>(0.25, 0.0), vec2<f32>(0.0, 0.0), vec2<i32>(1, 0));
  const r1 : vec4<f32> = textureSampleGrad(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), vec2<f32>(0.5, 0.0), vec2<f32>(0.0, 0.0), vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleGrad_3.wgsl
//! row textureSampleGrad (t : texture_2d_array<f32>, s : sampler, coords : vec2<f32>, array_index : i32, ddx : vec2<f32>, ddy : vec2<f32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 9.0 0.0 0.0 1.0 1003.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleGrad(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, vec2<f32>(0.25, 0.0), vec2<f32>(0.0, 0.0));
  const r1 : vec4<f32> = textureSampleGrad(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, vec2<f32>(0.5, 0.0), vec2<f32>(0.0, 0.0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleGrad_4.wgsl
//! row textureSampleGrad (t : texture_2d_array<f32>, s : sampler, coords : vec2<f32>, array_index : i32, ddx : vec2<f32>, ddy : vec2<f32>, offset : vec2<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 10.0 0.0 0.0 1.0 1004.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleGrad(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, vec2<f32>(0.25, 0.0), vec2<f32>(0.0, 0.0), vec2<i32>(1, 0));
  const r1 : vec4<f32> = textureSampleGrad(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, vec2<f32>(0.5, 0.0), vec2<f32>(0.0, 0.0), vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleGrad_5.wgsl
//! row textureSampleGrad (t : texture_3d<f32>, s : sampler, coords : vec3<f32>, ddx : vec3<f32>, ddy : vec3<f32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0 1001.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleGrad(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), vec3<f32>(0.25, 0.0, 0.0), vec3<f32>(0.0, 0.0, 0.0));
  const r1 : vec4<f32> = textureSampleGrad(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), vec3<f32>(0.5, 0.0, 0.0), vec3<f32>(0.0, 0.0, 0.0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleGrad_6.wgsl
//! row textureSampleGrad (t : texture_3d<f32>, s : sampler, coords : vec3<f32>, ddx : vec3<f32>, ddy : vec3<f32>, offset : vec3<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 2.0 0.0 0.0 1.0 1002.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleGrad(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), vec3<f32>(0.25, 0.0, 0.0), vec3<f32>(0.0, 0.0, 0.0), vec3<i32>(1, 0, 0));
  const r1 : vec4<f32> = textureSampleGrad(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), vec3<f32>(0.5, 0.0, 0.0), vec3<f32>(0.0, 0.0, 0.0), vec3<i32>(1, 0, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleGrad_7.wgsl
//! row textureSampleGrad (t : texture_cube<f32>, s : sampler, coords : vec3<f32>, ddx : vec3<f32>, ddy : vec3<f32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0 1001.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleGrad(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), vec3<f32>(0.0, 0.0, -0.5), vec3<f32>(0.0, 0.0, 0.0));
  const r1 : vec4<f32> = textureSampleGrad(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), vec3<f32>(0.0, 0.0, -1.0), vec3<f32>(0.0, 0.0, 0.0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleGrad_8.wgsl
//! row textureSampleGrad (t : texture_cube_array<f32>, s : sampler, coords : vec3<f32>, array_index : i32, ddx : vec3<f32>, ddy : vec3<f32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 97.0 98.0 99.0 100.0 101.0 102.0 103.0 104.0 105.0 106.0 107.0 108.0 109.0 110.0 111.0 112.0 113.0 114.0 115.0 116.0 117.0 118.0 119.0 120.0 121.0 122.0 123.0 124.0 125.0 126.0 127.0 128.0 129.0 130.0 131.0 132.0 133.0 134.0 135.0 136.0 137.0 138.0 139.0 140.0 141.0 142.0 143.0 144.0 145.0 146.0 147.0 148.0 149.0 150.0 151.0 152.0 153.0 154.0 155.0 156.0 157.0 158.0 159.0 160.0 161.0 162.0 163.0 164.0 165.0 166.0 167.0 168.0 169.0 170.0 171.0 172.0 173.0 174.0 175.0 176.0 177.0 178.0 179.0 180.0 181.0 182.0 183.0 184.0 185.0 186.0 187.0 188.0 189.0 190.0 191.0 192.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0 1025.0 1026.0 1027.0 1028.0 1029.0 1030.0 1031.0 1032.0 1033.0 1034.0 1035.0 1036.0 1037.0 1038.0 1039.0 1040.0 1041.0 1042.0 1043.0 1044.0 1045.0 1046.0 1047.0 1048.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 97.0 0.0 0.0 1.0 1025.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleGrad(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1, vec3<f32>(0.0, 0.0, -0.5), vec3<f32>(0.0, 0.0, 0.0));
  const r1 : vec4<f32> = textureSampleGrad(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1, vec3<f32>(0.0, 0.0, -1.0), vec3<f32>(0.0, 0.0, 0.0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleLevel.wgsl
//! row textureSampleLevel (t : texture_2d<f32>, s : sampler, coords : vec2<f32>, level : f32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0 1001.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 0.0);
  const r1 : vec4<f32> = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1.0);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleLevel_2.wgsl
//! row textureSampleLevel (t : texture_2d<f32>, s : sampler, coords : vec2<f32>, level : f32, offset : vec2<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 2.0 0.0 0.0 1.0 1002.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 0.0, vec2<i32>(1, 0));
  const r1 : vec4<f32> = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1.0, vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleLevel_3.wgsl
//! row textureSampleLevel (t : texture_2d_array<f32>, s : sampler, coords : vec2<f32>, array_index : i32, level : f32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 9.0 0.0 0.0 1.0 1003.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 0.0);
  const r1 : vec4<f32> = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 1.0);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleLevel_4.wgsl
//! row textureSampleLevel (t : texture_2d_array<f32>, s : sampler, coords : vec2<f32>, array_index : i32, level : f32, offset : vec2<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 10.0 0.0 0.0 1.0 1004.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_2d_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 0.0, vec2<i32>(1, 0));
  const r1 : vec4<f32> = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 1.0, vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleLevel_5.wgsl
//! row textureSampleLevel (t : texture_3d<f32>, s : sampler, coords : vec3<f32>, level : f32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0 1001.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleLevel(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), 0.0);
  const r1 : vec4<f32> = textureSampleLevel(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), 1.0);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleLevel_6.wgsl
//! row textureSampleLevel (t : texture_3d<f32>, s : sampler, coords : vec3<f32>, level : f32, offset : vec3<i32>) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 1001.0 1002.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 2.0 0.0 0.0 1.0 1002.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_3d<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleLevel(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), 0.0, vec3<i32>(1, 0, 0));
  const r1 : vec4<f32> = textureSampleLevel(t, s, vec3<f32>(coord.x / 4.0, coord.y / 2.0, 0.25), 1.0, vec3<i32>(1, 0, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleLevel_7.wgsl
//! row textureSampleLevel (t : texture_cube<f32>, s : sampler, coords : vec3<f32>, level : f32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 1.0 0.0 0.0 1.0 1001.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleLevel(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 0.0);
  const r1 : vec4<f32> = textureSampleLevel(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1.0);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleLevel_8.wgsl
//! row textureSampleLevel (t : texture_cube_array<f32>, s : sampler, coords : vec3<f32>, array_index : i32, level : f32) -> vec4<f32>
//! pixels 8 4
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0 46.0 47.0 48.0 49.0 50.0 51.0 52.0 53.0 54.0 55.0 56.0 57.0 58.0 59.0 60.0 61.0 62.0 63.0 64.0 65.0 66.0 67.0 68.0 69.0 70.0 71.0 72.0 73.0 74.0 75.0 76.0 77.0 78.0 79.0 80.0 81.0 82.0 83.0 84.0 85.0 86.0 87.0 88.0 89.0 90.0 91.0 92.0 93.0 94.0 95.0 96.0 97.0 98.0 99.0 100.0 101.0 102.0 103.0 104.0 105.0 106.0 107.0 108.0 109.0 110.0 111.0 112.0 113.0 114.0 115.0 116.0 117.0 118.0 119.0 120.0 121.0 122.0 123.0 124.0 125.0 126.0 127.0 128.0 129.0 130.0 131.0 132.0 133.0 134.0 135.0 136.0 137.0 138.0 139.0 140.0 141.0 142.0 143.0 144.0 145.0 146.0 147.0 148.0 149.0 150.0 151.0 152.0 153.0 154.0 155.0 156.0 157.0 158.0 159.0 160.0 161.0 162.0 163.0 164.0 165.0 166.0 167.0 168.0 169.0 170.0 171.0 172.0 173.0 174.0 175.0 176.0 177.0 178.0 179.0 180.0 181.0 182.0 183.0 184.0 185.0 186.0 187.0 188.0 189.0 190.0 191.0 192.0 1001.0 1002.0 1003.0 1004.0 1005.0 1006.0 1007.0 1008.0 1009.0 1010.0 1011.0 1012.0 1013.0 1014.0 1015.0 1016.0 1017.0 1018.0 1019.0 1020.0 1021.0 1022.0 1023.0 1024.0 1025.0 1026.0 1027.0 1028.0 1029.0 1030.0 1031.0 1032.0 1033.0 1034.0 1035.0 1036.0 1037.0 1038.0 1039.0 1040.0 1041.0 1042.0 1043.0 1044.0 1045.0 1046.0 1047.0 1048.0
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 97.0 0.0 0.0 1.0 1025.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_cube_array<f32>;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : vec4<f32> = textureSampleLevel(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1, 0.0);
  const r1 : vec4<f32> = textureSampleLevel(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1, 1.0);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0.x;
    d.v[1] = r0.y;
    d.v[2] = r0.z;
    d.v[3] = r0.w;
    d.v[4] = r1.x;
    d.v[5] = r1.y;
    d.v[6] = r1.z;
    d.v[7] = r1.w;
  }
}


//# textureSampleLevel_9.wgsl
//! row textureSampleLevel (t : texture_depth_2d, s : sampler, coords : vec2<f32>, level : i32) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.48876953125 0.4892578125
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.00048828125 0.48876953125
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 0);
  const r1 : f32 = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureSampleLevel_10.wgsl
//! row textureSampleLevel (t : texture_depth_2d, s : sampler, coords : vec2<f32>, level : i32, offset : vec2<i32>) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.48876953125 0.4892578125
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.0009765625 0.4892578125
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 0, vec2<i32>(1, 0));
  const r1 : f32 = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureSampleLevel_11.wgsl
//! row textureSampleLevel (t : texture_depth_2d_array, s : sampler, coords : vec2<f32>, array_index : i32, level : i32) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.00439453125 0.48974609375
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 0);
  const r1 : f32 = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 1);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureSampleLevel_12.wgsl
//! row textureSampleLevel (t : texture_depth_2d_array, s : sampler, coords : vec2<f32>, array_index : i32, level : i32, offset : vec2<i32>) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.0048828125 0.490234375
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_2d_array;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 0, vec2<i32>(1, 0));
  const r1 : f32 = textureSampleLevel(t, s, vec2<f32>(coord.x / 4.0, coord.y / 2.0), 1, 1, vec2<i32>(1, 0));
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureSampleLevel_13.wgsl
//! row textureSampleLevel (t : texture_depth_cube, s : sampler, coords : vec3<f32>, level : i32) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT cube 4x4 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.00048828125 0.48876953125
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleLevel(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 0);
  const r1 : f32 = textureSampleLevel(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureSampleLevel_14.wgsl
//! row textureSampleLevel (t : texture_depth_cube_array, s : sampler, coords : vec3<f32>, array_index : i32, level : i32) -> f32
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT cube_array 4x4 layers 12 levels 2 f32 0.00048828125 0.0009765625 0.00146484375 0.001953125 0.00244140625 0.0029296875 0.00341796875 0.00390625 0.00439453125 0.0048828125 0.00537109375 0.005859375 0.00634765625 0.0068359375 0.00732421875 0.0078125 0.00830078125 0.0087890625 0.00927734375 0.009765625 0.01025390625 0.0107421875 0.01123046875 0.01171875 0.01220703125 0.0126953125 0.01318359375 0.013671875 0.01416015625 0.0146484375 0.01513671875 0.015625 0.01611328125 0.0166015625 0.01708984375 0.017578125 0.01806640625 0.0185546875 0.01904296875 0.01953125 0.02001953125 0.0205078125 0.02099609375 0.021484375 0.02197265625 0.0224609375 0.02294921875 0.0234375 0.02392578125 0.0244140625 0.02490234375 0.025390625 0.02587890625 0.0263671875 0.02685546875 0.02734375 0.02783203125 0.0283203125 0.02880859375 0.029296875 0.02978515625 0.0302734375 0.03076171875 0.03125 0.03173828125 0.0322265625 0.03271484375 0.033203125 0.03369140625 0.0341796875 0.03466796875 0.03515625 0.03564453125 0.0361328125 0.03662109375 0.037109375 0.03759765625 0.0380859375 0.03857421875 0.0390625 0.03955078125 0.0400390625 0.04052734375 0.041015625 0.04150390625 0.0419921875 0.04248046875 0.04296875 0.04345703125 0.0439453125 0.04443359375 0.044921875 0.04541015625 0.0458984375 0.04638671875 0.046875 0.04736328125 0.0478515625 0.04833984375 0.048828125 0.04931640625 0.0498046875 0.05029296875 0.05078125 0.05126953125 0.0517578125 0.05224609375 0.052734375 0.05322265625 0.0537109375 0.05419921875 0.0546875 0.05517578125 0.0556640625 0.05615234375 0.056640625 0.05712890625 0.0576171875 0.05810546875 0.05859375 0.05908203125 0.0595703125 0.06005859375 0.060546875 0.06103515625 0.0615234375 0.06201171875 0.0625 0.06298828125 0.0634765625 0.06396484375 0.064453125 0.06494140625 0.0654296875 0.06591796875 0.06640625 0.06689453125 0.0673828125 0.06787109375 0.068359375 0.06884765625 0.0693359375 0.06982421875 0.0703125 0.07080078125 0.0712890625 0.07177734375 0.072265625 0.07275390625 0.0732421875 0.07373046875 0.07421875 0.07470703125 0.0751953125 0.07568359375 0.076171875 0.07666015625 0.0771484375 0.07763671875 0.078125 0.07861328125 0.0791015625 0.07958984375 0.080078125 0.08056640625 0.0810546875 0.08154296875 0.08203125 0.08251953125 0.0830078125 0.08349609375 0.083984375 0.08447265625 0.0849609375 0.08544921875 0.0859375 0.08642578125 0.0869140625 0.08740234375 0.087890625 0.08837890625 0.0888671875 0.08935546875 0.08984375 0.09033203125 0.0908203125 0.09130859375 0.091796875 0.09228515625 0.0927734375 0.09326171875 0.09375 0.48876953125 0.4892578125 0.48974609375 0.490234375 0.49072265625 0.4912109375 0.49169921875 0.4921875 0.49267578125 0.4931640625 0.49365234375 0.494140625 0.49462890625 0.4951171875 0.49560546875 0.49609375 0.49658203125 0.4970703125 0.49755859375 0.498046875 0.49853515625 0.4990234375 0.49951171875 0.5 0.50048828125 0.5009765625 0.50146484375 0.501953125 0.50244140625 0.5029296875 0.50341796875 0.50390625 0.50439453125 0.5048828125 0.50537109375 0.505859375 0.50634765625 0.5068359375 0.50732421875 0.5078125 0.50830078125 0.5087890625 0.50927734375 0.509765625 0.51025390625 0.5107421875 0.51123046875 0.51171875
//! sampler 0.2 nearest clamp
//! expect 0.0 f32 0.04736328125 0.50048828125
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 2>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : texture_depth_cube_array;
[[group(0), binding(2)]] var s : sampler;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[stage(fragment)]]
fn main() -> void {
  const r0 : f32 = textureSampleLevel(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1, 0);
  const r1 : f32 = textureSampleLevel(t, s, vec3<f32>(1.0, 1.0 - 2.0 * (coord.y / 4.0), 1.0 - 2.0 * (coord.x / 4.0)), 1, 1);
  if (coord.x < 1.0 && coord.y < 1.0) {
    d.v[0] = r0;
    d.v[1] = r1;
  }
}


//# textureStore.wgsl
//! row textureStore (t : [[access(write)]] texture_storage_1d<F>, coords : i32, value : vec4<T>) -> void
//! image 0.1 R32_SFLOAT 1d 4 f32 0.0 0.0 0.0 0.0
//! expect image 0.1 f32 0.0 7.5 0.0 -2.0
[[group(0), binding(1)]] var t : [[access(write)]] texture_storage_1d<r32float>;
[[stage(compute)]]
fn main() -> void {
  textureStore(t, 1, vec4<f32>(7.5, 9.0, 9.0, 9.0));
  textureStore(t, 3, vec4<f32>(-2.0, 9.0, 9.0, 9.0));
}


//# textureStore_2.wgsl
//! row textureStore (t : [[access(write)]] texture_storage_1d_array<F>, coords : i32, array_index : i32, value : vec4<T>) -> void
//! reshaped
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 f32 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
//! expect image 0.1 f32 0.0 0.0 0.0 0.0 0.0 0.0 0.0 -2.0 0.0 7.5 0.0 0.0
[[group(0), binding(1)]] var t : [[access(write)]] texture_storage_1d_array<r32float>;
[[stage(compute)]]
fn main() -> void {
  textureStore(t, 1, 2, vec4<f32>(7.5, 9.0, 9.0, 9.0));
  textureStore(t, 3, 1, vec4<f32>(-2.0, 9.0, 9.0, 9.0));
}


//# textureStore_3.wgsl
//! row textureStore (t : [[access(write)]] texture_storage_2d<F>, coords : vec2<i32>, value : vec4<T>) -> void
//! image 0.1 R32_SFLOAT 2d 4x2 f32 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
//! expect image 0.1 f32 0.0 0.0 0.0 -2.0 0.0 7.5 0.0 0.0
[[group(0), binding(1)]] var t : [[access(write)]] texture_storage_2d<r32float>;
[[stage(compute)]]
fn main() -> void {
  textureStore(t, vec2<i32>(1, 1), vec4<f32>(7.5, 9.0, 9.0, 9.0));
  textureStore(t, vec2<i32>(3, 0), vec4<f32>(-2.0, 9.0, 9.0, 9.0));
}


//# textureStore_4.wgsl
//! row textureStore (t : [[access(write)]] texture_storage_2d_array<F>, coords : vec2<i32>, array_index : i32, value : vec4<T>) -> void
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 f32 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
//! expect image 0.1 f32 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 -2.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 7.5 0.0 0.0
[[group(0), binding(1)]] var t : [[access(write)]] texture_storage_2d_array<r32float>;
[[stage(compute)]]
fn main() -> void {
  textureStore(t, vec2<i32>(1, 1), 2, vec4<f32>(7.5, 9.0, 9.0, 9.0));
  textureStore(t, vec2<i32>(3, 0), 1, vec4<f32>(-2.0, 9.0, 9.0, 9.0));
}


//# textureStore_5.wgsl
//! row textureStore (t : [[access(write)]] texture_storage_3d<F>, coords : vec3<i32>, value : vec4<T>) -> void
//! image 0.1 R32_SFLOAT 3d 4x2x2 f32 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
//! expect image 0.1 f32 0.0 0.0 0.0 -2.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 7.5 0.0 0.0
[[group(0), binding(1)]] var t : [[access(write)]] texture_storage_3d<r32float>;
[[stage(compute)]]
fn main() -> void {
  textureStore(t, vec3<i32>(1, 1, 1), vec4<f32>(7.5, 9.0, 9.0, 9.0));
  textureStore(t, vec3<i32>(3, 0, 0), vec4<f32>(-2.0, 9.0, 9.0, 9.0));
}


//# textureLoad_35.wgsl
//! row textureLoad (t : [[access(read)]] texture_storage_1d<F>, coords : i32) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 1d 4 f32 1.0 2.0 3.0 4.0
//! expect 0.0 f32 2.0 0.0 0.0 1.0 4.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_1d<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, 1);
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, 3);
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_36.wgsl
//! row textureLoad (t : [[access(read)]] texture_storage_2d<F>, coords : vec2<i32>) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 2d 4x2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0
//! expect 0.0 f32 6.0 0.0 0.0 1.0 4.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_2d<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, vec2<i32>(1, 1));
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, vec2<i32>(3, 0));
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# textureLoad_37.wgsl
//! row textureLoad (t : [[access(read)]] texture_storage_3d<F>, coords : vec3<i32>) -> vec4<T>
//! bind 0.0 f32 zeros 8
//! image 0.1 R32_SFLOAT 3d 4x2x2 f32 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0
//! expect 0.0 f32 14.0 0.0 0.0 1.0 4.0 0.0 0.0 1.0
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<f32, 8>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[group(0), binding(1)]] var t : [[access(read)]] texture_storage_3d<r32float>;
[[stage(compute)]]
fn main() -> void {
  const r0 : vec4<f32> = textureLoad(t, vec3<i32>(1, 1, 1));
  d.v[0] = r0.x;
  d.v[1] = r0.y;
  d.v[2] = r0.z;
  d.v[3] = r0.w;
  const r1 : vec4<f32> = textureLoad(t, vec3<i32>(3, 0, 0));
  d.v[4] = r1.x;
  d.v[5] = r1.y;
  d.v[6] = r1.z;
  d.v[7] = r1.w;
}


//# vertex_index.wgsl
//! row vertex_index in u32
//! vertices 5
//! expect out Position.0 f32 0 2 4 6 8
[[builtin(vertex_index)]] var<in> i : u32;
[[builtin(position)]] var<out> p : vec4<f32>;
[[stage(vertex)]]
fn main() -> void { p = vec4<f32>(f32(i) * 2.0, 0.0, 0.0, 1.0); }


//# instance_index.wgsl
//! row instance_index in u32
//! vertices 5
//! given instance 2
//! expect out Position.0 f32 4*5
[[builtin(instance_index)]] var<in> i : u32;
[[builtin(position)]] var<out> p : vec4<f32>;
[[stage(vertex)]]
fn main() -> void { p = vec4<f32>(f32(i) * 2.0, 0.0, 0.0, 1.0); }


//# position.wgsl
//! row position out vec4<f32>
//! vertices 3
//! input 0.0 f32 1 2 3
//! expect out Position.0 f32 1 2 3
//! expect out Position.1 f32 -2 -4 -6
//! expect out Position.2 f32 0.5*3
//! expect out Position.3 f32 1*3
[[location(0)]] var<in> a : f32;
[[builtin(position)]] var<out> p : vec4<f32>;
[[stage(vertex)]]
fn main() -> void { p = vec4<f32>(a, 2.0 * a, 0.5, 1.0); }


//# frag_coord.wgsl
//! row frag_coord in vec4<f32>
//! pixels 8 4
//! expect out 0.0 f32 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5
//! expect out 0.1 f32 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 3.5 3.5 3.5 3.5 3.5 3.5 3.5 3.5
//! expect out 0.3 f32 1*32
[[builtin(frag_coord)]] var<in> c : vec4<f32>;
[[location(0)]] var<out> o : vec4<f32>;
[[stage(fragment)]]
fn main() -> void { o = c; }


//# front_facing.wgsl
//! row front_facing in bool
//! pixels 8 4
//! expect out 0.0 u32 1*32
[[builtin(front_facing)]] var<in> front : bool;
[[location(0)]] var<out> o : u32;
[[stage(fragment)]]
fn main() -> void { if (front) { o = 1u; } else { o = 2u; } }


//# frag_depth.wgsl
//! row frag_depth out f32
//! pixels 8 4
//! expect out FragDepth.0 f32 0.25*32
[[builtin(frag_depth)]] var<out> z : f32;
[[stage(fragment)]]
fn main() -> void { z = 0.25; }


//# sample_index.wgsl
//! row sample_index in u32
//! pixels 8 4
//! given samples 4
//! given sample_id 2
//! expect out 0.0 u32 2*32
[[builtin(sample_index)]] var<in> i : u32;
[[location(0)]] var<out> o : u32;
[[stage(fragment)]]
fn main() -> void { o = i; }


//# sample_mask_in.wgsl
//! row sample_mask_in in u32
//! pixels 8 4
//! given samples 4
//! given sample_mask 5
//! expect out 0.0 u32 5*32
[[builtin(sample_mask_in)]] var<in> m : u32;
[[location(0)]] var<out> o : u32;
[[stage(fragment)]]
fn main() -> void { o = m; }


//# sample_mask_out.wgsl
//! row sample_mask_out out u32
//! pixels 8 4
//! expect out SampleMask.0 u32 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0
[[builtin(frag_coord)]] var<in> c : vec4<f32>;
[[builtin(sample_mask_out)]] var<out> m : u32;
[[stage(fragment)]]
fn main() -> void { m = 1u - (u32(c.x) & 1u); }


//# local_invocation_id.wgsl
//! row local_invocation_id in vec3<u32>
//! dispatch 2 3 1
//! bind 0.0 u32 zeros 48
//! expect 0.0 u32 0 1 2 3 0 1 2 3 10 11 12 13 10 11 12 13 0 1 2 3 0 1 2 3 10 11 12 13 10 11 12 13 0 1 2 3 0 1 2 3 10 11 12 13 10 11 12 13
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 48>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(local_invocation_id)]] var<in> a : vec3<u32>;
[[builtin(global_invocation_id)]] var<in> g : vec3<u32>;
[[stage(compute), workgroup_size(4, 2)]]
fn main() -> void { d.v[g.x + 8u * g.y] = a.x + 10u * a.y + 100u * a.z; }


//# local_invocation_index.wgsl
//! row local_invocation_index in u32
//! dispatch 2 3 1
//! bind 0.0 u32 zeros 48
//! expect 0.0 u32 0 1 2 3 0 1 2 3 4 5 6 7 4 5 6 7 0 1 2 3 0 1 2 3 4 5 6 7 4 5 6 7 0 1 2 3 0 1 2 3 4 5 6 7 4 5 6 7
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 48>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(local_invocation_index)]] var<in> a : u32;
[[builtin(global_invocation_id)]] var<in> g : vec3<u32>;
[[stage(compute), workgroup_size(4, 2)]]
fn main() -> void { d.v[g.x + 8u * g.y] = a; }


//# global_invocation_id.wgsl
//! row global_invocation_id in vec3<u32>
//! dispatch 2 3 1
//! bind 0.0 u32 zeros 48
//! expect 0.0 u32 0 1 2 3 4 5 6 7 10 11 12 13 14 15 16 17 20 21 22 23 24 25 26 27 30 31 32 33 34 35 36 37 40 41 42 43 44 45 46 47 50 51 52 53 54 55 56 57
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 48>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(global_invocation_id)]] var<in> a : vec3<u32>;
[[stage(compute), workgroup_size(4, 2)]]
fn main() -> void { d.v[a.x + 8u * a.y] = a.x + 10u * a.y + 100u * a.z; }


//# workgroup_id.wgsl
//! row workgroup_id in vec3<u32>
//! dispatch 2 3 1
//! bind 0.0 u32 zeros 48
//! expect 0.0 u32 0 0 0 0 1 1 1 1 0 0 0 0 1 1 1 1 10 10 10 10 11 11 11 11 10 10 10 10 11 11 11 11 20 20 20 20 21 21 21 21 20 20 20 20 21 21 21 21
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 48>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(workgroup_id)]] var<in> a : vec3<u32>;
[[builtin(global_invocation_id)]] var<in> g : vec3<u32>;
[[stage(compute), workgroup_size(4, 2)]]
fn main() -> void { d.v[g.x + 8u * g.y] = a.x + 10u * a.y + 100u * a.z; }


//# workgroup_size.wgsl
//! row workgroup_size in vec3<u32>
//! dispatch 2 3 1
//! bind 0.0 u32 zeros 48
//! expect 0.0 u32 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124 124
[[block]] struct Out { [[offset(0)]] v : [[stride(4)]] array<u32, 48>; };
[[group(0), binding(0)]] var<storage> d : [[access(read_write)]] Out;
[[builtin(workgroup_size)]] var<in> a : vec3<u32>;
[[builtin(global_invocation_id)]] var<in> g : vec3<u32>;
[[stage(compute), workgroup_size(4, 2)]]
fn main() -> void { d.v[g.x + 8u * g.y] = a.x + 10u * a.y + 100u * a.z; }

