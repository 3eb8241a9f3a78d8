//! Scenes of attachments of many formats, and of queries.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use ash::vk;
use vk::{BlendFactor as F, BlendOp as O, CompareOp as C};

use super::draw::{Bind, Depth, Draw, Vertices, blend, opaque, viewport};
use super::studio::{Made, Of, Pass, RGBA8, Studio, Target, rgba};
use super::{SIZE, Steps};

/// The scenes.
pub const LIST: &[(&str, Steps)] = &[
    ("eight_attachments", eight_attachments),
    ("integer_attachments", integer_attachments),
    ("float_attachments", float_attachments),
    ("input_attachment", input_attachment),
    ("occlusion_precise", |s| {
        s.need(s.client.has.core.occlusion_query_precise != 0, "occlusionQueryPrecise")?;
        queries(s, vk::QueryType::OCCLUSION, true)
    }),
    ("occlusion_any", |s| queries(s, vk::QueryType::OCCLUSION, false)),
    ("statistics", |s| {
        s.need(s.client.has.core.pipeline_statistics_query != 0, "pipelineStatisticsQuery")?;
        queries(s, vk::QueryType::PIPELINE_STATISTICS, false)
    }),
    ("timestamps", |s| queries(s, vk::QueryType::TIMESTAMP, false)),
];

/// A depth test that keeps the nearest fragment.
fn nearest() -> Option<Depth> {
    Some(Depth { compare: C::LESS, write: true })
}

/// Eight attachments with their own blending and write masks, side by side.
fn eight_attachments(s: &mut Studio) -> Made<()> {
    s.need(s.client.has.core.independent_blend != 0, "independentBlend")?;
    let of = Of::new(RGBA8, 16, 32, Of::target(RGBA8).usage);
    let images = (0..8).map(|_| s.image(of)).collect::<Made<Vec<_>>>()?;
    let mut colors = Vec::new();
    for image in &images {
        colors.push(Target { clear: Some(rgba([0.2, 0.4, 0.6, 0.8])), ..s.target(image)? });
    }
    let mask = |raw| opaque().color_write_mask(vk::ColorComponentFlags::from_raw(raw));
    let states = vec![
        opaque(),
        blend(F::ONE, F::ONE, O::ADD),
        mask(0b1001),
        blend(F::SRC_ALPHA, F::ONE_MINUS_SRC_ALPHA, O::ADD),
        blend(F::ONE, F::ONE, O::MIN),
        mask(0),
        blend(F::ONE, F::ONE, O::REVERSE_SUBTRACT),
        blend(F::DST_COLOR, F::ZERO, O::ADD),
    ];
    let outs: String = (0..8).map(|k| format!("layout(location = {k}) out vec4 o{k};\n")).collect();
    let sets: String = (0..8).map(|k| format!("o{k} = vec4(v.x, v.y, {k} / 8.0, .25);\n")).collect();
    let pass = Pass { colors, size: [16, 32], ..s.pass() };
    let draw = Draw {
        fragment_head: &outs,
        fragment: &sets,
        blend: states,
        viewports: vec![viewport(0.0, 0.0, 16.0, 32.0)],
        ..Draw::quad()
    };
    s.render(&pass, &[draw])?;
    let sampler = s.sampler(|i| i)?;
    for (k, image) in (0..).zip(&images) {
        let bind = [Bind::Sampled(s.view(image)?, sampler)];
        let at = [k % 4 * 16, k / 4 * 32, 16, 32];
        s.paint_in(
            at,
            "layout(binding = 0) uniform sampler2D t;",
            "vec4 c = texelFetch(t, px, 0); o = vec4(c.rgb, 1); if (px.y > 27) o = vec4(c.aaa, 1);",
            &bind,
        )?;
    }
    Ok(())
}

/// Signed and unsigned integers of 8, 16 and 32 bits.
fn integer_attachments(s: &mut Studio) -> Made<()> {
    const FORMATS: [(vk::Format, bool); 8] = [
        (vk::Format::R8_UINT, false),
        (vk::Format::R8G8B8A8_SINT, true),
        (vk::Format::R16_SINT, true),
        (vk::Format::R16G16_UINT, false),
        (vk::Format::R16G16B16A16_UINT, false),
        (vk::Format::R32_SINT, true),
        (vk::Format::R32G32B32A32_UINT, false),
        (vk::Format::A2B10G10R10_UINT_PACK32, false),
    ];
    let sampler = s.sampler(|i| i)?;
    for (k, (format, signed)) in (0..).zip(FORMATS) {
        let image = s.image(Of::new(format, 16, 32, Of::target(format).usage))?;
        let u = if signed { "i" } else { "u" };
        let head = format!("layout(location = 0) out {u}vec4 o;");
        // Values within the range of all formats; out of range, the result is implementation-dependent.
        let body = if signed {
            "o = ivec4(vec4(v.x, v.y, .3, .1) * 250.0 - 125.0);"
        } else {
            "o = uvec4(vec4(v.x, v.y, .5, .01) * 250.0);"
        };
        let clear = Some(vk::ClearValue { color: vk::ClearColorValue { uint32: [77, 11, 3, 2] } });
        let target = Target { clear, ..s.target(&image)? };
        let pass = Pass { colors: vec![target], size: [16, 32], ..s.pass() };
        let draw = Draw {
            fragment_head: &head,
            fragment: body,
            viewports: vec![viewport(0.0, 0.0, 16.0, 32.0)],
            scissors: vec![[2, 2, 12, 28]],
            ..Draw::quad()
        };
        s.render(&pass, &[draw])?;
        let head = format!("layout(binding = 0) uniform {u}sampler2D t;");
        let body = if signed {
            "o = vec4(texelFetch(t, px, 0).rgb + 125, 255) / 255.0;"
        } else {
            "o = vec4(texelFetch(t, px, 0).rgb, 255) / 255.0;"
        };
        s.paint_in(
            [k % 4 * 16, k / 4 * 32, 16, 32],
            &head,
            body,
            &[Bind::Sampled(s.view(&image)?, sampler)],
        )?;
    }
    Ok(())
}

/// Floats of 10 to 32 bits: values above 1, and small ones.
fn float_attachments(s: &mut Studio) -> Made<()> {
    use vk::Format as T;
    const FORMATS: [T; 8] = [
        T::R16_SFLOAT,
        T::R16G16_SFLOAT,
        T::R16G16B16A16_SFLOAT,
        T::R32_SFLOAT,
        T::R32G32_SFLOAT,
        T::R32G32B32A32_SFLOAT,
        T::B10G11R11_UFLOAT_PACK32,
        T::R16_SFLOAT,
    ];
    let sampler = s.sampler(|i| i)?;
    for (k, format) in (0..).zip(FORMATS) {
        let image = s.image(Of::new(format, 16, 32, Of::target(format).usage))?;
        let pass = Pass { colors: vec![s.target(&image)?], size: [16, 32], ..s.pass() };
        let fragment = "o = vec4(v.x * 40.0, v.y * .004, v.x + v.y * 200.0, .5);";
        let draw = Draw { fragment, viewports: vec![viewport(0.0, 0.0, 16.0, 32.0)], ..Draw::quad() };
        s.render(&pass, &[draw])?;
        let body = "vec4 c = texelFetch(t, px, 0); o = vec4(c.r / 40.0, c.g * 250.0, c.b / 201.0, 1);";
        s.paint_in(
            [k % 4 * 16, k / 4 * 32, 16, 32],
            "layout(binding = 0) uniform sampler2D t;",
            body,
            &[Bind::Sampled(s.view(&image)?, sampler)],
        )?;
    }
    Ok(())
}

/// Two subpasses: the second reads colour and depth of the first at the same pixel.
fn input_attachment(s: &mut Studio) -> Made<()> {
    use vk::ImageUsageFlags as U;
    let color = s.image(Of::new(RGBA8, SIZE, SIZE, U::COLOR_ATTACHMENT | U::INPUT_ATTACHMENT))?;
    let z = s.image(Of::new(DEPTH, SIZE, SIZE, U::DEPTH_STENCIL_ATTACHMENT | U::INPUT_ATTACHMENT))?;
    let (color_view, z_view) = (s.view(&color)?, s.view(&z)?);
    let d = &s.client.device;
    // SAFETY: all handles belong to the device of the studio, which keeps them alive; the structures are locals that
    // outlive the calls, and commands are recorded in the order that they require.
    unsafe {
        let render_pass = subpasses(s)?;
        let views = [color_view, z_view, s.view];
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(render_pass)
            .attachments(&views)
            .width(SIZE)
            .height(SIZE)
            .layers(1);
        let framebuffer = d.create_framebuffer(&info, None)?;
        let clears = [rgba([0.0, 0.2, 0.2, 1.0]), super::studio::zs(0.9, 0)];
        let extent = vk::Extent2D { width: SIZE, height: SIZE };
        let info = vk::RenderPassBeginInfo::default()
            .render_pass(render_pass)
            .framebuffer(framebuffer)
            .render_area(vk::Rect2D { offset: Default::default(), extent })
            .clear_values(&clears);
        s.barrier();
        d.cmd_begin_render_pass(s.commands, &info, vk::SubpassContents::INLINE);
        let vertex = "gl_Position = vec4(CORNER[i % 6], .1 + .25 * float(i % 3), 1);";
        let one = Draw {
            vertex,
            count: [6, 1],
            depth: nearest(),
            render_pass: Some((render_pass, 0)),
            ..Draw::default()
        };
        s.draw(&s.pass(), &one)?;
        d.cmd_next_subpass(s.commands, vk::SubpassContents::INLINE);
        let two = Draw {
            fragment_head: "layout(input_attachment_index = 0, binding = 0) uniform subpassInput c; layout(input_attachment_index = 1, binding = 1) uniform subpassInput z;",
            fragment: "o = vec4(subpassLoad(c).brg * (1.0 - subpassLoad(z).r * .8), 1);",
            bind: &[Bind::Input(color_view), Bind::Input(z_view)],
            render_pass: Some((render_pass, 1)),
            ..Draw::quad()
        };
        s.draw(&s.pass(), &two)?;
        d.cmd_end_render_pass(s.commands);
        s.barrier();
    }
    Ok(())
}

const DEPTH: vk::Format = vk::Format::D32_SFLOAT;

/// A render pass of two subpasses: the first writes colour and depth, which are input attachments of the second.
fn subpasses(s: &Studio) -> Made<vk::RenderPass> {
    use vk::{AttachmentLoadOp as L, AttachmentStoreOp as St, ImageLayout as Y};
    let attachment = |format, load| {
        vk::AttachmentDescription::default()
            .format(format)
            .samples(vk::SampleCountFlags::TYPE_1)
            .load_op(load)
            .store_op(St::STORE)
            .initial_layout(Y::GENERAL)
            .final_layout(Y::GENERAL)
    };
    let attachments = [attachment(RGBA8, L::CLEAR), attachment(DEPTH, L::CLEAR), attachment(RGBA8, L::LOAD)];
    let at = |attachment| vk::AttachmentReference { attachment, layout: Y::GENERAL };
    let (first, second, inputs, depth_at) = ([at(0)], [at(2)], [at(0), at(1)], at(1));
    let bind_point = vk::PipelineBindPoint::GRAPHICS;
    let subpasses = [
        vk::SubpassDescription::default()
            .pipeline_bind_point(bind_point)
            .color_attachments(&first)
            .depth_stencil_attachment(&depth_at),
        vk::SubpassDescription::default()
            .pipeline_bind_point(bind_point)
            .color_attachments(&second)
            .input_attachments(&inputs),
    ];
    let all = vk::PipelineStageFlags::ALL_GRAPHICS;
    let dependencies = [vk::SubpassDependency {
        src_subpass: 0,
        dst_subpass: 1,
        src_stage_mask: all,
        dst_stage_mask: all,
        src_access_mask: vk::AccessFlags::COLOR_ATTACHMENT_WRITE
            | vk::AccessFlags::DEPTH_STENCIL_ATTACHMENT_WRITE,
        dst_access_mask: vk::AccessFlags::INPUT_ATTACHMENT_READ,
        dependency_flags: vk::DependencyFlags::BY_REGION,
    }];
    let info = vk::RenderPassCreateInfo::default()
        .attachments(&attachments)
        .subpasses(&subpasses)
        .dependencies(&dependencies);
    // SAFETY: the device is alive; the structures are locals that outlive the call.
    Ok(unsafe { s.client.device.create_render_pass(&info, None) }?)
}

/// GLSL that computes the number `x` to show for result `k` in `n`: for times, whether it is not before the previous one.
fn shown_number(ty: vk::QueryType, precise: bool) -> &'static str {
    match ty {
        vk::QueryType::TIMESTAMP => {
            "uint x = k == 0 ? 1 : uint(n[2 * k + 1] > n[2 * k - 1] || n[2 * k + 1] == n[2 * k - 1] && n[2 * k] >= n[2 * k - 2]);"
        }
        vk::QueryType::OCCLUSION if !precise => "uint x = uint(n[2 * k] > 0);",
        _ => "uint x = n[2 * k];",
    }
}

/// Results of queries, as rows of bits with the lowest bit at the left.
fn queries(s: &mut Studio, ty: vk::QueryType, precise: bool) -> Made<()> {
    use vk::QueryPipelineStatisticFlags as P;
    // Counts of shader invocations are implementation-dependent within bounds, so they are not shown.
    let counted = P::INPUT_ASSEMBLY_VERTICES | P::INPUT_ASSEMBLY_PRIMITIVES | P::CLIPPING_INVOCATIONS;
    let per = if ty == vk::QueryType::PIPELINE_STATISTICS { 3 } else { 1 };
    let statistics = ty == vk::QueryType::PIPELINE_STATISTICS;
    let mut info = vk::QueryPoolCreateInfo::default().query_type(ty).query_count(4);
    if statistics {
        info = info.pipeline_statistics(counted);
    }
    let rows = 4 * per;
    let buffer = s.buffer(&vec![0; rows as usize * 8])?;
    let pass = s.pass_with_depth(vk::Format::D32_SFLOAT)?;
    let corners: Vec<u8> = [0.0f32, 0.0, 0.5, 0.0, 0.0, 0.5].into_iter().flat_map(f32::to_ne_bytes).collect();
    let vertices = [Vertices { buffer: s.buffer(&corners)?, stride: 8, divisor: None }];
    let d = &s.client.device;
    // SAFETY: the pool is made right here, is reset outside of the pass, and each query begins and ends within it;
    // buffers and command buffer belong to the studio.
    unsafe {
        let pool = d.create_query_pool(&info, None)?;
        d.cmd_reset_query_pool(s.commands, pool, 0, 4);
        s.begin(&pass);
        let scene = [
            Draw { push: [0.3, 0.0, 0.0, 0.0], count: [3, 1], ..Draw::default() },
            // Partly behind the first draw.
            Draw { push: [0.6, 0.0, 0.0, 0.0], count: [6, 1], ..Draw::default() },
            // No part of it is visible.
            Draw {
                push: [0.9, 0.0, 0.0, 0.0],
                count: [3, 5],
                scissors: vec![[30, 30, 4, 4]],
                ..Draw::default()
            },
            Draw {
                head: "layout(location = 0) in vec2 a;",
                vertex: "gl_Position = vec4(a + .3, .1, 1);",
                attributes: &[(0, 0, vk::Format::R32G32_SFLOAT, 0)],
                vertices: &vertices,
                count: [3, 2],
                ..Draw::default()
            },
        ];
        let flags = if precise { vk::QueryControlFlags::PRECISE } else { vk::QueryControlFlags::empty() };
        for (i, draw) in (0..).zip(scene) {
            let timed = ty == vk::QueryType::TIMESTAMP;
            if !timed {
                d.cmd_begin_query(s.commands, pool, i, flags);
            }
            s.draw(&pass, &Draw { depth: nearest(), ..draw })?;
            if timed {
                d.cmd_write_timestamp(s.commands, vk::PipelineStageFlags::BOTTOM_OF_PIPE, pool, i);
            } else {
                d.cmd_end_query(s.commands, pool, i);
            }
        }
        s.end();
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        d.cmd_copy_query_pool_results(s.commands, pool, 0, 4, buffer, 0, u64::from(per) * 8, flags);
        s.barrier();
    }
    let height = SIZE / rows;
    let number = shown_number(ty, precise);
    let body = format!(
        "int k = px.y / {height}; {number} o = vec4(vec3((x >> (px.x / 4)) & 1) * .8 + .1, 1); if (px.y % {height} == 0) o = vec4(.1, .1, .4, 1);"
    );
    s.paint("layout(set = 0, binding = 0) buffer B { uint n[]; };", &body, &[Bind::Buffer(buffer)])
}
