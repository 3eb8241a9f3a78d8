//! Accesses to one place, of which one writes and not both are atomic, that nothing orders.
//!
//! Workgroup memory is that of a unit; buffers and images are looked at for a whole dispatch or draw, of shaders that
//! write memory. Reads by samplers are not looked at, and texels are known by the view that leads to them.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrille_jit::abi::{ImageArgs, ImageView};
use quadrille_jit::interp::watch::{AccessKind, MemoryAccess, Space, View, lanes};
use quadrille_jit::ir::{AtomicOp, ImageOp, ImageOpKind, Inst, Stage};
use rustc_hash::{FxHashMap, FxHasher};

use super::Memory;
use super::bounds::does;
use super::order::{Releases, Sort};
use super::shadow::{Access, Cell, Shadow};
use crate::kind::Kind;
use crate::place;
use crate::report::{Frame, Invocation, Other, Report};
use crate::values::Values;

/// What is known of the dispatch or draw that is running.
#[derive(Default)]
pub struct Races(Mutex<Found>);

impl std::fmt::Debug for Races {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Races")
    }
}

/// Accesses so far.
#[derive(Default)]
pub struct Found {
    memory: Shadow,
    texels: FxHashMap<(u64, [u32; 5]), Cell>,
    sites: Sites,
    releases: Releases,
    units: u32,
    carried: bool,
}

/// Places of accesses.
#[derive(Default)]
struct Sites {
    known: FxHashMap<(usize, u32), u32>,
    list: Vec<Arc<Site>>,
}

/// A place of accesses.
struct Site {
    /// Address of the instruction.
    inst: usize,
    frame: Frame,
    what: &'static str,
    who: Invocation,
    /// Of compute shaders: size of a workgroup, of the dispatch, and number of the first workgroup.
    grid: Option<[[u32; 3]; 3]>,
}

impl Races {
    /// The next dispatch or draw begins; `ordered` after all before.
    pub fn next_step(&self, step: u64, ordered: bool) {
        let mut found = self.lock();
        if ordered {
            *found = Found::default();
        }
        // What a shader that only reads memory does is of interest after one that writes, and nothing between.
        found.carried = !ordered && !found.sites.list.is_empty();
        found.releases.of_units.clear();
        found.releases.step = step as u32;
    }

    /// A number for what has none.
    pub(super) fn next_unit(&self) -> u32 {
        let mut found = self.lock();
        found.units += 1;
        found.units
    }

    fn lock(&self) -> MutexGuard<'_, Found> {
        // A panic elsewhere leaves cells as they were.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Found {
    fn at(&self, access: &Access) -> Option<&Arc<Site>> {
        self.sites.list.get((access.site as usize).checked_sub(1)?)
    }

    fn site(&mut self, at: &View<'_>, inst: &Inst, kind: AccessKind) -> u32 {
        let sites = &mut self.sites;
        let key = (std::ptr::from_ref(inst).addr(), self.releases.step);
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
        sites.list.push(Arc::new(Site { inst: key.0, frame, what: does(kind), who, grid }));
        let number = sites.list.len() as u32;
        sites.known.insert(key, number);
        number
    }
}

/// Whether an access writes.
fn writes(kind: AccessKind) -> bool {
    !matches!(kind, AccessKind::Read | AccessKind::Atomic(AtomicOp::Load))
}

/// Words that bytes are in, with which bytes of each.
fn words(address: u64, bytes: u32) -> impl Iterator<Item = (u64, u8)> {
    let end = address + u64::from(bytes);
    (address / 4..end.div_ceil(4)).map(move |word| {
        let mask = (0..4u64).filter(|b| (address..end).contains(&(word * 4 + b))).fold(0, |m, b| m | 1 << b);
        (word, mask)
    })
}

impl Memory {
    /// An instruction has accessed memory.
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
        if !shared && !at.shader().writes_memory && !found.carried {
            return;
        }
        let site = found.site(at, inst, access.kind);
        let sort = if shared { Sort::Workgroup } else { Sort::Buffer };
        for lane in lanes(access.lanes & !at.helpers()) {
            let first = access.touch(lane, 0);
            if !shared && push.size != 0 && first.range.base == push.base {
                return;
            }
            if let AccessKind::Atomic(op) = access.kind {
                self.order.atomic(&mut found.releases, at, lane, op);
            }
            let now = Access {
                site,
                atomic: matches!(access.kind, AccessKind::Atomic(_)),
                ..self.order.access(&found.releases, at, lane, sort)
            };
            for scalar in 0..access.values.len() {
                let touch = access.touch(lane, scalar);
                if !touch.inside {
                    continue;
                }
                let value = at.value(access.values[scalar], lane) as u32;
                // Workgroup memory by its offset, so that reports are the same everywhere.
                let from = if shared { touch.offset } else { touch.range.base + touch.offset };
                let mut met = None;
                for (word, bytes) in words(from, touch.bytes) {
                    let now = Access { bytes, value, ..now };
                    let cell = if shared { self.shared.cell(word) } else { found.memory.cell(word) };
                    let Some(cell) = cell else { continue };
                    let old = *cell;
                    cell.put(writes(access.kind), now);
                    met =
                        met.or_else(|| self.meets(&found, &old, &now, writes(access.kind)).map(|m| (m, now)));
                }
                if let Some(((wrote, before), now)) = met {
                    // That nobody had written what was read then is a matter of luck.
                    if let (true, false, Some(site)) = (shared, wrote, found.at(&before)) {
                        values.retract(site.inst, Kind::UninitializedWorkgroup);
                    }
                    let names = self.names.clone();
                    let what = names.memory(at, inst, access, &touch);
                    let name = names.member(at, inst, access, &touch);
                    let kind = if shared { Kind::RaceWorkgroup } else { Kind::RaceBuffer };
                    let place = (what, name, touch.offset);
                    self.race(&found, at, lane, (kind, access.kind), place, (wrote, &before), &now);
                }
            }
        }
    }

    /// An access of before that a new one to the same bytes races with.
    fn meets(&self, found: &Found, cell: &Cell, now: &Access, writes: bool) -> Option<(bool, Access)> {
        cell.all()
            .find(|(wrote, before)| {
                (*wrote || writes)
                    && before.bytes & now.bytes != 0
                    && !(before.atomic && now.atomic)
                    && !self.order.is_ordered(&found.releases, before, now)
            })
            .map(|(wrote, before)| (wrote, *before))
    }

    /// An instruction has accessed texels of a storage image.
    pub(super) fn race_image(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        op: &ImageOp,
        args: &ImageArgs,
        _: &ImageView,
    ) {
        let kind = match op.kind {
            ImageOpKind::Read => AccessKind::Read,
            ImageOpKind::Write => AccessKind::Write,
            ImageOpKind::Atomic(op) => AccessKind::Atomic(op),
            _ => return,
        };
        let races = self.races.clone();
        let mut found = races.lock();
        if !at.shader().writes_memory && !found.carried {
            return;
        }
        let site = found.site(at, inst, kind);
        let n = op.dim.coords() as usize + usize::from(op.arrayed);
        for lane in lanes(args.mask & !at.helpers()) {
            if let AccessKind::Atomic(op) = kind {
                self.order.atomic(&mut found.releases, at, lane, op);
            }
            let mut hasher = FxHasher::default();
            (0..4).for_each(|c| args.texel[c][lane].hash(&mut hasher));
            let now = Access {
                site,
                bytes: 1,
                atomic: matches!(kind, AccessKind::Atomic(_)),
                value: if writes(kind) { hasher.finish() as u32 } else { 0 },
                ..self.order.access(&found.releases, at, lane, Sort::Image)
            };
            let mut texel = [0; 5];
            (0..n.min(4)).for_each(|c| texel[c] = args.coord[c][lane]);
            texel[4] = if op.multisampled { args.sample[lane] } else { 0 };
            let cell = found.texels.entry((args.view.addr() as u64, texel)).or_default();
            let old = *cell;
            cell.put(writes(kind), now);
            if let Some((wrote, before)) = self.meets(&found, &old, &now, writes(kind)) {
                let what = self.names.resource("image", inst.args[0], at, lane);
                let list: Vec<String> = texel[..n.min(4)].iter().map(u32::to_string).collect();
                let name = format!("texel ({}) of {what}", list.join(", "));
                let place = (what, Some(name), 0);
                self.race(&found, at, lane, (Kind::RaceImage, kind), place, (wrote, &before), &now);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "both accesses with all that is said of them")]
    fn race(
        &mut self,
        found: &Found,
        at: &View<'_>,
        lane: usize,
        (kind, access): (Kind, AccessKind),
        (what, name, offset): (String, Option<String>, u64),
        (wrote, before): (bool, &Access),
        now: &Access,
    ) {
        let kind = if before.thread.step != now.thread.step { Kind::RaceCommands } else { kind };
        let same = wrote && writes(access) && before.value == now.value && !before.atomic && !now.atomic;
        let kind = if same { Kind::RaceSameValue } else { kind };
        if !self.session.reports.wants(kind) {
            return;
        }
        let (Some(then), Some(here)) = (found.at(before).cloned(), found.at(now).cloned()) else { return };
        let place = match &name {
            Some(name) => format!("`{name}`"),
            None => format!("byte {offset} of {what}"),
        };
        // One report for two places, whichever access came second: it is at the first of them.
        let (one, two) = ((here, now), (then, before));
        let swap = two.0.frame < one.0.frame;
        let (one, two) = if swap { (two, one) } else { (one, two) };
        let order = if swap { one.0.order(one.1) } else { place::order(at, lane) };
        let key = (one.0.inst, two.0.inst as u64, kind);
        let who = place::who(at, lane, self.session.step());
        self.pending.add_in(order, key, || {
            let by = if kind == Kind::RaceCommands { "command" } else { "invocation" };
            let (here, there) = (one.0.what, two.0.what);
            let message =
                format!("{place} is {here} here and {there} by another {by}, and nothing orders the two");
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

impl Site {
    /// The numbers of who made an access here, as [`place::order`] has them.
    fn order(&self, access: &Access) -> place::Order {
        let mut order = place::Order::default();
        let ids = self.who(access).ids;
        for (to, (_, from)) in order.chunks_mut(3).zip(&ids) {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        }
        order
    }

    /// Who made an access here.
    fn who(&self, access: &Access) -> Invocation {
        let Some([size, groups, base]) = self.grid else { return self.who.clone() };
        let place = |k: u32, [x, y, _]: [u32; 3]| [k % x, k / x % y, k / x / y];
        let id = place(access.thread.unit, groups);
        let workgroup: [u32; 3] = std::array::from_fn(|i| base[i].wrapping_add(id[i]));
        let local = place(access.thread.local, size);
        self.who.clone().id("workgroup", &workgroup).id("local invocation", &local)
    }
}
