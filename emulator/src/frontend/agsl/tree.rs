//! A checked program: every expression has a type, every name is what it stands for.
//!
//! What is here is valid. Conversions are written out; what is constant and known is a number.

use super::functions::Builtin;
pub(super) use super::syntax::{BinaryOp, Direction, UnaryOp};
use super::types::{AgslKind, Type};
use crate::frontend::parts::source::Span;

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
    Int(i32),
    Float(f32),
}

/// What a name of a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// By its number in [`Program::globals`].
    Global(u32),
    /// By its number in [`Program::uniforms`].
    Uniform(u32),
    /// By its number in [`Function::locals`]; parameters come first.
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
    /// Components of all arguments in turn, converted to the type's scalar; members of a structure.
    Construct(Vec<ExprId>),
    /// A scalar in every component.
    Splat(ExprId),
    /// A scalar in the diagonal of a matrix.
    Diagonal(ExprId),
    /// The same shape of another scalar, or of another precision.
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
    /// A function of the program by its number.
    Call(u32, Vec<ExprId>),
    Builtin(&'static Builtin, Vec<ExprId>),
    /// `eval` of the child with this number.
    Eval(u32, Vec<ExprId>),
    /// Wrong, and reported.
    Wrong,
}

/// When the value of an expression is known; later ones include earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    /// When the program is compiled.
    Always,
    /// When loops are unrolled: made of constants and loop variables.
    Unrolled,
    /// When the program runs.
    Never,
}

/// An expression with its type and place.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub expr: Expr,
    pub ty: Type,
    pub span: Span,
    pub known: Known,
    /// An integer literal, or made of them: a float where one is wanted.
    pub literal: bool,
    /// It changes a variable or calls a function that may.
    pub effects: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Stmt {
    Block(Vec<StmtId>),
    /// A local variable that begins to live, with its value.
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
    /// `None` is `default`.
    pub value: Option<i32>,
    pub body: Vec<StmtId>,
}

#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub name: String,
    pub fields: Vec<(String, Type)>,
    /// Components of all fields, as far as 32 bits count.
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

/// A `uniform` that is evaluated.
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
    /// Type and direction; their variables are the first of `locals`.
    pub parameters: Vec<(Type, Direction)>,
    pub locals: Vec<Local>,
    /// `None`: declared, but not defined.
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
    /// Functions so that each comes after those that it calls.
    pub order: Vec<u32>,
    /// Number of `main`.
    pub main: u32,
}
