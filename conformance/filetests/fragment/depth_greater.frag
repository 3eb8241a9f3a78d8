//! test OpExecutionMode
//! feature layout fragment out: depth_any / depth_greater / depth_less / depth_unchanged on gl_FragDepth
//! pixels 8 4
//! expect out FragDepth.0 f32 0.5*32
#version 460
// A promise about the depth that is written: nothing here depends on it.
layout(depth_greater) out float gl_FragDepth;
void main() { gl_FragDepth = gl_FragCoord.z; }
