//! Inserts alarms into the copy of a shader.
//!
//! Conditions found in a straight-line sequence of instructions are collected, and one alarm at its end covers them
//! all.

use quadrille_jit::ir::{
    End, If, Imm, Inst, Loop, Node, Note, Op, Region, Shader, Src, Ty, Value, Var, VarDecl,
};
use quadrille_jit::ops;
use rustc_hash::FxHashMap;

/// State of the insertion into a copy.
pub struct Insert {
    pub shader: Shader,
    /// True if reversed edges of `smoothstep` are reported.
    pub reversed: bool,
    /// Constants, created once at the start of the shader.
    constants: FxHashMap<(Ty, u64), Value>,
    /// Values of the shader's own constants.
    known: FxHashMap<Value, u64>,
    /// For each followed variable, another one that holds 1 if it was written.
    shadows: Vec<Option<Var>>,
    /// Nodes of the current region.
    nodes: Vec<Node>,
    /// Bool conditions collected since the last alarm.
    found: Vec<Value>,
    /// Source place of the current instruction.
    src: Src,
}

/// Returns the copy of a shader with alarms. `shadows` selects the variables whose writes are followed, and `reversed`
/// is true if reversed edges of `smoothstep` are reported.
pub fn insert(shader: &Shader, shadows: &[bool], reversed: bool) -> Shader {
    let mut copy = shader.clone();
    let shadow = |(var, &wanted): (usize, &bool)| {
        wanted.then(|| {
            let elems = vec![Ty::I32; shader.vars[var].elems.len()];
            copy.vars.push(VarDecl { elems, name: String::new() });
            Var(copy.vars.len() as u32 - 1)
        })
    };
    let shadows = shadows.iter().enumerate().map(shadow).collect();
    let body = std::mem::take(&mut copy.body);
    let mut insert = Insert {
        shader: copy,
        reversed,
        constants: FxHashMap::default(),
        known: FxHashMap::default(),
        shadows,
        nodes: Vec::new(),
        found: Vec::new(),
        src: Src::default(),
    };
    let mut body = insert.region(body);
    let constant = |(&(_, bits), &value): (&(Ty, u64), &Value)| {
        let results = [value].into_iter().collect();
        let (args, imm) = (Default::default(), Imm::Bits(bits));
        Node::Inst(Inst { op: Op::Const, args, results, imm, src: Src::default() })
    };
    let mut constants: Vec<_> = insert.constants.iter().collect();
    constants.sort_unstable_by_key(|c| c.1);
    body.nodes.splice(0..0, constants.into_iter().map(constant));
    insert.shader.body = body;
    insert.shader
}

impl Insert {
    // Building blocks of alarms.

    /// Returns a constant with these bits.
    pub fn bits(&mut self, ty: Ty, bits: u64) -> Value {
        let shader = &mut self.shader;
        *self.constants.entry((ty, bits)).or_insert_with(|| shader.new_value(ty))
    }

    /// Returns a float constant that the type can hold exactly.
    pub fn float(&mut self, ty: Ty, x: f32) -> Value {
        self.bits(ty, ops::float_bits(ty, x))
    }

    /// Appends an instruction with results of these types.
    pub fn emit(&mut self, op: Op, args: &[Value], imm: Imm, tys: &[Ty]) -> Vec<Value> {
        let results: Vec<Value> = tys.iter().map(|&ty| self.shader.new_value(ty)).collect();
        let list = results.iter().copied().collect();
        self.nodes.push(Node::Inst(Inst {
            op,
            args: args.iter().copied().collect(),
            results: list,
            imm,
            src: self.src,
        }));
        results
    }

    /// Appends an operation that works on each lane independently.
    pub fn op(&mut self, op: Op, ty: Ty, args: &[Value]) -> Value {
        self.emit(op, args, Imm::None, &[ty])[0]
    }

    /// Appends a comparison or a combination of comparisons.
    pub fn test(&mut self, op: Op, args: &[Value]) -> Value {
        self.op(op, Ty::Bool, args)
    }

    /// Adds an alarm for the lanes in which `when` is true.
    pub fn ring(&mut self, when: Value) {
        self.found.push(when);
    }

    /// Adds an unconditional alarm.
    pub fn ring_always(&mut self) {
        let yes = self.bits(Ty::Bool, 1);
        self.ring(yes);
    }

    /// Adds an alarm for a NaN or an infinity.
    pub fn ring_if_odd(&mut self, v: Value) {
        let ty = self.shader.ty(v);
        let (size, infinity) = (self.op(Op::FAbs, ty, &[v]), self.float(ty, f32::INFINITY));
        let odd = self.test(Op::FUnordLe, &[infinity, size]);
        self.ring(odd);
    }

    /// Returns the bits of a value that is constant.
    pub fn known(&self, v: Value) -> Option<u64> {
        self.known.get(&v).copied()
    }

    /// Emits one alarm for all collected conditions.
    fn flush(&mut self) {
        let mut found = std::mem::take(&mut self.found);
        // Combine the conditions as a tree, to keep the dependency chain short.
        while found.len() > 1 {
            let pairs = found.chunks(2).map(|pair| match pair {
                &[a, b] => self.test(Op::Or, &[a, b]),
                one => one[0],
            });
            found = pairs.collect();
        }
        if let Some(&any) = found.first() {
            self.emit(Op::Alarm, &[any], Imm::None, &[]);
        }
    }

    // Walk over the shader.

    fn region(&mut self, region: Region) -> Region {
        let outer = std::mem::take(&mut self.nodes);
        for node in region.nodes {
            match node {
                Node::Inst(inst) => self.inst(inst),
                Node::If(mut node) => {
                    self.flush();
                    node.then = self.region(node.then);
                    node.els = self.region(node.els);
                    self.nodes.push(Node::If(node));
                }
                Node::Block(mut node) => {
                    self.flush();
                    node.body = self.region(node.body);
                    self.nodes.push(Node::Block(node));
                }
                Node::Loop(node) => {
                    self.flush();
                    let node = self.looped(*node);
                    self.nodes.push(Node::Loop(Box::new(node)));
                }
            }
        }
        if region.end == End::Unreachable {
            self.ring_always();
        }
        self.flush();
        let nodes = std::mem::replace(&mut self.nodes, outer);
        Region { nodes, end: region.end }
    }

    /// Inserts an iteration counter into a loop. After many iterations the alarm rings and the invocation ends; the
    /// watcher then runs it again.
    fn looped(&mut self, mut node: Loop) -> Loop {
        self.src = node.src;
        let (zero, one, many) =
            (self.bits(Ty::I32, 0), self.bits(Ty::I32, 1), self.bits(Ty::I32, super::MANY));
        let round = self.shader.new_value(Ty::I32);
        let outer = std::mem::take(&mut self.nodes);
        let next = self.op(Op::IAdd, Ty::I32, &[round, one]);
        let over = self.test(Op::ULt, &[many, next]);
        let guard = std::mem::replace(&mut self.nodes, outer);
        node.body = self.region(node.body);
        if let End::Yield(values) = &mut node.body.end {
            values.push(next);
            node.params.push((round, zero));
            let outer = std::mem::take(&mut self.nodes);
            self.ring_always();
            self.flush();
            let then = Region { nodes: std::mem::replace(&mut self.nodes, outer), end: End::Return };
            let end = If { cond: over, then, els: Region::default(), results: Vec::new(), src: node.src };
            node.body.nodes.splice(0..0, guard.into_iter().chain([Node::If(Box::new(end))]));
        }
        node
    }

    fn inst(&mut self, inst: Inst) {
        self.src = inst.src;
        match (inst.op, &inst.imm) {
            (Op::Const, &Imm::Bits(bits)) => {
                self.known.insert(inst.results[0], bits);
            }
            (Op::Note, &Imm::Note(note)) => return self.note(note, &inst.args),
            (Op::VarGet | Op::VarSet | Op::VarGetDyn | Op::VarSetDyn, _) => self.variable(&inst),
            _ => {}
        }
        let copy = inst.clone();
        self.nodes.push(Node::Inst(inst));
        self.after(&copy);
    }

    /// Turns a note for observers into alarms.
    fn note(&mut self, note: Note, args: &[Value]) {
        match note {
            Note::Partial(partial) => self.partial(partial, args),
            Note::Index { len, .. } => {
                let len = self.bits(Ty::I32, len.into());
                let out = self.test(Op::ULe, &[len, args[0]]);
                self.ring(out);
            }
            Note::UniformIndex => self.uniform_index(args[0]),
            Note::Fresh(var) => self.mark(var, 0),
            Note::Zeros(var) => self.mark(var, 1),
            // Shaders with these notes get no copy with alarms.
            Note::Undef | Note::Interlock { .. } | Note::Cooperates { .. } => self.ring_always(),
            // These concern memory accesses of shaders that write memory, which get no copy.
            Note::Order(_) | Note::Operands(_) | Note::SharedZeros { .. } | Note::MaximallyReconverges => {}
            // Only kernels have these.
            Note::Aligned(_) | Note::GroupCopy | Note::GroupWait | Note::Copied | Note::Private { .. } => {}
            // This note marks a place and says nothing of a value.
            Note::Leaves => {}
        }
    }

    fn after(&mut self, inst: &Inst) {
        match (inst.op, &inst.imm) {
            (Op::DdxFine | Op::DdyFine | Op::DdxCoarse | Op::DdyCoarse, _) => self.whole_quad(None),
            (Op::LoadBuffer, &Imm::Mem(mem)) => self.load(inst, mem),
            (Op::ImageOp, Imm::Image(op)) => self.image(inst, op),
            _ => self.non_finite(inst),
        }
    }

    // Variables that may be read before they are written.

    /// Marks all scalars of a variable as written or unwritten.
    fn mark(&mut self, var: Var, written: u64) {
        let Some(shadow) = self.shadows[var.0 as usize] else { return };
        let value = self.bits(Ty::I32, written);
        for elem in 0..self.shader.vars[shadow.0 as usize].elems.len() as u32 {
            self.emit(Op::VarSet, &[value], Imm::Var { var: shadow, elem }, &[]);
        }
    }

    fn variable(&mut self, inst: &Inst) {
        let &Imm::Var { var, elem } = &inst.imm else { return };
        let Some(var) = self.shadows[var.0 as usize] else { return };
        let imm = Imm::Var { var, elem };
        let one = self.bits(Ty::I32, 1);
        match inst.op {
            Op::VarSet => drop(self.emit(Op::VarSet, &[one], imm, &[])),
            Op::VarSetDyn => drop(self.emit(Op::VarSetDyn, &[inst.args[0], one], imm, &[])),
            op => {
                let written = self.emit(op, &inst.args, imm, &[Ty::I32])[0];
                let not = self.test(Op::INe, &[written, one]);
                self.ring(not);
            }
        }
    }
}
