//! Sets of flags with the bit values of the Vulkan specification, so that a driver only casts them.

/// Defines a set of flags over an unsigned integer.
macro_rules! flags {
    ($(#[$m:meta])* $name:ident: $ty:ty { $($(#[$d:meta])* $flag:ident = $v:expr;)* }) => {
        $(#[$m])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub $ty);

        impl $name {
            /// No flag.
            pub const NONE: Self = Self(0);
            $($(#[$d])* pub const $flag: Self = Self($v);)*

            /// `true` if every flag of `other` is set.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
            /// `true` if any flag of `other` is set.
            pub const fn intersects(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }
            /// Returns the flags that are not in `other`.
            pub const fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }
            /// `true` if no flag is set.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl std::ops::BitOrAssign for $name {
            fn bitor_assign(&mut self, other: Self) {
                self.0 |= other.0;
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut names: Vec<&str> = Vec::new();
                $(if Self::$flag.0 != 0 && self.contains(Self::$flag) { names.push(stringify!($flag)); })*
                write!(f, "{}({})", stringify!($name), names.join(" | "))
            }
        }
    };
}

flags! {
    /// Usages of a buffer. Spec: Vulkan, VkBufferUsageFlagBits.
    BufferUsage: u32 {
        /// Source of copies.
        TRANSFER_SRC = 0x1;
        /// Destination of copies, fills and updates.
        TRANSFER_DST = 0x2;
        /// Uniform texel buffer views.
        UNIFORM_TEXEL = 0x4;
        /// Storage texel buffer views.
        STORAGE_TEXEL = 0x8;
        /// Uniform buffer descriptors.
        UNIFORM = 0x10;
        /// Storage buffer descriptors.
        STORAGE = 0x20;
        /// Index buffer.
        INDEX = 0x40;
        /// Vertex buffer.
        VERTEX = 0x80;
        /// Parameters of indirect commands.
        INDIRECT = 0x100;
        /// Shader binding tables.
        SHADER_BINDING_TABLE = 0x400;
        /// Target of transform feedback.
        TRANSFORM_FEEDBACK = 0x800;
        /// Counters of transform feedback.
        TRANSFORM_FEEDBACK_COUNTER = 0x1000;
        /// Access through device addresses.
        SHADER_DEVICE_ADDRESS = 0x20000;
        /// Input of builds of acceleration structures.
        ACCELERATION_STRUCTURE_BUILD_INPUT = 0x80000;
        /// Range of an acceleration structure.
        ACCELERATION_STRUCTURE_STORAGE = 0x100000;
        /// Input of builds of micromaps.
        MICROMAP_BUILD_INPUT_READ_ONLY = 0x800000;
        /// Range of a micromap.
        MICROMAP_STORAGE = 0x1000000;
    }
}

flags! {
    /// Usages of an image. Spec: Vulkan, VkImageUsageFlagBits.
    ImageUsage: u32 {
        /// Source of copies, blits and resolves.
        TRANSFER_SRC = 0x1;
        /// Destination of copies, blits, resolves and clears.
        TRANSFER_DST = 0x2;
        /// Sampled images and combined image samplers.
        SAMPLED = 0x4;
        /// Storage images.
        STORAGE = 0x8;
        /// Colour and resolve attachments.
        COLOR_ATTACHMENT = 0x10;
        /// Depth and stencil attachments.
        DEPTH_STENCIL_ATTACHMENT = 0x20;
        /// Transient attachments, which get memory like all others.
        TRANSIENT_ATTACHMENT = 0x40;
        /// Input attachments.
        INPUT_ATTACHMENT = 0x80;
        /// Fragment shading rate attachments.
        FRAGMENT_SHADING_RATE_ATTACHMENT = 0x100;
        /// Fragment density maps.
        FRAGMENT_DENSITY_MAP = 0x200;
    }
}

flags! {
    /// Shader stages. Spec: Vulkan, VkShaderStageFlagBits.
    ShaderStages: u32 {
        /// Vertex.
        VERTEX = 0x1;
        /// Tessellation control.
        TESSELLATION_CONTROL = 0x2;
        /// Tessellation evaluation.
        TESSELLATION_EVALUATION = 0x4;
        /// Geometry.
        GEOMETRY = 0x8;
        /// Fragment.
        FRAGMENT = 0x10;
        /// Every graphics stage except task and mesh.
        ALL_GRAPHICS = 0x1f;
        /// Compute.
        COMPUTE = 0x20;
        /// Task.
        TASK = 0x40;
        /// Mesh.
        MESH = 0x80;
        /// Ray generation.
        RAYGEN = 0x100;
        /// Any-hit.
        ANY_HIT = 0x200;
        /// Closest hit.
        CLOSEST_HIT = 0x400;
        /// Miss.
        MISS = 0x800;
        /// Intersection.
        INTERSECTION = 0x1000;
        /// Callable.
        CALLABLE = 0x2000;
        /// Every stage.
        ALL = 0x7fff_ffff;
    }
}

flags! {
    /// Parts of the state of a graphics pipeline. Spec: Vulkan, VkGraphicsPipelineLibraryFlagBitsEXT.
    PipelineParts: u32 {
        /// Vertex input and input assembly.
        VERTEX_INPUT = 0x1;
        /// The stages before rasterization, viewports and rasterization.
        PRE_RASTERIZATION = 0x2;
        /// The fragment stage, depth and stencil tests.
        FRAGMENT_SHADER = 0x4;
        /// Formats, blending and multisampling.
        FRAGMENT_OUTPUT = 0x8;
        /// Every part.
        ALL = 0xf;
    }
}

flags! {
    /// Flags of a geometry. Spec: Vulkan, VkGeometryFlagBitsKHR.
    GeometryFlags: u32 {
        /// Hits need no confirmation.
        OPAQUE = 0x1;
        /// Each primitive is reported at most once for each ray.
        NO_DUPLICATE_ANY_HIT_INVOCATION = 0x2;
    }
}

flags! {
    /// Flags of a build. Spec: Vulkan, VkBuildAccelerationStructureFlagBitsKHR.
    BuildFlags: u32 {
        /// The structure can be updated.
        ALLOW_UPDATE = 0x1;
        /// The structure can be compacted.
        ALLOW_COMPACTION = 0x2;
        /// Rays are fast.
        PREFER_FAST_TRACE = 0x4;
        /// Building is fast.
        PREFER_FAST_BUILD = 0x8;
        /// Memory is small.
        LOW_MEMORY = 0x10;
        /// Updates may change the micromaps of geometries.
        ALLOW_OPACITY_MICROMAP_UPDATE = 0x40;
        /// Instances may disable micromaps.
        ALLOW_DISABLE_OPACITY_MICROMAPS = 0x80;
        /// Updates may change the states in the micromaps of geometries.
        ALLOW_OPACITY_MICROMAP_DATA_UPDATE = 0x100;
        /// States of a micromap may become unknown. The device keeps them all.
        MICROMAP_LOSSY = 0x400;
        /// Shaders can read the positions of vertices.
        ALLOW_DATA_ACCESS = 0x800;
    }
}

pub(crate) use flags;
