#version 330
// GLSL 3.30: an upright picture in the upper right part.
uniform vec2 u_resolution;
uniform sampler2D picture;
out vec4 color;

void main() {
    vec2 at = gl_FragCoord.xy / u_resolution * 1.5 - 0.5;
    bool inside = at.x >= 0.0 && at.y >= 0.0;
    color = inside ? textureLod(picture, at, 0.0) : vec4(0.2, 0.2, 0.2, 1.0);
}
