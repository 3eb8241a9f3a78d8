//! What barriers order between commands. Spec: Vulkan, "Synchronization and Cache Control".
//!
//! A command of before happens before one now if a chain of barriers leads from the stages of the one to those of the
//! other; what it wrote is there for the other if a barrier of the chain makes it available and one behind that, or the
//! same, makes it visible. What barriers of a buffer or an image are about counts by its bytes.

use quadrille_jit::interp::events::{Access, Area, Dependency};
use quadrille_jit::interp::watch::Range;
use quadrille_jit::ir::Stage;
use rustc_hash::FxHashMap;

/// Bits of VkPipelineStageFlagBits2.
mod stages {
    pub const TOP: u64 = 1;
    pub const INDIRECT: u64 = 1 << 1;
    pub const VERTEX_INPUT: u64 = 1 << 2;
    pub const VERTEX: u64 = 1 << 3;
    pub const CONTROL: u64 = 1 << 4;
    pub const EVALUATION: u64 = 1 << 5;
    pub const GEOMETRY: u64 = 1 << 6;
    pub const FRAGMENT: u64 = 1 << 7;
    pub const EARLY_TESTS: u64 = 1 << 8;
    pub const LATE_TESTS: u64 = 1 << 9;
    pub const COLOR: u64 = 1 << 10;
    pub const COMPUTE: u64 = 1 << 11;
    pub const TRANSFER: u64 = 1 << 12;
    pub const BOTTOM: u64 = 1 << 13;
    pub const ALL_GRAPHICS: u64 = 1 << 15;
    pub const ALL: u64 = 1 << 16;
    pub const TASK: u64 = 1 << 19;
    pub const MESH: u64 = 1 << 20;
    /// Copies, resolves, blits, clears.
    pub const TRANSFERS: [u64; 4] = [1 << 32, 1 << 33, 1 << 34, 1 << 35];
    /// Indices, attributes.
    pub const INPUTS: [u64; 2] = [1 << 36, 1 << 37];
    pub const PRE_RASTERIZATION: u64 = 1 << 38;

    /// Stages of draws in the order of the pipeline, those of one place together.
    pub const GRAPHICS: [u64; 12] = [
        INDIRECT,
        TASK,
        VERTEX_INPUT | INPUTS[0] | INPUTS[1],
        VERTEX | MESH,
        CONTROL,
        EVALUATION,
        GEOMETRY,
        EARLY_TESTS,
        FRAGMENT,
        LATE_TESTS,
        COLOR,
        BOTTOM,
    ];
}

/// Bits of VkAccessFlagBits2: those of all memory.
const MEMORY_READ: u64 = 1 << 15;
const MEMORY_WRITE: u64 = 1 << 16;
/// Uniforms, shaders, sampled images, storage.
const SHADER_READ: u64 = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 32 | 1 << 33;
const SHADER_WRITE: u64 = 1 << 6 | 1 << 34;

/// Stages that a mask means besides those that it names.
fn expanded(mask: u64, first: bool) -> u64 {
    use stages::*;
    let mut out = mask;
    if mask & ALL != 0 || mask & if first { BOTTOM } else { TOP } != 0 {
        return !0;
    }
    if mask & ALL_GRAPHICS != 0 {
        out |= GRAPHICS.iter().fold(0, |all, s| all | s) | PRE_RASTERIZATION;
    }
    if mask & PRE_RASTERIZATION != 0 {
        out |= VERTEX | CONTROL | EVALUATION | GEOMETRY | TASK | MESH;
    }
    if mask & VERTEX_INPUT != 0 {
        out |= INPUTS[0] | INPUTS[1];
    }
    if mask & TRANSFER != 0 {
        out |= TRANSFERS.iter().fold(0, |all, s| all | s);
    }
    out
}

/// Stages that are done when those of a mask are: those before them in the pipeline too.
fn done(mask: u64) -> u64 {
    let mut out = expanded(mask, true);
    if out & stages::COMPUTE != 0 {
        out |= stages::INDIRECT;
    }
    if let Some(last) = stages::GRAPHICS.iter().rposition(|s| s & out != 0) {
        out |= stages::GRAPHICS[..last].iter().fold(0, |all, s| all | s);
    }
    out
}

/// Stages that wait when those of a mask do: those behind them too.
fn waiting(mask: u64) -> u64 {
    let mut out = expanded(mask, false);
    if out & stages::INDIRECT != 0 {
        out |= stages::COMPUTE;
    }
    if let Some(first) = stages::GRAPHICS.iter().position(|s| s & out != 0) {
        out |= stages::GRAPHICS[first..].iter().fold(0, |all, s| all | s);
    }
    out
}

/// Accesses that a mask means.
fn accesses(mask: u64) -> u64 {
    const WRITES: u64 = SHADER_WRITE | 1 << 8 | 1 << 10 | 1 << 12 | 1 << 14 | MEMORY_WRITE;
    match (mask & MEMORY_READ != 0, mask & MEMORY_WRITE != 0) {
        (false, false) => mask,
        (true, false) => mask | !WRITES,
        (false, true) => mask | WRITES,
        (true, true) => !0,
    }
}

/// What a shader does, as barriers name it.
pub fn of_shader(stage: Stage, writes: bool) -> Access {
    use stages::*;
    let stages = match stage {
        Stage::Vertex => VERTEX,
        Stage::TessellationControl => CONTROL,
        Stage::TessellationEvaluation => EVALUATION,
        Stage::Geometry => GEOMETRY,
        Stage::Fragment => FRAGMENT,
        Stage::Task => TASK,
        Stage::Mesh => MESH,
        _ => COMPUTE,
    };
    Access { stages, access: if writes { SHADER_WRITE } else { SHADER_READ }, writes }
}

/// A command that has accessed memory, other than by shaders.
pub struct Done {
    /// What it is called.
    pub name: String,
    /// What it accessed.
    pub area: Area,
    /// Barriers before it.
    at: usize,
}

/// Commands of a list, and the barriers between them.
#[derive(Default)]
pub struct Commands {
    /// Nothing but barriers orders them.
    pub explicit: bool,
    barriers: Vec<Dependency>,
    /// Barriers before each dispatch, and before draws that run together.
    steps: FxHashMap<u32, usize>,
    done: Vec<Done>,
    /// The first of those that are of the last pass.
    pass: usize,
    /// Of those, what is not ordered before such accesses now.
    loose: FxHashMap<Access, Vec<usize>>,
}

/// Most accesses of commands that are kept.
const MAX_DONE: usize = 1 << 14;

impl Commands {
    /// A list of commands begins.
    pub fn begin(&mut self, explicit: bool) {
        *self = Commands { explicit, ..Commands::default() };
    }

    /// A dispatch begins, or draws that run together.
    pub fn step(&mut self, number: u32) {
        self.steps.insert(number, self.barriers.len());
        self.loose.clear();
    }

    /// A barrier.
    pub fn barrier(&mut self, dependencies: &[Dependency]) {
        // One command: none of its dependencies is behind another.
        self.barriers.extend_from_slice(dependencies);
        self.loose.clear();
    }

    /// A command accesses memory.
    pub fn put(&mut self, name: &str, area: Area) {
        if is_pass(&area) && self.done.last().is_none_or(|d| !is_pass(&d.area) || d.at != self.barriers.len())
        {
            self.pass = self.done.len();
        }
        if self.done.len() < MAX_DONE {
            self.done.push(Done { name: name.to_owned(), area, at: self.barriers.len() });
        }
        self.loose.clear();
    }

    /// Whether anything was written.
    pub fn writes(&self) -> bool {
        self.done.iter().any(|d| d.area.by.writes)
    }

    /// Whether an access of a dispatch before is ordered before one now.
    pub fn is_ordered(&self, step: u32, before: &Access, now: &Access, bytes: Range) -> bool {
        // Of a step that nothing is known of.
        self.steps.get(&step).is_none_or(|&at| self.leads(at, before, now, bytes))
    }

    /// Accesses of commands before that an access now to bytes is not ordered after.
    pub fn against(&mut self, now: &Access, bytes: Range) -> Option<&Done> {
        if self.done.is_empty() {
            return None;
        }
        if !self.loose.contains_key(now) {
            let meets = |d: &Done| {
                (d.area.by.writes || now.writes) && !self.leads(d.at, &d.area.by, now, d.area.block.bytes())
            };
            // What draws do to the attachments of their own pass is another matter.
            let own =
                |i: usize| now.stages != stages::COMPUTE && i >= self.pass && is_pass(&self.done[i].area);
            let list = (0..self.done.len()).filter(|&i| !own(i) && meets(&self.done[i])).collect();
            self.loose.insert(*now, list);
        }
        let loose = self.loose.get(now)?;
        loose.iter().map(|&i| &self.done[i]).find(|d| d.area.block.contains(bytes))
    }

    /// The same for all that a command accesses now. Passes among themselves are not looked at: one may go on where
    /// another was suspended.
    pub fn against_area(&self, now: &Area) -> Option<&Done> {
        let draws = now.by.stages & (stages::COMPUTE | stages::TRANSFER) == 0;
        let own = |i: usize, d: &Done| draws && i >= self.pass && is_pass(&d.area);
        let mut all = self.done.iter().enumerate().filter(|(i, d)| !own(*i, d)).map(|(_, d)| d);
        all.find(|d| {
            (d.area.by.writes || now.by.writes)
                && !(is_pass(&d.area) && is_pass(now))
                && d.area.block.overlaps(&now.block)
                && !self.leads(d.at, &d.area.by, &now.by, now.block.bytes())
        })
    }

    /// Whether barriers from number `from` on lead from an access to another one to the same bytes.
    fn leads(&self, from: usize, before: &Access, now: &Access, bytes: Range) -> bool {
        let mut reached = before.stages;
        let (mut waits, mut available, mut visible) = (false, false, false);
        for b in self.barriers.get(from..).unwrap_or_default() {
            if done(b.src_stages) & reached == 0 {
                continue;
            }
            let about = b.of.is_none_or(|of| overlap(of, bytes));
            if about {
                available |= expanded(b.src_stages, true) & before.stages != 0
                    && accesses(b.src_access) & before.access != 0;
                visible |= available
                    && expanded(b.dst_stages, false) & now.stages != 0
                    && accesses(b.dst_access) & now.access != 0;
            }
            reached |= waiting(b.dst_stages);
            waits |= waiting(b.dst_stages) & now.stages != 0;
            if waits && (visible || !before.writes) {
                return true;
            }
        }
        false
    }
}

/// Whether these are attachments of a pass.
fn is_pass(area: &Area) -> bool {
    area.by.stages & (stages::COLOR | stages::EARLY_TESTS) != 0
}

/// Whether two ranges have a byte in common.
fn overlap(a: Range, b: Range) -> bool {
    a.base < b.base.saturating_add(b.size) && b.base < a.base.saturating_add(a.size)
}

#[cfg(test)]
mod tests {
    use super::stages::*;
    use super::*;
    use quadrille_jit::interp::events::Block;

    const TRANSFER_WRITE: u64 = 1 << 12;
    const TRANSFER_READ: u64 = 1 << 11;

    fn side(stages: u64, access: u64, writes: bool) -> Access {
        Access { stages, access, writes }
    }

    fn barrier(src: (u64, u64), dst: (u64, u64)) -> Dependency {
        let ((src_stages, src_access), (dst_stages, dst_access)) = (src, dst);
        Dependency { src_stages, src_access, dst_stages, dst_access, of: None }
    }

    /// Whether barriers order what a compute shader wrote before a copy reads it.
    fn orders(barriers: &[Dependency]) -> bool {
        let mut commands = Commands::default();
        commands.step(1);
        barriers.iter().for_each(|b| commands.barrier(std::slice::from_ref(b)));
        let (write, read) = (side(COMPUTE, SHADER_WRITE, true), side(TRANSFER, TRANSFER_READ, false));
        commands.is_ordered(1, &write, &read, Range { base: 100, size: 4 })
    }

    #[test]
    fn a_barrier_names_stages_and_accesses_of_both_sides() {
        let write = (COMPUTE, 1 << 6);
        let read = (TRANSFER, TRANSFER_READ);
        assert!(orders(&[barrier(write, read)]));
        assert!(orders(&[barrier((ALL, MEMORY_WRITE), (ALL, MEMORY_READ))]));
        assert!(orders(&[barrier((BOTTOM, 0), read), barrier(write, read)]));
        for wrong in [
            barrier((FRAGMENT, 1 << 6), read),
            barrier((COMPUTE, 1 << 5), read),
            barrier(write, (FRAGMENT, 1 << 5)),
            barrier(write, (TRANSFER, TRANSFER_WRITE)),
            barrier((COMPUTE, 0), (TRANSFER, 0)),
            barrier((TOP, MEMORY_WRITE), read),
        ] {
            assert!(!orders(&[wrong]), "{wrong:?}");
        }
        // Chains go by the stages between.
        assert!(orders(&[barrier(write, (FRAGMENT, 1 << 5)), barrier((FRAGMENT, 0), read)]));
        assert!(!orders(&[barrier(write, (FRAGMENT, 1 << 5)), barrier((VERTEX, 0), (TRANSFER, 0))]));
        assert!(!orders(&[barrier((FRAGMENT, 0), read), barrier(write, (FRAGMENT, 1 << 5))]));
        // What a barrier is about.
        let about = |base| Dependency { of: Some(Range { base, size: 64 }), ..barrier(write, read) };
        assert!(orders(&[about(64)]) && !orders(&[about(200)]));
    }

    #[test]
    fn a_write_after_a_read_only_waits() {
        let mut commands = Commands::default();
        commands.step(1);
        let (read, write) = (side(COMPUTE, SHADER_READ, false), side(TRANSFER, TRANSFER_WRITE, true));
        let bytes = Range { base: 100, size: 4 };
        assert!(!commands.is_ordered(1, &read, &write, bytes));
        commands.barrier(&[barrier((COMPUTE, 0), (TRANSFER, 0))]);
        assert!(commands.is_ordered(1, &read, &write, bytes));
        // Earlier stages are done when later ones are.
        commands.begin(true);
        commands.step(1);
        commands.barrier(&[barrier((COLOR, 0), (TRANSFER, 0))]);
        assert!(commands.is_ordered(1, &side(VERTEX, SHADER_READ, false), &write, bytes));
        assert!(!commands.is_ordered(1, &read, &write, bytes), "compute is no stage of draws");
    }

    #[test]
    fn commands_meet_in_bytes_and_texels() {
        let mut commands = Commands::default();
        let write = side(TRANSFER, TRANSFER_WRITE, true);
        let rows = |x, y| Block { base: 1000, row_pitch: 64, slice_pitch: 640, x, y, z: [0, 1] };
        let area = |block| Area { block, by: write };
        commands.put("copy", area(rows([0, 32], [0, 5])));
        assert!(commands.against_area(&area(rows([32, 64], [0, 5]))).is_none());
        assert!(commands.against_area(&area(rows([28, 64], [4, 6]))).is_some());
        assert!(commands.against_area(&area(Block::bytes_of(Range { base: 1000, size: 1 }))).is_some());
        let read = of_shader(Stage::Compute, false);
        let at = |base| Range { base, size: 4 };
        assert!(commands.against(&read, at(1000 + 64 * 4 + 28)).is_some());
        assert!(commands.against(&read, at(1000 + 64 * 4 + 32)).is_none());
        assert!(commands.against(&read, at(1000 + 64 * 5)).is_none());
        commands.barrier(&[barrier((TRANSFER, TRANSFER_WRITE), (COMPUTE, 1 << 5))]);
        assert!(commands.against(&read, at(1000)).is_none());
    }
}
