//! Fragment groups: stamps of one primitive, or packed groups of quads from several.

use std::mem::offset_of;

use super::planes::PlaneOf;
use crate::abi::{self, Ctx, Primitive, Stamp};
use crate::codegen::{Gen, Level};
use crate::ir::each_inst;
use crate::ir::{BuiltIn, Imm, Inst, InterpAt, Interpolation, Node, Op, Region, Sampling, Shader, Stage, Ty};
use crate::lane::{ICmp, Lane};
use crate::{Error, Result};

/// Values of fragment shaders.
pub(in crate::codegen) struct Env {
    /// Address of the primitive; for packed groups, of the group's rows.
    pub primitive: Lane,
    pub planes: Lane,
    /// Address of the rows of all packed groups.
    pub rows_of_all: Lane,
    /// Integer coordinates of the first pixel of the stamp (uniform); for packed groups, of each lane's quad.
    corner: [Lane; 2],
    /// Location within the stamp at which each lane evaluates its inputs; `pixels`: the pixel with the centre of its
    /// fragment.
    rows: [Lane; 2],
    pixels: [Lane; 2],
    pub made: Made,
    /// Origin of the primitive.
    pub origin: [Lane; 2],
    /// Position within the pixel at which inputs are evaluated.
    within: [Lane; 2],
    /// Location at which centroid inputs are evaluated, relative to the origin.
    centroid: Option<[Lane; 2]>,
    /// Lanes that the primitive covers.
    covered: Lane,
}

impl Env {
    pub fn new(zero: Lane) -> Env {
        Env {
            primitive: zero,
            planes: zero,
            rows_of_all: zero,
            corner: [zero; 2],
            rows: [zero; 2],
            pixels: [zero; 2],
            made: Made::default(),
            origin: [zero; 2],
            within: [zero; 2],
            centroid: None,
            covered: zero,
        }
    }
}

/// Values that a fragment group computes at their first use; kept until the end of the region of that use.
#[derive(Clone, Copy, Default)]
pub(in crate::codegen) struct Made {
    /// Location at which inputs are evaluated, in framebuffer pixels.
    pixel: [Option<Lane>; 2],
    /// Location at which inputs are evaluated, relative to the primitive's origin.
    distance: [Option<Lane>; 2],
    /// 1 / (1 / w).
    w: Option<Lane>,
}

impl<'s> Gen<'_, '_, 's> {
    pub(super) fn fragment_prologue(&mut self) {
        if self.shader.packed {
            self.env.fragment.rows_of_all = self.load_ctx(Ty::I64, offset_of!(Ctx, input));
            return;
        }
        self.env.fragment.primitive = self.load_ctx(Ty::I64, offset_of!(Ctx, primitive));
        self.env.fragment.planes =
            self.b.load(Ty::I64, self.env.fragment.primitive, offset_of!(Primitive, inputs) as i32);
    }

    pub(super) fn fragment(&mut self) -> Result<()> {
        self.scratch += self.frame_bytes as usize;
        // Uncovered lanes may run as well, where this has no visible effect and takes no time. Operations across the group
        // see which lanes are active, in quads without a covered lane, a loop need not end, and what these compute must not
        // ring an alarm, after which the group is interpreted.
        let quiet = !self.shader.writes_memory && !has_loop(&self.shader.body);
        let ends = self.shader.needs_quads
            && self.ranges.idle_lanes_end(&self.shader.body, &self.uniformity, false, 1);
        let seen = self.shader.observes_subgroup || self.insts.contain(Op::Alarm);
        self.flow.full = !seen && (quiet || ends);
        self.emit_level(Level::Call)?;
        let stamps = self.load_ctx(Ty::I64, offset_of!(Ctx, stamps));
        let out_masks = self.load_ctx(Ty::I64, offset_of!(Ctx, out_masks));
        if !self.shader.packed {
            self.env.fragment.origin = [0, 4].map(|k| {
                self.b.load(Ty::F32, self.env.fragment.primitive, offset_of!(Primitive, origin) as i32 + k)
            });
        }
        self.env.fragment.within = [0, 4].map(|k| self.load_ctx(Ty::F32, offset_of!(Ctx, pixel_offset) + k));
        let (rows, pixels) = self.places();
        let (first, end) = (self.env.first, self.env.end);
        let (var, head, done) = self.open_units(first, end);
        self.poll_stop();
        let i = self.b.get(&var);
        self.env.unit = i;
        let stamp = self.b.index(stamps, i, size_of::<Stamp>() as u32);
        let mask = self.b.load(Ty::I32, stamp, offset_of!(Stamp, mask) as i32);
        let live = self.b.mask_from_bits(mask);
        let live_var = self.flow.live.clone();
        self.b.set(&live_var, live);
        self.env.fragment.covered = live;
        self.env.fragment.corner = self.find_primitive(stamp);
        if !self.flow.full {
            let present = if self.shader.needs_quads { self.quads_of(mask) } else { live };
            self.set_mask(present);
        }
        (self.env.fragment.rows, self.env.fragment.pixels) = (rows, pixels);
        self.env.fragment.made = Made::default();
        self.env.fragment.centroid = None;
        if self.shader.centroid {
            self.env.fragment.centroid = Some(self.centroid());
        }
        self.zero_frame();
        let shader: &'s Shader = self.shader;
        self.body(&shader.body)?;
        let end = self.flow.group_end;
        self.start_sealed(end);
        let bits = if self.shader.discards {
            let live = self.live();
            self.b.mask_bits(live)
        } else {
            mask
        };
        let at = self.b.index(out_masks, i, 4);
        self.b.store(bits, at, 0);
        self.close_units(&var, head, 1);
        self.finish_function(done);
        Ok(())
    }

    /// For each lane, the place at which inputs are evaluated, and the pixel in the middle of the fragment, both relative to
    /// the corner of the stamp.
    fn places(&mut self) -> ([Lane; 2], [Lane; 2]) {
        let s = self.b.lanes();
        let size = [0, 1].map(|k| self.log_size(k));
        let first = [0, 1].map(|k| {
            let row: Vec<u32> = (0..s).map(|l| self.lane_place(l)[k]).collect();
            let row = self.b.row_const(Ty::I32, &row);
            self.b.shl(row, size[k])
        });
        let rows = [0, 1].map(|k| {
            let row = self.b.s32_to_f32(first[k]);
            self.b.fadd(row, self.env.fragment.within[k])
        });
        let one = self.b.u32(1);
        let pixels = [0, 1].map(|k| {
            let pixels = self.b.shl(one, size[k]);
            let half = self.b.ushr(pixels, one);
            self.b.iadd(first[k], half)
        });
        (rows, pixels)
    }

    /// Base-2 logarithm of the fragments' width (0) or height (1).
    fn log_size(&mut self, k: usize) -> Lane {
        let rate = self.load_ctx(Ty::I32, offset_of!(Ctx, shading_rate));
        let (shift, mask) = (self.b.u32([2, 0][k]), self.b.u32(3));
        let log = self.b.ushr(rate, shift);
        self.b.and(log, mask)
    }

    /// Centre of a fragment, relative to its corner.
    fn middle(&mut self) -> [Lane; 2] {
        [0, 1].map(|k| {
            let (one, half, log) = (self.b.u32(1), self.b.f32(0.5), self.log_size(k));
            let size = self.b.shl(one, log);
            let size = self.b.s32_to_f32(size);
            self.b.fmul(size, half)
        })
    }

    /// The lanes of all quads with at least one covered lane.
    fn quads_of(&mut self, mut bits: Lane) -> Lane {
        for step in [1, 2] {
            let step = self.b.u32(step);
            let next = self.b.ushr(bits, step);
            bits = self.b.or(bits, next);
        }
        let (first, quad) = (self.b.u32(0x1111_1111), self.b.u32(15));
        let quads = self.b.and(bits, first);
        let lanes = self.b.imul(quads, quad);
        self.b.mask_from_bits(lanes)
    }

    /// Value of a plane at the location at which inputs are evaluated.
    fn plane(&mut self, of: PlaneOf) -> Lane {
        let (dx, dy) = (self.distance(0), self.distance(1));
        self.plane_at(of, dx, dy)
    }

    fn plane_at(&mut self, of: PlaneOf, dx: Lane, dy: Lane) -> Lane {
        let [a0, dadx, dady] = self.plane_words(of);
        let gx = self.b.fmul(dadx, dx);
        let gy = self.b.fmul(dady, dy);
        let v = self.b.fadd(a0, gx);
        self.b.fadd(v, gy)
    }

    fn inv_w(&mut self) -> Lane {
        self.plane(PlaneOf::InvW)
    }

    /// Location in x (0) or y (1) at which inputs are evaluated.
    fn pixel(&mut self, k: usize) -> Lane {
        if let Some(p) = self.env.fragment.made.pixel[k] {
            return p;
        }
        let corner = self.b.s32_to_f32(self.env.fragment.corner[k]);
        let p = self.b.fadd(corner, self.env.fragment.rows[k]);
        self.env.fragment.made.pixel[k] = Some(p);
        p
    }

    /// Location at which inputs are evaluated, relative to the primitive's origin.
    fn distance(&mut self, k: usize) -> Lane {
        if let Some(d) = self.env.fragment.made.distance[k] {
            return d;
        }
        let p = self.pixel(k);
        let d = self.b.fsub(p, self.env.fragment.origin[k]);
        self.env.fragment.made.distance[k] = Some(d);
        d
    }

    fn w(&mut self) -> Lane {
        if let Some(w) = self.env.fragment.made.w {
            return w;
        }
        let iw = self.inv_w();
        let one = self.b.f32(1.0);
        let w = self.b.fdiv(one, iw);
        self.env.fragment.made.w = Some(w);
        w
    }

    /// Computes values in advance that several regions of a construct would each compute.
    pub(in crate::codegen) fn prepare(&mut self, node: &Node) {
        if matches!(node, Node::Inst(_) | Node::Block(_))
            || self.shader.stage != Stage::Fragment
            || self.env.fragment.made.w.is_some()
        {
            return;
        }
        let wanted = |r: &Region| {
            let (mut place, mut w) = (false, false);
            each_inst(r, &mut |i| match (i.op, &i.imm) {
                (Op::LoadInput, Imm::Slot(k)) => {
                    let interpolation = self.shader.inputs[*k as usize].interpolation;
                    place |= interpolation != Interpolation::Flat;
                    w |= interpolation == Interpolation::Perspective;
                }
                (Op::BuiltIn, Imm::BuiltIn(BuiltIn::FragCoord, _)) | (Op::Interpolate, _) => place = true,
                _ => {}
            });
            (place, w)
        };
        let (place, w) = match node {
            Node::If(n) => {
                let (a, b) = (wanted(&n.then), wanted(&n.els));
                (a.0 && b.0, a.1 && b.1)
            }
            Node::Loop(n) => wanted(&n.body),
            Node::Inst(_) | Node::Block(_) => return,
        };
        if place {
            self.distance(0);
            self.distance(1);
        }
        if w {
            self.w();
        }
    }

    /// The location of position `within` in each pixel, moved by an offset, relative to the origin.
    fn from_origin(&mut self, within: [Lane; 2], offset: Option<[Lane; 2]>) -> [Lane; 2] {
        [0, 1].map(|k| {
            let p = self.pixel(k);
            // The result is exact: pixels and positions within them are multiples of 1/16.
            let step = self.b.fsub(within[k], self.env.fragment.within[k]);
            let mut p = self.b.fadd(p, step);
            if let Some(offset) = offset {
                p = self.b.fadd(p, offset[k]);
            }
            self.b.fsub(p, self.env.fragment.origin[k])
        })
    }

    /// Location at which centroid inputs are evaluated.
    fn centroid(&mut self) -> [Lane; 2] {
        let rows = self.load_ctx(Ty::I64, offset_of!(Ctx, centroids));
        let zero = self.b.i64(0);
        let several = self.b.icmp(ICmp::Ne, rows, zero);
        let vars = [0, 1].map(|_| self.b.declare(Ty::F32, false));
        let (unit, s, middle) = (self.env.unit, self.b.lanes(), self.middle());
        self.b.if_else(
            several,
            |b| {
                let at = b.index(rows, unit, 8 * s);
                for (k, var) in vars.iter().enumerate() {
                    let row = b.load_row(Ty::F32, at, (k as u32 * 4 * s) as i32);
                    b.set(var, row);
                }
            },
            |b| vars.iter().zip(middle).for_each(|(var, middle)| b.set(var, middle)),
        );
        let within = vars.map(|var| self.b.take(var));
        self.from_origin(within, None)
    }

    /// Location of a sample; the pixel centre for samples beyond the last.
    fn sample_place(&mut self, sample: Lane) -> [Lane; 2] {
        let table = self.load_ctx(Ty::I64, offset_of!(Ctx, sample_positions));
        let last = self.b.u32(abi::SAMPLE_POSITIONS as u32 - 1);
        let sample = self.b.umin(sample, last);
        let eight = self.b.u32(8);
        let at = self.b.imul(sample, eight);
        let within = [0, 4].map(|k| {
            let table = self.b.offset(table, k);
            self.b.gather(Ty::F32, table, at)
        });
        self.from_origin(within, None)
    }

    pub(super) fn fragment_input(&mut self, k: u32) -> Result<Lane> {
        let input = self.shader.inputs[k as usize];
        let word = Self::word(&self.shader.inputs, k);
        if input.interpolation == Interpolation::Flat {
            if crate::lane::is_wide(input.ty) {
                let (lo, hi) = (self.flat_word(word), self.flat_word(word + 1));
                let v = self.b.join_words(lo, hi);
                return Ok(self.b.bitcast(v, input.ty));
            }
            let v = self.flat_word(word);
            return Ok(self.b.word_to(v, input.ty));
        }
        if input.ty != Ty::F32 {
            return Err(Error::unsupported(format!("interpolated input of type {:?}", input.ty)));
        }
        if let (Sampling::Centroid, Some(at)) = (input.sampling, self.env.fragment.centroid) {
            return Ok(self.input_at(k, at));
        }
        // For inputs decorated Sample, the shader runs once per sample.
        let v = self.plane(PlaneOf::Input(word));
        if input.interpolation != Interpolation::Perspective {
            return Ok(v);
        }
        let w = self.w();
        Ok(self.b.fmul(v, w))
    }

    pub(super) fn interpolate(&mut self, k: u32, at: InterpAt, args: &[Lane]) -> Result<Lane> {
        let input = self.shader.inputs[k as usize];
        if input.interpolation == Interpolation::Flat || input.ty != Ty::F32 {
            return self.fragment_input(k);
        }
        let place = match at {
            InterpAt::Centroid => match self.env.fragment.centroid {
                Some(place) => place,
                None => [self.distance(0), self.distance(1)],
            },
            InterpAt::Sample => self.sample_place(args[0]),
            InterpAt::Offset => {
                let middle = self.middle();
                self.from_origin(middle, Some([args[0], args[1]]))
            }
        };
        Ok(self.input_at(k, place))
    }

    /// An interpolated input at a location relative to the origin.
    fn input_at(&mut self, k: u32, [dx, dy]: [Lane; 2]) -> Lane {
        let word = Self::word(&self.shader.inputs, k);
        let v = self.plane_at(PlaneOf::Input(word), dx, dy);
        if self.shader.inputs[k as usize].interpolation == Interpolation::Linear {
            return v;
        }
        let iw = self.plane_at(PlaneOf::InvW, dx, dy);
        let one = self.b.f32(1.0);
        let w = self.b.fdiv(one, iw);
        self.b.fmul(v, w)
    }

    /// Writes the outputs of a stamp, one row per word.
    pub(super) fn store_pixels(&mut self, words: &[Lane]) {
        let (s, n) = (self.b.lanes(), words.len() as u32);
        let at = self.b.index(self.env.output, self.env.unit, n * s * 4);
        for (w, &v) in words.iter().enumerate() {
            self.b.store_row(v, at, (w as u32 * s * 4) as i32);
        }
    }

    pub(super) fn fragment_builtin(&mut self, b: BuiltIn, c: u32) -> Result<Lane> {
        use BuiltIn::*;
        let u32_at = |g: &mut Self, o: usize| g.load_ctx(Ty::I32, o);
        Ok(match b {
            FragCoord => match c {
                0 | 1 => self.pixel(c as usize),
                2 => self.plane(PlaneOf::Z),
                _ => self.inv_w(),
            },
            FrontFacing => {
                let v = self.primitive_word(b);
                let zero = self.b.u32(0);
                self.b.icmp(ICmp::Ne, v, zero)
            }
            PrimitiveId | Layer | ViewportIndex => self.primitive_word(b),
            // HelperInvocation has its initial value; IsHelper reads the current one.
            HelperInvocation => self.b.not(self.env.fragment.covered),
            SampleId => u32_at(self, offset_of!(Ctx, sample_id)),
            ShadingRate => u32_at(self, offset_of!(Ctx, shading_rate)),
            FragSize => u32_at(self, offset_of!(Ctx, frag_size) + 4 * c as usize),
            FragInvocationCount => u32_at(self, offset_of!(Ctx, frag_invocations)),
            SampleMask if c == 0 => self.sample_mask(),
            SampleMask => self.b.u32(0),
            SamplePosition => {
                let table = self.load_ctx(Ty::I64, offset_of!(Ctx, sample_positions));
                let id = u32_at(self, offset_of!(Ctx, sample_id));
                let at = self.b.index(table, id, 8);
                self.b.load(Ty::F32, at, 4 * c as i32)
            }
            other => return self.no_builtin(other),
        })
    }

    /// The integer that `i` converts FragCoord.x or .y to, which is the coordinate of the pixel, because a sample lies
    /// less than one pixel from its corner. For fragments of several pixels, the coordinate of the pixel after the
    /// centre.
    pub(in crate::codegen) fn whole_pixel(&mut self, i: &Inst) -> Option<Lane> {
        let to_i32 = matches!(i.op, Op::FToS | Op::FToU) && self.shader.ty(i.results[0]) == Ty::I32;
        let c = match self.ranges.def(*i.args.first()?)? {
            Inst { op: Op::BuiltIn, imm: Imm::BuiltIn(BuiltIn::FragCoord, c @ 0..=1), .. } if to_i32 => {
                *c as usize
            }
            _ => return None,
        };
        Some(self.b.iadd(self.env.fragment.corner[c], self.env.fragment.pixels[c]))
    }

    /// Mask of the covered samples of each lane.
    fn sample_mask(&mut self) -> Lane {
        let rows = self.load_ctx(Ty::I64, offset_of!(Ctx, in_sample_masks));
        let zero = self.b.i64(0);
        let several = self.b.icmp(ICmp::Ne, rows, zero);
        let var = self.b.declare(Ty::I32, false);
        let one_sample = self.b.bool_to_i32(self.env.fragment.covered);
        let (unit, s) = (self.env.unit, self.b.lanes());
        self.b.if_else(
            several,
            |b| {
                let at = b.index(rows, unit, 4 * s);
                let row = b.load_row(Ty::I32, at, 0);
                b.set(&var, row);
            },
            |b| b.set(&var, one_sample),
        );
        self.b.take(var)
    }
}

/// Returns true if a region has a loop, which need not terminate.
fn has_loop(r: &Region) -> bool {
    r.nodes.iter().any(|n| match n {
        Node::Inst(_) => false,
        Node::If(n) => has_loop(&n.then) || has_loop(&n.els),
        Node::Block(n) => has_loop(&n.body),
        Node::Loop(_) => true,
    })
}
