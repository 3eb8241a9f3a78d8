//! Checked device memory: reads of unwritten memory are reported. Memory that other sources may have written counts as
//! written.
#![cfg(feature = "glsl")]

use std::sync::Arc;

use quadrille::check::{self, Kind, Session};
use quadrille::{
    Aspects, Buffer, BufferCopy, BufferDesc, BufferImageCopy, BufferUsage, BufferViewDesc, CommandBuffer,
    ComputePipelineDesc, DescriptorBinding, DescriptorKind, Device, DeviceOptions, Format, Image, ImageDesc,
    ImageUsage, ImageViewDesc, RenderingAttachment, RenderingInfo, Resource, ShaderStage, Stage,
    SubresourceLayers, SubresourceRange,
};

/// A checked device with two buffers of 64 words each: `a` is read, and `b` is written.
struct Bench {
    session: Arc<Session>,
    device: Device,
    a: Buffer,
    b: Buffer,
}

impl Bench {
    fn new() -> Bench {
        let session = Arc::new(Session::default());
        let watch = Some(check::watching(&session));
        let device = Device::new(DeviceOptions { watch, ..DeviceOptions::default() }).unwrap();
        let buffer = || Bench::buffer(&device);
        let (a, b) = (buffer(), buffer());
        Bench { session, a, b, device }
    }

    fn buffer(device: &Device) -> Buffer {
        let usage = BufferUsage::STORAGE | BufferUsage::UNIFORM_TEXEL;
        let usage = usage | BufferUsage::TRANSFER_SRC | BufferUsage::TRANSFER_DST;
        device.create_bound_buffer(BufferDesc { size: 256, usage }).unwrap()
    }

    /// Dispatches a workgroup of 16 invocations with `a` and `b` at bindings 0 and 1; the resources `more` follow.
    fn record(&self, commands: &mut CommandBuffer, body: &str, more: &[(DescriptorKind, Resource<'_>)]) {
        let source = format!(
            "#version 450
             #extension GL_EXT_samplerless_texture_functions : enable
             layout(local_size_x = 16) in;
             layout(set = 0, binding = 0) buffer A {{ uint a[]; }};
             layout(set = 0, binding = 1) buffer B {{ uint b[]; }};
             uint i = gl_LocalInvocationIndex;
             {body}"
        );
        let words = quadrille::frontend::compile_glsl(&source, Stage::Compute, &Default::default()).unwrap();
        let module = self.device.create_shader_module(&words).unwrap();
        let storage = |b| DescriptorBinding::new(b, DescriptorKind::StorageBuffer);
        let mut bindings = vec![storage(0), storage(1)];
        bindings.extend((2..).zip(more).map(|(b, (kind, _))| DescriptorBinding::new(b, *kind)));
        let set_layout = self.device.create_descriptor_set_layout(&bindings).unwrap();
        let layout = self.device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0).unwrap();
        let stage = ShaderStage::only(&module, Stage::Compute).unwrap();
        let pipeline = ComputePipelineDesc { stage, layout: layout.clone() };
        let pipeline = self.device.create_compute_pipeline(&pipeline).unwrap();
        let set = self.device.create_descriptor_set(&set_layout).unwrap();
        set.write_buffer(0, &self.a).unwrap();
        set.write_buffer(1, &self.b).unwrap();
        for (binding, (_, resource)) in (2..).zip(more) {
            set.write(binding, 0, *resource).unwrap();
        }
        commands.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set).dispatch(1, 1, 1);
    }

    fn submit(&self, commands: &mut CommandBuffer) {
        commands.end().unwrap();
        self.device.queue().run(commands).unwrap();
    }

    /// Findings of a shader with this body that runs after some commands.
    fn after(&self, before: impl FnOnce(&mut CommandBuffer), body: &str) -> Vec<(Kind, String)> {
        let mut commands = self.device.create_command_buffer();
        before(&mut commands);
        self.record(&mut commands, body, &[]);
        self.submit(&mut commands);
        self.session.reports.take().into_iter().map(|r| (r.kind, r.message)).collect()
    }
}

const SUM: &str = "void main() { b[i] = a[i] + 1; }";

#[track_caller]
fn unwritten(found: &[(Kind, String)], kind: Kind, words: &[&str]) {
    assert!(found.len() == 1 && found[0].0 == kind, "{found:?}");
    assert!(words.iter().all(|w| found[0].1.contains(w)), "{found:?}");
}

#[test]
fn buffers_are_written_before_they_are_read() {
    let bench = Bench::new();
    unwritten(&bench.after(|_| {}, SUM), Kind::UninitializedBuffer, &["`a[0]` is read"]);
    // Writes are tracked per byte; a word that is partly unwritten is reported.
    bench.a.write(0, &[1u32; 15]).unwrap();
    unwritten(&bench.after(|_| {}, SUM), Kind::UninitializedBuffer, &["`a[15]`"]);
    bench.a.write(60, &[1u8; 3]).unwrap();
    unwritten(&bench.after(|_| {}, SUM), Kind::UninitializedBuffer, &["`a[15]`"]);
    bench.a.write(63, &[1u8]).unwrap();
    assert_eq!(bench.after(|_| {}, SUM), []);
    // Stored words count as written, even in the same dispatch.
    assert_eq!(bench.after(|_| {}, "void main() { a[16 + i] = b[i]; b[16 + i] = a[16 + i]; }"), []);
    // Copies and conditions without effect do not count as reads; an atomic does.
    assert_eq!(bench.after(|_| {}, "void main() { uint x = a[40]; b[i] = i < 99 ? 5 : x; }"), []);
    let counter = bench.after(|_| {}, "void main() { atomicAdd(a[50], 1); }");
    unwritten(&counter, Kind::UninitializedBuffer, &["`a[50]` is read by an atomic"]);
    assert_eq!(bench.after(|_| {}, "void main() { atomicExchange(a[52], i); atomicAdd(a[52], 1); }"), []);
}

#[test]
fn whoever_may_have_written_is_believed() {
    type Before = fn(&Bench, &mut CommandBuffer);
    let all: [(&str, Before); 6] = [
        ("filled", |b, c| {
            c.fill_buffer(&b.a, 0, None, 7);
        }),
        ("updated", |b, c| {
            c.update_buffer(&b.a, 0, &[3u32; 16]);
        }),
        ("mapped", |b, _| {
            b.a.memory().unwrap().0.as_ptr();
        }),
        ("zeros are meant", |b, _| b.a.keep_zeros()),
        ("copied", |b, c| {
            let from = Bench::buffer(&b.device);
            from.write(0, &[5u32; 16]).unwrap();
            c.copy_buffer(&from, &b.a, &[BufferCopy { src_offset: 0, dst_offset: 0, size: 64 }]);
        }),
        ("copied from an image", |b, c| {
            let usage = ImageUsage::TRANSFER_SRC | ImageUsage::TRANSFER_DST;
            let image = ImageDesc::new_2d(Format::R32_UINT, 4, 4, usage);
            let image = b.device.create_bound_image(image).unwrap();
            c.clear_color_image(&image, [1; 4], &[SubresourceRange::all(Aspects::COLOR)]);
            c.copy_image_to_buffer(&image, &b.a, &[BufferImageCopy::whole([4, 4, 1])]);
        }),
    ];
    for (what, before) in all {
        let bench = Bench::new();
        assert_eq!(bench.after(|c| before(&bench, c), SUM), [], "{what}");
    }
    // A copy of unwritten memory is unwritten.
    let bench = Bench::new();
    let from = Bench::buffer(&bench.device);
    from.write(0, &[5u32; 8]).unwrap();
    let copy = [BufferCopy { src_offset: 0, dst_offset: 0, size: 64 }];
    let copied = |c: &mut CommandBuffer| {
        c.copy_buffer(&from, &bench.a, &copy);
    };
    let found = bench.after(copied, SUM);
    unwritten(&found, Kind::UninitializedBuffer, &["`a[8]`"]);
    // Reused memory counts as newly allocated; the contents of other allocations do not affect it.
    drop(bench);
    let bench = Bench::new();
    bench.b.write(0, &[5u32; 64]).unwrap();
    unwritten(&bench.after(|_| {}, SUM), Kind::UninitializedBuffer, &["`a[0]`"]);
}

#[test]
fn texels_of_buffers_are_written_first() {
    let bench = Bench::new();
    let texels = Bench::buffer(&bench.device);
    let view = BufferViewDesc { format: Format::R32_UINT, offset: 0, range: None };
    let view = bench.device.create_buffer_view(&texels, view).unwrap();
    let body = "layout(set = 0, binding = 2) uniform usamplerBuffer t;
                void main() { b[i] = texelFetch(t, int(i)).x; }";
    let run = || {
        let mut commands = bench.device.create_command_buffer();
        bench.record(
            &mut commands,
            body,
            &[(DescriptorKind::UniformTexelBuffer, Resource::TexelBuffer(&view))],
        );
        bench.submit(&mut commands);
        bench.session.reports.take().into_iter().map(|r| (r.kind, r.message)).collect::<Vec<_>>()
    };
    texels.write(0, &[1u32; 9]).unwrap();
    unwritten(&run(), Kind::UninitializedImage, &["texel (9) of", "is read"]);
    texels.write(0, &[1u32; 16]).unwrap();
    assert_eq!(run(), []);
}

const FETCH: &str = "layout(set = 0, binding = 2) uniform texture2D t;
    void main() { b[i] = floatBitsToUint(texelFetch(t, ivec2(i % 4, i / 4), 0).x); }";
const GATHER: &str = "layout(set = 0, binding = 2) uniform texture2D t;
    layout(set = 0, binding = 3) uniform sampler s;
    void main() { b[i] = floatBitsToUint(textureLod(sampler2D(t, s), vec2(0.3), 0).x); }";
const STORE: &str = "layout(set = 0, binding = 2, r32f) uniform image2D t;
    void main() { if (i < 15) imageStore(t, ivec2(i % 4, i / 4), vec4(1)); }";
const LOAD: &str = "layout(set = 0, binding = 2, r32f) uniform image2D t;
    void main() { b[i] = floatBitsToUint(imageLoad(t, ivec2(i % 4, i / 4)).x); }";

/// Findings of shaders with these bodies, run one after another on an image after the commands of `before`.
fn of_image(
    before: impl FnOnce(&Device, &Image, &mut CommandBuffer),
    bodies: &[&str],
) -> Vec<(Kind, String)> {
    let bench = Bench::new();
    let usage = ImageUsage::SAMPLED | ImageUsage::STORAGE | ImageUsage::COLOR_ATTACHMENT;
    let usage = usage | ImageUsage::TRANSFER_DST | ImageUsage::TRANSFER_SRC;
    let desc = ImageDesc { levels: 2, ..ImageDesc::new_2d(Format::R32_SFLOAT, 4, 4, usage) };
    let image = bench.device.create_bound_image(desc).unwrap();
    let view = bench.device.create_image_view(&image, ImageViewDesc::new_2d(Format::R32_SFLOAT)).unwrap();
    let sampler = bench.device.create_sampler(Default::default()).unwrap();
    let mut commands = bench.device.create_command_buffer();
    before(&bench.device, &image, &mut commands);
    for body in bodies {
        let kind = match body.contains("image2D") {
            true => DescriptorKind::StorageImage,
            false => DescriptorKind::SampledImage,
        };
        let mut more = vec![(kind, Resource::Image(&view))];
        if body.contains("sampler s") {
            more.push((DescriptorKind::Sampler, Resource::Sampler(&sampler)));
        }
        bench.record(&mut commands, body, &more);
        commands.pipeline_barrier();
    }
    bench.submit(&mut commands);
    bench.session.reports.take().into_iter().map(|r| (r.kind, r.message)).collect()
}

#[test]
fn texels_are_written_first() {
    let fresh = of_image(|_, _, _| {}, &[FETCH]);
    unwritten(&fresh, Kind::UninitializedImage, &["texel (0, 0) of image `t` is read"]);
    unwritten(&of_image(|_, _, _| {}, &[GATHER]), Kind::UninitializedImage, &["image `t` is read"]);
    unwritten(&of_image(|_, _, _| {}, &[LOAD]), Kind::UninitializedImage, &["texel (0, 0)"]);
    unwritten(&of_image(|_, _, _| {}, &[STORE, LOAD]), Kind::UninitializedImage, &["texel (3, 3)"]);
    assert_eq!(of_image(|_, _, _| {}, &[STORE, GATHER]), [], "a sampler may read what was stored");
    // Writing another level does not count.
    let other = |_: &Device, image: &Image, _: &mut CommandBuffer| {
        image.write_level(Aspects::COLOR, 1, &[0; 16]).unwrap();
    };
    unwritten(&of_image(other, &[FETCH]), Kind::UninitializedImage, &["texel (0, 0)"]);
}

#[test]
fn whoever_may_have_written_texels_is_believed() {
    type Before = fn(&Device, &Image, &mut CommandBuffer);
    let all: [(&str, Before); 6] = [
        ("written by the host", |_, image, _| image.write_level(Aspects::COLOR, 0, &[0; 64]).unwrap()),
        ("zeros are meant", |_, image, _| image.keep_zeros()),
        ("cleared", |_, image, c| {
            c.clear_color_image(image, [0; 4], &[SubresourceRange::all(Aspects::COLOR)]);
        }),
        ("copied from a buffer", |device, image, c| {
            let buffer = Bench::buffer(device);
            buffer.write(0, &[0u32; 64]).unwrap();
            c.copy_buffer_to_image(&buffer, image, &[BufferImageCopy::whole([4, 4, 1])]);
        }),
        ("rendered", |device, image, c| {
            let view = device.create_image_view(image, ImageViewDesc::new_2d(Format::R32_SFLOAT)).unwrap();
            let color = RenderingAttachment::clear(&view, [1.0; 4]);
            c.begin_rendering(&RenderingInfo::of_color(4, 4, color)).end_rendering();
        }),
        ("copied by the host", |device, image, _| {
            let region = BufferImageCopy {
                subresource: SubresourceLayers::COLOR,
                ..BufferImageCopy::whole([4, 4, 1])
            };
            device.copy_bytes_to_image(&[0; 64], image, &region).unwrap();
        }),
    ];
    for (what, before) in all {
        assert_eq!(of_image(before, &[FETCH, GATHER, LOAD]), [], "{what}");
    }
}

/// Spec: Vulkan, VkAttachmentLoadOp: an attachment that is loaded must have been written.
#[test]
fn attachments_that_are_loaded_are_there() {
    let load: fn(&Device, &Image, &mut CommandBuffer) = |device, image, c| {
        let view = device.create_image_view(image, ImageViewDesc::new_2d(Format::R32_SFLOAT)).unwrap();
        let color = RenderingAttachment::load(&view);
        c.begin_rendering(&RenderingInfo::of_color(4, 4, color)).end_rendering();
    };
    let found = of_image(load, &[]);
    assert!(found.len() == 1 && found[0].0 == Kind::UnwrittenAttachment, "{found:?}");
    let cleared = of_image(
        |device, image, c| {
            let view = device.create_image_view(image, ImageViewDesc::new_2d(Format::R32_SFLOAT)).unwrap();
            let first = RenderingAttachment::clear(&view, [1.0; 4]);
            c.begin_rendering(&RenderingInfo::of_color(4, 4, first)).end_rendering();
            let color = RenderingAttachment::load(&view);
            c.begin_rendering(&RenderingInfo::of_color(4, 4, color)).end_rendering();
        },
        &[],
    );
    assert_eq!(cleared, []);
}
