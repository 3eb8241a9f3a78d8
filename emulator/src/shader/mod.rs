//! Shader modules and their compiled variants in two tiers. `pipeline::compile` creates both.
//!
//! * `limits`: limits on shaders
//! * `order`: accesses of a shader to memory that other workgroups see
//! * `wide`: fragment stages with wide and with packed lane groups
//! * `dump`: texts of shaders at each stage of compilation
//! * `weak_map`: objects by a key, while another holder keeps them alive

pub(crate) mod dump;
mod limits;
mod order;
mod weak_map;
mod wide;

pub(crate) use limits::check_limits;
pub(crate) use order::meetings;
pub(crate) use wide::Wide;

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

use quadrille_jit::abi;
use quadrille_jit::call::LaneFn;
use quadrille_jit::codegen::{self, CompileOptions, ImageOps, Listing};
use quadrille_jit::events;
use quadrille_jit::ir::{self, Stage};
use quadrille_jit::reserve::{self, Room};
use quadrille_jit::spirv::heap::Mapping;
use quadrille_jit::{CpuLevel, Tier, budget, spirv};
use quadrille_raster::{DrawState, Pace, Rivalry};

use crate::error::{Error, Result, guard};
use crate::object::{objects, shared};
use crate::observation::watching::Sampling;
use dump::Dumped;
use weak_map::WeakMap;

pub(crate) struct ModuleInner {
    /// Number that identifies the device.
    pub(crate) device: u64,
    pub(crate) number: u64,
    pub(crate) module: spirv::Module,
    /// Name of the module in dumps.
    pub(crate) name: Mutex<Option<Box<str>>>,
}

/// A parsed SPIR-V module. Clones are the same module. Spec: Vulkan, "Shader Modules".
#[derive(Clone)]
pub struct ShaderModule(pub(crate) Arc<ModuleInner>);

objects! { ShaderModule: "shader module" = |m| Some(m.0.device); }
shared!(ShaderModule);

impl std::fmt::Debug for ShaderModule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.module().entry_points().iter().map(|e| (&e.name, e.stage)).collect();
        f.debug_tuple("ShaderModule").field(&names).finish()
    }
}

impl ShaderModule {
    /// The parsed module: entry points, specialization constants, lowering.
    pub fn module(&self) -> &spirv::Module {
        &self.0.module
    }

    pub(crate) fn set_name(&self, name: &str) {
        *lock(&self.0.name) = (!name.is_empty()).then(|| name.into());
    }

    /// The module with a specialization, for texts.
    pub(crate) fn dumped<'a>(&'a self, spec: &'a [(u32, u64)]) -> Dumped<'a> {
        Dumped { words: self.module().words(), spec, name: lock(&self.0.name).clone() }
    }

    /// Returns the name of the only entry point of `stage`.
    ///
    /// # Errors
    /// `Invalid` if there is none or more than one.
    pub fn only_entry(&self, stage: Stage) -> Result<&str> {
        let found = self.module().entry_points().iter().filter(|e| e.stage == stage);
        match found.map(|e| e.name.as_str()).collect::<Vec<_>>()[..] {
            [name] => Ok(name),
            [] => {
                let all = self.module().entry_points().iter();
                let all: Vec<String> = all.map(|e| format!("{} ({:?})", e.name, e.stage)).collect();
                Err(Error::invalid(format!("no {stage:?} entry point; the module has: {}", all.join(", "))))
            }
            ref names => Err(Error::invalid(format!(
                "the module has several {stage:?} entry points: `{}`",
                names.join("`, `")
            ))),
        }
    }
}

/// A stage of a pipeline: an entry point with its specialization.
#[derive(Clone, Debug)]
pub struct ShaderStage {
    /// Module of the entry point.
    pub module: ShaderModule,
    /// Name of the entry point.
    pub entry: String,
    /// Specialization constants: SpecId and the value's bits (bool: 0 or 1).
    pub spec: Vec<(u32, u64)>,
    /// Requested subgroup size; `None` uses the device's.
    pub lanes: Option<u32>,
    /// Mapping of resource variables to descriptor heaps, in pipelines of [`PipelineLayout::of_heaps`].
    ///
    /// [`PipelineLayout::of_heaps`]: crate::PipelineLayout::of_heaps
    pub mappings: Option<Arc<[Mapping]>>,
    /// 64-bit indexing, which the shader may also request itself: offsets in buffers are sums of 64 bits.
    pub wide_indexing: bool,
}

impl ShaderStage {
    /// Returns an entry point without specialization.
    pub fn new(module: &ShaderModule, entry: impl Into<String>) -> Self {
        ShaderStage {
            module: module.clone(),
            entry: entry.into(),
            spec: Vec::new(),
            lanes: None,
            mappings: None,
            wide_indexing: false,
        }
    }

    /// Returns the only entry point of a stage.
    ///
    /// # Errors
    /// `Invalid` if there is none or more than one.
    pub fn only(module: &ShaderModule, stage: Stage) -> Result<Self> {
        Ok(ShaderStage::new(module, module.only_entry(stage)?))
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) module: u64,
    pub(crate) entry: String,
    pub(crate) stage: Stage,
    pub(crate) spec: Vec<(u32, u64)>,
    pub(crate) lanes: u32,
    pub(crate) mappings: Option<Arc<[Mapping]>>,
    pub(crate) wide_indexing: bool,
    /// Number of vertices of an output patch, if another stage declares it.
    pub(crate) output_vertices: Option<u32>,
    pub(crate) layout: Arc<abi::Layout>,
}

/// A compiled entry point. Holds both tiers; the second is swapped in when it is ready.
pub(crate) struct Variant {
    /// Keeps the module alive, so that its number is not reused.
    pub(crate) module: ShaderModule,
    pub(crate) spec: Vec<(u32, u64)>,
    pub shader: Arc<ir::Shader>,
    /// `true` if workgroups must run in order for reproducible results.
    pub needs_order: bool,
    /// Measured times with several threads, for shaders whose workgroups contend for atomics.
    pub rivalry: Option<Rivalry>,
    /// Measured time per workgroup.
    pub pace: Pace,
    pub(crate) lanes: u32,
    pub(crate) cpu: CpuLevel,
    pub(crate) check_proofs: bool,
    /// `true` if pages of buffers may be unbound.
    pub(crate) missing: bool,
    pub(crate) layout: Arc<abi::Layout>,
    pub(crate) image_ops: Arc<dyn ImageOps + Send + Sync>,
    pub(crate) compile_budget: Duration,
    pub(crate) sampling: Option<Sampling>,
    pub(crate) lane_fn: LaneFn,
    /// See [`Variant::counted`].
    pub(crate) counted: OnceLock<(u64, abi::EntryMeta)>,
    /// Wide twin of a fragment stage, if it may have one.
    pub(crate) wide: Option<Box<Wide>>,
    pub(crate) optimizer: Arc<Optimizer>,
}

/// Time spent in the first tier before the second is compiled.
pub(crate) const SECOND_TIER_AFTER: Duration = Duration::from_millis(3);

impl Variant {
    /// Returns the lane function, which switches to the second tier by itself.
    pub fn lane_fn(&self) -> &LaneFn {
        &self.lane_fn
    }

    /// Compiles the second tier, unless it exists.
    fn optimize(&self) -> Result<()> {
        if self.lane_fn.is_upgraded() {
            return Ok(());
        }
        let second = match self.lane_fn.as_second() {
            Some(second) => second,
            None => self.optimized(&self.shader, self.lanes)?,
        };
        if !self.lane_fn.upgrade(second) {
            events::warn(format_args!("{}: the second tier does not fit the first", self.shader.name));
        }
        Ok(())
    }

    /// Options that compile the optimized tier for a lane group size.
    fn optimizing(&self, lanes: u32) -> CompileOptions<'_> {
        CompileOptions {
            lanes,
            tier: Tier::Optimized,
            layout: &self.layout,
            cpu: self.cpu,
            image_ops: &*self.image_ops,
            missing: self.missing,
        }
    }

    /// Compiles the optimized tier, with its texts. The code becomes the second tier, unless there is one.
    pub(crate) fn listed(&self) -> Result<(Listing, abi::EntryMeta)> {
        let _room = room(&self.shader)?;
        let mut listing = Listing::default();
        let compile = || {
            let options = self.optimizing(self.lanes);
            codegen::compile_listed(&self.shader, &options, Some(&mut listing))
        };
        let made = guard("listing", || budget::within(self.compile_budget, &self.shader.name, compile))?;
        let meta = made.meta();
        if !self.check_proofs && self.sampling.is_none() {
            self.lane_fn.upgrade(made);
        }
        Ok((listing, meta))
    }

    /// Number of instructions of the optimized tier, and what it needs.
    pub(crate) fn counted(&self) -> Result<(u64, abi::EntryMeta)> {
        if let Some(&counted) = self.counted.get() {
            return Ok(counted);
        }
        let (listing, meta) = self.listed()?;
        let lines = listing.asm.lines().filter(|line| !line.trim().is_empty()).count() as u64;
        Ok(*self.counted.get_or_init(|| (lines, meta)))
    }

    /// Compiles the optimized shader for a lane group size; `shader` is the variant's, or one with different lane
    /// groups.
    fn optimized(&self, shader: &ir::Shader, lanes: u32) -> Result<LaneFn> {
        let options = self.optimizing(lanes);
        let _room = room(shader)?;
        let compile = || match self.check_proofs {
            true => codegen::compile_checked(shader, &options),
            false => dump::compile(&self.module.dumped(&self.spec), shader, &options),
        };
        let made = budget::within(self.compile_budget, &shader.name, compile)?;
        if let Some(sampling) = &self.sampling {
            sampling.placed(&made);
        }
        Ok(made)
    }
}

/// A task of the background thread.
enum Task {
    /// Compiles the second tier.
    Optimize(Weak<Variant>),
    /// Compiles the wide twin, for draws with a state.
    Widen(Weak<Variant>, Arc<DrawState>),
    /// Compiles the twin with packed lane groups.
    Pack(Weak<Variant>),
}

impl Task {
    fn run(self) {
        let variant = match &self {
            Task::Optimize(v) | Task::Widen(v, _) | Task::Pack(v) => v.upgrade(),
        };
        let Some(variant) = variant else { return };
        let (what, result) = match self {
            Task::Optimize(_) => ("second tier", guard("second tier", || variant.optimize())),
            Task::Widen(_, state) => ("wide twin", guard("wide twin", || variant.widen(&state))),
            Task::Pack(_) => ("packed twin", guard("packed twin", || variant.pack())),
        };
        if let Err(e) = result {
            events::warn(format_args!("{}: {what}: {e}", variant.shader.name));
        }
    }
}

/// The thread that compiles second tiers and twins; it starts when first needed.
#[derive(Default)]
pub(crate) struct Optimizer(Mutex<Option<Sender<Task>>>);

impl Optimizer {
    /// Compiles the second tier in the background. If the thread cannot start, the first tier stays in use.
    pub(crate) fn add(&self, variant: Weak<Variant>) {
        self.send(Task::Optimize(variant));
    }

    /// Compiles the wide twin in the background, and the kernels that draws with a state need.
    fn widen(&self, variant: Weak<Variant>, state: Arc<DrawState>) {
        self.send(Task::Widen(variant, state));
    }

    /// Compiles the twin with packed lane groups in the background.
    fn pack(&self, variant: Weak<Variant>) {
        self.send(Task::Pack(variant));
    }

    fn send(&self, task: Task) {
        let mut sender = lock(&self.0);
        let sender = sender.get_or_insert_with(|| {
            let (sender, receiver) = channel::<Task>();
            let work = move || {
                while let Ok(task) = receiver.recv() {
                    task.run();
                }
            };
            if let Err(e) = reserve::thread("quadrille-opt", reserve::STACK_BYTES, work) {
                events::warn(format_args!("no thread for second tiers: {e}"));
            }
            sender
        });
        // A send fails only without a thread, which was logged when it did not start.
        let _ = sender.send(task);
    }
}

/// Modules and variants of a device, and the thread that compiles second tiers.
#[derive(Default)]
pub(crate) struct Shaders {
    /// Modules by the hash of their words; of two with the same hash, the later one is found.
    pub(crate) modules: Mutex<WeakMap<u64, ModuleInner>>,
    pub(crate) next_module: AtomicU64,
    pub(crate) lowered: Mutex<WeakMap<Key, ir::Shader>>,
    pub(crate) variants: Mutex<WeakMap<Key, Variant>>,
    pub(crate) optimizer: Arc<Optimizer>,
    /// `true` once several stages have been compiled for one pipeline.
    pub(crate) pipelines: AtomicBool,
    /// `true` once a shader that prints has been compiled.
    pub(crate) prints: AtomicBool,
}

pub(crate) fn lock<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

/// Host memory that one step of compilation needs for the smallest module, in bytes.
pub(crate) const COMPILER_ROOM: usize = 4 << 20;
/// Host memory that parsing and lowering need per word of a module, in bytes.
pub(crate) const BYTES_PER_WORD: usize = 128;
/// Host memory that code generation needs per value of the shader, in bytes.
const BYTES_PER_VALUE: usize = 4096;

/// Reserves host memory for the code generator.
pub(crate) fn room(shader: &ir::Shader) -> Result<Room> {
    Room::new(COMPILER_ROOM + shader.values.len() * BYTES_PER_VALUE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Device, DeviceOptions};

    /// Tables do not grow with the number of dropped modules.
    #[test]
    fn modules_that_are_gone_leave_no_entries() {
        let device = Device::new(DeviceOptions::default()).unwrap();
        let text = |i: u32| {
            format!(
                "OpCapability Shader
                OpMemoryModel Logical GLSL450
                OpEntryPoint GLCompute %main \"main\"
                OpExecutionMode %main LocalSize 1 1 1
                %void = OpTypeVoid
                %uint = OpTypeInt 32 0
                %n = OpConstant %uint {i}
                %function = OpTypeFunction %void
                %main = OpFunction %void None %function
                %entry = OpLabel
                OpReturn
                OpFunctionEnd"
            )
        };
        let make = |i| {
            let words = spirv::asm::assemble(&text(i)).unwrap();
            device.create_shader_module(&words).unwrap()
        };
        let kept = make(0);
        for i in 1..2_000 {
            let stage = ShaderStage::only(&make(i), Stage::Compute).unwrap();
            device.reflect(&stage, Stage::Compute).unwrap();
        }
        let shaders = device.shaders();
        assert!(lock(&shaders.modules).len() < 200, "{} modules", lock(&shaders.modules).len());
        assert!(lock(&shaders.lowered).len() < 200, "{} shaders", lock(&shaders.lowered).len());
        assert_eq!(make(0).0.number, kept.0.number);
    }
}
