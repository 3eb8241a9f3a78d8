//! Motions of a session along its recording, and the breakpoints and watchpoints that stop them.
//!
//! Leaves to `lines` the order of runs of lines.

use super::{Session, Stop, Way};
use crate::lines::{self, Run, Stride};
use crate::value::Part;

/// Maximum number of runs for which a condition is evaluated before the motion gives up.
const MAX_CONDITIONS: usize = 1 << 20;

impl Session {
    /// Moves to the first line.
    pub fn start(&mut self) -> Stop {
        let step = self.runs.first().map_or(0, |r| r.step);
        self.seek(step);
        Stop::Start
    }

    fn end(&mut self) -> Stop {
        self.seek(self.recording.len());
        Stop::End
    }

    /// Steps by lines. Breakpoints and watchpoints on the way stop it, in calls that it steps over, too.
    pub fn step(&mut self, stride: Stride, way: Way) -> Stop {
        let run = lines::run_of(&self.runs, self.cursor.at());
        let to = match way {
            Way::Forward => lines::next(&self.runs, run, stride),
            Way::Backward => {
                let from = if self.is_at_end() { self.runs.len() } else { run.unwrap_or(0) };
                lines::previous(&self.runs, from, stride)
            }
        };
        self.travel(way, to)
    }

    /// Steps by SPIR-V instructions.
    pub fn step_instruction(&mut self, way: Way) -> Stop {
        let (steps, bit) = (&self.recording.steps, 1 << self.lane);
        let at = self.cursor.at();
        let place = steps.get(at).map_or(0, |s| s.place);
        let other = |i: &usize| steps[*i].active & bit != 0 && steps[*i].place != 0;
        let to = match way {
            Way::Forward => (at + 1..steps.len()).find(|i| other(i) && steps[*i].place != place),
            Way::Backward => {
                let before = (0..at.min(steps.len())).rev().find(|i| other(i) && steps[*i].place != place);
                // Moves to the first step of the instruction.
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

    /// Continues to the next stop.
    pub fn go(&mut self, way: Way) -> Stop {
        self.travel(way, None)
    }

    /// Moves to a run, or to the end of the recording in this direction, unless something stops it before.
    fn travel(&mut self, way: Way, to: Option<usize>) -> Stop {
        let at = self.cursor.at();
        let order: Vec<usize> = match way {
            Way::Forward => {
                let here = lines::run_of(&self.runs, at);
                let end = to.map_or(self.runs.len(), |to| to + 1);
                (here.map_or(0, |i| i + 1)..end).collect()
            }
            // From the middle of a run, its start is behind.
            Way::Backward => (to.unwrap_or(0)..self.runs.partition_point(|r| r.step < at)).rev().collect(),
        };
        let target = to.map(|i| self.runs[i].step);
        let is_after = |step: usize, other: usize| match way {
            Way::Forward => step > other,
            Way::Backward => step < other,
        };
        let change =
            self.next_change(way, target).filter(|c| target.is_none_or(|target| !is_after(c.0, target)));
        if let Some(stop) =
            self.first_hit(&order, |run| change.as_ref().is_some_and(|c| !is_after(c.0, run.step)))
        {
            return stop;
        }
        match (change, target, way) {
            (Some((step, stop)), _, _) => {
                self.seek(step);
                stop
            }
            (None, Some(step), _) => {
                self.seek(step);
                Stop::Step
            }
            (None, None, Way::Forward) => self.end(),
            (None, None, Way::Backward) => self.start(),
        }
    }

    /// Stops at the first breakpoint of these runs before the run where `ends` holds.
    fn first_hit(&mut self, order: &[usize], ends: impl Fn(&Run) -> bool) -> Option<Stop> {
        let mut first: Vec<Option<usize>> = vec![None; self.breakpoints.len()];
        let mut evaluated = 0;
        for &i in order {
            let run = self.runs[i];
            if ends(&run) {
                break;
            }
            if !lines::is_entry(&self.runs, i) {
                continue;
            }
            for b in 0..self.breakpoints.len() {
                let breakpoint = &self.breakpoints[b];
                if (breakpoint.file, breakpoint.line) != (run.file, run.line)
                    || i < *first[b].get_or_insert_with(|| self.first_entry(breakpoint))
                {
                    continue;
                }
                evaluated += usize::from(breakpoint.condition.is_some() || breakpoint.message.is_some());
                if evaluated > MAX_CONDITIONS {
                    let id = breakpoint.id;
                    self.seek(run.step);
                    return Some(Stop::Condition(id, "it was evaluated too often".into()));
                }
                if let Some(stop) = self.hit(b, i) {
                    return Some(stop);
                }
            }
        }
        None
    }

    /// Handles a run on the line of a breakpoint; returns the stop, if there is one. Conditions and messages leave the
    /// position there: going back after each would take the square of the number of hits.
    fn hit(&mut self, b: usize, i: usize) -> Option<Stop> {
        let (breakpoint, run) = (self.breakpoints[b].clone(), self.runs[i]);
        self.seek(run.step);
        let holds = match &breakpoint.condition {
            None => Ok(true),
            Some(text) => self.evaluate(self.lane, text).map(|a| a.is_true()),
        };
        match holds {
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
        }
    }

    /// Replaces the expressions of a message by their values.
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

    /// The next step at which a watched part changes, up to a target, with its stop.
    fn next_change(&mut self, way: Way, target: Option<usize>) -> Option<(usize, Stop)> {
        let (at, end) = (self.cursor.at(), self.recording.len());
        let range = match way {
            Way::Forward => at..target.map_or(end, |target| end.min(target)),
            Way::Backward => target.unwrap_or(0)..end.min(at),
        };
        let mut best: Option<(usize, Stop)> = None;
        for w in self.watchpoints.clone() {
            let lane = w.lane.unwrap_or(self.lane);
            let watched = self.at(lane).watched(&w.part);
            let changes = |i: &usize| watched.is_changed_by(self.recording.changes_of(*i));
            let steps: Vec<usize> = match way {
                Way::Forward => range.clone().filter(changes).collect(),
                Way::Backward => range.clone().rev().filter(changes).collect(),
            };
            for step in steps {
                // After the change when moving forwards, before it when moving backwards.
                let (first, end) = self.whole_instruction(step);
                let to = if way == Way::Forward { end } else { first };
                let later = best.as_ref().is_some_and(|(known, _)| match way {
                    Way::Forward => to >= *known,
                    Way::Backward => to <= *known,
                });
                if later {
                    break;
                }
                if let Some(condition) = &w.condition {
                    self.cursor.seek(&self.recording, to);
                    if !self.evaluate(lane, condition).is_ok_and(|a| a.is_true()) {
                        continue;
                    }
                }
                let [old, new] = [first, end].map(|step| self.shown_at(lane, &w.part, step));
                let of = if lane == self.lane { String::new() } else { format!(" of lane {lane}") };
                best = Some((to, Stop::Changed(w.id, w.part.path.clone() + &of, old, new)));
                break;
            }
            self.cursor.seek(&self.recording, at);
        }
        best
    }

    /// Range of the steps of one SPIR-V instruction, in which the components of a vector change one after the other.
    pub(super) fn whole_instruction(&self, step: usize) -> (usize, usize) {
        let steps = &self.recording.steps;
        let same = |i: &usize| steps.get(*i).is_some_and(|s| s.place == steps[step].place);
        let first = (0..step).rev().take_while(same).last().unwrap_or(step);
        (first, (step..steps.len()).take_while(same).last().unwrap_or(step) + 1)
    }

    /// Value of a part of a lane at a step.
    fn shown_at(&mut self, lane: usize, part: &Part, step: usize) -> String {
        let before = self.cursor.at();
        self.cursor.seek(&self.recording, step);
        let text = self.at(lane).show(part);
        self.cursor.seek(&self.recording, before);
        text
    }

    /// Changes of a part: step, line and new value; at most `most` of them.
    pub fn history(&mut self, part: &Part, most: usize) -> Vec<(usize, u32, String)> {
        let watched = self.at(self.lane).watched(part);
        let r = self.recording.clone();
        let steps = (0..r.len()).filter(|&i| watched.is_changed_by(r.changes_of(i)));
        let mut ends: Vec<usize> = steps.map(|i| self.whole_instruction(i).1).collect();
        ends.dedup();
        ends.truncate(most);
        let line = |end: usize| r.debug.places.get(r.steps[end - 1].place as usize).map_or(0, |p| p.line);
        ends.into_iter().map(|end| (end, line(end), self.shown_at(self.lane, part, end))).collect()
    }
}
