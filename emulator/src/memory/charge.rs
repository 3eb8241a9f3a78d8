//! Charges: host memory outside of a heap that counts as used in it.

use std::sync::Arc;

use super::heap::Heap;
use crate::error::Result;

/// Bytes that count as used in a heap until the charge is dropped.
#[derive(Debug)]
pub(crate) struct Charge {
    heap: Arc<Heap>,
    bytes: u64,
}

impl Charge {
    /// Charges a heap. `OutOfMemory` beyond the size of the heap.
    pub fn new(heap: &Arc<Heap>, bytes: u64) -> Result<Charge> {
        heap.charge(bytes)?;
        Ok(Charge { heap: heap.clone(), bytes })
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.heap.release(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charges_end_when_they_are_dropped() {
        let heap = Arc::new(Heap::new(0, 100));
        let charge = Charge::new(&heap, 60).unwrap();
        assert_eq!(heap.used(), 60);
        assert!(Charge::new(&heap, 41).is_err());
        drop(charge);
        assert_eq!(heap.used(), 0);
    }
}
