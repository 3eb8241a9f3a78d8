//! Compares transfers with straightforward expectations.

use super::*;
use crate::memory::format::FormatFeatures;
use crate::memory::image::ImageDesc;
use crate::sampling::Filter;

/// Owned device memory.
pub(super) struct Store(Vec<u128>);

impl Store {
    pub(super) fn new(bytes: u64) -> Store {
        Store(vec![0; (bytes as usize).div_ceil(16)])
    }
    #[expect(unsafe_code, reason = "wraps test memory")]
    pub(super) fn span(&mut self, size: u64) -> Span {
        assert!(size as usize <= self.0.len() * 16);
        // SAFETY: each test keeps the store alive and accesses it only through the span.
        unsafe { Span::new(self.0.as_mut_ptr().cast(), size) }
    }
}

pub(super) struct Image {
    _store: Store,
    layout: ImageLayout,
    memory: Span,
}

impl Image {
    pub(super) fn new(desc: ImageDesc) -> Image {
        let layout = ImageLayout::new(&desc).unwrap();
        let mut store = Store::new(layout.size);
        let memory = store.span(layout.size);
        Image { _store: store, layout, memory }
    }
    pub(super) fn r(&self) -> ImageRef<'_> {
        ImageRef { layout: &self.layout, memory: self.memory.into(), pages: None }
    }
    fn texel(&self, aspect: Aspects, level: u32, layer: u32, x: u32, y: u32) -> Texel {
        let p = self.r().plane(aspect, level, layer).unwrap();
        p.format.info().unpack_word(self.memory.read_texel(p.at(x, y, 0), p.format.bytes()))
    }
}

use crate::memory::format::Texel;

fn pool() -> Pool {
    Pool::new(2)
}

const COLOR: SubresourceLayers =
    SubresourceLayers { aspects: Aspects::COLOR, level: 0, base_layer: 0, layers: 1 };

fn filled(desc: ImageDesc) -> (Image, Vec<u8>) {
    let image = Image::new(desc);
    let [w, h, d] = desc.extent;
    let n = (w * h * d * desc.layers * desc.format.bytes()) as usize;
    let data: Vec<u8> = (0..n).map(|i| (i * 7 + i / 256) as u8).collect();
    let mut store = Store::new(n as u64);
    let buffer = store.span(n as u64);
    assert!(buffer.write(0, &data));
    let region = BufferImageCopy {
        buffer_offset: 0,
        row_length: 0,
        image_height: 0,
        subresource: SubresourceLayers { layers: desc.layers, ..COLOR },
        offset: [0; 3],
        extent: desc.extent,
    };
    copy_buffer_to_image(&pool(), buffer, &image.r(), &[region]).unwrap();
    let mut back = Store::new(n as u64);
    let out = back.span(n as u64);
    copy_image_to_buffer(&pool(), &image.r(), out, &[region]).unwrap();
    let mut bytes = vec![0; n];
    assert!(out.read(0, &mut bytes));
    assert_eq!(bytes, data);
    (image, data)
}

#[test]
fn buffer_image_round_trip() {
    use crate::memory::format::Format as F;
    filled(ImageDesc::new_2d(F::R8G8B8A8_UNORM, 13, 7));
    filled(ImageDesc { layers: 3, ..ImageDesc::new_2d(F::R8_UNORM, 33, 5) });
    filled(ImageDesc {
        image_type: ImageType::D3,
        extent: [5, 6, 7],
        ..ImageDesc::new_2d(F::R32G32B32A32_SFLOAT, 1, 1)
    });
    filled(ImageDesc::new_2d(F::R8G8B8A8_UNORM, 700, 700));
}

#[test]
fn row_length_and_offsets() {
    let image = Image::new(ImageDesc::new_2d(Format::R8_UINT, 8, 8));
    let mut store = Store::new(64);
    let buffer = store.span(64);
    assert!(buffer.write(0, &(0..64).collect::<Vec<u8>>()));
    let region = BufferImageCopy {
        buffer_offset: 3,
        row_length: 10,
        image_height: 4,
        subresource: COLOR,
        offset: [2, 1, 0],
        extent: [4, 3, 1],
    };
    copy_buffer_to_image(&pool(), buffer, &image.r(), &[region]).unwrap();
    assert_eq!(image.texel(Aspects::COLOR, 0, 0, 2, 1)[0], 3);
    assert_eq!(image.texel(Aspects::COLOR, 0, 0, 5, 3)[0], 26);
    assert_eq!(image.texel(Aspects::COLOR, 0, 0, 6, 3)[0], 0);
    for bad in [
        BufferImageCopy { offset: [5, 1, 0], ..region },
        BufferImageCopy { offset: [-1, 1, 0], ..region },
        BufferImageCopy { extent: [4, 0, 1], ..region },
        BufferImageCopy { row_length: 3, ..region },
        BufferImageCopy { buffer_offset: 41, ..region },
        BufferImageCopy { buffer_offset: u64::MAX, ..region },
        BufferImageCopy { subresource: SubresourceLayers { level: 1, ..COLOR }, ..region },
        BufferImageCopy { subresource: SubresourceLayers { layers: 2, ..COLOR }, ..region },
        BufferImageCopy { subresource: SubresourceLayers { aspects: Aspects::DEPTH, ..COLOR }, ..region },
    ] {
        assert!(copy_buffer_to_image(&pool(), buffer, &image.r(), &[bad]).is_err(), "{bad:?}");
    }
}

#[test]
fn buffers_fill_and_copy() {
    let n = 3 << 20;
    let (mut a, mut b) = (Store::new(n), Store::new(n));
    let (a, b) = (a.span(n), b.span(n));
    fill_buffer(&pool(), a, 4, u64::MAX, 0x0102_0304).unwrap();
    assert_eq!(a.read_texel(0, 4), 0);
    assert_eq!(a.read_texel(n - 4, 4), 0x0102_0304);
    let copy = BufferCopy { src_offset: 4, dst_offset: 1, size: n - 4 };
    copy_buffer(&pool(), a, b, &[copy]).unwrap();
    assert_eq!(b.read_texel(0, 4), 0x0203_0400);
    assert_eq!(b.read_texel(n - 4, 4), 1);
    assert!(copy_buffer(&pool(), a, b, &[BufferCopy { size: n, ..copy }]).is_err());
    assert!(fill_buffer(&pool(), a, 2, 4, 0).is_err());
    assert!(fill_buffer(&pool(), a, n, 4, 0).is_err());
    assert!(update_buffer(a, n - 2, &[1, 2, 3]).is_err());
    assert!(update_buffer(a, n - 2, &[1, 2]).is_ok());
}

#[test]
fn clears_levels_layers_and_aspects() {
    let desc = ImageDesc { levels: 3, layers: 2, ..ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 9, 6) };
    let image = Image::new(desc);
    let color = [1.0f32, 0.5, 0.0, 1.0].map(f32::to_bits);
    let range =
        SubresourceRange { base_level: 1, levels: 1, base_layer: 1, ..SubresourceRange::all(Aspects::COLOR) };
    clear_color(&pool(), &image.r(), color, &[range]).unwrap();
    let got = image.texel(Aspects::COLOR, 1, 1, 3, 2).map(f32::from_bits);
    assert_eq!(got, [1.0, 128.0 / 255.0, 0.0, 1.0]);
    assert_eq!(image.texel(Aspects::COLOR, 1, 0, 3, 2)[0], 0);
    assert_eq!(image.texel(Aspects::COLOR, 0, 1, 8, 5)[0], 0);
    let bad = SubresourceRange { base_layer: 2, ..range };
    assert!(clear_color(&pool(), &image.r(), color, &[bad]).is_err());

    let ds = Image::new(ImageDesc { samples: 4, ..ImageDesc::new_2d(Format::D32_SFLOAT_S8_UINT, 5, 5) });
    let range = SubresourceRange::all(Aspects::DEPTH_STENCIL);
    clear_depth_stencil(&pool(), &ds.r(), 0.25, 0x1ff, &[range]).unwrap();
    assert_eq!(f32::from_bits(ds.texel(Aspects::DEPTH, 0, 0, 4, 4)[0]), 0.25);
    assert_eq!(ds.texel(Aspects::STENCIL, 0, 0, 4, 4)[0], 255);
    assert!(clear_color(&pool(), &ds.r(), color, &[range]).is_err());
}

#[test]
fn images_copy_between_3d_and_arrays() {
    let (src, _) = filled(ImageDesc { layers: 4, ..ImageDesc::new_2d(Format::R32_UINT, 6, 5) });
    let dst = Image::new(ImageDesc {
        image_type: ImageType::D3,
        extent: [6, 5, 4],
        ..ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 1, 1)
    });
    let region = ImageCopy {
        src: SubresourceLayers { base_layer: 1, layers: 2, ..COLOR },
        src_offset: [1, 1, 0],
        dst: COLOR,
        dst_offset: [0, 2, 1],
        extent: [4, 3, 2],
    };
    copy_image(&pool(), &src.r(), &dst.r(), &[region]).unwrap();
    let p = dst.r().plane(Aspects::COLOR, 0, 0).unwrap();
    let got = dst.memory.read_texel(p.at(3, 4, 2), 4) as u32;
    assert_eq!(got, src.texel(Aspects::COLOR, 0, 2, 4, 3)[0]);
    assert!(copy_image(&pool(), &src.r(), &dst.r(), &[ImageCopy { extent: [4, 3, 4], ..region }]).is_err());
}

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

/// Blocks of several slices are copied like texels, and decoded slice by slice.
#[test]
fn blocks_of_several_slices_are_copied_and_decoded() {
    const SIZE: [u32; 3] = [10, 7, 5];
    let format = Format::ASTC_4x4x3_SFLOAT_BLOCK;
    let d3 = |format, extent: [u32; 3]| ImageDesc {
        image_type: ImageType::D3,
        extent,
        ..ImageDesc::new_2d(format, extent[0], extent[1])
    };
    let (kept, plain) =
        (Image::new(ImageDesc { decoded: true, ..d3(format, SIZE) }), Image::new(d3(format, SIZE)));
    // 3 by 2 by 2 blocks, each of one colour.
    let color = |n: u128| 0x3c00 | (0x3000 + n) << 16 | (0x4000 + 7 * n) << 32 | 0x3800 << 48;
    let block = |n: u128| 0xffff_ffff_ffff_fffc | color(n) << 64;
    let bytes: Vec<u8> = (0..12).flat_map(|n| block(n).to_le_bytes()).collect();
    let mut store = Store::new(192);
    let buffer = store.span(192);
    assert!(buffer.write(0, &bytes));
    let region = BufferImageCopy { extent: SIZE, ..BufferImageCopy::whole(SIZE) };
    copy_buffer_to_image(&pool(), buffer, &kept.r(), &[region]).unwrap();
    for cut in [[10, 7, 4], [10, 7, 2]] {
        let cut = BufferImageCopy { extent: cut, ..region };
        assert!(copy_buffer_to_image(&pool(), buffer, &kept.r(), &[cut]).is_err(), "{cut:?}");
    }
    let shifted = BufferImageCopy { offset: [0, 0, 2], extent: [10, 7, 3], ..region };
    assert!(copy_buffer_to_image(&pool(), buffer, &kept.r(), &[shifted]).is_err());
    // Through an image with blocks as texels, slice of blocks by slice of blocks.
    let words = Image::new(d3(Format::R32G32B32A32_UINT, [3, 2, 2]));
    let copy = ImageCopy { src: COLOR, src_offset: [0; 3], dst: COLOR, dst_offset: [0; 3], extent: SIZE };
    copy_image(&pool(), &kept.r(), &words.r(), &[copy]).unwrap();
    let second = [0, 0, 1];
    let back = |src_offset, dst_offset| ImageCopy { src_offset, dst_offset, extent: [3, 2, 1], ..copy };
    copy_image(&pool(), &words.r(), &plain.r(), &[back([0; 3], [0; 3]), back(second, [0, 0, 3])]).unwrap();
    let mut out = Store::new(192);
    copy_image_to_buffer(&pool(), &plain.r(), out.span(192), &[region]).unwrap();
    let mut read = vec![0; 192];
    assert!(out.span(192).read(0, &mut read));
    assert_eq!(read, bytes);
    // Blits read the decoded texels that the image keeps, or decode the blocks of the slices that they need.
    for (from, z0) in [(&kept, 0), (&plain, 0), (&plain, 2), (&plain, 4)] {
        let shown = Image::new(d3(Format::R16G16B16A16_SFLOAT, SIZE));
        let corners = [[0, 0, z0], SIZE.map(|n| n as i32)];
        let blit = ImageBlit { src: COLOR, src_offsets: corners, dst: COLOR, dst_offsets: corners };
        blit_image(&pool(), &from.r(), &shown.r(), &[blit], Filter::Nearest).unwrap();
        let plane = shown.r().plane(Aspects::COLOR, 0, 0).unwrap();
        for z in z0 as u32..SIZE[2] {
            for (x, y) in [(0, 0), (9, 6), (4, 3), (3, 4), (8, 0)] {
                let n = (z / 3 * 2 + y / 4) * 3 + x / 4;
                let found = plane.memory.read_texel(plane.at(x, y, z), 8);
                assert_eq!(found, color(n.into()), "{x} {y} {z} from {z0}");
            }
        }
    }
    assert!(ImageLayout::new(&ImageDesc::new_2d(format, 8, 8)).is_err(), "such images are 3D");
}

/// Blocks are copied like texels, even where the image's edge cuts them; decoded texels are updated.
#[test]
fn compressed_images_are_copied_by_blocks() {
    let desc = ImageDesc { levels: 2, ..ImageDesc::new_2d(Format::BC1_RGBA_UNORM_BLOCK, 10, 6) };
    let (kept, plain) = (Image::new(ImageDesc { decoded: true, ..desc }), Image::new(desc));
    let blocks: Vec<u8> = (0..48u32).map(|i| (i * 37 + 11) as u8).collect();
    let mut store = Store::new(64);
    let buffer = store.span(64);
    assert!(buffer.write(0, &blocks));
    let region = BufferImageCopy { extent: [10, 6, 1], ..BufferImageCopy::whole([10, 6, 1]) };
    copy_buffer_to_image(&pool(), buffer, &kept.r(), &[region]).unwrap();
    // A region must not end inside a block, except at the image's edge.
    let cut = BufferImageCopy { extent: [9, 6, 1], ..region };
    assert!(copy_buffer_to_image(&pool(), buffer, &kept.r(), &[cut]).is_err());
    // Copies through an image with blocks as texels into the other image.
    let words = Image::new(ImageDesc::new_2d(Format::R32G32_UINT, 3, 2));
    let copy =
        ImageCopy { src: COLOR, src_offset: [0; 3], dst: COLOR, dst_offset: [0; 3], extent: [10, 6, 1] };
    copy_image(&pool(), &kept.r(), &words.r(), &[copy]).unwrap();
    copy_image(&pool(), &words.r(), &plain.r(), &[ImageCopy { extent: [3, 2, 1], ..copy }]).unwrap();
    let mut back = Store::new(64);
    let out = back.span(64);
    copy_image_to_buffer(&pool(), &plain.r(), out, &[region]).unwrap();
    let mut bytes = vec![0; 48];
    assert!(out.read(0, &mut bytes));
    assert_eq!(bytes, blocks);
    // Blits read the decoded texels that the image keeps, or decode the blocks.
    let whole = ImageBlit {
        src: COLOR,
        src_offsets: [[0; 3], [10, 6, 1]],
        dst: COLOR,
        dst_offsets: [[0; 3], [10, 6, 1]],
    };
    for from in [&kept, &plain] {
        let shown = Image::new(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 10, 6));
        blit_image(&pool(), &from.r(), &shown.r(), &[whole], Filter::Nearest).unwrap();
        for (x, y) in [(0, 0), (9, 5), (5, 3), (3, 4)] {
            let mut block = [0; 16];
            let at = ((y / 4 * 3 + x / 4) * 8) as usize;
            block[..8].copy_from_slice(&blocks[at..at + 8]);
            let info = Format::BC1_RGBA_UNORM_BLOCK.info();
            let want =
                crate::memory::format::compressed::texel(info, u128::from_le_bytes(block), [x % 4, y % 4, 0]);
            let p = shown.r().plane(Aspects::COLOR, 0, 0).unwrap();
            assert_eq!(shown.memory.read_texel(p.at(x, y, 0), 4), want.into(), "{x} {y}");
        }
    }
    assert!(clear_color(&pool(), &kept.r(), [0; 4], &[SubresourceRange::all(Aspects::COLOR)]).is_err());
}

#[test]
fn planes_are_copied_one_by_one() {
    let planar = Image::new(ImageDesc::new_2d(Format::G8_B8R8_2PLANE_420_UNORM, 6, 4));
    let chroma = SubresourceLayers { aspects: Aspects::PLANES[1], ..COLOR };
    let (pairs, data) = filled(ImageDesc::new_2d(Format::R8G8_UNORM, 3, 2));
    let copy =
        ImageCopy { src: COLOR, src_offset: [0; 3], dst: chroma, dst_offset: [0; 3], extent: [3, 2, 1] };
    copy_image(&pool(), &pairs.r(), &planar.r(), &[copy]).unwrap();
    assert!(
        copy_image(&pool(), &pairs.r(), &planar.r(), &[ImageCopy { extent: [4, 2, 1], ..copy }]).is_err()
    );
    let mut store = Store::new(16);
    let out = store.span(16);
    let region = BufferImageCopy { subresource: chroma, ..BufferImageCopy::whole([3, 2, 1]) };
    copy_image_to_buffer(&pool(), &planar.r(), out, &[region]).unwrap();
    let mut bytes = vec![0; 12];
    assert!(out.read(0, &mut bytes));
    assert_eq!(bytes, data);
}

/// Spec: Vulkan, "Compatible Formats for Depth-Stencil to/from Color Copies".
#[test]
fn depth_and_stencil_are_copied_to_and_from_colour() {
    let ds = Image::new(ImageDesc::new_2d(Format::D32_SFLOAT_S8_UINT, 4, 4));
    clear_depth_stencil(&pool(), &ds.r(), 0.25, 7, &[SubresourceRange::all(Aspects::DEPTH_STENCIL)]).unwrap();
    let region = |from, to| ImageCopy {
        src: SubresourceLayers { aspects: from, ..COLOR },
        src_offset: [0; 3],
        dst: SubresourceLayers { aspects: to, ..COLOR },
        dst_offset: [1, 0, 0],
        extent: [3, 4, 1],
    };
    let colour = Image::new(ImageDesc::new_2d(Format::R32_UINT, 4, 4));
    copy_image(&pool(), &ds.r(), &colour.r(), &[region(Aspects::DEPTH, Aspects::COLOR)]).unwrap();
    assert_eq!(colour.texel(Aspects::COLOR, 0, 0, 3, 3)[0], 0.25f32.to_bits());
    let bytes = Image::new(ImageDesc::new_2d(Format::R8_UINT, 4, 4));
    copy_image(&pool(), &ds.r(), &bytes.r(), &[region(Aspects::STENCIL, Aspects::COLOR)]).unwrap();
    assert_eq!(bytes.texel(Aspects::COLOR, 0, 0, 1, 2)[0], 7);
    let back = Image::new(ImageDesc::new_2d(Format::D32_SFLOAT_S8_UINT, 4, 4));
    copy_image(&pool(), &colour.r(), &back.r(), &[region(Aspects::COLOR, Aspects::DEPTH)]).unwrap();
    assert_eq!(f32::from_bits(back.texel(Aspects::DEPTH, 0, 0, 2, 1)[0]), 0.25);
    copy_image(&pool(), &bytes.r(), &back.r(), &[region(Aspects::COLOR, Aspects::STENCIL)]).unwrap();
    assert_eq!(back.texel(Aspects::STENCIL, 0, 0, 3, 1)[0], 7);
    // Other sizes, several components, and depth as stencil are rejected.
    let wide = Image::new(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 4, 4));
    for (from, to, regions) in [
        (&ds, &bytes, region(Aspects::DEPTH, Aspects::COLOR)),
        (&ds, &wide, region(Aspects::DEPTH, Aspects::COLOR)),
        (&ds, &back, region(Aspects::DEPTH, Aspects::STENCIL)),
        (&ds, &colour, region(Aspects::DEPTH_STENCIL, Aspects::COLOR)),
    ] {
        assert!(copy_image(&pool(), &from.r(), &to.r(), &[regions]).is_err(), "{regions:?}");
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

/// Slice pitches that exceed the address space matter only if there is a second slice.
#[test]
fn huge_pitches_do_not_wrap() {
    let desc = ImageDesc { layers: 2, ..ImageDesc::new_2d(Format::R32G32B32A32_UINT, 2, 1) };
    let image = Image::new(desc);
    let mut store = Store::new(64);
    let buffer = store.span(64);
    assert!(buffer.write(0, &(0..64).collect::<Vec<u8>>()));
    let one =
        BufferImageCopy { row_length: u32::MAX, image_height: u32::MAX, ..BufferImageCopy::whole([2, 1, 1]) };
    copy_buffer_to_image(&pool(), buffer, &image.r(), &[one]).unwrap();
    assert_eq!(image.texel(Aspects::COLOR, 0, 0, 1, 0)[0], 0x1312_1110);
    assert_eq!(region_bytes(&image.r(), &one).unwrap(), 32);
    // The slice pitches of the latter two cases wrap to 0 and to one row.
    for (row_length, image_height) in [(u32::MAX, u32::MAX), (1 << 31, 1 << 29), (1 << 31, (1 << 29) + 1)] {
        let subresource = SubresourceLayers { layers: 2, ..COLOR };
        let two = BufferImageCopy { row_length, image_height, subresource, ..one };
        let wrapped = u64::from(row_length).wrapping_mul(16).wrapping_mul(u64::from(image_height));
        assert!(row_length == u32::MAX || wrapped < 1 << 36, "{wrapped:#x}");
        assert!(matches!(region_bytes(&image.r(), &two), Err(Error::Invalid { .. })), "{two:?}");
        assert!(copy_buffer_to_image(&pool(), buffer, &image.r(), &[two]).is_err());
        assert!(copy_image_to_buffer(&pool(), &image.r(), buffer, &[two]).is_err());
    }
}

/// Rejects a number of layers whose sum with the first layer wraps around.
#[test]
fn layers_do_not_wrap() {
    let deep = Image::new(ImageDesc {
        image_type: ImageType::D3,
        extent: [2, 2, 4],
        ..ImageDesc::new_2d(Format::R8_UINT, 1, 1)
    });
    let flat = Image::new(ImageDesc { layers: 4, ..ImageDesc::new_2d(Format::R8_UINT, 2, 2) });
    let all = SubresourceLayers { layers: u32::MAX - 1, ..COLOR };
    let blit = |z: i32| ImageBlit {
        src: all,
        src_offsets: [[0, 0, z], [2, 2, z + 1]],
        dst: all,
        dst_offsets: [[0, 0, 0], [2, 2, 1]],
    };
    for z in 0..4 {
        assert!(blit_image(&pool(), &deep.r(), &flat.r(), &[blit(z)], Filter::Nearest).is_err());
    }
}
