//! test OpImageSampleImplicitLod
//! image 0.1 R32_SFLOAT cube 8x8 levels 4 f32 5*384 1*96 2*24 3*6
//! sampler 0.1 nearest clamp
//! pixels 2 2
//! target R32G32B32A32_SFLOAT
//! expect target f32 0*4 5 0 0 0 5 0 0 0 5 0 0 0
#version 460
// Without the first invocation of the quad, the differences of directions are 0, which gives the first level.
layout(set = 0, binding = 1) uniform samplerCube a;
layout(location = 0) out vec4 o;
void main() {
    o = vec4(0.0);
    vec2 p = gl_FragCoord.xy - 0.5;
    if (p.x + p.y > 0.5) {
        // The first invocation would have a direction of finite length, or 0 if it computes none.
        vec3 v = vec3(p - 0.5, p.x + p.y + 0.25);
        o.x = texture(a, v).x;
    }
}
