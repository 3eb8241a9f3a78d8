//! Random structured programs: compares generated code with the interpreter, at every lane count.
//!
//! The programs look like those of the front end: constructs with results, breaks over several levels, early returns,
//! variables, memory, atomics and group operations. An error in any mask changes the results.
//! `QUADRILLE_TEST_SEEDS=FROM+COUNT` selects other seeds than the first few.
#![expect(unsafe_code, reason = "calls lane functions")]

use std::sync::Arc;

use smallvec::SmallVec;

use super::super::*;
use crate::abi::{BindingLayout, Ctx, DESCRIPTOR_BYTES, Descriptor, MAX_SETS, PUSH_BYTES};
use crate::ir::operand::Reduction;
use crate::ir::{
    AtomicOp, Binding, Block, BuiltIn, End, GroupOp, If, Imm, Inst, Label, Loop, Mem, Node, Op, Region,
    ResourceKind, Src, StageKind, Value, Var, VarDecl,
};

struct NoImages;

impl ImageOps for NoImages {
    fn intern(&self, _: &ImageOp) -> Result<u32> {
        Err(Error::unsupported("images"))
    }
}

/// SplitMix64 generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const INPUT_WORDS: u32 = 64;
/// Number of output words per invocation.
const SLOTS: u32 = 8;
const LOCAL: u32 = 13;
const GROUPS: u32 = 2;

/// Types that programs compute with.
const TYPES: [Ty; 3] = [Ty::I32, Ty::F32, Ty::Bool];

struct Maker {
    shader: Shader,
    random: Random,
    /// Values in scope.
    scope: Vec<Value>,
    /// Open constructs with their results.
    labels: Vec<(Label, Vec<Ty>)>,
    /// Number of nodes that may still be created.
    budget: u32,
    input: Value,
    output: Value,
    counter: Value,
    id: Value,
}

impl Maker {
    fn emit(&mut self, to: &mut Region, op: Op, ty: Ty, args: &[Value], imm: Imm) -> Value {
        let v = self.shader.new_value(ty);
        self.push(to, op, args, &[v], imm);
        if TYPES.contains(&ty) {
            self.scope.push(v);
        }
        v
    }

    fn push(&mut self, to: &mut Region, op: Op, args: &[Value], results: &[Value], imm: Imm) {
        let (args, results) = (SmallVec::from_slice(args), SmallVec::from_slice(results));
        to.nodes.push(Node::Inst(Inst { op, args, results, imm, src: Src::default() }));
    }

    fn constant(&mut self, to: &mut Region, ty: Ty) -> Value {
        let bits = match ty {
            Ty::Bool => self.random.next() & 1,
            Ty::F32 => u64::from(((self.random.below(64) as f32) * 0.37 - 8.0).to_bits()),
            _ => self.random.next() % 16,
        };
        self.emit(to, Op::Const, ty, &[], Imm::Bits(bits))
    }

    fn int(&mut self, to: &mut Region, bits: u32) -> Value {
        self.emit(to, Op::Const, Ty::I32, &[], Imm::Bits(u64::from(bits)))
    }

    /// A value of this type in scope, likely a recent one, or a constant.
    fn value(&mut self, to: &mut Region, ty: Ty) -> Value {
        let known: Vec<Value> = self.scope.iter().copied().filter(|&v| self.shader.ty(v) == ty).collect();
        if known.is_empty() || self.random.chance(10) {
            return self.constant(to, ty);
        }
        let back = self.random.below(known.len()).min(self.random.below(known.len()));
        known[known.len() - 1 - back]
    }

    fn values(&mut self, to: &mut Region, tys: &[Ty]) -> Vec<Value> {
        tys.iter().map(|&ty| self.value(to, ty)).collect()
    }

    fn types(&mut self) -> Vec<Ty> {
        (0..self.random.below(3)).map(|_| self.random.pick(&TYPES)).collect()
    }

    fn results(&mut self, tys: &[Ty]) -> Vec<Value> {
        tys.iter().map(|&ty| self.shader.new_value(ty)).collect()
    }

    fn instruction(&mut self, to: &mut Region) {
        let op = self.random.pick(&[
            Op::IAdd,
            Op::ISub,
            Op::IMul,
            Op::SDiv,
            Op::UMod,
            Op::SMin,
            Op::Shl,
            Op::ShrS,
            Op::FindUMsb,
            Op::And,
            Op::FAdd,
            Op::FMul,
            Op::FMin,
            Op::FFloor,
            Op::IEq,
            Op::SLt,
            Op::FOrdLt,
            Op::Xor,
            Op::Not,
            Op::Select,
            Op::SToF,
            Op::FToS,
            Op::Exp2,
        ]);
        let (args, result): (&[Ty], Ty) = match op {
            Op::FAdd | Op::FMul | Op::FMin => (&[Ty::F32, Ty::F32], Ty::F32),
            Op::FFloor | Op::Exp2 => (&[Ty::F32], Ty::F32),
            Op::FOrdLt => (&[Ty::F32, Ty::F32], Ty::Bool),
            Op::IEq | Op::SLt => (&[Ty::I32, Ty::I32], Ty::Bool),
            Op::Xor => (&[Ty::Bool, Ty::Bool], Ty::Bool),
            Op::Not => (&[Ty::Bool], Ty::Bool),
            Op::Select => (&[Ty::Bool, Ty::I32, Ty::I32], Ty::I32),
            Op::SToF => (&[Ty::I32], Ty::F32),
            Op::FToS => (&[Ty::F32], Ty::I32),
            Op::FindUMsb => (&[Ty::I32], Ty::I32),
            _ => (&[Ty::I32, Ty::I32], Ty::I32),
        };
        let args = self.values(to, args);
        self.emit(to, op, result, &args, Imm::None);
    }

    /// Byte offset of a slot of the invocation, or of a word of the input.
    fn offset(&mut self, to: &mut Region, own: bool) -> Value {
        let (mask, four) = (self.int(to, if own { SLOTS - 1 } else { INPUT_WORDS + 7 }), self.int(to, 4));
        let index = self.value(to, Ty::I32);
        let mut index = self.emit(to, Op::And, Ty::I32, &[index, mask], Imm::None);
        if own {
            let slots = self.int(to, SLOTS);
            let base = self.emit(to, Op::IMul, Ty::I32, &[self.id, slots], Imm::None);
            index = self.emit(to, Op::IAdd, Ty::I32, &[base, index], Imm::None);
        }
        self.emit(to, Op::IMul, Ty::I32, &[index, four], Imm::None)
    }

    fn effect(&mut self, to: &mut Region) {
        let mem = Imm::Mem(Mem::default());
        match self.random.below(9) {
            0 => {
                let at = self.offset(to, false);
                self.emit(to, Op::LoadBuffer, Ty::I32, &[self.input, at], mem);
            }
            1 => {
                let at = self.offset(to, true);
                self.emit(to, Op::LoadBuffer, Ty::I32, &[self.output, at], mem);
            }
            2 => {
                let at = self.offset(to, true);
                let v = self.value(to, Ty::I32);
                self.push(to, Op::StoreBuffer, &[self.output, at, v], &[], mem);
            }
            3 => {
                let (zero, v) = (self.int(to, 0), self.value(to, Ty::I32));
                let imm = Imm::Atomic(AtomicOp::IAdd, Mem::default());
                self.emit(to, Op::AtomicBuffer, Ty::I32, &[self.counter, zero, v], imm);
            }
            4 => {
                let v = self.value(to, Ty::I32);
                let elem = self.random.below(4) as u32;
                self.push(to, Op::VarSet, &[v], &[], Imm::Var { var: Var(0), elem });
            }
            5 => {
                let elem = self.random.below(4) as u32;
                self.emit(to, Op::VarGet, Ty::I32, &[], Imm::Var { var: Var(0), elem });
            }
            6 => {
                let (i, v) = (self.value(to, Ty::I32), self.value(to, Ty::I32));
                let imm = || Imm::Var { var: Var(1), elem: 0 };
                if self.random.chance(50) {
                    self.push(to, Op::VarSetDyn, &[i, v], &[], imm());
                } else {
                    self.emit(to, Op::VarGetDyn, Ty::I32, &[i], imm());
                }
            }
            7 => {
                let v = self.value(to, Ty::I32);
                let how = self.random.pick(&[
                    GroupOp::Reduce(Reduction::IAdd),
                    GroupOp::ExclusiveScan(Reduction::Xor),
                    GroupOp::BroadcastFirst,
                    GroupOp::QuadSwap(1),
                ]);
                self.emit(to, Op::Group, Ty::I32, &[v], Imm::Group(how));
            }
            _ => {
                let v = self.value(to, Ty::Bool);
                let bits: Vec<Value> = (0..4).map(|_| self.shader.new_value(Ty::I32)).collect();
                self.push(to, Op::Group, &[v], &bits, Imm::Group(GroupOp::Ballot));
                self.scope.extend(bits);
            }
        }
    }

    /// Nodes of a region, without its end.
    fn nodes(&mut self, to: &mut Region, depth: u32) {
        for _ in 0..1 + self.random.below(5) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.random.below(10) {
                0..=3 => self.instruction(to),
                4..=6 => self.effect(to),
                _ if depth == 0 => self.instruction(to),
                7 => self.selection(to, depth - 1),
                8 => self.block(to, depth - 1),
                _ => self.repetition(to, depth - 1),
            }
        }
    }

    /// Chooses the end of an arm or a body: usually a yield.
    fn end(&mut self, to: &mut Region, tys: &[Ty], leave: u64) {
        to.end = if self.random.chance(leave) && !self.labels.is_empty() {
            let (label, tys) = self.labels[self.random.below(self.labels.len())].clone();
            End::Break(label, self.values(to, &tys))
        } else if self.random.chance(leave / 6) {
            End::Return
        } else {
            End::Yield(self.values(to, tys))
        };
    }

    fn selection(&mut self, to: &mut Region, depth: u32) {
        let cond = self.value(to, Ty::Bool);
        let tys = self.types();
        let mut arms = [Region::default(), Region::default()];
        let n = self.scope.len();
        for arm in &mut arms {
            self.nodes(arm, depth);
            self.end(arm, &tys, 30);
            self.scope.truncate(n);
        }
        let [then, els] = arms;
        let results = self.results(&tys);
        self.scope.extend(&results);
        to.nodes.push(Node::If(Box::new(If { cond, then, els, results, src: Src::default() })));
    }

    fn block(&mut self, to: &mut Region, depth: u32) {
        let tys = self.types();
        let label = self.shader.new_label();
        let n = self.scope.len();
        self.labels.push((label, tys.clone()));
        let mut body = Region::default();
        self.nodes(&mut body, depth);
        self.end(&mut body, &tys, 20);
        self.labels.pop();
        self.scope.truncate(n);
        let results = self.results(&tys);
        self.scope.extend(&results);
        to.nodes.push(Node::Block(Box::new(Block { label, body, results })));
    }

    /// A loop of at most four iterations; their number is uniform or differs per lane.
    fn repetition(&mut self, to: &mut Region, depth: u32) {
        let (three, zero) = (self.int(to, 3), self.int(to, 0));
        let rounds = self.value(to, Ty::I32);
        let rounds = self.emit(to, Op::And, Ty::I32, &[rounds, three], Imm::None);
        let (carried, tys) = (self.types(), self.types());
        let first = self.values(to, &carried);
        let label = self.shader.new_label();
        let n = self.scope.len();
        self.labels.push((label, tys.clone()));
        let i = self.shader.new_value(Ty::I32);
        let params: Vec<Value> = self.results(&carried);
        self.scope.push(i);
        self.scope.extend(&params);
        let mut body = Region::default();
        let cond = self.emit(&mut body, Op::SLt, Ty::Bool, &[rounds, i], Imm::None);
        let mut leave = Region::default();
        leave.end = End::Break(label, self.values(&mut leave, &tys));
        // Values defined in the arm go out of scope at its end.
        let made = leave.nodes.len();
        self.scope.truncate(self.scope.len() - made);
        body.nodes.push(Node::If(Box::new(If {
            cond,
            then: leave,
            els: Region::default(),
            results: vec![],
            src: Src::default(),
        })));
        self.nodes(&mut body, depth);
        if self.random.chance(10) {
            self.end(&mut body, &[], 100);
        } else {
            let one = self.int(&mut body, 1);
            let next = self.emit(&mut body, Op::IAdd, Ty::I32, &[i, one], Imm::None);
            let mut again = vec![next];
            again.extend(self.values(&mut body, &carried));
            body.end = End::Yield(again);
        }
        self.labels.pop();
        self.scope.truncate(n);
        let results = self.results(&tys);
        self.scope.extend(&results);
        let mut all = vec![(i, zero)];
        all.extend(params.into_iter().zip(first));
        to.nodes.push(Node::Loop(Box::new(Loop { label, params: all, body, results, src: Src::default() })));
    }
}

fn make(seed: u64) -> Shader {
    let shader = Shader {
        vars: vec![
            VarDecl { elems: vec![Ty::I32; 4], name: "a".into() },
            VarDecl { elems: vec![Ty::I32; 5], name: "b".into() },
        ],
        bindings: (0..3)
            .map(|binding| Binding {
                set: 0,
                binding,
                kind: ResourceKind::StorageBuffer,
                count: 1,
                name: format!("b{binding}"),
                size: 0,
                written: binding > 0,
            })
            .collect(),
        local_size: [LOCAL, 1, 1],
        writes_memory: true,
        has_barrier: seed.is_multiple_of(3),
        observes_subgroup: true,
        ..Shader::empty(StageKind::Compute, "main")
    };
    let none = Value(0);
    let mut m = Maker {
        shader,
        random: Random(seed),
        scope: vec![],
        labels: vec![],
        budget: 60,
        input: none,
        output: none,
        counter: none,
        id: none,
    };
    let mut body = Region::default();
    let zero = m.int(&mut body, 0);
    let mut buffer = |m: &mut Maker, binding: u32| {
        m.emit(
            &mut body,
            Op::BufferDescriptor,
            Ty::Buffer,
            &[zero],
            Imm::Binding { set: 0, binding, kind: HandleKind::Buffer },
        )
    };
    (m.input, m.output, m.counter) = (buffer(&mut m, 0), buffer(&mut m, 1), buffer(&mut m, 2));
    m.id = m.emit(&mut body, Op::BuiltIn, Ty::I32, &[], Imm::BuiltIn(BuiltIn::GlobalInvocationId, 0));
    let group = m.emit(&mut body, Op::BuiltIn, Ty::I32, &[], Imm::BuiltIn(BuiltIn::WorkgroupId, 0));
    m.emit(&mut body, Op::SLt, Ty::Bool, &[zero, group], Imm::None);
    for part in 0..3 {
        m.budget = 25;
        m.nodes(&mut body, 4);
        m.nodes(&mut body, 4);
        if m.shader.has_barrier && part < 2 {
            m.push(&mut body, Op::ControlBarrier, &[], &[], Imm::None);
        }
    }
    for _ in 0..4 {
        let at = m.offset(&mut body, true);
        let v = m.value(&mut body, Ty::I32);
        m.push(&mut body, Op::StoreBuffer, &[m.output, at, v], &[], Imm::Mem(Mem::default()));
    }
    body.end = End::Return;
    m.shader.body = body;
    m.shader
}

fn run(f: &LaneFn) -> [Vec<u32>; 3] {
    let mut buffers = [
        (0..INPUT_WORDS).map(|i| (i * 7) % 11).collect::<Vec<u32>>(),
        vec![3; (LOCAL * GROUPS * SLOTS) as usize],
        vec![5],
    ];
    let sizes = buffers.each_ref().map(|b| 4 * b.len() as u64);
    buffers.iter_mut().for_each(|b| b.resize(b.len() + 16, 0));
    let set: Vec<Descriptor> = buffers
        .iter_mut()
        .zip(&sizes)
        .map(|(b, &size)| Descriptor { ptr: b.as_mut_ptr() as u64, size })
        .collect();
    let push = [0u32; PUSH_BYTES / 4];
    let stop = 0u32;
    let meta = f.meta();
    let mut scratch = vec![[0x5555_u128; 4]; meta.scratch_bytes / 64 + 2];
    let mut shared = vec![[0u128; 4]; meta.shared_bytes / 64 + 2];
    let align = |v: &mut Vec<[u128; 4]>| {
        let at = v.as_mut_ptr().cast::<u8>();
        at.wrapping_add(at.align_offset(64))
    };
    // SAFETY: `Ctx` has integer, float and raw pointer fields only, for which all zeros is valid.
    let mut ctx: Ctx = unsafe { std::mem::zeroed() };
    ctx.sets = [set.as_ptr().cast(); MAX_SETS];
    ctx.push = push.as_ptr().cast();
    ctx.stop = &raw const stop;
    ctx.scratch = align(&mut scratch);
    ctx.shared = align(&mut shared);
    ctx.num_workgroups = [GROUPS, 1, 1];
    // SAFETY: `ctx` points to `set`, `push`, `stop`, `scratch` and `shared`, which live to the end of this function and
    // have the sizes that `meta` and the layout require. The buffers of `set` have 64 bytes more than their sizes say.
    // No other thread uses any of them.
    assert_eq!(unsafe { f.call(&mut ctx, 0, GROUPS) }, abi::DONE);
    for (b, s) in buffers.iter_mut().zip(&sizes) {
        b.truncate(*s as usize / 4);
    }
    buffers
}

#[test]
fn random_programs_agree_with_the_interpreter() {
    let (from, n) = crate::env::test_seeds().unwrap_or((0, 30));
    let bindings = (0..3).map(|b| BindingLayout::new(0, b, b * DESCRIPTOR_BYTES, 1)).collect();
    let layout = Layout { bindings };
    let mut failed = vec![];
    for seed in from..from + n {
        let shader = make(seed);
        crate::ir::verify(&shader).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{shader}"));
        let shader = Arc::new(shader);
        for (lanes, cpu, tier) in [
            (8, CpuLevel::V2, Tier::First),
            (8, CpuLevel::V4, Tier::Optimized),
            (4, CpuLevel::V4, Tier::First),
            (16, CpuLevel::V3, Tier::Optimized),
            (32, CpuLevel::V2, Tier::First),
        ] {
            let want = run(&crate::interp::build(shader.clone(), &layout, lanes, &NoImages).unwrap());
            let opts =
                CompileOptions { lanes, tier, layout: &layout, cpu, image_ops: &NoImages, missing: false };
            let code = compile(&shader, &opts);
            let code = code.unwrap_or_else(|e| panic!("seed {seed}, {lanes} lanes: {e}\n{shader}"));
            let got = run(&code);
            if got != want {
                failed.push((seed, lanes, cpu, tier));
                let at = (0..3)
                    .find_map(|b| (0..want[b].len()).find(|&i| got[b][i] != want[b][i]).map(|i| (b, i)));
                println!("seed {seed}, {lanes} lanes, {cpu:?}, {tier:?}: differ at {at:?}");
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
