//! Values used outside of the construct that defines them.
//!
//! SPIR-V lets a value be used wherever its definition dominates; the IR requires the definition in the same or an
//! enclosing region. Escaping values go through a private variable, set at the definition and read at the use. Buffer
//! and image handles are rematerialized instead. Promotion turns the variables into results of the constructs.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{End, Imm, Inst, Node, Op, Region, Shader, Src, Ty, Value, Var, VarDecl};

/// Rewrites the shader so that rule 1 of [`crate::ir`] holds.
pub(super) fn repair(shader: &mut Shader) {
    let mut find = Find { visible: vec![false; shader.values.len()], escaped: FxHashSet::default() };
    find.region(&shader.body);
    if find.escaped.is_empty() {
        return;
    }
    let mut defs = FxHashMap::default();
    handle_defs(&shader.body, shader, &find.escaped, &mut defs);
    let mut fix = Fix {
        visible: vec![false; shader.values.len()],
        vars: FxHashMap::default(),
        escaped: find.escaped,
        handles: defs,
        shader,
    };
    let mut body = std::mem::take(&mut fix.shader.body);
    // Handles are rematerialized from their index, which may itself have escaped.
    let indices: Vec<Value> = fix.handles.values().flat_map(|i| i.args.iter().copied()).collect();
    fix.escaped.extend(indices);
    fix.region(&mut body);
    fix.shader.body = body;
}

/// Finds values that are used where they are not visible.
struct Find {
    visible: Vec<bool>,
    escaped: FxHashSet<Value>,
}

impl Find {
    fn uses(&mut self, v: Value) {
        if !self.visible[v.0 as usize] {
            self.escaped.insert(v);
        }
    }

    fn region(&mut self, region: &Region) {
        let mut defined = Vec::new();
        for node in &region.nodes {
            match node {
                Node::Inst(inst) => {
                    for &a in &inst.args {
                        self.uses(a);
                    }
                    for &r in &inst.results {
                        self.visible[r.0 as usize] = true;
                        defined.push(r);
                    }
                }
                Node::If(node) => {
                    self.uses(node.cond);
                    self.region(&node.then);
                    self.region(&node.els);
                }
                Node::Block(node) => self.region(&node.body),
                Node::Loop(node) => self.region(&node.body),
            }
        }
        for v in defined {
            self.visible[v.0 as usize] = false;
        }
    }
}

/// Collects the definitions of escaped handles and of the handles that they depend on.
fn handle_defs(
    region: &Region,
    shader: &Shader,
    escaped: &FxHashSet<Value>,
    out: &mut FxHashMap<Value, Inst>,
) {
    for node in &region.nodes {
        match node {
            Node::Inst(inst) => {
                for &r in &inst.results {
                    // Collect all handles: an escaped handle may depend on a handle that has not escaped itself.
                    if matches!(shader.ty(r), Ty::Buffer | Ty::Image) && !escaped.is_empty() {
                        out.insert(r, inst.clone());
                    }
                }
            }
            Node::If(node) => {
                handle_defs(&node.then, shader, escaped, out);
                handle_defs(&node.els, shader, escaped, out);
            }
            Node::Block(node) => handle_defs(&node.body, shader, escaped, out),
            Node::Loop(node) => handle_defs(&node.body, shader, escaped, out),
        }
    }
}

/// Rewrites definitions and uses.
struct Fix<'a> {
    visible: Vec<bool>,
    vars: FxHashMap<Value, Var>,
    escaped: FxHashSet<Value>,
    handles: FxHashMap<Value, Inst>,
    shader: &'a mut Shader,
}

impl Fix<'_> {
    fn var(&mut self, v: Value) -> Var {
        if let Some(&var) = self.vars.get(&v) {
            return var;
        }
        let ty = self.shader.ty(v);
        self.shader.vars.push(VarDecl { elems: vec![ty], name: format!("v{}", v.0) });
        let var = Var(self.shader.vars.len() as u32 - 1);
        self.vars.insert(v, var);
        var
    }

    fn sees(&self, v: Value) -> bool {
        self.visible.get(v.0 as usize).copied().unwrap_or(true)
    }

    /// Returns a value equal to `v` that is visible here; may append to `nodes`.
    fn get(&mut self, v: Value, src: Src, nodes: &mut Vec<Node>) -> Value {
        if self.sees(v) {
            return v;
        }
        let new = self.shader.new_value(self.shader.ty(v));
        let inst = match self.handles.get(&v).cloned() {
            Some(mut inst) => {
                for a in &mut inst.args {
                    *a = self.get(*a, src, nodes);
                }
                inst.results = [new].into_iter().collect();
                inst
            }
            None => Inst {
                op: Op::VarGet,
                args: Default::default(),
                results: [new].into_iter().collect(),
                imm: Imm::Var { var: self.var(v), elem: 0 },
                src,
            },
        };
        nodes.push(Node::Inst(inst));
        new
    }

    fn region(&mut self, region: &mut Region) {
        let mut defined = Vec::new();
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            let mut sets = Vec::new();
            match &mut node {
                Node::Inst(inst) => {
                    for a in &mut inst.args {
                        *a = self.get(*a, inst.src, &mut nodes);
                    }
                    for &r in &inst.results {
                        self.visible[r.0 as usize] = true;
                        defined.push(r);
                        if self.escaped.contains(&r) && !self.handles.contains_key(&r) {
                            let var = self.var(r);
                            sets.push(Node::Inst(Inst {
                                op: Op::VarSet,
                                args: [r].into_iter().collect(),
                                results: Default::default(),
                                imm: Imm::Var { var, elem: 0 },
                                src: inst.src,
                            }));
                        }
                    }
                }
                Node::If(node) => {
                    node.cond = self.get(node.cond, node.src, &mut nodes);
                    self.region(&mut node.then);
                    self.region(&mut node.els);
                }
                Node::Block(node) => self.region(&mut node.body),
                Node::Loop(node) => self.region(&mut node.body),
            }
            nodes.push(node);
            nodes.append(&mut sets);
        }
        region.nodes = nodes;
        debug_assert!(!matches!(&region.end, End::Yield(v) | End::Break(_, v) if !v.is_empty()));
        for v in defined {
            self.visible[v.0 as usize] = false;
        }
    }
}
