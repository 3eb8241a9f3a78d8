#version 450
layout(location = 0) out vec4 color;
const float palette[7] = float[7](0.0, 0.1, 0.3, 0.4, 0.6, 0.8, 1.0);
// The eighth colour of seven.
//! finds index-out-of-range
//! draw 8 8
void main() {
    int at = int(gl_FragCoord.x);
#ifdef MENDED
    at = min(at, palette.length() - 1);
#endif
    color = vec4(palette[at]);
}
