//! Places where undefined values surface, and their reports.

use quadrille_jit::interp::watch::View;
use quadrille_jit::ir::{Src, Ty};

use super::number::is_nan;
use super::origin::{Made, Origin};
use crate::kind::Kind;
use crate::place;
use crate::report::{Other, Report};

/// True if a value of this origin that is not undefined by itself is a NaN, or was made from one. Only NaNs make comparisons
/// undefined; the bits of an integer may be those of an infinity.
pub fn is_of_nan(origin: &Origin, ty: Ty, bits: u64) -> bool {
    match ty {
        Ty::Bool => true,
        ty if ty.is_float() => is_nan(ty, bits),
        _ => !origin.is_infinity(),
    }
}

/// Way in which an undefined value surfaces.
pub enum Surface {
    /// Written to the resource or variable with this name.
    Written(String),
    /// Decides a branch.
    Decides,
    /// Used as an index, offset or coordinate of the named thing.
    Addresses(&'static str),
}

impl Surface {
    fn text(&self) -> String {
        match self {
            Surface::Written(name) => format!("written to {name}"),
            Surface::Decides => "decides a branch".into(),
            Surface::Addresses(what) => format!("used as {what}"),
        }
    }

    /// Creates the report of a value with this origin that surfaces at `src` in the named instruction.
    pub fn report(
        &self,
        at: &View<'_>,
        (src, instruction): (Src, &str),
        origin: &Origin,
        (kind, nan): (Kind, bool),
        inherited: Option<Other>,
    ) -> Report {
        let (message, values) = origin.describe();
        // The difference of two infinities, for example, is a NaN.
        let became = if nan && origin.is_infinity() { ", then NaN" } else { "" };
        let (frame, calls) = place::frames(at.shader(), origin.src, origin.instruction);
        let message = format!("{message}{became}, {}", self.text());
        let mut report = match &origin.made {
            Made::Found(report) => (**report).clone(),
            _ => Report { called_from: calls, ..Report::new(kind, "").at(frame) },
        };
        (report.message, report.values) = (message, values);
        report.others.extend(inherited);
        let (frame, _) = place::frames(at.shader(), src, instruction);
        report.others.push(Other { what: self.text(), at: frame, invocation: None });
        report
    }
}
