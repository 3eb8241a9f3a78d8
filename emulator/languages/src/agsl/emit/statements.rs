//! Emits functions and statements.

use naga::{AddressSpace, Handle, Statement, SwitchCase, SwitchValue};

use super::super::tree::{Case, Direction, Stmt, StmtId};
use super::super::types::Type;
use super::Emitter;
use crate::parts::source::Span;

impl Emitter<'_, '_> {
    /// Emits a function. An `out` parameter is a pointer to a variable of the caller.
    pub(super) fn function(&mut self, number: u32) -> Handle<naga::Function> {
        let program = self.program;
        let function = &program.functions[number as usize];
        let result = match function.result {
            Type::Void => None,
            ty => Some(self.ty(ty)),
        };
        self.b.begin_function(&format!("{}{}", self.prefix, function.name), result);
        self.at(function.span);
        let mut arguments = Vec::new();
        for ((ty, direction), local) in function.parameters.iter().zip(&function.locals) {
            let mut ty = self.ty(*ty);
            if *direction != Direction::In {
                ty = self.b.pointer(ty, AddressSpace::Function);
            }
            arguments.push(self.b.argument(&local.name, ty, None));
        }
        self.locals.clear();
        for (i, local) in function.locals.iter().enumerate() {
            let pointer = match (arguments.get(i), function.parameters.get(i)) {
                (Some(argument), Some((_, Direction::Out | Direction::InOut))) => *argument,
                (argument, _) => {
                    let ty = self.ty(local.ty);
                    let pointer = self.b.local(&local.name, ty, None);
                    if let Some(argument) = argument {
                        self.b.store(pointer, *argument);
                    }
                    pointer
                }
            };
            self.locals.push(pointer);
        }
        if let Some(body) = function.body {
            self.statement(body);
        }
        let function = self.b.end_function();
        self.b.add_function(function)
    }

    pub(super) fn at(&mut self, span: Span) {
        if self.lines {
            self.b.at(span);
        }
    }

    /// Emits a statement. Returns true if the code after it in the same block is unreachable.
    fn statement(&mut self, id: StmtId) -> bool {
        let program = self.program;
        let (stmt, span) = &program.stmts[id.0 as usize];
        self.at(*span);
        match stmt {
            Stmt::Block(list) => return self.list(list),
            Stmt::Local(number, init) => {
                if let Some(init) = init {
                    let value = self.value(*init);
                    let pointer = self.locals[*number as usize];
                    self.b.store(pointer, value);
                }
            }
            Stmt::Expr(value) => self.discard(*value),
            Stmt::If(condition, yes, no) => {
                let condition = self.value(*condition);
                let accept = self.block(&[*yes]);
                let reject = no.map(|no| self.block(&[no])).unwrap_or_default();
                self.b.push(Statement::If { condition: condition.expr, accept, reject });
            }
            Stmt::For { init, test, next, body } => {
                self.statement(*init);
                self.b.begin_block();
                let test = self.value(*test);
                self.b.begin_block();
                self.b.push(Statement::Break);
                let reject = self.b.end_block();
                self.b.push(Statement::If { condition: test.expr, accept: naga::Block::new(), reject });
                self.statement(*body);
                let body = self.b.end_block();
                self.b.begin_block();
                self.discard(*next);
                let continuing = self.b.end_block();
                self.b.push(Statement::Loop { body, continuing, break_if: None });
            }
            Stmt::Switch(value, cases) => self.switch(*value, cases),
            Stmt::Break => {
                self.b.push(Statement::Break);
                return true;
            }
            Stmt::Continue => {
                self.b.push(Statement::Continue);
                return true;
            }
            Stmt::Return(value) => {
                let value = value.map(|value| self.value(value));
                self.b.ret(value);
                return true;
            }
        }
        false
    }

    fn list(&mut self, list: &[StmtId]) -> bool {
        list.iter().any(|stmt| self.statement(*stmt))
    }

    fn block(&mut self, list: &[StmtId]) -> naga::Block {
        self.b.begin_block();
        self.list(list);
        self.b.end_block()
    }

    fn switch(&mut self, value: super::super::tree::ExprId, cases: &[Case]) {
        let selector = self.value(value);
        let mut list = Vec::new();
        for (i, case) in cases.iter().enumerate() {
            self.b.begin_block();
            let ends = self.list(&case.body);
            let body = self.b.end_block();
            let value = case.value.map_or(SwitchValue::Default, SwitchValue::I32);
            list.push(SwitchCase { value, body, fall_through: !ends && i + 1 < cases.len() });
        }
        if cases.iter().all(|case| case.value.is_some()) {
            let body = naga::Block::new();
            list.push(SwitchCase { value: SwitchValue::Default, body, fall_through: false });
        }
        self.b.push(Statement::Switch { selector: selector.expr, cases: list });
    }
}
