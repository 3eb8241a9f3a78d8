//! Render passes and framebuffers, in which a scope may be recorded.

use quadrille::*;

use super::record::Recorder;
use super::{Target, World};

impl World<'_> {
    /// Creates the render pass and the framebuffer of a target anew.
    pub(super) fn make_pass(&mut self) {
        let Some(i) = self.index(self.targets.len()) else { return };
        let target = self.targets[i].clone();
        let seen: Vec<_> = target.colors.iter().chain(&target.resolve).chain(&target.depth).collect();
        let loads = [AttachmentLoad::Load, AttachmentLoad::Clear, AttachmentLoad::DontCare];
        let mut attachment = |format: Format, samples: u32| AttachmentDesc {
            format,
            samples,
            load: *self.r.pick(&loads),
            stencil_load: *self.r.pick(&loads),
        };
        let attachments = seen.iter().map(|s| attachment(s.image.format(), s.image.desc().samples)).collect();
        let n = target.colors.len() as u32;
        let first = |i: u32| (i == 0).then_some(n);
        let resolves = target.resolve.as_ref().map_or(Vec::new(), |_| (0..n).map(first).collect());
        let depth = n + u32::from(target.resolve.is_some());
        let subpass = SubpassDesc {
            colors: (0..n).map(|i| Some(self.num32(i))).collect(),
            resolves,
            depth_stencil: target.depth.as_ref().map(|_| depth),
            ..SubpassDesc::default()
        };
        let desc = RenderPassDesc { attachments, subpasses: vec![subpass], ..RenderPassDesc::default() };
        let pass = self.device().create_render_pass(&desc);
        let Some(pass) = self.judge("create_render_pass", pass) else { return };
        let [width, height] = target.size.map(|v| self.num32(v));
        let views = seen.iter().map(|s| s.view.clone()).collect();
        let desc = FramebufferDesc { views, width, height, layers: 1 };
        let framebuffer = self.device().create_framebuffer(&desc);
        let Some(framebuffer) = self.judge("create_framebuffer", framebuffer) else { return };
        self.targets[i].pass = Some((pass, framebuffer));
    }
}

impl Recorder<'_, '_> {
    /// Begins the render pass of a target, if it has one. Returns `false` if a scope must be begun without it.
    pub(super) fn begin_pass(&mut self, target: &Target) -> bool {
        let Some((render_pass, framebuffer)) = target.pass.clone().filter(|_| self.r.one_in(2)) else {
            return false;
        };
        let color = [(); 4].map(|()| (self.r.below(100) as f32 / 90.0).to_bits());
        let mut clears = vec![color; target.colors.len() + usize::from(target.resolve.is_some())];
        clears.push([0.75f32.to_bits(), 7, 0, 0]);
        let area = self.area(target);
        let begin = BeginRenderPass { render_pass, framebuffer, views: Vec::new(), area, clears };
        self.c.begin_render_pass(&begin);
        self.did("begin_render_pass");
        true
    }
}
