//! test OpExtInst
//! bind 0.0 f32 zeros 97
//! bind 0.1 f32 1 2 3 4 0.5 -1.5 90 2.5 0
//! bind 0.2 u32 1 2 3 4 5 6 10 7 0 4294901760 15360 1072693248
//! bind 0.3 i32 1 2 3 4 5 6 10 7 0
//! bind 0.4 i32 9
//! expect 0.0 f32 90.0 0.479425538604203 0.8775825618903728 0.5463024898437905 0.5235987755982989 1.0471975511965979 0.5210953054937474 1.1276259652063807 0.46211715726000974 0.48121182505960347 0.5493061443340548 1.6487212707001282 -0.6931471805599453 1.4142135623730951 -1.0 0.7071067811865476 1.3169578969248166 0.4636476090008061 2.5535900500422257 8.0 0.5 1.5 -1.0 -2.0 -1.0 -2.0 2.0 -1.0 0.5 0.5 -0.5 -1.0 1.0 2.0 1.0 2.0 3.0 0.0 0.5 1.0 1.0 1016.0 3068.0 2.0 3.0 7.0 0.75 2.0 12.0 65535.0 32767.0 255.0 127.0 1.0 -3.051850947599719e-05 1.0 -0.007874015748031496 15360.0 1.0 1.0 1023.0 5.0 5.0 12.0 2.0 1.0 -1.0 1.0 -1.0 6.0 8.0 3.0 -2.0 0.5 1.0 3.0 4.0 6.0 2.0 5.0 1.0 2.0 3.0 1.0 1.0 255.0 1.0 1.0 -1.0 -2.0 -6.0 32.0 1.0 2.0 1.0 3.0 9.0 ~ 8ulp
#version 460
// Every function of GLSL that is not about images, groups or stages.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) readonly buffer V { float v[]; };
layout(set = 0, binding = 2) readonly buffer U { uint u[]; };
layout(set = 0, binding = 3) readonly buffer K { int k[]; };
layout(set = 0, binding = 4) buffer M { int m; };
float bits(bvec3 b) { return (b.x ? 1.0 : 0.0) + (b.y ? 2.0 : 0.0) + (b.z ? 4.0 : 0.0); }
void main() {
    float w;
    int e, ihi, ilo;
    uint c, hi, lo;
    umulExtended(0xffffffffu, u[1], hi, lo);
    imulExtended(-1, k[1], ihi, ilo);
    d[0] = degrees(radians(v[6]));
    d[1] = sin(v[4]);
    d[2] = cos(v[4]);
    d[3] = tan(v[4]);
    d[4] = asin(v[4]);
    d[5] = acos(v[4]);
    d[6] = sinh(v[4]);
    d[7] = cosh(v[4]);
    d[8] = tanh(v[4]);
    d[9] = asinh(v[4]);
    d[10] = atanh(v[4]);
    d[11] = exp(v[4]);
    d[12] = log(v[4]);
    d[13] = exp2(v[4]);
    d[14] = log2(v[4]);
    d[15] = sqrt(v[4]);
    d[16] = acosh(v[1]);
    d[17] = atan(v[4]);
    d[18] = atan(v[0], v[5]);
    d[19] = pow(v[1], v[2]);
    d[20] = inversesqrt(v[3]);
    d[21] = abs(v[5]);
    d[22] = sign(v[5]);
    d[23] = floor(v[5]);
    d[24] = trunc(v[5]);
    d[25] = round(v[5]);
    d[26] = roundEven(v[7]);
    d[27] = ceil(v[5]);
    d[28] = fract(v[5]);
    d[29] = mod(v[5], v[1]);
    d[30] = modf(v[5], w);
    d[31] = w;
    d[32] = min(v[0], v[1]);
    d[33] = max(v[0], v[1]);
    d[34] = clamp(v[5], v[0], v[1]);
    d[35] = mix(v[0], v[2], v[4]);
    d[36] = mix(v[0], v[2], v[0] > 0.0);
    d[37] = step(v[1], v[0]);
    d[38] = smoothstep(v[0], v[2], v[1]);
    d[39] = isnan(v[0] / v[8] * v[8]) ? 1.0 : 2.0;
    d[40] = isinf(v[0] / v[8]) ? 1.0 : 2.0;
    d[41] = float(floatBitsToInt(v[0]) >> 20);
    d[42] = float(floatBitsToUint(v[5]) >> 20);
    d[43] = intBitsToFloat(0x40000000 + k[8]);
    d[44] = uintBitsToFloat(u[0] * 0x40400000u);
    d[45] = fma(v[1], v[2], v[0]);
    d[46] = frexp(v[2], e);
    d[47] = float(e);
    d[48] = ldexp(v[2], k[1]);
    d[49] = float(packUnorm2x16(vec2(v[0], 0.0)));
    d[50] = float(packSnorm2x16(vec2(v[0], 0.0)));
    d[51] = float(packUnorm4x8(vec4(v[0], 0.0, 0.0, 0.0)));
    d[52] = float(packSnorm4x8(vec4(v[0], 0.0, 0.0, 0.0)));
    d[53] = unpackUnorm2x16(u[9]).y;
    d[54] = unpackSnorm2x16(u[9]).y;
    d[55] = unpackUnorm4x8(u[9]).z;
    d[56] = unpackSnorm4x8(u[9]).z;
    d[57] = float(packHalf2x16(vec2(v[0], 0.0)));
    d[58] = unpackHalf2x16(u[10]).x;
    d[59] = float(packDouble2x32(uvec2(0u, u[11])));
    d[60] = float(unpackDouble2x32(double(v[0])).y >> 20);
    d[61] = length(vec2(v[2], v[3]));
    d[62] = distance(vec2(v[0]), vec2(v[3], 5.0));
    d[63] = dot(vec3(v[0], v[1], v[2]), vec3(v[1]));
    d[64] = cross(vec3(v[0], 0.0, 0.0), vec3(0.0, v[1], 0.0)).z;
    d[65] = normalize(vec2(0.0, v[2])).y;
    d[66] = faceforward(vec2(v[0]), vec2(v[0]), vec2(v[1])).x;
    d[67] = reflect(vec2(v[0], -v[0]), vec2(0.0, 1.0)).y;
    d[68] = refract(vec2(0.0, -v[0]), vec2(0.0, 1.0), v[4]).y;
    d[69] = matrixCompMult(mat2(v[1]), mat2(v[2]))[1][1];
    d[70] = outerProduct(vec2(v[0], v[1]), vec2(v[2], 4.0))[1][1];
    d[71] = transpose(mat2(v[0], v[1], v[2], 4.0))[0][1];
    d[72] = determinant(mat2(v[0], v[1], v[2], 4.0));
    d[73] = inverse(mat2(v[1]))[1][1];
    d[74] = bits(lessThan(vec3(v[0], v[1], v[2]), vec3(v[1])));
    d[75] = bits(lessThanEqual(vec3(v[0], v[1], v[2]), vec3(v[1])));
    d[76] = bits(greaterThan(vec3(v[0], v[1], v[2]), vec3(v[1])));
    d[77] = bits(greaterThanEqual(vec3(v[0], v[1], v[2]), vec3(v[1])));
    d[78] = bits(equal(vec3(v[0], v[1], v[2]), vec3(v[1])));
    d[79] = bits(notEqual(vec3(v[0], v[1], v[2]), vec3(v[1])));
    d[80] = any(greaterThan(vec2(v[0], v[1]), vec2(v[0]))) ? 1.0 : 2.0;
    d[81] = all(greaterThan(vec2(v[0], v[1]), vec2(v[0]))) ? 1.0 : 2.0;
    d[82] = bits(not(greaterThan(vec3(v[0], v[1], v[2]), vec3(v[1]))));
    d[83] = float(uaddCarry(0xffffffffu, u[1], c));
    d[84] = float(c);
    d[85] = float(usubBorrow(u[0], u[1], c) >> 24);
    d[86] = float(hi);
    d[87] = float(lo >> 31);
    d[88] = float(ihi);
    d[89] = float(ilo);
    d[90] = float(bitfieldExtract(k[6], 0, 4));
    d[91] = float(bitfieldInsert(u[8], u[1], 4, 4));
    d[92] = float(bitfieldReverse(u[0]) >> 31);
    d[93] = float(bitCount(u[6]));
    d[94] = float(findLSB(u[6]));
    d[95] = float(findMSB(u[6]));
    d[96] = float(atomicMin(m, 3));
    memoryBarrierBuffer();
    memoryBarrierImage();
    groupMemoryBarrier();
}
