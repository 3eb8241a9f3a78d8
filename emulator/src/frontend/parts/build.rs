//! Writes a `naga::Module`: functions, statements and blocks here, types and expressions in the files beside.
//!
//! naga wants to be told, statement by statement, which expressions are evaluated (`Emit`). The builder does that:
//! an expression is evaluated where it was appended.

use naga::{Arena, Block, Expression, Function, Handle, LocalVariable, Module, Statement};

use super::source::Span;

pub(in crate::frontend) type Ty = Handle<naga::Type>;
pub(in crate::frontend) type Expr = Handle<Expression>;

/// An expression of the open function with its type.
#[derive(Clone, Copy, Debug)]
pub(in crate::frontend) struct Value {
    pub expr: Expr,
    pub ty: Ty,
}

/// A function that is being written.
struct Open {
    function: Function,
    /// Blocks that are open, the innermost last, each with the place that it was opened at; the first is the body.
    blocks: Vec<(Block, naga::Span)>,
    /// Expressions from here on have been appended, but not yet emitted.
    emitted: usize,
    span: naga::Span,
}

/// A module and the functions of it that are being written. Several may be open: the last is written to.
#[derive(Default)]
pub(in crate::frontend) struct Builder {
    pub module: Module,
    open: Vec<Open>,
    /// Written to where no function is open, so that a mistake of a front end is no panic.
    nowhere: Option<Box<Open>>,
}

impl Open {
    fn new(function: Function, span: naga::Span) -> Self {
        Open { function, blocks: vec![(Block::new(), span)], emitted: 0, span }
    }
}

impl Builder {
    fn open(&mut self) -> &mut Open {
        match self.open.last_mut() {
            Some(open) => open,
            None => self
                .nowhere
                .get_or_insert_with(|| Box::new(Open::new(Function::default(), naga::Span::UNDEFINED))),
        }
    }

    /// Opens a function; what is appended goes there until [`Builder::end_function`].
    pub fn begin_function(&mut self, name: &str, result: Option<Ty>) {
        let function = Function {
            name: Some(name.into()),
            result: result.map(|ty| naga::FunctionResult { ty, binding: None }),
            ..Function::default()
        };
        self.open.push(Open::new(function, naga::Span::UNDEFINED));
    }

    /// An argument of the open function.
    pub fn argument(&mut self, name: &str, ty: Ty, binding: Option<naga::Binding>) -> Value {
        let arguments = &mut self.open().function.arguments;
        let index = arguments.len();
        arguments.push(naga::FunctionArgument { name: Some(name.into()), ty, binding });
        self.add(Expression::FunctionArgument(u32::try_from(index).unwrap_or(u32::MAX)), ty)
    }

    /// A variable of the open function, as a pointer. It is zero, or `init`, when the function begins.
    pub fn local(&mut self, name: &str, ty: Ty, init: Option<Expr>) -> Value {
        let open = self.open();
        let variable = LocalVariable { name: Some(name.into()), ty, init };
        let variable = open.function.local_variables.append(variable, open.span);
        let ty = self.pointer(ty, naga::AddressSpace::Function);
        self.add(Expression::LocalVariable(variable), ty)
    }

    /// Ends the open function; one without a last return gets it.
    pub fn end_function(&mut self) -> Function {
        self.flush();
        let Some(mut open) = self.open.pop() else { return Function::default() };
        open.function.body = open.blocks.into_iter().next().unwrap_or_default().0;
        naga::proc::ensure_block_returns(&mut open.function.body);
        open.function
    }

    /// What the open function has been given as its result's type and place.
    pub fn result(&mut self) -> &mut Option<naga::FunctionResult> {
        &mut self.open().function.result
    }

    pub fn add_function(&mut self, function: Function) -> Handle<Function> {
        self.module.functions.append(function, naga::Span::UNDEFINED)
    }

    /// What is appended from now on comes from `span`.
    pub fn at(&mut self, span: Span) {
        self.open().span = span.into();
    }

    fn arena(&mut self) -> &mut Arena<Expression> {
        &mut self.open().function.expressions
    }

    /// Appends an expression of a type that the caller knows.
    pub fn add(&mut self, expression: Expression, ty: Ty) -> Value {
        let given = expression.needs_pre_emit() || is_result(&expression);
        if given {
            self.flush();
        }
        let open = self.open();
        let expr = open.function.expressions.append(expression, open.span);
        if given {
            open.emitted = open.function.expressions.len();
        }
        Value { expr, ty }
    }

    /// The pointer is to a whole variable of a function.
    pub fn is_variable(&mut self, pointer: Value) -> bool {
        matches!(self.arena()[pointer.expr], Expression::LocalVariable(_) | Expression::FunctionArgument(_))
    }

    /// Names a value in texts that are made of the module.
    pub fn name(&mut self, value: Value, name: &str) {
        self.open().function.named_expressions.insert(value.expr, name.into());
    }

    /// Emits what has been appended.
    fn flush(&mut self) {
        let open = self.open();
        let expressions = &open.function.expressions;
        if open.emitted < expressions.len() {
            let range = expressions.range_from(open.emitted);
            open.emitted = expressions.len();
            let span = open.span;
            if let Some((block, _)) = open.blocks.last_mut() {
                block.push(Statement::Emit(range), span);
            }
        }
    }

    /// Appends a statement to the open block.
    pub fn push(&mut self, statement: Statement) {
        self.flush();
        let open = self.open();
        let span = open.span;
        if let Some((block, _)) = open.blocks.last_mut() {
            block.push(statement, span);
        }
    }

    /// Opens a block inside of the open one.
    pub fn begin_block(&mut self) {
        self.flush();
        let open = self.open();
        open.blocks.push((Block::new(), open.span));
    }

    /// Ends the block that was opened last. It is nowhere yet: the caller puts it into a statement, which comes from where
    /// the block was opened.
    pub fn end_block(&mut self) -> Block {
        self.flush();
        let open = self.open();
        if open.blocks.len() < 2 {
            return Block::new();
        }
        let (block, span) = open.blocks.pop().unwrap_or_default();
        open.span = span;
        block
    }

    pub fn store(&mut self, pointer: Value, value: Value) {
        self.push(Statement::Store { pointer: pointer.expr, value: value.expr });
    }

    pub fn ret(&mut self, value: Option<Value>) {
        self.push(Statement::Return { value: value.map(|v| v.expr) });
    }

    /// Calls a function; its result if it has one.
    pub fn call(&mut self, function: Handle<Function>, arguments: &[Value]) -> Option<Value> {
        let ty = self.module.functions[function].result.as_ref().map(|result| result.ty);
        let result = ty.map(|ty| self.add(Expression::CallResult(function), ty));
        self.push(Statement::Call {
            function,
            arguments: arguments.iter().map(|v| v.expr).collect(),
            result: result.map(|v| v.expr),
        });
        result
    }
}

/// Expressions that a statement computes.
fn is_result(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
    )
}
