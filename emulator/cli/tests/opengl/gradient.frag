#version 100
// GLSL ES 1.00: red to the right, green upwards, a blue band below the middle.
precision mediump float;
uniform vec2 u_resolution;

void main() {
    vec2 at = gl_FragCoord.xy / u_resolution;
    gl_FragColor = vec4(at, at.y > 0.2 && at.y < 0.4 ? 1.0 : 0.0, 1.0);
}
