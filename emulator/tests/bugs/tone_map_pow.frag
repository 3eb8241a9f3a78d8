#version 450
layout(location = 0) out vec4 color;
// Gamma after a subtraction: the black level makes dark colors negative, and a power of a negative number is undefined.
//! finds pow-domain
//! draw 8 8
void main() {
    vec3 c = vec3(gl_FragCoord.x / 8.0) - 0.1;
#ifdef MENDED
    c = max(c, 0.0);
#endif
    color = vec4(pow(c, vec3(1.0 / 2.2)), 1.0);
}
