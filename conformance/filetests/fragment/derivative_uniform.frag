//! test OpDPdx
// The same infinity in all lanes: not a number between two of them, but 0 where the partner is not there.
//! bind 0.0 f32 inf
//! pixels 8 4
//! expect out 0.0 f32 7 0 7 0 7 0 7 0 7 0 7 0 7 0 7 0 7 0 7 0 7 0 7 0 7 0 7 0 7 0 7 0
#version 450
layout(binding = 0) readonly buffer In { float u; };
layout(location = 0) out float colour;
void main() {
    float d = 7.0;
    if ((int(gl_FragCoord.x) & 1) == 1) d = dFdx(u);
    colour = d;
}
