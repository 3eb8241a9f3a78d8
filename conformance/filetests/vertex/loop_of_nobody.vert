//! test OpLoopMerge
// A loop without an end, which no vertex enters. Lanes behind the last vertex, where the input is 0, do not run it.
//! vertices 3
//! bind 0.0 f32 0
//! input 0.0 f32 0.5 1 2
//! expect out 0.0 u32 7 7 7
#version 450
layout(binding = 0) readonly buffer In { float by; };
layout(location = 0) in float at;
layout(location = 0) out uint o;
void main() {
    uint n = 7;
    if (at == 0.0) {
        for (float x = 0.0; x < 4.0; x += by) n++;
    }
    o = n;
    gl_Position = vec4(0.0);
}
