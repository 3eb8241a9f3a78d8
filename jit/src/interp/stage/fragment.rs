//! Stamps of one primitive.

use super::super::machine::Group;
use super::super::memory::Host;
use super::super::place::{FragmentPlace, Place};
use super::super::program::Program;
use super::{all, finish, narrow};
use crate::abi::{Plane, stamp_lane};
use crate::ir::{BuiltIn, InterpAt, Interpolation, Sampling};

/// Runs the stamps from `first` to `end`; returns false if stopped.
pub(super) fn run(program: &Program, host: &Host, first: u32, end: u32) -> bool {
    let mut group = Group::new(program, host);
    let lanes = program.lanes as usize;
    for unit in first..end {
        if host.stopped() {
            return false;
        }
        let stamp = host.stamp(unit);
        let covered = stamp.mask & all(program.lanes);
        let present = if program.shader.needs_quads { quads_of(covered) } else { covered };
        let place = FragmentPlace { unit, stamp };
        let done = host.unit(unit, 1, || {
            group.start(Place::Fragment(place), present, present & !covered);
            finish(&mut group)
        });
        if !done {
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

/// All lanes of the quads that contain any of these lanes.
fn quads_of(lanes: u32) -> u32 {
    let pairs = lanes | lanes >> 1;
    ((pairs | pairs >> 2) & 0x1111_1111) * 15
}

impl Plane {
    /// Value at a point in framebuffer space.
    fn at(&self, origin: [f32; 2], [x, y]: [f32; 2]) -> f32 {
        self.a0 + self.dadx * (x - origin[0]) + self.dady * (y - origin[1])
    }
}

impl Group<'_> {
    /// An input scalar.
    pub(super) fn fragment_input(&self, place: &FragmentPlace, input: usize, lane: usize) -> u64 {
        let interface = self.program.shader.inputs[input];
        let word = self.program.input_words[input];
        if interface.interpolation == Interpolation::Flat {
            let read = |word: u32| u64::from(self.host.plane(word).a0.to_bits());
            let high = if interface.ty.bytes() == 8 { read(word + 1) << 32 } else { 0 };
            return narrow(interface.ty, read(word) | high);
        }
        let at = match interface.sampling {
            Sampling::Center | Sampling::Sample => self.point(place, lane),
            Sampling::Centroid => self.centroid(place, lane),
        };
        self.interpolate_at(input, at)
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
        let Place::Fragment(place) = &self.place else { return 0 };
        if self.program.shader.inputs[input].interpolation == Interpolation::Flat {
            return self.fragment_input(place, input, lane);
        }
        let point = match at {
            InterpAt::Centroid => self.centroid(place, lane),
            InterpAt::Sample => self.sample(place, lane, a),
            InterpAt::Offset => {
                let [x, y] = self.center(place, lane);
                [x + f32::from_bits(a), y + f32::from_bits(b)]
            }
        };
        self.interpolate_at(input, point)
    }

    /// First pixel of a lane's fragment.
    pub(in crate::interp) fn first_pixel(&self, place: &FragmentPlace, lane: usize) -> [i32; 2] {
        let (x, y) = stamp_lane(self.program.lanes, lane as u32);
        let (stamp, rate) = (place.stamp, self.host.ctx().shading_rate);
        let [x, y] = [x << (rate >> 2 & 3), y << (rate & 3)];
        [stamp.x.wrapping_add(x as i32), stamp.y.wrapping_add(y as i32)]
    }

    /// Upper left corner of a lane's fragment.
    fn corner(&self, place: &FragmentPlace, lane: usize) -> [f32; 2] {
        self.first_pixel(place, lane).map(|c| c as f32)
    }

    fn center(&self, place: &FragmentPlace, lane: usize) -> [f32; 2] {
        let ([x, y], rate) = (self.corner(place, lane), self.host.ctx().shading_rate);
        let half = |log: u32| (1 << log) as f32 * 0.5;
        [x + half(rate >> 2 & 3), y + half(rate & 3)]
    }

    /// Location at which inputs are evaluated: the centre, or the shaded sample.
    fn point(&self, place: &FragmentPlace, lane: usize) -> [f32; 2] {
        let (corner, within) = (self.corner(place, lane), self.host.ctx().pixel_offset);
        [corner[0] + within[0], corner[1] + within[1]]
    }

    fn sample(&self, place: &FragmentPlace, lane: usize, sample: u32) -> [f32; 2] {
        let (corner, within) = (self.corner(place, lane), self.host.sample_position(sample));
        [corner[0] + within[0], corner[1] + within[1]]
    }

    /// Location at which centroid inputs are evaluated: the centre of fully covered and of uncovered pixels, otherwise
    /// the first covered sample.
    fn centroid(&self, place: &FragmentPlace, lane: usize) -> [f32; 2] {
        if self.host.ctx().shading_rate != 0 {
            // The covered pixels of a larger fragment are not known here, so the caller computed the location.
            let within = self.host.centroid(place.unit as usize, lane, self.lanes());
            let corner = self.corner(place, lane);
            return within.map_or(self.center(place, lane), |[x, y]| [corner[0] + x, corner[1] + y]);
        }
        let mask = self.sample_mask(place, lane);
        let full = all(self.host.ctx().sample_count.clamp(1, 32));
        if mask & full == full || mask & full == 0 {
            self.center(place, lane)
        } else {
            self.sample(place, lane, mask.trailing_zeros())
        }
    }

    /// Mask of the samples that a lane covers.
    fn sample_mask(&self, place: &FragmentPlace, lane: usize) -> u32 {
        let index = place.unit as usize * self.lanes() + lane;
        self.host.sample_mask(index).unwrap_or(place.stamp.mask >> lane & 1)
    }
    pub(super) fn fragment_builtin(
        &self,
        place: &FragmentPlace,
        builtin: BuiltIn,
        c: usize,
        lane: usize,
    ) -> u64 {
        let sample = self.host.ctx().sample_id;
        let bits = |x: f32| u64::from(x.to_bits());
        match builtin {
            BuiltIn::FragCoord => {
                let at = self.point(place, lane);
                let primitive = self.host.primitive();
                match c {
                    0 | 1 => bits(at[c]),
                    2 => bits(primitive.z.at(primitive.origin, at)),
                    _ => bits(primitive.inv_w.at(primitive.origin, at)),
                }
            }
            BuiltIn::FrontFacing => u64::from(self.host.primitive().front_facing & 1),
            BuiltIn::PrimitiveId => u64::from(self.host.primitive().primitive_id),
            BuiltIn::Layer => u64::from(self.host.primitive().layer),
            BuiltIn::ViewportIndex => u64::from(self.host.primitive().viewport_index),
            BuiltIn::SampleId => u64::from(sample),
            BuiltIn::ShadingRate => u64::from(self.host.ctx().shading_rate),
            BuiltIn::FragSize => u64::from(self.host.ctx().frag_size.get(c).copied().unwrap_or(0)),
            BuiltIn::FragInvocationCount => u64::from(self.host.ctx().frag_invocations),
            BuiltIn::SamplePosition => bits(self.host.sample_position(sample).get(c).copied().unwrap_or(0.0)),
            BuiltIn::SampleMask if c == 0 => u64::from(self.sample_mask(place, lane)),
            BuiltIn::HelperInvocation => u64::from(self.helper_at_start >> lane & 1),
            _ => 0,
        }
    }
}
