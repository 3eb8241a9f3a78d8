//! Images: sampling, fetches, storage images, queries.
//!
//! Two conversions are made here, so that the image routines need not: the coordinates of input attachments become
//! absolute (the fragment's position plus the operand), and storage accesses to cube images become accesses to 2D
//! arrays whose layer is the face, or face + 6 * cube.

use spirv::{AccessQualifier, Dim, ImageOperands, Op as SpvOp};

use super::note::Said;
use super::place::{Place, Root, Texel};
use super::{Lower, Scalars, Val};
use crate::error::{Error, Result};
use crate::ir::{AtomicOp, BuiltIn, ImageDim, ImageOp, ImageOpKind, Imm, LodMode, Op, Stage, Ty, Value};
use crate::spirv::kernel_image::is_read_only;
use crate::spirv::module::Inst;
use crate::spirv::tables::{self, dim};
use crate::spirv::types::{ImageType, Type};

/// Optional image operands of an instruction, as ids.
#[derive(Default)]
struct Operands {
    bias: Option<u32>,
    lod: Option<u32>,
    grad: Option<(u32, u32)>,
    offset: Option<u32>,
    offsets: Option<u32>,
    sample: Option<u32>,
    min_lod: Option<u32>,
    sign: Option<bool>,
    said: Said,
}

impl Operands {
    /// Reads the mask and the ids that follow it, in the order of the mask's bits.
    fn read(words: &[u32]) -> Result<Operands> {
        let mut out = Operands::default();
        let Some((&mask, mut rest)) = words.split_first() else { return Ok(out) };
        let Some(mask) = ImageOperands::from_bits(mask) else {
            return Err(Error::unsupported(format!("image operands {mask:#x}")));
        };
        for bit in mask.iter() {
            let Some(ids) = tables::image_operand(bit) else {
                return Err(Error::unsupported(format!("image operand {bit:?}")));
            };
            let Some((ids, tail)) = rest.split_at_checked(ids) else {
                return Err(Error::invalid("image operand is missing"));
            };
            rest = tail;
            let id = ids.first().copied();
            match bit {
                ImageOperands::BIAS => out.bias = id,
                ImageOperands::LOD => out.lod = id,
                ImageOperands::GRAD => out.grad = id.zip(ids.get(1).copied()),
                ImageOperands::CONST_OFFSET | ImageOperands::OFFSET => out.offset = id,
                ImageOperands::CONST_OFFSETS => out.offsets = id,
                ImageOperands::SAMPLE => out.sample = id,
                ImageOperands::MIN_LOD => out.min_lod = id,
                ImageOperands::SIGN_EXTEND => out.sign = Some(true),
                ImageOperands::ZERO_EXTEND => out.sign = Some(false),
                ImageOperands::MAKE_TEXEL_AVAILABLE => out.said.available = id,
                ImageOperands::MAKE_TEXEL_VISIBLE => out.said.visible = id,
                ImageOperands::NON_PRIVATE_TEXEL => out.said.non_private = true,
                _ => {}
            }
        }
        Ok(out)
    }

    /// Fails for instructions of this `name` that select no image level, if there is an operand that does.
    fn check_level(&self, selects_none: bool, name: &str) -> Result<()> {
        let level = self.lod.is_some() || self.bias.is_some() || self.grad.is_some();
        if selects_none && level {
            return Err(Error::unsupported(format!("operand Lod, Bias or Grad of {name}")));
        }
        Ok(())
    }
}

impl Lower<'_> {
    /// The image operand of an instruction, and its type. It must be a sampled image if `sampled` is set, and a plain
    /// image otherwise.
    pub(super) fn image_operand(&mut self, operands: &[u32], sampled: bool) -> Result<(Value, ImageType)> {
        let id = self.id_at(operands, 0)?;
        let ty = self.module.type_of(id)?;
        if matches!(self.module.ty(ty)?, Type::SampledImage { .. }) != sampled {
            let wanted = if sampled { "a sampled image" } else { "an image without sampler" };
            return Err(Error::invalid(format!("operand %{id} is not {wanted}")));
        }
        Ok((self.scalar(id)?, self.image_type(ty)?))
    }

    /// The image type behind the type id of an image or sampled image.
    fn image_type(&self, ty: u32) -> Result<ImageType> {
        match self.module.ty(ty)? {
            Type::Image(i) => Ok(*i),
            Type::SampledImage { image } => self.image_type(*image),
            _ => Err(Error::invalid("operand is not an image")),
        }
    }

    pub(super) fn image_op(&self, kind: ImageOpKind, image: &ImageType) -> Result<ImageOp> {
        self.texel_op(kind, image, image.sampled_type)
    }

    /// An operation on an image; `texel` is the type of texels if the image has none, as in kernels.
    fn texel_op(&self, kind: ImageOpKind, image: &ImageType, texel: u32) -> Result<ImageOp> {
        let texel = match self.module.ty(image.sampled_type)? {
            Type::Void if self.is_kernel() => match self.module.ty(texel)? {
                // Queries have no texels.
                Type::Void => Ty::F32,
                _ => self.texel_type(texel)?,
            },
            _ => self.types.scalar(image.sampled_type)?,
        };
        if !matches!(texel, Ty::F32 | Ty::I32 | Ty::I64 | Ty::F16) {
            return Err(Error::unsupported(format!("images of {texel}")));
        }
        Ok(ImageOp {
            kind,
            dim: dim(image.dim)?,
            arrayed: image.arrayed,
            multisampled: image.multisampled,
            dref: false,
            lod: LodMode::Zero,
            min_lod: false,
            offset: false,
            offsets4: false,
            components: 0,
            texel,
            signed: self.types.is_signed(image.sampled_type),
            residency: false,
        })
    }

    /// Converts a float to F32.
    fn f32_of(&mut self, v: Value) -> Result<Value> {
        match self.ty(v) {
            Ty::F32 => Ok(v),
            Ty::F16 | Ty::F64 => Ok(self.op(Op::FConvert, Ty::F32, &[v])),
            _ => Err(Error::invalid("operand is not a float")),
        }
    }

    fn f32s(&mut self, id: u32, n: usize) -> Result<Scalars> {
        let list = self.scalars(id)?;
        if list.len() < n {
            return Err(Error::invalid("operand has too few components"));
        }
        list[..n].iter().map(|&v| self.f32_of(v)).collect()
    }

    pub(super) fn i32s(&mut self, id: u32, n: usize) -> Result<Scalars> {
        let signed = self.types.is_signed(self.module.type_of(id)?);
        let list = self.scalars(id)?;
        if list.len() < n {
            return Err(Error::invalid("operand has too few components"));
        }
        list[..n].iter().map(|&v| self.i32_of(v, signed)).collect()
    }

    /// Coordinates of a sampled image. Those of kernels may be integers, in texels.
    fn sampled_coords(&mut self, id: u32, n: usize) -> Result<Scalars> {
        let list = self.scalars(id)?;
        if self.is_kernel() && self.first_ty(&list)? == Ty::I32 {
            let texels = self.i32s(id, n)?;
            return Ok(texels.into_iter().map(|v| self.op(Op::SToF, Ty::F32, &[v])).collect());
        }
        self.f32s(id, n)
    }

    /// Appends the level of a sampling or gather: explicit, by gradients, or implicit with a bias.
    fn level(&mut self, op: &mut ImageOp, o: &Operands, args: &mut Scalars) -> Result<()> {
        if let Some(id) = o.lod {
            op.lod = LodMode::Explicit;
            args.extend(self.f32s(id, 1)?);
        } else if let Some((dx, dy)) = o.grad {
            let n = op.dim.coords() as usize;
            op.lod = LodMode::Grad;
            args.extend(self.f32s(dx, n)?);
            args.extend(self.f32s(dy, n)?);
        } else if op.kind == ImageOpKind::Gather || !self.has_quads() {
            // Without derivatives, the implicit level is the base level.
            op.lod = LodMode::Zero;
        } else if let Some(id) = o.bias {
            op.lod = LodMode::Bias;
            self.quads()?;
            args.extend(self.f32s(id, 1)?);
        } else {
            op.lod = LodMode::Implicit;
            self.quads()?;
        }
        Ok(())
    }

    /// Appends the minimum lod and the offsets.
    fn common(&mut self, op: &mut ImageOp, o: &Operands, args: &mut Scalars) -> Result<()> {
        if let Some(id) = o.min_lod {
            op.min_lod = true;
            args.extend(self.f32s(id, 1)?);
        }
        if let Some(id) = o.offset {
            op.offset = true;
            args.extend(self.i32s(id, op.dim.coords() as usize)?);
        }
        if let Some(id) = o.offsets {
            if op.kind != ImageOpKind::Gather {
                return Err(Error::invalid("only gathers take four offsets"));
            }
            op.offset = true;
            op.offsets4 = true;
            args.extend(self.i32s(id, 8)?);
        }
        Ok(())
    }

    /// Emits an operation that returns a texel, and fits the texel to the result type.
    pub(super) fn texel_result(&mut self, inst: &Inst, mut op: ImageOp, args: &[Value]) -> Result<Scalars> {
        let n = if op.dref && op.kind != ImageOpKind::Gather { 1 } else { 4 };
        op.residency = is_sparse(inst.op);
        let mut tys = vec![op.texel; n];
        tys.extend(op.residency.then_some(Ty::I32));
        let mut out = self.emit(Op::ImageOp, args, Imm::Image(Box::new(op)), &tys);
        // The texel of a sparse instruction comes after the residency code.
        let code = if op.residency { out.pop() } else { None };
        let want = (self.types.leaves(inst.ty)? as usize).saturating_sub(usize::from(op.residency));
        if want > n {
            return Err(Error::invalid("result has more components than a texel"));
        }
        out.truncate(want);
        if let Some(code) = code {
            out.insert(0, code);
        }
        Ok(out)
    }

    /// Coordinates of a storage access or fetch; may turn a cube into a 2D array.
    fn texel_coords(&mut self, op: &mut ImageOp, id: u32) -> Result<Scalars> {
        let n = match (op.dim, op.arrayed) {
            (ImageDim::Cube, _) => 3,
            (dim, arrayed) => dim.coords() as usize + usize::from(arrayed),
        };
        if op.dim == ImageDim::Cube {
            op.dim = ImageDim::D2;
            op.arrayed = true;
        }
        let mut coords = self.i32s(id, n)?;
        if op.dim == ImageDim::SubpassData {
            self.at_fragment(op, &mut coords);
        }
        Ok(coords)
    }

    /// Makes coordinates of an input attachment, which are relative to the pixel of the fragment, absolute, and appends
    /// the layer.
    pub(super) fn at_fragment(&mut self, op: &mut ImageOp, coords: &mut Scalars) {
        for (i, c) in coords.iter_mut().take(2).enumerate() {
            let at = Imm::BuiltIn(BuiltIn::FragCoord, i as u32);
            let at = self.emit(Op::BuiltIn, &[], at, &[Ty::F32])[0];
            let at = self.op(Op::FToS, Ty::I32, &[at]);
            *c = self.op(Op::IAdd, Ty::I32, &[at, *c]);
        }
        // The layer being rendered, or the view index: at least one of them is 0.
        let [layer, view] = [BuiltIn::Layer, BuiltIn::ViewIndex]
            .map(|b| self.emit(Op::BuiltIn, &[], Imm::BuiltIn(b, 0), &[Ty::I32])[0]);
        coords.push(self.op(Op::IAdd, Ty::I32, &[layer, view]));
        op.arrayed = true;
    }

    /// Emits an atomic operation on a texel.
    pub(super) fn texel_atomic(
        &mut self,
        texel: &Texel,
        atomic: AtomicOp,
        ty: Ty,
        operands: &[Value],
    ) -> Result<Scalars> {
        let image_ty = self.image_type(texel.ty)?;
        let mut op = self.image_op(ImageOpKind::Atomic(atomic), &image_ty)?;
        if op.dim == ImageDim::Cube {
            op.dim = ImageDim::D2;
            op.arrayed = true;
        }
        // An exchange of floats passes their bits as integers, so the texel type is that of the operand.
        op.texel = ty;
        let mut args: Scalars = [texel.image].into_iter().collect();
        args.extend_from_slice(&texel.coord);
        if op.multisampled {
            args.push(texel.sample);
        }
        args.extend_from_slice(operands);
        Ok(self.emit(Op::ImageWrite, &args, Imm::Image(Box::new(op)), &[ty]))
    }
}

/// OpSampledImage.
pub fn sampled_image<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (image, ty) = lower.image_operand(operands, false)?;
    let sampler = lower.id_at(operands, 1)?;
    if lower.is_kernel() && !is_read_only(&ty) {
        return Err(Error::invalid("a kernel samples only images that it may only read"));
    }
    if *lower.module.ty(lower.module.type_of(sampler)?)? != Type::Sampler {
        return Err(Error::invalid("operand is not a sampler"));
    }
    let sampler = lower.scalar(sampler)?;
    Ok(Lower::one(lower.op(Op::SampledImage, Ty::Image, &[image, sampler])))
}

/// OpImage: the sampled image value also represents its image.
pub fn image<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    Ok(Lower::one(lower.image_operand(operands, true)?.0))
}

/// `true` if the result is a structure of residency code and texel.
fn is_sparse(op: SpvOp) -> bool {
    use SpvOp as S;
    matches!(
        op,
        S::ImageSparseSampleImplicitLod
            | S::ImageSparseSampleExplicitLod
            | S::ImageSparseSampleDrefImplicitLod
            | S::ImageSparseSampleDrefExplicitLod
            | S::ImageSparseFetch
            | S::ImageSparseRead
            | S::ImageSparseGather
            | S::ImageSparseDrefGather
    )
}

/// `true` for gathers.
fn gathers(op: SpvOp) -> bool {
    use SpvOp as S;
    matches!(op, S::ImageGather | S::ImageDrefGather | S::ImageSparseGather | S::ImageSparseDrefGather)
}

/// `true` if texels are compared with a reference.
fn compares(op: SpvOp) -> bool {
    use SpvOp as S;
    matches!(
        op,
        S::ImageSparseSampleDrefImplicitLod
            | S::ImageSparseSampleDrefExplicitLod
            | S::ImageSparseDrefGather
            | S::ImageSampleDrefImplicitLod
            | S::ImageSampleDrefExplicitLod
            | S::ImageSampleProjDrefImplicitLod
            | S::ImageSampleProjDrefExplicitLod
            | S::ImageDrefGather
    )
}

/// `true` if the last component of the coordinate divides the others.
fn projects(op: SpvOp) -> bool {
    use SpvOp as S;
    matches!(
        op,
        S::ImageSampleProjImplicitLod
            | S::ImageSampleProjExplicitLod
            | S::ImageSampleProjDrefImplicitLod
            | S::ImageSampleProjDrefExplicitLod
    )
}

/// OpImageSparse*: like the instructions without "Sparse", with the residency code before the texel.
pub fn sparse<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    match inst.op {
        SpvOp::ImageSparseFetch | SpvOp::ImageSparseRead => fetch(lower, inst, operands),
        _ => sample(lower, inst, operands),
    }
}

/// Residency code of texels that are backed by memory.
pub const RESIDENT: u32 = 0;

/// OpImageSparseTexelsResident.
pub fn texels_resident<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let code = lower.id_at(operands, 0)?;
    let code = lower.scalar(code)?;
    let code = lower.i32_of(code, false)?;
    let resident = lower.i32(RESIDENT);
    Ok(Lower::one(lower.op(Op::IEq, Ty::Bool, &[code, resident])))
}

/// Sampling and gathers of every kind.
pub fn sample<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (image, image_ty) = lower.image_operand(operands, true)?;
    let coordinate = lower.id_at(operands, 1)?;
    let (gather, dref, proj) = (gathers(inst.op), compares(inst.op), projects(inst.op));
    let kind = if gather { ImageOpKind::Gather } else { ImageOpKind::Sample };
    let mut op = lower.texel_op(kind, &image_ty, inst.ty)?;
    op.dref = dref;
    if op.multisampled || matches!(op.dim, ImageDim::Buffer | ImageDim::SubpassData) {
        return Err(Error::invalid("this image cannot be sampled"));
    }
    // Gather has its component operand at the position of the reference of Dref instructions.
    let extra = dref || gather;
    let o = Operands::read(operands.get(if extra { 3 } else { 2 }..).unwrap_or_default())?;
    o.check_level(gather, "a gather")?;
    let mut args: Scalars = [image].into_iter().collect();
    let n = op.dim.coords() as usize;
    let divisor = if proj { lower.f32s(coordinate, n + 1)?.get(n).copied() } else { None };
    let project = |lower: &mut Lower<'_>, v: Value| match divisor {
        Some(q) => lower.op(Op::FDiv, Ty::F32, &[v, q]),
        None => v,
    };
    for v in lower.sampled_coords(coordinate, n + usize::from(op.arrayed && !proj))? {
        args.push(project(lower, v));
    }
    if dref {
        let id = lower.id_at(operands, 2)?;
        let v = lower.f32s(id, 1)?[0];
        args.push(project(lower, v));
        op.components = u8::from(gather);
    } else if gather {
        let id = lower.id_at(operands, 2)?;
        op.components = match lower.types.const_u32(id)? {
            c @ 0..=3 => 1 << c,
            c => return Err(Error::invalid(format!("gather of component {c}"))),
        };
    }
    lower.level(&mut op, &o, &mut args)?;
    lower.common(&mut op, &o, &mut args)?;
    lower.texel_result(inst, op, &args)
}

/// OpImageFetch, OpImageRead.
pub fn fetch<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (image, image_ty) = lower.image_operand(operands, false)?;
    let coordinate = lower.id_at(operands, 1)?;
    // Kernels read the images that they may only read as shaders fetch.
    let storage = matches!(inst.op, SpvOp::ImageRead | SpvOp::ImageSparseRead)
        && image_ty.dim != Dim::DimSubpassData
        && !(lower.is_kernel() && is_read_only(&image_ty));
    let kind = if storage { ImageOpKind::Read } else { ImageOpKind::Fetch };
    let mut op = lower.texel_op(kind, &image_ty, inst.ty)?;
    if image_ty.access == Some(AccessQualifier::WriteOnly) {
        return Err(Error::invalid("read of an image that the kernel may only write"));
    }
    if image_ty.dim == Dim::DimTileImageDataEXT {
        return Err(Error::invalid("only OpColorAttachmentReadEXT reads tile images"));
    }
    if image_ty.dim == Dim::DimSubpassData && lower.shader.stage != Stage::Fragment {
        return Err(Error::invalid("only fragment shaders can read input attachments"));
    }
    let o = Operands::read(operands.get(2..).unwrap_or_default())?;
    o.check_level(storage, "a read of a storage image")?;
    lower.keep_operands(&o.said);
    op.signed = o.sign.unwrap_or(op.signed);
    let mut args: Scalars = [image].into_iter().collect();
    args.extend(lower.texel_coords(&mut op, coordinate)?);
    if let Some(id) = o.lod {
        op.lod = LodMode::Explicit;
        args.extend(lower.i32s(id, 1)?);
    }
    lower.common(&mut op, &o, &mut args)?;
    if op.multisampled {
        let Some(id) = o.sample else {
            return Err(Error::invalid("multisampled image without a Sample operand"));
        };
        args.extend(lower.i32s(id, 1)?);
    }
    lower.texel_result(inst, op, &args)
}

/// OpImageWrite.
pub fn write<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let (handle, image_ty) = lower.image_operand(operands, false)?;
    let (coordinate, texel) = (lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    if lower.is_kernel() && is_read_only(&image_ty) {
        return Err(Error::invalid("write to an image that the kernel may only read"));
    }
    let texel_ty = lower.module.type_of(texel)?;
    let mut op = lower.texel_op(ImageOpKind::Write, &image_ty, texel_ty)?;
    let o = Operands::read(operands.get(3..).unwrap_or_default())?;
    o.check_level(true, "an image write")?;
    // These are of texel lookups.
    if o.offset.is_some() || o.offsets.is_some() || o.min_lod.is_some() {
        return Err(Error::unsupported(
            "operand Offset, ConstOffset, ConstOffsets or MinLod of an image write",
        ));
    }
    lower.keep_operands(&o.said);
    op.signed = o.sign.unwrap_or(op.signed);
    let mut args: Scalars = [handle].into_iter().collect();
    args.extend(lower.texel_coords(&mut op, coordinate)?);
    if op.multisampled {
        let Some(id) = o.sample else {
            return Err(Error::invalid("multisampled image without a Sample operand"));
        };
        args.extend(lower.i32s(id, 1)?);
    }
    let mut texel = lower.scalars(texel)?;
    // Components that no format has are ignored.
    texel.truncate(4);
    if lower.is_kernel() && op.texel == Ty::I32 {
        lower.saturated(handle, &mut texel)?;
    }
    for i in 0..4 {
        args.push(match texel.get(i) {
            Some(&v) => v,
            None => lower.constant(op.texel, 0),
        });
    }
    // Only an undefined image has no entry here: nothing is written.
    let Some(&binding) = lower.image_bindings.get(&handle) else { return Ok(()) };
    lower.mark_written(binding)?;
    lower.emit(Op::ImageWrite, &args, Imm::Image(Box::new(op)), &[]);
    Ok(())
}

/// OpImageTexelPointer, OpUntypedImageTexelPointerEXT; the latter names the image type as an operand.
pub fn texel_pointer<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let untyped = inst.op == SpvOp::UntypedImageTexelPointerEXT;
    let operands = if untyped { operands.get(1..).unwrap_or_default() } else { operands };
    let (pointer, coordinate) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let sample = lower.id_at(operands, 2)?;
    let mut place = lower.place(pointer)?;
    if untyped {
        lower.retype(&mut place, pointer, lower.module.operand(inst, 0)?)?;
    }
    let Type::Image(image_ty) = *lower.module.ty(place.ty)? else {
        return Err(Error::invalid("not a pointer to an image"));
    };
    let image = match lower.load(&place)?[..] {
        [v] => v,
        _ => return Err(Error::invalid("not a pointer to an image")),
    };
    let mut op = lower.image_op(ImageOpKind::Read, &image_ty)?;
    let coord = lower.texel_coords(&mut op, coordinate)?;
    let sample = lower.i32s(sample, 1)?[0];
    let pointee = match lower.module.ty(inst.ty)? {
        Type::Pointer { pointee, .. } => *pointee,
        _ => return Err(Error::invalid("result type is not a pointer")),
    };
    let Some(&binding) = lower.image_bindings.get(&image) else {
        return Err(Error::invalid("a pointer to a texel of an undefined image"));
    };
    let root = Root::Texel(Box::new(Texel { image, ty: place.ty, binding, coord, sample }));
    lower.bind(inst.id, Val::Place(Place::new(root, pointee)));
    Ok(())
}

/// Image queries.
pub fn query<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (image, image_ty) = lower.image_operand(operands, inst.op == SpvOp::ImageQueryLod)?;
    let mut args: Scalars = [image].into_iter().collect();
    let (kind, ty, n) = match inst.op {
        SpvOp::ImageQuerySizeLod | SpvOp::ImageQuerySize => {
            let d = dim(image_ty.dim)?;
            let n = if d == ImageDim::Cube { 2 } else { d.coords() } + u32::from(image_ty.arrayed);
            (ImageOpKind::QuerySize, Ty::I32, n)
        }
        SpvOp::ImageQueryLevels => (ImageOpKind::QueryLevels, Ty::I32, 1),
        SpvOp::ImageQuerySamples => (ImageOpKind::QuerySamples, Ty::I32, 1),
        _ => (ImageOpKind::QueryLod, Ty::F32, 2),
    };
    let mut op = lower.image_op(kind, &image_ty)?;
    match inst.op {
        SpvOp::ImageQuerySizeLod => {
            let lod = lower.id_at(operands, 1)?;
            op.lod = LodMode::Explicit;
            args.extend(lower.i32s(lod, 1)?);
        }
        SpvOp::ImageQuerySize if !(op.multisampled || op.dim == ImageDim::Buffer) => {
            // Storage images have one level.
            op.lod = LodMode::Explicit;
            let zero = lower.i32(0);
            args.push(zero);
        }
        SpvOp::ImageQueryLod => {
            lower.quads()?;
            op.lod = LodMode::Implicit;
            let coordinate = lower.id_at(operands, 1)?;
            // The query ignores the layer, if one is given.
            op.arrayed = false;
            args.extend(lower.f32s(coordinate, op.dim.coords() as usize)?);
        }
        _ => {}
    }
    let tys = vec![ty; n as usize];
    let out = lower.emit(Op::ImageOp, &args, Imm::Image(Box::new(op)), &tys);
    let want = lower.types.component(inst.ty)?;
    Ok(out
        .into_iter()
        .map(|v| if lower.ty(v) == want || want == Ty::F32 { v } else { lower.op(Op::UConvert, want, &[v]) })
        .collect())
}
