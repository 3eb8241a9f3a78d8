//! Function calls; all of them are inlined.

use rustc_hash::FxHashMap;

use super::super::kernel::call_import;
use super::{Frame, Lower, MAX_NESTING, Scalars, Val, yields};
use crate::error::{Error, Result};
use crate::ir::{End, Imm, Node, Op, Region, Ty, Var};
use crate::spirv::kernel;
use crate::spirv::module::{Function, Inst};
use crate::spirv::types::Type;

impl Lower<'_> {
    /// Inlines a function, drops its return values, and returns the end of its body; [`call`] binds return values.
    pub(in crate::spirv::lower) fn inline(&mut self, id: u32, args: Vec<Val>) -> Result<End> {
        self.inline_with(id, args).map(|(end, _)| end)
    }

    /// Inlines a function, and returns the end of its body and its return values.
    pub(in crate::spirv::lower) fn inline_with(
        &mut self,
        id: u32,
        args: Vec<Val>,
    ) -> Result<(End, Option<Scalars>)> {
        let m = self.module;
        let function = m.function(id)?;
        let locals = self.bind_arguments(id, function, args)?;
        let tys = self.returned_types(function)?;
        let ret = self.new_label();
        let ret_var = (!tys.is_empty()).then(|| self.new_var(tys.clone(), m.name(id)));
        self.frames.push(Frame {
            function: id,
            locals,
            phis: FxHashMap::default(),
            lowered: vec![false; function.blocks.len()],
            targets: Vec::new(),
            ret,
            ret_var,
            ret_values: None,
            n_returns: 0,
        });
        let src = self.src;
        let caller = self.debug_enter(id);
        self.debug_parameters(function);
        let (saved, queries) = (std::mem::take(&mut self.cur), self.local_queries.mark());
        self.depth += 1;
        let end = match self.is_kernel() {
            true => self.graph(function)?,
            false => self.chain(function.blocks[0].label, None)?,
        };
        self.depth -= 1;
        self.local_queries.end(queries);
        self.debug_leave(caller);
        // The code that follows belongs to the caller: the result is read at the location of the call.
        self.src = src;
        let nodes = std::mem::replace(&mut self.cur, saved);
        let returns = self.used(ret);
        // A single return in tail position: its value is visible after the body has dissolved.
        let plain = end == End::Break(ret, Vec::new());
        let end = self.wrap(ret, Region { nodes, end }, returns);
        let frame = self.frames.pop();
        let mut values = None;
        if let (Some(frame), Some(var)) = (frame, ret_var) {
            values = Some(match frame.ret_values {
                Some(values) if plain && frame.n_returns == 1 => {
                    self.forget_return(var, values.len());
                    values
                }
                _ => {
                    self.take_apart(function.ret, tys.len())?;
                    let list = tys.iter().enumerate();
                    list.map(|(elem, &ty)| self.get_var(var, elem as u32, ty)).collect()
                }
            });
        }
        Ok((end, values))
    }

    /// Checks a call of function `id`, and returns the values of its parameters.
    fn bind_arguments(
        &mut self,
        id: u32,
        function: &Function,
        args: Vec<Val>,
    ) -> Result<FxHashMap<u32, Val>> {
        let m = self.module;
        if self.frames.iter().any(|f| f.function == id) {
            return Err(Error::invalid(format!("function %{id} calls itself")));
        }
        if self.depth >= MAX_NESTING {
            return Err(Error::Limit(format!("calls and control flow nested deeper than {MAX_NESTING}")));
        }
        if args.len() != function.params.len() {
            return Err(Error::invalid(format!("function %{id} called with {} arguments", args.len())));
        }
        let mut locals = FxHashMap::default();
        for (&(param, ty), arg) in function.params.iter().zip(args) {
            let fits = match (&arg, m.ty(ty)?) {
                (Val::Place(_), Type::Pointer { .. } | Type::Address { .. }) => true,
                (Val::Scalars(s), _) => self.types.leaves(ty)? as usize == s.len(),
                (Val::Memory(p), _) => p.ty == ty,
                _ => false,
            };
            if !fits {
                return Err(Error::invalid(format!("argument does not fit parameter %{param}")));
            }
            locals.insert(param, arg);
        }
        Ok(locals)
    }

    /// Types of the scalars of a function's return value.
    fn returned_types(&mut self, function: &Function) -> Result<Vec<Ty>> {
        let mut tys = Vec::new();
        if !matches!(self.module.ty(function.ret)?, Type::Void) {
            self.types.leaf_types(function.ret, &mut tys)?;
            if tys.contains(&Ty::Image) {
                return Err(Error::unsupported("functions that return images or samplers"));
            }
        }
        Ok(tys)
    }

    /// Removes the stores of a return value, which are the last nodes, if no code reads its variable.
    fn forget_return(&mut self, var: Var, n: usize) {
        for _ in 0..n {
            match self.cur.last() {
                Some(Node::Inst(inst))
                    if inst.op == Op::VarSet && matches!(inst.imm, Imm::Var { var: v, .. } if v == var) =>
                {
                    self.cur.pop();
                }
                _ => return,
            }
        }
    }
}

/// OpFunctionCall.
pub fn call<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let function = lower.id_at(operands, 0)?;
    if let Some(import) = lower.module.import(function) {
        return call_import(lower, inst, import, &operands[1..]);
    }
    let mut args = Vec::new();
    let params = &lower.module.function(function)?.params;
    for (i, &id) in operands[1..].iter().enumerate() {
        let val = lower.val(id)?;
        if let Val::Scalars(s) = &val {
            lower.kept(s.len())?;
        }
        // Some shipped modules pass pointers whose types differ from the parameter's in decorations.
        let ty = lower.module.ty(lower.module.type_of(id)?)?;
        let is_value = !matches!(ty, Type::Pointer { .. } | Type::Address { .. });
        args.push(match params.get(i) {
            Some(&param) if kernel::is_by_value(lower.module, param.0) => lower.copied_argument(id, param)?,
            _ => val,
        });
        if is_value && params.get(i).is_some_and(|p| lower.module.type_of(id).is_ok_and(|ty| ty != p.1)) {
            return Err(Error::invalid(format!("argument %{id} does not have the type of the parameter")));
        }
    }
    if lower.module.function(function)?.ret != inst.ty {
        return Err(Error::invalid("result type is not that of the function"));
    }
    let (end, values) = lower.inline_with(function, args)?;
    if end != yields() {
        // The callee never returns: the code after the call is dead, but is still lowered after a break.
        lower.dead_call(end);
    }
    match values {
        Some(values) => lower.define(inst, values),
        None => Ok(()),
    }
}

impl Lower<'_> {
    /// Lowers a call that does not return: the invocation ends here, and the code after the call is unreachable.
    pub(in crate::spirv::lower) fn dead_call(&mut self, end: End) {
        let yes = self.constant(Ty::Bool, 1);
        self.push_if(yes, Region { nodes: Vec::new(), end }, Region::default());
    }
}
