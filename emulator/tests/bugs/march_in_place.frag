#version 450
layout(location = 0) out vec4 color;
// Steps of a ray so far from the origin that adding them changes nothing.
//! finds no-progress
//! lost
//! draw 8 8
void main() {
    float t = 1e9;
#ifdef MENDED
    for (int i = 0; i < 64 && t < 2e9; i++) t += 1.0;
#else
    while (t < 2e9) t += 1.0;
#endif
    color = vec4(t * 1e-10);
}
