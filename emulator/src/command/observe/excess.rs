//! Excess: reports to the device's watcher the elements that draws and indirect commands use past the end of a buffer
//! or past a limit.

use std::sync::Arc;

use quadrille_check::events::{Event, Exceeds, Excess};
use quadrille_jit::ir::Shader;
use quadrille_raster::pass::Draw;
use quadrille_raster::state::VertexRate;

use super::super::effects::Elements;
use super::super::list::{CommandList, DrawSnapshot, Ref};
use super::Observer;
use crate::observation::watching::Watching;

/// Reports accesses past the end of a buffer or past a limit to the device's watcher.
pub(super) struct Exceeding<'d>(&'d Watching);

impl<'d> Exceeding<'d> {
    pub fn new(watch: &'d Watching) -> Self {
        Exceeding(watch)
    }
}

impl<'l> Observer<'l> for Exceeding<'_> {
    fn draws(&mut self, list: &'l CommandList, snapshot: Ref<DrawSnapshot>, draw: &Draw) {
        tell_draw(self.0, list, snapshot, draw);
    }

    fn exceeds(&mut self, shader: &Arc<Shader>, excess: Excess) {
        tell(self.0, shader, excess);
    }
}

fn tell_draw(watch: &Watching, list: &CommandList, snapshot: Ref<DrawSnapshot>, draw: &Draw) {
    let Some(elements) = Elements::new(list, snapshot, draw) else { return };
    let prepared = &list.prepared[elements.snapshot.prepared];
    let Some(first) = list.graphics[prepared.pipeline].variants().next() else { return };
    let shader = &first.shader;
    if let Some(run) = elements.indices()
        && u64::from(draw.first) + u64::from(draw.count) > run.held
    {
        tell(watch, shader, Excess::Indices { first: draw.first, count: draw.count, held: run.held });
    }
    let Some(vertices @ [least, end]) = elements.vertices() else { return };
    if least == end {
        return;
    }
    let state = elements.desc;
    let slices = list.vertex_buffers(elements.snapshot.vertex_buffers);
    for attribute in state.attributes_read() {
        // An unbound vertex buffer is a null buffer.
        let Some(Some(slice)) = slices.get(attribute.binding as usize) else { continue };
        let binding = state.vertex_bindings.iter().find(|b| b.binding == attribute.binding);
        let Some(binding) = binding else { continue };
        let [first, end] = elements.of(binding, vertices);
        // The element farthest outside of the buffer: the first one if it lies before the buffer, else the last one.
        let element = if first < 0 { u64::from(first as u32) } else { (end - 1) as u64 };
        let within = u64::from(attribute.offset) + u64::from(attribute.format.bytes());
        let end = element.saturating_mul(state.stride(binding).into()).saturating_add(within);
        if end > slice.size {
            let (location, instanced) = (attribute.location, binding.rate != VertexRate::Vertex);
            tell(watch, shader, Excess::Attribute { location, instanced, element, end, size: slice.size });
        }
    }
}

fn tell(watch: &Watching, shader: &Arc<Shader>, what: Excess) {
    watch.tell(&Event::Exceeds(&Exceeds { shader, what }));
}
