#version 450
layout(location = 0) out vec4 color;
void main() {
    float d = distance(gl_FragCoord.xy, vec2(32.0));
    color = vec4(vec3(smoothstep(3.0, 2.0, abs(d - 20.0))) * vec3(0.2, 0.6, 1.0), 1.0);
}
