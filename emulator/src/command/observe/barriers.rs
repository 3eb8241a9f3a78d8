//! Barriers, events and the edges of render passes: reports them to watchers that check the order of commands.

use quadrille_check::events::{Block, Dependency, Event, First, Order, Second, Transition};
use quadrille_jit::interp::watch::Range;
use quadrille_raster::format::Aspects;

use super::super::list::Ref;
use super::super::note::{NotedBarrier, NotedLayout, NotedOf};
use super::tell::Tell;
use crate::image_layouts::{self, LayoutChange, subresources};
use crate::object::Shared;
use crate::render_pass::RenderingInfo;
use crate::render_pass::order::{AttachmentLayout, Edge, ScopeOrder};
use crate::resource::copies::SubresourceRange;
use crate::resource::image::{Image, ImageView};
use crate::sync;

/// Memory ranges of the texels of image subresources.
fn bytes_of(image: &Image, of: &SubresourceRange) -> Vec<Range> {
    let mut out: Vec<Range> = Vec::new();
    for Range { base, size } in subresources(image, of) {
        match out.last_mut() {
            Some(last) if last.base + last.size == base => last.size += size,
            _ => out.push(Range { base, size }),
        }
    }
    out
}

/// Memory ranges of the texels that a barrier covers. `None`, which counts as all memory, for multi-planar formats and
/// for images without memory.
fn texels(image: &Image, of: &SubresourceRange) -> Option<Vec<Range>> {
    let known = bytes_of(image, of);
    (!known.is_empty()).then_some(known)
}

/// Reports the barriers of a command.
pub(super) fn barriers(to: &Tell<'_>, barriers: &[NotedBarrier]) {
    let (mut dependencies, mut transitions, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    for (number, b) in barriers.iter().enumerate() {
        let of = match &b.of {
            NotedOf::Memory => None,
            NotedOf::Buffer { buffer, offset, size } => {
                let buffer = &to.list.buffers[*buffer];
                let size = (*size).min(buffer.size().saturating_sub(*offset));
                let range = |base: u64| vec![Range { base: base.saturating_add(*offset), size }];
                buffer.address().ok().map(range)
            }
            NotedOf::Image { image, range, layouts: [old, new] } => {
                let image = &to.list.images[*image];
                let texels = texels(image, range);
                if old != new {
                    let what = to.name(image);
                    let change = LayoutChange::Becomes(*old, *new);
                    // Events that are waited for together have the same barriers each.
                    let told = image_layouts::told(image, range, change, what.clone());
                    if !changed.contains(&told) {
                        changed.push(told);
                    }
                    let changed = |bytes: &Range| Transition {
                        block: Block::bytes_of(*bytes),
                        what: what.clone(),
                        of: [number].into(),
                    };
                    transitions.extend(texels.iter().flatten().map(changed));
                }
                texels
            }
        };
        let first = b.event.map_or(First::Here, |event| First::Event(number_of(&to.list.events[event])));
        dependencies.push(Dependency {
            first,
            src_stages: b.dependency.src_stages,
            src_access: b.dependency.src_access,
            second: Second::Here,
            dst_stages: b.dependency.dst_stages,
            dst_access: b.dependency.dst_access,
            of: of.map(Vec::into_boxed_slice),
        });
    }
    let order = Order::Barrier { dependencies: &dependencies, transitions: &transitions };
    to.watch.tell(&Event::Order(order));
    if !changed.is_empty() {
        to.watch.tell(&Event::Layouts { of: &changed, by_host: false });
    }
}

/// Tells which layouts images have to be in for the command that comes.
pub(super) fn layouts(to: &Tell<'_>, uses: &[NotedLayout]) {
    let told = |u: &NotedLayout| {
        let image = &to.list.images[u.image];
        image_layouts::told(image, &u.range, u.change, to.name(image))
    };
    let of: Vec<_> = uses.iter().map(told).collect();
    to.watch.tell(&Event::Layouts { of: &of, by_host: false });
}

/// Reports the dependencies at the beginning or the end of a scope.
fn edge(to: &Tell<'_>, edge: &Edge) {
    let told = |l: &AttachmentLayout| {
        let image = l.view.image();
        image_layouts::told(image, &range_of(&l.view, l.aspects), l.change, to.name(image))
    };
    if !edge.layouts.is_empty() {
        let of: Vec<_> = edge.layouts.iter().map(told).collect();
        to.watch.tell(&Event::Layouts { of: &of, by_host: false });
    }
    if edge.dependencies.is_empty() && edge.transitions.is_empty() {
        return;
    }
    let changed = |(view, of): &(ImageView, Box<[usize]>)| -> Vec<Transition> {
        let image = view.image();
        let what = to.name(image);
        let part =
            |bytes: &Range| Transition { block: Block::bytes_of(*bytes), what: what.clone(), of: of.clone() };
        bytes_of(image, &range_of(view, image.format().aspects())).iter().map(part).collect()
    };
    let transitions: Vec<_> = edge.transitions.iter().flat_map(changed).collect();
    let order = Order::Barrier { dependencies: &edge.dependencies, transitions: &transitions };
    to.watch.tell(&Event::Order(order));
}

/// Subresources of the image that a view shows.
fn range_of(view: &ImageView, aspects: Aspects) -> SubresourceRange {
    let desc = view.desc();
    let (base_layer, layers) = (desc.base_layer, desc.layers);
    SubresourceRange { aspects, base_level: desc.base_level, levels: 1, base_layer, layers }
}

fn number_of(event: &sync::Event) -> u64 {
    event.address() as u64
}

/// Reports that an event is set after these stages of earlier commands.
pub(super) fn set_event(to: &Tell<'_>, event: Ref<sync::Event>, stages: u64) {
    let event = number_of(&to.list.events[event]);
    to.watch.tell(&Event::Order(Order::SetEvent { event, stages }));
}

/// Reports that an event is reset.
pub(super) fn reset_event(to: &Tell<'_>, event: Ref<sync::Event>) {
    to.watch.tell(&Event::Order(Order::ResetEvent(number_of(&to.list.events[event]))));
}

/// Reports a full barrier, which orders all commands.
pub(super) fn full(to: &Tell<'_>) {
    let order = Order::Barrier { dependencies: &[Dependency::FULL], transitions: &[] };
    to.watch.tell(&Event::Order(order));
}

/// Reports the beginning of a scope, before its load operations.
pub(super) fn begin_scope(to: &Tell<'_>, info: &RenderingInfo) {
    let plain = ScopeOrder::default();
    let order = info.order.as_deref().unwrap_or(&plain);
    let told = |order| to.watch.tell(&Event::Order(order));
    if order.bounds[0] {
        told(Order::BeginPass { resumes: info.resuming });
    }
    told(Order::Subpass(order.subpass));
    edge(to, &order.edges[0]);
}

/// Reports the end of a scope, after its store operations.
pub(super) fn end_scope(to: &Tell<'_>, info: &RenderingInfo) {
    let plain = ScopeOrder::default();
    let order = info.order.as_deref().unwrap_or(&plain);
    edge(to, &order.edges[1]);
    if order.bounds[1] {
        to.watch.tell(&Event::Order(Order::EndPass { suspends: order.suspends }));
    }
}
