//! What transform feedback takes of a unit's primitives, until it goes to the buffers in order.

/// Words of captured vertices, primitive by primitive.
#[derive(Default)]
pub(crate) struct Captured {
    words: Vec<u32>,
    runs: Vec<CapturedRun>,
}

/// Primitives of a stream, one after the other, with the same state bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CapturedRun {
    /// Number of what was bound.
    pub bind: u32,
    pub stream: u32,
    pub primitives: u32,
    /// First word.
    first: usize,
}

impl Captured {
    /// Begins a primitive, whose words follow.
    pub fn begin(&mut self, bind: u32, stream: u32) {
        match self.runs.last_mut().filter(|r| r.bind == bind && r.stream == stream) {
            Some(run) => run.primitives += 1,
            None => self.runs.push(CapturedRun { bind, stream, primitives: 1, first: self.words.len() }),
        }
    }

    /// A word of the primitive.
    pub fn word(&mut self, word: u32) {
        self.words.push(word);
    }

    /// All runs in order, with their words.
    pub fn runs(&self) -> impl Iterator<Item = (CapturedRun, &[u32])> {
        let ends = self.runs.iter().skip(1).map(|r| r.first).chain([self.words.len()]);
        self.runs.iter().zip(ends).map(|(&run, end)| (run, &self.words[run.first..end]))
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.runs.clear();
    }

    /// Size of what it holds, and of what it could.
    pub fn bytes(&self) -> [usize; 2] {
        let of = |words: usize, runs: usize| words * 4 + runs * size_of::<CapturedRun>();
        [of(self.words.len(), self.runs.len()), of(self.words.capacity(), self.runs.capacity())]
    }
}
