//! Layouts that commands, descriptors and the host say images are in, for those who look at them: here they mean nothing.

use ash::vk;
use quadrille::image_layouts::{LayoutChange, LayoutUse};
use quadrille::{CommandBuffer, Image, SubresourceLayers, SubresourceRange};

/// An image, and the layout that it has to be in.
pub type In<'a> = (&'a Image, vk::ImageLayout);

/// Layers of an image have to be in a layout.
pub fn used((image, layout): In<'_>, of: SubresourceLayers) -> LayoutUse<'_> {
    let SubresourceLayers { aspects, level, base_layer, layers } = of;
    let range = SubresourceRange { aspects, base_level: level, levels: 1, base_layer, layers };
    LayoutUse { image, range, change: LayoutChange::Is(layout.as_raw()) }
}

/// The next command reads and writes these layers.
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

/// The next command accesses these layers.
pub fn layers(list: &mut CommandBuffer, image: In<'_>, regions: impl Iterator<Item = SubresourceLayers>) {
    if list.looks_at_layouts() {
        let uses: Vec<_> = regions.map(|of| used(image, of)).collect();
        list.uses_layouts(&uses);
    }
}

/// The next command writes these ranges.
pub fn ranges(list: &mut CommandBuffer, (image, layout): In<'_>, ranges: &[SubresourceRange]) {
    if list.looks_at_layouts() {
        let change = LayoutChange::Is(layout.as_raw());
        let uses: Vec<_> = ranges.iter().map(|&range| LayoutUse { image, range, change }).collect();
        list.uses_layouts(&uses);
    }
}
