//! SPIR-V instructions as text, which serve as the source of modules without source information.

use std::sync::Arc;

use super::asm;
use crate::ir::debug::{Debug, File};

/// Number of words before the first instruction.
const HEADER: u32 = 5;

/// Returns the text of the instruction that begins at a word.
pub fn instruction(words: &[u32], word: u32) -> Option<String> {
    listing(words)?.into_iter().find(|(at, _)| *at == word).map(|(_, text)| text)
}

/// Returns all instructions: the word at which each begins, and its text.
pub fn listing(words: &[u32]) -> Option<Vec<(u32, String)>> {
    let text = asm::disassemble(words).ok()?;
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with(';'));
    let (mut at, mut out) = (HEADER, Vec::new());
    while let Some(&first) = words.get(at as usize) {
        out.push((at, lines.next()?.to_owned()));
        at += (first >> 16).max(1);
    }
    Some(out)
}

/// Returns debug information with lines. If no place has a line, the instructions become the source, one per line, with
/// this name.
pub fn with_lines(debug: &Arc<Debug>, name: impl FnOnce() -> String) -> Arc<Debug> {
    if debug.places.iter().any(|p| p.line != 0) {
        return debug.clone();
    }
    let Some(listing) = listing(&debug.words) else { return debug.clone() };
    let mut lined = Debug::clone(debug);
    for place in lined.places.iter_mut().skip(1) {
        let number = listing.binary_search_by_key(&place.word, |(at, _)| *at);
        (place.file, place.line) = (lined.files.len() as u32, number.map_or(0, |i| i as u32 + 1));
    }
    let text = listing.into_iter().map(|(_, text)| text + "\n").collect();
    lined.files.push(File { name: name(), text });
    Arc::new(lined)
}
