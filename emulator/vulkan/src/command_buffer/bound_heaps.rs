//! Chapter "Descriptor Heaps": the heaps bound to a command buffer.

use ash::vk;
use quadrille::heaps::Heap;
use quadrille::{Buffer, CommandBuffer, Resource, Result};

use crate::interface::chain::find;
use crate::newer::{BindHeapInfoEXT, CommandBufferInheritanceDescriptorHeapInfoEXT};

/// Buffer, byte offset and size of a heap; `None` if no heap is bound.
type BoundHeap = Option<(Buffer, u64, u64)>;

/// Bound heaps, indexed by [`Heap`].
#[derive(Default)]
pub struct BoundHeaps([BoundHeap; 2]);

impl BoundHeaps {
    /// Records a heap without binding it.
    fn put(&mut self, list: &CommandBuffer, heap: Heap, info: &BindHeapInfoEXT) -> Result<()> {
        let range = info.heap_range;
        self.0[heap as usize] = match range.size {
            0 => None,
            size => {
                let (buffer, offset) = list.buffer_at(range.address)?;
                Some((buffer, offset, size))
            }
        };
        Ok(())
    }

    /// Binds a heap, and binds the other one again.
    pub fn bind(&mut self, list: &mut CommandBuffer, heap: Heap, info: &BindHeapInfoEXT) -> Result<()> {
        self.put(list, heap, info)?;
        self.bind_all(list);
        Ok(())
    }

    fn bind_all(&self, list: &mut CommandBuffer) {
        let heaps = [Heap::Resource, Heap::Sampler].map(|heap| match &self.0[heap as usize] {
            Some((buffer, offset, size)) => Resource::Buffer { buffer, offset: *offset, range: Some(*size) },
            None => Resource::Null,
        });
        list.bind_descriptor_heaps(heaps);
    }

    /// Binds the heaps that a secondary command buffer inherits.
    ///
    /// # Safety
    /// `info` and its chain are valid.
    pub unsafe fn inherit(
        &mut self,
        list: &mut CommandBuffer,
        info: &vk::CommandBufferInheritanceInfo<'_>,
    ) -> Result<()> {
        // SAFETY: the caller promises that the chain and the structures it points to are valid.
        unsafe {
            let Some(heaps) = find::<CommandBufferInheritanceDescriptorHeapInfoEXT>(info.p_next) else {
                return Ok(());
            };
            let given = [
                (Heap::Resource, heaps.p_resource_heap_bind_info.as_ref()),
                (Heap::Sampler, heaps.p_sampler_heap_bind_info.as_ref()),
            ];
            for (heap, info) in given {
                info.map_or(Ok(()), |info| self.put(list, heap, info))?;
            }
            if self.0.iter().any(Option::is_some) {
                self.bind_all(list);
            }
        }
        Ok(())
    }
}
