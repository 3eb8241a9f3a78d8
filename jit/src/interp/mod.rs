//! The reference interpreter: the slow twin of passes and code generation, obviously right rather than
//! fast.
//!
//! Executes one lane group in lockstep with explicit masks over an [`ir::Shader`] as the front end
//! made it, behind the same entry signature as generated code. Each arithmetic operation calls its
//! row's `eval` per lane.
//!
//! | file | owns |
//! |---|---|
//! | `program` | a shader with its values placed, descriptors and image operations found |
//! | `machine` | values and masks of a group, control flow, suspension at barriers |
//! | `execute` | one instruction |
//! | `place` | where a group is |
//! | `checks`, `claims` | verifies what the code generator relies on |
//! | `watch` | the door for observers, who are told of every step |
//! | `alarmed` | compiled code with alarms before observed interpretation |
//! | `events` | what else a device tells them: its memory, and who writes it |
//! | `group` | operations across lanes |
//! | `stage` | inputs, outputs, built-ins; which groups a call runs; a file per stage |
//! | `memory` | every access to memory that is not the interpreter's own |
//!
//! A workgroup runs each of its groups to the next barrier, ascending, until all have ended.
//!
//! [`ir::Shader`]: crate::ir::Shader

pub mod alarmed;
mod checks;
mod claims;
pub mod events;
mod execute;
mod group;
mod machine;
mod memory;
mod place;
mod program;
mod stage;
#[cfg(test)]
mod tests;
mod view;
pub mod watch;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::Result;
use crate::abi::{Ctx, Layout, STOPPED};
use crate::call::LaneFn;
use crate::claims::Claims;
use crate::codegen::ImageOps;
use crate::ir::Shader;
use crate::reserve::caught;
use memory::Host;
use program::Program;
use watch::{Call, Watch, Watcher};

/// Makes a lane function that interprets a shader with lane groups of `lanes`.
pub fn build(shader: Arc<Shader>, layout: &Layout, lanes: u32, ops: &dyn ImageOps) -> Result<LaneFn> {
    let program = Arc::new(Program::new(shader, layout, lanes, ops)?);
    let at: *const Program = &*program;
    Ok(LaneFn::new(entry, at.cast(), program.meta, program))
}

/// Makes a lane function that interprets the shader that claims are about, and verifies them: calls fail with
/// [`crate::abi::BROKEN_CLAIM`] if one does not hold.
pub fn build_checked(claims: &Claims, layout: &Layout, ops: &dyn ImageOps) -> Result<LaneFn> {
    let claims = Arc::new(claims.anew());
    let mut program = Program::new(claims.shader.clone(), layout, claims.lanes, ops)?;
    program.checks = Some(checks::Checks::new(claims.clone()));
    let program = Arc::new(program);
    let at: *const Program = &*program;
    Ok(LaneFn::new(entry, at.cast(), program.meta, program).with_claims(claims))
}

/// As [`build`], and `watch` is told what each call does.
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

/// The entry of every interpreted shader; the program is in the context.
#[expect(unsafe_code, reason = "entered as generated code is")]
unsafe extern "C" fn entry(ctx: *const Ctx, first: u32, count: u32) -> u32 {
    // SAFETY: the caller of a lane function vouches for its context, and `LaneFn` keeps the program
    // that it puts there.
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
        tracing::error!(shader = program.shader.name, "{error}; please report it");
        STOPPED
    })
}
