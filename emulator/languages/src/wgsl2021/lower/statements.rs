//! Lowers statements. Each function returns whether the code after the statement is reachable.

use naga::{Scalar, ScalarKind, Statement as S, SwitchCase, SwitchValue, UnaryOperator};
use rustc_hash::FxHashSet;

use super::super::super::parts::build::{Ty, Value};
use super::super::super::parts::source::Span;
use super::super::tree::{Block, Case, ExprId, ExprKind, Literal, Statement, StatementKind, Typed};
use super::flow::Construct;
use super::{Entity, Lower, Lowered, Name};

/// Largest total size of the statements that `fallthrough` lowers again, in bytes of source.
const MAX_REPEATED: u32 = 2 << 20;

impl<'s> Lower<'s, '_> {
    /// Lowers the statements of a block in its own scope. Returns true if the end of the block is reachable.
    pub(super) fn block(&mut self, block: &Block<'s>) -> bool {
        self.scopes.push();
        self.current.depth += 1;
        let reached = self.statements(&block.statements);
        self.current.depth -= 1;
        self.scopes.pop();
        reached
    }

    fn statements(&mut self, statements: &[Statement<'s>]) -> bool {
        let mut reached = true;
        let mut breaks = None;
        for (i, statement) in statements.iter().enumerate() {
            if self.report.full() {
                break;
            }
            self.b.at(statement.span);
            let goes_on = self.statement(statement).unwrap_or(true);
            if !goes_on && reached {
                reached = false;
                if matches!(statement.kind, StatementKind::Return(_))
                    && let Some(next) = statements.get(i + 1)
                {
                    self.strictly(next.span, "a `return` is the last statement of its block");
                }
                // Unreachable statements are checked, but their code is dropped, and no `break` of them leaves a loop.
                breaks = self.current.constructs.last().map(|construct| construct.breaks);
                self.b.begin_block();
            }
        }
        if !reached {
            drop(self.b.end_block());
        }
        if let (Some(breaks), Some(construct)) = (breaks, self.current.constructs.last_mut()) {
            construct.breaks = breaks;
        }
        reached
    }

    fn statement(&mut self, statement: &Statement<'s>) -> Lowered<bool> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Block(block) => return Ok(self.block(block)),
            StatementKind::Var { variable, class, init } => self.local(variable, *class, *init)?,
            StatementKind::Const { constant, init } => self.local_constant(constant, *init)?,
            StatementKind::Assign { to, value } => self.assign(*to, *value, span)?,
            StatementKind::Call(call) => {
                let tree = self.tree;
                if let ExprKind::Call(name, arguments) = &tree.get(*call).kind {
                    self.call(*name, arguments, span)?;
                }
            }
            StatementKind::If { clauses, otherwise } => return self.if_else(clauses, otherwise.as_ref()),
            StatementKind::Switch { selector, cases } => return self.switch(*selector, cases, span),
            StatementKind::Loop { body, continuing } => {
                return Ok(self.endless(body, None, continuing.as_ref(), None));
            }
            StatementKind::For { init, condition, update, body } => {
                self.scopes.push();
                self.current.depth += 1;
                if let Some(init) = init {
                    let _ = self.statement(init);
                }
                let reached = self.endless(body, *condition, None, update.as_deref());
                self.current.depth -= 1;
                self.scopes.pop();
                return Ok(reached);
            }
            StatementKind::Break => {
                self.break_out(span)?;
                self.b.push(S::Break);
                return Ok(false);
            }
            StatementKind::Continue => {
                self.continue_on(span)?;
                self.b.push(S::Continue);
                return Ok(false);
            }
            StatementKind::Return(value) => {
                self.return_value(*value, span)?;
                return Ok(false);
            }
            StatementKind::Broken(name) => {
                let _ = self.scopes.declare(name.text, Entity::Wrong, name.span);
            }
            StatementKind::Discard => {
                self.leave("discard", span)?;
                self.current.uses.discards.get_or_insert(span);
                self.b.push(S::Kill);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Declares a name after its initial value was lowered. A failed declaration is recorded too, so that its uses
    /// cause no further errors.
    fn declare_local(&mut self, name: Name<'s>, entity: Lowered<Entity>) -> Lowered<()> {
        match entity {
            Ok(entity) => {
                self.note_declaration(name.text);
                self.declare(name, entity)
            }
            Err(failed) => {
                let _ = self.scopes.declare(name.text, Entity::Wrong, name.span);
                Err(failed)
            }
        }
    }

    fn local(&mut self, variable: &Typed<'s>, class: Option<Name<'s>>, init: Option<ExprId>) -> Lowered<()> {
        if let Some(class) = class.filter(|class| class.text != "function") {
            self.report.error(class.span, "variables of functions are of the class `function`");
        }
        self.check_attributes(&variable.attributes, &[], "a variable of a function");
        let entity = self.local_entity(variable, init);
        self.declare_local(variable.name, entity)
    }

    fn local_entity(&mut self, variable: &Typed<'s>, init: Option<ExprId>) -> Lowered<Entity> {
        let name = variable.name;
        let ty = variable.ty.as_ref().map(|ty| self.type_of(ty)).transpose()?;
        let value = match (ty, init) {
            (Some(ty), Some(init)) => Some(self.value_of_type(init, ty)?),
            (None, Some(init)) => Some(self.value(init)?),
            (Some(_), None) => None,
            (None, None) => {
                return self.error(
                    name.span,
                    format!("the variable `{}` has neither a type nor a value", name.text),
                );
            }
        };
        let ty = ty.or(value.map(|value| value.ty)).unwrap_or_else(|| self.b.scalar(Scalar::I32));
        if !self.is_storable(ty) || self.is_runtime_sized(ty) {
            let (span, ty) = (variable.ty.as_ref().map_or(name.span, |ty| ty.span), self.type_name(ty));
            return self.error(span, format!("a variable cannot hold a value of type `{ty}`"));
        }
        let pointer = self.b.local(name.text, ty, None);
        // Without an initial value the variable is zero at function entry; in a loop, each iteration must reset it.
        match value {
            Some(value) => self.b.store(pointer, value),
            None if self.current.constructs.is_empty() => {}
            None => {
                let zero = self.b.zero(ty);
                self.b.store(pointer, zero);
            }
        }
        Ok(Entity::Pointer(pointer))
    }

    fn local_constant(&mut self, constant: &Typed<'s>, init: ExprId) -> Lowered<()> {
        self.check_attributes(&constant.attributes, &[], "a constant of a function");
        let entity = self.constant_entity(constant, init);
        self.declare_local(constant.name, entity)
    }

    fn constant_entity(&mut self, constant: &Typed<'s>, init: ExprId) -> Lowered<Entity> {
        let ty = constant.ty.as_ref().map(|ty| self.type_of(ty)).transpose()?;
        let address = |this: &Self| {
            matches!(this.tree.get(init).kind, ExprKind::Unary(super::super::tree::Unary::AddressOf, _))
        };
        let pointer = ty.map_or_else(|| address(self), |ty| self.b.pointee(ty).is_some());
        if pointer {
            return self.pointer_constant(ty, init);
        }
        let value = match ty {
            Some(ty) => self.value_of_type(init, ty)?,
            None => self.value(init)?,
        };
        let value = self.of_constant(init, value);
        self.b.name(value, constant.name.text);
        Ok(Entity::Value(value))
    }

    /// Declares a constant that is a pointer, which is another name for a place.
    fn pointer_constant(&mut self, wanted: Option<Ty>, init: ExprId) -> Lowered<Entity> {
        let span = self.tree.span(init);
        // Either way, an index is evaluated once, here.
        let of_module = matches!(self.root(init), Some((_, Entity::Global(_) | Entity::Place(_))));
        let (entity, found, space) = if of_module {
            let (path, found) = self.path(init)?;
            let space = self.globals[path.global].class.space();
            (Entity::Place(path), found, space)
        } else {
            let place = self.place(init)?;
            let Some((found, space)) = self.b.pointee(place.ty) else {
                return self.error(span, "expected a variable, or a part of one");
            };
            (Entity::Pointer(place), found, space)
        };
        if let Some(wanted) = wanted {
            let (ty, class) = self.b.pointee(wanted).unwrap_or((wanted, space));
            if ty != found || std::mem::discriminant(&class) != std::mem::discriminant(&space) {
                let found = self.b.pointer(found, space);
                return self.mismatch(span, wanted, found);
            }
        }
        Ok(entity)
    }

    fn assign(&mut self, to: ExprId, value: ExprId, span: Span) -> Lowered<()> {
        let place = self.assignable(to);
        let place = match place {
            Ok(place) => place,
            Err(failed) => {
                let _ = self.value(value);
                return Err(failed);
            }
        };
        let Some((ty, _)) = self.b.pointee(place.ty) else { return Err(super::Failed) };
        let value = self.value_of_type(value, ty)?;
        self.b.at(span);
        self.b.store(place, value);
        Ok(())
    }

    /// Returns the pointer that an assignment writes through.
    fn assignable(&mut self, to: ExprId) -> Lowered<Value> {
        let span = self.tree.span(to);
        if let Some((name, entity)) = self.root(to) {
            let class = match entity {
                Entity::Global(number) => Some(self.globals[number].class),
                Entity::Place(path) => Some(self.globals[path.global].class),
                Entity::Value(_) | Entity::Constant(_) => {
                    return self.error(span, format!("`{name}` is a constant and cannot be assigned to"));
                }
                _ => None,
            };
            if let Some(class) = class.filter(|class| !class.is_writable()) {
                let why = match class {
                    super::globals::Class::Storage(_) => "whose access is `read`".to_owned(),
                    class => format!("of the class `{}`", class.name()),
                };
                return self.error(span, format!("`{name}` is a variable {why} and cannot be assigned to"));
            }
        }
        let place = self.place(to)?;
        match self.b.pointee(place.ty) {
            Some((ty, _)) if self.is_runtime_sized(ty) => {
                self.error(span, "a runtime-sized array cannot be assigned as a whole")
            }
            Some(_) => Ok(place),
            None => self.error(
                span,
                "only variables and parts of them are assigned to, not several components at once",
            ),
        }
    }

    /// Returns the root name of a chain of members and indices, and its meaning.
    fn root(&self, mut id: ExprId) -> Option<(&'s str, Entity)> {
        loop {
            match &self.tree.get(id).kind {
                ExprKind::Member(base, _) | ExprKind::Index(base, _) | ExprKind::Unary(_, base) => id = *base,
                ExprKind::Name(name) => return Some((name, self.scopes.get(name)?.clone())),
                _ => return None,
            }
        }
    }

    fn condition(&mut self, id: ExprId) -> Lowered<Value> {
        let ty = self.b.scalar(Scalar::BOOL);
        self.value_of_type(id, ty)
    }

    fn if_else(&mut self, clauses: &[(ExprId, Block<'s>)], otherwise: Option<&Block<'s>>) -> Lowered<bool> {
        let Some(((condition, then), rest)) = clauses.split_first() else {
            return Ok(otherwise.is_none_or(|otherwise| self.block(otherwise)));
        };
        let condition = self.condition(*condition);
        self.b.begin_block();
        let mut reached = self.block(then);
        let accept = self.b.end_block();
        self.b.begin_block();
        reached |= if rest.is_empty() && otherwise.is_none() { true } else { self.if_else(rest, otherwise)? };
        let reject = self.b.end_block();
        self.b.push(S::If { condition: condition?.expr, accept, reject });
        Ok(reached)
    }

    /// Lowers a loop, with the condition and update of a `for`.
    fn endless(
        &mut self,
        body: &Block<'s>,
        condition: Option<ExprId>,
        continuing: Option<&Block<'s>>,
        update: Option<&Statement<'s>>,
    ) -> bool {
        let depth = self.current.depth + 1;
        self.current.constructs.push(Construct { is_loop: true, depth, ..Construct::default() });
        self.b.begin_block();
        if let Some(condition) = condition
            && let Ok(condition) = self.condition(condition)
        {
            self.b.begin_block();
            self.b.push(S::Break);
            let reject = self.b.end_block();
            self.b.push(S::If { condition: condition.expr, accept: naga::Block::new(), reject });
        }
        // `continuing` shares the scope of the body.
        self.scopes.push();
        self.current.depth += 1;
        self.statements(&body.statements);
        let body = self.b.end_block();
        if let Some(construct) = self.current.constructs.last_mut() {
            construct.in_continuing = true;
        }
        self.b.begin_block();
        let break_if = continuing.and_then(|continuing| self.continuing(continuing));
        if let Some(update) = update {
            self.b.at(update.span);
            let _ = self.statement(update);
        }
        let continuing = self.b.end_block();
        self.current.depth -= 1;
        self.scopes.pop();
        let construct = self.current.constructs.pop().unwrap_or_default();
        let leaves = construct.breaks || condition.is_some() || break_if.is_some();
        self.b.push(S::Loop { body, continuing, break_if: break_if.map(|value| value.expr) });
        leaves
    }

    /// Lowers the statements of a `continuing`. Returns the condition on which its last statement ends the loop, if
    /// any.
    fn continuing(&mut self, block: &Block<'s>) -> Option<Value> {
        let end = super::flow::break_if(block);
        self.scopes.push();
        self.current.depth += 1;
        let statements = &block.statements;
        let kept = statements.len() - usize::from(end.is_some());
        self.statements(&statements[..kept]);
        let condition = end.and_then(|(condition, when)| {
            let value = self.condition(condition).ok()?;
            Some(if when { value } else { self.b.unary(UnaryOperator::LogicalNot, value) })
        });
        self.current.depth -= 1;
        self.scopes.pop();
        condition
    }

    fn return_value(&mut self, value: Option<ExprId>, span: Span) -> Lowered<()> {
        self.leave("return", span)?;
        let value = match (self.current.result, value) {
            (Some(ty), Some(value)) => Some(self.value_of_type(value, ty)?),
            (None, None) => None,
            (Some(ty), None) => {
                let name = self.type_name(ty);
                return self.error(span, format!("the function returns a value of type `{name}`"));
            }
            (None, Some(value)) => {
                return self.error(self.tree.span(value), "the function returns nothing");
            }
        };
        self.b.at(span);
        self.b.ret(value);
        Ok(())
    }

    fn switch(&mut self, selector: ExprId, cases: &[Case<'s>], span: Span) -> Lowered<bool> {
        let value = self.value(selector);
        let kind = match &value {
            Ok(value) => match self.b.components(value.ty) {
                Some((1, Scalar::I32)) => Some(ScalarKind::Sint),
                Some((1, Scalar::U32)) => Some(ScalarKind::Uint),
                _ => {
                    let name = self.type_name(value.ty);
                    let span = self.tree.span(selector);
                    self.report.error(span, format!("a switch selects by an `i32` or `u32`, not a `{name}`"));
                    None
                }
            },
            Err(_) => None,
        };
        self.check_cases(cases, kind, span);
        self.current.constructs.push(Construct::default());
        let mut reached = false;
        let mut out = Vec::new();
        for (i, case) in cases.iter().enumerate() {
            self.b.begin_block();
            reached |= self.case_body(&cases[i..]);
            let body = self.b.end_block();
            let mut values: Vec<SwitchValue> =
                case.selectors.iter().filter_map(|s| switch_value(s.0, kind)).collect();
            if case.is_default {
                values.push(SwitchValue::Default);
            }
            let last = values.pop();
            let empty = values.into_iter().map(|value| SwitchCase {
                value,
                body: naga::Block::new(),
                fall_through: true,
            });
            out.extend(empty);
            out.extend(last.map(|value| SwitchCase { value, body, fall_through: false }));
        }
        reached |= self.current.constructs.pop().is_some_and(|construct| construct.breaks);
        let value = value?;
        self.b.at(span);
        self.b.push(S::Switch { selector: value.expr, cases: out });
        Ok(reached)
    }

    /// Lowers the statements of the first case, followed by those of the next cases as far as it falls through.
    fn case_body(&mut self, cases: &[Case<'s>]) -> bool {
        let mut reached = true;
        for (i, case) in cases.iter().enumerate() {
            if i > 0 {
                self.repeated = self.repeated.saturating_add(case.span.end.saturating_sub(case.span.start));
            }
            if self.repeated > MAX_REPEATED {
                self.report.error(case.span, "too many statements follow a `fallthrough`");
                return true;
            }
            reached = self.block(&case.body);
            if case.fallthrough.is_none() || !reached {
                break;
            }
        }
        reached
    }

    fn check_cases(&mut self, cases: &[Case<'s>], kind: Option<ScalarKind>, span: Span) {
        let defaults: Vec<&Case<'_>> = cases.iter().filter(|case| case.is_default).collect();
        match defaults.as_slice() {
            [] => self.report.error(span, "a switch has a `default`"),
            [_] => {}
            [_, second, ..] => self.report.error(second.span, "a switch has one `default`"),
        }
        let mut seen = FxHashSet::default();
        for (literal, span) in cases.iter().flat_map(|case| &case.selectors) {
            let (number, right) = match literal {
                Literal::I32(n) => {
                    (i64::from(*n), kind == Some(ScalarKind::Sint) || !self.settings.strict && *n >= 0)
                }
                Literal::U32(n) => (i64::from(*n), kind == Some(ScalarKind::Uint)),
                _ => (0, false),
            };
            if !right && kind.is_some() {
                self.report.error(*span, "a case's literals are of the selector's type");
            } else if !seen.insert(number) {
                self.report.error(*span, format!("there are two cases of {number}"));
            }
        }
        if let Some(span) = cases.last().and_then(|case| case.fallthrough) {
            self.report.error(span, "there is no case after this one to fall through to");
        }
    }
}

fn switch_value(literal: Literal, kind: Option<ScalarKind>) -> Option<SwitchValue> {
    match (literal, kind) {
        (Literal::I32(n), Some(ScalarKind::Uint)) => u32::try_from(n).ok().map(SwitchValue::U32),
        (Literal::I32(n), _) => Some(SwitchValue::I32(n)),
        (Literal::U32(n), _) => Some(SwitchValue::U32(n)),
        _ => None,
    }
}
