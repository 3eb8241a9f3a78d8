//! Layouts of images, for those who watch the device: the library itself has none, and tells what a driver says of
//! them.
//!
//! Spec: Vulkan, "Image Layouts". The numbers are those of VkImageLayout.

use std::sync::Arc;

pub use quadrille_check::events::LayoutChange;
use quadrille_check::events::{Event, LayoutOf};
use quadrille_jit::interp::watch::Range;

use crate::descriptor::DescriptorSet;
use crate::device::Device;
use crate::resource::copies::SubresourceRange;
use crate::resource::image::Image;

/// Texels of an image, and what becomes of their layout.
#[derive(Clone, Copy, Debug)]
pub struct LayoutUse<'a> {
    /// The image.
    pub image: &'a Image,
    /// Which of its texels.
    pub range: SubresourceRange,
    /// What becomes of it.
    pub change: LayoutChange,
}

/// The bytes of subresources of an image, those of each one by themselves; none of images without memory.
pub(crate) fn subresources(image: &Image, of: &SubresourceRange) -> Vec<Range> {
    let desc = image.desc();
    let end = |first: u32, n: u32, all: u32| first.saturating_add(n).min(all);
    let mut out: Vec<Range> = Vec::new();
    let layout = image.layout();
    for aspect in of.aspects.singles() {
        for level in of.base_level..end(of.base_level, of.levels, desc.levels) {
            // Layers of a 3D image are its slices.
            let layers = if desc.extent[2] > 1 {
                0..1
            } else {
                of.base_layer..end(of.base_layer, of.layers, desc.layers)
            };
            for layer in layers {
                let Some(part) = layout.subresource(aspect, level, layer) else { continue };
                let Ok((memory, offset)) = image.plane_memory(part.memory) else { continue };
                out.push(Range { base: memory.address() + offset + part.offset, size: part.size });
            }
        }
    }
    out
}

/// What is told of texels.
pub(crate) fn told(
    image: &Image,
    range: &SubresourceRange,
    change: LayoutChange,
    what: Arc<str>,
) -> LayoutOf {
    let parts = subresources(image, range).iter().map(|part| part.base).collect();
    LayoutOf { what, parts, change }
}

impl Device {
    /// Whether somebody watches who looks at the layouts of images: nobody else is told.
    pub fn looks_at_layouts(&self) -> bool {
        self.is_explicit()
    }

    /// Tells whoever looks at layouts that an image is bound, and begins in the layout that whoever made it has said.
    pub fn tell_bound(&self, image: &Image) {
        if let Some(&layout) = image.initial_layout().get() {
            let range = SubresourceRange::all(image.format().aspects());
            self.tell_layouts(&[LayoutUse { image, range, change: LayoutChange::Begins(layout) }]);
        }
    }

    /// Tells whoever looks at layouts what the host does, or what is true of images from now on.
    pub fn tell_layouts(&self, uses: &[LayoutUse<'_>]) {
        let (Some(watch), true) = (&self.options().watch, self.looks_at_layouts()) else { return };
        let name = |image: &Image| self.names().map_or_else(|| "".into(), |names| names.of(image).into());
        let told: Vec<_> = uses.iter().map(|u| told(u.image, &u.range, u.change, name(u.image))).collect();
        watch.tell(&Event::Layouts { of: &told, by_host: true });
    }
}

impl DescriptorSet {
    /// Whether somebody watches who looks at what descriptors say of layouts.
    pub fn looks_at_layouts(&self) -> bool {
        self.watch().is_some()
    }

    /// Tells whoever looks at layouts which one the image of an element of a binding is in, as its descriptor says.
    pub fn tell_layout(&self, binding: u32, element: u32, layout: Option<i32>) {
        if let (Some(watch), Some(place)) = (self.watch(), self.place_of(binding, element)) {
            watch.tell(&Event::DescriptorLayout { place, layout });
        }
    }
}
