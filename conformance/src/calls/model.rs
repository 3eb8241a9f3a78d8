//! What bytes of device memory must be: a plain array per allocation, and the effects of commands on it.
//!
//! Commands take effect when they are submitted, in order. Each byte has a [`Trust`]: what the model does not
//! follow (pixels, counts of queries) is the same in every run, or not even that (times).

use super::kernels::{Kernel, Words};
pub use super::trust::Trust;

/// Bytes of an allocation.
#[derive(Clone, Debug)]
pub struct Bytes {
    bytes: Vec<u8>,
    trust: Vec<Trust>,
}

impl Bytes {
    /// Zeros.
    pub fn new(size: usize) -> Bytes {
        Bytes { bytes: vec![0; size], trust: vec![Trust::Known; size] }
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Sets bytes.
    pub fn set(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self.trust[at..at + bytes.len()].fill(Trust::Known);
    }

    /// From now on less is known of a range.
    pub fn doubt(&mut self, at: usize, n: usize, trust: Trust) {
        self.trust[at..at + n].fill(trust);
    }

    /// A word, if it is known.
    pub fn word(&self, at: usize) -> Option<u32> {
        let known = self.trust.get(at..at + 4)?.iter().all(|t| *t == Trust::Known);
        let word = self.bytes.get(at..at + 4)?;
        known.then(|| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    }

    /// The least that is known of any byte in a range.
    fn trust_of(&self, at: usize, n: usize) -> Trust {
        self.trust[at..at + n].iter().copied().max().unwrap_or(Trust::Known)
    }

    /// Compares what is there with the model: the number of bytes that were, or the first wrong one.
    ///
    /// # Errors
    /// Offset, found byte and expected byte.
    pub fn compare(&self, at: usize, found: &[u8]) -> Result<u64, (usize, u8, u8)> {
        let mut n = 0;
        for (i, found) in found.iter().enumerate() {
            if self.trust[at + i] == Trust::Known {
                n += 1;
                if *found != self.bytes[at + i] {
                    return Err((at + i, *found, self.bytes[at + i]));
                }
            }
        }
        Ok(n)
    }

    /// Sets bytes that differ from run to run to zero, for a digest.
    pub fn mask(&self, at: usize, found: &mut [u8]) {
        for (byte, _) in found.iter_mut().zip(&self.trust[at..]).filter(|(_, t)| **t == Trust::Any) {
            *byte = 0;
        }
    }
}

/// A range of an allocation, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Which.
    pub memory: usize,
    /// First byte.
    pub at: usize,
    /// Bytes.
    pub size: usize,
}

impl Range {
    /// Whether both have a byte in common.
    pub fn overlaps(&self, other: &Range) -> bool {
        self.memory == other.memory && self.at < other.at + other.size && other.at < self.at + self.size
    }
}

/// What a dispatch reads and writes.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// The shader.
    pub kernel: Kernel,
    /// Its push constants.
    pub push: [u32; 4],
    /// Workgroups; `Err` says where three words hold them.
    pub groups: Result<u32, Range>,
    /// What is bound to its storage buffers: written, then read.
    pub buffers: [Option<Range>; 3],
    /// What is bound to its uniform buffer, or the bytes of an inline uniform block.
    pub uniform: Result<Option<Range>, Vec<u8>>,
    /// What is bound to its texel buffer, or the buffer behind its address.
    pub texels: Option<Range>,
}

/// What a command does to memory.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Repeats a word.
    Fill(Range, u32),
    /// Sets bytes.
    Update(Range, Vec<u8>),
    /// Copies the bytes of the second range to the first.
    Copy(Range, Range),
    /// Writes what is not followed.
    Doubt(Range, Trust),
    /// Runs a kernel.
    Dispatch(Box<Dispatch>),
    /// What follows happens if the word is not zero (is zero).
    Condition(Range, bool),
    /// What follows happens.
    Always,
}

/// Applies effects in order.
///
/// # Errors
/// When a condition or a count is not known: the generator asks for such only where they are.
pub fn apply(memory: &mut [Bytes], effects: &[Effect]) -> Result<(), String> {
    let mut active = true;
    for effect in effects {
        match effect {
            Effect::Condition(at, inverted) => {
                let word = memory[at.memory].word(at.at).ok_or("condition that is not known")?;
                active = (word != 0) != *inverted;
            }
            Effect::Always => active = true,
            Effect::Fill(r, word) => {
                let bytes = word.to_le_bytes().repeat(r.size / 4);
                memory[r.memory].set(r.at, &bytes);
            }
            Effect::Update(r, bytes) => memory[r.memory].set(r.at, bytes),
            Effect::Copy(to, from) => copy(memory, to, from),
            Effect::Doubt(r, trust) => memory[r.memory].doubt(r.at, r.size, *trust),
            Effect::Dispatch(d) if active => dispatch(memory, d)?,
            Effect::Dispatch(_) => {}
        }
    }
    Ok(())
}

fn copy(memory: &mut [Bytes], to: &Range, from: &Range) {
    let source = &memory[from.memory];
    let bytes = source.bytes[from.at..from.at + from.size].to_vec();
    let trust = source.trust[from.at..from.at + from.size].to_vec();
    let target = &mut memory[to.memory];
    target.bytes[to.at..to.at + to.size].copy_from_slice(&bytes);
    target.trust[to.at..to.at + to.size].copy_from_slice(&trust);
}

fn dispatch(memory: &mut [Bytes], d: &Dispatch) -> Result<(), String> {
    let groups = match d.groups {
        Ok(n) => n,
        Err(at) => {
            let word = |i: usize| memory[at.memory].word(at.at + 4 * i).ok_or("count that is not known");
            word(0)?.saturating_mul(word(1)?).saturating_mul(word(2)?)
        }
    };
    let words = |r: &Option<Range>| match r {
        None => Words::default(),
        Some(r) => {
            let of = &memory[r.memory];
            Words { trust: of.trust_of(r.at, r.size), ..Words::of(&of.bytes[r.at..r.at + r.size]) }
        }
    };
    let mut buffers = d.buffers.each_ref().map(words);
    let uniform = match &d.uniform {
        Ok(range) => words(range),
        Err(bytes) => Words::of(bytes),
    };
    let texels = words(&d.texels);
    d.kernel.run(groups, d.push, &mut buffers, &uniform, &texels);
    let used = d.kernel.reads();
    let others = [&buffers[0], &buffers[1], &buffers[2], &uniform, &texels];
    let trust = others.iter().zip(used).filter(|(_, used)| *used).map(|(w, _)| w.trust).max();
    let Some(out) = &d.buffers[0] else { return Ok(()) };
    let bytes: Vec<u8> = buffers[0].words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let target = &mut memory[out.memory];
    target.bytes[out.at..out.at + bytes.len()].copy_from_slice(&bytes);
    let trust = trust.unwrap_or(Trust::Known);
    if trust != Trust::Known {
        target.doubt(out.at, bytes.len(), trust);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_follow_each_other() {
        let mut m = [Bytes::new(64), Bytes::new(32)];
        let r = |memory, at, size| Range { memory, at, size };
        let list = [
            Effect::Fill(r(0, 0, 16), 0x0403_0201),
            Effect::Copy(r(1, 8, 8), r(0, 4, 8)),
            Effect::Update(r(1, 8, 1), vec![9]),
            Effect::Doubt(r(0, 4, 4), Trust::Same),
            Effect::Copy(r(1, 0, 8), r(0, 0, 8)),
        ];
        apply(&mut m, &list).unwrap();
        assert_eq!(m[1].compare(0, &[1, 2, 3, 4, 7, 7, 7, 7, 9, 2, 3, 4]), Ok(8));
        assert_eq!(m[1].compare(8, &[1]), Err((8, 1, 9)));
        assert_eq!((m[1].word(4), m[1].word(0)), (None, Some(0x0403_0201)));
    }
}
