//! Features and limits of the device, in two tables whose rows answer queries and are used in checks.
//!
//! * `features`, `values`: the tables. Each row also names the members of Vulkan's structures that it answers, from
//!   which the driver fills these structures.
//!
//! Left to others: values that only the driver has are in its `capabilities`.

#[macro_use]
mod features;
#[macro_use]
mod values;

use quadrille_jit::spirv::{cooperative, lower, types};
use quadrille_jit::{abi, handle, ir};
use quadrille_raster::{image, limits as raster, ray_tracing};
use quadrille_rays as rays;

use crate::error::{Error, Result};
use crate::sys::mapping;

/// Defines [`Limits`] from the table of limits.
macro_rules! limits {
    ($($(#[$d:meta])* $name:ident: $ty:ty = $v:expr
        $(=> $([$($core:tt)*])? $({ $($members:tt)* })?)?;)*
    ) => {
        /// Limits of the device. Spec: Vulkan, "Limits".
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct Limits { $($(#[$d])* pub $name: $ty,)* }

        /// Limits of every device.
        pub const LIMITS: Limits = Limits { $($name: $v,)* };

        impl Limits {
            /// Name and value of each row, in table order.
            pub fn rows(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($name), format!("{:?}", self.$name)),)*]
            }
        }
    };
}

/// Defines [`Features`] from the table of features.
macro_rules! features {
    ($($(#[$d:meta])* $name:ident
        $([$($core:ident),* $(,)?])?
        $({ $($structure:ident { $($member:ident $(if $other:ident)*),* $(,)? })* })?;)*
    ) => {
        /// Features of the device. Spec: Vulkan, "Features".
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Features { $($(#[$d])* pub $name: bool,)* }

        /// Features of every device: every row of the table that the host can provide.
        pub const FEATURES: Features = of_this_host(Features { $($name: true,)* });

        impl Features {
            /// Name and value of each row, in table order.
            pub fn rows(&self) -> Vec<(&'static str, bool)> {
                vec![$((stringify!($name), self.$name),)*]
            }

            /// Returns `true` if a row answers a member of Vulkan's structures, such as `textureCompressionBC`, and all
            /// features that it needs are `true`.
            pub fn member(&self, name: &str) -> bool {
                let members = [
                    $($($((stringify!($core), self.$name),)*)?
                    $($($((stringify!($member), self.$name $(&& self.$other)*),)*)*)?)*
                ];
                members.iter().any(|(member, value)| *value && same(member, name))
            }
        }
    };
}

/// Turns off the features that the host cannot provide: sparse resources are mappings of files.
const fn of_this_host(all: Features) -> Features {
    Features {
        sparse_binding: mapping::OFFERED,
        sparse_residency: mapping::OFFERED,
        sparse_residency_aliased: mapping::OFFERED,
        ..all
    }
}

/// Compares two names without regard to case and underscores.
fn same(a: &str, b: &str) -> bool {
    let letters =
        |text: &'_ str| text.bytes().filter(|c| *c != b'_').map(|c| c.to_ascii_lowercase()).collect();
    let [a, b]: [Vec<u8>; 2] = [letters(a), letters(b)];
    a == b
}

/// Sample counts that the rasterizer supports, one bit per count.
const SAMPLE_COUNTS: u32 = {
    let (mut all, mut bit) = (0, 1);
    while bit <= 64 {
        if quadrille_raster::samples::offered(bit) {
            all |= bit;
        }
        bit <<= 1;
    }
    all
};

limit_rows!(limits);
feature_rows!(features);

/// Version of Vulkan in the driver and its manifest: major, minor, patch. The minor version is the last one whose
/// required features are all present. Spec: Vulkan, "Feature Requirements".
pub const VULKAN_VERSION: [u32; 3] = [1, minor_version(&FEATURES), 360];

const fn minor_version(f: &Features) -> u32 {
    let one = f.robust_buffer_access && f.multiview && f.storage_16bit;
    let two = one
        && f.uniform_buffer_standard_layout
        && f.subgroup_extended_types
        && f.timeline_semaphore
        && (!f.shader_buffer_int64_atomics || f.shader_int64)
        && (!f.descriptor_indexing || f.descriptor_dynamic_indexing);
    let three = two
        && f.shader_terminate_invocation
        && f.shader_demote_to_helper_invocation
        && f.zero_initialize_workgroup_memory
        && f.robust_image_access
        && f.subgroup_size_control
        && f.dynamic_rendering
        && f.shader_integer_dot_product
        && f.vulkan_memory_model
        && f.inline_uniform_block
        && f.buffer_device_address
        && f.extended_dynamic_state
        && f.extended_dynamic_state2;
    let drawing = f.full_draw_index_uint32
        && f.image_cube_array
        && f.independent_blend
        && f.sample_rate_shading
        && f.draw_indirect_first_instance
        && f.depth_clamp
        && f.sampler_anisotropy
        && f.fragment_stores_and_atomics
        && f.large_points
        && f.line_rasterization
        && f.vertex_attribute_divisor
        && f.index_type_uint8
        && f.dynamic_rendering_local_read;
    let shaders = f.shader_storage_image_extended_formats
        && f.descriptor_dynamic_indexing
        && f.descriptor_indexing
        && f.shader_image_gather_extended
        && f.shader_int16
        && f.shader_int8
        && f.storage_8bit
        && f.variable_pointers
        && f.scalar_block_layout
        && f.sampler_ycbcr_conversion
        && f.sampler_mirror_clamp_to_edge
        && f.shader_subgroup_rotate
        && f.shader_float_controls2
        && f.shader_expect_assume
        && f.robust_buffer_access2
        && f.robust_image_access2;
    match (one, two, three, drawing && shaders) {
        (_, _, true, true) => 4,
        (_, _, true, false) => 3,
        (_, true, false, _) => 2,
        (true, false, false, _) => 1,
        _ => 0,
    }
}

/// Returns `Limit` unless `value` is at most `limit`; `what` names the value.
pub(crate) fn at_most(what: &str, value: u64, limit: u64) -> Result<()> {
    if value <= limit {
        return Ok(());
    }
    Err(Error::Limit(format!("{what}: {value}, at most {limit}")))
}

#[cfg(test)]
mod tests {
    use quadrille_raster::format::{Format, FormatFeatures};

    use super::*;

    /// Spec: Vulkan, shaderStorageImageExtendedFormats.
    #[test]
    fn extended_storage_formats_are_there() {
        use Format::*;
        #[rustfmt::skip]
        let list = [
            R16G16_SFLOAT, B10G11R11_UFLOAT_PACK32, R16_SFLOAT, R16G16B16A16_UNORM,
            A2B10G10R10_UNORM_PACK32, R16G16_UNORM, R8G8_UNORM, R16_UNORM, R8_UNORM,
            R16G16B16A16_SNORM, R16G16_SNORM, R8G8_SNORM, R16_SNORM, R8_SNORM, R16G16_SINT, R8G8_SINT,
            R16_SINT, R8_SINT, A2B10G10R10_UINT_PACK32, R16G16_UINT, R8G8_UINT, R16_UINT, R8_UINT,
        ];
        for format in list {
            let has = format.image_features().contains(FormatFeatures::STORAGE_IMAGE);
            assert!(has || !FEATURES.shader_storage_image_extended_formats, "{}", format.name());
        }
    }

    #[test]
    fn the_version_follows_from_the_features() {
        assert_eq!(minor_version(&FEATURES), VULKAN_VERSION[1]);
        assert_eq!(minor_version(&Features { index_type_uint8: false, ..FEATURES }), 3);
        assert_eq!(minor_version(&Features { inline_uniform_block: false, ..FEATURES }), 2);
        assert_eq!(minor_version(&Features { timeline_semaphore: false, ..FEATURES }), 1);
        assert_eq!(minor_version(&Features { multiview: false, ..FEATURES }), 0);
    }

    #[test]
    fn rows_answer_and_check() {
        assert!(LIMITS.rows().iter().any(|(n, v)| *n == "max_push_constants_size" && v == "256"));
        assert!(at_most("x", 4, 4).is_ok());
        assert!(matches!(at_most("x", 5, 4), Err(Error::Limit(m)) if m == "x: 5, at most 4"));
        assert!(FEATURES.rows().iter().any(|(n, v)| *n == "robust_buffer_access" && *v));
    }
}
