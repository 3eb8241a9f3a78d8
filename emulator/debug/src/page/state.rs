//! State of the page, and its actions.

use std::collections::{BTreeMap, BTreeSet};

use quadrille_jit::ir::debug::Class;
use serde_json::{Value, json};

use super::{Record, Shown, sessions};
use crate::dap::Launched;
use crate::lines::Stride;
use crate::session::{Breakpoint, Session, Stop, Way};
use crate::source::Sources;
use crate::target::Target;
use crate::value::Part;

/// Maximum number of listed parts of a variable.
const MAX_PARTS: usize = 64;
/// Maximum number of listed changes of a variable.
const MAX_HISTORY: usize = 200;

/// State of the page, with the current invocation.
pub struct State {
    shown: Shown,
    sessions: Vec<Session>,
    current: usize,
    sources: Sources,
    stop: Stop,
    watches: Vec<String>,
    /// Variables whose parts are listed.
    opened: BTreeSet<String>,
    history: Option<String>,
}

impl State {
    pub fn new(shown: Shown) -> State {
        State {
            shown,
            sessions: Vec::new(),
            current: 0,
            sources: Sources::default(),
            stop: Stop::Start,
            watches: Vec::new(),
            opened: BTreeSet::new(),
            history: None,
        }
    }

    /// Opens new recordings.
    pub fn open(&mut self, launched: Launched) {
        // The shaders of a launch have different files under the same numbers.
        let lines: Vec<(String, u32)> = self.session().map_or_else(Vec::new, |s| {
            let files = &s.recording().debug.files;
            let named = |b: &Breakpoint| Some((files.get(b.file as usize)?.name.clone(), b.line));
            s.breakpoints.iter().filter_map(named).collect()
        });
        let (sessions, sources, _) = sessions(launched);
        (self.current, self.sessions, self.sources) = (sessions.len().saturating_sub(1), sessions, sources);
        for session in &mut self.sessions {
            for (name, line) in &lines {
                let file = session.recording().debug.files.iter().position(|f| f.name == *name);
                if let Some(file) = file {
                    session.add_breakpoint(file as u32, *line);
                }
            }
        }
        (self.stop, self.history) = (Stop::Start, None);
    }

    fn session(&mut self) -> Option<&mut Session> {
        self.sessions.get_mut(self.current)
    }

    /// Executes the action of one query parameter.
    pub fn act(&mut self, name: &str, value: &str, record: Record<'_>) -> Result<(), String> {
        if crate::target::OPTIONS.contains(&name) {
            let launched = record(Target::parse(name, value)?)?;
            if launched.recordings.is_empty() {
                return Err(format!("{name} {value}: the shader did not run there"));
            }
            self.open(launched);
            return Ok(());
        }
        match name {
            "watch" if !self.watches.iter().any(|w| w == value) => self.watches.push(value.to_owned()),
            "unwatch" => self.watches.retain(|w| w != value),
            "open" => {
                if !self.opened.remove(value) {
                    self.opened.insert(value.to_owned());
                }
            }
            "history" => self.history = (!value.is_empty()).then(|| value.to_owned()),
            "record" => {
                let n = value.parse::<usize>().ok().filter(|n| (1..=self.sessions.len()).contains(n));
                self.current = n.ok_or("there is no such recording")? - 1;
            }
            _ => {}
        }
        let Some(session) = self.sessions.get_mut(self.current) else { return Ok(()) };
        match name {
            "motion" => self.stop = motion(session, value)?,
            "lane" => {
                let followed = value.parse().is_ok_and(|lane| session.follow(lane));
                return if followed { Ok(()) } else { Err("there is no invocation in this lane".into()) };
            }
            "frame" => session.frame = value.parse().unwrap_or(0),
            "goto" => session.seek(value.parse().map_err(|_| "no step")?),
            "break" => toggle(session, value)?,
            _ => {}
        }
        Ok(())
    }

    /// The whole state for the page.
    pub fn json(&mut self) -> Value {
        let shown = &self.shown;
        let mut out = json!({
            "title": shown.title, "picture": !shown.picture.is_empty(), "heat": !shown.heat.is_empty(),
            "size": [shown.size.0, shown.size.1],
            "remarks": shown.remarks.iter().map(|r| json!({
                "file": r.file, "line": r.line, "level": r.level, "text": r.text,
            })).collect::<Vec<_>>(),
        });
        let (current, of) = (self.current, self.sessions.len());
        let (watches, history, stop) = (self.watches.clone(), self.history.clone(), self.stop.clone());
        let Some(session) = self.sessions.get_mut(current) else { return out };
        let r = session.recording().clone();
        let lane = session.lane();
        let stack = session.stack();
        let here = stack.get(session.frame).or(stack.first()).cloned();
        let file = here.as_ref().map_or("", |f| &f.file);
        let text = r.debug.files.iter().find(|f| f.name == file).map(|f| self.sources.text(f));
        out["who"] = r.name(lane).into();
        out["pixel"] = match r.who.get(lane) {
            Some(quadrille_jit::interp::watch::Invocation::Fragment { pixel: [x, y], .. }) => {
                let row = if self.shown.flipped { self.shown.size.1 as i32 - 1 - y } else { *y };
                json!([x, row])
            }
            _ => Value::Null,
        };
        if self.shown.flipped && out["pixel"].is_array() {
            out["who"] = format!("pixel ({}, {})", out["pixel"][0], out["pixel"][1]).into();
        }
        out["record"] = json!([current + 1, of]);
        out["step"] = json!([session.step_number(), r.len()]);
        out["end"] = session.is_at_end().into();
        out["killed"] = (r.killed >> lane & 1 == 1).into();
        out["cut"] = r.cut.clone().into();
        out["stop"] = say(&stop, session).into();
        out["file"] = file.into();
        out["line"] = here.as_ref().map_or(0, |f| f.line).into();
        out["source"] = text.unwrap_or_default().lines().collect::<Vec<_>>().into();
        out["counts"] = counts(session, file);
        let of_file = session.breakpoints.iter().filter(|b| r.is_named(b.file, file));
        out["breakpoints"] = of_file.map(|b| b.line).collect::<Vec<_>>().into();
        out["frame"] = session.frame.into();
        out["stack"] = stack
            .iter()
            .map(|f| json!({ "function": f.function, "file": f.file, "line": f.line }))
            .collect::<Vec<_>>()
            .into();
        out["lanes"] = (0..r.lanes)
            .filter(|l| r.full >> l & 1 == 1)
            .map(|l| json!({ "lane": l, "name": r.name(l), "active": session.active() >> l & 1 == 1, "followed": l == lane }))
            .collect::<Vec<_>>()
            .into();
        out["variables"] = variables(session, &self.opened);
        out["watches"] = watches.iter().map(|text| watched(session, lane, text)).collect::<Vec<_>>().into();
        if let Some(name) = history
            && let Ok(Some(part)) = session.evaluate(lane, &name).map(|a| a.part)
        {
            let list = session.history(&part, MAX_HISTORY);
            let list: Vec<Value> = list
                .into_iter()
                .map(|(step, line, v)| json!({ "step": step, "line": line, "value": v }))
                .collect();
            out["history"] = json!({ "name": name, "list": list });
        }
        out
    }
}

/// The value of a watched expression, or the error.
fn watched(session: &mut Session, lane: usize, text: &str) -> Value {
    let (value, ok) = match session.evaluate(lane, text) {
        Ok(answer) => (answer.text, true),
        Err(e) => (e, false),
    };
    json!({ "name": text, "value": value, "ok": ok })
}

fn motion(session: &mut Session, name: &str) -> Result<Stop, String> {
    Ok(match name {
        "next" => session.step(Stride::Over, Way::Forward),
        "step" => session.step(Stride::Into, Way::Forward),
        "finish" => session.step(Stride::Out, Way::Forward),
        "back" => session.step(Stride::Over, Way::Backward),
        "back-into" => session.step(Stride::Into, Way::Backward),
        "continue" => session.go(Way::Forward),
        "reverse" => session.go(Way::Backward),
        "start" => session.start(),
        "end" => {
            let end = session.recording().len();
            session.seek(end);
            Stop::End
        }
        _ => return Err(format!("`{name}` is not a motion")),
    })
}

/// Sets or removes the breakpoint at a line of the displayed file.
fn toggle(session: &mut Session, line: &str) -> Result<(), String> {
    let (line, file) =
        (line.parse().map_err(|_| "this is not a line")?, session.file(None).ok_or("there is no file")?);
    let line = session.line_with_code(file, line).ok_or("there is no code on this line or after it")?;
    let known = session.breakpoints.iter().find(|b| (b.file, b.line) == (file, line)).map(|b| b.id);
    match known {
        Some(id) => drop_breakpoint(session, id),
        None => drop(session.add_breakpoint(file, line).map(|b| b.id)),
    }
    Ok(())
}

fn drop_breakpoint(session: &mut Session, id: u32) {
    session.remove(id);
}

fn say(stop: &Stop, session: &Session) -> String {
    match stop {
        Stop::Step | Stop::Start => String::new(),
        Stop::Breakpoint(id) => format!("breakpoint {id}"),
        Stop::Changed(_, name, old, new) => format!("{name}: {old} → {new}"),
        Stop::Condition(id, e) => format!("breakpoint {id}: {e}"),
        Stop::End => session.end_text(),
    }
}

/// Number of steps of the lane on each line of a file.
fn counts(session: &Session, file: &str) -> Value {
    let r = session.recording();
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    let number = r.debug.files.iter().position(|f| f.name == file);
    for step in r.steps.iter().filter(|s| s.active >> session.lane() & 1 == 1) {
        let place = r.debug.places.get(step.place as usize);
        if let Some(place) = place.filter(|p| p.line != 0 && Some(p.file as usize) == number) {
            *counts.entry(place.line).or_default() += 1;
        }
    }
    counts.into_iter().map(|(line, n)| json!([line, n])).collect::<Vec<_>>().into()
}

/// Groups of variables, with their values in all lanes, and with the parts of those that are open.
fn variables(session: &Session, opened: &BTreeSet<String>) -> Value {
    let groups = [
        ("Locals", session.locals(session.frame)),
        ("Inputs", session.globals(&[Class::Input])),
        ("Outputs", session.globals(&[Class::Output])),
        ("Private", session.globals(&[Class::Private])),
        ("Memory", session.globals(&[Class::PushConstant, Class::Workgroup, Class::Resource])),
    ];
    let list = groups.into_iter().filter(|(_, parts)| !parts.is_empty()).map(|(name, parts)| {
        let at = session.at(session.lane());
        // Members of a block without a name count as separate variables.
        let named = parts.into_iter().flat_map(|p| if p.path.is_empty() { at.parts(&p) } else { vec![p] });
        let list: Vec<Value> = named.map(|p| variable(session, &p, opened)).collect();
        json!({ "name": name, "list": list })
    });
    list.collect::<Vec<_>>().into()
}

fn variable(session: &Session, part: &Part, opened: &BTreeSet<String>) -> Value {
    let r = session.recording();
    let at = session.at(session.lane());
    let lanes: Vec<String> =
        (0..r.lanes).filter(|l| r.full >> l & 1 == 1).map(|l| session.at(l).show(part)).collect();
    let open = opened.contains(&part.path);
    let all = at.some_parts(part, [0, if open { MAX_PARTS } else { 1 }]);
    let listed = if open { MAX_PARTS } else { 0 };
    let parts: Vec<Value> = all.iter().take(listed).map(|p| variable(session, p, opened)).collect();
    json!({
        "name": part.path, "value": at.show(part), "type": r.debug.type_name(part.ty), "lanes": lanes,
        "has": !all.is_empty(), "open": open, "parts": parts,
    })
}
