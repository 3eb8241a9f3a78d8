//! Places in module variables that are passed to functions as pointers.
//!
//! SPIR-V cannot pass pointers to inputs, buffers or workgroup memory as arguments, nor pointers to a part of a
//! variable. The function is lowered once for each place it is called with (`functions`); dynamic indices become
//! arguments.

use naga::Scalar;

use super::super::super::parts::build::{Ty, Value};
use super::super::tree::{ExprId, ExprKind, Unary};
use super::{Entity, Lower, Lowered};

/// A step from a composite to one of its parts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A part of a structure, matrix, vector or array, by number.
    Part(u32),
    /// A part of a vector, matrix or array, by a dynamic index.
    Index(Value),
}

/// A module variable and the steps to a part of it.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub global: usize,
    pub steps: Vec<Step>,
}

/// A path without the values of its dynamic indices.
pub(super) type Shape = (usize, Vec<Option<u32>>);

impl Path {
    /// Returns the key that distinguishes the lowerings of a function.
    pub fn shape(&self) -> Shape {
        let step = |step: &Step| match step {
            Step::Part(part) => Some(*part),
            Step::Index(_) => None,
        };
        (self.global, self.steps.iter().map(step).collect())
    }

    pub fn indices(&self) -> impl Iterator<Item = Value> + '_ {
        self.steps.iter().filter_map(|step| match step {
            Step::Index(index) => Some(*index),
            Step::Part(_) => None,
        })
    }
}

impl Lower<'_, '_> {
    /// Returns a pointer to the place.
    pub(super) fn follow(&mut self, path: &Path) -> Value {
        let mut value = self.use_global(path.global);
        for step in &path.steps {
            value = match step {
                Step::Part(part) => self.b.member(value, *part),
                Step::Index(index) => self.b.index(value, *index),
            };
            value = self.unboxed(value);
        }
        value
    }

    /// Returns the step to an element by number, which must exist.
    fn part(&mut self, whole: Ty, number: i64, index: ExprId) -> Lowered<Step> {
        let count = self.b.element(whole).map(|(_, count)| i64::from(count));
        let there = count.is_some_and(|count| number >= 0 && (count == 0 || number < count));
        match u32::try_from(number).ok().filter(|_| there) {
            Some(part) => Ok(Step::Part(part)),
            None => {
                let name = self.type_name(whole);
                self.error(self.tree.span(index), format!("`{name}` has no element {number}"))
            }
        }
    }

    /// Returns the place in a module variable that an expression names, and its type.
    pub(super) fn path(&mut self, id: ExprId) -> Lowered<(Path, Ty)> {
        let tree = self.tree;
        let span = tree.span(id);
        let refuse =
            |this: &mut Self| this.error(span, "expected a variable of the module, or a part of one");
        match &tree.get(id).kind {
            ExprKind::Unary(Unary::AddressOf | Unary::Follow, operand) => self.path(*operand),
            ExprKind::Name(name) => {
                self.check_bypassed(name, span)?;
                let path = match self.scopes.get(name).cloned() {
                    Some(Entity::Global(global)) => Path { global, steps: Vec::new() },
                    Some(Entity::Place(path)) => path,
                    _ => return refuse(self),
                };
                let place = self.follow(&path);
                match self.b.pointee(place.ty) {
                    Some((ty, _)) => Ok((path, ty)),
                    None => refuse(self),
                }
            }
            ExprKind::Member(base, _) | ExprKind::Index(base, _) => {
                let (mut path, whole) = self.path(*base)?;
                let step = match &tree.get(id).kind {
                    ExprKind::Member(_, member) => {
                        let found = self.b.members(whole).and_then(|members| {
                            members.iter().position(|m| m.name.as_deref() == Some(member.text))
                        });
                        let letter = || "xyzw".find(member.text).or_else(|| "rgba".find(member.text));
                        match found.or_else(letter).and_then(|at| u32::try_from(at).ok()) {
                            Some(part) if found.is_some() => Step::Part(part),
                            _ if self.b.members(whole).is_some() => return self.no_member(whole, *member),
                            Some(part) if member.text.len() == 1 => self.part(whole, i64::from(part), id)?,
                            _ => return refuse(self),
                        }
                    }
                    ExprKind::Index(_, index) => match self.known_index(*index) {
                        Some(n) => self.part(whole, n, *index)?,
                        None => {
                            let value = self.value(*index)?;
                            match self.b.components(value.ty) {
                                Some((1, Scalar::I32 | Scalar::U32)) if self.b.element(whole).is_some() => {
                                    Step::Index(value)
                                }
                                _ => return refuse(self),
                            }
                        }
                    },
                    _ => return refuse(self),
                };
                path.steps.push(step);
                let place = self.follow(&path);
                match self.b.pointee(place.ty) {
                    Some((ty, _)) => Ok((path, ty)),
                    None => refuse(self),
                }
            }
            _ => refuse(self),
        }
    }
}
