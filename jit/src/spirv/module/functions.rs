//! Splits functions into blocks with their merge instructions and terminators.

use rustc_hash::FxHashMap;
use spirv::Op;

use super::{Block, Function, Merge, Module};
use crate::error::{Error, Result};
use crate::spirv::grammar;
use crate::spirv::types::Type;

impl Module {
    /// Reads all functions; each entry point must name a function without result, and without
    /// parameters unless it is a kernel.
    pub(super) fn find_functions(&mut self) -> Result<()> {
        let mut i = 0;
        while i < self.insts.len() {
            if self.insts[i].op == Op::Function {
                let (function, next) = self.read_function(i)?;
                if !function.blocks.is_empty() {
                    self.functions.insert(function.id, function);
                }
                i = next;
            } else {
                i += 1;
            }
        }
        for entry in &self.entry_points {
            let function = self.function(entry.function)?;
            if !self.kernels && !function.params.is_empty() || !matches!(self.ty(function.ret)?, Type::Void) {
                return Err(Error::invalid(format!("entry point '{}' takes or returns values", entry.name)));
            }
        }
        Ok(())
    }

    /// Reads the function at instruction `start`; returns it and the index after its end.
    fn read_function(&self, start: usize) -> Result<(Function, usize)> {
        let head = self.insts[start];
        let mut function = Function {
            id: head.id,
            ret: head.ty,
            params: Vec::new(),
            blocks: Vec::new(),
            by_label: FxHashMap::default(),
        };
        let mut open: Option<Block> = None;
        for i in start + 1..self.insts.len() {
            let inst = self.insts[i];
            match inst.op {
                Op::FunctionEnd => {
                    if open.is_some() {
                        return Err(self.invalid(&inst, "block without a terminator"));
                    }
                    return Ok((function, i + 1));
                }
                Op::Function => return Err(self.invalid(&inst, "function inside a function")),
                Op::FunctionParameter if function.blocks.is_empty() && open.is_none() => {
                    function.params.push((inst.id, inst.ty));
                }
                Op::Line | Op::NoLine | Op::Nop if open.is_none() => {}
                Op::ExtInst if open.is_none() => {}
                Op::Label => {
                    if open.is_some() {
                        return Err(self.invalid(&inst, "block without a terminator before this label"));
                    }
                    open = Some(Block { label: inst.id, body: i + 1..i + 1, merge: None, end: 0 });
                }
                op if grammar::is_terminator(op) => {
                    let Some(mut block) = open.take() else {
                        return Err(self.invalid(&inst, "terminator outside of a block"));
                    };
                    block.end = i;
                    if block.merge.is_none() {
                        block.body.end = i;
                    }
                    function.by_label.insert(block.label, function.blocks.len());
                    function.blocks.push(block);
                }
                _ => {
                    let Some(block) = &mut open else {
                        return Err(self.invalid(&inst, "instruction outside of a block"));
                    };
                    let merge = match inst.op {
                        Op::SelectionMerge => Merge::Selection(self.operand(&inst, 0)?),
                        Op::LoopMerge => Merge::Loop(self.operand(&inst, 0)?, self.operand(&inst, 1)?),
                        Op::Line | Op::NoLine => continue,
                        _ if block.merge.is_some() => {
                            return Err(self.invalid(&inst, "instruction between a merge and its branch"));
                        }
                        Op::Variable => {
                            self.check_pointer(&inst)?;
                            continue;
                        }
                        _ => continue,
                    };
                    if block.merge.replace(merge).is_some() {
                        return Err(self.invalid(&inst, "two merge instructions in a block"));
                    }
                    block.body.end = i;
                }
            }
        }
        Err(self.invalid(&head, "function without OpFunctionEnd"))
    }
}
