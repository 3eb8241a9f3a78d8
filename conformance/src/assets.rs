//! Shaders that benchmarks use, compiled beforehand (`glslangValidator -V --target-env vulkan1.1 -g0`); their
//! sources stand beside them.

macro_rules! assets {
    ($folder:literal: $($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../assets/", $folder, "/", $name, ".spv")))),*]
    };
}

/// Fragment shaders of 12, about 150 and about 600 lines: name and SPIR-V.
pub const COMPILE: &[(&str, &[u8])] = assets!("compile": "small" "medium" "large");

/// Compute kernels: name and SPIR-V. Input at binding 0, output at binding 1, 64 invocations a workgroup.
pub const KERNELS: &[(&str, &[u8])] = assets!("kernels": "saxpy" "fma" "mandelbrot" "transcendental" "gather" "stencil"
    "hash" "collatz" "reduce" "histogram");

/// Bytes as SPIR-V words.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}
