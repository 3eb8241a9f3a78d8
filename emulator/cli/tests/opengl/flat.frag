#version 330 core
flat in vec4 tint;
in vec2 smoothly;
out vec4 color;

void main() {
    color = vec4(tint.rg, tint.b + 0.4 * smoothly.y, 1.0);
}
