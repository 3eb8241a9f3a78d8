//! test OpSubgroupAllKHR, OpSubgroupAnyKHR, OpSubgroupAllEqualKHR
//! bind 0.0 u32 zeros 8
//! expect 0.0 u32 5*8
#version 460
// Votes as core GLSL spells them.
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    bool any = anyInvocation(i == 3u), all = allInvocations(i != 3u), same = allInvocationsEqual(i < 8u);
    d[i] = (any ? 1u : 0u) + (all ? 2u : 0u) + (same ? 4u : 0u);
}
