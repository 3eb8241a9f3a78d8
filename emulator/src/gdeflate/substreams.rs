//! Sub-streams: the bits of a page, in 32 queues.
//!
//! The page begins with a word of 32 bits for each sub-stream. Each later word belongs to the sub-stream that is the next to
//! have fewer than 32 bits when it has been used. Spec: GDeflate, "GDeflate stream serialization".

use super::code::Code;
use super::{Damage, Source};

/// Number of sub-streams.
pub(super) const COUNT: usize = 32;

/// Number of bytes that are read from the source at once; a multiple of the size of a word.
const CHUNK: usize = 1024;

/// The sub-streams of a page. One of them is the current one.
pub(super) struct Substreams<'s> {
    source: &'s dyn Source,
    /// Offset of the chunk's end in the source.
    read: u64,
    chunk: [u8; CHUNK],
    /// Number of bytes in the chunk, and the number of those that have been used.
    held: usize,
    used: usize,
    /// Bits of each sub-stream, first bit lowest; 0 behind its last bit.
    bits: [u64; COUNT],
    /// Number of bits of each sub-stream. Fewer than 32 after a refill only at the end of the source.
    left: [u32; COUNT],
    current: usize,
}

impl<'s> Substreams<'s> {
    /// Begins a page with its first sub-stream.
    pub fn new(source: &'s dyn Source) -> Self {
        let mut all = Substreams {
            source,
            read: 0,
            chunk: [0; CHUNK],
            held: 0,
            used: 0,
            bits: [0; COUNT],
            left: [0; COUNT],
            current: 0,
        };
        (0..COUNT).for_each(|_| all.next());
        all
    }

    /// Number of the current sub-stream.
    pub fn current(&self) -> usize {
        self.current
    }

    /// Makes the first sub-stream the current one.
    pub fn first(&mut self) {
        self.current = 0;
    }

    /// Ends the use of the current sub-stream. The next one, or the first after the last, becomes current.
    pub fn next(&mut self) {
        self.refill();
        self.current = (self.current + 1) % COUNT;
    }

    /// Gives a word to the current sub-stream if it has fewer than 32 bits. Without words in the source, nothing happens.
    pub fn refill(&mut self) {
        let left = self.left[self.current];
        if left < 32 {
            let (word, bits) = self.word();
            self.bits[self.current] |= u64::from(word) << left;
            self.left[self.current] += bits;
        }
    }

    /// Takes the next word from the source, and its number of bits: fewer than 32 at the end.
    fn word(&mut self) -> (u32, u32) {
        if self.used == self.held {
            let rest = self.source.len() - self.read;
            (self.held, self.used) = (rest.min(CHUNK as u64) as usize, 0);
            if self.held > 0 {
                self.source.read(self.read, &mut self.chunk[..self.held]);
                self.read += self.held as u64;
            }
        }
        let end = (self.used + 4).min(self.held);
        let bytes = &self.chunk[self.used..end];
        self.used = end;
        (bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)), 8 * bytes.len() as u32)
    }

    /// Takes `n` bits, at most 16, from the current sub-stream.
    pub fn take(&mut self, n: u32) -> Result<u32, Damage> {
        let bits = self.bits[self.current] as u32 & ((1 << n) - 1);
        self.skip(n)?;
        Ok(bits)
    }

    /// Takes a code word from the current sub-stream, and returns its symbol.
    pub fn symbol(&mut self, code: &Code) -> Result<u16, Damage> {
        let found = code.find(self.bits[self.current] as u32);
        let (symbol, length) = match found {
            Some(found) => found,
            // The 0 bits behind the end are not part of the page.
            None if self.left[self.current] < 15 => return Err(Damage::Truncated),
            None => return Err(Damage::Symbol),
        };
        self.skip(length)?;
        Ok(symbol)
    }

    fn skip(&mut self, n: u32) -> Result<(), Damage> {
        let left = &mut self.left[self.current];
        *left = left.checked_sub(n).ok_or(Damage::Truncated)?;
        self.bits[self.current] >>= n;
        Ok(())
    }
}
