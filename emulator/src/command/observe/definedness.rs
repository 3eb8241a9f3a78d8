//! Definedness: reports to the device's watcher the bytes that commands write, and the bytes that a render pass loads
//! at its beginning.
//!
//! The written bytes are overestimated: whole image subresources, all attachments of a scope from its load operations
//! on, and all memory if addresses in memory select the bytes.

use quadrille_check::events::{Event, Part};
use quadrille_jit::interp::watch::Range;

use super::super::effects::{At, Effect, Place, TRACED, Wants};
use super::Observer;
use crate::device::Device;
use crate::object::names::Names;
use crate::observation::watching::Watching;
use crate::resource::copies::SubresourceLayers;
use crate::resource::image::Image;

pub(super) struct Definedness<'d> {
    watch: &'d Watching,
    names: Option<&'d Names>,
}

impl<'d> Definedness<'d> {
    pub fn new(device: &'d Device, watch: &'d Watching) -> Self {
        Definedness { watch, names: device.names() }
    }

    fn effect(&self, effect: &Effect<'_>) {
        match effect.place {
            Place::Texels { image, of, .. } if effect.part == Part::Load => {
                if !effect.access.writes {
                    self.loaded(image, &of);
                }
                written(image, &of);
            }
            _ if !effect.access.writes || effect.part != Part::Command => {}
            // Watchers see the writes of the shaders.
            Place::Addressed if effect.access == TRACED => {}
            Place::Bytes { buffer: dst, offset, size } => match effect.source {
                None => dst.written(offset, size),
                Some((src, src_offset)) => {
                    if let (Ok(from), Ok(base)) = (src.address(), dst.address()) {
                        let to = Range { base: base + offset, size };
                        self.watch.tell(&Event::Copied { from: from + src_offset, to });
                    }
                }
            },
            Place::Texels { image, of, .. } => written(image, &of),
            Place::SomeTexels(image) => image.keep_zeros(),
            Place::Addressed => self.watch.written(0, u64::MAX),
        }
    }

    /// Reports an attachment that keeps its contents at the beginning of a render pass. The caller does this before it
    /// reports the attachment as written.
    fn loaded(&self, image: &Image, of: &SubresourceLayers) {
        let layers = match image.desc().layers {
            1 => 0..1,
            _ => of.base_layer..of.base_layer.saturating_add(of.layers),
        };
        let part = |layer| {
            let part = image.layout().subresource(of.aspects, of.level, layer)?;
            let (memory, offset) = image.plane_memory(part.memory).ok()?;
            Some(Range { base: memory.address() + offset + part.offset, size: part.size })
        };
        let parts: Vec<Range> = layers.filter_map(part).collect();
        let name = self.names.map_or_else(|| "an attachment".to_owned(), |names| names.of(image));
        self.watch.tell(&Event::Loads { what: &name, parts: &parts });
    }
}

/// Reports layers of an image as written. The slices of a 3D image are one layer.
fn written(image: &Image, of: &SubresourceLayers) {
    let end = of.base_layer.saturating_add(of.layers);
    let all = image.desc().layers == 1;
    image.written(|level, layer| level == of.level && (all || (of.base_layer..end).contains(&layer)));
}

impl<'l> Observer<'l> for Definedness<'_> {
    fn effects(&mut self, at: &At<'_, 'l>) {
        at.effects(Wants::Writes, &mut |effect| self.effect(effect));
    }
}
