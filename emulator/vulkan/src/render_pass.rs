//! Chapter "Render Pass": render pass objects and framebuffers. Commands are in `command_render`.

use ash::vk;
use quadrille::{
    AttachmentDesc, AttachmentLoad, Framebuffer, FramebufferDesc, ImageView, RenderPass, RenderPassDesc,
    SubpassDesc, TargetFormats,
};

use crate::chain::{find, slice};
use crate::convert::{resolve_mode, samples};
use crate::device::Device;
use crate::format::needed;
use crate::guard::{VkResult, code, commands};
use crate::handle::{create, destroy, get, objects};

objects!(RenderPass => RenderPass, Framebuffer => Framebuffer);

fn reference(index: u32) -> Option<u32> {
    (index != vk::ATTACHMENT_UNUSED).then_some(index)
}

fn load(op: vk::AttachmentLoadOp) -> AttachmentLoad {
    match op {
        vk::AttachmentLoadOp::CLEAR => AttachmentLoad::Clear,
        vk::AttachmentLoadOp::DONT_CARE => AttachmentLoad::DontCare,
        _ => AttachmentLoad::Load,
    }
}

/// Makes one of the two functions that read a VkRenderPassCreateInfo; the versions differ in the types.
macro_rules! from_info {
    ($name:ident, $info:ident, $subpass:ident, $views:expr, $resolve:expr, $chain:expr) => {
        unsafe fn $name(info: &vk::$info<'_>) -> VkResult<RenderPassDesc> {
            // SAFETY: the caller passes a valid create info.
            unsafe {
                let attachments = slice(info.p_attachments, info.attachment_count).iter().map(|a| {
                    Ok(AttachmentDesc {
                        format: needed(a.format)?,
                        samples: samples(a.samples),
                        load: load(a.load_op),
                        stencil_load: load(a.stencil_load_op),
                    })
                });
                let (view_mask, resolve, chain) = ($views, $resolve, $chain);
                let subpasses = slice(info.p_subpasses, info.subpass_count).iter().enumerate();
                let subpasses = subpasses.map(|(i, s): (usize, &vk::$subpass<'_>)| {
                    let n = s.color_attachment_count;
                    let depth_stencil = s.p_depth_stencil_attachment.as_ref();
                    let (depth_stencil_resolve, depth_stencil_modes) = resolve(s);
                    SubpassDesc {
                        inputs: slice(s.p_input_attachments, s.input_attachment_count)
                            .iter()
                            .map(|r| reference(r.attachment))
                            .collect(),
                        colors: slice(s.p_color_attachments, n)
                            .iter()
                            .map(|r| reference(r.attachment))
                            .collect(),
                        resolves: slice(s.p_resolve_attachments, n)
                            .iter()
                            .map(|r| reference(r.attachment))
                            .collect(),
                        depth_stencil: depth_stencil.and_then(|r| reference(r.attachment)),
                        depth_stencil_resolve,
                        depth_stencil_modes,
                        view_mask: view_mask(info, i, s),
                        single_sampled_as: single_sampled_as(chain(s)),
                        shading_rate: shading_rate(chain(s)),
                    }
                });
                Ok(RenderPassDesc {
                    attachments: attachments.collect::<VkResult<_>>()?,
                    subpasses: subpasses.collect(),
                })
            }
        }
    };
}

from_info!(
    from_v1,
    RenderPassCreateInfo,
    SubpassDescription,
    |info: &vk::RenderPassCreateInfo<'_>, i, _| {
        let views = find::<vk::RenderPassMultiviewCreateInfo>(info.p_next);
        views.and_then(|v| slice(v.p_view_masks, v.subpass_count).get(i).copied()).unwrap_or(0)
    },
    |_| (None, [None; 2]),
    // The first version has no chain.
    |_| std::ptr::null()
);
from_info!(
    from_v2,
    RenderPassCreateInfo2,
    SubpassDescription2,
    |_, _, s: &vk::SubpassDescription2<'_>| s.view_mask,
    |s: &vk::SubpassDescription2<'_>| {
        match find::<vk::SubpassDescriptionDepthStencilResolve>(s.p_next) {
            Some(r) => (
                r.p_depth_stencil_resolve_attachment.as_ref().and_then(|to| reference(to.attachment)),
                [resolve_mode(r.depth_resolve_mode), resolve_mode(r.stencil_resolve_mode)],
            ),
            None => (None, [None; 2]),
        }
    },
    |s: &vk::SubpassDescription2<'_>| s.p_next
);

/// The attachment that says the size of fragments, and the size of what a texel is for.
///
/// # Safety
/// The chain is valid.
unsafe fn shading_rate(chain: *const std::ffi::c_void) -> Option<(u32, [u32; 2])> {
    // SAFETY: the caller vouches for the chain.
    let info = unsafe { find::<vk::FragmentShadingRateAttachmentInfoKHR>(chain) }?;
    // SAFETY: a pointer of a valid structure.
    let of = unsafe { info.p_fragment_shading_rate_attachment.as_ref() }?;
    let vk::Extent2D { width, height } = info.shading_rate_attachment_texel_size;
    Some((reference(of.attachment)?, [width, height]))
}

/// Samples that single-sampled attachments are rendered to with, as a chain says; 0 for one.
///
/// # Safety
/// The chain is valid.
pub unsafe fn single_sampled_as(chain: *const std::ffi::c_void) -> u32 {
    // SAFETY: the caller vouches for the chain.
    let info = unsafe { find::<vk::MultisampledRenderToSingleSampledInfoEXT>(chain) };
    info.filter(|i| i.multisampled_render_to_single_sampled_enable != 0)
        .map_or(0, |i| samples(i.rasterization_samples))
}

/// Views of a framebuffer or of the structure that completes an imageless one.
pub unsafe fn views(list: *const vk::ImageView, n: u32) -> Vec<ImageView> {
    // SAFETY: the caller passes an array of a structure.
    unsafe { slice(list, n).iter().map(|&v| get::<ImageView>(v).clone()).collect() }
}

/// What a secondary command buffer renders to, as its inheritance says.
///
/// # Safety
/// `info` is valid.
pub unsafe fn inherited(info: &vk::CommandBufferInheritanceInfo<'_>) -> VkResult<TargetFormats> {
    // SAFETY: the caller vouches for the structure.
    let Some(r) = (unsafe { find::<vk::CommandBufferInheritanceRenderingInfo<'_>>(info.p_next) }) else {
        return Ok(TargetFormats::default());
    };
    let defined = |f: vk::Format| match f {
        vk::Format::UNDEFINED => Ok(None),
        f => needed(f).map(Some),
    };
    // SAFETY: a valid structure has so many formats.
    let colors = unsafe { slice(r.p_color_attachment_formats, r.color_attachment_count) };
    Ok(TargetFormats {
        colors: colors.iter().map(|&f| defined(f)).collect::<VkResult<_>>()?,
        depth: defined(r.depth_attachment_format)?,
        stencil: defined(r.stencil_attachment_format)?,
        samples: 0,
        view_mask: r.view_mask,
    })
}

commands! {
    fn create_render_pass(
        device: vk::Device,
        info: *const vk::RenderPassCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::RenderPass,
    ) -> vk::Result {
        let pass = get::<Device>(device).device.create_render_pass(&from_v1(&*info)?);
        *out = create(pass.map_err(|e| code(&e))?);
        Ok(())
    }

    fn create_render_pass2(
        device: vk::Device,
        info: *const vk::RenderPassCreateInfo2<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::RenderPass,
    ) -> vk::Result {
        let pass = get::<Device>(device).device.create_render_pass(&from_v2(&*info)?);
        *out = create(pass.map_err(|e| code(&e))?);
        Ok(())
    }

    fn destroy_render_pass(
        _d: vk::Device,
        render_pass: vk::RenderPass,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<RenderPass>(render_pass));
    }

    fn get_render_area_granularity(_d: vk::Device, _r: vk::RenderPass, out: *mut vk::Extent2D) {
        *out = vk::Extent2D { width: 1, height: 1 };
    }

    fn get_rendering_area_granularity(
        _d: vk::Device,
        _info: *const vk::RenderingAreaInfoKHR<'_>,
        out: *mut vk::Extent2D,
    ) {
        *out = vk::Extent2D { width: 1, height: 1 };
    }

    fn create_framebuffer(
        device: vk::Device,
        info: *const vk::FramebufferCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Framebuffer,
    ) -> vk::Result {
        let info = &*info;
        let imageless = info.flags.contains(vk::FramebufferCreateFlags::IMAGELESS);
        let desc = FramebufferDesc {
            views: if imageless { Vec::new() } else { views(info.p_attachments, info.attachment_count) },
            width: info.width,
            height: info.height,
            layers: info.layers,
        };
        let framebuffer = get::<Device>(device).device.create_framebuffer(&desc);
        *out = create(framebuffer.map_err(|e| code(&e))?);
        Ok(())
    }

    fn destroy_framebuffer(
        _d: vk::Device,
        framebuffer: vk::Framebuffer,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<Framebuffer>(framebuffer));
    }
}
