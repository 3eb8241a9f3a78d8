//! Lowers expressions: names, members and indices give a pointer or a value.

use naga::{Scalar, Statement, TypeInner};

use super::super::super::parts::build::{Ty, Value};
use super::super::super::parts::source::Span;
use super::super::tree::{Binary, ExprId, ExprKind, Literal, Unary};
use super::builtins::WRITERS;
use super::constants::to_naga;
use super::{Entity, Failed, Lower, Lowered, Name};

/// Parts that the name of a member selects.
pub(super) enum Selected {
    /// A part of a structure, matrix or vector, by number.
    Part(u32),
    /// Several components of a vector.
    Components(Vec<u8>),
}

/// A step from a composite to one of its parts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A part of a structure, matrix, vector or array, by number.
    Part(u32),
    /// A part of a vector, matrix or array, by a dynamic index.
    Index(Value),
}

/// Parses swizzle letters, which must all be of one set.
fn components(letters: &str) -> Option<Vec<u8>> {
    ["xyzw", "rgba"].iter().find_map(|set| {
        let found: Option<Vec<u8>> =
            letters.chars().map(|c| set.find(c).and_then(|at| u8::try_from(at).ok())).collect();
        found.filter(|found| (1..=4).contains(&found.len()))
    })
}

impl<'s> Lower<'s, '_> {
    /// Evaluates an expression to a value; a pointer is loaded.
    pub(super) fn value(&mut self, id: ExprId) -> Lowered<Value> {
        let found = self.place(id)?;
        self.read(found, self.tree.span(id))
    }

    /// Loads through a pointer; a value is returned unchanged.
    pub(super) fn read(&mut self, value: Value, span: Span) -> Lowered<Value> {
        let Some((ty, space)) = self.b.pointee(value.ty) else { return Ok(value) };
        if self.is_runtime_sized(ty) {
            return self.error(span, "a runtime-sized array is not a value");
        }
        if let naga::AddressSpace::Storage { access } = space
            && !access.contains(naga::StorageAccess::LOAD)
        {
            return self.error(span, "the buffer's access is `write`");
        }
        Ok(self.b.load(value))
    }

    /// Evaluates an expression to a pointer if it names a variable or a part of one, otherwise to a value.
    ///
    /// Today's WGSL evaluates constant expressions at compile time, where a division by zero or an overflow is an
    /// error. The draft evaluates them at run time. In printed WGSL, the literals of such an expression are therefore
    /// loaded from variables.
    pub(super) fn place(&mut self, id: ExprId) -> Lowered<Value> {
        let hides = self.settings.printed
            && !self.hiding
            && self.known.get(id.0 as usize) == Some(&true)
            && !matches!(self.tree.get(id).kind, ExprKind::Literal(_) | ExprKind::Name(_));
        if !hides {
            return self.place_inside(id);
        }
        self.hiding = true;
        let place = self.place_inside(id);
        self.hiding = false;
        place
    }

    /// Returns the value, loaded from a variable if literals must be hidden.
    pub(super) fn hidden(&mut self, value: Value) -> Value {
        if self.hiding { self.through_variable(value) } else { value }
    }

    /// Returns the value of a constant of a function. In printed WGSL, a literal would stand for each use of its name and
    /// make a constant expression of it, so it is loaded from a variable.
    pub(super) fn of_constant(&mut self, init: ExprId, value: Value) -> Value {
        let known = self.known.get(init.0 as usize) == Some(&true);
        let hidden = !matches!(self.tree.get(init).kind, ExprKind::Literal(_) | ExprKind::Name(_));
        if self.settings.printed && known && !hidden { self.through_variable(value) } else { value }
    }

    /// Stores the value to a variable and loads it again.
    fn through_variable(&mut self, value: Value) -> Value {
        let variable = self.b.local("value", value.ty, None);
        self.b.store(variable, value);
        self.b.load(variable)
    }

    /// Returns a divisor. naga rejects a constant zero, also as a component, but the draft allows it, so such a divisor is
    /// loaded from a variable.
    pub(super) fn divisor(&mut self, id: ExprId, value: Value) -> Value {
        let literal = matches!(self.tree.get(id).kind, ExprKind::Literal(_));
        let composed = !literal && self.known.get(id.0 as usize) == Some(&true);
        if composed || self.b.has_zero(value) { self.through_variable(value) } else { value }
    }

    fn place_inside(&mut self, id: ExprId) -> Lowered<Value> {
        let tree = self.tree;
        let span = tree.span(id);
        self.b.at(span);
        match &tree.get(id).kind {
            ExprKind::Literal(literal) => {
                let value = self.b.literal(to_naga(*literal));
                Ok(self.hidden(value))
            }
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Call(name, arguments) => match self.call(*name, arguments, span)? {
                Some(value) => Ok(value),
                None => self.error(span, format!("`{}` has no result", name.text)),
            },
            ExprKind::Construct(ty, parts) => {
                let ty = self.type_of(ty)?;
                self.construct(ty, parts, span)
            }
            ExprKind::Bitcast(ty, part) => self.bitcast(ty, *part, span),
            ExprKind::Unary(Unary::AddressOf, operand) => {
                let place = self.place(*operand)?;
                match self.b.pointee(place.ty) {
                    Some(_) => Ok(place),
                    None => self.error(span, "only variables and parts of them have an address"),
                }
            }
            ExprKind::Unary(Unary::Follow, operand) => {
                let place = self.place(*operand)?;
                match self.b.pointee(place.ty) {
                    Some(_) => Ok(place),
                    None => self.error(span, "only pointers can be dereferenced"),
                }
            }
            ExprKind::Unary(op, operand) => {
                let value = self.value(*operand)?;
                self.b.at(span);
                self.unary(*op, value, span)
            }
            ExprKind::Binary(op @ (Binary::AndThen | Binary::OrElse), left, right) => {
                self.short_circuit(*op, *left, *right, span)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right, span),
            ExprKind::Index(base, index) => self.index(*base, *index, span),
            ExprKind::Member(base, member) => self.member(*base, *member),
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Lowered<Value> {
        self.check_bypassed(name, span)?;
        match self.scopes.get(name).cloned() {
            Some(Entity::Global(number)) => Ok(self.use_global(number)),
            Some(Entity::Pointer(value) | Entity::Value(value)) => Ok(value),
            Some(Entity::Place(path)) => Ok(self.follow(&path)),
            Some(Entity::Constant(number)) => {
                let value = self.use_constant(number);
                Ok(self.hidden(value))
            }
            Some(Entity::Type(_)) => self.error(span, format!("`{name}` is a type, not a value")),
            Some(Entity::Function(_)) => self.error(span, format!("`{name}` is a function, not a value")),
            Some(Entity::Wrong) => Err(Failed),
            None => self.error(span, format!("no variable or constant has the name `{name}` here")),
        }
    }

    fn index(&mut self, base: ExprId, index: ExprId, span: Span) -> Lowered<Value> {
        let base = self.place(base)?;
        let whole = self.b.pointee(base.ty).map_or(base.ty, |(ty, _)| ty);
        let element = match self.step(whole, index, span)? {
            Step::Part(n) => self.b.member(base, n),
            Step::Index(value) => {
                self.b.at(span);
                self.b.index(base, value)
            }
        };
        Ok(self.unboxed(element))
    }

    /// Returns the step from a composite to the element with an index; `span` is that of the element.
    pub(super) fn step(&mut self, whole: Ty, index: ExprId, span: Span) -> Lowered<Step> {
        let Some((_, count)) = self.b.element(whole) else {
            let name = self.type_name(whole);
            return self.error(span, format!("a value of type `{name}` has no elements"));
        };
        if let Some(n) = self.known_index(index) {
            let outside = n < 0 || (count > 0 && n >= i64::from(count));
            return match u32::try_from(n).ok().filter(|_| !outside) {
                Some(n) => Ok(Step::Part(n)),
                None => {
                    let name = self.type_name(whole);
                    self.error(self.tree.span(index), format!("`{name}` has no element {n}"))
                }
            };
        }
        let value = self.value(index)?;
        match self.b.components(value.ty) {
            Some((1, Scalar::I32 | Scalar::U32)) => Ok(Step::Index(value)),
            _ => {
                let name = self.type_name(value.ty);
                self.error(self.tree.span(index), format!("an index is an `i32` or `u32`, not a `{name}`"))
            }
        }
    }

    /// Returns the value of an index that is a literal or a constant of the module.
    fn known_index(&self, index: ExprId) -> Option<i64> {
        let literal = match &self.tree.get(index).kind {
            ExprKind::Literal(literal) => *literal,
            ExprKind::Name(name) => self.constant_scalar(name)?,
            _ => return None,
        };
        match literal {
            Literal::I32(n) => Some(i64::from(n)),
            Literal::U32(n) => Some(i64::from(n)),
            Literal::Bool(_) | Literal::F32(_) => None,
        }
    }

    /// Unwraps an array element from the structure that gives it the array's stride.
    pub(super) fn unboxed(&mut self, element: Value) -> Value {
        let ty = self.b.pointee(element.ty).map_or(element.ty, |(ty, _)| ty);
        if self.boxes.contains(&ty) { self.b.member(element, 0) } else { element }
    }

    fn member(&mut self, base: ExprId, member: Name<'s>) -> Lowered<Value> {
        let base = self.place(base)?;
        let whole = self.b.pointee(base.ty).map_or(base.ty, |(ty, _)| ty);
        self.b.at(member.span);
        match self.selected(whole, member)? {
            Selected::Part(part) => Ok(self.b.member(base, part)),
            Selected::Components(several) => {
                let vector = self.read(base, member.span)?;
                Ok(self.b.swizzle(vector, &several))
            }
        }
    }

    /// Returns what a member of a composite selects.
    pub(super) fn selected(&mut self, whole: Ty, member: Name<'_>) -> Lowered<Selected> {
        if let Some(members) = self.b.members(whole) {
            let found = members.iter().position(|m| m.name.as_deref() == Some(member.text));
            return match found.and_then(|at| u32::try_from(at).ok()) {
                Some(at) => Ok(Selected::Part(at)),
                None => {
                    let name = self.type_name(whole);
                    self.error(member.span, format!("`{name}` has no member `{}`", member.text))
                }
            };
        }
        let n = match *self.b.inner(whole) {
            TypeInner::Vector { size, .. } => size as u32,
            // Sources of 2021 select matrix columns by letter.
            TypeInner::Matrix { columns, .. } if !self.settings.strict && member.text.len() == 1 => {
                columns as u32
            }
            _ => {
                let name = self.type_name(whole);
                return self.error(member.span, format!("a value of type `{name}` has no members"));
            }
        };
        let Some(picked) = components(member.text).filter(|picked| picked.iter().all(|c| u32::from(*c) < n))
        else {
            let name = self.type_name(whole);
            return self.error(member.span, format!("`{name}` has no components `{}`", member.text));
        };
        Ok(match picked.as_slice() {
            [one] => Selected::Part(u32::from(*one)),
            _ => Selected::Components(picked),
        })
    }

    /// Lowers `&&` and `||`: the right side is evaluated only if the left does not decide. This matters only if it may
    /// change a variable.
    fn short_circuit(&mut self, op: Binary, left: ExprId, right: ExprId, span: Span) -> Lowered<Value> {
        let bool_ty = self.b.scalar(Scalar::BOOL);
        let a = self.value_of_type(left, bool_ty)?;
        if !self.has_effects(right) {
            let b = self.value_of_type(right, bool_ty)?;
            self.b.at(span);
            let naga_op = if op == Binary::AndThen {
                naga::BinaryOperator::LogicalAnd
            } else {
                naga::BinaryOperator::LogicalOr
            };
            return Ok(self.b.binary(naga_op, a, b));
        }
        let result = self.b.local("decided", bool_ty, None);
        self.b.store(result, a);
        self.b.begin_block();
        let b = self.value_of_type(right, bool_ty);
        if let Ok(b) = b {
            self.b.store(result, b);
        }
        let evaluate = self.b.end_block();
        let (accept, reject) = if op == Binary::AndThen {
            (evaluate, naga::Block::new())
        } else {
            (naga::Block::new(), evaluate)
        };
        b?;
        self.b.push(Statement::If { condition: a.expr, accept, reject });
        Ok(self.b.load(result))
    }

    /// True if the expression calls a function that may change a variable: one of the module, or one that writes through
    /// a pointer.
    fn has_effects(&self, id: ExprId) -> bool {
        let changes = |name: &str| match self.scopes.get(name) {
            Some(entity) => matches!(entity, Entity::Function(_)),
            None => WRITERS.contains(&name),
        };
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match &self.tree.get(id).kind {
                ExprKind::Literal(_) | ExprKind::Name(_) => {}
                ExprKind::Call(name, _) if changes(name.text) => return true,
                ExprKind::Call(_, parts) | ExprKind::Construct(_, parts) => open.extend(parts),
                ExprKind::Bitcast(_, part) | ExprKind::Unary(_, part) | ExprKind::Member(part, _) => {
                    open.push(*part)
                }
                ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => open.extend([*a, *b]),
            }
        }
        false
    }
}
