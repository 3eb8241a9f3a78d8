//! Chapter "Resource Descriptors": updates of sets, written out or through a template.

use std::ffi::c_void;

use ash::vk;
use quadrille::{Buffer, BufferView, DescriptorKind, DescriptorSet, ImageView, Resource, Sampler};

use crate::chain::slice;
use crate::descriptor::kind;
use crate::guard::{VkResult, commands, log};
use crate::handle::{create, destroy, get, get_opt, objects};

/// A descriptor update template, as its entries.
pub struct Template(Vec<vk::DescriptorUpdateTemplateEntry>);

objects!(Template => DescriptorUpdateTemplate);

/// Where descriptors to write are found.
struct Source {
    first: *const u8,
    stride: usize,
}

/// The resource that the structure at `at` names.
///
/// # Safety
/// `at` points to the structure that belongs to descriptors of this kind.
unsafe fn resource<'a>(kind: DescriptorKind, immutable: bool, at: *const u8) -> Option<Resource<'a>> {
    use DescriptorKind as K;
    // SAFETY: as above; members that the kind does not use are not followed.
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
            K::SampledImage | K::StorageImage | K::InputAttachment => {
                let info = at.cast::<vk::DescriptorImageInfo>().read_unaligned();
                get_opt::<ImageView>(info.image_view).map_or(Resource::Null, Resource::Image)
            }
        })
    }
}

/// Moves to the next descriptor: past the end of a binding its successor follows.
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
/// `source` has `n` structures that belong to descriptors of this type.
unsafe fn write(
    set: &DescriptorSet,
    ty: vk::DescriptorType,
    mut binding: u32,
    mut element: u32,
    n: u32,
    source: &Source,
) {
    let Ok(kind) = kind(ty) else { return };
    for i in 0..n as usize {
        if !wrap(set, &mut binding, &mut element) {
            return;
        }
        let immutable = set.layout().binding(binding).is_some_and(|b| !b.immutable_samplers.is_empty());
        // SAFETY: as above.
        let resource = unsafe { resource(kind, immutable, source.first.add(i * source.stride)) };
        if let Some(Err(e)) = resource.map(|r| set.write(binding, element, r)) {
            log(&e);
        }
        element += 1;
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
    if info.template_type != vk::DescriptorUpdateTemplateType::DESCRIPTOR_SET {
        return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT);
    }
    // SAFETY: the caller passes a valid create info.
    let entries = unsafe { slice(info.p_descriptor_update_entries, info.descriptor_update_entry_count) };
    Ok(Template(entries.to_vec()))
}

commands! {
    fn update_descriptor_sets(
        _d: vk::Device,
        n_writes: u32,
        writes: *const vk::WriteDescriptorSet<'_>,
        n_copies: u32,
        copies: *const vk::CopyDescriptorSet<'_>,
    ) {
        use vk::DescriptorType as T;
        for w in slice(writes, n_writes) {
            let (first, stride) = match w.descriptor_type {
                T::UNIFORM_TEXEL_BUFFER | T::STORAGE_TEXEL_BUFFER => {
                    (w.p_texel_buffer_view.cast::<u8>(), size_of::<vk::BufferView>())
                }
                T::UNIFORM_BUFFER
                | T::STORAGE_BUFFER
                | T::UNIFORM_BUFFER_DYNAMIC
                | T::STORAGE_BUFFER_DYNAMIC => {
                    (w.p_buffer_info.cast(), size_of::<vk::DescriptorBufferInfo>())
                }
                _ => (w.p_image_info.cast(), size_of::<vk::DescriptorImageInfo>()),
            };
            if first.is_null() {
                continue;
            }
            let set = get::<DescriptorSet>(w.dst_set);
            let source = Source { first, stride };
            write(set, w.descriptor_type, w.dst_binding, w.dst_array_element, w.descriptor_count, &source);
        }
        for c in slice(copies, n_copies) {
            let to = (get::<DescriptorSet>(c.dst_set), c.dst_binding, c.dst_array_element);
            let from = (get::<DescriptorSet>(c.src_set), c.src_binding, c.src_array_element);
            if let Err(e) = copy(to, from, c.descriptor_count) {
                log(&e);
            }
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
        let set = get::<DescriptorSet>(set);
        for e in &get::<Template>(template).0 {
            let source = Source { first: data.cast::<u8>().add(e.offset), stride: e.stride };
            write(set, e.descriptor_type, e.dst_binding, e.dst_array_element, e.descriptor_count, &source);
        }
    }
}
