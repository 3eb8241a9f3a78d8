//! Structures, and the layout rules for buffer contents (section 3.4.6 of the draft).

use naga::{StructMember, TypeInner};

use super::super::super::parts::build::Ty;
use super::super::super::parts::source::Span;
use super::super::super::parts::types::round_up;
use super::super::tree::{Attribute, Typed};
use super::globals::Class;
use super::{Entity, Lower, Lowered, Name};

/// Largest size of a structure or array, in bytes.
pub(super) const MAX_BYTES: u32 = 1 << 30;
/// Attributes of members: first the draft's only one, then those that sources of 2021 also use.
const MEMBER_ATTRIBUTES: [&str; 7] =
    ["offset", "span", "size", "align", "location", "builtin", "interpolate"];

/// A structure under construction: its members so far, and the offset of the next one.
#[derive(Default)]
struct Laid {
    members: Vec<StructMember>,
    end: u32,
    align: u32,
    /// True if a member is an input or output.
    bound: bool,
    /// True if a member has no offset or is an array without a stride.
    undecorated: bool,
}

impl<'s> Lower<'s, '_> {
    pub(super) fn structure(
        &mut self,
        attributes: &[Attribute<'s>],
        name: Name<'s>,
        members: &[Typed<'s>],
    ) -> Lowered<()> {
        self.check_attributes(attributes, &["block"], "a structure");
        let block = self.flag(attributes, "block");
        if members.is_empty() {
            return self.error(name.span, "a structure has at least one member");
        }
        let mut laid = Laid { align: 1, ..Laid::default() };
        let mut wrong = false;
        for (i, member) in members.iter().enumerate() {
            if members[..i].iter().any(|other| other.name.text == member.name.text) {
                let message = format!("the member `{}` is declared twice", member.name.text);
                self.report.error(member.name.span, message);
                wrong = true;
            }
            wrong |= self.lay(member, i + 1 == members.len(), &mut laid).is_err();
        }
        if wrong {
            return Err(super::Failed);
        }
        let ty = self.b.structure(name.text, laid.members, round_up(laid.align, laid.end));
        for (is, set) in [
            (block, &mut self.blocks),
            (laid.bound, &mut self.interfaces),
            (laid.undecorated, &mut self.undecorated),
        ] {
            if is {
                set.insert(ty);
            }
        }
        self.declare(name, Entity::Type(ty))
    }

    /// Appends a member.
    fn lay(&mut self, member: &Typed<'s>, last: bool, laid: &mut Laid) -> Lowered<()> {
        let (name, span) = (member.name.text, member.name.span);
        let known = if self.settings.strict { &MEMBER_ATTRIBUTES[..1] } else { &MEMBER_ATTRIBUTES[..] };
        self.check_attributes(&member.attributes, known, "a member");
        let ty = self.member_type(member, last)?;
        let offset = self.number(&member.attributes, "offset", 0)?;
        laid.undecorated |= offset.is_none()
            || member.ty.as_ref().is_some_and(|t| t.name == "array" && t.attributes.is_empty());
        let wanted = self.number(&member.attributes, "align", 1)?.unwrap_or(1);
        if !wanted.is_power_of_two() {
            return self.error(span, "an alignment is a power of two");
        }
        let (align, size) = (self.b.align_of(ty), self.b.size_of(ty));
        let natural = align.max(wanted);
        let place = offset.unwrap_or_else(|| round_up(natural, laid.end));
        if place < laid.end {
            let message =
                format!("`{name}` begins at byte {place}, before the member before it ends, at {}", laid.end);
            return self.error(span, message);
        }
        if !place.is_multiple_of(align) {
            let message = format!("`{name}` begins at byte {place}, which is not a multiple of {align}");
            return self.error(span, message);
        }
        let given = match self.number(&member.attributes, "size", 1)? {
            Some(given) => Some(given),
            None => self.number(&member.attributes, "span", 1)?,
        };
        if given.is_some_and(|given| given < size) {
            return self.error(span, format!("`{name}` has {size} bytes"));
        }
        let end = place.checked_add(given.unwrap_or(size)).filter(|end| *end <= MAX_BYTES);
        let Some(end) = end else { return self.error(span, "the structure is larger than 1 GiB") };
        (laid.end, laid.align) = (end, laid.align.max(natural));
        let binding = self.varying_of_member(member, ty)?;
        laid.bound |= binding.is_some();
        laid.members.push(StructMember { name: Some(name.into()), ty, binding, offset: place });
        Ok(())
    }

    fn member_type(&mut self, member: &Typed<'s>, last: bool) -> Lowered<Ty> {
        let Some(decl) = &member.ty else { return Err(super::Failed) };
        let ty = self.type_of(decl)?;
        if !self.is_storable(ty) {
            let name = self.type_name(ty);
            return self.error(decl.span, format!("a member cannot be of type `{name}`"));
        }
        if self.blocks.contains(&ty) {
            self.strictly(decl.span, "a structure with the attribute `block` cannot be a member of another");
        }
        if self.is_runtime_sized(ty) && (!last || self.b.members(ty).is_some()) {
            let message = "a runtime-sized array must be the last member of a buffer's structure";
            return self.error(decl.span, message);
        }
        Ok(ty)
    }

    /// Alignment of a value in a buffer of this class, in bytes.
    fn align_in(&self, ty: Ty, class: Class) -> u32 {
        let composite = matches!(self.b.inner(ty), TypeInner::Struct { .. } | TypeInner::Array { .. });
        let align = match self.b.inner(ty) {
            TypeInner::Array { base, .. } => self.align_in(*base, class),
            TypeInner::Struct { members, .. } => {
                members.iter().map(|m| self.align_in(m.ty, class)).max().unwrap_or(1)
            }
            _ => self.b.align_of(ty),
        };
        if composite && class == Class::Uniform { round_up(16, align) } else { align }
    }

    /// Reports buffer contents that violate the layout rules of their class.
    pub(super) fn check_layout(&mut self, ty: Ty, class: Class, span: Span) -> Lowered<()> {
        match self.b.inner(ty).clone() {
            TypeInner::Struct { members, .. } if !self.boxes.contains(&ty) => {
                if self.undecorated.contains(&ty) {
                    let name = self.type_name(ty);
                    self.strictly(span, format!("every member of `{name}` has an offset and every array in it a stride, since it is in a buffer"));
                }
                for (i, member) in members.iter().enumerate() {
                    let align = self.align_in(member.ty, class);
                    let extent = round_up(align, self.b.size_of(member.ty));
                    let composite = self.b.members(member.ty).is_some();
                    let overlaps =
                        members.get(i + 1).is_some_and(|next| next.offset - member.offset < extent);
                    let (ty, name) = (self.type_name(ty), member.name.clone().unwrap_or_default());
                    if !member.offset.is_multiple_of(align) {
                        let class = class.name();
                        return self.error(span, format!("`{name}` of `{ty}` begins at byte {}, but in class `{class}` it begins at a multiple of {align}", member.offset));
                    }
                    if composite && overlaps && class == Class::Uniform {
                        return self.error(span, format!("`{name}` of `{ty}` has {extent} bytes in class `uniform`, but the next member begins before them"));
                    }
                    self.check_layout(member.ty, class, span)?;
                }
                Ok(())
            }
            TypeInner::Array { base, stride, .. } => {
                let element = if self.boxes.contains(&base) {
                    self.b.members(base).map_or(base, |m| m[0].ty)
                } else {
                    base
                };
                let align = self.align_in(element, class);
                if class == Class::Uniform && !stride.is_multiple_of(16) || !stride.is_multiple_of(align) {
                    let name = self.type_name(ty);
                    let align = if class == Class::Uniform { align.max(16) } else { align };
                    return self.error(span, format!("elements of `{name}` are {stride} bytes apart, but in class `{}` a multiple of {align}", class.name()));
                }
                self.check_layout(element, class, span)
            }
            TypeInner::Scalar(naga::Scalar { kind: naga::ScalarKind::Bool, .. })
            | TypeInner::Vector { scalar: naga::Scalar { kind: naga::ScalarKind::Bool, .. }, .. } => {
                self.error(span, "values of type `bool` are not shared with the host")
            }
            _ => Ok(()),
        }
    }
}
