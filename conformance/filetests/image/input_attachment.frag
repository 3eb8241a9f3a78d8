//! test OpImageRead
//! image 0.1 R32_SFLOAT 2d 8x4 f32 iota 32
//! image 0.2 R32_UINT 2d 8x4 u32 iota 32
//! pixels 8 4
//! target R32G32_SFLOAT
//! expect target f32 0 0 1 2 2 4 3 6 4 8 5 10 6 12 7 14 8 16 9 18 10 20 11 22 12 24 13 26 14 28 15 30 16 32 17 34 18 36 19 38 20 40 21 42 22 44 23 46 24 48 25 50 26 52 27 54 28 56 29 58 30 60 31 62
#version 460
// What is at the pixel in an input attachment.
layout(input_attachment_index = 0, set = 0, binding = 1) uniform subpassInput a;
layout(input_attachment_index = 1, set = 0, binding = 2) uniform usubpassInput b;
layout(location = 0) out vec4 o;
void main() { o = vec4(subpassLoad(a).x, float(subpassLoad(b).x) * 2.0, 0.0, 0.0); }
