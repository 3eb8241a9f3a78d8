//! Products of cooperative matrices, for vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR,
//! vkGetPhysicalDeviceCooperativeMatrixProperties2EXT and
//! vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV. The front end of the compiler accepts all of them.

use ash::vk;
use ash::vk::ComponentTypeKHR as Component;
use quadrille::LIMITS;

use crate::newer::{
    CooperativeMatrixFlexibleDimensionsPropertiesNV, CooperativeMatrixProperties2EXT,
    PhysicalDeviceCooperativeMatrixInfo2EXT,
};

/// Numbers of rows of A, columns of B and columns of A. Programs often take the first ones: llama.cpp divides blocks of as many
/// rows as a subgroup has invocations by the rows of A, so these must not be more. It also wants the last ones, for attention.
const SIZES: [[u32; 3]; 3] = [[8, 32, 16], [8, 16, 16], [16, 16, 16]];

/// Component types that are newer than the bindings.
const BFLOAT16: Component = Component::from_raw(1_000_141_000);
const FLOAT8_E4M3: Component = Component::from_raw(1_000_491_002);
const FLOAT8_E5M2: Component = Component::from_raw(1_000_491_003);

/// Component types of A and B and of C and the result, and `true` for saturating sums. The compiler also accepts sums as
/// bfloat16 and as floats of 8 bits, for which programs do not ask.
const TYPES: [(Component, Component, bool); 12] = [
    (Component::FLOAT16, Component::FLOAT32, false),
    (Component::FLOAT16, Component::FLOAT16, false),
    (Component::FLOAT32, Component::FLOAT32, false),
    (Component::SINT8, Component::SINT32, false),
    (Component::UINT8, Component::UINT32, false),
    (Component::SINT8, Component::SINT32, true),
    (Component::UINT8, Component::UINT32, true),
    (BFLOAT16, Component::FLOAT32, false),
    (FLOAT8_E4M3, Component::FLOAT32, false),
    (FLOAT8_E4M3, Component::FLOAT16, false),
    (FLOAT8_E5M2, Component::FLOAT32, false),
    (FLOAT8_E5M2, Component::FLOAT16, false),
];

/// Number of products.
pub const PRODUCTS: usize = SIZES.len() * TYPES.len();

/// VK_COOPERATIVE_MATRIX_SATURATING_ACCUMULATION_BIT_EXT.
const SATURATING_ACCUMULATION: u32 = 1;

/// Indices of the kinds of products at a scope, with or without saturating sums. They do not depend on the subgroup size.
pub fn kinds(info: &PhysicalDeviceCooperativeMatrixInfo2EXT) -> Vec<usize> {
    let saturates = info.flags & SATURATING_ACCUMULATION != 0;
    let of_workgroup = info.scope == vk::ScopeKHR::WORKGROUP
        && info.invocations <= LIMITS.max_cooperative_matrix_invocations;
    let offered = of_workgroup || info.scope == vk::ScopeKHR::SUBGROUP;
    let fits = |&index: &usize| offered && TYPES[index].2 == saturates;
    (0..TYPES.len()).filter(fits).collect()
}

/// Describes a kind of products by its index.
pub fn kind(index: usize, p: &mut CooperativeMatrixProperties2EXT) {
    let granularity = LIMITS.cooperative_matrix_granularity;
    let (factor, sum, _) = TYPES[index];
    (p.m_granularity, p.n_granularity, p.k_granularity) = (granularity, granularity, granularity);
    (p.a_type, p.b_type) = (factor, factor);
    (p.c_type, p.result_type) = (sum, sum);
}

/// Numbers of invocations of workgroups whose matrices have flexible sizes; 0 stands for matrices of subgroups.
const WORKGROUPS: [u32; 5] = [0, 32, 64, 128, 256];

/// Number of kinds of products of flexible sizes.
pub const FLEXIBLE_PRODUCTS: usize = TYPES.len() * WORKGROUPS.len();

/// Describes a kind of products by its index below [`FLEXIBLE_PRODUCTS`].
pub fn flexible_product(index: usize, p: &mut CooperativeMatrixFlexibleDimensionsPropertiesNV) {
    let (factor, sum, saturates) = TYPES[index % TYPES.len()];
    let invocations = WORKGROUPS[index / TYPES.len()];
    let granularity = LIMITS.cooperative_matrix_granularity;
    (p.m_granularity, p.n_granularity, p.k_granularity) = (granularity, granularity, granularity);
    (p.a_type, p.b_type) = (factor, factor);
    (p.c_type, p.result_type) = (sum, sum);
    p.saturating_accumulation = saturates.into();
    p.scope = if invocations == 0 { vk::ScopeKHR::SUBGROUP } else { vk::ScopeKHR::WORKGROUP };
    p.workgroup_invocations = invocations;
}

/// Describes a product by its index below [`PRODUCTS`].
pub fn product(index: usize, p: &mut vk::CooperativeMatrixPropertiesKHR<'_>) {
    let [m, n, k] = SIZES[index / TYPES.len()];
    let (factor, sum, saturates) = TYPES[index % TYPES.len()];
    (p.m_size, p.n_size, p.k_size) = (m, n, k);
    (p.a_type, p.b_type) = (factor, factor);
    (p.c_type, p.result_type) = (sum, sum);
    p.saturating_accumulation = saturates.into();
    p.scope = vk::ScopeKHR::SUBGROUP;
}
