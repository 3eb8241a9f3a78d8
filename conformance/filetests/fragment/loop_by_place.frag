//! test OpDPdx, OpLoopMerge
// The loop ends in all quads with a covered pixel, and does not wait for the others.
//! pixels 8 4
//! covered 10000001 00000001 00100000 00000000
//! expect out 0.0 f32 2 _ _ _ _ _ _ 2 _ _ _ _ _ _ _ 2 _ _ 2 _ _*12
#version 450
layout(location = 0) out float o;
void main() {
    bool uncovered = gl_FragCoord.x > 2.0 && gl_FragCoord.x < 6.0 && gl_FragCoord.y < 2.0
        || gl_FragCoord.x < 2.0 && gl_FragCoord.y > 2.0;
    float d = dFdx(gl_FragCoord.x), turns = 0.0;
    for (float x = 0.0; x < 1.0; x += uncovered ? 0.0 : 0.5) turns += d;
    o = turns;
}
