//! Access to single texels at integer coordinates: fetch, storage reads, writes and atomics. Filtered reads are left to
//! [`super::sample`].
//!
//! Texels outside the view read as zero (missing components as 0, 0, 0, 1), writes to them are dropped, and atomics on
//! them have no effect and return 0.
//!
//! Spec: Vulkan, "Texel Input Validation Operations" (textures-input-validation), robustImageAccess2.

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::ir::{AtomicOp, ImageDim, LodMode, Ty};
use quadrille_jit::runtime;

use super::{Call, Place, lanes, put};

impl Call<'_> {
    /// Texel at a lane's integer coordinates, plus texel offsets if the operation has them.
    pub(super) fn integer_place(&self, args: &ImageArgs, lane: usize) -> Place {
        let mut at = [0i32; 3];
        for (c, v) in at.iter_mut().enumerate().take(self.n_coords()) {
            *v = args.coord[c][lane] as i32;
            if self.op.offset {
                *v = v.wrapping_add(args.offset[c][lane] as i32);
            }
        }
        let mut p = Place { x: at[0], y: at[1], z: at[2], ..Place::default() };
        if self.op.dim == ImageDim::Cube {
            // Cubes are accessed as layers: the third coordinate is face and cube.
            p.slice = p.z as u32;
            p.z = 0;
        } else if self.op.arrayed {
            p.slice = args.coord[self.n_coords()][lane];
        }
        if self.op.multisampled {
            p.sample = args.sample[lane];
        }
        p
    }

    pub(super) fn fetch(&self, args: &mut ImageArgs) {
        let has_level = !self.op.multisampled
            && !matches!(self.op.dim, ImageDim::Buffer | ImageDim::SubpassData)
            && self.op.lod == LodMode::Explicit;
        for lane in lanes(args) {
            let mut p = self.integer_place(args, lane);
            if has_level {
                p.level = args.lod[lane];
            }
            // Levels below the integer part of the view's minimum lod count as outside.
            if self.key.withheld && p.level < self.view.min_lod as u32 {
                p.level = u32::MAX;
            }
            self.load(args, lane, p);
        }
    }

    pub(super) fn read(&self, args: &mut ImageArgs) {
        for lane in lanes(args) {
            let p = self.integer_place(args, lane);
            self.load(args, lane, p);
        }
    }

    fn load(&self, args: &mut ImageArgs, lane: usize, p: Place) {
        self.load_texel(args, lane, p);
        self.tell(args, lane);
    }

    fn load_texel(&self, args: &mut ImageArgs, lane: usize, p: Place) {
        if self.op.texel == Ty::I64 {
            // Each 64-bit component takes two rows.
            let word = self.word(p).unwrap_or(0);
            put(args, lane, 0, std::array::from_fn(|k| (word >> (32 * k)) as u32));
            for (row, word) in args.texel[4..].iter_mut().zip([0, 0, 1, 0]) {
                row[lane] = word;
            }
            return;
        }
        let t = self.word(p).map_or_else(|| self.outside(), |w| self.info.unpack_word(w));
        put(args, lane, 0, self.swizzled(t));
    }

    pub(super) fn write(&self, args: &mut ImageArgs) {
        for lane in lanes(args) {
            let texel = std::array::from_fn(|c| args.texel[c][lane]);
            if let Some(offset) = self.written(self.integer_place(args, lane)) {
                self.view.memory.write_texel(offset, self.info.bytes, self.info.pack_word(texel));
            }
        }
    }

    pub(super) fn atomic(&self, args: &mut ImageArgs, op: AtomicOp) {
        if self.op.texel == Ty::I64 {
            return self.atomic_wide(args, op);
        }
        for lane in lanes(args) {
            let (a, b) = (args.texel[0][lane], args.texel[1][lane]);
            let place = self.written(self.integer_place(args, lane)).filter(|_| self.info.bytes == 4);
            let next = |old| runtime::atomic_result(op, 4, u64::from(old), a.into(), b.into()) as u32;
            let old = place.map_or(0, |at| self.view.memory.update_u32(at, next));
            args.texel[0][lane] = old;
        }
    }

    /// Atomics on 64-bit texels; texels of other sizes are not changed.
    fn atomic_wide(&self, args: &mut ImageArgs, op: AtomicOp) {
        for lane in lanes(args) {
            let operand =
                |k: usize| u64::from(args.texel[2 * k][lane]) | u64::from(args.texel[2 * k + 1][lane]) << 32;
            let (a, b) = (operand(0), operand(1));
            let place = self.written(self.integer_place(args, lane)).filter(|_| self.info.bytes == 8);
            let next = |old| runtime::atomic_result(op, 8, old, a, b);
            let old = place.map_or(0, |at| self.view.memory.update_u64(at, next));
            args.texel[0][lane] = old as u32;
            args.texel[1][lane] = (old >> 32) as u32;
        }
    }
}
