//! Races between commands, as barriers, events, subpass dependencies, semaphores and the host order them: what must be
//! found, and near misses that must not.
//!
//! Cases are after those of the synchronization validation of the Khronos validation layers (`sync_val*.cpp`), with their
//! names where they say the same. Left out: what is invalid there and refused here, ray tracing, video and marker commands,
//! which the driver lacks; protected and multi-planar formats and views of several layers, whose bytes are told apart by
//! what has its tests in the checker; reports at recording time, since commands are looked at when they run; what swapchains
//! order, which is taken as all that ran before; and single features of the layer's own (settings, handles, threads).

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::process::Command;

use ash::vk;
use common::lab::{ALL, COLOR, COLOR_WRITE, COPIED, FILL, Lab, N, SHADER_READ, SHADER_WRITE, SIZE};
use vk::{AccessFlags as A, ImageLayout as L, PipelineStageFlags as S};

const CHILD: &str = "QUADRILLE_TEST_CHILD";

/// What is heard.
#[derive(Clone, Copy)]
enum Heard {
    Nothing,
    /// A report with these words.
    Race(&'static [&'static str]),
}
use Heard::{Nothing, Race};

type Case = (&'static str, Heard, fn(&Lab));

const NONE: S = S::TOP_OF_PIPE;
const INDIRECT: (S, A) = (S::DRAW_INDIRECT, A::INDIRECT_COMMAND_READ);
const INDEX: (S, A) = (S::VERTEX_INPUT, A::INDEX_READ);
const VERTEX: (S, A) = (S::VERTEX_INPUT, A::VERTEX_ATTRIBUTE_READ);
const LOAD: vk::AttachmentLoadOp = vk::AttachmentLoadOp::LOAD;
const CLEAR: vk::AttachmentLoadOp = vk::AttachmentLoadOp::CLEAR;
const STORE: vk::AttachmentStoreOp = vk::AttachmentStoreOp::STORE;
const CHANGE: [L; 2] = [L::TRANSFER_DST_OPTIMAL, L::GENERAL];
const DISCARD: vk::AttachmentStoreOp = vk::AttachmentStoreOp::DONT_CARE;
const FLAGS: vk::RenderingFlags = vk::RenderingFlags::empty();

/// Copies and shaders on buffers.
const BUFFERS: &[Case] = &[
    ("BufferCopy", Race(&["vkCmdCopyBuffer", "no barrier between them waits for COPY"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy(c, 0, 1);
            l.copy(c, 2, 1);
        });
    }),
    ("BufferCopyWAR", Race(&["is written by", "and read by"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy(c, 0, 1);
            l.copy(c, 2, 0);
        });
    }),
    ("BufferCopyWARWithBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.copy(c, 0, 1);
            l.wait(c, S::TRANSFER, S::TRANSFER);
            l.copy(c, 2, 0);
        });
    }),
    ("BufferCopyNonOverlappedRegions", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.copy_words(c, (0, 0), (1, 0), N / 2);
            l.copy_words(c, (0, 0), (1, N / 2), N / 2);
        });
    }),
    ("BufferCopyOverlappedRegions", Race(&["buffer 2"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy_words(c, (0, 0), (1, 0), N / 2 + 1);
            l.copy_words(c, (0, 0), (1, N / 2), N / 2);
        });
    }),
    ("BufferCopyWrongBarrier", Race(&["srcAccessMask"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy(c, 0, 1);
            l.barrier(c, COPIED, COPIED);
            l.copy(c, 1, 2);
        });
    }),
    ("BufferCopyWrongBarrier2", Race(&["dstAccessMask"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy(c, 0, 1);
            l.barrier(c, FILL, FILL);
            l.copy(c, 1, 2);
        });
    }),
    ("BufferCopyRightBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.copy(c, 0, 1);
            l.barrier(c, FILL, COPIED);
            l.copy(c, 1, 2);
        });
    }),
    ("BarrierOfAnotherBuffer", Race(&["available"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy(c, 0, 1);
            l.buffer_barrier(c, (0, 0, N), FILL, COPIED);
            l.copy(c, 1, 2);
        });
    }),
    ("BarrierOfTheBuffer", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.copy(c, 0, 1);
            l.buffer_barrier(c, (1, 0, N), FILL, COPIED);
            l.copy(c, 1, 2);
        });
    }),
    ("FillBuffer", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, COPIED);
            l.copy(c, 0, 1);
        });
    }),
    ("FillBufferMissingBarrier", Race(&["vkCmdFillBuffer"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.copy(c, 0, 1);
        });
    }),
    ("FillBufferWrongBarrier", Race(&["vkCmdFillBuffer", "dstAccessMask"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, FILL);
            l.copy(c, 0, 1);
        });
    }),
    ("UpdateBuffer", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.update(c, 0);
            l.barrier(c, FILL, COPIED);
            l.copy(c, 0, 1);
        });
    }),
    ("UpdateBufferMissingBarrier", Race(&["vkCmdUpdateBuffer"]), |l| {
        l.ready();
        l.run(|c| {
            l.update(c, 0);
            l.copy(c, 0, 1);
        });
    }),
    ("UpdateBufferWrongBarrier", Race(&["vkCmdUpdateBuffer", "dstStageMask"]), |l| {
        l.ready();
        l.run(|c| {
            l.update(c, 0);
            l.barrier(c, FILL, SHADER_READ);
            l.copy(c, 0, 1);
        });
    }),
    ("CopyVsShaderDescriptorAccess", Race(&["vkCmdDispatch", "vkCmdFillBuffer"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.sum(c, N);
        });
    }),
    ("ShaderDescriptorAccessBehindBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, SHADER_READ);
            l.sum(c, N);
        });
    }),
    ("UseUniformReadForStorageBuffer", Race(&["SHADER_STORAGE_READ", "dstAccessMask"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, (S::COMPUTE_SHADER, A::UNIFORM_READ));
            l.sum(c, N);
        });
    }),
    ("WriteSameLocationFromTwoDispatches", Race(&["vkCmdDispatch", "SHADER_STORAGE_WRITE"]), |l| {
        l.ready();
        l.run(|c| {
            l.sum(c, N);
            l.barrier(c, (S::COMPUTE_SHADER, A::empty()), SHADER_WRITE);
            l.sum(c, N);
        });
    }),
    ("TwoDispatchesWithBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.sum(c, N);
            l.barrier(c, SHADER_WRITE, SHADER_WRITE);
            l.sum(c, N);
        });
    }),
    ("WriteOnlyBufferWriteHazard", Race(&["vkCmdFillBuffer", "a shader of"]), |l| {
        l.ready();
        l.run(|c| {
            l.sum(c, N);
            l.fill(c, 2);
        });
    }),
    ("DispatchReadsBeforeWrite", Race(&["vkCmdFillBuffer", "COMPUTE_SHADER"]), |l| {
        l.ready();
        l.run(|c| {
            l.sum(c, N);
            l.fill(c, 0);
        });
    }),
    ("DispatchReadsBeforeWriteWithWait", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.sum(c, N);
            l.wait(c, S::COMPUTE_SHADER, S::TRANSFER);
            l.fill(c, 0);
        });
    }),
    ("DebugRegion", Race(&["in \"copies\""]), |l| {
        l.ready();
        l.run(|c| {
            l.label(c, "copies", || l.fill(c, 0));
            l.copy(c, 0, 1);
        });
    }),
];

/// What draws and dispatches fetch.
const FETCHES: &[Case] = &[
    ("VertexBufferHazard", Race(&["vkCmdDraw", "VERTEX_ATTRIBUTE_READ"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, INDEX);
            l.plain(c, || l.draw_vertices(c, 0));
        });
    }),
    ("VertexBufferBehindBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, VERTEX);
            l.plain(c, || l.draw_vertices(c, 0));
        });
    }),
    ("VertexStride", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.copy_words(c, (1, 0), (0, 0), 12);
            l.plain(c, || l.draw_vertices(c, 3));
        });
    }),
    ("VertexStrideTooFar", Race(&["vkCmdDraw"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy_words(c, (1, 0), (0, 0), 13);
            l.plain(c, || l.draw_vertices(c, 3));
        });
    }),
    ("IndexBufferHazard", Race(&["vkCmdDrawIndexed", "INDEX_READ"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 1);
            l.barrier(c, FILL, VERTEX);
            l.plain(c, || l.draw_indexed(c));
        });
    }),
    ("IndexBufferBehindBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 1);
            l.barrier(c, FILL, INDEX);
            l.plain(c, || l.draw_indexed(c));
        });
    }),
    ("IndirectDrawAndSuballocatedVertexBuffer", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.copy_words(c, (2, 0), (0, 4), 60);
            l.plain(c, || l.draw_indexed(c));
        });
    }),
    ("IndirectBufferHazard", Race(&["vkCmdDrawIndirect", "DRAW_INDIRECT"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 1);
            l.barrier(c, FILL, VERTEX);
            l.plain(c, || l.draw_indirect(c));
        });
    }),
    ("IndirectBufferBehindBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 1);
            l.barrier(c, FILL, INDIRECT);
            l.plain(c, || l.draw_indirect(c));
        });
    }),
    ("CopyVsDrawIndirectBufferHazard", Race(&["vkCmdFillBuffer"]), |l| {
        l.ready();
        l.run(|c| {
            l.plain(c, || l.draw_indirect(c));
            l.fill(c, 1);
        });
    }),
    ("CopyVsDispatchIndirectBufferHazard", Race(&["vkCmdDispatchIndirect"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 1);
            l.barrier(c, FILL, SHADER_READ);
            l.sum_indirect(c);
        });
    }),
    ("DispatchIndirectBehindBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 1);
            l.barrier(c, FILL, (INDIRECT.0 | SHADER_READ.0, INDIRECT.1 | SHADER_READ.1));
            l.sum_indirect(c);
        });
    }),
    ("ConditionHazard", Race(&["vkCmdBeginConditionalRenderingEXT"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.condition(c, || l.plain(c, || l.draw(c)));
        });
    }),
    ("ConditionBehindBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, (S::CONDITIONAL_RENDERING_EXT, A::CONDITIONAL_RENDERING_READ_EXT));
            l.condition(c, || l.plain(c, || l.draw(c)));
        });
    }),
    ("CmdQuery", Race(&["vkCmdCopyQueryPoolResults"]), |l| {
        l.ready();
        l.run(|c| {
            l.query(c, 0);
            l.copy(c, 0, 1);
        });
    }),
    ("CmdQueryBehindBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.query(c, 0);
            l.barrier(c, FILL, COPIED);
            l.copy(c, 0, 1);
        });
    }),
];

/// Copies, clears, blits, changes of layout.
const IMAGES: &[Case] = &[
    ("CopyOptimalImageHazards", Race(&["vkCmdCopyImage"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy_columns(c, 0, 1, [0, 4]);
            l.copy_columns(c, 0, 1, [3, 8]);
        });
    }),
    ("CopyImageSideBySide", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.copy_columns(c, 0, 1, [0, 4]);
            l.copy_columns(c, 0, 1, [4, 8]);
        });
    }),
    ("CopyBufferImageHazards", Race(&["vkCmdCopyImageToBuffer"]), |l| {
        l.ready();
        l.run(|c| {
            l.clear(c, 0);
            l.copy_out(c, 0, 0);
        });
    }),
    ("CopyBufferImageBehindBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.clear(c, 0);
            l.barrier(c, FILL, COPIED);
            l.copy_out(c, 0, 0);
        });
    }),
    ("BlitImageHazards", Race(&["vkCmdBlitImage"]), |l| {
        l.ready();
        l.run(|c| {
            l.clear(c, 1);
            l.blit(c, 0, 1);
        });
    }),
    ("BlitImageSync", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.blit(c, 0, 1);
            l.image_barrier(c, 1, [L::GENERAL; 2], FILL, FILL);
            l.clear(c, 1);
        });
    }),
    ("CmdClear", Race(&["vkCmdClearColorImage"]), |l| {
        l.ready();
        l.run(|c| {
            l.clear(c, 0);
            l.clear(c, 0);
        });
    }),
    ("ImageCopyHazardsLayoutTransition", Race(&["given another layout", "vkCmdPipelineBarrier"]), |l| {
        l.ready();
        l.run(|c| {
            l.clear(c, 0);
            l.image_barrier(c, 0, CHANGE, (NONE, A::empty()), ALL);
        });
    }),
    ("LayoutTransition", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.clear(c, 0);
            l.image_barrier(c, 0, CHANGE, FILL, COPIED);
            l.copy_out(c, 0, 0);
        });
    }),
    ("WriteToImageAfterTransition", Race(&["vkCmdClearColorImage", "given another layout"]), |l| {
        l.ready();
        l.run(|c| {
            l.image_barrier(c, 0, CHANGE, (NONE, A::empty()), SHADER_READ);
            l.clear(c, 0);
        });
    }),
    ("WriteToImageBehindTransition", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.image_barrier(c, 0, CHANGE, (NONE, A::empty()), FILL);
            l.clear(c, 0);
        });
    }),
    ("LayoutTransitionAfterLayoutTransition", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.image_barrier(c, 0, CHANGE, (NONE, A::empty()), COPIED);
            l.image_barrier(c, 0, CHANGE, COPIED, FILL);
            l.clear(c, 0);
        });
    }),
    ("RacingHazardBetweenLayoutTransitions", Race(&["given another layout"]), |l| {
        l.ready();
        l.run(|c| {
            l.image_barrier(c, 0, CHANGE, (NONE, A::empty()), COPIED);
            l.image_barrier(c, 0, CHANGE, (NONE, A::empty()), FILL);
        });
    }),
    ("LayoutTransitionWithAlreadyAvailableImage", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.clear(c, 0);
            l.barrier(c, FILL, (S::TRANSFER, A::empty()));
            l.image_barrier(c, 0, CHANGE, (S::TRANSFER, A::empty()), COPIED);
            l.copy_out(c, 0, 0);
        });
    }),
    ("BarrierOfAnotherImage", Race(&["available"]), |l| {
        l.ready();
        l.run(|c| {
            l.clear(c, 0);
            l.image_barrier(c, 1, [L::GENERAL; 2], FILL, COPIED);
            l.copy_out(c, 0, 0);
        });
    }),
];

/// Barriers one behind another, and events.
const CHAINS: &[Case] = &[
    ("SeparateAvailabilityAndVisibilityForBuffer", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, (S::COMPUTE_SHADER, A::empty()));
            l.barrier(c, (S::COMPUTE_SHADER, A::empty()), COPIED);
            l.copy(c, 0, 1);
        });
    }),
    ("AvailabilityWithoutVisibilityForBuffer", Race(&["dstAccessMask"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, (S::TRANSFER, A::empty()));
            l.copy(c, 0, 1);
        });
    }),
    ("BrokenChain", Race(&["vkCmdCopyBuffer"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, (S::COMPUTE_SHADER, A::empty()));
            l.barrier(c, (S::VERTEX_SHADER, A::empty()), COPIED);
            l.copy(c, 0, 1);
        });
    }),
    ("ChainGlobalBarrierWithBufferBarrier", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, COPIED);
            l.buffer_barrier(c, (0, 0, N), COPIED, COPIED);
            l.copy(c, 0, 1);
        });
    }),
    ("CmdPipelineBarrierExecutionDependency", Race(&["srcAccessMask"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.wait(c, S::TRANSFER, S::TRANSFER);
            l.copy(c, 0, 1);
        });
    }),
    ("CmdPipelineBarrier2IndependentBarriers", Race(&["vkCmdCopyBuffer"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barriers2(c, &[(FILL, SHADER_READ), (SHADER_READ, COPIED)]);
            l.copy(c, 0, 1);
        });
    }),
    ("BarriersOneBehindTheOther", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barriers2(c, &[(FILL, SHADER_READ)]);
            l.barriers2(c, &[(SHADER_READ, COPIED)]);
            l.copy(c, 0, 1);
        });
    }),
    ("TopOfPipeWaitsForNothing", Race(&["no barrier between them waits for"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, (NONE, A::empty()), COPIED);
            l.copy(c, 0, 1);
        });
    }),
    ("ApplyManyGlobalBarriers", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            (0..50).for_each(|_| l.barrier(c, ALL, ALL));
            l.copy(c, 0, 1);
        });
    }),
    ("EventsBufferCopy", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            let e = l.set(c, S::TRANSFER);
            l.wait_event(c, e, FILL, COPIED);
            l.copy(c, 0, 1);
        });
    }),
    ("EventSetTooEarly", Race(&["vkCmdFillBuffer"]), |l| {
        l.ready();
        l.run(|c| {
            let e = l.set(c, S::TRANSFER);
            l.fill(c, 0);
            l.wait_event(c, e, FILL, COPIED);
            l.copy(c, 0, 1);
        });
    }),
    ("EventWithWrongStage", Race(&["vkCmdFillBuffer"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            let e = l.set(c, S::COMPUTE_SHADER);
            l.wait_event(c, e, SHADER_WRITE, COPIED);
            l.copy(c, 0, 1);
        });
    }),
    ("EventWithWrongAccess", Race(&["dstAccessMask"]), |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            let e = l.set(c, S::TRANSFER);
            l.wait_event(c, e, FILL, FILL);
            l.copy(c, 0, 1);
        });
    }),
    ("Event2BufferCopy", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            l.event2(c, (FILL, COPIED), || ());
            l.copy(c, 0, 1);
        });
    }),
    ("Event2DoesNotCoverWhatComesBetween", Race(&["vkCmdFillBuffer"]), |l| {
        l.ready();
        l.run(|c| {
            l.event2(c, (FILL, COPIED), || l.fill(c, 0));
            l.copy(c, 0, 1);
        });
    }),
    ("VertexBufferWithEventSync", Nothing, |l| {
        l.ready();
        l.run(|c| {
            l.fill(c, 0);
            let e = l.set(c, S::TRANSFER);
            l.wait_event(c, e, FILL, VERTEX);
            l.plain(c, || l.draw_vertices(c, 0));
        });
    }),
];

/// Attachments of dynamic rendering.
const RENDERING: &[Case] = &[
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
const PASSES: &[Case] = &[
    ("RenderPassLoadHazardVsInitialLayout", Race(&["vkCmdBeginRenderPass", "given another layout"]), |l| {
        passes(l, &[], |c, _| l.clear(c, 0));
    }),
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
    ("SubpassMultiDep", Race(&["given another layout", "vkCmdNextSubpass"]), |l| {
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

/// Queues, semaphores, fences, the host.
const QUEUES: &[Case] = &[
    ("QSBufferCopyHazards", Race(&["submission"]), |l| {
        l.submit(0, None, None, |c| l.fill(c, 0));
        l.submit(0, None, None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("QSBufferCopyBehindBarrier", Nothing, |l| {
        l.submit(0, None, None, |c| {
            l.fill(c, 0);
            l.barrier(c, FILL, COPIED);
        });
        l.submit(0, None, None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("QSBufferCopyVsIdle", Nothing, |l| {
        l.submit(0, None, None, |c| l.fill(c, 0));
        l.idle();
        l.submit(0, None, None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("QSBufferCopyVsFence", Nothing, |l| {
        l.run(|c| l.fill(c, 0));
        l.submit(1, None, None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("QSWriteRacingWrite", Race(&["no semaphore and no fence"]), |l| {
        l.submit(0, None, None, |c| l.copy(c, 0, 2));
        l.submit(1, None, None, |c| l.copy(c, 1, 2));
        l.idle();
    }),
    ("QSWriteRacingRead", Race(&["no semaphore and no fence"]), |l| {
        l.submit(0, None, None, |c| l.copy(c, 0, 1));
        l.submit(1, None, None, |c| l.fill(c, 0));
        l.idle();
    }),
    ("SemaphoreScopeIncludesAllAccessesTwoQueues", Nothing, |l| {
        let s = l.semaphore();
        l.submit(0, None, Some(s), |c| l.fill(c, 0));
        l.submit(1, Some((s, S::TRANSFER)), None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("WaitStageMismatchTwoQueues", Race(&["vkCmdCopyBuffer"]), |l| {
        let s = l.semaphore();
        l.submit(0, None, Some(s), |c| l.fill(c, 0));
        l.submit(1, Some((s, S::COMPUTE_SHADER)), None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("BinaryWaitWithTopOfPipeStage", Nothing, |l| {
        let s = l.semaphore();
        l.submit(0, None, Some(s), |c| l.fill(c, 0));
        l.submit(1, Some((s, S::TOP_OF_PIPE)), None, |c| {
            l.barrier(c, (S::ALL_COMMANDS, A::empty()), COPIED);
            l.copy(c, 0, 1);
        });
        l.idle();
    }),
    ("SemaphoreOfAnotherSubmission", Race(&["no semaphore and no fence"]), |l| {
        let s = l.semaphore();
        l.submit(0, None, Some(s), |c| l.fill(c, 1));
        l.submit(0, None, None, |c| l.fill(c, 0));
        l.submit(1, Some((s, S::ALL_COMMANDS)), None, |c| l.copy(c, 0, 2));
        l.idle();
    }),
    ("WaitAfterSignalTwoQueues", Nothing, |l| {
        let s = l.counter();
        l.submit_counted(0, s, [None, Some(1)], |c| l.fill(c, 0));
        l.submit_counted(1, s, [Some(1), None], |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("WaitBeforeSignal", Nothing, |l| {
        let s = l.counter();
        l.submit_counted(1, s, [Some(1), None], |c| l.copy(c, 0, 1));
        l.submit_counted(0, s, [None, Some(1)], |c| l.fill(c, 0));
        l.idle();
    }),
    ("WaitInitialValueTwoQueues", Race(&["no semaphore and no fence"]), |l| {
        let s = l.counter();
        l.submit_counted(0, s, [None, Some(1)], |c| l.fill(c, 0));
        l.submit_counted(1, s, [Some(0), None], |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("WaitSmallerValue", Race(&["no semaphore and no fence"]), |l| {
        let s = l.counter();
        l.submit_counted(0, s, [None, Some(1)], |_| ());
        l.submit_counted(0, s, [None, Some(2)], |c| l.fill(c, 0));
        l.submit_counted(1, s, [Some(1), None], |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("HostWaitsForCounter", Nothing, |l| {
        let s = l.counter();
        l.submit_counted(0, s, [None, Some(1)], |c| l.fill(c, 0));
        l.wait_counter(s, 1);
        l.submit(1, None, None, |c| l.copy(c, 0, 1));
        l.idle();
    }),
    ("WriteSameLocationFromTwoSubmits", Race(&["vkCmdDispatch"]), |l| {
        l.ready();
        l.submit(0, None, None, |c| l.sum(c, N));
        l.submit(0, None, None, |c| l.sum(c, N));
        l.idle();
    }),
    ("BufferCopySecondary", Race(&["of a secondary command buffer"]), |l| {
        let second = l.secondary(|c| l.copy(c, 0, 1));
        l.run(|c| {
            l.fill(c, 0);
            l.execute(c, second);
        });
    }),
    ("BufferCopySecondaryBehindBarrier", Nothing, |l| {
        let second = l.secondary(|c| l.copy(c, 0, 1));
        l.run(|c| {
            l.fill(c, 0);
            l.barrier(c, FILL, COPIED);
            l.execute(c, second);
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

/// A render pass on picture 0: it is cleared and drawn to in the first subpass, and an input attachment of the second; with
/// what is recorded before and behind it.
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
    // SAFETY: valid usage of Vulkan, but for what is to be found.
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

/// What is heard of a case in a process of its own whose commands are checked.
fn heard(test: &str, case: &str) -> Vec<String> {
    let out = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, case)
        .env("QUADRILLE_CHECK", "1")
        .output()
        .unwrap();
    let lines = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "{case}: {lines}{}", String::from_utf8_lossy(&out.stderr));
    lines.lines().filter_map(|l| l.split_once("heard ")).map(|(_, heard)| heard.to_owned()).collect()
}

/// Every case of a table, by the name of its test.
fn check(test: &str, cases: &[Case]) {
    if let Some(name) = std::env::var_os(CHILD) {
        let name = name.to_string_lossy();
        let case = cases.iter().find(|(n, ..)| *n == name).expect("a case");
        return (case.2)(&std::mem::ManuallyDrop::new(Lab::new()));
    }
    let wrong = cases.iter().filter_map(|(name, expected, _)| {
        let found = heard(test, name);
        let right = match expected {
            Nothing => found.is_empty(),
            Race(words) => found.iter().any(|f| words.iter().all(|w| f.contains(w))),
        };
        (!right).then(|| format!("{name}: {found:#?}"))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn buffers() {
    check("buffers", BUFFERS);
}

#[test]
fn fetches() {
    check("fetches", FETCHES);
}

#[test]
fn images() {
    check("images", IMAGES);
}

#[test]
fn chains() {
    check("chains", CHAINS);
}

#[test]
fn rendering() {
    check("rendering", RENDERING);
}

#[test]
fn passes_and_subpasses() {
    check("passes_and_subpasses", PASSES);
}

#[test]
fn queues() {
    check("queues", QUEUES);
}
