//! Runs what a pass has recorded: units of the front, then tiles; and ends passes.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use quadrille_jit::error::Result;

use super::Pass;
use crate::bins::{Chunk, TileGrid, intersect};
use crate::compute::ended;
use crate::front::bound::Bound as FrontBound;
use crate::front::unit::run_unit;
use crate::limits::TILE_PX;
use crate::pool::Watched;
use crate::record::{Recorded, Stats};
use crate::tiles::bound::Bound as TileBound;
use crate::tiles::resolve::resolve;
use crate::tiles::tile::{clear_tile, run_tile};

impl Pass<'_> {
    /// Runs what has been recorded. What is bound stays bound.
    pub(super) fn flush(&mut self) -> Result<()> {
        self.close_gathering();
        if self.units.is_empty() && !self.clear {
            return Ok(());
        }
        // A command that began with nothing recorded goes on under the clock of its first flush.
        let watched = match self.watched.take() {
            Some(watched) => watched,
            None => Watched::begin(self.desc.budget)?,
        };
        let n = self.units.len();
        self.chunks.resize_with(self.chunks.len().max(n), Mutex::default);
        let flush = Flush::new(self, &watched);
        if n == 0 {
            flush.clear_all();
        }
        flush.run(n, self.clear);
        let Flush { stats, stopped, .. } = flush;
        self.stats = stats.into_inner().unwrap_or_default();
        self.clear = false;
        self.units.clear();
        if let Some(name) = stopped.into_inner().unwrap_or_default() {
            let stages = self.binds.front.iter().flat_map(|b| &b.stages);
            let fns = stages.chain(self.binds.tiles.iter().filter_map(|b| b.fragment.as_ref()));
            return Err(ended(fns, &name, self.desc.budget));
        }
        self.forget();
        self.watched = Some(watched).filter(|_| !self.mixed);
        self.mixed = false;
        Ok(())
    }

    /// What is recorded, for a reader of `binds`.
    fn recorded<'a, B>(&'a self, binds: &'a [B], stop: &'a AtomicU32) -> Recorded<'a, B> {
        Recorded {
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

    /// Drops recorded draws; the last bound state, push constants and draw stay.
    fn forget(&mut self) {
        keep_last(&mut self.binds.front);
        keep_last(&mut self.binds.tiles);
        keep_last(&mut self.binds.resources);
        keep_last(&mut self.pushes);
        keep_last(&mut self.draws);
        if let Some(d) = self.draws.last_mut() {
            (d.bind, d.push) = (0, 0);
        }
    }

    /// Runs what has been recorded and ends the pass. `DeviceLost` if a shader exceeds the budget.
    pub fn end(mut self) -> Result<Stats> {
        self.flush()?;
        self.resolve();
        for chunk in self.chunks.iter_mut().filter_map(|c| c.get_mut().ok()) {
            chunk.trim();
        }
        self.pool.give(std::mem::take(&mut self.chunks));
        Ok(self.stats)
    }

    /// Resolves the attachments that ask for it.
    fn resolve(&self) {
        let rows = self.grid.size[1] as usize;
        for a in self.desc.all() {
            let Some(to) = &a.resolve else { continue };
            self.pool.run(rows * self.grid.layers as usize, |i| {
                let rect = band(&self.grid, self.area, i % rows).map(|v| v.max(0) as u32);
                resolve(&a.target, to, a.resolve_mode, (i / rows) as u32, rect);
            });
        }
    }
}

/// A flush under way.
struct Flush<'a> {
    pass: &'a Pass<'a>,
    watched: &'a Watched,
    front: Recorded<'a, FrontBound>,
    tiles: Recorded<'a, TileBound>,
    stats: Mutex<Stats>,
    /// Name of a lane function that was stopped.
    stopped: Mutex<Option<String>>,
    /// Where each unit left off because its chunk was full; 0 if it did not.
    left_off: Vec<AtomicU64>,
}

impl<'a> Flush<'a> {
    fn new(pass: &'a Pass<'a>, watched: &'a Watched) -> Self {
        Flush {
            pass,
            watched,
            front: pass.recorded(&pass.binds.front, watched.flag()),
            tiles: pass.recorded(&pass.binds.tiles, watched.flag()),
            stats: Mutex::new(pass.stats),
            stopped: Mutex::default(),
            left_off: pass.units.iter().map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Clears attachments where no tile is going to.
    fn clear_all(&self) {
        let (grid, rows) = (&self.tiles.grid, self.tiles.grid.size[1] as usize);
        self.pass.pool.run_watched(self.watched, rows * grid.layers as usize, |i| {
            clear_tile(&self.pass.desc, (i / rows) as u32, band(grid, self.tiles.area, i % rows));
        });
    }

    /// All `n` units, then tiles; again from the first unit that had to leave off.
    fn run(&self, n: usize, mut clear: bool) {
        self.pass.pool.run_watched(self.watched, n, |i| self.unit(i, 0));
        let mut first = 0;
        while first < n && lock(&self.stopped).is_none() {
            // Tiles, up to the first unit that is not complete.
            let full = (first..n).find(|&i| self.left_off[i].load(Ordering::Relaxed) != 0);
            let end = full.map_or(n, |i| i + 1);
            self.tiles_of(first..end, clear);
            clear = false;
            first = end;
            if let Some(i) = full {
                first = i;
                self.unit(i, self.left_off[i].swap(0, Ordering::Relaxed));
            }
        }
    }

    /// A unit, without its first `resume` primitives.
    fn unit(&self, i: usize, resume: u64) {
        let mut chunk = lock(&self.pass.chunks[i]);
        chunk.reset(self.front.grid.len());
        self.part(|stats| {
            let at = run_unit(&self.front, &self.pass.units[i], resume, &mut chunk, stats)?;
            self.left_off[i].store(at, Ordering::Relaxed);
            Ok(())
        });
    }

    /// The tiles that some units touch, or all that are to be cleared.
    fn tiles_of(&self, units: Range<usize>, clear: bool) {
        let guards: Vec<_> = self.pass.chunks[units].iter().map(lock).collect();
        let chunks: Vec<&Chunk> = guards.iter().map(|g| &**g).collect();
        let tiles = if clear { (0..self.tiles.grid.len() as u32).collect() } else { touched(&chunks) };
        self.pass.pool.run_watched(self.watched, tiles.len(), |i| {
            let tile = tiles[i] as usize;
            self.part(|stats| run_tile(&self.tiles, &self.pass.desc, &chunks, tile, clear, stats));
        });
    }

    /// A part of the work, unless it has been stopped.
    fn part(&self, f: impl FnOnce(&mut Stats) -> Result<(), String>) {
        if self.front.stop.load(Ordering::Relaxed) != 0 {
            let last = self.front.binds.last();
            let name = || last.map_or(String::new(), |b| b.state.desc.vertex().name.clone());
            lock(&self.stopped).get_or_insert_with(name);
            return;
        }
        let mut own = Stats::default();
        if let Err(name) = f(&mut own) {
            lock(&self.stopped).get_or_insert(name);
        }
        lock(&self.stats).add(&own);
    }
}

fn keep_last<T>(list: &mut Vec<T>) {
    let n = list.len();
    if n > 1 {
        list.swap(0, n - 1);
        list.truncate(1);
    }
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tiles that some chunk has a list for, ascending.
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
