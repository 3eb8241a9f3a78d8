//! test OpArrayLength
// Nine words: two of the head, three whole vec2 and half of one.
//! bind 0.0 u32 zeros 4
//! bind 0.1 u32 zeros 9
//! dispatch 1 1 1
//! expect 0.0 u32 304*4
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


layout(set = 0, binding = 1) buffer In { uint head[2]; vec2 tail[]; };
void main() {
    d[gl_GlobalInvocationID.x] = tail.length() * 100 + d.length();
}
