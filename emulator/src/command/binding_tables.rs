//! Parameters of commands that trace rays: shader binding tables and sizes, given or in memory.

use quadrille_raster::ray_tracing::Region;

use crate::device::Device;
use crate::error::{Result, ensure};
use crate::limits::{LIMITS, at_most};
use crate::resource::buffer::Buffer;

/// Shader binding tables of a trace command. Spec: Vulkan, vkCmdTraceRaysKHR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShaderBindingTables {
    /// The record of the ray generation shader; its size is its stride.
    pub raygen: Region,
    /// Records of miss shaders.
    pub miss: Region,
    /// Records of hit groups.
    pub hit: Region,
    /// Records of callable shaders.
    pub callable: Region,
}

/// Source of the parameters of a trace command.
#[derive(Clone, Copy)]
pub(crate) enum TraceSource {
    /// Tables and size.
    Direct(ShaderBindingTables, [u32; 3]),
    /// Tables, and a device address with the size.
    Size(ShaderBindingTables, u64),
    /// A device address with tables and size: a VkTraceRaysIndirectCommand2KHR.
    Everything(u64),
}

/// Size in bytes of a VkTraceRaysIndirectCommand2KHR.
pub(super) const EVERYTHING_BYTES: u64 = 104;

impl ShaderBindingTables {
    /// Checks addresses, strides and sizes. Spec: Vulkan, valid usage of vkCmdTraceRaysKHR.
    pub(super) fn check(&self) -> Result<()> {
        let [base, handle] =
            [LIMITS.shader_group_base_alignment, LIMITS.shader_group_handle_alignment].map(u64::from);
        ensure(self.raygen.stride == self.raygen.size, || {
            "the region of the ray generation shader has another size than stride".into()
        })?;
        for (what, region) in [
            ("ray generation", self.raygen),
            ("miss", self.miss),
            ("hit", self.hit),
            ("callable", self.callable),
        ] {
            ensure(region.address.is_multiple_of(base), || {
                format!("{what} records at {:#x}, which is not a multiple of {base}", region.address)
            })?;
        }
        // There is only one record of a ray generation shader, so that its stride may have any value.
        for (what, region) in [("miss", self.miss), ("hit", self.hit), ("callable", self.callable)] {
            ensure(region.stride.is_multiple_of(handle), || {
                format!("{what} records {} bytes apart, which is not a multiple of {handle}", region.stride)
            })?;
            at_most("bytes between records", region.stride, LIMITS.max_shader_group_stride.into())?;
        }
        Ok(())
    }
}

impl TraceSource {
    /// The size, if it is known when the command is recorded.
    pub fn size(&self) -> Option<[u32; 3]> {
        match *self {
            TraceSource::Direct(_, size) => Some(size),
            TraceSource::Size(..) | TraceSource::Everything(_) => None,
        }
    }

    /// Tables and size. `None` if the size exceeds the limit, so that nothing is traced.
    pub fn read(&self, device: &Device) -> Result<Option<(ShaderBindingTables, [u32; 3])>> {
        let (tables, size) = match *self {
            TraceSource::Direct(tables, size) => (tables, size),
            TraceSource::Size(tables, address) => {
                let words = words(device, address, 12)?;
                (tables, [words[0], words[1], words[2]])
            }
            TraceSource::Everything(address) => {
                let words = words(device, address, EVERYTHING_BYTES)?;
                everything(&std::array::from_fn(|i| words.get(i).copied().unwrap_or(0)))
            }
        };
        let total = size.iter().map(|&n| u64::from(n)).try_fold(1, u64::checked_mul);
        let fits = total.is_some_and(|n| n <= LIMITS.max_ray_dispatch_invocation_count.into());
        Ok(fits.then_some((tables, size)))
    }
}

/// Tables and size of a trace. Spec: Vulkan, VkTraceRaysIndirectCommand2KHR.
pub(super) fn everything(words: &[u32; EVERYTHING_BYTES as usize / 4]) -> (ShaderBindingTables, [u32; 3]) {
    let number = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    let region = |at: usize| {
        let (address, size, stride) = (number(at), number(at + 2), number(at + 4));
        Region { address, stride, size }
    };
    let tables = ShaderBindingTables {
        raygen: Region { address: number(0), stride: number(2), size: number(2) },
        miss: region(4),
        hit: region(10),
        callable: region(16),
    };
    (tables, [words[22], words[23], words[24]])
}

/// Words at a device address; an address without a live buffer gives zeros.
fn words(device: &Device, address: u64, bytes: u64) -> Result<Vec<u32>> {
    match Buffer::at(device, address) {
        Ok((buffer, offset)) if offset.checked_add(bytes).is_some_and(|end| end <= buffer.size()) => {
            buffer.read(offset, (bytes / 4) as usize)
        }
        _ => Ok(vec![0; (bytes / 4) as usize]),
    }
}
