//! Copies, blits, resolves and clears: resources to spans of memory for [`quadrille_raster::transfer`].

use quadrille_raster::Watched;
use quadrille_raster::image::Span;
use quadrille_raster::sampling::Filter;
use quadrille_raster::transfer::{self, ImageRef};

use super::list::{Command, Recorded, Ref};
use super::resources::check_budget;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::image::Image;
use crate::missing;

fn spans(list: &Recorded) -> impl Fn(&Ref<Buffer>) -> Result<Span> {
    |buffer| list.buffers[*buffer].span()
}

fn images<'a>(list: &'a Recorded) -> impl Fn(&Ref<Image>) -> Result<ImageRef<'a>> {
    |image| list.images[*image].transfer()
}

/// Regions that run between two looks at the budget.
const REGIONS: usize = 16;

/// Runs a transfer command of a list.
pub(super) fn run(device: &Device, list: &Recorded, command: &Command) -> Result<()> {
    let (buffer, image) = (spans(list), images(list));
    let pool = device.pool();
    match command {
        Command::CopyBuffer { src, dst, regions } => {
            let (src, dst) = (buffer(src)?, &list.buffers[*dst]);
            let regions = list.buffer_copies(*regions);
            each(device, "copy_buffer", regions, |r| missing::copy_buffer(pool, src, dst, r))
        }
        Command::CopyImage { src, dst, regions } => {
            let (src, dst) = (image(src)?, image(dst)?);
            each(device, "copy_image", regions, |r| transfer::copy_image(pool, &src, &dst, r))
        }
        Command::CopyBufferToImage { src, dst, regions } => {
            let (src, dst) = (buffer(src)?, image(dst)?);
            let copy = |r: &[_]| transfer::copy_buffer_to_image(pool, src, &dst, r);
            each(device, "copy_buffer_to_image", regions, copy)
        }
        Command::CopyImageToBuffer { src, dst, regions } => {
            let (src, dst) = (image(src)?, buffer(dst)?);
            let copy = |r: &[_]| transfer::copy_image_to_buffer(pool, &src, dst, r);
            each(device, "copy_image_to_buffer", regions, copy)
        }
        Command::Blit { src, dst, regions, linear } => {
            let filter = if *linear { Filter::Linear } else { Filter::Nearest };
            let (src, dst) = (image(src)?, image(dst)?);
            each(device, "blit_image", regions, |r| transfer::blit_image(pool, &src, &dst, r, filter))
        }
        Command::Resolve { src, dst, regions, mode } => {
            let (src, dst) = (image(src)?, image(dst)?);
            each(device, "resolve_image", regions, |r| transfer::resolve_image(pool, &src, &dst, r, *mode))
        }
        Command::FillBuffer { dst, offset, size, word } => {
            missing::fill_buffer(pool, &list.buffers[*dst], *offset, *size, *word)
        }
        Command::UpdateBuffer { dst, offset, data } => {
            transfer::update_buffer(buffer(dst)?, *offset, list.update(*data))
        }
        Command::ClearImage { image: of, value, ranges } if list.images[*of].format().is_depth_stencil() => {
            let (of, depth, stencil) = (image(of)?, f32::from_bits(value[0]), value[1]);
            let clear = |r: &[_]| transfer::clear_depth_stencil(pool, &of, depth, stencil, r);
            each(device, "clear_depth_stencil_image", ranges, clear)
        }
        Command::ClearImage { image: of, value, ranges } => {
            let of = image(of)?;
            each(device, "clear_color_image", ranges, |r| transfer::clear_color(pool, &of, *value, r))
        }
        _ => Err(Error::Internal("not a transfer command".into())),
    }
}

/// Runs a command on all its regions. One region is as large as its resources at most; many are looked
/// after like a shader that does not end.
fn each<R>(device: &Device, name: &str, regions: &[R], run: impl Fn(&[R]) -> Result<()>) -> Result<()> {
    if regions.len() <= REGIONS {
        return run(regions);
    }
    let watched = Watched::begin(device.budget())?;
    for some in regions.chunks(REGIONS) {
        check_budget(device, &watched, name)?;
        run(some)?;
    }
    Ok(())
}

/// Checks a transfer of images when it is recorded, so that running it cannot fail.
pub(super) fn check(list: &Recorded, command: &Command) -> Result<()> {
    let (span, image) = (spans(list), images(list));
    match command {
        Command::CopyImage { src, dst, regions } => {
            transfer::check_copy_image(&image(src)?, &image(dst)?, regions)
        }
        Command::CopyBufferToImage { src: buffer, dst: of, regions }
        | Command::CopyImageToBuffer { src: of, dst: buffer, regions } => {
            transfer::check_buffer_image(&image(of)?, span(buffer)?, regions)
        }
        Command::Blit { src, dst, regions, linear } => {
            let filter = if *linear { Filter::Linear } else { Filter::Nearest };
            transfer::check_blit(&image(src)?, &image(dst)?, regions, filter)
        }
        Command::Resolve { src, dst, regions, .. } => {
            transfer::check_resolve(&image(src)?, &image(dst)?, regions)
        }
        Command::ClearImage { image: of, ranges, .. } => transfer::check_clear(&image(of)?, ranges),
        _ => Ok(()),
    }
}
