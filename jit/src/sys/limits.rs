//! Limits of the process and of the machine.

use super::host;

/// `true` if allocations of this process can fail before the machine is out of memory.
pub fn memory_is_limited() -> bool {
    host::memory_is_limited()
}

/// Largest size of a file that the process may write; a longer one would end the process. `None` without a limit.
pub fn file_bytes() -> Option<u64> {
    host::file_bytes()
}

/// Size of the machine's memory, in bytes.
pub fn machine_memory() -> u64 {
    host::machine_memory()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_machine_has_memory() {
        assert!(super::machine_memory() > 64 << 20);
    }
}
