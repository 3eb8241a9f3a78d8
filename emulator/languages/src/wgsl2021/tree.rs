//! The syntax tree. Expressions are in one list and refer to each other by number, so that a sum of a hundred thousand
//! terms is not a deep structure.

use super::super::parts::source::Span;

/// A name and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'s> {
    pub text: &'s str,
    pub span: Span,
}

/// A literal value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Literal {
    Bool(bool),
    I32(i32),
    U32(u32),
    F32(f32),
}

/// An attribute in a list in double brackets.
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

/// A type as written in the source: `name<arguments>`.
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
    /// Call of a function, or construction of a structure or alias, by name.
    Call(Name<'s>, Vec<ExprId>),
    /// Construction of a type from parts.
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
    /// `&` and `*`, which the draft lacks: it creates and dereferences pointers implicitly.
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
    /// `None` if a source of 2021 infers the type from the initial value.
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
    /// A construct that could not be parsed but declares this name.
    Broken(Name<'s>),
}

#[derive(Clone, Debug)]
pub(super) struct Case<'s> {
    pub span: Span,
    /// Empty for `default`.
    pub selectors: Vec<(Literal, Span)>,
    pub is_default: bool,
    pub body: Block<'s>,
    /// Place of `fallthrough`, if present.
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
    /// A construct that could not be parsed but declares this name.
    Broken(Name<'s>),
}

#[derive(Clone, Debug)]
pub(super) struct Function<'s> {
    pub attributes: Vec<Attribute<'s>>,
    pub name: Name<'s>,
    pub parameters: Vec<Typed<'s>>,
    /// Attributes of the result.
    pub result_attributes: Vec<Attribute<'s>>,
    /// `None` for `void`.
    pub result: Option<TypeDecl<'s>>,
    pub body: Block<'s>,
    /// Place of the end of the body.
    pub end: Span,
}

/// A module: its declarations in order, and all their expressions.
#[derive(Default)]
pub(super) struct Tree<'s> {
    pub declarations: Vec<Declaration<'s>>,
    pub expressions: Vec<Expression<'s>>,
    /// Names of samplers that are passed to `textureSampleCompare`.
    pub compared: Vec<&'s str>,
    /// True if a called function takes derivatives or selects the level of detail by them.
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
