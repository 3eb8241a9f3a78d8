//! Tracks memory accesses of commands, and finds those that are not ordered. Spec: Vulkan, "Synchronization and Cache
//! Control".
//!
//! An earlier command happens before a later one if a chain of barriers, subpass dependencies, events, semaphores and
//! host waits connects their stages. The later command sees the writes if one part of the chain makes them available
//! and the same or a later part makes them visible. A layout transition is a write between the two halves of its
//! barrier. Barriers of a buffer or image apply to its bytes.

use std::sync::Arc;

use crate::events::{Access, Area, Block, Dependency, Order, Part, Transition};
use quadrille_jit::interp::watch::Range;
use rustc_hash::FxHashMap;

use super::chain::{By, Missing, Place, Side, Walked};
use super::scopes::{is_attachment, is_input};
use super::timeline::Timeline;
use crate::flags;

/// A command.
#[derive(Debug, Default)]
pub struct Who {
    /// Name of the command: `vkCmdCopyBuffer`.
    pub name: String,
    /// Position of the command: `command 5 of command buffer "frame"`.
    pub place: String,
}

impl std::fmt::Display for Who {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.place.as_str() {
            "" => write!(f, "`{}`", self.name),
            place => write!(f, "`{}` ({place})", self.name),
        }
    }
}

/// Effect on memory.
#[derive(Clone, Debug)]
pub enum Does {
    /// An access.
    Access(Access),
    /// A layout transition, between the halves of these dependencies of its command.
    Transition(Box<[usize]>),
}

impl Does {
    /// Returns the effect in the form that the log uses.
    pub fn by(&self) -> By<'_> {
        match self {
            Does::Access(access) => By::Access(access),
            Does::Transition(of) => By::Transition(of),
        }
    }

    /// True if the effect writes.
    pub fn writes(&self) -> bool {
        matches!(self, Does::Transition(_) | Does::Access(Access { writes: true, .. }))
    }

    /// Describes the effect in the past tense.
    pub fn done(&self) -> &'static str {
        match self {
            Does::Transition(_) => "moved to another layout",
            does if does.writes() => "written",
            _ => "read",
        }
    }

    fn access(&self) -> Option<&Access> {
        match self {
            Does::Access(access) => Some(access),
            Does::Transition(_) => None,
        }
    }
}

/// Effect of a command on memory, other than by shaders.
#[derive(Clone)]
pub struct Done {
    /// Command that caused it.
    pub who: Arc<Who>,
    /// Memory that is affected.
    pub block: Block,
    /// Name of the resource.
    pub what: Arc<str>,
    /// Kind of effect.
    pub does: Does,
    /// Part of a render pass that caused it.
    pub part: Part,
    /// Position of the command.
    pub place: Place,
}

/// Commands, and the operations that order them.
#[derive(Default)]
pub struct Commands {
    /// True if only explicit barriers order the commands.
    pub explicit: bool,
    timeline: Timeline,
    /// Position and command of each dispatch and draw.
    steps: FxHashMap<u32, (Place, Arc<Who>)>,
    pub(super) done: Vec<Done>,
    who: Arc<Who>,
    /// For each kind of access: the effects that are not ordered before one here, the last first, and what is missing.
    loose: FxHashMap<Access, Vec<(usize, Missing)>>,
    /// For each kind of access: for each effect, how far the walk to such an access has come.
    pub(super) walks: FxHashMap<Access, Vec<Walked>>,
    /// For two kinds of access, the first by a dispatch or draw: the order that holds for all bytes; `None` if it
    /// depends on the bytes.
    known: FxHashMap<(u32, Access, Access), Option<bool>>,
}

/// Largest number of effects that are kept.
const MAX_DONE: usize = 1 << 14;

impl Commands {
    /// Starts a command list.
    pub fn begin(&mut self, explicit: bool) {
        if !explicit || !self.explicit {
            *self = Commands { explicit, ..Commands::default() };
        }
    }

    /// Records the next command.
    pub fn command(&mut self, name: &str, place: &str) {
        self.who = Arc::new(Who { name: name.into(), place: place.into() });
    }

    /// Returns the current command.
    pub fn who(&self) -> &Arc<Who> {
        &self.who
    }

    /// Returns the command of a dispatch or draw.
    pub fn who_of(&self, step: u32) -> Option<&Arc<Who>> {
        self.steps.get(&step).map(|(_, who)| who)
    }

    /// True if an earlier draw belongs to the subpass of the current one.
    pub fn shares_subpass(&self, step: u32) -> bool {
        self.steps.get(&step).is_some_and(|(place, _)| is_same_subpass(place, &self.timeline.place()))
    }

    /// Records the start of a dispatch or draw.
    pub fn step(&mut self, number: u32) {
        self.steps.insert(number, (self.timeline.place(), self.who.clone()));
        self.forget();
    }

    fn forget(&mut self) {
        self.loose.clear();
        self.known.clear();
    }

    /// Records an operation that orders commands. Returns true if no earlier access by a shader can race any more.
    pub fn order(&mut self, order: &Order<'_>) -> bool {
        self.forget();
        if !self.timeline.order(order) {
            return false;
        }
        // A new batch begins: effects known to be complete are ordered before all later commands.
        let full = self.timeline.is_full() || self.steps.len() > MAX_DONE;
        let timeline = &self.timeline;
        self.done.retain(|d| !full && !timeline.is_past(&d.place));
        self.walks.clear();
        let over = full || self.steps.values().all(|(place, _)| timeline.is_past(place));
        if over {
            self.steps.clear();
        }
        let places = self.done.iter().map(|d| &d.place).chain(self.steps.values().map(|(place, _)| place));
        let first = places.map(|p| p.at).min().unwrap_or(usize::MAX);
        self.timeline.forget_before(first.min(self.timeline.place().at - 1));
        over
    }

    /// Records the dependencies of a command, and returns its layout transitions.
    pub fn barrier(&mut self, dependencies: &[Dependency], transitions: &[Transition]) -> Vec<Done> {
        self.forget();
        let place = self.timeline.barrier(dependencies);
        let changed = |t: &Transition| Done {
            who: self.who.clone(),
            block: t.block,
            what: t.what.clone(),
            does: Does::Transition(t.of.clone()),
            part: Part::Command,
            place,
        };
        transitions.iter().map(changed).collect()
    }

    /// Describes an access of the current command to an area.
    pub fn doing(&self, area: &Area) -> Done {
        Done {
            who: self.who.clone(),
            block: area.block,
            what: area.what.clone(),
            does: Does::Access(area.by),
            part: area.part,
            place: self.timeline.place(),
        }
    }

    /// Records an effect on memory.
    pub fn put(&mut self, done: Done) {
        self.supersede(&done);
        if self.done.len() < MAX_DONE {
            self.done.push(done);
        }
        self.loose.clear();
    }

    /// Records an effect unless an equal one was recorded without a barrier in between, such as by draws to the same
    /// attachment or by shaders that sample the same image.
    pub fn put_once(&mut self, done: &Done) {
        let same = |d: &Done| {
            let one = (d.place, d.part, d.block) == (done.place, done.part, done.block);
            one && matches!((d.does.access(), done.does.access()), (Some(a), Some(b)) if a == b)
        };
        if !self.done.iter().rev().take(16).any(same) {
            self.put(done.clone());
        }
    }

    /// True if any recorded effect is a write.
    pub fn writes(&self) -> bool {
        self.done.iter().any(|d| d.does.writes())
    }

    /// Returns the missing part of the chain from an access of an earlier dispatch or draw to an access at a position.
    pub fn since(&self, step: u32, before: &Access, now: (By<'_>, Place), bytes: Range) -> Option<Missing> {
        // `None` for an unknown step.
        let (place, _) = self.steps.get(&step)?;
        let before = Side { place: *place, by: By::Access(before) };
        self.timeline.missing(before, Side { place: now.1, by: now.0 }, bytes)
    }

    /// True if an access of an earlier dispatch or draw is ordered before one at the current position.
    pub fn is_ordered(&mut self, step: u32, before: &Access, now: &Access, bytes: Range) -> bool {
        let all = Range { base: 0, size: u64::MAX };
        // If the result is the same for no bytes and for all bytes, it holds for any bytes.
        let key = (step, *before, *now);
        let known = match self.known.get(&key) {
            Some(known) => *known,
            None => {
                let place = self.timeline.place();
                let at = |bytes| self.since(step, before, (By::Access(now), place), bytes).is_none();
                let known = match (at(Range::default()), at(all)) {
                    (true, _) => Some(true),
                    (false, false) => Some(false),
                    (false, true) => None,
                };
                self.known.insert(key, known);
                known
            }
        };
        known.unwrap_or_else(|| {
            let place = self.timeline.place();
            self.since(step, before, (By::Access(now), place), bytes).is_none()
        })
    }

    /// Returns the current position.
    pub fn place(&self) -> Place {
        self.timeline.place()
    }

    pub(super) fn missing(&self, before: &Done, now: (By<'_>, Place), bytes: Range) -> Option<Missing> {
        let before = Side { place: before.place, by: before.does.by() };
        self.timeline.missing(before, Side { place: now.1, by: now.0 }, bytes)
    }

    /// Returns an effect that is not ordered before a shader's access to these bytes at the current position.
    pub fn against(&mut self, now: &Access, bytes: Range) -> Option<(&Done, Missing)> {
        if self.done.is_empty() {
            return None;
        }
        let place = self.timeline.place();
        if !self.loose.contains_key(now) {
            let Commands { done, walks, timeline, who, .. } = &mut *self;
            let walks = walks.entry(*now).or_default();
            walks.resize_with(done.len(), Walked::default);
            let mut list = Vec::new();
            for (i, (d, walked)) in done.iter().zip(walks.iter_mut()).enumerate() {
                let meets = (d.does.writes() || now.writes)
                    && !Arc::ptr_eq(&d.who, who)
                    && !is_in_subpass(d, now, &place);
                if !meets {
                    continue;
                }
                let before = Side { place: d.place, by: d.does.by() };
                let side = Side { place, by: By::Access(now) };
                let missing = timeline.still_missing(before, side, d.block.bytes(), walked);
                list.extend(missing.map(|missing| (i, missing)));
            }
            list.reverse();
            self.loose.insert(*now, list);
        }
        let loose = self.loose.get(now)?;
        let &(i, missing) = loose.iter().find(|(i, _)| self.done[*i].block.contains(bytes))?;
        Some((&self.done[i], missing))
    }

    /// Returns an earlier effect that is not ordered before `now`.
    pub fn against_done(&self, now: &Done) -> Option<(&Done, Missing)> {
        self.done.iter().rev().find_map(|d| {
            let meets = (d.does.writes() || now.does.writes())
                && d.block.overlaps(&now.block)
                && !(d.place.at == now.place.at && Arc::ptr_eq(&d.who, &now.who))
                && !now.does.access().is_some_and(|by| is_in_subpass(d, by, &now.place));
            let missing = || self.missing(d, (now.does.by(), now.place), now.block.bytes());
            Some((d, if meets { missing() } else { None }?))
        })
    }

    /// True if a shader's access needs no barrier before an effect: both belong to one command, or the shader reads an
    /// input attachment and the effect is a draw or store operation in the same subpass.
    pub fn is_in_order(&self, step: u32, before: &Access, now: &Done) -> bool {
        let Some((place, who)) = self.steps.get(&step) else { return true };
        let of_pass = matches!(now.part, Part::Draw | Part::Store);
        Arc::ptr_eq(who, &now.who) || is_same_subpass(place, &now.place) && is_input(before) && of_pass
    }
}

/// True if an effect needs no barrier before an access in the same subpass: both access attachments, or the effect is a
/// load operation.
fn is_in_subpass(before: &Done, now: &Access, place: &Place) -> bool {
    let attachment = before.does.access().is_some_and(is_attachment);
    attachment && is_same_subpass(&before.place, place) && (before.part == Part::Load || is_attachment(now))
}

fn is_same_subpass(a: &Place, b: &Place) -> bool {
    a.pass != 0 && (a.pass, a.inside) == (b.pass, b.inside)
}

/// Describes the missing part of a chain.
pub fn words(missing: Missing, before: By<'_>, now: By<'_>) -> String {
    let stages = |by: By<'_>| match by {
        By::Access(a) => flags::stages(own_stages(a)),
        By::Transition(_) => "the layout transition".into(),
    };
    let accesses = |by: By<'_>| match by {
        By::Access(a) => flags::accesses(a.access),
        By::Transition(_) => "it".into(),
    };
    let (first, second) = (stages(before), stages(now));
    match missing {
        Missing::Queues => "no semaphore or fence orders the two queues".into(),
        Missing::Barrier => format!("no barrier between them waits for {first}"),
        Missing::Second => {
            format!("the barrier that waits for {first} does not block {second}: dstStageMask")
        }
        Missing::Available => {
            format!("no barrier between them makes {} of {first} available: srcAccessMask", accesses(before))
        }
        Missing::Visible => {
            format!(
                "no barrier between them makes it visible to {} of {second}: dstAccessMask",
                accesses(now)
            )
        }
    }
}

/// Returns the stages of an access; transfers are named by their specific stages.
fn own_stages(by: &Access) -> u64 {
    let transfers = by.stages >> 32 & 0xf != 0;
    if transfers { by.stages & !super::scopes::stages::TRANSFER } else { by.stages }
}

#[cfg(test)]
mod tests {
    use crate::events::{First, Second, Submit};
    use quadrille_jit::ir::{ResourceKind, Stage};

    use super::super::scopes::of_shader;
    use super::super::scopes::stages::*;
    use super::*;

    const TRANSFER_WRITE: u64 = 1 << 12;
    const TRANSFER_READ: u64 = 1 << 11;
    const STORED: u64 = 1 << 6;
    const WORD: Range = Range { base: 100, size: 4 };

    fn side(stages: u64, access: u64, writes: bool) -> Access {
        Access { stages, access, writes }
    }

    fn barrier(src: (u64, u64), dst: (u64, u64)) -> Dependency {
        let ((src_stages, src_access), (dst_stages, dst_access)) = (src, dst);
        Dependency { src_stages, src_access, dst_stages, dst_access, ..Dependency::default() }
    }

    fn shader(writes: bool) -> Access {
        of_shader(Stage::Compute, Some(ResourceKind::StorageBuffer), writes)
    }

    fn commands() -> Commands {
        let mut commands = Commands::default();
        commands.begin(true);
        commands
    }

    fn area(block: Block, by: Access) -> Area {
        Area { block, by, part: Part::Command, what: "".into() }
    }

    fn put(commands: &mut Commands, block: Block, by: Access) {
        commands.command("copy", "");
        let done = commands.doing(&area(block, by));
        commands.put(done);
        commands.command("next", "");
    }

    /// True if these barriers order the writes of a compute shader before the reads of a copy.
    fn orders(barriers: &[Dependency]) -> bool {
        let mut commands = commands();
        commands.step(1);
        barriers.iter().for_each(|b| drop(commands.barrier(std::slice::from_ref(b), &[])));
        commands.is_ordered(1, &shader(true), &side(TRANSFER, TRANSFER_READ, false), WORD)
    }

    #[test]
    fn a_barrier_names_stages_and_accesses_of_both_sides() {
        let write = (COMPUTE, STORED);
        let read = (TRANSFER, TRANSFER_READ);
        assert!(orders(&[barrier(write, read)]));
        assert!(orders(&[barrier((ALL, 1 << 16), (ALL, 1 << 15))]));
        assert!(orders(&[barrier((BOTTOM, 0), read), barrier(write, read)]));
        for wrong in [
            barrier((FRAGMENT, STORED), read),
            barrier((COMPUTE, 1 << 5), read),
            barrier(write, (FRAGMENT, 1 << 5)),
            barrier(write, (TRANSFER, TRANSFER_WRITE)),
            barrier((COMPUTE, 0), (TRANSFER, 0)),
            barrier((TOP, 1 << 16), read),
            barrier(write, (BOTTOM, TRANSFER_READ)),
        ] {
            assert!(!orders(std::slice::from_ref(&wrong)), "{wrong:?}");
        }
        // Chains require matching stages.
        assert!(orders(&[barrier(write, (FRAGMENT, 1 << 5)), barrier((FRAGMENT, 0), read)]));
        assert!(!orders(&[barrier(write, (FRAGMENT, 1 << 5)), barrier((VERTEX, 0), (TRANSFER, 0))]));
        assert!(!orders(&[barrier((FRAGMENT, 0), read), barrier(write, (FRAGMENT, 1 << 5))]));
        // A barrier applies only to its memory range.
        let about = |base| Dependency { of: Some([Range { base, size: 64 }].into()), ..barrier(write, read) };
        assert!(orders(&[about(64)]) && !orders(&[about(200)]));
    }

    #[test]
    fn dependencies_of_one_command_are_not_behind_each_other() {
        let (first, second) = (
            barrier((COMPUTE, STORED), (FRAGMENT, 1 << 5)),
            barrier((FRAGMENT, 0), (TRANSFER, TRANSFER_READ)),
        );
        assert!(orders(&[first.clone(), second.clone()]));
        let mut commands = commands();
        commands.step(1);
        commands.barrier(&[first, second], &[]);
        assert!(!commands.is_ordered(1, &shader(true), &side(TRANSFER, TRANSFER_READ, false), WORD));
    }

    #[test]
    fn a_write_after_a_read_only_waits() {
        let mut commands = commands();
        commands.step(1);
        let write = side(TRANSFER, TRANSFER_WRITE, true);
        assert!(!commands.is_ordered(1, &shader(false), &write, WORD));
        commands.barrier(&[barrier((COMPUTE, 0), (TRANSFER, 0))], &[]);
        assert!(commands.is_ordered(1, &shader(false), &write, WORD));
        // A wait for a later pipeline stage includes the earlier stages.
        let vertex = of_shader(Stage::Vertex, None, false);
        commands.step(2);
        commands.barrier(&[barrier((COLOR, 0), (TRANSFER, 0))], &[]);
        assert!(commands.is_ordered(2, &vertex, &write, WORD));
        assert!(!commands.is_ordered(2, &shader(false), &write, WORD), "compute is not a stage of draws");
    }

    #[test]
    fn commands_meet_in_bytes_and_texels() {
        let mut commands = commands();
        let write = side(TRANSFER, TRANSFER_WRITE, true);
        let rows = |x, y| Block { base: 1000, row_pitch: 64, slice_pitch: 640, x, y, z: [0, 1] };
        put(&mut commands, rows([0, 32], [0, 5]), write);
        let meets = |c: &Commands, block| c.against_done(&c.doing(&area(block, write))).is_some();
        assert!(!meets(&commands, rows([32, 64], [0, 5])));
        assert!(meets(&commands, rows([28, 64], [4, 6])));
        assert!(meets(&commands, Block::bytes_of(Range { base: 1000, size: 1 })));
        let at = |base| Range { base, size: 4 };
        assert!(commands.against(&shader(false), at(1000 + 64 * 4 + 28)).is_some());
        assert!(commands.against(&shader(false), at(1000 + 64 * 4 + 32)).is_none());
        assert!(commands.against(&shader(false), at(1000 + 64 * 5)).is_none());
        commands.barrier(&[barrier((TRANSFER, TRANSFER_WRITE), (COMPUTE, 1 << 5))], &[]);
        assert!(commands.against(&shader(false), at(1000)).is_none());
    }

    /// Walks go on where they were; from their beginning, these would take minutes.
    #[test]
    fn many_effects_meet_many_barriers() {
        let mut commands = commands();
        let (write, word) = ((TRANSFER, TRANSFER_WRITE), Range { base: 1000, size: 4 });
        for n in 0..2000 {
            let block = Block::bytes_of(Range { base: 1000 + 64 * n, size: 64 });
            put(&mut commands, block, side(TRANSFER, TRANSFER_WRITE, true));
            commands.barrier(&[barrier(write, write)], &[]);
        }
        for _ in 0..2000 {
            commands.barrier(&[barrier((COMPUTE, STORED), (COMPUTE, STORED))], &[]);
            assert!(commands.against(&shader(false), word).is_some());
        }
        commands.barrier(&[barrier(write, (COMPUTE, 1 << 5))], &[]);
        assert!(commands.against(&shader(false), word).is_none());
    }

    #[test]
    fn a_change_of_layout_is_between_the_halves_of_its_barrier() {
        let block = Block::bytes_of(Range { base: 1000, size: 64 });
        let write = side(TRANSFER, TRANSFER_WRITE, true);
        let change = |of: Dependency| {
            let mut commands = commands();
            put(&mut commands, block, write);
            let transition = Transition { block, what: "".into(), of: [0].into() };
            let changed = commands.barrier(&[of], &[transition]).remove(0);
            let before = commands.against_done(&changed).map(|(_, missing)| missing);
            commands.put(changed);
            commands.command("later", "");
            let read = side(TRANSFER, TRANSFER_READ, false);
            let behind = commands.against_done(&commands.doing(&area(block, read)));
            (before, behind.map(|(_, missing)| missing))
        };
        let read = (TRANSFER, TRANSFER_READ);
        assert_eq!(change(barrier((TRANSFER, TRANSFER_WRITE), read)), (None, None));
        assert_eq!(change(barrier((TRANSFER, 0), read)).0, Some(Missing::Available));
        assert_eq!(change(barrier((TOP, 0), read)).0, Some(Missing::Barrier));
        let late = change(barrier((TRANSFER, TRANSFER_WRITE), (FRAGMENT, 1 << 5)));
        assert_eq!((late.0, late.1.is_some()), (None, true));
    }

    #[test]
    fn dependencies_of_subpasses_are_of_their_commands_only() {
        let color = side(COLOR, 1 << 8, true);
        let input = of_shader(Stage::Fragment, Some(ResourceKind::InputAttachment), false);
        let between =
            |first, second| Dependency { first, second, ..barrier((COLOR, 1 << 8), (FRAGMENT, 1 << 4)) };
        let reads = |d: Dependency| {
            let mut commands = commands();
            commands.order(&Order::BeginPass { resumes: false });
            put(&mut commands, Block::bytes_of(WORD), color);
            commands.order(&Order::Subpass(1));
            commands.barrier(&[d], &[]);
            let inside = commands.against(&input, WORD).is_none();
            commands.order(&Order::EndPass { suspends: false });
            (inside, commands.against(&input, WORD).is_none())
        };
        assert_eq!(reads(between(First::Subpass(0), Second::Subpass(1))), (true, false));
        assert_eq!(reads(between(First::BeforePass, Second::Subpass(1))), (false, false));
        assert_eq!(reads(between(First::Subpass(0), Second::BehindPass)), (false, true));
    }

    #[test]
    fn queues_are_ordered_by_semaphores_and_by_what_the_host_has_seen() {
        let write = side(TRANSFER, TRANSFER_WRITE, true);
        let submit = |c: &mut Commands, s| {
            c.order(&Order::Submit(s));
        };
        let begin = |c: &mut Commands, queue, batch| {
            submit(c, Submit::Submitted { queue, batch });
            submit(c, Submit::Runs { batch });
        };
        let races = |between: &dyn Fn(&mut Commands), waits: &dyn Fn(&mut Commands)| {
            let mut c = commands();
            begin(&mut c, 7, 1);
            put(&mut c, Block::bytes_of(WORD), write);
            between(&mut c);
            begin(&mut c, 8, 2);
            waits(&mut c);
            c.against(&shader(false), WORD).map(|(_, missing)| missing)
        };
        let done = |fence| move |c: &mut Commands| submit(c, Submit::Done { fence });
        assert_eq!(races(&done(None), &|_| ()), Some(Missing::Queues));
        let stages = 1 << 16;
        let signal = |c: &mut Commands| {
            submit(c, Submit::Signals { semaphore: 5, value: None, stages });
            submit(c, Submit::Done { fence: Some(3) });
        };
        let wait = |stages| {
            move |c: &mut Commands| {
                submit(c, Submit::Waited { semaphore: 5, value: None, stages });
            }
        };
        assert_eq!(races(&signal, &wait(stages)), None);
        assert_eq!(races(&signal, &wait(FRAGMENT)), Some(Missing::Second));
        assert_eq!(races(&signal, &|_| ()), Some(Missing::Queues));
        let seen = |c: &mut Commands| {
            signal(c);
            submit(c, Submit::SeenFence(3));
        };
        assert_eq!(races(&seen, &|_| ()), None);
    }
}
