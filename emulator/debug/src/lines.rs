//! Execution of a lane by source lines: the recording split into runs of steps on one line of one call.
//!
//! Stepping by lines moves along this list. Code that sets up the shader has no line and is in no run. Variable
//! declarations, which compilers put at the start of a function, are in no run either.

use std::collections::BTreeSet;

use quadrille_jit::ir::debug::{Debug, Place};
use quadrille_jit::ir::{Shader, each_inst};

use crate::recording::Recording;

/// Spec: SPIR-V, OpVariable.
const OP_VARIABLE: u32 = 59;

/// The place with this index, if invocations can stop at its line; declarations do not count.
fn executed(debug: &Debug, place: u32) -> Option<&Place> {
    let place = debug.places.get(place as usize).filter(|p| place != 0 && p.line != 0)?;
    let first = debug.words.get(place.word as usize).copied().unwrap_or(0);
    (first & 0xffff != OP_VARIABLE).then_some(place)
}

/// Files and lines at which invocations of a shader can stop.
pub fn lines_with_code(shader: &Shader, debug: &Debug) -> BTreeSet<(u32, u32)> {
    let mut lines = BTreeSet::new();
    each_inst(&shader.body, &mut |inst| {
        lines.extend(executed(debug, inst.src.place).map(|p| (p.file, p.line)));
    });
    lines
}

/// File and line of the first executed line in a function of this name.
pub fn line_of_function(shader: &Shader, debug: &Debug, name: &str) -> Option<(u32, u32)> {
    let mut first = None;
    each_inst(&shader.body, &mut |inst| {
        let place = executed(debug, inst.src.place).filter(|p| debug.function_of(p.call) == name);
        first = first.or(place.map(|p| (p.file, p.line)));
    });
    first
}

/// Consecutive steps of a lane on one line of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// First step.
    pub step: usize,
    /// Index into the calls of the debug information.
    pub call: u32,
    /// Depth of the call.
    pub depth: u32,
    /// File and line.
    pub file: u32,
    pub line: u32,
    /// Index into the places.
    pub place: u32,
}

impl Run {
    fn is_at(&self, other: &Run) -> bool {
        (self.call, self.file, self.line) == (other.call, other.file, other.line)
    }
}

/// Runs of a lane.
pub fn runs(recording: &Recording, lane: usize) -> Vec<Run> {
    let mut out: Vec<Run> = Vec::new();
    for (number, step) in recording.steps.iter().enumerate() {
        let place = executed(&recording.debug, step.place);
        let Some(place) = place.filter(|_| step.active >> lane & 1 == 1) else { continue };
        let run = Run {
            step: number,
            call: place.call,
            depth: recording.debug.depth(place.call),
            file: place.file,
            line: place.line,
            place: step.place,
        };
        if out.last().is_none_or(|last| !last.is_at(&run)) {
            out.push(run);
        }
    }
    out
}

/// Index of the run that contains a step; `None` before the first.
pub fn run_of(runs: &[Run], step: usize) -> Option<usize> {
    runs.partition_point(|r| r.step <= step).checked_sub(1)
}

/// True if a run begins its line; false if it returns to the line from a call.
pub fn is_entry(runs: &[Run], i: usize) -> bool {
    let before = runs[..i].iter().rev().find(|r| r.depth <= runs[i].depth);
    before.is_none_or(|r| !r.is_at(&runs[i]))
}

/// Extent of a step by lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// To the next line, including lines of called functions.
    Into,
    /// To the next line of this call or of a caller.
    Over,
    /// To the caller.
    Out,
}

/// The next run after index `from` (`None`: before the first); `None` at the end.
pub fn next(runs: &[Run], from: Option<usize>, stride: Stride) -> Option<usize> {
    let Some(from) = from else { return (!runs.is_empty()).then_some(0) };
    let here = runs[from];
    let fits = |r: &Run| match stride {
        Stride::Into => true,
        Stride::Over => r.depth < here.depth || (r.depth == here.depth && !r.is_at(&here)),
        Stride::Out => r.depth < here.depth,
    };
    (from + 1..runs.len()).find(|&i| fits(&runs[i]))
}

/// The previous run before index `from` (one past the last index: the end of the recording); `None` at the start. A
/// line with calls counts as a whole, except with [`Stride::Into`].
pub fn previous(runs: &[Run], from: usize, stride: Stride) -> Option<usize> {
    let here = runs.get(from);
    let depth = here.map_or(0, |r| r.depth);
    let fits = |r: &Run| match stride {
        Stride::Into => true,
        Stride::Over => r.depth < depth || (r.depth == depth && here.is_none_or(|h| !r.is_at(h))),
        Stride::Out => r.depth < depth,
    };
    let mut at = (0..from.min(runs.len())).rev().find(|&i| fits(&runs[i]))?;
    if stride != Stride::Into {
        // Moves to the beginning of the line, before its calls.
        let target = runs[at];
        while let Some(before) = at.checked_sub(1).map(|i| &runs[i]) {
            match before.depth > target.depth || before.is_at(&target) {
                true => at -= 1,
                false => break,
            }
        }
        while !runs[at].is_at(&target) {
            at += 1;
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes runs from pairs of depth and line.
    fn list(of: &[(u32, u32)]) -> Vec<Run> {
        let run = |(i, &(depth, line)): (usize, &(u32, u32))| Run {
            step: 10 * i,
            call: depth,
            depth,
            file: 0,
            line,
            place: 1,
        };
        of.iter().enumerate().map(run).collect()
    }

    #[test]
    fn forwards_and_backwards() {
        // Line 2 calls a function on lines 10 and 11, whose result it adds.
        let runs = list(&[(0, 1), (0, 2), (1, 10), (1, 11), (0, 2), (0, 3)]);
        let entries: Vec<usize> = (0..runs.len()).filter(|&i| is_entry(&runs, i)).collect();
        assert_eq!(entries, [0, 1, 2, 3, 5]);
        assert_eq!(next(&runs, None, Stride::Over), Some(0));
        assert_eq!(next(&runs, Some(1), Stride::Into), Some(2));
        assert_eq!(next(&runs, Some(1), Stride::Over), Some(5));
        assert_eq!(next(&runs, Some(2), Stride::Out), Some(4));
        assert_eq!(next(&runs, Some(5), Stride::Into), None);
        assert_eq!(next(&runs, Some(0), Stride::Out), None);

        assert_eq!(previous(&runs, 5, Stride::Over), Some(1));
        assert_eq!(previous(&runs, 5, Stride::Into), Some(4));
        assert_eq!(previous(&runs, 3, Stride::Over), Some(2));
        assert_eq!(previous(&runs, 3, Stride::Out), Some(1));
        assert_eq!(previous(&runs, 6, Stride::Over), Some(5));
        assert_eq!(previous(&runs, 0, Stride::Into), None);
    }

    #[test]
    fn runs_by_step() {
        let runs = list(&[(0, 1), (0, 2)]);
        assert_eq!([0, 9, 10, 99].map(|s| run_of(&runs, s)), [Some(0), Some(0), Some(1), Some(1)]);
        assert_eq!(run_of(&runs[1..], 3), None);
    }
}
