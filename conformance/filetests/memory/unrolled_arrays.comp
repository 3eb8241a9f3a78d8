//! test OpVariable, OpLoopMerge
// Loops with a known number of iterations that index arrays: past the end, in two dimensions, with selections and loops inside,
// and left early.
//! bind 0.0 u32 zeros 40
//! dispatch 1 1 1
//! expect 0.0 u32 200 210 220 230 240 250 260 270 9 57 123 57 237 57 351 57 57 237 57 351 57 465 57 579 200 220 240 260 280 300 320 340 63 89 115 38 46 54 62 70
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };
void main() {
    uint i = gl_LocalInvocationID.x;
    uint s[4];
    for (uint k = 0; k < 6; k++) s[k] = k * 10 + i;
    uint t = 0;
    for (uint k = 0; k < 6; k++) t += s[k] * (k + 1);
    d[i] = t;

    uint m[2][3], acc[2] = uint[2](0, 0);
    for (uint r = 0; r < 2; r++)
        for (uint c = 0; c < 3; c++) {
            if ((i + r) % 2 == 0) m[r][c] = r * 3 + c + i;
            else m[r][c] = 1;
        }
    for (uint c = 0; c < 3; c++)
        for (uint r = 0; r < 2; r++) acc[r] = acc[r] * 7 + m[r][c];
    d[8 + i] = acc[0];
    d[16 + i] = acc[1];

    for (uint k = 0; k < 4; k++)
        for (uint n = 0; n < i; n++) s[k]++;
    t = 0;
    for (uint k = 0; k < 4; k++) t += s[k] * (k + 1);
    d[24 + i] = t;

    t = 0;
    for (uint k = 0; k < 4; k++) {
        if (s[k] > 24) break;
        t = t * 3 + s[k] + 1;
    }
    d[32 + i] = t;
}
