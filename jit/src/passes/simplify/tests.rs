//! Code that remains of constructs around constants and of values that all exits carry.

use smallvec::SmallVec;

use super::*;
use crate::ir::{BuiltIn, Src, StageKind, verify};

fn inst(op: Op, args: &[u32], results: &[u32], imm: Imm) -> Node {
    let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect::<SmallVec<[Value; 4]>>();
    Node::Inst(Inst { op, args: values(args), results: values(results), imm, src: Src::default() })
}

fn values(list: &[u32]) -> Vec<Value> {
    list.iter().map(|&v| Value(v)).collect()
}

fn region(nodes: Vec<Node>, end: End) -> Region {
    Region { nodes, end }
}

fn choice(cond: u32, then: Region, els: Region, results: &[u32]) -> Node {
    Node::If(Box::new(If { cond: Value(cond), then, els, results: values(results), src: Src::default() }))
}

fn block(label: u32, body: Region, results: &[u32]) -> Node {
    Node::Block(Box::new(Block { label: Label(label), body, results: values(results) }))
}

/// Values 0 (the constant 0), 1 (the constant 1), 2 (false), 3 (true), 4 (an index), 5 (true in some lanes), then I32.
/// A word of shared memory at 0 takes value `last`.
fn simplified(nodes: Vec<Node>, last: u32) -> Shader {
    let mut all = vec![
        inst(Op::Const, &[], &[0], Imm::Bits(0)),
        inst(Op::Const, &[], &[1], Imm::Bits(1)),
        inst(Op::Const, &[], &[2], Imm::Bits(0)),
        inst(Op::Const, &[], &[3], Imm::Bits(1)),
        inst(Op::BuiltIn, &[], &[4], Imm::BuiltIn(BuiltIn::LocalInvocationIndex, 0)),
        inst(Op::ULt, &[4, 1], &[5], Imm::None),
    ];
    all.extend(nodes);
    all.push(inst(
        Op::StoreShared,
        &[0, last],
        &[],
        Imm::Mem(crate::ir::Mem { offset: 0, stride: 4, ordered: false }),
    ));
    let mut types = vec![Ty::I32, Ty::I32, Ty::Bool, Ty::Bool, Ty::I32, Ty::Bool];
    types.resize(32, Ty::I32);
    let body = region(all, End::Return);
    let mut shader = Shader {
        values: types,
        n_labels: 8,
        shared_size: 4,
        body,
        ..Shader::empty(StageKind::Compute, "main")
    };
    verify(&shader).unwrap();
    simplify(&mut shader).unwrap();
    verify(&shader).unwrap_or_else(|e| panic!("{e}\n{shader}"));
    shader
}

fn constructs(shader: &Shader) -> usize {
    fn count(r: &Region) -> usize {
        r.nodes
            .iter()
            .map(|n| match n {
                Node::Inst(_) => 0,
                Node::If(n) => 1 + count(&n.then) + count(&n.els),
                Node::Block(n) => 1 + count(&n.body),
                Node::Loop(n) => 1 + count(&n.body),
            })
            .sum()
    }
    count(&shader.body)
}

/// The value that the last store stores.
fn stored(shader: &Shader) -> u32 {
    let Some(Node::Inst(store)) = shader.body.nodes.last() else { panic!("{shader}") };
    assert_eq!(store.op, Op::StoreShared, "{shader}");
    store.args[1].0
}

#[test]
fn arms_that_constants_rule_out_are_gone() {
    for (cond, expected) in [(2, 7), (3, 6)] {
        let then = region(vec![inst(Op::IAdd, &[4, 4], &[6], Imm::None)], End::Yield(values(&[6])));
        let els = region(vec![inst(Op::IMul, &[4, 4], &[7], Imm::None)], End::Yield(values(&[7])));
        let shader = simplified(vec![choice(cond, then, els, &[8])], 8);
        assert_eq!((constructs(&shader), stored(&shader)), (0, expected), "{shader}");
    }
}

#[test]
fn code_behind_a_certain_exit_is_gone() {
    // A block that is always left in its middle: what follows in it does not run, what follows it does.
    let leave = region(Vec::new(), End::Break(Label(0), values(&[4])));
    let stay = region(Vec::new(), End::Yield(Vec::new()));
    let body = vec![choice(3, leave, stay, &[]), inst(Op::IAdd, &[4, 4], &[6], Imm::None)];
    let shader = simplified(vec![block(0, region(body, End::Yield(values(&[6]))), &[7])], 7);
    assert_eq!((constructs(&shader), stored(&shader)), (0, 4), "{shader}");
}

#[test]
fn an_exit_through_two_blocks_ends_both() {
    // The inner block always leaves the outer one, which others leave, too.
    let varying = choice(
        5,
        region(Vec::new(), End::Break(Label(0), values(&[1]))),
        region(Vec::new(), End::Yield(Vec::new())),
        &[],
    );
    let inner = region(Vec::new(), End::Break(Label(0), values(&[4])));
    let body = vec![varying, block(1, inner, &[]), inst(Op::IAdd, &[4, 4], &[6], Imm::None)];
    let shader = simplified(vec![block(0, region(body, End::Yield(values(&[6]))), &[7])], 7);
    // The outer block and the selection are left.
    assert_eq!((constructs(&shader), stored(&shader)), (2, 7), "{shader}");
}

#[test]
fn results_that_all_exits_carry_are_the_value_itself() {
    let exits = |first: u32, at_end: u32, inside: Vec<Node>| {
        let leave = region(Vec::new(), End::Break(Label(0), values(&[first])));
        let mut body = inside;
        body.push(choice(5, leave, region(Vec::new(), End::Yield(Vec::new())), &[]));
        stored(&simplified(vec![block(0, region(body, End::Yield(values(&[at_end]))), &[7])], 7))
    };
    assert_eq!(exits(4, 4, Vec::new()), 4);
    assert_eq!(exits(4, 1, Vec::new()), 7);
    // A value from inside the block does not exist behind it.
    let made = || vec![inst(Op::IAdd, &[4, 4], &[6], Imm::None)];
    assert_eq!(exits(6, 6, made()), 7);
}

#[test]
fn parameters_that_every_turn_keeps_are_their_initial_values() {
    // loop (k = 0, kept = index) { next = block { if varying { break kept }; yield kept }; if varying { leave }; }
    let turn = block(
        1,
        region(
            vec![choice(
                5,
                region(Vec::new(), End::Break(Label(1), values(&[11]))),
                region(Vec::new(), End::Yield(Vec::new())),
                &[],
            )],
            End::Yield(values(&[11])),
        ),
        &[12],
    );
    let leave = choice(
        5,
        region(Vec::new(), End::Break(Label(0), values(&[11]))),
        region(Vec::new(), End::Yield(Vec::new())),
        &[],
    );
    let next = inst(Op::IAdd, &[10, 1], &[13], Imm::None);
    let turning = Loop {
        label: Label(0),
        params: vec![(Value(10), Value(0)), (Value(11), Value(4))],
        body: region(vec![turn, leave, next], End::Yield(values(&[13, 12]))),
        results: values(&[14]),
        src: Src::default(),
    };
    let shader = simplified(vec![Node::Loop(Box::new(turning))], 14);
    assert_eq!(stored(&shader), 4, "{shader}");
}
