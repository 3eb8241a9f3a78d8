//! test OpImageRead, OpImageWrite
//! image 0.1 R16G16_SFLOAT 2 1 f16 1.5 -2 0 0
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 1.5 -2 0 1
//! expect image 0.1 f16 1.5 -2 3 4
#version 460
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { vec4 d[]; };
layout(set = 0, binding = 1) uniform image2D a;
void main() {
    d[0] = imageLoad(a, ivec2(0, 0));
    imageStore(a, ivec2(1, 0), vec4(3.0, 4.0, 5.0, 6.0));
}
