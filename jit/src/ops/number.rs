//! Shader maths on single numbers, which the evaluator runs: the simplest [`Maths`].

use super::approx::Maths;
use crate::sys::maths::fma_f32;

/// Single numbers, as the evaluator uses them.
pub(crate) struct Scalar;

impl Maths for Scalar {
    type F = f32;
    type I = i32;
    type B = bool;

    fn f(&mut self, x: f32) -> f32 {
        x
    }
    fn i(&mut self, x: i32) -> i32 {
        x
    }
    fn add(&mut self, x: f32, y: f32) -> f32 {
        x + y
    }
    fn sub(&mut self, x: f32, y: f32) -> f32 {
        x - y
    }
    fn mul(&mut self, x: f32, y: f32) -> f32 {
        x * y
    }
    fn div(&mut self, x: f32, y: f32) -> f32 {
        x / y
    }
    fn fma(&mut self, x: f32, y: f32, z: f32) -> f32 {
        fma_f32(x, y, z)
    }
    fn sqrt(&mut self, x: f32) -> f32 {
        x.sqrt()
    }
    fn abs(&mut self, x: f32) -> f32 {
        x.abs()
    }
    fn floor(&mut self, x: f32) -> f32 {
        x.floor()
    }
    fn lt(&mut self, x: f32, y: f32) -> bool {
        x < y
    }
    fn eq(&mut self, x: f32, y: f32) -> bool {
        x == y
    }
    fn both(&mut self, x: bool, y: bool) -> bool {
        x && y
    }
    fn select(&mut self, c: bool, x: f32, y: f32) -> f32 {
        if c { x } else { y }
    }
    fn rare(&mut self, c: bool, usual: f32, other: impl FnOnce(&mut Self) -> f32) -> f32 {
        if c { other(self) } else { usual }
    }
    fn shared(&mut self, _: f32, make: impl FnOnce(&mut Self) -> [f32; 3]) -> [f32; 3] {
        make(self)
    }
    fn min(&mut self, x: f32, y: f32) -> f32 {
        if x < y { x } else { y }
    }
    fn max(&mut self, x: f32, y: f32) -> f32 {
        if y < x { x } else { y }
    }
    fn bits(&mut self, x: f32) -> i32 {
        x.to_bits() as i32
    }
    fn float(&mut self, x: i32) -> f32 {
        f32::from_bits(x as u32)
    }
    fn to_f(&mut self, x: i32) -> f32 {
        x as f32
    }
    fn iadd(&mut self, x: i32, y: i32) -> i32 {
        x.wrapping_add(y)
    }
    fn isub(&mut self, x: i32, y: i32) -> i32 {
        x.wrapping_sub(y)
    }
    fn and(&mut self, x: i32, y: i32) -> i32 {
        x & y
    }
    fn or(&mut self, x: i32, y: i32) -> i32 {
        x | y
    }
    fn xor(&mut self, x: i32, y: i32) -> i32 {
        x ^ y
    }
    fn shl(&mut self, x: i32, n: u32) -> i32 {
        x << n
    }
    fn ushr(&mut self, x: i32, n: u32) -> i32 {
        ((x as u32) >> n) as i32
    }
    fn sshr(&mut self, x: i32, n: u32) -> i32 {
        x >> n
    }
    fn smin(&mut self, x: i32, y: i32) -> i32 {
        x.min(y)
    }
    fn smax(&mut self, x: i32, y: i32) -> i32 {
        x.max(y)
    }
    fn ilt(&mut self, x: i32, y: i32) -> bool {
        x < y
    }
    fn iselect(&mut self, c: bool, x: i32, y: i32) -> i32 {
        if c { x } else { y }
    }
}
