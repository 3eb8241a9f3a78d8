//! test OpAccessChain
// Arrays of constants, indexed by what is uniform and what is not, in range and out of it; arrays that look like
// them, but hold something else at times.
//! bind 0.0 u32 zeros 16
//! bind 0.1 u32 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 4294967295
//! bind 0.2 f32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 31153171 15071171 43154176 14172171 52063181 6181181 1164161 5082186 3153161 4171191 2054171 6172171 1163176 5081171 3164181 4182181
//! expect 0.2 f32 978.5 1657.5 2339.5 1644.5 991.5 1673.5 2310.5 1657.5 1007.5 1644.5 2323.5 1673.5 978.5 1657.5 2339.5 1644.5
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1) buffer In { uint at[]; };
layout(set = 0, binding = 2) buffer Sums { float sums[]; };

const uint digits[5] = uint[5](3, 1, 4, 1, 5);
const vec3 points[4] = vec3[4](vec3(1, 2, 3), vec3(4, 5, 6), vec3(7, 8, 9), vec3(10, 11, 12));
const uint square[2][3] = uint[2][3](uint[3](1, 2, 3), uint[3](4, 5, 6));
const bool truths[3] = bool[3](true, false, true);
struct Mixed { float f; uint u; };
const Mixed mixed[3] = Mixed[3](Mixed(0.5, 7), Mixed(1.5, 11), Mixed(2.5, 13));

uint digit(uint i) {
    uint copy[5] = digits;
    if (i > 100) return 77;
    return copy[i];
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint k = at[i];
    uint s = 0;
    for (int j = 0; j < 5; j++) s += digits[j] * (j + 1) + digit(k % 5 + j % 1);
    // Rewritten in each iteration, and read before that.
    uint held[2] = uint[2](20, 30);
    for (int j = 0; j < 3; j++) {
        s += held[(i + j) & 1];
        held = uint[2](40, 50);
    }
    // Stored in one arm.
    uint arm[2] = uint[2](1, 2);
    if ((i & 1) == 0) arm = uint[2](3, 4);
    s += 1000 * arm[(i >> 1) & 1];
    // Left before it is stored once more.
    uint late[2] = uint[2](5, 6);
    for (int j = 0; j < 2; j++) {
        if (uint(j) == (i & 1)) break;
        late = uint[2](7, 8);
    }
    s += 10000 * late[(i >> 2) & 1];
    s += truths[k % 3] ? 100000 : 0;
    s += 1000000 * square[i & 1][k % 3];
    // Past the end: 0.
    s += 10000000 * digits[k];
    d[i] = s;
    vec3 p = vec3(0);
    for (uint j = 0; j < 2; j++) p += points[(k + j) & 3];
    sums[i] = p.x + 10 * p.y + 100 * p.z + mixed[k % 3].f * mixed[i % 3].u;
}
