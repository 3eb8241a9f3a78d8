//! Prefix codes: symbols of code words, by the lengths of the code words. Spec: RFC 1951, 3.2.2.

use super::Damage;

/// Greatest number of symbols of a code.
pub(super) const MAX_SYMBOLS: usize = 288;

/// Greatest length of a code word, in bits.
const MAX_LENGTH: usize = 15;

/// Code words of at most this length are found in one step.
const SHORT: usize = 9;

/// A prefix code.
pub(super) struct Code {
    /// Symbol and length of the code word that the index begins with, first bit lowest: `symbol << 4 | length`. 0 if
    /// the code word is longer than [`SHORT`], or unused.
    short: [u16; 1 << SHORT],
    /// Number of code words of each length.
    counts: [u16; MAX_LENGTH + 1],
    /// Symbols in the order of their code words: by length, then by number.
    symbols: [u16; MAX_SYMBOLS],
}

impl Code {
    /// Makes the code with a code word of `lengths[i]` bits, at most 15, for symbol `i`; 0 for a symbol without a code
    /// word. Code words may remain unused.
    pub fn new(lengths: &[u8]) -> Result<Code, Damage> {
        let mut code =
            Code { short: [0; 1 << SHORT], counts: [0; MAX_LENGTH + 1], symbols: [0; MAX_SYMBOLS] };
        for &length in lengths.iter().filter(|length| **length != 0) {
            code.counts[usize::from(length)] += 1;
        }
        // Next code word, and next place in `symbols`, for each length.
        let (mut next, mut places) = ([0u32; MAX_LENGTH + 1], [0u16; MAX_LENGTH + 1]);
        for length in 1..=MAX_LENGTH {
            next[length] = (next[length - 1] + u32::from(code.counts[length - 1])) << 1;
            places[length] = places[length - 1] + code.counts[length - 1];
            if next[length] + u32::from(code.counts[length]) > 1 << length {
                return Err(Damage::Oversubscribed);
            }
        }
        for (symbol, &length) in (0u16..).zip(lengths).filter(|(_, length)| **length != 0) {
            let length = usize::from(length);
            code.symbols[usize::from(places[length])] = symbol;
            places[length] += 1;
            let word = next[length];
            next[length] += 1;
            if length <= SHORT {
                let first = (word.reverse_bits() >> (32 - length)) as usize;
                let entries = code.short[first..].iter_mut().step_by(1 << length);
                entries.for_each(|entry| *entry = symbol << 4 | length as u16);
            }
        }
        Ok(code)
    }

    /// Returns the symbol of the code word that `bits` begin with, first bit lowest, and the length of the code word.
    pub fn find(&self, bits: u32) -> Option<(u16, u32)> {
        match self.short[bits as usize % self.short.len()] {
            0 => self.find_long(bits),
            entry => Some((entry >> 4, u32::from(entry & 15))),
        }
    }

    /// Like [`find`](Self::find), bit by bit. The code words of a length follow each other; the first of them follows
    /// the last one of the length before, with a 0 behind it.
    fn find_long(&self, bits: u32) -> Option<(u16, u32)> {
        let (mut word, mut first, mut place) = (0u32, 0u32, 0u32);
        for length in 1..=MAX_LENGTH {
            word = word << 1 | bits >> (length - 1) & 1;
            first <<= 1;
            let count = u32::from(self.counts[length]);
            // `word` is not below `first`: the shorter code words before `first` have been excluded.
            if word - first < count {
                return Some((self.symbols[(place + word - first) as usize], length as u32));
            }
            first += count;
            place += count;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 1951, 3.2.2: lengths (3, 3, 3, 3, 3, 2, 4, 4) give these code words.
    #[test]
    fn words_are_those_of_the_example() {
        let code = Code::new(&[3, 3, 3, 3, 3, 2, 4, 4]).unwrap();
        let words = ["010", "011", "100", "101", "110", "00", "1110", "1111"];
        for (symbol, word) in (0..).zip(words) {
            let bits = word.chars().rev().fold(0, |bits, c| bits << 1 | u32::from(c == '1'));
            let found = Some((symbol, word.len() as u32));
            assert_eq!((code.find(bits), code.find_long(bits)), (found, found), "{word}");
        }
    }

    /// Code words of all lengths up to 15, short and long: both ways agree on all bits.
    #[test]
    fn short_words_are_found_either_way() {
        let lengths: Vec<u8> = (1..=15).chain([15]).collect();
        let code = Code::new(&lengths).unwrap();
        for bits in 0u32..1 << 15 {
            let ones = (!bits).trailing_zeros().min(15);
            let found = Some((ones as u16, (ones + 1).min(15)));
            assert_eq!((code.find(bits), code.find_long(bits)), (found, found), "{bits:#b}");
        }
    }

    #[test]
    fn unused_words_have_no_symbol_and_too_many_words_no_code() {
        let code = Code::new(&[0, 1]).unwrap();
        assert_eq!((code.find(0), code.find(1)), (Some((1, 1)), None));
        assert_eq!(Code::new(&[]).unwrap().find(0), None);
        assert!(matches!(Code::new(&[1, 1, 1]), Err(Damage::Oversubscribed)));
        assert!(matches!(Code::new(&[1, 2, 2, 15]), Err(Damage::Oversubscribed)));
    }
}
