//! Builder of machine instructions: adds operands in the order of the slots.

use iced_x86::Code;
use regalloc2::{Operand, PReg, VReg};
use smallvec::SmallVec;

use super::Lower;
use crate::inst::{Base, Cc, Inst, Kind, Mem, Op};
use crate::ops::M;
use crate::regs::{Slot, Width};

/// An address over virtual registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addr {
    pub base: Base,
    pub reg: Option<VReg>,
    /// Index register, and the binary logarithm of its factor.
    pub index: Option<(VReg, u8)>,
    /// Size of the index: [`Slot::M`] for a general register.
    pub vsib: Slot,
    pub disp: i32,
    /// `true` if a single element is broadcast.
    pub broadcast: bool,
}

impl Addr {
    pub fn of(base: Base) -> Addr {
        Addr { base, reg: None, index: None, vsib: Slot::M, disp: 0, broadcast: false }
    }
    pub fn reg(reg: VReg) -> Addr {
        Addr { reg: Some(reg), ..Addr::of(Base::Reg) }
    }
}

/// A register or memory operand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rm {
    Reg(VReg),
    Mem(Addr),
}

impl From<VReg> for Rm {
    fn from(r: VReg) -> Rm {
        Rm::Reg(r)
    }
}

/// An instruction under construction.
pub(crate) struct Build<'l, 'a> {
    lower: &'l mut Lower<'a>,
    op: Op,
    next: usize,
    regs: SmallVec<[Operand; 4]>,
    mem: SmallVec<[Operand; 2]>,
    mask: Option<Operand>,
    extra: SmallVec<[Operand; 3]>,
    /// Results tied to the registers of operands.
    tied: SmallVec<[(VReg, VReg); 2]>,
}

impl<'a> Lower<'a> {
    /// Starts a vector or mask instruction, which must exist at this level and width.
    pub fn m(&mut self, m: M, width: Width) -> Build<'_, 'a> {
        let code = m.code(self.level, width).unwrap_or(Code::INVALID);
        if code == Code::INVALID {
            self.missing.get_or_insert(m);
        }
        self.widest = self.widest.max(width);
        self.op(code, m.row().slots, width)
    }

    /// Starts an instruction on general registers.
    pub fn g<const N: usize>(&mut self, code: Code, slots: [Slot; N]) -> Build<'_, 'a> {
        let mut all = [Slot::N; 4];
        all[..N].copy_from_slice(&slots);
        self.op(code, all, Width::W128)
    }

    fn op(&mut self, code: Code, slots: [Slot; 4], width: Width) -> Build<'_, 'a> {
        let op = Op {
            code,
            slots,
            width,
            imm: 0,
            mem: None,
            masked: false,
            zeroing: false,
            broadcast: false,
            lock: false,
        };
        let (regs, mem, extra) = (SmallVec::new(), SmallVec::new(), SmallVec::new());
        Build { lower: self, op, next: 0, regs, mem, mask: None, extra, tied: SmallVec::new() }
    }

    /// Sets `d` to `x` if the condition holds, otherwise to `y`; vectors or masks.
    pub fn choose(&mut self, cc: Cc, width: Width, d: VReg, x: VReg, y: VReg) {
        self.widest = self.widest.max(width);
        let operands = [Operand::reg_reuse_def(d, 2), Operand::reg_use(x), Operand::reg_use(y)];
        self.inst(Kind::Choose { cc, width }, &operands);
    }

    /// Adds any other instruction.
    pub fn inst(&mut self, kind: Kind, operands: &[Operand]) {
        let first = self.operands.len() as u32;
        self.operands.extend_from_slice(operands);
        self.group.push(Inst { kind, first, count: operands.len() as u32, from: self.from });
    }
}

impl Build<'_, '_> {
    fn slot(&mut self, o: Operand) -> &mut Self {
        self.regs.push(o);
        self.next += 1;
        self
    }
    /// Adds a written slot.
    pub fn def(&mut self, d: VReg) -> &mut Self {
        self.slot(Operand::reg_def(d))
    }
    /// Adds a slot that is read and written: `a` becomes `d`.
    pub fn tied(&mut self, d: VReg, a: VReg) -> &mut Self {
        self.tied.push((d, a));
        self.slot(Operand::reg_def(d))
    }
    /// Adds a read slot.
    pub fn reg(&mut self, r: VReg) -> &mut Self {
        self.slot(Operand::reg_use(r))
    }
    /// Adds a slot that is a register or memory.
    pub fn rm(&mut self, rm: impl Into<Rm>) -> &mut Self {
        match rm.into() {
            Rm::Reg(r) => self.reg(r),
            Rm::Mem(a) => self.mem(a),
        }
    }
    /// Adds a memory slot.
    pub fn mem(&mut self, a: Addr) -> &mut Self {
        let scale = a.index.map(|(_, s)| s);
        let mem = Mem { base: a.base, scale, vsib: a.vsib, disp: a.disp };
        self.op.mem = Some((self.next as u8, mem));
        self.op.broadcast = a.broadcast;
        self.mem.extend(a.reg.into_iter().chain(a.index.map(|(r, _)| r)).map(Operand::reg_use));
        self.next += 1;
        self
    }
    /// Like `mem`, for instructions that write results before they have read the whole address.
    pub fn mem_late(&mut self, a: Addr) -> &mut Self {
        self.mem(a);
        for o in &mut self.mem {
            *o = Operand::reg_use_at_end(o.vreg());
        }
        self
    }
    /// Adds an immediate slot.
    pub fn imm(&mut self, v: i64) -> &mut Self {
        self.op.imm = v;
        self.next += 1;
        self
    }
    /// Adds a mask: lanes outside it keep the previous value of the result (with `tied`), or become zero.
    pub fn mask(&mut self, k: VReg, zeroing: bool) -> &mut Self {
        self.mask = Some(Operand::reg_use(k));
        (self.op.masked, self.op.zeroing) = (true, zeroing);
        self
    }
    /// Adds a slot that is read from register `r`.
    pub fn fixed(&mut self, v: VReg, r: PReg) -> &mut Self {
        self.slot(Operand::reg_fixed_use(v, r))
    }
    /// Adds a mask that the instruction overwrites; `after` is the final value of its register.
    pub fn consumed_mask(&mut self, k: VReg, after: VReg) -> &mut Self {
        self.mask = Some(Operand::reg_def(after));
        self.tied.push((after, k));
        self.op.masked = true;
        self
    }
    /// Adds an implicit read of register `r`.
    pub fn fixed_use(&mut self, v: VReg, r: PReg) -> &mut Self {
        self.extra.push(Operand::reg_fixed_use(v, r));
        self
    }
    /// Adds an implicit write of register `r`.
    pub fn fixed_def(&mut self, v: VReg, r: PReg) -> &mut Self {
        self.extra.push(Operand::reg_fixed_def(v, r));
        self
    }
    pub fn lock(&mut self) -> &mut Self {
        self.op.lock = true;
        self
    }
    /// Appends the instruction to the group of the current CLIF instruction.
    pub fn end(&mut self) {
        let mut all: SmallVec<[Operand; 8]> = SmallVec::new();
        all.extend(self.regs.iter().copied());
        all.extend(self.mem.iter().copied());
        all.extend(self.mask);
        all.extend(self.extra.iter().copied());
        for &(d, a) in &self.tied {
            let at = all.len();
            all.push(Operand::reg_use(a));
            for o in &mut all {
                if *o == Operand::reg_def(d) {
                    *o = Operand::reg_reuse_def(d, at);
                }
            }
        }
        let op = self.op;
        self.lower.inst(Kind::Op(op), &all);
    }
}
