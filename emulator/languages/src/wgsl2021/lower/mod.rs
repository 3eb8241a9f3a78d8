//! Lowers the syntax tree to a `naga::Module` by the names, types and rules of the draft.
//!
//! Declarations are lowered in order, because a name is known only after its declaration. Variables of the classes `in`
//! and `out` become private variables, which a wrapper around the entry point fills and reads (`entries`). Operations
//! without an exact equivalent in naga are composed of others (`operators`, `builtins`).

mod attributes;
mod builtins;
mod constants;
mod conversions;
mod entries;
mod expressions;
mod flow;
mod functions;
mod globals;
mod layout;
mod operators;
mod paths;
mod statements;
mod textures;
mod types;
mod varyings;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::parts::build::{Builder, Ty, Value};
use super::super::parts::report::Report;
use super::super::parts::scope::Scopes;
use super::super::parts::source::Span;
use super::tree::{Declaration, ExprId, ExprKind, Name, Tree};
use constants::Known;
use functions::{Current, Function};
use globals::Global;
use paths::Path;

/// A failed lowering; the report has the reason.
#[derive(Debug)]
pub(super) struct Failed;
type Lowered<T> = Result<T, Failed>;

/// Options for lowering a module.
pub(super) struct Settings<'a> {
    pub strict: bool,
    /// True for printed WGSL: overridable constants stay, and arrays of 1D textures are not allowed.
    pub printed: bool,
    /// Values of overridable constants by id or name.
    pub constants: &'a [(String, f64)],
}

/// Meaning of a name.
#[derive(Clone, Debug)]
enum Entity {
    /// A module variable, by number.
    Global(usize),
    /// A function variable or pointer, as a pointer.
    Pointer(Value),
    /// A constant or value parameter of a function.
    Value(Value),
    /// A parameter that stands for a place in a module variable.
    Place(Path),
    /// A module constant, by number.
    Constant(usize),
    Type(Ty),
    /// A function, by number.
    Function(usize),
    /// An invalid declaration; uses of the name report no further errors.
    Wrong,
}

pub(super) struct Lower<'s, 't> {
    tree: &'t Tree<'s>,
    settings: &'t Settings<'t>,
    pub report: &'t mut Report,
    pub b: Builder,
    scopes: Scopes<Entity>,
    globals: Vec<Global>,
    constants: Vec<Known>,
    functions: Vec<Function<'s, 't>>,
    /// Structures that are buffer contents.
    blocks: FxHashSet<Ty>,
    /// Structures that have members without an offset or arrays without a stride.
    undecorated: FxHashSet<Ty>,
    /// Structures of one member that wrap an array element, for arrays whose stride exceeds the element size.
    boxes: FxHashSet<Ty>,
    /// Structures that are inputs or outputs; their members hold the bindings.
    interfaces: FxHashSet<Ty>,
    /// Names of types in the source.
    type_names: FxHashMap<Ty, String>,
    /// Names of overridable constants by id.
    constant_ids: FxHashMap<u32, String>,
    /// The function that is being lowered.
    current: Current,
    /// Bytes of statements that were lowered again for `fallthrough`.
    repeated: u32,
    /// Bytes of functions that were lowered for specific places.
    translated: u32,
    /// For each expression: `true` if it consists only of literals and module constants.
    known: Vec<bool>,
    /// True while literals must be loaded from variables.
    hiding: bool,
}

/// Returns for each expression whether it consists only of literals and module constants. Operands precede their users.
fn known(tree: &Tree<'_>) -> Vec<bool> {
    let constants: FxHashSet<&str> = tree
        .declarations
        .iter()
        .filter_map(|d| match d {
            Declaration::Const { constant, .. } => Some(constant.name.text),
            _ => None,
        })
        .collect();
    let mut known: Vec<bool> = Vec::with_capacity(tree.expressions.len());
    for expression in &tree.expressions {
        let is = |id: &ExprId| known.get(id.0 as usize) == Some(&true);
        let all = match &expression.kind {
            ExprKind::Literal(_) => true,
            ExprKind::Name(name) => constants.contains(name),
            ExprKind::Call(_, parts) | ExprKind::Construct(_, parts) => {
                !parts.is_empty() && parts.iter().all(is)
            }
            ExprKind::Bitcast(_, part) | ExprKind::Unary(_, part) | ExprKind::Member(part, _) => is(part),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => is(a) && is(b),
        };
        known.push(all);
    }
    known
}

impl<'s, 't> Lower<'s, 't> {
    pub fn new(tree: &'t Tree<'s>, settings: &'t Settings<'t>, report: &'t mut Report) -> Self {
        Lower {
            tree,
            settings,
            report,
            b: Builder::default(),
            scopes: Scopes::default(),
            globals: Vec::new(),
            constants: Vec::new(),
            functions: Vec::new(),
            blocks: FxHashSet::default(),
            undecorated: FxHashSet::default(),
            boxes: FxHashSet::default(),
            interfaces: FxHashSet::default(),
            type_names: FxHashMap::default(),
            constant_ids: FxHashMap::default(),
            current: Current::default(),
            repeated: 0,
            translated: 0,
            known: known(tree),
            hiding: false,
        }
    }

    /// Lowers the whole module.
    pub fn module(&mut self) {
        for declaration in &self.tree.declarations {
            if self.report.full() {
                return;
            }
            let (name, done) = match declaration {
                Declaration::Var { variable, .. } => (Some(variable.name), self.global(declaration)),
                Declaration::Const { attributes, constant, init } => {
                    (Some(constant.name), self.module_constant(attributes, constant, *init))
                }
                Declaration::Alias { name, ty } => (Some(*name), self.alias(*name, ty)),
                Declaration::Struct { attributes, name, members } => {
                    (Some(*name), self.structure(attributes, *name, members))
                }
                Declaration::Function(function) => (None, self.function(function)),
                Declaration::Broken(name) => (Some(*name), Err(Failed)),
            };
            if let (Some(name), Err(Failed)) = (name, done) {
                let _ = self.scopes.declare(name.text, Entity::Wrong, name.span);
            }
        }
        for (key, _) in self.settings.constants {
            if !self.constant_ids.iter().any(|(id, name)| key == name || key.parse() == Ok(*id)) {
                let mut there: Vec<String> =
                    self.constant_ids.iter().map(|(id, name)| format!("{name} (id {id})")).collect();
                there.sort();
                there.extend(there.is_empty().then(|| "none".to_owned()));
                let message = format!(
                    "no overridable constant has the name or id {key}; there are: {}",
                    there.join(", ")
                );
                self.report.constant_error(Span::default(), message);
            }
        }
        if self.b.module.entry_points.is_empty() && self.report.is_empty() {
            let place = Span::default();
            self.strictly(place, "the module has no entry point: a function with the attribute `stage`");
        }
    }

    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Lowered<T> {
        self.report.error(span, message);
        Err(Failed)
    }

    /// In strict mode, reports a construct that only the letter of the draft forbids.
    fn strictly(&mut self, span: Span, message: impl Into<String>) {
        if self.settings.strict {
            self.report.error(span, message);
        }
    }

    /// Declares a name. The draft does not let a name hide another; sources of 2021 expect inner names to hide outer
    /// ones.
    fn declare(&mut self, name: Name<'_>, entity: Entity) -> Lowered<()> {
        if self.settings.strict && self.scopes.get(name.text).is_some() {
            return self.error(name.span, format!("the name `{}` is already declared", name.text));
        }
        match self.scopes.declare(name.text, entity, name.span) {
            Ok(()) => Ok(()),
            Err(_) => self.error(name.span, format!("the name `{}` is declared twice", name.text)),
        }
    }
}
