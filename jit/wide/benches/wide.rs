//! Speed of the code (chains of fused multiply-adds, a sine polynomial, the Mandelbrot set with masks) at every level
//! and width against Cranelift at 128 bits, and the time to compile it.
fn main() {}
