//! Size of a SPIR-V module for its share of memory and CPU time.
//!
//! A vector has up to 1,024 components, so an instruction of 20 bytes can be as much work as 20 KiB of instructions on
//! scalars. [`of`] counts both alike. [`crate::cost`] owns the shares.

use std::collections::HashMap;

use quadrille_jit::spirv::grammar;
use rspirv::grammar::OperandKind;
use rspirv::spirv::Op;

/// Components of types and of values, and constants, by id.
#[derive(Default)]
struct Ids {
    components: HashMap<u32, usize>,
    /// Components of what pointer types and pointers point to.
    pointees: HashMap<u32, usize>,
    constants: HashMap<u32, usize>,
}

impl Ids {
    /// Components of what the operands of OpCopyMemory point to.
    fn copied(&self, pointers: &[u32]) -> usize {
        pointers.iter().filter_map(|id| self.pointees.get(id)).copied().max().unwrap_or(1)
    }

    fn components(&self, id: u32) -> usize {
        self.components.get(&id).copied().unwrap_or(1)
    }

    /// Number of components of a type.
    fn of_type(&self, op: u32, words: &[u32]) -> Option<usize> {
        let is = |other: Op| op == other as u32;
        let (&first, rest) = words.get(2..)?.split_first()?;
        let constant = |id: &u32| self.constants.get(id).copied().unwrap_or(1);
        let times = if is(Op::TypeVector) || is(Op::TypeMatrix) {
            *rest.first()? as usize
        } else if is(Op::TypeVectorIdEXT) || is(Op::TypeArray) {
            constant(rest.first()?)
        } else if is(Op::TypeStruct) {
            return Some(
                words[2..].iter().fold(0, |sum: usize, id| sum.saturating_add(self.components(*id))),
            );
        } else {
            return None;
        };
        Some(self.components(first).saturating_mul(times))
    }
}

/// Returns the size of a module in bytes, with each instruction in a function as many times as its widest operand or
/// result, or what it copies, has components. Words that form no module count as they are.
pub fn of(words: &[u32]) -> usize {
    let mut ids = Ids::default();
    let (mut bytes, mut at, mut in_function) = (words.len().min(5) * 4, 5, false);
    while let Some(&head) = words.get(at) {
        let (op, n) = (head & 0xffff, (head >> 16).max(1) as usize);
        let instruction = &words[at..words.len().min(at + n)];
        in_function |= op == Op::Function as u32;
        let widest = widest(&mut ids, op, instruction);
        let times = if in_function { widest } else { 1 };
        bytes = bytes.saturating_add((instruction.len() * 4).saturating_mul(times));
        at += n;
    }
    bytes
}

/// Enters the result of an instruction into the table. Returns the number of components of its widest operand or result.
fn widest(ids: &mut Ids, op: u32, words: &[u32]) -> usize {
    if let (true, Some(&id)) = (op == Op::Constant as u32, words.get(2)) {
        ids.constants.insert(id, words.get(3).map_or(1, |&value| value as usize));
    }
    if let (Some(components), Some(&id)) = (ids.of_type(op, words), words.get(1)) {
        ids.components.insert(id, components);
        return 1;
    }
    if let (true, &[_, id, _, pointee, ..]) = (op == Op::TypePointer as u32, words) {
        ids.pointees.insert(id, ids.components(pointee));
    }
    let copied = if op == Op::CopyMemory as u32 { ids.copied(&words[1..words.len().min(3)]) } else { 1 };
    let (mut widest, mut result_type) = (copied, None);
    let kinds = grammar::instruction(op).map_or(&[][..], |row| row.operands);
    for (operand, &word) in kinds.iter().zip(words.iter().skip(1)) {
        match operand.kind {
            OperandKind::IdResultType => result_type = Some(word),
            OperandKind::IdResult => {
                let components = result_type.map_or(1, |ty| ids.components(ty));
                ids.components.insert(word, components);
                if let Some(&pointee) = result_type.and_then(|ty| ids.pointees.get(&ty)) {
                    ids.pointees.insert(word, pointee);
                }
            }
            OperandKind::IdRef => {}
            // Numbers, not ids.
            _ => break,
        }
        widest = widest.max(ids.components(word));
    }
    widest
}

#[cfg(test)]
mod tests {
    use quadrille_jit::spirv::asm::assemble;

    use super::of;

    fn module(vector: &str, body: &str) -> Vec<u32> {
        let text = format!(
            "OpCapability Shader\nOpCapability LongVectorEXT\n%u = OpTypeInt 32 0\n%n = OpConstant %u 100\n\
             %v = {vector}\n%a = OpTypeArray %v %n\n%x = OpUndef %v\n%y = OpUndef %a\n%void = OpTypeVoid\n\
             %p = OpTypePointer Private %a\n%q = OpVariable %p Private\n\
             %f = OpTypeFunction %void\n%main = OpFunction %void None %f\n%l = OpLabel\n{body}\nOpReturn\nOpFunctionEnd\n"
        );
        assemble(&text).unwrap()
    }

    #[test]
    fn instructions_on_vectors_count_by_component() {
        let more = |vector, body| of(&module(vector, body)) - of(&module(vector, ""));
        let (short, long) = ("OpTypeVector %u 4", "OpTypeVectorIdEXT %u %n");
        // Five words, for each component.
        assert_eq!(more(short, "%z = OpIAdd %v %x %x"), 5 * 4 * 4);
        assert_eq!(more(long, "%z = OpIAdd %v %x %x"), 5 * 4 * 100);
        // A scalar from a vector: five words, one of them a number.
        assert_eq!(more(long, "%z = OpCompositeExtract %u %x 2"), 5 * 4 * 100);
        assert_eq!(more(long, "%z = OpCopyObject %a %y"), 4 * 4 * 100 * 100);
        // An array through two pointers: three words.
        assert_eq!(more(short, "OpCopyMemory %q %q"), 3 * 4 * 4 * 100);
    }

    #[test]
    fn words_of_no_module_count_as_they_are() {
        let empty = module("OpTypeVector %u 4", "");
        assert_eq!(of(&empty), empty.len() * 4);
        for end in 0..empty.len() {
            assert_eq!(of(&empty[..end]), end * 4);
        }
        assert_eq!(of(&[0; 100]), 400);
        assert_eq!(of(&[u32::MAX; 100]), 400);
    }
}
