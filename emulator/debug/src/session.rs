//! A debugging session over a recording: where it stands, how it moves, where it stops.
//!
//! Nothing runs any more: every motion is one along the recording, and going back is as exact as going on. The session
//! follows one lane; the others are looked at beside it. The text interface, the adapter for editors and the page are
//! three faces of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use quadrille::frontend::Language;
use quadrille_jit::ir::debug::Class;

use crate::expression::{Answer, Evaluator};
use crate::lines::{self, Run, Stride};
use crate::recording::{Cursor, Recording};
use crate::source::Sources;
use crate::value::{At, Part};

/// Most runs over which a condition is asked before the motion gives up.
const MAX_CONDITIONS: usize = 1 << 20;

/// A breakpoint at a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakpoint {
    /// Its number.
    pub id: u32,
    /// Index of the file.
    pub file: u32,
    /// Line: the first at or behind the one asked for on which something happens.
    pub line: u32,
    /// It stops only where this expression is true.
    pub condition: Option<String>,
    /// It stops only when the line is reached for this time since the start, and later; 0: always.
    pub from_hit: u32,
    /// It stops not at all, but says this; parts in braces are expressions.
    pub message: Option<String>,
}

/// Waits for a variable to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watchpoint {
    /// Its number.
    pub id: u32,
    /// What is waited for.
    pub part: Part,
    /// It stops only where this expression is true.
    pub condition: Option<String>,
}

/// Why a motion ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It went as far as it was asked.
    Step,
    /// At a breakpoint of this number.
    Breakpoint(u32),
    /// A variable has changed: number, what it is called, from what to what.
    Changed(u32, String, String, String),
    /// At the start of the invocation.
    Start,
    /// The invocation has ended, or the recording of it: see [`Session::end_text`].
    End,
    /// A condition is wrong: the breakpoint of this number stops there.
    Condition(u32, String),
}

/// Forwards or backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As the shader ran.
    Forward,
    /// The other way.
    Backward,
}

/// A frame of the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Index into the calls.
    pub call: u32,
    /// Index into the places: how far the call has got.
    pub place: u32,
    /// Function.
    pub function: String,
    /// File.
    pub file: String,
    /// Line, 0 if unknown.
    pub line: u32,
    /// Column, 0 if unknown.
    pub column: u32,
}

/// A session.
pub struct Session {
    recording: Arc<Recording>,
    cursor: Cursor,
    lane: usize,
    runs: Vec<Run>,
    /// Files and lines on which something can happen.
    code: BTreeSet<(u32, u32)>,
    /// Which of the frames variables are looked up in: 0 is the innermost.
    pub frame: usize,
    /// Breakpoints.
    pub breakpoints: Vec<Breakpoint>,
    /// Watchpoints.
    pub watchpoints: Vec<Watchpoint>,
    next_id: u32,
    evaluator: Evaluator,
    /// What breakpoints with messages have said.
    pub said: Vec<String>,
}

impl Session {
    /// A session over a recording, at the first line of the invocation that was asked for. Expressions are of
    /// `language`.
    pub fn new(recording: Arc<Recording>, language: Language) -> Session {
        let lane = recording.focus;
        let mut session = Session {
            cursor: Cursor::new(&recording),
            runs: lines::runs(&recording, lane),
            code: lines::lines_with_code(&recording.shader, &recording.debug),
            lane,
            frame: 0,
            breakpoints: Vec::new(),
            watchpoints: Vec::new(),
            next_id: 1,
            evaluator: Evaluator::new(language),
            said: Vec::new(),
            recording,
        };
        session.start();
        session
    }

    /// Texts of the shader's files, which expressions take its functions and constants from.
    pub fn give(&mut self, sources: Sources) {
        self.evaluator.give(sources);
    }

    /// The recording.
    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// The lane that it follows.
    pub fn lane(&self) -> usize {
        self.lane
    }

    /// The step that comes next.
    pub fn step_number(&self) -> usize {
        self.cursor.at()
    }

    /// Goes to a step.
    pub fn seek(&mut self, step: usize) {
        self.cursor.seek(&self.recording, step);
        self.frame = 0;
    }

    /// Follows another lane from now on. False if it has no invocation.
    pub fn follow(&mut self, lane: usize) -> bool {
        if lane >= self.recording.lanes || self.recording.full >> lane & 1 == 0 {
            return false;
        }
        if lane != self.lane {
            self.runs = lines::runs(&self.recording, lane);
        }
        self.lane = lane;
        self.frame = 0;
        true
    }

    /// The state, in a lane.
    pub fn at(&self, lane: usize) -> At<'_> {
        At { recording: &self.recording, cursor: &self.cursor, lane }
    }

    /// Whether the invocation has ended.
    pub fn is_at_end(&self) -> bool {
        self.cursor.at() >= self.recording.len()
    }

    /// The end of the recording: why the invocation ended there, or why the recording did.
    pub fn end_text(&self) -> String {
        match &self.recording.cut {
            Some(why) => why.clone(),
            None if self.recording.killed >> self.lane & 1 == 1 => "the invocation was discarded".into(),
            None => "the invocation has ended".into(),
        }
    }

    /// Lanes that execute what comes next.
    pub fn active(&self) -> u32 {
        self.recording.steps.get(self.cursor.at()).map_or(0, |s| s.active)
    }

    /// The stack, the innermost frame first; without what a front end has put around the author's entry point.
    pub fn stack(&self) -> Vec<Frame> {
        let debug = &self.recording.debug;
        let frame = |(call, p, place): (u32, quadrille_jit::ir::debug::Place, u32)| Frame {
            call,
            place,
            function: debug.function_of(call).to_owned(),
            file: debug.files.get(p.file as usize).map_or_else(String::new, |f| f.name.clone()),
            line: p.line,
            column: p.column,
        };
        let mut stack: Vec<Frame> = self.at(self.lane).stack().into_iter().map(frame).collect();
        let lined = stack.iter().rposition(|f| f.line != 0);
        stack.truncate(lined.map_or(stack.len(), |i| i + 1));
        stack
    }

    /// Call and place in which names are looked up.
    fn here(&self) -> (u32, u32) {
        let stack = self.at(self.lane).stack();
        stack.get(self.frame).or(stack.first()).map_or((0, 0), |f| (f.0, f.2))
    }

    /// The variables of a frame.
    pub fn locals(&self, frame: usize) -> Vec<Part> {
        let at = self.at(self.lane);
        let stack = at.stack();
        let Some(&(call, _, place)) = stack.get(frame) else { return Vec::new() };
        at.visible(call, place).into_iter().map(|i| at.whole(i)).collect()
    }

    /// The variables of the module of some classes.
    pub fn globals(&self, classes: &[Class]) -> Vec<Part> {
        let at = self.at(self.lane);
        at.globals(classes).into_iter().map(|i| at.whole(i)).collect()
    }

    /// An expression, in a lane, with the names of the chosen frame.
    pub fn evaluate(&mut self, lane: usize, text: &str) -> Result<Answer, String> {
        let (call, place) = self.here();
        let at = At { recording: &self.recording, cursor: &self.cursor, lane };
        self.evaluator.evaluate(at, call, place, text)
    }

    // Stops.

    /// Adds a breakpoint. `None` if nothing happens on that line of the file or behind it.
    pub fn add_breakpoint(&mut self, file: u32, line: u32) -> Option<&mut Breakpoint> {
        let line = self.line_with_code(file, line)?;
        self.next_id += 1;
        self.breakpoints.push(Breakpoint { id: self.next_id - 1, file, line, ..Breakpoint::default() });
        self.breakpoints.last_mut()
    }

    /// Adds a breakpoint where a function is entered. `None` if the shader executes nothing of that name.
    pub fn break_in_function(&mut self, name: &str) -> Option<&mut Breakpoint> {
        let r = &self.recording;
        let (file, line) = lines::line_of_function(&r.shader, &r.debug, name)?;
        self.add_breakpoint(file, line)
    }

    /// Adds a watchpoint for what an expression names.
    pub fn add_watchpoint(&mut self, text: &str) -> Result<&mut Watchpoint, String> {
        let part = self.evaluate(self.lane, text)?.part;
        let part = part.ok_or_else(|| format!("`{text}` is no variable or part of one"))?;
        self.next_id += 1;
        self.watchpoints.push(Watchpoint { id: self.next_id - 1, part, condition: None });
        self.watchpoints.last_mut().ok_or_else(String::new)
    }

    /// Removes the breakpoint or watchpoint of a number.
    pub fn remove(&mut self, id: u32) -> bool {
        let before = self.breakpoints.len() + self.watchpoints.len();
        self.breakpoints.retain(|b| b.id != id);
        self.watchpoints.retain(|w| w.id != id);
        self.breakpoints.len() + self.watchpoints.len() < before
    }

    /// The first line at or behind a line on which something can happen.
    pub fn line_with_code(&self, file: u32, line: u32) -> Option<u32> {
        self.code.range((file, line.max(1))..=(file, u32::MAX)).next().map(|&(_, line)| line)
    }

    /// Lines of a file on which something can happen.
    pub fn lines_with_code(&self, file: u32) -> impl Iterator<Item = u32> {
        self.code.range((file, 0)..=(file, u32::MAX)).map(|&(_, line)| line)
    }

    /// The file of a name: the whole path, or else its last part; `None` takes that of the current line.
    pub fn file(&self, name: Option<&str>) -> Option<u32> {
        let files = &self.recording.debug.files;
        let Some(name) = name else {
            let stack = self.at(self.lane).stack();
            return stack.get(self.frame).map(|f| f.1.file);
        };
        let last = |text: &str| text.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let whole = files.iter().position(|f| f.name == name);
        whole.or_else(|| files.iter().position(|f| last(&f.name) == last(name))).map(|i| i as u32)
    }

    // Motions.

    /// To the first line.
    pub fn start(&mut self) -> Stop {
        let step = self.runs.first().map_or(0, |r| r.step);
        self.seek(step);
        Stop::Start
    }

    fn end(&mut self) -> Stop {
        self.seek(self.recording.len());
        Stop::End
    }

    /// By lines.
    pub fn step(&mut self, stride: Stride, way: Way) -> Stop {
        let at = self.cursor.at();
        let run = lines::run_of(&self.runs, at);
        let to = match way {
            Way::Forward => lines::next(&self.runs, run, stride),
            Way::Backward => {
                let from = if self.is_at_end() { self.runs.len() } else { run.unwrap_or(0) };
                lines::previous(&self.runs, from, stride)
            }
        };
        match (to, way) {
            (Some(i), _) => {
                self.seek(self.runs[i].step);
                Stop::Step
            }
            (None, Way::Forward) => self.end(),
            (None, Way::Backward) => self.start(),
        }
    }

    /// By instructions of SPIR-V.
    pub fn step_instruction(&mut self, way: Way) -> Stop {
        let (steps, bit) = (&self.recording.steps, 1 << self.lane);
        let at = self.cursor.at();
        let place = steps.get(at).map_or(0, |s| s.place);
        let other = |i: &usize| steps[*i].active & bit != 0 && steps[*i].place != 0;
        let to = match way {
            Way::Forward => (at + 1..steps.len()).find(|i| other(i) && steps[*i].place != place),
            Way::Backward => {
                let before = (0..at.min(steps.len())).rev().find(|i| other(i) && steps[*i].place != place);
                // To the first of its steps.
                before.map(|i| {
                    let mut first = i;
                    while first > 0 && steps[first - 1].place == steps[i].place {
                        first -= 1;
                    }
                    first
                })
            }
        };
        match (to, way) {
            (Some(i), _) => {
                self.seek(i);
                Stop::Step
            }
            (None, Way::Forward) => self.end(),
            (None, Way::Backward) => self.start(),
        }
    }

    /// To the next stop.
    pub fn go(&mut self, way: Way) -> Stop {
        let at = self.cursor.at();
        let here = lines::run_of(&self.runs, at);
        let order: Vec<usize> = match way {
            Way::Forward => (here.map_or(0, |i| i + 1)..self.runs.len()).collect(),
            Way::Backward => {
                let from = if self.is_at_end() { self.runs.len() } else { here.unwrap_or(0) };
                (0..from).rev().collect()
            }
        };
        let change = self.next_change(way);
        for (n, i) in order.into_iter().enumerate() {
            let run = self.runs[i];
            let changes_first = change.as_ref().is_some_and(|c| match way {
                Way::Forward => c.0 <= run.step,
                Way::Backward => c.0 >= run.step,
            });
            if changes_first {
                break;
            }
            if !lines::is_entry(&self.runs, i) {
                continue;
            }
            for b in 0..self.breakpoints.len() {
                if (self.breakpoints[b].file, self.breakpoints[b].line) != (run.file, run.line) {
                    continue;
                }
                if n > MAX_CONDITIONS {
                    self.seek(run.step);
                    return Stop::Condition(self.breakpoints[b].id, "it was asked too often".into());
                }
                if let Some(stop) = self.hit(b, i) {
                    return stop;
                }
            }
        }
        match (change, way) {
            (Some((step, stop)), _) => {
                self.seek(step);
                stop
            }
            (None, Way::Forward) => self.end(),
            (None, Way::Backward) => self.start(),
        }
    }

    /// A run is on the line of a breakpoint: whether it stops there.
    fn hit(&mut self, b: usize, i: usize) -> Option<Stop> {
        let (breakpoint, run) = (self.breakpoints[b].clone(), self.runs[i]);
        let same = |r: &Run| (r.file, r.line) == (run.file, run.line);
        let reached = |&j: &usize| same(&self.runs[j]) && lines::is_entry(&self.runs, j);
        let wanted = breakpoint.from_hit as usize;
        if wanted > 0 && (0..=i).filter(reached).count() < wanted {
            return None;
        }
        let moves = breakpoint.condition.is_some() || breakpoint.message.is_some();
        let before = (self.cursor.at(), self.frame);
        if moves {
            self.seek(run.step);
        }
        let holds = match &breakpoint.condition {
            None => Ok(true),
            Some(text) => self.evaluate(self.lane, text).map(|a| a.is_true()),
        };
        let stop = match holds {
            Err(e) => Some(Stop::Condition(breakpoint.id, e)),
            Ok(false) => None,
            Ok(true) => match &breakpoint.message {
                Some(message) => {
                    let text = self.fill(message);
                    self.said.push(text);
                    None
                }
                None => Some(Stop::Breakpoint(breakpoint.id)),
            },
        };
        match stop.is_some() {
            true => self.seek(run.step),
            false if moves => {
                self.seek(before.0);
                self.frame = before.1;
            }
            false => {}
        }
        stop
    }

    /// A message with its expressions evaluated.
    fn fill(&mut self, message: &str) -> String {
        let mut out = String::new();
        let mut rest = message;
        while let Some((text, inner)) = rest.split_once('{') {
            out += text;
            let Some((expression, after)) = inner.split_once('}') else {
                return out + "{" + inner;
            };
            out += &self.evaluate(self.lane, expression).map_or_else(|e| format!("<{e}>"), |a| a.text);
            rest = after;
        }
        out + rest
    }

    /// The next step at which something that is watched has changed, and the stop.
    fn next_change(&mut self, way: Way) -> Option<(usize, Stop)> {
        let mut best: Option<(usize, Stop)> = None;
        for w in self.watchpoints.clone() {
            let slots = self.at(self.lane).slots(&w.part);
            let at = self.cursor.at();
            let changes = |i: &usize| self.recording.changes_of(*i).iter().any(|c| slots.contains(&c.slot));
            let steps: Vec<usize> = match way {
                Way::Forward => (at..self.recording.len()).filter(changes).collect(),
                Way::Backward => (0..at.min(self.recording.len())).rev().filter(changes).collect(),
            };
            for step in steps {
                // Behind the change when going on, before it when going back.
                let (first, end) = self.whole_instruction(step);
                let (old, new) = (self.shown_at(&w.part, first), self.shown_at(&w.part, end));
                let to = if way == Way::Forward { end } else { first };
                if let Some(condition) = &w.condition {
                    let before = self.cursor.at();
                    self.cursor.seek(&self.recording, to);
                    let holds = self.evaluate(self.lane, condition).is_ok_and(|a| a.is_true());
                    self.cursor.seek(&self.recording, before);
                    if !holds {
                        continue;
                    }
                }
                let nearer = best.as_ref().is_none_or(|(known, _)| match way {
                    Way::Forward => to < *known,
                    Way::Backward => to > *known,
                });
                if nearer {
                    best = Some((to, Stop::Changed(w.id, w.part.path.clone(), old, new)));
                }
                break;
            }
        }
        best
    }

    /// The first step of the instruction of SPIR-V that a step belongs to, and one past its last: the components of a
    /// vector change one after the other.
    fn whole_instruction(&self, step: usize) -> (usize, usize) {
        let steps = &self.recording.steps;
        let same = |i: &usize| steps.get(*i).is_some_and(|s| s.place == steps[step].place);
        let first = (0..step).rev().take_while(same).last().unwrap_or(step);
        (first, (step..steps.len()).take_while(same).last().unwrap_or(step) + 1)
    }

    /// What a part is at a step.
    fn shown_at(&mut self, part: &Part, step: usize) -> String {
        let before = self.cursor.at();
        self.cursor.seek(&self.recording, step);
        let text = self.at(self.lane).show(part);
        self.cursor.seek(&self.recording, before);
        text
    }

    /// Where a part has changed: step, line and new value, at most `most` of them.
    pub fn history(&mut self, part: &Part, most: usize) -> Vec<(usize, u32, String)> {
        let slots = self.at(self.lane).slots(part);
        let r = self.recording.clone();
        let steps = (0..r.len()).filter(|&i| r.changes_of(i).iter().any(|c| slots.contains(&c.slot)));
        let mut ends: Vec<usize> = steps.map(|i| self.whole_instruction(i).1).collect();
        ends.dedup();
        ends.truncate(most);
        let line = |end: usize| r.debug.places.get(r.steps[end - 1].place as usize).map_or(0, |p| p.line);
        ends.into_iter().map(|end| (end, line(end), self.shown_at(part, end))).collect()
    }
}
