//! Blits, with their filters, and resolves. The images are those of the module above.

use super::*;
use crate::memory::format::FormatFeatures;

/// Linear filtering of bytes gives the nearest codes, for any scale.
#[test]
fn filtered_bytes_are_the_nearest_codes() {
    let (src, data) = filled(ImageDesc::new_2d(Format::B8G8R8A8_UNORM, 13, 10));
    for (w, h, flip) in [(29, 5, false), (5, 31, true), (13, 10, false), (6, 5, false), (7, 5, true)] {
        let dst = Image::new(ImageDesc::new_2d(Format::B8G8R8A8_UNORM, w, h));
        let [w, h] = [w as i32, h as i32];
        let x = if flip { [w, 0] } else { [0, w] };
        // An even number of source texels, so that halving uses its special case.
        let region = ImageBlit {
            src: COLOR,
            src_offsets: [[1, 0, 0], [13, 10, 1]],
            dst: COLOR,
            dst_offsets: [[x[0], 0, 0], [x[1], h, 1]],
        };
        blit_image(&pool(), &src.r(), &dst.r(), &[region], Filter::Linear).unwrap();
        let tx = blit::taps([1, 13], x, 13, Filter::Linear);
        let ty = blit::taps([0, 10], [0, h], 10, Filter::Linear);
        for (y, ty) in ty.iter().enumerate() {
            for (x, tx) in tx.iter().enumerate() {
                let p = dst.r().plane(Aspects::COLOR, 0, 0).unwrap();
                let got = dst.memory.read_texel(p.at(x as u32, y as u32, 0), 4) as u32;
                for c in 0..4 {
                    let at = |x: u32, y: u32| u32::from(data[((y * 13 + x) * 4 + c) as usize]);
                    let row = |y| at(tx.i[0], y) * (256 - tx.w) + at(tx.i[1], y) * tx.w;
                    let v = row(ty.i[0]) * (256 - ty.w) + row(ty.i[1]) * ty.w;
                    let want = (f64::from(v) / 65536.0).round_ties_even() as u32;
                    assert_eq!(got >> (8 * c) & 255, want, "{w}x{h} {x} {y} {c}");
                }
            }
        }
    }
}

/// Four by four texels, weighted by the matrix of the specification. Spec: Vulkan, textures-texel-filtering.
#[test]
fn cubic_blits_follow_the_matrix() {
    let (src, data) = filled(ImageDesc::new_2d(Format::B8G8R8A8_UNORM, 13, 10));
    let weights = |w: f64| {
        let (w2, w3) = (w * w, w * w * w);
        [-w + 2.0 * w2 - w3, 2.0 - 5.0 * w2 + 3.0 * w3, w + 4.0 * w2 - 3.0 * w3, w3 - w2].map(|v| v / 2.0)
    };
    // First texel and weights for a coordinate in 1/256 texels.
    let taps = |u: f64| {
        let fixed = (u * 256.0 + 0.5).floor() - 128.0;
        ((fixed / 256.0).floor() as i32 - 1, weights(fixed.rem_euclid(256.0) / 256.0))
    };
    for (w, h, flip) in [(29, 5, false), (5, 31, true), (13, 10, false), (40, 7, true)] {
        let dst = Image::new(ImageDesc::new_2d(Format::B8G8R8A8_UNORM, w, h));
        let x = if flip { [w as i32, 0] } else { [0, w as i32] };
        let region = ImageBlit {
            src: COLOR,
            src_offsets: [[1, 0, 0], [13, 10, 1]],
            dst: COLOR,
            dst_offsets: [[x[0], 0, 0], [x[1], h as i32, 1]],
        };
        blit_image(&pool(), &src.r(), &dst.r(), &[region], Filter::Cubic).unwrap();
        let p = dst.r().plane(Aspects::COLOR, 0, 0).unwrap();
        for (x, y) in (0..w * h).map(|i| (i % w, i / w)) {
            let got = dst.memory.read_texel(p.at(x, y, 0), 4) as u32;
            let across = f64::from(if flip { w - 1 - x } else { x }) + 0.5;
            let (i, wx) = taps(1.0 + across * 12.0 / f64::from(w));
            let (j, wy) = taps((f64::from(y) + 0.5) * 10.0 / f64::from(h));
            for c in 0..4 {
                let at = |i: i32, j: i32| {
                    f64::from(data[((j.clamp(0, 9) * 13 + i.clamp(0, 12)) * 4 + c) as usize])
                };
                let row = |j: i32| (0..4).map(|k| at(i + k, j) * wx[k as usize]).sum::<f64>();
                let want = (0..4).map(|k| row(j + k) * wy[k as usize]).sum::<f64>().clamp(0.0, 255.0);
                let got = f64::from(got >> (8 * c) & 255);
                assert!((got - want).abs() <= 0.5001, "{w}x{h} {x} {y} {c}: {got}, {want}");
            }
        }
    }
}

/// Depth and stencil are scaled without a filter, and are not converted. Spec: Vulkan, VkBlitImageInfo2.
#[test]
fn depth_and_stencil_are_blitted_as_they_are() {
    use Format as F;
    for format in
        [F::D16_UNORM, F::X8_D24_UNORM_PACK32, F::D24_UNORM_S8_UINT, F::D32_SFLOAT_S8_UINT, F::S8_UINT]
    {
        let features = FormatFeatures::BLIT_SRC | FormatFeatures::BLIT_DST;
        assert!(format.image_features().contains(features), "{}", format.name());
        let (src, dst) = (ImageDesc::new_2d(format, 3, 2), ImageDesc::new_2d(format, 7, 4));
        let (src, dst) = (Image::new(src), Image::new(dst));
        for (number, aspect) in format.aspects().singles().enumerate() {
            let plane = src.r().plane(aspect, 0, 0).unwrap();
            let bytes = plane.format.bytes();
            let value = |x: u32, y: u32| u128::from((1 + x + 3 * y + 7 * number as u32) * 9);
            for (x, y) in (0..6).map(|i| (i % 3, i / 3)) {
                src.memory.write_texel(plane.at(x, y, 0), bytes, value(x, y));
            }
        }
        let layers = SubresourceLayers { aspects: format.aspects(), ..COLOR };
        let region = ImageBlit {
            src: layers,
            src_offsets: [[0; 3], [3, 2, 1]],
            dst: layers,
            dst_offsets: [[7, 0, 0], [1, 4, 1]],
        };
        blit_image(&pool(), &src.r(), &dst.r(), &[region], Filter::Nearest).unwrap();
        for (number, aspect) in format.aspects().singles().enumerate() {
            let plane = dst.r().plane(aspect, 0, 0).unwrap();
            for (x, y) in (0..28).map(|i| (i % 7, i / 7)) {
                let from = (6u32.wrapping_sub(x) / 2, y / 2);
                let expected = if x == 0 { 0 } else { (1 + from.0 + 3 * from.1 + 7 * number as u32) * 9 };
                let found = dst.memory.read_texel(plane.at(x, y, 0), plane.format.bytes());
                assert_eq!(found, u128::from(expected), "{} {x} {y}", format.name());
            }
        }
        assert!(blit_image(&pool(), &src.r(), &dst.r(), &[region], Filter::Linear).is_err());
        let other = Image::new(ImageDesc::new_2d(F::D32_SFLOAT, 7, 4));
        assert!(blit_image(&pool(), &src.r(), &other.r(), &[region], Filter::Nearest).is_err());
    }
}

#[test]
fn blits_flip_scale_and_convert() {
    let (src, data) = filled(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 4, 4));
    let dst = Image::new(ImageDesc::new_2d(Format::B8G8R8A8_UNORM, 8, 8));
    let region = ImageBlit {
        src: COLOR,
        src_offsets: [[0, 0, 0], [4, 4, 1]],
        dst: COLOR,
        dst_offsets: [[8, 0, 0], [0, 8, 1]],
    };
    blit_image(&pool(), &src.r(), &dst.r(), &[region], Filter::Nearest).unwrap();
    for (x, y) in [(0, 0), (7, 3), (2, 6)] {
        let at = ((y / 2 * 4) + (7 - x) / 2) as usize * 4;
        let want = [0, 1, 2, 3].map(|c| f32::from(data[at + c]) / 255.0);
        assert_eq!(dst.texel(Aspects::COLOR, 0, 0, x, y).map(f32::from_bits), want);
    }
    // Halving with a linear filter averages 2x2.
    let small = Image::new(ImageDesc::new_2d(Format::R32G32B32A32_SFLOAT, 2, 2));
    let half = ImageBlit { dst_offsets: [[0, 0, 0], [2, 2, 1]], ..region };
    blit_image(&pool(), &src.r(), &small.r(), &[half], Filter::Linear).unwrap();
    let mean: f32 = [0, 4, 16, 20].iter().map(|&i| f32::from(data[i]) / 255.0).sum::<f32>() / 4.0;
    let got = f32::from_bits(small.texel(Aspects::COLOR, 0, 0, 0, 0)[0]);
    assert!((got - mean).abs() < 1e-6, "{got} {mean}");
    let int = Image::new(ImageDesc::new_2d(Format::R32_UINT, 8, 8));
    assert!(blit_image(&pool(), &src.r(), &int.r(), &[region], Filter::Nearest).is_err());
    let outside = ImageBlit { src_offsets: [[0, 0, 0], [5, 4, 1]], ..region };
    assert!(blit_image(&pool(), &src.r(), &dst.r(), &[outside], Filter::Nearest).is_err());
}

/// Spec: Vulkan, "Image Copies With Scaling": w is scaled from the destination's slices to the source's, also if one
/// side has no slices.
#[test]
fn slices_are_scaled_where_one_side_is_3d() {
    let slices = |depth| ImageDesc {
        image_type: ImageType::D3,
        extent: [2, 1, depth],
        ..ImageDesc::new_2d(Format::R32_SFLOAT, 1, 1)
    };
    let region = |src: [i32; 2], dst: [i32; 2]| ImageBlit {
        src: COLOR,
        src_offsets: [[0, 0, src[0]], [2, 1, src[1]]],
        dst: COLOR,
        dst_offsets: [[0, 0, dst[0]], [2, 1, dst[1]]],
    };
    let put = |image: &Image, z: u32, v: f32| {
        let p = image.r().plane(Aspects::COLOR, 0, 0).unwrap();
        (0..2).for_each(|x| image.memory.write_texel(p.at(x, 0, z), 4, v.to_bits().into()));
    };
    let at = |image: &Image, z: u32| {
        let p = image.r().plane(Aspects::COLOR, 0, 0).unwrap();
        f32::from_bits(image.memory.read_texel(p.at(1, 0, z), 4) as u32)
    };
    let (volume, flat) = (Image::new(slices(8)), Image::new(ImageDesc::new_2d(Format::R32_SFLOAT, 2, 1)));
    (0..8).for_each(|z| put(&volume, z, z as f32));
    // w = 6 + 0.5 (4 - 6) = 5, and so on. A coordinate between two texels belongs to the second.
    for (src, nearest, filtered) in
        [([6, 4], 5.0, 4.5), ([0, 8], 4.0, 3.5), ([7, 1], 4.0, 3.5), ([2, 3], 2.0, 2.0)]
    {
        for (filter, wanted) in [(Filter::Nearest, nearest), (Filter::Linear, filtered)] {
            blit_image(&pool(), &volume.r(), &flat.r(), &[region(src, [0, 1])], filter).unwrap();
            assert_eq!(at(&flat, 0), wanted, "{src:?} {filter:?}");
        }
    }
    // Every slice of the destination gets the only slice of the source, infinities included.
    let other = Image::new(slices(6));
    for (filter, v) in [(Filter::Nearest, 3.0), (Filter::Linear, f32::INFINITY)] {
        put(&flat, 0, v);
        blit_image(&pool(), &flat.r(), &other.r(), &[region([0, 1], [4, 1])], filter).unwrap();
        assert_eq!([0, 1, 2, 3, 4, 5].map(|z| at(&other, z)), [0.0, v, v, v, 0.0, 0.0], "{filter:?}");
    }
    // Slices are not layers.
    let layers = SubresourceLayers { layers: 2, ..COLOR };
    let two = ImageBlit { src: layers, dst: layers, ..region([0, 2], [0, 1]) };
    assert!(blit_image(&pool(), &volume.r(), &flat.r(), &[two], Filter::Nearest).is_err());
}

#[test]
fn regions_without_texels_do_nothing() {
    let (src, _) = filled(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 4, 4));
    let dst = Image::new(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 4, 4));
    let region =
        |dst_offsets| ImageBlit { src: COLOR, src_offsets: [[0; 3], [4, 4, 1]], dst: COLOR, dst_offsets };
    for filter in [Filter::Nearest, Filter::Linear, Filter::Cubic] {
        for none in [[[0, 3, 0], [4, 3, 1]], [[4, 0, 0], [4, 4, 1]], [[0, 0, 1], [4, 4, 1]]] {
            blit_image(&pool(), &src.r(), &dst.r(), &[region(none)], filter).unwrap();
        }
        let outside = region([[0, 5, 0], [4, 5, 1]]);
        assert!(blit_image(&pool(), &src.r(), &dst.r(), &[outside], filter).is_err());
    }
    let many = Image::new(ImageDesc { samples: 4, ..ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 4, 4) });
    let resolve =
        ImageResolve { src: COLOR, src_offset: [0; 3], dst: COLOR, dst_offset: [0; 3], extent: [0, 4, 1] };
    resolve_image(&pool(), &many.r(), &dst.r(), &[resolve], None).unwrap();
    assert!((0..16).all(|i| dst.texel(Aspects::COLOR, 0, 0, i % 4, i / 4) == [0; 4]));
    // A source without texels gives the one at its corner, clamped to the edge.
    let corner = ImageBlit { src_offsets: [[4, 4, 0], [4, 4, 1]], ..region([[0; 3], [4, 4, 1]]) };
    blit_image(&pool(), &src.r(), &dst.r(), &[corner], Filter::Nearest).unwrap();
    let last = src.texel(Aspects::COLOR, 0, 0, 3, 3);
    assert!((0..16).all(|i| dst.texel(Aspects::COLOR, 0, 0, i % 4, i / 4) == last));
}

#[test]
fn resolve_averages_samples() {
    let src = Image::new(ImageDesc { samples: 4, ..ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 3, 3) });
    let p = src.r().plane(Aspects::COLOR, 0, 0).unwrap();
    for (s, v) in [0u128, 255, 255, 255].into_iter().enumerate() {
        src.memory.write_texel(p.at(1, 1, 0) + s as u64 * p.sample_pitch, 4, v);
    }
    let dst = Image::new(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 3, 3));
    let region =
        ImageResolve { src: COLOR, src_offset: [0; 3], dst: COLOR, dst_offset: [0; 3], extent: [3, 3, 1] };
    resolve_image(&pool(), &src.r(), &dst.r(), &[region], None).unwrap();
    let got = dst.texel(Aspects::COLOR, 0, 0, 1, 1).map(f32::from_bits);
    assert_eq!(got, [191.0 / 255.0, 0.0, 0.0, 0.0]);
}

#[test]
fn halving_rounds_to_even() {
    let src = Image::new(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 2, 2));
    let p = src.r().plane(Aspects::COLOR, 0, 0).unwrap();
    // Sums of the four texels by component: 2, 6, 1020, 3; quarters: 0.5, 1.5, 255, 0.75.
    for (i, texel) in
        [[2u8, 2, 255, 0], [0, 2, 255, 1], [0, 1, 255, 1], [0, 1, 255, 1]].into_iter().enumerate()
    {
        let word = u128::from(u32::from_le_bytes(texel));
        src.memory.write_texel(p.at(i as u32 % 2, i as u32 / 2, 0), 4, word);
    }
    let dst = Image::new(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 1, 1));
    let region = ImageBlit {
        src: COLOR,
        src_offsets: [[0, 0, 0], [2, 2, 1]],
        dst: COLOR,
        dst_offsets: [[0, 0, 0], [1, 1, 1]],
    };
    blit_image(&pool(), &src.r(), &dst.r(), &[region], Filter::Linear).unwrap();
    let got = dst.texel(Aspects::COLOR, 0, 0, 0, 0).map(|v| (f32::from_bits(v) * 255.0).round());
    assert_eq!(got, [0.0, 2.0, 255.0, 1.0]);
}
