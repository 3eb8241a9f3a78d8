//! Chapter "Render Pass": render pass objects and framebuffers. Commands are in `commands::render`.

use ash::vk;
use quadrille::pass_order::is_read_only;
use quadrille::{
    AttachmentDesc, AttachmentLoad, AttachmentOrder, AttachmentUse, Framebuffer, FramebufferDesc, ImageView,
    PassOrder, RenderPass, RenderPassDesc, SubpassDependency, SubpassDesc, TargetFormats,
};

use crate::capabilities::format::needed;
use crate::device::Device;
use crate::interface::chain::{find, fixed, slice};
use crate::interface::convert::{resolve_mode, samples};
use crate::interface::guard::{VkResult, code, commands};
use crate::interface::handle::{create, destroy, get, objects};
use crate::newer::{CustomResolveCreateInfoEXT, PASS_DENSITY_BY_LAYER};

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

/// Returns the operations that access an attachment. Attachments in a read-only layout are not stored.
pub fn uses(
    load: vk::AttachmentLoadOp,
    store: vk::AttachmentStoreOp,
    layout: vk::ImageLayout,
) -> AttachmentUse {
    AttachmentUse {
        loads: load != vk::AttachmentLoadOp::NONE_EXT,
        stores: store != vk::AttachmentStoreOp::NONE && !is_read_only(layout.as_raw()),
    }
}

/// Converts the index of a subpass in a dependency; `None` for VK_SUBPASS_EXTERNAL.
fn subpass(number: u32) -> Option<u32> {
    (number != vk::SUBPASS_EXTERNAL).then_some(number)
}

/// Defines one of the two functions that read the order of subpasses from a VkRenderPassCreateInfo.
macro_rules! order_from_info {
    ($name:ident, $info:ident, $barrier:expr) => {
        /// Reads the order of the subpasses.
        ///
        /// # Safety
        /// `info` and its chain are valid.
        unsafe fn $name(info: &vk::$info<'_>) -> PassOrder {
            let barrier = $barrier;
            // SAFETY: the caller promises a valid create info.
            unsafe {
                let dependencies = slice(info.p_dependencies, info.dependency_count).iter().map(|d| {
                    let [src_stages, src_access, dst_stages, dst_access] = barrier(d);
                    let (src, dst) = (subpass(d.src_subpass), subpass(d.dst_subpass));
                    SubpassDependency { src, dst, src_stages, src_access, dst_stages, dst_access }
                });
                let attachments = slice(info.p_attachments, info.attachment_count).iter().map(|a| {
                    let layout = vk::ImageLayout::GENERAL;
                    let stencil = uses(a.stencil_load_op, a.stencil_store_op, layout);
                    AttachmentOrder {
                        layouts: [a.initial_layout.as_raw(), a.final_layout.as_raw()],
                        uses: [uses(a.load_op, a.store_op, layout), stencil],
                    }
                });
                let map = density_map(info.p_next);
                let layouts = slice(info.p_subpasses, info.subpass_count).iter().map(|s| {
                    let colors = slice(s.p_color_attachments, s.color_attachment_count).iter();
                    let inputs = slice(s.p_input_attachments, s.input_attachment_count).iter();
                    let resolves = slice(s.p_resolve_attachments, s.color_attachment_count).iter();
                    let all =
                        colors.chain(inputs).chain(resolves).chain(s.p_depth_stencil_attachment.as_ref());
                    let mut used: Vec<(u32, i32)> =
                        all.filter_map(|r| Some((reference(r.attachment)?, r.layout.as_raw()))).collect();
                    used.extend(map.and_then(|r| Some((reference(r.attachment)?, r.layout.as_raw()))));
                    used.sort_by_key(|(a, _)| *a);
                    used.dedup_by_key(|(a, _)| *a);
                    used
                });
                PassOrder {
                    dependencies: dependencies.collect(),
                    attachments: attachments.collect(),
                    layouts: layouts.collect(),
                }
            }
        }
    };
}

order_from_info!(order_v1, RenderPassCreateInfo, |d: &vk::SubpassDependency| {
    let stages = [d.src_stage_mask, d.dst_stage_mask].map(|s| u64::from(s.as_raw()));
    let accesses = [d.src_access_mask, d.dst_access_mask].map(|a| u64::from(a.as_raw()));
    [stages[0], accesses[0], stages[1], accesses[1]]
});
order_from_info!(order_v2, RenderPassCreateInfo2, |d: &vk::SubpassDependency2<'_>| {
    // SAFETY: `order_v2` promises a valid create info, and with it valid chains of dependencies.
    let barrier = unsafe { find::<vk::MemoryBarrier2<'_>>(d.p_next) };
    let stages = [d.src_stage_mask, d.dst_stage_mask].map(|s| u64::from(s.as_raw()));
    let accesses = [d.src_access_mask, d.dst_access_mask].map(|a| u64::from(a.as_raw()));
    barrier.map_or([stages[0], accesses[0], stages[1], accesses[1]], |b| {
        let (src, dst) = (b.src_stage_mask.as_raw(), b.dst_stage_mask.as_raw());
        [src, b.src_access_mask.as_raw(), dst, b.dst_access_mask.as_raw()]
    })
});

/// Defines one of the two functions that convert a VkRenderPassCreateInfo; the versions differ in their types.
macro_rules! from_info {
    ($name:ident, $info:ident, $subpass:ident, $views:expr, $resolve:expr, $chain:expr) => {
        /// Converts the create info.
        ///
        /// # Safety
        /// `info` and its chain are valid.
        unsafe fn $name(info: &vk::$info<'_>) -> VkResult<RenderPassDesc> {
            // SAFETY: the caller promises a valid create info.
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
                    density_map: density_map(info.p_next).and_then(|map| reference(map.attachment)),
                    density_by_layer: info.flags.contains(PASS_DENSITY_BY_LAYER),
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
    // Subpasses of the first version have no chain.
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

/// Returns the fragment shading rate attachment, and the size in pixels that a texel covers.
///
/// # Safety
/// The chain is valid.
unsafe fn shading_rate(chain: *const std::ffi::c_void) -> Option<(u32, [u32; 2])> {
    // SAFETY: the caller promises a valid chain.
    let info = unsafe { find::<vk::FragmentShadingRateAttachmentInfoKHR>(chain) }?;
    // SAFETY: the caller promises a valid chain, so the pointer in its structure is null or valid.
    let of = unsafe { info.p_fragment_shading_rate_attachment.as_ref() }?;
    let vk::Extent2D { width, height } = info.shading_rate_attachment_texel_size;
    Some((reference(of.attachment)?, [width, height]))
}

/// Returns the reference to the fragment density map of a render pass.
///
/// # Safety
/// The chain is valid.
unsafe fn density_map(chain: *const std::ffi::c_void) -> Option<vk::AttachmentReference> {
    // SAFETY: the caller promises a valid chain.
    let info = unsafe { find::<vk::RenderPassFragmentDensityMapCreateInfoEXT>(chain) }?;
    Some(info.fragment_density_map_attachment)
}

/// Returns the offsets of the layers of a fragment density map, which the end of a render pass sets.
///
/// # Safety
/// The chain is valid.
pub unsafe fn density_offsets(chain: *const std::ffi::c_void) -> Vec<[i32; 2]> {
    // SAFETY: the caller promises a valid chain, whose structure has `fragment_density_offset_count` offsets.
    unsafe {
        let info = find::<vk::SubpassFragmentDensityMapOffsetEndInfoQCOM>(chain);
        let offsets =
            info.map_or(&[][..], |i| slice(i.p_fragment_density_offsets, i.fragment_density_offset_count));
        offsets.iter().map(|o| [o.x, o.y]).collect()
    }
}

/// Returns the sample count of rendering to single-sampled attachments, from a chain; 0 for one sample.
///
/// # Safety
/// The chain is valid.
pub unsafe fn single_sampled_as(chain: *const std::ffi::c_void) -> u32 {
    // SAFETY: the caller promises a valid chain.
    let info = unsafe { find::<vk::MultisampledRenderToSingleSampledInfoEXT>(chain) };
    info.filter(|i| i.multisampled_render_to_single_sampled_enable != 0)
        .map_or(0, |i| samples(i.rasterization_samples))
}

/// Returns the views of a framebuffer, or of the structure that completes an imageless one.
///
/// # Safety
/// `list` is null or has `n` live views.
pub unsafe fn views(list: *const vk::ImageView, n: u32) -> Vec<ImageView> {
    // SAFETY: the caller promises that `list` is null or has `n` live views.
    unsafe { slice(list, n).iter().map(|&v| get::<ImageView>(v).clone()).collect() }
}

/// Returns the colour formats, and those of depth and stencil, of a custom resolve that the chain states.
///
/// # Safety
/// `chain` is valid for `'a`.
pub unsafe fn custom_resolve<'a>(
    chain: *const std::ffi::c_void,
) -> Option<(&'a [vk::Format], [vk::Format; 2])> {
    // SAFETY: the caller promises a valid chain, whose structure has `color_attachment_count` formats.
    unsafe {
        let c = find::<CustomResolveCreateInfoEXT>(chain).filter(|c| c.custom_resolve != 0)?;
        let colors = slice(c.p_color_attachment_formats, c.color_attachment_count);
        Some((colors, [c.depth_attachment_format, c.stencil_attachment_format]))
    }
}

/// Returns the attachment formats that a secondary command buffer inherits.
///
/// # Safety
/// `info` is valid.
pub unsafe fn inherited(info: &vk::CommandBufferInheritanceInfo<'_>) -> VkResult<TargetFormats> {
    // SAFETY: the caller promises a valid structure, and with it a valid chain.
    let Some(r) = (unsafe { find::<vk::CommandBufferInheritanceRenderingInfo<'_>>(info.p_next) }) else {
        return Ok(TargetFormats::default());
    };
    let defined = |f: vk::Format| match f {
        vk::Format::UNDEFINED => Ok(None),
        f => needed(f).map(Some),
    };
    // SAFETY: the caller promises a valid chain, whose structures have `color_attachment_count` formats.
    let (colors, depth_stencil) = unsafe {
        let colors = slice(r.p_color_attachment_formats, r.color_attachment_count);
        let depth_stencil = [r.depth_attachment_format, r.stencil_attachment_format];
        custom_resolve(info.p_next).unwrap_or((colors, depth_stencil))
    };
    Ok(TargetFormats {
        colors: colors.iter().map(|&f| defined(f)).collect::<VkResult<_>>()?,
        depth: defined(depth_stencil[0])?,
        stencil: defined(depth_stencil[1])?,
        samples: 0,
        view_mask: r.view_mask,
    })
}

/// Returns the location of the fragment stage's output that each colour attachment takes, if the chain has a mapping.
///
/// # Safety
/// `chain` is valid.
pub unsafe fn locations(chain: *const std::ffi::c_void) -> Option<Vec<Option<u32>>> {
    // SAFETY: the caller promises a valid chain, whose structure has `color_attachment_count` locations.
    let list = unsafe {
        let l = find::<vk::RenderingAttachmentLocationInfoKHR<'_>>(chain)?;
        slice(l.p_color_attachment_locations, l.color_attachment_count)
    };
    Some(list.iter().map(|&l| (l != vk::ATTACHMENT_UNUSED).then_some(l)).collect())
}

/// Reports that no subpasses are merged, where the application asks for feedback.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn merge_feedback(info: &vk::RenderPassCreateInfo2<'_>) {
    use vk::SubpassMergeStatusEXT as S;
    // SAFETY: the caller promises a valid create info, and with it valid chains and pointers in their structures.
    unsafe {
        let disallows = |chain| {
            find::<vk::RenderPassCreationControlEXT<'_>>(chain)
                .is_some_and(|c| c.disallow_merging == vk::TRUE)
        };
        if let Some(f) = find::<vk::RenderPassCreationFeedbackCreateInfoEXT<'_>>(info.p_next) {
            (*f.p_render_pass_feedback).post_merge_subpass_count = info.subpass_count;
        }
        for (i, s) in (0..).zip(slice(info.p_subpasses, info.subpass_count)) {
            let Some(f) = find::<vk::RenderPassSubpassFeedbackCreateInfoEXT<'_>>(s.p_next) else { continue };
            let feedback = &mut *f.p_subpass_feedback;
            feedback.subpass_merge_status = match info.subpass_count {
                _ if disallows(info.p_next) || disallows(s.p_next) => S::DISALLOWED,
                1 => S::NOT_MERGED_SINGLE_SUBPASS,
                _ => S::NOT_MERGED_UNSPECIFIED,
            };
            feedback.description = fixed("subpasses are rendered one by one");
            feedback.post_merge_index = i;
        }
    }
}

commands! {
    fn create_render_pass(
        device: vk::Device,
        info: *const vk::RenderPassCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::RenderPass,
    ) -> vk::Result {
        let device = &get::<Device>(device).device;
        let desc = from_v1(&*info)?;
        let pass = match device.keeps_notes() {
            true => device.create_render_pass_in_order(&desc, order_v1(&*info)),
            false => device.create_render_pass(&desc),
        };
        *out = create(pass.map_err(|e| code(&e))?);
        Ok(())
    }

    fn create_render_pass2(
        device: vk::Device,
        info: *const vk::RenderPassCreateInfo2<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::RenderPass,
    ) -> vk::Result {
        let device = &get::<Device>(device).device;
        let desc = from_v2(&*info)?;
        merge_feedback(&*info);
        let pass = match device.keeps_notes() {
            true => device.create_render_pass_in_order(&desc, order_v2(&*info)),
            false => device.create_render_pass(&desc),
        };
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
