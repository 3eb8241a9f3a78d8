//! Chapter "Resource Descriptors": set layouts, pipeline layouts, pools and sets. Updates are in
//! `descriptor_update`.

use ash::vk;
use ash::vk::Handle;
use quadrille::{
    DescriptorBinding, DescriptorKind, DescriptorPool, DescriptorSet, DescriptorSetLayout, PipelineLayout,
    Sampler, ShaderStages,
};
use rustc_hash::FxHashSet;

use crate::chain::slice;
use crate::device::Device;
use crate::guard::{VkResult, code, commands};
use crate::handle::{create, create_many, destroy, get, get_mut, get_opt, objects};

/// A pool with the sets that go with it.
pub struct Pool {
    pool: DescriptorPool,
    sets: FxHashSet<u64>,
}

objects!(
    DescriptorSetLayout => DescriptorSetLayout,
    PipelineLayout => PipelineLayout,
    DescriptorSet => DescriptorSet,
    Pool => DescriptorPool,
);

/// The kind of a descriptor type; those of extensions that are not offered have none.
pub fn kind(ty: vk::DescriptorType) -> VkResult<DescriptorKind> {
    DescriptorKind::from_vk(ty.as_raw()).ok_or(vk::Result::ERROR_FEATURE_NOT_PRESENT)
}

unsafe fn bindings(info: &vk::DescriptorSetLayoutCreateInfo<'_>) -> VkResult<Vec<DescriptorBinding>> {
    // SAFETY: the caller passes a valid create info; immutable samplers count only for these types.
    unsafe {
        slice(info.p_bindings, info.binding_count)
            .iter()
            .map(|b| {
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
                })
            })
            .collect()
    }
}

/// Destroys every set of a pool.
unsafe fn release_all(pool: &mut Pool) {
    for raw in pool.sets.drain() {
        // SAFETY: the pool's sets are not used after this.
        drop(unsafe { destroy::<DescriptorSet>(vk::DescriptorSet::from_raw(raw)) });
    }
    pool.pool.reset();
}

commands! {
    fn create_descriptor_set_layout(
        device: vk::Device,
        info: *const vk::DescriptorSetLayoutCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::DescriptorSetLayout,
    ) -> vk::Result {
        let layout = get::<Device>(device).device.create_descriptor_set_layout(&bindings(&*info)?);
        *out = create(layout.map_err(|e| code(&e))?);
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
        let supported = bindings(&*info)
            .is_ok_and(|b| get::<Device>(device).device.create_descriptor_set_layout(&b).is_ok());
        (*out).supported = supported.into();
        crate::chain::each((*out).p_next, |link| {
            if let Some(p) = link.get::<vk::DescriptorSetVariableDescriptorCountLayoutSupport>() {
                p.max_variable_descriptor_count = crate::limits::MAX_PER_SET_DESCRIPTORS;
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
        let sets: Vec<DescriptorSetLayout> = slice(info.p_set_layouts, info.set_layout_count)
            .iter()
            .map(|&layout| match get_opt::<DescriptorSetLayout>(layout) {
                Some(layout) => Ok(layout.clone()),
                // A set of another library.
                None => get::<Device>(device).device.create_descriptor_set_layout(&[]).map_err(|e| code(&e)),
            })
            .collect::<VkResult<_>>()?;
        let push = slice(info.p_push_constant_ranges, info.push_constant_range_count)
            .iter()
            .map(|r| r.offset.saturating_add(r.size))
            .max();
        let layout = get::<Device>(device).device.create_pipeline_layout(&sets, push.unwrap_or(0));
        *out = create(layout.map_err(|e| code(&e))?);
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
        *out = create(Pool { pool, sets: FxHashSet::default() });
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
        let mut made = Vec::with_capacity(layouts.len());
        let result = create_many::<DescriptorSet>(out, layouts.len(), |i| {
            // What is written to the set stays alive as long as Vulkan's valid usage asks.
            let set = pool.pool.allocate(get::<DescriptorSetLayout>(layouts[i]));
            let set = set.map_err(|_| vk::Result::ERROR_OUT_OF_POOL_MEMORY)?;
            made.push(set.clone());
            Ok(set)
        });
        match result {
            Ok(()) => pool.sets.extend(slice(out, info.descriptor_set_count).iter().map(|s| s.as_raw())),
            Err(_) => made.iter().for_each(|set| pool.pool.free(set)),
        }
        result
    }

    fn free_descriptor_sets(
        _d: vk::Device,
        pool: vk::DescriptorPool,
        n: u32,
        sets: *const vk::DescriptorSet,
    ) -> vk::Result {
        let pool = get_mut::<Pool>(pool);
        for &handle in slice(sets, n) {
            if let Some(set) = destroy::<DescriptorSet>(handle) {
                pool.pool.free(&set);
                pool.sets.remove(&handle.as_raw());
            }
        }
        Ok(())
    }
}
