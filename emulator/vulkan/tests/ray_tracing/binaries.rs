//! Ray tracing pipelines from pipeline binaries.

use std::ptr::null;

use ash::vk;

use super::{EIGHT, expected, grid, regions, tables, two_triangles};
use crate::common::binaries::{Binaries, CAPTURE, Handles};

/// A pipeline has a binary for each of its stages, in their order, from which it is created again without modules. Spec:
/// Vulkan, "Pipeline Binaries".
#[test]
fn pipelines_are_made_of_binaries() {
    let (lab, structures) = two_triangles();
    let binaries = Binaries::new(&lab.scene.gpu);
    let none = (vk::DeferredOperationKHR::null(), vk::PipelineCache::null());
    let create = |info: vk::RayTracingPipelineCreateInfoKHR<'_>| {
        // SAFETY: valid usage of Vulkan: the create info is valid and its handles are live.
        let made = unsafe { lab.rt.create_ray_tracing_pipelines(none.0, none.1, &[info], None) };
        made.map(|all| all[0]).map_err(|(_, code)| code)
    };
    lab.create(&grid(), |info| {
        let mut capture = vk::PipelineCreateFlags2CreateInfoKHR::default().flags(CAPTURE);
        let first = create(info.push_next(&mut capture)).unwrap();
        let (code, n, made) = binaries.of_pipeline(first, Some(4));
        assert_eq!((code, n), (vk::Result::SUCCESS, 3));
        let (keys, data): (Vec<_>, Vec<_>) = made.iter().map(|&binary| binaries.data(binary)).unzip();
        assert!(keys[0] != keys[1] && keys[1] != keys[2]);
        let without = info.stages(&[]);
        let [key, other] = [&info, &without].map(|info| binaries.key_of((&raw const *info).cast()));
        assert_ne!(key, other);
        binaries.destroy(&made);
        lab.destroy(first);

        let (code, mut made) = binaries.of_data(&keys, &data);
        assert_eq!(code, vk::Result::SUCCESS);
        // SAFETY: the create info has three stages.
        let mut stages = unsafe { std::slice::from_raw_parts(info.p_stages, 3) }.to_vec();
        stages.iter_mut().for_each(|stage| stage.module = vk::ShaderModule::null());
        let named = Handles { ty: 1_000_483_002, next: null(), n: 3, binaries: made.as_mut_ptr() };
        let mut again =
            info.stages(&stages).flags(vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED);
        again.p_next = (&raw const named).cast();
        let second = create(again).unwrap();
        let tables = tables(&lab, &lab.handles(second, 3));
        assert_eq!(lab.trace(second, [0; 4], regions(&tables), EIGHT), expected(0.0, 6.0));
        lab.drop_tables(tables);
        lab.destroy(second);
        // Too few binaries, or in another order.
        let few = Handles { n: 2, ..named };
        again.p_next = (&raw const few).cast();
        assert_eq!(create(again), Err(vk::Result::ERROR_UNKNOWN));
        made.swap(0, 1);
        let swapped = Handles { n: 3, binaries: made.as_mut_ptr(), ..few };
        again.p_next = (&raw const swapped).cast();
        assert_eq!(create(again), Err(vk::Result::ERROR_UNKNOWN));
        binaries.destroy(&made);
    });
    lab.scene.destroy_all(structures);
    lab.end();
}
