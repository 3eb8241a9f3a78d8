//! Turns named values into variables for debuggers: each value named by `let` is stored to a variable of that name. The
//! shader's results do not change.

use std::collections::HashMap;

use naga::proc::TypeResolution;
use naga::valid::{FunctionInfo, ModuleInfo, TypeFlags};
use naga::{
    Block, Expression, Function, Handle, LocalVariable, Module, Span, Statement, Type, TypeInner, UniqueArena,
};

/// Maps each named value to the pointer to its variable.
type Stores = HashMap<Handle<Expression>, Handle<Expression>>;

/// Rewrites all functions of the module that `info` describes.
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
        // Arguments already have their names.
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
            // No statement computes a constant, so the store goes first.
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

/// Appends a block, with a store after each statement that computes a named value.
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
