#version 330 core
out vec4 color;

void main() {
    color = vec4(gl_PointCoord, gl_FragCoord.y / 48.0, 1.0);
}
