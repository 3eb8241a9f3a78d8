//! Properties that a device reports: its version, and properties that depend on the version.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::CStr;

use crate::common::Gpu;
use ash::vk;

/// Creates an instance for an application with engine `engine` that requests the latest version.
fn instance(entry: &ash::Entry, engine: &CStr) -> (ash::Instance, vk::PhysicalDevice) {
    let app =
        vk::ApplicationInfo::default().api_version(vk::make_api_version(0, 1, 4, 0)).engine_name(engine);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let instance =
            entry.create_instance(&vk::InstanceCreateInfo::default().application_info(&app), None).unwrap();
        let physical = instance.enumerate_physical_devices().unwrap()[0];
        (instance, physical)
    }
}

fn extensions(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Vec<String> {
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let list = unsafe { instance.enumerate_device_extension_properties(physical) }.unwrap();
    list.iter().map(|e| e.extension_name_as_c_str().unwrap().to_str().unwrap().to_string()).collect()
}

/// Creates a device without extensions that requests `features`.
fn device(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    features: &mut vk::PhysicalDeviceVulkan12Features<'_>,
) -> ash::prelude::VkResult<ash::Device> {
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
    let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues).push_next(features);
    // SAFETY: valid usage of Vulkan, except for features of a version that the device may not support.
    unsafe { instance.create_device(physical, &info, None) }
}

#[test]
fn a_device_of_the_latest_version_has_its_commands_by_core_names() {
    let entry = vk_quadrille::entry();
    let (instance, physical) = instance(&entry, c"");
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let version = instance.get_physical_device_properties(physical).api_version;
        assert_eq!(vk::api_version_minor(version), 4);
        assert_eq!(vk::api_version_minor(entry.try_enumerate_instance_version().unwrap().unwrap()), 4);
        let mut asked = vk::PhysicalDeviceVulkan12Features::default().timeline_semaphore(true);
        let device = device(&instance, physical, &mut asked).unwrap();
        let address = |name: &CStr| (instance.fp_v1_0().get_device_proc_addr)(device.handle(), name.as_ptr());
        for name in [
            c"vkCreateRenderPass2",
            c"vkGetBufferDeviceAddress",
            c"vkQueueSubmit2",
            c"vkCmdBeginRendering",
            c"vkCmdSetCullMode",
            c"vkMapMemory2",
            c"vkCmdPushDescriptorSet",
            c"vkCmdSetLineStipple",
            c"vkCopyMemoryToImage",
        ] {
            assert!(address(name).is_some(), "{name:?}");
        }
        assert!(address(c"vkQueueSubmit2KHR").is_none(), "of an extension that is not enabled");
        device.destroy_device(None);
        instance.destroy_instance(None);
    }
}

/// wgpu hides devices that report no version of a passed conformance suite, except those of 1.1 without
/// VK_KHR_driver_properties.
#[test]
fn wgpu_sees_a_device_of_1_1() {
    let entry = vk_quadrille::entry();
    let (instance, physical) = instance(&entry, c"wgpu-hal");
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let version = instance.get_physical_device_properties(physical).api_version;
        assert_eq!(vk::api_version_minor(version), 1);
        let names = extensions(&instance, physical);
        assert!(!names.iter().any(|n| n == "VK_KHR_driver_properties"));
        assert!(names.iter().any(|n| n == "VK_KHR_timeline_semaphore"));
        // Structures of later versions are neither filled nor accepted.
        let mut answered = vk::PhysicalDeviceVulkan12Features::default();
        let mut all = vk::PhysicalDeviceFeatures2::default().push_next(&mut answered);
        instance.get_physical_device_features2(physical, &mut all);
        assert_eq!(answered.timeline_semaphore, vk::FALSE);
        let mut asked = vk::PhysicalDeviceVulkan12Features::default().timeline_semaphore(true);
        let refused = device(&instance, physical, &mut asked).err();
        assert_eq!(refused, Some(vk::Result::ERROR_FEATURE_NOT_PRESENT));
        let device = device(&instance, physical, &mut Default::default()).unwrap();
        let address = |name: &CStr| (instance.fp_v1_0().get_device_proc_addr)(device.handle(), name.as_ptr());
        assert!(address(c"vkQueueSubmit2").is_none());
        device.destroy_device(None);
        instance.destroy_instance(None);
    }
}

/// ANGLE recreates textures of other devices for multisampled rendering, so that its drawing would not reach these
/// devices.
#[test]
fn angle_renders_multisampled_to_images_with_samples() {
    let entry = vk_quadrille::entry();
    let name = "VK_EXT_multisampled_render_to_single_sampled";
    for (engine, offered) in [(c"", true), (c"ANGLE", false)] {
        let (instance, physical) = instance(&entry, engine);
        // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
        unsafe {
            assert_eq!(extensions(&instance, physical).iter().any(|n| n == name), offered);
            let mut answered = vk::PhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT::default();
            let mut all = vk::PhysicalDeviceFeatures2::default().push_next(&mut answered);
            instance.get_physical_device_features2(physical, &mut all);
            assert_eq!(answered.multisampled_render_to_single_sampled == vk::TRUE, offered);
            instance.destroy_instance(None);
        }
    }
}

/// The device does not claim conformance.
#[test]
fn identity_is_stable_and_claims_nothing() {
    let entry = vk_quadrille::entry();
    let identity = || {
        let (instance, physical) = instance(&entry, c"");
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut id = vk::PhysicalDeviceIDProperties::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut driver).push_next(&mut id);
        // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
        unsafe {
            instance.get_physical_device_properties2(physical, &mut all);
            let cache = all.properties.pipeline_cache_uuid;
            instance.destroy_instance(None);
            let version = driver.conformance_version;
            assert_eq!([version.major, version.minor, version.subminor, version.patch], [0; 4]);
            assert_eq!(driver.driver_name_as_c_str(), Ok(c"quadrille"));
            (cache, id.device_uuid, id.driver_uuid)
        }
    };
    assert_eq!(identity(), identity());
    let (cache, device, driver) = identity();
    assert!(cache != device && device != driver);
}

/// Queues share the threads of the process: a priority above the normal one is refused.
#[test]
fn global_priorities_are_those_that_are_listed() {
    let entry = vk_quadrille::entry();
    let (instance, physical) = instance(&entry, c"");
    use vk::QueueGlobalPriorityKHR as Priority;
    // SAFETY: valid usage of Vulkan, except for the priority, which the driver checks.
    unsafe {
        let mut listed = vk::QueueFamilyGlobalPriorityPropertiesKHR::default();
        let mut family = [vk::QueueFamilyProperties2::default().push_next(&mut listed)];
        instance.get_physical_device_queue_family_properties2(physical, &mut family);
        let listed = listed.priorities[..listed.priority_count as usize].to_vec();
        assert!(listed.contains(&Priority::MEDIUM));
        for priority in [Priority::LOW, Priority::MEDIUM, Priority::HIGH, Priority::REALTIME] {
            let mut asked = vk::DeviceQueueGlobalPriorityCreateInfoKHR::default().global_priority(priority);
            let queues =
                [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0]).push_next(&mut asked)];
            let made = instance.create_device(
                physical,
                &vk::DeviceCreateInfo::default().queue_create_infos(&queues),
                None,
            );
            match made {
                Ok(device) => {
                    assert!(listed.contains(&priority));
                    device.destroy_device(None);
                }
                Err(code) => {
                    assert_eq!(code, vk::Result::ERROR_NOT_PERMITTED_KHR);
                    assert!(!listed.contains(&priority));
                }
            }
        }
        instance.destroy_instance(None);
    }
}

/// All layouts are the same: every layout that GENERAL may replace with VK_KHR_unified_image_layouts supports host
/// copies. Spec: Vulkan, VkPhysicalDeviceHostImageCopyProperties.
#[test]
fn images_of_all_layouts_are_copied_on_the_host() {
    let entry = vk_quadrille::entry();
    let (instance, physical) = instance(&entry, c"");
    let mut layouts = [vk::ImageLayout::UNDEFINED; 64];
    let mut p = vk::PhysicalDeviceHostImageCopyPropertiesEXT::default().copy_src_layouts(&mut layouts);
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut p);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        instance.get_physical_device_properties2(physical, &mut all);
        instance.destroy_instance(None);
    }
    let n = p.copy_src_layout_count as usize;
    use vk::ImageLayout as Layout;
    for layout in [
        Layout::GENERAL,
        Layout::COLOR_ATTACHMENT_OPTIMAL,
        Layout::DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
        Layout::DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
        Layout::RENDERING_LOCAL_READ_KHR,
        Layout::READ_ONLY_OPTIMAL,
        Layout::ATTACHMENT_OPTIMAL,
        Layout::ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT,
    ] {
        assert!(layouts[..n].contains(&layout), "{layout:?}");
    }
}

/// Timestamps use the host's clock: values read together denote the same moment.
#[test]
fn timestamps_are_calibrated() {
    let gpu = Gpu::new(&[c"VK_EXT_calibrated_timestamps"]);
    let d = &gpu.device;
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let entry = vk_quadrille::entry();
        let instance = ash::ext::calibrated_timestamps::Instance::new(&entry, &gpu.instance);
        let domains = instance.get_physical_device_calibrateable_time_domains(gpu.physical).unwrap();
        assert!(domains.contains(&vk::TimeDomainKHR::DEVICE));
        // Spec: Vulkan, VkTimeDomainKHR: which clock belongs to which system.
        let host = match cfg!(windows) {
            true => vk::TimeDomainKHR::QUERY_PERFORMANCE_COUNTER,
            false => vk::TimeDomainKHR::CLOCK_MONOTONIC,
        };
        assert!(domains.len() == 2 && domains.contains(&host));
        let clocks = ash::ext::calibrated_timestamps::Device::new(&gpu.instance, d);
        let infos: Vec<_> = domains
            .iter()
            .map(|&domain| vk::CalibratedTimestampInfoKHR::default().time_domain(domain))
            .collect();
        let (before, deviation) = clocks.get_calibrated_timestamps(&infos).unwrap();
        assert!(before[0] == before[1] || cfg!(windows));
        assert!(deviation > 0);
        let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(1);
        let pool = d.create_query_pool(&info, None).unwrap();
        gpu.run(|cmd| {
            d.cmd_reset_query_pool(cmd, pool, 0, 1);
            d.cmd_write_timestamp(cmd, vk::PipelineStageFlags::BOTTOM_OF_PIPE, pool, 0);
        });
        let mut got = [0u64];
        d.get_query_pool_results(pool, 0, &mut got, vk::QueryResultFlags::TYPE_64).unwrap();
        let (after, _) = clocks.get_calibrated_timestamps(&infos).unwrap();
        assert!((before[0]..=after[0]).contains(&got[0]));
        d.destroy_query_pool(pool, None);
    }
}

/// A device that is not lost has no fault to report. Spec: Vulkan, vkGetDeviceFaultInfoEXT.
#[test]
fn a_lost_device_says_which_entry_point() {
    let gpu = Gpu::new(&[c"VK_EXT_device_fault"]);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    unsafe {
        let address = (gpu.instance.fp_v1_0().get_device_proc_addr)(
            gpu.device.handle(),
            c"vkGetDeviceFaultInfoEXT".as_ptr(),
        );
        let get: vk::PFN_vkGetDeviceFaultInfoEXT = std::mem::transmute(address.unwrap());
        let mut counts = vk::DeviceFaultCountsEXT::default();
        assert_eq!(get(gpu.device.handle(), &mut counts, std::ptr::null_mut()), vk::Result::SUCCESS);
        let mut info = vk::DeviceFaultInfoEXT::default();
        assert_eq!(get(gpu.device.handle(), &mut counts, &mut info), vk::Result::SUCCESS);
        assert_eq!(info.description_as_c_str(), Ok(c""));
        assert_eq!(counts.address_info_count, 0);
    }
}

/// Commands of promoted extensions keep their names of the vendor; features that share a structure are offered by each
/// name alone.
#[test]
fn extensions_of_vendors_have_their_names() {
    let mut mutable =
        vk::PhysicalDeviceMutableDescriptorTypeFeaturesEXT::default().mutable_descriptor_type(true);
    let extensions =
        [c"VK_AMD_draw_indirect_count", c"VK_AMD_rasterization_order", c"VK_VALVE_mutable_descriptor_type"];
    let gpu = Gpu::with(&extensions, |info| info.push_next(&mut mutable)).unwrap();
    let without = Gpu::new(&[]);
    for name in [c"vkCmdDrawIndirectCountAMD", c"vkCmdDrawIndexedIndirectCountAMD"] {
        // SAFETY: valid usage of Vulkan: the devices are live, and the name is a C string.
        let found = [&gpu, &without].map(|gpu| unsafe {
            gpu.instance.get_device_proc_addr(gpu.device.handle(), name.as_ptr()).is_some()
        });
        assert_eq!(found, [true, false], "{name:?}");
    }
}
