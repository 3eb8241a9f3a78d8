#version 300 es
// GLSL ES 3.00: a disc above the middle, whose brightness depends on the time.
precision highp float;
uniform vec3 iResolution;
uniform float iTime;
out vec4 color;

void main() {
    vec2 at = (2.0 * gl_FragCoord.xy - iResolution.xy) / iResolution.y;
    float d = length(at - vec2(0.3, 0.45));
    vec3 sky = mix(vec3(0.9, 0.5, 0.2), vec3(0.1, 0.2, 0.5), clamp(0.5 + 0.5 * at.y, 0.0, 1.0));
    color = vec4(mix(vec3(1.0, 0.9, 0.5), sky, clamp(8.0 * (d - 0.3), 0.0, 1.0)) * (0.5 + 0.25 * iTime), 1.0);
}
