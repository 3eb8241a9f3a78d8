//! Finds samplers and images that do not fit an instruction: depth comparison without a comparing sampler, unnormalized
//! coordinates with an implicit level of detail.

use std::sync::{Arc, PoisonError, RwLock};

use crate::events::SamplerState;
use quadrille_jit::abi::{ImageArgs, ImageView};
use quadrille_jit::interp::watch::{Bound, View, lanes};
use quadrille_jit::ir::{ImageDim, ImageOp, ImageOpKind, Imm, Inst, LodMode, Op, Shader, Value, each_inst};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::kind::Kind;
use crate::memory::{Names, Written, key};
use crate::pending::Pending;
use crate::place;
use crate::report::Report;

/// Samplers of a device, by number.
#[derive(Default)]
pub struct Samplers(RwLock<FxHashMap<u32, SamplerState>>);

impl Samplers {
    /// Records the sampler with this number.
    pub fn told(&self, number: u32, state: SamplerState) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(number, state);
    }

    fn of(&self, number: u64) -> Option<SamplerState> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.get(&u32::try_from(number).ok()?).copied()
    }
}

/// Bindings whose images or samplers a shader uses for depth comparison.
#[derive(Debug, Default)]
pub struct Compared(FxHashSet<(u32, u32)>);

impl Compared {
    /// Analyzes a shader.
    pub fn of(shader: &Shader) -> Compared {
        let mut handles: FxHashMap<Value, Vec<(u32, u32)>> = FxHashMap::default();
        let mut found = FxHashSet::default();
        each_inst(&shader.body, &mut |inst| match (inst.op, &inst.imm) {
            (Op::ImageDescriptor, &Imm::Binding { set, binding, .. }) => {
                handles.insert(inst.results[0], vec![(set, binding)]);
            }
            (Op::SampledImage, _) => {
                let of = inst.args.iter().filter_map(|a| handles.get(a)).flatten().copied().collect();
                handles.insert(inst.results[0], of);
            }
            (Op::ImageOp, Imm::Image(op)) if op.dref => {
                found.extend(inst.args.first().and_then(|a| handles.get(a)).into_iter().flatten());
            }
            _ => {}
        });
        Compared(found)
    }

    /// True if a bound resource does not fit an instruction of the shader.
    pub fn wrongly(&self, samplers: &Samplers, written: &Written, bound: &[Bound]) -> bool {
        bound.iter().any(|bound| match *bound {
            Bound::Buffer(_) => false,
            Bound::Image { binding, record, .. } => {
                self.0.contains(&binding) && written.view(record).is_some_and(|texels| !texels.depth)
            }
            Bound::Sampler { binding, number } => samplers
                .of(number)
                .is_some_and(|s| s.unnormalized || self.0.contains(&binding) && !s.compares),
        })
    }
}

/// Error of an instruction with an image and a sampler, if any.
type Verdict = Option<(Kind, &'static str)>;

/// Sampling checks of a call.
pub struct Sampling {
    pending: Pending,
    names: Arc<Names>,
    samplers: Arc<Samplers>,
    written: Arc<Written>,
    /// Results by address of the instruction, record of the view, and number of the sampler.
    judged: FxHashMap<(usize, usize, u32), Verdict>,
}

impl Sampling {
    /// Creates the checks of a call.
    pub fn new(
        pending: Pending,
        names: &Arc<Names>,
        samplers: &Arc<Samplers>,
        written: &Arc<Written>,
    ) -> Sampling {
        Sampling {
            pending,
            names: names.clone(),
            samplers: samplers.clone(),
            written: written.clone(),
            judged: FxHashMap::default(),
        }
    }

    /// Called after an instruction has accessed an image.
    pub fn image(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        op: &ImageOp,
        args: &ImageArgs,
        view: Option<&ImageView>,
    ) {
        if view.is_none() || !matches!(op.kind, ImageOpKind::Sample | ImageOpKind::Gather) {
            return;
        }
        let place = (std::ptr::from_ref(inst).addr(), args.view.addr(), args.sampler);
        let (samplers, written) = (&self.samplers, &self.written);
        let verdict = *self.judged.entry(place).or_insert_with(|| {
            let depth = written.view(place.1 as u64).map(|texels| texels.depth);
            judge(op, samplers.of(place.2.into())?, depth, is_projected(at, inst), at.shader().is_kernel)
        });
        let Some((kind, why)) = verdict else { return };
        for lane in lanes(args.mask & !at.helpers()) {
            let what = self.names.resource("image", inst.args[0], at, lane);
            let key = key(at, inst, Some(&what), kind);
            self.pending.add(at, lane, key, || {
                let (frame, calls) = place::frames(at.shader(), inst.src, inst.op.name());
                let report = Report::new(kind, format!("{what} {why}")).at(frame).about(what);
                Report { called_from: calls, ..report }
            });
        }
    }
}

/// Checks an operation with a sampler and an image.
/// Spec: GLSL 4.60, "Texture Functions"; Vulkan, VUID-vkCmdDraw-None-06479, 08609, 08610, 08611.
fn judge(
    op: &ImageOp,
    sampler: SamplerState,
    depth: Option<bool>,
    projected: bool,
    is_kernel: bool,
) -> Verdict {
    if op.dref && !sampler.compares {
        return Some((
            Kind::ComparisonDisabled,
            "is compared with a reference, but its sampler has comparison disabled",
        ));
    }
    if op.dref && depth == Some(false) {
        return Some((Kind::ComparisonOfColor, "is compared with a reference, but its format has no depth"));
    }
    // Kernels sample images of every kind by texel.
    if !sampler.unnormalized || op.kind != ImageOpKind::Sample || is_kernel {
        return None;
    }
    let why = match (op.lod, op.dim) {
        (_, ImageDim::D3 | ImageDim::Cube) => {
            "is not a 1D or 2D image, but its sampler has unnormalized coordinates"
        }
        _ if op.arrayed => "has layers, but its sampler has unnormalized coordinates",
        (LodMode::Implicit | LodMode::Bias, _) => {
            "is sampled with an implicit level of detail or a bias, but its sampler has unnormalized coordinates"
        }
        _ if op.dref => "is compared with a reference, but its sampler has unnormalized coordinates",
        _ if projected => "is sampled with a projection, but its sampler has unnormalized coordinates",
        _ if op.offset => "is sampled with an offset, but its sampler has unnormalized coordinates",
        _ => return None,
    };
    Some((Kind::UnnormalizedSampling, why))
}

/// True if the module's instruction divides the coordinates by the last one.
fn is_projected(at: &View<'_>, inst: &Inst) -> bool {
    const PROJ: [std::ops::RangeInclusive<u32>; 2] = [91..=94, 309..=312];
    let debug = at.shader().debug.as_deref();
    let word = debug.and_then(|d| d.words.get(d.place(inst.src)?.word as usize));
    word.is_some_and(|word| PROJ.iter().any(|ops| ops.contains(&(word & 0xffff))))
}
