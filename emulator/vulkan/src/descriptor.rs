//! Chapter "Resource Descriptors": set layouts, pipeline layouts, pools and sets. Updates are in
//! `descriptor_update`.

use std::sync::atomic::{AtomicUsize, Ordering};

use ash::vk;
use quadrille::{
    DescriptorBinding, DescriptorKind, DescriptorPool, DescriptorSet, DescriptorSetLayout, LIMITS,
    PipelineLayout, Sampler, ShaderStages,
};
use smallvec::SmallVec;

use crate::chain::{find, slice};
use crate::device::Device;
use crate::guard::{VkResult, code, commands};
use crate::handle::{create, destroy, get, get_mut, get_opt, objects};

/// A pool with the sets that go with it.
pub struct Pool {
    pool: DescriptorPool,
    /// In the order of allocation unless some were freed: what was allocated together lies together, and the
    /// pool's end walks through memory instead of jumping about in it.
    sets: Vec<vk::DescriptorSet>,
}

/// A VkDescriptorSet.
pub struct Set {
    set: DescriptorSet,
    /// Where its pool lists it. Only for commands that have the pool to themselves.
    place: AtomicUsize,
}

impl Set {
    /// The set itself.
    pub fn set(&self) -> &DescriptorSet {
        &self.set
    }
}

objects!(
    DescriptorSetLayout => DescriptorSetLayout,
    PipelineLayout => PipelineLayout,
    Set => DescriptorSet,
    Pool => DescriptorPool,
);

/// The kind of a descriptor type; those of extensions that are not offered have none.
pub fn kind(ty: vk::DescriptorType) -> VkResult<DescriptorKind> {
    DescriptorKind::from_vk(ty.as_raw()).ok_or(vk::Result::ERROR_FEATURE_NOT_PRESENT)
}

unsafe fn bindings(info: &vk::DescriptorSetLayoutCreateInfo<'_>) -> VkResult<Vec<DescriptorBinding>> {
    // SAFETY: the caller passes a valid create info; immutable samplers count only for these types.
    unsafe {
        let flags = find::<vk::DescriptorSetLayoutBindingFlagsCreateInfo>(info.p_next);
        // None, or one for each binding.
        let flags = flags.map_or(&[][..], |f| slice(f.p_binding_flags, f.binding_count));
        slice(info.p_bindings, info.binding_count)
            .iter()
            .enumerate()
            .map(|(i, b)| {
                let samplers = match b.descriptor_type {
                    vk::DescriptorType::SAMPLER | vk::DescriptorType::COMBINED_IMAGE_SAMPLER => {
                        slice(b.p_immutable_samplers, b.descriptor_count)
                    }
                    _ => &[],
                };
                Ok(DescriptorBinding {
                    binding: b.binding,
                    kind: kind(b.descriptor_type)?,
                    count: b.descriptor_count,
                    stages: ShaderStages(b.stage_flags.as_raw()),
                    immutable_samplers: samplers.iter().map(|&s| *get::<Sampler>(s)).collect(),
                    partially_bound: flags
                        .get(i)
                        .is_some_and(|f| f.contains(vk::DescriptorBindingFlags::PARTIALLY_BOUND)),
                })
            })
            .collect()
    }
}

unsafe fn make_layout(
    device: &Device,
    info: &vk::DescriptorSetLayoutCreateInfo<'_>,
) -> VkResult<DescriptorSetLayout> {
    use vk::DescriptorSetLayoutCreateFlags as F;
    // SAFETY: the caller passes a valid create info.
    let bindings = unsafe { bindings(info)? };
    let device = &device.device;
    // Those with embedded samplers, and of pushed descriptors, are not in buffers of the application.
    let own = F::EMBEDDED_IMMUTABLE_SAMPLERS_EXT | F::PUSH_DESCRIPTOR_KHR;
    let layout = match info.flags.contains(F::DESCRIPTOR_BUFFER_EXT) && !info.flags.intersects(own) {
        true => device.create_descriptor_set_layout_in_buffers(&bindings),
        false => device.create_descriptor_set_layout(&bindings),
    };
    layout.map_err(|e| code(&e))
}

/// Descriptors, or bytes of an inline uniform block, that the binding of a variable size can have beside the
/// others; 0 if there is none.
unsafe fn max_variable_count(info: &vk::DescriptorSetLayoutCreateInfo<'_>) -> u32 {
    // SAFETY: the caller passes a valid create info.
    let (bindings, flags) = unsafe {
        let flags = find::<vk::DescriptorSetLayoutBindingFlagsCreateInfo>(info.p_next);
        let flags = flags.map_or(&[][..], |f| slice(f.p_binding_flags, f.binding_count));
        (slice(info.p_bindings, info.binding_count), flags)
    };
    let variable = vk::DescriptorBindingFlags::VARIABLE_DESCRIPTOR_COUNT;
    let Some(at) = flags.iter().position(|f| f.contains(variable)) else { return 0 };
    let is_inline = |b: &vk::DescriptorSetLayoutBinding<'_>| {
        b.descriptor_type == vk::DescriptorType::INLINE_UNIFORM_BLOCK
    };
    if bindings.get(at).is_some_and(is_inline) {
        return LIMITS.max_inline_uniform_block_size;
    }
    let descriptors = |b: &vk::DescriptorSetLayoutBinding<'_>| match is_inline(b) {
        true => b.descriptor_count.min(1),
        false => b.descriptor_count,
    };
    let others = bindings.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, b)| descriptors(b)).sum();
    LIMITS.max_descriptors_per_set.saturating_sub(others)
}

/// The set behind a handle, `None` for VK_NULL_HANDLE.
///
/// # Safety
/// As for [`get_opt`].
pub unsafe fn find_set<'a>(handle: vk::DescriptorSet) -> Option<&'a DescriptorSet> {
    // SAFETY: the caller vouches for a live set or null.
    unsafe { get_opt::<Set>(handle) }.map(|s| &s.set)
}

/// The set behind a handle.
///
/// # Safety
/// As for [`get`].
pub unsafe fn get_set<'a>(handle: vk::DescriptorSet) -> &'a DescriptorSet {
    // SAFETY: the caller vouches for a live set.
    &unsafe { get::<Set>(handle) }.set
}

/// Destroys every set of a pool.
unsafe fn release_all(pool: &mut Pool) {
    for handle in pool.sets.drain(..) {
        // SAFETY: the pool's sets are not used after this.
        drop(unsafe { destroy::<Set>(handle) });
    }
    pool.pool.reset();
}

/// Destroys one set of a pool.
///
/// # Safety
/// `handle` is null or a set of this pool, and is not used after this.
unsafe fn release(pool: &mut Pool, handle: vk::DescriptorSet) {
    // SAFETY: the caller gives up the handle, and the last set of the list is alive.
    unsafe {
        let Some(gone) = destroy::<Set>(handle) else { return };
        pool.pool.free(&gone.set);
        let place = gone.place.into_inner();
        pool.sets.swap_remove(place);
        if let Some(&moved) = pool.sets.get(place) {
            get::<Set>(moved).place.store(place, Ordering::Relaxed);
        }
    }
}

/// A pipeline layout.
///
/// # Safety
/// The layouts are alive or null.
pub unsafe fn layout_of(
    device: &Device,
    sets: &[vk::DescriptorSetLayout],
    push: &[vk::PushConstantRange],
) -> VkResult<PipelineLayout> {
    let sets: Vec<DescriptorSetLayout> = sets
        .iter()
        // SAFETY: the caller vouches for the handles.
        .map(|&layout| match unsafe { get_opt::<DescriptorSetLayout>(layout) } {
            Some(layout) => Ok(layout.clone()),
            // A set of another library.
            None => device.device.create_descriptor_set_layout(&[]).map_err(|e| code(&e)),
        })
        .collect::<VkResult<_>>()?;
    let push = push.iter().map(|r| r.offset.saturating_add(r.size)).max();
    device.device.create_pipeline_layout(&sets, push.unwrap_or(0)).map_err(|e| code(&e))
}

commands! {
    fn create_descriptor_set_layout(
        device: vk::Device,
        info: *const vk::DescriptorSetLayoutCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::DescriptorSetLayout,
    ) -> vk::Result {
        *out = create(make_layout(get::<Device>(device), &*info)?);
        Ok(())
    }

    fn destroy_descriptor_set_layout(
        _d: vk::Device,
        layout: vk::DescriptorSetLayout,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<DescriptorSetLayout>(layout));
    }

    fn get_descriptor_set_layout_support(
        device: vk::Device,
        info: *const vk::DescriptorSetLayoutCreateInfo<'_>,
        out: *mut vk::DescriptorSetLayoutSupport<'_>,
    ) {
        let supported = make_layout(get::<Device>(device), &*info).is_ok();
        (*out).supported = supported.into();
        crate::chain::each((*out).p_next, |link| {
            if let Some(p) = link.get::<vk::DescriptorSetVariableDescriptorCountLayoutSupport>() {
                p.max_variable_descriptor_count = if supported { max_variable_count(&*info) } else { 0 };
            }
        });
    }

    fn create_pipeline_layout(
        device: vk::Device,
        info: *const vk::PipelineLayoutCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::PipelineLayout,
    ) -> vk::Result {
        let info = &*info;
        let sets = slice(info.p_set_layouts, info.set_layout_count);
        let push = slice(info.p_push_constant_ranges, info.push_constant_range_count);
        *out = create(layout_of(get::<Device>(device), sets, push)?);
        Ok(())
    }

    fn destroy_pipeline_layout(
        _d: vk::Device,
        layout: vk::PipelineLayout,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<PipelineLayout>(layout));
    }

    fn create_descriptor_pool(
        device: vk::Device,
        info: *const vk::DescriptorPoolCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::DescriptorPool,
    ) -> vk::Result {
        let info = &*info;
        // Sizes of types that are not offered ask for nothing.
        let sizes: Vec<(DescriptorKind, u32)> = slice(info.p_pool_sizes, info.pool_size_count)
            .iter()
            .filter_map(|s| Some((kind(s.ty).ok()?, s.descriptor_count)))
            .collect();
        let pool = get::<Device>(device).device.create_descriptor_pool(info.max_sets, &sizes);
        *out = create(Pool { pool, sets: Vec::new() });
        Ok(())
    }

    fn destroy_descriptor_pool(
        _d: vk::Device,
        pool: vk::DescriptorPool,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        if let Some(mut pool) = destroy::<Pool>(pool) {
            release_all(&mut pool);
        }
    }

    fn reset_descriptor_pool(
        _d: vk::Device,
        pool: vk::DescriptorPool,
        _flags: vk::DescriptorPoolResetFlags,
    ) -> vk::Result {
        release_all(get_mut::<Pool>(pool));
        Ok(())
    }

    fn allocate_descriptor_sets(
        _d: vk::Device,
        info: *const vk::DescriptorSetAllocateInfo<'_>,
        out: *mut vk::DescriptorSet,
    ) -> vk::Result {
        let info = &*info;
        let pool = get_mut::<Pool>(info.descriptor_pool);
        let layouts = slice(info.p_set_layouts, info.descriptor_set_count);
        let mut made: SmallVec<[DescriptorSet; 4]> = SmallVec::with_capacity(layouts.len());
        for &layout in layouts {
            // What is written to the set stays alive as long as Vulkan's valid usage asks.
            match pool.pool.allocate(get::<DescriptorSetLayout>(layout)) {
                Ok(set) => made.push(set),
                Err(_) => {
                    made.iter().for_each(|set| pool.pool.free(set));
                    (0..layouts.len()).for_each(|i| out.add(i).write(vk::DescriptorSet::null()));
                    return Err(vk::Result::ERROR_OUT_OF_POOL_MEMORY);
                }
            }
        }
        for (i, set) in made.into_iter().enumerate() {
            let handle = create(Set { set, place: AtomicUsize::new(pool.sets.len()) });
            pool.sets.push(handle);
            out.add(i).write(handle);
        }
        Ok(())
    }

    fn free_descriptor_sets(
        _d: vk::Device,
        pool: vk::DescriptorPool,
        n: u32,
        sets: *const vk::DescriptorSet,
    ) -> vk::Result {
        let pool = get_mut::<Pool>(pool);
        slice(sets, n).iter().for_each(|&handle| release(pool, handle));
        Ok(())
    }
}
