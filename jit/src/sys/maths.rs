//! Arithmetic of Rust's standard library that calls the mathematics library of the system, whose results differ.

/// `a * b + c`, rounded once. The library of mingw-w64 rounds the product to a wider type first.
#[inline]
pub(crate) fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
    #[cfg(windows)]
    return libm::fmaf(a, b, c);
    #[cfg(not(windows))]
    return a.mul_add(b, c);
}

/// `a * b + c`, rounded once. The library of mingw-w64 rounds the product to a wider type first.
#[inline]
pub(crate) fn fma_f64(a: f64, b: f64, c: f64) -> f64 {
    #[cfg(windows)]
    return libm::fma(a, b, c);
    #[cfg(not(windows))]
    return a.mul_add(b, c);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_rounded_once() {
        // The sum lies just above the middle between 1 and the next number; the product alone rounds to the middle.
        let (ulp, tiny) = (f32::EPSILON, f32::EPSILON / 2.0 * (1.0 + f32::EPSILON));
        assert_eq!(fma_f32(tiny, 1.0 + ulp, 1.0), 1.0 + ulp);
        assert_eq!(fma_f32(f32::MIN_POSITIVE, f32::MIN_POSITIVE, -0.0), 0.0);
        let (a, b) = (1.0 + f32::EPSILON, 1.0 - f32::EPSILON);
        assert_eq!(fma_f32(a, b, -1.0), -f32::EPSILON * f32::EPSILON);
        let (a, b) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
        assert_eq!(fma_f64(a, b, -1.0), -f64::EPSILON * f64::EPSILON);
        let tiny = f64::EPSILON / 2.0 * (1.0 + f64::EPSILON);
        assert_eq!(fma_f64(tiny, 1.0, 1.0), 1.0 + f64::EPSILON);
    }
}
