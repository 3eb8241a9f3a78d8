//! test OpStore, OpLoad
// Stores of scalars that follow one another in each invocation, where the invocations' places are in no order: pairs and quads of
// words, in workgroup memory and in buffers, some invocations inactive, a quad across the end of its buffer; and halves that are
// copied or put together to words. Halves and bytes one by one, the last half out of range.
//! bind 0.0 u32 zeros 64
//! bind 0.1 u32 zeros 126
//! bind 0.2 u32 zeros 512
//! bind 0.3 u32 0x6ef30000 0x4cdadde6 0x2ac0bbcd 0x8a799b4 0xe68e779b 0xc4755581 0xa25b3368 0x8042114f 0x5e29ef36 0x3c10cd1c 0x19f7ab03 0xf7dd88ea 0xd5c466d1 0xb3ab44b7 0x9192229e 0x6f780085 0x4d5fde6c 0x2b46bc53 0x92d9a39 0xe7137820 0xc4fa5607 0xa2e133ee 0x80c811d4 0x5eaeefbb 0x3c95cda2 0x1a7cab89 0xf863896f 0xd64a6756 0xb430453d 0x92172324 0x6ffe010a 0x4de5def1 0x2bcbbcd8 0x9b29abf 0xe79978a6 0xc580568c 0xa3663473 0x814d125a 0x5f34f041 0x3d1bce27 0x1b02ac0e 0xf8e889f5 0xd6cf67dc 0xb4b645c2 0x929d23a9 0x70830190 0x4e6adf77 0x2c51bd5d 0xa389b44 0xe81e792b 0xc6055712 0xa3ec34f9 0x81d312df 0x5fb9f0c6 0x3da0cead 0x1b87ac94 0xf96e8a7a 0xd7556861 0xb53b4648 0x9322242f 0x71090215 0x4ef0dffc 0x2cd6bde3 0xabd9bca 0xe8a479b1 0xc68b5797 0xa471357e 0x82581365 0x603ff14c 0x3e26cf32 0x1c0cad19 0xf9f38b00 0xd7da68e7 0xb5c146cd 0x93a824b4 0x718e029b 0x4f75e082 0x2d5cbe68 0xb439c4f 0xe9297a36 0xc710581d 0xa4f73604 0x82de13ea 0x60c4f1d1 0x3eabcfb8 0x1c92ad9f 0xfa798b85 0xd85f696c 0xb6464753 0x942d253a 0x72140320 0x4ffbe107 0x2de1beee 0xbc89cd5 0xe9af7abb 0xc79658a2 0xa57c3689 0x83631470 0x614af257 0x3f31d03d 0x1d17ae24 0xfafe8c0b 0xd8e569f2 0xb6cc47d8 0x94b325bf 0x729903a6 0x5080e18d 0x2e67bf73 0xc4e9d5a 0xea347b41 0xc81b5928 0xa602370e 0x83e914f5 0x61cff2dc 0x3fb6d0c3 0x1d9daeaa 0xfb848c90 0xd96a6a77 0xb751485e 0x95382645 0x731f042b 0x5106e212 0x2eecbff9 0xcd39de0 0xeaba7bc6 0xc8a159ad 0xa6873794 0x846e157b
//! bind 0.4 u32 zeros 128
//! bind 0.5 u32 zeros 32
//! bind 0.6 u16 zeros 31
//! bind 0.7 u8 zeros 32
//! dispatch 1 1 1
//! expect 0.0 u32 113 114 481 482 337 338 193 194 49 50 417 418 273 274 129 130 497 498 353 354 209 210 65 66 433 434 289 290 145 146 1 2 369 370 225 226 81 82 449 450 305 306 161 162 17 18 385 386 241 242 97 98 465 466 321 322 177 178 33 34 401 402 257 258
//! expect 0.1 u32 0 0 0 0 1112 1113 1114 1115 0 0 0 0 1400 1401 1402 1403 0 0 0 0 1176 1177 1178 1179 0 0 0 0 1464 1465 1466 1467 0 0 0 0 1240 1241 1242 1243 1384 1385 1386 1387 1016 1017 1018 1019 1160 1161 1162 1163 1304 1305 1306 1307 1448 1449 1450 1451 0 0 0 0 1224 1225 1226 1227 0 0 0 0 1000 1001 1002 1003 0 0 0 0 1288 1289 1290 1291 0 0 0 0 1064 1065 1066 1067 0 0 0 0 1352 1353 1354 1355 1496 1497 1498 1499 1128 1129 1130 1131 1272 1273 1274 1275 1416 1417 1418 1419 1048 1049 1050 1051 0 0 0 0 1336 1337
//! expect 0.2 u32 2500 2501 0 0 0 0 0 0 2508 2509 0 0 0 0 0 0 600 601 0 0 0 0 0 0 608 609 0 0 0 0 0 0 1900 1901 0 0 0 0 0 0 1908 1909 0 0 0 0 0 0 0 1 0 0 0 0 0 0 8 9 0 0 0 0 0 0 1300 1301 0 0 0 0 0 0 1308 1309 0 0 0 0 0 0 2600 2601 0 0 0 0 0 0 2608 2609 0 0 0 0 0 0 700 701 0 0 0 0 0 0 708 709 0 0 0 0 0 0 2000 2001 0 0 0 0 0 0 2008 2009 0 0 0 0 0 0 100 101 0 0 0 0 0 0 108 109 0 0 0 0 0 0 1400 1401 0 0 0 0 0 0 1408 1409 0 0 0 0 0 0 2700 2701 0 0 0 0 0 0 2708 2709 0 0 0 0 0 0 800 801 0 0 0 0 0 0 808 809 0 0 0 0 0 0 2100 2101 0 0 0 0 0 0 2108 2109 0 0 0 0 0 0 200 201 0 0 0 0 0 0 208 209 0 0 0 0 0 0 1500 1501 0 0 0 0 0 0 1508 1509 0 0 0 0 0 0 2800 2801 0 0 0 0 0 0 2808 2809 0 0 0 0 0 0 900 901 0 0 0 0 0 0 908 909 0 0 0 0 0 0 2200 2201 0 0 0 0 0 0 2208 2209 0 0 0 0 0 0 300 301 0 0 0 0 0 0 308 309 0 0 0 0 0 0 1600 1601 0 0 0 0 0 0 1608 1609 0 0 0 0 0 0 2900 2901 0 0 0 0 0 0 2908 2909 0 0 0 0 0 0 1000 1001 0 0 0 0 0 0 1008 1009 0 0 0 0 0 0 2300 2301 0 0 0 0 0 0 2308 2309 0 0 0 0 0 0 400 401 0 0 0 0 0 0 408 409 0 0 0 0 0 0 1700 1701 0 0 0 0 0 0 1708 1709 0 0 0 0 0 0 3000 3001 0 0 0 0 0 0 3008 3009 0 0 0 0 0 0 1100 1101 0 0 0 0 0 0 1108 1109 0 0 0 0 0 0 2400 2401 0 0 0 0 0 0 2408 2409 0 0 0 0 0 0 500 501 0 0 0 0 0 0 508 509 0 0 0 0 0 0 1800 1801 0 0 0 0 0 0 1808 1809 0 0 0 0 0 0 3100 3101 0 0 0 0 0 0 3108 3109 0 0 0 0 0 0 1200 1201 0 0 0 0 0 0 1208 1209 0 0 0 0 0 0
//! expect 0.4 u32 0xeaba7bc6 0xc8a159ad 0xa6873794 0x846e157b 0x731f042b 0x5106e212 0x2eecbff9 0xcd39de0 0xfb848c90 0xd96a6a77 0xb751485e 0x95382645 0x83e914f5 0x61cff2dc 0x3fb6d0c3 0x1d9daeaa 0xc4e9d5a 0xea347b41 0xc81b5928 0xa602370e 0x94b325bf 0x729903a6 0x5080e18d 0x2e67bf73 0x1d17ae24 0xfafe8c0b 0xd8e569f2 0xb6cc47d8 0xa57c3689 0x83631470 0x614af257 0x3f31d03d 0x2de1beee 0xbc89cd5 0xe9af7abb 0xc79658a2 0xb6464753 0x942d253a 0x72140320 0x4ffbe107 0x3eabcfb8 0x1c92ad9f 0xfa798b85 0xd85f696c 0xc710581d 0xa4f73604 0x82de13ea 0x60c4f1d1 0x4f75e082 0x2d5cbe68 0xb439c4f 0xe9297a36 0xd7da68e7 0xb5c146cd 0x93a824b4 0x718e029b 0x603ff14c 0x3e26cf32 0x1c0cad19 0xf9f38b00 0xe8a479b1 0xc68b5797 0xa471357e 0x82581365 0x71090215 0x4ef0dffc 0x2cd6bde3 0xabd9bca 0xf96e8a7a 0xd7556861 0xb53b4648 0x9322242f 0x81d312df 0x5fb9f0c6 0x3da0cead 0x1b87ac94 0xa389b44 0xe81e792b 0xc6055712 0xa3ec34f9 0x929d23a9 0x70830190 0x4e6adf77 0x2c51bd5d 0x1b02ac0e 0xf8e889f5 0xd6cf67dc 0xb4b645c2 0xa3663473 0x814d125a 0x5f34f041 0x3d1bce27 0x2bcbbcd8 0x9b29abf 0xe79978a6 0xc580568c 0xb430453d 0x92172324 0x6ffe010a 0x4de5def1 0x3c95cda2 0x1a7cab89 0xf863896f 0xd64a6756 0xc4fa5607 0xa2e133ee 0x80c811d4 0x5eaeefbb 0x4d5fde6c 0x2b46bc53 0x92d9a39 0xe7137820 0xd5c466d1 0xb3ab44b7 0x9192229e 0x6f780085 0x5e29ef36 0x3c10cd1c 0x19f7ab03 0xf7dd88ea 0xe68e779b 0xc4755581 0xa25b3368 0x8042114f 0x6ef30000 0x4cdadde6 0x2ac0bbcd 0x8a799b4
//! expect 0.5 u32 0xb0a040b 0xb090b 0x50b0f0c 0xb0c040c 0xc090d 0x60c0f0d 0xc070508 0x1070a08 0x7080009 0xc080509 0x1090a09 0x709000a 0xc0a050a 0x2040b05 0x8040105 0xd050606 0x2050b06 0x8060107 0xd060607 0x3010c01 0x9010202 0xe010702 0x3020c03 0x9020203 0xe030704 0x40d0d0e 0xa0e030e 0xf0e080f 0x40f0d0f 0xa0f0300 0xf0f0800 0x5000e01
//! expect 0.6 u16 76 19 58 1 40 79 22 61 4 43 82 25 64 7 46 85 28 67 10 49 88 31 70 13 52 91 34 73 16 55 94
//! expect 0.7 u8 0 7 0 1 0 27 0 21 0 15 0 9 0 3 0 29 0 23 0 17 0 11 0 5 0 31 0 25 0 19 0 13
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Pairs { uint d[]; };
layout(set = 0, binding = 1) buffer Quads { uint e[]; };
layout(set = 0, binding = 2) buffer Apart { uint f[]; };
layout(set = 0, binding = 3) readonly buffer From { uint16_t h[]; };
layout(set = 0, binding = 4) buffer To { uint16_t g[]; };
layout(set = 0, binding = 5) buffer Words { uint r[]; };
layout(set = 0, binding = 6) buffer One { uint16_t one[]; };
layout(set = 0, binding = 7) buffer Bytes { uint8_t bytes[]; };
shared uint s[128];
void main() {
    uint i = gl_LocalInvocationIndex;
    uint p = (i * 5 + 3) % 32;
    s[p * 4] = i * 16;
    s[p * 4 + 1] = i * 16 + 1;
    s[p * 4 + 2] = i * 16 + 2;
    s[p * 4 + 3] = i * 16 + 3;
    barrier();
    uint pair1 = s[(31 - i) * 4 + 1], pair2 = s[(31 - i) * 4 + 2];
    d[p * 2] = pair1;
    d[p * 2 + 1] = pair2;
    uint q0 = s[i * 4] + 1000, q1 = s[i * 4 + 1] + 1000, q2 = s[i * 4 + 2] + 1000, q3 = s[i * 4 + 3] + 1000;
    if (i % 3 != 1) {
        e[p * 4 + 3] = q3;
        e[p * 4 + 2] = q2;
        e[p * 4 + 1] = q1;
        e[p * 4] = q0;
    }
    f[p * 16 + 8] = i * 100 + 8;
    f[p * 16 + 9] = i * 100 + 9;
    f[p * 16] = i * 100;
    f[p * 16 + 1] = i * 100 + 1;
    uint16_t a[8];
    for (uint k = 0; k < 8; k++) a[k] = h[p * 8 + k];
    for (uint k = 0; k < 8; k++) g[(31 - p) * 8 + k] = a[k];
    uint word = uint(a[2]) | uint(a[3]) << 16;
    r[i] = word >> 4 & 0x0f0f0f0f;
    one[p] = uint16_t(i * 3 + 1);
    if (i % 2 == 0) bytes[p] = uint8_t(i + 1);
}
