//! test OpFConvert
// Conversions of f32 to bfloat16 and to floats of 8 bits and back: rounded to nearest even, with denormals; numbers that are
// too large become infinite, or NaN for E4M3, which lacks infinities, or the greatest number if the conversion saturates.
// Spec: SPV_KHR_bfloat16, SPV_EXT_float8.
//! newer
//! bind 0.0 f32 0.0 -0.0 1.0 -2.5 1.0625 1.1875 1.125 448.0 464.0 464.0625 -480.0 57344.0 61439.0 61440.0 -1.0000000150474662e+30 0.0009765625 0.0029296875 7.62939453125e-06 1.1444091796875e-05 0.0009765626164153218 1.00390625 1.01171875 3.38949995151665e+38 inf -inf 0.30000001192092896 -17.700000762939453 7.346839692639297e-40 1.52587890625e-05 5.5000000998006726e-08
//! bind 0.1 u32 zeros 90
//! bind 0.2 f32 zeros 90
//! dispatch 1 1 1
//! expect 0.1 u32 0 32768 16256 49184 16264 16280 16272 17376 17384 17384 50160 18272 18288 18288 61770 14976 15168 14080 14144 14976 16256 16258 32639 32640 65408 16026 49550 8 14208 13164 0 32896 14392 49858 14392 14906 14649 32382 32382 32383 65279 32383 32383 32383 65279 0 514 0 0 257 14392 14392 32383 32383 65279 10794 55769 0 0 0 0 32896 15420 49601 15420 15677 15420 24415 24415 24415 57568 31611 31611 31612 64508 5140 6682 0 257 5140 15420 15420 31612 31612 64508 13621 52428 0 257 0
//! expect 0.2 f32 0.0 -0.0 1.0 -2.5 1.0625 1.1875 1.125 448.0 464.0 464.0 -480.0 57344.0 61440.0 61440.0 -1.0002555517425873e+30 0.0009765625 0.0029296875 7.62939453125e-06 1.1444091796875e-05 0.0009765625 1.0 1.015625 3.3895313892515355e+38 inf -inf 0.30078125 -17.75 7.346839692639297e-40 1.52587890625e-05 5.494803190231323e-08 0.0 -0.0 1.0 -2.5 1.0 1.25 1.125 448.0 448.0 448.0 -448.0 448.0 448.0 448.0 -448.0 0.0 0.00390625 0.0 0.0 0.001953125 1.0 1.0 448.0 448.0 -448.0 0.3125 -18.0 0.0 0.0 0.0 0.0 -0.0 1.0 -2.5 1.0 1.25 1.0 448.0 448.0 448.0 -512.0 57344.0 57344.0 57344.0 -57344.0 0.0009765625 0.0029296875 0.0 1.52587890625e-05 0.0009765625 1.0 1.0 57344.0 57344.0 -57344.0 0.3125 -16.0 0.0 1.52587890625e-05 0.0
#version 450
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 30) in;
layout(set = 0, binding = 0) buffer In { float x[]; };
layout(set = 0, binding = 1) buffer Bits { uint bits[]; };
layout(set = 0, binding = 2) buffer Back { float back[]; };

void main() {
    uint i = gl_LocalInvocationIndex;
    bfloat16_t b = bfloat16_t(x[i]);
    floate4m3_t e4 = floate4m3_t(x[i]), s4;
    floate5m2_t e5 = floate5m2_t(x[i]), s5;
    saturatedConvertEXT(s4, x[i]);
    saturatedConvertEXT(s5, x[i]);
    bits[i] = uint(bfloat16BitsToUintEXT(b));
    bits[30 + i] = uint(floate4m3BitsToUintEXT(e4)) | uint(floate4m3BitsToUintEXT(s4)) << 8;
    bits[60 + i] = uint(floate5m2BitsToUintEXT(e5)) | uint(floate5m2BitsToUintEXT(s5)) << 8;
    back[i] = float(b);
    back[30 + i] = float(s4);
    back[60 + i] = float(s5);
}
