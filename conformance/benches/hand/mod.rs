//! The kernels of `assets/kernels`, written by hand for one thread: with 128-bit vectors in the AVX encoding, and with
//! 512-bit vectors.
//!
//! The operations and their order are those of the shaders, so the bits are equal. Where one chain of operations would
//! leave the processor waiting, two vectors are processed side by side. Both widths share one source of the kernels
//! ([`kernels`]); a module per width provides the vectors.

#[macro_use]
mod kernels;
pub mod v128;
pub mod v512;

/// Number of invocations.
pub const N: usize = 65_536;
/// The stencil reads 256 elements past its own.
pub type A = [u32; N + 256];
pub type B = [u32; N];
pub type Kernel = unsafe fn(&A, &mut B);

/// Adding this number rounds to an integer, which is then in the low bits.
const ROUND: f32 = 12_582_912.0;
#[expect(clippy::approx_constant, reason = "a coefficient of a fit, not ln 2")]
const EXP2: [f32; 7] =
    [1.0, 0.693_147, 0.240_229_9, 5.548_244_7e-2, 9.681_268e-3, 1.241_386_4e-3, 2.179_877_7e-4];
const LOG2: [f32; 9] = [
    std::f32::consts::LOG2_E,
    -0.721_347_33,
    0.480_910_33,
    -0.360_707_04,
    0.287_903_22,
    -0.238_848_12,
    0.215_846_57,
    -0.208_041_76,
    0.126_310_21,
];
