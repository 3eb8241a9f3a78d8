//! Pipelines with tessellation and geometry stages: valid combinations of stages and state.

use quadrille::*;

macro_rules! shader {
    ($name:literal) => {
        include_str!(concat!("../vulkan/tests/shaders/", $name, ".spvasm"))
    };
}

struct Bench {
    device: Device,
    layout: PipelineLayout,
}

impl Bench {
    fn new() -> Bench {
        let device = Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() }).unwrap();
        let layout = device.create_pipeline_layout(&[], 24).unwrap();
        Bench { device, layout }
    }

    fn stage(&self, text: &str) -> ShaderStage {
        let words = frontend::load_spirv(text.as_bytes(), &frontend::Options::default()).unwrap();
        ShaderStage::new(&self.device.create_shader_module(&words).unwrap(), "main")
    }

    fn desc(&self, vertex: &str) -> GraphicsPipelineDesc {
        let fragment = self.stage(shader!("color.frag"));
        let mut desc = GraphicsPipelineDesc::new(&self.layout, self.stage(vertex), Some(fragment));
        desc.state.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
        desc
    }

    /// Patches of four vertices.
    fn tessellated(&self) -> GraphicsPipelineDesc {
        let mut desc = self.desc(shader!("patch.vert"));
        desc.tessellation_control = Some(self.stage(shader!("levels.tesc")));
        desc.tessellation_evaluation = Some(self.stage(shader!("quad.tese")));
        desc.state.topology = Topology::PatchList;
        desc.fixed.patch_control_points = 4;
        desc
    }

    /// A pipeline that turns points into squares.
    fn geometry(&self) -> GraphicsPipelineDesc {
        let mut desc = self.desc(shader!("point.vert"));
        desc.geometry = Some(self.stage(shader!("squares.geom")));
        desc.state.topology = Topology::PointList;
        desc
    }

    /// The error of creating a pipeline from a changed description.
    fn refused(&self, desc: GraphicsPipelineDesc, edit: impl FnOnce(&mut GraphicsPipelineDesc)) -> Error {
        let mut desc = desc;
        edit(&mut desc);
        self.device.create_graphics_pipeline(&desc).expect_err("refused")
    }
}

/// Spec: Vulkan, VkGraphicsPipelineCreateInfo, valid usage of pStages, pTessellationState and
/// pInputAssemblyState.
#[test]
fn stages_and_state_that_do_not_go_together_are_refused() {
    let bench = Bench::new();
    for desc in [bench.tessellated(), bench.geometry()] {
        bench.device.create_graphics_pipeline(&desc).unwrap();
    }
    let invalid = |e: Error| assert!(matches!(e, Error::Invalid { .. }), "{e:?}");
    invalid(bench.refused(bench.tessellated(), |d| d.tessellation_control = None));
    invalid(bench.refused(bench.tessellated(), |d| d.tessellation_evaluation = None));
    invalid(bench.refused(bench.tessellated(), |d| d.state.topology = Topology::TriangleList));
    invalid(bench.refused(bench.tessellated(), |d| d.fixed.patch_control_points = 0));
    let limit = bench.refused(bench.tessellated(), |d| d.fixed.patch_control_points = 33);
    assert!(matches!(limit, Error::Limit(_)), "{limit:?}");
    invalid(bench.refused(bench.desc(shader!("patch.vert")), |d| d.state.topology = Topology::PatchList));
    invalid(bench.refused(bench.geometry(), |d| d.state.topology = Topology::LineStrip));
    // The evaluation stage generates triangles, but the geometry stage takes points.
    let squares = bench.stage(shader!("squares.geom"));
    invalid(bench.refused(bench.tessellated(), |d| d.geometry = Some(squares)));
    // A stage in the slot of another stage.
    let control = bench.stage(shader!("levels.tesc"));
    invalid(bench.refused(bench.geometry(), |d| d.geometry = Some(control)));
}

/// From the second pipeline of a device on, stages are compiled in parallel: their order is kept, and if two fail, the
/// error of the first stage is returned.
#[test]
fn stages_compiled_side_by_side_keep_their_order() {
    let bench = Bench::new();
    for _ in 0..20 {
        // Nothing keeps the stages of the previous round alive.
        for (desc, stages) in [
            (bench.desc(shader!("point.vert")), &[Stage::Vertex, Stage::Fragment][..]),
            (bench.geometry(), &[Stage::Vertex, Stage::Geometry, Stage::Fragment]),
        ] {
            let pipeline = bench.device.create_graphics_pipeline(&desc).unwrap();
            assert!(pipeline.shaders().map(|s| s.stage).eq(stages.iter().copied()));
        }
        let e = bench.refused(bench.desc(shader!("point.vert")), |d| {
            let missing = |stage: &ShaderStage, entry| ShaderStage::new(&stage.module, entry);
            d.fragment = d.fragment.as_ref().map(|f| missing(f, "second"));
            d.vertex = d.vertex.as_ref().map(|v| missing(v, "first"));
        });
        assert!(e.to_string().contains("first"), "{e}");
    }
}

/// The two tessellation stages declare the same modes, or only one of them declares modes.
#[test]
fn modes_of_tessellation_may_stand_in_either_stage() {
    let bench = Bench::new();
    let with = |control: &str, evaluation: &str| {
        let mut desc = bench.tessellated();
        desc.tessellation_control = Some(bench.stage(control));
        desc.tessellation_evaluation = Some(bench.stage(evaluation));
        bench.device.create_graphics_pipeline(&desc)
    };
    let (control, evaluation) = (shader!("levels.tesc"), shader!("quad.tese"));
    let quads = "OpExecutionMode %main Quads\n";
    let without = evaluation.replace(quads, "");
    assert_ne!(without, evaluation);
    let stated = |mode: &str| {
        let vertices = "OpExecutionMode %main OutputVertices 4\n";
        control.replace(vertices, &format!("{vertices}OpExecutionMode %main {mode}\n"))
    };
    with(&stated("Quads"), &without).unwrap();
    with(&stated("Quads"), evaluation).unwrap();
    let vertices = "OpExecutionMode %main OutputVertices 4\n";
    let (unstated, patches) = (control.replace(vertices, ""), format!("{quads}{vertices}"));
    assert_ne!(unstated, control);
    with(&unstated, &evaluation.replace(quads, &patches)).unwrap();
    let refused = |result: Result<GraphicsPipeline>| {
        let e = result.expect_err("refused");
        assert!(matches!(e, Error::Invalid { .. }), "{e:?}");
    };
    refused(with(control, &without));
    refused(with(&unstated, evaluation));
    refused(with(&stated("Isolines"), evaluation));
    refused(with(&stated("SpacingFractionalOdd"), evaluation));
}

/// Spec: Vulkan, maxTransformFeedbackBufferDataStride, maxTransformFeedbackBufferDataSize.
#[test]
fn what_is_captured_of_a_vertex_is_limited() {
    let bench = Bench::new();
    let with = |stride: u32, offset: u32| {
        let text = shader!("captured.vert");
        let vertex = text.replace("XfbStride 20", &format!("XfbStride {stride}"));
        let vertex = vertex.replace("Offset 4\n", &format!("Offset {offset}\n"));
        assert!((stride, offset) == (20, 4) || vertex != text);
        bench.device.create_graphics_pipeline(&bench.desc(&vertex))
    };
    with(20, 4).unwrap();
    with(2048, 496).unwrap();
    for (stride, offset) in [(2052, 4), (1024, 500)] {
        let refused = with(stride, offset);
        assert!(matches!(refused, Err(Error::Limit(_))), "{stride} {offset}: {refused:?}");
    }
}

/// A vertex only has the outputs of its stream. Spec: Vulkan, maxGeometryTotalOutputComponents.
#[test]
fn components_of_emitted_vertices_are_those_of_the_widest_stream() {
    let bench = Bench::new();
    let with = |vertices: u32| {
        let text = shader!("streams.geom");
        let text = text.replace("OutputVertices 6\n", &format!("OutputVertices {vertices}\n"));
        let mut desc = bench.geometry();
        desc.geometry = Some(bench.stage(&text));
        desc.state.rasterizer_discard = true;
        bench.device.create_graphics_pipeline(&desc)
    };
    // Two components on stream 0, one on stream 2.
    with(512).unwrap();
    let refused = with(513);
    assert!(matches!(refused, Err(Error::Limit(_))), "{refused:?}");
}

/// Spec: VkPipelineRasterizationStateStreamCreateInfoEXT, rasterizationStream.
#[test]
fn there_are_four_streams_to_rasterize() {
    let bench = Bench::new();
    for stream in 0..4 {
        let mut desc = bench.geometry();
        desc.state.rasterization_stream = stream;
        bench.device.create_graphics_pipeline(&desc).unwrap();
    }
    let refused = bench.refused(bench.geometry(), |d| d.state.rasterization_stream = 4);
    assert!(matches!(refused, Error::Invalid { .. }), "{refused:?}");
    let mut commands = bench.device.create_command_buffer();
    assert!(matches!(commands.set_rasterization_stream(4).end(), Err(Error::Invalid { .. })));
}

/// A dynamic topology must suit the stages, regardless of the pipeline's topology.
#[test]
fn a_dynamic_topology_goes_with_the_stages() {
    let bench = Bench::new();
    let usage = ImageUsage::COLOR_ATTACHMENT;
    let format = Format::R8G8B8A8_UNORM;
    let image = bench.device.create_bound_image(ImageDesc::new_2d(format, 16, 16, usage)).unwrap();
    let view = bench.device.create_image_view(&image, ImageViewDesc::new_2d(format)).unwrap();
    let draw = |desc: &GraphicsPipelineDesc, topology| {
        let mut desc = desc.clone();
        desc.dynamic |= DynamicStates::PRIMITIVE_TOPOLOGY;
        desc.state.topology = Topology::TriangleStrip;
        let pipeline = bench.device.create_graphics_pipeline(&desc).unwrap();
        let mut commands = bench.device.create_command_buffer();
        commands
            .begin_rendering(&RenderingInfo {
                area: Rect::of_size(16, 16),
                colors: vec![Some(RenderingAttachment::clear(&view, [0.0; 4]))],
                ..RenderingInfo::default()
            })
            .bind_graphics_pipeline(&pipeline)
            .set_size(16, 16)
            .set_primitive_topology(topology)
            .draw(4, 1, 0, 0)
            .end_rendering()
            .end()
    };
    draw(&bench.tessellated(), Topology::PatchList).unwrap();
    draw(&bench.geometry(), Topology::PointList).unwrap();
    let plain = bench.desc(shader!("patch.vert"));
    draw(&plain, Topology::TriangleList).unwrap();
    for (desc, topology) in [
        (bench.tessellated(), Topology::TriangleList),
        (bench.geometry(), Topology::TriangleList),
        (bench.geometry(), Topology::PatchList),
        (plain, Topology::PatchList),
    ] {
        let e = draw(&desc, topology).expect_err("refused");
        assert!(matches!(e, Error::Invalid { .. }), "{e:?}");
    }
}

/// A primitive restart drops an incomplete patch.
#[test]
fn restart_in_a_list_of_patches() -> Result<()> {
    let bench = Bench::new();
    let device = &bench.device;
    let format = Format::R8G8B8A8_UNORM;
    let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
    let image = device.create_bound_image(ImageDesc::new_2d(format, 16, 16, usage))?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    let pixels = device.create_bound_buffer(BufferDesc { size: 1024, usage: BufferUsage::TRANSFER_DST })?;
    let indices = device.create_bound_buffer(BufferDesc { size: 32, usage: BufferUsage::INDEX })?;
    let mut desc = bench.tessellated();
    desc.state.primitive_restart = true;
    let pipeline = device.create_graphics_pipeline(&desc)?;
    for (list, drawn) in [
        ([0, 1, u32::MAX, 0, 1, 2, 3, u32::MAX], [255, 128, 128, 255]),
        ([0, 1, u32::MAX, 2, 3, 0, u32::MAX, 1], [0; 4]),
    ] {
        indices.write(0, &list)?;
        let mut commands = device.create_command_buffer();
        commands
            .begin_rendering(&RenderingInfo {
                area: Rect::of_size(16, 16),
                colors: vec![Some(RenderingAttachment::clear(&view, [0.0; 4]))],
                ..RenderingInfo::default()
            })
            .bind_graphics_pipeline(&pipeline)
            .set_size(16, 16)
            .push_constants(0, &[3.0f32; 6])
            .bind_index_buffer(&indices, 0, IndexType::U32)
            .draw_indexed(8, 1, 0, 0, 0)
            .end_rendering()
            .copy_image_to_buffer(&image, &pixels, &[BufferImageCopy::whole([16, 16, 1])])
            .end()?;
        device.queue().run(&commands)?;
        let read: Vec<[u8; 4]> = pixels.read_all()?;
        assert!(read.iter().all(|&p| p == drawn), "{list:?}: {:?}", read[0]);
    }
    Ok(())
}

/// Geometry stages also work in shader tests.
#[test]
fn shader_tests_take_geometry() -> Result<()> {
    let run = ShaderTest::spirv_text(shader!("color.frag"))?
        .vertex_spirv_text(shader!("point.vert"), 2)?
        .stage_spirv_text(Stage::Geometry, shader!("squares.geom"))?
        .topology(Topology::PointList)
        .push(&[0.25f32])
        .draw(16, 16)?;
    let picture = run.picture()?;
    // Around the first point, around the second in the lower half, and between them.
    assert_eq!(picture.pixel(3, 3), [128, 0, 0, 255]);
    assert_eq!(picture.pixel(12, 12), [255, 255, 255, 255]);
    assert_eq!(picture.pixel(7, 7), [0, 0, 0, 0]);
    let refused = ShaderTest::spirv_text(shader!("color.frag"))?
        .stage_spirv_text(Stage::Compute, shader!("color.frag"));
    assert!(matches!(refused, Err(Error::Invalid { .. })));
    Ok(())
}

/// A vertex stage without outputs has empty records; the stages after it work without them.
#[test]
fn stages_follow_a_vertex_stage_without_outputs() -> Result<()> {
    let nothing =
        || ShaderTest::spirv_text(shader!("color.frag"))?.vertex_spirv_text(shader!("nothing.vert"), 2);
    let geometry =
        nothing()?.stage_spirv_text(Stage::Geometry, shader!("alone.geom"))?.topology(Topology::PointList);
    let tessellation = nothing()?
        .stage_spirv_text(Stage::TessellationControl, shader!("alone.tesc"))?
        .stage_spirv_text(Stage::TessellationEvaluation, shader!("alone.tese"))?
        .topology(Topology::PatchList)
        .patches(1);
    for test in [geometry, tessellation] {
        let run = test.draw(16, 16)?;
        let picture = run.picture()?;
        // The second of two primitives covers the first.
        assert!((0..16).all(|x| picture.pixel(x, 15 - x) == [255, 255, 0, 255]));
    }
    Ok(())
}
