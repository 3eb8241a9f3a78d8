//! Finds races between commands that only explicit barriers order: of their own memory accesses, of layout transitions,
//! and of both with accesses of shaders.

use std::hash::{Hash, Hasher};

use crate::events::{self, Area, Block, Order, Part};
use quadrille_jit::abi::ImageArgs;
use quadrille_jit::interp::watch::{AccessKind, Range, View, lanes};
use quadrille_jit::ir::{ImageDim, ImageOp, ImageOpKind, Inst, ResourceKind};
use rustc_hash::{FxHashMap, FxHasher};

use super::Memory;
use super::bounds::does;
use super::chain::{By, Missing};
use super::commands::{Done, Who, words};
use super::race::{Found, Races};
use super::scopes::{of_input_in_order, of_shader, of_tile_image};
use super::shadow::Access;
use super::sites::Site;
use crate::kind::Kind;
use crate::pending::of_variable;
use crate::report::{Frame, Other, Report};
use crate::session::Session;

/// Creates a frame for a command.
fn frame(name: &str) -> Frame {
    Frame { instruction: Some(name.to_owned()), ..Frame::default() }
}

impl Races {
    /// Records the next command of a list.
    pub fn command(&self, name: &str, place: &str) {
        let mut found = self.lock();
        if found.commands.explicit {
            found.commands.command(name, place);
        }
    }

    /// Records an operation that orders commands.
    pub fn order(&self, session: &Session, order: &Order<'_>) {
        let mut found = self.lock();
        // Batches are submitted before their first command list begins.
        found.commands.explicit = true;
        let Order::Barrier { dependencies, transitions } = order else {
            if found.commands.order(order) {
                found.forget_shaders();
            }
            return;
        };
        for changed in found.commands.barrier(dependencies, transitions) {
            found.look_at(session, &changed);
            found.commands.put(changed);
        }
    }

    /// Checks and records memory accesses of a command, other than by shaders.
    pub fn accessed(&self, session: &Session, areas: &[Area]) {
        let mut found = self.lock();
        if !found.commands.explicit {
            return;
        }
        // Accesses of one command are not checked against each other.
        let all: Vec<Done> = areas.iter().map(|area| found.commands.doing(area)).collect();
        all.iter().for_each(|done| found.look_at(session, done));
        for done in all {
            match done.part {
                Part::Draw => found.commands.put_once(&done),
                _ => found.commands.put(done),
            }
        }
    }
}

impl Found {
    /// Reports the races of a current effect.
    fn look_at(&self, session: &Session, now: &Done) {
        let (who, does, at, other, missing) = match self.commands.against_done(now) {
            Some((done, missing)) => {
                let by = words(missing, done.does.by(), now.does.by());
                (done.who.to_string(), done.does.done(), frame(&done.who.name), None, by)
            }
            None => {
                let Some((site, before, missing)) = self.touched(&now.block, now, None) else { return };
                let by = words(missing, By::Access(&site.by), now.does.by());
                let who = self.who_of(&before);
                (format!("a shader of {who}"), site.what, site.frame.clone(), Some(site.who(&before)), by)
            }
        };
        let (name, bytes, here) = (&now.who, now.block.bytes().size, now.does.done());
        let what = if now.what.is_empty() { "memory" } else { &now.what };
        let message = format!(
            "{what} ({bytes} bytes) is {here} by {name} and was {does} earlier by {who}, and nothing orders the two: {missing}"
        );
        let other = Other { what: format!("{does} there"), at, invocation: other };
        let report = Report::new(Kind::RaceCommands, message).at(frame(&now.who.name));
        session.reports.add(report.about(what).other(other));
    }

    fn who_of(&self, access: &Access) -> String {
        self.commands.who_of(access.thread.step).map_or_else(|| "a command".into(), |who| who.to_string())
    }

    /// Returns an access of a shader to a block that is not ordered before a current effect; dispatch or draw `own` is
    /// skipped.
    fn touched(&self, block: &Block, now: &Done, own: Option<u32>) -> Option<(&Site, Access, Missing)> {
        let bytes = block.bytes();
        let mut known = FxHashMap::default();
        self.memory.within(bytes).find_map(|(word, cell)| {
            if !block.contains(Range { base: word * 4, size: 4 }) {
                return None;
            }
            cell.all().find_map(|(wrote, before)| {
                let step = before.thread.step;
                if !(wrote || now.does.writes()) || own == Some(step) {
                    return None;
                }
                let site = self.at(before)?;
                let missing = *known.entry((before.site, step)).or_insert_with(|| {
                    if self.commands.is_in_order(step, &site.by, now) {
                        return None;
                    }
                    self.commands.since(step, &site.by, (now.does.by(), now.place), bytes)
                });
                Some((&**site, *before, missing?))
            })
        })
    }
}

impl Memory {
    /// Returns the stage and access of an image instruction; `in_order` if the draw reads input attachments in rasterization
    /// order.
    pub(super) fn by_of_image(
        &self,
        (at, inst): (&View<'_>, &Inst),
        op: &ImageOp,
        args: &ImageArgs,
        (writes, in_order): (bool, bool),
    ) -> events::Access {
        let input = op.dim == ImageDim::SubpassData;
        let sort = match op.kind {
            _ if input => ResourceKind::InputAttachment,
            ImageOpKind::Fetch => ResourceKind::SampledImage,
            _ => ResourceKind::StorageImage,
        };
        let lane = lanes(args.mask).next();
        match lane.and_then(|lane| self.names.attachment(inst.args[0], at, lane)) {
            Some(of) => of_tile_image(of == 0, !at.shader().unordered_reads[of]),
            None if input && in_order => of_input_in_order(),
            None => of_shader(at.shader().stage, Some(sort), writes),
        }
    }

    /// Checks an access of a shader against recorded effects of commands.
    pub(super) fn race_command(
        &mut self,
        found: &mut Found,
        at: &View<'_>,
        lane: usize,
        (what, kind, site): (&dyn Fn() -> String, AccessKind, u32),
        bytes: Range,
    ) {
        let Some(here) = found.site_of(site).cloned() else { return };
        let who = found.commands.who().clone();
        let Some((done, missing)) = found.commands.against(&here.by, bytes) else { return };
        self.command_report(at, lane, &here, (what, kind, &who), (done, missing));
    }

    fn command_report(
        &mut self,
        at: &View<'_>,
        lane: usize,
        here: &Site,
        (what, kind, who): (&dyn Fn() -> String, AccessKind, &Who),
        (done, missing): (&Done, Missing),
    ) {
        let (name, then) = (&done.who.name, done.does.done());
        let mut hasher = FxHasher::default();
        let what = what();
        (name, of_variable(&what)).hash(&mut hasher);
        self.pending.add(at, lane, (here.place, hasher.finish(), Kind::RaceCommands), || {
            let (does, before) = (does(kind), &done.who);
            let of = if done.what.is_empty() { String::new() } else { format!(" of {}", done.what) };
            let missing = words(missing, done.does.by(), By::Access(&here.by));
            let message = format!(
                "{what}{of} is {does} here by {who} and was {then} earlier by {before}, and nothing orders the two: {missing}"
            );
            let other = Other { what: format!("{then} there"), at: frame(name), invocation: None };
            Report::new(Kind::RaceCommands, message).at(here.frame.clone()).about(what).other(other)
        });
    }

    /// Describes the missing order between two shader accesses of two commands, as the end of a sentence.
    pub(super) fn missing_between(
        &self,
        found: &Found,
        (before, then): (&Access, &events::Access),
        (now, here): (&Access, &events::Access),
    ) -> String {
        let step = before.thread.step;
        if step == now.thread.step || !found.commands.explicit {
            return String::new();
        }
        let side = (By::Access(here), found.commands.place());
        // An empty range: barriers limited to some memory do not count.
        let missing = found.commands.since(step, then, side, Range::default());
        let missing = missing.map_or_else(String::new, |m| words(m, By::Access(then), By::Access(here)));
        let (then, now) = (found.commands.who_of(step), found.commands.who_of(now.thread.step));
        match (then, now) {
            (Some(then), Some(now)) => format!(" ({now}, {then}): {missing}"),
            _ => format!(": {missing}"),
        }
    }

    /// Checks images that samplers read, if the view has only one level of one layer.
    pub(super) fn race_sampler(&mut self, at: &View<'_>, inst: &Inst, args: &ImageArgs) {
        let Some(texels) = self.lookup.view(args.view.addr() as u64) else { return };
        let mut parts = texels.parts();
        let (Some(part), None) = (parts.next(), parts.next()) else { return };
        let told = args.mask & !at.helpers();
        let races = self.races.clone();
        let mut found = races.lock();
        if told == 0 || !found.commands.explicit || !found.carried {
            return;
        }
        let site = found.site(at, inst, AccessKind::Read, Some(ResourceKind::SampledImage));
        let Some(here) = found.site_of(site).cloned() else { return };
        if !found.sampled.insert((site, part.base)) {
            return;
        }
        let Some(lane) = lanes(told).next() else { return };
        let names = self.names.clone();
        let what = || names.resource("image", inst.args[0], at, lane);
        let who = found.commands.who().clone();
        let block = Block::bytes_of(part);
        let now = found.commands.doing(&Area { block, by: here.by, part: Part::Command, what: "".into() });
        found.commands.put_once(&now);
        if let Some((done, missing)) = found.commands.against_done(&now) {
            return self.command_report(at, lane, &here, (&what, AccessKind::Read, &who), (done, missing));
        }
        let Some((there, before, missing)) = found.touched(&block, &now, Some(found.releases.step)) else {
            return;
        };
        let (frame, does, by) = (there.frame.clone(), there.what, there.who(&before));
        let (then, missing) =
            (found.who_of(&before), words(missing, By::Access(&there.by), By::Access(&here.by)));
        let what = what();
        self.pending.add(at, lane, (here.place, there.number(&what), Kind::RaceCommands), || {
            let message = format!(
                "{what} is sampled here by {who} and was {does} earlier by a shader of {then}, and nothing orders the two: {missing}"
            );
            let other = Other { what: format!("{does} there"), at: frame, invocation: Some(by) };
            Report::new(Kind::RaceCommands, message).at(here.frame.clone()).about(what).other(other)
        });
    }
}
