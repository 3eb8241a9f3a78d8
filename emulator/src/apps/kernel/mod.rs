//! Runs kernels: entry points of SPIR-V modules for OpenCL.
//!
//! A [`Kernel`] has arguments by number: buffers, values, images, samplers, and workgroup memory by size. A launch states the number of
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

pub use quadrille_jit::spirv::kernel_image::ImageArgument;

mod image;
mod parts;
mod text;

pub use image::KernelImage;

use self::parts::{Form, MOST_PARTS, parts};
use super::binding::Interface;
use crate::{
    BindPoint, Buffer, BufferDesc, BufferUsage, ComputePipeline, ComputePipelineDesc, Device, Error, Fence,
    ImageView, Resource, Result, Sampler, SamplerDesc, ShaderModule, ShaderStage, Submit, ViewDim,
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
    Image(image::Bound),
    Sampler(Sampler),
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
    /// The samplers that the module states.
    samplers: Vec<Sampler>,
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
        let literal = |literal| device.create_sampler(image::sampler(literal));
        let samplers = interface.samplers.iter().map(literal).collect::<Result<_>>()?;
        let set = vec![None; interface.arguments.len()];
        Ok(Kernel {
            device: device.clone(),
            module,
            entry,
            spec,
            interface,
            set,
            data,
            samplers,
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
            let entry = &self.entry;
            Error::invalid(format!("there is no argument {index}: kernel '{entry}' has {n}, from 0 on"))
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
            ArgumentKind::Image(image) => match image::view_dim(image) {
                Ok(dim) => format!("an image of dimensionality {dim:?}"),
                Err(_) => "an image".to_owned(),
            },
            ArgumentKind::Sampler => "a sampler".to_owned(),
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
    /// `Invalid` if the argument is not a buffer, or if the buffer has no address; `Limit` if it has more than
    /// 2^32 - 2^16 bytes.
    pub fn set_shared_buffer(&mut self, index: usize, buffer: &Buffer) -> Result<()> {
        self.need(index, self.argument(index)?.kind == ArgumentKind::Buffer, "a buffer")?;
        fits_offsets(buffer.size())?;
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

    /// Unsets all arguments, which are no longer kept alive. The last launch must have finished.
    pub fn clear(&mut self) {
        self.set.fill(None);
        self.held.clear();
    }

    fn image_argument(&self, index: usize) -> Result<ImageArgument> {
        match self.argument(index)?.kind {
            ArgumentKind::Image(image) => Ok(image),
            _ => self.need(index, false, "an image").and(Err(Error::Internal("not an image".into()))),
        }
    }

    /// Dimensionality of an image.
    ///
    /// # Errors
    /// `Invalid` if the argument is not an image.
    pub fn image_dim(&self, index: usize) -> Result<ViewDim> {
        image::view_dim(&self.image_argument(index)?)
    }

    /// Creates an image, or a buffer of texels, with these contents and makes it an argument.
    ///
    /// # Errors
    /// `Invalid` if the argument is not an image or if the texels do not fit; `Unsupported` for formats that OpenCL has
    /// not; those of images.
    pub fn set_image(&mut self, index: usize, contents: &KernelImage<'_>) -> Result<()> {
        let bound = image::create(&self.device, &self.image_argument(index)?, contents)?;
        self.set[index] = Some(Set::Image(bound));
        Ok(())
    }

    /// Makes a view of an existing image an argument.
    ///
    /// # Errors
    /// `Invalid` if the argument is not an image of this dimensionality; `Unsupported` for formats that OpenCL has not.
    pub fn set_image_view(&mut self, index: usize, view: &ImageView) -> Result<()> {
        let dim = self.image_dim(index)?;
        self.need(
            index,
            view.desc().dim == dim,
            &format!("an image of dimensionality {:?}", view.desc().dim),
        )?;
        image::words(view.desc().format, self.image_argument(index)?.depth)?;
        self.set[index] = Some(Set::Image(image::Bound::View(view.clone())));
        Ok(())
    }

    /// Creates a sampler and makes it an argument.
    ///
    /// # Errors
    /// `Invalid` if the argument is not a sampler; those of samplers.
    pub fn set_sampler(&mut self, index: usize, desc: SamplerDesc) -> Result<()> {
        self.need(index, self.argument(index)?.kind == ArgumentKind::Sampler, "a sampler")?;
        self.set[index] = Some(Set::Sampler(self.device.create_sampler(desc)?));
        Ok(())
    }

    /// Reads the first level of an image as a picture.
    ///
    /// # Errors
    /// `Invalid` if the argument is not an image of two dimensions that is set, `Unsupported` for formats that are not
    /// pictures.
    pub fn read_picture(&self, index: usize) -> Result<::image::RgbaImage> {
        self.argument(index)?;
        match &self.set[index] {
            Some(Set::Image(bound)) => bound.picture(),
            _ => Err(Error::invalid(format!("argument {index} is not an image that is set"))),
        }
    }

    /// Arguments that are not set, by number.
    pub fn unset(&self) -> impl Iterator<Item = usize> {
        self.set.iter().enumerate().filter(|(_, set)| set.is_none()).map(|(index, _)| index)
    }

    /// Reads a buffer, or the texels of an image.
    ///
    /// # Errors
    /// `Invalid` if the argument is not a buffer or an image that is set, or if its size is not a multiple of the size of `T`.
    pub fn read<T: Pod>(&self, index: usize) -> Result<Vec<T>> {
        self.argument(index)?;
        match &self.set[index] {
            _ if size_of::<T>() == 0 => Err(Error::invalid("elements of no bytes")),
            Some(Set::Buffer(buffer, bytes)) if bytes.is_multiple_of(size_of::<T>().max(1)) => {
                buffer.read(0, bytes / size_of::<T>().max(1))
            }
            Some(Set::Buffer(_, bytes)) => {
                Err(Error::invalid(format!("{bytes} bytes are not a whole number of elements")))
            }
            Some(Set::Image(bound)) => {
                let bytes = bound.read()?;
                let texels = bytes.chunks_exact(size_of::<T>().max(1)).map(bytemuck::pod_read_unaligned);
                match bytes.len().is_multiple_of(size_of::<T>().max(1)) {
                    true => Ok(texels.collect()),
                    false => Err(Error::invalid(format!(
                        "{} bytes are not a whole number of elements",
                        bytes.len()
                    ))),
                }
            }
            _ => {
                Err(Error::invalid(format!("argument {index} is neither a buffer nor an image that is set")))
            }
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
                Some(Set::Sampler(_)) => {}
                Some(Set::Image(bound)) => {
                    let depth = self.image_argument(index)?.depth;
                    let words = image::words(bound.format(), depth)?.words();
                    put(argument.offset, bytemuck::bytes_of(&words.map(u32::to_le)));
                }
                Some(Set::Local(bytes)) => {
                    put(argument.offset, &(SHARED_BASE + u64::from(shared)).to_le_bytes());
                    let end = shared.checked_add(*bytes).and_then(|end| end.checked_next_multiple_of(128));
                    shared = end.ok_or_else(|| Error::Limit("workgroup memory of the arguments".into()))?;
                }
            }
        }
        Ok((block, shared))
    }

    /// The resource at a binding.
    fn resource<'a>(&'a self, binding: &ir::Binding, arguments: &'a Buffer) -> Result<Resource<'a>> {
        if binding.binding == kernel::ARGUMENT_BINDING {
            return Ok(Resource::Buffer { buffer: arguments, offset: 0, range: None });
        }
        let found = (0..self.set.len() + self.samplers.len())
            .find(|&index| kernel::Kernel::binding(index) == binding.binding);
        let index = found.unwrap_or(usize::MAX);
        match (self.set.get(index), self.samplers.get(index.wrapping_sub(self.set.len()))) {
            (Some(Some(Set::Image(bound))), _) => Ok(bound.resource()),
            (Some(Some(Set::Sampler(sampler))), _) | (None, Some(sampler)) => Ok(Resource::Sampler(sampler)),
            _ => Err(Error::Internal(format!("nothing is set for binding {}", binding.binding))),
        }
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
                interface.write(binding, self.resource(binding, &arguments)?)?;
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

/// Kernels reach the bytes of a buffer by offsets of 32 bits.
fn fits_offsets(bytes: u64) -> Result<()> {
    match bytes <= quadrille_jit::abi::ADDRESS_REACH {
        true => Ok(()),
        false => Err(Error::Limit(format!(
            "a buffer of {bytes} bytes for a kernel, at most {}",
            quadrille_jit::abi::ADDRESS_REACH
        ))),
    }
}

/// A buffer of `bytes` unwritten bytes that kernels reach through its address.
fn buffer_of(device: &Device, bytes: usize) -> Result<Buffer> {
    fits_offsets(bytes as u64)?;
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
