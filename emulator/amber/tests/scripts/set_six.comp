#version 450
layout(set = 0, binding = 0) buffer Out { int value; };
void main() { value = 6; }
