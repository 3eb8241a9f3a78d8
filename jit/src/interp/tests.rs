//! Runs the interpreter on small shaders built by hand, at every lane count.
#![expect(unsafe_code, reason = "calls lane functions")]

mod watch;

use std::sync::Arc;

use smallvec::SmallVec;

use super::build;
use crate::abi::*;
use crate::call::LaneFn;
use crate::codegen::ImageOps;
use crate::ir::*;
use crate::{Error, Result};

/// A device without images.
struct NoImages;

impl ImageOps for NoImages {
    fn intern(&self, _: &ImageOp) -> Result<u32> {
        Err(Error::unsupported("images"))
    }
}

/// A shader under construction.
struct Build(Shader);

impl Build {
    fn new(stage: Stage) -> Self {
        Build(Shader { writes_memory: true, ..Shader::empty(StageKind::of(stage), "main") })
    }

    fn op(&mut self, to: &mut Region, op: Op, ty: Ty, args: &[Value], imm: Imm) -> Value {
        let v = self.0.new_value(ty);
        self.push(to, op, args, &[v], imm);
        v
    }

    fn push(&mut self, to: &mut Region, op: Op, args: &[Value], results: &[Value], imm: Imm) {
        let (args, results) = (SmallVec::from_slice(args), SmallVec::from_slice(results));
        to.nodes.push(Node::Inst(Inst { op, args, results, imm, src: Src::default() }));
    }

    fn alu(&mut self, to: &mut Region, op: Op, ty: Ty, args: &[Value]) -> Value {
        self.op(to, op, ty, args, Imm::None)
    }

    fn int(&mut self, to: &mut Region, bits: u32) -> Value {
        self.op(to, Op::Const, Ty::I32, &[], Imm::Bits(u64::from(bits)))
    }

    fn builtin(&mut self, to: &mut Region, b: BuiltIn, c: u32) -> Value {
        self.op(to, Op::BuiltIn, Ty::I32, &[], Imm::BuiltIn(b, c))
    }

    fn buffer(&mut self, to: &mut Region, binding: u32) -> Value {
        let zero = self.int(to, 0);
        self.op(
            to,
            Op::BufferDescriptor,
            Ty::Buffer,
            &[zero],
            Imm::Binding { set: 0, binding, kind: HandleKind::Buffer },
        )
    }

    /// Byte offset of word `i`.
    fn byte(&mut self, to: &mut Region, i: Value) -> Value {
        let two = self.int(to, 2);
        self.alu(to, Op::Shl, Ty::I32, &[i, two])
    }

    fn load(&mut self, to: &mut Region, buffer: Value, i: Value) -> Value {
        let at = self.byte(to, i);
        self.op(to, Op::LoadBuffer, Ty::I32, &[buffer, at], Imm::Mem(Mem::default()))
    }

    fn store(&mut self, to: &mut Region, buffer: Value, i: Value, value: Value) {
        let at = self.byte(to, i);
        self.push(to, Op::StoreBuffer, &[buffer, at, value], &[], Imm::Mem(Mem::default()));
    }

    fn finish(mut self, mut body: Region) -> Arc<Shader> {
        body.end = End::Return;
        self.0.body = body;
        Arc::new(self.0)
    }
}

/// A context with nothing bound.
fn empty() -> Ctx {
    // SAFETY: `Ctx` has integer, float and raw pointer fields only, for which all zeros is valid.
    let zero: Ctx = unsafe { std::mem::zeroed() };
    Ctx { pixel_offset: [0.5; 2], ..zero }
}

/// Dispatches over storage buffers at set 0, bindings 0, 1, ...
fn dispatch(shader: &Arc<Shader>, lanes: u32, groups: [u32; 3], buffers: &mut [Vec<u32>]) -> u32 {
    dispatch_by(buffers, groups, |layout| build(shader.clone(), layout, lanes, &NoImages).unwrap())
}

fn dispatch_by(buffers: &mut [Vec<u32>], groups: [u32; 3], build: impl Fn(&Layout) -> LaneFn) -> u32 {
    let layout = Layout {
        bindings: (0..buffers.len() as u32)
            .map(|b| BindingLayout::new(0, b, b * DESCRIPTOR_BYTES, 1))
            .collect(),
    };
    let f = build(&layout);
    let set: Vec<Descriptor> = buffers
        .iter_mut()
        .map(|b| Descriptor { ptr: b.as_mut_ptr() as u64, size: b.len() as u64 * 4 })
        .collect();
    let mut shared = vec![0xaa_u64; f.meta().shared_bytes / 8 + 8];
    let stop = 0u32;
    let mut ctx = empty();
    ctx.sets[0] = set.as_ptr().cast();
    ctx.shared = shared.as_mut_ptr().cast();
    ctx.stop = &raw const stop;
    ctx.num_workgroups = groups;
    // SAFETY: `ctx` points to the buffers, the set, workgroup memory and the flag, which live to the end of this
    // function.
    unsafe { f.call(&mut ctx, 0, groups.iter().product()) }
}

const LANES: [u32; 4] = [4, 8, 16, 32];

#[test]
fn buffers_are_added_and_bounds_hold() {
    let mut b = Build::new(Stage::Compute);
    b.0.local_size = [10, 1, 1];
    let mut r = Region::default();
    let i = b.builtin(&mut r, BuiltIn::GlobalInvocationId, 0);
    let (x, y, z) = (b.buffer(&mut r, 0), b.buffer(&mut r, 1), b.buffer(&mut r, 2));
    let (p, q) = (b.load(&mut r, x, i), b.load(&mut r, y, i));
    let sum = b.alu(&mut r, Op::IAdd, Ty::I32, &[p, q]);
    b.store(&mut r, z, i, sum);
    // A store far out of range is dropped, as is one to an unbound buffer.
    let far = b.int(&mut r, 0x3fff_ffff);
    b.store(&mut r, z, far, sum);
    let none = b.buffer(&mut r, 9);
    b.store(&mut r, none, i, sum);
    let shader = b.finish(r);
    for lanes in LANES {
        let mut buffers = [(0..25).collect(), (0..20).map(|i| i * 100).collect(), vec![7; 28]];
        assert_eq!(dispatch(&shader, lanes, [3, 1, 1], &mut buffers), DONE);
        // The first operand has 25 words, the second 20; words beyond read as zero.
        let want = |i: u32| (if i < 25 { i } else { 0 }) + (if i < 20 { i * 100 } else { 0 });
        assert_eq!(buffers[2], (0..28).map(want).collect::<Vec<_>>(), "{lanes} lanes");
    }
}

#[test]
fn loops_swap_and_leave_by_lane() {
    // (a, b, n) = (0, 1, i); loop { if n == 0 break a; (a, b, n) = (b, a + b, n - 1) }: Fibonacci.
    let mut b = Build::new(Stage::Compute);
    b.0.local_size = [13, 1, 1];
    let mut r = Region::default();
    let i = b.builtin(&mut r, BuiltIn::LocalInvocationIndex, 0);
    let out = b.buffer(&mut r, 0);
    let (zero, one) = (b.int(&mut r, 0), b.int(&mut r, 1));
    let label = b.0.new_label();
    let (x, y, n) = (b.0.new_value(Ty::I32), b.0.new_value(Ty::I32), b.0.new_value(Ty::I32));
    let mut body = Region::default();
    let done = b.alu(&mut body, Op::IEq, Ty::Bool, &[n, zero]);
    body.nodes.push(Node::If(Box::new(If {
        cond: done,
        then: Region { nodes: vec![], end: End::Break(label, vec![x]) },
        els: Region::default(),
        results: vec![],
        src: Src::default(),
    })));
    let sum = b.alu(&mut body, Op::IAdd, Ty::I32, &[x, y]);
    let less = b.alu(&mut body, Op::ISub, Ty::I32, &[n, one]);
    body.end = End::Yield(vec![y, sum, less]);
    let result = b.0.new_value(Ty::I32);
    r.nodes.push(Node::Loop(Box::new(Loop {
        label,
        params: vec![(x, zero), (y, one), (n, i)],
        body,
        results: vec![result],
        src: Src::default(),
    })));
    b.store(&mut r, out, i, result);
    let shader = b.finish(r);
    for lanes in LANES {
        let mut buffers = [vec![0; 13]];
        assert_eq!(dispatch(&shader, lanes, [1, 1, 1], &mut buffers), DONE);
        assert_eq!(buffers[0], [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144], "{lanes} lanes");
    }
}

#[test]
fn breaks_leave_several_levels() {
    // block A { block B { if i < 2 { break A(10) } if i < 4 { break B(20) } if i < 6 { return }
    // yield 30 } -> v ; yield v + 1 } -> w ; out[i] = w
    let mut b = Build::new(Stage::Compute);
    b.0.local_size = [8, 1, 1];
    let mut r = Region::default();
    let i = b.builtin(&mut r, BuiltIn::LocalInvocationIndex, 0);
    let out = b.buffer(&mut r, 0);
    let (la, lb) = (b.0.new_label(), b.0.new_label());
    let mut inner = Region::default();
    for (limit, end) in [(2, Some((la, 10))), (4, Some((lb, 20))), (6, None)] {
        let limit = b.int(&mut inner, limit);
        let c = b.alu(&mut inner, Op::ULt, Ty::Bool, &[i, limit]);
        let mut then = Region::default();
        then.end = match end {
            Some((label, value)) => {
                let value = b.int(&mut then, value);
                End::Break(label, vec![value])
            }
            None => End::Return,
        };
        inner.nodes.push(Node::If(Box::new(If {
            cond: c,
            then,
            els: Region::default(),
            results: vec![],
            src: Src::default(),
        })));
    }
    let last = b.int(&mut inner, 30);
    inner.end = End::Yield(vec![last]);
    let (v, w) = (b.0.new_value(Ty::I32), b.0.new_value(Ty::I32));
    let mut outer = Region::default();
    outer.nodes.push(Node::Block(Box::new(Block { label: lb, body: inner, results: vec![v] })));
    let one = b.int(&mut outer, 1);
    let next = b.alu(&mut outer, Op::IAdd, Ty::I32, &[v, one]);
    outer.end = End::Yield(vec![next]);
    r.nodes.push(Node::Block(Box::new(Block { label: la, body: outer, results: vec![w] })));
    b.store(&mut r, out, i, w);
    let shader = b.finish(r);
    for lanes in LANES {
        let mut buffers = [vec![5; 8]];
        assert_eq!(dispatch(&shader, lanes, [1, 1, 1], &mut buffers), DONE);
        assert_eq!(buffers[0], [10, 10, 21, 21, 5, 5, 31, 31], "{lanes} lanes");
    }
}

#[test]
fn barriers_order_the_groups_of_a_workgroup() {
    // shared[i] = i (+ what was there: zero); barrier; out[wg * 40 + i] = shared[39 - i]
    let mut b = Build::new(Stage::Compute);
    b.0.local_size = [20, 2, 1];
    b.0.shared_size = 160;
    b.0.has_barrier = true;
    let mut r = Region::default();
    let i = b.builtin(&mut r, BuiltIn::LocalInvocationIndex, 0);
    let w = b.builtin(&mut r, BuiltIn::WorkgroupId, 0);
    let out = b.buffer(&mut r, 0);
    let at = b.byte(&mut r, i);
    let mem = || Imm::Mem(Mem::default());
    let old = b.op(&mut r, Op::LoadShared, Ty::I32, &[at], mem());
    let sum = b.alu(&mut r, Op::IAdd, Ty::I32, &[old, i]);
    b.push(&mut r, Op::StoreShared, &[at, sum], &[], mem());
    b.push(&mut r, Op::ControlBarrier, &[], &[], Imm::None);
    let last = b.int(&mut r, 39);
    let mirror = b.alu(&mut r, Op::ISub, Ty::I32, &[last, i]);
    let mirror = b.byte(&mut r, mirror);
    let value = b.op(&mut r, Op::LoadShared, Ty::I32, &[mirror], mem());
    let forty = b.int(&mut r, 40);
    let base = b.alu(&mut r, Op::IMul, Ty::I32, &[w, forty]);
    let to = b.alu(&mut r, Op::IAdd, Ty::I32, &[base, i]);
    b.store(&mut r, out, to, value);
    let shader = b.finish(r);
    for lanes in LANES {
        let mut buffers = [vec![0; 120]];
        assert_eq!(dispatch(&shader, lanes, [3, 1, 1], &mut buffers), DONE);
        assert_eq!(buffers[0], (0..120).map(|i| 39 - i % 40).collect::<Vec<_>>(), "{lanes} lanes");
    }
}

#[test]
fn atomics_give_old_values_in_lane_order() {
    let mut b = Build::new(Stage::Compute);
    b.0.local_size = [6, 1, 1];
    let mut r = Region::default();
    let i = b.builtin(&mut r, BuiltIn::GlobalInvocationId, 0);
    let (counter, out) = (b.buffer(&mut r, 0), b.buffer(&mut r, 1));
    let (zero, two) = (b.int(&mut r, 0), b.int(&mut r, 2));
    let imm = Imm::Atomic(AtomicOp::IAdd, Mem::default());
    let old = b.op(&mut r, Op::AtomicBuffer, Ty::I32, &[counter, zero, two], imm);
    b.store(&mut r, out, i, old);
    let shader = b.finish(r);
    for lanes in LANES {
        let mut buffers = [vec![100], vec![0; 12]];
        assert_eq!(dispatch(&shader, lanes, [2, 1, 1], &mut buffers), DONE);
        assert_eq!(buffers[0], [124]);
        assert_eq!(buffers[1], (0..12).map(|i| 100 + 2 * i).collect::<Vec<_>>(), "{lanes} lanes");
    }
}

#[test]
fn variables_are_zero_and_bounded() {
    let mut b = Build::new(Stage::Compute);
    b.0.local_size = [8, 1, 1];
    b.0.vars.push(VarDecl { elems: vec![Ty::I32; 4], name: "a".into() });
    let mut r = Region::default();
    let i = b.builtin(&mut r, BuiltIn::LocalInvocationIndex, 0);
    let out = b.buffer(&mut r, 0);
    let imm = || Imm::Var { var: Var(0), elem: 1 };
    b.push(&mut r, Op::VarSetDyn, &[i, i], &[], imm());
    let back = b.op(&mut r, Op::VarGetDyn, Ty::I32, &[i], imm());
    let first = b.op(&mut r, Op::VarGet, Ty::I32, &[], Imm::Var { var: Var(0), elem: 0 });
    let sum = b.alu(&mut r, Op::IAdd, Ty::I32, &[back, first]);
    b.store(&mut r, out, i, sum);
    let shader = b.finish(r);
    for lanes in LANES {
        let mut buffers = [vec![9; 8]];
        assert_eq!(dispatch(&shader, lanes, [1, 1, 1], &mut buffers), DONE);
        assert_eq!(buffers[0], [0, 1, 2, 0, 0, 0, 0, 0], "{lanes} lanes");
    }
}

#[test]
fn endless_loops_stop() {
    let mut b = Build::new(Stage::Compute);
    let label = b.0.new_label();
    let mut r = Region::default();
    let (params, results) = (vec![], vec![]);
    let body = Region::default();
    r.nodes.push(Node::Loop(Box::new(Loop { label, params, body, results, src: Src::default() })));
    let f = build(b.finish(r), &Layout::default(), 8, &NoImages).unwrap();
    let stop = std::sync::atomic::AtomicU32::new(0);
    let mut ctx = empty();
    ctx.stop = stop.as_ptr();
    ctx.num_workgroups = [1; 3];
    std::thread::scope(|s| {
        s.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            stop.store(1, std::sync::atomic::Ordering::Relaxed);
        });
        // SAFETY: the shader accesses no memory; of the context it uses only `stop`, which outlives the scope.
        assert_eq!(unsafe { f.call(&mut ctx, 0, 1) }, STOPPED);
    });
}

fn scalar(slot: Slot, interpolation: Interpolation) -> Interface {
    Interface { interpolation, ..Interface::new(slot, Ty::F32) }
}

fn location(location: u32) -> Slot {
    Slot::Location { location, component: 0, index: 0 }
}

#[test]
fn vertices_read_rows_and_write_records() {
    // out0 = in0 + VertexIndex, out1 = in1
    let mut b = Build::new(Stage::Vertex);
    b.0.inputs = vec![scalar(location(0), Interpolation::Flat), scalar(location(1), Interpolation::Flat)];
    b.0.outputs = b.0.inputs.clone();
    let mut r = Region::default();
    let id = b.builtin(&mut r, BuiltIn::VertexIndex, 0);
    let id = b.alu(&mut r, Op::SToF, Ty::F32, &[id]);
    let x = b.op(&mut r, Op::LoadInput, Ty::F32, &[], Imm::Slot(0));
    let y = b.op(&mut r, Op::LoadInput, Ty::F32, &[], Imm::Slot(1));
    let sum = b.alu(&mut r, Op::FAdd, Ty::F32, &[x, id]);
    b.push(&mut r, Op::StoreOutput, &[sum], &[], Imm::Slot(0));
    b.push(&mut r, Op::StoreOutput, &[y], &[], Imm::Slot(1));
    let shader = b.finish(r);
    for lanes in LANES {
        let f = build(shader.clone(), &Layout::default(), lanes, &NoImages).unwrap();
        let n = 64usize;
        let s = lanes as usize;
        let ids: Vec<u32> = (0..n as u32).map(|i| i * 10).collect();
        let mut input = vec![0f32; n * 2];
        for i in 0..n {
            input[(i / s * 2) * s + i % s] = i as f32;
            input[(i / s * 2 + 1) * s + i % s] = -(i as f32);
        }
        let mut output = vec![-1f32; n * 2];
        let mut ctx = empty();
        ctx.vertex_ids = ids.as_ptr();
        ctx.instance_ids = ids.as_ptr();
        ctx.input = input.as_ptr().cast();
        ctx.output = output.as_mut_ptr().cast();
        // SAFETY: `ids`, `input` and `output` have room for 64 invocations.
        assert_eq!(unsafe { f.call(&mut ctx, 0, 37) }, DONE);
        for i in 0..n {
            let want = if i < 37 { [i as f32 * 11.0, -(i as f32)] } else { [-1.0; 2] };
            assert_eq!(output[2 * i..2 * i + 2], want, "invocation {i}, {lanes} lanes");
        }
    }
}

#[test]
fn stamps_interpolate_and_lose_lanes() {
    // out0 = perspective input, out1 = dFdx(FragCoord.x); discard where FragCoord.y < 1; stores by helper invocations
    // have no effect.
    let mut b = Build::new(Stage::Fragment);
    b.0.inputs = vec![scalar(location(0), Interpolation::Perspective)];
    b.0.outputs = vec![scalar(location(0), Interpolation::Flat), scalar(location(1), Interpolation::Flat)];
    b.0.needs_quads = true;
    let mut r = Region::default();
    let v = b.op(&mut r, Op::LoadInput, Ty::F32, &[], Imm::Slot(0));
    let x = b.op(&mut r, Op::BuiltIn, Ty::F32, &[], Imm::BuiltIn(BuiltIn::FragCoord, 0));
    let y = b.op(&mut r, Op::BuiltIn, Ty::F32, &[], Imm::BuiltIn(BuiltIn::FragCoord, 1));
    let dx = b.alu(&mut r, Op::DdxFine, Ty::F32, &[x]);
    b.push(&mut r, Op::StoreOutput, &[v], &[], Imm::Slot(0));
    b.push(&mut r, Op::StoreOutput, &[dx], &[], Imm::Slot(1));
    let one = b.op(&mut r, Op::Const, Ty::F32, &[], Imm::Bits(u64::from(1f32.to_bits())));
    let top = b.alu(&mut r, Op::FOrdLt, Ty::Bool, &[y, one]);
    let counter = b.buffer(&mut r, 0);
    let (zero, add) = (b.int(&mut r, 0), b.int(&mut r, 1));
    let imm = Imm::Atomic(AtomicOp::IAdd, Mem::default());
    b.push(&mut r, Op::AtomicBuffer, &[counter, zero, add], &[], imm);
    r.nodes.push(Node::If(Box::new(If {
        cond: top,
        then: Region { nodes: vec![], end: End::Kill },
        els: Region::default(),
        results: vec![],
        src: Src::default(),
    })));
    let shader = b.finish(r);
    for lanes in LANES {
        let layout = Layout { bindings: vec![BindingLayout::new(0, 0, 0, 1)] };
        let f = build(shader.clone(), &layout, lanes, &NoImages).unwrap();
        let s = lanes as usize;
        let mut counter = 0u32;
        let set = Descriptor { ptr: &raw mut counter as u64, size: 4 };
        let plane = Plane { a0: 1.0, dadx: 0.5, dady: 0.0 };
        let primitive = Primitive {
            origin: [10.0, 0.0],
            z: Plane::default(),
            inv_w: Plane { a0: 0.5, dadx: 0.0, dady: 0.25 },
            inputs: &raw const plane,
            front_facing: 1,
            primitive_id: 0,
            layer: 0,
            viewport_index: 0,
        };
        // Lanes 0, 1 and 2 of two adjacent stamps.
        let stamps = [Stamp { x: 10, y: 0, mask: 7 }, Stamp { x: 20, y: 0, mask: 7 }];
        let (mut masks, mut output) = ([0u32; 2], vec![0f32; 2 * 2 * s]);
        let mut ctx = empty();
        ctx.sets[0] = (&raw const set).cast();
        ctx.stamps = stamps.as_ptr();
        ctx.primitive = &raw const primitive;
        ctx.out_masks = masks.as_mut_ptr();
        ctx.output = output.as_mut_ptr().cast();
        ctx.sample_count = 1;
        // SAFETY: `ctx` points to two stamps with their outputs and masks, and to one primitive with one input.
        assert_eq!(unsafe { f.call(&mut ctx, 0, 2) }, DONE);
        // Lane 2 is the only covered one below the first row.
        assert_eq!(masks, [4, 4], "{lanes} lanes");
        assert_eq!(counter, 6, "{lanes} lanes");
        for (unit, stamp) in stamps.iter().enumerate() {
            // The first quad; the others have no covered lane.
            for lane in 0..4 {
                let (lx, ly) = stamp_lane(lanes, lane as u32);
                let (px, py) = ((stamp.x as u32 + lx) as f32 + 0.5, ly as f32 + 0.5);
                let want =
                    (1.0 + 0.5 * (px - 10.0) + 0.0 * py) * (1.0 / (0.5 + 0.0 * (px - 10.0) + 0.25 * py));
                let at = |word: usize| output[(unit * 2 + word) * s + lane];
                assert_eq!(at(0), want, "lane {lane} of {lanes}");
                assert_eq!(at(1), 1.0, "lane {lane} of {lanes}");
            }
        }
    }
}
