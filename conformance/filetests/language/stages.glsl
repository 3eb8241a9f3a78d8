// Layouts, built-ins and interpolation of the stages.

//# triangles.tese
//! feature layout tess-eval in: triangles / quads / isolines | equal_spacing / fractional_even_spacing / fractional_odd_spacing | cw / ccw
//! modes domain: Some(Triangles), spacing: Some(Equal), order: Some(Cw), point_mode: false
//! patches 1 1
//! input Position.0 f32 7
//! coords f32 0.25 0.5 0.25 1 0 0
//! expect out Position.0 f32 7*2
//! expect out 0.0 f32 0.5 2
//! expect out 0.1 f32 1 0
//! expect out 0.2 f32 0.5 0
#version 460
layout(triangles, equal_spacing, cw) in;
layout(location = 0) out vec3 o;
void main() { gl_Position = gl_in[0].gl_Position; o = gl_TessCoord * 2.0; }

//# quads.tese
//! feature layout tess-eval in: triangles / quads / isolines | equal_spacing / fractional_even_spacing / fractional_odd_spacing | cw / ccw
//! modes domain: Some(Quads), spacing: Some(FractionalEven), order: Some(Ccw), point_mode: false
//! patches 1 1
//! input Position.0 f32 7
//! coords f32 0.25 0.5 0 1 0 0
//! expect out Position.0 f32 7*2
//! expect out 0.0 f32 0.5 2
//! expect out 0.1 f32 1 0
#version 460
layout(quads, fractional_even_spacing, ccw) in;
layout(location = 0) out vec3 o;
void main() { gl_Position = gl_in[0].gl_Position; o = gl_TessCoord * 2.0; }

//# isolines.tese
//! feature layout tess-eval in: triangles / quads / isolines | equal_spacing / fractional_even_spacing / fractional_odd_spacing
//! modes domain: Some(Isolines), spacing: Some(FractionalOdd)
//! patches 1 1
//! input Position.0 f32 7
//! coords f32 0.25 0.5 0 1 0 0
//! expect out Position.0 f32 7*2
//! expect out 0.0 f32 0.5 2
//! expect out 0.1 f32 1 0
#version 460
layout(isolines, fractional_odd_spacing) in;
layout(location = 0) out vec3 o;
void main() { gl_Position = gl_in[0].gl_Position; o = gl_TessCoord * 2.0; }

//# point_mode.tese
//! feature layout tess-eval in: point_mode
//! modes point_mode: true
//! patches 1 1
//! input Position.0 f32 7
//! coords f32 0.25 0.5 0.25
//! expect out Position.0 f32 7*1
//! expect out 0.1 f32 1
#version 460
layout(triangles, point_mode) in;
layout(location = 0) out vec3 o;
void main() { gl_Position = gl_in[0].gl_Position; o = gl_TessCoord * 2.0; }

//# points.geom
//! feature layout geometry in: points
//! feature layout geometry out: points / line_strip / triangle_strip | max_vertices = N
//! feature builtins: gl_PerVertex blocks in/out, redeclaration
//! modes input: Points, output: Points, max_vertices: 3
//! primitives 2
//! input Position.0 f32 1 2
//! expect count u32 3 3
//! expect strips u32 1 0 0 1 0 0
//! expect out Position.0 f32 1 2 3 2 3 4
#version 460
layout(points) in;
layout(points, max_vertices = 3) out;
void main() {
    float sum = 0.0;
    for (int i = 0; i < gl_in.length(); i++) sum += gl_in[i].gl_Position.x;
    for (int i = 0; i < 3; i++) { gl_Position = vec4(sum + float(i), 0.0, 0.0, 1.0); EmitVertex(); }
}

//# lines.geom
//! feature layout geometry in: lines
//! feature layout geometry out: points / line_strip / triangle_strip | max_vertices = N
//! feature builtins: gl_PerVertex blocks in/out, redeclaration
//! modes input: Lines, output: LineStrip, max_vertices: 3
//! primitives 2
//! input Position.0 f32 1 2 3 4
//! expect count u32 3 3
//! expect strips u32 1 0 0 1 0 0
//! expect out Position.0 f32 3 4 5 7 8 9
#version 460
layout(lines) in;
layout(line_strip, max_vertices = 3) out;
void main() {
    float sum = 0.0;
    for (int i = 0; i < gl_in.length(); i++) sum += gl_in[i].gl_Position.x;
    for (int i = 0; i < 3; i++) { gl_Position = vec4(sum + float(i), 0.0, 0.0, 1.0); EmitVertex(); }
}

//# lines_adjacency.geom
//! feature layout geometry in: lines_adjacency
//! feature layout geometry out: points / line_strip / triangle_strip | max_vertices = N
//! feature builtins: gl_PerVertex blocks in/out, redeclaration
//! modes input: LinesAdjacency, output: LineStrip, max_vertices: 3
//! primitives 2
//! input Position.0 f32 1 2 3 4 5 6 7 8
//! expect count u32 3 3
//! expect strips u32 1 0 0 1 0 0
//! expect out Position.0 f32 10 11 12 26 27 28
#version 460
layout(lines_adjacency) in;
layout(line_strip, max_vertices = 3) out;
void main() {
    float sum = 0.0;
    for (int i = 0; i < gl_in.length(); i++) sum += gl_in[i].gl_Position.x;
    for (int i = 0; i < 3; i++) { gl_Position = vec4(sum + float(i), 0.0, 0.0, 1.0); EmitVertex(); }
}

//# triangles.geom
//! feature layout geometry in: triangles
//! feature layout geometry out: points / line_strip / triangle_strip | max_vertices = N
//! feature builtins: gl_PerVertex blocks in/out, redeclaration
//! modes input: Triangles, output: TriangleStrip, max_vertices: 3
//! primitives 2
//! input Position.0 f32 1 2 3 4 5 6
//! expect count u32 3 3
//! expect strips u32 1 0 0 1 0 0
//! expect out Position.0 f32 6 7 8 15 16 17
#version 460
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
void main() {
    float sum = 0.0;
    for (int i = 0; i < gl_in.length(); i++) sum += gl_in[i].gl_Position.x;
    for (int i = 0; i < 3; i++) { gl_Position = vec4(sum + float(i), 0.0, 0.0, 1.0); EmitVertex(); }
}

//# triangles_adjacency.geom
//! feature layout geometry in: triangles_adjacency
//! feature layout geometry out: points / line_strip / triangle_strip | max_vertices = N
//! feature builtins: gl_PerVertex blocks in/out, redeclaration
//! modes input: TrianglesAdjacency, output: TriangleStrip, max_vertices: 3
//! primitives 2
//! input Position.0 f32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect count u32 3 3
//! expect strips u32 1 0 0 1 0 0
//! expect out Position.0 f32 21 22 23 57 58 59
#version 460
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 3) out;
void main() {
    float sum = 0.0;
    for (int i = 0; i < gl_in.length(); i++) sum += gl_in[i].gl_Position.x;
    for (int i = 0; i < 3; i++) { gl_Position = vec4(sum + float(i), 0.0, 0.0, 1.0); EmitVertex(); }
}

//# max_vertices.geom
//! feature layout geometry out: max_vertices = N
//! primitives 1
//! modes max_vertices: 4
//! expect count u32 4
//! expect out 0.0 f32 0 1 2 3
#version 460
layout(points) in;
layout(points, max_vertices = 4) out;
layout(location = 0) out float o;
void main() { for (int i = 0; i < 4; i++) { o = float(i); EmitVertex(); } }

//# invocations.geom
//! feature layout geometry in: invocations = N
//! modes invocations: 3
//! primitives 2
//! input 0.0 f32 10 20
//! expect out 0.0 f32 10 11 12 20 21 22
#version 460
layout(points, invocations = 3) in;
layout(points, max_vertices = 1) out;
layout(location = 0) in float a[];
layout(location = 0) out float o;
void main() { o = a[0] + float(gl_InvocationID); EmitVertex(); }

//# control.tesc
//! feature layout tess-control out: vertices = N
//! feature builtins: gl_TessLevelOuter/Inner | gl_PerVertex blocks in/out, redeclaration | barrier(): uniform flow; tess-control only in main outside control flow
//! modes output_vertices: Some(4)
//! patches 2 3
//! input Position.0 f32 1 2 3 4 5 6
//! expect out Position.0 f32 1 2 3 10 4 5 6 40
//! expect patch TessLevelOuter.0 f32 6 15
//! expect patch TessLevelOuter.1 f32 2 2
//! expect patch TessLevelInner.1 f32 3 3
#version 460
layout(vertices = 4) out;
void main() {
    int i = gl_InvocationID;
    gl_out[gl_InvocationID].gl_Position = i < 3 ? gl_in[i].gl_Position : gl_in[0].gl_Position * 10.0;
    barrier();
    if (i == 1) {
        gl_TessLevelOuter[0] = gl_out[0].gl_Position.x + gl_out[1].gl_Position.x + gl_out[2].gl_Position.x;
        gl_TessLevelOuter[1] = 2.0;
        gl_TessLevelInner[1] = 3.0;
    }
}

//# control_barrier.tesc
//! feature builtins: barrier(): uniform flow; tess-control only in main outside control flow
//! error barrier
#version 460
layout(vertices = 4) out;
void main() { if (gl_InvocationID == 1) barrier(); }

//# control_barrier_function.tesc
//! feature builtins: barrier(): uniform flow; tess-control only in main outside control flow
//! error barrier
#version 460
layout(vertices = 4) out;
void f() { barrier(); }
void main() { f(); }

//# barrier.comp
//! feature builtins: barrier(): uniform flow; tess-control only in main outside control flow
//! bind 0.0 i32 zeros 4
//! expect 0.0 i32 3 0 1 2
#version 460
layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
shared int a[4];
void main() {
    a[gl_LocalInvocationIndex] = int(gl_LocalInvocationIndex);
    barrier();
    d[gl_LocalInvocationIndex] = a[(gl_LocalInvocationIndex + 3u) % 4u];
}

//# streams.geom
//! feature layout output: stream = N (geometry)
//! feature builtins: multi-stream EmitStreamVertex / EndStreamPrimitive (points only)
//! primitives 2
//! input 0.0 f32 5 6
//! expect count u32 1 1
//! expect count@2 u32 2 2
//! expect out 0.0 f32 5 6
//! expect out 1.0@2 f32 6 7 7 8
#version 460
layout(points) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in float a[];
layout(location = 0) out float x;
layout(stream = 2) out;
layout(location = 1) out float y;
void main() {
    x = a[0]; EmitStreamVertex(0); EndStreamPrimitive(0);
    y = a[0] + 1.0; EmitStreamVertex(2); EndStreamPrimitive(2);
    y = a[0] + 2.0; EmitStreamVertex(2); EndStreamPrimitive(2);
}

//# capture.vert
//! feature layout output: xfb_buffer | xfb_offset | xfb_stride
//! vertices 1
//! expect out 0.0 f32 5
//! expect xfb u32 2 0 0 0 1 4 1 1 8
//! expect xfb_buffers u32 8 0 16 0 0 0 0 0
#version 460
layout(xfb_buffer = 1, xfb_stride = 16) out;
layout(location = 0, xfb_offset = 4) out vec2 a;
layout(location = 1, xfb_buffer = 0, xfb_stride = 8, xfb_offset = 0) out float b;
void main() { a = vec2(5.0); b = 6.0; }

//# frag_coord.frag
//! feature layout fragment in: origin_upper_left / pixel_center_integer on gl_FragCoord
//! pixels 8 4
//! expect out 0.0 f32 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5
//! expect out 0.1 f32 0.5*8 1.5*8 2.5*8 3.5*8
#version 460
layout(origin_upper_left) in vec4 gl_FragCoord;
layout(location = 0) out vec2 o;
void main() { o = gl_FragCoord.xy; }

//# frag_coord_integer.frag
//! feature layout fragment in: origin_upper_left / pixel_center_integer on gl_FragCoord
//! error PixelCenterInteger is not allowed
#version 460
layout(pixel_center_integer) in vec4 gl_FragCoord;
layout(location = 0) out vec2 o;
void main() { o = gl_FragCoord.xy; }

//# interpolated.frag
//! feature interpolation: smooth (default) | noperspective
//! pixels 8 4
//! plane 0.0 f32 0 1 0
//! plane 1.0 f32 0 1 0
//! plane 2.0 f32 0 1 0
//! inv_w 0.5 0 0
//! expect out 0.0 f32 1 3 5 7 9 11 13 15
//! expect out 0.1 f32 1 3 5 7 9 11 13 15
//! expect out 0.2 f32 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5
#version 460
// Planes of smooth inputs are of value / w; 1 / w is 1/2 here.
layout(location = 0) in float a;
layout(location = 1) smooth in float b;
layout(location = 2) noperspective in float e;
layout(location = 0) out vec3 o;
void main() { o = vec3(a, b, e); }

//# masks.frag
//! feature builtins: gl_SampleMask / gl_SampleMaskIn
//! pixels 8 4
//! given sample_mask 13
//! given samples 4
//! expect out 0.0 i32 13*32
//! expect out SampleMask.0 u32 5*32
#version 460
layout(location = 0) out int o;
void main() { o = gl_SampleMaskIn[0]; gl_SampleMask[0] = gl_SampleMaskIn[0] & 7; }

//# derivatives.frag
//! feature builtins: derivatives fine/coarse
//! pixels 8 4
//! plane 0.0 f32 1 2 3
//! expect out 0.0 f32 2*32
//! expect out 0.1 f32 3*32
//! expect out 0.2 f32 5*32
//! expect out 0.3 f32 2*32
//! expect out 1.0 f32 3*32
//! expect out 1.1 f32 5*32
//! expect out 1.2 f32 2*32
//! expect out 1.3 f32 8*32
#version 460
layout(location = 0) in float a;
layout(location = 0) out vec4 o;
layout(location = 1) out vec4 p;
void main() {
    o = vec4(dFdx(a), dFdy(a), fwidth(a), dFdxFine(a));
    p = vec4(dFdyFine(a), fwidthFine(a), dFdxCoarse(a), dFdyCoarse(a) + fwidthCoarse(a));
}

//# interpolate.frag
//! feature builtins: interpolateAt* (l-value argument; struct members, swizzles)
//! pixels 8 4
//! plane 0.0 f32 0 1 0
//! plane 1.0 f32 0 0 1
//! plane 1.1 f32 0 2 0
//! expect out 0.0 f32 0.75 1.75 2.75 3.75 4.75 5.75 6.75 7.75
//! expect out 0.1 f32 0.25*8 1.25*8
//! expect out 0.2 f32 1 3 5 7 9 11 13 15
#version 460
layout(location = 0) in float a[1];
layout(location = 1) in B { vec2 xy; } b;
layout(location = 0) out vec3 o;
void main() {
    o.x = interpolateAtOffset(a[0], vec2(0.25, 0.0));
    o.y = interpolateAtOffset(b.xy, vec2(0.0, -0.25)).x;
    o.z = interpolateAtSample(b.xy, 0).y;
}

//# helpers.frag
//! feature builtins: gl_HelperInvocation
//! pixels 8 4
//! plane 0.0 f32 0 1 0
//! covered 10101010 10101010 00000000 10000000
//! expect out 0.0 f32 0 _ 0 _ 0
//! expect out 0.1 f32 1 _ 1 _ 1
#version 460
layout(location = 0) in float a;
layout(location = 0) out vec2 o;
void main() {
    float h = gl_HelperInvocation ? 1.0 : 0.0;
    // The neighbour in the quad is a helper.
    o = vec2(h, dFdx(h));
}

//# memory_barriers.comp
//! feature builtins: memory barriers (6)
//! bind 0.0 i32 zeros 8
//! expect 0.0 i32 2 1 4 3 6 5 8 7
#version 460
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
shared int a[8];
void main() {
    int i = int(gl_LocalInvocationIndex);
    a[i] = i + 1;
    memoryBarrier();
    memoryBarrierShared();
    memoryBarrierBuffer();
    memoryBarrierImage();
    groupMemoryBarrier();
    barrier();
    d[i] = a[i ^ 1];
}

//# votes.comp
//! feature builtins: anyInvocation/allInvocations/allInvocationsEqual
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! lanes 8
//! expect 0.0 i32 1 0 1 0
#version 460
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int i = int(gl_LocalInvocationIndex);
    bool any = anyInvocation(i == 2), all = allInvocations(i != 2), same = allInvocationsEqual(v[3] == 3);
    bool differs = allInvocationsEqual(i == 0);
    if (i == 0) { d[0] = int(any); d[1] = int(all); d[2] = int(same); d[3] = int(differs); }
}

//# implementation_constants.comp
//! feature builtins: implementation constants gl_Max*
//! bind 0.0 i32 zeros 6
//! expect 0.0 i32 1 1 1 1 1 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
    d[0] = int(gl_MaxDrawBuffers >= 8);
    d[1] = int(gl_MaxPatchVertices >= 32);
    d[2] = int(gl_MaxTessGenLevel >= 64);
    d[3] = int(gl_MaxGeometryOutputVertices >= 256);
    d[4] = int(all(greaterThanEqual(gl_MaxComputeWorkGroupSize, ivec3(1024, 1024, 64))));
    int a[gl_MaxClipDistances];
    d[5] = int(a.length() >= 8);
}

//# image_atomics.comp
//! feature builtins: image load/store/atomics (r32f only exchange)
//! bind 0.0 i32 zeros 6
//! image 0.2 R32_SINT 2 1 i32 3 4
//! image 0.3 R32_SFLOAT 1 1 f32 2
//! expect image 0.2 i32 6 9
//! expect image 0.3 f32 7
//! expect 0.0 i32 3 6 4 9 2 7
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2, r32i) coherent uniform iimage2D i;
layout(set = 0, binding = 3, r32f) coherent uniform image2D f;
void main() {
    d[0] = imageAtomicAdd(i, ivec2(0), 3);
    d[1] = imageAtomicMax(i, ivec2(0), 4);
    d[2] = imageAtomicExchange(i, ivec2(1, 0), 9);
    d[3] = imageLoad(i, ivec2(1, 0)).x;
    d[4] = int(imageAtomicExchange(f, ivec2(0), 7.0));
    d[5] = int(imageLoad(f, ivec2(0)).x);
}

//# image_atomics_float.comp
//! feature builtins: image load/store/atomics (r32f only exchange)
//! error imageAtomicMax
#version 460
layout(binding = 0, r32f) uniform image2D f;
void main() { imageAtomicMax(f, ivec2(0), 1.0); }

//# textures.frag
//! feature builtins: texture built-ins: implicit LOD only in fragment; bias only in fragment; array layer rounding
//! image 0.1 R32_SFLOAT 2d_array 2x2 layers 3 levels 2 f32 1 1 1 1 2 2 2 2 3 3 3 3 10 20 30
//! sampler 0.1 nearest clamp
//! pixels 8 4
//! target R32G32B32A32_SFLOAT
//! expect target f32 2 20 3 1
#version 460
// Layers are rounded to the nearest; a bias of 8 chooses the last level.
layout(set = 0, binding = 1) uniform sampler2DArray t;
layout(location = 0) out vec4 o;
void main() {
    vec2 at = vec2(0.5) + gl_FragCoord.xy * 0.001;
    o = vec4(texture(t, vec3(at, 0.6)).x, texture(t, vec3(at, 1.4), 16.0).x, texture(t, vec3(at, 9.0)).x, texture(t, vec3(at, -4.0)).x);
}

//# textures_bias.comp
//! feature builtins: texture built-ins: implicit LOD only in fragment; bias only in fragment; array layer rounding
//! error texture with bias argument
#version 460
layout(binding = 0) uniform sampler2D t;
layout(binding = 1) buffer B { float d; };
void main() { d = texture(t, vec2(0.5), 1.0).x; }

//# textures_level_0.comp
//! feature builtins: texture built-ins: implicit LOD only in fragment; bias only in fragment; array layer rounding
//! bind 0.0 i32 zeros 1
//! image 0.2 R32_SFLOAT 2d 2x2 levels 2 f32 1 1 1 1 10
//! sampler 0.2 nearest clamp
//! expect 0.0 i32 1
#version 460
// Other stages have no derivatives: the base level is read.
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler2D t;
void main() {
    d[0] = int(texture(t, vec2(0.5)).x);
}

//# depth_any.frag
//! feature layout fragment out: depth_any / depth_greater / depth_less / depth_unchanged on gl_FragDepth
//! pixels 8 4
//! plane 0.0 f32 0 0.0625 0
//! expect out FragDepth.0 f32 0.03125 0.09375 0.15625
#version 460
layout(depth_any) out float gl_FragDepth;
layout(location = 0) in float a;
void main() { gl_FragDepth = a; }

//# subpass.frag
//! feature vulkan glsl: layout(input_attachment_index=N) subpassInput / subpassInputMS, subpassLoad
//! image 0.1 R32_SFLOAT 2d 8x4 f32 iota 32
//! image 0.2 R32_SFLOAT 2d 8x4 samples 4 f32 iota 128
//! pixels 8 4
//! target R32G32_SFLOAT
//! expect target f32 0 64 1 65 2 66 3 67 4 68 5 69 6 70 7 71 8 72 9 73 10 74 11 75 12 76 13 77 14 78 15 79 16 80 17 81 18 82 19 83 20 84 21 85 22 86 23 87 24 88 25 89 26 90 27 91 28 92 29 93 30 94 31 95
#version 460
layout(input_attachment_index = 0, set = 0, binding = 1) uniform subpassInput a;
layout(input_attachment_index = 1, set = 0, binding = 2) uniform subpassInputMS b;
layout(location = 0) out vec2 o;
void main() { o = vec2(subpassLoad(a).x, subpassLoad(b, 2).x); }

//# built_in_blocks.tesc
//! feature builtins: gl_PerVertex blocks in/out, redeclaration
//! patches 1 2
//! input Position.0 f32 1 2
//! input PointSize.0 f32 3 4
//! input ClipDistance.0 f32 5 6
//! input CullDistance.0 f32 7 8
//! expect out Position.0 f32 2 1
//! expect out PointSize.0 f32 4 3
//! expect out ClipDistance.0 f32 6 5
//! expect out CullDistance.0 f32 8 7
#version 460
layout(vertices = 2) out;
in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[1]; float gl_CullDistance[1]; } gl_in[gl_MaxPatchVertices];
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[1]; float gl_CullDistance[1]; } gl_out[];
void main() {
    int k = 1 - gl_InvocationID;
    gl_out[gl_InvocationID].gl_Position = gl_in[k].gl_Position;
    gl_out[gl_InvocationID].gl_PointSize = gl_in[k].gl_PointSize;
    gl_out[gl_InvocationID].gl_ClipDistance[0] = gl_in[k].gl_ClipDistance[0];
    gl_out[gl_InvocationID].gl_CullDistance[0] = gl_in[k].gl_CullDistance[0];
}

//# built_in_blocks.tese
//! feature builtins: gl_PerVertex blocks in/out, redeclaration
//! patches 1 2
//! input Position.0 f32 1 2
//! input PointSize.0 f32 3 4
//! input ClipDistance.0 f32 5 6
//! input CullDistance.0 f32 7 8
//! coords f32 0.5 0 0 0 0 0
//! expect out Position.0 f32 1.5 1
//! expect out PointSize.0 f32 3.5 3
//! expect out ClipDistance.0 f32 5.5 5
//! expect out CullDistance.0 f32 7.5 7
#version 460
layout(isolines) in;
in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[1]; float gl_CullDistance[1]; } gl_in[gl_MaxPatchVertices];
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[1]; float gl_CullDistance[1]; };
void main() {
    float t = gl_TessCoord.x;
    gl_Position = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t);
    gl_PointSize = mix(gl_in[0].gl_PointSize, gl_in[1].gl_PointSize, t);
    gl_ClipDistance[0] = mix(gl_in[0].gl_ClipDistance[0], gl_in[1].gl_ClipDistance[0], t);
    gl_CullDistance[0] = mix(gl_in[0].gl_CullDistance[0], gl_in[1].gl_CullDistance[0], t);
}

//# built_in_blocks.geom
//! feature builtins: gl_PerVertex blocks in/out, redeclaration
//! primitives 1
//! input Position.0 f32 1 2
//! input PointSize.0 f32 3 4
//! input ClipDistance.0 f32 5 6
//! input CullDistance.0 f32 7 8
//! expect out Position.0 f32 3
//! expect out PointSize.0 f32 7
//! expect out ClipDistance.0 f32 11
//! expect out CullDistance.0 f32 15
#version 460
layout(lines) in;
layout(points, max_vertices = 1) out;
in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[1]; float gl_CullDistance[1]; } gl_in[];
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[1]; float gl_CullDistance[1]; };
void main() {
    gl_Position = gl_in[0].gl_Position + gl_in[1].gl_Position;
    gl_PointSize = gl_in[0].gl_PointSize + gl_in[1].gl_PointSize;
    gl_ClipDistance[0] = gl_in[0].gl_ClipDistance[0] + gl_in[1].gl_ClipDistance[0];
    gl_CullDistance[0] = gl_in[0].gl_CullDistance[0] + gl_in[1].gl_CullDistance[0];
    EmitVertex();
}

//# distances.frag
//! feature builtins: gl_ClipDistance / gl_CullDistance sizing rules
//! pixels 8 4
//! plane ClipDistance.0 f32 1 1 0
//! plane ClipDistance.1 f32 2 0 0
//! plane CullDistance.0 f32 3 0 1
//! expect out 0.0 f32 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5
//! expect out 0.1 f32 2*32
//! expect out 0.2 f32 3.5*8 4.5*8
#version 460
in float gl_ClipDistance[2];
layout(location = 0) out vec3 o;
void main() { o = vec3(gl_ClipDistance[0], gl_ClipDistance[1], gl_CullDistance[0]); }
