// Accesses through descriptors with arbitrary contents: each step has a kind, a descriptor index and an offset.
#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 8) in;

layout(set = 0, binding = 0) writeonly buffer Results { uint results[]; };
layout(set = 0, binding = 1) readonly buffer Steps { uvec4 steps[]; };
layout(set = 0, binding = WORDS) buffer Words { uint w[]; } words[SLOTS];
layout(set = 0, binding = BLOCKS) uniform Block { uvec4 w[4]; } blocks[SLOTS];
layout(set = 0, binding = TEXTURES) uniform utexture2D textures[SLOTS];
layout(set = 0, binding = IMAGES, r32ui) uniform uimage2D images[SLOTS];
layout(set = 0, binding = TEXELS) uniform utextureBuffer texels[SLOTS];
layout(set = 0, binding = SAMPLERS) uniform sampler samplers[SLOTS];

const uint MARK = 0x57575757u;

uint act(uint kind, uint i, uint at) {
    switch (kind) {
    case 0: return words[WHICH(i)].w[at];
    case 1: words[WHICH(i)].w[at] = MARK; return 0u;
    case 2: atomicExchange(words[WHICH(i)].w[at], MARK); return 0u;
    case 3: return blocks[WHICH(i)].w[at & 3u].x;
    case 4: return texelFetch(textures[WHICH(i)], ivec2(at & 7u, 0), 0).x;
    case 5: return textureLod(usampler2D(textures[WHICH(i)], samplers[WHICH(at)]), vec2(0.5), 0.0).x;
    case 6: imageStore(images[WHICH(i)], ivec2(at & 7u, 0), uvec4(MARK)); return 0u;
    case 7: return imageLoad(images[WHICH(i)], ivec2(at & 7u, 0)).x;
    default: return texelFetch(texels[WHICH(i)], int(at)).x;
    }
}

void main() {
    for (uint k = 0u; k < STEPS; k++) {
        uint at = k * 8u + gl_LocalInvocationIndex;
        uvec4 mine = steps[at], first = steps[k * 8u];
        // The first invocation's kind applies to the whole workgroup, so that all invocations make the same access.
        results[at] = act(first.x, SAME ? first.y : mine.y, mine.z);
    }
}
