// Functions that are not of images: every signature, with every type of its family; v[] is the input.

//# radians.comp
//! function radians(genFType degrees)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 90.0 -45.0 30.0 180.0
//! expect 0.0 f32 1.5707963705062866 1.5707963705062866 -0.7853981852531433 1.5707963705062866 -0.7853981852531433 0.5235987901687622 1.5707963705062866 -0.7853981852531433 0.5235987901687622 3.1415927410125732 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = radians(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = radians(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = radians(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = radians(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# degrees.comp
//! function degrees(genFType radians)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 1.0 -0.5 2.0 0.25
//! expect 0.0 f32 57.295780181884766 57.295780181884766 -28.647890090942383 57.295780181884766 -28.647890090942383 114.59156036376953 57.295780181884766 -28.647890090942383 114.59156036376953 14.323945045471191 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = degrees(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = degrees(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = degrees(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = degrees(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# sin.comp
//! function sin(genFType angle)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 0.25 0.75 0.375
//! expect 0.0 f32 0.4794255495071411 0.4794255495071411 0.24740396440029144 0.4794255495071411 0.24740396440029144 0.681638777256012 0.4794255495071411 0.24740396440029144 0.681638777256012 0.36627253890037537 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = sin(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = sin(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = sin(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = sin(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# cos.comp
//! function cos(genFType angle)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 0.25 0.75 0.375
//! expect 0.0 f32 0.8775825500488281 0.8775825500488281 0.9689124226570129 0.8775825500488281 0.9689124226570129 0.7316888570785522 0.8775825500488281 0.9689124226570129 0.7316888570785522 0.9305076003074646 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = cos(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = cos(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = cos(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = cos(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# tan.comp
//! function tan(genFType angle)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 0.25 0.75 0.375
//! expect 0.0 f32 0.5463024973869324 0.5463024973869324 0.25534191727638245 0.5463024973869324 0.25534191727638245 0.9315964579582214 0.5463024973869324 0.25534191727638245 0.9315964579582214 0.3936265707015991 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = tan(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = tan(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = tan(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = tan(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# asin.comp
//! function asin(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 0.25 0.75 0.375
//! expect 0.0 f32 0.5235987901687622 0.5235987901687622 0.252680242061615 0.5235987901687622 0.252680242061615 0.8480620980262756 0.5235987901687622 0.252680242061615 0.8480620980262756 0.3843967616558075 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = asin(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = asin(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = asin(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = asin(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# acos.comp
//! function acos(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 0.25 0.75 0.375
//! expect 0.0 f32 1.0471975803375244 1.0471975803375244 1.3181160688400269 1.0471975803375244 1.3181160688400269 0.722734272480011 1.0471975803375244 1.3181160688400269 0.722734272480011 1.1863995790481567 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = acos(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = acos(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = acos(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = acos(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# sinh.comp
//! function sinh(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 0.25 0.75 0.375
//! expect 0.0 f32 0.5210952758789062 0.5210952758789062 0.25261232256889343 0.5210952758789062 0.25261232256889343 0.8223167061805725 0.5210952758789062 0.25261232256889343 0.8223167061805725 0.3838510811328888 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = sinh(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = sinh(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = sinh(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = sinh(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# cosh.comp
//! function cosh(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 0.25 0.75 0.375
//! expect 0.0 f32 1.1276259422302246 1.1276259422302246 1.0314130783081055 1.1276259422302246 1.0314130783081055 1.2946833372116089 1.1276259422302246 1.0314130783081055 1.2946833372116089 1.0711402893066406 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = cosh(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = cosh(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = cosh(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = cosh(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# tanh.comp
//! function tanh(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 0.25 0.75 0.375
//! expect 0.0 f32 0.46211716532707214 0.46211716532707214 0.24491865932941437 0.46211716532707214 0.24491865932941437 0.6351489424705505 0.46211716532707214 0.24491865932941437 0.6351489424705505 0.35835739970207214 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = tanh(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = tanh(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = tanh(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = tanh(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# asinh.comp
//! function asinh(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 0.25 0.75 0.375
//! expect 0.0 f32 0.4812118113040924 0.4812118113040924 0.24746645987033844 0.4812118113040924 0.24746645987033844 0.6931471824645996 0.4812118113040924 0.24746645987033844 0.6931471824645996 0.3667246103286743 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = asinh(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = asinh(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = asinh(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = asinh(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# acosh.comp
//! function acosh(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 1.5 2.0 3.0 1.25
//! expect 0.0 f32 0.9624236226081848 0.9624236226081848 1.316957950592041 0.9624236226081848 1.316957950592041 1.7627471685409546 0.9624236226081848 1.316957950592041 1.7627471685409546 0.6931471824645996 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = acosh(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = acosh(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = acosh(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = acosh(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# atanh.comp
//! function atanh(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 0.25 0.75 0.375
//! expect 0.0 f32 0.5493061542510986 0.5493061542510986 0.2554128170013428 0.5493061542510986 0.2554128170013428 0.972955048084259 0.5493061542510986 0.2554128170013428 0.972955048084259 0.39422866702079773 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = atanh(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = atanh(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = atanh(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = atanh(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# pow.comp
//! function pow(genFType x, genFType y)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 2.0 3.0 1.5 4.0 3.0 2.0 0.5 -1.0
//! expect 0.0 f32 8.0 8.0 9.0 8.0 9.0 1.2247449159622192 8.0 9.0 1.2247449159622192 0.25 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = pow(float(v[0]), float(v[4]));
    d[0] = r0_1;
    vec2 r0_2 = pow(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = pow(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = pow(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# exp.comp
//! function exp(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 -1.0 2.0 0.0
//! expect 0.0 f32 1.6487212181091309 1.6487212181091309 0.3678794503211975 1.6487212181091309 0.3678794503211975 7.389056205749512 1.6487212181091309 0.3678794503211975 7.389056205749512 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = exp(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = exp(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = exp(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = exp(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# log.comp
//! function log(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 3.0 2.0 10.0
//! expect 0.0 f32 -0.6931471824645996 -0.6931471824645996 1.0986123085021973 -0.6931471824645996 1.0986123085021973 0.6931471824645996 -0.6931471824645996 1.0986123085021973 0.6931471824645996 2.3025851249694824 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = log(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = log(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = log(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = log(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# exp2.comp
//! function exp2(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 -1.0 3.0 0.0
//! expect 0.0 f32 1.4142135381698608 1.4142135381698608 0.5 1.4142135381698608 0.5 8.0 1.4142135381698608 0.5 8.0 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = exp2(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = exp2(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = exp2(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = exp2(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# log2.comp
//! function log2(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 3.0 8.0 10.0
//! expect 0.0 f32 -1.0 -1.0 1.5849624872207642 -1.0 1.5849624872207642 3.0 -1.0 1.5849624872207642 3.0 3.321928024291992 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = log2(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = log2(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = log2(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = log2(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# sqrt.comp
//! function sqrt(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 4.0 2.25 9.0 0.25
//! expect 0.0 f32 2.0 2.0 1.5 2.0 1.5 3.0 2.0 1.5 3.0 0.5 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = sqrt(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = sqrt(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = sqrt(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = sqrt(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# sqrt_double.comp
//! function sqrt(genDType x)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 4.0 2.25 9.0 0.25
//! expect 0.0 f64 2.0 2.0 1.5 2.0 1.5 3.0 2.0 1.5 3.0 0.5 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = sqrt(double(v[0]));
    d[0] = r0_1;
    dvec2 r0_2 = sqrt(dvec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = sqrt(dvec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = sqrt(dvec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# inversesqrt.comp
//! function inversesqrt(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 4.0 0.25 16.0 0.0625
//! expect 0.0 f32 0.5 0.5 2.0 0.5 2.0 0.25 0.5 2.0 0.25 4.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = inversesqrt(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = inversesqrt(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = inversesqrt(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = inversesqrt(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# inversesqrt_double.comp
//! function inversesqrt(genDType x)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 4.0 0.25 16.0 0.0625
//! expect 0.0 f64 0.5 0.5 2.0 0.5 2.0 0.25 0.5 2.0 0.25 4.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = inversesqrt(double(v[0]));
    d[0] = r0_1;
    dvec2 r0_2 = inversesqrt(dvec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = inversesqrt(dvec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = inversesqrt(dvec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# abs.comp
//! function abs(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 -1.5 2.0 -3.0 0.25
//! expect 0.0 f32 1.5 1.5 2.0 1.5 2.0 3.0 1.5 2.0 3.0 0.25 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = abs(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = abs(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = abs(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = abs(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# abs_int.comp
//! function abs(genIType x)
//! bind 0.0 i32 zeros 10
//! bind 0.1 i32 -3 4 -5 0
//! expect 0.0 i32 3 3 4 3 4 5 3 4 5 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r0_1 = abs(int(v[0]));
    d[0] = r0_1;
    ivec2 r0_2 = abs(ivec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    ivec3 r0_3 = abs(ivec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    ivec4 r0_4 = abs(ivec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# abs_double.comp
//! function abs(genDType x)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 -1.5 2.0 -3.0 0.25
//! expect 0.0 f64 1.5 1.5 2.0 1.5 2.0 3.0 1.5 2.0 3.0 0.25 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = abs(double(v[0]));
    d[0] = r0_1;
    dvec2 r0_2 = abs(dvec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = abs(dvec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = abs(dvec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# sign.comp
//! function sign(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 -1.5 2.0 0.0 0.25
//! expect 0.0 f32 -1.0 -1.0 1.0 -1.0 1.0 0.0 -1.0 1.0 0.0 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = sign(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = sign(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = sign(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = sign(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# sign_int.comp
//! function sign(genIType x)
//! bind 0.0 i32 zeros 10
//! bind 0.1 i32 -3 4 0 -7
//! expect 0.0 i32 -1 -1 1 -1 1 0 -1 1 0 -1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r0_1 = sign(int(v[0]));
    d[0] = r0_1;
    ivec2 r0_2 = sign(ivec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    ivec3 r0_3 = sign(ivec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    ivec4 r0_4 = sign(ivec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# sign_double.comp
//! function sign(genDType x)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 -1.5 2.0 0.0 0.25
//! expect 0.0 f64 -1.0 -1.0 1.0 -1.0 1.0 0.0 -1.0 1.0 0.0 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = sign(double(v[0]));
    d[0] = r0_1;
    dvec2 r0_2 = sign(dvec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = sign(dvec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = sign(dvec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# floor.comp
//! function floor(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 -1.5 2.25 -3.0 0.75
//! expect 0.0 f32 -2.0 -2.0 2.0 -2.0 2.0 -3.0 -2.0 2.0 -3.0 0.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = floor(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = floor(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = floor(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = floor(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# floor_double.comp
//! function floor(genDType x)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 -1.5 2.25 -3.0 0.75
//! expect 0.0 f64 -2.0 -2.0 2.0 -2.0 2.0 -3.0 -2.0 2.0 -3.0 0.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = floor(double(v[0]));
    d[0] = r0_1;
    dvec2 r0_2 = floor(dvec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = floor(dvec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = floor(dvec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# trunc.comp
//! function trunc(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 -1.5 2.25 -3.75 0.75
//! expect 0.0 f32 -1.0 -1.0 2.0 -1.0 2.0 -3.0 -1.0 2.0 -3.0 0.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = trunc(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = trunc(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = trunc(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = trunc(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# trunc_double.comp
//! function trunc(genDType x)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 -1.5 2.25 -3.75 0.75
//! expect 0.0 f64 -1.0 -1.0 2.0 -1.0 2.0 -3.0 -1.0 2.0 -3.0 0.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = trunc(double(v[0]));
    d[0] = r0_1;
    dvec2 r0_2 = trunc(dvec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = trunc(dvec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = trunc(dvec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# round.comp
//! function round(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 -1.25 2.25 -3.75 0.75
//! expect 0.0 f32 -1.0 -1.0 2.0 -1.0 2.0 -4.0 -1.0 2.0 -4.0 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = round(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = round(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = round(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = round(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# round_double.comp
//! function round(genDType x)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 -1.25 2.25 -3.75 0.75
//! expect 0.0 f64 -1.0 -1.0 2.0 -1.0 2.0 -4.0 -1.0 2.0 -4.0 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = round(double(v[0]));
    d[0] = r0_1;
    dvec2 r0_2 = round(dvec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = round(dvec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = round(dvec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# roundEven.comp
//! function roundEven(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 -1.5 2.5 -3.75 0.5
//! expect 0.0 f32 -2.0 -2.0 2.0 -2.0 2.0 -4.0 -2.0 2.0 -4.0 0.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = roundEven(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = roundEven(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = roundEven(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = roundEven(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# roundEven_double.comp
//! function roundEven(genDType x)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 -1.5 2.5 -3.75 0.5
//! expect 0.0 f64 -2.0 -2.0 2.0 -2.0 2.0 -4.0 -2.0 2.0 -4.0 0.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = roundEven(double(v[0]));
    d[0] = r0_1;
    dvec2 r0_2 = roundEven(dvec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = roundEven(dvec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = roundEven(dvec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# ceil.comp
//! function ceil(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 -1.5 2.25 -3.0 0.75
//! expect 0.0 f32 -1.0 -1.0 3.0 -1.0 3.0 -3.0 -1.0 3.0 -3.0 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = ceil(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = ceil(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = ceil(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = ceil(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# ceil_double.comp
//! function ceil(genDType x)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 -1.5 2.25 -3.0 0.75
//! expect 0.0 f64 -1.0 -1.0 3.0 -1.0 3.0 -3.0 -1.0 3.0 -3.0 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = ceil(double(v[0]));
    d[0] = r0_1;
    dvec2 r0_2 = ceil(dvec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = ceil(dvec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = ceil(dvec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# fract.comp
//! function fract(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 -1.25 2.25 -3.0 0.75
//! expect 0.0 f32 0.75 0.75 0.25 0.75 0.25 0.0 0.75 0.25 0.0 0.75 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = fract(float(v[0]));
    d[0] = r0_1;
    vec2 r0_2 = fract(vec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = fract(vec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = fract(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# fract_double.comp
//! function fract(genDType x)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 -1.25 2.25 -3.0 0.75
//! expect 0.0 f64 0.75 0.75 0.25 0.75 0.25 0.0 0.75 0.25 0.0 0.75 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = fract(double(v[0]));
    d[0] = r0_1;
    dvec2 r0_2 = fract(dvec2(v[0], v[1]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = fract(dvec3(v[0], v[1], v[2]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = fract(dvec4(v[0], v[1], v[2], v[3]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# mod.comp
//! function mod(genFType x, float y)
//! function mod(genFType x, genFType y)
//! bind 0.0 f32 zeros 20
//! bind 0.1 f32 5.5 -1.5 7.0 2.25 2.0 4.0 3.0 1.5
//! expect 0.0 f32 1.5 1.5 0.5 1.5 0.5 1.0 1.5 0.5 1.0 0.25 1.5 1.5 2.5 1.5 2.5 1.0 1.5 2.5 1.0 0.75 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = mod(float(v[0]), float(v[4]));
    d[0] = r0_1;
    vec2 r0_2 = mod(vec2(v[0], v[1]), float(v[4]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = mod(vec3(v[0], v[1], v[2]), float(v[4]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = mod(vec4(v[0], v[1], v[2], v[3]), float(v[4]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    float r1_1 = mod(float(v[0]), float(v[4]));
    d[10] = r1_1;
    vec2 r1_2 = mod(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    vec3 r1_3 = mod(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    vec4 r1_4 = mod(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# mod_double.comp
//! function mod(genDType x, double y)
//! function mod(genDType x, genDType y)
//! bind 0.0 f64 zeros 20
//! bind 0.1 f64 5.5 -1.5 7.0 2.25 2.0 4.0 3.0 1.5
//! expect 0.0 f64 1.5 1.5 0.5 1.5 0.5 1.0 1.5 0.5 1.0 0.25 1.5 1.5 2.5 1.5 2.5 1.0 1.5 2.5 1.0 0.75 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = mod(double(v[0]), double(v[4]));
    d[0] = r0_1;
    dvec2 r0_2 = mod(dvec2(v[0], v[1]), double(v[4]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = mod(dvec3(v[0], v[1], v[2]), double(v[4]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = mod(dvec4(v[0], v[1], v[2], v[3]), double(v[4]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    double r1_1 = mod(double(v[0]), double(v[4]));
    d[10] = r1_1;
    dvec2 r1_2 = mod(dvec2(v[0], v[1]), dvec2(v[4], v[5]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    dvec3 r1_3 = mod(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    dvec4 r1_4 = mod(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# min.comp
//! function min(genFType x, genFType y)
//! function min(genFType x, float y)
//! bind 0.0 f32 zeros 20
//! bind 0.1 f32 1.5 -2.0 3.0 4.0 2.0 -3.0 2.5 8.0
//! expect 0.0 f32 1.5 1.5 -3.0 1.5 -3.0 2.5 1.5 -3.0 2.5 4.0 1.5 1.5 -2.0 1.5 -2.0 2.0 1.5 -2.0 2.0 2.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = min(float(v[0]), float(v[4]));
    d[0] = r0_1;
    vec2 r0_2 = min(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = min(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = min(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    float r1_1 = min(float(v[0]), float(v[4]));
    d[10] = r1_1;
    vec2 r1_2 = min(vec2(v[0], v[1]), float(v[4]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    vec3 r1_3 = min(vec3(v[0], v[1], v[2]), float(v[4]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    vec4 r1_4 = min(vec4(v[0], v[1], v[2], v[3]), float(v[4]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# min_double.comp
//! function min(genDType x, genDType y)
//! function min(genDType x, double y)
//! bind 0.0 f64 zeros 20
//! bind 0.1 f64 1.5 -2.0 3.0 4.0 2.0 -3.0 2.5 8.0
//! expect 0.0 f64 1.5 1.5 -3.0 1.5 -3.0 2.5 1.5 -3.0 2.5 4.0 1.5 1.5 -2.0 1.5 -2.0 2.0 1.5 -2.0 2.0 2.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = min(double(v[0]), double(v[4]));
    d[0] = r0_1;
    dvec2 r0_2 = min(dvec2(v[0], v[1]), dvec2(v[4], v[5]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = min(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = min(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    double r1_1 = min(double(v[0]), double(v[4]));
    d[10] = r1_1;
    dvec2 r1_2 = min(dvec2(v[0], v[1]), double(v[4]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    dvec3 r1_3 = min(dvec3(v[0], v[1], v[2]), double(v[4]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    dvec4 r1_4 = min(dvec4(v[0], v[1], v[2], v[3]), double(v[4]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# min_int.comp
//! function min(genIType x, genIType y)
//! function min(genIType x, int y)
//! bind 0.0 i32 zeros 20
//! bind 0.1 i32 1 -2 3 4 2 -3 2 8
//! expect 0.0 i32 1 1 -3 1 -3 2 1 -3 2 4 1 1 -2 1 -2 2 1 -2 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r0_1 = min(int(v[0]), int(v[4]));
    d[0] = r0_1;
    ivec2 r0_2 = min(ivec2(v[0], v[1]), ivec2(v[4], v[5]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    ivec3 r0_3 = min(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    ivec4 r0_4 = min(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    int r1_1 = min(int(v[0]), int(v[4]));
    d[10] = r1_1;
    ivec2 r1_2 = min(ivec2(v[0], v[1]), int(v[4]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    ivec3 r1_3 = min(ivec3(v[0], v[1], v[2]), int(v[4]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    ivec4 r1_4 = min(ivec4(v[0], v[1], v[2], v[3]), int(v[4]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# min_uint.comp
//! function min(genUType x, genUType y)
//! function min(genUType x, uint y)
//! bind 0.0 u32 zeros 20
//! bind 0.1 u32 1 4294967295 3 4 2 3 2 8
//! expect 0.0 u32 1 1 3 1 3 2 1 3 2 4 1 1 2 1 2 2 1 2 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    uint r0_1 = min(uint(v[0]), uint(v[4]));
    d[0] = r0_1;
    uvec2 r0_2 = min(uvec2(v[0], v[1]), uvec2(v[4], v[5]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    uvec3 r0_3 = min(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    uvec4 r0_4 = min(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    uint r1_1 = min(uint(v[0]), uint(v[4]));
    d[10] = r1_1;
    uvec2 r1_2 = min(uvec2(v[0], v[1]), uint(v[4]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    uvec3 r1_3 = min(uvec3(v[0], v[1], v[2]), uint(v[4]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    uvec4 r1_4 = min(uvec4(v[0], v[1], v[2], v[3]), uint(v[4]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# max.comp
//! function max(genFType x, genFType y)
//! function max(genFType x, float y)
//! bind 0.0 f32 zeros 20
//! bind 0.1 f32 1.5 -2.0 3.0 4.0 2.0 -3.0 2.5 8.0
//! expect 0.0 f32 2.0 2.0 -2.0 2.0 -2.0 3.0 2.0 -2.0 3.0 8.0 2.0 2.0 2.0 2.0 2.0 3.0 2.0 2.0 3.0 4.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = max(float(v[0]), float(v[4]));
    d[0] = r0_1;
    vec2 r0_2 = max(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = max(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = max(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    float r1_1 = max(float(v[0]), float(v[4]));
    d[10] = r1_1;
    vec2 r1_2 = max(vec2(v[0], v[1]), float(v[4]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    vec3 r1_3 = max(vec3(v[0], v[1], v[2]), float(v[4]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    vec4 r1_4 = max(vec4(v[0], v[1], v[2], v[3]), float(v[4]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# max_double.comp
//! function max(genDType x, genDType y)
//! function max(genDType x, double y)
//! bind 0.0 f64 zeros 20
//! bind 0.1 f64 1.5 -2.0 3.0 4.0 2.0 -3.0 2.5 8.0
//! expect 0.0 f64 2.0 2.0 -2.0 2.0 -2.0 3.0 2.0 -2.0 3.0 8.0 2.0 2.0 2.0 2.0 2.0 3.0 2.0 2.0 3.0 4.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = max(double(v[0]), double(v[4]));
    d[0] = r0_1;
    dvec2 r0_2 = max(dvec2(v[0], v[1]), dvec2(v[4], v[5]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = max(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = max(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    double r1_1 = max(double(v[0]), double(v[4]));
    d[10] = r1_1;
    dvec2 r1_2 = max(dvec2(v[0], v[1]), double(v[4]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    dvec3 r1_3 = max(dvec3(v[0], v[1], v[2]), double(v[4]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    dvec4 r1_4 = max(dvec4(v[0], v[1], v[2], v[3]), double(v[4]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# max_int.comp
//! function max(genIType x, genIType y)
//! function max(genIType x, int y)
//! bind 0.0 i32 zeros 20
//! bind 0.1 i32 1 -2 3 4 2 -3 2 8
//! expect 0.0 i32 2 2 -2 2 -2 3 2 -2 3 8 2 2 2 2 2 3 2 2 3 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r0_1 = max(int(v[0]), int(v[4]));
    d[0] = r0_1;
    ivec2 r0_2 = max(ivec2(v[0], v[1]), ivec2(v[4], v[5]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    ivec3 r0_3 = max(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    ivec4 r0_4 = max(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    int r1_1 = max(int(v[0]), int(v[4]));
    d[10] = r1_1;
    ivec2 r1_2 = max(ivec2(v[0], v[1]), int(v[4]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    ivec3 r1_3 = max(ivec3(v[0], v[1], v[2]), int(v[4]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    ivec4 r1_4 = max(ivec4(v[0], v[1], v[2], v[3]), int(v[4]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# max_uint.comp
//! function max(genUType x, genUType y)
//! function max(genUType x, uint y)
//! bind 0.0 u32 zeros 20
//! bind 0.1 u32 1 4294967295 3 4 2 3 2 8
//! expect 0.0 u32 2 2 4294967295 2 4294967295 3 2 4294967295 3 8 2 2 4294967295 2 4294967295 3 2 4294967295 3 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    uint r0_1 = max(uint(v[0]), uint(v[4]));
    d[0] = r0_1;
    uvec2 r0_2 = max(uvec2(v[0], v[1]), uvec2(v[4], v[5]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    uvec3 r0_3 = max(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    uvec4 r0_4 = max(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    uint r1_1 = max(uint(v[0]), uint(v[4]));
    d[10] = r1_1;
    uvec2 r1_2 = max(uvec2(v[0], v[1]), uint(v[4]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    uvec3 r1_3 = max(uvec3(v[0], v[1], v[2]), uint(v[4]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    uvec4 r1_4 = max(uvec4(v[0], v[1], v[2], v[3]), uint(v[4]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# clamp.comp
//! function clamp(genFType x, genFType minVal, genFType maxVal)
//! function clamp(genFType x, float minVal, float maxVal)
//! bind 0.0 f32 zeros 20
//! bind 0.1 f32 1.5 -2.0 3.0 9.0 2.0 -3.0 2.5 1.0 4.0 -1.0 2.75 8.0
//! expect 0.0 f32 2.0 2.0 -2.0 2.0 -2.0 2.75 2.0 -2.0 2.75 8.0 2.0 2.0 2.0 2.0 2.0 3.0 2.0 2.0 3.0 4.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = clamp(float(v[0]), float(v[4]), float(v[8]));
    d[0] = r0_1;
    vec2 r0_2 = clamp(vec2(v[0], v[1]), vec2(v[4], v[5]), vec2(v[8], v[9]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = clamp(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]), vec3(v[8], v[9], v[10]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = clamp(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]), vec4(v[8], v[9], v[10], v[11]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    float r1_1 = clamp(float(v[0]), float(v[4]), float(v[8]));
    d[10] = r1_1;
    vec2 r1_2 = clamp(vec2(v[0], v[1]), float(v[4]), float(v[8]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    vec3 r1_3 = clamp(vec3(v[0], v[1], v[2]), float(v[4]), float(v[8]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    vec4 r1_4 = clamp(vec4(v[0], v[1], v[2], v[3]), float(v[4]), float(v[8]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# clamp_double.comp
//! function clamp(genDType x, genDType minVal, genDType maxVal)
//! function clamp(genDType x, double minVal, double maxVal)
//! bind 0.0 f64 zeros 20
//! bind 0.1 f64 1.5 -2.0 3.0 9.0 2.0 -3.0 2.5 1.0 4.0 -1.0 2.75 8.0
//! expect 0.0 f64 2.0 2.0 -2.0 2.0 -2.0 2.75 2.0 -2.0 2.75 8.0 2.0 2.0 2.0 2.0 2.0 3.0 2.0 2.0 3.0 4.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = clamp(double(v[0]), double(v[4]), double(v[8]));
    d[0] = r0_1;
    dvec2 r0_2 = clamp(dvec2(v[0], v[1]), dvec2(v[4], v[5]), dvec2(v[8], v[9]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = clamp(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]), dvec3(v[8], v[9], v[10]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = clamp(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]), dvec4(v[8], v[9], v[10], v[11]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    double r1_1 = clamp(double(v[0]), double(v[4]), double(v[8]));
    d[10] = r1_1;
    dvec2 r1_2 = clamp(dvec2(v[0], v[1]), double(v[4]), double(v[8]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    dvec3 r1_3 = clamp(dvec3(v[0], v[1], v[2]), double(v[4]), double(v[8]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    dvec4 r1_4 = clamp(dvec4(v[0], v[1], v[2], v[3]), double(v[4]), double(v[8]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# clamp_int.comp
//! function clamp(genIType x, genIType minVal, genIType maxVal)
//! function clamp(genIType x, int minVal, int maxVal)
//! bind 0.0 i32 zeros 20
//! bind 0.1 i32 1 -2 3 9 2 -3 2 1 4 -1 3 8
//! expect 0.0 i32 2 2 -2 2 -2 3 2 -2 3 8 2 2 2 2 2 3 2 2 3 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r0_1 = clamp(int(v[0]), int(v[4]), int(v[8]));
    d[0] = r0_1;
    ivec2 r0_2 = clamp(ivec2(v[0], v[1]), ivec2(v[4], v[5]), ivec2(v[8], v[9]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    ivec3 r0_3 = clamp(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]), ivec3(v[8], v[9], v[10]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    ivec4 r0_4 = clamp(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]), ivec4(v[8], v[9], v[10], v[11]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    int r1_1 = clamp(int(v[0]), int(v[4]), int(v[8]));
    d[10] = r1_1;
    ivec2 r1_2 = clamp(ivec2(v[0], v[1]), int(v[4]), int(v[8]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    ivec3 r1_3 = clamp(ivec3(v[0], v[1], v[2]), int(v[4]), int(v[8]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    ivec4 r1_4 = clamp(ivec4(v[0], v[1], v[2], v[3]), int(v[4]), int(v[8]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# clamp_uint.comp
//! function clamp(genUType x, genUType minVal, genUType maxVal)
//! function clamp(genUType x, uint minVal, uint maxVal)
//! bind 0.0 u32 zeros 20
//! bind 0.1 u32 1 4294967295 3 9 2 3 2 1 4 10 3 8
//! expect 0.0 u32 2 2 10 2 10 3 2 10 3 8 2 2 4 2 4 3 2 4 3 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    uint r0_1 = clamp(uint(v[0]), uint(v[4]), uint(v[8]));
    d[0] = r0_1;
    uvec2 r0_2 = clamp(uvec2(v[0], v[1]), uvec2(v[4], v[5]), uvec2(v[8], v[9]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    uvec3 r0_3 = clamp(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]), uvec3(v[8], v[9], v[10]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    uvec4 r0_4 = clamp(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]), uvec4(v[8], v[9], v[10], v[11]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    uint r1_1 = clamp(uint(v[0]), uint(v[4]), uint(v[8]));
    d[10] = r1_1;
    uvec2 r1_2 = clamp(uvec2(v[0], v[1]), uint(v[4]), uint(v[8]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    uvec3 r1_3 = clamp(uvec3(v[0], v[1], v[2]), uint(v[4]), uint(v[8]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    uvec4 r1_4 = clamp(uvec4(v[0], v[1], v[2], v[3]), uint(v[4]), uint(v[8]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# mix.comp
//! function mix(genFType x, genFType y, genFType a)
//! function mix(genFType x, genFType y, float a)
//! function mix(genFType x, genFType y, genBType a)
//! bind 0.0 f32 zeros 30
//! bind 0.1 f32 1.0 -2.0 3.0 4.0 2.0 6.0 5.0 8.0 0.25 0.5 0.75 0.125
//! expect 0.0 f32 1.25 1.25 2.0 1.25 2.0 4.5 1.25 2.0 4.5 4.5 1.25 1.25 0.0 1.25 0.0 3.5 1.25 0.0 3.5 5.0 2.0 2.0 -2.0 2.0 -2.0 5.0 2.0 -2.0 5.0 8.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = mix(float(v[0]), float(v[4]), float(v[8]));
    d[0] = r0_1;
    vec2 r0_2 = mix(vec2(v[0], v[1]), vec2(v[4], v[5]), vec2(v[8], v[9]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = mix(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]), vec3(v[8], v[9], v[10]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = mix(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]), vec4(v[8], v[9], v[10], v[11]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    float r1_1 = mix(float(v[0]), float(v[4]), float(v[8]));
    d[10] = r1_1;
    vec2 r1_2 = mix(vec2(v[0], v[1]), vec2(v[4], v[5]), float(v[8]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    vec3 r1_3 = mix(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]), float(v[8]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    vec4 r1_4 = mix(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]), float(v[8]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
    float r2_1 = mix(float(v[0]), float(v[4]), bool(v[0] > 0));
    d[20] = r2_1;
    vec2 r2_2 = mix(vec2(v[0], v[1]), vec2(v[4], v[5]), bvec2(v[0] > 0, v[1] > 0));
    d[21] = r2_2[0];
    d[22] = r2_2[1];
    vec3 r2_3 = mix(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]), bvec3(v[0] > 0, v[1] > 0, v[2] > 0));
    d[23] = r2_3[0];
    d[24] = r2_3[1];
    d[25] = r2_3[2];
    vec4 r2_4 = mix(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]), bvec4(v[0] > 0, v[1] > 0, v[2] > 0, v[3] > 0));
    d[26] = r2_4[0];
    d[27] = r2_4[1];
    d[28] = r2_4[2];
    d[29] = r2_4[3];
}

//# mix_double.comp
//! function mix(genDType x, genDType y, genDType a)
//! function mix(genDType x, genDType y, double a)
//! function mix(genDType x, genDType y, genBType a)
//! bind 0.0 f64 zeros 30
//! bind 0.1 f64 1.0 -2.0 3.0 4.0 2.0 6.0 5.0 8.0 0.25 0.5 0.75 0.125
//! expect 0.0 f64 1.25 1.25 2.0 1.25 2.0 4.5 1.25 2.0 4.5 4.5 1.25 1.25 0.0 1.25 0.0 3.5 1.25 0.0 3.5 5.0 2.0 2.0 -2.0 2.0 -2.0 5.0 2.0 -2.0 5.0 8.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = mix(double(v[0]), double(v[4]), double(v[8]));
    d[0] = r0_1;
    dvec2 r0_2 = mix(dvec2(v[0], v[1]), dvec2(v[4], v[5]), dvec2(v[8], v[9]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = mix(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]), dvec3(v[8], v[9], v[10]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = mix(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]), dvec4(v[8], v[9], v[10], v[11]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    double r1_1 = mix(double(v[0]), double(v[4]), double(v[8]));
    d[10] = r1_1;
    dvec2 r1_2 = mix(dvec2(v[0], v[1]), dvec2(v[4], v[5]), double(v[8]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    dvec3 r1_3 = mix(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]), double(v[8]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    dvec4 r1_4 = mix(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]), double(v[8]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
    double r2_1 = mix(double(v[0]), double(v[4]), bool(v[0] > 0));
    d[20] = r2_1;
    dvec2 r2_2 = mix(dvec2(v[0], v[1]), dvec2(v[4], v[5]), bvec2(v[0] > 0, v[1] > 0));
    d[21] = r2_2[0];
    d[22] = r2_2[1];
    dvec3 r2_3 = mix(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]), bvec3(v[0] > 0, v[1] > 0, v[2] > 0));
    d[23] = r2_3[0];
    d[24] = r2_3[1];
    d[25] = r2_3[2];
    dvec4 r2_4 = mix(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]), bvec4(v[0] > 0, v[1] > 0, v[2] > 0, v[3] > 0));
    d[26] = r2_4[0];
    d[27] = r2_4[1];
    d[28] = r2_4[2];
    d[29] = r2_4[3];
}

//# step.comp
//! function step(genFType edge, genFType x)
//! function step(float edge, genFType x)
//! bind 0.0 f32 zeros 20
//! bind 0.1 f32 1.0 -2.0 3.0 4.0 2.0 -6.0 3.0 3.0
//! expect 0.0 f32 1.0 1.0 0.0 1.0 0.0 1.0 1.0 0.0 1.0 0.0 1.0 1.0 0.0 1.0 0.0 1.0 1.0 0.0 1.0 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = step(float(v[0]), float(v[4]));
    d[0] = r0_1;
    vec2 r0_2 = step(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = step(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = step(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    float r1_1 = step(float(v[0]), float(v[4]));
    d[10] = r1_1;
    vec2 r1_2 = step(float(v[0]), vec2(v[4], v[5]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    vec3 r1_3 = step(float(v[0]), vec3(v[4], v[5], v[6]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    vec4 r1_4 = step(float(v[0]), vec4(v[4], v[5], v[6], v[7]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# step_double.comp
//! function step(genDType edge, genDType x)
//! function step(double edge, genDType x)
//! bind 0.0 f64 zeros 20
//! bind 0.1 f64 1.0 -2.0 3.0 4.0 2.0 -6.0 3.0 3.0
//! expect 0.0 f64 1.0 1.0 0.0 1.0 0.0 1.0 1.0 0.0 1.0 0.0 1.0 1.0 0.0 1.0 0.0 1.0 1.0 0.0 1.0 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = step(double(v[0]), double(v[4]));
    d[0] = r0_1;
    dvec2 r0_2 = step(dvec2(v[0], v[1]), dvec2(v[4], v[5]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = step(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = step(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    double r1_1 = step(double(v[0]), double(v[4]));
    d[10] = r1_1;
    dvec2 r1_2 = step(double(v[0]), dvec2(v[4], v[5]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    dvec3 r1_3 = step(double(v[0]), dvec3(v[4], v[5], v[6]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    dvec4 r1_4 = step(double(v[0]), dvec4(v[4], v[5], v[6], v[7]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# smoothstep.comp
//! function smoothstep(genFType edge0, genFType edge1, genFType x)
//! function smoothstep(float edge0, float edge1, genFType x)
//! bind 0.0 f32 zeros 20
//! bind 0.1 f32 0.0 -2.0 1.0 4.0 2.0 6.0 5.0 8.0 0.5 1.0 6.0 3.0
//! expect 0.0 f32 0.15625 0.15625 0.31640625 0.15625 0.31640625 1.0 0.15625 0.31640625 1.0 0.0 0.15625 0.15625 0.5 0.15625 0.5 1.0 0.15625 0.5 1.0 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = smoothstep(float(v[0]), float(v[4]), float(v[8]));
    d[0] = r0_1;
    vec2 r0_2 = smoothstep(vec2(v[0], v[1]), vec2(v[4], v[5]), vec2(v[8], v[9]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = smoothstep(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]), vec3(v[8], v[9], v[10]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = smoothstep(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]), vec4(v[8], v[9], v[10], v[11]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    float r1_1 = smoothstep(float(v[0]), float(v[4]), float(v[8]));
    d[10] = r1_1;
    vec2 r1_2 = smoothstep(float(v[0]), float(v[4]), vec2(v[8], v[9]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    vec3 r1_3 = smoothstep(float(v[0]), float(v[4]), vec3(v[8], v[9], v[10]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    vec4 r1_4 = smoothstep(float(v[0]), float(v[4]), vec4(v[8], v[9], v[10], v[11]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# smoothstep_double.comp
//! function smoothstep(genDType edge0, genDType edge1, genDType x)
//! function smoothstep(double edge0, double edge1, genDType x)
//! bind 0.0 f64 zeros 20
//! bind 0.1 f64 0.0 -2.0 1.0 4.0 2.0 6.0 5.0 8.0 0.5 1.0 6.0 3.0
//! expect 0.0 f64 0.15625 0.15625 0.31640625 0.15625 0.31640625 1.0 0.15625 0.31640625 1.0 0.0 0.15625 0.15625 0.5 0.15625 0.5 1.0 0.15625 0.5 1.0 1.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = smoothstep(double(v[0]), double(v[4]), double(v[8]));
    d[0] = r0_1;
    dvec2 r0_2 = smoothstep(dvec2(v[0], v[1]), dvec2(v[4], v[5]), dvec2(v[8], v[9]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = smoothstep(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]), dvec3(v[8], v[9], v[10]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = smoothstep(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]), dvec4(v[8], v[9], v[10], v[11]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
    double r1_1 = smoothstep(double(v[0]), double(v[4]), double(v[8]));
    d[10] = r1_1;
    dvec2 r1_2 = smoothstep(double(v[0]), double(v[4]), dvec2(v[8], v[9]));
    d[11] = r1_2[0];
    d[12] = r1_2[1];
    dvec3 r1_3 = smoothstep(double(v[0]), double(v[4]), dvec3(v[8], v[9], v[10]));
    d[13] = r1_3[0];
    d[14] = r1_3[1];
    d[15] = r1_3[2];
    dvec4 r1_4 = smoothstep(double(v[0]), double(v[4]), dvec4(v[8], v[9], v[10], v[11]));
    d[16] = r1_4[0];
    d[17] = r1_4[1];
    d[18] = r1_4[2];
    d[19] = r1_4[3];
}

//# fma.comp
//! function fma(genFType a, genFType b, genFType c)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 1.5 -2.0 3.0 4.0 2.0 6.0 5.0 8.0 0.25 0.5 0.75 0.125
//! expect 0.0 f32 3.25 3.25 -11.5 3.25 -11.5 15.75 3.25 -11.5 15.75 32.125 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r0_1 = fma(float(v[0]), float(v[4]), float(v[8]));
    d[0] = r0_1;
    vec2 r0_2 = fma(vec2(v[0], v[1]), vec2(v[4], v[5]), vec2(v[8], v[9]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    vec3 r0_3 = fma(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]), vec3(v[8], v[9], v[10]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    vec4 r0_4 = fma(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]), vec4(v[8], v[9], v[10], v[11]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# fma_double.comp
//! function fma(genDType a, genDType b, genDType c)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 1.5 -2.0 3.0 4.0 2.0 6.0 5.0 8.0 0.25 0.5 0.75 0.125
//! expect 0.0 f64 3.25 3.25 -11.5 3.25 -11.5 15.75 3.25 -11.5 15.75 32.125 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r0_1 = fma(double(v[0]), double(v[4]), double(v[8]));
    d[0] = r0_1;
    dvec2 r0_2 = fma(dvec2(v[0], v[1]), dvec2(v[4], v[5]), dvec2(v[8], v[9]));
    d[1] = r0_2[0];
    d[2] = r0_2[1];
    dvec3 r0_3 = fma(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]), dvec3(v[8], v[9], v[10]));
    d[3] = r0_3[0];
    d[4] = r0_3[1];
    d[5] = r0_3[2];
    dvec4 r0_4 = fma(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]), dvec4(v[8], v[9], v[10], v[11]));
    d[6] = r0_4[0];
    d[7] = r0_4[1];
    d[8] = r0_4[2];
    d[9] = r0_4[3];
}

//# atan_2.comp
//! function atan(genFType y, genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 1.0 -2.0 3.0 0.5 2.0 0.5 -1.0 4.0
//! expect 0.0 f32 0.46364760398864746 0.46364760398864746 -1.3258177042007446 0.46364760398864746 -1.3258177042007446 1.8925468921661377 0.46364760398864746 -1.3258177042007446 1.8925468921661377 0.12435499578714371 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r1 = atan(float(v[0]), float(v[4]));
    d[0] = r1;
    vec2 r2 = atan(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[1] = r2[0];
    d[2] = r2[1];
    vec3 r3 = atan(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    vec4 r4 = atan(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# atan.comp
//! function atan(genFType y_over_x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 1.0 -2.0 3.0 0.5
//! expect 0.0 f32 0.7853981852531433 0.7853981852531433 -1.1071487665176392 0.7853981852531433 -1.1071487665176392 1.249045729637146 0.7853981852531433 -1.1071487665176392 1.249045729637146 0.46364760398864746 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r1 = atan(float(v[0]));
    d[0] = r1;
    vec2 r2 = atan(vec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    vec3 r3 = atan(vec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    vec4 r4 = atan(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# modf.comp
//! function modf(genFType x, out genFType i)
//! bind 0.0 f32 zeros 20
//! bind 0.1 f32 2.5 -1.25 3.0 -0.75
//! expect 0.0 f32 0.5 2.0 0.5 2.0 -0.25 -1.0 0.5 2.0 -0.25 -1.0 0.0 3.0 0.5 2.0 -0.25 -1.0 0.0 3.0 -0.75 -0.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float w1, r1 = modf(float(v[0]), w1);
    d[0] = r1; d[1] = w1;
    vec2 w2, r2 = modf(vec2(v[0], v[1]), w2);
    d[2] = r2[0]; d[3] = w2[0];
    d[4] = r2[1]; d[5] = w2[1];
    vec3 w3, r3 = modf(vec3(v[0], v[1], v[2]), w3);
    d[6] = r3[0]; d[7] = w3[0];
    d[8] = r3[1]; d[9] = w3[1];
    d[10] = r3[2]; d[11] = w3[2];
    vec4 w4, r4 = modf(vec4(v[0], v[1], v[2], v[3]), w4);
    d[12] = r4[0]; d[13] = w4[0];
    d[14] = r4[1]; d[15] = w4[1];
    d[16] = r4[2]; d[17] = w4[2];
    d[18] = r4[3]; d[19] = w4[3];
}

//# frexp.comp
//! function frexp(genFType x, out genIType exp)
//! bind 0.0 f32 zeros 20
//! bind 0.1 f32 2.5 -1.25 3.0 0.0
//! expect 0.0 f32 0.625 2.0 0.625 2.0 -0.625 1.0 0.625 2.0 -0.625 1.0 0.75 2.0 0.625 2.0 -0.625 1.0 0.75 2.0 0.0 0.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    int e1;
    float r1 = frexp(float(v[0]), e1);
    d[0] = r1; d[1] = e1;
    ivec2 e2;
    vec2 r2 = frexp(vec2(v[0], v[1]), e2);
    d[2] = r2[0]; d[3] = e2[0];
    d[4] = r2[1]; d[5] = e2[1];
    ivec3 e3;
    vec3 r3 = frexp(vec3(v[0], v[1], v[2]), e3);
    d[6] = r3[0]; d[7] = e3[0];
    d[8] = r3[1]; d[9] = e3[1];
    d[10] = r3[2]; d[11] = e3[2];
    ivec4 e4;
    vec4 r4 = frexp(vec4(v[0], v[1], v[2], v[3]), e4);
    d[12] = r4[0]; d[13] = e4[0];
    d[14] = r4[1]; d[15] = e4[1];
    d[16] = r4[2]; d[17] = e4[2];
    d[18] = r4[3]; d[19] = e4[3];
}

//# ldexp.comp
//! function ldexp(genFType x, genIType exp)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 2.5 -1.25 3.0 0.5 3.0 -2.0 0.0 5.0
//! expect 0.0 f32 20.0 20.0 -0.3125 20.0 -0.3125 3.0 20.0 -0.3125 3.0 16.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r1 = ldexp(float(v[0]), int(v[4]));
    d[0] = r1;
    vec2 r2 = ldexp(vec2(v[0], v[1]), ivec2(v[4], v[5]));
    d[1] = r2[0];
    d[2] = r2[1];
    vec3 r3 = ldexp(vec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    vec4 r4 = ldexp(vec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# isnan.comp
//! function isnan(genFType x)
//! bind 0.0 i32 zeros 10
//! bind 0.1 f32 1.0 0.0 1.0 -1.0 0.0 0.0 2.0 0.0
//! expect 0.0 i32 0 0 1 0 1 0 0 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    vec4 q = vec4(v[0], v[1], v[2], v[3]) / vec4(v[4], v[5], v[6], v[7]);
    bool r1 = isnan(q.x);
    d[0] = int(r1);
    bvec2 r2 = isnan(q.xy);
    d[1] = int(r2[0]);
    d[2] = int(r2[1]);
    bvec3 r3 = isnan(q.xyz);
    d[3] = int(r3[0]);
    d[4] = int(r3[1]);
    d[5] = int(r3[2]);
    bvec4 r4 = isnan(q);
    d[6] = int(r4[0]);
    d[7] = int(r4[1]);
    d[8] = int(r4[2]);
    d[9] = int(r4[3]);
}

//# isinf.comp
//! function isinf(genFType x)
//! bind 0.0 i32 zeros 10
//! bind 0.1 f32 1.0 0.0 1.0 -1.0 0.0 0.0 2.0 0.0
//! expect 0.0 i32 1 1 0 1 0 0 1 0 0 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    vec4 q = vec4(v[0], v[1], v[2], v[3]) / vec4(v[4], v[5], v[6], v[7]);
    bool r1 = isinf(q.x);
    d[0] = int(r1);
    bvec2 r2 = isinf(q.xy);
    d[1] = int(r2[0]);
    d[2] = int(r2[1]);
    bvec3 r3 = isinf(q.xyz);
    d[3] = int(r3[0]);
    d[4] = int(r3[1]);
    d[5] = int(r3[2]);
    bvec4 r4 = isinf(q);
    d[6] = int(r4[0]);
    d[7] = int(r4[1]);
    d[8] = int(r4[2]);
    d[9] = int(r4[3]);
}

//# modf_double.comp
//! function modf(genDType x, out genDType i)
//! bind 0.0 f64 zeros 20
//! bind 0.1 f64 2.5 -1.25 3.0 -0.75
//! expect 0.0 f64 0.5 2.0 0.5 2.0 -0.25 -1.0 0.5 2.0 -0.25 -1.0 0.0 3.0 0.5 2.0 -0.25 -1.0 0.0 3.0 -0.75 -0.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double w1, r1 = modf(double(v[0]), w1);
    d[0] = r1; d[1] = w1;
    dvec2 w2, r2 = modf(dvec2(v[0], v[1]), w2);
    d[2] = r2[0]; d[3] = w2[0];
    d[4] = r2[1]; d[5] = w2[1];
    dvec3 w3, r3 = modf(dvec3(v[0], v[1], v[2]), w3);
    d[6] = r3[0]; d[7] = w3[0];
    d[8] = r3[1]; d[9] = w3[1];
    d[10] = r3[2]; d[11] = w3[2];
    dvec4 w4, r4 = modf(dvec4(v[0], v[1], v[2], v[3]), w4);
    d[12] = r4[0]; d[13] = w4[0];
    d[14] = r4[1]; d[15] = w4[1];
    d[16] = r4[2]; d[17] = w4[2];
    d[18] = r4[3]; d[19] = w4[3];
}

//# frexp_double.comp
//! function frexp(genDType x, out genIType exp)
//! bind 0.0 f64 zeros 20
//! bind 0.1 f64 2.5 -1.25 3.0 0.0
//! expect 0.0 f64 0.625 2.0 0.625 2.0 -0.625 1.0 0.625 2.0 -0.625 1.0 0.75 2.0 0.625 2.0 -0.625 1.0 0.75 2.0 0.0 0.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    int e1;
    double r1 = frexp(double(v[0]), e1);
    d[0] = r1; d[1] = e1;
    ivec2 e2;
    dvec2 r2 = frexp(dvec2(v[0], v[1]), e2);
    d[2] = r2[0]; d[3] = e2[0];
    d[4] = r2[1]; d[5] = e2[1];
    ivec3 e3;
    dvec3 r3 = frexp(dvec3(v[0], v[1], v[2]), e3);
    d[6] = r3[0]; d[7] = e3[0];
    d[8] = r3[1]; d[9] = e3[1];
    d[10] = r3[2]; d[11] = e3[2];
    ivec4 e4;
    dvec4 r4 = frexp(dvec4(v[0], v[1], v[2], v[3]), e4);
    d[12] = r4[0]; d[13] = e4[0];
    d[14] = r4[1]; d[15] = e4[1];
    d[16] = r4[2]; d[17] = e4[2];
    d[18] = r4[3]; d[19] = e4[3];
}

//# ldexp_double.comp
//! function ldexp(genDType x, genIType exp)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 2.5 -1.25 3.0 0.5 3.0 -2.0 0.0 5.0
//! expect 0.0 f64 20.0 20.0 -0.3125 20.0 -0.3125 3.0 20.0 -0.3125 3.0 16.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r1 = ldexp(double(v[0]), int(v[4]));
    d[0] = r1;
    dvec2 r2 = ldexp(dvec2(v[0], v[1]), ivec2(v[4], v[5]));
    d[1] = r2[0];
    d[2] = r2[1];
    dvec3 r3 = ldexp(dvec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    dvec4 r4 = ldexp(dvec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# isnan_double.comp
//! function isnan(genDType x)
//! bind 0.0 i32 zeros 10
//! bind 0.1 f64 1.0 0.0 1.0 -1.0 0.0 0.0 2.0 0.0
//! expect 0.0 i32 0 0 1 0 1 0 0 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    dvec4 q = dvec4(v[0], v[1], v[2], v[3]) / dvec4(v[4], v[5], v[6], v[7]);
    bool r1 = isnan(q.x);
    d[0] = int(r1);
    bvec2 r2 = isnan(q.xy);
    d[1] = int(r2[0]);
    d[2] = int(r2[1]);
    bvec3 r3 = isnan(q.xyz);
    d[3] = int(r3[0]);
    d[4] = int(r3[1]);
    d[5] = int(r3[2]);
    bvec4 r4 = isnan(q);
    d[6] = int(r4[0]);
    d[7] = int(r4[1]);
    d[8] = int(r4[2]);
    d[9] = int(r4[3]);
}

//# isinf_double.comp
//! function isinf(genDType x)
//! bind 0.0 i32 zeros 10
//! bind 0.1 f64 1.0 0.0 1.0 -1.0 0.0 0.0 2.0 0.0
//! expect 0.0 i32 1 1 0 1 0 0 1 0 0 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    dvec4 q = dvec4(v[0], v[1], v[2], v[3]) / dvec4(v[4], v[5], v[6], v[7]);
    bool r1 = isinf(q.x);
    d[0] = int(r1);
    bvec2 r2 = isinf(q.xy);
    d[1] = int(r2[0]);
    d[2] = int(r2[1]);
    bvec3 r3 = isinf(q.xyz);
    d[3] = int(r3[0]);
    d[4] = int(r3[1]);
    d[5] = int(r3[2]);
    bvec4 r4 = isinf(q);
    d[6] = int(r4[0]);
    d[7] = int(r4[1]);
    d[8] = int(r4[2]);
    d[9] = int(r4[3]);
}

//# floatBitsToInt.comp
//! function floatBitsToInt(genFType value)
//! bind 0.0 i32 zeros 10
//! bind 0.1 f32 1.0 -2.5 0.10000000149011612 -0.0
//! expect 0.0 i32 1065353216 1065353216 -1071644672 1065353216 -1071644672 1036831949 1065353216 -1071644672 1036831949 -2147483648
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    int r1 = floatBitsToInt(float(v[0]));
    d[0] = r1;
    ivec2 r2 = floatBitsToInt(vec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    ivec3 r3 = floatBitsToInt(vec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    ivec4 r4 = floatBitsToInt(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# floatBitsToUint.comp
//! function floatBitsToUint(genFType value)
//! bind 0.0 u32 zeros 10
//! bind 0.1 f32 1.0 -2.5 0.10000000149011612 -0.0
//! expect 0.0 u32 1065353216 1065353216 3223322624 1065353216 3223322624 1036831949 1065353216 3223322624 1036831949 2147483648
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    uint r1 = floatBitsToUint(float(v[0]));
    d[0] = r1;
    uvec2 r2 = floatBitsToUint(vec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    uvec3 r3 = floatBitsToUint(vec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    uvec4 r4 = floatBitsToUint(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# intBitsToFloat.comp
//! function intBitsToFloat(genIType value)
//! bind 0.0 f32 zeros 10
//! bind 0.1 i32 1065353216 -1071644672 0 1056964608
//! expect 0.0 f32 1.0 1.0 -2.5 1.0 -2.5 0.0 1.0 -2.5 0.0 0.5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    float r1 = intBitsToFloat(int(v[0]));
    d[0] = r1;
    vec2 r2 = intBitsToFloat(ivec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    vec3 r3 = intBitsToFloat(ivec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    vec4 r4 = intBitsToFloat(ivec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# uintBitsToFloat.comp
//! function uintBitsToFloat(genUType value)
//! bind 0.0 f32 zeros 10
//! bind 0.1 u32 1065353216 3223322624 0 1056964608
//! expect 0.0 f32 1.0 1.0 -2.5 1.0 -2.5 0.0 1.0 -2.5 0.0 0.5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    float r1 = uintBitsToFloat(uint(v[0]));
    d[0] = r1;
    vec2 r2 = uintBitsToFloat(uvec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    vec3 r3 = uintBitsToFloat(uvec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    vec4 r4 = uintBitsToFloat(uvec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# mix_int.comp
//! function mix(genIType x, genIType y, genBType a)
//! bind 0.0 i32 zeros 10
//! bind 0.1 i32 1 2 3 4 5 6 7 8 1 0 0 1
//! expect 0.0 i32 5 5 2 5 2 3 5 2 3 8
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r1 = mix(int(v[0]), int(v[4]), bool(v[8] > 0));
    d[0] = r1;
    ivec2 r2 = mix(ivec2(v[0], v[1]), ivec2(v[4], v[5]), bvec2(v[8] > 0, v[9] > 0));
    d[1] = r2[0];
    d[2] = r2[1];
    ivec3 r3 = mix(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]), bvec3(v[8] > 0, v[9] > 0, v[10] > 0));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    ivec4 r4 = mix(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]), bvec4(v[8] > 0, v[9] > 0, v[10] > 0, v[11] > 0));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# mix_uint.comp
//! function mix(genUType x, genUType y, genBType a)
//! bind 0.0 u32 zeros 10
//! bind 0.1 u32 1 2 3 4 5 6 7 8 1 0 0 1
//! expect 0.0 u32 5 5 2 5 2 3 5 2 3 8
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    uint r1 = mix(uint(v[0]), uint(v[4]), bool(v[8] > 0u));
    d[0] = r1;
    uvec2 r2 = mix(uvec2(v[0], v[1]), uvec2(v[4], v[5]), bvec2(v[8] > 0u, v[9] > 0u));
    d[1] = r2[0];
    d[2] = r2[1];
    uvec3 r3 = mix(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]), bvec3(v[8] > 0u, v[9] > 0u, v[10] > 0u));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    uvec4 r4 = mix(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]), bvec4(v[8] > 0u, v[9] > 0u, v[10] > 0u, v[11] > 0u));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# mix_bool.comp
//! function mix(genBType x, genBType y, genBType a)
//! bind 0.0 i32 zeros 10
//! bind 0.1 i32 1 0 1 0 0 1 1 0 1 0 0 1
//! expect 0.0 i32 0 0 0 0 0 1 0 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    bool r1 = mix(bool(v[0] > 0), bool(v[4] > 0), bool(v[8] > 0));
    d[0] = int(r1);
    bvec2 r2 = mix(bvec2(v[0] > 0, v[1] > 0), bvec2(v[4] > 0, v[5] > 0), bvec2(v[8] > 0, v[9] > 0));
    d[1] = int(r2[0]);
    d[2] = int(r2[1]);
    bvec3 r3 = mix(bvec3(v[0] > 0, v[1] > 0, v[2] > 0), bvec3(v[4] > 0, v[5] > 0, v[6] > 0), bvec3(v[8] > 0, v[9] > 0, v[10] > 0));
    d[3] = int(r3[0]);
    d[4] = int(r3[1]);
    d[5] = int(r3[2]);
    bvec4 r4 = mix(bvec4(v[0] > 0, v[1] > 0, v[2] > 0, v[3] > 0), bvec4(v[4] > 0, v[5] > 0, v[6] > 0, v[7] > 0), bvec4(v[8] > 0, v[9] > 0, v[10] > 0, v[11] > 0));
    d[6] = int(r4[0]);
    d[7] = int(r4[1]);
    d[8] = int(r4[2]);
    d[9] = int(r4[3]);
}

//# packUnorm2x16.comp
//! function packUnorm2x16(vec2 v)
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 0.25 -0.75
//! expect 0.0 u32 16384
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    d[0] = packUnorm2x16(vec2(v[0], v[1]));
}

//# packSnorm2x16.comp
//! function packSnorm2x16(vec2 v)
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 0.25 -0.75
//! expect 0.0 u32 2684428288
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    d[0] = packSnorm2x16(vec2(v[0], v[1]));
}

//# packUnorm4x8.comp
//! function packUnorm4x8(vec4 v)
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 0.25 -0.75 2.0 0.10000000149011612
//! expect 0.0 u32 452919360
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    d[0] = packUnorm4x8(vec4(v[0], v[1], v[2], v[3]));
}

//# packSnorm4x8.comp
//! function packSnorm4x8(vec4 v)
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 0.25 -0.75 2.0 0.10000000149011612
//! expect 0.0 u32 226468128
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    d[0] = packSnorm4x8(vec4(v[0], v[1], v[2], v[3]));
}

//# packHalf2x16.comp
//! function packHalf2x16(vec2 v)
//! bind 0.0 u32 zeros 1
//! bind 0.1 f32 1.5 -0.125
//! expect 0.0 u32 2952805888
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    d[0] = packHalf2x16(vec2(v[0], v[1]));
}

//# unpackUnorm2x16.comp
//! function unpackUnorm2x16(uint p)
//! bind 0.0 f32 zeros 2
//! bind 0.1 u32 2151710524
//! expect 0.0 f32 0.4970168471336365 0.5009841918945312 ~ 2ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    vec2 r = unpackUnorm2x16(v[0]);
    d[0] = r[0];
    d[1] = r[1];
}

//# unpackSnorm2x16.comp
//! function unpackSnorm2x16(uint p)
//! bind 0.0 f32 zeros 2
//! bind 0.1 u32 2151710524
//! expect 0.0 f32 0.9940488934516907 -0.9980773329734802 ~ 2ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    vec2 r = unpackSnorm2x16(v[0]);
    d[0] = r[0];
    d[1] = r[1];
}

//# unpackUnorm4x8.comp
//! function unpackUnorm4x8(uint p)
//! bind 0.0 f32 zeros 4
//! bind 0.1 u32 2151710524
//! expect 0.0 f32 0.23529411852359772 0.49803921580314636 0.250980406999588 0.501960813999176 ~ 2ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    vec4 r = unpackUnorm4x8(v[0]);
    d[0] = r[0];
    d[1] = r[1];
    d[2] = r[2];
    d[3] = r[3];
}

//# unpackSnorm4x8.comp
//! function unpackSnorm4x8(uint p)
//! bind 0.0 f32 zeros 4
//! bind 0.1 u32 2151710524
//! expect 0.0 f32 0.4724409580230713 1.0 0.5039370059967041 -1.0 ~ 2ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    vec4 r = unpackSnorm4x8(v[0]);
    d[0] = r[0];
    d[1] = r[1];
    d[2] = r[2];
    d[3] = r[3];
}

//# unpackHalf2x16.comp
//! function unpackHalf2x16(uint v)
//! bind 0.0 f32 zeros 2
//! bind 0.1 u32 3087023616
//! expect 0.0 f32 1.5 -0.5 ~ 2ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    vec2 r = unpackHalf2x16(v[0]);
    d[0] = r[0];
    d[1] = r[1];
}

//# packDouble2x32.comp
//! function packDouble2x32(uvec2 v)
//! bind 0.0 f64 zeros 1
//! bind 0.1 u32 2576980378 3220281753
//! expect 0.0 f64 -1.1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    d[0] = packDouble2x32(uvec2(v[0], v[1]));
}

//# unpackDouble2x32.comp
//! function unpackDouble2x32(double v)
//! bind 0.0 u32 zeros 2
//! bind 0.1 f64 -1.1
//! expect 0.0 u32 2576980378 3220281753
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    uvec2 r = unpackDouble2x32(v[0]);
    d[0] = r.x;
    d[1] = r.y;
}

//# length.comp
//! function length(genFType x)
//! bind 0.0 f32 zeros 4
//! bind 0.1 f32 0.5 -1.5 2.0 4.0
//! expect 0.0 f32 0.5 1.5811388492584229 2.5495097637176514 4.7434163093566895 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    d[0] = length(float(v[0]));
    d[1] = length(vec2(v[0], v[1]));
    d[2] = length(vec3(v[0], v[1], v[2]));
    d[3] = length(vec4(v[0], v[1], v[2], v[3]));
}

//# length_double.comp
//! function length(genDType x)
//! bind 0.0 f64 zeros 4
//! bind 0.1 f64 0.5 -1.5 2.0 4.0
//! expect 0.0 f64 0.5 1.5811388300841898 2.5495097567963922 4.743416490252569 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    d[0] = length(double(v[0]));
    d[1] = length(dvec2(v[0], v[1]));
    d[2] = length(dvec3(v[0], v[1], v[2]));
    d[3] = length(dvec4(v[0], v[1], v[2], v[3]));
}

//# distance.comp
//! function distance(genFType p0, genFType p1)
//! bind 0.0 f32 zeros 4
//! bind 0.1 f32 0.5 -1.5 2.0 4.0 1.5 0.25 -3.0 1.0
//! expect 0.0 f32 1.0 2.015564441680908 5.390964508056641 6.16948127746582 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    d[0] = distance(float(v[0]), float(v[4]));
    d[1] = distance(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[2] = distance(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[3] = distance(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
}

//# distance_double.comp
//! function distance(genDType p0, genDType p1)
//! bind 0.0 f64 zeros 4
//! bind 0.1 f64 0.5 -1.5 2.0 4.0 1.5 0.25 -3.0 1.0
//! expect 0.0 f64 1.0 2.0155644370746373 5.390964663211956 6.169481339626533 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    d[0] = distance(double(v[0]), double(v[4]));
    d[1] = distance(dvec2(v[0], v[1]), dvec2(v[4], v[5]));
    d[2] = distance(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]));
    d[3] = distance(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]));
}

//# dot.comp
//! function dot(genFType x, genFType y)
//! bind 0.0 f32 zeros 4
//! bind 0.1 f32 0.5 -1.5 2.0 4.0 1.5 0.25 -3.0 1.0
//! expect 0.0 f32 0.75 0.375 -5.625 -1.625 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    d[0] = dot(float(v[0]), float(v[4]));
    d[1] = dot(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[2] = dot(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[3] = dot(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
}

//# dot_double.comp
//! function dot(genDType x, genDType y)
//! bind 0.0 f64 zeros 4
//! bind 0.1 f64 0.5 -1.5 2.0 4.0 1.5 0.25 -3.0 1.0
//! expect 0.0 f64 0.75 0.375 -5.625 -1.625 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    d[0] = dot(double(v[0]), double(v[4]));
    d[1] = dot(dvec2(v[0], v[1]), dvec2(v[4], v[5]));
    d[2] = dot(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]));
    d[3] = dot(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]));
}

//# normalize.comp
//! function normalize(genFType x)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 -1.5 2.0 4.0
//! expect 0.0 f32 1.0 0.3162277638912201 -0.9486833214759827 0.1961161345243454 -0.588348388671875 0.7844645380973816 0.10540925711393356 -0.3162277638912201 0.42163702845573425 0.8432740569114685 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r1 = normalize(float(v[0]));
    d[0] = r1;
    vec2 r2 = normalize(vec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    vec3 r3 = normalize(vec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    vec4 r4 = normalize(vec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# normalize_double.comp
//! function normalize(genDType x)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 0.5 -1.5 2.0 4.0
//! expect 0.0 f64 1.0 0.31622776601683794 -0.9486832980505138 0.19611613513818404 -0.5883484054145521 0.7844645405527362 0.10540925533894598 -0.31622776601683794 0.4216370213557839 0.8432740427115678 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r1 = normalize(double(v[0]));
    d[0] = r1;
    dvec2 r2 = normalize(dvec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    dvec3 r3 = normalize(dvec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    dvec4 r4 = normalize(dvec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# faceforward.comp
//! function faceforward(genFType N, genFType I, genFType Nref)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 -1.5 2.0 4.0 1.5 0.25 -3.0 1.0 0.5 -1.5 2.0 4.0
//! expect 0.0 f32 -0.5 -0.5 1.5 0.5 -1.5 2.0 0.5 -1.5 2.0 4.0 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r1 = faceforward(float(v[0]), float(v[4]), float(v[8]));
    d[0] = r1;
    vec2 r2 = faceforward(vec2(v[0], v[1]), vec2(v[4], v[5]), vec2(v[8], v[9]));
    d[1] = r2[0];
    d[2] = r2[1];
    vec3 r3 = faceforward(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]), vec3(v[8], v[9], v[10]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    vec4 r4 = faceforward(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]), vec4(v[8], v[9], v[10], v[11]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# faceforward_double.comp
//! function faceforward(genDType N, genDType I, genDType Nref)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 0.5 -1.5 2.0 4.0 1.5 0.25 -3.0 1.0 0.5 -1.5 2.0 4.0
//! expect 0.0 f64 -0.5 -0.5 1.5 0.5 -1.5 2.0 0.5 -1.5 2.0 4.0 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r1 = faceforward(double(v[0]), double(v[4]), double(v[8]));
    d[0] = r1;
    dvec2 r2 = faceforward(dvec2(v[0], v[1]), dvec2(v[4], v[5]), dvec2(v[8], v[9]));
    d[1] = r2[0];
    d[2] = r2[1];
    dvec3 r3 = faceforward(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]), dvec3(v[8], v[9], v[10]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    dvec4 r4 = faceforward(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]), dvec4(v[8], v[9], v[10], v[11]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# reflect.comp
//! function reflect(genFType I, genFType N)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 1.5 0.25 -3.0 1.0 0.5 -1.5 2.0 4.0
//! expect 0.0 f32 0.75 1.125 1.375 7.125 -16.625 19.5 3.125 -4.625 3.5 14.0 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r1 = reflect(float(v[0]), float(v[4]));
    d[0] = r1;
    vec2 r2 = reflect(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[1] = r2[0];
    d[2] = r2[1];
    vec3 r3 = reflect(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    vec4 r4 = reflect(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# reflect_double.comp
//! function reflect(genDType I, genDType N)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 1.5 0.25 -3.0 1.0 0.5 -1.5 2.0 4.0
//! expect 0.0 f64 0.75 1.125 1.375 7.125 -16.625 19.5 3.125 -4.625 3.5 14.0 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r1 = reflect(double(v[0]), double(v[4]));
    d[0] = r1;
    dvec2 r2 = reflect(dvec2(v[0], v[1]), dvec2(v[4], v[5]));
    d[1] = r2[0];
    d[2] = r2[1];
    dvec3 r3 = reflect(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    dvec4 r4 = reflect(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# refract.comp
//! function refract(genFType I, genFType N, float eta)
//! bind 0.0 f32 zeros 10
//! bind 0.1 f32 0.5 -0.25 0.5 0.25 0.25 0.5 -0.25 0.5 0.75 0.0 0.0 0.0
//! expect 0.0 f32 0.18455033004283905 0.20964054763317108 -0.5182189345359802 0.23142533004283905 -0.4746493399143219 0.5185746550559998 0.20964054763317108 -0.5182189345359802 0.5403594374656677 -0.14321891963481903 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    float r1 = refract(float(v[0]), float(v[4]), v[8]);
    d[0] = r1;
    vec2 r2 = refract(vec2(v[0], v[1]), vec2(v[4], v[5]), v[8]);
    d[1] = r2[0];
    d[2] = r2[1];
    vec3 r3 = refract(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]), v[8]);
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    vec4 r4 = refract(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]), v[8]);
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# refract_double.comp
//! function refract(genDType I, genDType N, double eta)
//! bind 0.0 f64 zeros 10
//! bind 0.1 f64 0.5 -0.25 0.5 0.25 0.25 0.5 -0.25 0.5 0.75 0.0 0.0 0.0
//! expect 0.0 f64 0.1845503255747504 0.20964054305846308 -0.5182189138830738 0.2314253255747504 -0.4746493488504992 0.5185746744252496 0.20964054305846308 -0.5182189138830738 0.5403594569415369 -0.14321891388307384 ~ 16ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    double r1 = refract(double(v[0]), double(v[4]), v[8]);
    d[0] = r1;
    dvec2 r2 = refract(dvec2(v[0], v[1]), dvec2(v[4], v[5]), v[8]);
    d[1] = r2[0];
    d[2] = r2[1];
    dvec3 r3 = refract(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]), v[8]);
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    dvec4 r4 = refract(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]), v[8]);
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# cross.comp
//! function cross(vec3 x, vec3 y)
//! bind 0.0 f32 zeros 3
//! bind 0.1 f32 0.5 -1.5 2.0 1.5 0.25 -3.0
//! expect 0.0 f32 4.0 4.5 2.375 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    vec3 r = cross(vec3(v[0], v[1], v[2]), vec3(v[3], v[4], v[5]));
    d[0] = r[0];
    d[1] = r[1];
    d[2] = r[2];
}

//# cross_double.comp
//! function cross(dvec3 x, dvec3 y)
//! bind 0.0 f64 zeros 3
//! bind 0.1 f64 0.5 -1.5 2.0 1.5 0.25 -3.0
//! expect 0.0 f64 4.0 4.5 2.375 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    dvec3 r = cross(dvec3(v[0], v[1], v[2]), dvec3(v[3], v[4], v[5]));
    d[0] = r[0];
    d[1] = r[1];
    d[2] = r[2];
}

//# matrixCompMult.comp
//! function matrixCompMult(mat x, mat y)
//! bind 0.0 f32 zeros 81
//! bind 0.1 f32 1.5 -2.0 3.0 0.5 4.0 -1.0 2.5 6.0 -3.0 7.0 0.25 -5.0 8.0 1.0 -4.0 2.0 2.0 -4.0 1.0 8.0 -5.0 0.25 7.0 -3.0 6.0 2.5 -1.0 4.0 0.5 3.0 -2.0 1.5
//! expect 0.0 f32 3.0 8.0 3.0 4.0 3.0 8.0 3.0 4.0 -20.0 -0.25 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 3.0 8.0 3.0 4.0 -20.0 -0.25 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 -18.0 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 -18.0 17.5 -0.25 -20.0 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 -18.0 17.5 -0.25 -20.0 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 -18.0 17.5 -0.25 -20.0 4.0 3.0 8.0 3.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    mat2x2 m22 = matrixCompMult(mat2x2(v[0], v[1], v[2], v[3]), mat2x2(v[16], v[17], v[18], v[19]));
    d[0] = m22[0][0];
    d[1] = m22[0][1];
    d[2] = m22[1][0];
    d[3] = m22[1][1];
    mat2x3 m23 = matrixCompMult(mat2x3(v[0], v[1], v[2], v[3], v[4], v[5]), mat2x3(v[16], v[17], v[18], v[19], v[20], v[21]));
    d[4] = m23[0][0];
    d[5] = m23[0][1];
    d[6] = m23[0][2];
    d[7] = m23[1][0];
    d[8] = m23[1][1];
    d[9] = m23[1][2];
    mat2x4 m24 = matrixCompMult(mat2x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]), mat2x4(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23]));
    d[10] = m24[0][0];
    d[11] = m24[0][1];
    d[12] = m24[0][2];
    d[13] = m24[0][3];
    d[14] = m24[1][0];
    d[15] = m24[1][1];
    d[16] = m24[1][2];
    d[17] = m24[1][3];
    mat3x2 m32 = matrixCompMult(mat3x2(v[0], v[1], v[2], v[3], v[4], v[5]), mat3x2(v[16], v[17], v[18], v[19], v[20], v[21]));
    d[18] = m32[0][0];
    d[19] = m32[0][1];
    d[20] = m32[1][0];
    d[21] = m32[1][1];
    d[22] = m32[2][0];
    d[23] = m32[2][1];
    mat3x3 m33 = matrixCompMult(mat3x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]), mat3x3(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24]));
    d[24] = m33[0][0];
    d[25] = m33[0][1];
    d[26] = m33[0][2];
    d[27] = m33[1][0];
    d[28] = m33[1][1];
    d[29] = m33[1][2];
    d[30] = m33[2][0];
    d[31] = m33[2][1];
    d[32] = m33[2][2];
    mat3x4 m34 = matrixCompMult(mat3x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]), mat3x4(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24], v[25], v[26], v[27]));
    d[33] = m34[0][0];
    d[34] = m34[0][1];
    d[35] = m34[0][2];
    d[36] = m34[0][3];
    d[37] = m34[1][0];
    d[38] = m34[1][1];
    d[39] = m34[1][2];
    d[40] = m34[1][3];
    d[41] = m34[2][0];
    d[42] = m34[2][1];
    d[43] = m34[2][2];
    d[44] = m34[2][3];
    mat4x2 m42 = matrixCompMult(mat4x2(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]), mat4x2(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23]));
    d[45] = m42[0][0];
    d[46] = m42[0][1];
    d[47] = m42[1][0];
    d[48] = m42[1][1];
    d[49] = m42[2][0];
    d[50] = m42[2][1];
    d[51] = m42[3][0];
    d[52] = m42[3][1];
    mat4x3 m43 = matrixCompMult(mat4x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]), mat4x3(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24], v[25], v[26], v[27]));
    d[53] = m43[0][0];
    d[54] = m43[0][1];
    d[55] = m43[0][2];
    d[56] = m43[1][0];
    d[57] = m43[1][1];
    d[58] = m43[1][2];
    d[59] = m43[2][0];
    d[60] = m43[2][1];
    d[61] = m43[2][2];
    d[62] = m43[3][0];
    d[63] = m43[3][1];
    d[64] = m43[3][2];
    mat4x4 m44 = matrixCompMult(mat4x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15]), mat4x4(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24], v[25], v[26], v[27], v[28], v[29], v[30], v[31]));
    d[65] = m44[0][0];
    d[66] = m44[0][1];
    d[67] = m44[0][2];
    d[68] = m44[0][3];
    d[69] = m44[1][0];
    d[70] = m44[1][1];
    d[71] = m44[1][2];
    d[72] = m44[1][3];
    d[73] = m44[2][0];
    d[74] = m44[2][1];
    d[75] = m44[2][2];
    d[76] = m44[2][3];
    d[77] = m44[3][0];
    d[78] = m44[3][1];
    d[79] = m44[3][2];
    d[80] = m44[3][3];
}

//# outerProduct.comp
//! function outerProduct(vec2 c, vec2 r)
//! function outerProduct(vec3 c, vec3 r)
//! function outerProduct(vec4 c, vec4 r)
//! function outerProduct(vec3 c, vec2 r)
//! function outerProduct(vec2 c, vec3 r)
//! function outerProduct(vec4 c, vec2 r)
//! function outerProduct(vec2 c, vec4 r)
//! function outerProduct(vec4 c, vec3 r)
//! function outerProduct(vec3 c, vec4 r)
//! bind 0.0 f32 zeros 81
//! bind 0.1 f32 1.5 -2.0 3.0 0.5 4.0 -1.0 2.5 6.0 -3.0 7.0 0.25 -5.0 8.0 1.0 -4.0 2.0
//! expect 0.0 f32 6.0 -8.0 -1.5 2.0 6.0 -8.0 12.0 -1.5 2.0 -3.0 6.0 -8.0 12.0 2.0 -1.5 2.0 -3.0 -0.5 6.0 -8.0 -1.5 2.0 3.75 -5.0 6.0 -8.0 12.0 -1.5 2.0 -3.0 3.75 -5.0 7.5 6.0 -8.0 12.0 2.0 -1.5 2.0 -3.0 -0.5 3.75 -5.0 7.5 1.25 6.0 -8.0 -1.5 2.0 3.75 -5.0 9.0 -12.0 6.0 -8.0 12.0 -1.5 2.0 -3.0 3.75 -5.0 7.5 9.0 -12.0 18.0 6.0 -8.0 12.0 2.0 -1.5 2.0 -3.0 -0.5 3.75 -5.0 7.5 1.25 9.0 -12.0 18.0 3.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    mat2x2 m22 = outerProduct(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[0] = m22[0][0];
    d[1] = m22[0][1];
    d[2] = m22[1][0];
    d[3] = m22[1][1];
    mat2x3 m23 = outerProduct(vec3(v[0], v[1], v[2]), vec2(v[4], v[5]));
    d[4] = m23[0][0];
    d[5] = m23[0][1];
    d[6] = m23[0][2];
    d[7] = m23[1][0];
    d[8] = m23[1][1];
    d[9] = m23[1][2];
    mat2x4 m24 = outerProduct(vec4(v[0], v[1], v[2], v[3]), vec2(v[4], v[5]));
    d[10] = m24[0][0];
    d[11] = m24[0][1];
    d[12] = m24[0][2];
    d[13] = m24[0][3];
    d[14] = m24[1][0];
    d[15] = m24[1][1];
    d[16] = m24[1][2];
    d[17] = m24[1][3];
    mat3x2 m32 = outerProduct(vec2(v[0], v[1]), vec3(v[4], v[5], v[6]));
    d[18] = m32[0][0];
    d[19] = m32[0][1];
    d[20] = m32[1][0];
    d[21] = m32[1][1];
    d[22] = m32[2][0];
    d[23] = m32[2][1];
    mat3x3 m33 = outerProduct(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[24] = m33[0][0];
    d[25] = m33[0][1];
    d[26] = m33[0][2];
    d[27] = m33[1][0];
    d[28] = m33[1][1];
    d[29] = m33[1][2];
    d[30] = m33[2][0];
    d[31] = m33[2][1];
    d[32] = m33[2][2];
    mat3x4 m34 = outerProduct(vec4(v[0], v[1], v[2], v[3]), vec3(v[4], v[5], v[6]));
    d[33] = m34[0][0];
    d[34] = m34[0][1];
    d[35] = m34[0][2];
    d[36] = m34[0][3];
    d[37] = m34[1][0];
    d[38] = m34[1][1];
    d[39] = m34[1][2];
    d[40] = m34[1][3];
    d[41] = m34[2][0];
    d[42] = m34[2][1];
    d[43] = m34[2][2];
    d[44] = m34[2][3];
    mat4x2 m42 = outerProduct(vec2(v[0], v[1]), vec4(v[4], v[5], v[6], v[7]));
    d[45] = m42[0][0];
    d[46] = m42[0][1];
    d[47] = m42[1][0];
    d[48] = m42[1][1];
    d[49] = m42[2][0];
    d[50] = m42[2][1];
    d[51] = m42[3][0];
    d[52] = m42[3][1];
    mat4x3 m43 = outerProduct(vec3(v[0], v[1], v[2]), vec4(v[4], v[5], v[6], v[7]));
    d[53] = m43[0][0];
    d[54] = m43[0][1];
    d[55] = m43[0][2];
    d[56] = m43[1][0];
    d[57] = m43[1][1];
    d[58] = m43[1][2];
    d[59] = m43[2][0];
    d[60] = m43[2][1];
    d[61] = m43[2][2];
    d[62] = m43[3][0];
    d[63] = m43[3][1];
    d[64] = m43[3][2];
    mat4x4 m44 = outerProduct(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[65] = m44[0][0];
    d[66] = m44[0][1];
    d[67] = m44[0][2];
    d[68] = m44[0][3];
    d[69] = m44[1][0];
    d[70] = m44[1][1];
    d[71] = m44[1][2];
    d[72] = m44[1][3];
    d[73] = m44[2][0];
    d[74] = m44[2][1];
    d[75] = m44[2][2];
    d[76] = m44[2][3];
    d[77] = m44[3][0];
    d[78] = m44[3][1];
    d[79] = m44[3][2];
    d[80] = m44[3][3];
}

//# transpose.comp
//! function transpose(mat2 m)
//! function transpose(mat3 m)
//! function transpose(mat4 m)
//! function transpose(mat3x2 m)
//! function transpose(mat2x3 m)
//! function transpose(mat4x2 m)
//! function transpose(mat2x4 m)
//! function transpose(mat4x3 m)
//! function transpose(mat3x4 m)
//! bind 0.0 f32 zeros 81
//! bind 0.1 f32 1.5 -2.0 3.0 0.5 4.0 -1.0 2.5 6.0 -3.0 7.0 0.25 -5.0 8.0 1.0 -4.0 2.0
//! expect 0.0 f32 1.5 3.0 -2.0 0.5 1.5 3.0 4.0 -2.0 0.5 -1.0 1.5 3.0 4.0 2.5 -2.0 0.5 -1.0 6.0 1.5 0.5 -2.0 4.0 3.0 -1.0 1.5 0.5 2.5 -2.0 4.0 6.0 3.0 -1.0 -3.0 1.5 0.5 2.5 7.0 -2.0 4.0 6.0 0.25 3.0 -1.0 -3.0 -5.0 1.5 4.0 -2.0 -1.0 3.0 2.5 0.5 6.0 1.5 4.0 -3.0 -2.0 -1.0 7.0 3.0 2.5 0.25 0.5 6.0 -5.0 1.5 4.0 -3.0 8.0 -2.0 -1.0 7.0 1.0 3.0 2.5 0.25 -4.0 0.5 6.0 -5.0 2.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    mat2x2 m22 = transpose(mat2x2(v[0], v[1], v[2], v[3]));
    d[0] = m22[0][0];
    d[1] = m22[0][1];
    d[2] = m22[1][0];
    d[3] = m22[1][1];
    mat2x3 m23 = transpose(mat3x2(v[0], v[1], v[2], v[3], v[4], v[5]));
    d[4] = m23[0][0];
    d[5] = m23[0][1];
    d[6] = m23[0][2];
    d[7] = m23[1][0];
    d[8] = m23[1][1];
    d[9] = m23[1][2];
    mat2x4 m24 = transpose(mat4x2(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]));
    d[10] = m24[0][0];
    d[11] = m24[0][1];
    d[12] = m24[0][2];
    d[13] = m24[0][3];
    d[14] = m24[1][0];
    d[15] = m24[1][1];
    d[16] = m24[1][2];
    d[17] = m24[1][3];
    mat3x2 m32 = transpose(mat2x3(v[0], v[1], v[2], v[3], v[4], v[5]));
    d[18] = m32[0][0];
    d[19] = m32[0][1];
    d[20] = m32[1][0];
    d[21] = m32[1][1];
    d[22] = m32[2][0];
    d[23] = m32[2][1];
    mat3x3 m33 = transpose(mat3x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]));
    d[24] = m33[0][0];
    d[25] = m33[0][1];
    d[26] = m33[0][2];
    d[27] = m33[1][0];
    d[28] = m33[1][1];
    d[29] = m33[1][2];
    d[30] = m33[2][0];
    d[31] = m33[2][1];
    d[32] = m33[2][2];
    mat3x4 m34 = transpose(mat4x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]));
    d[33] = m34[0][0];
    d[34] = m34[0][1];
    d[35] = m34[0][2];
    d[36] = m34[0][3];
    d[37] = m34[1][0];
    d[38] = m34[1][1];
    d[39] = m34[1][2];
    d[40] = m34[1][3];
    d[41] = m34[2][0];
    d[42] = m34[2][1];
    d[43] = m34[2][2];
    d[44] = m34[2][3];
    mat4x2 m42 = transpose(mat2x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]));
    d[45] = m42[0][0];
    d[46] = m42[0][1];
    d[47] = m42[1][0];
    d[48] = m42[1][1];
    d[49] = m42[2][0];
    d[50] = m42[2][1];
    d[51] = m42[3][0];
    d[52] = m42[3][1];
    mat4x3 m43 = transpose(mat3x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]));
    d[53] = m43[0][0];
    d[54] = m43[0][1];
    d[55] = m43[0][2];
    d[56] = m43[1][0];
    d[57] = m43[1][1];
    d[58] = m43[1][2];
    d[59] = m43[2][0];
    d[60] = m43[2][1];
    d[61] = m43[2][2];
    d[62] = m43[3][0];
    d[63] = m43[3][1];
    d[64] = m43[3][2];
    mat4x4 m44 = transpose(mat4x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15]));
    d[65] = m44[0][0];
    d[66] = m44[0][1];
    d[67] = m44[0][2];
    d[68] = m44[0][3];
    d[69] = m44[1][0];
    d[70] = m44[1][1];
    d[71] = m44[1][2];
    d[72] = m44[1][3];
    d[73] = m44[2][0];
    d[74] = m44[2][1];
    d[75] = m44[2][2];
    d[76] = m44[2][3];
    d[77] = m44[3][0];
    d[78] = m44[3][1];
    d[79] = m44[3][2];
    d[80] = m44[3][3];
}

//# determinant.comp
//! function determinant(mat2 m)
//! function determinant(mat3 m)
//! function determinant(mat4 m)
//! bind 0.0 f32 zeros 3
//! bind 0.1 f32 1.5 -2.0 3.0 0.5 4.0 -1.0 2.5 6.0 -3.0 7.0 0.25 -5.0 8.0 1.0 -4.0 2.0
//! expect 0.0 f32 6.75 -28.0 -1109.0 ~ 64ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    d[0] = determinant(mat2x2(v[0], v[1], v[2], v[3]));
    d[1] = determinant(mat3x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]));
    d[2] = determinant(mat4x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15]));
}

//# inverse.comp
//! function inverse(mat2 m)
//! function inverse(mat3 m)
//! function inverse(mat4 m)
//! bind 0.0 f32 zeros 29
//! bind 0.1 f32 1.5 -2.0 3.0 0.5 4.0 -1.0 2.5 6.0 -3.0 7.0 0.25 -5.0 8.0 1.0 -4.0 2.0
//! expect 0.0 f32 0.07407407462596893 0.29629629850387573 -0.4444444477558136 0.2222222238779068 0.2142857164144516 -0.4285714328289032 0.3571428656578064 0.0357142873108387 0.4285714328289032 -0.1071428582072258 0.25 0.5 -0.25 0.17808836698532104 -0.028967538848519325 0.029981965199112892 0.11733543872833252 -0.09287646412849426 0.11384129524230957 0.13119928538799286 0.009693417698144913 0.22001802921295166 0.060414787381887436 0.0775473415851593 -0.042380522936582565 -0.22587917745113373 0.1797790825366974 -0.030432822182774544 -0.05894950404763222 ~ 256ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    mat2 i2 = inverse(mat2x2(v[0], v[1], v[2], v[3]));
    d[0] = i2[0][0];
    d[1] = i2[0][1];
    d[2] = i2[1][0];
    d[3] = i2[1][1];
    mat3 i3 = inverse(mat3x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]));
    d[4] = i3[0][0];
    d[5] = i3[0][1];
    d[6] = i3[0][2];
    d[7] = i3[1][0];
    d[8] = i3[1][1];
    d[9] = i3[1][2];
    d[10] = i3[2][0];
    d[11] = i3[2][1];
    d[12] = i3[2][2];
    mat4 i4 = inverse(mat4x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15]));
    d[13] = i4[0][0];
    d[14] = i4[0][1];
    d[15] = i4[0][2];
    d[16] = i4[0][3];
    d[17] = i4[1][0];
    d[18] = i4[1][1];
    d[19] = i4[1][2];
    d[20] = i4[1][3];
    d[21] = i4[2][0];
    d[22] = i4[2][1];
    d[23] = i4[2][2];
    d[24] = i4[2][3];
    d[25] = i4[3][0];
    d[26] = i4[3][1];
    d[27] = i4[3][2];
    d[28] = i4[3][3];
}

//# matrixCompMult_double.comp
//! function matrixCompMult(mat x, mat y)
//! bind 0.0 f64 zeros 81
//! bind 0.1 f64 1.5 -2.0 3.0 0.5 4.0 -1.0 2.5 6.0 -3.0 7.0 0.25 -5.0 8.0 1.0 -4.0 2.0 2.0 -4.0 1.0 8.0 -5.0 0.25 7.0 -3.0 6.0 2.5 -1.0 4.0 0.5 3.0 -2.0 1.5
//! expect 0.0 f64 3.0 8.0 3.0 4.0 3.0 8.0 3.0 4.0 -20.0 -0.25 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 3.0 8.0 3.0 4.0 -20.0 -0.25 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 -18.0 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 -18.0 17.5 -0.25 -20.0 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 -18.0 17.5 -0.25 -20.0 3.0 8.0 3.0 4.0 -20.0 -0.25 17.5 -18.0 -18.0 17.5 -0.25 -20.0 4.0 3.0 8.0 3.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    dmat2x2 m22 = matrixCompMult(dmat2x2(v[0], v[1], v[2], v[3]), dmat2x2(v[16], v[17], v[18], v[19]));
    d[0] = m22[0][0];
    d[1] = m22[0][1];
    d[2] = m22[1][0];
    d[3] = m22[1][1];
    dmat2x3 m23 = matrixCompMult(dmat2x3(v[0], v[1], v[2], v[3], v[4], v[5]), dmat2x3(v[16], v[17], v[18], v[19], v[20], v[21]));
    d[4] = m23[0][0];
    d[5] = m23[0][1];
    d[6] = m23[0][2];
    d[7] = m23[1][0];
    d[8] = m23[1][1];
    d[9] = m23[1][2];
    dmat2x4 m24 = matrixCompMult(dmat2x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]), dmat2x4(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23]));
    d[10] = m24[0][0];
    d[11] = m24[0][1];
    d[12] = m24[0][2];
    d[13] = m24[0][3];
    d[14] = m24[1][0];
    d[15] = m24[1][1];
    d[16] = m24[1][2];
    d[17] = m24[1][3];
    dmat3x2 m32 = matrixCompMult(dmat3x2(v[0], v[1], v[2], v[3], v[4], v[5]), dmat3x2(v[16], v[17], v[18], v[19], v[20], v[21]));
    d[18] = m32[0][0];
    d[19] = m32[0][1];
    d[20] = m32[1][0];
    d[21] = m32[1][1];
    d[22] = m32[2][0];
    d[23] = m32[2][1];
    dmat3x3 m33 = matrixCompMult(dmat3x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]), dmat3x3(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24]));
    d[24] = m33[0][0];
    d[25] = m33[0][1];
    d[26] = m33[0][2];
    d[27] = m33[1][0];
    d[28] = m33[1][1];
    d[29] = m33[1][2];
    d[30] = m33[2][0];
    d[31] = m33[2][1];
    d[32] = m33[2][2];
    dmat3x4 m34 = matrixCompMult(dmat3x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]), dmat3x4(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24], v[25], v[26], v[27]));
    d[33] = m34[0][0];
    d[34] = m34[0][1];
    d[35] = m34[0][2];
    d[36] = m34[0][3];
    d[37] = m34[1][0];
    d[38] = m34[1][1];
    d[39] = m34[1][2];
    d[40] = m34[1][3];
    d[41] = m34[2][0];
    d[42] = m34[2][1];
    d[43] = m34[2][2];
    d[44] = m34[2][3];
    dmat4x2 m42 = matrixCompMult(dmat4x2(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]), dmat4x2(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23]));
    d[45] = m42[0][0];
    d[46] = m42[0][1];
    d[47] = m42[1][0];
    d[48] = m42[1][1];
    d[49] = m42[2][0];
    d[50] = m42[2][1];
    d[51] = m42[3][0];
    d[52] = m42[3][1];
    dmat4x3 m43 = matrixCompMult(dmat4x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]), dmat4x3(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24], v[25], v[26], v[27]));
    d[53] = m43[0][0];
    d[54] = m43[0][1];
    d[55] = m43[0][2];
    d[56] = m43[1][0];
    d[57] = m43[1][1];
    d[58] = m43[1][2];
    d[59] = m43[2][0];
    d[60] = m43[2][1];
    d[61] = m43[2][2];
    d[62] = m43[3][0];
    d[63] = m43[3][1];
    d[64] = m43[3][2];
    dmat4x4 m44 = matrixCompMult(dmat4x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15]), dmat4x4(v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24], v[25], v[26], v[27], v[28], v[29], v[30], v[31]));
    d[65] = m44[0][0];
    d[66] = m44[0][1];
    d[67] = m44[0][2];
    d[68] = m44[0][3];
    d[69] = m44[1][0];
    d[70] = m44[1][1];
    d[71] = m44[1][2];
    d[72] = m44[1][3];
    d[73] = m44[2][0];
    d[74] = m44[2][1];
    d[75] = m44[2][2];
    d[76] = m44[2][3];
    d[77] = m44[3][0];
    d[78] = m44[3][1];
    d[79] = m44[3][2];
    d[80] = m44[3][3];
}

//# outerProduct_double.comp
//! function outerProduct(vec2 c, vec2 r)
//! function outerProduct(vec3 c, vec3 r)
//! function outerProduct(vec4 c, vec4 r)
//! function outerProduct(vec3 c, vec2 r)
//! function outerProduct(vec2 c, vec3 r)
//! function outerProduct(vec4 c, vec2 r)
//! function outerProduct(vec2 c, vec4 r)
//! function outerProduct(vec4 c, vec3 r)
//! function outerProduct(vec3 c, vec4 r)
//! bind 0.0 f64 zeros 81
//! bind 0.1 f64 1.5 -2.0 3.0 0.5 4.0 -1.0 2.5 6.0 -3.0 7.0 0.25 -5.0 8.0 1.0 -4.0 2.0
//! expect 0.0 f64 6.0 -8.0 -1.5 2.0 6.0 -8.0 12.0 -1.5 2.0 -3.0 6.0 -8.0 12.0 2.0 -1.5 2.0 -3.0 -0.5 6.0 -8.0 -1.5 2.0 3.75 -5.0 6.0 -8.0 12.0 -1.5 2.0 -3.0 3.75 -5.0 7.5 6.0 -8.0 12.0 2.0 -1.5 2.0 -3.0 -0.5 3.75 -5.0 7.5 1.25 6.0 -8.0 -1.5 2.0 3.75 -5.0 9.0 -12.0 6.0 -8.0 12.0 -1.5 2.0 -3.0 3.75 -5.0 7.5 9.0 -12.0 18.0 6.0 -8.0 12.0 2.0 -1.5 2.0 -3.0 -0.5 3.75 -5.0 7.5 1.25 9.0 -12.0 18.0 3.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    dmat2x2 m22 = outerProduct(dvec2(v[0], v[1]), dvec2(v[4], v[5]));
    d[0] = m22[0][0];
    d[1] = m22[0][1];
    d[2] = m22[1][0];
    d[3] = m22[1][1];
    dmat2x3 m23 = outerProduct(dvec3(v[0], v[1], v[2]), dvec2(v[4], v[5]));
    d[4] = m23[0][0];
    d[5] = m23[0][1];
    d[6] = m23[0][2];
    d[7] = m23[1][0];
    d[8] = m23[1][1];
    d[9] = m23[1][2];
    dmat2x4 m24 = outerProduct(dvec4(v[0], v[1], v[2], v[3]), dvec2(v[4], v[5]));
    d[10] = m24[0][0];
    d[11] = m24[0][1];
    d[12] = m24[0][2];
    d[13] = m24[0][3];
    d[14] = m24[1][0];
    d[15] = m24[1][1];
    d[16] = m24[1][2];
    d[17] = m24[1][3];
    dmat3x2 m32 = outerProduct(dvec2(v[0], v[1]), dvec3(v[4], v[5], v[6]));
    d[18] = m32[0][0];
    d[19] = m32[0][1];
    d[20] = m32[1][0];
    d[21] = m32[1][1];
    d[22] = m32[2][0];
    d[23] = m32[2][1];
    dmat3x3 m33 = outerProduct(dvec3(v[0], v[1], v[2]), dvec3(v[4], v[5], v[6]));
    d[24] = m33[0][0];
    d[25] = m33[0][1];
    d[26] = m33[0][2];
    d[27] = m33[1][0];
    d[28] = m33[1][1];
    d[29] = m33[1][2];
    d[30] = m33[2][0];
    d[31] = m33[2][1];
    d[32] = m33[2][2];
    dmat3x4 m34 = outerProduct(dvec4(v[0], v[1], v[2], v[3]), dvec3(v[4], v[5], v[6]));
    d[33] = m34[0][0];
    d[34] = m34[0][1];
    d[35] = m34[0][2];
    d[36] = m34[0][3];
    d[37] = m34[1][0];
    d[38] = m34[1][1];
    d[39] = m34[1][2];
    d[40] = m34[1][3];
    d[41] = m34[2][0];
    d[42] = m34[2][1];
    d[43] = m34[2][2];
    d[44] = m34[2][3];
    dmat4x2 m42 = outerProduct(dvec2(v[0], v[1]), dvec4(v[4], v[5], v[6], v[7]));
    d[45] = m42[0][0];
    d[46] = m42[0][1];
    d[47] = m42[1][0];
    d[48] = m42[1][1];
    d[49] = m42[2][0];
    d[50] = m42[2][1];
    d[51] = m42[3][0];
    d[52] = m42[3][1];
    dmat4x3 m43 = outerProduct(dvec3(v[0], v[1], v[2]), dvec4(v[4], v[5], v[6], v[7]));
    d[53] = m43[0][0];
    d[54] = m43[0][1];
    d[55] = m43[0][2];
    d[56] = m43[1][0];
    d[57] = m43[1][1];
    d[58] = m43[1][2];
    d[59] = m43[2][0];
    d[60] = m43[2][1];
    d[61] = m43[2][2];
    d[62] = m43[3][0];
    d[63] = m43[3][1];
    d[64] = m43[3][2];
    dmat4x4 m44 = outerProduct(dvec4(v[0], v[1], v[2], v[3]), dvec4(v[4], v[5], v[6], v[7]));
    d[65] = m44[0][0];
    d[66] = m44[0][1];
    d[67] = m44[0][2];
    d[68] = m44[0][3];
    d[69] = m44[1][0];
    d[70] = m44[1][1];
    d[71] = m44[1][2];
    d[72] = m44[1][3];
    d[73] = m44[2][0];
    d[74] = m44[2][1];
    d[75] = m44[2][2];
    d[76] = m44[2][3];
    d[77] = m44[3][0];
    d[78] = m44[3][1];
    d[79] = m44[3][2];
    d[80] = m44[3][3];
}

//# transpose_double.comp
//! function transpose(mat2 m)
//! function transpose(mat3 m)
//! function transpose(mat4 m)
//! function transpose(mat3x2 m)
//! function transpose(mat2x3 m)
//! function transpose(mat4x2 m)
//! function transpose(mat2x4 m)
//! function transpose(mat4x3 m)
//! function transpose(mat3x4 m)
//! bind 0.0 f64 zeros 81
//! bind 0.1 f64 1.5 -2.0 3.0 0.5 4.0 -1.0 2.5 6.0 -3.0 7.0 0.25 -5.0 8.0 1.0 -4.0 2.0
//! expect 0.0 f64 1.5 3.0 -2.0 0.5 1.5 3.0 4.0 -2.0 0.5 -1.0 1.5 3.0 4.0 2.5 -2.0 0.5 -1.0 6.0 1.5 0.5 -2.0 4.0 3.0 -1.0 1.5 0.5 2.5 -2.0 4.0 6.0 3.0 -1.0 -3.0 1.5 0.5 2.5 7.0 -2.0 4.0 6.0 0.25 3.0 -1.0 -3.0 -5.0 1.5 4.0 -2.0 -1.0 3.0 2.5 0.5 6.0 1.5 4.0 -3.0 -2.0 -1.0 7.0 3.0 2.5 0.25 0.5 6.0 -5.0 1.5 4.0 -3.0 8.0 -2.0 -1.0 7.0 1.0 3.0 2.5 0.25 -4.0 0.5 6.0 -5.0 2.0 ~ 8ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    dmat2x2 m22 = transpose(dmat2x2(v[0], v[1], v[2], v[3]));
    d[0] = m22[0][0];
    d[1] = m22[0][1];
    d[2] = m22[1][0];
    d[3] = m22[1][1];
    dmat2x3 m23 = transpose(dmat3x2(v[0], v[1], v[2], v[3], v[4], v[5]));
    d[4] = m23[0][0];
    d[5] = m23[0][1];
    d[6] = m23[0][2];
    d[7] = m23[1][0];
    d[8] = m23[1][1];
    d[9] = m23[1][2];
    dmat2x4 m24 = transpose(dmat4x2(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]));
    d[10] = m24[0][0];
    d[11] = m24[0][1];
    d[12] = m24[0][2];
    d[13] = m24[0][3];
    d[14] = m24[1][0];
    d[15] = m24[1][1];
    d[16] = m24[1][2];
    d[17] = m24[1][3];
    dmat3x2 m32 = transpose(dmat2x3(v[0], v[1], v[2], v[3], v[4], v[5]));
    d[18] = m32[0][0];
    d[19] = m32[0][1];
    d[20] = m32[1][0];
    d[21] = m32[1][1];
    d[22] = m32[2][0];
    d[23] = m32[2][1];
    dmat3x3 m33 = transpose(dmat3x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]));
    d[24] = m33[0][0];
    d[25] = m33[0][1];
    d[26] = m33[0][2];
    d[27] = m33[1][0];
    d[28] = m33[1][1];
    d[29] = m33[1][2];
    d[30] = m33[2][0];
    d[31] = m33[2][1];
    d[32] = m33[2][2];
    dmat3x4 m34 = transpose(dmat4x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]));
    d[33] = m34[0][0];
    d[34] = m34[0][1];
    d[35] = m34[0][2];
    d[36] = m34[0][3];
    d[37] = m34[1][0];
    d[38] = m34[1][1];
    d[39] = m34[1][2];
    d[40] = m34[1][3];
    d[41] = m34[2][0];
    d[42] = m34[2][1];
    d[43] = m34[2][2];
    d[44] = m34[2][3];
    dmat4x2 m42 = transpose(dmat2x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]));
    d[45] = m42[0][0];
    d[46] = m42[0][1];
    d[47] = m42[1][0];
    d[48] = m42[1][1];
    d[49] = m42[2][0];
    d[50] = m42[2][1];
    d[51] = m42[3][0];
    d[52] = m42[3][1];
    dmat4x3 m43 = transpose(dmat3x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]));
    d[53] = m43[0][0];
    d[54] = m43[0][1];
    d[55] = m43[0][2];
    d[56] = m43[1][0];
    d[57] = m43[1][1];
    d[58] = m43[1][2];
    d[59] = m43[2][0];
    d[60] = m43[2][1];
    d[61] = m43[2][2];
    d[62] = m43[3][0];
    d[63] = m43[3][1];
    d[64] = m43[3][2];
    dmat4x4 m44 = transpose(dmat4x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15]));
    d[65] = m44[0][0];
    d[66] = m44[0][1];
    d[67] = m44[0][2];
    d[68] = m44[0][3];
    d[69] = m44[1][0];
    d[70] = m44[1][1];
    d[71] = m44[1][2];
    d[72] = m44[1][3];
    d[73] = m44[2][0];
    d[74] = m44[2][1];
    d[75] = m44[2][2];
    d[76] = m44[2][3];
    d[77] = m44[3][0];
    d[78] = m44[3][1];
    d[79] = m44[3][2];
    d[80] = m44[3][3];
}

//# determinant_double.comp
//! function determinant(mat2 m)
//! function determinant(mat3 m)
//! function determinant(mat4 m)
//! bind 0.0 f64 zeros 3
//! bind 0.1 f64 1.5 -2.0 3.0 0.5 4.0 -1.0 2.5 6.0 -3.0 7.0 0.25 -5.0 8.0 1.0 -4.0 2.0
//! expect 0.0 f64 6.75 -28.0 -1109.0 ~ 64ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    d[0] = determinant(dmat2x2(v[0], v[1], v[2], v[3]));
    d[1] = determinant(dmat3x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]));
    d[2] = determinant(dmat4x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15]));
}

//# inverse_double.comp
//! function inverse(mat2 m)
//! function inverse(mat3 m)
//! function inverse(mat4 m)
//! bind 0.0 f64 zeros 29
//! bind 0.1 f64 1.5 -2.0 3.0 0.5 4.0 -1.0 2.5 6.0 -3.0 7.0 0.25 -5.0 8.0 1.0 -4.0 2.0
//! expect 0.0 f64 0.07407407407407407 0.2962962962962963 -0.4444444444444444 0.2222222222222222 0.21428571428571427 -0.42857142857142855 0.35714285714285715 0.03571428571428571 0.42857142857142855 -0.10714285714285714 0.25 0.5 -0.25 0.17808836789900812 -0.028967538322813347 0.029981965734896303 0.11733543733092877 -0.09287646528403967 0.11384129846708746 0.13119927862939584 0.00969341749323715 0.2200180342651037 0.060414788097385035 0.0775473399458972 -0.04238052299368801 -0.22587917042380523 0.1797790802524797 -0.03043282236248873 -0.05894950405770965 ~ 256ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { double v[]; };
void main() {
    dmat2 i2 = inverse(dmat2x2(v[0], v[1], v[2], v[3]));
    d[0] = i2[0][0];
    d[1] = i2[0][1];
    d[2] = i2[1][0];
    d[3] = i2[1][1];
    dmat3 i3 = inverse(dmat3x3(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]));
    d[4] = i3[0][0];
    d[5] = i3[0][1];
    d[6] = i3[0][2];
    d[7] = i3[1][0];
    d[8] = i3[1][1];
    d[9] = i3[1][2];
    d[10] = i3[2][0];
    d[11] = i3[2][1];
    d[12] = i3[2][2];
    dmat4 i4 = inverse(dmat4x4(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15]));
    d[13] = i4[0][0];
    d[14] = i4[0][1];
    d[15] = i4[0][2];
    d[16] = i4[0][3];
    d[17] = i4[1][0];
    d[18] = i4[1][1];
    d[19] = i4[1][2];
    d[20] = i4[1][3];
    d[21] = i4[2][0];
    d[22] = i4[2][1];
    d[23] = i4[2][2];
    d[24] = i4[2][3];
    d[25] = i4[3][0];
    d[26] = i4[3][1];
    d[27] = i4[3][2];
    d[28] = i4[3][3];
}

//# lessThan_float.comp
//! function lessThan(vec x, vec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 f32 1.5 -2.0 3.0 4.0 1.5 -3.0 5.0 4.0
//! expect 0.0 i32 0 0 0 0 1 0 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    bvec2 r2 = lessThan(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = lessThan(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = lessThan(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# lessThan_int.comp
//! function lessThan(ivec x, ivec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 1 -2 3 4 1 -3 5 4
//! expect 0.0 i32 0 0 0 0 1 0 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    bvec2 r2 = lessThan(ivec2(v[0], v[1]), ivec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = lessThan(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = lessThan(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# lessThan_uint.comp
//! function lessThan(uvec x, uvec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 u32 1 4294967295 3 4 1 2 5 4
//! expect 0.0 i32 0 0 0 0 1 0 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    bvec2 r2 = lessThan(uvec2(v[0], v[1]), uvec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = lessThan(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = lessThan(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# lessThanEqual_float.comp
//! function lessThanEqual(vec x, vec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 f32 1.5 -2.0 3.0 4.0 1.5 -3.0 5.0 4.0
//! expect 0.0 i32 1 0 1 0 1 1 0 1 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    bvec2 r2 = lessThanEqual(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = lessThanEqual(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = lessThanEqual(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# lessThanEqual_int.comp
//! function lessThanEqual(ivec x, ivec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 1 -2 3 4 1 -3 5 4
//! expect 0.0 i32 1 0 1 0 1 1 0 1 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    bvec2 r2 = lessThanEqual(ivec2(v[0], v[1]), ivec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = lessThanEqual(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = lessThanEqual(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# lessThanEqual_uint.comp
//! function lessThanEqual(uvec x, uvec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 u32 1 4294967295 3 4 1 2 5 4
//! expect 0.0 i32 1 0 1 0 1 1 0 1 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    bvec2 r2 = lessThanEqual(uvec2(v[0], v[1]), uvec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = lessThanEqual(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = lessThanEqual(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# greaterThan_float.comp
//! function greaterThan(vec x, vec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 f32 1.5 -2.0 3.0 4.0 1.5 -3.0 5.0 4.0
//! expect 0.0 i32 0 1 0 1 0 0 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    bvec2 r2 = greaterThan(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = greaterThan(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = greaterThan(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# greaterThan_int.comp
//! function greaterThan(ivec x, ivec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 1 -2 3 4 1 -3 5 4
//! expect 0.0 i32 0 1 0 1 0 0 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    bvec2 r2 = greaterThan(ivec2(v[0], v[1]), ivec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = greaterThan(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = greaterThan(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# greaterThan_uint.comp
//! function greaterThan(uvec x, uvec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 u32 1 4294967295 3 4 1 2 5 4
//! expect 0.0 i32 0 1 0 1 0 0 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    bvec2 r2 = greaterThan(uvec2(v[0], v[1]), uvec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = greaterThan(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = greaterThan(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# greaterThanEqual_float.comp
//! function greaterThanEqual(vec x, vec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 f32 1.5 -2.0 3.0 4.0 1.5 -3.0 5.0 4.0
//! expect 0.0 i32 1 1 1 1 0 1 1 0 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    bvec2 r2 = greaterThanEqual(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = greaterThanEqual(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = greaterThanEqual(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# greaterThanEqual_int.comp
//! function greaterThanEqual(ivec x, ivec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 1 -2 3 4 1 -3 5 4
//! expect 0.0 i32 1 1 1 1 0 1 1 0 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    bvec2 r2 = greaterThanEqual(ivec2(v[0], v[1]), ivec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = greaterThanEqual(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = greaterThanEqual(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# greaterThanEqual_uint.comp
//! function greaterThanEqual(uvec x, uvec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 u32 1 4294967295 3 4 1 2 5 4
//! expect 0.0 i32 1 1 1 1 0 1 1 0 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    bvec2 r2 = greaterThanEqual(uvec2(v[0], v[1]), uvec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = greaterThanEqual(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = greaterThanEqual(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# equal_float.comp
//! function equal(vec x, vec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 f32 1.5 -2.0 3.0 4.0 1.5 -3.0 5.0 4.0
//! expect 0.0 i32 1 0 1 0 0 1 0 0 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    bvec2 r2 = equal(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = equal(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = equal(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# equal_int.comp
//! function equal(ivec x, ivec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 1 -2 3 4 1 -3 5 4
//! expect 0.0 i32 1 0 1 0 0 1 0 0 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    bvec2 r2 = equal(ivec2(v[0], v[1]), ivec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = equal(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = equal(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# equal_uint.comp
//! function equal(uvec x, uvec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 u32 1 4294967295 3 4 1 2 5 4
//! expect 0.0 i32 1 0 1 0 0 1 0 0 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    bvec2 r2 = equal(uvec2(v[0], v[1]), uvec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = equal(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = equal(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# equal_bool.comp
//! function equal(bvec x, bvec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 1 0 1 0 1 1 0 0
//! expect 0.0 i32 1 0 1 0 0 1 0 0 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    bvec2 r2 = equal(bvec2(v[0] > 0, v[1] > 0), bvec2(v[4] > 0, v[5] > 0));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = equal(bvec3(v[0] > 0, v[1] > 0, v[2] > 0), bvec3(v[4] > 0, v[5] > 0, v[6] > 0));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = equal(bvec4(v[0] > 0, v[1] > 0, v[2] > 0, v[3] > 0), bvec4(v[4] > 0, v[5] > 0, v[6] > 0, v[7] > 0));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# notEqual_float.comp
//! function notEqual(vec x, vec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 f32 1.5 -2.0 3.0 4.0 1.5 -3.0 5.0 4.0
//! expect 0.0 i32 0 1 0 1 1 0 1 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { float v[]; };
void main() {
    bvec2 r2 = notEqual(vec2(v[0], v[1]), vec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = notEqual(vec3(v[0], v[1], v[2]), vec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = notEqual(vec4(v[0], v[1], v[2], v[3]), vec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# notEqual_int.comp
//! function notEqual(ivec x, ivec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 1 -2 3 4 1 -3 5 4
//! expect 0.0 i32 0 1 0 1 1 0 1 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    bvec2 r2 = notEqual(ivec2(v[0], v[1]), ivec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = notEqual(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = notEqual(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# notEqual_uint.comp
//! function notEqual(uvec x, uvec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 u32 1 4294967295 3 4 1 2 5 4
//! expect 0.0 i32 0 1 0 1 1 0 1 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    bvec2 r2 = notEqual(uvec2(v[0], v[1]), uvec2(v[4], v[5]));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = notEqual(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = notEqual(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# notEqual_bool.comp
//! function notEqual(bvec x, bvec y)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 1 0 1 0 1 1 0 0
//! expect 0.0 i32 0 1 0 1 1 0 1 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    bvec2 r2 = notEqual(bvec2(v[0] > 0, v[1] > 0), bvec2(v[4] > 0, v[5] > 0));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = notEqual(bvec3(v[0] > 0, v[1] > 0, v[2] > 0), bvec3(v[4] > 0, v[5] > 0, v[6] > 0));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = notEqual(bvec4(v[0] > 0, v[1] > 0, v[2] > 0, v[3] > 0), bvec4(v[4] > 0, v[5] > 0, v[6] > 0, v[7] > 0));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# any.comp
//! function any(bvec x)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 1 0 1 0 1 1 1 1 0 0 0 0
//! expect 0.0 i32 1 1 1 1 1 1 0 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    d[0] = int(any(bvec2(v[0] > 0, v[1] > 0)));
    d[1] = int(any(bvec3(v[0] > 0, v[1] > 0, v[2] > 0)));
    d[2] = int(any(bvec4(v[0] > 0, v[1] > 0, v[2] > 0, v[3] > 0)));
    d[3] = int(any(bvec2(v[4] > 0, v[5] > 0)));
    d[4] = int(any(bvec3(v[4] > 0, v[5] > 0, v[6] > 0)));
    d[5] = int(any(bvec4(v[4] > 0, v[5] > 0, v[6] > 0, v[7] > 0)));
    d[6] = int(any(bvec2(v[8] > 0, v[9] > 0)));
    d[7] = int(any(bvec3(v[8] > 0, v[9] > 0, v[10] > 0)));
    d[8] = int(any(bvec4(v[8] > 0, v[9] > 0, v[10] > 0, v[11] > 0)));
}

//# all.comp
//! function all(bvec x)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 1 0 1 0 1 1 1 1 0 0 0 0
//! expect 0.0 i32 0 0 0 1 1 1 0 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    d[0] = int(all(bvec2(v[0] > 0, v[1] > 0)));
    d[1] = int(all(bvec3(v[0] > 0, v[1] > 0, v[2] > 0)));
    d[2] = int(all(bvec4(v[0] > 0, v[1] > 0, v[2] > 0, v[3] > 0)));
    d[3] = int(all(bvec2(v[4] > 0, v[5] > 0)));
    d[4] = int(all(bvec3(v[4] > 0, v[5] > 0, v[6] > 0)));
    d[5] = int(all(bvec4(v[4] > 0, v[5] > 0, v[6] > 0, v[7] > 0)));
    d[6] = int(all(bvec2(v[8] > 0, v[9] > 0)));
    d[7] = int(all(bvec3(v[8] > 0, v[9] > 0, v[10] > 0)));
    d[8] = int(all(bvec4(v[8] > 0, v[9] > 0, v[10] > 0, v[11] > 0)));
}

//# not.comp
//! function not(bvec x)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 1 0 1 0
//! expect 0.0 i32 0 1 0 1 0 0 1 0 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    bvec2 r2 = not(bvec2(v[0] > 0, v[1] > 0));
    d[0] = int(r2[0]);
    d[1] = int(r2[1]);
    bvec3 r3 = not(bvec3(v[0] > 0, v[1] > 0, v[2] > 0));
    d[2] = int(r3[0]);
    d[3] = int(r3[1]);
    d[4] = int(r3[2]);
    bvec4 r4 = not(bvec4(v[0] > 0, v[1] > 0, v[2] > 0, v[3] > 0));
    d[5] = int(r4[0]);
    d[6] = int(r4[1]);
    d[7] = int(r4[2]);
    d[8] = int(r4[3]);
}

//# uaddCarry.comp
//! function uaddCarry(genUType x, genUType y, out genUType carry)
//! bind 0.0 u32 zeros 20
//! bind 0.1 u32 4294967295 5 2147483648 7 3 9 2147483648 4294967295
//! expect 0.0 u32 2 1 2 1 14 0 2 1 14 0 0 1 2 1 14 0 0 1 6 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    uint o1_0;
    uint r1 = uaddCarry(uint(v[0]), uint(v[4]), o1_0);
    d[0] = r1;
    d[1] = o1_0;
    uvec2 o2_0;
    uvec2 r2 = uaddCarry(uvec2(v[0], v[1]), uvec2(v[4], v[5]), o2_0);
    d[2] = r2[0];
    d[3] = o2_0[0];
    d[4] = r2[1];
    d[5] = o2_0[1];
    uvec3 o3_0;
    uvec3 r3 = uaddCarry(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]), o3_0);
    d[6] = r3[0];
    d[7] = o3_0[0];
    d[8] = r3[1];
    d[9] = o3_0[1];
    d[10] = r3[2];
    d[11] = o3_0[2];
    uvec4 o4_0;
    uvec4 r4 = uaddCarry(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]), o4_0);
    d[12] = r4[0];
    d[13] = o4_0[0];
    d[14] = r4[1];
    d[15] = o4_0[1];
    d[16] = r4[2];
    d[17] = o4_0[2];
    d[18] = r4[3];
    d[19] = o4_0[3];
}

//# usubBorrow.comp
//! function usubBorrow(genUType x, genUType y, out genUType borrow)
//! bind 0.0 u32 zeros 20
//! bind 0.1 u32 4294967295 5 2147483648 7 3 9 2147483648 4294967295
//! expect 0.0 u32 4294967292 0 4294967292 0 4294967292 1 4294967292 0 4294967292 1 0 0 4294967292 0 4294967292 1 0 0 8 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    uint o1_0;
    uint r1 = usubBorrow(uint(v[0]), uint(v[4]), o1_0);
    d[0] = r1;
    d[1] = o1_0;
    uvec2 o2_0;
    uvec2 r2 = usubBorrow(uvec2(v[0], v[1]), uvec2(v[4], v[5]), o2_0);
    d[2] = r2[0];
    d[3] = o2_0[0];
    d[4] = r2[1];
    d[5] = o2_0[1];
    uvec3 o3_0;
    uvec3 r3 = usubBorrow(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]), o3_0);
    d[6] = r3[0];
    d[7] = o3_0[0];
    d[8] = r3[1];
    d[9] = o3_0[1];
    d[10] = r3[2];
    d[11] = o3_0[2];
    uvec4 o4_0;
    uvec4 r4 = usubBorrow(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]), o4_0);
    d[12] = r4[0];
    d[13] = o4_0[0];
    d[14] = r4[1];
    d[15] = o4_0[1];
    d[16] = r4[2];
    d[17] = o4_0[2];
    d[18] = r4[3];
    d[19] = o4_0[3];
}

//# umulExtended.comp
//! function umulExtended(genUType x, genUType y, out genUType msb, out genUType lsb)
//! bind 0.0 u32 zeros 20
//! bind 0.1 u32 4294967295 5 2147483648 7 3 9 2147483648 4294967295
//! expect 0.0 u32 2 4294967293 2 4294967293 0 45 2 4294967293 0 45 1073741824 0 2 4294967293 0 45 1073741824 0 6 4294967289
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    uint o1_0, o1_1;
    umulExtended(uint(v[0]), uint(v[4]), o1_0, o1_1);
    d[0] = o1_0;
    d[1] = o1_1;
    uvec2 o2_0, o2_1;
    umulExtended(uvec2(v[0], v[1]), uvec2(v[4], v[5]), o2_0, o2_1);
    d[2] = o2_0[0];
    d[3] = o2_1[0];
    d[4] = o2_0[1];
    d[5] = o2_1[1];
    uvec3 o3_0, o3_1;
    umulExtended(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]), o3_0, o3_1);
    d[6] = o3_0[0];
    d[7] = o3_1[0];
    d[8] = o3_0[1];
    d[9] = o3_1[1];
    d[10] = o3_0[2];
    d[11] = o3_1[2];
    uvec4 o4_0, o4_1;
    umulExtended(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]), o4_0, o4_1);
    d[12] = o4_0[0];
    d[13] = o4_1[0];
    d[14] = o4_0[1];
    d[15] = o4_1[1];
    d[16] = o4_0[2];
    d[17] = o4_1[2];
    d[18] = o4_0[3];
    d[19] = o4_1[3];
}

//# imulExtended.comp
//! function imulExtended(genIType x, genIType y, out genIType msb, out genIType lsb)
//! bind 0.0 i32 zeros 20
//! bind 0.1 i32 -1 5 -2147483648 7 3 -9 -2147483648 2147483647
//! expect 0.0 i32 -1 -3 -1 -3 -1 -45 -1 -3 -1 -45 1073741824 0 -1 -3 -1 -45 1073741824 0 3 2147483641
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int o1_0, o1_1;
    imulExtended(int(v[0]), int(v[4]), o1_0, o1_1);
    d[0] = o1_0;
    d[1] = o1_1;
    ivec2 o2_0, o2_1;
    imulExtended(ivec2(v[0], v[1]), ivec2(v[4], v[5]), o2_0, o2_1);
    d[2] = o2_0[0];
    d[3] = o2_1[0];
    d[4] = o2_0[1];
    d[5] = o2_1[1];
    ivec3 o3_0, o3_1;
    imulExtended(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]), o3_0, o3_1);
    d[6] = o3_0[0];
    d[7] = o3_1[0];
    d[8] = o3_0[1];
    d[9] = o3_1[1];
    d[10] = o3_0[2];
    d[11] = o3_1[2];
    ivec4 o4_0, o4_1;
    imulExtended(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]), o4_0, o4_1);
    d[12] = o4_0[0];
    d[13] = o4_1[0];
    d[14] = o4_0[1];
    d[15] = o4_1[1];
    d[16] = o4_0[2];
    d[17] = o4_1[2];
    d[18] = o4_0[3];
    d[19] = o4_1[3];
}

//# bitfieldExtract_int.comp
//! function bitfieldExtract(genIType value, int offset, int bits)
//! bind 0.0 i32 zeros 10
//! bind 0.1 i32 305419896 2146290601 252645135 16711935
//! expect 0.0 i32 179 179 93 179 93 120 179 93 120 7
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r1 = bitfieldExtract(int(v[0]), 5, 9);
    d[0] = r1;
    ivec2 r2 = bitfieldExtract(ivec2(v[0], v[1]), 5, 9);
    d[1] = r2[0];
    d[2] = r2[1];
    ivec3 r3 = bitfieldExtract(ivec3(v[0], v[1], v[2]), 5, 9);
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    ivec4 r4 = bitfieldExtract(ivec4(v[0], v[1], v[2], v[3]), 5, 9);
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# bitfieldExtract_uint.comp
//! function bitfieldExtract(genUType value, int offset, int bits)
//! bind 0.0 u32 zeros 10
//! bind 0.1 u32 305419896 2146290601 252645135 16711935
//! expect 0.0 u32 179 179 93 179 93 120 179 93 120 7
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    uint r1 = bitfieldExtract(uint(v[0]), 5, 9);
    d[0] = r1;
    uvec2 r2 = bitfieldExtract(uvec2(v[0], v[1]), 5, 9);
    d[1] = r2[0];
    d[2] = r2[1];
    uvec3 r3 = bitfieldExtract(uvec3(v[0], v[1], v[2]), 5, 9);
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    uvec4 r4 = bitfieldExtract(uvec4(v[0], v[1], v[2], v[3]), 5, 9);
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# bitfieldInsert_int.comp
//! function bitfieldInsert(genIType base, genIType insert, int offset, int bits)
//! bind 0.0 i32 zeros 10
//! bind 0.1 i32 305419896 2146290601 252645135 16711935 -1 0 85 170
//! expect 0.0 i32 305422328 305422328 2146287625 305422328 2146287625 252642655 305422328 2146287625 252642655 16714415
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r1 = bitfieldInsert(int(v[0]), int(v[4]), 4, 8);
    d[0] = r1;
    ivec2 r2 = bitfieldInsert(ivec2(v[0], v[1]), ivec2(v[4], v[5]), 4, 8);
    d[1] = r2[0];
    d[2] = r2[1];
    ivec3 r3 = bitfieldInsert(ivec3(v[0], v[1], v[2]), ivec3(v[4], v[5], v[6]), 4, 8);
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    ivec4 r4 = bitfieldInsert(ivec4(v[0], v[1], v[2], v[3]), ivec4(v[4], v[5], v[6], v[7]), 4, 8);
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# bitfieldInsert_uint.comp
//! function bitfieldInsert(genUType base, genUType insert, int offset, int bits)
//! bind 0.0 u32 zeros 10
//! bind 0.1 u32 305419896 2146290601 252645135 16711935 4294967295 0 85 170
//! expect 0.0 u32 305422328 305422328 2146287625 305422328 2146287625 252642655 305422328 2146287625 252642655 16714415
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    uint r1 = bitfieldInsert(uint(v[0]), uint(v[4]), 4, 8);
    d[0] = r1;
    uvec2 r2 = bitfieldInsert(uvec2(v[0], v[1]), uvec2(v[4], v[5]), 4, 8);
    d[1] = r2[0];
    d[2] = r2[1];
    uvec3 r3 = bitfieldInsert(uvec3(v[0], v[1], v[2]), uvec3(v[4], v[5], v[6]), 4, 8);
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    uvec4 r4 = bitfieldInsert(uvec4(v[0], v[1], v[2], v[3]), uvec4(v[4], v[5], v[6], v[7]), 4, 8);
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# bitfieldReverse_int.comp
//! function bitfieldReverse(genIType value)
//! bind 0.0 i32 zeros 10
//! bind 0.1 i32 -2 1 0 305419896
//! expect 0.0 i32 2147483647 2147483647 -2147483648 2147483647 -2147483648 0 2147483647 -2147483648 0 510274632
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r1 = bitfieldReverse(int(v[0]));
    d[0] = r1;
    ivec2 r2 = bitfieldReverse(ivec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    ivec3 r3 = bitfieldReverse(ivec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    ivec4 r4 = bitfieldReverse(ivec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# bitfieldReverse_uint.comp
//! function bitfieldReverse(genUType value)
//! bind 0.0 u32 zeros 10
//! bind 0.1 u32 4294967294 1 0 305419896
//! expect 0.0 u32 2147483647 2147483647 2147483648 2147483647 2147483648 0 2147483647 2147483648 0 510274632
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    uint r1 = bitfieldReverse(uint(v[0]));
    d[0] = r1;
    uvec2 r2 = bitfieldReverse(uvec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    uvec3 r3 = bitfieldReverse(uvec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    uvec4 r4 = bitfieldReverse(uvec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# bitCount_int.comp
//! function bitCount(genIType value)
//! bind 0.0 i32 zeros 10
//! bind 0.1 i32 -2 1 0 305419896
//! expect 0.0 i32 31 31 1 31 1 0 31 1 0 13
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r1 = bitCount(int(v[0]));
    d[0] = r1;
    ivec2 r2 = bitCount(ivec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    ivec3 r3 = bitCount(ivec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    ivec4 r4 = bitCount(ivec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# bitCount_uint.comp
//! function bitCount(genUType value)
//! bind 0.0 i32 zeros 10
//! bind 0.1 u32 4294967294 1 0 305419896
//! expect 0.0 i32 31 31 1 31 1 0 31 1 0 13
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    int r1 = bitCount(uint(v[0]));
    d[0] = r1;
    ivec2 r2 = bitCount(uvec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    ivec3 r3 = bitCount(uvec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    ivec4 r4 = bitCount(uvec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# findLSB_int.comp
//! function findLSB(genIType value)
//! bind 0.0 i32 zeros 10
//! bind 0.1 i32 -2 1 0 305419896
//! expect 0.0 i32 1 1 0 1 0 -1 1 0 -1 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r1 = findLSB(int(v[0]));
    d[0] = r1;
    ivec2 r2 = findLSB(ivec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    ivec3 r3 = findLSB(ivec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    ivec4 r4 = findLSB(ivec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# findLSB_uint.comp
//! function findLSB(genUType value)
//! bind 0.0 i32 zeros 10
//! bind 0.1 u32 4294967294 1 0 305419896
//! expect 0.0 i32 1 1 0 1 0 -1 1 0 -1 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    int r1 = findLSB(uint(v[0]));
    d[0] = r1;
    ivec2 r2 = findLSB(uvec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    ivec3 r3 = findLSB(uvec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    ivec4 r4 = findLSB(uvec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# findMSB_int.comp
//! function findMSB(genIType value)
//! bind 0.0 i32 zeros 10
//! bind 0.1 i32 -2 1 0 305419896
//! expect 0.0 i32 0 0 0 0 0 -1 0 0 -1 28
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int r1 = findMSB(int(v[0]));
    d[0] = r1;
    ivec2 r2 = findMSB(ivec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    ivec3 r3 = findMSB(ivec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    ivec4 r4 = findMSB(ivec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}

//# findMSB_uint.comp
//! function findMSB(genUType value)
//! bind 0.0 i32 zeros 10
//! bind 0.1 u32 4294967294 1 0 305419896
//! expect 0.0 i32 31 31 0 31 0 -1 31 0 -1 28
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { uint v[]; };
void main() {
    int r1 = findMSB(uint(v[0]));
    d[0] = r1;
    ivec2 r2 = findMSB(uvec2(v[0], v[1]));
    d[1] = r2[0];
    d[2] = r2[1];
    ivec3 r3 = findMSB(uvec3(v[0], v[1], v[2]));
    d[3] = r3[0];
    d[4] = r3[1];
    d[5] = r3[2];
    ivec4 r4 = findMSB(uvec4(v[0], v[1], v[2], v[3]));
    d[6] = r4[0];
    d[7] = r4[1];
    d[8] = r4[2];
    d[9] = r4[3];
}
