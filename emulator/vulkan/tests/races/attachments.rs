//! Races on attachments of dynamic rendering and of render passes.

#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;
use vk::{AccessFlags as A, ImageLayout as L, PipelineStageFlags as S};

use super::case::Heard::{Nothing, Race};
use super::case::{CLEAR, Case, DISCARD, FLAGS, LOAD, STORE};
use crate::common::lab::{COLOR, COLOR_WRITE, COPIED, FILL, Lab, SHADER_WRITE, SIZE};

/// Attachments of dynamic rendering.
pub const RENDERING: &[Case] = &[
    ("DynamicRenderingAttachmentLoadHazard", Race(&["vkCmdBeginRendering", "vkCmdClearColorImage"]), |l| {
        l.ready();
        l.run(|c| {
            l.clear(c, 0);
            l.render(c, 0, (LOAD, STORE), FLAGS, || ());
        });
    }),
    ("LoadBehindBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.clear(c, 0);
            l.barrier(c, FILL, COLOR);
            l.render(c, 0, (LOAD, STORE), FLAGS, || ());
        });
    }),
    ("DynamicRenderingAttachmentStoreHazard", Race(&["vkCmdBeginRendering"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy_out(c, 0, 0);
            l.render(c, 0, (CLEAR, STORE), FLAGS, || ());
        });
    }),
    ("StoreOpWAR", Race(&["vkCmdEndRendering"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy_out(c, 0, 0);
            l.render(c, 0, (LOAD, STORE), FLAGS, || ());
        });
    }),
    ("StoreBehindWait", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.copy_out(c, 0, 0);
            l.wait(c, S::TRANSFER, S::COLOR_ATTACHMENT_OUTPUT);
            l.render(c, 0, (LOAD, STORE), FLAGS, || ());
        });
    }),
    ("LoadOpAfterStoreOpRAW", Race(&["vkCmdBeginRendering", "vkCmdEndRendering"]), |l| {
        l.ready();
        l.run(|c| {
            l.render(c, 0, (CLEAR, STORE), FLAGS, || ());
            l.render(c, 0, (LOAD, STORE), FLAGS, || ());
        });
    }),
    ("LoadOpAfterStoreOpWAW", Race(&["vkCmdBeginRendering", "vkCmdEndRendering"]), |l| {
        l.ready();
        l.run(|c| {
            l.render(c, 0, (CLEAR, STORE), FLAGS, || ());
            l.render(c, 0, (CLEAR, STORE), FLAGS, || ());
        });
    }),
    ("LoadOpAfterStoreOpBehindBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.render(c, 0, (CLEAR, STORE), FLAGS, || l.draw(c));
            l.barrier(c, COLOR_WRITE, COLOR);
            l.render(c, 0, (LOAD, STORE), FLAGS, || l.draw(c));
        });
    }),
    ("ResumeLoadOpAfterStoreOp", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.render(c, 0, (CLEAR, STORE), vk::RenderingFlags::SUSPENDING, || l.draw(c));
            l.render(c, 0, (CLEAR, STORE), vk::RenderingFlags::RESUMING, || l.draw(c));
        });
    }),
    ("LoadOpImplicitOrdering", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.render(c, 0, (CLEAR, STORE), FLAGS, || {
                l.draw(c);
                l.draw(c);
            });
        });
    }),
    ("RenderedThenCopied", Race(&["vkCmdCopyImageToBuffer", "vkCmdEndRendering"]), |l| {
        l.ready();
        l.run(|c| {
            l.render(c, 0, (CLEAR, STORE), FLAGS, || l.draw(c));
            l.copy_out(c, 0, 0);
        });
    }),
    ("RenderedThenCopiedBehindBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.render(c, 0, (CLEAR, STORE), FLAGS, || l.draw(c));
            l.barrier(c, COLOR_WRITE, COPIED);
            l.copy_out(c, 0, 0);
        });
    }),
    ("StoreOpDontCareWrites", Race(&["vkCmdBeginRendering"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy_out(c, 0, 0);
            l.render(c, 0, (CLEAR, DISCARD), FLAGS, || ());
        });
    }),
    ("AnotherAttachment", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.clear(c, 0);
            l.render(c, 1, (LOAD, STORE), FLAGS, || l.draw(c));
        });
    }),
    ("ClearColorAttachmentWAW", Race(&["vkCmdClearAttachments"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy_out(c, 0, 0);
            l.render(c, 0, (LOAD, STORE), FLAGS, || l.clear_attachment(c));
        });
    }),
];

/// Subpasses and their dependencies.
pub const PASSES: &[Case] = &[
    (
        "RenderPassLoadHazardVsInitialLayout",
        Race(&["vkCmdBeginRenderPass", "moved to another layout"]),
        |l| {
            passes(l, &[], |c, _| l.clear(c, 0));
        },
    ),
    ("MultipleExternalSubpassDependencies", Nothing, |l| {
        let between = depend(Some(0), Some(1), COLOR_WRITE, INPUT);
        passes(l, &[depend(None, Some(0), FILL, COLOR), between, BEHIND], |c, behind| match behind {
            false => l.clear(c, 0),
            true => l.copy_out(c, 0, 0),
        });
    }),
    ("FinalLayoutTransitionHazard", Race(&["vkCmdCopyImageToBuffer"]), |l| {
        let between = depend(Some(0), Some(1), COLOR_WRITE, INPUT);
        passes(l, &[between], |c, behind| {
            if behind {
                l.copy_out(c, 0, 0)
            }
        });
    }),
    ("FinalLayoutTransitionBehindBarrier", Nothing, |l| {
        let between = depend(Some(0), Some(1), COLOR_WRITE, INPUT);
        passes(l, &[between, BEHIND], |c, behind| {
            if behind {
                l.copy_out(c, 0, 0)
            }
        });
    }),
    ("SubpassMultiDep", Race(&["moved to another layout", "vkCmdNextSubpass"]), |l| {
        let between = depend(Some(0), Some(1), (S::VERTEX_SHADER, A::empty()), INPUT);
        passes(l, &[between, BEHIND], |_, _| ());
    }),
    ("ExternalDependencyDoesNotSyncLayoutTransition", Race(&["vkCmdBeginRenderPass"]), |l| {
        let between = depend(Some(0), Some(1), COLOR_WRITE, INPUT);
        let before = depend(None, Some(0), SHADER_WRITE, COLOR);
        passes(l, &[before, between, BEHIND], |c, behind| {
            if !behind {
                l.clear(c, 0)
            }
        });
    }),
];

const INPUT: (S, A) = (S::FRAGMENT_SHADER, A::INPUT_ATTACHMENT_READ);
const BEHIND: vk::SubpassDependency = depend(Some(1), None, (S::FRAGMENT_SHADER, A::empty()), COPIED);

const fn depend(
    src: Option<u32>,
    dst: Option<u32>,
    (src_stage_mask, src_access_mask): (S, A),
    (dst_stage_mask, dst_access_mask): (S, A),
) -> vk::SubpassDependency {
    const fn number(subpass: Option<u32>) -> u32 {
        match subpass {
            Some(number) => number,
            None => vk::SUBPASS_EXTERNAL,
        }
    }
    vk::SubpassDependency {
        src_subpass: number(src),
        dst_subpass: number(dst),
        src_stage_mask,
        dst_stage_mask,
        src_access_mask,
        dst_access_mask,
        dependency_flags: vk::DependencyFlags::BY_REGION,
    }
}

/// Records a render pass on image 0: the first subpass clears and draws to it, and the second reads it as an input
/// attachment. `around` records commands before and after.
fn passes(l: &Lab, dependencies: &[vk::SubpassDependency], around: impl Fn(vk::CommandBuffer, bool)) {
    let attachment = [vk::AttachmentDescription::default()
        .format(vk::Format::R8G8B8A8_UNORM)
        .samples(vk::SampleCountFlags::TYPE_1)
        .load_op(CLEAR)
        .store_op(STORE)
        .final_layout(L::GENERAL)];
    let at = |layout| [vk::AttachmentReference { attachment: 0, layout }];
    let (color, input) = (at(L::COLOR_ATTACHMENT_OPTIMAL), at(L::SHADER_READ_ONLY_OPTIMAL));
    let subpasses = [
        vk::SubpassDescription::default().color_attachments(&color),
        vk::SubpassDescription::default().input_attachments(&input),
    ];
    let info = vk::RenderPassCreateInfo::default()
        .attachments(&attachment)
        .subpasses(&subpasses)
        .dependencies(dependencies);
    let (d, views) = (&l.gpu.device, [l.pictures[0].view]);
    // SAFETY: valid usage of Vulkan, except for the races that the checks must find.
    unsafe {
        let pass = d.create_render_pass(&info, None).unwrap();
        let info = vk::FramebufferCreateInfo::default().render_pass(pass).attachments(&views);
        let framebuffer = d.create_framebuffer(&info.width(SIZE).height(SIZE).layers(1), None).unwrap();
        let extent = vk::Extent2D { width: SIZE, height: SIZE };
        let clears = [vk::ClearValue::default()];
        let begin = vk::RenderPassBeginInfo::default()
            .render_pass(pass)
            .framebuffer(framebuffer)
            .render_area(vk::Rect2D { extent, ..Default::default() })
            .clear_values(&clears);
        l.run(|c| {
            around(c, false);
            d.cmd_begin_render_pass(c, &begin, vk::SubpassContents::INLINE);
            d.cmd_next_subpass(c, vk::SubpassContents::INLINE);
            d.cmd_end_render_pass(c);
            around(c, true);
        });
    }
}
