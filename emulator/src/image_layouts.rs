//! Reports of image layouts to the device's watcher. The library itself ignores layouts and passes on those that a
//! driver declares.
//!
//! Spec: Vulkan, "Image Layouts". Layouts have the values of VkImageLayout. `quadrille_check` compares them.

use std::sync::Arc;

pub use quadrille_check::events::LayoutChange;
use quadrille_check::events::{Event, LayoutOf};
use quadrille_jit::interp::watch::Range;

use crate::descriptor::DescriptorSet;
use crate::device::Device;
use crate::resource::copies::SubresourceRange;
use crate::resource::image::Image;

/// Image subresources and a change or use of their layout.
#[derive(Clone, Copy, Debug)]
pub struct LayoutUse<'a> {
    /// The image.
    pub image: &'a Image,
    /// The image subresources.
    pub range: SubresourceRange,
    /// The change or use of the layout.
    pub change: LayoutChange,
}

/// Returns the bytes of each of an image's subresources; empty for images without memory.
pub(crate) fn subresources(image: &Image, of: &SubresourceRange) -> Vec<Range> {
    let desc = image.desc();
    let end = |first: u32, n: u32, all: u32| first.saturating_add(n).min(all);
    let mut out: Vec<Range> = Vec::new();
    let layout = image.layout();
    for aspect in of.aspects.singles() {
        for level in of.base_level..end(of.base_level, of.levels, desc.levels) {
            // The layers of a 3D image are depth slices of one subresource.
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

/// Returns the report of a layout change or use.
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
    /// `true` if the watcher checks image layouts.
    pub fn looks_at_layouts(&self) -> bool {
        self.is_explicit()
    }

    /// Tells the watcher that an image was bound, with the initial layout from its creation.
    pub fn tell_bound(&self, image: &Image) {
        if let Some(&layout) = image.initial_layout().get() {
            let range = SubresourceRange::all(image.format().aspects());
            self.tell_layouts(&[LayoutUse { image, range, change: LayoutChange::Begins(layout) }]);
        }
    }

    /// Tells the watcher about layout changes and uses by the host.
    pub fn tell_layouts(&self, uses: &[LayoutUse<'_>]) {
        let (Some(watch), true) = (&self.options().watch, self.looks_at_layouts()) else { return };
        let name = |image: &Image| self.names().map_or_else(|| "".into(), |names| names.of(image).into());
        let told: Vec<_> = uses.iter().map(|u| told(u.image, &u.range, u.change, name(u.image))).collect();
        watch.tell(&Event::Layouts { of: &told, by_host: true });
    }
}

impl DescriptorSet {
    /// `true` if a watcher observes the layouts that descriptors declare.
    pub fn looks_at_layouts(&self) -> bool {
        self.watch().is_some()
    }

    /// Tells the watcher which layout a descriptor declares for its image; `None` for descriptors without one.
    pub fn tell_layout(&self, binding: u32, element: u32, layout: Option<i32>) {
        if let (Some(watch), Some(place)) = (self.watch(), self.place_of(binding, element)) {
            watch.tell(&Event::DescriptorLayout { place, layout });
        }
    }
}
