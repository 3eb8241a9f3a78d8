//! Buffers and draw commands of a shape for one vertex shader.

use quadrille_jit::spirv::reflect::{EntryInfo, Variable};

use super::attributes::Attribute;
use super::camera::ClipSpace;
use super::{Camera, GeometryDesc, Mesh, Shape};
use crate::frontend::Origin;
use crate::{
    Buffer, BufferUsage, CommandBuffer, CompareOp, DepthState, Device, Error, Format, FrontFace,
    GraphicsPipelineDesc, ImageDesc, ImageUsage, ImageView, ImageViewDesc, IndexType, Result, Topology,
    VertexAttribute, VertexBinding, VertexRate,
};

/// Format of the depth buffer.
const DEPTH: Format = Format::D32_SFLOAT;

/// A shape that is ready to be drawn.
pub struct Geometry {
    pub camera: Camera,
    pub depth: ImageView,
    pub background: [f32; 4],
    /// Vertex inputs that the mesh has no data for.
    pub warnings: Vec<String>,
    bindings: Vec<VertexBinding>,
    attributes: Vec<VertexAttribute>,
    topology: Topology,
    origin: Origin,
    cull: crate::CullMode,
    /// One buffer per vertex binding.
    buffers: Vec<Buffer>,
    indices: Option<Buffer>,
    count: u32,
}

impl Geometry {
    /// Creates buffers for the inputs of the vertex shader `entry`, and a depth buffer of the picture's size.
    ///
    /// # Errors
    /// `Unsupported` for input types that no attribute has, `Invalid` for a mesh whose indices exceed its vertices.
    pub fn new(
        device: &Device,
        desc: &GeometryDesc<'_>,
        entry: &EntryInfo,
        (width, height): (u32, u32),
        samples: u32,
        origin: Origin,
    ) -> Result<Geometry> {
        let empty = Mesh::default();
        let (mesh, topology) = match desc.shape {
            Shape::Mesh(mesh) => (Some(mesh), mesh.topology),
            Shape::Vertices(_, topology) => (None, topology),
        };
        let n = mesh.map_or(0, |m| m.positions.len());
        if let Some(index) = mesh.and_then(|m| m.indices.iter().find(|i| **i as usize >= n)) {
            return Err(Error::invalid(format!("a mesh of {n} vertices with index {index}")));
        }
        let bounds = mesh.unwrap_or(&empty).bounds();
        let aspect = width as f32 / height as f32;
        let indices = mesh.map(|m| &m.indices).filter(|i| !i.is_empty());
        let image = ImageDesc {
            samples: samples.max(1),
            ..ImageDesc::new_2d(DEPTH, width, height, ImageUsage::DEPTH_STENCIL_ATTACHMENT)
        };
        let depth = device.create_bound_image(image)?;
        let count = match desc.shape {
            Shape::Mesh(mesh) => indices.map_or(mesh.positions.len(), Vec::len),
            Shape::Vertices(count, _) => count as usize,
        };
        // With a lower-left origin the rows are reversed later, so y must have the opposite sign.
        let clip = ClipSpace { y_up: desc.y_up != (origin == Origin::LowerLeft), origin };
        let mut geometry = Geometry {
            camera: Camera::new(bounds, aspect, desc.eye, desc.target, clip),
            origin,
            depth: device.create_image_view(&depth, ImageViewDesc::new_2d(DEPTH))?,
            background: desc.background,
            warnings: Vec::new(),
            bindings: Vec::new(),
            attributes: Vec::new(),
            topology,
            cull: desc.cull,
            buffers: Vec::new(),
            indices: indices.map(|i| device.create_buffer_with(i, BufferUsage::INDEX)).transpose()?,
            count: u32::try_from(count).map_err(|_| Error::Limit("more than 2^32 vertices".into()))?,
        };
        for input in &entry.inputs {
            geometry.input(device, mesh, input)?;
        }
        Ok(geometry)
    }

    /// Creates the buffer for an input.
    fn input(&mut self, device: &Device, mesh: Option<&Mesh>, input: &Variable) -> Result<()> {
        let Some(location) = input.location.filter(|_| input.builtin.is_none()) else { return Ok(()) };
        let what = match input.name.as_str() {
            "" => format!("the vertex input at location {location}"),
            name => format!("the vertex input `{name}` at location {location}"),
        };
        let prefix = input.ty.split("vec").next().unwrap_or_default();
        let is_float = input.ty == "float" || (prefix.is_empty() && input.ty.starts_with("vec"));
        let attribute = Attribute::of(&input.name, location).filter(|_| is_float);
        let found = mesh.zip(attribute).and_then(|(mesh, (attribute, _))| attribute.values(mesh));
        let binding = self.buffers.len() as u32;
        let (buffer, format, stride, rate) = match (found, attribute, &*input.ty) {
            (Some((values, n)), Some((attribute, by_name)), _) => {
                if !by_name {
                    self.warnings
                        .push(format!("{what} gets the mesh's {}, by its location", attribute.name()));
                }
                let format =
                    [Format::R32G32_SFLOAT, Format::R32G32B32_SFLOAT, Format::R32G32B32A32_SFLOAT][n - 2];
                let buffer = device.create_buffer_with(&values, BufferUsage::VERTEX)?;
                (buffer, format, 4 * n as u32, VertexRate::Vertex)
            }
            (_, attribute, ty) => {
                let format = match (is_float, prefix, ty) {
                    (true, ..) => Format::R32G32B32A32_SFLOAT,
                    (_, "i", _) | (_, _, "int") => Format::R32G32B32A32_SINT,
                    (_, "u", _) | (_, _, "uint") => Format::R32G32B32A32_UINT,
                    _ => return Err(Error::unsupported(format!("{what} of type {ty}"))),
                };
                let value = attribute.map_or([0.0; 4], |(a, _)| a.default());
                let is_white = attribute.is_some_and(|(a, _)| a == Attribute::Color);
                let gets = if is_white { "white" } else { "0" };
                self.warnings.push(match attribute.filter(|_| mesh.is_some()) {
                    Some((a, _)) => format!("{what} gets {gets}: the mesh has no {}", a.name()),
                    None if mesh.is_some() => format!("{what} gets 0: meshes have no such attribute"),
                    None => format!("{what} gets {gets}: there is no mesh"),
                });
                let bits = value.map(|x| if is_float { x.to_bits() } else { 0 });
                let buffer = device.create_buffer_with(&bits, BufferUsage::VERTEX)?;
                (buffer, format, 0, VertexRate::Instance(0))
            }
        };
        self.buffers.push(buffer);
        self.bindings.push(VertexBinding { binding, stride, rate });
        self.attributes.push(VertexAttribute { location, binding, format, offset: 0 });
        Ok(())
    }

    /// Sets the state of a pipeline that draws the shape.
    pub fn describe(&self, pipeline: &mut GraphicsPipelineDesc) {
        pipeline.state.vertex_bindings = self.bindings.clone();
        pipeline.state.vertex_attributes = self.attributes.clone();
        pipeline.state.topology = self.topology;
        pipeline.state.cull = self.cull;
        if self.origin == Origin::LowerLeft {
            // OpenGL's winding in the framebuffer, whose rows are those of the picture in reverse order.
            pipeline.state.front_face = FrontFace::Clockwise;
            pipeline.state.negative_one_to_one = true;
            pipeline.state.provoking_last = true;
        }
        pipeline.state.depth_format = Some(DEPTH);
        pipeline.state.depth =
            DepthState { test: true, write: true, compare: CompareOp::LessOrEqual, bounds: false };
    }

    /// Records the draw command.
    pub fn draw(&self, commands: &mut CommandBuffer) {
        let buffers: Vec<(&Buffer, u64)> = self.buffers.iter().map(|b| (b, 0)).collect();
        if !buffers.is_empty() {
            commands.bind_vertex_buffers(0, &buffers);
        }
        match &self.indices {
            Some(indices) => {
                commands.bind_index_buffer(indices, 0, IndexType::U32).draw_indexed(self.count, 1, 0, 0, 0)
            }
            None => commands.draw(self.count, 1, 0, 0),
        };
    }
}
