//! Notes of command lists: labels, and the details of barriers, for observers of the device. `notes` records them.

use super::kept::Ref;
use crate::image_layouts::LayoutChange;
use crate::resource::buffer::Buffer;
use crate::resource::copies::SubresourceRange;
use crate::resource::image::Image;
use crate::sync::Event;

/// Stages and accesses before and after a barrier. The values are bits of VkPipelineStageFlagBits2 and
/// VkAccessFlagBits2. Spec: Vulkan, VkMemoryBarrier2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dependency {
    /// First synchronization scope: stages that must complete before the barrier.
    pub src_stages: u64,
    /// First access scope: accesses whose writes become available.
    pub src_access: u64,
    /// Second synchronization scope: stages that wait for the barrier.
    pub dst_stages: u64,
    /// Second access scope: accesses that see the available writes.
    pub dst_access: u64,
}

/// A barrier: its dependency and the memory that it covers.
#[derive(Clone, Copy, Debug)]
pub struct Barrier<'a> {
    /// The stages and accesses.
    pub dependency: Dependency,
    /// The memory that the barrier covers.
    pub of: BarrierOf<'a>,
}

/// The memory that a barrier covers.
#[derive(Clone, Copy, Debug)]
pub enum BarrierOf<'a> {
    /// All memory.
    Memory,
    /// Bytes of a buffer.
    Buffer {
        /// The buffer.
        buffer: &'a Buffer,
        /// Offset of the first byte.
        offset: u64,
        /// Size in bytes; `u64::MAX` means up to the end of the buffer.
        size: u64,
    },
    /// Texels of an image.
    Image {
        /// The image.
        image: &'a Image,
        /// The image subresources.
        range: SubresourceRange,
        /// Layouts before and after the barrier, as values of VkImageLayout.
        layouts: [i32; 2],
    },
}

/// Recorded form of a barrier.
pub(crate) struct NotedBarrier {
    pub dependency: Dependency,
    pub of: NotedOf,
    /// The event that the barrier waits for: its first scope is the commands before the event was set.
    pub event: Option<Ref<Event>>,
}

/// Recorded form of [`BarrierOf`].
pub(crate) enum NotedOf {
    Memory,
    Buffer { buffer: Ref<Buffer>, offset: u64, size: u64 },
    Image { image: Ref<Image>, range: SubresourceRange, layouts: [i32; 2] },
}

/// Texels of an image and the layout of a change or a use, with references into the list.
pub(crate) struct NotedLayout {
    pub image: Ref<Image>,
    pub range: SubresourceRange,
    pub change: LayoutChange,
}

/// Information for observers, without an effect.
pub(crate) enum Note {
    BeginLabel(Box<str>),
    EndLabel,
    InsertLabel(Box<str>),
    Barriers(Vec<NotedBarrier>),
    /// Stages that the next event set waits for, as bits of VkPipelineStageFlagBits2.
    SetBehind(u64),
    /// Layouts that images must have for the next command.
    Layouts(Vec<NotedLayout>),
}
