//! Control flow without merge instructions, as kernels have it: from a reducible graph to structured control flow.
//!
//! Every block is placed in the block that dominates it. A block with several predecessors follows an IR block that its
//! predecessors leave; a block behind a loop follows the loop. So invocations rejoin at the first block that all of
//! their paths reach. Method: N. Ramsey, "Beyond Relooper" (ICFP 2022), with the exits of a loop behind the loop.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::Op as SpvOp;

use super::{Lower, MAX_NESTING, Next, Target, yields};
use crate::error::{Error, Result};
use crate::ir::{self, End, Node, Op, Region, Ty, Value};
use crate::spirv::module::{Function, Inst, Module};

/// The graph of a function's reachable blocks. Blocks are numbered in reverse postorder.
pub(super) struct Graph {
    /// Index of each block in the function.
    blocks: Vec<usize>,
    /// Number of each block, by label.
    numbers: FxHashMap<u32, usize>,
    /// Immediate dominator of each block; the entry's is itself.
    dominators: Vec<usize>,
    /// Header of the innermost loop that contains a block.
    loops: Vec<Option<usize>>,
    /// `true` for headers of loops.
    headers: Vec<bool>,
    /// For each header: the blocks behind its loop, ascending.
    behind: Vec<Vec<usize>>,
    /// For each block: the blocks with several predecessors that are placed in it, ascending.
    joins: Vec<Vec<usize>>,
}

/// Labels of the blocks that a block may be followed by.
fn successors(m: &Module, end: &Inst, wide: bool) -> SmallVec<[u32; 2]> {
    let o = m.operands(end);
    match end.op {
        SpvOp::Branch => o.iter().take(1).copied().collect(),
        SpvOp::BranchConditional => o.iter().skip(1).take(2).copied().collect(),
        SpvOp::Switch => {
            let words = if wide { 3 } else { 2 };
            let cases = o.get(2..).unwrap_or_default().chunks_exact(words).map(|pair| pair[words - 1]);
            o.iter().skip(1).take(1).copied().chain(cases).collect()
        }
        _ => SmallVec::new(),
    }
}

impl Graph {
    fn new(m: &Module, function: &Function) -> Result<Graph> {
        let n = function.blocks.len();
        let mut edges: Vec<SmallVec<[usize; 2]>> = Vec::with_capacity(n);
        for block in &function.blocks {
            let end = m.inst(block.end);
            let wide = end.op == SpvOp::Switch && is_wide(m, end);
            let mut list = SmallVec::new();
            for label in successors(m, end, wide) {
                let Some(&to) = function.by_label.get(&label) else {
                    return Err(
                        m.invalid(end, format!("branch to %{label}, which is not a block of the function"))
                    );
                };
                if !list.contains(&to) {
                    list.push(to);
                }
            }
            edges.push(list);
        }
        let order = reverse_postorder(&edges);
        let mut number = vec![usize::MAX; n];
        order.iter().enumerate().for_each(|(k, &block)| number[block] = k);
        let successors: Vec<SmallVec<[usize; 2]>> =
            order.iter().map(|&b| edges[b].iter().map(|&to| number[to]).collect()).collect();
        let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for (from, list) in successors.iter().enumerate() {
            list.iter().for_each(|&to| predecessors[to].push(from));
        }
        let dominators = dominators(&predecessors)?;
        let numbers = order.iter().enumerate().map(|(k, &b)| (function.blocks[b].label, k)).collect();
        let mut graph = Graph {
            numbers,
            dominators,
            loops: vec![None; order.len()],
            headers: vec![false; order.len()],
            behind: vec![Vec::new(); order.len()],
            joins: vec![Vec::new(); order.len()],
            blocks: order,
        };
        if let Some(k) = graph.find_loops(&predecessors)? {
            let end = m.inst(function.blocks[graph.blocks[k]].end);
            let what = "irreducible control flow: a loop that is entered in more than one place";
            return Err(m.unsupported(end, what));
        }
        if (0..graph.blocks.len()).any(|k| graph.loops_around(k).nth(MAX_NESTING as usize).is_some()) {
            return Err(Error::Limit(format!("loops nested deeper than {MAX_NESTING}")));
        }
        graph.place(&predecessors)?;
        Ok(graph)
    }

    /// `true` if block `a` dominates block `b`. Dominators have lower numbers.
    fn dominates(&self, a: usize, b: usize) -> Result<bool> {
        let mut b = b;
        while b > a {
            crate::budget::work(1)?;
            b = self.dominators[b];
        }
        Ok(a == b)
    }

    /// Finds the innermost loop around each block; that of a header is not its own. Returns the source of an edge back to
    /// a block that does not dominate it.
    fn find_loops(&mut self, predecessors: &[Vec<usize>]) -> Result<Option<usize>> {
        // Inner loops have headers with higher numbers than the loops around them.
        for header in (0..self.blocks.len()).rev() {
            let back: Vec<usize> =
                predecessors[header].iter().copied().filter(|&from| from >= header).collect();
            for &from in &back {
                if !self.dominates(header, from)? {
                    return Ok(Some(from));
                }
            }
            if back.is_empty() {
                continue;
            }
            self.headers[header] = true;
            let mut work = back;
            while let Some(block) = work.pop() {
                // The outermost loop found so far that contains the block stands for all of its blocks.
                let outer = self.outermost(block, header)?;
                if outer == header {
                    continue;
                }
                self.loops[outer] = Some(header);
                work.extend(predecessors[outer].iter().copied().filter(|&from| from != header));
            }
        }
        Ok(None)
    }

    /// The outermost header around a block, below `header`; the block itself if no loop contains it yet.
    fn outermost(&self, block: usize, header: usize) -> Result<usize> {
        let mut at = block;
        while at != header {
            crate::budget::work(1)?;
            match self.loops[at] {
                Some(around) => at = around,
                None => break,
            }
        }
        Ok(at)
    }

    /// The loops that contain a block, innermost first; a header is in its loop.
    fn loops_around(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        let first = if self.headers[block] { Some(block) } else { self.loops[block] };
        std::iter::successors(first, |&header| self.loops[header])
    }

    fn contains(&self, header: usize, block: usize) -> bool {
        self.loops_around(block).any(|h| h == header)
    }

    /// Finds the place of each block.
    fn place(&mut self, predecessors: &[Vec<usize>]) -> Result<()> {
        for block in 1..self.blocks.len() {
            crate::budget::work(1)?;
            let above = self.dominators[block];
            let left = self.loops_around(above).filter(|&header| !self.contains(header, block)).last();
            let forward = predecessors[block].iter().filter(|&&from| from < block).count();
            match left {
                Some(header) => self.behind[header].push(block),
                None if forward > 1 => self.joins[above].push(block),
                None => {}
            }
        }
        Ok(())
    }
}

/// `true` if the selector of an OpSwitch has 64 bits.
fn is_wide(m: &Module, end: &Inst) -> bool {
    let ty = m.operands(end).first().and_then(|&id| m.type_of(id).ok()).and_then(|ty| m.ty(ty).ok());
    ty.and_then(|ty| ty.scalar()) == Some(Ty::I64)
}

fn reverse_postorder(edges: &[SmallVec<[usize; 2]>]) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    let (mut order, mut stack) = (Vec::new(), vec![(0, 0)]);
    seen[0] = true;
    while let Some((block, next)) = stack.pop() {
        match edges[block].get(next) {
            Some(&to) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

/// Immediate dominators. Method: K. Cooper et al., "A Simple, Fast Dominance Algorithm" (2001).
fn dominators(predecessors: &[Vec<usize>]) -> Result<Vec<usize>> {
    let mut found = vec![usize::MAX; predecessors.len()];
    found[0] = 0;
    loop {
        let mut changed = false;
        for block in 1..predecessors.len() {
            let mut best = usize::MAX;
            for &from in predecessors[block].iter().filter(|&&from| found[from] != usize::MAX) {
                let (mut a, mut b) = (from, if best == usize::MAX { from } else { best });
                while a != b {
                    crate::budget::work(1)?;
                    if a > b { a = found[a] } else { b = found[b] }
                }
                best = a;
            }
            changed |= std::mem::replace(&mut found[block], best) != best;
        }
        if !changed {
            return Ok(found);
        }
    }
}

/// Code that the blocks of a list follow.
#[derive(Clone, Copy)]
enum Inner {
    /// The terminator of a block.
    End(usize),
    /// The loop of a header.
    Loop(usize),
}

impl<'m> Lower<'m> {
    /// Lowers the blocks of a function whose control flow has no merge instructions.
    pub(in crate::spirv::lower) fn graph(&mut self, function: &'m Function) -> Result<End> {
        self.work(function.blocks.len())?;
        let graph = Graph::new(self.module, function)?;
        if graph.headers[0] {
            return Err(Error::invalid("a branch to the first block of a function"));
        }
        self.graph_from(&graph, function, 0)
    }

    /// Lowers a block and all that is placed in it or behind its loop.
    fn graph_from(&mut self, graph: &Graph, function: &'m Function, block: usize) -> Result<End> {
        let mut next = Next::Chain(block as u32);
        loop {
            next = match next {
                Next::End(end) => return Ok(end),
                Next::Chain(block) if graph.headers[block as usize] => {
                    let block = block as usize;
                    self.joined(
                        graph,
                        function,
                        graph.behind[block].get(1..).unwrap_or_default(),
                        Inner::Loop(block),
                    )?
                }
                Next::Chain(block) => self.graph_block(graph, function, block as usize)?,
            };
        }
    }

    /// Lowers a block with the blocks that its paths join in.
    fn graph_block(&mut self, graph: &Graph, function: &'m Function, block: usize) -> Result<Next> {
        self.work(1)?;
        let body = &function.blocks[graph.blocks[block]];
        self.block_body(body)?;
        self.joined(graph, function, &graph.joins[block], Inner::End(block))
    }

    /// Lowers code whose paths join in the blocks of a list. Returns the last of them.
    fn joined(
        &mut self,
        graph: &Graph,
        function: &'m Function,
        list: &[usize],
        inner: Inner,
    ) -> Result<Next> {
        let Some((&last, rest)) = list.split_last() else {
            return match inner {
                Inner::End(block) => self.graph_end(graph, function, block),
                Inner::Loop(header) => self.graph_loop(graph, function, header),
            };
        };
        self.nested()?;
        let label = self.new_label();
        let id = function.blocks[graph.blocks[last]].label;
        self.frame()?.targets.push((id, Target::Break(label)));
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        let end = match self.joined(graph, function, rest, inner)? {
            Next::End(end) => end,
            Next::Chain(block) => self.graph_from(graph, function, block as usize)?,
        };
        self.frame()?.targets.pop();
        self.depth -= 1;
        let nodes = std::mem::replace(&mut self.cur, saved);
        let reached = self.used(label);
        let end = self.wrap(label, Region { nodes, end }, reached);
        Ok(if reached { Next::Chain(last as u32) } else { Next::End(end) })
    }

    fn nested(&mut self) -> Result<()> {
        self.depth += 1;
        match self.depth > MAX_NESTING {
            true => Err(Error::Limit(format!("calls and control flow nested deeper than {MAX_NESTING}"))),
            false => Ok(()),
        }
    }

    /// Lowers the loop of a header. The first block behind it follows the IR loop itself.
    fn graph_loop(&mut self, graph: &Graph, function: &'m Function, header: usize) -> Result<Next> {
        let block = &function.blocks[graph.blocks[header]];
        let (exit, back) = (self.new_label(), self.new_label());
        let src = ir::Src { id: block.label, ..self.origin(self.module.inst(block.end)) };
        let first = graph.behind[header].first().copied();
        self.nested()?;
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        self.loop_depth += 1;
        let frame = self.frame()?;
        let targets = frame.targets.len();
        if let Some(first) = first {
            frame.targets.push((function.blocks[graph.blocks[first]].label, Target::Break(exit)));
        }
        frame.targets.push((block.label, Target::Break(back)));
        let end = match self.graph_block(graph, function, header)? {
            Next::End(end) => end,
            Next::Chain(block) => self.graph_from(graph, function, block as usize)?,
        };
        self.frame()?.targets.truncate(targets);
        let nodes = std::mem::take(&mut self.cur);
        let reached = self.used(back);
        let end = self.wrap(back, Region { nodes, end }, reached);
        self.loop_depth -= 1;
        self.depth -= 1;
        let nodes = std::mem::replace(&mut self.cur, saved);
        self.forget();
        self.nodes += 1;
        let body = Region { nodes, end };
        let node = ir::Loop { label: exit, params: Vec::new(), body, results: Vec::new(), src };
        self.cur.push(Node::Loop(Box::new(node)));
        Ok(match first {
            Some(first) if self.used(exit) => Next::Chain(first as u32),
            _ => Next::End(End::Unreachable),
        })
    }

    /// Branches from a block to another: leaves constructs, or goes on with a block that is placed here.
    fn graph_go(&mut self, graph: &Graph, from: u32, to: u32) -> Result<Next> {
        self.edge(from, to)?;
        Ok(match self.target(to)? {
            Some(target) => Next::End(self.leave(target)),
            None => Next::Chain(graph.numbers.get(&to).copied().unwrap_or(0) as u32),
        })
    }

    /// A branch as a region of its own.
    fn graph_arm(&mut self, graph: &Graph, function: &'m Function, from: u32, to: u32) -> Result<Region> {
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        self.nested()?;
        let end = match self.graph_go(graph, from, to)? {
            Next::End(end) => end,
            Next::Chain(block) => self.graph_from(graph, function, block as usize)?,
        };
        self.depth -= 1;
        let nodes = std::mem::replace(&mut self.cur, saved);
        Ok(Region { nodes, end })
    }

    /// Lowers the terminator of a block.
    fn graph_end(&mut self, graph: &Graph, function: &'m Function, block: usize) -> Result<Next> {
        let m = self.module;
        let block = &function.blocks[graph.blocks[block]];
        let (from, inst) = (block.label, *m.inst(block.end));
        self.src = self.origin(&inst);
        self.note_leaving(&inst);
        let done = match inst.op {
            SpvOp::Branch => self.graph_go(graph, from, m.operand(&inst, 0)?),
            SpvOp::BranchConditional => self.graph_conditional(graph, function, from, &inst),
            SpvOp::Switch => self.graph_switch(graph, function, from, &inst),
            _ => self.terminator(block, &inst),
        };
        done.map_err(|e| match e {
            Error::Invalid { message, place } if place.word.is_none() => m.invalid(&inst, message),
            e => e,
        })
    }

    fn graph_conditional(
        &mut self,
        graph: &Graph,
        function: &'m Function,
        from: u32,
        inst: &Inst,
    ) -> Result<Next> {
        let m = self.module;
        let cond = self.scalar(m.operand(inst, 0)?)?;
        let (yes, no) = (m.operand(inst, 1)?, m.operand(inst, 2)?);
        if yes == no {
            return self.graph_go(graph, from, yes);
        }
        let src = self.src;
        let then = self.graph_arm(graph, function, from, yes)?;
        let els = self.graph_arm(graph, function, from, no)?;
        self.src = src;
        self.push_if(cond, then, els);
        // Both arms leave; the ones that leave to the end of this region yield.
        Ok(Next::End(yields()))
    }

    /// OpSwitch: one `If` after another. Every arm leaves, so that only the invocations of later cases go on.
    fn graph_switch(
        &mut self,
        graph: &Graph,
        function: &'m Function,
        from: u32,
        inst: &Inst,
    ) -> Result<Next> {
        let m = self.module;
        let selector = self.scalar(m.operand(inst, 0)?)?;
        let default = m.operand(inst, 1)?;
        let cases = self.cases(inst, self.ty(selector))?;
        let src = self.src;
        for case in cases.iter().filter(|case| case.target != default) {
            let mut hit: Option<Value> = None;
            for &literal in &case.literals {
                let literal = self.constant(self.ty(selector), literal);
                let one = self.op(Op::IEq, Ty::Bool, &[selector, literal]);
                hit = Some(match hit {
                    Some(before) => self.op(Op::Or, Ty::Bool, &[before, one]),
                    None => one,
                });
            }
            let Some(hit) = hit else { continue };
            let arm = self.graph_arm(graph, function, from, case.target)?;
            self.src = src;
            self.push_if(hit, arm, Region::default());
        }
        self.graph_go(graph, from, default)
    }
}
