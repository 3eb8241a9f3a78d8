//! The disassembler: converts words to text that the assembler reads back to the same words.

use std::fmt::Write;

use rspirv::grammar::{self as tables, LogicalOperand, OperandKind, OperandQuantifier};
use rustc_hash::FxHashMap;
use spirv::Op;

use super::literal::{self, Number};
use crate::error::{Error, Place, Result};
use crate::spirv::grammar;

/// Disassembles a module.
///
/// # Errors
/// `Invalid` with the offset of the first word that cannot be decoded.
pub fn disassemble(words: &[u32]) -> Result<String> {
    if words.len() < 5 || words[0] != spirv::MAGIC_NUMBER {
        return Err(Error::invalid("not a SPIR-V module"));
    }
    let mut out = String::new();
    let (major, minor) = (words[1] >> 16 & 0xff, words[1] >> 8 & 0xff);
    let _ = writeln!(
        out,
        "; SPIR-V\n; Version: {major}.{minor}\n; Generator: {}\n; Bound: {}",
        words[2], words[3]
    );
    let _ = writeln!(out, "; Schema: {}", words[4]);
    let mut printer = Printer::default();
    let mut at = 5;
    while at < words.len() {
        let (count, opcode) = ((words[at] >> 16) as usize, words[at] & 0xffff);
        let place = || Place { word: Some(at), ..Place::default() };
        let Some(row) = grammar::instruction(opcode) else {
            return Err(Error::invalid(format!("unknown opcode {opcode}")).at(place()));
        };
        if count == 0 || at + count > words.len() {
            return Err(Error::invalid("instruction reaches past the end").at(place()));
        }
        printer
            .instruction(row, &words[at + 1..at + count], &mut out)
            .map_err(|e| e.at(Place { instruction: Some(format!("Op{}", row.opname)), ..place() }))?;
        at += count;
    }
    Ok(out)
}

#[derive(Default)]
struct Printer {
    numbers: FxHashMap<u32, Number>,
    types: FxHashMap<u32, u32>,
    sets: FxHashMap<u32, String>,
    /// Result type and first id of the current instruction.
    ty: u32,
    first: u32,
}

/// Operand words that are not printed yet.
struct Words<'a>(&'a [u32]);

impl Words<'_> {
    fn next(&mut self) -> Result<u32> {
        match self.0.split_first() {
            Some((&w, rest)) => {
                self.0 = rest;
                Ok(w)
            }
            None => Err(Error::invalid("operands are missing")),
        }
    }
}

fn text(words: &mut Words<'_>) -> Result<String> {
    let mut bytes = Vec::new();
    loop {
        let word = words.next()?;
        for b in word.to_le_bytes() {
            if b == 0 {
                return Ok(String::from_utf8_lossy(&bytes).into_owned());
            }
            bytes.push(b);
        }
    }
}

impl Printer {
    fn instruction(
        &mut self,
        row: &tables::Instruction<'_>,
        operands: &[u32],
        out: &mut String,
    ) -> Result<()> {
        let mut words = Words(operands);
        let mut line = format!("Op{}", row.opname);
        let mut result = None;
        self.ty = 0;
        self.first = 0;
        for operand in row.operands {
            if operand.kind == OperandKind::IdResult {
                let id = words.next()?;
                if self.ty != 0 {
                    self.types.insert(id, self.ty);
                }
                result = Some(id);
            } else {
                self.quantified(operand, &mut words, &mut line)?;
            }
        }
        // Words beyond the grammar are printed raw.
        for word in words.0 {
            let _ = write!(line, " !{word}");
        }
        let lead = result.map_or(String::new(), |id| format!("%{id} = "));
        let _ = writeln!(out, "{lead:>15}{line}");
        match (row.opcode, operands) {
            (Op::TypeInt, [id, bits, signed]) => {
                self.numbers.insert(*id, Number::Int { bits: *bits, signed: *signed != 0 });
            }
            (Op::TypeFloat, [id, operands @ ..]) => {
                self.numbers.insert(*id, Number::float(operands));
            }
            (Op::ExtInstImport, [id, rest @ ..]) => {
                self.sets.insert(*id, text(&mut Words(rest))?);
            }
            _ => {}
        }
        Ok(())
    }

    fn quantified(
        &mut self,
        operand: &LogicalOperand,
        words: &mut Words<'_>,
        line: &mut String,
    ) -> Result<()> {
        match operand.quantifier {
            OperandQuantifier::One => self.operand(operand.kind, words, line),
            OperandQuantifier::ZeroOrOne if words.0.is_empty() => Ok(()),
            OperandQuantifier::ZeroOrOne => self.operand(operand.kind, words, line),
            OperandQuantifier::ZeroOrMore => {
                while !words.0.is_empty() {
                    self.operand(operand.kind, words, line)?;
                }
                Ok(())
            }
        }
    }

    fn operand(&mut self, kind: OperandKind, words: &mut Words<'_>, line: &mut String) -> Result<()> {
        use OperandKind as K;
        match kind {
            K::LiteralString => {
                let s = text(words)?;
                let _ = write!(line, " \"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""));
            }
            K::IdResultType | K::IdRef | K::IdScope | K::IdMemorySemantics => {
                let id = words.next()?;
                if kind == K::IdResultType {
                    self.ty = id;
                } else if self.first == 0 {
                    self.first = id;
                }
                let _ = write!(line, " %{id}");
            }
            K::LiteralInteger => {
                let _ = write!(line, " {}", words.next()?);
            }
            K::LiteralFloat => self.number(Number::Float { bits: 32 }, words, line)?,
            K::LiteralContextDependentNumber => {
                let number = self.numbers.get(&self.ty).copied();
                let number = number.ok_or_else(|| Error::invalid("result type is not a number type"))?;
                self.number(number, words, line)?;
            }
            K::PairLiteralIntegerIdRef => {
                let ty = self.types.get(&self.first).copied().unwrap_or(0);
                let number = self.numbers.get(&ty).copied().unwrap_or(Number::Int { bits: 32, signed: true });
                self.number(number, words, line)?;
                self.operand(K::IdRef, words, line)?;
            }
            K::PairIdRefLiteralInteger => {
                self.operand(K::IdRef, words, line)?;
                self.operand(K::LiteralInteger, words, line)?;
            }
            K::PairIdRefIdRef => {
                self.operand(K::IdRef, words, line)?;
                self.operand(K::IdRef, words, line)?;
            }
            K::LiteralExtInstInteger => self.extended(words, line)?,
            K::LiteralSpecConstantOpInteger => self.operation(words, line)?,
            kind if grammar::is_mask(kind) => self.flags(kind, words, line)?,
            kind => {
                let value = words.next()?;
                let Some(e) = grammar::enumerant(kind, value) else {
                    let _ = write!(line, " !{value}");
                    return Ok(());
                };
                let _ = write!(line, " {}", e.name);
                for param in &e.params {
                    self.quantified(param, words, line)?;
                }
            }
        }
        Ok(())
    }

    /// An extended instruction by name or number, and its operands.
    fn extended(&mut self, words: &mut Words<'_>, line: &mut String) -> Result<()> {
        let number = words.next()?;
        let set = self.sets.get(&self.first).map_or("", String::as_str);
        let row = tables::ext_inst_table(set).and_then(|t| t.lookup_opcode(number));
        let _ = match row {
            Some(row) => write!(line, " {}", row.opname),
            None => write!(line, " {number}"),
        };
        for operand in row.map_or(&[][..], |row| grammar::extended_operands(set, row)) {
            self.quantified(operand, words, line)?;
        }
        Ok(())
    }

    /// The operation of OpSpecConstantOp, and its operands.
    fn operation(&mut self, words: &mut Words<'_>, line: &mut String) -> Result<()> {
        use OperandKind as K;
        let number = words.next()?;
        let row = grammar::instruction(number)
            .ok_or_else(|| Error::invalid(format!("unknown operation {number}")))?;
        let _ = write!(line, " {}", row.opname);
        for operand in row.operands {
            if !matches!(operand.kind, K::IdResultType | K::IdResult) {
                self.quantified(operand, words, line)?;
            }
        }
        Ok(())
    }

    /// Flags by name or number, and the operands of each.
    fn flags(&mut self, kind: OperandKind, words: &mut Words<'_>, line: &mut String) -> Result<()> {
        let mask = words.next()?;
        match grammar::enumerant(kind, mask) {
            Some(e) if mask != 0 => {
                let _ = write!(line, " {}", e.name);
            }
            _ if mask == 0 => line.push_str(" None"),
            _ => {
                let _ = write!(line, " {mask:#x}");
            }
        }
        for bit in (0..32).map(|b| 1 << b).filter(|bit| mask & bit != 0) {
            for param in grammar::enumerant(kind, bit).map_or(Vec::new(), |e| e.params) {
                self.quantified(&param, words, line)?;
            }
        }
        Ok(())
    }

    fn number(&self, number: Number, words: &mut Words<'_>, line: &mut String) -> Result<()> {
        let mut bits_of = u64::from(words.next()?);
        if number.bits() > 32 {
            bits_of |= u64::from(words.next()?) << 32;
        }
        let _ = match number {
            Number::Small(small) => write!(line, " {}", literal::small_text(bits_of, small)),
            Number::Float { bits } => write!(line, " {}", literal::float_text(bits_of, bits)),
            Number::Int { bits: 64, signed: true } => write!(line, " {}", bits_of as i64),
            Number::Int { signed: true, .. } => write!(line, " {}", bits_of as u32 as i32),
            Number::Int { .. } => write!(line, " {bits_of}"),
        };
        Ok(())
    }
}
