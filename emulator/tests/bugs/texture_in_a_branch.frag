#version 450
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform sampler2D tex;
// A texture with levels is sampled in a branch that diverges within a quad.
//! finds implicit-lod-divergent
//! texture 0.0 8 3
//! draw 8 8
void main() {
    vec2 uv = gl_FragCoord.xy / 8.0;
    color = vec4(0.0);
#ifdef MENDED
    vec4 texel = texture(tex, uv);
    if (gl_FragCoord.x > 3.0) color = texel;
#else
    if (gl_FragCoord.x > 3.0) color = texture(tex, uv);
#endif
}
