//! A traced program: names and labels of VK_EXT_debug_utils, barriers, draws, images; and messages to messengers.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::ffi::{CStr, c_void};
use std::process::Command;
use std::sync::Mutex;

use ash::vk;
use ash::vk::Handle;
use common::triangle::{self, FORMAT};
use common::{Gpu, WHOLE};

const SIZE: u32 = 16;
const CHILD: &str = "QUADRILLE_TEST_CHILD";

/// Body of the traced process.
fn draw() {
    let mut frames = vk::PhysicalDeviceFrameBoundaryFeaturesEXT::default().frame_boundary(true);
    let extensions = [c"VK_EXT_debug_marker", c"VK_EXT_frame_boundary"];
    let gpu = Gpu::with_instance(&[c"VK_EXT_debug_utils"], &extensions, |info| info.push_next(&mut frames));
    let gpu = gpu.unwrap();
    let d = &gpu.device;
    let utils = ash::ext::debug_utils::Device::new(&gpu.instance, d);
    let marker = ash::ext::debug_marker::Device::new(&gpu.instance, d);
    let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
    let picture = gpu.image(FORMAT, SIZE, usage);
    let pixels = gpu.buffer(u64::from(SIZE * SIZE * 4), vk::BufferUsageFlags::TRANSFER_DST);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let (pass, framebuffer) = triangle::pass(&gpu, &picture, SIZE).unwrap();
        let (pipeline, layout) = triangle::pipeline(&gpu, pass).unwrap();
        let name = |info: vk::DebugUtilsObjectNameInfoEXT<'_>, name| {
            utils.set_debug_utils_object_name(&info.object_name(name)).unwrap();
        };
        let info = vk::DebugUtilsObjectNameInfoEXT::default;
        name(info().object_handle(pipeline), c"triangle");
        name(info().object_handle(picture.image), c"canvas");
        let old = vk::DebugMarkerObjectNameInfoEXT::default()
            .object_type(vk::DebugReportObjectTypeEXT::BUFFER)
            .object(pixels.buffer.as_raw())
            .object_name(c"pixels");
        #[expect(deprecated, reason = "programs still use it")]
        marker.debug_marker_set_object_name(&old).unwrap();
        gpu.run(|cmd| {
            name(info().object_handle(cmd), c"frame");
            let label = vk::DebugUtilsLabelEXT::default().label_name(c"shadows");
            utils.cmd_begin_debug_utils_label(cmd, &label);
            let clear = [vk::ClearValue::default()];
            let area = vk::Rect2D::default().extent(vk::Extent2D { width: SIZE, height: SIZE });
            let begin = vk::RenderPassBeginInfo::default()
                .render_pass(pass)
                .framebuffer(framebuffer)
                .render_area(area)
                .clear_values(&clear);
            d.cmd_begin_render_pass(cmd, &begin, vk::SubpassContents::INLINE);
            triangle::draw(&gpu, cmd, pipeline, SIZE, 12);
            d.cmd_end_render_pass(cmd);
            utils.cmd_end_debug_utils_label(cmd);
            let barrier = vk::ImageMemoryBarrier::default()
                .image(picture.image)
                .subresource_range(WHOLE)
                .old_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL)
                .new_layout(vk::ImageLayout::GENERAL)
                .src_access_mask(vk::AccessFlags::COLOR_ATTACHMENT_WRITE)
                .dst_access_mask(vk::AccessFlags::TRANSFER_READ);
            // The render pass leaves the image for transfers.
            let (src, dst) = (
                vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT | vk::PipelineStageFlags::TRANSFER,
                vk::PipelineStageFlags::TRANSFER,
            );
            d.cmd_pipeline_barrier(cmd, src, dst, Default::default(), &[], &[], &[barrier]);
            let layout = vk::ImageLayout::GENERAL;
            d.cmd_copy_image_to_buffer(cmd, picture.image, layout, pixels.buffer, &[picture.region()]);
        });
        // The frame goes on after the first of these submissions, and ends after the second.
        for flags in [vk::FrameBoundaryFlagsEXT::empty(), vk::FrameBoundaryFlagsEXT::FRAME_END] {
            let mut boundary = vk::FrameBoundaryEXT::default().flags(flags).frame_id(7);
            let submit = [vk::SubmitInfo::default().push_next(&mut boundary)];
            d.queue_submit(gpu.queue, &submit, vk::Fence::null()).unwrap();
        }
        d.queue_submit(gpu.queue, &[vk::SubmitInfo::default()], vk::Fence::null()).unwrap();
        d.device_wait_idle().unwrap();
        d.destroy_pipeline(pipeline, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_framebuffer(framebuffer, None);
        d.destroy_render_pass(pass, None);
    }
    picture.destroy(&gpu);
    pixels.destroy(&gpu);
}

#[test]
fn a_program_is_traced() {
    if std::env::var_os(CHILD).is_some() {
        return draw();
    }
    let folder = std::env::temp_dir().join(format!("quadrille-vulkan-trace-{}", std::process::id()));
    let out = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_program_is_traced", "--nocapture"])
        .env(CHILD, "trace")
        .env("QUADRILLE_TRACE", "debug")
        .env("QUADRILLE_TRACE_DIR", &folder)
        .env("QUADRILLE_TRACE_EVERY", "draw")
        .output()
        .unwrap();
    let lines = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{lines}");
    let json = std::fs::read_to_string(folder.join("trace.jsonl")).unwrap();
    let pictures = ["00001-draw-color0.png", "00002-pass-color0.png"]
        .map(|name| std::fs::read(folder.join(name)).unwrap());
    assert!(folder.join("index.html").is_file());
    std::fs::remove_dir_all(&folder).unwrap();
    let has = |text: &str| {
        assert!(lines.contains(text), "{text}: {lines}");
        assert!(json.contains(&text.replace('"', "\\\"")), "{text}: {json}");
    };
    has("command buffer \"frame\"");
    has("\"shadows\"");
    [
        "submission 1 of frame 0",
        "submission 2 of frame 0",
        "submission 3 of frame 0",
        "submission 4 of frame 1",
    ]
    .iter()
    .for_each(|text| has(text));
    has("pass of 16x16 at 0, 0; color0: image view 1 (image 1 \"canvas\", R8G8B8A8_UNORM 16x16)");
    has("draw 3 vertices by graphics pipeline 1 \"triangle\" (vertex ");
    has("scissor 0: 12x16 at 0, 0");
    has("image 1 \"canvas\" (levels 0.., layers 0..), TRANSFER_SRC_OPTIMAL to GENERAL: \
         COLOR_ATTACHMENT_OUTPUT|ALL_TRANSFER [COLOR_ATTACHMENT_WRITE] -> ALL_TRANSFER [TRANSFER_READ]");
    has("copy image 1 \"canvas\" to buffer 1 \"pixels\"");
    // The image after the only draw is the image at the end of the pass.
    assert!(pictures[0].starts_with(b"\x89PNG") && pictures[0] == pictures[1]);
}

static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Stores a message with the number in `user`.
///
/// # Safety
/// `data` is a valid structure with a message.
unsafe extern "system" fn hear(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the driver passes a valid structure with a message; `user` is a number and not dereferenced.
    let text = unsafe { CStr::from_ptr((*data).p_message) };
    HEARD.lock().unwrap().push(format!("{} {}", user as usize, text.to_str().unwrap()));
    vk::FALSE
}

/// Messengers receive only the requested severities. Spec: Vulkan, vkSubmitDebugUtilsMessageEXT.
#[test]
fn messengers_hear_what_they_ask_for() {
    use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
    use vk::DebugUtilsMessageTypeFlagsEXT as Type;
    let gpu = Gpu::with_instance(&[c"VK_EXT_debug_utils"], &[], |info| info).unwrap();
    let utils = ash::ext::debug_utils::Instance::new(&vk_quadrille::entry(), &gpu.instance);
    let info = |severity, user: usize| {
        vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(severity)
            .message_type(Type::VALIDATION)
            .pfn_user_callback(Some(hear))
            .user_data(user as *mut c_void)
    };
    let data = |text| vk::DebugUtilsMessengerCallbackDataEXT::default().message(text);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let all =
            utils.create_debug_utils_messenger(&info(Severity::ERROR | Severity::INFO, 1), None).unwrap();
        let errors = utils.create_debug_utils_messenger(&info(Severity::ERROR, 2), None).unwrap();
        utils.submit_debug_utils_message(Severity::INFO, Type::VALIDATION, &data(c"a"));
        utils.submit_debug_utils_message(Severity::ERROR, Type::VALIDATION, &data(c"b"));
        utils.submit_debug_utils_message(Severity::ERROR, Type::PERFORMANCE, &data(c"c"));
        utils.destroy_debug_utils_messenger(all, None);
        utils.submit_debug_utils_message(Severity::ERROR, Type::VALIDATION, &data(c"d"));
        utils.destroy_debug_utils_messenger(errors, None);
        utils.submit_debug_utils_message(Severity::ERROR, Type::VALIDATION, &data(c"e"));
    }
    assert_eq!(*HEARD.lock().unwrap(), ["1 a", "1 b", "2 b", "2 d"]);
}
