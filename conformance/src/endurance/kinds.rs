//! Kinds of cheap objects: one row per kind, with functions that make and destroy an object.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use std::ffi::c_void;

use ash::prelude::VkResult;
use ash::vk;
use ash::vk::Handle;

use super::client::{MEMORY, SIDE, Stock, bindings, buffer_info, image_info, pass, pool, view_info};

/// Handles of an object, and of another object on which it depends.
pub type Made = [u64; 2];

/// A kind of object.
pub struct Kind {
    /// Name in reports.
    pub name: &'static str,
    /// Maximum number of live objects; `None`: no limit.
    pub most: Option<u32>,
    /// Makes object number `i`.
    pub make: fn(&Stock<'_>, u32) -> VkResult<Made>,
    /// Destroys an object.
    pub destroy: fn(&Stock<'_>, Made),
}

/// A row of objects that the device makes and destroys with one command each.
macro_rules! row {
    ($name:literal, $most:expr, $destroy:ident, |$s:ident, $i:ident| $make:expr) => {
        Kind {
            name: $name,
            most: $most,
            make: |$s, $i| {
                // SAFETY: the expression uses only objects of the stock, which is alive, and locals that outlive the
                // call.
                #[allow(unused_unsafe, reason = "some rows call safe functions")]
                let made = unsafe { $make }?;
                Ok([Handle::as_raw(made), 0])
            },
            // SAFETY: `make` of the same row returned the handle, and no submission uses the object.
            destroy: |s, made| unsafe { s.device.$destroy(Handle::from_raw(made[0]), None) },
        }
    };
}

/// Limit `maxSamplerAllocationCount`.
const SAMPLERS: u32 = 4000;
/// Limit for objects that need mappings of the host or much memory.
const FEW: u32 = 1000;

/// All kinds.
pub const KINDS: [Kind; 33] = [
    row!("buffers", None, destroy_buffer, |s, _i| s.device.create_buffer(&buffer_info(), None)),
    row!("buffers with memory", None, destroy_buffer, |s, i| bound_buffer(s, i)),
    row!("buffers with private data", None, destroy_buffer, |s, i| private_buffer(s, i)),
    row!("sparse buffers", Some(FEW), destroy_buffer, |s, _i| {
        s.device.create_buffer(&buffer_info().flags(vk::BufferCreateFlags::SPARSE_BINDING), None)
    }),
    row!("buffer views", None, destroy_buffer_view, |s, i| {
        let info = vk::BufferViewCreateInfo::default().buffer(s.buffer).format(vk::Format::R32_UINT);
        s.device.create_buffer_view(&info.offset(u64::from(i % 8) * 16).range(16), None)
    }),
    row!("images", None, destroy_image, |s, _i| s.device.create_image(&image_info(), None)),
    row!("images with memory", None, destroy_image, |s, _i| {
        let image = s.device.create_image(&image_info(), None)?;
        s.device.bind_image_memory(image, s.memory, 0).map(|()| image)
    }),
    row!("image views", None, destroy_image_view, |s, _i| s
        .device
        .create_image_view(&view_info(s.image), None)),
    row!("samplers", Some(SAMPLERS), destroy_sampler, |s, i| {
        let filter = if i % 2 == 0 { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
        let info = vk::SamplerCreateInfo::default().mag_filter(filter).max_lod((i % 1000) as f32);
        s.device.create_sampler(&info, None)
    }),
    row!("YCbCr conversions", None, destroy_sampler_ycbcr_conversion, |s, _i| {
        let info = vk::SamplerYcbcrConversionCreateInfo::default()
            .format(vk::Format::G8_B8R8_2PLANE_420_UNORM)
            .ycbcr_model(vk::SamplerYcbcrModelConversion::YCBCR_709);
        s.device.create_sampler_ycbcr_conversion(&info, None)
    }),
    row!("fences", None, destroy_fence, |s, i| {
        let info = vk::FenceCreateInfo::default().flags(vk::FenceCreateFlags::from_raw(i % 2));
        s.device.create_fence(&info, None)
    }),
    row!("binary semaphores", None, destroy_semaphore, |s, _i| {
        s.device.create_semaphore(&Default::default(), None)
    }),
    row!("timeline semaphores", None, destroy_semaphore, |s, i| {
        let mut kind = vk::SemaphoreTypeCreateInfo::default()
            .semaphore_type(vk::SemaphoreType::TIMELINE)
            .initial_value(i.into());
        s.device.create_semaphore(&vk::SemaphoreCreateInfo::default().push_next(&mut kind), None)
    }),
    row!("events", None, destroy_event, |s, _i| {
        let event = s.device.create_event(&Default::default(), None)?;
        s.device.set_event(event).map(|()| event)
    }),
    row!("query pools", None, destroy_query_pool, |s, i| {
        let kinds = [vk::QueryType::TIMESTAMP, vk::QueryType::OCCLUSION];
        let info = vk::QueryPoolCreateInfo::default().query_type(kinds[i as usize % 2]).query_count(4);
        s.device.create_query_pool(&info, None)
    }),
    row!("descriptor set layouts", None, destroy_descriptor_set_layout, |s, _i| {
        let info = vk::DescriptorSetLayoutCreateInfo::default();
        s.device.create_descriptor_set_layout(&info.bindings(&bindings()), None)
    }),
    row!("pipeline layouts", None, destroy_pipeline_layout, |s, _i| {
        let layouts = [s.set_layout];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
        s.device.create_pipeline_layout(&info, None)
    }),
    row!("descriptor pools", None, destroy_descriptor_pool, |s, _i| pool(&s.device, 4)),
    row!("descriptor pools with a set", None, destroy_descriptor_pool, |s, _i| {
        let pool = pool(&s.device, 4)?;
        write_set(s, pool).map(|_| pool)
    }),
    Kind {
        name: "descriptor sets",
        most: None,
        make: |s, _| Ok([write_set(s, s.sets)?.as_raw(), 0]),
        destroy: |s, made| {
            // SAFETY: `make` allocated the set from this pool, and no submission uses it.
            unsafe { s.device.free_descriptor_sets(s.sets, &[Handle::from_raw(made[0])]) }
                .expect("the set is freed");
        },
    },
    row!("update templates", None, destroy_descriptor_update_template, |s, _i| {
        let entry = [vk::DescriptorUpdateTemplateEntry::default()
            .descriptor_count(1)
            .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)];
        let info = vk::DescriptorUpdateTemplateCreateInfo::default()
            .descriptor_update_entries(&entry)
            .template_type(vk::DescriptorUpdateTemplateType::DESCRIPTOR_SET)
            .descriptor_set_layout(s.set_layout);
        s.device.create_descriptor_update_template(&info, None)
    }),
    row!("command pools", None, destroy_command_pool, |s, _i| {
        s.device.create_command_pool(&Default::default(), None)
    }),
    row!("command pools with a recorded buffer", None, destroy_command_pool, |s, i| {
        let pool = s.device.create_command_pool(&Default::default(), None)?;
        record(s, pool, i).map(|_| pool)
    }),
    Kind {
        name: "recorded command buffers",
        most: None,
        make: |s, i| Ok([record(s, s.commands, i)?.as_raw(), 0]),
        // SAFETY: `make` allocated the command buffer from this pool, and it is never submitted.
        destroy: |s, made| unsafe {
            s.device.free_command_buffers(s.commands, &[Handle::from_raw(made[0])]);
        },
    },
    row!("shader modules", None, destroy_shader_module, |s, i| {
        s.device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(&empty_shader(i)), None)
    }),
    row!("pipeline caches", None, destroy_pipeline_cache, |s, _i| {
        s.device.create_pipeline_cache(&Default::default(), None)
    }),
    row!("render passes", None, destroy_render_pass, |s, _i| pass(&s.device, vk::ImageLayout::GENERAL)),
    row!("framebuffers", None, destroy_framebuffer, |s, _i| {
        let views = [s.view];
        let info = vk::FramebufferCreateInfo::default().render_pass(s.pass).attachments(&views);
        s.device.create_framebuffer(&info.width(SIDE).height(SIDE).layers(1), None)
    }),
    row!("memory objects", None, free_memory, |s, _i| {
        s.device.allocate_memory(&vk::MemoryAllocateInfo::default().allocation_size(256), None)
    }),
    row!("private data slots", None, destroy_private_data_slot, |s, i| {
        let slot = s.device.create_private_data_slot(&Default::default(), None)?;
        // Each object searches its slots, so few slots get data.
        if i % 1000 == 0 {
            s.device.set_private_data(s.buffer, slot, i.into())?;
        }
        Ok::<_, vk::Result>(slot)
    }),
    Kind {
        name: "messengers",
        most: None,
        make: |s, _| {
            let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
                .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
                .message_type(vk::DebugUtilsMessageTypeFlagsEXT::GENERAL)
                .pfn_user_callback(Some(ignore));
            // SAFETY: `ignore` has the signature of the callback and uses none of its arguments; `info` outlives the
            // call.
            Ok([unsafe { s.host.debug.create_debug_utils_messenger(&info, None) }?.as_raw(), 0])
        },
        // SAFETY: `make` created the messenger from the same host, and no other thread uses it.
        destroy: |s, made| unsafe {
            s.host.debug.destroy_debug_utils_messenger(Handle::from_raw(made[0]), None);
        },
    },
    Kind {
        name: "surfaces",
        most: None,
        make: |s, _| Ok([surface(s)?.as_raw(), 0]),
        // SAFETY: `make` created the surface from the same host, and no swapchain uses it.
        destroy: |s, made| unsafe {
            s.host.surface.destroy_surface(Handle::from_raw(made[0]), None);
        },
    },
    Kind {
        name: "swapchains",
        most: Some(FEW),
        make: |s, _| {
            let surface = surface(s)?;
            let info = swapchain_info(surface, [SIDE; 2]);
            // SAFETY: the surface is new and has no other swapchain; `info` outlives the call.
            let chain = unsafe { s.swapchain.create_swapchain(&info, None) }?;
            Ok([chain.as_raw(), surface.as_raw()])
        },
        // SAFETY: `make` created both handles, and no submission uses the swapchain, which goes before its surface.
        destroy: |s, made| unsafe {
            s.swapchain.destroy_swapchain(Handle::from_raw(made[0]), None);
            s.host.surface.destroy_surface(Handle::from_raw(made[1]), None);
        },
    },
];

fn bound_buffer(s: &Stock<'_>, i: u32) -> VkResult<vk::Buffer> {
    // SAFETY: the buffer is new, and the offset is aligned and inside the stock's memory, where resources may alias.
    unsafe {
        let buffer = s.device.create_buffer(&buffer_info(), None)?;
        s.device.bind_buffer_memory(buffer, s.memory, u64::from(i % 64) * 256 % MEMORY)?;
        let info = vk::BufferDeviceAddressInfo::default().buffer(buffer);
        assert_ne!(s.device.get_buffer_device_address(&info), 0);
        Ok(buffer)
    }
}

/// Creates a buffer with its own private data. Spec: Vulkan, vkGetPrivateData: an object without data returns 0.
fn private_buffer(s: &Stock<'_>, i: u32) -> VkResult<vk::Buffer> {
    // SAFETY: buffer and slot belong to the stock's device, which is alive and has `privateData` enabled.
    unsafe {
        let buffer = s.device.create_buffer(&buffer_info(), None)?;
        assert_eq!(s.device.get_private_data(buffer, s.slot), 0, "private data of a new object");
        s.device.set_private_data(buffer, s.slot, u64::from(i) + 1)?;
        assert_eq!(s.device.get_private_data(buffer, s.slot), u64::from(i) + 1);
        Ok(buffer)
    }
}

/// Allocates a set from a pool and writes the buffer to it.
fn write_set(s: &Stock<'_>, pool: vk::DescriptorPool) -> VkResult<vk::DescriptorSet> {
    let layouts = [s.set_layout];
    let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
    let buffers = [vk::DescriptorBufferInfo::default().buffer(s.buffer).range(vk::WHOLE_SIZE)];
    // SAFETY: the callers pass a pool of the stock's device with room for the set; the structures are locals that
    // outlive the calls.
    unsafe {
        let set = s.device.allocate_descriptor_sets(&info)?[0];
        let write = vk::WriteDescriptorSet::default().dst_set(set).buffer_info(&buffers);
        let write = write.descriptor_type(vk::DescriptorType::STORAGE_BUFFER);
        s.device.update_descriptor_sets(&[write], &[]);
        Ok(set)
    }
}

/// Records a command buffer that fills the buffer.
fn record(s: &Stock<'_>, pool: vk::CommandPool, word: u32) -> VkResult<vk::CommandBuffer> {
    let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
    // SAFETY: the callers pass a pool of the stock's device; the command buffer is new, and the buffer allows
    // transfers.
    unsafe {
        let buffer = s.device.allocate_command_buffers(&info)?[0];
        s.device.begin_command_buffer(buffer, &Default::default())?;
        s.device.cmd_fill_buffer(buffer, s.buffer, 0, vk::WHOLE_SIZE, word);
        s.device.end_command_buffer(buffer)?;
        Ok(buffer)
    }
}

/// Returns an empty compute shader, in one of a hundred workgroup sizes: OpCapability Shader, OpMemoryModel,
/// OpEntryPoint "main", OpExecutionMode LocalSize, and a function that returns.
fn empty_shader(i: u32) -> [u32; 39] {
    let name = u32::from_le_bytes(*b"main");
    #[rustfmt::skip]
    let words = [
        0x0723_0203, 0x0001_0000, 0, 5, 0,
        2 << 16 | 17, 1,
        3 << 16 | 14, 0, 1,
        5 << 16 | 15, 5, 1, name, 0,
        6 << 16 | 16, 1, 17, 1 + i % 100, 1, 1,
        2 << 16 | 19, 2,
        3 << 16 | 33, 3, 2,
        5 << 16 | 54, 2, 1, 0, 3,
        2 << 16 | 248, 4,
        1 << 16 | 253,
        1 << 16 | 56,
        1 << 16, 1 << 16, 1 << 16, 1 << 16,
    ];
    words
}

fn surface(s: &Stock<'_>) -> VkResult<vk::SurfaceKHR> {
    // SAFETY: `Host::new` enabled VK_EXT_headless_surface on this live instance.
    unsafe { s.host.headless.create_headless_surface(&Default::default(), None) }
}

/// Creation parameters of a swapchain of at least two images, which does not wait for a display.
pub(super) fn swapchain_info(
    surface: vk::SurfaceKHR,
    [width, height]: [u32; 2],
) -> vk::SwapchainCreateInfoKHR<'static> {
    use vk::ImageUsageFlags as Use;
    vk::SwapchainCreateInfoKHR::default()
        .surface(surface)
        .min_image_count(2)
        .image_format(super::client::FORMAT)
        .image_extent(vk::Extent2D { width, height })
        .image_array_layers(1)
        .image_usage(Use::COLOR_ATTACHMENT | Use::TRANSFER_SRC)
        .pre_transform(vk::SurfaceTransformFlagsKHR::IDENTITY)
        .composite_alpha(vk::CompositeAlphaFlagsKHR::OPAQUE)
        .present_mode(vk::PresentModeKHR::IMMEDIATE)
        .clipped(true)
}

unsafe extern "system" fn ignore(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    _data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _user: *mut c_void,
) -> vk::Bool32 {
    vk::FALSE
}
