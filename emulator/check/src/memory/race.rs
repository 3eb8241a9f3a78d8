//! Finds data races: unordered accesses to one place of which one writes and not both are atomic.
//!
//! Workgroup memory and the payload are checked within a unit (mesh shaders start after their payload is complete).
//! Buffers and images are checked across a whole dispatch or draw of shaders that write memory. If only explicit
//! barriers order commands, they are also checked between commands, including the accesses of the commands themselves:
//! `race_commands`.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::events;
use quadrille_jit::abi::ImageArgs;
use quadrille_jit::interp::watch::{
    AccessKind, MemoryAccess, Range, Space, Touch, View, end_of_access, lanes,
};
use quadrille_jit::ir::{AtomicOp, ImageDim, ImageOp, ImageOpKind, Inst, ResourceKind, Shader, Stage, Ty};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::Memory;
use super::bounds::does;
use super::commands::Commands;
use super::initial::texel;
use super::logs::Logs;
use super::model::Verdict;
use super::names::is_in;
use super::order::{Releases, Sort};
use super::scopes::{of_heap, of_shader};
use super::shadow::{Access, Cell, Shadow};
use super::sites::Site;
use crate::kind::Kind;
use crate::pending::Where;
use crate::place;
use crate::report::{Invocation, Other, Report};
use crate::values::Values;

/// Address of the payload in the address space of workgroup memory, beyond its largest size.
const PAYLOAD: u64 = 1 << 40;

/// State of the running dispatch or draw.
#[derive(Default)]
pub struct Races(Mutex<Found>);

impl std::fmt::Debug for Races {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Races")
    }
}

/// Accesses recorded so far.
#[derive(Default)]
pub struct Found {
    pub(super) memory: Shadow,
    texels: FxHashMap<(u64, [u32; 5]), Cell>,
    /// Images that samplers at a site have read.
    pub(super) sampled: FxHashSet<(u32, u64)>,
    sites: Sites,
    pub(super) releases: Releases,
    /// Synchronization of shaders that use the Vulkan memory model.
    logs: Logs,
    pub(super) commands: Commands,
    units: u32,
    pub(super) carried: bool,
    /// True if the current draw reads input attachments in rasterization order.
    in_order: bool,
}

/// Sites of accesses.
#[derive(Default)]
struct Sites {
    /// By instruction, command, and `true` for accesses that write: an atomic may do both.
    known: FxHashMap<(usize, u32, bool), u32>,
    list: Vec<Arc<Site>>,
}

/// Two accesses that race.
struct Met {
    /// True if the earlier access writes.
    wrote: bool,
    before: Access,
    now: Access,
    verdict: Verdict,
}

impl Races {
    /// Starts the next dispatch or draw; `ordered` is true if it is ordered after all earlier ones.
    pub fn next_step(&self, step: u64, ordered: bool) {
        let mut found = self.lock();
        if ordered {
            let explicit = found.commands.explicit;
            *found = Found::default();
            found.commands.begin(explicit);
        }
        found.commands.step(step as u32);
        // After unordered writes, even shaders that only read memory must be checked.
        found.carried = !ordered && (!found.sites.list.is_empty() || found.commands.writes());
        found.releases.clear();
        found.logs.clear();
        found.releases.step = step as u32;
    }

    /// Starts a command list.
    pub fn begins(&self, explicit: bool) {
        let mut found = self.lock();
        if !explicit || !found.commands.explicit {
            *found = Found::default();
        }
        found.commands.begin(explicit);
    }

    /// Records the shaders of the next dispatch or draw.
    pub fn runs(&self, runs: &events::Runs<'_>) {
        self.lock().in_order = runs.reads_in_order;
    }

    /// True if accesses of the running shader may race with earlier commands, so that reads must be checked too.
    pub fn may_meet_commands(&self) -> bool {
        let found = self.lock();
        found.commands.explicit && found.carried
    }

    /// Calls a function with the locked synchronization state.
    pub(super) fn with_order<R>(&self, with: impl FnOnce(&mut Releases, &mut Logs) -> R) -> R {
        let Found { releases, logs, .. } = &mut *self.lock();
        with(releases, logs)
    }

    /// Returns a number for a unit without one.
    pub(super) fn next_unit(&self) -> u32 {
        let mut found = self.lock();
        found.units += 1;
        found.units
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Found> {
        // A panic in another thread leaves the cells consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Found {
    pub(super) fn at(&self, access: &Access) -> Option<&Arc<Site>> {
        self.site_of(access.site)
    }

    pub(super) fn site_of(&self, number: u32) -> Option<&Arc<Site>> {
        self.sites.list.get((number as usize).checked_sub(1)?)
    }

    /// Sets the name of the resource of a site, unless it is known.
    fn name(&self, number: u32, name: impl FnOnce() -> String) {
        self.site_of(number).map(|site| site.resource.get_or_init(name));
    }

    /// Forgets all accesses of shaders.
    pub(super) fn forget_shaders(&mut self) {
        self.memory = Shadow::default();
        self.texels.clear();
        self.sampled.clear();
        self.sites = Sites::default();
    }

    pub(super) fn site(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        kind: AccessKind,
        resource: Option<ResourceKind>,
    ) -> u32 {
        let shader = at.shader();
        let by = match resource {
            // The only uniform buffers of a shader with heaps are the heaps.
            Some(ResourceKind::UniformBuffer) if shader.has_heaps => of_heap(shader.stage),
            _ => of_shader(shader.stage, resource, writes(kind)),
        };
        self.site_by((at, inst), kind, by)
    }

    /// As [`Self::site`], with the stage and the access.
    fn site_by(&mut self, (at, inst): (&View<'_>, &Inst), kind: AccessKind, by: events::Access) -> u32 {
        let sites = &mut self.sites;
        let key = (std::ptr::from_ref(inst).addr(), self.releases.step, writes(kind));
        if let Some(&known) = sites.known.get(&key) {
            return known;
        }
        let (frame, _) = place::frames(at.shader(), inst.src, inst.op.name());
        let shader = at.shader();
        let size = |n: [u32; 3]| n.map(|n| n.max(1));
        let grid = (shader.stage == Stage::Compute)
            .then(|| [size(shader.local_size), size(at.ctx().num_workgroups), at.ctx().base_workgroup]);
        let who =
            Invocation { step: self.releases.step.into(), ..Invocation::new(shader.stage, &shader.name) };
        let (place, resource) = (Where::line(at.shader(), inst.src, key.0), OnceLock::new());
        sites.list.push(Arc::new(Site {
            inst: key.0,
            place,
            frame,
            what: does(kind),
            who,
            by,
            grid,
            resource,
        }));
        let number = sites.list.len() as u32;
        sites.known.insert(key, number);
        number
    }
}

/// True if accesses of a shader may race with each other or, in a ray tracing pipeline, with those of other shaders.
fn may_race(shader: &Shader) -> bool {
    shader.writes_memory || shader.stage.is_of_rays()
}

/// True if an access writes.
fn writes(kind: AccessKind) -> bool {
    !matches!(kind, AccessKind::Read | AccessKind::Atomic(AtomicOp::Load))
}

/// True if an access reads.
fn reads(kind: AccessKind) -> bool {
    !matches!(kind, AccessKind::Write | AccessKind::Atomic(AtomicOp::Store))
}

/// The access of a lane: a comparison that fails only reads. Spec: SPIR-V OpAtomicCompareExchange.
fn done(at: &View<'_>, inst: &Inst, kind: AccessKind, lane: usize) -> AccessKind {
    match (kind, inst.results.first(), inst.args.last()) {
        (AccessKind::Atomic(AtomicOp::CompareExchange), Some(&old), Some(&comparator))
            if at.value(old, lane) != at.value(comparator, lane) =>
        {
            AccessKind::Atomic(AtomicOp::Load)
        }
        _ => kind,
    }
}

/// The access of a lane to a texel, like [`done`]. The arguments have the old value, the values do not yet have it.
fn done_to_texel(
    (at, inst, lane): (&View<'_>, &Inst, usize),
    (op, args): (&ImageOp, &ImageArgs),
    kind: AccessKind,
) -> AccessKind {
    let (AccessKind::Atomic(AtomicOp::CompareExchange), Some(&comparator)) = (kind, inst.args.last()) else {
        return kind;
    };
    let (wide, comparator) = (op.texel == Ty::I64, at.value(comparator, lane));
    let high = |word: u32| if wide { word } else { 0 };
    let old = [args.texel[0][lane], high(args.texel[1][lane])];
    let fails = old != [comparator as u32, high((comparator >> 32) as u32)];
    if fails { AccessKind::Atomic(AtomicOp::Load) } else { kind }
}

/// Yields the words that contain these bytes, with the byte mask of each.
pub fn words(address: u64, bytes: u32) -> impl Iterator<Item = (u64, u8)> {
    let end = end_of_access(address, bytes);
    (address / 4..end.div_ceil(4)).map(move |word| {
        let mask = (0..4u64).filter(|b| (address..end).contains(&(word * 4 + b))).fold(0, |m, b| m | 1 << b);
        (word, mask)
    })
}

impl Memory {
    /// Applies the acquire of an atomic that a lane has executed.
    fn after_atomic(
        &mut self,
        found: &mut Found,
        at: &View<'_>,
        lane: usize,
        (sort, kind): (Sort, AccessKind),
    ) {
        let AccessKind::Atomic(op) = kind else { return };
        self.order.after_atomic(&mut found.releases, at, lane, op);
        if self.vulkan {
            self.model.after_atomic(&found.releases, (at, lane), sort, op);
        }
    }

    /// Describes the current access of a lane to a sort of memory. Accesses to the payload have no memory operands.
    fn access_now(
        &mut self,
        found: &Found,
        (at, lane): (&View<'_>, usize),
        (sort, kind): (Sort, AccessKind),
        say: bool,
    ) -> Access {
        let atomic = matches!(kind, AccessKind::Atomic(_));
        let now = Access { atomic, ..self.order.access(&found.releases, at, lane, sort) };
        if !self.vulkan || !say {
            return now;
        }
        let time = self.model.time(&found.releases, at, kind);
        Access { time, says: self.model.says(at, kind), ..now }
    }

    /// Called before a ray is traced in the acceleration structure on this memory.
    pub fn structure_read(&mut self, at: &View<'_>, inst: &Inst, lane: usize, what: &str, range: Range) {
        let races = self.races.clone();
        let mut found = races.lock();
        if found.commands.explicit {
            let (kind, resource) = (AccessKind::Read, Some(ResourceKind::AccelerationStructure));
            let site = found.site(at, inst, kind, resource);
            let what = || what.to_owned();
            // Any byte stands for the whole structure.
            let first = Range { size: range.size.min(1), ..range };
            self.race_command(&mut found, at, lane, (&what, kind, site), first);
        }
    }

    /// Called after an instruction has accessed memory.
    pub(super) fn race_access(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        access: &MemoryAccess<'_>,
        values: &mut Values,
    ) {
        let shared = access.space == Space::Workgroup;
        let push = at.push_constants();
        let races = self.races.clone();
        let mut found = races.lock();
        if !shared && !may_race(at.shader()) && !found.carried {
            return;
        }
        let resource = if shared { None } else { self.names.sort(at, inst) };
        let site = found.site(at, inst, access.kind, resource);
        for lane in lanes(access.lanes & !at.helpers()) {
            let first = access.touch(lane, 0);
            if !shared && push.size != 0 && first.range.base == push.base {
                return;
            }
            let payload = !shared && is_in(first.range, at.payload());
            if payload && at.shader().stage == Stage::Mesh {
                return;
            }
            let own = shared || payload;
            // Barriers of workgroup memory also order the payload.
            let sort = if own { Sort::Workgroup } else { Sort::Buffer };
            let kind = done(at, inst, access.kind, lane);
            let site = if kind == access.kind { site } else { found.site(at, inst, kind, resource) };
            found.name(site, || self.names.memory(at, inst, access, &first));
            self.after_atomic(&mut found, at, lane, (sort, access.kind));
            let now = self.access_now(&found, (at, lane), (sort, access.kind), !payload);
            let now = Access { site, ..now };
            for scalar in 0..access.values.len() {
                let touch = access.touch(lane, scalar);
                if !touch.inside {
                    continue;
                }
                let value = at.value(access.values[scalar], lane) as u32;
                // Key by offset, so that reports do not depend on addresses.
                let from = match (shared, payload) {
                    (true, _) => touch.offset,
                    (_, true) => PAYLOAD + touch.offset,
                    _ => touch.range.base + touch.offset,
                };
                let mut met = None;
                if !own && found.commands.explicit {
                    let names = self.names.clone();
                    let what = || {
                        let name = names.member(at, inst, access, &touch).map(|name| format!("`{name}`"));
                        name.unwrap_or_else(|| names.memory(at, inst, access, &touch))
                    };
                    let bytes = Range { base: from, size: touch.bytes.into() };
                    self.race_command(&mut found, at, lane, (&what, kind, site), bytes);
                }
                for (word, bytes) in words(from, touch.bytes) {
                    let now = Access { bytes, value, ..now };
                    let cell = if own { self.shared.cell(word) } else { found.memory.cell(word) };
                    let Some(cell) = cell else { continue };
                    let old = *cell;
                    cell.put(writes(kind), now);
                    met = met.or_else(|| self.meets(&mut found, (word, sort), &old, (&now, kind)));
                }
                if let Some(met) = met {
                    self.race_memory(&found, (at, inst), (access, &touch), &met, values);
                }
            }
        }
    }

    /// Reports a race of a scalar of an access.
    fn race_memory(
        &mut self,
        found: &Found,
        (at, inst): (&View<'_>, &Inst),
        (access, touch): (&MemoryAccess<'_>, &Touch),
        met: &Met,
        values: &mut Values,
    ) {
        let shared = access.space == Space::Workgroup;
        // The race explains the uninitialized read, so retract that report.
        if let (true, false, Some(site)) = (shared, met.wrote, found.at(&met.before)) {
            values.retract(site.inst, Kind::UninitializedWorkgroup);
        }
        let what = self.names.memory(at, inst, access, touch);
        let place = match self.names.member(at, inst, access, touch) {
            Some(name) => format!("`{name}`"),
            None => format!("byte {} of {what}", touch.offset),
        };
        let kind = if shared { Kind::RaceWorkgroup } else { Kind::RaceBuffer };
        self.race(found, at, touch.lane, (kind, access.kind), (what, place), met);
    }

    /// Returns a recorded access to the same bytes that races with the new one.
    fn meets(
        &self,
        found: &mut Found,
        (word, sort): (u64, Sort),
        cell: &Cell,
        (now, kind): (&Access, AccessKind),
    ) -> Option<Met> {
        let here = found.at(now)?.clone();
        let bytes = Range { base: word.wrapping_mul(4), size: 4 };
        let mut judge = |wrote: bool, before: &Access| {
            let (was, is) = (before.thread, now.thread);
            let ordered = if was.step != is.step && found.commands.explicit {
                let there = found.at(before).map(|there| there.by);
                // Interlocked sections of a subpass are in rasterization order, also those of different draws.
                before.atomic && now.atomic
                    || before.locked && now.locked && found.commands.shares_subpass(was.step)
                    || there.is_none_or(|by| found.commands.is_ordered(was.step, &by, &here.by, bytes))
            } else if was.step == is.step && was != is && before.says.is_vulkan() && now.says.is_vulkan() {
                // Accesses in interlocked sections are always ordered.
                if before.locked && now.locked {
                    return Verdict::Ordered;
                }
                return self.model.judge(&found.logs, sort, (before, wrote), (now, reads(kind)));
            } else {
                before.atomic && now.atomic || self.order.is_ordered(&found.releases, before, now)
            };
            if ordered { Verdict::Ordered } else { Verdict::Unordered }
        };
        let about =
            |(wrote, before): &(bool, &Access)| (*wrote || writes(kind)) && before.bytes & now.bytes != 0;
        cell.all().filter(about).find_map(|(wrote, before)| {
            let verdict = judge(wrote, before);
            (verdict != Verdict::Ordered).then_some(Met { wrote, before: *before, now: *now, verdict })
        })
    }

    /// Called after an instruction has accessed texels.
    pub(super) fn race_image(&mut self, at: &View<'_>, inst: &Inst, op: &ImageOp, args: &ImageArgs) {
        let kind = match op.kind {
            ImageOpKind::Read | ImageOpKind::Fetch => AccessKind::Read,
            ImageOpKind::Write => AccessKind::Write,
            ImageOpKind::Atomic(op) => AccessKind::Atomic(op),
            ImageOpKind::Sample | ImageOpKind::Gather => return self.race_sampler(at, inst, args),
            _ => return,
        };
        let races = self.races.clone();
        let mut found = races.lock();
        // Images that are only fetched are normally written only by other commands.
        let input = op.dim == ImageDim::SubpassData;
        let reads = (input || op.kind == ImageOpKind::Fetch) && !found.commands.explicit;
        if reads || !may_race(at.shader()) && !found.carried && !input {
            return;
        }
        let texels = self.lookup.view(args.view.addr() as u64);
        let [read, by] = [false, writes(kind)]
            .map(|writes| self.by_of_image((at, inst), op, args, (writes, found.in_order)));
        let site = found.site_by((at, inst), kind, by);
        let n = op.dim.coords() as usize + usize::from(op.arrayed);
        let names = self.names.clone();
        for lane in lanes(args.mask & !at.helpers()) {
            self.after_atomic(&mut found, at, lane, (Sort::Image, kind));
            let done = done_to_texel((at, inst, lane), (op, args), kind);
            let site = if done == kind { site } else { found.site_by((at, inst), done, read) };
            let mut hasher = FxHasher::default();
            (0..4).for_each(|c| args.texel[c][lane].hash(&mut hasher));
            let now = Access {
                site,
                value: if writes(done) { hasher.finish() as u32 } else { 0 },
                ..self.access_now(&found, (at, lane), (Sort::Image, kind), true)
            };
            let kind = done;
            let mut place = [0; 5];
            (0..n.min(4)).for_each(|c| place[c] = args.coord[c][lane]);
            place[4] = if op.multisampled { args.sample[lane] } else { 0 };
            let what = || names.resource("image", inst.args[0], at, lane);
            found.name(site, what);
            let name = || {
                let list: Vec<String> = place[..n.min(4)].iter().map(u32::to_string).collect();
                format!("texel ({}) of {}", list.join(", "), what())
            };
            // If the memory of the texels is known, check it there, because other views and commands may access it too.
            let mut met = None;
            match &texels {
                Some(texels) => {
                    let Some(bytes) = texel(texels, op, args, lane) else { continue };
                    for (word, mask) in words(bytes.base, bytes.size as u32) {
                        let now = Access { bytes: mask, ..now };
                        let Some(cell) = found.memory.cell(word) else { continue };
                        let old = *cell;
                        cell.put(writes(kind), now);
                        met = met.or_else(|| self.meets(&mut found, (word, Sort::Image), &old, (&now, kind)));
                    }
                    self.race_command(&mut found, at, lane, (&name, kind, site), bytes);
                }
                None => {
                    let now = Access { bytes: 1, ..now };
                    let cell = found.texels.entry((args.view.addr() as u64, place)).or_default();
                    let old = *cell;
                    cell.put(writes(kind), now);
                    met = self.meets(&mut found, (0, Sort::Image), &old, (&now, kind));
                }
            }
            if let Some(met) = met {
                self.race(&found, at, lane, (Kind::RaceImage, kind), (what(), name()), &met);
            }
        }
    }

    fn race(
        &mut self,
        found: &Found,
        at: &View<'_>,
        lane: usize,
        (kind, access): (Kind, AccessKind),
        (what, place): (String, String),
        met: &Met,
    ) {
        let Met { wrote, ref before, ref now, verdict } = *met;
        let kind = match verdict {
            _ if before.thread.step != now.thread.step => Kind::RaceCommands,
            Verdict::Private { .. } => Kind::RacePrivate,
            Verdict::NotAvailable(_) | Verdict::NotVisible(_) => Kind::RaceVisibility,
            Verdict::Ordered | Verdict::Unordered => kind,
        };
        let alone = kind != Kind::RaceCommands || !found.commands.explicit;
        let same = wrote && writes(access) && before.value == now.value && !before.atomic && !now.atomic;
        let same = same && alone;
        let kind = if same { Kind::RaceSameValue } else { kind };
        if !self.session.reports.wants(kind) {
            return;
        }
        let (Some(then), Some(here)) = (found.at(before).cloned(), found.at(now).cloned()) else { return };
        let missing = self.missing_between(found, (before, &then.by), (now, &here.by));
        // Report each pair of sites once, at the first site, whichever access came second. Commands have an order, and the
        // name is that of the later access.
        let (one, two) = ((here, now), (then, before));
        let swap = before.thread.step == now.thread.step && two.0.frame < one.0.frame;
        let (one, two) = if swap { (two, one) } else { (one, two) };
        let order = if swap { one.0.order(one.1) } else { place::order(at, lane) };
        let key = (one.0.place, two.0.number(&what), kind);
        let who = place::who(at, lane, self.session.step());
        self.pending.add_as((at, lane, order), key, || {
            let by = if kind == Kind::RaceCommands { "command" } else { "invocation" };
            let (here, there) = (one.0.what, two.0.what);
            let why = verdict.why();
            let through = one.0.aliased(&two.0);
            let message =
                format!("{place} is {here} here and {there} by another {by}{through}, and {why}{missing}");
            let of =
                |site: &Site, access: &Access, own: bool| if own { who.clone() } else { site.who(access) };
            let other = Other {
                what: format!("{there} there"),
                at: two.0.frame.clone(),
                invocation: Some(of(&two.0, two.1, swap)),
            };
            let report = Report::new(kind, message).at(one.0.frame.clone()).about(what);
            report.by(of(&one.0, one.1, !swap)).other(other)
        });
    }
}
