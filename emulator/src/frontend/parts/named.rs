//! Named values as variables: what `let` names is stored to a variable of that name, for debuggers. Shaders do the
//! same with and without.

use std::collections::HashMap;

use naga::proc::TypeResolution;
use naga::valid::{FunctionInfo, ModuleInfo, TypeFlags};
use naga::{
    Block, Expression, Function, Handle, LocalVariable, Module, Span, Statement, Type, TypeInner, UniqueArena,
};

/// The pointer to the variable of each named value.
type Stores = HashMap<Handle<Expression>, Handle<Expression>>;

/// Rewrites all functions of a module that `info` is about.
pub(super) fn to_variables(module: &mut Module, info: &ModuleInfo) {
    let functions: Vec<Handle<Function>> = module.functions.iter().map(|(handle, _)| handle).collect();
    for handle in functions {
        let mut function = std::mem::take(&mut module.functions[handle]);
        rewrite(&mut function, &info[handle], info, &mut module.types);
        module.functions[handle] = function;
    }
    for i in 0..module.entry_points.len() {
        let mut function = std::mem::take(&mut module.entry_points[i].function);
        rewrite(&mut function, info.get_entry_point(i), info, &mut module.types);
        module.entry_points[i].function = function;
    }
}

fn rewrite(function: &mut Function, of: &FunctionInfo, info: &ModuleInfo, types: &mut UniqueArena<Type>) {
    let (mut stores, mut first) = (Stores::new(), Vec::new());
    let named: Vec<_> = function.named_expressions.iter().map(|(h, name)| (*h, name.clone())).collect();
    for (value, name) in named {
        // Arguments have their names already.
        if matches!(function.expressions[value], Expression::FunctionArgument(_)) {
            continue;
        }
        let ty = match &of[value].ty {
            TypeResolution::Handle(ty) if info[*ty].contains(TypeFlags::CONSTRUCTIBLE) => *ty,
            TypeResolution::Value(
                inner @ (TypeInner::Scalar(_) | TypeInner::Vector { .. } | TypeInner::Matrix { .. }),
            ) => types.insert(Type { name: None, inner: inner.clone() }, Span::UNDEFINED),
            _ => continue,
        };
        let span = function.expressions.get_span(value);
        let variable = LocalVariable { name: Some(name), ty, init: None };
        let variable = function.local_variables.append(variable, span);
        let pointer = function.expressions.append(Expression::LocalVariable(variable), span);
        if function.expressions[value].needs_pre_emit() {
            // A constant: no statement computes it.
            first.push((Statement::Store { pointer, value }, span));
        } else {
            stores.insert(value, pointer);
        }
    }
    let body = std::mem::take(&mut function.body);
    let mut out = Block::new();
    for (store, span) in first {
        out.push(store, span);
    }
    with_stores(body, &stores, &mut out);
    function.body = out;
}

/// Appends a block with a store behind each statement that computes a named value.
fn with_stores(block: Block, stores: &Stores, out: &mut Block) {
    let inner = |block: &mut Block| {
        let mut made = Block::new();
        with_stores(std::mem::take(block), stores, &mut made);
        *block = made;
    };
    for (mut statement, span) in block.span_into_iter() {
        let computed: Vec<Handle<Expression>> = match &mut statement {
            Statement::Emit(range) => range.clone().collect(),
            Statement::Call { result: Some(result), .. }
            | Statement::Atomic { result: Some(result), .. }
            | Statement::WorkGroupUniformLoad { result, .. } => vec![*result],
            Statement::Block(block) => {
                inner(block);
                Vec::new()
            }
            Statement::If { accept, reject, .. } => {
                inner(accept);
                inner(reject);
                Vec::new()
            }
            Statement::Switch { cases, .. } => {
                cases.iter_mut().for_each(|case| inner(&mut case.body));
                Vec::new()
            }
            Statement::Loop { body, continuing, .. } => {
                inner(body);
                inner(continuing);
                Vec::new()
            }
            _ => Vec::new(),
        };
        out.push(statement, span);
        for value in computed {
            if let Some(&pointer) = stores.get(&value) {
                out.push(Statement::Store { pointer, value }, span);
            }
        }
    }
}
