//! Transform feedback: buffers that receive the vertices of primitives, in order.
//!
//! Units of the front capture words in parallel; [`TransformFeedback::write`] writes them to the buffers one unit after
//! the other. Owns the writes to device memory. Left to others: capturing the words (`front`).
//!
//! Spec: Vulkan, "Transform Feedback" (vertexpostproc-transform-feedback).

use std::sync::atomic::{AtomicU64, Ordering};

use quadrille_jit::ir::{MAX_STREAMS, Xfb, XfbOutput};

/// A range of device memory that transform feedback writes.
#[derive(Clone, Copy, Debug)]
pub struct FeedbackRange {
    ptr: *mut u8,
    size: u64,
}

// SAFETY: the caller of `new` promised that any thread may write the bytes, and `EMPTY` has none.
#[expect(unsafe_code, reason = "raw pointer to device memory")]
unsafe impl Send for FeedbackRange {}
// SAFETY: the caller of `new` promised that any thread may write the bytes, and `write` takes no reference to them.
#[expect(unsafe_code, reason = "raw pointer to device memory")]
unsafe impl Sync for FeedbackRange {}

impl FeedbackRange {
    /// An empty range, into which no word fits.
    pub const EMPTY: FeedbackRange = FeedbackRange { ptr: std::ptr::null_mut(), size: 0 };

    /// `size` bytes at `ptr`.
    ///
    /// # Safety
    /// The bytes stay writable, from any thread, until the last pass that uses the range has ended.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    pub unsafe fn new(ptr: *mut u8, size: u64) -> Self {
        FeedbackRange { ptr, size }
    }

    /// Writes a word if it lies wholly inside the range.
    fn write(&self, offset: u64, word: u32) {
        if offset.checked_add(4).is_some_and(|end| end <= self.size) {
            // SAFETY: the check above keeps `offset..offset + 4` inside the range, which the caller of `new` promised
            // to be writable. The write is unaligned and goes through a raw pointer, so it needs no alignment and
            // creates no reference to shared memory.
            #[expect(unsafe_code, reason = "writes device memory")]
            unsafe {
                self.ptr.add(offset as usize).cast::<[u8; 4]>().write_unaligned(word.to_le_bytes());
            }
        }
    }
}

/// Active transform feedback: its buffers, and the number of bytes written to each.
#[derive(Debug)]
pub struct TransformFeedback {
    buffers: [FeedbackRange; MAX_STREAMS],
    /// Byte offset of the next vertex in each buffer.
    at: [AtomicU64; MAX_STREAMS],
}

impl TransformFeedback {
    /// Writes to `buffers`, starting at these byte offsets.
    pub fn new(buffers: [FeedbackRange; MAX_STREAMS], offsets: [u64; MAX_STREAMS]) -> Self {
        TransformFeedback { buffers, at: offsets.map(AtomicU64::new) }
    }

    /// Byte offset of the next vertex in each buffer, as stored in counter buffers. The offsets are final once the
    /// passes with captured draws have ended.
    pub fn offsets(&self) -> [u64; MAX_STREAMS] {
        self.at.each_ref().map(|at| at.load(Ordering::Relaxed))
    }

    /// Writes captured primitives of `per_primitive` vertices each, and returns the number written. A primitive that
    /// does not fit into every buffer of its stream is written to none.
    pub(crate) fn write(&self, c: &Capture, stream: u32, per_primitive: u32, words: &[u32]) -> u64 {
        let outputs = &c.outputs[stream as usize];
        let per_vertex = outputs.len();
        let mut written = 0;
        let mut at = self.offsets();
        for primitive in words.chunks_exact((per_vertex * per_primitive as usize).max(1)) {
            let bytes = |b: usize| u64::from(c.strides[b]) * u64::from(per_primitive);
            let fits =
                |b: &usize| at[*b].checked_add(bytes(*b)).is_some_and(|end| end <= self.buffers[*b].size);
            if !c.buffers[stream as usize].iter().all(fits) {
                continue;
            }
            for (v, vertex) in primitive.chunks_exact(per_vertex).enumerate() {
                for (o, &word) in outputs.iter().zip(vertex) {
                    let b = o.buffer as usize;
                    let from = at[b] + v as u64 * u64::from(c.strides[b]);
                    self.buffers[b].write(from + u64::from(o.offset), word);
                }
            }
            for &b in &c.buffers[stream as usize] {
                at[b] += bytes(b);
            }
            written += 1;
        }
        self.at.iter().zip(at).for_each(|(to, at)| to.store(at, Ordering::Relaxed));
        written
    }
}

/// Transform feedback decorations of a stage's outputs, by stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct Capture {
    /// Words captured of each vertex.
    pub outputs: [Vec<XfbOutput>; MAX_STREAMS],
    /// Buffers that each stream writes.
    pub buffers: [Vec<usize>; MAX_STREAMS],
    /// Bytes per vertex in each buffer.
    pub strides: [u32; MAX_STREAMS],
}

impl Capture {
    /// Returns `None` if nothing is captured.
    pub fn new(xfb: &Xfb) -> Option<Self> {
        let mut c = Capture { strides: xfb.strides, ..Capture::default() };
        for o in xfb.outputs.iter().filter(|o| (o.buffer as usize) < MAX_STREAMS) {
            let buffer = o.buffer as usize;
            let stream = xfb.streams[buffer] as usize % MAX_STREAMS;
            c.outputs[stream].push(*o);
            if !c.buffers[stream].contains(&buffer) {
                c.buffers[stream].push(buffer);
            }
        }
        (!xfb.outputs.is_empty()).then_some(c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Captures two buffers of stream 0 and one of stream 2.
    fn capture() -> Capture {
        let o = |word, buffer, offset| XfbOutput { word, buffer, offset };
        let outputs = vec![o(3, 0, 4), o(1, 0, 0), o(2, 1, 0), o(0, 3, 8)];
        Capture::new(&Xfb { outputs, strides: [8, 4, 0, 12], streams: [0, 0, 0, 2] }).unwrap()
    }

    fn range(bytes: &mut [u8]) -> FeedbackRange {
        // SAFETY: `bytes` is exclusively borrowed here, and each test keeps its array alive while the range is in use.
        #[expect(unsafe_code, reason = "binds test memory")]
        unsafe {
            FeedbackRange::new(bytes.as_mut_ptr(), bytes.len() as u64)
        }
    }

    #[test]
    fn words_go_to_their_offsets_and_nothing_else_is_touched() {
        let (mut a, mut b, mut d) = ([0xee; 40], [0xee; 40], [0xee; 40]);
        let buffers = [range(&mut a), range(&mut b), FeedbackRange::EMPTY, range(&mut d)];
        let f = TransformFeedback::new(buffers, [8, 0, 0, 4]);
        // Two lines of stream 0, with three words per vertex.
        assert_eq!(f.write(&capture(), 0, 2, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), 2);
        assert_eq!(f.offsets(), [40, 16, 0, 4]);
        // A point of stream 2.
        assert_eq!(f.write(&capture(), 2, 1, &[13]), 1);
        assert_eq!(f.offsets(), [40, 16, 0, 16]);
        let words = |bytes: &[u8]| -> Vec<u32> {
            bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
        };
        let e = 0xeeee_eeee;
        assert_eq!(words(&a), [e, e, 2, 1, 5, 4, 8, 7, 11, 10]);
        assert_eq!(words(&b), [3, 6, 9, 12, e, e, e, e, e, e]);
        assert_eq!(words(&d), [e, e, e, 13, e, e, e, e, e, e]);
    }

    #[test]
    fn a_primitive_that_does_not_fit_everywhere_is_written_nowhere() {
        let (mut a, mut b) = ([0u8; 64], [0u8; 11]);
        let f = TransformFeedback::new(
            [range(&mut a), range(&mut b), FeedbackRange::EMPTY, FeedbackRange::EMPTY],
            [0; 4],
        );
        // Lines: two vertices take 8 of the 11 bytes of the second buffer.
        assert_eq!(f.write(&capture(), 0, 2, &[7; 18]), 1);
        assert_eq!(f.offsets(), [16, 8, 0, 0]);
        assert!(a[..16].iter().any(|&b| b != 0) && a[16..].iter().all(|&b| b == 0));
        // An offset close to `u64::MAX`.
        let f = TransformFeedback::new([FeedbackRange::EMPTY; 4], [u64::MAX - 3; 4]);
        assert_eq!(f.write(&capture(), 0, 1, &[7; 3]), 0);
        assert_eq!(f.offsets(), [u64::MAX - 3; 4]);
    }
}
