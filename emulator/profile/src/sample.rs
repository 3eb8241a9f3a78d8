//! A sample, as a handler of signals takes it.

/// Where a processor was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    /// Address of the instruction.
    pub at: usize,
    /// Number of the thread's work.
    pub work: u8,
    /// The word of who has called, 0 if no shader has.
    pub caller: u64,
}
