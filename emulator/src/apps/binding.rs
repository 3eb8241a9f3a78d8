//! Descriptor sets and a pipeline layout derived from the bindings that a shader uses.
//!
//! Intended for programs that run one given shader and do not design an interface: [`Interface`] makes one set layout
//! per set that the shader uses, and every stage can access every binding.

use quadrille_jit::ir;
use quadrille_jit::spirv::Module;
use quadrille_jit::spirv::reflect::{self, BlockInfo};

use super::inputs::{Member, Scalar};
use crate::data::fit::{self, kind_name};
use crate::{
    BindPoint, CommandBuffer, DescriptorBinding, DescriptorKind, DescriptorSet, DescriptorSetLayout, Device,
    Error, PipelineLayout, Resource, Result,
};

/// Pipeline layout and descriptor sets of one shader.
pub(super) struct Interface {
    pub layout: PipelineLayout,
    pub sets: Vec<DescriptorSet>,
}

impl Interface {
    /// Creates layouts and empty sets for the bindings of `shader`.
    pub fn new(device: &Device, shader: &ir::Shader) -> Result<Interface> {
        Interface::of(device, &shader.bindings, shader.push_size)
    }

    /// Creates layouts and empty sets for `all` bindings, and `push_size` bytes of push constants.
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

    /// Replaces all sets by empty ones.
    pub fn clear(&mut self, device: &Device) -> Result<()> {
        for set in &mut self.sets {
            *set = device.create_descriptor_set(set.layout())?;
        }
        Ok(())
    }

    /// Records the command that binds all sets.
    pub fn bind(&self, commands: &mut CommandBuffer, point: BindPoint) {
        let sets: Vec<&DescriptorSet> = self.sets.iter().collect();
        commands.bind_descriptor_sets(point, &self.layout, 0, &sets, &[]);
    }

    /// Writes `resource` to every element of a binding.
    pub fn write(&self, binding: &ir::Binding, resource: Resource<'_>) -> Result<()> {
        (0..binding.count.max(1)).try_for_each(|element| self.write_element(binding, element, resource))
    }

    /// Writes `resource` to one element of a binding.
    pub fn write_element(&self, binding: &ir::Binding, element: u32, resource: Resource<'_>) -> Result<()> {
        let set = self.sets.get(binding.set as usize);
        let set = set.ok_or_else(|| Error::invalid(format!("there is no set {}", binding.set)))?;
        set.write(binding.binding, element, resource)
    }
}

/// Returns the combined bindings of the stages of a pipeline, in ascending order.
///
/// # Errors
/// `Invalid` if different kinds of resources are at the same binding.
pub(super) fn merged<'a>(shaders: impl IntoIterator<Item = &'a ir::Shader>) -> Result<Vec<ir::Binding>> {
    let mut all: Vec<ir::Binding> = Vec::new();
    for b in shaders.into_iter().flat_map(|s| &s.bindings) {
        match all.iter_mut().find(|a| (a.set, a.binding) == (b.set, b.binding)) {
            Some(a) if a.kind != b.kind => {
                let (one, other) = (kind_name(a.kind), kind_name(b.kind));
                let place = format!("set {}, binding {}", b.set, b.binding);
                let what = format!("{place} is a {one} ({}) and a {other} ({})", a.name, b.name);
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

/// Converts specialization constants from text to bits, by the types that the module declares.
///
/// Numbers may be decimal or `0x` hexadecimal; booleans are `true`, `false`, 0 or 1.
///
/// # Errors
/// `Invalid` for ids that the module does not have and for values that do not fit the constant's type.
pub fn parse_specialization(module: &Module, given: &[(u32, &str)]) -> Result<Vec<(u32, u64)>> {
    given.iter().map(|&(id, text)| fit::specialization_text(module, id, text)).collect()
}

/// Lists the members of a block that can be inputs: 32-bit scalars and vectors, and arrays of them. Nested structures
/// are flattened, because naga wraps single members in them. All other members are left out.
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

/// Returns the component type, component count and array length of `vec2`, `uint`, `float[4]`, ...
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
}
