//! test OpLoopMerge
// The loop ends for each vertex. Lanes behind the last vertex, where the input is 0, do not run it.
//! vertices 3
//! input 0.0 f32 0.5 1 2
//! expect out 0.0 u32 8 4 2
#version 450
layout(location = 0) in float by;
layout(location = 0) out uint o;
void main() {
    uint n = 0;
    for (float x = 0.0; x < 4.0; x += by) n++;
    o = n;
    gl_Position = vec4(0.0);
}
