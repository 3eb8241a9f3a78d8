//! Invocations of geometry shaders: each lane has its own primitive, and emits its own vertices.

use super::super::group::lanes_of;
use super::super::machine::Group;
use super::super::memory::Host;
use super::super::place::{Emitted, GeometryPlace, Place, Streams};
use super::super::program::Program;
use super::finish;
use crate::abi::MAX_LANES;
use crate::ir::{BuiltIn, Inst, MAX_STREAMS};

impl GeometryPlace {
    pub(super) fn primitive(&self, group: &Group, lane: usize) -> u32 {
        (self.first + lane as u32) / group.program.meta.invocations.max(1)
    }
}

/// Runs the units from `first` to `end`; returns false if stopped.
pub(super) fn run(program: &Program, host: &Host, first: u32, end: u32) -> bool {
    let mut group = Group::new(program, host);
    let cut_words = program.meta.max_vertices.div_ceil(32) as usize;
    let used = |s: &usize| program.meta.streams >> s & 1 == 1;
    let mut from = first;
    while from < end {
        if host.stopped() {
            return false;
        }
        let mask = (0..program.lanes).filter(|l| l < &(end - from)).fold(0, |m, l| m | 1 << l);
        for stream in (0..MAX_STREAMS).filter(used) {
            for index in
                lanes_of(mask).flat_map(|l| (0..cut_words).map(move |w| (from as usize + l) * cut_words + w))
            {
                host.put_emit_cut(stream, index, 0);
            }
        }
        let none = Emitted { vertices: 0, begins: true, bits: 0 };
        group.streams = Streams(vec![[none; MAX_LANES]; MAX_STREAMS]);
        let done = host.unit(from, 1, || {
            group.start(Place::Geometry(GeometryPlace { first: from }), mask, 0);
            finish(&mut group)
        });
        if !done {
            return false;
        }
        for stream in (0..MAX_STREAMS).filter(used) {
            for l in lanes_of(mask) {
                host.put_emit_count(stream, from + l as u32, group.streams.0[stream][l].vertices);
            }
        }
        let Some(next) = from.checked_add(program.lanes) else { break };
        from = next;
    }
    true
}

impl Group<'_> {
    /// Emits a vertex in the active lanes that have not reached the limit.
    pub fn emit_vertex(&mut self, inst: &Inst, stream: u32) {
        let (stream, max) = (stream as usize, self.program.meta.max_vertices);
        let words = self.program.meta.stream_words[stream] as usize;
        let rows: Vec<_> = inst.args.iter().map(|&a| (self.ty(a).bytes() == 8, self.row(a))).collect();
        let (active, host) = (self.active, self.host);
        let Place::Geometry(place) = &self.place else { return };
        let first = place.first as usize;
        for l in lanes_of(active) {
            // OutputVertices limits the number of vertices that an invocation emits on all streams. Spec: SPIR-V,
            // OutputVertices.
            if self.streams.0.iter().map(|lanes| lanes[l].vertices).sum::<u32>() >= max {
                continue;
            }
            let lane = &mut self.streams.0[stream][l];
            let k = lane.vertices;
            let record = (first + l) * max as usize + k as usize;
            let mut word = record * words;
            for (wide, row) in &rows {
                host.put_emitted(stream, word, row[l] as u32);
                if *wide {
                    host.put_emitted(stream, word + 1, (row[l] >> 32) as u32);
                }
                word += 1 + usize::from(*wide);
            }
            if k.is_multiple_of(32) {
                lane.bits = 0;
            }
            if lane.begins {
                lane.bits |= 1 << (k % 32);
                let word = (first + l) * max.div_ceil(32) as usize + (k / 32) as usize;
                host.put_emit_cut(stream, word, lane.bits);
            }
            (lane.vertices, lane.begins) = (k + 1, false);
        }
    }

    /// Ends the strip in the active lanes: their next vertex begins a new one.
    pub fn end_primitive(&mut self, stream: u32) {
        for l in lanes_of(self.active) {
            self.streams.0[stream as usize][l].begins = true;
        }
    }

    pub(super) fn geometry_builtin(&self, place: &GeometryPlace, builtin: BuiltIn, lane: usize) -> u64 {
        u64::from(match builtin {
            BuiltIn::InvocationId => (place.first + lane as u32) % self.program.meta.invocations.max(1),
            BuiltIn::PrimitiveId => self.host.primitive_id(place.primitive(self, lane)),
            _ => 0,
        })
    }
}
