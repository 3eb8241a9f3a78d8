//! Functions and calls.
//!
//! SPIR-V cannot pass a pointer to a module variable, or into one, as an argument. A function with such a parameter is
//! lowered once for each place it is called with (`paths`). All other functions are lowered once, at their declaration.

use naga::Handle;
use rustc_hash::FxHashMap;

use super::super::super::parts::build::{Ty, Value};
use super::super::super::parts::source::Span;
use super::super::tree::{self, Block, ExprId, ExprKind, StatementKind};
use super::expressions::Step;
use super::flow::Construct;
use super::globals::Class;
use super::paths::{Path, Shape};
use super::{Entity, Failed, Lower, Lowered, Name};

/// Largest total size of the functions lowered for specific places in one module, in bytes of source.
const MAX_TRANSLATED: u32 = 4 << 20;

/// A set of module variable numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers(Vec<u64>);

impl Numbers {
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    fn add(&mut self, other: &Numbers) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (to, from) in self.0.iter_mut().zip(&other.0) {
            *to |= from;
        }
    }

    /// Yields the numbers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * at + bit)
        };
        self.0.iter().enumerate().flat_map(bits)
    }
}

/// Features that a function uses, including those of its callees.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    /// Module variables, by number.
    pub globals: Numbers,
    /// Place of a `discard`.
    pub discards: Option<Span>,
    /// Place of a function that takes derivatives.
    pub derivatives: Option<Span>,
}

impl Uses {
    fn add(&mut self, other: &Uses) {
        self.globals.add(&other.globals);
        self.discards = self.discards.or(other.discards);
        self.derivatives = self.derivatives.or(other.derivatives);
    }
}

/// State of the function that is being lowered.
#[derive(Default)]
pub(super) struct Current {
    pub result: Option<Ty>,
    pub uses: Uses,
    /// Enclosing loops and switches, innermost last.
    pub constructs: Vec<Construct>,
    /// Number of enclosing blocks.
    pub depth: usize,
}

/// Passing convention of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Passing {
    Value,
    /// As a pointer to a function variable.
    Pointer,
    /// As a place in a module variable of this storage class.
    Place(Class),
}

#[derive(Clone, Copy, Debug)]
struct Parameter {
    passing: Passing,
    /// Type of the value, or of the pointee.
    ty: Ty,
}

/// Arguments of a call.
#[derive(Default)]
struct Passed {
    values: Vec<Value>,
    /// Places in module variables that parameters stand for.
    places: Vec<Path>,
    /// Places in function variables, and the copies that are passed instead.
    copies: Vec<(Value, Value)>,
}

#[derive(Clone, Debug)]
pub(super) struct Function<'s, 't> {
    decl: &'t tree::Function<'s>,
    parameters: Vec<Parameter>,
    result: Option<Ty>,
    /// Lowered functions, by the places that their parameters stand for.
    done: FxHashMap<Vec<Shape>, (Handle<naga::Function>, Uses)>,
    /// True while it is being lowered.
    open: bool,
    is_entry: bool,
}

impl<'s, 't> Lower<'s, 't> {
    pub(super) fn function(&mut self, decl: &'t tree::Function<'s>) -> Lowered<()> {
        let is_entry = decl.attributes.iter().any(|a| a.name.text == "stage");
        let signature = self.signature(decl, is_entry);
        let name = decl.name;
        let number = self.functions.len();
        let Ok((parameters, result)) = signature else {
            let _ = self.declare(name, Entity::Wrong);
            return Err(Failed);
        };
        let places = parameters.iter().any(|p| matches!(p.passing, Passing::Place(_)));
        let function =
            Function { decl, parameters, result, done: FxHashMap::default(), open: false, is_entry };
        self.functions.push(function);
        // Entry points of different stages may share a name; name and stage together are unique.
        let shared = is_entry
            && matches!(self.scopes.get(name.text), Some(Entity::Function(other)) if self.functions[*other].is_entry);
        if !shared {
            self.declare(name, Entity::Function(number))?;
        }
        if places {
            if is_entry {
                return self.error(name.span, "an entry point takes no pointers");
            }
            return Ok(());
        }
        let (handle, uses) = self.translate(number, &[])?;
        if is_entry { self.entry_point(decl, handle, result, &uses) } else { Ok(()) }
    }

    /// Lowers the parameters and the result type.
    fn signature(
        &mut self,
        decl: &tree::Function<'s>,
        is_entry: bool,
    ) -> Lowered<(Vec<Parameter>, Option<Ty>)> {
        let name = decl.name;
        self.check_attributes(&decl.attributes, &["stage", "workgroup_size"], "a function");
        if is_entry && let Some(first) = decl.parameters.first() {
            self.strictly(
                first.name.span,
                format!("the entry point `{}` has parameters: inputs are variables", name.text),
            );
        }
        if is_entry && let Some(result) = &decl.result {
            self.strictly(
                result.span,
                format!("the entry point `{}` has a result: outputs are variables", name.text),
            );
        }
        let mut parameters = Vec::new();
        let mut failed = false;
        for parameter in &decl.parameters {
            let Some(Ok(ty)) = parameter.ty.as_ref().map(|ty| self.type_of(ty)) else {
                failed = true;
                continue;
            };
            let span = parameter.ty.as_ref().map_or(parameter.name.span, |ty| ty.span);
            let class = parameter.ty.as_ref().and_then(|decl| match decl.arguments.first() {
                Some(tree::TypeArgument::Type(class)) if decl.name == "ptr" => Class::of_name(class.name),
                _ => None,
            });
            parameters.push(match (self.b.pointee(ty), class) {
                (Some((ty, naga::AddressSpace::Function)), _) => Parameter { passing: Passing::Pointer, ty },
                (Some((ty, _)), Some(class)) => Parameter { passing: Passing::Place(class), ty },
                (Some(_), None) => {
                    failed = true;
                    self.report.error(span, "a parameter that is a pointer is declared as `ptr`");
                    continue;
                }
                (None, _) if self.is_runtime_sized(ty) => {
                    failed = true;
                    self.report.error(span, "a parameter cannot be a runtime-sized array");
                    continue;
                }
                (None, _) => Parameter { passing: Passing::Value, ty },
            });
        }
        let result = match &decl.result {
            Some(result) => {
                let ty = self.type_of(result)?;
                if !self.is_storable(ty) || self.is_runtime_sized(ty) {
                    let name = self.type_name(ty);
                    return self
                        .error(result.span, format!("a function cannot return a value of type `{name}`"));
                }
                Some(ty)
            }
            None => None,
        };
        if failed { Err(Failed) } else { Ok((parameters, result)) }
    }

    /// Returns the function lowered for these places, lowering it if necessary.
    fn translate(&mut self, number: usize, places: &[Path]) -> Lowered<(Handle<naga::Function>, Uses)> {
        let shapes: Vec<Shape> = places.iter().map(Path::shape).collect();
        if let Some((handle, uses)) = self.functions[number].done.get(&shapes) {
            return Ok((*handle, uses.clone()));
        }
        let decl = self.functions[number].decl;
        if !places.is_empty() {
            let bytes = decl.end.end.saturating_sub(decl.name.span.start);
            self.translated = self.translated.saturating_add(bytes);
            if self.translated > MAX_TRANSLATED {
                return self.error(decl.name.span, "the function is called with too many different places");
            }
        }
        let (parameters, result) = (self.functions[number].parameters.clone(), self.functions[number].result);
        let hidden = self.scopes.set_aside();
        let outer = std::mem::take(&mut self.current);
        self.functions[number].open = true;
        self.b.begin_function(decl.name.text, result);
        self.b.at(decl.name.span);
        self.current.result = result;
        self.scopes.push();
        let body = self.parameters(decl, &parameters, places).and_then(|()| self.body(decl));
        self.scopes.restore(hidden);
        let function = self.b.end_function();
        self.functions[number].open = false;
        let current = std::mem::replace(&mut self.current, outer);
        body?;
        let handle = self.b.add_function(function);
        self.functions[number].done.insert(shapes, (handle, current.uses.clone()));
        Ok((handle, current.uses))
    }

    fn parameters(
        &mut self,
        decl: &tree::Function<'s>,
        parameters: &[Parameter],
        places: &[Path],
    ) -> Lowered<()> {
        let assigned = self.assigned(&decl.body);
        let mut places = places.iter();
        for (parameter, declared) in parameters.iter().zip(&decl.parameters) {
            let name = declared.name;
            let entity = match parameter.passing {
                Passing::Pointer => {
                    let ty = self.b.pointer(parameter.ty, naga::AddressSpace::Function);
                    Entity::Pointer(self.b.argument(name.text, ty, None))
                }
                Passing::Value => {
                    let value = self.b.argument(name.text, parameter.ty, None);
                    if assigned.contains(&name.text) && !self.settings.strict {
                        let copy = self.b.local(name.text, parameter.ty, None);
                        self.b.store(copy, value);
                        Entity::Pointer(copy)
                    } else {
                        Entity::Value(value)
                    }
                }
                Passing::Place(_) => {
                    let Some(path) = places.next() else { return Err(Failed) };
                    let steps = path.steps.iter().map(|step| match step {
                        Step::Part(part) => Step::Part(*part),
                        Step::Index(index) => Step::Index(self.b.argument("index", index.ty, None)),
                    });
                    Entity::Place(Path { global: path.global, steps: steps.collect() })
                }
            };
            self.declare(name, entity)?;
        }
        Ok(())
    }

    fn body(&mut self, decl: &tree::Function<'s>) -> Lowered<()> {
        let ends = self.block(&decl.body);
        let name = decl.name.text;
        let last_returns =
            matches!(decl.body.statements.last().map(|s| &s.kind), Some(StatementKind::Return(_)));
        let Some(result) = self.current.result else { return Ok(()) };
        let end = Span { start: decl.end.end.saturating_sub(1), end: decl.end.end };
        if ends {
            return self.error(end, format!("`{name}` can end here without a `return`"));
        }
        if !last_returns {
            self.strictly(end, format!("the last statement of `{name}` is not a `return`"));
            // Unreachable, but naga requires a `return`.
            let zero = self.b.zero(result);
            self.b.ret(Some(zero));
        }
        Ok(())
    }

    /// Returns the root names of all assignment targets.
    fn assigned(&self, block: &Block<'s>) -> Vec<&'s str> {
        let mut names = Vec::new();
        let mut open: Vec<&Block<'s>> = vec![block];
        let mut note = |to: &ExprId| {
            let mut id = *to;
            loop {
                match &self.tree.get(id).kind {
                    ExprKind::Member(base, _) | ExprKind::Index(base, _) => id = *base,
                    ExprKind::Name(name) => break names.push(*name),
                    _ => break,
                }
            }
        };
        while let Some(block) = open.pop() {
            for statement in &block.statements {
                match &statement.kind {
                    StatementKind::Assign { to, .. } => note(to),
                    StatementKind::Block(block) => open.push(block),
                    StatementKind::If { clauses, otherwise } => {
                        open.extend(clauses.iter().map(|(_, block)| block));
                        open.extend(otherwise);
                    }
                    StatementKind::Switch { cases, .. } => open.extend(cases.iter().map(|case| &case.body)),
                    StatementKind::Loop { body, continuing } => {
                        open.push(body);
                        open.extend(continuing);
                    }
                    StatementKind::For { init, update, body, .. } => {
                        for clause in [init, update].into_iter().flatten() {
                            if let StatementKind::Assign { to, .. } = &clause.kind {
                                note(to);
                            }
                        }
                        open.push(body);
                    }
                    _ => {}
                }
            }
        }
        names
    }

    /// Lowers a call by name: of a type, a function of the module, or a built-in function.
    pub(super) fn call(
        &mut self,
        name: Name<'s>,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<Option<Value>> {
        match self.scopes.get(name.text).cloned() {
            Some(Entity::Type(ty)) => self.construct(ty, arguments, span).map(Some),
            Some(Entity::Function(number)) => self.call_function(number, name, arguments, span),
            Some(Entity::Wrong) => Err(Failed),
            Some(_) => self.error(name.span, format!("`{}` is not a function", name.text)),
            None => self.call_builtin(name, arguments, span),
        }
    }

    fn call_function(
        &mut self,
        number: usize,
        name: Name<'s>,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<Option<Value>> {
        if self.functions[number].open {
            return self.error(name.span, format!("`{}` calls itself", name.text));
        }
        if self.functions[number].is_entry {
            self.strictly(name.span, format!("`{}` is an entry point and cannot be called", name.text));
        }
        let parameters = self.functions[number].parameters.clone();
        if parameters.len() != arguments.len() {
            let message =
                format!("`{}` takes {} arguments, not {}", name.text, parameters.len(), arguments.len());
            return self.error(span, message);
        }
        let mut passed = Passed::default();
        for (parameter, id) in parameters.iter().zip(arguments) {
            self.pass(*parameter, *id, &mut passed)?;
        }
        let (handle, uses) = self.translate(number, &passed.places)?;
        self.current.uses.add(&uses);
        self.b.at(span);
        let result = self.b.call(handle, &passed.values);
        for (place, copy) in passed.copies {
            let value = self.b.load(copy);
            self.b.store(place, value);
        }
        Ok(result)
    }

    /// Adds an argument for a parameter.
    fn pass(&mut self, parameter: Parameter, id: ExprId, passed: &mut Passed) -> Lowered<()> {
        match parameter.passing {
            Passing::Value if self.is_storable(parameter.ty) => {
                passed.values.push(self.value_of_type(id, parameter.ty)?);
            }
            Passing::Value => {
                let (value, _) = self.handle(id)?;
                if value.ty != parameter.ty {
                    return self.mismatch(self.tree.span(id), parameter.ty, value.ty);
                }
                passed.values.push(value);
            }
            Passing::Pointer => {
                let place = self.place(id)?;
                let wanted = self.b.pointer(parameter.ty, naga::AddressSpace::Function);
                if place.ty != wanted {
                    return self.mismatch(self.tree.span(id), wanted, place.ty);
                }
                if self.b.is_variable(place) {
                    passed.values.push(place);
                } else {
                    // A pointer to a part of a variable cannot be an argument: pass a copy and copy it back after
                    // the call.
                    let copy = self.b.local("part", parameter.ty, None);
                    let value = self.b.load(place);
                    self.b.store(copy, value);
                    passed.values.push(copy);
                    passed.copies.push((place, copy));
                }
            }
            Passing::Place(class) => {
                let (path, ty) = self.path(id)?;
                let found = self.globals[path.global].class;
                if ty != parameter.ty || !found.is_like(class) {
                    let wanted = format!("ptr<{}, {}>", class.name(), self.type_name(parameter.ty));
                    let found = format!("ptr<{}, {}>", found.name(), self.type_name(ty));
                    let span = self.tree.span(id);
                    return self.error(
                        span,
                        format!("expected a value of type `{wanted}`, found one of type `{found}`"),
                    );
                }
                passed.values.extend(path.indices());
                passed.places.push(path);
            }
        }
        Ok(())
    }
}
