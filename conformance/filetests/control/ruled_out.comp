//! test OpBranchConditional, OpSpecConstantFalse, OpSpecConstantOp, OpSwitch
// Specialization constants rule out branches with returns, breaks, continues and stores, and code behind those that are
// always taken.
//! bind 0.0 u32 zeros 112
//! dispatch 1 1 1
//! expect 0.0 u32 20 11 24 13 28 15 32 17 36 19 40 21 44 23 48 25 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40 3 6 9 12 15 18 21 24 27 30 33 36 39 42 45 48 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 8 8 8 8 8 8 8 8 9 10 11 12 13 14 15 16 0 3 6 9 12 15 18 21 25 28 31 34 37 40 43 46
#version 450
layout(local_size_x = 16) in;
layout(constant_id = 0) const uint MODE = 2;
layout(constant_id = 1) const bool BOUNDED = false;
layout(constant_id = 2) const uint COUNT = 3;
layout(std430, binding = 0) buffer Out { uint d[]; };

uint early(uint x) {
    if (MODE == 1) {
        if (x > 4) return 100;
        return 200;
    }
    if (MODE == 2) x += 10;
    if (BOUNDED) return x;
    if (x % 2 == 0) return x * 2;
    return x;
}

uint never(uint x) {
    if (MODE == 2) return x + 1;
    d[x] = 7;
    return 0;
}

uint pick(uint x) {
    switch (MODE) {
        case 0: return 1;
        case 2: x += 5;
        case 3: x *= 2; break;
        default: return 9;
    }
    return x;
}

uint loops(uint x) {
    uint sum = 0;
    for (uint k = 0; k < 10; k++) {
        if (BOUNDED && k > x) break;
        if (MODE == 2 && k == COUNT) break;
        if (MODE == 1) continue;
        sum += k + x;
    }
    return sum;
}

uint once(uint x) {
    do {
        if (MODE == 2) break;
        x = 0;
    } while (x < 5);
    return x;
}

uint forever(uint x) {
    while (true) {
        x++;
        if (MODE == 2) {
            if (x >= 8) return x;
            continue;
        }
        return 0;
    }
    return 1;
}

uint both(uint x) {
    uint y;
    if (x > 7) {
        if (BOUNDED) return 0;
        y = x * 3 + 1;
    } else {
        if (MODE == 2)
            y = x * 3;
        else
            return 1;
    }
    return y;
}

void main() {
    uint i = gl_LocalInvocationIndex;
    d[i] = early(i);
    d[16 + i] = never(i);
    d[32 + i] = pick(i);
    d[48 + i] = loops(i);
    d[64 + i] = once(i);
    d[80 + i] = forever(i);
    d[96 + i] = both(i);
}
