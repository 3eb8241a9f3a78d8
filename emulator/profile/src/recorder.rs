//! Counting: a watcher of interpreted shaders.
//!
//! Each call of a lane function has its own counts, which are added up when it ends. Calls on several threads thus do
//! not wait for each other, and sums do not depend on their order.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use quadrille_jit::abi::{ImageArgs, ImageView};
use quadrille_jit::interp::watch::{
    AccessKind, Call, Invocation, MemoryAccess, Observer, Space, View, Watch, lanes,
};
use quadrille_jit::ir::debug::Debug;
use quadrille_jit::ir::{If, ImageOp, Inst, Op, Shader, Ty};
use rustc_hash::FxHashMap;

use crate::cost::Profile;
use crate::counts::{Totals, walk};
use crate::coverage::Coverage;
use crate::heat::Heat;
use crate::names::Names;
use crate::{lined, lines};

/// Counts of an entry point.
pub(crate) struct Tally {
    pub shader: Arc<Shader>,
    /// Indices of instructions and branches by address, which is unique while the shader lives.
    numbers: FxHashMap<usize, u32>,
    pub totals: Mutex<Totals>,
    /// Debug information with lines, once it is needed.
    lined: OnceLock<Option<Arc<Debug>>>,
}

fn address<T>(of: &T) -> usize {
    std::ptr::from_ref(of) as usize
}

impl Tally {
    fn new(shader: &Arc<Shader>) -> Tally {
        let mut numbers = FxHashMap::default();
        let (mut insts, mut branches) = (Vec::new(), Vec::new());
        walk(&shader.body, &mut |i| insts.push(address(i)), &mut |b| branches.push(address(b)));
        for list in [&insts, &branches] {
            numbers.extend(list.iter().enumerate().map(|(i, address)| (*address, i as u32)));
        }
        let totals = Mutex::new(Totals::new(insts.len(), branches.len()));
        Tally { shader: shader.clone(), numbers, totals, lined: OnceLock::new() }
    }

    /// The debug information of the shader, with lines.
    fn debug(&self) -> Option<&Debug> {
        let shader = &self.shader;
        let lined = || shader.debug.as_ref().map(|debug| lined::lined(shader.stage, debug));
        self.lined.get_or_init(lined).as_deref()
    }

    pub fn lock(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Optional counts of a recorder.
#[derive(Clone, Copy, Debug, Default)]
struct Wanted {
    heat: bool,
    texels: Option<Texels>,
}

/// Bytes of texels that a call of an image routine reads and writes. The owner of images provides this function.
pub type Texels = fn(&ImageArgs) -> [u64; 2];

/// Watches shaders and counts their execution.
#[derive(Default)]
pub struct Recorder {
    wanted: Wanted,
    /// By address of the shader.
    tallies: Mutex<FxHashMap<usize, Arc<Tally>>>,
    heat: Arc<Mutex<Heat>>,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("wanted", &self.wanted).finish_non_exhaustive()
    }
}

impl Recorder {
    /// A recorder without counts.
    pub fn new() -> Recorder {
        Recorder::default()
    }

    /// A recorder that also counts by pixel, or by invocation of a dispatch.
    pub fn with_heat() -> Recorder {
        Recorder { wanted: Wanted { heat: true, texels: None }, ..Recorder::default() }
    }

    /// Also counts bytes of texels.
    pub fn with_texels(self, texels: Texels) -> Recorder {
        Recorder { wanted: Wanted { texels: Some(texels), ..self.wanted }, ..self }
    }

    fn tally(&self, shader: &Arc<Shader>) -> Arc<Tally> {
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        // The tally keeps the shader alive, so that no other shader has its address.
        let tally = tallies.entry(Arc::as_ptr(shader) as usize);
        tally.or_insert_with(|| Arc::new(Tally::new(shader))).clone()
    }

    fn tallies(&self) -> Vec<Arc<Tally>> {
        self.tallies.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Coverage so far.
    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        self.tallies().iter().for_each(|t| coverage.add(&lines::coverage(&t.shader, t.debug(), &t.lock())));
        coverage
    }

    /// Returns the coverage so far, one for each shader, and forgets it, together with shaders that have no other owner.
    /// Shaders with different texts may give these one name.
    pub fn take_coverage(&self) -> Vec<Coverage> {
        let take = |tally: &Arc<Tally>| {
            let mut totals = tally.lock();
            let coverage = lines::coverage(&tally.shader, tally.debug(), &totals);
            *totals = Totals::new(totals.insts.len(), totals.branches.len());
            coverage
        };
        let coverage = self.tallies().iter().map(take).collect();
        // Lane functions that can still run hold their shaders.
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        tallies.retain(|_, tally| Arc::strong_count(&tally.shader) > 1);
        drop(tallies);
        coverage
    }

    /// Cost so far.
    pub fn profile(&self) -> Profile {
        let (mut profile, mut names, tallies) = (Profile::default(), Names::default(), self.tallies());
        tallies.iter().filter_map(|t| t.debug()).for_each(|debug| names.add(debug));
        for t in &tallies {
            lines::cost(&mut profile, &t.shader, (t.debug(), &names), &t.lock());
        }
        profile
    }

    /// Cost of each pixel so far.
    pub fn heat(&self) -> Heat {
        self.heat.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Watch for Recorder {
    fn built(&self, shader: &Arc<Shader>) {
        self.tally(shader);
    }

    fn begin(&self, call: &Call<'_>) -> Option<Box<dyn Observer>> {
        let tally = self.tally(call.shader);
        let (n_insts, n_branches) = {
            let totals = tally.lock();
            (totals.insts.len(), totals.branches.len())
        };
        let heat = self.wanted.heat.then(|| self.heat.clone());
        let counted = Totals::new(n_insts, n_branches);
        Some(Box::new(Counter {
            tally,
            counted,
            texels: self.wanted.texels,
            at: 0,
            heat,
            places: FxHashMap::default(),
            spent: Vec::new(),
        }))
    }
}

/// Counts of one call.
struct Counter {
    tally: Arc<Tally>,
    counted: Totals,
    texels: Option<Texels>,
    /// Index of the current instruction.
    at: usize,
    heat: Option<Arc<Mutex<Heat>>>,
    /// Operations by pixel, or by position of the invocation.
    places: FxHashMap<[i32; 2], u64>,
    /// Operations of each lane, for each group of the unit.
    spent: Vec<[u64; 32]>,
}

impl Counter {
    fn number<T>(&self, of: &T) -> Option<usize> {
        self.tally.numbers.get(&address(of)).map(|n| *n as usize)
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.tally.lock().add(&self.counted);
        if let Some(heat) = &self.heat {
            heat.lock().unwrap_or_else(PoisonError::into_inner).add(&self.places);
        }
    }
}

/// Position of an invocation in a picture of the work, if it has one.
fn place(shader: &Shader, invocation: Invocation) -> Option<[i32; 2]> {
    match invocation {
        Invocation::Fragment { pixel, helper: false, .. } => Some(pixel),
        Invocation::Workgroup { workgroup, local } => {
            let at = |i: usize| {
                let all = u64::from(workgroup[i]) * u64::from(shader.local_size[i]) + u64::from(local[i]);
                i32::try_from(all).ok()
            };
            Some([at(0)?, at(1)?])
        }
        Invocation::Ray { launch: [x, y, _] } => Some([i32::try_from(x).ok()?, i32::try_from(y).ok()?]),
        _ => None,
    }
}

impl Observer for Counter {
    fn unit(&mut self, _unit: u32, groups: u32) {
        if self.heat.is_some() {
            self.spent.clear();
            self.spent.resize(groups.max(1) as usize, [0; 32]);
        }
    }

    fn start(&mut self, at: &View<'_>) {
        self.counted.invocations += u64::from((at.full() & !at.helpers()).count_ones());
    }

    fn before(&mut self, at: &View<'_>, inst: &Inst) {
        let Some(n) = self.number(inst) else { return };
        self.at = n;
        let counts = &mut self.counted.insts[n];
        if inst.op == Op::Note {
            counts.hits += u64::from((at.active() & !at.helpers()).count_ones());
            return;
        }
        counts.issued += 1;
        counts.lanes += u64::from(at.lanes());
        counts.active += u64::from(at.active().count_ones());
        let there = at.active() & !at.helpers();
        counts.hits += u64::from(there.count_ones());
        if let (true, Some(&first)) = (lines::chooses(inst.op), inst.args.first())
            && at.shader().ty(first) == Ty::Bool
        {
            counts.held += lanes(there).filter(|lane| at.value(first, *lane) & 1 == 1).count() as u64;
        }
        if self.heat.is_some()
            && let Some(spent) = self.spent.get_mut(at.group() as usize)
        {
            lanes(at.active()).for_each(|lane| spent[lane] += 1);
        }
    }

    fn memory(&mut self, _at: &View<'_>, _inst: &Inst, access: &MemoryAccess<'_>) {
        let bytes: u64 = access.touches().filter(|t| t.inside).map(|t| u64::from(t.bytes)).sum();
        let space = match access.space {
            Space::Buffer => 0,
            Space::Workgroup => 1,
        };
        let Some(counts) = self.counted.insts.get_mut(self.at) else { return };
        if !matches!(access.kind, AccessKind::Write) {
            counts.read[space] += bytes;
        }
        if !matches!(access.kind, AccessKind::Read) {
            counts.written[space] += bytes;
        }
    }

    fn image(
        &mut self,
        _at: &View<'_>,
        _inst: &Inst,
        _op: &ImageOp,
        args: &ImageArgs,
        view: Option<&ImageView>,
    ) {
        let texels = self.texels.filter(|_| view.is_some()).map_or([0; 2], |bytes| bytes(args));
        if let Some(counts) = self.counted.insts.get_mut(self.at) {
            counts.images += u64::from(args.mask.count_ones());
            (0..2).for_each(|i| counts.texels[i] += texels[i]);
        }
    }

    fn branch(&mut self, at: &View<'_>, node: &If, taken: u32) {
        if let Some(n) = self.number(node) {
            let there = at.active() & !at.helpers();
            let [then, els] = &mut self.counted.branches[n];
            *then += u64::from((there & taken).count_ones());
            *els += u64::from((there & !taken).count_ones());
        }
    }

    fn finish(&mut self, at: &View<'_>) {
        if self.heat.is_none() {
            return;
        }
        let Some(spent) = self.spent.get(at.group() as usize).copied() else { return };
        for lane in lanes(at.full()) {
            if let Some(place) = place(at.shader(), at.invocation(lane)) {
                *self.places.entry(place).or_default() += spent[lane];
            }
        }
    }
}
