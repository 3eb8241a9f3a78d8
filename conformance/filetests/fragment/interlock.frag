//! test OpBeginInvocationInterlockEXT, OpEndInvocationInterlockEXT
//! pixels 8 4
//! plane 0.0 f32 1 2 3
//! plane 0.1 f32 0 1 0
//! expect out 0.0 f32 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5
#version 450
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_ordered) in;
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 o;
void main() {
    float x;
    beginInvocationInterlockARB();
    x = v.y;
    endInvocationInterlockARB();
    o = vec4(x, 1.0, 0.0, 0.0);
}
