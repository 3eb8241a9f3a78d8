//! Tests of the events that observers receive.

use std::sync::{Arc, Mutex};

use super::*;
use crate::interp::build_watched;
use crate::interp::watch::*;

/// Records each event as a line.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn say(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Watch for Log {
    fn begin(&self, call: &Call<'_>) -> Option<Box<dyn Observer>> {
        self.say(format!("begin {}+{}", call.first, call.count));
        Some(Box::new(self.clone()))
    }
}

impl Observer for Log {
    fn unit(&mut self, unit: u32, groups: u32) {
        self.say(format!("unit {unit} of {groups}"));
    }
    fn start(&mut self, at: &View<'_>) {
        self.say(format!("start {} {:x}", at.group(), at.active()));
    }
    fn memory(&mut self, at: &View<'_>, _: &Inst, access: &MemoryAccess<'_>) {
        for t in access.touches() {
            let value = at.value(access.values[t.scalar], t.lane);
            let (kind, out) = (access.kind, if t.inside { "" } else { " outside" });
            self.say(format!("{kind:?} lane {} {}+{} = {value}{out}", t.lane, t.offset, t.bytes));
        }
    }
    fn after(&mut self, at: &View<'_>, inst: &Inst) {
        if inst.op == Op::IAdd {
            self.say(format!("sum {}", at.value(inst.results[0], 0)));
            if at.value(inst.results[0], 0) == 99 {
                at.stop();
            }
        }
    }
    fn branch(&mut self, at: &View<'_>, _: &If, taken: u32) {
        self.say(format!("branch {taken:x} of {:x}", at.active()));
    }
    fn round(&mut self, at: &View<'_>, _: &Loop) {
        self.say(format!("round {:x}", at.active()));
    }
    fn copy(&mut self, at: &View<'_>, from: &[Value], to: &[Value]) {
        assert_eq!(from.len(), to.len());
        self.say(format!("copy {} to {} values", at.value(from[0], 0), to.len()));
    }
    fn end(&mut self, at: &View<'_>, end: &End) {
        let name = match end {
            End::Yield(_) => "yield",
            End::Break(..) => "break",
            End::Return => "return",
            _ => "other",
        };
        self.say(format!("{name} {:x}", at.active()));
    }
    fn barrier(&mut self, at: &View<'_>, _: &Inst) {
        self.say(format!("barrier {}", at.group()));
    }
    fn released(&mut self, unit: u32) {
        self.say(format!("released {unit}"));
    }
    fn finish(&mut self, at: &View<'_>) {
        self.say(format!("finish {} alive {:x}", at.group(), at.alive()));
    }
    fn unit_end(&mut self, unit: u32) {
        self.say(format!("end {unit}"));
    }
}

/// Interprets a dispatch in groups of four lanes; returns the events and the result of the call.
fn observe(shader: &Arc<Shader>, groups: u32, buffers: &mut [Vec<u32>]) -> (Vec<String>, u32) {
    let log = Log::default();
    let given = dispatch_by(buffers, [groups, 1, 1], |layout| {
        build_watched(shader.clone(), layout, 4, &NoImages, Arc::new(log.clone())).unwrap()
    });
    (log.take(), given)
}

#[test]
fn accesses_are_told_with_their_place() {
    // out[i + 1] = out[i] + 5, for two invocations and two words.
    let mut b = Build::new(Stage::Compute);
    b.0.local_size = [2, 1, 1];
    let mut r = Region::default();
    let i = b.builtin(&mut r, BuiltIn::LocalInvocationIndex, 0);
    let out = b.buffer(&mut r, 0);
    let (one, five) = (b.int(&mut r, 1), b.int(&mut r, 5));
    let old = b.load(&mut r, out, i);
    let sum = b.alu(&mut r, Op::IAdd, Ty::I32, &[old, five]);
    let next = b.alu(&mut r, Op::IAdd, Ty::I32, &[i, one]);
    b.store(&mut r, out, next, sum);
    let (told, given) = observe(&b.finish(r), 1, &mut [vec![10, 20]]);
    assert_eq!(given, DONE);
    let want = [
        "begin 0+1",
        "unit 0 of 1",
        "start 0 3",
        "Read lane 0 0+4 = 10",
        "Read lane 1 4+4 = 20",
        "sum 15",
        "sum 1",
        "Write lane 0 4+4 = 15",
        "Write lane 1 8+4 = 25 outside",
        "return 3",
        "finish 0 alive 0",
        "end 0",
    ];
    assert_eq!(told, want);
}

#[test]
fn groups_take_turns_at_barriers() {
    let mut b = Build::new(Stage::Compute);
    b.0.local_size = [6, 1, 1];
    b.0.shared_size = 24;
    b.0.has_barrier = true;
    let mut r = Region::default();
    let i = b.builtin(&mut r, BuiltIn::LocalInvocationIndex, 0);
    let zero = b.int(&mut r, 0);
    b.push(&mut r, Op::ControlBarrier, &[], &[], Imm::None);
    let imm = Imm::Atomic(AtomicOp::IAdd, Mem::default());
    b.op(&mut r, Op::AtomicShared, Ty::I32, &[zero, i], imm);
    let (told, given) = observe(&b.finish(r), 1, &mut []);
    assert_eq!(given, DONE);
    let want = [
        "begin 0+1",
        "unit 0 of 2",
        "start 0 f",
        "start 1 3",
        "barrier 0",
        "barrier 1",
        "released 0",
        "Atomic(IAdd) lane 0 0+4 = 0",
        "Atomic(IAdd) lane 1 0+4 = 0",
        "Atomic(IAdd) lane 2 0+4 = 1",
        "Atomic(IAdd) lane 3 0+4 = 3",
        "return f",
        "finish 0 alive 0",
        "Atomic(IAdd) lane 0 0+4 = 6",
        "Atomic(IAdd) lane 1 0+4 = 10",
        "return 3",
        "finish 1 alive 0",
        "end 0",
    ];
    assert_eq!(told, want);
}

#[test]
fn control_flow_is_told_with_its_lanes() {
    // n = i; loop { if n == 0 break; n = n - 1 }
    let mut b = Build::new(Stage::Compute);
    b.0.local_size = [2, 1, 1];
    let mut r = Region::default();
    let i = b.builtin(&mut r, BuiltIn::LocalInvocationIndex, 0);
    let (zero, one) = (b.int(&mut r, 0), b.int(&mut r, 1));
    let (label, n) = (b.0.new_label(), b.0.new_value(Ty::I32));
    let mut body = Region::default();
    let done = b.alu(&mut body, Op::IEq, Ty::Bool, &[n, zero]);
    body.nodes.push(Node::If(Box::new(If {
        cond: done,
        then: Region { nodes: vec![], end: End::Break(label, vec![]) },
        els: Region::default(),
        results: vec![],
        src: Src::default(),
    })));
    let less = b.alu(&mut body, Op::ISub, Ty::I32, &[n, one]);
    body.end = End::Yield(vec![less]);
    let (params, results) = (vec![(n, i)], vec![]);
    r.nodes.push(Node::Loop(Box::new(Loop { label, params, body, results, src: Src::default() })));
    let (told, _) = observe(&b.finish(r), 1, &mut []);
    let want = [
        "begin 0+1",
        "unit 0 of 1",
        "start 0 3",
        "copy 0 to 1 values",
        "round 3",
        "branch 1 of 3",
        "break 1",
        "yield 2",
        "yield 2",
        "copy 0 to 1 values",
        "round 2",
        "branch 2 of 2",
        "break 2",
        "return 3",
        "finish 0 alive 0",
        "end 0",
    ];
    assert_eq!(told, want);
}

#[test]
fn an_observer_may_stop_the_call() {
    let mut b = Build::new(Stage::Compute);
    let mut r = Region::default();
    let out = b.buffer(&mut r, 0);
    let (zero, most) = (b.int(&mut r, 0), b.int(&mut r, 99));
    let sum = b.alu(&mut r, Op::IAdd, Ty::I32, &[zero, most]);
    b.store(&mut r, out, zero, sum);
    let mut buffers = [vec![7]];
    let (told, given) = observe(&b.finish(r), 3, &mut buffers);
    assert_eq!((given, buffers[0][0]), (STOPPED, 7));
    assert_eq!(told, ["begin 0+3", "unit 0 of 1", "start 0 1", "sum 99", "end 0"]);
}

#[test]
fn invocations_have_names() {
    struct Who(Mutex<Vec<Invocation>>);
    impl Watch for Arc<Who> {
        fn begin(&self, _: &Call<'_>) -> Option<Box<dyn Observer>> {
            Some(Box::new(Asks(self.clone())))
        }
    }
    struct Asks(Arc<Who>);
    impl Observer for Asks {
        fn finish(&mut self, at: &View<'_>) {
            self.0.0.lock().unwrap().extend(lanes(at.full()).map(|l| at.invocation(l)));
        }
    }
    let mut b = Build::new(Stage::Compute);
    b.0.local_size = [2, 2, 1];
    let shader = b.finish(Region::default());
    let who = Arc::new(Who(Mutex::default()));
    dispatch_by(&mut [], [1, 2, 1], |layout| {
        build_watched(shader.clone(), layout, 8, &NoImages, Arc::new(who.clone())).unwrap()
    });
    let found = who.0.lock().unwrap();
    assert_eq!(found.len(), 8);
    assert_eq!(found[7], Invocation::Workgroup { workgroup: [0, 1, 0], local: [1, 1, 0] });
}
