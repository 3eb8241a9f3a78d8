//! Descriptor sets and a pipeline layout made from what a shader uses.
//!
//! For programs that have one shader and want to run it, not to design an interface: [`Interface`]
//! makes one set layout per set that the shader names, with every stage allowed to see every binding.

use quadrille_jit::ir::{self, ResourceKind};
use quadrille_jit::spirv::Module;
use quadrille_jit::spirv::types::{Type, Types};

use super::inputs::{Member, Scalar};
use crate::{
    BindPoint, CommandBuffer, DescriptorBinding, DescriptorKind, DescriptorSet, DescriptorSetLayout, Device,
    Error, PipelineLayout, Resource, Result,
};

/// Sets and layout for one shader.
pub(super) struct Interface {
    pub layout: PipelineLayout,
    pub sets: Vec<DescriptorSet>,
}

impl Interface {
    /// Layouts and empty sets for the bindings of `shader`.
    pub fn new(device: &Device, shader: &ir::Shader) -> Result<Interface> {
        let n_sets = shader.bindings.iter().map(|b| b.set + 1).max().unwrap_or(0);
        let mut layouts: Vec<DescriptorSetLayout> = Vec::new();
        for set in 0..n_sets.min(device.limits().max_bound_descriptor_sets + 1) {
            let bindings: Vec<DescriptorBinding> = shader
                .bindings
                .iter()
                .filter(|b| b.set == set)
                .map(|b| DescriptorBinding {
                    count: b.count.max(1),
                    ..DescriptorBinding::new(b.binding, DescriptorKind::of(b.kind))
                })
                .collect();
            layouts.push(device.create_descriptor_set_layout(&bindings)?);
        }
        let layout = device.create_pipeline_layout(&layouts, shader.push_size)?;
        let sets = layouts.iter().map(|l| device.create_descriptor_set(l)).collect::<Result<_>>()?;
        Ok(Interface { layout, sets })
    }

    /// Binds the sets for what is recorded next.
    pub fn bind(&self, commands: &mut CommandBuffer, point: BindPoint) {
        let sets: Vec<&DescriptorSet> = self.sets.iter().collect();
        commands.bind_descriptor_sets(point, &self.layout, 0, &sets, &[]);
    }

    /// Binds `resource` to every element of a binding.
    pub fn write(&self, binding: &ir::Binding, resource: Resource<'_>) -> Result<()> {
        let set = self.sets.get(binding.set as usize);
        let set = set.ok_or_else(|| Error::invalid(format!("there is no set {}", binding.set)))?;
        (0..binding.count.max(1)).try_for_each(|element| set.write(binding.binding, element, resource))
    }
}

/// `set 0, binding 1 ("name")`.
pub(super) fn describe(b: &ir::Binding) -> String {
    let name = if b.name.is_empty() { String::new() } else { format!(" ({})", b.name) };
    format!("set {}, binding {}{name}", b.set, b.binding)
}

/// The words of a binding's kind for messages.
pub fn kind_name(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::UniformBuffer => "uniform buffer",
        ResourceKind::StorageBuffer => "storage buffer",
        ResourceKind::SampledImage => "texture",
        ResourceKind::Sampler => "sampler",
        ResourceKind::CombinedImageSampler => "texture with sampler",
        ResourceKind::StorageImage => "storage image",
        ResourceKind::UniformTexelBuffer => "uniform texel buffer",
        ResourceKind::StorageTexelBuffer => "storage texel buffer",
        ResourceKind::InputAttachment => "input attachment",
    }
}

/// Specialization constants given as text to bits, by the types that the module declares.
///
/// Numbers may be decimal or `0x` hexadecimal; booleans are `true`, `false`, 0 or 1.
///
/// # Errors
/// `Invalid` for ids that the module does not have and for values that its type does not take.
pub fn parse_specialization(module: &Module, given: &[(u32, &str)]) -> Result<Vec<(u32, u64)>> {
    given
        .iter()
        .map(|&(id, text)| {
            let Some(constant) = module.spec_constants().iter().find(|c| c.spec_id == id) else {
                let mut ids: Vec<u32> = module.spec_constants().iter().map(|c| c.spec_id).collect();
                ids.sort_unstable();
                let there = if ids.is_empty() { "none".into() } else { format!("{ids:?}") };
                return Err(Error::invalid(format!(
                    "no specialization constant has id {id}; there are: {there}"
                )));
            };
            let bits = spec_bits(constant.ty, text);
            bits.map(|b| (id, b)).ok_or_else(|| {
                Error::invalid(format!(
                    "specialization constant {id} is {:?} and cannot be `{text}`",
                    constant.ty
                ))
            })
        })
        .collect()
}

fn spec_bits(ty: ir::Ty, text: &str) -> Option<u64> {
    if ty == ir::Ty::Bool {
        return match text {
            "true" | "1" => Some(1),
            "false" | "0" => Some(0),
            _ => None,
        };
    }
    match ty {
        ir::Ty::F16 => return text.parse().ok().map(|v| u64::from(half::f16::from_f32(v).to_bits())),
        ir::Ty::F32 => return text.parse::<f32>().ok().map(|v| u64::from(v.to_bits())),
        ir::Ty::F64 => return text.parse::<f64>().ok().map(f64::to_bits),
        _ => {}
    }
    let bits = ty.bits()?;
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    let (max, min) = (u64::MAX >> (64 - bits), 1u64 << (bits - 1));
    match negative {
        false => (value <= max).then_some(value),
        true => (value <= min).then(|| value.wrapping_neg() & max),
    }
}

/// A member of a block, see [`Member`].
#[derive(Clone, Debug)]
pub(super) struct OwnedMember {
    pub name: String,
    pub offset: usize,
    pub scalar: Scalar,
    pub components: usize,
    pub len: usize,
    pub stride: usize,
}

impl OwnedMember {
    pub fn member(&self) -> Member<'_> {
        Member {
            name: &self.name,
            offset: self.offset,
            scalar: self.scalar,
            components: self.components,
            len: self.len,
            stride: self.stride,
        }
    }
}

/// A variable of the module that is a block: uniform, storage or push constants.
pub(super) struct Block {
    /// Set and binding; `None` for push constants.
    pub slot: Option<(u32, u32)>,
    pub members: Vec<OwnedMember>,
}

/// The blocks of a module. What is no block, and members that are no 32-bit scalars, vectors or
/// arrays of them, are left out.
pub(super) fn blocks(module: &Module) -> Vec<Block> {
    let mut types = Types::new(module, &[]);
    module.globals().iter().filter_map(|&id| block(module, &mut types, id)).collect()
}

fn block(module: &Module, types: &mut Types<'_>, variable: u32) -> Option<Block> {
    use spirv::Decoration;

    let Type::Pointer { class, pointee } = *module.ty(module.type_of(variable).ok()?).ok()? else {
        return None;
    };
    let slot = match class {
        spirv::StorageClass::PushConstant => None,
        spirv::StorageClass::Uniform | spirv::StorageClass::StorageBuffer => Some((
            module.deco(variable, Decoration::DescriptorSet).unwrap_or(0),
            module.deco(variable, Decoration::Binding).unwrap_or(0),
        )),
        _ => return None,
    };
    let mut members = Vec::new();
    flatten(module, types, pointee, 0, 0, &mut members);
    Some(Block { slot, members })
}

/// Adds the members of a struct; structs inside (naga wraps lone members so) are opened.
fn flatten(
    module: &Module,
    types: &mut Types<'_>,
    ty: u32,
    base: usize,
    depth: u32,
    out: &mut Vec<OwnedMember>,
) {
    let Ok(Type::Struct { members }) = module.ty(ty) else { return };
    for (n, &member_ty) in members.iter().enumerate() {
        let n = n as u32;
        let Some(offset) = module.member_deco(ty, n, spirv::Decoration::Offset) else { continue };
        let offset = base.saturating_add(offset as usize);
        if matches!(module.ty(member_ty), Ok(Type::Struct { .. })) {
            if depth < 4 {
                flatten(module, types, member_ty, offset, depth + 1, out);
            }
            continue;
        }
        let (elem, len, stride) = match module.ty(member_ty) {
            Ok(&Type::Array { elem, .. }) => {
                let len = types.array_len(member_ty).unwrap_or(0).min(16) as usize;
                (elem, len, module.deco(member_ty, spirv::Decoration::ArrayStride).unwrap_or(0) as usize)
            }
            _ => (member_ty, 1, 0),
        };
        let (component, components) = match module.ty(elem) {
            Ok(&Type::Vector { elem, n }) => (elem, n as usize),
            _ => (elem, 1),
        };
        let scalar = match module.ty(component) {
            Ok(Type::Float { bits: 32 }) => Scalar::F32,
            Ok(Type::Int { bits: 32, .. }) => Scalar::I32,
            _ => continue,
        };
        out.push(OwnedMember {
            name: module.member_name(ty, n).to_owned(),
            offset,
            scalar,
            components,
            len,
            stride,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specialization_texts() {
        assert_eq!(spec_bits(ir::Ty::I32, "-1"), Some(0xffff_ffff));
        assert_eq!(spec_bits(ir::Ty::I32, "0xffffffff"), Some(0xffff_ffff));
        assert_eq!(spec_bits(ir::Ty::I8, "-129"), None);
        assert_eq!(spec_bits(ir::Ty::F32, "1.5"), Some(0x3fc0_0000));
        assert_eq!(spec_bits(ir::Ty::Bool, "true"), Some(1));
        assert_eq!(spec_bits(ir::Ty::I64, "18446744073709551615"), Some(u64::MAX));
        assert_eq!(spec_bits(ir::Ty::I32, "x"), None);
    }
}
