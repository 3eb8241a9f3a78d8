//! The reference interpreter: the slow counterpart of the passes and the code generator, written to be evidently
//! correct rather than fast.
//!
//! It executes one lane group at a time, in lockstep with explicit masks, over an [`ir::Shader`] as the front end
//! produced it. Its entry has the same signature as generated code. Each arithmetic operation calls the `eval` function
//! of its row per lane.
//!
//! | file | owns |
//! |---|---|
//! | `program` | a shader with assigned rows of values, resolved descriptors and image operations |
//! | `machine` | values and masks of a group, control flow, suspension at barriers |
//! | `execute` | one instruction |
//! | `place` | position of a group |
//! | `checks`, `claims` | verification of the claims of the code generator |
//! | `watch` | the interface for observers, which are told of every step |
//! | `alarmed` | compiled code with alarms that runs before observed interpretation |
//! | `ray`, `ray_call` | ray queries; calls of other shaders of a ray tracing pipeline |
//! | `texels` | ranges of memory, and where the texels of a view are |
//! | `group`, `matrix` | operations across lanes; operations on matrices |
//! | `stage` | inputs, outputs, built-ins; the groups that a call runs; one file per stage |
//! | `memory` | every access to memory that is not the interpreter's own |
//!
//! A workgroup runs its groups in ascending order, each to the next barrier, until all have ended.
//!
//! [`ir::Shader`]: crate::ir::Shader

pub mod alarmed;
mod atomic;
mod checks;
mod claims;
mod execute;
mod group;
mod machine;
mod matrix;
mod memory;
mod place;
mod program;
mod ray;
mod ray_call;
mod stage;
#[cfg(test)]
mod tests;
mod texels;
mod view;
pub mod watch;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::Result;
use crate::abi::{Ctx, Layout, STOPPED};
use crate::call::LaneFn;
use crate::claims::Claims;
use crate::codegen::ImageOps;
use crate::events;
use crate::ir::Shader;
use crate::reserve::caught;
use memory::Host;
use program::Program;
use watch::{Call, Watch, Watcher};

/// Creates a lane function that interprets a shader with lane groups of `lanes` lanes.
pub fn build(shader: Arc<Shader>, layout: &Layout, lanes: u32, ops: &dyn ImageOps) -> Result<LaneFn> {
    let program = Arc::new(Program::new(shader, layout, lanes, ops)?);
    let at: *const Program = &*program;
    Ok(LaneFn::new(entry, at.cast(), program.meta, program))
}

/// Creates a lane function that interprets the shader of `claims` and verifies the claims: calls return
/// [`crate::abi::BROKEN_CLAIM`] if one does not hold.
pub fn build_checked(claims: &Claims, layout: &Layout, ops: &dyn ImageOps) -> Result<LaneFn> {
    let claims = Arc::new(claims.anew());
    let mut program = Program::new(claims.shader.clone(), layout, claims.lanes, ops)?;
    program.checks = Some(checks::Checks::new(claims.clone()));
    let program = Arc::new(program);
    let at: *const Program = &*program;
    Ok(LaneFn::new(entry, at.cast(), program.meta, program).with_claims(claims))
}

/// As [`build`], but reports each call to `watch`.
pub fn build_watched(
    shader: Arc<Shader>,
    layout: &Layout,
    lanes: u32,
    ops: &dyn ImageOps,
    watch: Arc<dyn Watch>,
) -> Result<LaneFn> {
    let mut program = Program::new(shader, layout, lanes, ops)?;
    watch.built(&program.shader);
    program.watch = Some(watch);
    let program = Arc::new(program);
    let at: *const Program = &*program;
    Ok(LaneFn::new(entry, at.cast(), program.meta, program))
}

/// The entry of every interpreted shader; the context has the program.
///
/// # Safety
/// The conditions of `LaneFn::call` hold, and the program of `ctx` is a [`Program`] that outlives the call.
#[expect(unsafe_code, reason = "has the signature of generated code")]
unsafe extern "C" fn entry(ctx: *const Ctx, first: u32, count: u32) -> u32 {
    // SAFETY: by the contract of `LaneFn::call`, `ctx` and its pointers are valid for the call. `LaneFn` set `program`
    // to the `Program` that one of the `build` functions created and that the `LaneFn` keeps alive.
    let (mut host, program) = unsafe { (Host::new(&*ctx, first), &*(*ctx).program.cast::<Program>()) };
    let run = || {
        host.watcher = program.watch.as_ref().and_then(|watch| {
            let (shader, lanes) = (&program.shader, program.lanes);
            watch.begin(&Call { shader, lanes, first, count, ctx: host.ctx() }).map(Watcher::new)
        });
        stage::run(program, &host, first, count)
    };
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let error = caught("interpreter", panic);
        events::error(format_args!("{}: {error}; please report it", program.shader.name));
        STOPPED
    })
}
