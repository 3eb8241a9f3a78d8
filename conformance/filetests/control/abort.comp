//! test OpAbortKHR
//! newer
// One invocation of several groups aborts, in a function that a loop calls, with numbers of each kind. Others run on or
// end. Spec: SPV_KHR_abort.
//! bind 0.0 u32 zeros 128
//! dispatch 2 1 1
//! aborts entry point `main` aborted: [101, 0, 0] 3 * 101 is 303, or -303, half of it 151.5
#version 450
#extension GL_EXT_abort : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint words[]; };

void check(uint turn, uint i) {
    if (turn * i == 303u) {
        abortEXT("%u * %u is %u, or %d, half of it %f", turn, i, turn * i, -int(turn * i), float(turn * i) * 0.5);
    }
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    for (uint turn = 0u; turn < 4u; turn++) {
        check(turn, i);
        words[i] += turn;
    }
}
