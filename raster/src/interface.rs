//! Interfaces of stages as words of records and rows.

use quadrille_jit::ir::Interface;

/// Words before each scalar of an interface.
pub(crate) fn word_offsets(list: &[Interface]) -> impl Iterator<Item = (u32, &Interface)> {
    list.iter().scan(0, |at, i| {
        let word = *at;
        *at += if i.ty.bytes() == 8 { 2 } else { 1 };
        Some((word, i))
    })
}
