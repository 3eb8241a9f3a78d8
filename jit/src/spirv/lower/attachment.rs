//! Attachments of the current pass, which fragment shaders read at the pixel of their fragment: tile images, depth and
//! stencil. Each is a descriptor in a set of its own ([`ATTACHMENT_SET`]) and is fetched like an input attachment. Spec:
//! SPV_EXT_shader_tile_image.

use spirv::Decoration;

use super::place::{Place, Root};
use super::{Lower, MAX_BINDINGS, Scalars};
use crate::abi::MAX_COLORS;
use crate::error::{Error, Result};
use crate::ir::{
    ATTACHMENT_SET, Binding, COLOR_BINDING, DEPTH_STENCIL_BINDING, ImageDim, ImageOp, ImageOpKind, LodMode,
    Op, ResourceKind, Shader, Stage, Ty, Value,
};
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

/// Element of the depth attachment in its binding.
const DEPTH: u32 = 0;
/// Element of the stencil attachment in its binding.
const STENCIL: u32 = 1;

impl Lower<'_> {
    /// Returns the place of a tile image, or of an array of them. The location is the number of the first attachment.
    pub(super) fn tile_image(&mut self, def: &Inst, pointee: u32) -> Result<Place> {
        let (mut ty, mut count) = (pointee, 1u32);
        while let Type::Array { elem, .. } = self.module.ty(ty)? {
            count = count.saturating_mul(self.types.array_len(ty)?);
            ty = *elem;
        }
        if !matches!(self.module.ty(ty)?, Type::Image(i) if i.dim == spirv::Dim::DimTileImageDataEXT) {
            return Err(self.module.invalid(def, "a tile image of another type than TileImageDataEXT"));
        }
        let location = self.module.deco(def.id, Decoration::Location).unwrap_or(0);
        if location.checked_add(count).is_none_or(|end| end as usize > MAX_COLORS) {
            return Err(Error::Limit(format!("tile images, at most {MAX_COLORS} locations")));
        }
        let mut place = Place::new(Root::Binding(self.attachments(COLOR_BINDING)?), pointee);
        place.offset = location;
        Ok(place)
    }

    /// Returns the index of a binding of the attachments among the shader's bindings.
    fn attachments(&mut self, binding: u32) -> Result<u32> {
        if self.shader.stage != Stage::Fragment {
            return Err(Error::invalid("only fragment shaders can read attachments"));
        }
        let (set, kind) = (ATTACHMENT_SET, ResourceKind::InputAttachment);
        if let Some(&at) = self.io.bindings.get(&(set, binding, kind)) {
            return Ok(at as u32);
        }
        if self.shader.bindings.len() >= MAX_BINDINGS {
            return Err(Error::Limit(format!("more than {MAX_BINDINGS} resource variables")));
        }
        let (name, count) = match binding {
            COLOR_BINDING => ("colour attachment", MAX_COLORS as u32),
            _ => ("depth and stencil attachment", 2),
        };
        let at = self.shader.bindings.len();
        self.io.bindings.insert((set, binding, kind), at);
        let name = name.to_owned();
        self.shader.bindings.push(Binding { set, binding, kind, count, name, size: 0, written: false });
        Ok(at as u32)
    }

    /// Emits the read of an attachment: of the sample of an operand, or else of sample 0.
    fn read_attachment(
        &mut self,
        inst: &Inst,
        image: Value,
        mut op: ImageOp,
        sample: Option<&u32>,
    ) -> Result<Scalars> {
        let zero = self.i32(0);
        let mut coords = [zero; 2].into_iter().collect();
        self.at_fragment(&mut op, &mut coords);
        let mut args: Scalars = [image].into_iter().collect();
        args.extend(coords);
        if let Some(&sample) = sample {
            op.multisampled = true;
            args.extend(self.i32s(sample, 1)?);
        }
        self.texel_result(inst, op, &args)
    }

    /// Emits the read of the depth or stencil attachment.
    fn read_depth_stencil(
        &mut self,
        inst: &Inst,
        operands: &[u32],
        element: u32,
        texel: Ty,
    ) -> Result<Scalars> {
        let binding = self.attachments(DEPTH_STENCIL_BINDING)?;
        let image = self.handle(Op::ImageDescriptor, Some(binding), element);
        self.image_bindings.insert(image, Some(binding));
        let op = ImageOp {
            kind: ImageOpKind::Fetch,
            dim: ImageDim::SubpassData,
            arrayed: false,
            multisampled: false,
            dref: false,
            lod: LodMode::Zero,
            min_lod: false,
            offset: false,
            offsets4: false,
            components: 0,
            texel,
            signed: false,
            residency: false,
        };
        self.read_attachment(inst, image, op, operands.first())
    }
}

/// Removes the attachments from the list of bindings, which the caller of a draw binds itself, and notes which are read.
pub(super) fn leave_out(shader: &mut Shader) {
    let reads = |binding| shader.bindings.iter().any(|b| (b.set, b.binding) == (ATTACHMENT_SET, binding));
    shader.reads_attachments = [reads(DEPTH_STENCIL_BINDING), reads(COLOR_BINDING)];
    shader.bindings.retain(|b| b.set != ATTACHMENT_SET);
}

/// OpColorAttachmentReadEXT.
pub fn read_color<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (image, ty) = lower.image_operand(operands, false)?;
    if ty.dim != spirv::Dim::DimTileImageDataEXT {
        return Err(Error::invalid("operand is not a tile image"));
    }
    let op = lower.image_op(ImageOpKind::Fetch, &ty)?;
    lower.read_attachment(inst, image, op, operands.get(1))
}

/// OpDepthAttachmentReadEXT.
pub fn read_depth<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.read_depth_stencil(inst, operands, DEPTH, Ty::F32)
}

/// OpStencilAttachmentReadEXT.
pub fn read_stencil<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    lower.read_depth_stencil(inst, operands, STENCIL, Ty::I32)
}
