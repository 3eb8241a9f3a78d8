//! Resources that the commands of a list reach when they run, as pointers, and the budget that limits the commands.
//!
//! The pointers stay valid: the list keeps the descriptor sets alive, and descriptor sets keep their resources alive
//! (or the driver's caller guarantees it). The list lives until the submission is done.

#![expect(unsafe_code, reason = "descriptor sets become pointers for shaders")]

use quadrille_jit::abi::Descriptor;
use quadrille_jit::ir::ATTACHMENT_SET;
use quadrille_raster::{BoundResources, BoundSets, MissingTable, Tables, Watched};

use super::list::{Bindings, BoundSet, CommandList, Push, SetPlace};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::memory::unwritten_buffer;

/// Descriptor records of dynamic buffers with their offsets applied: as many as the pipeline layout has, because shaders do
/// not check their numbers.
pub(super) fn dynamic_records(list: &CommandList, bindings: &Bindings) -> Vec<Descriptor> {
    let mut out = Vec::new();
    for (bound, n) in bindings.sets.iter().zip(bindings.n_dynamic).filter(|(_, n)| *n > 0) {
        let end = out.len() + n as usize;
        if let Some(BoundSet { set: SetPlace::Object(set), offsets }) = *bound {
            list.sets[set].dynamic_records(list.offsets(offsets), &mut out);
        }
        out.resize(end, unwritten_buffer());
    }
    out
}

/// The resources that shaders can reach through `bindings` of a list, which must live until the shaders have run, and the
/// `attachments` of the pass, if they read them.
pub(super) fn resources<'a>(
    device: &Device,
    list: &'a CommandList,
    bindings: &Bindings,
    push: &'a Push,
    dynamic: &'a [Descriptor],
    attachments: &'a [Descriptor],
) -> BoundResources<'a> {
    let mut sets = BoundSets::NONE;
    for (number, bound) in bindings.sets.iter().enumerate() {
        if let Some(bound) = bound {
            let (memory, bytes) = match bound.set {
                SetPlace::Object(set) => (list.sets[set].as_ptr(), list.sets[set].bytes()),
                SetPlace::Buffer(set) => {
                    let set = &list.sets_in_buffers[set];
                    (set.as_ptr(), set.bytes())
                }
            };
            sets.put(number, memory, bytes);
        }
    }
    if !attachments.is_empty() {
        sets.put(ATTACHMENT_SET as usize, attachments.as_ptr().cast(), size_of_val(attachments) as u32);
    }
    // SAFETY: `SetBindings::snapshot` checked at recording that every set that a shader uses is bound with the layout
    // that the shader was compiled for. `list` keeps the sets alive for `'a`, and the sets keep their resources alive.
    let resources = unsafe { BoundResources::new(sets, dynamic, push) };
    // SAFETY: the device owns its missing pages. The submission keeps the device alive until the list is done.
    let missing = unsafe { MissingTable::new(device.missing()) };
    resources.with_tables(Tables { missing, ..device.tables() })
}

/// `DeviceLost` if a command has used up its budget.
pub(super) fn check_budget(device: &Device, watched: &Watched, command: &str) -> Result<()> {
    if !watched.stopped() {
        return Ok(());
    }
    let seconds = device.options().budget.as_secs_f64();
    Err(Error::DeviceLost(format!("`{command}` did not end within its budget of {seconds} s")))
}
