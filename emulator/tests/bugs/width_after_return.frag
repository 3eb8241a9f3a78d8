#version 450
layout(location = 0) out vec4 color;
// The width of a line by fwidth, after a return for pixels outside of a circle.
//! finds derivative-divergent
//! draw 8 8
void main() {
    vec2 p = gl_FragCoord.xy - 4.0;
    color = vec4(0.0);
#ifdef MENDED
    float w = fwidth(p.x * p.y);
    if (length(p) > 3.0) return;
#else
    if (length(p) > 3.0) return;
    float w = fwidth(p.x * p.y);
#endif
    color = vec4(w);
}
