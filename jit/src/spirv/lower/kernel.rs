//! Kernels: arguments, built-in variables, and variables of the module.
//!
//! The buffer of arguments is a uniform buffer ([`crate::spirv::kernel`]). Pointers of kernels are numbers of 64 bits in
//! every storage class ([`Type::Address`]): device addresses, or a base plus an offset into workgroup memory or into the
//! private memory of the invocation. Leaves pointers and their arithmetic to `pointer`, private memory to `private`, images
//! and samplers to `image`, and instructions of groups to `group`.

mod group;
mod image;
mod import;
mod pointer;
mod private;

pub use group::{all_or_any, broadcast, flag_clear, flag_test_and_set, reduce};
pub use image::query_channel;
pub use import::call as call_import;
pub use pointer::{bitcast, cast_explicit, cast_pointer, group_copy, pointer_semantics, wait_group_events};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;
use spirv::StorageClass;

use super::place::{Owner, Place, Root};
use super::{Lower, Scalars, Val};
use crate::error::{Error, Result};
use crate::ir::{BuiltIn, Imm, Mem, Note, Op, PrivateAccess, ResourceKind, Ty, Value};
use crate::spirv::kernel::{self, ArgumentKind, DATA_BASE, Launched};
use crate::spirv::module::{EntryPoint, Inst};
use crate::spirv::tables::{self, KernelBuiltIn};
use crate::spirv::types::{Type, Units};

/// State of the lowering of a kernel.
#[derive(Default)]
pub struct State {
    /// The buffer of arguments.
    arguments: Option<Value>,
    /// Number of arguments.
    n_arguments: usize,
    /// Addresses at which buffers begin, so that no offset from them is negative.
    starts: FxHashSet<Value>,
    /// Address of the module's variables.
    data: Option<Value>,
    /// In a part of a launch: size of the workgroups that are not smaller than others.
    whole: Option<[u32; 3]>,
    /// Private memory, once there is any.
    private: Option<private::Memory>,
    /// Offset in workgroup memory of the values that group instructions exchange.
    exchange: Option<u32>,
    /// Variables that need no memory: all their uses are loads and stores of their own types.
    plain: FxHashSet<u32>,
    /// Offsets of the words of images in the buffer of arguments, by the image's handle.
    images: FxHashMap<Value, u32>,
    /// Images and samplers in variables of functions, by the variable.
    held: FxHashMap<u32, Option<Value>>,
}

impl Lower<'_> {
    /// `true` if the entry point is a kernel.
    pub(super) fn is_kernel(&self) -> bool {
        self.module.has_kernels()
    }

    /// Workgroup size and workgroup memory of the launch.
    pub(super) fn launch_modes(&mut self, entry: &EntryPoint) {
        let required = [spirv::ExecutionMode::LocalSize, spirv::ExecutionMode::LocalSizeId];
        let Launched { local, shared, whole } = Launched::of(&self.types);
        // In a part of a launch, workgroups may be smaller than the kernel requires.
        let required = whole.is_none() && entry.modes.iter().any(|m| required.contains(&m.0));
        if let Some(local) = local.filter(|_| !required) {
            self.shader.local_size = local;
        }
        self.shader.shared_size = shared;
        self.kernel.whole = whole;
    }

    /// `true` if this is a part of a launch of a kernel, with workgroups of a size of its own.
    pub(super) fn is_part(&self) -> bool {
        self.kernel.whole.is_some()
    }

    /// The arguments of an entry point, which has some only if it is a kernel.
    pub(super) fn arguments(&mut self, function: u32) -> Result<Vec<Val>> {
        if !self.is_kernel() {
            return Ok(Vec::new());
        }
        let m = self.module;
        let (arguments, size) = kernel::arguments(&mut self.types, function)?;
        if self.shader.shared_size > super::resource::MAX_SHARED {
            let most = super::resource::MAX_SHARED;
            return Err(Error::Limit(format!("workgroup memory, at most {most} bytes")));
        }
        self.find_plain(function)?;
        self.kernel.n_arguments = arguments.len();
        let binding = self.argument_binding(size);
        let handle = self.handle(Op::BufferDescriptor, Some(binding), 0);
        self.kernel.arguments = Some(handle);
        let mut out = Vec::new();
        for (index, (argument, &(id, ty))) in arguments.iter().zip(&m.function(function)?.params).enumerate()
        {
            out.push(match (&argument.kind, m.ty(ty)?) {
                (ArgumentKind::Image(image), _) => self.image_argument(index, argument, image.kind)?,
                (ArgumentKind::Sampler, _) => self.image_argument(index, argument, ResourceKind::Sampler)?,
                (ArgumentKind::Buffer, &Type::Address { pointee, .. }) => {
                    let address = self.start(argument.offset);
                    Val::Place(Place::new(Root::Address(address), pointee))
                }
                (ArgumentKind::Workgroup, _) => {
                    Val::Scalars(smallvec![self.argument(argument.offset, Ty::I64)])
                }
                (ArgumentKind::Value(_), &Type::Address { pointee, .. }) => {
                    // The kernel may write to its copy.
                    let value = self.argument_value(handle, binding, argument.offset, pointee)?;
                    let place = self.private_place(pointee, m.name(id))?;
                    self.store(&place, &value)?;
                    Val::Place(place)
                }
                (ArgumentKind::Value(_) | ArgumentKind::Buffer, _) => {
                    Val::Scalars(self.argument_value(handle, binding, argument.offset, ty)?)
                }
            });
        }
        Ok(out)
    }

    /// Adds the binding of the buffer of arguments.
    fn argument_binding(&mut self, size: u32) -> u32 {
        self.kernel_binding(kernel::ARGUMENT_BINDING, ResourceKind::UniformBuffer, "arguments", size)
    }

    /// The binding with this number; adds it on first use.
    fn kernel_binding(&mut self, binding: u32, kind: ResourceKind, name: &str, size: u32) -> u32 {
        let (set, name) = (kernel::ARGUMENT_SET, name.to_owned());
        let next = self.shader.bindings.len();
        let at = *self.io.bindings.entry((set, binding, kind)).or_insert(next);
        if at == next {
            let binding = crate::ir::Binding { set, binding, kind, count: 1, name, size, written: false };
            self.shader.bindings.push(binding);
        }
        at as u32
    }

    fn argument_value(&mut self, handle: Value, binding: u32, offset: u32, ty: u32) -> Result<Scalars> {
        let mut place = Place::new(Root::Buffer { handle, owner: Owner::Binding(binding) }, ty);
        place.offset = offset;
        // The members of an argument may be packed.
        self.said_aligned = 1;
        let scalars = self.load(&place);
        self.said_aligned = 0;
        scalars
    }

    /// A scalar of the buffer of arguments, loaded at the start of the shader.
    fn argument(&mut self, offset: u32, ty: Ty) -> Value {
        let Some(handle) = self.kernel.arguments else { return self.constant(ty, 0) };
        let zero = self.i32(0);
        let mem = Mem { offset, stride: ty.bytes(), ordered: false };
        self.emit_first(Op::LoadBuffer, &[handle, zero], Imm::Mem(mem), &[ty])[0]
    }

    /// The place of a variable of the module.
    pub(super) fn kernel_global(&mut self, def: &Inst, class: StorageClass, pointee: u32) -> Result<Place> {
        match class {
            StorageClass::Input => self.kernel_input(def, pointee),
            StorageClass::Workgroup => {
                let (base, units) = self.workgroup(def, pointee)?;
                let mut place = Place::new(Root::Shared(units), pointee);
                place.offset = base;
                Ok(place)
            }
            StorageClass::UniformConstant if *self.module.ty(pointee)? == Type::Sampler => {
                self.sampler_variable(def, pointee)
            }
            StorageClass::UniformConstant | StorageClass::CrossWorkgroup | StorageClass::Function => {
                let offset = self.data_offset(def)?;
                let address = self.data_address();
                let mut place = Place::new(Root::Address(address), pointee);
                place.offset = offset;
                Ok(place)
            }
            other => Err(self.module.unsupported(def, format!("storage class {other:?} in a kernel"))),
        }
    }

    /// Address of the buffer of the module's variables.
    fn data_address(&mut self) -> Value {
        if let Some(address) = self.kernel.data {
            return address;
        }
        let address = self.start(kernel::DATA_AT);
        *self.kernel.data.insert(address)
    }

    /// An address in the buffer of arguments at which a buffer begins. The operation changes nothing; it shows passes that
    /// no offset from this address is negative.
    fn start(&mut self, offset: u32) -> Value {
        let address = self.argument(offset, Ty::I64);
        let number = self.constant(Ty::I64, !crate::abi::INSIDE);
        let start = self.emit_first(Op::And, &[address, number], Imm::None, &[Ty::I64])[0];
        self.kernel.starts.insert(start);
        start
    }

    /// Replaces the scalars of a constant that are addresses of the module's variables; `bits` are those of the constant.
    pub(super) fn relocate(&mut self, ty: u32, bits: &[u64], scalars: &mut Scalars) -> Result<()> {
        if !bits.iter().any(|&bits| bits >= DATA_BASE) {
            return Ok(());
        }
        let pointers = kernel::pointers(&mut self.types, ty)?;
        for ((&bits, pointer), v) in bits.iter().zip(pointers).zip(scalars) {
            if pointer && bits >= DATA_BASE {
                let address = self.data_address();
                let offset = self.constant(Ty::I64, bits - DATA_BASE);
                *v = self.emit_first(Op::IAdd, &[address, offset], Imm::None, &[Ty::I64])[0];
            }
        }
        Ok(())
    }

    fn data_offset(&mut self, def: &Inst) -> Result<u32> {
        let found = self.types.data_offsets()?.get(&def.id).copied();
        found.ok_or_else(|| self.module.invalid(def, "images of kernels are arguments"))
    }

    /// An input: a private variable that holds the built-in.
    fn kernel_input(&mut self, def: &Inst, pointee: u32) -> Result<Place> {
        let number = self.module.deco(def.id, spirv::Decoration::BuiltIn);
        let number =
            number.ok_or_else(|| self.module.invalid(def, "input of a kernel that is not a built-in"))?;
        let mut tys = Vec::new();
        self.types.leaf_types(pointee, &mut tys)?;
        let var = self.new_var(tys.clone(), self.module.name(def.id));
        for (i, &ty) in tys.iter().enumerate() {
            let value = self.kernel_built_in(number, i as u32)?;
            if !ty.is_int() {
                return Err(self.module.invalid(def, "built-in of a kernel that is not an integer"));
            }
            let from = self.ty(value);
            let value = match from == ty {
                true => value,
                false => self.emit_first(Op::UConvert, &[value], Imm::None, &[ty])[0],
            };
            self.emit_first(Op::VarSet, &[value], Imm::Var { var, elem: i as u32 }, &[]);
        }
        Ok(Place::new(Root::Var(var), pointee))
    }

    /// A component of a built-in variable of kernels, at the start of the shader.
    fn kernel_built_in(&mut self, number: u32, i: u32) -> Result<Value> {
        let known = tables::KERNEL_BUILT_INS.iter().find(|row| row.0 as u32 == number).map(|row| row.1);
        let most =
            if matches!(known, Some(KernelBuiltIn::WorkDim | KernelBuiltIn::GlobalLinearId)) { 1 } else { 3 };
        if i >= most {
            return Err(Error::invalid("built-in with too many components"));
        }
        Ok(match known {
            None => {
                let b = tables::builtin(number)?;
                let (_, n) = b.shape();
                let compute = b >= BuiltIn::NumWorkgroups && b <= BuiltIn::LocalInvocationIndex;
                if !compute && b < BuiltIn::SubgroupSize || i >= n {
                    return Err(Error::invalid(format!("built-in {b:?} is not an input of kernels")));
                }
                let v = self.launch_built_in(b, i);
                match b {
                    BuiltIn::GlobalInvocationId => self.past_offset(v, i),
                    _ => v,
                }
            }
            Some(KernelBuiltIn::GlobalSize) => self.global_size(i),
            Some(KernelBuiltIn::GlobalOffset) => self.argument(kernel::GLOBAL_OFFSET_AT + 4 * i, Ty::I32),
            Some(KernelBuiltIn::WorkDim) => self.argument(kernel::WORK_DIM_AT, Ty::I32),
            Some(KernelBuiltIn::WorkgroupSize) => self.i32(self.shader.local_size[i as usize]),
            Some(KernelBuiltIn::SubgroupMaxSize) => self.first_built_in(BuiltIn::SubgroupSize, 0),
            Some(KernelBuiltIn::WholeWorkgroupSize) => {
                let whole = self.kernel.whole.unwrap_or(self.shader.local_size);
                self.i32(whole[i as usize])
            }
            Some(KernelBuiltIn::NumSubgroups) => match self.kernel.whole {
                None => self.first_built_in(BuiltIn::NumSubgroups, 0),
                Some(whole) => {
                    let size = self.first_built_in(BuiltIn::SubgroupSize, 0);
                    let all = self.i32(whole.iter().product());
                    let minus = self.i32(u32::MAX);
                    let mut each = |op, a, b| self.emit_first(op, &[a, b], Imm::None, &[Ty::I32])[0];
                    let rest = each(Op::IAdd, size, minus);
                    let up = each(Op::IAdd, all, rest);
                    each(Op::UDiv, up, size)
                }
            },
            Some(KernelBuiltIn::GlobalLinearId) => {
                let [x, y, z] = [0, 1, 2].map(|c| self.launch_built_in(BuiltIn::GlobalInvocationId, c));
                let (width, height) = (self.global_size(0), self.global_size(1));
                let mut wide = |v| self.emit_first(Op::UConvert, &[v], Imm::None, &[Ty::I64])[0];
                let [x, y, z, width, height] = [x, y, z, width, height].map(&mut wide);
                let mut each = |op, a, b| self.emit_first(op, &[a, b], Imm::None, &[Ty::I64])[0];
                let rows = each(Op::IMul, z, height);
                let rows = each(Op::IAdd, rows, y);
                let before = each(Op::IMul, rows, width);
                each(Op::IAdd, before, x)
            }
        })
    }

    fn first_built_in(&mut self, b: BuiltIn, i: u32) -> Value {
        self.shader.observes_subgroup |= b >= BuiltIn::SubgroupSize;
        self.emit_first(Op::BuiltIn, &[], Imm::BuiltIn(b, i), &[b.shape().0])[0]
    }

    /// A component of a built-in, as the whole launch counts it, but without the global offset.
    pub(super) fn launch_built_in(&mut self, b: BuiltIn, i: u32) -> Value {
        match (self.kernel.whole, b) {
            (Some(_), BuiltIn::NumWorkgroups) => self.argument(kernel::WORKGROUPS_AT + 4 * i, Ty::I32),
            (Some(_), BuiltIn::GlobalInvocationId) => {
                let id = self.first_built_in(b, i);
                let skipped = self.argument(kernel::SKIPPED_AT + 4 * i, Ty::I32);
                self.emit_first(Op::IAdd, &[id, skipped], Imm::None, &[Ty::I32])[0]
            }
            _ => self.first_built_in(b, i),
        }
    }

    fn global_size(&mut self, i: u32) -> Value {
        if self.kernel.whole.is_some() {
            return self.argument(kernel::GLOBAL_SIZE_AT + 4 * i, Ty::I32);
        }
        let groups = self.first_built_in(BuiltIn::NumWorkgroups, i);
        let local = self.i32(self.shader.local_size[i as usize]);
        self.emit_first(Op::IMul, &[groups, local], Imm::None, &[Ty::I32])[0]
    }

    fn past_offset(&mut self, id: Value, i: u32) -> Value {
        let offset = self.argument(kernel::GLOBAL_OFFSET_AT + 4 * i, Ty::I32);
        self.emit_first(Op::IAdd, &[id, offset], Imm::None, &[Ty::I32])[0]
    }

    /// Size of a type in the memory of kernels, as the distance between the elements of an array.
    pub(super) fn kernel_stride(&mut self, ty: u32) -> Result<u32> {
        let (size, align) = self.types.natural(ty)?;
        Ok(size.next_multiple_of(align.max(1)).max(1))
    }

    /// A place in private memory for a value of a type.
    fn private_place(&mut self, ty: u32, name: &str) -> Result<Place> {
        let (size, align) = self.types.natural(ty)?;
        let offset = self.private_room(size, align, name)?;
        let mut place = Place::new(Root::Private, ty);
        place.offset = offset;
        Ok(place)
    }

    /// The callee's copy of an argument that is passed by value through a pointer.
    pub(super) fn copied_argument(&mut self, id: u32, param: (u32, u32)) -> Result<Val> {
        let Type::Address { pointee, .. } = *self.module.ty(param.1)? else {
            return Err(Error::invalid(format!("parameter %{} by value is not a pointer", param.0)));
        };
        let from = self.place(id)?;
        let to = self.private_place(pointee, self.module.name(param.0))?;
        let (size, _) = self.types.natural(pointee)?;
        self.copy_bytes(&to, &from, size)?;
        Ok(Val::Place(to))
    }

    /// The place of a variable of a function, if it needs memory.
    pub(super) fn kernel_variable(&mut self, inst: &Inst, pointee: u32) -> Result<Option<Place>> {
        if self.kernel.plain.contains(&inst.id) {
            return Ok(None);
        }
        let place = self.private_place(pointee, self.module.name(inst.id))?;
        let (bytes, _) = self.types.natural(pointee)?;
        self.note_alone(Note::Private { offset: place.offset, bytes, access: PrivateAccess::Fresh });
        Ok(Some(place))
    }
}

/// Layout of places in the memory of kernels.
pub(super) const UNITS: Units = Units::Natural;
