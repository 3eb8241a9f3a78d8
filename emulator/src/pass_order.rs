//! What orders the subpasses of a render pass, and what its attachments go through, for those who watch the device.
//!
//! Here nothing depends on it: subpasses run one after the other. Spec: Vulkan, "Subpass Dependencies", "Render Pass Load
//! and Store Operations".

use std::sync::Arc;

use quadrille_jit::interp::events::{Dependency, First, Second};

use crate::image::ImageView;

/// A dependency between subpasses; `None` is what comes before or behind the render pass.
/// Spec: Vulkan, VkSubpassDependency2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubpassDependency {
    /// Whose commands must be done,
    pub src: Option<u32>,
    /// whose commands wait.
    pub dst: Option<u32>,
    /// Stages and accesses of both: the numbers are those of VkPipelineStageFlagBits2 and VkAccessFlagBits2.
    pub src_stages: u64,
    /// Likewise.
    pub src_access: u64,
    /// Likewise.
    pub dst_stages: u64,
    /// Likewise.
    pub dst_access: u64,
}

/// Which operations of its attachment a scope does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentUse {
    /// The load operation accesses it.
    pub loads: bool,
    /// The store operation does.
    pub stores: bool,
}

/// What an attachment of a render pass goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentOrder {
    /// Layouts before and after: the numbers are those of VkImageLayout.
    pub layouts: [i32; 2],
    /// Operations on colour or depth, and on stencil.
    pub uses: [AttachmentUse; 2],
}

/// What orders the subpasses of a render pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassOrder {
    /// Dependencies.
    pub dependencies: Vec<SubpassDependency>,
    /// What each attachment goes through.
    pub attachments: Vec<AttachmentOrder>,
    /// By subpass: the attachments that it uses, with their layouts there.
    pub layouts: Vec<Vec<(u32, i32)>>,
}

/// Dependencies at the beginning or the end of a scope, and attachments that get another layout between the halves of those
/// with these numbers.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) transitions: Vec<(ImageView, Box<[usize]>)>,
}

/// What those who watch are told of a rendering scope besides what it renders to.
#[derive(Clone, Debug)]
pub struct ScopeOrder {
    /// Operations of colour attachments by location, then of depth and stencil; those past the end do both.
    pub uses: Vec<AttachmentUse>,
    /// Another scope goes on with it. Spec: VK_RENDERING_SUSPENDING_BIT.
    pub suspends: bool,
    pub(crate) subpass: u32,
    /// It begins or ends a render pass instance.
    pub(crate) bounds: [bool; 2],
    /// The commands that begin and end it.
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
    /// Of dynamic rendering, with operations of colour attachments by location, then of depth and stencil.
    pub fn of_rendering(uses: Vec<AttachmentUse>, suspends: bool) -> ScopeOrder {
        ScopeOrder { uses, suspends, ..ScopeOrder::default() }
    }

    /// Operations of an attachment.
    pub(crate) fn uses(&self, number: usize) -> AttachmentUse {
        self.uses.get(number).copied().unwrap_or(AttachmentUse { loads: true, stores: true })
    }

    /// Goes before the same scope, of which it does the load operations of some attachments.
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

/// All accesses to attachments, and those that write: of the dependencies that there are where none is named.
const ATTACHMENT_ACCESS: u64 = 1 << 4 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10;
const ALL_COMMANDS: u64 = 1 << 16;

/// Layouts in which attachments are only read: the numbers are those of VkImageLayout.
const READ_ONLY: [i32; 4] = [4, 1_000_241_001, 1_000_241_003, 1_000_314_000];

/// Whether attachments are only read in a layout.
pub fn is_read_only(layout: i32) -> bool {
    READ_ONLY.contains(&layout)
}

impl PassOrder {
    fn layout_in(&self, subpass: usize, attachment: u32) -> Option<i32> {
        let used = self.layouts.get(subpass)?.iter().find(|(a, _)| *a == attachment);
        used.map(|(_, layout)| *layout)
    }

    /// The last subpass of a range that uses an attachment, with its layout there.
    fn last(&self, mut subpasses: std::ops::Range<usize>, attachment: u32) -> Option<(usize, i32)> {
        subpasses.rfind(|s| self.layout_in(*s, attachment).is_some()).and_then(|s| {
            let layout = self.layout_in(s, attachment)?;
            Some((s, layout))
        })
    }

    /// Of subpass number `subpass`, which renders to these attachments, all of them with these views.
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

    /// Before a subpass: dependencies on it, and layouts that change for it.
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

    /// Behind the last subpass: dependencies of what follows, and layouts that change at last.
    fn end(&self, views: &[ImageView]) -> Edge {
        let named: Vec<_> = self.dependencies.iter().filter(|d| d.dst.is_none() && d.src.is_some()).collect();
        let mut edge = Edge { dependencies: named.iter().map(|d| d.event()).collect(), ..Edge::default() };
        for (a, (order, view)) in self.attachments.iter().zip(views).enumerate() {
            let Some((subpass, layout)) = self.last(0..self.layouts.len(), a as u32) else { continue };
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
