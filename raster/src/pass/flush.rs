//! Runs the recorded units of a pass, then their tiles, and ends passes. The work inside a unit is left to
//! [`crate::front`], that inside a tile to [`crate::tiles`].

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use quadrille_jit::call::LaneFn;
use quadrille_jit::error::{Error, Result};

use super::{Memory, Pass, keep_one};
use crate::activity::Activity;
use crate::bins::{Chunk, TileGrid, intersect};
use crate::compute::ended;
use crate::front::bound::FrontBoundState;
use crate::front::job::LeftOff;
use crate::front::patches::{Patches, Piece, run_piece};
use crate::front::state::Phases;
use crate::front::tasks::{GroupAt, Tasks, run_tasks};
use crate::front::unit::{run_to_patches, run_to_tasks, run_unit};
use crate::limits::TILE_PX;
use crate::pool::Watched;
use crate::pool::padded::Padded;
use crate::record::{RecordedDraws, ShaderAt, Stats, Unfinished};
use crate::tiles::bound::TileBoundState;
use crate::tiles::resolve::resolve;
use crate::tiles::tile::{clear_tile, run_tile};

impl Pass<'_> {
    /// Runs all recorded draws. Bound state stays bound.
    pub(super) fn flush(&mut self) -> Result<()> {
        self.close_gathering();
        if self.units.is_empty() && !self.clear {
            return Ok(());
        }
        // The current command's clock continues, unless this flush or the one before also runs draws of other commands.
        let watched = match self.watched.take().filter(|_| !self.mixed) {
            Some(watched) => watched,
            None => Watched::begin(self.desc.budget)?,
        };
        let amplified = self.units.iter().any(|u| self.phases(u.first_draw()) != Some(Phases::One));
        let at_once = if amplified { self.units.len().max(self.flush_units()) } else { self.units.len() };
        self.chunks.resize_with(self.chunks.len().max(at_once), Padded::default);
        let flush = Flush::new(self, &watched, at_once);
        flush.run(self.clear);
        let Flush { stats, stopped, .. } = flush;
        self.stats = stats.into_inner().unwrap_or_default();
        self.clear = false;
        self.units.clear();
        if let Some(unfinished) = stopped.into_inner().unwrap_or_default() {
            return Err(self.lost(unfinished, &watched));
        }
        self.forget();
        self.watched = Some(watched).filter(|_| !self.mixed);
        self.mixed = false;
        Ok(())
    }

    /// Returns the recorded draws with the front's or the tiles' part of the bound state.
    fn recorded<'a, B>(&'a self, binds: &'a [B], stop: &'a AtomicU32) -> RecordedDraws<'a, B> {
        RecordedDraws {
            area: self.area,
            grid: self.grid,
            samples: self.samples,
            binds,
            resources: &self.binds.resources,
            pushes: &self.pushes,
            draws: &self.draws,
            stop,
        }
    }

    /// Error of a flush that a shader did not complete: names the entry point and the owner of its bind.
    pub(super) fn lost(&self, Unfinished { bind, shader, .. }: Unfinished, watched: &Watched) -> Error {
        let front = &self.binds.front[bind as usize];
        let desc = &front.state.desc;
        let info = match shader {
            ShaderAt::PreRaster(stage) => desc.stages.get(stage).map(|s| &s.info),
            ShaderAt::Fragment => desc.fragment.as_ref(),
        };
        let name = info.map_or("", |info| &info.name);
        let error = ended(self.lane_fns(), name, self.desc.budget, watched);
        match front.owner.as_ref().and_then(|owner| owner.given_name()) {
            Some(owner) if error.is_loss() => error.about(&owner),
            _ => error,
        }
    }

    /// Lane functions of all binds.
    fn lane_fns(&self) -> impl Iterator<Item = &LaneFn> {
        let fragments = self.binds.tiles.iter().flat_map(|b| b.fragment.iter().chain(&b.packed));
        self.binds.front.iter().flat_map(|b| &b.stages).chain(fragments)
    }

    /// Drops recorded draws; the last bound state, push constants and draw stay.
    fn forget(&mut self) {
        self.binds.keep_current();
        keep_last(&mut self.pushes);
        keep_last(&mut self.draws);
        if let Some(d) = self.draws.last_mut() {
            (d.bind, d.push) = (0, 0);
        }
    }

    /// Runs all recorded draws and ends the pass. Fails with `DeviceLost` if a shader exceeds the budget.
    pub fn end(mut self) -> Result<Stats> {
        self.flush()?;
        self.resolve();
        let Pass { pool, chunks, binds, pushes, draws, units, stats, .. } = self;
        pool.give(Memory { chunks, binds, pushes, draws, units }.emptied());
        Ok(stats)
    }

    /// Resolves the attachments that have a resolve target.
    fn resolve(&self) {
        let rows = self.grid.size[1] as usize;
        for a in self.desc.all() {
            let Some(to) = &a.resolve else { continue };
            self.pool.run(rows * self.grid.layers as usize, |i| {
                let rect = band(&self.grid, self.area, i % rows).map(|v| v.max(0) as u32);
                let _activity = Activity::Attachments.begin();
                resolve(&a.target, to, a.resolve_mode, (i / rows) as u32, rect);
            });
        }
    }
}

/// A flush in progress.
struct Flush<'a> {
    pass: &'a Pass<'a>,
    watched: &'a Watched,
    front: RecordedDraws<'a, FrontBoundState>,
    tiles: RecordedDraws<'a, TileBoundState>,
    stats: Mutex<Stats>,
    /// A shader that did not complete.
    stopped: Mutex<Option<Unfinished>>,
    /// Intermediate results of units that run in two phases.
    amplified: Vec<OnceLock<Amplified>>,
    /// Position at which each piece of work of a round was suspended because its chunk was full.
    left_off: Vec<Mutex<Option<LeftOff>>>,
}

/// Intermediate result of a unit that runs in two phases.
enum Amplified {
    Patches(Patches),
    Tasks(Tasks),
}

/// A piece of work of the front.
enum Work<'f> {
    /// A whole unit, by number.
    Unit(usize),
    /// A piece of the patches of a unit.
    Patches(&'f Patches, Piece),
    /// Mesh workgroups launched by task workgroups of a unit.
    Tasks(&'f Tasks, Range<GroupAt>),
}

impl<'a> Flush<'a> {
    /// Prepares a flush that runs up to `at_once` pieces of work per round.
    fn new(pass: &'a Pass<'a>, watched: &'a Watched, at_once: usize) -> Self {
        Flush {
            pass,
            watched,
            front: pass.recorded(&pass.binds.front, watched.flag()),
            tiles: pass.recorded(&pass.binds.tiles, watched.flag()),
            stats: Mutex::new(pass.stats),
            stopped: Mutex::default(),
            amplified: pass.units.iter().map(|_| OnceLock::new()).collect(),
            left_off: (0..at_once).map(|_| Mutex::default()).collect(),
        }
    }

    /// Clears the attachments in tiles that no primitive touches, because there is no work.
    fn clear_all(&self) {
        let (grid, rows) = (&self.tiles.grid, self.tiles.grid.size[1] as usize);
        self.pass.pool.run_watched(self.watched, rows * grid.layers as usize, |i| {
            clear_tile(&self.pass.desc, (i / rows) as u32, band(grid, self.tiles.area, i % rows));
        });
    }

    /// Runs all units and their tiles, in rounds of as many pieces of work as there are chunks.
    fn run(&self, mut clear: bool) {
        self.amplify();
        let mut works = self.works();
        loop {
            let round: Vec<Work<'_>> = works.by_ref().take(self.left_off.len().max(1)).collect();
            if lock(&self.stopped).is_some() {
                return;
            }
            if round.is_empty() {
                break;
            }
            self.round(&round, clear);
            clear = false;
        }
        if clear {
            self.clear_all();
        }
    }

    /// Runs the first phase of units with two phases, whose results determine the amount of work.
    fn amplify(&self) {
        let units = &self.pass.units;
        let phases = |i: &usize| self.pass.phases(units[*i].first_draw());
        let amplified: Vec<usize> = (0..units.len()).filter(|i| phases(i) != Some(Phases::One)).collect();
        self.pass.pool.run_watched(self.watched, amplified.len(), |i| {
            let _activity = Activity::Front.begin();
            let i = amplified[i];
            self.part(|stats| {
                let done = match phases(&i) {
                    Some(Phases::Tasks) => Amplified::Tasks(run_to_tasks(&self.front, &units[i], stats)?),
                    _ => Amplified::Patches(run_to_patches(&self.front, &units[i], stats)?),
                };
                let _ = self.amplified[i].set(done);
                Ok(())
            });
        });
    }

    /// Pieces of work of all units, generated on demand.
    fn works(&self) -> impl Iterator<Item = Work<'_>> {
        self.amplified.iter().enumerate().flat_map(|(i, amplified)| {
            let (patches, tasks) = match amplified.get() {
                Some(Amplified::Patches(p)) => (Some(p), None),
                Some(Amplified::Tasks(t)) => (None, Some(t)),
                None => (None, None),
            };
            let unit = amplified.get().is_none().then_some(Work::Unit(i));
            let patches =
                patches.into_iter().flat_map(|p| p.pieces(&self.front).map(|piece| Work::Patches(p, piece)));
            let tasks = tasks.into_iter().flat_map(|t| t.works(&self.front).map(|r| Work::Tasks(t, r)));
            unit.into_iter().chain(patches).chain(tasks)
        })
    }

    /// Runs pieces of work, then their tiles; repeats from the first piece that was suspended.
    fn round(&self, works: &[Work<'_>], mut clear: bool) {
        let n = works.len();
        self.pass.pool.run_watched(self.watched, n, |i| self.work(i, &works[i], None));
        let mut first = 0;
        while first < n && lock(&self.stopped).is_none() {
            // Runs the tiles of the units up to the first suspended one.
            let full = (first..n).find(|&i| lock(&self.left_off[i]).is_some());
            let end = full.map_or(n, |i| i + 1);
            self.tiles_of(first..end, clear);
            clear = false;
            first = end;
            if let Some(i) = full {
                first = i;
                let resume = lock(&self.left_off[i]).take();
                self.work(i, &works[i], resume);
            }
        }
    }

    /// Runs piece of work `i` of a round, from the position where it was suspended.
    fn work(&self, i: usize, work: &Work<'_>, resume: Option<LeftOff>) {
        let _activity = Activity::Front.begin();
        let mut chunk = lock(&self.pass.chunks[i]);
        chunk.reset(self.front.grid.len());
        self.part(|stats| {
            let left = match work {
                Work::Unit(unit) => {
                    run_unit(&self.front, &self.pass.units[*unit], resume, &mut chunk, stats)?
                }
                Work::Patches(patches, piece) => {
                    run_piece(&self.front, patches, piece, resume, &mut chunk, stats)?
                }
                Work::Tasks(tasks, range) => {
                    run_tasks(&self.front, tasks, range.clone(), resume, &mut chunk, stats)?
                }
            };
            debug_assert!(chunk.is_bounded(&self.front.grid), "{} bytes in a chunk", chunk.bytes());
            *lock(&self.left_off[i]) = left;
            Ok(())
        });
    }

    /// Runs the tiles that the units touch, or all tiles if attachments must be cleared.
    fn tiles_of(&self, units: Range<usize>, clear: bool) {
        let guards: Vec<_> = self.pass.chunks[units].iter().map(|c| lock(c)).collect();
        let chunks: Vec<&Chunk> = guards.iter().map(|g| &**g).collect();
        chunks.iter().for_each(|c| self.captured(c));
        let tiles = if clear { (0..self.tiles.grid.len() as u32).collect() } else { touched(&chunks) };
        self.pass.pool.run_watched(self.watched, tiles.len(), |i| {
            let tile = tiles[i] as usize;
            self.part(|stats| run_tile(&self.tiles, &self.pass.desc, &chunks, tile, clear, stats));
        });
    }

    /// Writes the primitives that a unit has captured to the transform feedback buffers.
    fn captured(&self, chunk: &Chunk) {
        for (run, words) in chunk.captured.runs() {
            let bound = &self.front.binds[run.bind as usize];
            let (Some(feedback), Some(c)) = (&bound.feedback, &bound.state.capture) else { continue };
            let n = feedback.write(c, run.stream, bound.state.output().vertices(), words);
            lock(&self.stats).captured[run.stream as usize] += n;
        }
    }

    /// Runs a part of the work, unless the flush has been stopped.
    fn part(&self, f: impl FnOnce(&mut Stats) -> Result<(), Unfinished>) {
        if self.front.stop.load(Ordering::Relaxed) != 0 {
            let last = self.front.binds.len().saturating_sub(1) as u32;
            self.ends_with(Unfinished::not_called(last, ShaderAt::PreRaster(0)));
            return;
        }
        let mut own = Stats::default();
        if let Err(unfinished) = f(&mut own) {
            self.ends_with(unfinished);
        }
        lock(&self.stats).add(&own);
    }

    /// Keeps the first shader that did not complete. One that was running goes before one that was only next.
    fn ends_with(&self, unfinished: Unfinished) {
        let mut stopped = lock(&self.stopped);
        if stopped.is_none_or(|earlier| unfinished.called && !earlier.called) {
            *stopped = Some(unfinished);
        }
    }
}

fn keep_last<T>(list: &mut Vec<T>) {
    if let Some(last) = list.len().checked_sub(1) {
        keep_one(list, last);
    }
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tiles for which some chunk has a list, in ascending order.
fn touched(chunks: &[&Chunk]) -> Vec<u32> {
    let mut all: Vec<u32> = chunks.iter().flat_map(|c| c.touched.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The pixels of a row of tiles.
fn band(grid: &TileGrid, area: [i32; 4], row: usize) -> [i32; 4] {
    let y = (grid.origin[1] + row as u32) * TILE_PX;
    intersect(area, [0, y as i32, i32::MAX, (y + TILE_PX) as i32])
}
