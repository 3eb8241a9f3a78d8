//! Invocations of geometry shaders: each lane has its own primitive, and emits its own vertices.

use std::mem::offset_of;

use smallvec::SmallVec;

use crate::abi::{self, Ctx};
use crate::codegen::{Gen, Level};
use crate::ir::{BuiltIn, GeometryModes, MAX_STREAMS, Op, Shader, StageKind, Ty};
use crate::lane::{ICmp, Lane, LaneVar};
use crate::{Error, Result};

/// Values of geometry shaders.
pub(super) struct Env {
    modes: GeometryModes,
    /// Index of each lane in the group; lanes beyond the last unit repeat its index.
    lane: Lane,
    /// Primitive and invocation number of each lane.
    primitive: Lane,
    invocation: Lane,
    /// Streams on which vertices are emitted.
    streams: [Option<Stream>; MAX_STREAMS],
}

/// A vertex stream.
#[derive(Clone)]
struct Stream {
    /// 32-bit words of a record.
    words: u32,
    /// Address of the records of the group's units.
    emitted: Lane,
    /// Address of the cut bits of the group's units.
    cuts: Lane,
    /// Number of vertices that each lane has emitted.
    count: LaneVar,
    /// True if the next vertex begins a strip.
    begins: LaneVar,
    /// Bits of the vertices that begin a strip, if they fit in one word.
    bits: LaneVar,
}

impl Env {
    pub fn new(zero: Lane) -> Env {
        Env {
            modes: GeometryModes::default(),
            lane: zero,
            primitive: zero,
            invocation: zero,
            streams: [const { None }; MAX_STREAMS],
        }
    }
}

/// Number of words with one bit per vertex.
fn cut_words(modes: GeometryModes) -> u32 {
    modes.max_vertices.div_ceil(32)
}

impl<'s> Gen<'_, '_, 's> {
    pub(super) fn geometry(&mut self) -> Result<()> {
        let StageKind::Geometry(modes) = self.shader.kind else {
            return Err(Error::Internal("geometry shader without its execution modes".into()));
        };
        self.env.geometry.modes = modes;
        let s = self.b.lanes();
        self.scratch += self.frame_bytes as usize;
        self.flow.full = false;
        self.emit_level(Level::Call)?;
        let bases = self.open_streams();
        let (first, end) = (self.env.first, self.env.end);
        let (var, head, done) = self.open_units(first, end);
        self.poll_stop();
        self.env.unit = self.b.get(&var);
        // The group has at least one unit before `end`.
        let (one, index) = (self.b.u32(1), self.b.lane_index());
        let left = self.b.isub(end, self.env.unit);
        let inside = {
            let index = self.b.splat(index);
            self.b.icmp(ICmp::Ult, index, left)
        };
        self.set_mask(inside);
        let last = self.b.isub(left, one);
        self.env.geometry.lane = self.b.umin(index, last);
        self.place_units();
        self.start_streams(&bases, left);
        self.zero_frame();
        let shader: &'s Shader = self.shader;
        self.body(&shader.body)?;
        let end = self.flow.group_end;
        self.start_sealed(end);
        self.finish_streams(inside);
        self.close_units(&var, head, s);
        self.finish_function(done);
        Ok(())
    }

    /// Computes primitive and invocation number of each lane.
    fn place_units(&mut self) {
        let unit = self.b.iadd(self.env.unit, self.env.geometry.lane);
        let (n, zero) = (self.b.u32(self.env.geometry.modes.invocations), self.b.u32(0));
        let (primitive, invocation) = match self.env.geometry.modes.invocations {
            1 => (unit, zero),
            _ => {
                let primitive = crate::ops::lower(self.b, Op::UDiv, Ty::I32, &[unit, n]);
                let before = self.b.imul(primitive, n);
                (primitive, self.b.isub(unit, before))
            }
        };
        self.env.geometry.primitive = primitive;
        self.env.geometry.invocation = invocation;
        self.env.vertices.first = self.b.imul(primitive, self.env.vertices.count);
    }

    /// Addresses that each stream writes to: vertices and cut bits.
    fn open_streams(&mut self) -> [Option<[Lane; 2]>; MAX_STREAMS] {
        let used = self.shader.emitted_streams();
        let mut bases = [None; MAX_STREAMS];
        for (s, base) in bases.iter_mut().enumerate().filter(|(s, _)| used >> s & 1 == 1) {
            let fields = [offset_of!(Ctx, emitted), offset_of!(Ctx, emit_cuts)];
            *base = Some(fields.map(|f| self.load_ctx(Ty::I64, f + 8 * s)));
        }
        bases
    }

    /// Starts the streams with no vertices; `left` units remain, counted from the group's first one.
    fn start_streams(&mut self, bases: &[Option<[Lane; 2]>; MAX_STREAMS], left: Lane) {
        let (modes, unit, s) = (self.env.geometry.modes, self.env.unit, self.b.lanes());
        for (k, base) in bases.iter().enumerate() {
            let Some([emitted, cuts]) = *base else { continue };
            let words: Vec<_> = self.shader.stream(k as u32).copied().collect();
            let words = abi::interface_words(&words);
            let [count, bits] = [0; 2].map(|_| self.b.declare(Ty::I32, false));
            let begins = self.b.declare(Ty::Bool, false);
            let (zero, yes) = (self.b.u32(0), self.b.bool(true));
            self.b.set(&count, zero);
            self.b.set(&bits, zero);
            self.b.set(&begins, yes);
            let emitted = self.b.index(emitted, unit, 4 * words * modes.max_vertices);
            let cuts = self.b.index(cuts, unit, 4 * cut_words(modes));
            if cut_words(modes) > 1 {
                let n = self.b.u32(s);
                let n = self.b.umin(left, n);
                let bytes = self.b.u32(4 * cut_words(modes));
                let bytes = self.b.imul(n, bytes);
                let bytes = self.b.i32_to_i64(bytes, false);
                let f = self.b.ptr(crate::runtime::zero_bytes as *const u8);
                self.b.call_values(f, &[cuts, bytes], None);
            }
            self.env.geometry.streams[k] = Some(Stream { words, emitted, cuts, count, begins, bits });
        }
    }

    /// Writes the vertex counts and cut bits of each unit of the group.
    fn finish_streams(&mut self, inside: Lane) {
        let (unit, modes) = (self.env.unit, self.env.geometry.modes);
        let four = self.b.u32(4);
        let at = self.b.imul(self.env.geometry.lane, four);
        for (k, stream) in self.env.geometry.streams.clone().into_iter().enumerate() {
            let Some(stream) = stream else { continue };
            let counts = self.load_ctx(Ty::I64, offset_of!(Ctx, emit_counts) + 8 * k);
            let counts = self.b.index(counts, unit, 4);
            let n = self.b.get(&stream.count);
            self.b.scatter(&[(n, 0)], counts, at, inside);
            if cut_words(modes) == 1 {
                let bits = self.b.get(&stream.bits);
                self.b.scatter(&[(bits, 0)], stream.cuts, at, inside);
            }
        }
    }

    fn stream(&self, stream: u32) -> Option<Stream> {
        self.env.geometry.streams.get(stream as usize).cloned().flatten()
    }

    /// Number of vertices that each lane has emitted on all streams: OutputVertices limits their sum. Spec: SPIR-V,
    /// OutputVertices.
    fn emitted_so_far(&mut self) -> Lane {
        let counts: SmallVec<[LaneVar; MAX_STREAMS]> =
            self.env.geometry.streams.iter().flatten().map(|s| s.count.clone()).collect();
        let counts: SmallVec<[Lane; MAX_STREAMS]> = counts.iter().map(|c| self.b.get(c)).collect();
        let sum = counts.into_iter().reduce(|sum, n| self.b.iadd(sum, n));
        sum.unwrap_or_else(|| self.b.u32(0))
    }

    /// Emits a vertex in the active lanes that have not reached the limit.
    pub(super) fn emit_vertex(&mut self, stream: u32, values: &[Lane]) -> Result<()> {
        let Some(Stream { words, emitted, cuts, count, begins, bits }) = self.stream(stream) else {
            return Err(Error::Internal(format!("no stream {stream}")));
        };
        let modes = self.env.geometry.modes;
        let (mask, n) = (self.mask(), self.b.get(&count));
        let most = self.b.u32(modes.max_vertices);
        let all = self.emitted_so_far();
        let room = self.b.icmp(ICmp::Ult, all, most);
        let mask = self.b.and(mask, room);
        let row = self.b.imul(self.env.geometry.lane, most);
        let row = self.b.iadd(row, n);
        let bytes = self.b.u32(4 * words);
        let offset = self.b.imul(row, bytes);
        let mut list: SmallVec<[(Lane, i32); 16]> = SmallVec::new();
        for &v in values {
            let at = 4 * list.len() as i32;
            if crate::lane::is_wide(self.b.ty(v)) {
                let v = self.b.bitcast(v, Ty::I64);
                list.extend([(self.b.low_word(v), at), (self.b.high_word(v), at + 4)]);
            } else {
                list.push((self.b.to_word(v), at));
            }
        }
        if !list.is_empty() {
            self.b.scatter(&list, emitted, offset, mask);
        }
        let begin = self.b.get(&begins);
        let begin = self.b.and(begin, mask);
        let (low, one, zero) = (self.b.u32(31), self.b.u32(1), self.b.u32(0));
        let place = self.b.and(n, low);
        let bit = crate::ops::lower(self.b, Op::Shl, Ty::I32, &[one, place]);
        let bit = self.b.select(begin, bit, zero);
        if cut_words(modes) == 1 {
            let old = self.b.get(&bits);
            let new = self.b.or(old, bit);
            self.b.set(&bits, new);
        } else {
            let any = self.b.any(begin);
            let (lane, last) = (self.env.geometry.lane, self.b.u32(modes.max_vertices - 1));
            self.b.if_else(
                any,
                |b| {
                    let n = b.umin(n, last);
                    let (five, four) = (b.u32(5), b.u32(4));
                    let word = b.ushr(n, five);
                    let per_unit = b.u32(cut_words(modes));
                    let first = b.imul(lane, per_unit);
                    let at = b.iadd(first, word);
                    let at = b.imul(at, four);
                    let old = b.gather(Ty::I32, cuts, at);
                    let new = b.or(old, bit);
                    b.scatter(&[(new, 0)], cuts, at, begin);
                },
                |_| {},
            );
        }
        let begin = self.b.get(&begins);
        let begin = self.b.and_not(begin, mask);
        self.b.set(&begins, begin);
        let step = self.b.bool_to_i32(mask);
        let n = self.b.iadd(n, step);
        self.b.set(&count, n);
        Ok(())
    }

    /// Ends the strip in the active lanes: their next vertex begins a new one.
    pub(super) fn end_primitive(&mut self, stream: u32) {
        // A stream without emitted vertices has no strip to end.
        let Some(stream) = self.stream(stream) else { return };
        let mask = self.mask();
        let begins = self.b.get(&stream.begins);
        let begins = self.b.or(begins, mask);
        self.b.set(&stream.begins, begins);
    }

    pub(super) fn geometry_builtin(&mut self, b: BuiltIn) -> Result<Lane> {
        Ok(match b {
            BuiltIn::InvocationId => self.env.geometry.invocation,
            BuiltIn::PrimitiveId => {
                let ids = self.load_ctx(Ty::I64, offset_of!(Ctx, primitive_ids));
                let four = self.b.u32(4);
                let at = self.b.imul(self.env.geometry.primitive, four);
                self.b.gather(Ty::I32, ids, at)
            }
            other => return self.no_builtin(other),
        })
    }
}
