//! test OpGroupNonUniformBallot
// Pixels that are not covered, and are no helper invocations, are not active.
//! pixels 8 4
//! covered 11101111 11001111 11111000 11110000
//! expect out 0.0 f32 5 5 5 0 8 8 8 8 5 5 0 0 8 8 8 8 8 8 8 8 1 0*3 8 8 8 8 0*4
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(location = 0) out float o;
void main() { o = float(subgroupBallotBitCount(subgroupBallot(true))); }
