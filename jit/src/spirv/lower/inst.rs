//! Lowering of single instructions, by their rows in [`crate::spirv::ops`].

use spirv::Op as SpvOp;

use super::{Lower, group};
use crate::error::{Error, Result};
use crate::ir::MemoryOperands;
use crate::spirv::grammar;
use crate::spirv::module::{ExtSet, Inst};
use crate::spirv::ops::{self, Expand};

impl<'m> Lower<'m> {
    /// Lowers one instruction of a block's body.
    pub(super) fn inst(&mut self, inst: &Inst) -> Result<()> {
        self.src = self.origin(inst);
        self.operands = MemoryOperands::default();
        self.said_aligned = 0;
        self.note_cooperation(inst);
        let m = self.module;
        let (row, operands) = match inst.op {
            SpvOp::ExtInst | SpvOp::ExtInstWithForwardRefsKHR => {
                let (set, number) = (m.operand(inst, 0)?, m.operand(inst, 1)?);
                match m.ext_set(set) {
                    Some(ExtSet::Glsl) => {}
                    Some(ExtSet::OpenCl) => return self.opencl(inst, number),
                    Some(ExtSet::DebugPrintf) if number == 1 => {
                        return group::printf(self, m.operands_from(inst, 2));
                    }
                    Some(ExtSet::ShaderDebug) => {
                        self.debug_inst(inst);
                        return Ok(());
                    }
                    Some(_) => return Ok(()),
                    None => return Err(m.invalid(inst, format!("id %{set} is not an instruction set"))),
                }
                match ops::glsl_row(number) {
                    Some(how) => (how, m.operands_from(inst, 2)),
                    None => {
                        let name = grammar::glsl_name(number).unwrap_or("unknown instruction");
                        return Err(m.unsupported(inst, format!("GLSL.std.450 {name} ({number})")));
                    }
                }
            }
            _ => match ops::row(inst.op) {
                Some(how) => (how, m.operands(inst)),
                None => {
                    return Err(m.unsupported(inst, format!("instruction {}", grammar::name_of(inst.op))));
                }
            },
        };
        self.expanded(row, inst, operands)
    }

    /// Lowers an instruction of OpenCL.std.
    fn opencl(&mut self, inst: &Inst, number: u32) -> Result<()> {
        let m = self.module;
        let Some(how) = ops::opencl_row(number) else {
            let name = grammar::opencl_name(number).unwrap_or("unknown instruction");
            return Err(m.unsupported(inst, format!("OpenCL.std {name} ({number})")));
        };
        let done = self.expanded(how, inst, m.operands_from(inst, 2));
        done.map_err(|e| match e {
            Error::Unsupported { what, place } => {
                let name = grammar::opencl_name(number).unwrap_or_default();
                Error::Unsupported { what: format!("{what}: OpenCL.std {name}"), place }
            }
            e => e,
        })
    }

    /// Lowers an instruction by its row; errors name it.
    fn expanded(&mut self, row: Expand, inst: &Inst, operands: &'m [u32]) -> Result<()> {
        let m = self.module;
        let result = self.expand(row, inst, operands);
        result.map_err(|e| match e {
            Error::Invalid { message, place } if place.word.is_none() => m.invalid(inst, message),
            Error::Unsupported { what, place } if place.word.is_none() => m.unsupported(inst, what),
            e => e,
        })?;
        if self.noted {
            self.note_partial(inst, operands)?;
        }
        self.work(1)
    }

    fn expand(&mut self, row: Expand, inst: &Inst, operands: &'m [u32]) -> Result<()> {
        match row {
            Expand::Ignore => Ok(()),
            Expand::Map(op) => {
                let scalars = self.map(op, inst, operands, false)?;
                self.define(inst, scalars)
            }
            Expand::Swap(op) => {
                let scalars = self.map(op, inst, operands, true)?;
                self.define(inst, scalars)
            }
            Expand::Value(f) => {
                let scalars = f(self, inst, operands)?;
                self.define(inst, scalars)
            }
            Expand::Do(f) => f(self, inst, operands),
            Expand::Global | Expand::Control => {
                Err(self.module.invalid(inst, "this instruction is not allowed in a block"))
            }
        }
    }
}
