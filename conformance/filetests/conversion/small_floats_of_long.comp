//! test OpConvertSToF, OpConvertUToF
// Conversions of integers of 64 bits to bfloat16 and to floats of 8 bits: rounded to nearest even; numbers that are too large
// become infinite, or NaN for E4M3, which lacks infinities. Spec: SPV_KHR_bfloat16, SPV_EXT_float8.
//! newer
//! bind 0.0 u32 0 0 1 0 4294967295 4294967295 3 0 4294967289 4294967295 100 0 255 0 256 0 257 0 4294966996 4294967295 448 0 464 0 465 0 1000 0 4294909952 4294967295 61439 0 61440 0 65536 0 2309737967 19088743 1985229329 4275878552 4294967295 2147483647 0 2147483648 4294967295 16777215 4294967295 4026531839 0 257 4294967295 4292870143 50331648 2 2112454933 287445236
//! bind 0.1 u32 zeros 28
//! bind 0.2 u32 zeros 28
//! dispatch 1 1 1
//! expect 0.1 u32 0 1010319232 3166224256 1111769152 3352215776 1449935560 1551385471 1551385472 1551385472 3724133270 1602110432 1602110440 1602175976 1686062202 4227843936 2071938928 2088716144 2088716160 2088721298 4244626322 2088722176 4244627200 2088721280 4244626816 2088719232 4244625920 2088718337 2088721801
//! expect 0.2 u32 0 1010319232 2088722304 1111769152 2088722304 1449935560 1551385471 1551385472 1551385472 2088722304 1602110432 1602110440 1602175976 1686062202 2088722304 2071938928 2088716144 2088716160 2088721298 2088722303 2088722176 2088722176 2088721280 2088722288 2088719232 2088722304 2088718337 2088721801
#version 450
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 28) in;
layout(set = 0, binding = 0) buffer In { int64_t x[]; };
layout(set = 0, binding = 1) buffer OfSigned { uint of_signed[]; };
layout(set = 0, binding = 2) buffer OfUnsigned { uint of_unsigned[]; };

void main() {
    uint i = gl_LocalInvocationIndex;
    int64_t s = x[i];
    uint64_t u = uint64_t(s);
    of_signed[i] = uint(bfloat16BitsToUintEXT(bfloat16_t(s))) | uint(floate4m3BitsToUintEXT(floate4m3_t(s))) << 16
        | uint(floate5m2BitsToUintEXT(floate5m2_t(s))) << 24;
    of_unsigned[i] = uint(bfloat16BitsToUintEXT(bfloat16_t(u))) | uint(floate4m3BitsToUintEXT(floate4m3_t(u))) << 16
        | uint(floate5m2BitsToUintEXT(floate5m2_t(u))) << 24;
}
