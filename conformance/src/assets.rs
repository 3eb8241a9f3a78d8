//! Precompiled shaders of the benchmarks (`glslangValidator -V --target-env vulkan1.1 -g0`). Their sources are in the
//! same folders.

macro_rules! assets {
    ($folder:literal: $($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../assets/", $folder, "/", $name, ".spv")))),*]
    };
}

/// Fragment shaders of 12, about 150 and about 600 lines: name and SPIR-V.
pub const COMPILE: &[(&str, &[u8])] = assets!("compile": "small" "medium" "large");

/// Compute kernels: name and SPIR-V. Input at binding 0, output at binding 1, 64 invocations per workgroup.
pub const KERNELS: &[(&str, &[u8])] = assets!("kernels": "saxpy" "fma" "mandelbrot" "transcendental" "gather" "stencil"
    "hash" "collatz" "reduce" "histogram");

/// Converts bytes to SPIR-V words.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}
