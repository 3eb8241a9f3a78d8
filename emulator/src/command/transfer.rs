//! Copies, blits, resolves and clears: turns resources into spans of memory for [`quadrille_raster::transfer`].

use quadrille_raster::Watched;
use quadrille_raster::image::Span;
use quadrille_raster::transfer::{self, ImageRef, Runner};

use super::list::{Command, CommandList, Ref};
use super::resources::check_budget;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::resource::buffer::Buffer;
use crate::resource::image::Image;
use crate::resource::missing;

fn spans(list: &CommandList) -> impl Fn(&Ref<Buffer>) -> Result<Span> {
    |buffer| list.buffers[*buffer].span()
}

fn images<'a>(list: &'a CommandList) -> impl Fn(&Ref<Image>) -> Result<ImageRef<'a>> {
    |image| list.images[*image].transfer()
}

/// Number of regions between two checks of the budget; this many run without checks if the destination is small.
const REGIONS: usize = 16;
/// Size of a destination, in bytes, from which on even a single region is checked against the budget.
const LARGE: u64 = 1 << 20;

/// Runs a transfer command of a list.
pub(super) fn run(device: &Device, list: &CommandList, command: &Command) -> Result<()> {
    let (buffer, image) = (spans(list), images(list));
    match command {
        Command::CopyBuffer { src, dst, regions } => {
            let (src, dst) = (buffer(src)?, &list.buffers[*dst]);
            let regions = list.regions(*regions);
            let copy = |on: Runner<'_>, r: &[_]| missing::copy_buffer(on, src, dst, r);
            each(device, "copy_buffer", dst.size(), regions, copy)
        }
        Command::CopyImage { src, dst, regions } => {
            let regions = list.regions(*regions);
            let (src, dst) = (image(src)?, image(dst)?);
            let copy = |on: Runner<'_>, r: &[_]| transfer::copy_image(on, &src, &dst, r);
            each(device, "copy_image", dst.layout.size, regions, copy)
        }
        Command::CopyBufferToImage { src, dst, regions } => {
            let regions = list.regions(*regions);
            let (src, dst) = (buffer(src)?, image(dst)?);
            let copy = |on: Runner<'_>, r: &[_]| transfer::copy_buffer_to_image(on, src, &dst, r);
            each(device, "copy_buffer_to_image", dst.layout.size, regions, copy)
        }
        Command::CopyImageToBuffer { src, dst, regions } => {
            let regions = list.regions(*regions);
            let (src, dst) = (image(src)?, buffer(dst)?);
            let copy = |on: Runner<'_>, r: &[_]| transfer::copy_image_to_buffer(on, &src, dst, r);
            each(device, "copy_image_to_buffer", dst.size(), regions, copy)
        }
        Command::Blit { src, dst, regions, filter } => {
            let regions = list.regions(*regions);
            let (src, dst) = (image(src)?, image(dst)?);
            let blit = |on: Runner<'_>, r: &[_]| transfer::blit_image(on, &src, &dst, r, *filter);
            each(device, "blit_image", dst.layout.size, regions, blit)
        }
        Command::Resolve { src, dst, regions, mode } => {
            let regions = list.regions(*regions);
            let (src, dst) = (image(src)?, image(dst)?);
            let resolve = |on: Runner<'_>, r: &[_]| transfer::resolve_image(on, &src, &dst, r, *mode);
            each(device, "resolve_image", dst.layout.size, regions, resolve)
        }
        Command::FillBuffer { dst, offset, size, word } => {
            let dst = &list.buffers[*dst];
            let fill = |on: Runner<'_>, _: &[()]| missing::fill_buffer(on, dst, *offset, *size, *word);
            each(device, "fill_buffer", dst.size(), &[()], fill)
        }
        Command::UpdateBuffer { dst, offset, data } => {
            transfer::update_buffer(buffer(dst)?, *offset, list.update(*data))
        }
        Command::ClearImage { image: of, value, ranges } if list.images[*of].format().is_depth_stencil() => {
            let (of, depth, stencil) = (image(of)?, f32::from_bits(value[0]), value[1]);
            let clear = |on: Runner<'_>, r: &[_]| transfer::clear_depth_stencil(on, &of, depth, stencil, r);
            each(device, "clear_depth_stencil_image", of.layout.size, list.regions(*ranges), clear)
        }
        Command::ClearImage { image: of, value, ranges } => {
            let of = image(of)?;
            let clear = |on: Runner<'_>, r: &[_]| transfer::clear_color(on, &of, *value, r);
            each(device, "clear_color_image", of.layout.size, list.regions(*ranges), clear)
        }
        _ => Err(Error::Internal("not a transfer command".into())),
    }
}

/// Runs a command that writes to `size` bytes on all its regions. A region is at most as large as its resources. Many
/// regions, and large destinations, run under the budget like shaders that may not end.
fn each<R>(
    device: &Device,
    name: &str,
    size: u64,
    regions: &[R],
    run: impl Fn(Runner<'_>, &[R]) -> Result<()>,
) -> Result<()> {
    let pool = device.pool();
    if regions.len() <= REGIONS && size < LARGE {
        return run(pool.into(), regions);
    }
    let watched = Watched::begin(device.budget())?;
    for some in regions.chunks(REGIONS) {
        run(Runner::new(pool, &watched), some)?;
        check_budget(device, &watched, name)?;
    }
    Ok(())
}
