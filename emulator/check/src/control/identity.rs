//! Identity of nodes and instructions of a shader, whose addresses do not change while it is held.

/// Returns the address of a value that does not move.
pub fn address<T>(of: &T) -> usize {
    std::ptr::from_ref(of) as usize
}
