//! Instructions of SPIR-V as text.

use quadrille_jit::spirv::asm;

/// Words before the first instruction.
const HEADER: u32 = 5;

/// The instruction that begins at a word.
pub fn instruction(words: &[u32], word: u32) -> Option<String> {
    listing(words)?.into_iter().find(|(at, _)| *at == word).map(|(_, text)| text)
}

/// All instructions: the word that each begins at, and its text.
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
