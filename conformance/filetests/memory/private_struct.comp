//! test OpVariable, OpCompositeExtract
// Copies of structures do not share memory.
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 680 2091423 4025896 6031673 8092412 10055895 12062672 14093301 16087294 18093659 20094350 22116693 24124664 26095179 28148692 30155645
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


struct S { vec3 p; mat2x3 m; uint list[3]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    S s;
    s.p = vec3(i, i + 1, i + 2);
    s.m = mat2x3(s.p, s.p * 2.0);
    for (int k = 0; k < 3; k++) s.list[k] = i * k;
    S t = s;
    t.m[i % 2][i % 3] = 50.0;
    t.list[i % 3] = 9;
    vec3 v = t.m[0] + t.m[1];
    d[i] = uint(v.x + v.y * 10.0 + v.z * 100.0) + t.list[1] * 10000 + s.list[2] * 1000000;
}
