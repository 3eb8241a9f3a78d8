//! Reports of the image layouts that commands declare, for the device's watcher; the driver itself ignores layouts.

use ash::vk;
use quadrille::image_layouts::{LayoutChange, LayoutUse};
use quadrille::{CommandBuffer, Image, SubresourceLayers, SubresourceRange};

/// An image, and the layout that a command declares for it.
pub type In<'a> = (&'a Image, vk::ImageLayout);

/// Returns the use of an image's layers in a layout.
pub fn used((image, layout): In<'_>, of: SubresourceLayers) -> LayoutUse<'_> {
    let SubresourceLayers { aspects, level, base_layer, layers } = of;
    let range = SubresourceRange { aspects, base_level: level, levels: 1, base_layer, layers };
    LayoutUse { image, range, change: LayoutChange::Is(layout.as_raw()) }
}

/// Notes the layouts for a command that reads the first layers and writes the second of each region.
pub fn between(
    list: &mut CommandBuffer,
    (src, dst): (In<'_>, In<'_>),
    regions: impl Iterator<Item = (SubresourceLayers, SubresourceLayers)>,
) {
    if list.looks_at_layouts() {
        let uses: Vec<_> = regions.flat_map(|(from, to)| [used(src, from), used(dst, to)]).collect();
        list.uses_layouts(&uses);
    }
}

/// Notes the layouts for a command that accesses these layers.
pub fn layers(list: &mut CommandBuffer, image: In<'_>, regions: impl Iterator<Item = SubresourceLayers>) {
    if list.looks_at_layouts() {
        let uses: Vec<_> = regions.map(|of| used(image, of)).collect();
        list.uses_layouts(&uses);
    }
}

/// Notes the layouts for a command that writes these ranges.
pub fn ranges(list: &mut CommandBuffer, (image, layout): In<'_>, ranges: &[SubresourceRange]) {
    if list.looks_at_layouts() {
        let change = LayoutChange::Is(layout.as_raw());
        let uses: Vec<_> = ranges.iter().map(|&range| LayoutUse { image, range, change }).collect();
        list.uses_layouts(&uses);
    }
}
