//! Races between commands of the library, on a device with the option that only barriers order commands.

use std::sync::Arc;

use quadrille::check::{self, Kind, Session};
use quadrille::{
    AttachmentUse, Barrier, BarrierOf, BindPoint, Buffer, BufferCopy, BufferDesc, BufferImageCopy,
    BufferUsage, ClearAttachment, ClearRect, CommandBuffer, ComputePipelineDesc, Dependency,
    DescriptorBinding, DescriptorKind, Device, DeviceOptions, Format, GraphicsPipelineDesc, ImageDesc,
    ImageUsage, ImageViewDesc, Rect, RenderingAttachment, RenderingInfo, Resource, ScopeOrder, ShaderStage,
    Stage, Submit, SubresourceLayers, ViewDim, frontend, fullscreen,
};

/// Bits of VkPipelineStageFlagBits2 and of VkAccessFlagBits2.
const COMPUTE: u64 = 1 << 11;
const COPY: u64 = 1 << 32;
const CLEAR: u64 = 1 << 35;
const READ: u64 = 1 << 11;
const WRITE: u64 = 1 << 12;

/// A checked device with two queues, and its buffers.
struct Bench {
    session: Arc<Session>,
    device: Device,
    buffers: [Buffer; 3],
}

impl Bench {
    fn new(explicit_order: bool) -> Bench {
        let session = Arc::new(Session::default());
        let watch = Some(check::watching(&session));
        let options = DeviceOptions { watch, explicit_order, ..DeviceOptions::default() };
        let device = Device::with_queues(options, 2).unwrap();
        let usage = BufferUsage::TRANSFER_SRC | BufferUsage::TRANSFER_DST | BufferUsage::STORAGE;
        let buffers = [(); 3].map(|()| device.create_bound_buffer(BufferDesc { size: 64, usage }).unwrap());
        device.set_name(&buffers[0], "first");
        Bench { session, device, buffers }
    }

    fn copy(&self, c: &mut CommandBuffer, from: usize, to: usize) {
        let region = BufferCopy { src_offset: 0, dst_offset: 0, size: 64 };
        c.copy_buffer(&self.buffers[from], &self.buffers[to], &[region]);
    }

    fn record(&self, record: impl FnOnce(&mut CommandBuffer)) -> CommandBuffer {
        let mut c = self.device.create_command_buffer();
        c.set_name("frame");
        record(&mut c);
        c.end().unwrap();
        c
    }

    /// All findings, which must be between commands.
    fn found(&self) -> Vec<String> {
        let found = self.session.reports.take();
        assert!(found.iter().all(|r| r.kind == Kind::RaceCommands), "{found:?}");
        found.into_iter().map(|r| r.message).collect()
    }
}

fn dependency(src_access: u64, dst_stages: u64, dst_access: u64) -> Dependency {
    Dependency { src_stages: CLEAR, src_access, dst_stages, dst_access }
}

/// Findings for a copy from a buffer after a fill, with a barrier in between.
fn copied(explicit: bool, barrier: Option<(Dependency, Option<usize>)>) -> Vec<String> {
    let bench = Bench::new(explicit);
    let c = bench.record(|c| {
        c.fill_buffer(&bench.buffers[0], 0, None, 7);
        if let Some((dependency, of)) = barrier {
            let of = match of {
                Some(n) => BarrierOf::Buffer { buffer: &bench.buffers[n], offset: 0, size: u64::MAX },
                None => BarrierOf::Memory,
            };
            c.pipeline_barriers(&[Barrier { dependency, of }]);
        }
        bench.copy(c, 0, 1);
    });
    bench.device.queue().run(&c).unwrap();
    assert_eq!(bench.buffers[1].read::<u32>(0, 1).unwrap(), [7], "commands run in order all the same");
    bench.found()
}

#[test]
fn a_barrier_must_be_there_and_say_the_right_thing() {
    let right = dependency(WRITE, COPY, READ);
    assert_eq!(copied(true, Some((right, None))), [""; 0]);
    assert_eq!(copied(true, Some((right, Some(0)))), [""; 0]);
    assert_eq!(copied(false, None), [""; 0], "a device that keeps order");
    let cases = [
        (None, "no barrier between them waits for COPY|CLEAR"),
        (Some((dependency(0, COPY, READ), None)), "TRANSFER_WRITE of COPY|CLEAR available: srcAccessMask"),
        (Some((dependency(WRITE, COPY, WRITE), None)), "visible to TRANSFER_READ of COPY: dstAccessMask"),
        (Some((dependency(WRITE, 1 << 7, READ), None)), "does not block COPY: dstStageMask"),
        (Some((right, Some(1))), "available"),
    ];
    for (barrier, words) in cases {
        let found = copied(true, barrier);
        assert_eq!(found.len(), 1, "{words}: {found:?}");
        let all = ["buffer 1 \"first\" (64 bytes)", "`vkCmdCopyBuffer`", "`vkCmdFillBuffer`", words];
        let place = ["command 1 of command buffer \"frame\" of submission"];
        assert!(all.iter().chain(&place).all(|w| found[0].contains(w)), "{words}: {}", found[0]);
    }
}

/// Findings for commands with a dispatch that exchanges the first word of a buffer, which is 5, if it equals `comparator`.
fn exchanged(
    comparator: u32,
    record: impl FnOnce(&Bench, &mut CommandBuffer, &dyn Fn(&mut CommandBuffer)),
) -> Vec<String> {
    let bench = Bench::new(true);
    let device = &bench.device;
    bench.buffers[0].write(0, &[5u32; 16]).unwrap();
    let source = format!(
        "@group(0) @binding(0) var<storage, read_write> word: atomic<u32>;
        @compute @workgroup_size(1) fn main() {{ _ = atomicCompareExchangeWeak(&word, {comparator}u, 9u); }}"
    );
    let words = frontend::compile_wgsl(&source, &frontend::Options::default()).unwrap();
    let stage = ShaderStage::only(&device.create_shader_module(&words).unwrap(), Stage::Compute).unwrap();
    let bindings = [DescriptorBinding::new(0, DescriptorKind::StorageBuffer)];
    let set_layout = device.create_descriptor_set_layout(&bindings).unwrap();
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0).unwrap();
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout }).unwrap();
    let set = device.create_descriptor_set(&set_layout).unwrap();
    set.write_buffer(0, &bench.buffers[0]).unwrap();
    let dispatch = |c: &mut CommandBuffer| {
        c.bind_compute_pipeline(&pipeline).bind_compute_set(pipeline.layout(), 0, &set).dispatch(1, 1, 1);
    };
    let c = bench.record(|c| record(&bench, c, &dispatch));
    device.queue().run(&c).unwrap();
    bench.found()
}

/// Spec: SPIR-V, OpAtomicCompareExchange: the new value is only stored if the values are equal.
#[test]
fn an_exchange_that_fails_reads() {
    for (comparator, races) in [(5, true), (6, false)] {
        let after_read = exchanged(comparator, |bench, c, dispatch| {
            bench.copy(c, 0, 1);
            dispatch(c);
        });
        assert_eq!(after_read.len(), usize::from(races), "{after_read:?}");
        // A write after a read needs no memory dependency.
        let before_write = exchanged(comparator, |bench, c, dispatch| {
            dispatch(c);
            let dependency =
                Dependency { src_stages: COMPUTE, src_access: 0, dst_stages: CLEAR, dst_access: WRITE };
            c.pipeline_barriers(&[Barrier { dependency, of: BarrierOf::Memory }]);
            c.fill_buffer(&bench.buffers[0], 0, None, 7);
        });
        assert_eq!(before_write.len(), usize::from(races), "{before_write:?}");
    }
}

/// Parameters of indirect copies are read in a stage of their own, before the copies. Spec: Vulkan,
/// VK_PIPELINE_STAGE_2_COPY_INDIRECT_BIT_KHR.
#[test]
fn parameters_of_indirect_copies_have_a_stage() {
    const COPY_INDIRECT: u64 = 1 << 46;
    for (stages, finds) in [(COPY_INDIRECT, false), (COPY, true)] {
        let bench = Bench::new(true);
        let usage = BufferUsage::TRANSFER_DST | BufferUsage::INDIRECT;
        let parameters = bench.device.create_bound_buffer(BufferDesc { size: 64, usage }).unwrap();
        let barrier = |dependency| [Barrier { dependency, of: BarrierOf::Memory }];
        let after = Dependency { src_stages: COPY, ..dependency(WRITE, CLEAR, WRITE) };
        let c = bench.record(|c| {
            c.fill_buffer(&parameters, 0, None, 0);
            c.pipeline_barriers(&barrier(dependency(WRITE, stages, 1)));
            c.copy_memory_indirect((&parameters, 0), 24, 1);
            c.pipeline_barriers(&barrier(after));
            c.fill_buffer(&parameters, 0, None, 0);
        });
        bench.device.queue().run(&c).unwrap();
        let found = bench.found();
        assert_eq!(!found.is_empty(), finds, "{found:?}");
        let all = ["vkCmdCopyMemoryIndirectKHR", "COPY_INDIRECT"];
        assert!(found.iter().all(|f| all.iter().all(|w| f.contains(w))), "{found:?}");
    }
}

#[test]
fn queues_are_ordered_by_semaphores_only() {
    for ordered in [true, false] {
        let bench = Bench::new(true);
        let queues = [0, 1].map(|n| bench.device.queue_at(n).unwrap());
        let semaphore = bench.device.create_semaphore();
        let fill = bench.record(|c| {
            c.fill_buffer(&bench.buffers[0], 0, None, 7);
        });
        let copy = bench.record(|c| bench.copy(c, 0, 1));
        let signal = [(&semaphore, 0)];
        let order: &[_] = if ordered { &signal } else { &[] };
        let first = Submit { commands: &[&fill], signals: order, ..Submit::default() };
        let second = Submit { commands: &[&copy], waits: order, ..Submit::default() };
        queues[0].submit(&[first], None).unwrap();
        queues[1].submit(&[second], None).unwrap();
        bench.device.wait_idle().unwrap();
        let found = bench.found();
        assert_eq!(found.len(), usize::from(!ordered), "{found:?}");
        // Work that the host has waited for is complete.
        queues[1]
            .run(&bench.record(|c| {
                c.fill_buffer(&bench.buffers[0], 0, None, 8);
            }))
            .unwrap();
        assert_eq!(bench.found(), [""; 0]);
    }
}

/// A clear within a scope writes the layers of its rectangles, and no others. The scope neither loads nor stores.
#[test]
fn clears_of_attachments_write_their_layers() {
    for (layer, races) in [(0, false), (1, true)] {
        let bench = Bench::new(true);
        let format = Format::R8G8B8A8_UNORM;
        let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
        let desc = ImageDesc { layers: 2, ..ImageDesc::new_2d(format, 4, 4, usage) };
        let image = bench.device.create_bound_image(desc).unwrap();
        let view = ImageViewDesc { dim: ViewDim::D2Array, layers: 2, ..ImageViewDesc::new_2d(format) };
        let view = bench.device.create_image_view(&image, view).unwrap();
        let uses = vec![AttachmentUse { loads: false, stores: false }];
        let info = RenderingInfo {
            area: Rect::of_size(4, 4),
            layers: 2,
            colors: vec![Some(RenderingAttachment::load(&view))],
            order: Some(Arc::new(ScopeOrder::of_rendering(uses, false))),
            ..RenderingInfo::default()
        };
        let rect = ClearRect { rect: Rect::of_size(4, 4), base_layer: 1, layers: 1 };
        let region = BufferImageCopy {
            buffer_offset: 0,
            row_length: 0,
            image_height: 0,
            subresource: SubresourceLayers { base_layer: layer, ..SubresourceLayers::COLOR },
            offset: [0; 3],
            extent: [4, 4, 1],
        };
        let c = bench.record(|c| {
            c.begin_rendering(&info).clear_attachments(&[ClearAttachment::Color(0, [0; 4])], &[rect]);
            c.end_rendering().copy_image_to_buffer(&image, &bench.buffers[0], &[region]);
        });
        bench.device.queue().run(&c).unwrap();
        let found = bench.found();
        assert_eq!(!found.is_empty(), races, "layer {layer}: {found:?}");
    }
}

/// Two dispatches of a shader that exchange its buffers: a report begins at the later access, whose name it gives.
#[test]
fn races_of_dispatches_begin_at_the_later_one() {
    let session = Arc::new(Session::default());
    let watch = Some(check::watching(&session));
    let device =
        Device::new(DeviceOptions { watch, explicit_order: true, ..DeviceOptions::default() }).unwrap();
    let source = "@group(0) @binding(0) var<storage> inputs: array<u32>;
        @group(0) @binding(1) var<storage, read_write> results: array<u32>;
        @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
            let one = inputs[id.x];
            results[id.x] = one + 1u;
        }";
    let words = frontend::compile_wgsl(source, &Default::default()).unwrap();
    let module = device.create_shader_module(&words).unwrap();
    let bindings = [0, 1].map(|i| DescriptorBinding::new(i, DescriptorKind::StorageBuffer));
    let set_layout = device.create_descriptor_set_layout(&bindings).unwrap();
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0).unwrap();
    let stage = ShaderStage::only(&module, Stage::Compute).unwrap();
    let desc = ComputePipelineDesc { stage, layout: layout.clone() };
    let pipeline = device.create_compute_pipeline(&desc).unwrap();
    let buffers = [(); 2].map(|()| device.create_buffer_with(&[1u32; 4], BufferUsage::STORAGE).unwrap());
    let sets = [[0, 1], [1, 0]].map(|order| {
        let set = device.create_descriptor_set(&set_layout).unwrap();
        (0..).zip(order).for_each(|(binding, n)| set.write_buffer(binding, &buffers[n]).unwrap());
        set
    });
    let mut c = device.create_command_buffer();
    c.bind_compute_pipeline(&pipeline);
    for set in &sets {
        c.bind_compute_set(&layout, 0, set).dispatch(1, 1, 1);
    }
    c.end().unwrap();
    device.queue().run(&c).unwrap();
    let found = session.reports.take();
    let told: Vec<_> = found
        .iter()
        .map(|r| (r.at.line, r.message.split(" and ").next().unwrap_or_default(), r.others[0].at.line))
        .collect();
    assert_eq!(told, [(4, "`inputs[0]` is read here", 5), (5, "`results[0]` is written here", 4)]);
}

/// Counts the fragments of each column in an interlocked section.
const COUNTS: &str = "
               OpCapability Shader
               OpCapability FragmentShaderPixelInterlockEXT
               OpExtension \"SPV_EXT_fragment_shader_interlock\"
               OpExtension \"SPV_KHR_storage_buffer_storage_class\"
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main \"main\" %at %color
               OpExecutionMode %main OriginUpperLeft
               OpExecutionMode %main PixelInterlockOrderedEXT
               OpDecorate %at BuiltIn FragCoord
               OpDecorate %color Location 0
               OpDecorate %words ArrayStride 4
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %block Block
               OpDecorate %counts DescriptorSet 0
               OpDecorate %counts Binding 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %float = OpTypeFloat 32
    %v4float = OpTypeVector %float 4
   %of_input = OpTypePointer Input %v4float
  %of_output = OpTypePointer Output %v4float
      %words = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %words
   %of_block = OpTypePointer StorageBuffer %block
    %of_word = OpTypePointer StorageBuffer %uint
         %at = OpVariable %of_input Input
      %color = OpVariable %of_output Output
     %counts = OpVariable %of_block StorageBuffer
       %zero = OpConstant %uint 0
        %one = OpConstant %uint 1
       %main = OpFunction %void None %fn
      %begin = OpLabel
      %place = OpLoad %v4float %at
               OpStore %color %place
          %x = OpCompositeExtract %float %place 0
     %column = OpConvertFToU %uint %x
       %word = OpAccessChain %of_word %counts %zero %column
               OpBeginInvocationInterlockEXT
     %before = OpLoad %uint %word
      %after = OpIAdd %uint %before %one
               OpStore %word %after
               OpEndInvocationInterlockEXT
               OpReturn
               OpFunctionEnd";

/// Draws twice in a scope with this fragment shader, and a barrier in between. Returns a storage buffer of the shader,
/// and the findings between commands.
fn drawn_twice(source: &str, between: Option<Dependency>) -> (Vec<u32>, Vec<String>) {
    drawn_twice_in_order(source, between, false)
}

/// Draws twice, and reads input attachments in rasterization order or not.
fn drawn_twice_in_order(
    source: &str,
    between: Option<Dependency>,
    reads_in_order: bool,
) -> (Vec<u32>, Vec<String>) {
    let bench = Bench::new(true);
    let device = &bench.device;
    let format = Format::R8G8B8A8_UNORM;
    let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::INPUT_ATTACHMENT;
    let image = device.create_bound_image(ImageDesc::new_2d(format, 16, 1, usage)).unwrap();
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format)).unwrap();
    let bindings = [(0, DescriptorKind::StorageBuffer), (1, DescriptorKind::InputAttachment)];
    let bindings = bindings.map(|(binding, kind)| DescriptorBinding::new(binding, kind));
    let set_layout = device.create_descriptor_set_layout(&bindings).unwrap();
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0).unwrap();
    let counts = device.create_buffer_with(&[0u32; 16], BufferUsage::STORAGE).unwrap();
    let set = device.create_descriptor_set(&set_layout).unwrap();
    set.write_buffer(0, &counts).unwrap();
    set.write(1, 0, Resource::Image(&view)).unwrap();
    let vertex = device.create_shader_module(fullscreen::vertex_words().unwrap()).unwrap();
    let words = frontend::load_spirv(source.as_bytes(), &frontend::Options::default()).unwrap();
    let fragment = device.create_shader_module(&words).unwrap();
    let vertex = ShaderStage::only(&vertex, Stage::Vertex).unwrap();
    let fragment = ShaderStage::only(&fragment, Stage::Fragment).unwrap();
    let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
    desc.state.color_formats = vec![Some(format)];
    desc.state.reads_in_order = [false, reads_in_order];
    let pipeline = device.create_graphics_pipeline(&desc).unwrap();
    let uses = vec![AttachmentUse { loads: true, stores: true }];
    let info = RenderingInfo {
        order: Some(Arc::new(ScopeOrder::of_rendering(uses, false))),
        ..RenderingInfo::of_color(16, 1, RenderingAttachment::clear(&view, [0.0; 4]))
    };
    let c = bench.record(|c| {
        c.begin_rendering(&info)
            .bind_graphics_pipeline(&pipeline)
            .bind_descriptor_sets(BindPoint::Graphics, &layout, 0, &[&set], &[])
            .set_size(16, 1)
            .draw(3, 1, 0, 0);
        if let Some(dependency) = between {
            c.pipeline_barriers(&[Barrier { dependency, of: BarrierOf::Memory }]);
        }
        c.draw(3, 1, 0, 0).end_rendering();
    });
    device.queue().run(&c).unwrap();
    let found = bench.session.reports.take().into_iter().filter(|r| r.kind == Kind::RaceCommands);
    (counts.read(0, 16).unwrap(), found.map(|r| r.message).collect())
}

/// Interlocked sections are in rasterization order, which the primitives of all draws of a subpass have. Spec: Vulkan,
/// "Interlocked Operations".
#[test]
fn interlocked_sections_of_two_draws_are_in_order() {
    let (counts, found) = drawn_twice(COUNTS, None);
    assert_eq!((counts, found), (vec![2; 16], Vec::new()));
    let open: Vec<_> = COUNTS.lines().filter(|l| !l.contains("InvocationInterlock")).collect();
    assert!(!drawn_twice(&open.join("\n"), None).1.is_empty(), "nothing orders the draws");
}

/// Keeps the colour of the attachment, which it reads as a tile image.
const KEEPS: &str = "
               OpCapability Shader
               OpCapability TileImageColorReadAccessEXT
               OpExtension \"SPV_EXT_shader_tile_image\"
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main \"main\" %color
               OpExecutionMode %main OriginUpperLeft
               OpDecorate %tile Location 0
               OpDecorate %color Location 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
    %v4float = OpTypeVector %float 4
      %image = OpTypeImage %float TileImageDataEXT 0 0 0 2 Unknown
   %of_image = OpTypePointer TileImageEXT %image
       %tile = OpVariable %of_image TileImageEXT
  %of_output = OpTypePointer Output %v4float
      %color = OpVariable %of_output Output
       %main = OpFunction %void None %fn
      %begin = OpLabel
     %loaded = OpLoad %image %tile
       %read = OpColorAttachmentReadEXT %v4float %loaded
               OpStore %color %read
               OpReturn
               OpFunctionEnd";

/// Tile images are read in rasterization order, unless the shader says that it needs barriers. Spec: Vulkan, "Fragment
/// Shader Tile Image Reads" and VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT.
#[test]
fn tile_images_are_in_order_unless_the_shader_says_otherwise() {
    const COLOR: u64 = 1 << 10;
    assert_eq!(drawn_twice(KEEPS, None).1, [""; 0]);
    let mode = "OpExecutionMode %main OriginUpperLeft";
    let loose =
        KEEPS.replace(mode, &format!("{mode}\nOpExecutionMode %main NonCoherentColorAttachmentReadEXT"));
    let found = drawn_twice(&loose, None).1;
    let words = ["the tile image at location 0", "no barrier between them waits for COLOR_ATTACHMENT_OUTPUT"];
    assert!(!found.is_empty() && found.iter().all(|f| words.iter().all(|w| f.contains(w))), "{found:?}");
    let barrier =
        Dependency { src_stages: COLOR, src_access: 1 << 8, dst_stages: 1 << 7, dst_access: 1 << 7 };
    assert_eq!(drawn_twice(&loose, Some(barrier)).1, [""; 0]);
}

/// Keeps the colour of the attachment, which it reads as an input attachment.
const LOADS: &str = "
               OpCapability Shader
               OpCapability InputAttachment
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main \"main\" %color
               OpExecutionMode %main OriginUpperLeft
               OpDecorate %input DescriptorSet 0
               OpDecorate %input Binding 1
               OpDecorate %input InputAttachmentIndex 0
               OpDecorate %color Location 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
        %int = OpTypeInt 32 1
      %v2int = OpTypeVector %int 2
      %float = OpTypeFloat 32
    %v4float = OpTypeVector %float 4
      %image = OpTypeImage %float SubpassData 0 0 0 2 Unknown
   %of_image = OpTypePointer UniformConstant %image
      %input = OpVariable %of_image UniformConstant
  %of_output = OpTypePointer Output %v4float
      %color = OpVariable %of_output Output
       %zero = OpConstant %int 0
       %here = OpConstantComposite %v2int %zero %zero
       %main = OpFunction %void None %fn
      %begin = OpLabel
     %loaded = OpLoad %image %input
       %read = OpImageRead %v4float %loaded %here
               OpStore %color %read
               OpReturn
               OpFunctionEnd";

/// Pipelines may read input attachments in rasterization order. Spec: Vulkan,
/// VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT.
#[test]
fn input_attachments_are_in_order_if_the_pipeline_says_so() {
    assert_eq!(drawn_twice_in_order(LOADS, None, true).1, [""; 0]);
    let found = drawn_twice_in_order(LOADS, None, false).1;
    assert!(!found.is_empty(), "nothing orders the draws");
}
