//! test OpControlBarrier, OpVariable
// A loop with barriers that carries 80 values and has as many results.
//! bind 0.0 u32 3
//! bind 0.1 u32 zeros 64
//! dispatch 1 1 1
//! expect 0.1 u32 59803280 59556288 59340288 59156944 59007920 58894880 58819488 58783408 58788304 58835840 58927680 59065488 59250928 59485664 59771360 60109680 60502288 60950848 61457024 62022480 62648880 63337888 64091168 64910384 65797200 66753280 67780288 68879888 70053744 71303520 72630880 74037488 75525008 77095104 78749440 80489680 82317488 84234528 86242464 88342960 90537680 92828288 95216448 97703824 100292080 102982880 105777888 108678768 111687184 110544960 109433728 108356816 107317552 106319264 105365280 104458928 103603536 102802432 102058944 101376400 100758128 100207456 99727712 99322224
#version 450
#define EACH(X) X(0) X(4) X(8) X(12) X(16) X(20) X(24) X(28) X(32) X(36) X(40) X(44) X(48) X(52) X(56) X(60) X(64) X(68) X(72) X(76)
#define START(j) uvec4 v##j = uvec4(i * 7 + j) + uvec4(0, 1, 2, 3);
#define STEP(j) v##j = v##j * 3 + uvec4(row[(i + j) % 64], row[(i + j + 1) % 64], row[(i + j + 2) % 64], row[(i + j + 3) % 64]);
#define WEIGH(j) sum += v##j.x * (j + 1) + v##j.y * (j + 2) + v##j.z * (j + 3) + v##j.w * (j + 4);
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Count { uint turns; };
layout(set = 0, binding = 1) buffer Out { uint d[]; };
shared uint row[64];
void main() {
    uint i = gl_LocalInvocationID.x;
    EACH(START)
    for (uint t = 0; t < turns; t++) {
        barrier();
        row[i] = i * i + t;
        barrier();
        EACH(STEP)
    }
    uint sum = 0;
    EACH(WEIGH)
    d[i] = sum;
}
