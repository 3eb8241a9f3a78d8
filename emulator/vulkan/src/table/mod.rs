//! The table of versions and extensions, by theme: a row says everything about one, in the words of the registry
//! (`vk.xml`): revision, the version it became part of, what it needs, feature and property structures,
//! commands.
//!
//! What is handed out, answered and checked derives from the rows in `extensions` and `lookup`; the values of fields are in
//! `features` and `properties`. Each command's function is checked against the type that the specification
//! gives it. The table names every command of the driver, and nothing that is below it names the table.

use crate::row::{Row, Version};

/// Structures of the bindings and newer ones.
mod structures {
    pub use ash::vk::*;

    pub use crate::newer::*;
}

/// Commands of promoted extensions that stayed behind.
pub const NOT_PROMOTED: &[&str] = &["vkCmdSetPatchControlPoints", "vkCmdSetLogicOp"];

/// Commands of extensions with another suffix, which keep theirs: EXT.
pub const OWN_SUFFIX: &[&str] = &[
    "vkCmdBeginConditionalRendering2",
    "vkCmdBindTransformFeedbackBuffers2",
    "vkCmdBeginTransformFeedback2",
    "vkCmdEndTransformFeedback2",
    "vkCmdDrawIndirectByteCount2",
    "vkCmdDrawMeshTasksIndirect2",
    "vkCmdDrawMeshTasksIndirectCount2",
];

const fn first(list: &[Version]) -> Option<Version> {
    match list {
        [version, ..] => Some(*version),
        [] => None,
    }
}

macro_rules! kind {
    (version) => {
        row::Kind::Version
    };
    (instance) => {
        row::Kind::Instance
    };
    (device) => {
        row::Kind::Device
    };
}

macro_rules! condition {
    () => {
        row::always
    };
    ($offered:path) => {
        $offered
    };
}

macro_rules! rows {
    ($(
        $kind:ident $name:ident = $revision:literal
        $(, core $major:literal $minor:literal)? $(, needs $needs:literal)? $(, if $offered:path)? {
            $(features [$($feature:ident),* $(,)?])?
            $(properties [$($property:ident),* $(,)?])?
            $(commands $level:ident { $($pfn:ident = $function:path),* $(,)? })*
            $(commands_of [$($other:ident),*])?
        }
    )*) => {
        use ash::vk::TaggedStructure;

        use super::{first, structures};
        use crate::row::{self, Row};

        /// The rows.
        pub const ROWS: &[Row] = &[$(Row {
            kind: kind!($kind),
            name: stringify!($name),
            revision: $revision,
            core: first(&[$(($major, $minor))?]),
            needs: concat!("" $(, $needs)?),
            offered: condition!($($offered)?),
            features: &[$($(<structures::$feature as TaggedStructure>::STRUCTURE_TYPE,)*)?],
            properties: &[$($(<structures::$property as TaggedStructure>::STRUCTURE_TYPE,)*)?],
            commands: &[$($((
                row::Level::$level,
                stringify!($pfn),
                {
                    let function: structures::$pfn = $function;
                    // SAFETY: a function pointer; whoever calls it casts it back to the command's type.
                    unsafe { std::mem::transmute::<structures::$pfn, row::Function>(function) }
                },
            ),)*)*],
            commands_of: &[$($(stringify!($other)),*)?],
        },)*];
    };
}

macro_rules! themes {
    ($($theme:ident)*) => {
        $(mod $theme;)*

        const THEMES: &[&[Row]] = &[$($theme::ROWS),*];
        const COUNT: usize = 0 $(+ $theme::ROWS.len())*;
    };
}

themes! {
    versions
    instance
    maintenance
    resources
    descriptors
    shaders
    pipelines
    commands
    presentation
}

static ALL: [Row; COUNT] = {
    let mut all = [THEMES[0][0]; COUNT];
    let (mut at, mut theme) = (0, 0);
    while theme < THEMES.len() {
        let mut i = 0;
        while i < THEMES[theme].len() {
            all[at] = THEMES[theme][i];
            (at, i) = (at + 1, i + 1);
        }
        theme += 1;
    }
    all
};

/// The rows.
pub static ROWS: &[Row] = &ALL;
