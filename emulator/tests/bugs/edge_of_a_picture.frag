#version 450
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform sampler2D tex;
// Differences to the next texel, beyond the edge of the image.
//! finds texel-out-of-bounds
//! texture 0.0 8 1
//! draw 8 8
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy), next = at + 1;
#ifdef MENDED
    next = min(next, textureSize(tex, 0) - 1);
#endif
    color = abs(texelFetch(tex, next, 0) - texelFetch(tex, at, 0));
}
