//! Dependencies between the subpasses of a render pass, and operations on its attachments, for the device's watcher.
//!
//! Execution does not depend on them: subpasses run one after the other. Spec: Vulkan, "Subpass Dependencies", "Render
//! Pass Load and Store Operations".

use std::sync::Arc;

use quadrille_check::events::{Dependency, First, Second};
use quadrille_raster::format::Aspects;

use crate::image_layouts::LayoutChange;
use crate::resource::image::ImageView;

/// A dependency between subpasses; `None` stands for commands before or after the render pass. Spec: Vulkan,
/// VkSubpassDependency2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubpassDependency {
    /// Subpass whose commands must be complete.
    pub src: Option<u32>,
    /// Subpass whose commands wait.
    pub dst: Option<u32>,
    /// Stages of `src`, with the bits of VkPipelineStageFlagBits2.
    pub src_stages: u64,
    /// Accesses of `src`, with the bits of VkAccessFlagBits2.
    pub src_access: u64,
    /// Stages of `dst`, with the bits of VkPipelineStageFlagBits2.
    pub dst_stages: u64,
    /// Accesses of `dst`, with the bits of VkAccessFlagBits2.
    pub dst_access: u64,
}

/// Operations of a rendering scope that access an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentUse {
    /// `true` if the load operation accesses the attachment.
    pub loads: bool,
    /// `true` if the store operation accesses the attachment.
    pub stores: bool,
}

/// Layouts and operations of an attachment of a render pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentOrder {
    /// Initial and final layout, with the values of VkImageLayout.
    pub layouts: [i32; 2],
    /// Operations on colour or depth, and on stencil.
    pub uses: [AttachmentUse; 2],
}

/// Order of the subpasses of a render pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassOrder {
    /// Subpass dependencies.
    pub dependencies: Vec<SubpassDependency>,
    /// Layouts and operations of each attachment.
    pub attachments: Vec<AttachmentOrder>,
    /// For each subpass, the attachments that it uses and their layouts there.
    pub layouts: Vec<Vec<(u32, i32)>>,
}

/// Dependencies at the beginning or the end of a scope, and attachments whose layout changes between the two halves of
/// the dependencies with the given indices.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    /// Layouts of attachments before and after the edge.
    pub(crate) layouts: Vec<AttachmentLayout>,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) transitions: Vec<(ImageView, Box<[usize]>)>,
}

/// The layout of an attachment at an edge of a scope.
#[derive(Clone, Debug)]
pub struct AttachmentLayout {
    /// The attached view.
    pub view: ImageView,
    /// Aspects of the view whose layout this is.
    pub aspects: Aspects,
    /// The change or use of the layout.
    pub change: LayoutChange,
}

/// VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL and VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, which leave the layout of
/// stencil open.
const DEPTH_ALONE: [i32; 2] = [1_000_241_000, 1_000_241_001];

impl AttachmentLayout {
    /// Returns the layout change of a view in a render pass. A layout may cover depth only: stencil has another one then,
    /// and becomes unknown if that is the new layout.
    fn of_pass(view: &ImageView, old: i32, new: i32) -> impl Iterator<Item = AttachmentLayout> {
        let all = view.image().format().aspects();
        let [before, after] = [old, new].map(|layout| DEPTH_ALONE.contains(&layout));
        let alone = before || after;
        let aspects = if alone { Aspects::DEPTH } else { all };
        let told = AttachmentLayout { view: view.clone(), aspects, change: LayoutChange::Becomes(old, new) };
        let rest = (alone && all.contains(Aspects::STENCIL)).then(|| AttachmentLayout {
            view: view.clone(),
            aspects: Aspects::STENCIL,
            change: if after { LayoutChange::Unknown } else { LayoutChange::Begins(new) },
        });
        std::iter::once(told).chain(rest)
    }
}

/// Order of a rendering scope, reported to the device's watcher.
#[derive(Clone, Debug)]
pub struct ScopeOrder {
    /// Operations of colour attachments by location, then of depth and of stencil. Missing entries both load and store.
    pub uses: Vec<AttachmentUse>,
    /// `true` if another scope resumes this one. Spec: VK_RENDERING_SUSPENDING_BIT.
    pub suspends: bool,
    pub(crate) subpass: u32,
    /// `true` if the scope begins a render pass instance, and `true` if it ends one.
    pub(crate) bounds: [bool; 2],
    /// Names of the commands that begin and end the scope.
    pub(crate) names: [&'static str; 2],
    pub(crate) edges: [Edge; 2],
}

impl Default for ScopeOrder {
    fn default() -> Self {
        ScopeOrder {
            uses: Vec::new(),
            suspends: false,
            subpass: 0,
            bounds: [true; 2],
            names: ["vkCmdBeginRendering", "vkCmdEndRendering"],
            edges: Default::default(),
        }
    }
}

impl ScopeOrder {
    /// Returns the order of a dynamic rendering scope, with operations of colour attachments by location, then of depth
    /// and of stencil.
    pub fn of_rendering(uses: Vec<AttachmentUse>, suspends: bool) -> ScopeOrder {
        ScopeOrder { uses, suspends, ..ScopeOrder::default() }
    }

    /// Sets the layouts that the scope requires of its attachments.
    pub fn with_layouts(mut self, layouts: Vec<AttachmentLayout>) -> ScopeOrder {
        self.edges[0].layouts = layouts;
        self
    }

    /// Returns the operations of the attachment with this index in `uses`.
    pub(crate) fn uses(&self, number: usize) -> AttachmentUse {
        self.uses.get(number).copied().unwrap_or(AttachmentUse { loads: true, stores: true })
    }

    /// Splits off a scope that precedes this one and runs the load operations of some attachments.
    pub(crate) fn split(&mut self) -> ScopeOrder {
        let first = ScopeOrder {
            uses: vec![AttachmentUse { loads: true, stores: false }; 3],
            bounds: [self.bounds[0], false],
            edges: [std::mem::take(&mut self.edges[0]), Edge::default()],
            ..self.clone()
        };
        self.bounds[0] = false;
        first
    }
}

/// All reads and writes of attachments: the accesses of an implicit subpass dependency.
const ATTACHMENT_ACCESS: u64 = 1 << 4 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10;
const ALL_COMMANDS: u64 = 1 << 16;

/// Layouts in which attachments are only read, with the values of VkImageLayout.
const READ_ONLY: [i32; 4] = [4, 1_000_241_001, 1_000_241_003, 1_000_314_000];

/// `true` if attachments are only read in a layout.
pub fn is_read_only(layout: i32) -> bool {
    READ_ONLY.contains(&layout)
}

impl PassOrder {
    fn layout_in(&self, subpass: usize, attachment: u32) -> Option<i32> {
        let used = self.layouts.get(subpass)?.iter().find(|(a, _)| *a == attachment);
        used.map(|(_, layout)| *layout)
    }

    /// Returns the last subpass of a range that uses an attachment, and the layout there.
    fn last(&self, mut subpasses: std::ops::Range<usize>, attachment: u32) -> Option<(usize, i32)> {
        subpasses.rfind(|s| self.layout_in(*s, attachment).is_some()).and_then(|s| {
            let layout = self.layout_in(s, attachment)?;
            Some((s, layout))
        })
    }

    /// Returns the order of subpass `subpass`, which renders to these attachments; `views` are the views of all
    /// attachments.
    pub(crate) fn scope(
        &self,
        subpass: usize,
        (colors, depth_stencil): (&[Option<u32>], Option<u32>),
        views: &[ImageView],
    ) -> Arc<ScopeOrder> {
        let n = self.layouts.len();
        let (begins, ends) = (subpass == 0, subpass + 1 >= n);
        let end = if ends { self.end(views) } else { Edge::default() };
        let of = |attachment: Option<u32>, aspect: usize| {
            let (Some(a), Some(order)) =
                (attachment, attachment.and_then(|a| self.attachments.get(a as usize)))
            else {
                return AttachmentUse { loads: false, stores: false };
            };
            let (before, behind) = (self.last(0..subpass, a), self.last(subpass + 1..n, a));
            let AttachmentUse { loads, stores } = order.uses[aspect];
            let read_only = self.layout_in(subpass, a).is_some_and(is_read_only);
            AttachmentUse {
                loads: loads && before.is_none(),
                stores: stores && behind.is_none() && !read_only,
            }
        };
        let mut uses: Vec<_> = colors.iter().map(|a| of(*a, 0)).collect();
        uses.extend([of(depth_stencil, 0), of(depth_stencil, 1)]);
        Arc::new(ScopeOrder {
            uses,
            suspends: false,
            subpass: subpass as u32,
            bounds: [begins, ends],
            names: [
                if begins { "vkCmdBeginRenderPass" } else { "vkCmdNextSubpass" },
                if ends { "vkCmdEndRenderPass" } else { "vkCmdNextSubpass" },
            ],
            edges: [self.begin(subpass, views), end],
        })
    }

    /// Returns the dependencies on a subpass, and the layout transitions before it.
    fn begin(&self, subpass: usize, views: &[ImageView]) -> Edge {
        let number = subpass as u32;
        let into = |d: &&SubpassDependency| d.dst == Some(number) && d.src != d.dst;
        let named: Vec<_> = self.dependencies.iter().filter(into).collect();
        let mut edge = Edge { dependencies: named.iter().map(|d| d.event()).collect(), ..Edge::default() };
        let of = |src: Option<u32>| -> Box<[usize]> {
            named.iter().enumerate().filter(|(_, d)| d.src == src).map(|(i, _)| i).collect()
        };
        let mut implicit = None;
        for &(a, layout) in self.layouts.get(subpass).into_iter().flatten() {
            let Some(view) = views.get(a as usize) else { continue };
            let (before, src) = match self.last(0..subpass, a) {
                Some((s, layout)) => (layout, Some(s as u32)),
                None => (self.attachments.get(a as usize).map_or(layout, |a| a.layouts[0]), None),
            };
            edge.layouts.extend(AttachmentLayout::of_pass(view, before, layout));
            if before == layout {
                continue;
            }
            let mut between = of(src);
            if between.is_empty() && src.is_some() {
                between = (0..named.len()).collect();
            }
            if between.is_empty() {
                let at = *implicit.get_or_insert_with(|| {
                    edge.dependencies.push(Dependency {
                        first: First::BeforePass,
                        second: Second::Subpass(number),
                        dst_stages: ALL_COMMANDS,
                        dst_access: ATTACHMENT_ACCESS,
                        ..Dependency::default()
                    });
                    edge.dependencies.len() - 1
                });
                between = [at].into();
            }
            edge.transitions.push((view.clone(), between));
        }
        edge
    }

    /// Returns the dependencies after the last subpass, and the transitions to the final layouts.
    fn end(&self, views: &[ImageView]) -> Edge {
        let named: Vec<_> = self.dependencies.iter().filter(|d| d.dst.is_none() && d.src.is_some()).collect();
        let mut edge = Edge { dependencies: named.iter().map(|d| d.event()).collect(), ..Edge::default() };
        for (a, (order, view)) in self.attachments.iter().zip(views).enumerate() {
            let Some((subpass, layout)) = self.last(0..self.layouts.len(), a as u32) else { continue };
            edge.layouts.extend(AttachmentLayout::of_pass(view, layout, order.layouts[1]));
            if order.layouts[1] == layout {
                continue;
            }
            let number = Some(subpass as u32);
            let of = named.iter().enumerate().filter(|(_, d)| d.src == number).map(|(i, _)| i);
            let mut between: Box<[usize]> = of.collect();
            if between.is_empty() {
                edge.dependencies.push(Dependency {
                    first: First::Subpass(subpass as u32),
                    second: Second::BehindPass,
                    src_stages: ALL_COMMANDS,
                    src_access: ATTACHMENT_ACCESS,
                    ..Dependency::default()
                });
                between = [edge.dependencies.len() - 1].into();
            }
            edge.transitions.push((view.clone(), between));
        }
        edge
    }
}

impl SubpassDependency {
    fn event(&self) -> Dependency {
        Dependency {
            first: self.src.map_or(First::BeforePass, First::Subpass),
            src_stages: self.src_stages,
            src_access: self.src_access,
            second: self.dst.map_or(Second::BehindPass, Second::Subpass),
            dst_stages: self.dst_stages,
            dst_access: self.dst_access,
            of: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use quadrille_raster::format::Format;

    use super::*;
    use crate::device::{Device, DeviceOptions};
    use crate::flags::ImageUsage;
    use crate::resource::image::{ImageDesc, ImageViewDesc};

    /// Stencil may be in another layout than depth before and in a render pass. Spec: Vulkan,
    /// VkAttachmentDescriptionStencilLayout, VkAttachmentReferenceStencilLayout.
    #[test]
    fn stencil_has_layouts_of_its_own() {
        use LayoutChange::{Becomes, Begins, Unknown};
        const GENERAL: i32 = 1;
        let device = Device::new(DeviceOptions { threads: 1, ..DeviceOptions::default() }).unwrap();
        let format = Format::D32_SFLOAT_S8_UINT;
        let desc = ImageDesc::new_2d(format, 4, 4, ImageUsage::DEPTH_STENCIL_ATTACHMENT);
        let image = device.create_bound_image(desc).unwrap();
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(format)).unwrap();
        let changes = |old, new| -> Vec<_> {
            AttachmentLayout::of_pass(&view, old, new).map(|l| (l.aspects, l.change)).collect()
        };
        let [alone, read_only] = DEPTH_ALONE;
        let (depth, stencil) = (Aspects::DEPTH, Aspects::STENCIL);
        assert_eq!(changes(3, GENERAL), [(Aspects::DEPTH_STENCIL, Becomes(3, GENERAL))]);
        let expected = [(depth, Becomes(alone, GENERAL)), (stencil, Begins(GENERAL))];
        assert_eq!(changes(alone, GENERAL), expected);
        assert_eq!(changes(GENERAL, alone), [(depth, Becomes(GENERAL, alone)), (stencil, Unknown)]);
        assert_eq!(changes(alone, read_only), [(depth, Becomes(alone, read_only)), (stencil, Unknown)]);
    }
}
