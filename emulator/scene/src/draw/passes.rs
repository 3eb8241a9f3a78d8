//! The passes in order: shadow maps, opaque surfaces, the background, transmitting surfaces, blended surfaces from back
//! to front, tone mapping.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec4};
use quadrille::{
    BindPoint, CommandBuffer, CullMode, DescriptorSet, Error, FrontFace, ImageCopy, ImageDesc, ImageUsage,
    IndexType, PipelineLayout, Rect, RenderingAttachment, RenderingInfo, Resource, Result, SubresourceLayers,
    ViewDim,
};

use super::camera::View;
use super::features;
use super::geometry::DrawUniform;
use super::gpu::{self, Target};
use super::items::{self, Item};
use super::lights::{self, Placed};
use super::pipelines::{DEPTH, Key};
use super::{MAX_LIGHTS, Renderer};
use crate::frame::{Frame, PlacedCamera};

/// A matrix, padded to the offset alignment of uniforms.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ViewUniform {
    clip_from_world: Mat4,
    rest: [[f32; 16]; 3],
}

/// Descriptor sets that all draws share.
struct Sets {
    view: DescriptorSet,
    light: DescriptorSet,
    /// The light set with the picture that transmitting surfaces show.
    through: DescriptorSet,
}

impl Renderer {
    /// Draws a whole frame into `tone`.
    pub(super) fn draw(
        &mut self,
        frame: &Frame,
        camera: &PlacedCamera,
        background: Option<[f32; 3]>,
    ) -> Result<()> {
        let (width, height) = (self.options.width, self.options.height);
        let view = View::new(camera, width as f32 / height as f32);
        let sky = self.environment.sky.then_some(self.options.environment_intensity);
        let placed = Placed::new(frame, sky, self.options.shadows);
        self.warn(&placed, frame);
        self.place_shadow_maps(placed.shadow_views.len())?;
        self.write_frame(frame, &view, &placed, background)?;
        let items = items::of(self, frame, &view, !placed.lights.is_empty())?;
        let sets = self.sets()?;

        let mut commands = self.device.create_command_buffer();
        for map in 0..placed.shadow_views.len() {
            self.record_shadows(&mut commands, &items, &sets, map as u32)?;
        }
        self.record_picture(&mut commands, &items, &sets)?;
        self.tone.record(&mut commands);
        commands.end()?;
        self.device.queue().run(&commands)
    }

    fn warn(&mut self, placed: &Placed, frame: &Frame) {
        self.warnings.clear();
        if frame.bounds.is_none() {
            self.warnings.push("the scene has no mesh to draw".to_owned());
        }
        let (lights, shadows) = placed.left_out;
        if lights > 0 {
            self.warnings
                .push(format!("{lights} of the lights are left out: at most {MAX_LIGHTS} are supported"));
        }
        if shadows > 0 {
            self.warnings
                .push(format!("{shadows} of the lights cast no shadows: there is no room for their maps"));
        }
    }

    /// Allocates shadow maps of the right size, at least one.
    fn place_shadow_maps(&mut self, maps: usize) -> Result<()> {
        let side = if maps == 0 { 1 } else { lights::map_side(maps) };
        let layers = maps.max(1) as u32;
        let fits = |target: &Target| {
            let desc = target.image.desc();
            desc.layers == layers && desc.extent[0] == side
        };
        if self.shadow_maps.as_ref().is_some_and(fits) {
            return Ok(());
        }
        self.shadow_maps = None;
        let usage = ImageUsage::DEPTH_STENCIL_ATTACHMENT | ImageUsage::SAMPLED;
        let desc = ImageDesc { layers, ..ImageDesc::new_2d(DEPTH, side, side, usage) };
        self.shadow_maps = Some(Target::new(&self.device, desc, ViewDim::D2Array)?);
        Ok(())
    }

    fn write_frame(
        &mut self,
        frame: &Frame,
        view: &View,
        placed: &Placed,
        background: Option<[f32; 3]>,
    ) -> Result<()> {
        let (device, buffers) = (&self.device, &mut self.buffers);
        let matrices = [view.clip_from_world].into_iter().chain(placed.shadow_views.iter().copied());
        let views: Vec<ViewUniform> =
            matrices.map(|clip_from_world| ViewUniform { clip_from_world, rest: [[0.0; 16]; 3] }).collect();
        buffers.views.put(device, &views)?;
        let mut uniform = view.uniform(self.options.width, self.options.height);
        uniform.environment.z = self.options.environment_intensity;
        uniform.environment.w = super::Prepared::LAST_LEVEL as f32;
        uniform.size.z = placed.lights.len() as f32;
        uniform.size.w = (self.backdrop.image.desc().levels - 1) as f32;
        if let Some([r, g, b]) = background {
            uniform.background = Vec4::new(r, g, b, 1.0);
        }
        buffers.frame.put(device, &[uniform])?;
        buffers.joints.put(device, &frame.joints)?;
        let weights: Vec<f32> = frame.draws.iter().flat_map(|d| d.weights.iter().copied()).collect();
        buffers.weights.put(device, &weights)?;
        buffers.lights.put(device, &placed.lights)?;
        buffers.shadow_views.put(device, &placed.shadow_views)?;
        Ok(())
    }

    fn sets(&self) -> Result<Sets> {
        let (device, buffers, pipelines) = (&self.device, &self.buffers, &self.pipelines);
        let view = device.create_descriptor_set(&pipelines.view)?;
        let range = Some(size_of::<ViewUniform>() as u64);
        view.write(0, 0, Resource::Buffer { buffer: &buffers.views.buffer, offset: 0, range })?;
        view.write_buffer(1, &buffers.frame.buffer)?;
        view.write_buffer(2, &buffers.joints.buffer)?;
        view.write_buffer(3, &buffers.weights.buffer)?;
        let shadow_maps =
            self.shadow_maps.as_ref().ok_or_else(|| Error::Internal("no shadow maps".into()))?;
        let light = |backdrop: &Target| -> Result<DescriptorSet> {
            let set = device.create_descriptor_set(&pipelines.light)?;
            let (environment, [smooth, compare, panorama]) = (&self.environment, &self.samplers);
            set.write_buffer(0, &buffers.lights.buffer)?;
            set.write_buffer(1, &buffers.shadow_views.buffer)?;
            set.write(2, 0, Resource::Image(&shadow_maps.view))?;
            set.write(3, 0, Resource::Sampler(compare))?;
            set.write(4, 0, Resource::Image(&environment.specular.view))?;
            set.write(5, 0, Resource::Image(&environment.diffuse.view))?;
            set.write(6, 0, Resource::Image(&environment.sheen.view))?;
            set.write(7, 0, Resource::Image(&environment.table.view))?;
            set.write(8, 0, Resource::Sampler(smooth))?;
            set.write(9, 0, Resource::Image(&backdrop.view))?;
            set.write(10, 0, Resource::Image(&environment.panorama.view))?;
            set.write(11, 0, Resource::Sampler(panorama))?;
            Ok(set)
        };
        // A pass must not read its own target: the opaque pass gets the panorama in place of the backdrop.
        Ok(Sets { view, light: light(&self.environment.panorama)?, through: light(&self.backdrop)? })
    }

    /// Records the shadow map of one view.
    fn record_shadows(
        &mut self,
        commands: &mut CommandBuffer,
        items: &[Item],
        sets: &Sets,
        map: u32,
    ) -> Result<()> {
        let Some(maps) = &self.shadow_maps else { return Ok(()) };
        let side = maps.image.desc().extent[0];
        let target = maps.part(&self.device, ViewDim::D2, 0, map..map + 1)?;
        let info = RenderingInfo {
            area: Rect::of_size(side, side),
            depth: Some(RenderingAttachment::clear_depth(&target, 1.0)),
            ..RenderingInfo::default()
        };
        let layout = self.pipelines.shadow_layout.clone();
        let offset = (1 + map) * size_of::<ViewUniform>() as u32;
        commands.begin_rendering(&info).set_size(side, side).bind_descriptor_sets(
            BindPoint::Graphics,
            &layout,
            0,
            &[&sets.view],
            &[offset],
        );
        for item in items.iter().filter(|i| i.casts()) {
            let part = features::MASK | features::SKINNED | features::MORPHED;
            let primitive = &self.meshes[item.mesh][item.primitive];
            let textures = if item.has(features::MASK) { item.textures & 1 } else { 0 };
            let key = Key::Shadow(item.features & part, textures, primitive.topology);
            commands.bind_graphics_pipeline(&self.pipelines.of(key)?);
            self.record_draw(commands, item, &layout);
        }
        commands.end_rendering();
        Ok(())
    }

    /// Records all passes of the picture.
    fn record_picture(&mut self, commands: &mut CommandBuffer, items: &[Item], sets: &Sets) -> Result<()> {
        let (width, height) = (self.options.width, self.options.height);
        let area = Rect::of_size(width, height);
        let (color, depth) = (self.color.view.clone(), self.depth.view.clone());
        let layout = self.pipelines.layout.clone();
        let through = items.iter().any(|i| i.has(features::TRANSMISSION));
        let multiple = self.options.samples > 1;

        let mut opaque: Vec<&Item> = items.iter().filter(|i| i.is_opaque()).collect();
        opaque.sort_by(|a, b| a.depth.total_cmp(&b.depth));
        let resolve = (through && multiple).then(|| self.backdrop.part(&self.device, ViewDim::D2, 0, 0..1));
        let info = RenderingInfo {
            area,
            colors: vec![Some(RenderingAttachment {
                resolve: resolve.transpose()?,
                ..RenderingAttachment::clear(&color, [0.0; 4])
            })],
            depth: Some(RenderingAttachment::clear_depth(&depth, 0.0)),
            ..RenderingInfo::default()
        };
        commands.begin_rendering(&info).set_size(width, height);
        commands.bind_descriptor_sets(BindPoint::Graphics, &layout, 0, &[&sets.view], &[0]);
        commands.bind_graphics_set(&layout, 3, &sets.light);
        for item in opaque {
            self.record_surface(commands, item, item.cull())?;
        }
        commands.bind_graphics_pipeline(&self.pipelines.of(Key::Background)?).draw(3, 1, 0, 0);
        commands.end_rendering();

        let mut rest: Vec<&Item> = items.iter().filter(|i| !i.is_opaque()).collect();
        if rest.is_empty() {
            return Ok(());
        }
        if through {
            self.record_backdrop(commands, multiple);
        }
        // Transmitting surfaces, which write depth, come first. Within each kind, the farther surface comes first.
        rest.sort_by(|a, b| {
            a.has(features::BLEND).cmp(&b.has(features::BLEND)).then(b.depth.total_cmp(&a.depth))
        });
        let info = RenderingInfo {
            area,
            colors: vec![Some(RenderingAttachment::load(&color))],
            depth: Some(RenderingAttachment::load(&depth)),
            ..RenderingInfo::default()
        };
        commands.begin_rendering(&info).set_size(width, height);
        commands.bind_descriptor_sets(BindPoint::Graphics, &layout, 0, &[&sets.view], &[0]);
        commands.bind_graphics_set(&layout, 3, &sets.through);
        for item in rest {
            if item.double_sided && item.has(features::BLEND) {
                // Back faces first.
                self.record_surface(commands, item, CullMode { front: true, back: false })?;
                self.record_surface(commands, item, CullMode { front: false, back: true })?;
            } else {
                self.record_surface(commands, item, item.cull())?;
            }
        }
        commands.end_rendering();
        Ok(())
    }

    /// Records the picture that transmitting surfaces show; with several samples, its first level is already resolved.
    fn record_backdrop(&self, commands: &mut CommandBuffer, resolved: bool) {
        if !resolved {
            let size = [self.options.width, self.options.height, 1];
            let region = ImageCopy {
                src: SubresourceLayers::COLOR,
                src_offset: [0; 3],
                dst: SubresourceLayers::COLOR,
                dst_offset: [0; 3],
                extent: size,
            };
            commands.copy_image(&self.color.image, &self.backdrop.image, &[region]);
        }
        gpu::record_levels(commands, &self.backdrop.image);
    }

    fn record_surface(&mut self, commands: &mut CommandBuffer, item: &Item, cull: CullMode) -> Result<()> {
        let topology = self.meshes[item.mesh][item.primitive].topology;
        let pipeline = self.pipelines.of(Key::Surface(item.features, item.textures, topology))?;
        let front = if item.mirrored { FrontFace::Clockwise } else { FrontFace::CounterClockwise };
        commands.bind_graphics_pipeline(&pipeline).set_cull_mode(cull).set_front_face(front);
        let layout = self.pipelines.layout.clone();
        self.record_draw(commands, item, &layout);
        Ok(())
    }

    fn record_draw(&self, commands: &mut CommandBuffer, item: &Item, layout: &PipelineLayout) {
        let primitive = &self.meshes[item.mesh][item.primitive];
        let material = &self.materials[primitive.material].set;
        commands.bind_descriptor_sets(
            BindPoint::Graphics,
            layout,
            1,
            &[material, &item.set],
            &[item.uniform * size_of::<DrawUniform>() as u32],
        );
        commands.bind_vertex_buffers(0, &[(&primitive.vertices, 0)]);
        if let Some(indices) = &primitive.indices {
            commands.bind_index_buffer(indices, 0, IndexType::U32).draw_indexed(primitive.count, 1, 0, 0, 0);
        } else {
            commands.draw(primitive.count, 1, 0, 0);
        }
    }
}
