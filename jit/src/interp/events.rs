//! What a device tells those who watch it besides what shaders do: which memory there is, and who else writes it.

use std::sync::Arc;

use crate::ir::Shader;

/// A range of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Range {
    /// Address of the first byte.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
}

/// Something that happens to memory. Addresses are those that accesses of shaders have.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Memory is there, and nobody has written it.
    Fresh(Range),
    /// It is there no more.
    Gone(Range),
    /// The host or a command has written bytes, or may do so at any time.
    Written(Range),
    /// Bytes have become what those from an address on are.
    Copied {
        /// The first of those.
        from: u64,
        /// Bytes that are written.
        to: Range,
    },
    /// Texels of the view whose record is at an address ([`ImageArgs::view`](crate::abi::ImageArgs)) are here.
    Shown {
        /// Address of the record.
        record: u64,
        /// Where they are.
        texels: &'a Arc<Texels>,
    },
    /// The view is there no more.
    Hidden {
        /// Address of its record.
        record: u64,
    },
    /// A list of commands begins.
    Begins {
        /// Nothing but barriers orders its commands.
        explicit: bool,
    },
    /// A command accesses memory, other than by shaders.
    Accessed {
        /// What it is called.
        command: &'a str,
        /// What it accesses.
        areas: &'a [Area],
    },
    /// A barrier.
    Barrier(&'a [Dependency]),
    /// These shaders run together once other work begins.
    Runs(&'a Runs<'a>),
}

/// How memory is accessed, as barriers name it. Spec: Vulkan, VkPipelineStageFlagBits2 and VkAccessFlagBits2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Stages that access it.
    pub stages: u64,
    /// How they do.
    pub access: u64,
    /// They write it.
    pub writes: bool,
}

/// Memory that a command accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Which.
    pub block: Block,
    /// How.
    pub by: Access,
}

/// Bytes of rows in slices, or bytes one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Address that distances are from.
    pub base: u64,
    /// Bytes between rows.
    pub row_pitch: u64,
    /// Bytes between slices.
    pub slice_pitch: u64,
    /// First and end of the bytes of a row.
    pub x: [u64; 2],
    /// First and end of the rows.
    pub y: [u64; 2],
    /// First and end of the slices.
    pub z: [u64; 2],
}

impl Block {
    /// Bytes one after another.
    pub fn bytes_of(range: Range) -> Block {
        let pitch = u64::MAX;
        Block {
            base: range.base,
            row_pitch: pitch,
            slice_pitch: pitch,
            x: [0, range.size],
            y: [0, 1],
            z: [0, 1],
        }
    }

    /// From the first byte to the last.
    pub fn bytes(&self) -> Range {
        let at = |x: u64, y: u64, z: u64| {
            x.saturating_add(y.saturating_mul(self.row_pitch))
                .saturating_add(z.saturating_mul(self.slice_pitch))
        };
        let first = at(self.x[0], self.y[0], self.z[0]);
        let end = at(self.x[1], self.y[1].saturating_sub(1), self.z[1].saturating_sub(1));
        Range { base: self.base.saturating_add(first), size: end.saturating_sub(first) }
    }

    /// Whether some of these few bytes are in it.
    pub fn contains(&self, bytes: Range) -> bool {
        let own = self.bytes();
        if bytes.base >= own.base.saturating_add(own.size)
            || own.base >= bytes.base.saturating_add(bytes.size)
        {
            return false;
        }
        // Bytes of a texel are of one row.
        let Some(at) = bytes.base.checked_sub(self.base) else { return true };
        let (z, rest) = (at / self.slice_pitch.max(1), at % self.slice_pitch.max(1));
        let (y, x) = (rest / self.row_pitch.max(1), rest % self.row_pitch.max(1));
        let inside = |[first, end]: [u64; 2], at: u64, n: u64| at < end && first < at.saturating_add(n);
        inside(self.x, x, bytes.size) && inside(self.y, y, 1) && inside(self.z, z, 1)
    }

    /// Whether they have bytes in common: exactly if they are of one image, else by their first and last.
    pub fn overlaps(&self, other: &Block) -> bool {
        let (a, b) = (self.bytes(), other.bytes());
        let near = a.base < b.base.saturating_add(b.size) && b.base < a.base.saturating_add(a.size);
        let same =
            (self.base, self.row_pitch, self.slice_pitch) == (other.base, other.row_pitch, other.slice_pitch);
        let meet = |a: [u64; 2], b: [u64; 2]| a[0] < b[1] && b[0] < a[1];
        near && (!same || meet(self.x, other.x) && meet(self.y, other.y) && meet(self.z, other.z))
    }
}

/// What a barrier says. Spec: Vulkan, VkMemoryBarrier2 and its kin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// Stages that must be done.
    pub src_stages: u64,
    /// Accesses that are made available.
    pub src_access: u64,
    /// Stages that wait.
    pub dst_stages: u64,
    /// Accesses that they are made visible to.
    pub dst_access: u64,
    /// What memory it is about; `None`: all.
    pub of: Option<Range>,
}

impl Dependency {
    /// All before, all behind.
    pub const FULL: Dependency = {
        let (stages, access) = (1 << 16, 1 << 15 | 1 << 16);
        Dependency {
            src_stages: stages,
            src_access: access,
            dst_stages: stages,
            dst_access: access,
            of: None,
        }
    };
}

/// Shaders of a pipeline, and what they run with.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    /// In pipeline order.
    pub stages: &'a [Arc<Shader>],
    /// Bytes of push constants that commands have set.
    pub pushed: u32,
}

/// Where the texels of a view are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texels {
    /// Address that offsets are from.
    pub base: u64,
    /// Bytes of a texel.
    pub bytes: u32,
    /// Layers, or faces.
    pub layers: u32,
    /// Bytes between them.
    pub layer_pitch: u64,
    /// Levels.
    pub levels: Vec<TexelLevel>,
}

/// A level of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexelLevel {
    /// Offset of the first texel of the first layer.
    pub offset: u64,
    /// Bytes of a layer.
    pub size: u64,
    /// Bytes between rows.
    pub row_pitch: u64,
    /// Bytes between slices.
    pub slice_pitch: u64,
    /// Bytes between samples.
    pub sample_pitch: u64,
}

impl Texels {
    /// The bytes of a texel, if the view has the level and the layer and the texel is in the layer.
    pub fn texel(&self, level: u32, layer: u32, [x, y, z]: [u32; 3], sample: u32) -> Option<Range> {
        let of = self.levels.get(level as usize).filter(|_| layer < self.layers)?;
        let bytes = u64::from(self.bytes);
        let at = u64::from(x)
            .checked_mul(bytes)?
            .checked_add(u64::from(y).checked_mul(of.row_pitch)?)?
            .checked_add(u64::from(z).checked_mul(of.slice_pitch)?)?
            .checked_add(u64::from(sample).checked_mul(of.sample_pitch)?)?;
        let inside = at.checked_add(bytes).is_some_and(|end| end <= of.size);
        let base =
            self.base.wrapping_add(of.offset).wrapping_add(u64::from(layer).wrapping_mul(self.layer_pitch));
        inside.then(|| Range { base: base.wrapping_add(at), size: bytes })
    }

    /// The bytes of each layer of each level.
    pub fn parts(&self) -> impl Iterator<Item = Range> + '_ {
        let layer = |level: &TexelLevel, layer: u32| Range {
            base: self
                .base
                .wrapping_add(level.offset)
                .wrapping_add(u64::from(layer).wrapping_mul(self.layer_pitch)),
            size: level.size,
        };
        self.levels.iter().flat_map(move |level| (0..self.layers).map(move |n| layer(level, n)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_are_in_their_layers() {
        let level =
            TexelLevel { offset: 64, size: 4 * 32, row_pitch: 32, slice_pitch: 128, sample_pitch: 128 };
        let texels = Texels { base: 1000, bytes: 4, layers: 2, layer_pitch: 256, levels: vec![level] };
        let at = |level, layer, place| texels.texel(level, layer, place, 0).map(|r| (r.base, r.size));
        assert_eq!(at(0, 0, [0; 3]), Some((1064, 4)));
        assert_eq!(at(0, 1, [3, 2, 0]), Some((1064 + 256 + 64 + 12, 4)));
        assert_eq!(at(0, 1, [0, 4, 0]), None);
        assert_eq!(at(0, 2, [0; 3]), None);
        assert_eq!(at(1, 0, [0; 3]), None);
        assert_eq!(at(0, 0, [u32::MAX; 3]), None);
        let parts: Vec<_> = texels.parts().map(|r| (r.base, r.size)).collect();
        assert_eq!(parts, [(1064, 128), (1320, 128)]);
    }
}
