//! Render passes, framebuffers and dynamic rendering.
//!
//! A render pass is recorded as one rendering scope per subpass: the first subpass that uses an
//! attachment applies its load operation, later ones load what is there. Attachments are in memory
//! after each scope, so that input attachments are ordinary images.

use std::sync::Arc;

use quadrille_raster::format::Format;
use quadrille_raster::pass::{LoadOp, ResolveMode, StoreOp};
use quadrille_raster::state::Rect;

use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::image::ImageView;
use crate::limits::{LIMITS, at_most};
use crate::object::{objects, same_device};
use crate::pass_order::{PassOrder, ScopeOrder};

/// What happens to an attachment's contents when a render pass begins. Spec: VkAttachmentLoadOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttachmentLoad {
    /// They are kept.
    #[default]
    Load,
    /// They are set to the clear value that the render pass begins with.
    Clear,
    /// Anything; here: they are kept.
    DontCare,
}

/// An attachment of a render pass. Spec: Vulkan, VkAttachmentDescription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentDesc {
    /// Format.
    pub format: Format,
    /// Samples.
    pub samples: u32,
    /// Colour or depth at the beginning.
    pub load: AttachmentLoad,
    /// Stencil at the beginning.
    pub stencil_load: AttachmentLoad,
}

/// A subpass. Attachments are given by number. Spec: Vulkan, VkSubpassDescription.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubpassDesc {
    /// Input attachments (bound as descriptors too).
    pub inputs: Vec<Option<u32>>,
    /// Colour attachments.
    pub colors: Vec<Option<u32>>,
    /// What they are resolved to: none, or one per colour attachment.
    pub resolves: Vec<Option<u32>>,
    /// Depth and stencil attachment.
    pub depth_stencil: Option<u32>,
    /// What it is resolved to.
    pub depth_stencil_resolve: Option<u32>,
    /// How depth and stencil are resolved; `None` is not at all.
    pub depth_stencil_modes: [Option<ResolveMode>; 2],
    /// Views rendered at once, one per bit; 0 for none.
    pub view_mask: u32,
    /// Samples that attachments with one sample are rendered to with; 0 for that one.
    /// Spec: VkMultisampledRenderToSingleSampledInfoEXT.
    pub single_sampled_as: u32,
    /// The attachment that says the size of fragments, and the width and height in pixels of what a texel is for.
    /// Spec: VkFragmentShadingRateAttachmentInfoKHR.
    pub shading_rate: Option<(u32, [u32; 2])>,
}

/// What a render pass is. Dependencies and layouts have no meaning here, where the queue keeps order: see [`PassOrder`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderPassDesc {
    /// Attachments.
    pub attachments: Vec<AttachmentDesc>,
    /// Subpasses, at least one.
    pub subpasses: Vec<SubpassDesc>,
}

/// Formats that a pipeline for a subpass renders to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetFormats {
    /// Colour attachments.
    pub colors: Vec<Option<Format>>,
    /// Depth.
    pub depth: Option<Format>,
    /// Stencil.
    pub stencil: Option<Format>,
    /// Samples; 0 without attachments.
    pub samples: u32,
    /// Views.
    pub view_mask: u32,
}

/// A render pass. Spec: Vulkan, "Render Pass".
#[derive(Clone, Debug)]
pub struct RenderPass {
    /// Number of the device.
    device: u64,
    desc: Arc<RenderPassDesc>,
    /// What orders its subpasses, for those who watch.
    order: Option<Arc<PassOrder>>,
}

objects! {
    RenderPass: "render pass" = |p| Some(p.device);
    Framebuffer: "framebuffer" = |f| Some(f.device);
}

impl RenderPass {
    pub(crate) fn new(device: &Device, desc: &RenderPassDesc, order: Option<PassOrder>) -> Result<Self> {
        ensure(!desc.subpasses.is_empty(), || "a render pass without subpasses".into())?;
        for subpass in &desc.subpasses {
            at_most("colour attachments", subpass.colors.len() as u64, LIMITS.max_color_attachments.into())?;
            ensure([0, subpass.colors.len()].contains(&subpass.resolves.len()), || {
                "resolve attachments: none, or one per colour attachment".into()
            })?;
            let all = subpass.inputs.iter().chain(&subpass.colors).chain(&subpass.resolves);
            let others = [subpass.depth_stencil, subpass.depth_stencil_resolve, subpass.rate_attachment()];
            for a in all.flatten().chain(others.iter().flatten()) {
                ensure((*a as usize) < desc.attachments.len(), || {
                    format!("attachment {a} of {}", desc.attachments.len())
                })?;
            }
        }
        Ok(RenderPass { device: device.id(), desc: Arc::new(desc.clone()), order: order.map(Arc::new) })
    }

    /// What it is.
    pub fn desc(&self) -> &RenderPassDesc {
        &self.desc
    }

    /// What those who watch are told of a subpass, if it is known what orders it.
    pub(crate) fn order(&self, index: u32, views: &[ImageView]) -> Option<Arc<ScopeOrder>> {
        let subpass = self.desc.subpasses.get(index as usize)?;
        let order = self.order.as_ref()?;
        Some(order.scope(index as usize, (&subpass.colors, subpass.depth_stencil), views))
    }

    /// Whether it is known what orders its subpasses.
    pub(crate) fn has_order(&self) -> bool {
        self.order.is_some()
    }

    /// What a pipeline for subpass `index` renders to.
    pub fn formats(&self, index: u32) -> Result<TargetFormats> {
        let subpass = self.subpass(index)?;
        let attachment = |a: &Option<u32>| a.map(|a| self.desc.attachments[a as usize]);
        let mut used = subpass.colors.iter().chain([&subpass.depth_stencil]).filter_map(attachment);
        let depth_stencil = attachment(&subpass.depth_stencil).map(|a| a.format);
        let has = |aspect| depth_stencil.filter(|f| f.aspects().contains(aspect));
        Ok(TargetFormats {
            samples: match subpass.single_sampled_as {
                0 => used.next().map_or(0, |a| a.samples),
                samples => samples,
            },
            colors: subpass.colors.iter().map(|c| attachment(c).map(|a| a.format)).collect(),
            depth: has(quadrille_raster::format::Aspects::DEPTH),
            stencil: has(quadrille_raster::format::Aspects::STENCIL),
            view_mask: subpass.view_mask,
        })
    }

    fn subpass(&self, index: u32) -> Result<&SubpassDesc> {
        let found = self.desc.subpasses.get(index as usize);
        found.ok_or_else(|| Error::invalid(format!("subpass {index} of {}", self.desc.subpasses.len())))
    }

    /// The rendering scope of a subpass; `clears` by attachment, as bits of R, G, B, A, or of depth and
    /// stencil.
    pub(crate) fn scope(
        &self,
        index: u32,
        views: &[ImageView],
        layers: u32,
        area: Rect,
        clears: &[[u32; 4]],
    ) -> Result<RenderingInfo> {
        let subpass = self.subpass(index)?;
        // Subpasses that have loaded an attachment: their views, and whether there are any.
        let earlier = |a: u32| {
            let users = self.desc.subpasses[..index as usize].iter().filter(move |s| s.uses(a));
            users.fold((0, false), |(views, _), s| (views | s.view_mask, true))
        };
        let load_op = |a: u32, load: AttachmentLoad, value: [u32; 4]| {
            let (views, used) = earlier(a);
            let left = subpass.view_mask & !views != 0 || !used;
            match load {
                AttachmentLoad::Clear if left => LoadOp::Clear(value),
                AttachmentLoad::DontCare if left => LoadOp::DontCare,
                _ => LoadOp::Load,
            }
        };
        let view = |a: u32| {
            let view = views.get(a as usize).cloned();
            view.ok_or_else(|| Error::invalid(format!("the framebuffer lacks attachment {a}")))
        };
        let clear = |a: u32| clears.get(a as usize).copied().unwrap_or([0; 4]);
        let mut info = RenderingInfo {
            area,
            layers,
            view_mask: subpass.view_mask,
            single_sampled_as: subpass.single_sampled_as,
            ..Default::default()
        };
        if let Some((a, texel_px)) = subpass.shading_rate {
            info.shading_rate = Some(ShadingRateAttachment { view: view(a)?, texel_px });
        }
        for (i, color) in subpass.colors.iter().enumerate() {
            let Some(a) = *color else {
                info.colors.push(None);
                continue;
            };
            let resolve = subpass.resolves.get(i).copied().flatten();
            info.colors.push(Some(RenderingAttachment {
                view: view(a)?,
                load: load_op(a, self.desc.attachments[a as usize].load, clear(a)),
                store: StoreOp::Store,
                resolve: resolve.map(view).transpose()?,
                resolve_mode: ResolveMode::Average,
                loaded_views: earlier(a).0,
            }));
        }
        if let Some(a) = subpass.depth_stencil {
            let desc = self.desc.attachments[a as usize];
            let [depth, stencil, ..] = clear(a);
            let make = |load, value, mode: Option<ResolveMode>| -> Result<_> {
                let load = load_op(a, load, value);
                let resolve = subpass.depth_stencil_resolve.filter(|_| mode.is_some());
                let kept = mode.is_some() || subpass.single_sampled_as == 0;
                Ok(RenderingAttachment {
                    view: view(a)?,
                    load,
                    store: if kept { StoreOp::Store } else { StoreOp::DontCare },
                    resolve: resolve.map(view).transpose()?,
                    resolve_mode: mode.unwrap_or_default(),
                    loaded_views: earlier(a).0,
                })
            };
            let aspects = desc.format.aspects();
            let [depth_mode, stencil_mode] = subpass.depth_stencil_modes;
            if aspects.contains(quadrille_raster::format::Aspects::DEPTH) {
                info.depth = Some(make(desc.load, [depth, 0, 0, 0], depth_mode)?);
            }
            if aspects.contains(quadrille_raster::format::Aspects::STENCIL) {
                info.stencil = Some(make(desc.stencil_load, [stencil, 0, 0, 0], stencil_mode)?);
            }
        }
        Ok(info)
    }

    /// Scopes without draws that come before a subpass: load operations of attachments that it is the
    /// first to use, but does not render to.
    pub(crate) fn loads(
        &self,
        index: u32,
        views: &[ImageView],
        layers: u32,
        area: Rect,
        clears: &[[u32; 4]],
    ) -> Result<Vec<RenderingInfo>> {
        let subpass = self.subpass(index)?;
        let own = |a: &u32| subpass.colors.contains(&Some(*a)) || subpass.depth_stencil == Some(*a);
        let read = subpass.inputs.iter().chain(&subpass.resolves).copied();
        let read = read.chain([subpass.depth_stencil_resolve, subpass.rate_attachment()]);
        let mut used: Vec<u32> = read.flatten().filter(|a| !own(a)).collect();
        used.sort_unstable();
        used.dedup();
        // A render pass of one subpass each, which does nothing but to load.
        let mut out = Vec::new();
        for a in used {
            let desc = self.desc.attachments[a as usize];
            let clears_any = [desc.load, desc.stencil_load].contains(&AttachmentLoad::Clear);
            let before = &self.desc.subpasses[..index as usize];
            if !clears_any || before.iter().any(|s| s.view_mask == subpass.view_mask && s.uses(a)) {
                continue;
            }
            let depth_stencil = desc.format.is_depth_stencil();
            let only = SubpassDesc {
                colors: if depth_stencil { Vec::new() } else { vec![Some(a)] },
                depth_stencil: depth_stencil.then_some(a),
                view_mask: subpass.view_mask,
                ..SubpassDesc::default()
            };
            let mut subpasses = before.to_vec();
            subpasses.push(only);
            let pass = RenderPassDesc { attachments: self.desc.attachments.clone(), subpasses };
            let pass = RenderPass { device: self.device, desc: Arc::new(pass), order: None };
            out.push(pass.scope(index, views, layers, area, clears)?);
        }
        Ok(out)
    }
}

impl SubpassDesc {
    /// Whether an attachment is used in any way.
    fn uses(&self, a: u32) -> bool {
        let all = self.inputs.iter().chain(&self.colors).chain(&self.resolves);
        let others = [self.depth_stencil, self.depth_stencil_resolve, self.rate_attachment()];
        all.chain(&others).flatten().any(|used| *used == a)
    }

    /// The attachment that says the size of fragments.
    fn rate_attachment(&self) -> Option<u32> {
        self.shading_rate.map(|(a, _)| a)
    }
}

/// What a framebuffer is.
#[derive(Clone, Debug)]
pub struct FramebufferDesc {
    /// One view per attachment; empty for imageless framebuffers, whose views are given when the render
    /// pass begins.
    pub views: Vec<ImageView>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Layers.
    pub layers: u32,
}

/// Views that a render pass renders to. Spec: Vulkan, "Framebuffers".
#[derive(Clone, Debug)]
pub struct Framebuffer {
    /// Number of the device.
    device: u64,
    desc: Arc<FramebufferDesc>,
}

impl Framebuffer {
    pub(crate) fn new(device: &Device, desc: &FramebufferDesc) -> Result<Self> {
        desc.views.iter().try_for_each(|view| same_device(view, device))?;
        let size = u64::from(desc.width.max(desc.height));
        at_most("framebuffer size", size, LIMITS.max_framebuffer_size.into())?;
        at_most("framebuffer layers", desc.layers.into(), LIMITS.max_framebuffer_layers.into())?;
        Ok(Framebuffer { device: device.id(), desc: Arc::new(desc.clone()) })
    }

    /// What it is.
    pub fn desc(&self) -> &FramebufferDesc {
        &self.desc
    }
}

/// An attachment of a rendering scope. Spec: Vulkan, VkRenderingAttachmentInfo.
#[derive(Clone, Debug)]
pub struct RenderingAttachment {
    /// Where to render.
    pub view: ImageView,
    /// What it holds at the beginning: for `Clear` bits of R, G, B, A as the format's numeric type wants
    /// them (depth: bits of the `f32` in R; stencil: the value in R).
    pub load: LoadOp,
    /// What becomes of it.
    pub store: StoreOp,
    /// What the samples are resolved to.
    pub resolve: Option<ImageView>,
    /// How.
    pub resolve_mode: ResolveMode,
    /// Views, one per bit, that keep what is there whatever `load` says: an earlier subpass has loaded
    /// them.
    pub loaded_views: u32,
}

impl RenderingAttachment {
    /// Keeps what is there.
    pub fn load(view: &ImageView) -> Self {
        RenderingAttachment {
            view: view.clone(),
            load: LoadOp::Load,
            store: StoreOp::Store,
            resolve: None,
            resolve_mode: ResolveMode::Average,
            loaded_views: 0,
        }
    }

    /// Clears a colour attachment of a float or normalized format.
    pub fn clear(view: &ImageView, color: [f32; 4]) -> Self {
        RenderingAttachment { load: LoadOp::Clear(color.map(f32::to_bits)), ..Self::load(view) }
    }

    /// Clears a depth attachment.
    pub fn clear_depth(view: &ImageView, depth: f32) -> Self {
        RenderingAttachment { load: LoadOp::Clear([depth.to_bits(), 0, 0, 0]), ..Self::load(view) }
    }

    /// Clears a stencil attachment.
    pub fn clear_stencil(view: &ImageView, stencil: u32) -> Self {
        RenderingAttachment { load: LoadOp::Clear([stencil, 0, 0, 0]), ..Self::load(view) }
    }
}

/// An image that says the size of fragments: texels as in VkFragmentShadingRateAttachmentInfoKHR.
#[derive(Clone, Debug)]
pub struct ShadingRateAttachment {
    /// Of format R8_UINT.
    pub view: ImageView,
    /// Width and height in pixels of what a texel is for: powers of two from 8 on.
    pub texel_px: [u32; 2],
}

/// A rendering scope. Spec: Vulkan, VkRenderingInfo.
#[derive(Clone, Debug, Default)]
pub struct RenderingInfo {
    /// Pixels that may be touched.
    pub area: Rect,
    /// Layers; 0 counts as 1.
    pub layers: u32,
    /// Views rendered at once, one per bit; 0 for none.
    pub view_mask: u32,
    /// Colour attachments, by location.
    pub colors: Vec<Option<RenderingAttachment>>,
    /// Depth attachment.
    pub depth: Option<RenderingAttachment>,
    /// Stencil attachment.
    pub stencil: Option<RenderingAttachment>,
    /// Samples that attachments with one sample are rendered to with; 0 for that one. Each sample begins as the
    /// texel; what is stored is resolved by the attachment's mode.
    /// Spec: VkMultisampledRenderToSingleSampledInfoEXT.
    pub single_sampled_as: u32,
    /// Says the size of fragments.
    pub shading_rate: Option<ShadingRateAttachment>,
    /// It goes on with a scope that was suspended: nothing is loaded. Spec: VK_RENDERING_RESUMING_BIT.
    pub resuming: bool,
    /// For those who watch: see [`Device::keeps_notes`].
    pub order: Option<Arc<ScopeOrder>>,
}

impl RenderingInfo {
    /// All of a picture of this size, with one colour attachment.
    pub fn of_color(width: u32, height: u32, color: RenderingAttachment) -> Self {
        let area = Rect::of_size(width, height);
        RenderingInfo { area, layers: 1, colors: vec![Some(color)], ..RenderingInfo::default() }
    }

    /// What a pipeline for it renders to.
    pub(crate) fn formats(&self) -> TargetFormats {
        let format = |a: &Option<RenderingAttachment>| a.as_ref().map(|a| a.view.desc().format);
        TargetFormats {
            colors: self.colors.iter().map(format).collect(),
            depth: format(&self.depth),
            stencil: format(&self.stencil),
            samples: 0,
            view_mask: self.view_mask,
        }
    }

    /// Every view that is rendered or resolved to.
    pub(crate) fn views(&self) -> impl Iterator<Item = &ImageView> {
        let attachments = self.colors.iter().chain([&self.depth, &self.stencil]).flatten();
        let rendered = attachments.flat_map(|a| [Some(&a.view), a.resolve.as_ref()]).flatten();
        rendered.chain(self.shading_rate.as_ref().map(|a| &a.view))
    }
}
