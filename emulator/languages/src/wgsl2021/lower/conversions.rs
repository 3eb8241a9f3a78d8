//! Composite values, conversions, and literals that adopt the required type.

use naga::{Scalar, ScalarKind, TypeInner};

use super::super::super::parts::build::{Ty, Value};
use super::super::super::parts::source::Span;
use super::super::tree::{ExprId, ExprKind, Literal, TypeDecl};
use super::{Lower, Lowered};

impl<'s> Lower<'s, '_> {
    /// Converts an integer literal to the unsigned integer or float type that is required, as sources of 2021 expect.
    /// Other values are returned unchanged.
    pub(super) fn fit(&mut self, id: ExprId, value: Value, wanted: Ty) -> Value {
        if value.ty == wanted || self.settings.strict {
            return value;
        }
        let ExprKind::Literal(Literal::I32(n)) = self.tree.get(id).kind else { return value };
        match *self.b.inner(wanted) {
            TypeInner::Scalar(Scalar::U32) if n >= 0 => {
                let value = self.b.u32(n.cast_unsigned());
                self.hidden(value)
            }
            TypeInner::Scalar(Scalar::F32) => {
                let value = self.b.f32(n as f32);
                self.hidden(value)
            }
            _ => value,
        }
    }

    /// Evaluates an expression that must have the given type.
    pub(super) fn value_of_type(&mut self, id: ExprId, wanted: Ty) -> Lowered<Value> {
        let value = self.value(id)?;
        let value = self.fit(id, value, wanted);
        if value.ty != wanted {
            return self.mismatch(self.tree.span(id), wanted, value.ty);
        }
        Ok(value)
    }

    /// Constructs a value of a type from parts; without parts it is the zero value.
    pub(super) fn construct(&mut self, ty: Ty, parts: &[ExprId], span: Span) -> Lowered<Value> {
        if !self.is_storable(ty) || self.is_runtime_sized(ty) {
            let name = self.type_name(ty);
            return self.error(span, format!("no value of type `{name}` can be constructed"));
        }
        if parts.is_empty() {
            return Ok(self.b.zero(ty));
        }
        match self.b.inner(ty).clone() {
            TypeInner::Scalar(scalar) => match parts {
                [part] => self.convert_scalar(*part, scalar),
                _ => {
                    let name = self.type_name(ty);
                    self.error(span, format!("`{name}` is made of one value, not {}", parts.len()))
                }
            },
            TypeInner::Vector { size, scalar } => self.vector(ty, size as u32, scalar, parts, span),
            TypeInner::Matrix { columns, rows, scalar } => {
                self.matrix(ty, columns as u32, rows as u32, scalar, parts, span)
            }
            TypeInner::Array { .. } => {
                let Some((element, count)) = self.b.element(ty) else { return Err(super::Failed) };
                self.check_count(ty, count as usize, parts, span)?;
                let boxed = self.boxes.contains(&element);
                let inside =
                    if boxed { self.b.members(element).map_or(element, |m| m[0].ty) } else { element };
                let mut values = Vec::new();
                for part in parts {
                    let value = self.value_of_type(*part, inside)?;
                    values.push(if boxed { self.b.compose(element, &[value]) } else { value });
                }
                Ok(self.b.compose(ty, &values))
            }
            TypeInner::Struct { members, .. } => {
                self.check_count(ty, members.len(), parts, span)?;
                let mut values = Vec::new();
                for (member, part) in members.iter().zip(parts) {
                    values.push(self.value_of_type(*part, member.ty)?);
                }
                Ok(self.b.compose(ty, &values))
            }
            _ => {
                let name = self.type_name(ty);
                self.error(span, format!("no value of type `{name}` can be constructed"))
            }
        }
    }

    fn check_count(&mut self, ty: Ty, wanted: usize, parts: &[ExprId], span: Span) -> Lowered<()> {
        if parts.len() == wanted {
            return Ok(());
        }
        let name = self.type_name(ty);
        self.error(span, format!("`{name}` is made of {wanted} values, not {}", parts.len()))
    }

    fn convert_scalar(&mut self, part: ExprId, to: Scalar) -> Lowered<Value> {
        let value = self.value(part)?;
        match self.b.components(value.ty) {
            Some((1, from)) if self.converts(from, to) => Ok(self.converted(value, from, to)),
            _ => {
                let wanted = self.b.scalar(to);
                self.mismatch(self.tree.span(part), wanted, value.ty)
            }
        }
    }

    /// True if the conversion exists. The draft converts to bool and between numbers; `f32(true)` came later.
    fn converts(&self, from: Scalar, to: Scalar) -> bool {
        from == to || to == Scalar::BOOL || from != Scalar::BOOL || !self.settings.strict
    }

    /// Converts a scalar or the components of a vector.
    fn converted(&mut self, value: Value, from: Scalar, to: Scalar) -> Value {
        match (from.kind, to.kind) {
            _ if from == to => value,
            (ScalarKind::Sint, ScalarKind::Uint) | (ScalarKind::Uint, ScalarKind::Sint) => {
                self.b.bitcast(value, to.kind)
            }
            _ => self.b.convert(value, to),
        }
    }

    fn vector(&mut self, ty: Ty, n: u32, scalar: Scalar, parts: &[ExprId], span: Span) -> Lowered<Value> {
        if let [part] = parts {
            let value = self.value(*part)?;
            return match self.b.components(value.ty) {
                Some((m, from))
                    if m == n && (from == scalar || to_number(from, scalar, self.settings.strict)) =>
                {
                    Ok(self.converted(value, from, scalar))
                }
                Some((1, from)) if !self.settings.strict && self.converts(from, scalar) => {
                    let value = self.converted(value, from, scalar);
                    Ok(self.b.splat(n, value))
                }
                _ => self.mismatch(self.tree.span(*part), ty, value.ty),
            };
        }
        let mut values = Vec::new();
        let mut components = 0;
        for part in parts {
            let value = self.value(*part)?;
            let component = self.b.scalar(scalar);
            let value = self.fit(*part, value, component);
            match self.b.components(value.ty) {
                Some((m, from)) if from == scalar => {
                    components += m;
                    values.push(value);
                }
                // Sources of 2021 expect parts of other types to be converted.
                Some((m, from))
                    if !self.settings.strict && from != Scalar::BOOL && scalar != Scalar::BOOL =>
                {
                    components += m;
                    values.push(self.converted(value, from, scalar));
                }
                _ => return self.mismatch(self.tree.span(*part), component, value.ty),
            }
        }
        if components != n {
            let name = self.type_name(ty);
            return self.error(span, format!("`{name}` is made of {n} components, not {components}"));
        }
        Ok(self.b.compose(ty, &values))
    }

    fn matrix(
        &mut self,
        ty: Ty,
        columns: u32,
        rows: u32,
        scalar: Scalar,
        parts: &[ExprId],
        span: Span,
    ) -> Lowered<Value> {
        let column = self.b.vector(rows, scalar);
        if parts.len() == (columns * rows) as usize && !self.settings.strict {
            let component = self.b.scalar(scalar);
            let mut values = Vec::new();
            for part in parts {
                values.push(self.value_of_type(*part, component)?);
            }
            let mut vectors = Vec::new();
            for column_values in values.chunks(rows as usize) {
                vectors.push(self.b.compose(column, column_values));
            }
            return Ok(self.b.compose(ty, &vectors));
        }
        self.check_count(ty, columns as usize, parts, span)?;
        let mut values = Vec::new();
        for part in parts {
            values.push(self.value_of_type(*part, column)?);
        }
        Ok(self.b.compose(ty, &values))
    }

    pub(super) fn bitcast(&mut self, decl: &TypeDecl<'s>, part: ExprId, span: Span) -> Lowered<Value> {
        let ty = self.type_of(decl)?;
        let value = self.value(part)?;
        match (self.b.components(ty), self.b.components(value.ty)) {
            (Some((n, to)), Some((m, from))) if n == m && to != Scalar::BOOL && from != Scalar::BOOL => {
                Ok(if to == from { value } else { self.b.bitcast(value, to.kind) })
            }
            _ => {
                let (to, from) = (self.type_name(ty), self.type_name(value.ty));
                self.error(span, format!("the bits of a `{from}` cannot be taken for a `{to}`"))
            }
        }
    }
}

/// True if the draft allows the conversion between vectors of these scalar types.
fn to_number(from: Scalar, to: Scalar, strict: bool) -> bool {
    !strict || (from != Scalar::BOOL && to != Scalar::BOOL)
}
