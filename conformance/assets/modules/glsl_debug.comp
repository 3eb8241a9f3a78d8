#version 450
#extension GL_GOOGLE_include_directive : enable
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float d[]; };
struct P { vec2 at; float w; };
float weigh(P p) { return dot(p.at, p.at) * p.w; }
void main() {
    P p = P(vec2(d[0], d[1]), 2.0);
    for (int i = 0; i < 3; i++) d[i] += weigh(p);
}
