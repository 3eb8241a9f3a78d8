//! The syntax tree. Expressions lie in one list and name each other by number, so that a sum of a hundred thousand
//! terms is no deep structure.

use super::super::parts::source::Span;

/// A name and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'s> {
    pub text: &'s str,
    pub span: Span,
}

/// A value written out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Literal {
    Bool(bool),
    I32(i32),
    U32(u32),
    F32(f32),
}

/// One attribute of a list in double brackets.
#[derive(Clone, Debug)]
pub(super) struct Attribute<'s> {
    pub name: Name<'s>,
    pub arguments: Vec<Argument<'s>>,
}

/// An argument of an attribute.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument<'s> {
    Word(Name<'s>),
    Literal(Literal, Span),
}

/// A type as it is written: `name<arguments>`.
#[derive(Clone, Debug)]
pub(super) struct TypeDecl<'s> {
    pub span: Span,
    pub attributes: Vec<Attribute<'s>>,
    pub name: &'s str,
    pub arguments: Vec<TypeArgument<'s>>,
}

#[derive(Clone, Debug)]
pub(super) enum TypeArgument<'s> {
    /// A type, a storage class or a texel format.
    Type(TypeDecl<'s>),
    Count(Literal, Span),
}

/// Number of an expression in [`Tree::expressions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ExprId(pub u32);

#[derive(Clone, Debug)]
pub(super) struct Expression<'s> {
    pub span: Span,
    pub kind: ExprKind<'s>,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind<'s> {
    Literal(Literal),
    Name(&'s str),
    /// A call by name, or a structure or alias that is made of parts.
    Call(Name<'s>, Vec<ExprId>),
    /// A type made of parts.
    Construct(TypeDecl<'s>, Vec<ExprId>),
    Bitcast(TypeDecl<'s>, ExprId),
    Unary(Unary, ExprId),
    Binary(Binary, ExprId, ExprId),
    Index(ExprId, ExprId),
    Member(ExprId, Name<'s>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Minus,
    Not,
    Complement,
    /// `&` and `*`, which are not of the draft: pointers are made and followed where that is meant.
    AddressOf,
    Follow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    OrElse,
    AndThen,
    Or,
    Xor,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// `name : type`.
#[derive(Clone, Debug)]
pub(super) struct Typed<'s> {
    pub attributes: Vec<Attribute<'s>>,
    pub name: Name<'s>,
    /// `None` where a source of the time leaves it to the initial value.
    pub ty: Option<TypeDecl<'s>>,
}

#[derive(Clone, Debug)]
pub(super) struct Block<'s> {
    pub statements: Vec<Statement<'s>>,
}

#[derive(Clone, Debug)]
pub(super) struct Statement<'s> {
    pub span: Span,
    pub kind: StatementKind<'s>,
}

#[derive(Clone, Debug)]
pub(super) enum StatementKind<'s> {
    Block(Block<'s>),
    Var {
        variable: Typed<'s>,
        class: Option<Name<'s>>,
        init: Option<ExprId>,
    },
    Const {
        constant: Typed<'s>,
        init: ExprId,
    },
    Assign {
        to: ExprId,
        value: ExprId,
    },
    Call(ExprId),
    If {
        clauses: Vec<(ExprId, Block<'s>)>,
        otherwise: Option<Block<'s>>,
    },
    Switch {
        selector: ExprId,
        cases: Vec<Case<'s>>,
    },
    Loop {
        body: Block<'s>,
        continuing: Option<Block<'s>>,
    },
    For {
        init: Option<Box<Statement<'s>>>,
        condition: Option<ExprId>,
        update: Option<Box<Statement<'s>>>,
        body: Block<'s>,
    },
    Break,
    Continue,
    Return(Option<ExprId>),
    Discard,
    /// What could not be read, but declares this name.
    Broken(Name<'s>),
}

#[derive(Clone, Debug)]
pub(super) struct Case<'s> {
    pub span: Span,
    /// None for `default`.
    pub selectors: Vec<(Literal, Span)>,
    pub is_default: bool,
    pub body: Block<'s>,
    /// Where `fallthrough` stands, if it does.
    pub fallthrough: Option<Span>,
}

#[derive(Clone, Debug)]
pub(super) enum Declaration<'s> {
    Var {
        attributes: Vec<Attribute<'s>>,
        variable: Typed<'s>,
        class: Option<Name<'s>>,
        access: Option<Name<'s>>,
        init: Option<ExprId>,
    },
    Const {
        attributes: Vec<Attribute<'s>>,
        constant: Typed<'s>,
        init: Option<ExprId>,
    },
    Alias {
        name: Name<'s>,
        ty: TypeDecl<'s>,
    },
    Struct {
        attributes: Vec<Attribute<'s>>,
        name: Name<'s>,
        members: Vec<Typed<'s>>,
    },
    Function(Function<'s>),
    /// What could not be read, but declares this name.
    Broken(Name<'s>),
}

#[derive(Clone, Debug)]
pub(super) struct Function<'s> {
    pub attributes: Vec<Attribute<'s>>,
    pub name: Name<'s>,
    pub parameters: Vec<Typed<'s>>,
    /// Of the result.
    pub result_attributes: Vec<Attribute<'s>>,
    /// `None` for `void`.
    pub result: Option<TypeDecl<'s>>,
    pub body: Block<'s>,
    /// Where the body ends.
    pub end: Span,
}

/// A module: declarations in order, and the expressions of all of them.
#[derive(Default)]
pub(super) struct Tree<'s> {
    pub declarations: Vec<Declaration<'s>>,
    pub expressions: Vec<Expression<'s>>,
    /// Names of samplers that `textureSampleCompare` is called with.
    pub compared: Vec<&'s str>,
    /// A function is called that computes its level of detail from neighbours.
    pub takes_derivatives: bool,
}

impl<'s> Tree<'s> {
    pub fn get(&self, id: ExprId) -> &Expression<'s> {
        &self.expressions[id.0 as usize]
    }

    pub fn span(&self, id: ExprId) -> Span {
        self.get(id).span
    }
}
