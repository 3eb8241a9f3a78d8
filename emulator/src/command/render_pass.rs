//! Recording of render passes and of dynamic rendering.

use std::sync::Arc;

use super::list::{Command, RunsIn};
use super::record::{BeginRenderPass, CommandBuffer};
use super::render;
use crate::error::{Error, Result, ensure};
use crate::flags::ImageUsage;
use crate::limits::{LIMITS, at_most};
use crate::object::same_device;
use crate::pipeline::RendersTo;
use crate::render_pass::RenderingInfo;

impl CommandBuffer {
    /// Begins dynamic rendering.
    pub fn begin_rendering(&mut self, info: &RenderingInfo) -> &mut Self {
        self.step(|c| c.begin_scope(info.clone()))
    }

    fn begin_scope(&mut self, mut info: RenderingInfo) -> Result<()> {
        self.outside("render pass")?;
        self.custom_resolve = info.custom_resolve.take();
        at_most("colour attachments", info.colors.len() as u64, LIMITS.max_color_attachments.into())?;
        info.views().try_for_each(|view| same_device(view, self))?;
        for color in info.colors.iter().flatten() {
            color.view.image().need(ImageUsage::COLOR_ATTACHMENT, "colour attachment")?;
        }
        for attachment in [&info.depth, &info.stencil].into_iter().flatten() {
            let usage = ImageUsage::DEPTH_STENCIL_ATTACHMENT;
            attachment.view.image().need(usage, "depth and stencil attachment")?;
        }
        if let Some(rate) = &info.shading_rate {
            let usage = ImageUsage::FRAGMENT_SHADING_RATE_ATTACHMENT;
            rate.view.image().need(usage, "shading rate attachment")?;
        }
        if let Some(map) = &info.density_map {
            map.view.image().need(ImageUsage::FRAGMENT_DENSITY_MAP, "fragment density map")?;
        }
        self.targets = Some(Box::new(render::check(&info)?));
        self.renders_to = RendersTo { formats: info.formats(), color_locations: Vec::new() };
        self.objects_changed = true;
        self.rendering = true;
        let pixels = u64::from(info.area.width) * u64::from(info.area.height);
        let cost = pixels.saturating_mul(info.colors.len() as u64 + 1) / 8;
        let has_map = info.density_map.is_some();
        let info = self.list.parameters.put(info);
        if has_map {
            self.density_scopes.push(info);
        }
        self.add(cost, Command::BeginRendering(info))
    }

    /// Sets the fragment output location of each colour attachment, for shader objects; a pipeline has its own mapping.
    /// Spec: Vulkan, vkCmdSetRenderingAttachmentLocations.
    pub fn set_rendering_attachment_locations(&mut self, locations: &[Option<u32>]) -> &mut Self {
        self.step(|c| {
            c.renders_to.color_locations = locations.to_vec();
            c.objects_changed = true;
            Ok(())
        })
    }

    /// Ends the scope, and begins its custom resolve: draws write the resolve attachments, and read the attachments of the
    /// scope as input attachments. Spec: Vulkan, vkCmdBeginCustomResolveEXT.
    ///
    /// # Errors
    /// Recording fails if the scope has no custom resolve, or has begun it.
    pub fn begin_custom_resolve(&mut self) -> &mut Self {
        self.step(|c| {
            let info = c.custom_resolve.take();
            let info = info.ok_or_else(|| Error::invalid("custom resolve of a scope that has none"))?;
            c.end_scope()?;
            c.begin_scope(*info)
        })
    }

    /// Ends dynamic rendering.
    pub fn end_rendering(&mut self) -> &mut Self {
        self.end_rendering_with_offsets(&[])
    }

    /// Ends dynamic rendering, and sets the offset in pixels of each layer of its fragment density map, which then holds for
    /// all draws of the scope. Spec: Vulkan, VkRenderPassFragmentDensityMapOffsetEndInfoEXT.
    ///
    /// # Errors
    /// Recording fails if an offset is not a multiple of the granularity, or not 0 where there is no map.
    pub fn end_rendering_with_offsets(&mut self, offsets: &[[i32; 2]]) -> &mut Self {
        self.step(|c| {
            c.move_density_maps(offsets)?;
            c.end_scope()
        })
    }

    /// Sets the offsets of the density maps of all scopes of the render pass.
    fn move_density_maps(&mut self, offsets: &[[i32; 2]]) -> Result<()> {
        let scopes = std::mem::take(&mut self.density_scopes);
        if offsets.iter().flatten().all(|&px| px == 0) {
            return Ok(());
        }
        ensure(!scopes.is_empty(), || "offsets of a render pass without a fragment density map".into())?;
        at_most(
            "offsets of a fragment density map",
            offsets.len() as u64,
            LIMITS.max_image_array_layers.into(),
        )?;
        let granularity = LIMITS.density_offset_granularity;
        let fits = |px: &i32| px.unsigned_abs().is_multiple_of(granularity);
        ensure(offsets.iter().flatten().all(fits), || {
            format!("offsets of a fragment density map that are not multiples of {granularity}: {offsets:?}")
        })?;
        for scope in scopes {
            if let Some(map) = &mut self.list.parameters.get_mut(scope).density_map {
                map.offsets = offsets.to_vec();
            }
        }
        Ok(())
    }

    fn end_scope(&mut self) -> Result<()> {
        self.inside("end of rendering")?;
        ensure(self.list.runs_in == RunsIn::NoScope, || {
            "end of rendering that another command buffer has begun".into()
        })?;
        self.ends_feedback("end of rendering")?;
        self.rendering = false;
        self.targets = None;
        self.add(0, Command::EndRendering)
    }

    /// Begins the first subpass of a render pass.
    pub fn begin_render_pass(&mut self, begin: &BeginRenderPass) -> &mut Self {
        self.step(|c| {
            c.outside("render pass")?;
            same_device(&begin.render_pass, c)?;
            same_device(&begin.framebuffer, c)?;
            begin.views.iter().try_for_each(|view| same_device(view, c))?;
            c.pass = Some((begin.clone(), 0));
            c.order_passes()?;
            c.begin_subpass()
        })
    }

    /// Records a full barrier between subpasses with unknown dependencies, for watchers that check the order of
    /// commands.
    fn order_passes(&mut self) -> Result<()> {
        let known = self.pass.as_ref().is_none_or(|(begin, _)| begin.render_pass.has_order());
        if self.device.is_explicit() && !known { self.add(0, Command::Barrier) } else { Ok(()) }
    }

    fn begin_subpass(&mut self) -> Result<()> {
        let Some((begin, index)) = &self.pass else {
            return Err(Error::invalid("no render pass has begun"));
        };
        let framebuffer = begin.framebuffer.desc();
        let views = if begin.views.is_empty() { &framebuffer.views } else { &begin.views };
        let (pass, index) = (&begin.render_pass, *index);
        let (layers, area, clears) = (framebuffer.layers, begin.area, &begin.clears);
        let loads = pass.loads(index, views, layers, area, clears)?;
        let mut scope = pass.scope(index, views, layers, area, clears)?;
        scope.density_map = pass.density_map(views, [framebuffer.width, framebuffer.height])?;
        let mut order = pass.order(index, views).map(Arc::unwrap_or_clone);
        for mut load in loads {
            render::check(&load)?;
            load.order = order.as_mut().map(|order| Arc::new(order.split()));
            let load = self.list.parameters.put(load);
            self.add(0, Command::BeginRendering(load))?;
            self.add(0, Command::EndRendering)?;
        }
        scope.order = order.map(Arc::new);
        self.begin_scope(scope)
    }

    /// Begins the next subpass.
    pub fn next_subpass(&mut self) -> &mut Self {
        self.step(|c| {
            c.end_scope()?;
            if let Some((_, index)) = &mut c.pass {
                *index += 1;
            }
            c.order_passes()?;
            c.begin_subpass()
        })
    }

    /// Ends the render pass.
    pub fn end_render_pass(&mut self) -> &mut Self {
        self.end_render_pass_with_offsets(&[])
    }

    /// Ends the render pass, and sets the offset in pixels of each layer of its fragment density map, which then holds for
    /// all subpasses: see [`Self::end_rendering_with_offsets`].
    pub fn end_render_pass_with_offsets(&mut self, offsets: &[[i32; 2]]) -> &mut Self {
        self.step(|c| {
            ensure(c.pass.is_some(), || "no render pass has begun".into())?;
            c.move_density_maps(offsets)?;
            c.end_scope()?;
            c.order_passes()?;
            c.pass = None;
            Ok(())
        })
    }
}
