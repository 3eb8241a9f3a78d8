//! Render passes, framebuffers and dynamic rendering.
//!
//! A render pass is recorded as one rendering scope per subpass: the first subpass that uses an attachment applies the
//! load operation, and later subpasses keep the contents. Attachments are in memory after each scope, so that input
//! attachments are ordinary images.
//!
//! `order` tells the watcher of a device about dependencies between subpasses. `command` records render passes.

pub mod order;

use std::sync::Arc;

use quadrille_raster::format::{Aspects, Format};
use quadrille_raster::pass::{DensityMap, LoadOp, ResolveMode, StoreOp, density_texel_px};
use quadrille_raster::state::Rect;

use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::limits::{LIMITS, at_most};
use crate::object::{objects, same_device};
use crate::resource::image::ImageView;
use order::{PassOrder, ScopeOrder};

/// Load operation: initial contents of an attachment in a render pass. Spec: VkAttachmentLoadOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttachmentLoad {
    /// Contents are kept.
    #[default]
    Load,
    /// Contents are set to the clear value of the render pass instance.
    Clear,
    /// Contents are unspecified; this device keeps them.
    DontCare,
}

/// An attachment of a render pass. Spec: Vulkan, VkAttachmentDescription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentDesc {
    /// Format.
    pub format: Format,
    /// Sample count.
    pub samples: u32,
    /// Load operation of colour or depth.
    pub load: AttachmentLoad,
    /// Load operation of stencil.
    pub stencil_load: AttachmentLoad,
}

/// A subpass, with attachments given by index. Spec: Vulkan, VkSubpassDescription.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubpassDesc {
    /// Input attachments, which are also bound as descriptors.
    pub inputs: Vec<Option<u32>>,
    /// Colour attachments.
    pub colors: Vec<Option<u32>>,
    /// Resolve attachments: none, or one per colour attachment.
    pub resolves: Vec<Option<u32>>,
    /// Depth and stencil attachment.
    pub depth_stencil: Option<u32>,
    /// Depth and stencil resolve attachment.
    pub depth_stencil_resolve: Option<u32>,
    /// Resolve modes of depth and of stencil; `None` does not resolve.
    pub depth_stencil_modes: [Option<ResolveMode>; 2],
    /// Views rendered at once, one bit each; 0 without multiview.
    pub view_mask: u32,
    /// Sample count of rendering to attachments with one sample; 0 renders with one sample. Spec:
    /// VkMultisampledRenderToSingleSampledInfoEXT.
    pub single_sampled_as: u32,
    /// Fragment shading rate attachment, and the width and height in pixels that one of its texels covers. Spec:
    /// VkFragmentShadingRateAttachmentInfoKHR.
    pub shading_rate: Option<(u32, [u32; 2])>,
}

/// Creation parameters of a render pass. Dependencies and layouts have no effect, because the queue keeps order: see
/// [`PassOrder`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderPassDesc {
    /// Attachments.
    pub attachments: Vec<AttachmentDesc>,
    /// Subpasses, at least one.
    pub subpasses: Vec<SubpassDesc>,
    /// Fragment density map of all subpasses. Spec: VkRenderPassFragmentDensityMapCreateInfoEXT.
    pub density_map: Option<u32>,
    /// `true` if each layer of the framebuffer has its own layer of the fragment density map. Spec:
    /// VK_VALVE_fragment_density_map_layered.
    pub density_by_layer: bool,
}

/// Attachment formats that a pipeline for a subpass renders to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetFormats {
    /// Formats of the colour attachments.
    pub colors: Vec<Option<Format>>,
    /// Format of the depth attachment.
    pub depth: Option<Format>,
    /// Format of the stencil attachment.
    pub stencil: Option<Format>,
    /// Sample count; 0 without attachments.
    pub samples: u32,
    /// Views rendered at once, one bit each; 0 without multiview.
    pub view_mask: u32,
}

/// A render pass. Spec: Vulkan, "Render Pass".
#[derive(Clone, Debug)]
pub struct RenderPass {
    /// Number that identifies the device.
    device: u64,
    desc: Arc<RenderPassDesc>,
    /// Order of the subpasses, for the device's watcher.
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
            let own = [subpass.depth_stencil, subpass.depth_stencil_resolve, subpass.rate_attachment()];
            let others = own.into_iter().chain([desc.density_map]).collect::<Vec<_>>();
            for a in all.flatten().chain(others.iter().flatten()) {
                ensure((*a as usize) < desc.attachments.len(), || {
                    format!("attachment {a} of {}", desc.attachments.len())
                })?;
            }
        }
        Ok(RenderPass { device: device.id(), desc: Arc::new(desc.clone()), order: order.map(Arc::new) })
    }

    /// Creation parameters of the render pass.
    pub fn desc(&self) -> &RenderPassDesc {
        &self.desc
    }

    /// Returns the order of a subpass for the device's watcher, if it is known.
    pub(crate) fn order(&self, index: u32, views: &[ImageView]) -> Option<Arc<ScopeOrder>> {
        let subpass = self.desc.subpasses.get(index as usize)?;
        let order = self.order.as_ref()?;
        Some(order.scope(index as usize, (&subpass.colors, subpass.depth_stencil), views))
    }

    /// `true` if the order of the subpasses is known.
    pub(crate) fn has_order(&self) -> bool {
        self.order.is_some()
    }

    /// Returns the formats that a pipeline for subpass `index` renders to.
    ///
    /// # Errors
    /// `Invalid` if the render pass has no such subpass.
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
            depth: has(Aspects::DEPTH),
            stencil: has(Aspects::STENCIL),
            view_mask: subpass.view_mask,
        })
    }

    fn subpass(&self, index: u32) -> Result<&SubpassDesc> {
        let found = self.desc.subpasses.get(index as usize);
        found.ok_or_else(|| Error::invalid(format!("subpass {index} of {}", self.desc.subpasses.len())))
    }

    /// Returns the rendering scope of a subpass. `clears` has the clear value of each attachment, as bits of R, G, B,
    /// A, or of depth and stencil.
    pub(crate) fn scope(
        &self,
        index: u32,
        views: &[ImageView],
        layers: u32,
        area: Rect,
        clears: &[[u32; 4]],
    ) -> Result<RenderingInfo> {
        let subpass = self.subpass(index)?;
        let before = &self.desc.subpasses[..index as usize];
        let scoped = Scoped { attachments: &self.desc.attachments, before, subpass, views, clears };
        let mut info = RenderingInfo {
            area,
            layers,
            view_mask: subpass.view_mask,
            single_sampled_as: subpass.single_sampled_as,
            ..Default::default()
        };
        if let Some((a, texel_px)) = subpass.shading_rate {
            info.shading_rate = Some(ShadingRateAttachment { view: scoped.view(a)?, texel_px });
        }
        for (i, color) in subpass.colors.iter().enumerate() {
            info.colors.push(color.map(|a| scoped.color(i, a)).transpose()?);
        }
        if let Some(a) = subpass.depth_stencil {
            let desc = self.desc.attachments[a as usize];
            let [depth, stencil, ..] = scoped.clear(a);
            let aspects = desc.format.aspects();
            let [depth_mode, stencil_mode] = subpass.depth_stencil_modes;
            if aspects.contains(Aspects::DEPTH) {
                info.depth = Some(scoped.depth_stencil(a, desc.load, [depth, 0, 0, 0], depth_mode)?);
            }
            if aspects.contains(Aspects::STENCIL) {
                let load = desc.stencil_load;
                info.stencil = Some(scoped.depth_stencil(a, load, [stencil, 0, 0, 0], stencil_mode)?);
            }
        }
        Ok(info)
    }

    /// Returns the fragment density map of the subpasses in a framebuffer of this width and height.
    pub(crate) fn density_map(
        &self,
        views: &[ImageView],
        framebuffer: [u32; 2],
    ) -> Result<Option<DensityMapAttachment>> {
        let Some(a) = self.desc.density_map else { return Ok(None) };
        let view = views.get(a as usize).cloned();
        let view = view.ok_or_else(|| Error::invalid(format!("the framebuffer lacks attachment {a}")))?;
        let by_layer = self.desc.density_by_layer;
        Ok(Some(DensityMapAttachment { view, framebuffer, by_layer, offsets: Vec::new() }))
    }

    /// Returns scopes without draws that run before a subpass: load operations of attachments that the subpass is the
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
        // Each attachment is loaded by a render pass whose last subpass only loads.
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
            let attachments = self.desc.attachments.clone();
            let pass = RenderPassDesc { attachments, subpasses, density_map: None, density_by_layer: false };
            let pass = RenderPass { device: self.device, desc: Arc::new(pass), order: None };
            out.push(pass.scope(index, views, layers, area, clears)?);
        }
        Ok(out)
    }
}

/// A subpass that becomes a rendering scope.
struct Scoped<'a> {
    attachments: &'a [AttachmentDesc],
    /// Subpasses before it.
    before: &'a [SubpassDesc],
    subpass: &'a SubpassDesc,
    /// Views of the framebuffer.
    views: &'a [ImageView],
    /// Clear value of each attachment.
    clears: &'a [[u32; 4]],
}

impl Scoped<'_> {
    /// The union of the views in which earlier subpasses use attachment `a`, and `true` if any does.
    fn earlier(&self, a: u32) -> (u32, bool) {
        let users = self.before.iter().filter(|s| s.uses(a));
        users.fold((0, false), |(views, _), s| (views | s.view_mask, true))
    }

    fn load_op(&self, a: u32, load: AttachmentLoad, value: [u32; 4]) -> LoadOp {
        let (views, used) = self.earlier(a);
        let left = self.subpass.view_mask & !views != 0 || !used;
        match load {
            AttachmentLoad::Clear if left => LoadOp::Clear(value),
            AttachmentLoad::DontCare if left => LoadOp::DontCare,
            _ => LoadOp::Load,
        }
    }

    fn view(&self, a: u32) -> Result<ImageView> {
        let view = self.views.get(a as usize).cloned();
        view.ok_or_else(|| Error::invalid(format!("the framebuffer lacks attachment {a}")))
    }

    fn clear(&self, a: u32) -> [u32; 4] {
        self.clears.get(a as usize).copied().unwrap_or([0; 4])
    }

    /// Colour attachment `i` of the subpass, which is attachment `a`.
    fn color(&self, i: usize, a: u32) -> Result<RenderingAttachment> {
        let resolve = self.subpass.resolves.get(i).copied().flatten();
        Ok(RenderingAttachment {
            view: self.view(a)?,
            load: self.load_op(a, self.attachments[a as usize].load, self.clear(a)),
            store: StoreOp::Store,
            resolve: resolve.map(|a| self.view(a)).transpose()?,
            resolve_mode: ResolveMode::Average,
            loaded_views: self.earlier(a).0,
        })
    }

    /// The depth or the stencil of attachment `a`, with its load operation, clear value and resolve mode.
    fn depth_stencil(
        &self,
        a: u32,
        load: AttachmentLoad,
        value: [u32; 4],
        mode: Option<ResolveMode>,
    ) -> Result<RenderingAttachment> {
        let resolve = self.subpass.depth_stencil_resolve.filter(|_| mode.is_some());
        let kept = mode.is_some() || self.subpass.single_sampled_as == 0;
        Ok(RenderingAttachment {
            view: self.view(a)?,
            load: self.load_op(a, load, value),
            store: if kept { StoreOp::Store } else { StoreOp::DontCare },
            resolve: resolve.map(|a| self.view(a)).transpose()?,
            resolve_mode: mode.unwrap_or_default(),
            loaded_views: self.earlier(a).0,
        })
    }
}

impl SubpassDesc {
    /// `true` if the subpass uses an attachment in any way.
    fn uses(&self, a: u32) -> bool {
        let all = self.inputs.iter().chain(&self.colors).chain(&self.resolves);
        let others = [self.depth_stencil, self.depth_stencil_resolve, self.rate_attachment()];
        all.chain(&others).flatten().any(|used| *used == a)
    }

    /// Returns the fragment shading rate attachment.
    fn rate_attachment(&self) -> Option<u32> {
        self.shading_rate.map(|(a, _)| a)
    }
}

/// Creation parameters of a framebuffer.
#[derive(Clone, Debug)]
pub struct FramebufferDesc {
    /// One view per attachment; empty for imageless framebuffers, whose views are given when the render pass begins.
    pub views: Vec<ImageView>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Layers.
    pub layers: u32,
}

/// Image views that a render pass renders to. Spec: Vulkan, "Framebuffers".
#[derive(Clone, Debug)]
pub struct Framebuffer {
    /// Number that identifies the device.
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

    /// Creation parameters of the framebuffer.
    pub fn desc(&self) -> &FramebufferDesc {
        &self.desc
    }
}

/// An attachment of a rendering scope. Spec: Vulkan, VkRenderingAttachmentInfo.
#[derive(Clone, Debug)]
pub struct RenderingAttachment {
    /// View rendered to.
    pub view: ImageView,
    /// Load operation. The value of `Clear` has the bits of R, G, B, A in the numeric type of the format (depth: bits
    /// of the `f32` in R; stencil: the value in R).
    pub load: LoadOp,
    /// Store operation.
    pub store: StoreOp,
    /// View that the samples are resolved to.
    pub resolve: Option<ImageView>,
    /// Resolve mode.
    pub resolve_mode: ResolveMode,
    /// Views, one bit each, that keep their contents whatever `load` says, because an earlier subpass has loaded them.
    pub loaded_views: u32,
}

impl RenderingAttachment {
    /// Returns an attachment whose contents are kept.
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

    /// Returns a colour attachment of a float or normalized format that is cleared.
    pub fn clear(view: &ImageView, color: [f32; 4]) -> Self {
        RenderingAttachment { load: LoadOp::Clear(color.map(f32::to_bits)), ..Self::load(view) }
    }

    /// Returns a depth attachment that is cleared.
    pub fn clear_depth(view: &ImageView, depth: f32) -> Self {
        RenderingAttachment { load: LoadOp::Clear([depth.to_bits(), 0, 0, 0]), ..Self::load(view) }
    }

    /// Returns a stencil attachment that is cleared.
    pub fn clear_stencil(view: &ImageView, stencil: u32) -> Self {
        RenderingAttachment { load: LoadOp::Clear([stencil, 0, 0, 0]), ..Self::load(view) }
    }
}

/// A fragment shading rate attachment, with texels as in VkFragmentShadingRateAttachmentInfoKHR.
#[derive(Clone, Debug)]
pub struct ShadingRateAttachment {
    /// View of format R8_UINT.
    pub view: ImageView,
    /// Width and height in pixels that one texel covers: powers of two, at least 8.
    pub texel_px: [u32; 2],
}

/// A fragment density map. Fragments are no larger than the inverse of its densities, and have one set of samples.
/// Texels with a density of 0 request fragments of one pixel. Spec: Vulkan, "Fragment Density Map Operations".
#[derive(Clone, Debug)]
pub struct DensityMapAttachment {
    /// View of format R8G8_UNORM: the densities in x and in y. If it has several layers, each belongs to a view of
    /// multiview or, without multiview, to a layer of the framebuffer if `by_layer` is set.
    pub view: ImageView,
    /// Width and height of the framebuffer in pixels; in dynamic rendering, the end of the render area. They determine the
    /// region that a texel covers.
    pub framebuffer: [u32; 2],
    /// `true` if each layer of the framebuffer has its own layer of the map; otherwise, all use the first one. Spec:
    /// VK_RENDERING_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE.
    pub by_layer: bool,
    /// Offset of each layer of the map in pixels, a multiple of [`Limits::density_offset_granularity`]; missing offsets
    /// are 0. Spec: VkRenderPassFragmentDensityMapOffsetEndInfoEXT.
    ///
    /// [`Limits::density_offset_granularity`]: crate::limits::Limits::density_offset_granularity
    pub offsets: Vec<[i32; 2]>,
}

impl DensityMapAttachment {
    /// Returns the map as a pass of a view reads it.
    pub(crate) fn of_view(&self, view: Option<u32>) -> Result<DensityMap> {
        let desc = self.view.desc();
        let layer = view.filter(|_| desc.layers > 1).unwrap_or(0);
        let layers = if self.by_layer && view.is_none() { desc.layers } else { 1 };
        let target = self.view.target_layers(Aspects::COLOR, layer, layers)?;
        let (width, height) = (target.desc().width, target.desc().height);
        let [w, h] = self.framebuffer;
        Ok(DensityMap {
            target,
            swizzle: [desc.swizzle[0], desc.swizzle[1]],
            texel_px: [density_texel_px(w, width), density_texel_px(h, height)],
            framebuffer: self.framebuffer,
            offsets: self.offsets.iter().skip(layer as usize).take(layers as usize).copied().collect(),
        })
    }
}

/// A rendering scope. Spec: Vulkan, VkRenderingInfo.
#[derive(Clone, Debug, Default)]
pub struct RenderingInfo {
    /// Render area, in pixels.
    pub area: Rect,
    /// Number of layers; 0 counts as 1.
    pub layers: u32,
    /// Views rendered at once, one bit each; 0 without multiview.
    pub view_mask: u32,
    /// Colour attachments, by location.
    pub colors: Vec<Option<RenderingAttachment>>,
    /// Depth attachment.
    pub depth: Option<RenderingAttachment>,
    /// Stencil attachment.
    pub stencil: Option<RenderingAttachment>,
    /// Sample count of rendering to attachments with one sample; 0 renders with one sample. Each sample starts with the
    /// value of the texel; the samples are resolved by the attachment's resolve mode when it is stored. Spec:
    /// VkMultisampledRenderToSingleSampledInfoEXT.
    pub single_sampled_as: u32,
    /// Fragment shading rate attachment.
    pub shading_rate: Option<ShadingRateAttachment>,
    /// Fragment density map. With a map, fragment shading rates have no effect.
    pub density_map: Option<DensityMapAttachment>,
    /// Scope of the custom resolve that [`CommandBuffer::begin_custom_resolve`](crate::CommandBuffer::begin_custom_resolve)
    /// begins, if the scope has one. Spec: VK_EXT_custom_resolve.
    pub custom_resolve: Option<Box<RenderingInfo>>,
    /// `true` if the scope resumes a suspended one: load operations are skipped. Spec: VK_RENDERING_RESUMING_BIT.
    pub resuming: bool,
    /// Order of the scope, for the device's watcher: see [`Device::keeps_notes`].
    pub order: Option<Arc<ScopeOrder>>,
}

impl RenderingInfo {
    /// Returns a scope that covers an image of this size, with one colour attachment.
    pub fn of_color(width: u32, height: u32, color: RenderingAttachment) -> Self {
        let area = Rect::of_size(width, height);
        RenderingInfo { area, layers: 1, colors: vec![Some(color)], ..RenderingInfo::default() }
    }

    /// Returns the formats that a pipeline for the scope renders to.
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

    /// Returns every view that is rendered or resolved to.
    pub(crate) fn views(&self) -> impl Iterator<Item = &ImageView> {
        let attachments = self.colors.iter().chain([&self.depth, &self.stencil]).flatten();
        let rendered = attachments.flat_map(|a| [Some(&a.view), a.resolve.as_ref()]).flatten();
        let rates = self.shading_rate.as_ref().map(|a| &a.view);
        rendered.chain(rates).chain(self.density_map.as_ref().map(|a| &a.view))
    }
}
