//! test OpLoopMerge, OpIAdd, OpISub, OpLoad
// Loops whose index starts at the number of the invocation: nested ones that go on with one index, one that invocations leave one
// by one, one downwards that the data ends, and one whose index is split into a block and a place in it.
//! bind 0.0 u32 3 10 17 24 31 38 45 52 59 66 73 80 87 94 101 108 115 122 129 136 143 150 157 164 171 178 185 192 199 206 213 220 227 234 241 248 255 262 269 276 283 290 297 304 311 318 325 332 339 346 353 360 367 374 381 388 395 402 409 416 423 430 437 444 451 458 465 472 479 486 493 500 507 514 521 528 535 542 549 556 563 570 577 584 591 598 605 612 619 626 633 640 647 654 661 668 675 682 689 696
//! bind 0.1 u32 0 30 9 100 8 77 140 55
//! bind 0.2 u32 5 3
//! bind 0.3 u32 zeros 64
//! dispatch 2 1 1
//! expect 0.3 u32 6425699 19785971 33146243 46506515 59866787 73227059 86587331 99947603 0 103456 10017 4069411392 12031 2644703614 1677287580 83782168 122704 16519 18165409 227635549 8349 101989 13549 14915104 322117 773065 1449469 1900417 4831549 5282497 5958901 6409849 6707 20611 34515 48419 62323 76227 90131 104035 0 103456 10017 4069411392 12031 2644703614 1677287580 83782168 122704 16519 18165409 227635549 8349 101989 13549 14915104 2673 6405 11985 15717 39945 43677 49257 52989
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Limits { uint limits[]; };
layout(set = 0, binding = 2) readonly buffer Counts { uint counts[]; };
layout(set = 0, binding = 3) buffer Out { uint d[]; };
void main() {
    uint i = gl_LocalInvocationID.x, to = 32 * gl_WorkGroupID.x + i, count = counts[gl_WorkGroupID.x];
    uint sum = 0, at = 2 * i, left = count;
    while (left >= 2) {
        for (uint k = 0; k < 2; k++) {
            sum = 31 * sum + data[at];
            at += 16;
        }
        left -= 2;
    }
    if (left > 0) sum = 31 * sum + data[at];
    d[to] = sum + at;

    uint j = i;
    sum = 0;
    for (; j < limits[i]; j += 8) sum = 17 * sum + data[j];
    d[to + 8] = sum + 1000 * j;

    uint m = 90 - 3 * i;
    sum = 0;
    for (uint k = 0; k < 6; k++) {
        sum = 13 * sum + data[m];
        if (sum % 5 == 4) break;
        m -= 7;
    }
    d[to + 16] = sum + 100 * m;

    uint n = 8 * i;
    sum = 0;
    for (uint k = 0; k < count; k++) {
        uint block = n / 32, rest = n % 32;
        sum = 11 * sum + data[20 * block + rest / 4] + data[20 * block + rest / 4 + 1];
        n += 16;
    }
    d[to + 24] = sum + n;
}
