#version 450
layout(location = 0) out vec4 color;
// The root of the discriminant is computed and used before the test that the ray meets the sphere.
//! finds sqrt-negative
//! draw 8 8
void main() {
    vec2 p = gl_FragCoord.xy / 4.0 - 1.0;
    float h = 0.5 - dot(p, p);
#ifdef MENDED
    float t = h > 0.0 ? 2.0 - sqrt(h) : 9.0;
#else
    float t = 2.0 - sqrt(h);
#endif
    color = vec4(t / 9.0);
}
