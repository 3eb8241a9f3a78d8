//! GDeflate 1.0: decoder of compressed pages, from bytes to bytes.
//!
//! A page holds at most [`PAGE_BYTES`]. Its blocks are those of DEFLATE (RFC 1951) with four differences:
//!
//! * The bits are spread over 32 sub-streams (`substreams`), so that a GPU decodes 32 symbols at once: headers are in
//!   the first sub-stream; code lengths, literals, matches and stored bytes go to one sub-stream after the other.
//! * The distance of a match is in the sub-stream of its length, where it is read instead of the next literal or match:
//!   up to 32 matches wait for their distances. Distances that still wait at the end of a block follow it.
//! * As in DEFLATE64, the last length symbol has 16 extra bits, and distances have 32 symbols, up to 65536 bytes.
//! * The header of a stored block is a length of 16 bits, without alignment and complement.
//!
//! Any bytes are decoded in bounds and in time proportional to their number: damage ends the page, whose bytes before
//! the damage are those of an undamaged page. Code words that a code leaves unused are damage only where they occur.
//!
//! Owns the decoder. Left to `command::decompress`: memory, addresses and threads.
//! Spec: GDeflate of <https://github.com/microsoft/DirectStorage>, of which Vulkan uses the pages without their container.

mod code;
mod substreams;
#[cfg(test)]
mod tests;

use code::{Code, MAX_SYMBOLS};
use substreams::{COUNT, Substreams};

/// Greatest size of a decompressed page, in bytes.
pub(crate) const PAGE_BYTES: u64 = 1 << 16;

/// The compressed bytes of a page.
pub(crate) trait Source {
    /// Number of bytes.
    fn len(&self) -> u64;

    /// Copies the bytes from `at` on to `out`; all of them lie below [`len`](Self::len). Each byte is read once.
    fn read(&self, at: u64, out: &mut [u8]);

    /// `true` once the decoder must end, although the page has not. It asks once per block.
    fn stopped(&self) -> bool;
}

/// Reason why the decoder ends before the page does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// The compressed bytes end within the page.
    Truncated,
    /// The page has more bytes than its destination.
    TooLong,
    /// A block is of no type.
    BlockType,
    /// Code lengths run past the alphabets, or repeat a length before the first one.
    Lengths,
    /// More code words than their lengths allow.
    Oversubscribed,
    /// A code word that the code leaves unused, or a symbol without a meaning.
    Symbol,
    /// A match begins before the page.
    Distance,
    /// [`Source::stopped`] was `true`.
    Stopped,
}

/// Result of decoding a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// Number of bytes of the destination that have been decoded. Bytes behind them are unspecified.
    pub len: usize,
    /// The damage at which decoding has ended, if any.
    pub damage: Option<Damage>,
}

/// Decodes a page to the beginning of `out`.
pub(crate) fn decompress(source: &dyn Source, out: &mut [u8]) -> Decoded {
    let mut page = Page { bits: Substreams::new(source), out, at: 0, waiting: [None; COUNT] };
    let damage = loop {
        match page.block(source) {
            Ok(true) => break None,
            Ok(false) => {}
            Err(damage) => break Some(damage),
        }
    };
    let holes = page.waiting.iter().flatten().map(|found| found.at);
    Decoded { len: holes.fold(page.at, usize::min), damage }
}

/// A match whose distance has not been read.
#[derive(Clone, Copy)]
struct Match {
    /// Offset of its first byte in the page.
    at: usize,
    len: usize,
}

/// A page while it is decoded.
struct Page<'s, 'o> {
    bits: Substreams<'s>,
    out: &'o mut [u8],
    /// Number of bytes that literals and matches occupy so far.
    at: usize,
    /// The match that waits in each sub-stream. The matches get their distances in the order of their bytes, so that
    /// the bytes before a match are known when it is copied.
    waiting: [Option<Match>; COUNT],
}

/// Codes of literals and lengths, and of distances.
struct Codes {
    literals: Code,
    distances: Code,
}

/// Number of symbols of the code of literals and lengths.
const LITERALS: usize = 288;
/// Number of symbols of the code of distances.
const DISTANCES: usize = 32;
/// The symbol that ends a block.
const END_OF_BLOCK: u16 = 256;
/// Order in which a block has the lengths of the code words for code lengths. Spec: RFC 1951, 3.2.7.
const LENGTH_ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

impl Page<'_, '_> {
    /// Decodes a block. Returns `true` if it is the last one.
    fn block(&mut self, source: &dyn Source) -> Result<bool, Damage> {
        if source.stopped() {
            return Err(Damage::Stopped);
        }
        self.bits.first();
        let last = self.bits.take(1)? != 0;
        let block_type = self.bits.take(2)?;
        self.bits.refill();
        match block_type {
            0 => self.stored()?,
            1 => self.compressed(&Codes::fixed()?)?,
            2 => {
                let codes = self.codes()?;
                self.compressed(&codes)?;
            }
            _ => return Err(Damage::BlockType),
        }
        Ok(last)
    }

    fn stored(&mut self) -> Result<(), Damage> {
        let len = self.bits.take(16)?;
        self.bits.refill();
        for _ in 0..len {
            let byte = self.bits.take(8)?;
            self.literal(byte as u8)?;
            self.bits.next();
        }
        Ok(())
    }

    /// Reads the codes of a dynamic block. Spec: RFC 1951, 3.2.7.
    fn codes(&mut self) -> Result<Codes, Damage> {
        let literals = self.bits.take(5)? as usize + 257;
        let distances = self.bits.take(5)? as usize + 1;
        let given = self.bits.take(4)? as usize + 4;
        self.bits.refill();
        let mut lengths = [0; LENGTH_ORDER.len()];
        for &symbol in &LENGTH_ORDER[..given] {
            lengths[symbol] = self.bits.take(3)? as u8;
            self.bits.next();
        }
        let code = Code::new(&lengths)?;
        self.bits.first();
        let (mut all, mut n) = ([0; LITERALS + DISTANCES], 0);
        let all = &mut all[..literals + distances];
        while n < all.len() {
            let (length, repeat) = match self.bits.symbol(&code)? {
                16 => (*all[..n].last().ok_or(Damage::Lengths)?, 3 + self.bits.take(2)?),
                17 => (0, 3 + self.bits.take(3)?),
                18 => (0, 11 + self.bits.take(7)?),
                length => (length as u8, 1),
            };
            let end = n + repeat as usize;
            all.get_mut(n..end).ok_or(Damage::Lengths)?.fill(length);
            n = end;
            self.bits.next();
        }
        let (literals, distances) = all.split_at(literals);
        Ok(Codes { literals: Code::new(literals)?, distances: Code::new(distances)? })
    }

    /// Decodes literals and matches.
    fn compressed(&mut self, codes: &Codes) -> Result<(), Damage> {
        self.bits.first();
        loop {
            if !self.waits(codes)? {
                match self.bits.symbol(&codes.literals)? {
                    END_OF_BLOCK => break,
                    symbol if symbol < END_OF_BLOCK => self.literal(symbol as u8)?,
                    symbol => self.found(symbol)?,
                }
            }
            self.bits.next();
        }
        for _ in 0..COUNT {
            self.waits(codes)?;
            self.bits.next();
        }
        Ok(())
    }

    fn literal(&mut self, byte: u8) -> Result<(), Damage> {
        *self.out.get_mut(self.at).ok_or(Damage::TooLong)? = byte;
        self.at += 1;
        Ok(())
    }

    /// Reads the length of a match, which waits for its distance.
    fn found(&mut self, symbol: u16) -> Result<(), Damage> {
        let (base, extra) = length(symbol).ok_or(Damage::Symbol)?;
        let len = base + self.bits.take(extra)? as usize;
        let room = self.out.len() - self.at;
        if len > room {
            return Err(Damage::TooLong);
        }
        self.waiting[self.bits.current()] = Some(Match { at: self.at, len });
        self.at += len;
        Ok(())
    }

    /// Copies the match that waits in the current sub-stream. Returns `false` if none does.
    fn waits(&mut self, codes: &Codes) -> Result<bool, Damage> {
        let current = self.bits.current();
        let Some(Match { at, len }) = self.waiting[current] else { return Ok(false) };
        let (base, extra) = distance(self.bits.symbol(&codes.distances)?);
        let from = at.checked_sub(base + self.bits.take(extra)? as usize).ok_or(Damage::Distance)?;
        if from + len <= at {
            self.out.copy_within(from..from + len, at);
        } else {
            // A match may repeat its own first bytes.
            (0..len).for_each(|i| self.out[at + i] = self.out[from + i]);
        }
        self.waiting[current] = None;
        Ok(true)
    }
}

impl Codes {
    /// Codes of a block with fixed codes. Spec: RFC 1951, 3.2.6.
    fn fixed() -> Result<Codes, Damage> {
        let mut lengths = [8; LITERALS];
        lengths[144..256].fill(9);
        lengths[256..280].fill(7);
        Ok(Codes { literals: Code::new(&lengths)?, distances: Code::new(&[5; DISTANCES])? })
    }
}

/// Least length that a symbol above [`END_OF_BLOCK`] stands for, and its number of extra bits. `None` for symbols that
/// occur in no page. Spec: RFC 1951, 3.2.5.
fn length(symbol: u16) -> Option<(usize, u32)> {
    let number = symbol.checked_sub(END_OF_BLOCK + 1)?;
    match number {
        0..8 => Some((3 + usize::from(number), 0)),
        // Four symbols for each number of extra bits.
        8..28 => {
            let extra = u32::from(number) / 4 - 1;
            Some((3 + ((4 + usize::from(number) % 4) << extra), extra))
        }
        28 => Some((3, 16)),
        _ => None,
    }
}

/// Least distance that a symbol stands for, and its number of extra bits. Spec: RFC 1951, 3.2.5.
fn distance(symbol: u16) -> (usize, u32) {
    match symbol {
        0..4 => (1 + usize::from(symbol), 0),
        // Two symbols for each number of extra bits.
        _ => {
            let extra = u32::from(symbol) / 2 - 1;
            (1 + ((2 + usize::from(symbol) % 2) << extra), extra)
        }
    }
}

const _: () = assert!(LITERALS <= MAX_SYMBOLS && DISTANCES <= MAX_SYMBOLS);
