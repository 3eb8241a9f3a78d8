//! Expected contents of device memory: an array of bytes for each allocation, and the effects of commands on it.
//!
//! Effects apply in the order of submission. Each byte has a [`Trust`]: bytes that the model does not track are the
//! same in every run (pixels, results of queries) or may differ (times).

use super::kernels::{Kernel, Words};
use super::structures::{Change, RAYS, Structures, Trace};
pub use super::trust::Trust;

/// Expected bytes of an allocation.
#[derive(Clone, Debug)]
pub struct Bytes {
    bytes: Vec<u8>,
    trust: Vec<Trust>,
}

impl Bytes {
    /// Returns `size` zero bytes.
    pub fn new(size: usize) -> Bytes {
        Bytes { bytes: vec![0; size], trust: vec![Trust::Known; size] }
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns `true` if the allocation has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Sets bytes.
    pub fn set(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self.trust[at..at + bytes.len()].fill(Trust::Known);
    }

    /// Lowers the trust of a range to at most `trust`.
    pub fn doubt(&mut self, at: usize, n: usize, trust: Trust) {
        self.trust[at..at + n].fill(trust);
    }

    /// Returns a word if all its bytes are known.
    pub fn word(&self, at: usize) -> Option<u32> {
        let known = self.trust.get(at..at + 4)?.iter().all(|t| *t == Trust::Known);
        let word = self.bytes.get(at..at + 4)?;
        known.then(|| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    }

    /// Returns the lowest trust of the bytes in a range.
    fn trust_of(&self, at: usize, n: usize) -> Trust {
        self.trust[at..at + n].iter().copied().max().unwrap_or(Trust::Known)
    }

    /// Compares found bytes with the model, and returns the number of bytes compared.
    ///
    /// # Errors
    /// Offset, found byte and expected byte of the first mismatch.
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

    /// Zeroes bytes that differ from run to run, before a digest.
    pub fn mask(&self, at: usize, found: &mut [u8]) {
        for (byte, _) in found.iter_mut().zip(&self.trust[at..]).filter(|(_, t)| **t == Trust::Any) {
            *byte = 0;
        }
    }
}

/// A range of bytes in an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Index of the allocation.
    pub memory: usize,
    /// Offset of the first byte.
    pub at: usize,
    /// Size in bytes.
    pub size: usize,
}

impl Range {
    /// Returns `true` if both ranges have a byte in common.
    pub fn overlaps(&self, other: &Range) -> bool {
        self.memory == other.memory && self.at < other.at + other.size && other.at < self.at + self.size
    }
}

/// A dispatch with everything that it reads and writes.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// The shader.
    pub kernel: Kernel,
    /// Its push constants.
    pub push: [u32; 4],
    /// Number of workgroups; `Err` is the range of the three words that hold the counts.
    pub groups: Result<u32, Range>,
    /// Ranges bound to the storage buffers: the first is written, the others are read.
    pub buffers: [Option<Range>; 3],
    /// Range bound to the uniform buffer, or the bytes of an inline uniform block.
    pub uniform: Result<Option<Range>, Vec<u8>>,
    /// Range bound to the texel buffer, or the buffer that the address refers to.
    pub texels: Option<Range>,
}

/// Effect of a command on memory.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Repeats a word.
    Fill(Range, u32),
    /// Sets bytes.
    Update(Range, Vec<u8>),
    /// Copies the bytes of the second range to the first.
    Copy(Range, Range),
    /// Writes contents that the model does not track, with the trust that remains.
    Doubt(Range, Trust),
    /// Runs a kernel.
    Dispatch(Box<Dispatch>),
    /// Starts a condition: later dispatches run only if the word is not zero, or, with `true`, only if it is zero.
    Condition(Range, bool),
    /// Ends the condition.
    Always,
    /// Builds or copies an acceleration structure.
    Structure(Change),
    /// Traces rays, which write the words of a range.
    Trace(Trace, Range),
}

/// Applies effects in order.
///
/// # Errors
/// A condition or a count in memory is not known. The generator uses only known ones.
pub fn apply(memory: &mut [Bytes], structures: &mut Structures, effects: &[Effect]) -> Result<(), String> {
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
            Effect::Structure(change) => structures.apply(change),
            Effect::Trace(trace, range) => {
                structures.freshen();
                let words = (0..RAYS.min(range.size as u32 / 4)).map(|ray| structures.word(trace, ray));
                let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
                memory[range.memory].set(range.at, &bytes);
            }
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
        apply(&mut m, &mut Structures::default(), &list).unwrap();
        assert_eq!(m[1].compare(0, &[1, 2, 3, 4, 7, 7, 7, 7, 9, 2, 3, 4]), Ok(8));
        assert_eq!(m[1].compare(8, &[1]), Err((8, 1, 9)));
        assert_eq!((m[1].word(4), m[1].word(0)), (None, Some(0x0403_0201)));
    }
}
