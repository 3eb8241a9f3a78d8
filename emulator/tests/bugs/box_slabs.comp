#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// A ray along the side of a box: 0 times the infinite reciprocal of its direction is NaN, and min of NaN is arbitrary.
//! finds nan-in-min-max
//! bind 0.0 f32: 1 2 3 4 5 6 7 8
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec2 origin = vec2(xs[i], 0.0), direction = vec2(0.0, 1.0);
    vec2 inverse_direction = 1.0 / direction;
#ifdef MENDED
    inverse_direction = 1.0 / mix(direction, vec2(1e-9), equal(direction, vec2(0.0)));
#endif
    vec2 a = (vec2(1.0, 2.0) - origin) * inverse_direction, b = (vec2(4.5, 3.0) - origin) * inverse_direction;
    vec2 near = min(a, b), far = max(a, b);
    ys[i] = max(near.x, near.y) <= min(far.x, far.y) ? 1.0 : 0.0;
}
