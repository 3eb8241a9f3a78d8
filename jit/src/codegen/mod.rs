//! Compiles shader IR to lane functions.
//!
//! [`compile`] runs the passes on a copy of the shader, finds the uniform values, and emits one function behind
//! [`crate::abi::Entry`] that loops over its units. Values that do not depend on the group are computed before the
//! loop.
//!
//! * `blocks`: blocks, and operations that are fast in the usual case
//! * `control`: lowers the construct tree to blocks, with masks where lanes diverge
//! * `barrier`: values that a group saves while it waits
//! * `stage`: built-ins, inputs, outputs and the loops over units, one file per stage
//! * `memory`: buffers, workgroup memory, private arrays
//! * `atomic`: atomics on buffers and workgroup memory
//! * `pointer`: pointers as values, device addresses
//! * `proven`: tests that run once for a whole workgroup
//! * `ledger`: omitted checks, recorded and verified
//! * `range`, `payload`: upper bounds, which make checks unnecessary; halves without signaling NaNs
//! * `turns`: counted loops
//! * `image`, `group`, `matrix`: image operations; operations across the group; operations on matrices
//! * `ray`, `ray_call`: ray queries; calls of other shaders of a ray tracing pipeline
//!
//! Masks: code maintains the active mask only where lanes may be missing. Stores and atomics of fragment shaders are
//! also masked by the invocations that are not helpers.

mod atomic;
mod barrier;
mod blocks;
mod control;
mod group;
mod image;
mod ledger;
mod matrix;
mod memory;
mod open;
mod payload;
mod pointer;
mod proven;
mod range;
mod ray;
mod ray_call;
mod stage;
#[cfg(test)]
mod tests;
mod turns;

use std::ffi::c_void;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::abi::{self, EntryMeta, Layout};
use crate::call::LaneFn;
use crate::ir::{HandleKind, ImageOp, Inst, Insts, Op, Shader, Sig, Src, Ty, Value};
use crate::lane::{Built, Lane, LaneBuilder, LaneVar};
use crate::passes::Storage;
use crate::passes::uniformity::Uniformity;
use crate::placed::PlacedCode;
use crate::{CpuLevel, Error, Result, Tier, budget};
use stage::Level;

/// Assigns numbers to image operations for a device; see [`crate::abi::ImageView::table`].
pub trait ImageOps: Sync {
    /// Number of an operation, below [`crate::abi::MAX_IMAGE_OPS`]. Fails for unsupported operations.
    fn intern(&self, op: &ImageOp) -> Result<u32>;
    /// Address of a null view with a sampler: reads return zero, writes are dropped.
    fn null_view(&self) -> u64 {
        0
    }
    /// Address of the view of descriptors that were never written. It acts like the null view, but the interpreter can
    /// tell them apart.
    fn unwritten_view(&self) -> u64 {
        0
    }
}

/// Refuses every image operation.
pub struct NoImageOps;

impl ImageOps for NoImageOps {
    fn intern(&self, op: &ImageOp) -> Result<u32> {
        Err(Error::unsupported(format!("image operation {:?}", op.kind)))
    }
}

/// Options of a compilation.
#[derive(Clone, Copy)]
pub struct CompileOptions<'a> {
    /// Lane group size S: 4, 8, 16 or 32.
    pub lanes: u32,
    /// Tier, which decides how long the compilation may take.
    pub tier: Tier,
    /// Locations of descriptors.
    pub layout: &'a Layout,
    /// Host instructions to use.
    pub cpu: CpuLevel,
    /// Numbers of image operations.
    pub image_ops: &'a dyn ImageOps,
    /// True if pages of buffers may be missing; see [`crate::missing`].
    pub missing: bool,
}

/// Text forms of a compiled variant, for `inspect` and dumps.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The IR after the passes.
    pub ir: String,
    /// CLIF before optimization.
    pub clif: String,
    /// Host assembly.
    pub asm: String,
}

/// Data that generated code refers to by address.
#[derive(Default)]
pub(crate) struct Tables {
    /// LocalInvocationId by component, then by invocation, padded to groups.
    local_ids: Vec<u32>,
    /// Operands of the shader's print and abort instructions.
    messages: Vec<crate::ir::Imm>,
    /// Constant tables of the shader.
    constants: Vec<memory::Constants>,
}

/// Compiles a shader for one variant.
pub fn compile(shader: &Shader, opts: &CompileOptions) -> Result<LaneFn> {
    compile_listed(shader, opts, None)
}

/// As [`compile`], and fills `listing` with the text forms.
pub fn compile_listed(
    shader: &Shader,
    opts: &CompileOptions,
    listing: Option<&mut Listing>,
) -> Result<LaneFn> {
    compile_with(shader, opts, listing, false)
}

/// As [`compile`], but keeps every check that would be omitted, and tests the reasons for omitting it.
/// [`LaneFn::claims`] lists them. Calls return [`abi::BROKEN_CLAIM`] if one does not hold.
pub fn compile_checked(shader: &Shader, opts: &CompileOptions) -> Result<LaneFn> {
    compile_with(shader, opts, None, true)
}

fn compile_with(
    shader: &Shader,
    opts: &CompileOptions,
    listing: Option<&mut Listing>,
    verify: bool,
) -> Result<LaneFn> {
    if !matches!(opts.lanes, 4 | 8 | 16 | 32) {
        return Err(Error::invalid(format!("lane group size {}", opts.lanes)));
    }
    shader.check_subgroup_size(opts.lanes)?;
    let listed = listing.is_some();
    let mut tries = Storage::ALL.iter().map(|&storage| build(shader, opts, storage, listed, verify));
    let built = tries.find(|built| !matches!(built, Ok(None))).transpose()?.flatten();
    let Variant { tier, shader, code, number, places, tables, meta, text, ledger } =
        built.ok_or_else(|| crate::lane::too_dense(&shader.name))?;
    if let (Some(l), Some(t)) = (listing, text) {
        l.ir = shader.to_string();
        l.clif = t.clif.unwrap_or_default();
        l.asm = t.asm.unwrap_or_default();
    }
    let entry = code.entry();
    let code = Arc::new(code);
    let keep: Arc<(Arc<crate::memory::CodeBlock>, Arc<Tables>)> = Arc::new((code.clone(), tables));
    #[expect(unsafe_code, reason = "casts machine code to a function pointer")]
    // SAFETY: `build` compiled the code with parameters and result of `Entry` (I64, I32, I32, and a result). `keep`,
    // which the `LaneFn` owns, keeps the code mapped.
    let entry = unsafe { std::mem::transmute::<*const u8, abi::Entry>(entry) };
    let made = LaneFn::new(entry, std::ptr::null::<c_void>(), meta, keep);
    let made = if tier == Tier::Optimized { made.with_optimized_code() } else { made };
    let made = match PlacedCode::new(code, &shader, number, places) {
        Some(placed) => made.with_places(Arc::new(placed)),
        None => made,
    };
    Ok(match ledger {
        Some(ledger) => made.with_claims(Arc::new(ledger.close(Arc::new(shader), opts.lanes))),
        None => made,
    })
}

/// A shader after the passes, with its code.
struct Variant {
    /// The tier that was wanted, or the optimized one.
    tier: Tier,
    shader: Shader,
    code: crate::memory::CodeBlock,
    /// See [`PlacedCode::number`]; 0 without debug information.
    number: u32,
    places: crate::lane::Places,
    tables: Arc<Tables>,
    meta: EntryMeta,
    text: Option<crate::lane::KernelListing>,
    ledger: Option<ledger::Ledger>,
}

/// Stack that a function of a ray tracing stage may take in any case: its second tier may take as much, too.
const LEAST_STACK_BYTES: u32 = 8 << 10;

/// Runs the passes on a copy of the shader and compiles it. Returns `None` if too many values are live at once.
fn build(
    before: &Shader,
    opts: &CompileOptions,
    storage: Storage,
    listed: bool,
    verify: bool,
) -> Result<Option<Variant>> {
    let mut shader = before.clone();
    storage.optimize(&mut shader, opts.lanes, opts.tier)?;
    if cfg!(debug_assertions) || verify {
        crate::ir::verify(&shader).map_err(|e| Error::Internal(format!("IR after passes: {e}")))?;
    }
    if open::vectors(&shader, &shader.body, opts.lanes) > open::MOST {
        return Ok(None);
    }
    generate(before, shader, opts, storage, listed, verify)
}

/// Compiles a shader after the passes, or the one `before` them in the optimized tier. Returns `None` as [`build`] does.
fn generate(
    before: &Shader,
    shader: Shader,
    opts: &CompileOptions,
    storage: Storage,
    listed: bool,
    verify: bool,
) -> Result<Option<Variant>> {
    let optimized = CompileOptions { tier: Tier::Optimized, ..*opts };
    let insts = Insts::of(&shader.body);
    let free = !verify && stage::has_free_groups(&shader, opts.lanes);
    let mut u = crate::passes::uniformity::analyse(&shader, opts.lanes)?;
    let lanes = if free { stage::group_size(&shader, &insts, opts, &u) } else { opts.lanes };
    if lanes != opts.lanes {
        u = crate::passes::uniformity::analyse(&shader, lanes)?;
    }
    if opts.tier == Tier::First && opts.cpu.wide().is_some() && open::is_deep(&shader, &insts, &u, lanes) {
        return build(before, &optimized, storage, listed, verify);
    }
    let tables = Arc::new(stage::tables(&shader, &insts, lanes));
    let image_ops = image::intern_all(&insts, opts.image_ops)?;
    let mut text = listed.then(crate::lane::KernelListing::default);
    let (mut meta, mut ledger) = (EntryMeta::default(), None);
    let number = if shader.debug.is_some() { crate::placed::next_number() } else { 0 };
    let built = crate::lane::build_function(
        lanes,
        opts.cpu,
        opts.tier,
        &[Ty::I64, Ty::I32, Ty::I32],
        true,
        text.as_mut(),
        |b, args| {
            if number != 0 {
                b.tell_calls(number);
            }
            let mut g = Gen::new(b, &shader, &insts, opts.layout, u.clone(), &tables, &image_ops);
            g.tier = opts.tier;
            g.missing = opts.missing;
            g.near = storage == Storage::Memory;
            g.null_view = opts.image_ops.null_view();
            g.most_lanes = if free { stage::MOST_VECTOR_LANES.max(lanes) } else { lanes };
            g.ledger = verify.then(|| ledger::Ledger::new(&shader));
            (meta, ledger) = g.function(args)?;
            // Callers see the group size that they asked for.
            meta.lanes = opts.lanes;
            Ok(())
        },
    )?;
    Ok(match built {
        Built::Code(code, places, stack) => {
            if shader.stage.is_of_rays() {
                meta.stack_bytes = stack.max(LEAST_STACK_BYTES);
            }
            Some(Variant { tier: opts.tier, shader, code, number, places, tables, meta, text, ledger })
        }
        Built::TooDense => None,
        Built::TooDeep => return build(before, &optimized, storage, listed, verify),
    })
}

/// A buffer as a pair of uniform values.
#[derive(Clone, Copy)]
struct Buffer {
    /// Address (I64).
    base: Lane,
    /// Size in bytes (I64).
    size: Lane,
}

/// A descriptor that differs per lane: the array of descriptors, and each lane's index into it.
#[derive(Clone, Copy)]
struct PerLane {
    /// Kind of the resources.
    kind: HandleKind,
    /// Address of the first descriptor (I64, uniform).
    array: Lane,
    /// Number of descriptors.
    count: Count,
    /// Array index (I32).
    index: Lane,
}

/// Length of an array of descriptors, and the kind of its elements.
#[derive(Clone, Copy)]
enum Count {
    /// Number of resolved descriptors.
    Resolved(u32),
    /// Number of bound handles (I32, uniform).
    Handles(Lane),
}

/// The resource that a Buffer or Image value refers to.
#[derive(Clone, Copy)]
enum Handle {
    Buffer(Buffer),
    BufferPerLane(PerLane),
    /// A buffer given by base and size (I64 values), resolved at each use; [`Gen::handle`] never returns it.
    At(Value, Value),
    BufferLanes(pointer::BufferLanes),
    /// Neither image nor sampler.
    NullImage,
    /// View address and sampler word (I64, uniform).
    Image {
        view: Lane,
        sampler: Lane,
    },
    ImagePerLane(PerLane),
    /// An image or texel buffer given by a handle (I64 value), resolved at each use.
    ImageOf(Value, HandleKind),
    /// The image of the first value, with the sampler of the second (both of Image type).
    Sampled(Value, Value),
}

pub(crate) struct Gen<'a, 'f, 's> {
    b: &'a mut LaneBuilder<'f>,
    shader: &'s Shader,
    /// The shader's instructions.
    insts: &'s Insts<'s>,
    layout: &'s Layout,
    uniformity: Uniformity,
    tables: &'s Tables,
    image_ops: &'s [(ImageOp, u32)],
    /// See [`ImageOps::null_view`].
    null_view: u64,

    vals: Vec<Option<Lane>>,
    handles: FxHashMap<Value, Handle>,
    /// Values that are kept in variables because a barrier lies between definition and use.
    backed: FxHashMap<Value, LaneVar>,
    levels: Vec<Level>,

    flow: control::Flow,
    ctx: Lane,
    env: stage::Env<'s>,
    /// Bytes of scratch taken so far.
    scratch: usize,
    /// Byte offset of each private variable's rows in the group's frame.
    var_at: Vec<Option<u32>>,
    frame_bytes: u32,
    /// Byte offset of the states of ray queries in the group's frame.
    queries_at: u32,
    /// Matrices that stay in memory.
    matrices: matrix::Resident<'s>,
    barriers: barrier::Plan,
    /// Tests that are computed at each use.
    tests: FxHashMap<Value, &'s Inst>,
    ranges: range::Ranges<'s>,
    /// See [`payload::quiet_halves`].
    quiet_halves: FxHashSet<Value>,
    tier: Tier,
    /// See [`CompileOptions::missing`].
    missing: bool,
    /// True if values are computed where they are used, not once for all groups: they would be live for long.
    near: bool,
    /// Lanes of the largest group that any tier of this function may use; callers provide memory for that many.
    most_lanes: u32,
    proven: proven::Proven,
    /// Number of emitted instructions at the last size check.
    counted: usize,
    /// Present if claims are verified.
    ledger: Option<ledger::Ledger>,
    /// True if emitted code is tagged with its place in the source.
    placed: bool,
}

impl<'a, 'f, 's> Gen<'a, 'f, 's> {
    fn new(
        b: &'a mut LaneBuilder<'f>,
        shader: &'s Shader,
        insts: &'s Insts<'s>,
        layout: &'s Layout,
        u: Uniformity,
        tables: &'s Tables,
        image_ops: &'s [(ImageOp, u32)],
    ) -> Self {
        let zero = b.i64(0);
        let flow = control::Flow::new(b);
        Gen {
            levels: Vec::new(),
            vals: vec![None; shader.values.len()],
            handles: FxHashMap::default(),
            backed: FxHashMap::default(),
            flow,
            ctx: zero,
            env: stage::Env::new(zero),
            scratch: 0,
            var_at: vec![None; shader.vars.len()],
            frame_bytes: 0,
            queries_at: 0,
            matrices: matrix::Resident::default(),
            barriers: barrier::Plan::default(),
            tests: FxHashMap::default(),
            ranges: range::Ranges::new(shader, insts, b.lanes(), &tables.local_ids),
            quiet_halves: payload::quiet_halves(shader, insts),
            tier: Tier::First,
            missing: false,
            near: false,
            most_lanes: b.lanes(),
            proven: proven::Proven::default(),
            counted: 0,
            ledger: None,
            placed: shader.debug.is_some(),
            b,
            shader,
            insts,
            layout,
            uniformity: u,
            tables,
            image_ops,
            null_view: 0,
        }
    }

    /// Emits the whole function.
    fn function(mut self, args: &[Lane]) -> Result<(EntryMeta, Option<ledger::Ledger>)> {
        self.ctx = args[0];
        self.levels = self.find_levels();
        self.settle_levels()?;
        self.place_private_variables()?;
        self.place_matrices();
        self.place_ray_queries()?;
        self.prologue(args);
        self.units(args[2])?;
        let meta = EntryMeta {
            scratch_bytes: self.scratch.next_multiple_of(64),
            ..EntryMeta::of(self.shader, self.b.lanes())
        };
        Ok((meta, self.ledger))
    }

    /// The lanes of a value, read from its variable if it has one.
    fn val(&mut self, v: Value) -> Result<Lane> {
        if let Some(var) = self.backed.get(&v) {
            return Ok(self.b.get(&var.clone()));
        }
        if let Some(&i) = self.tests.get(&v) {
            return self.test(i);
        }
        self.vals[v.0 as usize]
            .ok_or_else(|| Error::Internal(format!("value %{} is used before its definition", v.0)))
    }

    fn def(&mut self, v: Value, l: Lane) {
        self.store_scalar(v, l);
        self.def_stored(v, l);
    }

    /// Defines a value that lies already wherever it is stored.
    fn def_stored(&mut self, v: Value, l: Lane) {
        if self.barriers.kept.contains(&v) {
            let var = match self.backed.get(&v) {
                Some(var) => var.clone(),
                None => {
                    let var = self.b.declare(self.shader.ty(v), !self.uniformity.varying[v.0 as usize]);
                    self.backed.insert(v, var.clone());
                    var
                }
            };
            self.b.set(&var, l);
        } else {
            self.vals[v.0 as usize] = Some(l);
        }
    }

    /// Charges the budget for the instructions emitted; fails if the function would take too long to compile.
    fn check_size(&mut self) -> Result<()> {
        let (insts, blocks) = self.b.size();
        budget::work(4 * (insts - self.counted))?;
        self.counted = insts;
        for (n, most, what) in
            [(insts, budget::MAX_CLIF_INSTS, "instructions"), (blocks, budget::MAX_CLIF_BLOCKS, "blocks")]
        {
            if n > most {
                let name = &self.shader.name;
                return Err(Error::Limit(format!(
                    "'{name}' compiles to more than {most} {what} of machine code"
                )));
            }
        }
        Ok(())
    }

    /// Emits one instruction at its position, unless it was emitted at an earlier level.
    fn inst(&mut self, i: &Inst) -> Result<()> {
        if i.results.iter().any(|r| self.levels[r.0 as usize] < Level::Place) {
            return Ok(());
        }
        if self.matrices.replaces(i) { Ok(()) } else { self.emit(i) }
    }

    /// Sets the origin of the code that is emitted from here on.
    fn comes_from(&mut self, src: Src) {
        if self.placed {
            self.b.comes_from(src.place);
        }
    }

    /// Emits an instruction at its place.
    fn emit(&mut self, i: &Inst) -> Result<()> {
        self.comes_from(i.src);
        self.b.quiets_halves = !self.quiet_halves.is_empty() && self.is_quiet(i);
        if self.from_proof(i)? {
            return Ok(());
        }
        if let Some(r) = self.whole_pixel(i) {
            self.def(i.results[0], r);
            return Ok(());
        }
        if i.op.sig() != Sig::Free {
            let args = i.args.iter().map(|&a| self.val(a)).collect::<Result<Vec<_>>>()?;
            let ty = self.shader.ty(i.results[0]);
            let r = match (i.op, &i.imm) {
                (Op::Const, crate::ir::Imm::Bits(bits)) => self.b.bits(ty, *bits),
                (Op::DdxFine | Op::DdyFine | Op::DdxCoarse | Op::DdyCoarse, _) => {
                    self.derivative(i.op, args[0])
                }
                _ => self.computed(i, ty, &args)?,
            };
            self.def(i.results[0], r);
            return Ok(());
        }
        self.emit_free(i)
    }

    /// Emits an instruction whose signature depends on more than its operation.
    fn emit_free(&mut self, i: &Inst) -> Result<()> {
        match i.op {
            Op::VarGet | Op::VarSet | Op::VarGetDyn | Op::VarSetDyn => self.access_variable(i),
            Op::LoadConstant => self.load_constant(i),
            Op::LoadInput
            | Op::LoadPatchInput
            | Op::StoreOutput
            | Op::LoadOutput
            | Op::StorePatchOutput
            | Op::LoadPatchOutput
            | Op::StorePrimitiveOutput
            | Op::LoadPrimitiveOutput
            | Op::SetMeshOutputs
            | Op::EmitMeshTasks
            | Op::EmitVertex
            | Op::EndPrimitive
            | Op::BuiltIn
            | Op::Interpolate => self.interface(i),
            Op::BufferDescriptor
            | Op::PushConstants
            | Op::Payload
            | Op::ImageDescriptor
            | Op::SampledImage => self.descriptor(i),
            Op::Offset => self.byte_offset(i),
            Op::BufferAt
            | Op::BufferParts
            | Op::AddressBuffer
            | Op::HandleBuffer
            | Op::NullImage
            | Op::HandleImage => self.pointer(i),
            Op::BufferSize => self.buffer_size(i),
            Op::LoadBuffer | Op::LoadShared => self.load(i),
            Op::StoreBuffer | Op::StoreShared => self.store(i),
            Op::AtomicBuffer | Op::AtomicShared => self.atomic(i),
            Op::ImageOp | Op::ImageWrite => self.image(i),
            Op::RayStep | Op::RayGet | Op::RayCall => self.ray(i),
            Op::ControlBarrier => self.control_barrier(),
            Op::MemoryBarrier => {
                self.b.fence();
                Ok(())
            }
            Op::Demote | Op::IsHelper => self.helpers(i),
            Op::Group | Op::Matrix => self.group(i),
            Op::Printf | Op::Abort => self.message(i),
            Op::Note => Ok(()),
            Op::Alarm => self.alarm(i),
            Op::ReadClock => self.read_clock(i),
            op => Err(Error::unsupported(format!("IR operation {}", op.name()))),
        }
    }

    fn load_ctx(&mut self, ty: Ty, offset: usize) -> Lane {
        self.b.load(ty, self.ctx, offset as i32)
    }
}
