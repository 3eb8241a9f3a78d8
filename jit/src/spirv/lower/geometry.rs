//! Vertices that geometry shaders emit.
//!
//! Outputs are private variables; emitting a vertex reads the variables of its stream. The set of outputs that the
//! shader writes is known only after the whole shader is lowered: until then vertices carry all outputs, and [`choose`]
//! keeps those that are written.

use spirv::Op as SpvOp;

use super::interface::outer;
use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{Imm, Interface, MAX_STREAMS, Node, Op, Region, Shader, Stage};
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

/// OpEmitVertex, OpEmitStreamVertex.
pub fn emit_vertex<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let stream = lower.stream_of(inst, operands)?;
    let leaves: Vec<_> = lower
        .io
        .outputs
        .iter()
        .flat_map(|o| o.leaves.iter().enumerate().map(|(elem, l)| (o.var, elem as u32, l.0)))
        .filter(|(_, _, interface)| interface.stream == stream)
        .collect();
    lower.work(leaves.len())?;
    let mut args = Scalars::new();
    for (var, elem, interface) in leaves {
        let v = lower.get_var(var, elem, interface.ty);
        args.push(lower.widen(&interface, v));
    }
    lower.emit(Op::EmitVertex, &args, Imm::Stream(stream), &[]);
    Ok(())
}

/// OpEndPrimitive, OpEndStreamPrimitive.
pub fn end_primitive<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let stream = lower.stream_of(inst, operands)?;
    lower.emit(Op::EndPrimitive, &[], Imm::Stream(stream), &[]);
    Ok(())
}

impl Lower<'_> {
    fn stream_of(&mut self, inst: &Inst, operands: &[u32]) -> Result<u32> {
        if self.shader.stage != Stage::Geometry {
            return Err(Error::invalid("only geometry shaders emit vertices"));
        }
        if !matches!(inst.op, SpvOp::EmitStreamVertex | SpvOp::EndStreamPrimitive) {
            return Ok(0);
        }
        let stream = self.id_at(operands, 0)?;
        match self.types.const_u32(stream)? {
            stream if (stream as usize) < MAX_STREAMS => Ok(stream),
            stream => Err(Error::Limit(format!("stream {stream}, must be less than {MAX_STREAMS}"))),
        }
    }

    /// Creates the variables of all outputs, so that every vertex has all outputs.
    pub(super) fn all_outputs(&mut self) -> Result<()> {
        let m = self.module;
        for &id in m.globals() {
            let Some(def) = m.def(id) else { continue };
            let output = matches!(m.ty(def.ty)?, Type::Pointer { class: spirv::StorageClass::Output, .. });
            if output && self.io.interface.contains(&id) {
                self.val(id)?;
            }
        }
        Ok(())
    }

    /// Lists the outputs that the shader writes.
    pub(super) fn emitted_outputs(&mut self) {
        for o in std::mem::take(&mut self.io.outputs) {
            for (interface, group) in o.leaves {
                let interface = Interface { ty: outer(interface.ty), ..interface };
                self.io.emitted.push(interface);
                let key = |i: &Interface| (i.slot, i.stream);
                if o.written[group] && !self.shader.outputs.iter().any(|i| key(i) == key(&interface)) {
                    self.shader.outputs.push(interface);
                }
            }
        }
    }
}

/// Reduces emitted vertices to the written outputs of their stream, in order. `leaves` lists all outputs that they
/// carry.
pub(super) fn choose(sh: &mut Shader, leaves: &[Interface]) {
    if sh.stage != Stage::Geometry {
        return;
    }
    let chosen: Vec<Vec<usize>> = (0..MAX_STREAMS as u32)
        .map(|stream| {
            let all: Vec<&Interface> = leaves.iter().filter(|l| l.stream == stream).collect();
            // If two variables share a slot, the later one counts, as it does where outputs are stored.
            sh.stream(stream).filter_map(|o| all.iter().rposition(|l| l.slot == o.slot)).collect()
        })
        .collect();
    let mut body = std::mem::take(&mut sh.body);
    rewrite(&mut body, &chosen);
    sh.body = body;
}

fn rewrite(region: &mut Region, chosen: &[Vec<usize>]) {
    for node in &mut region.nodes {
        match node {
            Node::Inst(inst) => {
                if let (Op::EmitVertex, &Imm::Stream(stream)) = (inst.op, &inst.imm) {
                    let wanted = &chosen[stream as usize];
                    inst.args = wanted.iter().filter_map(|&k| inst.args.get(k).copied()).collect();
                }
            }
            Node::If(n) => {
                rewrite(&mut n.then, chosen);
                rewrite(&mut n.els, chosen);
            }
            Node::Block(n) => rewrite(&mut n.body, chosen),
            Node::Loop(n) => rewrite(&mut n.body, chosen),
        }
    }
}
