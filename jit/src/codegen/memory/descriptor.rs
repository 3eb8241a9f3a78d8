//! Descriptors: found in set memory, uniform or by lane, and what they say of a buffer.

use std::mem::offset_of;

use smallvec::SmallVec;

use crate::abi::{self, DESCRIPTOR_BYTES, Descriptor};
use crate::codegen::{Buffer, Gen, Handle, Level, PerLane};
use crate::ir::{Imm, Inst, Op, Ty, Value};
use crate::lane::{ICmp, Lane, Term};
use crate::{Error, Result};

impl Gen<'_, '_, '_> {
    pub(in crate::codegen) fn descriptor(&mut self, i: &Inst) -> Result<()> {
        let result = i.results[0];
        match (i.op, &i.imm) {
            (Op::PushConstants, _) => {
                let size = self.b.i64(abi::PUSH_BYTES as i64);
                self.handles.insert(result, Handle::Buffer(Buffer { base: self.env.push, size }));
            }
            (Op::Payload, _) => {
                let payload = self.payload();
                self.handles.insert(result, Handle::Buffer(payload));
            }
            (Op::SampledImage, _) => {
                self.handles.insert(result, Handle::Sampled(i.args[0], i.args[1]));
            }
            (Op::BufferDescriptor | Op::ImageDescriptor, Imm::Binding { set, binding }) => {
                let layout = self
                    .layout
                    .find(*set, *binding)
                    .ok_or_else(|| {
                        Error::invalid(format!("set {set}, binding {binding} is not in the pipeline layout"))
                    })?
                    .clone();
                let is_buffer = i.op == Op::BufferDescriptor;
                let array = match layout.dynamic {
                    Some(k) => self.b.offset(self.env.dynamic, i64::from(k * DESCRIPTOR_BYTES)),
                    None => {
                        let base = self.env.sets.get(*set as usize).copied().flatten().ok_or_else(|| {
                            Error::Limit(format!("descriptor set {set}: at most {}", abi::MAX_SETS))
                        })?;
                        let first = if is_buffer { layout.offset } else { layout.images };
                        self.b.offset(base, i64::from(first))
                    }
                };
                let index = self.val(i.args[0])?;
                let p = PerLane { array, count: layout.count, index };
                let h = if self.b.is_uniform(index) {
                    let at = self.descriptor_address(p, index, is_buffer);
                    if is_buffer { Handle::Buffer(self.load_buffer(at)) } else { self.load_image(at) }
                } else if is_buffer {
                    Handle::BufferPerLane(p)
                } else {
                    Handle::ImagePerLane(p)
                };
                self.handles.insert(result, h);
            }
            _ => return Err(Error::Internal(format!("malformed {}", i.op.name()))),
        }
        Ok(())
    }

    /// Address of descriptor `index` (uniform); out of range: a null buffer, or the last image.
    pub(in crate::codegen) fn descriptor_address(&mut self, p: PerLane, index: Lane, buffer: bool) -> Lane {
        let count = p.count.max(1);
        if let Some(k) = self.b.as_const(index)
            && k < u64::from(count)
        {
            return self.b.offset(p.array, k as i64 * i64::from(DESCRIPTOR_BYTES));
        }
        let last = self.b.u32(count - 1);
        let clamped = self.b.umin(index, last);
        let at = self.b.index(p.array, clamped, DESCRIPTOR_BYTES);
        if !buffer {
            return at;
        }
        let ok = self.b.icmp(ICmp::Eq, clamped, index);
        let null = self.b.ptr(abi::null_buffer());
        self.b.select(ok, at, null)
    }

    pub(in crate::codegen) fn load_buffer_at(&mut self, at: Lane) -> (Lane, Lane) {
        (
            self.b.load(Ty::I64, at, offset_of!(Descriptor, ptr) as i32),
            self.b.load(Ty::I64, at, offset_of!(Descriptor, size) as i32),
        )
    }

    pub(in crate::codegen) fn load_buffer(&mut self, at: Lane) -> Buffer {
        let (base, size) = self.load_buffer_at(at);
        Buffer { base, size }
    }

    pub(in crate::codegen) fn load_image(&mut self, at: Lane) -> Handle {
        let (view, sampler) = self.load_buffer_at(at);
        Handle::Image { view, sampler }
    }

    pub(in crate::codegen) fn handle(&mut self, v: Value) -> Result<Handle> {
        // A group that has waited at a barrier has only its values back.
        if self.shader.has_barrier
            && self.levels[v.0 as usize] == Level::Place
            && let Some(i) = self.ranges.def(v)
            && matches!(i.op, Op::BufferDescriptor | Op::ImageDescriptor)
        {
            self.descriptor(i)?;
        }
        match self.handles.get(&v).copied() {
            Some(Handle::At(base, size)) => {
                let (base, size) = (self.val(base)?, self.val(size)?);
                Ok(self.buffer_at(base, size))
            }
            Some(handle) => Ok(handle),
            None => Err(Error::unsupported("a selected or merged descriptor")),
        }
    }

    /// Runs `f` for each distinct index among the lanes of `mask`: with the descriptor's address and the
    /// lanes that chose it.
    pub(in crate::codegen) fn for_each_descriptor(
        &mut self,
        p: PerLane,
        mask: Lane,
        buffer: bool,
        f: impl FnOnce(&mut Self, Lane, Lane) -> Result<()>,
    ) -> Result<()> {
        self.for_each_value(p.index, Ty::I32, mask, |g, index, these| {
            let address = g.descriptor_address(p, index, buffer);
            f(g, address, these)
        })
    }

    /// Runs `f` for each distinct one of `values` (I32 or I64, as `ty` says) among the lanes of `mask`: with the value,
    /// uniform, and the lanes that have it.
    pub(in crate::codegen) fn for_each_value(
        &mut self,
        values: Lane,
        ty: Ty,
        mask: Lane,
        f: impl FnOnce(&mut Self, Lane, Lane) -> Result<()>,
    ) -> Result<()> {
        let mark = self.b.mark_temporaries();
        let row = self.b.spill(values);
        let bits = self.b.mask_bits(mask);
        let rest = self.b.declare(Ty::I32, true);
        self.b.set(&rest, bits);
        let (head, body, exit) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.b.go_on_in(head);
        let left = self.b.get(&rest);
        let zero = self.b.u32(0);
        let more = self.b.icmp(ICmp::Ne, left, zero);
        self.branch(more, body, exit);
        self.start_sealed(body);
        let lane = self.b.lowest_bit(left);
        let at = self.b.index(row, lane, ty.bytes());
        let one = self.b.load(ty, at, 0);
        let same = self.b.icmp(ICmp::Eq, values, one);
        let left_mask = self.b.mask_from_bits(left);
        let these = self.b.and(same, left_mask);
        f(self, one, these)?;
        let done = self.b.mask_bits(these);
        let left = self.b.and_not(left, done);
        self.b.set(&rest, left);
        self.jump(head);
        self.b.seal(head);
        self.start_sealed(exit);
        self.b.release(rest);
        self.b.release_temporaries(mark);
        Ok(())
    }

    pub(in crate::codegen) fn buffer_size(&mut self, i: &Inst) -> Result<()> {
        let size = match self.handle(i.args[0])? {
            Handle::Buffer(b) => self.clamp_size(b.size),
            Handle::BufferPerLane(p) => {
                let var = self.b.declare(Ty::I32, false);
                let zero = self.b.u32(0);
                self.b.set(&var, zero);
                let mask = self.mask();
                self.for_each_descriptor(p, mask, true, |g, at, these| {
                    let (_, size) = g.load_buffer_at(at);
                    let size = g.clamp_size(size);
                    let old = g.b.get(&var);
                    let new = g.b.select(these, size, old);
                    g.b.set(&var, new);
                    Ok(())
                })?;
                self.b.take(var)
            }
            Handle::BufferLanes(b) => self.sizes(b),
            _ => return Err(Error::Internal("size of an image".into())),
        };
        self.def(i.results[0], size);
        Ok(())
    }

    /// Size as I32; what is beyond 32 bits cannot be addressed.
    fn clamp_size(&mut self, size: Lane) -> Lane {
        let max = self.b.i64(i64::from(u32::MAX));
        let size = self.b.umin(size, max);
        self.b.i64_to_i32(size)
    }

    pub(in crate::codegen) fn byte_offset(&mut self, i: &Inst) -> Result<()> {
        let Imm::Strides(strides) = &i.imm else {
            return Err(Error::Internal(format!("malformed {}", i.op.name())));
        };
        let mut terms: SmallVec<[Term; 4]> = SmallVec::new();
        for (&a, &stride) in i.args.iter().zip(strides) {
            self.claim_bound(i, a, false)?;
            let bound = self.ranges.upper(a);
            terms.push(Term { index: self.val(a)?, stride, bound });
        }
        let offset = self.b.byte_offset(&terms);
        self.def(i.results[0], offset);
        Ok(())
    }
}
