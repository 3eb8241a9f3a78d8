//! test OpImageRead
//! image 0.1[0] R32_SFLOAT 2d 8x4 f32 iota 32
//! image 0.1[1] R32_SFLOAT 2d 8x4 f32 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131
//! pixels 8 4
//! target R32_SFLOAT
//! expect target f32 0 101 2 103 4 105 6 107 8 109 10 111 12 113 14 115 16 117 18 119 20 121 22 123 24 125 26 127 28 129 30 131
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(input_attachment_index = 0, set = 0, binding = 1) uniform subpassInput a[2];
layout(location = 0) out vec4 o;
void main() { int i = int(gl_FragCoord.x) & 1; o = vec4(subpassLoad(a[nonuniformEXT(i)]).x); }
