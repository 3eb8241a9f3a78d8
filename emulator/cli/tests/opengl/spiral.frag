#version 110
// GLSL 1.10: a spiral, which differs from its mirror image.
uniform vec2 u_resolution;

void main() {
    vec2 at = gl_FragCoord.xy - 0.5 * u_resolution;
    float turn = atan(at.y, at.x + 0.01) / 6.2831853 + 0.5;
    float arm = fract(turn + length(at) / 20.0);
    gl_FragColor = vec4(arm, turn, smoothstep(0.0, 30.0, length(at)), 1.0);
}
