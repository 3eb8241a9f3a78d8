//! Races on buffers: copies, shaders, and the fetches of draws and dispatches.

use ash::vk;
use vk::{AccessFlags as A, PipelineStageFlags as S};

use super::case::Heard::{Nothing, Race};
use super::case::{Case, INDEX, INDIRECT, VERTEX};
use crate::common::lab::{COPIED, FILL, N, SHADER_READ, SHADER_WRITE};

/// Copies and shaders on buffers.
pub const BUFFERS: &[Case] = &[
    ("BufferCopy", Race(&["vkCmdCopyBuffer", "no barrier between them waits for COPY"]), |l| {
        l.ready();
        l.run(|c| {
            l.copy(c, 0, 1);
            l.copy(c, 2, 1);
        });
    }),
    ("BufferCopyWAR", Race(&["is written by", "was read earlier by"]), |l| {
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
    ("RangeOfAnotherBuffer", Race(&["vkCmdFillBuffer"]), |l| l.copy_behind_range(1)),
    ("RangeOfTheBuffer", Nothing, |l| l.copy_behind_range(0)),
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

/// Buffers that draws and dispatches fetch from.
pub const FETCHES: &[Case] = &[
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
