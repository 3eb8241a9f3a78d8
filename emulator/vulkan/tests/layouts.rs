//! Checks of image layouts against those that commands, attachments and descriptors declare: errors that must be
//! reported, and correct twins that must not. Spec: Vulkan, "Image Layouts".

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::ffi::{CStr, c_void};
use std::process::Command;

use ash::vk;
use common::lab::{ALL, Lab};
use common::sparse::Kernel;
use vk::{ImageLayout as L, PipelineStageFlags as S};

const CHILD: &str = "QUADRILLE_TEST_CHILD";
const NEW: [L; 2] = [L::UNDEFINED, L::GENERAL];
const OPERATIONS: (vk::AttachmentLoadOp, vk::AttachmentStoreOp) =
    (vk::AttachmentLoadOp::CLEAR, vk::AttachmentStoreOp::STORE);

/// Texts that the single report must contain; `None` if nothing must be reported.
type Heard = Option<&'static [&'static str]>;

/// Name, expected report, and code of a case.
type Case = (&'static str, Heard, fn(&Lab));

/// Runs each case of a table in its own process with checks enabled. `test` is the name of the calling test.
fn check(test: &str, cases: &[Case]) {
    if let Some(name) = std::env::var_os(CHILD) {
        let name = name.to_string_lossy();
        let case = cases.iter().find(|(n, ..)| *n == name).expect("a case");
        return (case.2)(&std::mem::ManuallyDrop::new(Lab::new()));
    }
    let mut wrong = Vec::new();
    for (name, expected, _) in cases {
        let out = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture"])
            .env(CHILD, name)
            .env("QUADRILLE_CHECK", "1")
            .output()
            .unwrap();
        let lines = String::from_utf8_lossy(&out.stdout).into_owned();
        println!("{name}");
        common::has_run(&out);
        let heard: Vec<_> = lines.lines().filter_map(|l| l.split_once("told ")).map(|l| l.1).collect();
        let right = match expected {
            None => heard.is_empty(),
            Some(words) => heard.len() == 1 && words.iter().all(|w| heard[0].contains(w)),
        };
        if !right {
            wrong.push(format!("{name}: {heard:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Records a layout change of a picture, with a full barrier.
fn change(l: &Lab, c: vk::CommandBuffer, picture: usize, layouts: [L; 2]) {
    l.image_barrier(c, picture, layouts, ALL, ALL);
}

const COMMANDS: &[Case] = &[
    ("right", None, |l| {
        l.run(|c| {
            change(l, c, 0, NEW);
            l.clear(c, 0);
            l.barrier(c, ALL, ALL);
            l.copy_out(c, 0, 0);
        });
        l.run(|c| l.copy_out(c, 0, 0));
    }),
    ("never given one", Some(&["GENERAL for `vkCmdClearColorImage`", "command 1", "is in UNDEFINED"]), |l| {
        l.run(|c| l.clear(c, 0));
    }),
    ("another image", Some(&["is in UNDEFINED"]), |l| {
        l.run(|c| {
            change(l, c, 1, NEW);
            l.clear(c, 0);
        });
    }),
    ("another one", Some(&["GENERAL for `vkCmdCopyImageToBuffer`", "is in TRANSFER_SRC_OPTIMAL"]), |l| {
        l.run(|c| {
            change(l, c, 0, NEW);
            l.clear(c, 0);
            change(l, c, 0, [L::GENERAL, L::TRANSFER_SRC_OPTIMAL]);
            l.copy_out(c, 0, 0);
        });
    }),
    ("and back", None, |l| {
        l.run(|c| {
            change(l, c, 0, NEW);
            l.clear(c, 0);
            change(l, c, 0, [L::GENERAL, L::TRANSFER_SRC_OPTIMAL]);
        });
        l.run(|c| {
            change(l, c, 0, [L::TRANSFER_SRC_OPTIMAL, L::GENERAL]);
            l.copy_out(c, 0, 0);
        });
    }),
    (
        "from another one",
        Some(&["SHADER_READ_ONLY_OPTIMAL for `vkCmdPipelineBarrier`", "is in GENERAL"]),
        |l| {
            l.run(|c| {
                change(l, c, 0, NEW);
                change(l, c, 0, [L::SHADER_READ_ONLY_OPTIMAL, L::TRANSFER_SRC_OPTIMAL]);
            });
        },
    ),
    ("whatever it was", None, |l| {
        l.run(|c| {
            change(l, c, 0, [L::UNDEFINED, L::TRANSFER_DST_OPTIMAL]);
            change(l, c, 0, NEW);
            l.clear(c, 0);
        });
    }),
    ("source and target", Some(&["GENERAL for `vkCmdCopyImage`", "is in UNDEFINED"]), |l| {
        l.run(|c| {
            change(l, c, 0, NEW);
            l.clear(c, 0);
            l.barrier(c, ALL, ALL);
            l.copy_columns(c, 0, 1, [0, 4]);
        });
    }),
    // Layouts follow the order of submission, not that of recording.
    ("submitted the other way round", Some(&["is in UNDEFINED"]), |l| {
        let first = l.record(|c| change(l, c, 0, NEW));
        let second = l.record(|c| l.clear(c, 0));
        let commands = [second, first];
        let info = [vk::SubmitInfo::default().command_buffers(&commands)];
        // SAFETY: the queue and the command buffers are live and recorded; only the layouts are deliberately wrong.
        unsafe { l.gpu.device.queue_submit(l.queues[0], &info, vk::Fence::null()).unwrap() };
        l.idle();
    }),
    ("in secondary command buffers", None, |l| {
        let first = l.secondary(|c| change(l, c, 0, NEW));
        l.run(|c| {
            l.execute(c, first);
            l.clear(c, 0);
        });
    }),
    ("given to another queue family", None, |l| {
        l.run(|c| change(l, c, 0, NEW));
        for families in [[0, vk::QUEUE_FAMILY_FOREIGN_EXT], [vk::QUEUE_FAMILY_FOREIGN_EXT, 0]] {
            let barrier = [vk::ImageMemoryBarrier::default()
                .old_layout(L::GENERAL)
                .new_layout(L::TRANSFER_SRC_OPTIMAL)
                .src_queue_family_index(families[0])
                .dst_queue_family_index(families[1])
                .image(l.pictures[0].image)
                .subresource_range(common::WHOLE)];
            let (all, flags) = (S::ALL_COMMANDS, vk::DependencyFlags::empty());
            // SAFETY: the command buffer is recording, and the image and the structures outlive the call.
            l.run(|c| unsafe { l.gpu.device.cmd_pipeline_barrier(c, all, all, flags, &[], &[], &barrier) });
        }
        l.run(|c| change(l, c, 0, [L::TRANSFER_SRC_OPTIMAL, L::GENERAL]));
    }),
    ("waited for by two events", None, |l| {
        l.run(|c| {
            change(l, c, 0, [L::UNDEFINED, L::TRANSFER_DST_OPTIMAL]);
            let events = [l.set(c, ALL.0), l.set(c, ALL.0)];
            let barrier = [vk::ImageMemoryBarrier::default()
                .old_layout(L::TRANSFER_DST_OPTIMAL)
                .new_layout(L::GENERAL)
                .image(l.pictures[0].image)
                .subresource_range(common::WHOLE)];
            // SAFETY: the command buffer is recording, the event is live, and the structures outlive the call.
            unsafe { l.gpu.device.cmd_wait_events(c, &events, ALL.0, ALL.0, &[], &[], &barrier) };
        });
    }),
];

#[test]
fn commands() {
    check("commands", COMMANDS);
}

/// Renders to picture 0 in a render pass, with the initial layout, subpass layout and final layout of the attachment.
fn pass(l: &Lab, c: vk::CommandBuffer, layouts: [L; 3]) {
    let (d, side) = (&l.gpu.device, common::lab::SIZE);
    let attachments = [vk::AttachmentDescription::default()
        .format(vk::Format::R8G8B8A8_UNORM)
        .samples(vk::SampleCountFlags::TYPE_1)
        .load_op(OPERATIONS.0)
        .store_op(OPERATIONS.1)
        .initial_layout(layouts[0])
        .final_layout(layouts[2])];
    let colors = [vk::AttachmentReference { attachment: 0, layout: layouts[1] }];
    let subpasses = [vk::SubpassDescription::default().color_attachments(&colors)];
    let info = vk::RenderPassCreateInfo::default().attachments(&attachments).subpasses(&subpasses);
    let extent = vk::Extent2D { width: side, height: side };
    // SAFETY: all objects are live until the commands have completed; only the layouts are deliberately wrong.
    unsafe {
        let pass = d.create_render_pass(&info, None).unwrap();
        let views = [l.pictures[0].view];
        let info = vk::FramebufferCreateInfo::default().render_pass(pass).attachments(&views);
        let framebuffer = d.create_framebuffer(&info.width(side).height(side).layers(1), None).unwrap();
        let clear = [vk::ClearValue { color: vk::ClearColorValue::default() }];
        let info = vk::RenderPassBeginInfo::default()
            .render_pass(pass)
            .framebuffer(framebuffer)
            .render_area(vk::Rect2D { extent, ..Default::default() })
            .clear_values(&clear);
        d.cmd_begin_render_pass(c, &info, vk::SubpassContents::INLINE);
        d.cmd_end_render_pass(c);
    }
}

const ATTACHED: L = L::COLOR_ATTACHMENT_OPTIMAL;

const ATTACHMENTS: &[Case] = &[
    ("rendering in the right one", None, |l| {
        l.run(|c| {
            change(l, c, 0, NEW);
            l.render(c, 0, OPERATIONS, vk::RenderingFlags::empty(), || {});
        });
    }),
    ("rendering in another one", Some(&["GENERAL for `vkCmdBeginRendering`", "is in TRANSFER_DST"]), |l| {
        l.run(|c| {
            change(l, c, 0, [L::UNDEFINED, L::TRANSFER_DST_OPTIMAL]);
            l.render(c, 0, OPERATIONS, vk::RenderingFlags::empty(), || {});
        });
    }),
    ("a pass gives layouts", None, |l| {
        l.run(|c| {
            pass(l, c, [L::UNDEFINED, ATTACHED, L::GENERAL]);
            l.barrier(c, ALL, ALL);
            l.copy_out(c, 0, 0);
        });
    }),
    ("a pass ends in another one", Some(&["`vkCmdCopyImageToBuffer`", "is in TRANSFER_SRC_OPTIMAL"]), |l| {
        l.run(|c| {
            pass(l, c, [L::UNDEFINED, ATTACHED, L::TRANSFER_SRC_OPTIMAL]);
            l.barrier(c, ALL, ALL);
            l.copy_out(c, 0, 0);
        });
    }),
    ("a pass begins in another one", Some(&["COLOR_ATTACHMENT_OPTIMAL for `vkCmdBeginRenderPass`"]), |l| {
        l.run(|c| {
            change(l, c, 0, NEW);
            pass(l, c, [ATTACHED, ATTACHED, ATTACHED]);
        });
    }),
];

#[test]
fn attachments() {
    check("attachments", ATTACHMENTS);
}

/// A shader reads an image in `layout` through a descriptor that declares GENERAL.
fn read(l: &Lab, layout: L) {
    let usage = vk::ImageUsageFlags::STORAGE | vk::ImageUsageFlags::TRANSFER_DST;
    let image = l.gpu.image(vk::Format::R32_UINT, 8, usage).image;
    let words = l.gpu.buffer(8 * 256 * 4, vk::BufferUsageFlags::STORAGE_BUFFER);
    let shader = include_str!("shaders/load.comp.spvasm");
    let kernel = Kernel::new(&l.gpu, shader, vk::DescriptorType::STORAGE_IMAGE, image, words.buffer);
    let barrier = |c, layouts: [L; 2]| {
        let barrier = [vk::ImageMemoryBarrier::default()
            .src_access_mask(ALL.1)
            .dst_access_mask(ALL.1)
            .old_layout(layouts[0])
            .new_layout(layouts[1])
            .image(image)
            .subresource_range(common::WHOLE)];
        let (all, flags) = (S::ALL_COMMANDS, vk::DependencyFlags::empty());
        // SAFETY: the command buffer is recording, and the image and the structures outlive the call.
        unsafe { l.gpu.device.cmd_pipeline_barrier(c, all, all, flags, &[], &[], &barrier) };
    };
    l.run(|c| {
        barrier(c, NEW);
        let color = vk::ClearColorValue::default();
        // SAFETY: the command buffer is recording, and the image is live and in the general layout.
        unsafe { l.gpu.device.cmd_clear_color_image(c, image, L::GENERAL, &color, &[common::WHOLE]) };
        barrier(c, [L::GENERAL, layout]);
        kernel.dispatch(&l.gpu, c, [1, 1]);
    });
}

/// The host changes the layout of picture 0, then writes the picture in GENERAL.
fn on_host(l: &Lab, layouts: [L; 2]) {
    let image = l.pictures[0].image;
    let change = [vk::HostImageLayoutTransitionInfoEXT::default()
        .image(image)
        .old_layout(layouts[0])
        .new_layout(layouts[1])
        .subresource_range(common::WHOLE)];
    let side = common::lab::SIZE;
    let texels = vec![0u32; (side * side) as usize];
    let region = [vk::MemoryToImageCopyEXT::default()
        .host_pointer(texels.as_ptr().cast())
        .image_subresource(l.pictures[0].region().image_subresource)
        .image_extent(vk::Extent3D { width: side, height: side, depth: 1 })];
    let write = vk::CopyMemoryToImageInfoEXT::default()
        .dst_image(image)
        .dst_image_layout(L::GENERAL)
        .regions(&region);
    // SAFETY: the image is live and idle, and the structures outlive the calls; only the layouts are deliberately
    // wrong.
    unsafe {
        l.host_copy.transition_image_layout(&change).unwrap();
        l.host_copy.copy_memory_to_image(&write).unwrap();
    }
}

#[test]
fn the_host() {
    let cases: &[Case] = &[
        ("the right one", None, |l| {
            on_host(l, NEW);
            l.run(|c| l.copy_out(c, 0, 0));
        }),
        ("another one", Some(&["GENERAL for the host", "is in TRANSFER_SRC_OPTIMAL"]), |l| {
            on_host(l, [L::UNDEFINED, L::TRANSFER_SRC_OPTIMAL]);
            // Reports appear only after commands have run.
            l.run(|c| l.fill(c, 0));
        }),
        ("from another one", Some(&["TRANSFER_SRC_OPTIMAL for the host", "is in UNDEFINED"]), |l| {
            on_host(l, [L::TRANSFER_SRC_OPTIMAL, L::GENERAL]);
            l.run(|c| l.fill(c, 0));
        }),
    ];
    check("the_host", cases);
}

/// VkDeviceMemoryImageCopyKHR.
#[repr(C)]
struct ImageCopy {
    ty: i32,
    next: *const c_void,
    range: [u64; 2],
    flags: u32,
    row_length: u32,
    image_height: u32,
    subresource: vk::ImageSubresourceLayers,
    layout: L,
    offset: vk::Offset3D,
    extent: vk::Extent3D,
}

/// VkCopyDeviceMemoryImageInfoKHR.
#[repr(C)]
struct ImageCopyInfo {
    ty: i32,
    next: *const c_void,
    image: vk::Image,
    n: u32,
    regions: *const ImageCopy,
}

/// Changes the layout of picture 0 to `layout`, and copies it, in the layout GENERAL, between the image and memory at
/// an address by the named command.
fn copy_by_address(l: &Lab, layout: L, name: &CStr) {
    let usage = vk::BufferUsageFlags::TRANSFER_SRC
        | vk::BufferUsageFlags::TRANSFER_DST
        | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
    let size = u64::from(common::lab::SIZE).pow(2) * 4;
    let words = l.gpu.buffer(size, usage);
    words.write(&vec![0u32; (size / 4) as usize]);
    let region = l.pictures[0].region();
    let addresses = ash::khr::buffer_device_address::Device::new(&l.gpu.instance, &l.gpu.device);
    let info = vk::BufferDeviceAddressInfo::default().buffer(words.buffer);
    type CopyImage = unsafe extern "system" fn(vk::CommandBuffer, *const ImageCopyInfo);
    // SAFETY: the command has the transmuted type in the specification, and all objects are live while the calls use
    // them; only the layouts are deliberately wrong.
    unsafe {
        let command = l.gpu.instance.get_device_proc_addr(l.gpu.device.handle(), name.as_ptr());
        let copy: CopyImage = std::mem::transmute(command.expect("the command is available"));
        let region = ImageCopy {
            ty: 1_000_318_002,
            next: std::ptr::null(),
            range: [addresses.get_buffer_device_address(&info), size],
            flags: 0,
            row_length: 0,
            image_height: 0,
            subresource: region.image_subresource,
            layout: L::GENERAL,
            offset: region.image_offset,
            extent: region.image_extent,
        };
        let image = l.pictures[0].image;
        let info = ImageCopyInfo { ty: 1_000_318_003, next: std::ptr::null(), image, n: 1, regions: &region };
        l.run(|c| {
            change(l, c, 0, NEW);
            l.clear(c, 0);
            change(l, c, 0, [L::GENERAL, layout]);
            copy(c, &info);
        });
    }
}

#[test]
fn addresses() {
    let cases: &[Case] = &[
        ("out of the right one", None, |l| copy_by_address(l, L::GENERAL, c"vkCmdCopyImageToMemoryKHR")),
        ("out of another one", Some(&["GENERAL for", "is in TRANSFER_SRC_OPTIMAL"]), |l| {
            copy_by_address(l, L::TRANSFER_SRC_OPTIMAL, c"vkCmdCopyImageToMemoryKHR");
        }),
        ("into the right one", None, |l| copy_by_address(l, L::GENERAL, c"vkCmdCopyMemoryToImageKHR")),
        ("into another one", Some(&["GENERAL for", "is in TRANSFER_DST_OPTIMAL"]), |l| {
            copy_by_address(l, L::TRANSFER_DST_OPTIMAL, c"vkCmdCopyMemoryToImageKHR");
        }),
    ];
    check("addresses", cases);
}

#[test]
fn descriptors() {
    let cases: &[Case] = &[
        ("the right one", None, |l| read(l, L::GENERAL)),
        ("another one", Some(&["GENERAL, as its descriptor says, and is in SHADER_READ_ONLY"]), |l| {
            read(l, L::SHADER_READ_ONLY_OPTIMAL);
        }),
    ];
    check("descriptors", cases);
}
