//! Checks statements and the rules for loops: AGSL allows only loops that can be unrolled.

use super::super::syntax::{self, BinaryOp, Stmt as Written};
use super::super::tree::{Case, Constant, Expr, Known, Stmt, StmtId, Variable};
use super::super::types::{Scalar, Type};
use super::{Checker, Frozen, Meaning};
use crate::parts::source::Span;

/// Largest number of iterations of a loop.
const MAX_ITERATIONS: u32 = 100_000;
/// Largest number of iterations counted over all loops, which bounds the time of the check.
pub(super) const MAX_COUNTED: u32 = 20_000_000;

impl Checker<'_> {
    pub(super) fn statement(&mut self, id: syntax::StmtId) -> StmtId {
        let tree = self.tree;
        let (stmt, span) = &tree.stmts[id.0 as usize];
        let span = *span;
        let checked = match stmt {
            Written::Empty => Stmt::Block(Vec::new()),
            Written::Block(list) => {
                self.scopes.push();
                let list = self.list(list);
                self.scopes.pop();
                Stmt::Block(list)
            }
            Written::Declare(group) => {
                let list = group.names.iter().map(|declared| self.local_variable(group, declared)).collect();
                Stmt::Block(list)
            }
            Written::Expr(value) => Stmt::Expr(self.expr(*value)),
            Written::If(condition, yes, no) => {
                let condition = self.condition(*condition);
                let yes = self.scoped(*yes);
                let no = no.map(|no| self.scoped(no));
                Stmt::If(condition, yes, no)
            }
            Written::For { init, test, next, body } => self.for_loop(span, *init, *test, *next, *body),
            Written::Switch(value, cases) => self.switch(*value, cases),
            Written::Break => {
                if self.breakable == 0 {
                    self.error(span, "`break` outside of a loop or `switch`");
                }
                Stmt::Break
            }
            Written::Continue => {
                if self.loops == 0 {
                    self.error(span, "`continue` outside of a loop");
                }
                Stmt::Continue
            }
            Written::Return(value) => self.return_value(span, *value),
        };
        self.stmt(checked, span)
    }

    /// Checks a statement in its own scope.
    fn scoped(&mut self, id: syntax::StmtId) -> StmtId {
        self.scopes.push();
        let stmt = self.statement(id);
        self.scopes.pop();
        stmt
    }

    fn list(&mut self, list: &[syntax::StmtId]) -> Vec<StmtId> {
        let mut out = Vec::new();
        for stmt in list {
            if self.report.full() {
                break;
            }
            out.push(self.statement(*stmt));
        }
        out
    }

    fn local_variable(&mut self, group: &syntax::Variables, declared: &syntax::Declarator) -> StmtId {
        let ty = self.variable_type(&group.ty, declared.array, declared.name);
        let init = self.initial(declared, ty, group.qualifier);
        let text = self.text(declared.name);
        let number = self.local(text, ty);
        self.declare_variable(declared.name, Variable::Local(number), ty, group.qualifier, init);
        self.stmt(Stmt::Local(number, init), declared.name)
    }

    fn condition(&mut self, id: syntax::ExprId) -> super::ExprId {
        let condition = self.expr(id);
        self.coerce(condition, Type::BOOL)
    }

    fn return_value(&mut self, span: Span, value: Option<syntax::ExprId>) -> Stmt {
        let result = self.current.map_or(Type::Void, |f| self.program.functions[f as usize].result);
        match (value, result) {
            (None, Type::Void | Type::Unknown) => Stmt::Return(None),
            (None, ty) => {
                let shown = self.show(ty);
                self.error(span, format!("a value of type `{shown}` must be returned"));
                Stmt::Return(None)
            }
            (Some(value), Type::Void) => {
                self.expr(value);
                self.error(span, "a void function returns no value");
                Stmt::Return(None)
            }
            (Some(value), ty) => {
                let value = self.expr(value);
                Stmt::Return(Some(self.coerce(value, ty)))
            }
        }
    }

    fn switch(&mut self, value: syntax::ExprId, cases: &[syntax::Case]) -> Stmt {
        let value = self.expr(value);
        let value = self.coerce(value, Type::INT);
        let mut seen = Vec::new();
        let mut checked = Vec::new();
        self.breakable += 1;
        self.scopes.push();
        for (i, case) in cases.iter().enumerate() {
            let number = case.value.and_then(|value| self.case_value(value));
            if case.value.is_none() && i + 1 < cases.len() {
                self.error(case.span, "`default` must be the last case");
            }
            if let Some(n) = number {
                if seen.contains(&n) {
                    self.error(case.span, format!("there are two cases for {n}"));
                }
                seen.push(n);
            }
            let body = self.list(&case.body);
            checked.push(Case { value: number, body });
        }
        self.scopes.pop();
        self.breakable -= 1;
        Stmt::Switch(value, checked)
    }

    fn case_value(&mut self, value: syntax::ExprId) -> Option<i32> {
        let value = self.expr(value);
        let value = self.coerce(value, Type::INT);
        let typed = self.typed(value);
        match &typed.expr {
            Expr::Constant(value) => match value[..] {
                [Constant::Int(n)] => return Some(n as i32),
                _ => return None,
            },
            Expr::Wrong => return None,
            _ => {}
        }
        let span = typed.span;
        self.error(span, "the value of a case must be a constant integer");
        None
    }

    // Loops.

    fn for_loop(
        &mut self,
        span: Span,
        init: Option<syntax::StmtId>,
        test: Option<syntax::ExprId>,
        next: Option<syntax::ExprId>,
        body: syntax::StmtId,
    ) -> Stmt {
        let (Some(init), Some(test), Some(next)) = (init, test, next) else {
            self.error(span, "a `for` of AGSL needs all three parts: for (int i = 0; i < 4; i++)");
            return Stmt::Block(Vec::new());
        };
        self.scopes.push();
        let stmt = self.for_parts(init, test, next, body);
        self.scopes.pop();
        stmt.unwrap_or(Stmt::Block(Vec::new()))
    }

    fn for_parts(
        &mut self,
        init: syntax::StmtId,
        test: syntax::ExprId,
        next: syntax::ExprId,
        body: syntax::StmtId,
    ) -> Option<Stmt> {
        let tree = self.tree;
        let (name, variable, ty, start) = self.loop_variable(init)?;
        let init = self.stmt(Stmt::Local(variable, Some(start)), name);
        // Only the third part of the `for` header may change the variable.
        let meaning = |frozen| Meaning::Variable {
            variable: Variable::Local(variable),
            ty,
            frozen,
            known: Known::Unrolled,
            value: None,
        };
        self.declare(name, meaning(Some(Frozen::Loop)));
        let text = self.text(name);

        let test_span = tree.span(test);
        let test = self.condition(test);
        let test_parts = self.loop_test(test, variable);
        // The third part may change the variable.
        self.scopes.push();
        self.declare(name, meaning(None));
        let next_span = tree.span(next);
        let next = self.expr(next);
        self.scopes.pop();
        let step = self.loop_step(next, variable);

        self.loops += 1;
        self.breakable += 1;
        let body = self.scoped(body);
        self.loops -= 1;
        self.breakable -= 1;

        if !self.is_wrong(test) {
            match test_parts {
                None => self.error(test_span, format!("the condition must compare `{text}` with a constant")),
                Some((op, end)) => match (step, self.is_wrong(next)) {
                    (_, true) => {}
                    (None, _) => {
                        let message = format!(
                            "this must be {text}++, {text}--, {text} += constant or {text} -= constant"
                        );
                        self.error(next_span, message);
                    }
                    (Some((up, by)), _) => self.count(test_span, start, op, end, up, by),
                },
            }
        }
        Some(Stmt::For { init, test, next, body })
    }

    /// Returns the operator and bound of a comparison of the loop variable.
    fn loop_test(&self, test: super::ExprId, variable: u32) -> Option<(BinaryOp, super::ExprId)> {
        use BinaryOp as B;
        match &self.typed(test).expr {
            Expr::Binary(
                op @ (B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual),
                left,
                right,
            ) => self.is_local(*left, variable).then_some((*op, *right)),
            _ => None,
        }
    }

    /// Returns the direction of the loop variable (`true` for up) and its step; a missing step is 1.
    fn loop_step(&self, next: super::ExprId, variable: u32) -> Option<(bool, Option<super::ExprId>)> {
        let (target, up, by) = match &self.typed(next).expr {
            Expr::Step { target, up, .. } => (*target, *up, None),
            Expr::Assign(Some(BinaryOp::Add), target, by) => (*target, true, Some(*by)),
            Expr::Assign(Some(BinaryOp::Sub), target, by) => (*target, false, Some(*by)),
            _ => return None,
        };
        self.is_local(target, variable).then_some((up, by))
    }

    fn is_local(&self, id: super::ExprId, variable: u32) -> bool {
        matches!(&self.typed(id).expr, Expr::Variable(Variable::Local(v)) if *v == variable)
    }

    fn is_wrong(&self, id: super::ExprId) -> bool {
        matches!(self.typed(id).ty, Type::Unknown)
    }

    /// Parses `int i = 0` or `float x = 0.5`: place of the name, number, type and initial value of the variable.
    fn loop_variable(&mut self, init: syntax::StmtId) -> Option<(Span, u32, Type, super::ExprId)> {
        let tree = self.tree;
        let (stmt, span) = &tree.stmts[init.0 as usize];
        let wrong = "the first part must declare one `int` or `float` with a constant value";
        let Written::Declare(group) = stmt else {
            self.error(*span, wrong);
            return None;
        };
        let &[declared] = &group.names[..] else {
            self.error(*span, wrong);
            return None;
        };
        let ty = self.variable_type(&group.ty, declared.array, declared.name);
        let number = ty.number().filter(|n| n.is_scalar() && n.scalar != Scalar::Bool);
        let start = self.initial(&declared, ty, group.qualifier);
        if ty == Type::Unknown {
            return None;
        }
        let (Some(_), Some(start), syntax::Qualifier::None) = (number, start, group.qualifier) else {
            self.error(*span, wrong);
            return None;
        };
        if self.is_wrong(start) {
            return None;
        }
        if !matches!(self.typed(start).expr, Expr::Constant(_)) {
            let place = self.typed(start).span;
            self.error(place, "the first value of a loop variable must be constant");
            return None;
        }
        let text = self.text(declared.name);
        let variable = self.local(text, ty);
        Some((declared.name, variable, ty, start))
    }

    /// Counts the iterations by following the loop variable; a loop that does not end is an error.
    fn count(
        &mut self,
        span: Span,
        start: super::ExprId,
        op: BinaryOp,
        end: super::ExprId,
        up: bool,
        by: Option<super::ExprId>,
    ) {
        let value = |id: super::ExprId| match &self.typed(id).expr {
            Expr::Constant(value) => value.first().copied(),
            _ => None,
        };
        let (Some(start), Some(end_value)) = (value(start), value(end)) else {
            let place = self.typed(end).span;
            self.error(place, "the end of a loop must be constant");
            return;
        };
        let step = match by {
            None => Some(None),
            Some(by) => value(by).map(Some),
        };
        let Some(step) = step else {
            let place = by.map_or(span, |by| self.typed(by).span);
            self.error(place, "the step of a loop must be constant");
            return;
        };
        let most = MAX_ITERATIONS.min(self.iterations);
        let count = match (start, end_value, step) {
            (Constant::Int(from), Constant::Int(to), None | Some(Constant::Int(_))) => {
                let (from, to) = (from as i32, to as i32);
                let step = if let Some(Constant::Int(n)) = step { n as i32 } else { 1 };
                let next = |i: i32| if up { i.wrapping_add(step) } else { i.wrapping_sub(step) };
                iterations(from, next, |i| compare(op, i, to), most)
            }
            (Constant::Float(from), Constant::Float(to), None | Some(Constant::Float(_))) => {
                let step = if let Some(Constant::Float(x)) = step { x } else { 1.0 };
                let next = |x: f32| if up { x + step } else { x - step };
                iterations(from, next, |x| compare(op, x, to), most)
            }
            // Mismatched types have already been reported.
            _ => Some(0),
        };
        match count {
            Some(count) => self.iterations -= count,
            None => self.error(span, format!("the loop does not end within {MAX_ITERATIONS} iterations")),
        }
    }

    // Control flow.

    /// True if a statement ends with a `return` on every path.
    pub(super) fn returns(&self, id: StmtId) -> bool {
        match &self.program.stmts[id.0 as usize].0 {
            Stmt::Return(_) => true,
            Stmt::Block(list) => list.iter().any(|stmt| self.returns(*stmt)),
            Stmt::If(_, yes, Some(no)) => self.returns(*yes) && self.returns(*no),
            Stmt::Switch(_, cases) => {
                let complete = cases.last().is_some_and(|case| {
                    case.value.is_none() && case.body.iter().any(|stmt| self.returns(*stmt))
                });
                complete && !cases.iter().any(|case| case.body.iter().any(|stmt| self.breaks(*stmt)))
            }
            _ => false,
        }
    }

    /// True if a statement contains a `break` that leaves the enclosing `switch`.
    fn breaks(&self, id: StmtId) -> bool {
        match &self.program.stmts[id.0 as usize].0 {
            Stmt::Break => true,
            Stmt::Block(list) => list.iter().any(|stmt| self.breaks(*stmt)),
            Stmt::If(_, yes, no) => self.breaks(*yes) || no.is_some_and(|no| self.breaks(no)),
            _ => false,
        }
    }
}

fn compare<T: PartialOrd>(op: BinaryOp, a: T, b: T) -> bool {
    match op {
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::Greater => a > b,
        BinaryOp::GreaterEqual => a >= b,
        BinaryOp::Equal => a == b,
        _ => a != b,
    }
}

/// Returns the number of iterations of a loop; `None` if there are more than `most`.
fn iterations<T: Copy>(start: T, next: impl Fn(T) -> T, holds: impl Fn(T) -> bool, most: u32) -> Option<u32> {
    let mut value = start;
    for count in 0..=most {
        if !holds(value) {
            return Some(count);
        }
        value = next(value);
    }
    None
}
