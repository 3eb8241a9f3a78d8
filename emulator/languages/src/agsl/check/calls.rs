//! Calls: functions of the program, built-in ones, constructors, and `eval` of children.

use super::super::functions::{Argument, Builtin, FUNCTIONS};
use super::super::syntax::{self, Expr as Written};
use super::super::tree::{Constant, Direction, Expr, ExprId, Known};
use super::super::types::{Number, Scalar, Type};
use super::expressions::LETTERS;
use super::{Checker, Meaning, fold};
use crate::parts::source::Span;

impl Checker<'_> {
    pub(super) fn call(&mut self, name: Span, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let text = self.text(name);
        match self.scopes.get(text) {
            Some(Meaning::Struct(n)) => return self.construct_struct(*n, arguments, span),
            Some(_) => return self.refuse(name, format!("`{text}` is not a function")),
            None => {}
        }
        match Type::named(text) {
            Some(Type::Number(n)) => return self.construct(n, arguments, span),
            Some(_) => return self.refuse(name, format!("`{text}` has no constructor")),
            None => {}
        }
        if self.is_unknown(&arguments) {
            return self.wrong(span);
        }
        if let Some(function) = self.overload(text, &arguments) {
            return self.call_function(function, arguments, name, span);
        }
        let types: Vec<Argument> = arguments.iter().map(|a| (self.ty(*a), self.typed(*a).literal)).collect();
        let found = FUNCTIONS.iter().filter(|f| f.name == text).find_map(|f| Some((f, f.fit(&types)?)));
        if let Some((builtin, (parameters, result))) = found {
            return self.call_builtin(builtin, arguments, &parameters, result, span);
        }
        let known = self.functions.contains_key(text) || FUNCTIONS.iter().any(|f| f.name == text);
        let message = if known {
            let types: Vec<String> = arguments.iter().map(|a| self.show(self.ty(*a))).collect();
            format!("no `{text}` takes ({})", types.join(", "))
        } else {
            match text {
                "dFdx" | "dFdy" | "fwidth" => format!("AGSL has no derivatives: `{text}`"),
                _ if text.starts_with("texture") => {
                    format!("AGSL has no `{text}`: declare a `uniform shader` and call its eval(coord)")
                }
                _ => format!("there is no function `{text}`"),
            }
        };
        self.refuse(name, message)
    }

    /// Returns the overload of the called function that accepts the arguments with the fewest conversions.
    fn overload(&self, name: &str, arguments: &[ExprId]) -> Option<u32> {
        let cost = |function: u32| {
            let parameters = &self.program.functions[function as usize].parameters;
            if parameters.len() != arguments.len() {
                return None;
            }
            parameters.iter().zip(arguments).try_fold(0u32, |sum, ((ty, _), argument)| {
                let typed = self.typed(*argument);
                let constant = matches!(typed.expr, Expr::Constant(_));
                Some(sum.saturating_add(match typed.ty {
                    given if given == *ty => 0,
                    given if given.same(*ty) => u32::from(!constant),
                    _ if typed.literal && ty.same(Type::FLOAT) => 2,
                    _ if *ty == Type::Unknown => 0,
                    _ => return None,
                }))
            })
        };
        let fits = self.functions.get(name)?.iter().filter_map(|f| Some((cost(*f)?, *f)));
        fits.min_by_key(|(cost, _)| *cost).map(|(_, f)| f)
    }

    fn call_function(&mut self, function: u32, arguments: Vec<ExprId>, name: Span, span: Span) -> ExprId {
        let callee = &self.program.functions[function as usize];
        let (result, parameters) = (callee.result, callee.parameters.clone());
        let mut given = Vec::new();
        for ((ty, direction), argument) in parameters.iter().zip(arguments) {
            if *direction != Direction::In {
                let place = self.typed(argument).span;
                if let Some(why) = self.frozen(argument) {
                    self.error(place, format!("an `out` argument must be assignable: {why}"));
                } else if self.ty(argument) != *ty {
                    let (wanted, is) = (self.show(*ty), self.show(self.ty(argument)));
                    self.error(place, format!("an `out` argument must be `{wanted}`, but this is `{is}`"));
                }
            }
            given.push(self.coerce(argument, *ty));
        }
        if let Some(current) = self.current {
            self.calls[current as usize].push((function, name));
        }
        let parts = given.clone();
        let id = self.node(Expr::Call(function, given), result, span, &parts, Known::Never);
        self.with_effects(id)
    }

    fn call_builtin(
        &mut self,
        builtin: &'static Builtin,
        arguments: Vec<ExprId>,
        parameters: &[Number],
        result: Number,
        span: Span,
    ) -> ExprId {
        let arguments: Vec<ExprId> =
            arguments.into_iter().zip(parameters).map(|(a, ty)| self.coerce(a, Type::Number(*ty))).collect();
        let values: Option<Vec<&[Constant]>> = arguments.iter().map(|a| self.value(*a)).collect();
        if let Some(value) = values.and_then(|values| fold::function(builtin.fun, &values)) {
            return self.constant(value, Type::Number(result), span);
        }
        let parts = arguments.clone();
        self.node(Expr::Builtin(builtin, arguments), Type::Number(result), span, &parts, Known::Always)
    }

    fn construct_struct(&mut self, number: u32, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let structure = self.program.structs[number as usize].clone();
        if self.holds_array(Type::Struct(number)) {
            return self.refuse(span, format!("`{}` holds an array: it has no constructor", structure.name));
        }
        if arguments.len() != structure.fields.len() {
            let (wanted, given) = (structure.fields.len(), arguments.len());
            return self
                .refuse(span, format!("`{}` has {wanted} members, but {given} are given", structure.name));
        }
        let parts: Vec<ExprId> =
            arguments.into_iter().zip(&structure.fields).map(|(a, (_, ty))| self.coerce(a, *ty)).collect();
        self.node(Expr::Construct(parts.clone()), Type::Struct(number), span, &parts, Known::Always)
    }

    /// A constructor of a scalar, vector or matrix.
    fn construct(&mut self, to: Number, arguments: Vec<ExprId>, span: Span) -> ExprId {
        if self.is_unknown(&arguments) {
            return self.wrong(span);
        }
        let mut given = Vec::new();
        for argument in &arguments {
            let Some(n) = self.ty(*argument).number() else {
                let (shown, place) = (self.show(self.ty(*argument)), self.typed(*argument).span);
                return self
                    .refuse(place, format!("`{shown}` cannot be a part of a `{}`", super::show_number(to)));
            };
            given.push(n);
        }
        let ty = Type::Number(to);
        let expr = match (&given[..], &arguments[..]) {
            ([one], [argument]) if one.is_scalar() && to.size() > 1 => {
                let argument = self.convert(*argument, to.component());
                if to.is_matrix() { Expr::Diagonal(argument) } else { Expr::Splat(argument) }
            }
            ([one], [argument]) if (one.columns, one.rows) == (to.columns, to.rows) => {
                // A conversion of each component.
                let argument = self.convert(*argument, to);
                // Even a conversion of precision alone is not an assignable expression.
                Expr::Convert(argument)
            }
            _ => {
                let sum: u32 = given.iter().map(|n| n.size()).sum();
                if let Some(message) = wrong_parts(to, &given, sum) {
                    return self.refuse(span, message);
                }
                Expr::Construct(arguments.iter().map(|a| self.convert_parts(*a, to.scalar)).collect())
            }
        };
        self.fold_construct(expr, ty, to, span, &arguments)
    }

    /// Evaluates the constructor if its arguments are constant.
    fn fold_construct(
        &mut self,
        expr: Expr,
        ty: Type,
        to: Number,
        span: Span,
        arguments: &[ExprId],
    ) -> ExprId {
        let value = match &expr {
            Expr::Splat(one) => self.value(*one).map(|v| v.repeat(to.size() as usize)),
            Expr::Convert(one) => self.value(*one).map(<[Constant]>::to_vec),
            Expr::Construct(parts) => {
                let values: Option<Vec<&[Constant]>> = parts.iter().map(|p| self.value(*p)).collect();
                values.map(|values| values.concat())
            }
            _ => None,
        };
        match value {
            Some(value) => self.constant(value, ty, span),
            None => self.node(expr, ty, span, arguments, Known::Always),
        }
    }

    /// Converts a scalar, vector or matrix to the same shape of another scalar type.
    fn convert(&mut self, id: ExprId, to: Number) -> ExprId {
        let typed = self.typed(id);
        let span = typed.span;
        if typed.ty.number().is_some_and(|n| n.scalar == to.scalar) {
            return self.narrowed(id);
        }
        if let Some(value) = self.value(id) {
            let value = value.iter().map(|c| fold::convert(*c, to.scalar)).collect();
            return self.constant(value, Type::Number(to), span);
        }
        self.node(Expr::Convert(id), Type::Number(to), span, &[id], Known::Always)
    }

    /// Converts one argument of a constructor to the constructor's scalar type.
    fn convert_parts(&mut self, id: ExprId, to: Scalar) -> ExprId {
        match self.ty(id).number() {
            Some(n) => self.convert(id, n.of(to)),
            None => id,
        }
    }

    /// Checks `child.eval(...)`.
    pub(super) fn method(
        &mut self,
        base: syntax::ExprId,
        name: Span,
        arguments: &[syntax::ExprId],
        span: Span,
    ) -> ExprId {
        let arguments: Vec<ExprId> = arguments.iter().map(|a| self.expr(*a)).collect();
        let tree = self.tree;
        let (written, place) = &tree.exprs[base.0 as usize];
        let child = match written {
            Written::Name => match self.scopes.get(self.text(*place)) {
                Some(Meaning::Child(n)) => Some(*n),
                _ => None,
            },
            _ => None,
        };
        let method = self.text(name);
        let Some(number) = child else {
            return self
                .refuse(name, format!("`{method}` is not a member: only children have a method, `eval`"));
        };
        if method != "eval" {
            return self.refuse(name, format!("children have one method, `eval`, not `{method}`"));
        }
        let kind = self.program.children[number as usize].kind;
        let wanted = kind.parameters();
        if arguments.len() != wanted.len() {
            let message = format!("`eval` of a `{}` takes {} arguments", kind.name(), wanted.len());
            return self.refuse(span, message);
        }
        let arguments: Vec<ExprId> =
            arguments.into_iter().zip(wanted).map(|(a, n)| self.coerce(a, Type::Number(*n))).collect();
        let color = Type::Number(Number { low: true, ..Number::vector(Scalar::Float, 4) });
        let parts = arguments.clone();
        // The child program may change its own variables but none of this program, so the call has no effects here.
        self.node(Expr::Eval(number, arguments), color, span, &parts, Known::Never)
    }
}

/// Returns the error in a constructor's arguments, which have `sum` components in all.
fn wrong_parts(to: Number, given: &[Number], sum: u32) -> Option<String> {
    let name = super::show_number(to);
    if let Some(matrix) = given.iter().find(|n| n.is_matrix()) {
        return Some(format!("a `{name}` cannot be made of a `{}`", super::show_number(*matrix)));
    }
    if sum == to.size() {
        return None;
    }
    Some(match (given, to.is_scalar() || to.is_vector()) {
        ([one], true) if one.size() > to.size() => {
            let letters = &LETTERS[0][..to.size() as usize];
            format!("a constructor does not drop components: use a swizzle, as in value.{letters}")
        }
        _ => format!("a `{name}` has {} components, but {sum} are given", to.size()),
    })
}
