#version 450
layout(location = 0) out vec4 color;
// Antialiasing over the width of a pixel, which is 0 where the distance is constant.
//! finds smoothstep-edges
//! draw 8 8
void main() {
    float d = clamp(gl_FragCoord.x - 4.0, -1.0, 1.0);
    float w = fwidth(d);
#ifdef MENDED
    w = max(w, 1e-5);
#endif
    color = vec4(smoothstep(-w, w, d));
}
