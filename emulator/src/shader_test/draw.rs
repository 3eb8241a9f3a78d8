//! Runs draws with a fragment shader.

use quadrille_jit::ir::Stage;
use quadrille_languages as frontend;
use quadrille_raster::buffer::IndexType;
use quadrille_raster::format::{Aspects, Format, Numeric};
use quadrille_raster::pass::{LoadOp, ResolveMode};
use quadrille_raster::state::{Rect, VertexAttribute, VertexBinding, VertexRate};

use super::ShaderTest;
use super::drawing::{Drawing, Target};
use super::resources::{Part, Resources, helping, part, resources, tested};
use super::run::TestRun;
use crate::command::CommandBuffer;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::{BufferUsage, ImageUsage};
use crate::pipeline::GraphicsPipelineDesc;
use crate::pipeline::layout::PipelineLayout;
use crate::render_pass::{RenderingAttachment, RenderingInfo};
use crate::resource::buffer::Buffer;
use crate::resource::image::{Image, ImageDesc, ImageViewDesc};

pub(super) fn draw(device: &Device, test: &ShaderTest, width: u32, height: u32) -> Result<TestRun> {
    let drawing = &test.drawing;
    let fragment = tested(device, test, Stage::Fragment)?;
    let mut others = drawing.others.iter().map(|o| helping(device, test, o)).collect::<Result<Vec<_>>>()?;
    let has = |stage: Stage| drawing.others.iter().any(|o| o.stage == stage);
    if !has(Stage::Vertex) && !has(Stage::Mesh) {
        others.push(part(device, test, Stage::Vertex, frontend::fullscreen::vertex_words()?, None)?);
    }
    let parts: Vec<&Part> = [&fragment].into_iter().chain(&others).collect();
    let Resources { layout, sets, mut run } = resources(device, test, &parts)?;
    let desc = pipeline(drawing, &layout, fragment, others)?;
    let has_mesh = desc.mesh.is_some();
    let pipeline = device.create_graphics_pipeline(&desc)?;
    let size = (width, height);
    let colors = drawing.targets.iter().map(|target| color(device, drawing, target, size, &mut run));
    let colors = colors.collect::<Result<Vec<_>>>()?;
    let [depth, stencil] = depth_stencil(device, drawing, size, &mut run)?;
    let mut commands = device.create_command_buffer();
    commands
        .begin_rendering(&RenderingInfo {
            area: Rect::of_size(width, height),
            layers: 1,
            colors,
            depth,
            stencil,
            ..RenderingInfo::default()
        })
        .bind_graphics_pipeline(&pipeline)
        .set_size(width, height)
        .push_constants(0, &test.push);
    for (number, set) in sets.iter().enumerate() {
        commands.bind_graphics_set(&layout, number as u32, set);
    }
    match has_mesh {
        true => _ = commands.draw_mesh_tasks(drawing.workgroups),
        false => draw_vertices(device, drawing, &mut commands)?,
    }
    commands.end_rendering().end()?;
    device.queue().run(&commands)?;
    Ok(run)
}

/// Creates the pipeline of these stages.
fn pipeline(
    drawing: &Drawing,
    layout: &PipelineLayout,
    fragment: Part,
    others: Vec<Part>,
) -> Result<GraphicsPipelineDesc> {
    let mut desc = GraphicsPipelineDesc::new(layout, fragment.stage.clone(), Some(fragment.stage));
    desc.vertex = None;
    for part in others {
        let stage = Some(part.stage);
        match part.kind {
            Stage::Vertex => desc.vertex = stage,
            Stage::TessellationControl => desc.tessellation_control = stage,
            Stage::TessellationEvaluation => desc.tessellation_evaluation = stage,
            Stage::Geometry => desc.geometry = stage,
            Stage::Task => desc.task = stage,
            Stage::Mesh => desc.mesh = stage,
            Stage::Fragment
            | Stage::Compute
            | Stage::RayGeneration
            | Stage::Intersection
            | Stage::AnyHit
            | Stage::ClosestHit
            | Stage::Miss
            | Stage::Callable => {}
        }
    }
    desc.fixed = drawing.dynamic.clone();
    desc.state = drawing.state.clone();
    desc.state.color_formats = drawing.targets.iter().map(|t| Some(t.format)).collect();
    desc.state.blend = drawing.targets.iter().map(|t| t.blend).collect();
    desc.state.samples = drawing.samples;
    if let Some(before) = &drawing.depth_stencil {
        desc.state.depth_format = before.format.plane(Aspects::DEPTH).map(|_| before.format);
        desc.state.stencil_format = before.format.plane(Aspects::STENCIL).map(|_| before.format);
    }
    for (binding, vertices) in (0..).zip(&drawing.vertex_buffers) {
        desc.state.vertex_bindings.push(VertexBinding {
            binding,
            stride: vertices.stride,
            rate: vertices.rate,
        });
        let attributes = vertices.attributes.iter().map(|&(location, format, offset)| VertexAttribute {
            location,
            binding,
            format,
            offset,
        });
        desc.state.vertex_attributes.extend(attributes);
    }
    Ok(desc)
}

/// Creates an image of the drawn size and sample count, and one to resolve the samples to.
fn images(
    device: &Device,
    format: Format,
    (width, height): (u32, u32),
    usage: ImageUsage,
    samples: u32,
) -> Result<(Image, Option<Image>)> {
    let desc = ImageDesc::new_2d(format, width, height, usage | ImageUsage::TRANSFER_SRC);
    let image = device.create_bound_image(desc)?;
    match samples > 1 {
        true => Ok((device.create_bound_image(ImageDesc { samples, ..desc })?, Some(image))),
        false => Ok((image, None)),
    }
}

/// Creates a colour attachment; its contents after the draw go to the run.
fn color(
    device: &Device,
    drawing: &Drawing,
    target: &Target,
    size: (u32, u32),
    run: &mut TestRun,
) -> Result<Option<RenderingAttachment>> {
    let format = target.format;
    let (image, resolved) = images(device, format, size, ImageUsage::COLOR_ATTACHMENT, drawing.samples)?;
    let clear = match format.info().numeric {
        Numeric::Uint => target.clear.map(|c| c as u32),
        Numeric::Sint => target.clear.map(|c| c as i32 as u32),
        _ => target.clear.map(f32::to_bits),
    };
    let whole = |image: &Image| device.create_image_view(image, ImageViewDesc::new_2d(format));
    let mut attachment = RenderingAttachment::load(&whole(&image)?);
    attachment.load = LoadOp::Clear(clear);
    if let Some(resolved) = &resolved {
        attachment.resolve = Some(whole(resolved)?);
        if format.is_integer() {
            attachment.resolve_mode = ResolveMode::SampleZero;
        }
    }
    run.targets.push(resolved.unwrap_or(image));
    Ok(Some(attachment))
}

/// Creates the depth and stencil attachments, which are aspects of one image.
fn depth_stencil(
    device: &Device,
    drawing: &Drawing,
    size: (u32, u32),
    run: &mut TestRun,
) -> Result<[Option<RenderingAttachment>; 2]> {
    let Some(before) = &drawing.depth_stencil else { return Ok([None, None]) };
    let (format, aspects) = (before.format, before.format.aspects());
    ensure(format.is_depth_stencil(), || format!("{} is not a depth or stencil format", format.info().name))?;
    let (image, resolved) =
        images(device, format, size, ImageUsage::DEPTH_STENCIL_ATTACHMENT, drawing.samples)?;
    let whole = |image: &Image| {
        device.create_image_view(image, ImageViewDesc { aspect: aspects, ..ImageViewDesc::new_2d(format) })
    };
    let view = whole(&image)?;
    let resolve = resolved.as_ref().map(whole).transpose()?;
    let with = |attachment: RenderingAttachment| RenderingAttachment {
        resolve: resolve.clone(),
        resolve_mode: ResolveMode::SampleZero,
        ..attachment
    };
    let depth = aspects.contains(Aspects::DEPTH);
    let depth = depth.then(|| with(RenderingAttachment::clear_depth(&view, before.depth)));
    let stencil = aspects.contains(Aspects::STENCIL);
    let stencil = stencil.then(|| with(RenderingAttachment::clear_stencil(&view, before.stencil)));
    run.depth_stencil = Some(resolved.unwrap_or(image));
    Ok([depth, stencil])
}

/// Binds the vertex and index buffers and records the draw.
fn draw_vertices(device: &Device, drawing: &Drawing, commands: &mut CommandBuffer) -> Result<()> {
    let buffers = drawing.vertex_buffers.iter();
    let buffers = buffers.map(|v| device.create_buffer_with(&v.bytes, BufferUsage::VERTEX));
    let buffers: Vec<Buffer> = buffers.collect::<Result<_>>()?;
    if !buffers.is_empty() {
        let bound: Vec<(&Buffer, u64)> = buffers.iter().map(|b| (b, 0)).collect();
        commands.bind_vertex_buffers(0, &bound);
    }
    let Some((bytes, size)) = &drawing.indices else {
        let whole = |v: &super::TestVertices| (v.bytes.len() as u64).checked_div(v.stride.into());
        let per_vertex = drawing.vertex_buffers.iter().filter(|v| v.rate == VertexRate::Vertex);
        let there = per_vertex.filter_map(whole).min().map(|n| n as u32);
        commands.draw(drawing.vertices.or(there).unwrap_or(3), drawing.instances, 0, 0);
        return Ok(());
    };
    let ty = match size {
        1 => IndexType::U8,
        2 => IndexType::U16,
        4 => IndexType::U32,
        _ => return Err(Error::invalid(format!("indices of {size} bytes: they have 1, 2 or 4"))),
    };
    let there = (bytes.len() / size) as u32;
    let buffer = device.create_buffer_with(bytes, BufferUsage::INDEX)?;
    commands.bind_index_buffer(&buffer, 0, ty);
    commands.draw_indexed(drawing.vertices.unwrap_or(there), drawing.instances, 0, 0, 0);
    Ok(())
}
