//! Chapter "Descriptor Heaps": the heaps that a command buffer has bound.

use ash::vk;
use quadrille::heaps::Heap;
use quadrille::{Buffer, CommandBuffer, Resource, Result};

use crate::chain::find;
use crate::newer::{BindHeapInfoEXT, CommandBufferInheritanceDescriptorHeapInfoEXT};

/// Where in a buffer a heap is, and how many bytes it has.
type BoundHeap = Option<(Buffer, u64, u64)>;

/// The heaps that are bound, by number.
#[derive(Default)]
pub struct BoundHeaps([BoundHeap; 2]);

impl BoundHeaps {
    /// Notes a heap.
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

    /// Binds a heap, and the other one as it was.
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
    /// The structure is valid.
    pub unsafe fn inherit(
        &mut self,
        list: &mut CommandBuffer,
        info: &vk::CommandBufferInheritanceInfo<'_>,
    ) -> Result<()> {
        // SAFETY: the caller vouches for the chain and what it points to.
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
