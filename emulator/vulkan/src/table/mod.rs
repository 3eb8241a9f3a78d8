//! The table of versions and extensions, by topic. A row describes one of them, in the terms of the registry
//! (`vk.xml`): revision, version that includes it, dependencies, feature and property structures, commands.
//!
//! `registry::extensions` and `loader::lookup` derive queries, checks and look-ups from the rows; the values of fields
//! are in `capabilities`. Each command's function is checked against its type in the specification. The table names
//! every command of the driver except those of `loader::initial`, which use the table; no module with commands of the
//! table uses it.

use crate::registry::row::{Row, Version};

/// Structures of the bindings, and newer ones.
mod structures {
    pub use ash::vk::*;

    pub use crate::newer::*;
}

/// Commands of promoted extensions that were not promoted.
pub const NOT_PROMOTED: &[&str] = &["vkCmdSetPatchControlPoints", "vkCmdSetLogicOp"];

/// Commands that keep the suffix EXT in extensions with another suffix.
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

        use crate::registry::row;
        use crate::registry::row::Row;
        use crate::table::{first, structures};

        /// Structures of features and properties of this file, and their sizes in bytes, for tests.
        #[cfg(test)]
        pub const SIZES: &[(ash::vk::StructureType, usize)] = &[$(
            $($((structures::$feature::STRUCTURE_TYPE, size_of::<structures::$feature>()),)*)?
            $($((structures::$property::STRUCTURE_TYPE, size_of::<structures::$property>()),)*)?
        )*];

        /// Rows of this file.
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
                    // SAFETY: both types are function pointers; callers convert the pointer back to the command's type
                    // before they call it.
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

        #[cfg(test)]
        const SIZES: &[&[(ash::vk::StructureType, usize)]] = &[$($theme::SIZES),*];
    };
}

themes! {
    versions
    instance
    maintenance
    resources
    descriptors
    rays
    shaders
    pipelines
    commands
    presentation
    tools
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

/// All rows of the table.
pub static ROWS: &[Row] = &ALL;

#[cfg(test)]
mod tests {
    use super::SIZES;
    use crate::capabilities::{features, properties, versions};
    use crate::interface::chain::{WITH_ARRAYS, each};

    /// Nothing is left of the bytes that an application has in a structure of features or properties.
    #[test]
    fn structures_are_filled_whole() {
        for &(structure, size) in SIZES.concat().iter().filter(|(s, _)| !WITH_ARRAYS.contains(s)) {
            let filled = [0x5a, 0xa5].map(|byte| {
                let mut words = vec![0u64; size / 8];
                words[0] = structure.as_raw() as u64;
                words[2..].fill(u64::from_ne_bytes([byte; 8]));
                // SAFETY: the memory has the size and the alignment of the structure, whose type it begins with and which is
                // alone in its chain.
                unsafe {
                    each(words.as_mut_ptr().cast(), |link| {
                        features::extended(link);
                        versions::fill_features(link);
                        properties::extended_properties(link);
                        versions::fill_properties(link);
                    });
                }
                words
            });
            assert_eq!(filled[0], filled[1], "{structure:?}");
        }
    }
}
