//! Features of a shader variant, as bits that are declared once for Rust and WGSL. The choice of features is left to
//! [`super::materials`] and [`super::items`].

macro_rules! features {
    ($($name:ident = $bit:literal;)*) => {
        $(pub(crate) const $name: u32 = $bit;)*

        /// Declarations of the features in WGSL.
        pub(crate) const DECLARATIONS: &str = concat!($("const ", stringify!($name), " = ", $bit, "u;\n"),*);
    };
}

features! {
    UNLIT = 1;
    MASK = 2;
    BLEND = 4;
    CLEARCOAT = 8;
    TRANSMISSION = 16;
    SHEEN = 32;
    TANGENTS = 64;
    LIGHTS = 128;
    SKINNED = 256;
    MORPHED = 512;
    VOLUME = 1024;
    DOUBLE_SIDED = 2048;
    SPECULAR_GLOSSINESS = 4096;
    IRIDESCENCE = 8192;
    ANISOTROPY = 16384;
    DISPERSION = 32768;
}
