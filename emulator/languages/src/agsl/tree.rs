//! A checked program: every expression has a type, and every name is resolved.
//!
//! The program is valid, and conversions are explicit. Expressions with known constant values are replaced by numbers.

use super::functions::Builtin;
pub(super) use super::syntax::{BinaryOp, Direction, UnaryOp};
use super::types::{AgslKind, Type};
use crate::parts::source::Span;

/// Number of an expression in [`Program::exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExprId(pub u32);

/// Number of a statement in [`Program::stmts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StmtId(pub u32);

/// A component of a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    Bool(bool),
    /// The 32 bits of an `int`; for a literal its value, which may lie above those of an `int`.
    Int(i64),
    Float(f32),
}

/// Variable that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// Index into [`Program::globals`].
    Global(u32),
    /// Index into [`Program::uniforms`].
    Uniform(u32),
    /// Index into [`Function::locals`]; parameters come first.
    Local(u32),
}

/// A letter of a swizzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    Component(u8),
    Zero,
    One,
}

#[derive(Clone, Debug)]
pub(super) enum Expr {
    /// All components of a scalar, vector or matrix, column by column.
    Constant(Vec<Constant>),
    Variable(Variable),
    /// The components of all arguments in turn, converted to the type's scalar; or the members of a structure.
    Construct(Vec<ExprId>),
    /// A scalar replicated into every component.
    Splat(ExprId),
    /// A scalar on the diagonal of a matrix.
    Diagonal(ExprId),
    /// Conversion to another scalar type or precision, with the same shape.
    Convert(ExprId),
    Swizzle(ExprId, Vec<Lane>),
    Index(ExprId, ExprId),
    Field(ExprId, u32),
    Unary(UnaryOp, ExprId),
    Step {
        target: ExprId,
        up: bool,
        prefix: bool,
    },
    Binary(BinaryOp, ExprId, ExprId),
    Assign(Option<BinaryOp>, ExprId, ExprId),
    Select(ExprId, ExprId, ExprId),
    Comma(ExprId, ExprId),
    /// Call of a function of the program, by its number.
    Call(u32, Vec<ExprId>),
    Builtin(&'static Builtin, Vec<ExprId>),
    /// `eval` of a child, by its number.
    Eval(u32, Vec<ExprId>),
    /// An erroneous expression; its error has been reported.
    Wrong,
}

/// Earliest time at which the value of an expression is known; each time includes the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    /// At compile time.
    Always,
    /// When loops are unrolled: the expression consists of constants and loop variables.
    Unrolled,
    /// Only at run time.
    Never,
}

/// An expression with its type and place.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub expr: Expr,
    pub ty: Type,
    pub span: Span,
    pub known: Known,
    /// True for an integer literal or an expression of such literals; it converts to a float if needed.
    pub literal: bool,
    /// True if it changes a variable or calls a function that may.
    pub effects: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Stmt {
    Block(Vec<StmtId>),
    /// Declaration of a local variable, with its initial value.
    Local(u32, Option<ExprId>),
    Expr(ExprId),
    If(ExprId, StmtId, Option<StmtId>),
    For {
        init: StmtId,
        test: ExprId,
        next: ExprId,
        body: StmtId,
    },
    Switch(ExprId, Vec<Case>),
    Break,
    Continue,
    Return(Option<ExprId>),
}

#[derive(Clone, Debug)]
pub(super) struct Case {
    /// `None` for `default`.
    pub value: Option<i32>,
    pub body: Vec<StmtId>,
}

#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub name: String,
    pub fields: Vec<(String, Type)>,
    /// Total number of components of all fields, saturating at 32 bits.
    pub components: u32,
    pub holds_array: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Global {
    pub name: String,
    pub ty: Type,
    pub init: Option<ExprId>,
}

/// A `uniform` with a value.
#[derive(Clone, Debug)]
pub(super) struct Uniform {
    pub name: String,
    pub ty: Type,
    pub color: bool,
}

/// A `uniform` that is evaluated: a shader, colour filter or blender.
#[derive(Clone, Debug)]
pub(super) struct Child {
    pub name: String,
    pub kind: AgslKind,
}

#[derive(Clone, Debug)]
pub(super) struct Local {
    pub name: String,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub span: Span,
    pub result: Type,
    /// Types and directions of the parameters; their variables come first in `locals`.
    pub parameters: Vec<(Type, Direction)>,
    pub locals: Vec<Local>,
    /// `None` if the function is declared but not defined.
    pub body: Option<StmtId>,
}

#[derive(Clone, Debug)]
pub(super) struct Program {
    pub kind: AgslKind,
    pub exprs: Vec<Typed>,
    pub stmts: Vec<(Stmt, Span)>,
    pub structs: Vec<Struct>,
    pub globals: Vec<Global>,
    pub uniforms: Vec<Uniform>,
    pub children: Vec<Child>,
    pub functions: Vec<Function>,
    /// Functions in an order in which each comes after those that it calls.
    pub order: Vec<u32>,
    /// Index of `main`.
    pub main: u32,
}
