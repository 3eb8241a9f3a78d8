//! Splits draws into units of work for the front: small draws are gathered, large ones split.
//!
//! The boundaries of units depend only on counts in the draws, not on the number of threads. Running the units is left
//! to `flush`.

use quadrille_jit::error::{Error, Result};

use super::Pass;
use crate::front::assembly::{Span, split};
use crate::front::state::Phases;
use crate::front::unit::Unit;
use crate::limits::{
    FLUSH_TILES, FLUSH_UNITS, PAYLOAD_BYTES, STIPPLED_STRIP_VERTICES, TASK_GROUPS, UNIT_DRAWS, UNIT_VERTICES,
};
use crate::pool::Watched;
use crate::record::{Draw, DrawRecord, MeshDraw, ShaderAt, Unfinished, total_groups};

/// Number of draws of nothing between two looks at the budget.
const IDLE_DRAWS: u32 = 1 << 12;

impl Pass<'_> {
    /// Draws with the bound state. Fails with `DeviceLost` if earlier recorded work had to run and was stopped.
    pub fn draw(&mut self, draw: &Draw) -> Result<()> {
        self.begin_command();
        self.draw_next(draw)
    }

    /// Begins a command: the draws that follow, by [`Pass::draw_next`], share a budget.
    pub fn begin_command(&mut self) {
        self.watched = None;
        self.mixed = !self.units.is_empty() || !self.gathering.0.is_empty();
    }

    /// Like [`Pass::draw`], for another draw of the same command.
    pub fn draw_next(&mut self, draw: &Draw) -> Result<()> {
        let Some(bind) = self.binds.current() else {
            return Err(Error::invalid("a draw without a bound state"));
        };
        if draw.indexed && bind.index.is_none() {
            return Err(Error::invalid("an indexed draw without an index buffer"));
        }
        if bind.state.mesh.is_some() {
            return Err(Error::invalid("a vertex draw with a mesh stage"));
        }
        if draw.count == 0 || draw.instances == 0 {
            return self.draw_nothing();
        }
        let (state, weight) = (&bind.state.desc, bind.weight);
        let later = bind.state.later.is_some();
        let phases = bind.state.phases();
        let (topology, restart) = (state.topology, state.primitive_restart && draw.indexed);
        let (index, patch) = (bind.index, bind.patch);
        let record = self.drawn(draw, [0; 3]);
        self.draws.push(record);

        // The stipple pattern continues along a strip.
        let stippled = state.line_stipple && topology.is_line_strip();
        let unit_vertices = match (stippled && !later, later) {
            (true, _) => STIPPLED_STRIP_VERTICES,
            (_, false) => UNIT_VERTICES,
            // A multiple of the primitive size, so that no list primitive is split.
            _ => (UNIT_VERTICES / weight).max(1).next_multiple_of(topology.vertices(patch)),
        };
        let vertices = draw.count.saturating_mul(draw.instances).saturating_mul(weight);
        if vertices <= UNIT_VERTICES / 2 {
            return self.gather(vertices, phases);
        }
        self.close_gathering();
        if draw.count <= unit_vertices.min(UNIT_VERTICES) {
            let span = Span { first: 0, end: draw.count, start: 0, primitive: 0 };
            let step = (unit_vertices.min(UNIT_VERTICES) / draw.count).max(1);
            let mut first = 0;
            while first < draw.instances {
                let end = first.saturating_add(step).min(draw.instances);
                self.unit(Unit::Part { draw: self.last_draw(), instances: first..end, span })?;
                first = end;
            }
            return Ok(());
        }
        for i in 0..draw.instances {
            let is_restart =
                |p: u32| index.is_some_and(|b| b.get(u64::from(draw.first) + u64::from(p)) == b.restart);
            let is_restart: Option<&dyn Fn(u32) -> bool> = if restart { Some(&is_restart) } else { None };
            let mut result = Ok(());
            split(topology, patch, draw.count, unit_vertices, is_restart, |span| {
                result = self.unit(Unit::Part { draw: self.last_draw(), instances: i..i + 1, span });
                result.is_ok()
            });
            result?;
        }
        Ok(())
    }

    /// Draws meshes with the bound state, like [`Pass::draw`].
    pub fn draw_meshes(&mut self, draw: &MeshDraw) -> Result<()> {
        self.begin_command();
        self.draw_meshes_next(draw)
    }

    /// Like [`Pass::draw_meshes`], for another draw of the same command.
    pub fn draw_meshes_next(&mut self, draw: &MeshDraw) -> Result<()> {
        let Some(bind) = self.binds.current() else {
            return Err(Error::invalid("a draw without a bound state"));
        };
        let Some(mesh) = &bind.state.mesh else {
            return Err(Error::invalid("a mesh draw without a mesh stage"));
        };
        let total = total_groups(draw.groups);
        if total == 0 {
            return self.draw_nothing();
        }
        let (phases, weight) = (bind.state.phases(), mesh.weight());
        let step = match phases {
            Phases::Tasks => (PAYLOAD_BYTES / bind.payload_stride()).clamp(1, TASK_GROUPS),
            _ => (UNIT_VERTICES / weight).max(1),
        };
        let MeshDraw { groups, draw_index, view_index } = *draw;
        let record = self.drawn(&Draw { draw_index, view_index, ..Draw::default() }, groups);
        self.draws.push(record);
        if total <= step / 2 {
            return self.gather(total * UNIT_VERTICES / step, phases);
        }
        self.close_gathering();
        let mut first = 0;
        while first < total {
            let end = first.saturating_add(step).min(total);
            self.unit(Unit::Groups { draw: self.last_draw(), groups: first..end })?;
            first = end;
        }
        Ok(())
    }

    /// Counts a draw of nothing. It runs no shader, but the billions that an indirect command can have use up its budget.
    fn draw_nothing(&mut self) -> Result<()> {
        self.idle = self.idle.wrapping_add(1);
        if !self.idle.is_multiple_of(IDLE_DRAWS) {
            return Ok(());
        }
        let watched = match self.watched.take() {
            Some(watched) => watched,
            None => Watched::begin(self.desc.budget)?,
        };
        if watched.stopped() {
            let next = Unfinished::not_called(self.binds.current, ShaderAt::PreRaster(0));
            return Err(self.lost(next, &watched));
        }
        self.watched = Some(watched);
        Ok(())
    }

    /// Returns a record of the draw with the current bind and push constants.
    fn drawn(&self, draw: &Draw, groups: [u32; 3]) -> DrawRecord {
        DrawRecord { bind: self.binds.current, push: self.pushes.len() as u32 - 1, draw: *draw, groups }
    }

    /// Adds the last draw, a small one, to the unit of gathered draws.
    fn gather(&mut self, vertices: u32, phases: Phases) -> Result<()> {
        let number = self.last_draw();
        let (draws, so_far) = &self.gathering;
        let full = so_far + vertices > UNIT_VERTICES || draws.len() >= UNIT_DRAWS;
        // Draws with different phases need separate units.
        if full || self.phases(draws.start) != Some(phases) {
            self.close_gathering();
        }
        if self.gathering.0.is_empty() {
            self.gathering = (number..number, 0);
        }
        self.gathering.0.end = number + 1;
        self.gathering.1 += vertices;
        if self.units.len() >= self.flush_units() { self.flush() } else { Ok(()) }
    }

    fn last_draw(&self) -> u32 {
        self.draws.len() as u32 - 1
    }

    fn unit(&mut self, unit: Unit) -> Result<()> {
        self.units.push(unit);
        if self.units.len() >= self.flush_units() { self.flush() } else { Ok(()) }
    }

    /// Phases in which the units of a draw run.
    pub(super) fn phases(&self, draw: u32) -> Option<Phases> {
        let draw = self.draws.get(draw as usize)?;
        Some(self.binds.front[draw.bind as usize].state.phases())
    }

    /// Number of units recorded before a flush: fewer if the grid has many tiles.
    pub(super) fn flush_units(&self) -> usize {
        (FLUSH_TILES / self.grid.len().max(1)).clamp(1, FLUSH_UNITS)
    }

    /// Makes a unit of the small draws gathered so far.
    pub(super) fn close_gathering(&mut self) {
        let (draws, _) = std::mem::take(&mut self.gathering);
        if !draws.is_empty() {
            self.units.push(Unit::Draws(draws));
        }
    }
}
