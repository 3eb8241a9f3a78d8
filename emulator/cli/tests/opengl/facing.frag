#version 330 core
out vec4 color;

void main() {
    color = gl_FrontFacing ? vec4(0.1, 0.8, 0.3, 1.0) : vec4(0.8, 0.2, 0.5, 1.0);
}
