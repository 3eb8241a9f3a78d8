//! Module constants, and initial values of module variables.

use naga::{Expression, Handle, Scalar, ScalarKind, TypeInner};

use super::super::super::parts::build::{Expr, Ty, Value};
use super::super::super::parts::source::Span;
use super::super::tree::{Attribute, Binary, ExprId, ExprKind, Literal, Typed, Unary};
use super::{Entity, Lower, Lowered};

/// A module constant.
#[derive(Clone, Debug)]
pub(super) enum Known {
    Value {
        handle: Handle<naga::Constant>,
        value: Const,
    },
    /// An overridable constant, which gets its value later; used only for printed WGSL.
    Open {
        handle: Handle<naga::Override>,
        ty: Ty,
    },
}

/// A constant value.
#[derive(Clone, Debug)]
pub(super) enum Const {
    Scalar(Literal),
    Parts(Ty, Vec<Const>),
    Zero(Ty),
    /// The value of another constant, by its number.
    Same(usize),
}

pub(super) fn to_naga(literal: Literal) -> naga::Literal {
    match literal {
        Literal::Bool(b) => naga::Literal::Bool(b),
        Literal::I32(n) => naga::Literal::I32(n),
        Literal::U32(n) => naga::Literal::U32(n),
        Literal::F32(n) => naga::Literal::F32(n),
    }
}

/// Converts a literal to a scalar type by the draft's rules.
fn converted(literal: Literal, to: Scalar) -> Literal {
    use Literal::{Bool, F32, I32, U32};
    match (to.kind, literal) {
        (ScalarKind::Bool, Bool(b)) => Bool(b),
        (ScalarKind::Bool, I32(n)) => Bool(n != 0),
        (ScalarKind::Bool, U32(n)) => Bool(n != 0),
        (ScalarKind::Bool, F32(n)) => Bool(n != 0.0),
        (ScalarKind::Sint, Bool(b)) => I32(i32::from(b)),
        (ScalarKind::Sint, I32(n)) => I32(n),
        (ScalarKind::Sint, U32(n)) => I32(n.cast_signed()),
        (ScalarKind::Sint, F32(n)) => I32(n as i32),
        (ScalarKind::Uint, Bool(b)) => U32(u32::from(b)),
        (ScalarKind::Uint, I32(n)) => U32(n.cast_unsigned()),
        (ScalarKind::Uint, U32(n)) => U32(n),
        (ScalarKind::Uint, F32(n)) => U32(n as u32),
        (_, Bool(b)) => F32(f32::from(u8::from(b))),
        (_, I32(n)) => F32(n as f32),
        (_, U32(n)) => F32(n as f32),
        (_, F32(n)) => F32(n),
    }
}

/// Converts an integer literal to the type that is required, as [`Lower::fit`] does; `None` if the type cannot hold it.
fn fitted(literal: Literal, to: Scalar) -> Option<Literal> {
    let below = to == Scalar::U32 && matches!(literal, Literal::I32(n) if n < 0);
    (!below).then(|| converted(literal, to))
}

/// Folds `a op b` for two numbers of one type, or a shift by a number of the type `u32`; `None` if the result is
/// undefined.
fn folded(op: Binary, a: Literal, b: Literal) -> Option<Literal> {
    use Literal::{F32, I32, U32};
    Some(match (op, a, b) {
        (Binary::Add, F32(a), F32(b)) => F32(a + b),
        (Binary::Subtract, F32(a), F32(b)) => F32(a - b),
        (Binary::Multiply, F32(a), F32(b)) => F32(a * b),
        (Binary::Divide, F32(a), F32(b)) => F32(a / b),
        (Binary::Add, I32(a), I32(b)) => I32(a.wrapping_add(b)),
        (Binary::Subtract, I32(a), I32(b)) => I32(a.wrapping_sub(b)),
        (Binary::Multiply, I32(a), I32(b)) => I32(a.wrapping_mul(b)),
        (Binary::Divide, I32(a), I32(b)) => I32(a.checked_div(b)?),
        (Binary::Add, U32(a), U32(b)) => U32(a.wrapping_add(b)),
        (Binary::Subtract, U32(a), U32(b)) => U32(a.wrapping_sub(b)),
        (Binary::Multiply, U32(a), U32(b)) => U32(a.wrapping_mul(b)),
        (Binary::Divide, U32(a), U32(b)) => U32(a.checked_div(b)?),
        (Binary::ShiftLeft, I32(a), U32(b)) => I32(a.wrapping_shl(b)),
        (Binary::ShiftLeft, U32(a), U32(b)) => U32(a.wrapping_shl(b)),
        (Binary::ShiftRight, I32(a), U32(b)) => I32(a.wrapping_shr(b)),
        (Binary::ShiftRight, U32(a), U32(b)) => U32(a.wrapping_shr(b)),
        _ => return None,
    })
    .filter(|result| !matches!(result, F32(n) if !n.is_finite()))
}

impl<'s> Lower<'s, '_> {
    pub(super) fn module_constant(
        &mut self,
        attributes: &[Attribute<'s>],
        constant: &Typed<'s>,
        init: Option<ExprId>,
    ) -> Lowered<()> {
        self.check_attributes(attributes, &["constant_id"], "a constant");
        let name = constant.name;
        let wanted = constant.ty.as_ref().map(|ty| self.type_of(ty)).transpose()?;
        let value = init.map(|init| self.constant(init, wanted)).transpose()?;
        let known = match (self.number(attributes, "constant_id", 0)?, value) {
            (Some(id), value) => self.overridable(id, name, wanted, value)?,
            (None, Some(value)) => self.known(Some(name.text), value),
            (None, None) => {
                return self.error(name.span, format!("the constant `{}` has no value", name.text));
            }
        };
        self.constants.push(known);
        self.declare(name, Entity::Constant(self.constants.len() - 1))
    }

    fn known(&mut self, name: Option<&str>, value: Const) -> Known {
        let ty = self.const_type(&value);
        let init = self.const_expression(&value);
        let constant = naga::Constant { name: name.map(Into::into), ty, init };
        let handle = self.b.module.constants.append(constant, naga::Span::UNDEFINED);
        Known::Value { handle, value }
    }

    /// Declares an overridable constant, whose value is set at pipeline creation: here, by the settings.
    fn overridable(
        &mut self,
        id: u32,
        name: super::Name<'s>,
        ty: Option<Ty>,
        value: Option<Const>,
    ) -> Lowered<Known> {
        if self.constant_ids.insert(id, name.text.to_owned()).is_some() {
            return self.error(name.span, format!("two constants have the id {id}"));
        }
        let ty = match (ty, &value) {
            (Some(ty), _) => ty,
            (None, Some(value)) => self.const_type(value),
            (None, None) => return self.error(name.span, "the constant has neither a type nor a value"),
        };
        let TypeInner::Scalar(scalar) = *self.b.inner(ty) else {
            return self.error(name.span, "a constant with an id is a scalar");
        };
        if self.settings.printed {
            let Ok(id) = u16::try_from(id) else {
                return self.error(name.span, "today's WGSL has no ids over 65535");
            };
            let init = value.map(|value| self.const_expression(&value));
            let constant = naga::Override { name: Some(name.text.into()), id: Some(id), ty, init };
            let handle = self.b.module.overrides.append(constant, naga::Span::UNDEFINED);
            return Ok(Known::Open { handle, ty });
        }
        let text = id.to_string();
        let given = self.settings.constants.iter().rev().find(|(key, _)| *key == text || *key == name.text);
        let value = match (given, value) {
            (Some((_, number)), _) => match super::super::override_value(*number, scalar.kind) {
                Some(literal) => Const::Scalar(literal),
                None => {
                    let ty = self.type_name(ty);
                    let message =
                        format!("the constant `{}` is of type `{ty}` and cannot be {number}", name.text);
                    self.report.constant_error(name.span, message);
                    return Err(super::Failed);
                }
            },
            (None, Some(value)) => value,
            (None, None) => {
                self.report.help(format!("give it one, for example with --spec {id}=1"));
                let message = format!("the constant `{}` (id {id}) has no value", name.text);
                self.report.constant_error(name.span, message);
                return Err(super::Failed);
            }
        };
        Ok(self.known(Some(name.text), value))
    }

    /// Returns the scalar value of the constant with this name.
    pub(super) fn constant_scalar(&self, name: &str) -> Option<Literal> {
        let Some(Entity::Constant(number)) = self.scopes.get(name) else { return None };
        self.scalar_of(&Const::Same(*number))
    }

    /// Returns the components of a constant integer vector.
    pub(super) fn constant_integers(&mut self, value: &Const, span: Span) -> Lowered<Vec<i32>> {
        let mut components = Vec::new();
        self.components_of(value, &mut components, span)?;
        let number = |literal: &Literal| match literal {
            Literal::I32(n) => *n,
            _ => 0,
        };
        Ok(components.iter().map(number).collect())
    }

    /// Returns the value of the constant with this name as an array length.
    pub(super) fn constant_count(&self, name: &str) -> Option<u32> {
        match self.constant_scalar(name)? {
            Literal::I32(n) => u32::try_from(n).ok(),
            Literal::U32(n) => Some(n),
            _ => None,
        }
    }

    /// Returns the value of a module constant inside a function.
    pub(super) fn use_constant(&mut self, number: usize) -> Value {
        match self.constants[number].clone() {
            Known::Value { handle, value } => {
                let ty = self.const_type(&value);
                self.b.add(Expression::Constant(handle), ty)
            }
            Known::Open { handle, ty } => self.b.add(Expression::Override(handle), ty),
        }
    }

    fn scalar_of(&self, value: &Const) -> Option<Literal> {
        match value {
            Const::Scalar(literal) => Some(*literal),
            Const::Same(number) => match &self.constants[*number] {
                Known::Value { value, .. } => self.scalar_of(value),
                Known::Open { .. } => None,
            },
            Const::Zero(ty) => match *self.b.inner(*ty) {
                TypeInner::Scalar(scalar) => Some(converted(Literal::I32(0), scalar)),
                _ => None,
            },
            Const::Parts(..) => None,
        }
    }

    fn const_type(&mut self, value: &Const) -> Ty {
        match value {
            Const::Scalar(literal) => self.b.scalar(to_naga(*literal).scalar()),
            Const::Parts(ty, _) | Const::Zero(ty) => *ty,
            Const::Same(number) => match self.constants[*number].clone() {
                Known::Value { value, .. } => self.const_type(&value),
                Known::Open { ty, .. } => ty,
            },
        }
    }

    /// Adds the value as a module-scope expression.
    pub(super) fn const_expression(&mut self, value: &Const) -> Expr {
        let expression = match value {
            Const::Scalar(literal) => Expression::Literal(to_naga(*literal)),
            Const::Zero(ty) => Expression::ZeroValue(*ty),
            Const::Parts(ty, parts) => {
                let components = parts.iter().map(|part| self.const_expression(part)).collect();
                Expression::Compose { ty: *ty, components }
            }
            Const::Same(number) => match &self.constants[*number] {
                Known::Value { handle, .. } => Expression::Constant(*handle),
                Known::Open { handle, .. } => Expression::Override(*handle),
            },
        };
        self.b.global(expression)
    }

    /// Adds the value inside a function.
    pub(super) fn constant_value(&mut self, value: &Const) -> Value {
        match value {
            Const::Scalar(literal) => self.b.literal(to_naga(*literal)),
            Const::Zero(ty) => self.b.zero(*ty),
            Const::Parts(ty, parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.constant_value(part)).collect();
                self.b.compose(*ty, &parts)
            }
            Const::Same(number) => self.use_constant(*number),
        }
    }

    /// Evaluates a constant expression, converted to the type `wanted` if one is given.
    pub(super) fn constant(&mut self, id: ExprId, wanted: Option<Ty>) -> Lowered<Const> {
        let span = self.tree.span(id);
        let value = self.constant_inside(id)?;
        let found = self.const_type(&value);
        match wanted {
            Some(wanted) if wanted != found => {
                let fits = matches!(value, Const::Scalar(Literal::I32(_))) && !self.settings.strict;
                let literal = match (self.b.inner(wanted), self.scalar_of(&value)) {
                    (TypeInner::Scalar(scalar @ (Scalar::U32 | Scalar::F32)), Some(literal)) if fits => {
                        fitted(literal, *scalar)
                    }
                    _ => None,
                };
                match literal {
                    Some(literal) => Ok(Const::Scalar(literal)),
                    None => self.mismatch(span, wanted, found),
                }
            }
            _ => Ok(value),
        }
    }

    fn constant_inside(&mut self, id: ExprId) -> Lowered<Const> {
        let tree = self.tree;
        let span = tree.span(id);
        let refuse = |this: &mut Self| {
            this.error(span, "a constant of the module is made of literals and types alone")
        };
        match &tree.get(id).kind {
            ExprKind::Literal(literal) => Ok(Const::Scalar(*literal)),
            ExprKind::Construct(ty, parts) => {
                let ty = self.type_of(ty)?;
                self.constant_of_parts(ty, parts, span)
            }
            ExprKind::Call(name, parts) => match self.scopes.get(name.text) {
                Some(Entity::Type(ty)) => {
                    let ty = *ty;
                    self.constant_of_parts(ty, parts, span)
                }
                _ => refuse(self),
            },
            _ if self.settings.strict => refuse(self),
            ExprKind::Name(name) => match self.scopes.get(name) {
                Some(Entity::Constant(number)) => {
                    let same = Const::Same(*number);
                    match (&self.constants[*number], self.scalar_of(&same)) {
                        (_, Some(scalar)) => Ok(Const::Scalar(scalar)),
                        (Known::Open { .. }, _) => {
                            self.error(span, "today's WGSL makes no constants of overridable ones")
                        }
                        _ => Ok(same),
                    }
                }
                _ => refuse(self),
            },
            ExprKind::Unary(Unary::Minus, operand) => {
                let value = self.constant_inside(*operand)?;
                match self.scalar_of(&value) {
                    Some(Literal::I32(n)) => Ok(Const::Scalar(Literal::I32(n.wrapping_neg()))),
                    Some(Literal::F32(n)) => Ok(Const::Scalar(Literal::F32(-n))),
                    _ => refuse(self),
                }
            }
            ExprKind::Binary(op, left, right) => {
                let written = |id: &ExprId| matches!(tree.get(*id).kind, ExprKind::Literal(Literal::I32(_)));
                let (fits_left, fits_right) = (written(left), written(right));
                let (left, right) = (self.constant_inside(*left)?, self.constant_inside(*right)?);
                let shifts = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
                let operands = match (self.scalar_of(&left), self.scalar_of(&right)) {
                    // The amount of a shift has a type of its own.
                    (Some(left), Some(right)) if shifts && fits_right => {
                        fitted(right, Scalar::U32).map(|right| (left, right))
                    }
                    (Some(left), Some(right)) if !shifts && fits_left => {
                        fitted(left, to_naga(right).scalar()).map(|left| (left, right))
                    }
                    (Some(left), Some(right)) if !shifts && fits_right => {
                        fitted(right, to_naga(left).scalar()).map(|right| (left, right))
                    }
                    (left, right) => left.zip(right),
                };
                let result = operands.and_then(|(left, right)| folded(*op, left, right));
                match result {
                    Some(result) => Ok(Const::Scalar(result)),
                    None => refuse(self),
                }
            }
            _ => refuse(self),
        }
    }

    fn constant_of_parts(&mut self, ty: Ty, parts: &[ExprId], span: Span) -> Lowered<Const> {
        if parts.is_empty() {
            return Ok(Const::Zero(ty));
        }
        match self.b.inner(ty).clone() {
            TypeInner::Scalar(scalar) => {
                let [part] = parts else { return self.error(span, "a scalar is made of one value") };
                let value = self.constant_inside(*part)?;
                match self.scalar_of(&value) {
                    Some(literal) => Ok(Const::Scalar(converted(literal, scalar))),
                    None => self.error(span, "a scalar is made of a scalar"),
                }
            }
            TypeInner::Vector { size, scalar } => self.constant_vector(ty, size, scalar, parts, span),
            TypeInner::Struct { members, .. } if !self.boxes.contains(&ty) => {
                if members.len() != parts.len() {
                    return self.error(
                        span,
                        format!("the structure has {} members, not {}", members.len(), parts.len()),
                    );
                }
                let mut values = Vec::new();
                for (member, part) in members.iter().zip(parts) {
                    values.push(self.constant(*part, Some(member.ty))?);
                }
                Ok(Const::Parts(ty, values))
            }
            TypeInner::Array { .. } | TypeInner::Matrix { .. } => {
                let Some((element, count)) = self.b.element(ty) else { return Err(super::Failed) };
                if count as usize != parts.len() {
                    let name = self.type_name(ty);
                    return self
                        .error(span, format!("`{name}` is made of {count} values, not {}", parts.len()));
                }
                let boxed = self.boxes.contains(&element);
                let inside =
                    if boxed { self.b.members(element).map_or(element, |m| m[0].ty) } else { element };
                let mut values = Vec::new();
                for part in parts {
                    let value = self.constant(*part, Some(inside))?;
                    values.push(if boxed { Const::Parts(element, vec![value]) } else { value });
                }
                Ok(Const::Parts(ty, values))
            }
            _ => {
                let name = self.type_name(ty);
                self.error(span, format!("there are no constants of type `{name}`"))
            }
        }
    }

    fn constant_vector(
        &mut self,
        ty: Ty,
        size: naga::VectorSize,
        scalar: Scalar,
        parts: &[ExprId],
        span: Span,
    ) -> Lowered<Const> {
        let mut components = Vec::new();
        for part in parts {
            let value = self.constant_inside(*part)?;
            self.components_of(&value, &mut components, self.tree.span(*part))?;
        }
        let one = parts.len() == 1;
        for component in &mut components {
            let right = to_naga(*component).scalar() == scalar;
            if !right && !one && (self.settings.strict || !matches!(component, Literal::I32(_))) {
                let name = self.type_name(ty);
                return self.error(span, format!("the parts of `{name}` are of its component's type"));
            }
            *component = converted(*component, scalar);
        }
        if components.len() == 1 && !self.settings.strict {
            components = vec![components[0]; size as usize];
        }
        if components.len() != size as usize {
            let name = self.type_name(ty);
            return self.error(
                span,
                format!("`{name}` is made of {} components, not {}", size as u32, components.len()),
            );
        }
        Ok(Const::Parts(ty, components.into_iter().map(Const::Scalar).collect()))
    }

    /// Appends the components of a constant scalar or vector.
    fn components_of(&mut self, value: &Const, to: &mut Vec<Literal>, span: Span) -> Lowered<()> {
        if let Some(scalar) = self.scalar_of(value) {
            to.push(scalar);
            return Ok(());
        }
        let ty = self.const_type(value);
        match (value, self.b.components(ty)) {
            (Const::Parts(_, parts), Some(_)) => {
                for part in parts {
                    self.components_of(part, to, span)?;
                }
                Ok(())
            }
            (Const::Zero(_), Some((n, scalar))) => {
                to.extend((0..n).map(|_| converted(Literal::I32(0), scalar)));
                Ok(())
            }
            (Const::Same(number), Some(_)) => match self.constants[*number].clone() {
                Known::Value { value, .. } => self.components_of(&value, to, span),
                Known::Open { .. } => self.error(span, "the constant's value is not known here"),
            },
            _ => self.error(span, "a vector is made of scalars and vectors"),
        }
    }
}
