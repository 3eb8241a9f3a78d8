//! test OpReturn
// Outputs are those stored before the return.
//! pixels 8 4
//! expect out 0.0 f32 1*4 2*4 1*4 2*4 1*4 2*4 1*4 2*4
//! expect out 0.3 f32 1*32
#version 450
layout(location = 0) out vec4 o;
void main() {
    o = vec4(1.0);
    if (gl_FragCoord.x < 4.0) return;
    o.x = 2.0;
}
