#version 450
layout(location = 0) out vec4 color;
// Only some pixels write their colour.
//! finds unwritten-output
//! draw 8 8
void main() {
#ifdef MENDED
    color = vec4(0.0);
#endif
    if (distance(gl_FragCoord.xy, vec2(4.0)) < 3.0) color = vec4(1.0);
}
