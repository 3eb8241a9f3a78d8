//! Loads at known distances: from one or two vectors, and lane by lane.

use super::{Places, Windows, each_memory, memory};
use crate::ir::Ty;

/// Distances of 32 lanes in bytes: blocks of 34 bytes as of weights, rows, halves of blocks, equal ones, odd ones and far ones.
fn patterns() -> [(&'static str, [u32; 32]); 11] {
    let of = |f: fn(u32) -> u32| std::array::from_fn(|lane| f(lane as u32));
    [
        ("blocks", of(|l| l / 4 * 34 + l % 4 * 8)),
        ("every second word", of(|l| 8 * l)),
        ("backwards", of(|l| 124 - 4 * l)),
        ("halves of blocks", of(|l| l / 8 * 18 + l % 8 * 2)),
        ("two blocks", of(|l| l / 4 * 34)),
        ("odd", of(|l| 3 * l)),
        ("far", of(|l| l % 2 * 600 + 2 * l)),
        ("eight side by side", of(|l| l / 8 * 64 + l % 8 * 4)),
        ("two halves", of(|l| l / 2 % 2 * 2)),
        ("pairs of words", of(|l| l / 8 % 2 * 4)),
        ("unordered", of(|l| (l * 7 + 3) % 32 * 2)),
    ]
}

#[test]
fn places_are_loaded() {
    // None of these halves is a NaN.
    let mem = memory().map(|w| w & 0x3bff_3bff);
    for (ty, bytes) in [(Ty::I32, 4), (Ty::F32, 4), (Ty::I16, 2), (Ty::F16, 2)] {
        for (_, all) in patterns() {
            for margin in [0, 64] {
                each_memory(
                    |l, at| {
                        let apart = &all[..l.lanes() as usize];
                        let most = i64::from(apart.iter().copied().max().unwrap_or(0));
                        let readable = -margin..most + bytes + margin;
                        let from = l.offset(at, 256);
                        let v = l.load_apart(ty, from, &Places { apart, readable });
                        let word = l.to_word(v);
                        let word = l.splat(word);
                        l.store_row(word, at, 1280);
                    },
                    &mem,
                    |lanes, m| {
                        let all_bytes: Vec<u8> = m.iter().flat_map(|w| w.to_le_bytes()).collect();
                        for (lane, &d) in all[..lanes].iter().enumerate() {
                            let at = 256 + d as usize;
                            let word = all_bytes[at..at + bytes as usize].iter().rev();
                            m[320 + lane] = word.fold(0, |w, &b| w << 8 | u32::from(b));
                        }
                    },
                );
            }
        }
    }
}

/// Windows lie within the bytes that are readable, and hold every place.
#[test]
fn windows_stay_within_readable_bytes() {
    let mut found = 0;
    for (name, all) in patterns() {
        for (lanes, bytes, size) in [(8, 4, 32), (8, 2, 32), (16, 4, 64), (16, 2, 64), (4, 4, 32)] {
            let apart = &all[..lanes];
            let end = apart.iter().copied().max().unwrap_or(0) + bytes;
            for readable in [0..end.into(), -8..end.into(), -100..i64::from(end) + 100, 0..i64::from(end) + 6]
            {
                let Some(windows) = Windows::over(apart, &readable, bytes, size) else { continue };
                found += 1;
                let part = windows.size;
                for &start in &windows.starts {
                    assert!(readable.start <= start && start + i64::from(part) <= readable.end, "{name}");
                }
                for (&d, &place) in apart.iter().zip(&windows.order) {
                    let (window, at) = ((place * bytes / part) as usize, i64::from(place * bytes % part));
                    assert_eq!(windows.starts[window] + at, i64::from(d), "{name}: {readable:?}");
                }
            }
        }
    }
    assert!(found > 60, "{found} windows");
    // Three vectors hold these, but not two.
    assert!(Windows::over(&[0, 100, 200, 300], &(0..304), 4, 32).is_none());
    // A vector is longer than what is readable, but half of one is not.
    assert!(Windows::over(&[0, 8, 4, 12], &(0..16), 4, 32).is_none());
    assert!(Windows::over(&[0, 4, 4, 0], &(0..8), 4, 32).is_some_and(|w| w.size == 8));
}
