//! Checks the types of interfaces: outputs and inputs of consecutive stages, vertex attributes, attachments.
//!
//! Each pipeline is checked once per set of formats. Missing outputs are not a matter of types: see `stages` and
//! `outputs`.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::events::{Attribute, Numeric, Runs};
use quadrille_jit::ir::debug::{Class, Debug, TypeKind};
use quadrille_jit::ir::{Interface, Shader, Slot, Stage, Ty};
use rustc_hash::FxHashSet;

use crate::interface::Scalar;
use crate::kind::Kind;
use crate::outputs::used;
use crate::report::{Invocation, Other, Report};
use crate::session::Session;

/// Addresses of shaders, and formats, that have been checked.
type Key = (Vec<usize>, Option<Vec<(u32, Numeric)>>, [Option<Numeric>; 8]);

/// Interfaces that have been checked.
#[derive(Default)]
pub struct Matching(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    keys: FxHashSet<Key>,
    /// Keeps the shaders alive, so that their addresses stay unique.
    shaders: Vec<Arc<Shader>>,
}

impl Matching {
    /// Called before these shaders run together.
    pub fn runs(&self, session: &Session, runs: &Runs<'_>) {
        let shaders = runs.stages.iter().map(|s| Arc::as_ptr(s).addr()).collect();
        let attributes = runs.attributes.map(|all| all.iter().map(|a| (a.location, a.numeric)).collect());
        // Without rasterization, the formats of attachments have not been looked at.
        let formats = if runs.fixed.rasterized { runs.fixed.numeric } else { [None; 8] };
        {
            let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !seen.keys.insert((shaders, attributes, formats)) {
                return;
            }
            seen.shaders.extend(runs.stages.iter().cloned());
        }
        let step = session.step() + 1;
        let tell = |shader: &Shader, report: Report| {
            let who = Invocation { step, ..Invocation::new(shader.stage, &shader.name) };
            session.reports.add(report.by(who));
        };
        for pair in runs.stages.windows(2) {
            stages(&pair[0], &pair[1]).into_iter().for_each(|report| tell(&pair[1], report));
        }
        if let (Some(vertex), Some(attributes)) = (runs.stages.first(), runs.attributes) {
            let wrong = fetched(vertex, attributes, runs.absent_attributes);
            wrong.into_iter().for_each(|report| tell(vertex, report));
        }
        if let Some(fragment) = runs.stages.last().filter(|s| s.stage == Stage::Fragment) {
            put_out(fragment, &formats).into_iter().for_each(|report| tell(fragment, report));
        }
    }
}

/// Type class of the scalars of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Float,
    /// Integer; `Some(true)` if it is signed, `None` if unknown.
    Int(Option<bool>),
    Other,
}

impl Sort {
    /// Returns the type class of an input or output of a shader.
    fn of(shader: &Shader, output: bool, scalar: &Interface) -> Sort {
        match scalar.ty {
            ty if ty.is_float() => Sort::Float,
            Ty::Bool => Sort::Other,
            _ => {
                let debug = shader.debug.as_deref();
                Sort::Int(debug.and_then(|d| signed(d, output, scalar.slot)))
            }
        }
    }

    fn of_format(numeric: Numeric) -> Sort {
        match numeric {
            Numeric::Float => Sort::Float,
            Numeric::Signed => Sort::Int(Some(true)),
            Numeric::Unsigned => Sort::Int(Some(false)),
        }
    }

    /// True if the type classes are known to differ.
    fn differs(self, other: Sort) -> bool {
        match (self, other) {
            (Sort::Int(Some(a)), Sort::Int(Some(b))) => a != b,
            (Sort::Int(_), Sort::Int(_)) | (Sort::Other, _) | (_, Sort::Other) => false,
            (a, b) => a != b,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Float => "float",
            Sort::Int(Some(false)) => "uint",
            Sort::Int(_) => "int",
            Sort::Other => "another type",
        })
    }
}

/// True if an integer of an interface is signed; `None` if unknown.
fn signed(debug: &Debug, output: bool, slot: Slot) -> Option<bool> {
    let class = if output { Class::Output } else { Class::Input };
    debug.variables.iter().filter(|v| v.class == class).find_map(|v| {
        let mut leaf = v.slots.iter().position(|&s| s == slot)?;
        let mut ty = v.ty;
        // For an array over vertices, the slots are those of one vertex.
        if let TypeKind::Array { elem, n, .. } = debug.types.get(ty as usize)?.kind
            && v.slots.len() == leaves(debug, elem)
            && n != 1
        {
            ty = elem;
        }
        leaf_of(debug, ty, &mut leaf)
    })
}

/// Number of scalars of a type.
fn leaves(debug: &Debug, ty: u32) -> usize {
    match debug.types.get(ty as usize).map(|t| &t.kind) {
        Some(TypeKind::Scalar { .. }) => 1,
        Some(&TypeKind::Vector { elem, n, .. }) => leaves(debug, elem) * n as usize,
        Some(&TypeKind::Matrix { column, n, .. }) => leaves(debug, column) * n as usize,
        Some(&TypeKind::Array { elem, n, .. }) => leaves(debug, elem) * n as usize,
        Some(TypeKind::Struct { members, .. }) => members.iter().map(|m| leaves(debug, m.ty)).sum(),
        Some(TypeKind::Opaque(_)) | None => 0,
    }
}

/// True if the scalar number `leaf` of a type is signed.
fn leaf_of(debug: &Debug, ty: u32, leaf: &mut usize) -> Option<bool> {
    let mut list = |elem: u32| {
        let one = leaves(debug, elem);
        *leaf = leaf.checked_rem(one)?;
        leaf_of(debug, elem, leaf)
    };
    match &debug.types.get(ty as usize)?.kind {
        TypeKind::Scalar { signed, .. } => Some(*signed),
        TypeKind::Vector { elem, .. } | TypeKind::Array { elem, .. } => list(*elem),
        TypeKind::Matrix { column, .. } => list(*column),
        TypeKind::Struct { members, .. } => members.iter().find_map(|member| {
            let n = leaves(debug, member.ty);
            match *leaf < n {
                true => leaf_of(debug, member.ty, leaf),
                false => {
                    *leaf -= n;
                    None
                }
            }
        }),
        TypeKind::Opaque(_) => None,
    }
}

/// Keeps one report per variable.
fn by_variable(found: impl Iterator<Item = (Scalar, Report)>) -> Vec<Report> {
    let mut known = FxHashSet::default();
    found.filter(|(scalar, _)| known.insert(scalar.variable.clone())).map(|found| found.1).collect()
}

/// Reports outputs of a stage whose types differ from the inputs of the next stage that reads them.
fn stages(first: &Shader, second: &Shader) -> Vec<Report> {
    let (inputs, patch) = used(second);
    let read = second.inputs.iter().filter(|i| inputs.contains(&i.slot));
    let of_patch = second.patch_inputs.iter().filter(|i| patch.contains(&i.slot));
    let mut pairs = Vec::new();
    for input in read.filter(|i| matches!(i.slot, Slot::Location { .. })) {
        let mut all = first.outputs.iter().chain(&first.primitive_outputs);
        pairs.extend(all.find(|o| o.slot == input.slot).map(|output| (input, output)));
    }
    for input in of_patch.filter(|i| matches!(i.slot, Slot::Location { .. })) {
        pairs.extend(first.patch_outputs.iter().find(|o| o.slot == input.slot).map(|output| (input, output)));
    }
    by_variable(pairs.into_iter().filter_map(|(input, output)| {
        let (is, was) = (Sort::of(second, false, input), Sort::of(first, true, output));
        if !is.differs(was) {
            return None;
        }
        let (input, output) = (Scalar::of(second, false, input.slot), Scalar::of(first, true, output.slot));
        let location = input.location.map_or_else(String::new, |l| format!(" (location {l})"));
        let message = format!(
            "`{}`{location} is {is} in the {} shader, but the {} shader outputs {was} there",
            input.variable,
            second.stage.name(),
            first.stage.name()
        );
        let other = Other { what: format!("output as {was}"), at: output.at, invocation: None };
        let report = input.report(Kind::InterfaceMismatch, message).other(other);
        Some((input, report))
    }))
}

/// Reports vertex inputs that have no attribute, unless these may be absent, or one of another numeric type.
fn fetched(vertex: &Shader, attributes: &[Attribute], absent: bool) -> Vec<Report> {
    let (inputs, _) = used(vertex);
    let read = vertex.inputs.iter().filter(|i| inputs.contains(&i.slot));
    by_variable(read.filter_map(|input| {
        let Slot::Location { location, .. } = input.slot else { return None };
        let given = |l: u32| attributes.iter().find(|a| a.location == l);
        // A 64-bit vector takes two locations but has one attribute.
        let wide = matches!(input.ty, Ty::F64 | Ty::I64);
        let attribute = given(location).or_else(|| given(location.checked_sub(1)?).filter(|_| wide));
        let scalar = Scalar::of(vertex, false, input.slot);
        let name = format!("`{}` (location {location})", scalar.variable);
        let Some(attribute) = attribute else {
            if absent {
                return None;
            }
            let message = format!("{name} is read, but the pipeline has no vertex attribute there");
            let report = scalar.report(Kind::MissingAttribute, message);
            return Some((scalar, report));
        };
        let (is, given) = (Sort::of(vertex, false, input), Sort::of_format(attribute.numeric));
        if !is.differs(given) {
            return None;
        }
        let message = format!("{name} is {is}, but the format of the vertex attribute there is {given}");
        let report = scalar.report(Kind::AttributeMismatch, message);
        Some((scalar, report))
    }))
}

/// Reports fragment outputs whose numeric type differs from that of their attachment.
fn put_out(fragment: &Shader, attachments: &[Option<Numeric>; 8]) -> Vec<Report> {
    by_variable(fragment.outputs.iter().filter_map(|output| {
        let Slot::Location { location, index: 0, .. } = output.slot else { return None };
        let format = Sort::of_format((*attachments.get(location as usize)?)?);
        let is = Sort::of(fragment, true, output);
        if !is.differs(format) {
            return None;
        }
        let scalar = Scalar::of(fragment, true, output.slot);
        let message = format!(
            "`{}` (location {location}) is {is}, but the format of the attachment there is {format}",
            scalar.variable
        );
        let report = scalar.report(Kind::AttachmentMismatch, message);
        Some((scalar, report))
    }))
}
