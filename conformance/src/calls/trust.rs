//! Certainty of a model about the contents of memory.

/// Certainty of the model about a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// The byte has the value in the model.
    Known,
    /// The value is unknown, but the same in every run of the program.
    Same,
    /// The value is unknown and may differ between runs.
    Any,
}
