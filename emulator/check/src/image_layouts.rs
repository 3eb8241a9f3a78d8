//! Compares the current layouts of image subresources with those that commands, attachments and descriptors declare.
//!
//! Only devices whose programs declare layouts report them. The address of the first byte identifies a subresource. A
//! subresource whose layout was never reported is not checked.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::events::{Event, LayoutChange, LayoutOf};
use quadrille_jit::abi::ImageArgs;
use quadrille_jit::interp::watch::{Bound, Texels, View, lanes};
use quadrille_jit::ir::Inst;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::flags;
use crate::kind::Kind;
use crate::memory::{Memory, Written, key};
use crate::pending::Pending;
use crate::place;
use crate::report::{Frame, Report};
use crate::session::Session;

/// VK_IMAGE_LAYOUT_UNDEFINED.
const UNDEFINED: i32 = 0;

/// Known layouts of a device.
#[derive(Debug, Default)]
pub struct ImageLayouts(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Current layout by subresource.
    layouts: BTreeMap<u64, i32>,
    /// Declared layouts of image descriptors, by the address of the descriptor.
    descriptors: FxHashMap<u64, i32>,
    /// Name and place of the latest command.
    command: (String, String),
}

/// Returns the layouts of colour, depth and stencil that a layout stands for: a layout for two aspects is split into
/// those of the single aspects. Spec: Vulkan, "Image Layout Matching Rules".
fn forms(layout: i32) -> [i32; 3] {
    const SHADER_READ: i32 = 5;
    const COLOR: i32 = 2;
    let [depth, depth_read, stencil, stencil_read] =
        [1_000_241_000, 1_000_241_001, 1_000_241_002, 1_000_241_003];
    match layout {
        3 => [layout, depth, stencil],
        4 => [layout, depth_read, stencil_read],
        1_000_117_000 => [layout, depth_read, stencil],
        1_000_117_001 => [layout, depth, stencil_read],
        1_000_314_000 => [SHADER_READ, depth_read, stencil_read],
        1_000_314_001 => [COLOR, depth, stencil],
        _ => [layout; 3],
    }
}

/// Returns `true` if two layouts match for some aspect.
fn matches(a: i32, b: i32) -> bool {
    forms(a).iter().zip(forms(b)).any(|(a, b)| *a == b)
}

impl Known {
    /// Returns the layout of a subresource if it does not match the declared one.
    fn wrong(&self, part: u64, says: i32) -> Option<i32> {
        self.layouts.get(&part).copied().filter(|&is| !matches(is, says))
    }

    /// Applies a layout change or use. Returns the declared and the actual layout of the first mismatch.
    fn change(&mut self, of: &LayoutOf) -> Option<(i32, i32)> {
        let mut wrong = None;
        for &part in &of.parts {
            let (says, becomes) = match of.change {
                LayoutChange::Begins(new) => (None, Some(new)),
                LayoutChange::Is(says) => (Some(says), None),
                LayoutChange::Becomes(UNDEFINED, new) => (None, Some(new)),
                LayoutChange::Becomes(old, new) => (Some(old), Some(new)),
                LayoutChange::Unknown => {
                    self.layouts.remove(&part);
                    continue;
                }
            };
            let found = says.and_then(|says| Some((says, self.wrong(part, says)?)));
            wrong = wrong.or(found);
            // Assume the declared layout from here on, so that each mistake is reported once.
            if let Some(new) = becomes.or(found.map(|_| says.unwrap_or(UNDEFINED))) {
                self.layouts.insert(part, new);
            }
        }
        wrong
    }
}

impl ImageLayouts {
    /// Handles an event of the device.
    pub fn told(&self, session: &Session, event: &Event<'_>) {
        match *event {
            Event::Command { name, place } => self.write().command = (name.to_owned(), place.to_owned()),
            Event::Layouts { of, by_host } => {
                let mut known = self.write();
                for of in of {
                    if let Some((says, is)) = known.change(of) {
                        report(session, &known, (of, by_host), says, is);
                    }
                }
            }
            Event::DescriptorLayout { place, layout } => {
                let descriptors = &mut self.write().descriptors;
                match layout {
                    Some(layout) => descriptors.insert(place, layout),
                    None => descriptors.remove(&place),
                };
            }
            Event::DescriptorCopied { from, to } => {
                let descriptors = &mut self.write().descriptors;
                match descriptors.get(&from).copied() {
                    Some(layout) => descriptors.insert(to, layout),
                    None => descriptors.remove(&to),
                };
            }
            Event::Gone(range) => {
                let layouts = &mut self.write().layouts;
                let end = range.base.saturating_add(range.size);
                let gone: Vec<u64> = layouts.range(range.base..end).map(|(&part, _)| part).collect();
                for part in gone {
                    layouts.remove(&part);
                }
            }
            Event::Fresh(_)
            | Event::Written(_)
            | Event::Limited(..)
            | Event::Copied { .. }
            | Event::Shown { .. }
            | Event::Hidden { .. }
            | Event::Sampler { .. }
            | Event::Loads { .. }
            | Event::Destroyed { .. }
            | Event::Unwritten { .. }
            | Event::Begins { .. }
            | Event::Accessed(_)
            | Event::Order(_)
            | Event::Runs(_)
            | Event::Exceeds(_)
            | Event::Structure { .. }
            | Event::BadRecord(_) => {}
        }
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Known> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the layout that the descriptor at an address declares and the actual layout of its image, if these do
    /// not match.
    fn wrong(&self, place: u64, texels: &Texels) -> Option<(i32, i32)> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if known.layouts.is_empty() {
            return None;
        }
        let &says = known.descriptors.get(&place)?;
        texels.parts().find_map(|part| Some((says, known.wrong(part.base, says)?)))
    }

    /// Returns `true` if a bound image is not in the layout that its descriptor declares.
    pub fn wrongly(&self, written: &Written, bound: &[Bound]) -> bool {
        bound.iter().any(|bound| match *bound {
            Bound::Image { record, place, .. } => {
                written.view(record).is_some_and(|texels| self.wrong(place, &texels).is_some())
            }
            Bound::Buffer(_) | Bound::Sampler { .. } => false,
        })
    }
}

fn report(session: &Session, known: &Known, (of, by_host): (&LayoutOf, bool), says: i32, is: i32) {
    let (name, place) = &known.command;
    let (name, by) = match by_host {
        true => ("host", "the host".to_owned()),
        false => (name.as_str(), format!("`{name}` ({place})")),
    };
    let what = if of.what.is_empty() { "an image" } else { &*of.what };
    let (says, is) = (flags::layout(says), flags::layout(is));
    let message = format!("{what} has to be in {says} for {by}, and is in {is}");
    let at = Frame { instruction: Some(name.to_owned()), ..Frame::default() };
    session.reports.add(Report::new(Kind::WrongLayout, message).at(at).about(what));
}

/// Checks the layouts of images that a call accesses.
pub struct Used {
    pending: Pending,
    layouts: Arc<ImageLayouts>,
    /// Descriptors and views that were found correct; layouts do not change during a call.
    right: FxHashSet<(u64, u64)>,
}

impl Used {
    /// Creates the check for a call.
    pub fn new(pending: Pending, layouts: &Arc<ImageLayouts>) -> Used {
        Used { pending, layouts: layouts.clone(), right: FxHashSet::default() }
    }

    /// Checks an instruction's access to an image; `memory` resolves the view.
    pub fn image(&mut self, memory: &mut Memory, at: &View<'_>, inst: &Inst, args: &ImageArgs) {
        let Some(&handle) = inst.args.first() else { return };
        let record = args.view.addr() as u64;
        for lane in lanes(args.mask & !at.helpers()) {
            let Some((set, binding, index)) = memory.names().binding(handle, at, lane) else { return };
            let Some(place) = at.descriptor_place(set, binding, index) else { return };
            if self.right.contains(&(place, record)) {
                continue;
            }
            let wrong = memory.texels(record).and_then(|texels| self.layouts.wrong(place, &texels));
            let Some((says, is)) = wrong else {
                self.right.insert((place, record));
                continue;
            };
            let what = memory.names().resource("image", handle, at, lane);
            let key = key(at, inst, Some(&what), Kind::WrongLayout);
            self.pending.add(at, lane, key, || {
                let (says, is) = (flags::layout(says), flags::layout(is));
                let message = format!("{what} has to be in {says}, as its descriptor says, and is in {is}");
                place::report_op(at, inst, Kind::WrongLayout, message).about(what.trim_matches('`'))
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_match_by_aspect() {
        let (depth_stencil, depth, read_only, shader_read, general) = (3, 1_000_241_000, 1_000_314_000, 5, 1);
        assert!(matches(depth_stencil, depth) && matches(read_only, shader_read) && matches(read_only, 4));
        assert!(!matches(depth_stencil, 4) && !matches(shader_read, 4) && !matches(general, shader_read));
        assert!(!matches(UNDEFINED, general) && matches(general, general));
    }

    #[test]
    fn layouts_change_and_are_asked_for() {
        let mut known = Known::default();
        let mut change = |change| known.change(&LayoutOf { what: "".into(), parts: vec![64, 128], change });
        use LayoutChange::{Becomes, Begins, Is, Unknown};
        assert_eq!(change(Is(5)), None, "nobody has told");
        assert_eq!(change(Begins(UNDEFINED)), None);
        assert_eq!(change(Is(5)), Some((5, UNDEFINED)));
        assert_eq!(change(Becomes(UNDEFINED, 7)), None);
        assert_eq!(change(Is(7)), None);
        assert_eq!(change(Becomes(5, 1)), Some((5, 7)));
        assert_eq!(change(Is(1)), None);
        assert_eq!(change(Unknown), None);
        assert_eq!(change(Is(5)), None);
        assert_eq!(change(Becomes(5, 6)), None);
        assert_eq!(change(Is(5)), Some((5, 6)));
    }
}
