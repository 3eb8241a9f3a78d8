//! test OpImageSampleDrefImplicitLod, OpImageSampleProjDrefImplicitLod
//! image 0.1 R32_SFLOAT 4 2 f32 0 1 2 3 4 5 6 7
//! sampler 0.1 nearest clamp less
//! target R32_SFLOAT
//! pixels 4 2
//! expect target f32 0 0 10 10 10 11 11 11
#version 450
layout(set = 0, binding = 1) uniform sampler2DShadow t;
layout(location = 0) out vec4 o;
void main() {
    vec2 c = gl_FragCoord.xy / vec2(4.0, 2.0);
    o = vec4(texture(t, vec3(c, 4.5)) + 10.0 * textureProj(t, vec4(c * 2.0, 3.0, 2.0)));
}
