#version 450
layout(location = 0) out vec4 color;
// A normal from derivatives of a clamped height: where both derivatives are zero, the cross product is zero.
//! finds normalize-zero
//! draw 8 8
void main() {
    vec2 p = floor(gl_FragCoord.xy);
    vec3 at = vec3(p.x < 4.0 ? vec2(1.0) : p, 0.0);
    vec3 n = cross(dFdx(at), dFdy(at));
#ifdef MENDED
    n = dot(n, n) > 0.0 ? normalize(n) : vec3(0.0, 0.0, 1.0);
#else
    n = normalize(n);
#endif
    color = vec4(n * 0.5 + 0.5, 1.0);
}
