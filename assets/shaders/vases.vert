// Vertices of a mesh as they come: attributes and matrices are found by their names.
#version 450
in vec3 position;
in vec3 normal;
in vec3 color;

uniform mat4 mvp;

out vec3 place;
out vec3 facing;
out vec3 tint;

void main() {
    gl_Position = mvp * vec4(position, 1.0);
    place = position;
    facing = normal;
    tint = color;
}
