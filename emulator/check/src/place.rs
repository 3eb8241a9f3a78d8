//! Describes the places of instructions and the invocations that execute them, for reports.

use quadrille_jit::interp::watch::{self, View};
use quadrille_jit::ir::{Inst, RaySlot, Shader, Slot, Src, Stage, debug};

use crate::kind::Kind;
use crate::report::{Frame, Invocation, Report};

/// Returns the source place of an instruction, and the calls that it is inlined through, innermost first.
pub fn frames(shader: &Shader, src: Src, instruction: &str) -> (Frame, Vec<Frame>) {
    let Some((debug, place)) = shader.debug.as_ref().and_then(|d| Some((d, d.place(src)?))) else {
        let instruction = (src.line == 0).then(|| instruction.to_owned());
        return (Frame { line: src.line, id: src.id, instruction, ..Frame::default() }, Vec::new());
    };
    let named = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let frame = |place: &debug::Place| {
        let at = debug.located(place);
        let (line, column) = (at.line, at.column);
        Frame { file: named(at.file), line, column, function: named(at.function), ..Frame::default() }
    };
    let mut here = frame(place);
    here.id = src.id;
    here.instruction = (here.line == 0).then(|| instruction.to_owned());
    // Stores have no result that tells one from another.
    here.word = if here.line == 0 { place.word } else { 0 };
    let callers = debug.stack(src.place).into_iter().skip(1);
    let callers = callers.filter_map(|(_, place)| debug.places.get(place as usize).map(frame));
    (here, callers.collect())
}

/// Numbers that identify an invocation, in the order of [`Invocation::ids`].
pub type Order = [u32; 12];

/// Returns the numbers of a lane.
pub fn order(at: &View<'_>, lane: usize) -> Order {
    let mut order = Order::default();
    for (to, (_, from)) in order.chunks_mut(3).zip(ids(at, lane)) {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = from);
    }
    order
}

/// Describes the invocation of a lane.
pub fn who(at: &View<'_>, lane: usize, step: u64) -> Invocation {
    let shader = at.shader();
    let invocation = Invocation { step, ..Invocation::new(shader.stage, &shader.name) };
    ids(at, lane).into_iter().fold(invocation, |i, (name, value)| i.id(name, &value))
}

/// Returns the ids of a lane by name. Numbers that depend on the distribution of work over threads are left out.
fn ids(at: &View<'_>, lane: usize) -> Vec<(&'static str, Vec<u32>)> {
    use watch::Invocation as I;
    match at.invocation(lane) {
        I::Workgroup { workgroup, local } => {
            vec![("workgroup", workgroup.to_vec()), ("local invocation", local.to_vec())]
        }
        I::Vertex { vertex, instance } => vec![("instance", vec![instance]), ("vertex", vec![vertex])],
        I::Control { invocation, .. } => vec![("invocation", vec![invocation])],
        I::Evaluation { primitive, coord, .. } => {
            vec![("primitive", vec![primitive]), ("bits of the coordinate", coord.map(f32::to_bits).to_vec())]
        }
        I::Geometry { primitive, invocation } => {
            vec![("primitive", vec![primitive]), ("invocation", vec![invocation])]
        }
        I::Ray { launch } => vec![("launch", launch.to_vec())],
        I::Fragment { pixel, primitive, layer, sample, .. } => {
            let mut ids = vec![("pixel", pixel.map(|p| p as u32).to_vec()), ("primitive", vec![primitive])];
            if at.shader().sample_shading {
                ids.push(("sample", vec![sample]));
            }
            if layer > 0 {
                ids.push(("layer", vec![layer]));
            }
            ids
        }
    }
}

/// Returns the name of an output scalar.
pub fn output_name(shader: &Shader, output: usize) -> String {
    let Some(output) = shader.outputs.get(output) else { return "an output".into() };
    if let Some(name) = shader.debug.as_ref().and_then(|d| d.interface(true, output.slot)) {
        return format!("`{name}`");
    }
    match output.slot {
        Slot::Location { location, .. } if shader.stage == Stage::Fragment => {
            format!("color output {location}")
        }
        Slot::Location { location, .. } => format!("output {location}"),
        Slot::BuiltIn(builtin, _) => format!("{builtin:?}"),
        Slot::Ray(RaySlot::Payload(_)) if shader.stage == Stage::Callable => "the callable data".into(),
        Slot::Ray(RaySlot::Payload(_)) => "the payload".into(),
        Slot::Ray(slot @ (RaySlot::Attribute(_) | RaySlot::Record | RaySlot::End)) => format!("{slot:?}"),
    }
}

/// Creates a report at an instruction with this name in SPIR-V.
pub fn report(at: &View<'_>, inst: &Inst, name: &str, kind: Kind, message: String) -> Report {
    let (frame, calls) = frames(at.shader(), inst.src, name);
    Report { called_from: calls, ..Report::new(kind, message).at(frame) }
}

/// Creates a report at an instruction, under the name of its operation.
pub fn report_op(at: &View<'_>, inst: &Inst, kind: Kind, message: String) -> Report {
    report(at, inst, inst.op.name(), kind, message)
}
