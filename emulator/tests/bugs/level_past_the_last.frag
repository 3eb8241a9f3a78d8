#version 450
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform sampler2D tex;
// The smallest level is the last one, not the one after it.
//! finds level-out-of-range
//! texture 0.0 8 3
//! draw 2 2
void main() {
    int level = textureQueryLevels(tex);
#ifdef MENDED
    level -= 1;
#endif
    color = texelFetch(tex, ivec2(gl_FragCoord.xy), level);
}
