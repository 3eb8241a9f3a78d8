//! Places in module variables that are passed to functions as pointers.
//!
//! SPIR-V cannot pass pointers to inputs, buffers or workgroup memory as arguments, nor pointers to a part of a
//! variable. The function is lowered once for each place it is called with (`functions`); dynamic indices become
//! arguments.

use super::super::super::parts::build::{Ty, Value};
use super::super::tree::{ExprId, ExprKind, Unary};
use super::expressions::{Selected, Step};
use super::{Entity, Lower, Lowered};

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

    /// Returns the place in a module variable that an expression names, and its type.
    pub(super) fn path(&mut self, id: ExprId) -> Lowered<(Path, Ty)> {
        let tree = self.tree;
        let span = tree.span(id);
        let refuse =
            |this: &mut Self| this.error(span, "expected a variable of the module, or a part of one");
        let path = match &tree.get(id).kind {
            ExprKind::Unary(Unary::AddressOf | Unary::Follow, operand) => return self.path(*operand),
            ExprKind::Name(name) => {
                self.check_bypassed(name, span)?;
                match self.scopes.get(name).cloned() {
                    Some(Entity::Global(global)) => Path { global, steps: Vec::new() },
                    Some(Entity::Place(path)) => path,
                    _ => return refuse(self),
                }
            }
            ExprKind::Member(base, member) => {
                let (mut path, whole) = self.path(*base)?;
                match self.selected(whole, *member)? {
                    Selected::Part(part) => path.steps.push(Step::Part(part)),
                    Selected::Components(_) => return refuse(self),
                }
                path
            }
            ExprKind::Index(base, index) => {
                let (mut path, whole) = self.path(*base)?;
                path.steps.push(self.step(whole, *index, span)?);
                path
            }
            _ => return refuse(self),
        };
        let place = self.follow(&path);
        match self.b.pointee(place.ty) {
            Some((ty, _)) => Ok((path, ty)),
            None => refuse(self),
        }
    }
}
