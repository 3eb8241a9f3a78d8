//! A Vulkan device with acceleration structures.

use std::ops::Deref;

use ash::vk;

use super::gpu;
pub use super::gpu::Buffer;

/// A device with acceleration structures.
pub struct Gpu {
    own: gpu::Gpu,
    pub rays: ash::khr::acceleration_structure::Device,
    /// True if the driver has ray queries.
    pub queries: bool,
    /// `None` if the driver has no ray tracing pipelines.
    pub pipelines: Option<ash::khr::ray_tracing_pipeline::Device>,
}

impl Deref for Gpu {
    type Target = gpu::Gpu;

    fn deref(&self) -> &gpu::Gpu {
        &self.own
    }
}

impl Gpu {
    /// # Panics
    /// Panics if the device has no acceleration structures.
    pub fn new() -> Gpu {
        use vk::BufferUsageFlags as U;
        let host = gpu::Host::new();
        let mut extensions = vec![c"VK_KHR_deferred_host_operations", c"VK_KHR_acceleration_structure"];
        assert!(extensions.iter().all(|name| host.offers(name)), "the device has no acceleration structures");
        let [queries, pipelines] = [c"VK_KHR_ray_query", c"VK_KHR_ray_tracing_pipeline"].map(|name| {
            let offered = host.offers(name);
            extensions.extend(offered.then_some(name));
            offered
        });
        let mut usage =
            U::ACCELERATION_STRUCTURE_STORAGE_KHR | U::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR;
        let mut core = vk::PhysicalDeviceVulkan12Features::default().buffer_device_address(true);
        let mut structures =
            vk::PhysicalDeviceAccelerationStructureFeaturesKHR::default().acceleration_structure(true);
        let mut of_queries = vk::PhysicalDeviceRayQueryFeaturesKHR::default().ray_query(true);
        let mut of_pipelines =
            vk::PhysicalDeviceRayTracingPipelineFeaturesKHR::default().ray_tracing_pipeline(true);
        let mut features =
            vk::PhysicalDeviceFeatures2::default().push_next(&mut core).push_next(&mut structures);
        if queries {
            features = features.push_next(&mut of_queries);
        }
        if pipelines {
            features = features.push_next(&mut of_pipelines);
            usage |= U::SHADER_BINDING_TABLE_KHR;
        }
        let own = host.open(&extensions, &mut features, usage);
        Gpu {
            rays: ash::khr::acceleration_structure::Device::new(&own.instance, &own.device),
            pipelines: pipelines
                .then(|| ash::khr::ray_tracing_pipeline::Device::new(&own.instance, &own.device)),
            queries,
            own,
        }
    }

    /// Sizes and alignments of shader binding tables.
    pub fn tables(&self) -> vk::PhysicalDeviceRayTracingPipelinePropertiesKHR<'static> {
        let mut tables = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut tables);
        // SAFETY: the physical device belongs to the live instance, and the structures are live.
        unsafe { self.instance.get_physical_device_properties2(self.physical, &mut all) };
        tables
    }
}
