//! The syntax tree of AGSL, before names and types are resolved.
//!
//! Expressions and statements live in two lists and refer to each other by number, so that deep trees are dropped
//! without recursion.

use crate::parts::source::Span;

/// Number of an expression in [`Tree::exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExprId(pub u32);

/// Number of a statement in [`Tree::stmts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StmtId(pub u32);

/// A source after parsing.
#[derive(Default)]
pub(super) struct Tree {
    pub exprs: Vec<(Expr, Span)>,
    pub stmts: Vec<(Stmt, Span)>,
    pub items: Vec<Item>,
}

impl Tree {
    pub fn expr(&mut self, expr: Expr, span: Span) -> ExprId {
        self.exprs.push((expr, span));
        ExprId(self.exprs.len() as u32 - 1)
    }

    pub fn stmt(&mut self, stmt: Stmt, span: Span) -> StmtId {
        self.stmts.push((stmt, span));
        StmtId(self.stmts.len() as u32 - 1)
    }

    pub fn span(&self, id: ExprId) -> Span {
        self.exprs[id.0 as usize].1
    }
}

/// Binary operators, in the order of the specification's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryOp {
    Mul,
    Div,
    Add,
    Sub,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Xor,
    Or,
}

/// Unary operators without side effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnaryOp {
    Plus,
    Minus,
    Not,
}

#[derive(Clone, Debug)]
pub(super) enum Expr {
    Name,
    Bool(bool),
    Int(i64),
    Float(f32),
    Unary(UnaryOp, ExprId),
    /// `++` and `--`.
    Step {
        target: ExprId,
        up: bool,
        prefix: bool,
    },
    Binary(BinaryOp, ExprId, ExprId),
    Assign(Option<BinaryOp>, ExprId, ExprId),
    Select(ExprId, ExprId, ExprId),
    Comma(ExprId, ExprId),
    Index(ExprId, ExprId),
    /// Access to a member of a structure, or a swizzle; the span is that of the name.
    Field(ExprId, Span),
    /// Call of a function or constructor.
    Call(Span, Vec<ExprId>),
    /// `child.eval(arguments)`.
    Method(ExprId, Span, Vec<ExprId>),
}

/// A type as written in the source: `half4`, `mediump vec4`, `half[10]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeName {
    pub name: Span,
    /// False for `highp`; true for `mediump` and `lowp`.
    pub low: Option<bool>,
    pub array: Option<ExprId>,
}

/// A declared name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declarator {
    pub name: Span,
    pub array: Option<ExprId>,
    pub init: Option<ExprId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Qualifier {
    None,
    Const,
    Uniform,
}

/// Declaration of variables of one type.
#[derive(Clone, Debug)]
pub(super) struct Variables {
    pub qualifier: Qualifier,
    /// Place of `layout(color)`.
    pub color: Option<Span>,
    pub ty: TypeName,
    pub names: Vec<Declarator>,
}

#[derive(Clone, Debug)]
pub(super) enum Stmt {
    Empty,
    Block(Vec<StmtId>),
    Declare(Variables),
    Expr(ExprId),
    If(ExprId, StmtId, Option<StmtId>),
    For { init: Option<StmtId>, test: Option<ExprId>, next: Option<ExprId>, body: StmtId },
    Switch(ExprId, Vec<Case>),
    Break,
    Continue,
    Return(Option<ExprId>),
}

/// `case value:` or `default:` with its statements.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub span: Span,
    pub value: Option<ExprId>,
    pub body: Vec<StmtId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
    InOut,
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub direction: Direction,
    pub constant: bool,
    pub ty: TypeName,
    pub name: Option<Span>,
    pub array: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub(super) enum Item {
    Function { result: TypeName, name: Span, parameters: Vec<Parameter>, body: Option<StmtId> },
    Struct { name: Span, fields: Vec<Variables>, variables: Vec<Declarator> },
    Variables(Variables),
}
