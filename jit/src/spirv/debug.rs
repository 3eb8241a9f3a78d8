//! Debug information of a module: OpLine, OpSource, and NonSemantic.Shader.DebugInfo.100.
//!
//! Read only on request; the parser keeps the lines for errors. `lower/debug.rs` attaches the information to the
//! instructions of a shader.
//!
//! Spec: SPIR-V, "Debug Instructions"; NonSemantic.Shader.DebugInfo.100.

use rustc_hash::FxHashMap;
use spirv::Op;

use super::module::{ExtSet, Inst, Module};
use crate::ir::debug::File;
use crate::spirv::grammar;

/// Numbers of the NonSemantic.Shader.DebugInfo.100 instructions that are read.
mod number {
    pub const GLOBAL_VARIABLE: u32 = 18;
    pub const FUNCTION: u32 = 20;
    pub const LEXICAL_BLOCK: u32 = 21;
    pub const SCOPE: u32 = 23;
    pub const NO_SCOPE: u32 = 24;
    pub const INLINED_AT: u32 = 25;
    pub const LOCAL_VARIABLE: u32 = 26;
    pub const DECLARE: u32 = 28;
    pub const VALUE: u32 = 29;
    pub const SOURCE: u32 = 35;
    pub const FUNCTION_DEFINITION: u32 = 101;
    pub const SOURCE_CONTINUED: u32 = 102;
    pub const LINE: u32 = 103;
    pub const NO_LINE: u32 = 104;
}

/// Maximum number of callers of an inlined scope, so that a cycle of callers terminates.
const MAX_INLINED: usize = 64;

/// Source location of the instructions that follow a given word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct At {
    pub file: u32,
    pub line: u32,
    pub column: u32,
    /// Id of the scope that DebugScope names, and id of its DebugInlinedAt (0: none).
    pub scope: u32,
    pub inlined: u32,
}

/// Source-level debug information of a module.
#[derive(Default)]
pub(super) struct Sources {
    pub files: Vec<File>,
    /// File by the id of its OpString or DebugSource.
    by_id: FxHashMap<u32, u32>,
    /// Locations, each with the word offset from which it applies, ascending.
    runs: Vec<(u32, At)>,
    /// DebugFunction by the id of the OpFunction that it describes.
    pub functions: FxHashMap<u32, u32>,
    /// Name and declaration of module-scope variables, by id of the DebugGlobalVariable.
    pub globals: FxHashMap<u32, (String, At)>,
}

/// A DebugDeclare or DebugValue: name of the variable, id of its pointer or value, and `true` for a parameter.
pub(super) struct Local {
    pub name: String,
    pub id: u32,
    pub is_parameter: bool,
}

impl Sources {
    /// Reads the debug information of a module.
    pub fn of(m: &Module) -> Sources {
        let mut out = Sources::default();
        let (mut at, mut text_of) = (At::default(), None);
        for inst in m.insts() {
            let before = at;
            match inst.op {
                Op::String => text_of = None,
                Op::Source => text_of = out.source(m, inst),
                Op::SourceContinued => {
                    if let Some(file) = text_of.and_then(|f: u32| out.files.get_mut(f as usize)) {
                        file.text += &m.string(inst, 0);
                    }
                }
                Op::Line => {
                    let o = m.operands(inst);
                    at = At { file: out.file(m, o[0]), line: o[1], column: o[2], ..at };
                }
                Op::NoLine => at = At { scope: at.scope, inlined: at.inlined, ..At::default() },
                Op::FunctionEnd => at = At::default(),
                Op::ExtInst => out.extended(m, inst, &mut at, &mut text_of),
                op if grammar::is_terminator(op) => at = At::default(),
                _ => {}
            }
            if at != before {
                out.runs.push((inst.end, at));
            }
        }
        for file in &mut out.files {
            trim_text(&mut file.text);
        }
        out
    }

    /// Returns the source location of an instruction.
    pub fn at(&self, inst: &Inst) -> At {
        let n = self.runs.partition_point(|r| r.0 <= inst.at);
        n.checked_sub(1).map_or_else(At::default, |i| self.runs[i].1)
    }

    /// Returns the index of the file that an OpString or DebugSource names.
    fn file(&mut self, m: &Module, id: u32) -> u32 {
        if let Some(&known) = self.by_id.get(&id) {
            return known;
        }
        let name = match m.def(id) {
            Some(def) if def.op == Op::String => m.string(def, 0),
            _ => String::new(),
        };
        // An OpString and a DebugSource may name the same file.
        let known = self.files.iter().position(|f| !name.is_empty() && f.name == name);
        let at = known.unwrap_or_else(|| {
            self.files.push(File { name, text: String::new() });
            self.files.len() - 1
        }) as u32;
        self.by_id.insert(id, at);
        at
    }

    /// Reads an OpSource: language, version, file, text.
    fn source(&mut self, m: &Module, inst: &Inst) -> Option<u32> {
        let &id = m.operands(inst).get(2)?;
        let file = self.file(m, id);
        let text = m.string(inst, 3);
        let known = &mut self.files[file as usize].text;
        if known.is_empty() {
            *known = text;
        }
        Some(file)
    }

    fn extended(&mut self, m: &Module, inst: &Inst, at: &mut At, text_of: &mut Option<u32>) {
        let Some((which, o)) = debug_inst(m, inst) else { return };
        let get = |i: usize| o.get(i).copied().unwrap_or(0);
        match which {
            number::SOURCE => {
                let file = self.file(m, get(0));
                self.by_id.insert(inst.id, file);
                let text = string(m, get(1));
                if !text.is_empty() {
                    self.files[file as usize].text = text;
                }
                *text_of = Some(file);
            }
            number::SOURCE_CONTINUED => {
                if let Some(file) = text_of.and_then(|f| self.files.get_mut(f as usize)) {
                    file.text += &string(m, get(0));
                }
            }
            number::LINE => {
                let file = self.file(m, get(0));
                let (line, column) = (constant(m, get(1)), constant(m, get(3)));
                *at = At { file, line, column, ..*at };
            }
            number::NO_LINE => *at = At { scope: at.scope, inlined: at.inlined, ..At::default() },
            number::SCOPE => (at.scope, at.inlined) = (get(0), get(1)),
            number::NO_SCOPE => (at.scope, at.inlined) = (0, 0),
            number::FUNCTION_DEFINITION => {
                self.functions.insert(get(1), get(0));
            }
            number::GLOBAL_VARIABLE => {
                let name = string(m, get(0));
                if !name.is_empty() {
                    let (file, line, column) =
                        (self.file(m, get(2)), constant(m, get(3)), constant(m, get(4)));
                    self.globals.insert(get(7), (name, At { file, line, column, ..At::default() }));
                }
            }
            _ => {}
        }
    }

    /// Returns name and line of a DebugFunction.
    pub fn function(m: &Module, id: u32) -> Option<(String, u32)> {
        match debug_inst(m, m.def(id)?)? {
            (number::FUNCTION, o) => Some((string(m, *o.first()?), constant(m, *o.get(3)?))),
            _ => None,
        }
    }

    /// Returns the DebugFunction that encloses a scope.
    pub fn function_of_scope(m: &Module, mut scope: u32) -> Option<u32> {
        for _ in 0..MAX_INLINED {
            match debug_inst(m, m.def(scope)?)? {
                (number::FUNCTION, _) => return Some(scope),
                (number::LEXICAL_BLOCK, o) => scope = *o.get(3)?,
                _ => return None,
            }
        }
        None
    }

    /// Follows a chain of DebugInlinedAt. Returns line and scope of each caller, the innermost first.
    pub fn inlined(m: &Module, mut inlined: u32) -> Vec<(u32, u32)> {
        let mut out = Vec::new();
        while out.len() < MAX_INLINED
            && let Some((number::INLINED_AT, o)) = m.def(inlined).and_then(|def| debug_inst(m, def))
        {
            let get = |i: usize| o.get(i).copied().unwrap_or(0);
            out.push((constant(m, get(0)), get(1)));
            inlined = get(2);
        }
        out
    }

    /// Decodes a DebugDeclare or DebugValue; `None` for other instructions, and for parts of variables.
    pub fn local(m: &Module, inst: &Inst) -> Option<Local> {
        let (which, o) = debug_inst(m, inst)?;
        if !matches!(which, number::DECLARE | number::VALUE) || o.len() > 3 {
            return None;
        }
        let (number::LOCAL_VARIABLE, variable) = debug_inst(m, m.def(*o.first()?)?)? else { return None };
        Some(Local { name: string(m, *variable.first()?), id: *o.get(1)?, is_parameter: variable.len() > 7 })
    }
}

/// Number and operands of an instruction of the NonSemantic.Shader.DebugInfo.100 set.
fn debug_inst<'m>(m: &'m Module, inst: &Inst) -> Option<(u32, &'m [u32])> {
    let o = m.operands(inst);
    let is = inst.op == Op::ExtInst && o.len() >= 2 && m.ext_set(o[0]) == Some(ExtSet::ShaderDebug);
    is.then(|| (o[1], &o[2..]))
}

fn string(m: &Module, id: u32) -> String {
    m.def(id).filter(|d| d.op == Op::String).map_or_else(String::new, |d| m.string(d, 0))
}

/// Value of a 32-bit constant; 0 for anything else.
fn constant(m: &Module, id: u32) -> u32 {
    let def = m.def(id).filter(|d| d.op == Op::Constant);
    def.and_then(|d| m.operands(d).first().copied()).unwrap_or(0)
}

/// Removes the preamble that glslang writes before the first line of the source.
fn trim_text(text: &mut String) {
    const FIRST: &str = "#line 1\n";
    if text.starts_with("// OpModuleProcessed")
        && let Some(at) = text.find(FIRST)
    {
        *text = text[at + FIRST.len()..].to_owned();
    }
}
