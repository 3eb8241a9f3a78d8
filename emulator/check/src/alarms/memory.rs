//! Alarms for buffers, indices, images and quads: counterparts of `memory::bounds` and `control` for shaders that do
//! not write memory.

use quadrille_jit::ir::{GroupOp, ImageDim, ImageOp, ImageOpKind, Imm, Inst, LodMode, Mem, Op, Ty, Value};

use super::insert::Insert;
use super::is_single;

/// True if the size of the operation's image can be queried in the order of its coordinates.
pub fn has_size(op: &ImageOp) -> bool {
    op.dim != ImageDim::Cube && !op.offset
}

impl Insert {
    /// Adds an alarm for a buffer load that is out of bounds or misaligned.
    pub fn load(&mut self, inst: &Inst, mem: Mem) {
        let (buffer, offset) = (inst.args[0], inst.args[1]);
        let Some(&first) = inst.results.first() else { return };
        let bytes = u64::from(self.shader.ty(first).bytes());
        let last = (inst.results.len() as u64 - 1) * u64::from(mem.stride);
        let end = u64::from(mem.offset) + last + bytes;
        // The offset has 64 bits with 64-bit indexing.
        let ty = self.shader.ty(offset);
        if ty == Ty::I32 && end > u64::from(u32::MAX) {
            return self.ring_always();
        }
        let size = self.emit(Op::BufferSize, &[buffer], Imm::None, &[ty])[0];
        let end = self.bits(ty, end);
        let small = self.test(Op::ULt, &[size, end]);
        self.ring(small);
        let rest = self.op(Op::ISub, ty, &[size, end]);
        let far = self.test(Op::ULt, &[rest, offset]);
        self.ring(far);
        if bytes == 1 {
            return;
        }
        if !u64::from(mem.stride).is_multiple_of(bytes) {
            return self.ring_always();
        }
        let base = self.emit(Op::BufferParts, &[buffer], Imm::None, &[Ty::I64, Ty::I64])[0];
        let base = self.op(Op::UConvert, Ty::I32, &[base]);
        let constant = self.bits(Ty::I32, mem.offset.into());
        let low = if ty == Ty::I32 { offset } else { self.op(Op::UConvert, Ty::I32, &[offset]) };
        let at = self.op(Op::IAdd, Ty::I32, &[low, constant]);
        let at = self.op(Op::IAdd, Ty::I32, &[base, at]);
        let low = self.bits(Ty::I32, bytes - 1);
        let odd = self.op(Op::And, Ty::I32, &[at, low]);
        let zero = self.bits(Ty::I32, 0);
        let odd = self.test(Op::INe, &[odd, zero]);
        self.ring(odd);
    }

    /// Adds an alarm for an index that must be the same in all lanes.
    pub fn uniform_index(&mut self, index: Value) {
        if self.known(index).is_none() {
            let same = self.emit(Op::Group, &[index], Imm::Group(GroupOp::AllEqual), &[Ty::Bool])[0];
            let differs = self.test(Op::Not, &[same]);
            self.ring(differs);
        }
    }

    /// Adds an alarm for incomplete quads in the lanes in which `when` is true.
    pub fn whole_quad(&mut self, when: Option<Value>) {
        let one = self.bits(Ty::I32, 1);
        let mut there = one;
        for direction in 0..3 {
            let swap = Imm::Group(GroupOp::QuadSwap(direction));
            let other = self.emit(Op::Group, &[one], swap, &[Ty::I32])[0];
            there = self.op(Op::And, Ty::I32, &[there, other]);
        }
        let mut away = self.test(Op::INe, &[there, one]);
        if let Some(when) = when {
            away = self.test(Op::And, &[away, when]);
        }
        self.ring(away);
    }

    /// Adds an alarm for a missing image, a texel out of bounds, or an implicit level of detail in an incomplete quad.
    pub fn image(&mut self, inst: &Inst, op: &ImageOp) {
        use ImageOpKind::{QueryLevels, QueryLod, Sample};
        if op.dim == ImageDim::SubpassData {
            return;
        }
        let zero = self.bits(Ty::I32, 0);
        if op.dim == ImageDim::Buffer || op.multisampled {
            let size = self.size(inst.args[0], op, None);
            self.is_there(size[0], zero);
            if is_single(op) {
                self.texel(inst, op, &size);
            }
            return;
        }
        let levels = self.query(inst.args[0], op, QueryLevels, &[], 1)[0];
        self.is_there(levels, zero);
        if is_single(op) {
            let level = match op.lod {
                LodMode::Explicit => inst.args[1 + op.dim.coords() as usize + usize::from(op.arrayed)],
                _ => zero,
            };
            let above = self.test(Op::ULe, &[levels, level]);
            self.ring(above);
            let size = self.size(inst.args[0], op, Some(level));
            self.texel(inst, op, &size);
        }
        let implicit = matches!(op.lod, LodMode::Implicit | LodMode::Bias);
        if implicit && matches!(op.kind, Sample | QueryLod) && self.shader.needs_quads {
            let one = self.bits(Ty::I32, 1);
            let several = self.test(Op::ULt, &[one, levels]);
            self.whole_quad(Some(several));
        }
    }

    fn is_there(&mut self, count: Value, zero: Value) {
        let none = self.test(Op::IEq, &[count, zero]);
        self.ring(none);
    }

    /// Appends an image query.
    fn query(
        &mut self,
        image: Value,
        op: &ImageOp,
        kind: ImageOpKind,
        args: &[Value],
        n: usize,
    ) -> Vec<Value> {
        let plain = ImageOp {
            kind,
            lod: if args.is_empty() { LodMode::Zero } else { LodMode::Explicit },
            dref: false,
            min_lod: false,
            offset: false,
            offsets4: false,
            components: 0,
            residency: false,
            ..*op
        };
        let list: Vec<Value> = [image].into_iter().chain(args.iter().copied()).collect();
        self.emit(Op::ImageOp, &list, Imm::Image(Box::new(plain)), &vec![Ty::I32; n])
    }

    /// Returns the size in each coordinate, the layer count last.
    fn size(&mut self, image: Value, op: &ImageOp, level: Option<Value>) -> Vec<Value> {
        let n = if op.dim == ImageDim::Cube { 2 } else { op.dim.coords() as usize };
        let level: Vec<Value> = level.into_iter().collect();
        self.query(image, op, ImageOpKind::QuerySize, &level, n + usize::from(op.arrayed))
    }

    /// Adds an alarm for a texel or sample out of bounds.
    fn texel(&mut self, inst: &Inst, op: &ImageOp, size: &[Value]) {
        for (&at, &size) in inst.args[1..].iter().zip(size) {
            let out = self.test(Op::ULe, &[size, at]);
            self.ring(out);
        }
        if op.multisampled {
            // The sample is the last operand of a read.
            let sample = inst.args[inst.args.len() - 1];
            let samples = self.query(inst.args[0], op, ImageOpKind::QuerySamples, &[], 1)[0];
            let out = self.test(Op::ULe, &[samples, sample]);
            self.ring(out);
        }
    }
}
