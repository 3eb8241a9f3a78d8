//! Resolves of multisampled images.
//!
//! Averages of 8-bit unsigned normalized components, the usual format of pictures, have a loop of their own, with the bits
//! of the general one. Conversion of rows is left to `rows`.
//!
//! Spec: Vulkan, "Resolving Multisample Images".

use quadrille_jit::error::{Error, Result};

use super::{Area, ImageRef, Plane, Runner, SubresourceLayers, area, for_each, must, rows};
use crate::memory::combine::ResolveMode;

/// Region of a resolve. Spec: `VkImageResolve`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageResolve {
    /// Source subresource.
    pub src: SubresourceLayers,
    /// First texel in the source.
    pub src_offset: [i32; 3],
    /// Destination subresource.
    pub dst: SubresourceLayers,
    /// First texel in the destination.
    pub dst_offset: [i32; 3],
    /// Extent in texels.
    pub extent: [u32; 3],
}

/// Resolves samples with a mode. With `None`, colours are averaged, and integers, depth and stencil use sample 0.
pub fn resolve_image<'a>(
    on: impl Into<Runner<'a>>,
    src: &ImageRef<'_>,
    dst: &ImageRef<'_>,
    regions: &[ImageResolve],
    mode: Option<ResolveMode>,
) -> Result<()> {
    let on = on.into();
    for (p, a, q, b) in resolve_areas(src, dst, regions)? {
        let default =
            if p.format.is_depth_stencil() { ResolveMode::SampleZero } else { ResolveMode::Average };
        let mode = mode.unwrap_or(default).of(p.format);
        let samples = if mode == ResolveMode::SampleZero { 1 } else { p.samples };
        let averages_bytes = mode == ResolveMode::Average && rows::is_unorm8(p.format);
        let height = u64::from(a.height);
        let row_bytes = u64::from(a.width) * 16 * u64::from(samples);
        for_each(on, height * u64::from(a.slices), row_bytes, |i| {
            let (y, z) = ((i % height) as u32, (i / height) as u32);
            let from = Row { plane: &p, at: p.at(a.x, a.y + y, a.slice + z), width: a.width, samples };
            let bytes = if averages_bytes { from.average_bytes() } else { from.resolve(mode) };
            q.write_row([b.x, b.y + y, b.slice + z], &bytes);
        });
    }
    Ok(())
}

/// A row of texels with several samples.
struct Row<'a> {
    plane: &'a Plane<'a>,
    /// Offset of the first texel of sample 0.
    at: u64,
    width: u32,
    /// Number of samples that are used.
    samples: u32,
}

impl Row<'_> {
    /// Offsets of the first texel of each sample.
    fn of_samples(&self) -> impl Iterator<Item = u64> {
        (0..u64::from(self.samples)).map(|s| self.at + s * self.plane.sample_pitch)
    }

    /// The resolved texels, for any format and mode.
    fn resolve(&self, mode: ResolveMode) -> Vec<u8> {
        let (format, memory) = (self.plane.format, &self.plane.memory);
        let numeric = format.info().numeric;
        let mut bytes = Vec::new();
        let mut sum = vec![[0; 4]; self.width as usize];
        let mut next = sum.clone();
        rows::read(memory, self.at, format, &mut sum, &mut bytes);
        let size = format.bytes() as usize;
        let (first, mut equal) = (bytes.clone(), vec![true; sum.len()]);
        for at in self.of_samples().skip(1) {
            rows::read(memory, at, format, &mut next, &mut bytes);
            for (t, u) in sum.iter_mut().zip(&next) {
                *t = std::array::from_fn(|c| mode.combine(numeric, t[c], u[c]));
            }
            let texels = first.chunks_exact(size).zip(bytes.chunks_exact(size));
            equal.iter_mut().zip(texels).for_each(|(equal, (a, b))| *equal &= a == b);
        }
        if mode == ResolveMode::Average {
            let scale = 1.0 / self.samples as f32;
            for t in &mut sum {
                *t = t.map(|v| (f32::from_bits(v) * scale).to_bits());
            }
        }
        rows::pack(format, &sum, &mut bytes);
        // If all samples are equal, the result is bitwise equal to them.
        let texels = bytes.chunks_exact_mut(size).zip(first.chunks_exact(size)).zip(equal);
        texels.filter(|(_, equal)| *equal).for_each(|((to, from), _)| to.copy_from_slice(from));
        bytes
    }

    /// The averages of samples all of whose bytes are unsigned normalized components.
    fn average_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.width as usize * self.plane.format.bytes() as usize];
        let mut sums = vec![0.0; bytes.len()];
        for at in self.of_samples() {
            must(self.plane.memory.read(at, &mut bytes));
            rows::add_unorm8(&mut sums, &bytes);
        }
        rows::pack_unorm8(&sums, 1.0 / self.samples as f32, &mut bytes);
        bytes
    }
}

/// Checks the arguments of [`resolve_image`] without resolving.
pub fn check_resolve(src: &ImageRef<'_>, dst: &ImageRef<'_>, regions: &[ImageResolve]) -> Result<()> {
    resolve_areas(src, dst, regions).map(|_| ())
}

fn resolve_areas<'a>(
    src: &ImageRef<'a>,
    dst: &ImageRef<'a>,
    regions: &[ImageResolve],
) -> Result<Vec<(Plane<'a>, Area, Plane<'a>, Area)>> {
    let samples = src.layout.desc().samples;
    if samples < 2 || dst.layout.desc().samples != 1 {
        return Err(Error::invalid("resolve needs a multisampled source and a single-sampled destination"));
    }
    let mut jobs = Vec::new();
    for r in regions {
        let p = src.plane(r.src.aspects, r.src.level, r.src.base_layer)?;
        let q = dst.plane(r.dst.aspects, r.dst.level, r.dst.base_layer)?;
        // Unlike other copies, a resolve may have no texels.
        if r.extent.contains(&0) {
            continue;
        }
        let a = area(src, &p, r.src.layers, r.src_offset, r.extent)?;
        let b = area(dst, &q, r.dst.layers, r.dst_offset, r.extent)?;
        if p.format != q.format || a.slices != b.slices {
            return Err(Error::invalid(format!(
                "resolve {r:?} from {} to {}",
                p.format.name(),
                q.format.name()
            )));
        }
        jobs.push((p, a, q, b));
    }
    Ok(jobs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::format::{Aspects, Format};
    use crate::memory::image::ImageDesc;
    use crate::memory::transfer::tests::Image;

    /// The loop for bytes has the bits of the general one.
    #[test]
    fn averages_of_bytes_are_averages_of_texels() {
        let mut seed = 5u64;
        for format in [Format::R8_UNORM, Format::R8G8_UNORM, Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM] {
            for samples in [2, 4, 8] {
                let width = 4096;
                let image = Image::new(ImageDesc { samples, ..ImageDesc::new_2d(format, width, 1) });
                let image = image.r();
                let plane = image.plane(Aspects::COLOR, 0, 0).unwrap();
                let row = Row { plane: &plane, at: plane.at(0, 0, 0), width, samples };
                for at in row.of_samples() {
                    let random = (0..width * format.bytes()).map(|_| {
                        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        (seed >> 56) as u8
                    });
                    assert!(plane.memory.write(at, &random.collect::<Vec<u8>>()));
                }
                assert!(rows::is_unorm8(format));
                assert_eq!(row.average_bytes(), row.resolve(ResolveMode::Average), "{format:?} {samples}");
            }
        }
        assert!(!rows::is_unorm8(Format::R8G8B8A8_SRGB) && !rows::is_unorm8(Format::R16_UNORM));
    }

    /// Samples whose sum is infinite, and a NaN with a payload.
    #[test]
    fn equal_samples_are_their_average() {
        let image = Image::new(ImageDesc { samples: 4, ..ImageDesc::new_2d(Format::R32_SFLOAT, 3, 1) });
        let image = image.r();
        let plane = image.plane(Aspects::COLOR, 0, 0).unwrap();
        let row = Row { plane: &plane, at: plane.at(0, 0, 0), width: 3, samples: 4 };
        let equal = [1e38f32.to_bits(), 0x7f81_2345];
        for (sample, at) in row.of_samples().enumerate() {
            let texels = [equal[0], equal[1], (sample as f32).to_bits()];
            assert!(plane.memory.write(at, &texels.map(u32::to_le_bytes).concat()));
        }
        let wanted = [equal[0], equal[1], 1.5f32.to_bits()];
        assert_eq!(row.resolve(ResolveMode::Average), wanted.map(u32::to_le_bytes).concat());
    }
}
