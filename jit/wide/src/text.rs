//! Disassembly for people: one line per instruction, labels at branch targets, constants at the end.

use std::collections::BTreeSet;
use std::fmt::Write;

use iced_x86::{
    Decoder, DecoderOptions, Formatter, Instruction, Mnemonic, NasmFormatter, OpKind, SymbolResolver,
    SymbolResult,
};

/// Assumed address of the code, so that addresses equal offsets.
const BASE: u64 = 0;

/// Formats addresses as names: labels in code, and data.
struct Names;

fn is_branch(inst: &Instruction) -> bool {
    matches!(inst.op0_kind(), OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64)
}

impl SymbolResolver for Names {
    fn symbol(
        &mut self,
        inst: &Instruction,
        _: u32,
        _: Option<u32>,
        address: u64,
        _: u32,
    ) -> Option<SymbolResult<'_>> {
        let letter = if is_branch(inst) {
            'L'
        } else if inst.is_ip_rel_memory_operand() && inst.ip_rel_memory_address() == address {
            'D'
        } else {
            return None;
        };
        Some(SymbolResult::with_string(address, format!("{letter}{address}")))
    }
}

/// Disassembles a function whose entry is its first byte, from any back end, up to the first return, jump or trap that
/// no branch passes. The rest is printed as data. A jump table directly after an indirect jump is skipped.
pub fn disassemble(bytes: &[u8]) -> String {
    let (list, labels, end) = decode(bytes);
    let mut formatter = NasmFormatter::with_options(Some(Box::new(Names)), None);
    formatter.options_mut().set_rip_relative_addresses(false);
    formatter.options_mut().set_space_after_operand_separator(true);
    let mut text = String::new();
    for inst in &list {
        if labels.contains(&inst.ip()) {
            let _ = writeln!(text, "L{}:", inst.ip());
        }
        text.push_str("    ");
        formatter.format(inst, &mut text);
        text.push('\n');
    }
    for (row, line) in bytes[end..].chunks(16).enumerate() {
        let words: Vec<String> = line.chunks(4).map(word).collect();
        let _ = writeln!(text, "D{}: {}", end + 16 * row, words.join(" "));
    }
    text
}

fn word(bytes: &[u8]) -> String {
    bytes.iter().rev().map(|b| format!("{b:02x}")).collect()
}

/// Decodes instructions. Returns them with the branch targets and the end of the code.
fn decode(bytes: &[u8]) -> (Vec<Instruction>, BTreeSet<u64>, usize) {
    let mut decoder = Decoder::with_ip(64, bytes, BASE, DecoderOptions::NONE);
    let (mut list, mut labels, mut furthest) = (Vec::new(), BTreeSet::new(), 0);
    while decoder.can_decode() {
        let inst = decoder.decode();
        let next = inst.next_ip();
        let direct = is_branch(&inst);
        if direct {
            labels.insert(inst.near_branch_target());
            furthest = furthest.max(inst.near_branch_target());
        }
        let mnemonic = inst.mnemonic();
        list.push(inst);
        if mnemonic == Mnemonic::Jmp && !direct {
            let targets = table(bytes, next as usize);
            let past = next + 4 * targets.len() as u64;
            furthest = targets.iter().copied().max().unwrap_or(0).max(furthest);
            labels.extend(targets);
            if decoder.set_position(past as usize).is_err() {
                break;
            }
            decoder.set_ip(past);
        }
        let leaves = matches!(mnemonic, Mnemonic::Jmp | Mnemonic::Ret | Mnemonic::Ud2);
        if leaves && furthest < decoder.ip() {
            break;
        }
    }
    let end = list.last().map_or(0, |i| i.next_ip() as usize);
    (list, labels, end)
}

/// Targets of the jump table at `at`. Entries are distances from the start of the table, which ends at its first
/// target.
fn table(bytes: &[u8], at: usize) -> Vec<u64> {
    let mut targets: Vec<u64> = Vec::new();
    let mut first = bytes.len() as u64;
    for (n, entry) in bytes[at.min(bytes.len())..].chunks_exact(4).enumerate() {
        let here = at as u64 + 4 * n as u64;
        let to = at as i64 + i64::from(i32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]));
        if here >= first || !(0..bytes.len() as i64).contains(&to) {
            break;
        }
        targets.push(to as u64);
        if to as u64 > here {
            first = first.min(to as u64);
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A jump table after its jump, the code that it targets, then data that would decode as further code.
    #[test]
    fn tables_and_data_are_told_from_code() {
        // 0: lea rax, [4 bytes after the lea]; 7: jmp rax; 9: the table, 9 + 8 and 9 + 9; 17: nop; 18: ret; 19: data.
        let mut code = vec![0x48, 0x8d, 0x05, 2, 0, 0, 0, 0xff, 0xe0];
        code.extend(8i32.to_le_bytes());
        code.extend(9i32.to_le_bytes());
        code.extend([0x90, 0xc3, 1, 2, 3, 4, 5]);
        let text = disassemble(&code);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines[1..], ["jmp rax", "L17:", "nop", "L18:", "ret", "D19: 04030201 05"], "{text}");
        assert!(lines[0].starts_with("lea rax"), "{text}");
    }

    /// Code continues after a return that a branch passes, and branch targets are labelled.
    #[test]
    fn branches_have_labels() {
        // 0: sub edi, 7; 3: je 6; 5: ret; 6: ret; 7: data. Numbers that are not addresses get no names.
        let text = disassemble(&[0x83, 0xef, 7, 0x74, 1, 0xc3, 0xc3, 0xff]);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines, ["sub edi, 7", "je short L6", "ret", "L6:", "ret", "D7: ff"], "{text}");
    }
}
