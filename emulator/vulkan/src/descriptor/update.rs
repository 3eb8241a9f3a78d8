//! Chapter "Resource Descriptors": updates of sets, directly or through a template, and push descriptors.

use std::ffi::c_void;

use ash::vk;
use quadrille::rays::AccelerationStructure;
use quadrille::{
    BindPoint, Buffer, BufferView, DescriptorKind, DescriptorSet, ImageView, PipelineLayout, Resource,
    Sampler,
};

use super::{find_set, get_set, kind};
use crate::capabilities::limits::{graphics_stages, ray_stages};
use crate::command_buffer::list;
use crate::interface::chain::{find, slice};
use crate::interface::convert::bind_point;
use crate::interface::guard::{VkResult, code, commands, log, report};
use crate::interface::handle::{create, destroy, get, get_opt, objects};

/// A descriptor update template.
pub struct Template {
    entries: Vec<vk::DescriptorUpdateTemplateEntry>,
    /// Bind point of a template for push descriptors.
    point: BindPoint,
}

objects!(Template => DescriptorUpdateTemplate);

/// Place of the structures to read descriptors from.
struct Source {
    first: *const u8,
    stride: usize,
}

/// Returns the resource that the structure at `at` names; `None` if there is nothing to write.
///
/// # Safety
/// `at` points to a valid structure for descriptors of this kind, with live or null handles.
unsafe fn resource<'a>(kind: DescriptorKind, immutable: bool, at: *const u8) -> Option<Resource<'a>> {
    use DescriptorKind as K;
    // SAFETY: the caller promises a valid structure for the kind; handles that the kind does not use are not
    // dereferenced.
    unsafe {
        Some(match kind {
            K::UniformBuffer | K::StorageBuffer | K::UniformBufferDynamic | K::StorageBufferDynamic => {
                let info = at.cast::<vk::DescriptorBufferInfo>().read_unaligned();
                match get_opt::<Buffer>(info.buffer) {
                    None => Resource::Null,
                    Some(buffer) => Resource::Buffer {
                        buffer,
                        offset: info.offset,
                        range: (info.range != vk::WHOLE_SIZE).then_some(info.range),
                    },
                }
            }
            K::UniformTexelBuffer | K::StorageTexelBuffer => {
                let view = at.cast::<vk::BufferView>().read_unaligned();
                get_opt::<BufferView>(view).map_or(Resource::Null, Resource::TexelBuffer)
            }
            K::Sampler if immutable => return None,
            K::Sampler => {
                let info = at.cast::<vk::DescriptorImageInfo>().read_unaligned();
                Resource::Sampler(get::<Sampler>(info.sampler))
            }
            K::CombinedImageSampler => {
                let info = at.cast::<vk::DescriptorImageInfo>().read_unaligned();
                match get_opt::<ImageView>(info.image_view) {
                    None => Resource::Null,
                    Some(view) if immutable => Resource::Image(view),
                    Some(view) => Resource::Combined(view, get::<Sampler>(info.sampler)),
                }
            }
            K::AccelerationStructure => {
                let structure = at.cast::<vk::AccelerationStructureKHR>().read_unaligned();
                get_opt::<AccelerationStructure>(structure).map_or(Resource::Null, Resource::Structure)
            }
            // Inline uniform blocks are written as bytes, mutable descriptors as the type of their contents.
            K::InlineUniformBlock | K::Mutable => return None,
            K::SampledImage | K::StorageImage | K::InputAttachment => {
                let info = at.cast::<vk::DescriptorImageInfo>().read_unaligned();
                get_opt::<ImageView>(info.image_view).map_or(Resource::Null, Resource::Image)
            }
        })
    }
}

/// The layout that a descriptor of an image says.
///
/// # Safety
/// As for [`resource`].
unsafe fn image_layout(kind: DescriptorKind, at: *const u8) -> Option<i32> {
    use DescriptorKind as K;
    let of_image = [K::CombinedImageSampler, K::SampledImage, K::StorageImage, K::InputAttachment];
    // SAFETY: the caller vouches for the structure.
    let info =
        of_image.contains(&kind).then(|| unsafe { at.cast::<vk::DescriptorImageInfo>().read_unaligned() });
    info.map(|info| info.image_layout.as_raw())
}

/// Advances to a binding that has the element: past the end of a binding, elements continue in the next one.
fn wrap(set: &DescriptorSet, binding: &mut u32, element: &mut u32) -> bool {
    loop {
        let Some(b) = set.layout().binding(*binding) else { return false };
        if *element < b.count {
            return true;
        }
        *element -= b.count;
        let next = set.layout().bindings().iter().map(|b| b.binding).find(|b| b > binding);
        let Some(next) = next else { return false };
        *binding = next;
    }
}

/// Writes `n` consecutive descriptors.
///
/// # Safety
/// `source` has `n` valid structures for descriptors of this type.
unsafe fn write(
    set: &DescriptorSet,
    ty: vk::DescriptorType,
    mut binding: u32,
    mut element: u32,
    n: u32,
    source: &Source,
) {
    let Ok(kind) = kind(ty) else { return log(&format!("descriptors of type {ty:?} are not supported")) };
    if kind == DescriptorKind::InlineUniformBlock {
        // SAFETY: the caller promises `n` elements, which are bytes for inline uniform blocks.
        return write_bytes(set, binding, element, unsafe { slice(source.first, n) });
    }
    for i in 0..n as usize {
        let wanted = (binding, element);
        if !wrap(set, &mut binding, &mut element) {
            return log(&format!("the set has no binding {}, element {}", wanted.0, wanted.1));
        }
        let immutable = set.layout().binding(binding).is_some_and(|b| !b.immutable_samplers.is_empty());
        // SAFETY: `i` is less than `n`, and the caller promises `n` valid structures.
        let resource = unsafe { resource(kind, immutable, source.first.add(i * source.stride)) };
        if let Some(resource) = resource {
            report(set.write_as(binding, element, kind, resource).map_err(|e| code(&e)));
        }
        if set.looks_at_layouts() {
            // SAFETY: `i` is less than `n`, and the caller promises `n` valid structures.
            let layout = unsafe { image_layout(kind, source.first.add(i * source.stride)) };
            set.tell_layout(binding, element, layout);
        }
        element += 1;
    }
}

/// Writes bytes of inline uniform blocks.
fn write_bytes(set: &DescriptorSet, mut binding: u32, mut offset: u32, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let wanted = (binding, offset);
        if !wrap(set, &mut binding, &mut offset) {
            return log(&format!("the set has no binding {}, byte {}", wanted.0, wanted.1));
        }
        let size = set.layout().binding(binding).map_or(0, |b| b.count);
        let (now, later) = bytes.split_at(bytes.len().min((size - offset) as usize));
        report(set.write_inline(binding, offset, now).map_err(|e| code(&e)));
        (offset, bytes) = (offset + now.len() as u32, later);
    }
}

fn copy(to: (&DescriptorSet, u32, u32), from: (&DescriptorSet, u32, u32), n: u32) -> quadrille::Result<()> {
    let (set, mut binding, mut element) = to;
    let (src, mut src_binding, mut src_element) = from;
    for _ in 0..n {
        if !wrap(set, &mut binding, &mut element) || !wrap(src, &mut src_binding, &mut src_element) {
            return Ok(());
        }
        set.copy(binding, element, (src, src_binding, src_element))?;
        element += 1;
        src_element += 1;
    }
    Ok(())
}

fn make_template(info: &vk::DescriptorUpdateTemplateCreateInfo<'_>) -> VkResult<Template> {
    // SAFETY: the caller promises a valid create info.
    let entries = unsafe { slice(info.p_descriptor_update_entries, info.descriptor_update_entry_count) };
    Ok(Template { entries: entries.to_vec(), point: bind_point(info.pipeline_bind_point) })
}

/// Runs a VkWriteDescriptorSet on `set`, whatever set the structure names.
///
/// # Safety
/// The structure is valid.
unsafe fn write_one(set: &DescriptorSet, w: &vk::WriteDescriptorSet<'_>) {
    use vk::DescriptorType as T;
    let (first, stride) = match w.descriptor_type {
        T::INLINE_UNIFORM_BLOCK => {
            // SAFETY: the caller promises a valid structure, and with it a valid chain.
            let inline = unsafe { find::<vk::WriteDescriptorSetInlineUniformBlock>(w.p_next) };
            (inline.map_or(std::ptr::null(), |i| i.p_data.cast::<u8>()), 1)
        }
        T::ACCELERATION_STRUCTURE_KHR => {
            // SAFETY: the caller promises a valid structure, and with it a valid chain.
            let of = unsafe { find::<vk::WriteDescriptorSetAccelerationStructureKHR>(w.p_next) };
            let first = of.map_or(std::ptr::null(), |of| of.p_acceleration_structures.cast::<u8>());
            (first, size_of::<vk::AccelerationStructureKHR>())
        }
        T::UNIFORM_TEXEL_BUFFER | T::STORAGE_TEXEL_BUFFER => {
            (w.p_texel_buffer_view.cast::<u8>(), size_of::<vk::BufferView>())
        }
        T::UNIFORM_BUFFER | T::STORAGE_BUFFER | T::UNIFORM_BUFFER_DYNAMIC | T::STORAGE_BUFFER_DYNAMIC => {
            (w.p_buffer_info.cast(), size_of::<vk::DescriptorBufferInfo>())
        }
        _ => (w.p_image_info.cast(), size_of::<vk::DescriptorImageInfo>()),
    };
    if first.is_null() {
        return;
    }
    let source = Source { first, stride };
    // SAFETY: the caller promises a valid structure, which has `descriptor_count` descriptors of its type at `first`,
    // each `stride` bytes long.
    unsafe { write(set, w.descriptor_type, w.dst_binding, w.dst_array_element, w.descriptor_count, &source) }
}

/// Runs a template on a set.
///
/// # Safety
/// `data` has the descriptors that the entries of the template describe.
unsafe fn write_template(set: &DescriptorSet, template: &Template, data: *const c_void) {
    for e in &template.entries {
        // SAFETY: the caller promises that `data` has the descriptors at the offsets of the entries.
        unsafe {
            let source = Source { first: data.cast::<u8>().add(e.offset), stride: e.stride };
            write(set, e.descriptor_type, e.dst_binding, e.dst_array_element, e.descriptor_count, &source);
        }
    }
}

/// Records a new state of push descriptors: the previous ones if the layout is compatible, modified by `change`.
///
/// # Safety
/// The handles are live, recording is externally synchronized, and resources written live as long as Vulkan's valid
/// usage requires.
unsafe fn push(
    buffer: vk::CommandBuffer,
    point: BindPoint,
    layout: vk::PipelineLayout,
    number: u32,
    change: impl FnOnce(&DescriptorSet),
) {
    // SAFETY: the caller promises live handles, externally synchronized recording, and the lifetime of resources that
    // `pushed` requires.
    unsafe {
        let (recording, layout) = (list(buffer), get::<PipelineLayout>(layout));
        let buffer = &mut *recording.0;
        let Some(set_layout) = layout.sets().get(number as usize) else { return };
        let known = buffer.pushed.iter().position(|(p, n, _)| (*p, *n) == (point, number));
        let before = known.map(|i| buffer.pushed.swap_remove(i).2);
        let set = DescriptorSet::pushed(set_layout, before.as_ref());
        change(&set);
        buffer.list.bind_descriptor_sets(point, layout, number, &[&set], &[]);
        buffer.pushed.push((point, number, set));
    }
}

/// Returns the bind points of some stages.
pub fn points(stages: vk::ShaderStageFlags) -> impl Iterator<Item = BindPoint> {
    let compute = stages.contains(vk::ShaderStageFlags::COMPUTE).then_some(BindPoint::Compute);
    let graphics = stages.intersects(graphics_stages()).then_some(BindPoint::Graphics);
    let rays = stages.intersects(ray_stages()).then_some(BindPoint::RayTracing);
    compute.into_iter().chain(graphics).chain(rays)
}

/// Records the binding of sets from number `first` on, without null ones.
///
/// # Safety
/// The handles are live or null, and recording is externally synchronized.
pub unsafe fn bind_sets(
    buffer: vk::CommandBuffer,
    point: BindPoint,
    layout: vk::PipelineLayout,
    first: u32,
    sets: &[vk::DescriptorSet],
    offsets: &[u32],
) {
    // SAFETY: the caller promises live or null handles and externally synchronized recording.
    unsafe {
        let (mut list, layout) = (list(buffer), get::<PipelineLayout>(layout));
        let sets: smallvec::SmallVec<[Option<&DescriptorSet>; 8]> =
            sets.iter().map(|&s| find_set(s)).collect();
        let (mut number, mut offsets) = (first, offsets);
        for run in sets.chunk_by(|a, b| a.is_some() && b.is_some()) {
            let set: smallvec::SmallVec<[&DescriptorSet; 8]> = run.iter().flatten().copied().collect();
            let n: u32 = set.iter().map(|s| s.layout().n_dynamic()).sum();
            let (mine, rest) = offsets.split_at((n as usize).min(offsets.len()));
            offsets = rest;
            list.bind_descriptor_sets(point, layout, number, &set, mine);
            number += run.len() as u32;
        }
    }
}

commands! {
    fn update_descriptor_sets(
        _d: vk::Device,
        n_writes: u32,
        writes: *const vk::WriteDescriptorSet<'_>,
        n_copies: u32,
        copies: *const vk::CopyDescriptorSet<'_>,
    ) {
        for w in slice(writes, n_writes) {
            write_one(get_set(w.dst_set), w);
        }
        for c in slice(copies, n_copies) {
            let to = (get_set(c.dst_set), c.dst_binding, c.dst_array_element);
            let from = (get_set(c.src_set), c.src_binding, c.src_array_element);
            report(copy(to, from, c.descriptor_count).map_err(|e| code(&e)));
        }
    }

    fn create_descriptor_update_template(
        _d: vk::Device,
        info: *const vk::DescriptorUpdateTemplateCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::DescriptorUpdateTemplate,
    ) -> vk::Result {
        *out = create(make_template(&*info)?);
        Ok(())
    }

    fn destroy_descriptor_update_template(
        _d: vk::Device,
        template: vk::DescriptorUpdateTemplate,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<Template>(template));
    }

    fn update_descriptor_set_with_template(
        _d: vk::Device,
        set: vk::DescriptorSet,
        template: vk::DescriptorUpdateTemplate,
        data: *const c_void,
    ) {
        write_template(get_set(set), get::<Template>(template), data);
    }

    fn cmd_push_descriptor_set(
        buffer: vk::CommandBuffer,
        point: vk::PipelineBindPoint,
        layout: vk::PipelineLayout,
        set: u32,
        n: u32,
        writes: *const vk::WriteDescriptorSet<'_>,
    ) {
        let point = bind_point(point);
        push(buffer, point, layout, set, |set| slice(writes, n).iter().for_each(|w| write_one(set, w)));
    }

    fn cmd_push_descriptor_set_with_template(
        buffer: vk::CommandBuffer,
        template: vk::DescriptorUpdateTemplate,
        layout: vk::PipelineLayout,
        set: u32,
        data: *const c_void,
    ) {
        let template = get::<Template>(template);
        push(buffer, template.point, layout, set, |set| write_template(set, template, data));
    }

    fn cmd_push_descriptor_set2(
        buffer: vk::CommandBuffer,
        info: *const vk::PushDescriptorSetInfoKHR<'_>,
    ) {
        let info = &*info;
        let writes = slice(info.p_descriptor_writes, info.descriptor_write_count);
        for point in points(info.stage_flags) {
            push(buffer, point, info.layout, info.set, |set| writes.iter().for_each(|w| write_one(set, w)));
        }
    }

    fn cmd_push_descriptor_set_with_template2(
        buffer: vk::CommandBuffer,
        info: *const vk::PushDescriptorSetWithTemplateInfoKHR<'_>,
    ) {
        let info = &*info;
        let template = get::<Template>(info.descriptor_update_template);
        push(buffer, template.point, info.layout, info.set, |set| write_template(set, template, info.p_data));
    }

    fn cmd_bind_descriptor_sets2(
        buffer: vk::CommandBuffer,
        info: *const vk::BindDescriptorSetsInfoKHR<'_>,
    ) {
        let info = &*info;
        let sets = slice(info.p_descriptor_sets, info.descriptor_set_count);
        let offsets = slice(info.p_dynamic_offsets, info.dynamic_offset_count);
        for point in points(info.stage_flags) {
            bind_sets(buffer, point, info.layout, info.first_set, sets, offsets);
        }
    }

    fn cmd_push_constants2(buffer: vk::CommandBuffer, info: *const vk::PushConstantsInfoKHR<'_>) {
        let info = &*info;
        list(buffer).push_constants(info.offset, slice(info.p_values.cast::<u8>(), info.size));
    }
}
