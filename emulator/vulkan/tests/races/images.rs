//! Races on images, and chains of barriers and events.

use ash::vk;
use vk::{AccessFlags as A, ImageLayout as L, PipelineStageFlags as S};

use super::case::Heard::{Nothing, Race};
use super::case::{CHANGE, Case, NONE, VERTEX};
use crate::common::lab::{ALL, COPIED, FILL, N, SHADER_READ, SHADER_WRITE};

/// Copies, clears, blits, layout transitions.
pub const IMAGES: &[Case] = &[
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
    ("ImageCopyHazardsLayoutTransition", Race(&["moved to another layout", "vkCmdPipelineBarrier"]), |l| {
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
    ("WriteToImageAfterTransition", Race(&["vkCmdClearColorImage", "moved to another layout"]), |l| {
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
    ("RacingHazardBetweenLayoutTransitions", Race(&["moved to another layout"]), |l| {
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

/// Chains of barriers, and events.
pub const CHAINS: &[Case] = &[
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
