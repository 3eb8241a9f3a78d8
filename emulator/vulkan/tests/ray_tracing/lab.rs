//! A device with ray tracing pipelines, their shader binding tables, and a grid of results.

use std::ffi::CStr;

use ash::prelude::VkResult;
use ash::vk;

use super::common::Mapped;
use super::scene::{Scene, Structure, Type, instance, instances_at};

const EXTENSIONS: [&CStr; 8] = [
    c"VK_KHR_ray_tracing_pipeline",
    c"VK_KHR_pipeline_library",
    c"VK_EXT_pipeline_library_group_handles",
    c"VK_KHR_maintenance5",
    c"VK_KHR_maintenance6",
    c"VK_KHR_pipeline_binary",
    c"VK_EXT_device_generated_commands",
    c"VK_EXT_conditional_rendering",
];

const ADDRESS: vk::BufferUsageFlags = vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
pub const RAYS: vk::PipelineBindPoint = vk::PipelineBindPoint::RAY_TRACING_KHR;

/// Number of cells of the results.
pub const CELLS: usize = 64;
/// Distance between records, in bytes.
pub const STRIDE: u64 = 64;

pub type Stage = vk::ShaderStageFlags;
pub type Group = vk::RayTracingShaderGroupCreateInfoKHR<'static>;
pub type Handle = [u8; 32];
/// Push constants: miss index, offset and stride of hit groups, ray flags.
pub type Push = [u32; 4];
/// A record: handle and the number behind it.
pub type Record = (Handle, u32);

pub const GRID: (Stage, &str) = (Stage::RAYGEN_KHR, include_str!("../shaders/grid.rgen.spvasm"));
pub const MISS: (Stage, &str) = (Stage::MISS_KHR, include_str!("../shaders/record.rmiss.spvasm"));
pub const HIT: (Stage, &str) = (Stage::CLOSEST_HIT_KHR, include_str!("../shaders/record.rchit.spvasm"));
pub const SIEVE: (Stage, &str) = (Stage::ANY_HIT_KHR, include_str!("../shaders/sieve.rahit.spvasm"));
pub const SLAB: (Stage, &str) = (Stage::INTERSECTION_KHR, include_str!("../shaders/slab.rint.spvasm"));
pub const SLAB_HIT: (Stage, &str) = (Stage::CLOSEST_HIT_KHR, include_str!("../shaders/slab.rchit.spvasm"));
pub const MIRROR: (Stage, &str) = (Stage::CLOSEST_HIT_KHR, include_str!("../shaders/mirror.rchit.spvasm"));
pub const CALLER: (Stage, &str) = (Stage::RAYGEN_KHR, include_str!("../shaders/call.rgen.spvasm"));
pub const CALLABLE: (Stage, &str) = (Stage::CALLABLE_KHR, include_str!("../shaders/call.rcall.spvasm"));
pub const GROUPS: (Stage, &str) = (Stage::RAYGEN_KHR, include_str!("../shaders/groups.rgen.spvasm"));

/// A group of a ray generation, miss or callable shader.
pub fn general(shader: u32) -> Group {
    Group::default()
        .ty(vk::RayTracingShaderGroupTypeKHR::GENERAL)
        .general_shader(shader)
        .closest_hit_shader(vk::SHADER_UNUSED_KHR)
        .any_hit_shader(vk::SHADER_UNUSED_KHR)
        .intersection_shader(vk::SHADER_UNUSED_KHR)
}

/// A group for hits on triangles.
pub fn hits(closest_hit: Option<u32>, any_hit: Option<u32>) -> Group {
    general(vk::SHADER_UNUSED_KHR)
        .ty(vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP)
        .closest_hit_shader(closest_hit.unwrap_or(vk::SHADER_UNUSED_KHR))
        .any_hit_shader(any_hit.unwrap_or(vk::SHADER_UNUSED_KHR))
}

/// A pipeline to be created.
#[derive(Clone)]
pub struct Desc<'a> {
    pub stages: &'a [(Stage, &'a str)],
    pub groups: Vec<Group>,
    pub depth: u32,
    pub flags: vk::PipelineCreateFlags,
    pub libraries: Vec<vk::Pipeline>,
    /// Layout of the pipeline; `None` for the layout of the lab.
    pub layout: Option<vk::PipelineLayout>,
}

impl<'a> Desc<'a> {
    pub fn new(stages: &'a [(Stage, &'a str)], groups: &[Group]) -> Desc<'a> {
        let flags = vk::PipelineCreateFlags::empty();
        Desc { stages, groups: groups.to_vec(), depth: 1, flags, libraries: Vec::new(), layout: None }
    }
}

/// A shader binding table in a buffer.
pub struct Table {
    pub memory: Mapped,
    pub region: vk::StridedDeviceAddressRegionKHR,
}

/// A device with a layout of the scene and the results.
pub struct Lab {
    pub scene: Scene,
    pub rt: ash::khr::ray_tracing_pipeline::Device,
    pub indirect2: ash::khr::ray_tracing_maintenance1::Device,
    pub maintenance6: ash::khr::maintenance6::Device,
    pub layout: vk::PipelineLayout,
    pub set_layout: vk::DescriptorSetLayout,
    pub pool: vk::DescriptorPool,
    pub set: vk::DescriptorSet,
    pub out: Mapped,
}

impl Lab {
    pub fn new() -> Lab {
        let mut pipelines = vk::PhysicalDeviceRayTracingPipelineFeaturesKHR::default()
            .ray_tracing_pipeline(true)
            .ray_tracing_pipeline_trace_rays_indirect(true)
            .ray_tracing_pipeline_shader_group_handle_capture_replay(true)
            .ray_tracing_pipeline_shader_group_handle_capture_replay_mixed(true)
            .ray_traversal_primitive_culling(true);
        let mut handles = vk::PhysicalDevicePipelineLibraryGroupHandlesFeaturesEXT::default()
            .pipeline_library_group_handles(true);
        let mut maintenance5 = vk::PhysicalDeviceMaintenance5FeaturesKHR::default().maintenance5(true);
        let mut maintenance6 = vk::PhysicalDeviceMaintenance6FeaturesKHR::default().maintenance6(true);
        let mut cache = vk::PhysicalDevicePipelineCreationCacheControlFeatures::default()
            .pipeline_creation_cache_control(true);
        let mut conditional =
            vk::PhysicalDeviceConditionalRenderingFeaturesEXT::default().conditional_rendering(true);
        let scene = Scene::with(&EXTENSIONS, |info| {
            info.push_next(&mut pipelines)
                .push_next(&mut conditional)
                .push_next(&mut handles)
                .push_next(&mut maintenance5)
                .push_next(&mut maintenance6)
                .push_next(&mut cache)
        });
        let types = [vk::DescriptorType::ACCELERATION_STRUCTURE_KHR, vk::DescriptorType::STORAGE_BUFFER];
        let binding = |i: usize| {
            let binding = vk::DescriptorSetLayoutBinding::default().binding(i as u32).descriptor_count(1);
            binding.descriptor_type(types[i]).stage_flags(Stage::ALL)
        };
        let bindings = [binding(0), binding(1)];
        let sizes = types.map(|ty| vk::DescriptorPoolSize { ty, descriptor_count: 1 });
        let push = [vk::PushConstantRange { stage_flags: Stage::ALL, offset: 0, size: 16 }];
        let out = scene.gpu.buffer(CELLS as u64 * 16, vk::BufferUsageFlags::STORAGE_BUFFER | ADDRESS);
        let (i, d) = (&scene.gpu.instance, &scene.gpu.device);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let set_layout = d.create_descriptor_set_layout(&info, None).unwrap();
            let layouts = [set_layout];
            let info =
                vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(&push);
            let layout = d.create_pipeline_layout(&info, None).unwrap();
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = d.create_descriptor_pool(&info, None).unwrap();
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let set = d.allocate_descriptor_sets(&info).unwrap()[0];
            let rt = ash::khr::ray_tracing_pipeline::Device::new(i, d);
            let maintenance6 = ash::khr::maintenance6::Device::new(i, d);
            let indirect2 = ash::khr::ray_tracing_maintenance1::Device::new(i, d);
            Lab { scene, rt, indirect2, maintenance6, layout, set_layout, pool, set, out }
        }
    }

    /// Writes the descriptors.
    pub fn look_at(&self, top: Option<&Structure>) {
        let structures = [top.map_or(vk::AccelerationStructureKHR::null(), |top| top.handle)];
        let buffers = [vk::DescriptorBufferInfo::default().buffer(self.out.buffer).range(vk::WHOLE_SIZE)];
        let mut written =
            vk::WriteDescriptorSetAccelerationStructureKHR::default().acceleration_structures(&structures);
        let mut first = vk::WriteDescriptorSet::default()
            .dst_set(self.set)
            .descriptor_type(vk::DescriptorType::ACCELERATION_STRUCTURE_KHR)
            .push_next(&mut written);
        first.descriptor_count = 1;
        let second = vk::WriteDescriptorSet::default()
            .dst_set(self.set)
            .dst_binding(1)
            .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
            .buffer_info(&buffers);
        // SAFETY: valid usage of Vulkan: the objects are live, and no work on the device uses the set.
        unsafe { self.scene.gpu.device.update_descriptor_sets(&[first, second], &[]) };
    }

    /// Creates a pipeline with `create`, which gets its create info.
    pub fn create<T>(
        &self,
        desc: &Desc<'_>,
        create: impl FnOnce(vk::RayTracingPipelineCreateInfoKHR<'_>) -> T,
    ) -> T {
        let d = &self.scene.gpu.device;
        let modules: Vec<_> = desc.stages.iter().map(|(_, text)| self.scene.gpu.shader(text)).collect();
        let stage = |((flag, _), module): (&(Stage, &str), &vk::ShaderModule)| {
            vk::PipelineShaderStageCreateInfo::default().stage(*flag).module(*module).name(c"main")
        };
        let stages: Vec<_> = desc.stages.iter().zip(&modules).map(stage).collect();
        let libraries = vk::PipelineLibraryCreateInfoKHR::default().libraries(&desc.libraries);
        let interface = vk::RayTracingPipelineInterfaceCreateInfoKHR::default()
            .max_pipeline_ray_payload_size(16)
            .max_pipeline_ray_hit_attribute_size(8);
        let info = vk::RayTracingPipelineCreateInfoKHR::default()
            .flags(desc.flags)
            .stages(&stages)
            .groups(&desc.groups)
            .max_pipeline_ray_recursion_depth(desc.depth)
            .library_info(&libraries)
            .library_interface(&interface)
            .layout(desc.layout.unwrap_or(self.layout));
        let made = create(info);
        // SAFETY: valid usage of Vulkan: pipelines do not need their modules.
        modules.into_iter().for_each(|module| unsafe { d.destroy_shader_module(module, None) });
        made
    }

    pub fn try_pipeline(&self, desc: &Desc<'_>) -> VkResult<vk::Pipeline> {
        let none = (vk::DeferredOperationKHR::null(), vk::PipelineCache::null());
        self.create(desc, |info| {
            // SAFETY: the create info is well-formed and its handles are live; the driver checks its indices.
            let made = unsafe { self.rt.create_ray_tracing_pipelines(none.0, none.1, &[info], None) };
            made.map(|all| all[0]).map_err(|(_, code)| code)
        })
    }

    pub fn pipeline(&self, desc: &Desc<'_>) -> vk::Pipeline {
        self.try_pipeline(desc).unwrap()
    }

    pub fn destroy(&self, pipeline: vk::Pipeline) {
        // SAFETY: no work on the device uses the pipeline.
        unsafe { self.scene.gpu.device.destroy_pipeline(pipeline, None) };
    }

    /// Handles of the first groups of a pipeline.
    pub fn handles(&self, pipeline: vk::Pipeline, count: u32) -> Vec<Handle> {
        // SAFETY: valid usage of Vulkan: the pipeline is live.
        let bytes =
            unsafe { self.rt.get_ray_tracing_shader_group_handles(pipeline, 0, count, 32 * count as usize) };
        bytes.unwrap().as_chunks::<32>().0.to_vec()
    }

    /// A table of records, each 64 bytes long.
    pub fn table(&self, records: &[Record]) -> Table {
        let mut bytes = vec![0u8; (records.len() * STRIDE as usize).max(64)];
        for ((handle, number), at) in records.iter().zip(bytes.chunks_mut(STRIDE as usize)) {
            at[..32].copy_from_slice(handle);
            at[32..36].copy_from_slice(&number.to_le_bytes());
        }
        let usage = vk::BufferUsageFlags::SHADER_BINDING_TABLE_KHR | ADDRESS;
        let memory = self.scene.gpu.buffer(bytes.len() as u64, usage);
        memory.write(&bytes);
        let region = vk::StridedDeviceAddressRegionKHR {
            device_address: self.scene.address(&memory),
            stride: STRIDE,
            size: records.len() as u64 * STRIDE,
        };
        Table { memory, region }
    }

    /// Records commands with the pipeline and the set bound, runs them, and returns the cells.
    pub fn run(
        &self,
        pipeline: vk::Pipeline,
        push: Push,
        record: impl FnOnce(vk::CommandBuffer),
    ) -> Vec<[f32; 4]> {
        let d = &self.scene.gpu.device;
        self.out.write(&[0u8; CELLS * 16]);
        let bytes: Vec<u8> = push.iter().flat_map(|word| word.to_le_bytes()).collect();
        // SAFETY: valid usage of Vulkan: all objects of the commands are live.
        self.scene.gpu.run(|cmd| unsafe {
            d.cmd_bind_pipeline(cmd, RAYS, pipeline);
            d.cmd_bind_descriptor_sets(cmd, RAYS, self.layout, 0, &[self.set], &[]);
            d.cmd_push_constants(cmd, self.layout, Stage::ALL, 0, &bytes);
            record(cmd);
        });
        self.out.read::<[f32; 4]>()
    }

    /// Traces rays with these regions: ray generation, miss, hit and callable.
    pub fn trace(
        &self,
        pipeline: vk::Pipeline,
        push: Push,
        [raygen, miss, hit, callable]: [&vk::StridedDeviceAddressRegionKHR; 4],
        [width, height, depth]: [u32; 3],
    ) -> Vec<[f32; 4]> {
        self.run(pipeline, push, |cmd| {
            // SAFETY: recording has begun; the driver checks the regions.
            unsafe { self.rt.cmd_trace_rays(cmd, raygen, miss, hit, callable, width, height, depth) };
        })
    }

    /// A top level of a bottom level with one box.
    pub fn boxes(&self) -> [Structure; 2] {
        let input = self.scene.input(&[0.0f32, 0.0, -1.0, 1.0, 1.0, 0.5]);
        let data = vk::DeviceOrHostAddressConstKHR { device_address: self.scene.address(&input) };
        let aabbs = vk::AccelerationStructureGeometryAabbsDataKHR::default().data(data).stride(24);
        let geometry = [vk::AccelerationStructureGeometryKHR::default()
            .geometry_type(vk::GeometryTypeKHR::AABBS)
            .geometry(vk::AccelerationStructureGeometryDataKHR { aabbs })];
        let bottom = self.build(Type::BOTTOM_LEVEL, &geometry, 1);
        input.destroy(&self.scene.gpu);
        let top = self.instances(&[instance(self.scene.address_of(&bottom), 0.0, 0)]);
        [bottom, top]
    }

    /// A top level of these instances.
    pub fn instances(&self, words: &[[u32; 16]]) -> Structure {
        let input = self.scene.input(words);
        let geometry = [instances_at(self.scene.address(&input))];
        let top = self.build(Type::TOP_LEVEL, &geometry, words.len() as u32);
        input.destroy(&self.scene.gpu);
        top
    }

    /// Builds a structure on the device.
    pub fn build(
        &self,
        ty: Type,
        geometry: &[vk::AccelerationStructureGeometryKHR<'_>],
        count: u32,
    ) -> Structure {
        let info = vk::AccelerationStructureBuildGeometryInfoKHR::default().ty(ty).geometries(geometry);
        let structure = self.scene.fitting(&info, &[count]);
        self.scene.build(&self.scene.with_dst(info, &structure), &[count]);
        structure
    }

    /// Destroys the tables.
    pub fn drop_tables(&self, tables: impl IntoIterator<Item = Table>) {
        tables.into_iter().for_each(|table| table.memory.destroy(&self.scene.gpu));
    }

    /// Destroys the device.
    pub fn end(self) {
        let d = &self.scene.gpu.device;
        // SAFETY: no work on the device uses the objects.
        unsafe {
            d.destroy_descriptor_pool(self.pool, None);
            d.destroy_pipeline_layout(self.layout, None);
            d.destroy_descriptor_set_layout(self.set_layout, None);
        }
        self.out.destroy(&self.scene.gpu);
        self.scene.end();
    }
}
