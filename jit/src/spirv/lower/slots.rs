//! Interface scalars of the leaves of a variable: locations, components, built-ins, and the order of the scalars.

use spirv::Decoration;

use super::Lower;
use super::interface::List;
use crate::error::{Error, Result};
use crate::ir::{
    self, BuiltIn, Imm, Interface, Interpolation, Node, Op, Region, Sampling, Shader, Slot, Stage, Ty,
};
use crate::spirv::module::{Deco, Inst};
use crate::spirv::tables;
use crate::spirv::types::Type;

/// Largest location of an interface variable.
pub const MAX_LOCATION: u32 = 255;

/// Decorations that a variable or a block member applies to its scalars.
#[derive(Clone, Copy, Default)]
struct Style {
    location: Option<u32>,
    component: u32,
    index: u32,
    builtin: Option<u32>,
    interpolation: Interpolation,
    sampling: Sampling,
    stream: u32,
    per_primitive: bool,
    xfb: super::capture::Decorated,
}

impl Style {
    fn with(mut self, decos: &[Deco]) -> Style {
        self.xfb = self.xfb.with(decos);
        for &(kind, arg) in decos {
            match kind {
                Decoration::Location => self.location = Some(arg),
                Decoration::Component => self.component = arg,
                Decoration::Index => self.index = arg,
                Decoration::Stream => self.stream = arg,
                Decoration::BuiltIn => self.builtin = Some(arg),
                Decoration::Flat => self.interpolation = Interpolation::Flat,
                Decoration::NoPerspective => self.interpolation = Interpolation::Linear,
                Decoration::Centroid => self.sampling = Sampling::Centroid,
                Decoration::Sample => self.sampling = Sampling::Sample,
                Decoration::PerPrimitiveEXT => self.per_primitive = true,
                _ => {}
            }
        }
        self
    }
}

impl Lower<'_> {
    /// Interface scalar and group of each leaf of an interface variable.
    pub(super) fn interface_leaves(
        &mut self,
        def: &Inst,
        pointee: u32,
        output: bool,
    ) -> Result<Vec<(Interface, usize)>> {
        let m = self.module;
        let style = Style::default().with(m.decos(def.id));
        let mut out = Vec::new();
        self.types.leaves(pointee)?;
        let (mut inner, mut n) = (pointee, 1u32);
        while let Type::Array { elem, .. } = m.ty(inner)? {
            n = n.saturating_mul(self.types.array_len(inner)?);
            inner = *elem;
        }
        match m.ty(inner)? {
            Type::Struct { members } if m.deco(inner, Decoration::Block).is_some() => {
                // The elements of an array of blocks take consecutive locations.
                let mut first = 0;
                for element in 0..n {
                    first += self.block_leaves(inner, members, style, first, element, output, &mut out)?;
                    self.work(1)?;
                }
            }
            _ => {
                self.assign(pointee, style, output, 0, &mut out)?;
                if output && self.captures {
                    self.capture(style.xfb, pointee, &out)?;
                }
            }
        }
        Ok(out)
    }

    /// Assigns slots to the members of a block, `first` locations after the decorated location. Returns the number of
    /// locations that the block takes.
    #[expect(clippy::too_many_arguments, reason = "the context of an element of an array of blocks")]
    fn block_leaves(
        &mut self,
        block: u32,
        members: &[u32],
        style: Style,
        first: u32,
        element: u32,
        output: bool,
        out: &mut Vec<(Interface, usize)>,
    ) -> Result<u32> {
        let m = self.module;
        let shift = |l: u32| l.saturating_add(first);
        let mut location = style.location.map(shift);
        let (mut least, mut end) = (u32::MAX, 0);
        for (i, &member) in members.iter().enumerate() {
            let decos = m.member_decos(block, i as u32);
            let mut style = Style { location: None, ..style }.with(decos);
            style.location = style.location.map(shift).or(location);
            if style.builtin.is_some() {
                style.location = None;
            }
            let group = element as usize * members.len() + i;
            let start = out.len();
            let used = self.assign(member, style, output, group, out)?;
            if output && self.captures {
                // Each element of an array of blocks is captured to a separate buffer.
                style.xfb.buffer = style.xfb.buffer.map(|b| b.saturating_add(element));
                self.capture(style.xfb, member, &out[start..])?;
            }
            location = style.location.map(|l| l + used).or(location);
            if let Some(at) = style.location {
                (least, end) = (least.min(at), end.max(at + used));
            }
        }
        Ok(end.saturating_sub(least))
    }

    /// Assigns slots to the leaves of a type. Returns the number of locations that the type takes.
    fn assign(
        &mut self,
        ty: u32,
        style: Style,
        output: bool,
        group: usize,
        out: &mut Vec<(Interface, usize)>,
    ) -> Result<u32> {
        let m = self.module;
        if let Some(number) = style.builtin {
            let slots = self.builtin_slots(ty, tables::builtin(number)?, style, output)?;
            out.extend(slots.into_iter().map(|slot| (slot, group)));
            return Ok(0);
        }
        let Some(location) = style.location else {
            return Err(Error::invalid("interface variable without Location or BuiltIn"));
        };
        if location > MAX_LOCATION || out.len() > 4 * MAX_LOCATION as usize {
            return Err(Error::Limit(format!("location {location}, at most {MAX_LOCATION}")));
        }
        let mut used = 0;
        let behind = |used: u32| Style { location: Some(location + used), ..style };
        match m.ty(ty)? {
            Type::Matrix { column, columns, .. } => {
                for _ in 0..*columns {
                    used += self.assign(*column, behind(used), output, group, out)?;
                }
            }
            Type::Array { elem, .. } => {
                for _ in 0..self.types.array_len(ty)? {
                    used += self.assign(*elem, behind(used), output, group, out)?;
                    self.work(1)?;
                }
            }
            Type::Struct { members } => {
                for (i, &member) in members.iter().enumerate() {
                    let style = behind(used).with(m.member_decos(ty, i as u32));
                    used += self.assign(member, style, output, group, out)?;
                    self.work(1)?;
                }
            }
            _ => {
                let (slots, locations) = self.location_slots(ty, location, style, output)?;
                out.extend(slots.into_iter().map(|slot| (slot, group)));
                used = locations;
            }
        }
        Ok(used)
    }

    /// Slots of a built-in variable.
    fn builtin_slots(&mut self, ty: u32, b: BuiltIn, style: Style, output: bool) -> Result<Vec<Interface>> {
        self.check_builtin(b, output)?;
        let mut tys = Vec::new();
        self.types.leaf_types(ty, &mut tys)?;
        let (want, most) = b.shape();
        let whole = !b.is_indices() || tys.len() == most as usize;
        if !whole || tys.len() > most as usize || tys.iter().any(|&t| t != want) {
            return Err(Error::invalid(format!("built-in {b:?} is {most} x {want}, not {tys:?}")));
        }
        let interpolation = b.interpolation();
        let sampling = if b.is_barycentric() { style.sampling } else { Sampling::default() };
        let slot = |(i, &ty): (usize, &Ty)| {
            let new = Interface::new(Slot::BuiltIn(b, i as u32), ty);
            Interface { interpolation, sampling, stream: style.stream, ..new }
        };
        Ok(tys.iter().enumerate().map(slot).collect())
    }

    /// Slots of a scalar or vector at a location, and the number of locations that it takes.
    fn location_slots(
        &mut self,
        ty: u32,
        location: u32,
        style: Style,
        output: bool,
    ) -> Result<(Vec<Interface>, u32)> {
        // Vulkan: VUID-StandaloneSpirv-Component-04920.
        if style.component > 3 {
            return Err(Error::invalid(format!("Component {}, at most 3", style.component)));
        }
        let mut tys = Vec::new();
        self.types.leaf_types(ty, &mut tys)?;
        let words = if tys.first().is_some_and(|t| t.bytes() == 8) { 2 } else { 1 };
        let signed = self.types.is_signed(ty);
        self.check_per_primitive(style.per_primitive, output)?;
        let fragment_input = self.shader.stage == Stage::Fragment && !output;
        let mut slots = Vec::with_capacity(tys.len());
        for (i, &ty) in tys.iter().enumerate() {
            if !(ty.is_float() || ty.is_int()) {
                return Err(Error::invalid("interface variables can only hold numbers"));
            }
            let at = style.component + i as u32 * words;
            let slot = Slot::Location { location: location + at / 4, component: at % 4, index: style.index };
            let (interpolation, sampling) = match fragment_input {
                // Integers and 64-bit floats cannot be interpolated, so they are flat regardless of decorations.
                true if style.per_primitive || ty.is_int() || ty == Ty::F64 => {
                    (Interpolation::Flat, Sampling::Center)
                }
                true => (style.interpolation, style.sampling),
                false => Default::default(),
            };
            if signed && output {
                self.io.signed.insert(slot);
            }
            let (stream, new) = (style.stream, Interface::new(slot, ty));
            let per_primitive = fragment_input && style.per_primitive;
            slots.push(Interface { interpolation, sampling, stream, per_primitive, ..new });
        }
        Ok((slots, (style.component + tys.len() as u32 * words).div_ceil(4).max(1)))
    }

    /// Checks PerPrimitiveEXT. Spec: SPIR-V, SPV_EXT_mesh_shader, "Decorations".
    fn check_per_primitive(&self, per_primitive: bool, output: bool) -> Result<()> {
        let fits = match self.shader.stage {
            Stage::Mesh => output,
            Stage::Fragment => !output,
            _ => false,
        };
        if fits || !per_primitive {
            return Ok(());
        }
        let stage = self.shader.stage;
        Err(Error::invalid(format!(
            "PerPrimitiveEXT on a variable of {stage:?} shaders that cannot be per primitive"
        )))
    }

    /// Rejects built-ins that the stage does not have in this direction.
    fn check_builtin(&self, b: BuiltIn, output: bool) -> Result<()> {
        use BuiltIn as B;
        let subgroup = b >= B::SubgroupSize;
        let last = b.is_of_vertex() || matches!(b, B::Layer | B::ViewportIndex | B::PrimitiveShadingRate);
        let any = matches!(b, B::ViewIndex | B::DeviceIndex) || subgroup;
        let fits = match (self.shader.stage, output) {
            (Stage::Vertex | Stage::TessellationEvaluation, true) => last,
            (Stage::Vertex, false) => b <= B::ViewIndex || any,
            (Stage::TessellationControl, true) => b.is_of_vertex() || b.is_of_patch(),
            (Stage::TessellationControl, false) => {
                b.is_of_vertex() || matches!(b, B::PatchVertices | B::InvocationId | B::PrimitiveId) || any
            }
            (Stage::TessellationEvaluation, false) => {
                let own = matches!(b, B::PatchVertices | B::TessCoord | B::PrimitiveId);
                b.is_of_vertex() || b.is_of_patch() || own || any
            }
            (Stage::Geometry, true) => last || b == B::PrimitiveId,
            (Stage::Geometry, false) => {
                b.is_of_vertex() || matches!(b, B::InvocationId | B::PrimitiveId) || any
            }
            (Stage::Fragment, true) => matches!(b, B::FragDepth | B::SampleMask | B::FragStencilRef),
            (Stage::Fragment, false) => {
                (b >= B::ViewIndex && b <= B::DeviceIndex)
                    || matches!(b, B::ClipDistance | B::CullDistance)
                    || (b >= B::FragCoord && b <= B::HelperInvocation && b != B::FragDepth)
                    || subgroup
            }
            // Spec: Vulkan, VUID-PrimitivePointIndicesEXT-PrimitivePointIndicesEXT-07042 and the corresponding rules
            // for lines and triangles.
            (Stage::Mesh, true) if b.is_indices() => {
                matches!(self.shader.kind, ir::StageKind::Mesh(modes) if modes.output.indices() == b)
            }
            (Stage::Mesh, true) => b.is_of_vertex() || b.is_of_primitive(),
            (Stage::Task | Stage::Mesh, false) => {
                (b >= B::NumWorkgroups && b <= B::LocalInvocationIndex) || b == B::DrawIndex || any
            }
            (stage, false) if stage.is_of_rays() => {
                super::ray_call::has_builtin(stage, b) || subgroup || b == B::DeviceIndex
            }
            (Stage::Compute, false) => {
                (b >= B::NumWorkgroups && b <= B::LocalInvocationIndex) || subgroup || b == B::DeviceIndex
            }
            _ => false,
        };
        if fits
            && !(subgroup
                && !self.shader.stage.has_workgroups()
                && matches!(b, B::SubgroupId | B::NumSubgroups))
        {
            Ok(())
        } else {
            let direction = if output { "output" } else { "input" };
            Err(Error::invalid(format!(
                "built-in {b:?} is not an {direction} of {:?} shaders",
                self.shader.stage
            )))
        }
    }
}

/// Order of interface scalars in [`Shader::inputs`] and [`Shader::outputs`]: the words of Position, then other
/// built-ins by [`BuiltIn`] and component, then locations by location, component, index, vertex, then scalars of ray
/// tracing stages.
pub fn canonical_order(a: &Interface, b: &Interface) -> std::cmp::Ordering {
    let rank = |i: &Interface| match i.slot {
        Slot::BuiltIn(BuiltIn::Position, _) => 0,
        Slot::BuiltIn(..) => 1,
        Slot::Location { .. } => 2,
        Slot::Ray(_) => 3,
    };
    rank(a).cmp(&rank(b)).then(a.slot.cmp(&b.slot)).then(a.vertex.cmp(&b.vertex))
}

/// Sorts inputs and outputs into canonical order, and renumbers their uses.
pub(super) fn sort(sh: &mut Shader) {
    fn order(list: &mut Vec<Interface>) -> Vec<u32> {
        let mut by: Vec<u32> = (0..list.len() as u32).collect();
        by.sort_by(|&a, &b| canonical_order(&list[a as usize], &list[b as usize]));
        *list = by.iter().map(|&i| list[i as usize]).collect();
        let mut new = vec![0; by.len()];
        for (at, &old) in by.iter().enumerate() {
            new[old as usize] = at as u32;
        }
        new
    }
    fn renumber(region: &mut Region, lists: [&[u32]; 5]) {
        let [inputs, outputs, patch_inputs, patch_outputs, primitive_outputs] = lists;
        for node in &mut region.nodes {
            match node {
                Node::Inst(inst) => match (&mut inst.imm, inst.op) {
                    (Imm::Slot(at), Op::LoadInput) => *at = inputs[*at as usize],
                    (Imm::Slot(at), Op::StoreOutput | Op::LoadOutput) => *at = outputs[*at as usize],
                    (Imm::Slot(at), Op::LoadPatchInput) => *at = patch_inputs[*at as usize],
                    (Imm::Slot(at), Op::StorePatchOutput | Op::LoadPatchOutput) => {
                        *at = patch_outputs[*at as usize];
                    }
                    (Imm::Slot(at), Op::StorePrimitiveOutput | Op::LoadPrimitiveOutput) => {
                        *at = primitive_outputs[*at as usize];
                    }
                    (Imm::Interp(at, _), _) => *at = inputs[*at as usize],
                    _ => {}
                },
                Node::If(node) => {
                    renumber(&mut node.then, lists);
                    renumber(&mut node.els, lists);
                }
                Node::Block(node) => renumber(&mut node.body, lists),
                Node::Loop(node) => renumber(&mut node.body, lists),
            }
        }
    }
    let lists = [List::Inputs, List::Outputs, List::PatchInputs, List::PatchOutputs, List::PrimitiveOutputs];
    let new = lists.map(|l| order(l.of(sh)));
    renumber(&mut sh.body, [&new[0], &new[1], &new[2], &new[3], &new[4]]);
    sh.bindings.sort_by_key(|b| (b.set, b.binding, b.kind as u32));
    debug_assert!(sh.body.end == ir::End::Return);
}
