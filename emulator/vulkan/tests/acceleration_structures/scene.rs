//! A device with acceleration structures, two triangles, and a shader that looks at them from above.

use std::ffi::CStr;

use ash::vk;

use super::common::{Gpu, Mapped};

type BuildInfo<'a> = vk::AccelerationStructureBuildGeometryInfoKHR<'a>;
type Geometry<'a> = vk::AccelerationStructureGeometryKHR<'a>;
type Range = vk::AccelerationStructureBuildRangeInfoKHR;
pub type Type = vk::AccelerationStructureTypeKHR;
pub type Mode = vk::BuildAccelerationStructureModeKHR;

const EXTENSIONS: [&CStr; 15] = [
    c"VK_KHR_buffer_device_address",
    c"VK_EXT_descriptor_indexing",
    c"VK_KHR_deferred_host_operations",
    c"VK_KHR_acceleration_structure",
    c"VK_KHR_shader_float_controls",
    c"VK_KHR_spirv_1_4",
    c"VK_KHR_ray_query",
    c"VK_KHR_ray_tracing_position_fetch",
    c"VK_KHR_ray_tracing_maintenance1",
    c"VK_KHR_push_descriptor",
    c"VK_KHR_synchronization2",
    c"VK_EXT_descriptor_buffer",
    c"VK_EXT_robustness2",
    c"VK_EXT_extended_dynamic_state",
    c"VK_KHR_device_address_commands",
];

/// Result for a ray: distance, primitive, custom index of the instance, and geometry; -1 if nothing is hit.
pub type Hit = [f32; 4];

/// An acceleration structure with its memory.
pub struct Structure {
    pub handle: vk::AccelerationStructureKHR,
    pub storage: Mapped,
}

/// Means by which the shader finds its scene.
#[derive(Clone, Copy, Debug)]
pub enum Binding {
    Set,
    Template,
    Push,
    PushTemplate,
    Buffer,
}

/// A device with the extensions of rays.
pub struct Scene {
    pub gpu: Gpu,
    pub rays: ash::khr::acceleration_structure::Device,
    pub deferred: ash::khr::deferred_host_operations::Device,
    pub push: ash::khr::push_descriptor::Device,
    pub in_buffers: ash::ext::descriptor_buffer::Device,
    /// The shader that looks.
    pub shader: String,
    out: Mapped,
    scratch: Mapped,
}

/// Corners of the lower left half of the unit square at z = 0, and of the upper right half at z = -1.
pub const TRIANGLES: [[f32; 3]; 6] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, -1.0], [0.0, 1.0, -1.0], [1.0, 0.0, -1.0]];

/// Results of rays from z = 1 downwards to [`TRIANGLES`], moved by `z`, in an instance with this custom index.
pub fn expected(z: f32, custom_index: u32) -> Vec<Hit> {
    let custom_index = custom_index as f32;
    let one = |i: usize| {
        let (x, y) = ((i % 8) as f32 / 8.0 + 0.0625, (i / 8) as f32 / 8.0 + 0.0625);
        match x + y <= 1.0 {
            true => [1.0 - z, 0.0, custom_index, 0.0],
            false => [2.0 - z, 1.0, custom_index, 0.0],
        }
    };
    (0..64).map(one).collect()
}

impl Scene {
    pub fn new() -> Scene {
        Scene::with(&[], |info| info)
    }

    /// Creates a device that has these extensions besides; `ask` adds to its create info.
    pub fn with<'a>(
        more: &[&'a CStr],
        ask: impl FnOnce(vk::DeviceCreateInfo<'a>) -> vk::DeviceCreateInfo<'a>,
    ) -> Scene {
        let extensions = [&EXTENSIONS[..], more].concat();
        let mut addresses = vk::PhysicalDeviceBufferDeviceAddressFeatures::default()
            .buffer_device_address(true)
            .buffer_device_address_capture_replay(true);
        let mut structures = vk::PhysicalDeviceAccelerationStructureFeaturesKHR::default()
            .acceleration_structure(true)
            .acceleration_structure_capture_replay(true)
            .acceleration_structure_indirect_build(true)
            .acceleration_structure_host_commands(true)
            .descriptor_binding_acceleration_structure_update_after_bind(true);
        let mut queries = vk::PhysicalDeviceRayQueryFeaturesKHR::default().ray_query(true);
        let mut positions =
            vk::PhysicalDeviceRayTracingPositionFetchFeaturesKHR::default().ray_tracing_position_fetch(true);
        let mut maintenance = vk::PhysicalDeviceRayTracingMaintenance1FeaturesKHR::default()
            .ray_tracing_maintenance1(true)
            .ray_tracing_pipeline_trace_rays_indirect2(true);
        let mut null = vk::PhysicalDeviceRobustness2FeaturesEXT::default().null_descriptor(true);
        let mut in_buffers = vk::PhysicalDeviceDescriptorBufferFeaturesEXT::default().descriptor_buffer(true);
        let gpu = Gpu::with(&extensions, |_| {
            ask(vk::DeviceCreateInfo::default())
                .push_next(&mut addresses)
                .push_next(&mut structures)
                .push_next(&mut queries)
                .push_next(&mut positions)
                .push_next(&mut maintenance)
                .push_next(&mut null)
                .push_next(&mut in_buffers)
        });
        let gpu = gpu.unwrap();
        let (i, d) = (&gpu.instance, &gpu.device);
        let out = gpu.buffer(64 * 32, vk::BufferUsageFlags::STORAGE_BUFFER | ADDRESS);
        let scratch = gpu.buffer(1 << 16, vk::BufferUsageFlags::STORAGE_BUFFER | ADDRESS);
        Scene {
            rays: ash::khr::acceleration_structure::Device::new(i, d),
            deferred: ash::khr::deferred_host_operations::Device::new(i, d),
            push: ash::khr::push_descriptor::Device::new(i, d),
            in_buffers: ash::ext::descriptor_buffer::Device::new(i, d),
            shader: include_str!("../shaders/rays.comp.spvasm").into(),
            out,
            scratch,
            gpu,
        }
    }

    /// A buffer with input of builds.
    pub fn input<T: Copy>(&self, data: &[T]) -> Mapped {
        let usage = vk::BufferUsageFlags::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR
            | vk::BufferUsageFlags::INDIRECT_BUFFER;
        let buffer = self.gpu.buffer(size_of_val(data) as u64, usage | ADDRESS);
        buffer.write(data);
        buffer
    }

    /// Device address of a buffer.
    pub fn address(&self, buffer: &Mapped) -> u64 {
        let info = vk::BufferDeviceAddressInfo::default().buffer(buffer.buffer);
        let of = ash::khr::buffer_device_address::Device::new(&self.gpu.instance, &self.gpu.device);
        // SAFETY: valid usage of Vulkan: the buffer is live and has the usage.
        unsafe { of.get_buffer_device_address(&info) }
    }

    /// Device address of a structure.
    pub fn address_of(&self, structure: &Structure) -> u64 {
        let info =
            vk::AccelerationStructureDeviceAddressInfoKHR::default().acceleration_structure(structure.handle);
        // SAFETY: valid usage of Vulkan: the structure is live.
        unsafe { self.rays.get_acceleration_structure_device_address(&info) }
    }

    /// Sizes of a build.
    pub fn sizes(
        &self,
        info: &BuildInfo<'_>,
        counts: &[u32],
    ) -> vk::AccelerationStructureBuildSizesInfoKHR<'static> {
        let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
        let ty = vk::AccelerationStructureBuildTypeKHR::HOST_OR_DEVICE;
        // SAFETY: valid usage of Vulkan: there is a count for each geometry.
        unsafe { self.rays.get_acceleration_structure_build_sizes(ty, info, counts, &mut sizes) };
        sizes
    }

    /// A structure of this size.
    pub fn structure(&self, ty: Type, size: u64) -> Structure {
        let usage = vk::BufferUsageFlags::ACCELERATION_STRUCTURE_STORAGE_KHR | ADDRESS;
        let storage = self.gpu.buffer(size, usage);
        let info = vk::AccelerationStructureCreateInfoKHR::default().buffer(storage.buffer).size(size).ty(ty);
        // SAFETY: valid usage of Vulkan: the buffer is live as long as the structure.
        let handle = unsafe { self.rays.create_acceleration_structure(&info, None) }.unwrap();
        Structure { handle, storage }
    }

    /// A structure that fits a build.
    pub fn fitting(&self, info: &BuildInfo<'_>, counts: &[u32]) -> Structure {
        self.structure(info.ty, self.sizes(info, counts).acceleration_structure_size)
    }

    /// The build of a structure.
    pub fn with_dst<'a>(&self, info: BuildInfo<'a>, to: &Structure) -> BuildInfo<'a> {
        let scratch = vk::DeviceOrHostAddressKHR { device_address: self.address(&self.scratch) };
        info.dst_acceleration_structure(to.handle).scratch_data(scratch)
    }

    /// Builds on the device, and waits.
    pub fn build(&self, info: &BuildInfo<'_>, counts: &[u32]) {
        let ranges: Vec<_> = counts.iter().map(|&n| Range::default().primitive_count(n)).collect();
        self.gpu.run(|cmd| {
            // SAFETY: valid usage of Vulkan: all objects and addresses of the build are live.
            unsafe { self.rays.cmd_build_acceleration_structures(cmd, &[*info], &[&ranges]) };
        });
    }

    /// Builds a bottom level of [`TRIANGLES`] on the device.
    pub fn bottom(&self, flags: vk::BuildAccelerationStructureFlagsKHR) -> Structure {
        let vertices = self.input(&TRIANGLES);
        let geometry = [triangles(self.address(&vertices), 5)];
        let info = BuildInfo::default().ty(Type::BOTTOM_LEVEL).flags(flags).geometries(&geometry);
        let bottom = self.fitting(&info, &[2]);
        self.build(&self.with_dst(info, &bottom), &[2]);
        vertices.destroy(&self.gpu);
        bottom
    }

    /// Builds a top level with one instance of each structure at this address, moved by z, on the device.
    pub fn top(&self, instances: &[(u64, f32, u32)]) -> Structure {
        self.top_of(&instances.iter().map(|&(of, z, index)| instance(of, z, index)).collect::<Vec<_>>())
    }

    /// Builds a top level of these instances on the device.
    pub fn top_of(&self, instances: &[[u32; 16]]) -> Structure {
        let input = self.input(instances);
        let geometry = [instances_at(self.address(&input))];
        let info = BuildInfo::default().ty(Type::TOP_LEVEL).geometries(&geometry);
        let counts = [instances.len() as u32];
        let top = self.fitting(&info, &counts);
        self.build(&self.with_dst(info, &top), &counts);
        input.destroy(&self.gpu);
        top
    }

    pub fn destroy_all<const N: usize>(&self, structures: [Structure; N]) {
        structures.into_iter().for_each(|structure| self.destroy(structure));
    }

    pub fn destroy(&self, structure: Structure) {
        // SAFETY: the commands that use the structure are done, and it is not used afterwards.
        unsafe { self.rays.destroy_acceleration_structure(structure.handle, None) };
        structure.storage.destroy(&self.gpu);
    }

    /// Looks at a structure, bound in a set; `None` is a null descriptor.
    pub fn look(&self, top: Option<&Structure>) -> Vec<Hit> {
        self.look_by(Binding::Set, top).into_iter().map(|[hit, _]| hit).collect()
    }

    /// Looks at a structure; also returns the last vertex of triangles and the first barycentric coordinate.
    pub fn look_by(&self, by: Binding, top: Option<&Structure>) -> Vec<[Hit; 2]> {
        use vk::DescriptorSetLayoutCreateFlags as F;
        let d = &self.gpu.device;
        self.out.write(&[[0.0f32; 4]; 128]);
        let compute = vk::ShaderStageFlags::COMPUTE;
        let binding = |number, ty| {
            let binding = vk::DescriptorSetLayoutBinding::default().binding(number).descriptor_type(ty);
            binding.descriptor_count(1).stage_flags(compute)
        };
        let types = [vk::DescriptorType::ACCELERATION_STRUCTURE_KHR, vk::DescriptorType::STORAGE_BUFFER];
        let bindings = [binding(0, types[0]), binding(1, types[1])];
        let flags = match by {
            Binding::Set | Binding::Template => F::empty(),
            Binding::Push | Binding::PushTemplate => F::PUSH_DESCRIPTOR_KHR,
            Binding::Buffer => F::DESCRIPTOR_BUFFER_EXT,
        };
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings).flags(flags);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let sets = [d.create_descriptor_set_layout(&info, None).unwrap()];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
            let layout = d.create_pipeline_layout(&info, None).unwrap();
            let module = self.gpu.shader(&self.shader);
            let stage = vk::PipelineShaderStageCreateInfo::default().stage(compute).module(module);
            let info = vk::ComputePipelineCreateInfo::default().stage(stage.name(c"main")).layout(layout);
            let info = info.flags(match by {
                Binding::Buffer => vk::PipelineCreateFlags::DESCRIPTOR_BUFFER_EXT,
                _ => vk::PipelineCreateFlags::empty(),
            });
            let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &[info], None).unwrap()[0];
            d.destroy_shader_module(module, None);
            let bound = Bound { by, layout, sets, top, at: &types };
            let pool = self.bind_and_run(&bound, pipeline);
            d.destroy_descriptor_pool(pool, None);
            d.destroy_pipeline(pipeline, None);
            d.destroy_pipeline_layout(layout, None);
            d.destroy_descriptor_set_layout(sets[0], None);
        }
        let words = self.out.read::<Hit>();
        words.as_chunks::<2>().0.to_vec()
    }

    /// Runs the shader with these descriptors; returns the pool of their set.
    ///
    /// # Safety
    /// The objects are live.
    unsafe fn bind_and_run(&self, bound: &Bound<'_>, pipeline: vk::Pipeline) -> vk::DescriptorPool {
        let (d, compute) = (&self.gpu.device, vk::PipelineBindPoint::COMPUTE);
        let structures = [bound.top.map_or(vk::AccelerationStructureKHR::null(), |top| top.handle)];
        let buffers = [vk::DescriptorBufferInfo::default().buffer(self.out.buffer).range(vk::WHOLE_SIZE)];
        let data = Data { structure: structures[0], buffer: buffers[0] };
        let size = |ty| vk::DescriptorPoolSize { ty, descriptor_count: 1 };
        let sizes = [size(bound.at[0]), size(bound.at[1])];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let writes = |set: vk::DescriptorSet, of: &mut dyn FnMut(&[vk::WriteDescriptorSet<'_>])| {
            let mut written = vk::WriteDescriptorSetAccelerationStructureKHR::default()
                .acceleration_structures(&structures);
            let mut first =
                vk::WriteDescriptorSet::default().descriptor_type(bound.at[0]).push_next(&mut written);
            first.descriptor_count = 1;
            let second = vk::WriteDescriptorSet::default()
                .dst_binding(1)
                .descriptor_type(bound.at[1])
                .buffer_info(&buffers);
            of(&[first.dst_set(set), second.dst_set(set)]);
        };
        // SAFETY: the caller promises live objects; the descriptors fit the layout.
        unsafe {
            let pool = d.create_descriptor_pool(&info, None).unwrap();
            let sets = matches!(bound.by, Binding::Set | Binding::Template).then(|| {
                let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool);
                d.allocate_descriptor_sets(&info.set_layouts(&bound.sets)).unwrap()[0]
            });
            let set = sets.unwrap_or_default();
            let template = self.template(bound);
            match bound.by {
                Binding::Set => writes(set, &mut |w| d.update_descriptor_sets(w, &[])),
                Binding::Template => {
                    let f = d.fp_v1_1().update_descriptor_set_with_template;
                    f(d.handle(), set, template, (&raw const data).cast());
                }
                Binding::Push | Binding::PushTemplate | Binding::Buffer => {}
            }
            let descriptors = self.descriptors(bound);
            self.gpu.run(|cmd| {
                d.cmd_bind_pipeline(cmd, compute, pipeline);
                match bound.by {
                    Binding::Set | Binding::Template => {
                        d.cmd_bind_descriptor_sets(cmd, compute, bound.layout, 0, &[set], &[]);
                    }
                    Binding::Push => writes(set, &mut |w| {
                        self.push.cmd_push_descriptor_set(cmd, compute, bound.layout, 0, w);
                    }),
                    Binding::PushTemplate => {
                        let data = (&raw const data).cast();
                        let f = self.push.fp().cmd_push_descriptor_set_with_template_khr;
                        f(cmd, template, bound.layout, 0, data);
                    }
                    Binding::Buffer => {
                        let address = self.address(descriptors.as_ref().unwrap());
                        let info = vk::DescriptorBufferBindingInfoEXT::default()
                            .address(address)
                            .usage(vk::BufferUsageFlags::RESOURCE_DESCRIPTOR_BUFFER_EXT);
                        self.in_buffers.cmd_bind_descriptor_buffers(cmd, &[info]);
                        let layout = bound.layout;
                        self.in_buffers.cmd_set_descriptor_buffer_offsets(
                            cmd,
                            compute,
                            layout,
                            0,
                            &[0],
                            &[0],
                        );
                    }
                }
                d.cmd_dispatch(cmd, 1, 1, 1);
            });
            if let Some(buffer) = descriptors {
                buffer.destroy(&self.gpu);
            }
            d.destroy_descriptor_update_template(template, None);
            pool
        }
    }

    /// The template of an update; null if there is none.
    ///
    /// # Safety
    /// The objects are live.
    unsafe fn template(&self, bound: &Bound<'_>) -> vk::DescriptorUpdateTemplate {
        let ty = match bound.by {
            Binding::Template => vk::DescriptorUpdateTemplateType::DESCRIPTOR_SET,
            Binding::PushTemplate => vk::DescriptorUpdateTemplateType::PUSH_DESCRIPTORS_KHR,
            Binding::Set | Binding::Push | Binding::Buffer => return vk::DescriptorUpdateTemplate::null(),
        };
        let offsets = [std::mem::offset_of!(Data, structure), std::mem::offset_of!(Data, buffer)];
        let entry = |i: usize| {
            let entry =
                vk::DescriptorUpdateTemplateEntry::default().dst_binding(i as u32).descriptor_count(1);
            entry.descriptor_type(bound.at[i]).offset(offsets[i]).stride(size_of::<Data>())
        };
        let entries = [entry(0), entry(1)];
        let info = vk::DescriptorUpdateTemplateCreateInfo::default()
            .descriptor_update_entries(&entries)
            .template_type(ty)
            .descriptor_set_layout(bound.sets[0])
            .pipeline_bind_point(vk::PipelineBindPoint::COMPUTE)
            .pipeline_layout(bound.layout);
        // SAFETY: the caller promises live objects.
        unsafe { self.gpu.device.create_descriptor_update_template(&info, None) }.unwrap()
    }

    /// The descriptors in a buffer, if they are bound so.
    ///
    /// # Safety
    /// The objects are live.
    unsafe fn descriptors(&self, bound: &Bound<'_>) -> Option<Mapped> {
        let Binding::Buffer = bound.by else { return None };
        let out = vk::DescriptorAddressInfoEXT::default().address(self.address(&self.out)).range(64 * 32);
        let data = [
            vk::DescriptorDataEXT { acceleration_structure: bound.top.map_or(0, |top| self.address_of(top)) },
            vk::DescriptorDataEXT { p_storage_buffer: &raw const out },
        ];
        let mut bytes = [0u8; 64];
        // SAFETY: the caller promises live objects; the data has the member of each type.
        unsafe {
            for (i, data) in data.into_iter().enumerate() {
                let info = vk::DescriptorGetInfoEXT { ty: bound.at[i], data, ..Default::default() };
                let at = self.in_buffers.get_descriptor_set_layout_binding_offset(bound.sets[0], i as u32);
                self.in_buffers.get_descriptor(&info, &mut bytes[at as usize..][..16]);
            }
        }
        let usage = vk::BufferUsageFlags::RESOURCE_DESCRIPTOR_BUFFER_EXT | ADDRESS;
        let buffer = self.gpu.buffer(64, usage);
        buffer.write(&bytes);
        Some(buffer)
    }

    /// Destroys the device.
    pub fn end(self) {
        self.out.destroy(&self.gpu);
        self.scratch.destroy(&self.gpu);
    }
}

const ADDRESS: vk::BufferUsageFlags = vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;

/// Descriptors of the shader.
struct Bound<'a> {
    by: Binding,
    layout: vk::PipelineLayout,
    sets: [vk::DescriptorSetLayout; 1],
    top: Option<&'a Structure>,
    at: &'a [vk::DescriptorType; 2],
}

/// Data of updates by a template.
#[repr(C)]
struct Data {
    structure: vk::AccelerationStructureKHR,
    buffer: vk::DescriptorBufferInfo,
}

/// A VkAccelerationStructureInstanceKHR, moved by z, which every ray sees.
pub fn instance(of: u64, z: f32, custom_index: u32) -> [u32; 16] {
    let one = 1.0f32.to_bits();
    let m = [one, 0, 0, 0, 0, one, 0, 0, 0, 0, one, z.to_bits()];
    let mut words = [0; 16];
    words[..12].copy_from_slice(&m);
    words[12..].copy_from_slice(&[custom_index | 0xff << 24, 0, of as u32, (of >> 32) as u32]);
    words
}

/// Triangles without indices, of three floats for each vertex.
pub fn triangles(address: u64, max_vertex: u32) -> Geometry<'static> {
    let triangles = vk::AccelerationStructureGeometryTrianglesDataKHR::default()
        .vertex_format(vk::Format::R32G32B32_SFLOAT)
        .vertex_data(vk::DeviceOrHostAddressConstKHR { device_address: address })
        .vertex_stride(12)
        .max_vertex(max_vertex)
        .index_type(vk::IndexType::NONE_KHR);
    Geometry::default()
        .geometry_type(vk::GeometryTypeKHR::TRIANGLES)
        .geometry(vk::AccelerationStructureGeometryDataKHR { triangles })
        .flags(vk::GeometryFlagsKHR::OPAQUE)
}

/// Instances at an address.
pub fn instances_at(address: u64) -> Geometry<'static> {
    let instances = vk::AccelerationStructureGeometryInstancesDataKHR::default()
        .data(vk::DeviceOrHostAddressConstKHR { device_address: address });
    Geometry::default()
        .geometry_type(vk::GeometryTypeKHR::INSTANCES)
        .geometry(vk::AccelerationStructureGeometryDataKHR { instances })
}
