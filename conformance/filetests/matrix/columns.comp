//! test OpStore, OpCompositeExtract, OpMatrixTimesMatrix
// A whole matrix is stored, and a column taken of one that is no variable.
//! bind 0.0 f32 1 2 3 4 5 6 7 8 zeros 6
//! expect 0.0 f32 1 2 3 4 5 6 7 8 23 34 31 46 31 46
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer B { mat2 a; mat2 b; mat2 product; vec2 column; };
void main() {
    mat2 p = a * b;
    product = p;
    column = (a * b)[1];
}
