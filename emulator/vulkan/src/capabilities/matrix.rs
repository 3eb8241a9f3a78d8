//! Products of cooperative matrices, for vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR. The front end of the compiler
//! accepts all of them.

use ash::vk;
use ash::vk::ComponentTypeKHR as Component;

/// Numbers of rows of A, columns of B and columns of A. Programs often take the first ones.
const SIZES: [[u32; 3]; 2] = [[16, 16, 16], [8, 16, 16]];

/// Component types that are newer than the bindings.
const BFLOAT16: Component = Component::from_raw(1_000_141_000);
const FLOAT8_E4M3: Component = Component::from_raw(1_000_491_002);
const FLOAT8_E5M2: Component = Component::from_raw(1_000_491_003);

/// Component types of A and B and of C and the result, and `true` for saturating sums.
const TYPES: [(Component, Component, bool); 15] = [
    (Component::FLOAT16, Component::FLOAT32, false),
    (Component::FLOAT16, Component::FLOAT16, false),
    (Component::FLOAT32, Component::FLOAT32, false),
    (Component::SINT8, Component::SINT32, false),
    (Component::UINT8, Component::UINT32, false),
    (Component::SINT8, Component::SINT32, true),
    (Component::UINT8, Component::UINT32, true),
    (BFLOAT16, Component::FLOAT32, false),
    (BFLOAT16, BFLOAT16, false),
    (FLOAT8_E4M3, Component::FLOAT32, false),
    (FLOAT8_E4M3, Component::FLOAT16, false),
    (FLOAT8_E4M3, FLOAT8_E4M3, false),
    (FLOAT8_E5M2, Component::FLOAT32, false),
    (FLOAT8_E5M2, Component::FLOAT16, false),
    (FLOAT8_E5M2, FLOAT8_E5M2, false),
];

/// Number of products.
pub const PRODUCTS: usize = SIZES.len() * TYPES.len();

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
