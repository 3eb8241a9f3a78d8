#version 450
layout(location = 0) out vec4 color;
// Tone mapping divides by the luminance, which is 0 for black.
//! finds nan-surfaced
//! draw 8 8
void main() {
    vec3 c = vec3(max(gl_FragCoord.x - 4.0, 0.0));
    float l = dot(c, vec3(0.2126, 0.7152, 0.0722));
    float mapped = l / (1.0 + l);
#ifdef MENDED
    l = max(l, 1e-6);
#endif
    color = vec4(c * mapped / l, 1.0);
}
