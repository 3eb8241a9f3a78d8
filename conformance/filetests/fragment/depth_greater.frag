//! test OpExecutionMode
//! pixels 8 4
//! expect out FragDepth.0 f32 0.5*32
#version 460
// A promise about the depth that is written: nothing here depends on it.
layout(depth_greater) out float gl_FragDepth;
void main() { gl_FragDepth = gl_FragCoord.z; }
