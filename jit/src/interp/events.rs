//! What a device tells those who watch it besides what shaders do: which memory there is, and who else writes it.

use std::sync::Arc;

use super::watch::Range;

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
