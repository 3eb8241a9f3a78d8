//! Resources: descriptors, push constants, workgroup memory.

use spirv::{Decoration, StorageClass};

use super::{Lower, MAX_BINDINGS, Value};
use crate::abi::BOUND_SETS;
use crate::error::{Error, Result};
use crate::ir::{Binding, HandleKind, Imm, Note, Op, ResourceKind, Ty};
use crate::spirv::module::{Inst, Module};
use crate::spirv::types::{MatrixLayout, Type, Units};

/// Maximum size of workgroup memory, in bytes.
pub const MAX_SHARED: u32 = 64 * 1024;

/// Kind of a resource variable with the given class and type; arrays are stripped.
pub fn resource_kind(m: &Module, class: StorageClass, ty: u32) -> Result<ResourceKind> {
    let mut ty = ty;
    while let Type::Array { elem, .. } | Type::RuntimeArray { elem } = m.ty(ty)? {
        ty = *elem;
    }
    let texels =
        |sampled| if sampled { ResourceKind::UniformTexelBuffer } else { ResourceKind::StorageTexelBuffer };
    Ok(match (class, m.ty(ty)?) {
        (StorageClass::StorageBuffer, Type::Struct { .. }) => ResourceKind::StorageBuffer,
        (StorageClass::Uniform, Type::Struct { .. }) => {
            if m.deco(ty, Decoration::BufferBlock).is_some() {
                ResourceKind::StorageBuffer
            } else {
                ResourceKind::UniformBuffer
            }
        }
        (StorageClass::UniformConstant, Type::Sampler) => ResourceKind::Sampler,
        (StorageClass::UniformConstant, Type::AccelerationStructure) => ResourceKind::AccelerationStructure,
        (StorageClass::UniformConstant, Type::SampledImage { image }) => match m.ty(*image)? {
            Type::Image(i) if i.dim == spirv::Dim::DimBuffer => texels(true),
            _ => ResourceKind::CombinedImageSampler,
        },
        (StorageClass::UniformConstant, Type::Image(i)) => match i.dim {
            spirv::Dim::DimSubpassData => ResourceKind::InputAttachment,
            spirv::Dim::DimBuffer => texels(i.sampled != 2),
            _ if i.sampled == 2 => ResourceKind::StorageImage,
            _ => ResourceKind::SampledImage,
        },
        _ => return Err(Error::unsupported(format!("a resource of type %{ty} in storage class {class:?}"))),
    })
}

impl Lower<'_> {
    /// True for blocks, whose layout in workgroup memory and payloads is the one that they state. Structs without the
    /// decoration may have offsets, too, but have no layout of their own. Spec: SPV_KHR_workgroup_memory_explicit_layout.
    pub(super) fn has_own_layout(&self, ty: u32) -> Result<bool> {
        let structure = matches!(self.module.ty(ty)?, Type::Struct { .. });
        Ok(structure && self.module.deco(ty, Decoration::Block).is_some())
    }

    pub(super) fn workgroup(&mut self, def: &Inst, pointee: u32) -> Result<(u32, Units)> {
        let explicit = self.has_own_layout(pointee)?;
        let (size, units, base) = if explicit {
            let size = self.types.explicit_size(pointee, MatrixLayout::default())?;
            // Aliased blocks share their memory.
            let base = match self.module.deco(def.id, Decoration::Aliased) {
                Some(_) => self.aliased_blocks()?,
                None => self.shader.shared_size.next_multiple_of(16),
            };
            (size, Units::Explicit, base)
        } else {
            let (size, align) = self.types.natural(pointee)?;
            (size, Units::Natural, self.shader.shared_size.next_multiple_of(align.max(4)))
        };
        let end = base.checked_add(size).filter(|&e| e <= MAX_SHARED);
        let Some(end) = end else {
            return Err(Error::Limit(format!("workgroup memory, at most {MAX_SHARED} bytes")));
        };
        self.shader.shared_size = self.shader.shared_size.max(end);
        if let Some(init) = self.module.initializer(def) {
            // SPIR-V allows only OpConstantNull here, and workgroup memory starts as zero anyway.
            if self.types.const_bits(init)?.iter().any(|&b| b != 0) {
                return Err(self
                    .module
                    .invalid(def, "workgroup variables can only be initialized with null"));
            }
            self.note_zeros(Note::SharedZeros { offset: base, size });
        }
        Ok((base, units))
    }

    /// Returns the offset of the aliased workgroup blocks; on first use, reserves memory for the largest block.
    fn aliased_blocks(&mut self) -> Result<u32> {
        if let Some(base) = self.io.aliased {
            return Ok(base);
        }
        let base = self.shader.shared_size.next_multiple_of(16);
        let mut size = 0;
        for &id in self.module.globals() {
            let (class, pointee) = self.module.variable(id)?;
            if class == StorageClass::Workgroup && self.module.deco(id, Decoration::Aliased).is_some() {
                size = size.max(self.types.explicit_size(pointee, MatrixLayout::default())?);
            }
        }
        self.shader.shared_size = base
            .checked_add(size)
            .filter(|&end| end <= MAX_SHARED)
            .ok_or_else(|| Error::Limit(format!("workgroup memory, at most {MAX_SHARED} bytes")))?;
        self.io.aliased = Some(base);
        Ok(base)
    }

    pub(super) fn binding(&mut self, def: &Inst, class: StorageClass, pointee: u32) -> Result<u32> {
        let m = self.module;
        let kind = resource_kind(m, class, pointee)?;
        let set = m.deco(def.id, Decoration::DescriptorSet);
        let binding = m.deco(def.id, Decoration::Binding);
        let (Some(set), Some(binding)) = (set, binding) else {
            return Err(m.invalid(def, "resource without DescriptorSet or Binding"));
        };
        if set as usize == BOUND_SETS {
            return Err(Error::Limit(format!("descriptor set {set}: at most {BOUND_SETS}")));
        }
        let (mut ty, mut count) = (pointee, 1u32);
        loop {
            ty = match m.ty(ty)? {
                Type::Array { elem, .. } => {
                    let len = self.types.array_len(ty)?;
                    count = count.checked_mul(len).ok_or_else(|| Error::Limit("descriptor array".into()))?;
                    *elem
                }
                Type::RuntimeArray { elem } => {
                    count = 0;
                    *elem
                }
                Type::Struct { .. } => break,
                _ => break,
            };
        }
        let size = match m.ty(ty)? {
            Type::Struct { .. } => self.types.explicit_size(ty, MatrixLayout::default())?,
            _ => 0,
        };
        let name = match m.name(def.id) {
            "" => m.name(ty),
            name => name,
        };
        let known = self.io.bindings.get(&(set, binding, kind)).copied();
        Ok(match known {
            Some(at) => {
                let b = &mut self.shader.bindings[at];
                b.size = b.size.max(size);
                b.count = if b.count == 0 || count == 0 { 0 } else { b.count.max(count) };
                at as u32
            }
            None => {
                let name = name.to_owned();
                if self.shader.bindings.len() >= MAX_BINDINGS {
                    return Err(Error::Limit(format!("more than {MAX_BINDINGS} resource variables")));
                }
                self.io.bindings.insert((set, binding, kind), self.shader.bindings.len());
                self.shader.bindings.push(Binding { set, binding, kind, count, name, size, written: false });
                self.shader.bindings.len() as u32 - 1
            }
        })
    }

    /// Returns a descriptor with a constant index, loaded once in the prelude.
    pub(super) fn handle(&mut self, op: Op, binding: Option<u32>, index: u32) -> Value {
        let (set, number, kind) = match binding.map(|b| &self.shader.bindings[b as usize]) {
            Some(b) => (b.set, b.binding, b.kind.handle()),
            None => (0, 0, HandleKind::Buffer),
        };
        let key = (op, set, number, kind, index);
        if let Some(&v) = self.handles.get(&key) {
            return v;
        }
        let v = match op {
            Op::PushConstants | Op::Payload => self.emit_first(op, &[], Imm::None, &[Ty::Buffer])[0],
            _ => {
                let index = self.i32(index);
                let ty = if op == Op::ImageDescriptor { Ty::Image } else { Ty::Buffer };
                self.emit_first(op, &[index], Imm::Binding { set, binding: number, kind }, &[ty])[0]
            }
        };
        self.handles.insert(key, v);
        v
    }
}
