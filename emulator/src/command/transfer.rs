//! Copies, blits, resolves and clears: resources to spans of memory for [`quadrille_raster::transfer`].

use quadrille_raster::Pool;
use quadrille_raster::image::Span;
use quadrille_raster::sampler::Filter;
use quadrille_raster::transfer::{self, ImageRef};

use super::list::{Command, Recorded, Ref};
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::image::Image;

fn spans(list: &Recorded) -> impl Fn(&Ref<Buffer>) -> Result<Span> {
    |buffer| list.buffers[*buffer].span()
}

fn images<'a>(list: &'a Recorded) -> impl Fn(&Ref<Image>) -> Result<ImageRef<'a>> {
    |image| list.images[*image].transfer()
}

/// Runs a transfer command of a list.
pub(super) fn run(pool: &Pool, list: &Recorded, command: &Command) -> Result<()> {
    let (buffer, image) = (spans(list), images(list));
    match command {
        Command::CopyBuffer { src, dst, regions } => {
            transfer::copy_buffer(pool, buffer(src)?, buffer(dst)?, regions)
        }
        Command::CopyImage { src, dst, regions } => {
            transfer::copy_image(pool, &image(src)?, &image(dst)?, regions)
        }
        Command::CopyBufferToImage { src, dst, regions } => {
            transfer::copy_buffer_to_image(pool, buffer(src)?, &image(dst)?, regions)
        }
        Command::CopyImageToBuffer { src, dst, regions } => {
            transfer::copy_image_to_buffer(pool, &image(src)?, buffer(dst)?, regions)
        }
        Command::Blit { src, dst, regions, linear } => {
            let filter = if *linear { Filter::Linear } else { Filter::Nearest };
            transfer::blit_image(pool, &image(src)?, &image(dst)?, regions, filter)
        }
        Command::Resolve { src, dst, regions } => {
            transfer::resolve_image(pool, &image(src)?, &image(dst)?, regions)
        }
        Command::FillBuffer { dst, offset, size, word } => {
            transfer::fill_buffer(pool, buffer(dst)?, *offset, *size, *word)
        }
        Command::UpdateBuffer { dst, offset, data } => transfer::update_buffer(buffer(dst)?, *offset, data),
        Command::ClearImage { image: of, value, ranges } if list.images[*of].format().is_depth_stencil() => {
            let (depth, stencil) = (f32::from_bits(value[0]), value[1]);
            transfer::clear_depth_stencil(pool, &image(of)?, depth, stencil, ranges)
        }
        Command::ClearImage { image: of, value, ranges } => {
            transfer::clear_color(pool, &image(of)?, *value, ranges)
        }
        _ => Err(Error::Internal("not a transfer command".into())),
    }
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
        Command::Resolve { src, dst, regions } => {
            transfer::check_resolve(&image(src)?, &image(dst)?, regions)
        }
        Command::ClearImage { image: of, ranges, .. } => transfer::check_clear(&image(of)?, ranges),
        _ => Ok(()),
    }
}
