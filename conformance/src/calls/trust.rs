//! How far a model knows what is in memory.

/// What is known of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// It is as the model says.
    Known,
    /// Every run of the same program has the same.
    Same,
    /// Nothing.
    Any,
}
