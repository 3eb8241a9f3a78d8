//! Kernels: the interface between an entry point of the execution model Kernel and the host that launches it.
//!
//! Arguments are one uniform buffer, which the host fills: the header, then each argument at its natural alignment. A
//! pointer to workgroup memory is a number that the host makes of an offset; the sizes of these arguments, and the size
//! of a workgroup, are given to lowering as specialization constants whose ids no module has ([`launch_constants`]).
//! Variables of the module, except those in workgroup memory and built-ins, are one buffer, whose address is in the
//! header. Leaves images and samplers to [`super::kernel_image`] and to `lower::kernel` the code that reads all this.
//!
//! Spec: SPIR-V, "Kernel"; OpenCL, "Setting Kernel Arguments".

use rustc_hash::FxHashMap;
use spirv::{Decoration, ExecutionMode, FunctionParameterAttribute, StorageClass};

use super::kernel_image::{ImageArgument, LiteralSampler, WORDS, is_read_only};
use super::module::Module;
use super::sizes::Types;
use super::types::Type;
use crate::error::{Error, Result};
use crate::ir::{Stage, Ty};

/// Descriptor set of the buffer of arguments.
pub const ARGUMENT_SET: u32 = 0;
/// Binding of the buffer of arguments.
pub const ARGUMENT_BINDING: u32 = 0;
/// Binding of the first argument, if it is an image or sampler; the samplers of the module follow the arguments.
const FIRST_BINDING: u32 = ARGUMENT_BINDING + 1;
/// A constant that is the address of a byte of the module's variables is this number plus the offset of the byte.
pub const DATA_BASE: u64 = 3 << 61;
/// Offset of the global offset in the header: three I32.
pub const GLOBAL_OFFSET_AT: u32 = 0;
/// Offset of the number of dimensions in the header: I32.
pub const WORK_DIM_AT: u32 = 12;
/// Offset of the address of the module's variables in the header: I64.
pub const DATA_AT: u32 = 16;
/// Offset of the number of invocations in the header: three I32. Like those that follow, only parts of a launch read it.
pub const GLOBAL_SIZE_AT: u32 = 24;
/// Offset of the number of workgroups of the whole launch: three I32.
pub const WORKGROUPS_AT: u32 = 36;
/// Offset of the numbers that are added to the global id of a part: three I32.
pub const SKIPPED_AT: u32 = 48;
/// Size of the header.
pub const HEADER_BYTES: u32 = 64;
/// Largest buffer of arguments, in bytes.
pub const MAX_ARGUMENT_BYTES: u32 = 16384;
/// Most bytes of the buffer of a module's variables.
pub const MAX_DATA_BYTES: u32 = 1 << 24;
/// A pointer to workgroup memory is this number plus the offset. No device address is as large.
pub const SHARED_BASE: u64 = 1 << 61;
/// A pointer to a private variable is this number plus the offset.
pub const PRIVATE_BASE: u64 = 1 << 62;
/// First id of the specialization constants of a launch.
const LAUNCH_ID: u32 = 0xffff_ff00;

/// Specialization constants of a launch: the size of a workgroup, and the bytes of workgroup memory that are arguments.
/// `whole` is given for a part of a launch whose workgroups do not divide the invocations, so that the last ones are
/// smaller: it is the size of all others.
pub fn launch_constants(local: [u32; 3], shared: u32, whole: Option<[u32; 3]>) -> Vec<(u32, u64)> {
    let [x, y, z] = local;
    let all = [x, y, z, shared].into_iter().chain(whole.into_iter().flatten());
    (LAUNCH_ID..).zip(all.map(u64::from)).collect()
}

/// Properties of a launch that lowering was given.
pub(super) struct Launched {
    /// Size of a workgroup.
    pub local: Option<[u32; 3]>,
    /// Bytes of workgroup memory that are arguments.
    pub shared: u32,
    /// Size of the workgroups that are not smaller than others, if this is a part of a launch.
    pub whole: Option<[u32; 3]>,
}

impl Launched {
    /// Reads the specialization constants of a launch.
    pub(super) fn of(types: &Types<'_>) -> Launched {
        let get = |i: u32| types.spec.get(&(LAUNCH_ID + i)).and_then(|words| words.last()).map(|&v| v as u32);
        let size = |i: u32| Some([get(i)?, get(i + 1)?, get(i + 2)?]);
        Launched { local: size(0), shared: get(3).unwrap_or(0), whole: size(4) }
    }
}

/// Contents of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// Address of a buffer.
    Buffer,
    /// Pointer to workgroup memory whose size the launch states.
    Workgroup,
    /// Scalars of these types, each at its offset in the argument.
    Value(Vec<(u32, Ty)>),
    /// Image.
    Image(ImageArgument),
    /// Sampler.
    Sampler,
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Name from OpName; may be empty.
    pub name: String,
    /// Contents.
    pub kind: ArgumentKind,
    /// Offset in the buffer of arguments.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Buffers and workgroup memory: type of the scalars in an element; `None` for structures.
    pub element: Option<Ty>,
    /// `true` if the kernel may only read: through a pointer of class UniformConstant, or an image.
    pub constant: bool,
}

impl Argument {
    /// Describes what the argument is, for people: `buffer of f32`.
    pub fn describe(&self) -> String {
        let of = |what: &str| match self.element {
            Some(element) => format!("{what} of {element}"),
            None => what.to_owned(),
        };
        let what = match &self.kind {
            ArgumentKind::Buffer => of("buffer"),
            ArgumentKind::Workgroup => of("workgroup memory"),
            ArgumentKind::Value(scalars) => match scalars[..] {
                [(_, ty)] => ty.to_string(),
                [(_, first), ..] if scalars.iter().all(|(_, ty)| *ty == first) => {
                    format!("{} values of {first}", scalars.len())
                }
                _ => format!("{} values in {} bytes", scalars.len(), self.size),
            },
            ArgumentKind::Image(image) => {
                let kinds = [(image.depth, " depth"), (image.multisampled, " multisampled")];
                let kinds: String = kinds.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
                format!("image {:?}{}{kinds}", image.dim, if image.arrayed { " array" } else { "" })
            }
            ArgumentKind::Sampler => "sampler".to_owned(),
        };
        if self.constant { format!("{what}, read-only") } else { what }
    }
}

/// The interface of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Arguments, in order.
    pub arguments: Vec<Argument>,
    /// Size of the buffer of arguments.
    pub size: u32,
    /// Initial contents of the module's variables.
    pub data: Vec<u8>,
    /// Offsets in `data` of numbers of 64 bits to which the host adds the address of the buffer that it makes of `data`.
    pub addresses: Vec<u32>,
    /// Samplers that the module states. Their bindings follow those of the arguments.
    pub samplers: Vec<LiteralSampler>,
    /// Workgroup size that the kernel requires (LocalSize).
    pub local_size: Option<[u32; 3]>,
    /// Workgroup size that suits the kernel (LocalSizeHint).
    pub local_size_hint: Option<[u32; 3]>,
}

impl Kernel {
    /// Binding of an argument that is an image or sampler, and of the samplers of the module after all arguments.
    pub fn binding(index: usize) -> u32 {
        FIRST_BINDING + index as u32
    }
}

impl Module {
    /// The interface of a kernel, with specialization constants given as (SpecId, bits).
    ///
    /// # Errors
    /// `Invalid` if the module has no such kernel, `Unsupported` for arguments of other types.
    pub fn kernel(&self, name: &str, spec: &[(u32, u64)]) -> Result<Kernel> {
        let found = self.entry_points().iter().find(|e| e.name == name && e.stage == Stage::Compute);
        let entry = found.filter(|_| self.has_kernels());
        let entry = entry.ok_or_else(|| Error::invalid(format!("the module has no kernel '{name}'")))?;
        let mut types = Types::new(self, spec);
        let (arguments, size) = arguments(&mut types, entry.function)?;
        let (data, addresses) = data(&mut types)?;
        let mut sizes = [None; 2];
        for (mode, args) in &entry.modes {
            let at = match mode {
                ExecutionMode::LocalSize | ExecutionMode::LocalSizeId => 0,
                ExecutionMode::LocalSizeHint | ExecutionMode::LocalSizeHintId => 1,
                _ => continue,
            };
            let ids = matches!(mode, ExecutionMode::LocalSizeId | ExecutionMode::LocalSizeHintId);
            let &[x, y, z] = &args[..] else {
                return Err(Error::invalid("execution mode without its operands"));
            };
            sizes[at] = Some(match ids {
                true => [types.const_u32(x)?, types.const_u32(y)?, types.const_u32(z)?],
                false => [x, y, z],
            });
        }
        let samplers =
            self.literal_samplers().map(|inst| self.literal_sampler(inst)).collect::<Result<_>>()?;
        let [local_size, local_size_hint] = sizes;
        Ok(Kernel { arguments, size, data, addresses, samplers, local_size, local_size_hint })
    }
}

/// `true` if a parameter points to a copy of its argument (ByVal).
pub(super) fn is_by_value(module: &Module, id: u32) -> bool {
    let by_value = (Decoration::FuncParamAttr, FunctionParameterAttribute::ByVal as u32);
    module.decos(id).contains(&by_value)
}

/// The arguments of a kernel, and the size of their buffer.
pub(super) fn arguments(types: &mut Types<'_>, function: u32) -> Result<(Vec<Argument>, u32)> {
    let m = types.module;
    let mut at = HEADER_BYTES;
    let mut out = Vec::new();
    for &(id, ty) in &m.function(function)?.params {
        let (kind, held, constant) = match *m.ty(ty)? {
            Type::Address { pointee, .. } if is_by_value(m, id) => {
                (ArgumentKind::Value(scalars(types, pointee)?), pointee, false)
            }
            Type::Address { class: StorageClass::CrossWorkgroup, .. } => (ArgumentKind::Buffer, ty, false),
            Type::Address { class: StorageClass::UniformConstant, pointee } if is_data(m, pointee)? => {
                (ArgumentKind::Buffer, ty, true)
            }
            Type::Address { class: StorageClass::Workgroup, .. } => (ArgumentKind::Workgroup, ty, false),
            Type::Int { .. }
            | Type::Float { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Array { .. } => (ArgumentKind::Value(scalars(types, ty)?), ty, false),
            Type::Image(image) => (ArgumentKind::Image(ImageArgument::of(&image)?), ty, is_read_only(&image)),
            Type::Sampler => (ArgumentKind::Sampler, ty, false),
            ref other => {
                let what = format!("argument %{id} '{}' of a kernel, of type {other:?}", m.name(id));
                return Err(Error::unsupported(what));
            }
        };
        let (size, align) = match kind {
            ArgumentKind::Image(_) => (4 * WORDS, 4),
            ArgumentKind::Sampler => (0, 4),
            ArgumentKind::Buffer | ArgumentKind::Workgroup | ArgumentKind::Value(_) => types.natural(held)?,
        };
        let end = at.checked_next_multiple_of(align.max(4)).and_then(|at| at.checked_add(size));
        let Some(end) = end.filter(|&end| end <= MAX_ARGUMENT_BYTES) else {
            return Err(Error::Limit(format!("arguments of a kernel, at most {MAX_ARGUMENT_BYTES} bytes")));
        };
        let element = match kind {
            ArgumentKind::Buffer | ArgumentKind::Workgroup => element(types, ty)?,
            ArgumentKind::Value(_) | ArgumentKind::Image(_) | ArgumentKind::Sampler => None,
        };
        out.push(Argument { name: m.name(id).to_owned(), kind, offset: end - size, size, element, constant });
        at = end;
    }
    Ok((out, at.next_multiple_of(16)))
}

/// Type of the scalars that a pointer leads to, if all have the same type.
fn element(types: &Types<'_>, pointer: u32) -> Result<Option<Ty>> {
    let m = types.module;
    let &Type::Address { pointee: mut ty, .. } = m.ty(pointer)? else { return Ok(None) };
    while let &(Type::Vector { elem, .. } | Type::Array { elem, .. }) = m.ty(ty)? {
        ty = elem;
    }
    Ok(m.ty(ty)?.scalar())
}

/// `true` if a type is data: not an image or sampler.
fn is_data(m: &Module, ty: u32) -> Result<bool> {
    Ok(!matches!(m.ty(ty)?, Type::Image(_) | Type::Sampler | Type::SampledImage { .. }))
}

/// Offset and type of each scalar of a type in its natural layout.
fn scalars(types: &mut Types<'_>, ty: u32) -> Result<Vec<(u32, Ty)>> {
    if types.leaves(ty)? > MAX_ARGUMENT_BYTES {
        return Err(Error::Limit(format!("arguments of a kernel, at most {MAX_ARGUMENT_BYTES} bytes")));
    }
    let mut out = Vec::new();
    place(types, ty, 0, &mut |at, ty, _| out.push((at, ty)))?;
    Ok(out)
}

/// Calls `each` for the scalars of a type at `at`, in order: offset, type, and `true` for pointers.
fn place(types: &mut Types<'_>, ty: u32, at: u32, each: &mut dyn FnMut(u32, Ty, bool)) -> Result<()> {
    use super::types::Units::Natural;
    let m = types.module;
    if let Some(scalar) = m.ty(ty)?.scalar() {
        each(at, scalar, matches!(m.ty(ty)?, Type::Address { .. }));
        return Ok(());
    }
    // Elements without scalars may be any number.
    if types.leaves(ty)? == 0 {
        return Ok(());
    }
    match m.ty(ty)? {
        Type::Vector { elem, .. } => {
            let (scalar, n) = (types.scalar(*elem)?, types.leaves(ty)?);
            (0..n).for_each(|i| each(at + i * scalar.bytes(), scalar, false));
        }
        Type::Array { elem, .. } => {
            let stride = types.array_stride(ty, Natural)?;
            for i in 0..types.array_len(ty)? {
                place(types, *elem, at + i * stride, each)?;
            }
        }
        Type::Struct { members } => {
            for (i, &member) in members.iter().enumerate() {
                let offset = types.member_offset(ty, i as u32, Natural)?;
                place(types, member, at + offset, each)?;
            }
        }
        other => return Err(Error::unsupported(format!("{other:?} in the memory of a kernel"))),
    }
    Ok(())
}

/// Offset of each of the module's variables in their buffer, and the size of the buffer. Compilers declare constants without
/// an address space as variables of class Function outside of functions.
pub(super) fn data_layout(types: &mut Types<'_>) -> Result<(FxHashMap<u32, u32>, u32)> {
    use StorageClass::{CrossWorkgroup, Function, UniformConstant};
    let m = types.module;
    let (mut size, mut offsets) = (0u32, FxHashMap::default());
    for &id in m.globals() {
        let (class, pointee) = m.variable(id)?;
        if !matches!(class, UniformConstant | CrossWorkgroup | Function) || !is_data(m, pointee)? {
            continue;
        }
        let (bytes, align) = types.natural(pointee)?;
        let at = size.next_multiple_of(align.max(16));
        let end = at.checked_add(bytes).filter(|&end| end <= MAX_DATA_BYTES);
        size = end.ok_or_else(|| Error::Limit(format!("variables of {MAX_DATA_BYTES} bytes")))?;
        offsets.insert(id, at);
    }
    Ok((offsets, size))
}

/// Contents of the buffer of the module's variables, and the offsets of the addresses in it.
fn data(types: &mut Types<'_>) -> Result<(Vec<u8>, Vec<u32>)> {
    let m = types.module;
    let (_, size) = data_layout(types)?;
    let offsets = types.data_offsets()?;
    let (mut bytes, mut addresses) = (vec![0; size as usize], Vec::new());
    for &id in m.globals() {
        let (_, pointee) = m.variable(id)?;
        let Some(&at) = offsets.get(&id) else { continue };
        let Some(initializer) = m.def(id).and_then(|def| m.initializer(def)) else { continue };
        let bits = types.const_bits(initializer)?;
        let mut bits = bits.iter();
        place(types, pointee, at, &mut |at, ty, pointer| {
            let mut value = bits.next().copied().unwrap_or(0);
            if pointer && value >= DATA_BASE {
                value -= DATA_BASE;
                addresses.push(at);
            }
            let (at, n) = (at as usize, (ty.bytes() as usize).min(8));
            if let Some(room) = bytes.get_mut(at..at + n) {
                room.copy_from_slice(&value.to_le_bytes()[..n]);
            }
        })?;
    }
    Ok((bytes, addresses))
}

/// `true` for each scalar of a type that is a pointer.
pub(super) fn pointers(types: &mut Types<'_>, ty: u32) -> Result<Vec<bool>> {
    let mut out = Vec::new();
    place(types, ty, 0, &mut |_, _, pointer| out.push(pointer))?;
    Ok(out)
}
