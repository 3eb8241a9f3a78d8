//! Entry points. A wrapper around the source's function fills its variables of the class `in`, calls it, and returns
//! its variables of the class `out`.

use naga::{Binding, BuiltIn, EntryPoint, Handle, Scalar, ScalarKind, ShaderStage, StructMember};
use rustc_hash::FxHashMap;

use super::super::super::parts::build::{Ty, Value};
use super::super::super::parts::source::Span;
use super::super::super::parts::types::round_up;
use super::super::tree::{self, Argument, Attribute, Literal};
use super::functions::Uses;
use super::globals::Class;
use super::varyings::{BUILTINS, Varying, stage_name};
use super::{Lower, Lowered};

/// An output of the entry point.
struct Output {
    name: String,
    ty: Ty,
    binding: Binding,
    value: Value,
}

impl<'s> Lower<'s, '_> {
    pub(super) fn entry_point(
        &mut self,
        decl: &tree::Function<'s>,
        function: Handle<naga::Function>,
        result: Option<Ty>,
        uses: &Uses,
    ) -> Lowered<()> {
        let stage = self.stage(&decl.attributes)?;
        let name = decl.name;
        let size = self.workgroup_size(&decl.attributes, stage)?;
        if self.b.module.entry_points.iter().any(|e| e.name == name.text && e.stage == stage) {
            let message =
                format!("there are two {} entry points with the name `{}`", stage_name(stage), name.text);
            return self.error(name.span, message);
        }
        self.check_uses(stage, uses)?;
        self.b.begin_function(name.text, None);
        self.b.at(name.span);
        self.scopes.push();
        let written = self.wrapper(decl, function, result, uses, stage, size);
        self.scopes.pop();
        let function = self.b.end_function();
        written?;
        self.b.module.entry_points.push(EntryPoint {
            name: name.text.into(),
            stage,
            early_depth_test: None,
            workgroup_size: if stage == ShaderStage::Compute { size } else { [0; 3] },
            workgroup_size_overrides: None,
            function,
            mesh_info: None,
            task_payload: None,
            incoming_ray_payload: None,
        });
        Ok(())
    }

    fn stage(&mut self, attributes: &[Attribute<'s>]) -> Lowered<ShaderStage> {
        match self.word(attributes, "stage")? {
            Some(word) => match word.text {
                "vertex" => Ok(ShaderStage::Vertex),
                "fragment" => Ok(ShaderStage::Fragment),
                "compute" => Ok(ShaderStage::Compute),
                _ => self.error(word.span, "a stage is `vertex`, `fragment` or `compute`"),
            },
            None => Err(super::Failed),
        }
    }

    fn workgroup_size(&mut self, attributes: &[Attribute<'s>], stage: ShaderStage) -> Lowered<[u32; 3]> {
        let mut size = [1; 3];
        let Some(attribute) = attributes.iter().find(|a| a.name.text == "workgroup_size") else {
            return Ok(size);
        };
        let span = attribute.name.span;
        if stage != ShaderStage::Compute {
            return self.error(span, "`workgroup_size` is for compute shaders");
        }
        if !(1..=3).contains(&attribute.arguments.len()) {
            return self.error(span, "`workgroup_size` takes one to three integer literals");
        }
        for (size, argument) in size.iter_mut().zip(&attribute.arguments) {
            let (number, span) = match argument {
                Argument::Literal(Literal::I32(n), span) => (u32::try_from(*n).ok(), *span),
                Argument::Literal(Literal::U32(n), span) if !self.settings.strict => (Some(*n), *span),
                Argument::Literal(_, span) => (None, *span),
                Argument::Word(word) if !self.settings.strict => (self.constant_count(word.text), word.span),
                Argument::Word(word) => (None, word.span),
            };
            match number {
                Some(n) if n > 0 => *size = n,
                _ => return self.error(span, "`workgroup_size` takes integer literals greater than zero"),
            }
        }
        Ok(size)
    }

    /// Reports features that the functions use but the stage does not have.
    fn check_uses(&mut self, stage: ShaderStage, uses: &Uses) -> Lowered<()> {
        if stage != ShaderStage::Fragment {
            if let Some(span) = uses.discards {
                return self.error(
                    span,
                    format!(
                        "`discard` is for fragment shaders, and this is called by a {} shader",
                        stage_name(stage)
                    ),
                );
            }
            if let Some(span) = uses.derivatives {
                return self.error(span, format!("the level of detail and derivatives come from neighbouring fragments, and this is called by a {} shader", stage_name(stage)));
            }
        }
        let mut seen: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        for number in uses.globals.iter() {
            let global = self.globals[number].clone();
            if let Some(slot) = global.slot {
                if let Some(other) = seen.insert(slot, number) {
                    let message = format!(
                        "`{}` and `{}` have the same group and binding in one {} shader",
                        self.globals[other].name,
                        global.name,
                        stage_name(stage)
                    );
                    return self.error(global.span, message);
                }
            }
            if let Some(Varying::Builtin(row)) = global.varying {
                let of = self.row_in(row, stage, global.class == Class::In);
                if BUILTINS[of].stage != stage {
                    let message = format!(
                        "`{}` is for {} shaders, and `{}` is used by a {} shader",
                        BUILTINS[row].name,
                        stage_name(BUILTINS[row].stage),
                        global.name,
                        stage_name(stage)
                    );
                    return self.error(global.span, message);
                }
            }
            if global.class == Class::Workgroup && stage != ShaderStage::Compute {
                return self.error(
                    global.span,
                    format!(
                        "`{}` is of the class `workgroup`, which {} shaders do not have",
                        global.name,
                        stage_name(stage)
                    ),
                );
            }
        }
        Ok(())
    }

    /// Returns the row of a built-in variable for this stage; if the stage has none of that name, the original row.
    fn row_in(&self, row: usize, stage: ShaderStage, input: bool) -> usize {
        let same = |i: &usize| {
            BUILTINS[*i].name == BUILTINS[row].name
                && BUILTINS[*i].stage == stage
                && BUILTINS[*i].input == input
                && (BUILTINS[*i].drafted || !self.settings.strict)
        };
        (0..BUILTINS.len()).find(same).unwrap_or(row)
    }

    fn wrapper(
        &mut self,
        decl: &tree::Function<'s>,
        function: Handle<naga::Function>,
        result: Option<Ty>,
        uses: &Uses,
        stage: ShaderStage,
        size: [u32; 3],
    ) -> Lowered<()> {
        let mut locations = Vec::new();
        for number in uses.globals.iter() {
            let global = self.globals[number].clone();
            let (Class::In, Some(varying)) = (global.class, global.varying) else { continue };
            let value = match varying {
                Varying::Builtin(row) if BUILTINS[row].builtin == BuiltIn::WorkGroupSize => {
                    self.size_value(size)
                }
                _ => {
                    self.check_location(varying, &mut locations, global.span)?;
                    let binding = self.interface_binding(varying, global.ty);
                    self.b.argument(&global.name, global.ty, Some(binding))
                }
            };
            let pointer = self.use_global(number);
            self.b.store(pointer, value);
        }
        let arguments = self.entry_arguments(decl, stage, size, &mut locations)?;
        let returned = self.b.call(function, &arguments);
        let outputs = self.outputs(decl, result, returned, uses, stage)?;
        self.return_outputs(decl.name.text, outputs);
        Ok(())
    }

    fn size_value(&mut self, size: [u32; 3]) -> Value {
        let parts = size.map(|n| self.b.u32(n));
        let ty = self.b.vector(3, Scalar::U32);
        self.b.compose(ty, &parts)
    }

    /// Checks the members of an input structure: the stage must have each, and no two inputs may share a location.
    fn check_members(
        &mut self,
        ty: Ty,
        stage: ShaderStage,
        taken: &mut Vec<Varying>,
        span: Span,
    ) -> Lowered<()> {
        let members: Vec<StructMember> = self.b.members(ty).map(<[_]>::to_vec).unwrap_or_default();
        for member in members {
            let name = member.name.unwrap_or_default();
            let varying = match member.binding {
                Some(Binding::Location { location, .. }) => Some(Varying::Location(location)),
                Some(Binding::BuiltIn(builtin)) => (0..BUILTINS.len())
                    .find(|&row| {
                        let row = &BUILTINS[row];
                        row.builtin == builtin && row.stage == stage && row.input
                    })
                    .map(Varying::Builtin),
                None => None,
            };
            let Some(varying) = varying else {
                let stage = stage_name(stage);
                return self.error(span, format!("the member `{name}` is not an input of a {stage} shader"));
            };
            self.check_location(varying, taken, span)?;
        }
        Ok(())
    }

    fn interface_binding(&self, varying: Varying, ty: Ty) -> Binding {
        self.binding(varying, ty, false)
    }

    fn check_location(&mut self, varying: Varying, taken: &mut Vec<Varying>, span: Span) -> Lowered<()> {
        if taken.contains(&varying) {
            let what = match varying {
                Varying::Location(location) => format!("location {location}"),
                Varying::Builtin(row) => format!("`{}`", BUILTINS[row].name),
            };
            return self.error(span, format!("two inputs or two outputs of one shader are {what}"));
        }
        taken.push(varying);
        Ok(())
    }

    /// Lowers parameters of the entry point itself, which sources of 2021 use.
    fn entry_arguments(
        &mut self,
        decl: &tree::Function<'s>,
        stage: ShaderStage,
        size: [u32; 3],
        locations: &mut Vec<Varying>,
    ) -> Lowered<Vec<Value>> {
        let mut arguments = Vec::new();
        for parameter in &decl.parameters {
            let span = parameter.name.span;
            let Some(declared) = &parameter.ty else { return Err(super::Failed) };
            let ty = self.type_of(declared)?;
            self.check_attributes(
                &parameter.attributes,
                &["location", "builtin", "interpolate"],
                "a parameter",
            );
            let varying = self.varying(&parameter.attributes, ty, Some(true), Some(stage), declared.span)?;
            let value = match varying {
                Some(Varying::Builtin(row)) if BUILTINS[row].builtin == BuiltIn::WorkGroupSize => {
                    self.size_value(size)
                }
                Some(varying) => {
                    self.check_location(varying, locations, span)?;
                    let binding = self.interface_binding(varying, ty);
                    self.b.argument(parameter.name.text, ty, Some(binding))
                }
                None if self.interfaces.contains(&ty) => {
                    self.check_members(ty, stage, locations, declared.span)?;
                    self.b.argument(parameter.name.text, ty, None)
                }
                None => {
                    let message = format!("`{}` has neither a location nor a `builtin`", parameter.name.text);
                    return self.error(span, message);
                }
            };
            arguments.push(value);
        }
        Ok(arguments)
    }

    /// Collects the outputs: the return value of the function, and its variables of the class `out`.
    fn outputs(
        &mut self,
        decl: &tree::Function<'s>,
        result: Option<Ty>,
        returned: Option<Value>,
        uses: &Uses,
        stage: ShaderStage,
    ) -> Lowered<Vec<Output>> {
        let mut outputs = Vec::new();
        if let (Some(ty), Some(value)) = (result, returned) {
            self.returned_outputs(decl, ty, value, stage, &mut outputs)?;
        }
        let mut taken = Vec::new();
        for number in uses.globals.iter() {
            let global = self.globals[number].clone();
            let (Class::Out, Some(varying)) = (global.class, global.varying) else { continue };
            self.check_location(varying, &mut taken, global.span)?;
            let binding = self.interface_binding(varying, global.ty);
            let pointer = self.use_global(number);
            let value = self.b.load(pointer);
            outputs.push(Output { name: global.name.to_string(), ty: global.ty, binding, value });
        }
        self.check_outputs(decl, &outputs, stage)?;
        let position = Binding::BuiltIn(BuiltIn::Position { invariant: false });
        if stage == ShaderStage::Vertex && outputs.iter().all(|o| o.binding != position) {
            let ty = self.b.vector(4, Scalar::F32);
            let value = self.b.zero(ty);
            outputs.push(Output { name: "position".into(), ty, binding: position, value });
        }
        if stage == ShaderStage::Fragment {
            for output in &mut outputs {
                // Fragment outputs are not interpolated.
                if let Binding::Location { interpolation, sampling, .. } = &mut output.binding {
                    let kind = self.b.components(output.ty).map(|(_, scalar)| scalar.kind);
                    if kind != Some(ScalarKind::Float) {
                        (*interpolation, *sampling) = (None, None);
                    }
                }
            }
        }
        Ok(outputs)
    }

    /// Checks that the stage has each output, and that no two outputs share a location.
    fn check_outputs(
        &mut self,
        decl: &tree::Function<'s>,
        outputs: &[Output],
        stage: ShaderStage,
    ) -> Lowered<()> {
        let place = |binding: &Binding| match binding {
            Binding::BuiltIn(builtin) => (None, Some(*builtin)),
            Binding::Location { location, .. } => (Some(*location), None),
        };
        for (i, output) in outputs.iter().enumerate() {
            if outputs[..i].iter().any(|other| place(&other.binding) == place(&output.binding)) {
                let message = format!("two outputs of `{}` are in one place", decl.name.text);
                return self.error(decl.name.span, message);
            }
            let there = |builtin: BuiltIn| {
                BUILTINS.iter().any(|row| row.builtin == builtin && row.stage == stage && !row.input)
            };
            if let Binding::BuiltIn(builtin) = output.binding
                && !there(builtin)
            {
                let message = format!("`{}` is not an output of a {} shader", output.name, stage_name(stage));
                return self.error(decl.name.span, message);
            }
        }
        Ok(())
    }

    /// Adds the outputs in the return value, by its attributes or those of its members.
    fn returned_outputs(
        &mut self,
        decl: &tree::Function<'s>,
        ty: Ty,
        value: Value,
        stage: ShaderStage,
        outputs: &mut Vec<Output>,
    ) -> Lowered<()> {
        let span = decl.result.as_ref().map_or(decl.name.span, |result| result.span);
        self.check_attributes(&decl.result_attributes, &["location", "builtin", "interpolate"], "a result");
        match self.varying(&decl.result_attributes, ty, Some(false), Some(stage), span)? {
            Some(varying) => {
                let binding = self.interface_binding(varying, ty);
                outputs.push(Output { name: "result".into(), ty, binding, value });
            }
            None if self.interfaces.contains(&ty) => {
                let members: Vec<StructMember> = self.b.members(ty).map(<[_]>::to_vec).unwrap_or_default();
                for (i, member) in members.into_iter().enumerate() {
                    let name = member.name.unwrap_or_default();
                    let Some(binding) = member.binding else {
                        return self.error(
                            span,
                            format!("the member `{name}` has neither a location nor a `builtin`"),
                        );
                    };
                    let value = self.b.member(value, u32::try_from(i).unwrap_or(u32::MAX));
                    outputs.push(Output { name, ty: member.ty, binding, value });
                }
            }
            None => return self.error(span, "the result has neither a location nor a `builtin`"),
        }
        Ok(())
    }

    fn return_outputs(&mut self, name: &str, outputs: Vec<Output>) {
        match outputs.as_slice() {
            [] => self.b.ret(None),
            [only] => {
                let binding = Some(only.binding.clone());
                *self.b.result() = Some(naga::FunctionResult { ty: only.ty, binding });
                self.b.ret(Some(only.value));
            }
            several => {
                let (mut end, mut align) = (0, 1);
                let mut members = Vec::new();
                for output in several {
                    let natural = self.b.align_of(output.ty);
                    let offset = round_up(natural, end);
                    (end, align) = (offset + self.b.size_of(output.ty), align.max(natural));
                    members.push(StructMember {
                        name: Some(output.name.clone()),
                        ty: output.ty,
                        binding: Some(output.binding.clone()),
                        offset,
                    });
                }
                let ty = self.b.structure(&format!("{name}_outputs"), members, round_up(align, end));
                let values: Vec<Value> = several.iter().map(|o| o.value).collect();
                let value = self.b.compose(ty, &values);
                *self.b.result() = Some(naga::FunctionResult { ty, binding: None });
                self.b.ret(Some(value));
            }
        }
    }
}
