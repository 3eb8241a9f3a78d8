//! A sample, as the signal handler takes it.

/// State of a processor at a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    /// Address of the instruction.
    pub at: usize,
    /// Number of the thread's kind of work.
    pub work: u8,
    /// The thread's word for the calling shader; 0 if no shader has called.
    pub caller: u64,
}
