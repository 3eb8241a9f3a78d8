//! Stage interfaces as words of records and rows.

use quadrille_jit::ir::Interface;

/// Pairs each scalar of an interface with its first word in a record.
pub(crate) fn word_offsets(list: &[Interface]) -> impl Iterator<Item = (u32, &Interface)> {
    list.iter().scan(0, |at, i| {
        let word = *at;
        *at += if i.ty.bytes() == 8 { 2 } else { 1 };
        Some((word, i))
    })
}
