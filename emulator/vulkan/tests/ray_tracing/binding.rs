//! Descriptors of ray tracing pipelines, bound in each way, and commands of secondary command buffers.

use std::mem::offset_of;

use ash::vk;

use super::lab::{CELLS, Desc, RAYS, Stage};
use super::scene::Structure;
use super::{EIGHT, Lab, expected, grid, regions, tables, two_triangles};
use crate::common::Mapped;

/// Means by which the shaders find their resources.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// A set, bound for the stages of ray tracing. Spec: Vulkan, vkCmdBindDescriptorSets2.
    Stages,
    Template,
    Push,
    PushTemplate,
    /// Spec: Vulkan, vkCmdPushDescriptorSet2.
    PushStages,
    Buffer,
}

/// Data of updates by a template.
#[repr(C)]
struct Data {
    structure: vk::AccelerationStructureKHR,
    buffer: vk::DescriptorBufferInfo,
}

const TYPES: [vk::DescriptorType; 2] =
    [vk::DescriptorType::ACCELERATION_STRUCTURE_KHR, vk::DescriptorType::STORAGE_BUFFER];

/// Layouts of a pipeline whose descriptors are bound in some way.
struct Layouts {
    way: Way,
    sets: [vk::DescriptorSetLayout; 1],
    layout: vk::PipelineLayout,
}

impl Layouts {
    fn new(lab: &Lab, way: Way) -> Layouts {
        use vk::DescriptorSetLayoutCreateFlags as F;
        let flags = match way {
            Way::Stages | Way::Template => F::empty(),
            Way::Push | Way::PushTemplate | Way::PushStages => F::PUSH_DESCRIPTOR_KHR,
            Way::Buffer => F::DESCRIPTOR_BUFFER_EXT,
        };
        let binding = |i: usize| {
            let binding = vk::DescriptorSetLayoutBinding::default().binding(i as u32).descriptor_count(1);
            binding.descriptor_type(TYPES[i]).stage_flags(Stage::RAYGEN_KHR)
        };
        let bindings = [binding(0), binding(1)];
        let push = [vk::PushConstantRange { stage_flags: Stage::ALL, offset: 0, size: 16 }];
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings).flags(flags);
        let d = &lab.scene.gpu.device;
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let sets = [d.create_descriptor_set_layout(&info, None).unwrap()];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&push);
            Layouts { way, sets, layout: d.create_pipeline_layout(&info, None).unwrap() }
        }
    }

    fn template(&self, lab: &Lab) -> vk::DescriptorUpdateTemplate {
        let ty = match self.way {
            Way::PushTemplate => vk::DescriptorUpdateTemplateType::PUSH_DESCRIPTORS_KHR,
            _ => vk::DescriptorUpdateTemplateType::DESCRIPTOR_SET,
        };
        let offsets = [offset_of!(Data, structure), offset_of!(Data, buffer)];
        let entry = |i: usize| {
            let entry =
                vk::DescriptorUpdateTemplateEntry::default().dst_binding(i as u32).descriptor_count(1);
            entry.descriptor_type(TYPES[i]).offset(offsets[i]).stride(size_of::<Data>())
        };
        let entries = [entry(0), entry(1)];
        let info = vk::DescriptorUpdateTemplateCreateInfo::default()
            .descriptor_update_entries(&entries)
            .template_type(ty)
            .descriptor_set_layout(self.sets[0])
            .pipeline_bind_point(RAYS)
            .pipeline_layout(self.layout);
        // SAFETY: valid usage of Vulkan: the layouts are live.
        unsafe { lab.scene.gpu.device.create_descriptor_update_template(&info, None) }.unwrap()
    }

    /// Descriptors in a buffer.
    fn in_buffer(&self, lab: &Lab, top: &Structure) -> Mapped {
        let out = vk::DescriptorAddressInfoEXT::default()
            .address(lab.scene.address(&lab.out))
            .range(CELLS as u64 * 16);
        let data = [
            vk::DescriptorDataEXT { acceleration_structure: lab.scene.address_of(top) },
            vk::DescriptorDataEXT { p_storage_buffer: &raw const out },
        ];
        let (mut bytes, all) = ([0u8; 64], &lab.scene.in_buffers);
        for (i, data) in data.into_iter().enumerate() {
            let info = vk::DescriptorGetInfoEXT { ty: TYPES[i], data, ..Default::default() };
            // SAFETY: valid usage of Vulkan: the data has the member of each type, and the layout is live.
            unsafe {
                let at = all.get_descriptor_set_layout_binding_offset(self.sets[0], i as u32);
                all.get_descriptor(&info, &mut bytes[at as usize..][..16]);
            }
        }
        let usage = vk::BufferUsageFlags::RESOURCE_DESCRIPTOR_BUFFER_EXT;
        let buffer = lab.scene.gpu.buffer(64, usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS);
        buffer.write(&bytes);
        buffer
    }

    /// Traces the grid.
    fn trace(&self, lab: &Lab, top: &Structure) -> Vec<[f32; 4]> {
        let flags = match self.way {
            Way::Buffer => vk::PipelineCreateFlags::DESCRIPTOR_BUFFER_EXT,
            _ => vk::PipelineCreateFlags::empty(),
        };
        let pipeline = lab.pipeline(&Desc { layout: Some(self.layout), flags, ..grid() });
        let tables = tables(lab, &lab.handles(pipeline, 3));
        let [raygen, miss, hit, callable] = regions(&tables);
        let bytes = self.in_buffer_if(lab, top);
        let template = self.template(lab);
        let d = &lab.scene.gpu.device;
        lab.out.write(&[0u8; CELLS * 16]);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the commands use them.
        unsafe {
            let (pool, set) = self.set(lab, top, template);
            lab.scene.gpu.run(|cmd| {
                d.cmd_bind_pipeline(cmd, RAYS, pipeline);
                self.bind(lab, top, cmd, (set, template, bytes.as_ref()));
                d.cmd_push_constants(cmd, self.layout, Stage::ALL, 0, &[0; 16]);
                lab.rt.cmd_trace_rays(cmd, raygen, miss, hit, callable, EIGHT[0], EIGHT[1], EIGHT[2]);
            });
            d.destroy_descriptor_update_template(template, None);
            d.destroy_descriptor_pool(pool, None);
        }
        bytes.into_iter().for_each(|b| b.destroy(&lab.scene.gpu));
        lab.drop_tables(tables);
        lab.destroy(pipeline);
        lab.out.read::<[f32; 4]>()
    }

    fn in_buffer_if(&self, lab: &Lab, top: &Structure) -> Option<Mapped> {
        (self.way == Way::Buffer).then(|| self.in_buffer(lab, top))
    }

    /// A written set, if there is one, in a pool.
    ///
    /// # Safety
    /// All objects are live.
    unsafe fn set(
        &self,
        lab: &Lab,
        top: &Structure,
        template: vk::DescriptorUpdateTemplate,
    ) -> (vk::DescriptorPool, vk::DescriptorSet) {
        if !matches!(self.way, Way::Stages | Way::Template) {
            return Default::default();
        }
        let d = &lab.scene.gpu.device;
        let sizes = TYPES.map(|ty| vk::DescriptorPoolSize { ty, descriptor_count: 1 });
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        // SAFETY: the caller promises live objects.
        unsafe {
            let pool = d.create_descriptor_pool(&info, None).unwrap();
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&self.sets);
            let set = d.allocate_descriptor_sets(&info).unwrap()[0];
            let data = data(lab, top);
            let f = d.fp_v1_1().update_descriptor_set_with_template;
            f(d.handle(), set, template, (&raw const data).cast());
            (pool, set)
        }
    }

    /// Records the binding.
    ///
    /// # Safety
    /// All objects are live.
    unsafe fn bind(
        &self,
        lab: &Lab,
        top: &Structure,
        cmd: vk::CommandBuffer,
        (set, template, bytes): (vk::DescriptorSet, vk::DescriptorUpdateTemplate, Option<&Mapped>),
    ) {
        let (d, scene) = (&lab.scene.gpu.device, &lab.scene);
        let data = data(lab, top);
        let (structures, buffers) = ([data.structure], [data.buffer]);
        let mut written =
            vk::WriteDescriptorSetAccelerationStructureKHR::default().acceleration_structures(&structures);
        let mut first = vk::WriteDescriptorSet::default().descriptor_type(TYPES[0]).push_next(&mut written);
        first.descriptor_count = 1;
        let second = vk::WriteDescriptorSet::default().dst_binding(1).descriptor_type(TYPES[1]);
        let writes = [first, second.buffer_info(&buffers)];
        let (stages, sets) = (Stage::RAYGEN_KHR | Stage::MISS_KHR, [set]);
        // SAFETY: the caller promises live objects.
        unsafe {
            match self.way {
                Way::Stages => {
                    let info = vk::BindDescriptorSetsInfoKHR::default().stage_flags(stages);
                    let info = info.layout(self.layout).descriptor_sets(&sets);
                    lab.maintenance6.cmd_bind_descriptor_sets2(cmd, &info);
                }
                Way::Template => d.cmd_bind_descriptor_sets(cmd, RAYS, self.layout, 0, &sets, &[]),
                Way::Push => scene.push.cmd_push_descriptor_set(cmd, RAYS, self.layout, 0, &writes),
                Way::PushTemplate => {
                    let f = scene.push.fp().cmd_push_descriptor_set_with_template_khr;
                    f(cmd, template, self.layout, 0, (&raw const data).cast());
                }
                Way::PushStages => {
                    let info = vk::PushDescriptorSetInfoKHR::default().stage_flags(stages);
                    let info = info.layout(self.layout).descriptor_writes(&writes);
                    lab.maintenance6.cmd_push_descriptor_set2(cmd, &info);
                }
                Way::Buffer => {
                    let info = vk::DescriptorBufferBindingInfoEXT::default()
                        .address(bytes.map_or(0, |b| scene.address(b)))
                        .usage(vk::BufferUsageFlags::RESOURCE_DESCRIPTOR_BUFFER_EXT);
                    scene.in_buffers.cmd_bind_descriptor_buffers(cmd, &[info]);
                    let (layout, all) = (self.layout, &scene.in_buffers);
                    all.cmd_set_descriptor_buffer_offsets(cmd, RAYS, layout, 0, &[0], &[0]);
                }
            }
        }
    }
}

fn data(lab: &Lab, top: &Structure) -> Data {
    let buffer = vk::DescriptorBufferInfo::default().buffer(lab.out.buffer).range(vk::WHOLE_SIZE);
    Data { structure: top.handle, buffer }
}

#[test]
fn descriptors_are_bound_in_each_way() {
    let (lab, structures) = two_triangles();
    let ways = [Way::Stages, Way::Template, Way::Push, Way::PushTemplate, Way::PushStages, Way::Buffer];
    for way in ways {
        let layouts = Layouts::new(&lab, way);
        assert_eq!(layouts.trace(&lab, &structures[1]), expected(0.0, 6.0), "{way:?}");
        let d = &lab.scene.gpu.device;
        // SAFETY: no work on the device uses the layouts.
        unsafe {
            d.destroy_pipeline_layout(layouts.layout, None);
            d.destroy_descriptor_set_layout(layouts.sets[0], None);
        }
    }
    lab.scene.destroy_all(structures);
    lab.end();
}

/// Bindings of ray tracing are apart from those of compute, and secondary command buffers trace rays.
#[test]
fn secondary_command_buffers_trace_rays() {
    let (lab, structures) = two_triangles();
    let pipeline = lab.pipeline(&grid());
    let tables = tables(&lab, &lab.handles(pipeline, 3));
    let [raygen, miss, hit, callable] = regions(&tables);
    let d = &lab.scene.gpu.device;
    lab.out.write(&[0u8; CELLS * 16]);
    // SAFETY: valid usage of Vulkan: all objects are live while the commands use them.
    unsafe {
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(lab.scene.gpu.pool)
            .level(vk::CommandBufferLevel::SECONDARY)
            .command_buffer_count(1);
        let second = d.allocate_command_buffers(&info).unwrap();
        let inherited = vk::CommandBufferInheritanceInfo::default();
        let info = vk::CommandBufferBeginInfo::default().inheritance_info(&inherited);
        d.begin_command_buffer(second[0], &info).unwrap();
        d.cmd_bind_pipeline(second[0], RAYS, pipeline);
        d.cmd_bind_descriptor_sets(second[0], RAYS, lab.layout, 0, &[lab.set], &[]);
        d.cmd_bind_descriptor_sets(
            second[0],
            vk::PipelineBindPoint::COMPUTE,
            lab.layout,
            0,
            &[vk::DescriptorSet::null()],
            &[],
        );
        d.cmd_push_constants(second[0], lab.layout, Stage::ALL, 0, &[0; 16]);
        lab.rt.cmd_trace_rays(second[0], raygen, miss, hit, callable, 8, 8, 1);
        d.end_command_buffer(second[0]).unwrap();
        lab.scene.gpu.run(|cmd| d.cmd_execute_commands(cmd, &second));
        d.free_command_buffers(lab.scene.gpu.pool, &second);
    }
    assert_eq!(lab.out.read::<[f32; 4]>(), expected(0.0, 6.0));
    lab.drop_tables(tables);
    lab.destroy(pipeline);
    lab.scene.destroy_all(structures);
    lab.end();
}
