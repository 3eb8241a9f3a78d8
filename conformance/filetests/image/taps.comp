//! test OpImageFetch, OpImageRead
// Several reads of one image that do not depend on each other, where some invocations are away, in a loop, and where
// one depends on another.
//! image 0.1 R32_SFLOAT 4 2 f32 0 1 2 3 4 5 6 7
//! image 0.2 R32_SFLOAT 4 2 f32 7 6 5 4 3 2 1 0
//! bind 0.0 f32 zeros 24
//! dispatch 1 1 1
//! expect 0.0 f32 -1 54321 65432 -1 7654 10765 -1 32107 70 91 112 85 66 55 52 57 0 1 2 3 4 5 6 7
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1, r32f) readonly uniform image2D t;
layout(set = 0, binding = 2) uniform sampler2D u;

float at(uint i) {
    return imageLoad(t, ivec2(i % 4, (i / 4) % 2)).x;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    d[i] = -1.0;
    if (i % 3 != 0)
        d[i] = at(i) + 10.0 * at(i + 1) + 100.0 * at(i + 2) + 1000.0 * at(i + 3) + 10000.0 * at(i + 4);
    float sum = 0.0;
    for (uint k = 0; k < 6; k++) sum += at(i + k) * float(k + 1);
    d[8 + i] = sum;
    uint back = uint(texelFetch(u, ivec2(i % 4, i / 4), 0).x);
    d[16 + i] = texelFetch(u, ivec2(back % 4, back / 4), 0).x;
}
