//! An encoder of stored blocks and of blocks with fixed codes, from the description of the format: what a decoder reads
//! is written down symbol by symbol, and the words of the sub-streams are put in the order in which a decoder needs them.

/// A symbol of a compressed block, or two.
#[derive(Clone, Copy, Debug)]
pub enum Token {
    Literal(u8),
    Match { len: usize, distance: usize },
}

/// Least length and number of extra bits of the symbols from 257 on. Spec: RFC 1951, 3.2.5; the last one as in DEFLATE64.
const LENGTHS: [(usize, u32); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (3, 16),
];

/// Least distance and number of extra bits of each symbol. Spec: RFC 1951, 3.2.5; the last two as in DEFLATE64.
const DISTANCES: [(usize, u32); 32] = [
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 1),
    (7, 1),
    (9, 2),
    (13, 2),
    (17, 3),
    (25, 3),
    (33, 4),
    (49, 4),
    (65, 5),
    (97, 5),
    (129, 6),
    (193, 6),
    (257, 7),
    (385, 7),
    (513, 8),
    (769, 8),
    (1025, 9),
    (1537, 9),
    (2049, 10),
    (3073, 10),
    (4097, 11),
    (6145, 11),
    (8193, 12),
    (12289, 12),
    (16385, 13),
    (24577, 13),
    (32769, 14),
    (49153, 14),
];

/// Returns a symbol that stands for `value`, its number of extra bits, and the value of the extra bits.
fn symbol(table: &[(usize, u32)], value: usize) -> (u32, u32, u32) {
    let fits = |(base, extra): &(usize, u32)| value >= *base && value - base < 1 << extra;
    let number = table.iter().position(fits).expect("the value has a symbol");
    let (base, extra) = table[number];
    (number as u32, extra, (value - base) as u32)
}

/// A step of the decoder.
enum Step {
    /// Uses bits of a sub-stream.
    Use(usize, u32),
    /// Refills a sub-stream that has fewer than 32 bits.
    Refill(usize),
}

/// Encoder of a page.
#[derive(Default)]
pub struct Encoder {
    /// All bits of each sub-stream.
    bits: [Vec<bool>; 32],
    steps: Vec<Step>,
    current: usize,
}

impl Encoder {
    /// Writes the lowest `n` bits of `value`, lowest first.
    pub fn bits(&mut self, value: u32, n: u32) {
        self.bits[self.current].extend((0..n).map(|i| value >> i & 1 != 0));
        self.steps.push(Step::Use(self.current, n));
    }

    /// Writes a code word of `n` bits, highest first.
    fn word(&mut self, word: u32, n: u32) {
        self.bits(word.reverse_bits() >> (32 - n), n);
    }

    /// Marks a place where a decoder refills the sub-stream.
    pub fn refill(&mut self) {
        self.steps.push(Step::Refill(self.current));
    }

    /// Continues with the next sub-stream.
    pub fn next(&mut self) {
        self.refill();
        self.current = (self.current + 1) % 32;
    }

    /// Continues with the first sub-stream.
    pub fn first(&mut self) {
        self.current = 0;
    }

    /// Begins a block.
    pub fn header(&mut self, last: bool, block_type: u32) {
        self.first();
        self.bits(last.into(), 1);
        self.bits(block_type, 2);
        self.refill();
    }

    /// Writes a stored block.
    pub fn stored(&mut self, last: bool, bytes: &[u8]) {
        self.header(last, 0);
        self.bits(u32::from(u16::try_from(bytes.len()).expect("a stored block")), 16);
        self.refill();
        for byte in bytes {
            self.bits((*byte).into(), 8);
            self.next();
        }
    }

    /// Writes a symbol of literals and lengths. Spec: RFC 1951, 3.2.6.
    pub fn fixed_symbol(&mut self, symbol: u32) {
        match symbol {
            0..144 => self.word(0b0011_0000 + symbol, 8),
            144..256 => self.word(0b1_1001_0000 + symbol - 144, 9),
            256..280 => self.word(symbol - 256, 7),
            _ => self.word(0b1100_0000 + symbol - 280, 8),
        }
    }

    /// Writes a block with fixed codes.
    pub fn fixed(&mut self, last: bool, tokens: &[Token]) {
        self.header(last, 1);
        let (mut tokens, mut waiting) = (tokens.iter(), [None; 32]);
        let mut rest = None;
        // Until 32 sub-streams have had their turn after the one with the end of the block.
        while rest != Some(0) {
            if let Some(distance) = waiting[self.current].take() {
                let (number, extra, value) = symbol(&DISTANCES, distance);
                self.word(number, 5);
                self.bits(value, extra);
            } else if rest.is_none() {
                match tokens.next() {
                    Some(Token::Literal(byte)) => self.fixed_symbol((*byte).into()),
                    Some(Token::Match { len, distance }) => {
                        let (number, extra, value) = symbol(&LENGTHS, *len);
                        self.fixed_symbol(257 + number);
                        self.bits(value, extra);
                        waiting[self.current] = Some(*distance);
                    }
                    None => {
                        self.fixed_symbol(256);
                        rest = Some(32);
                    }
                }
            }
            self.next();
            rest = rest.map(|rest: u32| rest - 1);
        }
    }

    /// Returns the page.
    pub fn page(self) -> Vec<u8> {
        let (mut out, mut given, mut left) = (Vec::new(), [0; 32], [0; 32]);
        let first = (0..32).map(Step::Refill);
        for step in first.chain(self.steps) {
            match step {
                Step::Use(of, n) => left[of] -= n,
                Step::Refill(of) if left[of] < 32 => {
                    let bits = (0..32).filter(|i| self.bits[of].get(given[of] + i) == Some(&true));
                    let word: u32 = bits.map(|i| 1 << i).sum();
                    out.extend(word.to_le_bytes());
                    (given[of], left[of]) = (given[of] + 32, left[of] + 32);
                }
                Step::Refill(_) => {}
            }
        }
        out
    }
}

/// Bytes that tokens stand for.
pub fn meaning(tokens: &[Token]) -> Vec<u8> {
    let mut out = Vec::new();
    for token in tokens {
        match token {
            Token::Literal(byte) => out.push(*byte),
            Token::Match { len, distance } => (0..*len).for_each(|_| out.push(out[out.len() - distance])),
        }
    }
    out
}
