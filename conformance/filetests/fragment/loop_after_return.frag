//! test OpDPdx, OpLoopMerge, OpReturn
// All covered pixels and their helper invocations return before a loop without an end.
//! pixels 8 4
//! covered 10000001 00000001 00100000 00000000
//! bind 0.0 f32 0
//! expect out 0.0 f32 1 _ _ _ _ _ _ 1 _ _ _ _ _ _ _ 1 _ _ 1 _ _*12
#version 450
layout(binding = 0) readonly buffer In { float by; };
layout(location = 0) out float o;
void main() {
    bool uncovered = gl_FragCoord.x > 2.0 && gl_FragCoord.x < 6.0 && gl_FragCoord.y < 2.0
        || gl_FragCoord.x < 2.0 && gl_FragCoord.y > 2.0;
    o = dFdx(gl_FragCoord.x);
    if (!uncovered) return;
    for (float x = 0.0; x < 1.0; x += by) o += 1.0;
}
