//! test OpDPdx, OpGroupNonUniformBallot, OpLoopMerge
// Quads without a covered pixel have no invocations, not even helpers: subgroup operations do not see them, and the loop, which
// ends in all other quads, does not wait for them.
//! pixels 8 4
//! covered 10000001 00000001 00100000 00000000
//! expect out 0.0 f32 4 _ _ _ _ _ _ 4 _ _ _ _ _ _ _ 4 _ _ 4 _ _*12
//! expect out 0.1 f32 2 _ _ _ _ _ _ 2 _ _ _ _ _ _ _ 2 _ _ 2 _ _*12
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(location = 0) out vec2 o;
void main() {
    bool uncovered = gl_FragCoord.x > 2.0 && gl_FragCoord.x < 6.0 && gl_FragCoord.y < 2.0
        || gl_FragCoord.x < 2.0 && gl_FragCoord.y > 2.0;
    uint n = subgroupBallotBitCount(subgroupBallot(true));
    float d = dFdx(gl_FragCoord.x), turns = 0.0;
    for (float x = 0.0; x < 1.0; x += uncovered ? 0.0 : 0.5) turns += d;
    o = vec2(n, turns);
}
