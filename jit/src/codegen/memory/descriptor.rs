//! Descriptors: finds them in set memory, uniform or per lane, and reads base and size of a buffer.

use std::mem::offset_of;

use smallvec::SmallVec;

use crate::abi::{self, BindingLayout, Ctx, DESCRIPTOR_BYTES, Descriptor, DescriptorForm};
use crate::codegen::{Buffer, Count, Gen, Handle, Level, PerLane};
use crate::handle::{HandleKind, HandleRecord};
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
            (Op::BufferDescriptor | Op::ImageDescriptor, Imm::Binding { set, binding, kind }) => {
                let layout = self
                    .layout
                    .find(*set, *binding)
                    .ok_or_else(|| {
                        Error::invalid(format!("set {set}, binding {binding} is not in the pipeline layout"))
                    })?
                    .clone();
                let h = self.bound(&layout, *kind, i.args[0])?;
                self.handles.insert(result, h);
            }
            _ => return Err(Error::Internal(format!("malformed {}", i.op.name()))),
        }
        Ok(())
    }

    /// Handle of element `index` of a binding.
    fn bound(&mut self, layout: &BindingLayout, kind: HandleKind, index: Value) -> Result<Handle> {
        let array = match layout.dynamic {
            Some(k) => self.b.offset(self.env.dynamic, i64::from(k * DESCRIPTOR_BYTES)),
            None => {
                let set = self.env.sets.get(layout.set as usize).copied().flatten().ok_or_else(|| {
                    Error::Limit(format!("descriptor set {}: at most {}", layout.set, abi::MAX_SETS))
                })?;
                self.b.offset(set, i64::from(layout.offset))
            }
        };
        let count = match layout.form {
            _ if layout.dynamic.is_some() => Count::Resolved(layout.count),
            DescriptorForm::Resolved => Count::Resolved(layout.count),
            DescriptorForm::Handles => {
                let room = self.bytes_from(layout);
                let four = self.b.u32(DESCRIPTOR_BYTES.trailing_zeros());
                let room = self.b.ushr(room, four);
                let count = self.b.u32(layout.count);
                Count::Handles(self.b.umin(room, count))
            }
            DescriptorForm::Inline => {
                let (room, most) = (self.bytes_from(layout), self.b.u32(layout.count));
                let size = self.b.umin(room, most);
                let size = self.b.u32_to_i64(size);
                return Ok(Handle::Buffer(Buffer { base: array, size }));
            }
        };
        let index = self.val(index)?;
        let p = PerLane { kind, array, count, index };
        Ok(match (kind == HandleKind::Buffer, self.b.is_uniform(index)) {
            (true, true) => {
                let (base, size) = self.record(p, index);
                Handle::Buffer(Buffer { base, size })
            }
            (false, true) => {
                let (view, sampler) = self.record(p, index);
                Handle::Image { view, sampler }
            }
            (true, false) => Handle::BufferPerLane(p),
            (false, false) => Handle::ImagePerLane(p),
        })
    }

    /// Bytes of a set from a binding on (I32, uniform).
    fn bytes_from(&mut self, layout: &BindingLayout) -> Lane {
        let at = offset_of!(Ctx, set_bytes) + 4 * layout.set as usize;
        let (bytes, first) = (self.load_ctx(Ty::I32, at), self.b.u32(layout.offset));
        let end = self.b.umax(bytes, first);
        self.b.isub(end, first)
    }

    /// The contents of descriptor `index` (uniform): base and size of a buffer, or view and sampler word. An
    /// out-of-range index gives a null buffer, or the last resolved image.
    fn record(&mut self, p: PerLane, index: Lane) -> (Lane, Lane) {
        match p.count {
            Count::Resolved(count) => {
                let at = self.descriptor_address(p, count, index);
                (
                    self.b.load(Ty::I64, at, offset_of!(Descriptor, ptr) as i32),
                    self.b.load(Ty::I64, at, offset_of!(Descriptor, size) as i32),
                )
            }
            Count::Handles(count) => {
                // Memory may end with the last bound record, so a null handle is read in the page of zeros.
                let ok = self.b.icmp(ICmp::Ult, index, count);
                let at = self.b.index(p.array, index, DESCRIPTOR_BYTES);
                let nothing = self.b.ptr(abi::zeros());
                let at = self.b.select(ok, at, nothing);
                let handle = self.b.load(Ty::I64, at, 0);
                match p.kind {
                    HandleKind::Buffer => {
                        let range = self.b.load(Ty::I64, at, offset_of!(HandleRecord, range) as i32);
                        self.resolve_buffer(handle, range)
                    }
                    HandleKind::Image | HandleKind::TexelBuffer => self.resolve_image(handle, p.kind),
                }
            }
        }
    }

    /// Address of resolved descriptor `index` (uniform). An out-of-range index gives a null buffer, or the last image.
    fn descriptor_address(&mut self, p: PerLane, count: u32, index: Lane) -> Lane {
        let count = count.max(1);
        if let Some(k) = self.b.as_const(index)
            && k < u64::from(count)
        {
            return self.b.offset(p.array, k as i64 * i64::from(DESCRIPTOR_BYTES));
        }
        let last = self.b.u32(count - 1);
        let clamped = self.b.umin(index, last);
        let at = self.b.index(p.array, clamped, DESCRIPTOR_BYTES);
        if p.kind != HandleKind::Buffer {
            return at;
        }
        let ok = self.b.icmp(ICmp::Eq, clamped, index);
        let null = self.b.ptr(abi::null_buffer());
        self.b.select(ok, at, null)
    }

    pub(in crate::codegen) fn handle(&mut self, v: Value) -> Result<Handle> {
        // After a barrier a group has its values back, but not the descriptors derived from them.
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

    /// Runs `f` for each distinct index among the lanes of `mask`, with the contents of the descriptor and the lanes
    /// that chose it.
    pub(in crate::codegen) fn for_each_descriptor(
        &mut self,
        p: PerLane,
        mask: Lane,
        f: impl FnOnce(&mut Self, (Lane, Lane), Lane) -> Result<()>,
    ) -> Result<()> {
        self.for_each_value(p.index, Ty::I32, mask, |g, index, these| {
            let found = g.record(p, index);
            f(g, found, these)
        })
    }

    /// Runs `f` for each distinct element of `values` (I32 or I64, as `ty` says) among the lanes of `mask`, with the
    /// value (uniform) and the lanes that have it.
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
        if self.shader.ty(i.results[0]) == Ty::I64 {
            let handle = self.handle(i.args[0])?;
            let (_, size) = self.parts_of(handle)?;
            self.def(i.results[0], size);
            return Ok(());
        }
        let size = match self.handle(i.args[0])? {
            Handle::Buffer(b) => self.clamp_size(b.size),
            Handle::BufferPerLane(p) => {
                let var = self.b.declare(Ty::I32, false);
                let zero = self.b.u32(0);
                self.b.set(&var, zero);
                let mask = self.mask();
                self.for_each_descriptor(p, mask, |g, (_, size), these| {
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

    /// Size as I32, saturating: bytes beyond 32 bits cannot be addressed.
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
