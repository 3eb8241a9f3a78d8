//! What differs between stages: where inputs and built-ins come from, where outputs go, and which
//! groups a call runs.

use super::group::lanes_of;
use super::machine::{Group, Step};
use super::memory::Host;
use super::program::Program;
use crate::abi::{DONE, MAX_LANES, Plane, STOPPED, Stamp, stamp_lane};
use crate::ir::{BuiltIn, InterpAt, Interpolation, Sampling, Stage, Ty};

/// Where a group is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Compute: workgroup. Others: 0.
    workgroup: [u32; 3],
    /// Compute: number of the group in its workgroup.
    group: u32,
    /// Vertex: invocation of lane 0.
    first: u32,
    /// Fragment: number of the stamp in the call.
    unit: u32,
    /// Fragment: the stamp.
    stamp: Stamp,
}

/// Runs `count` units from `first`.
pub(super) fn run(program: &Program, host: &Host, first: u32, count: u32) -> u32 {
    let end = first.saturating_add(count);
    let done = match program.shader.stage {
        Stage::Vertex => run_vertices(program, host, first, end),
        Stage::Fragment => run_stamps(program, host, first, end),
        _ => (first..end).try_fold(Workgroup::new(program), |w, unit| w.run(program, host, unit)).is_some(),
    };
    if done { DONE } else { STOPPED }
}

/// All lanes.
fn all(lanes: u32) -> u32 {
    u32::MAX >> (32 - lanes)
}

fn run_vertices(program: &Program, host: &Host, first: u32, end: u32) -> bool {
    let mut group = Group::new(program, host);
    let lanes = program.lanes;
    let mut from = first - first % lanes;
    while from < end {
        if host.stopped() {
            return false;
        }
        let inside = |l: &u32| (first..end).contains(&(from + l));
        let mask = (0..lanes).filter(inside).fold(0, |m, l| m | 1 << l);
        group.start(Place { first: from, ..Place::default() }, mask, 0);
        if !finish(&mut group) {
            return false;
        }
        for lane in lanes_of(mask) {
            let record = (from as usize + lane) * program.meta.n_output_words as usize;
            group.put_outputs(lane, |word| record + word);
        }
        let Some(next) = from.checked_add(lanes) else { break };
        from = next;
    }
    true
}

fn run_stamps(program: &Program, host: &Host, first: u32, end: u32) -> bool {
    let mut group = Group::new(program, host);
    let lanes = program.lanes as usize;
    for unit in first..end {
        if host.stopped() {
            return false;
        }
        let stamp = host.stamp(unit);
        let covered = stamp.mask & all(program.lanes);
        let present = match (program.shader.needs_quads, program.partial) {
            (false, _) => covered,
            (true, false) => all(program.lanes),
            // The lanes of quads without a covered one are no invocations.
            (true, true) => (0..MAX_LANES).step_by(4).map(|l| 15 << l).filter(|q| covered & q != 0).sum(),
        };
        group.start(Place { unit, stamp, ..Place::default() }, present, present & !covered);
        if !finish(&mut group) {
            return false;
        }
        host.put_mask(unit, covered & !group.killed & !group.helper);
        for lane in 0..lanes {
            let words = program.meta.n_output_words as usize;
            group.put_outputs(lane, |word| (unit as usize * words + word) * lanes + lane);
        }
    }
    true
}

/// Runs a group without partners to its end; false when stopped.
fn finish(group: &mut Group) -> bool {
    loop {
        match group.run() {
            Step::Done => return true,
            Step::Stopped => return false,
            Step::Barrier => {}
        }
    }
}

/// Runs workgroups.
struct Workgroup {
    /// Invocations of a workgroup.
    size: u64,
}

impl Workgroup {
    fn new(program: &Program) -> Self {
        Workgroup { size: program.shader.local_size.iter().map(|&n| u64::from(n)).product() }
    }

    /// `None` when stopped.
    fn run(self, program: &Program, host: &Host, unit: u32) -> Option<Self> {
        if host.stopped() {
            return None;
        }
        let ([nx, ny, _], base) = (host.ctx().num_workgroups, host.ctx().base_workgroup);
        let (nx, ny) = (nx.max(1), ny.max(1));
        let id = [unit % nx, unit / nx % ny, unit / nx / ny];
        let workgroup = std::array::from_fn(|i| base[i].wrapping_add(id[i]));
        host.zero(host.shared(program.shader.shared_size));
        let n_groups = self.size.div_ceil(u64::from(program.lanes)) as u32;
        let start = |group: &mut Group, number: u32| {
            let left = self.size - u64::from(number) * u64::from(program.lanes);
            let lanes = all(program.lanes) & all(left.min(32) as u32);
            group.start(Place { workgroup, group: number, ..Place::default() }, lanes, 0);
        };
        if !program.shader.has_barrier {
            let mut group = Group::new(program, host);
            start(&mut group, 0);
            group.proven = group.tests_hold();
            for number in 0..n_groups {
                start(&mut group, number);
                finish(&mut group).then_some(())?;
            }
            return Some(self);
        }
        // Every group up to its next barrier, in turn, until all have ended.
        let mut waiting: Vec<Group> = Vec::new();
        for number in 0..n_groups {
            let mut group = Group::new(program, host);
            start(&mut group, number);
            waiting.push(group);
        }
        while !waiting.is_empty() {
            let mut still = Vec::new();
            for mut group in waiting {
                match group.run() {
                    Step::Done => {}
                    Step::Stopped => return None,
                    Step::Barrier => still.push(group),
                }
            }
            waiting = still;
            if host.stopped() {
                return None;
            }
        }
        Some(self)
    }
}

impl Plane {
    /// Value at a point in framebuffer space.
    fn at(&self, origin: [f32; 2], [x, y]: [f32; 2]) -> f32 {
        self.a0 + self.dadx * (x - origin[0]) + self.dady * (y - origin[1])
    }
}

impl Group<'_> {
    /// Stores the outputs of a lane; `index` takes words to their place.
    fn put_outputs(&self, lane: usize, index: impl Fn(usize) -> usize) {
        let n = self.lanes();
        for (i, output) in self.program.shader.outputs.iter().enumerate() {
            let bits = self.outputs[i * n + lane];
            let word = self.program.output_words[i] as usize;
            self.host.put_output(index(word), bits as u32);
            if output.ty.bytes() == 8 {
                self.host.put_output(index(word + 1), (bits >> 32) as u32);
            }
        }
    }

    /// An input scalar.
    pub fn input(&self, input: usize, lane: usize) -> u64 {
        let interface = self.program.shader.inputs[input];
        let word = self.program.input_words[input];
        match self.program.shader.stage {
            Stage::Vertex => {
                let lanes = self.lanes();
                let group = (self.place.first / self.program.lanes) as usize;
                let row = group * self.program.meta.n_input_words as usize + word as usize;
                let read = |row: usize| u64::from(self.host.input_word(row * lanes + lane));
                let high = if interface.ty.bytes() == 8 { read(row + 1) << 32 } else { 0 };
                narrow(interface.ty, read(row) | high)
            }
            Stage::Fragment => {
                if interface.interpolation == Interpolation::Flat {
                    let read = |word: u32| u64::from(self.host.plane(word).a0.to_bits());
                    let high = if interface.ty.bytes() == 8 { read(word + 1) << 32 } else { 0 };
                    return narrow(interface.ty, read(word) | high);
                }
                let at = match interface.sampling {
                    Sampling::Center | Sampling::Sample => self.point(lane),
                    Sampling::Centroid => self.centroid(lane),
                };
                self.interpolate_at(input, at)
            }
            _ => 0,
        }
    }

    /// An input scalar at a point.
    fn interpolate_at(&self, input: usize, at: [f32; 2]) -> u64 {
        let interface = self.program.shader.inputs[input];
        let primitive = self.host.primitive();
        let value = self.host.plane(self.program.input_words[input]).at(primitive.origin, at);
        let value = match interface.interpolation {
            Interpolation::Perspective => value * (1.0 / primitive.inv_w.at(primitive.origin, at)),
            _ => value,
        };
        crate::ops::value::from_f32(interface.ty, value)
    }

    /// `interpolateAt*`.
    pub fn interpolate(&self, input: usize, at: InterpAt, lane: usize, a: u32, b: u32) -> u64 {
        if self.program.shader.inputs[input].interpolation == Interpolation::Flat {
            return self.input(input, lane);
        }
        let point = match at {
            InterpAt::Centroid => self.centroid(lane),
            InterpAt::Sample => self.sample(lane, a),
            InterpAt::Offset => {
                let [x, y] = self.center(lane);
                [x + f32::from_bits(a), y + f32::from_bits(b)]
            }
        };
        self.interpolate_at(input, point)
    }

    /// Upper left corner of a lane's pixel.
    fn corner(&self, lane: usize) -> [f32; 2] {
        let (x, y) = stamp_lane(self.program.lanes, lane as u32);
        let stamp = self.place.stamp;
        [stamp.x.wrapping_add(x as i32) as f32, stamp.y.wrapping_add(y as i32) as f32]
    }

    fn center(&self, lane: usize) -> [f32; 2] {
        self.corner(lane).map(|c| c + 0.5)
    }

    /// Where inputs are evaluated: the centre, or the sample that is shaded.
    fn point(&self, lane: usize) -> [f32; 2] {
        let (corner, within) = (self.corner(lane), self.host.ctx().pixel_offset);
        [corner[0] + within[0], corner[1] + within[1]]
    }

    fn sample(&self, lane: usize, sample: u32) -> [f32; 2] {
        let (corner, within) = (self.corner(lane), self.host.sample_position(sample));
        [corner[0] + within[0], corner[1] + within[1]]
    }

    /// The centre of fully covered and of uncovered pixels, else the first covered sample.
    fn centroid(&self, lane: usize) -> [f32; 2] {
        let mask = self.sample_mask(lane);
        let full = all(self.host.ctx().sample_count.clamp(1, 32));
        if mask & full == full || mask & full == 0 {
            self.center(lane)
        } else {
            self.sample(lane, mask.trailing_zeros())
        }
    }

    /// Samples that a lane covers.
    fn sample_mask(&self, lane: usize) -> u32 {
        let index = self.place.unit as usize * self.lanes() + lane;
        self.host.sample_mask(index).unwrap_or(self.place.stamp.mask >> lane & 1)
    }

    /// Component of a built-in input; 0 for those that the stage does not have.
    pub fn builtin(&self, builtin: BuiltIn, component: u32, lane: usize) -> u64 {
        let ctx = self.host.ctx();
        let (lanes, place) = (self.program.lanes, &self.place);
        let c = component as usize;
        let bits = |x: f32| u64::from(x.to_bits());
        let of = |v: [u32; 3]| u64::from(v.get(c).copied().unwrap_or(0));
        let stage = self.program.shader.stage;
        // Lanes as a mask of four words, of which the first is enough.
        let mask = |m: u64| if c == 0 { m & u64::from(all(lanes)) } else { 0 };
        match builtin {
            BuiltIn::SubgroupSize => return u64::from(lanes),
            BuiltIn::SubgroupLocalInvocationId => return lane as u64,
            BuiltIn::SubgroupEqMask => return mask(1 << lane),
            BuiltIn::SubgroupGeMask => return mask(u64::MAX << lane),
            BuiltIn::SubgroupGtMask => return mask(u64::MAX << lane << 1),
            BuiltIn::SubgroupLeMask => return mask((2 << lane) - 1),
            BuiltIn::SubgroupLtMask => return mask((1 << lane) - 1),
            BuiltIn::DeviceIndex => return 0,
            BuiltIn::ViewIndex => return u64::from(ctx.view_index),
            _ => {}
        }
        match (stage, builtin) {
            (Stage::Vertex, BuiltIn::VertexIndex) => {
                u64::from(self.host.vertex_id(place.first + lane as u32))
            }
            (Stage::Vertex, BuiltIn::InstanceIndex) => {
                u64::from(self.host.instance_id(place.first + lane as u32))
            }
            (Stage::Vertex, BuiltIn::BaseVertex) => u64::from(ctx.base_vertex as u32),
            (Stage::Vertex, BuiltIn::BaseInstance) => u64::from(ctx.base_instance),
            (Stage::Vertex, BuiltIn::DrawIndex) => u64::from(ctx.draw_index),

            (Stage::Fragment, BuiltIn::FragCoord) => {
                let at = self.point(lane);
                let primitive = self.host.primitive();
                match c {
                    0 | 1 => bits(at[c]),
                    2 => bits(primitive.z.at(primitive.origin, at)),
                    _ => bits(primitive.inv_w.at(primitive.origin, at)),
                }
            }
            (Stage::Fragment, BuiltIn::FrontFacing) => u64::from(self.host.primitive().front_facing & 1),
            (Stage::Fragment, BuiltIn::PrimitiveId) => u64::from(self.host.primitive().primitive_id),
            (Stage::Fragment, BuiltIn::Layer) => u64::from(self.host.primitive().layer),
            (Stage::Fragment, BuiltIn::ViewportIndex) => u64::from(self.host.primitive().viewport_index),
            (Stage::Fragment, BuiltIn::SampleId) => u64::from(ctx.sample_id),
            (Stage::Fragment, BuiltIn::SamplePosition) => {
                bits(self.host.sample_position(ctx.sample_id).get(c).copied().unwrap_or(0.0))
            }
            (Stage::Fragment, BuiltIn::SampleMask) if c == 0 => u64::from(self.sample_mask(lane)),
            (Stage::Fragment, BuiltIn::HelperInvocation) => u64::from(self.helper_at_start >> lane & 1),

            (Stage::Compute, BuiltIn::NumWorkgroups) => of(ctx.num_workgroups),
            (Stage::Compute, BuiltIn::WorkgroupId) => of(place.workgroup),
            (Stage::Compute, BuiltIn::LocalInvocationIndex) => u64::from(self.local_index(lane)),
            (Stage::Compute, BuiltIn::LocalInvocationId) => of(self.local_id(lane)),
            (Stage::Compute, BuiltIn::GlobalInvocationId) => {
                let (local, size) = (self.local_id(lane), self.program.shader.local_size);
                of(std::array::from_fn(|i| place.workgroup[i].wrapping_mul(size[i]).wrapping_add(local[i])))
            }
            (Stage::Compute, BuiltIn::SubgroupId) => u64::from(place.group),
            (Stage::Compute, BuiltIn::NumSubgroups) => {
                let size: u64 = self.program.shader.local_size.iter().map(|&n| u64::from(n)).product();
                size.div_ceil(u64::from(lanes))
            }
            (_, BuiltIn::NumSubgroups) => 1,
            _ => 0,
        }
    }

    fn local_index(&self, lane: usize) -> u32 {
        self.place.group * self.program.lanes + lane as u32
    }

    fn local_id(&self, lane: usize) -> [u32; 3] {
        let [x, y, _] = self.program.shader.local_size.map(|n| n.max(1));
        let i = self.local_index(lane);
        [i % x, i / x % y, i / x / y]
    }
}

/// The bits of an interface word that belong to the type.
fn narrow(ty: Ty, bits: u64) -> u64 {
    match ty {
        // Interfaces hold truth values as words.
        Ty::Bool => u64::from(bits != 0),
        ty => crate::ops::value::wrap(ty, bits),
    }
}
