//! Sets of flags, with the numbers of the Vulkan specification so that a driver only casts them.

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

            /// Whether every flag of `other` is set.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
            /// Whether any flag of `other` is set.
            pub const fn intersects(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }
            /// Whether no flag is set.
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
    /// What a buffer may be used for. Spec: Vulkan, VkBufferUsageFlagBits.
    BufferUsage: u32 {
        /// Source of copies.
        TRANSFER_SRC = 0x1;
        /// Destination of copies, fills and updates.
        TRANSFER_DST = 0x2;
        /// Behind a uniform texel buffer view.
        UNIFORM_TEXEL = 0x4;
        /// Behind a storage texel buffer view.
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
        /// Shaders reach it by its address.
        SHADER_DEVICE_ADDRESS = 0x20000;
    }
}

flags! {
    /// What an image may be used for. Spec: Vulkan, VkImageUsageFlagBits.
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
        /// Attachments that need no memory of their own (they get it anyway).
        TRANSIENT_ATTACHMENT = 0x40;
        /// Input attachments.
        INPUT_ATTACHMENT = 0x80;
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
        /// Every graphics stage.
        ALL_GRAPHICS = 0x1f;
        /// Compute.
        COMPUTE = 0x20;
        /// Every stage.
        ALL = 0x7fff_ffff;
    }
}

flags! {
    /// State that is set by commands and not by the pipeline. Spec: Vulkan, VkDynamicState; the bits are
    /// ours.
    DynamicStates: u64 {
        /// Viewports.
        VIEWPORT = 1;
        /// Scissors.
        SCISSOR = 1 << 1;
        /// Line width.
        LINE_WIDTH = 1 << 2;
        /// Depth bias factors.
        DEPTH_BIAS = 1 << 3;
        /// Blend constants.
        BLEND_CONSTANTS = 1 << 4;
        /// Depth bounds.
        DEPTH_BOUNDS = 1 << 5;
        /// Stencil compare masks.
        STENCIL_COMPARE_MASK = 1 << 6;
        /// Stencil write masks.
        STENCIL_WRITE_MASK = 1 << 7;
        /// Stencil references.
        STENCIL_REFERENCE = 1 << 8;
        /// Cull mode.
        CULL_MODE = 1 << 9;
        /// Front face.
        FRONT_FACE = 1 << 10;
        /// Topology.
        PRIMITIVE_TOPOLOGY = 1 << 11;
        /// Viewports with their count.
        VIEWPORT_WITH_COUNT = 1 << 12;
        /// Scissors with their count.
        SCISSOR_WITH_COUNT = 1 << 13;
        /// Strides of vertex bindings.
        VERTEX_INPUT_BINDING_STRIDE = 1 << 14;
        /// Depth test enable.
        DEPTH_TEST_ENABLE = 1 << 15;
        /// Depth write enable.
        DEPTH_WRITE_ENABLE = 1 << 16;
        /// Depth comparison.
        DEPTH_COMPARE_OP = 1 << 17;
        /// Depth bounds test enable.
        DEPTH_BOUNDS_TEST_ENABLE = 1 << 18;
        /// Stencil test enable.
        STENCIL_TEST_ENABLE = 1 << 19;
        /// Stencil operations.
        STENCIL_OP = 1 << 20;
        /// Rasterizer discard.
        RASTERIZER_DISCARD_ENABLE = 1 << 21;
        /// Depth bias enable.
        DEPTH_BIAS_ENABLE = 1 << 22;
        /// Primitive restart.
        PRIMITIVE_RESTART_ENABLE = 1 << 23;
        /// Logic operation.
        LOGIC_OP = 1 << 24;
        /// Logic operation enable.
        LOGIC_OP_ENABLE = 1 << 25;
        /// Colour writes, by attachment.
        COLOR_WRITE_ENABLE = 1 << 26;
        /// Vertex bindings and attributes.
        VERTEX_INPUT = 1 << 27;
        /// Depth clamping.
        DEPTH_CLAMP_ENABLE = 1 << 28;
        /// Depth clipping.
        DEPTH_CLIP_ENABLE = 1 << 29;
        /// Polygon mode.
        POLYGON_MODE = 1 << 30;
        /// Rasterization samples.
        RASTERIZATION_SAMPLES = 1 << 31;
        /// Sample mask.
        SAMPLE_MASK = 1 << 32;
        /// Alpha to coverage.
        ALPHA_TO_COVERAGE_ENABLE = 1 << 33;
        /// Alpha to one.
        ALPHA_TO_ONE_ENABLE = 1 << 34;
        /// Blend enable, by attachment.
        COLOR_BLEND_ENABLE = 1 << 35;
        /// Blend equations, by attachment.
        COLOR_BLEND_EQUATION = 1 << 36;
        /// Write masks, by attachment.
        COLOR_WRITE_MASK = 1 << 37;
        /// Whether the view volume reaches from -w to w.
        DEPTH_CLIP_NEGATIVE_ONE_TO_ONE = 1 << 38;
        /// Stipple of lines.
        LINE_STIPPLE = 1 << 40;
    }
}
