//! Checks functions: declarations and definitions, the call order, and `main`.

use super::super::syntax::{self, Parameter, TypeName};
use super::super::tree::{Direction, Function, Known, Local, Program, Variable};
use super::super::types::{AgslKind, Number, Scalar, Type};
use super::{Checker, Frozen, Meaning};
use crate::parts::source::Span;

impl Checker<'_> {
    pub(super) fn function(
        &mut self,
        result: &TypeName,
        name: Span,
        parameters: &[Parameter],
        body: Option<syntax::StmtId>,
    ) {
        let result_ty = self.resolve(result, None);
        if self.holds_array(result_ty) || matches!(result_ty, Type::Child(_)) {
            let shown = self.show(result_ty);
            self.error(result.name, format!("a function cannot return `{shown}`"));
        }
        let mut types = Vec::new();
        for parameter in parameters {
            let ty = self.variable_type(
                &parameter.ty,
                parameter.array,
                parameter.name.unwrap_or(parameter.ty.name),
            );
            if parameter.constant && parameter.direction != Direction::In {
                self.error(parameter.ty.name, "a `const` parameter cannot be `out`");
            }
            types.push((ty, parameter.direction));
        }
        let number = self.declare_function(name, result_ty, types, body.is_some());
        let Some(body) = body else { return };
        self.current = Some(number);
        self.scopes.push();
        for parameter in parameters {
            self.parameter(parameter, number);
        }
        let body = self.statement(body);
        self.scopes.pop();
        self.current = None;
        let has_result = !matches!(result_ty, Type::Void | Type::Unknown);
        if self.whole && has_result && !self.returns(body) {
            let text = self.text(name);
            self.error(name, format!("`{text}` can end without returning a value"));
        }
        self.program.functions[number as usize].body = Some(body);
    }

    /// Returns the number of the function that a declaration names; a first declaration adds the function.
    fn declare_function(
        &mut self,
        name: Span,
        result: Type,
        types: Vec<(Type, Direction)>,
        defined: bool,
    ) -> u32 {
        let text = self.text(name);
        if Type::named(text).is_some() || self.scopes.get(text).is_some() {
            self.error(name, format!("`{text}` cannot name a function: it has another meaning"));
        }
        let overloads = self.functions.get(text).cloned().unwrap_or_default();
        for number in overloads {
            let other = &self.program.functions[number as usize];
            let same = other.parameters.len() == types.len()
                && other.parameters.iter().zip(&types).all(|(a, b)| a.0 == b.0);
            if !same {
                continue;
            }
            let (again, differs) =
                (defined && other.body.is_some(), other.result != result || other.parameters != types);
            if again {
                self.error(name, format!("`{text}` with these parameters is defined already"));
            } else if differs {
                self.error(
                    name,
                    format!("`{text}` was declared with another result or other `out` parameters"),
                );
            }
            return number;
        }
        let number = self.program.functions.len() as u32;
        self.program.functions.push(Function {
            name: text.to_owned(),
            span: name,
            result,
            parameters: types,
            locals: Vec::new(),
            body: None,
        });
        self.calls.push(Vec::new());
        self.functions.entry(text.to_owned()).or_default().push(number);
        number
    }

    /// Declares a parameter in the scope of the function.
    fn parameter(&mut self, parameter: &Parameter, function: u32) {
        let function = &mut self.program.functions[function as usize];
        let number = function.locals.len();
        let ty = function.parameters.get(number).map_or(Type::Unknown, |p| p.0);
        let text = parameter.name.map_or("", |name| name.of(self.source));
        function.locals.push(Local { name: text.to_owned(), ty });
        if let Some(name) = parameter.name {
            let frozen = parameter.constant.then_some(Frozen::Const);
            let variable = Variable::Local(number as u32);
            self.declare(name, Meaning::Variable { variable, ty, frozen, known: Known::Never, value: None });
        }
    }

    /// Adds a variable to the function that is being checked.
    pub(super) fn local(&mut self, name: &str, ty: Type) -> u32 {
        let Some(function) = self.current.and_then(|n| self.program.functions.get_mut(n as usize)) else {
            return 0;
        };
        function.locals.push(Local { name: name.to_owned(), ty });
        function.locals.len() as u32 - 1
    }

    // Completion of the program.

    pub(super) fn finish(mut self) -> Option<Program> {
        self.order_functions();
        if self.report.is_empty() {
            self.find_main();
        }
        self.report.is_empty().then_some(self.program)
    }

    fn find_main(&mut self) {
        const SHAPES: &str = "`half4 main(float2 coord)`, a colour filter's `half4 main(half4 color)` or a blender's \
                              `half4 main(half4 src, half4 dst)`";
        let mains = self.functions.get("main").cloned().unwrap_or_default();
        let Some(&number) = mains.first() else {
            self.error(Span::new(0, 0), format!("there is no `main`: a program has {SHAPES}"));
            return;
        };
        if let Some(&second) = mains.get(1) {
            let span = self.program.functions[second as usize].span;
            self.error(span, "a program has one `main`");
            return;
        }
        let main = &self.program.functions[number as usize];
        let span = main.span;
        let of = |kind: AgslKind| {
            let wanted = kind.parameters();
            main.parameters.len() == wanted.len()
                && main.parameters.iter().zip(wanted).all(|((ty, direction), number)| {
                    ty.same(Type::Number(*number)) && *direction == Direction::In
                })
        };
        let kind =
            [AgslKind::Shader, AgslKind::ColorFilter, AgslKind::Blender].into_iter().find(|kind| of(*kind));
        let color = main.result.same(Type::Number(Number::vector(Scalar::Float, 4)));
        match kind {
            Some(kind) if color => (self.program.kind, self.program.main) = (kind, number),
            _ => self.error(span, format!("this is not a valid `main`: expected {SHAPES}")),
        }
    }

    /// Orders functions after those that they call; reports recursion and calls of undefined functions.
    fn order_functions(&mut self) {
        let n = self.program.functions.len();
        // 0: not visited, 1: being visited, 2: done.
        let mut state = vec![0u8; n];
        for first in 0..n as u32 {
            if state[first as usize] != 0 {
                continue;
            }
            state[first as usize] = 1;
            let mut path: Vec<(u32, usize)> = vec![(first, 0)];
            while let Some((function, next)) = path.last_mut() {
                let function = *function;
                let Some(&(callee, span)) = self.calls[function as usize].get(*next) else {
                    state[function as usize] = 2;
                    self.program.order.push(function);
                    path.pop();
                    continue;
                };
                *next += 1;
                match state[callee as usize] {
                    0 => {
                        state[callee as usize] = 1;
                        path.push((callee, 0));
                    }
                    1 => {
                        let from = path.iter().position(|(f, _)| *f == callee).unwrap_or(0);
                        let name = |f: u32| self.program.functions[f as usize].name.as_str();
                        let mut chain: Vec<&str> = path[from..].iter().map(|(f, _)| name(*f)).collect();
                        chain.push(name(callee));
                        let message = format!("recursion is not allowed: {}", chain.join(" calls "));
                        self.report.error(span, message);
                    }
                    _ => {}
                }
            }
        }
        let calls = std::mem::take(&mut self.calls);
        for (callee, span) in calls.into_iter().flatten() {
            let function = &self.program.functions[callee as usize];
            if function.body.is_none() {
                let message = format!("`{}` is declared, but not defined", function.name);
                self.report.error(span, message);
            }
        }
    }
}
