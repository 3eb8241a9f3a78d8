//! Emission of machine code: from allocated machine instructions to bytes.
//!
//! Owns the bytes, labels and the placement of constants. Leaves the stack frame to [`frame`], and single instructions
//! to [`encode`].

mod encode;
mod frame;
mod pseudo;

use cranelift_codegen::ir::SourceLoc;
use iced_x86::Encoder;
use regalloc2::{Edit, InstOrEdit, Output};

use crate::consts::ConstId;
use crate::inst::{Kind, Machine};
use crate::{Compiled, Error, Level, Reloc, Result, Times};
use frame::Frame;

/// State of the emission of a function.
pub(crate) struct Emit<'m> {
    machine: &'m Machine,
    output: &'m Output,
    level: Level,
    encoder: Encoder,
    /// Number of bytes written so far.
    at: u32,
    frame: Frame,
    /// Offset of each block.
    labels: Vec<u32>,
    /// Final target of a branch to each block: blocks that only jump are skipped.
    threaded: Vec<u32>,
    /// The block after the current block.
    next: Option<u32>,
    /// Branch displacements to patch: offset of the field, and target block.
    branches: Vec<(u32, u32)>,
    /// Displacements of short jumps over an instruction.
    shorts: Vec<(u32, i8)>,
    /// Displacements of constants to patch: offset of the field, end of the instruction, addend, constant.
    loads: Vec<(u32, u32, i32, ConstId)>,
    /// Displacements of jump tables to patch: offset of the field, and number of the table.
    table_loads: Vec<(u32, usize)>,
    tables: Vec<Vec<u32>>,
    traps: Vec<(u32, cranelift_codegen::ir::TrapCode)>,
    places: Vec<(u32, SourceLoc)>,
}

/// Follows each block that only jumps to its final target. In a cycle of such blocks, the target is one of its blocks.
fn follow(direct: &[Option<u32>]) -> Vec<u32> {
    const OPEN: u32 = u32::MAX;
    const ON_THE_WAY: u32 = u32::MAX - 1;
    let mut to = vec![OPEN; direct.len()];
    let mut way = Vec::new();
    for b in 0..direct.len() as u32 {
        let mut at = b;
        while to[at as usize] == OPEN {
            to[at as usize] = ON_THE_WAY;
            way.push(at);
            let Some(next) = direct[at as usize] else { break };
            at = next;
        }
        let end = if to[at as usize] == ON_THE_WAY { at } else { to[at as usize] };
        way.drain(..).for_each(|w| to[w as usize] = end);
    }
    to
}

/// Makes the tables of the encoder, unless they exist.
pub(crate) fn make_tables() {
    drop(Encoder::new(64));
}

/// Emits a function.
pub(crate) fn emit(machine: &Machine, output: &Output, level: Level) -> Result<Compiled> {
    let frame = Frame::new(machine, output)?;
    let mut e = Emit {
        machine,
        output,
        level,
        encoder: Encoder::new(64),
        at: 0,
        frame,
        labels: vec![0; machine.blocks.len()],
        threaded: Vec::new(),
        next: None,
        branches: Vec::new(),
        shorts: Vec::new(),
        loads: Vec::new(),
        table_loads: Vec::new(),
        tables: Vec::new(),
        traps: Vec::new(),
        places: Vec::new(),
    };
    e.thread();
    e.prologue()?;
    // Find the block after each block in emission order.
    let mut behind = Vec::with_capacity(machine.emitted.len());
    let mut next = None;
    for &b in machine.emitted.iter().rev() {
        behind.push(next);
        if e.threaded[b as usize] == b {
            next = Some(b);
        }
    }
    for (&b, next) in machine.emitted.iter().zip(behind.into_iter().rev()) {
        e.next = next;
        e.block(b as usize)?;
    }
    e.finish()
}

impl Emit<'_> {
    /// Computes `threaded`: skips blocks that only contain a jump.
    fn thread(&mut self) {
        let only_jump = |b: usize| -> Option<u32> {
            let block = &self.machine.blocks[b];
            let mut all = self.output.block_insts_and_edits(self.machine, regalloc2::Block::new(b));
            let quiet = all.all(|x| match x {
                InstOrEdit::Inst(i) => matches!(self.machine.insts[i.index()].kind, Kind::Jump(_)),
                InstOrEdit::Edit(Edit::Move { from, to }) => from == to,
            });
            match self.machine.insts[block.end as usize - 1].kind {
                Kind::Jump(t) if quiet && b != 0 => Some(t),
                _ => None,
            }
        };
        let direct: Vec<Option<u32>> = (0..self.machine.blocks.len()).map(only_jump).collect();
        self.threaded = follow(&direct);
    }

    fn block(&mut self, b: usize) -> Result<()> {
        self.labels[b] = self.at;
        if self.threaded[b] != b as u32 {
            return Ok(());
        }
        let (machine, output) = (self.machine, self.output);
        for x in output.block_insts_and_edits(machine, regalloc2::Block::new(b)) {
            match x {
                InstOrEdit::Edit(&Edit::Move { from, to }) => self.moved(from, to)?,
                InstOrEdit::Inst(i) => {
                    self.from(machine.insts[i.index()].from);
                    self.inst(i.index())?;
                }
            }
        }
        Ok(())
    }

    /// Starts a new source location for the instructions that follow.
    fn from(&mut self, place: SourceLoc) {
        let last = self.places.last().map_or_else(SourceLoc::default, |p| p.1);
        if place != last {
            self.places.push((self.at, place));
        }
    }

    /// `true` if execution falls through from the current block to block `to`.
    fn falls(&self, to: u32) -> bool {
        self.next == Some(to)
    }

    fn byte(&mut self, b: u8) {
        self.encoder.write_u8(b);
        self.at += 1;
    }

    fn jump(&mut self, to: u32) {
        let to = self.threaded[to as usize];
        if !self.falls(to) {
            self.byte(0xe9);
            self.branch_field(to);
        }
    }

    /// Jumps if the condition with number `cc` holds.
    fn jump_if(&mut self, cc: usize, to: u32) {
        let to = self.threaded[to as usize];
        self.byte(0x0f);
        self.byte(0x80 + cc as u8);
        self.branch_field(to);
    }

    fn branch_field(&mut self, to: u32) {
        self.branches.push((self.at, to));
        (0..4).for_each(|_| self.byte(0));
    }

    /// Appends constants and jump tables to the code, then patches all displacements.
    fn finish(mut self) -> Result<Compiled> {
        let mut bytes = self.encoder.take_buffer();
        let code_len = bytes.len();
        let at = self.machine.consts.place(&mut bytes);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let patch = |bytes: &mut Vec<u8>, field: u32, value: i64| {
            let value = i32::try_from(value).map_err(|_| Error::Encoding("displacement".into()))?;
            bytes[field as usize..field as usize + 4].copy_from_slice(&value.to_le_bytes());
            Ok::<(), Error>(())
        };
        for &(field, to) in &self.branches {
            patch(&mut bytes, field, i64::from(self.labels[to as usize]) - i64::from(field) - 4)?;
        }
        for &(field, distance) in &self.shorts {
            bytes[field as usize] = distance as u8;
        }
        for &(field, end, add, id) in &self.loads {
            let target = i64::from(at[id.0 as usize]) + i64::from(add);
            patch(&mut bytes, field, target - i64::from(end))?;
        }
        for &(field, table) in &self.table_loads {
            let start = bytes.len() as i64;
            patch(&mut bytes, field, start - i64::from(field) - 4)?;
            for &t in &self.tables[table] {
                let to = i64::from(self.labels[self.threaded[t as usize] as usize]);
                bytes.extend_from_slice(&((to - start) as i32).to_le_bytes());
            }
        }
        let reloc = |(id, name): &(ConstId, _)| Reloc { offset: at[id.0 as usize], name: Clone::clone(name) };
        Ok(Compiled {
            bytes,
            code_len,
            alignment: self.machine.consts.alignment().max(16),
            relocs: self.machine.names.iter().map(reloc).collect(),
            traps: self.traps,
            places: self.places,
            frame_bytes: self.frame.size,
            insts: self.machine.insts.len(),
            times: Times::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::follow;

    #[test]
    fn jumps_are_followed_to_their_end() {
        // 0 -> 1 -> 2; 3 and 4 form a cycle, and 5 leads into it.
        let to = follow(&[Some(1), Some(2), None, Some(4), Some(3), Some(4)]);
        assert_eq!(to[..3], [2, 2, 2]);
        assert!(to[3] == to[4] && to[5] == to[4] && [3, 4].contains(&to[3]), "{to:?}");
    }
}
