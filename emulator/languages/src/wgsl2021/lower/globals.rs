//! Module variables.

use std::rc::Rc;

use naga::{AddressSpace, GlobalVariable, Handle, MemoryDecorations, StorageAccess, TypeInner};

use super::super::super::parts::build::{Expr, Ty, Value};
use super::super::super::parts::source::Span;
use super::super::tree::{Argument, Attribute, Declaration, ExprId};
use super::varyings::Varying;
use super::{Entity, Lower, Lowered, Name};

/// Storage classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    In,
    Out,
    Function,
    Private,
    Workgroup,
    Uniform,
    Storage(StorageAccess),
    /// Textures and samplers.
    Handle,
    /// Not part of the draft.
    PushConstant,
}

impl Class {
    pub fn of_name(name: &str) -> Option<Class> {
        Some(match name {
            "in" => Class::In,
            "out" => Class::Out,
            "function" => Class::Function,
            "private" => Class::Private,
            "workgroup" => Class::Workgroup,
            "uniform" => Class::Uniform,
            "storage" => Class::Storage(StorageAccess::LOAD.union(StorageAccess::STORE)),
            "push_constant" => Class::PushConstant,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Class::In => "in",
            Class::Out => "out",
            Class::Function => "function",
            Class::Private => "private",
            Class::Workgroup => "workgroup",
            Class::Uniform => "uniform",
            Class::Storage(_) => "storage",
            Class::Handle => "handle",
            Class::PushConstant => "push_constant",
        }
    }

    /// Address space of a variable of this class in naga. Inputs and outputs are private, because entry points copy
    /// them.
    pub fn space(self) -> AddressSpace {
        match self {
            Class::In | Class::Out | Class::Private => AddressSpace::Private,
            Class::Function => AddressSpace::Function,
            Class::Workgroup => AddressSpace::WorkGroup,
            Class::Uniform => AddressSpace::Uniform,
            Class::Storage(access) => AddressSpace::Storage { access },
            Class::Handle => AddressSpace::Handle,
            Class::PushConstant => AddressSpace::Immediate,
        }
    }

    pub fn is_writable(self) -> bool {
        match self {
            Class::In | Class::Uniform | Class::Handle | Class::PushConstant => false,
            Class::Storage(access) => access.contains(StorageAccess::STORE),
            _ => true,
        }
    }

    /// True if the classes are equal apart from the access mode.
    pub fn is_like(self, other: Class) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

pub(super) fn access_of(word: &str) -> Option<StorageAccess> {
    match word {
        "read" => Some(StorageAccess::LOAD),
        "write" => Some(StorageAccess::STORE),
        "read_write" => Some(StorageAccess::LOAD.union(StorageAccess::STORE)),
        _ => None,
    }
}

/// A module variable.
#[derive(Clone, Debug)]
pub(super) struct Global {
    pub name: Rc<str>,
    pub span: Span,
    pub class: Class,
    pub ty: Ty,
    pub handle: Handle<GlobalVariable>,
    pub varying: Option<Varying>,
    /// Bind group and binding.
    pub slot: Option<(u32, u32)>,
    /// True for an array of 1D textures in the source, which becomes an array of 2D textures.
    pub flat: bool,
}

/// Largest number of module variables.
const MAX_VARIABLES: usize = 1024;
const ATTRIBUTES: [&str; 5] = ["location", "builtin", "group", "binding", "set"];

impl<'s> Lower<'s, '_> {
    pub(super) fn global(&mut self, declaration: &Declaration<'s>) -> Lowered<()> {
        let Declaration::Var { attributes, variable, class, access, init } = declaration else {
            return Ok(());
        };
        let known = if self.settings.strict { &ATTRIBUTES[..4] } else { &ATTRIBUTES[..] };
        self.check_attributes(attributes, known, "a variable");
        let name = variable.name;
        if self.globals.len() >= MAX_VARIABLES {
            return self.error(name.span, format!("a module has at most {MAX_VARIABLES} variables"));
        }
        let Some(decl) = &variable.ty else { return Err(super::Failed) };
        let said = self.access(&decl.attributes, *access)?;
        let mut ty = self.type_with_access(decl, Some(said.unwrap_or(StorageAccess::LOAD)))?;
        if decl.name == "sampler" && !self.settings.strict && self.tree.compared.contains(&name.text) {
            ty = self.b.sampler(true);
        }
        let class = self.class(name, *class, attributes, ty, said, decl.span)?;
        let slot = self.slot(name, class, attributes)?;
        let varying = match class {
            Class::In | Class::Out => {
                self.varying(attributes, ty, Some(class == Class::In), None, decl.span)?
            }
            _ => {
                if let Some(wrong) = attributes.iter().find(|a| matches!(a.name.text, "location" | "builtin"))
                {
                    let message =
                        format!("`{}` is for variables of the classes `in` and `out`", wrong.name.text);
                    return self.error(wrong.name.span, message);
                }
                None
            }
        };
        if matches!(class, Class::In | Class::Out) && varying.is_none() {
            return self.error(name.span, format!("`{}` has neither a location nor a `builtin`", name.text));
        }
        self.check_store_type(class, ty, decl.span)?;
        let init = self.initial(*init, class, ty)?;
        let variable = GlobalVariable {
            name: Some(name.text.into()),
            space: class.space(),
            binding: slot.map(|(group, binding)| naga::ResourceBinding { group, binding }),
            ty,
            init,
            memory_decorations: MemoryDecorations::empty(),
        };
        let handle = self.b.module.global_variables.append(variable, name.span.into());
        let (name_text, span) = (name.text.into(), name.span);
        let flat =
            self.settings.printed && matches!(decl.name, "texture_1d_array" | "texture_storage_1d_array");
        self.globals.push(Global { name: name_text, span, class, ty, handle, varying, slot, flat });
        let entity = Entity::Global(self.globals.len() - 1);
        // Sources of 2021 may use one name for an output of one stage and an input of the next.
        if !self.settings.strict
            && let Some(Entity::Global(other)) = self.scopes.get(name.text)
            && [class, self.globals[*other].class].iter().all(|class| matches!(class, Class::In | Class::Out))
        {
            self.scopes.replace(name.text, entity, name.span);
            return Ok(());
        }
        self.declare(name, entity)
    }

    /// Lowers the initial value of a variable.
    fn initial(&mut self, init: Option<ExprId>, class: Class, ty: Ty) -> Lowered<Option<Expr>> {
        match init {
            Some(init) if !matches!(class, Class::Private | Class::Out) => {
                let span = self.tree.span(init);
                self.error(span, format!("a variable of the class `{}` has no initial value", class.name()))
            }
            Some(init) => {
                let value = self.constant(init, Some(ty))?;
                Ok(Some(self.const_expression(&value)))
            }
            None => Ok(None),
        }
    }

    /// Returns the access mode from the type's attribute or, as in later drafts, from the storage class.
    fn access(
        &mut self,
        attributes: &[Attribute<'s>],
        in_class: Option<Name<'s>>,
    ) -> Lowered<Option<StorageAccess>> {
        let attribute = attributes.iter().find(|a| a.name.text == "access");
        let word = match attribute.map(|a| (a, a.arguments.as_slice())) {
            Some((_, [Argument::Word(word)])) => Some(*word),
            Some((attribute, _)) => {
                return self.error(attribute.name.span, "`access` takes `read`, `write` or `read_write`");
            }
            None => in_class,
        };
        match word.map(|word| (word, access_of(word.text))) {
            Some((word, None)) => self.error(word.span, format!("`{}` is not an access mode", word.text)),
            Some((_, access)) => Ok(access),
            None => Ok(None),
        }
    }

    /// Returns the storage class, as written or inferred from the type and attributes.
    fn class(
        &mut self,
        name: Name<'s>,
        said: Option<Name<'s>>,
        attributes: &[Attribute<'s>],
        ty: Ty,
        access: Option<StorageAccess>,
        type_span: Span,
    ) -> Lowered<Class> {
        let handle = matches!(self.b.inner(ty), TypeInner::Image { .. } | TypeInner::Sampler { .. });
        if handle {
            if let Some(said) = said.filter(|said| self.settings.strict || said.text != "uniform") {
                return self.error(said.span, "a texture or sampler has no storage class");
            }
            return self.handle_class(name, ty, access, type_span);
        }
        let class = match said {
            Some(said) => match Class::of_name(said.text) {
                Some(Class::PushConstant) if self.settings.strict => None,
                Some(Class::Function) => {
                    return self
                        .error(said.span, "variables of the class `function` are inside of functions");
                }
                class => class,
            },
            None => self.inferred_class(name, attributes, ty)?,
        };
        let Some(class) = class else {
            let span = said.map_or(name.span, |said| said.span);
            return self
                .error(span, format!("`{}` is not a storage class", said.map_or("", |said| said.text)));
        };
        match (class, access) {
            (Class::Storage(_), Some(access)) => Ok(Class::Storage(access)),
            (Class::Storage(both), None) => {
                self.strictly(
                    type_span,
                    "a variable of the class `storage` says its access: `[[access(read_write)]]`",
                );
                Ok(Class::Storage(both))
            }
            (_, Some(_)) => self.error(type_span, "`access` is for variables of the class `storage`"),
            (class, None) => Ok(class),
        }
    }

    fn handle_class(
        &mut self,
        name: Name<'s>,
        ty: Ty,
        access: Option<StorageAccess>,
        span: Span,
    ) -> Lowered<Class> {
        let storage =
            matches!(self.b.inner(ty), TypeInner::Image { class: naga::ImageClass::Storage { .. }, .. });
        match access {
            Some(_) if !storage => self.error(span, "`access` is for storage textures and buffers"),
            Some(access) if access == StorageAccess::LOAD.union(StorageAccess::STORE) => {
                self.error(span, "a storage texture is read or written, not both")
            }
            None if storage => {
                let message =
                    format!("the storage texture `{}` says its access: `[[access(read)]]`", name.text);
                self.strictly(span, message);
                Ok(Class::Handle)
            }
            _ => Ok(Class::Handle),
        }
    }

    /// Infers the storage class of a variable without one, as sources of 2021 expect.
    fn inferred_class(
        &mut self,
        name: Name<'s>,
        attributes: &[Attribute<'s>],
        ty: Ty,
    ) -> Lowered<Option<Class>> {
        if self.settings.strict {
            return self.error(name.span, format!("the variable `{}` has no storage class", name.text));
        }
        if let Some(word) = self.word(attributes, "builtin")? {
            let row = super::varyings::BUILTINS.iter().find(|row| row.name == word.text);
            return Ok(Some(if row.is_some_and(|row| !row.input) { Class::Out } else { Class::In }));
        }
        let resource = attributes.iter().any(|a| a.name.text == "binding");
        if resource && self.b.members(ty).is_some() {
            return Ok(Some(Class::Uniform));
        }
        if attributes.is_empty() {
            return Ok(Some(Class::Private));
        }
        self.error(name.span, format!("the variable `{}` has no storage class", name.text))
    }

    /// Returns the bind group and binding, which resources must have and other variables must not.
    fn slot(
        &mut self,
        name: Name<'s>,
        class: Class,
        attributes: &[Attribute<'s>],
    ) -> Lowered<Option<(u32, u32)>> {
        let group = match self.number(attributes, "group", 0)? {
            Some(group) => Some(group),
            None => self.number(attributes, "set", 0)?,
        };
        let binding = self.number(attributes, "binding", 0)?;
        let resource = matches!(class, Class::Uniform | Class::Storage(_) | Class::Handle);
        match (group, binding) {
            (Some(group), Some(binding)) if resource => Ok(Some((group, binding))),
            (None, None) if !resource => Ok(None),
            _ if resource => self.error(
                name.span,
                format!("`{}` is a resource and has both `group` and `binding`", name.text),
            ),
            _ => self.error(
                name.span,
                format!("a variable of the class `{}` has no `group` and no `binding`", class.name()),
            ),
        }
    }

    fn check_store_type(&mut self, class: Class, ty: Ty, span: Span) -> Lowered<()> {
        match class {
            Class::Handle => return Ok(()),
            Class::Uniform | Class::Storage(_) | Class::PushConstant => {
                if self.b.members(ty).is_none() {
                    self.strictly(span, "a buffer holds a structure with the attribute `block`");
                } else if !self.blocks.contains(&ty) {
                    let name = self.type_name(ty);
                    self.strictly(span, format!("`{name}` is in a buffer, so it has the attribute `block`"));
                }
                if self.is_runtime_sized(ty) && !matches!(class, Class::Storage(_)) {
                    return self.error(span, "a runtime-sized array must be in the class `storage`");
                }
                return self.check_layout(ty, class, span);
            }
            _ => {}
        }
        if self.is_runtime_sized(ty) {
            return self.error(span, "a runtime-sized array must be in the class `storage`");
        }
        if !self.is_storable(ty) {
            let name = self.type_name(ty);
            return self.error(span, format!("a variable cannot hold a value of type `{name}`"));
        }
        Ok(())
    }

    /// Returns a module variable inside a function: a pointer, or the texture or sampler itself.
    pub(super) fn use_global(&mut self, number: usize) -> Value {
        let (handle, ty, class) = {
            let global = &self.globals[number];
            (global.handle, global.ty, global.class)
        };
        self.current.uses.globals.insert(number);
        let ty = if class == Class::Handle { ty } else { self.b.pointer(ty, class.space()) };
        self.b.add(naga::Expression::GlobalVariable(handle), ty)
    }
}
