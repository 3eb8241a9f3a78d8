//! Turns the syntax tree into a checked program: resolves names and types and enforces the rules of AGSL.
//!
//! This file has declarations of variables, structures and uniforms. `functions` has those of functions, `statements`,
//! `expressions` and `calls` their bodies, and `fold` the computation of constants.

mod calls;
mod expressions;
mod fold;
mod functions;
mod statements;

use rustc_hash::FxHashMap;

use super::syntax::{self, Declarator, Item, Qualifier, Tree, TypeName, Variables};
use super::tree::{
    Child, Constant, Expr, ExprId, Global, Known, Program, Stmt, StmtId, Struct, Typed, Uniform, Variable,
};
use super::types::{AgslKind, Element, Number, Scalar, Type};
use crate::parts::report::Report;
use crate::parts::scope::Scopes;
use crate::parts::source::Span;

/// Largest number of components of a variable.
const MAX_COMPONENTS: u32 = 1 << 16;

/// Reason why a variable cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frozen {
    Const,
    Uniform,
    Loop,
}

/// Meaning of a name.
#[derive(Clone, Debug)]
enum Meaning {
    Variable {
        variable: Variable,
        ty: Type,
        frozen: Option<Frozen>,
        known: Known,
        value: Option<Vec<Constant>>,
    },
    Child(u32),
    Struct(u32),
}

/// Checks a parsed source. Returns `None`, with errors in the report, if it is invalid.
pub(super) fn check(source: &str, tree: &Tree, report: &mut Report) -> Option<Program> {
    let mut checker = Checker::new(source, tree, report);
    for item in &tree.items {
        if checker.report.full() {
            return None;
        }
        checker.item(item);
    }
    checker.finish()
}

struct Checker<'a> {
    source: &'a str,
    tree: &'a Tree,
    report: &'a mut Report,
    program: Program,
    scopes: Scopes<Meaning>,
    /// Functions by name; overloads are in declaration order.
    functions: FxHashMap<String, Vec<u32>>,
    /// Callees of each function, with the places of the calls.
    calls: Vec<Vec<(u32, Span)>>,
    /// The function whose body is being checked.
    current: Option<u32>,
    /// Number of loops around the statement, and number of loops and `switch`es that a `break` could leave.
    loops: u32,
    breakable: u32,
    /// Loop iterations that may still be counted.
    iterations: u32,
    /// False if the parser left out parts of the source because of an error.
    whole: bool,
}

impl<'a> Checker<'a> {
    fn new(source: &'a str, tree: &'a Tree, report: &'a mut Report) -> Self {
        let whole = report.is_empty();
        Checker {
            source,
            tree,
            report,
            whole,
            program: Program {
                kind: AgslKind::Shader,
                exprs: Vec::new(),
                stmts: Vec::new(),
                structs: Vec::new(),
                globals: Vec::new(),
                uniforms: Vec::new(),
                children: Vec::new(),
                functions: Vec::new(),
                order: Vec::new(),
                main: 0,
            },
            scopes: Scopes::default(),
            functions: FxHashMap::default(),
            calls: Vec::new(),
            current: None,
            loops: 0,
            breakable: 0,
            iterations: statements::MAX_COUNTED,
        }
    }

    fn text(&self, span: Span) -> &'a str {
        span.of(self.source)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report.error(span, message);
    }

    fn typed(&self, id: ExprId) -> &Typed {
        &self.program.exprs[id.0 as usize]
    }

    fn ty(&self, id: ExprId) -> Type {
        self.typed(id).ty
    }

    fn add(&mut self, typed: Typed) -> ExprId {
        self.program.exprs.push(typed);
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    fn stmt(&mut self, stmt: Stmt, span: Span) -> StmtId {
        self.program.stmts.push((stmt, span));
        StmtId(self.program.stmts.len() as u32 - 1)
    }

    /// Returns the name of a type for messages.
    fn show(&self, ty: Type) -> String {
        match ty {
            Type::Void => "void".into(),
            Type::Number(n) => show_number(n),
            Type::Struct(n) => self.program.structs[n as usize].name.clone(),
            Type::Array(Element::Number(n), count) => format!("{}[{count}]", show_number(n)),
            Type::Array(Element::Struct(n), count) => {
                format!("{}[{count}]", self.program.structs[n as usize].name)
            }
            Type::Child(kind) => kind.name().into(),
            Type::Unknown => "?".into(),
        }
    }

    /// Number of components of a value of this type, saturating at 32 bits.
    fn components(&self, ty: Type) -> u32 {
        let element = |element: Element| match element {
            Element::Number(n) => n.size(),
            Element::Struct(n) => self.components(Type::Struct(n)),
        };
        match ty {
            Type::Number(n) => n.size(),
            Type::Array(of, count) => element(of).saturating_mul(count),
            Type::Struct(n) => self.program.structs[n as usize].components,
            _ => 0,
        }
    }

    /// True for arrays and for structures that contain arrays; these can be neither copied nor compared.
    fn holds_array(&self, ty: Type) -> bool {
        match ty {
            Type::Array(..) => true,
            Type::Struct(n) => self.program.structs[n as usize].holds_array,
            _ => false,
        }
    }

    /// Declares a name in the current scope.
    fn declare(&mut self, name: Span, meaning: Meaning) {
        let text = self.text(name);
        if Type::named(text).is_some() {
            self.error(name, format!("`{text}` is the name of a type"));
        } else if self.scopes.declare(text, meaning, name).is_err() {
            self.error(name, format!("`{text}` has been declared in this scope"));
        }
    }

    // Types.

    /// Resolves a type name, with the array size that may follow the declared name.
    fn resolve(&mut self, written: &TypeName, array: Option<syntax::ExprId>) -> Type {
        let text = self.text(written.name);
        let known = match self.scopes.get(text) {
            Some(Meaning::Struct(n)) => Some(Type::Struct(*n)),
            Some(_) => None,
            None => Type::named(text),
        };
        let Some(mut ty) = known else {
            self.unknown_type(written.name, text);
            return Type::Unknown;
        };
        if let Some(low) = written.low {
            match ty {
                Type::Number(n) if n.scalar != Scalar::Bool => {
                    ty = Type::Number(Number { low: low || n.low, ..n })
                }
                _ => self.error(written.name, format!("`{text}` has no precision")),
            }
        }
        let size = match (written.array, array) {
            (Some(_), Some(_)) => {
                self.error(written.name, "arrays have one dimension");
                return Type::Unknown;
            }
            (size, other) => size.or(other),
        };
        let Some(size) = size else { return ty };
        let element = match ty {
            Type::Number(n) => Element::Number(n),
            Type::Struct(n) => Element::Struct(n),
            _ => {
                self.error(written.name, format!("there are no arrays of `{text}`"));
                return Type::Unknown;
            }
        };
        let span = self.tree.span(size);
        let size = self.expr(size);
        let size = self.narrowed(size);
        match (&self.typed(size).expr, self.ty(size)) {
            (_, Type::Unknown) => Type::Unknown,
            (Expr::Constant(value), Type::Number(n)) if n.is_scalar() && n.scalar == Scalar::Int => {
                match value[..] {
                    [Constant::Int(count)] if count > 0 => Type::Array(element, count as u32),
                    _ => {
                        self.error(span, "the size of an array must be above 0");
                        Type::Unknown
                    }
                }
            }
            _ => {
                self.error(span, "the size of an array must be a constant integer");
                Type::Unknown
            }
        }
    }

    fn unknown_type(&mut self, span: Span, text: &str) {
        let message = match text {
            "uint" | "uvec2" | "uvec3" | "uvec4" | "uint2" | "uint3" | "uint4" | "ushort" => {
                format!("AGSL has no unsigned integers: `{text}`")
            }
            "double" => "AGSL has no `double`".into(),
            _ if text.starts_with("sampler") || text.starts_with("texture") || text.starts_with("image") => {
                format!("AGSL has no `{text}`: declare a `uniform shader` and call its eval(coord)")
            }
            _ => format!("`{text}` is not a type"),
        };
        self.error(span, message);
    }

    /// Resolves the type of a variable, which must be a type with values.
    fn variable_type(&mut self, written: &TypeName, array: Option<syntax::ExprId>, name: Span) -> Type {
        let ty = self.resolve(written, array);
        let text = self.text(name);
        let wrong = match ty {
            Type::Void => format!("`{text}` cannot be void"),
            Type::Child(kind) => format!("a `{}` can only be a uniform: `{text}`", kind.name()),
            ty if self.components(ty) > MAX_COMPONENTS => {
                format!("`{text}` has more than {MAX_COMPONENTS} components")
            }
            _ => return ty,
        };
        self.error(written.name.to(name), wrong);
        Type::Unknown
    }

    // Declarations outside functions.

    fn item(&mut self, item: &Item) {
        match item {
            Item::Struct { name, fields, variables } => self.structure(*name, fields, variables),
            Item::Variables(variables) if variables.qualifier == Qualifier::Uniform => {
                self.uniforms(variables)
            }
            Item::Variables(variables) => self.globals(variables),
            Item::Function { result, name, parameters, body } => {
                self.function(result, *name, parameters, *body)
            }
        }
    }

    fn structure(&mut self, name: Span, fields: &[Variables], variables: &[Declarator]) {
        let mut list: Vec<(String, Type)> = Vec::new();
        for group in fields {
            for field in &group.names {
                let ty = self.variable_type(&group.ty, field.array, field.name);
                let text = self.text(field.name);
                if list.iter().any(|(other, _)| other == text) {
                    self.error(field.name, format!("the structure has a member `{text}` already"));
                }
                if let Some(init) = field.init {
                    let span = self.tree.span(init);
                    self.error(span, "members of structures have no initial value");
                }
                list.push((text.to_owned(), ty));
            }
        }
        if list.is_empty() {
            self.error(name, "a structure needs a member");
        }
        let text = self.text(name);
        let components = list.iter().fold(0u32, |sum, (_, ty)| sum.saturating_add(self.components(*ty)));
        let holds_array = list.iter().any(|(_, ty)| self.holds_array(*ty));
        self.program.structs.push(Struct { name: text.to_owned(), fields: list, components, holds_array });
        let number = self.program.structs.len() as u32 - 1;
        if self.components(Type::Struct(number)) > MAX_COMPONENTS {
            self.error(name, format!("`{text}` has more than {MAX_COMPONENTS} components"));
        }
        self.declare(name, Meaning::Struct(number));
        let ty = TypeName { name, low: None, array: None };
        let group = Variables { qualifier: Qualifier::None, color: None, ty, names: variables.to_vec() };
        self.globals(&group);
    }

    fn uniforms(&mut self, group: &Variables) {
        for declared in &group.names {
            let ty = self.resolve(&group.ty, declared.array);
            let name = self.text(declared.name).to_owned();
            if let Some(init) = declared.init {
                let span = self.tree.span(init);
                self.error(
                    span,
                    format!("`{name}` gets its value from outside: a uniform has no initial value"),
                );
            }
            let (element, array) = match ty {
                Type::Array(Element::Number(n), _) => (Some(n), true),
                ty => (ty.number(), false),
            };
            if let Some(place) = group.color {
                let color = element.is_some_and(|n| n.scalar == Scalar::Float && n.is_vector() && n.rows > 2);
                if !color || array {
                    self.error(place, "`layout(color)` is for uniforms of three or four floats");
                }
            }
            match (ty, element) {
                (Type::Unknown, _) => {}
                (Type::Child(kind), _) => {
                    let number = self.program.children.len() as u32;
                    self.program.children.push(Child { name, kind });
                    self.declare(declared.name, Meaning::Child(number));
                    continue;
                }
                (_, Some(n)) if n.scalar != Scalar::Bool && self.components(ty) <= MAX_COMPONENTS => {}
                (_, Some(n)) if n.scalar != Scalar::Bool => {
                    self.error(declared.name, format!("`{name}` has more than {MAX_COMPONENTS} components"));
                }
                _ => {
                    let shown = self.show(ty);
                    self.error(
                        declared.name,
                        format!("a uniform cannot be `{shown}`: floats and integers can"),
                    );
                }
            }
            let variable = Variable::Uniform(self.program.uniforms.len() as u32);
            self.program.uniforms.push(Uniform { name, ty, color: group.color.is_some() });
            let frozen = Some(Frozen::Uniform);
            let meaning = Meaning::Variable { variable, ty, frozen, known: Known::Never, value: None };
            self.declare(declared.name, meaning);
        }
    }

    fn globals(&mut self, group: &Variables) {
        if let Some(place) = group.color {
            self.error(place, "`layout(color)` is for uniforms");
        }
        for declared in &group.names {
            let ty = self.variable_type(&group.ty, declared.array, declared.name);
            let init = self.initial(declared, ty, group.qualifier);
            if let Some(init) = init
                && self.typed(init).known != Known::Always
                && group.qualifier != Qualifier::Const
            {
                let span = self.typed(init).span;
                self.error(span, "the initial value of a global variable must be constant");
            }
            let variable = Variable::Global(self.program.globals.len() as u32);
            let name = self.text(declared.name).to_owned();
            self.program.globals.push(Global { name, ty, init });
            self.declare_variable(declared.name, variable, ty, group.qualifier, init);
        }
    }

    /// Returns the initial value of a variable, converted to its type.
    fn initial(&mut self, declared: &Declarator, ty: Type, qualifier: Qualifier) -> Option<ExprId> {
        let constant = qualifier == Qualifier::Const;
        let Some(init) = declared.init else {
            if constant {
                let name = self.text(declared.name);
                self.error(declared.name, format!("the constant `{name}` has no value"));
            }
            return None;
        };
        let value = self.expr(init);
        if self.holds_array(ty) {
            self.error(declared.name, "arrays, and structures that hold some, have no initial value");
            return None;
        }
        let value = self.coerce(value, ty);
        if constant && self.typed(value).known != Known::Always {
            let span = self.typed(value).span;
            self.error(span, "the value of a constant must be constant");
        }
        Some(value)
    }

    fn declare_variable(
        &mut self,
        name: Span,
        variable: Variable,
        ty: Type,
        qualifier: Qualifier,
        init: Option<ExprId>,
    ) {
        let constant = qualifier == Qualifier::Const;
        let value = match init.map(|init| &self.typed(init).expr) {
            Some(Expr::Constant(value)) if constant => Some(value.clone()),
            _ => None,
        };
        let (frozen, known) =
            if constant { (Some(Frozen::Const), Known::Always) } else { (None, Known::Never) };
        self.declare(name, Meaning::Variable { variable, ty, frozen, known, value });
    }
}

/// Returns the name of a numeric type, such as `half3` or `float2x2`.
fn show_number(n: Number) -> String {
    let scalar = match (n.scalar, n.low) {
        (Scalar::Bool, _) => "bool",
        (Scalar::Int, false) => "int",
        (Scalar::Int, true) => "short",
        (Scalar::Float, false) => "float",
        (Scalar::Float, true) => "half",
    };
    match (n.columns, n.rows) {
        (1, 1) => scalar.into(),
        (1, rows) => format!("{scalar}{rows}"),
        (columns, rows) => format!("{scalar}{columns}x{rows}"),
    }
}
