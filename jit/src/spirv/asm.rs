//! SPIR-V text, as the Khronos tools write it: assembler and disassembler over the grammar tables.
//!
//! Instructions have the form `%id = OpName operands`; `;` starts a comment. Numeric ids keep their number; named ids
//! get the next free number. A comment `; Version: 1.3` sets the version of the header (default 1.6). `!123` emits a
//! raw word.

mod literal;
mod print;

pub use print::disassemble;

use rspirv::grammar::{self as tables, Instruction, LogicalOperand, OperandKind, OperandQuantifier};
use rustc_hash::FxHashMap;
use spirv::Op;

use super::grammar;
use super::module::MAX_BOUND;
use crate::error::{Error, Place, Result};
use literal::Number;

/// A token of the text.
#[derive(Clone, Debug, PartialEq)]
enum Token<'t> {
    Word(&'t str),
    Text(String),
}

/// Assembles a module.
///
/// # Errors
/// `Invalid` with the line of the text.
pub fn assemble(text: &str) -> Result<Vec<u32>> {
    let tokens = tokens(text)?;
    let mut asm = Assembler {
        words: vec![spirv::MAGIC_NUMBER, version(text), 0, 0, 0],
        names: FxHashMap::default(),
        next: 1,
        numbers: FxHashMap::default(),
        types: FxHashMap::default(),
        sets: FxHashMap::default(),
    };
    // Named ids come after the numeric ones.
    for (token, line) in &tokens {
        if let Token::Word(word) = token
            && let Some(name) = word.strip_prefix('%')
            && let Ok(n) = name.parse::<u32>()
        {
            if n == 0 || n > MAX_BOUND - 1 {
                return Err(error(*line, format!("id %{n} is out of range")));
            }
            asm.next = asm.next.max(n + 1);
        }
    }
    let mut at = 0;
    while at < tokens.len() {
        let mut end = at + 1;
        if starts(&tokens, at) == Some(true) {
            end += 2;
        }
        while end < tokens.len() && starts(&tokens, end).is_none() {
            end += 1;
        }
        asm.instruction(&tokens[at..end.min(tokens.len())])?;
        at = end;
    }
    asm.words[3] = asm.next;
    Ok(asm.words)
}

fn error(line: u32, message: impl Into<String>) -> Error {
    Error::invalid(message).at(Place { line: Some(line), ..Place::default() })
}

/// Version word from a `; Version: 1.x` comment.
fn version(text: &str) -> u32 {
    let comment = text.lines().filter_map(|l| l.trim_start().strip_prefix(';')).take(8);
    for line in comment {
        if let Some(rest) = line.trim_start().strip_prefix("Version:")
            && let Some(minor) = rest.trim().strip_prefix("1.").and_then(|m| m.trim().parse::<u32>().ok())
            && minor <= 6
        {
            return 0x1_0000 | minor << 8;
        }
    }
    0x1_0600
}

/// Splits text into words and strings, each with its line.
fn tokens(text: &str) -> Result<Vec<(Token<'_>, u32)>> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => {
                line += 1;
                at += 1;
            }
            b if b.is_ascii_whitespace() => at += 1,
            b';' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b'"' => {
                let start = line;
                let mut string = Vec::new();
                at += 1;
                loop {
                    match bytes.get(at) {
                        None => return Err(error(start, "unterminated string")),
                        Some(b'"') => break,
                        Some(b'\\') if at + 1 < bytes.len() => {
                            string.push(bytes[at + 1]);
                            line += u32::from(bytes[at + 1] == b'\n');
                            at += 2;
                        }
                        Some(&b) => {
                            line += u32::from(b == b'\n');
                            string.push(b);
                            at += 1;
                        }
                    }
                }
                at += 1;
                out.push((Token::Text(String::from_utf8_lossy(&string).into_owned()), start));
            }
            b'=' => {
                out.push((Token::Word("="), line));
                at += 1;
            }
            _ => {
                let start = at;
                while at < bytes.len()
                    && !bytes[at].is_ascii_whitespace()
                    && !matches!(bytes[at], b';' | b'=' | b'"')
                {
                    at += 1;
                }
                out.push((Token::Word(&text[start..at]), line));
            }
        }
    }
    Ok(out)
}

/// Returns `Some` if an instruction starts at a token: `Some(true)` if it starts with `%id =`.
fn starts(tokens: &[(Token<'_>, u32)], at: usize) -> Option<bool> {
    let Token::Word(word) = &tokens[at].0 else { return None };
    if word.starts_with('%') && tokens.get(at + 1).is_some_and(|t| t.0 == Token::Word("=")) {
        return Some(true);
    }
    let op = word.strip_prefix("Op").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    op.then_some(false)
}

struct Assembler<'t> {
    words: Vec<u32>,
    names: FxHashMap<&'t str, u32>,
    next: u32,
    /// Number types by type id.
    numbers: FxHashMap<u32, Number>,
    /// Type id by result id.
    types: FxHashMap<u32, u32>,
    /// Extended instruction sets by id.
    sets: FxHashMap<u32, String>,
}

/// Unconsumed operands of one instruction.
struct Operands<'a, 't> {
    tokens: &'a [(Token<'t>, u32)],
    line: u32,
}

impl<'t> Operands<'_, 't> {
    fn text(&mut self) -> Result<String> {
        match self.tokens.split_first() {
            Some(((Token::Text(s), _), rest)) => {
                let s = s.clone();
                self.tokens = rest;
                Ok(s)
            }
            _ => Err(error(self.line, "a string is expected")),
        }
    }

    fn word(&mut self, what: &str) -> Result<&'t str> {
        match self.tokens.split_first() {
            Some(((Token::Word(w), line), rest)) => {
                self.line = *line;
                self.tokens = rest;
                Ok(w)
            }
            _ => Err(error(self.line, format!("{what} is expected"))),
        }
    }
}

impl<'t> Assembler<'t> {
    fn instruction(&mut self, tokens: &[(Token<'t>, u32)]) -> Result<()> {
        let line = tokens[0].1;
        let mut o = Operands { tokens, line };
        let mut result = None;
        if starts(tokens, 0) == Some(true) {
            result = Some(o.word("a result id")?);
            o.word("=")?;
        }
        let name = o.word("an instruction")?;
        let Some(row) = name.strip_prefix("Op").and_then(grammar::by_name) else {
            return Err(error(line, format!("unknown instruction '{name}'")));
        };
        let start = self.words.len();
        self.words.push(0);
        let has_result = grammar::shape(row).1;
        if has_result != result.is_some() {
            let message = if has_result { "needs a result id" } else { "has no result" };
            return Err(error(line, format!("{name} {message}")));
        }
        let mut state = State { row, ty: 0, first: 0 };
        for operand in row.operands {
            match operand.kind {
                OperandKind::IdResult => {
                    let id = self.id(result.unwrap_or_default(), line)?;
                    if state.ty != 0 {
                        self.types.insert(id, state.ty);
                    }
                    self.words.push(id);
                }
                _ => self.quantified(operand, &mut state, &mut o)?,
            }
        }
        if let Some((token, line)) = o.tokens.first() {
            return Err(error(*line, format!("{name} has too many operands: {token:?}")));
        }
        let count = self.words.len() - start;
        if count > 0xffff {
            return Err(error(line, format!("{name} is longer than 65535 words")));
        }
        self.words[start] = (count as u32) << 16 | grammar::number(row.opcode);
        self.note(row.opcode, start);
        Ok(())
    }

    /// Records the types, result types and instruction sets that later literals depend on.
    fn note(&mut self, op: Op, start: usize) {
        let w = &self.words[start..];
        match op {
            Op::TypeInt => {
                self.numbers.insert(w[1], Number::Int { bits: w[2], signed: w[3] != 0 });
            }
            Op::TypeFloat => {
                self.numbers.insert(w[1], Number::float(&w[2..]));
            }
            Op::ExtInstImport => {
                let bytes = w[2..].iter().flat_map(|w| w.to_le_bytes()).take_while(|&b| b != 0);
                self.sets.insert(w[1], String::from_utf8_lossy(&bytes.collect::<Vec<_>>()).into_owned());
            }
            _ => {}
        }
    }

    fn quantified(
        &mut self,
        operand: &LogicalOperand,
        state: &mut State,
        o: &mut Operands<'_, 't>,
    ) -> Result<()> {
        match operand.quantifier {
            OperandQuantifier::One => self.operand(operand.kind, state, o),
            OperandQuantifier::ZeroOrOne if o.tokens.is_empty() => Ok(()),
            OperandQuantifier::ZeroOrOne => self.operand(operand.kind, state, o),
            OperandQuantifier::ZeroOrMore => {
                while !o.tokens.is_empty() {
                    self.operand(operand.kind, state, o)?;
                }
                Ok(())
            }
        }
    }

    fn operand(&mut self, kind: OperandKind, state: &mut State, o: &mut Operands<'_, 't>) -> Result<()> {
        use OperandKind as K;
        if let Some((Token::Word(word), line)) = o.tokens.first()
            && let Some(raw) = word.strip_prefix('!')
        {
            let value = literal::integer(raw).and_then(|v| u32::try_from(v).ok());
            self.words.push(value.ok_or_else(|| error(*line, format!("'{word}' is not a word")))?);
            o.tokens = &o.tokens[1..];
            return Ok(());
        }
        match kind {
            K::LiteralString => {
                let text = o.text()?;
                self.string(&text);
            }
            K::IdResultType | K::IdRef | K::IdScope | K::IdMemorySemantics => {
                let word = o.word("an id")?;
                let id = self.id(word, o.line)?;
                if kind == K::IdResultType {
                    state.ty = id;
                } else if state.first == 0 {
                    state.first = id;
                }
                self.words.push(id);
            }
            K::LiteralInteger => {
                let word = o.word("a number")?;
                let value = literal::integer(word)
                    .filter(|v| (-(1 << 31)..1 << 32).contains(v))
                    .ok_or_else(|| error(o.line, format!("'{word}' is not a 32-bit number")))?;
                self.words.push(value as u32);
            }
            K::LiteralFloat => self.number(Number::Float { bits: 32 }, o)?,
            K::LiteralContextDependentNumber => {
                let Some(&number) = self.numbers.get(&state.ty) else {
                    return Err(error(o.line, "result type is not a number type that is defined before"));
                };
                self.number(number, o)?;
            }
            K::PairLiteralIntegerIdRef => {
                let ty = self.types.get(&state.first).copied().unwrap_or(0);
                let number = self.numbers.get(&ty).copied().unwrap_or(Number::Int { bits: 32, signed: true });
                self.number(number, o)?;
                self.operand(K::IdRef, state, o)?;
            }
            K::PairIdRefLiteralInteger => {
                self.operand(K::IdRef, state, o)?;
                self.operand(K::LiteralInteger, state, o)?;
            }
            K::PairIdRefIdRef => {
                self.operand(K::IdRef, state, o)?;
                self.operand(K::IdRef, state, o)?;
            }
            K::LiteralExtInstInteger => self.extended(state, o)?,
            K::LiteralSpecConstantOpInteger => self.operation(state, o)?,
            kind if grammar::is_mask(kind) => self.flags(kind, state, o)?,
            kind => {
                let word = o.word("a name")?;
                let value = grammar::value(kind, word)
                    .ok_or_else(|| error(o.line, format!("'{word}' is not a {kind:?}")))?;
                self.words.push(value);
                if let Some(e) = grammar::enumerant(kind, value) {
                    for param in &e.params {
                        self.quantified(param, state, o)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The number of an instruction of an extended set.
    fn extended(&mut self, state: &mut State, o: &mut Operands<'_, 't>) -> Result<()> {
        let word = o.word("an instruction of the set")?;
        let set = self.sets.get(&state.first).map_or("", String::as_str);
        let found = tables::ext_inst_table(set).and_then(|t| t.iter().find(|row| row.opname == word));
        let number = match found {
            Some(row) => row.opcode.into(),
            None => literal::integer(word)
                .and_then(|v| u32::try_from(v).ok())
                .ok_or_else(|| error(o.line, format!("'{word}' is not an instruction of '{set}'")))?,
        };
        let operands = found.map_or(&[][..], |row| grammar::extended_operands(set, row));
        self.words.push(number);
        operands.iter().try_for_each(|operand| self.quantified(operand, state, o))
    }

    /// The number of an operation, and its operands.
    fn operation(&mut self, state: &mut State, o: &mut Operands<'_, 't>) -> Result<()> {
        let word = o.word("an operation")?;
        let name = word.strip_prefix("Op").unwrap_or(word);
        let row =
            grammar::by_name(name).ok_or_else(|| error(o.line, format!("'{word}' is not an operation")))?;
        self.words.push(grammar::number(row.opcode));
        for operand in row.operands {
            if !matches!(operand.kind, OperandKind::IdResultType | OperandKind::IdResult) {
                self.quantified(operand, state, o)?;
            }
        }
        Ok(())
    }

    /// Flags by name or number, and the operands of each.
    fn flags(&mut self, kind: OperandKind, state: &mut State, o: &mut Operands<'_, 't>) -> Result<()> {
        let word = o.word("flags")?;
        let mut mask = 0;
        if word != "None" && word != "NoneKHR" {
            for name in word.split('|') {
                mask |= match grammar::value(kind, name) {
                    Some(bit) => bit,
                    None => literal::integer(name)
                        .and_then(|v| u32::try_from(v).ok())
                        .ok_or_else(|| error(o.line, format!("'{name}' is not a {kind:?} flag")))?,
                };
            }
        }
        self.words.push(mask);
        for bit in (0..32).map(|b| 1 << b).filter(|bit| mask & bit != 0) {
            if let Some(e) = grammar::enumerant(kind, bit) {
                for param in &e.params {
                    self.quantified(param, state, o)?;
                }
            }
        }
        Ok(())
    }

    fn number(&mut self, number: Number, o: &mut Operands<'_, 't>) -> Result<()> {
        let word = o.word("a number")?;
        let bits = literal::number(number, word)
            .ok_or_else(|| error(o.line, format!("'{word}' is not a {number}")))?;
        self.words.push(bits as u32);
        if number.bits() > 32 {
            self.words.push((bits >> 32) as u32);
        }
        Ok(())
    }

    fn string(&mut self, text: &str) {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        while !bytes.len().is_multiple_of(4) {
            bytes.push(0);
        }
        self.words.extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
    }

    fn id(&mut self, word: &'t str, line: u32) -> Result<u32> {
        let Some(name) = word.strip_prefix('%').filter(|n| !n.is_empty()) else {
            return Err(error(line, format!("an id is expected, not '{word}'")));
        };
        if let Ok(n) = name.parse::<u32>() {
            return Ok(n);
        }
        if let Some(&id) = self.names.get(name) {
            return Ok(id);
        }
        let id = self.next;
        if id >= MAX_BOUND {
            return Err(error(line, "too many ids"));
        }
        self.next += 1;
        self.names.insert(name, id);
        Ok(id)
    }
}

/// Context for parsing operands: the instruction, its result type and its first id.
struct State {
    row: &'static Instruction<'static>,
    ty: u32,
    first: u32,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Op{}", self.row.opname)
    }
}

#[cfg(test)]
mod tests;
