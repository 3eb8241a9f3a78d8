//! Resolves the types in declarations, and names types in messages.

use std::num::NonZeroU32;

use naga::{AddressSpace, ImageClass, ImageDimension, Scalar, ScalarKind, StorageAccess, TypeInner};

use super::super::super::parts::build::Ty;
use super::super::super::parts::source::Span;
use super::super::tree::{Literal, TypeArgument, TypeDecl};
use super::globals::Class;
use super::{Entity, Failed, Lower, Lowered, Name};

/// Texel formats of storage textures.
const FORMATS: [(&str, naga::StorageFormat); 30] = {
    use naga::StorageFormat as F;
    [
        ("rgba8unorm", F::Rgba8Unorm),
        ("rgba8snorm", F::Rgba8Snorm),
        ("rgba8uint", F::Rgba8Uint),
        ("rgba8sint", F::Rgba8Sint),
        ("rgba16uint", F::Rgba16Uint),
        ("rgba16sint", F::Rgba16Sint),
        ("rgba16float", F::Rgba16Float),
        ("r32uint", F::R32Uint),
        ("r32sint", F::R32Sint),
        ("r32float", F::R32Float),
        ("rg32uint", F::Rg32Uint),
        ("rg32sint", F::Rg32Sint),
        ("rg32float", F::Rg32Float),
        ("rgba32uint", F::Rgba32Uint),
        ("rgba32sint", F::Rgba32Sint),
        ("rgba32float", F::Rgba32Float),
        // The following formats are in the draft's grammar, but not in its table of storage texture formats.
        ("r8unorm", F::R8Unorm),
        ("r8snorm", F::R8Snorm),
        ("r8uint", F::R8Uint),
        ("r8sint", F::R8Sint),
        ("r16uint", F::R16Uint),
        ("r16sint", F::R16Sint),
        ("r16float", F::R16Float),
        ("rg8unorm", F::Rg8Unorm),
        ("rg8snorm", F::Rg8Snorm),
        ("rg8uint", F::Rg8Uint),
        ("rg8sint", F::Rg8Sint),
        ("rg16uint", F::Rg16Uint),
        ("rg16sint", F::Rg16Sint),
        ("rg16float", F::Rg16Float),
    ]
};
/// Number of leading [`FORMATS`] that are in the draft's table.
const TABLED: usize = 16;

/// Parses the end of a texture type's name: the dimension, and `true` for an array.
fn dimension(name: &str) -> Option<(ImageDimension, bool)> {
    Some(match name {
        "1d" => (ImageDimension::D1, false),
        "1d_array" => (ImageDimension::D1, true),
        "2d" => (ImageDimension::D2, false),
        "2d_array" => (ImageDimension::D2, true),
        "3d" => (ImageDimension::D3, false),
        "cube" => (ImageDimension::Cube, false),
        "cube_array" => (ImageDimension::Cube, true),
        _ => return None,
    })
}

/// Returns the scalar type with this name.
fn scalar(name: &str) -> Option<Scalar> {
    Some(match name {
        "bool" => Scalar::BOOL,
        "i32" => Scalar::I32,
        "u32" => Scalar::U32,
        "f32" => Scalar::F32,
        _ => return None,
    })
}

impl<'s> Lower<'s, '_> {
    /// Resolves a type in a place that has no access mode.
    pub(super) fn type_of(&mut self, decl: &TypeDecl<'s>) -> Lowered<Ty> {
        self.type_with_access(decl, None)
    }

    /// Resolves a type; `access` is the access mode of its variable, for storage textures.
    pub(super) fn type_with_access(
        &mut self,
        decl: &TypeDecl<'s>,
        access: Option<StorageAccess>,
    ) -> Lowered<Ty> {
        let known: &[&str] = match (decl.name, access) {
            ("array", None) => &["stride"],
            ("array", Some(_)) => &["stride", "access"],
            (_, Some(_)) => &["access"],
            _ => &[],
        };
        self.check_attributes(&decl.attributes, known, "this type");
        let ty = match (decl.name, decl.name.strip_prefix("vec"), decl.name.strip_prefix("mat")) {
            ("ptr", ..) => self.pointer_type(decl)?,
            ("array", ..) => self.array_type(decl)?,
            (_, Some("2" | "3" | "4"), _) => {
                let component = self.component(decl)?;
                let n = u32::from(decl.name.as_bytes()[3] - b'0');
                self.b.vector(n, component)
            }
            (_, _, Some("2x2" | "2x3" | "2x4" | "3x2" | "3x3" | "3x4" | "4x2" | "4x3" | "4x4")) => {
                let component = self.component(decl)?;
                if component != Scalar::F32 {
                    return self.error(decl.span, "matrices are of `f32`");
                }
                let size = |at: usize| u32::from(decl.name.as_bytes()[at] - b'0');
                self.b.matrix(size(3), size(5), component)
            }
            (name, ..) if name.starts_with("texture_") => self.texture_type(decl, access)?,
            (name, ..) => self.plain_type(name, decl)?,
        };
        Ok(ty)
    }

    /// Resolves a type without arguments: scalar, sampler, structure or alias.
    fn plain_type(&mut self, name: &str, decl: &TypeDecl<'s>) -> Lowered<Ty> {
        let found = self.plain_type_of(name, decl)?;
        if !decl.arguments.is_empty() {
            return self.error(decl.span, format!("the type `{name}` takes no arguments"));
        }
        Ok(found)
    }

    fn plain_type_of(&mut self, name: &str, decl: &TypeDecl<'s>) -> Lowered<Ty> {
        if let Some(scalar) = scalar(name) {
            return Ok(self.b.scalar(scalar));
        }
        match self.scopes.get(name) {
            Some(Entity::Type(ty)) => return Ok(*ty),
            Some(Entity::Wrong) => return Err(Failed),
            _ => {}
        }
        match name {
            "sampler" => Ok(self.b.sampler(false)),
            "sampler_comparison" => Ok(self.b.sampler(true)),
            "void" => self.error(decl.span, "`void` is the result of functions alone"),
            _ if self.scopes.get(name).is_some() => self.error(decl.span, format!("`{name}` is not a type")),
            _ => self.error(decl.span, format!("no type has the name `{name}` here")),
        }
    }

    /// Returns the scalar type between the angle brackets.
    fn component(&mut self, decl: &TypeDecl<'s>) -> Lowered<Scalar> {
        let [TypeArgument::Type(component)] = decl.arguments.as_slice() else {
            return self.error(decl.span, format!("`{0}` is of one type: `{0}<f32>`", decl.name));
        };
        let ty = self.type_of(component)?;
        match *self.b.inner(ty) {
            TypeInner::Scalar(scalar) => Ok(scalar),
            _ => self.error(component.span, format!("`{}` is of scalars", decl.name)),
        }
    }

    fn pointer_type(&mut self, decl: &TypeDecl<'s>) -> Lowered<Ty> {
        let [TypeArgument::Type(class), TypeArgument::Type(base)] = decl.arguments.as_slice() else {
            return self.error(decl.span, "`ptr` takes a storage class and a type: `ptr<function, f32>`");
        };
        let Some(class) = Class::of_name(class.name) else {
            return self.error(class.span, format!("`{}` is not a storage class", class.name));
        };
        let base_ty = self.type_of(base)?;
        if self.b.pointee(base_ty).is_some() {
            return self.error(base.span, "a pointer cannot point to a pointer");
        }
        if !self.is_storable(base_ty) {
            let name = self.type_name(base_ty);
            return self.error(base.span, format!("a pointer cannot point to a `{name}`"));
        }
        Ok(self.b.pointer(base_ty, class.space()))
    }

    fn array_type(&mut self, decl: &TypeDecl<'s>) -> Lowered<Ty> {
        let (element, count) = match decl.arguments.as_slice() {
            [TypeArgument::Type(element)] => (element, None),
            [TypeArgument::Type(element), count] => (element, Some(self.array_count(count)?)),
            _ => return self.error(decl.span, "`array` takes a type, and a count: `array<f32, 4>`"),
        };
        let element_ty = self.type_of(element)?;
        if !self.is_storable(element_ty) || self.is_runtime_sized(element_ty) {
            let name = self.type_name(element_ty);
            return self.error(element.span, format!("an array cannot have elements of type `{name}`"));
        }
        if self.blocks.contains(&element_ty) {
            self.strictly(
                element.span,
                "a structure with the attribute `block` cannot be an element of an array",
            );
        }
        let natural = super::super::super::parts::types::round_up(
            self.b.align_of(element_ty),
            self.b.size_of(element_ty),
        )
        .max(1);
        let stride = self.number(&decl.attributes, "stride", 1)?;
        if stride.is_none() && count.is_none() {
            self.strictly(decl.span, "a runtime-sized array needs a stride: `[[stride(4)]]`");
        }
        let stride = stride.unwrap_or(natural);
        let bytes = count.map_or(Some(stride), |n| n.get().checked_mul(stride));
        if bytes.is_none_or(|bytes| bytes > super::layout::MAX_BYTES) {
            return self.error(decl.span, "the array is larger than 1 GiB");
        }
        if stride == natural {
            return Ok(self.b.array(element_ty, count, stride));
        }
        if stride < natural || !stride.is_multiple_of(self.b.align_of(element_ty)) {
            let align = self.b.align_of(element_ty);
            return self.error(
                decl.span,
                format!(
                    "elements of {natural} bytes that are aligned to {align} cannot be {stride} bytes apart"
                ),
            );
        }
        let member =
            naga::StructMember { name: Some("element".into()), ty: element_ty, binding: None, offset: 0 };
        let boxed = self.b.structure(&format!("Stride{stride}"), vec![member], stride);
        self.boxes.insert(boxed);
        Ok(self.b.array(boxed, count, stride))
    }

    fn array_count(&mut self, count: &TypeArgument<'s>) -> Lowered<NonZeroU32> {
        let (number, span) = match count {
            TypeArgument::Count(Literal::I32(n), span) => (u32::try_from(*n).ok(), *span),
            TypeArgument::Count(Literal::U32(n), span) if !self.settings.strict => (Some(*n), *span),
            TypeArgument::Count(_, span) => (None, *span),
            TypeArgument::Type(name) if !self.settings.strict => (self.constant_count(name.name), name.span),
            TypeArgument::Type(name) => (None, name.span),
        };
        match number.and_then(NonZeroU32::new) {
            Some(n) => Ok(n),
            None => self.error(span, "the count of an array is an integer literal greater than zero"),
        }
    }

    fn texture_type(&mut self, decl: &TypeDecl<'s>, access: Option<StorageAccess>) -> Lowered<Ty> {
        let rest = decl.name.strip_prefix("texture_").unwrap_or("");
        let storage = rest.strip_prefix("storage_");
        let depth = rest.strip_prefix("depth_");
        let multisampled = rest.strip_prefix("multisampled_");
        // Before `texture_2d`, the name was `texture_sampled_2d`.
        let sampled = rest.strip_prefix("sampled_").filter(|_| !self.settings.strict).unwrap_or(rest);
        let shape = storage.or(depth).or(multisampled).unwrap_or(sampled);
        let dim = dimension(shape).filter(|(dim, arrayed)| match (storage, depth, multisampled) {
            (Some(_), ..) => *dim != ImageDimension::Cube,
            (_, Some(_), _) => matches!(dim, ImageDimension::D2 | ImageDimension::Cube),
            (.., Some(_)) => *dim == ImageDimension::D2 && !arrayed,
            _ => true,
        });
        let Some((mut dim, arrayed)) = dim else {
            return self.error(decl.span, format!("there is no type `{}`", decl.name));
        };
        if self.settings.printed && dim == ImageDimension::D1 && arrayed {
            // Today's WGSL has no arrays of 1D textures, so 2D textures of height 1 replace them.
            dim = ImageDimension::D2;
        }
        let class = match decl.arguments.as_slice() {
            [] if depth.is_some() => ImageClass::Depth { multi: false },
            [TypeArgument::Type(format), rest @ ..] if storage.is_some() => {
                self.storage_class(format, rest, access)?
            }
            [TypeArgument::Type(kind)] if storage.is_none() && depth.is_none() => {
                let ty = self.type_of(kind)?;
                match *self.b.inner(ty) {
                    TypeInner::Scalar(Scalar {
                        kind: kind @ (ScalarKind::Float | ScalarKind::Sint | ScalarKind::Uint),
                        ..
                    }) => ImageClass::Sampled { kind, multi: multisampled.is_some() },
                    _ => return self.error(kind.span, "a texture is of `f32`, `i32` or `u32`"),
                }
            }
            _ => {
                let message = format!("wrong arguments of `{}`", decl.name);
                return self.error(decl.span, message);
            }
        };
        let ty = self.b.image(dim, arrayed, class);
        self.type_names.entry(ty).or_insert_with(|| decl.name.to_owned());
        Ok(ty)
    }

    fn storage_class(
        &mut self,
        format: &TypeDecl<'s>,
        rest: &[TypeArgument<'s>],
        mut access: Option<StorageAccess>,
    ) -> Lowered<ImageClass> {
        let found = FORMATS.iter().position(|(name, _)| *name == format.name);
        let Some(number) = found else {
            return self.error(format.span, format!("`{}` is not a storage texture format", format.name));
        };
        if number >= TABLED {
            self.strictly(format.span, format!("`{}` is not a storage texture format", format.name));
        }
        match rest {
            [] => {}
            [TypeArgument::Type(word)] if !self.settings.strict => {
                access = super::globals::access_of(word.name);
            }
            _ => return self.error(format.span, "a storage texture takes one format"),
        }
        // If no variable gives the access mode, as for a parameter, the texture is read-only.
        let access = access.unwrap_or(StorageAccess::LOAD);
        Ok(ImageClass::Storage { format: FORMATS[number].1, access })
    }

    pub(super) fn alias(&mut self, name: Name<'s>, decl: &TypeDecl<'s>) -> Lowered<()> {
        let ty = self.type_of(decl)?;
        self.declare(name, Entity::Type(ty))
    }

    /// True if variables can hold values of the type.
    pub(super) fn is_storable(&self, ty: Ty) -> bool {
        !matches!(
            self.b.inner(ty),
            TypeInner::Pointer { .. } | TypeInner::Image { .. } | TypeInner::Sampler { .. }
        )
    }

    /// True if the type is a runtime-sized array or ends with one.
    pub(super) fn is_runtime_sized(&self, ty: Ty) -> bool {
        match self.b.inner(ty) {
            TypeInner::Array { size: naga::ArraySize::Dynamic, .. } => true,
            TypeInner::Struct { members, .. } => members.last().is_some_and(|m| self.is_runtime_sized(m.ty)),
            _ => false,
        }
    }

    /// Returns the type in WGSL notation.
    pub(super) fn type_name(&self, ty: Ty) -> String {
        if let Some(name) = self.type_names.get(&ty) {
            return name.clone();
        }
        let scalar = |s: Scalar| match s.kind {
            ScalarKind::Bool => "bool",
            ScalarKind::Sint => "i32",
            ScalarKind::Uint => "u32",
            _ => "f32",
        };
        match *self.b.inner(ty) {
            TypeInner::Scalar(s) => scalar(s).into(),
            TypeInner::Vector { size, scalar: s } => format!("vec{}<{}>", size as u32, scalar(s)),
            TypeInner::Matrix { columns, rows, .. } => format!("mat{}x{}<f32>", columns as u32, rows as u32),
            TypeInner::Array { base, size, stride } => {
                let (attribute, base) = if self.boxes.contains(&base) {
                    (format!("[[stride({stride})]] "), self.b.members(base).map_or(base, |m| m[0].ty))
                } else {
                    (String::new(), base)
                };
                let count = match size {
                    naga::ArraySize::Constant(n) => format!(", {n}"),
                    _ => String::new(),
                };
                format!("{attribute}array<{}{count}>", self.type_name(base))
            }
            TypeInner::Pointer { base, space } => {
                let class = match space {
                    AddressSpace::Function => "function",
                    AddressSpace::Private => "private",
                    AddressSpace::WorkGroup => "workgroup",
                    AddressSpace::Uniform => "uniform",
                    AddressSpace::Storage { .. } => "storage",
                    _ => "handle",
                };
                format!("ptr<{class}, {}>", self.type_name(base))
            }
            TypeInner::Struct { .. } => self.b.module.types[ty].name.clone().unwrap_or_default(),
            TypeInner::Sampler { comparison: false } => "sampler".into(),
            TypeInner::Sampler { .. } => "sampler_comparison".into(),
            _ => "texture".into(),
        }
    }

    /// Reports that a value does not have the required type.
    pub(super) fn mismatch<T>(&mut self, span: Span, wanted: Ty, found: Ty) -> Lowered<T> {
        let (wanted, found) = (self.type_name(wanted), self.type_name(found));
        self.error(span, format!("expected a value of type `{wanted}`, found one of type `{found}`"))
    }
}
