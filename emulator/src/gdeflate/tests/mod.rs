//! Tests of the decoder: pages of another encoder, pages of the encoder in `encoder`, and damaged pages.

mod encoder;

use std::cell::Cell;
use std::ops::Range;
use std::path::Path;

use encoder::{Encoder, Token, meaning};

use super::*;

/// Bytes of a page, and the number of blocks after which the decoder must end.
struct Bytes<'a>(&'a [u8], Cell<u32>);

impl Source for Bytes<'_> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, at: u64, out: &mut [u8]) {
        out.copy_from_slice(&self.0[at as usize..][..out.len()]);
    }

    fn stopped(&self) -> bool {
        self.1.replace(self.1.get() - 1) == 0
    }
}

/// Decodes a page for a destination of `room` bytes.
fn decode(page: &[u8], room: usize) -> (Vec<u8>, Option<Damage>) {
    let mut out = vec![0xa5; room];
    let Decoded { len, damage } = decompress(&Bytes(page, Cell::new(u32::MAX)), &mut out);
    out.truncate(len);
    (out, damage)
}

fn asset(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/assets/gdeflate");
    std::fs::read(folder.join(name)).unwrap()
}

/// A linear congruential generator.
struct Random(u32);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.bits()) * n as u64) >> 32) as usize
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| (self.bits() >> 24) as u8).collect()
    }
}

/// Contents of `page_1.gdeflate` and `page_12.gdeflate`.
fn page() -> Vec<u8> {
    let mut random = Random(1);
    let mut page = random.bytes(1000);
    page.resize(40_000, 7);
    page.extend_from_within(..1000);
    page.extend((0..4000).map(|_| random.bits().leading_zeros() as u8));
    page.resize(64_500, 9);
    page.extend_from_within(..1036);
    page
}

/// Names of the assets, with their contents.
fn assets() -> Vec<(&'static str, Vec<u8>)> {
    let (prose, page) = (asset("prose.txt"), page());
    vec![
        ("prose_0.gdeflate", prose.clone()),
        ("prose_6.gdeflate", prose.clone()),
        ("prose_12.gdeflate", prose.clone()),
        ("short_9.gdeflate", prose[..40].to_vec()),
        ("page_1.gdeflate", page.clone()),
        ("page_12.gdeflate", page),
    ]
}

#[test]
fn pages_of_another_encoder_have_their_contents() {
    for (name, contents) in assets() {
        assert!(contents.len() as u64 <= PAGE_BYTES, "{name}");
        assert!(decode(&asset(name), contents.len()) == (contents, None), "{name}");
    }
}

/// The destination may be larger than the page, and bytes may follow the page.
#[test]
fn a_page_ends_with_its_last_block() {
    let (mut bytes, prose) = (asset("prose_6.gdeflate"), asset("prose.txt"));
    bytes.extend([0xff; 5]);
    assert_eq!(decode(&bytes, prose.len() + 77), (prose, None));
}

#[test]
fn stored_blocks_have_any_length() {
    let mut random = Random(2);
    for len in [0, 1, 31, 32, 33, 100, 65_535] {
        let (a, b) = (random.bytes(len), random.bytes(len.min(65_536 - len)));
        let mut encoder = Encoder::default();
        encoder.stored(false, &a);
        encoder.stored(true, &b);
        let all = [a, b].concat();
        assert!(decode(&encoder.page(), all.len()) == (all, None), "{len}");
    }
}

/// Every length and distance that has symbols of its own, and those beside it.
#[test]
fn lengths_and_distances_are_those_of_the_tables() {
    let around = |n: usize| n.saturating_sub(2)..n + 3;
    let lengths = (0..9).flat_map(|i| around(1 << i)).chain(200..300).chain([65_000]);
    for len in lengths.filter(|len| *len >= 3) {
        round_trip(&[Token::Literal(1), Token::Literal(2), Token::Match { len, distance: 2 }]);
    }
    let mut random = Random(3);
    let bytes: Vec<Token> = random.bytes(65_533).into_iter().map(Token::Literal).collect();
    let distances = (0..16).flat_map(|i| [1 << i, 3 << i]).flat_map(around).filter(|d| *d > 0);
    for distance in distances.filter(|distance| *distance <= bytes.len()) {
        let mut tokens = bytes[bytes.len() - distance..].to_vec();
        tokens.push(Token::Match { len: 3, distance });
        round_trip(&tokens);
    }
}

fn round_trip(tokens: &[Token]) {
    let mut encoder = Encoder::default();
    encoder.fixed(true, tokens);
    let bytes = meaning(tokens);
    assert!(decode(&encoder.page(), bytes.len()) == (bytes, None), "{:?}", tokens.last());
}

/// Random tokens in blocks of both kinds. Matches refer to bytes of other blocks, of matches that still wait, and to
/// their own bytes.
#[test]
fn random_blocks_are_decoded() {
    let mut random = Random(4);
    for _ in 0..200 {
        let (mut encoder, mut all, n) = (Encoder::default(), Vec::new(), 1 + random.below(5));
        for i in 0..n {
            let first = all.len();
            let mut bytes = meaning(&all).len();
            for _ in 0..random.below(150) {
                let is_match = bytes > 0 && random.below(3) > 0;
                all.push(match is_match {
                    true => Token::Match { len: 3 + random.below(40), distance: 1 + random.below(bytes) },
                    false => Token::Literal(random.bits() as u8),
                });
                bytes = meaning(&all).len();
            }
            match random.below(3) {
                0 => encoder.stored(i + 1 == n, &meaning(&all)[meaning(&all[..first]).len()..]),
                _ => encoder.fixed(i + 1 == n, &all[first..]),
            }
        }
        let bytes = meaning(&all);
        assert!(decode(&encoder.page(), bytes.len()) == (bytes, None), "{all:?}");
    }
}

/// A shorter source or destination gives the beginning of the page.
#[test]
fn parts_of_a_page_are_decoded_up_to_their_end() {
    for (name, contents) in assets().into_iter().filter(|(name, _)| !name.starts_with("page")) {
        let bytes = asset(name);
        for end in 0..bytes.len() {
            let (found, damage) = decode(&bytes[..end], contents.len());
            assert!(contents.starts_with(&found), "{name}, {end} bytes");
            match damage {
                None => assert_eq!(found.len(), contents.len(), "{name}, {end} bytes"),
                Some(damage) => assert_eq!(damage, Damage::Truncated, "{name}, {end} bytes"),
            }
        }
        for room in 0..contents.len() {
            let (found, damage) = decode(&bytes, room);
            assert!(contents.starts_with(&found) && found.len() <= room, "{name}, room for {room}");
            assert_eq!(damage, Some(Damage::TooLong), "{name}, room for {room}");
        }
    }
}

/// A page with one block, which `write` continues after its header.
fn block(block_type: u32, write: impl FnOnce(&mut Encoder)) -> Vec<u8> {
    let mut encoder = Encoder::default();
    encoder.header(true, block_type);
    write(&mut encoder);
    encoder.page()
}

/// A dynamic block with 258 code lengths, the least number. The code of code lengths has code words of one bit for these
/// of the symbols 16, 17, 18, 0, 8 and so on; `write` writes the code lengths.
fn dynamic(symbols: Range<u32>, write: impl FnOnce(&mut Encoder)) -> Vec<u8> {
    block(2, |e| {
        [(0, 5), (0, 5), (15, 4)].into_iter().for_each(|(value, bits)| e.bits(value, bits));
        e.refill();
        for i in 0..19 {
            e.bits(symbols.contains(&i).into(), 3);
            e.next();
        }
        e.first();
        write(e);
    })
}

#[test]
fn damage_has_its_reason() {
    let damage = |page: &[u8]| decode(page, 1000).1;
    assert_eq!(damage(&[]), Some(Damage::Truncated));
    assert_eq!(damage(&block(3, |_| {})), Some(Damage::BlockType));
    assert_eq!(damage(&block(1, |e| e.fixed_symbol(286))), Some(Damage::Symbol));
    let mut early = Encoder::default();
    early.fixed(true, &[Token::Literal(1), Token::Match { len: 3, distance: 2 }]);
    assert_eq!(damage(&early.page()), Some(Damage::Distance));
    assert_eq!(damage(&dynamic(0..3, |_| {})), Some(Damage::Oversubscribed));
    // Symbol 16 repeats the length before.
    assert_eq!(damage(&dynamic(0..1, |e| e.bits(0, 1))), Some(Damage::Lengths));
    // The code word 1 has no symbol.
    assert_eq!(damage(&dynamic(0..1, |e| e.bits(1, 1))), Some(Damage::Symbol));
}

/// Symbol 18 is a run of at least 11 zeros.
#[test]
fn runs_of_code_lengths_end_with_the_alphabets() {
    let page = |runs: [u32; 2]| {
        dynamic(2..3, |e| {
            for run in runs {
                e.bits(0, 1);
                e.bits(run - 11, 7);
                e.next();
            }
        })
    };
    assert_eq!(decode(&page([138, 121]), 9).1, Some(Damage::Lengths));
    // The lengths are complete, and no code word has a symbol.
    assert_eq!(decode(&page([138, 120]), 9).1, Some(Damage::Symbol));
}

/// Bytes behind a match without a distance do not count as decoded.
#[test]
fn damage_leaves_the_bytes_before_waiting_matches() {
    let page = block(1, |e| {
        for symbol in [1, 257, 2, 286] {
            e.fixed_symbol(symbol);
            e.next();
        }
    });
    assert_eq!(decode(&page, 1000), (vec![1], Some(Damage::Symbol)));
}

/// Zeros are stored blocks without bytes, as many as the source has room for.
#[test]
fn endless_blocks_end_when_the_source_says_so() {
    struct Zeros(Cell<u32>);
    impl Source for Zeros {
        fn len(&self) -> u64 {
            u64::MAX
        }
        fn read(&self, _: u64, out: &mut [u8]) {
            out.fill(0);
        }
        fn stopped(&self) -> bool {
            self.0.replace(self.0.get() + 1) == 1_000_000
        }
    }
    let zeros = Zeros(Cell::new(0));
    let stopped = Decoded { len: 0, damage: Some(Damage::Stopped) };
    assert_eq!(decompress(&zeros, &mut [0; 10]), stopped);
    assert_eq!(zeros.0.get(), 1_000_001);
    assert_eq!(decode(&[0; 1 << 16], 10), (vec![], Some(Damage::Truncated)));
}

/// Changed and random bytes are decoded in bounds, and to the same bytes each time.
#[test]
fn any_bytes_are_decoded_in_bounds() {
    let mut random = Random(5);
    let pages: Vec<_> = assets().iter().map(|(name, contents)| (asset(name), contents.len())).collect();
    for round in 0..3000 {
        let (page, len) = &pages[random.below(pages.len())];
        let mut bytes = page.clone();
        match round % 4 {
            0 => {
                let n = random.below(2000);
                bytes = random.bytes(n);
            }
            // The header and the codes are at the beginning.
            1 => {
                let end = bytes.len().min(140);
                bytes[random.below(end)] ^= 1 << random.below(8);
            }
            _ => (0..1 + random.below(4)).for_each(|_| {
                let at = random.below(bytes.len());
                bytes[at] = random.bits() as u8;
            }),
        }
        let room = random.below(len + 100);
        let found = decode(&bytes, room);
        assert!(found.0.len() <= room && decode(&bytes, room) == found, "round {round}");
    }
}
