//! Pipeline caches: their data is only a header, and any initial data is accepted.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::{Gpu, sum};
use ash::vk;

/// Sizes and identity of the device. Spec: Vulkan, "Pipeline Cache Header".
#[test]
fn data_begin_with_the_header_of_this_device() {
    let gpu = Gpu::new(&[]);
    let d = &gpu.device;
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let of = gpu.instance.get_physical_device_properties(gpu.physical);
        let cache = d.create_pipeline_cache(&Default::default(), None).unwrap();
        let data = d.get_pipeline_cache_data(cache).unwrap();
        let word = |at: usize| u32::from_le_bytes(data[at..at + 4].try_into().unwrap());
        assert_eq!([word(0), word(4)], [32, vk::PipelineCacheHeaderVersion::ONE.as_raw() as u32]);
        assert_eq!([word(8), word(12)], [of.vendor_id, of.device_id]);
        assert_eq!(data[16..32], of.pipeline_cache_uuid);
        // A buffer that is too small is not an error, and no partial header is written.
        let get = d.fp_v1_0().get_pipeline_cache_data;
        let (mut size, mut out) = (31, [0xabu8; 32]);
        let code = get(d.handle(), cache, &mut size, out.as_mut_ptr().cast());
        assert_eq!((code, size, out), (vk::Result::INCOMPLETE, 0, [0xab; 32]));
        d.destroy_pipeline_cache(cache, None);
    }
}

/// Incompatible data makes an empty cache. Spec: Vulkan, vkCreatePipelineCache.
#[test]
fn damaged_and_foreign_data_make_caches_that_work() {
    let gpu = Gpu::new(&[]);
    let d = &gpu.device;
    let recipe = sum::Recipe::new(&gpu).unwrap();
    // SAFETY: valid usage of Vulkan, which puts no requirements on the contents of the initial data.
    unsafe {
        let first = d.create_pipeline_cache(&Default::default(), None).unwrap();
        let right = d.get_pipeline_cache_data(first).unwrap();
        let mut cases = vec![right.clone(), Vec::new(), right[..7].to_vec(), vec![0xff; 5000]];
        for at in [0, 4, 8, 12, 16, 31] {
            let mut damaged = right.clone();
            damaged[at] ^= 0x55;
            cases.push(damaged);
        }
        cases.push([&right[..], &[9; 100]].concat());
        for (seed, data) in (0..).zip(&cases) {
            let info = vk::PipelineCacheCreateInfo::default().initial_data(data);
            let cache = d.create_pipeline_cache(&info, None).unwrap();
            d.merge_pipeline_caches(first, &[cache, cache]).unwrap();
            assert_eq!(d.get_pipeline_cache_data(first).unwrap(), right);
            let pipeline = recipe.pipeline(&gpu, cache).unwrap();
            let buffers = sum::buffers(&gpu, seed);
            let (sets, set) = recipe.set(&gpu, sum::handles(&buffers)).unwrap();
            gpu.run(|c| recipe.record(&gpu, c, pipeline, set, sum::COUNT));
            assert!(sum::is_right(&buffers, seed), "data {seed}");
            d.destroy_pipeline_cache(cache, None);
            d.destroy_pipeline(pipeline, None);
            d.destroy_descriptor_pool(sets, None);
            buffers.into_iter().for_each(|b| b.destroy(&gpu));
        }
        d.destroy_pipeline_cache(first, None);
        d.destroy_shader_module(recipe.module, None);
        d.destroy_pipeline_layout(recipe.layout, None);
        d.destroy_descriptor_set_layout(recipe.set_layout, None);
    }
}
