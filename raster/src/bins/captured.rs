//! Primitives that transform feedback captures from a unit, kept until they are written to the buffers in order.
//! Writing them is left to [`crate::feedback`].

/// Words of captured vertices, primitive by primitive.
#[derive(Default)]
pub(crate) struct Captured {
    words: Vec<u32>,
    runs: Vec<CapturedRun>,
}

/// Consecutive captured primitives of one stream and one bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CapturedRun {
    /// Number of the bind.
    pub bind: u32,
    pub stream: u32,
    pub primitives: u32,
    /// Index of the run's first word.
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

    /// Appends a word of the primitive.
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

    /// Size in bytes of the contents, and of the allocated capacity.
    pub fn bytes(&self) -> [usize; 2] {
        let of = |words: usize, runs: usize| words * 4 + runs * size_of::<CapturedRun>();
        [of(self.words.len(), self.runs.len()), of(self.words.capacity(), self.runs.capacity())]
    }
}
