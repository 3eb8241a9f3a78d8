//! Passes over the shader IR, which turn the output of shader compilers into IR that compiles well.
//!
//! Each pass preserves results bit for bit; the interpreter runs the shader from before all passes. In order:
//! [`tables`] (arrays of constants), [`promote`] (variables to values), [`guard`] (selections to straight lines),
//! [`simplify`] (fold and share), [`offsets`] (offsets of kernels to sums of indices), [`multiples`] (quotients of sums), [`dce`]
//! (remove unused code), [`unroll`] (loops of image reads, and over arrays), [`few`] (indices of few scalars to selections),
//! [`together`] (join image reads), [`invariants`] (loads out of loops), [`streams`] (loads in loops to runs of words),
//! [`steps`] (carried indices to a first value and a sum of steps),
//! [`factors`] (loads of matrices), [`copies`] (half floats to integers), [`adjacent`] (join loads), [`stores`] (join stores).
//! [`spill`] (values to variables) is for huge shaders only.

mod adjacent;
mod copies;
mod copy;
mod dce;
mod factors;
mod few;
mod group_size;
mod guard;
mod invariants;
mod multiples;
mod offsets;
mod promote;
mod simplify;
mod spill;
mod steps;
mod stores;
mod streams;
mod tables;
mod together;
pub mod uniformity;
mod unroll;
mod zeros;

pub use dce::dce;
pub use group_size::sees_group_size;
pub use guard::guard;
pub(crate) use guard::{FLAT_COST, flat_cost};
pub use promote::promote;
pub use simplify::simplify;
pub use spill::{LONG, spill};
pub use tables::tables;
pub use together::together;
pub use unroll::unroll;
pub(crate) use zeros::low_zeros;

use crate::cpu::Tier;
use crate::error::Result;
use crate::ir::{Block, End, If, Inst, Loop, Node, Region, Shader, Value};

/// Runs all passes.
///
/// # Errors
/// `Limit`, see [`promote`]; also if the time budget is exhausted ([`crate::budget`]).
pub fn optimize(shader: &mut Shader, tier: Tier) -> Result<()> {
    let passes: [fn(&mut Shader) -> Result<()>; 4] = [tables, promote, guard, simplify];
    passes.iter().try_for_each(|pass| pass(shader))?;
    // `|`: both run.
    if offsets::offsets(shader)? | multiples::multiples(shader)? {
        simplify(shader)?;
    }
    dce(shader)?;
    // The first tier compiles few instructions.
    let unrolled = unroll(shader, tier == Tier::Optimized)?;
    if unrolled {
        simplify(shader)?;
    }
    if few::few(shader)? || unrolled {
        let passes: [fn(&mut Shader) -> Result<()>; 3] = [promote, simplify, dce];
        passes.iter().try_for_each(|pass| pass(shader))?;
    }
    // The last pass only changes image reads, which most compute shaders do not have.
    if reads_images(&shader.body) { together(shader) } else { Ok(()) }
}

/// Returns true if there is an image read that could be joined with others.
fn reads_images(region: &Region) -> bool {
    region.nodes.iter().any(|node| match node {
        Node::Inst(i) => together::read(i).is_some(),
        Node::If(n) => reads_images(&n.then) || reads_images(&n.els),
        Node::Block(n) => reads_images(&n.body),
        Node::Loop(n) => reads_images(&n.body),
    })
}

/// As [`optimize`], but leaves variables in memory; for huge shaders.
///
/// # Errors
/// `Limit` if the time budget is exhausted.
pub fn optimize_in_memory(shader: &mut Shader) -> Result<()> {
    let passes: [fn(&mut Shader) -> Result<()>; 4] = [tables, guard, simplify, dce];
    passes.iter().try_for_each(|pass| pass(shader))
}

/// Storage of values that are live for long, from the fastest to the one that lets most values be live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Variables become values where possible.
    Registers,
    /// Variables stay in memory, and are live only while they are loaded.
    Variables,
    /// Values without variables are stored to new ones.
    Memory,
}

impl Storage {
    /// All kinds, in the order in which they are tried.
    pub const ALL: [Storage; 3] = [Storage::Registers, Storage::Variables, Storage::Memory];

    /// Runs the passes.
    ///
    /// # Errors
    /// See [`optimize`].
    pub fn optimize(self, shader: &mut Shader, lanes: u32, tier: Tier) -> Result<()> {
        match self {
            Storage::Registers => {
                optimize(shader, tier)?;
                invariants::invariants(shader)?;
                if streams::streams(shader, lanes)? {
                    let passes: [fn(&mut Shader) -> Result<()>; 3] = [promote, simplify, dce];
                    passes.iter().try_for_each(|pass| pass(shader))?;
                }
                if steps::steps(shader, lanes)? {
                    let passes: [fn(&mut Shader) -> Result<()>; 2] = [simplify, dce];
                    passes.iter().try_for_each(|pass| pass(shader))?;
                }
                if factors::broadcasts(shader, lanes)? {
                    let passes: [fn(&mut Shader) -> Result<()>; 4] =
                        [simplify, factors::loads, simplify, dce];
                    passes.iter().try_for_each(|pass| pass(shader))?;
                }
                copies::copies(shader)?;
                adjacent::adjacent(shader)?;
                stores::stores(shader)
            }
            Storage::Variables => optimize_in_memory(shader),
            Storage::Memory => {
                optimize_in_memory(shader)?;
                let uniformity = uniformity::analyse(shader, lanes)?;
                spill(shader, &uniformity, LONG)
            }
        }
    }
}

fn end_args_mut(end: &mut End) -> &mut [Value] {
    match end {
        End::Yield(a) | End::Break(_, a) => a,
        End::Return | End::Kill | End::Unreachable => &mut [],
    }
}

/// Rewrites every use of a value.
fn map_uses(region: &mut Region, f: &impl Fn(Value) -> Value) {
    for node in &mut region.nodes {
        match node {
            Node::Inst(Inst { args, .. }) => args.iter_mut().for_each(|a| *a = f(*a)),
            Node::If(n) => {
                let If { cond, then, els, .. } = &mut **n;
                *cond = f(*cond);
                map_uses(then, f);
                map_uses(els, f);
            }
            Node::Block(n) => {
                let Block { body, .. } = &mut **n;
                map_uses(body, f);
            }
            Node::Loop(n) => {
                let Loop { params, body, .. } = &mut **n;
                params.iter_mut().for_each(|(_, init)| *init = f(*init));
                map_uses(body, f);
            }
        }
    }
    end_args_mut(&mut region.end).iter_mut().for_each(|a| *a = f(*a));
}

#[cfg(test)]
mod tests {
    use crate::ir::{ImageDim, ImageOp, ImageOpKind, LodMode, Ty};

    /// An image read that passes may move.
    pub const SAMPLE: ImageOp = ImageOp {
        kind: ImageOpKind::Sample,
        dim: ImageDim::D1,
        arrayed: false,
        multisampled: false,
        dref: false,
        lod: LodMode::Zero,
        min_lod: false,
        offset: false,
        offsets4: false,
        components: 0,
        texel: Ty::F32,
        signed: false,
        residency: false,
    };
}
