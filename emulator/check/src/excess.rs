//! Reports commands that read past the end of a buffer or exceed a limit.

use crate::events::{Exceeds, Excess};
use quadrille_jit::ir::Slot;

use crate::interface::{Scalar, entry_point};
use crate::kind::Kind;
use crate::report::{Invocation, Report};

/// Creates the report.
pub fn report(exceeds: &Exceeds<'_>, step: u64) -> Report {
    let shader = exceeds.shader;
    let who = Invocation { step, ..Invocation::new(shader.stage, &shader.name) };
    let entry = || entry_point(shader);
    let report = match exceeds.what {
        Excess::Attribute { location, instanced, element, end, size } => {
            let is = |slot: &Slot| matches!(slot, Slot::Location { location: l, .. } if *l == location);
            let slot = shader.inputs.iter().map(|i| i.slot).find(is);
            let slot = slot.unwrap_or(Slot::Location { location, component: 0, index: 0 });
            let scalar = Scalar::of(shader, false, slot);
            let what = if instanced { "instance" } else { "vertex" };
            let message = format!(
                "`{}` (location {location}) of {what} {element} ends at byte {end} of a vertex buffer of {size} bytes",
                scalar.variable
            );
            scalar.report(Kind::AttributeOutOfBounds, message)
        }
        Excess::Indices { first, count, held } => {
            let end = u64::from(first) + u64::from(count);
            let message = format!("indices {first}..{end} are drawn from an index buffer of {held} indices");
            Report::new(Kind::IndexBufferOutOfBounds, message).at(entry())
        }
        Excess::Parameters { end, size } => {
            let message = format!("parameters of a draw end at byte {end} of a buffer of {size} bytes");
            Report::new(Kind::IndirectOutOfRange, message).at(entry())
        }
        Excess::Workgroups { counts: [x, y, z], most: [a, b, c] } => {
            let message = format!("{x} x {y} x {z} workgroups, but the limit is {a} x {b} x {c}");
            Report::new(Kind::IndirectOutOfRange, message).at(entry())
        }
    };
    report.by(who)
}
