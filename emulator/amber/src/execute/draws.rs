//! Executes clears, draws and dispatches.

use quadrille::{
    Aspects, BindPoint, BufferUsage, ClearAttachment, ClearRect, CommandBuffer, Format, IndexType, Rect,
    RenderingAttachment, RenderingInfo, Topology, VertexAttribute, VertexBinding, VertexRate,
};

use super::pipelines::{Vertices, view_desc};
use super::{Run, Step, Stop, fail};
use crate::script::model::{Draw, PipelineId, State};

/// Parameters of a draw command.
struct Call {
    topology: Topology,
    indexed: bool,
    /// First vertex, or the vertex offset of an indexed draw.
    first: u32,
    count: u32,
    first_instance: u32,
    instances: u32,
}

impl Run<'_> {
    pub(super) fn compute(&mut self, id: PipelineId, groups: [u32; 3]) -> Step {
        let resources = self.resources(id)?;
        let pipeline = self.compute_pipeline(id, &resources.layout)?;
        let mut commands = self.device.create_command_buffer();
        commands.bind_compute_pipeline(&pipeline);
        resources.bind(&mut commands, BindPoint::Compute);
        commands.dispatch(groups[0], groups[1], groups[2]);
        commands.end()?;
        self.submit(&commands)
    }

    /// Describes the rendering to the attachments of a pipeline.
    fn rendering(&mut self, id: PipelineId) -> Step<RenderingInfo> {
        let model = &self.script.model;
        let pipeline = &model.pipelines[id.0];
        let [width, height] = pipeline.size;
        let mut info =
            RenderingInfo { area: Rect::of_size(width, height), layers: 1, ..RenderingInfo::default() };
        let mut resolves = pipeline.resolves.iter();
        for color in &pipeline.colors {
            if color.location >= quadrille::LIMITS.max_color_attachments {
                return Err(Stop::Skip(format!("needs a colour attachment {}", color.location)));
            }
            let image = self.stores.image(color.buffer, true)?;
            let view = self.device.create_image_view(&image, view_desc(&image, color.level, 1))?;
            let mut attachment = RenderingAttachment::load(&view);
            if image.desc().samples > 1
                && let Some(target) = resolves.next()
            {
                let image = self.stores.image(*target, true)?;
                attachment.resolve = Some(self.device.create_image_view(&image, view_desc(&image, 0, 1))?);
            }
            let at = color.location as usize;
            info.colors.resize(info.colors.len().max(at + 1), None);
            info.colors[at] = Some(attachment);
        }
        if let Some(id) = pipeline.depth_stencil {
            let image = self.stores.image(id, true)?;
            let aspects = image.format().aspects();
            let mut desc = view_desc(&image, 0, 1);
            desc.aspect = aspects;
            let view = self.device.create_image_view(&image, desc)?;
            let attachment = |aspect| aspects.contains(aspect).then(|| RenderingAttachment::load(&view));
            info.depth = attachment(Aspects::DEPTH);
            info.stencil = attachment(Aspects::STENCIL);
        }
        Ok(info)
    }

    pub(super) fn clear(&mut self, id: PipelineId) -> Step {
        let info = self.rendering(id)?;
        let current = &self.pipelines[id.0];
        let mut list = Vec::new();
        for (i, attachment) in (0..).zip(&info.colors) {
            let Some(attachment) = attachment else { continue };
            list.push(ClearAttachment::Color(
                i,
                color_bits(current.clear_color, attachment.view.image().format()),
            ));
        }
        list.extend(info.depth.as_ref().map(|_| ClearAttachment::Depth(current.clear_depth)));
        list.extend(info.stencil.as_ref().map(|_| ClearAttachment::Stencil(current.clear_stencil)));
        let rect = ClearRect { rect: info.area, base_layer: 0, layers: 1 };
        let mut commands = self.device.create_command_buffer();
        commands.begin_rendering(&info).clear_attachments(&list, &[rect]).end_rendering();
        commands.end()?;
        self.submit(&commands)
    }

    pub(super) fn draw(&mut self, id: PipelineId, state: &State, draw: &Draw) -> Step {
        let (vertices, call) = self.vertices(id, draw)?;
        let resources = self.resources(id)?;
        let info = self.rendering(id)?;
        let pipeline = self.graphics_pipeline(id, &resources.layout, state, call.topology, &vertices)?;
        let mut commands = self.device.create_command_buffer();
        commands.begin_rendering(&info).bind_graphics_pipeline(&pipeline);
        resources.bind(&mut commands, BindPoint::Graphics);
        let buffers: Vec<_> = vertices.buffers.iter().map(|b| (b, 0)).collect();
        if !buffers.is_empty() {
            commands.bind_vertex_buffers(0, &buffers);
        }
        if call.indexed {
            self.indexed(id, &mut commands, &call)?;
        } else {
            commands.draw(call.count, call.instances, call.first, call.first_instance);
        }
        commands.end_rendering();
        commands.end()?;
        self.submit(&commands)
    }

    fn indexed(&mut self, id: PipelineId, commands: &mut CommandBuffer, call: &Call) -> Step {
        let Some(indices) = self.pipeline(id).indices else { return fail("the pipeline has no indices") };
        let ty = match self.script.model.buffers[indices.0].layout.format() {
            Some(Format::R8_UINT | Format::R8_SINT) => IndexType::U8,
            Some(Format::R16_UINT | Format::R16_SINT) => IndexType::U16,
            Some(Format::R32_UINT | Format::R32_SINT) => IndexType::U32,
            _ => return fail("indices are integers of 8, 16 or 32 bits"),
        };
        let buffer = self.stores.buffer(indices, false)?;
        commands.bind_index_buffer(&buffer, 0, ty);
        let offset = i32::try_from(call.first).or_else(|_| fail("the first vertex is too far away"))?;
        commands.draw_indexed(call.count, call.instances, 0, offset, call.first_instance);
        Ok(())
    }

    fn vertices(&mut self, id: PipelineId, draw: &Draw) -> Step<(Vertices, Call)> {
        let size = self.pipeline(id).size.map(|s| s as f32);
        // Converts pixels to normalized device coordinates.
        let in_volume = |[x, y, w, h]: [f32; 4]| {
            [x / size[0] * 2.0 - 1.0, y / size[1] * 2.0 - 1.0, w / size[0] * 2.0, h / size[1] * 2.0]
        };
        match *draw {
            Draw::Array { topology, indexed, first, count, first_instance, instances } => {
                let count = self.count(id, indexed, first, count)?;
                let call = Call { topology, indexed, first, count, first_instance, instances };
                Ok((self.declared_vertices(id)?, call))
            }
            Draw::Rect { rect, ortho, patch } => {
                let [x, y, w, h] = if ortho { in_volume(rect) } else { rect };
                let corners = [[x, y + h], [x, y], [x + w, y + h], [x + w, y]];
                let topology = if patch { Topology::PatchList } else { Topology::TriangleStrip };
                self.positions(&corners, topology)
            }
            Draw::Grid { rect, cells: [columns, rows] } => {
                let [x, y, w, h] = in_volume(rect);
                let (cell_w, cell_h) = (w / columns as f32, h / rows as f32);
                let mut corners = Vec::new();
                for row in 0..rows {
                    for column in 0..columns {
                        let at = |c: u32, r: u32| [x + cell_w * c as f32, y + cell_h * r as f32];
                        let (right, below) = (column + 1, row + 1);
                        corners.extend([at(right, below), at(column, below), at(column, row)]);
                        corners.extend([at(right, below), at(column, row), at(right, row)]);
                    }
                }
                self.positions(&corners, Topology::TriangleList)
            }
        }
    }

    /// Returns the number of vertices or indices to draw.
    fn count(&self, id: PipelineId, indexed: bool, first: u32, count: Option<u32>) -> Step<u32> {
        let pipeline = self.pipeline(id);
        let of = if indexed { pipeline.indices } else { pipeline.vertices.first().map(|v| v.buffer) };
        let there = of.map_or(0, |b| self.stores.elements(b));
        match count {
            Some(count) if u64::from(first) + u64::from(count) > u64::from(there) && !indexed => {
                fail(format!("vertices {first}..+{count} are not all in a buffer of {there}"))
            }
            Some(count) => Ok(count),
            None if first > there => fail(format!("vertex {first} is not in a buffer of {there}")),
            None => Ok(there - first),
        }
    }

    /// Returns the vertex data of the pipeline, with one binding per attribute.
    fn declared_vertices(&mut self, id: PipelineId) -> Step<Vertices> {
        let model = &self.script.model;
        let mut all = Vertices { buffers: Vec::new(), bindings: Vec::new(), attributes: Vec::new() };
        for (binding, v) in (0..).zip(&model.pipelines[id.0].vertices) {
            let Some(format) = v.layout.format() else {
                let name = &model.buffers[v.buffer.0].name;
                return fail(format!("the elements of `{name}` are not vertex attributes"));
            };
            all.buffers.push(self.stores.buffer(v.buffer, false)?);
            all.bindings.push(VertexBinding { binding, stride: v.stride, rate: v.rate });
            all.attributes.push(VertexAttribute { location: v.location, binding, format, offset: v.offset });
        }
        Ok(all)
    }

    /// Creates vertex data with positions at location 0, and the draw for them.
    fn positions(&self, positions: &[[f32; 2]], topology: Topology) -> Step<(Vertices, Call)> {
        if positions.is_empty() {
            return fail("nothing is drawn");
        }
        let buffer = self.device.create_buffer_with(positions, BufferUsage::VERTEX)?;
        let format = Format::R32G32_SFLOAT;
        let vertices = Vertices {
            buffers: vec![buffer],
            bindings: vec![VertexBinding { binding: 0, stride: 8, rate: VertexRate::Vertex }],
            attributes: vec![VertexAttribute { location: 0, binding: 0, format, offset: 0 }],
        };
        let count = positions.len() as u32;
        Ok((vertices, Call { topology, indexed: false, first: 0, count, first_instance: 0, instances: 1 }))
    }
}

/// Returns the words of a clear colour: integers for integer formats, otherwise floats.
fn color_bits(color: [f32; 4], format: Format) -> [u32; 4] {
    match format.info().numeric {
        quadrille::Numeric::Uint => color.map(|c| c as u32),
        quadrille::Numeric::Sint => color.map(|c| c as i32 as u32),
        _ => color.map(f32::to_bits),
    }
}
