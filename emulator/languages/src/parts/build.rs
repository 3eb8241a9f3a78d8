//! Builds a `naga::Module`. This file has functions, statements and blocks; `types` and `expressions` have the rest.
//!
//! naga requires explicit `Emit` statements for the evaluation of expressions. The builder adds them, so that an
//! expression is evaluated where it was appended.

use naga::{Arena, Block, Expression, Function, Handle, LocalVariable, Module, Statement};

use super::source::Span;

pub(crate) type Ty = Handle<naga::Type>;
pub(crate) type Expr = Handle<Expression>;

/// An expression of the open function with its type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub expr: Expr,
    pub ty: Ty,
}

/// A function under construction.
struct Open {
    function: Function,
    /// Open blocks, innermost last, each with the place where it was opened; the first is the function body.
    blocks: Vec<(Block, naga::Span)>,
    /// First expression that has been appended but not emitted.
    emitted: usize,
    span: naga::Span,
}

/// A module and its functions under construction. Several functions may be open; code is appended to the last one.
#[derive(Default)]
pub(crate) struct Builder {
    pub module: Module,
    open: Vec<Open>,
    /// Receives code if no function is open, so that a front-end bug does not cause a panic.
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

    /// Opens a function; code is appended to it until [`Builder::end_function`].
    pub fn begin_function(&mut self, name: &str, result: Option<Ty>) {
        let function = Function {
            name: Some(name.into()),
            result: result.map(|ty| naga::FunctionResult { ty, binding: None }),
            ..Function::default()
        };
        self.open.push(Open::new(function, naga::Span::UNDEFINED));
    }

    /// Adds an argument to the open function.
    pub fn argument(&mut self, name: &str, ty: Ty, binding: Option<naga::Binding>) -> Value {
        let arguments = &mut self.open().function.arguments;
        let index = arguments.len();
        arguments.push(naga::FunctionArgument { name: Some(name.into()), ty, binding });
        self.add(Expression::FunctionArgument(u32::try_from(index).unwrap_or(u32::MAX)), ty)
    }

    /// Adds a variable to the open function and returns a pointer to it. The variable starts as zero, or as `init`.
    pub fn local(&mut self, name: &str, ty: Ty, init: Option<Expr>) -> Value {
        let open = self.open();
        let variable = LocalVariable { name: Some(name.into()), ty, init };
        let variable = open.function.local_variables.append(variable, open.span);
        let ty = self.pointer(ty, naga::AddressSpace::Function);
        self.add(Expression::LocalVariable(variable), ty)
    }

    /// Ends the open function, and adds a final `return` if it is missing.
    pub fn end_function(&mut self) -> Function {
        self.flush();
        let Some(mut open) = self.open.pop() else { return Function::default() };
        open.function.body = open.blocks.into_iter().next().unwrap_or_default().0;
        naga::proc::ensure_block_returns(&mut open.function.body);
        open.function
    }

    /// Returns the result type and binding of the open function.
    pub fn result(&mut self) -> &mut Option<naga::FunctionResult> {
        &mut self.open().function.result
    }

    pub fn add_function(&mut self, function: Function) -> Handle<Function> {
        self.module.functions.append(function, naga::Span::UNDEFINED)
    }

    /// Sets the source span of the code appended from now on.
    pub fn at(&mut self, span: Span) {
        self.open().span = span.into();
    }

    fn arena(&mut self) -> &mut Arena<Expression> {
        &mut self.open().function.expressions
    }

    /// Appends an expression whose type the caller knows.
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

    /// True if the pointer refers to a whole variable of a function.
    pub fn is_variable(&mut self, pointer: Value) -> bool {
        matches!(self.arena()[pointer.expr], Expression::LocalVariable(_) | Expression::FunctionArgument(_))
    }

    /// True if the value is the constant 0, or is composed of values of which one is.
    pub fn has_zero(&self, value: Value) -> bool {
        let open = self.open.last();
        open.is_some_and(|open| has_zero(value.expr, &open.function.expressions, &self.module))
    }

    /// Names a value for text output of the module.
    pub fn name(&mut self, value: Value, name: &str) {
        self.open().function.named_expressions.insert(value.expr, name.into());
    }

    /// Emits the expressions appended since the last `Emit`.
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

    /// Opens a block inside the open one.
    pub fn begin_block(&mut self) {
        self.flush();
        let open = self.open();
        open.blocks.push((Block::new(), open.span));
    }

    /// Ends the block that was opened last and returns it. The caller puts it into a statement, whose span starts where
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

    /// Calls a function and returns its result, if it has one.
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

/// See [`Builder::has_zero`].
fn has_zero(expression: Expr, all: &Arena<Expression>, module: &Module) -> bool {
    match &all[expression] {
        Expression::Literal(literal) => matches!(literal, naga::Literal::I32(0) | naga::Literal::U32(0)),
        Expression::ZeroValue(_) => true,
        Expression::Splat { value, .. } => has_zero(*value, all, module),
        Expression::Compose { components, .. } => components.iter().any(|c| has_zero(*c, all, module)),
        Expression::Constant(constant) => {
            has_zero(module.constants[*constant].init, &module.global_expressions, module)
        }
        _ => false,
    }
}

/// True for expressions that a statement computes.
fn is_result(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
    )
}
