//! Types of the values that environment variables have. Leaves the variables to the modules beside it.

/// Checked execution of shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Shaders are not checked.
    Off,
    /// Mistakes are printed.
    On,
    /// Mistakes are printed, and the device is lost.
    Fail,
}

/// Host instructions that may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// Those of x86-64-v2.
    V2,
    /// Those of x86-64-v3.
    V3,
    /// Those of x86-64-v4.
    V4,
    /// All that the host has.
    Native,
}

/// Identity that the driver reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Its own.
    Quadrille,
    /// Its own, with the type of an integrated GPU.
    Integrated,
    /// The identity of SwiftShader.
    SwiftShader,
}

/// A text that can be dumped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// SPIR-V.
    Spirv,
    /// The shader IR.
    Ir,
    /// The shader IR after the passes.
    Optimized,
    /// Cranelift IR.
    Clif,
    /// Machine code.
    Asm,
}

impl Topic {
    /// All topics.
    pub const ALL: [Topic; 5] = [Topic::Spirv, Topic::Ir, Topic::Optimized, Topic::Clif, Topic::Asm];

    /// Name of the topic, which is also the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Spirv => "spirv",
            Topic::Ir => "ir",
            Topic::Optimized => "optimized",
            Topic::Clif => "clif",
            Topic::Asm => "asm",
        }
    }
}

/// Part of a set of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Amount {
    /// No test.
    None,
    /// Some tests.
    #[default]
    Some,
    /// All tests.
    All,
}

/// Time of optimization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Opt {
    /// In the background, after the first tier has run for some time.
    #[default]
    Auto,
    /// Never.
    None,
    /// Before the first use.
    Speed,
}

/// Position of the inaccessible page of an allocation, see [`crate::guarded`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// No guard page: memory comes from the ordinary allocators.
    Off,
    /// Directly after the allocation, as far as alignment permits.
    End,
    /// Directly before the allocation.
    Start,
}
