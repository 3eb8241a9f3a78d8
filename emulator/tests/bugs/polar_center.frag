#version 450
layout(location = 0) out vec4 color;
// Polar coordinates about the center of an image with an odd number of pixels: the angle of the zero vector.
//! finds atan2-zero
//! draw 7 7
void main() {
    vec2 p = gl_FragCoord.xy - 3.5;
#ifdef MENDED
    float angle = p == vec2(0.0) ? 0.0 : atan(p.y, p.x);
#else
    float angle = atan(p.y, p.x);
#endif
    color = vec4(angle * 0.1 + 0.5);
}
