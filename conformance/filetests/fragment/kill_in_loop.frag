//! test OpKill
//! pixels 8 4
//! expect out 0.0 f32 1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8 0*8 1 2 3 4 5 6 7 8
//! expect alive 11111111 11111111 00000000 11111111
#version 450
layout(location = 0) out vec4 o;
void main() {
    float s = 0.0;
    for (int k = 0; k < 10; k++) {
        if (k > int(gl_FragCoord.x)) {
            if (int(gl_FragCoord.y) == 2) discard;
            break;
        }
        s += 1.0;
    }
    o = vec4(s);
}
