#version 320 es
//! feature preprocessor: #version number profile
//! bind 0.0 i32 zeros 3
//! expect 0.0 i32 320 1 0
// The version comes first in this profile.
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
    d[0] = __VERSION__;
    d[1] = GL_ES;
#ifdef GL_core_profile
    d[2] = 1;
#endif
}
