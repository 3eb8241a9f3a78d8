//! Shader modules and their compiled variants: the cache, the two tiers, and what a shader does to
//! memory that other workgroups see.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

use quadrille_jit::abi;
use quadrille_jit::call::{LaneFn, Upgrade};
use quadrille_jit::codegen::{self, CompileOptions, ImageOps};
use quadrille_jit::env::Opt;
use quadrille_jit::ir::{self, Stage, StageKind, TessellationModes};
use quadrille_jit::reserve::{self, Room};
use quadrille_jit::{CpuLevel, Tier, budget, interp, spirv};

use crate::device::Device;
use crate::dump;
use crate::error::{Error, Result, guard};
use crate::limits::{LIMITS, at_most};
use crate::object::{objects, same_device};
use crate::pipeline_layout::PipelineLayout;
use crate::weak_map::WeakMap;

struct ModuleInner {
    /// Number of the device.
    device: u64,
    number: u64,
    module: spirv::Module,
}

/// A parsed SPIR-V module. Clones are the same module. Spec: Vulkan, "Shader Modules".
#[derive(Clone)]
pub struct ShaderModule(Arc<ModuleInner>);

objects! { ShaderModule: "shader module" = |m| Some(m.0.device); }

impl std::fmt::Debug for ShaderModule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.module().entry_points().iter().map(|e| (&e.name, e.stage)).collect();
        f.debug_tuple("ShaderModule").field(&names).finish()
    }
}

impl ShaderModule {
    /// The module: entry points, specialization constants, lowering.
    pub fn module(&self) -> &spirv::Module {
        &self.0.module
    }

    /// Name of the only entry point of `stage`; `Invalid` if there is none or more than one.
    pub fn only_entry(&self, stage: Stage) -> Result<&str> {
        let mut found = self.module().entry_points().iter().filter(|e| e.stage == stage);
        match (found.next(), found.next()) {
            (Some(e), None) => Ok(&e.name),
            (None, _) => Err(Error::invalid(format!("the module has no {stage:?} entry point"))),
            (Some(a), Some(b)) => Err(Error::invalid(format!(
                "the module has several {stage:?} entry points, among them `{}` and `{}`",
                a.name, b.name
            ))),
        }
    }
}

/// A stage of a pipeline: an entry point with its specialization.
#[derive(Clone, Debug)]
pub struct ShaderStage {
    /// The module.
    pub module: ShaderModule,
    /// Name of the entry point.
    pub entry: String,
    /// Specialization constants: SpecId and the value's bits (bool: 0 or 1).
    pub spec: Vec<(u32, u64)>,
    /// Subgroup size asked for; `None` takes the device's.
    pub lanes: Option<u32>,
}

impl ShaderStage {
    /// An entry point as it is.
    pub fn new(module: &ShaderModule, entry: impl Into<String>) -> Self {
        ShaderStage { module: module.clone(), entry: entry.into(), spec: Vec::new(), lanes: None }
    }

    /// The only entry point of a stage.
    pub fn only(module: &ShaderModule, stage: Stage) -> Result<Self> {
        Ok(ShaderStage::new(module, module.only_entry(stage)?))
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    module: u64,
    entry: String,
    stage: Stage,
    spec: Vec<(u32, u64)>,
    lanes: u32,
    /// Vertices of an output patch, where another stage states them.
    output_vertices: Option<u32>,
    layout: Arc<abi::Layout>,
}

impl Key {
    fn new(device: &Device, stage: &ShaderStage, kind: Stage, layout: &Arc<abi::Layout>) -> Self {
        let mut spec = stage.spec.clone();
        spec.sort_unstable();
        Key {
            module: stage.module.0.number,
            entry: stage.entry.clone(),
            stage: kind,
            spec,
            lanes: stage.lanes.unwrap_or(device.options().lanes),
            output_vertices: None,
            layout: layout.clone(),
        }
    }
}

/// A compiled entry point. Holds both tiers; the second is swapped in when it is ready.
pub(crate) struct Variant {
    /// Keeps the module's number from being given to another one.
    module: ShaderModule,
    pub shader: Arc<ir::Shader>,
    /// Workgroups must run in order for the same results every time.
    pub needs_order: bool,
    lanes: u32,
    cpu: CpuLevel,
    check_proofs: bool,
    layout: Arc<abi::Layout>,
    image_ops: Arc<dyn ImageOps + Send + Sync>,
    compile_budget: Duration,
    lane_fn: LaneFn,
}

/// Work in the first tier after which the second is made.
const SECOND_TIER_AFTER: Duration = Duration::from_millis(3);

impl Variant {
    /// The lane function; it goes over to the second tier by itself.
    pub fn lane_fn(&self) -> &LaneFn {
        &self.lane_fn
    }

    /// Makes the second tier.
    fn optimize(&self) -> Result<()> {
        let options = CompileOptions {
            lanes: self.lanes,
            tier: Tier::Optimized,
            layout: &self.layout,
            cpu: self.cpu,
            image_ops: &*self.image_ops,
        };
        let words = self.module.module().words();
        let _room = room(&self.shader)?;
        let compile = || match self.check_proofs {
            true => codegen::compile_checked(&self.shader, &options),
            false => dump::compile(words, &self.shader, &options),
        };
        if !self.lane_fn.upgrade(budget::within(self.compile_budget, &self.shader.name, compile)?) {
            tracing::debug!(entry = %self.shader.name, "the second tier does not fit the first");
        }
        Ok(())
    }
}

/// The thread that makes second tiers; it starts when first needed.
#[derive(Default)]
struct Optimizer(Mutex<Option<Sender<Weak<Variant>>>>);

impl Optimizer {
    /// Makes the second tier in the background. Without a thread the first tier stays.
    fn add(&self, variant: Weak<Variant>) {
        let mut sender = lock(&self.0);
        let sender = sender.get_or_insert_with(|| {
            let (sender, receiver) = channel::<Weak<Variant>>();
            let work = move || {
                while let Ok(variant) = receiver.recv() {
                    let Some(variant) = variant.upgrade() else { continue };
                    if let Err(e) = guard("second tier", || variant.optimize()) {
                        tracing::warn!(entry = %variant.shader.name, "second tier: {e}");
                    }
                }
            };
            if let Err(e) = reserve::thread("quadrille-opt", reserve::STACK_BYTES, work) {
                tracing::warn!("second tiers: {e}");
            }
            sender
        });
        // Without a receiver there is no thread, which has been said.
        let _ = sender.send(variant);
    }
}

/// Modules and variants of a device, and the thread that makes second tiers.
#[derive(Default)]
pub(crate) struct Shaders {
    /// By the hash of their words; of two with the same hash the later one is found.
    modules: Mutex<WeakMap<u64, ModuleInner>>,
    next_module: AtomicU64,
    lowered: Mutex<WeakMap<Key, ir::Shader>>,
    variants: Mutex<WeakMap<Key, Variant>>,
    optimizer: Arc<Optimizer>,
}

fn lock<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

impl Shaders {
    /// The module of these words, parsed once while it lives.
    pub fn module(&self, device: &Device, words: &[u32]) -> Result<ShaderModule> {
        let hash = dump::hash(words);
        let known = lock(&self.modules).get(&hash);
        if let Some(found) = known.filter(|m| m.module.words() == words) {
            return Ok(ShaderModule(found));
        }
        let _room = Room::new(COMPILER_ROOM + words.len() * BYTES_PER_WORD)?;
        let parse =
            || budget::within(device.options().compile_budget, "module", || spirv::Module::parse(words));
        let module = guard("shader module", parse)?;
        let number = self.next_module.fetch_add(1, Ordering::Relaxed);
        let made = Arc::new(ModuleInner { device: device.id(), number, module });
        lock(&self.modules).insert(hash, &made);
        Ok(ShaderModule(made))
    }

    /// The IR of a stage, lowered once while it is held.
    pub fn lower(&self, device: &Device, stage: &ShaderStage, kind: Stage) -> Result<Arc<ir::Shader>> {
        // Modules are numbered per device.
        same_device(&stage.module, device)?;
        static NOWHERE: OnceLock<Arc<abi::Layout>> = OnceLock::new();
        let key = Key::new(device, stage, kind, NOWHERE.get_or_init(Arc::default));
        if let Some(found) = lock(&self.lowered).get(&key) {
            return Ok(found);
        }
        let words = stage.module.module().words().len();
        let _room = Room::new(COMPILER_ROOM + words * BYTES_PER_WORD)?;
        let lower = || {
            let lower = || stage.module.module().lower(&key.entry, kind, &key.spec);
            budget::within(device.options().compile_budget, &key.entry, lower)
        };
        let made = Arc::new(guard("lowering", lower)?);
        lock(&self.lowered).insert(key, &made);
        Ok(made)
    }

    /// The variant of a stage under a layout, compiled once while it lives.
    pub fn variant(
        &self,
        device: &Device,
        stage: &ShaderStage,
        kind: Stage,
        layout: &PipelineLayout,
    ) -> Result<Arc<Variant>> {
        self.variant_of(device, stage, kind, layout, None)
    }

    /// As [`variant`](Self::variant), with the vertices of an output patch if the stage does not state them.
    pub fn variant_of(
        &self,
        device: &Device,
        stage: &ShaderStage,
        kind: Stage,
        layout: &PipelineLayout,
        output_vertices: Option<u32>,
    ) -> Result<Arc<Variant>> {
        same_device(&stage.module, device)?;
        let key = Key { output_vertices, ..Key::new(device, stage, kind, layout.abi()) };
        if ![4, 8, 16, 32].contains(&key.lanes) {
            return Err(Error::invalid(format!("subgroup size {}", key.lanes)));
        }
        if let Some(found) = lock(&self.variants).get(&key) {
            return Ok(found);
        }
        let made = self.build(device, stage, &key, layout)?;
        lock(&self.variants).insert(key, &made);
        Ok(made)
    }

    fn build(
        &self,
        device: &Device,
        stage: &ShaderStage,
        key: &Key,
        layout: &PipelineLayout,
    ) -> Result<Arc<Variant>> {
        let options = device.options();
        let _span = tracing::debug_span!("compile", entry = %key.entry, stage = ?key.stage).entered();
        let mut shader = self.lower(device, stage, key.stage)?;
        if let (Some(n), StageKind::TessellationControl(modes)) = (key.output_vertices, shader.kind) {
            let output_vertices = modes.output_vertices.or(Some(n));
            let kind = StageKind::TessellationControl(TessellationModes { output_vertices, ..modes });
            shader = Arc::new(ir::Shader { kind, ..ir::Shader::clone(&shader) });
        }
        layout.check(&shader)?;
        check_limits(&shader)?;
        let image_ops = device.images().ops();
        let _room = room(&shader)?;
        let tier = if options.opt == Opt::Speed { Tier::Optimized } else { Tier::First };
        let compile = CompileOptions {
            lanes: key.lanes,
            tier,
            layout: &key.layout,
            cpu: options.cpu,
            image_ops: &*image_ops,
        };
        let make = || match (options.interp, options.check_proofs) {
            (true, false) => interp::build(shader.clone(), &key.layout, key.lanes, &*image_ops),
            (false, false) => dump::compile(stage.module.module().words(), &shader, &compile),
            (false, true) => codegen::compile_checked(&shader, &compile),
            (true, true) => {
                let compile = CompileOptions { tier: Tier::Optimized, ..compile };
                match codegen::compile_checked(&shader, &compile)?.claims() {
                    Some(claims) => interp::build_checked(claims, &key.layout, &*image_ops),
                    None => Err(Error::Internal("no claims".into())),
                }
            }
        };
        let first = match options.interp && !options.check_proofs {
            true => make()?,
            false => budget::within(options.compile_budget, &key.entry, make)?,
        };
        Ok(Arc::new_cyclic(|this: &Weak<Variant>| {
            let lane_fn = if options.interp || options.opt != Opt::Auto {
                first
            } else {
                let (optimizer, this) = (self.optimizer.clone(), this.clone());
                let ask = move || optimizer.add(this.clone());
                first.with_upgrade(Upgrade::new(SECOND_TIER_AFTER, ask))
            };
            Variant {
                module: stage.module.clone(),
                needs_order: needs_order(&shader),
                lanes: key.lanes,
                cpu: options.cpu,
                compile_budget: options.compile_budget,
                check_proofs: options.check_proofs,
                layout: key.layout.clone(),
                image_ops,
                lane_fn,
                shader,
            }
        }))
    }
}

/// Memory of the host that a step of compilation takes for the smallest module.
const COMPILER_ROOM: usize = 4 << 20;
/// What parsing and lowering take for each word of a module.
const BYTES_PER_WORD: usize = 128;
/// What code generation takes for each value of the shader.
const BYTES_PER_VALUE: usize = 4096;

/// Room for the code generator.
fn room(shader: &ir::Shader) -> Result<Room> {
    Room::new(COMPILER_ROOM + shader.values.len() * BYTES_PER_VALUE)
}

/// What the workgroups of a stage may be.
struct WorkgroupLimits {
    invocations: u32,
    size: [u32; 3],
    shared: u32,
    payload_and_shared: u32,
}

fn check_limits(shader: &ir::Shader) -> Result<()> {
    let l = &LIMITS;
    let limits = match shader.stage {
        Stage::Compute => WorkgroupLimits {
            invocations: l.max_compute_work_group_invocations,
            size: l.max_compute_work_group_size,
            shared: l.max_compute_shared_memory_size,
            payload_and_shared: l.max_compute_shared_memory_size,
        },
        Stage::Task => WorkgroupLimits {
            invocations: l.max_task_work_group_invocations,
            size: l.max_task_work_group_size,
            shared: l.max_task_shared_memory_size,
            payload_and_shared: l.max_task_payload_and_shared_memory_size,
        },
        Stage::Mesh => WorkgroupLimits {
            invocations: l.max_mesh_work_group_invocations,
            size: l.max_mesh_work_group_size,
            shared: l.max_mesh_shared_memory_size,
            payload_and_shared: l.max_mesh_payload_and_shared_memory_size,
        },
        _ => return check_interface_limits(shader),
    };
    let most = |what: &str, value: u64, limit: u32| {
        at_most(&format!("`{}`: {what}", shader.name), value, limit.into())
    };
    let (shared, payload) = (u64::from(shader.shared_size), u64::from(shader.payload_size));
    most("bytes of workgroup memory", shared, limits.shared)?;
    most("bytes of payload", payload, l.max_task_payload_size)?;
    most("bytes of payload and workgroup memory", payload + shared, limits.payload_and_shared)?;
    for (axis, max) in shader.local_size.iter().zip(limits.size) {
        most("workgroup size", (*axis).into(), max)?;
    }
    let total = shader.local_size.iter().map(|n| u64::from(*n)).product();
    most("invocations of a workgroup", total, limits.invocations)?;
    check_interface_limits(shader)
}

/// Scalars, and bytes, that the mesh stage puts out. Spec: Vulkan, "Mesh Shader Output".
fn check_mesh_limits(shader: &ir::Shader, modes: &ir::MeshModes, most: Most<'_>) -> Result<()> {
    let l = &LIMITS;
    most("output vertices", modes.max_vertices.into(), l.max_mesh_output_vertices)?;
    most("output primitives", modes.max_primitives.into(), l.max_mesh_output_primitives)?;
    let (vertex, primitive) = (words(&shader.outputs), words(&shader.primitive_outputs));
    most("output components", vertex + primitive, l.max_mesh_output_components)?;
    let scalars = |list: &[ir::Interface]| {
        let indices = [
            ir::BuiltIn::PrimitivePointIndices,
            ir::BuiltIn::PrimitiveLineIndices,
            ir::BuiltIn::PrimitiveTriangleIndices,
        ];
        // Locations and built-ins, each of which takes four.
        let mut counted: Vec<(Option<ir::BuiltIn>, u32)> = Vec::new();
        for i in list {
            let place = match i.slot {
                ir::Slot::Location { location, .. } => (None, location),
                ir::Slot::BuiltIn(b, _) if indices.contains(&b) => continue,
                ir::Slot::BuiltIn(b, component) => (Some(b), component / 4),
            };
            if !counted.contains(&place) {
                counted.push(place);
            }
        }
        4 * counted.len() as u64
    };
    let bytes = 4
        * (scalars(&shader.outputs) * u64::from(modes.max_vertices)
            + scalars(&shader.primitive_outputs) * u64::from(modes.max_primitives));
    most("bytes of output", bytes, l.max_mesh_output_memory_size)?;
    let payload = u64::from(shader.payload_size);
    most("bytes of payload and output", payload + bytes, l.max_mesh_payload_and_output_memory_size)
}

/// `Limit` unless what is named is at most so much.
type Most<'a> = &'a dyn Fn(&str, u64, u32) -> Result<()>;

/// Scalars of an interface; built-ins do not count.
fn words(list: &[ir::Interface]) -> u64 {
    let user = list.iter().filter(|i| matches!(i.slot, ir::Slot::Location { .. }));
    user.map(|i| if i.ty.bytes() == 8 { 2 } else { 1 }).sum()
}

/// Scalars that stages after the vertex stage take and put out, and how much each makes.
/// Spec: Vulkan, "Shader Interfaces", Location and Component Assignment; VkPhysicalDeviceLimits.
fn check_interface_limits(shader: &ir::Shader) -> Result<()> {
    let l = &LIMITS;
    let most = |what: &str, value: u64, limit: u32| {
        at_most(&format!("`{}`: {what}", shader.name), value, limit.into())
    };
    let (inputs, outputs) = (words(&shader.inputs), words(&shader.outputs));
    let captured = |stream: Option<u32>| {
        let all =
            shader.xfb.outputs.iter().filter(move |o| {
                stream.is_none_or(|s| shader.xfb.streams.get(o.buffer as usize) == Some(&s))
            });
        all.map(|o| u64::from(o.offset) + 4)
    };
    for (stream, stride) in (0..).zip(shader.xfb.strides) {
        most("transform feedback stride", stride.into(), l.max_transform_feedback_buffer_data_stride)?;
        let bytes = captured(Some(stream)).count() as u64 * 4;
        most("captured bytes of a stream", bytes, l.max_transform_feedback_stream_data_size)?;
    }
    let end = captured(None).max().unwrap_or(0);
    most("captured bytes in a buffer", end, l.max_transform_feedback_buffer_data_size)?;
    match shader.kind {
        StageKind::TessellationControl(_) => {
            let (vertices, patch) = (shader.output_vertices(), words(&shader.patch_outputs));
            most("input components", inputs, l.max_tessellation_control_per_vertex_input_components)?;
            most("output components", outputs, l.max_tessellation_control_per_vertex_output_components)?;
            most("patch components", patch, l.max_tessellation_control_per_patch_output_components)?;
            most("output vertices", vertices.into(), l.max_tessellation_patch_size)?;
            let total = patch + outputs * u64::from(vertices);
            most("components of a patch", total, l.max_tessellation_control_total_output_components)
        }
        StageKind::TessellationEvaluation(_) => {
            most("input components", inputs, l.max_tessellation_evaluation_input_components)?;
            most("output components", outputs, l.max_tessellation_evaluation_output_components)
        }
        StageKind::Geometry(modes) => {
            most("input components", inputs, l.max_geometry_input_components)?;
            most("output components", outputs, l.max_geometry_output_components)?;
            most("output vertices", modes.max_vertices.into(), l.max_geometry_output_vertices)?;
            most("invocations", modes.invocations.into(), l.max_geometry_shader_invocations)?;
            let total = outputs * u64::from(modes.max_vertices);
            most("components of all vertices", total, l.max_geometry_total_output_components)
        }
        StageKind::Mesh(modes) => check_mesh_limits(shader, &modes, &most),
        StageKind::Vertex | StageKind::Task | StageKind::Fragment | StageKind::Compute => Ok(()),
    }
}

/// Whether results can depend on the order of workgroups (or fragments) by way of atomics: some
/// atomic's result is used, or operations that do not commute meet. Conservative: bindings are not
/// told apart.
fn needs_order(shader: &ir::Shader) -> bool {
    let mut seen = Atomics { used: vec![false; shader.values.len()], ..Default::default() };
    seen.uses(&shader.body);
    seen.region(&shader.body);
    seen.ordered || seen.ops.len() > 1
}

#[derive(Default)]
struct Atomics {
    used: Vec<bool>,
    ops: Vec<ir::AtomicOp>,
    ordered: bool,
}

impl Atomics {
    fn mark(&mut self, values: &[ir::Value]) {
        for v in values {
            if let Some(used) = self.used.get_mut(v.0 as usize) {
                *used = true;
            }
        }
    }

    fn uses(&mut self, region: &ir::Region) {
        for node in &region.nodes {
            match node {
                ir::Node::Inst(i) => self.mark(&i.args),
                ir::Node::If(n) => {
                    self.mark(&[n.cond]);
                    self.uses(&n.then);
                    self.uses(&n.els);
                }
                ir::Node::Block(n) => self.uses(&n.body),
                ir::Node::Loop(n) => {
                    n.params.iter().for_each(|(_, init)| self.mark(&[*init]));
                    self.uses(&n.body);
                }
            }
        }
        if let ir::End::Yield(values) | ir::End::Break(_, values) = &region.end {
            self.mark(values);
        }
    }

    fn region(&mut self, region: &ir::Region) {
        for node in &region.nodes {
            match node {
                ir::Node::Inst(i) => self.inst(i),
                ir::Node::If(n) => {
                    self.region(&n.then);
                    self.region(&n.els);
                }
                ir::Node::Block(n) => self.region(&n.body),
                ir::Node::Loop(n) => self.region(&n.body),
            }
        }
    }

    fn inst(&mut self, inst: &ir::Inst) {
        let op = match (&inst.op, &inst.imm) {
            (ir::Op::AtomicBuffer, ir::Imm::Atomic(op, _)) => *op,
            (ir::Op::ImageWrite, ir::Imm::Image(image)) => match image.kind {
                ir::ImageOpKind::Atomic(op) => op,
                _ => return,
            },
            _ => return,
        };
        use ir::AtomicOp as A;
        let result_used = inst.results.iter().any(|r| self.used.get(r.0 as usize) == Some(&true));
        let commutes = !matches!(op, A::Load | A::Store | A::Exchange | A::CompareExchange | A::FAdd);
        // An atomic load alone orders nothing.
        if op != A::Load && (result_used || !commutes) {
            self.ordered = true;
        }
        // Sums and differences commute with each other.
        let op = if op == A::ISub { A::IAdd } else { op };
        if !self.ops.contains(&op) {
            self.ops.push(op);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceOptions;

    /// A module that is gone leaves nothing behind that grows with their number.
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
