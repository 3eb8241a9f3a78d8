//! test OpLoopMerge
//! modes domain: Some(Triangles), spacing: Some(Equal), order: Some(Ccw), point_mode: false
//! patches 1 3
//! coords f32 1 0 0 0 1 0 0 0 1
//! expect out 0.0 u32 4 4 4
#version 450
// Coordinates have the sum 1, so that the loop ends; those of lanes without a point are 0.
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) out uint o;
void main() {
    uint n = 0;
    for (float x = 0.0; x < 4.0; x += gl_TessCoord.x + gl_TessCoord.y + gl_TessCoord.z) n++;
    o = n;
    gl_Position = vec4(0.0);
}
