//! Runs kernels: entry points of SPIR-V modules for OpenCL.
//!
//! A [`Kernel`] has arguments by number: buffers, values, and workgroup memory by size. A launch states the number of
//! invocations, not of workgroups.
//!
//! ```
//! use quadrille::apps::kernel::{Kernel, KernelDesc, Range};
//! use quadrille::frontend::{self, Language, Options, Stage};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "
//!     OpCapability Kernel
//!     OpCapability Addresses
//!     OpCapability Int64
//!     OpMemoryModel Physical64 OpenCL
//!     OpEntryPoint Kernel %double \"double\" %id
//!     OpDecorate %id BuiltIn GlobalInvocationId
//!     %void = OpTypeVoid
//!     %u64 = OpTypeInt 64 0
//!     %v3 = OpTypeVector %u64 3
//!     %in = OpTypePointer Input %v3
//!     %f32 = OpTypeFloat 32
//!     %ptr = OpTypePointer CrossWorkgroup %f32
//!     %fn = OpTypeFunction %void %ptr
//!     %id = OpVariable %in Input
//!     %double = OpFunction %void None %fn
//!     %a = OpFunctionParameter %ptr
//!     %entry = OpLabel
//!     %ids = OpLoad %v3 %id
//!     %i = OpCompositeExtract %u64 %ids 0
//!     %p = OpInBoundsPtrAccessChain %ptr %a %i
//!     %x = OpLoad %f32 %p Aligned 4
//!     %y = OpFAdd %f32 %x %x
//!     OpStore %p %y Aligned 4
//!     OpReturn
//!     OpFunctionEnd";
//! let words = frontend::compile(text.as_bytes(), Language::Spirv, Stage::Compute, &Options::named("double.spvasm"))?;
//! let device = quadrille::Device::new(quadrille::DeviceOptions::default())?;
//! let mut kernel = Kernel::new(&device, &KernelDesc { words: &words, ..KernelDesc::default() })?;
//! kernel.set_buffer(0, &[1.0f32, 2.0, 3.0])?;
//! kernel.launch(&Range { global: [3, 1, 1], ..Range::default() })?;
//! assert_eq!(kernel.read::<f32>(0)?, [2.0, 4.0, 6.0]);
//! # Ok(())
//! # }
//! ```

use bytemuck::Pod;
use quadrille_jit::ir::{self, Stage};
use quadrille_jit::spirv::kernel::{
    self, DATA_AT, GLOBAL_OFFSET_AT, GLOBAL_SIZE_AT, SHARED_BASE, SKIPPED_AT, WORK_DIM_AT, WORKGROUPS_AT,
};

pub use quadrille_check::events::Limit;
pub use quadrille_jit::ir::Ty;
pub use quadrille_jit::spirv::kernel::{Argument, ArgumentKind};

use super::binding::Interface;
use crate::data::list::{self, Type};
use crate::{
    BindPoint, Buffer, BufferDesc, BufferUsage, ComputePipeline, ComputePipelineDesc, Device, Error, Fence,
    Resource, Result, ShaderModule, ShaderStage, Submit,
};

/// Largest workgroup that is chosen if neither the launch nor the kernel states a size.
const CHOSEN_LOCAL: u32 = 64;

/// Parameters for creating a [`Kernel`].
#[derive(Clone, Debug, Default)]
pub struct KernelDesc<'a> {
    /// SPIR-V words.
    pub words: &'a [u32],
    /// Entry point; `None` selects the only kernel.
    pub entry: Option<&'a str>,
    /// Specialization constants as text, by id; see [`super::parse_specialization`].
    pub specialization: &'a [(u32, &'a str)],
}

/// The invocations of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Number of invocations in each dimension.
    pub global: [u32; 3],
    /// Size of a workgroup; the last ones are smaller if it does not divide the number of invocations. `None` leaves it
    /// to the kernel, or to the device.
    pub local: Option<[u32; 3]>,
    /// Global id of the first invocation.
    pub offset: [u32; 3],
    /// Number of dimensions that the kernel sees.
    pub dimensions: u32,
}

impl Default for Range {
    fn default() -> Self {
        Range { global: [1; 3], local: None, offset: [0; 3], dimensions: 1 }
    }
}

/// An argument that is set.
#[derive(Clone, Debug)]
enum Set {
    Buffer(Buffer, usize),
    Null,
    Value(Vec<u8>),
    /// Bytes of workgroup memory.
    Local(u32),
}

/// A kernel with its arguments. See the [module](self).
pub struct Kernel {
    device: Device,
    module: ShaderModule,
    entry: String,
    spec: Vec<(u32, u64)>,
    interface: kernel::Kernel,
    set: Vec<Option<Set>>,
    /// The variables of the module.
    data: Option<Buffer>,
    /// Pipelines of the last launches.
    pipelines: Vec<(Form, ComputePipeline)>,
    /// Resources that the last launch uses besides the arguments, for each part.
    held: Vec<(Interface, Buffer)>,
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kernel({})", self.entry)
    }
}

impl Kernel {
    /// Reads the kernel's interface. Compilation is left to the launch, which states the size of a workgroup.
    ///
    /// # Errors
    /// Those of modules; `Invalid` if there is no such kernel; `Unsupported` for arguments of types that Quadrille has
    /// not.
    pub fn new(device: &Device, desc: &KernelDesc<'_>) -> Result<Kernel> {
        let module = device.create_shader_module(desc.words)?;
        let spec = super::parse_specialization(module.module(), desc.specialization)?;
        let entry = match desc.entry {
            Some(name) => name,
            None => module.only_entry(Stage::Compute)?,
        };
        let entry = entry.to_owned();
        let interface = module.module().kernel(&entry, &spec)?;
        let data = match interface.data.is_empty() {
            true => None,
            false => Some(data_buffer(device, &interface)?),
        };
        let set = vec![None; interface.arguments.len()];
        Ok(Kernel {
            device: device.clone(),
            module,
            entry,
            spec,
            interface,
            set,
            data,
            pipelines: Vec::new(),
            held: Vec::new(),
        })
    }

    /// The arguments, in order.
    pub fn arguments(&self) -> &[Argument] {
        &self.interface.arguments
    }

    /// Workgroup size that the kernel requires.
    pub fn required_local(&self) -> Option<[u32; 3]> {
        self.interface.local_size
    }

    fn argument(&self, index: usize) -> Result<&Argument> {
        let n = self.interface.arguments.len();
        self.interface.arguments.get(index).ok_or_else(|| {
            Error::invalid(format!("argument {index} of kernel '{}', which has {n}", self.entry))
        })
    }

    fn need(&self, index: usize, fits: bool, given: &str) -> Result<()> {
        let argument = self.argument(index)?;
        if fits {
            return Ok(());
        }
        let is = match &argument.kind {
            ArgumentKind::Buffer => "a buffer".to_owned(),
            ArgumentKind::Workgroup => "workgroup memory, by its size".to_owned(),
            ArgumentKind::Value(_) => format!("a value of {} bytes", argument.size),
        };
        let name = &argument.name;
        Err(Error::invalid(format!("{given} for argument {index} '{name}', which is {is}")))
    }

    /// Creates a buffer with these contents and makes it an argument.
    ///
    /// # Errors
    /// `Invalid` if the argument is not a buffer; those of buffers.
    pub fn set_buffer<T: Pod>(&mut self, index: usize, contents: &[T]) -> Result<()> {
        self.need(index, self.argument(index)?.kind == ArgumentKind::Buffer, "a buffer")?;
        let bytes: &[u8] = bytemuck::cast_slice(contents);
        let buffer = buffer_with(&self.device, bytes)?;
        self.set[index] = Some(Set::Buffer(buffer, bytes.len()));
        Ok(())
    }

    /// Creates a buffer to which nothing has been written, and makes it an argument. It reads as zeros, but checks report
    /// reads whose values surface.
    ///
    /// # Errors
    /// `Invalid` if the argument is not a buffer; those of buffers.
    pub fn set_unwritten(&mut self, index: usize, bytes: usize) -> Result<()> {
        self.need(index, self.argument(index)?.kind == ArgumentKind::Buffer, "a buffer")?;
        let buffer = buffer_of(&self.device, bytes)?;
        self.set[index] = Some(Set::Buffer(buffer, bytes));
        Ok(())
    }

    /// Says that the kernel may only read, or only write, the buffer that is an argument: checks report other accesses.
    /// It changes no result. Spec: OpenCL API, cl_mem_flags.
    ///
    /// # Errors
    /// `Invalid` if the argument is not a buffer that is set.
    pub fn limit_access(&mut self, index: usize, limit: Limit) -> Result<()> {
        self.argument(index)?;
        match &self.set[index] {
            Some(Set::Buffer(buffer, _)) => buffer.limit_access(limit),
            _ => return Err(Error::invalid(format!("argument {index} is not a buffer that is set"))),
        }
        Ok(())
    }

    /// Makes an existing buffer with the usage `SHADER_DEVICE_ADDRESS` an argument.
    ///
    /// # Errors
    /// `Invalid` if the argument is not a buffer, or if the buffer has no address.
    pub fn set_shared_buffer(&mut self, index: usize, buffer: &Buffer) -> Result<()> {
        self.need(index, self.argument(index)?.kind == ArgumentKind::Buffer, "a buffer")?;
        buffer.device_address()?;
        self.set[index] = Some(Set::Buffer(buffer.clone(), buffer.size() as usize));
        Ok(())
    }

    /// Makes a buffer argument a null pointer.
    ///
    /// # Errors
    /// `Invalid` if the argument is not a buffer.
    pub fn set_null(&mut self, index: usize) -> Result<()> {
        self.need(index, self.argument(index)?.kind == ArgumentKind::Buffer, "a null pointer")?;
        self.set[index] = Some(Set::Null);
        Ok(())
    }

    /// Sets a value: a scalar, vector or structure in its memory layout.
    ///
    /// # Errors
    /// `Invalid` if the argument is not a value of this size.
    pub fn set_value(&mut self, index: usize, bytes: &[u8]) -> Result<()> {
        let argument = self.argument(index)?;
        let fits = matches!(argument.kind, ArgumentKind::Value(_)) && argument.size as usize == bytes.len();
        self.need(index, fits, &format!("{} bytes", bytes.len()))?;
        self.set[index] = Some(Set::Value(bytes.to_vec()));
        Ok(())
    }

    /// Sets the size of an argument in workgroup memory.
    ///
    /// # Errors
    /// `Invalid` if the argument is not workgroup memory.
    pub fn set_local(&mut self, index: usize, bytes: u32) -> Result<()> {
        self.need(index, self.argument(index)?.kind == ArgumentKind::Workgroup, "workgroup memory")?;
        self.set[index] = Some(Set::Local(bytes));
        Ok(())
    }

    /// Sets an argument from text: `TYPE:VALUES`, `zeros:BYTES`, `undef:BYTES`, `null` or a file for a buffer, after `ro:` or
    /// `wo:` if the kernel may only read or only write it; one number for each scalar or `TYPE:VALUES` for a value;
    /// `local:BYTES` for workgroup memory. `read` reads a file.
    ///
    /// # Errors
    /// A message about the text, or an error of `read`.
    pub fn set_text(
        &mut self,
        index: usize,
        text: &str,
        read: &mut dyn FnMut(&str) -> std::result::Result<Vec<u8>, String>,
    ) -> std::result::Result<(), String> {
        let argument = self.argument(index).map_err(|e| e.to_string())?;
        let done = match &argument.kind {
            ArgumentKind::Workgroup => {
                let bytes = text.strip_prefix("local:").and_then(|n| n.trim().parse().ok());
                let bytes =
                    bytes.ok_or("the kernel has workgroup memory there: local:BYTES gives its size")?;
                self.set_local(index, bytes)
            }
            ArgumentKind::Buffer if text.starts_with("ro:") || text.starts_with("wo:") => {
                self.set_text(index, &text[3..], read)?;
                let limit = if text.starts_with("ro:") { Limit::ReadOnly } else { Limit::WriteOnly };
                self.limit_access(index, limit)
            }
            ArgumentKind::Buffer if text == "null" => self.set_null(index),
            ArgumentKind::Buffer if text.starts_with("undef:") => {
                self.set_unwritten(index, list::bytes(text, "undef:")?)
            }
            ArgumentKind::Buffer if list::is_list(text) => self.set_buffer(index, &list::encode(text)?),
            ArgumentKind::Buffer => self.set_buffer(index, &read(text)?),
            ArgumentKind::Value(_) if text.contains(':') => self.set_value(index, &list::encode(text)?),
            ArgumentKind::Value(scalars) => {
                let bytes = value(text, scalars, argument.size)?;
                self.set_value(index, &bytes)
            }
        };
        done.map_err(|e| e.to_string())
    }

    /// Arguments that are not set, by number.
    pub fn unset(&self) -> impl Iterator<Item = usize> {
        self.set.iter().enumerate().filter(|(_, set)| set.is_none()).map(|(index, _)| index)
    }

    /// Reads a buffer.
    ///
    /// # Errors
    /// `Invalid` if the argument is not a buffer that is set, or if its size is not a multiple of the size of `T`.
    pub fn read<T: Pod>(&self, index: usize) -> Result<Vec<T>> {
        self.argument(index)?;
        match &self.set[index] {
            Some(Set::Buffer(buffer, bytes)) if bytes.is_multiple_of(size_of::<T>().max(1)) => {
                buffer.read(0, bytes / size_of::<T>().max(1))
            }
            Some(Set::Buffer(_, bytes)) => {
                Err(Error::invalid(format!("{bytes} bytes are not a whole number of elements")))
            }
            _ => Err(Error::invalid(format!("argument {index} is not a buffer that is set"))),
        }
    }

    /// The size of a workgroup for a launch.
    fn local(&self, range: &Range) -> Result<[u32; 3]> {
        let local = match (range.local, self.interface.local_size) {
            (Some(given), Some(required)) if given != required => {
                let what = format!("workgroups of {given:?} for a kernel that requires {required:?}");
                return Err(Error::invalid(what));
            }
            (Some(given), _) => given,
            (None, Some(required)) => required,
            (None, None) => {
                let divides =
                    |hint: &[u32; 3]| (0..3).all(|c| hint[c] > 0 && range.global[c].is_multiple_of(hint[c]));
                let hint = self.interface.local_size_hint.filter(divides);
                let x = (1..=CHOSEN_LOCAL).rev().find(|&n| range.global[0].is_multiple_of(n)).unwrap_or(1);
                hint.unwrap_or([x, 1, 1])
            }
        };
        match local.contains(&0) {
            true => Err(Error::invalid(format!("workgroups of {local:?}"))),
            false => Ok(local),
        }
    }

    /// The contents of the buffer of arguments, and the bytes of workgroup memory that are arguments.
    fn block(&self, range: &Range, local: [u32; 3]) -> Result<(Vec<u8>, u32)> {
        let mut block = vec![0; self.interface.size as usize];
        let mut put = |at: u32, bytes: &[u8]| {
            let at = at as usize;
            block[at..at + bytes.len()].copy_from_slice(bytes);
        };
        for (c, at) in (0..3).zip([0, 4, 8]) {
            put(GLOBAL_OFFSET_AT + at, &range.offset[c].to_le_bytes());
            put(GLOBAL_SIZE_AT + at, &range.global[c].to_le_bytes());
            put(WORKGROUPS_AT + at, &range.global[c].div_ceil(local[c]).to_le_bytes());
        }
        put(WORK_DIM_AT, &range.dimensions.to_le_bytes());
        if let Some(data) = &self.data {
            put(DATA_AT, &data.device_address()?.to_le_bytes());
        }
        let mut shared = 0u32;
        for (index, argument) in self.interface.arguments.iter().enumerate() {
            match &self.set[index] {
                None => {
                    let name = &argument.name;
                    return Err(Error::invalid(format!("argument {index} '{name}' is not set")));
                }
                Some(Set::Buffer(buffer, _)) => put(argument.offset, &buffer.device_address()?.to_le_bytes()),
                Some(Set::Null) => put(argument.offset, &[0; 8]),
                Some(Set::Value(bytes)) => put(argument.offset, bytes),
                Some(Set::Local(bytes)) => {
                    put(argument.offset, &(SHARED_BASE + u64::from(shared)).to_le_bytes());
                    let end = shared.checked_add(*bytes).and_then(|end| end.checked_next_multiple_of(128));
                    shared = end.ok_or_else(|| Error::Limit("workgroup memory of the arguments".into()))?;
                }
            }
        }
        Ok((block, shared))
    }

    /// The pipeline of a part of a launch.
    fn pipeline(&mut self, form: Form) -> Result<(ComputePipeline, Interface, Vec<ir::Binding>)> {
        let device = self.device.clone();
        let mut spec = self.spec.clone();
        spec.extend(kernel::launch_constants(form.local, form.shared, form.whole));
        let stage = ShaderStage { spec, ..ShaderStage::new(&self.module, &self.entry) };
        let shader = device.reflect(&stage, Stage::Compute)?;
        let interface = Interface::new(&device, &shader)?;
        let known = self.pipelines.iter().find(|(known, _)| *known == form);
        let pipeline = match known {
            Some((_, pipeline)) => pipeline.clone(),
            None => {
                let layout = interface.layout.clone();
                let made = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout })?;
                if self.pipelines.len() >= MOST_PARTS {
                    self.pipelines.clear();
                }
                self.pipelines.push((form, made.clone()));
                made
            }
        };
        Ok((pipeline, interface, shader.bindings.clone()))
    }

    /// Runs the kernel, and waits until it has finished. If workgroups do not divide the invocations, the last ones in a
    /// dimension are smaller. Spec: OpenCL API, clEnqueueNDRangeKernel.
    ///
    /// # Errors
    /// `Invalid` if an argument is not set or a workgroup has no invocations; those of modules, pipelines and the device.
    pub fn launch(&mut self, range: &Range) -> Result<()> {
        self.submit(range)?.wait(None).map(|_| ())
    }

    /// Submits what [`Kernel::launch`] runs; the fence is signaled when it has finished. Until then the caller must
    /// neither launch the kernel again nor modify its buffers.
    ///
    /// # Errors
    /// Those of [`Kernel::launch`].
    pub fn submit(&mut self, range: &Range) -> Result<Fence> {
        let local = self.local(range)?;
        let (mut block, shared) = self.block(range, local)?;
        if range.global.contains(&0) {
            return Ok(self.device.create_fence(true));
        }
        let device = self.device.clone();
        let mut commands = device.create_command_buffer();
        let mut held = Vec::new();
        let even = (0..3).all(|c| range.global[c].is_multiple_of(local[c]));
        for part in parts(range.global, local) {
            let form = Form { local: part.local, shared, whole: (!even).then_some(local) };
            let (pipeline, interface, bindings) = self.pipeline(form)?;
            for (c, at) in (0..3).zip([0, 4, 8]) {
                let skipped = part.before[c] * (local[c] - part.local[c]);
                block[(SKIPPED_AT + at) as usize..][..4].copy_from_slice(&skipped.to_le_bytes());
            }
            let arguments = device.create_buffer_with(&block, BufferUsage::UNIFORM)?;
            for binding in &bindings {
                interface.write(binding, Resource::Buffer { buffer: &arguments, offset: 0, range: None })?;
            }
            commands.bind_compute_pipeline(&pipeline);
            interface.bind(&mut commands, BindPoint::Compute);
            commands.dispatch_base(part.before, part.groups);
            held.push((interface, arguments));
        }
        commands.end()?;
        self.held = held;
        let fence = device.create_fence(false);
        device.queue().submit(&[Submit { commands: &[&commands], ..Submit::default() }], Some(&fence))?;
        Ok(fence)
    }
}

/// Properties of a launch that its code depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    local: [u32; 3],
    /// Bytes of workgroup memory that are arguments.
    shared: u32,
    /// For a part of a launch: the size of workgroups that are not smaller than others.
    whole: Option<[u32; 3]>,
}

/// Workgroups of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    local: [u32; 3],
    /// Number of workgroups before these in each dimension.
    before: [u32; 3],
    groups: [u32; 3],
}

/// Most parts of a launch: in each dimension, workgroups have one of two sizes.
const MOST_PARTS: usize = 8;

/// The parts of a launch; all numbers are positive.
fn parts(global: [u32; 3], local: [u32; 3]) -> Vec<Part> {
    let mut all = vec![Part { local, before: [0; 3], groups: [0; 3] }];
    for c in 0..3 {
        let (whole, rest) = (global[c] / local[c], global[c] % local[c]);
        let last = all.iter().filter(|_| rest > 0).map(|part| {
            let mut part = *part;
            (part.local[c], part.before[c], part.groups[c]) = (rest, whole, 1);
            part
        });
        let last: Vec<Part> = last.collect();
        all.retain(|_| whole > 0);
        all.iter_mut().for_each(|part| part.groups[c] = whole);
        all.extend(last);
    }
    all
}

/// A value in its memory layout, from one number for each scalar.
fn value(text: &str, scalars: &[(u32, Ty)], size: u32) -> std::result::Result<Vec<u8>, String> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    if words.len() != scalars.len() {
        return Err(format!("{} values for {} scalars", words.len(), scalars.len()));
    }
    let mut bytes = vec![0; size as usize];
    for (&(at, ty), word) in scalars.iter().zip(words) {
        let n = ty.bytes() as usize;
        let encoded = match ty.is_float() {
            true => Type::Float(n).encode_one(word)?,
            // Signedness is not part of the types of kernels.
            false => Type::Int(n).encode_one(word).or_else(|_| Type::Uint(n).encode_one(word))?,
        };
        bytes[at as usize..at as usize + n].copy_from_slice(&encoded);
    }
    Ok(bytes)
}

/// The buffer of the module's variables, of which some hold addresses of others.
fn data_buffer(device: &Device, interface: &kernel::Kernel) -> Result<Buffer> {
    let mut contents = interface.data.clone();
    let buffer = buffer_of(device, contents.len())?;
    let address = buffer.device_address()?;
    for &at in &interface.addresses {
        if let Some(word) = contents[at as usize..].first_chunk_mut::<8>() {
            *word = address.wrapping_add(u64::from_le_bytes(*word)).to_le_bytes();
        }
    }
    buffer.write(0, &contents)?;
    Ok(buffer)
}

/// A buffer of `bytes` unwritten bytes that kernels reach through its address.
fn buffer_of(device: &Device, bytes: usize) -> Result<Buffer> {
    // Buffers consist of whole words, and an empty list also needs a buffer.
    let size = (bytes as u64).next_multiple_of(4).max(4);
    let usage = BufferUsage::STORAGE | BufferUsage::SHADER_DEVICE_ADDRESS;
    device.create_bound_buffer(BufferDesc { size, usage })
}

/// A buffer that kernels reach through its address.
fn buffer_with(device: &Device, contents: &[u8]) -> Result<Buffer> {
    let buffer = buffer_of(device, contents.len())?;
    buffer.write(0, contents)?;
    Ok(buffer)
}
