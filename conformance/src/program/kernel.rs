//! Programs of kernels: arguments by number, launched on devices.

use quadrille::Device;
use quadrille::apps::kernel::{ArgumentKind, Kernel, KernelDesc, Range};

use super::rays::with_lanes;
use super::{At, Effort, Program};
use crate::images;
use crate::table::Counts;

/// An argument of a kernel.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    /// Contents of a buffer, or a value.
    Bytes(Vec<u8>),
    /// Bytes of workgroup memory.
    Local(u32),
    /// A null pointer.
    Null,
    /// An image or sampler, as the command has them.
    Text(String),
}

/// Launches the kernel in every configuration, at each lane group size of the program. Returns the name of each with the
/// contents of the expected arguments.
pub(super) fn launch(
    program: &Program,
    words: &[u32],
    range: &Range,
    effort: Effort,
    counts: &mut Counts,
) -> Result<Vec<(String, Vec<Vec<u8>>)>, String> {
    counts.modules += 1;
    let own;
    let ways = match effort {
        Effort::Full => images::ways_at(program.lanes.as_deref().unwrap_or(&[8, 4, 16, 32]), words),
        Effort::Interpreter | Effort::Checked => {
            own = images::interpreter()?;
            vec![(&own, 8)]
        }
    };
    let mut out = Vec::new();
    for (way, lanes) in ways {
        let name = format!("S = {lanes}, {}", way.name);
        match launch_on(program, words, range, &with_lanes(way, lanes)?) {
            Ok(got) => {
                counts.runs += 1;
                out.push((name, got));
            }
            Err(e) => match &program.error {
                Some(want) if e.contains(want.as_str()) => {}
                _ => return Err(format!("{name}: {e}")),
            },
        }
    }
    match &program.error {
        Some(want) if !out.is_empty() => Err(format!("accepted, expected an error with `{want}`")),
        _ => Ok(out),
    }
}

fn launch_on(
    program: &Program,
    words: &[u32],
    range: &Range,
    device: &Device,
) -> Result<Vec<Vec<u8>>, String> {
    let text = |e: quadrille::Error| e.to_string();
    let constants: Vec<(u32, String)> =
        program.constants.iter().map(|(id, bits)| (*id, bits.to_string())).collect();
    let specialization: Vec<(u32, &str)> = constants.iter().map(|(id, bits)| (*id, bits.as_str())).collect();
    let desc = KernelDesc { words, entry: None, specialization: &specialization };
    let mut kernel = Kernel::new(device, &desc).map_err(text)?;
    for (i, argument) in program.arguments.iter().enumerate() {
        let is_value =
            kernel.arguments().get(i).is_some_and(|known| matches!(known.kind, ArgumentKind::Value(_)));
        match argument {
            Argument::Bytes(bytes) if is_value => kernel.set_value(i, bytes),
            Argument::Bytes(bytes) => kernel.set_buffer(i, bytes),
            Argument::Local(bytes) => kernel.set_local(i, *bytes),
            Argument::Null => kernel.set_null(i),
            Argument::Text(text) => {
                kernel.set_text(i, text, &mut |file| Err(format!("`{file}` is not for tests")))?;
                continue;
            }
        }
        .map_err(text)?;
    }
    kernel.launch(range).map_err(text)?;
    let read = |at: &At| match at {
        At::Argument(index, _) => kernel.read::<u8>(*index).map_err(text),
        _ => Err("kernels have arguments only".to_owned()),
    };
    program.expects.iter().map(|expect| read(&expect.at)).collect()
}
