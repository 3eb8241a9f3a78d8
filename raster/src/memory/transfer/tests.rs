//! Compares transfers with straightforward expectations: clears and copies, and the memory that all of these tests use. Blits
//! and resolves are in `scaling`.

mod scaling;

use super::*;
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
