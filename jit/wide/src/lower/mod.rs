//! Instruction selection: CLIF to machine instructions over virtual registers.
//!
//! Owns the selection order, the forms in which values are held, and the folding of constants, loads and addresses into
//! operands. Blocks are lowered from the last to the first, and instructions backwards, so that unused values are never
//! computed. The rows of [`table`] define the lowering of each instruction; their functions are in the other files of
//! this folder.

pub(crate) mod build;
pub(crate) mod common;
pub(crate) mod compare;
mod constant;
pub(crate) mod control;
pub(crate) mod convert;
pub(crate) mod intrinsic;
mod known;
pub(crate) mod lanes;
pub(crate) mod loops;
pub(crate) mod memory;
pub(crate) mod number;
pub(crate) mod scalar;
mod shift;
pub(crate) mod table;
pub(crate) mod vector;

use cranelift_codegen::ir::{
    Block, ExternalName, Function, Inst as ClifInst, InstructionData, Opcode, SourceLoc, Type, Value,
    ValueDef, types,
};
use regalloc2::{Operand, RegClass, VReg};
use rustc_hash::FxHashMap;

use crate::consts::{ConstId, Consts};
use crate::inst::{Base, Inst, Kind, Machine};
use crate::intrinsics::Intrinsic;
use crate::masks::{Truths, truth_constant};
use crate::ops::M;
use crate::regs::{Abi, Width};
use crate::slices;
use crate::{Error, Level, Options, Result};
use build::{Addr, Rm};
use table::Rule;

/// The registers of a value, created on first use.
#[derive(Clone, Copy, Default)]
struct Forms {
    /// General or vector register.
    main: Option<VReg>,
    /// Mask register.
    mask: Option<VReg>,
}

/// State of instruction selection.
pub(crate) struct Lower<'a> {
    pub function: &'a Function,
    pub level: Level,
    /// See [`Options::vnni`].
    pub vnni: bool,
    pub abi: Abi,
    /// Machine instructions of the current CLIF instruction, and its source location.
    group: Vec<Inst>,
    from: SourceLoc,
    operands: Vec<Operand>,
    forms: Vec<Forms>,
    /// Number of uses of each value by live instructions.
    uses: Vec<u32>,
    /// Origin of each value: see `root`.
    roots: Vec<Value>,
    /// `true` if a value, and every value between it and its origin, has a single use.
    alone: Vec<bool>,
    /// Sums of products that the sum of a later product overwrites: the number of sums behind them.
    sums: FxHashMap<Value, u32>,
    /// Number of instructions with effects before each instruction, across blocks.
    epochs: Vec<u32>,
    /// Epoch of the current instruction.
    here: u32,
    truths: Truths,
    loops: loops::Loops,
    vregs: usize,
    pub consts: Consts,
    names: Vec<(ConstId, ExternalName)>,
    stack_offsets: Vec<u32>,
    stack: u32,
    outgoing: u32,
    calls: bool,
    /// The widest vector of all values and instructions.
    widest: Width,
    /// A requested machine operation that does not exist.
    missing: Option<M>,
}

/// Selects the instructions of a function.
pub(crate) fn lower(f: &Function, options: &Options) -> Result<Machine> {
    let order = reverse_postorder(f);
    let mut l = Lower::new(f, options, &order)?;
    l.plan_loops();
    control::check_signature(&l, &f.signature)?;
    control::blocks(&mut l, &order)
}

/// Reachable blocks, each before the blocks that it dominates.
fn reverse_postorder(f: &Function) -> Vec<Block> {
    let Some(entry) = f.layout.entry_block() else { return Vec::new() };
    let mut seen = vec![false; f.dfg.num_blocks()];
    let mut order = Vec::new();
    let mut stack = vec![(entry, 0)];
    seen[entry.as_u32() as usize] = true;
    while let Some((block, next)) = stack.pop() {
        let succ = successors(f, block).nth(next);
        match succ {
            Some(s) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut seen[s.as_u32() as usize], true) {
                    stack.push((s, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

/// Successors of a block, repeated as often as the block names them.
fn successors(f: &Function, block: Block) -> impl Iterator<Item = Block> {
    let last = f.layout.last_inst(block);
    let calls = last
        .map_or(&[][..], |i| f.dfg.insts[i].branch_destination(&f.dfg.jump_tables, &f.dfg.exception_tables));
    calls.iter().map(|c| c.block(&f.dfg.value_lists))
}

impl<'a> Lower<'a> {
    fn new(f: &'a Function, options: &Options, order: &[Block]) -> Result<Lower<'a>> {
        let truths = Truths::of(f, order);
        let mut uses = vec![0u32; f.dfg.num_values()];
        let mut epochs = vec![0; f.dfg.num_insts()];
        let mut epoch = 0;
        for &b in order {
            epoch += 1;
            for inst in f.layout.block_insts(b) {
                epochs[inst.as_u32() as usize] = epoch;
                if has_effect(f, inst) {
                    epoch += 1;
                }
            }
        }
        for inst in order.iter().rev().flat_map(|&b| f.layout.block_insts(b).rev()) {
            let used = |&v: &Value| uses[v.as_u32() as usize] > 0;
            if has_effect(f, inst) || f.dfg.inst_results(inst).iter().any(used) {
                let mut used = |v: Value| uses[f.dfg.resolve_aliases(v).as_u32() as usize] += 1;
                match slices::rejoined(f, inst) {
                    Some(whole) => used(whole),
                    None => f.dfg.inst_values(inst).for_each(used),
                }
            }
        }
        let (roots, alone) = origins(f, order, &uses);
        let mut stack_offsets = Vec::new();
        let mut stack = 0u64;
        for slot in f.sized_stack_slots.values() {
            let align = if slot.size >= 64 { 64 } else { 1u64 << slot.align_shift.clamp(4, 6) };
            stack = stack.next_multiple_of(align);
            stack_offsets.push(stack as u32);
            stack += u64::from(slot.size);
        }
        if stack > 1 << 30 {
            return Err(Error::Frame(stack));
        }
        Ok(Lower {
            function: f,
            level: options.level,
            vnni: options.vnni,
            abi: Abi::of(f.signature.call_conv)?,
            group: Vec::new(),
            from: SourceLoc::default(),
            operands: Vec::new(),
            forms: vec![Forms::default(); f.dfg.num_values()],
            uses,
            roots,
            alone,
            sums: FxHashMap::default(),
            epochs,
            here: 0,
            truths,
            loops: loops::find(f, order),
            vregs: 0,
            consts: Consts::default(),
            names: Vec::new(),
            stack_offsets,
            stack: stack as u32,
            outgoing: 0,
            calls: false,
            widest: Width::W128,
            missing: None,
        })
    }

    // Values.

    pub fn ty(&self, v: Value) -> Type {
        self.function.dfg.value_type(v)
    }

    /// Origin of a value, past aliases and instructions that keep it in the same register.
    pub fn root(&self, v: Value) -> Value {
        self.roots[v.as_u32() as usize]
    }

    /// The instruction that defines a value.
    pub fn def(&self, v: Value) -> Option<(ClifInst, &'a InstructionData)> {
        match self.function.dfg.value_def(self.function.dfg.resolve_aliases(v)) {
            ValueDef::Result(inst, _) => Some((inst, &self.function.dfg.insts[inst])),
            _ => None,
        }
    }

    /// The arguments of the instruction that defines a value, if it has this opcode.
    pub fn args_of(&self, v: Value, opcode: Opcode) -> Option<&'a [Value]> {
        let (inst, data) = self.def(v)?;
        (data.opcode() == opcode).then(|| self.function.dfg.inst_args(inst))
    }

    pub fn args(&self, inst: ClifInst) -> &'a [Value] {
        self.function.dfg.inst_args(inst)
    }

    pub fn result(&self, inst: ClifInst) -> Value {
        self.function.dfg.first_result(inst)
    }

    /// `true` if a value has a single use, so that it may be computed as part of that use.
    pub fn once(&self, v: Value) -> bool {
        self.uses[self.function.dfg.resolve_aliases(v).as_u32() as usize] == 1
    }

    /// Like [`Lower::once`], for all values from `v` to its root.
    pub fn once_to_root(&self, v: Value) -> bool {
        self.alone[v.as_u32() as usize]
    }

    /// Creates a virtual register.
    pub fn vreg(&mut self, class: RegClass) -> VReg {
        self.vregs += 1;
        VReg::new(self.vregs - 1, class)
    }
    pub fn int(&mut self) -> VReg {
        self.vreg(RegClass::Int)
    }
    pub fn vec(&mut self) -> VReg {
        self.vreg(RegClass::Float)
    }
    pub fn mask(&mut self) -> VReg {
        self.vreg(RegClass::Vector)
    }

    /// Creates the general or vector register of a value. Moves between registers and spills are as wide as the widest value,
    /// even if no instruction is.
    fn register(&mut self, v: Value) -> VReg {
        let ty = self.ty(v);
        self.widest = self.widest.max(Width::of(ty));
        self.vreg(class(ty))
    }

    /// `true` if a value is held in a mask register.
    pub fn in_mask(&self, v: Value) -> bool {
        self.level == Level::Avx512 && self.truths.get(self.function, v)
    }

    /// `true` if the lanes of a value are all ones or all zeros.
    pub fn is_truth(&self, v: Value) -> bool {
        self.truths.get(self.function, v)
            || truth_constant(self.function, self.root(v))
                && self.ty(self.root(v)).lane_count() == self.ty(v).lane_count()
    }

    /// The register of a result, in the form in which the result is held.
    pub fn d(&mut self, v: Value) -> VReg {
        let v = self.function.dfg.resolve_aliases(v);
        let (i, mask) = (v.as_u32() as usize, self.in_mask(v));
        let held = if mask { self.forms[i].mask } else { self.forms[i].main };
        if let Some(r) = held {
            return r;
        }
        let r = if mask { self.mask() } else { self.register(v) };
        *(if mask { &mut self.forms[i].mask } else { &mut self.forms[i].main }) = Some(r);
        r
    }

    /// `true` if a register of a value has been requested.
    fn wanted(&self, v: Value) -> bool {
        let form = self.forms[v.as_u32() as usize];
        form.main.is_some() || form.mask.is_some()
    }

    /// Register of a value, in a general or vector register.
    pub fn r(&mut self, v: Value) -> VReg {
        let root = self.root(v);
        if let Some(r) = self.constant(root) {
            return r;
        }
        let i = root.as_u32() as usize;
        if let Some(r) = self.forms[i].main {
            return r;
        }
        let r = self.register(root);
        self.forms[i].main = Some(r);
        r
    }

    /// Mask register of a boolean vector; for any other vector, of the sign bits of its lanes.
    pub fn k(&mut self, v: Value) -> VReg {
        let root = self.root(v);
        let ty = self.ty(v);
        if self.ty(root).lane_count() == ty.lane_count() {
            if truth_constant(self.function, root) {
                let bits = self.const_lanes(root).map_or(0, |l| {
                    l.iter().enumerate().fold(0u64, |m, (i, &x)| if x != 0 { m | 1 << i } else { m })
                });
                return self.mask_constant(bits);
            }
            if self.in_mask(root) {
                return self.d(root);
            }
        }
        let (d, x) = (self.mask(), self.r(v));
        let m = by_lane(ty, [M::Pmovb2m, M::Pmovw2m, M::Pmovd2m, M::Pmovq2m]);
        self.m(m, Width::of(ty)).def(d).reg(x).end();
        d
    }

    /// Loads these bits into a mask register.
    pub fn mask_constant(&mut self, bits: u64) -> VReg {
        let k = self.mask();
        if bits & bits.wrapping_add(1) == 0 && matches!(bits.count_ones(), 8 | 16 | 32 | 64) {
            self.inst(Kind::Ones(bits.count_ones() as u8), &[Operand::reg_def(k)]);
            return k;
        }
        let r = self.int();
        self.load_int(r, bits as i64);
        let m = if bits >> 32 == 0 { M::KmovInd } else { M::KmovInq };
        self.m(m, Width::W128).def(k).reg(r).end();
        k
    }

    /// Converts a result that is held in one form and also requested in the other.
    fn other_form(&mut self, v: Value) {
        let forms = self.forms[v.as_u32() as usize];
        if let (Some(main), Some(k)) = (forms.main, forms.mask) {
            let ty = self.ty(v);
            let m = by_lane(ty, [M::Pmovm2b, M::Pmovm2w, M::Pmovm2d, M::Pmovm2q]);
            self.m(m, Width::of(ty)).def(main).reg(k).end();
        }
    }

    // Operands.

    /// A vector or scalar float as the operand of a machine operation: a register, a constant, a load, or a broadcast
    /// load.
    pub fn rm(&mut self, v: Value, m: M) -> Rm {
        let root = self.root(v);
        if let Some(bytes) = self.const_bytes(root).filter(|_| !self.ty(root).is_int()) {
            return self.const_operand(m, &bytes);
        }
        if let Some(a) = self.folded_load(v, self.ty(v).bytes()) {
            return Rm::Mem(a);
        }
        if let (Some(&[x]), true) = (self.args_of(root, Opcode::Splat), self.level == Level::Avx512) {
            let n = u32::from(m.row().broadcast) / 8;
            if self.ty(x).bytes() == n && self.once_to_root(v) {
                if let Some(a) = self.folded_load(x, n) {
                    return Rm::Mem(Addr { broadcast: true, ..a });
                }
            }
        }
        Rm::Reg(self.r(v))
    }

    /// The address of a value, if the value is a plain load of `bytes` bytes that its use may fold.
    pub fn folded_load(&mut self, v: Value, bytes: u32) -> Option<Addr> {
        let root = self.root(v);
        let (inst, data) = self.def(root)?;
        let InstructionData::Load { opcode: Opcode::Load, arg, offset, .. } = *data else { return None };
        let near = self.epochs[inst.as_u32() as usize] == self.here;
        if self.ty(root).bytes() != bytes || !near || !self.once_to_root(v) {
            return None;
        }
        Some(self.addr(arg, offset.into()))
    }

    /// The address `v + offset`.
    pub fn addr(&mut self, v: Value, offset: i32) -> Addr {
        let (mut v, mut disp) = (v, offset);
        let mut index = None;
        for _ in 0..8 {
            let Some(&[a, b]) = self.args_of(v, Opcode::Iadd) else { break };
            let moved = |x: Value| displaced(disp, self.int_const(x)?);
            if let Some(sum) = moved(b) {
                (v, disp) = (a, sum);
            } else if let Some(sum) = moved(a) {
                (v, disp) = (b, sum);
            } else if index.is_none()
                && self.uses[self.function.dfg.resolve_aliases(v).as_u32() as usize] <= 2
            {
                let scaled = |l: &Self, x: Value| {
                    let &[y, n] = l.args_of(x, Opcode::Ishl)? else { return None };
                    let n = l.int_const(n).filter(|n| (0..=3).contains(n))?;
                    Some((y, n as u8))
                };
                (v, index) = match (scaled(self, b), scaled(self, a)) {
                    (Some(s), _) => (a, Some(s)),
                    (None, Some(s)) => (b, Some(s)),
                    _ => (a, Some((b, 0))),
                };
            } else {
                break;
            }
        }
        let index = index.map(|(x, s)| (self.r(x), s));
        if let Some((_, &InstructionData::StackAddr { stack_slot, offset, .. })) = self.def(v) {
            let at = self.stack_offsets[stack_slot.as_u32() as usize] as i32;
            // Stack slots are above the outgoing arguments; the frame determines their position.
            let place = displaced(at, offset.into()).and_then(|at| displaced(at, disp.into()));
            if let Some(disp) = place {
                return Addr { index, disp, ..Addr::of(Base::Stack(0)) };
            }
        }
        Addr { index, disp, ..Addr::reg(self.r(v)) }
    }

    /// Lowers an instruction that is not a terminator.
    fn lower_inst(&mut self, inst: ClifInst) -> Result<()> {
        self.here = self.epochs[inst.as_u32() as usize];
        let data = &self.function.dfg.insts[inst];
        let results = self.function.dfg.inst_results(inst);
        if !has_effect(self.function, inst) && !results.iter().any(|&r| self.wanted(r)) {
            return Ok(());
        }
        let ty = key_type(self.function, inst);
        let rule = table::find(data.opcode(), ty).ok_or(Error::Unsupported(data.opcode(), ty))?;
        if ty.is_vector() && (ty.bits() < 128 || ty.bits() == 512 && self.level == Level::Avx2) {
            return Err(Error::Unsupported(data.opcode(), ty));
        }
        // A result that is only requested in its other form is computed in its own form first.
        for &r in results {
            if self.wanted(r) {
                self.d(r);
            }
        }
        match *rule {
            Rule::Binary(m) => vector::binary(self, inst, m, false)?,
            Rule::Commutative(m) => vector::binary(self, inst, m, true)?,
            Rule::Unary(m) => common::unary(self, inst, m)?,
            Rule::Round(m, how) => vector::round(self, inst, m, how)?,
            Rule::Shift(by_constant, by_register) => shift::vector(self, inst, by_constant, by_register)?,
            Rule::Sign(how) => vector::sign(self, inst, how)?,
            Rule::Alu(codes) => scalar::alu(self, inst, codes)?,
            Rule::Do(f) => {
                if !f(self, inst)? {
                    return Err(Error::Unsupported(data.opcode(), ty));
                }
            }
        }
        if self.missing.take().is_some() {
            return Err(Error::Unsupported(data.opcode(), ty));
        }
        for &r in results {
            self.other_form(r);
        }
        Ok(())
    }
}

/// A displacement plus a constant, if the instruction can hold the sum.
fn displaced(disp: i32, k: i64) -> Option<i32> {
    i64::from(disp).checked_add(k)?.try_into().ok()
}

/// Type that determines the rule of an instruction: its controlling type, otherwise the type of its argument.
fn key_type(f: &Function, inst: ClifInst) -> Type {
    let ty = f.dfg.ctrl_typevar(inst);
    let arg = || f.dfg.inst_args(inst).first().map_or(types::INVALID, |&a| f.dfg.value_type(a));
    match f.dfg.insts[inst].opcode() {
        Opcode::VhighBits => arg(),
        _ if ty == types::INVALID => arg(),
        _ => ty,
    }
}

/// The value whose register already holds the result: for bitcasts between vectors, the low part of an integer, an integer that is
/// extended with zeros that are there, the first lane of a float vector, and a vector that is put together from all of its bits.
fn same_register(f: &Function, inst: ClifInst, result: Value) -> Option<Value> {
    let ty = |v: Value| f.dfg.value_type(v);
    match f.dfg.insts[inst] {
        InstructionData::LoadNoOffset { opcode: Opcode::Bitcast, arg, .. } => {
            (ty(result).is_vector() && ty(arg).is_vector()).then_some(arg)
        }
        InstructionData::Unary { opcode: Opcode::Ireduce, arg } => (ty(arg).bits() <= 64).then_some(arg),
        InstructionData::Unary { opcode: Opcode::Uextend, arg } => {
            (ty(result) == types::I64 && clears_upper_half(f, arg)).then_some(arg)
        }
        InstructionData::BinaryImm8 { opcode: Opcode::Extractlane, arg, imm: 0 } => {
            ty(result).is_float().then_some(arg)
        }
        _ => slices::rejoined(f, inst),
    }
}

/// `true` if the instruction that defines a value writes 32 bits of a general register, which clears the others.
fn clears_upper_half(f: &Function, v: Value) -> bool {
    let v = f.dfg.resolve_aliases(v);
    let ValueDef::Result(inst, _) = f.dfg.value_def(v) else { return false };
    let writes_half = matches!(
        f.dfg.insts[inst].opcode(),
        Opcode::Iadd
            | Opcode::Isub
            | Opcode::Imul
            | Opcode::Band
            | Opcode::Bor
            | Opcode::Bxor
            | Opcode::Ishl
            | Opcode::Ushr
            | Opcode::Load
    );
    f.dfg.value_type(v) == types::I32 && writes_half
}

/// Origin of each value, and `true` if all values on the way have a single use.
fn origins(f: &Function, order: &[Block], uses: &[u32]) -> (Vec<Value>, Vec<bool>) {
    let values = || (0..f.dfg.num_values() as u32).map(Value::from_u32);
    let mut roots: Vec<Value> = values().map(|v| f.dfg.resolve_aliases(v)).collect();
    let mut alone: Vec<bool> = roots.iter().map(|v| uses[v.as_u32() as usize] == 1).collect();
    for inst in order.iter().flat_map(|&b| f.layout.block_insts(b)) {
        let &[result] = f.dfg.inst_results(inst) else { continue };
        if let Some(arg) = same_register(f, inst, result) {
            let (r, arg) = (result.as_u32() as usize, f.dfg.resolve_aliases(arg).as_u32() as usize);
            roots[r] = roots[arg];
            alone[r] &= alone[arg];
        }
    }
    for v in values() {
        let (v, real) = (v.as_u32() as usize, f.dfg.resolve_aliases(v).as_u32() as usize);
        (roots[v], alone[v]) = (roots[real], alone[real]);
    }
    (roots, alone)
}

/// `true` for instructions that are kept even if unused, and that keep their order.
fn has_effect(f: &Function, inst: ClifInst) -> bool {
    let opcode = f.dfg.insts[inst].opcode();
    match opcode {
        Opcode::Load => false,
        Opcode::Call => !Intrinsic::called(f, inst).is_some_and(|i| i.is_pure()),
        _ => {
            let loads = matches!(
                opcode,
                Opcode::Uload8
                    | Opcode::Sload8
                    | Opcode::Uload16
                    | Opcode::Sload16
                    | Opcode::Uload32
                    | Opcode::Sload32
                    | Opcode::Uload8x8
                    | Opcode::Sload8x8
                    | Opcode::Uload16x4
                    | Opcode::Sload16x4
                    | Opcode::Uload32x2
                    | Opcode::Sload32x2
            );
            !loads
                && (opcode.other_side_effects()
                    || opcode.can_store()
                    || opcode.can_trap()
                    || opcode.can_load()
                    || opcode.is_call()
                    || opcode.is_terminator())
        }
    }
}

/// Register class of a type.
pub(crate) fn class(ty: Type) -> RegClass {
    if ty.is_vector() || ty.is_float() { RegClass::Float } else { RegClass::Int }
}

fn width_of(bytes: usize) -> Width {
    match bytes {
        64 => Width::W512,
        32 => Width::W256,
        _ => Width::W128,
    }
}

/// Selects from four items by lane width: 8, 16, 32, 64 bits.
pub(crate) fn by_lane<T: Copy>(ty: Type, of: [T; 4]) -> T {
    of[ty.lane_type().bits().trailing_zeros() as usize - 3]
}

/// Selects from four items by the number of lanes in a mask: up to 8, 16, 32, 64.
pub(crate) fn by_count<T: Copy>(ty: Type, of: [T; 4]) -> T {
    of[(ty.lane_count().max(8).trailing_zeros() - 3) as usize]
}
