//! Ranges of memory, and the location of the texels of a view in memory. Addresses are those of shader accesses.

/// A range of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Range {
    /// Address of the first byte.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
}

/// Offset behind an access of `bytes` bytes at an offset, which may be any number: a sum past 2^64 - 1 becomes 2^64 - 1,
/// which is behind the end of every range.
pub fn end_of_access(offset: u64, bytes: impl Into<u64>) -> u64 {
    offset.saturating_add(bytes.into())
}

impl Range {
    /// Returns true if an access of `bytes` bytes at an offset stays in the range.
    pub fn holds(&self, offset: u64, bytes: u32) -> bool {
        end_of_access(offset, bytes) <= self.size
    }
}

/// Location of the texels of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texels {
    /// Address that offsets are relative to.
    pub base: u64,
    /// Bytes of a texel.
    pub bytes: u32,
    /// Number of layers or faces.
    pub layers: u32,
    /// Bytes between layers.
    pub layer_pitch: u64,
    /// True for depth texels, which may be compared with a reference.
    pub depth: bool,
    /// Levels.
    pub levels: Vec<TexelLevel>,
}

/// A level of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexelLevel {
    /// Width, height and depth in texels.
    pub extent: [u32; 3],
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
    /// The bytes of a texel; `None` if the view has no such level or layer, or the layer has no such texel.
    pub fn texel(&self, level: u32, layer: u32, [x, y, z]: [u32; 3], sample: u32) -> Option<Range> {
        let of = self.levels.get(level as usize).filter(|_| layer < self.layers)?;
        // A texel outside of its row would have the address of one in another row.
        if [x, y, z].iter().zip(&of.extent).any(|(at, side)| at >= side) {
            return None;
        }
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

    /// The byte range of each layer of each level.
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

    /// An offset of 64 bits near the greatest number is behind every range.
    #[test]
    fn ends_of_accesses_do_not_wrap() {
        assert_eq!(end_of_access(12, 4u32), 16);
        assert_eq!([end_of_access(u64::MAX - 3, 4u32), end_of_access(u64::MAX, 8u32)], [u64::MAX; 2]);
        let range = Range { base: 64, size: 16 };
        assert!(range.holds(12, 4));
        assert!(![13, 16, 1 << 40, u64::MAX - 3, u64::MAX].iter().any(|&at| range.holds(at, 4)));
    }

    #[test]
    fn texels_are_in_their_layers() {
        let level = TexelLevel {
            extent: [7, 4, 1],
            offset: 64,
            size: 4 * 32,
            row_pitch: 32,
            slice_pitch: 128,
            sample_pitch: 128,
        };
        let texels =
            Texels { base: 1000, bytes: 4, layers: 2, layer_pitch: 256, depth: false, levels: vec![level] };
        let at = |level, layer, place| texels.texel(level, layer, place, 0).map(|r| (r.base, r.size));
        assert_eq!(at(0, 0, [0; 3]), Some((1064, 4)));
        assert_eq!(at(0, 1, [3, 2, 0]), Some((1064 + 256 + 64 + 12, 4)));
        assert_eq!(at(0, 1, [0, 4, 0]), None);
        assert_eq!((at(0, 0, [6, 0, 0]), at(0, 0, [7, 0, 0])), (Some((1064 + 24, 4)), None));
        assert_eq!((at(0, 0, [8, 0, 0]), at(0, 0, [0, 0, 1])), (None, None));
        assert_eq!(at(0, 2, [0; 3]), None);
        assert_eq!(at(1, 0, [0; 3]), None);
        assert_eq!(at(0, 0, [u32::MAX; 3]), None);
        let parts: Vec<_> = texels.parts().map(|r| (r.base, r.size)).collect();
        assert_eq!(parts, [(1064, 128), (1320, 128)]);
    }
}
