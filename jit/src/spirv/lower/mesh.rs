//! Task and mesh shaders: the counts that workgroups emit, and the payload between the stages. Leaves the outputs of
//! vertices and primitives to [`super::vertices`].

use spirv::Decoration;

use super::place::Owner;
use super::{Lower, MAX_LOCAL_INVOCATIONS, Value};
use crate::error::{Error, Result};
use crate::ir::{
    self, BuiltIn, Imm, MAX_MESH_OUTPUTS, MAX_PAYLOAD_BYTES, MeshModes, MeshOutput, Op, Stage, Ty,
};
use crate::spirv::module::Inst;
use crate::spirv::tables::{self, DerivativeGroup, Mode};
use crate::spirv::types::{MatrixLayout, Type, Units};

/// OpSetMeshOutputsEXT.
pub fn set_mesh_outputs<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    if lower.shader.stage != Stage::Mesh {
        return Err(Error::invalid("only mesh shaders output meshes"));
    }
    let args = lower.counts(operands, 2)?;
    lower.emit(Op::SetMeshOutputs, &args, Imm::None, &[]);
    Ok(())
}

/// Applies an execution mode of mesh shaders.
pub(super) fn mode(modes: &mut MeshModes, mode: Mode, count: Option<u32>) -> Result<()> {
    match mode {
        Mode::OutputVertices => modes.max_vertices = count.unwrap_or(0),
        Mode::OutputPrimitives => modes.max_primitives = count.unwrap_or(0),
        Mode::Output(ir::GeometryOutput::Points) => modes.output = MeshOutput::Points,
        Mode::MeshOutput(output) => modes.output = output,
        _ => return Err(Error::invalid(format!("{mode:?} in a mesh shader"))),
    }
    Ok(())
}

/// Checks the combination of mesh shader modes. Spec: Vulkan, VUID-StandaloneSpirv-MeshEXT-07330 and -07331.
pub(super) fn check_modes(modes: MeshModes) -> Result<()> {
    for (n, what) in [(modes.max_vertices, "vertices"), (modes.max_primitives, "primitives")] {
        if n == 0 {
            return Err(Error::invalid(format!("a mesh of 0 {what}")));
        }
        if n > MAX_MESH_OUTPUTS {
            return Err(Error::Limit(format!("{n} {what} of a mesh, at most {MAX_MESH_OUTPUTS}")));
        }
    }
    Ok(())
}

impl Lower<'_> {
    /// Count operands of an instruction, as I32.
    fn counts(&mut self, operands: &[u32], n: usize) -> Result<Vec<Value>> {
        let mut list = Vec::new();
        for k in 0..n {
            let v = self.id_at(operands, k)?;
            let v = self.scalar(v)?;
            if self.ty(v) != Ty::I32 {
                return Err(Error::invalid("a count is not a 32-bit integer"));
            }
            list.push(v);
        }
        Ok(list)
    }

    /// OpEmitMeshTasksEXT. The payload operand is only checked, since a shader has a single payload.
    pub(super) fn emit_mesh_tasks(&mut self, operands: &[u32]) -> Result<()> {
        if self.shader.stage != Stage::Task {
            return Err(Error::invalid("only task shaders emit mesh tasks"));
        }
        let args = self.counts(operands, 3)?;
        if let Some(&payload) = operands.get(3) {
            let class = self.module.variable(payload).map(|v| v.0);
            if !matches!(class, Ok(spirv::StorageClass::TaskPayloadWorkgroupEXT)) {
                return Err(Error::invalid(format!("id %{payload} is not a payload")));
            }
        }
        self.emit(Op::EmitMeshTasks, &args, Imm::None, &[]);
        Ok(())
    }

    /// Handle and layout of the payload.
    pub(super) fn payload(&mut self, def: &Inst, pointee: u32) -> Result<(Value, Units)> {
        if !matches!(self.shader.stage, Stage::Task | Stage::Mesh) {
            let stage = self.shader.stage;
            return Err(self.module.invalid(def, format!("{stage:?} shaders have no payload")));
        }
        if self.module.initializer(def).is_some() {
            return Err(self.module.invalid(def, "a payload has no initializer"));
        }
        let (size, units) = self.workgroup_layout(pointee)?;
        if size > MAX_PAYLOAD_BYTES {
            return Err(Error::Limit(format!("payload of {size} bytes, at most {MAX_PAYLOAD_BYTES}")));
        }
        self.shader.payload_size = self.shader.payload_size.max(size);
        Ok((self.handle(Op::Payload, None, 0), units))
    }

    /// Size in bytes, and layout, of a type in workgroup memory or in a payload.
    fn workgroup_layout(&mut self, ty: u32) -> Result<(u32, Units)> {
        Ok(match self.has_own_layout(ty)? {
            true => (self.types.explicit_size(ty, MatrixLayout::default())?, Units::Explicit),
            false => (self.types.natural(ty)?.0, Units::Natural),
        })
    }

    /// `true` if a buffer that is written is the payload; an error in mesh shaders, which cannot write it.
    pub(super) fn is_payload(&self, owner: Owner) -> Result<bool> {
        match owner {
            Owner::Payload if self.shader.stage == Stage::Mesh => {
                Err(Error::invalid("mesh shaders only read their payload"))
            }
            owner => Ok(matches!(owner, Owner::Payload)),
        }
    }

    /// `true` if an output variable of a mesh shader is per primitive.
    pub(super) fn is_of_primitives(&self, def: &Inst, pointee: u32) -> Result<bool> {
        let m = self.module;
        let mut inner = pointee;
        while let Type::Array { elem, .. } = m.ty(inner)? {
            inner = *elem;
        }
        let of_primitive = |number: Option<u32>| {
            number.and_then(|n| tables::builtin(n).ok()).is_some_and(BuiltIn::is_of_primitive)
        };
        if m.deco(def.id, Decoration::PerPrimitiveEXT).is_some()
            || of_primitive(m.deco(def.id, Decoration::BuiltIn))
        {
            return Ok(true);
        }
        let Type::Struct { members } = m.ty(inner)? else { return Ok(false) };
        let n = members.len() as u32;
        let members = (0..n).filter(|&i| {
            m.member_deco(inner, i, Decoration::PerPrimitiveEXT).is_some()
                || of_primitive(m.member_deco(inner, i, Decoration::BuiltIn))
        });
        match members.count() as u32 {
            0 => Ok(false),
            of if of == n => Ok(true),
            _ => Err(m.invalid(def, "PerPrimitiveEXT decorates some members of a block")),
        }
    }

    /// Determines and checks the workgroup size.
    pub(super) fn check_workgroups(&mut self) -> Result<()> {
        // A WorkgroupSize constant takes precedence over the execution mode.
        if let Some(id) = self.module.workgroup_size()
            && let [x, y, z] = *self.types.const_bits(id)?
        {
            self.shader.local_size = [x as u32, y as u32, z as u32];
        }
        let [x, y, z] = self.shader.local_size;
        let whole = match self.derivative_group {
            Some(DerivativeGroup::Linear) => x.wrapping_mul(y).wrapping_mul(z).is_multiple_of(4),
            Some(DerivativeGroup::Quads) => x.is_multiple_of(2) && y.is_multiple_of(2),
            None => true,
        };
        if !whole {
            return Err(Error::invalid(format!(
                "a workgroup of {x} x {y} x {z} cannot be divided into quads"
            )));
        }
        let total = self.shader.local_size.iter().try_fold(1u32, |a, &b| a.checked_mul(b));
        if !matches!(total, Some(1..=MAX_LOCAL_INVOCATIONS)) {
            return Err(Error::Limit(format!(
                "workgroup of {:?} invocations, must have 1 to {MAX_LOCAL_INVOCATIONS}",
                self.shader.local_size
            )));
        }
        Ok(())
    }

    /// Stages with workgroups have no interface variables except built-in inputs and the outputs of meshes.
    pub(super) fn check_no_locations(&self, def: &Inst, output: bool) -> Result<()> {
        let stage = self.shader.stage;
        let has = !stage.has_workgroups() || output && stage == Stage::Mesh;
        let built_in = self.module.deco(def.id, Decoration::BuiltIn).is_some();
        if has || built_in && !output {
            return Ok(());
        }
        let what = if output { "outputs" } else { "inputs that are not built-ins" };
        Err(self.module.invalid(def, format!("{stage:?} shaders have no {what}")))
    }
}
