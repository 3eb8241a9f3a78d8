//! Control flow of a random program: ifs with both arms, loops and switches, with their merged and carried values.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, BlockCall, InstBuilder, JumpTableData, Type, Value, types};

use super::emit::Writer;
use super::program::Node;

impl Writer<'_> {
    pub fn nodes(&mut self, nodes: &[Node]) {
        for n in nodes {
            match n {
                Node::Op { row, args, k, out } => {
                    let args: Vec<Vec<Value>> = args.iter().map(|&a| self.get(a)).collect();
                    let r = self.op(*row, &args, *k);
                    self.values[*out] = Some(r);
                }
                Node::If { cond, then, other, merged } => {
                    let (a, b, end) =
                        (self.fb.create_block(), self.fb.create_block(), self.fb.create_block());
                    if merged.len() % 2 == 1 {
                        self.fb.set_cold_block(b);
                    }
                    let c = self.get(*cond)[0];
                    self.fb.ins().brif(c, a, &[], b, &[]);
                    for (block, nodes, first) in [(a, then, true), (b, other, false)] {
                        self.fb.switch_to_block(block);
                        self.nodes(nodes);
                        let args: Vec<usize> = merged.iter().map(|m| if first { m.0 } else { m.1 }).collect();
                        let args = self.args(&args);
                        self.fb.ins().jump(end, &args);
                    }
                    self.fb.switch_to_block(end);
                    for m in merged {
                        self.params(end, m.0, m.2);
                    }
                }
                Node::Loop { rounds, body, carried } => self.repeat(*rounds, body, carried),
                Node::Switch { index, arms, merged } => self.switch(*index, arms, merged),
            }
        }
    }

    fn args(&self, values: &[usize]) -> Vec<BlockArg> {
        values.iter().flat_map(|&v| self.get(v)).map(BlockArg::Value).collect()
    }

    /// Adds block parameters for value `out`, one per part of `like`.
    fn params(&mut self, block: Block, like: usize, out: usize) {
        let types: Vec<Type> = self.get(like).iter().map(|&v| self.fb.func.dfg.value_type(v)).collect();
        let params = types.into_iter().map(|t| self.fb.append_block_param(block, t)).collect();
        self.values[out] = Some(params);
    }

    fn repeat(&mut self, rounds: u32, body: &[Node], carried: &[(usize, usize, usize)]) {
        let (head, inside, end) = (self.fb.create_block(), self.fb.create_block(), self.fb.create_block());
        let zero = self.fb.ins().iconst(types::I32, 0);
        let first: Vec<usize> = carried.iter().map(|c| c.0).collect();
        let mut args = self.args(&first);
        args.push(BlockArg::Value(zero));
        self.fb.ins().jump(head, &args);
        for c in carried {
            self.params(head, c.0, c.2);
        }
        let round = self.fb.append_block_param(head, types::I32);
        self.fb.switch_to_block(head);
        let last = self.fb.ins().iconst(types::I32, i64::from(rounds));
        let more = self.fb.ins().icmp(IntCC::UnsignedLessThan, round, last);
        self.fb.ins().brif(more, inside, &[], end, &[]);
        self.fb.switch_to_block(inside);
        self.nodes(body);
        let one = self.fb.ins().iconst(types::I32, 1);
        let next = self.fb.ins().iadd(round, one);
        let nexts: Vec<usize> = carried.iter().map(|c| c.1).collect();
        let mut args = self.args(&nexts);
        args.push(BlockArg::Value(next));
        self.fb.ins().jump(head, &args);
        self.fb.switch_to_block(end);
    }

    fn switch(&mut self, index: usize, arms: &[Vec<Node>], merged: &[(Vec<usize>, usize)]) {
        let blocks: Vec<_> = arms.iter().map(|_| self.fb.create_block()).collect();
        let end = self.fb.create_block();
        let pool = &mut self.fb.func.dfg.value_lists;
        let calls: Vec<_> = blocks.iter().map(|&b| BlockCall::new(b, [], pool)).collect();
        let table = self.fb.create_jump_table(JumpTableData::new(calls[0], &calls[1..]));
        let x = self.get(index)[0];
        let three = self.fb.ins().iconst(types::I32, 5);
        let x = self.fb.ins().band(x, three);
        self.fb.ins().br_table(x, table);
        for (i, nodes) in arms.iter().enumerate() {
            self.fb.switch_to_block(blocks[i]);
            self.nodes(nodes);
            let args: Vec<usize> = merged.iter().map(|m| m.0[i]).collect();
            let args = self.args(&args);
            self.fb.ins().jump(end, &args);
        }
        self.fb.switch_to_block(end);
        for m in merged {
            self.params(end, m.0[0], m.1);
        }
    }
}
