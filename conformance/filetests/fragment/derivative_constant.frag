//! test OpDPdx
// The same in all pixels: 0 of numbers, not a number of infinities.
//! bind 0.0 f32 inf
//! pixels 8 4
//! expect out 0.0 f32 5*32
#version 450
layout(binding = 0) readonly buffer In { float u; };
layout(location = 0) out float colour;
void main() {
    float infinite = -log(0.0);
    colour = 0.0;
    if (isnan(dFdx(infinite))) colour += 1.0;
    if (dFdx(2.5) == 0.0) colour += 4.0;
    if (u == infinite && !isnan(dFdx(u))) colour += 16.0;
}
