//! Images and samplers of kernels: arguments, samplers of the module, and the words that a launch states about an image.
//!
//! The image instructions are those of shaders (`lower::image`), which ask here for the type of texels, since the images
//! of kernels have none, and for the integers that a format holds.

use smallvec::smallvec;
use spirv::Op as SpvOp;

use super::super::place::{Place, Root};
use super::super::{Lower, Scalars, Val};
use crate::error::{Error, Result};
use crate::ir::{Op, ResourceKind, Ty, Value};
use crate::spirv::kernel::{Argument, Kernel};
use crate::spirv::kernel_image::{BOUNDS_AT, DATA_TYPE_AT, ORDER_AT};
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

impl Lower<'_> {
    /// An argument that is an image or sampler.
    pub(super) fn image_argument(
        &mut self,
        index: usize,
        argument: &Argument,
        kind: ResourceKind,
    ) -> Result<Val> {
        let binding = self.kernel_binding(Kernel::binding(index), kind, &argument.name, 0);
        let handle = self.image_handle(binding);
        if kind != ResourceKind::Sampler {
            self.kernel.images.insert(handle, argument.offset);
        }
        Ok(Val::Scalars(smallvec![handle]))
    }

    fn image_handle(&mut self, binding: u32) -> Value {
        let handle = self.handle(Op::ImageDescriptor, Some(binding), 0);
        self.image_bindings.insert(handle, Some(binding));
        handle
    }

    /// Binding of an OpConstantSampler.
    fn literal_binding(&mut self, id: u32) -> Result<u32> {
        let m = self.module;
        let arguments = self.kernel.n_arguments;
        let at = m.literal_samplers().position(|inst| inst.id == id);
        let at = at.ok_or_else(|| Error::invalid(format!("%{id} is not a constant sampler")))?;
        let name = m.name(id);
        Ok(self.kernel_binding(Kernel::binding(arguments + at), ResourceKind::Sampler, name, 0))
    }

    /// The value of an OpConstantSampler.
    pub(in crate::spirv::lower) fn literal_sampler(&mut self, def: &Inst) -> Result<Val> {
        if !self.is_kernel() {
            return Err(self.module.invalid(def, "only kernels have constant samplers"));
        }
        let binding = self.literal_binding(def.id)?;
        Ok(Val::Scalars(smallvec![self.image_handle(binding)]))
    }

    /// A variable of the module that holds a constant sampler.
    pub(super) fn sampler_variable(&mut self, def: &Inst, pointee: u32) -> Result<Place> {
        let Some(sampler) = self.module.initializer(def) else {
            return Err(self.module.invalid(def, "sampler of the module without an initializer"));
        };
        let binding = self.literal_binding(sampler)?;
        Ok(Place::new(Root::Binding(binding), pointee))
    }

    /// Declares a variable of a function that holds an image or sampler.
    pub(in crate::spirv::lower) fn hold(&mut self, inst: &Inst) -> bool {
        let plain = self.kernel.plain.contains(&inst.id);
        if plain {
            self.kernel.held.insert(inst.id, None);
            self.bind(inst.id, Val::Scalars(Scalars::new()));
        }
        plain
    }

    /// Keeps the image or sampler that a kernel stores in such a variable. `true` if the pointer is one.
    pub(in crate::spirv::lower) fn keep_held(&mut self, pointer: u32, object: u32) -> Result<bool> {
        let Some(&before) = self.kernel.held.get(&pointer) else { return Ok(false) };
        let object = self.scalar(object)?;
        // OpenCL C has no variables that select between images at run time.
        if before.is_some_and(|before| before != object) {
            return Err(Error::unsupported("a variable that holds several images or samplers"));
        }
        self.kernel.held.insert(pointer, Some(object));
        Ok(true)
    }

    /// The image or sampler that such a variable holds.
    pub(in crate::spirv::lower) fn held(&self, pointer: u32) -> Result<Option<Value>> {
        match self.kernel.held.get(&pointer) {
            None => Ok(None),
            Some(Some(v)) => Ok(Some(*v)),
            Some(None) => Err(Error::invalid("an image or sampler is read from a variable without one")),
        }
    }

    /// The type of texels of an operation of a kernel: that of the result or of the texel.
    pub(in crate::spirv::lower) fn texel_type(&self, ty: u32) -> Result<Ty> {
        match self.module.ty(ty)? {
            Type::Vector { elem, .. } => self.types.scalar(*elem),
            _ => self.types.scalar(ty),
        }
    }

    fn image_word(&mut self, image: Value, at: u32) -> Result<Value> {
        let offset = self.kernel.images.get(&image).copied();
        let offset = offset.ok_or_else(|| Error::invalid("operand is not an image of the kernel"))?;
        Ok(self.argument(offset + at, Ty::I32))
    }

    /// Integers as near to those of a texel as the format has. Spec: OpenCL C, "Conversion Rules for signed and unsigned
    /// 8-bit, 16-bit and 32-bit integer channels".
    pub(in crate::spirv::lower) fn saturated(&mut self, image: Value, texel: &mut [Value]) -> Result<()> {
        let [flip, least, greatest] = [0, 4, 8].map(|at| self.image_word(image, BOUNDS_AT + at));
        let (flip, least, greatest) = (flip?, least?, greatest?);
        for v in texel {
            let turned = self.op(Op::Xor, Ty::I32, &[*v, flip]);
            let above = self.op(Op::SMax, Ty::I32, &[turned, least]);
            let within = self.op(Op::SMin, Ty::I32, &[above, greatest]);
            *v = self.op(Op::Xor, Ty::I32, &[within, flip]);
        }
        Ok(())
    }
}

/// OpImageQueryFormat, OpImageQueryOrder.
pub fn query_channel<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (image, _) = lower.image_operand(operands, false)?;
    let at = if inst.op == SpvOp::ImageQueryOrder { ORDER_AT } else { DATA_TYPE_AT };
    let word = lower.image_word(image, at)?;
    let want = lower.types.component(inst.ty)?;
    Ok(Lower::one(if want == Ty::I32 { word } else { lower.op(Op::UConvert, want, &[word]) }))
}
