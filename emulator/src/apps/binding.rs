//! Descriptor sets and a pipeline layout made from what a shader uses.
//!
//! For programs that have one shader and want to run it, not to design an interface: [`Interface`]
//! makes one set layout per set that the shader names, with every stage allowed to see every binding.

use quadrille_jit::ir::{self, ResourceKind};
use quadrille_jit::spirv::Module;
use quadrille_jit::spirv::reflect::{self, BlockInfo};

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
        Interface::of(device, &shader.bindings, shader.push_size)
    }

    /// Layouts and empty sets for bindings, and push constants of so many bytes.
    pub fn of(device: &Device, all: &[ir::Binding], push_size: u32) -> Result<Interface> {
        let n_sets = all.iter().map(|b| b.set.saturating_add(1)).max().unwrap_or(0);
        let mut layouts: Vec<DescriptorSetLayout> = Vec::new();
        for set in 0..n_sets.min(device.limits().max_bound_descriptor_sets + 1) {
            let bindings: Vec<DescriptorBinding> = all
                .iter()
                .filter(|b| b.set == set)
                .map(|b| DescriptorBinding {
                    count: b.count.max(1),
                    ..DescriptorBinding::new(b.binding, DescriptorKind::of(b.kind))
                })
                .collect();
            layouts.push(device.create_descriptor_set_layout(&bindings)?);
        }
        let layout = device.create_pipeline_layout(&layouts, push_size)?;
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
        (0..binding.count.max(1)).try_for_each(|element| self.write_element(binding, element, resource))
    }

    /// Binds `resource` to one element of a binding.
    pub fn write_element(&self, binding: &ir::Binding, element: u32, resource: Resource<'_>) -> Result<()> {
        let set = self.sets.get(binding.set as usize);
        let set = set.ok_or_else(|| Error::invalid(format!("there is no set {}", binding.set)))?;
        set.write(binding.binding, element, resource)
    }
}

/// The bindings of stages that are drawn with together, ascending.
///
/// # Errors
/// `Invalid` if stages have different kinds of things at one place.
pub(super) fn merged<'a>(shaders: impl IntoIterator<Item = &'a ir::Shader>) -> Result<Vec<ir::Binding>> {
    let mut all: Vec<ir::Binding> = Vec::new();
    for b in shaders.into_iter().flat_map(|s| &s.bindings) {
        match all.iter_mut().find(|a| (a.set, a.binding) == (b.set, b.binding)) {
            Some(a) if a.kind != b.kind => {
                let (one, other) = (kind_name(a.kind), kind_name(b.kind));
                let what = format!("{} is a {one} in one stage and a {other} in another", describe(b));
                return Err(Error::invalid(what));
            }
            Some(a) => {
                (a.count, a.size, a.written) =
                    (a.count.max(b.count), a.size.max(b.size), a.written | b.written)
            }
            None => all.push(b.clone()),
        }
    }
    all.sort_by_key(|b| (b.set, b.binding));
    Ok(all)
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

/// The members of a block as inputs: 32-bit scalars and vectors, and arrays of them; structs inside
/// (naga wraps lone members so) are opened. The rest is left out.
pub(super) fn members(block: &BlockInfo) -> Vec<Member<'_>> {
    fn add<'a>(list: &'a [reflect::Member], base: usize, out: &mut Vec<Member<'a>>) {
        for m in list {
            let offset = base.saturating_add(m.offset as usize);
            if let Some((scalar, components, len)) = shape(&m.ty) {
                let stride = m.array_stride as usize;
                out.push(Member { name: &m.name, offset, scalar, components, len, stride });
            } else if !m.ty.ends_with(']') {
                add(&m.members, offset, out);
            }
        }
    }
    let mut out = Vec::new();
    add(&block.members, 0, &mut out);
    out
}

/// Component type, components and array length of `vec2`, `uint`, `float[4]`, ...
fn shape(ty: &str) -> Option<(Scalar, usize, usize)> {
    let (element, len) = match ty.split_once('[') {
        Some((element, rest)) => (element, rest.strip_suffix(']')?.parse().ok()?),
        None => (ty, 1),
    };
    let (scalar, components) = match element {
        "float" => (Scalar::F32, 1),
        "int" | "uint" => (Scalar::I32, 1),
        _ => {
            let (prefix, n) = element.split_once("vec")?;
            let scalar = match prefix {
                "" => Scalar::F32,
                "i" | "u" => Scalar::I32,
                _ => return None,
            };
            (scalar, n.parse().ok()?)
        }
    };
    Some((scalar, components, len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        assert_eq!(shape("float"), Some((Scalar::F32, 1, 1)));
        assert_eq!(shape("uvec3"), Some((Scalar::I32, 3, 1)));
        assert_eq!(shape("vec3[4]"), Some((Scalar::F32, 3, 4)));
        for other in ["mat4", "dvec2", "float[]", "float[2][2]", "Struct", "bvec2"] {
            assert_eq!(shape(other), None, "{other}");
        }
    }

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
