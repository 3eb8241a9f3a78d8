//! Shader binding tables of a pipeline in a buffer.

use quadrille_raster::ray_tracing::Region;

use super::groups::{Groups, Record};
use crate::command::ShaderBindingTables;
use crate::device::Device;
use crate::error::Result;
use crate::flags::BufferUsage;
use crate::limits::LIMITS;
use crate::pipeline::RayTracingPipeline;
use crate::resource::buffer::Buffer;

/// Shader binding tables with their memory.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Regions of the memory, for commands that trace rays.
    pub tables: ShaderBindingTables,
    /// The buffer, which must live until the commands have run.
    pub memory: Buffer,
}

/// Writes the records of shader groups to a buffer.
///
/// # Errors
/// Those of buffers; `Invalid` if the pipeline lacks a group.
pub fn tables(device: &Device, pipeline: &RayTracingPipeline, groups: &Groups) -> Result<Tables> {
    let mut bytes = Vec::new();
    let mut regions = [Region::default(); 4];
    let alignment = LIMITS.shader_group_handle_alignment as usize;
    let base = LIMITS.shader_group_base_alignment as usize;
    let raygen = std::slice::from_ref(&groups.raygen);
    for (region, records) in
        regions.iter_mut().zip([raygen, &groups.miss[..], &groups.hit[..], &groups.callable[..]])
    {
        if records.is_empty() {
            continue;
        }
        let data = records.iter().map(|record| record.data.len()).max().unwrap_or(0);
        let stride = (LIMITS.shader_group_handle_size as usize + data).next_multiple_of(alignment);
        bytes.resize(bytes.len().next_multiple_of(base), 0);
        let start = bytes.len();
        for (k, Record { group, data }) in records.iter().enumerate() {
            bytes.extend(pipeline.group_handle(*group)?);
            bytes.extend(data);
            bytes.resize(start + (k + 1) * stride, 0);
        }
        *region =
            Region { address: start as u64, stride: stride as u64, size: (stride * records.len()) as u64 };
    }
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    let usage = BufferUsage::SHADER_BINDING_TABLE | BufferUsage::SHADER_DEVICE_ADDRESS;
    let memory = device.create_buffer_with(&bytes, usage)?;
    let address = memory.device_address()?;
    for region in regions.iter_mut().filter(|region| region.size > 0) {
        region.address += address;
    }
    let [raygen, miss, hit, callable] = regions;
    Ok(Tables { tables: ShaderBindingTables { raygen, miss, hit, callable }, memory })
}
