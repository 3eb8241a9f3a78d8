// Without a version, as in many shaders: light around the mouse.
#ifdef GL_ES
precision mediump float;
#endif
uniform vec2 u_resolution;
uniform vec2 u_mouse;
uniform float u_time;

void main() {
    vec2 from = gl_FragCoord.xy - u_mouse;
    float light = exp(-dot(from, from) / 180.0);
    gl_FragColor = vec4(light, light * u_time * 0.5, gl_FragCoord.y / u_resolution.y, 1.0);
}
