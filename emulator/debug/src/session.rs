//! A debugging session: a position in a recording, with motions and stops.
//!
//! Nothing is executed: every motion moves along the recording, so going back is as exact as going forward. The session
//! follows one lane; the others can be inspected beside it. The text interface, the adapter for editors and the page
//! are its front ends.

use std::collections::BTreeSet;
use std::sync::Arc;

use quadrille::frontend::Language;
use quadrille_jit::ir::debug::Class;

use crate::expression::{Answer, Evaluator};
use crate::lines::{self, Run};
use crate::recording::{Cursor, Recording};
use crate::source::Sources;
use crate::value::{At, MAX_WATCHED, Part};

mod motions;

/// Number of places where a new condition is tried.
const TRIED: usize = 16;

/// A breakpoint at a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakpoint {
    /// Id of the breakpoint.
    pub id: u32,
    /// Index of the file.
    pub file: u32,
    /// Line: the first line with code at or after the requested one.
    pub line: u32,
    /// Expression that must be true for a stop.
    pub condition: Option<String>,
    /// Hit count since the start from which on the breakpoint stops; 0: always.
    pub from_hit: u32,
    /// Message that the breakpoint logs instead of stopping; parts in braces are expressions.
    pub message: Option<String>,
}

/// A watchpoint, which stops when a variable changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watchpoint {
    /// Id of the watchpoint.
    pub id: u32,
    /// The watched part.
    pub part: Part,
    /// The lane whose part it is; `None`: the lane that is followed.
    pub lane: Option<usize>,
    /// Expression that must be true for a stop.
    pub condition: Option<String>,
}

/// Reason why a motion ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The requested step is done.
    Step,
    /// The breakpoint with this id.
    Breakpoint(u32),
    /// A variable has changed: id, name, old value, new value.
    Changed(u32, String, String, String),
    /// The start of the invocation.
    Start,
    /// The end of the invocation or of its recording: see [`Session::end_text`].
    End,
    /// The condition of the breakpoint with this id has an error.
    Condition(u32, String),
}

/// Direction of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// In the order of execution.
    Forward,
    /// Against the order of execution.
    Backward,
}

/// A stack frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Index into the calls.
    pub call: u32,
    /// Index into the places: the current place of the call.
    pub place: u32,
    /// Name of the function.
    pub function: String,
    /// Name of the file.
    pub file: String,
    /// Line, 0 if unknown.
    pub line: u32,
    /// Column, 0 if unknown.
    pub column: u32,
}

/// A debugging session.
pub struct Session {
    recording: Arc<Recording>,
    cursor: Cursor,
    lane: usize,
    runs: Vec<Run>,
    /// Files and lines with code.
    code: BTreeSet<(u32, u32)>,
    /// Frame in which variables are looked up: 0 is the innermost.
    pub frame: usize,
    /// Breakpoints.
    pub breakpoints: Vec<Breakpoint>,
    /// Watchpoints.
    pub watchpoints: Vec<Watchpoint>,
    next_id: u32,
    evaluator: Evaluator,
    /// Messages logged by breakpoints.
    pub said: Vec<String>,
}

impl Session {
    /// Starts a session at the first line of the selected invocation, with expressions in `language`.
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

    /// Sets texts of the shader's files, from which expressions take functions and constants.
    pub fn give(&mut self, sources: Sources) {
        self.evaluator.give(sources);
    }

    /// The recording.
    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// The followed lane.
    pub fn lane(&self) -> usize {
        self.lane
    }

    /// Index of the next step.
    pub fn step_number(&self) -> usize {
        self.cursor.at()
    }

    /// Moves to a step.
    pub fn seek(&mut self, step: usize) {
        self.cursor.seek(&self.recording, step);
        self.frame = 0;
    }

    /// Follows another lane. Returns false if the lane has no invocation.
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

    /// The current state in a lane.
    pub fn at(&self, lane: usize) -> At<'_> {
        At { recording: &self.recording, cursor: &self.cursor, lane }
    }

    /// True at the end of the recording.
    pub fn is_at_end(&self) -> bool {
        self.cursor.at() >= self.recording.len()
    }

    /// Describes the end of the recording: why the invocation ended, or why the recording was cut.
    pub fn end_text(&self) -> String {
        match &self.recording.cut {
            Some(why) => why.clone(),
            None if self.recording.killed >> self.lane & 1 == 1 => "the invocation was discarded".into(),
            None => "the invocation has ended".into(),
        }
    }

    /// Mask of the lanes that execute the next step.
    pub fn active(&self) -> u32 {
        self.recording.steps.get(self.cursor.at()).map_or(0, |s| s.active)
    }

    /// The stack, with the innermost frame first, without functions that a front end added around the author's entry
    /// point.
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

    /// Call and place for looking up names.
    fn here(&self) -> (u32, u32) {
        let stack = self.at(self.lane).stack();
        stack.get(self.frame).or(stack.first()).map_or((0, 0), |f| (f.0, f.2))
    }

    /// Variables of a frame.
    pub fn locals(&self, frame: usize) -> Vec<Part> {
        let at = self.at(self.lane);
        let stack = at.stack();
        let Some(&(call, _, place)) = stack.get(frame) else { return Vec::new() };
        at.visible(call, place).into_iter().map(|i| at.whole(i)).collect()
    }

    /// Module-scope variables of some classes.
    pub fn globals(&self, classes: &[Class]) -> Vec<Part> {
        let at = self.at(self.lane);
        at.globals(classes).into_iter().map(|i| at.whole(i)).collect()
    }

    /// Evaluates an expression in a lane, with the names of the selected frame.
    pub fn evaluate(&mut self, lane: usize, text: &str) -> Result<Answer, String> {
        let (call, place) = self.here();
        let at = At { recording: &self.recording, cursor: &self.cursor, lane };
        self.evaluator.evaluate(at, call, place, text)
    }

    // Breakpoints and watchpoints.

    /// Adds a breakpoint. Returns `None` if the file has no code on this line or after it.
    pub fn add_breakpoint(&mut self, file: u32, line: u32) -> Option<&mut Breakpoint> {
        let line = self.line_with_code(file, line)?;
        self.next_id += 1;
        self.breakpoints.push(Breakpoint { id: self.next_id - 1, file, line, ..Breakpoint::default() });
        self.breakpoints.last_mut()
    }

    /// Adds a breakpoint at the entry of a function. Returns `None` if the shader executes no function of this name.
    pub fn break_in_function(&mut self, name: &str) -> Option<&mut Breakpoint> {
        let r = &self.recording;
        let (file, line) = lines::line_of_function(&r.shader, &r.debug, name)?;
        self.add_breakpoint(file, line)
    }

    /// Adds a watchpoint for the part that an expression names.
    pub fn add_watchpoint(&mut self, text: &str) -> Result<&mut Watchpoint, String> {
        let part = self.evaluate(self.lane, text)?.part;
        self.watch(part.ok_or_else(|| format!("`{text}` is not a variable or part of one"))?, None)
    }

    /// Adds a watchpoint for a part of a lane, or of the one that is followed.
    ///
    /// # Errors
    /// A description of the reason, if the part cannot change or is too large.
    pub fn watch(&mut self, part: Part, lane: Option<usize>) -> Result<&mut Watchpoint, String> {
        let path = &part.path;
        match self.at(lane.unwrap_or(self.lane)).watched(&part).len() {
            0 => {
                return Err(format!(
                    "`{path}` never changes: it is an input, an array without known elements, or memory that these lanes do not access"
                ));
            }
            1..=MAX_WATCHED => {}
            _ => return Err(format!("`{path}` is too large to be watched")),
        }
        self.next_id += 1;
        self.watchpoints.push(Watchpoint { id: self.next_id - 1, part, lane, condition: None });
        self.watchpoints.last_mut().ok_or_else(String::new)
    }

    /// Gives a breakpoint or watchpoint its condition.
    ///
    /// # Errors
    /// A description of the mistake, if the condition has a value in none of the first places where it would be evaluated.
    /// The breakpoint or watchpoint is removed then.
    pub fn set_condition(&mut self, id: u32, text: &str) -> Result<(), String> {
        let steps = self.first_steps(id);
        let lane = self.watchpoints.iter().find(|w| w.id == id).and_then(|w| w.lane).unwrap_or(self.lane);
        let before = (self.cursor.at(), self.frame);
        let mut problem = None;
        for step in steps {
            self.seek(step);
            match self.evaluate(lane, text) {
                Ok(_) => {
                    problem = None;
                    break;
                }
                Err(e) => problem = problem.or(Some(e)),
            }
        }
        self.seek(before.0);
        self.frame = before.1;
        if let Some(problem) = problem {
            self.remove(id);
            return Err(format!("the condition `{text}` fails: {}", problem.trim()));
        }
        let breakpoints = self.breakpoints.iter_mut().map(|b| (b.id, &mut b.condition));
        let watchpoints = self.watchpoints.iter_mut().map(|w| (w.id, &mut w.condition));
        if let Some((_, condition)) = breakpoints.chain(watchpoints).find(|(known, _)| *known == id) {
            *condition = Some(text.to_owned());
        }
        Ok(())
    }

    /// The first steps at which a breakpoint or watchpoint may stop.
    fn first_steps(&self, id: u32) -> Vec<usize> {
        if let Some(b) = self.breakpoints.iter().find(|b| b.id == id) {
            return self.entries(b).map(|i| self.runs[i].step).take(TRIED).collect();
        }
        let Some(w) = self.watchpoints.iter().find(|w| w.id == id) else { return Vec::new() };
        let watched = self.at(w.lane.unwrap_or(self.lane)).watched(&w.part);
        let changes = |i: &usize| watched.is_changed_by(self.recording.changes_of(*i));
        let steps = (0..self.recording.len()).filter(changes).map(|i| self.whole_instruction(i).1);
        std::iter::once(self.cursor.at()).chain(steps).take(TRIED).collect()
    }

    /// The runs at which a breakpoint is reached.
    fn entries(&self, b: &Breakpoint) -> impl Iterator<Item = usize> {
        let line = (b.file, b.line);
        let is_there = move |run: &Run| (run.file, run.line) == line;
        (0..self.runs.len()).filter(move |&i| is_there(&self.runs[i]) && lines::is_entry(&self.runs, i))
    }

    /// The run at which a breakpoint has its hit count.
    fn first_entry(&self, b: &Breakpoint) -> usize {
        let before = (b.from_hit as usize).checked_sub(1);
        before.map_or(0, |before| self.entries(b).nth(before).unwrap_or(usize::MAX))
    }

    /// Removes the breakpoint or watchpoint with this id.
    pub fn remove(&mut self, id: u32) -> bool {
        let before = self.breakpoints.len() + self.watchpoints.len();
        self.breakpoints.retain(|b| b.id != id);
        self.watchpoints.retain(|w| w.id != id);
        self.breakpoints.len() + self.watchpoints.len() < before
    }

    /// First line with code at or after a line.
    pub fn line_with_code(&self, file: u32, line: u32) -> Option<u32> {
        self.code.range((file, line.max(1))..=(file, u32::MAX)).next().map(|&(_, line)| line)
    }

    /// Lines of a file with code.
    pub fn lines_with_code(&self, file: u32) -> impl Iterator<Item = u32> {
        self.code.range((file, 0)..=(file, u32::MAX)).map(|&(_, line)| line)
    }

    /// Finds a file by its whole path or its last component; `None` selects the file of the current line.
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
}
