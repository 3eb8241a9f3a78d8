//! test OpImageRead, OpImageWrite
// Normalized: clamped, 0.5 is 127.5, to even 128.
//! image 0.1 R8G8B8A8_UNORM 4 2 u32 0x04030201 0x08070605 zeros 6
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 4001 8005 0*6
//! expect image 0.1 u32 0x8000ff02 0x8000ff06 0x8000ff00*6
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1, rgba8) uniform image2D t;

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 p = ivec2(i % 4, i / 4);
    vec4 v = imageLoad(t, p);
    if (i < 8) {
        d[i] = uint(v.x * 255.0 + 0.5) + 1000 * uint(v.w * 255.0 + 0.5);
        imageStore(t, p, vec4(v.y, 2.0, -1.0, 0.5));
    }
}
