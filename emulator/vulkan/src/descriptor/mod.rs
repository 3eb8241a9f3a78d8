//! Descriptors: set layouts, pipeline layouts, pools, sets and their updates, and descriptors in buffers and heaps.
//!
//! * `update`: updates of sets, directly or through a template, and push descriptors.
//! * `buffer`, `heap`: descriptors as bytes in buffers and in heaps.
//!
//! Left to others: the device library's `descriptor` owns the records; `command_buffer::bound_heaps` holds the heaps
//! that are bound.

pub(crate) mod buffer;
pub(crate) mod heap;
pub(crate) mod update;

use std::sync::atomic::{AtomicUsize, Ordering};

use ash::vk;
use quadrille::{
    DescriptorBinding, DescriptorKind, DescriptorPool, DescriptorSet, DescriptorSetLayout, LIMITS,
    PipelineLayout, Sampler, ShaderStages,
};
use smallvec::SmallVec;

use crate::device::Device;
use crate::interface::chain::{find, slice};
use crate::interface::guard::{VkResult, code, commands};
use crate::interface::handle::{create, destroy, get, get_mut, get_opt, objects};

/// A VkDescriptorPool, with the handles of its sets.
pub struct Pool {
    pool: DescriptorPool,
    /// Handles of the sets, in the order of allocation unless some were freed. Sets that were allocated together are
    /// adjacent in memory, so that destroying the pool accesses memory in order.
    sets: Vec<vk::DescriptorSet>,
}

/// A VkDescriptorSet.
pub struct Set {
    set: DescriptorSet,
    /// Index in the pool's list; only accessed by commands to which the pool is externally synchronized.
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

/// Converts a descriptor type; types of unsupported extensions are an error.
pub fn kind(ty: vk::DescriptorType) -> VkResult<DescriptorKind> {
    DescriptorKind::from_vk(ty.as_raw()).ok_or(vk::Result::ERROR_FEATURE_NOT_PRESENT)
}

/// Converts the bindings of a create info.
///
/// # Safety
/// `info` and its chain are valid, and its samplers are live.
unsafe fn bindings(info: &vk::DescriptorSetLayoutCreateInfo<'_>) -> VkResult<Vec<DescriptorBinding>> {
    // SAFETY: the caller promises a valid create info; immutable samplers are read only for types that use them.
    unsafe {
        let flags = find::<vk::DescriptorSetLayoutBindingFlagsCreateInfo>(info.p_next);
        // The array is empty or has an element for each binding.
        let flags = flags.map_or(&[][..], |f| slice(f.p_binding_flags, f.binding_count));
        slice(info.p_bindings, info.binding_count)
            .iter()
            .enumerate()
            .map(|(i, b)| {
                let has = |flag| flags.get(i).is_some_and(|f| f.contains(flag));
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
                    partially_bound: has(vk::DescriptorBindingFlags::PARTIALLY_BOUND),
                    variable_count: has(vk::DescriptorBindingFlags::VARIABLE_DESCRIPTOR_COUNT),
                })
            })
            .collect()
    }
}

/// Creates a set layout.
///
/// # Safety
/// `info` and its chain are valid, and its samplers are live.
unsafe fn make_layout(
    device: &Device,
    info: &vk::DescriptorSetLayoutCreateInfo<'_>,
) -> VkResult<DescriptorSetLayout> {
    use vk::DescriptorSetLayoutCreateFlags as F;
    // SAFETY: the caller promises the conditions of `bindings`.
    let bindings = unsafe { bindings(info)? };
    let device = &device.device;
    // Sets of embedded samplers and push descriptors do not lie in buffers of the application.
    let own = F::EMBEDDED_IMMUTABLE_SAMPLERS_EXT | F::PUSH_DESCRIPTOR_KHR;
    let layout = match info.flags.contains(F::DESCRIPTOR_BUFFER_EXT) && !info.flags.intersects(own) {
        true => device.create_descriptor_set_layout_in_buffers(&bindings),
        false => device.create_descriptor_set_layout(&bindings),
    };
    layout.map_err(|e| code(&e))
}

/// Returns the greatest count of the binding with a variable count that the other bindings leave room for, in
/// descriptors or, for an inline uniform block, bytes; 0 if there is no such binding.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn max_variable_count(info: &vk::DescriptorSetLayoutCreateInfo<'_>) -> u32 {
    // SAFETY: the caller promises a valid create info.
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

/// Returns the set behind a handle, `None` for VK_NULL_HANDLE.
///
/// # Safety
/// The handle is a live set or null.
pub unsafe fn find_set<'a>(handle: vk::DescriptorSet) -> Option<&'a DescriptorSet> {
    // SAFETY: the caller promises that the handle is live or null.
    unsafe { get_opt::<Set>(handle) }.map(|s| &s.set)
}

/// Returns the set behind a handle.
///
/// # Safety
/// The handle is a live set.
pub unsafe fn get_set<'a>(handle: vk::DescriptorSet) -> &'a DescriptorSet {
    // SAFETY: the caller promises that the handle is live.
    &unsafe { get::<Set>(handle) }.set
}

/// Destroys every set of a pool.
///
/// # Safety
/// The sets of the pool are not used afterwards.
unsafe fn release_all(pool: &mut Pool) {
    for handle in pool.sets.drain(..) {
        // SAFETY: the pool lists live sets only, and the caller promises not to use them afterwards.
        drop(unsafe { destroy::<Set>(handle) });
    }
    pool.pool.reset();
}

/// Destroys one set of a pool.
///
/// # Safety
/// `handle` is null or a set of this pool, and is not used afterwards.
unsafe fn release(pool: &mut Pool, handle: vk::DescriptorSet) {
    // SAFETY: the caller promises that `handle` is null or a live set and gives it up; the pool lists live sets only.
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

/// Creates a pipeline layout.
///
/// # Safety
/// The set layouts are live or null.
pub unsafe fn layout_of(
    device: &Device,
    sets: &[vk::DescriptorSetLayout],
    push: &[vk::PushConstantRange],
) -> VkResult<PipelineLayout> {
    let sets: Vec<DescriptorSetLayout> = sets
        .iter()
        // SAFETY: the caller promises that the handles are live or null.
        .map(|&layout| match unsafe { get_opt::<DescriptorSetLayout>(layout) } {
            Some(layout) => Ok(layout.clone()),
            // A null layout stands for a set of another pipeline library.
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
        crate::interface::chain::each((*out).p_next, |link| {
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
        // Sets have memory of their own, so the pool's sizes are not needed.
        let pool = get::<Device>(device).device.create_descriptor_pool(info.max_sets);
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
        let counts = find::<vk::DescriptorSetVariableDescriptorCountAllocateInfo>(info.p_next);
        let counts = counts.map_or(&[][..], |c| slice(c.p_descriptor_counts, c.descriptor_set_count));
        let mut made: SmallVec<[DescriptorSet; 4]> = SmallVec::with_capacity(layouts.len());
        for (i, &layout) in layouts.iter().enumerate() {
            // Variable counts that are not given are zero.
            let elements = counts.get(i).copied().unwrap_or(0);
            // Vulkan's valid usage keeps resources alive that are written to the set.
            match pool.pool.allocate_with(get::<DescriptorSetLayout>(layout), elements) {
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
