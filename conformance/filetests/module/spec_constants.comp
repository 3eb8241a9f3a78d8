//! test OpSpecConstant, OpSpecConstantTrue, OpSpecConstantFalse, OpSpecConstantComposite, OpSpecConstantOp
// Some are given, others keep their default; one is the size of an array, one of the workgroup.
//! constant 0 u32 4
//! constant 1 bool true
//! constant 4 f32 2.5
//! constant 6 u32 3
//! bind 0.0 u32 9*8
//! dispatch 1 1 1
//! expect 0.0 u32 8 1 1 0 5 12 3 9
#version 450
layout(local_size_x_id = 6) in;
layout(constant_id = 0) const uint n = 2;
layout(constant_id = 1) const bool a = false;
layout(constant_id = 2) const bool b = true;
layout(constant_id = 3) const bool c = false;
layout(constant_id = 4) const float f = 1.0;
const uint twice = n * 2;
const uvec2 pair = uvec2(n, twice + n);
layout(set = 0, binding = 0) buffer Out { uint d[]; };
void main() {
    uint list[twice];
    for (uint k = 0; k < twice; k++) list[k] = 1;
    uint s = 0;
    for (uint k = 0; k < list.length(); k++) s += list[k];
    if (gl_LocalInvocationIndex == 0) {
        d[0] = s;
        d[1] = a ? 1 : 0;
        d[2] = b ? 1 : 0;
        d[3] = c ? 1 : 0;
        d[4] = uint(f * 2.0);
        d[5] = pair.y;
        d[6] = gl_WorkGroupSize.x;
    }
}
