#version 330 core
in vec3 tint;
out vec4 color;

void main() {
    color = vec4(tint * (1.0 - 0.7 * gl_FragCoord.z), 1.0);
}
